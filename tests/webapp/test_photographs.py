"""Photographs of the boards: whose each is, from whichever phone and however quickly they come."""

import threading
from concurrent.futures import ThreadPoolExecutor

from flask import Flask

from tests.webapp.conftest import Player

NAMES = ("Ana", "Luis", "Eva", "Pia")


def test_photographs_that_come_at_the_same_time_are_dealt_to_a_player_each(
    player: Player, app: Flask
) -> None:
    game = player.new_game(*NAMES)
    phones = [Player(app.test_client()) for _ in NAMES]
    together = threading.Barrier(len(phones))

    def send(phone: Player) -> int:
        phone.get("/")
        together.wait(30)
        return phone.send_photograph(game).status_code

    with ThreadPoolExecutor(len(phones)) as hands:
        assert list(hands.map(send, phones)) == [303] * len(phones)
    assert 'data-ready="yes"' in player.wait_for_reading(game)
    of_game = app.extensions["stargazer"].photographs.of(game.rsplit("/", 1)[1])
    assert sorted(photograph.player for photograph in of_game) == [0, 1, 2, 3]
