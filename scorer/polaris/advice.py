"""A greedy computer player of Polaris, and its reasons.

It values the points of each objective at its present count, part of the next tier, and the points
at the end for constellations, lonely stars, patterns and shooting stars. It plans no further than
the turn, and does not use others' hidden cards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import NamedTuple

from scorer.places import Place
from scorer.polaris import turns
from scorer.polaris.beginner import beginners_step
from scorer.polaris.card import CommonCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.game import PHASES
from scorer.polaris.phases import PhaseScore, next_gain, score_phase
from scorer.polaris.placing import gain, placed, ways
from scorer.polaris.sky import Sky
from scorer.polaris.steps import STEPS, ChooseCard, EndCard, Lay, Step, StepState, choices
from scorer.polaris.table_state import (
    HAND_LIMIT,
    HIDDEN,
    EndTurn,
    PlayCard,
    TableState,
    TakeCard,
    TakeShootingStars,
)
from scorer.polaris.words import say
from scorer.sentence import Sentence, Value, signed
from scorer.turns import Advice, Alternative

SOONER = 0.8
"""The weight of a phase relative to the one before it, as the future is uncertain."""
ON_THE_WAY = 0.6
"""The share of the next tier's points that is credited for progress towards it."""
TO_HOLD = 1.2
"""The worth of a card in hand, whatever it does; none if the hand is full."""
ENOUGH = 3
"""The number of shooting stars from which further ones are worth half."""
SHOOTING = 0.6
"""The worth of a shooting star: half a point at the end, and its use until then."""
GOES_ON = 1.0
"""The worth of advancing the game: a player who only hoards ends no phase."""


class AsAdvised(NamedTuple):
    """The shares of steps that a strength chooses as advised, with a card being played or not."""

    between_cards: float = 1.0
    pieces: float = 1.0


WEAKER = {
    "beginner": AsAdvised(0.0, 0.0),
    "learner": AsAdvised(between_cards=0.0),
    "practised": AsAdvised(between_cards=0.5),
}
MOST_COMPARED = 2
"""The number of other places that the best one for a piece is compared with."""
NOTHING_YET = {"why_room", "why_joins"}
"""Reasons without any gain."""


@dataclass(frozen=True)
class Outlook:
    """The worth of the player's stars on a sky, by source.

    `rivals` are the greatest counts of the other players, by card.
    """

    table: TableState
    sky: Sky
    rivals: Mapping[str, int]

    @cached_property
    def own(self) -> PlayerStars:
        return PlayerStars(self.sky, self.table.player.colour)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        edition = self.table.edition
        return {card: edition.common[card].check(self.own).count or 0 for card in self.rivals}

    def scores(self, card: str) -> Sequence[PhaseScore]:
        """Each player's points of an objective, with those for the most (P54)."""
        colours = {seat.colour: seat.colour for seat in self.table.seats}
        return [*score_phase(self.sky, card, None, colours, self.table.edition).values()]

    def points(self, card: str) -> int:
        return self.scores(card)[self.table.turn].points

    @cached_property
    def at_the_end(self) -> int:
        """The points of constellations and lonely stars."""
        edition = self.table.edition
        given = [edition.constellation_points(one.size) for one in self.own.constellations]
        return sum(given) + edition.lonely * len(self.own.lonely)

    @cached_property
    def secret(self) -> int:
        card, edition = self.table.player.personal, self.table.edition
        if not card or card == HIDDEN:
            return 0
        return edition.pattern_points(edition.personal[card].check(self.own).count or 0)

    @cached_property
    def value(self) -> float:
        """The expected points of everything."""
        found, weight = 0.0, 1.0
        for card in self.rivals:
            found += weight * self._likely(card)
            weight *= SOONER
        near = (1 + len(self.table.phases)) / 5
        return found + (0.4 + 0.6 * near) * (self.at_the_end + self.secret)

    def _likely(self, card: str) -> float:
        common, tiers = self.table.edition.common[card], self.table.edition.tiers
        count = self.counts[card]
        tier = _tier(common, count)
        found = float(tiers[tier])
        if tier + 1 < len(tiers):
            start, end = common.thresholds[tier : tier + 2]
            found += ON_THE_WAY * (tiers[tier + 1] - tiers[tier]) * (count - start) / (end - start)
        if count > self.rivals[card]:
            found += 0.5 * self.table.edition.bonus
        return found


@dataclass(frozen=True)
class Plan:
    """Cards to play in a turn, in order, and their worth together."""

    plays: tuple[PlayCard, ...]
    value: float


class SkyAdvisor:
    """See `scorer.turns.Advisor`; its states are those of `scorer.polaris.steps`."""

    def choose(self, state: StepState, strength: str, seed: int = 0) -> Advice[Step]:
        """The next step, and why. KeyError for an unknown strength; ValueError as in `advise`."""
        STEPS.strengths[strength]
        shares = WEAKER.get(strength, AsAdvised())
        share = shares.between_cards if state.card is None else shares.pieces
        hand = state.table.player.hand  # tells steps between cards apart
        mind = Random(f"{seed} {state.card} {state.laid} {hand}")  # not that of beginners_step
        return advise(state) if mind.random() < share else beginners_step(state, seed)


ADVISOR = SkyAdvisor()


def advise(state: StepState) -> Advice[Step]:
    """The next step, with a reason that reveals no secret. Raise ValueError if none decides."""
    table = state.table
    if not state.laid_out or state.scored or state.over or STEPS.outcomes(state):
        raise ValueError("nobody decides now")
    table = STEPS.seen_by(state, table.turn).table
    if state.card is not None:
        return _next_piece(table, state)
    plans, instead = best_turns(table), [] if table.played else [_otherwise(table)]
    plan = next(iter(plans), None)
    if plan is not None and (not instead or plan.value > instead[0][1]):
        play = plan.plays[0]
        step = _chosen(play)
        seen = STEPS.seen_by(state, None).table
        return Advice(
            step,
            _and_dawn(table, why_so(seen, seen.sky, placed(table, play)), play.card),
            _places(table, play),
            _and_dawn(table, why(table, play), play.card),
            say("do_play_lit", sector=play.sector, lays=_shown(table, play.card, play.choice)),
            others=_compared(table, plan.value, plans[1:2], instead),
        )
    if table.played:
        key = "why_end_turn" if table.player.hand else "why_end"
        return Advice(EndTurn(), _and_dawn(table, say(key)), do=say("do_end_now"))
    ((other, value),) = instead
    others = _compared(table, value, plans[:1], [])
    if not isinstance(other, TakeCard):
        is_last = _is_last_turn(table)
        why_now = say("why_shooting_last" if is_last else "why_shooting_stars")
        return Advice(other, why_now, do=say("do_shooting_now"), others=others)
    shown = _taken(table, other)
    same = sum(table.lunar_sector(card) == shown["sector"] for card in table.player.hand)
    own = say("why_take_same", n=same, **shown) if same else ""
    why_now = say("why_take" if table.player.hand else "why_take_first", **shown)
    return Advice(other, why_now, (), own, say("do_take_one", **shown), others)


def best_turns(table: TableState) -> Sequence[Plan]:
    """The cards to play in the rest of this turn, by sectors that are worth it, the best first."""
    sectors = {one.sector for one in choices(table)}
    plans = [plan for sector in sorted(sectors) if (plan := _in_sector(table, sector)).value > 0]
    if plans or len(table.player.hand) < HAND_LIMIT:
        return sorted(plans, key=lambda plan: plan.value, reverse=True)
    least = _at_least(table)
    return [] if least is None else [least]


def _chosen(play: PlayCard) -> ChooseCard:
    return ChooseCard(play.card, play.sector, play.choice)


def _compared(
    table: TableState, best: float, plans: Sequence[Plan], steps: Sequence[tuple[Step, float]]
) -> tuple[Alternative[Step], ...]:
    """Other ways to spend the turn, with what they bring and how much less than the best."""
    found = list[Alternative[Step]]()
    for plan in plans:
        play = plan.plays[0]
        do = say("do_play_sector", sector=play.sector)
        found.append(Alternative(_chosen(play), why(table, play), best - plan.value, do))
    for step, value in steps:
        do = say("do_shooting_now")
        if isinstance(step, TakeCard):
            do = say("do_take_one", **_taken(table, step))
        found.append(Alternative(step, "", best - value, do))
    return tuple(sorted(found, key=lambda one: one.less))


def _at_least(table: TableState) -> Plan | None:
    """The single card that does the least harm, to make room in a full hand."""
    sectors = {one.sector for one in choices(table)}
    found = [one for sector in sorted(sectors) for one in _worth(table, sector, idle=True)]
    best = max(found, key=lambda one: one[0], default=None)
    return None if best is None else Plan((best[1],), GOES_ON)


def _in_sector(table: TableState, sector: int) -> Plan:
    """The best card, again and again, as long as one is worth it."""
    plays: list[PlayCard] = []
    total = 0.0
    while True:
        found = max(_worth(table, sector), key=lambda one: one[0], default=(0.0, None))
        value, play = found
        if play is None or value <= 0:
            return Plan(tuple(plays), total)
        plays.append(play)
        total += value
        table = turns.after(table, play)


def _worth(table: TableState, sector: int, idle: bool = False) -> Iterator[tuple[float, PlayCard]]:
    """Every way to play a card in a sector, with its worth; with `idle` also without any piece."""
    outlook = _outlook(table)
    to_hold = TO_HOLD if len(table.player.hand) < HAND_LIMIT else 0.0
    for card in dict.fromkeys(table.player.hand):
        if not table.played and table.lunar_sector(card) != sector:
            continue  # the first card is played in its own moon's sector
        for number in range(len(table.card(card).choices)):
            for play in ways(table, PlayCard(card, sector, number)):
                if idle or _laid(play):
                    yield _value(table, outlook, play) - to_hold, play


def _value(table: TableState, outlook: Outlook, play: PlayCard) -> float:
    after = replace(outlook, sky=placed(table, play))
    return after.value - outlook.value + SHOOTING * gain(table, play)


def _next_piece(table: TableState, state: StepState) -> Advice[Step]:
    """The next piece of the best way to play the chosen card."""
    laid, outlook = frozenset(state.laid), _outlook(table)
    fitting = [play for places, play in state.ways.items() if laid <= places]
    rated = {play: (_value(table, outlook, play), len(_laid(play))) for play in fitting}
    best, *others = sorted(fitting, key=rated.__getitem__, reverse=True)
    left = [place for place in _laid(best) if place not in laid]
    if not left:
        none = "" if laid else "_none"
        why_now = _and_dawn(table, say(f"why_end{none}"), best.card)
        return Advice(EndCard(), why_now, do=say(f"do_enough{none}"))
    return Advice(
        Lay(state.piece_at(left[0]), left[0]),
        _why_piece(state, STEPS.seen_by(state, None).table, best, left),
        _of_board(table, left[:1]),
        _why_piece(state, table, best, left),
        _to_place(table, left[0]),
        tuple(
            Alternative(
                Lay(state.piece_at(at[0]), at[0]),
                _why_piece(state, table, play, at),
                rated[best][0] - rated[play][0],
                _to_place(table, at[0]),
            )
            for play, at in _elsewhere(others, laid, left[0])
        ),
    )


def _elsewhere(
    plays: Sequence[PlayCard], laid: frozenset[str], first: str
) -> Iterator[tuple[PlayCard, Sequence[str]]]:
    """The best two ways that begin at another place each, with the places left of them."""
    begun = {first}
    for play in plays:
        left = [place for place in _laid(play) if place not in laid]
        if left and left[0] not in begun and len(begun) <= MOST_COMPARED:
            begun.add(left[0])
            yield play, left


def _why_piece(
    state: StepState, table: TableState, play: PlayCard, left: Sequence[str]
) -> Sentence:
    """What the first piece left of a play gains on a table as somebody sees it."""
    now = next(state.plays(state.laid))
    laid = next(state.plays((*state.laid, left[0])))
    reason = why_so(table, placed(table, now), placed(table, laid))
    if reason.key not in NOTHING_YET or len(left) == 1:
        return reason
    whole = why_so(table, placed(table, laid), placed(table, play))
    return reason if whole.key in NOTHING_YET else say("why_link_next")


def _to_place(table: TableState, place: str) -> Sentence:
    is_link = place in table.sky.board.link_spaces
    return say("do_place_link" if is_link else "do_place_star", place=place)


def _and_dawn(table: TableState, why: Sentence, *more: str) -> Sentence:
    """A reason for ending, and whether the turn's suns and those of `more` cards fill the dawn."""
    fills = say("fills_dawn", points=signed(table.edition.telescope))
    return say("why_fills", why=why, fills=fills) if table.fills_dawn(*more) else why


def _is_last_turn(table: TableState) -> bool:
    return table.telescope is not None and len(table.phases) + 1 == PHASES


def _otherwise(table: TableState) -> tuple[Step, float]:
    """The best alternative to playing cards in a turn, and its worth."""
    seat, paid = table.player, table.edition.shooting_points
    if _is_last_turn(table):
        return TakeShootingStars(), float(paid(seat.shooting + 3) - paid(seat.shooting))
    more = 3 * SHOOTING / (1 + seat.shooting / ENOUGH)
    options: list[tuple[Step, float]] = [(TakeShootingStars(), more)]
    if len(seat.hand) < HAND_LIMIT:
        own = [table.lunar_sector(card) for card in seat.hand]
        for deck, cards in table.markets.items():
            for card in cards:
                step = TakeCard(card)
                if STEPS.illegal(StepState(table, laid_out=True), step) is None:
                    face = table.card(card).choices[0]
                    pieces = face.stars + 0.6 * len(face.links)
                    fits = 0.4 * own.count(table.lunar_sector(card))
                    cost = SHOOTING * (deck == "advanced")
                    options.append((step, TO_HOLD + 0.5 * pieces + fits - cost))
    return max(options, key=lambda one: one[1])


def why(table: TableState, play: PlayCard) -> Sentence:
    """The most important gain of a way to play a card."""
    return why_so(table, table.sky, placed(table, play))


def why_so(table: TableState, now: Sky, then: Sky) -> Sentence:
    """The most important gain of the player to move between two skies."""
    before = replace(_outlook(table), sky=now)
    after = replace(before, sky=then)
    for card in before.rivals:
        old, new = before.counts[card], after.counts[card]
        more = after.points(card) - before.points(card) if new > old else 0
        if more > 0:
            name = table.edition.common[card].name
            return say("why_tier", card=name, before=old, after=new, points=more)
    more = after.at_the_end - before.at_the_end
    if more > 0:
        fewer = len(before.own.lonely) - len(after.own.lonely)
        is_all = more == -table.edition.lonely * fewer
        also = "_and_lonely" if fewer else ""
        return say("why_lonely" if is_all else f"why_constellation{also}", n=fewer, points=more)
    for card in before.rivals:
        old, new = before.counts[card], after.counts[card]
        if new > old:
            following = next_gain(after.scores(card), table.turn, table.edition)
            if following is not None:
                common, (missing, points) = table.edition.common[card], following
                more_of = common.more(missing)
                return say("why_near", card=common.name, after=new, more=more_of, points=points)
    if after.secret > before.secret:
        return say("why_secret")
    joined = max((one.size for one in after.own.constellations), default=0)
    if joined > max((one.size for one in before.own.constellations), default=0):
        return say("why_joins", n=joined)
    return say("why_room")


def _outlook(table: TableState) -> Outlook:
    others = [seat.colour for seat in table.seats if seat is not table.player]
    edition = table.edition
    rivals = {
        card: max(
            edition.common[card].check(PlayerStars(table.sky, one)).count or 0 for one in others
        )
        for card in table.to_come
    }
    return Outlook(table, table.sky, rivals)


def _tier(card: CommonCard, count: int) -> int:
    return sum(count >= threshold for threshold in card.thresholds) - 1


# in words


def _taken(table: TableState, step: TakeCard) -> Mapping[str, Value]:
    return {"sector": table.lunar_sector(step.card), "lays": _shown(table, step.card)}


def _shown(table: TableState, card: str, choice: int = 0) -> tuple[Sentence, ...]:
    """The stars and links of a card's choice."""
    face = table.card(card).choices[choice]
    links = Counter(link.orientation for link in face.links)
    stars = [say("some_stars", n=face.stars)] if face.stars else []
    return (*stars, *(say(f"some_{kind}", n=n) for kind, n in links.items()))


def _places(table: TableState, play: PlayCard) -> tuple[Place, ...]:
    return _of_board(table, _laid(play))


def _laid(play: PlayCard) -> Sequence[str]:
    """The places of a play's pieces, stars first."""
    return [place for place in (*play.stars, *play.links) if place]


def _of_board(table: TableState, places: Sequence[str]) -> tuple[Place, ...]:
    links = table.sky.board.link_spaces
    return tuple(Place(place, "edge" if place in links else "spot") for place in places)
