"""The review of a board: pieces, doubtful places and broken rules."""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from calibration import Profile
from scorer.board_state import DOUBTS
from scorer.flags import RuleBreak
from scorer.topology import Topology
from webapp.app.boards import board_drawing
from webapp.app.boards.board_drawing import DrawnLink
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import pages_of
from webapp.app.reading.photographs import NoSuchPhotographError, Photograph
from webapp.app.reading.snapshot_readings import Readings
from webapp.app.reading.uncertainties import (
    Question,
    about_followed,
    about_places,
    about_regions,
    about_tracks,
    asked_at_once,
    by_score_delta,
)
from webapp.app.services import Services
from webapp.app.session.board_slots import BY_HAND, DOUBTFUL, is_followed, is_shared, owners
from webapp.app.session.game_document import is_confirmed, pieces_of
from webapp.app.session.saved_games import Document, SavedGame

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Review:
    """A board under review.

    `photograph` is the one it was read from, if any, and `board` its index there. `questions` are
    those of the reading, answered or not; `breaks` apply to the current pieces, and `clashes` are
    the lines between those in conflict. `notices` are findings about the whole board, such as a gap
    on a track; `loose` counts pieces on no place. `samples_left_out` is the reading's. `stars` are
    the pieces by space, `links` by edge, `counts` the number on each track, `regions` the number of
    each kind in a region. `photographed` is the board in the photograph, which may be printed
    differently from the one drawn. `followed`: it comes from a live table. `has_twin`: another
    player's photograph has the same pieces and may be of this board.
    """

    stars: Mapping[str, str]
    counts: Mapping[str, int]
    photograph: Photograph | None
    board: int
    questions: Sequence[Question]
    breaks: Sequence[RuleBreak]
    checked: frozenset[str]
    links: Mapping[str, str] = field(default_factory=dict)
    regions: Mapping[str, Counter[str]] = field(default_factory=dict)
    clashes: Sequence[DrawnLink] = ()
    notices: Sequence[str] = ()
    loose: int = 0
    samples_left_out: bool = False
    photographed: Profile | None = None
    followed: bool = False
    has_twin: bool = False

    @property
    def drawn_pieces(self) -> DrawnPieces:
        return DrawnPieces(self.stars, self.counts, self.links, self.regions)

    @property
    def doubtful(self) -> Mapping[str, Question]:
        """The unanswered questions by place."""
        left = (one for asked in self.questions for one in asked.each)
        return {one.place: one for one in left if not one.is_answered}

    @property
    def is_clear(self) -> bool:
        """Whether there are no open questions and no broken rules."""
        was_read = self.photograph is not None and self.photograph.has_boards
        was_seen = self.followed or was_read
        return was_seen and not (self.doubtful or self.breaks or self.has_twin)

    @property
    def guesses(self) -> Sequence[Question]:
        """The open questions about places that can be seen well; the likeliest piece lies there."""
        pieces = {**self.stars, **self.links}
        return [
            one
            for place, one in self.doubtful.items()
            if one.kind == "uncertain" and one.candidates[0] == (pieces.get(place) or "")
        ]

    def first_open_except(self, places: Collection[str]) -> int | None:
        """Return the index of the first open question that is not about some places."""
        left = (
            number
            for number, one in enumerate(self.questions)
            if not one.is_answered and not {each.place for each in one.each} <= {*places}
        )
        return next(left, None)

    def number(self, wanted: int | None) -> int | None:
        """Return the index of the question to ask: `wanted` if valid, else the first open one."""
        if wanted is not None and 0 <= wanted < len(self.questions):
            return wanted
        left = (number for number, one in enumerate(self.questions) if not one.is_answered)
        return next(left, None)

    def progress(self, asked: int) -> tuple[str, int]:
        """Return which places, such as "4" or "4–6", question `asked` is about, and how many are.

        Answered ones come first: several that are answered together would otherwise be counted as
        one, and later as several.
        """
        question = self.questions[asked]
        before = sum(
            len(one.each)
            for number, one in enumerate(self.questions)
            if (not one.is_answered, number) < (not question.is_answered, asked)
        )
        first, last = before + 1, before + len(question.each)
        shown = f"{first}" if first == last else f"{first}–{last}"
        return shown, sum(len(one.each) for one in self.questions)

    @property
    def broken(self) -> frozenset[str]:
        """The spaces named by broken rules."""
        return frozenset(space for one in self.breaks for space in one.spaces)


def of(
    services: Services, game: SavedGame, player: int, readings: Readings | None = None
) -> Review:
    """Return the review of an owner's board; `readings` are those of all boards, if known."""
    seat = owners(game.document)[player]
    checked = frozenset(seat["checked"])
    source = seat["board"] or BY_HAND
    photograph = _photograph(services, game, source["photograph"])
    profile = services.boards.of(game.document, player)
    if readings is None:
        readings = services.snapshot_readings.readings(game.id, game.document, profile)
    read = readings[player]
    pieces = pieces_of(game.document, player, profile.board)
    drawn = DrawnPieces.of(pieces)
    pages = pages_of(game.document["game"])
    position = profile.game.position(profile.board, pieces)
    breaks = pages.rule_breaks(game.document, player, position)
    review = Review(
        stars=drawn.stars,
        counts=drawn.counts,
        links=drawn.links,
        regions=drawn.regions,
        photograph=photograph,
        board=source["index"],
        questions=(),
        breaks=breaks,
        checked=checked,
        clashes=board_drawing.lines(profile, (link for one in breaks for link in one.links)),
        followed=is_followed(game.document, player),
        has_twin=any(player in pair for pair in similar_boards(game.document, profile.board)),
    )
    if read is None:
        doubtful_regions = source.get(DOUBTFUL, {})
        return replace(review, questions=[*about_followed(doubtful_regions, checked, profile)])
    shown = services.boards.in_folder(read.profile, game.document) or profile
    asked = about_places(read, checked, shown)
    doubtful = {one.at: one.candidates for one in asked if one.at is not None}
    deltas = (
        pages.score_deltas(game.document, player, profile, pieces, doubtful) if doubtful else {}
    )
    return replace(
        review,
        photographed=shown,
        questions=[
            *asked_at_once(by_score_delta(asked, deltas), read),
            *about_tracks(read, checked, shown),
            *about_regions(read, checked, shown),
        ],
        notices=[
            pages.words.notice(flag.kind)
            for flag in read.flags
            if flag.kind not in DOUBTS and not flag.spaces
        ],
        loose=len(read.loose),
        samples_left_out=read.samples_left_out,
    )


def being_read(document: Document, photographs: Sequence[Photograph]) -> frozenset[int]:
    """Return the owners of boards whose photographs are still being read.

    Their doubtful places are not known yet.
    """
    waiting = {one.id for one in photographs if one.state == "waiting"}
    return frozenset(
        number
        for number, own in enumerate(owners(document))
        if (own["board"] or BY_HAND)["photograph"] in waiting
    )


def clear_others(services: Services, game: SavedGame, player: int) -> Mapping[int, Review]:
    """Return the reviews of the other unconfirmed boards if all of them are clear, else {}.

    They can then be confirmed together.
    """
    document = game.document
    seats = [
        seat
        for seat in range(len(owners(document)))
        if seat != player and not is_confirmed(document, seat)
    ]
    readings = services.snapshot_readings.readings(game.id, document, services.boards.of(document))
    others = {seat: of(services, game, seat, readings) for seat in seats}
    return others if all(review.is_clear for review in others.values()) else {}


SURELY_LAID, SAME = 8, 0.8
"""The minimum number and fraction of equal pieces for two boards to be considered the same one.

On two players' boards about one space in six has the same colour.
"""


def similar_boards(document: Document, board: Topology) -> Sequence[tuple[int, int]]:
    """Return the pairs of players whose photographed boards have mostly the same pieces."""
    if is_shared(document):
        return ()
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
    """Sample colours from a confirmed board that was misread.

    They help with the next photograph; errors in saving them are only logged.
    """
    source = owners(game.document)[player]["board"] or BY_HAND
    read = _board(_photograph(services, game, source["photograph"]), source["index"])
    if read is None:
        return
    profile = services.boards.of(game.document, player)
    stars = DrawnPieces.of(pieces_of(game.document, player, profile.board)).stars
    try:
        services.colour_samples.learn(profile, read, stars)
    except OSError as error:
        log.warning("the stars of a corrected board were not kept: %s", error)


def _board(photograph: Photograph | None, index: int) -> Mapping[str, Any] | None:
    if photograph is None or index >= len(photograph.boards):
        return None
    return photograph.boards[index]


def _photograph(services: Services, game: SavedGame, photograph: str | None) -> Photograph | None:
    if photograph is None:
        return None
    try:
        return services.photographs.get(game.id, photograph)
    except NoSuchPhotographError:
        return None
