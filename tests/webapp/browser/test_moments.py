"""`tests.benchmarks.moments` keeps a moment of a guided game as pictures."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.benchmarks import moments
from tests.webapp.browser.computer import Computer
from webapp.app import guided_game


def test_a_moment_is_kept(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guided_game, "LUCK", guided_game.LUCK)  # given a seed by the game
    monkeypatch.setattr(moments, "MOST_TAPS", 1)
    computer = Computer(tmp_path / "data")
    game = moments.FirstGame(computer, "via_nebula", 1)
    phone = moments.Phone(browser, f"{computer.address}{game.table.game}/guide")
    phone.sit()
    phone.keep_moment(tmp_path, "01")
    browser.contexts[-1].close()
    computer.end()
    (tap,) = (tmp_path / "01-taps").iterdir()
    assert all((tmp_path / f"01-{name}.png").stat().st_size for name in ("screen", "full"))
    assert tap.stat().st_size
    assert "players: Ana, Luis" in "\n".join(moments.facts(game, 1, [], 0))
