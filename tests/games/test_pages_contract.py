"""What every game brings to the pages: its words, its looks, its documents, its guided game."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask_babel import force_locale

from calibration.profile import built_in_profiles, load_profile
from scorer import registry
from scorer.open_table import open_table
from scorer.scoresheet import Line
from scorer.sentence import LANGUAGES
from tests.games.conftest import toy_known
from webapp.app.boards.board_drawing import draw
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.guide.finish import with_setup
from webapp.app.guide.history import History, Moment
from webapp.app.session import flow, game_document
from webapp.app.session.document_check import check_document
from webapp.app.settings import Settings
from webapp.web import guide_questions
from webapp.web.application import create_app
from webapp.web.guide_questions import Asked

with toy_known():
    GAMES = registry.names()
NAMES = ("Ana", "Eva", "Luz", "Noe")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, toy_game: None) -> Iterator[Flask]:
    settings = Settings(tmp_path_factory.mktemp("contract"), rate_limits=False)
    made = create_app(settings)
    yield made
    made.extensions["stargazer live"].close()
    made.extensions["stargazer"].reading_queue.close()


@pytest.fixture(params=GAMES)
def pages(request: pytest.FixtureRequest, app: Flask) -> Iterator[GamePages]:
    with app.test_request_context():
        yield pages_of(request.param)


def begun(pages: GamePages, players: int, mode: str = "") -> dict[str, Any]:
    seats = list(zip(NAMES[:players], pages.markers, strict=False))
    return game_document.new_game(seats, mode or next(iter(pages.modes), ""), pages.game.id)


def test_what_lies_open_on_a_guided_table_has_a_name(pages: GamePages) -> None:
    if pages.guided is None:
        pytest.skip("no turns")
    turns, terms = pages.guided.turns, {one.id for one in pages.game.glossary}
    state = turns.dealt(turns.start(pages.guided.rules_of(begun(pages, 2))), Random(1))
    lying = open_table(turns.seen_by(state, None))
    for thing in (*lying.common, *(one for own in lying.seats for one in own)):
        assert thing.term in terms or f"strip_{thing.name}" in pages.game.words.phrases


def test_what_a_seat_did_last_is_something_that_it_decided(pages: GamePages) -> None:
    if pages.guided is None:
        pytest.skip("no turns")
    turns, luck, decided = pages.guided.turns, Random(1), set[int]()
    start = turns.start(pages.guided.rules_of(begun(pages, 2)))
    history, state = History({"computers": ["", ""]}, start), start
    for _action in range(80):
        seat, choices = turns.decides(state), turns.actions(state)
        if seat is not None:
            own_last, _earlier = history.earlier(turns, seat)
            assert not own_last or seat in [turns.decides(before) for before, _moment in own_last]
            decided |= {seat} if own_last else set()
        elif not (choices or turns.outcomes(state)):
            break
        action = turns.drawn(state, luck) or luck.choice(choices)
        state = turns.after(state, action)
        moment = Moment(action, "itself" if seat is None else "tap", state)
        history = replace(history, moments=(*history.moments, moment))
    assert decided == {0, 1}


def test_a_table_that_draws_itself_can_always_say_what_was_drawn(pages: GamePages) -> None:
    part = pages.guided
    if part is None or "hand" not in part.opening.answers:
        pytest.skip("Stargazer draws")
    document, luck = begun(pages, 2), Random(1)
    set_up = {"language": "en", "draws": "hand", "computers": ["", ""], "seed": "0"}
    set_up |= part.rules_of(document)
    turns = part.turns
    state, compared = turns.start(set_up), 0
    for _step in range(100):
        action = part.by_itself(state, set_up, document)
        if action is None:
            offered = [line.action for line in Asked(part, turns.seen_by(state, None)).lines]
            possible = [one for one, _odds in turns.outcomes(state)] or turns.actions(state)
            assert {*map(turns.write_action, possible)} <= {*map(turns.write_action, offered)}
            compared += bool(possible)
            if not possible:
                break
            action = luck.choice(possible)
        state = turns.after(state, action)
    assert compared


def test_no_button_is_impossible_for_what_this_screen_does_not_show(
    pages: GamePages, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand that is hidden here was taken for one with which nothing can be done."""
    part = pages.guided
    if part is None:
        pytest.skip("no turns")
    boards = app.extensions["stargazer"].boards
    monkeypatch.setattr(guide_questions, "current_profile", lambda: boards.standard(pages.game.id))
    document, luck, turns = begun(pages, 2), Random(1), part.turns
    state = turns.start(part.rules_of(document))
    for _step in range(80):
        state = turns.dealt(state, luck)
        possible = turns.actions(state)
        if not possible:
            break
        seen = Asked(part, turns.seen_by(state, None))
        for choice in () if seen.is_private else seen.question(document).choices:
            if choice.obstacles:
                hidden = [
                    one
                    for one in possible
                    if turns.write_action(one).startswith(choice.draft + " ")
                ]
                assert not hidden, choice
        state = turns.after(state, luck.choice(possible))


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_page_says_is_said_in_every_language(pages: GamePages, language: str) -> None:
    words, game = pages.words, pages.game
    tracks = [piece.id for piece in game.pieces if "track" in piece.lies_on]
    pieces = DrawnPieces({"a": "b"}, Counter(tracks), {"a-b": "c"})
    document = begun(pages, game.table.most_players)
    moments = [moment for mode in pages.modes for moment in pages.moments(mode) if moment]
    advice = [key for key in game.words.phrases if key.startswith(("notice_", "advice_"))]
    with force_locale(language):
        reported = [
            words.welcome,
            words.objectives,
            words.begin,
            words.before,
            words.piece_counts(pieces),
        ]
        reported += [words.board("Ana"), words.owner_of(document, 0)]
        reported += [words.step(step, document) for step in pages.steps(document).every]
        reported += [words.marker(marker) for marker in pages.markers]
        reported += [words.part(category) for category in game.categories]
        reported += [words.kind(kind.id) for kind in game.table.boards if kind.id]
        reported += [*map(words.moment, moments), *map(words.mode, pages.modes)]
        reported += [words.laid(piece.id, "there") for piece in game.pieces]
        reported += [words.places(kind) for kind in ("spot", "edge", "dial")]
        reported += [words.count(track, 3) for track in tracks] + [words.say(key) for key in advice]
        reported += [text for track in tracks for text in words.track(track, 2).values()]
        for category, name in game.categories.items():
            reported.append(words.line(Line(category, 1, name, subject={"phase": 1})))
    assert all(reported) and not [text for text in reported if "{" in text]


def test_a_drawn_board_has_no_space_that_the_board_has_not(pages: GamePages) -> None:
    pieces = {piece.id for piece in pages.game.pieces}
    for name in built_in_profiles(pages.game.id):
        profile = load_profile(name)
        look = pages.look(profile)
        spaces = {*profile.board.spaces}
        regions = {place.id for place in profile.places if place.kind == "region"}
        assert {*look.rims} <= spaces | regions and {*look.signs} <= spaces
        assert {*look.labels} <= {*profile.tracks} and look.shapes <= pieces
        drawn = draw(profile)
        assert draw(profile) is drawn, "each page would draw it anew"
        assert len(drawn.spaces) == len(profile.board.spaces) and drawn.view


def test_pictures_have_addresses(pages: GamePages, app: Flask) -> None:
    terms = ["", *(term.id for term in pages.game.glossary), "no such word"]
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    found = {term: pages.picture(term) for term in terms[1:]} | {"": pages.picture()}
    assert found[""] is not None and found["no such word"] is None
    assert {link[0] for link in found.values() if link} <= endpoints


def test_a_blank_document_of_each_mode_is_one_and_becomes_another_mode(pages: GamePages) -> None:
    for players in {pages.game.table.fewest_players, pages.game.table.most_players}:
        for mode in pages.modes or [""]:
            document = begun(pages, players, mode)
            check_document(document)
            assert json.loads(json.dumps(document)) == document
            assert json.dumps(pages.game_data(document))
            keys = [step.key for step in flow.steps(document)]
            assert len(set(keys)) == len(keys)
            for step in flow.corrections(document, 0):
                assert step.name in pages.steps(document).every
            for name in pages.steps(document).every:
                check_document({**pages.with_answers(name, document, {})})
        for one, other in pairwise([*pages.modes, *list(pages.modes)[:1]]):
            changed, again = pages.with_mode(begun(pages, players, one), other)
            check_document({**changed})
            assert changed["mode"] == other and {*again} <= {*pages.steps(changed).every}


def test_a_guided_game_goes_on_as_long_as_its_rules_are_the_same(pages: GamePages) -> None:
    part, most = pages.guided, pages.game.table.most_players
    assert (part is None) == (pages.game.turns is None)
    if part is None:
        return
    document = begun(pages, most)
    assert part.fits(document)
    set_up = {"language": "en", "draws": "program", "computers": [""] * most, "seed": "0"}
    set_up = json.loads(json.dumps({**set_up, **part.rules_of(document)}))
    assert part.goes_on(set_up, document) and not part.goes_on(set_up, begun(pages, most - 1))
    state = part.turns.start(set_up, pages.game.standard_board)
    positions = part.turns.positions(state)
    assert [pages.game.pieces_of(one) for one in positions[: len(part.pieces(state))]] == [
        *part.pieces(state)
    ]
    assert json.dumps(with_setup(part, document, state)) and part.opening.answers
    for language in LANGUAGES:
        with force_locale(language):
            assert part.opening.words
