"""What the review of a board shows: each space, what is doubtful, which rules are broken."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from calibration import Profile
from scorer.flags import RuleBreak
from scorer.topology import Topology
from webapp import board_drawing
from webapp.board_drawing import DrawnLink
from webapp.drawn_pieces import DrawnPieces
from webapp.game_document import pieces_of
from webapp.games import pages_of
from webapp.photographs import NoSuchPhotographError, Photograph
from webapp.saved_games import Document, SavedGame
from webapp.services import Services

log = logging.getLogger(__name__)

DOUBTS = ("uncertain", "hidden")
"""The flags of a reading that ask for a look at a space."""
AROUND = 2.2
"""Radii of a space that are shown on each side of its middle."""
SURE = 0.9
"""The confidence under which the count of a track asks for a look."""


@dataclass(frozen=True)
class Question:
    """What lies on a place that the reading was not sure of, or how many on a track.

    `kind` is the flag that asks, "count" for a track. `candidates` are the answers that are likely
    as forms send them: pieces, the one that was read first, "" for none; or numbers. `crop` is
    where the place lies on the board: left, top, width and height in mm.
    """

    place: str
    kind: str
    candidates: tuple[str, ...]
    is_answered: bool
    crop: tuple[float, float, float, float]


@dataclass(frozen=True)
class Review:
    """A board under review.

    `photograph` is the one it was read from, if any, with `board` its number in it.
    `questions` are what the reading asks, answered or not; `breaks` hold for the stars as they are
    now, and `clashes` are the lines between those that must not lie so.
    `notices` say what the reading saw of the whole board, such as a gap on a track; `loose` counts
    pieces on no place. `stars` are the pieces by their spaces, `counts` how many lie on each track;
    `photographed` is the board that the photograph shows, which may be printed otherwise than the
    one that is drawn.
    """

    stars: Mapping[str, str]
    counts: Mapping[str, int]
    photograph: Photograph | None
    board: int
    questions: Sequence[Question]
    breaks: Sequence[RuleBreak]
    checked: frozenset[str]
    clashes: Sequence[DrawnLink] = ()
    notices: Sequence[str] = ()
    loose: int = 0
    photographed: Profile | None = None

    @property
    def doubtful(self) -> Mapping[str, Question]:
        """The questions that are not answered yet, by their places."""
        return {one.place: one for one in self.questions if not one.is_answered}

    @property
    def is_clear(self) -> bool:
        """Whether nothing is left to ask, and no rule is broken."""
        return self.photograph is not None and not self.doubtful and not self.breaks

    def number(self, wanted: int | None) -> int | None:
        """Which question to ask: the one that is `wanted`, else the first that is left."""
        if wanted is not None and 0 <= wanted < len(self.questions):
            return wanted
        left = (number for number, one in enumerate(self.questions) if not one.is_answered)
        return next(left, None)

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
        questions=(),
        breaks=breaks,
        checked=checked,
        clashes=board_drawing.lines(profile, (link for one in breaks for link in one.links)),
    )
    if read is None:
        return review
    shown = services.boards.in_folder(read["profile"], game.document) or profile
    return replace(
        review,
        photographed=shown,
        questions=[*_about_spaces(read, checked, shown), *_about_tracks(read, checked, shown)],
        notices=[
            pages_of(game.document["game"]).notice(flag["kind"])
            for flag in read["flags"]
            if flag["kind"] not in DOUBTS and not flag["spaces"]
        ],
        loose=len(read.get("loose", ())),
    )


def clear_others(services: Services, game: SavedGame, player: int) -> Mapping[int, Review]:
    """Return the other boards that are still to be confirmed, where they are clear as well.

    One look at all of them will do then; where one is not clear, each is looked at by itself.
    """
    document = game.document
    seats = [
        seat
        for seat in range(len(document["players"]))
        if seat != player and f"review-{seat}" not in document["confirmed"]
    ]
    others = {seat: of(services, game, seat) for seat in seats}
    return others if all(review.is_clear for review in others.values()) else {}


SURELY_LAID, SAME = 8, 0.8
"""From how many stars on, and from which share of them, two boards that lie the same are one.

Of two players' boards about one space in six has the same colour.
"""


def twins(document: Document, board: Topology) -> Sequence[tuple[int, int]]:
    """The pairs of players whose photographed boards lie the same: one board, perhaps, twice."""
    photographed = [
        (seat, DrawnPieces.of(pieces_of(document, seat, board)).stars)
        for seat, player in enumerate(document["players"])
        if (player["board"] or {}).get("photograph")
    ]
    return [
        (one, other)
        for (one, stars), (other, others) in combinations(photographed, 2)
        if len(stars.keys() | others.keys()) >= SURELY_LAID
        and len(stars.items() & others.items()) >= SAME * len(stars.keys() | others.keys())
    ]


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


def _about_spaces(
    read: Mapping[str, Any], checked: frozenset[str], profile: Profile
) -> list[Question]:
    """Ask what lies on the spaces that are doubtful, the least certain first."""
    flags = {
        space: flag
        for flag in read["flags"]
        if flag["kind"] in DOUBTS
        for space in flag.get("spaces", ())
        if space in read["spaces"]
    }
    found = []
    for space in sorted(flags, key=lambda one: (read["spaces"][one]["confidence"], one)):
        likely = (read["spaces"][space]["star"], *_alternatives(flags[space]), "")
        candidates = ("" if one in (None, "empty") else str(one) for one in likely)
        (x, y), radius = profile.spaces[space].at, profile.spaces[space].radius
        reach = radius * AROUND
        found.append(
            Question(
                space,
                flags[space]["kind"],
                tuple(dict.fromkeys(candidates)),
                space in checked,
                (x - reach, y - reach, 2 * reach, 2 * reach),
            )
        )
    return found


def _about_tracks(
    read: Mapping[str, Any], checked: frozenset[str], profile: Profile
) -> Iterator[Question]:
    """Ask how many pieces lie on the tracks whose count is doubtful."""
    for track, slots in profile.tracks.items():
        if track not in read or read[track]["confidence"] >= SURE:
            continue
        count = read[track]["count"]
        likely = range(max(count - 1, 0), min(count + 1, len(slots)) + 1)
        xs, ys = zip(*(slot.at for slot in slots), strict=True)
        reach = slots[0].radius * 1.5
        left, top = min(xs) - reach, min(ys) - reach
        crop = (left, top, max(xs) + reach - left, max(ys) + reach - top)
        yield Question(track, "count", tuple(map(str, likely)), track in checked, crop)


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
