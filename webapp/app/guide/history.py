"""The history of a guided game: its states in order, read from the log of the game's table.

Log entries of the kind `guide` are the append-only record:

- `begin`: a guided game begins with this setup
- `do`: an action in the game's notation; `by` is a person (`tap`), a camera (`camera`), a computer
  player (`computer`), or `itself` for actions without a decision, which include the rest of a
  computer's turn after its first action. `told` is the number of entries after it that hold its
  changes to the table
- `back`: the last decision is undone, with everything that followed by itself
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
"""The key of a backup's entry whose hidden card cannot be decrypted here."""
By = Literal["tap", "camera", "computer", "itself"]


@dataclass(frozen=True)
class Moment:
    """An action, its actor, and the state after it.

    `number` is that of its log entry, `entries` the number of table entries that follow it.
    """

    action: Any
    by: By
    state: Any
    number: int = 0
    entries: int = 0


@dataclass(frozen=True)
class SeenHistory:
    """What somebody at `seat` may know of a guided game; None for the public.

    `latest` is the last decision and what followed by itself, `earlier` what came before it since
    the last turn of that seat, for the public of whose turn it is, and `own_last` that turn; each
    with the state before it.
    `is_decided`: whether anybody has decided anything yet; `is_first`: whether whoever decides now
    has not, or no player where nobody decides, as while a table is laid out. `active_player` is in
    progress, in which another player may have to decide something.
    """

    seat: int | None
    set_up: SetUp
    state: Any
    latest: Sequence[tuple[Any, Moment]]
    number: int
    is_decided: bool = False
    earlier: Sequence[tuple[Any, Moment]] = ()
    is_first: bool = False
    own_last: Sequence[tuple[Any, Moment]] = ()
    active_player: int | None = None

    @property
    def recent(self) -> Sequence[tuple[Any, Moment]]:
        """What was done since the last turn of that seat."""
        return [*self.earlier, *self.latest]


@dataclass(frozen=True)
class History:
    """A guided game; `number` is its last log entry, `undone` the last that undid something."""

    set_up: SetUp
    start: Any
    moments: tuple[Moment, ...] = ()
    number: int = 0
    undone: int = 0

    @property
    def state(self) -> Any:
        return self.moments[-1].state if self.moments else self.start

    @property
    def last_decision(self) -> int | None:
        """The index in `moments` of the last decision, None before the first."""
        decided = [place for place, one in enumerate(self.moments) if one.by != "itself"]
        return decided[-1] if decided else None

    @property
    def latest(self) -> Sequence[tuple[Any, Moment]]:
        """The last decision and what followed by itself, each with the state before it."""
        return self._between(self.last_decision or 0, len(self.moments))

    def earlier(
        self, turns: Turns[Any, Any], seat: int | None = None
    ) -> tuple[Sequence[tuple[Any, Moment]], Sequence[tuple[Any, Moment]]]:
        """Return a seat's last turn, and what was done since, before `latest`; None: whose turn.

        Each comes with the state before it. Chance before the first decision is left out.
        """
        last, is_same_turn, first = self.last_decision or 0, True, 0
        turn = turns.turn(self.state)
        seat = turns.player(self.state) if seat is None else seat
        if seat is None and self.moments:  # at the end, or while something is scored
            seat = turns.player(self._before(last))
        for at in reversed(range(len(self.moments))):
            before = self._before(at)
            is_own = turn is not None or turns.player(before) in (seat, None)
            is_same_turn &= is_own and turns.turn(before) == turn
            is_own = turns.turn(before) is None or self._active_player_before(turns, at) == seat
            if turns.decides(before) == seat and is_own and not is_same_turn:
                first = at + 1
                break
        else:
            while first < last and turns.decides(self._before(first)) is None:
                first += 1
            return (), self._between(first, last)
        begin = first - 1
        while begin and self._is_same_turn(turns, begin - 1, begin):
            begin -= 1
        return self._between(begin, min(first, last)), self._between(first, last)

    def _is_same_turn(self, turns: Turns[Any, Any], at: int, other: int) -> bool:
        one, then = self._before(at), self._before(other)
        turn = turns.turn(one)
        is_same_player = turn is not None or turns.player(one) == turns.player(then)
        return turn == turns.turn(then) and is_same_player

    def _between(self, first: int, end: int) -> Sequence[tuple[Any, Moment]]:
        return [(self._before(at), self.moments[at]) for at in range(first, end)]

    def _before(self, at: int) -> Any:
        return self.moments[at - 1].state if at else self.start

    def seen_by(self, turns: Turns[Any, Any], seat: int | None) -> "SeenHistory":
        """Return the game as a seat may know it; None for the public."""
        decides = turns.decides(self.state)
        own_last, earlier = self.earlier(turns, seat)
        return SeenHistory(
            seat,
            self.set_up,
            turns.seen_by(self.state, seat),
            moments_seen_by(turns, self.latest, seat),
            self.number,
            self.last_decision is not None,
            moments_seen_by(turns, earlier, seat),
            self._deciders(turns).isdisjoint(
                range(len(self.set_up["computers"])) if decides is None else (decides,)
            ),
            moments_seen_by(turns, own_last, seat),
            self.active_player(turns),
        )

    def active_player(self, turns: Turns[Any, Any]) -> int | None:
        """Return who made the first decision of the turn in progress, else who is to make it."""
        return self._active_player_before(turns, len(self.moments))

    def _active_player_before(self, turns: Turns[Any, Any], end: int) -> int | None:
        """Return the active player of the turn before the moment number `end`."""
        state = self._before(end)
        turn, seat = turns.turn(state), turns.player(state)
        for at in reversed(range(end if turn is not None else 0)):
            before = self._before(at)
            if turns.turn(before) != turn:
                break
            decides = turns.decides(before)
            seat = seat if decides is None else decides
        return seat

    def _deciders(self, turns: Turns[Any, Any]) -> set[int | None]:
        """Return who has decided anything so far."""
        every = enumerate(self.moments)
        return {turns.decides(self._before(at)) for at, one in every if one.by != "itself"}

    def decided_last(self, game: GuidedGame) -> int | None:
        """Return the seat that made the last decision; None if no player did."""
        return game.turns.decides(self.latest[0][0]) if self.latest else None

    def after(self, number: int, count: int) -> Sequence[Any]:
        """Return the first `count` actions after an entry, or fewer."""
        return [one.action for one in self.moments if one.number > number][:count]

    def back(self) -> "History":
        """Return the history without its last decision and what followed."""
        last = self.last_decision
        return self if last is None else replace(self, moments=self.moments[:last])


def moments_seen_by(
    turns: Turns[Any, Any], moments: Sequence[tuple[Any, Moment]], seat: int | None
) -> Sequence[tuple[Any, Moment]]:
    """Return moments, each with the state before it, as a seat may know them."""
    return [
        (turns.seen_by(before, seat), replace(one, state=turns.seen_by(one.state, seat)))
        for before, one in moments
    ]


def extended(
    game: GuidedGame, profile: Profile, history: History | None, entry: Entry
) -> History | None:
    """Return the history after one more entry; None if no guided game is in progress.

    An illegal action, as after a change of the rules, is ignored.
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
    if SEALED in data:  # hidden cards encrypted by another server: the game cannot continue
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
    """Return an entry's data for a backup, encrypted if the action reveals a hidden card."""
    try:
        hides = (
            kind == KIND and "do" in data and game.hides(game.turns.read_action(str(data["do"])))
        )
    except ValueError:
        return data
    return {**data, "do": "", SEALED: seal(data["do"])} if hides else data


def unsealed(data: Mapping[str, Any], unseal: Callable[[str], str | None]) -> Mapping[str, Any]:
    """Return the data of a backup's entry; unchanged if another server encrypted it."""
    text = data.get(SEALED)
    found = unseal(text) if isinstance(text, str) else None
    if found is None:
        return data
    return {key: value for key, value in data.items() if key != SEALED} | {"do": found}
