"""Fine-tune: the set classifier learns from boards that people confirmed.

It is the smallest of the three networks, and the one that says which colour a piece has: what is
corrected is hardly ever anything else. The detector stays as it is, so what it says of each example
is worked out once. Boards drawn by the synthesis are learnt along with them (rehearsal), so that
what was known before is not forgotten; other drawn boards check that.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import torch
from torch import nn

from calibration import PX_PER_MM, Profile
from models.attention import learn_from
from models.kept_example import KeptExample
from models.set_transformer import (
    FILE,
    UNKNOWN,
    Ensemble,
    Sample,
    SetTransformer,
    batches,
    drawn_samples,
    export,
    measured,
    without_classifier,
)
from models.synthesize import synthesize
from models.trained_network import load_ensemble
from scorer.places import Place
from vision.doubts import UNCERTAIN_BELOW
from vision.models import BEGUN_WITH, OWN
from vision.network import Network
from vision.photo import load_photo
from vision.reader import Reader

SHIPPED = Path(__file__).parent / "weights"
"""The games' weights that come with the program."""
LEAST_BOARDS = 8
LEAST_CORRECTED = 4
"""Boards that have to be kept, and boards on which something was read wrongly."""
MOST_BOARDS = 300
HELD_OUT_EVERY = 4
CHECK_PICTURES, CHECK_SEED = 60, 20
REHEARSAL_PICTURES, REHEARSAL_SEED = 120, 21
PART = 60
_DRAWING = 0.6
"""The share of the time that drawing may take."""
_EPOCHS = 30
_RATE = 4e-4
_NOISE = (0.05, 0.1)
_STEPS_BACK = (1.0, 0.5, 0.25)
"""How far from the old weights to the new ones is tried, the farthest first (Wortsman, 2022)."""

Progress = Callable[[int, int], None]


class TooFewExamplesError(Exception):
    """So few boards were kept that nothing could be learnt, or shown to be learnt."""

    def __init__(self, boards: int, corrected: int) -> None:
        """Of ``boards`` kept, ``corrected`` were read wrongly somewhere."""
        super().__init__(boards, corrected)
        self.boards, self.corrected = boards, corrected


class NoTimeError(Exception):
    """The time was over before anything was learnt."""


@dataclass(frozen=True)
class Figures:
    """Places of some boards: the number of all, of those misread, and misread without a doubt."""

    places: int
    wrong: int
    silent: int


@dataclass(frozen=True)
class Outcome:
    """What came of it: figures of the old weights and of the new ones.

    ``weights`` is the new classifier's file; None where it is not better on the boards that were
    ``held_out``, or worse on the drawn ones of the ``check``.
    """

    boards: int
    corrected: int
    held_out: tuple[Figures, Figures]
    check: tuple[Figures, Figures]
    weights: Path | None


def fine_tune(
    game: str,
    examples: Sequence[KeptExample],
    shipped: Path,
    start: Path,
    out: Path,
    seconds: float,
    progress: Progress = lambda done, total: None,
) -> Outcome:
    """Learn from ``examples``, the newest last, in so many ``seconds`` at most.

    ``shipped`` is the folder of the game's weights, ``start`` the set classifier to go on from;
    a better one is written into the folder ``out``. Raises TooFewExamplesError and NoTimeError.
    """
    begun = time.monotonic()
    old = load_ensemble(start)
    kept = [example_sample(example, shipped) for example in examples[-MOST_BOARDS:]]
    mistakes = [figures(old, [sample]).wrong for sample in kept]
    corrected = sum(count > 0 for count in mistakes)
    if len(kept) < LEAST_BOARDS or corrected < LEAST_CORRECTED:
        raise TooFewExamplesError(len(kept), corrected)
    # Both parts have boards that were read right, and such as were not.
    order = sorted(range(len(kept)), key=lambda row: -mistakes[row])
    held_out = [kept[row] for row in order[1::HELD_OUT_EVERY]]
    learnt = [kept[row] for at, row in enumerate(order) if at % HELD_OUT_EVERY != 1]
    with TemporaryDirectory() as folder:
        until = begun + _DRAWING * seconds
        check, rehearsal = _drawn(game, Path(folder), shipped, until, progress)
    new = _trained(start, learnt, rehearsal, begun + 0.9 * seconds, progress)
    before = figures(old, held_out), figures(old, check)
    after = before
    for share in _STEPS_BACK:
        candidate = between(old, new, share)
        after = figures(candidate, held_out), figures(candidate, check)
        if is_better(before[0], after[0]) and is_no_worse(before[1], after[1]):
            classes = _reader_of(examples[0].profile, shipped).classes
            weights = _written(candidate, classes, shipped, out)
            break
    else:
        weights = None
    before_after = (before[0], after[0]), (before[1], after[1])
    return Outcome(len(kept), corrected, *before_after, weights)


def _written(classifier: Ensemble, classes: Sequence[str], shipped: Path, out: Path) -> Path:
    """Write a classifier into a folder beside those before it, whole or not at all."""
    out.mkdir(parents=True, exist_ok=True)
    numbers = [int(path.stem.rpartition("-")[2]) for path in out.glob(f"{OWN}-*.onnx")]
    target = out / f"{OWN}-{max(numbers, default=0) + 1:04d}.onnx"
    with TemporaryDirectory(dir=out, prefix=".") as folder:
        written = export(classifier, Path(folder), classes)
        network = onnx.load(written)
        metadata = {entry.key: entry.value for entry in network.metadata_props}
        begun_with = Network(shipped / FILE).digest
        onnx.helper.set_model_props(network, metadata | {BEGUN_WITH: begun_with})
        onnx.save(network, written)
        written.replace(target)
    return target


def is_better(before: Figures, after: Figures) -> bool:
    """Whether fewer places are wrong, and no more of them without a doubt."""
    return after.wrong < before.wrong and after.silent <= before.silent


def is_no_worse(before: Figures, after: Figures) -> bool:
    """Whether neither more places are wrong, nor more of them without a doubt."""
    return after.wrong <= before.wrong and after.silent <= before.silent


def figures(classifier: nn.Module, samples: Sequence[Sample]) -> Figures:
    """The accuracy of a classifier by itself, without rules and swatches."""
    places = wrong = silent = 0
    with torch.no_grad():
        for features, truth in samples:
            chances = classifier(torch.tensor(features)[None])[0].softmax(-1).numpy()
            known = truth != UNKNOWN
            off = (chances.argmax(axis=1) != truth) & known
            places += int(known.sum())
            wrong += int(off.sum())
            silent += int((off & (chances.max(axis=1) >= UNCERTAIN_BELOW)).sum())
    return Figures(places, wrong, silent)


def between(old: Ensemble, new: Ensemble, share: float) -> Ensemble:
    """The networks that lie so far on the way from the ``old`` weights to the ``new`` ones."""
    states = zip(old.members, new.members, strict=True)
    members = []
    for one, other in states:
        assert isinstance(one, SetTransformer)
        member = SetTransformer(one.mean.numpy(), one.spread.numpy())
        target = other.state_dict()
        member.load_state_dict(
            {
                name: torch.lerp(value, target[name], share)
                for name, value in one.state_dict().items()
            }
        )
        members.append(member.eval())
    return Ensemble(members).eval()


def _trained(
    start: Path,
    learnt: Sequence[Sample],
    rehearsal: Sequence[Sample],
    deadline: float,
    progress: Progress,
) -> Ensemble:
    """The networks in ``start``, trained further until the deadline, or for long enough."""
    ensemble = load_ensemble(start)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    # As much of a batch is one's own boards as drawn ones.
    repeats = max(1, round(len(rehearsal) / len(learnt)))
    samples = [*learnt] * repeats + [*rehearsal]
    total, done = _EPOCHS * len(ensemble.members), 0
    for member in ensemble.members:
        assert isinstance(member, SetTransformer)
        member.train()
        optimizer = torch.optim.AdamW(member.parameters(), _RATE, weight_decay=0.02)
        left = deadline - time.monotonic()
        until = time.monotonic() + left / (len(ensemble.members) - done // _EPOCHS)
        epochs = 0
        for _ in range(_EPOCHS):
            for features, present, truth in batches(samples, rng, member.spread.numpy(), _NOISE):
                if time.monotonic() > until:
                    break
                learn_from(member, optimizer, member(features, present), truth)
            else:
                epochs += 1
            done += 1
            progress(done, total)
        if not epochs:
            raise NoTimeError
        member.eval()
    return ensemble


def _drawn(
    game: str, folder: Path, shipped: Path, until: float, progress: Progress
) -> tuple[list[Sample], list[Sample]]:
    """The classifier's inputs for drawn boards: those of the check, and those to train with.

    There are fewer of the latter on a computer that has no time for all of them, but some.
    Raises NoTimeError.
    """
    parts = [(CHECK_PICTURES, CHECK_SEED)]
    parts += [(PART, REHEARSAL_SEED + part) for part in range(REHEARSAL_PICTURES // PART)]
    total, done = sum(count for count, _ in parts), 0
    found: list[list[Sample]] = []
    for count, seed in parts:
        if time.monotonic() > until and len(found) > 1:
            break
        here = partial(lambda before, now, _: progress(before + now, total), done)
        synthesize(game, folder / str(seed), count, seed, here)
        found.append(drawn_samples(sorted((folder / str(seed)).glob("*.jpg")), shipped))
        done += count
    if time.monotonic() > until and len(found) <= 2:
        raise NoTimeError
    return found[0], [sample for part in found[1:] for sample in part]


def example_sample(example: KeptExample, shipped: Path) -> Sample:
    """The classifier's input for a kept board, and the truth."""
    reader = _reader_of(example.profile, shipped)
    image = load_photo(example.picture).image
    features = measured(reader, image, np.diag([PX_PER_MM, PX_PER_MM, 1.0]))
    return features, _truth(example.pieces, reader)


def _truth(pieces: Mapping[Place, str], reader: Reader) -> np.ndarray:
    empty = len(reader.classes)
    found = (pieces.get(place) for place in reader.places)
    return np.array([empty if p is None else reader.classes.index(p) for p in found])


@lru_cache(16)
def _reader_of(profile: Profile, shipped: Path) -> Reader:
    return Reader(profile, without_classifier(shipped))
