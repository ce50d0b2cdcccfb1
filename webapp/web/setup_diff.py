"""What hands have to do until a real board lies as it is wanted: take away, lay, turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from scorer.game import Game, Pieces
from scorer.places import Place
from webapp.app.game_words import GameWords
from webapp.web.words import space_name

AT_ONCE = 3
"""So many pieces are named in one breath; what else there is to do is seen on the picture."""


@dataclass(frozen=True)
class SetupDiff:
    """What lies otherwise than it should, of `wanted` pieces.

    `take` is what lies where it should not, `lay` what is missing, `turn` a dial that faces another
    place than it should.
    """

    take: Pieces
    lay: Pieces
    turn: Pieces
    wanted: int

    @classmethod
    def of(cls, game: Game[Any, Any, Any], wanted: Pieces, pieces: Pieces) -> SetupDiff:
        """What is to be done with a board on which pieces are `pieces`."""
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
        """How many of the pieces lie there."""
        return self.wanted - len(self.lay) - len(self.turn)

    @property
    def places(self) -> Sequence[str]:
        """Where something is to be done, the ids of places, each once."""
        return list(dict.fromkeys(at.id for at in (*self.take, *self.lay, *self.turn)))

    @property
    def emptied(self) -> Sequence[str]:
        """From where something is to be taken away, and nothing else laid; the ids of places."""
        return [at.id for at in self.take if at not in self.lay]

    def sentences(self, words: GameWords) -> Iterator[str]:
        """What to do, in words: first what is to be taken away."""
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
    if more > 1:  # instead of "one more" that one can be named
        named = [*named[:AT_ONCE], ngettext("%(num)d more", "%(num)d more", more)]
    return "; ".join(named)


def _spaces(pieces: Pieces) -> Mapping[Place, str]:
    """The pieces that lie on no track, those of a kind together."""
    kinds = list(dict.fromkeys(pieces.values()))
    spaces = [at for at in pieces if at.kind != "track"]
    return {at: pieces[at] for at in sorted(spaces, key=lambda at: kinds.index(pieces[at]))}
