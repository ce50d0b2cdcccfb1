"""Validation of forms: each mistake gets a message at its field, and entries are kept."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from flask_babel import force_locale
from flask_babel import gettext as _

from webapp.app.game_pages import GamePages, pages_of
from webapp.app.languages import LANGUAGES
from webapp.app.session import game_document
from webapp.app.session.names import LONGEST_NAME, MOST_PLAYERS, tidy
from webapp.app.session.saved_games import Document, SavedGame


@dataclass(frozen=True)
class Form:
    """A submitted form: the entries, the errors by field, and the parsed value without errors."""

    entered: Mapping[str, Any]
    errors: Mapping[str, str] = field(default_factory=dict)
    value: Any = None

    @property
    def valid(self) -> bool:
        return not self.errors


@dataclass(frozen=True)
class Seating:
    """The players' names and marker colours, the mode and the board.

    `profile` is the board's name, "" if a photograph decides.
    """

    players: tuple[tuple[str, str], ...]
    mode: str
    profile: str = ""


def listed(text: str) -> list[str]:
    """The ids in a field, separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()][:60]


def blank_players(pages: GamePages, given: Mapping[str, str] = MappingProxyType({})) -> Form:
    """Return the form of a new game: two players, the default mode.

    What is `given`, as by the table setup page, replaces these: count, mode and board.
    """
    table, count, mode = pages.game.table, given.get("count", ""), given.get("mode", "")
    counts = map(str, range(table.fewest_players, table.most_players + 1))
    return Form(
        {
            "count": int(count) if count in counts else max(2, table.fewest_players),
            "mode": mode if mode in pages.modes else next(iter(pages.modes), ""),
            "profile": given.get("profile", ""),
            "names": [""] * 4,
            "markers": list(pages.markers[:MOST_PLAYERS]),
        }
    )


def players_of(document: Document) -> Form:
    """Return the form filled in for a game."""
    seats = document["players"]
    names = [seat["name"] for seat in seats]
    markers = [seat["marker"] for seat in seats]
    free = game_document.without(pages_of(document["game"]).markers, markers)
    return Form(
        {
            "count": len(seats),
            "mode": document.get("mode", ""),
            "profile": document.get(game_document.PROFILE, ""),
            "names": names + [""] * (MOST_PLAYERS - len(names)),
            "markers": markers + free[: MOST_PLAYERS - len(markers)],
        }
    )


def players(entered: Mapping[str, str], pages: GamePages, boards: Collection[str]) -> Form:
    """Validate the players, on one of `boards`. An empty name becomes the seat's number."""
    errors: dict[str, str] = {}
    count, table = entered.get("count", ""), pages.game.table
    if count not in map(str, range(table.fewest_players, table.most_players + 1)):
        least, most = table.fewest_players, table.most_players
        errors["count"] = _("Choose from %(least)s to %(most)s players.", least=least, most=most)
    mode = entered.get("mode", "")
    if pages.modes and mode not in pages.modes:
        errors["mode"] = _("Choose how the game was played.")
    profile = entered.get("profile", "")
    if profile and profile not in boards:
        errors["profile"] = _("This board is no longer known. Choose another one.")
    names = [tidy(entered.get(f"name-{seat}", "")) for seat in range(MOST_PLAYERS)]
    markers = [entered.get(f"marker-{seat}", "") for seat in range(MOST_PLAYERS)]
    seats = int(count) if "count" not in errors else 2
    spoken = [
        name or _("Player %(number)s", number=seat + 1) for seat, name in enumerate(names[:seats])
    ]
    used = Counter(name.casefold() for name in spoken)
    for seat, name in enumerate(spoken):
        if len(name) > LONGEST_NAME:
            errors[f"name-{seat}"] = _(
                "A name can have at most %(most)s characters.", most=LONGEST_NAME
            )
        elif used[name.casefold()] > 1:
            errors[f"name-{seat}"] = _("Two players have this name. Change one of them.")
    for seat, marker in enumerate(markers[:seats]):
        if marker not in pages.markers:
            errors[f"marker-{seat}"] = _("Choose a colour.")
        elif marker in markers[:seat]:
            errors[f"marker-{seat}"] = _("Another player has this colour.")
    profile = entered.get("profile", "")
    return Form(
        {"count": seats, "mode": mode, "profile": profile, "names": names, "markers": markers},
        errors,
        None if errors else Seating(tuple(zip(spoken, markers, strict=False)), mode, profile),
    )


@cache
def default_names() -> Collection[str]:
    """Return the default names of players and of the computer, in all languages."""
    found: set[str] = set()
    for language in LANGUAGES:
        with force_locale(language):
            found |= {_("Player %(number)s", number=seat + 1) for seat in range(MOST_PLAYERS)}
            found.add(_("Computer"))
    return frozenset(found)


def known_names(games: Iterable[SavedGame]) -> Sequence[str]:
    """Return the most recent players' names without repetitions."""
    return list(
        dict.fromkeys(player["name"] for game in games for player in game.document["players"])
    )[:12]
