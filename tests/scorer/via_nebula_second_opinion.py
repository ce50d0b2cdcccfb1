"""Via Nebula once more, from the rules alone, to check the scorer against.

Everything is plain data: a game file is the dict that its YAML holds, a state is a dict of dicts,
lists and numbers, an action is its line of text. The rules are named V1 to V75.

    deal X1, reveal N1, box wood-special, lay wood-1 A2          chance
    craftsman A2, site H1 (H1b: its second half), explore A1     A, B, C and D
    carry A2 H1, build H1 N1                                     E, F
    swap H1 clay food (or: swap storage ...), decline, pass      a power, no power, V26
"""

import random
from collections import Counter
from copy import deepcopy
from itertools import combinations
from math import dist
from pathlib import Path

import yaml

VALLEY = """
A       F M P R F M
B      M F P P F M F
C     F F R P M F F R
D    R F F F M F M F F
E   F F M M F F M F F M
F  M M F F F R F F R F F
G   F F M M F F M P P M
H    R P P F M F M P P
I     P P R F M F F R
J      M F F F F M F
K       F M F R F M
"""
RESOURCES = ["wood", "stone", "clay", "wheat", "food"]
COLOURS = ["blue", "black", "white", "red"]
PRINTED = yaml.safe_load(
    (Path(__file__).parents[2] / "scorer/via_nebula/editions/standard.yaml").read_text("utf-8")
)
CARDS = PRINTED["contracts"]  # the edition's; section 2 says what they are made of
SHOWS = {"1": (3, 1), "2": (3, 1), "3": (3, 1), "4": (4, 2), "special": (5, 0)}
TOKENS = {f"{one}-{number}": (one, *own) for one in RESOURCES for number, own in SHOWS.items()}
EACH = 18
TABLE = {  # V16, V19, V21: craftsmen, tiles a pile, elements a ruin, how much less a token is worth
    2: {"craftsmen": 3, "pile": 5, "room": 1, "less": 1},
    3: {"craftsmen": 2, "pile": 4, "room": 2, "less": 1},
    4: {"craftsmen": 2, "pile": 3, "room": 2, "less": 0},
}


def read_map(text):
    """The kind of each hexagon, and where its middle is in mm."""
    kinds, middles = {}, {}
    for row in text.strip().splitlines():
        letter, *own = row.split()
        r = "ABCDEFGHIJK".index(letter) - 5
        for number, kind in enumerate(own):
            q = max(-5, -5 - r) + number
            kinds[f"{letter}{number + 1}"] = kind
            middles[f"{letter}{number + 1}"] = (175 + 30 * (q + r / 2), 155 + 25.98 * r)
    return kinds, middles


STANDARD, MIDDLES = read_map(VALLEY)
ROWS = PRINTED["sides"]["beginners"]
BEGINNERS, _ = read_map("\n".join(f"{row} {ROWS[row]}" for row in ROWS))
KINDS = {"standard": STANDARD, "beginners": BEGINNERS}
BESIDE = {a: [b for b in MIDDLES if 0 < dist(MIDDLES[a], MIDDLES[b]) < 31] for a in MIDDLES}
MEADOWS = [at for at, kind in STANDARD.items() if kind == "M"]
RUINS = [at for at, kind in STANDARD.items() if kind == "R"]


# what stands where


def open_meadows(state):
    """V11."""
    printed = {at for at, kind in KINDS[state["side"]].items() if kind == "M"}
    return (printed | state["tiles"]) - {*state["tokens"]} - {*state["heaps"]}


def halves(state):
    """Every element with the place that it has."""
    for ruin, standing in state["ruins"].items():
        for number, own in enumerate(standing):
            yield ruin + "b" * number, ruin, own


def my_sites(state, colour):
    return {at: own for at, _ruin, own in halves(state) if own[:2] == ["site", colour]}


def occupied(state, colour):
    """V12."""
    ruins = {ruin for _at, ruin, own in halves(state) if own[1] == colour}
    return ruins | {at for at, heap in state["heaps"].items() if heap[2] == colour}


def on_board(state, colour=None):
    """The resources on the valley, or on a player's sites and exploitations."""
    found = Counter()
    for _at, _ruin, own in halves(state):
        found.update(own[2] if colour in (None, own[1]) else {})
    for resource, count, who in state["heaps"].values():
        found[resource] += count if colour in (None, who) else 0
    return found


def supply(state):
    out = on_board(state)
    for seat in state["seats"]:
        out.update(seat["storage"])
    return {one: EACH - out[one] for one in RESOURCES}


def reached(state, start):
    """V41: the ruins that a resource can be carried to."""
    free, seen, waiting, ends = open_meadows(state), {start}, [start], set()
    while waiting:
        for there in BESIDE[waiting.pop()]:
            if KINDS[state["side"]][there] == "R":
                ends.add(there)
            elif there in free - seen:
                seen.add(there)
                waiting.append(there)
    return ends


# a table, and what chance brings to it


def set_up(colours, side):
    own = TABLE[len(colours)]
    return {
        **{"side": side, "tiles": set(), "tokens": {}, "heaps": {}, "ruins": {}},
        **{"display": [], "boxed": "", "laid": [], "turn": 0, "left": 2, "power": "", "did": False},
        **{"ender": None, "silent": 0, "over": False},
        "common": 60 - 4 * own["pile"] * len(colours),
        "seats": [
            {
                **{"colour": colour, "piles": [own["pile"]] * 4, "craftsmen": own["craftsmen"]},
                **{"sites": 3, "buildings": 5, "storage": Counter(), "tokens": [], "done": []},
                "hand": [],
            }
            for colour in colours
        ],
    }


def is_laid_out(state):
    return len(state["laid"]) == len(MEADOWS)


def chance(state):
    """What may be drawn now; nothing where a player acts."""
    dealt = [card for seat in state["seats"] for card in seat["hand"]]
    if state["over"] or state["power"]:
        return set()
    if not is_laid_out(state) and len(dealt) < 2 * len(state["seats"]):
        return {f"deal {card}" for card in CARDS if card[0] == "X" and card not in dealt}
    gone = {*state["display"]} | {card for seat in state["seats"] for card in seat["done"]}
    deck = [card for card in CARDS if card[0] == "N" and card not in gone]
    if len(state["display"]) < 4 and deck:
        return {f"reveal {card}" for card in deck}
    if is_laid_out(state):
        return set()
    if not state["boxed"]:
        return {f"box {one}-special" for one in RESOURCES}
    at = MEADOWS[len(state["laid"])]
    return {f"lay {one} {at}" for one in TOKENS if one not in [state["boxed"], *state["laid"]]}


# what may be done


def actions(state):
    """All legal lines of whoever's turn it is."""
    if state["over"] or chance(state):
        return set()
    found = set(powers(state) if state["power"] else acts(state))
    return found | {"decline"} if state["power"] else found or {"pass"}


def acts(state):
    seat = state["seats"][state["turn"]]
    own = my_sites(state, seat["colour"])
    if seat["craftsmen"]:
        yield from (f"craftsman {at}" for at in state["tokens"])
    if seat["sites"] and len(own) + 1 <= seat["buildings"]:  # V32
        for ruin in RUINS:
            count = len(state["ruins"].get(ruin, []))
            if count < TABLE[len(state["seats"])]["room"]:
                yield f"site {ruin}{'b' * count}"
    yield from explorations(state, "FP" if state["left"] == 2 else "F")
    yield from carryings(state)
    for at, site in own.items():
        for card in {*seat["hand"], *state["display"]} if seat["buildings"] else ():
            if all(site[2][one] >= count for one, count in CARDS[card]["needs"].items()):
                yield f"build {at} {card}"


def explorations(state, kinds):
    seat = state["seats"][state["turn"]]
    near = open_meadows(state) | occupied(state, seat["colour"])
    if any(seat["piles"]) or state["common"]:
        for at, kind in KINDS[state["side"]].items():
            if kind in kinds and at not in state["tiles"] and near & {*BESIDE[at]}:
                yield f"explore {at}"


def carryings(state):
    own = my_sites(state, state["seats"][state["turn"]]["colour"])
    for start in state["heaps"] if own else ():
        ends = reached(state, start)
        yield from (f"carry {start} {at}" for at in own if at.rstrip("b") in ends)


def powers(state):
    if state["power"] == "explore":
        yield from explorations(state, "F")
    elif state["power"] == "carry":
        yield from carryings(state)
    else:
        seat, left = state["seats"][state["turn"]], supply(state)
        held = {at: own[2] for at, own in my_sites(state, seat["colour"]).items()}
        for at, goods in {**held, "storage": seat["storage"]}.items():
            for one, count in goods.items():
                others = [to for to in RESOURCES if to != one and left[to]] if count else []
                yield from (f"swap {at} {one} {to}" for to in others)


# what follows


def apply(state, line):
    """The state after an action or a draw."""
    state, (word, *rest) = deepcopy(state), line.split()
    seat = state["seats"][state["turn"]]
    if word in DRAWN:
        DRAWN[word](state, *rest)
        return turned(state)
    used, state["power"] = state["power"], ""
    if word == "pass":
        state["left"] = 0
    if word in DONE:
        state["did"] = True
        forest = word == "explore" and KINDS[state["side"]][rest[0]] == "P"
        state["left"] -= 0 if used else 2 if forest else 1
        DONE[word](state, seat, *rest)
    elif word == "swap":
        goods = seat["storage"] if rest[0] == "storage" else element(state, rest[0])[2]
        goods.update({rest[2]: 1})
        goods.subtract({rest[1]: 1})
    return turned(state)


def turned(state):
    """The next turn, where one is over."""
    if state["power"] and not [*powers(state)]:
        state["power"] = ""
    if is_laid_out(state) and not state["power"] and state["left"] <= 0:
        state["silent"] = 0 if state["did"] else state["silent"] + 1
        state["turn"] = (state["turn"] + 1) % len(state["seats"])
        state |= {"left": 2, "did": False}
        stuck = state["silent"] == len(state["seats"])  # nobody can do anything any more
        state["over"] = state["turn"] == state["ender"] or stuck
    return state


def element(state, at):
    return state["ruins"][at.rstrip("b")][at.count("b")]


def _deal(state, card):
    next(seat for seat in state["seats"] if len(seat["hand"]) < 2)["hand"].append(card)


def _lay(state, token, at):
    """V17, V18."""
    state["laid"].append(token)
    resource, shows, _points = TOKENS[token]
    if token.endswith("special"):
        count = shows - TABLE[len(state["seats"])]["less"]
        state["heaps"][at] = [resource, count, ""]
    else:
        state["tokens"][at] = token


DRAWN = {
    "deal": _deal,
    "reveal": lambda state, card: state["display"].append(card),
    "box": lambda state, token: state.update(boxed=token),
    "lay": _lay,
}


def _craftsman(state, seat, at):
    """V29, V43."""
    resource, shows, _points = TOKENS[state["tokens"][at]]
    count = min(shows - TABLE[len(state["seats"])]["less"], supply(state)[resource])
    seat["tokens"].append(state["tokens"].pop(at))
    if count:
        state["heaps"][at] = [resource, count, seat["colour"]]
        seat["craftsmen"] -= 1


def _site(state, seat, at):
    state["ruins"].setdefault(at.rstrip("b"), []).append(["site", seat["colour"], Counter()])
    seat["sites"] -= 1


def _explore(state, seat, at):
    """V34."""
    state["tiles"].add(at)
    for number, count in enumerate(seat["piles"]):
        if count:
            seat["piles"][number] -= 1
            return
    state["common"] -= 1


def _carry(state, seat, start, at):
    """V40, V43."""
    heap = state["heaps"][start]
    element(state, at)[2][heap[0]] += 1
    heap[1] -= 1
    if not heap[1]:
        del state["heaps"][start]
        for other in state["seats"]:
            other["craftsmen"] += other["colour"] == heap[2]


def _build(state, seat, at, card):
    """V46 to V50, V55."""
    holds = element(state, at)[2]
    holds.subtract(CARDS[card]["needs"])
    seat["storage"].update(holds)
    element(state, at)[:] = ["building", seat["colour"], Counter()]
    seat["sites"] += 1
    seat["buildings"] -= 1
    seat["done"].append(card)
    (state["display"] if card in state["display"] else seat["hand"]).remove(card)
    state["power"] = CARDS[card].get("power", "")
    if not seat["buildings"] and state["ender"] is None:
        state["ender"], state["left"] = state["turn"], 0


DONE = {
    **{"craftsman": _craftsman, "site": _site, "explore": _explore},
    **{"carry": _carry, "build": _build},
}


# the score


def game_file(state, names):
    """The file of a game as it stands (interfaces), nothing of V62 done yet."""
    told = {at: (own[0], own[1], own[2]) for at, own in state["heaps"].items()}
    return {
        **{"format": 1, "game": "via_nebula", "side": state["side"], "collected": False},
        "tiles": sorted(state["tiles"]),
        "tokens": dict(state["tokens"]),
        "exploitations": {
            at: {"resource": one, "count": count, "craftsman": who or None}
            for at, (one, count, who) in told.items()
        },
        "ruins": {
            ruin: [{"what": own[0], "colour": own[1], "resources": {**+own[2]}} for own in standing]
            for ruin, standing in state["ruins"].items()
        },
        "players": [
            {
                **{"name": name, "colour": seat["colour"], "piles": seat["piles"]},
                **{"storage": {**+seat["storage"]}, "tokens": seat["tokens"]},
                **{"contracts": seat["done"], "end_card": state["ender"] == number},
            }
            for number, (name, seat) in enumerate(zip(names, state["seats"], strict=True))
        ],
    }


def score(file):
    """Of each player by name: the five numbers of V60 to V65, and the resources stored."""
    found = {}
    for own in file["players"]:
        moved = Counter(own["storage"])
        if not file["collected"]:  # V62
            for heap in file["exploitations"].values():
                moved[heap["resource"]] += heap["count"] * (heap["craftsman"] == own["colour"])
            for standing in file["ruins"].values():
                for one in standing:
                    moved.update(one["resources"] if one["colour"] == own["colour"] else {})
        stored = sum(moved.values())
        numbers = [
            sum(TOKENS[one][2] for one in own["tokens"]),
            sum(CARDS[one]["points"] for one in own["contracts"]),
            2 * own["piles"].count(0),
            2 if own["end_card"] else 0,
            -stored,
        ]
        found[own["name"]] = (numbers, stored)
    return found


def ranking(file):
    """V71."""
    worth = {name: (-sum(numbers), stored) for name, (numbers, stored) in score(file).items()}
    return [{name for name in worth if worth[name] == one} for one in sorted({*worth.values()})]


def flags(file):
    """V75, by the kinds that the scorer has."""
    own, found = TABLE[len(file["players"])], set()
    elements = [one for standing in file["ruins"].values() for one in standing]
    if any(len(standing) > own["room"] for standing in file["ruins"].values()):
        found.add("ruin_too_full")
    if {*file["tiles"]} & {*MEADOWS, *RUINS}:
        found.add("tile_misplaced")
    if sum(one["end_card"] for one in file["players"]) > 1:
        found.add("end_cards")
    there = Counter(file["tokens"].values())
    goods = Counter()
    for one in file["players"]:
        there.update([*one["tokens"], *one["contracts"]])
        goods.update(one["storage"])
        mine = Counter(part["what"] for part in elements if part["colour"] == one["colour"])
        if mine["site"] > 5 - mine["building"]:
            found.add("too_many_sites")
        if mine["building"] != len(one["contracts"]):
            found.add("contracts_and_buildings")
        heaps = file["exploitations"].values()
        if sum(heap["craftsman"] == one["colour"] for heap in heaps) > own["craftsmen"]:
            found.add("too_many_craftsmen")
    for heap in file["exploitations"].values():
        goods[heap["resource"]] += heap["count"]
    for one in elements:
        goods.update(one["resources"])
    if any(count > EACH for count in goods.values()):
        found.add("too_many_resources")
    if any(count > 1 for count in there.values()):
        found.add("card_twice")
    return found


def random_end(rng):
    """A file of some end, possible or not."""
    colours = rng.sample(COLOURS, rng.randint(2, 4))
    room = TABLE[len(colours)]["room"] + (rng.random() < 0.1)
    ordinary = [one for one in TOKENS if not one.endswith("special")]
    rng.shuffle(ordinary)
    cards = rng.sample([*CARDS], len(CARDS))
    meadows = rng.sample(MEADOWS, len(MEADOWS))

    def goods(most):
        return {one: n for one in RESOURCES if (n := rng.randint(0, most)) and rng.random() < 0.5}

    ruins = {}
    for ruin in RUINS:
        standing = []
        count = rng.randint(0, room)
        for number in range(count):  # one too many has no place of its own for resources
            what = rng.choice(["site", "building"])
            held = goods(2) if what == "site" and (count < 3 or not number) else {}
            standing.append({"what": what, "colour": rng.choice(colours), "resources": held})
        if standing:
            ruins[ruin] = standing
    allowed = "FP" if rng.random() < 0.9 else "FPMR"
    spaces = [at for at, kind in STANDARD.items() if kind in allowed]
    players = []
    for number, colour in enumerate(colours):
        standing = [one for own in ruins.values() for one in own if one["colour"] == colour]
        built = sum(one["what"] == "building" for one in standing)
        count = built if rng.random() < 0.9 else rng.randint(0, 5)
        again = rng.random() < 0.05
        players.append(
            {
                **{"name": f"P{number}", "colour": colour, "end_card": rng.random() < 0.3},
                "piles": [rng.choice([0, 0, 3]) for _ in range(4)],
                "storage": goods(6),
                "tokens": [ordinary.pop() for _ in range(min(len(ordinary), rng.randint(0, 5)))],
                "contracts": [cards[0] if again else cards.pop() for _ in range(count)],
            }
        )
    return {
        **{"format": 1, "game": "via_nebula", "side": rng.choice([*KINDS])},
        **{"collected": rng.random() < 0.3, "tiles": rng.sample(spaces, rng.randint(0, 40))},
        "tokens": {meadows.pop(): ordinary.pop() for _ in range(rng.randint(0, len(ordinary)))}
        if len(ordinary) < 20
        else {},
        "exploitations": {
            meadows.pop(): {
                "resource": rng.choice(RESOURCES),
                "count": rng.randint(1, 5),
                "craftsman": rng.choice([None, *colours]),
            }
            for _ in range(rng.randint(0, 4))
        },
        **{"ruins": ruins, "players": players},
    }


def pairs_and_triples():
    """What section 2 says of N1 to N20 and N29 to N33: every pair, triple and four, once."""
    return {
        1: [*combinations(RESOURCES, 2)],
        11: [*combinations(RESOURCES, 3)],
        29: [*combinations(RESOURCES, 4)],
    }


def play(colours, side, rng):
    """A whole game at random: each state, and what was done in it."""
    state = set_up(colours, side)
    while not state["over"]:
        line = rng.choice(sorted(chance(state) or actions(state)))
        yield state, line
        state = apply(state, line)
    yield state, ""


RANDOM = random.Random
