"""A game file that a browser sends becomes a saved game's document."""

from collections.abc import Mapping
from typing import Any

from scorer import registry
from scorer.datafile import LARGEST_FILE, DataFileError, parse_json, parse_yaml
from scorer.game import Game
from webapp import forms, game_document
from webapp.games import pages_of
from webapp.known_boards import KnownBoards
from webapp.saved_games import Document


def game_file_document(raw: bytes, is_json: bool, boards: KnownBoards) -> Document:
    """Return the document of a game file, YAML or JSON, on the first known board that fits it.

    Raises DataFileError with every mistake in it.
    """
    data = _data(raw, is_json)
    game = _game(data, boards)
    choices = boards.choices(game.id)
    if not choices:
        raise DataFileError([("game", f"no board of {game.title} is known here")])
    problems: DataFileError | None = None
    for name, profile in choices.items():
        try:
            played = game.game_from_data(data, profile.board)
            checked = game.game_data(played)
        except DataFileError as error:
            problems = problems or error  # what is told is about the board that is played on mostly
            continue
        chosen = "" if profile is boards.default else name
        document = game_document.from_file(_named(checked), pages_of(game.id), chosen)
        note = data.get(game_document.NOTE, "")
        return game_document.with_note(document, forms.note(note) if isinstance(note, str) else "")
    assert problems is not None, "there is a board"
    raise problems


def _data(raw: bytes, is_json: bool) -> Mapping[str, Any]:
    if len(raw) > LARGEST_FILE:
        raise DataFileError([("", f"over {LARGEST_FILE:,} bytes, far too large")])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataFileError(
            [("", "not a text file in UTF-8; choose a YAML or JSON file")]
        ) from None
    data = parse_json(text) if is_json else parse_yaml(text)
    if not isinstance(data, Mapping):
        raise DataFileError([("", "not a game file: keys such as players are missing")])
    return data


def _game(data: Mapping[str, Any], boards: KnownBoards) -> Game[Any, Any, Any]:
    named = str(data.get("game", boards.default.game.id))
    try:
        return registry.find_game(named)
    except registry.UnknownGameError:
        known = ", ".join(registry.names())
        raise DataFileError([("game", f"{named} is not known; there is {known}")]) from None


def _named(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """A game file's data with names as they are typed here. DataFileError for one too long."""
    names = [forms.tidy(str(player["name"])) for player in data["players"]]
    problems = [
        (f"players[{seat}].name", f"must have 1 to {forms.LONGEST_NAME} characters")
        for seat, name in enumerate(names)
        if not 0 < len(name) <= forms.LONGEST_NAME
    ]
    if len(names) > forms.MOST_PLAYERS:
        problems.append(("players", f"more than {forms.MOST_PLAYERS}"))
    if problems:
        raise DataFileError(problems)
    players = [
        {**player, "name": name} for player, name in zip(data["players"], names, strict=True)
    ]
    return {**data, "players": players}
