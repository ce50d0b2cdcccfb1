"""A game's score for pages, with what they show beside it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calibration import Profile
from scorer.flags import RuleBreak
from scorer.scoresheet import Line, PlayerScore, Score
from scorer.sentence import Sentence
from scorer.topology import Topology
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import pages_of
from webapp.app.session import game_document
from webapp.app.session.board_slots import KIND, owners
from webapp.app.session.flow import REVIEW, Step
from webapp.app.session.game_document import pieces_of
from webapp.app.session.saved_games import Document
from webapp.app.session.score_game import score_game


@dataclass(frozen=True)
class Standing:
    """A player's place in the ranking.

    `decided` says how a tie on points was broken, "" if there was none.
    """

    place: int
    seat: int
    score: PlayerScore
    decided: Sentence | str


def of(document: Document, board: Topology) -> Score:
    """Return the current score of a game played on `board`s.

    Raises DataFileError if it cannot be scored.
    """
    game = pages_of(document["game"]).game
    return score_game(game_document.game_data(document), game, board).score


def standings(score: Score) -> Sequence[Standing]:
    """Return the players by place."""
    seats = {player.name: seat for seat, player in enumerate(score.players)}
    found: list[Standing] = []
    for names in score.ranking:
        place = len(found) + 1
        for name in names:
            player = score.players[seats[name]]
            found.append(Standing(place, seats[name], player, score.tie_break(name)))
    return found


def drawn_pieces(document: Document, player: int, board: Topology) -> DrawnPieces:
    """Return the pieces on an owner's board."""
    return DrawnPieces.of(game_document.pieces_of(document, player, board))


def all_drawn_pieces(document: Document, board: Topology) -> Sequence[DrawnPieces]:
    return [drawn_pieces(document, number, board) for number in range(len(owners(document)))]


def by_category(lines: Sequence[Line], categories: Iterable[str]) -> Mapping[str, Sequence[Line]]:
    """Return a player's lines by category, in the order of `categories`."""
    found = {name: [line for line in lines if line.category == name] for name in categories}
    return {category: some for category, some in found.items() if some}


@dataclass(frozen=True)
class ScoringBlocker:
    """A broken rule that prevents scoring, and the numbers of the boards that break it."""

    broken: RuleBreak
    boards: Sequence[int]


def scoring_blockers(document: Document, profile: Profile) -> Sequence[ScoringBlocker]:
    """Return what prevents a game from being scored; () while boards are unconfirmed."""
    numbers = range(len(owners(document)))
    if any(Step(REVIEW, number).key not in document["confirmed"] for number in numbers):
        return ()
    found: dict[tuple[str, tuple[str, ...]], tuple[RuleBreak, list[int]]] = {}
    for number in numbers:
        board = profile.game.board_of(owners(document)[number].get(KIND, ""), profile.board)
        position = profile.game.position(board, pieces_of(document, number, profile.board))
        for broken in pages_of(document["game"]).rule_breaks(document, number, position):
            if broken.unscorable:
                found.setdefault((broken.kind, broken.places), (broken, []))[1].append(number)
    return [ScoringBlocker(broken, boards) for broken, boards in found.values()]
