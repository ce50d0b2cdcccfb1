"""A drawing as printed by a home printer."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.rendering.phone import Image

_GAMMA = 2.2
_BLANK = 0.004


@dataclass(frozen=True)
class Printer:
    """A printer's inks and paper; the defaults print faithfully on white paper.

    `inks` are the shares of cyan, magenta and yellow actually printed, `deepest` the reflectance of
    full ink, 0 to 1. `bands` is the amplitude of ink variations along the sheet, with a period of
    `pitch` mm; `clogged` is the share of nozzles, `pitch` / 4 mm apart, that leave a bare line.
    """

    paper: str = "#ffffff"
    inks: tuple[float, float, float] = (1.0, 1.0, 1.0)
    deepest: float = 0.01
    bands: float = 0.0
    pitch: float = 6.0
    clogged: float = 0.0

    def put(self, drawing: Image, px_per_mm: float, seed: int = 0) -> Image:
        """The printed sheet of an (H, W, 3) uint8 BGR drawing; `seed` selects clogged nozzles."""
        rng = np.random.default_rng(seed)
        light = np.maximum((drawing / 255.0) ** _GAMMA, _BLANK)
        ink = -np.log(light)[..., ::-1]  # cyan takes red, magenta green, yellow blue
        rows = np.arange(len(drawing)) / px_per_mm
        waves = np.sin(2 * np.pi * (rows[:, None] / self.pitch + rng.random(3)))
        ink = ink * (np.array(self.inks) * (1 + self.bands * waves))[:, None]
        nozzle = (rows / (self.pitch / 4)).astype(int)
        beside = rows - nozzle * self.pitch / 4 < 0.25
        bare = rng.random((nozzle.max() + 1, 3)) < self.clogged
        ink = np.where((bare[nozzle] & beside[:, None])[:, None], 0.35 * ink, ink)
        paper = (np.array([*bytes.fromhex(self.paper[1:])]) / 255) ** _GAMMA
        shown = paper * (self.deepest + (1 - self.deepest) * np.exp(-ink))
        levels: npt.NDArray[np.float64] = 255 * shown[..., ::-1] ** (1 / _GAMMA)
        return np.asarray(np.rint(levels), np.uint8)
