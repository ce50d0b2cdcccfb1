"""A guided game: one thing a screen, from the first star to the score."""

import html
import itertools
import random
import re
from collections import Counter
from urllib.parse import unquote

import pytest
from flask import Flask

from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import LeaveClusters, Place
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import Stars
from scorer.nebula.turns.state import Phase, Rules, State
from tests.webapp.conftest import MakeApp, Player, totals
from tests.webapp.guided import Guided, points_now
from tests.webapp.lit_spaces import differences, placing_states
from webapp.app.game_pages import pages_of
from webapp.web import guide_questions as questions
from webapp.web.guide_buttons import drawn_in_a_row
from webapp.web.pages import guide_screen


def test_after_the_last_turn_no_star_is_drawn(guided: Guided) -> None:
    luck, state, done = random.Random(1), guided.state, list[str]()
    while TURNS.illegal(state, LeaveClusters()) is not None:
        assert state.phase is not Phase.OVER, "another seed: nothing was due after its last turn"
        choices = play.actions(state)
        action = luck.choice(choices) if choices else random_outcome(state, luck)
        done.append(TURNS.write_action(action))
        state = TURNS.after(state, action)
    reported = [("guide", {"do": one, "by": "tap"}) for one in done[:-1]]
    guided.app.extensions["stargazer live"].log.append(guided.id, reported)
    guided.do(done[-1])
    assert guided.state.phase is Phase.OVER and guided.state.clusters == state.clusters
    page = guided.page()
    assert "The game is over" in page and "“To the score” asks for it" in page
    guided.player.post(f"{guided.game}/guide/back", {"seen": guided.history.number})
    assert guided.state.phase is not Phase.OVER, "one step back is one"


def test_a_turn_by_taps_alone(guided: Guided) -> None:
    assert guided.asked() == "How do you collect stars?"
    assert "5 of 5 steps left" in guided.asked("time")
    begun = guided.page("time:2,-2,0")
    assert 'form="act" name="move" value="time 2 -3 0" class="icon-button"' in begun
    assert '"time -5 0 0"' not in guided.page("time:1,0,0"), "a star tapped twice by mistake"
    assert "0 of 5 steps left" in guided.asked("time:-5,0,0")
    text = guided.tap("time 2 -3 0", page=begun)
    assert "Which star do you place?" in text
    assert "Into the reserve: white, orange, red." in text
    guided.tap("place white core", page=guided.page("place white"))
    assert guided.stars(0) == {"core": "white"}
    guided.tap("place red ar1", page=guided.page("place red"))
    assert "Luis" in guided.page(), "a third needs the boosted colour: placing ends by itself"
    assert guided.asked() == "How do you collect stars?"


def test_everybodys_points_are_in_view_without_what_is_secret(guided: Guided) -> None:
    assert not points_now(guided.page()), "nothing lies there"
    for action in ("time 2 -3 0", "place white core", "place red ar1"):
        guided.do(action)
    state = guided.state
    assert state.hands[0].personal, "Ana keeps a card that may count"
    seen = TURNS.score(TURNS.seen_by(state, None)).players
    shown = points_now(guided.page())
    assert re.findall(r"-?\d+", shown) == [str(one.total) for one in seen]
    (parts,) = re.findall(r'<table class="score-parts">.*?</table>', guided.page(), re.DOTALL)
    every, total = parts.split('class="total"')
    assert re.findall(r"<td>(\d+)</td>", total) == [str(one.total) for one in seen]
    points = [*map(int, re.findall(r"<td><b>(\d+)</b>", every))]
    assert [sum(points[::2]), sum(points[1::2])] == [one.total for one in seen]


def test_points_in_view_leave_out_what_a_secret_card_counts() -> None:
    part = pages_of("nebula").guided

    def points(state: State) -> list[int]:
        return [player.total for player in TURNS.score(state).players]

    state = next(
        state
        for state in placing_states(seed=6)
        if any(seat.galaxy.stars for seat in state.seats)
        and points(state) != points(TURNS.seen_by(state, None))
    )
    document = {"players": [{"name": str(seat)} for seat in range(len(state.seats))]}
    scored = guide_screen.points_in_view(part, state, document)
    assert [own.total for own in scored] == points(TURNS.seen_by(state, None))


def test_spaces_say_why_not(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    page = guided.page("place white")
    assert page.count("data-action=") == 1
    assert page.count('data-why="The first star goes on the core."') == 24
    assert page.count('data-rule="/ask/nebula/core"') == 24
    explains = re.search(r'data-explains="([^"]+)"', page)
    address = f"{html.unescape(explains[1])}ar1"
    explained = guided.player.get(address, headers={"X-Partial": "1"}).text
    assert 'href="/ask/nebula/core">The rule</a>' in explained


def test_an_illegal_tap_is_refused_in_words(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    text = guided.send("place white ar1")
    assert 'id="refused"' in text and "The first star goes on the core." in text
    assert 'href="/ask/nebula/core" data-ask="core">The rule</a>' in text
    assert guided.state.placed == ()
    number = guided.history.number
    guided.do("place white core")
    assert 'id="refused"' not in guided.send("place white core", seen=number), "tapped twice"
    late = guided.send("place red ar1", seen=number)
    assert "The game has moved on in the meantime" in late
    assert guided.state.placed == ("white",)
    for broken in ("", "place", "time x", "draw"):
        form = {"move": broken, "seen": guided.history.number}
        assert guided.player.post(f"{guided.game}/guide/do", form).status_code == 422


def test_cards_are_asked_for_by_their_pictures(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    draws = ("draw red",) * 10 + ("draw blue",) * 9
    reported = [("guide", {"do": draw, "by": "tap"}) for draw in draws]
    app.extensions["stargazer live"].log.append(guided.id, reported)
    assert guided.asked() == "Turn up four career cards"
    assert f'href="{guided.game}/nebula/cards"' in guided.page()


def test_what_was_done_is_taken_back(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    before = guided.state
    guided.do("place red ar1")
    assert guided.stars(0) == {"core": "white", "ar1": "red"}
    assert guided.state.player == 1
    guided.back()
    assert guided.state == before, "what followed by itself goes back with it"
    assert guided.stars(0) == {"core": "white"}


def test_two_stars_drawn_in_a_row_are_named_by_one_tap(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    guided.do("draw red")
    before, number = guided.state, guided.history.number
    guided.tap("draw white; draw white")
    assert 'id="refused"' not in guided.send("draw white; draw white", seen=number), "tapped twice"
    late = guided.send("draw white; draw red", seen=number)
    assert "The game has moved on in the meantime" in late, "not all of it is told"
    assert guided.state.clusters[0][:4] == ("red", "white", "white", None)
    guided.back()
    assert guided.state == before, "they go back together"


@pytest.mark.parametrize("then", ["place white core", "draw white"])
def test_nothing_but_draws_is_named_with_another_action(guided: Guided, then: str) -> None:
    number = guided.history.number
    with pytest.raises(ValueError, match="only what people draw"):
        guided.do(f"time 2 -3 0; {then}")
    assert guided.history.number == number


def test_draws_of_the_program_cannot_be_named_after_a_decision(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="program")
    for _ in "Ana", "Luis":  # each chooses a personal card; then the boosted star is drawn
        before, written = guided.state, TURNS.write_action(TURNS.actions(guided.state)[0])
        with pytest.raises(ValueError, match="only what people draw"):
            guided.do(f"{written}; draw black")
        assert guided.state == before
        guided.do(written)
    assert guided.state.boosted


def test_two_stars_are_not_offered_where_the_bag_has_but_one(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    guided.do("draw red")
    few = guided.state.but(bag=Stars(white=2, blue=1))
    part = pages_of("nebula").guided
    with app.test_request_context():
        pairs = drawn_in_a_row(part, few, ["Ana", "Luis"]).values()
    offered = [both.replace("draw ", "") for own in pairs for _star, both in own]
    assert offered == ["white; white", "white; blue", "blue; white"]


def test_two_stars_for_different_things_are_not_named_by_one_tap(app: Flask) -> None:
    """The last of a cluster, and the first of the next one or the boosted star."""
    guided, offered = Guided(app, "Ana", "Luis"), []
    for star in ("red", "blue", "white", "orange", "yellow", "purple") * 3:
        offered.append("Two at once" in guided.page())
        guided.do(f"draw {star}")
    assert offered == [True, True, True, True, True, False] * 3


def test_what_beginners_forget_is_said_and_done(guided: Guided) -> None:
    guided.do("time 4 1 0")
    guided.do("end placing")
    guided.do("chaos red")  # Luis has one from the setup
    for drawn in ("black", "black", "blue", "blue", "white"):
        guided.do(f"draw {drawn}")
    guided.do("keep blue black")
    guided.do("place black track")
    text = guided.page()
    assert "Move the black indicator to square 1." in text
    live = guided.app.extensions["stargazer live"]
    game = guided.app.extensions["stargazer"].games.open(guided.id)
    assert live.table(game).positions[1].black == 1
    assert live.table(game).own.indicator == 1


def test_a_star_replaced_by_hand_is_not_taken_for_an_answer(guided: Guided) -> None:
    """The table knows of the new star with the same tap: the old one does not come back."""
    guided.do("time 2 -3 0")  # white, orange, red
    guided.do("place white core")
    guided.do("end placing")
    guided.do("time 1 1 3")
    guided.do("end placing")
    guided.do("chaos orange")
    for drawn in ("white", "purple", "blue", "blue", "blue"):
        guided.do(f"draw {drawn}")
    guided.do("keep white purple")
    guided.do("place red core")
    assert guided.state.placed == ("red",)
    assert guided.stars(0) == {"core": "red"}


def test_a_restart_of_the_server_loses_nothing(make_app: MakeApp) -> None:
    first = Guided(make_app(rate_limits=False), "Ana", "Luis")
    first.lay_table()
    first.do("time 2 -3 0")
    before = first.state
    again = make_app(rate_limits=False)
    first.app, first.player = again, Player(again.test_client())
    assert first.state == before
    assert first.asked() == "Which star do you place?"


def test_without_guidance_the_boards_stay(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    answer = guided.player.post(f"{guided.game}/guide/off")
    assert guided.player.get(answer.headers["Location"]).headers["Location"].endswith("/live")
    assert guided.stars(0) == {"core": "white"}
    assert guided.player.post(f"{guided.game}/guide/on").status_code == 303
    assert guided.asked() == "Which star do you place?"


@pytest.mark.parametrize(("mode", "players"), [("full", 2), ("intro", 3)])
def test_a_whole_game_ends_in_the_score_of_the_engine(app: Flask, mode: str, players: int) -> None:
    names = ("Ana", "Luis", "Eva", "Iker")[:players]
    guided = Guided(app, *names, mode=mode, draws="program")
    state = guided.play_out(random.Random(5))
    assert guided.asked() == "The game is over"
    score = TURNS.score(state, names)
    last = html.unescape(guided.player.get(f"{guided.game}/guide").text)
    won = " & ".join(score.ranking[0]) + (" share the win" if score.ranking[0][1:] else " wins")
    assert won in last
    assert "What lay face down is open now, and counted." in last
    (lines,) = re.findall(r'<table class="score-lines">.*?</table>', last, re.DOTALL)
    assert lines.count("Personal card") >= players, "it says which they were"
    (parts,) = re.findall(r'<table class="score-parts">.*?</table>', last, re.DOTALL)
    (every,) = re.findall(r'class="total">.*?</tr>', parts, re.DOTALL)
    assert re.findall(r"<td>(\d+)</td>", every) == [str(one.total) for one in score.players]
    assert parts.count("Personal card") == 1 and 'class="table-strip"' not in last
    boards = re.split(r'<svg class="galaxy still(?: lighting)?"', last)[1 : players + 1]
    for board, player in zip(boards, score.players, strict=True):
        lit = {*re.findall(r'class="space[^"]* lit" data-space="(\w+)"', board)}
        assert lit == {one for line in player.lines if line.points > 0 for one in line.spaces}
    history = guided.history
    final = history.moments[history.last_decision or 0]
    guided.back()
    taken_back = guided.page()
    assert 'id="won"' not in taken_back and "The secret cards" not in taken_back
    guided.do(TURNS.write_action(final.action))
    assert guided.asked() == "The game is over"
    points = [f"{one.name} {one.total}" for one in score.players]
    assert re.sub(r" [A-Z](?= )", "", points_now(last)) == f"Points: {' '.join(points)}"
    answer = guided.player.post(f"{guided.game}/guide/finish")
    assert answer.headers["Location"] == f"{guided.game}/score"
    page = guided.player.get(f"{guided.game}/score").text
    assert sorted(totals(page)) == sorted(one.total for one in score.players)
    assert "The boards are those of the guided game." in page
    assert ">Back to the guided game</button>" in page, "it says what Undo leads to"
    photographs = guided.player.get(f"{guided.game}/photographs").text
    assert "Guided game: " in photographs and "Followed live" not in photographs
    document = app.extensions["stargazer"].games.open(guided.id).document
    lying = [(seat["stars"], seat["black"]) for seat in document["players"]]
    assert lying == [(dict(seat.galaxy.stars), seat.galaxy.black) for seat in state.seats]


def test_what_lights_up_is_what_the_rules_allow(app: Flask) -> None:
    states = itertools.islice(placing_states(seed=3), 40)
    assert [found for state in states for found in differences(app, state)] == []


def test_a_star_in_place_of_one_like_it_is_legal_but_not_lit(app: Flask) -> None:
    guided, luck = Guided(app, "Ana", "Luis", draws="program"), random.Random(5)
    state, alike = guided.play_out(luck, until=6), list[Place]()
    while not alike:
        choices = play.actions(state)
        guided.do(TURNS.write_action(luck.choice(choices)))
        state = guided.state
        stars = state.seat.galaxy.stars
        placed = [one for one in play.actions(state) if isinstance(one, Place)]
        alike = [one for one in placed if stars.get(one.space) == one.star]
    one = alike[0]
    page = guided.page(f"place {one.star}")
    (space,) = re.findall(rf'<g class="[^"]*" id="space-{one.space}".*?>', page, re.DOTALL)
    assert " lit" not in space and "The same piece lies there already." in space
    guided.do(TURNS.write_action(one))


OF_A_PHASE = 4
"""So many states of a phase are looked at."""


def test_no_screen_asks_for_two_decisions(app: Flask) -> None:
    """A space of the board, or one of the answers; what leads past the question stands aside."""
    part = pages_of("nebula").guided
    luck = random.Random(8)
    for mode in ("full", "intro"):
        state = new_game(Rules(mode=mode))
        names = {"players": [{"name": "Ana"}, {"name": "Luis"}], "career": [], "advanced": []}
        asked = Counter[Phase]()
        while state.phase is not Phase.OVER:
            asked[state.phase] += 1
            with app.test_request_context():
                drafts = ("", "time", *(f"place {star}" for star in state.seat.reserve.kinds))
                for draft in drafts if asked[state.phase] < OF_A_PHASE else ():
                    question = questions.Asked(part, state, draft).question(names)
                    answers = [choice for choice in question.choices if not choice.aside]
                    assert not (answers and question.places), (state.phase, draft)
            choices = play.actions(state)
            action = luck.choice(choices) if choices else random_outcome(state, luck)
            state = TURNS.after(state, action)
        assert len(asked) > 10  # phases


# what a camera sees


def test_a_star_that_a_camera_saw_is_the_answer(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.see(kind="placed", space="core", star="white")
    assert guided.state.placed == ("white",)
    assert "places white on the core." in guided.page()
    guided.back()
    assert guided.state.placed == (), "taken back, it is no answer until something else is seen"
    assert guided.stars(0) == {"core": "white"}, "but it lies there"


def test_what_a_camera_saw_and_is_not_legal_is_reported_with_the_rule(guided: Guided) -> None:
    guided.see(kind="placed", space="core", star="white")
    text = html.unescape(guided.page())
    assert "The board of Ana, the core: white." in text
    assert "First stars are collected, by time or by chaos." in text
    guided.do("time 2 -3 0")
    assert guided.state.placed == ("white",), "with the stars collected it is legal"
    guided.see(kind="placed", space="ar1", star="orange")
    guided.see(board=1, kind="placed", space="core", star="red")
    assert guided.state.player == 1
    text = html.unescape(guided.page())
    assert "The board of Luis, the core: red." in text and "stars are collected" in text
    assert guided.player.post(f"{guided.game}/guide/right").status_code == 303
    assert guided.stars(1) == {}
    assert "notice warning seen" not in guided.page()


def test_a_black_star_seen_moves_the_indicator(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("end placing")
    guided.do("chaos red")
    for drawn in ("black", "black", "blue", "blue", "white"):
        guided.do(f"draw {drawn}")
    guided.do("keep blue black")
    guided.see(board=1, kind="black", count=1)
    assert guided.state.placed == ("black",)
    assert "Move the black indicator to square 1." in guided.page()


def test_what_was_begun_is_given_up_without_undoing_what_was_done(guided: Guided) -> None:
    guided.tap("time 2 -3 0", page=guided.page("time:2,-3,0"))
    assert 'id="back"' in guided.page() and 'id="anew"' not in guided.page()
    begun = guided.page("place white")
    assert 'id="anew"' in begun and 'id="back"' not in begun
    for unfit in ("place black", "nonsense"):  # no black star is left
        assert 'id="anew"' not in guided.page(unfit) and 'id="back"' in guided.page(unfit)
    old = f"{guided.game}/guide?draft=place%20white&hint=3&at={guided.history.number}"
    guided.tap("place white core", page=begun)
    now = guided.player.get(old).text
    assert 'id="anew"' not in now and 'id="back"' in now, "it was chosen of an action that is done"
    assert 'id="hints"' not in now, "and helped with that one"
    guided.back()
    guided.back()
    assert 'id="anew"' in guided.page("time"), "as in every question of a game's own"


def test_a_marker_goes_the_shorter_way_and_the_other_way_if_tapped_again(guided: Guided) -> None:
    def moved(draft: str, star: str) -> str:
        found = re.findall(
            rf'data-draft href="[^"]*draft=([^"&]*)[&"][^>]*?id="{star}"', guided.page(draft)
        )
        return unquote(found[0])

    assert moved("time", "to-1-1") == "time:1,0,0"
    assert moved("time:1,0,0", "to-1-1") == "time:-5,0,0"
    assert moved("time:1,-1,0", "to-1-1") == "time:1,-1,0", "it has too few steps left to go round"
    assert moved("time:1,0,0", "to-1-0") == "time:0,0,0"


def test_what_leaves_no_choice_is_done_without_a_further_question(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    guided.do("end placing")
    assert guided.state.seat.reserve.kinds == ("red",)
    text = guided.tap("chaos red")
    assert "Luis puts a star into the box: red." in text
    guided.back()
    assert guided.asked() == "How do you collect stars?"


def test_an_empty_space_that_only_one_star_fits_takes_it_with_one_tap(app: Flask) -> None:
    guided, luck = Guided(app, "Ana", "Luis", draws="program"), random.Random(5)
    state, tapped = guided.play_out(luck, until=5), list[str]()
    for _action in range(12):
        fitting: dict[str, list[str]] = {}
        for one in play.actions(state):
            if isinstance(one, Place) and one.space not in state.seat.galaxy.stars:
                fitting.setdefault(one.space, []).append(TURNS.write_action(one))
        page = guided.page()
        if fitting and "choosing" not in page:
            tapped = re.findall(r'data-action="([^"]+)"', page)
            alone = [own[0] for own in fitting.values() if len(own) == 1]
            assert sorted(tapped) == sorted(alone)
            assert page.count('class="faint"') == len(tapped) > 0
        guided.do(TURNS.write_action(luck.choice(play.actions(state))))
        state = guided.state
    assert tapped


def test_a_personal_card_is_chosen_by_what_it_asks_for(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="program", computers="-,medium")
    page = html.unescape(guided.page())
    for card in guided.state.hands[0].dealt:
        assert str(guided.state.rules.edition.cards[card].rule) in page
