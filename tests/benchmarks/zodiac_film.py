"""A round of Ptolemaeus and its end, played by hands before a camera: events reported once?

    python -m tests.benchmarks.zodiac_film --seed 1

Draws a film of a printed zodiac: hands place and remove the pieces of three players' turns, move
the turn marker, the event's three planets and the comet, and remove the pieces that it sweeps. The
camera's reader watches it, and the table is followed as on the live page. Prints what was
announced, what of the round was announced a different number of times or not at all, and what the
camera saw differently. `--end` films only the end of the round, `--eclipsis` the sweep of that
card; `--traced DIR` path-traces the frames, which are cached there, with a `--kit` of solids (see
`models/rendering/README.md`).
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from calibration import load_profile
from models.ptolemaeus.rendering.measuring_set import KITS, ZODIAC
from scorer.plain import PlainPosition
from scorer.ptolemaeus.advice import ADVISOR, APPRENTICE
from scorer.ptolemaeus.board import BOARD, study_space
from scorer.ptolemaeus.edition import ECLIPSIS
from scorer.ptolemaeus.edition import ZODIAC as ZODIAC_PLACES
from scorer.ptolemaeus.state import State, Travel
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.watched import Watched, news
from scorer.ptolemaeus.words import say
from scorer.table import Pieces
from tests.benchmarks.hands_film import (
    FIRST,
    FPS,
    Deed,
    Stage,
    changes,
    compare,
    frames,
    free_slot,
    parser_of,
    seen_otherwise,
    stage_of,
)
from tests.games.photographs import Slots, random_slots, spots_of
from webapp.app.live.entry import changes_a_board
from webapp.app.live.reducer import changed_pieces
from webapp.app.live.vision_worker import VisionFrameWorker


def rounds(seed: int) -> Iterator[tuple[State, Sequence[State]]]:
    """Yield the states of each round of random games of three, up to when bodies move."""
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


def round_of(seed: int, slots: Slots) -> Sequence[State]:
    """Return a drawable round with a studied planet and a comet that sweeps pieces."""
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
            if all(at.slot < len(slots[at.whole]) for at in lying):
                return played
    raise AssertionError("there are rounds without end")


def turn_deeds(played: Sequence[State]) -> Iterator[Deed]:
    """Yield a hand for each piece placed, moved or removed during the players' turns."""
    pieces: Pieces = dict(TURNS.positions(played[0])[0].pieces)
    for before, state in pairwise(played):
        studied = {
            study_space(seat.colour, planet): str(
                say("has_studied", colour=seat.colour, planet=planet)
            )
            for old, seat in zip(before.seats, state.seats, strict=True)
            for planet in seat.studied
            if planet not in old.studied
        }
        for deed in changes(pieces, TURNS.positions(state)[0].pieces):
            at = deed.way[1]
            is_laid = at in deed.after
            yield replace(deed, tells=(studied[at.id],)) if is_laid and at.id in studied else deed
            pieces = deed.after


def end_deeds(state: State, pieces: Pieces) -> Iterator[Deed]:
    """Yield a hand for each body that moves, and for each piece that is swept."""
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


def eclipsis_deeds(state: State, pieces: Pieces) -> Iterator[Deed]:
    """Yield a hand for each piece without a planet (T65)."""
    colours = {seat.colour for seat in state.seats}
    swept = [at for at in ZODIAC_PLACES if at not in state.planets]
    for place in swept:
        gone = [at for at, piece in pieces.items() if at.id == place and piece in colours]
        for left, at in reversed([*enumerate(gone)]):
            after = {other: one for other, one in pieces.items() if other != at}
            tells = () if left else (str(say("pieces_go_home", at=place)),)
            yield Deed(pieces, after, (at, at), tells)
            pieces = after


def before_eclipsis(seed: int, slots: Slots) -> State:
    """Return a drawable state in which Eclipsis sweeps several constellations, but not all."""
    for _first, played in rounds(seed):
        state = played[-1]
        lying = [at for at in TURNS.positions(state)[0].pieces if at.kind == "region"]
        held = {at for seat in state.seats for at in ZODIAC_PLACES if seat.on(at)}
        swept = held - {*state.planets}
        fits = all(at.slot < len(slots[at.whole]) for at in lying)
        if len(swept) > 1 and held - swept and fits:
            return replace(state, event=ECLIPSIS)
    raise AssertionError("there are rounds without end")


def film_events(
    stage: Stage, state: State, played: Sequence[Deed]
) -> Iterator[tuple[float, str | None, str]]:
    """Yield the announcements of a followed table with their times.

    And in words what the camera has seen differently after each hand. The event card is known.
    """
    profile, worker = load_profile(ZODIAC.profile), VisionFrameWorker((ZODIAC.profile,), None)
    lying = dict(TURNS.positions(state)[0].pieces)
    table = Watched(replace(state, todo=()), PlainPosition(BOARD, lying), True, state.event)
    pieces: Pieces = {}
    for number, image in enumerate(frames(stage, played)):
        for event in worker.process(stage.jpeg(image, number), number / FPS):
            if changes_a_board(event):
                pieces = changed_pieces(profile, pieces, event)
        if number < FIRST - 1:  # until all initial pieces have been seen
            continue
        after = table.moved(PlainPosition(BOARD, pieces))
        for wrong, what in news(table, after):
            yield number / FPS, f"{'WRONG: ' if wrong else ''}{what}", ""
        table = after
        for otherwise in seen_otherwise(number, played, pieces):
            yield number / FPS, None, otherwise


def main() -> None:
    """Play the film and compare."""
    parser = parser_of(__doc__.splitlines()[0], KITS, "solids")
    parser.add_argument("--end", action="store_true", help="film the end of the round alone")
    parser.add_argument("--eclipsis", action="store_true", help="film the sweep of Eclipsis")
    asked = parser.parse_args()
    profile = load_profile(ZODIAC.profile)
    slots = random_slots(profile, asked.seed)
    if asked.eclipsis:
        states: Sequence[State] = [before_eclipsis(asked.seed, slots)]
        played = list(eclipsis_deeds(states[0], TURNS.positions(states[0])[0].pieces))
    else:
        states = round_of(asked.seed, slots)[-1 if asked.end else 0 :]
        played = list(turn_deeds(states))
        lying = played[-1].after if played else TURNS.positions(states[-1])[0].pieces
        played += end_deeds(states[-1], lying)
    stage = stage_of(asked, ZODIAC, played, spots_of(profile, slots))
    print(f"{len(played)} hands")
    wanted = Counter(what for deed in played for what in deed.tells)
    compare(wanted, film_events(stage, states[0], played))


if __name__ == "__main__":
    main()
