"""Mistakes of the stars placed on galaxies and tracks."""

from collections.abc import Iterator

from scorer.nebula.records import Replay
from scorer.nebula.turns.actions import Place, PlaceOnTrack
from scorer.nebula.turns.state import State
from scorer.nebula.words import COLOURS
from tests.scorer.nebula_record_mistakes.spoiling import Found, Record, after_turn, mistake


def placings(record: Record, replayed: Replay) -> Iterator[tuple[int, int, Record, State]]:
    """Each star placed: its turn and place from 0, its entry, and the state before it."""
    states = iter(zip(replayed.states, replayed.moments, strict=False))
    for number, turn in enumerate(record["turns"]):
        for place, entry in enumerate(turn["placed"]):
            before = next(s for s, m in states if isinstance(m.action, Place | PlaceOnTrack))
            assert before.turn == number + 1
            yield number, place, entry, before


def field(number: int, place: int, key: str) -> tuple[int, str]:
    return number + 1, f"turns[{number}].placed[{place}].{key}"


@mistake("placed_count")
def a_third_star_without_the_boosted_colour(record: Record, replayed: Replay) -> Found:
    for number, turn in enumerate(record["turns"]):
        governing = after_turn(replayed, number).boosted
        if governing not in [entry["star"] for entry in turn["placed"]]:
            others = [star for star in COLOURS if star != governing]
            turn["placed"] = [{"star": star, "space": "core"} for star in others[:3]]
            return number + 1, f"turns[{number}].placed"
    return None


@mistake("placed_count")
def a_fourth_star(record: Record, replayed: Replay) -> Found:
    governing = after_turn(replayed, 1).boosted
    four = [governing, *[star for star in COLOURS if star != governing][:3]]
    record["turns"][1]["placed"] = [{"star": star, "space": "core"} for star in four]
    return None if governing == "black" else (2, "turns[1].placed")


@mistake("distinct_colours")
def a_colour_twice(record: Record, replayed: Replay) -> Found:
    record["turns"][1]["placed"] = [{"star": "red", "space": "core"}] * 2
    return 2, "turns[1].placed"


@mistake("distinct_colours")
def black_twice(record: Record, replayed: Replay) -> Found:
    record["turns"][1]["placed"] = [{"star": "black", "slot": 1, "indicator": 1}] * 2
    return 2, "turns[1].placed"


@mistake("not_in_reserve")
def a_star_not_in_the_reserve(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in placings(record, replayed):
        lacking = [star for star in COLOURS if not before.seat.reserve.of(star)]
        lacking = [star for star in lacking if star != before.governing]
        if lacking and place == 0 and entry["star"] != before.governing:
            entry["star"] = lacking[0]
            entry.setdefault("space", "core")
            for key in ("slot", "indicator", "boosted", "value"):
                entry.pop(key, None)
            return field(number, place, "star")
    return None


@mistake("colour_on_track")
def a_coloured_star_on_the_track(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in placings(record, replayed):
        if entry["star"] != "black":
            del entry["space"]
            entry |= {"slot": 1, "indicator": 1}
            return field(number, place, "space")
    return None


@mistake("colour_on_track")
def a_coloured_star_in_both_places(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in placings(record, replayed):
        if entry["star"] != "black":
            entry["slot"] = 1
            return field(number, place, "space")
    return None


@mistake("unknown_space")
def a_space_that_is_not(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in placings(record, replayed):
        if entry["star"] != "black" and number > 9:
            entry["space"] = "ar7"
            return field(number, place, "space")
    return None


@mistake("first_on_core")
def the_first_star_elsewhere(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in placings(record, replayed):
        if entry["star"] != "black" and not before.seat.galaxy.stars:
            entry["space"] = "ar1"
            return field(number, place, "space")
    return None


@mistake("not_linked")
def a_space_too_far(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in placings(record, replayed):
        galaxy = before.seat.galaxy
        if entry["star"] == "black" or not galaxy.stars:
            continue
        near = {n for s in galaxy.stars for n in galaxy.board.neighbours(s)}
        far = [s for s in galaxy.board.spaces if s not in near and s not in galaxy.stars]
        if far:
            entry["space"] = far[0]
            return field(number, place, "space")
    return None


@mistake("same_colour_link")
def two_of_a_colour_linked(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in placings(record, replayed):
        galaxy = before.seat.galaxy
        for space in galaxy.where(entry["star"]):
            entry["space"] = min(galaxy.board.neighbours(space))
            return field(number, place, "space")
    return None


@mistake("replaced")
def an_old_star_forgotten(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in placings(record, replayed):
        if entry.pop("replaced", None):
            return field(number, place, "replaced")
    return None


@mistake("replaced")
def an_old_star_made_up(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in placings(record, replayed):
        if "replaced" not in entry:
            entry["replaced"] = "red"
            return field(number, place, "replaced")
    return None
