"""Together: judge each star among the other stars of its own board.

One maker's golden yellow is nearly another's orange, a lamp shifts both, and a window mirrored in a
glossy star leaves its colour in the rim alone. The detector knows stars as they are in the world at
large; but those of one photograph come from one set, under one light. So a small network, the star
judge, hears of all places of a board at once, what the detector says and which colours the pixels
have, and says of each what lies there (self-attention over a set; Lee et al., Set Transformer,
2019).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from vision.network import network

FEATURES = 22
_RINGS_PX = (0.0, 3.5, 6.5, 9.5)
"""Where on the canvas a star's middle, body and rim lie, seen from its foot's centre."""
_VIVID = 0.2
"""The share of a star's pixels that count as its most colourful ones."""
_DULL = 0.25
"""The saturation from which a colour counts as no longer dull."""
_LEAST = 1e-4


def features(
    lifted: np.ndarray, centres: np.ndarray, scores: np.ndarray, change: np.ndarray
) -> np.ndarray:
    """(N, 22) float32, all that the star judge hears of N places.

    ``lifted`` is (S, S, 3) uint8, a board after ``light.lift_clipped``; ``centres`` (N, 2) px where
    the stars' feet stand on it; ``scores`` (N, 7) the detector's; ``change`` (N,) how much the
    place differs from the empty board.
    """
    patches, radius = _patches(lifted, centres)
    rings = [
        np.median(patches[:, (radius >= low) & (radius < high)], axis=1)
        for low, high in pairwise(_RINGS_PX)
    ]
    inner = patches[:, radius < _RINGS_PX[-1]]
    highest = inner.max(axis=2)
    saturation = (highest - inner.min(axis=2)) / (highest + 20)
    count = round(_VIVID * inner.shape[1])
    most = np.argpartition(-saturation, count, axis=1)[:, :count]
    vivid = np.take_along_axis(inner, most[..., None], axis=1).mean(axis=1)
    clipped = np.clip(scores, _LEAST, 1 - _LEAST)
    columns = [np.log(clipped / (1 - clipped)), _hues(rings[0])]
    columns += [_opponents(colour) for colour in (*rings, vivid)]
    return np.hstack([*columns, change[:, None]]).astype(np.float32)


def judge_together(heard: np.ndarray) -> np.ndarray:
    """(N, 8) log odds of each star and of "empty", from the `features` (N, 22) of one board."""
    return network("star-judge").infer(heard[None])[0].astype(float)


def _patches(picture: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(N, M, 3) float32, the pixels around each of (N, 2) centres; (M,) how far away each is."""
    reach = int(_RINGS_PX[-1])
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    radius = np.hypot(xs, ys).ravel()
    near = radius < _RINGS_PX[-1]
    around = np.stack([xs.ravel(), ys.ravel()], axis=1)[near]
    at = np.round(centres).astype(int)[:, None] + around
    x, y = np.clip(at, 0, (picture.shape[1] - 1, picture.shape[0] - 1)).transpose(2, 0, 1)
    return picture[y, x].astype(np.float32), radius[near]


def _opponents(colours: np.ndarray) -> np.ndarray:
    """(N, 3) for (N, 3) BGR: red against cyan, green against blue, and brightness, each about 1."""
    b, g, r = colours.T / 128
    return np.stack([r - (g + b) / 2, np.sqrt(3) / 2 * (g - b), np.max([b, g, r], axis=0)], axis=1)


def _hues(colours: np.ndarray) -> np.ndarray:
    """(N, 2) points of the hue circle for (N, 3) BGR, red at (1, 0); dull ones lie further in.

    They do not depend on brightness, and mirrored light leaves their direction as it is.
    """
    across, up, bright = _opponents(colours).T
    chroma = np.hypot(across, up) + 1e-6
    strength = np.tanh(chroma / (bright + 0.06) / _DULL)
    return np.stack([across, up], axis=1) * (strength / chroma)[:, None]
