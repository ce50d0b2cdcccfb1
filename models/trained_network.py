"""A set classifier that was exported, with its parameters as PyTorch has them."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from models.set_transformer import Ensemble, SetTransformer


def load_ensemble(path: Path) -> Ensemble:
    """The networks in a ``set-classifier.onnx``, ready to be trained further.

    The export transposes the weights of linear layers and names them anew; each is found again by
    the bias that is added to what it makes.
    """
    found = _parameters(onnx.load(path))
    count = 1 + max(int(name.split(".")[1]) for name in found)
    members = []
    for number in range(count):
        prefix = f"{number}."
        own = {
            name.removeprefix(f"members.{prefix}"): torch.tensor(value)
            for name, value in found.items()
            if name.startswith(f"members.{prefix}")
        }
        # Networks that were trained on the same examples share these.
        for shared in ("mean", "spread"):
            own.setdefault(shared, torch.tensor(found[f"members.0.{shared}"]))
        member = SetTransformer(own["mean"].numpy(), own["spread"].numpy())
        member.load_state_dict(own)
        members.append(member)
    return Ensemble(members).eval()


def _parameters(network: onnx.ModelProto) -> Mapping[str, np.ndarray]:
    """The parameters by their names as ``members.NUMBER.…``."""
    arrays = {one.name: numpy_helper.to_array(one).copy() for one in network.graph.initializer}
    maker = {output: node for node in network.graph.node for output in node.output}
    found = {}
    for name, value in arrays.items():
        parts = name.split(".")
        if len(parts) > 2 and parts[1].isdigit():  # an older export calls them otherwise
            found[".".join(["members", *parts[1:]])] = value
    for node in network.graph.node:
        biases = [name for name in node.input if name.endswith(".bias") and name in arrays]
        if node.op_type != "Add" or not biases:
            continue
        (made,) = (name for name in node.input if name not in biases)
        weight = next((name for name in maker[made].input if name in arrays), None)
        if weight is not None:
            bias = ".".join(["members", *biases[0].split(".")[1:]])
            found[bias.removesuffix("bias") + "weight"] = arrays[weight].T
    return found
