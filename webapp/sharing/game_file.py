"""A game as a game file, which `stargazer score` counts to the same score."""

import yaml

from webapp import sheet
from webapp.games import Document


def game_file(document: Document) -> str:
    """Return the game as the YAML of a game file, its stars written out."""
    return yaml.safe_dump(
        sheet.game_data(document), allow_unicode=True, sort_keys=False, default_flow_style=None
    )
