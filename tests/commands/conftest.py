"""Photographs, games and a stand-in for the reader, for tests of the commands themselves."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image

import vision
from scorer.board_state import LoosePiece, PlaceReading, TrackReading
from scorer.flags import Flag
from scorer.places import Place
from scorer.table import UNKNOWN_TABLE, RolesByGame
from vision.reading import BoardReading, Reading

STARS_READ = {"core": "red", "ar1": "blue", "ar2": "red", "ar3": None, "ta1": "yellow"}
BOARD_READ = BoardReading(
    profile="standard",
    game="nebula",
    to_photo=np.eye(3),
    corners=np.array([[10, 10], [90, 10], [90, 70], [10, 70]]),
    places={Place(space): PlaceReading(star, 0.99) for space, star in STARS_READ.items()},
    tracks={"black": TrackReading(4, 0.99, ("black",) * 4)},
    loose=(LoosePiece("blue", (30.0, 40.0)),),
    flags=(Flag("uncertain", ("ta1",), {"alternatives": {"yellow": 0.55, "orange": 0.43}}),),
)


class ReaderByName:
    """Stands in for `vision.Reader`, `vision.Library`: by its name a photograph is read."""

    def __init__(self, of: object) -> None:
        self.profile = of

    of = classmethod(lambda cls, profile: cls(profile))

    def read(
        self,
        photo: vision.Photo,
        load_ms: float,
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> Reading:
        if "empty-table" in photo.name:
            raise vision.NoBoardError("no board found: get the whole board into the picture")
        if "cropped" in photo.name:
            raise vision.UnreadableBoardError("a corner is cut off: step back and try again")
        boards = (BOARD_READ,) * (2 if "two-boards" in photo.name else 1)
        return Reading(photo.name, photo.size, boards, {"load": load_ms, "total": load_ms + 5})


@pytest.fixture
def reader_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read no pixels: these tests are about what the command makes of a reading."""
    for name in ("Reader", "Library"):  # of one board, and of all that are known
        monkeypatch.setattr(vision, name, ReaderByName)
    monkeypatch.setattr(
        "webapp.cli.terminal.photographs.draw_overlay",
        lambda photo, reading, profiles, broken: photo.image,
    )


@pytest.fixture
def photograph(tmp_path: Path) -> Callable[[str], Path]:
    """Write a small picture under a name."""

    def write(name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        noise = np.random.default_rng(3).integers(0, 256, (80, 100, 3), dtype=np.uint8)
        Image.fromarray(noise).save(path)
        return path

    return write


GAME = {
    "format": 1,
    "game": "nebula",
    "mode": "full",
    "edition": "standard",
    "career": ["V5", "V7", "V12", "V17"],
    "advanced": ["B3", "B16", "B20", "B24"],
    "values": {
        "colours": ["yellow", "red", "blue"],
        "constellations": ["aries", "gemini"],
        "advanced": ["II", "I", "IV"],
    },
    "players": [
        {
            "name": "Ana",
            "stars": {"core": "red", "ar1": "blue", "ar2": "yellow"},
            "black": 4,
            "personal": "O19",
            "career": {"V5": "first"},
        },
        {"name": "Luis", "stars": {"core": "blue"}, "black": 1, "personal": "O3", "career": {}},
    ],
}


@pytest.fixture
def game_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a game file: the sample with top-level keys replaced."""

    def write(name: str = "game.yaml", **changes: object) -> Path:
        path = tmp_path / name
        path.write_text(yaml.safe_dump({**GAME, **changes}), encoding="utf-8")
        return path

    return write
