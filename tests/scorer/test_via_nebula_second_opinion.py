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
NEEDS = {card: Counter(own.needs) for card, own in STANDARD.contracts.items()}


def test_the_map_is_the_one_of_the_rules() -> None:
    valley = STANDARD.valleys["standard"]
    assert dict(valley.terrain) == other.STANDARD
    assert all({*valley.around[at]} == other.AROUND[at] for at in valley.spaces)
    assert Counter(other.STANDARD.values()) == {"F": 45, "M": 24, "P": 12, "R": 10}
    beginners = STANDARD.valleys["beginners"].terrain
    assert [at for at, kind in beginners.items() if kind in "MR"] == [
        at for at, kind in other.STANDARD.items() if kind in "MR"
    ]


def test_the_cards_are_those_that_the_rules_describe() -> None:
    for card, needs in other.combined_needs().items():
        assert NEEDS[card] == Counter(needs)
    doubles = [card for card in NEEDS if card not in other.combined_needs()]
    assert all(sorted(NEEDS[card].values()) == [1, 2] for card in doubles)
    assert len({frozenset(NEEDS[card].items()) for card in NEEDS}) == len(NEEDS) == 41
    for card, own in STANDARD.contracts.items():
        assert (own.points, own.power) == (other.CONTRACT_POINTS[card], other.POWERS.get(card, ""))
    for token, own in STANDARD.tokens.items():
        assert own.points == other.POINTS[token]
        assert own.shows == other.SHOWN.get(token, 5)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_whole_game_is_the_same(seed: int) -> None:
    luck = Random(f"a valley {seed}")
    colours = luck.sample(other.COLOURS, 2 + seed % 3)
    side = ("standard", "beginners")[seed // 3 % 2]
    theirs = other.Table(colours, dict(STANDARD.valleys[side].terrain), NEEDS)
    state = TURNS.start({"colours": colours, "players": len(colours), "side": side})
    for line in other.play(theirs, luck):
        drawn = {TURNS.write_action(action) for action, _odds in TURNS.outcomes(state)}
        legal = {TURNS.write_action(action) for action in TURNS.actions(state)}
        assert drawn == theirs.chance()
        assert legal == theirs.actions()
        state = TURNS.after(state, TURNS.read_action(line))
    assert state.over
    names = NAMES[: len(colours)]
    file = other.game_file(theirs, names)
    score = TURNS.score(state, names)
    assert {p.name: tuple(line.points for line in p.lines) for p in score.players} == other.score(
        file
    )
    assert [{*one} for one in score.ranking] == other.ranking(file)
    assert not other.cannot_be(file)


def test_random_ends_are_scored_alike() -> None:
    luck = Random("ends of valleys")
    met: set[str] = set()
    for number in range(ENDS):
        file = other.random_end(luck)
        score = VIA_NEBULA.score(VIA_NEBULA.game_from_data(file, VIA_NEBULA.standard_board))
        own = {p.name: tuple(line.points for line in p.lines) for p in score.players}
        assert own == other.score(file), number
        assert [{*one} for one in score.ranking] == other.ranking(file), number
        reported = {flag.kind for one in (score, *score.players) for flag in one.flags}
        assert reported == other.cannot_be(file), number
        met |= reported
    assert len(met) == 8 or ENDS < 1000, "each thing that cannot be was met"
