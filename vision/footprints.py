"""Footprints: where the pieces of a board are, and which place each belongs to.

A piece half beside its place covers half of the next one, where a network mistakes it for another
piece. So each place is searched for the one object, of the size of this board's pieces, that best
explains which pixels have a piece's colour and not the print's. What an object of one place covers
does not count for any other: the object belongs to the place that it fits best.
"""

from dataclasses import dataclass

import numpy as np

from vision.board_colours import coordinates, hues, off_glossy
from vision.fine_patches import COLOUR_PX, FinePlaces

_STEP = 0.15
"""A pixel this much nearer to one colour than to another, in `coordinates`, has the former."""
_FAR = 0.5
"""Largest distance of a pixel from a kind's colour, however far it is from the print's."""
_OWN = 0.15, 0.4
"""Hue distances between print and piece at which colour is uninformative and fully informative."""
_Size = float | tuple[float, float]
_SIZES: dict[bool, tuple[_Size, ...]] = {
    True: ((0.92, 0.4), (0.92, 0.5), (0.92, 0.65), (0.92, 0.8)),
    False: (0.6, 0.75, 0.9),
}
"""Length and width of pieces on oblong places, or their diameter, relative to the place."""
_USUAL: dict[bool, _Size] = {True: (0.92, 0.8), False: 0.85}
_TURNS = (-12.0, 0.0, 12.0)
_TURNED = -0.7
_ASIDE = {True: (0.24, 0.8, 5, 11), False: (0.35, 0.35, 9, 9)}
"""Search range along and across a place, in its sides, and the number of steps of either."""
_SPREAD = {True: (0.12, 0.3), False: (0.15, 0.15)}
"""Standard deviations of the pieces' positions."""
_FIT = 8.0
"""Log odds of an object that explains all of its pixels."""
_PLAIN = 2.0
"""Log odds, and fit, from which an object counts towards where and how large pieces are."""
_FEWEST = 6
_INNER = 0.85
"""Share of a place's sides within which its colours are compared with its print's."""
_CONSIDERED, _THERE = -6.0, 1.0
"""Log odds from which a place is searched for any kind and its object given to a neighbour that it
fits better, and the fit from which an object explains others."""
_LARGER = 1.1, 1.3
"""Size of an object relative to its footprint, as it is seen at an angle."""
_CLAIMED = -0.3
_OTHERWISE, _BETTER = 4.0, 2.0
"""Log odds that an object of a less likely kind must reach, and by how much its kind's log odds
and its own must exceed those of the likeliest kind, for it to be taken to lie there."""
_NEAR = 3.2
"""Largest distance between places that may share an object, relative to a patch's reach."""


@dataclass(frozen=True, eq=False)
class Footprints:
    """The objects found on N places: how well each ``fits``, in log odds, and of which ``kind``.

    ``left`` is the same without the pixels covered by objects of other places, and ``owner`` the
    index of the place whose object covers them, -1 for none. ``own`` is the share of the object, 0
    to 1, on print of its own colour, where colour is uninformative. ``strange`` is the median
    distance of the place from its print, in `coordinates`, whatever is there. ``about`` is how well
    an object explains the pixels wherever it lies, in log odds.
    """

    kind: np.ndarray
    fits: np.ndarray
    left: np.ndarray
    owner: np.ndarray
    own: np.ndarray
    strange: np.ndarray
    about: np.ndarray


def find_footprints(
    places: FinePlaces,
    photo: np.ndarray,
    print_: np.ndarray,
    shades: np.ndarray,
    kinds: np.ndarray,
    taken: np.ndarray,
) -> Footprints:
    """Find objects of the kinds' colours, ``shades`` (K, 2, 3) from `shade_ranges`.

    ``photo``, in the reference's light, and ``print_`` are (N, C, C, 3) uint8 patches; ``kinds``
    (N, K) are the log odds of the kinds from other evidence, ``taken`` (N,) those of any piece.
    """
    kind = kinds.argmax(axis=1)
    shown, known, off_print = _off_print(photo, print_)
    tells, own = _telling(shown, known, off_print, shades[kind])
    plain, considered = taken > _PLAIN, taken > _CONSIDERED
    things = _Things.as_large_as(places, tells[plain])
    lies = (_FIT * tells @ things.shares.T).max(axis=1)
    less, likeliest = kinds - kinds.max(axis=1, keepdims=True), kind.copy()
    for other, colours in enumerate(shades):  # on bare places other evidence hardly tells kinds
        may = (less[:, other] + _FIT > lies + _BETTER) & (likeliest != other)
        rows = np.flatnonzero(may & considered & ~plain)
        telling, on_print = _telling(shown[rows], known[rows], off_print[rows], colours[None])
        explained = (_FIT * telling @ things.shares.T).max(axis=1)
        likelier = less[rows, other] + explained
        better = (explained > _OTHERWISE) & (likelier > lies[rows] + _BETTER)
        rows = rows[better]
        kind[rows], lies[rows] = other, likelier[better]
        tells[rows], own[rows] = telling[better], on_print[better]
    at_rest = np.broadcast_to(things.likely, (len(kind), len(things.likely)))
    explained = _FIT * tells @ things.shares.T
    best = (explained + at_rest).argmax(axis=1)
    plain &= (explained + at_rest).max(axis=1) > _PLAIN
    likely = at_rest
    if plain.sum() >= _FEWEST:
        on_board = np.einsum("nij,nj->ni", places.onto_board, things.aside[best])
        lean = np.median(on_board[plain], axis=0)
        likely = things.leaning(np.einsum("nji,j->ni", places.onto_board, lean))
    best = (explained + likely).argmax(axis=1)
    fits = (explained + likely).max(axis=1)
    left, owner = _shared(places, things, tells, likely, best, fits, kind, considered)
    strange = np.median(off_print[:, places.on(COLOUR_PX, _INNER).ravel()], axis=1)
    own_print, about = (own * things.shares[best]).sum(axis=1), explained.max(axis=1)
    return Footprints(kind, fits, left, owner, own_print, strange, about)


def _off_print(photo: np.ndarray, print_: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(N, C, C, 3) float32 `coordinates` of both, and (N, C * C) distances from the print."""
    shape = (len(photo), COLOUR_PX, COLOUR_PX, 3)
    shown, known = (
        coordinates(one.reshape(-1, 3)).reshape(shape).astype(np.float32) for one in (photo, print_)
    )
    padded = np.pad(known, ((0, 0), (1, 1), (1, 1), (0, 0)), "edge")
    off_print = np.full(shape[:3], np.inf, np.float32)
    for down in range(3):
        for right in range(3):
            beside = padded[:, down : down + COLOUR_PX, right : right + COLOUR_PX]
            np.minimum(off_print, ((shown - beside) ** 2).sum(axis=3), out=off_print)
    return shown, known, np.sqrt(off_print).reshape(len(photo), COLOUR_PX**2)


def _telling(
    shown: np.ndarray, known: np.ndarray, off_print: np.ndarray, kind: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(N, C * C) whether a pixel has the kind's colour, 1, or the print's, -1; 0 for neither.

    Also how much the print's pixel has the kind's hue, 0 to 1. ``kind`` (N, 2, 3) are each place's
    `shade_ranges`, the others from `_off_print`.
    """
    ends = kind.astype(np.float32)[:, None, None]
    colour, flat = ends.mean(axis=-2), off_print.shape
    off_kind = off_glossy(shown, known, ends).reshape(flat)
    log_odds = np.clip((off_print - off_kind) / _STEP, -1, 1)
    log_odds[(off_kind > _FAR) & (log_odds > 0)] = 0
    apart = np.sqrt(((hues(known) - hues(colour)) ** 2).sum(axis=3)).reshape(flat)
    differs = np.clip((apart - _OWN[0]) / (_OWN[1] - _OWN[0]), 0, 1)
    return log_odds * differs, 1 - differs


@dataclass(frozen=True, eq=False)
class _Things:
    """T candidate poses of an object on a place.

    ``shares`` (T, C * C) float32 are its pixels, summing to 1; ``aside`` (T, 2) mm along and across
    the place and ``turned`` (T,) radians are its pose, ``likely`` (T,) its log prior. ``half`` (2,)
    mm is half its size, ``spread`` (2,) mm the standard deviation of its position.
    """

    shares: np.ndarray
    aside: np.ndarray
    turned: np.ndarray
    likely: np.ndarray
    half: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, places: FinePlaces, size: _Size) -> "_Things":
        """Objects of a size given in sides of the places."""
        own, half = places.own_mm(COLOUR_PX), places.half * np.array(size)
        along, across, steps, rows = _ASIDE[places.oblong]
        shares, aside, turned = [], [], []
        for turn in np.radians(_TURNS if places.oblong else (0.0,)):
            c, s = np.cos(turn), np.sin(turn)
            for x in np.linspace(-2 * along, 2 * along, steps) * places.half[0]:
                for y in np.linspace(-2 * across, 2 * across, rows) * places.half[1]:
                    inside = _inside(own - (x, y), c, s, half, places.oblong)
                    shares.append(inside.ravel() / max(1, inside.sum()))
                    aside.append((x, y))
                    turned.append(turn)
        spread = 2 * places.half * _SPREAD[places.oblong]
        likely = np.where(np.array(turned) == 0, 0.0, _TURNED)
        likely -= ((np.array(aside) / spread) ** 2).sum(axis=1) / 2
        px = np.array(shares, np.float32)
        return cls(px, np.array(aside), np.array(turned), likely, half, spread)

    @classmethod
    def as_large_as(cls, places: FinePlaces, tells: np.ndarray) -> "_Things":
        """Objects of the size that best explains the (M, C * C) pixels of occupied places."""
        if len(tells) < _FEWEST:
            return cls.of(places, _USUAL[places.oblong])
        sizes = [cls.of(places, size) for size in _SIZES[places.oblong]]

        def explains(things: _Things) -> float:
            """The number of pixels that the best object explains, in hundredths of a patch."""
            count = 1 / things.shares.max(axis=1)
            most = 100 / COLOUR_PX**2 * count * (tells @ things.shares.T) + things.likely / 5
            return float(most.max(axis=1).mean())

        return max(sizes, key=explains)

    def leaning(self, aside: np.ndarray) -> np.ndarray:
        """(N, T) log priors of poses given (N, 2) mm mean offsets: pieces lean in the picture."""
        off = (self.aside - aside[:, None]) / self.spread
        turned = np.where(self.turned == 0, 0.0, _TURNED)
        return np.asarray(turned - (off**2).sum(axis=2) / 2)


def _inside(own: np.ndarray, c: float, s: float, half: np.ndarray, oblong: bool) -> np.ndarray:
    """Whether (..., 2) mm from an object's centre are on it, turned by an angle of that cosine.

    ``c`` and ``s`` are the angle's cosine and sine; ``half`` (2,) mm are half its length and width.
    """
    x, y = own[..., 0], own[..., 1]
    along, across = np.abs(c * x + s * y) / half[0], np.abs(c * y - s * x) / half[1]
    return np.asarray((np.maximum(along, across) if oblong else np.hypot(along, across)) <= 1)


def _shared(
    places: FinePlaces,
    things: _Things,
    tells: np.ndarray,
    likely: np.ndarray,
    best: np.ndarray,
    fits: np.ndarray,
    kind: np.ndarray,
    considered: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """(N,) fits without the pixels that objects of other places cover, and (N,) their owners.

    The objects that fit best claim their pixels first.
    """
    left, owner, lies = fits.copy(), np.full(len(fits), -1), best.copy()
    own = places.own_mm(COLOUR_PX)
    half = things.half * (_LARGER if places.oblong else _LARGER[0])

    def covered(place: int, other: int) -> np.ndarray:
        """(C * C,) bool, the pixels of a place that another place's object covers."""
        aside = places.onto_board[other] @ things.aside[lies[other]]
        on_board = own @ places.onto_board[place].T + (places.at[place] - places.at[other] - aside)
        turn = places.turn[other] + things.turned[lies[other]]
        return _inside(on_board, np.cos(turn), np.sin(turn), half, places.oblong).ravel()

    away = np.linalg.norm(places.at[:, None] - places.at, axis=2)
    rivals = (away < _NEAR * places.half.max()) & (kind[:, None] == kind)
    found: list[int] = []
    for place in sorted(np.flatnonzero(considered).tolist(), key=lambda n: -fits[n]):
        others = {other: covered(place, other) for other in found if rivals[place, other]}
        if others:
            claimed = np.any([*others.values()], axis=0)
            rest = np.where(claimed, np.minimum(tells[place], _CLAIMED), tells[place])
            now = _FIT * (things.shares @ rest) + likely[place]
            if now.max() < left[place] - 0.5:
                shared = {o: px @ things.shares[best[place]] for o, px in others.items()}
                left[place], lies[place] = now.max(), now.argmax()
                owner[place] = max(shared, key=lambda o: shared[o])
        if left[place] > _THERE:
            found.append(place)
    return left, owner
