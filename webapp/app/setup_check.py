"""Compare boards, token sheets and open cards with the game's setup.

The game is set up several times by its own turns. A place that is the same each time must match
exactly; where chance or a player's colour decides, one of the possible contents must be there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from calibration import Profile
from calibration.artwork import TokenSheet
from calibration.cards import Card
from scorer.open_table import open_table
from scorer.places import Place
from scorer.table import Pieces
from scorer.turns import Turns
from webapp.app.game_pages import Document, GamePages
from webapp.app.session.game_document import new_game

TRIES = 48
"""The number of setups to compare with, each with another seed and other colours."""
Held = Mapping[Place, Counter[str]]
"""The pieces on each spot, edge and region; a region holds several."""


@dataclass(frozen=True)
class SetupCheck:
    """The pieces a board lacks and its extra ones, as (piece, place), of `wanted` pieces in all.

    The piece is "" where any of several would do.
    """

    lacks: Sequence[tuple[str, str]]
    extra: Sequence[tuple[str, str]]
    wanted: int


def check_setup(
    pages: GamePages, profile: Profile, pieces: Pieces, players: int, **settings: Any
) -> SetupCheck:
    """Compare the `pieces` on a board with the setup for `players` players.

    `settings` are other keys of the game's document, such as its mode. How high a pile is remains
    unchecked, as only its top is seen. Raises ValueError if such a game is not possible.
    """
    setups = [_set_up(pages, profile, players, number, settings) for number in range(TRIES)]
    there, (wanted, roles) = _held(pieces), setups[0]
    piles = pages.game.pile_heights({at.id: True for at in there if at.kind == "region"}, roles)
    for at, seen in there.items():
        if at.id in piles and at in wanted and seen.keys() == wanted[at].keys():
            there[at] = wanted[at]
    return _differences(setups, there)


def _differences(setups: Sequence[tuple[Held, Mapping[str, str]]], there: Held) -> SetupCheck:
    """Compare the pieces found with each setup, given with its roles of pieces."""
    lacks: list[tuple[str, str]] = []
    extra: list[tuple[str, str]] = []
    places = dict.fromkeys([*(at for held, _roles in setups for at in held), *there])
    possible = {at: [held.get(at, Counter()) for held, _roles in setups] for at in places}
    by_chance = {at: own for at, own in possible.items() if any(one != own[0] for one in own)}
    laid = {frozenset(one.items()): one for own in by_chance.values() for one in own}
    for at, own in possible.items():
        seen = there.get(at, Counter())
        if at in by_chance:  # Chance decides which pieces, and sometimes how many.
            numbers = {one.total() for one in own}
            missing, over = min(
                ((one - seen, seen - one) for one in laid.values() if one.total() in numbers),
                key=lambda found: (found[1] == seen, found[0].total() + found[1].total()),
            )
            lacks += [("", at.id)] * missing.total()
            extra += [(piece, at.id) for piece in over.elements()]
            continue
        found = [_compared(own[0], seen, roles) for _held, roles in setups]
        missing, over = min(found, key=lambda one: one[0].total() + one[1].total())
        lacks += [(piece, at.id) for piece in missing.elements()]
        extra += [(piece, at.id) for piece in over.elements()]
    wanted = max(sum(held.total() for held in one.values()) for one, _roles in setups)
    return SetupCheck(lacks, extra, wanted)


def check_sheet(
    pages: GamePages,
    profile: Profile,
    sheet: TokenSheet,
    reading: Mapping[str, Any],
    players: int,
    **settings: Any,
) -> SetupCheck:
    """Compare a token sheet, as read by `card_jobs.read_sheets`, with the setup.

    Places missing from the reading are left out. Raises ValueError if such a game is not possible.
    """
    of_tracks = {id for track in reading["tracks"] for id in sheet.tracks[track].at}
    looked_at = {Place(id) for id in {*reading["spots"], *of_tracks}}
    setups: list[tuple[Held, Mapping[str, str]]] = []
    for number in range(TRIES):
        state, _document = _begun(pages, profile, players, number, settings)
        held = {Place(id): Counter(own) for id, own in sheet.tokens_in(state).items()}
        setups.append(({at: own for at, own in held.items() if at in looked_at}, {}))
    there: dict[Place, Counter[str]] = {}
    for track in reading["tracks"].values():
        for token, id in track["places"].items():
            there.setdefault(Place(id), Counter())[token] += 1
    there |= {Place(id): Counter([token]) for id, token in reading["spots"].items() if token}
    return _differences(setups, there)


def laid_at(
    pages: GamePages, profile: Profile, players: int, **settings: Any
) -> Mapping[str, Sequence[str]]:
    """The ids of the places of each piece after the setup; ValueError if it is not possible."""
    assert pages.guided is not None, "only what has turns says how it begins"
    state, _document = _begun(pages, profile, players, 0, settings)
    found: dict[str, list[str]] = {}
    for position in pages.guided.turns.positions(state):
        for at, piece in pages.game.pieces_of(position).items():
            found.setdefault(piece, []).append(at.id)
    return found


@dataclass(frozen=True)
class DeckCheck:
    """The cards of a deck `seen` face up, of `wanted`.

    For `unclear` more it is uncertain whether they belong to the deck.
    """

    deck: str
    seen: int
    wanted: int
    unclear: int = 0

    @property
    def lacks(self) -> int:
        """The number of cards certainly missing."""
        return max(0, self.wanted - self.seen - self.unclear)

    @property
    def may_lack(self) -> int:
        """The number of cards possibly missing."""
        return max(0, self.wanted - self.seen - self.lacks)


def check_cards(
    pages: GamePages,
    profile: Profile,
    cards: Sequence[Card],
    seen: Sequence[str],
    unclear: Sequence[str],
    players: int,
    **settings: Any,
) -> Sequence[DeckCheck]:
    """Compare the face-up cards of each deck with those of the setup.

    `seen` has ids of `cards`; `unclear` has the most similar id of each uncertain one.
    """
    assert pages.guided is not None, "only what has turns says how it begins"
    state, _document = _begun(pages, profile, players, 0, settings)
    common = open_table(pages.guided.turns.seen_by(state, None)).common
    decks = {card.id: card.deck for card in cards}
    wanted = Counter[str]()
    for thing in common:
        for id, count in thing.ids:
            if id in decks:
                wanted[decks[id]] += count
    there, maybe = (Counter(decks[id] for id in ids if id in decks) for ids in (seen, unclear))
    return [DeckCheck(deck, there[deck], count, maybe[deck]) for deck, count in wanted.items()]


def _compared(
    wanted: Counter[str], seen: Counter[str], roles: Mapping[str, str]
) -> tuple[Counter[str], Counter[str]]:
    played = Counter[str]()
    for piece, count in seen.items():
        played[roles.get(piece, piece)] += count
    return wanted - played, played - wanted


def _set_up(
    pages: GamePages, profile: Profile, players: int, number: int, settings: Mapping[str, Any]
) -> tuple[Held, Mapping[str, str]]:
    """Return the pieces on such a board after a setup, and the roles of pieces."""
    assert pages.guided is not None, "only what has turns says how it begins"
    state, document = _begun(pages, profile, players, number, settings)
    kind = pages.game.table.kind(profile.layout.kind)
    kinds = [own for own, _seat in pages.game.table.instances(players)]
    position = pages.guided.turns.positions(state)[kinds.index(kind)]
    return _held(pages.game.pieces_of(position)), pages.piece_roles(document)


def _begun(
    pages: GamePages, profile: Profile, players: int, number: int, settings: Mapping[str, Any]
) -> tuple[Any, Document]:
    """Return the initial state for the seed `number`, and its document."""
    assert pages.guided is not None, "only what has turns says how it begins"
    turns: Turns[Any, Any] = pages.guided.turns
    markers = [*pages.markers[number:], *pages.markers[:number]][:players]
    names = [(str(seat), marker) for seat, marker in enumerate(markers)]
    mode = str(settings.get("mode", ""))
    document = {**new_game(names, mode, pages.game.id, profile.name), **settings}
    return turns.begun(pages.guided.rules_of(document), profile.board, Random(number)), document


def _held(pieces: Pieces) -> dict[Place, Counter[str]]:
    found: dict[Place, Counter[str]] = {}
    for at, piece in pieces.items():
        found.setdefault(Place(at.id, at.kind), Counter())[piece] += 1
    return found
