"""Jobs on the photograph of an owner's stars, run in the process that decodes photographs.

A lesson's folder holds the uploaded `photo`; these jobs write `preview.jpg`, a smaller copy.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from calibration import load_profile
from vision import load_photo
from vision.colour_calibration import ColourCalibrationError, FoundPiece
from webapp.app.reading.board_reader import learn_stars, vision_errors
from webapp.app.reading.photograph_reader import jpeg, shrunk


def learn(folder: Path, profile: str) -> dict[str, Any]:
    """Calibrate a profile's pieces from a lesson's photograph; return the lesson's fields.

    Raises UnusablePhotographError, and ProfileError if the profile is gone.
    """
    known = load_profile(profile)
    with vision_errors():
        photo = load_photo(folder / "photo")
    height, width = photo.image.shape[:2]
    (folder / "preview.jpg").write_bytes(jpeg(shrunk(photo.image)))
    with vision_errors():
        try:
            lesson = learn_stars(known, photo)
        except ColourCalibrationError as error:
            failed = {"state": "failed", "problem": error.problem, "wanted": error.wanted}
            return {**failed, "size": [width, height], "pieces": _data(error.pieces)}
    return {
        "state": "found",
        "size": [width, height],
        "pieces": _data(lesson.pieces),
        "unsure": [list(pair) for pair in lesson.unsure],
        "wanted": len(lesson.pieces),
    }


def _data(pieces: Iterable[FoundPiece]) -> list[dict[str, Any]]:
    return [
        {
            "at": [round(value, 1) for value in piece.at],
            "radius": round(piece.radius, 1),
            "colour": piece.colour,
            "piece": piece.piece,
        }
        for piece in pieces
    ]
