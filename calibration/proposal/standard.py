"""A board that is known, as photographs of other editions of it are held against it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.layout import Layout, ProfileError
from calibration.profile import PX_PER_MM, Profile, built_in_profiles
from calibration.proposal.lines import Lines, straight
from calibration.proposal.marks import SpaceLooks
from calibration.proposal.naming import Graph
from calibration.side_boards import pattern
from scorer import registry
from scorer.topology import Link

PROPOSED = {"spot", "track"}
"""The kinds of places that are looked for in a photograph."""


@dataclass(frozen=True, eq=False)
class StandardBoard:
    """The board of a game that is known: its layout, as a graph and as the course of its tracks."""

    layout: Layout
    spaces: tuple[str, ...]
    graph: Graph
    dashed: frozenset[str]
    rings: frozenset[str]
    """Kinds of links that are drawn with gaps; kinds that close to rings round the board."""
    marked: frozenset[int]
    """The numbers of the spaces that stand out from the others."""

    @classmethod
    def of(cls, profile: Profile) -> "StandardBoard":
        """The known board of a profile, whose picture tells which links are drawn with gaps."""
        layout = profile.layout
        spaces = tuple(layout.spaces)
        number = {name: i for i, name in enumerate(spaces)}
        kinds = {link.kind for link in layout.board.links}
        rings = frozenset(kind for kind in kinds if _closes(layout.board.links_of(kind)))
        at = np.array([shape.at for shape in layout.spaces.values()], float)
        radius = float(np.median([shape.radius for shape in layout.spaces.values()]))
        picture = profile.require_reference()
        lines = Lines(picture)
        dashed = frozenset(
            kind
            for kind in kinds - rings
            if _has_gaps(lines, layout.board.links_of(kind), number, at * PX_PER_MM, radius)
        )
        linked = np.full((len(spaces), len(spaces)), 0 if kinds else -1)
        for link in layout.board.links:
            how = -1 if link.kind in rings else 2 if link.kind in dashed else 1
            a, b = number[link.a], number[link.b]
            linked[a, b] = linked[b, a] = how
        marked = SpaceLooks(picture, at * PX_PER_MM, radius * PX_PER_MM).standing_out()
        return cls(layout, spaces, Graph(at, radius, linked), dashed, rings, marked)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the spaces of each group that is printed alike."""
        number = {name: i for i, name in enumerate(self.spaces)}
        regions = self.layout.board.regions.values()
        return tuple(tuple(number[name] for name in members) for members in regions)

    @cached_property
    def links(self) -> dict[str, tuple[Link, ...]]:
        board = self.layout.board
        return {kind: board.links_of(kind) for kind in sorted({x.kind for x in board.links})}

    @cached_property
    def beside(self) -> frozenset[str]:
        """The tracks that run beside the spaces, none of their slots between them."""
        hull = cv2.convexHull(self.graph.at.astype(np.float32))
        return frozenset(
            name
            for name, course in self.courses.items()
            if all(cv2.pointPolygonTest(hull, tuple(slot), False) < 0 for slot in course.tolist())
        )

    @property
    def courses(self) -> dict[str, Floats]:
        """Each track's slots, (S, 2) mm, by its id."""
        return {
            name: np.array([slot.at for slot in slots], float)
            for name, slots in self.layout.tracks.items()
        }


def _closes(links: tuple[Link, ...]) -> bool:
    """Whether every space of the links has two of them."""
    return set(Counter(end for link in links for end in (link.a, link.b)).values()) == {2}


def _has_gaps(
    lines: Lines, links: tuple[Link, ...], number: Mapping[str, int], at: Floats, radius: float
) -> bool:
    """Whether most of the links are rather dashes than lines; places (S, 2) in px."""
    a, b = (
        [number[end] for end in ends] for ends in zip(*((x.a, x.b) for x in links), strict=True)
    )
    lining = lines.along(straight(at[a], at[b], radius * PX_PER_MM))
    return bool(np.median(lining.dashed - lining.solid) > 0)


@cache
def standard_board(name: str) -> StandardBoard:
    """The known board that photographs of a game's boards, or of a `pattern`, are compared with.

    Raises `ProfileError` where no layout can be proposed for it.
    """
    profile = _known(name)
    if profile is None:
        reason = "layouts are not proposed from photographs of this game's boards; give a --layout"
        raise ProfileError(name, [("", reason)])
    return StandardBoard.of(profile)


@cache
def can_propose(name: str) -> bool:
    """Whether a layout can be proposed: the game, or `pattern`, has spaces and tracks alone."""
    return _known(name) is not None


def _known(name: str) -> Profile | None:
    if name in registry.names():
        name = next(iter(built_in_profiles(name)), "")
    profile = pattern(name) if name else None
    kinds = {place.kind for place in profile.places} if profile else {""}
    return profile if kinds <= PROPOSED else None
