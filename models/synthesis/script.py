"""The script of a film: who does what at the table when, before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from models.synthesis.texture import Rng
from scorer.nebula import BLACK, COLOURS, Galaxy, GalaxyBoard

APPROACH = 0.45
"""Seconds that an arm takes to its first place, and from its last one back."""
ACROSS = 0.3
"""Seconds from one place to the next."""

Act = Literal["put", "take", "hover", "drop"]


@dataclass(frozen=True)
class Step:
    """A hand at one place for ``dwell`` seconds; it acts halfway through.

    ``put`` lays ``star`` on a space (what lay there goes), or a black one on the track's next
    place, ``"track"``; ``take`` carries off what lies there; ``drop`` puts a star down and picks it
    up again; ``hover`` holds the star over the place and does nothing.
    """

    place: str
    act: Act
    star: str | None = None
    board: int = 0
    dwell: float = 0.35


@dataclass(frozen=True)
class Visit:
    """An arm that reaches in from the direction ``seat`` (radians), does its steps, and leaves."""

    start: float
    steps: tuple[Step, ...]
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
class Lamp:
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


Happening = Visit | Shade | Lamp | Nudge | Bump


@dataclass(frozen=True)
class Lying:
    """What lies on one board."""

    stars: Mapping[str, str] = field(default_factory=dict)
    black: int = 0


@dataclass(frozen=True)
class Script:
    """The boards as the film begins, what happens in the order of its beginning, the length."""

    boards: tuple[Lying, ...]
    happenings: tuple[Happening, ...]
    seconds: float


def act_out(lying: Lying, step: Step) -> Lying:
    """What lies on the board after a step.

    >>> act_out(Lying({"core": "red"}), Step("core", "put", "blue")).stars
    {'core': 'blue'}
    """
    stars = dict(lying.stars)
    if step.act == "put" and step.place == "track":
        return Lying(stars, lying.black + 1)
    if step.act == "put" and step.star:
        stars[step.place] = step.star
    elif step.act == "take":
        stars.pop(step.place, None)
    return Lying(stars, lying.black)


def random_script(
    rng: Rng, board: GalaxyBoard, track: int, seconds: float, boards: int = 1
) -> Script:
    """A game's worth of what a table sees, as long as asked for: about seven changes a minute.

    Placements are mostly legal; now and then one is not and is taken back later. Between them pass
    hovering hands, dropped stars, shadows, a lamp, nudges and knocks.
    """
    author = _Author(rng, board, track, boards)
    while author.now < seconds - 8:
        author.write_scene()
    return Script((Lying(),) * boards, tuple(author.happenings), seconds)


class _Author:
    """Writes scene after scene, keeping in mind what lies on the boards by then."""

    def __init__(self, rng: Rng, board: GalaxyBoard, track: int, boards: int) -> None:
        self.now = 3.0
        self.happenings: list[Happening] = []
        self._rng, self._board, self._track = rng, board, track
        self._lying = [Lying()] * boards
        self._wrong: list[tuple[int, str]] = []
        self._seats = rng.uniform(0, 2 * np.pi, 2 + boards)
        self._scenes = 0

    def write_scene(self) -> None:
        """Add one scene and the pause after it."""
        self._scenes += 1
        interludes = (self._hover, self._shade, self._drop, self._nudge, self._bump, self._lamp)
        if self._scenes % 4 == 0:
            interludes[(self._scenes // 4 - 1) % len(interludes)]()
        elif self._wrong and self._rng.random() < 0.5:
            number, place = self._wrong.pop()
            step = Step(place, "take", board=number)
            self._lying[number] = act_out(self._lying[number], step)
            self._visit([step])
        elif self._scenes % 9 == 1:
            for _ in range(3):
                self._visit([self._put()], pause=0.6)
            self.now += 2
        else:
            count = int(self._rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
            first = self._put()
            self._visit([first, *(self._put(first.board) for _ in range(count - 1))])

    def _visit(self, steps: Sequence[Step], pause: float | None = None) -> None:
        visit = Visit(self.now, tuple(steps), float(self._rng.choice(self._seats)))
        self.happenings.append(visit)
        self.now = visit.end + (self._rng.uniform(1.5, 6) if pause is None else pause)

    def _put(self, number: int | None = None) -> Step:
        """A placement, legal or now and then not; the author's boards are brought up to date."""
        number = int(self._rng.integers(len(self._lying))) if number is None else number
        lying = self._lying[number]
        place, star = self._choose(number, lying)
        step = Step(place, "put", star, number, float(self._rng.uniform(0.25, 0.6)))
        self._lying[number] = act_out(lying, step)
        return step

    def _choose(self, number: int, lying: Lying) -> tuple[str, str]:
        galaxy = Galaxy(lying.stars, lying.black, self._board)
        if lying.black < self._track and self._rng.random() < 0.16:
            return "track", BLACK
        if len(lying.stars) > 3 and self._rng.random() < 0.06:
            empty = [s for s in galaxy.empty() if s not in self._board.neighbours(self._board.core)]
            if empty:
                place = str(self._rng.choice(empty))
                self._wrong.append((number, place))
                return place, str(self._rng.choice(COLOURS))
        legal = list(galaxy.legal_placements())
        new = [p for p in legal if p[0] not in lying.stars]
        if not new or self._rng.random() < 0.08:
            new = [p for p in legal if lying.stars.get(p[0]) != p[1]] or new
        return new[int(self._rng.integers(len(new)))]

    def _hover(self) -> None:
        spaces = self._rng.choice(self._board.spaces, 2)
        star = str(self._rng.choice(COLOURS))
        number = int(self._rng.integers(len(self._lying)))
        self._visit([Step(str(s), "hover", star, number, 1.4) for s in spaces])

    def _drop(self) -> None:
        number = int(self._rng.integers(len(self._lying)))
        empty = [s for s in self._board.spaces if s not in self._lying[number].stars]
        if empty:
            place, star = str(self._rng.choice(empty)), str(self._rng.choice(COLOURS))
            self._visit([Step(place, "drop", star, number, 0.7)])

    def _shade(self) -> None:
        seconds = float(self._rng.uniform(1.0, 3.0))
        self.happenings.append(Shade(self.now, seconds, float(self._rng.uniform(0.25, 0.55))))
        self.now += seconds + 0.5

    def _lamp(self) -> None:
        if not any(isinstance(h, Lamp) for h in self.happenings):
            self.happenings.append(Lamp(self.now, float(self._rng.uniform(0.4, 0.8))))
            self.now += 3

    def _nudge(self) -> None:
        angle, far = self._rng.uniform(0, 2 * np.pi), self._rng.uniform(2, 7)
        shift = (float(far * np.cos(angle)), float(far * np.sin(angle)))
        number = int(self._rng.integers(len(self._lying)))
        self.happenings.append(Nudge(self.now, shift, float(self._rng.normal(0, 0.03)), number))
        self.now += 2.5

    def _bump(self) -> None:
        shift = self._rng.uniform(-9, 9, 2)
        self.happenings.append(Bump(self.now, (float(shift[0]), float(shift[1]))))
        self.now += 2.5
