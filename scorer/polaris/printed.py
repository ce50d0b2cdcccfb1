"""What a layout file says of a night sky: its spaces, the size of its link spaces, its topology."""

import math
from typing import Any

from scorer.places import Bar, Circle, FieldReader, Place, PrintedBoard, Shape
from scorer.polaris.board import SkyBoard, board_from_data

LINKS_KEY = "links"


def read_printed(fields: FieldReader) -> PrintedBoard | None:
    """The board of a layout's fields; None, and every mistake noted, where they are wrong.

    Polaris is among the `spaces`. A link space lies in the middle between its ends, along their
    line; `links.size` is the length and the width of all of them, in mm.
    """
    spaces = fields.circles("spaces")
    board = fields.topology(board_from_data)
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
    return PrintedBoard(board, places)


def printed_data(printed: PrintedBoard) -> dict[str, Any]:
    """A layout's fields, in the order a person reads them, but for its topology."""
    assert isinstance(printed.board, SkyBoard)
    spots = {place.id: shape for place, shape in printed.places.items() if place.kind == "spot"}
    bars = [shape for shape in printed.places.values() if isinstance(shape, Bar)]
    return {
        "spaces": {
            name: {"at": list(shape.at), "radius": shape.radius} for name, shape in spots.items()
        },
        LINKS_KEY: {"size": list(bars[0].size)},
    }


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
