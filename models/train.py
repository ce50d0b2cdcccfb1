"""Train a game's models with Ultralytics, export them to ONNX, and measure what was exported."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from models.datasets import VALIDATION_EVERY, classes_of, game_of, photographs, prepare
from models.metadata import tidy_metadata
from models.model_card import write_model_card
from models.offline import YOLO
from models.set_transformer import EPOCHS as CLASSIFIER_EPOCHS
from models.set_transformer import MEMBERS, train_set_classifier
from models.synthetic_evaluation import measure
from scorer import registry
from vision.locate import FINDER_PX
from vision.models import Models
from vision.rectify import CANVAS_PX

Progress = Callable[[int, int], None]
ARCHITECTURES = Path(__file__).parent / "architecture"


@dataclass(frozen=True)
class Recipe:
    """How one model is trained. ``size`` is the side of its square input in px."""

    name: str
    task: str
    dataset: str
    size: int
    epochs: int
    settings: dict[str, Any]


# Augmentation is the synthesizer's work and mostly off here.
_STILL: dict[str, Any] = {
    "mosaic": 0.0,
    "mixup": 0.0,
    "erasing": 0.0,
    "degrees": 0.0,
    "shear": 0.0,
    "hsv_h": 0.0,
}
BOARD_FINDER = Recipe(
    "board-finder",
    "pose",
    "boards",
    FINDER_PX,
    10,
    _STILL | {"fliplr": 0.0, "translate": 0.02, "scale": 0.08, "hsv_s": 0.3, "hsv_v": 0.2},
)
# A piece is a piece in any mirror, and the board never moves on its canvas. Which piece it is
# matters more than its outline: the loss weighs classes twice as much as usual.
TOKEN_DETECTOR = Recipe(
    "token-detector",
    "detect",
    "tokens",
    CANVAS_PX,
    24,
    _STILL
    | {"fliplr": 0.5, "flipud": 0.5, "translate": 0.0, "scale": 0.0, "hsv_s": 0.0, "hsv_v": 0.0}
    | {"cls": 1.0},
)
RECIPES = (BOARD_FINDER, TOKEN_DETECTOR)
_SETTINGS: dict[str, Any] = {
    "batch": 16,
    "workers": 1,
    "cache": "ram",
    "optimizer": "AdamW",
    "lr0": 0.0025,
    "lrf": 0.02,
    "cos_lr": True,
    "warmup_epochs": 0.5,
    "weight_decay": 0.01,
    "amp": False,
    "plots": False,
    "exist_ok": True,
    "seed": 0,
}


def train(
    data: Path,
    out: Path,
    progress: Progress = lambda done, total: None,
    epochs: int | None = None,
    start: Path | None = None,
) -> Path:
    """Train on the photographs of ``data``: write models and model card, return their folder.

    It is ``out/weights/GAME``, the game being the one whose boards the photographs show.

    ``epochs`` overrides the recipes'. ``start`` is a folder with checkpoints to go on from
    (``board-finder.pt``, ``token-detector.pt``). Work in progress stands in ``data/training``:
    a run that was interrupted goes on from its last epoch.

    Raises DataFileError for a folder without labelled photographs, or with those of several games.
    """
    pictures, game = photographs(data), game_of(data)
    work, weights = data / "training", out / "weights" / game
    total = sum(epochs or recipe.epochs for recipe in RECIPES) + 2
    total += MEMBERS * (epochs or CLASSIFIER_EPOCHS)
    if not (work / "prepared").is_file():
        prepare(data, work)
        (work / "prepared").touch()
    progress(1, total)
    done = 1
    for recipe in RECIPES:
        epoch_done = partial(lambda before, epoch: progress(before + epoch, total), done)
        begin = start and start / f"{recipe.name}.pt"
        checkpoint = train_one(recipe, work, epochs, begin, epoch_done)
        export(recipe, checkpoint, weights)
        done += epochs or recipe.epochs
    held_out = pictures[::VALIDATION_EVERY]
    train_set_classifier(
        sorted({*pictures} - {*held_out}),
        weights,
        classes_of(game),
        epochs or CLASSIFIER_EPOCHS,
        lambda epoch: progress(done + epoch, total),
    )
    measured = measure(held_out, Models.from_folder(weights))
    write_model_card(weights, registry.find_game(game), measured.to_data(), len(pictures))
    progress(total, total)
    return weights


def train_one(
    recipe: Recipe,
    work: Path,
    epochs: int | None = None,
    start: Path | None = None,
    epoch_done: Callable[[int], None] = lambda epoch: None,
) -> Path:
    """Train one model; return the path of its best checkpoint."""
    folder = work / "runs" / recipe.name
    last, best = folder / "weights" / "last.pt", folder / "weights" / "best.pt"
    if last.is_file() and torch.load(last, weights_only=False)["epoch"] == -1:
        return best  # a finished run strips its epoch from the checkpoint
    model = YOLO(last if last.is_file() else ARCHITECTURES / f"{recipe.name}.yaml", recipe.task)
    model.add_callback("on_train_start", train_in_bfloat16)
    model.add_callback("on_fit_epoch_end", lambda trainer: epoch_done(trainer.epoch + 1))
    if last.is_file():
        model.train(resume=True)
        return best
    if start is not None:
        model.load(start)
    model.train(
        data=str(work / recipe.dataset / "data.yaml"),
        imgsz=recipe.size,
        epochs=epochs or recipe.epochs,
        device="0" if torch.cuda.is_available() else "cpu",
        project=str(folder.parent.resolve()),
        name=recipe.name,
        verbose=False,
        **(_SETTINGS | recipe.settings),
    )
    return best


def export(recipe: Recipe, checkpoint: Path, weights: Path) -> Path:
    """Write ``weights/NAME.onnx``; return its path."""
    written = YOLO(checkpoint).export(format="onnx", imgsz=recipe.size, simplify=True, opset=17)
    weights.mkdir(parents=True, exist_ok=True)
    path = Path(shutil.move(written, weights / f"{recipe.name}.onnx"))
    tidy_metadata(path)
    return path


def has_bfloat16() -> bool:
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def train_in_bfloat16(trainer: Any) -> None:
    """Ultralytics' ``on_train_start``: let its model predict in bfloat16 on the processor."""
    if trainer.device.type != "cpu" or not has_bfloat16():
        return
    model = trainer.model.to(memory_format=torch.channels_last)
    exact = model.predict

    def predict(pictures: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            output = exact(pictures.contiguous(memory_format=torch.channels_last), *args, **kwargs)
        return _in_float32(output)

    model.predict = predict


def _in_float32(output: Any) -> Any:
    """The same nest of tensors in float32."""
    if isinstance(output, torch.Tensor):
        return output.float()
    if isinstance(output, dict):
        return {key: _in_float32(value) for key, value in output.items()}
    if isinstance(output, list | tuple):
        return type(output)(_in_float32(value) for value in output)
    return output
