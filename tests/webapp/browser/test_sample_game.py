"""The sample game by its own photographs and the real reader, as a player at a phone scores it."""

import json
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from scorer.nebula.game_file import game_from_data
from scorer.nebula.score import score_game
from tests.conftest import in_ci
from tests.webapp.browser.conftest import DESKTOP, Hands, OpenContext, ServeTable

DEMO = Path(__file__).parents[3] / "webapp" / "demo"
PHOTOGRAPHS = [DEMO / "ana.jpg", DEMO / "luis.jpg"]


@pytest.fixture(scope="module")
def sample() -> dict:
    """The sample game with its stars as they truly lay, instead of its photographs."""
    game = yaml.safe_load((DEMO / "game.yaml").read_text(encoding="utf-8"))
    truth = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))
    for player in game["players"]:
        player.update(truth[Path(player.pop("photo")).stem])
    return game


@in_ci
def test_two_real_photographs_come_to_the_true_score(
    open_context: OpenContext, serve_table: ServeTable, tmp_path: Path, sample: dict
) -> None:
    table = serve_table(None, tmp_path)
    context = open_context(base_url=table.address, viewport=DESKTOP)
    hands = Hands(context.new_page(), touch=False)
    page = hands.page
    page.goto("/games/new")
    for seat, player in enumerate(sample["players"]):
        page.fill(f"#name-{seat}", player["name"])
    hands.next()
    for card in (*sample["career"], *sample["advanced"]):
        hands.tap(f'[data-card="{card}"]')
    page.wait_for_url("**/nebula/values")
    for token in (token for order in sample["values"].values() for token in order):
        hands.tap(f'[data-token="{token}"] .value-token')
    hands.next()
    page.locator(".taker:not(.camera) input").set_input_files(PHOTOGRAPHS)
    page.wait_for_url("**/players/0/review", timeout=120_000)
    first = page.url
    for seat, player in reversed(list(enumerate(sample["players"]))):
        page.goto(first.replace("players/0", f"players/{seat}") + "?alone=yes")
        correct(page, player["stars"])
        assert stars(page) == player["stars"]
        hands.show(f"sample-review-{seat}")
    page.goto(first)
    for seat, player in enumerate(sample["players"]):
        if page.url.endswith(f"/players/{seat}/review"):  # not where all are confirmed together
            with page.expect_event("load"):
                hands.tap(".thumb button[form=step]")
        page.wait_for_url(f"**/nebula/players/{seat}/personal")
        with page.expect_event("load"):
            hands.tap(f'.gallery button.card[value="{player["personal"]}"]')
    for seat, player in enumerate(sample["players"]):
        for card in sample["career"]:
            at = player["career"].get(card, "")
            page.locator(f'[name="{card}-{seat}"][value="{at}"]').check()
    hands.next()
    expected = {player.name: player.total for player in score_game(game_from_data(sample)).players}
    expect(page.locator(".standing")).to_have_count(2)
    hands.show("sample-score")
    shown = {
        page.locator(".standing .name").nth(place).inner_text().split("\n")[0].strip(): int(
            page.locator(".standing .count").nth(place).inner_text()
        )
        for place in range(2)
    }
    assert shown == expected


def stars(page: Page) -> dict[str, str]:
    """The stars that the drawn board shows."""
    found = page.locator("#drawn .space").evaluate_all(
        "spaces => spaces.map(space => [space.dataset.space, space.dataset.star])"
    )
    return {space: star for space, star in found if star}


def correct(page: Page, truth: dict[str, str]) -> None:
    """Put the few stars right that the reading got wrong, as a player would."""
    read = stars(page)
    wrong = [space for space in {*read, *truth} if read.get(space) != truth.get(space)]
    assert len(wrong) <= 2, f"of 25 spaces these were read wrongly: {wrong}"
    for space in wrong:
        page.locator(f"#space-{space}").press("Enter")
        page.locator(f'#palette [name=star][value="{truth.get(space, "")}"]').click()
        expect(page.locator(f"#space-{space}")).to_have_attribute("data-star", truth.get(space, ""))
