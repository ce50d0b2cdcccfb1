"""Similarity of two rectified pictures, in any light or in one known from other cards."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

_OUTLIER = 1.2
"""Residual, in standard deviations of the picture, beyond which something is on the card."""
_SHARPNESS = 11.0
"""Log odds of a card against another if it looks entirely like itself."""
_FINE, _SMOOTH = 0.02, 0.05
"""Blur for comparing two cards, and for comparing channels, as a share of the side. A photograph
out of focus mixes fine detail, which makes a yellow star look orange."""
_ENOUGH = 6.0
"""Blur in px from which a coarser picture is used."""
_DISTINCT = 3.0
"""Least grey-level difference between two cards in a photograph that can distinguish them."""
_MISFIT = 0.7
"""Misfit of both cards, relative to their difference, at which the evidence is halved."""
_INKS, _HAZE, _ABOUT = 0.1, 10.0, 0.15
"""Variation of colours with inks and cameras, in radians; grey levels of haze or of a
reflection; radius of the surroundings that brightness is compared with, as a share of the side."""
_PRINTED, _OTHER_INKS = 0.03, 0.07
"""Blur for comparing a print's main colour, as a share of the side; radians that it is off at most
without being another."""
_PALE, _PAPER = 0.05, 0.9
"""Length of a colour, off grey and relative to the whole, that hardly has a hue; ratio of the
channels from which most of a picture is bare paper."""
_LIT, _OF_ONE_LIGHT, _LEAST_CONTRAST = 3, 0.2, 20.0
"""Number of cards needed for each channel of a light, largest variation of their channels'
logarithms, and least standard deviation of a channel of a picture to be used."""
_SATURATED, _ENOUGH_MEASURED = 250, 0.05
"""Grey level from which a channel may be saturated; share of px from which its unsaturated ones
suffice."""
_LEAST_GLOSSY, _MOST_GLOSSY, _RIM = 0.005, 0.4, 0.04
"""Least share of a picture that mirrors light, and the largest one with the blurred rim of that
area; the width of the rim, as a share of the side."""
_GREY_NOISE = 2.0
"""Standard deviation of each channel, in grey levels, besides that of what is seen."""
_MOSTLY = 0.8
"""Share of the difference of two cards that has to be recorded for their colours to count."""
_LEAST_SLOPE = 0.05
"""Least slope of a channel relative to a known picture."""
_PURE = 25.0
"""Variance of grey levels of which a mixture of channels needs more, to be seen in pictures."""
_LIT_ALIKE = 0.8
"""Share of cards that must be in one light: others may be misplaced, or in a reflection."""
_PLAIN, _ROUNDS, _UNEXPLAINED = 4, 4, 0.15
"""Number of cards without rivals that show how channels mix, of rounds in which that is fitted, and
the share of each that the others may leave unexplained."""
_NEARBY, LEAST_DETAIL = 0.1, 4.0
"""Radius within which detail is normalized, as a share of the side; grey levels of detail that
are half noise."""
_DIFFERENT, _SMALL_PART = 0.5, 0.15
"""Difference of two pictures, in standard deviations, that is no shading; the largest share of a
picture that is a small part, as is the number in a suit of cards."""


def shaded_like(seen: np.ndarray, known: np.ndarray) -> np.ndarray:
    """A known picture, shaded like one that is seen, as both are photographs of their own light."""
    light, own = (
        np.maximum(_smooth(one.astype(np.float32), _ABOUT), 1.0) for one in (matt(seen), known)
    )
    return np.asarray(known * (light / own))


def standardised(picture: np.ndarray) -> np.ndarray:
    """A picture with mean 0 in each channel, and an overall standard deviation of 1."""
    even = picture.astype(np.float32)
    even -= even.mean(axis=(0, 1))
    return even / max(float(even.std()), 4.0)


def explained(seen: np.ndarray, known: np.ndarray, bare: np.ndarray | None = None) -> float:
    """The share of a picture that a known one explains, with the best brightness per channel.

    Outliers, such as a marker on the card, cost no more than their area. Only what is `bare`, (S,
    S) bool, is compared.
    """
    within = np.ones(seen.shape[:2], bool) if bare is None else bare
    _, kept, apart = _fitted(seen, known, bare=bare)
    if kept.sum() < 0.3 * within.sum():
        return 0.0
    glossy = mirrored(seen, kept)
    if glossy is not None:
        within = within & ~glossy
    if not within.any():
        return 0.0
    return float(1 - (np.minimum(apart[within.ravel()], _OUTLIER) ** 2).mean())


def alike_in_detail(
    seen: np.ndarray, known: np.ndarray, bare: np.ndarray | None = None, rim: int = 0
) -> float:
    """The correlation of two pictures' locally normalized details: at most 1.

    Pictures that merely share light and dark areas score low. Detail that would be saturated, or
    too pale against the noise, is ignored, and all that is not `bare`, (S, S) bool, or within `rim`
    px of the edge.
    """
    shown, glossy = _recorded(seen, known)
    if glossy is not None:
        bare = ~glossy if bare is None else bare & ~glossy
    inside = np.ones(seen.shape[:2], bool) if bare is None else bare
    if not inside.any():
        return 0.0
    contrast = float(seen[inside].std(axis=0).max() / max(shown[inside].std(axis=0).max(), 1.0))
    within = np.s_[rim : len(seen) - rim, rim : len(seen) - rim]
    one, other = (detail_of(each, bare)[within] for each in (seen, contrast * shown))
    return float((one * other).sum() / max(float(np.sqrt((one**2).sum() * (other**2).sum())), 1e-9))


def alike_where_others_differ(
    seen: np.ndarray,
    known: np.ndarray,
    others: Iterable[np.ndarray],
    bare: np.ndarray | None = None,
) -> float:
    """`alike_in_detail` of the small parts in which others differ from the known one; 1 if none do.

    The rest of such pictures is alike, also in one that is missing among the others.
    """
    smooth, where = _smooth(known, _FINE), np.zeros(known.shape[:2], bool)
    for other in others:
        _, _, apart = _fitted(smooth, _smooth(other, _FINE))
        differs = (apart > _DIFFERENT).reshape(where.shape)
        if differs.mean() < _SMALL_PART:
            where |= differs
    _, glossy = _recorded(seen, known)
    if glossy is not None:
        where &= ~glossy
    if bare is not None:
        where &= bare
    return alike_in_detail(seen, known, where) if where.any() else 1.0


def _recorded(seen: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """A known picture, clipped in each channel to what could be recorded in the other's light.

    With where it mirrors that light, (S, S) bool, if it does anywhere.
    """
    shown = known.astype(np.float32)
    too_bright = (seen >= _SATURATED).reshape(-1, 3).T
    if not too_bright.any():
        return shown, None
    _, kept, _ = _fitted(seen, known)
    products = _products(*(one.reshape(-1, 3).T.astype(float) for one in (known, seen)))
    slopes, offsets, _ = _lines(products, kept, measured=~too_bright)
    most = (_SATURATED - offsets) / np.maximum(slopes, _LEAST_SLOPE)
    return np.minimum(shown, most), mirrored(seen, kept)


def mirrored(seen: np.ndarray, printed: np.ndarray | None = None) -> np.ndarray | None:
    """(S, S) bool, where a picture may mirror light: it is saturated, and not what is `printed`.

    None if that is hardly anywhere, or so large that hardly a card is seen.
    """
    if seen.max() < _SATURATED:
        return None
    blue, green, red = np.moveaxis(seen >= _SATURATED, 2, 0)
    glossy = blue & green & red
    if printed is not None:
        glossy &= ~printed.reshape(glossy.shape)
    if glossy.mean() < _LEAST_GLOSSY:
        return None
    rim = 2 * round(_RIM * len(seen)) + 1
    glossy = np.asarray(cv2.dilate(glossy.astype(np.uint8), np.ones((rim, rim))) > 0)
    return glossy if glossy.mean() < _MOST_GLOSSY else None


def matt(seen: np.ndarray) -> np.ndarray:
    """A picture with the mean colour of the rest where it may mirror light."""
    glossy = mirrored(seen)
    if glossy is None:
        return seen
    rest = seen[~glossy].mean(axis=0)
    return np.where(glossy[..., None], rest, seen).astype(seen.dtype, copy=False)


def detail_of(picture: np.ndarray, bare: np.ndarray | None = None) -> np.ndarray:
    """(S, S, 3) the locally normalized detail of what is `bare` of a picture."""
    fine, strength = local_detail(picture, bare)
    return np.asarray(fine / (strength + LEAST_DETAIL)[..., None])


def local_detail(
    picture: np.ndarray, bare: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(S, S, 3) the detail of what is `bare` of a picture, and (S, S) how strong it is nearby."""
    fine = picture.astype(np.float32)
    if bare is None:
        fine -= _smooth(fine, _NEARBY)
        return fine, np.sqrt(_smooth((fine**2).sum(axis=2), _NEARBY))
    own = bare.astype(np.float32)
    near = np.maximum(_smooth(own, _NEARBY), 1e-3)
    fine = own[..., None] * (fine - _smooth(own[..., None] * fine, _NEARBY) / near[..., None])
    return fine, np.sqrt(_smooth((fine**2).sum(axis=2), _NEARBY) / near)


def odds_of_other(
    seen: np.ndarray,
    known: np.ndarray,
    other: np.ndarray,
    light: np.ndarray | None = None,
    bare: np.ndarray | None = None,
) -> float:
    """Odds of another card against the known one, judged where the two differ.

    Pixels that resemble neither, or are not `bare`, (S, S) bool, are covered. In an unknown light,
    the evidence weakens the less the picture resembles either, except that of colours, and where
    much of the difference is too bright in some channels alone, as orange looks yellow there.
    """
    mixed = None
    if light is not None:
        mixed = np.ones(3)
        known, other = ((one @ light.T).astype(np.float32) for one in (known, other))
    seen, known, other = (_smooth(one, _FINE) for one in (seen, known, other))
    (one, is_one, _), (two, is_two, _) = (_fitted(seen, own, mixed, bare) for own in (known, other))
    kept, differs = is_one | is_two, two - one
    shown = seen.reshape(-1, 3)[kept]
    energy = float((differs[kept] ** 2).sum())
    colour = sureness = 0.0
    bright = shown >= _SATURATED
    recorded = bright.all(axis=1) | ~bright.any(axis=1)
    share = float((differs[kept][recorded] ** 2).sum()) / max(energy, 1e-9)
    if light is None and share > _MOSTLY:
        colour = _off_colour(seen, known, kept) - _off_colour(seen, other, kept)
    if np.abs(differs[kept]).max(initial=0.0) >= _DISTINCT:
        off = [shown - own[kept] for own in (one, two)]
        wrong = [float((each**2).sum()) for each in off]
        leaning = _leaning(*(off if light is None else _by_variation(off)))
        if light is None:
            leaning *= min(share / _MOSTLY, 1.0) ** 2 / (1 + min(wrong) / (_MISFIT * energy))
        sureness = _SHARPNESS * leaning * min(1.0, 2 * energy / float((differs**2).sum()))
    return float(np.exp(np.clip(sureness + colour, -_SHARPNESS, _SHARPNESS)))


def _leaning(one: np.ndarray, other: np.ndarray) -> float:
    """From -1 to 1, to which of two (N, 3) misfits a picture leans: below 0 to the first."""
    apart = float(((one - other) ** 2).sum())
    return float(np.clip(((one**2).sum() - (other**2).sum()) / max(apart, 1e-9), -1, 1))


def _by_variation(misfits: Sequence[np.ndarray]) -> list[np.ndarray]:
    """(N, 3) misfits in units of how much the smallest varies: more in brightness than in hue.

    A place that is not quite exact or sharp changes the brightness of all channels alike, so that
    what tells two colours apart is the hue (Fisher, 1936).
    """
    least = min(misfits, key=lambda one: float((one**2).sum()))
    variation = least.T @ least / len(least) + _GREY_NOISE**2 * np.eye(3)
    units = np.linalg.cholesky(np.linalg.inv(variation))
    return [one @ units for one in misfits]


def off_colour(
    seen: np.ndarray,
    known: np.ndarray,
    light: np.ndarray | None = None,
    bare: np.ndarray | None = None,
) -> tuple[float, float]:
    """How much better a known picture explains a seen one if its main colour may be another.

    The logarithm of the ratio of what is left unexplained: 0 if its colour is right but for what
    inks and cameras vary. And for print on paper, how far the hue is off, in which thin lines that
    look nearly grey differ, too: 0 if it is the same, about 1 if one of the two has none.
    """
    mixed = None
    if light is not None:
        mixed = np.ones(3)
        known = (known @ light.T).astype(np.float32)
    size = len(seen) // 2, len(seen) // 2
    seen, known = (
        _smooth(cv2.resize(one, size, interpolation=cv2.INTER_AREA), _PRINTED)
        for one in (matt(seen), known)
    )
    if bare is not None:
        bare = cv2.resize(bare.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    fitted, kept, _ = _fitted(seen, known, mixed, bare)
    if light is not None:
        known = fitted.reshape(known.shape).astype(np.float32)
    shown, way, main, alike, strength = _main_colour(seen, known, kept)
    energy = float((shown**2).sum())
    most = float(way @ way) / strength
    allowed = _OTHER_INKS + (_haze(seen) ** 0.5 if light is None else 0.0)
    turned = max(float(np.arccos(alike)) - allowed, 0.0)
    rest = max(energy - most, 1e-9)
    off = float(np.log((energy - most * np.cos(turned) ** 2) / rest))
    if np.median(known.min(axis=2) / np.maximum(known.max(axis=2), 1.0)) < _PAPER:
        return off, 0.0
    hues = [one - one.mean() for one in (way / max(float(np.linalg.norm(way)), 1e-9), main)]
    apart = np.linalg.norm(hues[0] - hues[1]) / (np.linalg.norm(hues, axis=1).max() + _PALE)
    return off, float(apart)


def _off_colour(seen: np.ndarray, known: np.ndarray, kept: np.ndarray) -> float:
    """Negative log likelihood of the colours of (S, S, 3) px under a known picture."""
    *_, alike, _ = _main_colour(seen, known, kept)
    return (1 - alike**2) / 2 / (_INKS**2 + _haze(seen))


def _haze(seen: np.ndarray) -> float:
    """Variance of a picture's colours with haze or a reflection, in square radians."""
    return float(((_HAZE / np.maximum(seen.mean(axis=(0, 1)), 1.0)) ** 2).mean())


def _main_colour(
    seen: np.ndarray, known: np.ndarray, kept: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, float]:
    """(N, 3) how `kept` px of (S, S, 3) stand out, and how those of a known picture's main colour.

    In any light print stands out from its surroundings in proportion in all channels. (3,) the sum
    of what is seen in proportion to that colour, (3,) that colour, the cosine between the two, and
    its energy.
    """
    shown, drawn = (_standing_out(one)[kept] for one in (seen, known))
    values, vectors = np.linalg.eigh(drawn.T @ drawn)
    way = shown.T @ (drawn @ vectors[:, -1])
    alike = max(float(way @ vectors[:, -1]) / max(float(np.linalg.norm(way)), 1e-9), 0.0)
    return shown, way, vectors[:, -1], min(alike, 1.0), max(float(values[-1]), 1e-9)


def _standing_out(picture: np.ndarray) -> np.ndarray:
    """(N, 3) relative brightness of each pixel against its surroundings."""
    about = np.maximum(_smooth(picture, _ABOUT).astype(float), 1.0)
    return np.asarray(picture / about - 1).reshape(-1, 3)


Pair = tuple[np.ndarray, np.ndarray]
"""A seen picture and a known one."""


def common_light(cards: Sequence[Sequence[Pair]]) -> np.ndarray | None:
    """(3, 3) from printed colours to seen ones, on which several cards agree.

    Each is paired with its likeliest picture, then with rivals: a card that is taken for one of
    another colour agrees with a light in which a rival is right. The light has the relative
    brightness of the channels, from the channels in which each picture has contrast, and how inks
    and a camera mix them; from cards that agree under one name alone, if there are any, as a
    misread card would confirm itself. None if too few agree.
    """
    each_card = [[(pair, _brightness(*pair)) for pair in pairs] for pairs in cards]
    known = [own for own in each_card if (~np.isnan(own[0][1])).sum() > 1]
    each = np.array([own[0][1] for own in known]).reshape(-1, 3)
    if (~np.isnan(each)).sum(axis=0).min() < _LIT:
        return None
    light, off = np.zeros(3), each
    for _ in range(10):
        off = each - light
        off -= np.nanmean(off, axis=1, keepdims=True)
        light += np.nanmedian(off, axis=0)
    surely = np.nanmax(np.abs(off), axis=1) < _OF_ONE_LIGHT
    lit = [
        [pair for pair, shown in own if _off_light(shown, light) < _OF_ONE_LIGHT] for own in known
    ]
    if sum(map(bool, lit)) < _LIT_ALIKE * len(known) or 2 * surely.sum() <= len(known):
        return None
    plain = [pairs[0] for pairs in lit if len(pairs) == 1]
    return _mixed(plain or [pairs[0] for pairs in lit if pairs], np.diag(np.exp(light)))


def common_mixture(cards: Sequence[Sequence[Pair]]) -> np.ndarray | None:
    """(3, 3) from printed colours to seen ones, from cards without rivals; see `common_light`.

    With haze or pale inks the channels' brightness differs by what is printed, but how they mix
    does not. Colours that no such card has are as uncertain as before. None if there are too few,
    or one is explained better by channels of its own than by the others, as where two lights are.
    """
    plain = [pairs[0] for pairs in cards if len(pairs) == 1]

    def fitted(pairs: Sequence[Pair]) -> np.ndarray:
        light = np.eye(3)
        for _ in range(_ROUNDS):
            light = _mixed(pairs, light)
        return light

    if len(plain) < _PLAIN:
        return None
    for number, (seen, known) in enumerate(plain):
        light = fitted([*plain[:number], *plain[number + 1 :]])
        y, x = (_smooth(one, _SMOOTH).astype(np.float32) for one in (seen, known))
        rest, own = (
            ((_fitted(y, one, mixed)[0] - y.reshape(-1, 3)) ** 2).sum()
            / ((y - y.mean(axis=(0, 1))) ** 2).sum()
            for one, mixed in ((x @ light.T.astype(np.float32), np.ones(3)), (x, None))
        )
        if rest > min(own, _UNEXPLAINED):
            return None
    return fitted(plain)


def _off_light(shown: np.ndarray, light: np.ndarray) -> float:
    """How far a card's (3,) log brightness is off a light; infinite with a single channel."""
    off = (shown - light)[~np.isnan(shown)]
    return float(np.abs(off - off.mean()).max()) if len(off) > 1 else np.inf


def _mixed(pairs: Sequence[Pair], light: np.ndarray) -> np.ndarray:
    """(3, 3) from known colours to seen ones, near `light` where the pictures lack colours."""
    basis, targets = [], []
    for seen, known in pairs:
        y, x = (_smooth(one, _SMOOTH).reshape(-1, 3).astype(float) for one in (seen, known))
        _, kept, _ = _fitted(y, x)
        x, y = x[kept] - x[kept].mean(axis=0), y[kept] - y[kept].mean(axis=0)
        drawn = x @ light.T
        slope = float((drawn * y).sum() / max(float((drawn**2).sum()), 1e-9))
        basis.append(x)
        targets.append(y / max(slope, _LEAST_SLOPE) - drawn)
    x, y = np.concatenate(basis), np.concatenate(targets)
    more = np.linalg.solve(x.T @ x + _PURE * len(x) * np.eye(3), x.T @ y).T
    return np.asarray(light + more)


def _brightness(seen: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(3,) logarithms of how much brighter each channel is seen; NaN without contrast."""
    shown, basis = (_smooth(one, _SMOOTH).reshape(-1, 3).astype(float) for one in (seen, known))
    _, kept, _ = _fitted(shown, basis)
    slopes, _, _ = _lines(_products(basis.T, shown.T), kept)
    is_shown = (basis.std(axis=0) > _LEAST_CONTRAST) & (slopes > 1e-3)
    return np.where(is_shown, np.log(np.maximum(slopes, 1e-3)), np.nan)


def _smooth(picture: np.ndarray, share: float) -> np.ndarray:
    """A square picture blurred by a share of its side; at a smaller size for large blurs."""
    side = len(picture)
    within = side // max(1, int(share * side / _ENOUGH))
    if within == side:
        return cv2.GaussianBlur(picture, (0, 0), share * side)
    small = cv2.resize(picture, (within, within), interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), share * within), (side, side))


def _fitted(
    seen: np.ndarray,
    known: np.ndarray,
    light: np.ndarray | None = None,
    bare: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(N, 3) a known picture in a seen one's light, (N,) bool what fits, (N,) the misfit."""
    basis, shown = (one.reshape(-1, 3).T.astype(float, order="C") for one in (known, seen))
    products = _products(basis, shown)
    within = np.ones(shown.shape[1], bool) if bare is None else bare.ravel()
    kept = within
    too_bright = shown >= _SATURATED
    measured = ~too_bright if too_bright.any() else None
    for _ in range(3):
        slopes, offsets, spread = _lines(products, kept, light, measured)
        fitted = basis * slopes[:, None] + offsets[:, None]
        if measured is not None:
            fitted = np.where(too_bright & (fitted > shown), shown, fitted)
        apart = np.sqrt(((fitted - shown) ** 2).sum(axis=0) / 3) / max(spread, 4.0)
        kept = (apart < _OUTLIER) & within
        if kept.sum() < 0.3 * within.sum():
            break
    return fitted.T, kept, apart


def _products(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(15, N) terms whose means give the regression lines: x, y, xy, xx, yy of each channel."""
    return np.concatenate([x, y, x * y, x * x, y * y])


def _lines(
    products: np.ndarray,
    kept: np.ndarray,
    light: np.ndarray | None = None,
    measured: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, float]:
    """(3,) slopes, not below 0, and offsets of regression lines of `kept` points per channel.

    In a known (3,) light the slopes are in its proportions. Only points that are `measured`, (3,
    N), are used for a channel that has enough. Last, the standard deviation of y.
    """
    means = (products @ kept / max(int(kept.sum()), 1)).reshape(5, 3)
    *_, yy = means
    spread_of_y = float(max(yy.mean() - means[1].mean() ** 2, 0.0)) ** 0.5
    if measured is not None:
        used = measured & kept
        many = used.sum(axis=1)
        each = products.reshape(5, 3, -1)
        sums = np.column_stack([each[:, channel] @ used[channel] for channel in range(3)])
        own = sums / np.maximum(many, 1)
        means = np.where(many > _ENOUGH_MEASURED * used.shape[1], own, means)
    x, y, xy, xx, _ = means
    common, spread = xy - x * y, np.maximum(xx - x * x, 0.0)
    if light is None:
        slopes = np.maximum(common / np.maximum(spread, 1e-9), 0.0)
    else:
        slopes = light * max(float(light @ common / max(float(light**2 @ spread), 1e-9)), 0.0)
    return slopes, y - slopes * x, spread_of_y
