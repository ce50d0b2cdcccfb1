"""A game's document: a game file that is being filled in, step by step.

It is the format of a game file, with what the companion adds beside it: `confirmed` (the
steps done), and for each player `marker` (their colour), `board` (which photograph shows
their board) and `checked` (the doubtful spaces that were looked at). Each function takes
a document and returns another; none changes what it was given.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorer.nebula import COLOURS, CONSTELLATIONS, STANDARD_BOARD

Document = Mapping[str, Any]

SLOTS = ("I", "II", "III", "IV")
TRACKS: Mapping[str, tuple[str, ...]] = {
    "colours": tuple(COLOURS),
    "constellations": tuple(CONSTELLATIONS),
    "advanced": SLOTS,
}
"""The Values board's tracks and the tokens that run on each."""

MARKERS = ("teal", "coral", "lime", "violet")
"""The players' own colours, told apart from the stars'."""


def new_game(players: Sequence[tuple[str, str]], mode: str) -> Document:
    """Return the document of a new game of `players`, each a name and a marker's colour."""
    return {
        "format": 1,
        "game": "nebula",
        "mode": mode,
        "edition": "standard",
        "career": [],
        "advanced": [],
        "values": {track: [] for track in TRACKS},
        "players": [_new_player(name, marker) for name, marker in players],
        "confirmed": ["players"],
    }


def _new_player(name: str, marker: str) -> dict[str, Any]:
    return {
        "name": name,
        "marker": marker,
        "board": None,
        "stars": {},
        "black": 0,
        "checked": [],
        "personal": None,
    }


def with_players(document: Document, players: Sequence[tuple[str, str]], mode: str) -> Document:
    """Rename the players, add some at the end or take some away from there; set the mode.

    What this leaves open is to be done again: a new player's board, the full game's cards.
    """
    kept = list(document["players"][: len(players)])
    kept += [_new_player(*player) for player in players[len(kept) :]]
    seats = [
        {**player, "name": name, "marker": marker}
        for player, (name, marker) in zip(kept, players, strict=True)
    ]
    again: set[str] = set()
    if len(seats) > len(document["players"]):
        again |= {"photographs", "markers"}
    if mode == "full" != document["mode"]:
        again |= {"cards"}
    return without_confirmed({**document, "mode": mode, "players": seats}, again)


def with_cards(document: Document, career: Sequence[str], advanced: Sequence[str]) -> Document:
    """Lay the cards out; markers on a card that is no longer there are taken back.

    Who has markers on a card that was not there before is to be asked.
    """
    players = [
        {**player, "career": {card: at for card, at in player["career"].items() if card in career}}
        if "career" in player
        else player
        for player in document["players"]
    ]
    laid = {**document, "career": list(career), "advanced": list(advanced), "players": players}
    new = set(career) - set(document["career"])
    return without_confirmed(laid, ("markers",) if new else ())


def with_values(document: Document, values: Mapping[str, Sequence[str]]) -> Document:
    """Set the order of the tokens on each track of the Values board."""
    return {**document, "values": {track: list(values[track]) for track in TRACKS}}


def with_star(document: Document, player: int, space: str, colour: str | None) -> Document:
    """Put a star of a colour on a player's space, or none; the space counts as looked at."""
    seat = document["players"][player]
    stars = {name: star for name, star in seat["stars"].items() if name != space}
    if colour is not None:
        stars[space] = colour
    ordered = {name: stars[name] for name in STANDARD_BOARD.spaces if name in stars}
    checked = sorted({*seat["checked"], space})
    return _with_seat(document, player, stars=ordered, checked=checked)


def with_black(document: Document, player: int, count: int) -> Document:
    """Set how many black stars lie on a player's track."""
    checked = sorted({*document["players"][player]["checked"], "black"})
    return _with_seat(document, player, black=count, checked=checked)


def with_personal(document: Document, player: int, card: str) -> Document:
    """Set a player's personal card."""
    return _with_seat(document, player, personal=card)


def with_markers(document: Document, markers: Sequence[Mapping[str, str]]) -> Document:
    """Set each player's career markers: a card to "first" or "later"."""
    players = [
        {**player, "career": dict(placed)}
        for player, placed in zip(document["players"], markers, strict=True)
    ]
    return {**document, "players": players}


def with_board(
    document: Document, player: int, photograph: str, index: int, board: Mapping[str, Any]
) -> Document:
    """Give a player the board that a photograph shows, star by star as it was read."""
    stars = {
        space: seen["star"] for space, seen in board["spaces"].items() if seen["star"] is not None
    }
    return without_confirmed(
        _with_seat(
            document,
            player,
            board={"photograph": photograph, "index": index},
            stars=stars,
            black=board["black"]["count"],
            checked=[],
        ),
        (f"review-{player}",),
    )


def with_hand_entry(document: Document, player: int) -> Document:
    """Let a player's board be entered by hand, from what is known of it."""
    return _with_seat(document, player, board={"photograph": None, "index": 0})


def without_board(document: Document, player: int) -> Document:
    """Take a player's board away."""
    return without_confirmed(
        _with_seat(document, player, board=None, stars={}, black=0, checked=[]),
        (f"review-{player}",),
    )


def swap_board(
    document: Document, player: int, photograph: str, index: int, board: Mapping[str, Any]
) -> Document:
    """Give a player a board of a photograph; whoever had it gets the player's own instead."""
    wanted = {"photograph": photograph, "index": index}
    mine = document["players"][player]
    if mine["board"] == wanted:
        return document
    kept = {key: mine[key] for key in ("board", "stars", "black", "checked")}
    theirs = [seat for seat, other in enumerate(document["players"]) if other["board"] == wanted]
    document = with_board(document, player, photograph, index, board)
    for seat in theirs:
        document = without_confirmed(_with_seat(document, seat, **kept), (f"review-{seat}",))
    return document


def without_photograph(document: Document, photograph: str) -> Document:
    """Take away the boards that were read from a photograph."""
    for seat, player in enumerate(document["players"]):
        if player["board"] is not None and player["board"]["photograph"] == photograph:
            document = without_confirmed(without_board(document, seat), ("photographs",))
    return document


def seats_for(document: Document, photograph: str, player: int, boards: int) -> list[int]:
    """Say whose boards a photograph shows: its player's first, then of those who have none."""
    players = document["players"]
    waiting = [
        seat for seat in range(len(players)) if seat != player and players[seat]["board"] is None
    ]
    return [player, *waiting][:boards]


def confirm(document: Document, step: str) -> Document:
    """Note that a step is done."""
    return {**document, "confirmed": [*without(document["confirmed"], (step,)), step]}


def without_confirmed(document: Document, steps: Iterable[str]) -> Document:
    """Note that steps are to be done again."""
    return {**document, "confirmed": without(document["confirmed"], steps)}


def without(values: Iterable[str], gone: Iterable[str]) -> list[str]:
    """Return `values` without those that are `gone`."""
    gone = set(gone)
    return [value for value in values if value not in gone]


def game_data(document: Document) -> dict[str, Any]:
    """Return the document as a game file: without what only the companion keeps."""
    full = document["mode"] == "full"
    data: dict[str, Any] = {
        "format": 1,
        "game": document["game"],
        "mode": document["mode"],
        "edition": document["edition"],
        "career": list(document["career"]),
    }
    if full:
        data["advanced"] = list(document["advanced"])
        data["values"] = {track: list(order) for track, order in document["values"].items()}
    data["players"] = [
        {
            "name": player["name"],
            "stars": dict(player["stars"]),
            "black": player["black"],
            **({"personal": player["personal"]} if player["personal"] else {}),
            **({"career": dict(player["career"])} if "career" in player else {}),
        }
        for player in document["players"]
    ]
    return data


def _with_seat(document: Document, player: int, **changes: Any) -> Document:
    players = list(document["players"])
    players[player] = {**players[player], **changes}
    return {**document, "players": players}
