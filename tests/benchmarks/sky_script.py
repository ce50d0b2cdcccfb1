"""The script of a film of part of a real game: legal turns, and breaks of rules.

Cards and dawn spaces are played by `scorer.polaris.turns`; the film shows what a camera can see of
it: stars and links placed by cards, the frame turned after a phase, and sometimes a broken rule
between two turns, which is then corrected.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibration import Profile
from scorer.places import Place
from scorer.polaris.board import SkyBoard
from scorer.polaris.contract import LINK, NEW_MOON, POLARIS_GAME
from scorer.polaris.table_state import Action, EndTurn, PlayCard, TableState, set_up
from scorer.polaris.words import NEUTRAL
from tests.films.script import HandStep, Happening, Script, Visit
from tests.scorer.polaris_tables import TURNS

_FULL_CIRCLE = 6.283
_PLAYED = 0.8
"""The fraction of turns that play a card if possible."""
_MORE_CARDS = 0.35
"""The fraction of turns that play a further card if possible."""
_LINK_FIRST = 0.3
"""The fraction of cards whose links are placed before the star."""
_BROKEN = 0.2
"""The fraction of turns with placements that are followed by a broken rule."""
_TURNING = (2.0, 3.5)
"""Seconds that a hand takes to turn the frame by a sector."""


@dataclass(frozen=True)
class FilmedTurn:
    """A turn in which pieces were placed; times are in seconds of the film."""

    colour: str
    laid: tuple[str, ...]
    begin: float
    end: float


@dataclass(frozen=True)
class FilmedBreak:
    """A rule of that kind, broken by a piece on `place` and corrected by `end`."""

    kind: str
    place: str
    begin: float
    end: float


@dataclass(frozen=True)
class FilmedGame:
    """A script, the players' colours, and the game's events.

    `phases` are the times at which the frame was turned, and the sector that the New Moon then
    faces.
    """

    script: Script
    colours: tuple[str, ...]
    turns: tuple[FilmedTurn, ...]
    breaks: tuple[FilmedBreak, ...]
    phases: tuple[tuple[float, int], ...]


def film_game(seed: int, profile: Profile, colours: Sequence[str], seconds: float) -> FilmedGame:
    """Return a game of these colours, filmed from near a phase; `seconds` is approximate.

    >>> from calibration import load_profile
    >>> game = film_game(1, load_profile("polaris/standard"), ("red", "blue", "yellow"), 60.0)
    >>> {turn.colour for turn in game.turns} <= {"red", "blue", "yellow"}
    True
    """
    return _Author(random.Random(seed), profile, colours).write(seconds)


class _Author:
    def __init__(self, rng: random.Random, profile: Profile, colours: Sequence[str]) -> None:
        self._rng, self._profile = rng, profile
        named = [(colour, colour) for colour in colours]
        sector = rng.choice(list(profile.board.sectors))
        self._state = TURNS.dealt(set_up(named, sector, board=profile.board), rng)
        self._now = 3.0
        first = rng.uniform(0, _FULL_CIRCLE)
        self._seats = {
            colour: (first + _FULL_CIRCLE * number / len(colours)) % _FULL_CIRCLE
            for number, colour in enumerate(colours)
        }
        self._happenings: list[Happening] = []
        self._turns: list[FilmedTurn] = []
        self._broken: list[FilmedBreak] = []
        self._phases: list[tuple[float, int]] = []

    def write(self, seconds: float) -> FilmedGame:
        """Play until a phase is near, and film the turns from there on."""
        rounds = self._rng.randint(0, 2)
        while len(self._state.phases) < rounds or self._state.free_dawn_spaces > 3:
            self._play()
        opening = self._lying
        while self._now < seconds and not self._state.over:
            self._film_turn()
        script = Script((opening,), tuple(self._happenings), self._now + 3)
        colours = tuple(seat.colour for seat in self._state.seats)
        found = tuple(self._turns), tuple(self._broken), tuple(self._phases)
        return FilmedGame(script, colours, *found)

    @property
    def _lying(self) -> dict[Place, str]:
        lying = POLARIS_GAME.pieces_of(self._state.sky)
        return {place: piece for place, piece in lying.items() if place in self._profile.places}

    # turns

    def _play(self) -> list[PlayCard]:
        """Play one legal turn; return the cards played."""
        played: list[PlayCard] = []
        mover = self._state.turn
        phases = len(self._state.phases)
        while self._state.turn == mover and len(self._state.phases) == phases:
            action = self._choose(bool(played))
            if isinstance(action, PlayCard):
                played.append(action)
            self._state = TURNS.dealt(TURNS.after(self._state, action), self._rng)
            if not played or isinstance(action, EndTurn):
                break
        return played

    def _choose(self, goes_on: bool) -> Action:
        legal = TURNS.actions(self._state)
        plays = [action for action in legal if isinstance(action, PlayCard)]
        others = [action for action in legal if not isinstance(action, PlayCard)]
        if plays and (not others or self._rng.random() < (_MORE_CARDS if goes_on else _PLAYED)):
            weights = [1 + 8 * len(_pieces(play)) for play in plays]
            return self._rng.choices(plays, weights)[0]
        return self._rng.choice(others)

    def _film_turn(self) -> None:
        before, phases = self._state, len(self._state.phases)
        colour, begin = before.player.colour, self._now
        played = [places for play in self._play() if (places := _pieces(play))]
        laid = tuple(place.id for places in played for place in places)
        steps = [self._put(place, colour) for places in played for place in self._ordered(places)]
        if steps and self._rng.random() < _BROKEN / 2:
            self._two_sectors(colour, steps, before)
        elif steps:
            self._visit(colour, steps)
        if laid:
            self._turns.append(FilmedTurn(colour, laid, begin, self._now))
        self._now += self._rng.uniform(2, 6)
        if laid and self._rng.random() < _BROKEN:
            self._break(colour)
        if len(self._state.phases) > phases and not self._state.over:
            self._turn_frame(colour)

    def _ordered(self, places: Sequence[Place]) -> list[Place]:
        back = self._rng.random() < _LINK_FIRST
        return list(reversed(places)) if back else list(places)

    def _put(self, place: Place, colour: str) -> HandStep:
        piece = LINK if place.kind == "edge" else colour
        return HandStep(place, "put", piece, dwell=self._rng.uniform(0.25, 0.6))

    def _visit(self, colour: str, steps: Sequence[HandStep]) -> None:
        """Add one hand for all steps, or one for each piece."""
        at_once = self._rng.random() < 0.6
        for part in [steps] if at_once else [[step] for step in steps]:
            visit = Visit(self._now, tuple(part), self._seats[colour])
            self._happenings.append(visit)
            self._now = visit.end + self._rng.uniform(0.3, 1.5)

    def _turn_frame(self, colour: str) -> None:
        sector = self._state.new_moon
        face = HandStep(
            Place(str(sector), "dial"), "turn", NEW_MOON, dwell=self._rng.uniform(*_TURNING)
        )
        if face.place in self._profile.places:
            self._visit(colour, [face])
            self._phases.append((self._now, sector))
            self._now += self._rng.uniform(2, 5)

    # broken rules, each corrected afterwards

    def _break(self, colour: str) -> None:
        ways = [self._moved, self._taken, self._exchanged]
        if NEUTRAL in self._state.sky.stars.values():
            ways.append(self._closed)
        self._rng.choice(ways)(colour)
        self._now += self._rng.uniform(2, 4)

    def _two_sectors(self, colour: str, steps: list[HandStep], before: TableState) -> None:
        """Place one further piece in none of the others' sectors, and take it back."""
        board = self._profile.board
        within = frozenset.intersection(*(_sectors(board, step.place) for step in steps))
        lying = self._lying
        astray = [at for at in self._stars(lying) if not within & _sectors(board, at)]
        if not astray:
            self._visit(colour, steps)
            return
        place, begin = self._rng.choice(astray), self._now
        self._visit(colour, [*steps, self._put(place, colour)])
        self._put_right("two_sectors", place, begin, [HandStep(place, "take")], colour)

    def _moved(self, colour: str) -> None:
        """Move a star to another place."""
        lying = self._lying
        place = self._any(lying, colour)
        there = self._rng.choice(self._stars(lying))
        begin = self._now
        self._visit(colour, [HandStep(place, "take"), self._put(there, lying[place])])
        back = [HandStep(there, "take"), self._put(place, lying[place])]
        self._put_right("taken_away", place, begin, back, colour)

    def _taken(self, colour: str) -> None:
        """Remove a star or a link."""
        lying = self._lying
        place, begin = self._any(lying, self._rng.choice((colour, LINK))), self._now
        self._visit(colour, [HandStep(place, "take")])
        back = [HandStep(place, "put", lying[place])]
        self._put_right("taken_away", place, begin, back, colour)

    def _exchanged(self, colour: str) -> None:
        lying = self._lying
        others = [at for at, piece in lying.items() if piece in {*self._seats} - {colour}]
        if not others:
            self._taken(colour)
            return
        place, begin = self._rng.choice(others), self._now
        self._visit(colour, [self._put(place, colour)])
        back = [HandStep(place, "put", lying[place])]
        self._put_right("taken_away", place, begin, back, colour)

    def _closed(self, colour: str) -> None:
        """Replace a neutral star by a player's."""
        lying = self._lying
        place, begin = self._any(lying, NEUTRAL), self._now
        self._visit(colour, [HandStep(place, "put", colour)])
        back = [HandStep(place, "put", NEUTRAL)]
        self._put_right("closed_space", place, begin, back, colour)

    def _put_right(
        self, kind: str, place: Place, begin: float, steps: Sequence[HandStep], colour: str
    ) -> None:
        self._now += self._rng.uniform(3, 6)
        self._visit(colour, steps)
        self._broken.append(FilmedBreak(kind, place.id, begin, self._now))

    def _any(self, lying: Mapping[Place, str], piece: str) -> Place:
        """Return a place with such a piece; one with any star if there is none."""
        kinds = [at for at, other in lying.items() if other == piece]
        stars = [at for at, other in lying.items() if at.kind == "spot" and other != NEUTRAL]
        return self._rng.choice(kinds or stars)

    def _stars(self, lying: Mapping[Place, str]) -> list[Place]:
        """Return the free star spaces open to everybody."""
        open_spaces = (Place(space) for space in self._profile.board.star_spaces)
        closed = self._profile.board.starred
        return [at for at in open_spaces if at not in lying and at.id not in closed]


def _pieces(play: PlayCard) -> tuple[Place, ...]:
    """Return the places of a card's stars and links."""
    stars = [Place(space) for space in play.stars if space is not None]
    return (*stars, *(Place(link, "edge") for link in play.links if link is not None))


def _sectors(board: SkyBoard, place: Place) -> frozenset[int]:
    of = board.sectors_of_link if place.kind == "edge" else board.sectors_of
    return frozenset(of(place.id))
