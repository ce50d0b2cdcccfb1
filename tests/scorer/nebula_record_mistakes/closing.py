"""Mistakes of the end of the game and its score."""

from collections.abc import Iterator

from scorer.nebula.records import Replay
from scorer.nebula.words import COLOURS
from tests.scorer.nebula_record_mistakes.spoiling import MISSING, Record, Spot, mistake, setting


@mistake("not_over")
def a_game_that_is_not_over(record, _):
    del record["turns"][4:]
    return 4, "turns"


@mistake("round_unfinished")
def a_round_that_is_not_finished(record, _):
    noticed = record["end"]["noticed"]
    if noticed == len(record["turns"]):
        return None
    del record["turns"][noticed:]
    return noticed, "turns"


setting("shape", "end", MISSING, [], "over", turn=-1)
setting("end_noticed", "end.noticed", 0, 1, "45", None, MISSING, turn=-1)
setting("end_reasons", "end.reasons", [], ["weather"], "bag_empty", None, turn=-1)
setting("end_rounds", "end.rounds", 0, True, 23.5, None, turn=-1)
setting("shape", "final", MISSING, [], "won", turn=-1)
setting("final_header", "final.format", 2, MISSING, turn=-1)
setting("final_header", "final.game", "polaris", turn=-1)
setting("final_header", "final.mode", "long", turn=-1)
setting("final_players", "final.players", [], None, {}, [1, 2], turn=-1)
setting(
    "final_total", "final.players.0.total", 999, None, "12", turn=-1, field="final.players[0].total"
)
setting("final_black", "final.players.0.black", 30, None, turn=-1, field="final.players[0].black")
setting(
    "final_lines", "final.players.0.lines", [], None, {}, turn=-1, field="final.players[0].lines"
)
for key, wrong in {"provisional": [True, None, 0], "proposed": [["V1"], None]}.items():
    path = f"final.players.0.{key}"
    setting("final_provisional", path, *wrong, turn=-1, field=f"final.players[0].{key}")
setting("final_ranking", "final.ranking", [], None, [["P1", "P2"], ["P1"]], [[1]], turn=-1)


@mistake("end_values")
def a_token_that_never_moved(record, _):
    values = record["end"].get("values")
    still = [hue for hue in COLOURS if values and hue not in values["colours"]]
    if not still:
        return None
    values["colours"].append(still[0])
    return len(record["turns"]), "end.values"


@mistake("end_values")
def values_in_intro(record, _):
    record["end"]["values"] = {"colours": [], "constellations": [], "advanced": []}
    return (len(record["turns"]), "end.values") if record["mode"] == "intro" else None


def lines(record: Record, replayed: Replay) -> Iterator[Spot]:
    of_player = record["final"]["players"][1]["lines"]
    yield Spot(len(record["turns"]), "final.players[1].lines", of_player, replayed.states[-1])


@mistake("final_lines")
def a_line_twice(record, _):
    of_player = record["final"]["players"][1]["lines"]
    of_player.append(dict(of_player[0]))
    return len(record["turns"]), f"final.players[1].lines[{len(of_player) - 1}]"


@mistake("final_lines", lines, "[1]")
def a_point_too_many(of_player, _):
    of_player[1]["points"] += 1


@mistake("final_ranking")
def the_last_first(record, _):
    ranking = record["final"]["ranking"]
    ranking.reverse()
    return (len(record["turns"]), "final.ranking") if len(ranking) > 1 else None
