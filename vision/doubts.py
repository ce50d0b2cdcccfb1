"""Doubts: what of a reading a person should look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.flags import Flag
from scorer.game import Game
from scorer.places import Place
from vision.decode import Posterior, TrackPosterior

UNCERTAIN_BELOW = 0.9


def doubts(
    spaces: Mapping[Place, Posterior],
    tracks: Mapping[str, TrackPosterior],
    hidden: tuple[str, ...],
    breaking: Mapping[Place, str | None],
) -> Iterator[Flag]:
    """The uncertain spaces and counts, and the ``hidden`` spaces.

    ``breaking`` are spaces that are doubtful however sure they are, and what else may lie there.
    """
    for place, posterior in spaces.items():
        told = posterior.alternatives()
        if place in breaking:
            instead = breaking[place] or "empty"
            chance = posterior.probabilities[posterior.hypotheses.index(breaking[place])]
            told.setdefault(instead, round(float(chance), 3))
        if (posterior.confidence < UNCERTAIN_BELOW or place in breaking) and (
            place.id not in hidden
        ):
            yield Flag("uncertain", (place.id,), {"alternatives": told})
    for name, track in tracks.items():
        if track.confidence < UNCERTAIN_BELOW and name not in hidden:
            yield Flag("uncertain", (name,), {"alternatives": track.alternatives()})
    for name in hidden:
        yield Flag("hidden", (name,))


def breaking(
    pieces: Mapping[Place, str],
    spaces: Mapping[Place, Posterior],
    game: Game[Any, Any, Any],
    board: Any,
) -> dict[Place, str | None]:
    """Of each broken rule the least sure space that makes it, and what else may lie there.

    Players seldom break a rule, so a space is doubtful by itself if its second likeliest piece
    would break fewer rules. ``pieces`` are all that lie on the board.
    """

    def count(lying: Mapping[Place, str]) -> int:
        return len(game.rule_breaks(game.position(board, lying)))

    by_id = {place.id: place for place in spaces}
    found: dict[Place, str | None] = {}
    breaks = game.rule_breaks(game.position(board, pieces))
    for broken in breaks:
        named = [by_id[name] for name in broken.spaces if name in by_id]
        for place in sorted(named, key=lambda place: spaces[place].confidence):
            second = spaces[place].second
            others = {other: piece for other, piece in pieces.items() if other != place}
            if count(others if second is None else {**others, place: second}) < len(breaks):
                found[place] = second
                break
    return found
