"""The order of the screens: from the players to the winner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Step:
    """One screen of a game; `player` is the seat that it is about, if it is about one."""

    name: str
    player: int | None = None

    @property
    def key(self) -> str:
        """How the step is written down among the confirmed ones."""
        return self.name if self.player is None else f"{self.name}-{self.player}"


def steps(document: Mapping[str, Any]) -> list[Step]:
    """Return the steps of a game in their order; the score, which is the end, is not one."""
    names = ["players", "cards"]
    if document["mode"] == "full":
        names.append("values")
    names.append("photographs")
    of_players = [
        Step(name, player)
        for player in range(len(document["players"]))
        for name in ("review", "personal")
    ]
    return [*map(Step, names), *of_players, Step("markers")]


def next_step(document: Mapping[str, Any]) -> Step:
    """Return the first step that is not done yet, or the score when all are."""
    done = set(document["confirmed"])
    return next((step for step in steps(document) if step.key not in done), Step("score"))


def done(document: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many of the steps are done, and how many there are."""
    confirmed = set(document["confirmed"])
    every = steps(document)
    return sum(step.key in confirmed for step in every), len(every)
