"""Ptolemaeus' score and turns against the second opinion: end states, and games step by step.

PTOLEMAEUS_GAMES=2000 PTOLEMAEUS_ENDS=10000 compares as many; the defaults are quick.
"""

import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from scorer.ptolemaeus import sky
from scorer.ptolemaeus import state as product
from scorer.ptolemaeus.edition import STANDARD
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.ptolemaeus.turns import TURNS
from tests.conftest import in_full
from tests.scorer import ptolemaeus_second_opinion as second

GAMES = int(os.environ.get("PTOLEMAEUS_GAMES", "16"))
ENDS = int(os.environ.get("PTOLEMAEUS_ENDS", "300"))
PARTS = 4


BONUS = {
    "nova_luna": "luna",
    "venus_retrograda": "venus",
    "maleficus_mars": "mars",
    "maleficus_saturnus": "saturnus",
    "mercurius_retrogradus": "mercurius",
    "sol_in_medio_caeli": "sol",
    "iupiter_orientalis": "iupiter",
    "signa_ignis": "ignis",
    "signa_terrae": "terrae",
    "signa_aeris": "aeris",
    "signa_aquae": "aquae",
    "nova_constellatio": "nova",
}
EVENTS = {name: list(planets) for name, planets in STANDARD.events.items()}
FLAGS = {
    "too_many_pieces": "more_than_two",
    "too_many": "more_than_ten",
    "studied_twice": "studied_twice",
    "asteroids_without_studies": "more_asteroids_than_studies",
    "too_many_asteroids": "more_than_twelve_asteroids",
    "comet_with_planet": "comet_with_planet",
    "went_on": "went_on",
}


# End states


def said(sheet):
    """The scorer's sheet as the second opinion has it; of flags, what and whose."""
    flags = {(FLAGS[flag.kind],) for flag in sheet.flags}
    flags |= {(FLAGS[flag.kind], own.name) for own in sheet.players for flag in own.flags}
    return {
        "lines": {own.name: {at.category: at.points for at in own.lines} for own in sheet.players},
        "totals": {own.name: own.total for own in sheet.players},
        "ranking": [sorted(place) for place in sheet.ranking],
        "flags": flags,
    }


def opinion_of_end(data):
    opinion = second.score(data)
    flags = set()
    for kind, *of in opinion["flags"]:
        flags.add((kind,) if kind == "comet_with_planet" else (kind, *of[:1]))
    return opinion | {"ranking": list(map(sorted, opinion["ranking"])), "flags": flags}


@pytest.mark.parametrize("part", range(PARTS))
def test_end_states(part):
    met = set()
    for seed in range(part, ENDS, PARTS):
        data = second.random_end(random.Random(seed))
        sheet = PTOLEMAEUS.score(PTOLEMAEUS.game_from_data(data, PTOLEMAEUS.standard_board))
        assert said(sheet) == opinion_of_end(data), f"end state {seed}"
        met |= {flag[0] for flag in said(sheet)["flags"]} or {"none"}
    assert met == {"none", *FLAGS.values()}


# Whole games: the scorer's states and actions in the second opinion's words


def opinion_of(state):
    """The scorer's state, nothing being under way, as the second opinion has it."""
    count = len(state.seats)
    players = [
        {
            "name": seat.colour,
            "colour": seat.colour,
            "secret": seat.secret,
            "hand": dict(Counter(seat.hand)),
            "bonus": dict(Counter(BONUS[card] for card in seat.bonus)),
            "reserve": seat.reserve,
            "pieces": {
                at: number for at, number in zip(second.RING, seat.pieces, strict=True) if number
            },
            "studied": list(seat.studied),
            "asteroids": seat.asteroids,
        }
        for seat in state.seats
    ]
    return {
        "players": players,
        "planets": dict(zip(second.PLANETS, state.planets, strict=True)),
        "asteroids": list(state.asteroids),
        "comet": {"at": state.comet, "start": state.start, "gone": state.travelled},
        "deck": dict(Counter(state.deck)),
        "row": dict(Counter(state.open)),
        "discard": dict(Counter(state.discarded)),
        "bonus": dict(Counter(BONUS[card] for card in state.bonus_deck)),
        "event": state.event,
        "cards": EVENTS,
        "events": dict(Counter(state.events)),
        "first": state.first,
        "player": state.mover,
        "turn": state.acted // count + 1,
        "acted": state.acting,
        "left": state.actions,
        "over": "" if not state.over else "comet" if state.claimed is None else "claim",
        "claimed": "" if state.claimed is None else state.seats[state.claimed].colour,
        "todo": [],
    }


def cards(heap):
    return tuple(sorted(card for card, count in heap.items() for _ in range(count)))


def product_of(state, opinion):
    """The scorer's state with what the second opinion's players, heaps and asteroids are."""
    named = {short: long for long, short in BONUS.items()}

    def bonus(heap):
        return tuple(sorted(named[card] for card in cards(heap)))

    seats = tuple(
        replace(
            seat,
            hand=sky.sorted_cards(cards(player["hand"])),
            bonus=bonus(player["bonus"]),
            pieces=tuple(player["pieces"].get(at, 0) for at in second.RING),
            studied=tuple(player["studied"]),
            asteroids=player["asteroids"],
        )
        for seat, player in zip(state.seats, opinion["players"], strict=True)
    )
    return replace(
        state,
        seats=seats,
        deck=cards(opinion["deck"]),
        bonus_deck=bonus(opinion["bonus"]),
        asteroids=tuple(opinion["asteroids"]),
    )


def as_dealt(opinion):
    """T13 to T18, and T24 for the six that lie open."""
    comet = second.comet_from_moon(opinion["planets"])
    assert opinion["comet"] == {"at": comet, "start": comet, "gone": 0}
    assert opinion["asteroids"] == second.RING
    for player in opinion["players"]:
        assert (player["reserve"], player["pieces"], player["bonus"]) == (10, {}, {})
        assert sum(player["hand"].values()) == 2
    assert len({player["secret"] for player in opinion["players"]}) == len(opinion["players"])
    heaps = [opinion["deck"], opinion["row"], opinion["discard"]]
    heaps += [player["hand"] for player in opinion["players"]]
    assert sum(map(Counter, heaps), Counter()) == second.CONSTELLATION_CARDS
    assert sum(opinion["row"].values()) == 6
    assert not second.must_sweep(opinion)
    assert opinion["bonus"] == second.BONUS_CARDS
    assert opinion["event"] in EVENTS
    assert {opinion["event"], *opinion["events"]} == {*EVENTS, "eclipsis"}
    assert (opinion["first"], opinion["player"], opinion["turn"]) == (0, 0, 1)


def start(rng, rich):
    """A table of one to four, in both forms; nothing is under way."""
    day = f"{rng.randint(1800, 2050)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    state = TURNS.start({"players": rng.randint(1, 4), "date": day})
    state = TURNS.dealt(state, rng)
    opinion = opinion_of(state)
    as_dealt(opinion)
    if rich:
        opinion = second.enrich(opinion, rng)
        state = product_of(state, opinion)
        if rng.random() < 0.3:  # few cards left
            few = second.copy(opinion["deck"])
            for card in list(few):
                if rng.random() < 0.9:
                    second.add(opinion["discard"], card, few[card])
                    del opinion["deck"][card]
            if opinion["deck"]:
                discarded = cards(opinion["discard"])
                state = replace(state, deck=cards(opinion["deck"]), discarded=discarded)
            else:
                opinion = opinion_of(state)
    return state, opinion


def dealt_anew(opinion):
    """T25: whether an empty deck is made anew at once or when a card is wanted is all the same."""
    if opinion["deck"]:
        return opinion
    return opinion | {"deck": opinion["discard"], "discard": {}}


def translated(state, action):
    """The scorer's action in the second opinion's words; None for a body's own travel."""
    todo = state.todo[0] if state.todo else None
    seat_of = {seat.colour: str(number) for number, seat in enumerate(state.seats)}
    match action:
        case product.Draw(card):
            return ("draw", card)
        case product.Reveal(card):
            return ("turn", card)
        case product.Bonus(card):
            return ("bonus", BONUS[card])
        case product.Steal(card):
            return ("stolen", card)
        case product.Event(card):
            return ("event", card)
        case product.Take(card):
            return ("take", card)
        case product.Observe("constellation", at):
            return ("observe", at)
        case product.Observe("conjunction", at):
            return ("conjunction", at)
        case product.Observe(what, at):
            return (what, *sorted(sky.places_of(what, at), key=second.RING.index))
        case product.Pay(at, paid):
            return ("pay", at, *sorted(paid))
        case product.Lift(at):
            return ("lift" if todo.seat == state.mover else "back", at)
        case product.Study(planet, ()):
            return ("third", planet)
        case product.Study(planet, others):
            at = state.planets[second.PLANETS.index(planet)]
            return ("study", at, planet, *sorted(others))
        case product.Play(card):
            return ("play", BONUS[card])
        case product.Swap(at, of):
            return ("replace", seat_of[of], at)
        case product.Move(source, at):
            return ("move", source, at)
        case product.Place(at):
            return ("sign", at)
        case product.Rob(of):
            return ("victim", seat_of[of])
        case product.Discard(card):
            return ("discard", card)
        case product.Trade():
            return ("asteroids",)
        case product.Claim():
            return ("claim",)
        case product.End():
            return ("end",)
    raise AssertionError(action)


def compare(seed, done):
    """One game in both; every list of actions, every chance and every state is the same."""
    rng = random.Random(f"whole game {seed}")
    state, opinion = start(rng, rich=seed % 2)
    while True:
        where = f"game {seed}, action {sum(done.values())}"
        outcomes = TURNS.outcomes(state)
        while outcomes and isinstance(outcomes[0][0], product.Travel):  # one body after the other
            state = TURNS.after(state, rng.choice(outcomes)[0])
            outcomes = TURNS.outcomes(state)
        ours, theirs = dealt_anew(opinion_of(state)), dealt_anew(opinion)
        for key in ours.keys() - {"todo"}:
            assert ours[key] == theirs[key], f"{where}: {key}"
        if state.over:
            sheet, other = said(TURNS.score(state)), opinion_of_end(second.game_file(opinion))
            for key in ("lines", "totals", "ranking"):
                assert sheet[key] == other[key], f"{where}: {key}"
            return
        listed = [action for action, _ in outcomes] or TURNS.actions(state)
        actions = {translated(state, action): action for action in listed}
        assert len(actions) == len(listed), where
        assert set(actions) == set(second.actions(opinion)), where
        if outcomes:
            assert second.who(opinion) == "chance"
            odds = [odds for _, odds in outcomes]
            assert sum(odds) == pytest.approx(1)
        else:
            assert second.who(opinion) == TURNS.player(state), where
        action = second.choose(opinion, rng)
        done[action[0]] += 1
        state = TURNS.after(state, actions[action])
        opinion = second.apply(opinion, action)


@pytest.mark.parametrize("part", in_full(range(PARTS), 0, 2))
def test_whole_games(part):
    done = Counter()
    for seed in range(part, GAMES, PARTS):
        compare(seed, done)
    assert {"take", "pay", "study", "play", "event", "bonus"} < set(done)
