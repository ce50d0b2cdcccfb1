"""Exported networks, run by ONNX Runtime.

Nothing else imports ONNX Runtime: its official builds send telemetry unless that is disabled before
they are loaded, and players' photographs are private.
"""

import os
from ast import literal_eval
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np

# Before the import, so that no device id is created, no event written and no thread started.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

onnxruntime.disable_telemetry_events()  # for Windows builds that ignore the variable

THREADS = 2
_LOADER = ThreadPoolExecutor(1, "loading networks")
"""Optimises one graph at a time, without Python's lock; more at once would take more memory."""


class Network:
    """An exported network.

    >>> finder = Network(min(Path("models/weights").glob("*/board-finder.onnx")))
    >>> finder.run(np.zeros((288, 288, 3), np.uint8)).shape, finder.classes
    ((405, 17), ('board',))
    """

    def __init__(self, path: Path) -> None:
        """Load a file, in a thread: what is wrong with it is raised where it is first used.

        Raises RuntimeError after the main thread has ended.
        """
        self._path = path
        self._loading: Future[onnxruntime.InferenceSession] = _LOADER.submit(self._load)

    def _load(self) -> onnxruntime.InferenceSession:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        # Otherwise idle threads spin and take a core from everything else.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # ONNX Runtime would keep the memory of its largest run, 17 MB, or even allocate it as one
        # block, and be no faster.
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        # That pass takes a third of the time to load the set classifier, and saves none later.
        return onnxruntime.InferenceSession(
            self._path,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["ReshapeFusion"],
        )

    @property
    def _session(self) -> onnxruntime.InferenceSession:
        return self._loading.result()

    @cached_property
    def metadata(self) -> Mapping[str, str]:
        """The network's custom metadata."""
        return dict(self._session.get_modelmeta().custom_metadata_map)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of its file."""
        return sha256(self._path.read_bytes()).hexdigest()

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The names of its output classes, in order, from its metadata."""
        names: dict[int, str] = literal_eval(self.metadata["names"])
        return tuple(names[number] for number in sorted(names))

    def run(self, picture: np.ndarray) -> np.ndarray:
        """Detections of all N anchors in a (S, S, C) uint8 picture, (N, M) float32.

        The columns are the box's centre and size in px (x, y, w, h), a score for each class, and
        (x, y, score) for each keypoint. Several anchors may detect the same object.
        """
        height, width, channels = picture.shape
        batch = np.empty((1, channels, height, width), np.float32)
        np.divide(picture.transpose(2, 0, 1), np.float32(255), out=batch[0])
        return np.asarray(self.infer(batch)[0].T)

    def infer(self, batch: np.ndarray) -> np.ndarray:
        """The network's first output, (B, ...), for a (B, ...) float32 input of its own shape."""
        return self.answer({self._session.get_inputs()[0].name: batch})

    def answer(self, inputs: Mapping[str, np.ndarray]) -> np.ndarray:
        """The network's first output for inputs by name."""
        found: np.ndarray = self._session.run(None, dict(inputs))[0]
        return found


class Ensemble:
    """Networks whose answers are added, each with a weight."""

    def __init__(self, weights: Mapping[Network, float]) -> None:
        """The networks take the same inputs."""
        self._weights = weights

    def answer(self, inputs: Mapping[str, np.ndarray]) -> np.ndarray:
        """The weighted sum of their first outputs for inputs by name."""
        return np.asarray(sum(w * one.answer(inputs) for one, w in self._weights.items()))
