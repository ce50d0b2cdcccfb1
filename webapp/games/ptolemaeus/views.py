"""Ptolemaeus' drawings and texts for templates: configurations, the table, a player's cards."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from flask import Blueprint

from scorer.ptolemaeus.edition import COMET, PLANETS, STANDARD, ZODIAC
from scorer.ptolemaeus.effects import TURNS_A_ROUND
from scorer.ptolemaeus.ephemeris import sky_of
from scorer.ptolemaeus.sky import offered, places_of
from scorer.ptolemaeus.state import State
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.words import say
from scorer.sentence import Sentence
from webapp.app.boards.board_drawing import Drawing
from webapp.games.ptolemaeus.pages import SIGNS
from webapp.games.ptolemaeus.printed_cards import drawn
from webapp.web.game_blueprints import AssetsBlueprint

blueprint = Blueprint("ptolemaeus", __name__, template_folder="templates")
assets = AssetsBlueprint("ptolemaeus_assets", __name__, drawn)
COLOURS = {
    "conjunction": "#9ad1ff",
    "opposition": "#ff8a7a",
    "trine": "#7ad08a",
    "square": "#ffd166",
}
INWARDS = 0.56
"""Where lines end, as a fraction of the way from the board's middle to a constellation's."""
Point = tuple[float, float]


@blueprint.app_context_processor
def _drawn() -> dict[str, object]:
    return {
        "zodiac_lines": lines,
        "zodiac_signs": (*PLANETS, *SIGNS),
        "zodiac_standing": standing,
        "zodiac_table": table,
        "zodiac_hand": hand,
        "zodiac_cards": STANDARD.events,
        "zodiac_say": say,
        "zodiac_colour": STANDARD.colour,
        "zodiac_action": TURNS.format_action,
        "aspect_colours": COLOURS,
    }


def lines(
    drawing: Drawing, regions: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[str, Sequence[Point]]]:
    """The configurations of the bodies on a board, as (colour, points to join)."""
    bodies = {
        piece: at for at, held in regions.items() for piece in held if piece in (*PLANETS, COMET)
    }
    middle = drawing.width / 2, drawing.height / 2
    at = {
        region.id: (
            middle[0] + INWARDS * (region.x - middle[0]),
            middle[1] + INWARDS * (region.y - middle[1]),
        )
        for region in drawing.regions
    }
    for what, first in offered(bodies):
        if what in COLOURS:
            yield COLOURS[what], [at[place] for place in dict.fromkeys(places_of(what, first))]


def standing(state: State) -> Iterator[tuple[str, Sentence]]:
    """The round, the turn in it, and how far the comet has travelled, with the term of each."""
    if state.round and not state.over:
        turn = min(state.acted // len(state.seats), TURNS_A_ROUND - 1) + 1
        yield "event", say("standing_round", round=state.round)
        yield "turn", say("standing_turn", turn=turn, all=TURNS_A_ROUND)
        is_last = state.travelled == len(ZODIAC) - 1
        key = "standing_last" if is_last else "standing_comet"
        yield "comet", say(key, steps=state.travelled, all=len(ZODIAC))


def table(state: State, day: str = "") -> Iterator[Sentence]:
    """What everybody sees beside the board, and the present configurations.

    `day` is the start date; planets of uncertain place are named in the first round.
    """
    unsure = sky_of(date.fromisoformat(day))[1] if day and state.round <= 1 else ()
    if unsure:
        yield say("near_boundary", planets=tuple(one for one in PLANETS if one in unsure))
    if state.event in state.edition.events:
        yield say("table_event", planets=state.edition.events[state.event])
    every = () if state.over else offered(state.bodies)
    found = [(what, at) for what, at in every if what in COLOURS]
    if found:
        yield say("table_sky")
    for what, at in found:
        yield say(f"table_offered_{what}", places=tuple(dict.fromkeys(places_of(what, at))))


def hand(state: State, number: int) -> Iterator[Sentence]:
    """A player's own cards and secret objective."""
    seat = state.seats[number]
    if seat.secret and (planets := state.edition.secrets.get(seat.secret)):
        yield say("hand_secret", card=seat.secret, planets=planets)
    for key, cards in (("hand_cards", seat.hand), ("hand_bonus", seat.bonus)):
        if cards:
            yield say(key, cards=cards)
    yield say("hand_points", n=TURNS.score(state).players[number].total)
