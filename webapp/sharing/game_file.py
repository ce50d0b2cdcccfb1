"""A game as a game file, which `stargazer score` counts to the same score."""

import yaml

from webapp import game_document
from webapp.saved_games import Document


def game_file(document: Document) -> str:
    """Return the game as the YAML of a game file, its stars written out."""
    note = {key: document[key] for key in (game_document.NOTE,) if key in document}
    return yaml.safe_dump(
        {**game_document.game_data(document), **note},
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=None,
    )
