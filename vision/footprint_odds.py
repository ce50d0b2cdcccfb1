"""What objects' footprints on places, the print and texture there say of pieces, as log odds."""

import numpy as np

from vision.footprints import Footprints
from vision.texture import texture_odds

SURENESS = 0.6
"""Weight of the log odds of a piece, which are overconfident on unfamiliar boards."""
_KIND_SURENESS, _UNLIKELY, _UNLIKELIER = 0.9, -8.0, 0.3
"""Weight of the log odds of its kind, and, below a limit, of the excess: if nobody plays the
kind that it looks like, a piece is still one of the others."""
_BARE = 1.0, 1.0
"""Most that texture counts against a piece: anywhere, and in addition on a print of its colour."""
_UNLIKE_PRINT = 0.5, 1.0
"""Distances of a place from its print, in `coordinates`, between which texture stops counting
against a piece: smooth plastic shows as little as plain print."""
_RIDGED = 0.5, 5.0
"""Most that texture counts for a piece: anywhere, and in addition on a print of its colour,
where only texture can reveal it."""
_FITTED, _EVEN_FIT = 0.8, 1.5
"""Weight of a footprint's fit, and the fit at which a piece is as likely as not."""
_FITS = -3.0, 1.5
"""Bounds of the weighted fit of an object to a place's footprint, as log odds."""
_BESIDE, _UNCLAIMED, _PRINT_LEFT = (5.0, 7.0), 6.0, (0.35, 0.25)
"""Fits between which an object that no other place owns counts more, as it lies half beside its
place, and how much at most; and distances of the place from its print between which it does so:
most of the print is still to be seen."""
_SHARED = -6.0
"""Most that counts against a piece whose footprint belongs to another place."""
_WHOSE = 1.5
"""Scale of the difference in fit by which a footprint is assigned to one of two places."""
_STRANGE, _OF_NO_KIND = 4.0, (-0.5, 1.0)
"""Most that counts against a bare place as far from its print as this board's pieces are from
theirs, and the log odds of a piece up to which it counts. An object of no kind's colour is asked
about and not read. If the network takes it for a piece, and no other place owns it, up to the
network's log odds less the second bound, at most that bound: gloss has no colour."""
_STRANGE_OWN = 2.0
"""How much more strangeness counts, relatively, on a print of the piece's own colour."""
LEGIBLE = 0.6, 0.8
"""Correlations of a place's fine structure with its print's between which that becomes legible."""
_COVERING = 7.0, 8.0
"""Fits of an object about a place, of which no other place is the owner, between which it makes a
legible print count for less, by its texture: the print is legible beside it."""
_BELIEVED = 2.0
"""Network's log odds of a piece from which texture tells gloss as well: a highlight may be as pale
as the print. Not where one kind is admitted: seams of glued prints look like links."""
_RIDGES, _PER_RIDGE = 3.0, 3.0
"""Log odds of texture from which it counts as well, as it is inexact where the board bends, and how
much more if several kinds are admitted: a piece half beside its place leaves an edge."""
_FOUND = 2.5, 2.0
"""Fit of an object about a place, of which no other place is the owner, from which it counts where
one kind is admitted, and how much more per step beyond: the network may take a link for its print.
"""
_SEEN_ALIKE = 0.02
"""Least distance, in `coordinates`, between two views of a bare place."""
_OWN_PRINT, _HIDDEN = (0.15, 0.25), 0.75
"""Shares of the log odds lost on a print of the piece's own colour, where colours say little, if
one kind and if several are admitted, and what they gain there in the latter case: such a piece
looks more like its print than the network expects."""
_ALL_CUES, _NETWORK_AGAIN = 0.8, 0.55
"""Weights of the log odds of a piece by all cues, the network's among them, and once more by the
network alone."""
_UNLIKE_REFERENCE, _NEARLY_ALL, _BARE_BELOW = 3.0, 0.9, -3.0
"""How much counts against any piece, per distance in `coordinates` that nearly all bare places keep
from their print, and the log odds of a piece below which a place is bare for that: where prints do
not look like the reference's, some look like pieces."""
_USUAL_UNLIKE, _FEWEST_BARE = 0.15, 4
"""That distance on a board with too few bare places, and their least number."""
_STRANGER = -1.0, 0.7
"""Bounds of the log ratio of a place's distance from its print to that one: where all bare places
look exactly like their print, white plastic say, a piece of nearly its colour stands out. On a
print of the piece's own colour a shadow does as well."""
_CROWDED, _MOST_CROWDED, _EITHER_WAY, _ROUNDS = 0.5, 1.0, 4, 10
"""Weight of the log odds of the board's share of occupied places, once tempered, and their limit;
the numbers of occupied and of bare places added to the board's; and of rounds."""


def fit_odds(prints: Footprints, kinds: np.ndarray) -> np.ndarray:
    """(M, K) how much the fit of an object to each place counts for each kind, as log odds.

    An object of another than the likeliest of the ``kinds``, (M, K) log odds, speaks for no other.
    """
    fit = np.clip(_FITTED * (prints.fits - _EVEN_FIT), *_FITS)
    beside = np.interp(prints.fits, _BESIDE, (0, _UNCLAIMED)) * (prints.owner < 0)
    gone, left = _PRINT_LEFT
    beside *= np.clip((gone - prints.strange) / (gone - left), 0, 1)
    counts = ((fit + beside) * (1 - prints.own))[:, None]
    of_another = (prints.kind != kinds.argmax(axis=1))[:, None]
    of_another = of_another & (prints.kind[:, None] != np.arange(kinds.shape[1]))
    return np.asarray(np.where(of_another, np.minimum(counts, 0), counts))


def legibility(like_print: np.ndarray, prints: Footprints, texture: np.ndarray) -> np.ndarray:
    """(M,) how far the print of each place can be read, 0 to 1, where nothing covers part of it.

    ``like_print`` (M,) is the correlation with the print, ``texture`` (M,) the log odds of texture.
    """
    legible = np.clip((like_print - LEGIBLE[0]) / np.ptp(LEGIBLE), 0, 1)
    covering = np.clip((prints.about - _COVERING[0]) / np.ptp(_COVERING), 0, 1)
    covering *= (prints.owner < 0) / (1 + np.exp(-texture))
    return np.asarray(legible * (1 - covering))


def texture_bounds(prints: Footprints) -> tuple[np.ndarray, np.ndarray]:
    """(M,) the least and most that texture counts for a piece, as log odds."""
    hides = np.clip((prints.strange - _UNLIKE_PRINT[0]) / np.ptp(_UNLIKE_PRINT), 0, 1)
    least = -(_BARE[0] + _BARE[1] * prints.own) * (1 - hides)
    return least, _RIDGED[0] + _RIDGED[1] * prints.own


def doubted(
    odds: np.ndarray,
    prints: Footprints,
    texture: np.ndarray,
    piece_odds: np.ndarray,
    legible: np.ndarray,
) -> np.ndarray:
    """(M, K + 1) log odds, less certain where a cue is missing or was ignored.

    ``texture`` (M,) are its log odds: ridges without colour are asked about. ``piece_odds`` (M,)
    are the network's log odds of a piece, ``legible`` (M,) 0 to 1 how far the print can be read.
    """
    taken = np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1]
    strange = texture_odds(np.log(prints.strange + _SEEN_ALIKE), 1 / (1 + np.exp(-taken)))
    least, most = _OF_NO_KIND
    gloss = np.where(prints.owner < 0, np.clip(piece_odds - most, least, most), least)
    scale = 1 + _STRANGE_OWN * prints.own
    several = odds.shape[1] > 2
    fits, weight = _FOUND
    found = np.where((prints.owner < 0) & (not several), weight * (prints.about - fits), 0.0)
    ridges = (_PER_RIDGE if several else 1.0) * (texture - _RIDGES)
    cues = np.maximum(np.maximum(scale * strange, ridges), found)
    more = np.minimum(cues, least - taken)
    believed = (piece_odds > _BELIEVED) & several
    seen = np.where(believed, np.maximum(strange, texture), strange)
    more = np.clip(np.maximum(more, np.minimum(seen, gloss - taken)), 0, scale * _STRANGE)
    more *= 1 - legible
    log_odds = odds.copy()
    more += prints.own * (_HIDDEN * several - _OWN_PRINT[several] * taken)
    log_odds[:, :-1] += more[:, None]
    return log_odds


def fit_to_board(odds: np.ndarray, prints: Footprints, piece_odds: np.ndarray) -> np.ndarray:
    """(M, K + 1) log odds given how bare places look on the board and how many are occupied.

    ``piece_odds`` (M,) are the network's log odds of a piece. The share of occupied places is
    estimated together with the odds (Saerens, Latinne and Decaestecker, 2002).
    """
    taken = np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1]
    bare = prints.strange[taken < _BARE_BELOW]
    unlike = np.quantile(bare, _NEARLY_ALL) if len(bare) >= _FEWEST_BARE else _USUAL_UNLIKE
    alone = _ALL_CUES * taken + _NETWORK_AGAIN * piece_odds - _UNLIKE_REFERENCE * unlike
    cue = np.clip(np.log((prints.strange + _SEEN_ALIKE) / (unlike + _SEEN_ALIKE)), *_STRANGER)
    alone += np.minimum(cue, (1 - prints.own) * cue)
    crowded = 0.0
    for _ in range(_ROUNDS):
        occupied = (1 / (1 + np.exp(-SURENESS * alone - crowded))).sum() + _EITHER_WAY
        share = np.log(occupied / (len(odds) + 2 * _EITHER_WAY - occupied))
        crowded = float(np.clip(_CROWDED * share, -_MOST_CROWDED, _MOST_CROWDED))
    log_odds = odds.copy()
    log_odds[:, :-1] += (alone + crowded / SURENESS - taken)[:, None]
    return log_odds


def given_to_owners(odds: np.ndarray, prints: Footprints) -> np.ndarray:
    """(N, K + 1) log odds in which an object that two places claim goes to one, by fit."""
    alone = odds.copy()
    alone[:, :-1] += np.clip(prints.left - prints.fits, _SHARED, 0)[:, None]
    shared = prints.owner >= 0
    better = prints.fits[prints.owner] - prints.fits
    its_own = 1 / (1 + np.exp(better / _WHOSE))
    log_odds, without = (
        SURENESS * (z - np.logaddexp.reduce(z, axis=1, keepdims=True)) for z in (odds, alone)
    )
    log_odds, without = (
        z - np.logaddexp.reduce(z, axis=1, keepdims=True) for z in (log_odds, without)
    )
    either = np.logaddexp(
        np.log(its_own)[:, None] + log_odds, np.log1p(-its_own)[:, None] + without
    )
    return np.where(shared[:, None], either, log_odds) / SURENESS


def less_sure(odds: np.ndarray) -> np.ndarray:
    """(N, C + 1) log probabilities, tempered to the accuracy that log odds have shown."""
    taken = np.logaddexp.reduce(odds[:, :-1], axis=1, keepdims=True)
    alone = odds[:, :-1] - taken
    kinds = _KIND_SURENESS * np.maximum(alone, _UNLIKELY)
    kinds += _UNLIKELIER * np.minimum(alone - _UNLIKELY, 0)
    kinds -= np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    log_odds = np.hstack([kinds + SURENESS * taken, SURENESS * odds[:, -1:]])
    return np.asarray(log_odds - np.logaddexp.reduce(log_odds, axis=1, keepdims=True))
