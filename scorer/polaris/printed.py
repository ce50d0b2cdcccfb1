"""The fields of a night sky's layout file: spaces, link spaces, frame and topology."""

import math
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from scorer.places import Bar, Circle, FieldReader, Place, PrintedBoard, Shape, on_arc, written
from scorer.polaris.board import STANDARD_SKY, SkyBoard
from scorer.polaris.words import POLARIS

LINKS_KEY, FRAME_KEY = "links", "frame"


def read_printed(fields: FieldReader) -> PrintedBoard | None:
    """The board of a layout's fields; None, with every mistake noted, if they are wrong.

    Polaris is among the `spaces`. A link space is midway between its ends, along their line;
    `links.size` is the length and width of all of them, in mm. `frame` has the radii of the moon
    frame, a ring around Polaris, with a region for each sector where the moon facing the sector is
    printed. A board without a `frame` has no such regions.
    """
    spaces = fields.circles("spaces")
    board = fields.topology(STANDARD_SKY, "scorer.polaris.board_file:read_board")
    size = _size(fields)
    if board is None or size is None:
        return None
    fields.same_names("spaces", board)
    if set(spaces) != set(board.spaces):
        return None
    places: dict[Place, Shape] = {Place(space): circle for space, circle in spaces.items()}
    places |= {
        Place(id, "edge"): _between(spaces[link.a], spaces[link.b], size)
        for id, link in board.link_spaces.items()
    }
    if FRAME_KEY in fields.data:
        places |= _frame(fields, board, spaces)
    return PrintedBoard(board, places)


def frame_radii(places: Mapping[Place, Shape]) -> tuple[float, float] | None:
    """The inner and outer radius of the moon frame in mm; None if the board has none."""
    middle = places[Place(POLARIS)].at
    for place, shape in places.items():
        if place.kind == "dial":
            away = math.dist(shape.at, middle)
            return round(away - shape.radius, 6), round(away + shape.radius, 6)
    return None


def sector_direction(board: SkyBoard, sector: int, places: Mapping[Place, Shape]) -> float:
    """The direction of a sector's middle from Polaris, in degrees clockwise from above."""
    x, y = places[Place(POLARIS)].at
    own = [places[Place(space)].at for space in board.sectors[sector]]
    return math.degrees(math.atan2(fmean(at[0] for at in own) - x, y - fmean(at[1] for at in own)))


def printed_data(printed: PrintedBoard) -> dict[str, Any]:
    """The fields of a layout except its topology, in reading order."""
    assert isinstance(printed.board, SkyBoard)
    bars = [shape for shape in printed.places.values() if isinstance(shape, Bar)]
    radii = frame_radii(printed.places)
    return {
        "spaces": written(printed.places, "spot"),
        LINKS_KEY: {"size": list(bars[0].size)},
        **({FRAME_KEY: dict(zip(("inner", "outer"), radii, strict=True))} if radii else {}),
    }


def _frame(
    fields: FieldReader, board: SkyBoard, spaces: Mapping[str, Circle]
) -> dict[Place, Shape]:
    """The regions on the frame; empty, with every mistake noted, if it is wrong."""
    written = fields.data.get(FRAME_KEY)
    if not isinstance(written, Mapping):
        fields.wrong(FRAME_KEY, "must be {inner: radius, outer: radius} in mm")
        return {}
    inner = fields.number(f"{FRAME_KEY}.inner", written.get("inner"), above=0.0)
    outer = fields.number(f"{FRAME_KEY}.outer", written.get("outer"), above=inner or 0.0)
    if inner is None or outer is None:
        return {}
    radius = (inner + outer) / 2
    at = {Place(space): circle for space, circle in spaces.items()}
    regions: dict[Place, Shape] = {}
    for sector in board.sectors:
        turn = sector_direction(board, sector, at)
        moon = Circle(on_arc(spaces[POLARIS].at, radius, turn), outer - radius)
        regions[Place(str(sector), "dial")] = fields.shapes[f"{FRAME_KEY}.{sector}"] = moon
    return regions


def _size(fields: FieldReader) -> tuple[float, float] | None:
    written = fields.data.get(LINKS_KEY)
    if not isinstance(written, dict):
        fields.wrong(LINKS_KEY, "must be {size: [length, width]}")
        return None
    size = fields.point(f"{LINKS_KEY}.size", written.get("size"), above=0.0)
    if size is not None and size[0] < size[1]:
        fields.wrong(f"{LINKS_KEY}.size", "must be the length, along the link, then the width")
    return size


def _between(one: Circle, other: Circle, size: tuple[float, float]) -> Bar:
    (x, y), (to_x, to_y) = one.at, other.at
    turn = math.degrees(math.atan2(to_y - y, to_x - x))
    return Bar(((x + to_x) / 2, (y + to_y) / 2), size, turn)
