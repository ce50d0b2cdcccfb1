"""A guided game of Polaris in the hands of a test: its pages, and what they work with."""

import html
import random
from collections.abc import Callable

from flask import Flask
from werkzeug.test import TestResponse

from scorer.polaris.steps import STEPS, StepState
from tests.webapp.guided import GuidedTable
from tests.webapp.polaris_skies import COLOURS, NAMES


class GuidedSky(GuidedTable):
    """A guided game of some players, begun on the first page."""

    def __init__(
        self, app: Flask, players: int = 2, mode: str = "phases", computers: str = ""
    ) -> None:
        form = {"game": "polaris", "count": str(players), "mode": mode}
        for seat, (name, colour) in enumerate(zip(NAMES[:players], COLOURS, strict=False)):
            form |= {f"name-{seat}": name, f"marker-{seat}": colour}
        super().__init__(app, form)
        computers = computers or ",".join("-" * players)
        begun = {"draws": "program", "computers": computers}
        assert self.player.post(f"{self.game}/guide", begun).status_code == 303
        for seat, by in enumerate(computers.split(",")):
            if by == "-":
                self.sit(self.player, seat)  # one phone goes round

    @property
    def state(self) -> StepState:
        state: StepState = self.history.state
        return state

    def text_of(self, answer: TestResponse) -> str:
        """The screen that answers, as it is read."""
        return html.unescape(super().text_of(answer))

    def page(self, draft: str = "", hint: int = 0, look: int | None = None) -> str:
        """The screen; where cards are looked at, of a phone that was handed on."""
        return super().page(draft, hint, self.state.table.turn if draft == "card" or hint else look)

    def tap(self, step: str, draft: str = "") -> str:
        """Tap what does a step, which the page has to offer; the screen after it."""
        assert f'"{step}"' in self.page(draft), f"{step}: not offered"
        return self.send(step)

    def play_on(self, luck: random.Random, until: Callable[[StepState], bool]) -> StepState:
        """Play at random until something holds, without pages; the state then."""
        state, reported = self.state, []
        while not until(state):
            chances = [step for step, _odds in STEPS.outcomes(state)]
            following = STEPS.by_itself(state) if state.laid_out else None
            step = following or luck.choice(chances or STEPS.actions(state))
            by = "itself" if following or chances else "tap"
            reported.append(("guide", {"do": STEPS.write_action(step), "by": by}))
            state = STEPS.after(state, step)
        self.app.extensions["stargazer live"].log.append(self.id, reported)
        return state

    def play_out(self, luck: random.Random) -> StepState:
        """The same to the game's end."""
        return self.play_on(luck, lambda state: state.over)
