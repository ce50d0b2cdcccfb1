"""Find contracts and exploitation tokens that are face up in one photograph.

Contracts are found like the cards of any deck. They give the scale, the tilt and the light for the
round tokens beside them, so that without a contract no token is looked for.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from calibration.cards import CARD_MM, MARGIN_MM
from calibration.colour_profile import Swatch
from calibration.drawing import rasterise
from calibration.via_nebula.cards import PAPER, picture
from scorer.via_nebula.edition import STANDARD
from scorer.via_nebula.game import GOODS, TOKEN_MM, VIA_NEBULA
from vision import load_photo
from vision.cards import UNCERTAIN_BELOW, CardReading
from vision.piece_faces import PieceFaces
from vision.rectify import transform
from webapp.app.reading.board_reader import vision_errors
from webapp.app.reading.card_jobs import deck_of

PICTURE_MM = CARD_MM[0] - 2 * MARGIN_MM
"""The side of a contract's printed picture: its text leaves it the whole width."""
_CARD_PX, _PX = 3.0, 6.0
"""Px per mm of a drawn picture, and of the rectified table."""
_REACH_MM = 500.0
"""The distance from a contract within which tokens are looked for."""
_SEEN = (0.8, 1.25)
"""The range of a token's radius relative to its own, as the rectification may be off elsewhere."""
_HUE, _DARKER = 0.13, 0.7
"""The standard deviation of a colour's log from the printed one, and the share of brightness that
is ignored."""
_PAPER = 6
"""The tolerance, of 255, for a px of a contract's picture to count as bare paper."""
_LIKELY = 0.5
"""The least probability of being any card of the deck."""
_LEAST_FIT = 0.0
"""The least log odds of the best face against none for something round to be a token."""


@dataclass(frozen=True)
class LaidOut:
    """What is face up: contracts, and tokens as their resource and the number they show.

    `doubtful` is the number of further ones that are uncertain.
    """

    contracts: tuple[str, ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    doubtful: int = 0


def find_laid_out(path: Path, profile: str) -> LaidOut:
    """What is face up in the photograph at `path`. Raise UnusablePhotographError."""
    with vision_errors():
        image = load_photo(path).image
    return read_laid_out(image, profile)


def read_laid_out(image: np.ndarray, profile: str) -> LaidOut:
    """What is face up in an (H, W, 3) uint8 BGR picture, for the board of a profile.

    Beside the owner's own contracts no token is looked for, as their size is unknown.
    """
    deck, is_own = deck_of(profile)
    cards = [
        card
        for card in deck.find(image)
        if card.card in STANDARD.contracts
        and card.confidence + sum(card.alternatives.values()) >= _LIKELY
    ]
    tokens = list(_tokens(image, cards)) if cards and not is_own else []
    sure = [card for card in cards if card.confidence >= UNCERTAIN_BELOW]
    faces = [token for token, chance in tokens if chance >= UNCERTAIN_BELOW]
    contracts = tuple(dict.fromkeys(card.card for card in sure))
    doubtful = len(cards) - len(contracts) + len(tokens) - len(faces)
    return LaidOut(contracts, tuple(sorted(faces)), doubtful)


@cache
def _faces() -> Mapping[str, tuple[Sequence[int], PieceFaces]]:
    """For each resource the numbers on its tokens, and the classifier of their faces."""
    found = {}
    for resource in GOODS:
        shown = {
            own.shows: name
            for name, own in STANDARD.tokens.items()
            if own.resource == resource and not own.special
        }
        pieces = [one for one in VIA_NEBULA.pieces if one.id in shown.values()]
        found[resource] = (
            [STANDARD.tokens[one.id].shows for one in pieces],
            PieceFaces(VIA_NEBULA.id, pieces, _PX),
        )
    return found


def _tokens(
    image: np.ndarray, cards: Sequence[CardReading]
) -> Iterator[tuple[tuple[str, int], float]]:
    """Each token's face (resource, number), and its probability."""
    nearest = max(cards, key=lambda card: cv2.contourArea(card.corners.astype(np.float32)))
    flat = _laid_flat(image, nearest.corners)
    light = np.mean([_light(image, card) for card in cards], axis=0)
    radius = TOKEN_MM / 2 * _PX
    grey = cv2.GaussianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    least, most = (round(share * radius) for share in _SEEN)
    circles = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT_ALT, 1.5, 1.5 * radius, None, 100, 0.6, least, most
    )
    for x, y, seen in [] if circles is None else circles.reshape(-1, 3).tolist():
        side = round(3 * radius)
        scale = radius / seen
        crop = np.array([[scale, 0, side / 2 - scale * x], [0, scale, side / 2 - scale * y]])
        face = _read_face(
            cv2.warpAffine(flat, crop, (side, side), borderMode=cv2.BORDER_REPLICATE), light
        )
        if face is not None:
            yield face


def _laid_flat(image: np.ndarray, card: np.ndarray) -> np.ndarray:
    """The table around a picture with these (4, 2) corners in px, seen from straight above."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * PICTURE_MM * _PX
    down = cv2.getPerspectiveTransform(card.astype(np.float32), corners.astype(np.float32))
    height, width = image.shape[:2]
    ends = transform(down, np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    reach = _REACH_MM * _PX
    low, high = np.maximum(ends.min(axis=0), -reach), np.minimum(ends.max(axis=0), reach)
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ down
    wide, high_px = np.maximum(np.round(high - low), 1).astype(int).tolist()
    return cv2.warpPerspective(image, moved, (wide, high_px))


def _light(image: np.ndarray, card: CardReading) -> np.ndarray:
    """(3,) log ratios of a contract's paper as seen to its printed colour, by BGR channel."""
    drawing = picture(card.card)
    assert drawing is not None, "contracts alone"
    face = rasterise(drawing, _CARD_PX)
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    onto = cv2.getPerspectiveTransform(card.corners.astype(np.float32), corners)
    seen = cv2.warpPerspective(image, onto, (width, height))
    paper = np.array(Swatch("", PAPER).bgr)
    bare = np.abs(face.astype(int) - paper).max(axis=2) < _PAPER
    return np.asarray(_logarithms(np.median(seen[bare], axis=0)) - _logarithms(paper))


def _read_face(crop: np.ndarray, light: np.ndarray) -> tuple[tuple[str, int], float] | None:
    """The token's face in the middle of a square crop, and its probability; None for no token."""
    middle = crop.shape[0] // 2
    ys, xs = np.mgrid[-middle : crop.shape[0] - middle, -middle : crop.shape[1] - middle]
    disc = np.hypot(xs, ys) < 0.9 * TOKEN_MM / 2 * _PX
    body = _logarithms(np.median(crop[disc], axis=0)) - light
    odds: dict[tuple[str, int], float] = {}
    fits = []
    for resource, (numbers, faces) in _faces().items():
        off = body - _logarithms(np.array(Swatch("", GOODS[resource]).bgr))
        off -= _DARKER * off.mean()
        fit, shown = faces.recognise(crop, [(middle, middle)])
        fits.append(fit[0])
        for number, share in zip(numbers, shown[0], strict=True):
            chance = fit[0] + np.log(max(share, 1e-6)) - (off**2).sum() / (2 * _HUE**2)
            odds[resource, number] = max(float(chance), odds.get((resource, number), -np.inf))
    if max(fits) < _LEAST_FIT:
        return None
    best = max(odds, key=lambda one: odds[one])
    total = sum(np.exp(own - odds[best]) for own in odds.values())
    return best, float(1 / total)


def _logarithms(colour: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(np.maximum(np.asarray(colour, float), 2.0)))


def options_of(found: LaidOut, taken: frozenset[str], seat: int) -> Iterator[str]:
    """The contracts, and for each token one of its kind that nobody is known to have.

    Each seat starts from another one, as entries on other phones are unknown.
    """
    yield from (card for card in found.contracts if card not in taken)
    of_face: dict[tuple[str, int], list[str]] = {}
    for name, own in STANDARD.tokens.items():
        if not own.special:
            of_face.setdefault((own.resource, own.shows), []).append(name)
    for shown, count in Counter(found.tokens).items():
        alike = of_face.get(shown, [])
        first = seat % max(1, len(alike))
        free = (name for name in (*alike[first:], *alike[:first]) if name not in taken)
        yield from islice(free, count)
