"""A guided game of Via Nebula: what is asked, where it is possible, and what it brings."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from itertools import chain
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, get_template_attribute, render_template

from calibration import load_profile
from scorer.sentence import minus
from scorer.turns import Advice, Alternative
from scorer.via_nebula.board import SITE, Element
from scorer.via_nebula.edition import RESOURCES, STANDARD
from scorer.via_nebula.legal import in_reach, reached_from
from scorer.via_nebula.state import A_TURN, Build, Carry, Craftsman, Explore, Lay, Reveal, State
from scorer.via_nebula.turns import TURNS
from tests.conftest import in_ci
from tests.scorer.via_nebula_tables import site, table
from tests.webapp.conftest import Player, document_of
from tests.webapp.guided import drafted, played_out, played_to_the_end
from tests.webapp.test_via_nebula_pages import begun
from webapp.app.boards.board_drawing import draw
from webapp.app.game_pages import pages_of
from webapp.app.guided_game import GuidedGame
from webapp.app.session.game_document import new_game
from webapp.games.via_nebula.views import (
    blocked_ways,
    chosen_ways,
    closed_ways,
    filled_ruins,
    hand,
    most_missed,
    standing,
    unused,
)
from webapp.games.via_nebula.views import table as on_table
from webapp.web.guide_gains import changed_for
from webapp.web.guide_hints import compared, hints
from webapp.web.guide_questions import Asked
from webapp.web.pages.guide_screen import _without_secrets
from webapp.web.table_strip import card_of_market, explained, table_strip

FOUR = {"players": [{"name": name} for name in ("Ana", "Eva", "Iva", "Leo")]}
TWO = {"players": [{"name": "Ana"}, {"name": "Eva"}]}


@pytest.fixture
def part(app: Flask) -> Iterator[GuidedGame]:
    """The game's guide, within a request."""
    with app.test_request_context("/lessons/via_nebula/carry"):
        yield pages_of("via_nebula").guided


def guided(player: Player, computers: str = "-,-") -> str:
    """A guided game of two in which the program draws."""
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": computers})
    return game


def test_a_guided_game_on_the_beginners_side_ends_in_its_score(app: Flask, player: Player) -> None:
    game = begun(player, guided="yes", profile="starter")
    answer = player.post(f"{game}/guide", {"draws": "program", "computers": "-,master"})
    assert answer.status_code == 303
    state = played_out(app, player, game, TURNS, 2)
    assert state.side == "beginners" and [seat.colour for seat in state.seats] == ["blue", "red"]
    kept = document_of(app, game)
    assert [one["tokens"] for one in kept["players"]] == [[*seat.tokens] for seat in state.seats]
    page = player.get(f"{game}/score").text
    for one in TURNS.score(state, ["Ana", "Eva"]).players:
        assert re.search(rf"{one.name}.*?\b{one.total}\b", page, re.DOTALL)


def test_a_guided_turn_is_tapped_on_the_valley_and_its_ways_are_drawn(app: Flask) -> None:
    page = Player(app.test_client()).get("/lessons/via_nebula/carry").text
    assert 'id="space-A4" role="button"' in page and 'data-tells="carry A6"' in page
    assert "<legend>What you do</legend>" in page and ">Carry wood from A6<" in page
    player = Player(app.test_client())
    game = guided(player)
    page = player.get(f"{game}/guide").text
    first, *_others, last = re.findall(r'class="option .*?</a>', page)
    assert "Place a craftsman" in first and "why?" not in first
    assert "A1 is adjacent neither to a space of yours nor to an open meadow. 56 " in last
    assert "not now: why?" not in last, "one tap less"
    assert "Explore fog or forest" in last and "refused" in last
    (dealt,) = re.findall('id="dealt".*?</details>', page, re.DOTALL)
    assert 'class="news"' not in dealt and "What just happened" in dealt
    assert dealt.count("<li>") > 20, "what was dealt is folded"
    assert "×2 (printed: 3): 2 resources, 1 point." in page and "serves one contract" in page
    assert ">2 of 2 actions left</a></li>" in page.partition('id="question"')[0], (
        "above what is asked"
    )
    assert "Buildings (who erects the fifth ends the game): Ana 0, Eva 0" in page, (
        "and how near that is"
    )
    page = drafted(player, game, "craftsman")
    assert "Place a craftsman: where?" in page
    assert page.count('data-action="craftsman ') == 20, "every token, and no exploitation"
    assert page.count("aria-disabled") == 101 - 20, "and why not anywhere else"
    assert "where a ring is lit" in page
    assert "On every lit space: −1 (Exploitations, Storage at the end)." in page
    assert "In points of now it is the same everywhere" in page
    page = drafted(player, game, "explore")
    assert "It cannot go anywhere now." in page and "where a ring is lit" not in page


def test_what_can_be_done_nowhere_says_why_instead_of_asking_where(part: GuidedGame) -> None:
    state = table(tokens={"B1": "wood-3", "A2": "clay-1"}, ruins={"C3": (site("blue"),)})

    def refused(state: State) -> dict[str, str]:
        """The buttons that stand for what is not legal, with the reason."""
        choices = Asked(part, state).question(FOUR).choices
        broken = {one.words: one.action and TURNS.illegal(state, one.action) for one in choices}
        return {words: str(one.reason) for words, one in broken.items() if one}

    def pictured(state: State) -> set[str]:
        """The contracts that buttons show by their pictures."""
        choices = Asked(part, state, "build").question(FOUR).choices
        return {one.about for one in choices if one.template == "via_nebula/guide/_card.html"}

    stored = replace(state, pieces=replace(state.pieces, ruins={"C3": (site("blue", wood=2),)}))
    none = "what lies on your sites fulfils no contract face up, nor any that a hand may hold"
    assert refused(stored)["Erect a building"] == none
    some = replace(
        state, pieces=replace(state.pieces, ruins={"C3": (site("blue", wood=2, clay=1),)})
    )
    assert "Erect a building" not in refused(some), "a hand may fulfil a private one"
    assert some.open and {*some.open} <= pictured(some)
    few = "a contract needs at least 2 resources on one site"
    for hidden in (state, TURNS.seen_by(state, None)):
        assert refused(hidden) == {"Erect a building": few}, "whichever contracts are held"
    assert refused(state.with_seat(0, craftsmen=0, sites=0, buildings=0)) == {
        "Place a craftsman": "there is no craftsman left on your guild board",
        "Place a building site": "there is no building site left on your guild board",
        "Erect a building": "there is no building left on your guild board",
    }


def test_what_is_carried_from_where_is_named_and_pictured(part: GuidedGame) -> None:
    state = table(
        tokens={},
        exploitations={"A2": ("wood", 2), "B1": ("clay", 1)},
        ruins={"A4": (site("blue"),), "C3": (site("blue"),)},
    )
    asked = Asked(part, state, "carry").question(FOUR)
    assert asked.words == "Carry a resource: choose"
    assert [(one.words, one.piece) for one in asked.choices[:2]] == [
        ("carry wood from A2", "wood"),
        ("carry clay from B1", "clay"),
    ]
    asked = Asked(part, state, "carry A2").question(FOUR)
    assert asked.words == "Carry wood from A2: where?"


def test_what_can_be_carried_to_one_site_alone_is_one_tap(part: GuidedGame) -> None:
    lie = {"A6": ("wood", 2), "B1": ("clay", 1)}

    def carried(*sites: str) -> dict[str, object]:
        state = table(
            tokens={},
            exploitations=lie,
            ruins={at: (site("blue"),) * sites.count(at) for at in sites},
            tiles="A5 B5",
        )
        choices = Asked(part, state, "carry").question(FOUR).choices
        return {one.words: one.action for one in choices if one.piece}

    one, other, clay = carried("A4", "K4").items()
    assert one == ("carry wood from A6 to A4", Carry("A6", "A4"))
    assert other == ("carry wood from A6 to K4", Carry("A6", "K4")), "which says why not"
    assert clay == ("carry clay from B1", None), "asked on the board, which says why not"
    assert ("carry wood from A6", None) in carried("A4", "A4").items()
    assert carried("A4") == {one[0]: one[1], "carry clay from B1 to A4": Carry("B1", "A4")}


def test_a_contract_is_named_by_what_it_needs_wherever_it_lies(part: GuidedGame) -> None:
    state = table(tokens={}, ruins={"A4": (site("blue"),)})
    names = [card_of_market(part, one).name for one in ("N8", "X1")]
    broken = TURNS.illegal(state, Build("A4", "N8"))
    assert names == ["clay and wheat contract", "wood, stone and stone contract"]
    assert TURNS.format_event(Reveal("X1"), "") == "the wood, stone and stone contract is turned up"
    assert broken is not None and "N8" not in broken.reason


def test_exhausting_an_exploitation_names_the_returning_craftsman(part: GuidedGame) -> None:
    names = ["Ana", "Eva"]
    for own, then in (
        (("wood", 2, "black"), ""),
        (("wood", 1, "black"), " It was the last one: Eva’s craftsman comes home."),
        (("wood", 1), " It was the last one: the meadow opens."),
    ):
        state = table(2, {}, {"A6": own}, {"A4": (site("blue"),)}, "A5")
        action = Carry("A6", "A4")
        told = part.describe(state, action, TURNS.after(state, action), names)
        assert told == f"Ana carries wood from A6 to A4.{then}"


def test_of_all_ways_that_are_closed_the_one_with_the_shortest_reason_is_named(
    part: GuidedGame,
) -> None:
    lie = {"A2": ("wood", 1), "B1": ("clay", 1), "K6": ("stone", 1), "K2": ("clay", 1)}
    state = table(2, {}, lie, {"H1": (site("blue"),)})
    choices = Asked(part, state).question(TWO).choices
    ((broken, count),) = next(one.obstacles for one in choices if "Carry" in one.words)
    every = [TURNS.illegal(state, Carry(at, "H1")) for at in lie]
    assert count == len(every)
    assert len(str(broken.reason)) == min(len(str(one.reason)) for one in every if one)
    assert broken != every[0]


def test_an_empty_hand_of_contracts_says_so(app: Flask) -> None:
    with app.test_request_context("/lessons/via_nebula/build"):
        for hand, shown in (((), ""), (("X1",), "1. ")):
            state = table(2, {}).with_seat(0, hand=hand)
            page = render_template("via_nebula/guide/_secret.html", state=state, seat=0)
            assert shown in page if shown else not page.strip()


def test_a_power_asks_for_what_it_does(part: GuidedGame) -> None:
    state = replace(table(tokens={}, exploitations={"A6": ("wood", 2)}), power="explore")
    for own, follows in ((state, False), (replace(state, open=("N1", "N2")), True)):
        asked = Asked(part, own).question(FOUR)
        assert asked.words == "Power of the contract: explore fog, where?"
        assert ("Then the next contract is turned up." in asked.hint) is follows


def test_what_fewer_players_change_is_said_where_it_matters(part: GuidedGame) -> None:

    def hint(players: int, draft: str) -> str:
        state = table(players, tokens={"A2": "wood-1", "B1": "clay-1"})
        return Asked(part, state, draft).question(FOUR).hint

    for players, whole, fewer in [(2, True, True), (3, False, True), (4, False, False)]:
        assert ("the whole ruin" in hint(players, "site")) is whole
        assert ("(printed: 3)" in hint(players, "craftsman")) is fewer
    for players, gives in [
        (2, " (printed: 3): 2 resources, 1 point. ×3"),
        (4, ": 3 resources, 1 point. ×4"),
    ]:
        assert f"×{players // 2 + 1}{gives}" in hint(players, "craftsman")
        assert "Each left with your craftsmen" in hint(players, "craftsman"), "V62"
    built = table(2, tokens={}, ruins={"A4": (site("blue", wood=1, stone=1),)})
    asked = Asked(part, built, "build").question(FOUR)
    assert "takes the site’s place" in asked.hint
    second = replace(table(2, tokens={}), left=1)
    for state, is_said in [(second, True), (table(2, tokens={}), False)]:
        asked = Asked(part, state, "explore").question(FOUR)
        assert ("Forest takes both actions of a turn" in asked.hint) is is_said
        assert ("Forest takes both actions." in asked.hint) is not is_said
        assert "from pile 1, which holds 5; used up, it brings 2 points." in asked.hint
    for players, other in [(2, "site A4"), (3, "site A4b")]:
        asked = Asked(part, table(players, tokens={}), "site").question(FOUR)
        tapped = {str(at): part.turns.write_action(one) for at, one in asked.places.items()}
        assert (tapped["A4"], tapped["A4b"]) == ("site A4", other)
    nowhere = table(2, tokens={"A2": "wood-1"}).with_seat(0, craftsmen=0)
    asked = Asked(part, nowhere, "craftsman").question(FOUR)
    assert "a ring is lit" not in asked.hint, "it can go nowhere"


def test_a_turn_says_what_is_left_of_it() -> None:
    def said(**changes: object) -> list[str]:
        state = replace(table(2, tokens={}), **changes)
        return [str(one) for _term, one in standing(state, ["Ana", "Eva"])]

    assert said(left=1)[0] == "1 of 2 actions left"
    assert said(left=0, power="explore", ender=0) == [
        "the contract's power is left",
        "then everybody else has one last turn",
    ]
    left = "the contract's power is left, then 1 of 2 actions"
    assert said(left=1, power="explore")[0] == left
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


def test_a_site_is_placed_with_the_buildings_left_in_view(part: GuidedGame) -> None:
    built = {at: (Element("building", "blue"),) for at in ("D1", "F7", "F10", "H1")}
    for ruins, may in (
        ({}, "; 0 sites in the valley, 5 buildings left: another site may be placed"),
        (built, ""),
    ):
        state = table(2, {}, {}, {**ruins, **({"A4": (site("blue"),)} if ruins else {})})
        choices = Asked(part, state).question(TWO).choices
        (one,) = [one for one in choices if one.words == "Place a building site"]
        assert one.note == f"on a ruin: resources are carried there for a contract{may}"
        reasons = [str(broken.reason) for broken, _count in one.obstacles]
        told = ["that would make 2 sites with 1 building left"]
        assert reasons == [*told * (not may)], "what holds on each ruin, and no ruin's own"


def test_where_a_resource_may_go_and_what_for_is_said_and_drawn_before_it_is_chosen(
    part: GuidedGame,
) -> None:
    ruins = {"A4": (site("blue"), site("blue", stone=1)), "K4": (site("blue", stone=1),)}
    lie = {"A6": ("wood", 2), "B1": ("clay", 1)}
    state = table(4, {}, lie, ruins, "A5 B5", open="N1 N2 N3 N11")
    choices = Asked(part, state, "carry").question(FOUR).choices
    (note,) = [one.note for one in choices if one.words == "carry wood from A6"]
    begins = {one.words: one.note for one in Asked(part, state).question(FOUR).choices}
    carries = "over open meadows to a site of yours, now wood from A6"
    assert begins["Carry a resource"] == carries, "the clay of B1 has no way"
    first, second = (one.at for one in TURNS.actions(state) if isinstance(one, Carry))
    named = [TURNS.words.word(one) for one in (first, second)]
    assert note == (
        f"to {', '.join(named)}; on {named[1]}: it completes a face-up contract of 4 points"
    )
    drawing = draw(load_profile("via_nebula/standard"))
    assert len([*chosen_ways(drawing, state, ["carry A6", "explore A3"])]) == 2
    assert len([*chosen_ways(drawing, state, [f"carry A6 {second}"])]) == 1


def test_what_is_in_reach_is_what_may_be_carried() -> None:
    """In random positions, for whoever is to move."""
    seen = set[str]()
    for seed in range(4):
        luck, state = Random(seed), TURNS.start({"players": 2 + seed % 3})
        while not state.over:
            action = TURNS.drawn(state, luck)
            if action is None:
                legal = TURNS.actions(state)
                for _card, _rule, more in () if state.power else on_table(state, state.mover):
                    if " it lacks " not in (told := str(more[-1]) if more else ""):
                        continue
                    at, lacks = told.removeprefix("on your site ").split(" it lacks ")
                    missing, near = lacks.partition(" (on ")[0].split("; ")
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
    assert seen == {"can", "all", "none"}


def test_a_private_contract_that_was_fulfilled_is_a_picture_that_explains_itself(
    part: GuidedGame,
) -> None:
    state = table(2, tokens={}).with_seat(0, contracts=("X1",))
    seats = [("Ana", "blue"), ("Eva", "black")]
    document = new_game(seats, part.pages.first_mode, "via_nebula")
    held = [one for row in table_strip(part, state, document, 0)[0].rows for one in row.held]
    (own,) = [one for one in held if one.objective.startswith("X")]
    assert own.picture is not None
    assert own.name == "wood, stone and stone contract"
    rule = "needs wood, stone, stone; 7 points"
    assert explained(part, document, "X1") == (own.name, rule)
    assert explained(part, document, "") is None


def test_a_supply_that_has_run_out_is_shown_as_none(part: GuidedGame) -> None:
    state = table(2, tokens={}).with_seat(0, craftsmen=0, sites=0)
    document = new_game([("Ana", "blue"), ("Eva", "black")], "", "via_nebula")
    rows = table_strip(part, state, document, 0)[0].rows
    counts = {row.name: row.count for row in rows if row.count is not None}
    assert counts["craftsmen left"] == counts["sites left"] == 0


def test_without_a_site_carrying_and_building_say_why_not(part: GuidedGame) -> None:
    state = table(2, {"B1": "wood-3"}, {"B4": ("wheat", 2)})
    choices = Asked(part, state).question(TWO).choices
    broken = {one.words: one.action and TURNS.illegal(state, one.action) for one in choices}
    for words in ("Carry a resource", "Erect a building"):
        assert "you have no building site in the valley" in str(broken[words])


def test_a_site_says_that_only_a_hidden_contract_may_be_built_there(part: GuidedGame) -> None:
    """What the page says is the same for any hand (V16)."""
    ruins = {"A4": (site("blue", wood=1, stone=2),), "K4": (site("blue", wood=1, stone=1),)}
    told = set[tuple[tuple[str, str, str], ...]]()
    for held in (("X1", "X2"), ("X3", "X4")):  # X1 needs wood and two of stone
        state = table(2, {}, ruins=ruins, open="N3 N4 N5 N12").with_seat(0, hand=held)
        choices = Asked(part, TURNS.seen_by(state, None)).question(TWO).choices
        broken = [one.action and TURNS.illegal(state, one.action) for one in choices]
        reasons = [str(one.reason) if one else "" for one in broken]
        rows = zip(choices, reasons, strict=True)
        told.add(tuple((one.words, one.note, why) for one, why in rows if "uilding" in one.words))
    (rows,) = told
    notes = {words: (note, why) for words, note, why in rows}
    (a4,) = [notes[words] for words in notes if "A4" in words]
    (k4,) = [notes[words] for words in notes if "K4" in words]
    assert a4 == ("no contract face up is fulfilled there; perhaps one of your own", "")
    assert k4[1] == "what lies on K4 fulfils no contract face up, nor any that a hand may hold"


def test_a_placed_token_shows_its_resources(part: GuidedGame) -> None:
    start = TURNS.dealt(TURNS.start({"players": 2}), Random(1))
    for token in ("wood-2", "clay-4"):
        n, what = start.worth(token), start.edition.tokens[token].resource
        said = part.describe(start, Lay(token, "A2"), start, ["Ana", "Eva"])
        assert said == f"The {what} token ×{n} lies on A2."
    said = part.describe(start, Lay("food-special", "A2"), start, ["Ana", "Eva"])
    assert said == "Food lies on A2 to be carried by anybody: 4."


def test_what_is_in_the_way_of_a_resource_opens_it() -> None:
    seen, luck, state = 0, Random(3), TURNS.start({"players": 2})
    while not state.over:
        for told in map(str, closed_ways(state, 1) if state.ready else ()):
            at = told.partition(":")[0]
            for what, start, closed in re.findall(r"(\w+) from (\w+) \(([^)]+)\)", told):
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
        state = TURNS.after(state, TURNS.drawn(state, luck) or luck.choice(TURNS.actions(state)))
    assert seen > 30 and not [*closed_ways(state, 1)]


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
    apart = [
        replace(one, points="1,1 2,1 2,2") if one.id == "A4b" else one for one in drawing.regions
    ]
    loose = filled_ruins(replace(drawing, regions=tuple(apart)), table(2, {}, ruins=ruins))
    assert [len(own) for _colour, _at, own, _corners in loose][1] == 3, (
        "halves that do not meet are rimmed alone"
    )


def test_what_is_left_over_at_the_end_is_named() -> None:
    state = table(2, tokens={}).with_seat(0, storage={"clay": 1, "wood": 2})
    lines = {line.category: line for line in TURNS.score(state).players[0].lines}
    assert str(lines["storage"].calculation) == "3 resources in storage: 1 clay, 2 wood"


def test_the_news_of_the_fifth_building_announces_the_last_turns(part: GuidedGame) -> None:
    state, names = table(tokens={}), ["Ana", "Eva"]
    last = replace(state, ender=0)
    said = part.describe(state, Build("A4", "N1"), last, names)
    assert said == (
        "Ana erects a building on A4 for the wood and stone contract; "
        "what it needs goes to the supply, the site comes back. "
        "It is the fifth: everybody else has one last turn."
    )
    left = replace(state, pieces=table(ruins={"A4": (site("blue", wood=2, stone=1),)}).pieces)
    said = part.describe(left, Build("A4", "N1"), state, names)
    again = part.describe(last, Build("A4", "N1"), last, names)
    assert said and said.endswith("; into the storage, −1 each: wood."), "V48"
    assert again and "fifth" not in again


def test_the_event_of_a_craftsman_counts_the_resources_that_it_brings(part: GuidedGame) -> None:
    for left, lie in ((1, "1 wood"), (0, None)):
        supply = {"wood": STANDARD.supply - left}
        state = table(2, tokens={"B1": "wood-3"}).with_seat(1, storage=supply)
        after = TURNS.after(state, Craftsman("B1"))
        said = part.describe(state, Craftsman("B1"), after, ["Ana", "Eva"])
        assert said is None if lie is None else lie in str(said)


def test_whoever_plays_against_the_computer_alone_has_cards_and_hints_at_once(app: Flask) -> None:
    player, guest = Player(app.test_client()), Player(app.test_client())
    game = guided(player, "-,master")
    assert 'id="hold-0"' in player.get(f"{game}/guide").text
    assert 'id="hints"' in drafted(player, game, "&hint=3")
    assert 'id="hold-0"' not in guest.get(f"{game}/guide").text
    together = guided(player)
    assert 'id="hold-0"' not in player.get(f"{together}/guide").text, "a phone that goes around"


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


def test_what_happened_says_what_it_did_to_the_points(app: Flask, player: Player) -> None:
    game = guided(player)
    service, games = app.extensions["stargazer guide"], app.extensions["stargazer"].games
    page = player.get(f"{game}/guide").text
    assert "points in view:" not in page, "nothing has changed them"
    assert (
        'class="soft">Points in view −1 (Exploitations +2, Storage at the end −3)<' in page
        and "Below a name" not in page
    )
    exploited = stored = 0
    for _action in range(2):
        history = service.history(games.open(game.split("/")[2]))
        state = history.state
        at, token = next(iter(state.pieces.tokens.items()))
        player.post(f"{game}/guide/do", {"move": f"craftsman {at}", "seen": history.number})
        points, brought = state.edition.tokens[token].points, state.worth(token)
        exploited, stored = exploited + points, stored + brought
        page = " ".join(unescape(player.get(f"{game}/guide").text).split())
        by = f"(Exploitations +{exploited}, Storage at the end −{stored})"
        assert f"Ana’s points in view: 0 → {minus(exploited - stored)} {by}" in page
        assert f"sends a craftsman to {at}: {brought} " in page, "and what lies there now"
    left = next(iter(state.pieces.tokens.values()))
    assert f">×{state.worth(left)}<" in page, "as on the token"


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


def test_each_choice_says_what_it_brings(part: GuidedGame) -> None:

    def notes(state: State, draft: str = "") -> dict[str, str]:
        choices = Asked(part, state, draft, is_shown=True).question(TWO).choices
        return {one.words: one.note for one in choices}

    ruins = {"A4": (site("blue", wood=1, stone=1, clay=1),), "K4": (site("blue"),)}
    lie = {"B4": ("wheat", 2)}
    state = table(2, {"B1": "wood-3"}, lie, ruins, "A5", open="N1 N2 N8 N11")
    whole = notes(state)
    assert "contracts face up need 3 wood, 3 clay, 2 stone" in whole["Place a craftsman"]
    assert whole["erect a building: A4"] == "face-up contracts fulfilled there: 7, 4, 4 points"
    built = [note for words, note in notes(state, "build A4").items() if "wood and stone" in words]
    assert built == [
        "4 points; left over for the storage: 1; then you may turn one resource into another, "
        "now or never, without an action"
    ]
    explores = whole["Explore fog or forest"]
    assert explores == "a way for everybody; 5 more tiles bring 2 points"
    second = replace(state, left=1).with_seat(0, piles=(0, 1, 5, 5))
    explores = notes(second)["Explore fog"]
    assert explores == "forest: 2 actions; 1 more tile brings 2 points"
    used_up = state.with_seat(0, piles=(0, 0, 0, 0))
    assert notes(used_up)["Explore fog or forest"] == "a way for everybody"
    carried = notes(state, "carry B4")
    assert carried == {}, "asked on the board"
    lie = {"A5": ("wheat", 2), "B4": ("wood", 1)}
    one_site = table(2, {}, lie, {"A4": (site("blue", wood=1),)})
    assert notes(one_site, "carry") == {
        "carry wheat from A5 to A4": (
            "on A4 now: 1 wood; it completes a face-up contract of 4 points"
        ),
        "carry wood from B4 to A4": (
            "on A4 now: 1 wood; no face-up contract lacks it there, but one in your hand may; "
            "left over it is −1; the last one: the meadow opens"
        ),
    }
    longer = replace(one_site, open=("N33",) * 4)
    assert next(iter(notes(longer, "carry").values())) == (
        "on A4 now: 1 wood; a face-up contract of 11 points then still lacks stone, clay, food"
    )
    own = state.with_seat(0, hand=("X1",))
    seen = TURNS.seen_by(own, None)
    assert notes(replace(seen, open=("N8",) * 4))["erect a building: A4"] == "", "hands stay hidden"


def test_an_explored_space_says_which_pile_it_used_up(part: GuidedGame) -> None:
    names = ["Ana", "Eva"]
    state = table(2, {}, tiles="A5 B5").with_seat(0, piles=(0, 1, 3, 3))
    for at, more in (("A1", ""), ("B4", " A forest takes both actions.")):
        action = Explore(at)
        told = part.describe(state, action, TURNS.after_legal(state, action), names)
        emptied = "That pile is empty: its explorer brings 2 points."
        assert (
            told == f"Ana explores {at} with a tile from pile 2: open to everybody. {emptied}{more}"
        )
    none = state.with_seat(0, piles=(0, 0, 0, 0))
    action = Explore("A1")
    told = part.describe(none, action, TURNS.after_legal(none, action), names)
    assert told == "Ana explores A1 with a tile from the common reserve: open to everybody."
    document = {"players": [{"name": name} for name in names]}
    asked = Asked(part, state, "explore").question(document)
    assert "The tile comes from pile 2, which holds 1; used up, it brings 2 points." in asked.hint


def test_resources_that_count_against_a_player_are_counted(app: Flask) -> None:
    lie = {"A2": ("wood", 2, "blue"), "B1": ("clay", 1, "red")}
    state = table(2, {}, lie, {"A4": (site("blue", food=1),)})
    told = [str(one) for _term, one in standing(state, ["Ana", "Eva"])]
    assert told[-1] == "resources not used yet (−1 each at the end): Ana 3"
    assert len([*standing(table(2, {}), ["Ana", "Eva"])]) == 2


def test_ways_are_drawn_for_what_is_carried_by_a_button(app: Flask, player: Player) -> None:
    game = guided(player)
    service, games = app.extensions["stargazer guide"], app.extensions["stargazer"].games
    luck = Random(2)
    for _step in range(200):
        history = service.history(games.open(game.split("/")[2]))
        legal = TURNS.actions(history.state)
        if any(isinstance(one, Carry) for one in legal):
            break
        service.do(game.split("/")[2], TURNS.write_action(luck.choice(legal)), history.number)
    page = drafted(player, game, "carry")
    ways = page.partition('<g class="ways"')[2].partition("</g>")[0]
    assert ways.count("<polyline") == 2 * page.count('value="carry ')
    barred = page.partition('<g class="ways barred"')[2].partition("</g>")[0]
    assert "no way" in page.lower() and "<path" in barred, "and what closes the others"
    key = "Closed yet to whose building site, in brackets what bars the way:"
    assert len(re.findall(rf"{key}</p>\s*<p><[^>]*>", page)) == 1
    legend = page.partition('class="hint legend')[2].partition("</p>")[0]
    assert "what this is about" in legend and "done last" not in legend
    pointed = re.findall(r'class="space zone pointed" id="space-(\w+)"', page)
    assert {*pointed} >= {line.split()[1] for line in re.findall(r'value="(carry [^"]+)"', page)}


def test_the_contracts_face_up_have_a_heading_and_a_key(player: Player) -> None:
    game = guided(player)
    page = player.get(f"{game}/guide").text
    table_of = page.partition("Contracts face up, for whoever")[2].partition("</section>")[0]
    assert "A green frame: all of it." in table_of and table_of.count("<li>") == 4
    assert not [*on_table(replace(table(2), over=True), 0)], "what is left over matters to nobody"


def test_a_contract_in_hand_is_built_without_being_named(part: GuidedGame) -> None:
    ruins = {"A4": (site("blue", wood=1, stone=2),)}
    for held, words in (
        (("X1",), ["for a contract in your hand"]),
        (("X2", "X1"), ["for contract 2 in your hand"]),
        (("X2", "X3"), []),
    ):
        state = table(2, {}, {}, ruins, open="N8 N2 N3 N33").with_seat(0, hand=held)
        choices = Asked(part, state, "build", is_shown=True).question(TWO).choices
        own = [one for one in choices if one.action and one.action.card in held]
        assert [one.words for one in own] == [f"erect a building on A4 {one}" for one in words]
        assert not any(one.about or one.note for one in own), "no picture or value either"
        assert all(TURNS.illegal(state, one.action) is None for one in own)


def test_what_is_in_the_way_of_a_resource_is_drawn(part: GuidedGame) -> None:
    lie, ruins = {"A6": ("wood", 2), "B1": ("clay", 1)}, {"A4": (site("blue"),)}
    state = table(2, {}, lie, ruins)
    drawing = draw(load_profile("via_nebula/standard"))
    at = {region.id: (region.x, region.y) for region in drawing.regions}
    ((_colour, points, barred),) = blocked_ways(drawing, state, ["carry A6"])
    assert points == [at["A6"], at["A5"], at["A4"]] and barred == [at["A5"]]
    assert not [*blocked_ways(drawing, state, [])]
    open_now = replace(state, pieces=replace(state.pieces, tiles=frozenset({"A5"})))
    assert not [*blocked_ways(drawing, open_now, ["carry A6 A4"])], "nothing is in its way"
    both = [*blocked_ways(drawing, state, ["carry A6", "carry B1"])]
    assert [len(barred) for _colour, _points, barred in both] == [1], "the nearest alone"
    for start, end, tokens, way in (
        ("C5", "A4", {}, "B5"),  # B4 is a forest
        ("B1", "C3", {"B2": "wood-3"}, "C2"),
    ):
        own = table(2, tokens, {start: ("wood", 1)}, {end: (site("blue"),)}, tiles="B2")
        if not tokens:
            own = replace(own, pieces=replace(own.pieces, tiles=frozenset()))
        ((_colour, _points, barred),) = blocked_ways(drawing, own, [f"carry {start}"])
        assert barred == [at[way]], "fog rather than a forest or a token"
    for own, is_said in ((state, True), (table(2, {}, {"A5": ("wood", 1)}, ruins), False)):
        assert ("✕" in Asked(part, own, "carry").question(TWO).hint) is is_said


def test_a_first_and_a_last_turn_say_what_no_other_needs(part: GuidedGame) -> None:
    first = table(2, {"B1": "wood-3"})
    begun_already = table(2, {"B1": "wood-3"}, {}, {"A4": (site("blue"),)})
    last = replace(begun_already, ender=1).with_seat(1, buildings=0)
    fifth = begun_already.with_seat(0, buildings=1)
    for state, words in (
        (first, "Everybody may fetch all resources."),
        (begun_already, "Two actions, also the same one twice."),
        (replace(begun_already, left=1), "The second action is yours too"),
        (last, "Contracts left in hand cost nothing."),
        (fifth, "Your next building is the fifth (+2 points): it ends your turn"),
    ):
        hint = Asked(part, state).question(TWO).hint
        assert words in hint and ("Two actions" in hint) is words.startswith("Two actions")
    told = Asked(part, first, is_first=True).question(TWO).hint
    assert told.startswith("Do two actions, the same one twice") and len(told.split()) < 60


def test_a_player_alone_sees_what_a_contract_in_hand_lacks() -> None:
    ruins = {"A4": (site("blue", stone=1),), "C3": (site("blue", wood=1, stone=1),)}
    state = table(2, {}, {}, ruins).with_seat(0, hand=("X1", "X2"))
    told = [(card, *map(str, more)) for card, _rule, more in hand(state, 0)]
    assert told == [
        ("X1", "on your site C3 it lacks stone; none of it can be carried there yet"),
        ("X2", "on your site A4 it lacks clay and clay; none of it can be carried there yet"),
    ]
    lie = {"A5": ("wood", 1), "B4": ("stone", 2)}
    ruins = {"A4": (site("blue"),), "K4": (site("blue", stone=2),)}
    near = table(2, {}, lie, ruins).with_seat(0, hand=("X1",))
    assert [str(more) for *_own, (more,) in hand(near, 0)] == [
        "on your site A4 it lacks wood, stone and stone; all of it can be carried there:"
        " 1 wood from A5 and 2 stone from B4 (on K4 only wood, but not all can be carried there)"
    ], "K4 lacks less, as the bar below the contract counts"
    whole = table(2, {}, {}, {"A4": (site("blue", wood=2, stone=2),)}).with_seat(0, hand=("X1",))
    assert [str(more) for *_own, (more,) in hand(whole, 0)] == [
        "all of it lies on A4; left over for the storage: 1"
    ]
    assert [more for *_own, more in hand(table(2, {}).with_seat(0, hand=("X1",)), 0)] == [[]]


def test_the_last_screen_offers_another_game_and_says_where_things_belong(
    app: Flask, player: Player
) -> None:
    game = guided(player, "-,master")
    assert "Play again" not in player.get(f"{game}/guide").text
    played_to_the_end(app, game, TURNS, 2)
    page = player.get(f"{game}/guide").text
    assert "To the score" in page and "Play again, same players" in page
    assert "the 8 private and the 33 other contracts in two decks" in page
    player.post(f"{game}/guide/finish")
    assert "Rematch" in player.get(f"{game}/score").text
    again = player.post(f"{game}/rematch").headers["Location"]
    assert "/guide?draft=program:-," in again and game not in again, "guided like the last one"
    assert "Ready?" in player.get(again).text, "nobody asks again who plays"


def test_a_hint_compares_with_the_next_best_without_naming_a_contract_in_hand(
    part: GuidedGame,
) -> None:
    document = new_game([("Ana", "blue"), ("Eva", "black")], part.pages.first_mode, "via_nebula")
    state = table(2, {}, {}, {"A4": (site("blue", stone=2, wood=1),)}).with_seat(0, hand=("X1",))
    advice = Advice(
        Carry("A6", "A4"), "because", others=(Alternative(Build("A4", "X1"), "", 0.52),)
    )
    told = compared(part, state, advice, document)
    own = Advice(Build("A4", "X1"), "because")
    assert "for a contract in your hand." in hints(part, state, own, "", document)[0]
    assert told == [
        ("Erect a building on A4 for a contract in your hand", "Estimated 0.5 points less.")
    ]


def test_a_contract_face_up_says_what_the_best_site_lacks() -> None:
    card, needs = next((id, own.needs) for id, own in STANDARD.contracts.items() if own.power)
    bare = replace(table(2, {}), open=(card,))
    assert [len(more) for *_own, more in on_table(bare, 0)] == [1], "its power alone"
    for goods, said in (({}, "on your site A4 it lacks"), (needs, "all of it lies on A4")):
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
    assert "from a pile: 2 points" in str(next(most_missed(replace(near, open=()))))


def test_a_computers_turn_says_what_it_has_changed_for_others(part: GuidedGame) -> None:
    document = new_game([("Ana", "blue"), ("Eva", "black")], part.pages.first_mode, "via_nebula")
    ruins = {"A4": (site("black"),)}
    before = table(2, {}, {"A6": ("wood", 1, "blue")}, ruins)
    after = table(2, {}, {}, {"A4": (site("black", wood=1),)})
    told = changed_for(part, document, 0, before, after)
    assert changed_for(part, document, 0, after, after) == "For Ana: the same points in view."
    fewer = replace(after, open=after.open[1:])
    gone = changed_for(part, document, 0, after, fewer)
    assert re.fullmatch("For Ana: gone: .+ contract.*\\.", gone), "somebody has fulfilled it"
    assert told.startswith("For Ana: points in view +1 (Storage at the end)")
    assert told.endswith("; craftsmen left 2 → 3.")
