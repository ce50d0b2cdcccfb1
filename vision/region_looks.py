"""Region looks: the kinds of pieces of one size in regions."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scorer.table import Piece
from vision.decode import LEAST
from vision.piece_faces import PieceFaces
from vision.region_colours import perceived
from vision.region_discs import PixelPoint, WeightedPoint

_COLOURED, _ITS_COLOUR = 10.0, 5.0
"""Factors on the network's odds of any piece where a piece's own colour fills a disc, and of the
piece with that colour."""
_SURE, _DOUBTED, _SIDE = 0.9, (0.45, 0.25), 0.12
"""Probability of a piece from which another may be its dark side; probabilities of the kinds by
colour and by network if they disagree; and of the first if it may be such a side."""
_BENEATH, _APART = (0.88, 0.05), (0.55, 0.33)
"""The two where the colour is that of no part of what the network sees: of a surer piece beside
it, and of any."""
_PIECE_DOUBTED = 0.7, 0.25
"""Those of kinds where there surely is a piece: one of a larger size, one with none near it, or one
whose colour and network nearly agree."""
_CLOSE = 0.5
"""Least probability by network of a piece's own colour, relative to the best, for that."""
_CERTAIN = 1 - 1e-9
_ENOUGH, _INNER = 3, 0.7
"""Number of sure pieces from which their colour is known, and the radii about a piece's centre,
both ways, that show it."""
_UNLIKE, _UNLIKELY = 0.8, 0.05
"""By how much a piece's `perceived` colour may differ from that of the others of its kind, and the
excess per factor e of odds."""
_THERE, _NEAR = 0.5, 3.0
"""Probability of a solid from which its kind counts for others, and radii to those in one place."""
_ROUNDS, _OTHER = 50, 0.002
"""Number of scaling rounds, and least probability of any kind: light misleads."""


@dataclass(frozen=True, eq=False)
class Look:
    """Pieces of one colour and size, with `faces` if several may be in one region."""

    pieces: tuple[Piece, ...]
    faces: PieceFaces | None = None

    def shares(self, shown: np.ndarray, there: np.ndarray) -> np.ndarray:
        """(M, K) probabilities of the K pieces, from those of their faces.

        Pieces with the same face are interchangeable: the most certain is named as the first of
        them. ``there`` (M,) are the probabilities that there is a piece at all.
        """
        if self.faces is None:
            return shown
        shares = np.zeros_like(shown)
        for first in {*self.faces.alike}:
            alike = [n for n, other in enumerate(self.faces.alike) if other == first]
            of_face = shown[:, alike].sum(axis=1)
            for rank, row in enumerate(np.argsort(-of_face * there, kind="stable")):
                shares[row, alike[min(rank, len(alike) - 1)]] = of_face[row]
        return shares


def weigh_faces(
    board: np.ndarray, looks: Sequence[Look], probabilities: np.ndarray, at: Sequence[PixelPoint]
) -> tuple[np.ndarray, list[np.ndarray]]:
    """(M, L) probabilities of L looks given the faces seen, and (M, K) of the pieces of each."""
    odds, faces = np.zeros(probabilities.shape), []
    for number, look in enumerate(looks):
        shown = np.ones((len(at), len(look.pieces)))
        if look.faces is not None:
            odds[:, number], shown = look.faces.recognise(board, at)
        faces.append(shown)
    weighed = probabilities * np.exp(odds)
    weighed /= (
        weighed.sum(axis=1, keepdims=True) + np.maximum(1 - probabilities.sum(axis=1), 0)[:, None]
    )
    return weighed, [own * weighed[:, [n]] for n, own in enumerate(faces)]


def weigh_own_colour(probabilities: np.ndarray, of_colour: Sequence[int]) -> np.ndarray:
    """(M, K) probabilities of kinds at discs, the first of which have these kinds' colours.

    ``probabilities`` (M, K) are the network's, which too often says "none" where there is a piece's
    own colour.
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
    heaped: Collection[int] = (),
    is_whole: bool = False,
    parts: np.ndarray | None = None,
) -> np.ndarray:
    """(M, K) probabilities of kinds at solids, the first of which have these kinds' colours.

    Each is a piece of its own colour, or a dark side of one of another colour. ``probabilities``
    (M, K) are `weigh_own_colour`'s, ``likely`` the tops in px with their probabilities. Solids of
    one of the ``heaped`` kinds' colours that are near each other are all of that kind, or none is.
    ``is_whole``: these are discs of larger pieces. ``parts`` (K, K) bool is whether each kind's
    colour may be that of a part of another one; by default all may be.
    """
    reconciled, heap = probabilities.copy(), dict[int, PixelPoint]()
    for row, own in enumerate(of_colour):
        best, (at, there) = int(probabilities[row].argmax()), likely[row]
        near = [
            number
            for number, (top, chance) in enumerate(likely)
            if number != row and chance > _THERE and math.dist(at, top) < _NEAR * radius
        ]
        may_be_part = parts is None or bool(parts[own, best])
        is_beside = there < _SURE and any(
            of_colour[number] == best != own
            and likely[number][1] > _SURE
            and math.dist(at, likely[number][0]) < radius
            for number in near
            if number < len(of_colour)
        )
        is_side = is_beside and may_be_part
        is_alone = there > _SURE and not near and probabilities[row].sum() > _THERE
        is_heaped = there > _THERE and own in heaped
        is_close = is_heaped and probabilities[row, own] > _CLOSE * probabilities[row, best]
        reconciled[row] = 0.0
        if best == own:
            reconciled[row, own] = probabilities[row, own]
        elif is_side:
            reconciled[row, own] = _SIDE
        elif is_beside:
            reconciled[row, [own, best]] = _BENEATH
        else:
            is_piece = is_whole or is_alone or is_close
            doubted = _DOUBTED if may_be_part or there < _SURE else _APART
            reconciled[row, [own, best]] = _PIECE_DOUBTED if is_piece else doubted
        if is_heaped and not is_side:
            heap[row] = at
    return _of_one_kind(reconciled, of_colour, heap, radius)


def _of_one_kind(
    reconciled: np.ndarray, of_colour: Sequence[int], tops: Mapping[int, PixelPoint], radius: float
) -> np.ndarray:
    """(M, K) probabilities where solids of one colour in one place are all misnamed, or none is.

    The product of theirs is the mean of what each has by itself. ``tops`` in px are by their rows.
    """
    together, left = reconciled.copy(), {*tops}
    while left:
        group = [left.pop()]
        for row in group:
            near = {
                other
                for other in left
                if of_colour[other] == of_colour[row]
                and math.dist(tops[other], tops[row]) < _NEAR * radius
            }
            group += near
            left -= near
        own = of_colour[group[0]]
        each = min(float(reconciled[group, own].mean()) ** (1 / len(group)), _CERTAIN)
        before = reconciled[group, own][:, None]
        together[group] *= (1 - each) / np.maximum(1 - before, 1 - each)
        together[group, own] = each
    return together


def weigh_alike(
    likely: Sequence[WeightedPoint], board: np.ndarray, radius: float
) -> list[WeightedPoint]:
    """Candidates of one kind, less likely where their colour differs from that of the sure ones.

    ``board`` (S, S, 3) is in the reference's light. Pieces of other kinds that reach over a rim may
    fill a disc as well.
    """
    there = np.clip([chance for _, chance in likely], 1 - _CERTAIN, _CERTAIN)
    if (there > _SURE).sum() < _ENOUGH:
        return [*likely]
    near = round(_INNER * radius)
    shown = np.array(
        [
            np.median(
                perceived(board[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1]),
                axis=(0, 1),
            )
            for (x, y), _ in likely
        ]
    )
    away = np.linalg.norm(shown - np.median(shown[there > _SURE], axis=0), axis=1)
    odds = np.log(there / (1 - there)) - np.maximum(away - _UNLIKE, 0) / _UNLIKELY
    chances = (1 / (1 + np.exp(-odds))).tolist()
    return [(at, chance) for (at, _), chance in zip(likely, chances, strict=True)]


def each_once(kinds: np.ndarray, there: np.ndarray, single: np.ndarray) -> np.ndarray:
    """(M, K) probabilities of kinds of M pieces, where the `single` kinds exist once.

    `kinds` are the same for each piece by itself, `there` (M,) the probabilities that it is there.
    A kind expected more than once is scaled down until it is not, so that it goes where it fits
    best.
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
