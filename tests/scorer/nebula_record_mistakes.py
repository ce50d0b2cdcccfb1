"""Ways to spoil a legal record, each with the rule, the turn and the field that must be named.

A mistake is a function of a record (its own copy, to be spoilt) and its replay (of the legal one).
It gives the turn and the field, or None where the record has no such place to spoil.
"""

from collections.abc import Callable, Iterator
from typing import Any

from scorer.nebula.records import Replay
from scorer.nebula.turns.actions import Place, PlaceOnTrack
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.words import COLOURS

Record = dict[str, Any]
Found = tuple[int, str] | None
Mistake = Callable[[Record, Replay], Found]

MISTAKES: list[tuple[str, Mistake]] = []


def mistake(rule: str) -> Callable[[Mistake], Mistake]:
    def add(spoil: Mistake) -> Mistake:
        MISTAKES.append((rule, spoil))
        return spoil

    return add


def setting(rule: str, path: str, *values: Any, field: str | None = None, turn: int = 0) -> None:
    """Mistakes that put a wrong value at a path outside the turns."""
    for value in values:

        def spoil(record: Record, replayed: Replay, value: Any = value) -> Found:
            *way, last = (int(key) if key.isdecimal() else key for key in path.split("."))
            at: Any = record
            for key in way:
                at = at[key]
            if value is MISSING:
                del at[last]
            else:
                at[last] = value
            return (len(record["turns"]) if turn else 0), field or path

        spoil.__name__ = f"{path}={value!r}"[:60]
        MISTAKES.append((rule, spoil))


MISSING = object()

# the opening

for key, values in {
    "format": [2, "1", True, 1.0, None],
    "game": ["polaris", None],
    "mode": ["long", ["full"]],
    "edition": ["mine", "../standard", {}],
    "rules": ["en", 7],
}.items():
    setting("header", key, *values, MISSING)
setting("players", "players", MISSING, [], {}, [{"name": "Ana"}])
setting("players", "players", ["Ana", "Luis"], field="players[0].name")
setting("players", "players.0.name", "", "  ", 7, None, field="players[0].name")


@mistake("players")
def the_same_name_twice(record: Record, replayed: Replay) -> Found:
    record["players"][1]["name"] = record["players"][0]["name"]
    return 0, "players[1].name"


@mistake("players")
def five_players(record: Record, replayed: Replay) -> Found:
    record["players"] = [{**record["players"][0], "name": str(i)} for i in range(5)]
    return 0, "players"


@mistake("personal")
def a_card_dealt_twice(record: Record, replayed: Replay) -> Found:
    record["players"][1]["dealt"][0] = record["players"][0]["dealt"][0]
    return 0, "players[1].dealt"


@mistake("personal")
def somebody_elses_card(record: Record, replayed: Replay) -> Found:
    record["players"][0]["personal"] = record["players"][1]["dealt"][0]
    return 0, "players[0].personal"


setting(
    "personal",
    "players.0.dealt",
    [],
    ["O1"],
    ["O1", "O1"],
    ["O1", "V1"],
    None,
    field="players[0].dealt",
)
setting("career_cards", "career", [], ["V1", "V2", "V3", "V3"], ["V1", "V2", "V3", "V21"], None)
setting("career_cards", "career", ["V1", "V2", "V3", ["V4"]], ["V1", "V2", "V3", "V4", "V5"])


@mistake("advanced_cards")
def three_advanced_cards(record: Record, replayed: Replay) -> Found:
    record["advanced"] = record["advanced"][:3]
    return (0, "advanced") if record["mode"] == "full" else None


@mistake("advanced_cards")
def an_advanced_card_in_intro(record: Record, replayed: Replay) -> Found:
    record["advanced"] = ["B1", "B2", "B3", "B4"]
    return (0, "advanced") if record["mode"] == "intro" else None


setting("bag", "bag.red", 19, 21, 20.0, "20", MISSING, field="bag")
setting("bag", "bag", MISSING, [20] * 7)
setting("setup_clusters", "setup", None, 5, field="setup.clusters")
setting("setup_clusters", "setup.clusters.0.0", "green", None, ["red"], field="setup.clusters")
setting("setup_clusters", "setup.clusters.0", [], field="setup.clusters")
setting("setup_clusters", "setup.clusters", MISSING, {})
setting("setup_hours", "setup.hours", [0, 0, 1], [0, 0], [0, 0, False], MISSING)
setting("setup_boosted", "setup.boosted", None, "green", ["red"], MISSING)
setting("setup_reserves", "setup.reserves", [], [["red"], []], [[], ["green"]], MISSING)


@mistake("bag_draw")
def more_of_a_kind_than_the_bag_holds(record: Record, replayed: Replay) -> Found:
    if len(record["players"]) < 4:
        return None
    setup = record["setup"]
    setup["clusters"] = [["black"] * 6] * 3
    setup["boosted"] = "black"
    setup["reserves"] = [["black"] * count for count in range(4)]
    return 0, "setup"


# keys and types of a turn, and the turns' order


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
def a_star_left_lying(record: Record, replayed: Replay) -> Found:
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
        state = replayed.after_turn(number)
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
        reserve = replayed.after_turn(number).seat.reserve
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
        bag = replayed.after_turn(number).bag
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


# placing


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
        governing = replayed.after_turn(number).boosted
        if governing not in [entry["star"] for entry in turn["placed"]]:
            others = [star for star in COLOURS if star != governing]
            turn["placed"] = [{"star": star, "space": "core"} for star in others[:3]]
            return number + 1, f"turns[{number}].placed"
    return None


@mistake("placed_count")
def a_fourth_star(record: Record, replayed: Replay) -> Found:
    governing = replayed.after_turn(1).boosted
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
        seat = replayed.after_turn(number).seat
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


# the end and the score


@mistake("not_over")
def a_game_that_is_not_over(record: Record, replayed: Replay) -> Found:
    del record["turns"][4:]
    return 4, "turns"


@mistake("not_over")
def a_game_without_a_turn(record: Record, replayed: Replay) -> Found:
    record["turns"] = []
    return 0, "turns"


@mistake("round_unfinished")
def a_round_that_is_not_finished(record: Record, replayed: Replay) -> Found:
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


@mistake("end_reasons")
def reasons_in_another_order(record: Record, replayed: Replay) -> Found:
    reasons = record["end"]["reasons"]
    reasons.reverse()
    return (len(record["turns"]), "end.reasons") if len(reasons) > 1 else None


@mistake("end_values")
def a_track_upside_down(record: Record, replayed: Replay) -> Found:
    colours = record["end"].get("values", {}).get("colours", [])
    colours.reverse()
    return (len(record["turns"]), "end.values") if len(colours) > 1 else None


@mistake("end_values")
def a_token_that_never_moved(record: Record, replayed: Replay) -> Found:
    values = record["end"].get("values")
    still = [hue for hue in COLOURS if values and hue not in values["colours"]]
    if not still:
        return None
    values["colours"].append(still[0])
    return len(record["turns"]), "end.values"


@mistake("end_values")
def values_in_intro(record: Record, replayed: Replay) -> Found:
    record["end"]["values"] = {"colours": [], "constellations": [], "advanced": []}
    return (len(record["turns"]), "end.values") if record["mode"] == "intro" else None


@mistake("final_players")
def players_in_another_order(record: Record, replayed: Replay) -> Found:
    record["final"]["players"].reverse()
    return len(record["turns"]), "final.players"


def lines(change: Callable[[list[Record]], int | None]) -> None:
    def spoil(record: Record, replayed: Replay) -> Found:
        number = change(record["final"]["players"][1]["lines"])
        place = "" if number is None else f"[{number}]"
        return len(record["turns"]), f"final.players[1].lines{place}"

    spoil.__name__ = change.__name__
    MISTAKES.append(("final_lines", spoil))


@lines
def a_line_left_out(of_player: list[Record]) -> None:
    del of_player[2]


@lines
def a_line_twice(of_player: list[Record]) -> int:
    of_player.append(dict(of_player[0]))
    return len(of_player) - 1


@lines
def a_point_too_many(of_player: list[Record]) -> int:
    of_player[1]["points"] += 1
    return 1


@lines
def points_that_are_no_whole_number(of_player: list[Record]) -> int:
    of_player[1]["points"] = float(of_player[1]["points"])
    return 1


@lines
def another_card(of_player: list[Record]) -> int:
    of_player[0]["card"] = "O99"
    return 0


@lines
def a_line_that_is_a_word(of_player: list[Record]) -> int:
    of_player[3] = "many points"
    return 3


@mistake("final_ranking")
def the_last_first(record: Record, replayed: Replay) -> Found:
    ranking = record["final"]["ranking"]
    ranking.reverse()
    return (len(record["turns"]), "final.ranking") if len(ranking) > 1 else None
