"""The simple player of Polaris: what it advises is legal, worth it, and said in words."""

import random
from dataclasses import replace

import pytest

from scorer.polaris.advice import ADVISOR, advise, why, why_so
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.game import Phase, Snapshot
from scorer.polaris.placing import too_dear
from scorer.polaris.score import score_game
from scorer.polaris.sky import Sky
from scorer.polaris.steps import STEPS, ChooseCard, Lay, LayOut, StepState
from scorer.polaris.table_state import PlayCard, TableState, TakeCard, TakeShootingStars, set_up
from tests.conftest import in_ci
from tests.scorer.polaris_tables import TURNS


def table(
    stars: dict[str, str], links: tuple[str, ...] = (), hand: tuple[str, ...] = ()
) -> TableState:
    """A table of three, dealt, with C11 at the New Moon; red has the turn and these cards."""
    dealt = TURNS.dealt(
        set_up([("Ana", "red"), ("Eva", "blue"), ("Jan", "yellow")]), random.Random(1)
    )
    seat = replace(dealt.seats[0], hand=hand, personal="PO1")
    sky = Sky(stars, links, 1, dealt.sky.board)
    cards = ("C11", "C15", "C12", "C4", "C5")
    return replace(dealt.with_seat(0, seat), sky=sky, objectives=cards)


@in_ci
def test_a_whole_game_by_its_advice_beats_a_beginner() -> None:
    luck = random.Random(2)
    state = STEPS.after(StepState(set_up([("0", "red"), ("1", "blue")])), LayOut())
    state = STEPS.dealt(state, luck)
    while not state.over:
        step = STEPS.by_itself(state)
        if step is None and not state.scored:
            strength = ("simple", "beginner")[state.table.turn]
            advice = ADVISOR.choose(state, strength, luck.getrandbits(32))
            assert STEPS.illegal(state, advice.action) is None, advice
            step = advice.action
        step = step or luck.choice(STEPS.actions(state))
        state = STEPS.dealt(STEPS.after(state, step), luck)
    totals = [player.total for player in score_game(state.table.to_game()).players]
    assert totals[0] > totals[1] + 20


@pytest.mark.parametrize("seed", range(4))
def test_a_beginner_joins_its_stars(seed: int) -> None:
    begun = table({"1b1": "red"}, hand=("new-B4",))
    state = StepState(begun, laid_out=True, card=PlayCard("new-B4", 1, 0))
    while (state := STEPS.after(state, ADVISOR.choose(state, "beginner", seed).action)).card:
        pass
    assert [one.size for one in PlayerStars(state.sky, "red").constellations] == [2]


def test_learners_lay_pieces_as_advised_and_practised_players_also_plan_some_turns() -> None:
    begun = StepState(table({"1b1": "red"}, hand=("new-B4",)), laid_out=True)
    laying = replace(begun, card=PlayCard("new-B4", 1, 0))
    best = ADVISOR.choose(laying, "simple")
    for name, lays, plans in (
        ("beginner", [False], [False]),
        ("learner", [True], [False]),
        ("practised", [True], [False, True]),
    ):
        assert sorted({ADVISOR.choose(laying, name, n) == best for n in range(30)}) == lays
        reasons = [ADVISOR.choose(begun, name, n).reason.key for n in range(30)]
        assert sorted({reason != "why_beginner" for reason in reasons}) == plans


def test_why_is_said_with_the_points() -> None:
    three = {"1b1": "red", "1b2": "red", "1b3": "red"}
    begun = table(three, ("1b1-1b2", "1b2-1b3"), ("new-B4",))
    play = PlayCard("new-B4", 1, 0, ("1b4",), ("1b3-1b4",))
    reason = why(begun, play)
    assert str(reason) == "Longest line: 4 instead of 3, 2 points more"
    assert reason.in_language("cs").endswith("4 místo 3, o 2 body víc")


def test_it_lays_what_counts_and_says_so_step_by_step() -> None:
    three = {"1b1": "red", "1b2": "red", "1b3": "red"}
    state = StepState(table(three, ("1b1-1b2", "1b2-1b3"), ("new-B4",)), laid_out=True)
    state = STEPS.after(state, ChooseCard("new-B4", 1))
    said = []
    while state.wants:
        advice = advise(state)
        said.append(str(advice.own_reason or advice.reason))
        state = STEPS.after(state, advice.action)
    line = PlayerStars(state.sky, "red").longest_line
    assert line is not None and line.size == 4
    assert said[-1] == "Longest line: 4 instead of 3, 2 points more"


def test_a_card_whose_sun_fills_the_dawn_is_advised_with_what_follows() -> None:
    others = ("gibbous-B1", "gibbous-B3", "gibbous-B4", "quarter-B1")  # a full hand takes no card
    three = {"1b1": "red", "1b2": "red", "1b3": "red"}
    begun = table(three, ("1b1-1b2", "1b2-1b3"), ("new-B6", *others))
    suns = [id for id, one in begun.edition.actions.items() if one.dawn]
    dawn = "; the end of the turn fills the dawn: +2 for you"
    for taken in (0, begun.free_dawn_spaces - 2, begun.free_dawn_spaces - 1):
        state = StepState(replace(begun, dawn=tuple(suns[:taken])), laid_out=True)
        advice = advise(state)
        assert isinstance(advice.action, ChooseCard)
        fills = taken == begun.free_dawn_spaces - 1
        assert [dawn in str(one) for one in (advice.reason, advice.own_reason)] == [fills, fills]


def test_with_an_empty_hand_it_takes_a_card() -> None:
    advice = advise(StepState(table({}), laid_out=True))
    assert isinstance(advice.action, TakeCard)
    assert "without a card in hand nothing can be placed" in str(advice.reason)


def test_in_the_last_turn_nothing_is_taken_that_can_no_longer_be_played() -> None:
    dealt = table({})
    phases = (Phase("C11", 0, Snapshot(dealt.sky)),) * 4
    last = replace(dealt, phases=phases, telescope=1)
    assert isinstance(advise(StepState(last, laid_out=True)).action, TakeShootingStars)
    sooner = replace(last, phases=phases[:3])
    assert isinstance(advise(StepState(sooner, laid_out=True)).action, TakeCard)


def test_nobody_is_advised_where_nobody_decides() -> None:
    with pytest.raises(ValueError, match="nobody decides"):
        advise(StepState(set_up([("0", "red"), ("1", "blue")])))
    with pytest.raises(KeyError):
        ADVISOR.choose(StepState(table({}), laid_out=True), "genius")


def test_it_does_not_look_at_what_others_hide() -> None:
    begun = table({}, hand=("new-B4", "full-B1"))
    other = begun.with_seat(1, replace(begun.seats[1], hand=("new-A1",), personal="PO9"))
    assert advise(StepState(begun, laid_out=True)) == advise(StepState(other, laid_out=True))


def test_a_link_has_a_reason_of_its_own() -> None:
    three = {"1b1": "red", "1b2": "red", "1b3": "red"}
    state = StepState(table(three, ("1b1-1b2", "1b2-1b3"), ("new-B4",)), laid_out=True)
    state = STEPS.after(state, ChooseCard("new-B4", 1))
    star = advise(state)
    assert star.action == Lay("red", "1b4")
    link = advise(STEPS.after(state, star.action))
    assert str(star.reason) == "the link that follows joins it to other stars"
    assert str(link.reason) == "Longest line: 4 instead of 3, 2 points more"


def test_what_everybody_reads_tells_nothing_of_the_secret_card() -> None:
    for personal in ("PO1", "PO2", "PO3", "PO9"):
        begun = table({"1b1": "red"}, hand=("new-B4",))
        begun = begun.with_seat(0, replace(begun.seats[0], personal=personal))
        state = STEPS.after(StepState(begun, laid_out=True), ChooseCard("new-B4", 1))
        while state.wants:
            advice = advise(state)
            assert "secret" not in str(advice.reason)
            state = STEPS.after(state, advice.action)


def test_advice_lights_what_is_free_and_names_no_id() -> None:
    three = {"1b1": "red", "1b2": "red", "1b3": "red"}
    begun = table(three, ("1b1-1b2", "1b2-1b3"), ("new-B4",))
    state = StepState(begun, laid_out=True)
    advice = advise(STEPS.after(state, ChooseCard("new-B4", 1)))
    assert advice.places and not {place.id for place in advice.places} & {*three}
    board = begun.sky.board
    told = advice.do.in_language("en", lambda id: POLARIS_GAME.spoken_place(board, id))
    said = f"{advice.own_reason} {told}"
    assert not [place for place in begun.sky.board.star_spaces if place in said.split()]


def test_what_changes_no_count_speaks_of_no_objective() -> None:
    """A link in another sector was advised with the stars that the next objective counts."""
    begun = table({"1b1": "red", "1b2": "red"}, hand=("new-B4",))
    reason = why_so(begun, begun.sky, begun.sky)
    assert str(reason) == "nothing that is scored grows by it yet; it makes room to grow"
    assert not [one for one in begun.edition.common.values() if str(one.name) in str(reason)]


@pytest.mark.parametrize(
    ("held", "said"), [(0, "you have none"), (1, "you have only 1")], ids=["none", "one"]
)
def test_what_cannot_be_paid_is_said_with_what_there_is(held: int, said: str) -> None:
    broken = too_dear("P43", 2, held)
    assert broken.kind == "too_dear" and str(broken.reason).endswith(said)


@pytest.mark.parametrize("seed", range(4))
def test_a_beginner_places_a_piece_of_each_card_that_it_plays(seed: int) -> None:
    """Although a lonely star costs points."""
    state = StepState(table({}, hand=("new-B4",)), laid_out=True, card=PlayCard("new-B4", 1, 0))
    assert isinstance(ADVISOR.choose(state, "beginner", seed).action, Lay)


def test_the_next_best_sector_and_the_next_best_place_are_compared() -> None:
    begun = StepState(table({"1b1": "red"}, hand=("new-B4", "new-B5")), laid_out=True)
    told = advise(begun)
    assert told.others and all(one.less >= 0 for one in told.others)
    assert not any("new-B" in str(one.do) for one in told.others), "a hand is hidden"
    laying = replace(begun, card=PlayCard("new-B4", 1, 0))
    piece = advise(laying)
    places = [one.action for one in (piece, *piece.others)]
    assert len({*places}) == len(places) == 3 and all(isinstance(one, Lay) for one in places)
    assert all(STEPS.illegal(laying, one) is None for one in places)


def test_points_of_fewer_lonely_stars_are_not_explained_by_constellations() -> None:
    begun = replace(table({"4b1": "red", "4b2": "red"}), objectives=("C1", "C2", "C3", "C4", "C5"))
    joined = replace(begun.sky, links=frozenset({"4b1-4b2"}))
    assert str(why_so(begun, begun.sky, joined)) == "2 lonely stars fewer: 4 points more at the end"


def test_points_for_the_most_are_in_what_is_said_to_be_gained() -> None:
    """The page counts them, so a hint with the tier alone contradicted it."""

    def said(own: int, others: int) -> str:
        spaces = [f"{sector}b2" for sector in range(1, 6)]
        stars = dict.fromkeys(spaces[:own], "red")
        stars |= dict.fromkeys([f"{sector}a2" for sector in range(1, others + 1)], "blue")
        begun = replace(table(stars), objectives=("C7", "C15", "C12", "C4", "C5"))
        then = replace(begun.sky, stars={**stars, spaces[own]: "red"})
        return str(why_so(begun, begun.sky, then))

    assert said(1, 2) == "Stars in orbit 2: 2 instead of 1, 6 points more"
    assert said(0, 1) == "Stars in orbit 2: 1 instead of 0, 3 points more"
    assert said(0, 2) == "Stars in orbit 2: then 1, and 1 more star for 6 points more"
    assert said(0, 5) == "Stars in orbit 2: then 1, and 1 more star for 3 points more"
