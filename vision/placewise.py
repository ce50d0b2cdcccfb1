"""The placewise reader, for boards of games that bring no models of their own.

Each place is compared with the same place of the empty board, given the colours of the kinds of
pieces. So neither pieces nor boards need to be known when the network is trained, which is done on
invented boards (`models.any_game`). Only the layout's places are examined, and boards are found by
their reference's features.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile
from calibration.colour_profile import ColourProfile, Swatch
from scorer.game import Game
from scorer.places import Circle, Place, PlaceKind
from vision.board_colours import (
    KindColours,
    coordinates,
    shade_ranges,
    share_colours_by_hex,
    weigh_colours,
)
from vision.board_print import RectifiedBoard
from vision.cast_shadows import CastShadows, between_places
from vision.cluster_odds import fit_to_clusters
from vision.coverage import weigh_coverage
from vision.decode import (
    Posterior,
    TrackPosterior,
    doubt_unreliable_board,
    doubt_whole_kinds,
    doubt_without_twin,
)
from vision.detect import Detections
from vision.dial import Dial
from vision.fine_patches import FINE_PX, FinePlaces, halved, in_light
from vision.footprint_odds import (
    SURENESS,
    doubted,
    fit_odds,
    fit_to_board,
    given_to_owners,
    legibility,
    less_sure,
    texture_bounds,
)
from vision.footprints import find_footprints
from vision.illumination import brightest, level_saturated
from vision.models import Models
from vision.neighbours import neighbours, weigh_neighbours
from vision.observer import BoardObservation
from vision.place_network import blend_kinds, join_patches, place_odds
from vision.place_patches import (
    BlurredReference,
    canvas_side,
    cut,
    patch_grid,
    patch_masks,
    piece_colours,
)
from vision.reader import BoardEvidence, Reader
from vision.rectify import CameraPosition, Canvas, rectify, transform
from vision.seams import Seams
from vision.texture import outlines, texture_odds, unexplained, visible_print
from vision.unbend import Unbender

_SLIP = 2e-3
"""Probability of a misreading however sure the network is: a piece may lie half off its place."""
_WEIGHT = 0.9
"""Weight of the network's log odds, against the coverage of the place by a kind's colour."""
_INNER = 0.85
"""Share of a place's sides within which its texture is examined."""
_ABOUT = 2.0
"""Fit of a footprint near a place from which it may belong there, seen at a slant."""
_BARER = 1.0
"""Where one kind is admitted: how far other evidence may lower a piece's log odds below the lower
of the network's and the bare place's."""
_UNMARKED, _NOTHING_THERE = 1.5, 0.6
"""There: the most of a piece's log odds where no object fits about its place better than this, on
print of another colour: it is asked about. The network takes seams of a glued print for links."""
_READ = 3.0
"""How much a legible print counts against a piece: however strange its colour, only the light
is."""
_ONE_BY_ONE: frozenset[PlaceKind] = frozenset({"spot", "edge", "track"})
_HIDDEN_ABOVE = 0.05
"""Probability from which a place is asked about because a hand or sleeve may cover it. On skin as
pale as the print the network gives 0.05 to 0.3, and elsewhere hardly ever more than 0.02."""
_TWINS = 0.7
"""Distance of two kinds' nominal colours, in `coordinates`, below which light may swap them."""
_OUT_OF_REACH = -12.0
"""Least log odds of a class; a piece that its place does not admit gets twice that."""


@dataclass(frozen=True, eq=False)
class FineBoard(RectifiedBoard):
    """A board with `fine_patches` of its places by kind, (N, F, F, 3) uint8 as photographed."""

    fine: Mapping[PlaceKind, np.ndarray]


class PlacewiseReader(Reader):
    """Reads the boards of one profile of any game."""

    def __init__(self, profile: Profile) -> None:
        """Prepare a calibrated profile. Raises ValueError for one that is not calibrated."""
        game = profile.game
        super().__init__(profile, Models.of_places(game))
        self.classes = classes = tuple(piece.id for piece in game.pieces)
        self.dial = Dial.of(profile)
        self._looked_at = np.array([p.kind not in ("dial", "region") for p in self.places])
        self._turned = np.array([place.kind == "dial" for place in self.places])
        shapes = [profile.places[p] for p in self.places if p.kind not in ("dial", "region")]
        discs = [
            Circle((0, 0), piece.diameter_mm / 2) for piece in game.pieces if piece.diameter_mm
        ]
        self.canvas = Canvas(profile.size_mm, canvas_side(profile.size_mm, [*shapes, *discs]))
        self._shapes = shapes
        self.laid: Sequence[int]
        """Indices of the classes that are laid on places one by one."""
        self.laid = [n for n, piece in enumerate(game.pieces) if piece.lies_on & _ONE_BY_ONE]
        lie_on = {
            kind: [n for n in self.laid if kind in game.pieces[n].lies_on]
            for kind in sorted({place.kind for place in self.places} & _ONE_BY_ONE)
        }
        self._lie_on = {kind: own for kind, own in lie_on.items() if own}
        """Indices of the classes that each kind of place admits."""
        admitted = [game.admits(place) for place in self.places]
        self._admitted = np.array([[name in own for name in classes] for own in admitted])

    # Of many known boards few are on a table: what reading one requires is computed lazily.

    @cached_property
    def reference(self) -> np.ndarray:
        """(S, S, 3) uint8, the empty board on the canvas."""
        return self.canvas.place_reference(self.profile.require_reference())

    @cached_property
    def _mask(self) -> np.ndarray:
        return self.canvas.board_mask()

    @cached_property
    def _blurred(self) -> BlurredReference:
        return BlurredReference(self.reference, self._mask)

    @cached_property
    def _unbender(self) -> Unbender:
        return Unbender(self.reference, self._mask)

    @cached_property
    def _shadows(self) -> CastShadows:
        between = between_places(self.canvas, self.profile.places.values())
        return CastShadows(self.reference, self._mask, between)

    @cached_property
    def _seams(self) -> Seams:
        between = between_places(self.canvas, self.profile.places.values()) & self._mask
        return Seams(between, self.canvas.px_per_mm)

    @cached_property
    def _grid(self) -> np.ndarray:
        grid = patch_grid(self._shapes)
        return self.canvas.to_px(grid.reshape(-1, 2)).reshape(grid.shape).astype(np.float32)

    @cached_property
    def _on(self) -> np.ndarray:
        return patch_masks(self._shapes)

    @cached_property
    def _fine(self) -> dict[PlaceKind, FinePlaces]:
        shapes = self.profile.places
        return {
            kind: FinePlaces([shapes[place] for place in self.places if place.kind == kind])
            for kind in self._lie_on
        }

    @cached_property
    def _fine_print(self) -> dict[PlaceKind, np.ndarray]:
        picture = self.profile.require_reference()
        return {
            kind: fine.cut(picture, fine.control_mm() * PX_PER_MM - 0.5)
            for kind, fine in self._fine.items()
        }

    @cached_property
    def _outlines(self) -> dict[PlaceKind, np.ndarray]:
        return {kind: outlines(halved(known)) for kind, known in self._fine_print.items()}

    @cached_property
    def _neighbours(self) -> dict[PlaceKind, list[np.ndarray]]:
        """Pairs of neighbours by kind; none where the game's own prior counts them already."""
        if type(self.profile.game).log_prior is not Game.log_prior:
            return {kind: [] for kind in self._lie_on}
        shapes = self.profile.places
        return {
            kind: neighbours([shapes[place] for place in self.places if place.kind == kind])
            for kind in self._lie_on
        }

    @cached_property
    def _without_others(self) -> set[PlaceKind]:
        """Kinds of places that admit one piece, and whose neighbours are not weighed."""
        return {
            kind
            for kind, pieces in self._lie_on.items()
            if len(pieces) == 1 and not any(map(len, self._neighbours[kind]))
        }

    def rectify(
        self, image: np.ndarray, to_image: np.ndarray, visible: np.ndarray | None = None
    ) -> FineBoard:
        """The board rectified, unbent, in the reference's light, and its seams mended.

        Seams look like links; where several kinds are admitted, nothing is like them.
        """
        rectified = rectify(image, to_image, self.canvas)
        lit = self.lit_by(self._mask, visible)
        raw, normalized, field, light = self._unbender.straighten(rectified, lit)
        raw, normalized = self._shadows.lighten(raw, normalized)
        fine = {}
        for kind, places in self._fine.items():
            x, y = self.canvas.to_px(places.control_mm()).astype(np.float32).T
            unbent = cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            there = self.canvas.to_mm(unbent.reshape(-1, 2))
            fine[kind] = places.cut(image, transform(to_image, there))
        if self._without_others:
            print_ = self._blurred.like(normalized)
            raw, normalized, mended = self._seams.mend(raw, normalized, print_)
            for kind, places in self._fine.items() if mended.any() else ():
                px = self.canvas.to_px(places.control_mm())
                over = places.cut(cv2.merge([mended] * 3), px).any(axis=(1, 2, 3))
                fine[kind][over] = places.cut(raw, px)[over]
        camera = CameraPosition.over(to_image, (image.shape[1], image.shape[0]))
        levelled = level_saturated(normalized, raw)
        return FineBoard(raw, levelled, fine, camera=camera, light=light)

    def readable(self, visible: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """(N,) bool: the visible ``wanted`` places and those they must be classified with.

        A dial is read from all of its places. Where several kinds of pieces are admitted, all such
        places are classified jointly; a single piece would be compared with the game's nominal
        colours alone.
        """
        read = visible & wanted
        together = [self._turned]
        together += [
            np.array([place.kind == kind for place in self.places])
            for kind, rivals in self._lie_on.items()
            if len(rivals) > 1
        ]
        for places in together:
            if (read & places).any():
                read |= visible & places
        return np.asarray(read)

    def observe(
        self,
        board: RectifiedBoard,
        views: Sequence[Detections],
        visible: np.ndarray | None = None,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        """Observe each place of a board; ``features`` (N, 3) are the BGR levels shown there.

        ``change`` is the probability that something other than a piece covers the place, ``scores``
        those that each piece is plainly visible, and ``likeness`` that it is bare, scaled to -1 to
        1. ``beside`` is ignored: other boards are not taken into account.
        """
        count, classes = len(self.places), len(self.classes)
        seen = np.ones(count, bool) if visible is None else visible
        chances = np.zeros((count, classes + 1))
        chances[:, -1] = 1.0
        hidden = np.zeros(count)
        colours = np.zeros((count, 3))
        rows = np.flatnonzero(seen & self._looked_at)
        photo = cut(board.normalized, self._grid)
        print_ = cut(self._blurred.like(board.normalized), self._grid)
        if len(rows):
            answers = self._infer(board, rows, photo, print_)
            chances[rows], hidden[rows] = answers[:, :-1], answers[:, -1]
            self._name_in_paler_light(chances, board, seen, print_)
            colours[self._looked_at] = piece_colours(photo, print_, self._on)
        turned = np.flatnonzero(self._turned)
        if self.dial is not None and seen[turned].any():
            faced = self.dial.read(board.normalized, self.reference, self.canvas, seen[turned])
            chances[turned, self.classes.index(self.dial.piece)] = faced
            chances[turned, -1] = 1 - faced
            hidden[turned] = not faced.any()
        odds = np.log(np.maximum(chances, np.exp(_OUT_OF_REACH)))
        odds, strange = self._weigh_colours(odds, colours, photo, print_, board, seen)
        scores = chances[:, :-1] * (1 - hidden[:, None])
        return BoardObservation(
            *(self.classes, scores, hidden, lambda: 2 * chances[:, -1] - 1, colours, odds),
            read=visible,
            count_regions=partial(self.count, board, seen),
            samples_left_out=strange,
        )

    def _infer(
        self, board: RectifiedBoard, rows: np.ndarray, photo: np.ndarray, print_: np.ndarray
    ) -> np.ndarray:
        """(M, C + 2) probabilities of each class, of none, and of being hidden, for ``rows``.

        ``photo`` and ``print_`` are the patches of all places that are examined. Without the
        probability of being hidden the others sum to 1.
        """
        chosen = (np.cumsum(self._looked_at) - 1)[rows]
        raw = cut(brightest(board.raw), self._grid[chosen])
        patches = join_patches(photo[chosen], raw, print_[chosen], self._on[chosen])
        oblong = np.array([self.places[row].kind == "edge" for row in rows])
        pieces = [self.profile.game.pieces[kind] for kind in self.laid]
        game = self.profile.layout.game
        odds = place_odds(game, patches, oblong, pieces, ColourProfile())
        admitted = self._admitted[rows][:, self.laid]
        odds[:, :-2][~admitted] = -np.inf
        chances = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
        hidden = chances[:, -1]
        known = chances[:, :-1] / np.maximum(1 - hidden[:, None], 1e-6)
        possible = np.hstack([admitted, np.ones((len(rows), 1), bool)])
        known = (1 - _SLIP) * known + _SLIP * possible / possible.sum(axis=1, keepdims=True)
        found = np.zeros((len(rows), len(self.classes) + 2))
        found[:, [*self.laid, len(self.classes)]] = known
        found[:, -1] = hidden
        return found

    def _name_in_paler_light(
        self, chances: np.ndarray, board: RectifiedBoard, seen: np.ndarray, print_: np.ndarray
    ) -> None:
        """Blend ``chances`` (N, C + 1) of kinds with a second look, in paler light.

        The second look takes one sort of place at a time, so that a piece is in other company, too.
        """
        taken = seen & self._looked_at & (chances[:, -1] < 0.5)
        kinds_at = np.array([place.kind for place in self.places])
        at = (self._grid.mean(axis=(1, 2)) + 0.5) / self.canvas.side_px
        paler: np.ndarray | None = None
        for kind, columns in self._lie_on.items():
            occupied = taken & (kinds_at == kind)
            if len(columns) < 2 or not occupied.any():
                continue
            if paler is None:
                light = self._unbender.light.estimate(board.raw)
                paler = light.normalize_paler(cut(board.raw, self._grid), at)
            rows = np.flatnonzero(seen & (kinds_at == kind))
            again = self._infer(board, rows, paler, print_)[occupied[rows]]
            at_these = np.ix_(occupied, columns)
            chances[at_these] = blend_kinds(chances[at_these], again[:, columns])

    def _weigh_colours(
        self,
        odds: np.ndarray,
        colours: np.ndarray,
        photo: np.ndarray,
        print_: np.ndarray,
        board: RectifiedBoard,
        seen: np.ndarray,
    ) -> tuple[np.ndarray, bool]:
        """(N, C + 1) log odds given the colours of all pieces: pieces of one kind look alike.

        Also whether the board contradicts its owner's samples. ``colours`` (N, 3) are BGR levels;
        the patches are of the places that are examined. The network sees only part of that, and may
        confuse two kinds, or print and pieces, where unusual light or print has shifted all of
        them. Only places that are ``seen``, (N,) bool, take part.
        """
        log_odds, patch_of = odds.copy(), np.cumsum(self._looked_at) - 1
        nominal = [Swatch(piece.id, piece.colour) for piece in self.profile.game.pieces]
        kinds_at = np.array([place.kind for place in self.places])
        taken = {
            k: int((odds[seen & (kinds_at == k), -1] < np.log(0.5)).sum()) for k in self._lie_on
        }
        own, learnt, left_out = self.colour_profile, ColourProfile(), False
        for kind in sorted(taken, key=lambda kind: -taken[kind]):
            of_kind, columns = seen & (kinds_at == kind), self._lie_on[kind]
            rows = np.flatnonzero(of_kind)
            if not len(rows):
                continue
            said = [nominal[n] for n in columns]
            at = np.ix_(rows, np.array([*columns, len(self.classes)]))
            known = KindColours.of(said, own, learnt)
            fitting = known.fitting(odds[at], colours[rows])
            left_out |= fitting is not known
            weighed, shown = weigh_colours(odds[at], colours[rows], fitting)
            learnt += share_colours_by_hex(weighed, colours[rows], said, nominal, own + learnt)
            shades = shade_ranges(weighed, colours[rows], shown)
            of = patch_of[rows]
            weighted = _WEIGHT * weighed
            alone = weighted[:, :-1].copy()
            weighted[:, :-1] += weigh_coverage(weighed, photo[of], print_[of], self._on[of], shades)
            log_odds[at] = self._weigh_visibility(
                board, kind, of_kind, photo[of], weighted, shades, alone
            )
        log_odds = less_sure(log_odds)
        for kind in taken:
            of_kind = seen & (kinds_at == kind)
            network = odds[of_kind] if kind in self._without_others else None
            log_odds[of_kind] = fit_to_clusters(log_odds[of_kind], network)
            log_odds[of_kind] = self._weigh_neighbours(kind, of_kind, log_odds[of_kind])
            log_odds[of_kind] = self._weigh_outlines(board, kind, of_kind, log_odds[of_kind])
        log_odds = np.maximum(log_odds, _OUT_OF_REACH)
        log_odds[:, :-1][~self._admitted] = 2 * _OUT_OF_REACH
        return np.asarray(log_odds), left_out

    def _weigh_neighbours(self, kind: PlaceKind, seen: np.ndarray, odds: np.ndarray) -> np.ndarray:
        """(M, C + 1) log odds given those of their neighbours, of the M ``seen`` of a kind."""
        chosen = seen[[place.kind == kind for place in self.places]]
        row = np.cumsum(chosen) - 1
        pairs = [row[ends[chosen[ends].all(axis=1)]] for ends in self._neighbours[kind]]
        columns = [*self._lie_on[kind], len(self.classes)]
        weighed = odds.copy()
        weighed[:, columns] = weigh_neighbours(odds[:, columns], pairs)
        return weighed

    def _weigh_visibility(
        self,
        board: RectifiedBoard,
        kind: PlaceKind,
        seen: np.ndarray,
        photo: np.ndarray,
        odds: np.ndarray,
        shades: np.ndarray,
        alone: np.ndarray,
    ) -> np.ndarray:
        """(M, K + 1) log odds given the objects visible on ``seen`` places, and the print hidden.

        ``odds`` are those without, of the M ``seen`` places of a kind; ``photo`` are the places'
        patches, ``shades`` (K, 2, 3) the `shade_ranges` of the kinds. ``alone`` (M, K) are the
        network's log odds of pieces: where only one kind is admitted, they are kept while an object
        is nearby, elsewhere fall at most `_BARER` below the lower of them and of the bare place's,
        and the board's other places do not count.
        """
        chosen = seen[[place.kind == kind for place in self.places]]
        places, known = self._fine[kind].some(chosen), self._fine_print[kind][chosen]
        fine = self._fine_patches(board, kind, chosen)
        raw = cut(board.raw, self._grid[(np.cumsum(self._looked_at) - 1)[seen]])
        taken = np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1]
        lit = in_light(halved(fine), raw, photo)
        prints = find_footprints(places, lit, halved(known), shades, alone, taken)
        left, like_print = unexplained(fine, known, places.on(FINE_PX, _INNER))
        texture = texture_odds(left, 1 / (1 + np.exp(-taken)))
        counted = np.clip(texture, *texture_bounds(prints))
        log_odds = odds.copy()
        legible = legibility(like_print, prints, texture)
        log_odds[:, :-1] += (counted - _READ * legible)[:, None] + fit_odds(prints, alone)
        if len(self._lie_on[kind]) == 1:
            limited = np.where((prints.about > _ABOUT)[:, None], alone, _OUT_OF_REACH)
            limited = np.maximum(limited, np.minimum(alone, odds[:, -1:]) - _BARER)
            unmarked = prints.about < _NOTHING_THERE * (1 - prints.own)
            most = np.where(unmarked, odds[:, -1] + _UNMARKED, np.inf)
            log_odds[:, :-1] = np.clip(log_odds[:, :-1], limited, most[:, None])
        piece_odds = np.logaddexp.reduce(alone, axis=1) - odds[:, -1]
        log_odds = doubted(given_to_owners(log_odds, prints), prints, texture, piece_odds, legible)
        if len(self._lie_on[kind]) == 1:
            return log_odds
        return fit_to_board(log_odds, prints, piece_odds)

    def _weigh_outlines(
        self, board: RectifiedBoard, kind: PlaceKind, seen: np.ndarray, odds: np.ndarray
    ) -> np.ndarray:
        """(M, C + 1) log odds given how visible the print is, of the M ``seen`` places of a kind.

        Not on bars, whose pieces have their outlines, nor where one kind is admitted.
        """
        chosen = seen[[place.kind == kind for place in self.places]]
        if self._fine[kind].oblong or len(self._lie_on[kind]) == 1 or not chosen.any():
            return odds
        taken = np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1]
        shown = outlines(halved(self._fine_patches(board, kind, chosen)))
        visible = visible_print(shown, self._outlines[kind][chosen], 1 / (1 + np.exp(-taken)))
        weighed = odds.copy()
        weighed[:, :-1] -= visible[:, None]
        return weighed

    def _fine_patches(
        self, board: RectifiedBoard, kind: PlaceKind, chosen: np.ndarray
    ) -> np.ndarray:
        """(M, F, F, 3) uint8 patches of the M ``chosen`` places of a kind."""
        if isinstance(board, FineBoard):
            return np.asarray(board.fine[kind][chosen])
        places = self._fine[kind].some(chosen)
        return places.cut(board.raw, self.canvas.to_px(places.control_mm()))

    def lit_features(
        self, board: RectifiedBoard, observed: BoardObservation, views: Sequence[Detections]
    ) -> np.ndarray:
        """The observed features: the network has seen the whole piece."""
        return observed.features

    def classify_jointly(
        self, evidence: BoardEvidence, beside: np.ndarray | None
    ) -> BoardObservation:
        """The observation as it is: each board is classified by itself."""
        return evidence.observed

    def shown_colours(self, features: np.ndarray) -> np.ndarray:
        """(N, 3) BGR levels, which the features are."""
        return features

    def decode(
        self, observed: BoardObservation, seen: np.ndarray
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior], tuple[str, ...]]:
        """Posteriors of spaces and tracks, and the ids of hidden spaces."""
        spaces, tracks = self.posteriors(observed.odds, SURENESS)
        spaces = doubt_whole_kinds(spaces, dict(zip(self.places, observed.odds, strict=True)))
        covered = self._looked_at & (~seen | (observed.change > _HIDDEN_ABOVE))
        hidden = tuple(
            place.id for place, is_covered in zip(self.places, covered, strict=True) if is_covered
        )
        return spaces, tracks, hidden


class SideBoardReader(PlacewiseReader):
    """Reads a side board, which its owner confirms place by place: it rather asks than guesses."""

    def decode(
        self, observed: BoardObservation, seen: np.ndarray
    ) -> tuple[dict[Place, Posterior], dict[str, TrackPosterior], tuple[str, ...]]:
        """Posteriors as of any board, doubtful ones if the photograph misleads."""
        spaces, tracks, hidden = super().decode(observed, seen)
        return doubt_without_twin(doubt_unreliable_board(spaces), self._twins), tracks, hidden

    @cached_property
    def _twins(self) -> Mapping[str, str]:
        """The kind that is most like another in the game's colours, where it is much alike."""
        swatches = [Swatch(piece.id, piece.colour) for piece in self.profile.game.pieces]
        at = coordinates(np.array([one.bgr for one in swatches], float))
        apart = np.linalg.norm(at[:, None] - at, axis=2)
        np.fill_diagonal(apart, np.inf)
        return {
            one.piece: swatches[int(near.argmin())].piece
            for one, near in zip(swatches, apart, strict=True)
            if near.min() < _TWINS
        }
