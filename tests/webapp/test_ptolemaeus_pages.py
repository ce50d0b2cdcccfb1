"""Ptolemaeus on the pages: entered by hand, a file taken over, a guided game to the claim."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
import yaml
from flask import Flask

from scorer.ptolemaeus.board import study_space
from scorer.ptolemaeus.ephemeris import sky_of
from scorer.ptolemaeus.state import (
    End,
    Observe,
    State,
    Task,
    Trade,
)
from scorer.ptolemaeus.turns import TURNS
from scorer.turns import Advice
from tests.scorer.ptolemaeus_tables import table
from tests.scorer.test_ptolemaeus_contract import FILE
from tests.webapp.conftest import Player, document_of
from tests.webapp.guided import GuidedTable, drafted, played_to_the_end
from webapp.app.game_pages import pages_of
from webapp.app.guide.finish import _answered
from webapp.app.guide.service import GuideService
from webapp.games.ptolemaeus.views import COLOURS, hand, standing, to_study
from webapp.web.words import as_sentence, as_title


def begun(player: Player, **more: str) -> str:
    return player.new_game(
        "Ana", "Eva", mode="", markers=("red", "blue"), game="ptolemaeus", **more
    )


def guided(player: Player) -> str:
    """A guided game under the sky of 20 July 1969, in which the program draws."""
    game = begun(player, guided="yes")
    player.post(f"{game}/questions/date", {"answer": "1969-07-20"})
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    return game


def test_a_board_entered_by_taps_is_scored(app: Flask, player: Player) -> None:
    game = begun(player)
    page = player.get(f"{game}/photographs").text
    assert "<strong>The zodiac</strong>" in page and "Photograph the board</h1>" in page
    assert "in the order in which they were taken" not in page, "there is one"
    player.post(f"{game}/photographs/players/0/hand", {})
    counters = player.get(f"{game}/players/0/review").text
    assert 'id="leo-red-more"' in counters and 'id="leo-yellow-more"' not in counters, "red, blue"
    for page, form in (
        *(("star", {"space": f"red_{planet}", "star": "red"}) for planet in ("luna", "sol")),
        ("tracks/leo", {"star": "mars", "count": 1}),
        ("tracks/leo", {"star": "blue", "count": 2}),
        ("tracks/red_asteroids", {"star": "asteroid", "count": 3}),
    ):
        assert player.post(f"{game}/players/0/{page}", form).status_code == 303, page
    for space, star in (("red_luna", "blue"), ("asteroid_leo", "red")):
        assert (
            player.post(f"{game}/players/0/star", {"space": space, "star": star}).status_code == 422
        )
    assert player.post(f"{game}/photographs/done", {}).status_code == 303
    player.post(f"{game}/players/0/review", {})
    assert "<b>Ana</b>" in player.get(f"{game}/questions/nova/0").text
    assert "Choose one." in player.post(f"{game}/questions/claimed", {}).text
    for page, answer in (
        ("secret/0", "S1"),
        ("nova/0", "2"),
        ("secret/1", "S2"),
        ("nova/1", "0"),
        ("claimed", "(comet)"),
    ):
        sent = player.post(f"{game}/questions/{page}", {"answer": answer})
        assert sent.status_code == 303, page
    page = player.get(f"{game}/score").text
    assert "Ana wins" in page and document_of(app, game)["claimed"] == "(comet)"
    breakdown = player.get(f"{game}/score/0").text
    assert "Luna and Sol" in breakdown and "2 of its 3 planets" in breakdown
    assert "one more" not in breakdown, "the game is over"
    assert document_of(app, game)["players"][0]["secret"] == "S1"


def test_a_game_file_is_taken_over_and_written_again(app: Flask, player: Player) -> None:
    file = (io.BytesIO(yaml.safe_dump(FILE).encode()), "game.yaml")
    answer = player.post("/games/import", {"game": file})
    assert answer.status_code == 303, answer.text
    game = "/".join(answer.headers["Location"].split("/")[:3])
    kept = document_of(app, game)
    assert kept["claimed"] == "Ana" and kept["players"][0]["secret"] == "S1"
    assert kept["boards"][0]["regions"]["aries"] == {"red": 2}
    assert kept["boards"][0]["spaces"]["red_mars"] == "red"


def test_a_guided_game_ends_with_a_claim(app: Flask, player: Player) -> None:
    game = begun(player, guided="yes")
    player.post(f"{game}/questions/date", {"answer": "1969-07-20"})
    answer = player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    assert answer.status_code == 303
    page = player.get(f"{game}/guide").text
    open_cards = page[page.index('id="table-strip"') :].partition("seat-common")[2]
    assert '<span class="has-word"><img src="/assets/ptolemaeus/cards/' in open_cards
    assert "Take two cards" in page and "Observe" in page
    aspects = page.split('<g class="aspects"')[1].split("</g>")[0]
    assert aspects.count("<polygon") == 4 and aspects.count("<circle") == 2, "20 July 1969"
    assert "Until the end: comet 0 of 12, or 12 points" in page
    legend = page.partition('class="hint legend')[2].partition("</p>")[0]
    assert all(f"{name}</span>" in legend for name in ("Sol", "Iupiter", "comet", "asteroid"))
    sky = page.partition("In the sky now")[2]
    assert "Conjunction (planets together; two pieces): Cancer, Libra</li>" in sky
    shown = dict(re.findall(r'stroke="(#\w+)"\s+stroke-width="2.4"/></svg> (\w+) ', sky))
    assert {what.lower(): colour for colour, what in shown.items()}.items() <= COLOURS.items()
    assert len(shown) == 3, "each line has the colour that it has on the board"
    board = page.partition('id="drawn"')[2].partition("</svg>")[0]
    assert all(f">{name}</textPath>" in board for name in ("Aries", "Scorpius", "Pisces"))
    areas = board.partition('<text class="beside"')[2]
    assert ">Ana</text>" in areas and areas.count('class="small"') == 14
    assert "Round 1, first: Ana" in page
    state = played_to_the_end(app, game, TURNS, 2)
    last = player.get(f"{game}/guide").text
    marked = {*re.findall(r'class="space[^"]* pointed" id="space-(\w+)"', last)}
    studied = {study_space(seat.colour, one) for seat in state.seats for one in seat.studied}
    assert marked == studied and "Marked on the board: what brought points." in last
    assert "One more planet studied" in last and "done last" not in last
    ids = re.findall(r'\sid="([^"]+)"', last)
    assert len(ids) == len({*ids}), "whatever is labelled by an id is labelled by what bears it"
    assert player.post(f"{game}/guide/finish", {}).status_code == 303
    assert [seat.colour for seat in state.seats] == ["red", "blue"]
    kept = document_of(app, game)
    assert [one["secret"] for one in kept["players"]] == [seat.secret for seat in state.seats]
    assert kept["claimed"] == "(comet)" and player.get(f"{game}/score").status_code == 200


def test_a_draft_that_is_a_whole_action_is_no_part_of_one(player: Player) -> None:
    game = guided(player)
    asked = player.get(f"{game}/guide/now").text
    for whole in ("claim", "end", "take deck"):
        answer = drafted(player, game, whole)
        assert answer.count('id="choice-') == asked.count('id="choice-'), whole


def test_two_who_share_a_phone_observe_with_cards_that_only_one_sees(
    app: Flask, player: Player
) -> None:
    game = guided(player)
    for seat in (0, 1):
        player.post(f"{game}/guide/seat", {"seat": seat})
    asked = drafted(player, game, "observe")
    assert "Hand the phone to Ana" in asked and "do not pay" not in asked
    handed = drafted(player, game, "observe%20constellation&look=0")
    assert "Observe Gemini" in handed
    state = app.extensions["stargazer guide"].history(
        app.extensions["stargazer"].games.open(game.split("/")[2])
    )
    for action in TURNS.offered(state.state):
        broken = TURNS.illegal(state.state, action)
        if isinstance(action, Observe) and action.what == "constellation" and broken:
            assert as_sentence(str(broken.reason)) in handed


def test_points_so_far_are_without_what_is_secret(app: Flask, player: Player) -> None:
    game = guided(player)
    service = app.extensions["stargazer guide"]
    state = service.history(app.extensions["stargazer"].games.open(game.split("/")[2])).state
    assert state.seats[0].secret is not None
    met = state.edition.secrets[state.seats[0].secret]
    state = state.with_seat(0, studied=met, bonus=("nova_constellatio",))
    seen = TURNS.score(TURNS.seen_by(state, None)).players
    assert [one.total for one in seen] == [4, 0]
    assert "With them 8 points now" in [str(one) for one in hand(state, 0)][-1]
    assert "Points in view" in player.get(f"{game}/guide").text


def test_cards_are_shown_with_their_colours(app: Flask, player: Player) -> None:
    game = guided(player)
    player.post(f"{game}/guide/seat", {"seat": 0})
    service = app.extensions["stargazer guide"]
    state = service.history(app.extensions["stargazer"].games.open(game.split("/")[2])).state
    taken = drafted(player, game, "take")
    assert all(f"/cards/{card}.svg" in taken for card in state.open)
    held = player.get(f"{game}/guide/secret?seat=0").text
    assert held.count(".svg") == len(state.seats[0].hand)


def test_a_guided_game_begins_with_the_sky_of_a_chosen_day(app: Flask, player: Player) -> None:
    game = begun(player, guided="yes")
    asked = player.get(f"{game}/questions/date").text
    assert 'type="date"' in asked and 'min="1800-01-01" max="2050-12-31"' in asked
    for wrong, reported in (("2051-01-01", "January 1, 1800"), ("tomorrow", "Enter a date")):
        refused = player.post(f"{game}/questions/date", {"answer": wrong})
        assert refused.status_code == 422 and reported in refused.text, wrong
    sent = player.post(f"{game}/questions/date", {"answer": "1984-05-12"})
    assert sent.headers["Location"].split("?")[0] == f"{game}/guide"
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    service = app.extensions["stargazer guide"]
    state = service.history(app.extensions["stargazer"].games.open(game.split("/")[2])).state
    assert state.standing == sky_of(date(1984, 5, 12))[0]
    proposed = player.post(f"{game}/questions/date", {"answer": "", "proposed": "1969-07-20"})
    assert proposed.status_code == 303 and document_of(app, game)["date"] == "1969-07-20"


def test_a_table_followed_by_hand_tells_what_is_due(player: Player) -> None:
    game = begun(player, live="yes")
    assert player.get(game).headers["Location"].endswith("/questions/date")
    player.post(f"{game}/questions/date", {"answer": "1969-07-20"})
    page = player.get(f"{game}/live").text
    assert "Set the bodies on their constellations" in page and "Sol moves to Cancer" in page

    def lay(body: str, at: str) -> None:
        form = {"seat": "0", "space": at, "star": body, "count": "1"}
        assert player.post(f"{game}/live/star", form).status_code == 303

    for body, at in TURNS.start({"players": 2}).bodies.items():
        lay(body, at)
    page = player.get(f"{game}/live").text
    assert "Which planets does the open event card name?" in page
    assert page.count("/cards/E") == 11 and "/cards/eclipsis.svg" in page, "E1 is as E2"
    assert "Observe the conjunction in Cancer" in page and "two blue or three" in page
    wrong = player.post(f"{game}/live/entries", {"kind": "event", "card": "E13"})
    assert wrong.status_code == 422
    assert player.post(f"{game}/live/entries", {"kind": "event", "card": "E4"}).status_code == 303
    lay("mars", "pisces")
    page = player.get(f"{game}/live").text
    assert "Mars belongs in Capricornus; it is in Pisces" in page
    held = player.get(f"{game}/live").text.split('id="player-0"')[1].count("Mars")
    assert held and "The event card: Luna, Mercurius and Mars" in page


def test_a_constellation_is_named_by_a_button_in_a_lesson(player: Player) -> None:
    """Buttons too many for a screen are unfolded by their kinds of action."""
    page = player.get("/lessons/ptolemaeus/opposition").text
    assert 'value="observe opposition aries"' in page and 'class="held"' in page
    kinds = re.findall(
        r'<details class="actions-of" id="actions-(\w+)" name="actions"( open)?>', page
    )
    assert kinds == [("take", ""), ("observe", "")]
    hinted = player.post("/lessons/ptolemaeus/opposition", {"hint": "3"}).text
    assert 'id="actions-observe" name="actions" open' in hinted


def test_a_computer_pays_with_hidden_cards(app: Flask, player: Player) -> None:
    """A phone that sits does not know them; its turn is done with one tap all the same."""
    first = player.post("/lessons/ptolemaeus/first-game", {}).headers["Location"]
    game, service = first.removesuffix("/guide"), app.extensions["stargazer guide"]
    observed = False
    for _turn in range(60):
        history = service.history(app.extensions["stargazer"].games.open(game.split("/")[2]))
        page = player.get(f"{game}/guide/now").text
        is_computers = TURNS.decides(history.state) == 1
        if is_computers:
            assert "option refused" not in page
            move = re.findall(r'name="move" value="([^"]+)"', page)[0]
            observed = observed or move.startswith("observe")
        else:
            legal = [TURNS.write_action(one) for one in TURNS.actions(history.state)]
            move = next((one for one in ("take deck", "end") if one in legal), legal[0])
        sent = player.post(f"{game}/guide/do", {"move": move, "seen": history.number})
        assert sent.status_code == 303
        now = service.history(app.extensions["stargazer"].games.open(game.split("/")[2])).state
        is_same_turn = TURNS.turn(now) == TURNS.turn(history.state)
        assert not (is_computers and is_same_turn), "one tap does its whole turn"
        if observed:
            lists = page.split('id="to-study"')[1].split("</section>")[0]
            told = [as_title(str(one)) for *_whose, rows in to_study(now, 1) for _at, one in rows]
            assert re.findall(r"<dd>.*?<b>(.+?)</b>", lists, re.DOTALL) == told, "as it is drawn"
            break
    after = service.history(app.extensions["stargazer"].games.open(game.split("/")[2]))
    assert observed and after.number > history.number


def test_only_servers_with_the_same_key_draw_the_same_for_a_computer(
    app: Flask, player: Player
) -> None:
    """A backup has the game's seed but not the key, so that it does not reveal coming cards."""
    first = player.post("/lessons/ptolemaeus/first-game", {}).headers["Location"]
    live, made = app.extensions["stargazer live"], app.extensions["stargazer"]
    game = made.games.open(first.removesuffix("/guide").split("/")[2])
    service = app.extensions["stargazer guide"]

    def drawn(key: bytes) -> Sequence[Any]:
        keyed = GuideService(made.games, live, made.boards, key)
        steps = keyed.computer_turn(game, service.history(game))
        return [moment.action for before, moment in steps if TURNS.decides(before) is None]

    while not drawn(b"one"):
        history = service.history(game)
        steps = service.computer_turn(game, history)
        legal = [one.action for _before, one in steps] or TURNS.actions(history.state)
        service.do(game.id, TURNS.write_action(legal[0]), history.number)
    assert drawn(b"one") == drawn(b"one")
    assert any(drawn(b"%d" % number) != drawn(b"one") for number in range(40))


def test_what_a_computer_chooses_depends_on_the_servers_key(
    app: Flask, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = player.post("/lessons/ptolemaeus/first-game", {}).headers["Location"]
    live, made = app.extensions["stargazer live"], app.extensions["stargazer"]
    game = made.games.open(first.removesuffix("/guide").split("/")[2])
    service = app.extensions["stargazer guide"]
    while TURNS.decides((history := service.history(game)).state) == 0:
        service.do(game.id, TURNS.write_action(TURNS.actions(history.state)[0]), history.number)
    seeds: list[int] = []

    def choose(_self: object, state: State, strength: str, seed: int = 0) -> Advice[Any]:
        seeds.append(seed)
        return Advice(TURNS.actions(state)[0], strength)

    guided = pages_of("ptolemaeus").guided
    monkeypatch.setattr(type(guided.advisor), "choose", choose)
    for key in (b"one", b"one", b"two"):
        GuideService(made.games, live, made.boards, key).advice(game, history)
    assert seeds[0] == seeds[1] != seeds[2]


def test_a_guided_game_that_cannot_go_on_offers_a_way_on(app: Flask, player: Player) -> None:
    """Earlier ones could be begun with cards that people draw, of which the guide knows none."""
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    assert 'id="stuck"' not in player.get(f"{game}/guide").text
    old = begun(player, guided="yes")
    app.extensions["stargazer guide"].begin(old.split("/")[2], ["", ""], "hand", "en")
    page = player.get(f"{old}/guide").text
    assert 'id="stuck"' in page and f'action="{old}/guide/off"' in page
    assert 'href="/games/new?game=ptolemaeus"' in page


def test_what_asteroids_cost_and_what_comes_after_a_turn_or_eclipsis_is_said(app: Flask) -> None:
    part = pages_of("ptolemaeus").guided
    done = replace(table(), actions=0, acting=True)
    last = replace(done, acted=5)

    def noted(state: State, action: Trade | End) -> str:
        choice = part.look(state, action)
        assert choice is not None
        return choice.note

    with app.test_request_context("/lessons/ptolemaeus/trine"):
        for n, is_dear in ((2, False), (3, True), (5, False), (6, True), (7, True)):
            costs = "costs a point" in noted(done.with_seat(0, asteroids=n), Trade())
            assert costs is is_dear is (n // 3 > (n - 2) // 3), n
        assert "the next player" in noted(done, End())
        assert "the round is over" in noted(last.with_seat(0), End())
        assert "the game is over" in noted(replace(last, travelled=11), End())
        assert not noted(table(), End()), "the reason why not is enough"
        eclipsis = replace(table("leo"), todo=(Task("discard", 0), Task("event")), event="")
        asked = part.question(eclipsis, "", (), ["Ana", "Eva"])
        assert asked.hint == (
            "After the discards another event card is turned, and the next round begins."
        )


def test_a_first_turn_shows_what_wins_and_what_the_signs_mean_without_a_tap(
    app: Flask, player: Player
) -> None:
    game = guided(player)
    page = player.get(f"{game}/guide").text
    assert re.search(r'id="wins" +open', page) and re.search(r'id="signs" +open', page)
    at_table = GuidedTable.of(app, game.split("/")[2])
    for _seat in range(2):
        for _card in range(2):
            at_table.do("take deck")
    page = player.get(f"{game}/guide").text
    assert not re.search(r'id="(wins|signs)" +open', page)
    assert page.count("0 there: 3 more") == 1, "the same for both"


def test_who_claimed_a_guided_game_is_entered_by_name(app: Flask) -> None:
    document = document_of(app, begun(Player(app.test_client())))
    part = pages_of("ptolemaeus").guided
    colours = {"players": 2, "colours": ["red", "blue"]}
    with app.test_request_context():
        over = _answered(part, document, replace(TURNS.start(colours), claimed=1))
    assert over["claimed"] == "Eva" and "claimed" in over["confirmed"]
    assert all("colour" not in one for one in over["players"]), "a marker is the only colour"


def test_the_first_round_says_of_which_day_the_sky_is(app: Flask, player: Player) -> None:
    with app.test_request_context():
        for state, said in (
            (table(), "planets as on July 20, 1969"),
            (replace(table(), round=2), ""),
        ):
            told = [str(one) for _term, one in standing(state, ["Ana", "Eva"], "1969-07-20")]
            assert ("planets as on July 20, 1969" in told) is bool(said)
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    assert "Planets as on July 20, 1969" in player.get(f"{game}/guide").text, "as none was chosen"


def test_playing_again_asks_for_another_sky_and_nobody_again(player: Player) -> None:
    game = guided(player)
    again = player.post(f"{game}/rematch").headers["Location"]
    assert "/questions/date?draft=" in again and game not in again
    answer = player.post(again, {"answer": "1976-03-21"})
    page = player.get(answer.headers["Location"]).text
    assert "Ready?" in page and 'value="program"' in page and 'value="-,-"' in page
