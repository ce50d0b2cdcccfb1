"""What is wrong with a game record."""

from scorer.datafile import bounded


class RecordError(ValueError):
    """The first check of a record that fails.

    `rule` is the check's id, `turn` where in the game (0: before the first turn; the last turn's
    number for the end and the score), `field` the path in the record, counting from 0.
    """

    def __init__(self, rule: str, turn: int, field: str, reason: str) -> None:
        """Keep where and why; `reason` says what would have been right."""
        ((_, reason),) = bounded([("", reason)])  # it may quote the record
        self.rule, self.turn, self.field, self.reason = rule, turn, field, reason
        place = f"turn {turn}, {field}" if field else f"turn {turn}"
        super().__init__(f"{place}: {rule}: {reason}")
