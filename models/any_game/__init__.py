"""The network that reads boards of games without weights of their own, and its training."""

from functools import cache
from pathlib import Path

from vision.network import Ensemble, Network

SURENESS = 0.75
"""By how much the log odds of `load` are scaled: on photographs its networks are overconfident."""
WEIGHTS = Path(__file__).parents[1] / "weights" / "any_game"


@cache
def load() -> Network:
    return Network(WEIGHTS / "place-reader.onnx")


@cache
def load_small() -> Network:
    """The network for games that ship, measured with it: two fifths of the work."""
    return Network(WEIGHTS / "place-reader-small.onnx")


def load_both() -> Ensemble:
    """Both networks for skies, of which each misreads what the other does not."""
    return Ensemble({load_small(): 0.5, load(): 0.5 / SURENESS})
