"""A guided table apart from the sky: the objectives with their present counts, and hands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import dist, hypot, inf

from scorer.lesson import Attempt
from scorer.places import Place, Point
from scorer.polaris.card import CommonCard, PersonalCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.patterns import least_missing
from scorer.polaris.sky import Sky
from scorer.polaris.steps import Step, StepState
from scorer.polaris.table_state import TableState
from scorer.polaris.turn_inference import lunar_sectors
from scorer.polaris.words import POLARIS, say
from scorer.scoresheet import Score
from scorer.sentence import Sentence
from webapp.app.boards.board_drawing import Drawing
from webapp.games.polaris.guide.sentences import card_name
from webapp.games.polaris.moons import DrawnMoon, drawn_moons, orbit_numbers, within
from webapp.games.polaris.phase_lines import CardNow, PhaseLine, cards_now, lines_of
from webapp.web.context import current_profile
from webapp.web.words import spoken

NEAR = 2.5
"""The radii of a space within which a number beside it and another read as one."""


@dataclass(frozen=True)
class CardPicture:
    """An action card to draw, with some of its choices; `words` is its text."""

    card: str
    choices: Sequence[int]
    words: str = ""


@dataclass(frozen=True)
class HandShown:
    """What only a player sees: the hand, and the personal objective with its present count."""

    card: PersonalCard
    counted: Sentence
    hand: Sequence[CardPicture] = ()
    lacks: str = ""
    """What would make the pattern once more, as little as possible."""


def moons_shown(state: StepState, frame: str = "") -> Sequence[DrawnMoon]:
    """The moons; one that the edge of a close-up would cut is moved into its `frame`, a viewBox."""
    moons = drawn_moons(current_profile(), lunar_sectors(state.table.edition, state.sky))
    return [within(one, *map(float, frame.split())) if frame else one for one in moons]


def orbits_shown(close_up: Collection[Place]) -> Iterator[tuple[int, float, float]]:
    return orbit_numbers(current_profile(), close_up)


def cards_shown(state: StepState) -> Sequence[CardNow]:
    """The objectives to come, counting the pieces of a card being played.

    Empty before the sky is set up, while a phase is scored, and after the game.
    """
    if not state.laid_out or state.scored or state.over:
        return ()
    table = state.table
    cards = [*(phase.card for phase in table.phases), *table.to_come]
    holder = None if table.telescope is None else table.seats[table.telescope].name
    return cards_now(
        state.sky, cards, len(table.phases), colours(table), table.edition, holder, _done(state)
    )


def _done(state: StepState) -> Sequence[int]:
    """The players who place nothing more before the scoring: without a turn or cards for it."""
    table = state.table
    if table.telescope is None:
        return ()
    left = {table.turn, *table.extra}
    return [seat for seat, own in enumerate(table.seats) if seat not in left or not own.hand]


def stars_shown(state: StepState) -> Sequence[PlayerStars]:
    """What the stars of each player form."""
    return [PlayerStars(state.sky, seat.colour) for seat in state.table.seats]


def sizes_shown(state: StepState, own: PlayerStars) -> tuple[Sequence[int], int]:
    """The sizes of a player's constellations, largest first, and their points."""
    sizes = sorted((one.size for one in own.constellations), reverse=True)
    return sizes, sum(map(state.table.edition.constellation_points, sizes))


def suns_played(state: StepState) -> int:
    """How many suns the cards of this turn have so far; they cover dawn spaces at its end."""
    return state.table.suns(*([state.card.card] if state.card else []))


def fillers_shown(state: StepState) -> Iterator[int]:
    """The players after this one who may have suns enough to fill the dawn spaces in one turn.

    Each card of a hand may have one, unless everybody saw it without when it was taken.
    """
    table, suns = state.table, suns_played(state)
    for seat, own in enumerate(table.seats):
        without = sum(not table.card(card).dawn for card in own.taken)
        if seat != table.turn and 0 < table.free_dawn_spaces - suns <= len(own.hand) - without:
            yield seat


def tags_shown(
    drawing: Drawing,
    state: StepState,
    final: Score | None,
    numbers: Sequence[tuple[int, float, float]] = (),
) -> Mapping[str, tuple[str, int, Point]]:
    """What stars cost or earn when the game ends, by their spaces: colour, points, and where.

    The lonely ones; in the `final` score constellations, too, beside the star with most room. None
    is drawn over one of the orbits' `numbers`, as the two would read as one.
    """
    table = state.table
    if not state.laid_out or state.scored:
        return {}
    found: dict[str, tuple[str, int, Point]] = {}
    beside, at = (
        _points_beside_spaces(drawing, [at for _number, *at in numbers]),
        {place.id: (place.x, place.y) for place in drawing.spaces},
    )
    taken = [space for seat in table.seats for space in PlayerStars(state.sky, seat.colour).spaces]
    for seat in table.seats if final or not state.over else ():
        own = PlayerStars(state.sky, seat.colour)
        found |= {one: (seat.colour, table.edition.lonely, beside[one]) for one in own.lonely}
        for one in own.constellations if final else ():
            if not (points := table.edition.constellation_points(one.size)):
                continue
            room = {
                space: min(dist(beside[space], at[other]) for other in taken if other != space)
                for space in one.spaces
                if space != POLARIS
            }
            space = max(room, key=room.__getitem__)
            found[space] = seat.colour, points, beside[space]
    return found


def _points_beside_spaces(
    drawing: Drawing, numbers: Sequence[Sequence[float]]
) -> Mapping[str, Point]:
    """A point beside each space, between the directions of the links that a star may have.

    Of the two outward ones the first that is clear of `numbers`, else the one farther from them.
    """
    left, top, width, height = drawing.frame
    found = {}
    for place in drawing.spaces:
        out, down = place.x - left - width / 2, place.y - top - height / 2
        by = 1.4 * place.radius / (hypot(out, down) or 1)
        ways = ((out - down, out + down), (out + down, down - out))
        ends = [(place.x + by * right, place.y + by * below) for right, below in ways]
        clear = [min((dist(end, at) for at in numbers), default=inf) for end in ends]
        found[place.id] = ends[clear[1] > clear[0] and clear[0] < NEAR * place.radius]
    return found


def hand_shown(state: StepState, seat: int) -> HandShown | None:
    """What only a player sees, in a state as they know it; None before it is dealt."""
    table, own = state.table, state.table.seats[seat]
    if not own.personal or not state.laid_out or state.over:
        return None
    card = table.edition.personal[own.personal]
    hand = [
        CardPicture(one, range(len(table.card(one).choices)), card_name(table, one))
        for one in state.counted.seats[seat].hand
    ]
    return HandShown(card, counted(state, seat, card), hand, _lacks(state.sky, own.colour, card))


def _lacks(sky: Sky, colour: str, card: PersonalCard) -> str:
    missing = least_missing(PlayerStars(sky, colour), card.forms)
    stars = [place for place in missing if place not in sky.board.link_spaces]
    links = len(missing) - len(stars)
    lacks = [*(say("star_at", at=at) for at in stars), *([say("n_links", n=links)] * (links > 0))]
    return spoken(say("pattern_lacks", lacks=tuple(lacks))) if lacks else ""


def lesson_count(attempt: Attempt[StepState, Step], id: str) -> Sentence:
    """The present count of a card for a lesson's player."""
    state, edition = attempt.state, attempt.state.table.edition
    card = edition.common.get(id) or edition.personal[id]
    return counted(state, attempt.lesson.start.table.turn, card)


def counted(state: StepState, seat: int, card: CommonCard | PersonalCard) -> Sentence:
    """The present count of an objective for a player, in words."""
    return card.check(PlayerStars(state.sky, state.table.seats[seat].colour)).calculation


def scored_lines(table: TableState) -> Sequence[PhaseLine]:
    phases = [(phase.card, phase.snapshot.sky, phase.telescope) for phase in table.phases]
    return lines_of(phases, colours(table), table.edition)[-1]


def colours(table: TableState) -> dict[str, str]:
    return {seat.name: seat.colour for seat in table.seats}
