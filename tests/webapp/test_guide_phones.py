"""A guided game on a phone each, or one for all: what those who wait see and may tap."""

import re

from flask import Flask

from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.state import Phase
from tests.webapp.conftest import Player
from tests.webapp.guided import Guided, drafted


def on_two_phones(app: Flask) -> tuple[Guided, Player]:
    """A game in which Ana collects stars, and the phone of Luis."""
    guided, luis = Guided(app, "Ana", "Luis", draws="program"), Player(app.test_client())
    guided.sit(guided.player, 0)
    guided.sit(luis, 1)
    while guided.state.phase is not Phase.COLLECT:
        guided.do(TURNS.write_action(play.actions(guided.state)[0]))
    return guided, luis


def test_who_waits_for_another_phone_has_nothing_to_tap(app: Flask) -> None:
    guided, luis = on_two_phones(app)
    for draft in ("", "time:1,0,0"):
        own, waiting = guided.page(draft), drafted(luis, guided.game, draft)
        assert "to-star" in own
        assert "on their own phone" in waiting and 'class="clusters"' in waiting
        asked = waiting.partition('class="ask-now"')[2].partition("</section>")[0]
        assert "data-draft" not in asked and "of=0" in waiting, "only Ana's things are a tap away"


def test_who_waits_is_one_tap_away_and_nothing_is_played_there(guided: Guided) -> None:
    assert 'id="other-boards"' not in guided.page(), "they are empty"
    for action in ("time 2 -3 0", "place white core", "place red ar1"):
        guided.do(action)
    acting, at = guided.page(), guided.history.number
    assert guided.state.player == 1 and f'href="{guided.game}/guide?of=0&amp;at={at}"' in acting
    luis, _id, others = acting.partition('id="drawn"')[2].partition('id="other-boards"')
    shown = f"{guided.game}/guide?of=0&at={at}"
    above, _id, below = guided.player.get(shown).text.partition('id="drawn"')
    assert "Ana waits: Luis is to move" in above and "Back to Luis" in above
    taken = re.compile('class="space taken[^>]*data-space="(core|ar1)"')
    assert len(taken.findall(below)) == 2 and not taken.search(luis), "the board is hers"
    assert "Ana" in others and len(re.findall("data-space=.(core|ar1)", others)) == 2
    assert "Ringed in blue" not in above + below, "what Luis did is not on it"
    assert below.index("panel-0") < below.index("panel-1")
    played = ('<button class="option', "data-action", 'id="back"', 'id="hint"')
    assert not any(one in above + below for one in played)
    guided.do("time 1 -1 3")
    assert "Ana waits" not in guided.player.get(shown).text, "whoever acts is shown again"


def test_a_phone_of_one_player_shows_their_things_while_others_act(app: Flask) -> None:
    guided, luis = on_two_phones(app)
    assert guided.state.player == 0
    for own, phone in enumerate((guided.player, luis)):
        page = phone.get(f"{guided.game}/guide").text
        assert f'data-seat="{own}"' in page
        assert f"panel-{own}" in page.partition('id="table-strip"')[2].partition("</article>")[0]
    at = guided.history.number
    page = luis.get(f"{guided.game}/guide?of=0&at={at}").text
    assert 'data-seat="0"' in page and "Back to Luis" in page and "hold-0" not in page


def test_on_a_phone_for_both_the_cards_of_who_waits_are_one_hold_away(app: Flask) -> None:
    guided, _luis = on_two_phones(app)
    alone = guided.page()
    assert alone.count("data-hold=") == 1 and 'id="hold-0"' in alone
    shared = Guided(app, "Ana", "Luis", draws="program")
    for seat in range(2):
        shared.sit(shared.player, seat)
    while shared.state.phase is not Phase.COLLECT:
        shared.do(TURNS.write_action(play.actions(shared.state)[0]))
    (own,) = re.findall(r'class="own-cards".*?</section>', shared.page(), re.DOTALL)
    assert re.findall(r'data-hold="[^"]*seat=(\d)"', own) == [str(1 - shared.state.player)]
