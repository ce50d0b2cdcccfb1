"""A guided first game of Polaris: from the sky that is put together to the winner, by taps."""

import random
import re
from dataclasses import replace

import pytest
from flask import Flask

from scorer.polaris.score import score_game
from scorer.polaris.steps import STEPS, ChooseCard, EndCard, Lay, StepState, choices
from tests.conftest import in_ci
from tests.webapp.conftest import totals
from tests.webapp.guided import points_now
from tests.webapp.polaris_guided import GuidedSky
from tests.webapp.polaris_skies import NAMES
from webapp.games.polaris.guide.sentences import describe, most_missed
from webapp.games.polaris.guide.table import (
    cards_shown,
)
from webapp.web.words import as_title

pytestmark = pytest.mark.usefixtures("same_deal")


@pytest.fixture
def guided(app: Flask) -> GuidedSky:
    """A game of two whose sky is laid out."""
    table = GuidedSky(app)
    table.tap("sky")
    return table


def play(guided: GuidedSky, stars: int, links: int) -> ChooseCard:
    """Choose a card of so many stars and links for its own sector."""
    table = guided.state.table
    for one in choices(table):
        shown = table.card(one.card).choices[one.choice]
        if (shown.stars, len(shown.links)) == (stars, links):
            guided.tap(STEPS.write_action(one), "card")
            return one
    raise AssertionError("no such card in the hand: deal another")


def shooting_stars(page: str) -> list[int]:
    """Each player's in the header."""
    shown = re.search(r"Shooting stars</a>:(.*?)</li>", page, re.DOTALL)
    return [int(count) for count in re.findall(r"<b>(\d+)</b>", shown[1])]


def lit(page: str) -> list[str]:
    return re.findall(r'data-action="([^"]*)"', page)


def test_the_first_page_leads_to_the_first_turn(app: Flask) -> None:
    guided = GuidedSky(app, 3)
    assert guided.asked() == "Lay out the sky"
    neutral, grey = "a star of a colour that nobody plays", "Grey stars (N) belong to nobody"
    assert neutral not in guided.page() and neutral in GuidedSky(app, 2).page()
    text = guided.tap("sky")
    assert guided.asked() == "Ana, what do you do?" and "Dawn spaces taken: 0 of 7" in text
    assert grey not in text and grey in GuidedSky(app, 2).tap("sky")
    assert shooting_stars(text) == [1, 2, 3], "whoever plays later begins with more"
    assert len(guided.state.table.objectives) == 5
    assert all(len(seat.hand) == 3 and seat.personal for seat in guided.state.table.seats)
    assert not any(card in text for card in guided.state.table.player.hand), "they are secret"


def test_what_wins_is_open_in_everybody_s_first_turn(guided: GuidedSky) -> None:
    for _seat in guided.state.table.seats:
        assert 'id="wins" open>' in guided.page()
        guided.tap("shooting")
    assert 'id="wins" open' not in guided.page()


def test_a_turn_by_taps_alone(guided: GuidedSky) -> None:
    assert "Only Ana looks" in guided.page("card")
    one = play(guided, stars=1, links=1)
    assert guided.asked() == "Where does your star go?"
    page = guided.page()
    assert re.search(r"Horizontal: beside the star|Vertical: at the star", page)
    board = guided.state.table.sky.board
    legal = [step for step in STEPS.actions(guided.state) if isinstance(step, Lay)]
    stars = [STEPS.write_action(step) for step in legal if step.piece == "red"]
    assert sorted(lit(page)) == sorted(stars)
    assert f"is no star space of sector {one.sector}" in page
    space = next(s for s in board.sectors[one.sector] if f"lay red {s}" in lit(page))
    guided.tap(f"lay red {space}")
    assert re.match("Where does the (horizontal|vertical) link go", guided.asked())
    links = lit(guided.page())
    assert links and all(space in link for link in links), "it touches the star of its card"
    assert "does not touch the star placed with the same card" in guided.page()
    guided.tap(links[0])
    assert guided.asked() == "Luis, what do you do?", "no other card can be played in that sector"


def test_who_can_play_another_card_is_asked(guided: GuidedSky) -> None:
    for _turn in range(2):
        guided.do("shooting")  # 2 of them make a card one of another moon
    play(guided, stars=1, links=1)
    while guided.state.card is not None:
        guided.tap(lit(guided.page())[0])
    assert guided.asked() == "Another card, or is that all?"
    assert len(guided.state.table.player.hand) == 2
    assert guided.tap("end").count("Luis, what do you do?")


def test_what_a_piece_costs_has_been_paid_at_once(app: Flask) -> None:
    """The header and the panel count shooting stars, and the hand, as they are on the table now."""
    guided, luck, paid = GuidedSky(app), random.Random(4), False
    while not paid:
        state = guided.play_on(luck, lambda state: bool(state.card and state.laid))
        table, count = state.table, state.counted.player.shooting
        paid = count != table.player.shooting
        page = guided.page()
        assert shooting_stars(page)[table.turn] == count
        panel = page[page.index(f'id="panel-{table.turn}"') :].partition("</article>")[0]
        shown = re.findall(r'<b class="has-count[^"]*">(\d+)</b>', panel)
        held = str(len(table.player.hand) - 1)
        assert shown[:2] == [str(count), held]
        hands = page.split("Cards in hand</a> (at most 5):")[1].partition("</li>")[0]
        assert re.findall(r"<b>(\d+)</b>", hands)[table.turn] == held
        guided.play_on(luck, lambda state: state.card is None)


def test_the_score_markers_are_the_standing_until_the_end(guided: GuidedSky) -> None:
    guided.play_on(random.Random(2), lambda state: bool(state.table.phases) and not state.scored)
    page = guided.player.get(f"{guided.game}/guide").text
    markers = [str(seat.marker) for seat in guided.state.table.seats]
    assert points_now(page).startswith("Score markers:")
    assert re.findall(r"\d+", points_now(page)) == markers
    assert "points in view:" not in page, "they would be a second standing"


def test_a_card_of_several_choices_is_one_button_that_says_them(guided: GuidedSky) -> None:
    luck = random.Random(3)

    def has_one(state: StepState) -> bool:
        table = state.table
        is_free = state.card is None and not (state.scored or table.played or table.pending)
        return is_free and any(len(table.card(one).choices) > 1 for one in table.player.hand)

    state = guided.play_on(luck, has_one)
    card = next(one for one in state.table.player.hand if len(state.table.card(one).choices) > 1)
    page = guided.page("card")
    buttons = re.findall(r"data-draft .*?<span>(.*?)</span>", page)
    assert f"/actions/{card}.svg" in page
    assert any(", or " in words for words in buttons), buttons
    assert not any("Play cards" in words for words in buttons)


def test_a_wrong_tap_is_refused_in_words(guided: GuidedSky) -> None:
    assert "first a card is played" in guided.send("lay red 1b1").lower()
    one = play(guided, stars=1, links=1)
    other = one.sector % 5 + 1
    text = guided.send(f"lay red {other}b1")
    assert 'id="refused"' in text and f"is no star space of sector {one.sector}" in text
    assert "closed in a game of two" in guided.send(f"lay red {one.sector}c1")
    assert "places red stars" in guided.send(f"lay yellow {one.sector}b1")
    assert guided.state.laid == ()
    for broken in ("", "lay", "card x", "play new-B1 1 0", "phase x"):
        form = {"move": broken, "seen": guided.history.number}
        assert guided.player.post(f"{guided.game}/guide/do", form).status_code == 422


def test_what_cannot_be_done_says_why(guided: GuidedSky) -> None:
    guided.do("shooting")
    while len(guided.state.table.player.hand) < 5:
        guided.do(f"take {guided.state.table.markets['basic'][0]}")
        guided.do("shooting")
    assert "hand holds at most 5 cards" in guided.page()


def test_a_phone_that_nobody_sits_at_is_led_to_the_cards(guided: GuidedSky) -> None:
    for seat in range(2):
        guided.sit(guided.player, seat, "leave")
    page = guided.page()
    assert re.search(r'href="[^"]*draft=card&at=[^"]*"[^>]*><span>Play cards', page), "not refused"
    assert "has no sector" not in page


def test_who_is_known_holds_the_button_that_leads_to_their_cards(guided: GuidedSky) -> None:
    held = r'data-held href="[^"]*draft=card&look=0&at=[^"]*">.*?Play cards.*?Ana: hold the button'
    page = guided.page()
    assert re.search(held, page, re.DOTALL) and "show my cards" not in page
    guided.sit(guided.player, 0, "leave")
    assert "data-held" not in guided.page(), "the seat is claimed first"


def test_each_piece_is_taken_back_by_itself(guided: GuidedSky) -> None:
    one = play(guided, stars=1, links=1)
    chosen = guided.state
    guided.tap(next(step for step in lit(guided.page())))
    laid = guided.state
    guided.tap(lit(guided.page())[0])
    assert guided.state.card is None
    guided.back()
    assert guided.state == laid, "the link alone went, and the card's end with it"
    guided.back()
    assert guided.state == chosen
    live = guided.app.extensions["stargazer live"]
    game = guided.app.extensions["stargazer"].games.open(guided.id)
    (sky,) = live.table(game).positions
    assert "red" not in sky.stars.values() and sky.new_moon == 1
    guided.back()
    assert guided.asked() == "Ana, what do you do?" and one.card in guided.state.table.player.hand


def test_a_phase_is_explained_and_waits_for_the_frame(app: Flask) -> None:
    guided = GuidedSky(app, 3)
    guided.play_on(random.Random(2), lambda state: state.table.telescope is not None)
    page = guided.page()
    assert "has the telescope. Everybody else has one more turn" in page
    last, promised = guided.state, []
    for table in (
        last.table,
        last.table.with_seat(last.table.turn, replace(last.table.player, hand=())),
    ):
        (card,) = [one for one in cards_shown(replace(last, table=table)) if one.is_next]
        promised.append([seat for seat, gain in enumerate(card.next_gains) if gain])
    left = [last.table.turn, *last.table.extra]
    assert promised == [sorted(left), sorted(last.table.extra)] and len(left) == 2
    guided.play_on(random.Random(2), lambda state: state.scored)
    page, table = guided.page(), guided.state.table
    assert "Phase 1 of 5 is scored" in page
    filled = NAMES[[seat.name for seat in table.seats].index(table.phases[0].telescope or "")]
    assert f"{filled} filled the dawn" in page
    assert all(f"5 → {seat.marker}" in page for seat in table.seats)
    assert guided.state.sky.new_moon == 1
    assert "turned clockwise by one sector" in guided.send("phase 4")
    guided.tap("phase 2")
    assert guided.state.sky.new_moon == 2
    assert "The New Moon faces sector 2 now." in guided.page()
    assert "Phase 2 of 5" in guided.page()


@in_ci
@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_a_whole_random_game_ends_in_the_score_of_the_rules(
    app: Flask, players: int, seed: int
) -> None:
    guided = GuidedSky(app, players)
    state = guided.play_out(random.Random(seed))
    assert state.sky.rule_breaks([seat.colour for seat in state.table.seats]) == ()
    assert guided.asked() == "The game is over"
    last = guided.player.get(f"{guided.game}/guide").text
    patterns = [
        line
        for player in score_game(state.table.to_game()).players
        for line in player.lines
        if line.category == "personal" and line.points > 0
    ]
    pointed = re.findall(r'class="space[^"]* pointed"[^>]*? id="space-([^"]*)"', last)
    assert {*pointed} == {one for line in patterns for one in (*line.spaces, *line.links)}
    score = score_game(state.table.to_game())
    alone = [one for own in score.players for one in own.lines if one.category == "lonely"]
    assert last.count(">−2</text>") == sum(len(one.spaces) for one in alone)
    for seat, missed in enumerate(most_missed(state.table, score)):
        (lonely,) = [one for one in score.players[seat].lines if one.category == "lonely"]
        assert missed.values["points"] >= -lonely.points and as_title(str(missed)) in last
    (won,) = re.findall(r'<p class="won">.*?</svg>(.*?)</p>', last, re.DOTALL)
    answer = guided.player.post(f"{guided.game}/guide/finish")
    assert answer.headers["Location"] == f"{guided.game}/score"
    page = guided.player.get(f"{guided.game}/score").text
    assert won.partition(",")[0].strip() in page, "the same winner"
    shown = totals(page)
    first, second, *_others = sorted(shown, reverse=True)
    assert (f"{first - second} point" in won) is (first > second)
    assert sorted(shown) == sorted(player.total for player in score.players)
    assert not any(player.provisional for player in score.players)
    document = app.extensions["stargazer"].games.open(guided.id).document
    skies = [phase.snapshot.sky for phase in state.table.phases]
    assert [dict(one["stars"]) for one in document["boards"]] == [
        {space: star for space, star in sky.stars.items() if star != "neutral"}
        for sky in skies
        if sky is not None
    ]


def test_where_only_the_end_counts_the_marker_is_taken_over(app: Flask) -> None:
    guided = GuidedSky(app, 2, mode="end")
    state = guided.play_out(random.Random(6))
    guided.player.post(f"{guided.game}/guide/finish")
    page = guided.player.get(f"{guided.game}/score").text
    shown = totals(page)
    score = score_game(state.table.to_game())
    assert sorted(shown) == sorted(player.total for player in score.players)


def test_a_hint_names_the_move_and_marks_where(guided: GuidedSky) -> None:
    def pointed(page: str) -> int:
        return len(re.findall(r'class="space[^"]*pointed', page))

    assert ">Hint: Ana’s cards</a>" in guided.page() and 'id="hints"' not in guided.page()
    play(guided, stars=1, links=1)
    page = guided.page(hint=1)
    (hint,) = re.findall(r'<ol class="hints".*?<li>(.*?)</li></ol>', page, re.DOTALL)
    assert re.match(r"Place the star on .*sector.*, orbit \d, where the board is marked\. ", hint)
    assert pointed(page) == 1


def test_the_computer_s_whole_turn_is_one_screen_one_tap_and_one_step_back(app: Flask) -> None:
    guided = GuidedSky(app, 2, computers="-,simple")
    guided.tap("sky")
    guided.tap("shooting")
    before, page = guided.state, guided.page()
    assert before.table.turn == 1, "it is the computer's"
    assert guided.asked().startswith("Luis plays a card: "), "though it chose by itself"
    assert ">Done: Ana is next<" in page and "For Ana: the same points in view." in page
    (then,) = re.findall(r'<ol aria-labelledby="then-also">(.*?)</ol>', page)
    assert then.startswith("<li>Places ") and "Luis" not in then
    (step,) = re.findall(r'name="move" value="([^"]+)"', page)
    beside = guided.player.get(f"{guided.game}/guide?of=0&at={guided.history.number}").text
    assert "Ana waits: Luis is to move" in beside
    lies = {*before.table.sky.stars}
    assert {*re.findall(r'class="space[^"]* taken[^>]* id="space-([^"]+)"', beside)} == lies
    guided.tap(step)
    assert guided.state.table.turn == 0 and not guided.state.table.played
    kept = {*before.table.player.hand} & {*guided.state.table.seats[1].hand}
    assert kept and not any(card in page for card in kept), "they are secret"
    laid = set(guided.state.table.sky.stars) - set(before.table.sky.stars)
    assert laid, "it was no turn without a star"
    for space in laid:
        assert re.search(rf'class="space[^"]* taken[^"]* pointed[^>]* id="space-{space}"', page)
    guided.back()
    assert guided.state == before and f'value="{step}"' in guided.page()


def test_each_kind_of_space_says_what_it_costs_or_brings(app: Flask) -> None:
    guided = GuidedSky(app)
    guided.tap("sky")
    state, board, kinds = guided.state, guided.state.table.sky.board, set()
    with app.test_request_context():
        for card in STEPS.actions(state):
            chosen = STEPS.after(state, card) if isinstance(card, ChooseCard) else state
            for lay in STEPS.actions(chosen):
                if isinstance(lay, Lay) and lay.place in board.star_spaces:
                    kind = board.kind_of(lay.place)
                    said = describe(chosen, lay, STEPS.after(chosen, lay), NAMES)
                    assert (f"It is {kind}: " in said) == (kind != "plain")
                    kinds.add(kind)
    assert kinds >= {"plain", "white"}


# what a camera sees


def test_what_a_camera_saw_is_the_answer(guided: GuidedSky) -> None:
    play(guided, stars=1, links=1)
    *_, space = lit(guided.page())[0].split()
    guided.see(kind="placed", space=space, star="red")
    assert guided.state.laid == (space,)
    link = lit(guided.page())[0].split()[-1]
    guided.see(kind="placed", space=link, star="link")
    assert guided.asked() == "Another card, or is that all?"


def test_what_a_camera_saw_and_is_not_legal_is_reported_with_the_rule(guided: GuidedSky) -> None:
    one = play(guided, stars=1, links=1)
    other = one.sector % 5 + 1
    guided.see(kind="placed", space=f"{other}b2", star="red")
    page = guided.page()
    assert f"The sky, a space of sector {other}, orbit 2: red." in page
    assert f"This space is no star space of sector {one.sector}." in page
    guided.see(kind="removed", space=f"{other}b2")
    assert "The sky," not in guided.page(), "it was taken back"
    guided.see(kind="placed", space=f"{one.sector}b2", star="yellow")
    assert "places red stars" in guided.page()


def test_the_frame_that_a_camera_saw_turned_ends_the_phase(app: Flask) -> None:
    guided = GuidedSky(app, 2)
    guided.tap("sky")
    guided.see(kind="placed", space="2", star="new_moon")
    assert "turned only when a phase was scored" in guided.page()
    guided.see(kind="placed", space="1", star="new_moon")
    guided.play_on(random.Random(3), lambda state: state.scored)
    guided.see(kind="placed", space="2", star="new_moon")
    assert not guided.state.scored and guided.state.sky.new_moon == 2


def test_the_neutral_stars_may_be_of_any_colour(guided: GuidedSky) -> None:
    guided.see(kind="placed", space="1c1", star="purple")
    assert "The sky," not in guided.page()


def test_names_are_changed_and_the_game_goes_on(guided: GuidedSky) -> None:
    play(guided, stars=1, links=1)
    before = guided.state
    form = {"count": "2", "mode": "phases", "name-0": "Rut", "name-1": NAMES[1]}
    form |= {"marker-0": "red", "marker-1": "yellow"}
    assert guided.player.post(f"{guided.game}/players", form).status_code == 303
    assert guided.state == before and "Rut" in guided.page()


def test_a_computers_card_without_a_piece_is_told(app: Flask) -> None:
    """Its whole turn would pass unseen."""
    guided = GuidedSky(app)
    guided.tap("sky")
    one = next(iter(choices(guided.state.table)))
    chosen = STEPS.after(guided.state, one)
    with app.test_request_context():
        said = describe(chosen, EndCard(), STEPS.after(chosen, EndCard()), ["Ana", "Luis"])
    assert said.startswith("Ana plays a card and places nothing; it is played all the same.")


def test_who_holds_their_cards_reads_what_the_pattern_lacks(guided: GuidedSky) -> None:
    held = " ".join(guided.player.get(f"{guided.game}/guide/secret?seat=0").text.split())
    lacks = r"the pattern 0 times; once more with, for example, a star on a space of sector \d"
    assert re.search(rf"{lacks}.* links", held)
