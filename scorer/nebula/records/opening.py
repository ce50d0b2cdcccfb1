"""Check the opening part of a record: header, players, cards and setup."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scorer.nebula.card import Deck
from scorer.nebula.edition import edition_names, load_edition
from scorer.nebula.game import MOST_PLAYERS
from scorer.nebula.result import CARDS_ON_TABLE
from scorer.nebula.turns.actions import Action, ChoosePersonal, Deal, Draw
from scorer.nebula.turns.setup import PERSONAL_DEALT, cards_of, reserve_size
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import CLUSTERS, FEWEST_PLAYERS, Rules
from scorer.plain_data import exactly, shown
from scorer.records import RecordError

HEADER: Mapping[str, tuple[Any, ...]] = {
    "format": (1,),
    "game": ("nebula",),
    "mode": ("full", "intro"),
    "edition": edition_names(),
    "rules": ("cs", "es"),
}


def rules_of(data: Mapping[str, Any]) -> Rules:
    """The rules of a record, with everything before its setup checked. Raise RecordError."""
    for key, known in HEADER.items():
        found = data.get(key)
        known_one = any(exactly(found, value) for value in known)
        _require(known_one, "header", key, " or ".join(map(str, known)), found)
    rules = Rules(
        players=len(_players(data)),
        mode=data["mode"],
        book=data["rules"],
        edition=load_edition(data["edition"]),
    )
    _check_personal(data["players"], cards_of(rules.edition, "personal"))
    decks: tuple[Deck, ...] = ("career", "advanced") if rules.has_values else ("career",)
    for deck in decks:
        cards = cards_of(rules.edition, deck)
        right = f"{CARDS_ON_TABLE} different ones of {cards[0]} to {cards[-1]}"
        holds = _different(data.get(deck), cards, CARDS_ON_TABLE)
        _require(holds, f"{deck}_cards", deck, right, data.get(deck))
    advanced = data.get("advanced")
    holds = rules.has_values or advanced in (None, [])
    _require(holds, "advanced_cards", "advanced", "none in intro", advanced)
    return rules


def setup_actions(data: Mapping[str, Any], rules: Rules) -> list[Action]:
    """What was drawn, dealt and chosen before the first turn, checked except against the bag.

    Raise RecordError.
    """
    bag = data.get("bag")
    all_stars = rules.all_stars.to_data()
    _require(exactly(bag, all_stars), "bag", "bag", str(all_stars), bag)
    setup = data.get("setup")
    setup = setup if isinstance(setup, Mapping) else {}
    size = rules.edition.cluster_spaces
    sizes, hours = list(map(reserve_size, range(rules.players))), [0] * CLUSTERS

    def require(key: str, right: str, check: Callable[[object], bool]) -> None:
        found = setup.get(key)
        _require(check(found), f"setup_{key}", f"setup.{key}", right, found)

    many = f"{CLUSTERS} lists of {size} stars"
    require("clusters", many, lambda found: _lists_of_stars(found, [size] * CLUSTERS))
    require("hours", str(hours), lambda found: exactly(found, hours))
    require("boosted", "a star", _is_star)
    many = f"lists of {', '.join(map(str, sizes))} stars in turn order"
    require("reserves", many, lambda found: _lists_of_stars(found, sizes))
    return [
        *[Draw(star) for own in setup["clusters"] for star in own],
        Draw(setup["boosted"]),
        *map(Deal, (*data["career"], *(data.get("advanced") or ()))),
        *[Deal(card) for player in data["players"] for card in player["dealt"]],
        *[ChoosePersonal(player["personal"]) for player in data["players"]],
        *[Draw(star) for own in setup["reserves"] for star in own],
    ]


def _players(data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    players = data.get("players")
    if not isinstance(players, list) or not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise _error("players", "players", f"{FEWEST_PLAYERS} to {MOST_PLAYERS}", players)
    names: list[object] = []
    for number, player in enumerate(players):
        name = player.get("name") if isinstance(player, Mapping) else None
        named = isinstance(name, str) and bool(name.strip()) and name not in names
        right = "a name of the player's own"
        _require(named, "players", f"players[{number}].name", right, name)
        names.append(name)
    return players


def _check_personal(players: Sequence[Mapping[str, Any]], deck: Sequence[str]) -> None:
    out: list[str] = []
    for number, player in enumerate(players):
        dealt, personal = player.get("dealt"), player.get("personal")
        still_in = [card for card in deck if card not in out]
        field, holds = f"players[{number}]", _different(dealt, still_in, PERSONAL_DEALT)
        right = f"{PERSONAL_DEALT} cards of {deck[0]} to {deck[-1]} that nobody else was dealt"
        _require(holds, "personal", f"{field}.dealt", right, dealt)
        right = " or ".join(player["dealt"])
        _require(personal in player["dealt"], "personal", f"{field}.personal", right, personal)
        out += player["dealt"]


def _different(cards: object, deck: Sequence[str], number: int) -> bool:
    if not isinstance(cards, list) or len(cards) != number:
        return False
    return all(card in deck and card not in cards[:place] for place, card in enumerate(cards))


def _lists_of_stars(value: object, sizes: Sequence[int]) -> bool:
    if not isinstance(value, list) or len(value) != len(sizes):
        return False
    return all(
        isinstance(own, list) and len(own) == size and all(map(_is_star, own))
        for own, size in zip(value, sizes, strict=True)
    )


def _is_star(value: object) -> bool:
    return isinstance(value, str) and value in STARS


def _require(holds: bool, rule: str, field: str, right: str, found: object) -> None:
    if not holds:
        raise _error(rule, field, right, found)


def _error(rule: str, field: str, right: str, found: object) -> RecordError:
    return RecordError(rule, 0, field, f"must be {right}, not {shown(found)}")
