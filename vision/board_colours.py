"""Board colours: classify pieces by the colours of all pieces of a board at once.

Pieces of one kind look alike on one board, whatever colour the game gives for it: a set's green may
be nearer to the game's black than to its green. So the kinds' colours are fitted to the board
together with the assignment, as a mixture of one Student's t per kind (expectation maximization;
Peel and McLachlan, 2000). Clusters of the colours, one per kind, are among the starting points:
next to a black cluster a dark green one is the green. If clusters can be named in several ways,
each naming counts by its probability.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from calibration.colour_profile import (
    BRIGHTNESS,
    ColourProfile,
    Swatch,
    as_colour,
    colours_of,
    log_opponents,
)

_SPREAD = 0.12
"""Scale, in `coordinates`, of the distance between two views of pieces of one kind."""
_ALONG = 2.0
"""Factor of that scale between fainter and more vivid views of a vivid hue."""
_FREEDOM = 3.0
"""Degrees of freedom of that distribution: gloss, shade and visible print make long tails."""
_STRAY = -4.0
"""Log density of a view that shows no piece's colour; a grey kind's own colour has 0."""
_NOMINAL_SD, _SAMPLE_SD = 0.35, 0.06
"""Standard deviations of a kind's colour about the game's, and about the owner's sample."""
_SAME_LIGHT = 0.3, 0.1
"""Standard deviations of the shift common to all colours, from the game's and the owner's."""
_NETWORK_WEIGHT = 0.8
"""Weight of the network's log odds against the colours."""
_NETWORK_WEIGHT_FITTING = 0.8, 0.3
"""The same during fitting, with the game's colours only, and once one colour is known: a network
that takes one dark green piece for black takes all of them, so many such answers are hardly more
evidence than one."""
_SUREST = -9.0
"""Least log probability that the network leaves to any kind."""
_DISPUTED = 0.05, 0.3
"""Probability that the network alone is right against the board's colours, about one piece of a
kind and about all of them."""
_RIVAL = 8.0
"""Log likelihood by which another naming of the clusters may fall short and still be fitted."""
_FEWEST = 2
"""Least number of pieces in a cluster."""
_MEMBER = 1e-3
"""Number of pieces below which a kind is absent from a fit."""
_PRESENT = 0.5
"""Number of pieces from which a kind is there."""
_ROUNDS = 15
_SURE, _ENOUGH = 0.9, 6
"""Probability and number of places from which the range of a kind's colours is estimated."""
_MOST = 0.15, 0.85
"""Quantiles, beyond which a place may show something else as well."""
_GREY = 0.3
"""Chroma below which a colour cannot be more or less vivid."""
_VIVID = 0.8
"""Chroma above which colours of one hue are equivalent: cameras make them more vivid."""
_GLOSS = 0.25
"""Share of white that a reflection adds to a vivid colour."""
_ONE_HUE = 0.5
"""Distance in `hues` below which a print has a kind's hue."""


@dataclass(frozen=True, eq=False)
class KindColours:
    """Priors of the K kinds' colours: (K, 3) `coordinates`, (K,) standard deviations.

    ``light`` is the standard deviation of the shift common to all, ``network_weight`` the weight of
    the network during fitting; ``unshown`` are the same without their owner's samples, if any.
    """

    at: np.ndarray
    spread: np.ndarray
    light: float
    network_weight: float
    unshown: "KindColours | None" = None

    @classmethod
    def of(
        cls, said: Sequence[Swatch], shown: ColourProfile, learnt: ColourProfile
    ) -> "KindColours":
        """From the game's swatch of each kind (``said``) and its owner's (``shown``).

        Kinds without the latter are as ``learnt`` on this board, which also gives an estimate of
        this light, in which the remaining kinds' nominal colours are taken to be.
        """
        at, known_by = [], []
        for swatch in said:
            samples, seen = (
                [one.bgr for one in known.swatches if one.piece == swatch.piece]
                for known in (shown, learnt)
            )
            at.append(coordinates(np.array(samples or seen or [swatch.bgr], float)).mean(axis=0))
            known_by.append("sample" if samples else "board" if seen else "")
        colours, by = np.array(at), np.array(known_by)
        off = colours - coordinates(np.array([one.bgr for one in said], float))
        of_board = off[by == "board"] / _NOMINAL_SD**2
        surely = len(of_board) / _NOMINAL_SD**2 + _SAME_LIGHT[bool((by == "sample").any())] ** -2
        colours[by == ""] += of_board.sum(axis=0) / surely
        spread = np.where(by == "", _NOMINAL_SD, _SAMPLE_SD)
        weight = _NETWORK_WEIGHT_FITTING[bool((by != "").any())]
        unshown = cls.of(said, ColourProfile(), learnt) if (by == "sample").any() else None
        return cls(colours, spread, surely**-0.5, weight, unshown)

    def fitting(self, odds: np.ndarray, bgr: np.ndarray) -> "KindColours":
        """These, or `unshown` where a board contradicts the samples: those are of another light.

        ``odds`` and ``bgr`` are those of `weigh_colours`.
        """
        if self.unshown is None:
            return self
        views = _Views.of(odds, bgr)
        return self.unshown if _are_contradicted(self, self.unshown, views) else self


def coordinates(bgr: np.ndarray) -> np.ndarray:
    """(N, 3) `log_opponents` of (N, 3) levels, scaled so that hue and brightness weigh equally."""
    return np.asarray(log_opponents(bgr) / (1, 1, BRIGHTNESS))


def from_coordinates(at: np.ndarray) -> np.ndarray:
    """(N, 3) BGR levels of (N, 3) `coordinates`.

    >>> from_coordinates(coordinates(np.array([[0, 2, 187], [90, 90, 90]]))).round().tolist()
    [[0.0, 2.0, 187.0], [90.0, 90.0, 90.0]]
    """
    return colours_of(at * (1, 1, BRIGHTNESS))


def weigh_colours(
    odds: np.ndarray, bgr: np.ndarray, kinds: KindColours
) -> tuple[np.ndarray, np.ndarray]:
    """(N, K + 1) log probabilities of each kind and of "empty", given the board's colours.

    ``odds`` (N, K + 1) are the network's for N places, ``bgr`` (N, 3) the colours shown. The
    probability of any piece is unchanged. Also returns the (K, 3) `coordinates` of the kinds.
    """
    views = _Views.of(odds, bgr)
    alone, there, seen = views.alone, views.there, views.seen
    said = np.logaddexp(alone, _SUREST)
    network_odds = kinds.network_weight * said
    fits = _fits(network_odds, there, seen, kinds)
    best, most = max(fits, key=lambda fit: fit[0]), _DISPUTED[0]
    if kinds.spread.max() > _SAMPLE_SD:  # otherwise their owner has named them
        renamed = _renamed(*best, network_odds, there, seen, kinds)
        fits += [_fit(start, network_odds, there, seen, kinds) for start in renamed]
        most = _DISPUTED[1]
    else:
        fits = [best]
    log_shares, colours = _averaged(fits, _NETWORK_WEIGHT * said, there, seen)
    members = np.exp(log_shares) * there[:, None]
    otherwise = 1 - np.exp(alone - alone.max(axis=1, keepdims=True))
    by_network = (members * otherwise).sum(axis=0) / np.maximum(members.sum(axis=0), 1e-9)
    disputed = np.maximum(most * by_network, _DISPUTED[0])[log_shares.argmax(axis=1), None]
    log_shares = np.logaddexp(np.log(1 - disputed) + log_shares, np.log(disputed) + alone)
    return np.hstack([log_shares + views.taken, views.empty]), colours


@dataclass(frozen=True, eq=False)
class _Views:
    """N places as weighed.

    ``alone`` (N, K) are log probabilities of the kinds, given a piece; ``taken`` and ``empty``
    (N, 1) those of any piece and of none; ``there`` (N,) is the probability of a piece, and
    ``seen`` (N, 3) are `coordinates`.
    """

    alone: np.ndarray
    taken: np.ndarray
    empty: np.ndarray
    there: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, odds: np.ndarray, bgr: np.ndarray) -> "_Views":
        log_odds = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
        taken = np.logaddexp.reduce(log_odds[:, :-1], axis=1, keepdims=True)
        there = np.exp(taken[:, 0])
        # otherwise many bare places, each with a small probability, would outweigh the few pieces
        there[there < 0.5] = 0
        seen = coordinates(np.maximum(bgr, 0))
        return cls(log_odds[:, :-1] - taken, taken, log_odds[:, -1:], there, seen)


def share_colours_by_hex(
    odds: np.ndarray,
    bgr: np.ndarray,
    said: Sequence[Swatch],
    others: Sequence[Swatch],
    known: ColourProfile,
) -> ColourProfile:
    """Swatches of kinds not ``known`` yet that share a nominal colour with a kind seen here.

    Kinds with the same #rrggbb in the game are assumed to share plastic or paint: forty carriages
    that show this board's green also give that of its three stations. ``odds`` are from
    `weigh_colours` of the kinds as ``said``, with the same ``bgr``; ``others`` are all kinds with
    the game's colours.
    """
    sure = np.exp(odds[:, :-1]) > _SURE
    shown = {swatch.piece for swatch in known.swatches}
    return ColourProfile(
        tuple(
            Swatch(other.piece, as_colour(np.median(bgr[sure[:, n]], axis=0)))
            for n, kind in enumerate(said)
            if sure[:, n].sum() >= _ENOUGH
            for other in others
            if other.colour == kind.colour and other.piece not in shown
        )
    )


def shade_ranges(odds: np.ndarray, bgr: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """(K, 2, 3) `coordinates` between which most pieces of each kind are, from faint to vivid.

    ``odds`` and ``colours`` are from `weigh_colours`, with the same ``bgr`` (N, 3). The darkest
    channel of a vivid piece is nearly 0 in shade and many times that in the sun: pieces of one hue
    differ by more there than hues do.
    """
    chroma = np.linalg.norm(colours[:, :2], axis=1, keepdims=True)
    along = np.hstack([colours[:, :2] / np.maximum(chroma, _GREY), np.zeros((len(colours), 1))])
    off = ((coordinates(np.maximum(bgr, 0))[:, None] - colours) * along).sum(axis=2)
    sure = np.exp(odds[:, :-1]) > _SURE
    ends = np.repeat(colours[:, None], 2, axis=1)
    for kind in np.flatnonzero(sure.sum(axis=0) >= _ENOUGH):
        faintest, vividest = np.quantile(off[sure[:, kind], kind], _MOST)
        reach = np.array([min(faintest, 0.0), max(vividest, 0.0)])
        ends[kind] += reach[:, None] * along[kind]
    return ends


def off_range(seen: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(...) distances of (..., 3) `coordinates` from the (..., 2, 3) `shade_ranges`."""
    first, way = ends[..., 0, :], ends[..., 1, :] - ends[..., 0, :]
    from_first = seen - first
    length = np.maximum((way**2).sum(axis=-1), 1e-12)
    part = np.clip((from_first * way).sum(axis=-1) / length, 0, 1)
    return np.asarray(np.linalg.norm(from_first - part[..., None] * way, axis=-1))


def off_glossy(seen: np.ndarray, known: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """As `off_range`, where a lamp or window may be reflected on a piece of a vivid hue.

    That adds white, so that the piece is paler and its darkest channel many times as bright. Not
    on ``known`` print, (..., 3) `coordinates`, of that hue, which may be paler than the reference.
    """
    faint = ends[..., 0, :]
    vivid = np.linalg.norm(faint[..., :2], axis=-1, keepdims=True) > _VIVID
    pale = np.where(vivid, _under_gloss(faint), faint)
    apart = np.linalg.norm((hues(known) - hues(faint))[..., :2], axis=-1)
    off = off_range(seen, ends)
    glossy = np.minimum(off, off_range(seen, np.stack([faint, pale], axis=-2)))
    return np.where(apart < _ONE_HUE, off, glossy)


def hues(colours: np.ndarray) -> np.ndarray:
    """(..., 3) `coordinates` with the chroma clipped, so that vivid colours do not differ by it."""
    chroma = np.linalg.norm(colours[..., :2], axis=-1, keepdims=True)
    hue = colours[..., :2] * np.minimum(1, _VIVID / np.maximum(chroma, 1e-6))
    return np.concatenate([hue, colours[..., 2:]], axis=-1)


def _under_gloss(colours: np.ndarray) -> np.ndarray:
    """(..., 3) `coordinates` of colours to which a reflection adds a share `_GLOSS` of white."""
    flat = colours.reshape(-1, 3)
    shown = from_coordinates(flat)
    return coordinates(shown + _GLOSS * (255 - shown)).reshape(colours.shape)


def one_of_each(likes: np.ndarray) -> list[int]:
    """The most likely assignment of N items to distinct kinds, for (N, K) log odds, N <= K.

    >>> one_of_each(np.array([[0.0, -1.0], [0.0, -3.0]]))
    [1, 0]
    """
    import networkx as nx  # slow to import, and only needed for boards of several kinds

    count = len(likes)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(
        (row, count + kind, odds)
        for row, of_kinds in enumerate(likes)
        for kind, odds in enumerate(of_kinds)
    )
    pairs = (sorted(pair) for pair in nx.max_weight_matching(graph, maxcardinality=True))
    kinds = {row: kind - count for row, kind in pairs}
    return [kinds[row] for row in range(count)]


def _fits(
    network_odds: np.ndarray, there: np.ndarray, seen: np.ndarray, kinds: KindColours
) -> list[tuple[float, np.ndarray]]:
    """The `_fit` from each start."""
    starts = _starts(network_odds, there, seen, kinds)
    return [_fit(start, network_odds, there, seen, kinds) for start in starts]


def _are_contradicted(shown: KindColours, unshown: KindColours, views: _Views) -> bool:
    """Whether pieces, of several kinds, look more as the game says than as their owner's samples.

    A single kind tells little of the light, and the network may mistake all of its pieces.
    """
    network_odds = _NETWORK_WEIGHT * np.logaddexp(views.alone, _SUREST)
    as_shown, _ = _evidence(shown, network_odds, views.there, views.seen)
    as_said, members = _evidence(unshown, network_odds, views.there, views.seen)
    return bool(as_said > as_shown and (members > _PRESENT).sum() > 1)


def _evidence(
    kinds: KindColours, network_odds: np.ndarray, there: np.ndarray, seen: np.ndarray
) -> tuple[float, np.ndarray]:
    """Log probability of what is seen, by Laplace's approximation, and (K,) numbers of pieces."""
    score, colours = max(_fits(network_odds, there, seen, kinds), key=lambda fit: fit[0])
    odds, near = _odds(colours, network_odds, seen)
    shares = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
    sure = (shares * near).T @ there / _SPREAD**2
    narrowed = 1 + kinds.spread**2 * sure
    light = 1 + kinds.light**2 * (sure / narrowed).sum()
    evidence = score - 1.5 * (np.log(narrowed).sum() + np.log(light))
    return float(evidence), shares.T @ there


def _starts(
    network_odds: np.ndarray, there: np.ndarray, seen: np.ndarray, kinds: KindColours
) -> Iterator[np.ndarray]:
    """(K, 3) starting colours: the priors, the network's means, clusters."""
    yield kinds.at
    probabilities = (
        np.exp(network_odds - np.logaddexp.reduce(network_odds, axis=1, keepdims=True))
        * there[:, None]
    )
    count = probabilities.sum(axis=0)[:, None]
    yield np.where(count > 1, probabilities.T @ seen / np.maximum(count, 1e-9), kinds.at)
    lying = there > 0
    pieces = seen[lying].astype(np.float32)
    for clusters in range(2, len(kinds.at) + 1):
        if len(pieces) < _FEWEST * clusters:
            return
        cv2.setRNGSeed(clusters)
        until = (cv2.TERM_CRITERIA_MAX_ITER + cv2.TERM_CRITERIA_EPS, 20, 1e-3)
        _, label, centres = cv2.kmeans(
            pieces, clusters, np.empty(0), until, 3, cv2.KMEANS_PP_CENTERS
        )
        members = [np.flatnonzero(label.ravel() == n) for n in range(clusters)]
        large = [n for n in range(clusters) if len(members[n]) >= _FEWEST]
        apart = ((centres[large, None] - kinds.at) ** 2).sum(axis=-1) / (2 * _NOMINAL_SD**2)
        likes = np.array([network_odds[lying][members[n]].mean(axis=0) for n in large])
        likes /= kinds.network_weight
        start = kinds.at.copy()
        start[one_of_each(likes - apart)] = centres[large]
        yield start


def _renamed(
    score: float,
    colours: np.ndarray,
    network_odds: np.ndarray,
    there: np.ndarray,
    seen: np.ndarray,
    kinds: KindColours,
) -> Iterator[np.ndarray]:
    """(K, 3) ``colours`` of the best fit with two kinds exchanged, if that may be as likely."""
    for pair in combinations(range(len(colours)), 2):
        exchanged = colours.copy()
        exchanged[[*pair]] = colours[[*pair[::-1]]]
        if _score(exchanged, network_odds, there, seen, kinds) > score - _RIVAL:
            yield exchanged


def _averaged(
    fits: Sequence[tuple[float, np.ndarray]],
    network_odds: np.ndarray,
    there: np.ndarray,
    seen: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """(N, K) log shares of the kinds, averaged over fits by likelihood, and (K, 3) their colours.

    A kind's colour is from the fit with most of its pieces. Fits that agree on all pieces count
    once.
    """
    apart: dict[tuple[int, ...], tuple[float, np.ndarray, np.ndarray]] = {}
    for score, colours in sorted(fits, key=lambda fit: -fit[0]):
        odds, _ = _odds(colours, network_odds, seen)
        shares = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
        apart.setdefault(tuple(shares[there > 0].argmax(axis=1)), (score, shares, colours))
    scores, shares, colours = (np.array(one) for one in zip(*apart.values(), strict=True))
    weights = (scores - np.logaddexp.reduce(scores))[:, None, None]
    members = there @ np.exp(weights + shares)
    likeliest = np.where(members.max(axis=0) > _MEMBER, members.argmax(axis=0), 0)
    at = colours[likeliest, np.arange(colours.shape[1])]
    return np.logaddexp.reduce(weights + shares, axis=0), at


def _score(
    colours: np.ndarray,
    network_odds: np.ndarray,
    there: np.ndarray,
    seen: np.ndarray,
    kinds: KindColours,
) -> float:
    """Log likelihood of the colours, in the light that makes them the least surprising."""
    odds, _ = _odds(colours, network_odds, seen)
    sure, off = kinds.spread**-2, colours - kinds.at
    light = sure @ off / (sure.sum() + kinds.light**-2)
    strange = sure @ ((off - light) ** 2).sum(axis=1) + (light**2).sum() / kinds.light**2
    return float(there @ np.logaddexp.reduce(odds, axis=1) - strange / 2)


def _fit(
    colours: np.ndarray,
    network_odds: np.ndarray,
    there: np.ndarray,
    seen: np.ndarray,
    kinds: KindColours,
) -> tuple[float, np.ndarray]:
    """The log likelihood of the best colours near ``colours``, and those colours.

    ``network_odds`` (N, K) are the network's log odds, ``there`` (N,) probabilities of a piece.
    """
    sure, light = kinds.spread**-2, np.zeros(3)
    for _ in range(_ROUNDS):
        odds, near = _odds(colours, network_odds, seen)
        probabilities = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
        weights = probabilities * near * there[:, None] / _SPREAD**2
        total = weights.sum(axis=0)
        pulled = weights.T @ seen
        # each kind counts towards the light as precisely as its own colour is known and seen
        tells = sure * total / (sure + total)
        off = pulled / np.maximum(total, 1e-9)[:, None] - kinds.at
        light = tells @ off / (tells.sum() + kinds.light**-2)
        colours = (pulled + sure[:, None] * (kinds.at + light)) / (total + sure)[:, None]
    return _score(colours, network_odds, there, seen, kinds), colours


def _odds(
    colours: np.ndarray, network_odds: np.ndarray, seen: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(N, K) log odds of kinds with (K, 3) colours, and the weight of each view for each kind."""
    off = seen[:, None] - colours
    chroma = np.linalg.norm(colours[:, :2], axis=1, keepdims=True)
    along = (off[..., :2] * colours[:, :2] / np.maximum(chroma, _GREY)).sum(axis=-1)
    explained = (1 - _ALONG**-2) * np.clip(chroma[:, 0] - _GREY, 0, 1)
    distance = ((off**2).sum(axis=-1) - explained * along**2) / _SPREAD**2
    density = np.log1p(-explained) / 2 - (_FREEDOM + 3) / 2 * np.log1p(distance / _FREEDOM)
    either = np.logaddexp(density, _STRAY)
    near = (_FREEDOM + 3) / (_FREEDOM + distance) * np.exp(density - either)
    return either + network_odds, near
