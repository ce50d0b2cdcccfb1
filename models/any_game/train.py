"""Train the reader of any game's boards: `python -m models.any_game.train EXAMPLES`."""

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.any_game.augment import seen_otherwise
from models.any_game.examples import ExampleFiles
from models.any_game.network import PlaceReader
from models.any_game.random_scene import EMPTY, HIDDEN, MOST_KINDS, UNKNOWN, Example
from models.attention import learn_from
from vision.place_patches import BlurredReference

_PLACES = 72
"""So many of a board's places are shown at a time."""
_LOOKED_AT = 84
"""So many of them tell its light and its blur."""
_BOARDS = 6
"""So many boards one worker puts together."""
_RATE = 2.5e-3
_AVERAGED = 0.998
"""How slowly the average of the weights follows them, by which boards are read in the end."""
_LISTED_ANEW = 200
"""After so many batches a worker looks for examples that were written since."""
_SIZES = (72, (32, 48, 64)), (84, (48, 64, 96))
"""Of `PlaceReader`: its width and its filters."""

Batch = tuple[torch.Tensor, ...]


class Batches(IterableDataset[tuple[Batch, torch.Tensor]]):
    """Batches without end, of examples in ``folders``, more of which may still be written.

    The last of the folders gives ``share`` of what is shown, where there are several.
    """

    def __init__(self, folders: Sequence[Path], share: float, seed: int) -> None:
        """``seed`` is another one wherever a training goes on."""
        self._folders, self._share, self._seed = folders, share, seed

    def __iter__(self) -> Iterator[tuple[Batch, torch.Tensor]]:
        """Draw on and on, in each worker others."""
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng((self._seed, worker.id if worker else 0))
        while True:
            sources = [ExampleFiles(folder) for folder in self._folders]
            for _ in range(_LISTED_ANEW):
                yield draw_batch(rng, sources, self._share)


class Trained:
    """A network in training, and the average of its weights."""

    def __init__(self, size: int, device: str) -> None:
        """From random weights; ``size`` is 0 or 1."""
        width, filters = _SIZES[size]
        self.network = PlaceReader(width, filters=filters).to(device)
        self.network = self.network.to(memory_format=torch.channels_last)
        self.averaged = PlaceReader(width, filters=filters).to(device).eval()
        self.averaged.load_state_dict(self.network.state_dict())
        self._optimizer = torch.optim.AdamW(self.network.parameters(), lr=_RATE, weight_decay=0.02)
        self._parts: dict[str, Any] = {
            "network": self.network,
            "averaged": self.averaged,
            "optimizer": self._optimizer,
        }

    def learn(self, batch: Batch, truth: torch.Tensor, rate: float, done: int) -> torch.Tensor:
        """One step; its loss, still on the device."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        loss = learn_from(self.network, self._optimizer, self.network(*batch), truth)
        keep = min(_AVERAGED, done / (done + 10))
        with torch.no_grad():
            pairs = zip(
                self.averaged.state_dict().values(), self.network.state_dict().values(), strict=True
            )
            slow, fast = zip(*((a, b) for a, b in pairs if a.dtype.is_floating_point), strict=True)
            torch._foreach_lerp_(list(slow), list(fast), 1 - keep)
        return loss

    def state(self) -> dict[str, object]:
        return {name: part.state_dict() for name, part in self._parts.items()}

    def load(self, kept: Mapping[str, dict[str, object]]) -> None:
        for name, part in self._parts.items():
            part.load_state_dict(kept[name])


def train(
    batches: Iterable[tuple[Batch, torch.Tensor]],
    trained: Sequence[Trained],
    minutes: float,
    checkpoint: Path,
    device: str,
    together: int = 1,
    checkpoint_every: float = 60.0,
) -> None:
    """Train for so many minutes of wall clock, going on from ``checkpoint`` where there is one.

    Each network learns from the same batches, ``together`` of them at a step. Every
    ``checkpoint_every`` seconds what has been learnt is kept.
    """
    spent, step = 0.0, 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True, map_location=device)
        for one, state in zip(trained, kept["networks"], strict=True):
            one.load(state)
        spent, step = kept["spent"], kept["step"]
    total, began, saved = minutes * 60, time.monotonic() - spent, time.monotonic()
    losses = []
    drawn = iter(batches)
    while (spent := time.monotonic() - began) < total:
        rate = min(1.0, (step + 1) / 300) * (0.505 + 0.495 * math.cos(math.pi * spent / total))
        parts = [next(drawn) for _ in range(together)]
        inputs = zip(*(batch for batch, _ in parts), strict=True)
        batch = tuple(torch.cat(part).to(device, non_blocking=True) for part in inputs)
        truth = torch.cat([part for _, part in parts]).to(device)
        step += 1
        losses.append(torch.stack([one.learn(batch, truth, _RATE * rate, step) for one in trained]))
        if time.monotonic() - saved >= checkpoint_every:
            saved = time.monotonic()
            networks = [one.state() for one in trained]
            part = checkpoint.with_suffix(".part")
            torch.save({"networks": networks, "spent": spent, "step": step}, part)
            part.replace(checkpoint)
            lost = ", ".join(f"{loss:.4f}" for loss in torch.stack(losses).mean(0).tolist())
            click.echo(f"{spent / 60:5.1f} min, step {step}: loss {lost}")
            losses.clear()


def draw_batch(
    rng: np.random.Generator, sources: Sequence[Sequence[Example]], share: float
) -> tuple[Batch, torch.Tensor]:
    """`PlaceReader`'s inputs for some boards, and the (B, N) true answers, -100 for unknown."""
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
    noise = rng.standard_normal(patches.shape, np.float32)
    patches = patches + noise * np.float32(rng.uniform(0, 0.01))
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
    """(N, 8, P, P) float32 of 0 to 1, `PlaceReader`'s patches.

    The reference is as blurred as the photograph, as estimated from all places of the board, or
    ``other_blur`` steps more.
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
@click.option("--share", default=0.15, help="How many of the examples are of the last folder.")
@click.option("--minutes", default=35.0)
@click.option("--checkpoint", type=click.Path(path_type=Path), default=Path("any_game.pt"))
@click.option("--device", default="cuda" if torch.cuda.is_available() else "cpu")
@click.option("--workers", default=0, help="Processes that put examples together.")
@click.option("--together", default=1, help="Batches of a worker's in one step.")
@click.option(
    "--sizes", default="01", help="Of the networks, trained side by side, a digit each: 0 or 1."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("models/weights/any_game"))
def main(
    folders: tuple[Path, ...],
    share: float,
    minutes: float,
    checkpoint: Path,
    device: str,
    workers: int,
    together: int,
    sizes: str,
    out: Path,
) -> None:
    """Train networks on the examples in FOLDERS and export the mean of their log odds to OUT."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    if not sizes or set(sizes) - {"0", "1"}:
        raise click.BadParameter("digits 0 and 1, one a network", param_hint="--sizes")
    trained = [Trained(int(size), device) for size in sizes]
    batches = DataLoader(
        Batches(folders, share, seed=int(time.time())),
        batch_size=None,
        num_workers=workers,
        prefetch_factor=4 if workers else None,
        pin_memory=device != "cpu",
    )
    train(batches, trained, minutes, checkpoint, device, together)
    from models.any_game.export import export

    click.echo(export([one.averaged.cpu().eval() for one in trained], out))


if __name__ == "__main__":
    main()
