"""Polaris' part of a document apart from players and skies: cards, telescopes, what is left over.

- `cards`: the common cards in scoring order, the one at the New Moon first;
- `telescopes`: the seat of the telescope's holder in each phase, None if unknown;
- for each player `personal`, `shooting` (shooting stars left over) and `score_marker`, the marker's
  final position, entered if the phases are unknown.
"""

from collections.abc import Collection, Mapping
from typing import Any

from scorer.polaris.board import STANDARD_SKY, SkyBoard
from scorer.polaris.contract import END, MOMENTS
from scorer.polaris.game import PHASES, sky_data, sky_from_data
from scorer.polaris.sky import PLAYERS_WITH_NEUTRAL_STARS, Sky
from scorer.polaris.words import NEUTRAL
from webapp.app.game_pages import FileParts
from webapp.app.session.board_slots import owners
from webapp.app.session.game_document import Document

EVERY_PHASE, ONLY_THE_END = "phases", "end"
OF_PHASES = (*MOMENTS[: PHASES - 1], END)
"""The moments whose skies are wanted: the fifth phase is the end."""


def colours(document: Document) -> dict[str, str]:
    """Each player's colour by name."""
    return {player["name"]: player["marker"] for player in document["players"]}


def sky_of(document: Document, number: int, board: SkyBoard = STANDARD_SKY) -> Sky:
    """A sky of the game, as it is scored."""
    sky = sky_from_data(owners(document)[number], board)
    return sky.as_played(colours(document).values())


def is_known(document: Document, number: int) -> bool:
    """Whether anything is known of a sky."""
    return owners(document)[number]["board"] is not None


def with_telescope(document: Document, phase: int, seat: int | None) -> Document:
    telescopes = list(document["telescopes"])
    telescopes[phase] = seat
    return {**document, "telescopes": telescopes}


def telescope(document: Document, phase: int) -> int | None:
    """The seat of the telescope's holder; None if unknown, or if that player has left."""
    seat = document["telescopes"][phase]
    return seat if seat is not None and seat < len(document["players"]) else None


def name_of(document: Document, seat: int | None) -> str | None:
    """The name of a seat's player."""
    return None if seat is None else str(document["players"][seat]["name"])


def telescopes_missing(document: Document) -> bool:
    """Whether the telescope's holder is unknown for any phase."""
    return any(telescope(document, phase) is None for phase in range(PHASES))


def game_data(document: Document) -> dict[str, Any]:
    """The document as a game file, with the phases if all of their data is known."""
    players = document["players"]
    data: dict[str, Any] = {
        "format": 1,
        "game": document["game"],
        "edition": document["edition"],
        "players": [_player_data(document, player) for player in players],
        **_sky_data(document, len(owners(document)) - 1),
    }
    is_complete = len(document["cards"]) == PHASES and not telescopes_missing(document)
    if document["mode"] == EVERY_PHASE and is_complete:
        data["phases"] = [
            {
                "card": document["cards"][phase],
                "telescope": players[document["telescopes"][phase]]["name"],
                **(_sky_data(document, phase) if phase < PHASES - 1 else {}),
            }
            for phase in range(PHASES)
        ]
    return data


def _player_data(document: Document, player: Mapping[str, Any]) -> dict[str, Any]:
    answers = {"shooting": player["shooting"], "personal": player.get("personal")}
    if document["mode"] == ONLY_THE_END:
        answers["marker"] = player["score_marker"]
    own = {"name": player["name"], "colour": player["marker"]}
    return own | {key: value for key, value in answers.items() if value is not None}


def _sky_data(document: Document, number: int) -> dict[str, Any]:
    board = owners(document)[number]
    if "photo" in board:
        return {"photo": board["photo"]}
    stars = {**board["stars"], **dict.fromkeys(board.get("neutral") or (), NEUTRAL)}
    played = set(colours(document).values())
    if len(played) == PLAYERS_WITH_NEUTRAL_STARS:
        stars = {space: star if star in played else NEUTRAL for space, star in stars.items()}
    return {**sky_data(stars, (), board.get("new_moon")), "links": board["links"]}


def file_parts(data: Mapping[str, Any]) -> FileParts:
    """Split a game file's data; phases whose sky is a photograph have no sky yet."""
    phases = data.get("phases") or []
    mode = EVERY_PHASE if len(phases) == PHASES else ONLY_THE_END
    names = [player["name"] for player in data["players"]]
    players = [
        {
            "personal": player.get("personal"),
            "shooting": player.get("shooting"),
            "score_marker": player.get("marker"),
        }
        for player in data["players"]
    ]
    end = data if "stars" in data or not phases else phases[-1]
    table: dict[str, Any] = {"edition": data.get("edition", "standard")}
    if mode == EVERY_PHASE:
        table["cards"] = [phase["card"] for phase in phases]
        table["telescopes"] = [names.index(phase["telescope"]) for phase in phases]
    return FileParts(
        mode,
        players,
        table,
        [*phases[:-1], end] if mode == EVERY_PHASE else [end],
        _unanswered(data),
    )


def _unanswered(data: Mapping[str, Any]) -> Collection[str]:
    """The steps that a game file leaves unanswered."""
    players = data["players"]
    left = {f"personal-{seat}" for seat, own in enumerate(players) if not own.get("personal")}
    counted = len(data.get("phases") or ()) == PHASES
    answered = all("shooting" in own and (counted or "marker" in own) for own in players)
    return left if answered else {*left, "stock"}
