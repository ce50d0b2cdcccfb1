"""What the table means now: pieces, score, broken rules, objectives.

Derived from a document and its table, independent of language and drawing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scorer.datafile import DataFileError
from scorer.flags import RuleBreak
from scorer.objective import CardResult, Objective
from scorer.places import Place
from scorer.scoresheet import Score
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.live.entry import possible_answers
from webapp.app.live.reducer import Doubt, LiveTable, Rules
from webapp.app.session.board_slots import Document

_MORE_OFFERED = 2
"""How far the answers offered go beyond the highest likely count."""


@dataclass(frozen=True)
class Alert:
    """News for the table, and how it is spoken.

    `kind` selects the sound: objective, break, mended, ending or due.
    """

    kind: str
    say: str


@dataclass(frozen=True)
class Progress:
    """A player's progress on an objective.

    `points` is what it gives at present, `badge` how the player is marked out, and `lacks` what is
    missing, in words: None for the missing places of `result`. `is_kept` is true if the objective
    counts whatever becomes of the pieces.
    """

    seat: int
    result: CardResult
    points: str = ""
    badge: str = ""
    lacks: str | None = None
    is_kept: bool = False

    @property
    def met(self) -> bool:
        return self.is_kept or self.result.met


@dataclass(frozen=True)
class ObjectiveProgress:
    """An objective and each player's progress on it.

    `group` is its heading; `label` is shown beside its name. `is_next`: it is scored next.
    """

    objective: Objective
    progress: Sequence[Progress]
    group: str = ""
    label: str = ""
    is_next: bool = False


@dataclass(frozen=True)
class RegionQuestion:
    """A question about the contents of a region.

    `answers` are the possible contents as counts of each kind; if only the count of `kind` is open,
    they cover all its possible counts. `counted` is the likeliest, including kinds that may be
    absent; `others` are the remaining kinds that are allowed there.
    """

    board: int
    region: str
    doubt: Doubt
    answers: Sequence[Mapping[str, int]]
    kind: str
    counted: Mapping[str, int]
    others: Sequence[str]


@dataclass(frozen=True)
class TableViewModel:
    """Everything that a live page shows of a table. `document` is the game's."""

    document: Document
    table: LiveTable
    rules: Rules

    @cached_property
    def score(self) -> Score | None:
        """The current score without secrets; None if it cannot be computed.

        Unseen boards count as empty; `points` omits the players concerned.
        """
        return None if self.played is None else self.rules.profile.game.score(self.played)

    @cached_property
    def unseen(self) -> Sequence[int]:
        """The numbers of boards without entries, at a table with several kinds of board.

        Empty in a guided game, where all are known.
        """
        from webapp.app.session import flow  # imports the pages of games, which import this module

        is_guided = flow.is_guided(self.document)
        return () if is_guided else self.rules.unseen(self.table.known)

    @cached_property
    def is_scored(self) -> Sequence[bool]:
        """For each player, whether their own and all shared boards were seen."""
        return self.rules.is_scored(self.unseen)

    @cached_property
    def game_data(self) -> dict[str, Any]:
        """The current game file, without secrets."""
        live = self.rules.live
        return live.game_data(live.with_table(self.document, self.table))

    @cached_property
    def drawn_pieces(self) -> Sequence[DrawnPieces]:
        """The pieces on each seat's board."""
        game = self.rules.profile.game
        return [DrawnPieces.of(game.pieces_of(position)) for position in self.table.positions]

    @property
    def points(self) -> Sequence[int | None] | None:
        """Each player's current total, None if unseen; None if there is no score."""
        if self.score is None:
            return None
        scored = zip(self.score.players, self.is_scored, strict=True)
        return [player.total if is_scored else None for player, is_scored in scored]

    def pieces_of(self, seat: int) -> Sequence[str]:
        """Return the ids of the places with a player's own pieces."""
        game, marker = self.rules.profile.game, self.document["players"][seat]["marker"]
        own = {piece.id for piece in game.pieces if piece.owner == marker}
        pieces = game.pieces_of(self.table.positions[self.rules.board_of(seat)])
        return [place.id for place, piece in pieces.items() if piece in own]

    @property
    def palette(self) -> Sequence[str]:
        """The pieces that may be placed."""
        piece_roles = self.rules.live.pages.pieces_in_play(self.document)
        pieces = self.rules.profile.game.pieces
        return [one.id for one in pieces if one.dial or one.id in piece_roles]

    @property
    def places(self) -> Mapping[str, Mapping[str, Collection[str]]]:
        """The places that can be corrected one by one, by kind: what may lie on each, by its id."""
        found: dict[str, dict[str, Collection[str]]] = {"spot": {}, "edge": {}, "dial": {}}
        for place in self.rules.profile.places:
            if place.kind in found and (admitted := self.rules.profile.game.admits(place)):
                found[place.kind][place.id] = admitted
        return {kind: ids for kind, ids in found.items() if ids}

    @cached_property
    def breaks(self) -> Sequence[tuple[int, RuleBreak]]:
        """The broken rules of boards that were seen, with the board's number."""
        game = self.rules.profile.game
        return [
            (board, broken)
            for board, position in enumerate(self.table.positions)
            if board not in self.unseen
            for broken in game.rule_breaks(position, self.played)
        ]

    @cached_property
    def questions(self) -> Sequence[RegionQuestion]:
        """The questions about regions, in the order of the doubts."""
        return [self._question(*at, doubt) for at, doubt in self.table.doubts.items()]

    def may_be_in(self, board: int, region: str) -> Sequence[str]:
        """Return the kinds that may be in a region: those in play, and those known to be there."""
        in_play = {*self.rules.live.pages.piece_roles(self.document).values()}
        known: Mapping[str, int] = self.drawn_pieces[board].regions.get(region, {})
        admitted = self.rules.slots[board].profile.game.admits(Place(region, "region"))
        return [one for one in admitted if one in in_play or one in known]

    def _question(self, board: int, region: str, doubt: Doubt) -> RegionQuestion:
        profile, place = self.rules.slots[board].profile, Place(region, "region")
        admitted = self.may_be_in(board, region)
        possible = possible_answers(doubt.answers, profile, place)
        likely = [held for held in possible if held.keys() <= {*admitted}]
        known: Mapping[str, int] = self.drawn_pieces[board].regions.get(region, {})
        kinds = dict.fromkeys(kind for held in [*likely, known] for kind in held)
        first = likely[0] if likely else known
        varied = [kind for kind in kinds if len({held.get(kind, 0) for held in likely}) > 1]
        kind = varied[0] if len(varied) == 1 else ""
        if kind:
            most = max(held.get(kind, 0) for held in likely) + _MORE_OFFERED
            supply = next(one.supply for one in profile.game.pieces if one.id == kind)
            others = {one: n for one, n in first.items() if one != kind}
            counts = range(min(most, supply) + 1)
            likely = [{**others, **({kind: n} if n else {})} for n in counts]
        return RegionQuestion(
            board,
            region,
            doubt,
            likely,
            kind,
            {one: first.get(one, 0) for one in kinds},
            [one for one in admitted if one not in kinds],
        )

    def who_broke(self, board: int, broken: RuleBreak) -> str:
        """Return the name of the player who broke a rule on a board; "" if unknown."""
        seat = self.rules.slots[board].seat
        return "" if seat is None else str(self.document["players"][seat]["name"])

    @property
    def no_objectives(self) -> str:
        """Why no objectives are shown, in words; "" because none can be counted yet."""
        return ""

    def personal(self, seat: int) -> ObjectiveProgress | None:
        """A player's own objective, for their eyes only; None if unknown."""
        return None

    @cached_property
    def objectives(self) -> Sequence[ObjectiveProgress]:
        """The public objectives of the boards that were seen, in the game's order."""
        game, played = self.rules.profile.game, self.played
        if played is None:
            return []
        found: dict[str, tuple[Objective, list[Progress]]] = {}
        for seat, is_scored in enumerate(self.is_scored):
            for one in game.objectives(played, seat):
                _one, progress = found.setdefault(one.id, (one, []))
                if is_scored:
                    result = game.check(played, one, self.table.positions, seat)
                    progress.append(Progress(seat, result, self._points(seat, one.id)))
        return [ObjectiveProgress(one, progress) for one, progress in found.values() if progress]

    def _points(self, seat: int, objective: str) -> str:
        """The points of an objective in the current score; "" for none."""
        assert self.score is not None
        lines = self.score.players[seat].lines
        return str(sum(one.points for one in lines if one.subject.get("card") == objective) or "")

    @cached_property
    def played(self) -> Any:
        """The game as far as it is known now; None if its game file is invalid."""
        try:
            return self.rules.profile.game.game_from_data(self.game_data, self.rules.profile.board)
        except DataFileError:
            return None
