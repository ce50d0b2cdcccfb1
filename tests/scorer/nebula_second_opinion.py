"""The board and the cards once more, in another style, to check the scorer against.

The board is typed in from the rulebook's table (constellation, orbit, angle), the neighbours on an
orbit found by angle; the cards are one expression each over a plain dict of stars.
"""

import random
import re
from collections import Counter
from itertools import combinations

TABLE = """
    ar1 1 45, ar2 2 20, ar3 3 40, ar4 3 75, ar5 4 55, ar6 5 25
    ta1 1 135, ta2 2 110, ta3 3 130, ta4 4 105, ta5 4 150, ta6 5 130
    ge1 1 225, ge2 2 200, ge3 3 220, ge4 3 255, ge5 4 235, ge6 5 205
    ca1 1 315, ca2 2 290, ca3 3 310, ca4 4 335, ca5 5 290, ca6 5 350
"""
"""Each space with its orbit and its angle in degrees."""
DIRECT = """
    core-ar1 core-ta1 core-ge1 core-ca1 ar1-ar2 ar1-ar4 ar2-ar3 ar4-ar5
    ar5-ar6 ta1-ta2 ta2-ta4 ta1-ta3 ta3-ta5 ta5-ta6 ge1-ge2 ge1-ge4
    ge2-ge3 ge4-ge5 ge5-ge6 ca1-ca2 ca1-ca3 ca3-ca4 ca4-ca6 ca3-ca5
"""
INDIRECT = ["ar2-ar6", "ta4-ta6", "ge2-ge6", "ca2-ca5"]
HIGHLIGHTED = ["core", "ar3", "ta4", "ge3", "ca5"]
BESIDE_HIGHLIGHTED = ["ca3", "ar4", "ta3", "ge4", "ar5", "ta5", "ge6", "ca6"]
CARD_COLOURS = ["blue", "red", "orange", "yellow", "purple", "white"]

_ROWS = [
    (at, int(orbit), int(angle)) for at, orbit, angle in re.findall(r"(\w+) (\d) (\d+)", TABLE)
]
SPACES = ["core", *(space for space, _, _ in _ROWS)]
ORBITS = {
    number: [space for _, space in sorted((a, s) for s, orbit, a in _ROWS if orbit == number)]
    for number in range(1, 6)
}
SIGNS = {
    sign: [space for space in SPACES if space.startswith(sign)] for sign in ["ar", "ta", "ge", "ca"]
}
PAIRS = {frozenset(link.split("-")) for link in [*DIRECT.split(), *INDIRECT]} | {
    frozenset((orbit[i - 1], orbit[i])) for orbit in ORBITS.values() for i in range(len(orbit))
}
NEAR = {space: {min(pair - {space}) for pair in PAIRS if space in pair} for space in SPACES}


def random_legal_stars(rng: random.Random) -> dict[str, str]:
    """A galaxy as players could have made it, placement by placement, stars replaced too.

    A favourite colour or a small palette makes the cards' patterns come up often.
    """
    palette = rng.sample(CARD_COLOURS, rng.choice((3, 4, 5, 6, 6)))
    favourite, keenness = rng.choice(palette), rng.choice((0.0, 0.5, 0.9))
    liked = rng.choice(
        (SPACES, HIGHLIGHTED, BESIDE_HIGHLIGHTED, [s for p in INDIRECT for s in p.split("-")])
    )
    stars: dict[str, str] = {}
    for _ in range(rng.choice((8, 25, 60, 120, 250))):
        reach = {n for s in stars for n in NEAR[s]} if stars else {"core"}
        if len(stars) == 1:
            reach.add("core")
        space = rng.choice(sorted(reach))
        wanted = favourite if space in liked and rng.random() < keenness else rng.choice(palette)
        if space in stars and rng.random() < 0.9 and wanted != favourite:
            continue
        linked = {stars[n] for n in NEAR[space] if n in stars}
        if stars.keys() - {space} and not linked:
            continue
        if wanted not in linked:
            stars[space] = wanted
    return stars


def most_pairs(stars: dict[str, str], one: str, other: str) -> int:
    """Every way to choose links without a shared star, tried out."""
    links = [p for p in PAIRS if sorted(stars.get(s, "") for s in p) == sorted((one, other))]

    def best(rest: list[frozenset[str]]) -> int:
        if not rest:
            return 0
        first, *others = rest
        with_it = 1 + best([link for link in others if not link & first])
        touching = len(others) - len([link for link in others if not link & first])
        return with_it if not touching else max(with_it, best(others))

    return best(links)


def second_opinion(stars: dict[str, str], black: int, rivals: list[int], markers: int) -> dict:
    """Card id to whether it is fulfilled (O, V) or how often its pattern is there (B)."""
    on = stars.get
    answer: dict[str, bool | int] = {}
    filled = {n: all(map(on, orbit)) for n, orbit in ORBITS.items()}
    done = {sign for sign, own in SIGNS.items() if all(map(on, own))}
    everywhere = Counter(stars.values())
    shining = Counter(on(space) for space in HIGHLIGHTED if on(space))
    for i, colour in enumerate(CARD_COLOURS):
        ends = [[on(end) for end in link.split("-")] for link in INDIRECT]
        answer[f"O{1 + i}"] = not [pair for pair in ends if colour not in pair]
        answer[f"O{7 + i}"] = shining[colour] > 3
        answer[f"O{13 + i}"] = everywhere[colour] > 5
        per_sign = [sum(on(space) == colour for space in own) for own in SIGNS.values()]
        answer[f"V{10 + i}"] = any(min(three) > 1 for three in combinations(per_sign, 3))
        answer[f"B{18 + i}"] = len({n for n in ORBITS for s in ORBITS[n] if on(s) == colour})
        answer[f"B{25 + i}"] = [on(space) for space in BESIDE_HIGHLIGHTED].count(colour)
    answer["O19"] = bool(rivals) and sorted([*rivals, black])[-1] == black
    answer["O20"] = len(stars) >= 21
    for i, sign in enumerate(SIGNS):
        answer[f"V{1 + i}"] = sign in done and len({on(space) for space in SIGNS[sign]}) == 3
    answer["V5"] = filled[3] and len({on(space) for space in ORBITS[3]}) == 3
    answer["V6"] = sorted(everywhere.values())[-6:-5] >= [2]
    for card, orbit in (("V7", 2), ("V8", 4), ("V9", 5)):
        answer[card] = filled[orbit] and max(Counter(map(on, ORBITS[orbit])).values()) == 1
    answer["V16"] = "111" in "".join(str(int(filled[n])) for n in range(1, 6))
    answer["V17"] = {"ar", "ge"} <= done or {"ta", "ca"} <= done
    answer["V18"] = any(
        set(pair) <= done for pair in (("ar", "ta"), ("ta", "ge"), ("ge", "ca"), ("ca", "ar"))
    )
    answer["V19"] = not [end for link in INDIRECT for end in link.split("-") if end not in stars]
    answer["V20"] = set(BESIDE_HIGHLIGHTED) <= set(stars)
    for i, (one, other) in enumerate(combinations(CARD_COLOURS, 2)):
        answer[f"B{1 + i}"] = most_pairs(stars, one, other)
    answer["B16"] = max(shining.values(), default=0)
    answer["B17"] = markers
    answer["B24"] = sum(NEAR[space] <= set(stars) for space in HIGHLIGHTED[1:])
    return answer
