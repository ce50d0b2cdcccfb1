"""The reader: from a photograph to a reading."""

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
from scorer.places import Place
from scorer.table import UNKNOWN_TABLE, RolesByGame
from vision.board_print import RectifiedBoard
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
"""Detector score, of any colour, from which a star counts as seen."""
_PLAIN = 0.975
"""Probability of the likeliest class on a place above which one view is enough."""
_PLAINLY_SEEN, _UNSEEN = 0.5, 0.05
"""Detector scores above which a piece is certainly there and below which none is."""
HIDDEN_ABOVE = 0.33
"""A space without a star that differs from the empty board by more than this is covered."""

_NARROWEST = 32
"""Shorter side, in px, below which a photograph shows no board."""


@dataclass(frozen=True, eq=False)
class BoardEvidence:
    """A board at ``to_image`` (3, 3), mm to px, and what was observed there before decoding.

    ``visible`` (N,) bool marks the places inside the photograph. ``lit`` (N, F) are the features of
    each piece's lit face, equal to those of ``observed`` where a piece has no separate one.
    """

    to_image: np.ndarray
    visible: np.ndarray
    detections: Detections
    observed: BoardObservation
    lit: np.ndarray

    def is_plain(self) -> bool:
        """Whether every place is certain, so that further views would add nothing."""
        odds, seen = self.observed.odds, self.observed.scores.max(axis=1)
        sure = odds.max(axis=1) - np.logaddexp.reduce(odds, axis=1) > np.log(_PLAIN)
        return bool(sure.all() and ((seen > _PLAINLY_SEEN) | (seen < _UNSEEN)).all())

    def sure_pieces(self) -> np.ndarray:
        """(M, F) features of the pieces identified with certainty."""
        odds = self.observed.odds
        sure = odds.max(axis=1) - np.logaddexp.reduce(odds, axis=1) > np.log(UNCERTAIN_BELOW)
        taken = odds.argmax(axis=1) < len(self.observed.classes)
        return np.asarray(self.observed.features[sure & taken])


class Reader(BoardObserver):
    """Reads the boards of one profile with its game's models.

    >>> from pathlib import Path
    >>> from calibration import load_profile
    >>> from vision import load_photo
    >>> reader = Reader.of(load_profile("standard"))
    >>> reading = reader.read(load_photo(Path("webapp/demo/ana.jpg")))
    >>> reading.boards[0].spaces["core"].piece is not None
    True
    """

    @classmethod
    def of(cls, profile: Profile) -> "Reader":
        """A reader with the models of the profile's game, or a `PlacewiseReader` if it has none.

        The models know a game's own boards, none beside them.
        """
        if brings_models(profile.layout.game) and not profile.layout.is_side_board:
            return cls(profile, load_models(profile.layout.game))
        from vision.placewise import PlacewiseReader, SideBoardReader  # imports this module

        return (SideBoardReader if profile.layout.is_side_board else PlacewiseReader)(profile)

    def read(
        self,
        photo: Photo,
        load_ms: float = 0.0,
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> Reading:
        """Read every board in the photograph; ``expected`` is how many there should be.

        Raises NoBoardError if none is found and UnreadableBoardError if none of those found is
        readable. ``load_ms`` is the time spent on loading, for the timings.
        """
        return self._alone.read(photo, load_ms, expected, piece_roles)

    @cached_property
    def _alone(self) -> "Library":
        return Library([self])

    def look(
        self,
        photo: Photo,
        to_image: np.ndarray,
        clock: "Clock",
        rectified: RectifiedBoard | None = None,
    ) -> BoardEvidence:
        """Observe the board at ``to_image``, (3, 3) from mm to px of the image.

        ``rectified`` is the result of `KnownBoard.rectify`, if it is at hand. Raises
        UnreadableBoardError if too little of the board is visible.
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
        """Read a board jointly with the pieces ``beside`` it, (M, F) features."""
        observed = self.classify_jointly(evidence, beside)
        if self.profile.game.id in piece_roles:
            observed = observed.counted(piece_roles[self.profile.game.id])
        posteriors, tracks, hidden = self.decode(observed, evidence.visible)
        regions = observed.regions
        scale, shift = 1 / photo.scale, (1 / photo.scale - 1) / 2  # between pixel centres
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
            observed.samples_left_out,
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
        """The observation, reclassified with the pieces ``beside`` the board and by lit faces."""
        observed = evidence.observed
        if beside is not None:
            odds, trusted = self.log_odds_jointly(observed.features, beside)
            observed = replace(observed, odds=odds, trusted=trusted)
        two_faced = (evidence.lit != observed.features).any(axis=1)
        if two_faced.any():
            lit, _trusted = self.log_odds_jointly(evidence.lit, beside)
            odds = weight_lit_faces(observed.odds, lit, two_faced)
            observed = replace(observed, odds=odds)
        return observed

    def colours(self, observed: BoardObservation) -> dict[Place, str]:
        """The colour on each place under the reference's light, #rrggbb."""
        shown = self.shown_colours(observed.features)
        return {place: as_colour(bgr) for place, bgr in zip(self.places, shown, strict=True)}

    def shown_colours(self, features: np.ndarray) -> np.ndarray:
        """(N, 3) BGR levels under the reference's light, from (N, F) features."""
        return vivid_colours(features)

    def decode(
        self, observed: BoardObservation, seen: np.ndarray
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior], tuple[str, ...]]:
        """Posteriors of spaces and tracks, and the ids of hidden spaces.

        ``seen`` (N,) bool marks the places inside the picture.
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
        """Posteriors of spaces and tracks from (N, C + 1) log odds and the rules of the game.

        ``trusted`` weights the game's prior as it did the classifier's odds.
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
        """Pieces detected on the board, but too far from any place to belong to one."""
        width, height = self.profile.size_mm
        loose: list[np.ndarray] = []
        found = []
        best = detections.scores.max(axis=1, initial=0)
        sure = np.argsort(-best)[: (best >= LOOSE_ABOVE).sum()]
        near = np.hypot(*(self.points - detections.at[sure, None]).transpose(2, 0, 1)).min(axis=1)
        for i in sure[near >= REACH * self.radius]:
            at = detections.at[i]
            on_board = 0 < at[0] < width and 0 < at[1] < height
            if on_board and all(np.hypot(*(at - other)) > self.radius for other in loose):
                loose.append(at)
                x, y = transform(to_photo, at[None])[0]
                piece = self.classes[int(detections.scores[i].argmax())]
                found.append(LoosePiece(piece, (float(x), float(y))))
        return tuple(found)


class Clock:
    """Accumulates the time of each step, in ms."""

    def __init__(self, load_ms: float) -> None:
        self._spent = {"load": load_ms, "locate": 0.0, "detect": 0.0, "decode": 0.0}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Add the time spent in the `with` block to ``step``."""
        begun = perf_counter()
        try:
            yield
        finally:
            self._spent[step] += (perf_counter() - begun) * 1000

    def timing(self) -> dict[str, float]:
        """The time of each step and the total, in ms."""
        return {**self._spent, "total": sum(self._spent.values())}


class Library:
    """Reads photographs whose boards may belong to any of several profiles.

    >>> from pathlib import Path
    >>> from calibration import load_profile
    >>> from vision import load_photo
    >>> library = Library.of([load_profile("standard")])
    >>> library.read(load_photo(Path("webapp/demo/ana.jpg"))).boards[0].profile
    'standard'
    """

    def __init__(self, readers: Sequence[Reader]) -> None:
        self._readers = {reader.profile: reader for reader in readers}
        self.recogniser = Recogniser(
            [reader.board for reader in readers], [reader.finder for reader in readers]
        )

    @classmethod
    def of(cls, profiles: Iterable[Profile]) -> "Library":
        """A library of calibrated profiles, with the models of their games."""
        return cls([Reader.of(profile) for profile in profiles])

    def read(
        self,
        photo: Photo,
        load_ms: float = 0.0,
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> Reading:
        """Read every board in the photograph; ``expected`` is how many there should be.

        Raises NoBoardError if none is found, UnknownBoardError if none belongs to these profiles,
        NoColoursError for a black-and-white photograph, and UnreadableBoardError if none of those
        found is readable. ``load_ms`` is the time spent on loading, for the timings.
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
            if find.profile is None and (seen or refusals):
                continue  # the reason why it is unknown is not told
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
        """Find the boards; the photograph returned is its `glance` if that resolves them."""
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
        """Whether more pixels would show the reader nothing more of a board."""
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
    """(M, F) features of sure pieces on other boards of that game: one set, in one light.

    None if there are no other boards.
    """
    others = [
        other.sure_pieces()
        for its, other in seen
        if other is not evidence and its.models is reader.models
    ]
    return np.concatenate(others) if others else None
