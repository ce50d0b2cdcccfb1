"""Train the reader of any game's boards: `python -m models.any_game.train EXAMPLES`."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
import cv2
import numpy as np
import torch
from torch import nn

from models.any_game.augment import seen_otherwise
from models.any_game.examples import read_examples
from models.any_game.network import PlaceReader
from models.any_game.random_scene import EMPTY, HIDDEN, MOST_KINDS, UNKNOWN, Example
from vision.place_patches import BlurredReference

_PLACES = 56
"""So many of a board's places are shown at a time."""
_LOOKED_AT = 84
"""So many of them tell its light and its blur."""
_BOARDS = 5
_RATE = 2.5e-3
_CHECKPOINT_EVERY = 60.0
_AVERAGED = 0.998
"""How slowly the average of the weights follows them, by which boards are read in the end."""

Batch = tuple[torch.Tensor, ...]


def train(
    sources: Sequence[Sequence[Example]], share: float, minutes: float, checkpoint: Path
) -> PlaceReader:
    """Train for so many minutes of wall clock, going on from ``checkpoint`` where there is one.

    The last of the ``sources`` gives ``share`` of what is shown, where there are several.
    """
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    network = PlaceReader().to(memory_format=torch.channels_last)
    averaged = PlaceReader()
    averaged.load_state_dict(network.state_dict())
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=0.02)
    spent, step = 0.0, 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(kept["network"])
        averaged.load_state_dict(kept["averaged"])
        optimizer.load_state_dict(kept["optimizer"])
        spent, step = kept["spent"], kept["step"]
        rng = np.random.default_rng(step)
    total, began, saved = minutes * 60, time.monotonic() - spent, time.monotonic()
    losses = []
    while (spent := time.monotonic() - began) < total:
        done = spent / total
        rate = _RATE * min(1.0, (step + 1) / 150) * (0.51 + 0.49 * math.cos(math.pi * done))
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch, truth = draw_batch(rng, sources, share)
        network.train()
        loss = nn.functional.cross_entropy(
            network(*batch).flatten(0, 1), truth.flatten(), ignore_index=-100
        )
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        step += 1
        with torch.no_grad():
            keep = min(_AVERAGED, step / (step + 10))
            pairs = zip(averaged.state_dict().values(), network.state_dict().values(), strict=True)
            for slow, fast in pairs:
                if slow.dtype.is_floating_point:
                    slow.lerp_(fast, 1 - keep)
        losses.append(loss.item())
        if time.monotonic() - saved > _CHECKPOINT_EVERY:
            saved = time.monotonic()
            contents: dict[str, object] = {
                "network": network.state_dict(),
                "averaged": averaged.state_dict(),
            }
            contents |= {"optimizer": optimizer.state_dict(), "spent": spent, "step": step}
            part = checkpoint.with_suffix(".part")
            torch.save(contents, part)
            part.replace(checkpoint)
            click.echo(f"{spent / 60:5.1f} min, step {step}: loss {np.mean(losses):.4f}")
            losses.clear()
    return averaged.eval()


def draw_batch(
    rng: np.random.Generator, sources: Sequence[Sequence[Example]], share: float
) -> tuple[Batch, torch.Tensor]:
    """What `PlaceReader` is told of some boards, and the (B, N) true answers, -100 for unknown."""
    of = [sources[-1] if rng.random() < share else sources[0] for _ in range(_BOARDS)]
    drawn = [_draw(rng, examples[int(rng.integers(len(examples)))]) for examples in of]
    columns = [np.stack(column) for column in zip(*drawn, strict=True)]
    patches, edge, swatches, on_edges, there, truth = columns
    inputs = (patches, edge, swatches, on_edges)
    batch = (*(torch.from_numpy(x.astype(np.float32)) for x in inputs), torch.from_numpy(there))
    return batch, torch.from_numpy(truth.astype(np.int64))


def _draw(rng: np.random.Generator, example: Example) -> tuple[np.ndarray, ...]:
    """Some of a board's places, its kinds in another order, mirrored, and in a little other light.

    Now and then of fewer places: then there is less to compare.
    """
    example = _some_places(example, rng.permutation(len(example.truth))[:_LOOKED_AT])
    count = len(example.truth)
    chosen = rng.permutation(count)[:_PLACES]
    if rng.random() < 0.15:
        chosen = chosen[: int(rng.integers(4, 30))]
    chosen = np.resize(chosen, _PLACES)
    order = rng.permutation(len(example.swatches))
    seen = seen_otherwise(rng, example.photo, example.raw, example.reference)
    example = replace(example, photo=seen[0], raw=seen[1])
    patches = stacked(example, chosen, other_blur=int(rng.choice([0, 0, 0, -1, 1])))
    if rng.random() < 0.5:
        patches = patches[..., ::-1]
    if rng.random() < 0.5:
        patches = patches[..., ::-1, :]
    patches = patches + rng.normal(0, rng.uniform(0, 0.01), patches.shape).astype(np.float32)
    swatches = np.zeros((MOST_KINDS, 3), np.float32)
    on_edges, there = np.zeros((MOST_KINDS, 1), np.float32), np.zeros(MOST_KINDS, bool)
    kinds = len(order)
    swatches[:kinds] = example.swatches[order] / 255
    swatches += rng.normal(0, 0.02, swatches.shape).astype(np.float32)
    on_edges[:kinds, 0] = example.lies_on_edges[order]
    there[:kinds] = True
    place_of = np.empty(kinds, int)
    place_of[order] = np.arange(kinds)
    lies = example.truth[chosen].astype(int)
    truth = np.where(lies >= 0, place_of[np.maximum(lies, 0)], -100)
    truth[lies == EMPTY] = MOST_KINDS
    truth[lies == HIDDEN] = MOST_KINDS + 1
    truth[lies == UNKNOWN] = -100
    return patches, example.edge[chosen][:, None], swatches, on_edges, there, truth


def _some_places(example: Example, chosen: np.ndarray) -> Example:
    of_places = ("photo", "raw", "reference", "mask", "edge", "truth")
    return replace(example, **{name: getattr(example, name)[chosen] for name in of_places})


def stacked(example: Example, chosen: np.ndarray, other_blur: int = 0) -> np.ndarray:
    """(N, 8, P, P) float32 of 0 to 1, as `PlaceReader` is told.

    The reference is as blurred as the photograph, told by all places of the board, or by so many
    steps more.
    """
    flat = [x.reshape(-1, *x.shape[2:]) for x in (example.reference, example.photo)]
    known = BlurredReference(flat[0], np.ones(flat[0].shape[:2], bool))
    blurred = known.like(flat[1], other_blur)
    reference = blurred.reshape(example.reference.shape)
    photo, print_ = (x[chosen].transpose(0, 3, 1, 2) for x in (example.photo, reference))
    single = (example.raw[chosen][:, None], example.mask[chosen][:, None])
    return np.concatenate([photo, single[0], print_, single[1]], axis=1).astype(np.float32) / 255


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--share", default=0.3, help="How many of the examples are of the last folder.")
@click.option("--minutes", default=35.0)
@click.option("--checkpoint", type=click.Path(path_type=Path), default=Path("any_game.pt"))
@click.option("--out", type=click.Path(path_type=Path), default=Path("models/weights/any_game"))
def main(
    folders: tuple[Path, ...], share: float, minutes: float, checkpoint: Path, out: Path
) -> None:
    """Train on the examples in FOLDERS and export the network to OUT."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    sources = [list(read_examples(folder)) for folder in folders]
    click.echo(f"{sum(map(len, sources))} boards")
    network = train(sources, share, minutes, checkpoint)
    from models.any_game.export import export

    click.echo(export(network, out))


if __name__ == "__main__":
    main()
