"""The initial table of a film: boards, tokens, light and camera."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from calibration import Profile
from models.synthesis.camera import Camera, random_camera
from models.synthesis.light import Light, random_light
from models.synthesis.placed_board import PlacedBoard
from models.synthesis.plugin import Synthesis
from models.synthesis.texture import Rng
from models.synthesis.token import Token, shown_colour
from tests.films.script import Script

_APART = 12.0
"""The least colour difference (CIE 1976) between any two pieces."""
_SETS = 400
"""The number of token sets and lights tried to reach it."""


def set_out_boards(rng: Rng, script: Script, profile: Profile) -> list[PlacedBoard]:
    """The boards on the table: one, two side by side, or four in a square, each a little askew."""
    pitch = np.array(profile.size_mm) + rng.uniform(25, 60)
    boards = []
    for i in range(len(script.boards)):
        shift = pitch * (i % 2, i // 2) + rng.normal(0, 4, 2)
        turn = float(rng.normal(0, 0.06))
        boards.append(PlacedBoard(profile, shift, turn, np.zeros((3, 2)), {}, ()))
    return boards


def light_and_tokens(
    rng: Rng, brought: Synthesis, profile: Profile
) -> tuple[Light, dict[str, Token]]:
    """Light and tokens with distinguishable colours.

    If no try reaches the least difference, as with pieces of one colour, the best try.
    """
    best = -1.0
    for _ in range(_SETS):
        light, tokens = random_light(rng), brought.token_set(rng, profile)
        shown = (
            np.array([[shown_colour(token, light) for token in tokens.values()]], np.float32) / 255
        )
        lab = cv2.cvtColor(shown, cv2.COLOR_BGR2LAB)[0]
        apart = (float(np.linalg.norm(a - b)) for a, b in combinations(lab, 2))
        if (least := min(apart, default=_APART)) > best:
            found, best = (light, tokens), least
        if best >= _APART:
            break
    return found


def place_camera(rng: Rng, boards: list[PlacedBoard], size: tuple[int, int]) -> Camera:
    """A camera that shows all boards completely, the closest of up to a dozen such cameras."""
    corners = np.vstack([b.to_table(b.corners()) for b in boards])
    target, spread = corners.mean(axis=0), float(np.ptp(corners, axis=0).max())
    found: list[tuple[float, Camera]] = []
    fill = 1.5
    for _ in range(400):
        camera = replace(random_camera(rng, size, target, spread, fill), bend=0.0)
        shown = camera.project(corners)
        if ((shown > 0.03 * np.array(size)) & (shown < 0.97 * np.array(size))).all():
            sides = np.linalg.norm(shown - np.roll(shown, -1, axis=0), axis=1)
            found.append((float(sides.min()), camera))
        if len(found) == 12:
            break
        fill = max(0.4, fill * 0.985)
    return max(found, key=lambda pair: pair[0])[1]
