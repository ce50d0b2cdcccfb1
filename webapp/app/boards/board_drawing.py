"""The geometry of a drawn board, in the layout's millimetres."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, repeat
from math import cos, dist, radians, sin

from calibration import Profile
from scorer.places import Bar, Place, Point, Shape
from scorer.topology import Link
from webapp.app.game_pages import BoardLook, Guide, pages_of
from webapp.app.game_pages import Link as PageLink

CLOSE_UP_MM = 18.0
"""The margin around the places of a close-up."""
CROWDED = 2
"""The number of kinds of pieces for which half a space is too small."""
MOST_IN_ROW = 3
"""The most discs of a region side by side."""
APART, CLOSE = 2.2, 1.8
"""The distance of discs in radii: as a rule, and where a region is hardly wide enough."""
NARROWS = 0.7
"""The part of a region's height that several rows may use, as it narrows above and below."""
SMALLEST = 0.65
"""The smallest disc, relative to the others: then they overlap."""


@dataclass(frozen=True)
class DrawnSpace:
    """A space; `sign` is the sprite's symbol shown while it is empty, "" for none.

    `rim` is the game's CSS class for its print, "" for plain. `admits` are the pieces that can be
    placed on it.
    """

    id: str
    x: float
    y: float
    radius: float
    sign: str
    rim: str = ""
    admits: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether any piece can be placed on it."""
        return bool(self.admits)


@dataclass(frozen=True)
class DrawnLink:
    """A line between two spaces' rims; `kind` is the link kind, which sets its style."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True)
class DrawnEdge:
    """An edge place: a bar from (x1, y1) to (x2, y2), `wide` mm across.

    `way` is the line between the centres of the spaces that it joins: x1, y1, x2, y2.
    """

    id: str
    x1: float
    y1: float
    x2: float
    y2: float
    wide: float
    way: tuple[float, float, float, float]
    admits: tuple[str, ...]

    @property
    def piece(self) -> str:
        """The first of the pieces that can be placed on it."""
        return self.admits[0]

    @property
    def x(self) -> float:
        """x of the bar's centre."""
        return round((self.x1 + self.x2) / 2, 2)

    @property
    def y(self) -> float:
        """y of the bar's centre."""
        return round((self.y1 + self.y2) / 2, 2)


@dataclass(frozen=True)
class DrawnRegion:
    """A region: its outline as SVG points, its centre and the kinds of pieces it may hold.

    `size` is the outline's width and height; `rim` is the game's CSS class for its print, "" for
    plain.
    """

    id: str
    points: str
    x: float
    y: float
    kinds: tuple[str, ...]
    size: Point
    rim: str = ""

    def laid_out(self, count: int, radius: float) -> tuple[float, Sequence[Point]]:
        """The radius of `count` discs, of that `radius` at most, and their centres in rows.

        A row has as many as fit into the region, three at most; a small region has smaller discs.

        >>> half = DrawnRegion("K4", "", 7.0, 17.0, (), (15.4, 45.0))
        >>> half.laid_out(2, 8.0)
        (7.0, [(7.0, 9.3), (7.0, 24.7)])
        """
        width, height = self.size
        in_row = max(1, min(count, MOST_IN_ROW, int(width / (CLOSE * radius))))
        rows = -(-count // in_row)
        height *= NARROWS if rows > 1 else 1.0
        fits = min(width / in_row, height / rows) / APART
        radius = max(min(radius, fits), SMALLEST * radius)
        apart = min(APART * radius, height / rows)
        return radius, [
            (
                round(self.x + APART * radius * (number % in_row - (in_row - 1) / 2), 2),
                round(self.y + apart * (number // in_row - (rows - 1) / 2), 2),
            )
            for number in range(count)
        ]


@dataclass(frozen=True)
class DrawnTrack:
    """A track: (x, y, printed label) of each slot in order, and the slots' radius."""

    id: str
    slots: tuple[tuple[float, float, str], ...]
    radius: float


@dataclass(frozen=True)
class Drawing:
    """A board ready to be drawn; sizes and positions in mm.

    `colours` are #rrggbb by piece; `shapes` are the pieces that the sprite has a shape for.
    """

    width: float
    height: float
    spaces: tuple[DrawnSpace, ...]
    links: tuple[DrawnLink, ...]
    tracks: tuple[DrawnTrack, ...]
    guides: tuple[Guide, ...]
    colours: Mapping[str, str]
    shapes: frozenset[str]
    edges: tuple[DrawnEdge, ...] = ()
    regions: tuple[DrawnRegion, ...] = ()
    roads: bool = False
    """Whether more than one kind of piece can be on links."""
    margin: float | None = None
    letters: Mapping[str, str] = field(default_factory=dict)
    """The letters shown instead of the count for a single piece in a region."""
    pictures: Mapping[str, PageLink] = field(default_factory=dict)
    """The pictures of pieces that have one."""
    covers: Mapping[str, str] = field(default_factory=dict)
    """The classes of pieces that fill their region."""
    parts: dict[Hashable, str] = field(default_factory=dict, compare=False, repr=False)
    """A cache of rendered parts of pages, by their inputs."""

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """The part that is drawn: left, top, width and height in mm.

        With a `margin`, the spaces and that many mm around them; else the whole board from a little
        above the topmost track.
        """
        if self.margin is None or not self.spaces:
            tops = [y - track.radius - 8 for track in self.tracks for _, y, _ in track.slots]
            top = max(0, min(tops, default=0))
            return 0, top, self.width, self.height - top
        xs, ys = [space.x for space in self.spaces], [space.y for space in self.spaces]
        left, top = max(0, min(xs) - self.margin), max(0, min(ys) - self.margin)
        right, bottom = max(xs) + self.margin, max(ys) + self.margin
        return left, top, min(self.width, right) - left, min(self.height, bottom) - top

    @property
    def view(self) -> str:
        """`frame` as an SVG viewBox."""
        return " ".join(f"{side:g}" for side in self.frame)

    def close_up(self, places: Collection[str]) -> str:
        """Return an SVG viewBox around some places; the whole frame if none is drawn."""
        at = [(one.x, one.y) for one in self.spaces if one.id in places]
        at += [(one.x, one.y) for one in self.edges if one.id in places]
        if not at:
            return self.view
        xs, ys = zip(*at, strict=True)
        left, top, width, height = self.frame
        x, y = max(left, min(xs) - CLOSE_UP_MM), max(top, min(ys) - CLOSE_UP_MM)
        right = min(left + width, max(xs) + CLOSE_UP_MM)
        bottom = min(top + height, max(ys) + CLOSE_UP_MM)
        return f"{x:g} {y:g} {right - x:g} {bottom - y:g}"

    def room_of(self, region: DrawnRegion, held: Mapping[str, Mapping[str, int]]) -> DrawnRegion:
        """The region in which its pieces are drawn: with an empty other half if it is crowded.

        A half is narrow and shares a side with another one for the same kinds of pieces.
        """
        width, height = region.size
        if sum(map(bool, held.get(region.id, {}).values())) < CROWDED or height < 2 * width:
            return region
        for other in self.regions:
            shared = {*region.points.split()} & {*other.points.split()}
            if (
                other.kinds == region.kinds
                and len(shared) == 2
                and not any(held.get(other.id, {}).values())
            ):
                return replace(region, x=(region.x + other.x) / 2, size=(2 * width, height))
        return region

    @property
    def places(self) -> int:
        """The number of spots and edges that may hold a piece."""
        return sum(space.holds for space in self.spaces) + len(self.edges)


@lru_cache(8)
def draw(profile: Profile) -> Drawing:
    board, at = profile.board, profile.spaces
    pages, game = pages_of(profile.layout.game), profile.game
    look = BoardLook() if profile.layout.is_side_board else pages.look(profile)
    spaces = tuple(
        DrawnSpace(
            name,
            *at[name].at,
            at[name].radius,
            look.signs.get(name, ""),
            look.rims.get(name, ""),
            game.admits(Place(name)),
        )
        for name in board.spaces
    )
    drawn = [link for link in board.links if link.kind not in look.hidden and link.a != link.b]
    kinds = dict.fromkeys(link.kind for link in drawn)
    return Drawing(
        *profile.size_mm,
        spaces,
        lines(profile, (link for kind in kinds for link in drawn if link.kind == kind)),
        tuple(
            DrawnTrack(name, _slots(slots, look.labels.get(name, ())), slots[0].radius)
            for name, slots in profile.tracks.items()
        ),
        tuple(look.guides),
        {piece.id: piece.colour for piece in profile.game.pieces},
        look.shapes,
        edges(profile),
        tuple(
            DrawnRegion(
                place.id,
                " ".join(f"{x:.2f},{y:.2f}" for x, y in shape.outline),
                round(shape.at[0], 2),
                round(shape.at[1], 2),
                game.admits(place),
                _size(shape.outline),
                look.rims.get(place.id, ""),
            )
            for place, shape in profile.places.items()
            if place.kind == "region"
        ),
        sum("edge" in piece.lies_on for piece in game.pieces) > 1,
        look.margin,
        {piece.id: piece.id[:2].capitalize() for piece in game.pieces if piece.supply == 1}
        | {**look.letters},
        look.pictures,
        look.covers,
    )


def _size(outline: Iterable[Point]) -> Point:
    across, down = zip(*outline, strict=True)
    return max(across) - min(across), max(down) - min(down)


def edges(profile: Profile) -> tuple[DrawnEdge, ...]:
    """Return the edge places of a profile's board."""
    ends = {f"{link.a}-{link.b}": link for link in profile.board.links}
    return tuple(
        _edge(profile, place, shape, ends[place.id])
        for place, shape in profile.places.items()
        if place.kind == "edge" and isinstance(shape, Bar)
    )


def _edge(profile: Profile, place: Place, bar: Bar, link: Link) -> DrawnEdge:
    (x, y), (length, wide) = bar.at, bar.size
    turn = radians(bar.turn)
    dx, dy = cos(turn) * length / 2, sin(turn) * length / 2
    x1, y1, x2, y2 = (round(side, 2) for side in (x - dx, y - dy, x + dx, y + dy))
    (from_x, from_y), (to_x, to_y) = profile.spaces[link.a].at, profile.spaces[link.b].at
    way = (round(from_x, 2), round(from_y, 2), round(to_x, 2), round(to_y, 2))
    return DrawnEdge(place.id, x1, y1, x2, y2, wide, way, profile.game.admits(place))


def _slots(slots: Sequence[Shape], labels: Sequence[str]) -> tuple[tuple[float, float, str], ...]:
    labelled = chain(labels, repeat(""))
    return tuple((*slot.at, label) for slot, label in zip(slots, labelled, strict=False))


def lines(profile: Profile, links: Iterable[Link]) -> tuple[DrawnLink, ...]:
    """Return the lines of some links of a profile's board."""
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
