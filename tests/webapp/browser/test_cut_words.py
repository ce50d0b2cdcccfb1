"""Words that a tile has no room for: names on the first page, the games to choose from."""

from tests.conftest import in_ci
from tests.webapp.browser.conftest import OpenContext, Table, hands_at
from tests.webapp.conftest import Player

CUT = """what => [...document.querySelectorAll(what)]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())"""


@in_ci
def test_names_and_games_are_not_cut(open_context: OpenContext, table: Table) -> None:
    names = "Ana María", "Luis Alberto", "Božena", "Eva"
    Player(table.app.test_client()).new_game(*names, game="nebula")
    phone = hands_at("phone", open_context).page
    phone.goto("/")
    assert phone.locator(".game .names").first.inner_text() == ", ".join(names)
    assert phone.evaluate(CUT, ".game .names") == []
    desk = hands_at("desktop", open_context).page
    desk.goto("/games/new?game=ptolemaeus")
    assert desk.locator(".which-game a").count() > 2
    assert desk.evaluate(CUT, ".which-game a, .which-game a *") == []
