"""Via Nebula's implementation of `GuidedGame`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from scorer.objective import Objective
from scorer.sentence import Sentence, Verbatim
from scorer.via_nebula.board import Exploitation, half_named
from scorer.via_nebula.edition import FOREST, RESOURCES, STANDARD, Goods
from scorer.via_nebula.game import contract_card
from scorer.via_nebula.legal import candidates, goods_at, illegal, may_fulfil
from scorer.via_nebula.state import A_TURN, OPEN, Build, Carry, Craftsman, Explore, Lay, Site, State
from scorer.via_nebula.words import say
from webapp.app.game_words import said
from webapp.app.guided_game import Choice, GuidedGame, Question, StateLook
from webapp.games.via_nebula.views import tokens_bring
from webapp.web.words import as_sentence, as_title, spoken

FEW = 4
"""The most free ruins that a button names."""


class GuidedViaNebula(GuidedGame):
    """From the tokens on the meadows to the fifth building."""

    def question(
        self, state: Any, draft: str, begun: Sequence[str], names: Sequence[str]
    ) -> Question | None:
        """A contract's power, what a token brings, and what fewer players or actions change."""
        if state.power:
            words = as_title(spoken(say(f"by_power_{state.power}")))
            hints = [say("by_power_hint")]
            if state.power == "swap":
                hints.append(say("by_power_whose"))
            if len(state.open) < OPEN and state.deck:
                hints.append(say("by_power_then"))
            return Question(words, " ".join(map(spoken, hints)))
        hints = [*_hints(state, next(iter(begun), ""))] if state.ready else []
        return Question("", " ".join(map(spoken, hints))) if hints else None

    def describe(self, before: Any, action: Any, after: Any, names: Sequence[str]) -> str | None:
        """What a craftsman brings or a player carries; the fifth building and its end."""
        if isinstance(action, Carry):
            own = before.pieces.exploitations[action.start]
            who = Verbatim(names[before.mover])
            where = {"start": action.start, "at": action.at}
            carries = say("carries", name=who, what=own.resource, **where)
            return _sentences(carries, *_last_of(before, own, names), *_of_power(before))
        if isinstance(action, Craftsman) and action.at in after.pieces.exploitations:
            own = after.pieces.exploitations[action.at]
            name = names[before.mover]
            words = self.turns.format_event(action, name)
            brings = say("brings", does=words, n=own.count, what=own.resource)
            return _sentences(brings, say("keeps_token", name=Verbatim(name)))
        match action:
            case Explore():
                return self._explored(before, action, after, names)
            case Lay(token, at):
                own = before.edition.tokens[token]
                key = "lies_goods" if own.special else "lies_token"
                return _sentences(say(key, what=own.resource, n=before.worth(token), at=at))
            case Build():
                return self._erected(before, action, after, names[before.mover])
        return None

    def _erected(self, before: State, action: Build, after: State, name: str) -> str:
        """Where what lay on the site goes (V48), and that a fifth building is the last."""
        needs = Counter(before.edition.contracts[action.card].needs)
        left = tuple((Counter(goods_at(before, action.at)) - needs).elements())
        goes = say("goods_return", does=self.turns.format_event(action, name))
        goes = say("goods_stored", goes=goes, left=left) if left else goes
        is_fifth = after.ender is not None and before.ender is None
        return _sentences(goes, *([say("fifth_building")] if is_fifth else []))

    def _explored(self, before: State, action: Explore, after: State, names: Sequence[str]) -> str:
        """From which pile the tile comes, what its explorer brings, and what a forest takes."""
        seat, at = before.mover, action.at
        name = Verbatim(names[seat])
        pile = _next_pile(before, seat)
        key = "explores_with" if pile else "explores_reserve"
        events = [say(key, name=name, at=at, pile=pile)]
        if _next_pile(after, seat) != pile:
            events.append(say("pile_is_empty", n=before.edition.explorer))
        if before.valley.terrain[at] == FOREST:
            events.append(say("forest_took_all"))
        return _sentences(*events, *_of_power(before))

    def state_look(self, state: Any) -> StateLook:
        """How many resources each token brings at this table."""
        return StateLook({id: f"×{state.worth(id)}" for id in state.edition.tokens})

    def tapped_action(self, state: Any, action: Any) -> Any:
        """A building site on a ruin, whichever half is tapped, where it takes both."""
        whole = isinstance(action, Site) and state.setup.room == 1
        return Site(half_named(action.at)[0]) if whole else action

    def objective(self, id: str) -> Objective | None:
        """A contract, also a private one."""
        return contract_card(STANDARD, id) if id in STANDARD.contracts else None

    def look(self, state: Any, action: Any) -> Choice | None:
        """The picture of a contract that is dealt, turned up or built, or of what is carried.

        A contract's power explores fog alone; so does a turn's second action.
        """
        match action:
            case type():
                return self._kind(state, action)
            case Carry() | Build() if not state.pieces.sites(state.seat.colour):
                return self._kind(state, type(action))
            case [Carry(start), *_]:
                good = state.pieces.exploitations[start].resource
                words, note = said(say("carry_from", resource=good, start=start)), ""
                if sites := [one.at for one in action if not illegal(state, one)]:
                    held = ((_serves(state, goods_at(state, at), good), at) for at in sites)
                    then, at = min(held, key=lambda one: one[0][0])
                    note = said(say("carry_sites", sites=tuple(sites), at=at, then=then[1]))
                return Choice(words, piece=good, note=note)
            case Carry(start, at) if start in state.pieces.exploitations:
                good = state.pieces.exploitations[start].resource
                words = said(say("carry_to", resource=good, start=start, at=at))
                return Choice(words, piece=good, note=said(_carried(state, action)))
            case [Build(at), *_]:
                return Choice(said(say("build_on", at=at)), note=_worth_building(state, at))
        card = getattr(action, "card", "")
        if card not in STANDARD.contracts:
            return None
        if isinstance(action, Build):
            return self._built(state, action)
        words = said(self.turns.format_action(action))
        return Choice(words, template="via_nebula/guide/_card.html", about=card)

    def _kind(self, state: State, kind: type) -> Choice | None:
        """What contracts face up need; which ruins are free, if few; when an explorer shows."""
        if kind is Site:
            every, where = candidates(state), say("what_site")
            ruins = [one.at for one in every if isinstance(one, Site) and not illegal(state, one)]
            if 0 < len(ruins) <= FEW:
                free = tuple(half_named(at)[0] for at in ruins)
                where = say("site_on_free", what=where, at=free)
            return Choice(as_title(said(say("ask_site"))), note=said(where))
        sites = state.pieces.sites(state.seat.colour)
        if kind is Carry:
            return Choice(as_title(said(say("ask_carry"))), note=said(_carries_now(state)))
        if kind is Build and (len(sites) < 2 or not any(may_fulfil(state, at) for at in sites)):
            notes = [_worth_building(state, at) for at in sites]
            note = next(filter(None, notes), said(say("build_where")))
            return Choice(as_title(said(say("ask_build"))), note=note)
        if kind is Craftsman and state.open and state.seat.craftsmen:
            note = say("needed", wanted=_wanted(state))
            return Choice(as_title(said(say("ask_craftsman"))), note=said(note))
        if kind is not Explore:
            return None
        if state.power:
            return Choice(said(say("explore_fog")))
        is_fog = state.left < A_TURN
        words, note = say("explore_fog" if is_fog else "ask_explore"), say("what_explore")
        if is_fog:
            note = say("what_explore_fog")
        left = next(filter(None, state.seat.piles), 0)
        if left and (state.ender is None or left <= state.left):
            note = say("until_explorer", what=note, n=left, points=state.edition.explorer)
        return Choice(as_title(said(words)), note=said(note))

    def _built(self, state: State, action: Build) -> Choice:
        """What a contract brings; one in hand is neither named, pictured nor valued (V16)."""
        if action.card not in state.open:
            hand = state.seat.hand
            key = "build_own" if len(hand) == 1 else "build_own_nth"
            return Choice(said(say(key, at=action.at, n=hand.index(action.card) + 1)))
        note, own = "", STANDARD.contracts[action.card]
        if not self.turns.illegal(state, action):
            left = sum(goods_at(state, action.at).values()) - sum(own.needs.values())
            brings = say("build_brings", points=own.points, left=left)
            if own.power:
                brings = say("build_power", brings=brings, power=say(f"power_{own.power}"))
            note = said(brings)
        words = said(self.turns.format_action(action))
        return Choice(words, note=note, template="via_nebula/guide/_card.html", about=action.card)


def _hints(state: State, kind: str) -> Iterator[Sentence]:
    """What is worth knowing before an action of a kind, or before any."""
    if state.left < A_TURN and kind in ("", "explore"):
        yield say("forest_too_dear" if kind else "second_action")
    if kind in ("", "build") and state.seat.buildings == 1 and state.ender is None:
        yield say("fifth_next", n=state.edition.end_card)
    match kind:
        case "" if any(seat.buildings <= 1 for seat in state.seats):
            yield from _idle_at_the_end(state)
        case "" if not (state.seat.tokens or state.pieces.occupied_by(state.seat.colour)):
            yield say("first_turn")
        case "" if state.left == A_TURN:
            yield say("two_actions")
        case "craftsman":
            yield from tokens_bring(state)
            yield say("craftsman_hint")
            yield say("counts_later")
        case "site" if state.setup.room == 1:
            yield say("fewer_site")
        case "explore":
            yield from _of_exploring(state)
        case "carry":
            yield say("carry_hint")
            if any(illegal(state, one) for one in candidates(state) if isinstance(one, Carry)):
                yield say("carry_blocked")
        case "build":
            yield say("build_gives")


def _idle_at_the_end(state: State) -> Iterator[Sentence]:
    if state.seat.craftsmen and state.pieces.tokens:
        yield say("idle_token")
    if state.seat.hand:
        yield say("idle_hand")


def _of_exploring(state: State) -> Iterator[Sentence]:
    """Where it is possible, what a forest takes, and how near the explorer of the pile is."""
    yield say("explore_where")
    fog = [one for one in candidates(state) if isinstance(one, Explore)]
    if any(state.valley.terrain[one.at] == FOREST and not illegal(state, one) for one in fog):
        yield say("forest_costs")
    pile, left = _next_pile(state, state.mover), next(filter(None, state.seat.piles), 0)
    key = "next_tile" if pile else "reserve_tile"
    yield say(key, pile=pile, left=left, n=state.edition.explorer)


def _last_of(state: State, own: Exploitation, names: Sequence[str]) -> Iterator[Sentence]:
    """Whose craftsman comes home with the last resource, or that the meadow is open."""
    if own.count > 1:
        return
    home = [
        say("home_of", name=Verbatim(name))
        for name, seat in zip(names, state.seats, strict=True)
        if seat.colour == own.craftsman
    ]
    yield say("last_of", who=home[0] if home else say("last_opens"))


def _wanted(state: State) -> Sentence:
    """What alone a site lacks of contracts face up, the fullest site first; else what they need."""
    every = [Counter(state.edition.contracts[card].needs) for card in state.open]
    held = {at: Counter(goods_at(state, at)) for at in state.pieces.sites(state.seat.colour)}
    for at, goods in sorted(held.items(), key=lambda one: -one[1].total()):
        lacking = [needs - goods for needs in every]
        if alone := {what for one in lacking if one.total() == 1 for what in one}:
            return say("lacks_one", at=at, what=tuple(sorted(alone, key=RESOURCES.index)))
    many = sum(every, Counter[str]()).most_common()
    return say("all_need", needs=tuple(say("so_many", n=n, what=what) for what, n in many))


def _carries_now(state: State) -> Sentence:
    """What a player can carry, and from where."""
    carries = [one for one in candidates(state) if isinstance(one, Carry)]
    starts = dict.fromkeys(one.start for one in carries if illegal(state, one) is None)
    goods = state.pieces.exploitations
    near = tuple(say("good_from", what=goods[at].resource, at=at) for at in starts)
    return say("carries_now", near=near) if near else say("what_carry")


def _of_power(state: State) -> Sequence[Sentence]:
    """That an action is the power of a contract."""
    return [say("by_power_too")] if state.power else []


def _sentences(*every: str) -> str:
    return " ".join(as_sentence(spoken(one)) for one in every)


def _next_pile(state: State, seat: int) -> str:
    """The pile that a player's next tile comes from (V34); "" for the reserve."""
    piles = state.seats[seat].piles
    return next((f"pile_{number}" for number, left in enumerate(piles, 1) if left), "")


def _worth_building(state: State, at: str) -> str:
    """The points of contracts face up that a site fulfils, the best first, or that none is.

    Then one of a hand may be, which stays secret (V16); "" if that cannot be either.
    """
    cards = [card for card in state.open if not illegal(state, Build(at, card))]
    points = sorted((state.edition.contracts[card].points for card in cards), reverse=True)
    if points:
        return said(say("build_worth", points=tuple(map(str, points))))
    return said(say("build_own_alone")) if may_fulfil(state, at) else ""


def _carried(state: State, action: Carry) -> Sentence:
    """What lies on the site, what a resource is good for there, and what its last one leaves."""
    own, goods = state.pieces.exploitations[action.start], goods_at(state, action.at)
    note = say(
        "carry_there",
        at=action.at,
        goods=tuple(say("so_many", n=n, what=what) for what, n in goods.items())
        or say("nothing_there"),
        then=_serves(state, goods, own.resource)[1],
    )
    if own.count > 1:
        return note
    return say("carry_last", note=note, who=say("last_home" if own.craftsman else "last_opens"))


def _serves(state: State, goods: Goods, resource: str) -> tuple[tuple[float, int], Sentence]:
    """What a contract face up still lacks with one more resource: of the least the best one.

    With a key to sort by, the best site first.
    """
    found = list[tuple[int, int, tuple[str, ...]]]()
    for contract in (state.edition.contracts[card] for card in state.open):
        lacking = Counter(contract.needs) - Counter(goods)
        if lacking[resource]:
            missing = tuple((lacking - Counter([resource])).elements())
            found.append((len(missing), -contract.points, missing))
    if not found:
        return (inf, 0), say("carry_idle")
    count, points, missing = min(found)
    key = "carry_lacks" if missing else "carry_completes"
    return (count, points), say(key, points=-points, missing=missing)
