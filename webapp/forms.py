"""What players enter, checked: each mistake gets a message at its field, nothing is lost."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask_babel import gettext as _

from webapp import cards, game_document
from webapp.saved_games import Document, SavedGame

LONGEST_NAME = 40
MOST_PLAYERS = 4
MODES = ("full", "intro")


@dataclass(frozen=True)
class Form:
    """A form as it was entered, what is wrong at which field, and what it means if nothing is."""

    entered: Mapping[str, Any]
    errors: Mapping[str, str] = field(default_factory=dict)
    value: Any = None

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.errors


@dataclass(frozen=True)
class Seating:
    """Who plays: a name and a marker's colour for each, and the mode."""

    players: tuple[tuple[str, str], ...]
    mode: str


def blank_players() -> Form:
    """Return the form of a new game: two players, the full game."""
    return Form(
        {"count": 2, "mode": "full", "names": [""] * 4, "markers": list(game_document.MARKERS)}
    )


def players_of(document: Document) -> Form:
    """Return the form as this game has it filled in."""
    seats = document["players"]
    names = [seat["name"] for seat in seats]
    markers = [seat["marker"] for seat in seats]
    free = game_document.without(game_document.MARKERS, markers)
    return Form(
        {
            "count": len(seats),
            "mode": document["mode"],
            "names": names + [""] * (MOST_PLAYERS - len(names)),
            "markers": markers + free[: MOST_PLAYERS - len(markers)],
        }
    )


def players(entered: Mapping[str, str]) -> Form:
    """Check who plays. A name left empty is the seat's number."""
    errors: dict[str, str] = {}
    count = entered.get("count", "")
    if count not in {"1", "2", "3", "4"}:
        errors["count"] = _("Choose from one to four players.")
    mode = entered.get("mode", "")
    if mode not in MODES:
        errors["mode"] = _("Choose the full or the introductory game.")
    names = [_tidy(entered.get(f"name-{seat}", "")) for seat in range(MOST_PLAYERS)]
    markers = [entered.get(f"marker-{seat}", "") for seat in range(MOST_PLAYERS)]
    seats = int(count) if "count" not in errors else 2
    spoken = [
        name or _("Player %(number)s", number=seat + 1) for seat, name in enumerate(names[:seats])
    ]
    used = Counter(name.casefold() for name in spoken)
    for seat, name in enumerate(spoken):
        if len(name) > LONGEST_NAME:
            errors[f"name-{seat}"] = _("A name has at most %(most)s characters.", most=LONGEST_NAME)
        elif used[name.casefold()] > 1:
            errors[f"name-{seat}"] = _("Two players have this name. Change one of them.")
    for seat, marker in enumerate(markers[:seats]):
        if marker not in game_document.MARKERS:
            errors[f"marker-{seat}"] = _("Choose a colour.")
        elif marker in markers[:seat]:
            errors[f"marker-{seat}"] = _("Another player has this colour.")
    return Form(
        {"count": seats, "mode": mode, "names": names, "markers": markers},
        errors,
        None if errors else Seating(tuple(zip(spoken, markers, strict=False)), mode),
    )


@dataclass(frozen=True)
class CardsOnTable:
    """The career cards, and the advanced cards in the order of their slots."""

    career: tuple[str, ...]
    advanced: tuple[str, ...]


def cards_of(document: Document) -> Form:
    """Return the form as this game has it filled in."""
    return Form({"career": list(document["career"]), "advanced": list(document["advanced"])})


def table_cards(entered: Any, mode: str) -> Form:
    """Check the cards on the table: four of each family that the mode uses."""
    errors: dict[str, str] = {}
    chosen = {"career": _listed(entered.get("career", ""))}
    chosen["advanced"] = _listed(entered.get("advanced", "")) if mode == "full" else []
    for family, picked in chosen.items():
        if family == "advanced" and mode != "full":
            continue
        if any(card not in cards.of_deck(family) for card in picked):
            errors[family] = _("One of these cards is not in the game.")
        elif len(set(picked)) != len(picked):
            errors[family] = _("One of these cards was chosen twice.")
        elif len(picked) != 4:
            errors[family] = _("Choose four cards: %(chosen)s of 4 are chosen.", chosen=len(picked))
    value = CardsOnTable(tuple(chosen["career"]), tuple(chosen["advanced"]))
    return Form(chosen, errors, None if errors else value)


def values(entered: Mapping[str, str]) -> Form:
    """Check the order of the tokens on each track of the Values board."""
    errors: dict[str, str] = {}
    orders = {track: _listed(entered.get(track, "")) for track in game_document.TRACKS}
    for track, tokens in game_document.TRACKS.items():
        if any(token not in tokens for token in orders[track]):
            errors[track] = _("One of these tokens does not run on this track.")
        elif len(set(orders[track])) != len(orders[track]):
            errors[track] = _("One of these tokens is there twice.")
    return Form(orders, errors, None if errors else orders)


def markers(entered: Mapping[str, str], document: Document) -> Form:
    """Check the career markers: on each card at most one player is first."""
    errors: dict[str, str] = {}
    seats = range(len(document["players"]))
    placed: list[dict[str, str]] = [{} for _seat in seats]
    for card in document["career"]:
        at = [entered.get(f"{card}-{seat}", "none") for seat in seats]
        if any(place not in {"none", "first", "later"} for place in at):
            errors[card] = _("Choose who was first, and who came later.")
        elif at.count("first") > 1:
            errors[card] = _("Only one player was the first.")
        elif "later" in at and "first" not in at:
            errors[card] = _("Say who was the first.")
        for seat, place in zip(seats, at, strict=True):
            if place in {"first", "later"}:
                placed[seat][card] = place
    return Form({"markers": placed}, errors, None if errors else placed)


def known_names(games: Iterable[SavedGame]) -> Sequence[str]:
    """Return the names of earlier games, the most recent first, each once."""
    return list(
        dict.fromkeys(player["name"] for game in games for player in game.document["players"])
    )[:12]


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()][:60]


def _tidy(name: str) -> str:
    """Return a name in one line, without what cannot be seen."""
    visible = "".join(
        " " if char.isspace() else char
        for char in unicodedata.normalize("NFC", name)
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    return " ".join(visible.split())
