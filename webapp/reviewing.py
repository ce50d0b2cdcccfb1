"""What the review of a board shows: each space, what is doubtful, which rules are broken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.nebula import Galaxy, RuleBreak
from webapp.companion import Companion
from webapp.photographs import NoSuchPhotographError, Photograph
from webapp.saved_games import SavedGame

DOUBTS = ("uncertain", "hidden")
"""The flags of a reading that ask for a look at a space."""
TOLD = ("black_gap", "colour_on_track")
"""The flags of a reading that no space of the galaxy stands for."""
SURE = 0.9
"""The confidence under which the number of black stars asks for a look."""


@dataclass(frozen=True)
class Doubt:
    """A space to look at: why, and what it may be instead, the likeliest first."""

    space: str
    kind: str
    alternatives: tuple[str, ...]


@dataclass(frozen=True)
class Review:
    """A board under review.

    `photograph` is the one it was read from, if any, with `board` its number in it.
    `doubts` are those not looked at yet; `breaks` hold for the stars as they are now.
    `told` are the reading's flags about the track, and `loose` counts stars on no space.
    """

    stars: Mapping[str, str]
    black: int
    photograph: Photograph | None
    board: int
    doubts: Sequence[Doubt]
    breaks: Sequence[RuleBreak]
    checked: frozenset[str]
    black_doubtful: bool = False
    told: Sequence[str] = ()
    loose: int = 0

    @property
    def doubtful(self) -> Mapping[str, Doubt]:
        """The doubts by space."""
        return {doubt.space: doubt for doubt in self.doubts}

    @property
    def broken(self) -> frozenset[str]:
        """The spaces that some broken rule names."""
        return frozenset(space for one in self.breaks for space in one.spaces)


def of(companion: Companion, game: SavedGame, player: int) -> Review:
    """Return the review of a player's board."""
    seat = game.document["players"][player]
    checked = frozenset(seat["checked"])
    source = seat["board"] or {"photograph": None, "index": 0}
    photograph = _photograph(companion, game, source["photograph"])
    read = _board(photograph, source["index"])
    galaxy = Galaxy(seat["stars"], seat["black"], companion.profile.board)
    review = Review(
        stars=seat["stars"],
        black=seat["black"],
        photograph=photograph,
        board=source["index"],
        doubts=(),
        breaks=galaxy.rule_breaks(),
        checked=checked,
    )
    if read is None:
        return review
    return replace(
        review,
        doubts=_doubts(read, checked),
        black_doubtful=read["black"]["confidence"] < SURE and "black" not in checked,
        told=[flag["kind"] for flag in read["flags"] if flag["kind"] in TOLD],
        loose=len(read.get("loose", ())),
    )


def _board(photograph: Photograph | None, index: int) -> Mapping[str, Any] | None:
    if photograph is None or index >= len(photograph.boards):
        return None
    return photograph.boards[index]


def _doubts(read: Mapping[str, Any], checked: frozenset[str]) -> list[Doubt]:
    """Return what is left to look at, the least certain first."""
    found = {
        space: Doubt(space, flag["kind"], _alternatives(flag))
        for flag in read["flags"]
        if flag["kind"] in DOUBTS
        for space in flag.get("spaces", ())
        if space not in checked
    }
    return sorted(found.values(), key=lambda doubt: read["spaces"][doubt.space]["confidence"])


def _photograph(companion: Companion, game: SavedGame, photograph: str | None) -> Photograph | None:
    if photograph is None:
        return None
    try:
        return companion.photographs.get(game.id, photograph)
    except NoSuchPhotographError:
        return None


def _alternatives(flag: Mapping[str, object]) -> tuple[str, ...]:
    found = flag.get("alternatives")
    if not isinstance(found, Mapping):
        return ()
    return tuple(sorted(found, key=lambda star: -found[star]))
