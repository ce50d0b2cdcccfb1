"""From the log to the table: what counts, what a correction puts right, what is asked for."""

import pytest

from calibration import load_profile
from tests.webapp.live.evening_log import ARIES, Evening, rules
from webapp.app.live.entry import BadEventError, checked_event
from webapp.games.nebula.live import Due


def test_stars_lie_where_they_were_placed_replaced_and_removed() -> None:
    evening = Evening()
    evening.place(0, {"core": "red", "ar1": "blue"})
    evening.place(1, {"core": "white"})
    evening.see(0, "replaced", space="core", star="orange", was="red")
    evening.see(0, "removed", space="ar1", was="blue")
    evening.see(1, "black", count=2)
    ana, luis = evening.table().positions
    assert (dict(ana.stars), ana.black) == ({"core": "orange"}, 0)
    assert (dict(luis.stars), luis.black) == ({"core": "white"}, 2)


def test_who_completes_a_career_card_first_is_first() -> None:
    evening = Evening()
    evening.place(1, ARIES)
    evening.place(0, ARIES)
    table = evening.table()
    assert table.own.completed["V1"] == (1, 0)
    assert table.own.markers(1) == {"V1": "first"}
    assert table.own.markers(0) == {"V1": "later"}
    assert set(table.own.to_claim) == {(1, "V1"), (0, "V1")}


def test_a_wrong_event_put_right_puts_right_who_was_first() -> None:
    evening = Evening()
    *_, last = evening.place(0, {**ARIES, "ar6": "yellow"})  # four colours: not fulfilled
    evening.place(1, ARIES)
    evening.see(0, "replaced", space="ar6", star="white", was="yellow")
    assert evening.table().own.completed["V1"] == (1, 0)
    evening.note("amend", entry=last, event={"star": "white"})
    table = evening.table()
    assert table.own.completed["V1"] == (0, 1)
    assert [step.completed for step in table.steps if step.completed] == [("V1",), ("V1",)]


def test_what_did_not_happen_is_taken_out_and_can_be_put_back() -> None:
    evening = Evening()
    core, ar1 = evening.place(0, {"core": "red", "ar1": "red"})
    assert evening.table().positions[0].rule_breaks()
    evening.note("amend", entry=ar1, event=None)
    table = evening.table()
    assert not table.positions[0].rule_breaks()
    assert {step.entry.number: step.status for step in table.steps} == {core: "counts", ar1: "void"}
    evening.note("amend", entry=ar1)
    assert evening.table().positions[0].stars["ar1"] == "red"


def test_a_star_on_the_wrong_space_is_moved_by_a_correction() -> None:
    evening = Evening()
    (number,) = evening.place(0, {"ar3": "red"})
    evening.note("amend", entry=number, event={"space": "ar4"})
    assert dict(evening.table().positions[0].stars) == {"ar4": "red"}


def test_a_missed_event_can_be_entered_at_its_own_moment() -> None:
    evening = Evening()
    *_, fifth = evening.place(0, {space: ARIES[space] for space in list(ARIES)[:5]})
    evening.place(1, ARIES)
    evening.note("hand", seat=0, event={"kind": "placed", "space": "ar6", "star": "white"})
    assert evening.table().own.completed["V1"] == (1, 0)
    evening.note(
        "hand", seat=0, event={"kind": "placed", "space": "ar6", "star": "white"}, after=fifth
    )
    assert evening.table().own.completed["V1"] == (0, 1)


def test_a_look_back_shows_what_really_lay_there() -> None:
    evening = Evening()
    core, ar1 = evening.place(0, {"core": "red", "ar1": "blue"})
    evening.place(0, {"ar2": "white"})
    evening.note("amend", entry=ar1, event={"star": "yellow"})
    assert dict(evening.table(until=core).positions[0].stars) == {"core": "red"}
    assert dict(evening.table(until=ar1).positions[0].stars) == {"core": "red", "ar1": "yellow"}


def test_a_marker_stays_whatever_happens_to_the_stars() -> None:
    evening = Evening()
    evening.place(0, ARIES)
    evening.note("claim", seat=0, card="V1")
    evening.see(0, "removed", space="ar6")
    assert evening.table().own.markers(0) == {"V1": "first"}


def test_without_its_marker_a_card_that_is_undone_is_not_completed() -> None:
    evening = Evening()
    evening.place(0, ARIES)
    evening.see(0, "removed", space="ar6")
    evening.place(1, ARIES)
    evening.place(0, {"ar6": "white"})
    assert evening.table().own.completed["V1"] == (1, 0)


def test_a_black_star_moves_the_indicator_and_asks_which_token_moves() -> None:
    evening = Evening()
    number = evening.see(0, "black", count=1)
    table = evening.table()
    assert table.own.indicator == 1
    assert table.own.dues == (Due(number, 0, square=1, boosted=False, moves_token=True),)
    evening.note("value", token="red", due=number, by=1)
    table = evening.table()
    assert table.own.dues == ()
    assert table.own.values.leaders("colours") == ("red",)


def test_the_sixth_black_star_replaces_the_boosted_star() -> None:
    evening = Evening()
    for count in range(1, 7):
        evening.see(0, "black", count=count)
    assert [due.boosted for due in evening.table().own.dues] == [False] * 5 + [True]


def test_a_newer_demand_replaces_the_older_and_its_answer_is_for_both() -> None:
    evening = Evening()
    first = evening.see(0, "black", count=1)
    second = evening.see(1, "black", count=1)
    due = evening.table().own.due
    assert (due.entry, due.square) == (second, 2)
    third = evening.see(0, "black", count=2)
    evening.note("value", token="red", due=second, by=1)  # from a page that was not yet drawn anew
    assert evening.table().own.due.entry == third
    evening.note("value", token=None, due=third, by=1)
    assert evening.table().own.due is None
    evening.note("value", token="red", due=first, by=1)
    assert evening.table().own.values.at["red"] == 1, "it was answered already"


def test_a_demand_comes_back_when_the_newer_one_was_none() -> None:
    evening = Evening()
    first = evening.see(0, "black", count=1)
    evening.note("amend", entry=evening.see(1, "black", count=1), event=None)
    assert evening.table().own.due.entry == first


def test_a_black_star_that_was_none_takes_its_token_back_with_it() -> None:
    evening = Evening()
    number = evening.see(0, "black", count=1)
    evening.note("value", token="red", due=number, by=1)
    evening.note("amend", entry=number, event=None)
    table = evening.table()
    assert (table.own.indicator, table.own.values.leaders("colours")) == (0, ())


def test_black_stars_that_had_long_lain_there_ask_for_nothing() -> None:
    evening = Evening()
    evening.see(0, "black", count=4)
    assert evening.table().own.indicator == 4
    assert evening.table().own.dues == ()


def test_in_the_introductory_game_no_token_moves() -> None:
    evening = Evening(rules("intro", ()))
    evening.see(0, "black", count=1)
    assert [due.moves_token for due in evening.table().own.dues] == [False]


def test_at_its_end_the_indicator_asks_for_nothing_more() -> None:
    evening = Evening()
    for board in (0, 1):
        for count in range(1, 11):
            evening.see(board, "black", count=count)
    table = evening.table()
    assert table.own.indicator == 18
    assert len(table.own.dues) == 18


def test_boards_go_to_the_seats_as_the_first_camera_counts_them() -> None:
    evening = Evening()
    evening.see(1, "placed", space="core", star="red")
    evening.see(0, "placed", space="core", star="blue")
    evening.see(2, "placed", space="core", star="white")
    table = evening.table()
    assert table.boards == {("cam", 1): 1, ("cam", 0): 0, ("cam", 2): None}
    assert [galaxy.stars["core"] for galaxy in table.positions] == ["blue", "red"]


def test_a_camera_for_each_board_gives_each_player_one() -> None:
    evening = Evening()
    evening.see(0, "placed", space="core", star="red")
    evening.see(0, "placed", source="other", space="core", star="blue")
    assert evening.table().boards == {("cam", 0): 0, ("other", 0): 1}


def test_boards_given_to_the_wrong_players_are_changed_for_the_whole_game() -> None:
    evening = Evening()
    evening.place(0, ARIES)
    evening.place(1, {"core": "blue"})
    evening.note("assign", source="cam", board=1, seat=0)
    evening.note("assign", source="cam", board=0, seat=1)
    table = evening.table()
    assert table.own.completed["V1"] == (1,)
    assert dict(table.positions[0].stars) == {"core": "blue"}


def test_a_board_given_to_a_player_before_its_first_star_leaves_the_others_theirs() -> None:
    evening = Evening()
    evening.note("assign", source="other", board=0, seat=0)
    evening.see(0, "placed", space="core", star="red")
    evening.see(0, "placed", source="other", space="core", star="blue")
    assert evening.table().boards == {("other", 0): 0, ("cam", 0): 1}


def test_a_board_that_is_nobodys_changes_nothing_and_is_not_asked_for_again() -> None:
    evening = Evening()
    evening.place(0, {"core": "red"})
    evening.see(0, "placed", source="other", space="core", star="blue")
    evening.note("assign", source="other", board=0, seat=None)
    table = evening.table()
    assert [dict(galaxy.stars) for galaxy in table.positions] == [{"core": "red"}, {}]
    assert table.ownerless == ()


def test_a_second_camera_that_takes_over_a_board_tells_nothing_new() -> None:
    evening = Evening()
    evening.place(0, {"core": "red"})
    evening.note("assign", source="other", board=0, seat=0)
    number = evening.see(0, "placed", source="other", space="core", star="red")
    statuses = {step.entry.number: step.status for step in evening.table().steps}
    assert statuses[number] == "idle"


def test_a_new_beginning_forgets_what_was_before_until_it_is_taken_back() -> None:
    evening = Evening()
    evening.place(0, {"core": "red"})
    number = evening.note("restart")
    evening.place(0, {"core": "blue"})
    assert dict(evening.table().positions[0].stars) == {"core": "blue"}
    assert len(evening.table().steps) == 2
    evening.note("amend", entry=number, event=None)
    assert len(evening.table().steps) == 3


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"kind": "placed", "space": "ar9", "star": "red"}, "space: ar9"),
        ({"kind": "placed", "space": "ar1", "star": "pink"}, "star: pink"),
        ({"kind": "black", "count": 11}, "count: 11"),
        ({"kind": "black", "count": True}, "count: True"),
        ({"kind": "exploded"}, "exploded"),
        ({"kind": "black", "count": 1, "board": -1}, "board"),
        ({"kind": "black", "count": 1, "t": "noon"}, "t: a number"),
        (["placed"], "an object"),
    ],
)
def test_an_event_that_cannot_be_is_refused_with_the_reason(event: object, why: str) -> None:
    with pytest.raises(BadEventError, match=why):
        checked_event(event, load_profile("standard"))
