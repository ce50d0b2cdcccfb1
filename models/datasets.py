"""The two datasets that the models are trained on, made from labelled photographs.

``boards``: whole photographs as the board finder sees them, with four corners a board.
``tokens``: boards as the token detector sees them, rectified and in even light by the reader's own
steps, stacked on what the calibrated profile shows there.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import yaml

from calibration import board_corners, load_layout, load_profile
from calibration.profile import LAYOUT_FILE
from models.labels import read_labels
from models.workers import process_pool
from scorer import registry
from scorer.datafile import DataFileError
from vision.illumination import normalize_illumination
from vision.locate import FINDER_PX, letterbox
from vision.photo import load_photo
from vision.rectify import CANVAS_PX, Canvas, homography, rectify, transform, warp

VALIDATION_EVERY = 25
_UNCOMPRESSED = (cv2.IMWRITE_TIFF_COMPRESSION, 1)


def prepare(data: Path, out: Path, workers: int | None = None) -> tuple[Path, Path]:
    """Write both datasets under ``out``; return their descriptions (``boards``, ``tokens``).

    Raises DataFileError for a folder without labelled photographs, or with those of several games.
    """
    pictures, classes = photographs(data), classes_of(game_of(data))
    for kind in ("boards", "tokens"):
        for part in ("train", "val"):
            (out / kind / "images" / part).mkdir(parents=True, exist_ok=True)
            (out / kind / "labels" / part).mkdir(parents=True, exist_ok=True)
    with process_pool(workers) as pool:
        write = partial(_write_samples, out, classes)
        for _ in pool.map(write, enumerate(pictures), chunksize=8):
            pass  # so that what a process raises is raised here
    return _describe(out, classes)


def photographs(data: Path) -> list[Path]:
    """The labelled photographs in a folder, in order. DataFileError where there is none."""
    pictures = sorted(path.with_suffix(".jpg") for path in data.glob("*.json"))
    if not pictures:
        reason = "has no labelled photographs; `stargazer synthesize` makes some"
        raise DataFileError([(str(data), reason)])
    return pictures


def game_of(data: Path) -> str:
    """The game whose boards a folder's photographs show. DataFileError where they are several's."""
    editions = sorted(data.glob(f"editions/*/{LAYOUT_FILE}"))
    games = sorted({load_layout(edition).game for edition in editions})
    if len(games) == 1:
        return games[0]
    reason = f"are of {' and '.join(games)}: models are of one game" if games else "are missing"
    raise DataFileError([(str(data / "editions"), reason)])


def classes_of(game: str) -> tuple[str, ...]:
    """The pieces that a game's models tell apart, in the order of their scores."""
    return tuple(piece.id for piece in registry.find_game(game).pieces)


def _write_samples(out: Path, classes: Sequence[str], numbered: tuple[int, Path]) -> None:
    """Write what both models learn from one photograph."""
    cv2.setNumThreads(1)
    index, picture = numbered
    rng = np.random.default_rng([0, index])
    part = "val" if index % VALIDATION_EVERY == 0 else "train"
    truth, image = read_labels(picture), load_photo(picture).image
    _write_finder_sample(out / "boards", part, picture.stem, image, truth)
    edition = picture.parent / "editions" / truth["edition"]
    for number, board in enumerate(truth["boards"]):
        if not board["cropped"]:
            stem = f"{picture.stem}_{number}"
            sample = _token_sample(rng, classes, image, board, truth, edition)
            _write_token_sample(out / "tokens", part, stem, *sample)


def _describe(out: Path, classes: Sequence[str]) -> tuple[Path, Path]:
    common = {"train": "images/train", "val": "images/val"}
    boards, tokens = out / "boards" / "data.yaml", out / "tokens" / "data.yaml"
    root = {"path": str(boards.parent.resolve())}
    boards.write_text(yaml.safe_dump(root | common | {"names": {0: "board"}, "kpt_shape": [4, 3]}))
    root = {"path": str(tokens.parent.resolve())}
    tokens.write_text(
        yaml.safe_dump(root | common | {"names": dict(enumerate(classes)), "channels": 6})
    )
    return boards, tokens


def _write_finder_sample(
    folder: Path, part: str, stem: str, image: np.ndarray, truth: Mapping[str, Any]
) -> None:
    small, scale, offset = letterbox(image)
    lines = []
    for board in truth["boards"]:
        corners = (np.array(board["corners"]) * scale + offset) / FINDER_PX
        low, high = np.clip(corners.min(axis=0), 0, 1), np.clip(corners.max(axis=0), 0, 1)
        centre, extent = (low + high) / 2, high - low
        fields = [0, *centre, *extent]
        for x, y in corners:
            fields += [x, y, 2] if 0 <= x <= 1 and 0 <= y <= 1 else [0, 0, 0]
        lines.append(" ".join(f"{value:.5g}" for value in fields))
    cv2.imwrite(
        str(folder / "images" / part / f"{stem}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 92]
    )
    (folder / "labels" / part / f"{stem}.txt").write_text("\n".join(lines))


def _token_sample(
    rng: np.random.Generator,
    classes: Sequence[str],
    image: np.ndarray,
    board: Mapping[str, Any],
    truth: Mapping[str, Any],
    edition: Path,
) -> tuple[np.ndarray, list[str]]:
    """(S, S, 6) uint8, a board in even light on its reference, and a line for each piece there."""
    profile = _edition(edition)
    size_mm, canvas = profile.size_mm, Canvas(profile.size_mm)
    error = rng.normal(0, 0.35 if rng.random() < 0.8 else 1.2, (4, 2))  # mm, as a located board has
    to_image = homography(board["corners"], size_mm)
    to_image = homography(transform(to_image, board_corners(size_mm) + error), size_mm)
    mask = canvas.board_mask()
    reference = as_calibrated(rng, canvas.place_reference(profile.require_reference()), mask)
    normalized = normalize_illumination(rectify(image, to_image, canvas), reference, mask)
    to_canvas = canvas.matrix @ np.linalg.inv(to_image)
    lines = []
    for token in truth["tokens"]:
        foot = transform(to_canvas, np.array(token["footprint"]))
        if (foot.mean(axis=0) < 0).any() or (foot.mean(axis=0) >= CANVAS_PX).any():
            continue
        low, high = np.clip(foot.min(axis=0), 0, CANVAS_PX), np.clip(foot.max(axis=0), 0, CANVAS_PX)
        box = np.concatenate([(low + high) / 2, high - low]) / CANVAS_PX
        lines.append(f"{classes.index(token['star'])} " + " ".join(f"{v:.5g}" for v in box))
    return np.dstack([normalized, reference]), lines


def _write_token_sample(
    folder: Path, part: str, stem: str, stack: np.ndarray, lines: Sequence[str]
) -> None:
    picture = folder / "images" / part / f"{stem}.tiff"
    cv2.imwritemulti(str(picture), cv2.split(stack), _UNCOMPRESSED)
    (folder / "labels" / part / f"{stem}.txt").write_text("\n".join(lines))


_edition = lru_cache(32)(load_profile)


def as_calibrated(rng: np.random.Generator, reference: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The (H, W, 3) reference as a photograph of the empty board gives it: other light, softer."""
    if rng.random() < 0.15:
        return reference
    picture = reference.astype(np.float32)
    grey = picture.mean(axis=2, keepdims=True)
    picture = grey + (picture - grey) * rng.uniform(0.75, 1.15)
    gain = np.exp(rng.normal(0, 0.16)) * np.exp(rng.normal(0, rng.choice([0.04, 0.14]), 3))
    picture = picture * gain.astype(np.float32) * rng.uniform(0.85, 1.05)
    picture = picture + np.float32(rng.uniform(0, 45) * rng.uniform(0.7, 1, 3))
    picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.2, 1.1)))
    picture += rng.standard_normal(picture.shape, np.float32) * rng.uniform(0, 2)
    shift = np.eye(3)
    shift[:2] += rng.normal(0, (0.001, 0.001, 0.3), (2, 3))
    seen = warp(np.clip(picture, 0, 255).astype(np.uint8), shift, reference.shape[1::-1])
    return np.where(mask[..., None], seen, reference)
