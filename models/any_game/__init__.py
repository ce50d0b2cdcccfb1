"""The network that reads boards of games without weights of their own, and its training."""

from pathlib import Path

from vision.network import Network

WEIGHTS = Path(__file__).parents[1] / "weights" / "any_game"


def load() -> Network:
    """The network for boards of any game."""
    return Network(WEIGHTS / "place-reader.onnx")


def load_small() -> Network:
    """The network for the games that ship, measured with it: two fifths of the work."""
    return Network(WEIGHTS / "place-reader-small.onnx")
