"""Training from photographs to weights, on a few pictures: that it runs, not that it learns."""

import json
from pathlib import Path

import numpy as np
import pytest

from models.synthesize import synthesize
from vision.network import Network, network, weights, weights_from
from vision.together import FEATURES

pytest.importorskip("ultralytics", reason="training needs the extra `train`")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[int, int]]]:
    from models.train import train

    data = tmp_path_factory.mktemp("data")
    synthesize(data, 52, seed=3)
    told: list[tuple[int, int]] = []
    train(data, data / "models", lambda done, total: told.append((done, total)), epochs=1)
    return data / "models" / "weights", told


def test_it_writes_all_that_the_reader_needs(trained: tuple[Path, list]) -> None:
    folder, _ = trained
    with weights_from(folder):
        assert weights() == folder
        boards = network("board-finder").run(np.zeros((288, 288, 3), np.uint8))
        stars = network("token-detector").run(np.zeros((384, 384, 6), np.uint8))
        judged = network("star-judge").infer(np.zeros((1, 3, FEATURES), np.float32))
    assert boards.shape == (405, 17) and stars.shape == (2304, 11)
    assert judged.shape == (1, 3, 8)
    assert all(path.stat().st_size < 15e6 for path in folder.glob("*.onnx"))


def test_progress_is_told_to_the_end(trained: tuple[Path, list]) -> None:
    _, told = trained
    from models.star_judge import JUDGES
    from models.train import RECIPES

    total = 2 + len(RECIPES) + JUDGES  # preparing and measuring, and an epoch for each
    assert told[0] == (1, total) and told[-1] == (total, total)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_the_model_card_has_figures_that_were_measured(trained: tuple[Path, list]) -> None:
    folder, _ = trained
    figures = json.loads((folder / "figures.json").read_text())
    card = (folder / "MODEL_CARD.md").read_text()
    assert figures["trained_on"] == 52
    assert f"{figures['spaces_right']:.2%} of {figures['spaces']}" in card


def test_the_shipped_weights_are_used_again_afterwards(trained: tuple[Path, list]) -> None:
    assert weights() != trained[0]
    assert Network("board-finder").run(np.zeros((288, 288, 3), np.uint8)).shape == (405, 17)
