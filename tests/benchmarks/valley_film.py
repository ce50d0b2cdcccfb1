"""A round of Via Nebula, played by hands before a camera: is each move reported once?

    python -m tests.benchmarks.valley_film --seed 1 [--strategy random]

Draws a film of a printed valley in a game of three, played by the computer: hands place and remove
the pieces of a turn one by one. The camera's reader follows it as for the live page. Prints for
each hand whether it was reported or asked about, the delay after the hand left, and other reports
meanwhile; the heaps asked about, which a person answers a second later; differences from the truth
at the end; false rule breaks; and the processor time per frame. `--traced DIR` path-traces the
frames, which are cached there, with a `--kit` (see `models/rendering/README.md`), and `--hands`
limits their number.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from statistics import median
from time import process_time
from typing import Any

from calibration import load_profile
from calibration.profile import table_profiles
from models.via_nebula.hands import lay
from models.via_nebula.rendering.measuring_set import KITS, SIZES, VALLEY
from scorer.places import Place, Point, in_region
from scorer.playing import Strategy, ways_to_play
from scorer.table import Pieces
from scorer.via_nebula.edition import STANDARD
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.state import Action, State
from scorer.via_nebula.turns import TURNS
from tests.benchmarks.hands_film import (
    FIRST,
    FPS,
    PAUSE,
    REACH,
    Deed,
    Stage,
    changes,
    frames,
    held,
    parser_of,
    seen_otherwise,
    stage_of,
)
from webapp.app.live.reducer import changed_pieces
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.live.worker import Correction

PLAYERS = 3
FIGURES = ("right", "late", "asked", "missed", "untrue")
ANSWERED_AFTER = FPS
"""Frames after a question about a heap until a person answers it."""
CountChange = tuple[str, str, int]
"""A region, a kind of piece as it is seen, and its new count."""


def shown(piece: str) -> str:
    """Return a piece as it is seen: tokens with the same face are indistinguishable."""
    token = STANDARD.tokens.get(piece)
    return f"{token.resource} {token.shows}" if token else piece


def played_round(seed: int, strategy: Strategy[State, Action]) -> Sequence[State]:
    """Return the states of a game's round with the most different actions."""
    luck = random.Random(seed)
    state = TURNS.start({"players": PLAYERS})
    best, most = list[State](), 0
    states, done = list[State](), set[type]()
    while not state.over:
        action = TURNS.drawn(state, luck) or strategy(state, TURNS.actions(state), luck)
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
    """Yield a hand for each piece placed or removed; goods are on top of their site.

    Each placed piece gets a slot that was not used before.
    """
    lying = TURNS.positions(states[0])[0].pieces
    pieces: Pieces = dict(sorted(lying.items(), key=lambda one: -SIZES[one[1]]))
    slots = count(max(place.slot for place in pieces) + 1)
    for state in states[1:]:
        wanted = TURNS.positions(state)[0].pieces
        while deed := next(changes(pieces, wanted), None):
            at = deed.way[1]
            if at in deed.after:
                new = replace(at, slot=next(slots))
                deed = Deed(pieces, {**pieces, new: deed.after[at]}, (new, new))
            yield deed
            pieces = deed.after


def spots_of(played: Sequence[Deed], luck: random.Random) -> Mapping[Place, Point]:
    """Return each piece's position in mm, next to those already there."""
    profile = load_profile(VALLEY.profile)
    spots = lay(luck, profile, played[0].before)
    for deed in played:
        spots |= lay(luck, profile, deed.after, spots)
    return spots


def expected_change(deed: Deed) -> CountChange:
    """Return the count change that a hand should cause."""
    place = deed.way[1].whole
    was, now = held(deed.before, place), held(deed.after, place)
    (piece,) = (was - now) + (now - was)
    return place.id, shown(piece), now[piece]


@dataclass(frozen=True)
class Question:
    """A question about a heap at a frame: the likeliest answer, and the true contents.

    `known` is what was reported before.
    """

    number: int
    place: Place
    likeliest: Counter[str]
    known: Counter[str]
    holds: Counter[str]

    def __str__(self) -> str:
        words = f"{self.place}: {dict(self.holds)}, known as {dict(self.known)}"
        return f"{self.number / FPS:.1f} s  {words}, likeliest {dict(self.likeliest)}"


@dataclass
class Followed:
    """The camera's reports of a film with their frames, and the time per frame."""

    changes: list[tuple[int, CountChange]] = field(default_factory=list)
    broken: list[tuple[int, str]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    otherwise: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def follow(stage: Stage, played: Sequence[Deed], roles: Mapping[str, str]) -> Followed:
    """Let the camera's reader see a film."""
    profile, worker = (
        load_profile(VALLEY.profile),
        VisionFrameWorker(list(table_profiles(VALLEY.profile)), None),
    )
    worker.play(roles)
    pieces: Pieces = {}
    told = Followed()
    for number, image in enumerate(frames(stage, played)):
        jpeg = stage.jpeg(image, number)
        for asked in told.questions:
            if number == asked.number + ANSWERED_AFTER:
                held_now = held(lying_at(played, number), asked.place)
                answer = {asked.place.id: sorted(held_now.elements())}
                worker.correct(Correction(0, {}, {}, answer))
                pieces = with_held(pieces, asked.place, held_now)
        begun = process_time()
        events = worker.process(jpeg, number / FPS)
        told.seconds.append(process_time() - begun)
        for event in events:
            if event.get("board"):  # a guild board is reported where there is none
                told.otherwise.append(f"{number / FPS:.1f} s  {event}")
            elif {"space", "count"} <= event.keys():
                pieces = changed_pieces(profile, pieces, event)
                change = event["space"], shown(event["star"]), event["count"]
                told.changes.append((number, change))
                print(f"{number / FPS:6.1f} s  told: {change}", flush=True)
            elif event["kind"] == "doubtful":
                told.questions.append(question(event, number, played, pieces))
                print(f"asked: {told.questions[-1]}", flush=True)
            elif event["kind"] == "rule_break" and not is_broken(played, number, event):
                told.broken.append((number, f"{event['spaces']}: {event['reason']}"))
        if number in (FIRST - 1, last_frame(played)):
            told.otherwise.append("at the start" if number < FIRST else "at the end")
            told.otherwise += seen_otherwise(number, played, pieces, shown)
    return told


def question(
    event: Mapping[str, Any], number: int, played: Sequence[Deed], pieces: Pieces
) -> Question:
    """Return the camera's question with the truth."""
    place = Place(event["space"], "region")
    likeliest = Counter[str]()
    for answer in event["answers"][:1]:
        for number_of, piece in (one.split(" ", 1) for one in answer):
            likeliest[shown(piece)] += int(number_of)
    known, holds = (
        Counter(map(shown, held(own, place).elements()))
        for own in (pieces, lying_at(played, number))
    )
    return Question(number, place, likeliest, known, holds)


def lying_at(played: Sequence[Deed], number: int) -> Pieces:
    deed, frame = divmod(number - FIRST, REACH + PAUSE)
    if deed < 0:
        return played[0].before
    return played[deed].after if 2 * frame >= REACH else played[deed].before


def with_held(pieces: Pieces, place: Place, holds: Counter[str]) -> Pieces:
    """Return the pieces after a person's answer about a region."""
    others = {at: one for at, one in pieces.items() if at.whole != place}
    return {**others, **in_region(place.id, holds)}


def last_frame(played: Sequence[Deed]) -> int:
    """Return the number of a film's last frame."""
    return FIRST + len(played) * (REACH + PAUSE) - 1


def is_broken(played: Sequence[Deed], number: int, event: Mapping[str, Any]) -> bool:
    """Whether a reported rule is broken at a frame, or was before the last hand."""
    last = max(0, min(len(played) - 1, (number - FIRST) // (REACH + PAUSE)))
    lying = [
        pieces
        for deed in played[max(0, last - 1) : last + 1]
        for pieces in (deed.before, deed.after)
    ]
    board = load_profile(VALLEY.profile).board
    return any(
        (one.kind, [*one.spaces]) == (event["rule"], [*event["spaces"]])
        for pieces in lying
        for one in VIA_NEBULA.rule_breaks(VIA_NEBULA.position(board, pieces))
    )


def report(played: Sequence[Deed], told: Followed) -> None:
    """Print the reports for each hand with their delays, and all others."""
    left = told.changes.copy()
    figures = Counter[str]()
    delays = []
    for number, deed in enumerate(played):
        wanted = expected_change(deed)
        gone = FIRST + number * (REACH + PAUSE) + REACH
        when = next((at for at, change in left if change == wanted and at >= gone - REACH), None)
        if when is None:
            asked = any(
                one.place.id == wanted[0] and gone - REACH <= one.number < gone + PAUSE
                for one in told.questions
            )
            figures["asked" if asked else "missed"] += 1
            print(f"{gone / FPS:6.1f} s  {wanted}: {'asked' if asked else 'MISSED'}")
            continue
        left.remove((when, wanted))
        late = when >= gone + PAUSE
        figures["late" if late else "right"] += 1
        delays.append((when - gone) / FPS)
        print(
            f"{gone / FPS:6.1f} s  {wanted}: {'LATE' if late else 'right'} after {delays[-1]:.1f} s"
        )
    for at, change in left:
        if at >= FIRST:
            figures["untrue"] += 1
            print(f"{at / FPS:6.1f} s  {change}: UNTRUE")
    for at, broken in told.broken:
        print(f"{at / FPS:6.1f} s  {broken}: NO RULE BREAK")
    print("\n".join(told.otherwise))
    words = ", ".join(f"{figures[one]} {one}" for one in FIGURES)
    print(f"{len(played)} hands: {words}, {len(told.broken)} rule breaks that were none")
    needed = sum(one.holds != one.likeliest for one in told.questions)
    print(
        f"{len(told.questions)} heaps asked about, {needed} of them taken for something else,"
        f" {sum(one.holds != one.known for one in told.questions)} not as known"
    )
    print(f"told {median(delays or [0]):.1f} s after a hand, at most {max(delays or [0]):.1f}")
    spent = sorted(told.seconds)
    print(
        f"{len(spent)} frames, {sum(spent) / len(spent):.2f} s of processor each,"
        f" p95 {spent[int(0.95 * len(spent))]:.2f}, at most {spent[-1]:.2f}"
    )


def main() -> None:
    """Play the film and compare."""
    strategies = ways_to_play(VIA_NEBULA)
    parser = parser_of(__doc__.splitlines()[0], KITS, "folded")
    parser.add_argument("--hands", type=int, help="how many are played, by default all")
    parser.add_argument("--strategy", choices=[*strategies], default="master")
    asked = parser.parse_args()
    states = played_round(asked.seed, strategies[asked.strategy])
    played = list(hands_of(states))[: asked.hands]
    spots = spots_of(played, random.Random(asked.seed))
    stage = stage_of(asked, VALLEY, played, spots.__getitem__)
    roles = VIA_NEBULA.piece_roles({"players": [{"colour": own.colour} for own in states[0].seats]})
    print(f"{len(states) - 1} actions, {len(played)} hands")
    report(played, follow(stage, played, roles))


if __name__ == "__main__":
    main()
