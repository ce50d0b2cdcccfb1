"""Every page about a game at every moment of it, and walks from page to page in any order.

In this process, by a test client, at a server that knows the toy game as well.
"""

import random
from pathlib import Path

from tests.campaign.findings import Findings
from tests.games.conftest import toy_known
from tests.games.every_game import Moment, every_play, foreign_keys
from tests.games.playthroughs import Asked, Server

LENGTH = 60
"""Of a walk."""


def ask_everything(folder: Path, seed: int, findings: Findings) -> None:
    """Ask for each page, and send each form, at each moment of each game.

    The moments come in any order, so that those that there is time for are of every game.
    """
    with toy_known():
        server, asked = Server(folder), Asked()
        moments = _moments(server)
        foreign = foreign_keys(moments)
        random.Random(f"routes {seed}").shuffle(moments)
        for moment in moments:
            if findings.is_over:
                break
            server.ask_all(moment, foreign, asked)
        _tell(asked, findings)
        server.close()


def walk(folder: Path, seed: int, count: int, findings: Findings) -> None:
    """Go from any moment of any game on, `count` requests in all, on two phones."""
    with toy_known():
        server, asked = Server(folder, phones=2), Asked()
        moments = _moments(server)
        foreign = foreign_keys(moments)
        for number in range(-(-count // LENGTH)):
            if findings.is_over:
                break
            server.walk(f"{seed} {number}", LENGTH, moments, foreign, asked)
        _tell(asked, findings)
        server.close()


def _moments(server: Server) -> list[Moment]:
    return [moment for play in every_play() for moment in server.moments(play)]


def _tell(asked: Asked, findings: Findings) -> None:
    print(f"  {asked}", flush=True)
    for code, times in asked.codes.items():
        findings.count(str(code), times=times)
    for problem in asked.problems:
        is_error = problem.rpartition(": ")[2].startswith("5")
        findings.add("5xx" if is_error else "other", problem, problem.encode())
