"""The Values board: tokens that advance on three tracks, and the order on each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scorer.nebula.game import SLOTS, Values
from scorer.nebula.words import COLOURS, CONSTELLATIONS

TRACKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"colours": COLOURS, "constellations": CONSTELLATIONS, "advanced": SLOTS}
)
"""The tokens of each track."""

TOKENS = tuple(token for tokens in TRACKS.values() for token in tokens)


@dataclass(frozen=True)
class ValuesBoard:
    """The squares of the 14 value tokens on tracks of `squares` squares; 0 is the start.

    `arrivals` lists the tokens that have moved by their latest move, earliest first: a token that
    arrives later on a square is on top of the others there, and ahead of them.

    >>> board = ValuesBoard(8).move("red").move("blue")
    >>> board.leaders("colours")
    ('blue', 'red')
    >>> board.move("red").leaders("colours")
    ('red', 'blue')
    """

    squares: int
    at: Mapping[str, int] = field(default_factory=dict)
    arrivals: tuple[str, ...] = ()

    def can_move(self, token: str) -> bool:
        """Whether the token exists and is not at the end of its track."""
        return token in TOKENS and self.at.get(token, 0) < self.squares

    def pile(self, token: str, square: int) -> tuple[str, ...]:
        """The tokens on a square of a token's track, lowest first; empty at the start.

        >>> ValuesBoard(8).move("red").move("aries").move("blue").pile("red", 1)
        ('red', 'blue')
        """
        (track,) = (tokens for tokens in TRACKS.values() if token in tokens)
        return tuple(one for one in self.arrivals if one in track and self.at[one] == square)

    def move(self, token: str) -> "ValuesBoard":
        """The board with a token moved one square on; unchanged at the end of its track."""
        return self._put(token, self.at.get(token, 0) + 1) if self.can_move(token) else self

    def move_back(self, token: str) -> "ValuesBoard":
        """The board with a token moved one square back, to correct a slip; not before the start."""
        here = self.at.get(token, 0)
        return self._put(token, here - 1) if here else self

    def leaders(self, track: str) -> tuple[str, ...]:
        """The tokens of a track that have moved, first place first."""
        moved = [token for token in TRACKS[track] if self.at.get(token, 0)]
        return tuple(
            sorted(moved, key=lambda one: (self.at[one], self.arrivals.index(one)), reverse=True)
        )

    def values(self) -> Values:
        return Values(*(self.leaders(track) for track in TRACKS))

    def _put(self, token: str, square: int) -> "ValuesBoard":
        others: Iterable[str] = (one for one in self.arrivals if one != token)
        return ValuesBoard(self.squares, {**self.at, token: square}, (*others, token))
