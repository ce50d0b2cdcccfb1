"""A layout proposed from a photograph, with what is sure of it and what is missing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.calibrate import check_corners
from calibration.edges import extend_sides, snap_corners
from calibration.layout import Layout, ProfileError, board_corners
from calibration.lens import StraightSides, straighten_sides
from calibration.proposal.board import FoundBoard, read_board
from calibration.proposal.quadrilaterals import find_quadrilaterals
from calibration.proposal.standard import StandardBoard, standard_board
from calibration.proposal.tracks import Track
from scorer.places import Circle, Place

REACHES = (
    0.036,
    0.012,
)  # of a side that its edge is looked for: a frame's line may be taken for it
TRIED = 4  # outlines that are looked into where none is given
LIKE_STANDARD = 0.02  # an aspect this near to the standard board's is taken for it
MOSTLY = 0.6  # of the spaces are seen where there is a board
SURE = 0.5  # the confidence from which a place or a link counts as found
NUMBERS, LOOKS = "numbers", "marks"
"""What is `unread`: the numbers printed on a track, TRACK/numbers, and what marks spaces."""


@dataclass(frozen=True)
class Missing:
    """What was not found: a place or a link by its id, or "" for the board; and how to mend it."""

    id: str
    reason: str


@dataclass(frozen=True, eq=False)
class LayoutProposal:
    """A proposed layout.

    `corners` (4, 2) px, clockwise from the board's upper left, of the photograph without its lens's
    bend, which `lens.undistort` makes of it by the `distortion`; `size_mm` the board's width and
    height, `size_known` whether that was told rather than taken from the standard board.
    `draft` is unchecked: a space that was not found is where the known board leads to expect it;
    a track has the slots that were found, none where it was not. `confidence` (0..1) is by place
    (`core`, `black/3`) and by link (`a-b`). `notes` are what a person should know, though nothing
    is missing.
    `upright` is by how many quarter turns the corners were turned to begin at the upper left,
    `is_board` whether it looks like a board of the game at all. `unread` is what only its owner
    can say: the numbers on a track (`black/numbers`), and highlights and groups of spaces that do
    not show where the known board has them (`marks`).
    """

    corners: Floats
    size_mm: tuple[float, float]
    size_known: bool
    draft: Layout
    confidence: Mapping[str, float]
    missing: tuple[Missing, ...]
    notes: tuple[str, ...]
    upright: int
    is_board: bool
    distortion: float = 0.0
    unread: tuple[Missing, ...] = ()

    @property
    def layout(self) -> dict[str, Any]:
        """The draft as a layout file has it, without the numbers that nobody read."""
        return {key: _unnumbered(own) for key, own in self.draft.to_data().items()}

    @property
    def whole(self) -> bool:
        """Whether everything was found that can be."""
        return not self.missing

    def numbered(self, numbers: Sequence[int]) -> dict[str, Any]:
        """The draft as a layout file has it, with the printed numbers in their order.

        Raises `ProfileError` where they are more or fewer than the draft has room for.
        """
        left = list(numbers)
        layout: dict[str, Any] = _filled(self.layout, left)
        wanted = len(numbers) - len(left) + _count_none(layout)
        if wanted != len(numbers):
            reason = f"{wanted} are wanted, in order, the last for a full track; got {len(numbers)}"
            raise ProfileError("numbers", [("", reason)])
        return layout


def propose_layout(
    image: Image,
    game: str = "nebula",
    *,
    corners: Floats | None = None,
    size_mm: tuple[float, float] | None = None,
    beginnings: Iterable[Floats] = (),
) -> LayoutProposal:
    """Propose the layout of the empty board in a photograph, (H, W, 3) uint8 BGR.

    `game` is a game, or a board as `calibration.side_boards.pattern` names it.
    `corners` (4, 2) px, clockwise from the upper left, are believed where they are given. `size_mm`
    is the board's true width and height; if it is not given, its longer side is taken to be as
    long as the standard board's. `beginnings`, (4, 2) px each, are further outlines to look into,
    such as a board finder's.

    Raises `ProfileError` where the game has no board of its own to compare with, and for a picture
    smaller than a board must be seen.
    """
    standard = standard_board(game)
    outlines: Iterable[StraightSides]
    if corners is None:
        outlines = outlines_of(image, beginnings)
    else:
        outlines = [straighten_sides(image, np.asarray(corners, float), None)]
    aspects = () if size_mm is None else (size_mm[0] / size_mm[1], size_mm[1] / size_mm[0])
    best: tuple[FoundBoard, float] | None = None
    for outline in outlines:
        found = read_board(outline.photo, outline.corners, standard, aspects)
        if best is None or found.score > best[0].score:
            best = found, outline.distortion
        if found.is_unambiguous:
            break
    assert best is not None
    return _proposal(*best, standard, size_mm, believed=corners is not None)


def outlines_of(image: Image, beginnings: Iterable[Floats]) -> Iterator[StraightSides]:
    """What may be the board's outline; the whole picture where nothing is.

    Raises `ProfileError` for a picture smaller than a board must be seen.
    """
    height, width = image.shape[:2]
    whole = check_corners(board_corners((width - 1.0, height - 1.0)), (width, height))
    outlines = [*find_quadrilaterals(image, TRIED), *beginnings]
    for quad in outlines:
        sides = straighten_sides(image, np.asarray(quad, float), REACHES)
        farther = extend_sides(sides.photo, sides.corners)
        if farther is not sides.corners:
            sides = replace(sides, corners=snap_corners(sides.photo, farther, REACHES[-1:]))
        yield sides
    if not outlines:
        yield StraightSides(image, whole, 0.0)


UNSURE = "is not surely seen; drag it to where it is printed"


def _proposal(
    found: FoundBoard,
    distortion: float,
    standard: StandardBoard,
    given_mm: tuple[float, float] | None,
    believed: bool,
) -> LayoutProposal:
    """The proposal of what was found; corners that are `believed` are not turned."""
    notes = []
    if not standard.graph.is_linked and float((found.seen >= SURE).mean()) < MOSTLY:
        found = _as_known(found, standard, believed)
    turns = _turns(found, standard)
    if believed and turns:
        reason = "seem to begin at the wrong one: the board's upper left may be number"
        notes.append(f"the corners {reason} {turns + 1}")
        turns = 0
    corners, size, turned = _upright(found, turns)
    size_mm = _size_mm(size, standard, given_mm, found)
    scale = np.array(size_mm) / np.array(size)

    def mm(points: Floats) -> Floats:
        return np.asarray((turned(points) + 0.5) * scale, float)

    tracks = {
        name: track and _directed(track, mm(track.at), standard.courses[name])
        for name, track in found.tracks.items()
    }
    places: dict[Place, Circle] = {}
    confidence: dict[str, float] = {}
    missing: list[Missing] = []
    mean_scale = float(np.sqrt(np.prod(scale)))
    radius = found.radius * mean_scale
    for name, at, seen in zip(standard.spaces, mm(found.at), found.seen, strict=True):
        places[Place(name)] = _inside(at, radius, size_mm)
        confidence[name] = float(seen)
        if seen < SURE:
            missing.append(Missing(name, f"space {name} {UNSURE}"))
    for name, track in tracks.items():
        if track is None:
            reason = f"the {name} track was not found; add its spaces where they are printed"
            missing.append(Missing(name, reason))
            continue
        for slot, (at, seen) in enumerate(zip(mm(track.at), track.seen, strict=True)):
            place = Place(name, "track", slot)
            places[place] = _inside(at, track.radius * mean_scale, size_mm)
            confidence[str(place)] = float(np.clip((seen - 0.2) / 0.5, 0, 1))
            if confidence[str(place)] < SURE:
                missing.append(
                    Missing(str(place), f"space {slot + 1} of the {name} track {UNSURE}")
                )
    confidence |= _confidence_of_links(found)
    missing += _unsure_links(found, confidence)
    if found.margin < CLEAR_NAMING:
        reason = "the spaces can be named in more than one way; look at every name"
        missing.append(Missing("", reason))
    alike = {"highlights": found.marks_seen, "groups of spaces": found.groups_seen}
    notes += _assumptions(found, size_mm, given_mm, alike)
    layout = replace(standard.layout, size_mm=size_mm, places=places)
    return LayoutProposal(
        corners=corners,
        size_mm=size_mm,
        size_known=given_mm is not None,
        draft=layout,
        confidence=confidence,
        missing=tuple(missing),
        notes=tuple(notes),
        upright=turns,
        is_board=found.margin >= CLEAR_NAMING and float((found.seen >= SURE).mean()) >= MOSTLY,
        distortion=distortion,
        unread=(*_unread_numbers(standard), *_unread_looks(alike)),
    )


def _confidence_of_links(found: FoundBoard) -> Mapping[str, float]:
    taken = found.links.taken
    return {
        f"{link.a}-{link.b}": max(sure, SURE) if link in taken else sure
        for link, sure in found.links.sure.items()
    }


def _unsure_links(found: FoundBoard, confidence: Mapping[str, float]) -> Iterator[Missing]:
    """The standard board's links that are not surely seen, and lines that it does not have."""
    for link in found.links.sure:
        key = f"{link.a}-{link.b}"
        if confidence[key] < SURE:
            reason = f"no {link.kind} link is surely seen between {link.a} and {link.b}; look there"
            yield Missing(key, reason)
    for a, b in found.links.unknown:
        reason = f"a line seems to join {a} and {b}, which the standard board does not link"
        yield Missing(f"{a}-{b}", f"{reason}; if it is a link, write the links out")


def _assumptions(
    found: FoundBoard,
    size_mm: tuple[float, float],
    given_mm: tuple[float, float] | None,
    alike: Mapping[str, bool],
) -> Iterator[str]:
    """What is taken from the standard board, or for granted."""
    if found.links.taken:
        detail = ", ".join(f"{link.a}-{link.b}" for link in found.links.taken)
        yield f"links between spaces that all but touch are the standard board's: {detail}"
    if given_mm is None:
        detail = "its true size was not given and is taken to be"
        yield f"{detail} {size_mm[0]:g} x {size_mm[1]:g} mm"
    if what := " and ".join(what for what, is_seen in alike.items() if is_seen):
        yield f"{what} are seen as on the standard board"


CLEAR_NAMING = 4.0  # how much better the names must be than all others


def _filled(data: Any, numbers: list[int]) -> Any:
    """Layout data with the next of the numbers, which are used up, in place of each None."""
    if data is None and numbers:
        return numbers.pop(0)
    if isinstance(data, dict):
        return {key: _filled(value, numbers) for key, value in data.items()}
    return [_filled(value, numbers) for value in data] if isinstance(data, list) else data


def _unnumbered(field: Any) -> Any:
    """A field of a layout, with None for each number printed on it if it is a track's."""
    if not isinstance(field, dict) or "at" not in field:
        return field
    slots = [None] * len(field["at"])
    numbers = {key: slots if isinstance(own, list) else None for key, own in field.items()}
    return {**numbers, **{key: field[key] for key in ("at", "radius")}}


def _count_none(data: Any) -> int:
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return int(data is None) + sum(map(_count_none, values))


def _unread_numbers(standard: StandardBoard) -> Iterator[Missing]:
    for name in standard.layout.tracks:
        reason = f"the numbers printed on the {name} track are not read: give them as --numbers"
        yield Missing(f"{name}/{NUMBERS}", reason)


def _unread_looks(alike: Mapping[str, bool]) -> Iterator[Missing]:
    if what := " and ".join(what for what, seen in alike.items() if not seen):
        reason = f"{what} cannot be recognised; compare them with the print"
        yield Missing(LOOKS, reason)


def _inside(at: Floats, radius: float, size_mm: tuple[float, float]) -> Circle:
    """A circle on the board, even where it was expected beside it."""
    radius = round(min(radius, min(size_mm) / 4), 2)
    x, y = (
        round(float(np.clip(value, radius + 0.01, side - radius - 0.01)), 2)
        for value, side in zip(at, size_mm, strict=True)
    )
    return Circle((x, y), radius)


def _directed(track: Track, at_mm: Floats, course: Floats) -> Track:
    """The track with its slots in the direction of the course."""
    along = (at_mm[-1] - at_mm[0]) @ (course[-1] - course[0])
    return track if along > 0 else replace(track, at=track.at[::-1], seen=track.seen[::-1])


def _turns(found: FoundBoard, standard: StandardBoard) -> int:
    """By how many quarter turns the corners must begin later to have the board upright.

    A track says it, where it is plain: it runs along the edge along which the standard board has
    it. Else the spaces do, which leave the same side of the board free; without links, which tell
    how it is turned, they are named only as it lies.
    """
    if not standard.graph.is_linked:
        known, seen = (at - at.mean(axis=0) for at in (standard.graph.at, found.at))
        turn = np.angle((seen @ (1, 1j)) @ (known @ (1, -1j)))
        return round(float(turn) / (np.pi / 2)) % 4
    size, known = np.array(found.size), np.array(standard.layout.size_mm)
    off = (found.at.mean(axis=0) - size / 2) / size
    way = (standard.graph.at.mean(axis=0) - known / 2) / known
    for name, track in found.tracks.items():
        if track is not None and np.median(track.seen) >= SURE:
            off = (track.at.mean(axis=0) - size / 2) / size
            way = (standard.courses[name].mean(axis=0) - known / 2) / known
    # Turning the corners on by one turns the picture anticlockwise: (x, y) to (y, -x).
    fits = []
    for _ in range(4):
        fits.append(float(off @ way))
        off = np.array([off[1], -off[0]])
    return int(np.argmax(fits))


def _as_known(found: FoundBoard, standard: StandardBoard, believed: bool) -> FoundBoard:
    """A board of which hardly a space was seen, with them all where the known board has them.

    Its upper left is the upper left of the photograph, or the first corner where that is believed.
    """
    wide, high = standard.layout.size_mm
    lies_across = (found.size[0] > found.size[1]) != (wide > high)
    at_turn = {
        turns: _upright(found, turns)[0][0].sum() for turns in (lies_across, lies_across + 2)
    }
    turns = 0 if believed else min(at_turn, key=lambda one: at_turn[one])
    width, height = found.size[::-1] if turns % 2 else found.size
    at = standard.graph.at / standard.layout.size_mm * (width, height)
    for _ in range(turns):
        at, (width, height) = np.stack([height - 1 - at[:, 1], at[:, 0]], axis=1), (height, width)
    return replace(found, at=at, seen=np.zeros(len(at)), margin=0.0)


def _upright(
    found: FoundBoard, turns: int
) -> tuple[Floats, tuple[int, int], Callable[[Floats], Floats]]:
    """The corners in the photograph, the picture's size and its points, turned upright."""
    width, height = found.size
    low, right, bottom = -0.5, width - 0.5, height - 0.5
    edges = np.array([[low, low], [right, low], [right, bottom], [low, bottom]])
    corners = cv2.perspectiveTransform(edges[None], found.to_photo)[0]

    def turned(points: Floats) -> Floats:
        size = (width, height)
        for _ in range(turns):
            points = np.stack([points[:, 1], size[0] - 1 - points[:, 0]], axis=1)
            size = (size[1], size[0])
        return points

    size = (height, width) if turns % 2 else (width, height)
    return np.roll(corners, -turns, axis=0).astype(np.float32), size, turned


def _size_mm(
    size: tuple[int, int],
    standard: StandardBoard,
    given: tuple[float, float] | None,
    found: FoundBoard,
) -> tuple[float, float]:
    if given is not None:
        return given
    known = standard.layout.size_mm
    if abs(size[0] / size[1] / (known[0] / known[1]) - 1) < LIKE_STANDARD:
        return known
    scale = max(known) / max(size)
    return round(size[0] * scale, 1), round(size[1] * scale, 1)
