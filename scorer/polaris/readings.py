"""What new pieces on the sky mean to whoever plays cards: which card, with which of its choices.

Nobody sees a card with a camera: a star may be that of any card in the hand, the first piece of one
whose link is still to come, or one that no card allows there.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from scorer.polaris.placing import plays
from scorer.polaris.sky import Sky
from scorer.polaris.table_state import PlayCard, TableState
from scorer.polaris.turns import TURNS

MOST_PIECES = 4
"""So many new pieces are looked at as cards that are played; more are a sky that is laid out."""


def readings(state: TableState, sky: Sky) -> Iterator[tuple[PlayCard, ...]]:
    """The cards that make a state's sky of one as it lies; see `scorer.lesson.Course.readings`.

    A New Moon that nobody saw (None) is where it was.

    >>> from dataclasses import replace
    >>> from scorer.polaris.table_state import Seat, set_up
    >>> begun = set_up([("Ana", "red"), ("Eva", "blue"), ("Luz", "yellow")])
    >>> begun = replace(begun.with_seat(0, replace(begun.player, hand=("new-B3",))), pending=())
    >>> for link in ((), ("1b2-1c2",)):
    ...     print(*readings(begun, Sky({"1b2": "red"}, link)))
    (PlayCard(card='new-B3', sector=1, choice=0, stars=('1b2',), links=()),)
    (PlayCard(card='new-B3', sector=1, choice=0, stars=('1b2',), links=('1b2-1c2',)),)
    """
    mine = state.player.colour
    stars = frozenset(sky.where(mine)) - frozenset(state.sky.where(mine))
    links = frozenset(sky.links) - frozenset(state.sky.links)
    laid = {**state.sky.stars, **dict.fromkeys(stars, mine)}  # on another's star, perhaps
    missing = frozenset(state.sky.links) - frozenset(sky.links)
    moved = sky.new_moon not in (None, state.new_moon)
    if not moved and not missing and laid == sky.stars and len(stars | links) <= MOST_PIECES:
        yield from _readings(state, _New(stars, links))


@dataclass(frozen=True)
class _New:
    """The star spaces and link spaces on which pieces are new."""

    stars: frozenset[str]
    links: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        return self.stars | self.links

    def without(self, play: PlayCard) -> "_New":
        return _New(self.stars.difference(play.stars), self.links.difference(play.links))


def _readings(state: TableState, new: _New) -> Iterator[tuple[PlayCard, ...]]:
    if not new.all:
        yield ()
        return
    whole = [play for play in plays(state) if None not in (*play.stars, *play.links)]
    pieces = [(play, {*play.stars, *play.links}) for play in whole]
    yield from ((play,) for play, own in pieces if own == new.all)
    begun = dict.fromkeys(_as_told(play, new) for play, own in pieces if own > new.all)
    yield from ((play,) for play in begun)
    for play, own in pieces:  # and another card after it
        if own < new.all:
            after = TURNS.after(state, play)
            yield from ((play, *others) for others in _readings(after, new.without(play)))
    yield from ((play,) for play in _forbidden(state, new) if play not in (*whole, *begun))


def _as_told(play: PlayCard, new: _New) -> PlayCard:
    """A card of whose pieces some lie there, as far as a learner tells it: first its stars."""
    stars = _first(play.stars, new.stars)
    links = _first(play.links, new.links) if len(stars) == len(play.stars) else ()
    return PlayCard(play.card, play.sector, play.choice, stars, links)


def _first(places: Sequence[str | None], there: Collection[str]) -> tuple[str | None, ...]:
    missing = (number for number, place in enumerate(places) if place not in there)
    return tuple(places[: next(missing, len(places))])


def _forbidden(state: TableState, new: _New) -> Iterator[PlayCard]:
    """Each card with all that is new, whatever rule that breaks."""
    for card in dict.fromkeys(state.player.hand):
        own = state.played[0].sector if state.played else state.lunar_sector(card)
        for number in range(len(state.card(card).choices)):
            for links in permutations(sorted(new.links)):
                yield PlayCard(card, own, number, tuple(sorted(new.stars)), links)
