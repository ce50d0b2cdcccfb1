"""What shines on a table: a key light, an ambient one, and what glossy faces mirror."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.synthesis.texture import Rng


@dataclass(frozen=True)
class Window:
    """What level glossy faces mirror towards the camera where on the table they lie, in mm.

    It fades out over the share ``edge`` of its ``reach``; ``strength`` is 0 to 1.
    """

    at: tuple[float, float]
    reach: float
    edge: float
    strength: float


@dataclass(frozen=True)
class Light:
    """One key light over an ambient one; ``direction`` (3,) points from the table to it.

    A token that mirrors the ``window`` shows its colour at its rim alone. ``sheen``, 0 to 1, is
    what glossy faces mirror of the room everywhere: it makes pastels of them.
    """

    direction: np.ndarray
    key: float
    ambient: float
    softness: float
    window: Window | None = None
    sheen: float = 0.0

    def mirrored(self, at: np.ndarray) -> np.ndarray:
        """(...) the share of mirrored light, 0 to 1, in a level glossy face at (..., 2) mm."""
        if self.window is None:
            return np.full(at.shape[:-1], self.sheen)
        away = np.linalg.norm(at - np.array(self.window.at), axis=-1) / self.window.reach
        inside = np.clip((1 - away) / self.window.edge, 0, 1)
        return np.asarray(np.maximum(self.sheen, self.window.strength * inside))

    def on(self, normal: np.ndarray) -> float:
        """The light on a face with the (3,) unit ``normal``; a level one in full light has 1."""
        level = self.ambient + self.key * self.direction[2]
        return float((self.ambient + self.key * max(0.0, float(normal @ self.direction))) / level)


def random_light(rng: Rng) -> Light:
    """From a bare bulb low over the table to an overcast sky."""
    elevation, azimuth = np.radians(rng.uniform(18, 88)), rng.uniform(0, 2 * np.pi)
    direction = np.array(
        [
            np.cos(elevation) * np.cos(azimuth),
            np.cos(elevation) * np.sin(azimuth),
            np.sin(elevation),
        ]
    )
    key = rng.uniform(0.0, 0.9)
    sheen = rng.uniform(0, 0.75) if rng.random() < 0.5 else 0.0
    return Light(direction, key, 1 - key, float(rng.uniform(0.02, 0.5)), sheen=float(sheen))
