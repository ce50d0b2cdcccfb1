"""The second opinion itself: the rulebook's examples, and rules that random play seldom meets."""

import random
from collections import Counter

import pytest

from tests.conftest import FULL_MATRIX
from tests.scorer.ptolemaeus_second_opinion import (
    BONUS_CARDS,
    CONSTELLATION_CARDS,
    EVENTS,
    PLANETS,
    RING,
    SECRETS,
    actions,
    add,
    apply,
    choose,
    configurations,
    game_file,
    legal,
    must_sweep,
    pays,
    planets_at,
    points,
    random_end,
    random_game,
    score,
    set_up,
    settled,
    who,
)

MOON_LANDING = {
    **{"sol": "cancer", "luna": "libra", "mercurius": "cancer", "venus": "gemini"},
    **{"mars": "sagittarius", "iupiter": "libra", "saturnus": "taurus"},
}


def table(players=2, planets=MOON_LANDING, **first):
    """A table at the first player's turn, the row dealt; `first` is what that player has."""
    rng = random.Random(1)
    state = set_up(["Ana", "Luis", "Eva", "Jan"][:players], planets, rng)
    while who(state) == "chance":
        state = apply(state, rng.choice(actions(state)))
    state["players"][0] |= {"hand": {}} | first
    pieces = sum(state["players"][0]["pieces"].values())
    state["players"][0]["reserve"] = 10 - pieces - len(state["players"][0]["studied"])
    return state


def after(state, *doings):
    for action in doings:
        state = apply(state, action)
    return state


def kinds(state):
    return {action[0] for action in actions(state)}


def test_twentieth_of_july_1969():
    state = table()
    assert state["comet"]["at"] == "aries"
    assert set(configurations(state)) == {
        ("conjunction", "cancer"),
        ("conjunction", "libra"),
        ("opposition", "aries", "libra"),
        ("opposition", "gemini", "sagittarius"),
        ("square", "aries", "cancer"),
        ("square", "cancer", "libra"),
    }


@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        ("sagittarius", True),
        ("sextant", True),
        ("aries", False),
        ("aries leo", True),
        ("aries aries", True),
        ("aries sextant", True),
        ("aries taurus", False),
        ("scorpius pisces cancer", True),
        ("scorpius scorpius scorpius", True),
        ("pisces pisces cancer", True),
        ("pisces pisces sextant", True),
        ("aries leo sagittarius", False),
        ("scorpius pisces taurus", False),
        ("scorpius pisces", False),
    ],
)
def test_paying_for_sagittarius(cards, paid):
    assert pays(cards.split(), "sagittarius") is paid


@pytest.mark.parametrize(
    ("bodies", "offer"),
    [
        ("luna pisces venus pisces", ("conjunction", "pisces")),
        ("luna virgo venus pisces", ("opposition", "virgo", "pisces")),
        ("luna cancer venus scorpius sol pisces", ("trine", "cancer", "scorpius", "pisces")),
        ("venus pisces luna gemini", ("square", "gemini", "pisces")),
    ],
)
def test_the_rulebooks_configurations(bodies, offer):
    words = bodies.split()
    there = dict(zip(words[::2], words[1::2], strict=True))
    assert offer in configurations(table(planets=dict.fromkeys(PLANETS, "leo") | there))


def test_a_place_in_a_configuration_is_paid_for_by_its_own():
    state = table(hand={"virgo": 1, "pisces": 1, "leo": 1})
    state["planets"] |= {"luna": "virgo", "venus": "pisces"}
    state = after(state, ("opposition", "virgo", "pisces"))
    assert actions(state) == [("pay", "virgo", "virgo"), ("pay", "pisces", "pisces")]
    state = after(state, ("pay", "pisces", "pisces"), ("pay", "virgo", "virgo"))
    assert state["players"][0]["pieces"] == {"virgo": 1, "pisces": 1}
    assert state["players"][0]["hand"] == {"leo": 1}


def test_six_planets_are_eight_points():
    assert [points(PLANETS[:n], [], 0, 0)["planets"] for n in range(8)] == [0, 1, 2, 4, 5, 6, 8, 10]
    assert points(["luna", "mercurius"], "S1", 2, 5) == {
        **{"planets": 2, "secret": 1, "nova": 2, "asteroids": 1}
    }
    assert points(["luna", "mercurius", "sol"], "S1", 0, 6)["secret"] == 3
    assert points(["luna"], "S1", 0, 2) == {"planets": 1, "secret": 0, "nova": 0, "asteroids": 0}
    assert all(
        len(set(SECRETS[one]) & set(SECRETS[other])) == 1
        for one in SECRETS
        for other in SECRETS
        if one != other
    )


def test_mars_is_on_four_events():
    moves = Counter(planet for planets in EVENTS.values() for planet in planets)
    assert [moves[planet] for planet in PLANETS] == [9, 7, 6, 5, 4, 3, 2]
    assert sum(CONSTELLATION_CARDS.values()) == 65
    assert sum(BONUS_CARDS.values()) == 25


class TestThirdPieces:
    def test_it_studies(self):
        state = table(hand={"cancer": 1}, pieces={"cancer": 2, "leo": 1})
        state = after(state, ("observe", "cancer"), ("pay", "cancer", "cancer"))
        assert actions(state) == [("third", "mercurius"), ("third", "sol")]
        state = after(state, ("third", "sol"), ("bonus", "nova"))
        ana = state["players"][0]
        assert (ana["studied"], ana["pieces"], ana["reserve"]) == (["sol"], {"leo": 1}, 8)
        assert ana["asteroids"] == 1
        assert ana["bonus"] == {"nova": 1}
        assert "cancer" not in state["asteroids"]

    def test_not_where_all_is_studied_or_the_comet_stands(self):
        both = {"gemini": 2, "aries": 2}
        state = table(hand={"gemini": 1, "aries": 1}, pieces=both, studied=["venus"])
        assert not legal(state, ("observe", "gemini"))
        assert not legal(state, ("observe", "aries"))

    def test_a_conjunction_with_two_there(self):
        state = table(hand={"cancer": 2}, pieces={"cancer": 2}, studied=["mercurius"])
        state = after(state, ("conjunction", "cancer"))
        state = after(state, ("pay", "cancer", "cancer"), ("third", "sol"), ("bonus", "luna"))
        assert actions(state) == [("pay", "cancer", "cancer")]
        assert apply(state, actions(state)[0])["players"][0]["pieces"] == {"cancer": 1}

    def test_a_conjunction_with_one_there_and_nothing_to_study(self):
        state = table(hand={"cancer": 2}, pieces={"cancer": 1}, studied=["mercurius", "sol"])
        assert legal(state, ("observe", "cancer"))
        assert not legal(state, ("conjunction", "cancer"))


class TestAnEmptyReserve:
    def test_pieces_come_from_elsewhere(self):
        pieces = {"leo": 2, "virgo": 2, "pisces": 2, "aquarius": 2, "gemini": 1, "cancer": 1}
        state = table(hand={"cancer": 2}, pieces=pieces)
        state = after(state, ("observe", "cancer"), ("pay", "cancer", "cancer"))
        assert set(actions(state)) == {("lift", c) for c in pieces if c != "cancer"}

    def test_a_reserve_of_one_is_used_first(self):
        pieces = {"leo": 2, "virgo": 2, "pisces": 2, "aquarius": 2, "gemini": 1}
        state = table(hand={"cancer": 2}, pieces=pieces)
        state = after(state, ("conjunction", "cancer"), ("pay", "cancer", "cancer"))
        assert (state["players"][0]["reserve"], kinds(state)) == (0, {"pay"})
        state = after(state, ("pay", "cancer", "cancer"))
        assert set(actions(state)) == {("lift", place) for place in pieces}

    def test_not_from_where_they_are_placed(self):
        pieces = {"libra": 2, "aries": 1, "virgo": 2, "pisces": 2, "gemini": 2, "cancer": 1}
        state = table(hand={"aries": 2, "libra": 2}, pieces=pieces)
        state = after(state, ("opposition", "aries", "libra"), ("pay", "aries", "aries"))
        assert set(actions(state)) == {("lift", c) for c in pieces if c not in ("aries", "libra")}


class TestStudiesByChoice:
    def test_after_the_action_with_two_others(self):
        state = table(hand={"leo": 3}, pieces={"taurus": 2, "aries": 1, "leo": 1})
        assert "study" not in kinds(state)
        state |= {"acted": True, "left": 0}
        assert [a for a in actions(state) if a[0] == "study"] == [
            ("study", "taurus", "saturnus", "aries", "leo")
        ]
        state = after(state, ("study", "taurus", "saturnus", "aries", "leo"), ("bonus", "sol"))
        ana = state["players"][0]
        assert (ana["reserve"], ana["pieces"], ana["asteroids"]) == (9, {}, 1)

    def test_not_with_one_other(self):
        state = table(pieces={"taurus": 2, "aries": 1})
        state["acted"] = True
        assert "study" not in kinds(state)


class TestCards:
    def test_a_sextant_of_the_row_is_the_only_card(self):
        state = table()
        state["row"] = {"sextant": 1, "aries": 2, "taurus": 2, "leo": 1}
        state = state
        assert after(state, ("take", "sextant"), ("turn", next(iter(state["deck"]))))["acted"]
        one = after(state, ("take", "sextant"))
        assert not one["todo"]
        two = after(state, ("take", "aries"))
        two = after(two, ("turn", next(card for card in two["deck"] if card != "sextant")))
        assert not legal(two, ("take", "sextant"))
        assert legal(two, ("take", "deck"))

    def test_five_of_a_colour_go(self):
        state = table()
        state["row"] = {"aries": 3, "leo": 2, "taurus": 1}
        assert must_sweep(state)
        state["row"] = {"aries": 3, "leo": 1, "sextant": 2}
        assert not must_sweep(state)
        state["row"] = {"aries": 3, "leo": 2, "taurus": 1}
        assert settled(state)["row"] == {}

    def test_an_empty_deck_is_made_anew(self):
        state = table()
        for card, count in list(state["deck"].items()):
            add(state["discard"], card, count)
        state["deck"] = {}
        drawn = after(state, ("take", "deck"))
        assert (sum(drawn["deck"].values()), drawn["discard"]) == (65 - 6 - 2 - 2, {})


class TestBonusCards:
    def test_nova_luna_for_two(self):
        state = table(players=3, bonus={"luna": 1}, studied=["luna"])
        for other in (1, 2):
            state["players"][other] |= {"pieces": {"leo": 1}, "reserve": 9}
        state = after(state, ("play", "luna"), ("replace", "1", "leo"))
        state = after(state, ("replace", "2", "leo"))
        assert [player["pieces"] for player in state["players"]] == [{"leo": 2}, {}, {}]
        assert [player["reserve"] for player in state["players"]] == [7, 10, 10]

    def test_venus_takes_two_sextants(self):
        state = table(bonus={"venus": 1}, studied=["venus"])
        state["row"] = {"sextant": 2, "aries": 2, "taurus": 2}
        state = after(state, ("play", "venus"), ("take", "sextant"), ("turn", "gemini"))
        state = after(state, ("take", "sextant"), ("turn", "gemini"))
        assert state["players"][0]["hand"] == {"sextant": 2}
        assert not state["acted"]

    @pytest.mark.parametrize(("studied", "left"), [([], 2), (["mars"], 1)])
    def test_mars_sends_pieces_home(self, studied, left):
        state = table(players=3, bonus={"mars": 1}, studied=studied)
        state["players"][1] |= {"pieces": {"leo": 2, "aries": 1}, "reserve": 7}
        state = after(state, ("play", "mars"))
        while who(state) == 1:
            state = apply(state, ("back", "leo"))
        assert sum(state["players"][1]["pieces"].values()) == left
        assert who(state) == 0

    def test_mercurius_moves_two_pieces_not_one_twice(self):
        state = table(bonus={"mercurius": 1}, pieces={"leo": 1, "aries": 1}, studied=["mercurius"])
        state = after(state, ("play", "mercurius"), ("move", "leo", "virgo"))
        assert {action[1] for action in actions(state)} == {"aries"}

    def test_sol_gives_turns(self):
        state = table(bonus={"sol": 1}, studied=["sol"])
        state = after(state, ("play", "sol"))
        assert not legal(state, ("end",))
        assert state["left"] == 3
        state = after(state | {"left": 0, "acted": True}, ("end",))
        assert (state["player"], state["left"]) == (1, 1)

    def test_saturnus_and_iupiter_take_cards(self):
        state = table(players=3, bonus={"saturnus": 1, "iupiter": 1}, studied=["iupiter"])
        state["players"][1]["hand"] = {"leo": 2}
        state["players"][2]["hand"] = {}
        state = after(state, ("play", "saturnus"), ("discard", "leo"))
        assert who(state) == 0
        state = after(state, ("play", "iupiter"), ("victim", "1"), ("stolen", "leo"))
        assert state["players"][0]["hand"] == {"leo": 1}
        assert not state["todo"]

    def test_a_sign_needs_no_body_but_keeps_to_the_third_piece(self):
        state = table(bonus={"ignis": 1}, pieces={"leo": 2, "sagittarius": 2})
        state = after(state, ("play", "ignis"))
        assert actions(state) == [("sign", "aries"), ("sign", "sagittarius")]
        assert actions(apply(state, ("sign", "sagittarius"))) == [("third", "mars")]


class TestTheEndOfARound:
    def state(self, **changes):
        late = {"event": "e6", "turn": 3, "player": 1, "acted": True, "left": 0}
        return table() | late | changes

    def test_planets_then_the_comet_which_sweeps_where_it_stops(self):
        state = self.state()
        state["planets"] = dict.fromkeys(PLANETS, "virgo") | {"luna": "aries", "mars": "taurus"}
        state["players"][1] |= {"pieces": {"taurus": 1, "gemini": 1, "cancer": 2}, "reserve": 6}
        state = after(state, ("end",), ("event", "e12"))
        assert [state["planets"][p] for p in ("luna", "mercurius", "mars")] == [
            *("taurus", "libra", "gemini")
        ]
        assert (state["comet"]["at"], state["comet"]["gone"]) == ("cancer", 3)
        assert state["players"][1]["pieces"] == {"taurus": 1, "gemini": 1}
        assert (state["first"], state["player"], state["turn"]) == (1, 1, 1)
        assert not state["over"]

    @pytest.mark.parametrize(("sol", "stops"), [("aries", "taurus"), ("leo", "aries")])
    def test_coming_to_the_start_or_passing_it_ends_the_game_after_the_sweep(self, sol, stops):
        state = self.state(comet={"at": "pisces", "start": "aries", "gone": 11})
        state["planets"] = dict.fromkeys(PLANETS, "virgo") | {"sol": sol}
        state["players"][0] |= {"pieces": {stops: 2}, "reserve": 8}
        state = after(state, ("end",))
        assert state["over"] == "comet"
        assert state["comet"]["at"] == stops
        assert state["players"][0]["pieces"] == {}

    def test_eclipsis(self):
        state = self.state()
        state["planets"] = dict.fromkeys(PLANETS, "virgo")
        state["players"][0] |= {"hand": {"leo": 1}, "pieces": {"virgo": 1, "gemini": 2}}
        state["players"][1] |= {"hand": {"leo": 3}, "pieces": {"leo": 1}}
        state = after(state, ("end",), ("event", "eclipsis"))
        assert [player["pieces"] for player in state["players"]] == [{"virgo": 1}, {}]
        state = after(state, ("discard", "leo"), ("discard", "leo"), ("discard", "leo"))
        assert [player["hand"] for player in state["players"]] == [{}, {"leo": 1}]
        assert who(state) == "chance"
        assert after(state, ("event", "e1"))["first"] == 1


def test_twelve_points_may_be_claimed():
    state = table(studied=["luna", "mercurius", "venus", "sol", "mars", "iupiter"], asteroids=3)
    state["players"][0]["secret"] = "S1"
    assert after(state, ("claim",))["claimed"] == "Ana"
    state["players"][0]["asteroids"] = 2
    assert not legal(state, ("claim",))


class TestEndStates:
    def test_ties(self):
        game = {"players": []}
        for name, studied, nova, pieces in [
            ("Ana", 3, 0, {"aries": 1}),
            ("Luis", 2, 2, {"aries": 2}),
            ("Eva", 3, 0, {"leo": 1}),
            ("Jan", 3, 0, {"leo": 2}),
        ]:
            player = {"name": name, "studied": PLANETS[4 : 4 + studied], "nova": nova}
            game["players"].append(player | {"secret": "S1", "pieces": pieces})
        assert score(game)["ranking"] == [["Jan"], ["Ana", "Eva"], ["Luis"]]
        assert score(game | {"claimed": "Luis"})["ranking"][0] == ["Luis"]

    def test_flags(self):
        ana = {"name": "Ana", "studied": [*PLANETS, "luna"], "nova": 2, "secret": "S1"}
        ana |= {"asteroids": 9, "pieces": {"leo": 3}}
        game = {"planets": MOON_LANDING, "comet": {"at": "taurus", "start": "taurus"}}
        game |= {"players": [ana], "asteroids": RING[:4]}
        assert score(game)["flags"] == {
            ("more_than_two", "Ana", "leo"),
            ("more_than_ten", "Ana"),
            ("studied_twice", "Ana", "luna"),
            ("more_asteroids_than_studies", "Ana"),
            ("went_on", "Ana"),
            ("comet_with_planet", "taurus"),
            ("more_than_twelve_asteroids",),
        }
        assert score(game)["totals"] == {"Ana": 10 + 3 + 2 + 3}

    def test_random_ends_show_every_flag_and_often_none(self):
        seen = Counter()
        for seed in range(400):
            flags = score(random_end(random.Random(seed)))["flags"]
            seen.update({flag[0] for flag in flags} or {"none"})
        assert set(seen) == {
            *("none", "more_than_two", "more_than_ten", "studied_twice", "went_on"),
            *("more_asteroids_than_studies", "comet_with_planet", "more_than_twelve_asteroids"),
        }
        assert seen["none"] > 100


def test_whole_games_keep_to_the_rules():
    """Nothing appears or vanishes, and what rests is as T39 and T37 have it."""
    ends, done = Counter(), Counter()
    for seed in range(40 if FULL_MATRIX else 12):
        for state, action in random_game(seed):
            done[action and action[0]] += 1
            cards, bonus = Counter(), Counter(state["bonus"])
            for heap in (state["deck"], state["row"], state["discard"]):
                cards.update(heap)
            for player in state["players"]:
                cards.update(player["hand"])
                bonus.update(player["bonus"])
                third = action and action[0] == "third"
                assert max(player["pieces"].values(), default=0) <= (3 if third else 2)
                pieces = sum(player["pieces"].values())
                assert player["reserve"] + pieces + len(player["studied"]) == 10
            assert cards == CONSTELLATION_CARDS
            assert bonus <= Counter(BONUS_CARDS)
            assert not planets_at(state, state["comet"]["at"])
        ends[state["over"]] += 1
        assert not score(game_file(state))["flags"] - {
            ("went_on", p["name"]) for p in state["players"]
        }
    assert set(ends) == {"claim", "comet"}
    assert len(done) == 26  # all that the second opinion's first lines list but "pass", and the end


def test_the_same_seed_plays_the_same_game():
    assert list(random_game(3)) == list(random_game(3))
    assert choose(table(), random.Random(2)) == choose(table(), random.Random(2))
