"""Zodiac positions of Sun, Moon and planets at noon UTC (T10, T11).

Planets: E. M. Standish, "Keplerian Elements for Approximate Positions of the Major Planets"
(JPL, table 1, valid 1800 to 2050). Moon: the largest terms of ELP 2000 as in J. Meeus, Astronomical
Algorithms, chapter 47. Longitudes are geometric, of the mean equinox of date; the errors, at most
a quarter of a degree (Saturn), are well within the half degree that is flagged.
"""

from cmath import rect
from collections.abc import Mapping
from datetime import date
from math import atan2, cos, degrees, radians, sin, sqrt
from types import MappingProxyType

from scorer.ptolemaeus.edition import PLANETS, ZODIAC, onward

FIRST, LAST = date(1800, 1, 1), date(2050, 12, 31)
UNSURE = 0.5
"""Degrees from a boundary within which the hour matters."""
_J2000 = date(2000, 1, 1).toordinal()  # noon of this day
# a (au), e, I, L, longitude of perihelion, of the node (degrees); then their rates per century
_ELEMENTS: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {
        "mercurius": (
            *(0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593),
            *(0.00000037, 0.00001906, -0.00594749, 149472.67411175, 0.16047689, -0.12534081),
        ),
        "venus": (
            *(0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255),
            *(0.00000390, -0.00004107, -0.00078890, 58517.81538729, 0.00268329, -0.27769418),
        ),
        "earth": (
            *(1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0),
            *(0.00000562, -0.00004392, -0.01294668, 35999.37244981, 0.32327364, 0.0),
        ),
        "mars": (
            *(1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891),
            *(0.00001847, 0.00007882, -0.00813131, 19140.30268499, 0.44441088, -0.29257343),
        ),
        "iupiter": (
            *(5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909),
            *(-0.00011607, -0.00013253, -0.00183714, 3034.74612775, 0.21252668, 0.20469106),
        ),
        "saturnus": (
            *(9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448),
            *(-0.00125060, -0.00050991, 0.00193609, 1222.49362201, -0.41897216, -0.28867794),
        ),
    }
)
# multiples of D, M, M' and F, and the sine's coefficient in degrees
_MOON = (
    *((0, 0, 1, 0, 6.288774), (2, 0, -1, 0, 1.274027), (2, 0, 0, 0, 0.658314)),
    *((0, 0, 2, 0, 0.213618), (0, 1, 0, 0, -0.185116), (0, 0, 0, 2, -0.114332)),
    *((2, 0, -2, 0, 0.058793), (2, -1, -1, 0, 0.057066), (2, 0, 1, 0, 0.053322)),
    *((2, -1, 0, 0, 0.045758), (0, 1, -1, 0, -0.040923), (1, 0, 0, 0, -0.034720)),
    *((0, 1, 1, 0, -0.030383), (2, 0, 0, -2, 0.015327), (0, 0, 1, 2, -0.012528)),
    *((0, 0, 1, -2, 0.010980), (4, 0, -1, 0, 0.010675), (0, 0, 3, 0, 0.010034)),
)


def longitudes(day: date) -> Mapping[str, float]:
    """Tropical longitudes in degrees, 0 to 360. Raise ValueError outside 1800 to 2050."""
    if not FIRST <= day <= LAST:
        raise ValueError(f"start dates are of {FIRST.year} to {LAST.year}, not {day.year}")
    t = (day.toordinal() - _J2000) / 36525
    precession = 1.396971 * t + 0.0003086 * t * t
    earth = _heliocentric("earth", t)
    found = {"luna": _moon(t), "sol": degrees(atan2(-earth[1], -earth[0])) + precession}
    for planet in _ELEMENTS.keys() - {"earth"}:
        x, y, _ = (own - ours for own, ours in zip(_heliocentric(planet, t), earth, strict=True))
        found[planet] = degrees(atan2(y, x)) + precession
    return {planet: found[planet] % 360 for planet in PLANETS}


def sky_of(day: date) -> tuple[dict[str, str], frozenset[str]]:
    """The constellation of each planet, and the planets within half a degree of a boundary."""
    found = longitudes(day)
    unsure = (planet for planet, at in found.items() if min(at % 30, 30 - at % 30) < UNSURE)
    return {planet: ZODIAC[int(at // 30)] for planet, at in found.items()}, frozenset(unsure)


def comet_of(planets: Mapping[str, str]) -> str:
    """The comet's start: opposite the Moon, or the first place after it without a planet (T13)."""
    return free_from(onward(planets["luna"], 6), planets)


def free_from(at: str, planets: Mapping[str, str]) -> str:
    """The first constellation without a planet, clockwise from `at` (T13, T62)."""
    while at in planets.values():
        at = onward(at)
    return at


def _heliocentric(planet: str, t: float) -> tuple[float, float, float]:
    """x, y, z in au, for the ecliptic and equinox of J2000; t in centuries."""
    own = _ELEMENTS[planet]
    a, e, i, mean, perihelion, node = (value + own[n + 6] * t for n, value in enumerate(own[:6]))
    anomaly = radians((mean - perihelion) % 360)
    eccentric = anomaly
    for _ in range(20):  # Newton's method, which needs five steps for Mercury
        eccentric -= (eccentric - e * sin(eccentric) - anomaly) / (1 - e * cos(eccentric))
    plane = complex(a * (cos(eccentric) - e), a * sqrt(1 - e * e) * sin(eccentric))
    turned = plane * rect(1, radians(perihelion - node))
    up, tilt = turned.imag, radians(i)
    flat = complex(turned.real, up * cos(tilt)) * rect(1, radians(node))
    return flat.real, flat.imag, up * sin(tilt)


def _moon(t: float) -> float:
    """The Moon's longitude in degrees, for the mean equinox of date; t in centuries."""
    mean = 218.3164477 + 481267.88123421 * t - 0.0015786 * t * t
    d = 297.8501921 + 445267.1114034 * t - 0.0018819 * t * t
    sun = 357.5291092 + 35999.0502909 * t
    own = 134.9633964 + 477198.8675055 * t + 0.0087414 * t * t
    f = 93.2720950 + 483202.0175233 * t - 0.0036539 * t * t
    angles = (d, sun, own, f)
    return mean + sum(
        size * sin(radians(sum(k * angle for k, angle in zip(multiples, angles, strict=True))))
        for *multiples, size in _MOON
    )
