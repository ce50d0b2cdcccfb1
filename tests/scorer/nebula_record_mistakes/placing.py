"""Mistakes of the stars placed on galaxies and tracks."""

from collections.abc import Iterator

from scorer.nebula.records import Replay
from scorer.nebula.turns.actions import Place, PlaceOnTrack
from scorer.nebula.words import COLOURS
from tests.scorer.nebula_record_mistakes.spoiling import Record, Spot, mistake, turns


def placings(record: Record, replayed: Replay) -> Iterator[Spot]:
    states = iter(zip(replayed.states, replayed.moments, strict=False))
    for number, turn in enumerate(record["turns"]):
        for place, entry in enumerate(turn["placed"]):
            before = next(s for s, m in states if isinstance(m.action, Place | PlaceOnTrack))
            assert before.turn == number + 1
            yield Spot(number + 1, f"turns[{number}].placed[{place}]", entry, before)


def coloured(record: Record, replayed: Replay) -> Iterator[Spot]:
    return (spot for spot in placings(record, replayed) if spot.data["star"] != "black")


def first_placings(record: Record, replayed: Replay) -> Iterator[Spot]:
    return (spot for spot in placings(record, replayed) if spot.path.endswith("[0]"))


@mistake("placed_count", turns, ".placed")
def a_third_star_without_the_boosted_colour(turn, before):
    if before.boosted in [entry["star"] for entry in turn["placed"]]:
        return False
    others = [star for star in COLOURS if star != before.boosted]
    turn["placed"] = [{"star": star, "space": "core"} for star in others[:3]]


@mistake("distinct_colours")
def a_colour_twice(record, _):
    record["turns"][1]["placed"] = [{"star": "red", "space": "core"}] * 2
    return 2, "turns[1].placed"


@mistake("not_in_reserve", first_placings, ".star")
def a_star_not_in_the_reserve(entry, before):
    lacking = [star for star in COLOURS if not before.seat.reserve.of(star)]
    lacking = [star for star in lacking if star != before.governing]
    if not lacking or entry["star"] == before.governing:
        return False
    entry["star"] = lacking[0]
    entry.setdefault("space", "core")
    for key in ("slot", "indicator", "boosted", "value"):
        entry.pop(key, None)


@mistake("colour_on_track", coloured, ".space")
def a_coloured_star_on_the_track(entry, _):
    del entry["space"]
    entry |= {"slot": 1, "indicator": 1}


@mistake("unknown_space", coloured, ".space")
def a_space_that_is_not(entry, before):
    if before.turn <= 10:
        return False
    entry["space"] = "ar7"


@mistake("first_on_core", coloured, ".space")
def the_first_star_elsewhere(entry, before):
    if before.seat.galaxy.stars:
        return False
    entry["space"] = "ar1"


@mistake("not_linked", coloured, ".space")
def a_space_too_far(entry, before):
    galaxy = before.seat.galaxy
    near = {n for s in galaxy.stars for n in galaxy.board.neighbours(s)}
    far = [s for s in galaxy.board.spaces if s not in near and s not in galaxy.stars]
    if not galaxy.stars or not far:
        return False
    entry["space"] = far[0]


@mistake("same_colour_link", placings, ".space")
def two_of_a_colour_linked(entry, before):
    galaxy = before.seat.galaxy
    alike = [*galaxy.where(entry["star"])]
    if not alike:
        return False
    entry["space"] = min(galaxy.board.neighbours(alike[0]))


@mistake("replaced", placings, ".replaced")
def an_old_star_forgotten(entry, _):
    return bool(entry.pop("replaced", None))


@mistake("replaced", placings, ".replaced")
def an_old_star_made_up(entry, _):
    if "replaced" in entry:
        return False
    entry["replaced"] = "red"
