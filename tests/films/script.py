"""The script of a film: who does what at the table when, before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration import Profile
from models.synthesis.position import landing, pick, single_places
from models.synthesis.texture import Rng
from scorer.places import Place
from scorer.table import Pieces
from tests.films.players import player_of

APPROACH = 0.45
"""Seconds that an arm takes to its first place, and from its last one back."""
ACROSS = 0.3
"""Seconds from one place to the next."""

Act = Literal["put", "take", "hover", "drop", "turn"]


@dataclass(frozen=True)
class HandStep:
    """A hand at one place for ``dwell`` seconds; it acts halfway through, and turns all the while.

    ``put`` lays ``piece`` on a place (what lay there goes), or on a track's first free slot,
    whichever one is named; ``take`` carries off what lies there; ``drop`` puts a piece down and
    picks it up again; ``hover`` holds the piece over the place and does nothing; ``turn`` turns a
    dial, along with the hand, until its ``piece`` faces the place.
    """

    place: Place
    act: Act
    piece: str | None = None
    board: int = 0
    dwell: float = 0.35

    @property
    def acts(self) -> float:
        """Seconds from its arrival until what it does is done."""
        return self.dwell if self.act == "turn" else self.dwell / 2


@dataclass(frozen=True)
class Visit:
    """An arm that reaches in from the direction ``seat`` (radians), does its steps, and leaves."""

    start: float
    steps: tuple[HandStep, ...]
    seat: float = 1.6

    def arrivals(self) -> list[float]:
        """When the hand comes to each of its steps, in seconds of the film."""
        begins, t = [], self.start + APPROACH
        for step in self.steps:
            begins.append(t)
            t += step.dwell + ACROSS
        return begins

    @property
    def end(self) -> float:
        """When the arm is gone."""
        return self.arrivals()[-1] + self.steps[-1].dwell + APPROACH


@dataclass(frozen=True)
class Shade:
    """Somebody walks past the window: a soft shadow crosses the table."""

    start: float
    seconds: float = 2.0
    depth: float = 0.45


@dataclass(frozen=True)
class LampSwitch:
    """A lamp is switched on; the camera takes a second to expose for it."""

    start: float
    strength: float = 0.6


@dataclass(frozen=True)
class Nudge:
    """A board is pushed by ``shift`` mm and ``turn`` radians within ``seconds``."""

    start: float
    shift: tuple[float, float]
    turn: float = 0.0
    board: int = 0
    seconds: float = 0.4


@dataclass(frozen=True)
class Bump:
    """The camera is knocked: the picture jumps by ``shift`` px and stays there."""

    start: float
    shift: tuple[float, float]
    seconds: float = 0.2


Happening = Visit | Shade | LampSwitch | Nudge | Bump


@dataclass(frozen=True)
class Script:
    """The boards as the film begins, what happens in the order of its beginning, the length."""

    boards: tuple[Pieces, ...]
    happenings: tuple[Happening, ...]
    seconds: float


def act_out(pieces: Pieces, step: HandStep) -> dict[Place, str]:
    """What lies on the board after a step.

    >>> act_out({Place("core"): "red"}, HandStep(Place("core"), "put", "blue"))
    {Place(id='core', kind='spot', slot=0): 'blue'}
    """
    after = dict(pieces)
    if step.act == "put" and step.piece:
        after[landing(step.place, pieces)] = step.piece
    elif step.act == "take":
        after.pop(step.place, None)
    elif step.act == "turn" and step.piece:
        after = {place: piece for place, piece in after.items() if piece != step.piece}
        after[step.place] = step.piece
    return after


def random_script(rng: Rng, profile: Profile, seconds: float, boards: int = 1) -> Script:
    """A game's worth of what a table sees, as long as asked for: about seven changes a minute.

    Placements are mostly legal; now and then one is not and is taken back later. Between them pass
    hovering hands, dropped pieces, shadows, a lamp, nudges and knocks.
    """
    author = _Author(rng, profile, boards)
    while author.now < seconds - 8:
        author.write_scene()
    return Script(author.opening, tuple(author.happenings), seconds)


class _Author:
    """Writes scene after scene, keeping in mind what lies on the boards by then."""

    def __init__(self, rng: Rng, profile: Profile, boards: int) -> None:
        self.now = 3.0
        self.happenings: list[Happening] = []
        self._rng, self._profile, self._game = rng, profile, profile.game
        self._player = player_of(profile.layout.game)
        self._dial = next((piece.id for piece in self._game.pieces if piece.dial), None)
        self._faced = [p for p in single_places(profile) if self._dial in self._game.admits(p)]
        self._places = [
            place
            for place in single_places(profile)
            if self._game.admits(place) and place not in self._faced
        ]
        self.opening = tuple(self._player.opening(rng, profile) for _ in range(boards))
        self._boards_now: list[Pieces] = list(self.opening)
        self._wrong: list[tuple[int, Place]] = []
        self._seats = rng.uniform(0, 2 * np.pi, 2 + boards)
        self._scenes = 0

    def write_scene(self) -> None:
        """Add one scene and the pause after it."""
        self._scenes += 1
        interludes = [self._hover, self._shade, self._drop, self._nudge, self._bump, self._lamp]
        if self._faced:  # a frame is turned, and the board is pushed
            interludes = [self._turn, self._nudge, *interludes]
        if self._scenes % 4 == 0:
            interludes[(self._scenes // 4 - 1) % len(interludes)]()
        elif self._wrong and self._rng.random() < 0.5:
            number, place = self._wrong.pop()
            step = HandStep(place, "take", board=number)
            self._boards_now[number] = act_out(self._boards_now[number], step)
            self._visit([step])
        elif self._scenes % 9 == 1:
            for _ in range(3):
                self._visit(self._put(1), pause=0.6)
            self.now += 2
        else:
            self._visit(self._put(int(self._rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))))

    def _visit(self, steps: Sequence[HandStep], pause: float | None = None) -> None:
        if steps:
            visit = Visit(self.now, tuple(steps), float(self._rng.choice(self._seats)))
            self.happenings.append(visit)
            self.now = visit.end
        self.now += self._rng.uniform(1.5, 6) if pause is None else pause

    def _put(self, count: int) -> list[HandStep]:
        """Placements on one board, mostly legal ones, as many as it has room for.

        The author's boards are brought up to date.
        """
        number = int(self._rng.integers(len(self._boards_now)))
        steps = []
        for _ in range(count):
            pieces = self._boards_now[number]
            placement = self._player.placement(self._rng, self._profile, pieces)
            if placement is None:
                break
            if placement.mistake:
                self._wrong.append((number, landing(placement.place, pieces)))
            dwell = float(self._rng.uniform(0.25, 0.6))
            steps.append(HandStep(placement.place, "put", placement.piece, number, dwell))
            self._boards_now[number] = act_out(pieces, steps[-1])
        return steps

    def _hover(self) -> None:
        if self._places:
            over = [self._places[i] for i in self._rng.integers(len(self._places), size=2)]
            piece = pick(self._rng, self._game.admits(over[0]))
            number = int(self._rng.integers(len(self._boards_now)))
            self._visit([HandStep(place, "hover", piece, number, 1.4) for place in over])

    def _drop(self) -> None:
        number = int(self._rng.integers(len(self._boards_now)))
        empty = [place for place in self._places if place not in self._boards_now[number]]
        if empty:
            place = pick(self._rng, empty)
            piece = pick(self._rng, self._game.admits(place))
            self._visit([HandStep(place, "drop", piece, number, 0.7)])

    def _turn(self) -> None:
        """Somebody turns a dial on by one place."""
        number = int(self._rng.integers(len(self._boards_now)))
        pieces = self._boards_now[number]
        at = next((n for n, p in enumerate(self._faced) if pieces.get(p) == self._dial), -1)
        following = self._faced[(at + 1) % len(self._faced)]
        step = HandStep(following, "turn", self._dial, number, 1.2)
        self._boards_now[number] = act_out(pieces, step)
        self._visit([step])

    def _shade(self) -> None:
        seconds = float(self._rng.uniform(1.0, 3.0))
        self.happenings.append(Shade(self.now, seconds, float(self._rng.uniform(0.25, 0.55))))
        self.now += seconds + 0.5

    def _lamp(self) -> None:
        if not any(isinstance(h, LampSwitch) for h in self.happenings):
            self.happenings.append(LampSwitch(self.now, float(self._rng.uniform(0.4, 0.8))))
            self.now += 3

    def _nudge(self) -> None:
        angle, far = self._rng.uniform(0, 2 * np.pi), self._rng.uniform(2, 7)
        shift = (float(far * np.cos(angle)), float(far * np.sin(angle)))
        number = int(self._rng.integers(len(self._boards_now)))
        self.happenings.append(Nudge(self.now, shift, float(self._rng.normal(0, 0.03)), number))
        self.now += 2.5

    def _bump(self) -> None:
        shift = self._rng.uniform(-9, 9, 2)
        self.happenings.append(Bump(self.now, (float(shift[0]), float(shift[1]))))
        self.now += 2.5
