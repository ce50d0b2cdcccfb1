"""The order of a game's steps, from the players to the winner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.app.game_pages import pages_of
from webapp.app.session.board_slots import BOARDS, is_shared, owners

REVIEW = "review"
"""The step in which a board is reviewed."""
LIVE = "live"
"""The document's key that marks a game as followed live, now or earlier."""
GUIDED = "guided"
"""The document's key of guidance: True or False once a guided game has begun."""
NOT_SHOWN = frozenset({"confirmed", "note", "table_photograph", LIVE, GUIDED})
"""Keys of a document that no step's page shows for confirmation."""


@dataclass(frozen=True)
class Step:
    """One step of a game; `player` is the seat that it is about, if any.

    For reviews it is the board's owner, which at a shared table is a snapshot.
    """

    name: str
    player: int | None = None

    @property
    def key(self) -> str:
        """The step's name in the document's list of confirmed steps."""
        return self.name if self.player is None else f"{self.name}-{self.player}"


def is_live(document: Mapping[str, Any]) -> bool:
    """Return whether a game is still followed live: it has no boards yet."""
    return bool(document.get(LIVE)) and not any(seat["board"] for seat in owners(document))


def is_guided(document: Mapping[str, Any]) -> bool:
    """Return whether a game in progress is guided."""
    return bool(document.get(GUIDED)) and is_live(document)


def has_been_guided(document: Mapping[str, Any]) -> bool:
    """Return whether a guided game was begun, finished or not."""
    return GUIDED in document


def steps(document: Mapping[str, Any]) -> list[Step]:
    """Return the steps of a game in order, without the score at the end.

    While a game is followed live, the steps after it wait.
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
    """Return what a step's page shows of a game, for which a confirmation is valid.

    Confirmed steps are left out. Of the boards it has only the one under review, and none for
    questions before the photographs.
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
    """Return the first step that is not done, or the score if all are."""
    done = set(document["confirmed"])
    return next((step for step in steps(document) if step.key not in done), Step("score"))


def is_last(document: Mapping[str, Any], step: Step) -> bool:
    """Whether nothing but the score is left once a step is done."""
    done = {*document["confirmed"], step.key}
    return all(one.key in done for one in steps(document))


def step_before(document: Mapping[str, Any], step: Step) -> Step | None:
    """Return the step before another; None for the first step and the score."""
    every = steps(document)
    return every[every.index(step) - 1] if step in every[1:] else None


def done(document: Mapping[str, Any]) -> tuple[int, int]:
    """Return the number of steps done, and of all steps."""
    confirmed = set(document["confirmed"])
    every = steps(document)
    return sum(step.key in confirmed for step in every), len(every)


def corrections(document: Mapping[str, Any], player: int) -> list[Step]:
    """Return the steps that a score sheet links to, those with a phrase `change_STEP`."""
    pages = pages_of(document["game"])
    own = pages.steps(document)
    every = [Step(step, player) for step in own.players]
    every += [Step(step) for step in (*own.others, *own.end)]
    return [step for step in every if pages.words.say(f"change_{step.name}")]
