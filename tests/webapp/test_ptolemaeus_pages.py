"""Ptolemaeus on the pages: entered by hand, a file taken over, a guided game to the claim."""

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from random import Random
from typing import Any

import pytest
import yaml
from flask import Flask

from calibration import load_profile
from scorer.ptolemaeus.advice import ADVISOR, ASTRONOMER
from scorer.ptolemaeus.board import study_space
from scorer.ptolemaeus.edition import PLANETS, STANDARD
from scorer.ptolemaeus.effects import coming
from scorer.ptolemaeus.ephemeris import sky_of
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.ptolemaeus.sky import places_of
from scorer.ptolemaeus.state import (
    End,
    Event,
    Lift,
    Observe,
    Pay,
    Play,
    Reveal,
    State,
    Study,
    Task,
    Travel,
)
from scorer.ptolemaeus.turns import TURNS
from scorer.table_guide import guide_of
from scorer.turns import Advice
from tests.conftest import FULL_MATRIX
from tests.scorer.ptolemaeus_tables import did, played_at_random, table
from tests.scorer.test_ptolemaeus_contract import FILE
from tests.webapp.conftest import Player, document_of
from tests.webapp.guided import drafted, played_to_the_end
from webapp.app.boards.board_drawing import draw
from webapp.app.game_pages import pages_of
from webapp.app.guide.finish import _answered
from webapp.app.guide.history import History, Moment, SeenHistory
from webapp.app.guide.service import GuideService
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.app.session.game_document import new_game
from webapp.games.ptolemaeus.views import COLOURS, arriving, hand, most_missed, standing, to_study
from webapp.web.guide_handover import changed_by_computer, of_computer
from webapp.web.guide_hints import hints
from webapp.web.guide_questions import Asked, describe
from webapp.web.guide_view_model import GuideViewModel, view, waiting_view
from webapp.web.words import as_sentence, as_title

TWO = {"players": [{"name": "Ana"}, {"name": "Eva"}]}


@pytest.fixture
def part(app: Flask) -> Iterator[GuidedGame]:
    """The game's guide, within a request."""
    with app.test_request_context("/lessons/ptolemaeus/trine"):
        yield pages_of("ptolemaeus").guided


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
    assert "Luna and Sol; one more" in breakdown and "2 of its 3 planets" in breakdown
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
    assert "Conjunction (planets together; two pieces): Cancer</li>" in sky
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


def test_what_is_paid_is_asked_of_whoever_holds_the_cards(app: Flask, player: Player) -> None:
    game = guided(player)
    player.get(f"{game}/guide")
    service = app.extensions["stargazer guide"]
    saved = app.extensions["stargazer"].games.open(game.split("/")[2])
    while not isinstance((actions := TURNS.actions(service.history(saved).state))[0], Pay):
        history = service.history(saved)
        observed = (action for action in actions if isinstance(action, Observe))
        has_choice = (
            action for action in observed if not TURNS.by_itself(TURNS.after(history.state, action))
        )
        action = TURNS.write_action(next(has_choice, actions[0]))
        service.do(saved.id, action, history.number)
    page = player.get(f"{game}/guide").text
    assert "Hand the phone to" in page and "The game is over" not in page


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


def test_the_only_way_to_pay_for_a_piece_is_one_tap(part: GuidedGame) -> None:
    """Where several pieces are paid for, in any order, and the player sees the cards already."""
    state = table("gemini sagittarius", venus="gemini", mars="sagittarius")
    state = did(state, "observe opposition gemini")
    shown, unseen = (Asked(part, state, "", is_shown=one) for one in (True, False))
    choices = {one.action: one.draft for one in shown.question(TWO).choices}
    assert choices == {Pay("gemini", ("gemini",)): "", Pay("sagittarius", ("sagittarius",)): ""}
    assert [one.action for one in unseen.question(TWO).choices] == [None, None]


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


def test_what_follows_is_reported_with_what_hands_do(part: GuidedGame) -> None:
    names = ["Ana", "Eva"]
    state = did(table("leo leo aries", "", comet="aries"), "observe constellation sagittarius")
    asked = part.question(state, "", (), names)
    assert asked and asked.words == "Ana, first pay for the pieces of the observation"
    assert "two of its colour" in asked.hint
    assert part.question(replace(table("leo"), round=2), "", (), names) is None
    for pieces, reported in (
        ((), "moves to Pisces."),
        ([{"pisces": 1}], "the pieces there go back"),
    ):
        before = replace(table("leo", pieces=pieces), todo=(Task("travel", places=("comet",)),))
        action = Travel("comet", "pisces")
        assert reported in str(part.describe(before, action, before, names))
    assert part.describe(before, Travel("luna", "leo"), before, names) is None
    jumps = part.describe(before, Travel("comet", "gemini"), before, names)
    assert str(jumps).endswith("It has jumped over Taurus, where planets are."), "T62"
    crowded = replace(state, todo=(Task("reveal"),), open=("aries", "leo") * 2 + ("sextant",))
    reveal = Reveal("sagittarius")
    swept = part.describe(crowded, reveal, TURNS.after(crowded, reveal), names)
    assert str(swept).startswith("Sagittarius is turned face up. Five lie open of one colour")
    assert "each player discards two cards" in str(TURNS.format_action(Event("eclipsis")))


def test_the_round_that_brings_the_comet_home_is_said_to_be_the_last() -> None:
    for travelled, acted, said in (
        (5, 0, "comet 5 of 12"),
        (11, 0, "last round: after it the comet is home"),
    ):
        state = replace(table("leo"), round=4, travelled=travelled, acted=acted, event="E1")
        assert said in str(dict(standing(state, ["Ana", "Eva"]))["comet"])


def test_a_comet_that_will_jump_home_makes_the_round_the_last() -> None:
    """Over a planet that is on the next constellation once the event's planets have moved."""
    state = replace(table(comet="aquarius"), event="E1", round=4, travelled=10, start="aries")
    moving = state.edition.events[state.event]
    for at, said in (("aquarius", "last round"), ("pisces", "comet 10 of 12")):
        own = replace(state, planets=tuple(at if one == moving[0] else "leo" for one in PLANETS))
        assert said in str(dict(standing(own, ["Ana", "Eva"]))["comet"])


def test_a_choice_between_players_shows_their_names(part: GuidedGame) -> None:
    document = new_game([("Ana", "blue"), ("Eva", "yellow")], part.pages.first_mode, "ptolemaeus")
    state = replace(table("", "leo"), todo=(Task("rob"),))
    words = [one.words for one in Asked(part, state).question(document).choices]
    (action,) = TURNS.actions(state)
    told = describe(part, state, action, TURNS.after(state, action), document)
    hint, _advice = hints(part, state, part.advisor.choose(state, "astronomer"), "", document)
    assert TURNS.write_action(action) == "rob yellow"
    assert (words, told) == (["Take a card from Eva"], "Ana takes a card from Eva.")
    assert hint.startswith("Take a card from Eva. ")


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
            told = [as_title(str(one)) for _named, each in to_study(now, 1) for one in each]
            assert re.findall("<td>(.+?)</td>", lists) == told, "as the board is drawn"
            break
    after = service.history(app.extensions["stargazer"].games.open(game.split("/")[2]))
    assert observed and after.number > history.number


def test_what_a_computer_does_twice_is_said_once(part: GuidedGame) -> None:
    state = table()
    take = TURNS.read_action("take deck")
    once = did(state, "take deck")
    turn = [
        (state, Moment(take, "computer", once)),
        (once, Moment(take, "itself", did(once, "take deck"))),
    ]
    seen = SeenHistory(None, {"computers": ["easy", ""], "draws": "program"}, state, (), 0)
    question = of_computer(part, seen, turn, Advice(take, "It needs cards"), TWO)
    assert question.words == "Ana takes 2 cards from the deck."
    assert question.about[1] == []


def test_the_points_of_a_computers_turn_are_said(part: GuidedGame) -> None:
    state = table()
    studied = state.with_seat(0, studied=("luna",))
    seen = SeenHistory(None, {"computers": ["easy", ""], "draws": "program"}, state, (), 0)
    named = new_game([("Ana", "blue"), ("Eva", "yellow")], part.pages.first_mode, "ptolemaeus")
    told, none = (
        changed_by_computer(
            part, seen, [(state, Moment(TURNS.read_action("end"), "computer", now))], named, [1]
        )
        for now in (studied, state)
    )
    same = "For Eva: the same points in view."
    assert (told, none) == ([f"For Ana: points in view +1 (Planets studied). {same}"], [same])


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


def test_who_claimed_a_guided_game_is_entered_by_name(app: Flask) -> None:
    document = document_of(app, begun(Player(app.test_client())))
    part = pages_of("ptolemaeus").guided
    colours = {"players": 2, "colours": ["red", "blue"]}
    with app.test_request_context():
        over = _answered(part, document, replace(TURNS.start(colours), claimed=1))
    assert over["claimed"] == "Eva" and "claimed" in over["confirmed"]
    assert all("colour" not in one for one in over["players"]), "a marker is the only colour"


def test_each_choice_says_what_it_brings_and_is_lit_on_the_board(part: GuidedGame) -> None:

    def asked(state: State, draft: str = "") -> Question:
        return Asked(part, state, draft, is_shown=True).question(TWO)

    def notes(state: State, draft: str = "") -> dict[str, str]:
        return {one.words: one.note for one in asked(state, draft).choices}

    three = did(
        table("leo", pieces=[{"leo": 2}], venus="leo"),
        "observe constellation leo",
        "pay leo leo",
    )
    question = asked(three)
    assert question.words == "Ana, first study a planet: three of your pieces are on Leo"
    assert "secret objective" not in question.hint, "there is one planet"
    assert notes(three)["study Venus in Leo"] == "1 point now, a bonus card, an asteroid"
    bare = replace(three, asteroids=())
    assert notes(bare)["study Venus in Leo"].endswith("; no asteroid is left there")
    several = table(pieces=[{"leo": 2, "aries": 2, "virgo": 1}], venus="leo")
    several = replace(several, acting=True, actions=0)
    assert notes(several)["study a planet"] == (
        "points now: Venus +1; also a bonus card, and the asteroid there if any. Two pieces "
        "there and two others of your choice leave, one onto the planet, three home"
    )
    others = table(pieces=[{"leo": 2, "aries": 1, "virgo": 1}], venus="leo")
    after = did(others, "take deck", "take deck")
    (study,) = [one for one in asked(after).choices if "tudy" in one.words and one.note]
    assert "two pieces leave Leo, the others Aries and Virgo" in study.note
    doubled = replace(table(), open=("leo", "leo", "aries"))
    assert "take Leo (× 2 there)" in notes(doubled, "take")
    placed = replace(table(venus="leo"), played=("signa_ignis",))
    placed = replace(placed, todo=(Task("place", places=("leo", "gemini")),))
    assert notes(placed) == {
        "Put a piece on Leo": "not studied yet, there: Venus",
        "Put a piece on Gemini": "no planet for you there now",
    }
    assert [one.id for one in asked(placed).shown] == ["leo", "gemini"]
    by = "Ana, place the piece that Signa ignis gives on a red constellation"
    assert asked(placed).words == by
    swapped = table(pieces=[{}, {"leo": 1}], venus="leo")
    swapped = replace(swapped, todo=(Task("swap"),), played=("nova_luna",))
    assert notes(swapped) == {"Replace the piece on Leo: Eva": "not studied yet, there: Venus"}
    held = replace(table("leo", bonus=["nova_luna"]), acting=True, actions=0)
    assert "in the place of an opponent" in notes(held)["Play Nova Luna"]
    observed = table("gemini sagittarius", venus="gemini", mars="sagittarius")
    opposition = "Observe the opposition of Gemini and Sagittarius"
    assert notes(observed, "observe")[opposition] == (
        "opposition (opposite each other): 2 pieces, each paid with cards; "
        "not studied yet, there: Venus, Mars"
    )
    turned = [one.words for one in asked(replace(table(), open=("virgo", "aries")), "take").choices]
    assert turned[1:] == ["take Virgo", "take Aries"], "as they lie on the table"
    assert not asked(table()).shown, "nothing of the whole turn is named by a place"
    assert all(one.note for one in asked(table("leo")).choices[:2])


def test_the_end_tells_the_secret_objectives() -> None:
    over = replace(table(), over=True)
    for seat in (0, None):
        told = TURNS.ending(TURNS.seen_by(over, seat), ["Ana", "Eva"])
        assert [str(told).count(name) for name in ("Ana: ", "Eva: ")] == [1, 1]
    hidden = TURNS.seen_by(table(), None)
    assert "objectives" not in TURNS.ending(hidden, ["Ana", "Eva"])


def test_a_sextant_is_one() -> None:
    state = replace(table("sextant"), todo=(Task("pay", places=("leo",), observed=("leo",)),))
    assert "pays with a sextant for" in TURNS.format_event(Pay("leo", ("sextant",)), "Ana")
    assert TURNS.actions(state) == [Pay("leo", ("sextant",))]


def test_where_bodies_will_be_after_the_round_is_said_in_it() -> None:
    state = replace(table(pieces=[{"virgo": 2}], comet="cancer"), event="E1")
    moving = state.edition.events["E1"]
    told = {term: str(one) for term, one in standing(state, ["Ana", "Eva"])}["event"]
    assert all(f"{TURNS.words.word(one)} to " in told for one in moving)
    assert told.endswith("; pieces on Virgo then go back to their reserve (Ana 2)")
    both = state.with_seat(1, state.seats[1].shifted({"virgo": 1}))
    assert str(dict(standing(both, ["Ana", "Eva"]))["event"]).endswith("(Ana 2, Eva 1)"), "T64"
    apart = {
        term: str(one)
        for term, one in standing(state.with_seat(0, pieces=(0,) * 12), ["Ana", "Eva"])
    }
    assert apart["event"].endswith("the comet to Virgo")
    for kind, is_said in (("pay", True), ("travel", False)):
        paying = replace(state, todo=(Task(kind, places=("luna",)),))
        assert ("event" in dict(standing(paying, ["Ana", "Eva"]))) is is_said


def test_how_many_turns_everybody_has_left_at_most_is_said() -> None:
    names, ended, rounds = ["Ana", "Eva", "Iva"], Counter[str](), Counter[bool]()
    for state, action in reversed(played_at_random(3, 2)):
        if isinstance(action, End) and not state.over:
            said = " ".join(str(one) for _term, one in standing(state, names))
            left = {name: int(n) for name, n in re.findall(r"(\w+) (\d+)[,;]", said)}
            is_last = "last round" in said
            rounds[is_last] += 1
            assert all(
                left[one] == ended[one] if is_last else left[one] >= ended[one] for one in names
            )
            ended[names[state.mover]] += 1
    assert rounds[True] == 9 and rounds[False] > 9


def test_a_hand_says_what_its_secret_objective_and_the_twelve_points_lack() -> None:
    planets = STANDARD.secrets["S1"]
    for studied, left, more, least in (
        (planets[:1], f"; not studied yet: {', '.join(map(TURNS.words.word, planets[1:]))}", 11, 3),
        (planets, "", 5, 2),
        (PLANETS[:6], "", 1, 1),
    ):
        secret, *_cards, points = map(str, hand(table(studied=studied), 0))
        assert secret.partition(";")[2] == left[1:].replace(", ", " and ")
        planets_more = f"{least} more {'planet' if least == 1 else 'planets'}"
        assert points.endswith(f"twelve win: {more} more, so at least {planets_more}")


def test_a_hand_says_what_the_last_secret_planet_brings_and_what_bonus_cards_do() -> None:
    held = table(studied=STANDARD.secrets["S1"][:2], bonus=["venus_retrograda"] * 2)
    secret, bonus, _points = map(str, hand(held, 0))
    assert secret.endswith(" (+2)")
    assert bonus.startswith("Bonus: 2 × Venus retrograda: Take a constellation card")


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


def test_two_asteroids_for_a_card_say_what_they_are_worth(part: GuidedGame) -> None:
    state = replace(table().with_seat(0, asteroids=3), acting=True, actions=0)
    notes = [one.note for one in Asked(part, state).question(TWO).choices]
    assert "you have 3; three are a point at the end" in notes


def test_the_turn_marker_that_moves_on_is_said(part: GuidedGame) -> None:
    names = ["Ana", "Eva"]
    first = did(table(), "take deck", "take deck")
    second = replace(first, acted=1)
    for state, said in (
        (first, None),
        (second, "Eva ends the turn: move the turn marker to 2."),
    ):
        action = TURNS.read_action("end")
        assert part.describe(state, action, TURNS.after(state, action), names) == said


def test_what_hands_do_for_a_study_is_said(part: GuidedGame) -> None:
    names = ["Ana", "Eva"]
    others = table(pieces=[{"leo": 2, "aries": 1, "virgo": 1}], venus="leo")
    others = did(others, "take deck", "take deck")
    three = did(table("leo", pieces=[{"leo": 2}], venus="leo"), "observe constellation leo")
    three = replace(did(three, "pay leo leo"), asteroids=())
    for state, line, said in (
        (
            *(others, "study venus aries virgo"),
            "Ana studies Venus, with pieces from Aries and Virgo and two from Leo: one goes "
            "onto the planet, three come home. For it: the asteroid there and a bonus card.",
        ),
        (
            *(three, "study venus"),
            "Ana studies Venus: of the three pieces on Leo one goes onto the planet, two come "
            "home. For it: a bonus card.",
        ),
    ):
        action = TURNS.read_action(line)
        assert part.describe(state, action, TURNS.after(state, action), names) == said


def followed(state: State, only: tuple[type, ...]) -> Iterator[Study]:
    """The studies that can follow in a turn by actions of these kinds."""
    steps = [one for one, _odds in TURNS.outcomes(state)][:1] or [
        one for one in TURNS.actions(state) if isinstance(one, only)
    ]
    for one in steps:
        if isinstance(one, Study):
            yield one
        yield from followed(TURNS.after(state, one), only)


def test_which_planets_an_observation_lets_a_player_study_is_so(part: GuidedGame) -> None:
    """In each state, with all ways to pay, to take up pieces and to study."""
    luck, state, seen = Random(4), TURNS.start({"players": 2}), Counter[bool]()
    while seen.total() < (120 if FULL_MATRIX else 14):
        state = TURNS.dealt(state, luck)
        ways = TURNS.actions(state)
        if not ways:
            state = TURNS.start({"players": 2})
            continue
        observes = [one for one in ways if isinstance(one, Observe)]
        if observes and luck.random() < 0.3:
            (note, *each) = (
                str(one.note) for own in (Observe, *observes) if (one := part.look(state, own))
            )
            after = [TURNS.after(state, one) for one in observes]
            can = [{*map(_planet, followed(one, (Pay, Lift, Study)))} for one in after]
            said = [{*re.findall(r"(\w+) \+\d", one.partition("can study: ")[2])} for one in each]
            assert said == can
            assert {*re.findall(r"(\w+) \+\d", note)} == set().union(*can)
            if "in this turn that studies no planet" in note:
                assert not any(can)
            seen[any(can)] += 1
        state = TURNS.after(state, ADVISOR.choose(state, ASTRONOMER).action)
    assert min(seen[True], seen[False]) > 2


def _planet(study: Study) -> str:
    return TURNS.words.word(study.planet)


def test_illegal_observations_are_listed_with_the_legal_one(part: GuidedGame) -> None:
    """Of two conjunctions the cards pay for one: the other says why not."""
    state = table("cancer cancer")
    choices = Asked(part, state, "observe", is_shown=True).question(TWO).choices
    broken = {
        one.words: TURNS.illegal(state, one.action)
        for one in choices
        if isinstance(one.action, Observe) and one.action.what == "conjunction"
    }
    assert [bool(why) for why in broken.values()] == [False, True]
    assert "do not pay" in str(broken["Observe the conjunction in Libra"])


def test_a_first_and_a_last_turn_say_what_counts(part: GuidedGame) -> None:
    last = replace(table("leo", venus="leo"), round=6, travelled=11, acted=5, first=1)
    placed = replace(last, todo=(Task("place", places=("leo",)),), played=("signa_ignis",))
    placed = replace(placed, actions=0, acting=True)
    told = Asked(part, table(), is_first=True).question(TWO).hint
    assert told.startswith("Do one of two things: take two cards, or observe")
    assert told.endswith("as does your secret objective.") and len(told.split()) < 60
    for state, is_said in ((last, True), (placed, True), (replace(last, acted=3), False)):
        hint = Asked(part, state).question(TWO).hint
        assert ("except Nova Constellatio" in hint) is is_said
        tied = "Ties: planets studied, then pieces on constellations."
        assert hint.endswith(tied) is is_said, "T76"
    notes = [one.note for one in Asked(part, placed).question(TWO).choices]
    assert notes == ["your turns are over: nothing more is studied"]
    studies = replace(placed).with_seat(0, placed.seats[0].shifted({"leo": 2}))
    notes = [one.note for one in Asked(part, studies).question(TWO).choices]
    assert notes == ["can study there in this turn: Venus +1"]


def test_a_card_to_take_says_what_it_would_pay_for_and_a_payment_what_is_left(
    part: GuidedGame,
) -> None:
    question = Asked(part, table("leo"), "take").question(TWO)
    notes = {one.words: one.note for one in question.choices}
    assert notes["take Cancer"] == "Sol there; Mercurius there, this round only"
    assert notes["take Aries"] == "no planet for you there", "but the comet"
    bare = Asked(part, table("leo", comet="pisces"), "take").question(TWO)
    (note,) = (one.note for one in bare.choices if one.words == "take Virgo")
    assert note == "no planet there, now or next round"
    last = replace(table("leo"), travelled=11)
    notes = {one.words: one.note for one in Asked(part, last, "take").question(TWO).choices}
    assert notes["take Cancer"] == "Mercurius, Sol there", "there is no next round"
    assert notes["take Aries"] == "no planet for you there"
    held = replace(table("leo"), open=("cancer",))
    held = held.with_seat(0, studied=("mercurius", "sol", "venus"), bonus=("maleficus_mars",) * 2)
    (_deck, note) = (one.note for one in Asked(part, held, "take").question(TWO).choices)
    assert note == "no planet for you there"
    play = part.look(held, Play("maleficus_mars"))
    assert play is not None and play.note.startswith("You hold 2. ")
    moved = replace(table("leo"), event="E1", open=("scorpius",))
    assert [one.note for one in Asked(part, moved, "take").question(TWO).choices] == [
        "",
        "Luna there next round",
    ]
    assert "takes its place at once" in question.hint
    paid = did(table("leo leo virgo", comet="leo"), "observe constellation leo")
    (one,) = Asked(part, paid, is_shown=True).question(TWO).choices
    assert one.note == "then you hold 2 cards"


def test_a_few_impossible_choices_stay_in_sight() -> None:
    """Those that fill up three choices, or all if there are no more than three."""
    broken = TURNS.illegal(table(), TURNS.read_action("observe constellation leo"))
    for possible, impossible, folded in ((1, 4, 2), (2, 5, 4), (1, 3, 0), (3, 3, 0), (0, 4, 0)):
        seen = object.__new__(GuideViewModel)
        choices = [(Choice("take"), None)] * possible + [(Choice("observe"), broken)] * impossible
        object.__setattr__(seen, "choices", choices)
        assert seen.folded == folded, (possible, impossible)


def test_a_page_says_how_many_turns_are_left_at_most_and_what_lacks_for_a_planet(
    player: Player,
) -> None:
    game = begun(player, guided="yes", date="1969-07-20")
    player.post(f"{game}/questions/date", {"answer": "1969-07-20"})
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,astronomer"})
    page = player.get(f"{game}/guide").text
    assert re.search(r"Turns after this one, at most: Ana \d\d, Eva \d\d", page)
    assert "What it takes to study" in page
    assert "0 there: 3 more, or 2 and 2 elsewhere" in page

    def needs(pieces: dict[str, int], **changes: Any) -> dict[str, str]:
        state = replace(table(pieces=[pieces]), **changes)
        return {str(named): str(own) for named, (own, _other) in to_study(state, 0)}

    cancer, libra = "Cancer (Mercurius, Sol)", "Libra (Luna, Iupiter)"
    found = needs({"cancer": 2, "libra": 1})
    assert [*found][:2] == [cancer, libra]
    assert found[cancer] == "2 there: 1 more, or 1 elsewhere"
    assert found[libra].startswith("1 there, 2 elsewhere: 2 more there, or only 1, used with 2")
    enough = "2 there, 2 elsewhere: enough "
    assert needs({"cancer": 2, "libra": 1, "leo": 1})[cancer] == f"{enough}after an action"
    assert needs({"cancer": 2, "libra": 1, "leo": 1}, acting=True)[cancer] == f"{enough}now"
    one_there = "1 there: 2 more, or 1 and 1 elsewhere"
    assert needs({"cancer": 1, "libra": 1})[cancer] == one_there, "one observation"
    assert needs({"cancer": 3})[cancer] == "3 there: studied now"
    used = needs({"cancer": 3, "libra": 2})
    assert used[libra] == "2 there: 1 more, or 2 elsewhere", "three leave the sky"
    halves = {str(named): told for named, told in to_study(table(studied=["sol", "saturnus"]), 0)}
    none = "0 there: 3 more, or 2 and 2 elsewhere"
    assert [*map(str, halves[cancer])] == [f"Mercurius: {none}", none]
    assert [*map(str, halves["Taurus (Saturnus)"])] == ["studied", none]


def test_a_card_that_another_discards_for_leaves_the_turn_to_its_player(part: GuidedGame) -> None:
    start = table("leo", "taurus leo", bonus=["maleficus_saturnus"], studied=["saturnus"])
    history = History({"computers": ["", ""], "draws": "program"}, start)
    said = list[str]()
    named = new_game([("Ana", "red"), ("Eva", "yellow")], part.pages.first_mode, "ptolemaeus")
    both = Sitting(frozenset({0, 1}))
    for done in ("play maleficus_saturnus", "discard leo"):
        action = TURNS.read_action(done)
        state = TURNS.after(history.state, action)
        history = replace(history, moments=(*history.moments, Moment(action, "tap", state)))
        shown = view(part, history.seen_by(TURNS, None), named, both)
        waits = waiting_view(part, shown, 0, ["Ana", "Eva"])
        said += [shown.question.hint, waits.question.hint]
        assert (shown.history.active_player, shown.acting) == (0, 1)
        assert shown.events[0].endswith("With Saturnus studied, two."), "what made them discard"
    for hint, n in zip(
        said, ["2 constellation cards"] * 2 + ["1 constellation card"] * 2, strict=True
    ):
        assert hint.startswith(f"Eva, discard {n} of your choice, because of Maleficus Sat")
        assert hint.endswith("It is still Ana’s turn, and goes on after that.")


def test_choices_of_an_observation_say_what_the_configurations_are(part: GuidedGame) -> None:
    question = Asked(part, table("leo"), "observe").question(TWO)
    words = " ".join(f"{one.words} {one.note}" for one in question.choices)
    for one in ("planets together", "opposite each other", "three apart"):
        assert one in words
    assert question.hint.endswith("Not in the sky now: trine (three of one colour).")
    observe = next(one for one in Asked(part, table("cancer")).question(TWO).choices[1:2])
    assert "possible now: Cancer (Mercurius, Sol); not yet: Taurus (Saturnus)" in observe.note
    bare = Asked(part, table("aries")).question(TWO).choices[1]
    possible = "Possible, but with nothing for you to study: Aries; not yet: Taurus (Saturnus)"
    assert possible in bare.note, "the comet"
    studied = Asked(part, table("taurus", studied=["saturnus"])).question(TWO).choices[1]
    assert "with nothing for you to study: Taurus; not yet: Gemini (Venus)" in studied.note
    hidden = Asked(part, TURNS.seen_by(table("aries"), None)).question(TWO).choices[1]
    assert "possible now" not in hidden.note, "nobody sees what these cards pay for"
    assert "The planets that you lack stand in: Taurus (Saturnus)" in hidden.note
    assert hidden.note.endswith("; other bodies, with nothing for you to study: Aries")
    last = replace(table("leo"), round=6, travelled=11, acted=5, first=1)
    take = Asked(part, last).question(TWO).choices[0]
    assert "pay for nothing more" in take.note and "unless" not in take.note


@pytest.mark.parametrize(
    ("hand", "pieces", "bonus", "can"),
    [
        ("leo leo leo", {}, (), False),
        ("cancer cancer", {"cancer": 1}, (), True),
        ("leo", {"cancer": 1}, (), False),
        ("leo", {"cancer": 2}, (), True),
        ("cancer", {"cancer": 1, "pisces": 2}, (), True),
        ("", {"cancer": 2, "pisces": 2}, (), True),
        ("leo", {}, ("signa_aquae",), True),
    ],
)
def test_a_last_turn_speaks_of_a_study_only_where_hidden_cards_may_bring_one(
    part: GuidedGame, hand: str, pieces: dict[str, int], bonus: tuple[str, ...], can: bool
) -> None:
    last = replace(table(hand, pieces=[pieces], bonus=bonus), round=6, travelled=11, acted=5)
    last = TURNS.seen_by(replace(last, first=1), None)
    choices = Asked(part, last).question(TWO).choices
    observe = next((one for one in choices if one.words == "Observe"), None)
    if observe is not None and hand:
        assert ("in this turn that studies no planet" in observe.note) is not can
        assert ("The planets that you lack" in observe.note) is can
    assert bool([*to_study(last, 0)]) is can


def test_an_observation_is_shown_on_all_of_its_places() -> None:
    for line, places in {
        "observe opposition cancer": ["cancer", "capricornus"],
        "observe square libra": ["libra", "capricornus"],
        "observe conjunction leo": ["leo"],
    }.items():
        assert [one.id for one in TURNS.places_of(TURNS.read_action(line))] == places


def test_a_refused_observation_names_its_place_and_the_fewest_cards() -> None:
    broken = TURNS.illegal(table("leo"), Observe("conjunction", "libra"))
    assert str(broken and broken.reason) == (
        "your cards do not pay for 2 pieces on Libra; these would: 2 × Libra; or 4 more of one "
        "colour (yellow)"
    )


def test_a_hint_marks_all_places_of_a_configuration(part: GuidedGame) -> None:
    assert part is not None and part.advisor is not None
    state = table("cancer libra", pieces=[{"cancer": 2, "libra": 2}])
    advice = part.advisor.choose(state, ASTRONOMER)
    assert isinstance(advice.action, Observe)
    places = {*places_of(advice.action.what, advice.action.at)}
    assert {one.id for one in advice.places} == places and len(places) == 2


def test_a_board_shows_where_bodies_go_after_the_round() -> None:
    state = replace(table(comet="cancer"), event="E1")
    drawing = draw(load_profile("ptolemaeus/standard"))
    told = [one for _at, bodies in arriving(drawing, state, {}) for one in bodies]
    assert sorted(told) == sorted(coming(state)) and len(told) == 4
    for other in (replace(state, event=None), replace(state, todo=(Task("travel"),))):
        assert not [*arriving(drawing, other, {})]


@pytest.mark.parametrize(
    ("studied", "asteroids", "said"),
    [
        ((), 0, "any of the others: 1 point more"),
        (("luna",), 0, "one of the secret objective (Mercurius, Sol): 2 points more; any other: 1"),
        (
            ("luna", "sol"),
            2,
            "one of the secret objective (Mercurius): 4 points more; any other: 2. ",
        ),
        (PLANETS, 2, "every planet is studied. One more asteroid: 1 point"),
    ],
)
def test_the_end_says_what_a_further_planet_would_have_brought(
    studied: Sequence[str], asteroids: int, said: str
) -> None:
    state = table().with_seat(0, studied=tuple(studied), asteroids=asteroids, secret="S1")
    assert next(most_missed(state)).startswith(said)


def test_a_turn_says_what_a_conjunction_takes_and_what_follows_a_round() -> None:
    guide = guide_of(PTOLEMAEUS)
    assert guide and places_of("conjunction", "leo") == ("leo", "leo")
    said = " ".join(text.in_language("en") for text in guide.turn())
    assert "(conjunction), two pieces and two prices there" in said
    assert "sends pieces home where it stops; the astrolabe passes on" in said
