"""The toy game is followed live: it brings no page for that, and is asked by its contract."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.conftest import reads_nothing
from tests.webapp.live.conftest import Table, eventually, push_until_taken
from tests.webapp.live.fake_frame_worker import FakeFrameWorker, frame
from webapp.app.settings import Settings
from webapp.web.application import create_app

CHORUS = {"north": "amber", "middle": "amber", "east": "amber", "reed": "amber"}
"""Three streams with amber frogs at both ends."""


class Pond(Table):
    """Two players at the toy game."""

    def _new_game(self) -> str:
        return self.player.new_game("Ana", "Eva")

    def frogs(self, seat: int = 0) -> dict[str, str]:
        """What sits on a player's pads."""
        game = self.app.extensions["stargazer"].games.open(self.id)
        return dict(self.service.table(game).positions[seat].frogs)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[], Flask]]:
    """Start a server that plays on the meadow."""
    made: list[Flask] = []

    def start() -> Flask:
        settings = Settings(data_dir=tmp_path / "data", rate_limits=False, profile="meadow")
        made.append(create_app(settings, reads_nothing, FakeFrameWorker))
        return made[-1]

    yield start
    for app in made:
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()


@pytest.fixture
def pond(serve: Callable[[], Flask]) -> Pond:
    return Pond(serve())


def document(pond: Pond) -> dict[str, object]:
    """The game as it is saved."""
    return dict(pond.app.extensions["stargazer"].games.open(pond.id).document)


def test_the_page_shows_its_boards_with_its_pieces_and_points(pond: Pond) -> None:
    pond.place(0, {"north": "amber", "middle": "amber"})
    pond.place(1, {"mill": "teal"})
    page = pond.page()
    assert "The board of Ana: 2 pieces" in page and "The board of Eva: 1 piece" in page
    assert page.count('class="space taken"') == 3
    # One stream with frogs of one colour; who foretells none has three for being right.
    points = [part.split("<")[0] for part in page.split('class="count">')[1:]]
    assert points == ["2", "3"]
    assert "black" not in page and "/cards/" not in page


def test_its_objective_is_followed_and_announced(pond: Pond) -> None:
    pond.place(0, {space: CHORUS[space] for space in ("north", "middle")})
    assert 'id="progress-chorus-0"' in pond.page()
    assert 'class="progress met"' not in pond.page()
    pond.place(0, CHORUS)
    page = pond.page()
    assert page.count('class="progress met"') == 1
    assert "★ Chorus" in page, "the time line says who completed it"
    reported = pond.player.get(f"{pond.game}/live/events?after=0", buffered=False).iter_encoded()
    assert "Ana completes Chorus" in b"".join(next(reported) for _ in range(6)).decode()


def test_a_broken_rule_is_named_until_it_is_put_right(pond: Pond) -> None:
    pond.place(0, {**CHORUS, "west": "amber"})
    assert "5 amber frogs; the game has 4" in pond.page()
    number = pond.service.log.last(pond.id)
    assert pond.tap(f"entries/{number}", what="instead", star="teal") == 204
    assert pond.frogs()["west"] == "teal"
    assert "5 amber frogs" not in pond.page()


def test_the_time_line_looks_back_and_takes_corrections(pond: Pond) -> None:
    assert "Nothing has happened yet" in pond.page()
    pond.place(0, {"north": "amber", "mill": "teal"})
    assert "The board of Ana: 1 piece" in pond.page("?at=1")
    assert pond.tap("entries/1", what="nothing") == 204
    assert "did not happen" in pond.page()
    assert pond.frogs() == {"mill": "teal"}
    assert pond.tap("star", seat=1, space="reed", star="teal") == 204
    assert pond.frogs(1) == {"reed": "teal"}


@pytest.mark.parametrize(
    ("what", "form", "code"),
    [
        ("star", {"seat": 0, "space": "core", "star": "amber"}, 422),
        ("star", {"seat": 0, "space": "mill", "star": "red"}, 422),
        ("black", {"seat": 0, "count": 1}, 404),
    ],
)
def test_what_another_game_has_is_refused(
    pond: Pond, what: str, form: dict[str, object], code: int
) -> None:
    assert pond.tap(what, **form) == code
    assert pond.service.log.last(pond.id) == 0


def test_a_correction_reaches_the_camera(pond: Pond) -> None:
    push_until_taken(pond, frame({0: {"north": "amber", "mill": "teal"}}))
    eventually(lambda: pond.frogs() == {"north": "amber", "mill": "teal"})
    assert pond.tap("star", seat=0, space="reed", star="teal") == 204
    push_until_taken(pond, frame({0: {"north": "amber", "mill": "teal", "reed": "teal"}}))
    push_until_taken(pond, frame({0: {"reed": "teal"}}))
    eventually(lambda: pond.frogs() == {"reed": "teal"})
    assert len(pond.seen_events()) == 4, "what was laid by hand was told again"


def test_the_boards_are_taken_over_and_its_question_leads_to_the_score(pond: Pond) -> None:
    pond.place(0, CHORUS)
    pond.place(1, {"mill": "teal"})
    answer = pond.player.post(f"{pond.game}/live/finish")
    assert answer.headers["Location"] == f"{pond.game}/players/0/review"
    players = document(pond)["players"]
    assert [player["frogs"] for player in players] == [CHORUS, {"mill": "teal"}]
    answer = pond.confirm_boards(2)
    assert answer.headers["Location"] == f"{pond.game}/questions/guess/0"
    for seat, guess in ((0, 3), (1, 4)):
        answer = pond.player.post(f"{pond.game}/questions/guess/{seat}", {"answer": guess})
    assert answer.headers["Location"] == f"{pond.game}/score"
    assert "Ana wins" in pond.player.get(f"{pond.game}/score").text
