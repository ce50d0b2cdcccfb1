"""The owner's own pieces: the colour of each kind in the light of a board's reference.

A file `stars.yaml` of swatches. Like every file of a profile, it is untrusted.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import yaml

from calibration.layout import ProfileError
from scorer import registry
from scorer.datafile import DataFileError, Problem, read_data_file

FORMAT = 1
COLOUR_FILE = "stars.yaml"
MOST_SWATCHES = 200
ALIKE = 0.15
"""Distance of two kinds' colours, as natural logarithms, below which they may be confused."""
BRIGHTNESS = 3.0
"""Factor by which brightness counts less than hue: light and shade affect it first."""
_DARKEST = 16.0


@dataclass(frozen=True)
class Swatch:
    """One observed piece: its kind's id, and its colour as #rrggbb."""

    piece: str
    colour: str

    @property
    def bgr(self) -> tuple[int, int, int]:
        """The colour's levels.

        >>> Swatch("orange", "#ff8000").bgr
        (0, 128, 255)
        """
        red, green, blue = bytes.fromhex(self.colour[1:])
        return blue, green, red


@dataclass(frozen=True)
class ColourProfile:
    """A set of pieces: any number of swatches of each kind, the newest last.

    >>> profile = ColourProfile((Swatch("red", "#c82828"), Swatch("orange", "#cc3028")))
    >>> profile.alike()
    (('red', 'orange'),)
    """

    swatches: tuple[Swatch, ...] = ()

    def __add__(self, other: "ColourProfile") -> "ColourProfile":
        return ColourProfile(self.swatches + other.swatches)

    def latest(self, each: int) -> "ColourProfile":
        """The last swatches of every kind, at most ``each``."""
        kept: list[Swatch] = []
        for swatch in reversed(self.swatches):
            if sum(other.piece == swatch.piece for other in kept) < each:
                kept.append(swatch)
        return ColourProfile(tuple(reversed(kept)))

    def bgr(self, piece: str, otherwise: str) -> tuple[float, float, float]:
        """The mean BGR levels of a kind's swatches, or those of ``otherwise``, #rrggbb, if none.

        >>> ColourProfile().bgr("orange", "#ff8000")
        (0.0, 128.0, 255.0)
        """
        own = [swatch.bgr for swatch in self.swatches if swatch.piece == piece]
        b, g, r = np.mean(own or [Swatch(piece, otherwise).bgr], axis=0)
        return float(b), float(g), float(r)

    def alike(self) -> tuple[tuple[str, str], ...]:
        """The pairs of kinds that are hard to distinguish by colour in this profile's light."""
        colours = log_opponents(np.array([s.bgr for s in self.swatches], float).reshape(-1, 3))
        weights = np.array([1, 1, 1 / BRIGHTNESS])
        pairs = {
            (one.piece, other.piece): None
            for (a, one), (b, other) in combinations(enumerate(self.swatches), 2)
            if one.piece != other.piece
            and np.linalg.norm((colours[a] - colours[b]) * weights) < ALIKE
        }
        return tuple(pairs)


def log_opponents(colours: np.ndarray) -> np.ndarray:
    """(N, 3) for (N, 3) BGR levels: red against cyan, green against blue, and brightness.

    They are logarithms, so that a change of light shifts all of them by the same amount.
    """
    b, g, r = np.log(np.asarray(colours, float) + _DARKEST).T
    return np.stack([r - (g + b) / 2, np.sqrt(3) / 2 * (g - b), (b + g + r) / 3], axis=1)


def colours_of(opponents: np.ndarray) -> np.ndarray:
    """(N, 3) BGR levels of (N, 3) `log_opponents`."""
    red, green, bright = np.asarray(opponents, float).T
    rest, aside = bright - red / 3, green / np.sqrt(3)
    logs = np.stack([rest - aside, rest + aside, bright + 2 * red / 3], axis=1)
    return np.asarray(np.exp(logs) - _DARKEST)


def load_colour_profile(path: Path, game: str) -> ColourProfile:
    """Read and check a file of swatches of a game's pieces; an empty profile without the file.

    Raises `ProfileError` with every mistake in it.
    """
    if not path.is_file():
        return ColourProfile()
    try:
        data = read_data_file(path)
    except DataFileError as error:
        raise ProfileError(path, error.problems) from error
    return colour_profile_from_data(data, game, path)


def colour_profile_from_data(data: object, game: str, source: str | Path) -> ColourProfile:
    """Check the content of such a file. Raises `ProfileError` about `source`."""
    kinds = [piece.id for piece in registry.find_game(game).pieces]
    problems: list[Problem] = []
    if not isinstance(data, Mapping) or not isinstance(data.get("swatches"), list):
        raise ProfileError(source, [("swatches", "must be a list of {piece: ..., colour: ...}")])
    if data.get("format", FORMAT) != FORMAT:
        problems.append(("format", f"must be {FORMAT}"))
    if data.get("game", game) != game:
        problems.append(("game", f"must be {game}, as the board's"))
    if len(data["swatches"]) > MOST_SWATCHES:
        problems.append(("swatches", f"must be {MOST_SWATCHES} at most"))
    swatches = []
    for number, written in enumerate(data["swatches"][:MOST_SWATCHES]):
        fields = written if isinstance(written, Mapping) else {}
        piece, colour = fields.get("piece"), fields.get("colour")
        if piece not in kinds:
            problems.append((f"swatches[{number}].piece", "must be one of " + ", ".join(kinds)))
        elif not (isinstance(colour, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", colour)):
            problems.append((f"swatches[{number}].colour", 'must be a colour like "#c82828"'))
        else:
            swatches.append(Swatch(piece, colour.lower()))
    if problems:
        raise ProfileError(source, problems)
    return ColourProfile(tuple(swatches))


def write_colour_profile(path: Path, profile: ColourProfile, game: str) -> None:
    """Write such a file atomically. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}")
    draft.write_text(dump_colour_profile(profile, game))
    draft.replace(path)


def dump_colour_profile(profile: ColourProfile, game: str) -> str:
    """A colour profile as YAML."""
    swatches = [{"piece": swatch.piece, "colour": swatch.colour} for swatch in profile.swatches]
    data = {"format": FORMAT, "game": game, "swatches": swatches}
    return yaml.safe_dump(data, sort_keys=False, default_flow_style=None)


def as_colour(bgr: Iterable[float]) -> str:
    """BGR levels, clipped to 0 to 255, as #rrggbb.

    >>> as_colour((0, 128.2, 300))
    '#ff8000'
    """
    blue, green, red = (min(max(round(float(level)), 0), 255) for level in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"
