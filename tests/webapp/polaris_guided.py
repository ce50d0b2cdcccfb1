"""A guided game of Polaris in the hands of a test: its pages, and what they work with."""

import html
import random
import re
from collections.abc import Callable

from flask import Flask

from scorer.polaris.steps import STEPS, StepState
from tests.webapp.conftest import Player
from tests.webapp.polaris_skies import COLOURS, NAMES
from webapp.app.guide.history import History
from webapp.app.guide.service import GuideService


class GuidedSky:
    """A guided game of some players, begun on the first page."""

    def __init__(
        self, app: Flask, players: int = 2, mode: str = "phases", computers: str = ""
    ) -> None:
        self.app, self.player = app, Player(app.test_client())
        form = {"game": "polaris", "count": str(players), "mode": mode, "guided": "yes"}
        for seat, (name, colour) in enumerate(zip(NAMES[:players], COLOURS, strict=False)):
            form |= {f"name-{seat}": name, f"marker-{seat}": colour}
        answer = self.player.post("/games/new", form)
        assert answer.headers["Location"].endswith("/guide")
        self.game = answer.headers["Location"].removesuffix("/guide")
        self.id = self.game.rsplit("/", 1)[1]
        computers = computers or ",".join("-" * players)
        begun = {"draws": "program", "computers": computers}
        assert self.player.post(f"{self.game}/guide", begun).status_code == 303
        for seat, by in enumerate(computers.split(",")):
            if by == "-":
                self.sit(self.player, seat)  # one phone goes round

    @property
    def service(self) -> GuideService:
        """What guided pages work with."""
        found: GuideService = self.app.extensions["stargazer guide"]
        return found

    @property
    def history(self) -> History:
        """What was done."""
        found = self.service.history(self.app.extensions["stargazer"].games.open(self.id))
        assert found is not None
        return found

    @property
    def state(self) -> StepState:
        """The table now."""
        state: StepState = self.history.state
        return state

    def sit(self, player: Player, seat: int, what: str = "take") -> str:
        """Sit down at a seat, or give it back; the screen then."""
        form = {"seat": seat, "what": what}
        answer = player.post(f"{self.game}/guide/seat", form, headers={"X-Partial": "1"})
        assert answer.status_code in (200, 409), answer.text
        return html.unescape(answer.text)

    def page(self, draft: str = "", hint: int = 0) -> str:
        """The screen; where cards are looked at, of a phone that was handed on."""
        look = f"&look={self.state.table.turn}" if draft == "card" or hint else ""
        chosen = f"draft={draft}&hint={hint}&at={self.history.number}"
        answer = self.player.get(f"{self.game}/guide/now?{chosen}{look}")
        assert answer.status_code in (200, 409), answer.text
        return html.unescape(answer.text)

    def asked(self, draft: str = "") -> str:
        """What is asked."""
        found = re.search(r"<h1[^>]*>(.*?)</h1>", self.page(draft))
        assert found is not None
        return found[1]

    def tap(self, step: str, draft: str = "") -> str:
        """Tap what does a step, which the page has to offer; the screen after it."""
        assert f'"{step}"' in self.page(draft), f"{step}: not offered"
        return self.send(step)

    def send(self, step: str, seen: int | None = None) -> str:
        """Send a step, offered or not."""
        seen = self.history.number if seen is None else seen
        form = {"move": step, "seen": seen}
        answer = self.player.post(f"{self.game}/guide/do", form, headers={"X-Partial": "1"})
        assert answer.status_code in (200, 409), answer.text
        return html.unescape(answer.text)

    def do(self, step: str) -> None:
        """Do a step without a page."""
        self.service.do(self.id, step, self.history.number)

    def back(self) -> None:
        """Take the last decision back."""
        form = {"seen": self.history.number}
        assert self.player.post(f"{self.game}/guide/back", form).status_code == 303

    def see(self, **event: object) -> None:
        """Let a camera see something, without a worker."""
        live = self.app.extensions["stargazer live"]
        live.record(self.id, "cam", [{"t": 0.0, "board": 0, **event}])

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
