"""Whatever was logged: taken out it never was, and a table extended is one reduced."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.words import COLOURS
from tests.webapp.live.evening_log import RULES, Evening
from webapp.app.live.reducer import extend

EVENTS = st.one_of(
    st.tuples(st.just("placed"), st.sampled_from(STANDARD_BOARD.spaces), st.sampled_from(COLOURS)),
    st.tuples(st.just("removed"), st.sampled_from(STANDARD_BOARD.spaces), st.none()),
)


@given(st.lists(st.tuples(st.integers(0, 1), EVENTS), max_size=30), st.data())
def test_taking_an_event_out_is_as_if_it_had_never_been(
    happened: list[tuple[int, tuple[str, str, str | None]]], data: st.DataObject
) -> None:
    whole, without = Evening(), Evening()
    for evening in (whole, without):  # both know whose the boards are
        evening.note("assign", source="cam", board=0, seat=0)
        evening.note("assign", source="cam", board=1, seat=1)
    gone = data.draw(st.integers(0, max(0, len(happened) - 1)))
    for index, (board, (kind, space, star)) in enumerate(happened):
        more = {"space": space, **({"star": star} if star else {})}
        number = whole.see(board, kind, **more)
        if index == gone:
            whole.note("amend", entry=number, event=None)
        else:
            without.see(board, kind, **more)
    assert whole.table().positions == without.table().positions
    assert whole.table().own.completed == without.table().own.completed


SEATS = st.integers(0, 1)
ENTRIES = st.one_of(
    st.tuples(
        st.just("seen"),
        st.fixed_dictionaries(
            {
                "source": st.sampled_from(["cam", "other"]),
                "event": st.one_of(
                    st.builds(
                        lambda board, what: dict(
                            zip(("kind", "space", "star"), what, strict=True), board=board
                        ),
                        st.integers(0, 2),
                        EVENTS,
                    ),
                    st.builds(
                        lambda board, count: {"kind": "black", "board": board, "count": count},
                        st.integers(0, 2),
                        st.integers(0, 4),
                    ),
                ),
            }
        ),
    ),
    st.tuples(
        st.just("hand"),
        st.builds(
            lambda seat, what, after: {
                "seat": seat,
                "event": dict(zip(("kind", "space", "star"), what, strict=True)),
                **({"after": after} if after else {}),
            },
            SEATS,
            EVENTS,
            st.one_of(st.none(), st.integers(1, 20)),
        ),
    ),
    st.tuples(
        st.just("amend"), st.builds(lambda n: {"entry": n, "event": None}, st.integers(1, 20))
    ),
    st.tuples(
        st.just("assign"),
        st.fixed_dictionaries(
            {"source": st.just("cam"), "board": st.integers(0, 2), "seat": st.none() | SEATS}
        ),
    ),
    st.tuples(
        st.just("claim"),
        st.fixed_dictionaries({"seat": SEATS, "card": st.sampled_from(["V1", "V7"])}),
    ),
    st.tuples(
        st.just("value"),
        st.fixed_dictionaries(
            {"token": st.sampled_from(["red", "aries", None]), "due": st.none(), "by": st.just(1)}
        ),
    ),
    st.tuples(
        st.just("card"),
        st.fixed_dictionaries(
            {"source": st.just("cam"), "card": st.just("V1"), "here": st.integers(0, 2)}
        ),
    ),
    st.tuples(st.just("indicator"), st.fixed_dictionaries({"by": st.sampled_from([1, -1])})),
    st.tuples(st.just("restart"), st.just({})),
)


@given(st.lists(ENTRIES, max_size=25))
def test_a_table_that_is_extended_is_as_one_that_is_reduced(
    happened: list[tuple[str, dict[str, Any]]],
) -> None:
    evening = Evening()
    table = evening.table()
    for kind, data in happened:
        before = len(evening.entries)  # nobody speaks of what has not happened yet
        evening.note(
            kind, **{k: min(v, before) if k in ("after", "entry") else v for k, v in data.items()}
        )
        reduced = evening.table()
        assert extend(RULES, table, evening.entries[-1]) in (None, reduced)
        table = reduced
