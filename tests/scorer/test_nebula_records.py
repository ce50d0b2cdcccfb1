"""Game records: the contract's own example, whole games, and replaying them step by step."""

import copy
import io
import json
import random

import pytest

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.playing import TURNS
from scorer.nebula.records import replay
from scorer.nebula.records.playing import Playing
from scorer.nebula.records.shape import turn_of
from scorer.nebula.records.turn import play_turn
from scorer.nebula.simulation import simulate
from scorer.nebula.strategies import STRATEGIES
from scorer.nebula.turns.stars import STARS, Stars
from scorer.nebula.turns.state import Phase, Rules, Seat
from scorer.nebula.values_board import ValuesBoard
from scorer.records import LARGEST_RECORD, RecordError, parse_record, record_lines
from tests.conftest import FULL_MATRIX, in_full
from tests.scorer.nebula_record_mistakes.spoiling import after_turn
from tests.scorer.nebula_record_second_opinion import referee
from tests.scorer.nebula_tables import recorded, stars, table
from tests.scorer.test_nebula_whole_games import GAMES

# turn 41 of the example in the contract, to the letter
EXAMPLE = json.loads(
    """{"player": 0,
   "collect": {"by": "time", "moves": [3, -2, 0], "took": ["orange", null, "red"]},
   "placed": [{"star": "black", "slot": 6, "indicator": 12,
               "boosted": {"from": "bag", "drew": ["black", "blue"], "back": ["black"],
                           "new": "blue"},
               "value": {"token": "I", "square": 2, "on": ["III"]}},
              {"star": "red", "space": "ge3", "replaced": "blue"},
              {"star": "yellow", "space": "ar3"}],
   "claims": [], "refill": [],
   "after": {"bag": {"red": 7, "purple": 4, "yellow": 6, "white": 3, "blue": 2, "orange": 7,
                     "black": 9},
             "box": {"red": 8, "purple": 6, "yellow": 6, "white": 12, "blue": 10, "orange": 6,
                     "black": 7}, "hours": [1, 4, 0], "boosted": "blue"}}"""
)


class TestTheContractsExample:
    def playing(self) -> Playing:
        """A table at which the example's turn can be played."""
        after = EXAMPLE["after"]
        bag, box = Stars(**after["bag"]).plus("blue"), Stars(**after["box"])
        box = box.minus("blue").minus("black")
        own = {"core": "purple", "ge1": "white", "ge2": "purple", "ge3": "blue"}
        galaxy = Galaxy(own | {"ar1": "orange", "ar2": "purple"}, black=5)
        values = ValuesBoard(8).move("III").move("III").move("I")
        clusters = (
            ("purple", "orange", "purple", "purple", None, None),
            ("purple", "black", "black", None, None, "yellow"),
            ("red", "yellow", "yellow", "white", None, None),
        )
        state = table(
            clusters=clusters,
            hours=(4, 0, 0),
            boosted="black",
            indicator=11,
            values=values,
            bag=bag,
            box=box,
            turn=41,
        )
        mine = Seat(galaxy, stars("black", "yellow"))
        other = Seat(Galaxy({"core": "red"}, black=6))
        state = state.but(seats=(mine, other))
        rest = zip(state.rules.game_stars, bag, box, state.on_table, strict=True)
        rest = Stars._make(all_ - a - b - out for all_, a, b, out in rest)
        assert min(rest) >= 0
        playing = Playing(Rules())
        playing.state = state.but(seats=(mine, other.but(reserve=rest)))
        playing.begin_turn(41)
        return playing

    def test_three_may_be_placed_as_black_matches_the_black_boosted_star(self):
        playing = self.playing()
        play_turn(playing, turn_of(EXAMPLE))
        assert playing.state.turn == 42
        assert playing.state.boosted == "blue"
        assert playing.state.values.leaders("advanced") == ("I", "III")

    def test_a_space_that_is_not_linked_is_named(self):
        turn = copy.deepcopy(EXAMPLE)
        turn["placed"][1] = {"star": "red", "space": "ca5"}
        with pytest.raises(RecordError) as caught:
            play_turn(self.playing(), turn_of(turn))
        error = caught.value
        assert (error.turn, error.field) == (41, "turns[40].placed[1].space")
        assert error.rule == "not_linked"
        assert error.reason == "no star is on a space linked to ca5"


class TestABagWithoutAnotherColour:
    """The old boosted star stays: seldom seen, as the bag is nearly empty by then."""

    def turn(self, **boosted):
        turn = copy.deepcopy(EXAMPLE)
        none = {"from": "none", "drew": [], "back": [], "new": "black"}
        turn["placed"][0]["boosted"] = none | boosted
        turn["after"]["bag"] = stars("black", "black").to_data()
        turn["after"]["boosted"] = "black"
        return turn

    def play(self, turn, *thrown_away) -> Playing:
        playing = TestTheContractsExample().playing()
        state, bag = playing.state, stars("black", "black")
        thrown = zip(state.box, state.bag, bag, strict=True)
        box = Stars._make(in_box + before - now for in_box, before, now in thrown)
        playing.state = state.but(bag=bag, box=box)
        gone = ["blue", *thrown_away]  # the star that was replaced, and what else
        turn["after"]["box"] = box.plus_all(gone).to_data()
        play_turn(playing, turn_of(turn))
        return playing

    def test_it_stays_and_nothing_is_drawn(self):
        state = self.play(self.turn()).state
        assert (state.boosted, state.bag) == ("black", stars("black", "black"))

    @pytest.mark.parametrize(
        ("boosted", "rule", "key"),
        [
            ({"from": "bag", "drew": ["black"], "new": "black"}, "boosted_source", "from"),
            ({"new": "red"}, "boosted_draw", "drew"),
            ({"drew": ["black"], "back": ["black"]}, "boosted_draw", "drew"),
        ],
    )
    def test_nothing_else_is_legal(self, boosted, rule, key):
        with pytest.raises(RecordError) as caught:
            self.play(self.turn(**boosted))
        assert caught.value.rule == rule
        assert caught.value.field == f"turns[40].placed[0].boosted.{key}"

    def test_a_czech_player_may_still_take_one_of_the_reserve(self):
        turn = self.turn(**{"from": "reserve", "new": "orange"})
        turn["after"]["boosted"] = "orange"
        assert self.play(turn, "black").state.boosted == "orange"


class TestWholeGames:
    @pytest.mark.parametrize(
        "rules",
        GAMES if FULL_MATRIX else GAMES[::4],
        ids=lambda r: f"{r.players}-{r.mode}-{r.book}",
    )
    def test_a_game_played_at_random_is_legal_for_two_referees(self, rules):
        for index in range(3):
            record = simulate(rules, ["random"], seed=11, index=index)
            referee(record)
            assert replay(record).turns == len(record["turns"])

    @pytest.mark.parametrize("name", in_full([*STRATEGIES], "random", "greedy", "planner"))
    def test_every_strategy_brings_its_games_to_an_end(self, name):
        record = simulate(Rules(3), [name], seed=5, index=0)
        referee(record)
        replay(record)
        assert {player["strategy"] for player in record["players"]} == {name}

    def test_strategies_take_the_seats_in_turn(self):
        record = simulate(Rules(4), ["placer", "random", "greedy"], seed=5, index=1)
        seated = [player["strategy"] for player in record["players"]]
        assert seated == ["placer", "random", "greedy", "placer"]
        assert [player["name"] for player in record["players"]] == ["P1", "P2", "P3", "P4"]
        assert (record["seed"], record["index"]) == (5, 1)

    def test_a_record_passes_through_json_unchanged(self):
        record = simulate(Rules(), ["random"], seed=1, index=0)
        assert json.loads(json.dumps(record)) == record
        assert replay(parse_record(json.dumps(record).encode())).names == ("P1", "P2")

    def test_the_same_arguments_give_the_same_bytes(self):
        one, again, other, next_ = (
            json.dumps(simulate(Rules(3), ["random", "placer"], seed, index))
            for seed, index in [(9, 4), (9, 4), (8, 4), (9, 5)]
        )
        assert one == again
        assert len({one, other, next_}) == 3


def refused(record: dict) -> tuple[str, str]:
    """The rule by which a record is refused, and where."""
    with pytest.raises(RecordError) as caught:
        replay(record)
    return caught.value.rule, caught.value.field


class TestWhatMakesNoDifference:
    """Each beside what does make one, so that the place is known to be looked at."""

    @pytest.fixture
    def record(self) -> dict:
        return simulate(Rules(), ["random"], seed=2, index=0)

    def test_keys_that_nobody_knows_are_ignored(self, record):
        legal = replay(record)
        turn = record["turns"][3]
        within = (record, record["players"][0], turn, turn["after"], record["end"])
        for number, known in enumerate((*within, record["final"])):
            known["weather"] = number
            known["_"] = {"bag": {"red": 99}}
        assert replay(record) == legal
        turn["after"]["boosted"] = next(star for star in STARS if star != turn["after"]["boosted"])
        assert refused(record) == ("after", "turns[3].after.boosted")

    def test_an_optional_key_may_be_null(self, record):
        legal = replay(record)
        record |= {"seed": None, "index": None}
        every = [placed for turn in record["turns"] for placed in turn["placed"]]
        optional = ("space", "slot", "indicator", "replaced", "boosted", "value")
        added = [(placed, key) for placed in every for key in optional if key not in placed]
        assert {key for _, key in added} == set(optional)
        for placed, key in added:
            placed[key] = None
        assert replay(record) == legal
        replacing = next(placed for placed in every if placed["replaced"])
        replacing["replaced"] = None
        assert refused(record)[0] == "replaced", "it is there to be said"

    def test_lines_of_the_score_have_no_order(self, record):
        legal = replay(record)
        one, other = (player["lines"] for player in record["final"]["players"])
        written = list(one)
        random.Random(1).shuffle(one)
        assert one != written
        assert replay(record) == legal
        other.append(one.pop())
        assert refused(record)[0] == "final_lines", "but they have a player"

    def test_names_within_a_place_have_no_order(self):
        games = (simulate(Rules(4, "intro"), ["random"], seed=6, index=n) for n in range(50))
        record = next(
            game for game in games if sorted(map(len, game["final"]["ranking"])) == [1, 1, 2]
        )
        legal, ranking = replay(record), record["final"]["ranking"]
        tied = next(place for place in ranking if len(place) == 2)
        tied.reverse()
        assert replay(record) == legal
        written = list(ranking)
        at = ranking.index(tied)
        ranking[at : at + 1] = [[name] for name in tied]
        assert refused(record) == ("final_ranking", "final.ranking")
        ranking[:] = [*written[1:], written[0]]
        assert refused(record) == ("final_ranking", "final.ranking"), "places have an order"


class TestStepByStep:
    def test_every_state_is_there_forwards_and_back(self):
        record = recorded(Rules(3), "steps")
        replayed = replay(record)
        states = replayed.states
        assert len(states) == len(replayed.moments) + 1
        assert states[-1].phase is Phase.OVER
        for before, moment, after in zip(states, replayed.moments, states[1:], strict=False):
            assert TURNS.after(before, moment.action) == moment.state == after

    def test_a_turns_end_is_as_the_record_says(self):
        record = recorded(Rules(2), "ends")
        replayed = replay(record)
        setup = after_turn(replayed, 0)
        assert [list(own) for own in setup.clusters] == record["setup"]["clusters"]
        for number, turn in enumerate(record["turns"], start=1):
            state = after_turn(replayed, number)
            assert state.bag.to_data() == turn["after"]["bag"]
            assert list(state.hours) == turn["after"]["hours"]
        assert after_turn(replayed, replayed.turns) is replayed.states[-1]


class TestLines:
    def refused(self, line: bytes) -> RecordError:
        with pytest.raises(RecordError) as caught:
            replay(parse_record(line))
        return caught.value

    @pytest.mark.parametrize(
        "line",
        [
            b"{",
            b"[]",
            b"41",
            b"null",
            b'"record"',
            b'{"format": \xff}',
            b'{"format": 1, "format": 1}',
            b'{"format": ' + b"[" * 100_000,
            b'{"format": ' + b"1" * 100_000 + b"}",
            b" " * (LARGEST_RECORD + 1) + b"{}",
        ],
        ids=lambda line: line[:16].decode("ascii", "replace"),
    )
    def test_what_is_no_json_object_is_refused(self, line):
        error = self.refused(line)
        assert (error.rule, error.turn, error.field) == ("json", 0, "")

    def test_a_file_is_read_line_by_line_however_long_they_are(self):
        file = io.BytesIO(b"{}\n\n" + b"x" * (3 * LARGEST_RECORD) + b"\n  \n{}")
        lines = list(record_lines(file))
        assert (lines[0], lines[2]) == (b"{}\n", b"{}")
        assert len(lines) == 3
        assert self.refused(lines[1]).rule == "json"

    def test_a_reason_is_short_whatever_the_record_says(self):
        record = simulate(Rules(), ["random"], seed=3, index=0)
        place = next(i for i, turn in enumerate(record["turns"]) if turn["placed"])
        record["turns"][place]["placed"][0] |= {"space": "z" * 100_000, "star": "red"}
        error = self.refused(json.dumps(record).encode())
        assert len(error.reason) < 500
