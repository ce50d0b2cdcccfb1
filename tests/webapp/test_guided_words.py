"""What a guided screen and a lesson say and light is so."""

import re
from html import unescape
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from calibration import load_profile
from scorer.lesson import Attempt
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Claim, Draw, EndClaims, EndPlacing, Place, TurnToChaos
from scorer.nebula.turns.stars import NO_STARS
from scorer.nebula.turns.state import Phase
from scorer.nebula.words import COLOURS
from scorer.polaris.steps import STEPS
from scorer.polaris.table_state import TakeShootingStars
from scorer.ptolemaeus.turns import TURNS as ZODIAC_TURNS
from scorer.scoresheet import winning_margin
from scorer.sentence import LANGUAGES, Sentence
from scorer.table_guide import guide_of
from tests.conftest import FULL_MATRIX, in_ci
from tests.scorer.nebula_tables import stars, table
from tests.webapp.conftest import Player
from tests.webapp.guided import Guided
from webapp.app.game_pages import pages_of
from webapp.games.nebula.guide import questions, sentences
from webapp.games.nebula.guide.sentences import one_lacks, refilled_after, to_claim
from webapp.web.guide_questions import Asked


@pytest.mark.parametrize(
    ("phase", "action"), [(Phase.COLLECT, TurnToChaos("red")), (Phase.PLACE, Place("red", "core"))]
)
def test_an_empty_reserve_is_called_empty(phase: Phase, action: object) -> None:
    state = table(phase, reserve=[])
    assert state.seat.reserve == NO_STARS
    broken = play.illegal(state, action)  # type: ignore[arg-type]
    assert broken is not None and str(broken.reason).startswith("the reserve is empty")
    assert play.illegal(table(Phase.PLACE, reserve=[]), EndPlacing()) is None


def test_a_wrong_try_keeps_the_star_that_was_chosen(app: Flask) -> None:
    lesson = next(
        one
        for one in NEBULA.course.lessons
        if one.start.phase == "place"
        and len(Attempt.of(NEBULA.course, one).state.seat.reserve.kinds) > 1
    )
    state = Attempt.of(NEBULA.course, lesson).state
    star, space = next(
        (star, space)
        for star in state.seat.reserve.kinds
        for space in state.rules.board.spaces
        if star != "black" and play.illegal(state, Place(star, space))
    )
    form = {"try": f"place {star} {space}"}
    path = f"/lessons/nebula/{lesson.id}"
    text = Player(app.test_client()).post(path, form, headers={"X-Partial": "1"}).text
    assert 'class="judged wrong"' in text
    assert re.search(f'data-tells="place {star}"[^>]*checked', text)


def test_a_name_that_is_a_word_of_the_game_is_not_translated(app: Flask) -> None:
    guided = Guided(app, "red", "core")
    guided.lay_table()
    spanish = Player(app.test_client(), **{"Accept-Language": "es"})
    guided.do("time 2 -3 0")
    assert "red mueve los Indicadores" in spanish.get(f"{guided.game}/guide/now").text
    taken = STEPS.format_event(TakeShootingStars(), "new")
    assert isinstance(taken, Sentence)
    assert (taken, taken.in_language("es")) == (
        "new takes 3 shooting stars",
        "new toma 3 Estrellas Fugaces",
    )


def test_a_hint_lights_no_space_where_the_piece_may_not_go(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    guided.do("time 2 -3 0")
    for hint in (1, 2):
        page = guided.page("place white", hint=hint)
        for space in re.findall(r'<g class="space([^"]*)" id="space-\w+"[^>]*?data-why', page):
            assert "pointed" not in space


@pytest.mark.parametrize("game", ["nebula", "polaris", "ptolemaeus", "via_nebula"])
def test_what_wins_and_a_turn_are_on_the_page(player: Player, game: str) -> None:
    first = player.post(f"/lessons/{game}/first-game", {}).headers["Location"]
    page = unescape(player.get(first).text)
    guide = guide_of(pages_of(game).game)
    mode = pages_of(game).first_mode
    assert all(page.count(line) in (1, 2) for line in (*guide.wins(2, mode), *guide.turn(2, mode)))
    assert "2 / 3 / 4" not in page, "the numbers are those for two"


def test_the_rules_of_the_step_stand_apart_with_the_numbers_for_two(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()

    def step(page: str) -> str:
        (rules,) = re.findall('id="rule-now".*?</section>', page, re.DOTALL)
        return str(rules)

    collecting = step(guided.page())
    assert "5 steps in all" in collecting and "2 or fewer stars left (2 players)" in collecting
    guided.do("time 2 -3 0")
    placing = step(guided.page())
    assert "counts as a colour" in placing and "steps in all" not in placing
    assert "5 steps in all" in guided.page().partition('id="turn"')[2]


def test_the_rules_of_a_step_leave_out_what_can_no_longer_be_done() -> None:
    state, luck = ZODIAC_TURNS.start({"players": 2}), Random(1)
    kinds = set()
    while not kinds or "end" not in kinds:
        asked = Asked(pages_of("ptolemaeus").guided, state)
        kinds = {*asked.kinds}
        offered = [one for one, _odds in ZODIAC_TURNS.outcomes(state)]
        state = ZODIAC_TURNS.after(state, luck.choice(offered or ZODIAC_TURNS.actions(state)))
    assert "take" not in kinds and any(line.words[0] == "take" for line in asked.lines)


def test_cards_for_all_say_what_each_player_lacks(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="program")
    guided.play_out(Random(5), until=4)
    page = unescape(guided.page())
    (cards,) = re.findall(r'<section class="cards-now.*?</section>', page, re.DOTALL)
    articles = re.findall("<article.*?</article>", cards, re.DOTALL)
    assert len(articles) == len(guided.state.career)
    assert all(one.count("<li>") == 2 for one in articles), "each player"
    assert "missing: a space of" in cards
    for told in re.findall("<li>.*?</li>", cards, re.DOTALL):
        assert "missing" not in told or not re.search(r"\b0 of \d", told), "all of them is no news"


def test_a_card_names_the_only_space_that_it_lacks_once(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    guided.play_out(Random(7), until=12)
    page = unescape(guided.page())
    rows = re.findall("<li>.*?</li>", page.partition('"cards-now')[2], re.DOTALL)
    by_one = [one for one in rows if "1 more star: " in one]
    assert by_one and not any("missing" in one for one in by_one)


def test_cards_that_count_say_nothing_of_where_more_would_count(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="program", mode="full")
    guided.play_out(Random(5), until=4)
    page = unescape(guided.page())
    cards = "".join(re.findall(r'<section class="cards-now.*?</section>', page, re.DOTALL))
    assert "For each" in cards, "one that counts is among them"
    for counted in re.findall("For each.*?</article>", cards, re.DOTALL):
        assert "missing" not in counted
    for spaces in re.findall("missing: ([^<]*)", cards):
        named = spaces.split(", ")
        assert len({*named}) == len(named) <= 4


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("nebula", "The last round has been played: "),
        ("polaris", "The fifth phase has been scored; "),
        ("ptolemaeus", "The comet has gone once around the zodiac."),
        ("via_nebula", "Nobody can do anything more."),
    ],
)
def test_the_end_says_why_it_has_come(app: Flask, game: str, said: str) -> None:
    guided = pages_of(game).guided
    turns, luck = guided.turns, Random(1)
    state = turns.start({"players": 2}, None)
    while choices := [one for one, _odds in turns.outcomes(state)] or turns.actions(state):
        state = turns.after(state, luck.choice(choices))
    document = {"players": [{"name": "Ana"}, {"name": "Eva"}]}
    with app.test_request_context():
        asked = Asked(guided, state).question(document)
    assert asked.over and asked.hint.startswith(said)


@pytest.mark.parametrize(
    ("reserve", "later"),
    [(["yellow", "orange", "black"], True), (["yellow", "orange", "red", "black"], True)],
)
def test_stars_for_the_track_do_not_fill_a_constellation(
    app: Flask, reserve: list[str], later: bool
) -> None:
    guided = pages_of("nebula").guided
    assert guided is not None
    galaxy = Galaxy({"core": "blue", "ta1": "red", "ta2": "blue", "ta3": "purple"})
    document = {"players": [{"name": "Ana"}, {"name": "Eva"}]}
    for governing, is_later in (("black", later), ("red", "red" not in reserve)):
        state = table(Phase.PLACE, reserve=reserve, galaxy=galaxy, governing=governing)
        with app.test_request_context():
            hint = Asked(guided, state).question(document).hint
        assert "Taurus lacks 3 stars" in hint
        assert ("too many for this turn" in hint) == is_later


@pytest.mark.parametrize("players", [2, pytest.param(4, marks=in_ci)])
@pytest.mark.parametrize("kind", ["nebula", "polaris", "ptolemaeus", "via_nebula"])
def test_a_hint_of_a_question_has_sixty_words_at_most(
    app: Flask, kind: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = load_profile("standard" if kind == "nebula" else f"{kind}/standard")
    monkeypatch.setattr("webapp.web.guide_questions.current_profile", lambda: profile)
    guided, luck = pages_of(kind).guided, Random(0)
    names = ["Ana María", "Eva", "Iva", "Leo"][:players]
    turns, document = guided.turns, {"players": [{"name": name} for name in names]}
    state = turns.start({"players": len(names), "names": names})
    for number in range(120 if FULL_MATRIX else 60):
        state = turns.dealt(state, luck)
        actions = turns.actions(state)
        if not actions:
            break
        words = [action.split() for action in map(turns.write_action, luck.sample(actions, 1))]
        drafts = {"", *(" ".join(own[:end]) for own in words for end in range(1, len(own)))}
        for language, draft in product(LANGUAGES, drafts if number % 3 == 0 else ()):
            with app.test_request_context(headers={"Accept-Language": language}):
                hint = Asked(guided, state, draft, is_first=number < 9).question(document).hint
            assert sum(any(map(str.isalnum, word)) for word in hint.split()) <= 60, hint
        state = turns.after(state, luck.choice(actions))


@pytest.mark.parametrize(
    ("markers", "said"),
    [
        ((), "16 points for good.*Whoever fulfils it later gets 10"),
        (
            (1,),
            "Worth 10 points, not 16, as .* was first.*brings 5 is the last.*Your next nearest: ",
        ),
    ],
    ids=["first", "later"],
)
def test_a_claim_says_its_own_points(app: Flask, markers: tuple[int, ...], said: str) -> None:
    guided = pages_of("nebula").guided
    assert guided is not None
    full = {"core": "white", "ar2": "blue", "ar4": "blue", "ar5": "orange"}
    galaxy = Galaxy(full | dict.fromkeys(["ar1", "ar3", "ar6"], "red"))
    state = table(Phase.PLACE, galaxy=galaxy, markers=((), (), (), markers))
    state = guided.turns.after(state, EndPlacing())
    document = {"players": [{"name": "Ana"}, {"name": "Eva"}]}
    with app.test_request_context("/lessons/nebula/claim"):
        asked = Asked(guided, state).question(document)
    assert re.search(said, asked.hint)
    assert {one.id for one in asked.shown} == {f"ar{n}" for n in range(1, 7)}, "what V1 counts"


def test_of_several_cards_each_says_its_name_and_points(app: Flask) -> None:
    stars = dict.fromkeys((f"{sign}{n}" for sign in ("ar", "ca") for n in range(1, 7)), "red")
    galaxy = Galaxy(stars | {"ar1": "blue", "ar2": "white", "ca1": "blue", "ca2": "white"})
    state = table(Phase.PLACE, galaxy=galaxy, markers=((), (), (1,), ()))
    state = TURNS.after(state, EndPlacing())
    with app.test_request_context("/lessons/nebula/claim"):
        asked = questions.question(state, "", (), ["Ana", "Eva"])
        buttons = [questions.look(state, Claim(card)) for card in ("V4", "V1")]
    assert asked and asked.words == "Put a marker on each of 2 cards, in any order"
    assert not re.search("V1|points for good", asked.hint)
    assert [(one.words, one.note) for one in buttons if one] == [
        ("Put the marker on V4 · Cancer in three colours", "below: 10 points for good"),
        ("Put the marker on V1 · Aries in three colours", "on top: 16 points for good"),
    ]


@pytest.mark.parametrize(
    ("placed", "star", "reserve", "said"),
    [
        ((), "red", "red purple yellow", "Then 1 more, of another colour, or 2 if one of them has"),
        ((), "red", "red purple", "Then up to 1 more, of other colours."),
        ((), "yellow", "yellow red purple", "Then up to 2 more, of other colours."),
        (("purple",), "red", "red yellow blue", "One more, of the boosted colour (yellow)."),
        (("purple",), "red", "red blue", "It is the last of this turn."),
    ],
)
def test_a_third_star_needs_the_boosted_colour(
    app: Flask, placed: tuple[str, ...], star: str, reserve: str, said: str
) -> None:
    galaxy = Galaxy({"core": "white"})
    state = table(Phase.PLACE, galaxy=galaxy, reserve=reserve.split(), placed=placed)
    with app.test_request_context("/lessons/nebula/claim"):
        asked = questions.question(state, "", ("place", star), ["Ana", "Eva"])
    assert asked and said in asked.hint


@pytest.mark.parametrize(
    ("indicator", "said"),
    [
        (4, "square 5; at 6 the boosted star changes, at 18 the round is the last."),
        (6, "square 7; at 12 the boosted star changes, at 18 the round is the last."),
        (18, ""),
    ],
)
def test_a_black_star_says_what_else_it_moves(app: Flask, indicator: int, said: str) -> None:
    guided = pages_of("nebula").guided
    assert guided is not None
    state = table(Phase.PLACE, reserve=["red", "black"], indicator=indicator)
    with app.test_request_context("/lessons/nebula/claim"):
        asked = Asked(guided, state).question({"players": [{"name": "Ana"}, {"name": "Eva"}]})
    assert said in asked.hint and ("Black goes" in asked.hint) == bool(said)


def test_the_cluster_that_is_refilled_is_named(app: Flask) -> None:
    nearly_empty = ("red", "blue", None, None, None, None)
    full = ("red",) * 6
    state = table(Phase.CLAIM, clusters=(full, nearly_empty, full))
    for phase in (Phase.PLACE, Phase.CLAIM):
        soon = refilled_after(state.but(phase=phase))
        assert str(soon) == "After this turn refilled (2 stars or fewer): the right cluster"
        assert not refilled_after(state.but(phase=phase, clusters=(full, full, full)))
    assert not refilled_after(state.but(phase=Phase.COLLECT)), "it may be emptied further"
    for action, said in [
        (EndClaims(), ""),
        (Draw("white"), "Refill the right cluster: white."),
    ]:
        after = TURNS.after(state, action)
        with app.test_request_context("/"):
            assert sentences.describe(state, action, after, ["Ana", "Eva"]) == said
        state = after


def test_a_hint_counts_a_secret_in_only_where_it_is_known(app: Flask) -> None:
    counted = "Your personal objective is counted in"
    by_hand = Guided(app, "Ana", "Luis")
    by_hand.lay_table()
    page = by_hand.page(hint=1)
    assert 'id="hints"' in page and counted not in page
    drawn = Guided(app, "Ana", "Luis", draws="program", computers="-,medium").page(hint=1)
    assert counted in drawn


@pytest.mark.parametrize(
    ("totals", "ranking", "margin"),
    [
        ((15, 13), (("Ana",), ("Eva",)), 2),
        ((13, 15), (("Ana",), ("Eva",)), 0),
        ((13, 13), (("Ana",), ("Eva",)), 0),
        ((13, 13), (("Ana", "Eva"),), 0),
        ((7,), (("Ana",),), 0),
    ],
    ids=["ahead", "won with fewer points", "on a tie-break", "shared", "alone"],
)
def test_a_winner_is_ahead_by_points_only_with_the_most(
    totals: tuple[int, ...], ranking: tuple[tuple[str, ...], ...], margin: int
) -> None:
    players = [
        SimpleNamespace(name=name, total=n) for name, n in zip(("Ana", "Eva"), totals, strict=False)
    ]
    score: Any = SimpleNamespace(players=players, ranking=ranking)
    assert winning_margin(score) == margin


def test_the_score_shows_the_points_of_a_marker_still_to_be_placed(app: Flask) -> None:
    state = table(Phase.CLAIM, career=("V19", "V1"), markers=((), (1,)), fulfilled=("V19", "V1"))
    assert (
        str(to_claim(state, ["Ana", "Luis"]))
        == "Ana: 26 points more in view once the marker lies on V19 and V1"
    )
    assert to_claim(state.but(fulfilled=()), ["Ana", "Luis"]) == ""


def test_a_table_says_which_colours_fit_a_last_space() -> None:
    board = Galaxy({}).board
    aries = board.constellations["aries"]
    lies = {space: ("white", "red", "blue")[n % 3] for n, space in enumerate(aries[1:])}
    state = table(galaxy=Galaxy({"core": "yellow", **lies}))
    (told,) = map(str, one_lacks(state, ["Ana", "Luis"]))
    fits = {one for one in COLOURS if state.seats[0].galaxy.illegal(aries[0], one) is None}
    head, _colon, colours = told.partition("may go there: ")
    assert head.startswith("Ana lacks one star for a full Aries, on its free space on orbit 1")
    assert {*colours.split(", ")} == fits != {*COLOURS}
    placing = state.but(phase=Phase.PLACE, governing="purple", placed=("white", "red"))
    purple = placing.but(
        seats=(placing.seat.but(reserve=stars("purple", "orange")), placing.seats[1])
    )
    (told,) = map(str, one_lacks(purple, ["Ana", "Luis"]))
    assert told.endswith(". Of these in this turn: purple"), "a third star is the boosted one"
    asked = questions.question(purple, "", (), ["Ana", "Luis"])
    assert asked and asked.hint.endswith("What one star fills now: Aries (purple).")
    orange = purple.but(governing="red")
    (told,) = map(str, one_lacks(orange, ["Ana", "Luis"]))
    assert told.endswith(": purple, orange"), "both may follow, as red is boosted"


@pytest.mark.parametrize(
    ("player", "indicator", "is_told"), [(0, 18, True), (1, 17, True), (1, 18, False)]
)
def test_a_marker_on_top_says_what_it_is_worth_to_others_while_they_have_a_turn(
    app: Flask, player: int, indicator: int, is_told: bool
) -> None:
    state = table(Phase.CLAIM, turn=player + 1, fulfilled=("V16",), indicator=indicator)
    after = TURNS.after_legal(state, Claim("V16"))
    with app.test_request_context("/"):
        said = sentences.describe(state, Claim("V16"), after, ["Ana", "Eva"])
    assert ("whoever does so later gets 10 points" in said) is is_told and "on top" in said
