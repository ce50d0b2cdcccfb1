"""Coverage: how much of a place shows a kind's colour where its print has another.

A network sees patches. If the light differs from the reference's, or a neighbour's piece leans in,
it may take a bare place for a piece of the print's or the neighbour's colour. A piece covers its
place about as much as others on the board cover theirs, and hides the print there.
"""

import numpy as np

from vision.board_colours import coordinates, off_glossy, off_range

_UNLIKE = 0.3
"""Least distance in `coordinates` between print and piece for a pixel to be informative."""
_NEAR = 0.4
"""Largest distance in `coordinates` of a piece's pixels from the colour of its kind."""
_PER_COVER, _BARE = 5.0, -3.0
"""Log odds of a piece per share of the usual coverage, and of a bare place."""
_BOUNDS = -3.0, 1.0
"""Bounds of those log odds: a piece that leans in covers half of its neighbour's place."""
_TELLING = 0.5
"""Informative share of a place below which its evidence is scaled down."""
_SURE = 0.95
_FEWEST = 4
_USUAL, _LEAST_USUAL = 0.6, 0.25
"""Usual coverage of a piece if a board has too few to estimate it, and its lower bound."""


def weigh_coverage(
    odds: np.ndarray, photo: np.ndarray, print_: np.ndarray, on: np.ndarray, colours: np.ndarray
) -> np.ndarray:
    """(N, K) log odds of pieces of each kind, from how much of N places they cover.

    ``odds`` (N, K + 1) are log probabilities of kinds and of "empty": the certain ones give the
    board's usual coverage. ``photo`` and ``print_`` are (N, P, P, 3) uint8 patches, ``on`` (N, P,
    P) the masks of the places; ``colours`` (K, 2, 3) are the kinds' `shade_ranges`.
    """
    there = (on[:, ::2, ::2] > 0).reshape(len(on), -1)
    shown, known = (
        coordinates(one[:, ::2, ::2].reshape(-1, 3)).reshape(*there.shape, 3)
        for one in (photo, print_)
    )
    from_print = np.linalg.norm(shown - known, axis=2)
    covered, telling = np.zeros((2, len(on), len(colours)))
    plain = np.array([off_range(shown, colour) for colour in colours])
    for kind, colour in enumerate(colours):
        tells = there & (off_range(known, colour) > _UNLIKE)
        off = off_glossy(shown, known, colour)
        rivals = np.delete(plain, kind, axis=0).min(axis=0, initial=np.inf)
        off = np.where(rivals < off, plain[kind], off)  # pink is no red that shines
        hides = tells & (off < from_print) & (off < _NEAR)
        covered[:, kind] = hides.sum(axis=1) / np.maximum(tells.sum(axis=1), 1)
        telling[:, kind] = tells.sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    likeliest = np.arange(len(odds)), odds[:, :-1].argmax(axis=1)
    sure = (np.exp(odds[likeliest]) > _SURE) & (telling[likeliest] > _TELLING)
    usual = float(np.median(covered[likeliest][sure])) if sure.sum() >= _FEWEST else _USUAL
    log_odds = np.clip(_PER_COVER * covered / max(usual, _LEAST_USUAL) + _BARE, *_BOUNDS)
    return np.asarray(log_odds * np.minimum(telling / _TELLING, 1))
