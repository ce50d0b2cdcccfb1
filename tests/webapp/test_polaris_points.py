"""What a guided game of Polaris says beforehand: tiers, lonely stars, who fills the dawn."""

import random
import re
from collections import Counter
from dataclasses import replace
from math import dist

import pytest
from flask import Flask

from calibration import load_profile
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.game import PHASES
from scorer.polaris.steps import LINK, STEPS, ChooseCard, Lay, StepState
from scorer.polaris.table_state import EndTurn
from tests.webapp.polaris_guided import GuidedSky
from tests.webapp.polaris_skies import NAMES
from webapp.app.boards.board_drawing import draw
from webapp.games.polaris.guide.questions import look
from webapp.games.polaris.guide.table import (
    NEAR,
    cards_shown,
    fillers_shown,
    stars_shown,
    suns_played,
    tags_shown,
)

pytestmark = pytest.mark.usefixtures("same_deal")


def acting(state: StepState) -> PlayerStars:
    """What the stars of whose turn it is form."""
    return stars_shown(state)[state.table.turn]


def test_the_next_tier_of_a_card_includes_the_points_for_the_most(app: Flask) -> None:
    guided = GuidedSky(app)

    def leads(state: StepState) -> bool:
        mine = [one.scores[state.table.turn] for one in cards_shown(state) if one.is_next]
        return state.card is None and any(
            one.bonus and one.result.to_next is not None for one in mine
        )

    table = guided.play_on(random.Random(1), leads).table
    (mine,) = [one.scores[table.turn] for one in cards_shown(guided.state) if one.is_next]
    shown = re.search(
        r"Scored next: .*?more [a-z ]+ for (\d+) points? more\)", guided.page(), re.DOTALL
    )
    filled = "who fills them gets +2, all others one more turn, then comes the scoring"
    assert shown and filled in guided.page()
    tiers, tier = table.edition.tiers, mine.result.tier
    assert int(shown[1]) == tiers[tier + 1] - tiers[tier], "what is gained, not the new total"
    held = [str(len(seat.hand)) for seat in table.seats]
    hands = guided.page().split("Cards in hand</a> (at most 5):")[1].partition("</li>")[0]
    assert re.findall(r"<b>(\d+)</b>", hands) == held
    assert "The points in view leave these phases out until each is scored." in guided.page()


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
    at = re.findall(r'<text class="gain of-\w+ less"[^>]*>−2<', drawing)
    assert len(at) == len(every) > len(acting(state).lonely)


def test_a_link_s_change_replaces_the_cost_of_a_lonely_star(app: Flask) -> None:
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


def test_what_a_star_costs_is_not_drawn_over_an_orbit_s_number(app: Flask) -> None:
    guided = GuidedSky(app)
    state = guided.play_on(random.Random(1), lambda state: len(acting(state).lonely) > 3)
    drawing = draw(load_profile("polaris/standard"))
    alone = tags_shown(drawing, state, None)
    space, (_colour, _points, at) = next(iter(alone.items()))
    radius = next(place.radius for place in drawing.spaces if place.id == space)
    moved = tags_shown(drawing, state, None, [(2, *at)])
    assert dist(moved[space][2], at) > NEAR * radius
    assert all(moved[one] == tag for one, tag in alone.items() if dist(tag[2], at) > NEAR * radius)


def test_stars_bear_what_they_cost_and_give_when_the_game_is_over(app: Flask) -> None:
    guided = GuidedSky(app, 3)
    state = guided.play_out(random.Random(6))
    final, drawing = STEPS.score(state, NAMES), draw(load_profile("polaris/standard"))
    for seat, one in zip(state.table.seats, final.players, strict=True):
        shown = Counter(
            p
            for colour, p, _at in tags_shown(drawing, state, final).values()
            if colour == seat.colour
        )
        lines = [line for line in one.lines if line.category in ("lonely", "constellation")]
        assert sum(points * n for points, n in shown.items()) == sum(line.points for line in lines)
        assert all(line.points in shown for line in lines if line.links and line.points)
        assert 0 not in shown, "+0 says nothing"
    assert not tags_shown(drawing, state, None)
    page = guided.page()
    assert page.count('class="gain of-') == len(tags_shown(drawing, state, final))
    marked = page[page.index("The score markers stood here after phase 5:") :].partition("</p>")[0]
    assert [int(n) for n in re.findall(r"<b>(\d+)</b>", marked)] == [
        sum(line.points for line in one.lines if line.category in ("start", "phase"))
        for one in final.players
    ]
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


def test_in_the_last_phase_the_points_in_view_are_those_after_its_scoring(app: Flask) -> None:
    guided = GuidedSky(app)

    def is_last(state: StepState) -> bool:
        return len(state.table.phases) == PHASES - 1 and not state.scored

    state = guided.play_on(random.Random(1), is_last)
    (card,) = cards_shown(state)
    for own, points in zip(STEPS.score(state).players, card.scores, strict=True):
        *before, last = [line for line in own.lines if line.category == "phase"]
        assert last.subject["card"] == card.card.id and last.subject["tier"] == points.tier
        assert str(last.explanation).startswith("not scored yet: ")
        assert not any("not scored yet" in str(one.explanation) for one in before)
