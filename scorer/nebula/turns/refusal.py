"""Why an action is refused."""

from scorer.flags import RuleBreak
from scorer.nebula.words import say
from scorer.sentence import Value


def refuse(rule: str, phrase: str | None = None, **values: Value) -> RuleBreak:
    """The refusal by a rule, in the words of a phrase; that of the rule's own id by default.

    `.kind` is the rule's id, as game records name it; `.reason` knows the other languages.
    """
    return RuleBreak(rule, reason=say(phrase or rule, **values))
