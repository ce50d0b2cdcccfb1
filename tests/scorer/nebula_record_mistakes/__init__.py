"""Ways to spoil a legal record, a module for each part of it; `MISTAKES` has them all."""

from tests.scorer.nebula_record_mistakes import (
    after_placing,
    black_stars,
    closing,
    collecting,
    opening,
    placing,
)
from tests.scorer.nebula_record_mistakes.spoiling import MISTAKES

__all__ = [
    "MISTAKES",
    "after_placing",
    "black_stars",
    "closing",
    "collecting",
    "opening",
    "placing",
]
