"""Via Nebula's rules and scores against a second opinion: whole games, ends, the edition's cards.

`STARGAZER_VIA_NEBULA_GAMES` and `STARGAZER_VIA_NEBULA_ENDS` say how many; a few otherwise.
"""

import os
from collections import Counter
from random import Random

import pytest

from scorer.via_nebula.edition import STANDARD
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.turns import TURNS
from tests.scorer import via_nebula_second_opinion as other

GAMES = int(os.environ.get("STARGAZER_VIA_NEBULA_GAMES", "3"))
ENDS = int(os.environ.get("STARGAZER_VIA_NEBULA_ENDS", "60"))
NAMES = ("Ana", "Luis", "Eva", "Jan")


def test_the_map_is_the_one_of_the_rules() -> None:
    for side in ("standard", "beginners"):
        valley = STANDARD.valleys[side]
        assert dict(valley.terrain) == other.KINDS[side]
        assert all({*valley.around[at]} == {*other.BESIDE[at]} for at in valley.spaces)
    assert Counter(other.STANDARD.values()) == {"F": 45, "M": 24, "P": 12, "R": 10}


def test_the_cards_are_those_that_the_rules_describe() -> None:
    for first, needs in other.pairs_and_triples().items():
        for number, own in enumerate(needs, start=first):
            assert STANDARD.contracts[f"N{number}"].needs == dict.fromkeys(own, 1)
    shown = {id: (own.resource, own.shows, own.points) for id, own in STANDARD.tokens.items()}
    assert shown == other.TOKENS


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_whole_game_is_the_same(seed: int) -> None:
    luck = Random(f"via nebula {seed}")
    colours = luck.sample(other.COLOURS, 2 + seed % 3)
    side = ("standard", "beginners")[seed // 3 % 2]
    state, theirs = TURNS.start({"colours": colours, "players": len(colours), "side": side}), None
    for theirs, line in other.play(colours, side, luck):
        drawn = {TURNS.write_action(action) for action, _odds in TURNS.outcomes(state)}
        legal = {TURNS.write_action(action) for action in TURNS.actions(state)}
        assert drawn == other.chance(theirs)
        assert legal == other.actions(theirs)
        if line:
            state = TURNS.after(state, TURNS.read_action(line))
    assert state.over and theirs is not None
    names = NAMES[: len(colours)]
    expected = other.score(other.game_file(theirs, names))
    score = TURNS.score(state, names)
    for own in score.players:
        assert [line.points for line in own.lines] == expected[own.name][0]
    assert [{*one} for one in score.ranking] == other.ranking(other.game_file(theirs, names))


def test_random_ends_are_scored_alike() -> None:
    luck = Random("ends")
    seen: Counter[str] = Counter()
    for number in range(ENDS):
        file = other.random_end(luck)
        score = VIA_NEBULA.score(VIA_NEBULA.game_from_data(file, VIA_NEBULA.standard_board))
        expected = other.score(file)
        for own in score.players:
            assert [line.points for line in own.lines] == expected[own.name][0], number
        assert [{*one} for one in score.ranking] == other.ranking(file), number
        told = {flag.kind for own in (score, *score.players) for flag in own.flags}
        assert told == other.flags(file), (number, file)
        seen.update(told)
    assert len(seen) == 8 or ENDS < 1000, "each thing that cannot be was met"
