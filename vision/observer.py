"""The observer: what one picture of a known board shows on each place, before any rules apply."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration import Profile
from scorer.places import Place, in_region
from vision.board_print import RectifiedBoard
from vision.colour_likelihood import PieceColours, weigh_colours
from vision.detect import Detections, foot_points, place_scores
from vision.illumination import restore_saturated
from vision.known_board import KnownBoard
from vision.lit_faces import lit_centres
from vision.models import Models
from vision.rectify import nearest
from vision.region_chances import RegionCount, weigh_rules
from vision.set_classifier import features, temper, trust

if TYPE_CHECKING:
    from vision.region_colours import LastViews
    from vision.region_counts import RegionCounter

REACH = 1.3
"""How far from a space's centre its star may stand, in radii of the space."""
_FEWEST_LIT = 4
"""Number of visible places needed to estimate the light from them alone."""
_BARE = 0.1
"""Highest probability of an empty region that still counts as covered."""
_DRAWN = 3.0
"""Standard deviation of a place's levels from which something is printed on it."""


CountRegions = Callable[[Mapping[str, str] | None], Mapping[Place, RegionCount]]
"""Counts the pieces in regions by `piece_roles`; see `scorer.game.Game.piece_roles`."""


@dataclass(frozen=True, eq=False)
class BoardObservation:
    """What one picture shows on each place of a board, in the order of the profile's places.

    ``scores`` (N, C) are the detector's, in the order of ``classes``; ``change`` (N,) is the
    difference from the empty board, 0 to 1; ``features`` (N, F) are the classifier's inputs;
    ``odds`` (N, C + 1) are the resulting log odds, "empty" last, before the rules of the game
    apply, and ``trusted``, 0 to 1, is how reliable they are about which piece it is. ``read`` (N,)
    bool marks the places that were read, None for all. The arrays mean nothing for regions, whose
    pieces ``count_regions`` counts given ``piece_roles``. ``samples_left_out``: pieces look too
    unlike their owner's samples for those to be used.
    """

    classes: tuple[str, ...]
    scores: np.ndarray
    change: np.ndarray
    find_likeness: Callable[[], np.ndarray]
    features: np.ndarray
    odds: np.ndarray
    trusted: float = 1.0
    read: np.ndarray | None = None
    count_regions: CountRegions = field(default=lambda _roles: {})
    piece_roles: Mapping[str, str] | None = None
    samples_left_out: bool = False

    def counted(self, piece_roles: Mapping[str, str]) -> "BoardObservation":
        """The observation with each piece counted as ``piece_roles`` says, and others dropped.

        See `scorer.game.Game.piece_roles`.
        """
        odds, scores = np.full_like(self.odds, -np.inf), np.zeros_like(self.scores)
        odds[:, -1] = self.odds[:, -1]
        for column, piece in enumerate(self.classes):
            if piece in piece_roles:
                counts = self.classes.index(piece_roles[piece])
                odds[:, counts] = np.logaddexp(odds[:, counts], self.odds[:, column])
                scores[:, counts] += self.scores[:, column]
        return replace(self, odds=odds, scores=scores, piece_roles=piece_roles)

    @cached_property
    def likeness(self) -> np.ndarray:
        """(N,) the correlation of the print with the empty board's, -1 to 1.

        1 where nothing is printed. Computed lazily: only cameras ask for it.
        """
        return self.find_likeness()

    @cached_property
    def regions(self) -> Mapping[Place, RegionCount]:
        """The pieces in the regions, counted lazily: they depend on who plays."""
        return self.count_regions(self.piece_roles)


class BoardObserver:
    """Observes the boards of one profile with its game's models."""

    def __init__(self, profile: Profile, models: Models) -> None:
        """Prepare a calibrated profile. Raises ValueError for one that is not calibrated.

        `colour_profile` is what its pieces look like; it may be replaced between photographs.
        `last_views` are kept where one table's boards are read again and again.
        """
        self.profile, self.models = profile, models
        self.finder = models.finder
        self.colour_profile = profile.colour_profile
        self.last_views: LastViews | None = None
        self.board = KnownBoard(profile)
        self.canvas = self.board.canvas
        self.places = tuple(profile.places)
        self.points = np.array([shape.at for shape in profile.places.values()], float)
        self.radius = min(shape.radius for shape in profile.places.values())

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The pieces that the detector distinguishes; waits until it is loaded."""
        return self.models.detector.classes

    @cached_property
    def reference(self) -> np.ndarray:
        """(S, S, 3) uint8, the empty board on the canvas."""
        return self.board.reference

    def rectify(
        self, image: np.ndarray, to_image: np.ndarray, visible: np.ndarray | None = None
    ) -> RectifiedBoard:
        """The board rectified and in the reference's light.

        The light is estimated near the ``visible`` places, (N,) bool: an arm over most of a board
        would bias it.
        """
        lit = self.lit_by(self.board.mask, visible)
        return self.board.rectify(image, to_image, None if lit is self.board.mask else lit)

    def lit_by(self, mask: np.ndarray, visible: np.ndarray | None) -> np.ndarray:
        """The part of an (S, S) bool canvas mask that is nearest to visible places."""
        if visible is None or visible.sum() < _FEWEST_LIT:
            return mask
        return np.asarray(mask & visible[self._nearest])

    def readable(self, visible: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """(N,) bool: the places to observe in order to read the ``wanted`` ones.

        All visible places, since pieces are classified jointly.
        """
        return visible

    def detect(self, board: RectifiedBoard) -> Sequence[Detections]:
        """Detections on a board, in one or several views."""
        return self.models.detector.detect(board.normalized, self.reference, self.canvas)

    @cached_property
    def _nearest(self) -> np.ndarray:
        """(S, S) int, the place nearest to each canvas pixel."""
        return nearest(self.canvas.to_px(self.points), (self.canvas.side_px, self.canvas.side_px))

    def observe(
        self,
        board: RectifiedBoard,
        views: Sequence[Detections],
        visible: np.ndarray | None = None,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        """Observe all places of a board, classified jointly.

        Places that are not ``visible``, (N,) bool, are left out. ``beside`` (M, F) are features of
        other pieces of the same set, elsewhere or covered now.
        """
        scores, change = self.weigh(board, views)
        described = self.features(board, scores, change, views)
        odds, trusted = np.zeros((len(described), len(self.classes) + 1)), 1.0
        seen = np.ones(len(described), bool) if visible is None else visible
        if seen.any():
            odds[seen], trusted = self.log_odds_jointly(described[seen], beside)
        likeness = partial(self._likenesses, board.normalized)
        return BoardObservation(
            *(self.classes, scores, change, likeness, described, odds, trusted, visible),
            count_regions=partial(self.count, board, seen),
        )

    def count(
        self,
        board: RectifiedBoard,
        visible: np.ndarray,
        piece_roles: Mapping[str, str] | None = None,
    ) -> dict[Place, RegionCount]:
        """Count pieces in regions among the ``visible`` (N,) bool places, weighed by the rules."""
        seen = {place for place, is_seen in zip(self.places, visible, strict=True) if is_seen}
        if not any(place.kind == "region" for place in seen):
            return {}
        game, own = self.profile.game, self.profile.board

        def broken(region: Place, pieces: Mapping[str, int]) -> int:
            return len(game.rule_breaks(game.position(own, in_region(region.id, pieces))))

        counts = self._counter.count(
            board, self.colour_profile, piece_roles, seen, broken, self.last_views
        )
        weighed = {
            place: weigh_rules(count, partial(broken, place)) for place, count in counts.items()
        }
        covered = {place.id: count.probability({}) < _BARE for place, count in weighed.items()}
        for pile, heights in game.pile_heights(covered, piece_roles).items():
            place = Place(pile, "region")
            weighed[place] = weighed[place].on_one_another(heights)
        return weighed

    @cached_property
    def _counter(self) -> "RegionCounter":
        from vision.region_counts import RegionCounter  # slow to import; few need it

        return RegionCounter(self.profile, self.canvas, self.reference)

    def log_odds_jointly(
        self, described: np.ndarray, beside: np.ndarray | None = None
    ) -> tuple[np.ndarray, float]:
        """(N, C + 1) log odds of places with (N, F) features, classified jointly with ``beside``.

        Also returns how far the classifier can be trusted there, which the odds take into account.
        """
        rows = described if beside is None else np.vstack([described, beside])
        odds = self.log_odds(rows)
        trusted = trust(odds)
        tempered = temper(odds, trusted)
        odds = weigh_colours(tempered, PieceColours.of(rows), self.classes, self.colour_profile)
        return odds[: len(described)], trusted

    def log_odds(self, described: np.ndarray) -> np.ndarray:
        """(N, C + 1) log odds from the classifier, or from the detector's scores without one."""
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
        """(N, F) `vision.set_classifier.features` of the places."""
        feet = foot_points(views, self.points, REACH * self.radius)
        return features(self._pictures(board), self.canvas.to_px(feet), scores, change)

    def _pictures(self, board: RectifiedBoard) -> tuple[np.ndarray, ...]:
        restored = restore_saturated(board.normalized, board.raw)
        return board.raw, board.normalized, restored, self.reference

    def lit_features(
        self, board: RectifiedBoard, observed: BoardObservation, views: Sequence[Detections]
    ) -> np.ndarray:
        """(N, F) `features`, taken from the lit face of pieces that have a separate one.

        The detector saw the whole piece: for these its scores say that there is one, not which.
        """
        feet = self.canvas.to_px(foot_points(views, self.points, REACH * self.radius))
        taken = observed.odds.argmax(axis=1) < len(self.classes)
        lit = np.full(feet.shape, np.nan)
        lit[taken] = lit_centres(board.normalized, self.reference, feet[taken])
        two_faced = ~np.isnan(lit[:, 0])
        if not two_faced.any():
            return observed.features
        scores = np.repeat(observed.scores.max(axis=1, keepdims=True), len(self.classes), axis=1)
        faces = features(
            self._pictures(board), np.where(two_faced[:, None], lit, feet), scores, observed.change
        )
        return np.where(two_faced[:, None], faces, observed.features)

    def weigh(
        self, board: RectifiedBoard, views: Sequence[Detections]
    ) -> tuple[np.ndarray, np.ndarray]:
        """(N, C) detector scores, and (N,) how much each place differs from the print, 0 to 1."""
        scores = place_scores(views, self.points, REACH * self.radius)
        return scores, self._changes(board.normalized)

    def _changes(self, normalized: np.ndarray) -> np.ndarray:
        change = cv2.absdiff(cv2.GaussianBlur(normalized, (0, 0), 1.5), self._smooth_reference)
        _, inside, count = self._middles
        mean = (self._patches(change).sum(axis=2) * inside).sum(axis=1) / (3 * np.maximum(count, 1))
        return np.where(count > 0, np.minimum(mean / 128, 1.0), 1.0)

    @cached_property
    def _smooth_reference(self) -> np.ndarray:
        return cv2.GaussianBlur(self.reference, (0, 0), 1.5)

    def _likenesses(self, normalized: np.ndarray) -> np.ndarray:
        """(N,) normalized cross-correlations of the places with the reference."""
        seen, known = self._centred(normalized), self._centred_reference
        count = 3 * np.maximum(self._middles[2], 1)
        shared, own, drawn = (
            np.einsum("nm,nm->n", one, other) / count
            for one, other in ((seen, known), (seen, seen), (known, known))
        )
        return np.where(drawn < _DRAWN**2, 1.0, shared / (np.sqrt(own * drawn) + 1e-6))

    @cached_property
    def _centred_reference(self) -> np.ndarray:
        return self._centred(self.reference)

    def _centred(self, picture: np.ndarray) -> np.ndarray:
        """(N, M) centres of the places, each channel minus its mean; 0 outside the canvas."""
        _, inside, count = self._middles
        patches = self._patches(cv2.GaussianBlur(picture, (0, 0), 1)) * inside[..., None]
        mean = patches.sum(axis=1, keepdims=True) / np.maximum(count, 1)[:, None, None]
        return np.asarray(((patches - mean) * inside[..., None]).reshape(len(patches), -1))

    def _patches(self, picture: np.ndarray) -> np.ndarray:
        """(N, M, 3) float32, the centre of each place in a picture on the canvas."""
        return np.asarray(picture.reshape(-1, 3).take(self._middles[0], axis=0).astype(np.float32))

    @cached_property
    def _middles(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(N, M) pixel indices of places' centres, (N, M) which are on the canvas, (N,) counts."""
        centres = self.canvas.to_px(self.points).round().astype(int)
        reach = round(0.7 * self.radius * self.canvas.px_per_mm)
        steps = np.mgrid[-reach : reach + 1, -reach : reach + 1][::-1].reshape(2, -1).T
        x, y = np.moveaxis(centres[:, None] + steps, -1, 0)
        last = self.canvas.side_px - 1
        inside = (x >= 0) & (x <= last) & (y >= 0) & (y <= last)
        rows = np.clip(y, 0, last) * (last + 1) + np.clip(x, 0, last)
        return rows, inside.astype(np.float32), inside.sum(axis=1)
