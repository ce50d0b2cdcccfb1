"""A game's part of a guided game: questions from a state of its turns, and answers to actions.

Legality is decided by the game's `turns` alone.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, final

from scorer.flags import RuleBreak
from scorer.notation import hides
from scorer.objective import Objective
from scorer.places import Place
from scorer.sampling import Sampling
from scorer.sentence import Sentence
from scorer.table import Pieces
from scorer.turns import Advisor, SetUp, Strength, Turns
from webapp.app.game_words import Opening
from webapp.app.session.board_slots import Document

if TYPE_CHECKING:  # it imports this module
    from webapp.app.game_pages import GamePages

LUCK = SystemRandom()


@dataclass(frozen=True)
class Choice:
    """One answer: its words, and its action or the `draft` of the next question.

    `piece` or `template` is its picture. `link` leads to a page that asks for it instead.
    """

    words: str
    action: Any = None
    draft: str = ""
    piece: str = ""
    template: str = ""
    about: Any = None
    link: str = ""
    note: str = ""
    """What it means, in small below its words."""
    aside: bool = False
    """Whether it skips the question instead of answering it."""
    obstacles: Sequence[tuple[RuleBreak, int]] = ()
    """Why nothing after `draft` is legal: one rule break of each kind, with how many there are.

    The next question explains each. Empty if something is legal.
    """
    look: int | None = None
    """The seat whose cards are shown after this choice, by holding the button."""
    take: int | None = None
    """The seat that whoever taps the choice claims."""


@dataclass(frozen=True)
class Question:
    """One decision: the words and what can be chosen, by a button or on the board.

    `places` maps places of the seat's board to actions: legal ones are highlighted, others explain
    why not. `template` draws additional content, `about` is its input.
    """

    words: str
    hint: str = ""
    choices: Sequence[Choice] = ()
    places: Mapping[Place, Any] = field(default_factory=dict)
    template: str = ""
    about: Any = None
    whole: bool = False
    """Whether it replaces the questions derived from the parts of an action."""
    over: bool = False
    """Whether the game is over and only the score remains."""
    close_up: Collection[Place] = ()
    """The places to zoom in on; empty for the whole board."""
    pictured: bool = False
    """Whether the choices are pictures with captions, such as cards."""
    shown: Collection[Place] = ()
    """The places that the question is about, to be pointed out."""
    tells_points: bool = False
    """Whether it says itself what has just happened to the points."""
    is_awaited: bool = False
    """Whether another phone answers it; then nothing here may be tapped."""


@dataclass(frozen=True)
class StateLook:
    """What a state shows besides its pieces.

    `letters` are those of single pieces that depend on the state, such as on how many play.
    `points` are each player's by the markers on the table, shown instead of what the score would be
    now. `kept` are the cards that a seat has for good, whatever its pieces are, in words.
    """

    letters: Mapping[str, str] = field(default_factory=dict)
    points: Sequence[int] | None = None
    kept: Mapping[int, Mapping[str, Sentence]] = field(default_factory=dict)


class GuidedGame:
    """A game's hooks for guided games.

    A guided game is begun with the `SetUp` of its turns (`rules_of`) and these common keys:
    `language` of whoever began it; `computers`, the strategy that plays each seat, "" for a person;
    `draws`, `hand` if people draw from their own cards and pieces, `program` if the program draws;
    `seed`, the seed of its randomness.

    Templates of the game that are included, in `GAME/guide/`: `_on_board.html` over a board's
    places (in the layout's millimetres), `_table.html` below the question, which may include
    `_open_cards.html`, `_after_turn.html` beside a computer player's turn, `_standing.html`, a
    short public summary of a `state`, and `_secret.html`, drawn from a `state` as its `seat` may
    know it.
    """

    def __init__(self, pages: "GamePages") -> None:
        self.pages, self.game = pages, pages.game

    @final
    @property
    def advisor(self) -> Advisor[Any, Any]:
        """The advisor that plays against people and helps them; by default one that samples."""
        return self.game.advisor or Sampling(self.turns)

    @final
    @property
    def strengths(self) -> Mapping[str, Strength]:
        """How well the advisor can play, weakest first."""
        return Sampling.strengths if self.game.advisor is None else self.turns.strengths

    @final
    @property
    def turns(self) -> Turns[Any, Any]:
        turns = self.game.turns
        assert turns is not None, "a game without turns cannot be guided"
        return turns

    @final
    @property
    def opening(self) -> Opening:
        """The first question: who draws, the players or the program."""
        return self.pages.words.opening

    # the state

    @final
    def fits(self, document: Document) -> bool:
        """Whether the number of players is one that the turns support."""
        return len(document["players"]) in self.turns.players

    @final
    def rules_of(self, document: Document) -> SetUp:
        """Return what the turns depend on in a document; a change of it makes another game.

        These are the number of players, the edition and the turns' options and, if players own
        pieces, their colours.
        """
        data = self.pages.game_data(document)
        kept = {key: data[key] for key in (*self.turns.options, "edition") if key in data}
        players = document["players"]
        if any(piece.owner for piece in self.game.pieces):
            kept["colours"] = [player["marker"] for player in players]
        return {"players": len(players), **kept}

    @final
    def goes_on(self, set_up: SetUp, document: Document) -> bool:
        """Whether a guided game's setup still matches the document."""
        rules = self.rules_of(document)
        begun = {"players": rules["players"], **set_up}  # older setups may lack the number
        return all(begun.get(key) == value for key, value in rules.items())

    @final
    def board(self, state: Any) -> int | None:
        """Return the number of the shared or the current player's board; None without a player."""
        return 0 if self.game.table.shared else self.turns.player(state)

    @final
    def is_further_board(self, set_up: SetUp, state: Any, board: int) -> bool:
        """Whether `board` is of a further kind and is shared or the current player's."""
        table = self.game.table
        if len(table.boards) == 1:
            return False
        kind, owner = table.instances(len(set_up["computers"]))[board]
        return kind != table.boards[0] and owner in (None, self.turns.player(state))

    # secrets

    @final
    def has_secrets(self, set_up: SetUp) -> bool:
        """Whether the program knows cards that only their player may see.

        All output is drawn from `turns.seen_by`, the state as a seat may know it. Where people draw
        from their own cards, only they know what they hold.
        """
        return bool(set_up["draws"] == "program")

    @final
    def hides(self, action: Any) -> bool:
        """Whether the written form of an action reveals a card that is hidden at that time."""
        return hides(action)

    @final
    def by_hand(self, action: Any) -> bool:
        """Whether a computer player's action needs hands at the table or must be announced.

        Defaults to True unless the action is hidden; an attribute `by_hand` overrides it.
        """
        return bool(getattr(action, "by_hand", not hides(action)))

    def by_itself(self, state: Any, set_up: SetUp, document: Document) -> Any:
        """Return the action that needs no decision and no hands; None if there is none."""
        return self.drawn(state, set_up, LUCK) or self.turns.by_itself(state)

    @final
    def drawn(self, state: Any, set_up: SetUp, luck: Random) -> Any:
        """Return what chance brings where the program draws; None elsewhere."""
        return self.turns.drawn(state, luck) if set_up["draws"] == "program" else None

    @final
    def draws_several(self, state: Any, set_up: SetUp) -> bool:
        """Whether people draw now, and then again for the same purpose."""
        outcomes = self.turns.outcomes(state) if set_up["draws"] == "hand" else ()
        if not outcomes or self.hides(outcomes[0][0]):
            return False
        following = self.turns.outcomes(self.turns.after_legal(state, outcomes[0][0]))
        return bool(following) and type(following[0][0]) is type(outcomes[0][0])

    # the document, and the table that is followed live

    @final
    def with_revealed(self, document: Document, set_up: SetUp) -> Document:
        """Return the document once nothing is hidden any more.

        If a person holds the same secret card as a computer player, who drew from the same deck,
        the computer player gets another one.
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
        """Yield the live table's entries for an action, other than pieces on boards.

        `live` is the game's own state there.
        """
        return iter(())

    # words

    def question(
        self, state: Any, draft: str, begun: Sequence[str], names: Sequence[str]
    ) -> Question | None:
        """Return the question for a state; None for the default.

        `draft` is what has been chosen already, `begun` the words of the action decided so far.
        Derived choices are appended unless the question is `whole`. The hint of a question without
        words is added to the default.
        """
        return None

    def look(self, state: Any, action: Any) -> Choice | None:
        """Return the words and picture of an action's button; None for the turns' own words.

        A choice without words keeps the turns' own beside its note and picture.
        For an action class or several actions: the button that leads to all of them, None for what
        they have in common.
        """
        return None

    def tapped_action(self, state: Any, action: Any) -> Any:
        """Return what a tap on the place of an action does; usually that action."""
        return action

    def state_look(self, state: Any) -> StateLook:
        return StateLook()

    def objective(self, id: str) -> Objective | None:
        """Return a card that can be an objective although `Game.objectives` may not list it."""
        return None

    def describe(self, before: Any, action: Any, after: Any, names: Sequence[str]) -> str | None:
        """Return what an action did and what to do at the table; "" for nothing.

        None for the turns' own words.
        """
        return None

    @final
    def pieces(self, state: Any) -> Sequence[Pieces]:
        """Return the pieces on each board at the table."""
        table, every = self.game.table, self.turns.positions(state)
        watched = every[:1] if table.shared and len(table.boards) == 1 else every
        return [self.game.pieces_of(position) for position in watched]

    @final
    def seen(self, set_up: SetUp, position: Any) -> Pieces:
        """Return the pieces of a board reported by a camera or by hand, as roles of this setup."""
        players = [{"colour": colour} for colour in set_up.get("colours", ())]
        roles = self.game.piece_roles({"players": players})
        found = self.game.pieces_of(position)
        return {place: roles.get(piece, piece) for place, piece in found.items()}
