"""Finished games keep the board and the score that they were first scored with.

Both are saved when the score is first requested. Later changes of the board or the program do not
affect it, only corrections of the game and explicit recounts.
"""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from calibration import Profile, ProfileError, versions
from scorer.datafile import DataFileError
from scorer.scoresheet import Score
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.database import CountRow, GameRow, now, reading
from webapp.app.game_pages import pages_of
from webapp.app.session import game_document, kept_score, scoring
from webapp.app.session.game_document import LESSONS, RECOUNTS
from webapp.app.session.saved_games import Document, Games, SavedGame
from webapp.app.session.seats import is_over

log = logging.getLogger(__name__)

KEPT = 20
"""The number of states of a game whose scores are kept."""


@dataclass(frozen=True)
class Recount:
    """The current score of a finished game.

    `mended`: the board's numbers have changed; else the program scores differently. `changes` has
    the differing totals, with the categories that differ.
    """

    score: Score
    mended: bool
    changes: "Sequence[Change]"


@dataclass(frozen=True)
class Change:
    """A player's total before and after, and their points before and after by category."""

    name: str
    total: tuple[int, int]
    categories: Mapping[str, tuple[int, int]]


class Counting:
    """Scores games, finished ones once."""

    def __init__(self, sessions: sessionmaker[Session], games: Games, boards: KnownBoards) -> None:
        """Store the scores of `games`, which are played on `boards`."""
        self._sessions, self._games, self._boards = sessions, games, boards

    def score(self, game: SavedGame) -> Score:
        """Return a game's score; for a finished game, the one it was first scored with.

        Raises DataFileError if it cannot be scored, and BoardGoneError.
        """
        profile = self._boards.of(game.document)
        if not is_over(game.document) or game.document.get(LESSONS):
            return scoring.of(game.document, profile.board)
        with reading(self._sessions) as session:
            row = session.get(CountRow, (game.id, key_of(game.document)))
        names = [player["name"] for player in game.document["players"]]
        if row is not None:
            kept = kept_score.from_data(row.score)
            if [player.name for player in kept.players] == names:
                return kept
        score = scoring.of(game.document, profile.board)
        if any(player.provisional for player in score.players):
            return score
        kept = kept_score.from_data(_written(score, profile))
        self._keep(game, profile, kept)
        return kept

    def _keep(self, game: SavedGame, profile: Profile, score: kept_score.KeptScore) -> None:
        """Save a score; if that is not possible now, it is saved another time."""
        try:
            document = game.document
            if profile.is_calibrated:  # else a folder being edited
                version = versions.keep_version(profile)
                document = self._boards.with_version(document, profile, version)
            if document is not game.document:
                self._games.keep_board(
                    game.id, lambda own: self._boards.with_version(own, profile, version)
                )
            with self._sessions.begin() as session:
                if session.get(GameRow, game.id) is not None:
                    key, data = key_of(document), dict(score.data)
                    session.merge(CountRow(game_id=game.id, key=key, score=data, at=now()))
                    _drop_oldest(session, game.id)
        except (ProfileError, OSError, SQLAlchemyError) as error:
            log.warning("the score of %s is not kept: %s", game.id, error)

    def keep_board(self, game_ids: Sequence[str], profile: Profile) -> None:
        """Have games that are played on a board keep its current version. Raises ProfileError."""
        if game_ids:
            version = versions.keep_version(profile)
            for game_id in game_ids:
                self._games.keep_board(
                    game_id, lambda own: self._boards.with_version(own, profile, version)
                )

    def recount(self, game: SavedGame, counted: Score) -> Recount | None:
        """Return a finished game's current score if it differs from `counted`; else None."""
        mended = self._boards.mended(game.document)
        profile = self._boards.of(game.document) if mended is None else mended[1]
        try:
            score = scoring.of(game.document, profile.board)
        except DataFileError:
            return None
        if any(player.provisional for player in score.players):
            return None
        changes = list(_changes(game.document, counted, score))
        differs = bool(changes) or score.ranking != counted.ranking
        return Recount(score, mended is not None, changes) if differs or mended else None

    def anew(self, document: Document) -> Document:
        """Return a finished game's document such that it is scored again, on the current board."""
        mended = self._boards.mended(document)
        board = {} if mended is None else {game_document.PROFILE: mended[0]}
        return {**document, **board, RECOUNTS: document.get(RECOUNTS, 0) + 1}


def key_of(document: Document) -> str:
    """Return a hash that differs for states of a game that may score differently."""
    counted = [
        game_document.game_data(document),
        document.get(game_document.PROFILE),
        document.get(RECOUNTS, 0),
    ]
    return hashlib.sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()


def _written(score: Score, profile: Profile) -> dict[str, object]:
    spaces, game = profile.board.spaces, profile.game

    def place_name(language: str, word: str) -> str:
        return game.place_name(profile.board, word, language) if word in spaces else word

    written: dict[str, object] = json.loads(json.dumps(kept_score.to_data(score, place_name)))
    return written


def _drop_oldest(session: Session, game_id: str) -> None:
    session.flush()
    newest = select(CountRow.key).where(CountRow.game_id == game_id).order_by(CountRow.at.desc())
    kept = list(session.scalars(newest.limit(KEPT)))
    session.execute(delete(CountRow).where(CountRow.game_id == game_id, CountRow.key.not_in(kept)))


def _changes(document: Document, counted: Score, score: Score) -> "Sequence[Change]":
    categories = pages_of(document["game"]).game.categories
    found = []
    for before, after in zip(counted.players, score.players, strict=True):
        sums = [
            {
                category: sum(line.points for line in lines)
                for category, lines in scoring.by_category(one.lines, categories).items()
            }
            for one in (before, after)
        ]
        differ = {
            category: (sums[0].get(category, 0), sums[1].get(category, 0))
            for category in categories
            if sums[0].get(category, 0) != sums[1].get(category, 0)
        }
        if differ or before.total != after.total:
            found.append(Change(before.name, (before.total, after.total), differ))
    return found
