"""Words of the game that is played, in the language of the page."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from flask_babel import gettext as _

from calibration.layout import load_layout
from calibration.profile import LAYOUT_FILE, built_in_profiles
from scorer.sentence import Sentence
from webapp.app.languages import language
from webapp.web.context import current_profile


@cache
def _space_ids(spaces: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(spaces, key=len, reverse=True)
    return re.compile(r"\b(?:{})\b".format("|".join(map(re.escape, longest_first))))


def said(text: str) -> str:
    """Return a sentence of the scorer in the player's language, with spaces by their names."""
    spaces = current_profile().board.spaces
    if isinstance(text, Sentence):
        return text.in_language(language(), lambda id: space_name(id) if id in spaces else id)
    return _space_ids(tuple(spaces)).sub(lambda found: space_name(found[0]), str(text))


def spoken(text: str, here: str = "") -> str:
    """The same beside the board: places by what is printed there; `here` is the one pointed at."""
    if not isinstance(text, Sentence):
        return said(text)
    return text.in_language(
        language(), lambda id: _("this space") if id == here else spoken_name(id)
    )


def spoken_name(place: str) -> str:
    """A place of the board that is played on, by what is printed there; else the text itself."""
    profile = current_profile()
    return profile.game.spoken_place(profile.board, place, language())


def as_title(text: str) -> str:
    """Return a part of a sentence as it stands alone.

    >>> as_title("red star, 1a1")
    'Red star, 1a1'
    """
    return f"{text[:1].upper()}{text[1:]}"


def as_sentence(text: str) -> str:
    """Return what the scorer says as part of a sentence, as one of its own.

    >>> as_sentence("the first star goes on the core")
    'The first star goes on the core.'
    """
    return f"{as_title(text)}."


def space_name(space: str) -> str:
    """Return what players call a space of the board that is played on."""
    profile = current_profile()
    return profile.game.place_name(profile.board, space, language())


def piece_name(piece: str | None) -> str:
    """Return a piece's name, or that a space is empty."""
    if piece in (None, "", "empty"):
        return _("empty")
    return current_profile().game.piece_name(piece, language())


def board_title(title: str) -> str:
    """Return a board's title in the player's language, where it comes with its game in all."""
    title = _built_in_titles().get(title, title)
    return title.in_language(language()) if isinstance(title, Sentence) else title


@cache
def _built_in_titles() -> Mapping[str, str]:
    """The titles of the boards that come with a game, by how they are kept: in English."""
    layouts = (load_layout(folder / LAYOUT_FILE) for folder in built_in_profiles().values())
    return {str(layout.title): layout.title for layout in layouts}


def letter_keys(names: Sequence[str]) -> list[str]:
    """Return a key for each name: the first of its letters, plain, that no name before it has.

    >>> letter_keys(["žlutá", "bílá", "azul", "amarillo"])
    ['z', 'b', 'a', 'm']
    """
    keys: list[str] = []
    for name in names:
        plain = unicodedata.normalize("NFD", name.lower())
        keys.append(next((key for key in plain if key.isalpha() and key not in keys), ""))
    return keys
