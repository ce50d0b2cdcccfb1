"""Export the reader of any game's boards for ONNX Runtime."""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from models.any_game import SURENESS
from models.any_game.network import CHANNELS, PlaceReader
from models.metadata import tidy_metadata
from vision.place_patches import PATCH_PX

FILE = "place-reader.onnx"
_INPUTS = {"patches": "places", "edge": "places", "swatches": "kinds", "on_edges": "kinds"}


class _OfOneBoard(nn.Module):
    """Takes levels of 0 to 255: (N, 8, P, P) patches and (K, 3) swatches."""

    def __init__(self, networks: Sequence[PlaceReader]):
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(
        self,
        patches: torch.Tensor,
        edge: torch.Tensor,
        swatches: torch.Tensor,
        on_edges: torch.Tensor,
    ) -> torch.Tensor:
        inputs = (patches / 255, edge, swatches / 255, on_edges)
        odds = [network(*(x[None] for x in inputs))[0] for network in self.networks]
        return SURENESS * torch.stack(odds).mean(0)


def export(networks: Sequence[PlaceReader], folder: Path) -> Path:
    """Write ``folder/place-reader.onnx``, for one board of any number of places and of kinds.

    Its log odds are the mean of the networks', scaled to be calibrated on photographs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    like = (
        torch.zeros(9, CHANNELS, PATCH_PX, PATCH_PX),
        torch.zeros(9, 1),
        torch.zeros(4, 3),
        torch.zeros(4, 1),
    )
    torch.onnx.export(
        _OfOneBoard(networks).eval(),
        like,
        path,
        dynamo=False,
        opset_version=17,
        input_names=list(_INPUTS),
        output_names=["odds"],
        dynamic_axes={**{k: {0: v} for k, v in _INPUTS.items()}, "odds": {0: "places", 1: "more"}},
    )
    tidy_metadata(path)
    return path
