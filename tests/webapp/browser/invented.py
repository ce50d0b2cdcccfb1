"""An edition that nobody has seen: photographed empty, and with pieces on it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration import Profile, load_profile
from models.nebula.random_edition import random_edition
from models.synthesis.photograph import photograph
from scorer.places import Place
from tests.benchmarks.layout_acceptance import other_geometry, photograph_empty

PROOF_PX = 1600


@dataclass(frozen=True)
class InventedBoard:
    """An edition and two pictures of it, (H, W, 3) uint8 BGR; `pieces` lie on the second."""

    edition: Profile
    empty: np.ndarray
    proof: np.ndarray
    pieces: Mapping[Place, str]


def invented_board(seed: int, number: int) -> InventedBoard:
    """Invent an edition with geometry, size and artwork of its own."""
    rng = np.random.default_rng([seed, number])
    standard = load_profile("standard")
    pattern = replace(standard, layout=other_geometry(rng, standard.layout))
    edition = random_edition(rng, pattern, f"{number:02d}")
    empty = photograph_empty(rng, edition, edition.board).picture
    while True:  # until one whole board lies in the picture
        shown = photograph(rng, edition, PROOF_PX)
        if len(shown.boards) == 1 and not shown.boards[0].cropped and shown.boards[0].pieces:
            return InventedBoard(edition, empty, shown.picture, shown.boards[0].pieces)
