"""Links are told by the ink that the plain ones are drawn in."""

import cv2
import numpy as np
import pytest

from calibration.proposal.board import confirmed, outermost_rims
from calibration.proposal.circles import Circles, Edges
from calibration.proposal.ink import Ink
from calibration.proposal.lines import Lines, straight
from calibration.proposal.links import FoundLinks, find_links
from calibration.proposal.standard import standard_board
from scorer.topology import Link

STANDARD = standard_board("nebula")
AT = STANDARD.graph.at * 4
INK = (210, 225, 235)
Pair = tuple[str, str]


def printed(gone: Pair | None = None, new: Pair | None = None, glare: Pair | None = None,
            grey: Pair | None = None) -> np.ndarray:  # fmt: skip
    """The standard board's spaces and links, thin on an uneven ground, without other artwork."""
    noise = np.random.default_rng(3).normal(0, 60, (960, 800, 3))
    picture = np.clip(60 + cv2.GaussianBlur(noise, (0, 0), 20) * 6, 0, 255).astype(np.uint8)
    at = dict(zip(STANDARD.spaces, AT.round().astype(int).tolist(), strict=True))
    for link in STANDARD.layout.board.links:
        if link.kind == "direct" and gone != (link.a, link.b):
            colour = (70, 70, 90) if grey == (link.a, link.b) else INK
            cv2.line(picture, at[link.a], at[link.b], colour, 5, cv2.LINE_AA)
        elif link.kind == "indirect":
            a, b = np.array(at[link.a]), np.array(at[link.b])
            for part in range(0, 20, 2):
                ends = [(a + (b - a) * p / 20).astype(int).tolist() for p in (part, part + 1)]
                cv2.line(picture, *ends, INK, 4, cv2.LINE_AA)
    if new is not None:
        cv2.line(picture, at[new[0]], at[new[1]], INK, 5, cv2.LINE_AA)
    for x, y in at.values():
        cv2.circle(picture, (x, y), 32, (40, 30, 30), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), 32, INK, 3, cv2.LINE_AA)
    if glare is not None:  # all but white, and the line in it no more than a little whiter
        x, y = np.mean([at[name] for name in glare], axis=0)
        far = np.hypot(np.arange(800) - x, (np.arange(960) - y)[:, None]) / 90
        shine = 0.85 * np.exp(-(far**4))[..., None]
        picture = (picture + shine * (250 - picture)).astype(np.uint8)
    return picture


CIRCLES = Circles(AT, np.full(25, 32.0), np.ones(25), np.zeros(25), 32.0)


def found(picture: np.ndarray) -> FoundLinks:
    return find_links(STANDARD, Lines(picture), CIRCLES, AT, CIRCLES.radius)


def direct(a: str, b: str) -> Link:
    return next(x for x in STANDARD.links["direct"] if x.ends == {a, b})


def drawn(links: FoundLinks) -> set[str]:
    """The kinds of which every link is seen, or has no room to be."""
    return {
        kind
        for kind, own in STANDARD.links.items()
        if all(links.sure[link] >= 0.5 or link in links.touching for link in own)
    }


def test_links_in_glare_are_seen_by_their_ink() -> None:
    for links in (found(printed()), found(printed(glare=("ar4", "ar5")))):
        assert drawn(links) >= {"direct", "indirect"}
        assert links.unknown == ()


def test_a_link_that_is_not_printed_is_never_taken_for_seen() -> None:
    links = found(printed(gone=("ge4", "ge5"), new=("ge3", "ge5")))
    assert links.sure[direct("ge4", "ge5")] < 0.5
    assert links.unknown == (("ge3", "ge5"),)


def test_other_print_on_its_way_is_no_link() -> None:
    """A line of another ink is as plain, and does not pass for one in the ink of the others."""
    links = found(printed(grey=("ge4", "ge5")))
    assert links.sure[direct("ge4", "ge5")] < 0.5


def test_ink_is_learnt_from_several_lines_only() -> None:
    lines = Lines(printed())
    ways = straight(AT[[1, 2]], AT[[4, 3]], 32.0)
    assert Ink.of(lines, ways, 32.0) is None


def test_ink_tells_lines_dashes_and_nothing_apart() -> None:
    lines = Lines(printed())
    number = {name: i for i, name in enumerate(STANDARD.spaces)}

    def ways(*pairs: Pair) -> np.ndarray:
        a, b = ([number[pair[side]] for pair in pairs] for side in (0, 1))
        return straight(AT[a], AT[b], 32.0)

    solid = [(x.a, x.b) for x in STANDARD.links["direct"]]
    ink = Ink.of(lines, ways(*solid), 32.0)
    reported = ink.along(ways(("ar1", "ar4"), ("ar2", "ar6"), ("ge6", "ca5")))
    assert reported.solid[0] > 0.9 and reported.solid[1:].max() < 0.5
    assert reported.dashed[1] > 0.5 and reported.dashed[2] < 0.1
    assert reported.likeness[2] == pytest.approx(0, abs=0.3)


def test_gaps_too_fine_to_be_seen_each_still_make_a_line_wave() -> None:
    """The gaps between thick dashes are all but closed by blur."""
    picture = printed()
    at = dict(zip(STANDARD.spaces, AT.round().astype(int).tolist(), strict=True))
    a, b = np.array(at["ta4"]), np.array(at["ta6"])
    cv2.line(picture, at["ta4"], at["ta6"], INK, 9, cv2.LINE_AA)
    for part in np.arange(0.05, 1, 0.1):
        x, y = (a + (b - a) * part).astype(int).tolist()
        cv2.circle(picture, (x, y), 2, (70, 60, 60), -1, cv2.LINE_AA)
    for x, y in (at["ta4"], at["ta6"]):
        cv2.circle(picture, (x, y), 32, (40, 30, 30), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), 32, INK, 3, cv2.LINE_AA)
    picture = cv2.GaussianBlur(picture, (0, 0), 2.0)
    link = next(x for x in STANDARD.links["indirect"] if x.ends == {"ta4", "ta6"})
    links = found(picture)
    assert links.sure[link] >= 0.5
    assert drawn(links) >= {"direct", "indirect"}
    lines = Lines(picture)
    way = straight(AT[[STANDARD.spaces.index("ta4")]], AT[[STANDARD.spaces.index("ta6")]], 32.0)
    assert lines.along(way).dashed[0] < 0.5


def ringed(hidden: float = 0.0) -> np.ndarray:
    """The board with its orbits, eight px inside their spaces, a part of them hidden."""
    picture = printed()
    core = AT[STANDARD.spaces.index("core")]
    centre = core.round().astype(int).tolist()
    for orbit in STANDARD.layout.board.orbits.values():
        apart = [np.linalg.norm(AT[STANDARD.spaces.index(name)] - core) for name in orbit]
        cv2.circle(
            picture, centre, round(float(np.mean(apart))) - 8, (200, 120, 80), 3, cv2.LINE_AA
        )
    if hidden:
        cv2.ellipse(picture, centre, (900, 900), 0, 20, 20 + hidden, (200, 120, 80), -1)
    return picture


def test_rings_are_found_by_what_is_drawn_all_round() -> None:
    """Their spaces lie beside them, and a stain of their own colour lies over a part."""
    links = found(ringed(hidden=25))
    assert all(links.sure[link] >= 0.5 for link in STANDARD.links["orbital"])
    none = found(printed())
    assert sum(none.sure[link] >= 0.5 for link in STANDARD.links["orbital"]) < 4


def test_between_rims_that_all_but_meet_no_line_would_show() -> None:
    picture = printed()
    one, other = (AT[STANDARD.spaces.index(name)] for name in ("core", "ar1"))
    half = float(np.linalg.norm(one - other)) / 2
    for x, y in (one, other):
        cv2.circle(picture, (round(x), round(y)), round(half) - 4, INK, 5, cv2.LINE_AA)
    rims = outermost_rims(Edges(picture), AT, 32.0)
    assert rims[STANDARD.spaces.index("ge6")] < 40 < rims[STANDARD.spaces.index("core")]
    links = find_links(STANDARD, Lines(picture), CIRCLES, AT, rims)
    assert direct("core", "ar1") in links.touching
    assert direct("core", "ar1") not in found(picture).touching


def test_links_that_meet_in_a_space_decide_whether_it_is_one() -> None:
    """A plainer circle beside it is a rival, unless the space is where its links lead."""
    space = STANDARD.spaces.index("ge6")
    beside = AT[space] + (-40.0, -75.0)
    circles = Circles(np.concatenate([AT, beside[None]]), np.full(26, 32.0), np.ones(26),
                      np.zeros(26), 32.0)  # fmt: skip
    named, seen = np.arange(25), np.ones(25)
    seen[space] = 0.6

    def sure(picture: np.ndarray) -> float:
        links = found(picture)
        reported = confirmed(STANDARD, Lines(picture), circles, named, AT, seen, links)
        return float(reported[space])

    assert sure(printed()) > 0.5
    assert sure(printed(gone=("ge5", "ge6"))) < 0.5


def test_a_space_that_is_not_seen_lies_where_links_from_all_sides_meet() -> None:
    seen = np.ones(25)
    for name in ("core", "ge6"):
        seen[STANDARD.spaces.index(name)] = 0.1
    picture = printed()
    links = found(picture)
    reported = confirmed(STANDARD, Lines(picture), CIRCLES, np.arange(25), AT, seen, links)
    assert reported[STANDARD.spaces.index("core")] >= 0.5 > reported[STANDARD.spaces.index("ge6")]


def test_rims_that_meet_are_no_unknown_line() -> None:
    one, other = (STANDARD.spaces.index(name) for name in ("ar3", "ar5"))
    at = AT.copy()
    at[one] = at[other] + (0.0, 76.0)
    picture = np.full((960, 800, 3), 60, np.uint8)
    for link in STANDARD.links["direct"]:
        a, b = (at[STANDARD.spaces.index(end)].astype(int).tolist() for end in (link.a, link.b))
        cv2.line(picture, a, b, INK, 5, cv2.LINE_AA)
    for x, y in at.astype(int).tolist():
        cv2.circle(picture, (x, y), 35, (40, 30, 30), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), 35, INK, 6, cv2.LINE_AA)
    circles = Circles(at, np.full(25, 28.0), np.ones(25), np.zeros(25), 28.0)
    rims = outermost_rims(Edges(picture), at, 28.0)
    assert find_links(STANDARD, Lines(picture), circles, at, rims).unknown == ()
    assert find_links(STANDARD, Lines(picture), circles, at, circles.radius).unknown != ()


def test_next_to_no_room_between_halos_proves_no_link() -> None:
    """Other print is plain on the eight pixels between what was taken for two rims."""
    for gone in (("ge4", "ge5"), ("ca3", "ca4")):
        a, b = (STANDARD.spaces.index(end) for end in gone)
        rims = CIRCLES.radius.copy()
        rims[[a, b]] = (np.linalg.norm(AT[a] - AT[b]) - 13) / 2
        links = find_links(STANDARD, Lines(printed(grey=gone)), CIRCLES, AT, rims)
        assert links.sure[direct(*gone)] < 0.5
