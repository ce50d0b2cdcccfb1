"""Board colours: classify pieces by the colours of all pieces of a board at once.

Pieces of one kind look alike on one board, whatever colour the game gives for it: a set's green may
be nearer to the game's black than to its green. So the kinds' colours are fitted to the board
together with the assignment, as a mixture of one Student's t per kind (expectation maximization;
Peel and McLachlan, 2000). Clusters of the colours, one per kind, are among the starting points:
next to a black cluster a dark green one is the green. If clusters can be named in several ways,
each naming counts by its probability.
"""

import math
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
_TOLD_APART, _ALIKE = 0.4, 5.0
"""Share of two kinds' distance in the game from which nearer ones are unlikely, and how much, per
squared log ratio: a board's kinds can be told apart, so one cluster is not two kinds.
"""
_ABSENT = -6.0
"""Log odds of a kind in a fit that does without it."""
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
_ROUNDS, _SETTLED = 15, 1e-3
"""Most rounds of a fit, and the change of its colours, in `coordinates`, that ends it."""
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
_REFLECTED, _RARELY = (0.2, 0.4, 0.6), 1.0
"""The same in the light of a lamp or window, and how much less likely each is than none."""
_MIRRORING = 0.5
"""Chroma above which that is seen: white on grey looks like grey in more light."""
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
    lying = there > 0
    pieces = kinds.network_weight * said[lying], there[lying], seen[lying]
    fits = _fits(*pieces, kinds)
    best, most = max(fits, key=lambda fit: fit.score), _DISPUTED[0]
    if kinds.spread.max() > _SAMPLE_SD:  # otherwise their owner has named them
        fits += _renamed(best, *pieces, kinds)
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
class _Fit:
    """Fitted (K, 3) ``colours``, their log likelihood, and (K,) log odds of ``absent`` kinds."""

    score: float
    colours: np.ndarray
    absent: np.ndarray


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
    pale = np.where(vivid, _in_reflection(faint, _GLOSS), faint)
    apart = np.linalg.norm((hues(known) - hues(faint))[..., :2], axis=-1)
    off = off_range(seen, ends)
    glossy = np.minimum(off, off_range(seen, np.stack([faint, pale], axis=-2)))
    return np.where(apart < _ONE_HUE, off, glossy)


def hues(colours: np.ndarray) -> np.ndarray:
    """(..., 3) `coordinates` with the chroma clipped, so that vivid colours do not differ by it."""
    chroma = np.linalg.norm(colours[..., :2], axis=-1, keepdims=True)
    hue = colours[..., :2] * np.minimum(1, _VIVID / np.maximum(chroma, 1e-6))
    return np.concatenate([hue, colours[..., 2:]], axis=-1)


def _in_reflection(colours: np.ndarray, share: float) -> np.ndarray:
    """(..., 3) `coordinates` of colours to which a reflection adds a ``share`` of white."""
    flat = colours.reshape(-1, 3)
    shown = from_coordinates(flat)
    return coordinates(shown + share * (255 - shown)).reshape(colours.shape)


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
) -> list[_Fit]:
    """The fits from each start."""
    every = np.zeros(len(kinds.at))
    starts = _starts(network_odds, there, seen, kinds)
    return [fit for at in starts for fit in _fits_from(at, every, network_odds, there, seen, kinds)]


def _fits_from(
    start: np.ndarray,
    absent: np.ndarray,
    network_odds: np.ndarray,
    there: np.ndarray,
    seen: np.ndarray,
    kinds: KindColours,
) -> Iterator[_Fit]:
    """The `_fit` from a start, and those without either of two kinds that are alike in it."""
    fit = _fit(start, absent, network_odds, there, seen, kinds)
    yield fit
    twins = np.transpose(np.triu_indices(len(start), 1))[_alike(fit.colours, kinds) > 0]
    for kind in np.unique(twins):
        without = absent.copy()
        without[kind] = _ABSENT
        yield _fit(start, without, network_odds, there, seen, kinds)


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
    fit = max(_fits(network_odds, there, seen, kinds), key=lambda fit: fit.score)
    odds, near = _odds(fit.colours, network_odds + fit.absent, there, seen)
    shares = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
    sure = (shares * near).T @ there / _SPREAD**2
    narrowed = 1 + kinds.spread**2 * sure
    light = 1 + kinds.light**2 * (sure / narrowed).sum()
    evidence = fit.score - 1.5 * (np.log(narrowed).sum() + np.log(light))
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
    best: _Fit, network_odds: np.ndarray, there: np.ndarray, seen: np.ndarray, kinds: KindColours
) -> Iterator[_Fit]:
    """Fits from the best one with two kinds exchanged, if that may be as likely.

    A kind that has no pieces then is absent, wherever its colour may be.
    """
    odds, _ = _odds(best.colours, network_odds + best.absent, there, seen)
    shares = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
    present = there @ shares > _PRESENT
    guessed = kinds.spread > _SAMPLE_SD
    for pair in combinations(range(len(present)), 2):
        if not (present[[*pair]].any() and guessed[[*pair]].all()):
            continue
        colours, absent = best.colours.copy(), best.absent.copy()
        for kind, other in (pair, pair[::-1]):
            colours[kind] = best.colours[other] if present[other] else kinds.at[kind]
            absent[kind] = 0 if present[other] else _ABSENT
        if _score(colours, network_odds + absent, there, seen, kinds) > best.score - _RIVAL:
            yield from _fits_from(colours, absent, network_odds, there, seen, kinds)


def _averaged(
    fits: Sequence[_Fit],
    network_odds: np.ndarray,
    there: np.ndarray,
    seen: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """(N, K) log shares of the kinds, averaged over fits by likelihood, and (K, 3) their colours.

    A kind's colour is from the fit with most of its pieces. Fits that agree on all pieces count
    once.
    """
    apart: dict[tuple[int, ...], tuple[float, np.ndarray, np.ndarray]] = {}
    for fit in sorted(fits, key=lambda fit: -fit.score):
        odds, _ = _odds(fit.colours, network_odds + fit.absent, there, seen)
        shares = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
        named = tuple(shares[there > 0].argmax(axis=1))
        apart.setdefault(named, (fit.score, shares, fit.colours))
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
    odds, _ = _odds(colours, network_odds, there, seen)
    likely = np.logaddexp.reduce(odds, axis=1)
    sure, off = kinds.spread**-2, colours - kinds.at
    light = sure @ off / (sure.sum() + kinds.light**-2)
    strange = sure @ ((off - light) ** 2).sum(axis=1) + (light**2).sum() / kinds.light**2
    present = np.minimum(there @ np.exp(odds - likely[:, None]), 1)
    one, other = np.triu_indices(len(colours), 1)
    twins = present[one] * present[other] @ _alike(colours, kinds)
    return float(there @ likely - strange / 2 - twins)


def _alike(colours: np.ndarray, kinds: KindColours) -> np.ndarray:
    """(K * (K - 1) / 2,) how unlikely it is that two kinds' ``colours`` are so near each other."""
    one, other = np.triu_indices(len(colours), 1)
    apart, usual = (np.linalg.norm(at[one] - at[other], axis=1) for at in (colours, kinds.at))
    ratio = np.log(np.maximum(_TOLD_APART * usual, 1e-6) / np.maximum(apart, 1e-6))
    return np.asarray(_ALIKE * np.maximum(ratio, 0) ** 2)


def _fit(
    colours: np.ndarray,
    absent: np.ndarray,
    network_odds: np.ndarray,
    there: np.ndarray,
    seen: np.ndarray,
    kinds: KindColours,
) -> _Fit:
    """The best colours near ``colours``, given the (K,) log odds of kinds that are ``absent``.

    ``network_odds`` (N, K) are the network's log odds, ``there`` (N,) probabilities of a piece.
    """
    network_odds = network_odds + absent
    sure, light = kinds.spread**-2, np.zeros(3)
    for _ in range(_ROUNDS):
        odds, near = _odds(colours, network_odds, there, seen)
        probabilities = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
        weights = probabilities * near * there[:, None] / _SPREAD**2
        total = weights.sum(axis=0)
        pulled = weights.T @ seen
        # each kind counts towards the light as precisely as its own colour is known and seen
        tells = sure * total / (sure + total)
        off = pulled / np.maximum(total, 1e-9)[:, None] - kinds.at
        light = tells @ off / (tells.sum() + kinds.light**-2)
        before = colours
        colours = (pulled + sure[:, None] * (kinds.at + light)) / (total + sure)[:, None]
        if np.abs(colours - before).max() < _SETTLED:
            break
    return _Fit(_score(colours, network_odds, there, seen, kinds), colours, absent)


def _odds(
    colours: np.ndarray, network_odds: np.ndarray, there: np.ndarray, seen: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(N, K) log odds of kinds with (K, 3) colours, and the weight of each view for each kind.

    A view of a vivid piece that mirrors a lamp is likely where the kind is seen without, but says
    nothing of its colour.
    """
    shown = from_coordinates(colours)
    pale = [shown + share * (255 - shown) for share in _REFLECTED]
    every = np.concatenate([colours, coordinates(np.concatenate(pale))])
    by_share = len(seen), 1 + len(pale), len(colours)
    density, distance = (one.reshape(by_share) for one in _density(every, seen))
    matte = np.exp(density[:, 0])
    shares = matte * np.exp(network_odds)
    known = there @ (shares / (shares.sum(axis=1, keepdims=True) + math.exp(_STRAY)))
    vivid = np.linalg.norm(colours[:, :2], axis=1) > _MIRRORING
    glossy = vivid * np.clip(known / _FEWEST, 0, 1) * math.exp(-_RARELY)
    likely = matte + glossy * np.exp(density[:, 1:]).sum(axis=1) + math.exp(_STRAY)
    near = (_FREEDOM + 3) / (_FREEDOM + distance[:, 0]) * matte / likely
    return np.log(likely) + network_odds, near


def _density(colours: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(N, K) log densities of N views of kinds with (K, 3) colours, and squared distances."""
    chroma = np.linalg.norm(colours[:, :2], axis=1)
    way = colours[:, :2] / np.maximum(chroma, _GREY)[:, None]
    along = seen[:, :2] @ way.T - (colours[:, :2] * way).sum(axis=1)
    explained = (1 - _ALONG**-2) * np.clip(chroma - _GREY, 0, 1)
    squares = (seen**2).sum(axis=1)[:, None] + (colours**2).sum(axis=1) - 2 * seen @ colours.T
    distance = np.maximum(squares - explained * along**2, 0) / _SPREAD**2
    density = np.log1p(-explained) / 2 - (_FREEDOM + 3) / 2 * np.log1p(distance / _FREEDOM)
    return density, distance
