"""The photographs of the sample game that `stargazer demo` scores: two players, one evening.

python -m models.nebula.rendering.sample_game webapp/demo/truth.json --out webapp/demo
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from calibration import Profile, load_profile
from calibration.artwork import draw_board
from models.nebula.rendering.paints import PAINTS
from models.rendering.phone import Phone
from models.rendering.scene import (
    AreaLight,
    LyingPiece,
    Point,
    Prop,
    Scene,
    Sheet,
    TableTop,
    TokenSet,
    Viewpoint,
)
from scorer.nebula import BLACK

TEXTURE_PX_PER_MM = 9
WALNUT = TableTop("wood", "#3d2413", "#7d5433", roughness=0.38)
LAMPLIGHT, DUSK = "#ffc68e", "#b4ceff"


@dataclass(frozen=True)
class Seat:
    """One player's side of the table; `grain` is how the table's planks run there."""

    camera: Viewpoint
    lamps: tuple[AreaLight, ...]
    grain: float
    bend: Point
    twist: float
    props: tuple[Prop, ...]
    spare: tuple[tuple[str, Point], ...]


SEATS = {
    "ana": Seat(
        camera=Viewpoint((106, 130), -13, 63, 412, focal=36, aperture=1.5),
        lamps=(
            AreaLight((-330, -190), 520, 160, 1.0, LAMPLIGHT),
            AreaLight((760, 150), 520, 420, 0.45, DUSK),
        ),
        grain=8,
        bend=(1.6, 1.0),
        twist=0.8,
        props=(
            Prop("mug", (268, 22), 205, "#2f6b74"),
            Prop("card", (-92, 30), 14),
            Prop("card", (-82, 60), -12, "#5a1f2c", up=0.6),
            Prop("pencil", (243, 252), 68, "#c33a22"),
        ),
        spare=(
            ("red", (-30, 197)),
            ("blue", (-21, 215)),
            ("yellow", (-44, 214)),
            ("black", (229, 66)),
        ),
    ),
    "luis": Seat(
        camera=Viewpoint((99, 129), 11, 66, 404, focal=36, aperture=1.5),
        lamps=(
            AreaLight((560, 330), 520, 160, 1.0, LAMPLIGHT),
            AreaLight((-560, 90), 520, 420, 0.45, DUSK),
        ),
        grain=181,
        bend=(0.9, 1.8),
        twist=-0.7,
        props=(
            Prop("mug", (-86, 34), 120, "#c9b79c"),
            Prop("card", (288, 66), -8),
            Prop("card", (296, 72), -21, up=0.6),
            Prop("card", (283, 176), 9, "#5a1f2c"),
        ),
        spare=(
            ("white", (-38, 176)),
            ("orange", (-56, 190)),
            ("purple", (-33, 198)),
            ("yellow", (-62, 216)),
        ),
    ),
}


def photograph(name: str, truth: Mapping[str, Any], profile: Profile, picture: Path) -> Scene:
    """One player's board as it lies on the table."""
    rng = random.Random(name)
    seat = SEATS[name]

    def star(colour: str, at: Point) -> LyingPiece:
        """A star where a hand puts it: not quite in the middle, turned anyhow."""
        place = at[0] + rng.gauss(0, 0.6), at[1] + rng.gauss(0, 0.6)
        return LyingPiece(colour, place, rng.uniform(0, 360))

    def stars() -> Iterator[LyingPiece]:
        for space, colour in truth["stars"].items():
            yield star(colour, profile.spaces[space].at)
        for slot in profile.tracks[BLACK][: truth["black"]]:
            yield star(BLACK, slot.at)
        for colour, at in seat.spare:
            yield star(colour, at)

    return Scene(
        sheet=Sheet(picture, profile.size_mm, bend=seat.bend, twist=seat.twist),
        lying=tuple(stars()),
        tokens=TokenSet(paints=PAINTS),
        table=replace(WALNUT, turn=seat.grain),
        lamps=seat.lamps,
        camera=seat.camera,
        props=seat.props,
        sky="#ffdcb8",
        sky_power=0.18,
        exposure=2.6,
    )


def main() -> None:
    """Photograph each player's board into a folder."""
    from models.rendering.blender_scene import build

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--player", choices=SEATS, action="append", help="only this one's board")
    parser.add_argument("--width", type=int, default=1600)
    parser.add_argument("--samples", type=int, default=64)
    asked = parser.parse_args()
    profile = load_profile("standard")
    truth = json.loads(asked.truth.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "board.png"
        cv2.imwrite(str(picture), draw_board(profile, TEXTURE_PX_PER_MM))
        for name in asked.player or SEATS:
            scene = photograph(name, truth[name], profile, picture)
            scene = replace(scene, size=(asked.width, asked.width * 3 // 4))
            jpeg = Phone().develop(build(scene).photograph(asked.samples), seed=7)
            (asked.out / f"{name}.jpg").write_bytes(jpeg)


if __name__ == "__main__":
    main()
