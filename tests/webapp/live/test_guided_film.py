"""A guided game of two whose first round a camera sees, played to its score sheet."""

from collections.abc import Iterator, Sequence

from flask import Flask

from tests.benchmarks.guided_film import PAUSE, Events, Hand, begun, hands_of


def perfect(hands: Sequence[Hand], blind: Sequence[int] = ()) -> Iterator[tuple[float, Events]]:
    """What a camera tells that sees all hands but those of some numbers."""
    black = [0, 0]
    for number, hand in enumerate(hands):
        step, end = hand.step, hand.visit.end
        event = {"kind": "removed", "space": step.place.id}
        if step.place.kind == "track":
            black[step.board] += 1
            event = {"kind": "black", "count": black[step.board]}
        elif step.act == "put":
            event = {"kind": "placed", "space": step.place.id, "star": step.piece}
        event |= {"t": end, "board": step.board}
        yield end + 0.5, [] if number in blind else [event]
        yield end + PAUSE - 0.5, []


def test_a_round_by_camera_and_the_rest_by_taps_to_the_score_sheet(app: Flask) -> None:
    evening = begun(app, seed=2)
    hands = hands_of(evening.game, rounds=1)
    evening.film(hands, perfect(hands))
    assert [one.right for one in evening.outcome.judged] == [True] * len(hands)
    assert evening.outcome.wrong == []
    evening.skip_to_end()
    evening.finish()
    assert len(evening.outcome.totals) == 2


def test_what_the_camera_misses_is_tapped_and_nothing_is_made_up(app: Flask) -> None:
    evening = begun(app, seed=2)
    hands = hands_of(evening.game, rounds=1)
    evening.film(hands, perfect(hands, blind=(3,)))
    assert [one.right for one in evening.outcome.judged] == [n != 3 for n in range(len(hands))]
    assert evening.outcome.wrong == []
