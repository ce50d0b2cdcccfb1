"""Training from photographs to weights, on a few pictures: that it runs, not that it learns."""

import json
from pathlib import Path

import numpy as np
import pytest

from models.model_card import model_card
from models.synthesize import synthesize
from scorer.nebula.words import BLACK, COLOURS
from scorer.registry import find_game
from vision.models import Models
from vision.network import Network
from vision.set_classifier import COLOUR_FEATURES

pytest.importorskip("ultralytics", reason="training needs the extra `train`")

import onnx

PHOTOGRAPHS = 8


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[int, int]]]:
    from models.train import train

    data = tmp_path_factory.mktemp("data")
    synthesize("nebula", data, PHOTOGRAPHS, seed=3)
    reported: list[tuple[int, int]] = []
    weights = train(
        data, data / "models", lambda done, total: reported.append((done, total)), epochs=1
    )
    assert weights == data / "models" / "weights" / "nebula"
    return weights, reported


def test_it_writes_all_that_the_reader_needs(trained: tuple[Path, list]) -> None:
    folder, _ = trained
    finder, detector, classifier = (
        Network(folder / f"{name}.onnx")
        for name in ("board-finder", "token-detector", "set-classifier")
    )
    assert finder.run(np.zeros((288, 288, 3), np.uint8)).shape == (405, 17)
    assert detector.run(np.zeros((384, 384, 6), np.uint8)).shape == (2304, 11)
    reported = classifier.infer(np.zeros((1, 3, len(COLOURS) + 1 + COLOUR_FEATURES), np.float32))
    assert reported.shape == (1, 3, 8)
    assert all(path.stat().st_size < 15e6 for path in folder.glob("*.onnx"))
    assert Models.from_folder(folder).detector.classes == (*COLOURS, BLACK)


def test_the_networks_name_their_pieces_and_nothing_of_this_machine(
    trained: tuple[Path, list],
) -> None:
    folder, _ = trained
    for name in ("token-detector", "set-classifier"):
        assert Network(folder / f"{name}.onnx").classes == (*COLOURS, BLACK)
    for path in folder.glob("*.onnx"):
        reported = {entry.key for entry in onnx.load(path).metadata_props}
        assert "names" in reported and not reported & {"description", "date"}
        for place in (folder.parents[2], Path(__file__).parents[2], Path.home()):
            assert str(place).encode() not in path.read_bytes(), path.name


def test_progress_is_reported_to_the_end(trained: tuple[Path, list]) -> None:
    _, reported = trained
    from models.set_transformer import MEMBERS
    from models.train import RECIPES

    total = 2 + len(RECIPES) + MEMBERS  # preparing and measuring, and an epoch for each
    assert reported[0] == (1, total) and reported[-1] == (total, total)
    assert [done for done, _ in reported] == sorted(done for done, _ in reported)


def test_the_model_card_has_figures_that_were_measured(trained: tuple[Path, list]) -> None:
    folder, _ = trained
    figures = json.loads((folder / "figures.json").read_text())
    card = (folder / "MODEL_CARD.md").read_text()
    assert figures["trained_on"] == PHOTOGRAPHS
    assert f"{figures['spaces_right']:.2%} of {figures['spaces']}" in card
    assert f"| black count right | {figures['black_right']:.1%} |" in card


def test_the_shipped_model_card_is_that_of_the_shipped_figures() -> None:
    folder, game = Path(__file__).parents[2] / "models/weights/nebula", find_game("nebula")
    figures = json.loads((folder / "figures.json").read_text())
    assert (folder / "MODEL_CARD.md").read_text() == model_card(game, figures)
