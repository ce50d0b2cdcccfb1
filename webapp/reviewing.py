"""What the review of a board shows: each space, what is doubtful, which rules are broken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.nebula import Galaxy, RuleBreak
from webapp.companion import Companion
from webapp.games import SavedGame
from webapp.photographs import NoSuchPhotographError, Photograph

DOUBTS = ("uncertain", "hidden")
"""The flags of a reading that ask for a look."""


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
    """

    stars: Mapping[str, str]
    black: int
    photograph: Photograph | None
    board: int
    doubts: Sequence[Doubt]
    breaks: Sequence[RuleBreak]
    confidence: Mapping[str, float]
    checked: frozenset[str]

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
    doubts: list[Doubt] = []
    confidence: Mapping[str, float] = {}
    if photograph is not None and source["index"] < len(photograph.boards):
        read = photograph.boards[source["index"]]
        confidence = {space: seen["confidence"] for space, seen in read["spaces"].items()}
        flags = [flag for flag in read["flags"] if flag["kind"] in DOUBTS]
        found = {
            space: Doubt(space, flag["kind"], _alternatives(flag))
            for flag in flags
            for space in flag.get("spaces", ())
            if space not in checked
        }
        doubts = sorted(found.values(), key=lambda doubt: confidence.get(doubt.space, 0.0))
    galaxy = Galaxy(seat["stars"], seat["black"], companion.profile.board)
    return Review(
        stars=seat["stars"],
        black=seat["black"],
        photograph=photograph,
        board=source["index"],
        doubts=doubts,
        breaks=galaxy.rule_breaks(),
        confidence=confidence,
        checked=checked,
    )


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
