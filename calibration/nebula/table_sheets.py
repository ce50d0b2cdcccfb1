"""Parts beside the galaxies: the cluster board, the Values board, tokens, markers, a label."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from calibration.artwork import TokenSheet, TokenSpots
from calibration.drawing import (
    Drawing,
    Fill,
    Group,
    Mark,
    Point,
    Stroke,
    disc,
    polar,
    ring,
    rounded_box,
    star,
)
from calibration.lettering import lettering
from calibration.nebula.artwork import DIAMETER_MM, TOKEN_STYLES, draw_token
from calibration.nebula.symbols import symbol
from calibration.night import DEEP, GOLD, PALE_GOLD
from calibration.star_token import CUT_LINE
from scorer.nebula.edition import load_edition
from scorer.nebula.turns.state import State
from scorer.nebula.values_board import TOKENS, TRACKS
from scorer.nebula.words import COLOURS

NIGHT, SPACE, RIM = "#141d42", "#28325c", "#9fadd8"
STARS_A_MM2 = 0.009
STAR_SPACE_MM = 16.0
RINGS = CLUSTER, INNER = 28.0, 13.5
"""Distances from a cluster's centre to its stars' spaces and to its time markers', in mm."""
_SQUARE = 9.6
CLUSTER_BOARD_MM = (196.0, 218.0)
CLUSTERS_AT = ((98.0, 44.0), (144.0, 128.0), (52.0, 128.0))
"""In the order of `State.clusters`: top, right, left."""
BOOSTED_AT = (98.0, 98.0)
HOUR, INDICATOR = 5.4, 4.4
"""Radii of an hour marker and of the black-star indicator in mm."""
VALUE_TOKEN_MM = 14.0
VALUES_BOARD_MM = (198.0, 118.0)
MARKERS = {"#2a9d8f": 3, "#e76f51": 4, "#8ab833": 5, "#8f6bd1": 6}
"""The players' colours, each with the number of points of its star."""
CAREER_MARKERS = 4


def table_sheets() -> tuple[Drawing, ...]:
    """Everything except galaxies, stars and cards."""
    return (draw_cluster_board(), draw_values_board(), draw_small_parts(), draw_bag_label())


def draw_cluster_board() -> Drawing:
    """Three clusters, the boosted star between them, and the indicator's track below."""
    marks = _ground(CLUSTER_BOARD_MM)
    for at in CLUSTERS_AT:
        marks += _cluster(at)
    marks += _boosted(BOOSTED_AT)
    squares = _indicator_squares()
    for square, at in enumerate(squares):
        marks += _track_square(at, square, load_edition("standard").indicator_highlighted)
    left, y = squares[0]
    marks.append(Fill((star((left, y - 10.5), 5, 3.4, 1.5),), "#05070f"))
    marks.append(Stroke((star((left, y - 10.5), 5, 3.4, 1.5),), RIM, 0.3))
    return Drawing(CLUSTER_BOARD_MM, tuple(marks), "cluster_board")


def cluster_sheet() -> TokenSheet:
    """The cluster board with stars, hour markers and the black-star indicator."""
    stars = {
        colour: _on(SPACE, DIAMETER_MM, partial(draw_token, colour)) for colour in TOKEN_STYLES
    }
    rings = [
        {
            f"{kind}.{cluster}.{number}": at
            for cluster, middle in enumerate(CLUSTERS_AT)
            for number, at in enumerate(_ring(middle, radius))
        }
        for kind, radius in zip(("cluster", "hour"), RINGS, strict=True)
    ]
    squares = {f"indicator.{number}": at for number, at in enumerate(_indicator_squares())}
    spots = (
        TokenSpots("cluster", rings[0], stars),
        TokenSpots("time_marker", rings[1], {"hour": _on(DEEP, 2 * HOUR, _hour)}),
        TokenSpots("boosted", {"boosted": BOOSTED_AT}, stars),
        TokenSpots("indicator", squares, {"indicator": _on(SPACE, 2 * INDICATOR, _indicator)}),
    )
    return TokenSheet(draw_cluster_board(), spots=spots, tokens_in=_tokens_in)


def _tokens_in(state: State) -> Mapping[str, Sequence[str]]:
    """Stars and hour markers of the clusters, the indicator, the boosted star, value tokens."""
    tokens_at = {
        f"cluster.{cluster}.{space}": [star]
        for cluster, own in enumerate(state.clusters)
        for space, star in enumerate(own)
        if star is not None
    }
    tokens_at |= {f"hour.{cluster}.{space}": ["hour"] for cluster, space in enumerate(state.hours)}
    tokens_at[f"indicator.{state.indicator}"] = ["indicator"]
    if state.boosted is not None:
        tokens_at["boosted"] = [state.boosted]
    for track, tokens in TRACKS.items() if state.rules.has_values else ():
        for token in tokens:
            at = f"values.{track}.{state.values.at.get(token, 0)}"
            tokens_at.setdefault(at, []).append(token)
    return tokens_at


def _indicator_squares() -> list[Point]:
    squares = load_edition("standard").indicator_squares + 1
    left = (CLUSTER_BOARD_MM[0] - (squares - 1) * _SQUARE) / 2
    return [(left + square * _SQUARE, CLUSTER_BOARD_MM[1] - 20.0) for square in range(squares)]


def _ring(at: Point, radius: float) -> list[Point]:
    """The spaces about a cluster's centre, the start first."""
    spaces = load_edition("standard").cluster_spaces
    return [polar(at, radius, 360 / spaces * number - 90) for number in range(spaces)]


def _ground(size: Point) -> list[Mark]:
    box = rounded_box(0, 0, *size, 4)
    inner = rounded_box(2.2, 2.2, size[0] - 2.2, size[1] - 2.2, 3)
    return [
        Fill((box,), NIGHT),
        *_scattered(size),
        Stroke((inner,), GOLD, 0.4),
        Stroke((box,), CUT_LINE, 0.12),
    ]


def _scattered(size: Point) -> Iterator[Mark]:
    """Stars that make each part of a ground recognisable to a camera."""
    chance = Random(round(size[0] + size[1]))
    for _ in range(round(size[0] * size[1] * STARS_A_MM2)):
        at = (chance.uniform(4, size[0] - 4), chance.uniform(4, size[1] - 4))
        outer, points = chance.uniform(0.6, 2.4), chance.choice((4, 5, 6, 8))
        outline = star(at, points, outer, outer * chance.uniform(0.25, 0.5), chance.uniform(0, 90))
        yield Fill((outline,), chance.choice((PALE_GOLD, RIM, GOLD)), chance.uniform(0.5, 0.9))


def _cluster(at: Point) -> list[Mark]:
    """A ring of stars' spaces, and an inner ring of as many for the hour marker and its moon."""
    marks: list[Mark] = [ring(at, CLUSTER, RIM, 0.25, 0.5), ring(at, INNER, GOLD, 0.25, 0.7)]
    spaces = zip(*(_ring(at, radius) for radius in RINGS), strict=True)
    for number, (outer, inner) in enumerate(spaces):
        marks.append(Stroke(((inner, outer),), RIM, 0.25, 0.6))
        marks += [disc(outer, STAR_SPACE_MM / 2, SPACE), ring(outer, STAR_SPACE_MM / 2, RIM, 0.4)]
        marks += [disc(inner, 6.0, DEEP), ring(inner, 6.0, GOLD, 0.6 if number == 0 else 0.3)]
        if number == 0:
            down = ((inner[0] - 2.6, inner[1] - 1.8), (inner[0] + 2.6, inner[1] - 1.8))
            marks.append(Fill(((*down, (inner[0], inner[1] + 2.6)),), GOLD))
    return marks


def _boosted(at: Point) -> list[Mark]:
    return [
        Fill((star(at, 16, 15.5, 11.0),), GOLD, 0.8),
        disc(at, STAR_SPACE_MM / 2 + 1.2, DEEP),
        disc(at, STAR_SPACE_MM / 2, SPACE),
        ring(at, STAR_SPACE_MM / 2, PALE_GOLD, 0.6),
    ]


def _track_square(at: Point, square: int, highlighted: Sequence[int]) -> list[Mark]:
    x, y = at
    half = _SQUARE / 2 - 0.3
    box = rounded_box(x - half, y - half - 1.2, x + half, y + half + 1.2, 1.4)
    bright = square in highlighted
    return [
        Fill((box,), "#7a6426" if bright else SPACE),
        Stroke((box,), PALE_GOLD if bright else RIM, 0.5 if bright else 0.25),
        lettering(str(square), at, 3.0, "#eef2ff", spacing=1.6, weight=0.14),
    ]


def draw_values_board() -> Drawing:
    """A track for colours, constellations and advanced cards, and the first three scores."""
    edition = load_edition("standard")
    marks = _ground(VALUES_BOARD_MM)
    given = (edition.colour_places, edition.constellation_places, edition.advanced_places)
    half = _value_step() / 2 - 0.7
    for track, places in zip(TRACKS, given, strict=True):
        for square, (x, y) in enumerate(_value_squares(track)):
            box = rounded_box(x - half, y - 11, x + half, y + 11, 2.0)
            marks += [Fill((box,), DEEP if square == 0 else SPACE), Stroke((box,), RIM, 0.3)]
            if square:
                marks.append(lettering(str(square), (x, y + 7.6), 2.6, RIM, weight=0.14))
            else:
                marks += _track_sign(track, (x, y))
        for number, points in enumerate(places):
            at = (VALUES_BOARD_MM[0] - 13.0, y - 9.0 + number * 9.0)
            colour = (GOLD, "#c4cbdd", "#c48a5a")[number]
            medal = replace(disc(at, 4.1, colour), fixed=True)
            marks += [medal, ring(at, 4.1, DEEP, 0.3)]
            marks.append(lettering(str(points), at, 3.4, "#14182b", spacing=1.4, weight=0.16))
    return Drawing(VALUES_BOARD_MM, tuple(marks), "values_board")


def _value_step() -> float:
    return (VALUES_BOARD_MM[0] - 46.0) / load_edition("standard").value_squares


def _value_squares(track: str) -> list[Point]:
    """The centres of a track's squares, the start first."""
    y = 22.0 + [*TRACKS].index(track) * 37.0
    squares = load_edition("standard").value_squares + 1
    return [(14.0 + square * _value_step(), y) for square in range(squares)]


def values_sheet() -> TokenSheet:
    """The Values board with its tokens, each track by the key of its question."""
    tracks = {
        f"values.{track}": TokenSpots(
            "values_board",
            {f"values.{track}.{number}": at for number, at in enumerate(_value_squares(track))},
            {token: _on(SPACE, VALUE_TOKEN_MM, partial(_value_token, token)) for token in tokens},
        )
        for track, tokens in TRACKS.items()
    }
    return TokenSheet(draw_values_board(), tracks, tokens_in=_tokens_in)


def _on(ground: str, across: float, draw: Callable[[Point], list[Mark]]) -> Drawing:
    """A token on a ground of its spaces' colour."""
    square = ((0, 0), (across, 0), (across, across), (0, across))
    return Drawing((across, across), (Fill((square,), ground), *draw((across / 2, across / 2))))


def _track_sign(track: str, at: Point) -> list[Mark]:
    """The symbol of a track's tokens, on their start."""
    if track == "colours":
        return [Fill((star(at, 5, 5.5, 2.4),), PALE_GOLD)]
    if track == "constellations":
        return [symbol("aries", at, 5.0, PALE_GOLD, 0.9)]
    return [lettering("IV", at, 5.0, PALE_GOLD, weight=0.14)]


def draw_small_parts() -> Drawing:
    """Value tokens, markers of players and of time, the indicator, the first player's token."""
    size = (114.0, 116.0)
    laid: list[tuple[str, Point, float, int, list[Callable[[Point], list[Mark]]]]] = [
        (
            "value_tokens",
            (9.0, 8.0),
            VALUE_TOKEN_MM + 2,
            7,
            [partial(_value_token, t) for t in TOKENS],
        ),
        ("time_markers", (7.0, 44.0), 13.0, 3, [_hour] * 3),
        ("moons", (50.0, 44.0), 13.0, 3, [_moon] * 3),
        ("indicator", (95.0, 44.0), 13.0, 1, [_indicator]),
        (
            "career_markers",
            (7.0, 63.0),
            13.0,
            CAREER_MARKERS,
            [
                partial(_career_marker, colour, points)
                for colour, points in MARKERS.items()
                for _ in range(CAREER_MARKERS)
            ],
        ),
        ("first_player", (85.0, 82.0), 31.0, 1, [_first_player]),
    ]
    marks: list[Mark] = []
    groups = []
    for name, (left, top), pitch, across, parts in laid:
        for number, part in enumerate(parts):
            marks += part((left + number % across * pitch, top + number // across * pitch))
        rows = -(-len(parts) // across)
        columns, half = min(len(parts), across), pitch / 2
        corner = (left + columns * pitch - half, top + rows * pitch - half)
        groups.append(Group(name, (left - half, top - half), corner))
    return Drawing(size, tuple(marks), "small_parts", tuple(groups))


def _first_player(at: Point) -> list[Mark]:
    return [
        disc(at, 15.0, NIGHT),
        Fill((star(at, 8, 13.0, 6.0),), GOLD),
        disc(at, 5.0, DEEP),
        lettering("1", at, 6.0, PALE_GOLD, weight=0.16),
        _cut(at, 15.0),
    ]


def _value_token(token: str, at: Point) -> list[Mark]:
    radius = VALUE_TOKEN_MM / 2
    if token in COLOURS:
        style = TOKEN_STYLES[token]
        marks: list[Mark] = [disc(at, radius, style.paper)]
        marks.append(Fill((star(at, 5, 5.4, 2.4),), style.star))
        marks.append(Stroke((star(at, 5, 5.4, 2.4),), style.ink, 0.4))
    elif token in TRACKS["constellations"]:
        marks = [disc(at, radius, NIGHT), symbol(token, at, 4.6, PALE_GOLD, 0.9)]
    else:
        marks = [disc(at, radius, "#6a5221"), lettering(token, at, 5.0, PALE_GOLD, weight=0.14)]
    return [*marks, _cut(at, radius)]


def _cut(at: Point, radius: float) -> Mark:
    return ring(at, radius, CUT_LINE, 0.12)


def _hour(at: Point) -> list[Mark]:
    """A clock face that fits the inner ring's spaces."""
    hands = (((at[0], at[1] - 3.0), at, (at[0] + 2.0, at[1] + 1.2)),)
    face = replace(disc(at, HOUR, PALE_GOLD), fixed=True), ring(at, 4.4, DEEP, 0.4)
    return [*face, Stroke(hands, DEEP, 0.7), _cut(at, HOUR)]


def _moon(at: Point) -> list[Mark]:
    """A crescent that fits beside the clock on one space."""
    shadow = disc((at[0] + 1.8, at[1] - 0.8), 3.3, NIGHT)
    return [disc(at, 5.4, NIGHT), disc(at, 4.0, PALE_GOLD), shadow, _cut(at, 5.4)]


def _indicator(at: Point) -> list[Mark]:
    face = disc(at, INDICATOR, "#17171b")
    return [face, Fill((star(at, 5, 3.4, 1.4),), "#f3f1ea"), _cut(at, INDICATOR)]


def _career_marker(colour: str, points: int, at: Point) -> list[Mark]:
    return [disc(at, 6.0, colour), Fill((star(at, points, 4.8, 2.2),), "#ffffff"), _cut(at, 6.0)]


def draw_bag_label() -> Drawing:
    size = (70.0, 48.0)
    marks = _ground(size)
    for number, colour in enumerate(COLOURS):
        at = (size[0] / 2 + (number - 2.5) * 10.0, 15.0)
        marks.append(Fill((star(at, 5, 4.6, 2.0),), TOKEN_STYLES[colour].paper))
        marks.append(Stroke((star(at, 5, 4.6, 2.0),), RIM, 0.25))
    marks.append(lettering("NEBULA", (size[0] / 2, 32.0), 7.0, PALE_GOLD, spacing=3.4))
    return Drawing(size, tuple(marks), "bag_label")
