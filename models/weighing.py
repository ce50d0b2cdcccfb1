"""Fit how the reader weighs its evidence: a confidence of 0.9 shall be right nine times in ten."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from zlib import crc32

import numpy as np
import torch

from calibration import load_profile
from models.datasets import as_calibrated
from vision.decode import EMPTY, Weighing
from vision.detect import CLASSES, detect
from vision.evaluation import Evaluation, judge
from vision.palette import Palette, star_colours
from vision.photo import load_photo
from vision.reader import Reader
from vision.rectify import homography, transform

_PULL = 1e-4
"""How much a square of distance from the weighing that we begin with costs, in log odds."""
_FAR = 3 * 1.4826
"""Three standard deviations, in median absolute deviations."""


@lru_cache(64)
def _reader(edition: Path) -> Reader:
    """A reader of the edition as somebody calibrated it."""
    profile = load_profile(edition)
    rng = np.random.default_rng(crc32(edition.name.encode()))
    everywhere = np.ones(profile.reference.shape[:2], bool)
    return Reader(replace(profile, reference=as_calibrated(rng, profile.reference, everywhere)))


def fit_weighing(pictures: Sequence[Path]) -> Weighing:
    """The weighing under which the labels of synthesized ``pictures`` are the most probable.

    Over every space whose star, if it has one, is not hidden; drawn a little to the weighing that
    we begin with, as photographs differ from synthesized ones.
    """
    samples = [_samples(picture) for picture in pictures]
    scores = np.concatenate([s[0] for s in samples])
    changes = np.concatenate([s[1] for s in samples])
    truth = np.concatenate([s[2] for s in samples])
    clipped = np.clip(scores, 1e-4, 1 - 1e-4)
    logits = torch.tensor(np.log(clipped / (1 - clipped)))
    best, change = logits.max(dim=1).values, torch.tensor(changes)
    start, target = Weighing(), torch.tensor(truth)
    fitted = torch.tensor(
        [start.score, start.empty, start.change, start.rival], dtype=torch.float64
    )
    believed = fitted.clone()
    fitted.requires_grad_()
    optimizer = torch.optim.LBFGS([fitted], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        empty = fitted[1] + fitted[2] * change + fitted[3] * best
        odds = torch.cat([fitted[0] * logits, empty[:, None]], 1)
        value = torch.nn.functional.cross_entropy(odds, target)
        value = value + _PULL * (fitted - believed).square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    score, empty, change_weight, rival = (round(float(v), 4) for v in fitted.detach())
    return Weighing(score=score, empty=empty, change=change_weight, rival=rival)


def _samples(picture: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores, changes and true hypotheses of the spaces that a photograph shows."""
    truth = json.loads(picture.with_suffix(".json").read_text())
    parts = [(np.empty((0, len(CLASSES))), np.empty(0), np.empty(0, int))]
    if truth["boards"]:
        reader = _reader(picture.parent / "editions" / truth["edition"])
        image = load_photo(picture).image
        feet = np.array([np.mean(t["footprint"], axis=0) for t in truth["tokens"]]).reshape(-1, 2)
    for board in truth["boards"]:
        if board["cropped"]:
            continue
        to_image = homography(np.array(board["corners"]), reader.profile.size_mm)
        evened = reader.evened(image, to_image)
        detections = detect(evened.picture, reader.reference, reader.canvas)
        scores, changes = reader.weigh(evened, detections)
        standing = transform(np.linalg.inv(to_image), feet) if len(feet) else feet
        for i, (name, space) in enumerate(reader.profile.spaces.items()):
            star = board["stars"].get(name)
            near = len(standing) and np.hypot(*(standing - np.array(space.at)).T).min() < 7
            if star is None or near:
                hypothesis = EMPTY if star is None else CLASSES.index(star)
                parts.append((scores[i : i + 1], changes[i : i + 1], np.array([hypothesis])))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def fit_palette(pictures: Sequence[Path]) -> Palette:
    """The prior of a photograph's palette: how colours lie, vary together, and scatter in a set."""
    size = 2 * len(CLASSES)
    sets, scatter = [], []
    for picture in pictures:
        for colours, stars in _coloured(picture):
            means = np.full((len(CLASSES), 2), np.nan)
            for c in {*stars.tolist()}:
                own = colours[stars == c]
                means[c] = np.median(own, axis=0)
                scatter += list(own - means[c]) if len(own) > 2 else []
            sets.append(means.ravel())
    places = np.array(sets)
    mean = np.nanmedian(places, axis=0)
    off = places - mean
    known = np.isfinite(off)
    limit = _FAR * np.nanmedian(np.abs(off), axis=0)
    off = np.where(known, np.clip(off, -limit, limit), 0)
    pairs = np.maximum(known.T.astype(float) @ known, 2)
    covariance = off.T @ off / pairs
    values, vectors = np.linalg.eigh(0.9 * covariance + 0.1 * np.diag(np.diag(covariance)))
    covariance = vectors @ np.diag(np.maximum(values, 1e-4)) @ vectors.T
    away = np.array(scatter)
    near = away[np.abs(away).max(axis=1) < _FAR * np.median(np.abs(away), axis=0).max()]
    assert covariance.shape == (size, size)
    return Palette(mean.reshape(-1, 2), covariance, np.cov(near.T) + 1e-4 * np.eye(2))


def _coloured(picture: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each board of a photograph its visible stars: (N, 2) colours, (N,) what they are."""
    truth = json.loads(picture.with_suffix(".json").read_text())
    found = []
    if truth["boards"] and truth["tokens"]:
        reader = _reader(picture.parent / "editions" / truth["edition"])
        image = load_photo(picture).image
        feet = np.array([np.mean(token["footprint"], axis=0) for token in truth["tokens"]])
        stars = np.array([CLASSES.index(token["star"]) for token in truth["tokens"]])
    for board in truth["boards"]:
        if board["cropped"] or not truth["tokens"]:
            continue
        to_image = homography(np.array(board["corners"]), reader.profile.size_mm)
        evened = reader.evened(image, to_image)
        at = transform(np.linalg.inv(to_image), feet)
        on_board = ((at > 0) & (at < reader.profile.size_mm)).all(axis=1)
        if on_board.any():
            colours = star_colours(evened.lifted, reader.canvas.to_px(at[on_board]))
            found.append((colours, stars[on_board]))
    return found


def save_palette(palette: Palette, weights: Path) -> None:
    """Write ``weights/palette.json``."""
    data = {key: np.round(value, 6).tolist() for key, value in palette.__dict__.items()}
    (weights / "palette.json").write_text(json.dumps(data) + "\n")


def measure(pictures: Sequence[Path]) -> Evaluation:
    """Read synthesized photographs, each with its own edition's profile."""
    judged = []
    for picture in pictures:
        truth = json.loads(picture.with_suffix(".json").read_text())
        if truth["boards"] and not truth["cropped"]:
            reader = _reader(picture.parent / "editions" / truth["edition"])
            judged.append(judge(reader, picture, truth))
    return Evaluation(tuple(judged))


def save_weighing(weighing: Weighing, weights: Path) -> None:
    """Write ``weights/evidence.json``."""
    (weights / "evidence.json").write_text(json.dumps(asdict(weighing), indent=2) + "\n")
