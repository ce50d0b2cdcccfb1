"""How the measure of live tracking counts: a film that is left early blames nobody for the rest."""

from typing import Any

from tests.films.verdict import judge

TRUTH = {
    "corners": [[[0, 0], [9, 0], [9, 9], [0, 9]]],
    "events": [
        {"t": 5.0, "board": 0, "kind": "placed", "space": "ta3", "star": "orange"},
        {"t": 9.0, "board": 0, "kind": "placed", "space": "ta4", "star": "blue"},
    ],
}
FOUND = {"kind": "board_found", "board": 0, "t": 0.0, "corners": TRUTH["corners"][0]}


def found_events(*which: int, star: str = "") -> list[dict[str, Any]]:
    """The events of those numbers, told half a second later."""
    events = [TRUTH["events"][number] for number in which]
    return [FOUND, *({**one, "t": one["t"] + 0.5, "star": star or one["star"]} for one in events)]


def test_events_just_before_the_end_may_be_reported_or_not():
    for events in found_events(0), found_events(0, 1):
        verdict = judge(TRUTH, events, watched=7.0)
        assert (verdict.missed, verdict.false) == ((), ())


def test_an_event_reported_wrongly_just_before_the_end_is_false():
    verdict = judge(TRUTH, [*found_events(0), *found_events(1, star="red")[1:]], watched=7.0)
    assert verdict.missed == ()
    assert [one["space"] for one in verdict.false] == ["ta4"]


def test_a_film_that_is_watched_to_its_end_forgives_nothing():
    assert len(judge(TRUTH, found_events(0)).missed) == 1
    assert len(judge(TRUTH, found_events(1)).missed) == 1


def test_an_event_reported_too_late_is_missed_and_false():
    in_time, too_late = ([FOUND, {**TRUTH["events"][0], "t": 5.0 + delay}] for delay in (3.0, 3.5))
    truth = {**TRUTH, "events": TRUTH["events"][:1]}
    assert judge(truth, in_time, late=3.0).missed == ()
    verdict = judge(truth, too_late, late=3.0)
    assert (len(verdict.missed), len(verdict.false)) == (1, 1)
