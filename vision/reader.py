"""The reader: a photograph in, a reading out, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import cv2
import numpy as np

from calibration import Profile, board_corners
from calibration.colour_profile import as_colour
from scorer.board_state import LoosePiece, PlaceReading, RegionReading, TrackReading
from scorer.game import UNKNOWN_TABLE, RolesByGame
from scorer.places import Place
from vision.decode import (
    Posterior,
    TrackPosterior,
    decode_spaces,
    decode_track,
    weight_detections,
    weight_lit_faces,
)
from vision.detect import Detections
from vision.doubts import UNCERTAIN_BELOW, breaking, doubts, weighed
from vision.known_board import RectifiedBoard
from vision.models import brings_models, load_models
from vision.observer import REACH, BoardObservation, BoardObserver
from vision.photo import Photo
from vision.reading import BoardReading, Reading
from vision.recognise import Find, Recogniser
from vision.rectify import side_scales, transform
from vision.refusals import (
    NoBoardError,
    UnreadableBoardError,
    check_colours,
    check_visible,
    why_unknown,
)
from vision.set_classifier import vivid_colours

LOOSE_ABOVE = 0.5
STAR_SEEN = 0.3
"""The detector's score, for whatever colour, from which a star is plainly seen."""
_PLAIN = 0.975
"""The probability of what lies on a place from which one view of it is enough."""
_PLAINLY_SEEN, _UNSEEN = 0.5, 0.05
"""The detector's scores from which on a piece surely is there, and up to which none is."""
HIDDEN_ABOVE = 0.33
"""A space without a star that differs from the empty board by this much is covered by something."""

_NARROWEST = 32
"""Px along the shorter side, below which a photograph shows no board."""


@dataclass(frozen=True, eq=False)
class BoardEvidence:
    """A board at ``to_image`` (3, 3), mm to px, and what was seen there before it is concluded.

    ``visible`` (N,) bool are the places in the photograph; ``lit`` (N, F) the features of pieces as
    their lit faces show them, the same as observed where a piece has none apart.
    """

    to_image: np.ndarray
    visible: np.ndarray
    detections: Detections
    observed: BoardObservation
    lit: np.ndarray

    def is_plain(self) -> bool:
        """Whether no place is in doubt: further views of the board would say the same."""
        odds, seen = self.observed.odds, self.observed.scores.max(axis=1)
        sure = odds.max(axis=1) - np.logaddexp.reduce(odds, axis=1) > np.log(_PLAIN)
        return bool(sure.all() and ((seen > _PLAINLY_SEEN) | (seen < _UNSEEN)).all())

    def sure_pieces(self) -> np.ndarray:
        """(M, F) the features of what surely is a piece, whichever it is sure to be."""
        odds = self.observed.odds
        sure = odds.max(axis=1) - np.logaddexp.reduce(odds, axis=1) > np.log(UNCERTAIN_BELOW)
        taken = odds.argmax(axis=1) < len(self.observed.classes)
        return np.asarray(self.observed.features[sure & taken])


class Reader(BoardObserver):
    """Reads the boards of one profile with the models of its game.

    >>> from pathlib import Path
    >>> from calibration import load_profile
    >>> from vision import load_photo
    >>> reader = Reader.of(load_profile("standard"))
    >>> reading = reader.read(load_photo(Path("webapp/demo/ana.jpg")))
    >>> reading.boards[0].spaces["core"].piece is not None
    True
    """

    @classmethod
    def of(cls, profile: Profile) -> Reader:
        """A reader of a profile with the models that come with its game, if any do."""
        if brings_models(profile.layout.game):
            return cls(profile, load_models(profile.layout.game))
        from vision.placewise import PlacewiseReader  # which is a Reader

        return PlacewiseReader(profile)

    def read(
        self,
        photo: Photo,
        load_ms: float = 0.0,
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> Reading:
        """Read every board in the photograph; ``expected`` says how many there should be.

        Raises NoBoardError where none is found, and UnreadableBoardError where none of those
        found can be read. ``load_ms`` is what loading took, for the timing.
        """
        return self._alone.read(photo, load_ms, expected, piece_roles)

    @cached_property
    def _alone(self) -> Library:
        return Library([self])

    def look(
        self,
        photo: Photo,
        to_image: np.ndarray,
        clock: Clock,
        rectified: RectifiedBoard | None = None,
    ) -> BoardEvidence:
        """Look at the board that lies at ``to_image``, (3, 3) from mm to px of the image.

        It may be ``rectified`` already, as `KnownBoard.rectify` does it. Raises
        UnreadableBoardError where too little of it is seen.
        """
        with clock("locate"):
            visible = check_visible(photo, self.canvas, to_image, self.points)
        with clock("detect"):
            known = rectified if self.canvas is self.board.canvas else None
            board = known or self.rectify(photo.image, to_image)
            views = self.detect(board)
            first = self._seen(to_image, visible, board, views[:1])
            if len(views) == 1 or first.is_plain():
                return first
            return self._seen(to_image, visible, board, views)

    def _seen(
        self,
        to_image: np.ndarray,
        visible: np.ndarray,
        board: RectifiedBoard,
        views: Sequence[Detections],
    ) -> BoardEvidence:
        observed = self.observe(board, views)
        lit = self.lit_features(board, observed, views)
        return BoardEvidence(to_image, visible, views[0], observed, lit)

    def classify(
        self,
        photo: Photo,
        evidence: BoardEvidence,
        beside: np.ndarray | None,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> BoardReading:
        """What lies on a board, told among what lies ``beside`` it: (M, F) features of pieces."""
        observed = self.classify_jointly(evidence, beside)
        if self.profile.game.id in piece_roles:
            observed = observed.counted(piece_roles[self.profile.game.id])
        posteriors, tracks, hidden = self.decode(observed, evidence.visible)
        regions = observed.regions
        scale, shift = 1 / photo.scale, (1 / photo.scale - 1) / 2  # between the middles of pixels
        to_photo = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]]) @ evidence.to_image
        colours = self.colours(observed)
        places = {
            place: PlaceReading(p.piece, p.confidence, colours[place])
            for place, p in posteriors.items()
        }
        reading = BoardReading(
            self.profile.name,
            self.profile.layout.game,
            transform(to_photo, board_corners(self.profile.size_mm)),
            places,
            {name: TrackReading(t.count, t.confidence, t.pieces) for name, t in tracks.items()},
            self._loose(evidence.detections, to_photo),
            (),
            {
                region.id: RegionReading(count.pieces, count.confidence)
                for region, count in regions.items()
            },
            self.profile.layout.kind,
            to_photo=to_photo,
        )
        game, board = self.profile.game, self.profile.board
        suspects = breaking(reading.pieces, posteriors, game, board)
        flags = doubts(posteriors, tracks, hidden, suspects, regions)
        in_order = weighed(flags, reading.pieces, posteriors, game, board)
        return replace(reading, flags=tuple(in_order))

    def classify_jointly(
        self, evidence: BoardEvidence, beside: np.ndarray | None
    ) -> BoardObservation:
        """What was seen of a board, told among what lies ``beside`` it and by its lit faces."""
        observed = evidence.observed
        if beside is not None:
            odds, trusted = self.tell(observed.features, beside)
            observed = replace(observed, odds=odds, trusted=trusted)
        two_faced = (evidence.lit != observed.features).any(axis=1)
        if two_faced.any():
            lit, _trusted = self.tell(evidence.lit, beside)
            odds = weight_lit_faces(observed.odds, lit, two_faced)
            observed = replace(observed, odds=odds)
        return observed

    def colours(self, observed: BoardObservation) -> dict[Place, str]:
        """What shows on each place under the reference's light, #rrggbb."""
        shown = self.shown_colours(observed.features)
        return {place: as_colour(bgr) for place, bgr in zip(self.places, shown, strict=True)}

    def shown_colours(self, features: np.ndarray) -> np.ndarray:
        """(N, 3) BGR levels under the reference's light, of places with (N, F) features."""
        return vivid_colours(features)

    def decode(
        self, observed: BoardObservation, seen: np.ndarray
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior], tuple[str, ...]]:
        """Posteriors of the spaces and of the tracks, and the spaces that something hides.

        ``seen`` is (N,) bool, the places that are in the picture.
        """
        odds = weight_detections(observed.odds, observed.scores, STAR_SEEN)
        spaces, tracks = self.posteriors(odds, observed.trusted)
        starless = observed.scores.max(axis=1) < STAR_SEEN
        covered = ~seen | (starless & (observed.change > HIDDEN_ABOVE))
        hidden = tuple(
            place.id
            for place, is_covered in zip(self.places, covered, strict=True)
            if is_covered and place in spaces
        )
        return spaces, tracks, hidden

    def posteriors(
        self, odds: np.ndarray, trusted: float = 1.0
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior]]:
        """What (N, C + 1) log odds mean by the rules of the game: of its spaces, of its tracks.

        The rules have as much to say as the classifier where that is not fully ``trusted``.
        """
        rows = dict(zip(self.places, odds, strict=True))
        game = self.profile.game
        spaces = {p.id: p for p in self.places if p.kind not in ("track", "region")}
        by_id = {name: rows[place] for name, place in spaces.items()}
        decoded = decode_spaces(by_id, self.classes, game, self.profile.board, trusted)
        tracks = {}
        for track in self.profile.tracks:
            slots = np.array([z for place, z in rows.items() if place.id == track])
            tracks[track] = decode_track(slots, self.classes, game.admits(Place(track, "track")))
        return {spaces[name]: posterior for name, posterior in decoded.items()}, tracks

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
            away = np.hypot(*(self.points - at).T).min() >= REACH * self.radius
            on_board = 0 < at[0] < width and 0 < at[1] < height
            if away and on_board and all(np.hypot(*(at - other)) > self.radius for other in loose):
                loose.append(at)
                x, y = transform(to_photo, at[None])[0]
                piece = self.classes[int(detections.scores[i].argmax())]
                found.append(LoosePiece(piece, (float(x), float(y))))
        return tuple(found)


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

    def read(
        self,
        photo: Photo,
        load_ms: float = 0.0,
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> Reading:
        """Read every board in the photograph; ``expected`` says how many there should be.

        Raises NoBoardError where none is found; UnknownBoardError for none of these profiles',
        NoColoursError for a photograph in black and white, and UnreadableBoardError where none of
        those found can be read. ``load_ms`` is what loading took, for the timing.
        """
        clock = Clock(load_ms)
        whole = photo
        photo, finds = self._find(whole, expected, clock)
        if not finds:
            raise NoBoardError(
                f"{photo.name}: no board found; take the photograph from above"
                " with the whole board in it"
            )
        check_colours(whole.glance or whole)
        seen: list[tuple[Reader, BoardEvidence]] = []
        refusals: list[UnreadableBoardError] = []
        for find in finds:
            try:
                seen.append(self._look(photo, find, clock))
            except UnreadableBoardError as refusal:
                refusals.append(refusal)
        if not seen:
            raise refusals[0]
        with clock("decode"):
            boards = [
                reader.classify(photo, evidence, _context(evidence, reader, seen), piece_roles)
                for reader, evidence in seen
            ]
        boards.sort(key=lambda b: -cv2.contourArea(b.corners.astype(np.float32)))
        return Reading(photo.name, photo.size, tuple(boards), clock.timing())

    def _find(self, photo: Photo, expected: int, clock: Clock) -> tuple[Photo, list[Find]]:
        """The boards, and where they were found: in few of a photograph's pixels, if these do."""
        if min(photo.size) < _NARROWEST:
            return photo, []
        if photo.glance is not None:
            with clock("locate"):
                finds = self.recogniser.at_a_glance(photo.glance.image, expected)
            if finds and all(map(self._is_fine_enough, finds)):
                return photo.glance, finds
            with clock("load"):
                photo = photo.showing(photo.image)
        with clock("locate"):
            return photo, self.recogniser.recognise(photo.image, expected=expected)

    def _is_fine_enough(self, find: Find) -> bool:
        """Whether a reader sees no more of a board in a picture with more pixels."""
        if find.profile is None or find.to_image is None:
            return False
        reader = self._readers[find.profile]
        scale = side_scales(find.to_image, find.profile.size_mm).min()
        return reader.canvas is reader.board.canvas and scale >= reader.canvas.px_per_mm

    def _look(self, photo: Photo, find: Find, clock: Clock) -> tuple[Reader, BoardEvidence]:
        if find.profile is None or find.to_image is None:
            known = [reader.board for reader in self._readers.values()]
            raise why_unknown(photo, find.corners, known)
        reader = self._readers[find.profile]
        return reader, reader.look(photo, find.to_image, clock, find.board)


def _context(
    evidence: BoardEvidence, reader: Reader, seen: Sequence[tuple[Reader, BoardEvidence]]
) -> np.ndarray | None:
    """(M, F) the pieces on a table's other boards of that game: they are of one set, in one light.

    None where there are no others.
    """
    others = [
        other.sure_pieces()
        for its, other in seen
        if other is not evidence and its.models is reader.models
    ]
    return np.concatenate(others) if others else None
