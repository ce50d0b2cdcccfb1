"""What is at stake where a link or a star may lie or not."""

from itertools import pairwise

from scorer.polaris.game import Game, Phase, Player, Snapshot
from scorer.polaris.score_delta import score_delta
from scorer.polaris.sky import Sky

ROW = ("1a1", "1b1", "1c1", "1r1", "2a1", "2b1", "2c1")
LINKS = tuple(f"{a}-{b}" for a, b in pairwise(ROW))
RED = dict.fromkeys(ROW, "red")


def test_a_link_in_the_middle_of_a_constellation_of_seven_decides_much() -> None:
    """P71: 10 points for seven stars, 2 and 3 for three and four of them."""
    players = (Player("Ana", "red", 0, "PO3", 20), Player("Eva", "blue", 0, "PO3", 20))
    game = Game(players, Snapshot(Sky(RED, LINKS)))
    whole = Sky(RED, LINKS)
    parted = Sky(RED, tuple(link for link in LINKS if link != LINKS[2]))
    assert score_delta(whole, parted, game) == 10 - 2 - 3
    assert score_delta(parted, whole, game) == score_delta(whole, parted, game)


def test_a_link_that_joins_nothing_is_all_the_same() -> None:
    """Between a red and a blue star, with no star surrounded either way."""
    stars = {"1a1": "red", "1b1": "blue"}
    assert score_delta(Sky(stars), Sky(stars, ("1a1-1b1",))) == 0
    assert score_delta(Sky({}), Sky({}, ("4a3-4b3",))) == 0


def test_the_cards_of_the_game_that_is_played_are_asked() -> None:
    """A fourth star on orbit 2 is worth 2 points more where C7 is scored, and no bonus."""
    stars = {"1a2": "red", "2a2": "red", "3a2": "red"}
    blue = dict.fromkeys(("1b2", "2b2", "3b2", "4b2", "5b2"), "blue")
    one, other = Sky({**stars, **blue}), Sky({**stars, **blue, "4a2": "red"})
    players = (Player("Ana", "red", 0, "PO1", 20), Player("Eva", "blue", 0, "PO1", 20))
    phase = Phase("C7", "Ana", Snapshot(one))
    assert score_delta(one, other, Game(players, Snapshot(one))) == 2  # one lonely star more
    assert score_delta(one, other, Game(players, Snapshot(one), (phase,))) == 2 + 2


def test_another_sector_of_the_new_moon_is_asked_about() -> None:
    assert score_delta(Sky({}, (), 1), Sky({}, (), 2)) > 0
