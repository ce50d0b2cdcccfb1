"""Mistakes of what a black star sets off: indicator, boosted star, value token."""

from collections.abc import Iterator

from scorer.nebula.records import Replay
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import State
from tests.scorer.nebula_record_mistakes.placing import field, placings
from tests.scorer.nebula_record_mistakes.spoiling import Found, Record, after_turn, mistake


def blacks(record: Record, replayed: Replay) -> Iterator[tuple[int, int, Record, State]]:
    return (found for found in placings(record, replayed) if found[2]["star"] == "black")


@mistake("black_on_galaxy")
def a_black_star_on_the_galaxy(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in blacks(record, replayed):
        for key in ("slot", "indicator", "boosted", "value"):
            entry.pop(key, None)
        entry["space"] = "core"
        return field(number, place, "slot")
    return None


@mistake("track_full")
def an_eleventh_black_star(record: Record, replayed: Replay) -> Found:
    for number, turn in enumerate(record["turns"]):
        seat = after_turn(replayed, number).seat
        if seat.galaxy.black == 10 and seat.reserve.black:
            turn["placed"] = [{"star": "black", "slot": 11, "indicator": 18}]
            return field(number, 0, "slot")
    return None


@mistake("track_slot")
def a_slot_left_out(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in blacks(record, replayed):
        entry["slot"] += 1
        return field(number, place, "slot")
    return None


@mistake("indicator")
def the_indicator_forgotten(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in blacks(record, replayed):
        entry["indicator"] -= 1
        return field(number, place, "indicator")
    return None


@mistake("indicator")
def the_indicator_beyond_its_end(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in blacks(record, replayed):
        if before.indicator == 18:
            entry["indicator"] = 19
            return field(number, place, "indicator")
    return None


def boosts(record: Record, replayed: Replay) -> Iterator[tuple[int, int, Record, State]]:
    return (found for found in blacks(record, replayed) if found[2].get("boosted"))


@mistake("boosted_due")
def the_boosted_star_forgotten(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in boosts(record, replayed):
        del entry["boosted"]
        return field(number, place, "boosted")
    return None


@mistake("boosted_due")
def the_boosted_star_replaced_for_nothing(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in blacks(record, replayed):
        if not entry.get("boosted"):
            old = before.boosted
            entry["boosted"] = {"from": "none", "drew": [], "back": [], "new": old}
            return field(number, place, "boosted")
    return None


@mistake("boosted_source")
def the_old_boosted_star_kept(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in boosts(record, replayed):
        if entry["boosted"]["from"] == "bag":
            entry["boosted"] = {"from": "none", "drew": [], "back": [], "new": before.boosted}
            return field(number, place, "boosted.from")
    return None


@mistake("boosted_source")
def the_reserve_by_the_spanish_book(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in boosts(record, replayed):
        kinds = before.seat.reserve.minus("black").kinds
        if record["rules"] == "es" and kinds:
            entry["boosted"] = {"from": "reserve", "drew": [], "back": [], "new": kinds[0]}
            return field(number, place, "boosted.from")
    return None


@mistake("not_in_reserve")
def a_boosted_star_that_one_does_not_have(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in boosts(record, replayed):
        held = before.seat.reserve.minus("black").kinds
        lacking = [star for star in STARS if star not in held]
        if record["rules"] == "cs" and lacking:
            entry["boosted"] = {"from": "reserve", "drew": [], "back": [], "new": lacking[0]}
            return field(number, place, "boosted.new")
    return None


@mistake("boosted_draw")
def a_star_drawn_that_does_not_lie_there(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in boosts(record, replayed):
        boosted = entry["boosted"]
        if boosted["from"] == "bag":
            boosted["new"] = next(star for star in STARS if star != boosted["new"])
            return field(number, place, "boosted.drew")
    return None


@mistake("boosted_draw")
def the_old_colour_drawn(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in boosts(record, replayed):
        if entry["boosted"]["from"] == "bag":
            entry["boosted"] |= {"drew": [before.boosted], "new": before.boosted, "back": []}
            return field(number, place, "boosted.drew")
    return None


@mistake("boosted_draw")
def nothing_drawn(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in boosts(record, replayed):
        if entry["boosted"]["from"] == "bag":
            entry["boosted"] |= {"drew": [], "back": []}
            return field(number, place, "boosted.drew")
    return None


@mistake("boosted_draw")
def another_star_put_back(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in boosts(record, replayed):
        boosted = entry["boosted"]
        if boosted["from"] == "bag":
            wrong = next(star for star in STARS if star not in (before.boosted, boosted["new"]))
            boosted |= {"drew": [wrong, *boosted["drew"]], "back": [wrong, *boosted["back"]]}
            return field(number, place, "boosted.drew")
    return None


@mistake("boosted_draw")
def drawn_although_of_the_reserve(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in boosts(record, replayed):
        if entry["boosted"]["from"] == "reserve":
            entry["boosted"]["drew"] = [entry["boosted"]["new"]]
            return field(number, place, "boosted.drew")
    return None


@mistake("bag_draw")
def a_boosted_star_that_is_not_in_the_bag(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in boosts(record, replayed):
        lacking = [s for s in STARS if not before.bag.of(s) and s != before.boosted]
        if entry["boosted"]["from"] == "bag" and lacking:
            entry["boosted"] |= {"drew": lacking[:1], "back": [], "new": lacking[0]}
            return field(number, place, "boosted.drew")
    return None


@mistake("value_due")
def a_value_token_forgotten(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in blacks(record, replayed):
        if entry.get("value"):
            entry["value"] = None
            return field(number, place, "value")
    return None


@mistake("value_due")
def a_value_token_in_intro(record: Record, replayed: Replay) -> Found:
    for number, place, entry, _ in blacks(record, replayed):
        if record["mode"] == "intro":
            entry["value"] = {"token": "I", "square": 1, "on": []}
            return field(number, place, "value")
    return None


@mistake("value_due")
def a_value_token_with_the_indicator_at_its_end(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in blacks(record, replayed):
        if before.indicator == 18 and record["rules"] == "cs" and record["mode"] == "full":
            square = before.values.at.get("I", 0) + 1
            pile = before.values.pile("I", square)
            entry["value"] = {"token": "I", "square": square, "on": list(pile)}
            return field(number, place, "value")
    return None


@mistake("value_due")
def a_value_token_skipped_by_the_spanish_book(record: Record, replayed: Replay) -> Found:
    for number, place, entry, before in blacks(record, replayed):
        if before.indicator == 18 and entry.get("value"):
            del entry["value"]
            return field(number, place, "value")
    return None


def values(record: Record, replayed: Replay) -> Iterator[tuple[int, int, Record, State]]:
    for number, place, entry, before in blacks(record, replayed):
        if entry.get("value"):
            yield number, place, entry["value"], before


@mistake("value_token")
def a_token_that_is_not(record: Record, replayed: Replay) -> Found:
    for number, place, value, _ in values(record, replayed):
        value["token"] = "V"
        return field(number, place, "value.token")
    return None


@mistake("value_end")
def a_token_at_its_end(record: Record, replayed: Replay) -> Found:
    for number, place, value, before in values(record, replayed):
        ended = [token for token, square in before.values.at.items() if square == 8]
        if ended:
            value |= {"token": ended[0], "square": 9, "on": []}
            return field(number, place, "value.token")
    return None


@mistake("value_square")
def two_squares_on(record: Record, replayed: Replay) -> Found:
    for number, place, value, _ in values(record, replayed):
        value["square"] += 1
        return field(number, place, "value.square")
    return None


@mistake("value_pile")
def a_pile_forgotten(record: Record, replayed: Replay) -> Found:
    for number, place, value, _ in values(record, replayed):
        if value["on"]:
            value["on"] = []
            return field(number, place, "value.on")
    return None


@mistake("value_pile")
def a_pile_upside_down(record: Record, replayed: Replay) -> Found:
    for number, place, value, _ in values(record, replayed):
        if len(value["on"]) > 1:
            value["on"].reverse()
            return field(number, place, "value.on")
    return None


@mistake("value_pile")
def a_token_on_itself(record: Record, replayed: Replay) -> Found:
    for number, place, value, _ in values(record, replayed):
        value["on"].append(value["token"])
        return field(number, place, "value.on")
    return None
