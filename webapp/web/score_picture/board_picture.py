"""A player's board with its pieces, for the shared picture."""

import io
import re
from collections.abc import Mapping
from functools import cache

from PIL import Image, ImageColor, ImageDraw

from scorer.places import Place, Point
from scorer.table import Pieces
from webapp.app.boards.board_drawing import Drawing, DrawnLink, DrawnRegion
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.web.score_picture.sprite import mark_colours, region_fills, shapes, star_colours

Outline = tuple[tuple[float, float], ...]

SKY = "#0d1330"
ORBIT = "#333d78"
LINK = "#6873b0"
INDIRECT = "#b9a874"
EMPTY = "#1b2452"
HIGHLIGHT = "#f3c969"
TRACK_EDGE = "#7681b8"
REGION = "#8d99d2", 0.14
"""The fill colour and opacity of regions without a rim class."""


FINER = 2
"""The supersampling factor, for smooth edges."""


def board_png(board: Drawing, pieces: Pieces, width: int) -> bytes:
    """Return a PNG of a board with its pieces, `width` px wide."""
    left, top, wide, high = board.frame
    scale = width * FINER / wide
    height = round(high * width / wide)
    image = Image.new("RGB", (width * FINER, height * FINER), SKY)
    BoardPicture(ImageDraw.Draw(image), board, (-left * scale, -top * scale), scale).show(pieces)
    file = io.BytesIO()
    image.reduce(FINER).quantize(64, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


class BoardPicture:
    """Draws boards onto a picture; `scale` is in px per mm."""

    def __init__(self, draw: ImageDraw.ImageDraw, board: Drawing, at: Point, scale: float) -> None:
        """Put the board's top-left corner at `at` px."""
        self._draw, self._board, self._at, self._scale = draw, board, at, scale

    def show(self, pieces: Pieces) -> None:
        for region in self._board.regions:
            self._region(region)
        for guide in self._board.guides:
            if guide.radius is not None:
                self._circle(guide.centre, guide.radius, None, ORBIT, 0.7)
                continue
            corners = guide.corners
            for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
                self._line(start, end, ORBIT, 0.7)
        for link in self._board.links:
            self._link(link)
        for bar in self._board.edges:
            lies = pieces.get(Place(bar.id, "edge"))
            start, end = (bar.x1, bar.y1), (bar.x2, bar.y2)
            if lies is None:
                self._line(start, end, ORBIT, 0.7)
            else:
                self._line(start, end, self._board.colours[lies], bar.wide)
        for space in self._board.spaces:
            at = (space.x, space.y)
            edge, wide = (HIGHLIGHT, 1.1) if space.rim == "highlighted" else (LINK, 0.7)
            self._circle(at, space.radius, EMPTY, edge, wide)
            if Place(space.id) in pieces:
                self.piece(pieces[Place(space.id)], at, space.radius * 1.05)
        for track in self._board.tracks:
            for number, (x, y, _label) in enumerate(track.slots):
                self._circle((x, y), track.radius * 0.8, EMPTY, TRACK_EDGE, 0.6)
                place = Place(track.id, "track", number)
                if place in pieces:
                    self.piece(pieces[place], (x, y), track.radius * 0.85)
        self._held(DrawnPieces.of(pieces))

    def piece(self, colour: str, at: Point, radius: float) -> None:
        """Draw a piece with its mark, `radius` mm from centre to tip; other pieces are discs."""
        if colour not in self._board.shapes:
            self._circle(at, radius * 0.8, self._board.colours[colour], SKY, 0.5)
            return
        edge = "#c3cbf2" if colour == "black" else SKY
        (body,) = outlines(shapes()["shape-star"])
        self._polygon(body, at, radius / 9.6, star_colours()[colour], edge)
        if colour == "black":  # its mark is a ring, which has no filled outline
            self._circle(at, radius * 0.27, None, mark_colours()[colour], 1)
            return
        for mark in outlines(shapes()[f"mark-{colour}"]):
            self._polygon(mark, at, radius / 9.6, mark_colours()[colour], None)

    def _region(self, region: DrawnRegion) -> None:
        corners = [tuple(map(float, point.split(","))) for point in region.points.split()]
        colour, opacity = region_fills().get(region.rim, REGION)
        shades = zip(ImageColor.getrgb(SKY), ImageColor.getrgb(colour), strict=True)
        fill = tuple(round(sky + (shade - sky) * opacity) for sky, shade in shades)
        outline = [self._px((x, y)) for x, y in corners]
        self._draw.polygon(outline, fill)
        edge = max(1, round(0.6 * self._scale))
        self._draw.line([*outline, outline[0]], ORBIT, edge, "curve")

    def _held(self, pieces: DrawnPieces) -> None:
        """Draw a disc for each kind in a region, three per row."""
        radius = max(5.6, self._board.width / 45)
        for region in self._board.regions:
            held: Mapping[str, int] = pieces.regions.get(region.id, {})
            kinds = [kind for kind in region.kinds if held.get(kind)]
            rows = -(-len(kinds) // 3)
            for number, kind in enumerate(kinds):
                x = region.x + 2.2 * radius * (number % 3 - (min(3, len(kinds)) - 1) / 2)
                y = region.y + 2.2 * radius * (number // 3 - (rows - 1) / 2)
                self._circle((x, y), radius, self._board.colours[kind], "#ffffff", 1)

    def _link(self, link: DrawnLink) -> None:
        ends = (link.x1, link.y1), (link.x2, link.y2)
        if link.kind == "direct":
            self._line(*ends, LINK, 0.9)
            return
        (x1, y1), (x2, y2) = ends
        pieces = 9
        for piece in range(0, pieces, 2):
            start, end = piece / pieces, (piece + 1) / pieces
            self._line(
                (x1 + (x2 - x1) * start, y1 + (y2 - y1) * start),
                (x1 + (x2 - x1) * end, y1 + (y2 - y1) * end),
                INDIRECT,
                0.9,
            )

    def _px(self, at: Point) -> Point:
        return self._at[0] + at[0] * self._scale, self._at[1] + at[1] * self._scale

    def _line(self, start: Point, end: Point, colour: str, width: float) -> None:
        self._draw.line((self._px(start), self._px(end)), colour, round(width * self._scale))

    def _circle(self, at: Point, radius: float, fill: str | None, edge: str, width: float) -> None:
        (x, y), reach = self._px(at), radius * self._scale
        box = (x - reach, y - reach, x + reach, y + reach)
        self._draw.ellipse(box, fill, edge, max(1, round(width * self._scale)))

    def _polygon(
        self, outline: Outline, at: Point, size: float, fill: str, edge: str | None
    ) -> None:
        points = [self._px((at[0] + x * size, at[1] + y * size)) for x, y in outline]
        self._draw.polygon(points, fill)
        if edge:
            self._draw.line([*points, points[0]], edge, max(1, round(0.5 * self._scale)), "curve")


@cache
def outlines(drawn: str) -> tuple[Outline, ...]:
    """Return the outlines of a shape of the sprite: straight paths or a circle.

    >>> outlines('<path d="M0-3.5 3.1 0V2H0Z"/>')
    (((0.0, -3.5), (3.1, 0.0), (3.1, 2.0), (0.0, 2.0)),)
    """
    circle = re.search(r'<circle r="([\d.]+)"', drawn)
    if circle:
        return (_regular(float(circle[1])),)
    path = re.search(r' d="([^"]+)"', drawn)
    assert path, "a shape of the sprite is a path or a circle"
    return tuple(_outline(part) for part in path[1].split("Z") if part.strip())


def _regular(radius: float) -> Outline:
    unit = (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7)
    return tuple((radius * x, radius * y) for x, y in unit)


def _outline(path: str) -> Outline:
    points: list[Point] = []
    for command, written in re.findall(r"([A-Z])([^A-Z]*)", path):
        numbers = [float(number) for number in re.findall(r"-?(?:\d*\.\d+|\d+)", written)]
        if command == "H":
            points += [(number, points[-1][1]) for number in numbers]
        elif command == "V":
            points += [(points[-1][0], number) for number in numbers]
        else:
            points += list(zip(numbers[::2], numbers[1::2], strict=True))
    return tuple(points)
