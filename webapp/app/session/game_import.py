"""Converts an uploaded game file to a saved game's document."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer import registry
from scorer.datafile import LARGEST_FILE, DataFileError, parse_json, parse_yaml
from scorer.game import Game
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.session import flow, game_document
from webapp.app.session.board_slots import BY_HAND, owners, with_owner
from webapp.app.session.names import LONGEST_NAME, MOST_PLAYERS, note, tidy
from webapp.app.session.saved_games import Document


def game_file_document(raw: bytes, is_json: bool, boards: KnownBoards) -> Document:
    """Return the document of a YAML or JSON game file, on the first known board that fits it.

    Raises DataFileError with all mistakes.
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
            problems = problems or error  # report mistakes for the first choice
            continue
        chosen = "" if name == boards.first_of(game.id) else name
        document = document_of_file(_named(checked), pages_of(game.id), chosen)
        written = data.get(game_document.NOTE, "")
        return game_document.with_note(document, note(written) if isinstance(written, str) else "")
    assert problems is not None, "there is a board"
    raise problems


def document_of_file(data: Mapping[str, Any], pages: GamePages, profile: str) -> Document:
    """Return the document of a game file's validated data; steps without data stay open.

    Boards without pieces, and those given as photographs, are open. If any step is open, all boards
    must be reviewed.
    """
    parts = pages.file_parts(data)
    owners_of_pieces = [piece.owner for piece in pages.game.pieces if piece.owner]
    seated = [
        (player["name"], colour if (colour := player.get("colour")) in owners_of_pieces else marker)
        for marker, player in zip(pages.markers, data["players"], strict=False)
    ]
    begun = game_document.new_game(seated, parts.mode, pages.game.id, profile)
    players = [{**seat, **own} for seat, own in zip(begun["players"], parts.players, strict=True)]
    begun = {**begun, **parts.table, "players": players}
    written = set(pages.game.pieces_data({}))
    for number, keys in enumerate(parts.boards):
        known = {key: keys[key] for key in written & keys.keys()}
        board = BY_HAND if any(known.values()) else None
        begun = with_owner(begun, number, board=board, **known)
    missing = set(_unanswered(pages, data) if parts.unanswered is None else parts.unanswered)
    missing |= set() if all(own["board"] for own in owners(begun)) else {"photographs"}
    if missing:  # it is not over: nobody may have checked the pieces
        missing |= {f"review-{number}" for number in range(len(owners(begun)))}
    steps = [step.key for step in flow.steps(begun)]
    return {**begun, "confirmed": game_document.without(steps, missing)}


def _unanswered(pages: GamePages, data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of steps whose questions have no answer in a game file's data."""
    for question in pages.game.questions(data):
        if not question.of_each_player and question.id.partition(".")[0] not in data:
            yield question.id
        for seat, player in enumerate(data["players"]) if question.of_each_player else ():
            if player.get(question.id) is None:
                yield f"{question.id}-{seat}"


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
    """Return a game file's data with normalised names. Raises DataFileError for long ones."""
    names = [tidy(str(player["name"])) for player in data["players"]]
    problems = [
        (f"players[{seat}].name", f"must have 1 to {LONGEST_NAME} characters")
        for seat, name in enumerate(names)
        if not 0 < len(name) <= LONGEST_NAME
    ]
    if len(names) > MOST_PLAYERS:
        problems.append(("players", f"more than {MOST_PLAYERS}"))
    if problems:
        raise DataFileError(problems)
    players = [
        {**player, "name": name} for player, name in zip(data["players"], names, strict=True)
    ]
    return {**data, "players": players}
