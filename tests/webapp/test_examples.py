"""Confirmed boards are kept as examples, where players agreed, for as long as their game."""

import json
from datetime import timedelta

from flask import Flask

from scorer.places import Place
from tests.webapp.conftest import Player
from webapp.app.reading.examples import kept


def test_confirmed_boards_are_kept_as_examples_only_where_players_agreed(
    player: Player, app: Flask
) -> None:
    examples = app.extensions["stargazer"].settings.examples
    game = player.new_game("Ana")
    player.read_photograph(game)
    player.post(f"{game}/players/0/star", {"space": "ar3", "star": "red"})
    player.post(f"{game}/players/0/review")
    assert not examples.exists()
    player.post("/preferences", {"examples": ["no", "yes"]})
    player.post(f"{game}/players/0/review")
    player.post(f"{game}/players/0/star", {"space": "ar3", "star": "blue"})
    player.post(f"{game}/players/0/review")  # the same board, corrected once more
    (label,) = examples.rglob("*.json")
    reported = json.loads(label.read_text())
    assert reported["stars"]["ar3"] == "blue" and len(reported["stars"]) == 6
    assert reported["profile"] == "standard" and reported["counts"] == {"black": 4}
    (example,) = kept(examples, "nebula")
    assert example.pieces[Place("ar3")] == "blue" and len(example.pieces) == 10
    player.post(f"{game}/delete")
    app.extensions["stargazer"].clear_away(timedelta(0))
    assert not list(examples.rglob("*.jpg"))
