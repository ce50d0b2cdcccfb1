"""Calibrate colours: a colour profile from one photograph with one piece of each kind.

They are in any order, on the board or on the table beside it; the board gives the light. On a board
read place by place they are on its places. As there is one of each, the assignment to kinds is the
one with the best total agreement.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import cv2
import numpy as np

from calibration.colour_profile import ColourProfile, Swatch, as_colour
from vision.board_colours import one_of_each
from vision.detect import Detections, place_scores
from vision.illumination import estimate_illumination, restore_saturated
from vision.photo import Photo
from vision.reader import STAR_SEEN, Clock, Reader
from vision.recognise import Recogniser
from vision.rectify import rectify, transform
from vision.refusals import NoBoardError, UnreadableBoardError, check_colours
from vision.set_classifier import features, vivid_colours

_LEAST = 0.1
"""Detector score from which something may be a piece."""
_RIVAL = 0.6
"""Score, relative to the least certain of the wanted pieces, of a rival candidate."""
_STEPS = (0.0, -0.5, 0.5, -1.0, 1.0)
"""Offsets from the board at which pieces are searched for, in lengths of its longer side."""
_BURNT, _MOST_BURNT = 250, 0.5
"""Level from which a camera saturates, and the largest saturated share of a board."""
_CLOSE = 2.0
"""Log odds below which two kinds may have been confused."""


@dataclass(frozen=True)
class FoundPiece:
    """A piece in a photograph: ``at`` and ``radius`` in px there; ``piece`` is None if unknown."""

    at: tuple[float, float]
    radius: float
    colour: str
    piece: str | None = None


@dataclass(frozen=True)
class ColourCalibration:
    """A colour profile from a photograph: one piece of each kind, in the order of the kinds.

    ``unsure`` are pairs of kinds that may have been confused.
    """

    pieces: tuple[FoundPiece, ...]
    unsure: tuple[tuple[str, str], ...]

    @property
    def colour_profile(self) -> ColourProfile:
        return ColourProfile(tuple(Swatch(p.piece, p.colour) for p in self.pieces if p.piece))


class ColourCalibrationError(UnreadableBoardError):
    """A photograph that gives no colour profile.

    `problem` is "too_bright", or "missing" or "too_many" if `pieces`, of unknown kinds, were found
    where `wanted` are needed.
    """

    def __init__(
        self, message: str, problem: str, pieces: Sequence[FoundPiece] = (), wanted: int = 0
    ) -> None:
        super().__init__(message)
        self.problem, self.pieces, self.wanted = problem, tuple(pieces), wanted


@dataclass(frozen=True, eq=False)
class _Window:
    """The view of the canvas at ``offset`` (2,) mm from its place on the board.

    ``pictures`` are the four of `vision.set_classifier.features`, ``views`` the detector's.
    """

    offset: np.ndarray
    pictures: tuple[np.ndarray, ...]
    views: Sequence[Detections]


@dataclass(frozen=True, eq=False)
class _Piece:
    """A candidate ``at`` (2,) mm, and the window that shows it best."""

    at: np.ndarray
    score: float
    window: _Window


def calibrate_colours(reader: Reader, photo: Photo) -> ColourCalibration:
    """The colour profile from a photograph of a piece of each kind, on or beside the board.

    Raises NoBoardError without the board, NoColoursError for a black-and-white photograph, and
    ColourCalibrationError if not all pieces are found, or the light is too harsh.
    """
    from vision.placewise import PlacewiseReader  # slow to import

    check_colours(photo)
    finds = Recogniser([reader.board], [reader.finder]).recognise(photo.image)
    poses = [find.to_image for find in finds if find.to_image is not None]
    if not poses:
        said = "the board was not found; photograph the pieces on the board or right beside it"
        raise NoBoardError(f"{photo.name}: {said}")
    raw = rectify(photo.image, poses[0], reader.board.canvas)
    if (raw[reader.board.mask] >= _BURNT).any(axis=1).mean() > _MOST_BURNT:
        said = "the board is too bright to tell colours by; take it again out of the glaring light"
        raise ColourCalibrationError(f"{photo.name}: {said}", "too_bright")
    if isinstance(reader, PlacewiseReader):
        return _lesson_of_places(reader, reader.laid, photo, poses[0])
    found = _pieces(list(_windows(reader, photo.image, poses[0])), reader)
    count = len(reader.classes)
    pieces = _wanted(found, count)
    if pieces is None:
        raise _unclear(found, poses[0], reader, photo)
    described = np.vstack([_described(piece, reader) for piece in pieces])
    odds = reader.log_odds(described)[:, :count]
    kinds_of = one_of_each(odds)
    shown = _shown(pieces, described, poses[0], reader)
    groups = {
        kind: replace(piece, piece=reader.classes[kind])
        for kind, piece in zip(kinds_of, shown, strict=True)
    }
    in_order = tuple(groups[kind] for kind in range(count))
    return ColourCalibration(in_order, tuple(_unsure(odds, kinds_of, reader.classes)))


def _lesson_of_places(
    reader: Reader, laid: Sequence[int], photo: Photo, to_image: np.ndarray
) -> ColourCalibration:
    """The colour profile from a photograph of a board with one piece of each kind on its places.

    ``laid`` are the indices of the classes that are laid there.
    """
    observed = reader.look(photo, to_image, Clock(0)).observed
    free = np.exp(observed.odds[:, -1] - np.logaddexp.reduce(observed.odds, axis=1))
    taken = np.flatnonzero(free < 0.5)
    shapes = [reader.profile.places[reader.places[row]] for row in taken]
    centres = np.array([shape.at for shape in shapes]).reshape(-1, 2)
    aside = np.array([(shape.radius, 0.0) for shape in shapes]).reshape(-1, 2)
    at, beside = transform(to_image, centres), transform(to_image, centres + aside)
    shown = [
        FoundPiece((float(x), float(y)), float(radius), as_colour(colour))
        for (x, y), radius, colour in zip(
            at, np.linalg.norm(beside - at, axis=1), observed.features[taken], strict=True
        )
    ]
    kinds = [reader.classes[column] for column in laid]
    if len(taken) != len(kinds):
        raise _counted(photo, shown, kinds)
    odds = observed.odds[np.ix_(taken.tolist(), list(laid))]
    kinds_of = one_of_each(odds)
    pieces = [
        replace(piece, piece=kinds[kind]) for kind, piece in zip(kinds_of, shown, strict=True)
    ]
    in_order = tuple(pieces[row] for row in np.argsort(kinds_of))
    return ColourCalibration(in_order, tuple(_unsure(odds, kinds_of, kinds)))


def _windows(reader: Reader, image: np.ndarray, to_image: np.ndarray) -> Iterator[_Window]:
    """The board and its surroundings within the (H, W, 3) picture."""
    canvas, board = reader.canvas, reader.board
    light = estimate_illumination(rectify(image, to_image, canvas), board.reference, board.mask)
    side = max(reader.profile.size_mm)
    inside = np.full(image.shape[:2], 255, np.uint8)
    for across, down in product(_STEPS, _STEPS):
        offset = side * np.array([across, down])
        moved = np.array([[1, 0, offset[0]], [0, 1, offset[1]], [0, 0, 1.0]])
        raw = rectify(image, to_image @ moved, canvas)
        x, y = offset * canvas.px_per_mm
        normalized = light.normalize(raw, (x, y))
        shift = np.array([[1, 0, -x], [0, 1, -y]])
        size = raw.shape[1::-1]
        on_board = cv2.warpAffine(board.mask.astype(np.uint8), shift, size) > 0
        shown = cv2.warpPerspective(inside, canvas.matrix @ np.linalg.inv(to_image @ moved), size)
        table = (shown > 0) & ~on_board
        if (across or down) and table.mean() < 0.05:
            continue
        # An empty table is about one colour: anything that differs from it may be a piece.
        bare = np.median(normalized[table], axis=0) if (across or down) else np.full(3, 128)
        print_here = cv2.warpAffine(board.reference, shift, size)
        reference = np.where(on_board[..., None], print_here, bare.astype(np.uint8))
        views = reader.models.detector.detect(normalized, reference, canvas)
        pictures = (raw, normalized, restore_saturated(normalized, raw), reference)
        yield _Window(offset, pictures, views)


def _pieces(windows: Sequence[_Window], reader: Reader) -> list[_Piece]:
    """Candidate pieces, the most certain first, each in its best window.

    On the board that is the window with its print, beside it the others.
    """
    size, apart = np.array(reader.profile.size_mm), reader.radius
    candidates = []
    for window in windows:
        beside = bool(window.offset.any())
        for view in window.views:
            for at, scores in zip(view.at + window.offset, view.scores, strict=True):
                on_board = bool(((at > 0) & (at < size)).all())
                if scores.max() >= _LEAST and on_board != beside:
                    candidates.append(_Piece(at, float(scores.max()), window))
    candidates.sort(key=lambda piece: -piece.score)
    found: list[_Piece] = []
    for piece in candidates:
        if all(np.hypot(*(piece.at - other.at)) > apart for other in found):
            found.append(piece)
    return found


def _wanted(found: Sequence[_Piece], count: int) -> Sequence[_Piece] | None:
    """The wanted number of pieces; None if it is unclear which.

    On a patterned table much may look like pieces: then only certain ones on the board count.
    """
    on_board = [p for p in found if not p.window.offset.any() and p.score >= STAR_SEEN]
    for among in (found, on_board):
        enough = len(among) >= count
        if enough and all(p.score < _RIVAL * among[count - 1].score for p in among[count:]):
            return among[:count]
    return None


def _unclear(
    found: Sequence[_Piece], to_image: np.ndarray, reader: Reader, photo: Photo
) -> ColourCalibrationError:
    """The error for other than one piece of each kind."""
    seen = [p for p in found if p.score >= STAR_SEEN]
    described = [_described(piece, reader) for piece in seen]
    shown = _shown(seen, np.vstack(described), to_image, reader) if seen else ()
    return _counted(photo, shown, reader.classes)


def _counted(
    photo: Photo, shown: Sequence[FoundPiece], kinds: Sequence[str]
) -> ColourCalibrationError:
    """The error for a wrong number of pieces."""
    said = (
        f"{len(shown)} pieces were found where {len(kinds)} are wanted; lay one of each apart from"
        f" the others, nothing else beside: {', '.join(kinds)}"
    )
    problem = "too_many" if len(shown) >= len(kinds) else "missing"
    return ColourCalibrationError(f"{photo.name}: {said}", problem, shown, len(kinds))


def _shown(
    pieces: Sequence[_Piece], described: np.ndarray, to_image: np.ndarray, reader: Reader
) -> list[FoundPiece]:
    """Pieces with (N, F) features, as seen in the photograph."""
    places = np.array([piece.at for piece in pieces])
    aside = np.array([reader.radius, 0])
    at, beside = transform(to_image, places), transform(to_image, places + aside)
    radii = np.linalg.norm(beside - at, axis=1)
    return [
        FoundPiece((float(x), float(y)), float(radius), as_colour(colour))
        for (x, y), radius, colour in zip(at, radii, vivid_colours(described), strict=True)
    ]


def _described(piece: _Piece, reader: Reader) -> np.ndarray:
    """(1, F) the classifier's features of a piece."""
    local = (piece.at - piece.window.offset)[None]
    scores = place_scores(piece.window.views, local, reader.radius)
    x, y = reader.canvas.to_px(local)[0].round().astype(int)
    reach = round(0.7 * reader.radius * reader.canvas.px_per_mm)
    _, normalized, _, reference = piece.window.pictures
    near = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
    change = np.abs(normalized[near].astype(float) - reference[near]).mean() / 128
    pictures = piece.window.pictures
    return features(pictures, reader.canvas.to_px(local), scores, np.array([min(1.0, change)]))


def _unsure(
    odds: np.ndarray, kinds: Sequence[int], classes: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for (a, one), (b, other) in combinations(enumerate(kinds), 2):
        if odds[a, one] + odds[b, other] - odds[a, other] - odds[b, one] < _CLOSE:
            yield classes[one], classes[other]
