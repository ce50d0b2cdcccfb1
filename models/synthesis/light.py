"""The lighting of a table: a key light, an ambient light, and reflections in glossy faces."""

from dataclasses import dataclass

import numpy as np

from models.synthesis.texture import Rng


@dataclass(frozen=True)
class Window:
    """A reflection in level glossy faces around a point of the table, in mm.

    It fades out over the share `edge` of its radius `reach`; `strength` is 0 to 1.
    """

    at: tuple[float, float]
    reach: float
    edge: float
    strength: float


@dataclass(frozen=True)
class Light:
    """A key light and an ambient one; `direction` (3,) points from the table to the key light.

    A token that reflects the `window` shows its colour only at its rim. `sheen`, 0 to 1, is the
    reflection of the room in all glossy faces, which makes their colours paler.
    """

    direction: np.ndarray
    key: float
    ambient: float
    softness: float
    window: Window | None = None
    sheen: float = 0.0

    def mirrored(self, at: np.ndarray) -> np.ndarray:
        """The share of reflected light, (...) 0 to 1, in level glossy faces at (..., 2) mm."""
        if self.window is None:
            return np.full(at.shape[:-1], self.sheen)
        away = np.linalg.norm(at - np.array(self.window.at), axis=-1) / self.window.reach
        inside = np.clip((1 - away) / self.window.edge, 0, 1)
        return np.asarray(np.maximum(self.sheen, self.window.strength * inside))

    def on(self, normal: np.ndarray) -> float:
        """The light on a face with (3,) unit `normal`, relative to a level face in full light."""
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
