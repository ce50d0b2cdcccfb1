"""`stargazer train --from-corrections`: what is kept, what is told, and the way back."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from calibration import load_profile
from scorer.places import Place
from vision import models
from webapp.app.reading.examples import kept
from webapp.cli.main import main
from webapp.cli.terminal import from_corrections

DEMO = Path(__file__).parents[2] / "webapp" / "demo"
LABEL = {
    "format": 1,
    "game": "nebula",
    "profile": "standard",
    "stars": {"core": "red"},
    "counts": {"black": 2},
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's own weights, and nothing kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    models.load_models.cache_clear()
    return tmp_path


def example(home: Path, number: int, **other: object) -> Path:
    folder = home / "stargazer" / "examples" / f"game{number}"
    folder.mkdir(parents=True)
    shutil.copy(DEMO / "ana.jpg", folder / "board-0.jpg")
    file = folder / "board-0.json"
    file.write_text(json.dumps({**LABEL, **other}))
    return file


def train(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["train", *arguments])


def own(home: Path, *contents: bytes) -> Path:
    folder = home / "stargazer" / "weights" / "nebula"
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(contents, 1):
        (folder / f"set-classifier-{number:04d}.onnx").write_bytes(content)
    return folder


def test_examples_are_boards_with_all_that_lies_on_them(home: Path) -> None:
    example(home, 1)
    (found,) = kept(home / "stargazer" / "examples", "nebula")
    assert found.profile.name == "standard" and found.picture.is_file()
    slots = {Place("black", "track", slot): "black" for slot in (0, 1)}
    assert found.pieces == {Place("core"): "red", **slots}
    assert list(kept(home / "stargazer" / "examples", "polaris")) == []


@pytest.mark.parametrize(
    "other",
    [
        {"profile": "gone"},
        {"profile": "../../etc"},
        {"profile": 3},
        {"stars": {"core": "green"}},
        {"stars": {"nowhere": "red"}},
        {"stars": ["core"]},
        {"counts": {"black": 99}},
        {"counts": {"white": 1}},
        {"counts": None},
    ],
)
def test_a_file_that_is_no_example_is_left_out(home: Path, other: dict) -> None:
    example(home, 1, **other)
    example(home, 2).write_text("[")
    example(home, 3).with_suffix(".jpg").unlink()
    assert list(kept(home / "stargazer" / "examples", "nebula")) == []


def test_without_enough_examples_it_says_how_many_are_needed(home: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra `train`")
    none = train("--from-corrections")
    assert none.exit_code == 2 and "no board is kept as an example yet" in none.output
    example(home, 1)
    few = train("--from-corrections")
    assert few.exit_code == 2 and "8 are needed, 4 of them with a mistake" in few.output
    assert train().exit_code == 2 and "--from-corrections" in train().output
    assert train("--from-corrections", "--game", "chess").exit_code == 2


def test_ctrl_c_leaves_the_weights_as_they_were(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine_tuning = pytest.importorskip("models.fine_tuning", reason="needs the extra `train`")

    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fine_tuning, "fine_tune", interrupted)
    example(home, 1)
    stopped = train("--from-corrections")
    assert stopped.exit_code == 2 and "the weights are as they were" in stopped.output


def test_the_newest_weights_are_used_and_undone_one_by_one(home: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="needs the extra `train`")
    shipped = models.shipped_models("nebula")
    path = Path(__file__).parents[2] / "models" / "weights" / "nebula" / "set-classifier.onnx"
    network = onnx.load(path)
    reported = {entry.key: entry.value for entry in network.metadata_props}
    digest = shipped.classifier.network.digest
    onnx.helper.set_model_props(network, {**reported, models.BEGUN_WITH: digest})
    folder = own(home, network.SerializeToString(), network.SerializeToString() + b"")
    newest = folder / "set-classifier-0002.onnx"
    assert models.load_models("nebula").classifier.network.digest != digest
    assert models.newest_classifier("nebula") == newest
    assert str(newest) in train("--undo").output and not newest.exists()
    assert "those that come with Stargazer" in train("--undo").output
    models.load_models.cache_clear()
    assert models.load_models("nebula").classifier.network.digest == digest
    refused = train("--undo")
    assert refused.exit_code == 2 and "no weights of your own" in refused.output


def test_weights_that_are_damaged_or_of_another_version_are_not_used(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = Path(__file__).parents[2] / "models" / "weights" / "nebula" / "set-classifier.onnx"
    digest = models.shipped_models("nebula").classifier.network.digest
    for content, reported in ((b"no network", "damaged"), (path.read_bytes(), "another version")):
        own(home, content)
        models.load_models.cache_clear()
        assert models.load_models("nebula").classifier.network.digest == digest
        assert reported in caplog.text and "--undo" in caplog.text
        assert models.newest_classifier("nebula") is None


def test_what_came_of_it_is_reported_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    fine_tuning = pytest.importorskip("models.fine_tuning", reason="needs the extra `train`")
    before, after = fine_tuning.Figures(105, 7, 3), fine_tuning.Figures(105, 2, 1)
    check = fine_tuning.Figures(2100, 12, 4)
    better = fine_tuning.Outcome(12, 5, (before, after), (check, check), Path("new.onnx"))
    from_corrections._tell(better)
    reported = capsys.readouterr().out
    assert "12 boards kept, 5 of them" in reported and "stargazer train --undo" in reported
    assert "of 105 places 7 read wrongly before, 2 now" in reported
    from_corrections._tell(fine_tuning.Outcome(12, 5, (before, before), (check, check), None))
    assert "so the old ones stay" in capsys.readouterr().out


def test_the_sample_board_is_a_whole_example() -> None:
    """What the crop of a reading shows: the reader's own steps take it."""
    fine_tuning = pytest.importorskip("models.fine_tuning", reason="needs the extra `train`")
    from models.kept_example import KeptExample

    shown = KeptExample(DEMO / "ana.jpg", load_profile("standard"), {Place("core"): "red"})
    features, truth = fine_tuning.example_sample(shown, fine_tuning.SHIPPED / "nebula")
    assert len(features) == len(truth) == 35 and (truth == 7).sum() == 34
