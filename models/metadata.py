"""What an exported network says of itself."""

from collections.abc import Sequence
from pathlib import Path

import onnx

_OF_THE_MACHINE = ("description", "date")
"""What Ultralytics adds: where and when it was trained."""


def tidy_metadata(path: Path, classes: Sequence[str] = ()) -> None:
    """Rewrite an ``.onnx`` file so that it reveals nothing of the machine on which it was trained.

    ``classes`` are the names of its scores, in order, for an export that has none. They are written
    as Ultralytics writes them.
    """
    network = onnx.load(path)
    metadata = {entry.key: entry.value for entry in network.metadata_props}
    if classes:
        metadata["names"] = str(dict(enumerate(classes)))
    kept = {key: value for key, value in metadata.items() if key not in _OF_THE_MACHINE}
    onnx.helper.set_model_props(network, kept)
    network.doc_string = network.graph.doc_string = ""
    for node in network.graph.node:  # where in whose source it was traced
        node.doc_string = ""
        del node.metadata_props[:]
    onnx.save(network, path)
