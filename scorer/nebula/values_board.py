"""The Values board: tokens that advance on three tracks, and who leads each of them."""

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
    """Where the 14 value tokens stand, on tracks of so many `squares`; 0 is where all start.

    `arrivals` lists the tokens that have moved by their latest move, the earliest first: on one
    square the token that arrived later lies on top and is ahead.

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
        """Whether the token is one of the game's and has not come to its track's end."""
        return token in TOKENS and self.at.get(token, 0) < self.squares

    def pile(self, token: str, square: int) -> tuple[str, ...]:
        """The tokens on a square of a token's track, the lowest first; none has order at the start.

        >>> ValuesBoard(8).move("red").move("aries").move("blue").pile("red", 1)
        ('red', 'blue')
        """
        (track,) = (tokens for tokens in TRACKS.values() if token in tokens)
        return tuple(one for one in self.arrivals if one in track and self.at[one] == square)

    def move(self, token: str) -> "ValuesBoard":
        """The board with a token a square further; unchanged where it stands at the end."""
        return self._put(token, self.at.get(token, 0) + 1) if self.can_move(token) else self

    def move_back(self, token: str) -> "ValuesBoard":
        """The board with a token a square back, as one corrects a slip; never before the start."""
        here = self.at.get(token, 0)
        return self._put(token, here - 1) if here else self

    def leaders(self, track: str) -> tuple[str, ...]:
        """The tokens of a track that have moved, the one in front first."""
        moved = [token for token in TRACKS[track] if self.at.get(token, 0)]
        return tuple(
            sorted(moved, key=lambda one: (self.at[one], self.arrivals.index(one)), reverse=True)
        )

    def values(self) -> Values:
        """The order on each track, as a game holds it."""
        return Values(*(self.leaders(track) for track in TRACKS))

    def _put(self, token: str, square: int) -> "ValuesBoard":
        others: Iterable[str] = (one for one in self.arrivals if one != token)
        return ValuesBoard(self.squares, {**self.at, token: square}, (*others, token))
