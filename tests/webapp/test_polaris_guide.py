"""A guided first game of Polaris: from the sky that is put together to the winner, by taps."""

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from math import dist

import pytest
from flask import Flask

from scorer.polaris.constellations import PlayerStars
from scorer.polaris.edition import load_edition
from scorer.polaris.game import PHASES
from scorer.polaris.phases import score_phase
from scorer.polaris.placing import gain
from scorer.polaris.score import score_game
from scorer.polaris.sky import Sky
from scorer.polaris.steps import LINK, STEPS, ChooseCard, EndCard, Lay, Step, StepState, choices
from scorer.polaris.table_state import EndTurn, TakeCard, TakeShootingStars
from scorer.sentence import signed
from scorer.turns import Advice
from tests.conftest import in_ci
from tests.webapp.conftest import MakeApp, Player, totals
from tests.webapp.guided import points_now
from tests.webapp.polaris_guided import GuidedSky
from tests.webapp.polaris_skies import NAMES
from webapp.app import guided_game
from webapp.app.game_pages import pages_of
from webapp.games.polaris.guide.questions import look
from webapp.games.polaris.guide.sentences import describe, most_missed
from webapp.games.polaris.guide.table import (
    cards_shown,
    fillers_shown,
    stars_shown,
    suns_played,
    tags_shown,
)
from webapp.games.polaris.phase_lines import cards_now
from webapp.web.guide_view_model import hints
from webapp.web.words import as_title


@pytest.fixture(autouse=True)
def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards are dealt in every run."""
    monkeypatch.setattr(guided_game, "LUCK", random.Random(4))


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


def acting(state: StepState) -> PlayerStars:
    """What the stars of whose turn it is form."""
    return stars_shown(state)[state.table.turn]


def lit(page: str) -> list[str]:
    return re.findall(r'data-action="([^"]*)"', page)


def test_the_next_tier_of_a_card_includes_the_points_for_the_most(app: Flask) -> None:
    guided = GuidedSky(app)

    def leads(state: StepState) -> bool:
        mine = [one.scores[state.table.turn] for one in cards_shown(state) if one.is_next]
        return state.card is None and any(
            one.bonus and one.result.to_next is not None for one in mine
        )

    table = guided.play_on(random.Random(1), leads).table
    (mine,) = [one.scores[table.turn] for one in cards_shown(guided.state) if one.is_next]
    shown = re.search(r"Scored next: .*?more [a-z ]+ for ([+−]\d+)\)", guided.page(), re.DOTALL)
    filled = "who fills them gets +2, all others one more turn, then comes the scoring"
    assert shown and filled in guided.page()
    assert int(shown[1].replace("−", "-")) == table.edition.tiers[mine.result.tier + 1] + mine.bonus


def test_one_more_for_the_most_comes_before_the_next_tier() -> None:
    """The first star of a card makes the greatest count; the tier needs two."""
    edition, colours = load_edition("standard"), {"Ana": "red", "Eva": "blue"}
    for sky, more in (
        ({}, (1, 1)),
        ({"1a2": "blue"}, (1, 1)),
        ({"1a1": "red"}, (1, 4)),
        ({"1a2": "blue", "1b2": "blue", "1c2": "blue"}, (2, 1)),
    ):
        (card,) = cards_now(Sky(sky), ["C1"], 0, colours, edition)
        assert card.next_gains[0] == more


def test_the_question_for_a_card_says_that_another_moon_is_paid(guided: GuidedSky) -> None:
    guided.play_on(random.Random(1), lambda state: bool(state.table.player.hand))
    page = guided.page("card")
    held = guided.state.table.player.shooting
    paid = f"for 2 shooting stars a card (you have {held}; what the turn brings pays, too)"
    assert f"into another than its own {paid}, but one keeps its own" in page


def test_lonely_stars_are_marked_with_their_cost(app: Flask) -> None:
    guided = GuidedSky(app)

    def has_some(state: StepState) -> bool:
        return state.card is None and len(acting(state).lonely) > 3

    state = guided.play_on(random.Random(1), has_some)
    text, every = guided.page(), [star for own in stars_shown(state) for star in own.lonely]
    said = text[text.index("Lonely stars</a> (−2 each at the end):") :].partition("</li>")[0]
    each = [str(len(own.lonely)) for own in stars_shown(state)]
    assert re.findall(r"<b>(\d+)</b>", said) == each, "everybody's, by their marks"
    drawing = text[text.index('id="drawn"') : text.index("</svg>", text.index('id="drawn"'))]
    at = re.findall(r'<text class="gain of-\w+ less" x="([\d.]+)"\s+y="([\d.]+)"[^>]*>−2<', drawing)
    assert len(at) == len(every) > len(acting(state).lonely)
    links = re.findall(
        r'<g class="space edge[^>]*data-x="([\d.]+)" data-y="([\d.]+)" data-radius="([\d.]+)"',
        drawing,
    )
    assert links
    for label, link in product(at, links):
        x, y, radius = map(float, link)
        assert dist((x, y), map(float, label)) > radius, "it would be read as the link's"


def test_a_lonely_star_s_cost_is_not_shown_beside_what_a_link_would_change(app: Flask) -> None:
    guided = GuidedSky(app)

    def joins_two(state: StepState) -> bool:
        lonely = {*acting(state).lonely}
        lays = [step.place for step in STEPS.actions(state) if isinstance(step, Lay)]
        joining = [{*place.split("-")} <= lonely for place in lays]
        return state.wants[:1] == (LINK,) and {*joining} == {True, False}

    own = acting(guided.play_on(random.Random(1), joins_two))
    page = guided.player.get(f"{guided.game}/guide/now").text
    drawing = page[page.index('id="drawn"') : page.index("</svg>", page.index('id="drawn"'))]
    assert re.search(r'class="gain"[^>]*>→? ?\+4', drawing), "two lonely stars fewer"
    assert drawing.count(f'class="gain of-{own.colour}') <= len(own.lonely) - 2


def test_stars_bear_what_they_cost_and_give_when_the_game_is_over(app: Flask) -> None:
    guided = GuidedSky(app, 3)
    state = guided.play_out(random.Random(6))
    final = STEPS.score(state, NAMES)
    for seat, one in zip(state.table.seats, final.players, strict=True):
        shown = Counter(
            p for colour, p in tags_shown(state, final).values() if colour == seat.colour
        )
        lines = [line for line in one.lines if line.category in ("lonely", "constellation")]
        assert sum(points * n for points, n in shown.items()) == sum(line.points for line in lines)
        assert all(
            points in shown for line in lines for points in {line.points} - {0} if line.links
        )
    assert not tags_shown(state, None)
    page = guided.page()
    assert page.count('class="gain of-') == len(tags_shown(state, final))
    assert "what each lonely star costs and a constellation gives" in page


def test_who_may_fill_the_dawn_is_said_before_it_happens(app: Flask) -> None:
    """The header says it of players with cards enough, a card's button of itself."""
    luck, filled, listed, said = random.Random(7), 0, set[int](), False
    ends = Counter[bool]()
    state = GuidedSky(app, 3).play_on(luck, lambda state: state.laid_out)
    while not state.over:
        before, following = state, STEPS.by_itself(state)
        chances = [step for step, _odds in STEPS.outcomes(state)]
        step = following or luck.choice(chances or STEPS.actions(state))
        if isinstance(step, ChooseCard):
            with app.test_request_context():
                choice = look(state, step)
            said |= choice is not None and "fills the dawn" in choice.note
        ending = isinstance(step, EndTurn) and before.table.telescope is None
        with app.test_request_context():
            end = look(state, step) if ending else None
        state = STEPS.after(state, step)
        if end is not None:
            fills = state.table.telescope is not None or len(state.table.phases) > len(
                before.table.phases
            )
            assert ("fills the dawn" in end.note) is fills
            ends[fills] += 1
            free = before.table.free_dawn_spaces
            assert fills or suns_played(before) == free - state.table.free_dawn_spaces
        if state.table.telescope is not None and before.table.telescope is None:
            filled += 1
            assert state.table.telescope in listed and said
        else:
            assert not (said and isinstance(step, EndTurn))
        if state.table.turn != before.table.turn:
            listed, said = {*fillers_shown(before)}, False
    assert filled == 5 and all(ends[fills] for fills in (True, False))


def test_cards_taken_without_a_sun_fill_no_dawn(app: Flask) -> None:
    """Everybody saw them; a card that was dealt may have a sun."""
    state = GuidedSky(app).play_on(random.Random(1), lambda state: state.laid_out)
    table, cards = state.table, state.table.edition.actions.values()
    basic = [card for card in cards if card.deck == "basic"]
    bare = next(card.id for card in basic if not card.dawn)
    sunny = next(card.id for card in basic if card.dawn)
    (other,) = {0, 1} - {table.turn}
    own = replace(table.seats[other], hand=("dealt", bare, sunny), taken=(bare, sunny))
    for free, fills in ((3, False), (2, True)):
        dawn = (sunny,) * (table.edition.dawn_spaces - free)
        now = replace(state, table=replace(table.with_seat(other, own), dawn=dawn))
        assert [*fillers_shown(now)] == [other] * fills


def test_a_card_taken_is_known_until_it_is_played(app: Flask) -> None:
    luck, known = random.Random(5), Counter[bool]()
    state = GuidedSky(app).play_on(luck, lambda state: state.laid_out)
    while not state.over:
        chances = [step for step, _odds in STEPS.outcomes(state)]
        step = STEPS.by_itself(state) or luck.choice(chances or STEPS.actions(state))
        if isinstance(step, TakeCard):
            seat = state.table.turn
            state = STEPS.after(state, step)
            assert state.table.seats[seat].taken[-1] == step.card
        else:
            state = STEPS.after(state, step)
        for seat in state.table.seats:
            assert {*seat.taken} <= {*seat.hand}
            known[seat.taken == seat.hand] += 1
    assert all(known[every] for every in (True, False))


def test_each_objective_says_what_one_more_is() -> None:
    said = {str(card.more(1)) for card in load_edition("standard").common.values()}
    things = "star,star in line,size,orbit,sector,surrounded star"
    assert said == {f"1 more {thing}" for thing in things.split(",")}


def test_the_mover_reads_what_more_would_bring_next(app: Flask) -> None:
    guided = GuidedSky(app)
    state = guided.play_on(random.Random(1), lambda state: bool(cards_shown(state)))
    text = " ".join(re.sub(r"<[^>]*>", " ", guided.page()).split())
    name = "Ana" if state.table.turn == 0 else "Luis"
    assert re.search(rf"Scored next: .*?\( ?{name}: \d+ now", text)


def test_the_first_page_leads_to_the_first_turn(app: Flask) -> None:
    guided = GuidedSky(app, 3)
    assert guided.asked() == "Lay out the sky"
    neutral = "a star of a colour that nobody plays"
    assert neutral not in guided.page() and neutral in GuidedSky(app, 2).page()
    text = guided.tap("sky")
    assert "Ana, what do you do?" in text and "Dawn spaces taken: 0 of 7" in text
    assert re.search(
        r"Scored next: [^<]+</a>:.*?<b>[+−]\d+</b>.*?more [a-z ]+ for \+4\)", text, re.DOTALL
    )
    assert "two left at the end are a point" in text
    assert text.count("an advanced one (silver edge) costs a shooting star") == 1
    assert "Cards left in the hand at the end are worth nothing." in text
    grey = "Grey stars (N) belong to nobody"
    assert grey not in text and grey in GuidedSky(app, 2).tap("sky")
    assert shooting_stars(text) == [1, 2, 3] and "whoever plays later begins with more" in text
    assert len(guided.state.table.objectives) == 5
    assert all(len(seat.hand) == 3 and seat.personal for seat in guided.state.table.seats)
    assert not any(card in text for card in guided.state.table.player.hand), "they are secret"


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


def test_while_a_card_is_laid_its_sun_is_said(guided: GuidedSky) -> None:
    luck, seen = random.Random(1), set[bool]()
    while seen != {True, False}:
        state = guided.play_on(luck, lambda state: state.card is not None and bool(state.wants))
        seen.add(has_sun := state.table.card(state.card.card).dawn)
        shown = re.search(r"Card: .*?\.", guided.page())
        assert shown is not None and ("sun" in shown[0]) is has_sun
        guided.play_on(luck, lambda state: state.card is None)


def test_who_can_play_another_card_is_asked(guided: GuidedSky) -> None:
    for _turn in range(2):
        guided.do("shooting")  # 2 of them make a card one of another moon
    play(guided, stars=1, links=1)
    while guided.state.card is not None:
        guided.tap(lit(guided.page())[0])
    assert guided.asked() == "Another card, or is that all?"
    assert len(guided.state.table.player.hand) == 2
    assert guided.tap("end").count("Luis, what do you do?")


def test_a_card_of_which_much_is_said_has_a_row_of_its_own(guided: GuidedSky) -> None:
    play(guided, stars=1, links=1)
    while guided.state.card is not None:
        guided.tap(lit(guided.page())[0])
    assert guided.asked() == "Another card, or is that all?"
    (draft,) = re.findall(
        r'class="option[^"]*" id="choice-0"\s+data-\w+ href="[^"]*draft=([^&"]+)', guided.page()
    )
    cards = re.findall(
        r'class="option ([^"]*)"[^>]*>(.*?)</(?:a|button)>', guided.page(draft), re.DOTALL
    )
    assert any("pays too" in card for _kind, card in cards)
    for kind, card in cards:
        assert ("wordy" in kind) >= ("pays too" in card)


def test_shooting_stars_are_the_same_above_the_sky_and_below(guided: GuidedSky) -> None:
    def pays(state: StepState) -> bool:
        way = state.card and state.ways.get(frozenset(state.laid))
        return bool(way and gain(state.table, way))

    turn = guided.play_on(random.Random(3), pays).table.turn
    above, _, below = guided.page().partition('id="table-strip"')
    own = below[below.index(f'id="panel-{turn}"') :]
    held = re.search(r'data-ask="shooting_star">.*?<b class="has-count">(\d+)<', own, re.DOTALL)
    assert held is not None and shooting_stars(above)[turn] == int(held[1])


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
        assert shown[:2] == [str(count), str(len(table.player.hand) - 1)]
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
    assert "Last turn before the scoring" in page and "one turn for all" not in page
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
    assert f"{filled} filled the dawn; after that, the others have played once more." in page
    colours = {seat.name: seat.colour for seat in table.seats}
    scores = score_phase(table.sky, table.to_come[0], None, colours, table.edition).values()
    now = ", ".join(f"{n} {signed(one.points)}" for n, one in zip(NAMES, scores, strict=False))
    assert re.search(
        rf"Then {NAMES[table.turn]} plays; scored next: .* \(now {re.escape(now)}\)", page
    )
    assert re.search(r"Points by count: 0: −2\s+· \d+: \+1\s+· .*: \+10</b>", page), "its steps"
    for seat in table.seats:
        assert f"5 → {seat.marker}" in page
    assert guided.state.sky.new_moon == 1
    assert "turned only when" not in page
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


def test_a_restart_of_the_server_loses_nothing(make_app: MakeApp) -> None:
    guided = GuidedSky(make_app(rate_limits=False))
    guided.tap("sky")
    play(guided, stars=1, links=1)
    guided.tap(lit(guided.page())[0])
    before = guided.state
    again = make_app(rate_limits=False)
    guided.app, guided.player = again, Player(again.test_client())
    assert guided.state == before, "cards, pieces of a card that is not done, and all"
    assert guided.asked().startswith("Where does the")


def test_without_guidance_the_sky_stays(guided: GuidedSky) -> None:
    play(guided, stars=1, links=1)
    guided.tap(lit(guided.page())[0])
    answer = guided.player.post(f"{guided.game}/guide/off")
    page = guided.player.get(answer.headers["Location"], follow_redirects=True).text
    assert "red" in page
    guided.player.post(f"{guided.game}/guide/on")
    assert guided.asked().startswith("Where does the")


def test_a_hint_names_the_move_and_marks_where(guided: GuidedSky) -> None:
    def pointed(page: str) -> int:
        return len(re.findall(r'class="space[^"]*pointed', page))

    assert ">Hint</a>" in guided.page() and 'id="hints"' not in guided.page()
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


def test_taking_a_card_says_what_the_card_shows(app: Flask) -> None:
    guided = GuidedSky(app)
    guided.tap("sky")
    state, taken = guided.state, {}
    with app.test_request_context():
        for action in STEPS.actions(state):
            if isinstance(action, TakeCard):
                card = state.table.card(action.card)
                said = describe(state, action, STEPS.after(state, action), NAMES)
                taken[state.table.lunar_sector(action.card), card.choices, card.dawn] = said
    assert len({*taken.values()}) == len(taken) > 3


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


def test_the_steps_of_a_card_are_in_the_words_of_the_rules(guided: GuidedSky) -> None:
    play(guided, stars=1, links=1)
    assert "first the pieces of the card that is played" in guided.send("end").lower()
    guided.tap(STEPS.write_action(EndCard()))
    assert guided.state.table.played and guided.state.sky.where("red") == ()
    assert "a turn is one action" in guided.send(STEPS.write_action(TakeShootingStars())).lower()
    guided.tap(STEPS.write_action(EndTurn()))


def test_a_computers_card_without_a_piece_is_told(app: Flask) -> None:
    """Its whole turn would pass unseen."""
    guided = GuidedSky(app)
    guided.tap("sky")
    one = next(iter(choices(guided.state.table)))
    chosen = STEPS.after(guided.state, one)
    with app.test_request_context():
        said = describe(chosen, EndCard(), STEPS.after(chosen, EndCard()), ["Ana", "Luis"])
    assert said.startswith("Ana plays a card and places nothing; it is played all the same.")


def test_events_name_the_pieces_of_a_card_that_are_left_out(app: Flask) -> None:
    guided = GuidedSky(app)
    guided.tap("sky")
    play(guided, stars=1, links=1)
    first = next(one for one in STEPS.actions(guided.state) if isinstance(one, Lay))
    state, said = STEPS.after(guided.state, first), []
    link = next(one for one in STEPS.actions(state) if isinstance(one, Lay))
    with app.test_request_context():
        for one in (state, STEPS.after(state, link)):
            said.append(describe(one, EndCard(), STEPS.after(one, EndCard()), ["Ana", "Luis"]))
    assert re.match(r"Ana leaves out: 1 (horizontal|vertical) link\.", said[0])
    assert "leaves out" not in said[1]


def test_who_holds_their_cards_reads_what_the_pattern_lacks(guided: GuidedSky) -> None:
    held = " ".join(guided.player.get(f"{guided.game}/guide/secret?seat=0").text.split())
    lacks = r"the pattern 0 times; once more with, for example, a star on a space of sector \d"
    assert re.search(rf"{lacks}.* links", held)


def test_a_link_says_what_it_joins(app: Flask) -> None:
    guided = GuidedSky(app)
    state = guided.play_on(random.Random(3), lambda state: bool(lonely_to_link(state)))
    said = set()
    with app.test_request_context():
        for one in (step for step in STEPS.actions(state) if isinstance(step, Lay)):
            joins = describe(state, one, STEPS.after(state, one), ["Ana", "Luis"]).split(". ")[1:]
            said |= {(one in lonely_to_link(state), *(words[:16] for words in joins))}
    assert (True, "Constellation of") in said


def test_in_the_last_phase_the_points_in_view_are_those_after_its_scoring(app: Flask) -> None:
    guided = GuidedSky(app)

    def is_last(state: StepState) -> bool:
        return len(state.table.phases) == PHASES - 1 and not state.scored

    state = guided.play_on(random.Random(1), is_last)
    (card,) = cards_shown(state)
    for own, points in zip(STEPS.score(state).players, card.scores, strict=True):
        *_before, last = [line for line in own.lines if line.category == "phase"]
        assert last.subject["card"] == card.card.id and last.subject["tier"] == points.tier


def test_a_hint_says_that_no_other_players_points_change(app: Flask) -> None:
    guided = GuidedSky(app)
    state = guided.play_on(random.Random(3), lambda state: bool(lonely_to_link(state)))
    part = pages_of("polaris").guided
    document = app.extensions["stargazer"].games.open(guided.id).document
    advice: Advice[Step] = Advice(lonely_to_link(state)[0], "Because.")
    with app.test_request_context("/lessons/polaris/turn"):
        why, _advice = hints(part, state, advice, "", document)
    assert re.search(r"Points in view: \w+ \+\d.*\. Because\. Nobody else’s points change\.$", why)


def lonely_to_link(state: StepState) -> list[Lay]:
    """The links that make a lonely star of whoever lays them part of a constellation."""
    if state.card is None or state.wants[:1] != (LINK,):
        return []
    steps = [one for one in STEPS.actions(state) if isinstance(one, Lay)]

    def lonely(after: StepState) -> int:
        return len(stars_shown(after)[state.table.turn].lonely)

    return [one for one in steps if lonely(STEPS.after(state, one)) < lonely(state)]
