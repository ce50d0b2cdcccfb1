"""The scorer stands alone: no pictures, no pages, and quick to import."""

import subprocess
import sys

import pytest

LATER = {"pydantic"}  # imported when a file is read
NEVER = {"cv2", "flask", "PIL", "numpy", "networkx", "onnxruntime", "torch"}
NEVER |= {"vision", "calibration", "webapp"}


def loaded_by(code: str) -> set[str]:
    program = f"{code}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    command = [sys.executable, "-c", program]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize(
    "game", ["nebula.score", "nebula.contract", "polaris.score", "polaris.contract"]
)
def test_importing_the_scorer_loads_no_pictures_no_pages_and_nothing_slow(game):
    loaded = loaded_by(f"import scorer.{game}")
    assert "scorer" in loaded
    assert not loaded & (NEVER | LATER)


def test_nor_does_scoring_a_game():
    game = "{'players': [{'name': 'Ana', 'stars': {'core': 'red'}}], 'advanced': ['B1']}"
    code = "from scorer.nebula import game_file, score"
    loaded = loaded_by(f"{code}\nscore.score_game(game_file.game_from_data({game}))")
    assert not loaded & NEVER
