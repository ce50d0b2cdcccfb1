"""The order of the screens: from the players to the winner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.app.game_pages import pages_of
from webapp.app.session.board_slots import BOARDS, is_shared, owners

REVIEW = "review"
"""The step in which a board is looked at."""
LIVE = "live"
"""The key of a document that says that the game is, or was, followed live."""
GUIDED = "guided"
"""The key of a document that says whether its players are guided; once begun, it stays."""
NOT_SHOWN = frozenset({"confirmed", "note", "table_photograph", LIVE, GUIDED})
"""Keys of a document that no step's page asks anybody to confirm."""


@dataclass(frozen=True)
class Step:
    """One screen of a game; `player` is the seat that it is about, if it is about one.

    The review of a board is about its owner, at a shared table a moment instead of a player.
    """

    name: str
    player: int | None = None

    @property
    def key(self) -> str:
        """How the step is written down among the confirmed ones."""
        return self.name if self.player is None else f"{self.name}-{self.player}"


def is_live(document: Mapping[str, Any]) -> bool:
    """Say whether a game is followed live and goes on: no board is taken over or photographed."""
    return bool(document.get(LIVE)) and not any(seat["board"] for seat in owners(document))


def is_guided(document: Mapping[str, Any]) -> bool:
    """Say whether the players of a game that goes on are told what to do."""
    return bool(document.get(GUIDED)) and is_live(document)


def has_been_guided(document: Mapping[str, Any]) -> bool:
    """Say whether a guided game was begun, whether or not it goes on."""
    return GUIDED in document


def steps(document: Mapping[str, Any]) -> list[Step]:
    """Return the steps of a game in their order; the score, which is the end, is not one.

    A game that is followed live goes on there: what is asked at its end waits.
    """
    pages = pages_of(document["game"])
    live = ["live"] if is_live(document) else []
    own = pages.steps(document)
    names = ["players", *own.start, *live, *own.table, "photographs"]
    players = range(len(document["players"]))
    if is_shared(document):
        of_owners = [Step(REVIEW, board) for board in range(len(owners(document)))]
        of_owners += [Step(name, player) for player in players for name in own.players]
    else:
        of_owners = [Step(name, player) for player in players for name in (REVIEW, *own.players)]
    return [*map(Step, names), *of_owners, *map(Step, own.end)]


def shown(document: Mapping[str, Any], step: Step) -> Mapping[str, Any]:
    """Return what of a game the page of a step shows: a confirmation of it holds for that alone.

    Not what was confirmed elsewhere. Of the boards, the one that is reviewed; none where a question
    is asked before the photographs.
    """
    pages = pages_of(document["game"])
    found = {key: value for key, value in document.items() if key not in NOT_SHOWN}
    if step.name == REVIEW:
        board = owners(document)[step.player or 0 : (step.player or 0) + 1]
        seats = [(seat["name"], seat["marker"]) for seat in document["players"]]
        return {"board": list(board), "players": seats, "mode": document.get("mode")}
    own = pages.steps(document)
    if step.name in {"players", *own.start, *own.table}:
        of_boards = {"board", "checked", "offered", "settled", *pages.game.pieces_data({})}
        found = {key: value for key, value in found.items() if key not in {BOARDS, "order"}}
        found["players"] = [
            {key: value for key, value in seat.items() if key not in of_boards}
            for seat in document["players"]
        ]
    return found


def next_step(document: Mapping[str, Any]) -> Step:
    """Return the first step that is not done yet, or the score when all are."""
    done = set(document["confirmed"])
    return next((step for step in steps(document) if step.key not in done), Step("score"))


def step_before(document: Mapping[str, Any], step: Step) -> Step | None:
    """Return the step before another, None for the first, and for the score: that is the end."""
    every = steps(document)
    return every[every.index(step) - 1] if step in every[1:] else None


def done(document: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many of the steps are done, and how many there are."""
    confirmed = set(document["confirmed"])
    every = steps(document)
    return sum(step.key in confirmed for step in every), len(every)


def corrections(document: Mapping[str, Any], player: int) -> list[Step]:
    """Steps that a score sheet leads back to, where the phrase `change_STEP` says so."""
    pages = pages_of(document["game"])
    own = pages.steps(document)
    every = [Step(step, player) for step in own.players]
    every += [Step(step) for step in (*own.others, *own.end)]
    return [step for step in every if pages.words.say(f"change_{step.name}")]
