"""A board profile: a folder with `layout.yaml` and, once calibrated, `reference.png`."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import platformdirs

from calibration.layout import Layout, ProfileError, Space, Track, load_layout
from scorer.datafile import open_regular
from scorer.nebula import GalaxyBoard

PX_PER_MM = 4
LAYOUT_FILE = "layout.yaml"
REFERENCE_FILE = "reference.png"
BUILT_IN = Path(__file__).parent / "profiles"
MAX_REFERENCE_BYTES = 32 * 1024 * 1024

Image = npt.NDArray[np.uint8]
"""A picture, (H, W, 3) uint8 BGR."""


@dataclass(frozen=True, eq=False)
class Profile:
    """One printed board: its layout and what it looks like empty.

    `reference` is the empty board seen straight from above, (H, W, 3) uint8 BGR at
    `PX_PER_MM` pixels a millimetre; None for a board that has not been calibrated yet.
    A `built_in` profile's board is the one that this project draws and prints.
    """

    name: str
    layout: Layout
    reference: Image | None = None
    built_in: bool = False

    @property
    def title(self) -> str:
        """The board's name in words."""
        return self.layout.title

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the outer edge in mm."""
        return self.layout.size_mm

    @property
    def spaces(self) -> Mapping[str, Space]:
        """The board's spaces by their id."""
        return self.layout.spaces

    @property
    def places(self) -> dict[str, Space]:
        """Every place for a star: the spaces, then ``track 0`` and on."""
        return self.layout.places

    @property
    def track(self) -> Track:
        """The black-star track."""
        return self.layout.track

    @property
    def board(self) -> GalaxyBoard:
        """What the spaces mean to the game."""
        return self.layout.board

    @property
    def px_per_mm(self) -> int:
        """The reference's scale."""
        return PX_PER_MM

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the reference in px."""
        return reference_size(self.size_mm)


def reference_size(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Width and height in px of the reference of a board of that size."""
    return round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM)


def owner_profiles() -> Path:
    """The folder of the profiles that this computer's owner has calibrated."""
    return Path(platformdirs.user_data_dir("stargazer", appauthor=False)) / "profiles"


def profile_names() -> list[str]:
    """Name every profile that can be loaded by name, built-in ones first."""
    names: dict[str, None] = {}
    for folder in (BUILT_IN, owner_profiles()):
        found = sorted(path.parent.name for path in folder.glob(f"*/{LAYOUT_FILE}"))
        names |= dict.fromkeys(name for name in found if "." not in name)  # not half-made, not .bak
    return list(names)


def load_profile(name_or_path: str | Path) -> Profile:
    """Load a profile by its name, or from its folder or its layout file.

    A name is looked up among the built-in profiles first, then among the owner's.
    Raises `ProfileError` for an unknown name and for a file that is not what it should be.
    """
    folder, layout_path = _find(name_or_path)
    layout = load_layout(layout_path)
    return Profile(
        name=folder.name,
        layout=layout,
        reference=_load_reference(folder / REFERENCE_FILE, layout),
        built_in=folder.resolve().parent == BUILT_IN.resolve(),
    )


def _find(name_or_path: str | Path) -> tuple[Path, Path]:
    """Return a profile's folder and its layout file."""
    if isinstance(name_or_path, str) and Path(name_or_path).name == name_or_path:
        for place in (BUILT_IN, owner_profiles()):
            if (place / name_or_path / LAYOUT_FILE).is_file():
                return place / name_or_path, place / name_or_path / LAYOUT_FILE
    path = Path(name_or_path).expanduser()
    if path.is_file():
        return path.resolve().parent, path
    if (path / LAYOUT_FILE).is_file():
        return path.resolve(), path / LAYOUT_FILE
    known = ", ".join(profile_names())
    raise ProfileError(
        name_or_path,
        [("", f"no such profile; give one of {known}, or a folder with a {LAYOUT_FILE}")],
    )


def _load_reference(path: Path, layout: Layout) -> Image | None:
    if not path.is_file():
        return None
    with open_regular(path) as file:
        raw = file.read(MAX_REFERENCE_BYTES)
    size, (width, height) = _png_size(raw), reference_size(layout.size_mm)
    if size and size != (width, height):  # told before a pixel of it takes memory
        told = f"is {size[0]} x {size[1]} px where the layout asks for"
        raise ProfileError(path, [("", f"{told} {width} x {height}; calibrate the board again")])
    image = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR) if size else None
    if image is None:
        raise ProfileError(path, [("", "is not a readable picture; calibrate the board again")])
    return np.asarray(image, np.uint8)


def _png_size(raw: bytes) -> tuple[int, int] | None:
    """Width and height as the header of a PNG says them; None for what is no PNG."""
    if len(raw) < 24 or not raw.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    width, height = struct.unpack(">II", raw[16:24])
    return width, height
