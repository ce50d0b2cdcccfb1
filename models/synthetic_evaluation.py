"""Measure models on synthesized photographs, each with its own edition's profile."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from zlib import crc32

import numpy as np

from calibration import load_profile
from models.datasets import as_calibrated
from models.labels import read_labels
from vision.evaluation import Evaluation, judge
from vision.models import Models
from vision.reader import Reader


@lru_cache(64)
def reader_of(edition: Path, models: Models) -> Reader:
    """A reader of the edition as somebody calibrated it."""
    profile = load_profile(edition)
    reference = profile.require_reference()
    rng = np.random.default_rng(crc32(edition.name.encode()))
    calibrated = as_calibrated(rng, reference, np.ones(reference.shape[:2], bool))
    return Reader(replace(profile, reference=calibrated), models)


def measure(pictures: Sequence[Path], models: Models) -> Evaluation:
    """How well the photographs that show a whole board are read."""
    judged = []
    for picture in pictures:
        truth = read_labels(picture)
        if truth["boards"] and not truth["cropped"]:
            reader = reader_of(picture.parent / "editions" / truth["edition"], models)
            judged.append(judge(reader, picture, truth))
    return Evaluation(tuple(judged))
