"""A reading's uncertainties as questions, the most important first.

Each is about one place, or about several that look alike and are answered together.
"""

import re
from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration import Profile
from calibration.colour_profile import BRIGHTNESS, Swatch, log_opponents
from scorer.board_state import SURE, BoardState, PlaceReading
from scorer.flags import Flag
from scorer.places import Place

AROUND = 2.2
"""The margin shown around a space's centre, in radii."""
ALIKE = 0.2
"""The largest colour difference, in `log_opponents`, of places that are asked about together."""


@dataclass(frozen=True)
class Question:
    """A question about the piece on a place, or the count on a track.

    `kind` is the flag that caused it, "count" for a track, "region" for a region. `candidates` are
    the likely answers as form values: pieces, the one read first, "" for none; numbers; or, for a
    region, doubtful counts such as "2 red". `crop` is the part of the board to show: left, top,
    width and height in mm. `at` is the place, None for a track. `others` ask the same about places
    that look alike.
    """

    place: str
    kind: str
    candidates: tuple[str, ...]
    is_answered: bool
    crop: tuple[float, float, float, float]
    at: Place | None = None
    confidence: float = 0.0
    others: tuple["Question", ...] = ()

    @property
    def each(self) -> tuple["Question", ...]:
        """The separate questions about each place."""
        return (replace(self, others=()), *self.others)

    @property
    def counts(self) -> dict[str, list[int]]:
        """The likely counts of each doubtful kind of piece in a region, in ascending order."""
        found: dict[str, list[int]] = {}
        for answer in self.candidates if self.kind == "region" else ():
            count, _space, kind = answer.partition(" ")
            insort(found.setdefault(kind, []), int(count))
        return found

    @property
    def counted_kind(self) -> str:
        """The only kind of piece whose count in a region is asked for, "" otherwise."""
        return next(iter(self.counts)) if len(self.counts) == 1 else ""


def about_places(read: BoardState, checked: frozenset[str], profile: Profile) -> list[Question]:
    """Return questions about doubtful spaces and links.

    Sorted by the points at stake according to the reading, then the least certain first.
    """
    asked = [
        (at, seen, read.doubts[at.id])
        for at, seen in read.places.items()
        if at.kind in ("spot", "edge") and at.id in read.doubts
    ]
    found = [_about_place(at, seen, flag, checked, profile) for at, seen, flag in asked]
    deltas = {at.id: float(flag.more.get("stake") or 0) for at, _seen, flag in asked}
    return sorted(found, key=lambda one: (-deltas[one.place], one.confidence, one.place))


def _about_place(
    at: Place, seen: PlaceReading, flag: Flag, checked: frozenset[str], profile: Profile
) -> Question:
    likely = (seen.piece, *_alternatives(flag), "")
    candidates = ("" if one in (None, "empty") else str(one) for one in likely)
    (x, y), radius = profile.places[at].at, profile.places[at].radius
    reach = radius * AROUND
    crop = (x - reach, y - reach, 2 * reach, 2 * reach)
    given = tuple(dict.fromkeys(candidates))
    return Question(at.id, flag.kind, given, at.id in checked, crop, at, seen.confidence)


def by_score_delta(
    questions: Sequence[Question], deltas: Mapping[Place, float] | None
) -> Sequence[Question]:
    """Sort questions by the points their answers can change; drop those that change none.

    `deltas` is None if unknown. Answered questions are kept, for another look.
    """
    if deltas is None:
        return questions
    kept = [one for one in questions if one.is_answered or one.at is None or deltas[one.at]]
    return sorted(kept, key=lambda one: -deltas[one.at] if one.at else 0)


def asked_at_once(questions: Sequence[Question], read: BoardState) -> list[Question]:
    """Combine questions between the same two answers about places that look alike.

    The reader could not distinguish them either. Answered questions stay separate, since answers
    may differ.
    """
    groups: list[list[Question]] = []
    for one in questions:
        like = (group for group in groups if all(_alike(one, other, read) for other in group))
        group = next(like, None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return [_asking_all(group) for group in groups]


def _alike(one: Question, other: Question, read: BoardState) -> bool:
    if one.at is None or other.at is None or {one.kind, other.kind} != {"uncertain"}:
        return False
    if one.at.kind != other.at.kind or one.is_answered or other.is_answered:
        return False
    colours = [str(read.places[at].colour) for at in (one.at, other.at)]
    if {*one.candidates[:2]} != {*other.candidates[:2]}:
        return False
    if not all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours):
        return False
    levels = np.array([Swatch("", colour).bgr for colour in colours], float)
    off = np.subtract(*log_opponents(levels)) / (1, 1, BRIGHTNESS)
    return bool(np.linalg.norm(off) < ALIKE)


def _asking_all(group: Sequence[Question]) -> Question:
    candidates = dict.fromkeys(answer for one in group for answer in one.candidates if answer)
    nothing = [""] if any("" in one.candidates for one in group) else []
    return replace(group[0], candidates=(*candidates, *nothing), others=tuple(group[1:]))


def about_tracks(read: BoardState, checked: frozenset[str], profile: Profile) -> Iterator[Question]:
    """Return questions about tracks with a doubtful count."""
    for track, slots in profile.tracks.items():
        seen = read.tracks.get(track)
        if seen is None or seen.confidence >= SURE:
            continue
        count = seen.count
        likely = range(max(count - 1, 0), min(count + 1, len(slots)) + 1)
        xs, ys = zip(*(slot.at for slot in slots), strict=True)
        reach = slots[0].radius * 1.5
        left, top = min(xs) - reach, min(ys) - reach
        crop = (left, top, max(xs) + reach - left, max(ys) + reach - top)
        yield Question(track, "count", tuple(map(str, likely)), track in checked, crop)


def about_regions(
    read: BoardState, checked: frozenset[str], profile: Profile
) -> Iterator[Question]:
    """Return questions about regions with doubtful counts."""
    for region, flag in read.doubts.items():
        if region in read.regions:
            sure = read.regions[region].confidence
            yield _about_region(region, _alternatives(flag), checked, profile, sure)


def about_followed(
    doubtful: Mapping[str, Sequence[str]], checked: frozenset[str], profile: Profile
) -> Iterator[Question]:
    """Return questions about regions that no camera could count, with the possible counts."""
    for region, counts in doubtful.items():
        if Place(region, "region") in profile.places:
            yield _about_region(region, tuple(counts), checked, profile)


def _about_region(
    region: str,
    candidates: tuple[str, ...],
    checked: frozenset[str],
    profile: Profile,
    sure: float = 0.0,
) -> Question:
    place = Place(region, "region")
    xs, ys = zip(*profile.places[place].outline, strict=True)
    admitted = profile.game.admits(place)
    widths = (one.diameter_mm or 0.0 for one in profile.game.pieces if one.id in admitted)
    reach = max(widths, default=0.0) / 2  # beyond the rim
    left, top = min(xs) - reach, min(ys) - reach
    crop = (left, top, max(xs) + reach - left, max(ys) + reach - top)
    return Question(region, "region", candidates, region in checked, crop, confidence=sure)


def _alternatives(flag: Flag) -> tuple[str, ...]:
    found = flag.more.get("alternatives")
    if not isinstance(found, Mapping):
        return ()
    return tuple(sorted(found, key=lambda star: -found[star]))
