"""The child process that processes one camera's frames.

It is spawned, so it shares nothing with the server but a pipe, which carries frames and commands in
and results out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import monotonic, sleep
from typing import Any, Protocol

from webapp.app.live.entry import DOUBTFUL

SIGN_OF_LIFE = 0.5
"""Seconds between reports while nothing changes."""


@dataclass(frozen=True)
class BrowserFrame:
    """A browser's frame (JPEG) at `t` seconds."""

    t: float
    jpeg: bytes


@dataclass(frozen=True)
class Correction:
    """A player's correction of a board.

    `pieces` by the place's key, None for empty; `counts` of pieces on corrected tracks; `regions`:
    the sorted pieces in corrected regions. `reopened`: the known pieces in regions that no longer
    have a player's word.
    """

    board: int
    pieces: Mapping[str, str | None]
    counts: Mapping[str, int] = field(default_factory=dict)
    regions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    reopened: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class PieceRoles:
    """The role of each piece at the table; see `scorer.game.Game.piece_roles`."""

    pieces: Mapping[str, str]


@dataclass(frozen=True)
class Market:
    """The cards to look for on the table, by id, and how many of each there are."""

    cards: Mapping[str, int]


Word = Correction | PieceRoles | Market
"""What a worker has to know."""


@dataclass(frozen=True)
class Show:
    """A request for the camera's current picture."""


@dataclass(frozen=True)
class Picture:
    """The current picture with the boards' outlines (JPEG); None before the first frame."""

    jpeg: bytes | None


@dataclass(frozen=True)
class Free:
    """The worker can accept the next frame."""


@dataclass(frozen=True)
class CardSeen:
    """`count` cards with an id lie on the table; None: there is one fewer than before."""

    card: str
    count: int | None = None


@dataclass(frozen=True)
class Seen:
    """The result of a frame: live events, the tracker's memory after them, the boards' positions.

    `boards`: number, corners as fractions of the frame, `sure` and perhaps `samples_left_out` for
    each. `receiving`: whether it was a valid picture; False while a source is unavailable.
    `recognised`: the profile whose boards are tracked; "" while an unknown board is in view.
    """

    events: Sequence[Mapping[str, Any]]
    memory: Mapping[str, Any] | None
    boards: Sequence[Mapping[str, Any]]
    receiving: bool
    recognised: str | None = None
    close_ups: Mapping[tuple[int, str], bytes] = field(default_factory=dict)
    """Pictures (JPEG) of regions that have become doubtful, by board and region id."""
    cards: Sequence[CardSeen] = ()
    """The cards of the market that were found or are missing."""


@dataclass(frozen=True)
class Unusable:
    """The source cannot be used; the one-line message says why and what to do."""

    message: str


@dataclass(frozen=True)
class Ended:
    """The source has ended, as a video file does."""


class UnusableSourceError(Exception):
    """The source cannot be used; the one-line message says why and what to do."""


class FrameWorker(Protocol):
    """What processes frames: the trackers of `vision`, or a test double."""

    def process(self, jpeg: bytes, t: float) -> Sequence[Mapping[str, Any]]:
        """Return the events of a frame; none if it cannot be decoded."""

    def follow(self, address: str, proven: bool) -> Iterable[Sequence[Mapping[str, Any]]]:
        """Yield the events of each frame of a source, none while it is unavailable.

        A `proven` source has worked before, and is waited for if it is unavailable at first. Raises
        UnusableSourceError.
        """

    def correct(self, correction: Correction) -> None:
        """Apply a player's correction; ignore it if known already or for an unknown board."""

    def play(self, piece_roles: Mapping[str, str]) -> None:
        """Restrict reports to the pieces in play, each mapped to its role."""

    def expect(self, market: Mapping[str, int]) -> None:
        """Look for these cards from now on, by id with their counts."""

    def cards(self) -> Sequence[CardSeen]:
        """Return the cards that were found or are missing since the last call."""

    def receiving(self) -> bool:
        """Return whether the latest frame was a picture, and its source is still available."""

    def recognised(self) -> str | None:
        """Return the tracked profile's name, None before any board is in view.

        It is "" while an unknown board is in view.
        """

    def picture(self) -> bytes | None:
        """Return the latest frame with the boards' outlines (JPEG); None before the first."""

    def close_up(self, board: int, region: str) -> bytes | None:
        """Return a crop of a region in the latest frame (JPEG); None if unseen."""

    def memory(self) -> Mapping[str, Any] | None:
        """Return the state that a worker needs to resume from here."""

    def boards(self) -> Sequence[Mapping[str, Any]]:
        """Return the boards, as in `Seen`."""


MakeFrameWorker = Callable[[Sequence[str], Mapping[str, Any] | None], FrameWorker]
"""Returns the frame worker for the named profiles, from a memory or from scratch.

Of several profiles of the table's first kind it tracks the first one seen. Must be importable by
name.
"""


def run(
    connection: Connection,
    make_frame_worker: MakeFrameWorker,
    profiles: Sequence[str],
    memory: Mapping[str, Any] | None,
    address: str,
    proven: bool,
) -> None:
    """Process frames until the server closes the pipe or ends, or the source ends."""
    try:
        worker = make_frame_worker(profiles, memory)
        if address:
            _follow_source(connection, worker, address, proven)
        else:
            _process_pushed(connection, worker)
    except UnusableSourceError as error:
        connection.send(Unusable(str(error)))


def _process_pushed(connection: Connection, worker: FrameWorker) -> None:
    connection.send(Free())
    while True:
        word = connection.recv()
        if not isinstance(word, BrowserFrame):
            _handle(connection, worker, word)
            continue
        connection.send(_seen(worker, worker.process(word.jpeg, word.t)))
        connection.send(Free())


def _follow_source(connection: Connection, worker: FrameWorker, address: str, proven: bool) -> None:
    last_sign = 0.0
    _handle_all(connection, worker)  # corrections come before the first frame
    for events in worker.follow(address, proven):
        _handle_all(connection, worker)
        if events or monotonic() - last_sign > SIGN_OF_LIFE:
            last_sign = monotonic()
            connection.send(_seen(worker, events))
    connection.send(Ended())


def _seen(worker: FrameWorker, events: Sequence[Mapping[str, Any]]) -> Seen:
    memory = worker.memory() if events else None
    doubtful = [(one["board"], one["space"]) for one in events if one["kind"] == DOUBTFUL]
    pictures = ((at, worker.close_up(*at)) for at in doubtful)
    close_ups = {at: jpeg for at, jpeg in pictures if jpeg is not None}
    state = worker.boards(), worker.receiving(), worker.recognised()
    return Seen(events, memory, *state, close_ups, worker.cards())


def _handle_all(connection: Connection, worker: FrameWorker) -> None:
    while connection.poll():
        _handle(connection, worker, connection.recv())


def _handle(connection: Connection, worker: FrameWorker, word: Word | Show) -> None:
    if isinstance(word, Correction):
        worker.correct(word)
    elif isinstance(word, PieceRoles):
        worker.play(word.pieces)
    elif isinstance(word, Market):
        worker.expect(word.cards)
    else:
        connection.send(Picture(worker.picture()))


def keep_pace(begun: float, t: float) -> None:
    """Wait until `t` seconds after `begun`, to play a file in real time."""
    sleep(max(0.0, begun + t - monotonic()))
