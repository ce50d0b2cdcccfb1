"""What lies on a guided table beside the sky: the objectives with what each counts by now."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.polaris.card import CommonCard, PersonalCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.phases import PhaseScore, score_phase
from scorer.polaris.sky import Sky
from scorer.polaris.steps import StepState
from scorer.polaris.table_state import TableState
from scorer.polaris.turn_inference import lunar_sectors, standings
from scorer.sentence import Sentence
from webapp.games.polaris.guide.sentences import card_name
from webapp.games.polaris.moons import DrawnMoon, drawn_moons
from webapp.web.context import current_profile


@dataclass(frozen=True)
class CardShown:
    """A common card that is still to be scored, in its phase, counted from 1: each seat's score."""

    card: CommonCard
    phase: int
    sector: int
    is_next: bool
    scores: Sequence[PhaseScore]


@dataclass(frozen=True)
class SeatShown:
    """A player's name, where their marker stands, what else they have."""

    name: str
    marker: int
    shooting: int
    hand: int


@dataclass(frozen=True)
class TableShown:
    """The cards in the order of their phases, and the players in the order of their turns."""

    cards: Sequence[CardShown]
    seats: Sequence[SeatShown]
    tiers: Sequence[int]


@dataclass(frozen=True)
class CardPicture:
    """An action card as it is drawn, in words too: those of its choices that are meant."""

    card: str
    choices: Sequence[int]
    words: str = ""


@dataclass(frozen=True)
class HandShown:
    """What a player alone sees: the hand, the personal objective and what it counts by now."""

    card: str
    name: Sentence
    rule: Sentence
    counted: Sentence
    hand: Sequence[CardPicture] = ()


@dataclass(frozen=True)
class ScoredLine:
    """What a phase gave a player: each move of the marker, and from where to where."""

    seat: int
    name: str
    score: PhaseScore
    before: int
    after: int


def moons_shown(state: StepState) -> Sequence[DrawnMoon]:
    """Return the moons at their sectors."""
    return drawn_moons(current_profile(), lunar_sectors(state.table.edition, state.sky))


def table_shown(state: StepState, names: Sequence[str]) -> TableShown | None:
    """Return the table as it stands, with the pieces of a card that is being played.

    None before all lies there, and where a phase or the game is over.
    """
    if not state.laid_out or state.scored or state.over:
        return None
    table = state.table
    cards = in_order(table)[len(table.phases) :]
    now = standings(state.sky, cards, colours(table), table.edition)
    shown = [
        CardShown(
            table.edition.common[card],
            number,
            _sector(table, card),
            number == len(table.phases) + 1,
            list(now[card].values()),
        )
        for number, card in enumerate(cards, start=len(table.phases) + 1)
    ]
    seats = [
        SeatShown(name, seat.marker, seat.shooting, len(seat.hand))
        for name, seat in zip(names, table.seats, strict=True)
    ]
    return TableShown(shown, seats, table.edition.tiers)


def hand_shown(state: StepState, seat: int) -> HandShown | None:
    """Return what a player alone sees, of the state as they know it; None before it is dealt."""
    table, own = state.table, state.table.seats[seat]
    if not own.personal or not state.laid_out or state.over:
        return None
    card = table.edition.personal[own.personal]
    hand = [
        CardPicture(one, range(len(table.card(one).choices)), card_name(table, one))
        for one in own.hand
    ]
    return HandShown(card.id, card.name, card.rule, counted(state, seat, card), hand)


def counted(state: StepState, seat: int, card: CommonCard | PersonalCard) -> Sentence:
    """Return what an objective counts of a player's stars as they lie, in words."""
    return card.check(PlayerStars(state.sky, state.table.seats[seat].colour)).calculation


def scored_lines(table: TableState, names: Sequence[str]) -> Sequence[ScoredLine]:
    """Return what the phase that was scored last gave the players."""
    phase, sky = table.phases[-1], _sky_of(table)
    scores = score_phase(sky, phase.card, phase.telescope, colours(table), table.edition)
    before = _markers_before(table)
    return [
        ScoredLine(number, names[number], scores[seat.name], before[number], seat.marker)
        for number, seat in enumerate(table.seats)
    ]


def in_order(table: TableState) -> Sequence[str]:
    """Return the common cards in the order in which they are scored."""
    scored = [phase.card for phase in table.phases]
    ring = list(table.sky.board.sectors)
    if table.over:
        return scored
    first = ring.index(table.new_moon)
    left = [*table.objectives[first:], *table.objectives[:first]]
    return [*scored, *(card for card in left if card not in scored)]


def colours(table: TableState) -> dict[str, str]:
    """Return each seat's colour by its name."""
    return {seat.name: seat.colour for seat in table.seats}


def _sky_of(table: TableState) -> Sky:
    sky = table.phases[-1].snapshot.sky
    assert sky is not None  # a phase is scored with its sky
    return sky


def _markers_before(table: TableState) -> Sequence[int]:
    """Where the markers stood before the last phase: counted from the first one on."""
    markers = [table.edition.start] * len(table.seats)
    for phase in table.phases[:-1]:
        assert phase.snapshot.sky is not None
        scores = score_phase(
            phase.snapshot.sky, phase.card, phase.telescope, colours(table), table.edition
        )
        markers = [
            marker + scores[seat.name].moved_from(marker)
            for marker, seat in zip(markers, table.seats, strict=True)
        ]
    return markers


def _sector(table: TableState, card: str) -> int:
    return list(table.sky.board.sectors)[table.objectives.index(card)]
