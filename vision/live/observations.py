"""Per-place observations from one picture of a board, and whether they are reliable."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from calibration import Profile
from scorer.places import Place
from vision.decode import Posterior, decode_spaces
from vision.observer import BoardObservation
from vision.reader import STAR_SEEN
from vision.region_chances import RegionCount

Held = str | tuple[str, ...]
"""The contents of a place: a piece, or all of a region's pieces, sorted."""

PRINT_SEEN = 0.25
"""Change up to which the print of an empty space is clearly visible."""
_DRAWING_SEEN = 0.6
"""Likeness from which the print is seen; stars reach 0.6 in one of twenty cases."""
_PLAIN = 0.9
"""Probability from which a piece is reported, whatever rule it breaks."""
_LIKELIEST = 6
"""Number of answers offered for the contents of a region."""
_HELD = 14.0
"""Log odds of the known contents of a place that is not visible now."""


@dataclass(frozen=True)
class Observation:
    """What one picture shows on one place.

    ``reliable``: a piece or the bare print was clearly seen. A sleeve over an empty space looks
    like neither.
    """

    piece: Held | None
    confidence: float
    reliable: bool
    chances: Mapping[Held | None, float] = field(default_factory=dict)
    """Probability of each piece, and of None for an empty place, by classifier or detector.

    The larger one counts: only what both rule out is gone.
    """
    count: RegionCount | None = None
    """A region's count, regardless of what was known."""
    likeliest: tuple[Held | None, ...] = ()
    """The plausible contents of a region, the likeliest first."""


def observations(
    board: BoardObservation,
    profile: Profile,
    occupancy: Mapping[Place, Held],
    piece_roles: Mapping[str, str] | None = None,
    looks: Mapping[Place, RegionCount | None] | None = None,
    beside: Iterable[Held] = (),
) -> dict[Place, Observation]:
    """The observations of the places that were read.

    The others are assumed to hold their known contents, ``occupancy``, so that a covered neighbour
    does not make a piece look out of place. ``piece_roles`` maps each piece in play to the piece it
    counts as (`scorer.game.Game.piece_roles`): the likeliest of these is reported. ``looks`` has
    the regions whose contents are known, with their count at the time, or None; ``beside`` is what
    other boards hold. A region that seems to hold more of the game's pieces than these leave is in
    doubt.
    """
    looks = looks or {}
    places, classes = tuple(profile.places), board.classes
    roles = piece_roles or {piece.id: piece.id for piece in profile.game.pieces}
    supply = Counter[str]()
    for piece_kind in profile.game.pieces:
        supply[roles.get(piece_kind.id, "")] += piece_kind.supply
    left = supply.copy()
    for own in (*occupancy.values(), *beside):
        left.subtract(_counted(own))
    visible = np.ones(len(places), bool) if board.read is None else board.read
    empty = len(classes)
    counted = board.counted(piece_roles or {piece: piece for piece in classes})
    odds, scores = counted.odds, counted.scores
    for row in np.flatnonzero(~visible):
        held = occupancy.get(places[row])
        piece = held if isinstance(held, str) else None
        odds[row] = 0.0
        odds[row, empty if piece is None else classes.index(piece)] = _HELD
    posteriors = _posteriors(dict(zip(places, odds, strict=True)), profile, classes)
    seen, named = {}, dict[Place, Held]()
    # A piece that left one region can be the one that is seen in another.
    for row in sorted(np.flatnonzero(visible), key=lambda row: places[row] not in occupancy):
        place = places[row]
        if place.kind == "region":
            if place in counted.regions:
                known = {**occupancy, **named}
                here = known.pop(place, None)
                elsewhere = chain.from_iterable(
                    own for own in known.values() if isinstance(own, tuple)
                )
                possible = counted.regions[place].within(supply)
                as_seen = count = possible.named_as(here or (), {*elsewhere})
                named[place] = (*count.pieces,)
                if place in looks:
                    lay = Counter(piece for piece in here or () if roles.get(piece) == piece)
                    count = count.carried(lay, looks[place])
                left.update(_counted(here))
                count = count.doubted_beyond(left)
                seen[place] = _in_region(count, here, as_seen, supply)
                left.subtract(_counted(seen[place].piece))
            continue
        posterior = posteriors[place]
        if posterior.piece is None:
            reliable = board.change[row] < PRINT_SEEN
            if place in occupancy:  # a sleeve as dark as the print must not remove a piece
                reliable = reliable and board.likeness[row] > _DRAWING_SEEN
        else:
            reliable = board.scores[row].max() > STAR_SEEN
        likely = posterior.probabilities.copy()
        own = scores[row]
        likely[:empty] = np.maximum(likely[:empty], own / max(1.0, own.sum()))
        chances: dict[Held | None, float] = dict(
            zip((*classes, None), likely.tolist(), strict=True)
        )
        seen[place] = Observation(posterior.piece, posterior.confidence, bool(reliable), chances)
    return seen


def _in_region(
    count: RegionCount, held: Held | None, as_seen: RegionCount, supply: Mapping[str, int]
) -> Observation:
    """The observed contents of a region, and the probability of its known ones."""
    found = _held(count.pieces)
    chances = {held: count.probability(Counter(held or ())), found: count.confidence}
    likeliest = tuple(map(_held, count.likeliest(_LIKELIEST, supply)))
    return Observation(found, count.confidence, not count.hidden, chances, as_seen, likeliest)


def _counted(held: Held | None) -> Counter[str]:
    return Counter([held] if isinstance(held, str) else held)


def _held(pieces: Mapping[str, int]) -> Held | None:
    return tuple(sorted(Counter(pieces).elements())) or None


def _posteriors(
    odds: Mapping[Place, np.ndarray], profile: Profile, classes: tuple[str, ...]
) -> dict[Place, Posterior]:
    spaces = {place.id: place for place in odds if place.kind not in ("track", "region")}
    by_id = {name: odds[place] for name, place in spaces.items()}
    decoded = decode_spaces(by_id, classes, profile.game, profile.board)
    for name, z in by_id.items():
        alone = Posterior(np.exp(z - np.logaddexp.reduce(z)), classes)
        if None not in (alone.piece, decoded[name].piece) and alone.confidence >= _PLAIN:
            decoded[name] = alone if alone.piece != decoded[name].piece else decoded[name]
    slots = [place for place in odds if place.kind == "track"]
    return {spaces[name]: posterior for name, posterior in decoded.items()} | {
        slot: _on_track(odds[slot], classes, profile.game.admits(slot)) for slot in slots
    }


def _on_track(odds: np.ndarray, classes: tuple[str, ...], admitted: tuple[str, ...]) -> Posterior:
    """A slot of a track holds a piece that belongs there, or none."""
    columns = [*map(classes.index, admitted), len(classes)]
    shifted = np.exp(odds[columns] - odds[columns].max())
    probabilities = np.zeros(len(classes) + 1)
    probabilities[columns] = shifted / shifted.sum()
    return Posterior(probabilities, classes)
