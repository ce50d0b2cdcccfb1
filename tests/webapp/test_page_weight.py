"""What a page weighs before its pictures: its text, styles, scripts and fonts together."""

import re

import pytest

from tests.webapp.conftest import Player

MOST_KB = 200
PAGES = (
    "players",
    "nebula/cards",
    "nebula/values",
    "photographs",
    "players/0/review",
    "nebula/players/0/personal",
    "nebula/markers",
    "score",
    "score/0",
)


@pytest.fixture
def addresses(player: Player) -> list[str]:
    """Every page of a scored game, and those without a game."""
    game = player.play_to_score("Ana", "Luis", "Eva", "Zoë")
    return ["/", "/games/new", "/preferences", "/invite", *(f"{game}/{page}" for page in PAGES)]


def test_every_page_is_light(player: Player, addresses: list[str]) -> None:
    weights = {address: weight_kb(player, address) for address in addresses}
    heavy = {address: kb for address, kb in weights.items() if kb >= MOST_KB}
    assert not heavy


def weight_kb(player: Player, address: str) -> float:
    """The page with everything that it loads, as it is sent, but for the pictures."""
    page = player.get(address)
    assert page.status_code == 200
    parts = set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page.text))
    waiting = list(parts)
    while waiting:  # modules import modules
        text = player.get(waiting.pop()).text
        for name in re.findall(r'from "\./([\w.]+)"', text):
            module = f"/static/script/{name}"
            if module not in parts:
                parts.add(module)
                waiting.append(module)
    styles = "".join(player.get(part).text for part in parts if part.endswith(".css"))
    fonts = {f"/static/fonts/{name}" for name in re.findall(r"fonts/([\w.-]+\.woff2)", styles)}
    return sum(len(player.get(part).data) for part in (*parts, *fonts)) / 1e3 + len(page.data) / 1e3
