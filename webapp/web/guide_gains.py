"""What each choice on the board changes for whoever decides: points in view, and common cards.

The engine does each action, and its result is scored as everybody would see it, so that nothing
hidden shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import gt
from typing import Any

from flask_babel import gettext as _

from scorer.objective import CardResult, Objective
from scorer.open_table import open_table
from scorer.scoresheet import PlayerScore
from scorer.sentence import signed
from scorer.turns import Turns
from webapp.app.game_pages import Document
from webapp.app.guided_game import GuidedGame
from webapp.app.session.game_document import player_names
from webapp.web.table_strip import played_game, things_changed
from webapp.web.words import as_title, said

MOST_PLACES = 40
"""With more places to choose from, nothing is worked out."""
MOST_WAYS = 240
"""The most places of all buttons together for which it is worked out what they can bring."""
NEARER = "▲"
"""The mark of a card without a printed number."""
FULFILLED = "✓"
"""What ends the mark of a card that a choice fulfils."""
HARDER = "✗"
"""What ends the mark of a card for which a choice leaves more to be placed or replaced."""
ELSEWHERE = "/"
"""What separates what different places of a button bring."""
OFTEN = 3
"""At how many places a card becomes harder so that the sign alone stands for it."""
LATER = "→"
"""What begins the mark of what can still be had in the turn by going on."""
LOSES = "→✗"
"""The mark of a choice after which the turn can bring less than after most others."""


@dataclass(frozen=True)
class Gain:
    """How many `points` in view a choice gives, and the common cards that it brings nearer.

    `cards` have, by id, the mark that stands for each, such as its printed number, and what it
    then counts in words, `harder` those for which more is then to be placed or replaced.
    `parts` of the score have the points that each changes by, 0 for what depends on the choice.
    """

    points: int = 0
    cards: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)
    is_usual: bool = False
    """Whether the points are those of most choices, which get no mark of their own."""
    later: int = 0
    """The points by the end of the turn, 0 if they are no more or if another choice brings more."""
    later_parts: Mapping[str, int] = field(default_factory=dict)
    harder: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    loses: bool = False
    """Whether the turn can bring less by its end than after another choice."""

    others: Sequence[Gain] = ()
    """What other places of the same button bring instead."""

    @property
    def marks(self) -> str:
        """The gain in short, to be written beside a button."""
        return f" {ELSEWHERE} ".join(" ".join(one.lines) for one in (self, *self.others)).strip()

    @property
    def lines(self) -> Sequence[str]:
        """What a place brings, and what it makes harder, in short; without what is empty."""
        at_once = self._with_cards("" if self.is_usual else signed(self.points))
        later = f"{LATER} {signed(self.later)}" if self.later else LOSES if self.loses else ""
        gained = [at_once, later] if self.points or later else at_once.split()
        harder = dict.fromkeys(mark for mark, _words in self.harder.values())
        return [*filter(None, gained), *harder]

    @property
    def later_explained(self) -> str:
        """What the points by the end of the turn come from."""
        return _reasoned(self.later, self.later_parts)

    @property
    def explained(self) -> str:
        """The gain in short, with the parts of the score that the points come from."""
        return self._with_cards(self._reasoned)

    @property
    def words(self) -> Sequence[str]:
        in_view = [_("points in view %(points)s", points=self._reasoned)] if self.points else []
        cards = [words for _mark, words in self.cards.values()]
        cards += [
            _("harder to fulfil: %(card)s", card=words) for _mark, words in self.harder.values()
        ]
        loses = [_("less by the end of this turn than elsewhere")] if self.loses else []
        return [*in_view, *cards, *self._by_the_end(self.later_explained), *loses]

    @property
    def told(self) -> Sequence[str]:
        """What the points change by at once, and by the end of the turn."""
        if not self.points:
            return self._by_the_end(self.later_explained)
        return [self.explained, *self._by_the_end(signed(self.later))]

    def _by_the_end(self, points: str) -> Sequence[str]:
        by_the_end = _("%(points)s by the end of this turn", points=points)
        return [by_the_end] if self.later else []

    @property
    def _reasoned(self) -> str:
        return _reasoned(self.points, self.parts)

    def _with_cards(self, points: str) -> str:
        cards = dict.fromkeys(mark for mark, _words in self.cards.values() if mark)
        return " ".join([*([points] if self.points and points else []), *cards])


def _reasoned(points: int, parts: Mapping[str, int]) -> str:
    numbered = len(parts) > 1 and all(parts.values())
    named = [f"{name} {signed(by)}" if numbered else name for name, by in parts.items()]
    return f"{signed(points)} ({', '.join(named)})" if named else signed(points)


@dataclass(frozen=True)
class CommonGain(Gain):
    """The gain of all choices together, and what the marks beside some of them leave out.

    `marked` has the names of the cards by the marks; `usual` is what most choices bring in points,
    0 if they have a mark, and `mostly` the names of the cards that most bring nearer.
    """

    marked: Mapping[str, str] = field(default_factory=dict)
    usual: int = 0
    mostly: Sequence[str] = ()
    goes_on: bool = False
    """Whether what is placed next belongs to it and may change what it brings."""

    @property
    def explained(self) -> str:
        cards = ", ".join(mark for mark, _words in self.cards.values())
        nearer = [_("closer to %(cards)s", cards=cards)] if cards else []
        return "; ".join([*([self._reasoned] if self.points else []), *nearer])


def moved(game: GuidedGame, old: PlayerScore, new: PlayerScore) -> Mapping[str, int]:
    """Return by how many points each part of a score has changed, by its name."""
    found = Counter[str]()
    for score, sign in ((new, 1), (old, -1)):
        for line in score.lines:
            found[game.pages.words.line(line)] += sign * line.points
    return {name: by for name, by in found.items() if by}


def points_changed(
    game: GuidedGame, state: Any, action: Any, document: Document
) -> Mapping[int, Gain]:
    """Return whose points in view a legal action changes, by seat: by how many, and by what."""
    turns, names, seat = game.turns, player_names(document), game.turns.decides(state)
    now, then = (
        turns.score(turns.seen_by(one, None), names).players
        for one in (state, turns.after_legal(state, action))
    )
    gained = [
        Gain(new.total - old.total, parts=moved(game, old, new))
        for old, new in zip(now, then, strict=True)
    ]
    if seat is not None:
        ends = _later(game, seat, state, {"": [action]})
        gained[seat] = _with_later({"": gained[seat]}, ends)[""]
    return {seat: one for seat, one in enumerate(gained) if one.told}


def made_harder(game: GuidedGame, state: Any, action: Any, document: Document) -> str:
    """Return which common cards a legal action makes harder to fulfil; "" if it makes none so."""
    seat = game.turns.decides(state)
    if seat is None:
        return ""
    standing = _Standings(game, document, seat)
    _score, results = standing.of(state)
    _then, _nearer, harder = standing.then(game.turns.after_legal(state, action), results)
    cards = "; ".join(words for _mark, words in harder.values())
    return _("But harder to fulfil: %(cards)s.", cards=cards) if cards else ""


def changed_for(game: GuidedGame, document: Document, seat: int, before: Any, after: Any) -> str:
    """Return what the turns of others between two states have changed for a seat.

    That is its points in view, the common cards, and what lies in front of it.
    """
    standing, name = _Standings(game, document, seat), player_names(document)[seat]
    score, results = standing.of(before)
    then, nearer, harder = standing.then(after, results)
    gain = Gain(then.total - score.total, nearer, moved(game, score, then), harder=harder)
    left = [standing.name(id) for id in standing.common(before) if id not in standing.common(after)]
    gone = [_("gone: %(cards)s", cards=", ".join(left))] if left else []
    if changes := [*gain.words, *gone, *things_changed(game, seat, before, after)]:
        return _("For %(name)s: %(changes)s.", name=name, changes="; ".join(changes))
    return _("For %(name)s: the same points in view.", name=name)


def gained_by(game: GuidedGame, document: Document, seat: int, before: Any, after: Any) -> str:
    """Return by how many points in view a seat's score has changed; "" if it has not."""
    names = player_names(document)
    old, new = (
        game.turns.score(game.turns.seen_by(one, None), names).players[seat]
        for one in (before, after)
    )
    gain = Gain(new.total - old.total, parts=moved(game, old, new))
    told = {"name": names[seat], "changes": "; ".join(gain.words)}
    return _("For %(name)s: %(changes)s.", **told) if gain.points else ""


def gains(
    game: GuidedGame, state: Any, legal: Mapping[str, Any], document: Document
) -> tuple[Mapping[str, Gain], CommonGain]:
    """Return what the legal actions of places change, by place, apart from what all of them do.

    `state` is the game as the viewer may know it.
    """
    turns, seat = game.turns, game.turns.decides(state)
    if seat is None or not 0 < len(legal) <= MOST_PLACES:
        return {}, CommonGain()
    standing = _Standings(game, document, seat)
    score, results = standing.of(state)
    found = {}
    for place, action in legal.items():
        then, nearer, harder = standing.then(turns.after_legal(state, action), results)
        found[place] = Gain(
            then.total - score.total, nearer, moved(game, score, then), harder=harder
        )
    found = _with_later(found, _later(game, seat, state, {at: [one] for at, one in legal.items()}))
    common = _what_all_do([*found.values()]) if len(found) > 1 else Gain()
    differ = {
        place: replace(
            one,
            points=one.points - common.points,
            cards={id: card for id, card in one.cards.items() if id not in common.cards},
            parts={} if common.points else one.parts,
            later=0 if common.later else one.later,
            loses=bool(common.later) and one.loses,
        )
        for place, one in found.items()
    }
    differ = {place: one for place, one in differ.items() if one.marks}
    each, of_all = _marked(differ, common, len(legal), standing)
    goes_on = common.points < 0 and any(
        _goes_on(turns, action, turns.after_legal(state, action)) for action in legal.values()
    )
    return each, replace(of_all, goes_on=goes_on)


def _goes_on(turns: Turns[Any, Any], action: Any, after: Any) -> bool:
    """Whether only actions of the same kind may follow an action, besides formalities."""
    following = [one for one in turns.actions(after) if not getattr(one, "is_formality", False)]
    return {type(one) for one in following} == {type(action)}


def best_gains(
    game: GuidedGame, state: Any, ways: Mapping[str, Sequence[Any]], document: Document
) -> Mapping[str, Gain]:
    """Return what the best of a button's legal actions brings, by button.

    Each mark is what one place brings: the most points of this turn first, then the others that
    bring a card nearer.
    """
    turns, seat = game.turns, game.turns.decides(state)
    if seat is None or not 1 < sum(map(len, ways.values())) <= MOST_WAYS:
        return {}
    standing = _Standings(game, document, seat)
    score, results = standing.of(state)
    every = {turns.write_action(one): one for actions in ways.values() for one in actions}
    ends = _later(game, seat, state, {key: [one] for key, one in every.items()})
    found = dict[str, list[Gain]]()
    for button, actions in ways.items():
        for key in map(turns.write_action, actions):
            then, nearer, harder = standing.then(turns.after_legal(state, every[key]), results)
            points = then.total - score.total
            later, by_then = ends.get(key, (0, {}))
            parts = moved(game, score, then)
            one = Gain(points, nearer, parts if len(parts) > 1 else {}, harder=harder)
            one = replace(one, later=later, later_parts=by_then) if later > max(points, 0) else one
            found.setdefault(button, []).append(one)
    return {button: _best(gains) for button, gains in found.items()}


def _best(gains: Sequence[Gain]) -> Gain:
    """Return the best of a button's gains; `others` bring cards nearer that it does not."""

    def worth(one: Gain) -> tuple[int, ...]:
        met = sum(mark.endswith(FULFILLED) for mark, _words in one.cards.values())
        return max(one.points, one.later), one.points, met, -len(one.harder), len(one.cards)

    chosen, covered = list[Gain](), set[str]()
    for one in sorted(gains, key=worth, reverse=True):
        cards = {id: card for id, card in one.cards.items() if id not in covered}
        if cards or not chosen:
            chosen.append(replace(one, cards=cards))
        covered |= cards.keys()
    first, *others = chosen
    same = [one.parts for one in gains if (one.points, one.later) == (first.points, first.later)]
    parts = {
        name: by if all(own.get(name) == by for own in same) else 0
        for name, by in first.parts.items()
    }
    return replace(first, parts=parts, others=[replace(one, later=0) for one in others])


def _later(
    game: GuidedGame, seat: int, state: Any, ways: Mapping[str, Sequence[Any]]
) -> Mapping[str, tuple[int, Mapping[str, int]]]:
    """Return the most points by which each choice's `ways` can change a seat's score in the turn.

    With each, by how many the parts of the score change.
    """
    turns, best = game.turns, dict[str, PlayerScore]()
    seen = turns.seen_by(state, None)
    choices = {turns.write_action(one): choice for choice, own in ways.items() for one in own}
    every = [one for own in ways.values() for one in own]
    for action, end in turns.rest_of_turn(seen, every):
        score = turns.score(end).players[seat]
        choice = choices[turns.write_action(action)]
        if choice not in best or score.total > best[choice].total:
            best[choice] = score
    now = turns.score(seen).players[seat]
    return {choice: (end.total - now.total, moved(game, now, end)) for choice, end in best.items()}


def _with_later(
    found: Mapping[str, Gain], ends: Mapping[str, tuple[int, Mapping[str, int]]]
) -> dict[str, Gain]:
    """Return the gains with the best of what the `ends` of the turn bring, in points and parts."""
    most = max((points for points, _parts in ends.values()), default=0)
    best = {choice: parts for choice, (points, parts) in ends.items() if points == most > 0}
    return {
        choice: replace(one, later=most, later_parts=best[choice])
        if choice in best and most > one.points
        else replace(one, loses=most > 0 and choice in ends and choice not in best)
        for choice, one in found.items()
    }


def _marked(
    differ: Mapping[str, Gain], common: Gain, places: int, standing: _Standings
) -> tuple[Mapping[str, Gain], CommonGain]:
    """Mark each card that a place brings nearer; one that most places bring nearer is said once.

    Of those that become harder the one that does so at most places needs no name beside them.
    """
    near = Counter(id for one in differ.values() for id in one.cards)
    mostly = {id for id, count in near.items() if 2 * count > places}
    each = Counter(one.points for one in differ.values())
    usual = next((by for by, count in each.items() if 2 * count > places), 0)
    usual = usual if all(each) and each.total() == places else 0  # no mark is no change otherwise
    marked = dict[str, str]()
    harder_at = Counter(id for one in differ.values() for id in one.harder)
    often = next((id for id, count in harder_at.most_common(1) if count >= OFTEN), "")
    found = {}
    for place, one in differ.items():
        cards = {
            id: ("" if id in mostly else mark, words) for id, (mark, words) in one.cards.items()
        }
        harder = {
            id: (HARDER if id == often else mark, words) for id, (mark, words) in one.harder.items()
        }
        is_usual = bool(usual) and one.points == usual
        found[place] = replace(one, cards=cards, harder=harder, is_usual=is_usual)
        for id, (mark, _words) in (*cards.items(), *harder.items()):
            name = standing.titled(id) if mark == HARDER else standing.name(id)
            marked |= {mark: name} if mark else {}
    names = [standing.titled(id) for id in sorted(mostly)]
    shared = {id: (standing.titled(id), words) for id, (_mark, words) in common.cards.items()}
    return found, CommonGain(
        common.points,
        shared,
        common.parts,
        later=common.later,
        later_parts=common.later_parts,
        marked=marked,
        usual=usual,
        mostly=names,
    )


def _is_harder(before: CardResult, after: CardResult) -> bool:
    """Whether a card is no longer fulfilled, or more is to be placed or replaced for it."""
    if before.met or not (after.lack and before.lack):
        return before.met and not after.met
    return any(map(gt, after.lack, before.lack))


def _what_all_do(every: Sequence[Gain]) -> Gain:
    """Return the gain of all choices, with what most can still bring if the others lose it."""
    first, *others = every
    is_same = all(one.points == first.points for one in others)
    shared = set(first.cards).intersection(*(one.cards for one in others))
    best = [one for one in every if one.later]
    is_mostly = 2 * len(best) > len(every) == sum(bool(one.later) or one.loses for one in every)
    return Gain(
        first.points if is_same else 0,
        {id: card for id, card in first.cards.items() if id in shared},
        {
            name: by if all(one.parts[name] == by for one in others) else 0
            for name, by in first.parts.items()
            if all(one.parts.keys() == first.parts.keys() for one in others)
        },
        later=best[0].later if is_mostly else 0,
        later_parts=best[0].later_parts if is_mostly else {},
    )


class _Standings:
    """How a seat stands in states, as everybody sees it."""

    def __init__(self, game: GuidedGame, document: Document, seat: int) -> None:
        self.game, self.seat, self.played = game, seat, played_game(game, document)
        objectives = () if self.played is None else game.game.objectives(self.played, 0)
        self.cards: dict[str, Objective] = {one.id: one for one in objectives}

    def of(self, state: Any) -> tuple[PlayerScore, Mapping[str, CardResult]]:
        """Return the score, and the results of the common cards."""
        seen = self.game.turns.seen_by(state, None)
        positions = self.game.turns.positions(seen)
        kept = self.game.state_look(seen).kept.get(self.seat, {})
        results = {
            id: self.game.game.check(self.played, self.cards[id], positions, self.seat)
            for id in self.common(seen)
            if id not in kept
        }
        score = self.game.turns.score(seen).players[self.seat]
        return score, results

    def common(self, state: Any) -> Sequence[str]:
        """Return the common cards of a state that may be objectives."""
        things = open_table(state).common if self.played is not None else ()
        ids = (id for thing in things for id, _count in thing.ids)
        return [id for id in ids if self._card(id) is not None]

    def then(
        self, state: Any, results: Mapping[str, CardResult]
    ) -> tuple[PlayerScore, Mapping[str, tuple[str, str]], Mapping[str, tuple[str, str]]]:
        """Return a later state's score, and the cards that are nearer and harder than before."""
        score, counted = self.of(state)
        nearer, harder = dict[str, tuple[str, str]](), dict[str, tuple[str, str]]()
        for id, one in counted.items():
            before, words = results.get(id), f"{self.name(id)}: {said(one.calculation)}"
            if before is None:
                continue
            is_less = not (one.lack and before.lack) or one.lack.pieces < before.lack.pieces
            if one.progress > before.progress and is_less:
                nearer[id] = self.mark(id) + (FULFILLED if one.met else ""), words
            elif _is_harder(before, one):
                harder[id] = self.mark(id) + HARDER, words
        return score, nearer, harder

    def _card(self, id: str) -> Objective | None:
        if id not in self.cards and (other := self.game.objective(id)) is not None:
            self.cards[id] = other
        return self.cards.get(id)

    def name(self, id: str) -> str:
        return as_title(said(self.cards[id].name))

    def titled(self, id: str) -> str:
        """Return a card's printed number, if it has one, and its name."""
        return f"{self.mark(id)} {self.name(id)}".removeprefix(f"{NEARER} ")

    def mark(self, id: str) -> str:
        """Return a card's printed number, or a sign."""
        numbers = (term.number for term in self.game.game.glossary if term.id == id)
        return next(numbers, "") or NEARER
