"""A game's score for the pages: the scorer's, with what they need beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from scorer.nebula import GameFileError, game_from_data, score_game
from scorer.nebula.score import PlayerScore, Score
from scorer.scoresheet import Line
from webapp import flow, game_document
from webapp.saved_games import Document, SavedGame

CATEGORIES = ("personal", "career", "black", "constellation", "colour", "advanced")
"""The order of a score sheet's parts."""


@dataclass(frozen=True)
class Standing:
    """A player on the leaderboard.

    `decided` says what a tie on points came down to: "black" where black stars decided,
    "shared" where they did not, "" where there was no tie.
    """

    place: int
    seat: int
    score: PlayerScore
    decided: str


def of(document: Document) -> Score:
    """Return the score of a game as it stands. Raises GameFileError where it cannot be scored."""
    return score_game(game_from_data(game_document.game_data(document)))


def standings(score: Score) -> Sequence[Standing]:
    """Return the players from the first place to the last."""
    seats = {player.name: seat for seat, player in enumerate(score.players)}
    totals = [player.total for player in score.players]
    found: list[Standing] = []
    for names in score.ranking:
        place = len(found) + 1
        for name in names:
            player = score.players[seats[name]]
            tied = totals.count(player.total) > 1
            decided = "shared" if len(names) > 1 else "black" if tied else ""
            found.append(Standing(place, seats[name], player, decided))
    return found


def by_category(lines: Sequence[Line]) -> Mapping[str, Sequence[Line]]:
    """Return a player's lines by category, in the order of a score sheet."""
    found = {name: [line for line in lines if line.category == name] for name in CATEGORIES}
    return {category: some for category, some in found.items() if some}


def result(game: SavedGame) -> Sequence[Standing]:
    """Return a finished game's standings, none for one that is not finished or cannot be scored.

    Kept for each state of a game, as the list of games shows them all.
    """
    if flow.next_step(game.document).name != "score":
        return ()
    key = (game.id, game.changed_at)
    if key not in _results:
        if len(_results) >= RESULTS_KEPT:
            _results.clear()
        try:
            _results[key] = standings(of(game.document))
        except GameFileError:
            _results[key] = ()
    return _results[key]


RESULTS_KEPT = 1000
_results: dict[tuple[str, datetime], Sequence[Standing]] = {}
