"""Sharing finished games as game files, tables or logged plays."""

import csv
import io
import json
from typing import Any
from urllib.parse import quote

import yaml
from flask_babel import gettext as _

from scorer.scoresheet import Score
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.languages import language
from webapp.app.session import scoring
from webapp.app.session.board_slots import owners, with_owner
from webapp.app.session.game_document import NOTE, game_data, is_confirmed, is_work
from webapp.app.session.saved_games import Document, SavedGame

CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html"
SOURCE = "Stargazer"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def game_file(document: Document) -> str:
    """Return the game as the YAML of a game file with its pieces.

    Boards that nobody has confirmed or worked on are given as photographs still to be taken.
    """
    note = {NOTE: document[NOTE]} if NOTE in document else {}
    nothing = dict.fromkeys(pages_of(document["game"]).game.pieces_data({}))
    for number in range(len(owners(document))):
        if not (is_confirmed(document, number) or is_work(document, number)):
            photo = f"board-{number + 1}.jpg"
            document = with_owner(document, number, **nothing, photo=photo)
    return yaml.safe_dump(
        {**game_data(document), **note},
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=None,
    )


def csv_table(score: Score, pages: GamePages) -> str:
    """Return the score as CSV, the best player first, with headers in the current language."""
    written = io.StringIO()
    writer = csv.writer(written)
    headers = (
        _("Place"),
        _("Player"),
        _("Total"),
        _("Part"),
        _("Card"),
        _("What for"),
        _("Calculation"),
        _("Points"),
    )
    writer.writerow(headers)
    for standing in scoring.standings(score):
        own = standing.score
        for line in own.lines:
            row = (
                standing.place,
                own.name,
                own.total,
                pages.words.part(line.category),
                line.subject.get("card", ""),
                pages.words.line(line),
                line.calculation.in_language(language()),
                line.points,
            )
            writer.writerow([as_text(cell) if isinstance(cell, str) else cell for cell in row])
    return written.getvalue()


def as_text(cell: str) -> str:
    """Escape a text that a spreadsheet would interpret as a formula.

    >>> as_text('=HYPERLINK("http://example.com")')
    '\\'=HYPERLINK("http://example.com")'
    >>> as_text("Ana")
    'Ana'
    """
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def bgstats_link(game: SavedGame, score: Score) -> str:
    """Return the URL that opens the app BG Stats with this play filled in.

    The format is the app's own:
    https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
    The app matches games and players by `sourceName`, `sourceGameId` and `sourcePlayerId`, so these
    must not change.
    """
    data = json.dumps(bgstats_play(game, score), ensure_ascii=False, separators=(",", ":"))
    return f"{CREATE_PLAY}?data={quote(data, safe='')}"


def bgstats_play(game: SavedGame, score: Score) -> dict[str, Any]:
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
