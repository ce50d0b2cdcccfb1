"""From the log to the table: a pure function of the entries.

A correction is an entry, too, after which the whole log is reduced again, so that everything after
the corrected event is recomputed, such as who completed an objective first.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from calibration import Profile
from scorer.places import Place, counted, in_region
from scorer.table import BoardKind, Pieces
from webapp.app.live import clearing
from webapp.app.live.clearing import Clearings
from webapp.app.live.entry import (
    CARD,
    DOUBTFUL,
    NO_STEPS,
    REPLAY,
    SETTLED,
    Entry,
    changes_a_board,
    of_this_game,
    place_named,
    profile_numbered,
)

if TYPE_CHECKING:  # it imports this module
    from webapp.app.live_game import LiveGame

How = Literal["seen", "exchanged", "found", "entered"]
BoardKey = tuple[str, int]
"""A camera's board: the camera's name and the board's number there."""


@dataclass(frozen=True)
class Slot:
    """A board on the table: its kind, and its player's seat, None for a shared board."""

    kind: BoardKind
    profile: Profile
    seat: int | None


@dataclass(frozen=True)
class Rules:
    """What the table depends on in a game.

    `facts` is its JSON text, the only part that is compared besides players and profiles. `own` is
    what the game's part `live` made of it. `profile` is that of the table's first kind of board,
    `further_profiles` those of the other kinds, in order, as far as they are known.
    """

    players: int
    facts: str
    profile: Profile
    live: "LiveGame" = field(compare=False)
    own: Any = field(compare=False, default=None)
    further_profiles: tuple[Profile, ...] = ()

    @property
    def profiles(self) -> Sequence[Profile]:
        """The profiles of each kind of board, in order."""
        return self.profile, *self.further_profiles

    @cached_property
    def slots(self) -> Sequence[Slot]:
        """The boards on the table, by number."""
        table = self.profile.game.table
        profiles = dict(zip(table.boards, self.profiles, strict=False))
        instances = table.instances(self.players)
        return [Slot(kind, profiles[kind], seat) for kind, seat in instances if kind in profiles]

    @property
    def boards(self) -> int:
        return len(self.slots)

    def unseen(self, known: Collection[int]) -> Sequence[int]:
        """Return the boards not in `known`, if the table has several kinds of board; else ()."""
        table = self.profile.game.table
        count = len(table.instances(self.players)) if len(table.boards) > 1 else 0
        return [board for board in range(count) if board not in known]

    def is_scored(self, unseen: Sequence[int]) -> Sequence[bool]:
        """Return for each player whether their own and all shared boards were seen."""
        instances = self.profile.game.table.instances(self.players)
        owners = {instances[board][1] for board in unseen}
        return [not owners & {None, seat} for seat in range(self.players)]

    def board_of(self, seat: int) -> int:
        """Return the number of the board that a player plays on."""
        return 0 if self.profile.game.table.shared else seat

    def possible_boards(self, number: int) -> Sequence[int]:
        """Return the boards that a camera's board number can mean, the most likely first."""
        table = self.profile.game.table
        kind = table.kind_numbered(number)
        found = [board for board, slot in enumerate(self.slots) if slot.kind == kind]
        nth = number - table.first_number(kind.id)
        return [*found[nth : nth + 1], *found]

    def profile_of_entry(self, entry: Entry) -> Profile:
        """Return the profile of the board that an entry is about."""
        if entry.kind == "seen":
            profile = profile_numbered(self.profiles, entry.data["event"]["board"])
            return profile or self.profile
        return self.slots[entry.data["seat"]].profile if entry.kind == "hand" else self.profile

    def position(self, pieces: Pieces, board: int = 0) -> Any:
        """Return the game's position for pieces on a board."""
        return self.profile.game.position(self.slots[board].profile.board, pieces)


@dataclass(frozen=True)
class BoardChange:
    """A change of a seat's board, and the positions of all boards after the entry `number`.

    A shared board is that of seat 0. `seconds` is the time of the change by the clock of the
    recording or server. `how` it is known: a camera saw it happen, a camera that had not seen the
    place before `found` it so, or a person entered it.
    """

    number: int
    seconds: float
    how: How
    seat: int
    before: Any
    positions: tuple[Any, ...]

    @property
    def after(self) -> Any:
        """The new position of the seat's board."""
        return self.positions[self.seat]


@dataclass(frozen=True)
class Doubt:
    """A region whose contents a camera is unsure of: the camera's board, and the possible contents.

    Each answer lists the counts by kind, as "2 plum"; the likeliest comes first. `entry` is the
    number of the entry that opened the question or last reduced the answers.
    """

    entry: int
    seen_by: BoardKey
    answers: tuple[tuple[str, ...], ...]

    def counted(self, entry: int, kind: str, count: int) -> "Doubt":
        """Return the doubt after the count of one kind is known.

        If no answer agrees with the count, it replaces the count in all answers.
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
    """An entry as applied; `event` includes corrections.

    `seat` is the number of the board that changed, or the seat of the player who entered it.
    `status`: it counts, is void (undone), idle (without effect), or impossible: it puts a piece
    where it cannot be, is refused now, but may stand in an older log. `completed` are the
    objectives that its player completed by it.
    """

    entry: Entry
    event: Mapping[str, Any]
    seat: int | None
    status: Literal["counts", "void", "idle", "impossible"]
    corrected: bool = False
    completed: tuple[str, ...] = ()


@dataclass(frozen=True)
class CardCount:
    """How many cards with an id lie on the table, by the log's entry `number`."""

    number: int
    here: int


@dataclass(frozen=True)
class LiveTable:
    """The table derived from the log.

    `positions` has the position of each board on the table; `own` is the state of the game's part.
    `boards` maps each camera's board to a board number, None if unowned; `assigned` are those set
    by a player. `known` are the numbers of boards with entries. `clearings` are the boards being
    cleared. `doubts` are the open questions by board number and region id. `cards` has the counts
    of the market's cards, oldest first, by the camera's name and the card's id.
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
    cards: Mapping[tuple[str, str], tuple[CardCount, ...]] = field(default_factory=dict)

    @property
    def full_until(self) -> int | None:
        """The last entry before the table was cleared, None if it was not."""
        return clearing.full_until(self.clearings)

    @property
    def ownerless(self) -> tuple[BoardKey, ...]:
        """The camera boards whose owner a player must choose."""
        return tuple(
            key for key, seat in self.boards.items() if seat is None and key not in self.assigned
        )


class ImpossibleError(Exception):
    """An event makes no position of the game."""


def reduce(rules: Rules, entries: Sequence[Entry], until: int | None = None) -> LiveTable:
    """Return the table after the log's entries, or as it really was after the entry `until`.

    Corrections apply in both cases, so that a look back shows the real positions.
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


ObservedPieces = dict[BoardKey, dict[Place, str]]
"""The pieces on each camera's boards as it saw them, uncorrected."""


def extend(rules: Rules, table: LiveTable, entry: Entry) -> LiveTable | None:
    """Return the table after one more entry; None if all entries must be reduced again.

    That is necessary if the entry changes the past, such as a correction or an assignment.
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
    """Apply an event to what a camera has seen; return whether it changed anything.

    `profiles` has one of each kind of board at the table.
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
    """Sort entries that were added later for an earlier moment into their places."""
    return sorted(entries, key=_position)


def _seating(rules: Rules, entries: Sequence[Entry]) -> dict[BoardKey, int | None]:
    """Assign boards: as players said, else in the first camera's numbering.

    The boards of other cameras take the free seats in order of appearance.
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
                likely = rules.possible_boards(key[1])
                is_first = next(iter(seats), key)[0] == key[0]
                ordered = likely if is_first else sorted(likely)
                free = (board for board in ordered if board not in taken)
                seats[key] = chosen.get(key, next(free, None))
    return {**seats, **chosen}


def apply(
    rules: Rules, table: LiveTable, entry: Entry, amendment: Mapping[str, Any] | None = None
) -> tuple[Step | None, LiveTable]:
    """Return an entry, corrected by `amendment`, as a step (or None), and the table after it.

    Entries of `NO_STEPS` are no steps; cards are counted.
    """
    if entry.kind == CARD:
        at = str(entry.data["source"]), str(entry.data["card"])
        counts = (*table.cards.get(at, ()), CardCount(entry.number, int(entry.data["here"])))
        return None, replace(table, cards={**table.cards, at: counts})
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
        try:
            after = _with_event(rules, table, entry, seat, event)
        except ImpossibleError:
            return Step(entry, event, seat, "impossible", corrected), table
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
    """Return the player whose board was changed, or who entered it."""
    if seat is None or entry.kind not in ("seen", "hand"):
        return seat
    owner = rules.slots[seat].seat
    return seat if owner is None else owner


def _seconds(entry: Entry) -> float:
    """Return the time of an entry; a recording has its own clock."""
    if entry.data.get("source") == REPLAY:
        return float(entry.data["event"]["t"])
    return entry.at.timestamp()


def _board_of(entry: Entry) -> BoardKey:
    """Return the camera's board that an entry is about."""
    return entry.data["source"], entry.data["event"]["board"]


def changed_pieces(profile: Profile, pieces: Pieces, event: Mapping[str, Any]) -> dict[Place, str]:
    """Return the pieces on a board after an event on a space, region or track.

    In a region an event sets the count of one kind, or everything `held` there. A piece that exists
    only once leaves the place where it was before.
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
    place = place_named(profile, event["space"])
    changed = {at: piece for at, piece in pieces.items() if at != place}
    if event["kind"] == "removed":
        return changed
    star = event["star"]
    if _is_single(profile, star):
        changed = {at: piece for at, piece in changed.items() if piece != star}
    return {**changed, place: star}


def _is_single(profile: Profile, piece: str) -> bool:
    """Whether only one such piece exists."""
    return any(one.id == piece and one.supply == 1 for one in profile.game.pieces)


def _with_doubt(
    rules: Rules, table: LiveTable, entry: Entry, seat: int, event: Mapping[str, Any]
) -> LiveTable:
    """Apply an event to the table's doubts; its pieces have been applied already.

    A count of one kind leaves fewer answers. If a player made it, and the current contents are the
    only answer left, the doubt is resolved.
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
    """Apply an event to a board, and its consequences for the game. Raises ImpossibleError."""
    if not changes_a_board(event):
        return table
    before = table.positions[seat]
    pieces_before = rules.profile.game.pieces_of(before)
    pieces = changed_pieces(rules.slots[seat].profile, pieces_before, event)
    if pieces == pieces_before:
        return table
    positions = list(table.positions)
    try:
        positions[seat] = rules.position(pieces, seat)
    except ValueError as error:
        raise ImpossibleError from error
    how: How = "entered" if entry.kind == "hand" else "seen"
    if how == "seen" and (event.get("found") or event.get("exchanged")):
        how = "found" if event.get("found") else "exchanged"
    change = BoardChange(entry.number, _seconds(entry), how, seat, before, tuple(positions))
    own = rules.live.after_change(rules, table.own, change)
    clearings = clearing.followed(table.clearings, entry, seat, len(pieces_before), len(pieces))
    return replace(table, positions=change.positions, own=own, clearings=clearings)
