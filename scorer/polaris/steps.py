"""Polaris divided into single physical steps, for guided games.

A card is chosen, then its pieces are placed one by one; after a phase is scored, the markers move
and the frame is turned before play continues. The rules are those of `turns`: a piece may be placed
where some legal way to play its card has it.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from typing import Annotated, Any, ClassVar

from scorer.flags import RuleBreak
from scorer.notation import Part
from scorer.open_table import OnTable
from scorer.polaris import table_state, turns
from scorer.polaris.action_card import Choice
from scorer.polaris.board import STANDARD_SKY, SkyBoard
from scorer.polaris.edition import load_edition
from scorer.polaris.game import FEWEST_PLAYERS, MOST_PLAYERS, PHASES, Phase, Snapshot
from scorer.polaris.placing import gain, illegal_play, placed, ways
from scorer.polaris.score import score_game
from scorer.polaris.sky import Sky, rule_break
from scorer.polaris.table_state import HAND_LIMIT, HIDDEN, EndTurn, PlayCard, TableState
from scorer.polaris.table_state import set_up as begun
from scorer.polaris.words import COLOURS, say
from scorer.scoresheet import Line, ScoreSheet
from scorer.sentence import Sentence
from scorer.turns import SetUp, Turns

LINK = "link"


@dataclass(frozen=True)
class LayOut:
    """Set up the sky: the frame, and with two players the neutral stars (P10, P14)."""

    line: ClassVar[str] = "sky"


NO_CARD = "none"
"""The card, in the notation, that an empty hand offers: the refusal explains itself."""


@dataclass(frozen=True)
class ChooseCard:
    """Play a card of the hand in a sector, with one of its choices; its pieces come next."""

    line: ClassVar[str] = "card {card} {sector} {choice}"
    by_hand: ClassVar[bool] = False
    card: Annotated[str, Part(private=True)]
    sector: int
    choice: int = 0


@dataclass(frozen=True)
class Lay:
    """Place a piece of the chosen card: a star, by its colour, or a link."""

    piece: Annotated[str, Part(piece=True)]
    place: Annotated[str, Part(("spot", "edge"))]


@dataclass(frozen=True)
class EndCard:
    """Place no further piece of the chosen card."""

    line: ClassVar[str] = "enough"
    by_hand: ClassVar[bool] = False
    is_formality: ClassVar[bool] = True


@dataclass(frozen=True)
class EndPhase:
    """The markers have moved, and the New Moon faces this sector; None after the last phase."""

    line: ClassVar[str] = "phase {new_moon}"
    new_moon: Annotated[int | None, Part(("dial",), none="last")]


Step = (LayOut | ChooseCard | Lay | EndCard | EndPhase) | (
    table_state.TakeCard | table_state.TakeShootingStars | EndTurn | table_state.Draw
)


@dataclass(frozen=True)
class StepState:
    """A table, with the progress of steps within an action.

    `card` is being played, without its pieces; `laid` are the places of those placed so far.
    `scored`: the last phase was scored, but the frame has not been turned yet. `known_ways` are the
    card's `ways` as worked out for an earlier piece, None if they have not been.
    """

    table: TableState
    laid_out: bool = False
    card: PlayCard | None = None
    laid: tuple[str, ...] = ()
    scored: bool = False
    known_ways: Mapping[frozenset[str], PlayCard] | None = field(
        default=None, compare=False, repr=False
    )

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return self.table.over and not self.scored

    @property
    def sky(self) -> Sky:
        if not self.laid_out:
            return replace(self.table.sky, stars={}, links=(), new_moon=None)
        if self.scored:
            sky = self.table.phases[-1].snapshot.sky
            assert sky is not None  # a phase is scored with its sky
            return sky
        return self.table.sky if self.card is None else placed(self.table, self._play)

    @property
    def counted(self) -> Annotated[TableState, OnTable()]:
        """The table once the card is played with the pieces placed so far (P42)."""
        table = self.table
        if self.card is None:
            return table
        player = table.player
        shooting = max(0, player.shooting + gain(table, self._play))
        hand = list(player.hand)
        hand.remove(self.card.card)
        left = replace(player, shooting=shooting, hand=tuple(hand))
        paid = table.with_seat(table.turn, left)
        return replace(paid, sky=self.sky)

    @property
    def choice(self) -> Choice | None:
        """The chosen choice of the card being played."""
        if self.card is None:
            return None
        return self.table.card(self.card.card).choices[self.card.choice]

    @cached_property
    def ways(self) -> Mapping[frozenset[str], PlayCard]:
        """Every legal way to play the chosen card, by the places of its pieces."""
        if self.known_ways is not None:
            return self.known_ways
        found = () if self.card is None else ways(self.table, self.card)
        return {frozenset(filter(None, (*play.stars, *play.links))): play for play in found}

    @property
    def wants(self) -> tuple[str, ...]:
        """The kinds of pieces that can still be placed: the colour of stars, and links."""
        laid = frozenset(self.laid)
        left = {place for way in self.ways if laid < way for place in way - laid}
        kinds = [self.piece_at(place) for place in left]
        return tuple(kind for kind in (self.table.player.colour, LINK) if kind in kinds)

    def piece_at(self, place: str) -> str:
        """The piece that the chosen card would put on a place."""
        is_link = place in self.table.sky.board.link_spaces
        return LINK if is_link else self.table.player.colour

    @property
    def _play(self) -> PlayCard:
        return next(self.plays(self.laid))

    def plays(self, places: Sequence[str]) -> Iterator[PlayCard]:
        """The chosen card with its pieces on these places, in every order of its links."""
        assert self.card is not None and self.choice is not None
        known = self.ways.get(frozenset(places))
        if known is not None:
            yield known
            return
        stars = tuple(place for place in places if self.piece_at(place) != LINK)
        links = [place for place in places if self.piece_at(place) == LINK]
        slots = [*links, *[None] * (len(self.choice.links) - len(links))]
        for order in permutations(slots):
            yield replace(self.card, stars=stars, links=order)


class StepTurns(Turns[StepState, Step]):
    """Polaris step by step.

    >>> begun = STEPS.after(STEPS.start({"players": 2}), LayOut())
    >>> state = STEPS.dealt(begun, random.Random(1))
    >>> card = state.table.player.hand[0]
    >>> state = STEPS.after(state, ChooseCard(card, state.table.lunar_sector(card)))
    >>> STEPS.illegal(state, Lay("red", f"{state.card.sector}c1")).kind
    'closed_space'
    """

    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)

    def start(self, set_up: SetUp, board: SkyBoard | None = None) -> StepState:
        """Before set-up and dealing. Seats without names get numbers; colours are `COLOURS`."""
        colours = set_up.get("colours") or COLOURS[: set_up["players"]]
        names = set_up.get("names") or map(str, range(len(colours)))
        edition = load_edition(set_up.get("edition", "standard"))
        seats = list(zip(names, colours, strict=True))
        return StepState(begun(seats, edition=edition, board=board or STANDARD_SKY))

    def player(self, state: StepState) -> int | None:
        """The player to move once the sky is set up; nobody while a phase is scored."""
        is_underway = state.laid_out and not (state.scored or state.over)
        return state.table.turn if is_underway else None

    def positions(self, state: StepState) -> Sequence[Sky]:
        return [state.sky]

    def answers(self, state: StepState) -> Mapping[str, Any]:
        """The cards, each phase's sky and telescope, and what each player has left over."""
        table = state.table
        names = [seat.name for seat in table.seats]
        return {
            "common": list(table.objectives),
            "telescopes": [names.index(phase.telescope) for phase in table.phases],
            "boards": [phase.snapshot.sky for phase in table.phases],
            "players": [
                {
                    "personal": seat.personal,
                    "shooting": seat.shooting,
                    "score_marker": seat.marker,
                }
                for seat in table.seats
            ],
        }

    def score(self, state: StepState, names: Sequence[str] = ()) -> ScoreSheet:
        table = state.counted
        new = {seat.name: name for seat, name in zip(table.seats, names, strict=False)}
        seats = tuple(replace(seat, name=new.get(seat.name, seat.name)) for seat in table.seats)
        every = table.phases
        if len(every) == PHASES - 1 and not state.scored:  # if it ended now: after the last scoring
            holder = "" if table.telescope is None else table.seats[table.telescope].name
            every = (*every, Phase(table.objective, holder, Snapshot(table.sky)))
        phases = tuple(
            replace(phase, telescope=new.get(phase.telescope, phase.telescope)) for phase in every
        )
        sheet = score_game(replace(table, seats=seats, phases=phases).to_game())
        return sheet if every == table.phases else _with_phase_to_come(sheet)

    def ending(self, state: StepState, names: Sequence[str]) -> Sentence:
        return say("ended")

    def imagined(self, state: StepState, rng: random.Random) -> StepState:
        return replace(state, table=turns.imagined(state.table, rng))

    def actions(self, state: StepState) -> Sequence[Step]:
        """Every legal step of whoever has to act; none at the end and at chance."""
        return tuple(step for step in self._possible(state) if self.illegal(state, step) is None)

    def outcomes(self, state: StepState) -> Sequence[tuple[Step, float]]:
        return turns.outcomes(state.table) if _is_between_cards(state) else ()

    def illegal(self, state: StepState, step: Step) -> RuleBreak | None:
        """The rule that forbids a step, in words; None if it is legal."""
        if isinstance(step, LayOut) or not state.laid_out:
            is_due = isinstance(step, LayOut) and not state.laid_out
            return None if is_due else rule_break("P10", say("lay_out_first"))
        if isinstance(step, EndPhase) or state.scored:
            return _illegal_end_of_phase(state, step)
        if isinstance(step, Lay):
            return _illegal_laying(state, step)
        if isinstance(step, EndCard):
            return _illegal_end_of_card(state)
        if state.card is not None:
            return rule_break("P36", say("card_first"))
        if isinstance(step, ChooseCard):
            return _illegal_choice(state, step)
        return turns.illegal(state.table, step)

    def after_legal(self, state: StepState, step: Step) -> StepState:
        match step:
            case LayOut():
                return replace(state, laid_out=True)
            case EndPhase():
                return replace(state, scored=False)
            case ChooseCard(card, sector, choice):
                return replace(state, card=PlayCard(card, sector, choice), laid=(), known_ways=None)
            case Lay(_, place):
                return replace(state, laid=(*state.laid, place), known_ways=state.ways)
            case EndCard():
                table = turns.after(state.table, state.ways[frozenset(state.laid)])
                return replace(state, table=table, card=None, laid=(), known_ways=None)
        table = turns.after(state.table, step)
        scored = len(table.phases) > len(state.table.phases)
        return replace(state, table=table, scored=scored)

    def seen_by(self, state: StepState, player: int | None) -> StepState:
        """The state as a player, or the public, may see it: a card being played is open."""
        table = state.table
        if state.card is None or player == table.turn:
            return replace(state, table=turns.seen_by(table, player))
        open_card = state.card.card
        others = list(table.player.hand)
        others.remove(open_card)
        rest = table.with_seat(table.turn, replace(table.player, hand=tuple(others)))
        seen = turns.seen_by(rest, player)
        hand = (open_card, *seen.player.hand)
        seat = replace(seen.player, hand=hand)
        # the ways are independent of the hidden rest of the hand
        return replace(state, table=seen.with_seat(table.turn, seat), known_ways=state.ways)

    def offered(self, state: StepState) -> Sequence[Step]:
        """Each kind of turn, and the pieces of a card one after the other.

        An illegal offer explains itself: a card to take with a full hand, a card to play with none.
        """
        table = state.table
        if not _is_between_cards(state) or self.outcomes(state):
            first = state.wants[:1]
            return [
                step
                for step in self.actions(state)
                if not isinstance(step, Lay) or step.piece in first
            ]
        cards: list[Step] = [*choices(table)] or [ChooseCard(NO_CARD, table.new_moon)]
        if table.played:
            return [*cards, EndTurn()]
        market = [card for deck in table.markets.values() for card in deck]
        takes = market[:1] if len(table.player.hand) >= HAND_LIMIT else market
        stars = table_state.TakeShootingStars()
        return [] if state.over else [*cards, *map(table_state.TakeCard, takes), stars]

    def by_itself(self, state: StepState) -> Step | None:
        """The only possible step; None if there is a choice."""
        if state.card is not None:
            return None if state.wants else EndCard()
        table = state.table
        if not table.played or HIDDEN in table.player.hand:
            return None
        goes_on = any(self.illegal(state, card) is None for card in choices(table))
        return None if goes_on else EndTurn()

    def _possible(self, state: StepState) -> Iterator[Step]:
        table = state.table
        if not state.laid_out:
            yield LayOut()
        elif state.scored:
            yield EndPhase(next_new_moon(state))
        elif state.card is not None:
            for place in sorted({place for way in state.ways for place in way}):
                yield Lay(state.piece_at(place), place)
            yield EndCard()
        elif not (table.over or table.pending):
            yield table_state.TakeShootingStars()
            yield EndTurn()
            for cards in table.markets.values():
                yield from map(table_state.TakeCard, cards)
            yield from choices(table)


STEPS = StepTurns()


def choices(table: TableState) -> Iterator[ChooseCard]:
    """The cards of the hand as they may be played, legal or not.

    The first of a turn is played in its own moon's sector, later ones in the same sector.
    """
    for card in dict.fromkeys(table.player.hand):
        if card == HIDDEN:
            yield ChooseCard(card, 0)
            continue
        sector = table.played[0].sector if table.played else table.lunar_sector(card)
        for number in range(len(table.card(card).choices)):
            yield ChooseCard(card, sector, number)


def next_new_moon(state: StepState) -> int | None:
    """The sector that the New Moon faces after the phase; None after the last one."""
    return None if state.table.over else state.table.new_moon


# legality


def _with_phase_to_come(sheet: ScoreSheet) -> ScoreSheet:
    """With what the last phase would give, which has not been scored, told as that."""
    players = [replace(own, lines=tuple(map(_to_come, own.lines))) for own in sheet.players]
    return replace(sheet, players=tuple(players))


def _to_come(line: Line) -> Line:
    if line.subject.get("phase") != PHASES:
        return line
    return replace(line, in_full=say("phase_to_come", parts=line.explanation))


def _is_between_cards(state: StepState) -> bool:
    return state.laid_out and not state.scored and state.card is None


def _illegal_end_of_phase(state: StepState, step: Step) -> RuleBreak | None:
    if not state.scored:
        return rule_break("P22", say("frame_rests"))
    if not isinstance(step, EndPhase):
        return rule_break("P57", say("phase_first"))
    following = next_new_moon(state)
    if step.new_moon == following:
        return None
    if following is None:
        return rule_break("P57", say("game_over"))
    old = state.sky.new_moon or 0
    return rule_break("P57", say("frame_astray", old=old, next=following))


def _illegal_choice(state: StepState, step: ChooseCard) -> RuleBreak | None:
    """None if some way to play the card is legal; otherwise the first reason against it.

    A card that the viewer may not see is assumed to be legal.
    """
    if not state.table.player.hand:
        return rule_break("P33", say("empty_hand"))
    if step.card == HIDDEN and HIDDEN in state.table.player.hand:
        return None
    bare = PlayCard(step.card, step.sector, step.choice)
    broken = illegal_play(state.table, bare)
    return None if broken is None or any(True for _ in ways(state.table, bare)) else broken


def _illegal_laying(state: StepState, step: Lay) -> RuleBreak | None:
    """None if a legal way to play the card has a piece there, beside those already placed."""
    if state.card is None or state.choice is None:
        return rule_break("P33", say("card_chosen_first"), (step.place,))
    board, colour = state.table.sky.board, state.table.player.colour
    if step.place not in board.star_spaces and step.place not in board.link_spaces:
        return rule_break("P37", say("unknown_space", space=step.place))
    if step.piece != state.piece_at(step.place):
        return rule_break("P37", say("not_the_movers", spaces=(step.place,), colour=colour))
    if step.place in state.laid:
        occupied = say("star_occupied", space=step.place)
        if step.piece == LINK:
            occupied = say("link_occupied", link=step.place)
        return rule_break("P37", occupied, (step.place,))
    laid = {*state.laid, step.place}
    if any(laid <= way for way in state.ways):
        return None
    pieces = [state.piece_at(place) for place in (*state.laid, step.place)]
    shown = {LINK: len(state.choice.links), colour: state.choice.stars}
    if pieces.count(step.piece) > shown[step.piece]:
        return rule_break("P36", say("not_shown", card=state.card.card))
    found = [illegal_play(state.table, play) for play in state.plays((*state.laid, step.place))]
    return next(one for one in found if one)  # a legal play would be one of the ways


def _illegal_end_of_card(state: StepState) -> RuleBreak | None:
    if state.card is None:
        return rule_break("P33", say("card_chosen_first"))
    if frozenset(state.laid) in state.ways:
        return None
    found = [illegal_play(state.table, play) for play in state.plays(state.laid)]
    return next((one for one in found if one), None)
