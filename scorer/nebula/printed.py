"""What a layout file says of a Galaxy board: its spaces, its black-star track, its topology."""

from dataclasses import replace
from typing import Any, TypeGuard

from scorer.nebula.board import GalaxyBoard, Track, board_from_data
from scorer.nebula.words import BLACK
from scorer.places import LAYOUT_WORDS, Circle, FieldReader, Place, Point, PrintedBoard, Shape

TRACK_KEY = "black_track"


def read_printed(fields: FieldReader) -> PrintedBoard | None:
    """The board of a layout's fields; None, and every mistake noted, where they are wrong."""
    spaces = fields.circles("spaces")
    slots = _Slots(fields)
    board = fields.topology(board_from_data)
    if board is None or slots.track is None:
        return None
    if spaces:
        fields.same_names("spaces", board)
    places: dict[Place, Shape] = {Place(name): circle for name, circle in spaces.items()}
    places |= {Place(BLACK, "track", i): circle for i, circle in enumerate(slots.circles)}
    return PrintedBoard(replace(board, track=slots.track), places)


def printed_data(printed: PrintedBoard) -> dict[str, Any]:
    """A layout's fields, in the order a person reads them, but for its topology."""
    board = printed.board
    assert isinstance(board, GalaxyBoard) and board.track is not None
    spots = {place.id: shape for place, shape in printed.places.items() if place.kind == "spot"}
    slots = [shape for place, shape in printed.places.items() if place.kind == "track"]
    return {
        "spaces": {
            name: {"at": list(shape.at), "radius": shape.radius} for name, shape in spots.items()
        },
        TRACK_KEY: {
            "at": [list(shape.at) for shape in slots],
            "radius": slots[0].radius,
            "points": list(board.track.points),
            "full": board.track.full,
        },
    }


class _Slots:
    """The black-star track of a layout: its slots' circles, and the numbers printed in them."""

    def __init__(self, fields: FieldReader) -> None:
        self.circles: tuple[Circle, ...] = ()
        self.track: Track | None = None
        written = fields.data.get(TRACK_KEY)
        if not isinstance(written, dict):
            shape = "{at: [[x, y], ...], radius: r, points: [...], full: n}"
            fields.wrong(TRACK_KEY, f"must be {shape}")
            return
        before = len(fields.problems)
        centres = self._centres(fields, written.get("at"))
        radius = fields.number(f"{TRACK_KEY}.radius", written.get("radius"), above=0.0)
        points, full = written.get("points"), written.get("full")
        if not isinstance(points, list) or not all(_is_score(value) for value in points):
            fields.wrong(f"{TRACK_KEY}.points", LAYOUT_WORDS.say("whole_numbers"))
            points = []
        elif centres and len(points) != len(centres):
            counts = {"numbers": len(points), "spaces": len(centres)}
            fields.wrong(f"{TRACK_KEY}.points", LAYOUT_WORDS.say("numbers_for_spaces", **counts))
        elif points != sorted(points):
            fields.wrong(f"{TRACK_KEY}.points", LAYOUT_WORDS.say("falls"))
        if radius is not None:
            fields.shapes |= {
                f"{TRACK_KEY}.at[{i}]": Circle(at, radius)
                for i, at in enumerate(centres)
                if at is not None
            }
        if not _is_score(full):
            fields.wrong(f"{TRACK_KEY}.full", LAYOUT_WORDS.say("whole_number"))
            return
        if points and full < points[-1]:
            fields.wrong(f"{TRACK_KEY}.full", LAYOUT_WORDS.say("full_less"))
        if len(fields.problems) == before and radius is not None:
            self.circles = tuple(Circle(at, radius) for at in centres if at is not None)
            self.track = Track(tuple(points), full)

    def _centres(self, fields: FieldReader, written: object) -> list[Point | None]:
        if not isinstance(written, list) or not written:
            fields.wrong(f"{TRACK_KEY}.at", "must be a list of [x, y] in mm")
            return []
        return [fields.point(f"{TRACK_KEY}.at[{i}]", at) for i, at in enumerate(written)]


def _is_score(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 999
