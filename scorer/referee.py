"""What positions mean: broken rules, progress on objectives, and what has changed.

Used alike by a camera's events, the pages and the terminal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.flags import RuleBreak
from scorer.game import Game
from scorer.places import Place
from scorer.table import Pieces
from scorer.topology import Topology

News = tuple[str, dict[str, Any]]
"""The kind of an event and its own keys."""


@dataclass(frozen=True)
class RuleState:
    """The rules that a board breaks, and (progress, met) of each objective.

    Objectives are keyed by card and, on a shared board, player number.
    """

    breaks: tuple[RuleBreak, ...] = ()
    progress: Mapping[tuple[str, int | None], tuple[float, bool]] = field(default_factory=dict)


class Referee:
    """Judges the boards of one game, and remembers the last state of each.

    `played` is the game file; without it only rules are checked.
    """

    def __init__(self, game: Game[Any, Any, Any], board: Topology, played: Any = None) -> None:
        self._game, self._board, self._played = game, board, played
        self._states: dict[int, RuleState] = {}

    def news(self, boards: Sequence[Pieces], number: int) -> list[News]:
        """What changed on board `number` since the last call; see `state`."""
        before = self._states.get(number, RuleState())
        after = self._states[number] = self.state(boards, number)
        return diff(before, after)

    def state(self, boards: Sequence[Pieces], number: int) -> RuleState:
        """The state of board `number`, given all `boards` of the table."""
        positions = [self._game.position(self._board, pieces) for pieces in boards]
        breaks = self._game.rule_breaks(positions[number], self._played)
        if self._played is None:
            return RuleState(breaks)
        shared = self._game.table.shared
        players = range(len(self._game.player_names(self._played))) if shared else (number,)
        progress = {}
        for player in players:
            for objective in self._game.objectives(self._played, player):
                result = self._game.check(self._played, objective, positions, player)
                whose = (objective.id, player if shared else None)
                progress[whose] = (round(result.progress, 4), result.met)
        return RuleState(breaks, progress)


def diff(before: RuleState, after: RuleState) -> list[News]:
    """What changed: rules mended, rules broken, objectives whose progress differs.

    >>> diff(RuleState(), RuleState((RuleBreak("too_many", ("a1", "a2")),)))
    [('rule_break', {'rule': 'too_many', 'spaces': ['a1', 'a2'], 'reason': ''})]
    """
    old, new = ({(b.kind, b.spaces): b for b in state.breaks} for state in (before, after))
    news: list[News] = []
    for kind, among, others in (("rule_mended", old, new), ("rule_break", new, old)):
        for key in [key for key in among if key not in others]:
            broken = among[key].in_words()
            news.append((kind, {"rule": broken.pop("kind"), **broken}))
    for whose, (progress, met) in after.progress.items():
        if (progress, met) != before.progress.get(whose, (0.0, False)):
            card, player = whose
            of_player = {} if player is None else {"player": player}
            news.append(
                ("objective", {"card": card, **of_player, "progress": progress, "met": met})
            )
    return news


@dataclass(frozen=True)
class Refusals:
    """Why the rules refuse pieces on a place.

    `place` is the rule that every piece would break there, `pieces` the rules by piece.
    """

    place: RuleBreak | None = None
    pieces: Mapping[str, RuleBreak] = field(default_factory=dict)


def refusals(
    game: Game[Any, Any, Any], board: Topology, pieces: Pieces, place: Place, played: Any = None
) -> Refusals:
    """The rules that a piece would break on a place, given the other pieces.

    Rules that are broken without it are left out. `played` is the game file, if any: some rules
    depend on who plays.
    """
    others = {at: piece for at, piece in pieces.items() if at != place}
    known = game.rule_breaks(game.position(board, others), played)
    known_kinds = {broken.kind for broken in known}
    broken_by: dict[str, list[RuleBreak]] = {}
    for piece in game.admits(place):
        position = game.position(board, {**others, place: piece})
        broken_by[piece] = [
            broken
            for broken in game.rule_breaks(position, played)
            # a break elsewhere gets a new list of spaces if this place adds to it
            if broken not in known and (place.id in broken.spaces or broken.kind not in known_kinds)
        ]
    first, *more = broken_by.values() or [[]]
    of_all = [broken for broken in first if more and all(broken in found for found in more)]
    own = {
        piece: [broken for broken in found if broken not in of_all]
        for piece, found in broken_by.items()
    }
    return Refusals(
        next(iter(of_all), None), {piece: found[0] for piece, found in own.items() if found}
    )
