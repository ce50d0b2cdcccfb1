"""Training from corrections: what was learnt is used only where it shows to be better."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

import torch

from calibration import load_profile
from models import fine_tuning
from models.fine_tuning import (
    SHIPPED,
    Figures,
    NoTimeError,
    TooFewExamplesError,
    between,
    figures,
    fine_tune,
    is_better,
    is_no_worse,
)
from models.kept_example import KeptExample
from models.set_transformer import Ensemble, Sample, export
from models.trained_network import load_ensemble
from tests.models.test_set_transformer import boards, fit
from vision import models
from vision.network import Network
from vision.set_classifier import COLOUR_FEATURES

CLASSES = ("red", "purple", "yellow", "white", "blue", "orange", "black")
NEBULA = SHIPPED / "nebula"
LONG = 3600.0
"""Seconds in which even a busy machine comes to the last epoch."""


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier that has learnt next to nothing of these boards."""
    few = [fit(boards(2, seed=2), epochs=3, seed=member) for member in range(2)]
    return export(Ensemble(few), tmp_path_factory.mktemp("start"), CLASSES)


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[KeptExample]:
    """Twelve boards that were kept; what is drawn shows boards of the same kind."""
    samples = {str(n): sample for n, sample in enumerate(boards(12, seed=4))}
    drawn: list[list[Sample]] = [boards(12, seed=6), *(boards(20, seed=n) for n in (20, 21))]

    def drawn_samples(*_arguments: object) -> list[Sample]:
        return drawn.pop(0)

    monkeypatch.setattr(fine_tuning, "example_sample", lambda one, _: samples[one.picture.name])
    monkeypatch.setattr(fine_tuning, "synthesize", lambda *_: None)
    monkeypatch.setattr(fine_tuning, "drawn_samples", drawn_samples)
    profile = load_profile("standard")
    return [KeptExample(tmp_path / name, profile, {}) for name in samples]


def test_a_shipped_network_comes_back_with_its_parameters() -> None:
    path = NEBULA / "set-classifier.onnx"
    features = np.random.default_rng(1).normal(0, 1, (1, 12, 7 + COLOUR_FEATURES))
    reported = load_ensemble(path)(torch.tensor(features, dtype=torch.float32)).detach().numpy()
    assert reported == pytest.approx(Network(path).infer(features.astype(np.float32)), abs=1e-4)


def test_what_is_better_on_boards_held_out_is_kept_as_the_owners(
    examples: list[KeptExample], start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fine_tuning, "_RATE", 3e-3)
    monkeypatch.setattr(fine_tuning, "_EPOCHS", 12)
    reported: list[tuple[int, int]] = []
    out = tmp_path / "own"
    outcome = fine_tune(
        "nebula", examples, NEBULA, start, out, LONG, lambda *at: reported.append(at)
    )
    before, after = outcome.held_out
    assert outcome.boards == 12 and after.wrong < before.wrong and before.places == 30
    assert is_no_worse(*outcome.check) and reported[-1][0] == reported[-1][1]
    assert outcome.weights == out / "set-classifier-0001.onnx"
    network = Network(outcome.weights)
    assert network.classes == CLASSES
    assert network.metadata[models.BEGUN_WITH] == Network(NEBULA / "set-classifier.onnx").digest
    assert [path.name for path in out.iterdir()] == ["set-classifier-0001.onnx"]
    assert figures(load_ensemble(outcome.weights), boards(30, seed=9)).wrong < (
        figures(load_ensemble(start), boards(30, seed=9)).wrong
    )


def test_what_is_worse_on_the_check_is_not_taken(
    examples: list[KeptExample], start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fine_tuning, "is_no_worse", lambda before, after: False)
    monkeypatch.setattr(fine_tuning, "_EPOCHS", 1)
    outcome = fine_tune("nebula", examples, NEBULA, start, tmp_path / "own", LONG)
    assert outcome.weights is None and not (tmp_path / "own").exists()


def test_too_few_examples_and_too_little_time_are_reported(
    examples: list[KeptExample], start: Path, tmp_path: Path
) -> None:
    with pytest.raises(TooFewExamplesError) as few:
        fine_tune("nebula", examples[:7], NEBULA, start, tmp_path, LONG)
    assert few.value.boards == 7 and few.value.corrected == 7
    with pytest.raises(NoTimeError):
        fine_tune("nebula", examples, NEBULA, start, tmp_path, 0)
    assert list(tmp_path.iterdir()) == []


def test_better_means_fewer_mistakes_and_no_more_silent_ones() -> None:
    before = Figures(100, 5, 2)
    assert is_better(before, Figures(100, 4, 2)) and not is_better(before, Figures(100, 5, 1))
    assert not is_better(before, Figures(100, 4, 3))
    assert is_no_worse(before, before) and not is_no_worse(before, Figures(100, 5, 3))


def test_half_way_lies_between(start: Path) -> None:
    old = load_ensemble(start)
    new = load_ensemble(start)
    with torch.no_grad():
        for parameter in new.parameters():
            parameter += 1
    one, half = next(old.parameters()), next(between(old, new, 0.5).parameters())
    assert torch.allclose(half, one + 0.5)
