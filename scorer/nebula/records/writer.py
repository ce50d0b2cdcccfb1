"""Write a game record while a game is played."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorer.nebula.playing import TURNS
from scorer.nebula.turns import actions as act
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.collecting import stars_at
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.values_board import TRACKS


class RecordWriter:
    """Collects the events of a game in the form of a record.

    `names` are the players' in turn order. Further data of the players and of the record
    (`strategy`, `seed` ...) is copied.
    """

    def __init__(
        self,
        names: Sequence[str],
        of_players: Sequence[Mapping[str, Any]] = (),
        of_record: Mapping[str, Any] | None = None,
    ) -> None:
        """Start a record, before anything is drawn."""
        self._names = names
        self._of_players = of_players or [{} for _ in names]
        self._of_record = of_record or {}
        self._opening: dict[str, Any] = {}
        self._turns: list[dict[str, Any]] = []
        self._turn: dict[str, Any] = {}

    def add(self, before: State, action: Action, after: State) -> None:
        """Record an action of a player or of chance, and its results."""
        if before.turn == 0:
            if after.turn:
                self._opening = self._opening_of(after)
                self._turn = _new_turn(after)
            return
        _write(self._turn, before, action, after)
        if after.turn != before.turn or after.phase is Phase.OVER:
            self._turn["after"] = {
                "bag": after.bag.to_data(),
                "box": after.box.to_data(),
                "hours": list(after.hours),
                "boosted": after.boosted,
            }
            self._turns.append(self._turn)
            self._turn = _new_turn(after)

    def record(self, state: State) -> dict[str, Any]:
        """Return the record of a game that is over; `state` is its last."""
        assert state.phase is Phase.OVER, "a game in progress has no final score"
        score = TURNS.score(state, self._names)
        return {
            **self._opening,
            "turns": self._turns,
            "end": end_data(state),
            "final": score.to_data(),
        }

    def _opening_of(self, state: State) -> dict[str, Any]:
        rules = state.rules
        players = [
            {"name": name, "dealt": list(hand.dealt), "personal": hand.personal, **more}
            for name, hand, more in zip(self._names, state.hands, self._of_players, strict=True)
        ]
        return {
            "format": 1,
            "game": "nebula",
            "mode": rules.mode,
            "edition": rules.edition.id,
            "rules": rules.book,
            **self._of_record,
            "players": players,
            "career": list(state.career),
            "advanced": list(state.advanced),
            "bag": rules.all_stars.to_data(),
            "setup": {
                "clusters": [list(own) for own in state.clusters],
                "hours": list(state.hours),
                "boosted": state.boosted,
                "reserves": [seat.reserve.listed() for seat in state.seats],
            },
        }


def end_data(state: State) -> dict[str, Any]:
    """The `end` of a record: when it was noticed, why, and the order of the value tokens."""
    data: dict[str, Any] = {
        "noticed": state.noticed,
        "reasons": list(state.reasons),
        "rounds": state.round,
    }
    if state.rules.has_values:
        data["values"] = {track: list(state.values.leaders(track)) for track in TRACKS}
    return data


def _new_turn(state: State) -> dict[str, Any]:
    return {"player": state.player, "collect": {}, "placed": [], "claims": [], "refill": []}


def _write(turn: dict[str, Any], before: State, action: Action, after: State) -> None:
    collect, placed = turn["collect"], turn["placed"]
    match action:
        case act.InvestTime(moves):
            took = stars_at(before, after.hours)
            turn["collect"] = {"by": "time", "moves": list(moves), "took": list(took)}
        case act.TurnToChaos(returned):
            turn["collect"] = {"by": "chaos", "returned": returned, "drew": [], "kept": []}
        case act.Keep(stars):
            collect["kept"] = list(stars)
        case act.Place(star, space):
            old = before.seat.galaxy.stars.get(space)
            placed.append({"star": star, "space": space} | ({"replaced": old} if old else {}))
        case act.PlaceOnTrack(star):
            placed.append(dict(_black(star, before.player, after)))
        case act.ReplaceBoosted():
            source = action.source
            new = before.boosted if source == "none" else action.star or None
            placed[-1]["boosted"] = {"from": source, "drew": [], "back": [], "new": new}
        case act.AdvanceToken(token):
            square = after.values.at[token]
            pile = before.values.pile(token, square)
            placed[-1]["value"] = {"token": token, "square": square, "on": list(pile)}
        case act.Claim(card):
            marker = after.claims_of(before.player)[card]
            turn["claims"].append({"card": card, "place": marker})
        case act.Draw(star) if before.phase is Phase.CHAOS:
            collect["drew"].append(star)
        case act.Draw(star) if before.phase is Phase.BOOST_DRAW:
            boosted = placed[-1]["boosted"]
            boosted["drew"].append(star)
            if star == before.boosted:
                boosted["back"].append(star)
            else:
                boosted["new"] = star
        case act.Draw(star):
            cluster, place = before.due[0]
            turn["refill"].append({"cluster": cluster, "space": place, "star": star})


def _black(star: str, player: int, after: State) -> Iterator[tuple[str, Any]]:
    """The keys of a placed black star in order; what is decided later is None until then."""
    yield "star", star
    yield "slot", after.seats[player].galaxy.black
    yield "indicator", after.indicator
    if after.phase is Phase.BOOST:
        yield "boosted", None
    if after.rules.has_values:
        yield "value", None
