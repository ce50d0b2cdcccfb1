"""Classify the photographs of one board at several moments jointly.

Photographs of a shared table are easily assigned to the wrong moments. The game finds what
contradicts an order (`Game.inconsistencies`); this module weighs it for any game. Where pieces stay
in place, a confident reading at one moment resolves a doubtful one at another.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Any

from scorer.game import Game, Inconsistency

TELLING = 1.0
"""The least weight worth a question; less may well be a misreading."""
MOST = 6
"""The most moments for which all orders are tried."""
LAID = 0.2
"""The probability that a piece is placed on an empty place between two moments."""
MOVED = 0.002
"""The probability that a piece is moved or removed although the rules let it stay."""


def fitting_order(
    game: Game[Any, Any, Any], positions: Sequence[Any], onto_free: bool = True
) -> tuple[int, ...]:
    """The number of the best position for each moment; positions that are None are unknown.

    Keeps the present order, 0, 1, 2 …, unless another is better by `TELLING`. With `onto_free`
    positions may also move to moments that have none.
    """
    present = tuple(range(len(positions)))
    if len(positions) > MOST:
        return present

    @cache
    def between(earlier: int, later: int, apart: int) -> float:
        found = game.inconsistencies(positions[earlier], positions[later], apart)
        return sum(one.weight for one in found)

    def weight(order: Sequence[int]) -> float:
        known = [(at, one) for at, one in enumerate(order) if positions[one] is not None]
        return sum(between(a, b, later - at) for (at, a), (later, b) in combinations(known, 2))

    def moved(order: Sequence[int]) -> tuple[int, int]:
        """How many positions move onto free moments, and how many move at all."""
        known = [(at, one) for at, one in enumerate(order) if positions[one] is not None]
        return sum(positions[at] is None for at, _ in known), sum(at != one for at, one in known)

    orders = [
        order
        for order in permutations(present)
        if onto_free
        or all((positions[at] is None) == (positions[one] is None) for at, one in enumerate(order))
    ]
    best = min(orders, key=lambda order: (weight(order), moved(order), order))
    return best if weight(present) - weight(best) >= TELLING else present


def first_inconsistency(
    game: Game[Any, Any, Any], positions: Sequence[Any]
) -> tuple[int, Inconsistency] | None:
    """The first moment that is unlikely to follow those before it, with the reason, or None.

    Every earlier moment is compared: it may show what later ones do not, such as where a moon was.
    """
    known = [(at, one) for at, one in enumerate(positions) if one is not None]
    for number, (later, after) in enumerate(known):
        for at, before in reversed(known[:number]):
            for found in game.inconsistencies(before, after, later - at):
                if found.weight >= TELLING:
                    return later, found
    return None


def prior(pieces: Collection[str]) -> dict[str | None, float]:
    """The probability of each piece, and of None, on a place of which nothing is known."""
    return {None: 0.5, **dict.fromkeys(pieces, 0.5 / max(len(pieces), 1))}


def together(seen: Sequence[Mapping[str | None, float]]) -> list[dict[str | None, float]]:
    """The posterior of the piece on a place at each moment, where pieces normally stay.

    `seen` are the probabilities of each piece, and of None for no piece, from each moment alone,
    all with the same keys. Forward-backward algorithm of a hidden Markov model; the likelihoods are
    those probabilities divided by their `prior`.

    >>> sure, doubtful = {"red": 0.98, "blue": 0.01, None: 0.01}, {"red": 0.4, "blue": 0.6, None: 0}
    >>> [round(chances["red"], 2) for chances in together([sure, doubtful])]
    [0.98, 0.98]
    """
    pieces = tuple(seen[0])
    share = len(pieces) - 1
    known_before = prior([piece for piece in pieces if piece is not None])
    looks = [
        {piece: chance / known_before[piece] for piece, chance in look.items()} for look in seen
    ]

    def step(before: str | None, after: str | None) -> float:
        changed = LAID if before is None else MOVED
        return 1 - changed if before == after else changed / share

    forward = [_shares(seen[0])]
    for look in looks[1:]:
        past = forward[-1]
        forward.append(
            _shares({b: look[b] * sum(past[a] * step(a, b) for a in pieces) for b in pieces})
        )
    backward = [dict.fromkeys(pieces, 1.0)]
    for look in reversed(looks[1:]):
        to_come = backward[0]
        chances = {a: sum(step(a, b) * look[b] * to_come[b] for b in pieces) for a in pieces}
        backward.insert(0, _shares(chances))
    return [
        _shares({piece: past[piece] * to_come[piece] for piece in pieces})
        for past, to_come in zip(forward, backward, strict=True)
    ]


def _shares(chances: Mapping[str | None, float]) -> dict[str | None, float]:
    every = sum(chances.values())
    return {piece: chance / every for piece, chance in chances.items()}
