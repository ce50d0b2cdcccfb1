"""Joint classification of a shared board's readings at several snapshots.

Where the rules let pieces stay in place, earlier and later photographs help with one that is hard
to read: what is certain in one snapshot is not asked in another, but contradictions between two
certain readings are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from scorer.board_state import DOUBTS, SURE, BoardState
from scorer.flags import Flag
from scorer.game import Game
from scorer.places import Place
from scorer.temporal_fusion import prior, together

ONE_PIECE = ("spot", "edge")
"""The kinds of places that hold one piece each."""
LEAST = 0.003
"""The least probability of each piece after a single look, however confident."""
WORTH_TELLING = 0.02
"""The least probability of a piece that is listed as an alternative."""
UNSETTLED = 0.75
"""The most probable that a piece becomes which no snapshot shows for certain."""
MOST_AT_ODDS = 8
"""If more places than this have contradicting certain readings, the photographs are of several
games or in the wrong order; each is then read on its own."""

Chances = Mapping[str | None, float]
UserAnswers = Mapping[Place, str | None]
"""Pieces on places according to people, None for empty."""


def agreed(
    reads: Sequence[BoardState | None],
    user_answers: Sequence[UserAnswers],
    places: Iterable[Place],
    game: Game[Any, Any, Any],
) -> list[BoardState | None]:
    """Classify the readings of a table's snapshots jointly, given in order.

    `reads` has None for snapshots without a photograph; `user_answers` are what people say of each
    snapshot and override any reading. `places` are the board's; only those that hold one piece each
    are changed. Returns `reads` unchanged if pieces do not stay or the readings do not fit
    together.
    """
    known_moments = [
        number for number, read in enumerate(reads) if read is not None or user_answers[number]
    ]
    if not game.table.pieces_stay or len(known_moments) < 2:
        return list(reads)
    flags = [_doubts(reads[number]) for number in known_moments]
    changes: list[dict[Place, Chances]] = [{} for _ in known_moments]
    at_odds = 0
    for place in places:
        if place.kind not in ONE_PIECE:
            continue
        alone = [
            _seen(reads[number], user_answers[number], place, doubts, game.admits(place))
            for number, doubts in zip(known_moments, flags, strict=True)
        ]
        sure = [_likeliest(look) for look in alone if max(look.values()) >= SURE]
        clash = any(one is not None and one != other for one, other in pairwise(sure))
        at_odds += clash
        if len(sure) == len(alone) and not clash:
            continue
        jointly = together(alone)
        kept = [
            max(look.values()) >= SURE and _likeliest(look) == _likeliest(chances)
            for look, chances in zip(alone, jointly, strict=True)
        ]
        if not any(kept):  # uncertain in every snapshot: still to be asked
            jointly = [_unsettled(chances) for chances in jointly]
            kept = [
                _likeliest(look) == _likeliest(chances)
                for look, chances in zip(alone, jointly, strict=True)
            ]
        for changed, chances, stays in zip(changes, jointly, kept, strict=True):
            if not stays or (clash and max(chances.values()) < SURE):
                changed[place] = chances
    if at_odds > MOST_AT_ODDS:
        return list(reads)
    answers = list(reads)
    for number, changed in zip(known_moments, changes, strict=True):
        read = reads[number]
        if read is not None and changed:
            answers[number] = _with(read, changed)
    return answers


def _doubts(read: BoardState | None) -> dict[str, Mapping[str, float]]:
    """Return the probabilities of the candidates, or "empty", on each doubtful place."""
    return {
        place: flag.more["alternatives"]
        for flag in (() if read is None else read.flags)
        if flag.kind == "uncertain" and isinstance(flag.more.get("alternatives"), Mapping)
        for place in flag.spaces
    }


def _seen(
    read: BoardState | None,
    user_answers: UserAnswers,
    place: Place,
    doubts: Mapping[str, Mapping[str, float]],
    admitted: Sequence[str],
) -> Chances:
    """Return the probability of each piece on a place from one look, None for empty."""
    known: Chances
    if place in user_answers:
        known = {user_answers[place]: 1.0}
    elif read is None or place not in read.places:  # another print may lack the place
        known = prior(admitted)
    elif place.id in doubts:
        known = {None if name == "empty" else name: p for name, p in doubts[place.id].items()}
    else:
        known = {read.places[place].piece: read.places[place].confidence}
    others = [piece for piece in (*admitted, None) if piece not in known]
    rest = max(0.0, 1 - sum(known.values())) / max(len(others), 1)
    every = {piece: known.get(piece, rest) for piece in (*admitted, None)}
    least = 0.0 if place in user_answers else LEAST
    return {piece: max(chance, least, 1e-6) for piece, chance in every.items()}


def _likeliest(chances: Chances) -> str | None:
    return max(chances, key=lambda piece: chances[piece])


def _unsettled(chances: dict[str | None, float]) -> dict[str | None, float]:
    """Return probabilities with the same order, none of them above `UNSETTLED`."""
    likeliest = max(chances.values())
    if likeliest <= UNSETTLED:
        return chances
    rest = (1 - UNSETTLED) / max(1 - likeliest, 1e-9)
    return {one: UNSETTLED if p == likeliest else rest * p for one, p in chances.items()}


def _with(read: BoardState, changed: Mapping[Place, Chances]) -> BoardState:
    """Return a reading with changed probabilities on some places, and updated flags."""
    places = dict(read.places)
    doubtful: dict[str, dict[str, float]] = {}
    settled = set()
    for place, chances in changed.items():
        if place not in places:
            continue
        piece = _likeliest(chances)
        confidence = round(chances[piece], 4)
        places[place] = replace(places[place], piece=piece, confidence=confidence)
        if confidence >= SURE:
            settled.add(place.id)
        else:
            ranked = sorted(chances.items(), key=lambda one: -one[1])
            doubtful[place.id] = {
                name or "empty": round(chance, 3)
                for name, chance in ranked
                if chance >= WORTH_TELLING
            }
    flags = []
    for flag in read.flags:
        if flag.kind not in DOUBTS or len(flag.spaces) != 1:
            flags.append(flag)
            continue
        (at,) = flag.spaces
        if at in doubtful:
            flags.append(replace(flag, more={**flag.more, "alternatives": doubtful.pop(at)}))
        elif at not in settled:
            flags.append(flag)
    flags += [
        Flag("uncertain", (at,), {"alternatives": alternatives})
        for at, alternatives in doubtful.items()
    ]
    return replace(read, places=places, flags=flags)
