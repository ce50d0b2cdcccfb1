"""For every rule of the contract a record that breaks it, and it alone is named."""

import copy
import json
import random
import re
from itertools import product

import pytest

from scorer.nebula.records import replay
from scorer.nebula.simulation import simulate
from scorer.nebula.turns.actions import AdvanceToken, InvestTime, PlaceOnTrack, TurnToChaos
from scorer.nebula.turns.collecting import hours_after, stars_at
from scorer.nebula.turns.state import Phase, Rules
from scorer.records import RecordError
from tests.conftest import in_full
from tests.scorer.nebula_record_mistakes import MISTAKES
from tests.scorer.nebula_record_second_opinion import referee
from tests.scorer.nebula_tables import recorded

RULES = [
    "json", "header", "players", "personal", "career_cards", "advanced_cards", "bag",
    "setup_clusters", "setup_hours", "setup_boosted", "setup_reserves", "bag_draw", "shape",
    "game_over", "turn_order", "one_direction", "movement_points", "took", "chaos_returned",
    "chaos_drew", "chaos_kept", "placed_count", "distinct_colours", "not_in_reserve",
    "colour_on_track", "unknown_space", "first_on_core", "not_linked", "same_colour_link",
    "replaced", "black_on_galaxy", "track_full", "track_slot", "indicator", "boosted_due",
    "boosted_source", "boosted_draw", "value_due", "value_token", "value_end", "value_square",
    "value_pile", "claim_card", "claim_twice", "claim_not_met", "claim_place", "claim_missed",
    "refill_space", "refill_order", "refill_missing", "accounting", "after", "not_over",
    "round_unfinished", "end_noticed", "end_reasons", "end_rounds", "end_values", "final_header",
    "final_players", "final_lines", "final_total", "final_black", "final_provisional",
    "final_ranking",
]  # fmt: skip
"""The contract's rule ids, in the order of its table."""
FIRST = {
    "placed": "not_in_reserve",
    "claims": "claim_card",
    "refill": "refill_space",
    "final.players": "final_lines",
}
"""The first rows of what is checked one by one."""


def hoarder(state, actions, mind):
    """All collect black stars; the last player places none before the indicator is at its end."""
    if state.phase is Phase.COLLECT:
        chaos = [a for a in actions if isinstance(a, TurnToChaos) and a.returned != "black"]
        times = [a for a in actions if isinstance(a, InvestTime)]

        def blacks(action):
            return stars_at(state, hours_after(state, action.moves)).count("black")

        best = max(times, key=blacks)
        return best if blacks(best) or not chaos else chaos[0]
    if state.phase is Phase.KEEP:
        return max(actions, key=lambda action: action.stars.count("black"))
    if state.phase is Phase.PLACE:
        waits = state.player == state.rules.players - 1 and state.indicator < 18
        return PlaceOnTrack() if PlaceOnTrack() in actions and not waits else actions[-1]
    if state.phase is Phase.TOKEN:
        return max(actions, key=lambda a: a == AdvanceToken("red"))
    return mind.choice(actions)


@pytest.fixture(scope="module")
def legal():
    """Legal records with their replays, in which every rule has its place to be broken."""
    records = [
        simulate(Rules(2, "full", "cs"), ["random"], 1, 0),
        simulate(Rules(2, "full", "es"), ["random"], 1, 1),
        simulate(Rules(3, "intro", "cs"), ["random"], 1, 2),
        simulate(Rules(4, "full", "es"), ["greedy", "remodeller"], 1, 3),
        simulate(Rules(4, "full", "cs"), ["greedy"], 1, 4),
        simulate(Rules(4, "full", "cs"), ["remodeller"], 1, 5),
        *[recorded(Rules(3, "full", "cs"), seed, hoarder) for seed in (6, 21)],
        *[recorded(Rules(3, "full", "es"), seed, hoarder) for seed in (2, 10)],
        *[simulate(Rules(2, "full", "cs"), ["random"], 2, index) for index in range(12)],
    ]
    return [(record, replay(record)) for record in records]


OF_A_TURN = set(RULES[RULES.index("turn_order") : RULES.index("not_over")])
ONE_A_RULE = {rule: (rule, spoil) for rule, spoil in MISTAKES}.values()
TRIED = in_full(MISTAKES, *ONE_A_RULE)


@pytest.mark.parametrize(
    ("rule", "spoil"), TRIED, ids=[f"{rule}-{spoil.__name__}" for rule, spoil in TRIED]
)
def test_a_mistake_is_named_by_rule_turn_and_field(rule, spoil, legal):
    for record, replayed in legal:
        bad = copy.deepcopy(record)
        found = spoil(bad, replayed)
        if found is not None:
            break
    else:
        pytest.fail("no record has a place for this mistake")
    turn, field = found
    with pytest.raises(RecordError) as caught:
        replay(json.loads(json.dumps(bad)))
    error = caught.value
    assert (error.rule, error.turn) == (rule, turn), error
    if rule == "shape" and turn and field != "turns":
        assert error.field.startswith(field)  # and goes on to where in the turn
    else:
        assert error.field == field
    assert error.reason
    assert "\n" not in error.reason
    if rule in OF_A_TURN:
        with pytest.raises(Exception):  # noqa: B017  # it asserts, or finds nothing to take
            referee(bad)


def test_every_rule_has_its_mistake():
    assert {rule for rule, _ in MISTAKES} | {"json"} == set(RULES)
    assert len(RULES) == len(set(RULES))


def in_order(mistake):
    """Where the contract's table has a mistake: a star has all its rows, then the next star."""
    rule, (turn, field) = mistake
    row = RULES.index(rule)
    item = re.search(r"(placed|claims|refill|final.players)\[(\d+)\]", field)
    block, number = (RULES.index(FIRST[item[1]]), int(item[2])) if item else (row, 0)
    return (row >= RULES.index("not_over"), turn, block, number, row)


@pytest.mark.parametrize("apart", in_full((1, 2, 4), 1))
def test_the_first_failing_check_is_named(legal, apart):
    """Of two mistakes so many rows apart, the one that the contract's table has first."""
    record, replayed = legal[0]
    compared = 0
    for both in product(MISTAKES[::-1], MISTAKES):
        rows = [RULES.index(rule) for rule, _ in both]
        if rows[0] - rows[1] != apart or "json" in both[1] or any("shape" in one for one in both):
            continue
        bad = copy.deepcopy(record)
        try:
            found = [(rule, spoil(bad, replayed)) for rule, spoil in both]
        except (LookupError, TypeError, RuntimeError, AssertionError, AttributeError):
            continue  # the first mistake has left the second no place
        if any(where is None or where[0] > len(bad["turns"]) for _, where in found):
            continue
        if in_order(found[0])[:4] == in_order(found[1])[:4]:
            continue  # both in one place: the second has overwritten the first
        first = min(found, key=in_order)
        with pytest.raises(RecordError) as caught:
            replay(bad)
        compared += 1
        assert (caught.value.rule, caught.value.turn) == (first[0], first[1][0]), found
    assert compared > 40


JUNK = [None, True, -1, 7, 10**17, 1.5, "", "red", "core", [], {}, [None], ["red"], {"red": 1}]


def places(data, way=()):
    """The ways to every value in data."""
    inside = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inside:
        yield (*way, key)
        if isinstance(value, dict | list):
            yield from places(value, (*way, key))


def test_whatever_stands_anywhere_is_refused_or_legal(legal):
    """Nothing but a RecordError comes of junk in any place of a record."""
    mind = random.Random(8)
    refused, tried = 0, 30
    for record, _ in [legal[0], legal[2], legal[3]]:
        ways = list(places(record))
        for way in mind.sample(ways, tried):
            bad = copy.deepcopy(record)
            at = bad
            for key in way[:-1]:
                at = at[key]
            at[way[-1]] = mind.choice(JUNK)
            try:
                replay(bad)
            except RecordError as error:
                refused += 1
                assert error.rule in RULES
    assert refused > 2 * tried - 10
