"""Ptolemaeus' drawings and texts for templates: configurations, the table, a player's cards."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from flask import Blueprint
from flask_babel import format_date

from scorer.places import Point
from scorer.ptolemaeus.board import TURN, study_space
from scorer.ptolemaeus.edition import COMET, PLANETS, STANDARD, ZODIAC
from scorer.ptolemaeus.effects import (
    TURNS_A_ROUND,
    comes_home,
    coming,
    turn_of,
    turns_left,
    turns_this_round,
)
from scorer.ptolemaeus.ephemeris import sky_of
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.ptolemaeus.legal import may_study
from scorer.ptolemaeus.legal import standing as standing_of
from scorer.ptolemaeus.score import planets_to_win, points
from scorer.ptolemaeus.sky import MOST_AT_REST, offered, places_of
from scorer.ptolemaeus.state import State
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.words import say
from scorer.sentence import Sentence, Verbatim
from webapp.app.boards.board_drawing import Drawing
from webapp.app.languages import language
from webapp.games.ptolemaeus.pages import SIGNS
from webapp.games.ptolemaeus.printed_cards import drawn
from webapp.web.game_blueprints import AssetsBlueprint

blueprint = Blueprint("ptolemaeus", __name__, template_folder="templates")
assets = AssetsBlueprint("ptolemaeus_assets", __name__, drawn)
COLOURS = {
    "conjunction": "#ffffff",
    "opposition": "#6fe3e6",
    "trine": "#c9a0ff",
    "square": "#ff9f5a",
}
"""None is that of a constellation."""
INWARDS = 0.56
"""Where lines end, as a fraction of the way from the board's middle to a constellation's."""
DISC_MM, WRITTEN_MM = 5.6, 4.5
"""The radius of pieces on a constellation, and how far from them something is written, in mm."""
STUDIED_MM = 9.2
"""How far from its place, across and down towards the board's middle, a planet's letters are
written where a star covers it, in mm."""
NAME_MM, NAME_HEIGHT = 134.0, 7.0
"""The radius of the names of constellations, inside their rim, and their height, in mm."""
CORNER, ASIDE_MM = "iupiter", 11.0
"""The planet beside which a study area has room for its player's name, and the mm from it."""


@blueprint.app_context_processor
def _drawn() -> dict[str, object]:
    return {
        "zodiac_lines": lines,
        "zodiac_signs": (*PLANETS, *SIGNS, TURN),
        "zodiac_standing": standing,
        "zodiac_table": table,
        "zodiac_sky": sky,
        "zodiac_to_study": to_study,
        "zodiac_after_round": after_round,
        "zodiac_names": name_arcs,
        "zodiac_areas": study_areas,
        "zodiac_arriving": arriving,
        "zodiac_missed": most_missed,
        "zodiac_hand": hand,
        "zodiac_cards": STANDARD.events,
        "zodiac_say": say,
        "zodiac_of_player": lambda name: say("of_player", name=Verbatim(name)),
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


def name_arcs(drawing: Drawing) -> Iterator[tuple[str, str]]:
    """Each constellation with the arc, as an SVG path, on which its name is written.

    On the lower half it is read from the outside, so that no name is upside down.
    """
    middle = drawing.width / 2, drawing.height / 2
    for region in drawing.regions:
        if region.id not in ZODIAC:
            continue
        turn = math.atan2(region.x - middle[0], middle[1] - region.y)
        is_low = region.y > middle[1] + 1
        radius = NAME_MM + (NAME_HEIGHT if is_low else 0.0)
        half = math.radians(180 / len(ZODIAC))
        start, end = (turn + half, turn - half) if is_low else (turn - half, turn + half)
        (x1, y1), (x2, y2) = (
            (middle[0] + radius * math.sin(one), middle[1] - radius * math.cos(one))
            for one in (start, end)
        )
        yield (
            region.id,
            f"M{x1:.1f} {y1:.1f}A{radius} {radius} 0 0 {int(not is_low)} {x2:.1f} {y2:.1f}",
        )


def study_areas(
    drawing: Drawing, colours: Sequence[str], stars: Mapping[str, str]
) -> Iterator[tuple[Point, bool, Sequence[tuple[str, Point]]]]:
    """For each player's colour: where the name is written, and where the letters of each planet.

    The name ends there rather than begins if the area is on the right.
    """
    at = {space.id: (space.x, space.y) for space in drawing.spaces}
    for colour in colours:
        spaces = {planet: study_space(colour, planet) for planet in PLANETS}
        x, y = at[spaces[CORNER]]
        is_right, is_low = x > drawing.width / 2, y > drawing.height / 2
        across, down = (
            -STUDIED_MM if is_right else STUDIED_MM,
            -STUDIED_MM if is_low else STUDIED_MM,
        )
        places = [
            (one, (own[0] + across * (space in stars), own[1] + down * (space in stars)))
            for one, space in spaces.items()
            for own in [at[space]]
        ]
        yield (x - ASIDE_MM if is_right else x + ASIDE_MM, y), is_right, places


def arriving(
    drawing: Drawing, state: State, regions: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[Point, Sequence[str]]]:
    """For each constellation that bodies move to after the round: where it is written, and they.

    Beside what lies there, on the side of the board's middle.
    """
    to = {} if state.over or not _moves(state) else coming(state)
    for region in drawing.regions:
        if bodies := [body for body, at in to.items() if at == region.id]:
            lying, y = sum(map(bool, regions.get(region.id, {}).values())), region.y
            if lying:
                room = drawing.room_of(region, regions)
                radius, middles = room.laid_out(lying, max(DISC_MM, drawing.width / 45))
                is_low, rows = region.y > drawing.height / 2 + 1, [at[1] for at in middles]
                beside = radius + WRITTEN_MM
                y = min(rows) - beside if is_low else max(rows) + beside
            yield (region.x, round(y, 1)), bodies


def _moves(state: State) -> bool:
    """Whether it is known what moves after the round, and nothing has moved yet."""
    return bool(state.event) and not any(task.kind == "travel" for task in state.todo)


def standing(state: State, names: Sequence[str], day: str = "") -> Iterator[tuple[str, Sentence]]:
    """The round, who began it, the turn in it, how near the end is, and what then moves.

    Each with its term, "" for none. `day` is the start date, which is said in the first round.
    """
    if state.round and not state.over:
        name = Verbatim(names[state.first])
        yield "astrolabe", say("standing_round", round=state.round, name=name)
        yield "turn", say("standing_turn", turn=turn_of(state), all=TURNS_A_ROUND)
        if comes_home(state):
            yield "comet", say("standing_last")
        else:
            yield "comet", say("standing_comet", steps=state.travelled, all=len(ZODIAC))
        left = [f"{name} {turns_left(state, seat)}" for seat, name in enumerate(names)]
        yield "turn", say("standing_left", turns=tuple(map(Verbatim, left)))
        if day and state.round == 1 and not state.todo:
            yield (
                "",
                say("standing_sky", day=Verbatim(format_date(date.fromisoformat(day), "long"))),
            )
        if _moves(state):
            to = coming(state)
            moves = tuple(say("moves_to", body=body, at=at) for body, at in to.items())
            on_way = zip(names, (seat.on(to[COMET]) for seat in state.seats), strict=True)
            whose = tuple(Verbatim(f"{name} {n}") for name, n in on_way if n)
            key = "standing_sweeps" if whose else "standing_moves"
            yield "event", say(key, moves=moves, at=to[COMET], whose=whose)


def table(state: State, day: str = "") -> Iterator[Sentence]:
    """The planets whose place on the start date, `day`, is uncertain, in the first round."""
    unsure = sky_of(date.fromisoformat(day))[1] if day and state.round <= 1 else ()
    if unsure:
        yield say("near_boundary", planets=tuple(one for one in PLANETS if one in unsure))


def after_round(state: State) -> State | None:
    """The sky once the bodies have moved, without the pieces that the comet sends home.

    None if that is not known, or nobody has a turn after it.
    """
    if state.over or not _moves(state) or comes_home(state):
        return None
    to = coming(state)
    swept = ZODIAC.index(to[COMET])
    seats = (
        replace(seat, pieces=(*seat.pieces[:swept], 0, *seat.pieces[swept + 1 :]))
        for seat in state.seats
    )
    planets = tuple(to.get(planet, at) for planet, at in state.standing.items())
    return replace(
        state, planets=planets, comet=to[COMET], seats=tuple(seats), acting=False, event=""
    )


def to_study(
    state: State, first: int
) -> Iterator[tuple[int, bool, Sequence[tuple[Sequence[Sentence], Sentence]]]]:
    """What each player needs to study one of the planets that they lack, the `first` to begin with.

    Yields the player, whether it is for after this round, when they can next put pieces down, and
    constellations with what lacks there; none if nobody can study any more.
    """
    players, then = len(state.seats), after_round(state)
    if not any(_can_study(state, seat) for seat in range(players)):
        return
    for number in ((first + n) % players for n in range(players)):
        found = _needs(state, number)
        ready = {
            told: places
            for told, places in found.items()
            if told.key in ("to_study_now", "to_study_due")
        }
        puts_more = _puts_more(state, number) or turns_this_round(state, number)
        later = None if ready or puts_more else then
        if not puts_more and ready:
            found = ready
        elif later and _can_study(state, number):
            found = _needs(later, number)
        yield number, later is not None, [(places, told) for told, places in found.items()]


def _puts_more(state: State, number: int) -> bool:
    """Whether a player may put down pieces in the turn in progress, by an action or a bonus card.

    A bonus card can be bought for asteroids.
    """
    seat = state.seats[number]
    is_taking = all(task.kind == "take" for task in state.todo)
    is_free = seat.bonus or (seat.asteroids > 1 and state.bonus_deck)
    return state.mover == number and bool(state.actions or is_free or not is_taking)


def _needs(state: State, number: int) -> Mapping[Sentence, Sequence[Sentence]]:
    """What a player needs, with the constellations, those with most of their pieces first."""
    if not _can_study(state, number):
        return {say("to_study_late"): ()}
    found = dict[Sentence, list[Sentence]]()
    for at in sorted(ZODIAC, key=state.seats[number].on, reverse=True):
        if planets := tuple(state.planets_at(at, number)):
            named = say("with_planets", at=at, planets=planets)
            found.setdefault(_lacking(state, number, at), []).append(named)
    return found or {say("missed_nothing"): ()}


def _lacking(state: State, number: int, at: str) -> Sentence:
    """How many pieces a player has on a constellation, and what lacks to study there (T42, T43)."""
    seat = state.seats[number]
    n, in_sky = seat.on(at), sum(n for n in seat.pieces if n <= MOST_AT_REST)
    if n > MOST_AT_REST:
        return say("to_study_due")
    there, elsewhere = MOST_AT_REST - n, max(0, MOST_AT_REST - (in_sky - n))
    key = ("at" if elsewhere else "with") if there else "either" if elsewhere else "two"
    if key == "two" and state.acting and state.mover == number:
        key = "now"
    counts = {"n": n, "left": there + 1, "there": there, "elsewhere": elsewhere}
    return say(f"to_study_{key}", **counts, others=in_sky - n)


def _can_study(state: State, number: int) -> bool:
    """Whether there is a turn left in which a player may still study a planet."""
    if not state.round or turns_left(state, number):
        return True
    return state.mover == number and may_study(state, number)


def most_missed(state: State) -> Iterator[Sentence]:
    """For each player what a further planet would have brought, without the asteroid beside it."""
    for number in range(len(state.seats)):
        own = standing_of(state, number, "")
        now = sum(points(state.edition, own))
        gains = {
            planet: sum(points(state.edition, replace(own, studied=(*own.studied, planet)))) - now
            for planet in PLANETS
            if planet not in own.studied
        }
        most, least = max(gains.values(), default=0), min(gains.values(), default=0)
        best = tuple(planet for planet, gain in gains.items() if gain == most)
        key = "missed_secret" if most > least else "missed_planet" if gains else "missed_nothing"
        missed = say(key, planets=best, n=most, least=least)
        lacking = -own.asteroids % state.edition.asteroids_a_point
        yield say("missed_asteroid", missed=missed) if lacking == 1 else missed


def sky(state: State, is_brief: bool = False) -> Iterator[tuple[str, Sentence]]:
    """The present configurations by kind, each with the colour of its lines on the board.

    What a kind is, is said unless `is_brief`.
    """
    found = dict[str, list[str]]()
    for what, at in () if state.over else offered(state.bodies):
        names = (TURNS.words.word(one, language()) for one in dict.fromkeys(places_of(what, at)))
        found.setdefault(what, []).append("–".join(names))
    for kind, colour in COLOURS.items():
        if kind in found:
            places = Verbatim(", ".join(found[kind]))
            brief = say("table_offered", kind=kind, places=places)
            yield colour, brief if is_brief else say(f"table_offered_{kind}", places=places)


def hand(state: State, number: int) -> Iterator[Sentence]:
    """A player's own cards and secret objective."""
    seat = state.seats[number]
    if seat.secret and (planets := state.edition.secrets.get(seat.secret)):
        secret = say("hand_secret", card=seat.secret, planets=planets)
        left = tuple(one for one in planets if one not in seat.studied)
        brings = state.edition.secret[-1] - state.edition.secret[-2]
        key = "hand_lacks_one" if len(left) == 1 else "hand_lacks"
        yield say(key, secret=secret, left=left, n=brings) if left else secret
    if seat.hand:
        yield say("hand_cards", cards=seat.hand)
    texts = {term.id: term.text for term in PTOLEMAEUS.glossary}
    for card, n in Counter(one for one in seat.bonus if one in texts).items():
        named = say("cards_counted", n=n, card=card) if n > 1 else card
        yield say("hand_bonus", card=named, text=texts[card])
    total = TURNS.score(state).players[number].total
    least, more = (
        planets_to_win(state.edition, standing_of(state, number, "")),
        state.edition.wins - total,
    )
    may_win = _can_study(state, number) and (turns_left(state, number) > 0 or least <= 1)
    told = say("hand_points_more" if may_win and more > 0 else "hand_points", n=total, more=more)
    least *= may_win
    yield say("hand_planets_more", points=told, n=least) if least else told
