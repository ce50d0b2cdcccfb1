"""From the log to the table: a pure function of the entries.

A correction is an entry like any other, and the whole log is reduced again: a wrong event put
right puts right whatever came after it, who completed a card first included.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from calibration import Profile
from scorer.game import BoardKind, Pieces
from scorer.places import Place, PlaceKind, counted, in_region
from webapp.app.live import clearing
from webapp.app.live.clearing import Clearings
from webapp.app.live.entry import (
    DOUBTFUL,
    NO_STEPS,
    REPLAY,
    SETTLED,
    Entry,
    changes_a_board,
    of_this_game,
    profile_numbered,
)

if TYPE_CHECKING:  # what a game brings knows the table
    from webapp.app.live_game import LiveGame

How = Literal["seen", "exchanged", "found", "entered"]
BoardKey = tuple[str, int]
"""A board as a camera knows it: the camera's name and the board's number in it."""


@dataclass(frozen=True)
class Slot:
    """A board that lies on the table: of which kind, and whose; None: everybody's."""

    kind: BoardKind
    profile: Profile
    seat: int | None


@dataclass(frozen=True)
class Rules:
    """What of a game its table depends on.

    `facts` is that as JSON text, and stands for all the rest. `own` is what the game's part `live`
    has made of it. `profile` is that of the table's first kind of board, `further_profiles` are
    those of the further kinds in their order, as far as they are known.
    """

    players: int
    facts: str
    profile: Profile
    live: LiveGame = field(compare=False)
    own: Any = field(compare=False, default=None)
    further_profiles: tuple[Profile, ...] = ()

    @property
    def profiles(self) -> Sequence[Profile]:
        """Those of each kind of board, in their order."""
        return self.profile, *self.further_profiles

    @cached_property
    def slots(self) -> Sequence[Slot]:
        """The boards that lie on the table, in the order of their numbers."""
        table = self.profile.game.table
        profiles = dict(zip(table.boards, self.profiles, strict=False))
        instances = table.instances(self.players)
        return [Slot(kind, profiles[kind], seat) for kind, seat in instances if kind in profiles]

    @property
    def boards(self) -> int:
        """How many boards there are."""
        return len(self.slots)

    def unseen(self, known: Collection[int]) -> Sequence[int]:
        """At a table of several kinds of board, the numbers of those that are not `known`."""
        table = self.profile.game.table
        count = len(table.instances(self.players)) if len(table.boards) > 1 else 0
        return [board for board in range(count) if board not in known]

    def is_scored(self, unseen: Sequence[int]) -> Sequence[bool]:
        """Of each player, whether their own boards and those that are everybody's were seen."""
        instances = self.profile.game.table.instances(self.players)
        owners = {instances[board][1] for board in unseen}
        return [not owners & {None, seat} for seat in range(self.players)]

    def board_of(self, seat: int) -> int:
        """The number of the board that a player plays on."""
        return 0 if self.profile.game.table.shared else seat

    def counted_as(self, number: int) -> Sequence[int]:
        """The boards that one may be to which a camera gives a number, the likeliest first."""
        table = self.profile.game.table
        kind = table.kind_numbered(number)
        found = [board for board, slot in enumerate(self.slots) if slot.kind == kind]
        nth = number - table.first_number(kind.id)
        return [*found[nth : nth + 1], *found]

    def profile_of_entry(self, entry: Entry) -> Profile:
        """The profile of the board of which an entry tells."""
        if entry.kind == "seen":
            profile = profile_numbered(self.profiles, entry.data["event"]["board"])
            return profile or self.profile
        return self.slots[entry.data["seat"]].profile if entry.kind == "hand" else self.profile

    def position(self, pieces: Pieces, board: int = 0) -> Any:
        """The game's position with pieces that lie so on the board of a number."""
        return self.profile.game.position(self.slots[board].profile.board, pieces)


@dataclass(frozen=True)
class BoardChange:
    """What lay on a seat's board, and what lies on all of them after the entry `number`.

    One board for all is that of seat 0. `seconds` are when it happened, by the clock of a recording
    or by the server's; `how` it is known: a camera saw it happen, a camera that had not seen the
    place before `found` it so, or a person told.
    """

    number: int
    seconds: float
    how: How
    seat: int
    before: Any
    positions: tuple[Any, ...]

    @property
    def after(self) -> Any:
        """What lies on the seat's board now."""
        return self.positions[self.seat]


@dataclass(frozen=True)
class Doubt:
    """A region of which a camera cannot say what it holds: its board there, and what may be so.

    Each answer has how many of each kind there are, as "2 plum", the likeliest comes first. `entry`
    is the number of the entry that asked, or by which fewer are left.
    """

    entry: int
    seen_by: BoardKey
    answers: tuple[tuple[str, ...], ...]

    def counted(self, entry: int, kind: str, count: int) -> Doubt:
        """What is left of it where it is known how many of a kind there are.

        Where no answer says so, that was read wrongly, and the rest of each answer may be so.
        """
        said = (f"{count} {kind}",) if count else ()
        changed = [
            (*(one for one in answer if one.partition(" ")[2] != kind), *said)
            for answer in self.answers
        ]
        both = zip(self.answers, changed, strict=True)
        agreeing = [answer for answer, so in both if {*answer} == {*so}]
        left = tuple(dict.fromkeys(agreeing or changed))
        return self if left == self.answers else replace(self, entry=entry, answers=left)


@dataclass(frozen=True)
class Step:
    """An entry as it was applied; `event` is what counts of it after corrections.

    `seat` is the number of the board that was changed, or that of the player who told.
    `status`: it counts, is void (taken back), or is idle: it changed nothing. `completed` are
    the objectives that its player completed by it.
    """

    entry: Entry
    event: Mapping[str, Any]
    seat: int | None
    status: Literal["counts", "void", "idle"]
    corrected: bool = False
    completed: tuple[str, ...] = ()


@dataclass(frozen=True)
class LiveTable:
    """The table as the log tells it.

    `positions` are what lies on each seat's board, or on the one for all; `own` is what else the
    game's part keeps.
    `boards`: whose board each camera's board is, None where nobody owns it; `assigned`: those of
    which a player said so. `known`: the numbers of those that somebody told of. `clearings`: the
    boards that pieces go from. `doubts` are to be answered: by a board's number and a region's id.
    """

    number: int
    positions: tuple[Any, ...]
    own: Any = None
    boards: Mapping[BoardKey, int | None] = field(default_factory=dict)
    assigned: frozenset[BoardKey] = frozenset()
    known: frozenset[int] = frozenset()
    steps: tuple[Step, ...] = ()
    clearings: Clearings = field(default_factory=dict)
    doubts: Mapping[tuple[int, str], Doubt] = field(default_factory=dict)

    @property
    def full_until(self) -> int | None:
        """The last entry before the table was cleared up, None while it is played on."""
        return clearing.full_until(self.clearings)

    @property
    def ownerless(self) -> tuple[BoardKey, ...]:
        """The boards of which a player must say whose they are."""
        return tuple(
            key for key, seat in self.boards.items() if seat is None and key not in self.assigned
        )


def reduce(rules: Rules, entries: Sequence[Entry], until: int | None = None) -> LiveTable:
    """Return the table after the log's entries, or as it was after the entry `until`.

    Every correction counts, also for a look back: it shows what really lay there.
    """
    table = LiveTable(
        number=entries[-1].number if entries else 0,
        positions=tuple(rules.position({}, board) for board in range(rules.boards)),
        own=rules.live.initial_state(rules),
    )
    amended = {entry.data["entry"]: entry.data for entry in entries if entry.kind == "amend"}
    ordered = _in_order(of_this_game(entries))
    assigned = {(e.data["source"], e.data["board"]) for e in ordered if e.kind == "assign"}
    table = replace(table, boards=_seating(rules, ordered), assigned=frozenset(assigned))
    steps: list[Step] = []
    for entry in ordered:
        if until is not None and _position(entry)[0] > until:
            break
        step, table = apply(rules, table, entry, amended.get(entry.number))
        if step is not None:
            steps.append(step)
    return replace(table, steps=tuple(steps))


_KINDS: tuple[PlaceKind, ...] = ("spot", "dial", "edge")
"""What an event's `space` may be the id of."""

ObservedPieces = dict[BoardKey, dict[Place, str]]
"""The pieces on each camera's boards as it saw them, uncorrected."""


def extend(rules: Rules, table: LiveTable, entry: Entry) -> LiveTable | None:
    """Return the table after one entry more; None where all entries have to be reduced anew.

    That is where it changes what came before: a correction, or whose boards are whose.
    """
    if entry.kind in ("amend", "assign", "restart") or entry.data.get("after") is not None:
        return None
    if entry.kind == "seen" and _board_of(entry) not in table.boards:
        return None
    step, after = apply(rules, table, entry, None)
    steps = table.steps if step is None else (*table.steps, step)
    return replace(after, number=entry.number, steps=steps)


def observe(
    profiles: Sequence[Profile], observed: ObservedPieces, source: str, event: Mapping[str, Any]
) -> bool:
    """Add an event to what a camera has seen; return whether that is news.

    `profiles` are of each kind of board at the table.
    """
    key = (source, event["board"])
    profile = profile_numbered(profiles, event["board"])
    if profile is None or not changes_a_board(event):
        return False
    before = observed.get(key, {})
    observed[key] = changed_pieces(profile, before, event)
    return observed[key] != before


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
    chosen: dict[BoardKey, int | None] = {}
    seats: dict[BoardKey, int | None] = {}
    for entry in entries:
        if entry.kind == "assign":
            chosen[entry.data["source"], entry.data["board"]] = entry.data["seat"]
        elif entry.kind == "seen":
            key = _board_of(entry)
            if key not in seats:
                taken = {*seats.values(), *chosen.values()}
                likely = rules.counted_as(key[1])
                is_first = next(iter(seats), key)[0] == key[0]
                ordered = likely if is_first else sorted(likely)
                free = (board for board in ordered if board not in taken)
                seats[key] = chosen.get(key, next(free, None))
    return {**seats, **chosen}


def apply(
    rules: Rules, table: LiveTable, entry: Entry, amendment: Mapping[str, Any] | None = None
) -> tuple[Step | None, LiveTable]:
    """Return the table after an entry, corrected by `amendment`, and what it was: None for none.

    What corrects other entries, says whose boards are whose or is the guide's is no step.
    """
    if entry.kind in NO_STEPS:
        return None, table
    event, before = entry.data.get("event", entry.data), table
    corrected = amendment is not None and "event" in amendment
    if amendment is not None and corrected:
        if amendment["event"] is None:
            return Step(entry, event, _seat(table, entry), "void", corrected=True), table
        event = {**event, **amendment["event"]}
    if entry.kind in ("seen", "hand"):
        seat = _seat(table, entry)
        if seat is None or seat >= rules.boards:
            return None, table
        table = replace(table, known=table.known | {seat})
        after = _with_event(rules, table, entry, seat, event)
        after = _with_doubt(rules, after, entry, seat, event)
        if event["kind"] in (DOUBTFUL, SETTLED) and "held" not in event:
            return Step(entry, event, seat, "idle", corrected), after
    elif entry.kind == "playing":
        seat, after = None, replace(table, clearings={})
    else:
        seat = entry.data.get("seat")
        after = replace(table, own=rules.live.after_entry(rules, table.own, entry))
    completed = rules.live.completed(rules, before, after, _player(rules, entry, seat))
    changed = after != table or entry.kind == "restart"
    status: Literal["counts", "idle"] = "counts" if changed else "idle"
    return Step(entry, event, seat, status, corrected, completed), after


def _seat(table: LiveTable, entry: Entry) -> int | None:
    if entry.kind != "seen":
        seat: int | None = entry.data.get("seat")
        return seat
    return table.boards.get(_board_of(entry))


def _player(rules: Rules, entry: Entry, seat: int | None) -> int | None:
    """Whose board was changed, or who told."""
    if seat is None or entry.kind not in ("seen", "hand"):
        return seat
    owner = rules.slots[seat].seat
    return seat if owner is None else owner


def _seconds(entry: Entry) -> float:
    """When it happened; a recording, however fast it is played, has a clock of its own."""
    if entry.data.get("source") == REPLAY:
        return float(entry.data["event"]["t"])
    return entry.at.timestamp()


def _board_of(entry: Entry) -> BoardKey:
    """The board that an entry of a camera is about."""
    return entry.data["source"], entry.data["event"]["board"]


def changed_pieces(profile: Profile, pieces: Pieces, event: Mapping[str, Any]) -> dict[Place, str]:
    """Return the pieces on a board after an event: of one space, or of how many lie on a track.

    In a region an event counts the pieces of one kind, or all that is `held` there. A piece of
    which there is only one has left the place where it was seen before.
    """
    if "held" in event or ("space" in event and "count" in event):
        region = Place(event["space"], "region")
        counts = event["held"] if "held" in event else {event["star"]: event["count"]}
        before: Mapping[str, int] = {} if "held" in event else counted(pieces, region.id)
        single = {kind for kind, count in counts.items() if count and _is_single(profile, kind)}
        others = {at: one for at, one in pieces.items() if at.whole != region and one not in single}
        return others | in_region(region.id, {**before, **counts})
    if "count" in event:
        track = event["kind"]
        changed = {place: piece for place, piece in pieces.items() if place.id != track}
        slots = [Place(track, "track", slot) for slot in range(event["count"])]
        return changed | {slot: profile.game.admits(slot)[0] for slot in slots}
    may_be = [Place(event["space"], kind) for kind in _KINDS]
    place = next((at for at in may_be if at in profile.places), may_be[-1])
    changed = {at: piece for at, piece in pieces.items() if at != place}
    if event["kind"] == "removed":
        return changed
    star = event["star"]
    if _is_single(profile, star):
        changed = {at: piece for at, piece in changed.items() if piece != star}
    return {**changed, place: star}


def _is_single(profile: Profile, piece: str) -> bool:
    """Whether there is only one such piece: seen anew, it has left where it was."""
    return any(one.id == piece and one.supply == 1 for one in profile.game.pieces)


def _with_doubt(
    rules: Rules, table: LiveTable, entry: Entry, seat: int, event: Mapping[str, Any]
) -> LiveTable:
    """The table, on which the event's pieces lie already, with what it says of doubts.

    To count one kind leaves fewer answers; where a player does, and what lies there is the only one
    that is left, nothing is doubtful any more.
    """
    at = seat, str(event.get("space"))
    doubt = table.doubts.get(at)
    if event["kind"] == DOUBTFUL:
        doubt = Doubt(entry.number, _board_of(entry), tuple(map(tuple, event["answers"])))
    elif doubt is None:
        return table
    elif event["kind"] == SETTLED:
        doubt = None
    elif "count" in event:
        doubt = doubt.counted(entry.number, event["star"], event["count"])
        held = counted(rules.profile.game.pieces_of(table.positions[seat]), at[1])
        lies = {f"{count} {kind}" for kind, count in held.items()}
        if entry.kind == "hand" and [{*one} for one in doubt.answers] == [lies]:
            doubt = None
    others = {key: one for key, one in table.doubts.items() if key != at}
    return replace(table, doubts=others if doubt is None else {**others, at: doubt})


def _with_event(
    rules: Rules, table: LiveTable, entry: Entry, seat: int, event: Mapping[str, Any]
) -> LiveTable:
    """Change a player's board, and what follows from that at the table."""
    if not changes_a_board(event):
        return table
    before = table.positions[seat]
    pieces_before = rules.profile.game.pieces_of(before)
    pieces = changed_pieces(rules.slots[seat].profile, pieces_before, event)
    if pieces == pieces_before:
        return table
    positions = list(table.positions)
    positions[seat] = rules.position(pieces, seat)
    how: How = "entered" if entry.kind == "hand" else "seen"
    if how == "seen" and (event.get("found") or event.get("exchanged")):
        how = "found" if event.get("found") else "exchanged"
    change = BoardChange(entry.number, _seconds(entry), how, seat, before, tuple(positions))
    own = rules.live.after_change(rules, table.own, change)
    clearings = clearing.followed(table.clearings, entry, seat, len(pieces_before), len(pieces))
    return replace(table, positions=change.positions, own=own, clearings=clearings)
