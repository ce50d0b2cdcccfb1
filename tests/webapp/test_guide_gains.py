"""What each lit space would change, beside it and in words."""

import html
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.playing import TURNS
from scorer.nebula.turns.actions import EndPlacing, Place, PlaceOnTrack
from scorer.nebula.turns.state import Phase, State
from scorer.polaris.steps import STEPS, Lay, StepState
from scorer.turns import Advice
from scorer.via_nebula.state import Carry
from scorer.via_nebula.turns import TURNS as VALLEY
from tests.scorer.nebula_tables import stars, table
from tests.webapp.conftest import HERE, Player
from tests.webapp.guided import Guided, drafted
from tests.webapp.polaris_guided import GuidedSky
from webapp.app.game_pages import pages_of
from webapp.app.guided_game import GuidedGame
from webapp.app.session.game_document import new_game
from webapp.web.guide_gains import (
    FULFILLED,
    HARDER,
    LATER,
    LOSES,
    NEARER,
    Gain,
    best_gains,
    gains,
    points_changed,
)
from webapp.web.guide_hints import hints

COLOURS = "white", "blue", "yellow"
FREE = re.compile(r'data-action="(lay [^"]+)"\s+aria-label="[^"]*?free for it([^"]*)"')


def points(guided: GuidedSky) -> list[int]:
    """Everybody's points if the game ended now."""
    (total,) = re.findall(r'class="total">.*?</tr>', guided.page(), re.DOTALL)
    return [int(one.replace("−", "-")) for one in re.findall(r"<td>(−?\d+)", total)]


def placing_red(
    card: str, galaxy: Mapping[str, str], *reserve: str
) -> tuple[State, Mapping[str, Place]]:
    """A turn with one career card open, and its placements of a red star by space."""
    state = table(
        Phase.PLACE,
        reserve=reserve,
        galaxy=Galaxy(galaxy),
        career=(card,),
        markers=((),),
    )
    placements = (one for one in TURNS.actions(state) if isinstance(one, Place))
    return state, {one.space: one for one in placements if one.star == "red"}


def lays_something(state: StepState) -> bool:
    return any(isinstance(one, Lay) for one in STEPS.actions(state))


@pytest.mark.parametrize("seed", range(3))
def test_a_place_says_what_its_choice_does_to_the_points_in_view(app: Flask, seed: int) -> None:
    guided, luck, marked = GuidedSky(app), random.Random(seed), 0
    for _try in range(8):
        state = guided.play_on(luck, lays_something)
        before, seat = guided.player.get(f"{guided.game}/guide/now").text, state.table.turn
        offered = dict(FREE.findall(html.unescape(before)))
        assert offered
        action = luck.choice(list(offered))
        said = re.search(r"points in view ([+−]\d+)", offered[action])
        earlier = points(guided)[seat]
        guided.send(action)
        moved = points(guided)[seat] - earlier
        if said:
            assert moved == int(said[1].replace("−", "-"))
            marked += 1
        elif of_all := re.search(r"On every lit space: ([+−]\d+)", before):
            assert moved == int(of_all[1].replace("−", "-"))
        else:
            assert not moved, "nothing is said"
        guided.play_on(luck, lambda state: state.card is None)
    assert marked


def test_a_screen_that_is_asked_for_again_counts_no_gains_again(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    guided, counted = GuidedSky(app), Mock(side_effect=gains)
    monkeypatch.setattr("webapp.web.pages.guide_screen.gains", counted)
    guided.play_on(random.Random(1), lays_something)
    counted.reset_mock()
    now = f"{guided.game}/guide/now"
    shown = guided.player.get(now).text
    assert 'class="gain' in shown
    assert guided.player.get(now).text == shown
    assert guided.player.client.head(f"{guided.game}/guide", base_url=HERE).status_code == 200
    assert counted.call_count == 1
    spanish = guided.player.get(now, headers={"Accept-Language": "es"}).text
    assert "puntos a la vista" in spanish and counted.call_count == 2
    guided.send(FREE.findall(html.unescape(shown))[0][0])
    guided.play_on(random.Random(1), lays_something)
    assert counted.call_count > 2


def test_the_marks_stay_hidden_and_are_never_on_another_phone(app: Flask) -> None:
    guided, luck = GuidedSky(app), random.Random(1)
    guided.play_on(luck, lays_something)
    shown = guided.player.get(f"{guided.game}/guide/now").text
    assert 'class="gain' in shown
    for chosen, other in (("no", "Show marks"), ("yes", "Hide marks")):
        (back,) = re.findall(r'name="back"\s+value="(.*?)"><button class="quiet" id="marks"', shown)
        form = {"gains": chosen, "back": html.unescape(back)}
        answer = guided.player.post("/preferences", form)
        assert answer.headers["Location"] == f"{guided.game}/guide?at={guided.history.number}"
        page = guided.player.get(answer.headers["Location"]).text
        assert ('class="gain' in page) == (chosen == "yes") and other in page
    seat = guided.state.table.turn
    guided.sit(guided.player, seat, "leave")
    assert 'class="gain' in guided.player.get(f"{guided.game}/guide/now").text, "all of it is open"
    guided.sit(Player(app.test_client()), seat)
    assert 'class="gain' not in guided.player.get(f"{guided.game}/guide/now").text


def test_a_star_says_which_career_cards_come_nearer(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    guided.do("time 2 -3 0")
    guided.do("place white core")
    page = html.unescape(drafted(guided.player, guided.game, "place red"))
    numbers = {str(card) for card in guided.state.career}
    marks = re.findall(r'<text class="gain[^>]*>([^<]*)</text>', page)
    marks = [one for line in marks for one in line.split()]
    assert {*marks} <= numbers
    assert all(2 * marks.count(one) <= page.count("data-action") for one in marks)
    assert NEARER not in page and "Most lit spaces bring you closer to " in page
    assert all(f"{mark}: closer to “" in page for mark in marks)


def test_a_star_that_would_have_to_be_replaced_makes_its_card_harder(app: Flask) -> None:
    """V7: orbit 2 is full without repetition."""
    part = pages_of("nebula").guided
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    assert part is not None and "V7" in guided.state.career
    document = app.extensions["stargazer"].games.open(guided.id).document
    stars = {"core": "white", "ar1": "blue", "ar2": "red", "ta1": "orange", "ge1": "purple"}
    state, ways = placing_red("V7", stars, "red", "blue")
    with app.test_request_context("/lessons/nebula/claim"):
        each, of_all = gains(part, state, ways, document)
        assert {place for place, one in each.items() if "V7" in one.harder} >= {"ge2"}
        assert each["ge2"].marks == f"V7{HARDER}"
        assert f"V7{HARDER}" in of_all.marked
        (words,) = [one for one in each["ge2"].words if "Orbit 2" in one]
        assert words.startswith("harder to fulfil: ") and "laid over another" in words
    about = f"{guided.game}/guide/explain?card=V7"
    text = guided.player.get(about, headers={"X-Partial": "1"}).text
    assert text.count("in different colours; at least 4 more stars") == 2, "both players"
    for card in part.turns.answers(guided.state)["players"]:
        secret = f"{guided.game}/guide/explain?card={card.get('personal', 'O1')}"
        assert "more star" not in guided.player.get(secret, headers={"X-Partial": "1"}).text


def test_a_button_says_the_best_of_what_its_places_bring(app: Flask) -> None:
    part = pages_of("nebula").guided
    document = new_game([("Ana", None), ("Eva", None)], part.pages.first_mode, "nebula")
    near = ("ar1", "red"), ("ar2", "blue"), ("ar3", "red"), ("ar4", "blue"), ("ar5", "orange")
    galaxy = Galaxy({"core": "white", **dict(near)})
    state = table(Phase.PLACE, reserve=["red", "purple", "black"], galaxy=galaxy)
    actions = [one for one in TURNS.actions(state) if isinstance(one, Place | PlaceOnTrack)]
    ways = {star: [one for one in actions if one.star == star] for star in state.seat.reserve.kinds}
    with app.test_request_context("/lessons/nebula/claim"):
        best = best_gains(part, state, ways, document)
        for star in ("red", "purple"):
            legal = {one.space: one for one in ways[star] if isinstance(one, Place)}
            each, of_all = gains(part, state, legal, document)
            points = max(one.points for one in each.values()) + of_all.points
            assert best[star].points == points
        assert best["purple"].points == 6, "it finishes a constellation"
        assert not of_all.goes_on, "another star is another choice"
        assert best["black"].points == state.rules.edition.black_points(1)


def test_what_the_rest_of_the_turn_can_still_finish_is_marked_from_its_first_star(
    app: Flask,
) -> None:
    """Three stars of three colours finish Aries; two of them do not, nor do others."""
    part = pages_of("nebula").guided
    document = new_game([("Ana", None), ("Eva", None)], part.pages.first_mode, "nebula")
    near = ("ar1", "red"), ("ar2", "blue"), ("ar3", "red")
    galaxy = Galaxy({"core": "white", **dict(near)})
    reserve = ["red", "yellow", "purple", "black"]
    state = table(Phase.PLACE, reserve=reserve, galaxy=galaxy)
    actions = [one for one in TURNS.actions(state) if isinstance(one, Place | PlaceOnTrack)]
    ways = {star: [one for one in actions if one.star == star] for star in state.seat.reserve.kinds}
    with app.test_request_context("/lessons/nebula/claim"):
        best = best_gains(part, state, ways, document)
        assert {star for star, one in best.items() if one.later} == {"red", "yellow", "purple"}
        assert best["black"].marks == "+1", "the other two would not be enough"
        assert {one.later for one in best.values()} == {0, 6}
        assert best["yellow"].marks.endswith(f"{LATER} +6")
        assert best["yellow"].later_explained == "+6 (Aries)"
        yellow = {one.space: one for one in ways["yellow"] if isinstance(one, Place)}
        each, _all = gains(part, state, yellow, document)
        assert {space for space, one in each.items() if one.later} <= {"ar4", "ar5", "ar6"}
        assert "by the end of this turn" in " ".join(next(iter(each.values())).words)
        changed = points_changed(part, state, Place("yellow", "ar4"), document)
        told = [*changed[0].told]
        assert [*changed] == [0] and told == ["+6 (Aries) by the end of this turn"]
        two = state.but(seats=state.seats_with(state.seat.but(reserve=stars("yellow", "purple"))))
        fewer = {star: ways[star] for star in two.seat.reserve.kinds}
        assert not any(one.later for one in best_gains(part, two, fewer, document).values())


def test_what_most_spaces_can_still_bring_is_said_once_and_marked_where_it_is_lost(
    app: Flask,
) -> None:
    """A fourth colour in Gemini breaks V3, which would be fulfilled by the end of the turn."""
    part = pages_of("nebula").guided
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    document = app.extensions["stargazer"].games.open(guided.id).document
    document = {**document, "career": ["V3", *document["career"][1:]]}
    own = dict(zip(("ge1", "ge2", "ge3", "ge4", "ge5", "ge6"), 2 * COLOURS, strict=True))
    galaxy = {"core": "orange", **own}
    state, ways = placing_red("V3", galaxy, "red", "purple", "black")
    with app.test_request_context("/lessons/nebula/claim"):
        each, of_all = gains(part, state, ways, document)
        assert of_all.later >= 16 and not any(one.later for one in each.values())
        lost = {space for space, one in each.items() if one.loses}
        assert lost == {*own}
        assert {each[space].marks for space in lost} == {f"{LOSES} {HARDER}"}
        assert of_all.marked[HARDER] == "V3 Gemini in three colours", "said once, as there are six"
        assert all("V3" in each[space].harder for space in lost), "it was fulfilled"
        assert "less by the end of this turn" in " ".join(each[min(lost)].words)
        onto = hints(part, state, Advice(ways[min(lost)], "because"), "", document)[0]
        beside = next(one for space, one in ways.items() if space not in lost)
        assert "But harder to fulfil: Gemini in three colours" in onto
        assert "arder" not in hints(part, state, Advice(beside, "because"), "", document)[0]


def nebula_with(app: Flask, career: Sequence[str]) -> tuple[GuidedGame, Mapping[str, Any]]:
    """The guided part of Nebula, and the document of a begun game with these career cards."""
    part = pages_of("nebula").guided
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    return part, {**app.extensions["stargazer"].games.open(guided.id).document, "career": career}


def test_no_gain_hides_what_a_star_makes_harder_or_another_gain(app: Flask) -> None:
    """Red on ta4 is a new colour of orbit 4, and the fourth of Taurus; ge5 is nearer two cards."""
    part, document = nebula_with(app, ["V2", "V3", "V8"])
    galaxy = {"core": "white", "ta1": "yellow", "ta2": "purple", "ta3": "white", "ta5": "purple"}
    state, _ways = placing_red("V8", galaxy, "red", "orange")
    state = state.but(career=("V2", "V3", "V8"), markers=((), (), ()))
    actions = [one for one in TURNS.actions(state) if isinstance(one, Place)]
    red = {one.space: one for one in actions if one.star == "red"}
    with app.test_request_context("/lessons/nebula/claim"):
        each, of_all = gains(part, state, red, document)
        both = {space for space, one in each.items() if one.cards and one.harder}
        assert "ta4" in both
        assert all(HARDER in each[space].marks for space in both)
        assert HARDER in each["ta4"].lines and "V8" in each["ta4"].marks
        assert {*each["ge5"].lines} == {"V3", "V8"}
        assert {"V3", "V8"} <= {*of_all.marked}
        assert of_all.marked[HARDER] == "V2 Taurus in three colours"


def test_a_button_sums_no_two_spaces_and_says_what_its_points_break(app: Flask) -> None:
    """Blue fills Gemini as its fourth colour, or is new on orbit 4: one star cannot do both."""
    part, document = nebula_with(app, ["V3", "V8"])
    own = ("ge2", "white"), ("ge3", "orange"), ("ge4", "purple"), ("ge5", "orange")
    galaxy = {"core": "white", **dict(own), "ge6": "purple", "ca1": "red", "ca2": "white"}
    state, _ways = placing_red("V3", galaxy, "blue", "black")
    state = state.but(career=("V3", "V8"), markers=((), ()), placed=("white",), governing="red")
    actions = [one for one in TURNS.actions(state) if isinstance(one, Place | PlaceOnTrack)]
    ways = {star: [one for one in actions if one.star == star] for star in ("blue", "black")}
    with app.test_request_context("/lessons/nebula/claim"):
        first, *others = best_gains(part, state, ways, document)["blue"].marks.split(" / ")
    assert first == f"+6 V3{HARDER}"
    assert all("+6" not in one for one in others)


def test_what_is_fulfilled_whatever_follows_is_marked_on_every_button(app: Flask) -> None:
    part, document = nebula_with(app, ["V3"])
    own = dict(zip(("ge1", "ge2", "ge3", "ge4", "ge5", "ge6"), 2 * COLOURS, strict=True))
    state, _ways = placing_red("V3", {"core": "orange", **own}, "red", "black")
    state = state.but(placed=("white", "blue"), governing="blue")
    ways = dict[str, list[object]]()
    for one in TURNS.actions(state):
        ways.setdefault(getattr(one, "star", "no more"), []).append(one)
    with app.test_request_context("/lessons/nebula/claim"):
        best = best_gains(part, state, ways, document)
    assert best["no more"].later == 16 and best["no more"].marks == f"{LATER} +16"
    assert best["red"].later == 16


def test_a_star_with_a_link_is_not_said_to_be_the_same_everywhere(app: Flask) -> None:
    guided, luck, seen = GuidedSky(app), random.Random(3), set[bool]()
    for _try in range(20):
        state = guided.play_on(luck, lays_something)
        page = guided.player.get(f"{guided.game}/guide/now").text
        linked = bool(state.choice and state.choice.stars and state.choice.links and not state.laid)
        if linked and "On every lit space: −" in page:
            seen.add("What you place next can change that." in page)
            assert "In points of now it is the same everywhere" not in page
        guided.play_on(luck, lambda state: state.card is None)
    assert seen == {True}


def test_the_buttons_of_stars_bear_what_they_bring(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    guided.do("time 2 -3 0")
    guided.do("place white core")
    page = guided.page()
    numbers = {str(card) for card in guided.state.career}
    shown = re.findall(r'<small class="brings">([^<]*)</small>', page)
    assert {word for one in shown for word in one.split()} <= numbers
    assert bool(shown) == ("Below a name: cards that it can bring nearer." in page)


def test_the_reasons_follow_the_points_and_add_up() -> None:
    card = {"V5": ("V5", "5 stars")}
    assert Gain(-1, card, {"Lonely stars": -1}).explained == "−1 (Lonely stars) V5"
    assert Gain(1, {}, {"Stars": 2, "Storage": -1}).explained == "+1 (Stars +2, Storage −1)"
    assert Gain(1, {}, {"Stars": 0, "Storage": -1}).explained == "+1 (Stars, Storage)"
    assert Gain(0, card, {"Stars": 1, "Storage": -1}).explained == "V5"


def test_contracts_in_a_hand_move_no_mark(app: Flask) -> None:
    """To carry what a private contract needs marks nothing; what an open one needs is marked."""
    part = pages_of("via_nebula").guided
    document = new_game([("Ana", "blue"), ("Eva", "black")], part.pages.first_mode, "via_nebula")
    state, luck, compared, marked = VALLEY.start({"players": 2}), random.Random(4), 0, 0
    with app.test_request_context("/lessons/via_nebula/end"):
        while compared < 30:
            carried = [one for one in VALLEY.actions(state) if isinstance(one, Carry)]
            if carried and state.seats[state.mover].hand:
                legal = {f"{one.start}-{one.at}": one for one in carried}
                found = gains(part, state, legal, document)
                assert found == gains(part, VALLEY.seen_by(state, None), legal, document)
                each, of_all = found
                nearer = {card for one in (*each.values(), of_all) for card in one.cards}
                assert nearer <= {*state.open}
                compared, marked = compared + 1, marked + bool(nearer)
            action = VALLEY.drawn(state, luck) or luck.choice(VALLEY.actions(state))
            state = VALLEY.after(state, action)
            state = VALLEY.start({"players": 2}) if state.over else state
    assert marked


def test_what_is_asked_for_at_every_request_is_not_forgotten_for_drafts(app: Flask) -> None:
    guided, thought = GuidedSky(app), Mock(return_value="a turn")
    guides, game = app.extensions["stargazer guide"], app.extensions["stargazer"].games
    saved = game.open(guided.game.rsplit("/", 1)[1])
    history = guides.history(saved)
    for draft in range(100):
        guides.thought_of(saved, history, "at every request", thought)
        guides.thought_of(saved, history, f"gains {draft}", str)
    assert thought.call_count == 1


def test_only_a_star_that_fulfils_a_card_bears_a_tick(app: Flask) -> None:
    """V5, V7, V12 and V17 lie open, and whoever completes one places a marker."""
    guided, luck, completed = Guided(app, "Ana", "Luis"), random.Random(2), 0
    guided.lay_table()
    part = pages_of("nebula").guided
    document = app.extensions["stargazer"].games.open(guided.id).document
    state = guided.state
    with app.test_request_context("/lessons/nebula/end"):
        while completed < 3:
            drawn = TURNS.drawn(state, luck)
            actions = TURNS.actions(state) if drawn is None else ()
            placed = [one for one in actions if isinstance(one, Place)]
            legal = {one.space: one for one in placed if one.star == placed[0].star}
            each, _all = gains(part, TURNS.seen_by(state, None), legal, document)
            for space, found in each.items():
                done = {id for id, (mark, _words) in found.cards.items() if FULFILLED in mark}
                after = TURNS.after(state, legal[space])
                after = TURNS.after(after, EndPlacing()) if after.phase is Phase.PLACE else after
                assert done <= {*after.fulfilled}
                completed += bool(done)
            action = drawn or luck.choice(actions)
            state = TURNS.after(state, action)
    assert completed


def test_a_button_bears_also_the_card_that_every_star_brings_nearer(app: Flask) -> None:
    part, document = nebula_with(app, ["V1"])
    state, _ways = placing_red("V1", {"core": "white"}, "red", "blue")
    state = state.but(career=("V1",), markers=((),))
    actions = [one for one in TURNS.actions(state) if isinstance(one, Place)]
    ways = {star: [one for one in actions if one.star == star] for star in ("red", "blue")}
    with app.test_request_context("/lessons/nebula/claim"):
        best = best_gains(part, state, ways, document)
    assert {star: one.marks for star, one in best.items()} == {"red": "V1", "blue": "V1"}
