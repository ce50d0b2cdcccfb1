"""Computer players: what they may do, what they may see, and how they explain themselves."""

import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.card import CARDS
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.playing import TURNS
from scorer.nebula.result import Table
from scorer.nebula.simulation import moves
from scorer.nebula.strategies import STRATEGIES
from scorer.nebula.strategies.masks import MaskedBoard
from scorer.nebula.strategies.outlook import Outlook
from scorer.nebula.strategies.reasons import reason, why
from scorer.nebula.strategies.turn_plan import TurnPlan, claimed, ways_to_collect
from scorer.nebula.turns import actions as act
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import CARD_BACK, Hand, Phase, Rules, State
from scorer.nebula.words import COLOURS
from scorer.sentence import LANGUAGES, Sentence
from tests.scorer.nebula_tables import moments, table

ADVISOR = NEBULA.advisor
FIVE_OF_EACH = Galaxy(
    {"core": "white"}
    | dict.fromkeys(["ge1", "ca2", "ca3", "ta2", "ta3"], "red")
    | dict.fromkeys(["ca1", "ca5", "ge2", "ta1", "ta5"], "blue")
)
PLAYING = {
    Phase.CHOOSE, Phase.COLLECT, Phase.KEEP, Phase.PLACE, Phase.BOOST, Phase.TOKEN, Phase.CLAIM
}  # fmt: skip


@cache
def decisions(mode: str = "full", players: int = 2) -> tuple[State, ...]:
    """A state of each kind, and some more, of games that a middling player plays."""
    found: list[State] = []
    luck = random.Random(0)
    seats = [STRATEGIES["planner"], *[STRATEGIES["remodeller"]] * (players - 1)]
    for index in range(4):
        for state, _, _ in moves(Rules(players, mode), seats, seed=0, index=index):
            is_new = state.phase not in {one.phase for one in found}
            if play.actions(state) and (is_new or luck.random() < 0.03):
                found.append(state)
    return tuple(found)


def random_galaxies(count: int) -> list[Galaxy]:
    ends = [list(moments(Rules(), f"masks {n}")) for n in range(2)]
    steps = [step for game in ends for step in game if step[2].turn]
    return [state.seats[0].galaxy for _, _, state in random.Random(1).sample(steps, count)]


class TestWhatTheyMay:
    @pytest.mark.parametrize("name", STRATEGIES)
    def test_only_what_is_legal(self, name):
        assert {state.phase for state in decisions()} == PLAYING
        mind = random.Random(name)
        for state in (*decisions(), *decisions("intro", 3)):
            seen = play.seen_by(state, state.player)
            action = STRATEGIES[name](seen, play.actions(seen), mind)
            assert play.illegal(state, action) is None

    @pytest.mark.parametrize("strength", TURNS.strengths)
    def test_a_card_that_is_hidden_from_them_changes_nothing(self, strength):
        for state in decisions()[::3]:
            chosen = ADVISOR.choose(state, strength, seed=4)
            for card in ("O19", "O3", CARD_BACK):
                hands = [
                    hand if seat == state.player else Hand((card, card), card)
                    for seat, hand in enumerate(state.hands)
                ]
                assert ADVISOR.choose(state.but(hands=tuple(hands)), strength, seed=4) == chosen

    @pytest.mark.parametrize("colour", ["red", "blue"])
    def test_their_own_card_does(self, colour):
        advice = ADVISOR.choose(with_card(many_of(colour)), "medium")
        assert advice.action.star == colour
        assert advice.reason.key != "why_secret", "nobody reads it in the reason"


class TestAdvice:
    def test_the_strengths_are_named(self):
        kept = ["beginner", "easy", "medium", "strong"]
        ordered = [name for name in TURNS.strengths if name in kept]
        assert ordered == kept, "saved games name these, weakest first"
        for strength in TURNS.strengths.values():
            for words in (strength.name, strength.about):
                assert len({words.in_language(language) for language in LANGUAGES}) == 3

    @pytest.mark.parametrize("strength", TURNS.strengths)
    def test_a_move_is_legal_explained_and_the_same_when_asked_again(self, strength):
        for state in decisions()[::2]:
            advice = ADVISOR.choose(state, strength, seed=9)
            assert play.illegal(state, advice.action) is None
            assert isinstance(advice.reason, Sentence)
            assert all(advice.reason.in_language(language) for language in LANGUAGES)
            assert ADVISOR.choose(state, strength, seed=9) == advice

    def test_the_first_star_goes_where_it_must(self):
        state = table(Phase.PLACE, reserve=["red"], career=(), markers=())
        state = state.but(hands=(Hand(("O2", "O20"), "O2"), state.hands[1]))
        for strength in ("medium", "strong"):
            reason = ADVISOR.choose(state, strength).reason
            assert (strength, reason.key) == (strength, "first_on_core")

    def test_no_reason_names_the_personal_card(self):
        card = CARDS[many_of("red")]
        advice = ADVISOR.choose(with_card(card.id), "strong")
        assert advice.reason.key != "why_secret", "everybody reads it"
        assert advice.own_reason.key == "why_secret", "whoever it is reads that alone"
        for text in (advice.reason, advice.own_reason, advice.do):
            assert card.name not in text and card.id not in text

    def test_advice_says_why_and_what_in_each_language(self):
        for state in decisions()[::3]:
            advice = ADVISOR.choose(state, "strong")
            for text in (advice.own_reason, advice.do):
                assert len({text.in_language(language) for language in LANGUAGES}) == 3
            if state.phase is Phase.PLACE and hasattr(advice.action, "star"):
                (place,) = advice.places
                if isinstance(advice.action, act.PlaceOnTrack):
                    assert (place.kind, place.slot) == ("track", state.seat.galaxy.black)
                else:
                    assert place.id == advice.action.space

    def test_the_personal_card_that_goes_with_a_career_card_is_kept(self):
        state = table(Phase.CHOOSE, career=("V12", "V19"), markers=((), ()))
        state = state.but(hands=(Hand(("O10", "O5"), None), state.hands[1]))
        advice = ADVISOR.choose(state, "strong")
        assert advice.action == act.ChoosePersonal("O5")
        assert "goes with what lies open" in advice.own_reason
        assert "All indirect links occupied" in advice.own_reason
        assert advice.reason.key == "why_personal", "everybody reads it"
        state = state.but(career=("V1",), markers=((),))
        assert "neither goes with" in ADVISOR.choose(state, "strong").own_reason

    def test_where_nobody_decides_nothing_is_advised(self):
        for state in (new_game(Rules()), table(Phase.OVER)):
            with pytest.raises(ValueError, match="no player decides"):
                ADVISOR.choose(state, "easy")
        with pytest.raises(KeyError):
            ADVISOR.choose(table(), "unbeatable")


def with_card(card: str) -> State:
    """A table at which one star more may be placed, and nothing but a personal card matters."""
    reserve, hand = ["red", "blue"], Hand((card, "O20"), card)
    state = table(Phase.PLACE, reserve=reserve, galaxy=FIVE_OF_EACH, placed=("white",))
    return state.but(hands=(hand, state.hands[1]), career=(), markers=())


def many_of(colour: str) -> str:
    """The personal card that asks for many stars of a colour."""
    (card,) = (
        id
        for id, card in CARDS.items()
        if card.family == "stars_of_colour" and card.parameters["colour"] == colour
    )
    return card


class TestMasks:
    def test_a_galaxy_becomes_masks_and_a_galaxy_again(self):
        board = MaskedBoard(STANDARD_BOARD)
        for galaxy in random_galaxies(20):
            assert board.galaxy(board.masks(galaxy)) == galaxy

    def test_the_same_spaces_are_open(self):
        board = MaskedBoard(STANDARD_BOARD)
        for galaxy in (Galaxy({}), Galaxy({"core": "red"}), *random_galaxies(40)):
            lying = board.masks(galaxy)
            for colour in COLOURS:
                open_to = board.names(board.open_to(lying, STARS.index(colour)))
                assert open_to == galaxy.open_to(colour)

    @pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
    def test_what_is_remembered_of_a_card_is_what_it_says(self, card):
        board = MaskedBoard(STANDARD_BOARD)
        for black in (0, 2):
            at = Table((black,), markers=black)
            check = board.checker(card, at)
            for galaxy in random_galaxies_of_a_module():
                result = card.check(galaxy, at)
                assert check(board.masks(galaxy)) == (result.progress, result.count or 0)

    def test_an_outlook_is_the_sum_of_its_parts(self):
        for state in decisions():
            outlook = Outlook(state, state.player)
            parts = outlook.parts(outlook.masks)
            assert outlook.now == pytest.approx(outlook.sure + sum(parts.values()))


@cache
def random_galaxies_of_a_module() -> tuple[Galaxy, ...]:
    return tuple(random_galaxies(60))


def test_the_best_rest_of_a_turn_is_the_best_of_all() -> None:
    """Of every way to place up to two more stars, with the markers for what they fulfil."""
    compared, gained = 0, 0
    for before, _action, _after in moments(Rules(), "rest", best_first):
        actions = play.actions(before) if before.phase is Phase.PLACE else ()
        mine = [one for one in actions if isinstance(one, act.Place)]
        if not mine or len(before.seat.reserve.kinds) > 3:
            continue
        seat, start = before.player, points(before, before.player)
        for action, end in TURNS.rest_of_turn(before, mine[:6]):
            every = [
                points(claimed(one), seat) for one in placed_on(play.after_legal(before, action))
            ]
            assert points(end, seat) == max(every)
            compared, gained = compared + 1, gained + (max(every) > start)
    assert compared > 50 and gained > 5


def best_first(state: State, actions: Sequence[Action], mind: random.Random) -> Action:
    return STRATEGIES["greedy"](state, actions, mind)


def points(state: State, seat: int) -> int:
    return TURNS.score(state).players[seat].total


def placed_on(state: State) -> Iterator[State]:
    yield state
    for action in play.actions(state) if state.phase is Phase.PLACE else ():
        if not isinstance(action, act.EndPlacing):
            yield from placed_on(play.after_legal(state, action))


def test_a_reason_for_progress_states_the_count_before() -> None:
    colours = dict(
        zip(["ar1", "ar2", "ar3", "ar4"], ["red", "blue", "white", "orange"], strict=True)
    )
    galaxy = Galaxy(colours | {"core": "white", "ar5": "red", "ar6": "purple"})
    state = table(Phase.PLACE, galaxy=galaxy, reserve=["red"])
    masks = MaskedBoard(STANDARD_BOARD).masks(galaxy.with_star("ar6", "red"))
    said = str(why(state, masks))
    assert "filled, in red, blue, white and orange; exactly 3 colours needed; before: " in said
    assert said.endswith("before: 6 of 6 spaces, 5 colours")


def test_a_reason_that_is_a_constellation_names_the_dearest_card_that_comes_nearer() -> None:
    galaxy = Galaxy({"core": "white", "ar1": "red", "ar2": "blue"})
    place = act.Place("orange", "ar4")
    cards = {"career": ("V17", "V18"), "markers": ((1,), ())}
    state = table(Phase.PLACE, galaxy=galaxy, reserve=["orange"], **cards)
    said = str(reason(state, place))
    assert said.startswith("Aries fills up: 3 of 6 spaces")
    assert said.endswith("; “Two adjacent constellations”, worth 16, comes closer, too")


def test_a_new_boosted_star_from_the_bag_is_a_choice_among_several() -> None:
    state = table(Phase.BOOST, reserve=["red"], boosted="black")
    bag, *others = play.actions(state)
    assert str(reason(state, bag)).startswith("from the bag it costs no star of the reserve")
    assert all(str(reason(state, one)).startswith("a boosted star of that") for one in others)


def test_a_hint_compares_with_the_next_best_at_each_decision() -> None:
    further = set[str]()
    compared = set[Phase]()
    for state in decisions():
        advice = ADVISOR.choose(state, "strong", seed=1)
        legal = play.actions(play.seen_by(state, state.player))
        every = [one.action for one in (advice, *advice.others)]
        assert len({*every}) == len(every) and {*every} <= {*legal}
        further |= {getattr(one, "star", "") for one in every[3:]}
        actions = every[:3]
        assert all(one.less >= 0 and str(one.do) for one in advice.others)
        if isinstance(advice.action, act.Place) and len(actions) == 3:
            alike = [one for one in actions if getattr(one, "star", "") == advice.action.star]
            assert len(alike) == 2, "the same star elsewhere, and another star or none"
        if advice.others:
            compared.add(state.phase)
    assert further - {""}, "the best place of other stars, for whoever has begun with one"
    assert {Phase.COLLECT, Phase.PLACE, Phase.TOKEN, Phase.KEEP} <= compared


@pytest.mark.parametrize(
    ("reserve", "returned", "kept"),
    [(("red", "black"), "black", True), (("red", "black"), "red", False)],
)
def test_chaos_says_what_the_rest_of_the_reserve_is_for(
    reserve: Sequence[str], returned: str, kept: bool
) -> None:
    """The star that finishes a constellation is not to be given up."""
    own = {"core": "orange", "ta1": "yellow", "ta2": "blue", "ta3": "blue", "ta4": "white"}
    state = table(Phase.COLLECT, reserve=reserve, galaxy=Galaxy({**own, "ta5": "yellow"}))
    said = str(reason(state, act.TurnToChaos(returned)))
    assert said.startswith("by estimate the bag may bring more")
    assert ("keep red, to place in this turn: it finishes Taurus: 6 points" in said) is kept


def test_what_would_finish_something_is_neither_given_up_nor_passed_over() -> None:
    """A nearly full constellation is worth nearly as much, so that finishing it gained little."""
    gemini = dict(zip((f"ge{n}" for n in range(1, 7)), COLOURS, strict=True))
    own = {"core": "orange", "ta1": "yellow", "ta2": "blue", "ta3": "blue", "ta4": "white"}
    galaxy = Galaxy({**own, **gemini, "ta5": "yellow"}, 4)
    rules = Rules(mode="intro")
    state = table(
        rules=rules, reserve=("red", "black"), galaxy=galaxy, career=("V18",), markers=((),)
    )
    for seed in range(3):
        ways = dict(ways_to_collect(TurnPlan(state), state, random.Random(seed)))
        assert act.TurnToChaos("black") in ways and act.TurnToChaos("red") not in ways
    said = str(reason(state, act.TurnToChaos("black")))
    assert "it fulfils “Two adjacent constellations” before anybody else: 16 points" in said
    placed = str(reason(state.but(phase=Phase.PLACE), act.Place("red", "ta6")))
    assert placed.endswith(": 16 points; besides, it brings a full Taurus (6 points)")
    later = state.but(seats=(state.seat.but(galaxy=Galaxy(own)), state.seats[1]))
    assert act.TurnToChaos("red") in dict(ways_to_collect(TurnPlan(later), later, random.Random(1)))


def test_a_finishing_reason_also_counts_the_points_of_the_black_star() -> None:
    gemini = dict(zip((f"ge{n}" for n in range(1, 7)), COLOURS, strict=True))
    own = {"core": "orange", "ta1": "yellow", "ta2": "blue", "ta3": "blue", "ta4": "white"}
    galaxy = Galaxy({**own, **gemini, "ta5": "yellow"}, 4)
    changes = {"rules": Rules(mode="intro"), "career": ("V18",), "markers": ((),)}
    state = table(Phase.KEEP, galaxy=galaxy, drawn=("red", "black"), **changes)
    said = str(reason(state, act.Keep(("red", "black"))))
    assert said.endswith("a full Taurus (6 points) and 3 more points on the black-star track")
    without = str(reason(state, act.Keep(("red", "white"))))
    assert "full Taurus" in without and "black-star track" not in without


def test_a_reason_says_which_card_the_star_that_follows_makes_harder() -> None:
    """A fourth colour fills Taurus, whose card asks for exactly three."""
    colours = ("white", "purple", "red", "purple", "blue", "red", "blue")
    own = dict(zip(("core", *(f"ar{n}" for n in range(1, 7))), colours, strict=True))
    own |= {"ta1": "red", "ta2": "white", "ta3": "purple", "ta4": "purple", "ta5": "white"}
    state = table(
        Phase.PLACE,
        rules=Rules(mode="intro"),
        reserve=("yellow", "yellow", "white", "blue", "black"),
        galaxy=Galaxy(own, 4),
        career=("V14", "V11", "V2", "V1"),
        markers=((), (), (), (0, 1)),
    )
    said = str(reason(state, act.PlaceOnTrack()))
    assert "it finishes Taurus: 6 points" in said
    assert "; but that makes “Taurus in three colours” (16 points) harder" in said
