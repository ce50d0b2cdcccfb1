"""What a game is played with: its pieces, its kinds of boards, and who has which board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scorer.places import Place, PlaceKind


@dataclass(frozen=True)
class Piece:
    """A kind of token: its id in files, its look, its supply, and the kinds of place it may be on.

    `colour` is #rrggbb, for pages and terminals. `owner` is the colour of the player it belongs to,
    "" for a neutral piece. `dial` is set for a pointer printed on a ring that is turned by hand: it
    is the key under which a reading gives the place it points at. `diameter_mm` is that of a disc
    that lies in regions, where discs are counted by their size. With `stands_in` players, pieces of
    colours that nobody plays count as this one, which is in no other game.

    >>> Piece("coal", "#1a1a1a", supply=12, lies_on=frozenset({"track"})).owner
    ''
    """

    id: str
    colour: str
    supply: int
    lies_on: frozenset[PlaceKind] = frozenset({"spot"})
    owner: str = ""
    dial: str = ""
    diameter_mm: float = 0.0
    stands_in: int = 0


Pieces = Mapping[Place, str]
"""The piece id on each occupied place; each piece in a region has its own slot
(`scorer.places.in_region`)."""


RolesByGame = Mapping[str, Mapping[str, str]]
"""What each piece counts as at the table (`Game.piece_roles`), by game id."""
UNKNOWN_TABLE: RolesByGame = {}
"""Nothing is known about who plays."""


@dataclass(frozen=True, eq=False)
class BoardKind:
    """A kind of board at a table: one shared by all, or one for each player.

    `standard` is the board that is used where no profile is known.
    """

    standard: Any
    owner: Literal["all", "player"] = "player"

    @property
    def id(self) -> str:
        """The `board` key of its layouts, "" where a game has one kind of board."""
        return getattr(self.standard, "kind", "")


@dataclass(frozen=True)
class Piles:
    """Regions whose pieces lie on one another, so that a photograph shows only the top one.

    Players take from the first of the `places` that is not empty; those after it are full. `full`
    is the number of pieces on a full one by the number of players.

    >>> piles = Piles(("a", "b"), {2: 5, 4: 3})
    >>> piles.heights({"a": True, "b": True}, 4), piles.heights({"a": True, "b": True})
    ({'a': range(1, 4), 'b': [3]}, {'a': range(1, 6), 'b': [3, 5]})
    """

    places: tuple[str, ...]
    full: Mapping[int, int]

    def heights(
        self, covered: Mapping[str, bool], players: int | None = None
    ) -> Mapping[str, Sequence[int]]:
        """The possible heights of the piles seen that are not empty; `covered`: one surely is."""
        known = self.full.get(players or 0)
        full = sorted({*self.full.values()}) if known is None else [known]
        seen = [at for at in self.places if at in covered]
        first = next((number for number, at in enumerate(seen) if covered[at]), len(seen))
        every = range(1, full[-1] + 1)
        return {at: full if number > first else every for number, at in enumerate(seen)}


BOARDS_OF_A_KIND = 4
"""The most boards of one kind that a camera follows."""


@dataclass(frozen=True)
class Table:
    """How many people play, and which boards they play on.

    `boards` lists the kinds of board; guided games and pages are about the first. `snapshots` names
    the moments of which a photograph may be given, in order; most games have one, unnamed: the end.
    `pieces_stay` is true if the rules never move or remove a piece between these moments. `piles`
    are on boards of any kind. `same` maps a snapshot to the one that stands for it if both are
    given, as they are of one moment.

    >>> from scorer.plain import PlainBoard
    >>> hills, hall = (PlainBoard((), (), kind) for kind in ("valley", "guild"))
    >>> valley = Table((BoardKind(hills, "all"), BoardKind(hall)))
    >>> [(kind.id, player) for kind, player in valley.instances(2)]
    [('valley', None), ('guild', 0), ('guild', 1)]
    >>> valley.first_number("guild"), valley.kind_numbered(5).id
    (4, 'guild')
    """

    boards: tuple[BoardKind, ...]
    fewest_players: int = 1
    most_players: int = 4
    snapshots: tuple[str, ...] = ("",)
    pieces_stay: bool = False
    piles: Piles | None = None
    same: Mapping[str, str] = field(default_factory=dict)

    @property
    def shared(self) -> bool:
        """Whether the first kind of board is shared by all players."""
        return self.boards[0].owner == "all"

    @property
    def listed(self) -> bool:
        """Whether game files list boards separately: false if each player has exactly one."""
        return self.boards[0].owner == "all" or len(self.boards) > 1

    def kind(self, id: str) -> BoardKind:
        """The kind of board with this id, the first kind for "". Raise KeyError."""
        return {"": self.boards[0], **{kind.id: kind for kind in self.boards}}[id]

    def first_number(self, id: str) -> int:
        """The number that a camera gives to the first board of a kind."""
        return BOARDS_OF_A_KIND * self.boards.index(self.kind(id))

    def kind_numbered(self, number: int) -> BoardKind:
        """The kind of the board to which a camera gives this number."""
        return self.boards[min(number // BOARDS_OF_A_KIND, len(self.boards) - 1)]

    def instances(self, players: int) -> tuple[tuple[BoardKind, int | None], ...]:
        """Every board at a table of `players`, with its player; None for a shared board."""
        return tuple(
            (kind, player)
            for kind in self.boards
            for player in ([None] if kind.owner == "all" else range(players))
        )
