"""Region looks: which kind each piece in regions is, of those that have one size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorer.game import Piece
from vision.decode import LEAST
from vision.piece_faces import PieceFaces
from vision.region_discs import PixelPoint, WeightedPoint

_COLOURED, _ITS_COLOUR = 10.0, 5.0
"""How many times likelier a piece is than the network says where one's own colour fills a disc, and
that one than any other."""
_SURE, _DOUBTED, _SIDE = 0.9, (0.45, 0.25), 0.12
"""How likely a piece is whose dark sides another one seems to be; how likely the kinds are that
colour and network say where they do not agree, and the first where it seems to be such sides."""
_ROUNDS, _OTHER = 50, 0.002
"""How often kinds are scaled, and how likely at least a piece is of a kind: light misleads."""


@dataclass(frozen=True, eq=False)
class Look:
    """Pieces of one colour and size; they have `faces` where several may lie in one region."""

    pieces: tuple[Piece, ...]
    faces: PieceFaces | None = None

    def shares(self, shown: np.ndarray) -> np.ndarray:
        """(M, K) how likely each of its K pieces lies somewhere, of how likely each face does.

        Pieces with the same face are as good as one another: the surest is called by the first one.
        """
        if self.faces is None:
            return shown
        shares = np.zeros_like(shown)
        for first in {*self.faces.alike}:
            alike = [n for n, other in enumerate(self.faces.alike) if other == first]
            of_face = shown[:, alike].sum(axis=1)
            for rank, row in enumerate(np.argsort(-of_face, kind="stable")):
                shares[row, alike[min(rank, len(alike) - 1)]] = of_face[row]
        return shares


def weigh_faces(
    board: np.ndarray, looks: Sequence[Look], probabilities: np.ndarray, at: Sequence[PixelPoint]
) -> tuple[np.ndarray, list[np.ndarray]]:
    """(M, L) how likely each of L looks is, the faces seen, and (M, K) of each piece of each."""
    odds, faces = np.zeros(probabilities.shape), []
    for number, look in enumerate(looks):
        shown = np.ones((len(at), len(look.pieces)))
        if look.faces is not None:
            odds[:, number], shown = look.faces.tell(board, at)
        faces.append(shown)
    weighed = probabilities * np.exp(odds)
    weighed /= (
        weighed.sum(axis=1, keepdims=True) + np.maximum(1 - probabilities.sum(axis=1), 0)[:, None]
    )
    return weighed, [own * weighed[:, [n]] for n, own in enumerate(faces)]


def weigh_own_colour(probabilities: np.ndarray, of_colour: Sequence[int]) -> np.ndarray:
    """(M, K) how likely each kind is at discs the first of which have the colours of these kinds.

    ``probabilities`` (M, K) are the network's: of what has a piece's own colour it says too often
    that nothing lies there.
    """
    weighed, rows = probabilities.copy(), np.arange(len(of_colour))
    weighed[rows] *= _COLOURED
    weighed[rows, of_colour] *= _ITS_COLOUR
    weighed[rows] /= weighed[rows].sum(axis=1, keepdims=True) + (
        1 - probabilities[rows].sum(axis=1, keepdims=True)
    )
    return weighed


def reconcile_colours(
    probabilities: np.ndarray,
    of_colour: Sequence[int],
    likely: Sequence[WeightedPoint],
    radius: float,
) -> np.ndarray:
    """(M, K) how likely each kind is at solids, of which the first have the colours of these kinds.

    Each is a piece of its own colour, or else a dark side of one of another colour.

    ``probabilities`` (M, K) are `weigh_own_colour`'s, ``likely`` where their tops are in px, and
    how likely they are there.
    """
    reconciled = probabilities.copy()
    for row, own in enumerate(of_colour):
        best, (at, _) = int(probabilities[row].argmax()), likely[row]
        reconciled[row] = 0.0
        is_side = best != own and any(
            its == best and chance > _SURE and math.dist(at, top) < radius
            for its, (top, chance) in zip(of_colour, likely[: len(of_colour)], strict=True)
        )
        if best == own:
            reconciled[row, own] = probabilities[row, own]
        elif is_side:
            reconciled[row, own] = _SIDE
        else:
            reconciled[row, [own, best]] = _DOUBTED
    return reconciled


def each_once(kinds: np.ndarray, there: np.ndarray, single: np.ndarray) -> np.ndarray:
    """(M, K) how likely each of M pieces is of each kind, where of the `single` ones there is one.

    `kinds` are the same of each piece by itself, `there` (M,) how likely it is there at all. A kind
    that is expected more than once is scaled down until it is not: it is where it fits best.
    """
    if not single.any():
        return kinds
    odds = np.column_stack([kinds, np.clip(1 - kinds.sum(axis=1), LEAST, 1)])
    odds[:, :-1] = np.maximum(odds[:, :-1], _OTHER)
    for _ in range(_ROUNDS):
        probabilities = odds / odds.sum(axis=1, keepdims=True)
        expected = (there[:, None] * probabilities[:, :-1]).sum(axis=0)
        over = np.append(single & (expected > 1), False)
        if not over.any():
            break
        odds[:, over] /= expected[over[:-1]]
    return np.asarray(probabilities[:, :-1])
