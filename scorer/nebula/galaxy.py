"""One player's galaxy: its stars, legal placements and rule breaks."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from scorer.flags import RuleBreak
from scorer.nebula.board import STANDARD_BOARD, GalaxyBoard
from scorer.nebula.words import BLACK, COLOURS, say
from scorer.places import spaces_by_piece
from scorer.sentence import Sentence
from scorer.topology import Link

STARS_OF_A_COLOUR = 20  # in the whole game


class UnknownSpaceError(ValueError):
    """A space that the board does not have."""


class UnknownColourError(ValueError):
    """A colour that no star of the game has."""


class IllegalPlacementError(ValueError):
    """An illegal placement; the message is the reason."""


@dataclass(frozen=True)
class Galaxy:
    """Stars on spaces and black stars on the track, legal or not.

    >>> galaxy = Galaxy({"core": "red"})
    >>> print(galaxy.illegal("ar1", "red"))
    ar1 is linked to the red star on core
    >>> galaxy.place("ar1", "blue").stars["ar1"]
    'blue'
    >>> [broken.kind for broken in Galaxy({"core": "red", "ar1": "red"}).rule_breaks()]
    ['same_colour_link']

    Raise UnknownSpaceError and UnknownColourError for what no board can hold. A black star on a
    space of the galaxy is allowed, as a rule break. `track` holds what is on each space of the
    black-star track from the left, empty if unknown.
    """

    stars: Mapping[str, str]
    black: int = 0
    board: GalaxyBoard = STANDARD_BOARD
    track: tuple[str | None, ...] = ()

    def __post_init__(self) -> None:
        """Check spaces and colours, and copy the stars."""
        for space, colour in self.stars.items():
            if space not in self.board.around:
                raise UnknownSpaceError(say("unknown_space", space=space))
            if colour not in COLOURS and colour != BLACK:
                raise UnknownColourError(say("unknown_colour", colour=colour, colours=COLOURS))
        if self.black < 0:
            raise ValueError(f"a board cannot have {self.black} black stars")
        object.__setattr__(self, "stars", MappingProxyType(dict(self.stars)))

    def __reduce__(self) -> tuple[type["Galaxy"], tuple[Any, ...]]:
        """Copy and pickle by value, as mapping proxies cannot be pickled."""
        return Galaxy, (dict(self.stars), self.black, self.board, self.track)

    # occupancy

    def count(self, colour: str) -> int:
        return len(self.where(colour))

    def where(self, colour: str) -> tuple[str, ...]:
        """The spaces that hold a colour, in board order."""
        return self._spaces_by_colour.get(colour, ())

    def empty(self, spaces: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """The empty spaces among those given, by default of the whole galaxy."""
        among = self.board.spaces if spaces is None else spaces
        return tuple([space for space in among if space not in self.stars])

    def finished_constellations(self) -> tuple[str, ...]:
        """The constellations with a star on every space.

        >>> Galaxy({space: "red" for space in STANDARD_BOARD.spaces}).finished_constellations()
        ('aries', 'taurus', 'gemini', 'cancer')
        """
        return self._finished

    @cached_property
    def _finished(self) -> tuple[str, ...]:
        constellations = self.board.constellations.items()
        return tuple(
            [name for name, spaces in constellations if all(map(self.stars.__contains__, spaces))]
        )

    @cached_property
    def _spaces_by_colour(self) -> dict[str, tuple[str, ...]]:
        return spaces_by_piece(self.board.spaces, self.stars)

    # placing

    def illegal(self, space: str, colour: str) -> Sentence | None:
        """Why a star may not be placed on a space; None if it may.

        On an occupied space the old star goes to the box, and the rules are checked without it.
        """
        if space not in self.board.spaces:
            return say("unknown_space", space=space)
        if colour == BLACK:
            return say("black_goes_on_track")
        if colour not in COLOURS:
            return say("unknown_colour", colour=colour, colours=COLOURS)
        if space not in self._next_to_any:
            alone = len(self.stars) == (space in self.stars)
            return say("first_on_core") if alone else say("no_occupied_link", space=space)
        if space in self._next_to.get(colour, ()):
            linked = self.board.neighbours(space)
            other = next(s for s in self.where(colour) if s in linked and s != space)
            return say("linked_to_same_colour", space=space, colour=colour, other=other)
        return None

    def open_to(self, colour: str) -> tuple[str, ...]:
        """The spaces where a star of a colour may be placed now, in board order.

        >>> Galaxy({"core": "red"}).open_to("red")
        ('core',)
        """
        beside = self._next_to_any.difference(self._next_to.get(colour, ()))
        return tuple([space for space in self.board.spaces if space in beside])

    @cached_property
    def _next_to(self) -> dict[str, frozenset[str]]:
        """The spaces linked to a star of each colour."""
        around = self.board.around
        beside: dict[str, frozenset[str]] = {}
        for space, colour in self.stars.items():
            near = around[space]
            beside[colour] = beside[colour] | near if colour in beside else near
        return beside

    @cached_property
    def _next_to_any(self) -> frozenset[str]:
        """The spaces linked to an occupied one; also the core if no other space is occupied."""
        beside = frozenset[str]().union(*self._next_to.values())
        alone = len(self.stars) == (self.board.core in self.stars)
        return beside | {self.board.core} if alone else beside

    def place(self, space: str, colour: str) -> "Galaxy":
        """The galaxy with one more star, or another star on an occupied space.

        Raise IllegalPlacementError with the reason.
        """
        reason = self.illegal(space, colour)
        if reason:
            raise IllegalPlacementError(reason)
        return self.with_star(space, colour)

    def with_star(self, space: str, colour: str) -> "Galaxy":
        """The galaxy after a placement that is known to be legal, without checks."""
        stars = MappingProxyType({**self.stars, space: colour})
        galaxy = object.__new__(Galaxy)
        galaxy.__dict__.update(stars=stars, black=self.black, board=self.board, track=())
        if "_next_to" in self.__dict__ and space not in self.stars:  # nothing was replaced
            near = self.board.around[space] | self._next_to.get(colour, frozenset())
            galaxy.__dict__["_next_to"] = {**self._next_to, colour: near}
        return galaxy

    def legal_placements(self) -> Iterator[tuple[str, str]]:
        """Every (space, colour) that may be placed now.

        >>> len(list(Galaxy({}).legal_placements()))  # the core, in six colours
        6
        """
        open_to = {colour: frozenset(self.open_to(colour)) for colour in COLOURS}
        for space in self.board.spaces:
            for colour in COLOURS:
                if space in open_to[colour]:
                    yield space, colour

    def illegal_black(self, track_spaces: int) -> Sentence | None:
        """Why no black star may be placed on a track of `track_spaces`; None if one may."""
        return say("track_full", spaces=track_spaces) if self.black >= track_spaces else None

    def with_black_star(self) -> "Galaxy":
        """The galaxy with one more black star, without checking that the track has room."""
        galaxy = object.__new__(Galaxy)  # cached properties of the stars remain valid
        galaxy.__dict__.update(self.__dict__ | {"black": self.black + 1, "track": ()})
        return galaxy

    # rule breaks

    def rule_breaks(self) -> tuple[RuleBreak, ...]:
        """The rules that the board breaks; none after legal placements."""
        return tuple(self._broken())

    def _broken(self) -> Iterator[RuleBreak]:
        if self.stars and self.board.core not in self.stars:
            yield _break(say("no_core"), (self.board.core,))
        yield from self._clashes()
        connected = self.board.reach(self.board.core, self.stars)
        lost = tuple(s for s in self.board.spaces if s in self.stars and s not in connected)
        if lost:
            yield _break(say("not_connected", spaces=lost), lost)
        if self.where(BLACK):
            yield _break(say("black_on_galaxy", spaces=self.where(BLACK)), self.where(BLACK))
        for colour, count in Counter(self.stars.values()).items():
            if count > STARS_OF_A_COLOUR and colour != BLACK:
                sentence = say("too_many", count=count, colour=colour, supply=STARS_OF_A_COLOUR)
                yield _break(sentence, self.where(colour))
        if any(star != BLACK for star in self.track[: self.black]):
            yield _break(say("black_gap"))
        if set(self.track) - {BLACK, None}:
            yield _break(say("colour_on_track"))

    def _clashes(self) -> Iterator[RuleBreak]:
        """Linked stars of the same colour, once for each pair, by a line or along an orbit."""
        in_order = self.board.spaces.index
        pairs: dict[tuple[str, ...], list[Link]] = {}
        for link in self._same_links():
            pairs.setdefault(tuple(sorted(link.ends, key=in_order)), []).append(link)
        for (a, b), links in sorted(pairs.items()):
            colour, spaces = self.stars[a], (a, b)
            reason = say("same_colour_link", spaces=spaces, colour=colour)
            if all(link.kind == "orbital" for link in links):  # no line is drawn
                orbit = self.board.orbit_of(a) or 0
                reason = say("same_colour_orbit", spaces=spaces, colour=colour, orbit=orbit)
            yield RuleBreak("same_colour_link", spaces, reason=reason, links=tuple(links))

    def _same_links(self) -> Iterator[Link]:
        for link in self.board.links:
            colour = self.stars.get(link.a)
            if colour is not None and colour != BLACK and colour == self.stars.get(link.b):
                yield link


def _break(reason: Sentence, spaces: tuple[str, ...] = ()) -> RuleBreak:
    """A broken rule named like its phrase."""
    return RuleBreak(reason.key, spaces, reason=reason)
