"""What a watched table of Ptolemaeus tells: offers, the end of a round step by step, studies."""

from dataclasses import replace

import pytest

from scorer.places import Place, in_region
from scorer.plain import PlainPosition
from scorer.ptolemaeus.board import BOARD, pieces_on_board
from scorer.ptolemaeus.edition import ECLIPSIS, PLANETS, ZODIAC
from scorer.ptolemaeus.state import Observe
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.watched import Watched, news, watched

START = TURNS.start({"players": 2})
SKY = START.bodies
Areas = dict[str, tuple[dict[str, int], tuple[str, ...], int]]


def board(sky: dict[str, str] = SKY, areas: Areas | None = None, turn: int = 1) -> PlainPosition:
    pieces = pieces_on_board(sky, START.start, ZODIAC, areas or {}, turn)
    return PlainPosition(BOARD, pieces)


def news_of(before: Watched, after: Watched) -> list[str]:
    return [str(said) for _wrong, said in news(before, after)]


@pytest.fixture
def table() -> Watched:
    return watched(START, PlainPosition(BOARD, {})).moved(board())


def test_the_sky_of_the_date_is_laid_out_body_by_body() -> None:
    empty = watched(START, PlainPosition(BOARD, {}))
    first = empty.moved(PlainPosition(BOARD, in_region("cancer", {"sol": 1})))
    assert news_of(empty, first) == ["Sol moves to Cancer"] and not first.is_set_up
    wrong = first.moved(PlainPosition(BOARD, in_region("leo", {"mars": 1})))
    assert "Mars belongs in Sagittarius; it is in Leo" in news_of(first, wrong)
    assert (
        news_of(wrong, wrong.moved(board()))[-1] == "the planets are where the start date puts them"
    )


def test_who_may_place_where(table: Watched) -> None:
    areas: Areas = {"red": ({"aries": 2, "cancer": 2}, (), 0)}
    seen = {offer.action: offer for offer in table.moved(board(areas=areas)).offers}
    assert {(one.what, one.at) for one in seen if one.what != "constellation"} == {
        *(("conjunction", "cancer"), ("conjunction", "libra"), ("opposition", "aries")),
        *(("opposition", "gemini"), ("square", "aries"), ("square", "cancer")),
    }
    comet, cancer = Observe("opposition", "aries"), Observe("conjunction", "cancer")
    assert [str(one and one.kind) for one in seen[comet].forbidden] == ["T39", "None"]
    assert seen[cancer].forbidden == (None, None) and seen[cancer].places == ("cancer", "cancer")


def test_a_round_ends_step_by_step(table: Watched) -> None:
    areas: Areas = {"red": ({"taurus": 1, "leo": 1}, (), 0)}
    table = table.moved(board(areas=areas)).with_event("E4")
    assert [str(one.said) for one in table.steps] == [
        *("Luna moves to Scorpius", "Mercurius moves to Leo", "Mars moves to Capricornus"),
        "the comet moves to Virgo",
    ]
    done: list[str] = []
    sky = SKY
    for body, at in (("luna", "scorpius"), ("mars", "aquarius"), ("mars", "capricornus")):
        sky = {**sky, body: at}
        after = table.moved(board(sky, areas))
        done += news_of(table, after)
        table = after
    for body in ("mercurius", "comet"):
        to = table.after.bodies[body] if table.after else ""
        sky = {**sky, body: to}
        after = table.moved(board(sky, areas))
        done += news_of(table, after)
        table = after
    assert done == [
        "Luna moves to Scorpius",
        "Mars belongs in Capricornus; it is in Aquarius",
        "Mars moves to Capricornus",
        "Mercurius moves to Leo",
        "the comet moves to Virgo",
        "round 1 is over",
    ]


def test_the_comet_sweeps_and_the_round_is_over(table: Watched) -> None:
    table = table.with_event("E4")
    sky, comet = table.after.bodies, table.after.comet
    areas: Areas = {"yellow": ({comet: 2}, (), 0)}
    swept = replace(table, card="").moved(board(areas=areas)).with_event("E4")
    arrived = swept.moved(board(sky, areas))
    (left,) = (one for one in arrived.steps if not one.done)
    assert str(left.said).startswith("the pieces on") and arrived.rest.round == 1
    over = arrived.moved(board(sky))
    assert news_of(arrived, over) == [str(left.said), "round 1 is over"] and not over.card
    assert over.rest.bodies == sky and over.rest.round == 2


def test_eclipsis_sweeps_what_is_without_a_planet(table: Watched) -> None:
    without = next(at for at in ZODIAC if at not in START.planets)
    areas: Areas = {"red": ({without: 1, "cancer": 2}, (), 0)}
    table = table.moved(board(areas=areas)).with_event(ECLIPSIS)
    assert [one.to for one in table.steps] == [without]
    after = table.moved(board(areas={"red": ({"cancer": 2}, (), 0)}))
    assert after.card == "" and after.rest.round == 1
    assert news_of(table, after) == ["the pieces on Aries go back to the reserves"]


@pytest.mark.parametrize("first", ["sky", "area"])
def test_a_study_is_pieces_that_leave_and_one_that_arrives(table: Watched, first: str) -> None:
    laid = table.moved(board(areas={"red": ({"cancer": 2, "leo": 2}, (), 0)}))
    half: Areas = {"red": ({"leo": 2}, (), 0)}
    if first == "area":
        half = {"red": ({"cancer": 2, "leo": 2}, ("sol",), 0)}
    between = laid.moved(board(areas=half))
    over = between.moved(board(areas={"red": ({"leo": 2}, ("sol",), 0)}))
    assert news_of(laid, between) + news_of(between, over) == ["red has studied Sol"]


def test_a_study_without_pieces_names_its_rule(table: Watched) -> None:
    after = table.moved(board(areas={"red": ({"leo": 1}, ("mars",), 0)}))
    assert news_of(table, after) == ["two of your pieces must be with Mars, on Sagittarius"]


def test_the_comet_comes_round(table: Watched) -> None:
    home = replace(table, rest=replace(table.rest, travelled=11)).with_event("E1")
    assert home.after is not None and home.after.over
    over = home.moved(board(home.after.bodies))
    assert news_of(home, over)[-1] == "the comet has come round: the game is over"
    assert over.rest.over and not over.steps and {*over.bodies} >= {*PLANETS}
    assert over.moved(board(areas={"red": ({"leo": 1}, (), 0)})).rest.over
    assert Place("turn_1") in over.seen.pieces
