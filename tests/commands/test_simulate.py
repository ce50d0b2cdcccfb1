"""`stargazer simulate` and `stargazer replay`: records written, checked, and refused."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from scorer.nebula.strategies import STRATEGIES
from tests.conftest import in_full

Run = Callable[..., Result]


def records(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def record_file(stargazer: Run, tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text(stargazer("simulate", "--games", 3, "--seed", 4, "--json").stdout)
    return path


class TestSimulate:
    def test_it_prints_a_record_a_line_and_nothing_else(self, stargazer: Run) -> None:
        result = stargazer("simulate", "--games", 2, "--json")
        assert result.stderr == ""
        first, second = records(result)
        assert (first["seed"], first["index"], second["index"]) == (0, 0, 1)
        assert (first["mode"], first["rules"]) == ("full", "cs")
        assert [player["name"] for player in first["players"]] == ["P1", "P2"]
        assert {player["strategy"] for player in first["players"]} == {"random"}

    def test_a_game_does_not_depend_on_how_many_are_played(self, stargazer: Run) -> None:
        options = ("--seed", 9, "--players", 3, "--strategy", "random,placer", "--json")
        few = stargazer("simulate", "--games", 2, *options).stdout
        many = stargazer("simulate", "--games", 4, *options).stdout
        assert many.startswith(few)
        assert many == stargazer("simulate", "--games", 4, *options).stdout
        assert few != stargazer("simulate", "--games", 2, *options[2:]).stdout

    @pytest.mark.parametrize("first", in_full([*range(0, len(STRATEGIES), 4)], 0))
    def test_a_game_is_the_same_in_every_process(self, first: int) -> None:
        """Sets of words have another order in each: no choice may come from it."""
        seats = [*STRATEGIES][first : first + 4]
        players = max(len(seats), 2)
        code = "from webapp.cli.main import main; main()"
        options = f"--games 1 --players {players} --strategy {','.join(seats)} --json"
        printed = {
            subprocess.run(
                [sys.executable, "-c", code, "simulate", *options.split()],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2", "3")
        }
        assert len(printed) == 1

    def test_its_options_are_the_games(self, stargazer: Run) -> None:
        options = ("--players", 4, "--mode", "intro", "--rules", "es")
        (record,) = records(stargazer("simulate", "--games", 1, *options, "--json"))
        assert len(record["players"]) == 4
        assert (record["mode"], record["rules"], record["advanced"]) == ("intro", "es", [])

    def test_without_json_it_counts(self, stargazer: Run) -> None:
        options = ("--games", 4, "--strategy", "placer,random")
        said = stargazer("simulate", *options).stdout
        played = records(stargazer("simulate", *options, "--json"))
        assert f"turns    {sum(len(record['turns']) for record in played)}, " in said
        for record in played:
            assert all(reason in said for reason in record["end"]["reasons"])
        wins = [record["final"]["ranking"][0] for record in played]
        assert f"placer {wins.count(['P1'])}" in said
        assert "random" in said

    @pytest.mark.parametrize("names", ["best", "random,best", "", "random,,placer"])
    def test_the_error_for_an_unknown_strategy_lists_the_known_ones(
        self, stargazer: Run, names: str
    ) -> None:
        result = stargazer("simulate", "--games", 1, "--strategy", names)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
        assert all(name in result.stderr for name in STRATEGIES)

    @pytest.mark.parametrize(
        "options", [("--games", 0), ("--games", "x"), (), ("--games", 1, "--players", 5)], ids=str
    )
    def test_bad_usage_is_one_line(self, stargazer: Run, options: tuple[object, ...]) -> None:
        result = stargazer("simulate", *options)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1


class TestReplay:
    def test_legal_records_are_said_to_be(self, stargazer: Run, record_file: Path) -> None:
        answers = records(stargazer("replay", record_file, "--json"))
        turns = [len(json.loads(line)["turns"]) for line in record_file.read_text().splitlines()]
        assert answers == [
            {"format": 1, "file": str(record_file), "record": n, "turns": count, "legal": True}
            for n, count in enumerate(turns, start=1)
        ]
        said = stargazer("replay", record_file).stdout
        assert f"3 of 3 records legal, {sum(turns)} turns" in said

    def test_a_bad_record_is_named_and_the_others_are_checked(
        self, stargazer: Run, record_file: Path
    ) -> None:
        lines = record_file.read_text().splitlines()
        bad = json.loads(lines[1])
        bad["turns"][6]["after"]["bag"]["red"] += 1
        record_file.write_text("\n".join([lines[0], json.dumps(bad), "{", lines[2]]))
        result = stargazer("replay", record_file, "--json")
        assert result.exit_code == 2
        first, second, third, fourth = (json.loads(line) for line in result.stdout.splitlines())
        assert first["legal"]
        assert fourth["record"] == 4
        expected = {"error": 2, "file": str(record_file), "record": 2, "turn": 7}
        expected |= {"field": "turns[6].after", "rule": "accounting"}
        assert expected.items() <= second.items()
        assert (third["record"], third["turn"], third["rule"]) == (3, 0, "json")
        reported = result.stderr.splitlines()
        assert len(reported) == 2
        for word in (str(record_file), "record 2", "turn 7", "turns[6].after", "accounting"):
            assert word in reported[0]

    def test_standard_input_is_a_file_too(self, stargazer: Run, record_file: Path) -> None:
        answers = records(stargazer("replay", "-", "--json", stdin=record_file.read_bytes()))
        assert [answer["file"] for answer in answers] == ["-"] * 3
        bad = stargazer("replay", "-", stdin=b"{}")
        assert bad.stderr.startswith("stargazer: -: record 1, turn 0, format: header: ")

    def test_a_reader_of_its_answers_that_leaves_is_no_fault_of_the_records(
        self, record_file: Path
    ) -> None:
        run = [sys.executable, "-m", "webapp.cli.main", "replay", str(record_file)]
        read, write = os.pipe()
        os.close(read)
        try:
            result = subprocess.run(run, stdout=write, stderr=subprocess.PIPE, timeout=300)
        finally:
            os.close(write)
        assert (result.returncode, result.stderr) == (1, b"")

    def test_files_that_cannot_be_read_do_not_stop_the_others(
        self, stargazer: Run, record_file: Path, tmp_path: Path
    ) -> None:
        empty = tmp_path / "empty.jsonl"
        empty.write_text("\n")
        gone = tmp_path / "gone.jsonl"
        result = stargazer("replay", gone, tmp_path, empty, record_file)
        assert result.exit_code == 2
        assert "3 of 3 records legal" in result.stdout
        reported = result.stderr.splitlines()
        assert len(reported) == 3
        for path, line in zip((gone, tmp_path, empty), reported, strict=True):
            assert str(path) in line
        answers = stargazer("replay", gone, "--json").stdout
        assert json.loads(answers)["file"] == str(gone)


class TestAnotherGame:
    """Records of a game that brings no format of its own."""

    @pytest.fixture
    def record(self, stargazer: Run) -> dict[str, Any]:
        options = ("--game", "polaris", "--games", 1, "--players", 3, "--seed", 2, "--json")
        (record,) = records(stargazer("simulate", *options))
        return record

    def test_it_is_replayed(
        self, stargazer: Run, record: dict[str, Any], record_file: Path
    ) -> None:
        """Beside records of the first game, in one file."""
        assert [player["name"] for player in record["players"]] == ["P1", "P2", "P3"]
        with record_file.open("a") as file:
            file.write(json.dumps(record) + "\n")
        answers = records(stargazer("replay", record_file, "--json"))
        assert [answer["legal"] for answer in answers] == [True] * 4
        assert answers[-1]["turns"] == len(record["turns"])

    def test_an_illegal_action_is_named_by_its_rule(
        self, stargazer: Run, record: dict[str, Any], tmp_path: Path
    ) -> None:
        record["turns"][4]["actions"].insert(0, "take no-such-card")
        path = tmp_path / "spoilt.jsonl"
        path.write_text(json.dumps(record))
        result = stargazer("replay", path, "--json")
        assert result.exit_code == 2
        answer = json.loads(result.stdout)
        assert (answer["turn"], answer["field"]) == (5, "turns[4].actions[0]")
        assert answer["rule"] == "not_in_market"

    def test_a_game_that_nobody_knows_is_named_with_those_that_there_are(
        self, stargazer: Run
    ) -> None:
        result = stargazer("simulate", "--game", "chess", "--games", 1)
        assert result.exit_code == 2
        assert "'chess'" in result.stderr and "polaris" in result.stderr
        answer = stargazer("replay", "-", stdin=b'{"format": 1, "game": "chess"}')
        assert "game: header: " in answer.stderr

    def test_an_option_of_another_game_is_refused(self, stargazer: Run) -> None:
        options = ("--game", "polaris", "--games", 1)
        for wrong in (("--mode", "intro"), ("--players", 1), ("--strategy", "placer")):
            result = stargazer("simulate", *options, *wrong)
            assert result.exit_code == 2
            assert len(result.stderr.splitlines()) == 1

    def test_without_json_it_counts(self, stargazer: Run, record: dict[str, Any]) -> None:
        options = ("--game", "polaris", "--games", 1, "--players", 3, "--seed", 2)
        said = stargazer("simulate", *options).stdout
        assert f"turns    {len(record['turns'])}, " in said and "reasons" not in said
