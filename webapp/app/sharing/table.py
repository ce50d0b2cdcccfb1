"""A score as CSV for spreadsheets, one row per player and line."""

import csv
import io

from flask_babel import gettext as _

from scorer.scoresheet import Score
from webapp.app.game_pages import GamePages
from webapp.app.languages import language
from webapp.app.session import scoring

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def table(score: Score, pages: GamePages) -> str:
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
