"""Search of a photograph for cards: by outlines, by features, and by corners beside known cards."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.card_corners import TableMetric, corner_outlines, line_segments, outside
from vision.card_features import Seen, features_of
from vision.card_geometry import (
    Window,
    card_corners,
    contains,
    corner_distance,
    covers,
    picture_corners,
    side_of,
    slenderness,
)
from vision.card_pictures import DeckPictures
from vision.card_registration import LIKE_A_CARD, Registration, register
from vision.outlines import edge_contrast, find_outlines
from vision.parallel import speculate
from vision.rectify import shrunk, transform
from vision.table_plane import fit_plane, top_view

SEARCHED_PX = 2000
"""Longer side of the picture in which outlines are searched."""
_SAME = 0.02
"""Distance, as a share of the side, at which two places lead to the same registration, so that the
search there ends."""
_SURE, _ON_EDGE = 0.75, 0.14
"""Share explained from which a card shows how large others are, and the largest distance of its
edge from an outline, as a share of the picture's side."""
_SURELY_ALIKE = 0.72
"""Similarity of detail from which it shows that, too, and covers others: of one that is half
covered itself, or out of focus, little is explained."""
_STEPS = 4
"""Number of outlines that are tried per possible window of a picture."""
_CARD_PX = 80.0
"""Width of a card on the table from above."""
_AS_LARGE = 1.3
"""Largest ratio of the side of a doubtful picture on the table to that of a card's."""
_CORNERS_AT_ONCE = 100
"""Number of outlines from corners, the best supported first, of which one has to lead to a card."""
_WHOLE = 1.3
"""Ratio of the sides from which a picture that is found may be like a part of another one, which is
examined too."""
_BEFORE_SETTLED = 0.1
"""How much less alike a card may be before its place is settled."""
_WIDER = 1.36
"""Ratio of width to height from which a card lies on its side."""


@dataclass(frozen=True)
class _Effort:
    """How many places are examined.

    ``alike`` is the least correlation with the likeliest card, ``tries`` the number of overlapping
    places that are examined unless ``explained`` of one is; ``doubtful`` is that number while none
    is like a card in detail. ``failures`` is the number of places without a card after which the
    search ends, and where it counts, ``tries`` holds for those, too.
    """

    alike: float
    tries: int
    explained: float
    doubtful: int
    failures: int | None = None


_ANYWHERE = _Effort(0.42, 4, 0.93, 8)
_BESIDE_KNOWN = _Effort(0.48, 2, _SURE, 4, failures=10)
"""Where cards of known size may be."""


class CardSearch:
    """The search of one photograph for a deck's pictures; the cards are in ``found``."""

    def __init__(
        self,
        image: np.ndarray,
        deck: DeckPictures,
        windows: Sequence[Window],
        taken: Sequence[np.ndarray],
    ) -> None:
        """An (H, W, 3) uint8 image; nothing is searched within ``taken``, (4, 2) px each."""
        self._image, self._deck, self._windows, self._taken = image, deck, windows, taken
        self._small, self._to_image = shrunk(image, SEARCHED_PX)
        self._to_small = np.linalg.inv(self._to_image)
        self._grey = cv2.cvtColor(self._small, cv2.COLOR_BGR2GRAY)
        self._outlines = find_outlines(self._small, self._in_small(taken))
        self.outlines = [transform(self._to_image, corners) for corners in self._outlines]
        self.found: list[Registration] = []
        self._whole: dict[bytes, np.ndarray] = {}
        self._turned: dict[tuple[bytes, int], np.ndarray] = {}

    def by_outlines(self, seen: Seen | None) -> None:
        """Examine the outlines, and the places where features that are `seen` agree."""
        places = list(self._outlines)
        if self._windows:
            places += self._pictures_on(self._outlines)
        if seen is None:
            self._examine(places, _ANYWHERE)
            return
        seen_places = self._deck.features.places(self._deck.features.votes(seen))
        self._examine(places + self._in_small(seen_places), _ANYWHERE)

    def from_above(self) -> None:
        """Examine where features or corners are seen on the table, beside known cards.

        The photograph is searched as it is from above, where far cards are as large as near ones.
        """
        cards = self._whole_cards()
        if not cards:
            return
        to_table = fit_plane(self._image.shape[1::-1], cards, self._aspect, self._taken)
        if len(cards) + len(self._taken) > 1:  # one alone may lie elsewhere
            self._drop_details(to_table)
        view, to_view = top_view(self._image, to_table, [*cards, *self._taken], _CARD_PX)

        def seen(outlines: Sequence[np.ndarray]) -> list[np.ndarray]:
            return [transform(to_view, one) for one in outlines]

        def examine(places: Sequence[np.ndarray]) -> None:
            way = self._to_small @ np.linalg.inv(to_view)
            self._examine([transform(way, one) for one in places], _BESIDE_KNOWN, cards)

        segments, features, taken = line_segments(view), self._deck.features, seen(self._taken)
        votes = features.votes(features_of(view, [*taken, *seen(cards)]))
        places = features.places_by_scale(votes, seen(self._sure()))
        del view, votes  # bounds memory
        examine(places)
        cards = self._whole_cards()
        if self._windows:  # pictures may be seen more plainly than the edges of their cards
            sizes = [
                (right - left, (bottom - top) * self._aspect)
                for left, top, right, bottom in self._windows
            ]
            known = seen(cards)
            examine(corner_outlines(segments, known, self._aspect, [*taken, *known], sizes))
            cards = self._whole_cards()
        known = [*taken, *seen(cards)]
        corners = corner_outlines(segments, seen(cards), self._aspect, known)
        sure = self._sure()
        for start in range(0, len(corners), _CORNERS_AT_ONCE):
            known += seen(sure)
            pictures = self._pictures_on(corners[start : start + _CORNERS_AT_ONCE])
            examine([*outside(np.reshape(pictures, (-1, 4, 2)), known)])
            before, sure = len(sure), self._sure()
            if len(sure) == before:
                break

    def _drop_details(self, to_table: np.ndarray) -> None:
        """Drop doubtful cards whose picture is too large or too small on the table."""
        areas = [(right - left) * (bottom - top) for left, top, right, bottom in self._windows]
        sides = np.sqrt(np.array(areas or [1.0]) * self._aspect)
        self.found = [
            one
            for one in self.found
            if is_surely_a_card(one)
            or sides.min() / _AS_LARGE
            < side_of(transform(to_table, one.corners))
            < sides.max() * _AS_LARGE
        ]

    def _examine(
        self, places: Sequence[np.ndarray], effort: _Effort, above: Sequence[np.ndarray] = ()
    ) -> None:
        """Add the cards whose pictures are at rough (4, 2) ``places`` of the shrunk image.

        Outlines of cards ``above``, in px of the image, may cover them.
        """
        places, by_blur = self._deck.settled(
            self._small, places, effort.alike - _BEFORE_SETTLED, self._in_small(above)
        )
        likeness = by_blur.mean(axis=0)
        tries, failed = [0] * len(self.found), list[np.ndarray]()
        likest = likeness.max(axis=1, initial=-1.0)
        order = [int(one) for one in np.argsort(-likest) if likest[one] >= effort.alike]
        all_corners = {one: transform(self._to_image, places[one]) for one in order}

        def is_settled(number: int) -> bool:
            corners = all_corners[number]
            side = side_of(corners)
            done = any(
                self._is_done(self.found[one], tries[one], effort)
                and side < _WHOLE * side_of(self.found[one].corners)
                for one in self._found_at(corners)
            )
            return done or sum(covers(other, corners) for other in failed) >= effort.tries

        def registered(number: int) -> Registration | None:
            # blurred, cards are more alike
            likeness = by_blur[0, number]
            return register(self._deck, self._image, all_corners[number], likeness, above)

        def overlap(one: int, other: int) -> bool:
            return covers(all_corners[one], all_corners[other])

        for number, card in speculate(registered, order, is_settled, overlap):
            corners = all_corners[number]
            at = self._found_at(corners)
            for one in at:
                tries[one] += 1
            if card is not None:
                self._add(card, at | self._found_at(card.corners), tries, effort)
            elif effort.failures is not None:
                failed.append(corners)
                if len(failed) == effort.failures:
                    break

    def _add(self, card: Registration, at: set[int], tries: list[int], effort: _Effort) -> None:
        """Add a card, or put it in the place of worse ones that it overlaps, given `at` numbers."""
        if not at:
            self.found.append(card)
            tries.append(1)
        elif len(at) == 1:
            (one,) = at
            off = corner_distance(card.corners, self.found[one].corners)
            if off < _SAME * side_of(card.corners):
                tries[one] = max(tries[one], effort.tries)
            if card.is_better(self.found[one]):
                self.found[one] = card
        elif all(card.is_better(self.found[one]) for one in at):
            first, *others = sorted(at)
            self.found[first] = card
            for one in reversed(others):
                del self.found[one], tries[one]

    def _is_done(self, card: Registration, tries: int, effort: _Effort) -> bool:
        if card.detail < LIKE_A_CARD:
            return tries >= effort.doubtful
        return card.share > effort.explained or tries >= effort.tries

    def _found_at(self, corners: np.ndarray) -> set[int]:
        """The numbers of found cards that these (4, 2) px overlap."""
        return {one for one, card in enumerate(self.found) if covers(card.corners, corners)}

    def _sure(self) -> list[np.ndarray]:
        """(4, 2) px each, the pictures that are surely registered."""
        return [self._upright_corners(one) for one in self.found if is_surely_a_card(one)]

    def _upright_corners(self, one: Registration) -> np.ndarray:
        """(4, 2) px of a picture, turned so that its card has the plainest edge.

        Only a picture that looks the same when it is turned may be turned.
        """
        turns = self._deck.symmetries[one.likeliest] if self._windows else ()
        key = one.corners.tobytes(), one.likeliest
        if len(turns) > 1 and key not in self._turned:
            each = [np.roll(one.corners, turn, axis=0) for turn in turns]
            self._turned[key] = max(each, key=lambda corners: self._edges_around(corners).max())
        return self._turned.get(key, one.corners)

    def outlines_of(self, registered: Sequence[Registration]) -> list[np.ndarray]:
        """(4, 2) px each, the cards of registered pictures, by their edge or by their size."""
        pictures = [self._upright_corners(one) for one in registered]
        if not self._windows:
            return pictures
        known = self._whole_cards()
        if not known:
            return []
        metric = TableMetric(np.array(known), self._aspect)
        cards = []
        for corners in pictures:
            card = self._on_edge(corners)
            if card is None:
                each = self._cards_around(corners)
                middles, across = (
                    each.mean(axis=1),
                    (each[:, 1] - each[:, 0] + each[:, 2] - each[:, 3]) / 2,
                )
                card = each[np.abs(metric.length(middles, across) - 1).argmin()]
            cards.append(card)
        return cards

    def _whole_cards(self) -> list[np.ndarray]:
        """(4, 2) px each, the cards of these, from the top left.

        Where a card's edge is hardly brighter than the table, it has no outline, but most of its
        sides are still seen somewhere.
        """
        if not self._windows:
            return self._sure()
        return [self._whole_card(corners) for corners in self._sure()]

    def _whole_card(self, corners: np.ndarray) -> np.ndarray:
        known = self._whole.get(corners.tobytes())
        if known is None:
            known = self._on_edge(corners)
            if known is None:
                known = self._cards_around(corners)[self._edges_around(corners).argmax()]
            self._whole[corners.tobytes()] = known
        return known

    def plainer_edge(self, corners: np.ndarray, other: np.ndarray) -> float:
        """How much plainer the edge of the card is seen whose picture has (4, 2) px `corners`.

        In grey levels, summed over the sides, than that of the card whose picture has `other`.
        """
        plain, other_plain = (self._edges_around(one).max() for one in (corners, other))
        return float(plain - other_plain)

    def _edges_around(self, corners: np.ndarray) -> np.ndarray:
        """(N,) how plainly each of these outlines is seen."""
        return edge_contrast(self._grey, self._in_small([*self._cards_around(corners)]))

    def _cards_around(self, corners: np.ndarray) -> np.ndarray:
        """(N, 4, 2) px, what the outline of the card with this picture may be."""
        each = np.array([card_corners(corners, window) for window in self._windows])
        steps = np.linspace(0, len(each) - 1, _STEPS * (len(each) - 1) + 1)
        first = np.minimum(steps.astype(int), max(len(each) - 2, 0))
        share = (steps - first)[:, None, None]
        return np.asarray(
            each[first] * (1 - share) + each[np.minimum(first + 1, len(each) - 1)] * share
        )

    def _on_edge(self, corners: np.ndarray) -> np.ndarray | None:
        """The outline, (4, 2) px from its top left, of the card whose picture has these corners."""
        around = [
            np.roll(outline, turn, axis=0)
            for outline in self.outlines
            if contains(outline, corners.mean(axis=0))
            for turn in range(4)
        ]
        cards = [card_corners(corners, window) for window in self._windows]
        near = [(float(np.abs(card - own).max()), own) for card in cards for own in around]
        off, outline = min(near, key=lambda one: one[0], default=(np.inf, corners))
        return outline if off / side_of(corners) < _ON_EDGE else None

    def _pictures_on(self, cards: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Where the picture may be on cards with these (4, 2) outlines, whichever side is up."""
        upright = [
            np.roll(corners, turn, axis=0)
            for corners in cards
            for turn in range(4)
            if slenderness(np.roll(corners, turn, axis=0)) * _WIDER >= 1
        ]
        windows = self._windows or [(0.0, 0.0, 1.0, 1.0)]
        return [picture_corners(corners, window) for corners in upright for window in windows]

    @property
    def _aspect(self) -> float:
        """The height of a card by its width."""
        if not self._windows:
            return self._deck.aspect
        left, top, right, bottom = self._windows[0]
        return (right - left) / (bottom - top)

    def _in_small(self, outlines: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The outlines in px of the shrunk image."""
        return [transform(self._to_small, one) for one in outlines]


def is_surely_a_card(one: Registration) -> bool:
    """Whether it shows where others are: a card with little on it explains any bare paper."""
    return one.detail > (LIKE_A_CARD if one.share > _SURE else _SURELY_ALIKE)
