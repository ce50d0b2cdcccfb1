"""Orchard, a toy game: fruit in a ring of six fields, lanes between them, a basket for each player.

A die says in which field a player picks a fruit; or the player lays a lane. A fruit in the basket
gives a point, one of each kind two more, a lane of one's own a point. Each player has a secret
number: who has just so many fruits in the end gets three points.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from scorer.game import BoardKind, Piece, Question, Table
from scorer.objective import CardResult, objective
from scorer.plain import Lying, PlainBoard, PlainFile, PlainGame
from scorer.scoresheet import Line, PlayerSheet, ScoreSheet
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
    },
    {},
)


class Mixed:
    """The one objective."""

    id = "mixed"
    name = WORDS.say("mixed_name")
    rule = WORDS.say("mixed_rule")


class Orchard(PlainGame):
    """The rules of what lies there, and the score."""

    id = "orchard"
    title = "Orchard"
    pieces = (
        Piece("plum", "#6b2f8f", 12, frozenset({"region"}), diameter_mm=12.0),
        Piece("pear", "#b8c832", 12, frozenset({"region"}), diameter_mm=12.0),
        Piece("quince", "#e8731a", 12, frozenset({"region"}), diameter_mm=12.0),
        Piece("red", "#c22a2a", 6, frozenset({"edge"}), owner="red"),
        Piece("blue", "#2a52c2", 6, frozenset({"edge"}), owner="blue"),
    )
    categories = MappingProxyType(
        {key: WORDS.say(key, n=2) for key in ("fruit", "mixed", "lanes", "secret")}
    )
    table = Table(2, 2, boards=(BoardKind("fields", "all"), BoardKind("basket")))
    boards = MappingProxyType(
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

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        """Each player's secret number."""
        least, most = SECRETS[0], SECRETS[-1]
        text = WORDS.say("secret_asked")
        return (Question("secret", text, "number", (), least, most, True, secret=True),)

    def objectives(self, game: PlainFile, player: int) -> tuple[Mixed, ...]:
        """There is one."""
        return (Mixed(),)

    def check(
        self, game: PlainFile, objective: Any, positions: Sequence[Lying], player: int
    ) -> CardResult:
        """How many kinds are in a player's basket."""
        return mixed(positions[1 + player])

    def score(self, game: PlainFile) -> ScoreSheet:
        """Fruit, sets, lanes and the secret number."""
        fields = game.lies("fields")
        return ScoreSheet(
            self.id,
            tuple(
                PlayerSheet(
                    seat.name,
                    lines(fields, game.lies("basket", n), n, seat.answers.get("secret", 0)),
                    self.flags_of(game, n),
                )
                for n, seat in enumerate(game.seats)
            ),
            self.flags_of(game),
        )


def mixed(basket: Lying) -> CardResult:
    """How many kinds of fruit a basket holds."""
    kinds = len(basket.counted("basket"))
    return objective(kinds / len(FRUIT), (), (), WORDS.say("mixed", n=kinds // len(FRUIT)))


def lines(fields: Lying, basket: Lying, seat: int, secret: int) -> tuple[Line, ...]:
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


ORCHARD = Orchard()
