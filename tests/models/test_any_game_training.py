"""Training the reader of any game's boards, from an example to the exported network."""

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

import torch

from models.any_game.examples import ExampleFiles, write_examples
from models.any_game.export import export
from models.any_game.train import Batches, Trained, train
from vision.network import Network


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    write_examples(folder, first=5, count=1)
    return folder


def test_two_networks_learn_go_on_and_are_exported_as_one(
    examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count(0.0, 0.01)  # two steps, however long they take
    clock = SimpleNamespace(monotonic=lambda: next(seconds))
    monkeypatch.setattr("models.any_game.train.time", clock)
    assert len(ExampleFiles(examples)) == 2
    torch.manual_seed(1)
    batches, checkpoint = Batches([examples], 0, seed=3), tmp_path / "kept.pt"
    trained = [Trained(0, "cpu"), Trained(1, "cpu")]
    begun = {name: one.clone() for name, one in trained[0].averaged.state_dict().items()}
    train(batches, trained, minutes=1e-3, checkpoint=checkpoint, device="cpu", checkpoint_every=0)
    learnt = trained[0].averaged.state_dict()
    assert any((learnt[name] != one).any() for name, one in begun.items())
    again = [Trained(0, "cpu"), Trained(1, "cpu")]
    train(batches, again, minutes=0, checkpoint=checkpoint, device="cpu")
    for name, one in learnt.items():
        assert torch.equal(one, again[0].averaged.state_dict()[name])
    inputs = {
        "patches": np.random.default_rng(2).uniform(0, 255, (7, 8, 28, 28)).astype(np.float32),
        "edge": np.ones((7, 1), np.float32),
        "swatches": np.full((3, 3), 90, np.float32),
        "on_edges": np.ones((3, 1), np.float32),
    }
    networks = [one.averaged.eval() for one in again]
    apart, both = (
        [Network(export(some, tmp_path / str(n))).answer(inputs) for n, some in enumerate(of)]
        for of in ([networks[:1], networks[1:]], [networks])
    )
    assert both[0].shape == (7, 5)
    np.testing.assert_allclose(both[0], np.mean(apart, axis=0), rtol=1e-3, atol=1e-4)
    levels = {"patches": 255, "swatches": 255}
    scaled = [torch.from_numpy(value / levels.get(name, 1))[None] for name, value in inputs.items()]
    with torch.no_grad():
        odds = networks[0](*scaled)[0].numpy()
    np.testing.assert_allclose(apart[0], 0.75 * odds, rtol=1e-3, atol=1e-3)
