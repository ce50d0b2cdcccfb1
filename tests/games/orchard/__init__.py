"""Orchard, a toy game: fruit in a ring of six fields, lanes between them, a basket for each player.

A die says in which field a player picks a fruit; or the player lays a lane. A fruit in the basket
gives a point, one of each kind two more, a lane of one's own a point. Each player has a secret
number: who has just so many fruits in the end gets three points.
"""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

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
RING = (*pairwise(GATES), (GATES[-1], GATES[0]))

WORDS = Phrasebook(
    {
        "fruit": {"en": "{n} {n:fruit|fruits} in the basket"},
        "mixed": {"en": "{n} {n:set|sets} of three"},
        "lanes": {"en": "{n} {n:lane|lanes}"},
        "secret": {"en": "the secret number is {n}"},
        "secret_asked": {"en": "Your secret number?"},
        "mixed_name": {"en": "Mixed basket"},
        "mixed_rule": {"en": "One fruit of each kind in the basket"},
        "not_now": {"en": "that is not what is to be done now"},
        "other_field": {"en": "the die says another field than {place}"},
        "no_fruit": {"en": "no such fruit is left in {place}"},
        "built": {"en": "a lane is there already"},
        "do_draw": {"en": "the secret number is {number}"},
        "do_roll": {"en": "the die says field {field}"},
        "do_pick": {"en": "a {fruit} of {field} goes into the basket"},
        "do_build": {"en": "a lane is laid on {lane}"},
    },
    {},
)
BOARDS: Mapping[str, PlainBoard] = MappingProxyType(
    {
        "fields": PlainBoard(
            GATES,
            tuple(Link(a, b, "link") for a, b in RING),
            kind="fields",
            plots=FIELDS,
            edges=True,
        ),
        "basket": PlainBoard((), (), kind="basket", plots=("basket",)),
    }
)


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
