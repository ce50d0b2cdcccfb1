"""Sets of household tokens for a printed game, from the game's `kits.yaml`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from calibration import Profile
from calibration.artwork import artwork
from calibration.drawing import Drawing, Mark, Point, rasterise
from models.rendering.home_printer import Printer
from models.rendering.scene import TokenSet
from scorer.datafile import read_package_file
from scorer.places import Bar

FACE = 16
"""Resolution of printed tokens, in px per mm."""


@dataclass(frozen=True)
class PrintAndPlaySet:
    """A game printed at home: tokens of one make, the printer and the paper; sizes in mm.

    Tokens without paints are printed on paper. If `fitted`, bars are sized relative to the board's
    bars, and a radius without a `lathe` relative to its smallest space. `margin` is the paper left
    beside and above a board that was not cut out.
    """

    tokens: TokenSet
    printer: Printer
    fitted: bool = False
    thickness: float = 0.0
    roughness: float = 0.0
    margin: Point = (0.0, 0.0)

    def tokens_for(
        self, profile: Profile, sizes: Mapping[str, Point], folder: Path, seed: int = 0
    ) -> TokenSet:
        """The tokens for a board; printed ones, of these `sizes` in mm, go into a folder.

        Raise ValueError if bars are fitted to a board without bars.
        """
        tokens = self._fitted_to(profile) if self.fitted else self.tokens
        if tokens.paints:
            return tokens
        draw = artwork(profile.layout.game).draw_token
        faces = print_faces(draw, sizes, self.printer, folder, seed)
        others = {
            piece: replace(own, faces={piece: faces.pop(piece)})
            for piece, own in tokens.others.items()
        }
        return replace(tokens, faces=faces, others=others)

    def _fitted_to(self, profile: Profile) -> TokenSet:
        space = min(space.radius for space in profile.spaces.values())
        bars = [shape.size for shape in profile.places.values() if isinstance(shape, Bar)]
        if not bars:
            raise ValueError(f"{profile.layout.game} has no bars for the kit's to be fitted to")
        length, width = bars[0]
        others = {
            piece: replace(own, bar=(length * own.bar[0], width * own.bar[1])) if own.bar else own
            for piece, own in self.tokens.others.items()
        }
        radius = self.tokens.radius * (1.0 if self.tokens.lathe else space)
        return replace(self.tokens, radius=radius, others=others)


def load_sets(package: str) -> Mapping[str, PrintAndPlaySet]:
    """The kits of a package's `kits.yaml`, in order."""
    return {name: _set(**own) for name, own in read_package_file(package, "kits.yaml").items()}


def _set(
    tokens: Mapping[str, Any], printer: Mapping[str, Any] | None = None, **more: Any
) -> PrintAndPlaySet:
    return PrintAndPlaySet(_tokens(**tokens), Printer(**(printer or {})), **more)


def _tokens(others: Mapping[str, Any] | None = None, **own: Any) -> TokenSet:
    made = {piece: _tokens(**other) for piece, other in (others or {}).items()}
    return TokenSet(**own, others=made)


def print_faces(
    draw: Callable[[str, Point], Sequence[Mark]],
    sizes: Mapping[str, Point],
    printer: Printer,
    folder: Path,
    seed: int = 0,
) -> dict[str, Path]:
    """Print each piece's face, of its size in mm, into a folder; seeds start at `seed`."""
    faces = {}
    for number, (piece, size) in enumerate(sizes.items(), seed):
        drawing = Drawing(size, tuple(draw(piece, (size[0] / 2, size[1] / 2))))
        faces[piece] = folder / f"{piece}.png"
        printed = printer.put(rasterise(drawing, FACE), FACE, seed=number)
        cv2.imwrite(str(faces[piece]), printed)
    return faces
