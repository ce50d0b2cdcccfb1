"""The night-sky board as a drawing, the source of both the printed sheet and the reference.

Positions come from the profile's layout and topology, so that an owner's layout without a picture
can be drawn too. Spaces stay dark and link spaces are thin outlines: stars and links must stand
out, to an eye and to a camera.
"""

import math

from calibration.drawing import (
    Drawing,
    Fill,
    Line,
    Mark,
    Picture,
    Point,
    Stroke,
    arc,
    circle,
    disc,
    glow,
    moved,
    ring,
    rounded_box,
    star,
)
from calibration.layout import Layout
from calibration.lettering import curved_lettering
from calibration.night import (
    DEEP,
    GOLD,
    PALE_GOLD,
    SILVER,
    draw_figure,
    frame,
    orbit_radius,
    orbits,
)
from calibration.polaris.frame import Ring, draw_frame
from calibration.polaris.ornaments import corners, space_ground
from calibration.polaris.sky import field_stars, figures, night
from calibration.star_token import STYLES, draw_star_token
from scorer.places import Bar, on_arc
from scorer.polaris.contract import LINK
from scorer.polaris.printed import frame_radii, sector_direction
from scorer.polaris.sky import LINKS, STARS_OF_A_PLAYER
from scorer.polaris.words import NEUTRAL, POLARIS

ICE, BED = "#dfe8ff", "#131a33"
TINTS = ("#5aa9e6", "#63c9a9", "#a98ae6", "#5fc6d9", "#e6788f")
"""The sectors' tints, clockwise."""
RIM_MM = 13.0
"""Width of the disc beyond the outermost orbit, on a board without a frame."""
DIAMETER_MM = 11.0  # in spaces of 12 mm
LINK_MM = (8.6, 4.6)  # in spaces of 9 by 5 mm
NEUTRAL_STARS = 10
TOKEN_STYLES = {colour: STYLES[colour] for colour in ("red", "yellow", "blue", "purple", NEUTRAL)}
LINK_PAPER, LINK_EDGE = "#d5d8dd", "#454b5c"


def draw_layout(layout: Layout) -> Drawing:
    """Draw the whole board, from the background up; its New Moon faces the first sector."""
    centre, edge = layout.spaces[POLARIS].at, disc_radius(layout)
    marks: list[Mark] = [Picture(night(layout.size_mm, centre, edge))]
    marks += field_stars(layout.size_mm)
    marks += _sectors(layout)
    marks += [mark for shown in figures(centre, edge - 2) for mark in draw_figure(shown, "#9db4e6")]
    marks += orbits(layout, POLARIS, 0.35, 0.08, 0.5)
    marks += _graticule(centre, edge)
    marks += _links(layout)
    for name in layout.board.star_spaces:
        space = layout.spaces[name]
        marks += space_ground(space.at, space.radius, _kind(layout, name))
    marks += _polaris(centre, layout.spaces[POLARIS].radius)
    marks += _numbers(layout)
    marks += corners(layout.size_mm)
    marks += frame(layout.size_mm)
    marks += _frame_bed(layout)
    return Drawing(layout.size_mm, tuple(marks))


def disc_radius(layout: Layout) -> float:
    """The radius of the sky's disc in mm: 2 mm within the moon frame, if there is one."""
    radii = frame_radii(layout.places)
    return (
        radii[0] - 2 if radii else orbit_radius(layout, POLARIS, max(layout.board.orbits)) + RIM_MM
    )


def _kind(layout: Layout, space: str) -> str:
    return "starred" if space in layout.board.starred else layout.board.kind_of(space)


def _borders(layout: Layout) -> list[float]:
    """The directions half-way between adjacent sectors, in degrees clockwise."""
    sectors = list(layout.board.sectors)
    middles = [sector_direction(layout.board, sector, layout.places) for sector in sectors]
    following = middles[1:] + middles[:1]
    return [one + ((other - one) % 360) / 2 for one, other in zip(middles, following, strict=True)]


def _sectors(layout: Layout) -> list[Mark]:
    """Each sector's faint tint, and the borders between them: the seams of the modules."""
    centre, edge = layout.spaces[POLARIS].at, disc_radius(layout)
    hub = layout.spaces[POLARIS].radius + 11
    marks: list[Mark] = []
    ends = _borders(layout)
    for start, end, tint in zip([ends[-1] - 360, *ends[:-1]], ends, TINTS, strict=False):
        start = end - (end - start) % 360
        for inset, opacity in ((0.0, 0.05), (4.0, 0.03), (9.0, 0.03)):
            shrink = math.degrees(inset / edge)
            outer = arc(centre, edge - inset, edge - inset, start + shrink - 90, end - shrink - 90)
            inner = arc(centre, hub, hub, end - 90, start - 90)
            marks.append(Fill(((*outer, *inner, outer[0]),), tint, opacity))
    seams = tuple((on_arc(centre, hub, end), on_arc(centre, edge, end)) for end in ends)
    marks.append(Stroke(seams, DEEP, 2.6, 0.55))
    marks.append(Stroke(seams, "#d0525e", 0.7, 0.85))
    marks.append(Stroke((circle(centre, hub),), DEEP, 2.2, 0.5))
    marks.append(ring(centre, hub, GOLD, 0.5, 0.9))
    marks.append(ring(centre, hub - 1.4, GOLD, 0.15, 0.7))
    return marks


def _graticule(centre: Point, edge: float) -> list[Mark]:
    """The disc's rim, graduated to two degrees as an astronomer's circle."""
    fine, coarse = (
        tuple(
            (on_arc(centre, edge - reach, turn), on_arc(centre, edge - 0.5, turn))
            for turn in range(0, 360, step)
        )
        for step, reach in ((2, 1.5), (10, 2.4))
    )
    return [
        ring(centre, edge, DEEP, 2.4, 0.6),
        ring(centre, edge - 0.3, GOLD, 0.45, 0.9),
        Stroke(fine, GOLD, 0.12, 0.5),
        Stroke(coarse, GOLD, 0.2, 0.7),
    ]


def _links(layout: Layout) -> list[Mark]:
    """Link spaces as thin outlines; those along a spoke are on a fine line."""
    lines = tuple(
        (layout.spaces[link.a].at, layout.spaces[link.b].at)
        for link in layout.board.links_of("vertical")
    )
    marks: list[Mark] = [Stroke(lines, SILVER, 0.3, 0.45)]
    for bar in layout.places.values():
        if isinstance(bar, Bar):
            x, y = bar.size[0] / 2, bar.size[1] / 2
            outline: tuple[Line, ...] = moved(
                [rounded_box(-x, -y, x, y, min(1.1, y / 2))], bar.at, turn=bar.turn
            )
            inner = moved(
                [rounded_box(0.2 - x, 0.2 - y, x - 0.2, y - 0.2, 1.0)], bar.at, turn=bar.turn
            )
            marks.append(Fill(outline, BED, 0.93))
            marks.append(Stroke(inner, SILVER, 0.3, 0.8))
    return marks


def _polaris(at: Point, radius: float) -> list[Mark]:
    """The pole star, at the centre."""
    marks: list[Mark] = glow(at, radius * 1.8, "#cfe0ff", 0.6)
    marks.append(Fill((star(at, 36, radius + 1.6, radius - 1.0),), PALE_GOLD, 0.35))
    marks.append(disc(at, radius, "#1a2347", 0.85))
    marks.append(ring(at, radius - 0.3, PALE_GOLD, 0.6))
    marks.append(ring(at, radius - 1.5, GOLD, 0.16, 0.8))
    marks += glow(at, radius * 0.8, "#ffffff", 0.5)
    marks.append(Fill((star(at, 8, radius * 0.6, radius * 0.15, 22.5),), "#9fb6ee", 0.9))
    for turn in range(0, 360, 90):
        tip, side, other = (0.0, -0.95), (0.14, -0.14), (-0.14, -0.14)
        for edge, colour in ((side, "#ffffff"), (other, "#b9c9f4")):
            outline = moved([((0.0, 0.0), tip, edge, (0.0, 0.0))], at, radius * 0.9, turn)
            marks.append(Fill(outline, colour))
    marks.append(disc(at, radius * 0.1, "#ffffff"))
    return marks


def _numbers(layout: Layout) -> list[Mark]:
    """The sectors' numbers at the disc's edge; the orbits' numbers beside each border."""
    board, centre = layout.board, layout.spaces[POLARIS].at
    edge, outermost = disc_radius(layout), max(layout.board.orbits)
    reach = max(layout.spaces[s].radius for s in board.orbits[outermost])
    room = (edge - 2.4) - (orbit_radius(layout, POLARIS, outermost) + reach)
    marks: list[Mark] = []
    for number, tint in zip(board.sectors, TINTS, strict=False):
        turn = sector_direction(board, number, layout.places)
        radius = edge - 2.6 - room / 2 + 0.4
        marks.append(
            curved_lettering(str(number), centre, radius, turn, room * 0.78, ICE, weight=0.15)
        )
        for side in (-1, 1):
            at = on_arc(centre, radius, turn + side * 1.9)
            marks.append(Fill((star(at, 4, 1.2, 0.35),), tint))
        away = orbit_radius(layout, POLARIS, min(board.orbits)) * 0.73
        badge = on_arc(centre, away, turn)
        marks.append(disc(badge, away * 0.115, DEEP, 0.9))
        marks.append(ring(badge, away * 0.115, tint, 0.4, 0.95))
        marks.append(ring(badge, away * 0.1, tint, 0.12, 0.7))
        marks.append(
            curved_lettering(str(number), centre, away, turn, away * 0.11, ICE, weight=0.13)
        )
    for border in _borders(layout):
        for orbit in board.orbits:
            radius = orbit_radius(layout, POLARIS, orbit)
            gap = math.degrees(11.0 / radius)
            at = on_arc(centre, radius + 6.1, border + gap)
            marks.append(disc(at, 2.0, DEEP, 0.8))
            marks.append(ring(at, 1.9, SILVER, 0.22, 0.9))
            marks.append(
                curved_lettering(
                    str(orbit), centre, radius + 6.1, border + gap, 1.9, ICE, weight=0.16
                )
            )
    return marks


def _frame_bed(layout: Layout) -> list[Mark]:
    """The ring under the moon frame, and the frame in its initial position."""
    radii = frame_radii(layout.places)
    if radii is None:
        return []
    frame_ring = Ring(layout.spaces[POLARIS].at, *radii)
    first = next(iter(layout.board.sectors))
    return [
        ring(frame_ring.centre, frame_ring.middle, DEEP, radii[1] - radii[0] + 3),
        *draw_frame(frame_ring, sector_direction(layout.board, first, layout.places)),
        ring(frame_ring.centre, frame_ring.outer + 1.0, GOLD, 0.3, 0.8),
    ]


def token_set() -> list[str]:
    """Every piece of one game, in the order of the sheet."""
    players = [colour for colour in TOKEN_STYLES if colour != NEUTRAL]
    stars = [colour for colour in players for _ in range(STARS_OF_A_PLAYER)]
    return stars + [NEUTRAL] * NEUTRAL_STARS + [LINK] * LINKS


def draw_token(piece: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """One token about a point in mm, turned `turn` degrees clockwise."""
    if piece == LINK:
        return _draw_link(at, turn)
    return draw_star_token(TOKEN_STYLES[piece], at, DIAMETER_MM / 2, turn, sign=0.22, pen=0.35)


def _draw_link(at: Point, turn: float) -> list[Mark]:
    """A pale grey bar with a dark edge and a fine line along its middle."""
    length, width = LINK_MM

    def box(inset: float) -> tuple[Line, ...]:
        x, y = length / 2 - inset, width / 2 - inset
        return moved([rounded_box(-x, -y, x, y, max(0.9 - inset, 0.3))], at, turn=turn)

    return [
        Fill(box(0.0), LINK_EDGE),
        Fill(box(0.45), LINK_PAPER),
        Stroke(moved([((-2.6, 0.0), (2.6, 0.0))], at, turn=turn), "#b4b9c2", 0.35),
    ]
