"""Mistakes of what a black star sets off: indicator, boosted star, value token."""

from collections.abc import Iterator

from scorer.nebula.records import Replay
from scorer.nebula.turns.stars import STARS
from tests.scorer.nebula_record_mistakes.placing import placings
from tests.scorer.nebula_record_mistakes.spoiling import Record, Spot, after_turn, mistake


def blacks(record: Record, replayed: Replay) -> Iterator[Spot]:
    return (spot for spot in placings(record, replayed) if spot.data["star"] == "black")


def blacks_at_the_end(record: Record, replayed: Replay) -> Iterator[Spot]:
    return (spot for spot in blacks(record, replayed) if spot.before.indicator == 18)


@mistake("black_on_galaxy", blacks, ".slot")
def a_black_star_on_the_galaxy(entry, _):
    for key in ("slot", "indicator", "boosted", "value"):
        entry.pop(key, None)
    entry["space"] = "core"


@mistake("track_full")
def an_eleventh_black_star(record, replayed):
    for number, turn in enumerate(record["turns"]):
        seat = after_turn(replayed, number).seat
        if seat.galaxy.black == 10 and seat.reserve.black:
            turn["placed"] = [{"star": "black", "slot": 11, "indicator": 18}]
            return number + 1, f"turns[{number}].placed[0].slot"
    return None


@mistake("track_slot", blacks, ".slot")
def a_slot_left_out(entry, _):
    entry["slot"] += 1


@mistake("indicator", blacks, ".indicator")
def the_indicator_forgotten(entry, _):
    entry["indicator"] -= 1


def boosts(record: Record, replayed: Replay) -> Iterator[Spot]:
    return (spot for spot in blacks(record, replayed) if spot.data.get("boosted"))


def boosts_from_bag(record: Record, replayed: Replay) -> Iterator[Spot]:
    for turn, path, entry, before in boosts(record, replayed):
        if entry["boosted"]["from"] == "bag":
            yield Spot(turn, f"{path}.boosted", entry["boosted"], before)


@mistake("boosted_due", boosts, ".boosted")
def the_boosted_star_forgotten(entry, _):
    del entry["boosted"]


@mistake("boosted_source", boosts_from_bag, ".from")
def the_old_boosted_star_kept(boosted, before):
    boosted |= {"from": "none", "drew": [], "back": [], "new": before.boosted}


@mistake("boosted_source", boosts, ".boosted.from")
def the_reserve_by_the_spanish_book(entry, before):
    kinds = before.seat.reserve.minus("black").kinds
    if before.rules.book != "es" or not kinds:
        return False
    entry["boosted"] = {"from": "reserve", "drew": [], "back": [], "new": kinds[0]}


@mistake("not_in_reserve", boosts, ".boosted.new")
def a_boosted_star_that_one_does_not_have(entry, before):
    held = before.seat.reserve.minus("black").kinds
    lacking = [star for star in STARS if star not in held]
    if before.rules.book != "cs" or not lacking:
        return False
    entry["boosted"] = {"from": "reserve", "drew": [], "back": [], "new": lacking[0]}


@mistake("boosted_draw", boosts_from_bag, ".drew")
def a_star_drawn_that_does_not_lie_there(boosted, _):
    boosted["new"] = next(star for star in STARS if star != boosted["new"])


@mistake("boosted_draw", boosts_from_bag, ".drew")
def the_old_colour_drawn(boosted, before):
    boosted |= {"drew": [before.boosted], "new": before.boosted, "back": []}


@mistake("boosted_draw", boosts_from_bag, ".drew")
def another_star_put_back(boosted, before):
    wrong = next(star for star in STARS if star not in (before.boosted, boosted["new"]))
    boosted |= {"drew": [wrong, *boosted["drew"]], "back": [wrong, *boosted["back"]]}


@mistake("boosted_draw", boosts, ".boosted.drew")
def drawn_although_of_the_reserve(entry, _):
    if entry["boosted"]["from"] != "reserve":
        return False
    entry["boosted"]["drew"] = [entry["boosted"]["new"]]


@mistake("bag_draw", boosts_from_bag, ".drew")
def a_boosted_star_that_is_not_in_the_bag(boosted, before):
    lacking = [s for s in STARS if not before.bag.of(s) and s != before.boosted]
    if not lacking:
        return False
    boosted |= {"drew": lacking[:1], "back": [], "new": lacking[0]}


def values(record: Record, replayed: Replay) -> Iterator[Spot]:
    for turn, path, entry, before in blacks(record, replayed):
        if entry.get("value"):
            yield Spot(turn, f"{path}.value", entry["value"], before)


@mistake("value_due", blacks, ".value")
def a_value_token_forgotten(entry, _):
    if not entry.get("value"):
        return False
    entry["value"] = None


@mistake("value_due", blacks, ".value")
def a_value_token_in_intro(entry, before):
    if before.rules.mode != "intro":
        return False
    entry["value"] = {"token": "I", "square": 1, "on": []}


@mistake("value_due", blacks_at_the_end, ".value")
def a_value_token_with_the_indicator_at_its_end(entry, before):
    if (before.rules.book, before.rules.mode) != ("cs", "full"):
        return False
    square = before.values.at.get("I", 0) + 1
    pile = before.values.pile("I", square)
    entry["value"] = {"token": "I", "square": square, "on": list(pile)}


@mistake("value_due", blacks_at_the_end, ".value")
def a_value_token_skipped_by_the_spanish_book(entry, _):
    if not entry.get("value"):
        return False
    del entry["value"]


@mistake("value_token", values, ".token")
def a_token_that_is_not(value, _):
    value["token"] = "V"


@mistake("value_end", values, ".token")
def a_token_at_its_end(value, before):
    ended = [token for token, square in before.values.at.items() if square == 8]
    if not ended:
        return False
    value |= {"token": ended[0], "square": 9, "on": []}


@mistake("value_square", values, ".square")
def two_squares_on(value, _):
    value["square"] += 1


@mistake("value_pile", values, ".on")
def a_pile_forgotten(value, _):
    if not value["on"]:
        return False
    value["on"] = []
