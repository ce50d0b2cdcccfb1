"""A link that sends a play to the BG Stats app.

The format is the app's own:
https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
The app matches games and players by `sourceName`, `sourceGameId` and `sourcePlayerId`, so these
must not change.
"""

import json
from typing import Any
from urllib.parse import quote

from scorer.scoresheet import Score
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.session import scoring
from webapp.app.session.saved_games import SavedGame

CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html"
SOURCE = "Stargazer"


def link(game: SavedGame, score: Score) -> str:
    """Return the URL that opens BG Stats with this play filled in."""
    data = json.dumps(play(game, score), ensure_ascii=False, separators=(",", ":"))
    return f"{CREATE_PLAY}?data={quote(data, safe='')}"


def play(game: SavedGame, score: Score) -> dict[str, Any]:
    """Return the play in the app's format; the start player is unknown."""
    pages = pages_of(game.document["game"])
    return {
        "sourceName": SOURCE,
        "sourcePlayId": game.id,
        "playDate": game.created_at.strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": pages.game.title,
            "sourceGameId": game.document["game"],
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": standing.score.name,
                "sourcePlayerId": standing.score.name.casefold(),
                "score": standing.score.total,
                "rank": standing.place,
                "winner": standing.place == 1,
                # The app's Android version refuses a player without this key.
                "startPlayer": False,
            }
            for standing in scoring.standings(score)
        ],
        "comments": "\n".join(_breakdown(standing, pages) for standing in scoring.standings(score)),
    }


def _breakdown(standing: scoring.Standing, pages: GamePages) -> str:
    parts = scoring.by_category(standing.score.lines, pages.game.categories)
    sums = ", ".join(
        f"{pages.words.part(category)} {sum(line.points for line in lines)}"
        for category, lines in parts.items()
    )
    return f"{standing.score.name}: {sums}"
