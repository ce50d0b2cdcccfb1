"""What a reading means: the rules that its boards break, beside what was seen."""

from typing import Any

from calibration import Profile
from scorer.flags import RuleBreak
from vision import BoardReading, Reading


def rule_breaks(board: BoardReading, profile: Profile) -> tuple[RuleBreak, ...]:
    """The rules that a board breaks as it was read."""
    game = profile.game
    return game.rule_breaks(game.position(profile.board, board.pieces))


def reading_data(reading: Reading, profile: Profile, in_words: bool = False) -> dict[str, Any]:
    """A reading as JSON data, with the broken rules among each board's flags."""
    data = reading.to_data()
    for board, written in zip(reading.boards, data["boards"], strict=True):
        written["flags"] += [
            broken.in_words() if in_words else broken.to_data()
            for broken in rule_breaks(board, profile)
        ]
    return data
