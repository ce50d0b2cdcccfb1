"""Exported networks, run by ONNX Runtime.

Nothing else imports ONNX Runtime: its official builds report to their maker unless they are told
not to before they are loaded, and what a player photographs is nobody's but the player's.
"""

from __future__ import annotations

import os
from ast import literal_eval
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np

# Before the import: then no device id is made up, no event written and no thread for them started.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

onnxruntime.disable_telemetry_events()  # for builds on Windows that do not know the variable

THREADS = 2


class Network:
    """One exported network.

    >>> finder = Network(min(Path("models/weights").glob("*/board-finder.onnx")))
    >>> finder.run(np.zeros((288, 288, 3), np.uint8)).shape, finder.classes
    ((405, 17), ('board',))
    """

    def __init__(self, path: Path) -> None:
        """Load an `.onnx` file."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        # Without it, waiting threads spin and take a core from whatever else runs at the table.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            path, options, providers=["CPUExecutionProvider"]
        )
        self._input = self._session.get_inputs()[0].name
        self._path = path

    @cached_property
    def metadata(self) -> Mapping[str, str]:
        """What the network says of itself."""
        return dict(self._session.get_modelmeta().custom_metadata_map)

    @cached_property
    def digest(self) -> str:
        """What tells its file from any other."""
        return sha256(self._path.read_bytes()).hexdigest()

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The names of its outputs' classes, in order, as its own metadata has them."""
        names: dict[int, str] = literal_eval(self.metadata["names"])
        return tuple(names[number] for number in sorted(names))

    def run(self, picture: np.ndarray) -> np.ndarray:
        """What each of the network's N anchors sees in a (S, S, C) uint8 picture, (N, M) float32.

        The columns are the box's centre and size in px (x, y, w, h), a score for each class, and
        (x, y, score) for each keypoint. Several anchors see the same thing.
        """
        height, width, channels = picture.shape
        batch = np.empty((1, channels, height, width), np.float32)
        np.divide(picture.transpose(2, 0, 1), np.float32(255), out=batch[0])
        return np.asarray(self.infer(batch)[0].T)

    def infer(self, batch: np.ndarray) -> np.ndarray:
        """The network's first output, (B, ...), for a (B, ...) float32 input of its own shape."""
        return self.answer({self._input: batch})

    def answer(self, inputs: Mapping[str, np.ndarray]) -> np.ndarray:
        """The network's first output for these inputs, by their names."""
        found: np.ndarray = self._session.run(None, dict(inputs))[0]
        return found
