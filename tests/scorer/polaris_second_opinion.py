"""Polaris once more, in another style, to check the scorer against.

The sky is a plain grid, 20 columns around and 4 rows out, with Polaris below columns 1, 5, 9, 13
and 17; patterns are sets of grid steps; paths and packings are tried out one by one. A game is
plain data, as in a game file, and what comes back is plain data too.
"""

import random
from itertools import pairwise

import networkx as nx

Cell = tuple[int, int]  # column 0 to 19 clockwise from 1a, row 1 to 4 outwards
CENTRE: Cell = (-1, 0)
NAMES = {
    (4 * (sector - 1) + "abcr".index(spoke), row): f"{sector}{spoke}{row}"
    for sector in range(1, 6)
    for spoke in "abcr"
    for row in range(1, 5)
}
CELLS = {name: cell for cell, name in NAMES.items()} | {"polaris": CENTRE}
LINK_SPACES = {frozenset([(c, r), ((c + 1) % 20, r)]) for c in range(20) for r in range(1, 5)}
LINK_SPACES |= {frozenset([(c, r), (c, r + 1)]) for c in range(20) for r in range(1, 4)}
LINK_SPACES |= {frozenset([CENTRE, (c, 1)]) for c in range(1, 20, 4)}

# Four cells each, and the pairs of them that are linked: columns to the right, rows up.
ROW = [(0, 0), (1, 0), (2, 0), (3, 0)]
SHAPES = {
    "PO1": (ROW, [(0, 0), (0, 1), (0, 2), (0, 3)]),
    "PO2": [(0, 0), (0, 1), (0, 2), (1, 2)],
    "PO3": [(0, 2), (0, 1), (0, 0), (1, 0)],
    "PO4": [(0, 0), (1, 0), (2, 0), (2, 1)],
    "PO5": [(0, 0), (1, 0), (2, 0), (2, -1)],
    "PO6": [(0, 0), (1, 0), (1, 1), (2, 1)],
    "PO7": [(0, 0), (0, 1), (1, 1), (1, 2)],
    "PO10": [(0, 1), (0, 0), (1, 0), (1, 1)],
}
PERSONAL = [f"PO{number}" for number in range(1, 11)]


def forms(card: str) -> list[list[tuple[Cell, Cell]]]:
    """Each form of a card as pairs of cells to be linked."""
    if card == "PO1":
        return [list(pairwise(form)) for form in SHAPES["PO1"]]
    if card == "PO8":
        arms = [((0, 0), (1, 0)), ((1, 0), (2, 0))]
        return [[*arms, ((1, 0), (1, up))] for up in (1, -1)]
    if card == "PO9":
        arms = [((0, 0), (0, 1)), ((0, 1), (0, 2))]
        return [[*arms, ((0, 1), (side, 1))] for side in (1, -1)]
    walk = SHAPES[card]
    if card == "PO10":
        mirrored = [(x, -y) for x, y in walk]
    else:
        mirrored = [(-x, y) for x, y in walk]
    return [list(pairwise(form)) for form in (walk, mirrored)]


class Own:
    """One colour's stars and links on a sky given as plain data."""

    def __init__(self, sky: dict, colour: str) -> None:
        self.links = {frozenset(CELLS[end] for end in ends) for ends in sky.get("links", ())}
        self.cells = {CELLS[s] for s, owner in sky.get("stars", {}).items() if owner == colour}
        self.graph = nx.Graph()
        self.graph.add_nodes_from(self.cells)
        for a, b in map(tuple, self.links):
            if {a, b} <= self.cells | {CENTRE}:
                self.graph.add_edge(a, b)
        groups = list(nx.connected_components(self.graph))
        self.sizes = sorted(len(group) for group in groups if len(group) > 1)
        self.lonely = sum(len(group) == 1 for group in groups)

    def longest(self) -> int:
        best = 0

        def go(cell: Cell, seen: frozenset[Cell]) -> None:
            nonlocal best
            best = max(best, len(seen))
            for other in self.graph[cell]:
                if other not in seen:
                    go(other, seen | {other})

        for cell in self.graph:
            if self.graph[cell]:
                go(cell, frozenset([cell]))
        return best

    def patterns(self, card: str) -> int:
        found = set()
        for form in forms(card):
            for c, r in self.cells:
                links = [frozenset(((c + x) % 20, r + y) for x, y in link) for link in form]
                cells = frozenset(cell for link in links for cell in link)
                if cells <= self.cells and set(links) <= self.links:
                    found.add(cells)
        return most_apart(sorted(map(sorted, found)))

    def count(self, card: str) -> tuple[int, int]:
        """The count on a common card, and the number that breaks a tie."""
        number = int(card[1:])
        columns = [c for c, _ in self.cells]
        if number <= 5:
            home = {(4 * number - 5 + step) % 20 for step in range(5)}
            return sum(c in home for c in columns), 0
        if number <= 9:
            return sum(r == number - 5 for _, r in self.cells), 0
        if number == 10:
            return sum(c % 4 == 3 for c in columns), 0
        if number == 11:
            return self.longest(), 0
        if number == 12:
            return len(set(self.sizes)), 0
        if number == 13:
            held = [[r for _, r in self.cells].count(row) for row in range(1, 5)]
        elif number == 14:
            held = [[c // 4 for c in columns if c % 4 != 3].count(s) for s in range(5)]
        else:
            around = [[link for link in LINK_SPACES if cell in link] for cell in self.cells]
            full = [len(own) for own in around if self.links.issuperset(own)]
            return len(full), full.count(4)
        return sum(n > 1 for n in held), sum(n > 2 for n in held)


def most_apart(groups: list) -> int:
    """The most groups without a common member, each taken and left."""
    if not groups:
        return 0
    first, *others = groups
    free = [group for group in others if not set(group) & set(first)]
    if len(free) == len(others):
        return 1 + most_apart(free)
    return max(1 + most_apart(free), most_apart(others))


def tier(card: str, count: int) -> int:
    points = -2
    steps = {"C12": (1, 2, 3, 4), "C13": (1, 2, 3, 4), "C14": (1, 2, 3, 5), "C15": (1, 2, 3, 5)}
    for step, worth in zip(steps.get(card, (2, 4, 6, 8)), (1, 3, 6, 10), strict=True):
        if count >= step:
            points = worth
    return points


def second_opinion(game: dict) -> dict[str, dict]:
    """Of each player: how the marker moves, what each part of the final score gives, the total."""
    players = game["players"]
    answer = {player["name"]: {"moves": []} for player in players}
    markers = {player["name"]: 5 for player in players}
    for phase in game.get("phases", ()):
        counts = {p["name"]: Own(phase, p["colour"]).count(phase["card"]) for p in players}
        top = sorted(counts.values())[-1]
        for name, count in counts.items():
            before = markers[name]
            if phase["telescope"] == name:
                markers[name] += 2
            markers[name] = max(markers[name] + tier(phase["card"], count[0]), 0)
            if top[0] > 0 and count == top:
                markers[name] += 3
            answer[name]["moves"].append((count[0], markers[name] - before))
    for player in players:
        own, reported = Own(game, player["colour"]), answer[player["name"]]
        reported["lonely"] = own.lonely * -2
        reported["constellations"] = sorted(
            {2: 0, 3: 2, 4: 3, 5: 5, 6: 7}.get(size, 10) for size in own.sizes
        )
        reported["personal"] = [0, 3, 6, 10, 15][min(own.patterns(player["personal"]), 4)]
        reported["shooting"] = player["shooting"] // 2
        reported["marker"] = player.get("marker", markers[player["name"]])
        reported["total"] = (
            reported["marker"]
            + reported["lonely"]
            + sum(reported["constellations"])
            + reported["personal"]
            + reported["shooting"]
        )
    return answer


def random_sky(rng: random.Random, colours: list[str], busy: float) -> dict:
    """Stars and links as players might lay them: links mostly where two stars are alike.

    `busy`, from 0 to 1, is how much has been laid.
    """
    near: dict[Cell, list[Cell]] = {cell: [] for cell in NAMES}
    for a, b in map(sorted, LINK_SPACES):
        if a != CENTRE:
            near[a].append(b)
            near[b].append(a)
    stars: dict[Cell, str] = {}
    clumping = rng.choice((0.2, 0.7, 0.9))
    for colour in colours:
        wanted = min(35, int(busy * rng.uniform(0.5, 1.1) * 80 / len(colours)))
        for _ in range(wanted):
            beside = [n for c, own in stars.items() if own == colour for n in near[c]]
            choice = beside if beside and rng.random() < clumping else list(NAMES)
            free = [cell for cell in choice if cell not in stars]
            if free:
                stars[rng.choice(free)] = colour
    alike, others = [], []
    for a, b in map(sorted, LINK_SPACES):
        same = stars.get(b) is not None and (a == CENTRE or stars.get(a) == stars.get(b))
        (alike if same else others).append((a, b))
    count = int(min(80, busy * rng.uniform(0.6, 1.2) * 80))
    rng.shuffle(alike)
    taken = alike[: int(count * rng.uniform(0.5, 1))]
    taken += rng.sample(others, min(len(others), count - len(taken)))
    names = NAMES | {CENTRE: "polaris"}
    return {
        "stars": {NAMES[cell]: colour for cell, colour in stars.items()},
        "links": [rng.sample([names[a], names[b]], 2) for a, b in taken],
    }


def random_game(rng: random.Random) -> dict:
    """A game of five phases, each with a sky of its own, and what no camera sees."""
    colours = rng.sample(["red", "yellow", "blue", "purple"], rng.choice((2, 3, 4)))
    cards = rng.sample([f"C{number}" for number in range(1, 16)], 5)
    personal = rng.sample(PERSONAL, len(colours))
    players = [
        {"name": colour.title(), "colour": colour, "shooting": rng.randrange(9), "personal": card}
        for colour, card in zip(colours, personal, strict=True)
    ]
    phases = [
        {
            "card": card,
            "telescope": rng.choice(players)["name"],
            **random_sky(rng, colours, rng.uniform(0.1, 0.4) + number * 0.15),
        }
        for number, card in enumerate(cards)
    ]
    last = {key: phases[-1][key] for key in ("stars", "links")}
    return {"format": 1, "game": "polaris", "players": players, "phases": phases, **last}
