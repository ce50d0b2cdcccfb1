"""Names in the current game, in the page's language."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from flask_babel import gettext as _

from calibration.profile import built_in_profiles, profile_layout
from scorer.glossary import ANY_PLAYERS
from scorer.sentence import Sentence
from webapp.app.languages import language
from webapp.web.context import current_players, current_profile


@cache
def _space_ids(spaces: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(spaces, key=len, reverse=True)
    return re.compile(r"\b(?:{})\b".format("|".join(map(re.escape, longest_first))))


def said(text: str) -> str:
    """Return a sentence of the scorer in the current language, with spaces by name.

    A text that depends on how many play is said for those of the game that the request is about.
    """
    spaces = current_profile().board.spaces
    if isinstance(text, Sentence):
        if ANY_PLAYERS.items() <= text.values.items():
            text = text.with_values(players=current_players())
        return text.in_language(language(), lambda id: space_name(id) if id in spaces else id)
    return _space_ids(tuple(spaces)).sub(lambda found: space_name(found[0]), str(text))


def spoken(text: str, here: str = "") -> str:
    """Return it for reading beside the board: places by their print, `here` as "this space"."""
    if not isinstance(text, Sentence):
        return said(text)
    return text.in_language(
        language(), lambda id: _("this space") if id == here else spoken_name(id)
    )


def spoken_name(place: str) -> str:
    """Return a place by what is printed there; other texts are returned unchanged."""
    profile = current_profile()
    return profile.game.spoken_place(profile.board, place, language())


def as_title(text: str) -> str:
    """Capitalise part of a sentence.

    >>> as_title("red star, 1a1")
    'Red star, 1a1'
    """
    return f"{text[:1].upper()}{text[1:]}"


def as_sentence(text: str) -> str:
    """Turn part of a sentence into a sentence of its own; a whole one stays as it is.

    >>> as_sentence("the first star goes on the core")
    'The first star goes on the core.'
    >>> as_sentence("Which star?")
    'Which star?'
    """
    return as_title(text if text.endswith((".", "!", "?", ":")) else f"{text}.")


def space_name(space: str) -> str:
    """Return the players' name of a space on the current board."""
    profile = current_profile()
    return profile.game.place_name(profile.board, space, language())


def piece_name(piece: str | None, count: int = 1) -> str:
    """Return the name of so many of a piece, or the word for an empty space."""
    if piece in (None, "", "empty"):
        return _("empty")
    return current_profile().game.piece_name(piece, language(), count)


def board_title(title: str) -> str:
    """Return a board's title, translated if it comes with a game."""
    title = _built_in_titles().get(title, title)
    return title.in_language(language()) if isinstance(title, Sentence) else title


@cache
def _built_in_titles() -> Mapping[str, str]:
    """Return the built-in boards' titles by their stored, English form."""
    layouts = map(profile_layout, built_in_profiles())
    return {str(layout.title): layout.title for layout in layouts}


def letter_keys(names: Sequence[str]) -> list[str]:
    """Return a shortcut for each name: its first letter, without accents, that is still free.

    >>> letter_keys(["žlutá", "bílá", "azul", "amarillo"])
    ['z', 'b', 'a', 'm']
    """
    keys: list[str] = []
    for name in names:
        plain = unicodedata.normalize("NFD", name.lower())
        keys.append(next((key for key in plain if key.isalpha() and key not in keys), ""))
    return keys
