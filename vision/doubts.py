"""Doubts: the parts of a reading that a person should check."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scorer.flags import Flag
from scorer.game import Game
from scorer.places import Place
from vision.decode import LEAST, Posterior, TrackPosterior
from vision.region_chances import RegionCount

UNCERTAIN_BELOW = 0.9
_GUESSED_BELOW = 0.85
"""Below this confidence a place is asked about even if it changes no score by itself.

On unfamiliar boards one in three such places is wrong, several together may change a score, and
later photographs are checked against them."""
_MOST_WEIGHED = 24
"""Number of doubts that are weighed; with more, the photograph should be retaken."""
_SEEN = 0.1
"""Minimum probability of the likeliest dial region if the dial was seen at all."""


def doubts(
    spaces: Mapping[Place, Posterior],
    tracks: Mapping[str, TrackPosterior],
    hidden: tuple[str, ...],
    breaking: Mapping[Place, str | None],
    regions: Mapping[Place, RegionCount],
) -> Iterator[Flag]:
    """Flags for uncertain spaces, tracks and regions, and for ``hidden`` spaces and regions.

    A region's alternatives are counts of a kind: {"2 red": 0.6, "3 red": 0.4}. ``breaking`` maps
    spaces that are flagged however certain they are to the alternative piece.
    """
    for place, posterior in spaces.items():
        if place.kind == "dial":
            continue
        chances = posterior.alternatives()
        if place in breaking:
            instead = breaking[place] or "empty"
            chance = posterior.probabilities[posterior.hypotheses.index(breaking[place])]
            chances.setdefault(instead, round(float(chance), 3))
        if (posterior.confidence < UNCERTAIN_BELOW or place in breaking) and (
            place.id not in hidden
        ):
            yield Flag("uncertain", (place.id,), {"alternatives": chances})
    for name, track in tracks.items():
        if track.confidence < UNCERTAIN_BELOW and name not in hidden:
            yield Flag("uncertain", (name,), {"alternatives": track.alternatives()})
    for region, count in regions.items():
        if count.confidence < UNCERTAIN_BELOW and not count.hidden:
            yield Flag("uncertain", (region.id,), {"alternatives": count.alternatives()})
    yield from _about_dial(spaces)
    for name in (*hidden, *(region.id for region, count in regions.items() if count.hidden)):
        yield Flag("hidden", (name,))


def _about_dial(spaces: Mapping[Place, Posterior]) -> Iterator[Flag]:
    """Flag an uncertain dial; its alternatives are the regions it may face."""
    chances = {
        place.id: 1 - float(posterior.probabilities[-1])
        for place, posterior in spaces.items()
        if place.kind == "dial"
    }
    likeliest = max(chances, key=lambda name: chances[name], default=None)
    if likeliest is not None and _SEEN < chances[likeliest] < UNCERTAIN_BELOW:
        by_chance = sorted(chances.items(), key=lambda one: -one[1])
        kept = {name: round(chance, 3) for name, chance in by_chance if chance >= LEAST}
        yield Flag("uncertain", (likeliest,), {"alternatives": kept})


def weighed(
    flags: Iterable[Flag],
    pieces: Mapping[Place, str],
    spaces: Iterable[Place],
    game: Game[Any, Any, Any],
    board: Any,
) -> Iterator[Flag]:
    """Flags sorted by how much they could change the score, the largest change first.

    Drops those that change nothing and are probably right. Each flag that is kept and weighed has
    its ``stake``. Flags that the game cannot weigh are kept unchanged.
    """
    by_id = {place.id: place for place in spaces}
    lies = game.position(board, pieces)

    def stake(flag: Flag) -> float | None:
        place = by_id.get(flag.spaces[0]) if flag.kind == "uncertain" else None
        if place is None or place.kind == "dial":
            return None
        others = {other: piece for other, piece in pieces.items() if other != place}
        instead = [
            others if piece == "empty" else {**others, place: piece}
            for piece in flag.more["alternatives"]
            if piece != pieces.get(place, "empty")
        ]
        deltas = [game.score_delta(lies, game.position(board, lying)) for lying in instead]
        return max((points for points in deltas if points is not None), default=None)

    in_turn = list(flags)
    of_flags = [(flag, stake(flag)) for flag in in_turn[:_MOST_WEIGHED]]
    unweighed = float("inf")
    of_flags.sort(key=lambda one: -(unweighed if one[1] is None else one[1]))
    for flag, points in of_flags:
        if points is None:
            yield flag
        elif points > 0 or _is_guessed(flag):
            yield replace(flag, more={**flag.more, "stake": points})
    yield from in_turn[_MOST_WEIGHED:]


def _is_guessed(flag: Flag) -> bool:
    return max(flag.more["alternatives"].values(), default=0.0) < _GUESSED_BELOW


def breaking(
    pieces: Mapping[Place, str],
    spaces: Mapping[Place, Posterior],
    game: Game[Any, Any, Any],
    board: Any,
) -> dict[Place, str | None]:
    """The least certain space of each rule break, and its second likeliest piece.

    Players seldom break a rule, so a space is flagged if its second likeliest piece would break
    fewer rules. ``pieces`` are all those on the board.
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
