"""Train both models with Ultralytics, export them to ONNX, and measure what was exported."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ARCHITECTURES = Path(__file__).parent / "architecture"


@dataclass(frozen=True)
class Recipe:
    """How one model is trained. ``size`` is the side of its square input in px."""

    name: str
    architecture: str
    task: str
    size: int
    epochs: int
    settings: dict[str, Any]


def recipes() -> dict[str, Recipe]:
    """The two recipes; augmentation is the synthesizer's work and mostly off here."""
    from vision.locate import FINDER_PX
    from vision.rectify import CANVAS_PX

    still: dict[str, Any] = {
        "mosaic": 0.0,
        "mixup": 0.0,
        "erasing": 0.0,
        "degrees": 0.0,
        "shear": 0.0,
        "hsv_h": 0.0,
    }
    boards = still | {"fliplr": 0.0, "translate": 0.02, "scale": 0.08, "hsv_s": 0.3, "hsv_v": 0.2}
    # A star is a star in any mirror, and the letterbox around the board never moves.
    tokens = still | {
        "fliplr": 0.5,
        "flipud": 0.5,
        "translate": 0.0,
        "scale": 0.0,
        "hsv_s": 0.0,
        "hsv_v": 0.0,
    }
    return {
        "boards": Recipe("board-finder", "board-finder.yaml", "pose", FINDER_PX, 10, boards),
        "tokens": Recipe("token-detector", "token-detector.yaml", "detect", CANVAS_PX, 7, tokens),
    }


def train_one(
    recipe: Recipe,
    description: Path,
    runs: Path,
    epochs: int | None = None,
    weights: Path | None = None,
    **overrides: Any,
) -> Path:
    """Train one model; return the path of its best checkpoint.

    ``weights`` is a checkpoint to go on from. A run that was interrupted is taken up from its last
    epoch when ``runs`` has one.
    """
    from ultralytics import YOLO

    last = runs / recipe.name / "weights" / "last.pt"
    if last.is_file() and weights is None:
        try:
            YOLO(last).train(resume=True)
            return last.with_name("best.pt")
        except AssertionError:  # nothing left to resume: the run is complete
            return last.with_name("best.pt")
    model = YOLO(ARCHITECTURES / recipe.architecture, task=recipe.task)
    if weights is not None:
        model.load(weights)
    settings: dict[str, Any] = {
        "imgsz": recipe.size,
        "epochs": epochs or recipe.epochs,
        "batch": 16,
        "workers": 1,
        "device": "cpu",
        "cache": "ram",
        "optimizer": "AdamW",
        "lr0": 0.0025,
        "lrf": 0.02,
        "cos_lr": True,
        "warmup_epochs": 0.5,
        "weight_decay": 0.01,
        "amp": False,
        "plots": False,
        "close_mosaic": 0,
        "project": str(runs),
        "name": recipe.name,
        "exist_ok": True,
        "seed": 0,
    }
    model.train(data=str(description), **(settings | recipe.settings | overrides))
    return runs / recipe.name / "weights" / "best.pt"


def export(recipe: Recipe, checkpoint: Path, out: Path) -> Path:
    """Write ``out/NAME.onnx``."""
    from ultralytics import YOLO

    written = YOLO(checkpoint).export(
        format="onnx", imgsz=recipe.size, dynamic=False, simplify=True, opset=17
    )
    target = out / f"{recipe.name}.onnx"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(written, target)
    return target
