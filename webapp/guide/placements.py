"""Where a piece may go: what the places of a board stand for, and why some may not be taken."""

from collections.abc import Mapping
from typing import Any

from scorer.flags import RuleBreak
from scorer.game import Turns
from scorer.places import Place


def legal_placements(
    turns: Turns[Any, Any], state: Any, actions: Mapping[Place, Any]
) -> dict[Place, RuleBreak | None]:
    """For each place the rule that forbids its action in a state, None where it is legal."""
    return {place: turns.illegal(state, action) for place, action in actions.items()}
