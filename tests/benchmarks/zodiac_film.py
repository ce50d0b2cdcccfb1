"""A round of Ptolemaeus and its end, played by hands before a camera: each event told once?

    python -m tests.benchmarks.zodiac_film --seed 1

draws a film of a printed zodiac: hands lay and take the pieces of three players' turns, move the
turn marker, the event's three planets and the comet, and take the pieces that it sweeps. The
camera's reader looks at it, and the table is followed as on the live page. Printed is what was
announced, what of the round was told twice, otherwise or not at all, and what the camera saw
otherwise than it lies. `--end` films the end of the round alone.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from calibration import Profile, load_profile
from models.synthesis.position import region_spots, regions
from scorer.game import Pieces
from scorer.places import Place
from scorer.plain import PlainPosition
from scorer.ptolemaeus.advice import ADVISOR, APPRENTICE
from scorer.ptolemaeus.board import BOARD, study_space
from scorer.ptolemaeus.edition import ECLIPSIS
from scorer.ptolemaeus.state import State, Travel
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.watched import Watched, news
from scorer.ptolemaeus.words import say
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
            scenes = [*turn_scenes(played)]
            scenes += end_scenes(last, scenes[-1].after)
            lying = (at for scene in scenes for at in scene.after if at.kind == "region")
            if all(at.slot < len(spots[at.whole]) for at in lying):
                return played
    raise AssertionError("there are rounds without end")


def turn_scenes(played: Sequence[State]) -> Iterator[Scene]:
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
            yield Scene(pieces, after, (place, place))
            pieces = after
        for piece, place in come:
            at = free_slot(pieces, place.id) if place.kind == "region" else place
            after = {**pieces, at: piece}
            said = [
                str(say("has_studied", colour=colour, planet=planet))
                for colour, planet in studies
                if place.id == study_space(colour, planet)
            ]
            yield Scene(pieces, after, (at, at), tuple(said))
            pieces = after


def end_scenes(state: State, pieces: Pieces) -> Iterator[Scene]:
    """A hand for each body that moves, and one for each piece that is swept."""
    before = pieces = dict(pieces)
    number = state.round
    while state.todo and state.todo[0].kind == "travel":
        action = TURNS.outcomes(state)[0][0]
        assert isinstance(action, Travel)
        start = next(at for at, piece in pieces.items() if piece == action.body)
        end = free_slot(pieces, action.at)
        pieces = {**{at: one for at, one in pieces.items() if at != start}, end: action.body}
        yield Scene(before, pieces, (start, end), (str(TURNS.format_action(action)),))
        before, state = pieces, TURNS.after(state, action)
    colours = {seat.colour for seat in state.seats}
    while gone := [at for at in pieces if at.id == state.comet and pieces[at] in colours]:
        pieces = {at: one for at, one in pieces.items() if at != gone[0]}
        last = not any(at.id == state.comet and pieces[at] in colours for at in pieces)
        done = say("pieces_go_home", at=state.comet), say("round_over", n=number)
        yield Scene(before, pieces, (gone[0], gone[0]), tuple(map(str, done)) * last)
        before = pieces


def free_slot(pieces: Pieces, region: str) -> Place:
    """The first place in a region where nothing lies."""
    return next(at for n in range(20) if (at := Place(region, "region", n)) not in pieces)


def frames(profile: Profile, played: Sequence[Scene], seed: int) -> Iterator[np.ndarray]:
    """The film: each hand reaches in, carries its piece across and leaves."""
    spots = drawn_spots(profile, seed)
    to_photo = homography(np.array(CORNERS), profile.size_mm)
    still = photographed(profile, played[0].before, seed)
    yield from [still] * FIRST
    for scene in played:
        ends = [
            spots[at.whole][at.slot] if at.kind == "region" else profile.places[at].at
            for at in scene.way
        ]
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


def film_events(
    profile: Profile, state: State, played: Sequence[Scene], seed: int
) -> Iterator[tuple[float, str, bool]]:
    """What a followed table announces, and when; the event card has been told.

    And what the camera has seen otherwise when the hand of a scene has left: these are true.
    """
    worker = VisionFrameWorker((PROFILE,), None)
    lying = dict(TURNS.positions(state)[0].pieces)
    table = Watched(replace(state, todo=()), PlainPosition(BOARD, lying), True, state.event)
    pieces: Pieces = {}
    for number, image in enumerate(frames(profile, played, seed)):
        jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        for event in worker.process(jpeg, number / FPS):
            if {"space", "count"} & event.keys():
                pieces = changed_pieces(profile, pieces, event)
        if number < FIRST - 1:  # the table is seen as it lies
            continue
        after = table.moved(PlainPosition(BOARD, pieces))
        for wrong, what in news(table, after):
            yield number / FPS, f"{'WRONG: ' if wrong else ''}{what}", False
        table = after
        scene, frame = divmod(number + 1 - FIRST, REACH + PAUSE)
        if frame == 0:  # the hand has been away for a while
            there = played[scene - 1].after if scene else played[0].before
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
    asked = parser.parse_args()
    profile = load_profile(PROFILE)
    states = round_of(asked.seed, drawn_spots(profile, asked.seed))
    if asked.end:
        states = states[-1:]
    played = list(turn_scenes(states))
    lying = played[-1].after if played else TURNS.positions(states[-1])[0].pieces
    played += end_scenes(states[-1], lying)
    wanted = Counter(what for scene in played for what in scene.tells)
    announced, misseen = Counter[str](), 0
    for when, what, is_misseen in film_events(profile, states[0], played, asked.seed):
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
