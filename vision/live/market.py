"""Cards of a market beside the boards: found once, and noticed when they are gone.

Searching a frame for cards takes seconds of processor time, so it is done in a thread, and only
after something has changed where it matters and has come to rest.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass

import cv2
import numpy as np

from vision.card_geometry import side_of
from vision.cards import UNCERTAIN_BELOW, CardReading
from vision.live.moments import Frame

log = logging.getLogger(__name__)

_GLANCE_INTERVAL = 0.25
"""Seconds between glances at the cards' places."""
_AT_REST = 1.0
"""Seconds without movement after which a frame is searched."""
_CONFIRM_AFTER = 10.0
"""Seconds after which a card that was not found is searched again; then it is gone. Until then
somebody may have lifted it to read it."""
_PAUSES = (1.0, 16.0, 120.0)
"""Seconds between searches that find nothing new: at first, at most, and while no card is known."""
_SMALL_PX = 320
"""The width of the picture that is glanced at."""
_PATCH_PX, _AROUND = 48, 1.8
"""The side of a card's place with its surroundings, in px, and as a multiple of the card."""
_INNER = slice(round(_PATCH_PX * (1 - 1 / _AROUND) / 2), round(_PATCH_PX * (1 + 1 / _AROUND) / 2))
"""The card within it, in both directions."""
_WHOLE = 1.1
"""Side of a card with a margin, as a multiple of its own."""
_ALIKE = 0.75
"""Correlation from which a card's place looks as before."""
_MOVES, _MOVED_PX = 14, 6
"""Levels by which a pixel of a small picture differs if something moves, and how many do."""
_SCENE_PX = 160
"""The width of the grey picture in which movement is noticed."""
_FEWEST_PX = 50
"""Number of px of a place and of the table around it from which they are compared."""
_LIKE_TABLE, _BARE = 16.0, 0.85
"""Colour difference (CIE 1976) within which a pixel is like the table, and the share of a place's
pixels from which it is bare."""
_FAR = 4.0
"""Distance from all other cards, in sides, from which a card has been taken from the market."""

Find = Callable[[np.ndarray, Sequence[np.ndarray]], Sequence[CardReading]]
"""Finds whole cards in a picture, outside of areas; see `vision.cards.Deck.find`."""


CardChange = tuple[str, int | None]
"""A card's id, and how many lie on the table; None: one fewer than before."""


@dataclass(eq=False)
class _TrackedCard:
    """A known card: its (4, 2) px corners in the frame, and how its place looked there.

    `missed` is the time of a search that did not find it.
    """

    card: str
    corners: np.ndarray
    patch: np.ndarray
    latest: np.ndarray
    still_since: float
    missed: float | None = None

    @property
    def differs(self) -> bool:
        return not _alike(self.patch, self.latest)


@dataclass(frozen=True, eq=False)
class _Search:
    found: Future[Sequence[CardReading]]
    frame: Frame


class MarketWatch:
    """Watches the cards of a market in the frames of one camera."""

    def __init__(self, find: Find, executor: Executor) -> None:
        """Search with `find`, which `executor` runs; nothing is expected yet."""
        self._find, self._executor = find, executor
        self._expected: Mapping[str, int] = {}
        self._known: list[_TrackedCard] = []
        self._search: _Search | None = None
        self._scene: np.ndarray | None = None
        self._searched: np.ndarray | None = None
        self._moved_at = self._glanced_at = self._next_search = -np.inf
        self._pause = _PAUSES[0]

    def expect(self, cards: Mapping[str, int]) -> None:
        """Look for these cards from now on, by id with their counts."""
        if cards != self._expected:
            self._expected = dict(cards)
            if self._known:
                self._searched, self._pause, self._next_search = None, _PAUSES[0], -np.inf

    def see(self, frame: Frame, boards: Sequence[np.ndarray]) -> list[CardChange]:
        """The cards that were found or are gone; `boards`, (4, 2) px each, are not searched."""
        if not self._expected:
            self._known, self._search, self._searched = [], None, None
            self._next_search = -np.inf
            return []
        changes = self._result()
        if frame.t - self._glanced_at >= _GLANCE_INTERVAL:
            self._glance(frame, boards)
            if self._search is None and self._is_due(frame.t):
                self._searched = self._scene
                found = self._executor.submit(self._find, frame.image, boards)
                self._search = _Search(found, frame)
        return changes

    def _glance(self, frame: Frame, boards: Sequence[np.ndarray]) -> None:
        """Note where something moves: anywhere outside the boards, and at each card."""
        self._glanced_at = frame.t
        scene = _scene(frame.image, boards)
        if _differ(scene, self._scene):
            self._moved_at = frame.t
        self._scene = scene
        small, scale = _small(frame.image)
        for card in self._known:
            latest = _patch(small, card.corners * scale)
            if _differ(latest.mean(axis=2), card.latest.mean(axis=2)):
                card.still_since = frame.t
            card.latest = latest

    def _is_due(self, t: float) -> bool:
        """Whether to search now: for a card that was missed, or after a change at rest."""
        if t < self._next_search:
            return False
        if any(
            card.missed is not None and t - card.missed >= _CONFIRM_AFTER for card in self._known
        ):
            missed = [card for card in self._known if card.missed is not None]
            return all(t - card.still_since >= _AT_REST for card in missed)
        if not _differ(self._scene, self._searched):
            return False
        touched = [card for card in self._known if card.differs]
        if touched:
            return all(t - card.still_since >= _AT_REST for card in touched)
        return bool(self._lacking()) and t - self._moved_at >= _AT_REST

    def _lacking(self) -> Counter[str]:
        """The expected cards that have not been found."""
        return Counter(self._expected) - Counter(card.card for card in self._known)

    def _result(self) -> list[CardChange]:
        """The changes that the last search shows, if it has ended since."""
        if self._search is None or not self._search.found.done():
            return []
        search, self._search = self._search, None
        frame = search.frame
        try:
            found = search.found.result()
        except Exception:
            log.exception("the search for cards failed")
            self._searched, self._pause = None, _PAUSES[2]
            self._next_search = frame.t + self._pause
            return []
        small, scale = _small(frame.image)
        watched = {*self._expected, *(card.card for card in self._known)}
        here = self._without_outliers([one for one in found if one.card in watched])
        sure = [one for one in here if one.confidence >= UNCERTAIN_BELOW]
        unsure = [one for one in here if one not in sure]
        doubtful = {one.card for one in unsure}
        missed, new = self._matched(sure)
        vanished = [card for card in missed if not any(_is_at(one, card) for one in unsure)]
        if len(self._known) > 1 and len(vanished) == len(self._known):
            self._known = []  # the camera was moved, or something covers all of them
            missed = []
        changes: list[CardChange] = []
        for card in self._known:
            if card not in missed:
                card.missed = None
                card.patch = card.latest = _patch(small, card.corners * scale)
        for card in missed:
            at = next((one for one in found if _is_at(one, card)), None)
            if card.card in doubtful:
                is_gone = False  # it may have been moved there
            elif at is None:
                others = [one for one in self._known if one is not card]
                is_gone = _is_bare(small, card, scale, others)
            else:
                is_gone = at in sure and at.card != card.card
            if not is_gone:
                card.missed = None
            elif card.missed is None:
                card.missed = frame.t
            elif frame.t - card.missed >= _CONFIRM_AFTER:
                self._known.remove(card)
                changes.append((card.card, None))
        for one in new:
            patch = _patch(small, one.corners * scale)
            self._known.append(_TrackedCard(one.card, one.corners, patch, patch, frame.t))
        counts = Counter(card.card for card in self._known)
        changes += [(card, counts[card]) for card in {one.card: None for one in new}]
        has_news = changes or any(card.missed is not None for card in self._known)
        most = _PAUSES[1 if self._known else 2]
        self._pause = _PAUSES[0] if has_news else min(2 * self._pause, most)
        self._next_search = frame.t + self._pause
        return changes

    def _matched(
        self, sure: Sequence[CardReading]
    ) -> tuple[list[_TrackedCard], Sequence[CardReading]]:
        """Move the known cards to where they were found; those that were not, and new ones."""
        left = [*sure]
        pairs = [
            (float(np.hypot(*(one.corners.mean(0) - card.corners.mean(0)))), card, one)
            for card in self._known
            for one in sure
            if one.card == card.card
        ]
        placed: list[_TrackedCard] = []
        for _distance, card, one in sorted(pairs, key=lambda pair: pair[0]):
            if card not in placed and one in left:
                left.remove(one)
                placed.append(card)
                card.corners = one.corners
        missed = [card for card in self._known if card not in placed]
        return missed, [one for one in left if one.card in self._expected]

    def _without_outliers(self, found: Sequence[CardReading]) -> list[CardReading]:
        """The finds without those far from all others, known ones too, as before a player."""
        if len(found) < 3:
            return [*found]
        centres = np.array([one.corners.mean(axis=0) for one in found])
        known = [one.corners.mean(axis=0) for one in self._known]
        apart = np.linalg.norm(centres[:, None] - [*centres, *known], axis=2)
        np.fill_diagonal(apart, np.inf)
        return [
            one
            for one, near in zip(found, apart.min(axis=1), strict=True)
            if near <= _FAR * side_of(one.corners)
        ]


def _is_at(one: CardReading, card: _TrackedCard) -> bool:
    """Whether a find is at the place of a known card."""
    off = np.hypot(*(one.corners.mean(axis=0) - card.corners.mean(axis=0)))
    return bool(off < side_of(card.corners) / 2)


def _small(image: np.ndarray) -> tuple[np.ndarray, float]:
    """A reduced (H, W, 3) uint8 picture, and the factor from px of the picture to its px."""
    scale = min(1.0, _SMALL_PX / image.shape[1])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA), scale


def _scene(image: np.ndarray, boards: Sequence[np.ndarray]) -> np.ndarray:
    """A tiny grey picture, (h, w) int16, black where the boards are."""
    scale = _SCENE_PX / image.shape[1]
    size = (_SCENE_PX, max(1, round(image.shape[0] * scale)))
    tiny = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    for corners in boards:
        cv2.fillConvexPoly(tiny, np.rint(corners * scale).astype(np.int32), 0)
    return tiny.astype(np.int16)


def _differ(a: np.ndarray | None, b: np.ndarray | None) -> bool:
    """Whether two small grey pictures differ by more than noise; None differs from all."""
    if a is None or b is None or a.shape != b.shape:
        return True
    apart = a - b
    return bool((np.abs(apart - np.median(apart)) > _MOVES).sum() > _MOVED_PX)


def _patch(small: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """A card's place with its surroundings, (48, 48, 3) float32 BGR, for corners in its px."""
    size = (_PATCH_PX, _PATCH_PX)
    patch = cv2.warpPerspective(small, _to_patch(corners), size, borderMode=cv2.BORDER_REPLICATE)
    return patch.astype(np.float32)


def _to_patch(corners: np.ndarray) -> np.ndarray:
    """(3, 3), from px to those of the patch of a card with these (4, 2) corners."""
    low, high = _INNER.start, _INNER.stop
    to = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), to))


def _alike(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two patches show the same at the card's place, in any light."""
    one, two = (each[_INNER, _INNER].mean(axis=2).ravel() for each in (a, b))
    one, two = one - one.mean(), two - two.mean()
    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return size > 0 and bool(one @ two >= _ALIKE * size)


def _is_bare(
    small: np.ndarray, card: _TrackedCard, scale: float, others: Sequence[_TrackedCard]
) -> bool:
    """Whether the table around a card's place is as it was, and continues at the place.

    `others` are cards that may cover parts of it.
    """
    turned = _to_patch(card.corners * scale)
    table = np.ones((_PATCH_PX, _PATCH_PX), np.uint8)
    place = np.zeros_like(table)
    place[_INNER, _INNER] = 1
    for other in others:
        middle = other.corners.mean(axis=0)
        whole = (middle + _WHOLE * (other.corners - middle)) * scale
        outline = cv2.perspectiveTransform(whole[None].astype(np.float32), turned)[0]
        cv2.fillConvexPoly(table, np.rint(outline).astype(np.int32), 0)
    place &= table
    table &= 1 - place
    if min(place.sum(), table.sum()) < _FEWEST_PX:
        return True  # other cards are all around it
    lab = [
        cv2.cvtColor(patch / 255, cv2.COLOR_BGR2LAB)
        for patch in (_patch(small, card.corners * scale), card.patch)
    ]
    around, before = (np.median(one[table > 0], axis=0) for one in lab)
    spread = np.linalg.norm(lab[1][table > 0] - before, axis=1)
    limit = max(_LIKE_TABLE, float(np.percentile(spread, 90)))
    off = np.linalg.norm(lab[0][place > 0] - around, axis=1)
    is_same_table = float(np.linalg.norm(around - before)) < _LIKE_TABLE
    return is_same_table and float((off < limit).mean()) > _BARE
