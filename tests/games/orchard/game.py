"""What the other rooms ask the toy."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.game import Question
from scorer.objective import CardResult
from scorer.plain import PlainFile, PlainGame, PlainPosition
from scorer.scoresheet import PlayerSheet, ScoreSheet
from scorer.table import BoardKind, Piece, Table

from . import BASKET, RING, SECRETS, WORDS, lines, mixed
from .turns import TURNS


class Mixed:
    id = "mixed"
    name = WORDS.say("mixed_name")
    rule = WORDS.say("mixed_rule")


class Orchard(PlainGame):
    """The rules of what lies there, and the score."""

    id = "orchard"
    pieces = (
        Piece("plum", "#6b2f8f", 12, frozenset({"region"}), diameter_mm=12.0),
        Piece("pear", "#b8c832", 12, frozenset({"region"}), diameter_mm=12.0),
        Piece("quince", "#e8731a", 12, frozenset({"region"}), diameter_mm=12.0),
        Piece("red", "#c22a2a", 6, frozenset({"edge"}), owner="red"),
        Piece("blue", "#2a52c2", 6, frozenset({"edge"}), owner="blue"),
    )
    table = Table((BoardKind(RING, "all"), BoardKind(BASKET)), 2, 2)
    turns = TURNS

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        least, most = SECRETS[0], SECRETS[-1]
        text = WORDS.say("secret_asked")
        return (Question("secret", text, "number", (), least, most, True, secret=True),)

    def objectives(self, game: PlainFile, player: int) -> tuple[Mixed, ...]:
        return (Mixed(),)

    def check(
        self, game: PlainFile, objective: Any, positions: Sequence[PlainPosition], player: int
    ) -> CardResult:
        """How many kinds are in a player's basket, which a camera over the fields does not see."""
        seen = positions[1 + player :][:1]
        return mixed(seen[0] if seen else PlainPosition(BASKET, {}))

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


ORCHARD = Orchard()
