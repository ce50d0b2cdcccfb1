"""A guided game of Via Nebula: what is asked, where it is possible, and what it brings."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from random import Random

import pytest
from flask import Flask

from calibration import load_profile
from scorer.sentence import minus
from scorer.turns import Advice, Alternative
from scorer.via_nebula.board import Element
from scorer.via_nebula.edition import RUIN, STANDARD
from scorer.via_nebula.state import Build, Carry, Craftsman, Explore, Reveal, State
from scorer.via_nebula.turns import TURNS
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
)
from webapp.web.guide_gains import changed_for
from webapp.web.guide_hints import compared, hints
from webapp.web.guide_questions import Asked
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
    player = Player(app.test_client())
    game = guided(player)
    page = player.get(f"{game}/guide").text
    first, *_others, last = re.findall(r'class="option .*?</a>', page)
    assert "Place a craftsman" in first and "why?" not in first
    assert "No fog is beside a piece of yours or an open meadow yet." in last
    assert "Explore fog or forest" in last and "refused" in last
    (dealt,) = re.findall('id="dealt".*?</details>', page, re.DOTALL)
    assert dealt.count("<li>") > 20, "what was dealt is folded"
    page = drafted(player, game, "craftsman")
    assert page.count('data-action="craftsman ') == 20, "every token, and no exploitation"
    assert page.count("aria-disabled") == 101 - 20, "and why not anywhere else"
    assert "where a ring is lit" in page
    page = drafted(player, game, "explore")
    assert "It cannot go anywhere now." in page and "where a ring is lit" not in page


def test_contracts_say_what_it_means_that_no_rival_is_named(app: Flask) -> None:
    player = Player(app.test_client())
    page = player.get(f"{guided(player)}/guide").text
    assert "Where no rival is named, none can fulfil it next turn" in page


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
    none = "what lies on your sites fulfils no contract yet"
    assert refused(stored)["Erect a building"] == none
    uneven = {"C3": (site("blue", wood=2),), "A4": (site("blue", wood=1),)}
    beside = replace(state, pieces=replace(state.pieces, ruins=uneven))
    assert refused(beside)["Erect a building"] == none, "one reason for all sites"
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


def test_a_power_asks_for_what_it_does(part: GuidedGame) -> None:
    state = replace(table(tokens={}, exploitations={"A6": ("wood", 2)}), power="explore")
    for own, follows in ((state, False), (replace(state, open=("N1", "N2")), True)):
        asked = Asked(part, own).question(FOUR)
        assert asked.words == "Power of the contract: explore fog, where?"
        assert ("Then the next contract is turned up." in asked.hint) is follows


def test_what_fewer_players_change_is_said_where_it_matters(part: GuidedGame) -> None:
    for players, whole, fewer in [(2, True, True), (3, False, True), (4, False, False)]:
        state = table(players, tokens={"A2": "wood-1", "B1": "clay-1"})
        token = Asked(part, state, "craftsman").question(FOUR).hint
        assert ("the whole ruin" in Asked(part, state, "site").question(FOUR).hint) is whole
        assert ("(printed" in token) is fewer
        shown = " (printed 3)" if fewer else ""
        assert f"×{players // 2 + 1}{shown}: 1 point." in token
    for left in (1, 2):
        asked = Asked(part, replace(table(2, tokens={}), left=left), "explore").question(FOUR)
        assert ("Forest takes both actions of a turn" in asked.hint) is (left == 1)
    for players, other in [(2, "site A4"), (3, "site A4b")]:
        asked = Asked(part, table(players, tokens={}), "site").question(FOUR)
        tapped = {str(at): part.turns.write_action(one) for at, one in asked.places.items()}
        assert (tapped["A4"], tapped["A4b"]) == ("site A4", other)


def test_a_site_is_placed_on_one_of_few_free_ruins_or_not_at_all(part: GuidedGame) -> None:
    built = {at: (Element("building", "blue"),) for at in ("D1", "F7", "F10", "H1")}
    theirs = {at: (Element("building", "black"),) for at in STANDARD.valleys["standard"].of(RUIN)}
    few = {at: own for at, own in theirs.items() if at not in ("A4", "D1", "H1")}
    for ruins, free, is_full in (
        ({}, "", False),
        (few, "; free: D1 and H1", False),
        (built, "", True),
    ):
        state = table(2, {}, {}, {**ruins, **({"A4": (site("blue"),)} if ruins else {})})
        choices = Asked(part, state).question(TWO).choices
        (one,) = [one for one in choices if one.words == "Place a building site"]
        assert one.note == f"on a ruin: resources are carried there for a contract{free}"
        broken = one.action and TURNS.illegal(state, one.action)
        full = "that would make 2 sites with 1 building left"
        assert str(broken.reason if broken else "") == full * is_full, "it holds on each ruin"


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
    assert k4[1] == "what lies on K4 fulfils no contract yet"


def test_the_news_of_the_fifth_building_announces_the_last_turns(part: GuidedGame) -> None:
    state, names = table(tokens={}), ["Ana", "Eva"]
    last = replace(state, ender=0)
    said = part.describe(state, Build("A4", "N1"), last, names)
    again = part.describe(last, Build("A4", "N1"), last, names)
    fifth = "It is the fifth: everybody else has one last turn."
    assert said and said.endswith(fifth) and again and fifth not in again
    left = replace(state, pieces=table(ruins={"A4": (site("blue", wood=2, stone=1),)}).pieces)
    said = part.describe(left, Build("A4", "N1"), state, names)
    assert said and said.endswith("; into the storage, −1 each: wood."), "V48"


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


def test_what_happened_says_what_it_did_to_the_points(app: Flask, player: Player) -> None:
    game = guided(player)
    service, games = app.extensions["stargazer guide"], app.extensions["stargazer"].games
    page = player.get(f"{game}/guide").text
    assert "points in view:" not in page, "nothing has changed them"
    assert 'class="soft">Points in view −1 (Exploitations, Storage at the end)<' in page, (
        "a token of two brings +1 −2, one of three +2 −3"
    )
    assert "Below a name" not in page
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


def test_each_choice_says_what_it_brings(part: GuidedGame) -> None:

    def notes(state: State, draft: str = "") -> dict[str, str]:
        choices = Asked(part, state, draft, is_shown=True).question(TWO).choices
        return {one.words: one.note for one in choices}

    ruins = {"A4": (site("blue", wood=1, stone=1, clay=1),), "K4": (site("blue"),)}
    state = table(2, {"B1": "wood-3"}, {"B4": ("wheat", 2)}, ruins, "A5", open="N1 N2 N8 N11")
    whole = notes(state)
    wanted = "on A4 one of these completes a contract face up: wheat"
    assert whole["Place a craftsman"].endswith(wanted)
    bare = replace(state, pieces=replace(state.pieces, ruins={}))
    assert "contracts face up need 3 wood, 3 clay, 2 stone" in notes(bare)["Place a craftsman"]
    assert whole["erect a building: A4"] == "face-up contracts fulfilled there: 7, 4, 4 points"
    (built,) = (
        note for words, note in notes(state, "build A4").items() if "wood and stone" in words
    )
    assert built.startswith("4 points; left over for the storage: 1; then you may turn one")
    for left, piles, words, note in (
        (2, (4, 5, 5, 5), "Explore fog or forest", "; 4 more tiles bring 2 points"),
        (1, (0, 1, 5, 5), "Explore fog", "forest: 2 actions; 1 more tile brings 2 points"),
        (2, (0, 0, 0, 0), "Explore fog or forest", "a way for everybody"),
    ):
        assert notes(replace(state, left=left).with_seat(0, piles=piles))[words].endswith(note)
    assert notes(state, "carry B4") == {}, "asked on the board"
    lie = {"A5": ("wheat", 2), "B4": ("wood", 1)}
    one_site = table(2, {}, lie, {"A4": (site("blue", wood=1),)})
    wheat, wood = notes(one_site, "carry").values()
    assert wheat == "on A4 now: 1 wood; it completes a face-up contract of 4 points"
    assert "no face-up contract lacks it there, but one in your hand may" in wood
    assert wood.endswith("left over it is −1; the last one: the meadow opens")
    longer = replace(one_site, open=("N33",) * 4)
    assert next(iter(notes(longer, "carry").values())).endswith("still lacks stone, clay, food")
    seen = TURNS.seen_by(state.with_seat(0, hand=("X1",)), None)
    none = notes(replace(seen, open=("N8",) * 4))["Erect a building"]
    assert none == "on a site that holds what a contract needs", "hands stay hidden"


def test_an_explored_space_says_which_pile_it_used_up(part: GuidedGame) -> None:
    state = table(2, {}, tiles="A5 B5").with_seat(0, piles=(0, 1, 3, 3))
    emptied = "a tile from pile 2: open to everybody. That pile is empty: its explorer brings 2"
    for at, told in (("A1", emptied), ("B4", "A forest takes both actions.")):
        after = TURNS.after_legal(state, Explore(at))
        assert told in str(part.describe(state, Explore(at), after, ["Ana", "Eva"]))
    asked = Asked(part, state, "explore").question(TWO)
    assert "The tile comes from pile 2, which holds 1; used up, it brings 2 points." in asked.hint


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
    key = "Ways to the building sites; in brackets what bars one: fog, forest [^<]* on a meadow."
    assert len(re.findall(rf"{key}</p>\s*<p><[^>]*>", page)) == 1
    legend = page.partition('class="hint legend')[2].partition("</p>")[0]
    assert "what this is about" in legend and "done last" not in legend
    pointed = re.findall(r'class="space zone pointed" id="space-(\w+)"', page)
    assert {*pointed} >= {line.split()[1] for line in re.findall(r'value="(carry [^"]+)"', page)}


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
    begun_already = table(2, {"B1": "wood-3"}, {}, {"A4": (site("blue"),)})
    last = replace(begun_already, ender=1).with_seat(1, buildings=0)
    for state, words in (
        (table(2, {"B1": "wood-3"}), "Everybody may fetch all resources."),
        (last, "Contracts left in hand cost nothing."),
        (begun_already.with_seat(0, buildings=1), "Your next building is the fifth (+2 points)"),
    ):
        hint = Asked(part, state).question(TWO).hint
        assert words in hint and "Two actions" not in hint
    assert "Two actions" in Asked(part, begun_already).question(TWO).hint


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
    assert again.endswith("/guide") and game not in again, "guided like the last one"
    page = player.get(again).text
    assert "Ready?" not in page and "what do you do?" in page, "nothing is left to choose"
    saved = app.extensions["stargazer"].games.open(again.split("/")[2])
    history = app.extensions["stargazer guide"].history(saved)
    assert history.set_up["computers"] == ["", "master"] and saved.seats[0].mine is not None


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
