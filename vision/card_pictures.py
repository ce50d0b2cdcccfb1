"""A deck's pictures, and how places in a photograph are compared and registered with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np

from vision.card_features import DeckFeatures
from vision.card_geometry import corner_distance, is_convex, side_of, sides_of, slenderness
from vision.card_likeness import alike_in_detail, detail_of, explained, matt, mirrored, standardised
from vision.parallel import parallel_map
from vision.rectify import transform, warp

_COARSE_PX, _FINE_PX, _SHARP_PX = 32, 64, 128
"""Sides of the square in which pictures are compared: all, then the candidates; and in which those
found are aligned."""
_BLURS = (0.0, 1.0)
"""Blurs, in px at `_COARSE_PX`, whose correlations are averaged: thin lines need an exact place."""
_MOVED_PX = 5
"""How far a place is moved at most before it is registered, in px at `_COARSE_PX`."""
_CLOSER = 4
"""Number of the likeliest cards that are compared closely."""
_MOTIONS = (cv2.MOTION_HOMOGRAPHY, cv2.MOTION_AFFINE)
NEAR_RIVAL = 0.05
"""Difference in the explained share within which a rival card is registered as well."""
_LIKE_SHAPE = 2.6
"""Largest ratio of an aspect ratio to the picture's."""
_ALIKE_AT_FIRST, _HOPELESS, _USUAL_SOFTNESS = 0.32, 0.2, 1.0
"""Similarity of detail needed before the photograph's sharpness is known, and before the place is
exact, and the usual blur that is assumed: bare paper is explained by any card with little on it."""
LIKE_A_CARD = 0.6
"""Similarity of detail, before the photograph's sharpness is known, that hardly anything but a card
has."""
_SOFTNESS = (0.6, 1.0, 1.4, 2.0, 2.8)
"""Blurs of a photograph relative to the deck's pictures, in px at `_FINE_PX`."""
_FAINT = 4.0
"""Least standard deviation, in grey levels, of what is compared."""
_AS_LARGE = 1.5
"""Largest ratio of the sides of two registrations of one card."""
_LEAST_BARE, _HARDLY_COVERED, _LIKELIER, _RIM_PX = 0.45, 0.97, 0.03, 5
"""Shares of a picture that are bare, between which the covered rest is ignored, and the gain in
similarity of detail that shows it to be covered; width about a cover that is ignored, too."""


@dataclass(frozen=True, eq=False)
class CardPicture:
    """A card's picture: (H, W, 3) uint8 BGR, edge to edge. One card may have several."""

    id: str
    picture: np.ndarray


@dataclass(frozen=True, eq=False)
class Registration:
    """A place registered with pictures of the deck: exact (4, 2) corners, and the square there.

    ``shares`` are the shares of it that the likeliest pictures explain, by their numbers.
    """

    corners: np.ndarray
    seen: np.ndarray
    shares: Mapping[int, float]
    turned: Registration | None = None
    """The alternative at another turn."""
    detail: float = 0.0
    """Similarity of its detail to the likeliest, before the photograph's sharpness is known."""
    softness: tuple[float, float] = (0.0, 0.0)
    """Its blur relative to pictures of the deck, in px of its square, across and down."""
    usual_softness: tuple[float, float] = (0.0, 0.0)
    """The same if it is as sharp as the other cards of its photograph."""
    alike: Mapping[int, float] = field(default_factory=dict)
    """Its similarity of detail to each, once its sharpness is known."""
    bare: np.ndarray | None = None
    """What other cards do not cover of the square, (S, S) bool; None: all of it."""

    @property
    def share(self) -> float:
        return max(self.shares.values())

    def is_better(self, other: Registration) -> bool:
        ratio = side_of(self.corners) / side_of(other.corners)
        is_likelier = self.share + self.detail > other.share + other.detail
        is_surer = other.detail < LIKE_A_CARD <= self.detail
        return is_likelier and (is_surer or max(ratio, 1 / ratio) < _AS_LARGE)

    @property
    def likeliest(self) -> int:
        return max(self.shares, key=lambda one: self.shares[one])


class DeckPictures:
    """The distinct pictures of a deck, loaded when they are first needed."""

    def __init__(self, pictures: Iterable[CardPicture]) -> None:
        """One or more pictures per card."""
        self._source = pictures

    @cached_property
    def groups(self) -> Sequence[Sequence[CardPicture]]:
        """Cards grouped by identical pictures, which cannot be distinguished."""
        alike: dict[tuple[int, bytes], list[CardPicture]] = {}
        for one in self._source:
            alike.setdefault((one.picture.shape[0], one.picture.tobytes()), []).append(one)
        return tuple(alike.values())

    @cached_property
    def pictures(self) -> Sequence[CardPicture]:
        return [alike[0] for alike in self.groups]

    @cached_property
    def features(self) -> DeckFeatures:
        return DeckFeatures([one.picture for one in self.pictures])

    @cached_property
    def _fine(self) -> Sequence[np.ndarray]:
        return [_square(one.picture, _FINE_PX) for one in self.pictures]

    @cached_property
    def _soft(self) -> Sequence[np.ndarray]:
        return [cv2.GaussianBlur(one, (0, 0), _USUAL_SOFTNESS) for one in self._fine]

    @cached_property
    def _details(self) -> np.ndarray:
        """(N, 64 · 64 · 3) float32, the pictures' locally normalized details, of length 1."""
        each = np.array([detail_of(one).ravel() for one in self._soft], np.float32)
        return np.asarray(each / np.maximum(np.linalg.norm(each, axis=1, keepdims=True), 1e-9))

    @cached_property
    def twins(self) -> np.ndarray:
        """(N,) each picture's similarity of detail to the most similar one of another card."""
        alike = self._details @ self._details.T
        ids = np.array([one.id for one in self.pictures])
        alike[ids[:, None] == ids] = 0.0
        return np.asarray(alike.max(axis=1, initial=0.0))

    @cached_property
    def _fine_flat(self) -> np.ndarray:
        """(N, 64 · 64 · 3) float32, the standardised pictures."""
        return np.array([standardised(one).ravel() for one in self._fine], np.float32)

    @cached_property
    def _coarse(self) -> Sequence[np.ndarray]:
        """(N, 32 · 32 · 3) float32 for each of `_BLURS`."""
        small = [_square(one.picture, _COARSE_PX) for one in self.pictures]
        return [np.array([_flat(one, blur) for one in small], np.float32) for blur in _BLURS]

    def prepare(self) -> None:
        """Load all that is compared."""
        if self.pictures:
            _ = self.features, self._soft, self._details, self._fine_flat, self._coarse

    def likeness(
        self,
        image: np.ndarray,
        places: Sequence[np.ndarray],
        above: Sequence[np.ndarray] = (),
    ) -> np.ndarray:
        """(B, P, 4 N) correlations of (4, 2) places in an image with the pictures.

        By blur, the first none, by place, and by picture as it is and after one, two and three left
        turns. Only what outlines of cards `above` leave bare is compared.
        """
        seen = [matt(cut(image, corners, _COARSE_PX)) for corners in places]
        bare = [_bare(corners, above, _COARSE_PX) for corners in places]
        covered = [number for number, own in enumerate(bare) if own is not None]
        likeness = np.zeros((len(_BLURS), len(places), 4 * len(self.pictures)), np.float32)
        for one, (blur, known) in enumerate(zip(_BLURS, self._coarse, strict=True)):
            if seen:
                flat = np.array([_flat(picture, blur) for picture in seen], np.float32)
                square = flat.reshape(-1, _COARSE_PX, _COARSE_PX, 3)
                for turn in range(4):
                    turned = np.rot90(square, -turn, axes=(1, 2)).reshape(flat.shape)
                    likeness[one, :, turn::4] = turned @ known.T / flat.shape[1]
            if covered:
                soft = [
                    cv2.GaussianBlur(seen[n], (0, 0), blur) if blur else seen[n] for n in covered
                ]
                for turn in range(4):
                    shown, within = (
                        np.rot90(np.array(each), -turn, axes=(1, 2))
                        for each in (soft, [bare[n] for n in covered])
                    )
                    likeness[one, covered, turn::4] = correlations(shown, known, within)
        return likeness

    def settled(
        self,
        image: np.ndarray,
        places: Sequence[np.ndarray],
        least: float,
        above: Sequence[np.ndarray] = (),
    ) -> tuple[list[np.ndarray], np.ndarray]:
        """(4, 2) places, moved to where they are most like their picture, and their `likeness`.

        Only those with a correlation above `least` are moved.
        """
        likeness, moved = self.likeness(image, places, above), [*places]
        likest = likeness.mean(axis=0)
        able = np.flatnonzero(likest.max(axis=1, initial=-1.0) > least).tolist()
        tried = parallel_map(
            lambda one: self._settled(image, places[one], int(likest[one].argmax()), above), able
        )
        alike = self.likeness(image, tried, above).swapaxes(0, 1)
        for number, place, own in zip(able, tried, alike, strict=True):
            if own.mean(axis=0).max() > likest[number].max():  # moved by whole px of one blur only
                moved[number], likeness[:, number] = place, own
        return moved, likeness

    def _settled(
        self, image: np.ndarray, corners: np.ndarray, own: int, above: Sequence[np.ndarray]
    ) -> np.ndarray:
        """A (4, 2) place moved to where it is most like one of the turned pictures."""
        side = _COARSE_PX + 2 * _MOVED_PX
        middle = corners.mean(axis=0)
        around = matt(cut(image, middle + (corners - middle) * side / _COARSE_PX, side))
        around = cv2.GaussianBlur(around, (0, 0), _BLURS[-1]).astype(np.float32)
        picture, turn = divmod(own, 4)
        known = np.rot90(self._coarse[-1][picture].reshape(_COARSE_PX, _COARSE_PX, 3), turn)
        known, method = np.ascontiguousarray(known), cv2.TM_CCOEFF_NORMED
        bare = _bare(corners, above, _COARSE_PX)
        within = None if bare is None else np.dstack([bare.astype(np.float32)] * 3)
        fits = cv2.matchTemplate(around, known, method, mask=within)
        fits[~np.isfinite(fits)] = -1.0  # what is bare there is plain
        y, x = np.unravel_index(int(fits.argmax()), fits.shape)
        onto = _onto_square(corners, _COARSE_PX)
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * _COARSE_PX - 0.5
        return transform(np.linalg.inv(onto), square + np.array([x, y]) - _MOVED_PX)

    def register(
        self,
        image: np.ndarray,
        corners: np.ndarray,
        likeness: np.ndarray,
        above: Sequence[np.ndarray] = (),
    ) -> Registration | None:
        """The best registration of rough (4, 2) corners; None if there is none of the deck's.

        ``likeness`` (4 N,) are the place's correlations. Only what outlines of cards ``above``
        leave bare is compared, if that is enough.
        """
        bare = _bare(corners, above, _FINE_PX)
        if bare is None:
            above = ()
        elif bare.mean() < _LEAST_BARE:
            return None
        order = [divmod(int(one), 4) for one in np.argsort(-likeness)[: 2 * _CLOSER]]
        tried: dict[int, tuple[float, np.ndarray, int]] = {}
        for one, turn in order:
            if turn not in tried and len(tried) < 2:
                tried[turn] = (*self._align(image, np.roll(corners, turn, axis=0), one, above), one)
        chosen = max(tried, key=lambda turn: tried[turn][0])
        _, exact, best = tried[chosen]
        # The right card shows where it and similar ones of the deck differ.
        seen, bare, shares = self._shares(image, exact, best, above)
        if alike_in_detail(seen, self._soft[best], bare) < _HOPELESS:
            return None
        near = [one for one, share in shares.items() if share > max(shares.values()) - NEAR_RIVAL]
        tries = [(*self._align(image, exact, one, above, _MOTIONS), one) for one in near]
        rough = np.roll(corners, chosen, axis=0)
        tries += [
            tried[chosen],
            (*self._align(image, rough, best, above, (cv2.MOTION_AFFINE,)), best),
        ]
        _, exact, best = max(tries, key=lambda one: one[0])
        seen, bare, shares = self._shares(image, exact, best, above)
        best = max(shares, key=lambda one: shares[one])
        detail = alike_in_detail(seen, self._soft[best], bare)
        if detail < _ALIKE_AT_FIRST:
            return None
        height, width = self.pictures[best].picture.shape[:2]
        slenderer = slenderness(exact) / (height / width)
        if not (is_convex(exact) and 1 / _LIKE_SHAPE < slenderer < _LIKE_SHAPE):
            return None
        turned = None
        for turn, (_, rough, one) in tried.items():
            if turn != chosen and self.pictures[one].id != self.pictures[best].id:
                _, others = self._align(image, rough, one, above, _MOTIONS)
                looks, shown, others_shares = self._shares(image, others, one, above)
                like = alike_in_detail(looks, self._soft[one], shown)
                turned = Registration(others, looks, others_shares, detail=like, bare=shown)
        return Registration(exact, seen, shares, turned, detail, bare=bare)

    def compare_in_detail(self, registered: Sequence[Registration]) -> list[Registration]:
        """The registrations, compared with pictures as much out of focus as the photograph.

        A card that is half as large in it has twice the blur. It may be farther out of focus than
        the others: its rivals are compared at its own blur, its detail at that of all, as anything
        is like a blurred picture.
        """
        sides = [sides_of(one.corners) for one in registered]
        usual = float(np.median(sides)) if sides else 0.0

        def softer(one: Registration, softness: float) -> Registration:
            across, down = softness * usual / sides_of(one.corners)
            turned = one.turned and softer(one.turned, softness)
            soft = replace(one, turned=turned, softness=(float(across), float(down)))
            return self._explained(soft)

        def at_every_blur(one: Registration) -> list[Registration]:
            return [one, *(softer(one, softness) for softness in _SOFTNESS)]

        tried = parallel_map(at_every_blur, registered)
        sums = np.array([[each.share for each in own] for own in tried]).sum(axis=0)
        found = []
        for own in tried:
            shared = self._with_rivals(own[int(sums.argmax())])
            best = max(own, key=lambda each: each.share)
            found.append(self._compared(self._at_own_blur(shared, best.softness)))
        return found

    def _at_own_blur(self, one: Registration, softness: tuple[float, float]) -> Registration:
        turned = one.turned and self._at_own_blur(one.turned, softness)
        return self._explained(
            replace(one, turned=turned, softness=softness, usual_softness=one.softness)
        )

    def _explained(self, one: Registration) -> Registration:
        """The registration with the shares that are explained at its blur."""
        shares = {
            card: explained(one.seen, self.blurred(card, one), one.bare) for card in one.shares
        }
        return replace(one, shares=shares)

    def _with_rivals(self, one: Registration) -> Registration:
        """The registration with shares of the pictures that are likest in detail as well."""
        likest = np.argsort(-(self._details @ detail_of(one.seen).ravel()))[:_CLOSER].tolist()
        more = [card for card in likest if card not in one.shares]
        shares = {card: explained(one.seen, self.blurred(card, one), one.bare) for card in more}
        turned = one.turned and self._with_rivals(one.turned)
        return replace(one, shares={**one.shares, **shares}, turned=turned)

    def _compared(self, one: Registration) -> Registration:
        usual = replace(one, softness=one.usual_softness)
        alike = {
            card: alike_in_detail(one.seen, self.blurred(card, usual), one.bare)
            for card in one.shares
        }
        return replace(one, alike=alike, turned=one.turned and self._compared(one.turned))

    def refined(self, image: np.ndarray, one: Registration) -> Registration:
        """The registration, moved where that makes it more alike in detail."""
        best = one.likeliest
        known = self.blurred(best, replace(one, softness=one.usual_softness))
        sharp = self.blurred(best, one, _SHARP_PX)
        bare = one.bare
        if bare is not None:
            bare = cv2.resize(bare.astype(np.uint8), sharp.shape[:2]) > 0
        rough, tried = cut(image, one.corners, _SHARP_PX), [one]
        for motion in _MOTIONS:
            moved = aligned(rough, one.corners, sharp, motion, bare)
            tried.append(replace(one, corners=moved, seen=cut(image, moved, _FINE_PX)))
        likest = max(tried, key=lambda each: alike_in_detail(each.seen, known, one.bare))
        return one if likest is one else self._compared(self._explained(likest))

    def uncovered(
        self, image: np.ndarray, one: Registration, above: Sequence[np.ndarray]
    ) -> Registration:
        """The registration compared where (4, 2) outlines of cards `above` do not cover it.

        The same if hardly any or too much is covered, or if that does not make it likelier.
        """
        each = [(card, _outside(one.corners, [card]).mean()) for card in above]
        above = [card for card, bare in each if _LEAST_BARE < bare < _HARDLY_COVERED]
        bare = _outside(one.corners, above)
        if not above or bare.mean() < _LEAST_BARE:
            return one
        best, corners, seen = one.likeliest, one.corners, one.seen
        known = self.blurred(best, replace(one, softness=one.usual_softness))
        tried = [(alike_in_detail(seen, known, bare), corners, seen)]
        moved = aligned(seen, corners, self._fine[best], bare=bare)
        if moved is not corners:
            seen, bare = cut(image, moved, _FINE_PX), _outside(moved, above)
            tried.append((alike_in_detail(seen, known, bare), moved, seen))
        alike, corners, seen = max(tried, key=lambda each: each[0])
        if alike < max(one.alike.values()) + _LIKELIER:
            return one
        near = self._likest(seen, bare)
        shown = replace(
            self._compared_bare(replace(one, corners=corners, seen=seen), above, near),
            turned=one.turned and self._compared_bare(one.turned, above),
        )
        return self._compared(shown)

    def _compared_bare(
        self, one: Registration, above: Sequence[np.ndarray], more: Iterable[int] = ()
    ) -> Registration:
        """The registration with shares of what is bare, and those of `more` cards."""
        bare = _outside(one.corners, above)
        shares = {
            card: explained(one.seen, self.blurred(card, one), bare)
            for card in {*one.shares, *more}
        }
        return replace(one, bare=bare, shares=shares)

    def blurred(self, card: int, like: Registration, side: int = _FINE_PX) -> np.ndarray:
        """A card's picture, in a square of `side` px, blurred like a registered place."""
        known = self._fine[card] if side == _FINE_PX else _square(self.pictures[card].picture, side)
        across, down = (one * side / _FINE_PX for one in like.softness)
        return cv2.GaussianBlur(known, (0, 0), across, sigmaY=down) if across else known

    def _shares(
        self, image: np.ndarray, corners: np.ndarray, card: int, above: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray | None, dict[int, float]]:
        """The picture at (4, 2) corners, what of it is bare, and the shares that are explained.

        By a card and similar ones.
        """
        seen, bare = cut(image, corners, _FINE_PX), _bare(corners, above, _FINE_PX)
        rivals = {card, *self._likest(seen, bare)}
        return seen, bare, {one: explained(seen, self._fine[one], bare) for one in rivals}

    def _likest(self, seen: np.ndarray, bare: np.ndarray | None) -> list[int]:
        """The pictures that correlate best with what is `bare` of a square."""
        if bare is None:
            alike = standardised(matt(seen)).ravel() @ self._fine_flat.T
        else:
            (alike,) = correlations(seen[None], self._fine_flat, bare[None])
        return [int(one) for one in np.argsort(-alike)[:_CLOSER]]

    def _align(
        self,
        image: np.ndarray,
        corners: np.ndarray,
        card: int,
        above: Sequence[np.ndarray],
        motions: Sequence[int] = (cv2.MOTION_HOMOGRAPHY,),
    ) -> tuple[float, np.ndarray]:
        """How well a card fits at rough corners, and its exact corners."""
        known = self._fine[card]
        seen, bare = cut(image, corners, _FINE_PX), _bare(corners, above, _FINE_PX)
        tried = [(self._fit(seen, card, bare), corners)]
        for motion in motions:
            moved = aligned(seen, corners, known, motion, bare)
            if moved is not corners:
                shown = cut(image, moved, _FINE_PX), card, _bare(moved, above, _FINE_PX)
                tried.append((self._fit(*shown), moved))
        return max(tried, key=lambda one: one[0])

    def _fit(self, seen: np.ndarray, card: int, bare: np.ndarray | None) -> float:
        return explained(seen, self._fine[card], bare) + alike_in_detail(
            seen, self._soft[card], bare
        )


def cut(image: np.ndarray, corners: np.ndarray, side: int) -> np.ndarray:
    """(side, side, 3) the picture at (4, 2) corners of an image."""
    return warp(image, _onto_square(corners, side), (side, side))


def aligned(
    seen: np.ndarray,
    corners: np.ndarray,
    known: np.ndarray,
    motion: int = cv2.MOTION_HOMOGRAPHY,
    bare: np.ndarray | None = None,
) -> np.ndarray:
    """(4, 2) corners moved so that the picture there, `seen`, is aligned with a known one.

    Only what is `bare`, (S, S) bool, is compared. The same corners if that fails: enhanced
    correlation (Evangelidis and Psarakis, 2008).
    """
    side = known.shape[0]
    template, moving = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (known, seen))
    moved = np.eye(3, dtype=np.float32)
    where = np.ones((side, side), np.uint8) if bare is None else bare.astype(np.uint8)
    glossy = mirrored(seen)
    if glossy is not None:
        where[glossy] = 0
    begin = moved if motion == cv2.MOTION_HOMOGRAPHY else moved[:2]
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        _, found = cv2.findTransformECC(template, moving, begin, motion, steps, where, 5)
    except cv2.error:  # it did not converge
        return corners
    moved[: len(found)] = found
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], float) - 0.5
    exact = transform(np.linalg.inv(_onto_square(corners, side)) @ moved, square)
    is_near = corner_distance(exact, corners) < 0.25 * np.ptp(corners, axis=0).max()
    return exact if is_near else corners


def _outside(corners: np.ndarray, above: Sequence[np.ndarray], side: int = _FINE_PX) -> np.ndarray:
    """(S, S) bool, what (4, 2) outlines leave bare of the picture at (4, 2) corners."""
    onto = _onto_square(corners, side)
    bare = np.ones((side, side), np.uint8)
    for outline in above:
        within = np.clip(transform(onto, outline), -8 * side, 9 * side)
        cv2.fillConvexPoly(bare, np.rint(within).astype(np.int32), 0)
    rim = round(_RIM_PX * side / _FINE_PX)
    return np.asarray(cv2.erode(bare, np.ones((rim, rim))) > 0)


def _bare(corners: np.ndarray, above: Sequence[np.ndarray], side: int) -> np.ndarray | None:
    """The same of the outlines that overlap the picture; None if hardly any of it is covered."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    near = [
        one for one in above if (one.max(axis=0) > low).all() and (one.min(axis=0) < high).all()
    ]
    if not near:
        return None
    bare = _outside(corners, near, side)
    return bare if bare.mean() < _HARDLY_COVERED else None


def correlations(seen: np.ndarray, known: np.ndarray, bare: np.ndarray) -> np.ndarray:
    """(P, N) the correlations of (P, S, S, 3) pictures with known ones, (N, S · S · 3).

    Only what is `bare`, (P, S, S) bool, is compared; known pictures are standardised.
    """
    within = bare.reshape(len(bare), -1, 1).astype(np.float32)
    many = np.maximum(within.sum(axis=1), 1)
    shown = within * seen.reshape(*within.shape[:2], 3)
    shown -= within * (shown.sum(axis=1) / many)[:, None]
    mean = [within[..., 0] @ known[:, channel::3].T / many for channel in range(3)]
    spread = np.repeat(within, 3, axis=2).reshape(len(bare), -1) @ (known**2).T / many
    spread = np.maximum(spread - sum(one**2 for one in mean), 1e-9)
    strength = np.maximum((shown**2).sum(axis=(1, 2))[:, None] / many, 3 * _FAINT**2)
    common = shown.reshape(len(bare), -1) @ known.T / many
    return np.asarray(common / np.sqrt(spread * strength))


def _flat(picture: np.ndarray, blur: float) -> np.ndarray:
    """A (H, W, 3) picture, blurred, as standardised values in one row."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
    return standardised(soft).ravel()


def _square(picture: np.ndarray, side: int) -> np.ndarray:
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5
    return cut(picture, corners, side)


def _onto_square(corners: np.ndarray, side: int) -> np.ndarray:
    """(3, 3) from px of a picture with (4, 2) `corners` to a square of `side` px."""
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    return cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
