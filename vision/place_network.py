"""The network that classifies a place of any board from patches and the colours of the pieces."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from calibration.colour_profile import ColourProfile, Swatch
from scorer import registry
from scorer.game import Game
from scorer.table import Piece
from vision.network import Ensemble, Network

GROUP = "stargazer.place_reader"
"""Entry points that load the network: a game's own, or "any_game"."""
_PALER, _LEAST_CHANCE = 0.6, 1e-4
"""Weight of the pieces' kinds as seen in paler light, against the first look, and the least
probability that either look leaves to any kind."""


@cache
def _network(game: str) -> Network | Ensemble:
    """The network for boards of a game; games that share one load it once."""
    load: Callable[[], Network | Ensemble] = registry.find(
        GROUP, game if game in registry.names(GROUP) else "any_game"
    )
    return load()


def join_patches(
    photo: np.ndarray, raw: np.ndarray, print_: np.ndarray, on: np.ndarray
) -> np.ndarray:
    """(M, 8, P, P) float32, the network's input, from (M, P, P, 3) and (M, P, P) uint8 patches.

    The channels are the photograph in the reference's light, its brightest raw channel, the print,
    and the mask of the place.
    """
    three = (one.transpose(0, 3, 1, 2) for one in (photo, print_))
    (shown, known), single = three, (raw[:, None], on[:, None])
    return np.concatenate([shown, single[0], known, single[1]], axis=1).astype(np.float32)


def place_odds(
    game: str,
    patches: np.ndarray,
    oblong: np.ndarray,
    pieces: Sequence[Piece],
    colour_profile: ColourProfile,
) -> np.ndarray:
    """(M, K + 2) log odds of K kinds of pieces, of none, and of being hidden, of each place.

    ``patches`` are from `join_patches`, of a board of ``game``; ``oblong`` (M,) bool marks the
    places on links. The network admits a kind either on those or on all others, so one that lies
    on both is shown to it twice.
    """
    shown = [
        (n, on_edges)
        for n, piece in enumerate(pieces)
        for on_edges in (False, True)
        if (piece.lies_on & {"edge"} if on_edges else piece.lies_on - {"edge"})
    ]
    bgr = [colour_profile.bgr(piece.id, piece.colour) for piece in pieces]
    inputs = {
        "patches": patches,
        "edge": oblong[:, None].astype(np.float32),
        "swatches": np.array([bgr[n] for n, _ in shown], np.float32),
        "on_edges": np.array([[on_edges] for _, on_edges in shown], np.float32),
    }
    answer = _network(game).answer(inputs).astype(float)
    odds = np.full((len(patches), len(pieces) + 2), -np.inf)
    odds[:, -2:] = answer[:, -2:]
    for column, (n, on_edges) in enumerate(shown):
        there = oblong == on_edges
        odds[there, n] = answer[there, column]
    return odds


def blend_kinds(first: np.ndarray, paler: np.ndarray) -> np.ndarray:
    """(N, K) probabilities of kinds by two looks of the network, the second in paler light.

    Where little distinguishes two kinds, the network may take all pieces of one for the other, and
    decide otherwise in another light: then it should be sure of neither. The probability of any
    piece is the ``first`` look's. The second counts as far as it sees one.
    """
    there = [np.maximum(look.sum(axis=1, keepdims=True), _LEAST_CHANCE) for look in (first, paler)]
    bright, pale = (
        np.log(np.maximum(look / total, _LEAST_CHANCE))
        for look, total in zip((first, paler), there, strict=True)
    )
    both = np.exp(bright + _PALER * np.minimum(there[1], 1) * (pale - bright))
    both *= there[0] / both.sum(axis=1, keepdims=True)
    return np.asarray(both)


def known_colours(game: Game[Any, Any, Any], colour_profile: ColourProfile) -> ColourProfile:
    """The owner's swatches, and the game's colours for kinds without one."""
    taught = {swatch.piece for swatch in colour_profile.swatches}
    said = (Swatch(piece.id, piece.colour) for piece in game.pieces if piece.id not in taught)
    return colour_profile + ColourProfile(tuple(said))
