"""Hints of a guided game: for whom the action is good, and by how much."""

import html
import re

import pytest

from scorer.nebula.strategies.advisor import ComputerPlayer
from scorer.nebula.turns.actions import Place, PlaceOnTrack
from scorer.places import Place as BoardPlace
from scorer.turns import Advice, Alternative
from tests.webapp.conftest import document_of
from tests.webapp.guided import Guided
from webapp.app.game_pages import pages_of
from webapp.web.guide_hints import compared, hints


def test_a_hint_comes_before_the_moves_that_it_is_compared_with(guided: Guided) -> None:
    page = guided.page()
    assert ">Hint</a>" in page and "hints" not in page
    for level in (1, 2):
        page = guided.page(hint=level)
        hints = re.search(r'<ol class="hints".*?</ol>', page, re.DOTALL)
        assert hints is not None and hints[0].count("<li>") == level
        assert (">Best moves</a>" in page) == (level < 2)
        assert ('class="compared"' in page) == (level == 2), "promised, and not told before"
        (hides,) = re.findall(r'id="no-hint"\s+data-draft href="(.*?)"', page)
        assert 'id="hints"' not in guided.player.get(html.unescape(hides)).text


BLACK_STAR = "place the black star on its track"


def test_a_hint_names_the_players_whose_points_change(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    part, state = pages_of("nebula").guided, guided.state
    document = guided.app.extensions["stargazer"].games.open(guided.id).document
    black = Advice(PlaceOnTrack(), "because", do=BLACK_STAR)
    with guided.app.test_request_context():
        hint, _advice = hints(part, state, black, "", document)
        elsewhere = hints(part, state, black, "place white", document)[0]
    points = "Points in view: Ana +1 (Black-star track). Because."
    assert hint == f"Place the black star on its track. {points}"
    better = "Something else is better: place the black star on its track."
    assert elsewhere == f"{better} {points}"


def test_a_hint_says_how_much_better_its_action_is_than_others(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    part, document = pages_of("nebula").guided, document_of(guided.app, guided.game)

    def why(draft: str, *less: float) -> str:
        others = tuple(
            Alternative(Place(star, "core"), "", by, f"place {star}")
            for star, by in zip(("blue", "white"), less, strict=False)
        )
        advice: Advice[Place | PlaceOnTrack] = Advice(
            PlaceOnTrack(), "because", do=BLACK_STAR, others=others
        )
        return hints(part, guided.state, advice, draft, document)[0]

    with guided.app.test_request_context():
        assert "Next best" not in why("")
        less = "Next best: place blue, an estimated 0.5 points less by the end"
        assert f"{less}, with what later turns bring." in why("", 0.52, 2), "and +1 at once"
        assert "1.5 points less by the end." in why("", 1.52, 2)
        assert why("", 0.02).endswith("Next best: place blue, estimated about as good.")
        assert why("place white", 0.5, 2.0).startswith("Something else is better, by an estimated")
        assert why("place white", 0.5, 0.0).startswith("Something else is about as good")


def test_next_best_moves_that_read_alike_are_named_once(guided: Guided) -> None:
    part, document = pages_of("nebula").guided, {"players": [{"name": "Ana"}, {"name": "Luis"}]}
    ways = [Place("red", space) for space in ("ar1", "ta1")]
    others = tuple(Alternative(one, "it fills up", 0.0, "place it") for one in ways)
    advice: Advice[Place] = Advice(Place("red", "core"), "because", others=others)
    with guided.app.test_request_context():
        ((do, why),) = compared(part, guided.state, advice, document)
    assert (do, why) == ("Place it", "It fills up. Estimated about as good.")


def test_the_next_circle_of_the_track_is_marked(
    guided: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    at = BoardPlace("black", "track", guided.state.seat.galaxy.black)
    black = Advice(PlaceOnTrack(), "because", (at,), do=BLACK_STAR)
    monkeypatch.setattr(ComputerPlayer, "choose", lambda *_asked, **_seed: black)
    marked = '<circle class="halo next"'
    page = guided.page(hint=1)
    assert "Place the black star on its track. " in page, "not where others look alike"
    assert page.count(marked) == 1 and marked not in guided.page()
