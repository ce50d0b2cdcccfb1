"""The strip below a guided game: what is in front of each player and on the table.

It is drawn from the public state; a player's own cards are shown by holding a button
(`pages.guide.secret`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calibration.cards import Card
from scorer.datafile import DataFileError
from scorer.glossary import Term
from scorer.objective import CardResult, Objective
from scorer.open_table import Thing, open_table
from scorer.sentence import Sentence
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import Document, Link
from webapp.app.guided_game import GuidedGame
from webapp.app.languages import language
from webapp.web.context import current_profile
from webapp.web.words import piece_name, said


@dataclass(frozen=True)
class Held:
    """Something with its picture, a `piece` or a card's `picture`, or its name alone, and a count.

    `term` is the glossary term that explains it; without one, the card `objective` explains itself.
    """

    name: str
    count: int = 1
    piece: str = ""
    term: str = ""
    number: str = ""
    picture: Link | None = None
    result: CardResult | None = None
    objective: str = ""
    rule: Sentence | str = ""
    """What an objective asks for."""
    is_single: bool = False
    """Whether the game has only one such piece."""


@dataclass(frozen=True)
class Row:
    """Things under one name; `count` if it is a number, `backs` if they are face down."""

    name: str
    term: str
    count: int | None = None
    held: Sequence[Held] = ()
    backs: bool = False


@dataclass(frozen=True)
class SeatPanel:
    """What is in front of a player, and the `common` cards with the player's progress on each."""

    seat: int
    rows: Sequence[Row]
    common: Sequence[Row]
    tracks: Mapping[str, int] | None


def table_strip(
    game: GuidedGame, state: Any, document: Document, first: int | None
) -> Sequence[SeatPanel]:
    """Return the panels of all seats, starting with `first`."""
    seen = game.turns.seen_by(state, None)
    cards = open_table(seen)
    drawn = _Drawn(game, document, seen)
    count = len(cards.seats)
    begin = first if first is not None and first < count else 0
    shared = game.game.table.shared
    boards = [] if shared else [DrawnPieces.of(one).counts for one in game.pieces(seen)]
    return [
        SeatPanel(
            seat,
            [drawn.row(one, None) for one in cards.seats[seat] if one],
            [drawn.row(one, seat) for one in cards.common if one],
            None if shared else boards[seat],
        )
        for seat in ((begin + number) % count for number in range(count))
    ]


def things_changed(game: GuidedGame, seat: int, before: Any, after: Any) -> Iterator[str]:
    """Yield the numbers of things in front of a player that differ, such as "cards 3 → 2"."""
    terms = {one.id: one for one in game.game.glossary}
    old, new = (
        {one.name: one for one in open_table(game.turns.seen_by(state, None)).seats[seat]}
        for state in (before, after)
    )
    for name, one in new.items():
        was = old[name].count if name in old else 0
        if one.count is not None and one.count != was:
            yield f"{_name_of(game, one, terms)} {was or 0} → {one.count}"


def _name_of(game: GuidedGame, thing: Thing, terms: Mapping[str, Term]) -> str:
    term = terms.get(thing.term)
    return game.pages.words.say(f"strip_{thing.name}", said(term.name) if term else "")


def explained(game: GuidedGame, document: Document, id: str) -> tuple[str, str] | None:
    """Return the name and rule of a card; None if there is none with this id."""
    played = played_game(game, document)
    found = () if played is None else game.game.objectives(played, 0)
    objective = next((one for one in found if one.id == id), game.objective(id))
    if objective is not None:
        return said(objective.name), said(objective.rule)
    printed = _printed(game, id) if id else None
    return None if printed is None else (printed.name, ". ".join([printed.deck, *printed.texts]))


def card_of_market(game: GuidedGame, id: str) -> Held:
    """Return a card by its name, with its picture."""
    return Held(_card_name(game, id), picture=game.pages.picture(id))


def _card_name(game: GuidedGame, id: str) -> str:
    """Return a card's name, else its deck and the name on its print.

    Cards of a deck with the same name also have their number.
    """
    if (objective := game.objective(id)) is not None:
        return said(objective.name)
    printed = _printed(game, id) if piece_name(id) == id else None
    if printed is None:
        return piece_name(id)
    cards = game.pages.cards(current_profile(), language())
    alike = {one.id for one in cards if (one.deck, one.name) == (printed.deck, printed.name)}
    deck = printed.deck if len(alike) == 1 else f"{printed.deck} {printed.number}"
    return f"{deck} ({printed.name})"


def _printed(game: GuidedGame, id: str) -> Card | None:
    cards = game.pages.cards(current_profile(), language())
    return next((one for one in cards if one.id == id), None)


def played_game(game: GuidedGame, document: Document) -> Any:
    """Return the public state of the game; None if it is incomplete."""
    try:
        data = game.pages.live.game_data(document)
        return game.game.game_from_data(data, current_profile().board)
    except DataFileError:
        return None


class _Drawn:
    """Converts things to rows, in the viewer's language."""

    def __init__(self, game: GuidedGame, document: Document, seen: Any) -> None:
        self.game = game
        self.terms: Mapping[str, Term] = {one.id: one for one in game.game.glossary}
        self.pieces = {one.id: one.supply for one in game.game.pieces}
        self.positions, self.kept = game.turns.positions(seen), game.state_look(seen).kept
        self.played = played_game(game, document)

    def row(self, thing: Thing, seat: int | None) -> Row:
        """Return a thing's row; common cards include the seat's progress."""
        term = self.terms.get(thing.term)
        name = _name_of(self.game, thing, self.terms)
        held = [self._held(id, count, seat) for id, count in thing.ids]
        return Row(name, term.id if term else "", thing.count, held, thing.backs)

    def _held(self, id: str, count: int, seat: int | None) -> Held:
        if id in self.pieces:
            return Held(piece_name(id), count, piece=id, is_single=self.pieces[id] == 1)
        objective = self._objectives.get(id) or self.game.objective(id)
        result = None
        kept = {} if seat is None else self.kept.get(seat, {})
        if id in kept:
            result = CardResult(1.0, (), (), kept[id], fulfilled=True)
        elif objective is not None and id in self._objectives and seat is not None:
            result = self.game.game.check(self.played, objective, self.positions, seat)
        term, picture = self.terms.get(id), self.game.pages.picture(id)
        rule = "" if objective is None else objective.rule
        if term is not None:
            return Held(said(term.name), count, "", id, term.number, picture, result, rule=rule)
        if objective is not None:
            return Held(said(objective.name), count, "", "", "", picture, result, id, rule)
        name = _card_name(self.game, id)
        explains = id if name != piece_name(id) else ""
        return Held(name, count, picture=picture, objective=explains)

    @cached_property
    def _objectives(self) -> Mapping[str, Objective]:
        if self.played is None:
            return {}
        return {one.id: one for one in self.game.game.objectives(self.played, 0)}
