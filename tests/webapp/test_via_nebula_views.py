"""What a guided game of Via Nebula shows beside the question: ways, contracts, what is left."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, get_template_attribute

from calibration import load_profile
from scorer.via_nebula.board import SITE, Element
from scorer.via_nebula.edition import FOREST, RESOURCES, STANDARD
from scorer.via_nebula.legal import in_reach, reached_from
from scorer.via_nebula.state import A_TURN, Build, Carry, State
from scorer.via_nebula.turns import TURNS
from tests.conftest import in_ci
from tests.scorer.via_nebula_tables import site, table
from webapp.app.boards.board_drawing import draw
from webapp.games.via_nebula.views import (
    filled_ruins,
    hand,
    most_missed,
    standing,
    unused,
    ways_to_sites,
)
from webapp.games.via_nebula.views import table as on_table
from webapp.web.pages.guide_screen import _without_secrets


def test_a_turn_says_what_is_left_of_it() -> None:
    def said(**changes: object) -> list[str]:
        state = replace(table(2, tokens={}), **changes)
        return [str(one) for _term, one in standing(state, ["Ana", "Eva"])]

    assert said(left=1)[0] == "1 of 2 actions left"
    assert said(left=0, power="explore", ender=0) == [
        "the contract's power is left",
        "then everybody else has one last turn",
        "yet to place: Ana (3 craftsmen, 3 sites, 5 tiles to the next explorer), "
        "Eva (3 craftsmen, 3 sites, 5 tiles to the next explorer)",
    ]
    state = table(2, {}, {"A2": ("wood", 2, "blue")}).with_seat(0, piles=(0, 1, 5, 5))
    told = [str(one) for _term, one in standing(state.with_seat(1, piles=(0,) * 4), ["Ana", "Eva"])]
    whose = "Ana (2 craftsmen, 3 sites, 1 tile to the next explorer), Eva (3 craftsmen, 3 sites)"
    assert f"yet to place: {whose}" in told
    last = "your last turn: Eva has five buildings (+2 points); nobody plays after you"
    assert said(ender=1)[1] == last


def test_a_last_turn_names_who_plays_after_it() -> None:
    """Whoever ended the game, in the order in which they then play."""
    for players, ender in ((n, seat) for n in (2, 3, 4) for seat in range(n)):
        names, luck = ["Ana", "Eva", "Iva", "Leo"][:players], Random(players)
        state = TURNS.start({"players": players})
        while (action := TURNS.drawn(state, luck)) is not None:
            state = TURNS.after(state, action)
        state = replace(state, mover=(ender + 1) % players, ender=ender)
        told, moved = dict[str, str](), list[str]()
        while not state.over:
            name = names[state.mover]
            told[name] = str(dict(standing(state, names))["end_card_word"])
            moved += [name] if name not in moved else []
            action = TURNS.drawn(state, luck) or luck.choice(TURNS.actions(state))
            state = TURNS.after(state, action)
        assert len(moved) == players - 1 and names[ender] not in moved
        for n, name in enumerate(moved):
            *others, last = moved[n + 1 :] or [""]
            after = f"{', '.join(others)} and {last}" if others else last
            said = f"after you {after}" if last else "nobody plays after you"
            ended = f"{names[ender]} has five buildings (+2 points)"
            assert told[name] == f"your last turn: {ended}; {said}"


def test_what_is_in_reach_is_what_may_be_carried() -> None:
    """In random positions, for whoever is to move; of contracts face up only if it is all."""
    seen, brief = set[str](), set[str]()
    for seed in range(4):
        luck, state = Random(seed), TURNS.start({"players": 2 + seed % 3})
        while not state.over:
            action = TURNS.drawn(state, luck)
            if action is None:
                legal = TURNS.actions(state)
                rows = [*on_table(state, state.mover), *hand(state, state.mover)]
                rows = [] if state.power else rows
                every = [str(one) for _card, _rule, more in rows for one in more]
                brief |= {one for one in every if " lacks " in one and "(" not in one}
                for told in (one for one in every if " lacks " in one and "(" in one):
                    at, lacks = told.split(" lacks ")
                    missing, near = lacks.split(" (")
                    starts = {one.start for one in legal if isinstance(one, Carry) and one.at == at}
                    heaps = [state.pieces.exploitations[one] for one in starts]
                    found = dict.fromkeys(RESOURCES, 0)
                    for n, kind in re.findall(r"(\d+) (\w+) from ", near):
                        found[kind] = int(n)
                    assert {*re.findall(r"\b[A-K]\d+\b", near)} <= starts, told
                    for kind, n in found.items():
                        count = sum(own.count for own in heaps if own.resource == kind)
                        assert n == min(missing.count(kind), count), told
                    seen |= {near.partition(" ")[0]}
                action = luck.choice(legal)
            state = TURNS.after(state, action)
    assert seen == {"can", "all", "no"} and brief


def test_what_is_in_the_way_of_a_resource_opens_it() -> None:
    seen, luck, state = 0, Random(3), TURNS.start({"players": 2})
    while not state.over:
        for told in map(str, ways_to_sites(state, 1) if state.ready else ()):
            at, _goods, ways = re.fullmatch(r"(\w+)( \(.+?\))?: (.+)", told).groups()
            near, _not_yet, barred = ways.partition("not yet ")
            counted = {what: int(n) for n, what in re.findall(r"(\d+) (\w+) from", near)}
            assert counted == in_reach(state, at)
            for what, start, closed in re.findall(r"(\w+) from (\w+) \(([^)]+)\)", barred):
                opened, pieces, seen = {*re.findall(r"\w\d+", closed)}, state.pieces, seen + 1
                assert (
                    pieces.exploitations[start].resource == what and not in_reach(state, at)[what]
                )
                left = {one: own for one, own in pieces.exploitations.items() if one not in opened}
                free = {one: own for one, own in pieces.tokens.items() if one not in opened}
                pieces = replace(
                    pieces, exploitations=left, tokens=free, tiles=pieces.tiles | opened
                )
                assert start in reached_from(replace(state, pieces=pieces), at), told
                forests = {one for one in opened if state.valley.terrain[one] == FOREST}
                assert {*re.findall(r"forest (\w+)", closed)} == forests, "two actions"
        state = TURNS.after(state, TURNS.drawn(state, luck) or luck.choice(TURNS.actions(state)))
    assert seen > 30 and not [*ways_to_sites(state, 1)]


def test_fog_that_may_be_explored_is_named_before_what_lies_on_a_meadow() -> None:
    lie = {"D5": ("wood", 1, ""), "E7": ("food", 1, "")}
    state = table(2, {}, lie, {"F9": (site("blue"),)}, tiles="E6 F8")
    (told,) = map(str, ways_to_sites(state, 0))
    assert "not yet wood from D5 (F7)" in told


def test_with_two_players_a_ruin_is_drawn_as_filled_by_one_site() -> None:
    drawing, ruins = draw(load_profile("via_nebula/standard")), {"A4": (site("blue"),)}
    corners = [{*region.points.split()} for region in drawing.regions if region.id in ("A4", "A4b")]
    found = [*filled_ruins(drawing, table(2, {}, ruins=ruins))]
    assert [(at, {*own}) for _colour, at, _outline, own in found] == [
        ("A4", own) for own in corners
    ]
    filled = [{*own} for _colour, _at, own, _corners in found]
    assert len(filled) == 2 and all(own < half for own, half in zip(filled, corners, strict=True))
    assert {*corners[0]} ^ {*corners[1]} < filled[0] | filled[1], "both halves, V3"
    assert not [*filled_ruins(drawing, table(3, {}, ruins=ruins))]


def test_an_explored_space_is_drawn_as_a_meadow(app: Flask) -> None:
    drawing = draw(load_profile("via_nebula/starter"))
    with app.test_request_context("/lessons/via_nebula/carry"):
        held = get_template_attribute("_board.html", "held")(drawing, {"A1": {"tile": 1}})
    (own,) = [region for region in drawing.regions if region.id == "A1"]
    assert f'<polygon class="held region meadow" points="{own.points}"' in held
    assert "<circle" not in held, "and no disc hides it"


def test_a_crowded_half_of_a_ruin_spreads_over_an_empty_other_half(app: Flask) -> None:
    drawing = draw(load_profile("via_nebula/standard"))
    whole = {"site_blue": 1, "wood": 2, "stone": 1}
    left, right = (one for one in drawing.regions if one.id in ("F6", "F6b"))
    middle = (left.x + right.x) / 2

    def x_of(regions: dict[str, dict[str, int]]) -> float:
        return drawing.room_of(left, regions).x

    assert x_of({"F6": whole, "F6b": {"wood": 0}}) == middle
    assert x_of({"F6": whole, "F6b": {"site_red": 1}}) == left.x
    assert x_of({"F6": {"site_blue": 1, "wood": 2}}) == middle
    assert x_of({"F6": {"site_blue": 1}}) == left.x, "one has room in a half"
    with app.test_request_context("/lessons/via_nebula/carry"):
        held = get_template_attribute("_board.html", "held")(drawing, {"F6": whole})
    assert re.findall('class="how-many".*?>(.*?)<', held, re.DOTALL) == ["2"], "one is no number"


def test_resources_that_count_against_a_player_are_counted(app: Flask) -> None:
    lie = {"A2": ("wood", 2, "blue"), "B1": ("clay", 1, "red")}
    state = table(2, {}, lie, {"A4": (site("blue", food=1),)})
    state = state.with_seat(0, tokens=("wood-2",), storage={"clay": 1})
    told = [str(one) for _term, one in standing(state, ["Ana", "Eva"])]
    points = STANDARD.tokens["wood-2"].points - 1
    assert told[-1] == (
        "resources on sites and with craftsmen, −1 each if left at the end: Ana 3; "
        f"points without these: Ana {points}, Eva 0"
    ), "what is stored already counts"
    assert len([*standing(table(2, {}), ["Ana", "Eva"])]) == 3


def test_a_player_alone_sees_what_a_contract_in_hand_lacks() -> None:
    ruins = {"A4": (site("blue", stone=1),), "C3": (site("blue", wood=1, stone=1),)}
    state = table(2, {}, {}, ruins).with_seat(0, hand=("X1", "X2"))
    told = [(card, *map(str, more)) for card, _rule, more in hand(state, 0)]
    assert told == [
        ("X1", "A4 lacks wood and stone (no way yet)", "C3 lacks stone (no way yet)"),
        ("X2", *(f"{at} lacks clay and clay (no way yet)" for at in ("A4", "C3"))),
    ]
    lie = {"A5": ("wood", 1), "B4": ("stone", 2)}
    ruins = {"A4": (site("blue"),), "K4": (site("blue", stone=2),)}
    near = table(2, {}, lie, ruins).with_seat(0, hand=("X1",))
    ((*_own, (a4, k4)),) = hand(near, 0)
    carried = "(all can be carried there: 1 wood from A5 and 2 stone from B4)"
    assert str(a4) == f"A4 lacks wood, stone and stone {carried}"
    assert str(k4) == "K4 lacks wood (no way yet)", "as the bar below the contract counts"
    whole = table(2, {}, {}, {"A4": (site("blue", wood=2, stone=2),)}).with_seat(0, hand=("X1",))
    assert [str(more) for *_own, (more,) in hand(whole, 0)] == [
        "A4 holds all of it; left over for the storage: 1"
    ]
    assert [more for *_own, more in hand(table(2, {}).with_seat(0, hand=("X1",)), 0)] == [[]]


def test_a_contract_face_up_says_what_a_site_lacks() -> None:
    card, needs = next((id, own.needs) for id, own in STANDARD.contracts.items() if own.power)
    bare = replace(table(2, {}), open=(card,))
    assert [len(more) for *_own, more in on_table(bare, 0)] == [1], "its power alone"
    one_less = {one: n - (at == 0) for at, (one, n) in enumerate(needs.items())}
    for goods, said in ((one_less, "A4 lacks"), (needs, "A4 holds all of it")):
        state = replace(table(2, {}, {}, {"A4": (site("blue", **goods),)}), open=(card,))
        ((_card, _rule, (power, lacks)),) = on_table(state, 0)
        assert said in str(lacks)
        ((_card, _rule, more),) = on_table(replace(state, mover=1), 0)
        assert more == [power, lacks], "whoever moves then"
    for mover, left, when in ((0, 2, "in this turn"), (0, 1, "in this turn"), (1, 2, "next turn")):
        seen = replace(state, mover=mover, left=left)
        ((_card, _rule, (_power, rival)),) = on_table(seen, 1, ("Ana", "Luis"))
        assert str(rival) == f"Ana can fulfil it {when} as things lie"


@in_ci
def test_who_else_can_fulfil_a_contract_next_turn_is_said() -> None:
    """In random positions, with some of an open contract on each of the others' sites."""
    said = unsaid = 0
    for seed in range(3):
        luck = Random(seed)
        for state in _random_turns(seed, luck):
            given, names = (
                _with_goods(state, luck),
                [f"P{seat}" for seat in range(len(state.seats))],
            )
            told = [*on_table(given, state.mover, names)]
            for seat, name in enumerate(names):
                near = {
                    card for card, _rule, more in told if f"{name} can" in " ".join(map(str, more))
                }
                able = _fulfilled_next(given, seat) if seat != state.mover else set()
                assert near == able
                said, unsaid = said + len(able), unsaid + len(told) - len(able)
            for left in range(1, A_TURN + 1):
                told = [*on_table(replace(given, left=left), (state.mover + 1) % len(names), names)]
                now = f"{names[state.mover]} can fulfil it in this turn"
                near = {card for card, _rule, more in told if now in " ".join(map(str, more))}
                assert near == _fulfilled_next(given, state.mover, left)
    assert min(said, unsaid) > 10


def _random_turns(seed: int, luck: Random) -> Iterator[State]:
    """Some positions of a random game in which a turn begins, the last one of many pieces."""
    state = TURNS.start({"players": 2 + seed % 3})
    for step in range(160):
        if state.over:
            return
        action = TURNS.drawn(state, luck)
        if action is None and state.left == A_TURN and not state.power and step % 8 == 0:
            yield state
        state = TURNS.after(state, action or luck.choice(TURNS.actions(state)))


def _with_goods(state: State, luck: Random) -> State:
    """With up to two resources less than an open contract on each site."""

    def filled(own: Element) -> Element:
        if own.what != SITE or not state.open:
            return own
        needs = [*Counter(STANDARD.contracts[luck.choice(state.open)].needs).elements()]
        luck.shuffle(needs)
        return replace(own, holds=Counter(needs[luck.randrange(3) :]))

    ruins = {at: tuple(map(filled, own)) for at, own in state.pieces.ruins.items()}
    return replace(state, pieces=replace(state.pieces, ruins=ruins))


def _fulfilled_next(state: State, seat: int, left: int = A_TURN) -> set[str]:
    """The open contracts that a player can fulfil with so many actions, powers aside."""
    own = replace(state, mover=seat, left=left)
    carried = [TURNS.after(own, one) for one in TURNS.actions(own) if isinstance(one, Carry)]
    built = chain.from_iterable(TURNS.actions(one) for one in (own, *carried) if one.mover == seat)
    cards = {one.card for one in built if isinstance(one, Build)} & {*state.open}
    return set() if state.ender is not None else cards


def test_what_is_unused_at_the_end_and_what_was_near_is_said() -> None:
    for seed in range(2):
        luck = Random(seed)
        *_others, last = _random_turns(seed, luck)
        filled = _with_goods(last, luck)
        left = Counter[str]()
        for _at, colour, count in unused(filled):
            left[colour] += count
        for seat in filled.seats:
            assert left[seat.colour] == filled.pieces.resources(seat.colour).total()
        assert len([*most_missed(filled)]) == len(filled.seats)
    near = table(2, {}, {}, {"A4": (site("blue", wood=1),)}, open="N1").with_seat(0, hand=())
    own = STANDARD.contracts["N1"]
    missed = str(next(most_missed(near)))
    assert f"the {own.name} contract lacked" in missed and f"{own.points} points" in missed
    assert missed.endswith("; 1 unused resource costs 1 point")
    stored = replace(near, open=()).with_seat(0, hand=(), storage={"clay": 2})
    told = str(next(most_missed(stored)))
    assert "from a pile: 2 points" in told and told.endswith("; 3 unused resources cost 3 points")


@pytest.mark.parametrize(("own", "without"), [((), {0}), (("X1",), set())])
def test_a_hand_without_contracts_offers_nothing_to_hold(
    app: Flask, monkeypatch: pytest.MonkeyPatch, own: tuple[str, ...], without: set[int]
) -> None:
    state = table(2).with_seat(0, hand=own).with_seat(1, hand=("X2",))

    def seen(_game: object, _history: object, seat: int | None) -> SimpleNamespace:
        return SimpleNamespace(state=TURNS.seen_by(state, seat))

    monkeypatch.setattr(app.extensions["stargazer guide"], "seen", seen)
    shown: Any = SimpleNamespace(secrets=[0])
    with app.test_request_context():
        assert {*_without_secrets(shown, shown, shown)} == without
