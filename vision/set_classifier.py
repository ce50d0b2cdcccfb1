"""Set classifier: the stars of a board are classified jointly.

One maker's golden yellow is nearly another's orange, a lamp shifts both, and a window reflected in
a glossy star leaves its colour at the rim alone. The detector knows stars in general, but those of
one photograph are of one set, in one light. So a small network gets all places of a board at once:
the detector's scores and the pixels' colours as photographed, in even light, and of the bare print,
since a star may be translucent. It classifies each place by self-attention over the set (Lee et
al., Set Transformer, 2019).
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from vision.network import Network

COLOUR_FEATURES = 57
"""Number of features per place besides a score for each class."""
_OF_PICTURE = 14
"""Features per picture: a hue (2), and opponents of three rings and of the most vivid part."""
_MIDDLE, _VIVID_PART = 2, 11
"""Offsets among them of the middle ring's opponents and of the most vivid part's."""
_RINGS_PX = (0.0, 3.5, 6.5, 9.5)
"""Radii on the canvas of a star's middle, body and rim, from the centre of its foot."""
_VIVID = 0.2
"""Share of a star's pixels that count as its most vivid ones."""
_DULL = 0.25
"""Saturation from which a colour is no longer dull."""
_LEAST = 1e-4
_CONTAGION, _LEAST_TRUST = 6.0, 0.15
"""How fast a board's mean entropy, in nats, lowers the weight of its log odds, and its minimum."""
_FULL, _PALE = 247, 192
"""Levels from which a channel is saturated, or nearly so, and a colour nearly white."""


def features(
    pictures: Sequence[np.ndarray], centres: np.ndarray, scores: np.ndarray, change: np.ndarray
) -> np.ndarray:
    """(N, C + 57) float32, the classifier's inputs for N places.

    ``pictures`` are four of the board on the canvas, (S, S, 3) uint8: as photographed, in even
    light, that after ``illumination.restore_saturated``, and the empty board; ``centres`` (N, 2) px
    are the centres of the stars' feet; ``scores`` (N, C) are the detector's; ``change`` (N,) is the
    difference from the empty board.
    """
    clipped = np.clip(scores, _LEAST, 1 - _LEAST)
    colours = np.split(_colours(pictures, centres), len(pictures))
    columns = [np.log(clipped / (1 - clipped)), *colours, change[:, None]]
    return np.hstack(columns).astype(np.float32)


def vivid_colours(described: np.ndarray) -> np.ndarray:
    """(N, 3) BGR levels of each place's most vivid pixels in even light, from its `features`."""
    return _levels(described, 1, _VIVID_PART)


def middle_colours(described: np.ndarray) -> np.ndarray:
    """(N, 3) BGR levels of each place's middle in even light, from its `features`."""
    return _levels(described, 1, _MIDDLE)


def is_washed_out(described: np.ndarray) -> np.ndarray:
    """(N,) bool, places whose middle is too overexposed to have a colour, from `features`.

    A window reflected there looks the same on every piece.
    """
    shown = _levels(described, 0, _MIDDLE)
    return np.asarray((shown.max(axis=1) >= _FULL) & (shown.min(axis=1) >= _PALE))


def _levels(described: np.ndarray, picture: int, part: int) -> np.ndarray:
    """(N, 3) BGR levels of one part in one of the four pictures."""
    first = described.shape[1] - COLOUR_FEATURES + picture * _OF_PICTURE + part
    across, up, bright = described[:, first : first + 3].astype(float).T * 128
    apart = up / np.sqrt(3)  # distance of green and blue from their mean
    mean = bright - np.maximum(across, np.abs(apart))
    return np.stack([mean - apart, mean + apart, mean + across], axis=1)


class SetClassifier:
    """Self-attention over the places of a board."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def log_odds(self, described: np.ndarray) -> np.ndarray:
        """(N, C + 1) log odds of each class and of "empty", from the `features` of one board."""
        return np.asarray(self.network.infer(described[None])[0].astype(float))


def trust(odds: np.ndarray) -> float:
    """How far (N, C + 1) log odds of one board can be trusted about its pieces, 0 to 1.

    If much on a board is doubtful, the classifier does not know its set, and is overconfident about
    all its pieces.
    """
    kinds, taken, _empty = _kinds(odds)
    there = taken[:, 0] > np.log(0.5)
    doubt = -(np.exp(kinds) * kinds).sum(axis=1)[there].mean() if there.any() else 0.0
    return float(max(_LEAST_TRUST, 1 / (1 + _CONTAGION * doubt)))


def temper(odds: np.ndarray, trusted: float) -> np.ndarray:
    """(N, C + 1) log odds, tempered by ``trusted`` as to which piece it is.

    Whether there is a piece the classifier knows reliably.
    """
    kinds, taken, empty = _kinds(odds)
    kinds = kinds * trusted
    kinds -= np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    return np.hstack([kinds + taken, empty])


def _kinds(odds: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Log probabilities: (N, C) of each piece if there is one, (N, 1) of any, (N, 1) of none."""
    log_odds = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
    taken = np.logaddexp.reduce(log_odds[:, :-1], axis=1, keepdims=True)
    return log_odds[:, :-1] - taken, taken, log_odds[:, -1:]


def _colours(pictures: Sequence[np.ndarray], centres: np.ndarray) -> np.ndarray:
    """(P N, 14), picture by picture of P: hue of the middle (2), three rings, most vivid pixels."""
    patches, radius = _patches(pictures, centres)
    rings = [
        _medians(patches[:, (radius >= low) & (radius < high)]) for low, high in pairwise(_RINGS_PX)
    ]
    blue, green, red = np.moveaxis(patches, -1, 0)
    highest = np.maximum(np.maximum(blue, green), red)
    saturation = (highest - np.minimum(np.minimum(blue, green), red)) / (highest + 20)
    count = round(_VIVID * patches.shape[1])
    most = np.argpartition(-saturation, count, axis=1)[:, :count]
    vivid = np.take_along_axis(patches, most[..., None], axis=1).mean(axis=1)
    return np.hstack([_hues(rings[0]), *(_opponents(colour) for colour in (*rings, vivid))])


def _medians(levels: np.ndarray) -> np.ndarray:
    """(N, 3) medians of (N, M, 3) levels: `numpy.median` takes five times as long."""
    half = levels.shape[1] // 2
    middle = [half] if levels.shape[1] % 2 else [half - 1, half]
    parted = np.partition(levels.transpose(0, 2, 1).copy(), middle, axis=2)
    return np.asarray(parted[:, :, middle].mean(axis=2))


def _patches(pictures: Sequence[np.ndarray], centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(P N, M, 3) float32, the pixels around (N, 2) centres, and (M,) their distances."""
    reach = int(_RINGS_PX[-1])
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    radius = np.hypot(xs, ys).ravel()
    near = radius < _RINGS_PX[-1]
    around = np.stack([xs.ravel(), ys.ravel()], axis=1)[near]
    at = np.round(centres).astype(int)[:, None] + around
    height, width, _ = pictures[0].shape
    x, y = np.clip(at, 0, (width - 1, height - 1)).transpose(2, 0, 1)
    levels = [picture.reshape(-1, 3).take(y * width + x, axis=0) for picture in pictures]
    return np.concatenate(levels).astype(np.float32), radius[near]


def _opponents(colours: np.ndarray) -> np.ndarray:
    """(N, 3) for (N, 3) BGR: red against cyan, green against blue, and brightness, each about 1."""
    b, g, r = colours.T / 128
    return np.stack([r - (g + b) / 2, np.sqrt(3) / 2 * (g - b), np.max([b, g, r], axis=0)], axis=1)


def _hues(colours: np.ndarray) -> np.ndarray:
    """(N, 2) points of the hue circle for (N, 3) BGR, red at (1, 0); dull colours are further in.

    They do not depend on brightness, and specular highlights leave their direction unchanged.
    """
    across, up, bright = _opponents(colours).T
    chroma = np.hypot(across, up) + 1e-6
    strength = np.tanh(chroma / (bright + 0.06) / _DULL)
    return np.asarray(np.stack([across, up], axis=1) * (strength / chroma)[:, None])
