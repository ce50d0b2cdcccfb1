"""The network that reads boards of games without weights of their own, and its training."""

from pathlib import Path

from vision.network import Network

WEIGHTS = Path(__file__).parents[1] / "weights" / "any_game"


def load() -> Network:
    """The network that ships with the program."""
    return Network(WEIGHTS / "place-reader.onnx")
