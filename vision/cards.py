"""Cards in a photograph: where they are, and which of a deck each is.

A card is identified by its picture: the part inside its frame, or its whole face. Candidate places
(`card_search`) are registered with the likeliest pictures of the deck (`card_pictures`) and
compared with them pixel by pixel, blurred like the photograph (`card_likeness`). A picture whose
details match none of the deck's is rejected.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import cycle
from typing import Any

import cv2
import numpy as np

from vision.card_corners import TableMetric
from vision.card_features import Seen, features_of
from vision.card_geometry import (
    Window,
    card_corners,
    contains,
    corner_distance,
    side_of,
    sides_of,
    slenderness,
)
from vision.card_likeness import (
    Pair,
    alike_where_others_differ,
    common_light,
    common_mixture,
    odds_of_other,
    off_colour,
    shaded_like,
)
from vision.card_numbers import NumberReading, PrintedNumbers
from vision.card_pictures import CardPicture, DeckPictures
from vision.card_registration import (
    NEAR_RIVAL,
    Registration,
    alike_within,
    compare_in_detail,
    compared,
    odds_at_turn,
    refined,
    uncovered,
)
from vision.card_search import CardSearch
from vision.card_squares import aligned, cut
from vision.parallel import parallel_map

_SHARP_PX = 192
"""Side of the square in which pictures are compared that differ in little more than a number."""
_NEAR_TWIN = 0.05
"""Odds of another card, against the likeliest, from which the two are compared sharply."""
_OFF, _MOST_OFF = 0.02, 0.2
"""Distance of a card from an outline, as a share of its picture's side, per factor e of
probability; and its limit."""
_LIKE_SIZE, _LIKE_SHAPE = 2.0, 2.6
"""Largest ratios of a card's side to those of the others as far away, and of its aspect ratio to
its picture's."""
_MIDDLE, _WIDTH, _NONE = 0.68, 0.04, 0.45
"""Similarity of detail at which a picture is as likely the deck's as not, the width of that
transition, and the similarity below which it is rejected."""
_BY_NUMBER = 0.12
"""How much less that similarity may be where the number beside the picture is the card's."""
_TWINS, _LESS_ALIKE = 0.1, 0.08
"""How much less similar in detail a card may be by chance, and how much more so per factor e of
probability."""
_NOISE = 0.05
"""How much less similar a photograph is than the pictures themselves."""
_OTHER_COLOUR, _COLOURS = 0.21, 0.03
"""How much better another colour explains a card of the deck's and one of no deck as likely, and
the width of that transition."""
_OTHER_HUE, _HUES = 0.7, 0.03
"""The same of how far the hue of its colour is off."""
_UNLIKELY = 0.003
"""Confidence below which a candidate is dropped without asking."""
_REGISTERED_WELL = 0.9
"""Similarity of detail of an exact registration: below it, a rival is registered as well."""
_PLAINER = 5.0
"""How much plainer the edge of a card without an outline is, in grey levels summed over its sides,
per factor e of probability, than that of the card at another turn."""
_MORE_TURNED = 0.01
"""Gain in the explained share per factor e of probability over a card at another turn."""
_ABOVE, _LAYERS = 0.72, 2
"""Similarity of detail from which a card may cover others; number of layers of covered cards."""
_SHOWN, _LEADING = 0.02, 0.5
"""Probabilities above which a card is an alternative, and above which no other one is likelier."""
_EXTRA = 0.9
"""The most confidence in each reading of a card that is read too often, and in what is read in
place of one of them: it is asked about."""
UNCERTAIN_BELOW = 0.95
"""Confidence below which a card is asked about."""


@dataclass(frozen=True, eq=False)
class CardReading:
    """A card in a photograph; `corners` are (4, 2) px of its picture, clockwise from its top left.

    `confidence` is the probability that it is `card`; `alternatives` has those of others.
    """

    card: str
    confidence: float
    corners: np.ndarray
    alternatives: Mapping[str, float] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        return {
            "card": self.card,
            "confidence": round(self.confidence, 4),
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            **(
                {"alternatives": {card: round(p, 4) for card, p in self.alternatives.items()}}
                if self.alternatives
                else {}
            ),
        }


class Deck:
    """The cards that may be in a photograph, by their pictures.

    The pictures are loaded with the first photograph that may contain a card.
    """

    def __init__(
        self,
        pictures: Iterable[CardPicture],
        windows: Sequence[Window] = (),
        numbers: PrintedNumbers | None = None,
        without_picture: Mapping[str, float] | None = None,
        copies: Mapping[str, int] | None = None,
    ) -> None:
        """One or more pictures per card; `windows` are where a picture may be on a whole card.

        Cards that have `numbers` beside their pictures are told apart by those as well. If not all
        pictures are known, `without_picture` is for each card the share of cards like it that have
        none, and for which it may be mistaken. Of the cards named in `copies` there are so many.
        """
        self._copies = copies or {}
        self._without_picture = without_picture or {}
        self._deck, self._windows, self._numbers = DeckPictures(pictures), tuple(windows), numbers

    def prepare(self) -> None:
        """Load the pictures, for which a first photograph would wait."""
        self._deck.prepare()

    def find(
        self,
        image: np.ndarray,
        taken: Sequence[np.ndarray] = (),
        *,
        seen: Seen | None = None,
        by_outline: bool = False,
    ) -> list[CardReading]:
        """The cards in an (H, W, 3) uint8 picture, the most certain first; corners in its px.

        Nothing is searched within `taken`, (4, 2) px each. `seen` are the picture's features, if
        they are known. With `by_outline` only cards with a
        visible outline are found; their corners are exact even if much is covered.
        """
        if not self._deck.pictures:
            return []
        search = CardSearch(image, self._deck, self._windows, taken)
        search.by_outlines(None if by_outline else seen or features_of(image, taken))
        if not by_outline:
            search.from_above()
        registered = compare_in_detail(self._deck, search.found)
        registered = parallel_map(lambda one: refined(self._deck, image, one), registered)
        for _ in range(_LAYERS):
            registered = self._uncovered(image, registered, search)
        in_deck = [one for one in registered if one.alike[one.likeliest] > _MIDDLE]
        pairs = [self._pairs(one) for one in in_deck]
        light = common_light(pairs)
        mixture = common_mixture(pairs) if light is None else None
        alike = [
            one
            for one in registered
            if max(one.alike.values()) > _NONE
            or (one.turned and max(one.turned.alike.values()) > _NONE)
        ]
        found = parallel_map(lambda one: self._read(image, one, light, search, mixture), alike)
        likely = [card for card in found if card.confidence > _UNLIKELY]
        likely = of_one_size(likely, self._deck.aspect)
        return self._each_once(as_often_as_printed(likely, self._most))

    def _pairs(self, one: Registration) -> list[Pair]:
        """A place with its likeliest picture, and then with near rivals."""
        order = sorted(one.shares, key=lambda card: -one.shares[card])
        near = [card for card in order if one.shares[card] > one.share - NEAR_RIVAL]
        return [(one.seen, self._deck.blurred(card, one.softness)) for card in near]

    def _uncovered(
        self, image: np.ndarray, registered: Sequence[Registration], search: CardSearch
    ) -> list[Registration]:
        """The registrations, compared where cards that are surely seen do not cover them."""
        above = [one for one in registered if max(one.alike.values()) > _ABOVE]
        outlines = search.outlines_of(above)
        cards = [*zip(above, outlines, strict=True)] if outlines else []
        return [
            uncovered(self._deck, image, one, [card for other, card in cards if other is not one])
            for one in registered
        ]

    def _each_once(self, found: Iterable[CardReading]) -> list[CardReading]:
        """The readings, with identical cards named in turn."""
        ids = {card: cycle(alike) for card, alike in self._alike.items()}
        return [replace(one, card=next(ids[one.card])) for one in found]

    def _read(
        self,
        image: np.ndarray,
        place: Registration,
        light: np.ndarray | None,
        search: CardSearch,
        mixture: np.ndarray | None = None,
    ) -> CardReading:
        """Identify a card, in a light of (3, 3) or in any; a `mixture` may lack some colours.

        Outlines show on which side of its picture the card continues; without one, as where a hand
        holds the card, its plainest edges do.
        """
        exact, light = light, mixture if light is None else light
        if light is not None:
            place = compared(self._deck, place, light)
        odds = {card: (*own, place) for card, own in self._odds(image, place, light).items()}
        if place.turned is not None:
            others = place.turned
            own, theirs = (self._off_card(search.outlines, one.corners) for one in (place, others))
            by_edge = (own - theirs) / _OFF
            if self._windows and min(own, theirs) == _MOST_OFF:
                by_edge = search.plainer_edge(others.corners, place.corners) / _PLAINER
            as_likely = float(np.exp((others.share - place.share) / _MORE_TURNED + by_edge))
            at_turn = self._odds(image, others, light)
            best, other = (
                self._likeliest_of(max(each, key=lambda card: each[card][0]), at)
                for each, at in ((odds, place), (at_turn, others))
            )
            as_likely *= odds_at_turn(self._deck, place, best, other, light)
            for card, (own, alike) in at_turn.items():
                if card not in odds or as_likely * own > odds[card][0]:
                    odds[card] = as_likely * own, alike, others
        number = self._number(image, place, odds)
        likest = max(alike for _, alike, _ in odds.values())
        odds = {
            card: (own * number.odds[card] * _as_alike(likest - alike), alike, at)
            for card, (own, alike, at) in odds.items()
        }
        total = sum(own for own, *_ in odds.values())
        chances = {}
        for card, (own, alike, at) in odds.items():
            if own / total > _LEADING:
                within = alike_within(self._deck, at, self._likeliest_of(card, at), light)
                alike = min(max(alike, within), self._alike_apart(card, at))
            chances[card] = own / total * _in_deck(alike, card == number.card)
        chances = {
            card: chance
            * self._has_picture(card, odds[card][1])
            * (self._has_colour(card, odds[card][2], exact) if chance > _LEADING else 1.0)
            for card, chance in chances.items()
        }
        card = max(chances, key=lambda one: chances[one])
        alternatives = {one: p for one, p in chances.items() if one != card and p > _SHOWN}
        corners = odds[card][2].corners
        if card == number.card and number.corners is not None:
            corners = number.corners
        return CardReading(card, chances[card], corners, alternatives)

    def _has_picture(self, card: str, alike: float) -> float:
        """The probability that what resembles a card so well in detail is one with a picture.

        One without a picture would resemble the others as they resemble each other.
        """
        without = self._without_picture.get(card, 0.0)
        twins = self._deck.twins
        similar = (np.count_nonzero(twins > alike - _NOISE) + 0.5) / (len(twins) + 1)
        return float((1 - without) / max(1 - without + without * similar, 1e-9))

    def _alike_apart(self, card: str, at: Registration) -> float:
        """A card's similarity of detail where it differs in little from others that pass for it.

        A card that was not photographed, as another number in the same suit, shares the rest with
        all of them. Of a deck that is drawn to be printed, none is missing.
        """
        if self._windows:
            return 1.0
        others = [
            self._deck.blurred(one, at.softness)
            for one, alike in at.alike.items()
            if alike > _MIDDLE and self._deck.pictures[one].id != card
        ]
        known = self._deck.blurred(self._likeliest_of(card, at), at.softness)
        return alike_where_others_differ(at.seen, known, others, at.bare)

    def _has_colour(self, card: str, at: Registration, light: np.ndarray | None) -> float:
        """The probability that a place does not show the card's drawing in another colour.

        What is drawn, to be printed on a part of the card, is printed in colours that only a known
        light tells apart.
        """
        if light is None and self._windows:
            return 1.0
        known = self._deck.blurred(self._likeliest_of(card, at), at.softness)
        off, hue = off_colour(at.seen, known, light, at.bare)
        is_own = 1 / (1 + np.exp((off - _OTHER_COLOUR) / _COLOURS))
        if light is None:
            is_own /= 1 + np.exp((hue - _OTHER_HUE) / _HUES)
        return float(is_own)

    def _number(
        self, image: np.ndarray, place: Registration, cards: Iterable[str]
    ) -> NumberReading:
        """Which of these cards it is by the number, or one of those whose picture is the same."""
        if self._numbers is None:
            return NumberReading(dict.fromkeys(cards, 1.0))
        places = [one.corners for one in (place, place.turned) if one]
        alike = {card: self._alike[card] for card in cards}
        each = dict.fromkeys(id for ids in alike.values() for id in ids)
        read = self._numbers.read(image, places, self._windows, each)
        odds = {card: max(read.odds[id] for id in ids) for card, ids in alike.items()}
        own = next((card for card, ids in alike.items() if read.card in ids), None)
        return replace(read, odds=odds, card=own)

    @cached_property
    def _alike(self) -> Mapping[str, Sequence[str]]:
        """The cards whose picture is the same, by the first of them."""
        return {alike[0].id: [one.id for one in alike] for alike in self._deck.groups}

    @cached_property
    def _most(self) -> Mapping[str, int]:
        """How often each picture may be seen, where that is known, by the first of its cards."""
        return {
            card: sum(self._copies[one] for one in alike)
            for card, alike in self._alike.items()
            if all(one in self._copies for one in alike)
        }

    def _odds(
        self, image: np.ndarray, place: Registration, light: np.ndarray | None
    ) -> dict[str, tuple[float, float]]:
        """Each candidate's odds against the likeliest card, and its similarity of detail.

        Where another beats it, all are compared with that one: two cards that both beat a third
        may be much alike.
        """
        odds = self._odds_against(place.likeliest, image, place, light)
        best = max(odds, key=lambda card: odds[card][0])
        if best == self._deck.pictures[place.likeliest].id:
            return odds
        return self._odds_against(self._likeliest_of(best, place), image, place, light)

    def _likeliest_of(self, card: str, at: Registration) -> int:
        """The picture of a card that explains most."""
        own = [one for one in at.shares if self._deck.pictures[one].id == card]
        return max(own, key=at.shares.__getitem__)

    def _odds_against(
        self, winner: int, image: np.ndarray, place: Registration, light: np.ndarray | None
    ) -> dict[str, tuple[float, float]]:
        """Each candidate's odds against one, and its similarity of detail."""
        odds: dict[str, tuple[float, float]] = {}
        rough = cut(image, place.corners, _SHARP_PX)
        sharp: tuple[np.ndarray, np.ndarray] | None = None
        bare = place.bare
        if bare is not None:
            bare = cv2.resize(bare.astype(np.uint8), (_SHARP_PX, _SHARP_PX)) > 0
        is_card = max(place.alike.values()) > _MIDDLE
        well = place.alike[winner] >= _REGISTERED_WELL

        def odds_in(view: np.ndarray, pair: Sequence[np.ndarray], bare: np.ndarray | None) -> float:
            if light is None:
                pair = [shaded_like(view, each) for each in pair]
            return odds_of_other(view, pair[0], pair[1], light, bare)

        def over(known: np.ndarray) -> np.ndarray:
            return cut(image, aligned(rough, place.corners, known), _SHARP_PX)

        for one, share in place.shares.items():
            card, own = self._deck.pictures[one].id, 1.0
            if card != self._deck.pictures[winner].id:
                pair = [self._deck.blurred(each, place.softness) for each in (winner, one)]
                own = odds_in(place.seen, pair, place.bare)
                is_near = not well and share > place.shares[winner] - NEAR_RIVAL
                if is_card and (is_near or own > _NEAR_TWIN):
                    theirs = self._deck.blurred(one, place.softness, _SHARP_PX)
                    if sharp is None:
                        known = self._deck.blurred(winner, place.softness, _SHARP_PX)
                        sharp = known, over(known)
                    views = [sharp[1], over(theirs)] if is_near else [sharp[1]]
                    each = [odds_in(view, (sharp[0], theirs), bare) for view in views]
                    own = float(np.exp(np.log(each).mean()))
            odds[card] = max(odds.get(card, (0.0, 0.0)), (own, place.alike[one]))
        return odds

    def _off_card(self, outlines: Sequence[np.ndarray], corners: np.ndarray) -> float:
        """Distance of a card's predicted edge from an outline, for its picture at (4, 2) corners.

        As a share of the picture's side; `_MOST_OFF` if there is none near.
        """
        side = side_of(corners)
        off = [
            corner_distance(card_corners(corners, window), outline) / side
            for window in self._windows
            for outline in outlines
            if contains(outline, corners.mean(axis=0))
        ]
        return min([_MOST_OFF, *off])


def _as_alike(behind: float) -> float:
    """The odds of a card that is so much less similar in detail than another."""
    return float(np.exp(-max(behind - _TWINS, 0.0) / _LESS_ALIKE))


def _in_deck(alike: float, by_number: bool) -> float:
    """The probability that a picture so similar in detail is the deck's."""
    middle = _MIDDLE - _BY_NUMBER if by_number else _MIDDLE
    return float(1 / (1 + np.exp(-(alike - middle) / _WIDTH)))


def as_often_as_printed(found: Sequence[CardReading], most: Mapping[str, int]) -> list[CardReading]:
    """The readings, the most certain first, given how `most` often some cards may be seen.

    Of those seen more often one is another card, so all of them are doubtful. And what is doubtful
    is hardly one of the cards that are surely seen as often elsewhere.
    """
    surest = defaultdict[str, list[float]](list)
    for one in found:
        if one.confidence >= UNCERTAIN_BELOW:
            surest[one.card].append(one.confidence)
    is_left = {
        card: 1 - min(seen) for card, seen in surest.items() if len(seen) == most.get(card, np.inf)
    }
    readings = []
    for one in found:
        if one.confidence < UNCERTAIN_BELOW:
            one = _weighed(one, is_left)
        elif len(surest[one.card]) > most.get(one.card, np.inf):
            one = replace(one, confidence=min(one.confidence, _EXTRA))
        readings.append(one)
    return sorted(readings, key=lambda one: -one.confidence)


def _weighed(one: CardReading, odds: Mapping[str, float]) -> CardReading:
    """The reading with the probability of each card weighed by some odds."""
    before = {one.card: one.confidence, **one.alternatives}
    chances = {card: chance * odds.get(card, 1.0) for card, chance in before.items()}
    total = max(sum(chances.values()) + 1 - sum(before.values()), 1e-9)
    card = max(chances, key=lambda each: chances[each])
    most = 1.0 if card == one.card else _EXTRA
    others = {each: p / total for each, p in chances.items() if each != card}
    return replace(
        one,
        card=card,
        confidence=min(chances[card] / total, most),
        alternatives={each: p for each, p in others.items() if p > _SHOWN},
    )


def of_one_size(found: Sequence[CardReading], aspect: float) -> list[CardReading]:
    """The finds of about the median size and of their pictures' shape: the rest are details.

    Sizes are weighted by confidence; pictures are `aspect` times as high as wide. Those that are
    sure then show how much larger near ones look, and how they are foreshortened.
    """
    shaped = [card for card in found if _is_near(slenderness(card.corners) / aspect, _LIKE_SHAPE)]
    if not shaped:
        return []
    by_size = sorted(shaped, key=lambda card: side_of(card.corners))
    weight = np.cumsum([card.confidence for card in by_size])
    usual = side_of(by_size[int(np.searchsorted(weight, weight[-1] / 2))].corners)
    alike = [card for card in shaped if _is_near(side_of(card.corners) / usual, _LIKE_SIZE)]
    sure = [card.corners for card in alike if card.confidence >= UNCERTAIN_BELOW]
    if not sure:
        return alike
    table = TableMetric(np.array(sure), aspect)

    def is_flat(card: CardReading) -> bool:
        """Whether it has the size and the shape of a card on the table."""
        middle = card.corners.mean(axis=0)
        width, height = sides_of(card.corners @ table.even(middle).T)
        size = np.sqrt(width * height / aspect)
        return _is_near(size, _LIKE_SIZE) and _is_near(height / width / aspect, _LIKE_SHAPE)

    return [card for card in found if is_flat(card)]


def _is_near(ratio: float, most: float) -> bool:
    return 1 / most < ratio < most
