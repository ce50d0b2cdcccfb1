"""A position of the night sky: stars, links and the moon frame, legal or not."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from scorer.flags import RuleBreak
from scorer.places import spaces_by_piece
from scorer.polaris.board import STANDARD_SKY, SkyBoard
from scorer.polaris.words import NEUTRAL, say
from scorer.sentence import Sentence

STARS_OF_A_PLAYER = 35
LINKS = 80
PLAYERS_WITH_NEUTRAL_STARS = 2  # P14
MOST_NAMED = 6
"""The most places that a sentence names; more are only shown in the picture."""
_UNSCORABLE = frozenset({"nobodys_star"})
"""Kinds of rule breaks that no game file can have: nobody knows who owns such a star."""


class UnknownSpaceError(ValueError):
    """A star space that the board does not have."""


class UnknownLinkError(ValueError):
    """A link space that the board does not have."""


def rule_break(
    rule: str, reason: Sentence, spaces: tuple[str, ...] = (), links: tuple[str, ...] = ()
) -> RuleBreak:
    """A rule break whose kind is the key of its reason."""
    more = {"rule": rule, **({"links": list(links)} if links else {})}
    return RuleBreak(reason.key, spaces, more, reason, unscorable=reason.key in _UNSCORABLE)


@dataclass(frozen=True)
class Sky:
    """Stars on star spaces, links on link spaces, and the sector that the New Moon faces.

    A star's colour is its player's, or `neutral`. `links` holds ids of link spaces, in board order.
    `new_moon` is None if unknown.

    >>> sky = Sky({"1a1": "red", "1a2": "red"}, ("1a1-1a2",))
    >>> sky.where("red"), sky.has_link("1a1-1a2"), sky.has_link("1a2-1a3")
    (('1a1', '1a2'), True, False)
    >>> [broken.kind for broken in Sky({"1c1": "red"}).rule_breaks(("red", "blue", "yellow"))]
    []

    Raise UnknownSpaceError and UnknownLinkError for what the board cannot hold, ValueError for an
    unknown sector.
    """

    stars: Mapping[str, str]
    links: tuple[str, ...] = ()
    new_moon: int | None = None
    board: SkyBoard = STANDARD_SKY

    def __post_init__(self) -> None:
        """Check places, copy the stars, and sort the links."""
        for space in self.stars:
            if space not in self.board.star_spaces:
                raise UnknownSpaceError(say("unknown_space", space=space))
        for link in self.links:
            if link not in self.board.link_spaces:
                raise UnknownLinkError(say("unknown_link", link=link))
        if self.new_moon is not None and self.new_moon not in self.board.sectors:
            raise ValueError(f"the board has no sector {self.new_moon}")
        laid = set(self.links)
        in_order = tuple(link for link in self.board.link_spaces if link in laid)
        object.__setattr__(self, "stars", MappingProxyType(dict(self.stars)))
        object.__setattr__(self, "links", in_order)

    def __reduce__(self) -> tuple[type["Sky"], tuple[object, ...]]:
        """Copy and pickle by value, as mapping proxies cannot be pickled."""
        return Sky, (dict(self.stars), self.links, self.new_moon, self.board)

    def where(self, colour: str) -> tuple[str, ...]:
        """The spaces that hold a colour, in board order."""
        return self._spaces_by_colour.get(colour, ())

    @cached_property
    def _spaces_by_colour(self) -> dict[str, tuple[str, ...]]:
        return spaces_by_piece(self.board.star_spaces, self.stars)

    def has_link(self, link: str) -> bool:
        return link in self._laid_links

    @cached_property
    def _laid_links(self) -> frozenset[str]:
        return frozenset(self.links)

    def as_played(self, colours: Collection[str]) -> "Sky":
        """The sky as it is scored at a table where these colours play.

        With two players, stars that nobody plays are neutral (P14).

        >>> Sky({"1a1": "red", "1c1": "purple"}).as_played(["red", "blue"]).where("neutral")
        ('1c1',)
        """
        if len(colours) != PLAYERS_WITH_NEUTRAL_STARS:
            return self
        stars = {s: star if star in colours else NEUTRAL for s, star in self.stars.items()}
        return replace(self, stars=stars)

    # the rules

    def closed_to(self, players: int) -> tuple[str, ...]:
        """The spaces where nobody may place a star with this number of players (P14)."""
        return self.board.starred if players == PLAYERS_WITH_NEUTRAL_STARS else ()

    def rule_breaks(self, colours: Sequence[str] | None = None) -> tuple[RuleBreak, ...]:
        """The rules that the sky breaks at a table where these colours play.

        Without `colours`, only the rules that apply to every table.
        """
        return tuple(self._broken(colours))

    def _broken(self, colours: Sequence[str] | None) -> Iterator[RuleBreak]:
        yield from self._too_many()
        if colours is None:
            return
        of_two = len(colours) == PLAYERS_WITH_NEUTRAL_STARS
        known = {*colours, NEUTRAL} if of_two else {*colours}
        for colour in dict.fromkeys(self.stars.values()):
            if colour not in known:
                spaces = self.where(colour)
                yield rule_break("P14", say("nobodys_star", spaces=spaces, colour=colour), spaces)
        if of_two:
            yield from self._broken_by_two()

    def _too_many(self) -> Iterator[RuleBreak]:
        for colour, count in Counter(self.stars.values()).items():
            if colour != NEUTRAL and count > STARS_OF_A_PLAYER:
                supply = STARS_OF_A_PLAYER
                reason = say("too_many", count=count, colour=colour, supply=supply)
                yield rule_break("P48", reason, self.where(colour))
        if len(self.links) > LINKS:
            reason = say("too_many_links", count=len(self.links), supply=LINKS)
            yield rule_break("P48", reason, links=self.links)

    def _broken_by_two(self) -> Iterator[RuleBreak]:
        """The rules for two players (P14): neutral stars on all ★ spaces, and nowhere else."""
        starred = set(self.board.starred)
        taken = tuple(s for s in self.board.starred if self.stars.get(s, NEUTRAL) != NEUTRAL)
        if taken:
            yield rule_break("P14", say("closed_space", spaces=taken), taken)
        empty = tuple(space for space in self.board.starred if space not in self.stars)
        if empty:
            yield rule_break("P14", say("neutral_missing", count=len(empty)), empty)
        astray = tuple(space for space in self.where(NEUTRAL) if space not in starred)
        if astray:
            yield rule_break("P14", say("neutral_astray", spaces=astray), astray)


def turn_breaks(before: Sky, after: Sky, mover: str | None = None) -> tuple[RuleBreak, ...]:
    """The rules broken between two skies, as far as they limit the cards of one turn.

    No piece is moved, replaced or removed (P37); all new ones are within one sector (P33, P37,
    P38), and new stars have the colour `mover`, if given.

    >>> before, after = Sky({"1b1": "red"}), Sky({"1b1": "red", "1b2": "blue", "3b2": "blue"})
    >>> [str(broken.reason) for broken in turn_breaks(before, after, "blue")]
    ['placed in no single sector: 1b2, 3b2']
    """
    return tuple(_broken_between(before, after, mover))


def taken_away(before: Sky, after: Sky) -> Iterator[RuleBreak]:
    """The break of P37 by missing stars or links, if any."""
    spaces = tuple(s for s in before.board.star_spaces if _gone(before.stars, after.stars, s))
    links = tuple(link for link in before.links if not after.has_link(link))
    if spaces or links:
        places, kind = spaces + links, "taken_away"
        named = len(places) <= MOST_NAMED
        reason = say(kind, places=places) if named else say("lay_before", count=len(places))
        yield replace(rule_break("P37", reason, spaces, links), kind=kind)


def came_after(fifth: Sky, end: Sky) -> Iterator[RuleBreak]:
    """The break of P57 by new pieces after the fifth phase, which ends the game, if any."""
    spaces = tuple(s for s in end.board.star_spaces if s in end.stars and s not in fifth.stars)
    links = tuple(link for link in end.links if not fifth.has_link(link))
    if spaces or links:
        yield rule_break("P57", say("came_after", count=len(spaces + links)), spaces, links)


def _gone(before: Mapping[str, str], after: Mapping[str, str], space: str) -> bool:
    return space in before and after.get(space) != before[space]


def _broken_between(before: Sky, after: Sky, mover: str | None) -> Iterator[RuleBreak]:
    yield from taken_away(before, after)
    board = after.board
    stars = tuple(s for s in board.star_spaces if s in after.stars and s not in before.stars)
    links = tuple(link for link in after.links if not before.has_link(link))
    if not board.common_sectors(stars + links):
        yield rule_break("P33", say("two_sectors", places=stars + links), stars, links)
    others = tuple(space for space in stars if mover is not None and after.stars[space] != mover)
    if mover is not None and others:
        yield rule_break("P37", say("not_the_movers", spaces=others, colour=mover), others)
