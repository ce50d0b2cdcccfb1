"""A round of Via Nebula, played by hands before a camera: is each move told once?

    python -m tests.benchmarks.valley_film --seed 1

draws a film of a printed valley in a game of three: hands lay and take the pieces of
a turn each. The camera's reader follows it as for the live page. Printed is what of the round was
told twice, otherwise or not at all, and what the camera saw otherwise than it lies. `--traced DIR`
path-traces the frames, which are kept there, of a `--kit` (see `models/rendering/README.md`).
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from calibration import load_profile
from models.via_nebula.hands import lay
from models.via_nebula.rendering.measuring_set import KITS, SIZES, VALLEY
from scorer.game import Pieces
from scorer.places import Place, Point
from scorer.via_nebula.edition import STANDARD
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.state import State
from scorer.via_nebula.turns import TURNS
from tests.benchmarks.hands_film import (
    FIRST,
    FPS,
    Deed,
    Stage,
    changes,
    compare,
    frames,
    held,
    parser_of,
    seen_otherwise,
    stage_of,
)
from webapp.app.live.reducer import changed_pieces
from webapp.app.live.vision_worker import VisionFrameWorker

PLAYERS = 3
CountChange = tuple[str, str, int]
"""A region, a kind of piece as it is seen, and how many lie there now."""


def shown(piece: str) -> str:
    """A piece as it is seen: tokens with the same face are as good as one another."""
    token = STANDARD.tokens.get(piece)
    return f"{token.resource} {token.shows}" if token else piece


def played_round(seed: int) -> Sequence[State]:
    """The states of a round in a random game: the one in which most different things are done."""
    luck = random.Random(seed)
    state = TURNS.start({"players": PLAYERS})
    best, most = list[State](), 0
    states, done = list[State](), set[type]()
    while not state.over:
        action = TURNS.drawn(state, luck) or luck.choice(TURNS.actions(state))
        if state.ready:
            if state.mover == 0 and states and states[-1].mover != 0:
                if len(done) > most:
                    best, most = [*states, state], len(done)
                states, done = [], set()
            states.append(state)
            done.add(type(action))
        state = TURNS.after(state, action)
    return best


def hands_of(states: Sequence[State]) -> Iterator[Deed]:
    """A hand for each piece that is laid or taken; goods lie on their site, not under it."""
    lying = TURNS.positions(states[0])[0].pieces
    pieces: Pieces = dict(sorted(lying.items(), key=lambda one: -SIZES[one[1]]))
    for state in states[1:]:
        for deed in changes(pieces, TURNS.positions(state)[0].pieces):
            yield deed
            pieces = deed.after


def expected_change(deed: Deed) -> CountChange:
    """What is to be told of a hand: the kind of which there are more or fewer now."""
    place = deed.way[1].whole
    was, now = held(deed.before, place), held(deed.after, place)
    (piece,) = (was - now) + (now - was)
    return place.id, shown(piece), now[piece]


def film_events(
    stage: Stage, played: Sequence[Deed], roles: Mapping[str, str]
) -> Iterator[tuple[float, CountChange | None, str]]:
    """What the camera tells, and when; in words what it sees otherwise after a hand."""
    profile, worker = load_profile(VALLEY.profile), VisionFrameWorker((VALLEY.profile,), None)
    worker.play(roles)
    pieces: Pieces = {}
    for number, image in enumerate(frames(stage, played)):
        for event in worker.process(stage.jpeg(image, number), number / FPS):
            if {"space", "count"} <= event.keys():
                pieces = changed_pieces(profile, pieces, event)
                if number >= FIRST:
                    yield number / FPS, (event["space"], shown(event["star"]), event["count"]), ""
        for otherwise in seen_otherwise(number, played, pieces, shown):
            yield number / FPS, None, otherwise


def main() -> None:
    """Play the film and compare."""
    asked = parser_of(__doc__.splitlines()[0], KITS, "folded").parse_args()
    profile = load_profile(VALLEY.profile)
    states = played_round(asked.seed)
    played = list(hands_of(states))
    ever: dict[Place, str] = {}  # the largest piece that is ever on a place
    for deed in played:
        for at, piece in (*deed.before.items(), *deed.after.items()):
            ever[at] = max(piece, ever.get(at, piece), key=SIZES.__getitem__)
    spots: Mapping[Place, Point] = lay(random.Random(asked.seed), profile, ever)
    stage = stage_of(asked, VALLEY, played, spots.__getitem__)
    roles = VIA_NEBULA.piece_roles({"players": [{"colour": own.colour} for own in states[0].seats]})
    print(f"{len(states) - 1} actions, {len(played)} hands")
    compare(Counter(map(expected_change, played)), film_events(stage, played, roles))


if __name__ == "__main__":
    main()
