"""The network that reads any game's boards: each place beside the empty one, then all at once.

A small convolutional network looks at each place alone. What it saw, and the kinds of pieces by
their colours, are then compared with each other (self-attention over a set; Lee et al., 2019):
pieces of one kind look alike, in whatever light. A kind has no name, so it need not be one that was
trained.
"""

import torch
from torch import nn

from models.attention import AttentionLayer

CHANNELS = 8
"""The photograph in the reference's light (3), its brightest channel as it came, the reference (3),
and where the place lies."""
_COMPARED = 7
"""Inputs that compare the two: the similarity of their textures, and their colours."""
_LOOKS = 4
"""So many parts of a patch have their colour measured, wherever the network looks."""
_KIND = 8
_MEASURED = 15
"""So much is measured of each of these parts."""
_BESIDE = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
"""So far, (right, down), the print may lie beside what is seen of it."""
_FLAT = 3e-4
"""The variance of what is printed without a texture, noise and all."""


class PlaceReader(nn.Module):
    """(N, 8, P, P) patches, (N, 1) edge, (K, 3) swatches, (K, 1) lies on edges to (N, K + 2).

    Log odds of each kind, of "empty" and of "hidden"; all with a leading batch. Levels are 0 to 1.
    """

    def __init__(self, width: int = 72, filters: tuple[int, int, int] = (32, 48, 64)):
        """``width`` of what is said of one place, ``filters`` of the convolutions."""
        super().__init__()
        first, early, late = filters
        self.stem = nn.Sequential(
            nn.Conv2d(CHANNELS, first, 5, stride=2, padding=2, bias=False),
            nn.BatchNorm2d(first),
            nn.ReLU(),
            nn.Conv2d(first, early, 3, padding=1, bias=False),
            nn.BatchNorm2d(early),
            nn.ReLU(),
        )
        self.compared = nn.Conv2d(_COMPARED, early, 3, padding=1, bias=False)
        self.body = nn.Sequential(
            nn.Conv2d(early, late, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(late),
            nn.ReLU(),
            nn.Conv2d(late, late, 3, padding=1, bias=False),
            nn.BatchNorm2d(late),
            nn.ReLU(),
        )
        self.further = nn.Sequential(
            nn.Conv2d(late, late, 3, padding=1, bias=False),
            nn.BatchNorm2d(late),
            nn.ReLU(),
            nn.Conv2d(late, late, 3, padding=1),
        )
        self.look = nn.ModuleList((nn.Conv2d(early, _LOOKS, 1), nn.Conv2d(late, _LOOKS, 1)))
        self.seen = nn.Linear(late * (2 + 9) + _LOOKS * _MEASURED + 1, width)
        self.kind = nn.Sequential(nn.Linear(_KIND, width), nn.GELU(), nn.Linear(width, width))
        self.layers = nn.ModuleList(AttentionLayer(width) for _ in range(4))
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
        small = nn.functional.avg_pool2d(flat[:, :7], 2)
        compared = _compared(small[:, :3], small[:, 4:7])
        # coarse numbers do for learning where to look; what is measured there is measured exactly
        with torch.autocast(patches.device.type, torch.bfloat16, enabled=self.training):
            early = self.stem((flat - 0.5).contiguous(memory_format=torch.channels_last))
            early = early + self.compared(compared)
            late = self.body(early)
            late = nn.functional.relu(late + self.further(late))
        early, late = early.float(), late.float()
        finer, coarser = self.look[0](early), self.look[1](late)
        looks = finer + nn.functional.interpolate(coarser, scale_factor=2.0, mode="nearest")
        weights = looks.flatten(2).softmax(-1)
        measurable = torch.cat([small, compared[:, :1]], dim=1).flatten(2)
        measured = weights @ measurable.transpose(1, 2)
        colours = torch.cat([measured, _hues(measured)], dim=-1).flatten(1)
        parts = nn.functional.avg_pool2d(late, 3, 2).flatten(1)
        pooled = torch.cat([late.mean((2, 3)), late.amax((2, 3)), parts, colours], dim=1)
        pooled = torch.cat([pooled.view(batch, count, -1), edge], dim=-1)
        places = self.seen(pooled)
        kinds = self.kind(torch.cat([swatches, _hue(swatches), on_edges], dim=-1))
        x = torch.cat([places, kinds], dim=1)
        there = None
        if kinds_there is not None:
            everywhere = torch.ones(batch, count, dtype=torch.bool, device=patches.device)
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


def _compared(photo: torch.Tensor, print_: torch.Tensor) -> torch.Tensor:
    """(M, 7, P / 2, P / 2) for photograph and print, (M, 3, P / 2, P / 2) each of 0 to 1.

    How alike their texture is, a pixel beside or not, and exactly there; which has more of it; two
    opponents by brightness of each. A print that is still to be read is bare, whatever the light.
    """
    seen, known = (one.mean(1, keepdim=True) for one in (photo, print_))
    shifted = [_shifted(known, right, down) for right, down in _BESIDE]
    both = [seen, seen * seen, *shifted]
    squares = [*(one * one for one in shifted), *(one * seen for one in shifted)]
    maps = torch.cat(both + squares, dim=1)
    count = len(_BESIDE)
    likes = []
    for size, shifts in ((5, count), (3, 1)):
        local = nn.functional.avg_pool2d(maps, size, 1, size // 2, count_include_pad=False)
        mean, square = local[:, :1], local[:, 1:2]
        printed = local[:, 2 : 2 + shifts]
        squared = local[:, 2 + count : 2 + count + shifts]
        together = local[:, 2 + 2 * count : 2 + 2 * count + shifts] - mean * printed
        texture = (square - mean * mean).clamp(min=0) + _FLAT
        print_texture = (squared - printed * printed).clamp(min=0) + _FLAT
        like = together / (texture * print_texture).sqrt()
        likes.append(like.amax(1, keepdim=True))
        if size == 5:
            likes.append(4 * (texture.sqrt() - print_texture[:, :1].sqrt()))
    hues = [_hue(one.permute(0, 2, 3, 1))[..., :2].permute(0, 3, 1, 2) for one in (photo, print_)]
    return torch.cat([*likes, *hues], dim=1)


def _shifted(picture: torch.Tensor, right: int, down: int) -> torch.Tensor:
    """The same so many pixels, one at most, to the right and down; its rim stays."""
    if not right and not down:
        return picture
    padded = nn.functional.pad(picture, (1, 1, 1, 1), mode="replicate")
    height, width = picture.shape[2:]
    return padded[:, :, 1 - down : 1 - down + height, 1 - right : 1 - right + width]
