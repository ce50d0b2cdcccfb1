"""Self-attention over a set, as the networks that see whole boards use it."""

import torch
from torch import nn


class AttentionLayer(nn.Module):
    """A layer with residual connections: (B, N, W) to (B, N, W)."""

    def __init__(self, width: int, dropout: float = 0.0):
        super().__init__()
        self.heads = 4
        self.before = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.attend = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, present: torch.Tensor | None) -> torch.Tensor:
        """``present`` is (B, N) bool: what to attend to; None for everything."""
        batch, count, width = x.shape
        parts = self.attend(self.before[0](x)).view(batch, count, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        attention = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        if present is not None:
            attention = attention.masked_fill(~present[:, None, None], -1e9)
        attended = (attention.softmax(-1) @ value).transpose(1, 2).reshape(batch, count, width)
        x = x + self.dropout(self.project(attended))
        further: torch.Tensor = self.dropout(self.feed_forward(self.before[1](x)))
        return x + further


def learn_from(
    network: nn.Module, optimizer: torch.optim.Optimizer, odds: torch.Tensor, truth: torch.Tensor
) -> torch.Tensor:
    """Learn from (B, N, C) log odds and the (B, N) truth, negative where unknown; the loss."""
    unknown = torch.where(truth < 0, -100, truth)
    loss = nn.functional.cross_entropy(odds.flatten(0, 1), unknown.flatten())
    optimizer.zero_grad()
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.detach()
