"""A guided game of Ptolemaeus: what it asks, what each choice brings, what follows."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask import Flask

from calibration import load_profile
from scorer.ptolemaeus.advice import ADVISOR, ASTRONOMER
from scorer.ptolemaeus.edition import PLANETS, STANDARD
from scorer.ptolemaeus.effects import coming
from scorer.ptolemaeus.state import (
    End,
    Lift,
    Observe,
    Pay,
    State,
    Study,
    Task,
)
from scorer.ptolemaeus.turns import TURNS
from scorer.turns import Advice
from tests.conftest import FULL_MATRIX
from tests.scorer.ptolemaeus_tables import did, played_at_random, table
from webapp.app.boards.board_drawing import draw
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import History, Moment, SeenHistory
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.app.session.game_document import new_game
from webapp.games.ptolemaeus.views import (
    after_round,
    arriving,
    hand,
    most_missed,
    sky,
    standing,
    to_study,
)
from webapp.web.guide_handover import changed_by_computer, of_computer
from webapp.web.guide_hints import hints
from webapp.web.guide_questions import Asked, describe
from webapp.web.guide_view_model import GuideViewModel, view, waiting_view

TWO = {"players": [{"name": "Ana"}, {"name": "Eva"}]}


@pytest.fixture
def part(app: Flask) -> Iterator[GuidedGame]:
    """The game's guide, within a request."""
    with app.test_request_context("/lessons/ptolemaeus/trine"):
        yield pages_of("ptolemaeus").guided


def test_the_only_way_to_pay_for_a_piece_is_one_tap(part: GuidedGame) -> None:
    """Where several pieces are paid for, in any order, and the player sees the cards already."""
    state = table("gemini sagittarius", venus="gemini", mars="sagittarius")
    state = did(state, "observe opposition gemini")
    shown, unseen = (Asked(part, state, "", is_shown=one) for one in (True, False))
    choices = {one.action: one.draft for one in shown.question(TWO).choices}
    assert choices == {Pay("gemini", ("gemini",)): "", Pay("sagittarius", ("sagittarius",)): ""}
    assert [one.action for one in unseen.question(TWO).choices] == [None, None]


def test_what_follows_is_reported_with_what_hands_do(part: GuidedGame) -> None:
    names = ["Ana", "Eva"]

    def said(before: State, line: str) -> str:
        action = TURNS.read_action(line)
        return str(part.describe(before, action, TURNS.after(before, action), names))

    before = replace(table(comet="aquarius"), todo=(Task("travel", places=("comet",)),))
    assert said(before, "travel comet pisces").endswith("moves to Pisces.")
    swept = before.with_seat(0, before.seats[0].shifted({"pisces": 1}))
    assert "the pieces there go back" in said(swept, "travel comet pisces")
    jumps = replace(before, comet="aries")
    assert "jumped over Taurus" in said(jumps, "travel comet leo"), "T62"
    crowded = replace(before, todo=(Task("reveal"),), open=("aries", "leo") * 2 + ("sextant",))
    assert "Five lie open of one colour" in said(crowded, "reveal sagittarius")
    ends = replace(did(table(), "take deck", "take deck"), acted=1)
    assert "move the turn marker to 2" in said(ends, "end")
    others = table(pieces=[{"leo": 2, "aries": 1, "virgo": 1}], venus="leo")
    others = did(others, "take deck", "take deck")
    assert "from Aries and Virgo and two from Leo" in said(others, "study venus aries virgo")


def test_the_round_that_brings_the_comet_home_is_said_to_be_the_last() -> None:
    """Also over planets that are on the next constellations once the event's have moved."""

    def said(**changes: Any) -> str:
        state = replace(table(), event="E1", round=4, **changes)
        return str(dict(standing(state, ["Ana", "Eva"]))["comet"])

    assert "comet 5 of 12" in said(travelled=5)
    assert "last round: after it the comet is home" in said(travelled=11)
    moving = STANDARD.events["E1"]
    for at, expected in (("aquarius", "last round"), ("pisces", "comet 10 of 12")):
        planets = tuple(at if one == moving[0] else "leo" for one in PLANETS)
        assert expected in said(comet="aquarius", travelled=10, start="aries", planets=planets)


def test_a_choice_between_players_shows_their_names(part: GuidedGame) -> None:
    document = new_game([("Ana", "blue"), ("Eva", "yellow")], part.pages.first_mode, "ptolemaeus")
    state = replace(table("", "leo"), todo=(Task("rob"),))
    words = [one.words for one in Asked(part, state).question(document).choices]
    (action,) = TURNS.actions(state)
    told = describe(part, state, action, TURNS.after(state, action), document)
    hint, _advice = hints(part, state, part.advisor.choose(state, "astronomer"), "", document)
    assert TURNS.write_action(action) == "rob yellow"
    assert (words, told) == (["Take a card from Eva"], "Ana takes a card from Eva.")
    assert hint.startswith("Take a card from Eva. ")


def test_what_a_computer_does_twice_is_said_once(part: GuidedGame) -> None:
    state = table()
    take = TURNS.read_action("take deck")
    once = did(state, "take deck")
    turn = [
        (state, Moment(take, "computer", once)),
        (once, Moment(take, "itself", did(once, "take deck"))),
    ]
    seen = SeenHistory(None, {"computers": ["easy", ""], "draws": "program"}, state, (), 0)
    question = of_computer(part, seen, turn, Advice(take, "It needs cards"), TWO)
    assert question.words == "Ana takes 2 cards from the deck."
    assert question.about[1] == []


def test_the_points_of_a_computers_turn_are_said(part: GuidedGame) -> None:
    state = table()
    studied = state.with_seat(0, studied=("luna",))
    seen = SeenHistory(None, {"computers": ["easy", ""], "draws": "program"}, state, (), 0)
    named = new_game([("Ana", "blue"), ("Eva", "yellow")], part.pages.first_mode, "ptolemaeus")
    told, none = (
        changed_by_computer(
            part, seen, [(state, Moment(TURNS.read_action("end"), "computer", now))], named, [1]
        )
        for now in (studied, state)
    )
    same = "For Eva: the same points in view."
    assert (told, none) == ([f"For Ana: points in view +1 (Planets studied). {same}"], [same])


def test_each_choice_says_what_it_brings_and_is_lit_on_the_board(part: GuidedGame) -> None:

    def asked(state: State, draft: str = "") -> Question:
        return Asked(part, state, draft, is_shown=True).question(TWO)

    def notes(state: State, draft: str = "") -> dict[str, str]:
        return {one.words: one.note for one in asked(state, draft).choices}

    three = did(
        table("leo", pieces=[{"leo": 2}], venus="leo"),
        "observe constellation leo",
        "pay leo leo",
    )
    assert notes(three)["study Venus in Leo"] == "1 point now, a bonus card, an asteroid"
    bare = replace(three, asteroids=())
    assert notes(bare)["study Venus in Leo"].endswith("; no asteroid is left there")
    several = table(pieces=[{"leo": 2, "aries": 2, "virgo": 1}], venus="leo")
    several = replace(several, acting=True, actions=0)
    assert "points now: Venus +1" in notes(several)["study a planet"]
    assert "take Leo (× 2 there)" in notes(replace(table(), open=("leo", "leo", "aries")), "take")
    placed = replace(table(venus="leo"), played=("signa_ignis",))
    placed = replace(placed, todo=(Task("place", places=("leo", "gemini")),))
    assert notes(placed) == {
        "Put a piece on Leo": "not studied yet, there: Venus",
        "Put a piece on Gemini": "no planet for you there now",
    }
    assert [one.id for one in asked(placed).shown] == ["leo", "gemini"]
    swapped = table(pieces=[{}, {"leo": 1}], venus="leo")
    swapped = replace(swapped, todo=(Task("swap"),), played=("nova_luna",))
    assert notes(swapped) == {"Replace a piece on Leo: Eva": "not studied yet, there: Venus"}
    observed = table("gemini sagittarius", venus="gemini", mars="sagittarius")
    opposition = "Observe the opposition of Gemini and Sagittarius"
    assert notes(observed, "observe")[opposition].endswith("there: Venus, Mars")
    turned = [one.words for one in asked(replace(table(), open=("virgo", "aries")), "take").choices]
    assert turned[1:] == ["take Virgo", "take Aries"], "as they lie on the table"
    assert not asked(table()).shown, "nothing of the whole turn is named by a place"


def test_the_end_tells_the_secret_objectives() -> None:
    over = replace(table(), over=True)
    for seat in (0, None):
        told = TURNS.ending(TURNS.seen_by(over, seat), ["Ana", "Eva"])
        assert [str(told).count(name) for name in ("Ana: ", "Eva: ")] == [1, 1]
    hidden = TURNS.seen_by(table(), None)
    assert "objectives" not in TURNS.ending(hidden, ["Ana", "Eva"])


def test_where_bodies_will_be_after_the_round_is_said_in_it() -> None:
    def said(own: State) -> str:
        return str(dict(standing(own, ["Ana", "Eva"])).get("event", ""))

    state = replace(table(pieces=[{"virgo": 2}], comet="cancer"), event="E1")
    assert all(f"{TURNS.words.word(one)} to " in said(state) for one in STANDARD.events["E1"])
    assert said(state).endswith("; pieces on Virgo then go back to their reserve (Ana 2)")
    both = state.with_seat(1, state.seats[1].shifted({"virgo": 1}))
    assert said(both).endswith("(Ana 2, Eva 1)"), "T64"
    assert said(state.with_seat(0, pieces=(0,) * 12)).endswith("the comet to Virgo")
    for kind, is_said in (("pay", True), ("travel", False)):
        assert bool(said(replace(state, todo=(Task(kind, places=("luna",)),)))) is is_said


def test_how_many_turns_everybody_has_left_at_most_is_said() -> None:
    names, ended, rounds = ["Ana", "Eva", "Iva"], Counter[str](), Counter[bool]()
    for state, action in reversed(played_at_random(3, 2)):
        if isinstance(action, End) and not state.over:
            said = " ".join(str(one) for _term, one in standing(state, names))
            left = {name: int(n) for name, n in re.findall(r"(\w+) (\d+)[,;]", said)}
            is_last = "last round" in said
            rounds[is_last] += 1
            assert all(
                left[one] == ended[one] if is_last else left[one] >= ended[one] for one in names
            )
            ended[names[state.mover]] += 1
    assert rounds[True] == 9 and rounds[False] > 9


def test_a_hand_says_what_its_secret_objective_and_the_twelve_points_lack() -> None:
    planets = STANDARD.secrets["S1"]
    for studied, left, more, least in (
        (planets[:1], f"; not studied yet: {', '.join(map(TURNS.words.word, planets[1:]))}", 11, 3),
        (planets, "", 5, 2),
        (PLANETS[:6], "", 1, 1),
    ):
        secret, *_cards, points = map(str, hand(table(studied=studied), 0))
        assert secret.partition(";")[2] == left[1:].replace(", ", " and ")
        planets_more = f"{least} more {'planet' if least == 1 else 'planets'}"
        assert points.endswith(f"twelve win: {more} more, so at least {planets_more}")
        may_study = table(studied=studied, bonus=("nova_luna",))
        last = replace(may_study, round=6, travelled=11, acted=4)
        *_others, points = map(str, hand(last, 0))
        assert points.endswith("twelve win") is (least > 1), "a turn studies one planet at most"


def followed(state: State, only: tuple[type, ...]) -> Iterator[Study]:
    """The studies that can follow in a turn by actions of these kinds."""
    steps = [one for one, _odds in TURNS.outcomes(state)][:1] or [
        one for one in TURNS.actions(state) if isinstance(one, only)
    ]
    for one in steps:
        if isinstance(one, Study):
            yield one
        yield from followed(TURNS.after(state, one), only)


def test_which_planets_an_observation_lets_a_player_study_is_so(part: GuidedGame) -> None:
    """In each state, with all ways to pay, to take up pieces and to study."""
    luck, state, seen = Random(4), TURNS.start({"players": 2}), Counter[bool]()
    while seen.total() < (120 if FULL_MATRIX else 14):
        state = TURNS.dealt(state, luck)
        ways = TURNS.actions(state)
        if not ways:
            state = TURNS.start({"players": 2})
            continue
        observes = [one for one in ways if isinstance(one, Observe)]
        if observes and luck.random() < 0.3:
            (note, *each) = (
                str(one.note) for own in (Observe, *observes) if (one := part.look(state, own))
            )
            after = [TURNS.after(state, one) for one in observes]
            can = [{*map(_planet, followed(one, (Pay, Lift, Study)))} for one in after]
            said = [{*re.findall(r"(\w+) \+\d", one.partition("can study: ")[2])} for one in each]
            assert said == can
            assert {*re.findall(r"(\w+) \+\d", note)} == set().union(*can)
            if "in this turn that studies no planet" in note:
                assert not any(can)
            seen[any(can)] += 1
        state = TURNS.after(state, ADVISOR.choose(state, ASTRONOMER).action)
    assert min(seen[True], seen[False]) > 2


def _planet(study: Study) -> str:
    return TURNS.words.word(study.planet)


def test_illegal_observations_are_listed_with_the_legal_one(part: GuidedGame) -> None:
    """Of two conjunctions the cards pay for one: the other says why not."""
    state = table("cancer cancer")
    choices = Asked(part, state, "observe", is_shown=True).question(TWO).choices
    broken = {
        one.words: TURNS.illegal(state, one.action)
        for one in choices
        if isinstance(one.action, Observe) and one.action.what == "conjunction"
    }
    assert [bool(why) for why in broken.values()] == [False, True]
    assert "do not pay" in str(broken["Observe the conjunction in Libra"])


def test_a_first_and_a_last_turn_say_what_counts(part: GuidedGame) -> None:
    last = replace(table("leo", venus="leo"), round=6, travelled=11, acted=5, first=1)
    placed = replace(last, todo=(Task("place", places=("leo",)),), played=("signa_ignis",))
    placed = replace(placed, actions=0, acting=True)
    assert "your secret objective" in Asked(part, table(), is_first=True).question(TWO).hint
    for state, is_said in ((last, True), (placed, True), (replace(last, acted=3), False)):
        hint = Asked(part, state).question(TWO).hint
        assert ("except Nova Constellatio" in hint) is is_said
        assert ("Ties: planets studied, then pieces" in hint) is is_said, "T76"
    for pieces, note in (
        ({}, "your turns are over: nothing more is studied"),
        ({"leo": 2}, "can study there in this turn: Venus +1"),
    ):
        state = placed.with_seat(0, placed.seats[0].shifted(pieces))
        assert [one.note for one in Asked(part, state).question(TWO).choices] == [note]


def test_a_card_to_take_says_what_it_would_pay_for_and_a_payment_what_is_left(
    part: GuidedGame,
) -> None:
    def notes(state: State) -> dict[str, str]:
        return {one.words: one.note for one in Asked(part, state, "take").question(TWO).choices}

    now = notes(table("leo"))
    assert now["take Cancer"] == "Sol there; Mercurius there, this round only"
    assert now["take Aries"] == "no planet for you there", "but the comet"
    assert notes(table("leo", comet="pisces"))["take Virgo"].startswith("no planet there")
    last = notes(replace(table("leo"), travelled=11))
    assert last["take Cancer"] == "Mercurius, Sol there", "there is no next round"
    studied = table("leo", studied=["mercurius", "sol", "venus"])
    assert notes(studied)["take Cancer"] == "no planet for you there"
    moved = replace(table("leo"), event="E1", open=("scorpius",))
    assert notes(moved)["take Scorpius"] == "Luna there next round"
    paid = did(table("leo leo virgo", comet="leo"), "observe constellation leo")
    (one,) = Asked(part, paid, is_shown=True).question(TWO).choices
    assert one.note == "then you hold 2 cards"


def test_a_few_impossible_choices_stay_in_sight() -> None:
    """Those that fill up three choices, or all if there are no more than three."""
    broken = TURNS.illegal(table(), TURNS.read_action("observe constellation leo"))
    for possible, impossible, folded in ((1, 4, 2), (2, 5, 4), (1, 3, 0), (3, 3, 0), (0, 4, 0)):
        seen = object.__new__(GuideViewModel)
        choices = [(Choice("take"), None)] * possible + [(Choice("observe"), broken)] * impossible
        object.__setattr__(seen, "choices", choices)
        assert seen.folded == folded, (possible, impossible)


def test_what_lacks_for_a_planet_is_said() -> None:
    def needs_in(state: State) -> dict[str, str]:
        (_seat, _is_later, rows), *_others = to_study(state, 0)
        return {str(named): str(told) for places, told in rows for named in places}

    def needs(pieces: dict[str, int], **changes: Any) -> dict[str, str]:
        return needs_in(replace(table(pieces=[pieces]), **changes))

    cancer, libra = "Cancer (Mercurius, Sol)", "Libra (Luna, Iupiter)"
    found = needs({"cancer": 2, "libra": 1})
    assert [*found][:2] == [cancer, libra]
    assert found[cancer] == "2 there: 1 more, or 1 elsewhere"
    assert found[libra] == "1 there: 2 more, or 1 with the 2 elsewhere"
    enough = "2 there, 2 elsewhere: enough "
    assert needs({"cancer": 2, "libra": 1, "leo": 1})[cancer] == f"{enough}after an action"
    assert needs({"cancer": 2, "libra": 1, "leo": 1}, acting=True)[cancer] == f"{enough}now"
    one_there = "1 there: 2 more, or 1 and 1 elsewhere"
    assert needs({"cancer": 1, "libra": 1})[cancer] == one_there, "one observation"
    assert needs({"cancer": 3})[cancer] == "3 there: studied now"
    used = needs({"cancer": 3, "libra": 2})
    assert used[libra] == "2 there: 1 more, or 2 elsewhere", "three leave the sky"
    some = needs_in(table(studied=["sol", "saturnus"]))
    assert some["Cancer (Mercurius)"] == "0 there: 3 more, or 2 and 2 elsewhere"
    assert not any("Saturnus" in one for one in some)


def test_who_puts_no_more_pieces_down_this_round_sees_what_it_takes_after_it() -> None:
    last = replace(table(pieces=[{"gemini": 1, "cancer": 2}]), event="E2", acted=4)
    (_ana, is_later, _rows), *_eva = to_study(last, 0)
    assert not is_later, "she is to act"
    done = replace(last, actions=0, acting=True)
    (_ana, is_later, rows), (_eva, others_later, _rows) = to_study(done, 0)
    assert is_later and not others_later, "Eva has a turn left"
    assert coming(done)["comet"] == "gemini", "where a piece then goes home"
    told = {str(named): str(told) for places, told in rows for named in places}
    assert told["Cancer (Venus, Sol)"] == "2 there: 1 more, or 2 elsewhere"
    assert "Gemini (Venus)" not in told and "Scorpius (Luna)" in told, "where they have gone"
    taking = replace(done, todo=(Task("take", 0, left=1),))
    assert next(to_study(taking, 0))[1], "its last card puts no piece down either"
    assert not next(to_study(taking.with_seat(0, bonus=("nova_luna",)), 0))[1], "that may"
    ready = replace(table(pieces=[{"cancer": 2, "gemini": 2}]), event="E2", acted=4)
    ready = replace(ready, actions=0, acting=True)
    (_ana, is_later, rows), *_eva = to_study(ready, 0)
    assert not is_later and {told.key for _at, told in rows} == {"to_study_now"}
    (_colour, then), *_more = sky(after_round(done) or done, is_brief=True)
    assert "(" not in then
    assert "Cancer" in then and after_round(replace(done, travelled=11)) is None


def test_a_card_that_another_discards_for_leaves_the_turn_to_its_player(part: GuidedGame) -> None:
    start = table("leo", "taurus leo", bonus=["maleficus_saturnus"], studied=["saturnus"])
    history = History({"computers": ["", ""], "draws": "program"}, start)
    said = list[str]()
    named = new_game([("Ana", "red"), ("Eva", "yellow")], part.pages.first_mode, "ptolemaeus")
    both = Sitting(frozenset({0, 1}))
    for done in ("play maleficus_saturnus", "discard leo"):
        action = TURNS.read_action(done)
        state = TURNS.after(history.state, action)
        history = replace(history, moments=(*history.moments, Moment(action, "tap", state)))
        shown = view(part, history.seen_by(TURNS, None), named, both)
        waits = waiting_view(part, shown, 0, ["Ana", "Eva"])
        said += [shown.question.hint, waits.question.hint]
        assert (shown.history.active_player, shown.acting) == (0, 1)
        assert shown.events[0].endswith("With Saturnus studied, two."), "what made them discard"
    ended = replace(history.state, todo=(), actions=0, acting=True, acted=1)
    history = replace(history, moments=(*history.moments, Moment(End(), "tap", ended)))
    log = view(part, history.seen_by(TURNS, 1), named, both).events
    assert log[0].startswith("Ana plays Maleficus Saturnus."), "her discard is no turn of hers"
    for hint, n in zip(
        said, ["2 constellation cards"] * 2 + ["1 constellation card"] * 2, strict=True
    ):
        assert hint.startswith(f"Eva, discard {n} of your choice, because of Maleficus Sat")
        assert hint.endswith("It is still Ana’s turn, and goes on after that.")


def test_an_observation_says_what_is_possible_now_and_what_is_missing(part: GuidedGame) -> None:
    def note(state: State) -> str:
        return str(Asked(part, state).question(TWO).choices[1].note)

    hint = Asked(part, table("leo"), "observe").question(TWO).hint
    assert hint.endswith("Not in the sky now: trine (three of one colour).")
    assert "possible now: Cancer (Mercurius, Sol); not yet: Taurus (Saturnus)" in note(
        table("cancer")
    )
    studied = note(table("taurus", studied=["saturnus"]))
    assert "with nothing for you to study: Taurus; not yet: Gemini (Venus)" in studied
    hidden = note(TURNS.seen_by(table("aries"), None))
    assert "possible now" not in hidden, "nobody sees what these cards pay for"
    assert "The planets that you lack stand in: Taurus (Saturnus)" in hidden


@pytest.mark.parametrize(
    ("hand", "pieces", "bonus", "can"),
    [
        ("leo leo leo", {}, (), False),
        ("cancer cancer", {"cancer": 1}, (), True),
        ("leo", {"cancer": 1}, (), False),
        ("leo", {"cancer": 2}, (), True),
        ("cancer", {"cancer": 1, "pisces": 2}, (), True),
        ("", {"cancer": 2, "pisces": 2}, (), True),
        ("leo", {}, ("signa_aquae",), True),
    ],
)
def test_a_last_turn_speaks_of_a_study_only_where_hidden_cards_may_bring_one(
    part: GuidedGame, hand: str, pieces: dict[str, int], bonus: tuple[str, ...], can: bool
) -> None:
    last = replace(table(hand, pieces=[pieces], bonus=bonus), round=6, travelled=11, acted=5)
    last = TURNS.seen_by(replace(last, first=1), None)
    choices = Asked(part, last).question(TWO).choices
    observe = next((one for one in choices if one.words == "Observe"), None)
    if observe is not None and hand:
        assert ("in this turn that studies no planet" in observe.note) is not can
        assert ("The planets that you lack" in observe.note) is can
    assert bool([*to_study(last, 0)]) is can


def test_an_observation_is_shown_on_all_of_its_places() -> None:
    for line, places in {
        "observe opposition cancer": ["cancer", "capricornus"],
        "observe square libra": ["libra", "capricornus"],
        "observe conjunction leo": ["leo"],
    }.items():
        assert [one.id for one in TURNS.places_of(TURNS.read_action(line))] == places


def test_a_board_shows_where_bodies_go_after_the_round() -> None:
    state = replace(table(comet="cancer"), event="E1")
    drawing = draw(load_profile("ptolemaeus/standard"))
    told = [one for _at, bodies in arriving(drawing, state, {}) for one in bodies]
    assert sorted(told) == sorted(coming(state)) and len(told) == 4
    for other in (replace(state, event=None), replace(state, todo=(Task("travel"),))):
        assert not [*arriving(drawing, other, {})]


@pytest.mark.parametrize(
    ("studied", "asteroids", "said"),
    [
        ((), 0, "any of the others: 1 point more"),
        (("luna",), 0, "one of the secret objective (Mercurius, Sol): 2 points more; any other: 1"),
        (
            ("luna", "sol"),
            2,
            "one of the secret objective (Mercurius): 4 points more; any other: 2. ",
        ),
        (PLANETS, 2, "every planet is studied. One more asteroid: 1 point"),
    ],
)
def test_the_end_says_what_a_further_planet_would_have_brought(
    studied: Sequence[str], asteroids: int, said: str
) -> None:
    state = table().with_seat(0, studied=tuple(studied), asteroids=asteroids, secret="S1")
    assert next(most_missed(state)).startswith(said)


@pytest.mark.parametrize("seats", [1, 2])
def test_the_end_of_a_turn_says_who_is_next_if_there_are_others(
    part: GuidedGame, seats: int
) -> None:
    over = replace(table(players=seats), actions=0)
    told = part.look(over, End())
    assert told is not None and ("the next player" in told.note) == (seats > 1)
