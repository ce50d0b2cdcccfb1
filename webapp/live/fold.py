"""From the log to the table: a pure function of the entries.

A correction is an entry like any other, and the whole log is folded again: a wrong event put
right puts right whatever came after it, who completed a card first included.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scorer.nebula import Edition, Galaxy, GalaxyBoard
from scorer.nebula.values_board import ValuesBoard
from webapp.live.entry import Entry, changes_a_board

BoardKey = tuple[str, int]
"""A board as a camera knows it: the camera's name and the board's number in it."""


@dataclass(frozen=True)
class Rules:
    """What of a game the fold depends on."""

    players: int
    full: bool
    career: tuple[str, ...]
    edition: Edition
    board: GalaxyBoard


@dataclass(frozen=True)
class Due:
    """What a black star asks for: the indicator goes to `square`, and a value token moves.

    `boosted`: the square is highlighted, so the boosted star is replaced. `moves_token` is
    false in the introductory game and once the indicator had come to its end.
    """

    entry: int
    seat: int
    square: int
    boosted: bool
    moves_token: bool


@dataclass(frozen=True)
class Step:
    """An entry as the fold took it; `event` is what counts of it after corrections.

    `fate`: it counts, is void (taken back), or is idle: it changed nothing. `completed` are
    the career cards that its player completed by it.
    """

    entry: Entry
    event: Mapping[str, Any]
    seat: int | None
    fate: Literal["counts", "void", "idle"]
    corrected: bool = False
    completed: tuple[str, ...] = ()


@dataclass(frozen=True)
class LiveTable:
    """The table as the log tells it.

    `completed`: by career card the seats that fulfil it or have their marker on it, the first
    one first. `claimed`: the markers that players said they have placed. `boards`: whose board
    each camera's board is, None where nobody owns it; `assigned`: those of which a player said so.
    """

    number: int
    galaxies: tuple[Galaxy, ...]
    values: ValuesBoard
    completed: Mapping[str, tuple[int, ...]]
    claimed: frozenset[tuple[int, str]] = frozenset()
    indicator: int = 0
    bag_is_empty: bool = False
    dues: tuple[Due, ...] = ()
    boards: Mapping[BoardKey, int | None] | None = None
    assigned: frozenset[BoardKey] = frozenset()
    steps: tuple[Step, ...] = ()

    @property
    def ownerless(self) -> tuple[BoardKey, ...]:
        """The boards of which a player must say whose they are."""
        boards = (self.boards or {}).items()
        return tuple(key for key, seat in boards if seat is None and key not in self.assigned)

    @property
    def to_claim(self) -> tuple[tuple[int, str], ...]:
        """The markers to be placed now: (seat, card) completed and not claimed."""
        return tuple(
            (seat, card)
            for card, seats in self.completed.items()
            for seat in seats
            if (seat, card) not in self.claimed
        )

    def markers(self, seat: int) -> dict[str, str]:
        """A player's career markers as a game file has them, those to be placed included."""
        return {
            card: "first" if seats[0] == seat else "later"
            for card, seats in self.completed.items()
            if seat in seats
        }


def fold(rules: Rules, entries: Sequence[Entry], until: int | None = None) -> LiveTable:
    """Return the table after the log's entries, or as it was after the entry `until`.

    Every correction counts, also for a look back: it shows what really lay there.
    """
    table = LiveTable(
        number=entries[-1].number if entries else 0,
        galaxies=(Galaxy({}, 0, rules.board),) * rules.players,
        values=ValuesBoard(rules.edition.value_squares),
        completed=dict.fromkeys(rules.career, ()),
    )
    amended = {entry.data["entry"]: entry.data for entry in entries if entry.kind == "amend"}
    ordered = _in_order(_of_this_game(entries, amended))
    assigned = {(e.data["source"], e.data["board"]) for e in ordered if e.kind == "assign"}
    table = replace(table, boards=_seating(rules, ordered), assigned=frozenset(assigned))
    steps: list[Step] = []
    for entry in ordered:
        if until is not None and _position(entry)[0] > until:
            break
        step, table = _take(rules, table, entry, amended.get(entry.number))
        if step is not None:
            steps.append(step)
    return replace(table, steps=tuple(steps))


def extend(rules: Rules, table: LiveTable, entry: Entry) -> LiveTable | None:
    """Return the table after one entry more; None where all entries have to be folded anew.

    That is where it changes what came before: a correction, or whose boards are whose.
    """
    if entry.kind in ("amend", "assign", "restart") or entry.data.get("after") is not None:
        return None
    if entry.kind == "seen" and _board_of(entry) not in (table.boards or {}):
        return None
    step, after = _take(rules, table, entry, None)
    steps = table.steps if step is None else (*table.steps, step)
    return replace(after, number=entry.number, steps=steps)


def believe(
    told: dict[BoardKey, tuple[dict[str, str], int]], source: str, event: Mapping[str, Any]
) -> bool:
    """Add an event to what a camera has told; return whether that is news."""
    key = (source, event["board"])
    stars, black = told.get(key, ({}, 0))
    after = _changed_stars(stars, event)
    count = event["count"] if event["kind"] == "black" else black
    told[key] = (after, count)
    return (after, count) != (stars, black)


def _of_this_game(
    entries: Sequence[Entry], amended: Mapping[int, Mapping[str, Any]]
) -> Sequence[Entry]:
    """The entries from the last restart on that was not taken back."""
    start = 0
    for index, entry in enumerate(entries):
        if entry.kind == "restart" and amended.get(entry.number, {}).get("event", ()) is not None:
            start = index
    return entries[start:]


def _position(entry: Entry) -> tuple[int, int]:
    after = entry.data.get("after")
    return (entry.number, 0) if after is None else (after, entry.number)


def _in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Put what was told later of an earlier moment where it belongs."""
    return sorted(entries, key=_position)


def _seating(rules: Rules, entries: Sequence[Entry]) -> dict[BoardKey, int | None]:
    """Say whose each board is: as a player said, else as the first camera counts them.

    Another camera's boards take the seats that are free when they come up.
    """
    told: dict[BoardKey, int | None] = {}
    seats: dict[BoardKey, int | None] = {}
    for entry in entries:
        if entry.kind == "assign":
            told[entry.data["source"], entry.data["board"]] = entry.data["seat"]
        elif entry.kind == "seen":
            key = _board_of(entry)
            if key not in seats:
                taken = {*seats.values(), *told.values()}
                free = [seat for seat in range(rules.players) if seat not in taken]
                is_first = next(iter(seats), key)[0] == key[0]
                own = key[1] if is_first and key[1] in free else next(iter(free), None)
                seats[key] = told.get(key, own)
    return {**seats, **told}


def _take(
    rules: Rules, table: LiveTable, entry: Entry, amendment: Mapping[str, Any] | None
) -> tuple[Step | None, LiveTable]:
    if entry.kind in ("amend", "assign"):
        return None, table
    event = entry.data.get("event", entry.data)
    corrected = amendment is not None and "event" in amendment
    if corrected:
        if amendment["event"] is None:
            return Step(entry, event, _seat(table, entry), "void", corrected=True), table
        event = {**event, **amendment["event"]}
    if entry.kind in ("seen", "hand"):
        seat = _seat(table, entry)
        if seat is None or seat >= rules.players:
            return None, table
        after = _with_event(rules, table, entry.number, seat, event)
    else:
        seat, after = entry.data.get("seat"), _tapped(rules, table, entry)
    completed = tuple(
        card
        for card, seats in after.completed.items()
        if seat in seats and seat not in table.completed[card]
    )
    told = after != table or entry.kind == "restart"
    fate: Literal["counts", "idle"] = "counts" if told else "idle"
    return Step(entry, event, seat, fate, corrected, completed), after


def _seat(table: LiveTable, entry: Entry) -> int | None:
    if entry.kind != "seen":
        seat: int | None = entry.data.get("seat")
        return seat
    return (table.boards or {}).get(_board_of(entry))


def _board_of(entry: Entry) -> BoardKey:
    """The board that a camera told of."""
    return entry.data["source"], entry.data["event"]["board"]


def _changed_stars(stars: Mapping[str, str], event: Mapping[str, Any]) -> dict[str, str]:
    changed = dict(stars)
    if event["kind"] in ("placed", "replaced"):
        changed[event["space"]] = event["star"]
    elif event["kind"] == "removed":
        changed.pop(event["space"], None)
    return changed


def _with_event(
    rules: Rules, table: LiveTable, number: int, seat: int, event: Mapping[str, Any]
) -> LiveTable:
    """Change a player's galaxy, and what follows from that at the table."""
    if not changes_a_board(event):
        return table
    before = table.galaxies[seat]
    stars = _changed_stars(before.stars, event)
    black = event["count"] if event["kind"] == "black" else before.black
    if stars == before.stars and black == before.black:
        return table
    galaxy = replace(before, stars=stars, black=black)
    galaxies = tuple(galaxy if one == seat else own for one, own in enumerate(table.galaxies))
    changed = replace(table, galaxies=galaxies)
    changed = _with_black(rules, changed, number, seat, black - before.black)
    return replace(changed, completed=dict(_completed(rules, changed, seat)))


def _completed(rules: Rules, table: LiveTable, seat: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    for card, seats in table.completed.items():
        fulfilled = rules.edition.cards[card].check(table.galaxies[seat]).fulfilled
        if fulfilled and seat not in seats:
            seats = (*seats, seat)
        elif not fulfilled and seat in seats and (seat, card) not in table.claimed:
            seats = tuple(other for other in seats if other != seat)
        yield card, seats


def _with_black(rules: Rules, table: LiveTable, number: int, seat: int, more: int) -> LiveTable:
    """Move the indicator with the black stars, and ask for what one placed in a turn asks for.

    In a turn one black star is placed at most: where several come at once the camera has only
    now seen them, and their value tokens have long moved.
    """
    if more == 0:
        return table
    last = rules.edition.indicator_squares
    square = min(max(table.indicator + more, 0), last)
    dues = table.dues
    if more == 1 and table.indicator < last:
        boosted = square in rules.edition.indicator_highlighted
        dues = (*dues, Due(number, seat, square, boosted, rules.full))
    for _taken in range(-more):
        own = [due for due in dues if due.seat == seat]
        dues = tuple(due for due in dues if not own or due != own[-1])
    return replace(table, indicator=square, dues=dues)


def _tapped(rules: Rules, table: LiveTable, entry: Entry) -> LiveTable:
    """Take in what a player told by a tap."""
    data = entry.data
    if entry.kind == "claim":
        seat, card = data["seat"], data["card"]
        if card not in table.completed or seat >= rules.players:
            return table
        seats = table.completed[card]
        return replace(
            table,
            claimed=table.claimed | {(seat, card)},
            completed={**table.completed, card: seats if seat in seats else (*seats, seat)},
        )
    if entry.kind == "value":
        return _with_token(table, data)
    if entry.kind == "indicator":
        square = min(max(table.indicator + data["by"], 0), rules.edition.indicator_squares)
        return replace(table, indicator=square)
    if entry.kind == "bag":
        return replace(table, bag_is_empty=bool(data["empty"]))
    return table


def _with_token(table: LiveTable, data: Mapping[str, Any]) -> LiveTable:
    due, token = data.get("due"), data.get("token")
    if due is not None:
        if due not in [one.entry for one in table.dues]:
            return table  # the black star that asked was taken back
        table = replace(table, dues=tuple(one for one in table.dues if one.entry != due))
    if token is None:
        return table
    back = data.get("by", 1) < 0
    values = table.values.move_back(token) if back else table.values.move(token)
    return replace(table, values=values)
