"""The progress along a track of a printed sheet: which of its tokens is on which place.

A token is where the sheet looks most like its face at any angle. One that is missing may be beneath
another: then the track is uncertain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np

from vision.token_faces import (
    assign_by_colour,
    at_all_angles,
    candidate_spots,
    compared_disc,
    covered_spots,
    pixels_of,
    print_similarity,
    similarity,
)

PX_PER_MM = 2.0
FITS, CLEARLY = 0.6, 0.05
"""Similarity of a spot to its token, and the margin over any other."""
_REACH = 2.0
"""Diameters above and below a track in which its tokens are searched."""
_REFINED, _GAINS = 2, (0.85, 2.0)
"""How often the light of the tokens is estimated, and the limits of its gains: tokens may be paler
than in the light of the sheet, hardly brighter."""
_CERTAIN = 0.95
"""Least probability with which all tokens are identified by their colours."""
_MOST_OTHERS = 3
"""The most spots that show no print though no token of the track is there."""
_MAY_BE, _LAST = 0.25, 0.4
"""Similarity from which a spot may show the inks of a token, and from which one on the sheet bears
the only token that is seen nowhere else."""
_COARSE, _AROUND, _DARKEST, _BRIGHTEST = 4, 3.0, 0.3, 1.6
"""How coarse the brightness of a sheet is compared, within how many diameters, and its
limits."""
_SAME_LIGHT = ((50.0, 0.0), (0.0, 0.5))
"""Prior of gain and offset, as rows of the same least squares as the tokens: a level that is to be
seen as itself, and the weight of no offset."""


@dataclass(frozen=True, eq=False)
class PrintedSpots:
    """Places in (2,) mm on a sheet by id, and the round faces of tokens admitted there.

    Of tokens of another edition `only_colours` are known: marks of the faces say nothing. Those of
    a track have their middles at most `reach_mm` above or below it.
    """

    at: Mapping[str, np.ndarray]
    faces: Mapping[str, np.ndarray]
    only_colours: bool = False
    reach_mm: float = np.inf

    @cached_property
    def turned(self) -> Mapping[str, np.ndarray]:
        """(T, D, D, 3) each face at all angles."""
        return {token: at_all_angles(face) for token, face in self.faces.items()}

    @property
    def across(self) -> int:
        """The width of a face in px."""
        return int(next(iter(self.faces.values())).shape[1])


@dataclass(frozen=True)
class TrackReading:
    """The visible tokens of a track, each with the id of its place.

    `order` lists those that have moved, the leading one first. It is `certain` if every token of
    the track was seen and no two that have moved share a square; else it is the likeliest, to be
    confirmed, which may have tokens that are not among the `places`.
    """

    places: Mapping[str, str]
    order: Sequence[str]
    certain: bool


def read_track(
    flat: np.ndarray, margin: int, sheet: np.ndarray, track: PrintedSpots
) -> TrackReading:
    """Read one track of a rectified sheet in its print's light, `margin` px within ``flat``."""
    diameter, ids = track.across, [*track.at]
    middles = np.array([*track.at.values()]) * PX_PER_MM + margin
    half = 0.5 * max(np.linalg.norm(end - start) for start, end in pairwise(middles))
    top = max(0, round(middles[:, 1].min() - _REACH * diameter))
    strip = flat[top : round(middles[:, 1].max() + _REACH * diameter)]
    corner = (margin, margin - top)
    if track.only_colours:
        strip = _without_shadows(strip, sheet, corner, diameter)
        half_px = (diameter - 1) / 2
        spots = [
            (x, y)
            for x, y in covered_spots(strip, sheet, corner, diameter)
            if abs(y + half_px + top - middles[:, 1].mean()) < track.reach_mm * PX_PER_MM
        ]
    else:
        spots = candidate_spots(strip, [*track.turned.values()], diameter)
    bare = [print_similarity(sheet, strip, spot, corner, diameter) for spot in spots]
    tokens = [*track.faces]
    found, likely, is_clear = _tokens_at(strip, spots, bare, track)

    def squares_of(on: Mapping[int, int]) -> dict[str, int]:
        """The number of each token's place, by the token."""
        squares = {}
        for spot, token in on.items():
            away = np.abs(middles[:, 0] - spots[spot][0] - (diameter - 1) / 2)
            nearest = int(away.argmin())
            if away[nearest] < half or nearest == 0:  # those that have not moved are at the start
                squares[tokens[token]] = nearest
        return squares

    squares = squares_of(found)
    levels = [square for square in squares.values() if square]
    certain = is_clear and len(squares) == len(tokens) and len(set(levels)) == len(levels)
    shown = squares if certain else squares_of(likely)
    ahead = sorted((token for token in shown if shown[token]), key=lambda one: -shown[one])
    return TrackReading({token: ids[square] for token, square in squares.items()}, ahead, certain)


def _without_shadows(
    strip: np.ndarray, sheet: np.ndarray, corner: tuple[int, int], diameter: float
) -> np.ndarray:
    """A strip in the brightness of its print, where a shadow's edge crosses it, too.

    ``corner`` (x, y) is the sheet's in the strip. Tokens cover less than half of any part.
    """
    (x, y), (high, wide) = corner, sheet.shape[:2]
    top, bottom = max(y, 0), min(y + high, len(strip))
    pair = (strip[top:bottom, x : x + wide], sheet[top - y : bottom - y])
    shown, known = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY).astype(np.float32) + 8 for one in pair)
    small = (wide // _COARSE, (bottom - top) // _COARSE)
    ratio = cv2.resize(shown / known, small, interpolation=cv2.INTER_AREA)
    levels = np.clip(ratio / _BRIGHTEST * 255, 0, 255).astype(np.uint8)
    around = 2 * round(_AROUND * diameter / _COARSE / 2) + 1
    even = cv2.resize(cv2.medianBlur(levels, around), (wide, bottom - top)).astype(np.float32)
    gain = np.maximum(even * (_BRIGHTEST / 255), _DARKEST)
    right = strip.shape[1] - x - wide
    edges = (top, len(strip) - bottom, x, right)
    gain = cv2.copyMakeBorder(gain, *edges, cv2.BORDER_REPLICATE)
    return np.asarray(np.clip(strip / gain[..., None], 0, 255), np.uint8)


def _tokens_at(
    strip: np.ndarray,
    spots: Sequence[tuple[int, int]],
    bare: Sequence[float],
    track: PrintedSpots,
) -> tuple[dict[int, int], dict[int, int], bool]:
    """The number of the token that is on a spot, for certain and by a guess at all of them.

    Also whether no other spot may bear one.

    Inks of tokens and sheet differ, so each token's colours are compared in the light in which the
    others look as printed.
    """
    faces, light = [*track.turned.values()], np.tile((1.0, 0.0), (3, 1))
    if track.only_colours:
        found = _identified_by_colour(strip, spots, bare, faces, _MOST_OTHERS)
        return found, found, bool(found)
    looks = as_printed = _looks(strip, spots, faces, light)
    for _ in range(_REFINED):
        likely = _likeliest(looks, bare)
        light = _light_of(strip, [(spots[spot], faces[token]) for spot, token in likely.items()])
        looks = _looks(strip, spots, faces, light)
    shown = looks if _is_plausible(light) else as_printed
    found, is_clear = _surely(shown, bare)
    if is_clear and len(found) == len(faces):
        return found, found, True
    identified = _identified_by_colour(strip, spots, bare, faces)
    if identified and found.items() <= identified.items():
        return identified, identified, True
    left = shown.copy()
    left[[*found]] = left[:, [*found.values()]] = -np.inf
    return found, found | _likeliest(left, bare), is_clear


def _is_plausible(light: np.ndarray) -> bool:
    """Whether (3, 2) gains and offsets may be those of tokens in the light of the sheet."""
    return bool(((light[:, 0] > _GAINS[0]) & (light[:, 0] < _GAINS[1])).all())


def _identified_by_colour(
    strip: np.ndarray,
    spots: Sequence[tuple[int, int]],
    bare: Sequence[float],
    faces: Sequence[np.ndarray],
    others: int = 0,
) -> dict[int, int]:
    """Every token by its colour, whatever the exposure, where as many spots show no print.

    That may be so of some `others`, too. Empty if that is uncertain.
    """
    on = compared_disc(faces[0].shape[1])
    covered = [spot for spot, shows_print in enumerate(bare) if shows_print < FITS]
    if not len(faces) <= len(covered) <= len(faces) + others:
        return {}
    seen = [np.median(pixels_of(strip, spots[spot], on), axis=0) for spot in covered]
    known = [np.median(face[0][on], axis=0) for face in faces]
    chosen, probability = assign_by_colour(np.array(seen), np.array(known))
    found = {covered[spot]: token for token, spot in enumerate(chosen)}
    light = _light_of(strip, [(spots[spot], faces[token]) for spot, token in found.items()])
    return found if probability >= _CERTAIN and _is_plausible(light) else {}


def _looks(
    strip: np.ndarray,
    spots: Sequence[tuple[int, int]],
    faces: Sequence[np.ndarray],
    light: np.ndarray,
) -> np.ndarray:
    """(S, T) similarities of spots to faces in a light of (3, 2) gains and offsets."""
    shown = np.clip(strip * light[:, 0] + light[:, 1], 0, 255)
    looks = [[similarity(shown, spot, own) for own in faces] for spot in spots]
    return np.reshape(looks, (len(spots), len(faces)))


def _likeliest(looks: np.ndarray, bare: Sequence[float]) -> dict[int, int]:
    """Spots with tokens, at most one each, for the largest total of (S, T) similarities."""
    import networkx as nx  # slow to import, and only needed where there is such a sheet

    pairs: nx.Graph[tuple[int, int]] = nx.Graph()
    for spot, token in zip(*np.nonzero(looks > _MAY_BE), strict=True):
        if looks[spot, token] > bare[spot] + CLEARLY:
            gain = float(looks[spot, token]) - _MAY_BE
            pairs.add_edge((0, int(spot)), (1, int(token)), weight=gain)
    matched = (sorted(pair) for pair in nx.max_weight_matching(pairs))
    return {spot: token for (_, spot), (_, token) in matched}


def _surely(looks: np.ndarray, bare: Sequence[float]) -> tuple[dict[int, int], bool]:
    """Spots with their tokens by (S, T) similarities, the most similar first; one of each token.

    Also whether no other spot looks like a token.
    """
    found, left = dict[int, int](), looks.copy()
    while left.size and left.max() >= FITS:
        spot, token = (int(one) for one in np.unravel_index(int(left.argmax()), left.shape))
        rival = np.delete(left[spot], token).max(initial=-np.inf)
        is_token = left[spot, token] >= max(rival, bare[spot]) + CLEARLY
        left[spot] = -np.inf
        if is_token:
            left[:, token] = -np.inf
            found[spot] = token
    others = [spot for spot in range(len(looks)) if spot not in found]
    missing = [token for token in range(looks.shape[1]) if token not in found.values()]
    if len(missing) == 1:
        (last,) = missing
        by_elimination = [
            spot
            for spot in others
            if looks[spot].argmax() == last
            and looks[spot, last] >= max(_LAST, bare[spot] + CLEARLY)
            and bare[spot] > -np.inf
        ]
        if len(by_elimination) == 1:
            found[by_elimination[0]] = last
            others.remove(by_elimination[0])
    return found, all(looks[spot].max() < max(FITS, bare[spot] + CLEARLY) for spot in others)


def _light_of(
    strip: np.ndarray, tokens: Sequence[tuple[tuple[int, int], np.ndarray]]
) -> np.ndarray:
    """(3, 2) gain and offset of each channel from tokens as seen in a strip to their faces."""
    light = np.tile((1.0, 0.0), (3, 1))
    if not tokens:
        return light
    on = compared_disc(tokens[0][1].shape[1])
    pairs = [
        (pixels_of(strip, spot, on).mean(axis=0), face[0][on].mean(axis=0)) for spot, face in tokens
    ]
    for channel in range(3):
        rows = [*([seen[channel], 1.0] for seen, _ in pairs), *_SAME_LIGHT]
        values = [*(known[channel] for _, known in pairs), _SAME_LIGHT[0][0], 0.0]
        light[channel] = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)[0]
    return light
