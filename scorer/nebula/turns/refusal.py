"""Why an action is refused."""

from scorer.flags import RuleBreak
from scorer.nebula.words import say
from scorer.sentence import Value


class IllegalActionError(ValueError):
    """An action that the rules forbid in this state; `.broken` says which rule and why."""

    def __init__(self, broken: RuleBreak) -> None:
        """Keep the rule that the action would break; the text is its reason."""
        self.broken = broken
        super().__init__(str(broken.reason))


def refuse(rule: str, phrase: str | None = None, **values: Value) -> RuleBreak:
    """The refusal by a rule, in the words of a phrase; that of the rule's own id by default.

    `.kind` is the rule's id, as game records name it; `.reason` knows the other languages.
    """
    return RuleBreak(rule, reason=say(phrase or rule, **values))
