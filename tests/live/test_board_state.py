"""When repeated observations amount to a change."""

from collections.abc import Sequence

import pytest

from scorer.places import Place
from vision.live.board_state import (
    BoardState,
    Change,
    correct,
    debounce,
    drop_candidates,
    outdate_questions,
)
from vision.live.events import doubt_events
from vision.live.observations import Observation

CORE, AR1 = Place("core"), Place("ar1")
EVERYWHERE = frozenset({CORE, AR1})


def read(
    state: BoardState,
    readings: Sequence[tuple[float, Observation]],
    touched: frozenset[Place] = EVERYWHERE,
) -> tuple[BoardState, list[Change]]:
    changes: list[Change] = []
    for t, observation in readings:
        state, made, _ = debounce(state, t, {CORE: observation}, touched)
        changes += made
    return state, changes


RED = Observation("red", 0.99, reliable=True)
BARE = Observation(None, 0.99, reliable=True)
KNOWN_RED = BoardState({CORE: "red"}, frozenset({CORE}))


def test_one_observation_is_no_change():
    assert read(BoardState(), [(1.0, RED)])[1] == []


def test_two_agreeing_observations_are_one():
    state, changes = read(BoardState(), [(1.0, RED), (1.1, RED), (1.2, RED)])
    assert changes == [Change(CORE, None, "red", pytest.approx(0.99))]
    assert state.occupancy == {CORE: "red"}


def test_a_star_in_place_of_another_and_one_gone():
    blue = Observation("blue", 0.95, reliable=True)
    state, changes = read(KNOWN_RED, [(1.0, blue), (1.1, blue), (3.0, BARE), (3.1, BARE)])
    assert [(c.was, c.now) for c in changes] == [("red", "blue"), ("blue", None)]
    assert state.occupancy == {}


def test_observations_that_disagree_begin_anew():
    blue = Observation("blue", 0.95, reliable=True)
    assert read(BoardState(), [(1.0, RED), (1.1, blue), (1.2, RED)])[1] == []


def test_a_doubt_is_not_ended_by_what_is_less_sure_than_it():
    """A red star on a red space: the second look takes it for the print, the third one does not."""
    bare = Observation(None, 0.67, reliable=True)
    known = BoardState({}, frozenset({CORE}))
    state, changes, agreed = debounce(known, 1.0, {CORE: RED}, {CORE})
    state, changes, agreed = debounce(state, 1.1, {CORE: bare}, {CORE})
    assert (changes, agreed) == ((), frozenset()), "the place is to be read once more"
    assert debounce(state, 1.2, {CORE: bare}, {CORE})[2] == {CORE}, "twice is enough"
    assert read(state, [(1.2, RED), (1.3, RED)])[0].occupancy == {CORE: "red"}


def test_a_sleeve_is_neither_star_nor_bare_board():
    sleeve = Observation(None, 0.99, reliable=False)
    state, changes = read(KNOWN_RED, [(t / 10, sleeve) for t in range(100)])
    assert changes == []
    assert state == KNOWN_RED


def test_what_is_as_known_ends_a_doubt():
    state, changes = read(KNOWN_RED, [(1.0, BARE), (1.1, RED), (1.2, BARE)])
    assert changes == []
    assert state.candidates[CORE].readings == 1


@pytest.mark.parametrize(("confidence", "needed"), [(0.95, 2), (0.8, 7), (0.6, 15)])
def test_the_less_sure_the_more_readings(confidence: float, needed: int):
    perhaps = Observation("red", confidence, reliable=True)
    _, changes = read(BoardState(), [(t / 10, perhaps) for t in range(needed - 1)])
    assert changes == []
    _, changes = read(BoardState(), [(t / 10, perhaps) for t in range(needed)])
    assert [c.now for c in changes] == ["red"]


def test_a_guess_never_becomes_a_change():
    guess = Observation("red", 0.3, reliable=True)
    assert read(BoardState(), [(t, guess) for t in range(60)])[1] == []


def test_a_place_that_nobody_came_near_needs_seconds():
    blue = Observation("blue", 0.95, reliable=True)
    nobody: frozenset[Place] = frozenset()
    assert read(KNOWN_RED, [(t / 10, blue) for t in range(29)], nobody)[1] == []
    assert len(read(KNOWN_RED, [(t / 10, blue) for t in range(40)], nobody)[1]) == 1


def test_a_place_that_moves_again_is_read_from_the_start():
    state, _ = read(BoardState(), [(1.0, RED)])
    state = drop_candidates(state, {CORE})
    assert read(state, [(1.5, RED)])[1] == []


def test_the_state_outlives_a_restart():
    state, _ = read(KNOWN_RED, [(1.0, BARE)])
    assert BoardState.from_data(state.to_data(), EVERYWHERE) == KNOWN_RED


def test_a_correction_is_not_argued_with():
    state = correct(KNOWN_RED, CORE, "orange")
    state, changes = read(state, [(t / 10, RED) for t in range(100)])
    assert changes == []
    assert state.occupancy == {CORE: "orange"}
    assert BoardState.from_data(state.to_data(), EVERYWHERE) == state


@pytest.mark.parametrize(
    ("corrected", "seen", "first", "then"),
    [
        ("orange", BARE, [("orange", None)], [(None, "red")]),
        # a person and the eye at one again leave no mistake
        ("orange", Observation("orange", 0.95, reliable=True), [], [("orange", "red")]),
        # a star that did not happen and is not seen any more is no removal
        (None, BARE, [], [(None, "red")]),
    ],
)
def test_after_a_correction_another_star_is_seen(corrected, seen, first, then):
    state, changes = read(correct(KNOWN_RED, CORE, corrected), [(1.0, seen), (1.1, seen)])
    assert [(c.was, c.now) for c in changes] == first
    _, changes = read(state, [(5.0, RED), (5.1, RED)])
    assert [(c.was, c.now) for c in changes] == then


def test_what_is_seen_of_a_correction_that_nobody_came_near_is_the_eyes_mistake():
    purple = Observation("purple", 0.99, reliable=True)
    missed = correct(BoardState({}, frozenset({CORE})), CORE, "blue")
    nobody: frozenset[Place] = frozenset()
    state, changes = read(missed, [(t / 10, purple) for t in range(100)], nobody)
    assert (changes, state.occupancy) == ([], {CORE: "blue"})
    state, changes = read(state, [(20 + t / 10, purple) for t in range(100)])
    assert changes == []
    _, changes = read(state, [(40.0, BARE), (40.1, BARE)])
    assert [(c.was, c.now) for c in changes] == [("blue", None)]


def test_where_the_reader_is_mistaken_its_mistake_is_expected():
    """A board is known again by what is seen on it, not by what a person says of it."""
    right = {AR1: "blue"}
    state = correct(BoardState(right | {CORE: "red"}, EVERYWHERE), CORE, "orange")
    assert (state.expected(CORE), state.expected(AR1)) == ("red", "blue")
    overlooked = correct(BoardState(right, EVERYWHERE), CORE, "orange")
    assert overlooked.expected(CORE) is None
    imagined = correct(BoardState(right | {CORE: "red"}, EVERYWHERE), CORE, None)
    assert imagined.expected(CORE) == "red"


def test_a_correction_that_says_what_is_known_is_none():
    assert correct(KNOWN_RED, CORE, "red") is KNOWN_RED


def test_a_correction_taken_back_is_none():
    assert correct(correct(KNOWN_RED, CORE, None), CORE, "red") == KNOWN_RED


def test_what_leaves_the_known_star_possible_speaks_for_no_other():
    torn = Observation("orange", 0.6, reliable=True, chances={"orange": 0.6, "red": 0.38})
    assert read(KNOWN_RED, [(t / 10, torn) for t in range(100)])[1] == []
    either = Observation("orange", 0.6, reliable=True, chances={"orange": 0.6, "yellow": 0.38})
    _, changes = read(KNOWN_RED, [(t / 10, either) for t in range(100)])
    assert [(c.was, c.now) for c in changes] == [("red", "orange")]


HEAP = Place("heap", "region")


@pytest.mark.parametrize(("confidence", "asked"), [(0.95, False), (0.85, True)])
def test_a_count_that_stays_unsure_is_asked_for(confidence: float, asked: bool):
    two = Observation(("plum", "plum"), confidence, reliable=True, likeliest=(("plum",) * 2,))
    state = BoardState()
    for t in (1.0, 1.2, 1.6, 2.4):
        state = debounce(state, t, {HEAP: two}, {HEAP})[0]
    assert (HEAP in state.asked, HEAP in state.occupancy) == (asked, not asked)
    assert BoardState.from_data(state.to_data(), [HEAP]).asked.keys() == state.asked.keys()
    answered = correct(state, HEAP, ("plum",))
    assert answered.occupancy[HEAP] == ("plum",) and not answered.doubts
    assert debounce(answered, 2.6, {HEAP: two}, set())[0].doubts == {}, "nobody came near it"


def test_a_hand_over_a_doubt_begins_it_anew_but_not_a_question():
    hidden = Observation(None, 0.95, reliable=False)
    state = BoardState()
    for t in (1.0, 1.2):
        state = debounce(state, t, {HEAP: hidden}, {HEAP})[0]
    assert state.doubts and not drop_candidates(state, {HEAP}).doubts
    for t in (1.6, 2.4):
        state = debounce(state, t, {HEAP: hidden}, {HEAP})[0]
    assert drop_candidates(state, {HEAP}).asked
    bare = Observation(None, 0.95, reliable=True)
    assert not debounce(state, 3.0, {HEAP: bare}, {HEAP})[0].doubts


def test_a_question_is_asked_anew_after_a_hand_was_there():
    """Once it is read as often as at first: the hand may have laid what the answers do not have."""
    one, two = (
        Observation(held, 0.6, reliable=True, likeliest=(held,))
        for held in (("plum",), ("plum", "plum"))
    )
    state = BoardState()
    for t in (1.0, 1.2, 2.4):
        state = debounce(state, t, {HEAP: one}, {HEAP})[0]
    assert outdate_questions(state, {CORE}) is state
    events, state = [], outdate_questions(state, {HEAP})
    assert state.asked.keys() == {HEAP}, "what was asked can still be answered"
    for t in (4.0, 4.2, 4.6, 5.2, 5.4):
        before, state = state.asked, debounce(state, t, {HEAP: two}, {HEAP})[0]
        events += doubt_events(t, 0, before, state.asked)
    assert [(event.t, event.more["answers"]) for event in events] == [(5.2, [["2 plum"]])]
