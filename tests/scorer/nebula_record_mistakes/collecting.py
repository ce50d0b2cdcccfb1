"""Mistakes of a turn's shape and order, and of how stars are collected."""

from collections.abc import Iterator
from typing import Any

from scorer.nebula.records import Replay
from scorer.nebula.turns.stars import STARS
from tests.scorer.nebula_record_mistakes.spoiling import (
    MISSING,
    MISTAKES,
    Found,
    Record,
    after_turn,
    mistake,
)


def turn_shape(path: str, *values: Any) -> None:
    for value in values:

        def spoil(record: Record, replayed: Replay, value: Any = value) -> Found:
            for number, turn in enumerate(record["turns"]):
                at: Any = turn
                *way, last = (int(key) if key.isdecimal() else key for key in path.split("."))
                try:
                    for key in way:
                        at = at[key]
                    at[last]
                except (KeyError, IndexError, TypeError):
                    continue
                if value is MISSING:
                    del at[last]
                else:
                    at[last] = value
                return number + 1, f"turns[{number}]"
            return None

        spoil.__name__ = f"{path}={value!r}"[:60]
        MISTAKES.append(("shape", spoil))


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
def a_turn_that_is_a_word(record: Record, replayed: Replay) -> Found:
    record["turns"][2] = "pass"
    return 3, "turns[2]"


@mistake("shape")
def turns_that_are_no_list(record: Record, replayed: Replay) -> Found:
    record["turns"] = {"0": record["turns"][0]}
    return 0, "turns"


@mistake("game_over")
def a_turn_after_the_last(record: Record, replayed: Replay) -> Found:
    turns = record["turns"]
    turns.append(turns[-len(record["players"])])
    return len(turns), f"turns[{len(turns) - 1}]"


@mistake("turn_order")
def somebody_elses_turn(record: Record, replayed: Replay) -> Found:
    record["turns"][4]["player"] = (record["turns"][4]["player"] + 1) % 2
    return 5, "turns[4].player"


@mistake("turn_order")
def a_turn_left_out(record: Record, replayed: Replay) -> Found:
    del record["turns"][4]
    return 5, "turns[4].player"


# collecting


def by(record: Record, how: str) -> Iterator[tuple[int, Record]]:
    for number, turn in enumerate(record["turns"]):
        if turn["collect"]["by"] == how:
            yield number, turn["collect"]


def moves(rule: str, *values: Any) -> None:
    for value in values:

        def spoil(record: Record, replayed: Replay, value: Any = value) -> Found:
            number, collect = next(by(record, "time"))
            collect["moves"] = value
            return number + 1, f"turns[{number}].collect.moves"

        spoil.__name__ = f"moves={value!r}"[:60]
        MISTAKES.append((rule, spoil))


moves("one_direction", [[3, -1], 1, 0], [5, 0], [2, 2, 1, 0], [2.5, 2.5, 0], ["5", 0, 0])
moves("one_direction", [True, 4, 0], [None, 5, 0], [])
moves("movement_points", [0, 0, 0], [3, 3, 0], [5, -5, 5], [2, -2, 0], [10**17, 0, 0])


@mistake("took")
def a_star_not_taken(record: Record, replayed: Replay) -> Found:
    for number, collect in by(record, "time"):
        for cluster, star in enumerate(collect["took"]):
            if star:
                collect["took"][cluster] = None
                return number + 1, f"turns[{number}].collect.took"
    return None


@mistake("took")
def a_star_too_few(record: Record, replayed: Replay) -> Found:
    number, collect = next(by(record, "time"))
    collect["took"] = collect["took"][:2]
    return number + 1, f"turns[{number}].collect.took"


@mistake("took")
def the_other_way_round(record: Record, replayed: Replay) -> Found:
    for number, collect in by(record, "time"):
        state = after_turn(replayed, number)
        turned = [-move for move in collect["moves"]]
        other = [(hour + move) % 6 for hour, move in zip(state.hours, turned, strict=True)]
        lying = [own[hour] for own, hour in zip(state.clusters, other, strict=True)]
        if lying != collect["took"]:
            collect["moves"] = turned
            return number + 1, f"turns[{number}].collect.took"
    return None


@mistake("chaos_returned")
def a_star_one_does_not_have(record: Record, replayed: Replay) -> Found:
    for number, collect in by(record, "chaos"):
        reserve = after_turn(replayed, number).seat.reserve
        lacking = [star for star in STARS if not reserve.of(star)]
        if lacking:
            collect["returned"] = lacking[0]
            return number + 1, f"turns[{number}].collect.returned"
    return None


@mistake("chaos_drew")
def four_drawn(record: Record, replayed: Replay) -> Found:
    for number, collect in by(record, "chaos"):
        if collect["drew"]:
            collect["drew"].pop()
            return number + 1, f"turns[{number}].collect.drew"
    return None


@mistake("bag_draw")
def drawn_by_chaos_and_not_in_the_bag(record: Record, replayed: Replay) -> Found:
    for number, collect in by(record, "chaos"):
        bag = after_turn(replayed, number).bag
        lacking = [star for star in STARS if not bag.of(star)]
        if lacking and collect["drew"]:
            collect["drew"][-1] = lacking[0]
            return number + 1, f"turns[{number}].collect.drew"
    return None


@mistake("chaos_kept")
def one_kept(record: Record, replayed: Replay) -> Found:
    for number, collect in by(record, "chaos"):
        if len(collect["kept"]) == 2:
            collect["kept"].pop()
            return number + 1, f"turns[{number}].collect.kept"
    return None


@mistake("chaos_kept")
def kept_and_not_drawn(record: Record, replayed: Replay) -> Found:
    for number, collect in by(record, "chaos"):
        others = [star for star in STARS if star not in collect["drew"]]
        if collect["kept"] and others:
            collect["kept"][0] = others[0]
            return number + 1, f"turns[{number}].collect.kept"
    return None
