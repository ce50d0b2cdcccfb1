"""Check the closing part of a record: that the game is over, its end and its score."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.nebula.playing import TURNS
from scorer.nebula.records.playing import Playing
from scorer.nebula.records.writer import end_data
from scorer.nebula.turns.state import Phase

LINE_KEYS = ("category", "card", "constellation", "colour", "slot", "points")
"""The keys of a score line that are checked; its wording is free."""


def check_end(playing: Playing, end: object) -> None:
    """Check that the game is over after the last turn, and the record's `end`. RecordError."""
    state = playing.state
    reason = "no condition for the end holds after the last turn: turns are missing"
    playing.require(state.noticed > 0, "not_over", "turns", reason)
    reason = f"the round is played to its last player: {state.rules.players} turns a round"
    playing.require(state.phase is Phase.OVER, "round_unfinished", "turns", reason)
    if not isinstance(end, Mapping):
        raise playing.error("shape", "end", "must hold keys and values")
    right = end_data(state) | ({} if state.rules.has_values else {"values": None})
    for key, value in right.items():
        playing.same(f"end_{key}", f"end.{key}", end.get(key), value)


def check_final(playing: Playing, final: object, names: Sequence[str]) -> None:
    """Compare the score in the record with the one counted. Raise RecordError."""
    right = TURNS.score(playing.state, names).to_data()
    if not isinstance(final, Mapping):
        raise playing.error("shape", "final", "must hold keys and values")
    for key in ("format", "game", "mode"):
        playing.same("final_header", f"final.{key}", final.get(key), right[key])
    players = final.get("players")
    found = players if isinstance(players, list) else []
    said = [player.get("name") if isinstance(player, Mapping) else None for player in found]
    playing.same("final_players", "final.players", said, list(names))
    for number, (player, counted) in enumerate(zip(found, right["players"], strict=True)):
        field = f"final.players[{number}]"
        _check_lines(playing, f"{field}.lines", player.get("lines"), counted["lines"])
        playing.same("final_total", f"{field}.total", player.get("total"), counted["total"])
        playing.same("final_black", f"{field}.black", player.get("black"), counted["black"])
        for key in ("provisional", "proposed"):
            playing.same("final_provisional", f"{field}.{key}", player.get(key), counted[key])
    ranking = final.get("ranking")
    in_order = [_sorted(place) for place in ranking] if isinstance(ranking, list) else ranking
    places = [sorted(place) for place in right["ranking"]]
    playing.same("final_ranking", "final.ranking", in_order, places)


def _check_lines(
    playing: Playing, field: str, lines: object, counted: Sequence[Mapping[str, Any]]
) -> None:
    """Check a player's lines, in any order."""
    missing = [{key: line.get(key) for key in LINE_KEYS} for line in counted]
    if not isinstance(lines, list):
        raise playing.error("final_lines", field, "must be a list")
    for number, line in enumerate(lines):
        kept = line if isinstance(line, Mapping) else {}
        found = {key: kept.get(key) for key in LINE_KEYS}
        if found not in missing or type(found["points"]) is not int:
            reason = f"{_said(found)} is not counted; {_together(missing)} still is"
            raise playing.error("final_lines", f"{field}[{number}]", reason)
        missing.remove(found)
    playing.require(not missing, "final_lines", field, f"{_together(missing)} is missing")


def _sorted(place: object) -> object:
    if isinstance(place, list) and all(isinstance(name, str) for name in place):
        return sorted(place)
    return place


def _together(lines: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(map(_said, lines)) or "nothing more"


def _said(line: Mapping[str, Any]) -> str:
    """A line in brief: its subject and points."""
    return " ".join(str(value) for value in line.values() if value is not None)
