"""Orchard, a toy game: fruit in a ring of six fields, lanes between them, a basket for each player.

A die says in which field a player picks a fruit; or the player lays a lane. A fruit in the basket
gives a point, one of each kind two more, a lane of one's own a point. Each player has a secret
number: who has just so many fruits in the end gets three points.
"""

from itertools import pairwise

from scorer.objective import CardResult, objective
from scorer.plain import PlainBoard, PlainPosition
from scorer.scoresheet import Line
from scorer.sentence import Phrasebook, Sentence
from scorer.topology import Link

FRUIT = ("plum", "pear", "quince")
LANES = ("red", "blue")
"""Each player's, in the order of turns."""
SECRETS = range(1, 7)
GATES = tuple(f"g{n}" for n in range(1, 7))
FIELDS = tuple(f"w{n}" for n in range(1, 7))

WORDS = Phrasebook.of_package(__name__)
LINKS = tuple(Link(a, b, "link") for a, b in pairwise((*GATES, GATES[0])))
RING = PlainBoard(GATES, LINKS, kind="fields", plots=FIELDS, edges=True)
BASKET = PlainBoard((), (), kind="basket", plots=("basket",))


def mixed(basket: PlainPosition) -> CardResult:
    """How many kinds of fruit a basket holds."""
    kinds = len(basket.counted("basket"))
    return objective(kinds / len(FRUIT), (), (), WORDS.say("mixed", n=kinds // len(FRUIT)))


def lines(fields: PlainPosition, basket: PlainPosition, seat: int, secret: int) -> tuple[Line, ...]:
    """A player's score, line by line."""
    fruit = basket.counted("basket")
    sets = min(fruit[kind] for kind in FRUIT)
    lanes = [*fields.on("edge").values()].count(LANES[seat])

    def line(category: str, points: int, count: int) -> Line:
        said: Sentence = WORDS.say(category, n=count)
        return Line(category, points, said)

    return (
        line("fruit", fruit.total(), fruit.total()),
        line("mixed", 2 * sets, sets),
        line("lanes", lanes, lanes),
        line("secret", 3 * (fruit.total() == secret), secret),
    )
