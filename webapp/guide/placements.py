"""Where a piece may go: what the places of a board stand for, and why some may not be taken."""

from collections.abc import Mapping
from typing import Any

from scorer.flags import RuleBreak
from scorer.game import Turns
from scorer.places import Place


def legal_placements(
    turns: Turns[Any, Any], state: Any, actions: Mapping[Place, Any]
) -> dict[Place, RuleBreak | None]:
    """For each place the rule that forbids its action in a state, None where it is legal.

    >>> from scorer.nebula.turns import play
    >>> from scorer.nebula.turns.actions import Place as PlaceStar
    >>> from scorer.nebula.turns.setup import new_game
    >>> from scorer.nebula.turns.state import Phase, Rules
    >>> state = new_game(Rules()).but(phase=Phase.PLACE, turn=1)
    >>> star = PlaceStar("red", "ar1")
    >>> found = legal_placements(play, state, {Place("ar1"): star})
    >>> found[Place("ar1")].kind
    'not_in_reserve'
    """
    return {place: turns.illegal(state, action) for place, action in actions.items()}
