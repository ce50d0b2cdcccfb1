"""The reader: a photograph in, a reading out, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import cv2
import numpy as np

from calibration import Profile, board_corners
from calibration.token_kit import as_colour
from scorer.flags import Flag
from scorer.places import Place
from vision.decode import (
    Posterior,
    TrackPosterior,
    decode_spaces,
    decode_track,
    heed_sights,
)
from vision.detect import Detections, foot_points, place_scores
from vision.illumination import restore_saturated
from vision.kit_evidence import weigh_kit
from vision.known_board import KnownBoard, RectifiedBoard
from vision.models import Models, load_models
from vision.photo import Photo
from vision.reading import BoardReading, LoosePiece, PlaceReading, Reading, TrackReading
from vision.recognise import Find, Recogniser
from vision.rectify import transform
from vision.refusals import (
    NoBoardError,
    UnreadableBoardError,
    check_colours,
    check_visible,
    why_unknown,
)
from vision.set_classifier import features, vivid_colours

UNCERTAIN_BELOW = 0.9
LOOSE_ABOVE = 0.5
STAR_SEEN = 0.3
"""The detector's score, for whatever colour, from which a star is plainly seen."""
HIDDEN_ABOVE = 0.33
"""A space without a star that differs from the empty board by this much is covered by something."""
_REACH = 1.3
"""How far from a space's centre its star may stand, in radii of the space."""
_FEWEST_LIT = 4
"""So many visible places are enough to tell the light from."""
_DRAWN = 3.0
"""Standard deviation of a place's levels from which there is something drawn on it."""


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
        """Prepare to read boards of a calibrated profile. ValueError for one that is not.

        `kit` is what its pieces look like; another may take its place between photographs.
        """
        self.profile, self.models = profile, models
        self.finder = models.finder
        self.classes = models.detector.classes
        self.kit = profile.kit
        self.board = KnownBoard(profile)
        self.canvas, self.reference = self.board.canvas, self.board.reference
        self.places = tuple(profile.places)
        self.points = np.array([shape.at for shape in profile.places.values()], float)
        self.radius = min(shape.radius for shape in profile.places.values())

    @classmethod
    def of(cls, profile: Profile) -> Reader:
        """A reader of a profile with the models that come with its game."""
        return cls(profile, load_models(profile.layout.game))

    def read(self, photo: Photo, load_ms: float = 0.0, expected: int = 1) -> Reading:
        """Read every board in the photograph; ``expected`` says how many there should be.

        Raises NoBoardError where none is found, and UnreadableBoardError where none of those
        found can be read. ``load_ms`` is what loading took, for the timing.
        """
        return self._alone.read(photo, load_ms, expected)

    @cached_property
    def _alone(self) -> Library:
        return Library([self])

    def read_board(self, photo: Photo, to_image: np.ndarray, clock: Clock) -> BoardReading:
        """Read the board that lies at ``to_image``, (3, 3) from mm to px of the image.

        Raises UnreadableBoardError where too little of it is seen.
        """
        with clock("locate"):
            seen = check_visible(photo, self.board, to_image, self.points)
        with clock("detect"):
            board = self.rectify(photo.image, to_image)
            views = self.detect(board)
        with clock("decode"):
            observed = self.observe(board, views)
            posteriors, tracks, hidden = self.decode(observed, seen)
            to_photo = np.diag([1 / photo.scale, 1 / photo.scale, 1.0]) @ to_image
            colours = dict(zip(self.places, vivid_colours(observed.features), strict=True))
            places = {
                place: PlaceReading(p.piece, p.confidence, as_colour(colours[place]))
                for place, p in posteriors.items()
            }
            return BoardReading(
                self.profile.name,
                self.profile.layout.game,
                to_photo,
                transform(to_photo, board_corners(self.profile.size_mm)),
                places,
                {name: TrackReading(t.count, t.confidence, t.pieces) for name, t in tracks.items()},
                self._loose(views[0], to_photo),
                _doubts(posteriors, tracks, hidden),
            )

    def rectify(
        self, image: np.ndarray, to_image: np.ndarray, visible: np.ndarray | None = None
    ) -> RectifiedBoard:
        """The board rectified and in the reference's light.

        The light is told from what lies nearest to the ``visible`` places, (N,) bool: an arm over
        most of a board would be taken for light.
        """
        mask = self.board.mask
        if visible is not None and visible.sum() >= _FEWEST_LIT:
            mask = mask & visible[self._nearest]
        return self.board.rectify(image, to_image, mask)

    def detect(self, board: RectifiedBoard) -> Sequence[Detections]:
        """What the detector sees on a board, in one or several views."""
        return self.models.detector.detect(board.normalized, self.reference, self.canvas)

    @cached_property
    def _nearest(self) -> np.ndarray:
        """(S, S) int, the place that each pixel of the canvas is nearest to."""
        ys, xs = np.mgrid[: self.board.mask.shape[0], : self.board.mask.shape[1]]
        x, y = self.canvas.to_px(self.points).T[:, :, None, None]
        return np.asarray(np.hypot(xs - x, ys - y).argmin(axis=0))

    def decode(
        self, observed: BoardObservation, seen: np.ndarray
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior], tuple[str, ...]]:
        """Posteriors of the spaces and of the tracks, and the spaces that something hides.

        ``seen`` is (N,) bool, the places that are in the picture.
        """
        odds = heed_sights(observed.odds, observed.scores, STAR_SEEN)
        spaces, tracks = self.posteriors(odds)
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
            told_odds = weigh_kit(self.log_odds(told), vivid_colours(told), self.classes, self.kit)
            odds[seen] = told_odds[: seen.sum()]
        likeness = self._likenesses(board.normalized)
        return BoardObservation(self.classes, scores, change, likeness, described, odds)

    def log_odds(self, described: np.ndarray) -> np.ndarray:
        """(N, C + 1), by the classifier; by the detector's own scores where there is none."""
        if self.models.classifier is not None:
            return self.models.classifier.log_odds(described)
        return np.pad(described[:, : len(self.classes)].astype(float), ((0, 0), (0, 1)))

    def features(
        self,
        board: RectifiedBoard,
        scores: np.ndarray,
        change: np.ndarray,
        views: Sequence[Detections],
    ) -> np.ndarray:
        """(N, F) each place's `vision.set_classifier.features`."""
        feet = foot_points(views, self.points, _REACH * self.radius)
        restored = restore_saturated(board.normalized, board.raw)
        pictures = (board.raw, board.normalized, restored, self.reference)
        return features(pictures, self.canvas.to_px(feet), scores, change)

    def weigh(
        self, board: RectifiedBoard, views: Sequence[Detections]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Each place's (N, C) scores, and (N,) how much it differs from the print, 0 to 1."""
        scores = place_scores(views, self.points, _REACH * self.radius)
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
        r = round(0.7 * self.radius * self.canvas.px_per_mm)
        return [
            picture[max(0, y - r) : max(0, y + r + 1), max(0, x - r) : max(0, x + r + 1)]
            for x, y in centres
        ]

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
            away = np.hypot(*(self.points - at).T).min() >= _REACH * self.radius
            on_board = 0 < at[0] < width and 0 < at[1] < height
            if away and on_board and all(np.hypot(*(at - other)) > self.radius for other in loose):
                loose.append(at)
                x, y = transform(to_photo, at[None])[0]
                piece = self.classes[int(detections.scores[i].argmax())]
                found.append(LoosePiece(piece, (float(x), float(y))))
        return tuple(found)


def _doubts(
    spaces: Mapping[Place, Posterior],
    tracks: Mapping[str, TrackPosterior],
    hidden: tuple[str, ...],
) -> tuple[Flag, ...]:
    """What to look at: a doubtful count is a doubt like any other."""
    read: dict[str, Posterior | TrackPosterior] = {place.id: p for place, p in spaces.items()}
    uncertain = (
        Flag("uncertain", (name,), {"alternatives": posterior.alternatives()})
        for name, posterior in (read | dict(tracks)).items()
        if posterior.confidence < UNCERTAIN_BELOW and name not in hidden
    )
    return (*uncertain, *(Flag("hidden", (name,)) for name in hidden))


class Clock:
    """Adds up what each step takes, in ms."""

    def __init__(self, load_ms: float) -> None:
        """Begin with what loading took."""
        self._spent = {"load": load_ms, "locate": 0.0, "detect": 0.0, "decode": 0.0}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Count the time within towards a step."""
        begun = perf_counter()
        try:
            yield
        finally:
            self._spent[step] += (perf_counter() - begun) * 1000

    def timing(self) -> dict[str, float]:
        """The steps and their total, in ms."""
        return {**self._spent, "total": sum(self._spent.values())}


class Library:
    """Reads a photograph with whichever of several profiles each board in it is of.

    >>> from pathlib import Path
    >>> from calibration import load_profile
    >>> from vision import load_photo
    >>> library = Library.of([load_profile("standard")])
    >>> library.read(load_photo(Path("webapp/demo/ana.jpg"))).boards[0].profile
    'standard'
    """

    def __init__(self, readers: Sequence[Reader]) -> None:
        """Of one reader for each profile."""
        self._readers = {reader.profile: reader for reader in readers}
        self.recogniser = Recogniser(
            [reader.board for reader in readers], [reader.finder for reader in readers]
        )

    @classmethod
    def of(cls, profiles: Iterable[Profile]) -> Library:
        """Of calibrated profiles, with the models that come with their games."""
        return cls([Reader.of(profile) for profile in profiles])

    def read(self, photo: Photo, load_ms: float = 0.0, expected: int = 1) -> Reading:
        """Read every board in the photograph; ``expected`` says how many there should be.

        Raises NoBoardError where none is found; UnknownBoardError for none of these profiles',
        NoColoursError for a photograph in black and white, and UnreadableBoardError where none of
        those found can be read. ``load_ms`` is what loading took, for the timing.
        """
        check_colours(photo)
        clock = Clock(load_ms)
        with clock("locate"):
            finds = self.recogniser.recognise(photo.image, expected=expected)
        boards: list[BoardReading] = []
        refusals: list[UnreadableBoardError] = []
        for find in finds:
            try:
                boards.append(self._read_board(photo, find, clock))
            except UnreadableBoardError as refusal:
                refusals.append(refusal)
        if not finds:
            raise NoBoardError(
                f"{photo.name}: no board found; take the photograph from above"
                " with the whole board in it"
            )
        if not boards:
            raise refusals[0]
        boards.sort(key=lambda b: -cv2.contourArea(b.corners.astype(np.float32)))
        return Reading(photo.name, photo.size, tuple(boards), clock.timing())

    def _read_board(self, photo: Photo, find: Find, clock: Clock) -> BoardReading:
        if find.profile is None or find.to_image is None:
            known = [reader.board for reader in self._readers.values()]
            raise why_unknown(photo, find.corners, known)
        return self._readers[find.profile].read_board(photo, find.to_image, clock)
