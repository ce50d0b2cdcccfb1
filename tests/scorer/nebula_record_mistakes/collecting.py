"""Mistakes of a turn's shape and order, and of how stars are collected."""

from collections.abc import Iterator
from typing import Any

from scorer.nebula.records import Replay
from scorer.nebula.turns.stars import STARS
from tests.scorer.nebula_record_mistakes.spoiling import MISSING, Record, Spot, mistake, put, turns


def turn_shape(path: str, *values: Any) -> None:
    for value in values:

        def spoil(turn, _, value=value):
            try:
                put(turn, path, value)
            except (LookupError, TypeError):
                return False

        spoil.__name__ = f"{path}={value!r}"[:60]
        mistake("shape", turns)(spoil)


for path in ("player", "collect", "placed", "claims", "refill", "after"):
    turn_shape(path, MISSING, None, "x", 1.5)
turn_shape("player", True)
turn_shape("collect.by", "magic", MISSING)
turn_shape("collect.moves", None, 5)
turn_shape("collect.took", MISSING, ["green", None, None])
turn_shape("collect.returned", MISSING, "green", 3)
turn_shape("collect.drew", MISSING, "red")
turn_shape("collect.kept", MISSING, [None])
turn_shape("placed.0.star", MISSING, "green", None)
turn_shape("placed.0.space", 3)
turn_shape("placed.0.slot", "3", 3.0, True, MISSING)
turn_shape("placed.0.indicator", MISSING, [3])
turn_shape("placed.0.boosted", [], "bag")
turn_shape("placed.0.boosted.from", "moon", MISSING)
turn_shape("placed.0.boosted.drew", MISSING, None)
turn_shape("placed.0.value.token", MISSING, 1)
turn_shape("placed.0.value.on", MISSING, "red")
turn_shape("claims.0.place", "third", MISSING)
turn_shape("claims.0", "V1")
turn_shape("refill.0.cluster", "0", MISSING)
turn_shape("refill.0.star", "green", None)
turn_shape("after.bag", [], MISSING)
turn_shape("after.bag.red", MISSING, "7", 7.5)
turn_shape("after.hours", {}, ["0", 0, 0])
turn_shape("after.boosted", None, "green")


@mistake("shape")
def a_turn_that_is_a_word(record, _):
    record["turns"][2] = "pass"
    return 3, "turns[2]"


@mistake("game_over")
def a_turn_after_the_last(record, _):
    turns = record["turns"]
    turns.append(turns[-len(record["players"])])
    return len(turns), f"turns[{len(turns) - 1}]"


@mistake("turn_order")
def somebody_elses_turn(record, _):
    record["turns"][4]["player"] = (record["turns"][4]["player"] + 1) % 2
    return 5, "turns[4].player"


# collecting


def _collects(record: Record, replayed: Replay, by: str) -> Iterator[Spot]:
    for turn, path, data, before in turns(record, replayed):
        if data["collect"]["by"] == by:
            yield Spot(turn, f"{path}.collect", data["collect"], before)


def by_time(record: Record, replayed: Replay) -> Iterator[Spot]:
    return _collects(record, replayed, "time")


def by_chaos(record: Record, replayed: Replay) -> Iterator[Spot]:
    return _collects(record, replayed, "chaos")


def moves(rule: str, *values: Any) -> None:
    for value in values:

        def spoil(collect, _, value=value):
            collect["moves"] = value

        spoil.__name__ = f"moves={value!r}"[:60]
        mistake(rule, by_time, ".moves")(spoil)


moves("one_direction", [[3, -1], 1, 0], [5, 0], [2, 2, 1, 0], [2.5, 2.5, 0], ["5", 0, 0])
moves("one_direction", [True, 4, 0], [None, 5, 0], [])
moves("movement_points", [0, 0, 0], [3, 3, 0], [5, -5, 5], [2, -2, 0], [10**17, 0, 0])


@mistake("took", by_time, ".took")
def the_other_way_round(collect, before):
    turned = [-move for move in collect["moves"]]
    other = [(hour + move) % 6 for hour, move in zip(before.hours, turned, strict=True)]
    if collect["took"] == [own[hour] for own, hour in zip(before.clusters, other, strict=True)]:
        return False
    collect["moves"] = turned


@mistake("chaos_returned", by_chaos, ".returned")
def a_star_one_does_not_have(collect, before):
    lacking = [star for star in STARS if not before.seat.reserve.of(star)]
    if not lacking:
        return False
    collect["returned"] = lacking[0]


@mistake("chaos_drew", by_chaos, ".drew")
def four_drawn(collect, _):
    if not collect["drew"]:
        return False
    collect["drew"].pop()


@mistake("bag_draw", by_chaos, ".drew")
def drawn_by_chaos_and_not_in_the_bag(collect, before):
    lacking = [star for star in STARS if not before.bag.of(star)]
    if not (lacking and collect["drew"]):
        return False
    collect["drew"][-1] = lacking[0]


@mistake("chaos_kept", by_chaos, ".kept")
def kept_and_not_drawn(collect, _):
    others = [star for star in STARS if star not in collect["drew"]]
    if not (collect["kept"] and others):
        return False
    collect["kept"][0] = others[0]
