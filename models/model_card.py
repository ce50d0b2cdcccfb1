"""The model card: what the weights are, what they were trained on, and how well they do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_CARD = Path(__file__).with_suffix(".md")


def write_model_card(weights: Path, figures: Mapping[str, Any], photographs: int) -> None:
    """Write ``weights/figures.json`` and ``weights/MODEL_CARD.md`` from an evaluation's figures."""
    told = {key: value for key, value in figures.items() if not isinstance(value, list)}
    told["trained_on"] = photographs
    (weights / "figures.json").write_text(json.dumps(told, indent=2) + "\n")
    missed = figures["boards_missed_inside"] + figures["boards_missed_cropped"]
    card = _CARD.read_text().format(**figures, photographs=photographs, missed=missed)
    (weights / "MODEL_CARD.md").write_text(card)
