"""Guided games: decisions are logged with what follows by itself; cameras can answer questions."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from threading import Lock
from typing import Any, TypeVar

from calibration import Profile
from calibration.artwork import token_sheets
from scorer.flags import RuleBreak
from scorer.open_table import market
from scorer.table import Pieces
from scorer.turns import Advice
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.game_pages import Document, pages_of
from webapp.app.guide.entries import at_once, board_entries, done, with_entries
from webapp.app.guide.finish import with_setup
from webapp.app.guide.history import KIND, By, History, Moment, SeenHistory, extended
from webapp.app.guide.laid import laid_tokens
from webapp.app.guide.market import missing_cards, ways_to_take
from webapp.app.guide.sighting import Sighting, drawn_by_hand, sightings
from webapp.app.guide.sitting import Sitting, check_acts, known_to
from webapp.app.guided_game import LUCK, GuidedGame
from webapp.app.live.by_hand import NewEntry
from webapp.app.live.entry import CARD, Entry, of_this_game
from webapp.app.live.reducer import LiveTable, Rules
from webapp.app.live.service import LiveService
from webapp.app.session import flow
from webapp.app.session.saved_games import ChangedMeanwhileError, Games, NoSuchGameError, SavedGame

Thought = TypeVar("Thought")
Known = History | None
Decided = tuple[Sequence[NewEntry], Known]
Decide = Callable[[SavedGame, Rules, LiveTable, Known], Decided]
"""A decision at a table: returns its log entries and the history after it."""
GAMES_KEPT = 8
STEPS_AT_ONCE = 24
"""The most actions of a computer player's turn in one step."""
SEPARATOR = "; "
"""Stands between the draws that people name in one tap."""


class RefusedError(ValueError):
    """An action that the rules forbid now; `broken` says why."""

    def __init__(self, broken: RuleBreak) -> None:
        self.broken = broken
        super().__init__(str(broken.reason))


class AlreadyBegunError(Exception):
    """A guided game is already in progress at this table."""


class TableInUseError(Exception):
    """The table holds another game that has not been given up."""


class GuideService:
    def __init__(self, games: Games, live: LiveService, boards: KnownBoards, key: bytes) -> None:
        """Guide games whose tables' logs `live` keeps; `key` is the server's secret key."""
        self._games, self._live, self._boards, self._key = games, live, boards, key
        self._known: OrderedDict[str, tuple[int, History | None]] = OrderedDict()
        self._thoughts: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._lock = Lock()
        live.listeners.append(self.follow)
        live.market_of = self._market

    def history(self, game: SavedGame) -> History | None:
        """Return a game's history; None if it is not guided or its rules have changed.

        Raises BusyError.
        """
        return self._history(game, self._live.entries(game.id))

    def is_another(self, game: SavedGame) -> bool:
        """Whether a guided game was begun under rules other than the game's current ones.

        It continues if they are changed back. Raises BusyError.
        """
        history = self._written(game, self._live.entries(game.id))
        return history is not None and not _part(game).goes_on(history.set_up, game.document)

    def sightings(self, game: SavedGame, history: History) -> Sequence[Sighting]:
        """Return the differences between the boards and the guide. Raises BusyError."""
        advice = self.advice(game, history)
        wanted = advice and advice.action
        return sightings(_part(game), history, self._live.table(game), wanted)

    def taken_card(self, game: SavedGame, history: History) -> tuple[str, Sequence[Any]] | None:
        """Return a card that a camera misses, and the person's legal actions that take it.

        None if there is none. Raises BusyError.
        """
        if self.advice(game, history) is not None:
            return None
        turns = _part(game).turns
        for one in missing_cards(history, self._live.table(game)):
            take = partial(ways_to_take, turns, history.state, one.card)
            if ways := self.thought_of(game, history, f"takes {one.card}", take):
                return one.card, ways
        return None

    def keep_card(self, game_id: str, card: str) -> None:
        """Log that a card that cameras miss has not been taken. Raises BusyError."""

        def tell(
            game: SavedGame, _: Rules, table: LiveTable, log: Sequence[Entry]
        ) -> Iterator[NewEntry]:
            history = self._history(game, log)
            for one in () if history is None else missing_cards(history, table):
                if one.card == card:
                    yield CARD, {"source": one.source, "card": card, "here": one.expected}

        self._live.append_with(game_id, tell)

    def _market(self, game: SavedGame) -> Mapping[str, int]:
        """Return the cards of a guided game's market, with their counts. Raises BusyError."""
        history = self.history(game) if flow.is_guided(game.document) else None
        if history is None:
            return {}
        return market(history.state)

    def advice(self, game: SavedGame, history: History) -> Advice[Any] | None:
        """Return the computer player's choice and reasons; None if no computer decides now."""
        return self.thought_of(game, history, "advice", lambda: self._advice(game, history))

    def computer_turn(self, game: SavedGame, history: History) -> Sequence[tuple[Any, Moment]]:
        """Return a computer player's actions until somebody else decides or its turn ends.

        Where the program draws, they include what chance brings in between and at the end. Each
        comes with the state before it, at most `STEPS_AT_ONCE` of them. Empty if a person decides.
        """
        return self.thought_of(game, history, "turn", lambda: self._computer_turn(game, history))

    def _computer_turn(self, game: SavedGame, history: History) -> Sequence[tuple[Any, Moment]]:
        part, set_up, steps = _part(game), history.set_up, list[tuple[Any, Moment]]()
        seat = part.turns.decides(history.state)
        luck, goes_on = self._luck("luck", game, history), True
        while len(steps) < STEPS_AT_ONCE:
            before, action = history.state, None
            decides = part.turns.decides(before)
            if decides is None and steps:
                action = part.drawn(before, set_up, luck)
            elif decides == seat and goes_on:
                advice = self._advice(game, history) if steps else self.advice(game, history)
                action = advice and (part.by_itself(before, set_up, game.document) or advice.action)
            if action is None:
                break
            moment = Moment(action, "itself", part.turns.after(before, action))
            steps.append((before, moment))
            goes_on = goes_on and part.turns.turn(before) == part.turns.turn(moment.state)
            history = replace(history, moments=(*history.moments, moment))
        return steps

    def _advice(self, game: SavedGame, history: History) -> Advice[Any] | None:
        part, state = _part(game), history.state
        decides = part.turns.decides(state)
        strength = "" if decides is None else history.set_up["computers"][decides]
        if not strength:
            return None
        seed = self._luck("advice", game, history).getrandbits(32)
        return part.advisor.choose(state, strength, seed)

    def _luck(self, purpose: str, game: SavedGame, history: History) -> Random:
        """Return the random numbers of a computer's turn, or of its next choice.

        Servers with the same key show and do the same; a backup, which lacks it, reveals nothing.
        """
        turn = f"{purpose} {game.id} {history.set_up['seed']} {len(history.moments)}"
        return Random(hmac.digest(self._key, turn.encode(), "sha256"))

    def seen(self, game: SavedGame, history: History, seat: int | None) -> SeenHistory:
        """Return what a seat, or the public, may know of a game, for drawing pages."""
        turns = _part(game).turns
        return self.thought_of(game, history, f"seen {seat}", lambda: history.seen_by(turns, seat))

    def help(self, game: SavedGame, history: History) -> Advice[Any] | None:
        """Return what the strongest computer player would do for the person who decides now.

        Its reason may reveal what only that seat may know. None if nobody decides.
        """
        part, state = _part(game), history.state
        if part.turns.decides(state) is None:
            return None
        strongest = list(part.strengths)[-1]
        return self.thought_of(game, history, "help", lambda: part.advisor.choose(state, strongest))

    def thought_of(
        self, game: SavedGame, history: History, about: str, think: Callable[[], Thought]
    ) -> Thought:
        """Return the cached result of `think` for this point of the history."""
        news = [one.action for one in history.moments if not one.number]
        unwritten = tuple(_part(game).turns.write_action(action) for action in news)
        key = (game.id, about, history.number, len(history.moments), history.undone, unwritten)
        with self._lock:
            if key in self._thoughts:
                self._thoughts.move_to_end(key)
                known: Thought = self._thoughts[key]
                return known
        found = think()
        with self._lock:
            self._thoughts[key] = found
            while len(self._thoughts) > 4 * GAMES_KEPT:
                self._thoughts.popitem(last=False)
        return found

    def in_use(self, game: SavedGame) -> bool:
        """Whether beginning a guided game would end one on the table. Raises BusyError."""
        return self.is_another(game) or any(_pieces(game, self._live.table(game)))

    def begin(
        self, game_id: str, computers: Sequence[str], draws: str, language: str, anew: bool = False
    ) -> None:
        """Begin a guided game.

        A game on the table is only replaced with `anew`, and can be brought back. Raises
        AlreadyBegunError and TableInUseError.
        """

        def begin(game: SavedGame, rules: Rules, table: LiveTable, history: Known) -> Decided:
            if history is not None:
                raise AlreadyBegunError(game_id)
            is_in_use = is_another or any(_pieces(game, table))
            if is_in_use and not anew:
                raise TableInUseError(game_id)
            part = _part(game)
            set_up = {
                "computers": list(computers),
                "draws": draws,
                "seed": secrets.token_hex(8),
                "language": language,
                **part.rules_of(game.document),
            }
            begun = History(set_up, part.turns.start(set_up, rules.profile.board))
            emptied: list[NewEntry] = [("restart", {})] if is_in_use else []
            boards = board_entries(part, set_up, begun.state, with_entries(rules, table, emptied))
            return [*emptied, (KIND, {"begin": set_up}), *boards], begun

        is_another = self.is_another(self._games.open(game_id))
        self._write(game_id, begin)
        self.turn(game_id, on=True)

    def do(self, game_id: str, text: str, seen: int, sitting: Sitting | None = None) -> None:
        """Do an action given in the game's notation, and what follows by itself.

        What else was drawn may follow after a `SEPARATOR`. A repeated tap has no effect. `sitting`
        is the actor, None the server itself. Raises RefusedError, ValueError for an invalid action,
        ChangedMeanwhileError if there are entries after `seen`, and NotYourSeatError for somebody
        else's decision.
        """

        def do(game: SavedGame, rules: Rules, table: LiveTable, history: Known) -> Decided:
            part = _part(game)
            if history is None:
                raise ChangedMeanwhileError(game_id)
            first, *drawn = map(part.turns.read_action, text.split(SEPARATOR))
            if history.number != seen:
                if history.after(seen, 1 + len(drawn)) != [first, *drawn]:
                    raise ChangedMeanwhileError(game_id)
                return [], history  # tapped twice
            check_acts(sitting, part.turns.decides(history.state))
            if drawn and not part.draws_several(history.state, history.set_up):
                raise ValueError("only what people draw is named together")
            steps = self.computer_turn(game, history)
            is_shown = bool(steps) and steps[0][1].action == first
            known = () if is_shown else (known_to(sitting, part, history.state),)
            for state in (*known, history.state):
                broken = part.turns.illegal(state, first)  # first as they may know it, so that
                if broken is not None:  # the reason hides secrets
                    raise RefusedError(broken)
            entries, history = done(part, table, history, first, "tap")
            rest = [one.action for _before, one in steps[1:]] if is_shown else drawn
            every = entries
            for action in rest:  # as it was shown, or named together
                if not is_shown and type(action) is not type(first):
                    raise ValueError("only draws of one kind are named together")
                if (broken := part.turns.illegal(history.state, action)) is not None:
                    raise RefusedError(broken)
                table = with_entries(rules, table, entries)
                entries, history = done(part, table, history, action, "itself")
                every = [*every, *entries]
            return every, history

        self._write(game_id, do)

    def draw(self, game_id: str, seen: int) -> None:
        """Draw for people who have the game, as often as they would of the same kind.

        All of it is one decision. Raises ChangedMeanwhileError, and ValueError if nothing is drawn.
        """

        def draw(game: SavedGame, rules: Rules, table: LiveTable, history: Known) -> Decided:
            part = _part(game)
            if history is None or history.number != seen:
                raise ChangedMeanwhileError(game_id)
            first = part.turns.drawn(history.state, LUCK)
            if first is None or part.hides(first):
                raise ValueError("nothing is drawn now")

            def further(now: History) -> Any:
                if len(now.moments) == len(history.moments):
                    return first
                if part.by_itself(now.state, now.set_up, game.document) is not None:
                    return None
                action = part.turns.drawn(now.state, LUCK)
                return action if type(action) is type(first) else None

            return at_once(part, rules, table, history, further)

        self._write(game_id, draw)

    def lay(self, game_id: str, tokens: Mapping[str, str], seen: int | None = None) -> None:
        """Do the draws that have filled places of printed sheets, with `tokens` by place.

        All of it is one decision. It ends at the first place whose token is unknown. Raises
        ChangedMeanwhileError if there are entries after `seen`.
        """

        def lay(game: SavedGame, rules: Rules, table: LiveTable, history: Known) -> Decided:
            if history is None or seen not in (None, history.number):
                raise ChangedMeanwhileError(game_id)
            part, sheets = _part(game), token_sheets(rules.profile.layout)
            laid = laid_tokens(part.turns, history.state, sheets, tokens)
            return at_once(
                part, rules, table, history, lambda _now: next((one.action for one in laid), None)
            )

        self._write(game_id, lay)

    def follow(self, game_id: str) -> None:
        """Continue after an entry: by itself, or with what a camera saw or a hand changed."""
        try:
            game = self._games.open(game_id)
        except NoSuchGameError:
            return
        if flow.is_guided(game.document):
            self._write(game_id, lambda _game, _rules, _table, history: ([], history), True)

    def back(self, game_id: str, seen: int, sitting: Sitting | None = None) -> None:
        """Undo the last decision and its changes to the table.

        Raises ChangedMeanwhileError, and NotYourSeatError for somebody else's decision.
        """

        def tell(
            game: SavedGame, _: Rules, __: LiveTable, log: Sequence[Entry]
        ) -> Iterator[NewEntry]:
            history = self._history(game, log)
            if history is None or history.number != seen or history.last_decision is None:
                raise ChangedMeanwhileError(game_id)
            check_acts(sitting, history.decided_last(_part(game)))
            yield KIND, {"back": True}
            for moment in reversed(history.moments[history.last_decision :]):
                for number in range(moment.number + 1, moment.number + 1 + moment.entries):
                    yield "amend", {"entry": number, "event": None}

        self._live.append_with(game_id, tell)

    def put_right(self, game_id: str) -> None:
        """Set the table's boards to the guided game's state, whatever a camera saw."""

        def tell(
            game: SavedGame, _: Rules, table: LiveTable, log: Sequence[Entry]
        ) -> list[NewEntry]:
            history = self._history(game, log)
            if history is None:
                return []
            return list(board_entries(_part(game), history.set_up, history.state, table))

        self._live.append_with(game_id, tell)

    def reveal(self, game: SavedGame) -> SavedGame:
        """Revise what could not be known while cards were hidden, once there is a score."""
        history = self.history(game) if flow.has_been_guided(game.document) else None
        if history is None:
            return game
        part, set_up = _part(game), history.set_up
        if part.with_revealed(game.document, set_up) == game.document:
            return game

        def revealed(kept: Document) -> Document:
            return part.with_revealed(kept, set_up) if part.goes_on(set_up, kept) else kept

        return self._games.change(game.id, flow.Step("score").key, revealed)

    def turn(self, game_id: str, on: bool) -> None:
        """Turn guidance on or off; the history is kept."""
        self._games.amend(game_id, lambda document: {**document, flow.GUIDED: on})

    def _write(self, game_id: str, decide: Decide, patiently: bool = False) -> None:
        """Log a decision and all that follows until the next decision."""
        reached: list[tuple[SavedGame, History]] = []

        def tell(
            game: SavedGame, rules: Rules, table: LiveTable, log: Sequence[Entry]
        ) -> Sequence[NewEntry]:
            entries, history = decide(game, rules, table, self._history(game, log))
            if history is None:
                return entries
            table = with_entries(rules, table, entries)
            more, history = self._following(game, rules, table, history)
            reached.append((game, history))
            return [*entries, *more]

        if self._live.append_with(game_id, tell, patiently) and reached:
            game, history = reached[-1]
            part, state = _part(game), history.state
            if with_setup(part, game.document, state) != game.document:
                self._games.amend(game_id, lambda kept: dict(with_setup(part, kept, state)))

    def _following(
        self, game: SavedGame, rules: Rules, table: LiveTable, history: History
    ) -> tuple[list[NewEntry], History]:
        """Return what follows until the next decision, by itself or from the boards."""
        part, every = _part(game), list[NewEntry]()
        while True:
            by: By = "itself"
            action = part.by_itself(history.state, history.set_up, game.document)
            if action is None:
                by, action = self._answered(game, table, history)
            if action is None:
                return every, history
            entries, history = done(part, table, history, action, by)
            table = with_entries(rules, table, entries)
            every += entries

    def _answered(self, game: SavedGame, table: LiveTable, history: History) -> tuple[By, Any]:
        """Return a computer player's action that needs no hands, or one seen on the boards."""
        part, advice = _part(game), self.advice(game, history)
        if advice is not None and not part.by_hand(advice.action):
            return "itself", advice.action
        seen = sightings(part, history, table, advice and advice.action)
        found = next((one.action for one in seen if one.answers), None)
        if found is None and seen and advice is None and history.set_up["draws"] == "hand":
            found = drawn_by_hand(part, history, table)
        return "camera", found

    def _history(self, game: SavedGame, entries: Sequence[Entry]) -> History | None:
        history = self._written(game, entries)
        is_other = history is not None and not _part(game).goes_on(history.set_up, game.document)
        return None if is_other else history

    def _written(self, game: SavedGame, entries: Sequence[Entry]) -> History | None:
        """Return the history of the game that was begun, even if the rules have changed."""
        if not flow.has_been_guided(game.document):
            return None
        profile: Profile = self._boards.of(game.document)
        with self._lock:
            number, history = self._known.get(game.id, (0, None))
        news = entries[number:]
        if number > len(entries) or any(_changes_the_game(entry, entries) for entry in news):
            history, news = None, of_this_game(entries)
        for entry in news:
            history = extended(_part(game), profile, history, entry)
        with self._lock:
            self._known[game.id] = len(entries), history
            self._known.move_to_end(game.id)
            while len(self._known) > GAMES_KEPT:
                self._known.popitem(last=False)
        return history


def _changes_the_game(entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether an entry begins or brings back another game."""
    if entry.kind == "amend":
        corrected = entries[entry.data["entry"] - 1 : entry.data["entry"]]
        return any(one.kind == "restart" for one in corrected)
    return entry.kind == "restart"


def _pieces(game: SavedGame, table: LiveTable) -> Sequence[Pieces]:
    """Return the pieces on each of a table's boards."""
    return [_part(game).game.pieces_of(position) for position in table.positions]


def _part(game: SavedGame) -> GuidedGame:
    part = pages_of(game.document["game"]).guided
    assert part is not None, "only a game that can be guided is begun guided"
    return part
