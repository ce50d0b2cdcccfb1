"""The model card: what the weights are, what they were trained on, and how well they do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_CARD = """\
# Model card

Two networks, AGPL-3.0 like the Ultralytics architectures that they were trained from.

| network | what it does | architecture | input |
|---|---|---|---|
| `board-finder.onnx` | finds boards in a photograph, four corners each, in printed order | YOLO26n-pose, strides 16 and 32 | 288 x 288, RGB |
| `token-detector.onnx` | finds stars on a rectified board and names their colour | YOLO26n, stride 8 | 384 x 384, the evened board and the reference, BGR each |

`evidence.json` says how detector scores become probabilities; it belongs to these weights.

**Trained on** {photographs} synthesized photographs (`stargazer synthesize`), from random weights.
No photograph of a real board was used.

**Meant for** photographs and video of the boards whose profile has been calibrated.
**Not meant for** anything else: it knows seven colours of stars and nothing of people or places.

## Figures

On synthesized photographs that were kept out of training, each board read with its own profile:

| figure | value |
|---|---|
| boards | {boards} |
| spaces right | {spaces_right:.2%} of {spaces} |
| boards without any mistake | {boards_flawless:.1%} |
| black count right | {black_right:.1%} |
| boards not read | {missed} |
| expected calibration error | {calibration_error:.2%} |

These photographs are harder than a table on a good evening: heavy blur, night, glare, hands.
"""


def write_model_card(weights: Path, figures: Mapping[str, Any], photographs: int) -> None:
    """Write ``weights/figures.json`` and ``weights/MODEL_CARD.md`` from an evaluation's figures."""
    told = {key: value for key, value in figures.items() if not isinstance(value, list)}
    told["trained_on"] = photographs
    (weights / "figures.json").write_text(json.dumps(told, indent=2) + "\n")
    missed = figures["boards_missed_inside"] + figures["boards_missed_cropped"]
    card = _CARD.format(**figures, photographs=photographs, missed=missed)
    (weights / "MODEL_CARD.md").write_text(card)
