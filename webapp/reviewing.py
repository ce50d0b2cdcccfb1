"""What the review of a board shows: each space, what is doubtful, which rules are broken."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibration import Profile
from scorer.flags import RuleBreak
from webapp import board_drawing
from webapp.board_drawing import DrawnLink
from webapp.drawn_pieces import DrawnPieces
from webapp.game_document import pieces_of
from webapp.games import pages_of
from webapp.photographs import NoSuchPhotographError, Photograph
from webapp.saved_games import SavedGame
from webapp.services import Services

log = logging.getLogger(__name__)

DOUBTS = ("uncertain", "hidden")
"""The flags of a reading that ask for a look at a space."""
SURE = 0.9
"""The confidence under which the count of a track asks for a look."""


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
    `doubts` are those not looked at yet; `breaks` hold for the stars as they are now, and `clashes`
    are the lines between those that must not lie so.
    `notices` say what the reading saw of the whole board, such as a gap on a track; `loose` counts
    pieces on no place. `stars` are the pieces by their spaces, `counts` how many lie on each track,
    `doubtful_counts` the tracks whose count is doubtful; `photographed` is the board that the
    photograph shows, which may be printed otherwise than the one that is drawn.
    """

    stars: Mapping[str, str]
    counts: Mapping[str, int]
    photograph: Photograph | None
    board: int
    doubts: Sequence[Doubt]
    breaks: Sequence[RuleBreak]
    checked: frozenset[str]
    clashes: Sequence[DrawnLink] = ()
    doubtful_counts: frozenset[str] = frozenset()
    notices: Sequence[str] = ()
    loose: int = 0
    photographed: Profile | None = None

    @property
    def doubtful(self) -> Mapping[str, Doubt]:
        """The doubts by space."""
        return {doubt.space: doubt for doubt in self.doubts}

    @property
    def broken(self) -> frozenset[str]:
        """The spaces that some broken rule names."""
        return frozenset(space for one in self.breaks for space in one.spaces)


def of(services: Services, game: SavedGame, player: int) -> Review:
    """Return the review of a player's board."""
    seat = game.document["players"][player]
    checked = frozenset(seat["checked"])
    source = seat["board"] or {"photograph": None, "index": 0}
    photograph = _photograph(services, game, source["photograph"])
    read = _board(photograph, source["index"])
    profile = services.boards.of(game.document)
    pieces = pieces_of(game.document, player, profile.board)
    lying = DrawnPieces.of(pieces)
    breaks = profile.game.rule_breaks(profile.game.position(profile.board, pieces))
    review = Review(
        stars=lying.stars,
        counts=lying.counts,
        photograph=photograph,
        board=source["index"],
        doubts=(),
        breaks=breaks,
        checked=checked,
        clashes=board_drawing.lines(profile, (link for one in breaks for link in one.links)),
    )
    if read is None:
        return review
    return replace(
        review,
        photographed=services.boards.in_folder(read["profile"], game.document) or profile,
        doubts=_doubts(read, checked),
        doubtful_counts=frozenset(
            track
            for track in profile.tracks
            if track in read and read[track]["confidence"] < SURE and track not in checked
        ),
        notices=[
            pages_of(game.document["game"]).notice(flag["kind"])
            for flag in read["flags"]
            if flag["kind"] not in DOUBTS and not flag["spaces"]
        ],
        loose=len(read.get("loose", ())),
    )


def learn(services: Services, game: SavedGame, player: int) -> None:
    """Keep what a player's board, as it was confirmed, teaches of the stars it was read wrongly by.

    That is a help to the next photograph; where it cannot be kept, the game goes on without.
    """
    source = game.document["players"][player]["board"] or {"photograph": None, "index": 0}
    read = _board(_photograph(services, game, source["photograph"]), source["index"])
    if read is None:
        return
    profile = services.boards.of(game.document)
    lying = DrawnPieces.of(pieces_of(game.document, player, profile.board)).stars
    try:
        services.seen_stars.learn(profile, read, lying)
    except OSError as error:
        log.warning("the stars of a corrected board were not kept: %s", error)


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
        if space not in checked and space in read["spaces"]
    }
    return sorted(found.values(), key=lambda doubt: read["spaces"][doubt.space]["confidence"])


def _photograph(services: Services, game: SavedGame, photograph: str | None) -> Photograph | None:
    if photograph is None:
        return None
    try:
        return services.photographs.get(game.id, photograph)
    except NoSuchPhotographError:
        return None


def _alternatives(flag: Mapping[str, object]) -> tuple[str, ...]:
    found = flag.get("alternatives")
    if not isinstance(found, Mapping):
        return ()
    return tuple(sorted(found, key=lambda star: -found[star]))
