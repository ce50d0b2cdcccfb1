"""The reader: a photograph in, a reading out, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import cv2
import numpy as np

from calibration import Profile, board_corners
from scorer.flags import Flag
from scorer.places import Place
from vision.decode import Posterior, TrackPosterior, decode_spaces, decode_track
from vision.detect import Detections, foot_points, place_scores
from vision.illumination import normalize_illumination, restore_saturated
from vision.locate import MIN_SCORE, SAME_BOARD, FoundBoard, overlap
from vision.models import Models, load_models
from vision.photo import Photo
from vision.reading import BoardReading, LoosePiece, PlaceReading, Reading, TrackReading
from vision.rectify import Canvas, homography, rectify, transform
from vision.refine import ReferenceMatcher
from vision.set_classifier import features

UNCERTAIN_BELOW = 0.9
LOOSE_ABOVE = 0.5
MIN_PX_PER_MM = 0.6
"""A board of fewer pixels shows its stars as specks: 120 px for the standard board's width."""
MOST_OUTSIDE = 0.12
"""The share of a board's spaces that may lie outside of the photograph."""
MIN_LIKENESS = 0.35
STAR_SEEN = 0.3
"""The detector's score, for whatever colour, from which a star is plainly seen."""
HIDDEN_ABOVE = 0.33
"""A space without a star that differs from the empty board by this much is covered by something."""
PARTS = ((0.0, 0.0), (0.4, 0.0), (0.0, 0.4), (0.4, 0.4), (0.2, 0.2))
"""Left and top of the parts of a picture that are looked at closer, as shares of it."""
_PART_SHARE = 0.6
_ROOM = 0.2
"""The share of a picture below which its largest board leaves room for others of its size."""
_REACH = 1.3
"""How far from a space's centre its star may stand, in radii of the space."""
_FEWEST_LIT = 4
"""So many visible places are enough to tell the light from."""
_DRAWN = 3.0
"""Standard deviation of a place's levels from which there is something drawn on it."""


class NoBoardError(Exception):
    """No board was found in the photograph."""


class UnreadableBoardError(Exception):
    """A board was found, but too little of it can be seen to read it."""


@dataclass(frozen=True, eq=False)
class RectifiedBoard:
    """A board on the canvas, (S, S, 3) uint8: as photographed, and in the reference's light."""

    raw: np.ndarray
    normalized: np.ndarray


@dataclass(frozen=True, eq=False)
class BoardObservation:
    """What one picture says of each place of one board, in the order of the profile's places.

    ``scores`` (N, C) are the detector's, in the order of ``classes``; ``change`` (N,) is how much
    the place differs from the empty board, 0 to 1; ``likeness`` (N,) how well what is drawn there
    agrees with the empty board, -1 to 1, and 1 where nothing is drawn; ``features`` (N, F) are all
    that the classifier is told; ``odds`` (N, C + 1) are the log odds that follow, "empty" last,
    before the rules of the game are asked.
    """

    classes: tuple[str, ...]
    scores: np.ndarray
    change: np.ndarray
    likeness: np.ndarray
    features: np.ndarray
    odds: np.ndarray


class Reader:
    """Reads the boards of one profile with the models of its game.

    >>> from pathlib import Path
    >>> from calibration import load_profile
    >>> from vision import load_photo
    >>> reader = Reader.of(load_profile("standard"))
    >>> reading = reader.read(load_photo(Path("webapp/demo/ana.jpg")))
    >>> reading.boards[0].spaces["core"].piece is not None
    True
    """

    def __init__(self, profile: Profile, models: Models) -> None:
        """Prepare to read boards of a calibrated profile. ValueError for one that is not."""
        self.profile, self._models = profile, models
        self.classes = models.detector.classes
        self.canvas = Canvas(profile.size_mm)
        self._matcher = ReferenceMatcher(profile)
        self.reference = self.canvas.place_reference(profile.require_reference())
        self._mask = self.canvas.board_mask()
        self.places = tuple(profile.places)
        self.points = np.array([shape.at for shape in profile.places.values()], float)
        self._radius = min(shape.radius for shape in profile.places.values())

    @classmethod
    def of(cls, profile: Profile) -> Reader:
        """A reader of a profile with the models that come with its game."""
        return cls(profile, load_models(profile.layout.game))

    def read(self, photo: Photo, load_ms: float = 0.0) -> Reading:
        """Read every board in the photograph.

        Raises NoBoardError where none is found, and UnreadableBoardError where none of those
        found can be read. ``load_ms`` is what loading took, for the timing.
        """
        clock = _Clock(load_ms)
        with clock("locate"):
            found = self.locate(photo.image)
        boards, refusals = self._read_each(photo, found, (), clock)
        # Several boards side by side may look like one that is none, or hide behind a clearer one.
        if refusals or (boards and _leave_room(boards, photo.size)):
            with clock("locate"):
                closer = list(self.look_closer(photo.image))
            boards += self._read_each(photo, closer, boards, clock)[0]
        if not boards and not refusals:
            raise NoBoardError(
                f"{photo.name}: no board found; take the photograph from above"
                " with the whole board in it"
            )
        if not boards:
            raise refusals[0]
        boards.sort(key=lambda b: -cv2.contourArea(b.corners.astype(np.float32)))
        return Reading(photo.name, photo.size, tuple(boards), clock.timing())

    def _read_each(
        self,
        photo: Photo,
        found: Sequence[FoundBoard],
        known: Sequence[BoardReading],
        clock: _Clock,
    ) -> tuple[list[BoardReading], list[UnreadableBoardError]]:
        """The boards found that are none of the ``known`` ones, and why others cannot be read."""
        boards: list[BoardReading] = []
        refusals = []
        for board in found:
            others = [other.corners for other in (*known, *boards)]
            if any(overlap(board.corners / photo.scale, other) >= SAME_BOARD for other in others):
                continue
            try:
                read = self._read_board(photo, board, clock)
                if all(overlap(read.corners, other) < SAME_BOARD for other in others):
                    boards.append(read)
            except UnreadableBoardError as refusal:
                if board.score >= MIN_SCORE:
                    refusals.append(refusal)
        return boards, refusals

    def locate(self, image: np.ndarray) -> list[FoundBoard]:
        """Every board in an (H, W, 3) picture; small ones are looked for where no large one is."""
        found = self._models.finder.find(image)
        if found and found[0].score >= MIN_SCORE:
            return found
        return list(self.look_closer(image)) or found

    def look_closer(
        self, image: np.ndarray, parts: Sequence[tuple[float, float]] = PARTS
    ) -> Iterator[FoundBoard]:
        """What looks like a board in some of the `PARTS` of an (H, W, 3) picture."""
        height, width = image.shape[:2]
        for x, y in parts:
            left, top = round(x * width), round(y * height)
            part = image[
                top : top + round(_PART_SHARE * height), left : left + round(_PART_SHARE * width)
            ]
            for found in self._models.finder.find(part):
                if found.score >= MIN_SCORE:
                    yield FoundBoard(found.corners + np.array([left, top]), found.score)

    def _read_board(self, photo: Photo, found: FoundBoard, clock: _Clock) -> BoardReading:
        with clock("locate"):
            to_image = self.register(photo.image, found.corners)
            if to_image is None:
                raise UnreadableBoardError(
                    f"{photo.name}: the board found is not clear, or not the board of profile"
                    f" {self.profile.name}; take a sharper photograph, or calibrate your edition"
                    " with `stargazer calibrate`"
                )
            seen = self._check_visible(photo, to_image)
        with clock("detect"):
            board = self.rectify(photo.image, to_image)
            views = self.detect(board)
        with clock("decode"):
            posteriors, tracks, hidden = self.decode(board, views, seen)
            to_photo = np.diag([1 / photo.scale, 1 / photo.scale, 1.0]) @ to_image
            return self._compose(to_photo, posteriors, tracks, views[0], hidden)

    def register(self, image: np.ndarray, corners: np.ndarray) -> np.ndarray | None:
        """(3, 3) from mm to px of the board with those rough ``corners``, None if it is another.

        Where too few features are left by blur, the rough corners serve if what they frame still
        looks like the reference.
        """
        alignment = self._matcher.align(image, corners)
        if alignment is not None:
            return alignment.to_image
        rough = homography(corners, self.profile.size_mm)
        return (
            rough if self._likeness(self.rectify(image, rough).normalized) > MIN_LIKENESS else None
        )

    def follow(self, image: np.ndarray, to_image: np.ndarray) -> np.ndarray | None:
        """(3, 3) from mm to px of a board that lay at ``to_image`` and may have moved a few mm."""
        alignment = self._matcher.follow(image, to_image)
        return None if alignment is None else alignment.to_image

    def rectify(
        self, image: np.ndarray, to_image: np.ndarray, visible: np.ndarray | None = None
    ) -> RectifiedBoard:
        """The board rectified and in the reference's light.

        The light is told from what lies nearest to the ``visible`` places, (N,) bool: an arm over
        most of a board would be taken for light.
        """
        raw = rectify(image, to_image, self.canvas)
        mask = self._mask
        if visible is not None and visible.sum() >= _FEWEST_LIT:
            mask = mask & visible[self._nearest]
        return RectifiedBoard(raw, normalize_illumination(raw, self.reference, mask))

    def detect(self, board: RectifiedBoard) -> Sequence[Detections]:
        """What the detector sees on a board, in one or several views."""
        return self._models.detector.detect(board.normalized, self.reference, self.canvas)

    @cached_property
    def _nearest(self) -> np.ndarray:
        """(S, S) int, the place that each pixel of the canvas is nearest to."""
        ys, xs = np.mgrid[: self._mask.shape[0], : self._mask.shape[1]]
        x, y = self.canvas.to_px(self.points).T[:, :, None, None]
        return np.asarray(np.hypot(xs - x, ys - y).argmin(axis=0))

    def _likeness(self, normalized: np.ndarray) -> float:
        """Correlation of the board's fine structure with the reference's, -1 to 1."""
        pair = []
        for picture in (normalized, self.reference):
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
            fine = cv2.GaussianBlur(grey, (0, 0), 2) - cv2.GaussianBlur(grey, (0, 0), 12)
            pair.append(np.clip(fine, -40, 40)[self._mask])
        return float(np.corrcoef(pair[0], pair[1])[0, 1])

    def _check_visible(self, photo: Photo, to_image: np.ndarray) -> np.ndarray:
        """(N,) bool, whether each place is in the picture. Raises UnreadableBoardError."""
        height, width = photo.image.shape[:2]
        points = transform(to_image, self.points)
        inside = np.asarray(((points >= 0) & (points < (width, height))).all(axis=1))
        if (~inside).mean() > MOST_OUTSIDE:
            raise UnreadableBoardError(
                f"{photo.name}: only a part of the board is in the photograph; take it again"
                " with the whole board in it"
            )
        corners = transform(to_image, board_corners(self.profile.size_mm))
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        millimetres = np.array([*self.profile.size_mm, *self.profile.size_mm])
        if (sides / millimetres).min() < MIN_PX_PER_MM:
            raise UnreadableBoardError(
                f"{photo.name}: the board is too small in the photograph; go closer, or send the"
                " picture at full size"
            )
        return inside

    def decode(
        self, board: RectifiedBoard, views: Sequence[Detections], seen: np.ndarray
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior], tuple[str, ...]]:
        """Posteriors of the spaces and of the tracks, and the spaces that something hides.

        ``seen`` is (N,) bool, the places that are in the picture.
        """
        observed = self.observe(board, views)
        spaces, tracks = self.posteriors(observed.odds)
        starless = observed.scores.max(axis=1) < STAR_SEEN
        covered = ~seen | (starless & (observed.change > HIDDEN_ABOVE))
        hidden = tuple(
            place.id
            for place, is_covered in zip(self.places, covered, strict=True)
            if is_covered and place in spaces
        )
        return spaces, tracks, hidden

    def posteriors(
        self, odds: np.ndarray
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior]]:
        """What (N, C + 1) log odds mean by the rules of the game: of its spaces, of its tracks."""
        rows = dict(zip(self.places, odds, strict=True))
        game = self.profile.game
        spaces = {place.id: place for place in self.places if place.kind != "track"}
        by_id = {name: rows[place] for name, place in spaces.items()}
        decoded = decode_spaces(by_id, self.classes, game, self.profile.board)
        tracks = {}
        for track in self.profile.tracks:
            slots = np.array([z for place, z in rows.items() if place.id == track])
            tracks[track] = decode_track(slots, self.classes, game.admits(Place(track, "track")))
        return {spaces[name]: posterior for name, posterior in decoded.items()}, tracks

    def observe(
        self,
        board: RectifiedBoard,
        views: Sequence[Detections],
        visible: np.ndarray | None = None,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        """What a board says of each place, all of them told among one another.

        What lies on places that are not ``visible``, (N,) bool, is left out. ``beside`` (M, F) are
        the features of other pieces of the same set, which lie elsewhere or are covered now.
        """
        scores, change = self.weigh(board, views)
        described = self.features(board, scores, change, views)
        odds = np.zeros((len(described), len(self.classes) + 1))
        seen = np.ones(len(described), bool) if visible is None else visible
        if seen.any():
            told = described[seen] if beside is None else np.vstack([described[seen], beside])
            odds[seen] = self._log_odds(told)[: seen.sum()]
        likeness = self._likenesses(board.normalized)
        return BoardObservation(self.classes, scores, change, likeness, described, odds)

    def _log_odds(self, described: np.ndarray) -> np.ndarray:
        """(N, C + 1), by the classifier; by the detector's own scores where there is none."""
        if self._models.classifier is not None:
            return self._models.classifier.log_odds(described)
        return np.pad(described[:, : len(self.classes)].astype(float), ((0, 0), (0, 1)))

    def features(
        self,
        board: RectifiedBoard,
        scores: np.ndarray,
        change: np.ndarray,
        views: Sequence[Detections],
    ) -> np.ndarray:
        """(N, F) each place's `vision.set_classifier.features`."""
        feet = foot_points(views, self.points, _REACH * self._radius)
        restored = restore_saturated(board.normalized, board.raw)
        pictures = (board.raw, board.normalized, restored, self.reference)
        return features(pictures, self.canvas.to_px(feet), scores, change)

    def weigh(
        self, board: RectifiedBoard, views: Sequence[Detections]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Each place's (N, C) scores, and (N,) how much it differs from the print, 0 to 1."""
        scores = place_scores(views, self.points, _REACH * self._radius)
        return scores, self._changes(board.normalized)

    def _changes(self, normalized: np.ndarray) -> np.ndarray:
        difference = cv2.GaussianBlur(normalized, (0, 0), 1.5).astype(np.float32)
        difference = np.abs(difference - cv2.GaussianBlur(self.reference, (0, 0), 1.5)).mean(axis=2)
        patches = self._patches(difference)
        return np.array([min(1.0, float(p.mean()) / 128) if p.size else 1.0 for p in patches])

    def _likenesses(self, normalized: np.ndarray) -> np.ndarray:
        """(N,) normalized cross-correlations of the places with the reference's."""
        found = []
        smooth = (cv2.GaussianBlur(p, (0, 0), 1) for p in (normalized, self.reference))
        for pair in zip(*(self._patches(p.astype(np.float32)) for p in smooth), strict=True):
            seen, known = (p.reshape(-1, 3) - p.reshape(-1, 3).mean(axis=0) for p in pair)
            if not known.size or known.std() < _DRAWN:
                found.append(1.0)
            else:
                found.append(float((seen * known).mean() / (seen.std() * known.std() + 1e-6)))
        return np.array(found)

    def _patches(self, picture: np.ndarray) -> list[np.ndarray]:
        """The middle of each place in a picture on the canvas; empty for one outside of it."""
        centres = self.canvas.to_px(self.points).round().astype(int)
        r = round(0.7 * self._radius * self.canvas.px_per_mm)
        return [
            picture[max(0, y - r) : max(0, y + r + 1), max(0, x - r) : max(0, x + r + 1)]
            for x, y in centres
        ]

    def _compose(
        self,
        to_photo: np.ndarray,
        spaces: dict[Place, Posterior],
        tracks: dict[str, TrackPosterior],
        detections: Detections,
        hidden: tuple[str, ...],
    ) -> BoardReading:
        flags = [
            Flag("uncertain", (place.id,), {"alternatives": posterior.alternatives()})
            for place, posterior in spaces.items()
            if posterior.confidence < UNCERTAIN_BELOW and place.id not in hidden
        ]
        flags += [Flag("hidden", (name,)) for name in hidden]
        return BoardReading(
            self.profile.name,
            self.profile.layout.game,
            to_photo,
            transform(to_photo, board_corners(self.profile.size_mm)),
            {place: PlaceReading(p.piece, p.confidence) for place, p in spaces.items()},
            {name: TrackReading(t.count, t.confidence, t.pieces) for name, t in tracks.items()},
            self._loose(detections, to_photo),
            tuple(flags),
        )

    def _loose(self, detections: Detections, to_photo: np.ndarray) -> tuple[LoosePiece, ...]:
        """The pieces on the board that are too far from any place to lie on one."""
        width, height = self.profile.size_mm
        loose: list[np.ndarray] = []
        found = []
        best = detections.scores.max(axis=1, initial=0)
        for i in np.argsort(-best):
            at = detections.at[i]
            if best[i] < LOOSE_ABOVE:
                break
            away = np.hypot(*(self.points - at).T).min() >= _REACH * self._radius
            on_board = 0 < at[0] < width and 0 < at[1] < height
            if away and on_board and all(np.hypot(*(at - other)) > self._radius for other in loose):
                loose.append(at)
                x, y = transform(to_photo, at[None])[0]
                piece = self.classes[int(detections.scores[i].argmax())]
                found.append(LoosePiece(piece, (float(x), float(y))))
        return tuple(found)


def _leave_room(boards: Sequence[BoardReading], size: tuple[int, int]) -> bool:
    """Whether another board of the largest one's size may well lie in a picture of that size."""
    largest = max(cv2.contourArea(board.corners.astype(np.float32)) for board in boards)
    return largest < _ROOM * size[0] * size[1]


class _Clock:
    """Adds up what each step takes, in ms."""

    def __init__(self, load_ms: float) -> None:
        self._spent = {"load": load_ms, "locate": 0.0, "detect": 0.0, "decode": 0.0}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        begun = perf_counter()
        try:
            yield
        finally:
            self._spent[step] += (perf_counter() - begun) * 1000

    def timing(self) -> dict[str, float]:
        return {**self._spent, "total": sum(self._spent.values())}
