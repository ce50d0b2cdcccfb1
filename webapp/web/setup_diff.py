"""What to do to bring a real board into the wanted state: remove, place, turn."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from scorer.game import Game
from scorer.places import Place
from scorer.table import Pieces
from webapp.app.game_words import GameWords
from webapp.web.words import space_name

AT_ONCE = 3
"""The most pieces named in one sentence; the picture shows the rest."""


@dataclass(frozen=True)
class SetupDiff:
    """The differences of a board from the `wanted` pieces.

    `take` are pieces to remove, `lay` missing pieces, `turn` dials that face another place.
    """

    take: Pieces
    lay: Pieces
    turn: Pieces
    wanted: int

    @classmethod
    def of(cls, game: Game[Any, Any, Any], wanted: Pieces, pieces: Pieces) -> "SetupDiff":
        """Return the differences of a board's `pieces` from the wanted ones."""
        dials = {piece.id for piece in game.pieces if piece.dial}
        missing = {at: piece for at, piece in wanted.items() if pieces.get(at) != piece}
        return cls(
            {
                at: piece
                for at, piece in pieces.items()
                if wanted.get(at) != piece and piece not in dials
            },
            {at: piece for at, piece in missing.items() if piece not in dials},
            {at: piece for at, piece in missing.items() if piece in dials},
            len(wanted),
        )

    @property
    def done(self) -> int:
        """The number of pieces in place."""
        return self.wanted - len(self.lay) - len(self.turn)

    @property
    def places(self) -> Sequence[str]:
        """The ids of places where something must be done, without repetitions."""
        return list(dict.fromkeys(at.id for at in (*self.take, *self.lay, *self.turn)))

    @property
    def emptied(self) -> Sequence[str]:
        """The ids of places from which a piece is removed and not replaced."""
        return [at.id for at in self.take if at not in self.lay]

    def sentences(self, words: GameWords) -> Iterator[str]:
        """Yield the instructions, removals first."""
        if self.take:
            yield _("Take away: %(pieces)s", pieces=_listed(self.take, words))
        if self.lay:
            yield _("Lay: %(pieces)s", pieces=_listed(self.lay, words))
        if self.turn:
            yield _("Turn: %(pieces)s", pieces=_listed(self.turn, words))


def _listed(pieces: Pieces, words: GameWords) -> str:
    tracks = Counter(at.id for at in pieces if at.kind == "track")
    named = [words.laid(piece, space_name(at.id)) for at, piece in _spaces(pieces).items()]
    named += [words.count(track, count) for track, count in tracks.items()]
    more = len(named) - AT_ONCE
    if more > 1:  # name a single further piece instead of "one more"
        named = [*named[:AT_ONCE], ngettext("%(num)d more", "%(num)d more", more)]
    return "; ".join(named)


def _spaces(pieces: Pieces) -> Mapping[Place, str]:
    """Return the pieces that are on no track, grouped by kind."""
    kinds = list(dict.fromkeys(pieces.values()))
    spaces = [at for at in pieces if at.kind != "track"]
    return {at: pieces[at] for at in sorted(spaces, key=lambda at: kinds.index(pieces[at]))}
