"""Whole games of Via Nebula at random: legal to the end, and nothing is lost or made."""

import pytest

from scorer.playing import ActionRecords
from scorer.via_nebula.board import BUILDING, SITE, on_guild, pieces_on
from scorer.via_nebula.edition import FOG, FOREST, RESOURCES
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.state import HIDDEN, Build, Explore
from scorer.via_nebula.turns import TURNS
from tests.conftest import in_full
from tests.scorer.via_nebula_tables import played_at_random

EVERY = [(players, seed) for players in (2, 3, 4) for seed in range(4)]
GAMES = in_full(EVERY, *EVERY[::4], *EVERY[1::4])


def check(state):
    """What holds at every moment of a game (V3, V11, V19 to V21, V32)."""
    pieces, valley, setup = state.pieces, state.valley, state.setup
    assert {valley.terrain[at] for at in pieces.tiles} <= {FOG, FOREST}
    assert not {*pieces.tokens} & {*pieces.exploitations}
    assert all(own.count > 0 for own in pieces.exploitations.values())
    assert all(0 < len(own) <= setup.room for own in pieces.ruins.values())
    assert all(0 <= state.supply[one] <= 18 for one in RESOURCES)
    tiles = len(pieces.tiles) + state.reserve + sum(sum(seat.piles) for seat in state.seats)
    assert tiles == 60
    for seat in state.seats:
        own = [one for _at, one in pieces.elements() if one.colour == seat.colour]
        sites = [one for one in own if one.what == SITE]
        built = [one for one in own if one.what == BUILDING]
        placed = [one for one in pieces.exploitations.values() if one.craftsman == seat.colour]
        assert seat.craftsmen + len(placed) == setup.craftsmen
        assert seat.sites + len(sites) == 3 and seat.buildings + len(built) == 5
        assert len(sites) <= seat.buildings and len(seat.contracts) == len(built)
    cards = [card for seat in state.seats for card in (*seat.hand, *seat.contracts)]
    assert len({*cards, *state.open}) == len(cards) + len(state.open)


@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_a_game_at_random_is_legal_to_the_end(players, seed):
    side = "beginners" if seed % 2 else "standard"
    game = played_at_random(players, seed, side=side)
    for state, action in game:
        check(state)
        if action is not None:
            assert TURNS.illegal(state, action) is None
    end = game[-1][0]
    assert not TURNS.actions(end) and not TURNS.outcomes(end) and TURNS.decides(end) is None
    assert (end.ender is None) == all(seat.buildings for seat in end.seats)


@pytest.mark.parametrize("seed", range(4))
def test_turns_are_of_two_actions_and_clockwise(seed):
    before = None
    for state, action in played_at_random(3, seed):
        if not state.ready or action is None:
            continue
        if before is not None and state.mover != before.mover:
            assert state.mover == (before.mover + 1) % 3 and state.left == 2
        if isinstance(action, Explore) and state.valley.terrain[action.at] == FOREST:
            assert state.left == 2
        before = state


@pytest.mark.parametrize(("players", "seed"), GAMES[::2])
def test_an_end_as_a_game_file_has_the_same_score(players, seed):
    end = played_at_random(players, seed)[-1][0]
    score = TURNS.score(end)
    answers = TURNS.answers(end)
    valley, *guilds = TURNS.positions(end)
    assert pieces_on(valley) == end.pieces
    players_data = [
        {"name": own["colour"], **own, "piles": list(on_guild(at)[0]), "storage": on_guild(at)[1]}
        for own, at in zip(answers["players"], guilds, strict=True)
    ]
    boards = [{"kind": "valley", **VIA_NEBULA.position_data(valley)}]
    boards += [
        {"kind": "guild", "seat": number, **VIA_NEBULA.position_data(at)}
        for number, at in enumerate(guilds)
    ]
    data = {"format": 1, "game": "via_nebula", "side": end.side, "players": players_data}
    game = VIA_NEBULA.game_from_data({**data, "boards": boards}, VIA_NEBULA.standard_board)
    reported = VIA_NEBULA.score(game)
    assert reported.to_data() == score.to_data() and reported.flags == ()
    assert all(not own.flags for own in reported.players)
    written = VIA_NEBULA.game_data(game)
    again = VIA_NEBULA.game_from_data(written, VIA_NEBULA.standard_board)
    assert VIA_NEBULA.score(again).to_data() == score.to_data()


def test_hands_are_their_players_own():
    seen_built = False
    for state, action in played_at_random(4, 2):
        for seat in (None, 0, 2):
            seen = TURNS.seen_by(state, seat)
            for number, own in enumerate(seen.seats):
                hand = state.seats[number].hand
                assert own.hand == (hand if number == seat else (HIDDEN,) * len(hand))
        seen_built |= isinstance(action, Build)
    assert seen_built


@pytest.mark.parametrize("players", [2, 4])
def test_a_record_is_replayed_and_a_spoilt_one_is_not(players):
    records = ActionRecords(VIA_NEBULA)
    record = records.simulate(players, ["random"], 7, 0, {"side": "beginners"})
    assert record["side"] == "beginners"
    assert records.replay(record) == len(record["turns"]) > players
    first = record["turns"][0]
    spoilt = {**first, "actions": [first["actions"][0], *first["actions"]]}
    with pytest.raises(ValueError, match="turns"):
        records.replay({**record, "turns": [spoilt, *record["turns"][1:]]})
