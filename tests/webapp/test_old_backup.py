"""A backup that earlier versions made is restored, each game scored as it was then."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from flask import Flask

from tests.conftest import in_ci
from tests.webapp.test_backup import brought_back
from webapp.app.session.saved_games import Games

OLD = Path(__file__).parent / "old_backup"
SCORES: Mapping[str, Any] = yaml.safe_load((OLD / "scores.yaml").read_text())
"""The totals and the points of each line, by game and player."""
GUIDED, BY_HAND = "d030b5024440b20c", "724001340e43381b"
"""Games of Via Nebula, kept when what lies face down was no secret."""


def scored(app: Flask) -> dict[str, Any]:
    """The scores of all games, counted anew."""
    services = app.extensions["stargazer"]
    counted = {game.id: services.counting.score(game) for game in services.games.recent()}
    return {
        id: {
            player.name: [player.total, *(f"{one.category} {one.points}" for one in player.lines)]
            for player in score.players
        }
        for id, score in counted.items()
    }


def test_every_game_is_scored_as_before(app: Flask) -> None:
    brought_back(app, (OLD / "backup.zip").read_bytes())
    games: Games = app.extensions["stargazer"].games
    played = {game.document["game"] for game in games.recent()}
    assert played == {"nebula", "polaris", "ptolemaeus", "via_nebula"}
    assert scored(app) == SCORES
    for id in (GUIDED, BY_HAND):  # and what has become secret since is kept when they are corrected
        before = games.open(id).document["players"]
        assert games.change(id, "players", lambda document: document).undo != "players"
        after = games.change(id, "players", renamed).document["players"]
        assert after == [{**before[0], "name": "Zoe"}, before[1]]
        assert after[0]["contracts"] and after[0]["tokens"]
        assert games.undo(id).document["players"] == before


@in_ci
def test_a_card_that_became_secret_is_forgotten_where_its_seat_is_given_back(app: Flask) -> None:
    brought_back(app, (OLD / "backup.zip").read_bytes())
    games: Games = app.extensions["stargazer"].games
    seen = {}
    later = games.open(BY_HAND).document["players"]
    while games.open(BY_HAND).undo not in ("tokens", None):  # to before all is laid open
        games.undo(BY_HAND)
    games.undo(BY_HAND)
    for phone in ("ana", "luis"):
        games.take_seat(BY_HAND, 0, phone)
        seen[phone] = games.open(BY_HAND, phone).document["players"][0]
        games.give_back(BY_HAND, 0, phone, serves=False)
    assert not any(seen["luis"].get(id) for id in ("contracts", "tokens"))
    while games.open(BY_HAND).redo is not None:
        games.redo(BY_HAND)
    games.take_seat(BY_HAND, 1, "eva")
    first, second = games.open(BY_HAND, "eva").document["players"]
    assert not first.get("contracts") and second == later[1], "the others keep theirs"


def renamed(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document with another name of the first player."""
    first, *others = document["players"]
    return {**document, "players": [{**first, "name": "Zoe"}, *others]}
