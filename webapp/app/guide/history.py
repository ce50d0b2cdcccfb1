"""What was done in a guided game: its states in order, read from the log of the game's table.

The log's entries of the kind `guide` are the record, and are only ever added:

- `begin`: a guided game begins, with this set-up
- `do`: an action, as the game writes it; `by` says whose: of a person (`tap`), seen by a camera
  (`camera`), of a player that is the computer (`computer`), or of nobody (`itself`), as is
  the rest of a computer's turn after its first action. The `told` entries after it told the table
  what it changed there
- `back`: the last decision is taken back, with whatever followed by itself
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from calibration import Profile
from scorer.turns import SetUp, Turns
from webapp.app.guided_game import GuidedGame
from webapp.app.live.entry import GUIDE, Entry

log = logging.getLogger(__name__)

KIND = GUIDE
SEALED = "sealed"
"""The key of an entry from a backup whose hidden card cannot be opened here."""
By = Literal["tap", "camera", "computer", "itself"]


@dataclass(frozen=True)
class Moment:
    """An action, by whom, and the state after it; its entry's number, and how many it told."""

    action: Any
    by: By
    state: Any
    number: int = 0
    entries: int = 0


@dataclass(frozen=True)
class SeenHistory:
    """What somebody at a `seat` may know of a guided game; None: what anybody may.

    `latest` is the last decision and what followed by itself, each with the state before it;
    `is_decided`: whether somebody has decided anything yet.
    """

    seat: int | None
    set_up: SetUp
    state: Any
    latest: Sequence[tuple[Any, Moment]]
    number: int
    is_decided: bool = False


@dataclass(frozen=True)
class History:
    """A guided game: `number` is its last entry, `undone` the last by which something went back."""

    set_up: SetUp
    start: Any
    moments: tuple[Moment, ...] = ()
    number: int = 0
    undone: int = 0

    @property
    def state(self) -> Any:
        """The state now."""
        return self.moments[-1].state if self.moments else self.start

    @property
    def last_decision(self) -> int | None:
        """The place of the last action that somebody decided, or None before the first."""
        decided = [place for place, one in enumerate(self.moments) if one.by != "itself"]
        return decided[-1] if decided else None

    @property
    def latest(self) -> Sequence[tuple[Any, Moment]]:
        """The last decision and what followed by itself, each with the state before it."""
        first = self.last_decision or 0
        before = self.moments[first - 1].state if first else self.start
        states = [before, *(moment.state for moment in self.moments[first:])]
        return list(zip(states, self.moments[first:], strict=False))

    def seen_by(self, turns: Turns[Any, Any], seat: int | None) -> "SeenHistory":
        """The game as whoever sits at a seat may know it; None: as anybody may."""
        return SeenHistory(
            seat,
            self.set_up,
            turns.seen_by(self.state, seat),
            [
                (turns.seen_by(before, seat), replace(one, state=turns.seen_by(one.state, seat)))
                for before, one in self.latest
            ],
            self.number,
            self.last_decision is not None,
        )

    def decided_last(self, game: GuidedGame) -> int | None:
        """The seat whose decision the last one was; None where it was nobody's."""
        return game.turns.decides(self.latest[0][0]) if self.latest else None

    def next_after(self, number: int) -> Any:
        """The action that was done next after an entry, None where none was."""
        later = (one.action for one in self.moments if one.number > number)
        return next(later, None)

    def back(self) -> "History":
        """The history without its last decision and what followed."""
        last = self.last_decision
        return self if last is None else replace(self, moments=self.moments[:last])


def extended(
    game: GuidedGame, profile: Profile, history: History | None, entry: Entry
) -> History | None:
    """The history after one entry more; None where no guided game goes on.

    An action that cannot be, as after the rules were changed, counts for nothing.
    """
    if entry.kind != KIND:
        return history
    data = entry.data
    if "begin" in data:
        try:
            start = game.turns.start(data["begin"], profile.board)
            return History(data["begin"], start, (), entry.number)
        except (KeyError, TypeError, ValueError):
            log.warning("a guided game cannot be begun with %s", data["begin"])
            return None
    if history is None:
        return None
    if "back" in data:
        return replace(history.back(), number=entry.number, undone=entry.number)
    if SEALED in data:  # the hidden cards of another computer: nobody knows how it goes on
        return None
    try:
        action = game.turns.read_action(str(data["do"]))
        state = game.turns.after(history.state, action)
    except ValueError:
        log.warning("what was written down cannot be done: %s", data["do"])
        return replace(history, number=entry.number)
    by: By = data["by"] if data.get("by") in get_args(By) else "tap"
    moment = Moment(action, by, state, entry.number, int(data.get("told", 0)))
    return replace(history, moments=(*history.moments, moment), number=entry.number)


def sealed(
    game: GuidedGame, kind: str, data: Mapping[str, Any], seal: Callable[[str], str]
) -> Mapping[str, Any]:
    """The data of an entry as a backup has it: a card that is hidden then cannot be read there."""
    try:
        hides = (
            kind == KIND and "do" in data and game.hides(game.turns.read_action(str(data["do"])))
        )
    except ValueError:
        return data
    return {**data, "do": "", SEALED: seal(data["do"])} if hides else data


def unsealed(data: Mapping[str, Any], unseal: Callable[[str], str | None]) -> Mapping[str, Any]:
    """The data of a backup's entry; as it is where it was sealed elsewhere."""
    text = data.get(SEALED)
    found = unseal(text) if isinstance(text, str) else None
    if found is None:
        return data
    return {key: value for key, value in data.items() if key != SEALED} | {"do": found}
