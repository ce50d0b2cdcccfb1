"""Random games go as when they were recorded: what is legal, what chance may bring, the score.

After a rule was changed on purpose, `python -m tests.scorer.test_recorded_games` records anew.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from scorer import registry

RECORDED = Path(__file__).parent / "data" / "recorded_games.json"
SET_UPS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    f"{game} {' '.join(map(str, set_up.values()))}": (game, set_up)
    for game, set_up in (
        *(
            ("nebula", {"players": players, "mode": mode, "rules": rules})
            for players, mode, rules in ((2, "full", "es"), (4, "full", "cs"), (3, "intro", "es"))
        ),
        *(("polaris", {"players": players}) for players in (2, 3, 4)),
        *(
            ("ptolemaeus", {"players": n % 4 + 1, "date": f"{1801 + 19 * n}-07-20"})
            for n in range(12)
        ),
        *(
            ("via_nebula", {"players": players, "side": side})
            for side in ("standard", "beginners")
            for players in (2, 3, 4)
        ),
    )
}


def played(name: str) -> Iterator[tuple[list[str], str]]:
    """Of each step, the possible actions, of which each kind is as likely, and a digest."""
    game, set_up = SET_UPS[name]
    turns, luck = registry.find_game(game).turns, Random(name)
    state = turns.start(set_up)
    for step in count():
        odds = {turns.write_action(one): round(share, 9) for one, share in turns.outcomes(state)}
        lines = sorted(odds or map(turns.write_action, turns.actions(state)))
        players = () if lines and step % 25 else turns.score(state).players
        points = [[(one.category, one.points) for one in player.lines] for player in players]
        yield lines, f"{crc32(repr((lines, sorted(odds.items()), points)).encode()) % 16**4:04x}"
        if not lines:
            return
        kind = luck.choice(sorted({line.split()[0] for line in lines}))
        line = luck.choice([line for line in lines if line.split()[0] == kind])
        state = turns.after(state, turns.read_action(line))


@pytest.mark.parametrize("name", SET_UPS)
def test_a_game_goes_as_it_went(name: str) -> None:
    digests = json.loads(RECORDED.read_text())[name].split()
    for number, (lines, digest) in enumerate(played(name)):
        assert digests[number : number + 1] == [digest], f"step {number}: {lines}"
    assert len(digests) == number + 1


if __name__ == "__main__":
    games = {name: " ".join(digest for _lines, digest in played(name)) for name in SET_UPS}
    RECORDED.write_text(json.dumps(games, indent=0) + "\n")
