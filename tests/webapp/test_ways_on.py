"""What a page asks, and where a no, a tap and Enter lead."""

from tests.webapp.conftest import Player


def test_each_step_says_what_it_asks_and_a_no_leads_somewhere(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    cards = player.get(f"{game}/nebula/cards").text
    assert "Aries is complete, in exactly 3 different colours." in cards
    player.lay_cards(game)
    assert "Which tokens lead" in player.get(f"{game}/nebula/values").text
    for seat in (0, 1):
        player.send_photograph(game, player=seat)
    player.wait_for_reading(game)
    review = player.get(f"{game}/players/0/review").text
    assert "Is this the board of Ana?" in review
    for no in ("It is the board of Luis", "Take again", "Enter by hand"):
        assert no in review


def test_the_list_of_games_shows_who_won_and_the_board(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    home = player.get("/").text
    assert f'src="{game}/board.png' in home
    assert "Ana &amp; Luis share the win" in home, "their boards lie the same"


def test_at_the_thumb_of_who_played_is_one_button_and_enter_taps_it(player: Player) -> None:
    page = player.get("/games/new").text
    form = page[page.index('id="step"') :]
    first = form[form.index('type="submit"') - 40 : form.index("</button>")]
    assert "name=" not in first, "Enter in a name begins no guided game"
    thumb = page[page.index('class="thumb"') : page.index("</footer>")]
    assert thumb.count("<button") == 1 and 'name="guided"' in form
