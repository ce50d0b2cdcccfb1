"""The spaces that a guided page highlights, compared with the rules in states of random games."""

import html
import random
import re
from collections.abc import Iterator
from typing import get_args

from flask import Flask, render_template_string

from scorer.nebula.game import Mode
from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Place
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.state import Phase, Rules, State
from scorer.nebula.words import BLACK
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import History
from webapp.app.guide.sitting import Sitting
from webapp.web.guide_view_model import view

BOARD = (
    """{% import "_guide_board.html" as board with context %}{{ board.draw(drawing, view, "") }}"""
)
SPACE = re.compile(r'<g class="space[^"]*?( lit)?" id="space-(\w+)"[^>]*?>', re.DOTALL)
ACTION = re.compile(r'data-action="([^"]*)"')
EVERY = 7
"""One in so many states with a placement is tested, for variety."""


def placing_states(seed: int) -> Iterator[State]:
    """Yield states of random games in which a player places stars, in random modes."""
    luck = random.Random(seed)
    while True:
        mode = luck.choice(get_args(Mode))
        state = new_game(Rules(players=luck.choice((2, 3, 4)), mode=mode))
        while state.phase is not Phase.OVER:
            if state.phase is Phase.PLACE and luck.randrange(EVERY) == 0:
                yield state
            choices = play.actions(state)
            action = luck.choice(choices) if choices else random_outcome(state, luck)
            state = play.after_legal(state, action)


def differences(app: Flask, state: State) -> Iterator[str]:
    """Yield the differences between a state's page and the rules."""
    part = pages_of("nebula").guided
    names = [{"name": f"P{seat}", "marker": "teal"} for seat in range(len(state.seats))]
    history = History({"computers": [""] * len(names), "draws": "hand"}, state)
    for star in state.seat.reserve.kinds:
        if star == BLACK:
            continue
        legal = {
            action.space: TURNS.write_action(action)
            for action in play.actions(state)
            if isinstance(action, Place) and action.star == star
        }
        with app.test_request_context():
            shown = view(
                part,
                history.seen_by(TURNS, state.player),
                {"players": names},
                Sitting(),
                f"place {star}",
            )
            text = render_template_string(BOARD, view=shown, part=part)
        same = {space for space in legal if state.seat.galaxy.stars.get(space) == star}
        lit = {}
        for found in SPACE.finditer(text):
            action = ACTION.search(found[0])
            is_same = found[2] in same
            if bool(found[1]) != (bool(action) and not is_same) or bool(found[1]) == (
                "data-why=" in found[0]
            ):
                yield f"{star} on {found[2]}: lit, an action and a reason contradict each other"
            if action:
                lit[found[2]] = html.unescape(action[1])
        if lit != legal:
            yield f"{star}: the page lights {sorted(lit)}, the rules allow {sorted(legal)}"
        if len(SPACE.findall(text)) != len(state.rules.board.spaces):
            yield f"{star}: the page does not draw every space"
        if set(shown.lit) != set(legal) - same or set(shown.idle) != same:
            yield f"{star}: the JSON allows {sorted(shown.lit)}, the rules {sorted(legal)}"
