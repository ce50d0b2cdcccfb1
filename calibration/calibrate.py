"""Calibrate: make a profile from one photograph of the empty board."""

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.colour_profile import COLOUR_FILE
from calibration.edges import BY_HAND
from calibration.layout import Layout, ProfileError, dump_layout, load_layout
from calibration.lens import straighten_sides
from calibration.orientation import quarter_turns
from calibration.profile import (
    DECK_FILE,
    LAYOUT_FILE,
    PX_PER_MM,
    REFERENCE_FILE,
    Image,
    built_in_profiles,
    encode_reference,
    reference_size,
)
from calibration.shading import correct_shading
from scorer.places import LAYOUT_WORDS

LEAST_SIDE_PX = 240.0
BACKUP = ".bak"
_SOURCE = "photograph"


def calibrate(
    photo: Image,
    corners: Sequence[Sequence[float]] | Floats,
    layout_path: Path,
    name: str,
    out_dir: Path,
) -> Path:
    """Make the profile `out_dir`/`name` from a photograph of the empty board; return its folder.

    `photo` is (H, W, 3) uint8 BGR; `corners` are four (x, y) in its pixels, clockwise from the
    printed top-left, right to a few pixels: they are moved to the board's visible edges. The folder
    is written atomically; an existing profile of that name is kept as `NAME.bak`. Raises
    `ProfileError` for invalid corners, layouts, names or destinations.
    """
    check_name(name)
    layout = load_layout(Path(layout_path))
    given = check_corners(corners, (photo.shape[1], photo.shape[0]))
    sides = straighten_sides(photo, given, BY_HAND)
    turns = quarter_turns(sides.photo, sides.corners, layout)
    if turns:
        advice = f"start at the wrong one: the printed top-left is number {turns + 1}"
        raise _refused("corners", f"{advice}, or else the layout is another board's")
    return make_profile(sides.photo, sides.corners, layout, name, Path(out_dir))


def make_profile(photo: Image, corners: Floats, layout: Layout, name: str, out_dir: Path) -> Path:
    """Make a profile from corners (4, 2) px that are taken as exact; return the folder."""
    return write_profile(layout, make_reference(photo, corners, layout), name, out_dir)


def make_reference(photo: Image, corners: Floats, layout: Layout) -> Image:
    """The reference of a board, given its exact corners (4, 2) px in a photograph."""
    return correct_shading(rectify(photo, corners, layout), layout, PX_PER_MM)


def check_corners(corners: Sequence[Sequence[float]] | Floats, size: tuple[int, int]) -> Floats:
    """The corners as (4, 2); raises `ProfileError` with the reason if they are invalid.

    `size` is the photograph's width and height in px.
    """
    try:
        points = np.asarray(corners, np.float64)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise _refused("corners", "must be four points x,y, clockwise from the printed top-left")
    outside = (points < -1).any(axis=1) | (points > np.array(size)).any(axis=1)
    if outside.any():
        x, y = points[outside][0]
        corner, (width, height) = f"{x:g},{y:g}", size
        reason = LAYOUT_WORDS.say("corner_outside", corner=corner, width=width, height=height)
        raise _refused("corners", reason)
    sides = np.roll(points, -1, axis=0) - points
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if (turns < 0).all():
        raise _refused("corners", LAYOUT_WORDS.say("anticlockwise"))
    if not (turns > 0).all():
        raise _refused("corners", LAYOUT_WORDS.say("no_outline"))
    shortest = float(np.linalg.norm(sides, axis=1).min())
    if shortest < LEAST_SIDE_PX:
        reason = LAYOUT_WORDS.say("too_small", seen=round(shortest), least=round(LEAST_SIDE_PX))
        raise _refused("", reason)
    return points


def rectify(photo: Image, corners: Floats, layout: Layout) -> Image:
    """The board from straight above at `PX_PER_MM`, (H, W, 3) uint8 BGR.

    A photograph at a higher resolution is averaged, not sampled.
    """
    width, height = reference_size(layout.size_mm)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    finer = int(np.clip(np.ceil(sides.max() / min(width, height)), 1, 4))
    # Pixel centres are whole numbers: the board's edge is half a pixel before.
    low, right, bottom = -0.5, width * finer - 0.5, height * finer - 0.5
    edges = np.array([[low, low], [right, low], [right, bottom], [low, bottom]], np.float32)
    straighten = cv2.getPerspectiveTransform(corners.astype(np.float32), edges)
    fine = cv2.warpPerspective(
        photo,
        straighten,
        (width * finer, height * finer),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    shown = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(shown, np.uint8)


def check_name(name: str) -> None:
    """Raise `ProfileError` for an invalid name of an owner's profile."""
    if not re.fullmatch(r"\w[\w-]{0,63}", name):
        raise ProfileError(name, [("name", "must be letters, digits, - and _, 64 at most")])
    if any(own.name == name for own in built_in_profiles().values()):
        raise ProfileError(name, [("name", "is a built-in profile's; choose another")])


def _refused(key: str, reason: str) -> ProfileError:
    return ProfileError(_SOURCE, [(key, reason)])


def write_profile(layout: Layout, reference: Image, name: str, out_dir: Path) -> Path:
    """Write the profile `out_dir`/`name` atomically; return its folder.

    `reference` is (H, W, 3) uint8 BGR. An existing profile of that name is kept as `NAME.bak`; its
    colours and cards are carried over. Raises `ProfileError` if that fails.
    """
    try:
        with _whole_folder(out_dir / name) as folder:
            for kept in (COLOUR_FILE, DECK_FILE):
                with suppress(FileNotFoundError):
                    shutil.copy(out_dir / name / kept, folder)
            (folder / REFERENCE_FILE).write_bytes(encode_reference(reference))
            (folder / LAYOUT_FILE).write_text(dump_layout(layout), encoding="utf-8")
    except OSError as error:
        raise ProfileError(
            out_dir, [("", f"cannot be written ({error.strerror or error})")]
        ) from error
    return out_dir / name


@contextmanager
def _whole_folder(target: Path) -> Iterator[Path]:
    """Yield a folder to fill, which replaces the target only once it is complete."""
    backup = target.with_name(target.name + BACKUP)
    for place in (target, backup):
        if place.exists() and not (place / LAYOUT_FILE).is_file():
            raise ProfileError(
                place, [("", "is in the way and is no profile; choose another name")]
            )
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield folder
        folder.chmod(0o755)
        _replace(folder, target, backup)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _replace(folder: Path, target: Path, backup: Path) -> None:
    if not target.exists():
        folder.replace(target)
        return
    shutil.rmtree(backup, ignore_errors=True)
    target.replace(backup)
    try:
        folder.replace(target)
    except OSError:
        backup.replace(target)
        raise
