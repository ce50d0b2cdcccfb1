"""The score of Ptolemaeus, T67 and T70 to T80."""

from typing import Any

import pytest

from scorer.ptolemaeus.edition import STANDARD
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.ptolemaeus.score import PtolemaeusSheet, Standing, points, score_table
from tests.scorer.test_ptolemaeus_contract import FILE, read

ALL = ("luna", "mercurius", "venus", "sol", "mars", "iupiter", "saturnus")


@pytest.mark.parametrize(("studied", "right"), [*enumerate((0, 1, 2, 4, 5, 6, 8, 10))])
def test_t70_planets_studied(studied: int, right: int) -> None:
    assert points(STANDARD, Standing("Ana", "red", ALL[:studied])) == (right, 0, 0, 0)


@pytest.mark.parametrize(("met", "right"), [(0, 0), (1, 0), (2, 1), (3, 3)])
def test_t71_the_secret_objective(met: int, right: int) -> None:
    secret = STANDARD.secrets["S1"]
    assert points(STANDARD, Standing("Ana", "red", secret[:met], secret=secret))[1] == right


def test_t72_t73_nova_constellatio_and_asteroids() -> None:
    for asteroids in range(8):
        own = Standing("Ana", "red", asteroids=asteroids, nova=2)
        assert points(STANDARD, own) == (0, 0, 2, asteroids // 3)


def table(*players: Standing, claimed: str | None = None) -> PtolemaeusSheet:
    return score_table(players, claimed, STANDARD)


def test_t75_who_claimed_is_first() -> None:
    ana, eva = Standing("Ana", "red", ALL[:6], nova=3), Standing("Eva", "blue", ALL, nova=3)
    assert table(ana, eva).ranking == (("Eva",), ("Ana",))
    score = table(ana, eva, claimed="Ana")
    assert score.ranking == (("Ana",), ("Eva",))


def test_t76_ties_are_broken_by_planets_then_by_pieces() -> None:
    ana = Standing("Ana", "red", ALL[:1], nova=1)
    eva = Standing("Eva", "blue", ALL[:2], pieces={"leo": 2})
    luis = Standing("Luis", "yellow", ALL[2:4], pieces={"leo": 2, "aries": 1})
    leo = Standing("Leo", "purple", ALL[4:6], pieces={"virgo": 2})
    score = table(ana, eva, luis, leo)
    assert {one.total for one in score.players} == {2}
    assert score.ranking == (("Luis",), ("Eva", "Leo"), ("Ana",)), "T77, the place is shared"
    assert "planets studied decide, 1 to 2" in str(score.tie_break("Ana"))
    assert "pieces on constellations decide, 3 to 2" in str(table(eva, luis).tie_break("Luis"))
    pair = table(eva, leo)
    assert pair.tie_break("Eva").startswith("the same") and table(eva).tie_break("Eva") == ""


def flags(**changes: Any) -> set[str]:
    table = FILE.keys() - {"asteroids"}
    data = {**FILE, **{key: own for key, own in changes.items() if key in table}}
    player = {**FILE["players"][0], **{k: v for k, v in changes.items() if k not in table}}
    data["players"] = [player, FILE["players"][1]]
    score = PTOLEMAEUS.score(read(data))
    found = (*score.flags, *(flag for one in score.players for flag in one.flags))
    return {flag.kind for flag in found}


def test_t80_a_game_that_can_be_has_no_flags() -> None:
    assert flags() == set()


def test_t80_what_cannot_be_is_flagged_and_counted_as_it_lies() -> None:
    assert flags(pieces={"leo": 3}) == {"too_many_pieces"}
    assert flags(comet={"at": "cancer", "start": "leo"}) == {"comet_with_planet"}
    many = dict.fromkeys(("leo", "aries", "virgo", "libra", "pisces"), 2)
    assert flags(pieces=many) == {"too_many"}
    assert flags(studied=["mars", "mars", "sol"]) == {"studied_twice"}
    assert flags(nova=20) == set() and flags(nova=20, claimed=None) == {"went_on"}


def test_t80_asteroids() -> None:
    player = {**FILE["players"][0], "asteroids": 12}
    data = {**FILE, "players": [player, FILE["players"][1]]}
    score = PTOLEMAEUS.score(read(data))
    assert [flag.kind for flag in score.flags] == ["too_many_asteroids"]
    assert [flag.kind for flag in score.players[0].flags] == ["asteroids_without_studies"]
    assert score.players[0].lines[3].points == 4


def test_a_planet_studied_twice_counts_once() -> None:
    data = {**FILE, "players": [{**FILE["players"][0], "studied": ["mars", "mars", "sol"]}]}
    assert PTOLEMAEUS.score(read(data)).players[0].lines[0].points == 2
