"""A round of Ptolemaeus and its end, played by hands before a camera: each event told once?

    python -m tests.benchmarks.zodiac_film --seed 1

draws a film of a printed zodiac: hands lay and take the pieces of three players' turns, move the
turn marker, the event's three planets and the comet, and take the pieces that it sweeps. The
camera's reader looks at it, and the table is followed as on the live page. Printed is what was
announced, what of the round was told twice, otherwise or not at all, and what the camera saw
otherwise than it lies. `--end` films the end of the round alone, `--eclipsis` the sweep of that
card; `--traced DIR` path-traces the frames, which are kept there, of a `--kit` with solids (see
`models/rendering/README.md`).
"""

import argparse
import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from calibration import Profile, load_profile
from calibration.artwork import describe_board
from calibration.drawing import rasterise
from models.ptolemaeus.rendering.measuring_set import KITS, ZODIAC
from models.rendering.phone import Phone
from models.rendering.printed_games import FINE, PRINTERS, print_tokens
from models.rendering.scene import (
    AreaLight,
    LyingPiece,
    Prop,
    Scene,
    Sheet,
    TableTop,
    TokenSet,
    Viewpoint,
)
from models.synthesis.position import region_spots, regions
from scorer.game import Pieces
from scorer.places import Place
from scorer.plain import PlainPosition
from scorer.ptolemaeus.advice import ADVISOR, APPRENTICE
from scorer.ptolemaeus.board import BOARD, study_space
from scorer.ptolemaeus.edition import ECLIPSIS
from scorer.ptolemaeus.edition import ZODIAC as ZODIAC_PLACES
from scorer.ptolemaeus.state import State, Travel
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.watched import Watched, news
from scorer.ptolemaeus.words import say
from tests.games.photographs import CORNERS, photographed
from vision.rectify import homography, transform
from webapp.app.live.reducer import changed_pieces
from webapp.app.live.vision_worker import VisionFrameWorker

if TYPE_CHECKING:  # Blender is there for path-traced films alone
    from models.rendering.blender_scene import Studio

PROFILE = "ptolemaeus/standard"
FPS, FIRST, PAUSE, REACH = 4, 40, 16, 6
"""Frames a second; those before the first hand, between two, and those that each one is there."""
SKIN, ARM_PX = (130, 160, 205), 90
TRACED_PX, TRACED_SIZE = (800, 600), (1280, 960)
"""Of a path-traced picture, and of the frame that is made of it."""
AROUND_PX = 80
"""How far about a piece or a hand a path-traced picture is rendered anew."""


@dataclass(frozen=True)
class Deed:
    """What lies there before and after a hand, which goes from one place to another.

    `tells` is what is announced when it has left, if anything.
    """

    before: Pieces
    after: Pieces
    way: tuple[Place, Place]
    tells: tuple[str, ...] = ()


def rounds(seed: int) -> Iterator[tuple[State, Sequence[State]]]:
    """Random tables of three: the states of a round, and the last one, whose bodies are to move."""
    luck = random.Random(seed)
    while True:
        state = TURNS.dealt(TURNS.start({"players": 3}), luck)
        played = [state]
        while TURNS.actions(state):
            state = TURNS.after(state, ADVISOR.choose(state, APPRENTICE).action)
            played.append(state)
            if state.todo and state.todo[0].kind == "travel":
                yield played[0], played
                played = []
            state = TURNS.dealt(state, luck)
            played.append(state)


Spots = Mapping[Place, Sequence[tuple[float, float]]]


def drawn_spots(profile: Profile, seed: int) -> Spots:
    """Where `photographed` draws the pieces of each region, in mm."""
    rng = np.random.default_rng([seed, 1])
    return {region: region_spots(rng, profile, region) for region in regions(profile)}


def round_of(seed: int, spots: Spots) -> Sequence[State]:
    """A round in which a planet is studied, whose comet sweeps pieces, and that can be drawn."""
    for first, played in rounds(seed):
        *_, last = played
        comet = last
        while comet.todo and comet.todo[0].kind == "travel" and not comet.over:
            comet = TURNS.after(comet, TURNS.outcomes(comet)[0][0])
        studied = [
            (own.studied, now.studied)
            for own, now in zip(first.seats, last.seats, strict=True)
            if own.studied != now.studied
        ]
        sweeps = any(seat.on(comet.comet) for seat in last.seats)
        if not comet.over and studied and sweeps and last.event != ECLIPSIS:
            deeds = [*turn_deeds(played)]
            deeds += end_deeds(last, deeds[-1].after)
            lying = (at for deed in deeds for at in deed.after if at.kind == "region")
            if all(at.slot < len(spots[at.whole]) for at in lying):
                return played
    raise AssertionError("there are rounds without end")


def turn_deeds(played: Sequence[State]) -> Iterator[Deed]:
    """A hand for each piece that is laid, moved or taken while the players act."""
    pieces = dict(TURNS.positions(played[0])[0].pieces)
    for before, state in pairwise(played):
        wanted = TURNS.positions(state)[0].pieces
        gone, come = list[Place](), list[tuple[str, Place]]()
        for place in dict.fromkeys(at.whole for at in (*pieces, *wanted)):
            was = Counter(piece for at, piece in pieces.items() if at.whole == place)
            now = Counter(piece for at, piece in wanted.items() if at.whole == place)
            for piece, count in (was - now).items():
                gone += [at for at in pieces if at.whole == place and pieces[at] == piece][:count]
            come += [(piece, place) for piece in (now - was).elements()]
        studies = [
            (seat.colour, planet)
            for old, seat in zip(before.seats, state.seats, strict=True)
            for planet in seat.studied
            if planet not in old.studied
        ]
        for place in gone:
            after = {at: one for at, one in pieces.items() if at != place}
            yield Deed(pieces, after, (place, place))
            pieces = after
        for piece, place in come:
            at = free_slot(pieces, place.id) if place.kind == "region" else place
            after = {**pieces, at: piece}
            said = [
                str(say("has_studied", colour=colour, planet=planet))
                for colour, planet in studies
                if place.id == study_space(colour, planet)
            ]
            yield Deed(pieces, after, (at, at), tuple(said))
            pieces = after


def end_deeds(state: State, pieces: Pieces) -> Iterator[Deed]:
    """A hand for each body that moves, and one for each piece that is swept."""
    before = pieces = dict(pieces)
    number = state.round
    while state.todo and state.todo[0].kind == "travel":
        action = TURNS.outcomes(state)[0][0]
        assert isinstance(action, Travel)
        start = next(at for at, piece in pieces.items() if piece == action.body)
        end = free_slot(pieces, action.at)
        pieces = {**{at: one for at, one in pieces.items() if at != start}, end: action.body}
        yield Deed(before, pieces, (start, end), (str(TURNS.format_action(action)),))
        before, state = pieces, TURNS.after(state, action)
    colours = {seat.colour for seat in state.seats}
    while gone := [at for at in pieces if at.id == state.comet and pieces[at] in colours]:
        pieces = {at: one for at, one in pieces.items() if at != gone[0]}
        last = not any(at.id == state.comet and pieces[at] in colours for at in pieces)
        done = say("pieces_go_home", at=state.comet), say("round_over", n=number)
        yield Deed(before, pieces, (gone[0], gone[0]), tuple(map(str, done)) * last)
        before = pieces


def free_slot(pieces: Pieces, region: str) -> Place:
    """The first place in a region where nothing lies."""
    return next(at for n in range(20) if (at := Place(region, "region", n)) not in pieces)


def eclipsis_deeds(state: State, pieces: Pieces) -> Iterator[Deed]:
    """A hand for each piece that lies without a planet (T65)."""
    colours = {seat.colour for seat in state.seats}
    swept = [at for at in ZODIAC_PLACES if at not in state.planets]
    for place in swept:
        gone = [at for at, piece in pieces.items() if at.id == place and piece in colours]
        for left, at in reversed([*enumerate(gone)]):
            after = {other: one for other, one in pieces.items() if other != at}
            tells = () if left else (str(say("pieces_go_home", at=place)),)
            yield Deed(pieces, after, (at, at), tells)
            pieces = after


def before_eclipsis(seed: int, spots: Spots) -> State:
    """A state that can be drawn, in which Eclipsis sweeps two constellations and more stay."""
    for _first, played in rounds(seed):
        state = played[-1]
        lying = [at for at in TURNS.positions(state)[0].pieces if at.kind == "region"]
        held = {at for seat in state.seats for at in ZODIAC_PLACES if seat.on(at)}
        swept = held - {*state.planets}
        fits = all(at.slot < len(spots[at.whole]) for at in lying)
        if len(swept) > 1 and held - swept and fits:
            return replace(state, event=ECLIPSIS)
    raise AssertionError("there are rounds without end")


class Stage(Protocol):
    """What makes pictures of a board: as it lies, or with a hand `at` a point of it, in mm.

    A hand that goes somewhere is seen in so many `steps`.
    """

    steps: int

    def still(self, pieces: Pieces, at: tuple[float, float] | None = None) -> np.ndarray:
        """(H, W, 3) uint8 BGR."""

    def jpeg(self, picture: np.ndarray, number: int) -> bytes:
        """A frame of the film, by its number."""


@dataclass
class Drawn:
    """Drawn pictures."""

    profile: Profile
    seed: int
    steps: int = REACH
    last: tuple[Pieces, np.ndarray] | None = None

    def still(self, pieces: Pieces, at: tuple[float, float] | None = None) -> np.ndarray:
        """See `Stage`."""
        if self.last is None or self.last[0] != pieces:
            self.last = pieces, photographed(self.profile, pieces, self.seed)
        picture = self.last[1].copy()
        if at is not None:
            to_photo = homography(np.array(CORNERS), self.profile.size_mm)
            x, y = transform(to_photo, np.array([at]))[0].round().astype(int).tolist()
            cv2.line(picture, (x, y), (x + 250, 1400), SKIN, ARM_PX, cv2.LINE_AA)
            cv2.circle(picture, (x, y), ARM_PX * 2 // 3, SKIN, -1, cv2.LINE_AA)
        return picture

    def jpeg(self, picture: np.ndarray, number: int) -> bytes:
        """See `Stage`."""
        return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


@dataclass
class Traced:
    """Path-traced pictures, kept in a `folder`: a film that was stopped goes on where it was."""

    profile: Profile
    seed: int
    folder: Path
    kit: str
    played: Sequence[Deed]
    spots: Spots
    steps: int = 2
    last: tuple[Pieces, np.ndarray] | None = None

    @cached_property
    def tokens(self) -> TokenSet:
        """The kit's pieces, printed."""
        return print_tokens(ZODIAC, self.kit, PRINTERS[0], self.seed, self.folder)

    @cached_property
    def sheet(self) -> Sheet:
        """The printed board, its sides a little up."""
        path = self.folder / "board.png"
        drawn = rasterise(describe_board(self.profile.layout), FINE)
        cv2.imwrite(str(path), PRINTERS[0].put(drawn, FINE, seed=self.seed))
        return Sheet(path, self.profile.size_mm, bend=(1.0, 1.5))

    def still(self, pieces: Pieces, at: tuple[float, float] | None = None) -> np.ndarray:
        """See `Stage`."""
        if at is None:
            self.last = pieces, self._picture(pieces, None)
            picture = self.last[1]
        else:
            picture = self._picture(pieces, at)
        larger = cv2.resize(picture, TRACED_SIZE, interpolation=cv2.INTER_CUBIC)
        return np.asarray(larger, np.uint8)

    def _picture(self, pieces: Pieces, at: tuple[float, float] | None) -> np.ndarray:
        """As it is kept, or that of the last board that lay still with what has changed in it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lies = sorted((str(place), piece) for place, piece in pieces.items())
        key = hashlib.sha256(repr((self.kit, self.seed, lies, at)).encode()).hexdigest()[:20]
        path = self.folder / f"{key}.png"
        if not path.exists():
            studio = self.studio
            studio.show([self._lies(*one) for one in pieces.items()], [at])
            if self.last is None:
                picture = studio.photograph(2)
            else:
                was, picture = self.last[0], self.last[1].copy()
                changed = [p for p in {*was, *pieces} if was.get(p) != pieces.get(p)]
                seen = [studio.pixel(self.lies_at(place)) for place in changed]
                seen += [studio.pixel(at), TRACED_PX] if at else []
                low, high = np.min(seen, axis=0) - AROUND_PX, np.max(seen, axis=0) + AROUND_PX
                left, top = np.maximum(low, 0).astype(int).tolist()
                right, bottom = np.minimum(high, TRACED_PX).astype(int).tolist()
                part = studio.photograph(2, (left, top, right, bottom))
                picture[top:bottom, left:right] = part[top:bottom, left:right]
            cv2.imwrite(str(path), picture)
        kept = cv2.imread(str(path))
        assert kept is not None
        return np.asarray(kept, np.uint8)

    @cached_property
    def studio(self) -> "Studio":
        """The scene with every piece that the film shows, and an arm."""
        from models.rendering.blender_scene import build

        return build(self._scene(), bounces=0)

    def _lies(self, place: Place, piece: str) -> LyingPiece:
        turn = random.Random(f"{place} {piece}").uniform(0, 360)
        return LyingPiece(piece, self.lies_at(place), turn)

    def lies_at(self, place: Place) -> tuple[float, float]:
        """Where a piece lies in mm."""
        luck = random.Random(f"{self.seed} {place}")
        is_region = place.kind == "region"
        x, y = (
            self.spots[place.whole][place.slot]
            if is_region
            else self.profile.places[place.whole].at
        )
        return x + luck.gauss(0, 0.5), y + luck.gauss(0, 0.5)

    def jpeg(self, picture: np.ndarray, number: int) -> bytes:
        """See `Stage`."""
        return Phone(warmth=0.03, vignette=0.15, soft=0.4, noise=2.0).develop(picture, number)

    def _scene(self) -> Scene:
        lying = dict.fromkeys(
            self._lies(*one)
            for deed in self.played
            for pieces in (deed.before, deed.after)
            for one in pieces.items()
        )
        width, height = self.profile.size_mm
        return Scene(
            self.sheet,
            tuple(lying),
            self.tokens,
            TableTop("wood", "#8f6a44", "#c9a577", 30),
            (
                AreaLight((-350, -250), 750, 120, 0.9, "#fff1df"),
                AreaLight((700, 500), 900, 600, 0.4),
            ),
            Viewpoint((width / 2, height / 2), 6, 68, 690, focal=42, aperture=0.6),
            (Prop("arm", (0, 0), -60, "#c58c6a"),),
            sky_power=0.3,
            exposure=2.2,
            size=TRACED_PX,
        )


def frames(stage: Stage, played: Sequence[Deed], spots: Spots) -> Iterator[np.ndarray]:
    """The film: each hand reaches in, carries its piece across and leaves."""
    profile = load_profile(PROFILE)
    still = stage.still(played[0].before)
    yield from [still] * FIRST
    for deed in played:
        start, end = (
            spots[at.whole][at.slot] if at.kind == "region" else profile.places[at].at
            for at in deed.way
        )
        for step in range(stage.steps):
            share = min(1.0, step / max(1, stage.steps - 2)) if stage.steps > 2 else float(step)
            at = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
            late = 2 * step >= stage.steps or start == end  # else it has not let go yet
            picture = stage.still(deed.after if late else deed.before, at)
            yield from [picture] * (REACH // stage.steps)
        still = stage.still(deed.after)
        yield from [still] * PAUSE


def film_events(
    stage: Stage, state: State, played: Sequence[Deed], spots: Spots
) -> Iterator[tuple[float, str, bool]]:
    """What a followed table announces, and when; the event card has been told.

    And what the camera has seen otherwise when the hand of a deed has left: these are true.
    """
    profile, worker = load_profile(PROFILE), VisionFrameWorker((PROFILE,), None)
    lying = dict(TURNS.positions(state)[0].pieces)
    table = Watched(replace(state, todo=()), PlainPosition(BOARD, lying), True, state.event)
    pieces: Pieces = {}
    for number, image in enumerate(frames(stage, played, spots)):
        for event in worker.process(stage.jpeg(image, number), number / FPS):
            if {"space", "count"} & event.keys():
                pieces = changed_pieces(profile, pieces, event)
        if number < FIRST - 1:  # the table is seen as it lies
            continue
        after = table.moved(PlainPosition(BOARD, pieces))
        for wrong, what in news(table, after):
            yield number / FPS, f"{'WRONG: ' if wrong else ''}{what}", False
        table = after
        deed, frame = divmod(number + 1 - FIRST, REACH + PAUSE)
        if frame == 0:  # the hand has been away for a while
            there = played[deed - 1].after if deed else played[0].before
            for place in dict.fromkeys(at.whole for at in (*there, *pieces)):
                was, seen = (_held(own, place) for own in (there, pieces))
                if was != seen:
                    yield number / FPS, f"{place}: {dict(was)} seen as {dict(seen)}", True


def _held(pieces: Pieces, whole: Place) -> Counter[str]:
    return Counter(piece for at, piece in pieces.items() if at.whole == whole)


def main() -> None:
    """Play the film and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--end", action="store_true", help="film the end of the round alone")
    parser.add_argument("--eclipsis", action="store_true", help="film the sweep of Eclipsis")
    parser.add_argument("--traced", type=Path, help="where path-traced frames are kept")
    parser.add_argument("--kit", choices=sorted({*KITS}), default="solids")
    asked = parser.parse_args()
    profile = load_profile(PROFILE)
    spots = drawn_spots(profile, asked.seed)
    if asked.eclipsis:
        states: Sequence[State] = [before_eclipsis(asked.seed, spots)]
        played = list(eclipsis_deeds(states[0], TURNS.positions(states[0])[0].pieces))
    else:
        states = round_of(asked.seed, spots)[-1 if asked.end else 0 :]
        played = list(turn_deeds(states))
        lying = played[-1].after if played else TURNS.positions(states[-1])[0].pieces
        played += end_deeds(states[-1], lying)
    stage: Stage = Drawn(profile, asked.seed)
    if asked.traced:
        stage = Traced(profile, asked.seed, asked.traced, asked.kit, played, spots)
    wanted = Counter(what for deed in played for what in deed.tells)
    announced, misseen = Counter[str](), 0
    for when, what, is_misseen in film_events(stage, states[0], played, spots):
        print(f"{when:6.1f} s  {'  ' * is_misseen}{what}", flush=True)
        misseen += is_misseen
        announced.update([] if is_misseen else [what])
    for what, times in wanted.items():
        if announced[what] != times:
            print(f"NOT {times} times, but {announced[what]}: {what}")
    others = announced - wanted
    right = (announced & wanted).total()
    print(
        f"{len(played)} hands; {right} of {wanted.total()} events told once;"
        f" {misseen} times a place was seen otherwise after a hand"
    )
    print("besides: ", end="")
    print("; ".join(f"{n} times {what}" for what, n in others.items()) or "nothing")


if __name__ == "__main__":
    main()
