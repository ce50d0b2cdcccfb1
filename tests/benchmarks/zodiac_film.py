"""The end of a round of Ptolemaeus, played by hands before a camera: each event told once?

    python -m tests.benchmarks.zodiac_film --seed 1

draws a film of a printed zodiac: hands move the event's three planets and the comet, and take the
pieces that it sweeps. The camera's reader looks at it, and the table is followed as on the live
page. Told is what was announced, and what of the round was told twice, otherwise or not at all.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import Profile, load_profile
from models.synthesis.position import region_spots, regions
from scorer.game import Pieces
from scorer.places import Place
from scorer.plain import PlainPosition
from scorer.ptolemaeus.board import BOARD
from scorer.ptolemaeus.edition import ECLIPSIS
from scorer.ptolemaeus.state import State, Travel
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.watched import Watched, news
from tests.games.photographs import CORNERS, photographed
from vision.rectify import homography, transform
from webapp.app.live.reducer import changed_pieces
from webapp.app.live.vision_worker import VisionFrameWorker

PROFILE = "ptolemaeus/standard"
FPS, FIRST, PAUSE, REACH = 4, 40, 16, 6
"""Frames a second; those before the first hand, between two, and those that each one is there."""
SKIN, ARM_PX = (130, 160, 205), 90


@dataclass(frozen=True)
class Scene:
    """What lies there before and after a hand, which goes from one place to another."""

    before: Pieces
    after: Pieces
    way: tuple[Place, Place]
    tells: str


def end_of_round(seed: int) -> State:
    """A table of three at the end of a round that sweeps pieces: the bodies are to be moved."""
    luck = random.Random(seed)
    while True:
        state = TURNS.dealt(TURNS.start({"players": 3}), luck)
        while actions := TURNS.actions(state):
            after = TURNS.after(state, luck.choice(actions))
            if after.todo and after.todo[0].kind == "travel":
                comet = replace(after, todo=after.todo)
                while comet.todo and comet.todo[0].kind == "travel" and not comet.over:
                    comet = TURNS.after(comet, TURNS.outcomes(comet)[0][0])
                if not comet.over and any(seat.on(comet.comet) for seat in after.seats):
                    return after
            state = TURNS.dealt(after, luck)


def scenes(state: State) -> Iterator[Scene]:
    """A hand for each body that moves, and one for each piece that is swept."""
    pieces = dict(TURNS.positions(state)[0].pieces)
    before = dict(pieces)
    while state.todo and state.todo[0].kind == "travel":
        action = TURNS.outcomes(state)[0][0]
        assert isinstance(action, Travel)
        start = next(at for at, piece in pieces.items() if piece == action.body)
        end = free_slot(pieces, action.at)
        pieces = {**{at: one for at, one in pieces.items() if at != start}, end: action.body}
        yield Scene(before, pieces, (start, end), str(TURNS.format_action(action)))
        before, state = pieces, TURNS.after(state, action)
    colours = {seat.colour for seat in state.seats}
    while gone := [at for at in pieces if at.id == state.comet and pieces[at] in colours]:
        pieces = {at: one for at, one in pieces.items() if at != gone[0]}
        yield Scene(before, pieces, (gone[0], gone[0]), "")
        before = pieces


def free_slot(pieces: Pieces, region: str) -> Place:
    """The first place in a region where nothing lies."""
    return next(at for n in range(20) if (at := Place(region, "region", n)) not in pieces)


def frames(profile: Profile, played: Sequence[Scene], seed: int) -> Iterator[np.ndarray]:
    """The film: each hand reaches in, carries its piece across and leaves."""
    rng = np.random.default_rng([seed, 1])  # as `photographed` draws them
    spots = {region: region_spots(rng, profile, region) for region in regions(profile)}
    to_photo = homography(np.array(CORNERS), profile.size_mm)
    still = photographed(profile, played[0].before, seed)
    yield from [still] * FIRST
    for scene in played:
        ends = [spots[at.whole][at.slot] for at in scene.way]
        start, end = transform(to_photo, np.array(ends))
        after = photographed(profile, scene.after, seed)
        for frame in range(REACH):
            share = min(1.0, frame / (REACH - 2))
            picture = (still if frame < REACH // 2 else after).copy()
            at = (start + share * (end - start)).round().astype(int).tolist()
            cv2.line(picture, at, (at[0] + 250, 1400), SKIN, ARM_PX, cv2.LINE_AA)
            cv2.circle(picture, at, ARM_PX * 2 // 3, SKIN, -1, cv2.LINE_AA)
            yield picture
        still = after
        yield from [still] * PAUSE


def told(profile: Profile, state: State, film: Iterator[np.ndarray]) -> Iterator[tuple[float, str]]:
    """What a followed table announces, and when; the event card has been told."""
    worker = VisionFrameWorker((PROFILE,), None)
    lying = dict(TURNS.positions(state)[0].pieces)
    table = Watched(replace(state, todo=()), PlainPosition(BOARD, lying), True, state.event)
    pieces: Pieces = {}
    for number, image in enumerate(film):
        jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        for event in worker.process(jpeg, number / FPS):
            if {"space", "count"} & event.keys():
                pieces = changed_pieces(profile, pieces, event)
        if number < FIRST - 1:  # the table is seen as it lies
            continue
        after = table.moved(PlainPosition(BOARD, pieces))
        for wrong, what in news(table, after):
            yield number / FPS, f"{'WRONG: ' if wrong else ''}{what}"
        table = after


def main() -> None:
    """Play the film and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    profile, state = load_profile(PROFILE), end_of_round(asked.seed)
    assert state.event != ECLIPSIS, "a round has planets that move"
    played = list(scenes(state))
    wanted = Counter(scene.tells for scene in played if scene.tells)
    heard = Counter[str]()
    for when, what in told(profile, state, frames(profile, played, asked.seed)):
        print(f"{when:6.1f} s  {what}", flush=True)
        heard[what] += 1
    for what, times in wanted.items():
        if heard[what] != times:
            print(f"NOT told once, but {heard[what]} times: {what}")
    others = heard - wanted
    print(f"{len(played)} hands; {sum((heard & wanted).values())} of {wanted.total()} moves told;")
    print("besides: " + ("; ".join(f"{n} times {what}" for what, n in others.items()) or "nothing"))


if __name__ == "__main__":
    main()
