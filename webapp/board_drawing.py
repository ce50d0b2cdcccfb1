"""The geometry of a drawn board: everything in the layout's millimetres."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from math import dist

from calibration import Profile
from scorer.places import Shape
from scorer.topology import Link
from webapp.games import Guide, pages_of


@dataclass(frozen=True)
class DrawnSpace:
    """A space; `sign` is the sprite's symbol on it while it is empty, "" for none."""

    id: str
    x: float
    y: float
    radius: float
    sign: str
    highlighted: bool


@dataclass(frozen=True)
class DrawnLink:
    """A drawn line between two spaces' rims; `kind` is the game's word for how it is drawn."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True)
class DrawnTrack:
    """A track: its slots' middles in order, what is printed on each, and their radius."""

    id: str
    slots: tuple[tuple[float, float, str], ...]
    radius: float


@dataclass(frozen=True)
class Drawing:
    """A board, ready to be drawn: sizes and places in mm.

    `colours` are the pieces', #rrggbb; `shapes` those pieces that the sprite has a shape for.
    """

    width: float
    height: float
    spaces: tuple[DrawnSpace, ...]
    links: tuple[DrawnLink, ...]
    tracks: tuple[DrawnTrack, ...]
    guides: tuple[Guide, ...]
    colours: Mapping[str, str]
    shapes: frozenset[str]

    @property
    def top(self) -> float:
        """Where the drawn part begins: a little above the tracks, which lie at the top."""
        tops = [y - track.radius - 8 for track in self.tracks for _, y, _ in track.slots]
        return max(0, min(tops, default=0))


@lru_cache(8)
def draw(profile: Profile) -> Drawing:
    """Return the drawing of a profile's board."""
    board, at = profile.board, profile.spaces
    pages = pages_of(profile.layout.game)
    signs = {space: pages.sign(name) for name, own in board.regions.items() for space in own}
    highlighted = pages.highlighted(profile)
    spaces = tuple(
        DrawnSpace(name, *at[name].at, at[name].radius, signs.get(name, ""), name in highlighted)
        for name in board.spaces
    )
    labels = pages.slot_labels(profile)
    drawn = [
        link for link in board.links if link.kind not in pages.hidden_links and link.a != link.b
    ]
    kinds = dict.fromkeys(link.kind for link in drawn)
    return Drawing(
        *profile.size_mm,
        spaces,
        lines(profile, (link for kind in kinds for link in drawn if link.kind == kind)),
        tuple(
            DrawnTrack(name, _slots(slots, labels.get(name, ())), slots[0].radius)
            for name, slots in profile.tracks.items()
        ),
        tuple(pages.guides(profile)),
        {piece.id: piece.colour for piece in profile.game.pieces},
        pages.drawn_pieces,
    )


def _slots(slots: Sequence[Shape], labels: Sequence[str]) -> tuple[tuple[float, float, str], ...]:
    labelled = chain(labels, repeat(""))
    return tuple((*slot.at, label) for slot, label in zip(slots, labelled, strict=False))


def lines(profile: Profile, links: Iterable[Link]) -> tuple[DrawnLink, ...]:
    """Return the lines that some links of a profile's board are drawn as."""
    return tuple(_line(profile, link) for link in links)


def _line(profile: Profile, link: Link) -> DrawnLink:
    start, end = profile.spaces[link.a], profile.spaces[link.b]
    (x1, y1), (x2, y2) = start.at, end.at
    length = dist(start.at, end.at)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    return DrawnLink(
        round(x1 + dx * start.radius, 2),
        round(y1 + dy * start.radius, 2),
        round(x2 - dx * end.radius, 2),
        round(y2 - dy * end.radius, 2),
        link.kind,
    )
