"""The model card: what the weights are, what they were trained on, and how well they do."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scorer.game import Game
from vision.locate import FINDER_PX
from vision.rectify import CANVAS_PX
from vision.set_classifier import COLOUR_FEATURES

_CARD = Path(__file__).with_suffix(".md")
_COUNTED = "_right"
"""Behind a track's id: the share of boards of which its pieces were counted right."""


def write_model_card(
    weights: Path, game: Game[Any, Any, Any], figures: Mapping[str, Any], photographs: int
) -> None:
    """Write ``weights/figures.json`` and ``weights/MODEL_CARD.md`` from an evaluation's figures."""
    totals = {key: value for key, value in figures.items() if not isinstance(value, list)}
    totals["trained_on"] = photographs
    (weights / "figures.json").write_text(json.dumps(totals, indent=2) + "\n")
    (weights / "MODEL_CARD.md").write_text(model_card(game, totals))


def model_card(game: Game[Any, Any, Any], figures: Mapping[str, Any]) -> str:
    """The card of a game's models, from what ``figures.json`` holds."""
    pieces = [piece.id for piece in game.pieces]
    tracks = [
        key.removesuffix(_COUNTED)
        for key in figures
        if key.endswith(_COUNTED) and key != f"spaces{_COUNTED}"
    ]
    return _CARD.read_text().format(
        **figures,
        title=game.title,
        finder_px=FINDER_PX,
        canvas_px=CANVAS_PX,
        features=len(pieces) + COLOUR_FEATURES,
        photographs=figures["trained_on"],
        pieces=", ".join(pieces),
        counts="".join(f"| {t} count right | {figures[t + _COUNTED]:.1%} |\n" for t in tracks),
        missed=figures["boards_missed_inside"] + figures["boards_missed_cropped"],
    )
