"""Films of hands that place and remove pieces on a printed board, drawn or path-traced."""

import argparse
import hashlib
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import cv2
import numpy as np

from calibration import Profile, load_profile
from calibration.artwork import describe_board
from calibration.drawing import rasterise
from models.rendering.phone import Phone
from models.rendering.printed_games import FINE, PRINTERS, PrintedGame, print_tokens
from models.rendering.scene import (
    AreaLight,
    PlacedPiece,
    Prop,
    Scene,
    Sheet,
    TableTop,
    TokenSet,
    Viewpoint,
)
from scorer.places import Place, Point
from scorer.table import Pieces
from tests.games.photographs import CORNERS, photographed
from vision.rectify import homography, transform

if TYPE_CHECKING:  # Blender is there for path-traced films alone
    from models.rendering.blender_scene import Studio

FPS, FIRST, PAUSE, REACH = 3, 30, 12, 4
"""Frames per second, as a laptop processes a phone's; frames before the first hand, between two
hands, and with each hand."""
LIVE_SIZE = (1280, 960)
"""The largest frame that a phone sends, in px."""
SKIN, ARM_PX = (130, 160, 205), 90
TRACED_PX = (800, 600)
"""The size of a path-traced picture before it is enlarged to a frame."""
AROUND_PX = 80
"""The margin around a piece or hand in which a path-traced picture is rendered again, in px."""

Spots = Callable[[Place], Point]
"""Returns the position of a piece on a place, in mm."""


@dataclass(frozen=True)
class Deed:
    """The pieces before and after a hand, which moves from one place to another.

    `tells` are the announcements expected when it has left.
    """

    before: Pieces
    after: Pieces
    way: tuple[Place, Place]
    tells: tuple[str, ...] = ()


def changes(pieces: Pieces, wanted: Pieces) -> Iterator[Deed]:
    """Yield a hand for each piece removed, the last one first, then for each placed."""
    gone, come = list[Place](), list[tuple[str, Place]]()
    for place in dict.fromkeys(at.whole for at in (*pieces, *wanted)):
        was, now = held(pieces, place), held(wanted, place)
        for piece, count in reversed((was - now).items()):
            gone += [at for at in pieces if at.whole == place and pieces[at] == piece][-count:]
        come += [(piece, place) for piece in (now - was).elements()]
    for place in gone:
        after = {at: one for at, one in pieces.items() if at != place}
        yield Deed(pieces, after, (place, place))
        pieces = after
    for piece, place in come:
        at = free_slot(pieces, place.id) if place.kind == "region" else place
        after = {**pieces, at: piece}
        yield Deed(pieces, after, (at, at))
        pieces = after


def held(pieces: Pieces, whole: Place) -> Counter[str]:
    """Return the pieces on a place, or in a region."""
    return Counter(piece for at, piece in pieces.items() if at.whole == whole)


def free_slot(pieces: Pieces, region: str) -> Place:
    """Return the first free slot of a region."""
    return next(at for n in range(20) if (at := Place(region, "region", n)) not in pieces)


class Stage(Protocol):
    """Renders pictures of a board, optionally with a hand `at` a point in mm."""

    @property
    def steps(self) -> int:
        """How many pictures show a hand that moves."""

    @property
    def spots(self) -> Spots:
        """Where places are."""

    def still(self, pieces: Pieces, at: tuple[float, float] | None = None) -> np.ndarray:
        """Return a picture (H, W, 3), uint8 BGR."""

    def jpeg(self, picture: np.ndarray, number: int) -> bytes:
        """Return a frame of the film as JPEG, by number."""


@dataclass
class Drawn:
    """A stage with drawn pictures."""

    profile: Profile
    seed: int
    spots: Spots
    steps: int = REACH
    last: tuple[Pieces, np.ndarray] | None = None

    def still(self, pieces: Pieces, at: tuple[float, float] | None = None) -> np.ndarray:
        """See `Stage`."""
        if self.last is None or self.last[0] != pieces:
            self.last = pieces, photographed(self.profile, pieces, self.seed, self.spots)
        picture = self.last[1].copy()
        if at is not None:
            to_photo = homography(np.array(CORNERS), self.profile.size_mm)
            x, y = transform(to_photo, np.array([at]))[0].round().astype(int).tolist()
            cv2.line(picture, (x, y), (x + 250, 1400), SKIN, ARM_PX, cv2.LINE_AA)
            cv2.circle(picture, (x, y), ARM_PX * 2 // 3, SKIN, -1, cv2.LINE_AA)
        return picture

    def jpeg(self, picture: np.ndarray, number: int) -> bytes:
        """See `Stage`."""
        sent = cv2.resize(picture, LIVE_SIZE, interpolation=cv2.INTER_AREA)
        return cv2.imencode(".jpg", sent, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


@dataclass
class Traced:
    """A stage with path-traced pictures, cached in `folder` so that a film can be resumed."""

    game: PrintedGame
    seed: int
    folder: Path
    kit: str
    played: Sequence[Deed]
    spots: Spots
    steps: int = 2
    last: tuple[Pieces, np.ndarray] | None = None

    @cached_property
    def profile(self) -> Profile:
        return load_profile(self.game.profile)

    @cached_property
    def tokens(self) -> TokenSet:
        """The printed pieces of the kit."""
        return print_tokens(self.game, self.kit, PRINTERS[0], self.seed, self.folder)

    @cached_property
    def sheet(self) -> Sheet:
        """The printed board with slightly raised sides."""
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
        larger = cv2.resize(picture, LIVE_SIZE, interpolation=cv2.INTER_CUBIC)
        return np.asarray(larger, np.uint8)

    def _picture(self, pieces: Pieces, at: tuple[float, float] | None) -> np.ndarray:
        """Return a cached picture, or re-render the changed parts of the last still one."""
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
                inner = np.s_[top + 1 : bottom - 1, left + 1 : right - 1]  # its rim is black
                picture[inner] = part[inner]
            cv2.imwrite(str(path), picture)
        kept = cv2.imread(str(path))
        assert kept is not None
        return np.asarray(kept, np.uint8)

    @cached_property
    def studio(self) -> "Studio":
        """The scene with all pieces of the film, and an arm."""
        from models.rendering.blender_scene import build

        return build(self._scene(), bounces=0)

    def _lies(self, place: Place, piece: str) -> PlacedPiece:
        turn = random.Random(f"{place} {piece}").uniform(0, 360)
        return PlacedPiece(piece, self.lies_at(place), turn)

    def lies_at(self, place: Place) -> tuple[float, float]:
        """Return a piece's position in mm, with jitter."""
        luck = random.Random(f"{self.seed} {place}")
        x, y = self.spots(place)
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


def frames(stage: Stage, played: Sequence[Deed]) -> Iterator[np.ndarray]:
    """Yield the frames of the film: each hand reaches in, carries its piece and leaves."""
    still = stage.still(played[0].before)
    yield from [still] * FIRST
    for deed in played:
        start, end = map(stage.spots, deed.way)
        for step in range(stage.steps):
            share = min(1.0, step / max(1, stage.steps - 2)) if stage.steps > 2 else float(step)
            at = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
            late = 2 * step >= stage.steps or start == end  # else it has not released it yet
            picture = stage.still(deed.after if late else deed.before, at)
            yield from [picture] * (REACH // stage.steps)
        still = stage.still(deed.after)
        yield from [still] * PAUSE


def parser_of(description: str, kits: Collection[str], kit: str) -> argparse.ArgumentParser:
    """Return the arguments common to all films."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--traced", type=Path, help="where path-traced frames are kept")
    parser.add_argument("--kit", choices=sorted(kits), default=kit)
    return parser


def stage_of(
    asked: argparse.Namespace, game: PrintedGame, played: Sequence[Deed], spots: Spots
) -> Stage:
    """Return the requested stage, drawn or path-traced."""
    if asked.traced:
        return Traced(game, asked.seed, asked.traced, asked.kit, played, spots)
    return Drawn(load_profile(game.profile), asked.seed, spots)


def seen_otherwise(
    number: int, played: Sequence[Deed], pieces: Pieces, shown: Callable[[str], str] = str
) -> Iterator[str]:
    """Yield the places seen differently from the truth, at the last frame before each hand.

    `shown` returns the name by which a piece is compared.
    """
    deed, frame = divmod(number + 1 - FIRST, REACH + PAUSE)
    if number + 1 < FIRST or frame:
        return
    there = played[deed - 1].after if deed else played[0].before
    for place in dict.fromkeys(at.whole for at in (*there, *pieces)):
        was, seen = (Counter(map(shown, held(own, place).elements())) for own in (there, pieces))
        if was != seen:
            yield f"{place}: {dict(was)} seen as {dict(seen)}"


Event = TypeVar("Event")


def compare(wanted: Counter[Event], events: Iterable[tuple[float, Event | None, str]]) -> None:
    """Print what was announced once, and what a different number of times.

    `events` are times in s with an announcement, or with None and a place seen differently.
    """
    announced, misseen = Counter[Event](), 0
    for when, what, otherwise in events:
        print(f"{when:6.1f} s  {otherwise or what}", flush=True)
        misseen += what is None
        announced.update([] if what is None else [what])
    for what, times in wanted.items():
        if announced[what] != times:
            print(f"NOT {times} times, but {announced[what]}: {what}")
    print(
        f"{(announced & wanted).total()} of {wanted.total()} told once;"
        f" {misseen} times a place was seen otherwise after a hand"
    )
    print("besides: ", end="")
    print("; ".join(f"{n} times {what}" for what, n in (announced - wanted).items()) or "nothing")
