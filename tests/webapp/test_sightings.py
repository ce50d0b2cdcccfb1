"""What a camera sees does an action only if nothing else leads to the same board."""

from collections import defaultdict
from collections.abc import Mapping
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from scorer.places import Place
from tests.games.test_pages_contract import begun
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import History
from webapp.app.guide.sighting import Sighting, sightings
from webapp.app.guided_game import GuidedGame
from webapp.app.live.reducer import LiveTable


def contracts(part: GuidedGame) -> tuple[Any, Mapping[Place, str], list[Any]]:
    """A state where two contracts may be built on a hexagon, the valley after it, and both ways."""
    turns, luck = part.turns, Random(3)
    state = turns.start(part.rules_of(begun(pages_of("via_nebula"), 2)))
    for _move in range(200):
        while turns.outcomes(state):
            state = turns.dealt(state, luck)
        actions = list(turns.actions(state))
        ways = defaultdict(list)
        for action in actions:
            if type(action).__name__ == "Build":
                valley = part.pieces(turns.after(state, action))[0]
                ways[tuple(valley.items())].append(action)
        for found, doing in ways.items():
            if len(doing) > 1:
                return state, dict(found), doing
        state = turns.after(state, luck.choice(actions))
    raise AssertionError("no such state")


def test_of_two_contracts_that_leave_the_same_valley_none_is_built_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = pages_of("via_nebula").guided
    monkeypatch.setattr(part, "seen", lambda _set_up, position: position)
    state, valley, (first, second, *_) = contracts(part)
    history = cast(History, SimpleNamespace(state=state, set_up={"computers": ["", ""]}, undone=0))
    counting = SimpleNamespace(status="counts", entry=SimpleNamespace(number=1))
    table = cast(LiveTable, SimpleNamespace(steps=[counting], positions=(valley,)))

    def seen(wanted: Any = None) -> list[Sighting]:
        return sightings(part, history, table, wanted)

    assert part.pieces(state)[0] != valley
    assert not any(one.answers for one in seen()), "the player says which"
    assert seen(first)[0].action == first and seen(second)[0].action == second
