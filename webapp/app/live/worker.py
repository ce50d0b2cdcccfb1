"""The process that watches one camera, apart from the server.

It is started anew ("spawn"), so it shares nothing with the server but a pipe: frames or the
word to stop come in, and what was seen goes out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import monotonic, sleep
from typing import Any, Protocol

from webapp.app.live.entry import DOUBTFUL

SIGN_OF_LIFE = 0.5
"""Seconds after which a worker tells that it still sees, though nothing changes."""


@dataclass(frozen=True)
class Pushed:
    """A frame that a browser sent, JPEG, at `t` seconds."""

    t: float
    jpeg: bytes


@dataclass(frozen=True)
class Correction:
    """What players say lies on a board.

    `pieces` by the place's key, None for none; `counts`: how many lie on each track that is told;
    `regions`: all pieces that lie in each region that is told, sorted. `reopened`: those that
    were known of regions of which a person's word is taken back.
    """

    board: int
    pieces: Mapping[str, str | None]
    counts: Mapping[str, int] = field(default_factory=dict)
    regions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    reopened: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class PieceRoles:
    """As what each piece counts at the table: see `scorer.game.Game.piece_roles`."""

    pieces: Mapping[str, str]


@dataclass(frozen=True)
class Show:
    """Somebody wants to see what the camera sees."""


@dataclass(frozen=True)
class Picture:
    """What the camera sees, with the boards' outlines, JPEG; None before its first frame."""

    jpeg: bytes | None


@dataclass(frozen=True)
class Free:
    """The worker has room for the next frame."""


@dataclass(frozen=True)
class Seen:
    """What a frame brought: live events, the tracker's memory with them, where the boards lie.

    `boards`: for each its number, its corners as shares of the frame, and whether it is sure.
    `receiving`: whether it was a picture; not while a source is away, nor of what is no picture.
    `recognised`: the profile whose boards are followed; "" while a board is in view that is none of
    the known ones.
    """

    events: Sequence[Mapping[str, Any]]
    memory: Mapping[str, Any] | None
    boards: Sequence[Mapping[str, Any]]
    receiving: bool
    recognised: str | None = None
    close_ups: Mapping[tuple[int, str], bytes] = field(default_factory=dict)
    """JPEG, of the regions that are doubtful from now on, by board and id."""


@dataclass(frozen=True)
class Unusable:
    """The source cannot be used; one line: why and what to do."""

    message: str


@dataclass(frozen=True)
class Ended:
    """The source came to its end: a video file."""


class UnusableSourceError(Exception):
    """A source that cannot be used; one line: why and what to do."""


class FrameWorker(Protocol):
    """What watches: the vision room's tracker, or a test's."""

    def process(self, jpeg: bytes, t: float) -> Sequence[Mapping[str, Any]]:
        """Return the events of a frame; one that is no picture has none."""

    def follow(self, address: str, proven: bool) -> Iterable[Sequence[Mapping[str, Any]]]:
        """Open a source and give the events of each of its frames; of none while it is away.

        One that is `proven` has worked before, and is waited for if it is away at first. Raises
        UnusableSourceError.
        """

    def correct(self, correction: Correction) -> None:
        """Take the players' word; what is known already, or of no known board, is no news."""

    def play(self, piece_roles: Mapping[str, str]) -> None:
        """Tell from now on no other pieces than are in play, each as what it counts."""

    def receiving(self) -> bool:
        """Say whether the latest frame was a picture, and its source is not away since."""

    def recognised(self) -> str | None:
        """Return the name of the profile whose boards are followed, None before any is in view.

        It is "" while a board is in view that is none of those that can be followed.
        """

    def picture(self) -> bytes | None:
        """Return the latest frame with the boards' outlines, JPEG; None before the first."""

    def close_up(self, board: int, region: str) -> bytes | None:
        """Return what a region of a board looked like in the latest frame, JPEG; None if unseen."""

    def memory(self) -> Mapping[str, Any] | None:
        """Return what a worker needs to go on from here."""

    def boards(self) -> Sequence[Mapping[str, Any]]:
        """Return where the boards lie: `board`, `corners` as shares of the frame, `sure`."""


MakeFrameWorker = Callable[[Sequence[str], Mapping[str, Any] | None], FrameWorker]
"""Makes the frame worker of the profiles of these names from a memory, or from nothing.

Of several of the table's first kind it follows the one that it sees first. Importable by its name.
"""


def run(
    connection: Connection,
    make_frame_worker: MakeFrameWorker,
    profiles: Sequence[str],
    memory: Mapping[str, Any] | None,
    address: str,
    proven: bool,
) -> None:
    """Watch until the server closes the pipe or is gone, or the source ends."""
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
        if not isinstance(word, Pushed):
            _handle(connection, worker, word)
            continue
        connection.send(_seen(worker, worker.process(word.jpeg, word.t)))
        connection.send(Free())


def _follow_source(connection: Connection, worker: FrameWorker, address: str, proven: bool) -> None:
    last_sign = 0.0
    _handle_all(connection, worker)  # what players said goes before what is seen
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
    return Seen(events, memory, *state, close_ups)


def _handle_all(connection: Connection, worker: FrameWorker) -> None:
    while connection.poll():
        _handle(connection, worker, connection.recv())


def _handle(
    connection: Connection, worker: FrameWorker, word: Correction | PieceRoles | Show
) -> None:
    if isinstance(word, Correction):
        worker.correct(word)
    elif isinstance(word, PieceRoles):
        worker.play(word.pieces)
    else:
        connection.send(Picture(worker.picture()))


def keep_pace(begun: float, t: float) -> None:
    """Wait until `t` seconds after `begun`: a file is played as fast as it was filmed."""
    sleep(max(0.0, begun + t - monotonic()))
