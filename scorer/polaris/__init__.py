"""Polaris: the night sky, constellations, objectives, scoring phases, game files and scores.

>>> sky = Sky({"1a1": "red", "1b1": "red", "3b3": "blue"}, ("1a1-1b1", "polaris-1b1"))
>>> ana, eva = Player("Ana", "red", 4, "PO1", marker=21), Player("Eva", "blue", 5, "PO2", marker=20)
>>> score = score_game(Game((ana, eva), Snapshot(sky)))
>>> [(player.name, player.total) for player in score.players], score.ranking
([('Ana', 25), ('Eva', 20)], (('Ana',), ('Eva',)))
"""

from scorer.editions import EditionError
from scorer.polaris.board import STANDARD_SKY, BoardError, SkyBoard, board_from_data
from scorer.polaris.card import COMMON, PERSONAL, CommonCard, PersonalCard
from scorer.polaris.constellations import Constellation, PlayerStars
from scorer.polaris.edition import Edition, edition_names, load_edition
from scorer.polaris.game import (
    Game,
    GameFileError,
    Phase,
    Player,
    Snapshot,
    game_from_data,
    load_game,
)
from scorer.polaris.observed_game import FollowedPhase, FollowedTable, FollowedTurn
from scorer.polaris.phases import PhaseScore, score_phase
from scorer.polaris.result import SkyResult
from scorer.polaris.score import NotReadError, score_game
from scorer.polaris.sky import Sky, UnknownLinkError, UnknownSpaceError, turn_breaks
from scorer.polaris.turn_inference import (
    can_join,
    end_turn,
    follow,
    join_turns,
    lay_before,
    lunar_sectors,
    standings,
)
from scorer.polaris.words import NEUTRAL, POLARIS, WORDS

__all__ = [
    "COMMON",
    "NEUTRAL",
    "PERSONAL",
    "POLARIS",
    "STANDARD_SKY",
    "WORDS",
    "BoardError",
    "CommonCard",
    "Constellation",
    "Edition",
    "EditionError",
    "FollowedPhase",
    "FollowedTable",
    "FollowedTurn",
    "Game",
    "GameFileError",
    "NotReadError",
    "PersonalCard",
    "Phase",
    "PhaseScore",
    "Player",
    "PlayerStars",
    "Sky",
    "SkyBoard",
    "SkyResult",
    "Snapshot",
    "UnknownLinkError",
    "UnknownSpaceError",
    "board_from_data",
    "can_join",
    "edition_names",
    "end_turn",
    "follow",
    "game_from_data",
    "join_turns",
    "lay_before",
    "load_edition",
    "load_game",
    "lunar_sectors",
    "score_game",
    "score_phase",
    "standings",
    "turn_breaks",
]
