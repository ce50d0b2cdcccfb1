"""A table of Polaris followed by a camera: which turn laid what and broke what, phases, counts."""

import random
from dataclasses import replace

import pytest

from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.card import COMMON
from scorer.polaris.edition import load_edition
from scorer.polaris.observed_game import FollowedTable
from scorer.polaris.phases import score_phase
from scorer.polaris.sky import Sky
from scorer.polaris.table_state import EndTurn, PlayCard
from scorer.polaris.turn_inference import (
    HAND,
    PAUSE,
    can_join,
    end_turn,
    follow,
    join_turns,
    lay_before,
    lunar_sectors,
)
from tests.scorer.polaris_tables import TURNS
from tests.scorer.polaris_tables import table as dealt

EDITION = load_edition("standard")
THREE = ("red", "blue", "yellow")
SOON = 2.0


class Film:
    """What a camera sees, piece by piece."""

    def __init__(self, colours=THREE, **sky):
        self.table = FollowedTable(colours, Sky(sky.pop("stars", {}), new_moon=1, **sky))
        self.clock = 0.0

    def see(self, sky, wait=SOON, how="seen"):
        self.clock += wait
        self.table = follow(self.table, sky, self.clock, how)
        return self

    def lay(self, *pieces, wait=SOON, how="seen"):
        """Stars as `space=colour`, links by their ids."""
        for piece in pieces:
            sky, (place, _, colour) = self.table.sky, piece.partition("=")
            if colour:
                self.see(replace(sky, stars={**sky.stars, place: colour}), wait, how)
            else:
                self.see(replace(sky, links=(*sky.links, place)), wait, how)
        return self

    def find(self, *pieces):
        """Let the camera come to see what lay there."""
        return self.lay(*pieces, how="found")

    def take(self, place, how="seen"):
        sky = self.table.sky
        stars = {space: star for space, star in sky.stars.items() if space != place}
        sky = replace(sky, stars=stars, links=tuple(set(sky.links) - {place}))
        return self.see(sky, how=how)

    def turn_frame(self, sector):
        return self.see(replace(self.table.sky, new_moon=sector))

    @property
    def turns(self):
        return [(turn.mover, turn.laid) for turn in self.table.turns]

    @property
    def broken(self):
        return [
            (number, one.more["rule"], one.kind)
            for number, turn in enumerate(self.table.turns, start=1)
            for one in turn.breaks
        ]


class TestTurns:
    def test_stars_of_one_colour_and_links_in_one_sector_are_a_turn(self):
        film = Film().lay("1a1=red", "1a1-1a2", "1r2=red")
        assert film.turns == [("red", ("1a1", "1a1-1a2", "1r2"))]
        assert film.table.turn.sectors == {1}
        assert not film.broken

    def test_a_star_of_another_colour_is_the_next_turn(self):
        film = Film().lay("1a1=red", "2a1=blue", "2a2=blue")
        assert film.turns == [("red", ("1a1",)), ("blue", ("2a1", "2a2"))]
        assert not film.broken

    def test_p33_soon_after_in_another_sector(self):
        film = Film().lay("1a1=red", "3a1=red")
        assert film.broken == [(1, "P33", "two_sectors")]
        assert film.table.turns[0].breaks[0].reason.in_language("cs") == (
            "neleží v jediném sektoru: 1a1, 3a1"
        )

    def test_p38_a_link_in_another_sector(self):
        assert Film().lay("1a1=red", "3a1-3a2").broken == [(1, "P33", "two_sectors")]

    def test_p6_a_border_link_fits_both_sectors(self):
        film = Film().lay("2a1=red", "1r1-1r2", "1r2=red")
        assert not film.broken
        assert film.table.turn.sectors == {2}

    def test_after_a_pause_it_is_a_later_turn(self):
        film = Film().lay("1a1=red").lay("3a1=red", wait=PAUSE)
        assert film.turns == [("red", ("1a1",)), ("red", ("3a1",))]
        assert not film.broken

    def test_who_thinks_between_two_cards_is_still_at_it(self):
        film = Film().lay("1a1=red").lay("1b1=red", wait=PAUSE - 1).lay("3a1=red")
        assert film.turns == [("red", ("1a1", "1b1", "3a1"))]
        assert film.broken == [(1, "P33", "two_sectors")]

    def test_after_a_pause_it_is_a_later_turn_in_the_same_sector_too(self):
        film = Film().lay("1a1=red").lay("1b1=red", wait=PAUSE).lay("1b1-1b2")
        assert film.turns == [("red", ("1a1",)), ("red", ("1b1", "1b1-1b2"))]

    def test_the_next_player_may_lay_a_link_alone_in_another_sector(self):
        film = Film().lay("1a1=red").lay("3a1-3a2", wait=HAND)
        assert film.turns == [("red", ("1a1",)), (None, ("3a1-3a2",))]
        film.lay("4a1=yellow", wait=HAND)
        assert film.turns[1:] == [(None, ("3a1-3a2",)), ("yellow", ("4a1",))]
        assert not film.broken

    def test_a_link_laid_just_before_a_star_is_its_players_though_it_fits_the_turn_before(self):
        film = Film().lay("1a1=red").lay("1c1-1c2", wait=PAUSE - 2).lay("1c1=blue", wait=0.5)
        assert film.turns == [("red", ("1a1",)), ("blue", ("1c1-1c2", "1c1"))]
        slowly = Film().lay("1a1=red").lay("1a1-1a2", wait=0.5).lay("1c1=blue")
        assert slowly.turns == [("red", ("1a1", "1a1-1a2")), ("blue", ("1c1",))]

    def test_who_says_that_the_turn_is_over_is_believed(self):
        film = Film().lay("1a1=red")
        film.table = end_turn(film.table)
        assert film.table.turn is None
        assert film.lay("3a1=red").turns == [("red", ("1a1",)), ("red", ("3a1",))]
        assert not film.broken

    def test_a_link_laid_before_the_star_is_of_its_turn(self):
        film = Film().lay("1a1=red", "3a1-3a2")
        assert film.broken
        film.lay("3a1=blue")
        assert film.turns == [("red", ("1a1",)), ("blue", ("3a1-3a2", "3a1"))]
        assert not film.broken

    def test_a_link_that_fits_nobody_stays_a_mistake(self):
        film = Film().lay("1a1=red", "3a1-3a2", "4a1=blue")
        assert film.broken == [(1, "P33", "two_sectors")]

    def test_several_pieces_seen_at_once(self):
        sky = Sky({"1a1": "red", "1b1": "red"}, ("1a1-1b1",), 1)
        assert Film().see(sky).turns == [("red", ("1a1", "1b1", "1a1-1b1"))]


class TestNothingThatLiesIsMoved:
    def test_p37_what_an_earlier_turn_laid_is_missing_until_it_is_back(self):
        film = Film().lay("1a1=red", "2a1=blue").take("1a1")
        assert film.broken == [(2, "P37", "taken_away")]
        film.lay("4a1=yellow")
        assert film.broken == [(2, "P37", "taken_away")]
        film.lay("1a1=red")
        assert film.turns == [("red", ("1a1",)), ("blue", ("2a1",)), ("yellow", ("4a1",))]
        assert not film.broken

    def test_p38_a_link_that_was_there(self):
        film = Film().lay("1a1=red", "1a1-1a2", "2a1=blue").take("1a1-1a2")
        assert film.broken == [(2, "P37", "taken_away")]
        assert not film.lay("1a1-1a2").broken

    def test_what_a_turn_laid_it_can_take_back(self):
        film = Film().lay("1a1=red", "3a1=red").take("3a1")
        assert film.turns == [("red", ("1a1",))]
        assert not film.broken
        assert film.take("1a1").turns == []

    def test_another_colour_in_its_place_was_misread_before(self):
        film = Film().lay("1a1=yellow", "2a1=blue").turn_frame(2).lay("3a1=blue")
        film.see(replace(film.table.sky, stars={**film.table.sky.stars, "1a1": "red"}))
        assert film.broken == []
        assert film.turns == [("red", ("1a1",)), ("blue", ("2a1",)), ("blue", ("3a1",))]
        assert film.table.phases[0].sky.stars == {"1a1": "red", "2a1": "blue"}

    def test_a_star_exchanged_by_a_hand_is_taken_away_until_it_is_put_back(self):
        film = Film().lay("1a1=red").lay("2a1=blue").lay("3a1=yellow")
        sky = film.table.sky
        film.see(replace(sky, stars={**sky.stars, "1a1": "blue"}), how="exchanged")
        assert film.broken == [(3, "P37", "taken_away")]
        film.see(sky, how="exchanged")
        assert not film.broken and film.table.sky == sky
        assert film.turns == [("red", ("1a1",)), ("blue", ("2a1",)), ("yellow", ("3a1",))]

    def test_a_misread_star_belonged_to_another_turn(self):
        film = Film().lay("1a1=blue", "1b1=blue")
        film.see(replace(film.table.sky, stars={"1a1": "red", "1b1": "blue"}))
        assert film.broken == [] and film.turns == [("blue", ("1b1",))]


class TestTheTable:
    def test_p14_neutral_stars_are_nobodys_turn_and_their_spaces_closed(self):
        film = Film(("red", "blue"))
        for space in STANDARD_SKY.starred:
            film.lay(f"{space}=neutral")
        assert film.turns == [] and not film.table.sky.rule_breaks(("red", "blue"))
        film.lay("2b1=red").take("1c1")
        assert film.broken == [(1, "P37", "taken_away"), (1, "P14", "neutral_missing")]
        assert not film.lay("2b2=blue", "1c1=neutral").broken
        film.take("1c1").lay("1c1=red")
        assert (3, "P14", "closed_space") in film.broken
        assert Film().lay("1c1=red").broken == [], "three players may lie there"

    def test_p48_the_thirty_sixth_star_and_the_eighty_first_link(self):
        spaces = [space for space in STANDARD_SKY.star_spaces if space[0] != "5"]
        lying = dict.fromkeys([space for space in spaces if space[1] != "r"][:35], "red")
        links = tuple(STANDARD_SKY.link_spaces)[:80]
        film = Film(stars=lying, links=links)
        film.lay("5b2=red", [link for link in STANDARD_SKY.link_spaces if link not in links][-1])
        assert {(rule, kind) for _, rule, kind in film.broken} >= {
            ("P48", "too_many"),
            ("P48", "too_many_links"),
        }

    def test_p57_the_frame_ends_a_phase_and_the_turn(self):
        film = Film().lay("1a1=red").turn_frame(2).lay("1b1=red")
        (phase,) = film.table.phases
        assert (dict(phase.sky.stars), phase.turns, phase.breaks) == ({"1a1": "red"}, 1, ())
        assert film.turns == [("red", ("1a1",)), ("red", ("1b1",))]
        assert film.table.sky.new_moon == 2

    def test_p57_turned_too_far_or_the_wrong_way(self):
        for sector in (3, 5):
            (phase,) = Film().turn_frame(sector).table.phases
            assert [str(one.reason) for one in phase.breaks] == [
                "the frame is turned clockwise by one sector: the new moon goes from sector 1 to 2"
            ]

    def test_a_frame_turned_back_has_ended_nothing(self):
        assert Film().turn_frame(2).turn_frame(1).table.phases == ()
        two = Film().turn_frame(2).lay("1a1=red").turn_frame(1).table.phases
        assert [bool(phase.breaks) for phase in two] == [False, True]

    def test_p57_after_the_fifth_phase_nothing_is_turned(self):
        film = Film()
        for sector in (2, 3, 4, 5, 1):
            film.turn_frame(sector)
        assert [[one.kind for one in phase.breaks] for phase in film.table.phases] == [
            *([[]] * 4),
            ["game_over"],
        ]

    def test_a_frame_under_a_hand_is_where_it_was(self):
        film = Film().turn_frame(None).lay("1a1=red").turn_frame(2)
        assert [phase.sky.new_moon for phase in film.table.phases] == [1]

    @pytest.mark.parametrize("new_moon", STANDARD_SKY.sectors)
    def test_p21_the_sectors_of_the_moons(self, new_moon):
        sectors = lunar_sectors(EDITION, Sky({}, new_moon=new_moon))
        assert list(sectors) == ["new", "crescent", "quarter", "gibbous", "full"]
        assert list(sectors.values()) == [(new_moon - 1 + step) % 5 + 1 for step in range(5)]
        assert lunar_sectors(EDITION, Sky({})) == {}

    def test_what_every_card_would_give_everybody_now(self):
        stars = {"1a1": "red", "1b1": "red", "1a2": "red", "1c2": "blue"}
        sky, colours = Sky(stars, ("1a1-1b1",)), {"Ana": "red", "Eva": "blue"}
        now = {card: score_phase(sky, card, None, colours, EDITION) for card in COMMON}
        ana, eva = now["C1"]["Ana"], now["C1"]["Eva"]
        assert (ana.result.count, ana.tier, ana.bonus, ana.telescope) == (3, 1, 3, 0)
        assert (ana.result.to_next, eva.result.to_next) == (1, 1)
        assert now["C12"]["Ana"].result.to_next == 1
        assert now["C15"]["Ana"].bonus == 0, "nobody has one"


def test_whole_games_are_followed_without_a_false_alarm():
    """What players may lay by the rules breaks none, however it is put together."""
    for players in (2, 3, 4):
        mind, state = random.Random(players), dealt(players, players)
        table, clock = FollowedTable(tuple(s.colour for s in state.seats), state.sky), 0.0
        for _ in range(150):
            if state.over:
                break
            choices = TURNS.actions(state)
            plays = [one for one in choices if isinstance(one, PlayCard) and any(one.stars)]
            one = mind.choice(plays if plays and mind.random() < 0.7 else choices)
            over = not isinstance(one, PlayCard | EndTurn)
            state = TURNS.dealt(TURNS.after(state, one), mind)
            clock += PAUSE if over or isinstance(one, EndTurn) else SOON
            table = follow(table, state.sky, clock)
        assert table.sky == state.sky
        assert not table.breaks and not [one for phase in table.phases for one in phase.breaks]
        assert [phase.sky for phase in table.phases] == [
            phase.snapshot.sky for phase in state.phases
        ][: len(table.phases)]
        assert len(table.turns) > 40 and len(table.phases) > 2


class TestUnwatchedTurns:
    """A camera that comes in the middle of a game, or was away, finds the pieces of many turns."""

    LATE = ("1a1=red", "3b1=red", "2a1=blue", "4a1=blue", "1a1-1b1", "5a1=yellow", "5c3=red")

    def test_pieces_of_several_turns_break_no_rule_at_any_pace(self):
        film = Film().find(*self.LATE)
        assert film.turns == [(None, ())] and not film.broken
        assert len(film.table.sky.stars) == 6

    def test_one_that_is_reported_late_interrupts_no_turn(self):
        film = Film().find(*self.LATE).lay("2b1=blue").find("3a1=yellow", "3c3-3r3")
        film.lay("2b2=blue")
        assert film.turns == [(None, ()), ("blue", ("2b1", "2b2"))] and not film.broken

    def test_what_comes_later_is_a_turn_again(self):
        film = Film().find(*self.LATE).lay("2b1=blue")
        assert film.turns == [(None, ()), ("blue", ("2b1",))]
        assert film.take("1a1").broken == [(2, "P37", "taken_away")]
        assert not film.lay("1a1=red").broken

    def test_nothing_is_taken_away_from_it_either(self):
        film = Film().find(*self.LATE).take("1a1")
        assert film.broken == [(1, "P37", "taken_away")]
        assert not film.lay("1a1=red").broken

    def test_what_went_while_nobody_watched_is_missing(self):
        film = Film().lay("1b1=red", "2a1=blue").take("1b1", how="found")
        assert film.broken == [(2, "P37", "taken_away")]

    def test_the_turns_before_are_known_still(self):
        film = Film().lay("1b1=red", "1b2=red").find(*self.LATE)
        assert film.turns == [("red", ("1b1", "1b2"))] and not film.broken

    def test_two_sectors_accuse_who_was_watched_alone(self):
        assert Film().lay("1a1=red", "3b1=red").broken == [(1, "P33", "two_sectors")]
        assert Film().lay("1a1=red").find("3b1=red").broken == []

    def test_a_turn_of_the_frame_ends_its_phase_all_the_same(self):
        film = Film().find(*self.LATE).turn_frame(2)
        assert [phase.sky.new_moon for phase in film.table.phases] == [1] and not film.broken


class TestWhatPeopleSay:
    def test_what_was_never_there_is_not_taken_away(self):
        film = Film().lay("1a1=red", "2a1=blue").turn_frame(2).take("1a1", how="entered")
        assert not film.broken and film.table.phases[0].sky.stars == {"2a1": "blue"}

    def test_what_the_camera_missed_accuses_nobody(self):
        film = Film().lay("1a1=red").lay("3a1-3a2", "1b1=red", how="entered")
        assert film.turns == [("red", ("1a1", "1b1"))] and not film.broken

    def test_the_turn_in_progress_is_still_the_one_before(self):
        film = Film().lay("1a1=red")
        film.table = end_turn(film.table)
        film.lay("1b1=red")
        assert can_join(film.table)
        film.table = join_turns(film.table)
        assert film.turns == [("red", ("1a1", "1b1"))] and film.table.turn is not None
        assert not can_join(film.table) and join_turns(film.table) is film.table

    def test_neither_another_players_turn_nor_one_of_another_phase(self):
        assert not can_join(Film().lay("1a1=red", "1b1=blue").table)
        assert not can_join(Film().lay("1a1=red").turn_frame(2).lay("1b1=red").table)

    def test_what_it_laid_lay_there_before(self):
        film = Film().lay("1a1=red", "2a1=blue", "4a1=blue")
        assert film.broken == [(2, "P33", "two_sectors")]
        film.table = lay_before(film.table)
        assert film.turns == [("red", ("1a1",)), (None, ())] and not film.broken
        assert film.lay("3a1=yellow").turns[-1] == ("yellow", ("3a1",))
        assert film.take("4a1").broken == [(3, "P37", "taken_away")]
        empty = Film().table
        assert lay_before(empty) is empty


class TestAnUnownedStar:
    def test_it_interrupts_no_turn_and_accuses_nobody(self):
        film = Film().lay("1a1=red", "3b1=purple", "1c1=red")
        assert film.turns == [("red", ("1a1", "1c1"))] and not film.broken
        (reported,) = film.table.sky.rule_breaks(film.table.colours)
        assert (reported.kind, reported.places) == ("nobodys_star", ("3b1",))

    def test_once_it_has_a_players_colour_it_always_had(self):
        film = Film().lay("1a1=red", "1b1=purple").turn_frame(2)
        film.see(replace(film.table.sky, stars={"1a1": "red", "1b1": "red"}))
        assert not film.broken and film.table.phases[0].sky.stars["1b1"] == "red"

    def test_once_it_is_gone_it_never_lay_there(self):
        film = Film().lay("1b1=purple", "3a1=red").turn_frame(2).take("1b1")
        assert not film.broken and film.table.phases[0].sky.stars == {"3a1": "red"}
        assert Film().lay("1b1=purple").take("1b1").turns == [(None, ())]

    def test_in_a_game_of_two_it_is_neutral_where_no_neutral_star_lies(self):
        film = Film(("red", "blue"), stars=dict.fromkeys(STANDARD_SKY.starred, "neutral"))
        film.lay("2b1=red", "2b2=neutral", "2b3=red")
        assert film.turns == [("red", ("2b1", "2b3"))]
        film.see(replace(film.table.sky, stars={**film.table.sky.stars, "2b2": "red"}))
        assert not film.broken


def test_a_link_that_fits_only_the_turn_before_was_reported_late():
    film = Film().lay("1a1=red", "3a1=blue", "1a1-1b1", "3b1=blue")
    assert film.turns == [("red", ("1a1", "1a1-1b1")), ("blue", ("3a1", "3b1"))]
    assert not film.broken
    assert Film().lay("1a1=red").turn_frame(2).lay("3a1=blue", "1a1-1b1").broken
