"""Mistakes of claims, refilling, and the table after a turn."""

from collections.abc import Iterator

from scorer.nebula.records import Replay
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Phase
from tests.scorer.nebula_record_mistakes.spoiling import Record, Spot, mistake, turns

# claims


def claims(record: Record, replayed: Replay) -> Iterator[Spot]:
    for turn, path, data, before in turns(record, replayed):
        for place, claim in enumerate(data["claims"]):
            yield Spot(turn, f"{path}.claims[{place}]", claim, before)


@mistake("claim_card")
def a_card_not_on_the_table(record, _):
    absent = next(f"V{n}" for n in range(1, 21) if f"V{n}" not in record["career"])
    record["turns"][2]["claims"].insert(0, {"card": absent, "place": "first"})
    return 3, "turns[2].claims[0]"


@mistake("claim_twice", turns, ".claims[1]")
def a_card_claimed_twice(turn, _):
    if not turn["claims"]:
        return False
    turn["claims"].insert(1, dict(turn["claims"][0]))


@mistake("claim_twice")
def a_card_claimed_again_in_a_later_turn(record, replayed):
    players = len(record["players"])
    for turn, _, claim, _ in claims(record, replayed):
        later = turn - 1 + players
        if later < len(record["turns"]):
            record["turns"][later]["claims"].insert(0, {**claim, "place": "later"})
            return later + 1, f"turns[{later}].claims[0]"
    return None


@mistake("claim_not_met")
def a_card_that_is_not_fulfilled(record, _):
    record["turns"][0]["claims"].append({"card": record["career"][0], "place": "first"})
    return 1, "turns[0].claims[0]"


@mistake("claim_place", claims)
def first_said_later(claim, _):
    if claim["place"] != "first":
        return False
    claim["place"] = "later"


@mistake("claim_missed", turns, ".claims")
def a_fulfilled_card_not_claimed(turn, _):
    if not turn["claims"]:
        return False
    del turn["claims"][0]


# refilling


def refills(record: Record, replayed: Replay) -> Iterator[Spot]:
    for turn, path, data, before in turns(record, replayed):
        if len(data["refill"]) > 1:
            yield Spot(turn, f"{path}.refill", data["refill"], before)


@mistake("refill_space", refills, "[1]")
def a_space_refilled_twice(refill, _):
    refill.insert(1, dict(refill[0]))


@mistake("refill_space", turns, ".refill[0]")
def a_cluster_with_enough_stars_refilled(turn, _):
    if turn["refill"]:
        return False
    turn["refill"].append({"cluster": 1, "space": 0, "star": "red"})


@mistake("refill_order", refills)
def refilled_from_the_back(refill, _):
    refill.reverse()


@mistake("refill_missing", refills)
def a_space_left_empty(refill, _):
    refill.pop()


@mistake("bag_draw")
def a_star_refilled_that_is_not_in_the_bag(record, replayed):
    for turn, path, refill, _ in refills(record, replayed):
        before = [s for s in replayed.states if s.turn == turn and s.phase is Phase.REFILL]
        lacking = [star for star in STARS if not before[0].bag.of(star)]
        if lacking:
            refill[0]["star"] = lacking[0]
            return turn, path
    return None


# after the turn


@mistake("accounting")
def a_star_too_many(record, _):
    record["turns"][6]["after"]["bag"]["red"] += 1
    return 7, "turns[6].after"


@mistake("after")
def a_star_in_the_bag_that_is_in_the_box(record, _):
    after = record["turns"][6]["after"]
    after["bag"]["red"] -= 1
    after["box"]["red"] += 1
    return 7, "turns[6].after.bag"


@mistake("after")
def a_marker_elsewhere(record, _):
    hours = record["turns"][6]["after"]["hours"]
    hours[1] = (hours[1] + 1) % 6
    return 7, "turns[6].after.hours"


@mistake("after")
def another_boosted_star(record, _):
    after = record["turns"][6]["after"]
    after["boosted"] = next(star for star in STARS if star != after["boosted"])
    return 7, "turns[6].after.boosted"
