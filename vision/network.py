"""The exported networks, run by ONNX Runtime."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
import onnxruntime

THREADS = 2


class Network:
    """One exported model from ``models/weights``.

    >>> Network("board-finder").run(np.zeros((288, 288, 3), np.uint8)).shape[1]
    18
    """

    def __init__(self, name: str) -> None:
        """Load the weights of that name."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        # Without it, waiting threads spin and take a core from whatever else runs at the table.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        with as_file(files("models") / "weights" / f"{name}.onnx") as path:
            self._session = onnxruntime.InferenceSession(
                path, options, providers=["CPUExecutionProvider"]
            )
        self._input = self._session.get_inputs()[0].name

    def run(self, picture: np.ndarray) -> np.ndarray:
        """Detections in a (S, S, C) uint8 picture, (N, 6 or more) float32, best first.

        The columns are x0, y0, x1, y1 in px, score, class, and (x, y, score) for each keypoint.
        """
        batch = np.ascontiguousarray(picture.transpose(2, 0, 1)[None]).astype(np.float32)
        return self._session.run(None, {self._input: batch / 255})[0][0]


@lru_cache(4)
def network(name: str) -> Network:
    """The network of that name, loaded once."""
    return Network(name)
