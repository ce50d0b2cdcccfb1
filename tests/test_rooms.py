"""What a command loads, and who names a game; `lint-imports` holds the arrows between rooms."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TRAINING_ONLY = {"torch", "torchvision", "ultralytics"}
NOT_IN_SCORER = {"cv2", "flask", "PIL", "onnxruntime"}


NAMING_ANY_GAME = {
    "CHANGELOG.md": "what was done for which game",
    "pyproject.toml": "its entry points, and what the package is for",
}
PICTURED = {"models/rendering/README.md": "the commands that made its pictures"}
DESCRIBED = {"webapp/web/openapi.json": "its game files and scores"}
NAMING_A_GAME = {
    "nebula": {
        **PICTURED,
        **DESCRIBED,
        "CONTRIBUTING.md": "where its folders are, as the sample",
        "calibration/proposal/propose.py": "the default: whose board is looked for",
        "webapp/demo/game.yaml": "the sample game",
        "webapp/cli/terminal/options.py": "the default of --game",
    },
    "ptolemaeus": {"models/rendering/README.md": "how its photographs are rendered"},
    "via_nebula": {"models/rendering/README.md": "how its photographs are rendered"},
    "polaris": {
        **PICTURED,
        **DESCRIBED,
        "models/weights/any_game/MODEL_CARD.md": "how well its boards are read without weights",
    },
}
"""Files outside a game's folders that name it, and why that is left."""


def files(room: str) -> Iterator[Path]:
    found = sorted((ROOT / room).rglob("*.py"))
    assert found, f"no code in {room}/"
    return iter(found)


def imports(file: Path) -> set[str]:
    """Top-level packages that a file imports, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import hides where it points"
            found.add((node.module or "").split(".")[0])
    return found


def test_every_game_that_the_package_brings_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["stargazer.games"].keys() == NAMING_A_GAME.keys()


@pytest.mark.parametrize("game", NAMING_A_GAME)
def test_a_game_is_named_in_its_own_folders(game: str) -> None:
    """Another game is a folder; README, tests and translations are for people to read."""
    elsewhere = [f":!*{game}*", ":!tests", ":!README.md", ":!*/translations/*"]
    command = ["git", "grep", "-il", game, "--", *elsewhere]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(found.split()) == NAMING_ANY_GAME.keys() | NAMING_A_GAME[game].keys()


def test_of_models_only_training_itself_imports_training_libraries() -> None:
    naming = {file.name for file in files("models") if imports(file) & TRAINING_ONLY}
    training = {
        "attention.py",
        "set_transformer.py",
        "train.py",
        "fine_tuning.py",
        "trained_network.py",
    }
    training |= {"network.py", "export.py"}  # of the reader of any game's boards
    assert naming <= {"offline.py", "precision.py", *training}


def calls(file: Path) -> set[str]:
    """The functions and methods that a file calls, by their last two names: `Reader.of`."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    called = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {".".join(name.split(".")[-2:]) for name in called}


@pytest.mark.parametrize(
    ("call", "callers"),
    [
        ("Reader.of", {"board_reader.py"}),
        ("game.with_position", {"score_game.py"}),
        ("game.score", {"score_game.py", "view_model.py"}),  # the latter while a game is followed
    ],
)
def test_commands_and_pages_share_one_way_from_photograph_to_score(
    call: str, callers: set[str]
) -> None:
    assert {file.name for file in files("webapp") if call in calls(file)} == callers


def loaded_after(code: str) -> set[str]:
    """Run code in a fresh interpreter and name the modules loaded by then."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


SCORED = """
from webapp.cli.commands.demo import SAMPLE_GAME
from webapp.cli.terminal.game_files import GameFileScorer
import tempfile, pathlib
with tempfile.TemporaryDirectory() as folder:
    GameFileScorer("standard", pathlib.Path(folder)).score(SAMPLE_GAME)
"""
CARDS = """
from calibration import profile_names
from webapp.app.reading.card_jobs import deck_of
for profile in profile_names():
    deck_of(profile)
"""
RUN = """
from webapp.cli.main import main
try:
    main({})
except SystemExit:
    pass
"""
READ = RUN.format(["read", "--profile", "standard", "webapp/demo/ana.jpg"])
PAGES = {"flask", "flask_babel", "jinja2"}
SLOW = {"numpy", "cv2", "onnxruntime", "flask", "rich", "pydantic", "reportlab"}


@pytest.mark.parametrize(
    ("code", "needs", "spares"),
    [
        pytest.param(SCORED, "onnxruntime", TRAINING_ONLY, id="a scored game"),
        pytest.param(
            "from webapp.app.reading.board_reader import BoardReader",
            "cv2",
            {"networkx", "vision.placewise", "vision.region_counts"},  # few boards need them
            id="a reader of boards",
        ),
        pytest.param(
            "from webapp.app.live.vision_worker import VisionFrameWorker",
            "cv2",
            PAGES | {"reportlab", "svgelements"},
            id="a camera",
        ),
        pytest.param(READ, "onnxruntime", PAGES, id="a photograph"),
        pytest.param(  # 30 MB less for each process, of the database alone
            CARDS,
            "webapp.games.nebula.card_pictures",
            {"sqlalchemy", "cryptography", "filelock"},
            id="cards",
        ),
        pytest.param(
            "from scorer.nebula.score import score_game", "scorer", NOT_IN_SCORER, id="a score"
        ),
        pytest.param(RUN.format(["--help"]), "click", SLOW | TRAINING_ONLY, id="help"),
    ],
)
def test_only_what_is_needed_is_loaded(code: str, needs: str, spares: set[str]) -> None:
    loaded = loaded_after(code)
    assert needs in loaded
    assert not loaded & spares
