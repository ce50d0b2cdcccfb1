"""Via Nebula again, from `via-nebula-rules.md` alone: what may be done, what it does, the score.

Rule numbers (V1 ...) are those of that page. Nothing here reads the game's own rules; how an action
is written (`carry F1 D1b`) was taken from its records, a card's needs from the edition's file.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

RESOURCES = ("wood", "stone", "clay", "wheat", "food")
COLOURS = ("blue", "black", "white", "red")
ROWS = (
    "FMPRFM",
    "MFPPFMF",
    "FFRPMFFR",
    "RFFFMFMFF",
    "FFMMFFMFFM",
    "MMFFFRFFRFF",
    "FFMMFFMPPM",
    "RPPFMFMPP",
    "PPRFMFFR",
    "MFFFFMF",
    "FMFRFM",
)
AT = {
    f"{'ABCDEFGHIJK'[row]}{number + 1}": (max(-5, -5 - (row - 5)) + number, row - 5)
    for row, kinds in enumerate(ROWS)
    for number in range(len(kinds))
}
STANDARD = dict(zip(AT, "".join(ROWS), strict=True))
HEXAGON = {place: at for at, place in AT.items()}
AROUND = {
    at: {
        HEXAGON[q + right, r + down]
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
        if (q + right, r + down) in HEXAGON
    }
    for at, (q, r) in AT.items()
}
SPECIALS = tuple(f"{resource}-special" for resource in RESOURCES)
SHOWN = {f"{one}-{number}": 3 + (number == 4) for one in RESOURCES for number in (1, 2, 3, 4)}
POINTS = {token: shown - 2 for token, shown in SHOWN.items()} | dict.fromkeys(SPECIALS, 0)
NEUTRAL, PRIVATE = tuple(f"N{n}" for n in range(1, 34)), tuple(f"X{n}" for n in range(1, 9))
CONTRACT_POINTS = {
    card: 7 if card[0] == "X" else (4, 7, 6, 11)[sum(int(card[1:]) > last for last in (10, 20, 28))]
    for card in NEUTRAL + PRIVATE
}
# The powers, taken in turn by the pairs and then by the doubles.
POWERS = {
    f"N{number}": ("swap", "explore", "carry")[turn % 3]
    for turn, number in enumerate((*range(1, 11), *range(21, 29)))
}
SUPPLY = 18


def combined_needs() -> dict[str, set[str]]:
    """What the contracts of one resource each need: pairs, triples and fours, in order."""
    firsts = {2: 1, 3: 11, 4: 29}
    return {
        f"N{first + number}": set(needs)
        for size, first in firsts.items()
        for number, needs in enumerate(combinations(RESOURCES, size))
    }


class Element:
    """A building site or a building in a ruin; a site's resources lie on it."""

    def __init__(self, player: int) -> None:
        self.player, self.built, self.resources = player, False, Counter[str]()


class Exploitation:
    """Resources of a kind on a printed meadow, and whose craftsman stands there, if any's."""

    def __init__(self, resource: str, count: int, player: int | None) -> None:
        self.resource, self.count, self.player = resource, count, player


class Player:
    """What lies before a player."""

    def __init__(self, craftsmen: int, pile: int) -> None:
        self.craftsmen, self.sites, self.buildings = craftsmen, 3, 5
        self.piles = [pile] * 4
        self.hand: set[str] = set()
        self.tokens: list[str] = []
        self.fulfilled: list[str] = []
        self.storage: Counter[str] = Counter()


class Table:
    """A game under way; `needs` are the edition's: what each contract asks for."""

    def __init__(
        self, colours: Sequence[str], kinds: dict[str, str], needs: dict[str, Counter[str]]
    ) -> None:
        self.colours, self.kinds, self.needs = colours, kinds, needs
        seats = len(colours)
        self.fewer = seats < 4  # V19
        self.room = 1 if seats == 2 else 2
        pile = {2: 5, 3: 4, 4: 3}[seats]
        self.players = [Player(3 if seats == 2 else 2, pile) for _ in colours]
        self.reserve = 60 - 4 * pile * seats
        self.supply = Counter(dict.fromkeys(RESOURCES, SUPPLY))
        self.tiles: set[str] = set()
        self.tokens: dict[str, str] = {}
        self.exploitations: dict[str, Exploitation] = {}
        self.ruins: dict[str, list[Element]] = {at: [] for at, kind in kinds.items() if kind == "R"}
        self.private, self.deck = set(PRIVATE), set(NEUTRAL)
        self.display: list[str] = []
        self.loose = {*SHOWN, *SPECIALS}
        self.boxed = False
        self.turn, self.left = 0, 2
        self.revealing = False
        self.power: str | None = None
        self.ender: int | None = None
        self.passes = 0
        self.over = False

    # The board.

    def open_meadow(self, at: str) -> bool:
        """V11."""
        meadow = self.kinds[at] == "M" or at in self.tiles
        return meadow and at not in self.tokens and at not in self.exploitations

    def occupied(self, at: str, player: int) -> bool:
        """V12."""
        here = self.exploitations.get(at)
        return (here is not None and here.player == player) or any(
            element.player == player for element in self.ruins.get(at, ())
        )

    def explorable(self, kind: str) -> set[str]:
        """V33 to V35: spaces of a kind where the player whose turn it is may lay a tile."""
        if not self.reserve and not any(self.players[self.turn].piles):
            return set()
        return {
            at
            for at, printed in self.kinds.items()
            if printed == kind
            and at not in self.tiles
            and any(self.open_meadow(by) or self.occupied(by, self.turn) for by in AROUND[at])
        }

    def reached(self, source: str) -> set[str]:
        """V41: the ruins to which a resource of this exploitation can be carried."""
        crossed, edge = {source}, [source]
        while edge:
            for by in AROUND[edge.pop()] - crossed:
                if self.open_meadow(by):
                    crossed.add(by)
                    edge.append(by)
        return {by for at in crossed for by in AROUND[at] if self.kinds[by] == "R"}

    def own_sites(self) -> dict[str, Element]:
        """The sites of the player whose turn it is, by how a half is written: `A4`, `A4b`."""
        return {
            at + "b" * number: element
            for at, elements in self.ruins.items()
            for number, element in enumerate(elements)
            if element.player == self.turn and not element.built
        }

    def carried(self) -> set[str]:
        """V40 to V42."""
        sites = self.own_sites()
        return {
            f"carry {source} {half}"
            for source in self.exploitations
            for half in sites
            if half.removesuffix("b") in self.reached(source)
        }

    def swaps(self) -> set[str]:
        """What the power `swap` offers, on a site or in the storage."""
        places = {half: site.resources for half, site in self.own_sites().items()}
        places["storage"] = self.players[self.turn].storage
        return {
            f"swap {place} {old} {new}"
            for place, resources in places.items()
            for old, count in resources.items()
            for new in RESOURCES
            if count and new != old and self.supply[new]
        }

    # What may happen.

    def chance(self) -> set[str]:
        """What chance may bring now; empty where a player decides, or all is over."""
        if self.over:
            return set()
        seats = len(self.players)
        if 8 - len(self.private) < 2 * seats:
            return {f"deal {card}" for card in self.private}
        if not self.boxed and len(self.display) < 4:
            return {f"reveal {card}" for card in self.deck}
        if not self.boxed:
            return {f"box {token}" for token in SPECIALS}
        if self.loose:
            return {f"lay {token} {self.next_meadow()}" for token in self.loose}
        if self.revealing and self.power is None:  # the power first: V49, V50
            return {f"reveal {card}" for card in self.deck}
        return set()

    def next_meadow(self) -> str:
        """The first printed meadow without a token while they are laid."""
        laid = {*self.tokens, *self.exploitations}
        return next(at for at, kind in self.kinds.items() if kind == "M" and at not in laid)

    def actions(self) -> set[str]:
        """What the player whose turn it is may do now."""
        if self.over or self.chance():
            return set()
        if self.power is not None:
            return self.powers(self.power) | {"decline"}
        player = self.players[self.turn]
        legal = self.carried() | {f"explore {at}" for at in self.explorable("F")}
        if self.left == 2:
            legal |= {f"explore {at}" for at in self.explorable("P")}
        if player.craftsmen:
            legal |= {f"craftsman {at}" for at in self.tokens}
        sites = self.own_sites()
        if player.sites and len(sites) + 1 <= player.buildings:
            legal |= {
                f"site {at}{'b' * len(elements)}"
                for at, elements in self.ruins.items()
                if len(elements) < self.room
            }
        if player.buildings:
            legal |= {
                f"build {half} {card}"
                for half, site in sites.items()
                for card in {*player.hand, *self.display}
                if self.needs[card] <= site.resources
            }
        return legal or {"pass"}

    def powers(self, power: str) -> set[str]:
        """How a contract's power may be used now."""
        if power == "explore":
            return {f"explore {at}" for at in self.explorable("F")}
        return self.carried() if power == "carry" else self.swaps()

    # What it does.

    def do(self, line: str) -> None:
        """Carry out what was decided or came by chance."""
        verb, *what = line.split()
        if verb in ("deal", "reveal", "box", "lay"):
            self.by_chance(verb, *what)
        elif self.power is not None:
            self.power = None
            if verb != "decline":
                self.perform(verb, *what)
        else:
            self.passes = self.passes + 1 if verb == "pass" and self.left == 2 else 0
            forest = verb == "explore" and self.kinds[what[0]] == "P"
            self.left = 0 if forest or verb == "pass" else self.left - 1
            self.perform(verb, *what)
        self.go_on()

    def by_chance(self, verb: str, card: str, at: str = "") -> None:
        """V16 to V19, and V50."""
        if verb == "deal":
            self.players[(8 - len(self.private)) // 2].hand.add(card)
            self.private.remove(card)
        elif verb == "reveal":
            self.deck.remove(card)
            self.display.append(card)
            self.revealing = False
        else:
            self.boxed = True
            self.loose.remove(card)
            if at and card in SPECIALS:
                count = 5 - self.fewer
                self.supply[card.split("-")[0]] -= count
                self.exploitations[at] = Exploitation(card.split("-")[0], count, None)
            elif at:
                self.tokens[at] = card

    def perform(self, verb: str, *what: str) -> None:
        """The actions A to F; a power is one of them, or a swap."""
        player = self.players[self.turn]
        if verb == "craftsman":
            self.exploit(player, what[0])
        elif verb == "site":
            player.sites -= 1
            self.ruins[what[0].removesuffix("b")].append(Element(self.turn))
        elif verb == "explore":
            self.tiles.add(what[0])
            pile = next((number for number, tiles in enumerate(player.piles) if tiles), None)
            if pile is None:
                self.reserve -= 1
            else:
                player.piles[pile] -= 1
        elif verb == "carry":
            source = self.exploitations[what[0]]
            self.own_sites()[what[1]].resources[source.resource] += 1
            source.count -= 1
            self.cleared(what[0])
        elif verb == "build":
            self.build(player, *what)
        elif verb == "swap":
            place, old, new = what
            lying = player.storage if place == "storage" else self.own_sites()[place].resources
            lying[old] -= 1
            lying[new] += 1
            self.supply[old] += 1
            self.supply[new] -= 1

    def exploit(self, player: Player, at: str) -> None:
        """V29."""
        token = self.tokens.pop(at)
        resource = token.split("-")[0]
        count = min(SHOWN[token] - self.fewer, self.supply[resource])
        self.supply[resource] -= count
        player.craftsmen -= 1
        player.tokens.append(token)
        self.exploitations[at] = Exploitation(resource, count, self.turn)
        self.cleared(at)

    def cleared(self, at: str) -> None:
        """V43: the last resource is gone."""
        here = self.exploitations[at]
        if not here.count:
            if here.player is not None:
                self.players[here.player].craftsmen += 1
            del self.exploitations[at]

    def build(self, player: Player, half: str, card: str) -> None:
        """V46 to V50."""
        site = self.own_sites()[half]
        site.built = True
        self.supply += self.needs[card]
        player.storage += site.resources - self.needs[card]
        site.resources = Counter()
        player.sites += 1
        player.buildings -= 1
        player.fulfilled.append(card)
        if card in self.display:
            self.display.remove(card)
            self.revealing = bool(self.deck)
        else:
            player.hand.remove(card)
        self.power = POWERS.get(card)
        if not player.buildings and self.ender is None:
            self.ender = self.turn

    def go_on(self) -> None:
        """The next decision: V26, V49, V55, V56."""
        if self.power is not None:
            if self.powers(self.power):
                return
            self.power = None
        following = (self.turn + 1) % len(self.players)
        done = not self.left or self.ender == self.turn
        self.over = done and (following == self.ender or self.passes == len(self.players))
        if self.over or self.chance() or not done:
            return  # after the last turn no card is turned up: nobody could fulfil it
        self.turn, self.left = following, 2


def play(table: Table, luck: Random) -> Iterator[str]:
    """Play at random to the end: each line before it is carried out."""
    while not table.over:
        chance = sorted(table.chance())
        legal = chance or sorted(table.actions())
        verbs = sorted({line.split()[0] for line in legal})
        verb = luck.choice(verbs)  # kinds of actions alike, so that buildings come
        line = luck.choice([line for line in legal if line.split()[0] == verb])
        yield line
        table.do(line)


def game_file(table: Table, names: Sequence[str]) -> dict[str, Any]:
    """The end as a game file has it."""
    by = dict(enumerate(table.colours))
    return {
        "format": 1,
        "game": "via_nebula",
        "tiles": sorted(table.tiles),
        "tokens": table.tokens,
        "exploitations": {
            at: {
                "resource": one.resource,
                "count": one.count,
                "craftsman": None if one.player is None else by[one.player],
            }
            for at, one in table.exploitations.items()
        },
        "ruins": {
            at: [
                {
                    "what": "building" if one.built else "site",
                    "colour": by[one.player],
                    "resources": dict(+one.resources),
                }
                for one in elements
            ]
            for at, elements in table.ruins.items()
            if elements
        },
        "collected": False,
        "players": [
            {
                "name": name,
                "colour": by[seat],
                "piles": player.piles,
                "storage": dict(+player.storage),
                "tokens": player.tokens,
                "contracts": player.fulfilled,
                "end_card": table.ender == seat,
            }
            for seat, (name, player) in enumerate(zip(names, table.players, strict=True))
        ],
    }


def stored(file: dict[str, Any], player: dict[str, Any]) -> int:
    """V62 and V65: the resources in a player's storage in the end."""
    count = sum(player["storage"].values())
    if not file["collected"]:
        for one in file["exploitations"].values():
            count += one["count"] * (one["craftsman"] == player["colour"])
        for elements in file["ruins"].values():
            for one in elements:
                if one["what"] == "site" and one["colour"] == player["colour"]:
                    count += sum(one.get("resources", {}).values())
    return count


def score(file: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """V60 to V65 of each player: exploitations, contracts, explorers, end card, storage."""
    return {
        player["name"]: (
            sum(player.get("token_points") or [POINTS[one] for one in player.get("tokens", ())]),
            sum(
                player.get("contract_points")
                or [CONTRACT_POINTS[one] for one in player.get("contracts", ())]
            ),
            2 * player["piles"].count(0),
            2 * player["end_card"],
            -stored(file, player),
        )
        for player in file["players"]
    }


def ranking(file: dict[str, Any]) -> list[set[str]]:
    """V71."""
    points = score(file)
    places: dict[tuple[int, int], set[str]] = {}
    for player in file["players"]:
        key = (-sum(points[player["name"]]), stored(file, player))
        places.setdefault(key, set()).add(player["name"])
    return [places[key] for key in sorted(places)]


def cannot_be(file: dict[str, Any]) -> set[str]:
    """V75; only the words for them are the program's."""
    players = file["players"]
    seats = len(players)
    found = set()
    colours = [player["colour"] for player in players]
    lying = [one for elements in file["ruins"].values() for one in elements]
    if any(len(elements) > (1 if seats == 2 else 2) for elements in file["ruins"].values()):
        found.add("ruin_too_full")
    for colour in colours:
        own = [one["what"] for one in lying if one["colour"] == colour]
        if own.count("site") > 5 - own.count("building"):
            found.add("too_many_sites")
        craftsmen = sum(one["craftsman"] == colour for one in file["exploitations"].values())
        if craftsmen > (3 if seats == 2 else 2):
            found.add("too_many_craftsmen")
    for player in players:
        contracts = player.get("contract_points") or player.get("contracts", ())
        built = [one for one in lying if one["what"] == "building"]
        if len(contracts) != sum(one["colour"] == player["colour"] for one in built):
            found.add("contracts_and_buildings")
    if any(STANDARD[at] in "MR" for at in file["tiles"]):
        found.add("tile_misplaced")
    if sum(player["end_card"] for player in players) > 1:
        found.add("end_cards")
    cards = Counter(file["tokens"].values())
    for player in players:
        cards.update(player.get("tokens", ()))
        cards.update(player.get("contracts", ()))
    if any(count > 1 for count in cards.values()):
        found.add("card_twice")
    total: Counter[str] = Counter()
    for one in file["exploitations"].values():
        total[one["resource"]] += one["count"]
    for resources in (
        *(one.get("resources", {}) for one in lying),
        *(p["storage"] for p in players),
    ):
        total.update(resources)
    if any(count > SUPPLY for count in total.values()):
        found.add("too_many_resources")
    return found


def some(luck: Random, most: int) -> Counter[str]:
    return Counter(luck.choices(RESOURCES, k=luck.choice((0, 0, 0, 1, 1, 2, most))))


def random_end(luck: Random) -> dict[str, Any]:
    """An end as people may write it down: mostly as it can be, at times as it cannot."""
    seats = luck.randint(2, 4)
    colours = luck.sample(COLOURS, seats)
    at = {kind: [one for one in STANDARD if STANDARD[one] == kind] for kind in "MFPR"}
    careless = luck.random() < 0.4
    meadows = luck.sample(at["M"], 24)
    tokens = luck.sample(sorted(SHOWN), 20)
    deck = luck.sample([*NEUTRAL, *PRIVATE], 41)
    ruins: dict[str, list[dict[str, Any]]] = {}
    built: Counter[str] = Counter()
    sites: Counter[str] = Counter()
    for ruin in luck.sample(at["R"], luck.randint(0, 10)):
        room = (1 if seats == 2 else 2) + (careless and luck.random() < 0.1)
        for _ in range(luck.randint(1, room)):
            colour = luck.choice(colours)
            if built[colour] + sites[colour] >= 5 and not careless:
                continue
            if luck.random() < 0.6 or (sites[colour] >= 3 and not careless):
                built[colour] += 1
                element = {"what": "building", "colour": colour}
            else:
                sites[colour] += 1
                element = {"what": "site", "colour": colour, "resources": dict(some(luck, 4))}
            ruins.setdefault(ruin, []).append(element)
    exploitations = {}
    craftsmen: Counter[str] = Counter()
    for meadow in meadows[: luck.randint(0, 9)]:
        owner = luck.choice([None, *colours])
        if owner and craftsmen[owner] >= (3 if seats == 2 else 2) and not careless:
            owner = None
        craftsmen[owner or "nobody"] += 1
        resource, count = luck.choice(RESOURCES), luck.randint(1, 5 if careless else 2)
        exploitations[meadow] = {"resource": resource, "count": count, "craftsman": owner}
    ender = luck.randrange(seats + 1)
    players = []
    for seat, colour in enumerate(colours):
        number = built[colour] if not careless or luck.random() < 0.7 else luck.randint(0, 5)
        player: dict[str, Any] = {
            "name": f"P{seat}",
            "colour": colour,
            "piles": [luck.choice((0, 0, 1, 2, 3)) for _ in range(4)],
            "storage": dict(some(luck, 15 if careless else 3)),
            "end_card": seat == ender or (careless and luck.random() < 0.1),
        }
        owned = [tokens.pop() for _ in range(luck.randint(0, 3))]
        if luck.random() < 0.2 and owned:
            player["token_points"] = [POINTS[token] for token in owned]
        else:
            player["tokens"] = owned
        fulfilled = [deck.pop() for _ in range(number)]
        if luck.random() < 0.2 and fulfilled:
            player["contract_points"] = [CONTRACT_POINTS[card] for card in fulfilled]
        else:
            player["contracts"] = fulfilled
        players.append(player)
    if careless and luck.random() < 0.3 and len(players[0].get("contracts", ())) > 0:
        players[1].setdefault("contracts", []).append(players[0]["contracts"][0])
        players[1].pop("contract_points", None)
    kinds = "FFFFFFP" + "M" * careless
    tiles = {luck.choice(at[luck.choice(kinds)]) for _ in range(luck.randint(0, 30))}
    return {
        "format": 1,
        "game": "via_nebula",
        "tiles": sorted(tiles),
        "tokens": {meadow: tokens.pop() for meadow in meadows[9 : 9 + luck.randint(0, 6)]},
        "exploitations": exploitations,
        "ruins": ruins,
        "collected": luck.random() < 0.5,
        "players": players,
    }
