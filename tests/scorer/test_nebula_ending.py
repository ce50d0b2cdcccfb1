"""The end of the game and the Values board, by the rulebooks."""

import pytest

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.edition import load_edition
from scorer.nebula.ending import endings
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.values_board import ValuesBoard

STANDARD = load_edition("standard")


def met(players: int = 2, **table: object) -> set[str]:
    """The conditions that hold at a table of empty boards but for what is given."""
    galaxies = table.pop("galaxies", [Galaxy({})] * players)
    given = {"indicator": 0, "markers": 0, "bag_is_empty": False, **table}
    return {e.kind for e in endings(galaxies, edition=STANDARD, **given) if e.met}


def test_nothing_ends_a_game_that_begins() -> None:
    assert met() == set()


def test_the_indicator_at_its_last_square_ends_the_game() -> None:
    assert met(indicator=17) == set()
    assert met(indicator=18) == {"indicator"}


def test_three_finished_constellations_of_one_player_end_the_game() -> None:
    def full(*names: str) -> Galaxy:
        spaces = [s for name in names for s in STANDARD_BOARD.constellations[name]]
        return Galaxy(dict.fromkeys(spaces, "red"))

    assert met(galaxies=[full("aries", "taurus"), full("gemini", "cancer")]) == set()
    assert met(galaxies=[full("aries", "taurus", "cancer"), Galaxy({})]) == {"constellations"}


def test_an_empty_bag_ends_the_game() -> None:
    assert met(bag_is_empty=True) == {"bag"}


@pytest.mark.parametrize(("players", "markers"), [(2, 5), (3, 6), (4, 8)])
def test_so_many_career_markers_end_the_game(players: int, markers: int) -> None:
    assert met(players, markers=markers - 1) == set()
    assert met(players, markers=markers) == {"markers"}


def test_a_token_on_an_occupied_square_goes_on_top_and_is_ahead() -> None:
    board = ValuesBoard(8).move("red").move("blue").move("yellow").move("yellow")
    assert board.leaders("colours") == ("yellow", "blue", "red")


def test_a_token_that_never_moved_leads_nothing() -> None:
    board = ValuesBoard(8).move("aries").move_back("aries")
    assert board.leaders("constellations") == ()
    assert board.values().constellations == ()


def test_a_token_at_the_end_of_its_track_cannot_be_moved() -> None:
    board = ValuesBoard(2).move("IV").move("IV")
    assert not board.can_move("IV")
    assert board.move("IV") == board
    assert not board.can_move("pink")
