"""Broken rules that prevent scoring until the boards are corrected."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration import Profile
from scorer.flags import RuleBreak
from webapp.app.game_pages import pages_of
from webapp.app.session.board_slots import KIND, owners
from webapp.app.session.flow import REVIEW, Step
from webapp.app.session.game_document import Document, pieces_of


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
