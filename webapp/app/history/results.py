"""Results of games, stored in the database, so that statistics use saved scores.

A result is computed from a game as of its last change, and again after a change of the game or of
its board. Unfinished games and games that cannot be scored are stored as such. Tables for lessons
are not counted or found.
"""

import logging
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, and_, delete, func, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from scorer import registry
from scorer.datafile import DataFileError
from webapp.app.boards.known_boards import BoardGoneError, KnownBoards
from webapp.app.database import GameRow, ResultRow, reading
from webapp.app.game_pages import pages_of
from webapp.app.session import flow, scoring
from webapp.app.session.counting import Counting
from webapp.app.session.game_document import LESSONS
from webapp.app.session.saved_games import BrokenGame, Document, Games, SavedGame

log = logging.getLogger(__name__)

MADE_AT_ONCE = 400
"""The most results computed in one update; the next update continues."""
FINAL, OPEN, UNSCORABLE = "final", "open", "unscorable"


@dataclass(frozen=True)
class Ending:
    """A player's outcome in a final score."""

    seat: int
    name: str
    total: int
    place: int


@dataclass(frozen=True)
class Result:
    """The result of a game; `endings` has the best place first, and is empty unless `FINAL`."""

    game_id: str
    state: str
    game: str
    mode: str
    board: str
    begun_at: datetime
    names: tuple[str, ...]
    endings: tuple[Ending, ...]

    @property
    def winners(self) -> tuple[Ending, ...]:
        """Those in first place; empty in a game of one player."""
        if len(self.endings) < 2:
            return ()
        return tuple(ending for ending in self.endings if ending.place == 1)


def folded(text: str) -> str:
    """Return a text normalised for searching: no case or accents, single spaces.

    >>> folded("  Žofie\\tÁgnes ")
    'zofie agnes'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


class Results:
    def __init__(
        self, sessions: sessionmaker[Session], games: Games, boards: KnownBoards, counting: Counting
    ) -> None:
        """Store the results of `games`, which are played on `boards`."""
        self._sessions, self._games, self._boards = sessions, games, boards
        self._counting = counting

    def bring_up_to_date(self) -> Sequence[SavedGame]:
        """Compute missing and outdated results; return their games."""
        stale = self._stale()
        found = self._games.listed(stale) if stale else []
        rows = {game.id: self._row_of(game) for game in found}
        made = [game for game in found if isinstance(game, SavedGame)]
        if rows:
            with self._sessions.begin() as session:
                there = session.scalars(select(GameRow.id).where(GameRow.id.in_(rows))).all()
                session.execute(delete(ResultRow).where(ResultRow.game_id.in_(there)))
                session.add_all([rows[game_id] for game_id in there])
        return made

    def _stale(self) -> list[str]:
        """Return the games whose results are missing or outdated by a change of game or board."""
        board = (ResultRow.profile, ResultRow.version)
        with reading(self._sessions) as session:
            boards = session.execute(select(*board).distinct()).all()
            changed = [
                and_(ResultRow.profile == name, ResultRow.version == version)
                for name, version in boards
                if self._boards.version_of(name) != version
            ]
            return list(
                session.scalars(
                    select(GameRow.id)
                    .outerjoin(ResultRow, ResultRow.game_id == GameRow.id)
                    .where(GameRow.deleted_at.is_(None))
                    .where(
                        or_(ResultRow.at.is_(None), ResultRow.at != GameRow.changed_at, *changed)
                    )
                    .order_by(GameRow.changed_at.desc())
                    .limit(MADE_AT_ONCE)
                )
            )

    def all(self) -> Sequence[Result]:
        """Return all results, the last begun game first."""
        return self._of(_results().order_by(GameRow.created_at.desc(), GameRow.id))

    def of(self, game_ids: Sequence[str]) -> Mapping[str, Result]:
        found = self._of(_results().where(GameRow.id.in_(game_ids)))
        return {result.game_id: result for result in found}

    def found(self, wanted: str, limit: int, skip: int = 0) -> Sequence[str]:
        """Return the ids of games that match all words, the last changed first."""
        query = (
            select(GameRow.id)
            .join(ResultRow, ResultRow.game_id == GameRow.id)
            .where(GameRow.deleted_at.is_(None))
            .order_by(GameRow.changed_at.desc(), GameRow.id)
        )
        for word in folded(wanted).split():
            query = query.where(ResultRow.words.contains(word, autoescape=True))
        with reading(self._sessions) as session:
            return list(session.scalars(query.limit(limit).offset(skip)))

    def missing(self) -> int:
        """Return the number of games that have no result yet."""
        query = (
            select(func.count(GameRow.id))
            .outerjoin(ResultRow, ResultRow.game_id == GameRow.id)
            .where(GameRow.deleted_at.is_(None), ResultRow.game_id.is_(None))
        )
        with reading(self._sessions) as session:
            return session.scalar(query) or 0

    def _of(self, query: "Select[ResultRow, datetime]") -> list[Result]:
        with reading(self._sessions) as session:
            rows = session.execute(query).all()
        known = registry.names()  # not those of broken or removed plugins
        return [
            _result(row, begun)
            for row, begun in rows
            if row.game in known and None not in (row.names, row.standings)
        ]

    def _row_of(self, game: SavedGame | BrokenGame) -> ResultRow:
        """Return a game's result; an error is logged and makes that game unscorable."""
        if isinstance(game, SavedGame):
            try:
                return self._row(game)
            except SQLAlchemyError:
                raise
            except Exception:
                log.exception("game %s has no result", game.id)
        return ResultRow(
            game_id=game.id,
            at=game.changed_at,
            state=UNSCORABLE,
            game="",
            mode="",
            board="",
            profile="",
            version=0.0,
            names=[],
            standings=[],
            words="",
        )

    def _row(self, game: SavedGame) -> ResultRow:
        document = game.document
        names = [str(player["name"]) for player in document["players"]]
        state, endings, board = self._ending(game)
        title = pages_of(document["game"]).game.title
        profile = self._boards.current_name(document) or self._boards.name_of(document)
        searched = [
            *names,
            title,
            board,
            str(document.get("note", "")),
            f"{game.created_at:%Y-%m-%d}",
        ]
        return ResultRow(
            game_id=game.id,
            at=game.changed_at,
            state=state,
            game=document["game"],
            mode=str(document.get("mode", "")),
            board=board,
            profile=profile,
            version=self._boards.version_of(profile),
            names=names,
            standings=[vars(ending) for ending in endings],
            words="" if state == LESSONS else folded(" ".join([*searched, *_cards(document)])),
        )

    def _ending(self, game: SavedGame) -> tuple[str, Sequence[Ending], str]:
        try:
            title = self._boards.title_of(game.document)
            if game.document.get(LESSONS):
                return LESSONS, (), title
            if flow.next_step(game.document).name != "score":
                return OPEN, (), title
            score = self._counting.score(game)
        except BoardGoneError as error:
            return self._kept(game) or (UNSCORABLE, (), str(error))
        except DataFileError:
            return UNSCORABLE, (), title
        if any(player.provisional for player in score.players):
            return OPEN, (), title
        endings = [
            Ending(one.seat, one.score.name, one.score.total, one.place)
            for one in scoring.standings(score)
        ]
        return FINAL, endings, title

    def _kept(self, game: SavedGame) -> tuple[str, Sequence[Ending], str] | None:
        """Return the saved result of a game whose board is gone, if it cannot have changed."""
        found = self.of([game.id]).get(game.id)
        names = tuple(player["name"] for player in game.document["players"])
        if found is None or found.names != names or found.state != FINAL:
            return None
        if flow.next_step(game.document).name != "score":
            return None
        return FINAL, found.endings, found.board


def _results() -> "Select[ResultRow, datetime]":
    return (
        select(ResultRow, GameRow.created_at)
        .join(GameRow, GameRow.id == ResultRow.game_id)
        .where(GameRow.deleted_at.is_(None))
    )


def _result(row: ResultRow, begun: datetime) -> Result:
    return Result(
        row.game_id,
        row.state,
        row.game,
        row.mode,
        row.board,
        begun,
        tuple(row.names),
        tuple(Ending(**one) for one in row.standings),
    )


def _cards(document: Document) -> list[str]:
    """Return the answers to list questions of the table, as ids to search for."""
    answers = [own for key, own in document.items() if isinstance(own, list) and key != "confirmed"]
    return [one for answer in answers for one in answer if isinstance(one, str)]
