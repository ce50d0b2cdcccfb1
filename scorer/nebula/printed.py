"""The fields of a Galaxy board's layout file: spaces, track, topology and points of cards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from scorer.editions import EditionError
from scorer.nebula.board import STANDARD_BOARD, GalaxyBoard, Track
from scorer.nebula.edition import STANDARD, Edition, load_edition
from scorer.nebula.words import BLACK
from scorer.places import (
    LAYOUT_WORDS,
    Circle,
    FieldReader,
    Place,
    Point,
    PrintedBoard,
    Shape,
    written,
)

TRACK_KEY = "black_track"
EDITION_KEY = "edition"


def read_printed(fields: FieldReader) -> PrintedBoard | None:
    """The board of a layout's fields; None, with every mistake noted, if they are wrong."""
    spaces = fields.circles("spaces")
    slots = _Slots(fields)
    board = fields.topology(STANDARD_BOARD, "scorer.nebula.board_file:read_board")
    edition = _edition(fields)
    if board is None or slots.track is None:
        return None
    if spaces:
        fields.same_names("spaces", board)
    places: dict[Place, Shape] = {Place(name): circle for name, circle in spaces.items()}
    places |= {Place(BLACK, "track", i): circle for i, circle in enumerate(slots.circles)}
    return PrintedBoard(replace(board, track=slots.track, edition=edition), places)


def printed_data(printed: PrintedBoard) -> dict[str, Any]:
    """The fields of a layout except its topology, in reading order."""
    board = printed.board
    assert isinstance(board, GalaxyBoard) and board.track is not None
    return {
        "spaces": written(printed.places, "spot"),
        TRACK_KEY: _track_data(printed.places, board.track.points, board.track.full),
        **_edition_data(board.edition),
    }


def _track_data(places: Mapping[Place, Shape], points: Sequence[int], full: int) -> dict[str, Any]:
    slots = [shape for place, shape in places.items() if place.kind == "track"]
    radius = (slots or list(places.values()))[0].radius  # of a space if there are no slots yet
    at = [list(shape.at) for shape in slots]
    return {"at": at, "radius": radius, "points": list(points), "full": full}


def _edition(fields: FieldReader) -> Edition | None:
    """The points of cards in a layout's fields, which extend the standard edition; None if none."""
    written = fields.data.get(EDITION_KEY)
    if written is None:
        return None
    known = load_edition(STANDARD).points_data()
    if not isinstance(written, Mapping) or not written.keys() <= known.keys():
        reason = f"must hold what cards give, of {', '.join(known)}"
        fields.wrong(EDITION_KEY, reason)
        return None
    from scorer.nebula.edition_file import edition_from_data

    try:
        return edition_from_data({"extends": STANDARD, **written}, STANDARD)
    except EditionError as error:
        for key, reason in error.problems:
            fields.wrong(f"{EDITION_KEY}.{key}".rstrip("."), reason)
        return None


def _edition_data(edition: Edition | None) -> dict[str, Any]:
    """The layout's field for points that differ from the standard edition, if any do."""
    if edition is None:
        return {}
    known = load_edition(STANDARD).points_data()
    own = {key: value for key, value in edition.points_data().items() if value != known[key]}
    return {EDITION_KEY: own} if own else {}


class _Slots:
    """The black-star track of a layout: the circles of its slots, and the numbers printed there."""

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
        if isinstance(points, list) and None in points:
            fields.wrong(f"{TRACK_KEY}.points", LAYOUT_WORDS.say("numbers_missing"))
            points = []
        elif not isinstance(points, list) or not all(_is_score(value) for value in points):
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
            problem = "full_missing" if full is None else "whole_number"
            fields.wrong(f"{TRACK_KEY}.full", LAYOUT_WORDS.say(problem))
            return
        if points and full < points[-1]:
            fields.wrong(f"{TRACK_KEY}.full", LAYOUT_WORDS.say("full_less"))
        if len(fields.problems) == before and radius is not None:
            self.circles = tuple(Circle(at, radius) for at in centres if at is not None)
            self.track = Track(tuple(points), full)

    def _centres(self, fields: FieldReader, written: object) -> list[Point | None]:
        if not isinstance(written, list) or not written:
            problem = (
                LAYOUT_WORDS.say("no_slots") if written == [] else "must be a list of [x, y] in mm"
            )
            fields.wrong(f"{TRACK_KEY}.at", problem)
            return []
        return [fields.point(f"{TRACK_KEY}.at[{i}]", at) for i, at in enumerate(written)]


def _is_score(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 999
