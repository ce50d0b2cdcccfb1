"""A guided game in the hands of a test: its pages, and what they work with."""

import html
import random
import re
from typing import Any, Self

from flask import Flask
from werkzeug.test import TestResponse

from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.state import Phase, State
from scorer.turns import Turns
from tests.webapp.conftest import Player, players_form
from webapp.app.guide.history import KIND, History
from webapp.app.guide.service import GuideService


def drafted(player: Player, game: str, draft: str) -> str:
    """The screen after a part of the action has been chosen on the one that is shown now."""
    now = player.get(f"{game}/guide/now").text
    at = re.search(r'(?:name="seen" value="|at=)(\d+)', now)
    assert at is not None, "nothing is asked"
    answer = player.get(f"{game}/guide/now?draft={draft}&at={at[1]}")
    assert answer.status_code == 200
    return answer.text


def points_now(page: str) -> str:
    """What a guided page says of everybody's points."""
    shown = re.search(r'<li class="points-now">(.*?)</li>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", shown[1]).split()) if shown else ""


def played_out(app: Flask, player: Player, game: str, turns: Turns[Any, Any], seed: int) -> Any:
    """The last state of a guided game that is played by random choices and finished."""
    state = played_to_the_end(app, game, turns, seed)
    assert player.post(f"{game}/guide/finish", {}).status_code == 303
    return state


def played_to_the_end(app: Flask, game: str, turns: Turns[Any, Any], seed: int) -> Any:
    """The last state of a guided game that is played by random choices."""
    luck, reported = random.Random(seed), []
    saved = app.extensions["stargazer"].games.open(game.split("/")[2])
    state = app.extensions["stargazer guide"].history(saved).state
    while not state.over:
        action = turns.drawn(state, luck) or luck.choice(turns.actions(state))
        reported.append((KIND, {"do": turns.write_action(action), "by": "tap"}))
        state = turns.after(state, action)
    app.extensions["stargazer live"].log.append(saved.id, reported)
    return state


class GuidedTable:
    """A guided game, by its pages and by what they work with."""

    def __init__(self, app: Flask, form: dict[str, str]) -> None:
        self.app, self.player = app, Player(app.test_client())
        answer = self.player.post("/games/new", form | {"guided": "yes"})
        assert answer.headers["Location"].endswith("/guide")
        self.game = answer.headers["Location"].removesuffix("/guide")
        self.id = self.game.rsplit("/", 1)[1]

    @classmethod
    def of(cls, app: Flask, game_id: str) -> Self:
        """A guided game that was begun elsewhere, as on a page."""
        found = cls.__new__(cls)
        found.app, found.player = app, Player(app.test_client())
        found.id, found.game = game_id, f"/games/{game_id}"
        return found

    @property
    def service(self) -> GuideService:
        """What guided pages work with."""
        found: GuideService = self.app.extensions["stargazer guide"]
        return found

    @property
    def history(self) -> History:
        assert self._begun is not None
        return self._begun

    @property
    def _begun(self) -> History | None:
        return self.service.history(self.app.extensions["stargazer"].games.open(self.id))

    def text_of(self, answer: TestResponse) -> str:
        assert answer.status_code in (200, 409), answer.text
        return answer.text

    def page(self, draft: str = "", hint: int = 0, look: int | None = None) -> str:
        """The screen; with `look`, of a phone that was handed to a seat."""
        shown = "" if look is None else f"&look={look}"
        at = self._begun.number if self._begun else ""
        chosen = f"draft={draft}&hint={hint}&at={at}"
        return self.text_of(self.player.get(f"{self.game}/guide/now?{chosen}{shown}"))

    def asked(self, draft: str = "") -> str:
        found = re.search(r"<h1[^>]*>(.*?)</h1>", self.page(draft))
        return html.unescape(found[1])

    def send(self, action: str, seen: int | None = None) -> str:
        """Send an action, offered or not."""
        seen = self.history.number if seen is None else seen
        form = {"move": action, "seen": seen}
        answer = self.player.post(f"{self.game}/guide/do", form, headers={"X-Partial": "1"})
        return self.text_of(answer)

    def sit(self, player: Player, seat: int, what: str = "take") -> str:
        """Sit down at a seat, or give it back; the screen then."""
        form = {"seat": seat, "what": what}
        answer = player.post(f"{self.game}/guide/seat", form, headers={"X-Partial": "1"})
        return self.text_of(answer)

    def see(self, board: int = 0, **event: object) -> None:
        """Let a camera see something, without a worker."""
        live = self.app.extensions["stargazer live"]
        live.record(self.id, "cam", [{"t": 0.0, "board": board, **event}])

    def back(self) -> None:
        """Take the last decision back."""
        form = {"seen": self.history.number}
        assert self.player.post(f"{self.game}/guide/back", form).status_code == 303

    def do(self, action: str) -> None:
        """Do an action without a page."""
        self.service.do(self.id, action, self.history.number)


class Guided(GuidedTable):
    """A guided game of Nebula."""

    def __init__(
        self,
        app: Flask,
        *names: str,
        mode: str = "intro",
        draws: str = "hand",
        computers: str = "-,-,-,-",
    ) -> None:
        super().__init__(app, players_form(*names, mode=mode))
        if draws:
            seated = ",".join(computers.split(",")[: len(names)])
            form = {"draws": draws, "computers": seated}
            assert self.player.post(f"{self.game}/guide", form).status_code == 303

    @property
    def state(self) -> State:
        state: State = self.history.state
        return state

    def tap(self, action: str, page: str | None = None) -> str:
        """Tap what does an action, which the page has to offer; the screen after it."""
        assert f'"{action}"' in (self.page() if page is None else page), f"{action}: not offered"
        return self.send(action)

    def lay_table(self) -> None:
        """Fill the clusters, the boosted star, the cards and Luis's first star."""
        stars = [*("red", "blue", "white", "orange", "yellow", "purple") * 3, "black"]
        reported = [("guide", {"do": f"draw {star}", "by": "tap"}) for star in stars]
        self.app.extensions["stargazer live"].log.append(self.id, reported)
        form = {"career": "V5,V7,V12,V17", "advanced": "B3,B16,B20,B24"}
        answer = self.player.post(f"{self.game}/nebula/cards", form)
        assert answer.headers["Location"] == f"{self.game}/guide"
        self.player.get(f"{self.game}/guide")
        self.do("draw red")

    def play_out(self, luck: random.Random, until: int = 99) -> State:
        """Play to the end or a round at random, without pages; the state then."""
        state, reported = self.state, []
        while state.phase is not Phase.OVER and state.round < until:
            choices = play.actions(state)
            action = luck.choice(choices) if choices else random_outcome(state, luck)
            reported.append(("guide", {"do": TURNS.write_action(action), "by": "tap"}))
            state = TURNS.after(state, action)
        self.app.extensions["stargazer live"].log.append(self.id, reported)
        return state

    def stars(self, seat: int) -> dict[str, str]:
        """What the table that is followed live has on a board."""
        game = self.app.extensions["stargazer"].games.open(self.id)
        return dict(self.app.extensions["stargazer live"].table(game).positions[seat].stars)
