"""Jobs on the photograph of a board being added, run in the process that decodes photographs.

A draft's folder holds the uploaded `photo` and the lens's `distortion` coefficient. These jobs make
`preview.jpg`, the undistorted photograph, and `board.jpg`, the rectified board. Corners are
fractions of the undistorted photograph's width and height, clockwise from the printed top left.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from calibration import ProfileError, check_corners, load_profile, owned, versions
from calibration.arrays import Floats
from calibration.calibrate import make_profile, make_reference
from calibration.layout import layout_from_data
from calibration.lens import distort_points, undistort
from calibration.proposal import match_board, occupied_areas, propose_layout
from calibration.side_boards import pattern
from scorer.places import LAYOUT_WORDS, on_arc
from scorer.registry import names
from vision import Photo, PhotoError, load_models, load_photo, occupied_spaces, rough_outlines
from vision.locate import Finder
from vision.models import Models
from vision.rectify import homography, transform, warp
from webapp.app.reading.photograph_reader import jpeg, shrunk
from webapp.app.reading.read_photograph import UnusablePhotographError

Corners = Sequence[Sequence[float]]

BOARD_SIDE = 1600
WHOLE_PICTURE = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
"""The corners if the picture shows the board alone, as a profile's reference does."""
NO_BOARD, NOT_EMPTY = "no_board", "not_empty"
"""The problems for which a proposal is rejected, unless the owner overrides it."""
OUTSIDE = 0.01
"""The tolerance for corners outside the photograph, as a fraction of its longer side."""
FAR_MM = 1e6
DISTORTION = "distortion"
SOURCE = "the board"
SIZE, AS_KNOWN = "size_mm", "as_known"
"""Doubts other than the `Missing`: an assumed size, and places copied from a known board."""


def propose(folder: Path, known: str, corners: Corners | None) -> dict[str, Any]:
    """Propose a layout from a draft's photograph; return the changed fields of the draft.

    `known` is a game, or a board as `calibration.side_boards.pattern` names it.
    Raises UnusablePhotographError, and ProfileError for invalid corners.
    """
    photo = _load(folder)
    models = load_models(known) if known in names() else Models.of_places(pattern(known).game)
    outline, beginnings = _beginnings(folder, photo, models.finder, corners)
    proposal = propose_layout(photo.image, known, corners=outline, beginnings=beginnings)
    photo, shown = _show_match(
        folder, photo, proposal.corners, proposal.distortion, proposal.size_mm
    )
    unknown = [] if proposal.size_known else [SIZE]
    unknown += [one.id for one in proposal.unread]
    problem = None
    if corners is None and not proposal.is_board:
        problem = NO_BOARD
    elif corners is None and occupied_spaces(
        photo.image, proposal.corners, proposal.draft, models.detector
    ):
        problem = NOT_EMPTY
    return {
        "state": "failed" if problem else "proposed",
        "problem": problem,
        "corners": shown,
        "layout": dict(proposal.layout),
        "doubtful": [*unknown, *(one.id for one in proposal.missing)],
    }


def match(
    folder: Path, like: str, corners: Corners | None, layout: Mapping[str, Any]
) -> dict[str, Any]:
    """Register a draft's photograph to a profile's board; return the changed fields of the draft.

    `layout` is taken as given. Raises the same errors as `propose`.
    """
    photo, known = _load(folder), load_profile(like)
    finder = load_models(known.layout.game).finder
    found = match_board(photo.image, known, *_beginnings(folder, photo, finder, corners))
    photo, shown = _show_match(folder, photo, found.corners, found.distortion, _size(layout))
    problem = None if found.is_board else NO_BOARD
    if corners is None and not problem and occupied_areas(photo.image, found.corners, known):
        problem = NOT_EMPTY
    return {
        "state": "failed" if problem else "proposed",
        "problem": problem,
        "corners": shown,
        "layout": dict(layout),
        "doubtful": [SIZE, AS_KNOWN],
    }


def _show_match(
    folder: Path, photo: Photo, corners: Floats, distortion: float, size_mm: tuple[float, float]
) -> tuple[Photo, list[list[float]]]:
    """Make the pictures of a board that was found.

    Returns the undistorted photograph and the corners as fractions of it.
    """
    (folder / DISTORTION).write_text(repr(distortion), encoding="ascii")
    photo = photo.showing(undistort(photo.image, distortion))
    found = _inside(photo, np.asarray(corners, float))
    (folder / "preview.jpg").write_bytes(jpeg(shrunk(photo.image)))
    _show_board(folder, photo, found, size_mm)
    height, width = photo.image.shape[:2]
    return photo, (found / (width, height)).round(6).tolist()


def _beginnings(
    folder: Path, photo: Photo, finder: Finder | None, corners: Corners | None
) -> tuple[Floats | None, Iterable[Floats]]:
    """Return the given corners in px of the distorted photograph, or, without any, candidates."""
    if corners is None:
        return None, rough_outlines(finder, photo.image)
    height, width = photo.image.shape[:2]
    given = distort_points(_pixels(photo, corners), _distortion(folder), (width, height))
    return given, ()


def show_pictures(folder: Path, corners: Corners, layout: Mapping[str, Any]) -> None:
    """Make the pictures of a draft whose layout is known. Raises as `straighten` does."""
    photo = _photo(folder)
    (folder / "preview.jpg").write_bytes(jpeg(shrunk(photo.image)))
    _show_board(folder, photo, _pixels(photo, corners), _size(layout))


def straighten(
    folder: Path, before: Corners, after: Corners, layout: Mapping[str, Any]
) -> dict[str, Any]:
    """Rectify the board with other corners; return the layout with its places unmoved in the photo.

    Raises UnusablePhotographError, and ProfileError for invalid corners or size.
    """
    photo = _photo(folder)
    old, new = _pixels(photo, before), _pixels(photo, after)
    size = _size(layout)
    _show_board(folder, photo, new, size)
    onto = np.linalg.inv(homography(new, size)) @ homography(old, size)
    return {key: _moved(value, onto) for key, value in layout.items()}


def add_board(folder: Path, corners: Corners, layout: Mapping[str, Any], title: str) -> str:
    """Add a draft's board to the owner's profiles; return its name. Raises ProfileError."""
    title = owned.check_title(title)
    checked = layout_from_data({**layout, "name": title}, SOURCE)
    photo = _photo(folder)
    return owned.add_profile(checked, make_reference(photo.image, _pixels(photo, corners), checked))


def change_board(
    folder: Path, corners: Corners, layout: Mapping[str, Any], title: str, name: str
) -> None:
    """Change one of the owner's profiles to a draft's board. Raises ProfileError."""
    checked = layout_from_data({**layout, "name": owned.check_title(title)}, SOURCE)
    before = load_profile(name)
    reference = before.require_reference()
    if corners != WHOLE_PICTURE or checked.size_mm != before.size_mm:  # else it is identical
        photo = _photo(folder)
        reference = make_reference(photo.image, _pixels(photo, corners), checked)
    versions.change_profile(name, checked, reference)


def try_board(folder: Path, corners: Corners, layout: Mapping[str, Any], name: str) -> None:
    """Write a draft's profile into its folder under `name`. Raises ProfileError."""
    checked = layout_from_data(layout, SOURCE)
    photo = _photo(folder)
    make_profile(photo.image, _pixels(photo, corners), checked, name, folder)


def _photo(folder: Path) -> Photo:
    photo = _load(folder)
    return photo.showing(undistort(photo.image, _distortion(folder)))


def _distortion(folder: Path) -> float:
    try:
        return float((folder / DISTORTION).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0.0  # a draft from before distortion was estimated


def _load(folder: Path) -> Photo:
    try:
        return load_photo(folder / "photo")
    except PhotoError as error:
        raise UnusablePhotographError("not_a_photograph", str(error)) from error


def _pixels(photo: Photo, corners: Corners) -> Floats:
    """Convert corners to pixels. Raises ProfileError."""
    height, width = photo.image.shape[:2]
    return check_corners(np.asarray(corners, float) * (width, height), (width, height))


def _inside(photo: Photo, corners: Floats) -> Floats:
    """Clip corners (px) slightly outside the photograph to it. Raises ProfileError for others."""
    height, width = photo.image.shape[:2]
    moved = np.clip(corners, 0, (width, height))
    near = np.abs(moved - corners).max() <= OUTSIDE * max(width, height)
    return check_corners(moved if near else corners, (width, height))


def _size(layout: Mapping[str, Any]) -> tuple[float, float]:
    """Return the size (mm) of a layout that may be invalid otherwise. Raises ProfileError."""
    written = layout.get("size_mm")
    if isinstance(written, list) and len(written) == 2:
        width, height = written
        if all(isinstance(side, int | float) and 10 <= side <= 2000 for side in written):
            return float(width), float(height)
    reason = LAYOUT_WORDS.say("size_within", least="10", most="2,000")
    raise ProfileError(SOURCE, [("size_mm", reason)])


def _show_board(folder: Path, photo: Photo, corners: Floats, size_mm: tuple[float, float]) -> None:
    """Write the rectified picture of the board."""
    scale = BOARD_SIDE / max(size_mm)
    to_px = np.diag([scale, scale, 1.0]) @ np.linalg.inv(homography(corners, size_mm))
    width, height = (round(side * scale) for side in size_mm)
    board = warp(photo.image, to_px, (width, height))
    (folder / "board.jpg").write_bytes(jpeg(board))


def _moved(data: Any, onto: Floats) -> Any:
    """Return layout data with all shapes transformed: circles, bars, polygons, wedges."""
    if not isinstance(data, Mapping):
        return data
    if "radii" in data and "centre" in data:
        return _moved_wedge(data, onto)
    return {
        key: _moved_points(value, onto)
        if key == "at" or (key == "points" and _are_points(value))
        else _moved(value, onto)
        for key, value in data.items()
    }


def _are_points(value: Any) -> bool:
    """Whether these are a polygon's corners; a track's `points` are numbers."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


def _moved_wedge(wedge: Mapping[str, Any], onto: Floats) -> Mapping[str, Any]:
    """Transform a wedge; its new radii are measured along its bisector."""
    drawn = wedge.get("centre"), wedge.get("radii"), [wedge.get("from"), wedge.get("to")]
    pairs = [one for one in map(_numbers, drawn) if one is not None and one.shape == (2,)]
    if len(pairs) < len(drawn):
        return wedge
    (x, y), radii, sides = (pair.tolist() for pair in pairs)
    reached = [on_arc((x, y), radius, sum(sides) / 2) for radius in radii]
    ends = [on_arc((x, y), sum(radii) / 2, turn) for turn in sides]
    moved = transform(onto, np.array([(x, y), *reached, *ends]))
    off = moved[1:] - moved[0]
    turns = np.degrees(np.arctan2(off[2:, 0], -off[2:, 1]))
    turns += 360 * np.rint((np.array(sides) - turns) / 360)
    return {
        **wedge,
        "centre": moved[0].round(2).tolist(),
        "radii": np.hypot(*off[:2].T).round(2).tolist(),
        "from": round(float(turns[0]), 2),
        "to": round(float(turns[1]), 2),
    }


def _moved_points(at: Any, onto: Floats) -> Any:
    """Transform one point [x, y] or a list of points; return anything else unchanged."""
    points = _numbers(at)
    if points is None or points.shape[-1:] != (2,):
        return at
    moved = transform(onto, points.reshape(-1, 2)).round(2)
    return moved.reshape(points.shape).tolist()


def _numbers(value: Any) -> Floats | None:
    """Return an array of mm or degrees; None if not numeric or beyond any board."""
    try:
        found = np.asarray(value, float)
    except (TypeError, ValueError):
        return None
    return found if found.size and (np.abs(found) < FAR_MM).all() else None
