"""What a sky's other stars say of a doubtful one (P14)."""

from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.prior import log_prior
from scorer.polaris.words import NEUTRAL

_STARRED = STANDARD_SKY.starred
_PLAIN = [s for s in STANDARD_SKY.star_spaces if s not in _STARRED]


def _played(*colours: str) -> dict[str, str]:
    return {space: colours[n % len(colours)] for n, space in enumerate(_PLAIN[:40])}


def test_a_colour_of_which_many_lie_there_is_likelier() -> None:
    reported = log_prior(STANDARD_SKY, _played("red", "red", "red", "blue"), _PLAIN[50])
    assert reported["red"] == 0 > reported["blue"] > reported["white"]


def test_beside_neutral_stars_two_colours_play() -> None:
    pieces = _played("red", "red", "blue", "blue", "yellow")
    alone = log_prior(STANDARD_SKY, pieces, _PLAIN[50])
    beside = log_prior(STANDARD_SKY, {**pieces, **dict.fromkeys(_STARRED, NEUTRAL)}, _PLAIN[50])
    assert beside["yellow"] < alone["yellow"] and beside["red"] == alone["red"]


def test_a_closed_space_holds_a_neutral_star_as_the_others_do() -> None:
    pieces = {**_played("red", "blue"), **dict.fromkeys(_STARRED[1:], NEUTRAL)}
    reported = log_prior(STANDARD_SKY, pieces, _STARRED[0])
    assert reported.get(NEUTRAL, 0) > max(odds for c, odds in reported.items() if c != NEUTRAL) + 3


def test_hardly_any_closed_space_is_empty_where_most_hold_a_neutral_star() -> None:
    def neutral(count: int) -> float:
        pieces = {**_played("red", "blue"), **dict.fromkeys(_STARRED[1 : count + 1], NEUTRAL)}
        return log_prior(STANDARD_SKY, pieces, _STARRED[0])[NEUTRAL]

    assert neutral(9) > neutral(7) > 2 and neutral(4) == 0


def test_what_is_white_on_closed_spaces_only_is_neutral() -> None:
    whites = dict.fromkeys(_STARRED[1:7], "white") | dict.fromkeys(_STARRED[7:], NEUTRAL)
    reported = log_prior(STANDARD_SKY, {**_played("red", "blue"), **whites}, _STARRED[0])
    assert reported.get(NEUTRAL, 0) > reported["white"] + 3


def test_what_lies_on_all_closed_spaces_and_nowhere_else_is_neutral_whatever_its_colour() -> None:
    pieces = {**_played("red", "blue"), **dict.fromkeys(_STARRED[1:], "purple")}
    reported = log_prior(STANDARD_SKY, pieces, _STARRED[0])
    assert reported.get(NEUTRAL, 0) > reported["purple"] + 10
    misread = {**pieces, _PLAIN[40]: "purple"}
    assert log_prior(STANDARD_SKY, misread, _STARRED[0]).get(NEUTRAL, 0) > reported["purple"] + 10
    one_free = {space: star for space, star in pieces.items() if space != _STARRED[1]}
    assert log_prior(STANDARD_SKY, one_free, _STARRED[0])["purple"] > -3.5
    elsewhere = {**pieces, **dict.fromkeys(_PLAIN[40:60], "purple")}
    assert log_prior(STANDARD_SKY, elsewhere, _STARRED[0])["purple"] == 0


def test_a_neutral_star_lies_nowhere_else() -> None:
    pieces = {**_played("red", "blue"), **dict.fromkeys(_STARRED, NEUTRAL)}
    assert log_prior(STANDARD_SKY, pieces, _PLAIN[50])[NEUTRAL] < -10
    del pieces[_STARRED[0]]  # which may be where the one in question belongs
    assert -5 < log_prior(STANDARD_SKY, pieces, _PLAIN[50])[NEUTRAL] < -3


def test_where_colours_lie_on_starred_spaces_nothing_is_closed() -> None:
    pieces = {**_played("red", "blue"), **dict.fromkeys(_STARRED[1:], "red")}
    reported = log_prior(STANDARD_SKY, pieces, _STARRED[0])
    assert reported[NEUTRAL] < reported["red"] == 0


def test_links_have_none() -> None:
    assert log_prior(STANDARD_SKY, _played("red"), "1a1-1b1") == {}
