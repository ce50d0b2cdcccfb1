"""The film of a real game keeps to the rules, but for breaks that it names and puts right."""

from itertools import pairwise

import numpy as np
import pytest

from calibration import Profile
from scorer.places import Place
from scorer.polaris.contract import NEW_MOON, POLARIS_GAME
from scorer.polaris.sky import Sky, turn_breaks
from scorer.polaris.words import NEUTRAL
from tests.benchmarks.sky_script import FilmedGame, film_game
from tests.films.film import Film
from tests.films.script import HandStep, Script, Visit, act_out

COLOURS = ("red", "blue", "yellow", "purple")


@pytest.fixture(scope="module", params=[2, 3, 4])
def game(sky: Profile, request: pytest.FixtureRequest) -> FilmedGame:
    return film_game(request.param, sky, COLOURS[: request.param], 150.0)


def skies(game: FilmedGame, sky: Profile, until: float) -> Sky:
    """What lies there at a moment."""
    lying = game.script.boards[0]
    for visit in game.script.happenings:
        assert isinstance(visit, Visit)
        if visit.end <= until:
            for step in visit.steps:
                lying = act_out(lying, step)
    found: Sky = POLARIS_GAME.position(sky.board, lying)
    return found


def test_each_turn_lays_its_pieces_within_one_sector(game: FilmedGame, sky: Profile) -> None:
    assert len(game.turns) > 4
    for turn in game.turns:
        before, after = (skies(game, sky, t) for t in (turn.begin, turn.end))
        assert not list(turn_breaks(before, after, turn.colour))
        laid = {*after.stars, *after.links} - {*before.stars, *before.links}
        assert laid == {*turn.laid}


def test_what_is_broken_is_put_right(game: FilmedGame, sky: Profile) -> None:
    assert game.breaks
    for one in game.breaks:
        during = any(
            one.place in broken.places
            for t in np.arange(one.begin, one.end, 0.5)
            for broken in (
                *turn_breaks(skies(game, sky, one.begin), skies(game, sky, t)),
                *skies(game, sky, t).rule_breaks(game.colours),
            )
        )
        assert during, one
    first, last = skies(game, sky, 0.0), skies(game, sky, game.script.seconds)
    laid = {place for turn in game.turns for place in turn.laid}
    assert {*last.stars, *last.links} == {*first.stars, *first.links} | laid
    assert last.where(NEUTRAL) == first.where(NEUTRAL)


def test_the_frame_goes_on_by_a_sector_after_each_phase(game: FilmedGame, sky: Profile) -> None:
    assert game.phases
    ring = list(sky.board.sectors)
    faced = skies(game, sky, 0.0).new_moon
    for _, sector in game.phases:
        assert sector == ring[(ring.index(faced) + 1) % len(ring)]
        faced = sector


def test_the_frame_turns_slowly_under_the_hand(sky: Profile) -> None:
    lying = {Place("1", "dial"): NEW_MOON}
    turn = Visit(0.2, (HandStep(Place("2", "dial"), "turn", NEW_MOON, dwell=2.0),))
    film = Film(Script((lying,), (turn,), 3.2), sky, 1, (320, 240), 5)
    pictures = []
    for _ in film.frames():
        shown = film._boards[0].profile.require_reference()
        pictures.append(shown[::8, ::8].astype(int))
    moved = [float(np.abs(a - b).mean()) for a, b in pairwise(pictures)]
    assert sum(change > 0.1 for change in moved) >= 8
    assert max(moved) < 0.6 * float(np.abs(pictures[0] - pictures[-1]).mean())
