"""A game's part of a guided game: from a state of its turns to one question, and back.

The rules stay with the game's `turns`: nothing here says what is legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import TYPE_CHECKING, Any, final

from scorer.game import Pieces
from scorer.notation import hides
from scorer.places import Place
from scorer.sampling import Sampling
from scorer.turns import Advisor, SetUp, Turns
from webapp.app.game_words import Opening

if TYPE_CHECKING:  # the pages of a game have this as a part of them
    from webapp.app.game_pages import Document, GamePages

LUCK = SystemRandom()


@dataclass(frozen=True)
class Choice:
    """One answer: its words, and the action that it is, or the `draft` that asks further.

    `piece` or `template` is its picture. `link` leads to a page that asks for it instead.
    """

    words: str
    action: Any = None
    draft: str = ""
    piece: str = ""
    template: str = ""
    about: Any = None
    link: str = ""
    aside: bool = False
    """Whether it is no answer to what is asked, but a way past it."""
    leads_nowhere: bool = False
    """Whether nothing that the `draft` asks for is legal: it only says why."""
    look: int | None = None
    """The seat whose cards are shown to whoever goes on to the `draft`: by holding the button."""
    take: int | None = None
    """The seat that whoever taps it sits down at, going on to the `draft`."""


@dataclass(frozen=True)
class Question:
    """One thing to be decided: the words, and what may be chosen, by a button or on the board.

    `places` are the actions that the places of the seat's board stand for: those that are legal
    light up, the others say why not. `template` draws what else is looked at, `about` says of what.
    """

    words: str
    hint: str = ""
    choices: Sequence[Choice] = ()
    places: Mapping[Place, Any] = field(default_factory=dict)
    template: str = ""
    about: Any = None
    whole: bool = False
    """Whether it is all that is asked: not the parts of an action beside it."""
    over: bool = False
    """Whether the game is over: what is left is the score."""
    close_up: Collection[Place] = ()
    """The places that are drawn large, as on a board with many; none draws the whole board."""
    pictured: bool = False
    """Whether its choices are pictures with words beside them, as cards are."""
    shown: Collection[Place] = ()
    """The places that it is about, to be pointed at."""


class GuidedGame:
    """What a guided game asks of its game.

    It is begun with the `SetUp` of its turns (`rules_of`), and what every guided game has: the
    `language` of whoever began it; `computers` has for
    each seat the strategy that plays it, "" for a person; `draws` is `hand` where people draw from
    what lies on their table, `program` where the program draws; `seed` is its luck.

    Templates of the game that are part of the page, in `GAME/guide/`: `_on_board.html` over a
    board's places (in the layout's millimetres), `_table.html` below what is asked,
    `_standing.html`, what everybody should know of a `state` in a few words, and `_secret.html`,
    drawn of a `state` as its `seat` may know it.
    """

    def __init__(self, pages: GamePages) -> None:
        """Be a part of a game's pages."""
        self.pages, self.game = pages, pages.game

    @final
    @property
    def advisor(self) -> Advisor[Any, Any]:
        """Who plays against people, and helps them: by sampling, where the game has nobody."""
        return self.game.advisor or Sampling(self.turns)

    @final
    @property
    def turns(self) -> Turns[Any, Any]:
        """The game's rules of playing."""
        turns = self.game.turns
        assert turns is not None, "a game without turns cannot be guided"
        return turns

    @final
    @property
    def opening(self) -> Opening:
        """What is asked first: whether the game's own things are there to be drawn from."""
        return self.pages.words.opening

    # the state

    @final
    def fits(self, document: Document) -> bool:
        """Whether a game can be guided: there are as many players as its turns are for."""
        return len(document["players"]) in self.turns.players

    @final
    def rules_of(self, document: Document) -> SetUp:
        """What of a document the turns go by: where it is changed, it is another game.

        Of its game file the edition and the turns' options; the players' colours where pieces are
        theirs.
        """
        data = self.pages.game_data(document)
        kept = {key: data[key] for key in (*self.turns.options, "edition") if key in data}
        players = document["players"]
        if any(piece.owner for piece in self.game.pieces):
            kept["colours"] = [player["marker"] for player in players]
        return {"players": len(players), **kept}

    @final
    def goes_on(self, set_up: SetUp, document: Document) -> bool:
        """Whether a game that was begun so is still the one that the document is of."""
        rules = self.rules_of(document)
        begun = {"players": rules["players"], **set_up}  # earlier ones with colours had no number
        return all(begun.get(key) == value for key, value in rules.items())

    @final
    def board(self, state: Any) -> int | None:
        """The number of the board that is looked at now: that of whose turn it is, or everybody's.

        None where none is.
        """
        return 0 if self.game.table.shared else self.turns.player(state)

    @final
    def is_further_board(self, set_up: SetUp, state: Any, board: int) -> bool:
        """Whether a board of a further kind is everybody's, or that of whose turn it is."""
        table = self.game.table
        if len(table.boards) == 1:
            return False
        kind, owner = table.instances(len(set_up["computers"]))[board]
        return kind != table.boards[0] and owner in (None, self.turns.player(state))

    # what is a seat's own

    @final
    def has_secrets(self, set_up: SetUp) -> bool:
        """Whether the program knows cards that only their player may see.

        A state as a seat may know it is `turns.seen_by`: all that is shown is drawn from that.
        Where people draw from their own things, nobody but they knows what they hold.
        """
        return bool(set_up["draws"] == "program")

    @final
    def hides(self, action: Any) -> bool:
        """Whether an action as it is written down tells a card that is hidden then."""
        return hides(action)

    @final
    def by_hand(self, action: Any) -> bool:
        """Whether an action of a computer player's asks for hands, or for anybody to know of it.

        An action may say so by an attribute `by_hand`; else it does unless it is hidden.
        """
        return bool(getattr(action, "by_hand", not hides(action)))

    def by_itself(self, state: Any, set_up: SetUp, document: Document) -> Any:
        """The action that needs nobody's decision and nobody's hand; None where there is none."""
        drawn = self.turns.drawn(state, LUCK) if set_up["draws"] == "program" else None
        return drawn or self.turns.by_itself(state)

    # the document, and the table that is followed live

    def with_setup(self, document: Document, state: Any) -> Document:
        """The document with what lies on the table from the beginning, once it does."""
        return document

    def with_end(self, document: Document, state: Any) -> Document:
        """The document with what the score needs beside the boards, as the state has it."""
        return document

    @final
    def with_revealed(self, document: Document, set_up: SetUp) -> Document:
        """The document once nothing is hidden any more.

        A computer player's secret card that a person turns out to have drawn from the same deck is
        dealt anew.
        """
        computers, players = set_up["computers"], [dict(own) for own in document["players"]]
        for asked in self.game.questions(document):
            if not (asked.secret and asked.of_each_player and asked.kind == "one"):
                continue
            held = [own.get(asked.id) for own in players]
            of_people = {one for one, by in zip(held, computers, strict=True) if not by}
            for seat, by in enumerate(computers):
                if by and held[seat] and held[seat] in of_people:
                    left = [one.id for one in asked.options if one.id not in held]
                    held[seat] = players[seat][asked.id] = LUCK.choice(left)
        return {**document, "players": players}

    def live_entries(
        self, live: Any, before: Any, action: Any, after: Any
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """What a table that is followed live is told of an action beside the pieces on the boards.

        `live` is the game's own state there.
        """
        return iter(())

    # words

    def question(
        self, state: Any, draft: str, begun: Sequence[str], names: Sequence[str]
    ) -> Question | None:
        """What is said over what is asked; None for what every game says.

        `draft` is what was chosen already, `begun` are the words of an action's line that are
        decided by it. Its choices come last; a question that is `whole` has no others.
        """
        return None

    def look(self, state: Any, action: Any) -> Choice | None:
        """The button of an action, in words and a picture; None for what the turns call it.

        Of a class, or of several actions: the button that leads to all of them, None for what they
        have in common.
        """
        return None

    def describe(self, before: Any, action: Any, after: Any, document: Document) -> str | None:
        """What an action did, and what it asks of hands at the table; "" for nothing.

        None for what the turns call it.
        """
        return None

    @final
    def pieces(self, state: Any) -> Sequence[Pieces]:
        """The pieces on each board at the table."""
        table, every = self.game.table, self.turns.positions(state)
        watched = every[:1] if table.shared and len(table.boards) == 1 else every
        return [self.game.pieces_of(position) for position in watched]

    @final
    def seen(self, set_up: SetUp, position: Any) -> Pieces:
        """The pieces of a board as a camera or a hand tells of it, as who plays has them count."""
        players = [{"colour": colour} for colour in set_up.get("colours", ())]
        roles = self.game.piece_roles({"players": players})
        found = self.game.pieces_of(position)
        return {place: roles.get(piece, piece) for place, piece in found.items()}
