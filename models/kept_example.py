"""What people confirmed of a board: an example to learn from."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration import Profile
from scorer.places import Place


@dataclass(frozen=True, eq=False)
class KeptExample:
    """A board from straight above, ``PX_PER_MM`` px a mm, and the pieces that lie on it."""

    picture: Path
    profile: Profile
    pieces: Mapping[Place, str]
