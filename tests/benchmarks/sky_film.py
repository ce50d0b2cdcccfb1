"""Live tracking of a real game of Polaris: events, turns, broken rules and phases.

    python -m tests.benchmarks.sky_film --colours red,yellow,blue --minutes 3 --seed 1
    python -m tests.benchmarks.sky_film --profile DIR --colours red,blue --seed 2

Films a game that is played by the rules (`tests.benchmarks.sky_script`; cached in ``--folder``),
watches it like live pages, with known players, and compares the result with the game. ``--anybody``
leaves the players unknown. The same is done with the film's true events, to separate errors of the
camera from others.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from calibration import Profile, load_profile
from scorer.flags import RuleBreak
from scorer.polaris.observed_game import FollowedTable
from scorer.polaris.turn_inference import How, follow
from tests.benchmarks.live_acceptance import Meter, keep_frames, measured, report
from tests.benchmarks.sky_script import FilmedBreak, FilmedGame, film_game
from tests.films.film import SIZE, shoot
from tests.films.verdict import is_change
from vision.live import ModelFrameReader, Tracker
from webapp.app.live.reducer import changed_pieces

SEEN: How = "seen"
FOUND: How = "found"
EXCHANGED: How = "exchanged"
LATE = 8.0
"""Seconds after its correction until which a broken rule may first be reported."""
AT_FIRST = 3.0
"""Seconds in which the initial pieces are reported."""


def film(
    folder: Path, profile: Profile, colours: Sequence[str], minutes: float, seed: int, fps: int
) -> tuple[Path, FilmedGame, Any]:
    """Render the film unless it exists."""
    game = film_game(seed, profile, colours, 60 * minutes)
    reported = (
        f"{profile.layout.game}-{profile.name}-game-{len(colours)}-{minutes:g}min-{seed}-{fps}"
    )
    path = folder / f"{reported}.mp4"
    if not path.with_suffix(".json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        begun = perf_counter()
        shoot(game.script, profile, path, seed, SIZE, fps)
        print(f"rendered {path} in {perf_counter() - begun:.0f} s")
    return path, game, json.loads(path.with_suffix(".json").read_text())


def followed(
    profile: Profile, colours: Sequence[str], events: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[float, FollowedTable]]:
    """Yield the table after each event, as live pages follow it."""
    pieces: Mapping[Any, str] = {}
    table = FollowedTable(tuple(colours), profile.game.position(profile.board, pieces))
    for event in events:
        pieces = changed_pieces(profile, pieces, event)
        sky = profile.game.position(profile.board, pieces).as_played(colours)
        known = next((how for how in (FOUND, EXCHANGED) if event.get(how)), SEEN)
        table = follow(table, sky, event["t"], FOUND if event["t"] == 0 else known)
        yield event["t"], table


def judge_game(game: FilmedGame, course: Sequence[tuple[float, FollowedTable]]) -> Iterator[str]:
    """Yield lines that compare what was followed with what was played."""
    table = course[-1][1]
    turns = [(turn.mover, frozenset(turn.laid)) for turn in table.turns if turn.laid]
    known = list(turns)
    right = missed = only_links = 0
    for turn in game.turns:
        laid = frozenset(turn.laid)
        if (turn.colour, laid) in known or (None, laid) in known:
            only_links += (turn.colour, laid) not in known
            known.remove((turn.colour, laid) if (turn.colour, laid) in known else (None, laid))
            right += 1
        else:
            missed += 1
    yield (
        f"{len(game.turns)} turns: {right} told so ({only_links} of nobody, for only links were"
        f" laid), {missed} otherwise; {len(known)} told that were not so"
    )
    for turn in game.turns:
        if not {(turn.colour, frozenset(turn.laid)), (None, frozenset(turn.laid))} & {*turns}:
            yield f"  played: {turn.begin:.1f} {turn.colour} {' '.join(turn.laid)}"
    for colour, places in known:
        yield f"  told:   {colour} {' '.join(sorted(places))}"
    yield from _judge_breaks(game, course)
    faced = [(round(t, 1), sector) for t, sector in game.phases]
    reported = [
        (round(t, 1), after.sky.new_moon)
        for (_, before), (t, after) in pairwise(course)
        if len(after.phases) > len(before.phases)
    ]
    astray = sum(len(phase.breaks) for phase in table.phases)
    yield f"phases: {faced} played, {reported} told; {astray} frames said to be astray"


def _judge_breaks(game: FilmedGame, course: Sequence[tuple[float, FollowedTable]]) -> Iterator[str]:
    reported: dict[tuple[str, tuple[str, ...]], list[float]] = {}
    for t, table in course:
        if t < AT_FIRST:
            continue
        for broken in _breaks(table):
            reported.setdefault((broken.kind, broken.places), []).append(t)
    found = [one for one in game.breaks if any(_is(one, key, ts) for key, ts in reported.items())]
    beside: list[Any] = []
    false: list[Any] = []
    for (kind, places), ts in reported.items():
        if any(_is(one, (kind, places), ts) for one in game.breaks):
            continue
        during = any(one.begin <= ts[0] <= one.end + LATE for one in game.breaks)
        (beside if during else false).append((kind, places, ts))
    left = [(broken.kind, broken.places) for broken in _breaks(course[-1][1])]
    yield (
        f"{len(game.breaks)} rules broken and put right: {len(found)} told; {len(beside)} others"
        f" told meanwhile; {len(false)} told without one; {len(left)} told still at the end"
    )
    for one in game.breaks:
        if one not in found:
            yield f"  not told: {asdict(one)}"
    for name, which in (("meanwhile", beside), ("false", false)):
        for kind, places, ts in which:
            yield f"  {name}: {kind} {' '.join(places)} from {ts[0]:.1f}"
    for kind, places in left:
        yield f"  left: {kind} {' '.join(places)}"


def _breaks(table: FollowedTable) -> Iterator[RuleBreak]:
    """Yield the broken rules that pages report, of turns and of the sky."""
    yield from (broken for _, broken in table.breaks)
    yield from table.sky.rule_breaks(table.colours)


def _is(one: FilmedBreak, key: tuple[str, tuple[str, ...]], times: Sequence[float]) -> bool:
    kind, places = key
    soon = any(one.begin <= t <= one.end + LATE for t in times)
    return kind == one.kind and one.place in places and soon


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="polaris/standard", help="a sky, by name or folder")
    parser.add_argument("--colours", default="red,yellow,blue", help="of the players, in order")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fps", type=int, default=10)
    parser.add_argument("--anybody", action="store_true", help="do not say who plays")
    parser.add_argument("--frames", type=Path, help="folder for pictures of what went wrong")
    parser.add_argument("--folder", type=Path, default=Path("runs/films"))
    given = parser.parse_args()
    profile, colours = load_profile(given.profile), given.colours.split(",")
    path, game, truth = film(given.folder, profile, colours, given.minutes, given.seed, given.fps)
    tracker = Tracker(ModelFrameReader(profile))
    if not given.anybody:
        tracker.play(profile.game.piece_roles({"players": [{"colour": one} for one in colours]}))
    meter = Meter([(a, b) for a, b in truth["arms"]])
    reported = measured(path, tracker, meter)
    path.with_suffix(".told.json").write_text(json.dumps(reported))
    report(truth, reported)
    if given.frames:
        keep_frames(path, truth, reported, given.frames)
    strange = {event["star"] for event in reported if "star" in event}
    strange -= {*profile.game.piece_roles({"players": [{"colour": c} for c in colours]}).values()}
    print(f"colours of nobody told: {sorted(strange)}")
    # A film knows of no misread colour: each new one is another piece, laid by a hand.
    by_hand = [{**event, EXCHANGED: event["kind"] == "replaced"} for event in truth["events"]]
    for who, events in (("by the camera", reported), ("by the true events", by_hand)):
        print(f"-- {who}")
        changes = [event for event in events if is_change(event)]
        print(*judge_game(game, list(followed(profile, colours, changes))), sep="\n")
    print(*meter.rows(), sep="\n")


if __name__ == "__main__":
    main()
