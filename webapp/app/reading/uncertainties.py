"""What a reading was not sure of, as questions: one a place, the one that matters most first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration import Profile
from scorer.places import Place

DOUBTS = ("uncertain", "hidden")
"""The flags of a reading that ask for a look at a space."""
AROUND = 2.2
"""Radii of a space that are shown on each side of its middle."""
SURE = 0.9
"""The confidence under which a place, or the count of a track, asks for a look."""


@dataclass(frozen=True)
class Question:
    """What lies on a place that the reading was not sure of, or how many on a track.

    `kind` is the flag that asks, "count" for a track, "region" for a region. `candidates` are the
    answers that are likely as forms send them: pieces, the one that was read first, "" for none; or
    numbers; of a region they say what is doubtful, as "2 red". `crop` is where the place lies on
    the board: left, top, width and height in mm; `at` is the place itself,
    None for a track.
    """

    place: str
    kind: str
    candidates: tuple[str, ...]
    is_answered: bool
    crop: tuple[float, float, float, float]
    at: Place | None = None
    confidence: float = 0.0


def about_places(
    read: Mapping[str, Any], checked: frozenset[str], profile: Profile
) -> list[Question]:
    """Ask what lies on the spaces and links that are doubtful.

    What the reading says is at stake comes first, then the least certain.
    """
    flags = {
        place: flag
        for flag in read["flags"]
        if flag["kind"] in DOUBTS
        for place in flag.get("spaces", ())
        if place in read["spaces"] or place in read.get("links", {})
    }
    found = [_about_place(place, flag, read, checked, profile) for place, flag in flags.items()]
    score_delta = {place: float(flag.get("stake") or 0) for place, flag in flags.items()}
    return sorted(found, key=lambda one: (-score_delta[one.place], one.confidence, one.place))


def _about_place(
    id: str,
    flag: Mapping[str, Any],
    read: Mapping[str, Any],
    checked: frozenset[str],
    profile: Profile,
) -> Question:
    if id in read["spaces"]:
        at, seen = Place(id), read["spaces"][id]
        piece = seen["star"]
    else:
        at, seen = Place(id, "edge"), read["links"][id]
        piece = profile.game.admits(at)[0] if seen["link"] else None
    likely = (piece, *_alternatives(flag), "")
    candidates = ("" if one in (None, "empty") else str(one) for one in likely)
    (x, y), radius = profile.places[at].at, profile.places[at].radius
    reach = radius * AROUND
    crop = (x - reach, y - reach, 2 * reach, 2 * reach)
    given = tuple(dict.fromkeys(candidates))
    return Question(id, flag["kind"], given, id in checked, crop, at, seen["confidence"])


def by_stakes(
    questions: Sequence[Question], stakes: Mapping[Place, float] | None
) -> Sequence[Question]:
    """Put the questions first whose answers change the most points; those that change none go.

    `stakes` is None where nothing is known of it. What was answered stays, to be looked at again.
    """
    if stakes is None:
        return questions
    kept = [one for one in questions if one.is_answered or one.at is None or stakes[one.at]]
    return sorted(kept, key=lambda one: -stakes[one.at] if one.at else 0)


def about_tracks(
    read: Mapping[str, Any], checked: frozenset[str], profile: Profile
) -> Iterator[Question]:
    """Ask how many pieces lie on the tracks whose count is doubtful."""
    for track, slots in profile.tracks.items():
        if track not in read or read[track]["confidence"] >= SURE:
            continue
        count = read[track]["count"]
        likely = range(max(count - 1, 0), min(count + 1, len(slots)) + 1)
        xs, ys = zip(*(slot.at for slot in slots), strict=True)
        reach = slots[0].radius * 1.5
        left, top = min(xs) - reach, min(ys) - reach
        crop = (left, top, max(xs) + reach - left, max(ys) + reach - top)
        yield Question(track, "count", tuple(map(str, likely)), track in checked, crop)


def about_regions(
    read: Mapping[str, Any], checked: frozenset[str], profile: Profile
) -> Iterator[Question]:
    """Ask for a look at the regions whose counts are doubtful."""
    flags = {
        place: flag
        for flag in read["flags"]
        if flag["kind"] in DOUBTS
        for place in flag.get("spaces", ())
        if place in read.get("regions", {})
    }
    for region, flag in flags.items():
        shape, sure = profile.places[Place(region, "region")], read["regions"][region]["confidence"]
        xs, ys = zip(*shape.outline, strict=True)
        crop = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        told = _alternatives(flag)
        yield Question(region, "region", told, region in checked, crop, confidence=sure)


def _alternatives(flag: Mapping[str, object]) -> tuple[str, ...]:
    found = flag.get("alternatives")
    if not isinstance(found, Mapping):
        return ()
    return tuple(sorted(found, key=lambda star: -found[star]))
