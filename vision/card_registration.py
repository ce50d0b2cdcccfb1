"""Places registered with pictures of a deck, and compared with them blurred like the photograph."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.card_geometry import is_convex, side_of, sides_of, slenderness
from vision.card_likeness import (
    LEAST_DETAIL,
    alike_in_detail,
    detail_of,
    explained,
    local_detail,
    odds_of_other,
    shaded_like,
)
from vision.card_pictures import CLOSER, DeckPictures
from vision.card_squares import FINE_PX, aligned, bare_of, cut, outside
from vision.parallel import parallel_map

_SHARP_PX = 128
"""Side of the square in which places that are found are aligned."""
_MOTIONS = (cv2.MOTION_HOMOGRAPHY, cv2.MOTION_AFFINE)
NEAR_RIVAL = 0.05
"""Difference in the explained share within which a rival card is registered as well."""
_LIKE_SHAPE = 4.0
"""Largest ratio of an aspect ratio to the picture's, which is foreshortened from low down."""
_ALIKE_AT_FIRST, _HOPELESS = 0.32, 0.2
"""Similarity of detail needed before the photograph's sharpness is known, and before the place is
exact: bare paper is explained by any card with little on it."""
LIKE_A_CARD = 0.6
"""Similarity of detail, before the photograph's sharpness is known, that hardly anything but a card
has."""
_SOFTNESS = (0.6, 1.0, 1.4, 2.0, 2.8)
"""Blurs of a photograph relative to the deck's pictures, in px at `FINE_PX`."""
_AS_LARGE = 1.5
"""Largest ratio of the sides of two registrations of one card."""
_EDGE_PX, _MOST_BLURRED = 3, 4.0
"""Width of the rim of a square that may show what lies beside the picture; blur from which the
inside of one picture is like that of many."""
_FLATTEST, _MOST_NOISE = 2, 0.25
"""Percentile of the strength of a picture's detail that is noise, as far as that is even; the
largest share of its detail that may be."""
_LEAST_BARE, _LIKELIER = 0.45, 0.03
"""Share of a picture that has to be bare, and the gain in similarity of detail that shows the rest
to be covered."""


@dataclass(frozen=True, eq=False)
class Registration:
    """A place registered with pictures of the deck: exact (4, 2) corners, and the square there.

    ``shares`` are the shares of it that the likeliest pictures explain, by their numbers.
    """

    corners: np.ndarray
    seen: np.ndarray
    shares: Mapping[int, float]
    turned: "Registration | None" = None
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

    def is_better(self, other: "Registration") -> bool:
        ratio = side_of(self.corners) / side_of(other.corners)
        is_likelier = self.share + self.detail > other.share + other.detail
        is_surer = other.detail < LIKE_A_CARD <= self.detail
        return is_likelier and (is_surer or max(ratio, 1 / ratio) < _AS_LARGE)

    @property
    def likeliest(self) -> int:
        return max(self.shares, key=lambda one: self.shares[one])


def register(
    deck: DeckPictures,
    image: np.ndarray,
    corners: np.ndarray,
    likeness: np.ndarray,
    above: Sequence[np.ndarray] = (),
) -> Registration | None:
    """The best registration of rough (4, 2) corners; None if there is none of the deck's.

    ``likeness`` (4 N,) are the place's correlations. Only what outlines of cards ``above``
    leave bare is compared, if that is enough.
    """
    bare = bare_of(corners, above, FINE_PX)
    if bare is None:
        above = ()
    elif bare.mean() < _LEAST_BARE:
        return None
    looks = _Looks(deck, image, above)
    order = [divmod(int(one), 4) for one in np.argsort(-likeness)[: 2 * CLOSER]]
    tried: dict[int, tuple[float, np.ndarray, int]] = {}
    for one, turn in order:
        if turn not in tried and len(tried) < 2:
            tried[turn] = (*looks.align(np.roll(corners, turn, axis=0), one), one)
    chosen = max(tried, key=lambda turn: tried[turn][0])
    _, exact, best = tried[chosen]
    # The right card shows where it and similar ones of the deck differ.
    shares = looks.shares(exact, best)
    if looks.detail(exact, best) < _HOPELESS:
        return None
    near = [one for one, share in shares.items() if share > max(shares.values()) - NEAR_RIVAL]
    tries = [(*looks.align(exact, one, _MOTIONS), one) for one in near]
    rough = np.roll(corners, chosen, axis=0)
    tries += [tried[chosen], (*looks.align(rough, best, (cv2.MOTION_AFFINE,)), best)]
    _, exact, best = max(tries, key=lambda one: one[0])
    shares = looks.shares(exact, best)
    best = max(shares, key=lambda one: shares[one])
    detail = looks.detail(exact, best)
    if detail < _ALIKE_AT_FIRST:
        return None
    height, width = deck.pictures[best].picture.shape[:2]
    slenderer = slenderness(exact) / (height / width)
    if not (is_convex(exact) and 1 / _LIKE_SHAPE < slenderer < _LIKE_SHAPE):
        return None
    turned = None
    for turn, (_, rough, one) in tried.items():
        if turn != chosen and deck.pictures[one].id != deck.pictures[best].id:
            upside = np.roll(exact, turn - chosen, axis=0)
            likest = max(deck.likest(*looks.seen(upside)), key=lambda n: looks.explained(upside, n))
            _, others, own = max(
                ((*looks.align(at, n, _MOTIONS), n) for at, n in ((rough, one), (upside, likest))),
                key=lambda each: each[0],
            )
            turned = looks.registration(others, looks.shares(others, own), own)
    return looks.registration(exact, shares, best, turned)


def compare_in_detail(deck: DeckPictures, registered: Sequence[Registration]) -> list[Registration]:
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
        return _explained(deck, soft)

    def at_every_blur(one: Registration) -> list[Registration]:
        return [one, *(softer(one, softness) for softness in _SOFTNESS)]

    tried = parallel_map(at_every_blur, registered)
    sums = np.array([[each.share for each in own] for own in tried]).sum(axis=0)
    found = []
    for own in tried:
        shared = _with_rivals(deck, own[int(sums.argmax())])
        best = max(own, key=lambda each: each.share)
        found.append(compared(deck, _at_own_blur(deck, shared, best.softness)))
    return found


def _at_own_blur(
    deck: DeckPictures, one: Registration, softness: tuple[float, float]
) -> Registration:
    turned = one.turned and _at_own_blur(deck, one.turned, softness)
    return _explained(
        deck, replace(one, turned=turned, softness=softness, usual_softness=one.softness)
    )


def _explained(deck: DeckPictures, one: Registration) -> Registration:
    """The registration with the shares that are explained at its blur."""
    shares = {
        card: explained(one.seen, deck.blurred(card, one.softness), one.bare) for card in one.shares
    }
    return replace(one, shares=shares)


def _with_rivals(deck: DeckPictures, one: Registration) -> Registration:
    """The registration with shares of the pictures that are likest in detail as well."""
    likest = np.argsort(-(deck.details @ detail_of(one.seen).ravel()))[:CLOSER].tolist()
    more = [card for card in likest if card not in one.shares]
    shares = {
        card: explained(one.seen, deck.blurred(card, one.softness), one.bare) for card in more
    }
    turned = one.turned and _with_rivals(deck, one.turned)
    return replace(one, shares={**one.shares, **shares}, turned=turned)


def compared(
    deck: DeckPictures, one: Registration, light: np.ndarray | None = None
) -> Registration:
    """The registration with its similarities of detail, in a light of (3, 3) or in any."""

    def shown(card: int) -> np.ndarray:
        known = deck.blurred(card, one.usual_softness)
        return known if light is None else known @ light.T

    alike = {card: alike_in_detail(one.seen, shown(card), one.bare) for card in one.shares}
    return replace(one, alike=alike, turned=one.turned and compared(deck, one.turned, light))


def alike_within(
    deck: DeckPictures, one: Registration, card: int, light: np.ndarray | None = None
) -> float:
    """The similarity of detail to a card inside its rim, which may show what lies beside it.

    Blurred as much in all directions of the photograph, in which the card is foreshortened, and
    as it would be without the noise, which is like nothing (Spearman, 1904).
    """
    if max(one.usual_softness) > _MOST_BLURRED:
        return 0.0
    known = deck.blurred_in(one.corners, card, one.usual_softness)
    if light is not None:
        known = known @ light.T
    alike = alike_in_detail(one.seen, known, one.bare, _EDGE_PX)
    return alike / float(np.sqrt(1 - min(_noise(one), _MOST_NOISE)))


def _noise(one: Registration) -> float:
    """The share of a place's detail that is noise, if that is as strong as where it is flattest."""
    fine, strength = local_detail(one.seen)
    inside = np.zeros(strength.shape, bool)
    inside[_EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX] = True
    if one.bare is not None:
        inside &= one.bare
    if not inside.any():
        return 0.0
    strength, energy = strength[inside], (fine[inside] ** 2).sum(axis=1)
    weight = (strength + LEAST_DETAIL) ** -2
    noise = np.percentile(strength, _FLATTEST) ** 2
    return float(noise * weight.sum() / max(float((energy * weight).sum()), 1e-9))


def odds_at_turn(
    deck: DeckPictures, one: Registration, card: int, other: int, light: np.ndarray | None = None
) -> float:
    """Odds of another card at the other turn, judged where the two differ.

    That one may share much with a card of which a half is covered, as two stars of three do.
    """
    there = one.turned
    assert there is not None
    off = [np.abs(np.roll(one.corners, n, axis=0) - there.corners).max() for n in range(4)]
    turn = int(np.argmin(off))
    here, away = deck.blurred(card, one.softness), deck.blurred(other, there.softness)
    each = []
    for at, known, own in (
        (one, here, np.ascontiguousarray(np.rot90(away, turn))),
        (there, np.ascontiguousarray(np.rot90(here, -turn)), away),
    ):
        if light is None:
            known, own = shaded_like(at.seen, known), shaded_like(at.seen, own)
        each.append(odds_of_other(at.seen, known, own, light, at.bare))
    return float(np.exp(np.log(each).mean()))


def refined(deck: DeckPictures, image: np.ndarray, one: Registration) -> Registration:
    """The registration, moved where that makes it more alike in detail."""
    best = one.likeliest
    known = deck.blurred(best, one.usual_softness)
    sharp = deck.blurred(best, one.softness, _SHARP_PX)
    bare = one.bare
    if bare is not None:
        bare = cv2.resize(bare.astype(np.uint8), sharp.shape[:2]) > 0
    rough, tried = cut(image, one.corners, _SHARP_PX), [one]
    for motion in _MOTIONS:
        moved = aligned(rough, one.corners, sharp, motion, bare)
        tried.append(replace(one, corners=moved, seen=cut(image, moved, FINE_PX)))
    likest = max(tried, key=lambda each: alike_in_detail(each.seen, known, one.bare))
    return one if likest is one else compared(deck, _explained(deck, likest))


def uncovered(
    deck: DeckPictures, image: np.ndarray, one: Registration, above: Sequence[np.ndarray]
) -> Registration:
    """The registration compared where (4, 2) outlines of cards `above` do not cover it.

    The same if none or too much is covered, or if that does not make it likelier. One that a cover
    has pushed aside hardly overlaps it.
    """
    each = [(card, outside(one.corners, [card]).mean()) for card in above]
    above = [card for card, bare in each if _LEAST_BARE < bare < 1]
    bare = outside(one.corners, above)
    if not above or bare.mean() < _LEAST_BARE:
        return one
    best, corners, seen = one.likeliest, one.corners, one.seen
    known = deck.blurred(best, one.usual_softness)
    tried = [(alike_in_detail(seen, known, bare), corners, seen)]
    moved = aligned(seen, corners, deck.fine[best], bare=bare)
    if moved is not corners:
        seen, bare = cut(image, moved, FINE_PX), outside(moved, above)
        tried.append((alike_in_detail(seen, known, bare), moved, seen))
    alike, corners, seen = max(tried, key=lambda each: each[0])
    if alike < max(one.alike.values()) + _LIKELIER:
        return one
    near = deck.likest(seen, bare)
    shown = replace(
        _compared_bare(deck, replace(one, corners=corners, seen=seen), above, near),
        turned=one.turned and _compared_bare(deck, one.turned, above),
    )
    return compared(deck, shown)


def _compared_bare(
    deck: DeckPictures, one: Registration, above: Sequence[np.ndarray], more: Iterable[int] = ()
) -> Registration:
    """The registration with shares of what is bare, and those of `more` cards."""
    bare = outside(one.corners, above)
    shares = {
        card: explained(one.seen, deck.blurred(card, one.softness), bare)
        for card in {*one.shares, *more}
    }
    return replace(one, bare=bare, shares=shares)


class _Looks:
    """How the pictures of a deck fit at places that are tried in one image, each computed once.

    Places are (4, 2) px; only what outlines of cards ``above`` leave bare is compared.
    """

    def __init__(self, deck: DeckPictures, image: np.ndarray, above: Sequence[np.ndarray]) -> None:
        self._deck, self._image, self._above = deck, image, above
        self._seen: dict[bytes, tuple[np.ndarray, np.ndarray | None]] = {}
        self._explained: dict[tuple[bytes, int], float] = {}
        self._detail: dict[tuple[bytes, int], float] = {}
        self._moved: dict[tuple[bytes, int, int], np.ndarray] = {}

    def seen(self, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """The picture at a place, and what of it is bare."""
        key = corners.tobytes()
        if key not in self._seen:
            shown = cut(self._image, corners, FINE_PX)
            self._seen[key] = shown, bare_of(corners, self._above, FINE_PX)
        return self._seen[key]

    def explained(self, corners: np.ndarray, card: int) -> float:
        """The share of what is bare that a card explains."""
        key = corners.tobytes(), card
        if key not in self._explained:
            seen, bare = self.seen(corners)
            self._explained[key] = explained(seen, self._deck.fine[card], bare)
        return self._explained[key]

    def detail(self, corners: np.ndarray, card: int) -> float:
        """The similarity of detail, before the photograph's sharpness is known."""
        key = corners.tobytes(), card
        if key not in self._detail:
            seen, bare = self.seen(corners)
            self._detail[key] = alike_in_detail(seen, self._deck.soft[card], bare)
        return self._detail[key]

    def shares(self, corners: np.ndarray, card: int) -> dict[int, float]:
        """The shares that a card and similar ones explain."""
        rivals = {card, *self._deck.likest(*self.seen(corners))}
        return {one: self.explained(corners, one) for one in rivals}

    def align(
        self, corners: np.ndarray, card: int, motions: Sequence[int] = (cv2.MOTION_HOMOGRAPHY,)
    ) -> tuple[float, np.ndarray]:
        """How well a card fits at a rough place, and its exact corners."""
        tried = [corners, *(self._aligned(corners, card, motion) for motion in motions)]
        fits = [self.explained(at, card) + self.detail(at, card) for at in tried]
        best = int(np.argmax(fits))
        return fits[best], tried[best]

    def _aligned(self, corners: np.ndarray, card: int, motion: int) -> np.ndarray:
        key = corners.tobytes(), card, motion
        if key not in self._moved:
            seen, bare = self.seen(corners)
            self._moved[key] = aligned(seen, corners, self._deck.fine[card], motion, bare)
        return self._moved[key]

    def registration(
        self,
        corners: np.ndarray,
        shares: Mapping[int, float],
        card: int,
        turned: Registration | None = None,
    ) -> Registration:
        seen, bare = self.seen(corners)
        detail = self.detail(corners, card)
        return Registration(corners, seen, shares, turned, detail, bare=bare)
