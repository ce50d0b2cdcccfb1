"""What every game behind `scorer.game.Game` keeps: a class of tests for each to inherit."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from random import Random
from typing import Any, ClassVar

import pytest

from scorer.datafile import DataFileError
from scorer.game import Game
from scorer.objective import CardResult
from scorer.places import FieldReader, Place
from scorer.records import RecordError
from scorer.sampling import Sampling
from scorer.scoresheet import Line
from scorer.sentence import LANGUAGES, Sentence

Pieces = Mapping[Place, str]


class GameContract:
    """A game, with what a test cannot make up: pieces that lie right and wrong, files, a layout."""

    game: ClassVar[Game[Any, Any, Any]]
    lying: ClassVar[Pieces]
    """Pieces on the standard board that break no rule, of every kind of place that there is."""
    breaking: ClassVar[Pieces]
    """Pieces on the standard board that break a rule at the table of `file`."""
    impossible: ClassVar[Pieces]
    """Pieces that cannot lie on the standard board."""
    file: ClassVar[Mapping[str, Any]]
    """A game file with pieces written out, and all that there is to tell."""
    photographed: ClassVar[Mapping[str, Any]]
    """The same game with a photograph for each position."""
    layout: ClassVar[Mapping[str, Any]]
    """The fields of a layout of the standard board."""
    beside: ClassVar[Mapping[str, tuple[Any, Pieces]]] = {}
    """Of each further kind at the table a standard board, and pieces that lie right on it."""

    def played(self, data: Mapping[str, Any] | None = None) -> Any:
        return self.game.game_from_data(data or self.file, self.game.standard_board)

    def position(self, pieces: Pieces) -> Any:
        return self.game.position(self.game.standard_board, pieces)

    def lies_on(self, kind: str) -> Any:
        """What lies right on a board of a kind at the table."""
        board, pieces = self.beside.get(kind, (self.game.standard_board, self.lying))
        return self.game.position(board, pieces)

    # pieces and places

    def test_pieces_have_names_colours_and_a_supply(self) -> None:
        ids = [piece.id for piece in self.game.pieces]
        assert len(set(ids)) == len(ids)
        for piece in self.game.pieces:
            assert piece.colour.startswith("#") and len(bytes.fromhex(piece.colour[1:])) == 3
            assert piece.supply > 0 and piece.lies_on
            assert all(self.game.piece_name(piece.id, language) for language in LANGUAGES)

    def test_a_place_admits_what_lies_there(self) -> None:
        for pieces in (self.lying, *(pieces for _, pieces in self.beside.values())):
            for place, piece in pieces.items():
                assert piece in self.game.admits(place)
        for piece in self.game.pieces:
            assert (piece.diameter_mm > 0) == ("region" in piece.lies_on), "counted by its size"

    def test_each_piece_in_play_counts_as_one_that_counts_as_itself(self) -> None:
        ids = {piece.id for piece in self.game.pieces}
        for data in ({}, self.file):
            piece_roles = self.game.piece_roles(data)
            assert piece_roles.keys() <= ids
            assert all(piece_roles[counts] == counts for counts in piece_roles.values())
        assert {*self.lying.values()} <= {*self.game.piece_roles(self.file).values()}
        assert self.game.piece_roles({}).keys() == ids, (
            "of nobody is it known that they do not play"
        )

    def test_a_layout_is_read_and_written_back(self) -> None:
        fields = FieldReader(self.layout)
        printed = self.game.read_printed(fields)
        assert printed is not None and fields.problems == []
        written = json.loads(json.dumps(self.game.printed_data(printed)))
        again = self.game.read_printed(FieldReader({**self.layout, **written}))
        assert again == printed
        assert {place.id for place in printed.places if place.kind == "spot"} == set(
            printed.board.spaces
        )

    def test_a_topology_is_read_where_it_is_written_out(self) -> None:
        if self.layout.get("topology") == "standard":
            written = {**self.layout, "topology": self.game.standard_board.to_data()}
            fields = FieldReader(written)
            printed = self.game.read_printed(fields)
            assert printed is not None and not fields.problems
            assert printed.board.spaces == self.game.standard_board.spaces

    def test_a_layout_that_lacks_everything_is_refused_key_by_key(self) -> None:
        fields = FieldReader({})
        assert self.game.read_printed(fields) is None
        own = self.layout.keys() - {"format", "game", "name", "size_mm"}
        assert own <= {key for key, _ in fields.problems}

    def test_other_boards_at_the_table_hold_their_own_pieces(self) -> None:
        kinds = [kind.id for kind in self.game.table.boards]
        assert list(self.beside) == kinds[1:]
        for kind, (board, pieces) in self.beside.items():
            position = self.lies_on(kind)
            assert self.game.pieces_of(position) == pieces and pieces
            data = json.loads(json.dumps(self.game.position_data(position)))
            assert self.game.position_from_data(board, data) == position
            with pytest.raises(ValueError):
                self.game.position(board, self.impossible)

    # positions

    def test_pieces_become_a_position_and_pieces_again(self) -> None:
        for pieces in ({}, self.lying, self.breaking):
            position = self.position(pieces)
            assert self.game.pieces_of(position) == pieces
            data = json.loads(json.dumps(self.game.position_data(position)))
            assert data == self.game.pieces_data(pieces)
            again = self.game.position_from_data(self.game.standard_board, data)
            assert self.game.pieces_of(again) == pieces

    def test_what_cannot_lie_there_is_refused(self) -> None:
        with pytest.raises(ValueError):
            self.position(self.impossible)

    def test_a_broken_rule_is_said_in_every_language(self) -> None:
        assert self.game.rule_breaks(self.position(self.lying), self.played()) == ()
        broken = self.game.rule_breaks(self.position(self.breaking), self.played())
        assert broken
        for one in broken:
            assert json.dumps(one.to_data())
            assert isinstance(one.reason, Sentence)
            assert all(one.reason.in_language(language) for language in LANGUAGES)

    def test_who_plays_need_not_be_known(self) -> None:
        assert self.game.rule_breaks(self.position(self.lying)) == ()

    def test_odds_are_of_pieces(self) -> None:
        known = {piece.id for piece in self.game.pieces}
        spots = {place.id: piece for place, piece in self.lying.items() if place.kind == "spot"}
        for space in spots:
            others = {other: piece for other, piece in spots.items() if other != space}
            assert set(self.game.log_prior(self.game.standard_board, others, space)) <= known

    # a game file

    def test_a_game_is_read_and_written_back(self) -> None:
        played = self.played()
        assert self.played(json.loads(json.dumps(self.game.game_data(played)))) == played
        table, names = self.game.table, self.game.player_names(played)
        assert table.fewest_players <= len(names) <= table.most_players
        assert list(names) == [player["name"] for player in self.file["players"]]

    @pytest.mark.parametrize("data", [None, [], {}, {"players": []}, {"players": [{}, {}]}])
    def test_what_is_no_game_is_refused(self, data: object) -> None:
        with pytest.raises(DataFileError):
            self.game.game_from_data(data, self.game.standard_board)

    def test_photographs_are_wanted_until_they_are_read(self) -> None:
        assert self.game.wanted_photos(self.played()) == ()
        played = self.played(self.photographed)
        wanted = self.game.wanted_photos(played)
        assert wanted
        names = self.game.player_names(played)
        while wanted:
            with pytest.raises(ValueError):
                self.game.score(played)
            assert wanted[0].snapshot in self.game.table.snapshots
            kind = self.game.table.kind(wanted[0].board)
            assert wanted[0].player in ([""] if kind.owner == "all" else names)
            played = self.game.with_position(played, wanted[0], self.lies_on(wanted[0].board))
            assert self.game.wanted_photos(played) == wanted[1:]
            wanted = wanted[1:]
        assert self.game.score(played).ranking

    def test_an_objective_is_checked_and_explained(self) -> None:
        played = self.played()
        names = self.game.player_names(played)
        instances = self.game.table.instances(len(names))
        boards = [self.lies_on(kind.id) for kind, _player in instances]
        spaces = set(self.game.standard_board.spaces)
        for seat in range(len(names)):
            found = self.game.objectives(played, seat)
            assert found
            for one in found:
                assert one.id and all(one.name.in_language(each) for each in LANGUAGES)
                assert all(one.rule.in_language(each) for each in LANGUAGES)
                result = self.game.check(played, one, boards, seat)
                assert isinstance(result, CardResult) and 0 <= result.progress <= 1
                assert set(result.spaces) <= spaces
                assert result.calculation

    def test_each_question_can_be_answered(self) -> None:
        asked = self.game.questions(self.file)
        assert len({one.id for one in asked}) == len(asked)
        for one in asked:
            assert one.text and one.least <= one.most
            options = [option.id for option in one.options]
            assert len(set(options)) == len(options)
            assert bool(options) == (one.kind != "number")
            if one.kind == "date":
                days = [date.fromisoformat(day).toordinal() for day in options]
                assert all(one.least <= day <= one.most for day in days)
            else:
                assert not options or one.least <= len(options)

    def test_a_game_of_which_nothing_is_known_can_be_asked_about(self) -> None:
        assert all(one.text for one in self.game.questions({}))

    # the score

    def test_a_score_adds_up_and_is_said(self) -> None:
        played = self.played()
        score = self.game.score(played)
        names = self.game.player_names(played)
        assert tuple(player.name for player in score.players) == names
        assert sorted(name for place in score.ranking for name in place) == sorted(names)
        for player in score.players:
            assert player.total == sum(line.points for line in player.lines)
            assert {line.category for line in player.lines} <= set(self.game.categories)
            assert bool(player.hint) == player.provisional
            self.said(player.lines)
        for flag in (*score.flags, *(flag for player in score.players for flag in player.flags)):
            assert flag.in_words()["reason"]
        assert [bool(score.tie_break(name)) for name in names] == [
            [player.total for player in score.players].count(own.total) > 1 for own in score.players
        ]
        for language in LANGUAGES:
            data = json.loads(json.dumps(score.to_data(language)))
            assert data["game"] == self.game.id and data["format"] == 1
            assert [player["name"] for player in data["players"]] == list(names)
            assert data["ranking"] == [list(place) for place in score.ranking]
            for player in data["players"]:
                assert player.keys() >= {"name", "total", "provisional", "lines", "flags"}
        for title in self.game.categories.values():
            assert title

    # turns

    def states(self, players: int = 2, seed: int = 4, most: int = 150) -> Iterator[Any]:
        """The states of a game played at random, as far as a test looks."""
        turns, luck = self.game.turns, Random(seed)
        if turns is None:
            return
        state = turns.start({"players": players})
        for _ in range(most):
            yield state
            choices = [action for action, _odds in turns.outcomes(state)]
            choices = choices or list(turns.actions(state))
            if not choices:
                return
            state = turns.after(state, luck.choice(choices))

    def test_somebody_decides_or_chance_does_or_the_game_is_over(self) -> None:
        for state in self.states():
            turns = self.game.turns
            outcomes, legal = turns.outcomes(state), turns.actions(state)
            assert not (outcomes and legal)
            assert not outcomes or math.isclose(sum(odds for _action, odds in outcomes), 1)
            decides = turns.decides(state)
            assert decides is None or (legal and decides in range(2)), state
            table = self.game.table
            first = 1 if table.shared else 2
            assert len(turns.positions(state)) in (first, len(table.instances(2)))
            assert turns.score(state, ["Ana", "Eva"]).ranking

    def test_names_change_no_points(self) -> None:
        for state in [*self.states(most=400)][::25]:
            totals = [
                [player.total for player in self.game.turns.score(state, names).players]
                for names in ([], ["Ana", "Eva"])
            ]
            assert totals[0] == totals[1], state

    def test_an_action_is_read_back_and_is_legal_or_refused_with_a_reason(self) -> None:
        earlier: list[Any] = []
        for state in self.states(most=60):
            turns = self.game.turns
            legal = [action for action, _odds in turns.outcomes(state)] or turns.actions(state)
            for action in legal:
                assert turns.read_action(turns.write_action(action)) == action
                assert turns.illegal(state, action) is None
                assert turns.format_action(action)
                for place in turns.places_of(action):
                    assert self.game.admits(place), place
            for action in {*earlier, *turns.offered(state)} - set(legal):
                broken = turns.illegal(state, action)
                assert broken is not None and broken.kind and broken.reason
                with pytest.raises(ValueError):
                    turns.after(state, action)
            earlier = [*earlier[-20:], *legal[:3]]

    def test_what_is_refused_has_its_rule_in_the_glossary(self) -> None:
        explained = {rule for term in self.game.glossary for rule in term.rules}
        for state in self.states(most=300) if explained else ():
            for action in self.game.turns.offered(state):
                broken = self.game.turns.illegal(state, action)
                assert broken is None or broken.kind in explained, broken.reason

    def test_a_player_decides_by_what_they_know(self) -> None:
        for number, state in enumerate(self.states()):
            turns = self.game.turns
            decides = turns.decides(state)
            for seat in (None, 0, 1):
                seen = turns.seen_by(state, seat)
                assert turns.seen_by(seen, seat) == seen
            if decides is not None:
                seen = turns.seen_by(state, decides)
                assert set(turns.actions(seen)) == set(turns.actions(state))
                imagined = turns.imagined(seen, Random(number))
                assert turns.seen_by(imagined, decides) == seen, "another game is imagined"
                assert turns.score(imagined).ranking

    def test_any_game_is_played_by_sampling(self) -> None:
        for state in self.states(most=60):
            turns = self.game.turns
            if turns.decides(state) is not None:
                advice = Sampling(turns).choose(state, "sampling", seed=3)
                assert advice.action in turns.actions(state)
                return
        assert self.game.turns is None, "nobody decides in the first 60 states"

    # records

    def test_a_simulated_game_is_replayed_and_a_spoilt_one_is_not(self) -> None:
        records = self.game.records
        assert (records is None) == (self.game.turns is None)
        if records is None:
            return
        assert "random" in records.strategies
        for players in self.game.turns.players:
            record = json.loads(json.dumps(records.simulate(players, ["random"], 5, players, {})))
            assert record["game"] == self.game.id and len(record["players"]) == players
            assert records.replay(record) == len(record["turns"])
            alone = players == 1  # whose whole game is one turn of a record
            assert alone or len(record["turns"]) > players
            for spoilt, turn in (
                ({**record, "turns": record["turns"][:-1]}, len(record["turns"]) - 1),
                ({**record, "turns": record["turns"][1:]}, 0 if alone else 1),
                ({**record, "final": {**record["final"], "ranking": []}}, len(record["turns"])),
                ({**record, "players": record["players"][: 0 if alone else 1]}, 0),
                ({**record, "edition": "unheard-of"}, 0),
            ):
                with pytest.raises(RecordError) as caught:
                    records.replay(spoilt)
                assert caught.value.turn == turn and caught.value.rule

    def test_the_same_seed_gives_the_same_game(self) -> None:
        if self.game.records is None:
            return
        games = [self.game.records.simulate(2, ["random"], 3, index, {}) for index in (0, 0, 1)]
        assert games[0] == games[1] != games[2]

    def said(self, lines: Sequence[Line]) -> None:
        board = self.game.standard_board
        for line in lines:
            assert all(line.calculation.in_language(language) for language in LANGUAGES)
            assert set(line.spaces) <= {*board.spaces, *getattr(board, "plots", ())}


def with_photos(data: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """A file whose players have photographs in place of these keys."""
    players = [
        {**{key: value for key, value in player.items() if key not in keys}, "photo": f"{n}.jpg"}
        for n, player in enumerate(data["players"])
    ]
    return {**data, "players": players}
