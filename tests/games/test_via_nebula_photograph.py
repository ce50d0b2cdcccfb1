"""Photographs of the valley, early and at the end: nothing is read wrong that is not asked."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from calibration import Profile, load_profile
from calibration.artwork import artwork
from calibration.drawing import Mark, Picture
from models.via_nebula.hands import lay
from scorer.places import Place, Point, counted
from scorer.via_nebula.board import TILE, guild_pieces
from scorer.via_nebula.edition import COLOURS, STANDARD
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.turns import TURNS
from tests.conftest import in_ci, in_full
from tests.games.photographs import as_photograph
from tests.scorer.via_nebula_tables import played_at_random
from vision import Photo, Reader
from vision.live.observations import Held, observations
from vision.observer import BoardObservation
from vision.region_chances import RegionCount


@pytest.mark.parametrize("share", in_full([0.05, 1.0], 1.0))
def test_a_valley_is_read_or_asked(share: float) -> None:
    valley, luck = load_profile("via_nebula/standard"), Random(1)
    moments = [state for state, _ in played_at_random(3, 1) if state.ready]
    state = moments[round(share * (len(moments) - 1))]
    lying = TURNS.positions(state)[0].pieces
    photo = photographed(valley, lying, lay(luck, valley, lying), luck)
    players = [{"colour": seat.colour} for seat in state.seats]
    roles = {"via_nebula": VIA_NEBULA.piece_roles({"players": players})}
    (board,) = Reader.of(valley).read(photo, piece_roles=roles).boards
    asked = {space for flag in board.flags for space in flag.spaces}
    wrong = {
        place.id
        for place in valley.places
        if shown(counted(board.pieces, place.id)) != shown(counted(lying, place.id))
    }
    assert wrong <= asked and len(wrong) < 4, wrong
    assert len(asked) < 12, asked
    tokens = {place.id for place, piece in lying.items() if piece in STANDARD.tokens}
    assert len(tokens) > 10 or share == 1
    assert not tokens & wrong, "their kinds and numbers are read"


@pytest.mark.parametrize("known", [True, False], ids=["two play", "nobody knows who plays"])
def test_piles_are_full_by_the_rules_or_asked_about(known: bool) -> None:
    """What lies beneath cannot be seen: only who plays tells how many there are in a full one."""
    guild, luck = load_profile("via_nebula/standard-guild"), Random(5)
    lying = guild_pieces((0, 2, 5, 5), {"wood": 2, "food": 1})
    tops = {at: one for at, one in lying.items() if one != TILE or not at.slot}
    photo = photographed(guild, tops, lay(luck, guild, tops), luck)
    colours = [{"colour": colour} for colour in COLOURS[: 2 if known else 0]]
    roles = {"via_nebula": VIA_NEBULA.piece_roles({"players": colours})}
    (board,) = Reader.of(guild).read(photo, piece_roles=roles).boards
    likely = {space: [*flag.more["alternatives"]] for flag in board.flags for space in flag.spaces}
    if known:
        assert likely == {"pile_2": [f"{n} tile" for n in range(1, 6)]}
        assert all(
            counted(board.pieces, at.id) == counted(lying, at.id)
            for at in guild.places
            if at.id != "pile_2"
        )
    else:
        full = [f"{n} tile" for n in (3, 4, 5)]
        assert likely == {
            "pile_2": [f"{n} tile" for n in range(1, 6)],
            "pile_3": full,
            "pile_4": full,
        }


def photographed(
    valley: Profile, lying: Mapping[Place, str], at: Mapping[Place, Point], luck: Random
) -> Photo:
    marks: list[Mark] = [Picture(valley.require_reference())]
    for place, piece in lying.items():
        marks += artwork("via_nebula").draw_token(piece, at[place], luck.uniform(0, 360))
    return Photo(as_photograph(valley, marks, 1), (1600, 1200), "valley.jpg")


@in_ci
def test_what_touches_or_reaches_over_a_rim_is_counted_and_only_who_plays_is_read() -> None:
    """Three resources that touch are no token between them, and no orange is a third player's."""
    valley = load_profile("via_nebula/standard")
    held = {
        "C5": {"clay": (-4.6, 0.0), "clay ": (4.6, 0.0), "clay  ": (0.0, 8.0)},
        "D7": {"stone": (0.0, 0.0), "stone ": (9.2, 0.0), "craftsman_blue": (0.0, 9.2)},
        "F6": {"site_black": (0.5, -5.0), "wheat": (-3.0, 8.5)},
    }
    lying: dict[Place, str] = {}
    at: dict[Place, Point] = {}
    for name, pieces in held.items():
        x, y = valley.places[Place(name, "region")].at
        for slot, (piece, (right, down)) in enumerate(pieces.items()):
            lying[Place(name, "region", slot)] = piece.strip()
            at[Place(name, "region", slot)] = (x + right, y + down)
    photo = photographed(valley, lying, at, Random(3))
    roles = VIA_NEBULA.piece_roles({"players": [{"colour": "blue"}, {"colour": "black"}]})
    reader = Reader.of(valley)
    (board,) = reader.read(photo, piece_roles={"via_nebula": roles}).boards
    for name in held:
        assert counted(board.pieces, name) == counted(lying, name), name
    wanted = np.array([place.id == "D7" for place in reader.places])
    counts = reader.count(reader.rectify(photo.image, board.to_photo), wanted, roles)
    assert {place.id: one.pieces for place, one in counts.items()} == {
        "D7": counted(lying, "D7")
    }, "counted alone as among all others"
    reported = [one for flag in board.flags for one in flag.more["alternatives"]]
    assert not any("red" in one or "white" in one for one in reported), reported


def shown(pieces: Counter[str]) -> Counter[tuple[object, ...]]:
    """What is to be seen of pieces: three tokens of a kind look alike."""
    own = STANDARD.tokens
    return Counter(
        (own[one].resource, own[one].shows) if one in own else (one,) for one in pieces.elements()
    )


def test_a_token_that_looks_like_one_elsewhere_is_another_one() -> None:
    """Live, spaces are read a few at a time: the same token twice would break a rule."""
    valley = load_profile("via_nebula/standard")
    tokens = [one for one in STANDARD.tokens.values() if not one.special]
    first, other, *_third = (
        name
        for name, own in STANDARD.tokens.items()
        if (own.resource, own.shows) == (tokens[0].resource, tokens[0].shows)
    )
    here, there = Place("B6", "region"), Place("C5", "region")
    chances = {first: np.array([0.1, 0.9]), other: np.array([1.0, 0.0])}
    count = RegionCount(chances, alike={first: first, other: first})
    board = counted_as(valley, {here: count, there: count})
    seen = observations(board, valley, {})
    assert [seen[place].piece for place in (here, there)] == [(first,), (other,)]
    assert observations(board, valley, {there: (first,)})[here].piece == (other,)

    gone = RegionCount(
        {first: np.array([1.0, 0.0]), other: np.array([1.0, 0.0])}, alike=count.alike
    )
    board = replace(board, count_regions=lambda _roles: {here: count, there: gone})
    held = {there: (other,), Place("D4", "region"): (first,)}
    assert observations(board, valley, held)[here].piece == (other,), "all are taken: it has moved"


def test_counts_beyond_the_supply_are_asked_about() -> None:
    """Some count is wrong, here or where the others lie: a camera cannot know which."""
    valley, here = load_profile("via_nebula/standard"), Place("B6", "region")
    others = [at for at in valley.places if at.kind == "region" and at != here][:3]
    sure = np.array([0.0, 0.0, 1.0])
    board = counted_as(valley, {here: RegionCount({"wood": sure})})
    known: dict[Place, Held] = dict.fromkeys(others, ("wood",) * 5)
    assert observations(board, valley, known)[here].confidence == 1, "17 of 18"
    known[others[0]] = ("wood",) * 7
    seen = observations(board, valley, known)[here]
    assert seen.piece == ("wood",) and seen.confidence < 0.6 and len(seen.likeliest) == 2
    assert observations(board, valley, {**known, here: ("wood",)})[here].confidence < 0.6
    one_less = {**known, others[1]: ("wood",) * 4}
    assert observations(board, valley, {**one_less, here: ("wood",) * 2})[here].confidence == 1
    assert observations(board, valley, one_less, beside=[("wood",)])[here].confidence < 0.6
    more = counted_as(valley, dict.fromkeys((here, others[2]), RegionCount({"wood": sure})))
    known = {others[0]: ("wood",) * 8, others[1]: ("wood",) * 7}
    both = observations(more, valley, known).values()
    assert sorted(one.confidence < 0.6 for one in both) == [False, True], "one more than are left"


def counted_as(profile: Profile, counts: Mapping[Place, RegionCount]) -> BoardObservation:
    """A picture of which nothing is known but what lies in some regions."""
    places, classes = tuple(profile.places), tuple(piece.id for piece in profile.game.pieces)
    scores, odds = (np.zeros((len(places), len(classes) + more)) for more in (0, 1))
    nothing = np.zeros(len(places))
    return BoardObservation(
        *(classes, scores, nothing, lambda: nothing, scores, odds),
        count_regions=lambda _roles: counts,
    )
