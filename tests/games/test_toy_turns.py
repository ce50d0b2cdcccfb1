"""A game that brings nothing but turns is guided, played against, taught, recorded and inferred."""

import json
import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from calibration import load_profile
from scorer.game import Game
from scorer.inference import Inference
from scorer.lesson import Attempt
from scorer.places import Place
from scorer.registry import find_game
from scorer.sampling import Sampling
from scorer.turns import Turns
from tests.webapp.conftest import Player
from tests.webapp.guided import Guided
from webapp.app.settings import Settings
from webapp.cli.commands.replay import replay
from webapp.cli.commands.simulate import simulate
from webapp.web.application import create_app

CHOICE = re.compile(r'name="move" value="([^"]+)"')
ON_BOARD = re.compile(r'data-action="([^"]+)"')


@pytest.fixture
def ponds() -> Game[Any, Any, Any]:
    return find_game("ponds")


@pytest.fixture
def turns(ponds: Game[Any, Any, Any]) -> Turns[Any, Any]:
    assert ponds.turns is not None
    return ponds.turns


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app(Settings(tmp_path / "data", rate_limits=False, profile="meadow"))
    yield made
    made.extensions["stargazer live"].close()
    made.extensions["stargazer"].reading_queue.close()


def begun(app: Flask, computers: str = "-,-", draws: str = "program") -> Guided:
    """A guided game of Ana and Eva."""
    player = Player(app.test_client())
    game = player.new_game("Ana", "Eva")
    answer = player.post(f"{game}/guide", {"draws": draws, "computers": computers})
    assert answer.status_code == 303, answer.text
    guided = Guided.of(app, game.rsplit("/", 1)[1])
    for seat, by in enumerate(computers.split(",")):
        if by == "-":
            guided.sit(player, seat)
    guided.player = player
    return guided


def offered(page: str) -> list[str]:
    """The actions that a screen offers, by buttons and on the board."""
    return [unescape(found) for found in [*CHOICE.findall(page), *ON_BOARD.findall(page)]]


def secret_page(guided: Guided) -> str:
    """The screen of whoever decides, handed the phone."""
    return guided.page("guess", look=guided.history.state.mover)


def test_its_questions_are_the_parts_of_its_actions(app: Flask) -> None:
    guided = begun(app)
    assert guided.asked() == "Hand the phone to Ana"
    assert offered(guided.page()) == []
    page = secret_page(guided)
    assert offered(page) == [f"guess {number}" for number in range(10)]
    guided.send("guess 3")
    guided.send("guess 4")
    frog = guided.history.state.drawn
    assert guided.asked() == "Where does it go?"
    page = guided.page()
    pads = guided.history.state.board.spaces
    assert offered(page) == ["let-go", *(f"sit {frog} {pad}" for pad in pads)]
    guided.send(f"sit {frog} north")
    guided.send("let-go")
    other = guided.history.state.drawn
    page = guided.page()
    assert f"sit {other} north" not in offered(page) and "is taken" in page
    assert "Ana: " in guided.page() or "Eva: " in guided.page()


def test_a_guess_is_its_players_alone(app: Flask) -> None:
    guided = begun(app)
    guided.send("guess 7")
    assert guided.history.state.seats[0].guess == 7
    for page in (guided.page(), guided.page(look=0), guided.page(look=1)):
        assert "Ana: 7" not in page


def test_a_whole_game_ends_in_its_score(app: Flask) -> None:
    guided, luck = begun(app), random.Random(4)
    for guess in ("guess 2", "guess 0"):
        guided.send(guess)
    while not guided.history.state.is_over:
        guided.send(luck.choice(offered(guided.page())))
    state = guided.history.state
    assert guided.asked() == "The game is over"
    assert guided.player.post(f"{guided.game}/guide/finish", {}).status_code == 303
    document = app.extensions["stargazer"].games.open(guided.id).document
    assert [player["guess"] for player in document["players"]] == [2, 0]
    page = guided.player.get(f"{guided.game}/score").text
    for one in find_game("ponds").turns.score(state, ["Ana", "Eva"]).players:
        assert re.search(rf"{one.name}.*?\b{one.total}\b", page, re.DOTALL)


def test_the_computer_plays_by_sampling_and_says_what_to_do(app: Flask) -> None:
    guided = begun(app, computers="-,sampling")
    guided.send("guess 2")
    guided.send(offered(guided.page())[0])
    assert guided.asked()
    assert ">Done: Ana is next<" in guided.page()
    assert len(offered(guided.page())) == 1


def test_a_hint_names_a_legal_action(app: Flask, turns: Turns[Any, Any]) -> None:
    guided = begun(app)
    guided.send("guess 2")
    guided.send("guess 2")
    page = guided.page(hint=1, look=guided.history.state.mover)
    (hint,) = re.findall(r'id="hints".*?<li>(.*?)</li>', page, re.DOTALL)
    told = [str(turns.format_action(one)) for one in turns.actions(guided.history.state)]
    assert any(hint.lower().startswith(one.lower()) for one in told)


def test_what_a_camera_saw_is_the_answer(app: Flask) -> None:
    guided = begun(app)
    guided.send("guess 2")
    guided.send("guess 2")
    frog = guided.history.state.drawn
    guided.see(board=0, kind="placed", space="mill", star=frog)
    assert guided.history.state.seats[0].frogs == (("mill", frog),)


def test_what_a_hand_drew_is_known_by_where_it_was_laid(app: Flask) -> None:
    guided = begun(app, draws="hand")
    guided.send("guess 2")
    guided.send("guess 2")
    assert guided.asked() == "What is drawn?"
    assert offered(guided.page()) == ["draw amber", "draw teal"]
    guided.see(board=0, kind="placed", space="mill", star="teal")
    assert guided.history.state.seats[0].frogs == (("mill", "teal"),)
    guided.see(board=0, kind="placed", space="reed", star="teal")
    assert guided.history.state.seats[0].frogs == (("mill", "teal"),), "it is Eva's turn"


def test_sampling_finds_what_brings_points(turns: Turns[Any, Any]) -> None:
    state = turns.start({"players": 2}, load_profile("meadow").board)
    for line in ("guess 0", "guess 9", "draw amber", "sit amber middle", "draw teal", "let-go"):
        state = turns.after(state, turns.read_action(line))
    state = turns.after(state, turns.read_action("draw amber"))
    mine = {Place(pad) for pad in ("north", "west", "east", "reed")}  # beside the middle
    advice = Sampling(turns).choose(state, "sampling", seed=1)
    assert set(advice.places) <= mine and advice.places
    assert Sampling(turns).choose(state, "sampling", seed=1) == advice
    with pytest.raises(ValueError, match="nobody decides"):
        Sampling(turns).choose(turns.after(state, advice.action), "sampling")


def test_sampling_beats_chance(ponds: Game[Any, Any, Any]) -> None:
    records, won = ponds.records, 0
    assert records is not None
    for index in range(6):
        record = records.simulate(2, ["random", "sampling"], 3, index, {})
        won += record["final"]["ranking"][0] == ["P2"]
    assert won >= 5


def test_it_is_simulated_and_replayed_by_the_commands(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        simulate, ["--game", "ponds", "--games", "2", "--strategy", "random,sampling", "--json"]
    )
    assert done.exit_code == 0, done.output
    (tmp_path / "games.jsonl").write_text(done.output)
    assert json.loads(done.output.splitlines()[0])["game"] == "ponds"
    done = CliRunner().invoke(replay, [str(tmp_path / "games.jsonl")])
    assert done.exit_code == 0 and "2 of 2 records legal" in done.output


def test_its_lesson_is_solved_and_wrong_tries_are_explained(ponds: Game[Any, Any, Any]) -> None:
    course = ponds.course
    (lesson,) = course.lessons
    attempt = Attempt.of(course, lesson)
    assert attempt.solve() is not None
    for wrong in lesson.wrong:
        judged = attempt.attempt(wrong.example)
        assert (judged.outcome, judged.because, judged.said) == ("wrong", wrong.because, wrong.said)
    laid = ponds.position(lesson.start.board, {Place("p2"): "amber", Place("p3"): "amber"})
    judged = attempt.look(laid)
    assert judged is not None and judged.outcome == "done"


def test_its_lesson_is_tried_on_a_page_of_its_own(app: Flask) -> None:
    player = Player(app.test_client())
    page = player.get("/lessons/ponds/stream").text
    assert 'data-tells="sit amber" data-lies-on="spot"' in page
    assert 'name="try" value="let-go"' in page
    wrong = player.post("/lessons/ponds/stream", {"try": "sit amber p2"}).text
    assert "A frog sits there." in wrong
    done = player.post("/lessons/ponds/stream", {"try": ["sit amber", "p3"]}).text
    assert "It sings." in done


def test_what_was_done_is_found_between_two_looks(
    ponds: Game[Any, Any, Any], turns: Turns[Any, Any]
) -> None:
    state = turns.start({"players": 2}, load_profile("meadow").board)
    for line in ("guess 2", "guess 2", "draw amber"):
        state = turns.after(state, turns.read_action(line))

    def lying(state: Any) -> Any:
        return ponds.pieces_of(turns.positions(state)[0])

    search = Inference(turns, lying, draws=1)

    def found(**pads: str) -> list[str]:
        seen = {Place(pad): frog for pad, frog in pads.items()}
        return [" ".join(map(turns.write_action, one)) for one in search.explanations(state, seen)]

    assert found() == [""]
    assert found(mill="amber")[0] == "sit amber mill"
    assert found(mill="teal") == ["sit teal mill"], "no legal one: as it would have to be"
    assert turns.illegal(state, turns.read_action("sit teal mill")).kind == "drawn"
    state = turns.start({"players": 2}, load_profile("meadow").board)
    for line in ("guess 2", "guess 2"):
        state = turns.after(state, turns.read_action(line))
    assert found(mill="teal")[0] == "draw teal sit teal mill"
    assert found(**dict.fromkeys(("mill", "reed", "north", "west", "east"), "amber")) == []
