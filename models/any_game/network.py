"""The network that reads any game's boards: each place beside the empty one, then all at once.

A small convolutional network looks at each place alone. What it saw, and the kinds of pieces by
their colours, are then told to each other (self-attention over a set; Lee et al., 2019): pieces of
one kind look alike, in whatever light. A kind has no name, so it need not be one that was trained.
"""

from __future__ import annotations

import torch
from torch import nn

CHANNELS = 8
"""The photograph in the reference's light (3), its brightest channel as it came, the reference (3),
and where the place lies."""
_LOOKS = 4
"""So many parts of a patch have their colour measured, wherever the network looks."""
_KIND = 8


class PlaceReader(nn.Module):
    """(N, 8, P, P) patches, (N, 1) edge, (K, 3) swatches, (K, 1) lies on edges to (N, K + 2).

    Log odds of each kind, of "empty" and of "hidden"; all with a leading batch. Levels are 0 to 1.
    """

    def __init__(self, width: int = 72, layers: int = 3):
        """``width`` of what is said of one place."""
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(CHANNELS, 32, 5, stride=2, padding=2, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.Conv2d(32, 48, 3, padding=1, bias=False),
            nn.BatchNorm2d(48),
            nn.ReLU(),
        )
        self.body = nn.Sequential(
            nn.Conv2d(48, 64, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.Conv2d(64, 64, 3, padding=1, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
        )
        self.look = nn.ModuleList((nn.Conv2d(48, _LOOKS, 1), nn.Conv2d(64, _LOOKS, 1)))
        self.seen = nn.Linear(64 * 2 + 64 * 9 + _LOOKS * 14 + 1, width)
        self.kind = nn.Sequential(nn.Linear(_KIND, width), nn.GELU(), nn.Linear(width, width))
        self.layers = nn.ModuleList(_Layer(width) for _ in range(layers))
        self.of_place, self.of_kind = nn.Linear(width, width), nn.Linear(width, width)
        self.lies = nn.Linear(width, 1)
        self.unlike = nn.Parameter(torch.zeros(_LOOKS, 3))
        self.other = nn.Linear(width, 2)

    def forward(
        self,
        patches: torch.Tensor,
        edge: torch.Tensor,
        swatches: torch.Tensor,
        on_edges: torch.Tensor,
        kinds_there: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """``kinds_there`` (B, K) bool leaves out what only fills up a batch."""
        batch, count = patches.shape[:2]
        flat = patches.flatten(0, 1)
        # coarse numbers do for learning where to look; what is measured there is measured exactly
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training):
            early = self.stem((flat - 0.5).contiguous(memory_format=torch.channels_last))
            late = self.body(early)
        early, late = early.float(), late.float()
        finer, coarser = self.look[0](early), self.look[1](late)
        looks = finer + nn.functional.interpolate(coarser, scale_factor=2.0, mode="nearest")
        weights = looks.flatten(2).softmax(-1)
        small = nn.functional.avg_pool2d(flat, 2).flatten(2)
        measured = weights @ small[:, :7].transpose(1, 2)
        told = torch.cat([measured, _hues(measured)], dim=-1).flatten(1)
        parts = nn.functional.avg_pool2d(late, 3, 2).flatten(1)
        pooled = torch.cat([late.mean((2, 3)), late.amax((2, 3)), parts, told], dim=1)
        pooled = torch.cat([pooled.view(batch, count, -1), edge], dim=-1)
        places = self.seen(pooled)
        kinds = self.kind(torch.cat([swatches, _hue(swatches), on_edges], dim=-1))
        x = torch.cat([places, kinds], dim=1)
        there = None
        if kinds_there is not None:
            everywhere = torch.ones(batch, count, dtype=torch.bool)
            there = torch.cat([everywhere, kinds_there], dim=1)
        for layer in self.layers:
            x = layer(x, there)
        places, kinds = x[:, :count], x[:, count:]
        match = self.of_place(places) @ self.of_kind(kinds).transpose(1, 2)
        match = match / places.shape[-1] ** 0.5 + self.lies(places)
        # it begins with how far what was measured is from each kind, and learns what to add
        shown = _hue(measured[..., :3]).view(batch, count, 1, _LOOKS, 4)[..., :3]
        apart = (shown - _hue(swatches)[:, None, :, None, :3]) ** 2
        match = match - (nn.functional.softplus(self.unlike) * apart).sum((3, 4))
        admitted = edge == on_edges.transpose(1, 2)
        if kinds_there is not None:
            admitted = admitted & kinds_there[:, None]
        match = torch.where(admitted, match, torch.full_like(match, -30.0))
        return torch.cat([match, self.other(places)], dim=-1)


def _hue(colours: torch.Tensor) -> torch.Tensor:
    """(..., 4) for (..., 3) BGR of 0 to 1: two opponents by brightness, brightness, saturation."""
    b, g, r = colours.unbind(-1)
    most, least = colours.amax(-1), colours.amin(-1)
    bright = most + 0.06
    across, up = (r - (g + b) / 2) / bright, 0.866 * (g - b) / bright
    return torch.stack([across, up, most, (most - least) / bright], dim=-1)


def _hues(measured: torch.Tensor) -> torch.Tensor:
    """(..., 7): hues of what was measured of the photograph, and how it differs from the print."""
    photo, print_ = measured[..., :3], measured[..., 4:7]
    return torch.cat([_hue(photo), photo - print_], dim=-1)


class _Layer(nn.Module):
    def __init__(self, width: int, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.before = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.attend = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.forward_ = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )

    def forward(self, x: torch.Tensor, there: torch.Tensor | None) -> torch.Tensor:
        batch, count, width = x.shape
        parts = self.attend(self.before[0](x)).view(batch, count, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        attention = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        if there is not None:
            attention = attention.masked_fill(~there[:, None, None], -1e9)
        attended = (attention.softmax(-1) @ value).transpose(1, 2).reshape(batch, count, width)
        x = x + self.project(attended)
        further: torch.Tensor = self.forward_(self.before[1](x))
        return x + further
