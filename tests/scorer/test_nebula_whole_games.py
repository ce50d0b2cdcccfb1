"""Turns: what players see and are told, and properties that hold over whole games."""

import random
from itertools import product

import pytest

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.card import of_deck
from scorer.nebula.turns import actions as act
from scorer.nebula.turns import play
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Hand, Phase, Rules, State
from scorer.nebula.values_board import TOKENS
from tests.scorer.nebula_second_opinion import NEAR
from tests.scorer.nebula_tables import moments, table


class TestWhatAPlayerSees:
    def test_of_the_others_cards_only_the_backs(self):
        seen = play.seen_by(table(), 1)
        assert seen.hands[0] == Hand(dealt=("?", "?"), personal="?")
        assert seen.hands[1] == table().hands[1]
        assert seen.but(hands=table().hands) == table()

    def test_whose_choice_it_is_can_be_seen_in_setup_too(self):
        for before, _, _ in moments(Rules(players=4), 1):
            if before.turn:
                break
            for player in range(4):
                seen = play.seen_by(before, player)
                assert (seen.player, play.mover(seen)) == (before.player, play.mover(before))


GAMES = [
    Rules(players, mode, book)
    for players, mode, book in product((2, 3, 4), ("full", "intro"), ("cs", "es"))
]


def everything(state: State):
    """Every action that one could think of in a state."""
    yield from map(act.Draw, STARS)
    yield from map(act.Deal, state.rules.edition.cards)
    yield from map(act.ChoosePersonal, of_deck("personal"))
    yield from map(act.InvestTime, product((-2, -1, 0, 1, 2, 3), repeat=3))
    yield from map(act.TurnToChaos, STARS)
    yield from map(act.Keep, [(), *product(STARS), *product(STARS, repeat=2)])
    yield from (act.Place(star, space) for star in STARS for space in STANDARD_BOARD.spaces)
    yield from map(act.PlaceOnTrack, STARS)
    yield from (act.ReplaceBoosted(source) for source in ("bag", "none"))
    yield from (act.ReplaceBoosted(star) for star in STARS)
    yield from map(act.AdvanceToken, TOKENS)
    yield from map(act.Claim, of_deck("career"))
    yield from (act.EndPlacing(), act.EndClaims())


def canonical(action):
    return act.Keep(tuple(sorted(action.stars))) if isinstance(action, act.Keep) else action


class TestWholeGames:
    @pytest.mark.parametrize("rules", GAMES, ids=lambda r: f"{r.players}-{r.mode}-{r.book}")
    def test_stars_always_add_up_and_galaxies_are_legal(self, rules):
        for seed in range(3):
            for _, _, state in moments(rules, seed):
                total = [
                    sum(kinds) for kinds in zip(state.bag, state.box, state.on_table, strict=True)
                ]
                assert total == [20] * 6 + [30]
                assert min(*state.bag, *state.box) >= 0
            assert state.turn % rules.players == 0
            for seat in state.seats:
                galaxy = seat.galaxy
                assert galaxy.rule_breaks() == ()
                for space, colour in galaxy.stars.items():
                    assert colour not in {galaxy.stars.get(near) for near in NEAR[space]}

    @pytest.mark.parametrize("rules", GAMES[:4], ids=lambda r: f"{r.players}-{r.mode}-{r.book}")
    def test_what_is_listed_is_what_is_legal(self, rules):
        looked = random.Random(5)
        seen = set()
        for seed in range(3):
            for state, _, _ in moments(rules, f"list {seed}"):
                if state.phase in seen and looked.random() > 0.02:
                    continue
                seen.add(state.phase)
                listed = [*play.actions(state), *(action for action, _ in play.outcomes(state))]
                assert len(listed) == len(set(listed)) > 0
                legal = {canonical(a) for a in everything(state) if not play.illegal(state, a)}
                long_ways = {a for a in listed if isinstance(a, act.InvestTime)} - legal
                assert all(max(map(abs, a.moves)) > 2 for a in long_ways)
                assert {canonical(action) for action in listed} - long_ways == legal
        assert {Phase.COLLECT, Phase.PLACE, Phase.CLAIM, Phase.REFILL, Phase.DEAL} < seen


class TestWords:
    def test_an_illegal_action_says_why_in_three_languages(self):
        broken = play.illegal(table(), act.InvestTime((1, 1, 1)))
        assert str(broken.reason) == "3 movement points spent, exactly 5 needed"
        assert broken.reason.in_language("es").startswith("3 puntos de movimiento")
        assert broken.reason.in_language("cs").startswith("3 kroky")

    def test_an_action_of_another_phase_says_what_comes_first(self):
        for phase in Phase:
            if phase is not Phase.OVER:
                action = act.EndClaims() if phase is not Phase.CLAIM else act.EndPlacing()
                broken = play.illegal(table(phase), action)
                assert broken.kind == "not_now"
                assert len({broken.reason.in_language(name) for name in ("en", "es", "cs")}) == 3

    def test_the_czech_for_a_black_star(self):
        broken = play.illegal(table(reserve=["red"]), act.TurnToChaos("black"))
        assert broken.reason.in_language("cs") == "v Observatoři není pro chaos černá díra"
