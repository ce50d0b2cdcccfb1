"""Guided games as they were stored before actions' lines were drawn from their fields."""

import pytest

from calibration import load_profile
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import History, extended
from webapp.app.live.entry import GUIDE, Entry

COMMON = {"computers": ["", ""], "draws": "hand", "seed": "0f" * 8}
NEBULA = {**COMMON, "players": 2, "mode": "intro", "edition": "standard", "book": "cs"}
POLARIS = {**COMMON, "draws": "program", "colours": ["red", "blue"], "edition": "standard"}
FILL = [f"draw {star}" for star in ("red", "blue", "white", "orange") for _ in range(5)]
LINES = {
    "nebula": [
        *FILL[:19],
        *("deal V1", "deal V2", "deal V3", "deal V7", "deal ?", "deal ?", "deal ?", "deal ?"),
        *("choose ?", "choose ?", "draw yellow", "time 0 0 5"),
    ],
    "polaris": ["sky", "draw new-B3", "draw crescent-B1"],
}


def opened(name: str, set_up: object) -> History:
    part = pages_of(name).guided
    profile = load_profile({"nebula": "standard", "polaris": "polaris/standard"}[name])
    lines = [{"begin": set_up}, *({"do": line, "by": "tap"} for line in LINES[name])]
    history = None
    for number, data in enumerate(lines, start=1):
        history = extended(part, profile, history, Entry(number, GUIDE, data, 0.0))
    assert history is not None
    return history


@pytest.mark.parametrize(("name", "set_up"), [("nebula", NEBULA), ("polaris", POLARIS)])
def test_a_stored_game_opens_as_it_was(name: str, set_up: object) -> None:
    history = opened(name, set_up)
    assert len(history.moments) == len(LINES[name]), "each line is an action that was done"


def test_a_stored_nebula_game_stands_where_it_stood() -> None:
    state = opened("nebula", NEBULA).state
    assert (state.turn, str(state.phase), state.rules.book) == (1, "place", "cs")
    assert state.career == ("V1", "V2", "V3", "V7") and state.hands[0].personal == "?"


def test_a_stored_polaris_game_keeps_its_colours() -> None:
    state = opened("polaris", POLARIS).state
    assert [seat.colour for seat in state.table.seats] == ["red", "blue"] and state.laid_out
