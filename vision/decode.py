"""Decode each place's evidence to the most probable position, with calibrated confidences.

Each place has one hypothesis per class and one for "empty", with the classifier's log odds. The
game's prior (`scorer.game.Game.log_prior`) lowers what the rules make unlikely.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scorer.game import Game
from scorer.places import Place

LEAST = 0.02
"""Probability from which a hypothesis is reported."""
_SWEEPS = 4
_LIT_FACE = 0.6
"""Weight of the lit face's colour against that of the side above the piece's foot."""
_FEWEST, _MISSING = 2, 1 / 6
"""Fewest pieces that may all be misread, and the share of their number below which another kind is
hardly on the board."""
_SURELY_NAMED, _SECOND = float(np.log(0.15 / 0.85)), -0.01
"""Mean log odds of a rival below which a whole kind is surely named, and the most that it gets."""
_CONFIDENT, _DOUBTFUL_PLACES, _DOUBTFUL_PIECES, _AT_MOST = 0.99, 0.4, 0.5, 0.8
"""Confidence of a place below which it is doubtful, the share of such places, and of such pieces,
from which the whole board is doubted, and about the most confidence that is left there."""
GAP = -5.0
"""Log-odds penalty of a track that is not filled from its beginning."""


@dataclass(frozen=True)
class Posterior:
    """What is on one place: (C + 1,) probabilities in the order of ``classes``, then empty."""

    probabilities: np.ndarray
    classes: tuple[str, ...]

    @property
    def hypotheses(self) -> tuple[str | None, ...]:
        """The hypothesis of each probability, None for an empty place."""
        return (*self.classes, None)

    @property
    def piece(self) -> str | None:
        """The most probable piece, None for an empty place."""
        return self.hypotheses[int(self.probabilities.argmax())]

    @property
    def second(self) -> str | None:
        """The second most probable piece, None for an empty place."""
        return self.hypotheses[int(self.probabilities.argsort()[-2])]

    @property
    def confidence(self) -> float:
        """The probability of ``piece``."""
        return float(self.probabilities.max())

    def alternatives(self) -> dict[str, float]:
        """Every hypothesis of at least `LEAST` probability, the likeliest first."""
        return _ranked((*self.classes, "empty"), self.probabilities)


def weight_detections(odds: np.ndarray, scores: np.ndarray, plainly: float) -> np.ndarray:
    """(N, C + 1) log odds, with "empty" capped by the detector's evidence.

    ``scores`` (N, C) are the detector's; from ``plainly`` on there is a piece, if perhaps half
    beside the place. Which one is left to the classifier, which sees only the centre of the place
    and may take that for bare.
    """
    evidence = np.clip(scores.max(axis=1), 1e-6, 1 - 1e-6)
    room = np.logaddexp.reduce(odds[:, :-1], axis=1) + np.log((1 - evidence) / evidence)
    empty = np.where(evidence >= plainly, np.minimum(odds[:, -1], room), odds[:, -1])
    return np.hstack([odds[:, :-1], empty[:, None]])


def weight_lit_faces(odds: np.ndarray, lit: np.ndarray, two_faced: np.ndarray) -> np.ndarray:
    """(N, C + 1) log odds that also weigh the lit faces of ``two_faced`` (N,) bool places.

    ``lit`` (N, C + 1) are the log odds by those faces. The probability that there is a piece is
    unchanged.
    """
    below, above = (z - np.logaddexp.reduce(z, axis=1, keepdims=True) for z in (odds, lit))
    taken, also = (np.logaddexp.reduce(z[:, :-1], axis=1, keepdims=True) for z in (below, above))
    kinds = np.logaddexp(
        np.log(1 - _LIT_FACE) + below[:, :-1], np.log(_LIT_FACE) + above[:, :-1] - also + taken
    )
    return np.where(two_faced[:, None], np.hstack([kinds, below[:, -1:]]), odds)


def decode_spaces(
    odds: Mapping[str, np.ndarray],
    classes: tuple[str, ...],
    game: Game[Any, Any, Any],
    board: Any,
    weight: float = 1.0,
) -> dict[str, Posterior]:
    """Each space's posterior given its (C + 1,) log odds; ``weight`` scales the game's prior.

    Pass tempered odds with an equally tempered prior, so that the likeliest hypothesis stays the
    same. Iterated conditional modes (Besag, 1986): each space is decided given the others until
    nothing changes.
    """
    hypotheses = (*classes, None)
    lying = {space: piece for space, z in odds.items() if (piece := hypotheses[z.argmax()])}
    posteriors: dict[str, Posterior] = {}
    for _ in range(_SWEEPS):
        before = dict(lying)
        for space, z in odds.items():
            others = {other: piece for other, piece in lying.items() if other != space}
            lean = game.log_prior(board, others, space)
            total = z + np.array([*(weight * lean.get(name, 0.0) for name in classes), 0.0])
            posteriors[space] = Posterior(_softmax(total), classes)
            piece = hypotheses[int(total.argmax())]
            lying = others if piece is None else {**others, space: piece}
        if lying == before:
            break
    return _within_supply(posteriors, game)


def _within_supply(
    posteriors: Mapping[str, Posterior], game: Game[Any, Any, Any]
) -> dict[str, Posterior]:
    """The posteriors, given that no kind has more pieces on the board than its supply.

    The side of a tall piece may look like another one on the next place. Only kinds of which too
    many are read change.
    """
    given = dict(posteriors)
    for piece in game.pieces:
        found = [space for space, one in given.items() if one.piece == piece.id]
        if len(found) <= piece.supply:
            continue
        column = given[found[0]].classes.index(piece.id)
        chances = {
            space: float(np.clip(one.probabilities[column], 1e-6, 1 - 1e-6))
            for space, one in given.items()
        }
        for space in found:
            others = count_distribution([p for other, p in chances.items() if other != space])
            here = chances[space] * others[: piece.supply].sum()
            absent = (1 - chances[space]) * others[: piece.supply + 1].sum()
            if here + absent == 0:
                continue
            chance = here / (here + absent)
            probabilities = given[space].probabilities.copy()
            probabilities *= (1 - chance) / (1 - chances[space])
            probabilities[column] = chance
            probabilities /= probabilities.sum()
            given[space] = replace(given[space], probabilities=probabilities)
    return given


def doubt_whole_kinds(
    posteriors: Mapping[Place, Posterior], odds: Mapping[Place, np.ndarray]
) -> dict[Place, Posterior]:
    """The posteriors, in which the game's prior does not confirm the name of a doubtful kind.

    In haze all purple pieces may look blue. The prior then counts each as support for the others,
    though they are one mistake. So if a kind's closest rival is hardly read anywhere, its pieces
    are no surer than they all are on average by ``odds``, (C + 1,) log odds of each place.
    """
    given = dict(posteriors)
    read = {place: int(one.probabilities.argmax()) for place, one in posteriors.items()}
    count = Counter(read.values())
    for kind, pieces in count.items():
        group = [place for place, lies in read.items() if lies == kind]
        classes = posteriors[group[0]].classes
        missing = [n for n in range(len(classes)) if count[n] < _MISSING * pieces]
        if kind == len(classes) or pieces < _FEWEST or not missing:
            continue
        seen = np.array([odds[place] for place in group])
        weighed = np.log([np.maximum(given[place].probabilities, 1e-9) for place in group])
        apart, now = ((z - z[:, [kind]]).mean(axis=0) for z in (seen, weighed))
        rival = max(missing, key=lambda n: float(apart[n]))
        if now[rival] >= apart[rival] or apart[rival] < _SURELY_NAMED:
            continue
        for place in group:
            chances = given[place].probabilities.copy()
            least = chances[kind] * np.exp(min(apart[rival], _SECOND))
            chances[rival] = max(chances[rival], least)
            given[place] = replace(given[place], probabilities=chances / chances.sum())
    return given


@dataclass(frozen=True)
class TrackPosterior:
    """The pieces on a track: (N + 1,) probabilities of their number, and the piece on each slot."""

    probabilities: np.ndarray
    pieces: tuple[str | None, ...]

    @property
    def count(self) -> int:
        """The most probable number of admitted pieces."""
        return int(self.probabilities.argmax())

    @property
    def confidence(self) -> float:
        """The probability of ``count``."""
        return float(self.probabilities.max())

    def alternatives(self) -> dict[str, float]:
        """Every count of at least `LEAST` probability, the likeliest first."""
        return _ranked(map(str, range(len(self.probabilities))), self.probabilities)


def decode_track(
    odds: np.ndarray, classes: tuple[str, ...], admitted: Sequence[str]
) -> TrackPosterior:
    """Read a track from its slots' (N, C + 1) log odds, in order.

    Weighs "the first n slots hold an admitted piece", for each n, against "any slots may".
    """
    slots = len(odds)
    probabilities = np.array([_softmax(z) for z in odds])
    columns = [classes.index(piece) for piece in admitted]
    own = np.clip(probabilities[:, columns].sum(axis=1), 1e-9, 1 - 1e-9)
    taken, free = np.log(own), np.log(1 - own)
    in_order = np.array([taken[:n].sum() + free[n:].sum() for n in range(slots + 1)])
    in_order -= np.log(slots + 1)
    anyhow = count_distribution(own)
    # Unordered, each arrangement has a prior of 2^-N.
    loose = GAP - slots * np.log(2)
    evidence = np.concatenate([in_order, np.log(np.maximum(anyhow, 1e-300)) + loose])
    weights = _softmax(evidence)
    totals = weights[: slots + 1] + weights[slots + 1 :]
    count = int(totals.argmax())
    best = own > 0.5
    has_gap = weights[slots + 1 :].sum() > 0.5 and not best[: best.sum()].all()
    fullest = np.argsort(-own, kind="stable")[:count] if has_gap else np.arange(count)
    likeliest = np.array(columns)[probabilities[:, columns].argmax(axis=1)]
    hypotheses = (*classes, None)
    pieces: list[str | None] = []
    for slot in range(slots):
        strange = hypotheses[int(probabilities[slot].argmax())]
        if slot in fullest:
            pieces.append(classes[likeliest[slot]])
        else:
            pieces.append(strange if strange not in admitted else None)
    return TrackPosterior(totals, tuple(pieces))


def count_distribution(chance: Iterable[float]) -> np.ndarray:
    """(N + 1,) distribution of how many of N independent events happen (Poisson binomial)."""
    total = np.ones(1)
    for p in chance:
        total = np.convolve(total, [1 - p, p])
    return total


def _ranked(names: Iterable[str], probabilities: np.ndarray) -> dict[str, float]:
    chances = sorted(zip(names, probabilities, strict=True), key=lambda pair: -pair[1])
    return {name: round(float(chance), 3) for name, chance in chances if chance >= LEAST}


def _softmax(z: np.ndarray) -> np.ndarray:
    shifted = np.exp(z - z.max())
    return np.asarray(shifted / shifted.sum())


def doubt_unreliable_board(posteriors: Mapping[Place, Posterior]) -> dict[Place, Posterior]:
    """The posteriors, none of them sure if many are not quite: a light misleads all places alike.

    Most wrong answers that look certain are among others that do not.
    """
    every = [*posteriors.values()]
    groups = (every, _DOUBTFUL_PLACES), ([one for one in every if one.piece], _DOUBTFUL_PIECES)
    if not any(
        group and np.mean([one.confidence < _CONFIDENT for one in group]) >= most
        for group, most in groups
    ):
        return dict(posteriors)
    return {place: _doubted(one) for place, one in posteriors.items()}


def doubt_without_twin(
    posteriors: Mapping[Place, Posterior], twins: Mapping[str, str]
) -> dict[Place, Posterior]:
    """The posteriors, doubtful where a piece's twin in colour is nowhere on the board.

    In a yellow light orange looks yellow, in a bright one black looks white: which of the two it
    is shows only beside the other.
    """
    seen = {one.piece for one in posteriors.values()}
    return {
        place: _doubted(one) if twins.get(one.piece or "", one.piece) not in seen else one
        for place, one in posteriors.items()
    }


def _doubted(one: Posterior) -> Posterior:
    even = (1 - _AT_MOST) / len(one.hypotheses)
    return replace(one, probabilities=_AT_MOST * one.probabilities + even)
