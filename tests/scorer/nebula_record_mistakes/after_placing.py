"""Mistakes of claims, refilling, and the table after a turn."""

from collections.abc import Iterator

from scorer.nebula.records import Replay
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Phase
from tests.scorer.nebula_record_mistakes.spoiling import Found, Record, mistake

# claims


def claims(record: Record) -> Iterator[tuple[int, int, Record]]:
    for number, turn in enumerate(record["turns"]):
        for place, claim in enumerate(turn["claims"]):
            yield number, place, claim


@mistake("claim_card")
def a_card_not_on_the_table(record: Record, replayed: Replay) -> Found:
    absent = next(f"V{n}" for n in range(1, 21) if f"V{n}" not in record["career"])
    record["turns"][2]["claims"].insert(0, {"card": absent, "place": "first"})
    return 3, "turns[2].claims[0]"


@mistake("claim_twice")
def a_card_claimed_twice(record: Record, replayed: Replay) -> Found:
    for number, place, claim in claims(record):
        record["turns"][number]["claims"].insert(place + 1, dict(claim))
        return number + 1, f"turns[{number}].claims[{place + 1}]"
    return None


@mistake("claim_twice")
def a_card_claimed_again_in_a_later_turn(record: Record, replayed: Replay) -> Found:
    players = len(record["players"])
    for number, _, claim in claims(record):
        later = number + players
        if later < len(record["turns"]):
            record["turns"][later]["claims"].insert(0, {**claim, "place": "later"})
            return later + 1, f"turns[{later}].claims[0]"
    return None


@mistake("claim_not_met")
def a_card_that_is_not_fulfilled(record: Record, replayed: Replay) -> Found:
    record["turns"][0]["claims"].append({"card": record["career"][0], "place": "first"})
    return 1, "turns[0].claims[0]"


@mistake("claim_place")
def first_said_later(record: Record, replayed: Replay) -> Found:
    for number, place, claim in claims(record):
        if claim["place"] == "first":
            claim["place"] = "later"
            return number + 1, f"turns[{number}].claims[{place}]"
    return None


@mistake("claim_place")
def later_said_first(record: Record, replayed: Replay) -> Found:
    for number, place, claim in claims(record):
        if claim["place"] == "later":
            claim["place"] = "first"
            return number + 1, f"turns[{number}].claims[{place}]"
    return None


@mistake("claim_missed")
def a_fulfilled_card_not_claimed(record: Record, replayed: Replay) -> Found:
    for number, place, _ in claims(record):
        del record["turns"][number]["claims"][place]
        return number + 1, f"turns[{number}].claims"
    return None


# refilling


def refills(record: Record) -> Iterator[tuple[int, list[Record]]]:
    for number, turn in enumerate(record["turns"]):
        if len(turn["refill"]) > 1:
            yield number, turn["refill"]


@mistake("refill_space")
def a_full_space_refilled(record: Record, replayed: Replay) -> Found:
    for number, refill in refills(record):
        refill.append({"cluster": 0, "space": 7, "star": "red"})
        return number + 1, f"turns[{number}].refill[{len(refill) - 1}]"
    return None


@mistake("refill_space")
def a_space_refilled_twice(record: Record, replayed: Replay) -> Found:
    for number, refill in refills(record):
        refill.insert(1, dict(refill[0]))
        return number + 1, f"turns[{number}].refill[1]"
    return None


@mistake("refill_space")
def a_cluster_with_enough_stars_refilled(record: Record, replayed: Replay) -> Found:
    for number, turn in enumerate(record["turns"]):
        if not turn["refill"]:
            turn["refill"].append({"cluster": 1, "space": 0, "star": "red"})
            return number + 1, f"turns[{number}].refill[0]"
    return None


@mistake("refill_order")
def refilled_from_the_back(record: Record, replayed: Replay) -> Found:
    for number, refill in refills(record):
        refill.reverse()
        return number + 1, f"turns[{number}].refill"
    return None


@mistake("refill_missing")
def a_space_left_empty(record: Record, replayed: Replay) -> Found:
    for number, refill in refills(record):
        refill.pop()
        return number + 1, f"turns[{number}].refill"
    return None


@mistake("refill_missing")
def a_turn_without_its_refill(record: Record, replayed: Replay) -> Found:
    for number, refill in refills(record):
        refill.clear()
        return number + 1, f"turns[{number}].refill"
    return None


@mistake("bag_draw")
def a_star_refilled_that_is_not_in_the_bag(record: Record, replayed: Replay) -> Found:
    for number, refill in refills(record):
        before = [s for s in replayed.states if s.turn == number + 1 and s.phase is Phase.REFILL]
        lacking = [star for star in STARS if not before[0].bag.of(star)]
        if lacking:
            refill[0]["star"] = lacking[0]
            return number + 1, f"turns[{number}].refill"
    return None


# after the turn


@mistake("accounting")
def a_star_too_many(record: Record, replayed: Replay) -> Found:
    record["turns"][6]["after"]["bag"]["red"] += 1
    return 7, "turns[6].after"


@mistake("accounting")
def a_star_lost(record: Record, replayed: Replay) -> Found:
    record["turns"][6]["after"]["box"]["black"] -= 1
    return 7, "turns[6].after"


@mistake("after")
def a_star_in_the_bag_that_is_in_the_box(record: Record, replayed: Replay) -> Found:
    after = record["turns"][6]["after"]
    after["bag"]["red"] -= 1
    after["box"]["red"] += 1
    return 7, "turns[6].after.bag"


@mistake("after")
def a_marker_elsewhere(record: Record, replayed: Replay) -> Found:
    hours = record["turns"][6]["after"]["hours"]
    hours[1] = (hours[1] + 1) % 6
    return 7, "turns[6].after.hours"


@mistake("after")
def a_marker_forgotten(record: Record, replayed: Replay) -> Found:
    record["turns"][6]["after"]["hours"].pop()
    return 7, "turns[6].after.hours"


@mistake("after")
def another_boosted_star(record: Record, replayed: Replay) -> Found:
    after = record["turns"][6]["after"]
    after["boosted"] = next(star for star in STARS if star != after["boosted"])
    return 7, "turns[6].after.boosted"
