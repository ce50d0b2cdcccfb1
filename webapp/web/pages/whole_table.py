"""One photograph of the whole table: everything read on one page, to be confirmed at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flask import Blueprint, flash, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from vision.rectify import homography, transform
from webapp.app.boards import board_drawing
from webapp.app.game_pages import Document, Field, GamePages, pages_of
from webapp.app.reading.photographs import NoSuchPhotographError, Photograph
from webapp.app.reading.uncertainties import Question
from webapp.app.session import flow, game_document, reviewing
from webapp.app.session.board_slots import owner, owners
from webapp.app.session.photographed_boards import table_board
from webapp.app.session.reviewing import Review
from webapp.app.session.saved_games import SavedGame
from webapp.app.session.table_reading import (
    TableAnswer,
    TableCard,
    TableReading,
    board_question,
    may_cards_tell,
    read_table,
    table_photograph,
)
from webapp.web.changes import Right, Seen, changes
from webapp.web.context import current_profile, services
from webapp.web.forms import Form
from webapp.web.pages import steps
from webapp.web.pages.own_cards import shown_cards
from webapp.web.pages.owners import Owner, owners_of
from webapp.web.words import board_title

blueprint = Blueprint("whole_table", __name__, url_prefix="/games/<game_id>/table")

STEP = flow.Step("photographs")
AS_SHOWN = "as-shown"
"""The reply that the pieces which are sent with it are right."""
NONE_OF_THESE = "?"
"""The reply that a guess is none of its pieces."""
MOST_PIECES = 3
"""The largest number of pieces among which a guess can be corrected at once."""


@dataclass(frozen=True)
class TableBoard:
    """A board of the photograph with its owner and review.

    `corners` are in px of the photograph, and so are the `pieces`: kind, centre x, y and radius.
    """

    number: int
    owner: Owner
    review: Review
    corners: Sequence[Sequence[float]]
    pieces: Sequence[tuple[str, float, float, float]]


@dataclass(frozen=True)
class Guess:
    """A doubtful place of a board, whose likeliest piece is to be confirmed among others.

    `name` is that of the reply: one of the `pieces`, "" for none, or else it is left open.
    """

    board: TableBoard
    asked: Question

    @property
    def name(self) -> str:
        return f"guess-{self.board.number}-{self.asked.place}"

    @property
    def pieces(self) -> Sequence[str]:
        return self.asked.candidates[:MOST_PIECES]


@dataclass(frozen=True)
class EndQuestion:
    """Which of several players has the first option of a card's `fields`."""

    card: str
    fields: Sequence[Field]

    @property
    def id(self) -> str:
        return f"first-{self.card}"

    @property
    def text(self) -> str:
        return self.fields[0].hint

    @property
    def seats(self) -> Sequence[int | None]:
        return [field.seat for field in self.fields]


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    """Show what was read, each doubt first, or the photograph's progress."""
    game = steps.opened(game_id)
    if photograph_of(game) is None:
        services().reading_queue.prepare(game)
    return _page(game)


@blueprint.get("/progress")
def progress(game_id: str) -> ResponseReturnValue:
    """Return the state of the photograph, "" if there is none."""
    found = table_photograph(steps.opened(game_id).document)
    return jsonify(state=services().photographs.state_of(game_id, found) if found else "")


@blueprint.post("")
@changes(Right.TABLE, Seen.REVISION)
def confirm(game_id: str) -> ResponseReturnValue:
    """Accept everything that is certain or was answered on the page; ask about the rest.

    Before the owners of the boards are known, nothing is accepted.
    """
    game = steps.opened(game_id)
    photograph = photograph_of(game)
    if photograph is None or photograph.state != "read":
        return _page(game), 422
    pages = pages_of(game.document["game"])
    if board_question(pages, game.document, photograph.reading or {}) is not None:
        return _page(game), 422
    seen, boards = _seen(pages, game, photograph, request.form), _boards(game, photograph)
    guesses = _guesses(boards)
    confirmed = _confirmed(guesses, request.form)
    left_open = [one.name for one in guesses if request.form.get(one.name) == NONE_OF_THESE]
    settled = replace(game, document=_with_pieces(confirmed, game.document))
    clear = _clear(game, _boards(settled, photograph))

    def changed(kept: Document) -> Document:
        kept = _accepted(game, seen, clear, _with_pieces(confirmed, kept))
        if left_open or game_document.LEFT_OPEN in kept:
            kept = {**kept, game_document.LEFT_OPEN: left_open}
        for name, answers in _answered(pages, kept, request.form).items():
            kept = game_document.confirm(pages.with_answers(name, kept, answers), name)
        return kept

    game = steps.changed(game_id, "table", changed)
    if guesses and AS_SHOWN not in request.form:
        flash(_("The doubtful spaces were not confirmed: each is asked about now."))
    for number in clear:
        reviewing.learn(services(), game, number)
    return steps.redirect_to_next(game)


def _guesses(boards: Sequence[TableBoard]) -> Sequence[Guess]:
    """Return the places of all boards to be confirmed together; a single one is a question."""
    found = [Guess(board, asked) for board in boards for asked in board.review.guesses]
    found.sort(key=lambda one: one.pieces[0])  # those that look alike, side by side
    return found if len(found) > 1 else ()


def _confirmed(guesses: Sequence[Guess], replies: Mapping[str, str]) -> Sequence[tuple[Guess, str]]:
    """Return the guesses with their pieces, if somebody said that those are right."""
    if AS_SHOWN not in replies:
        return ()
    sent = [(one, replies.get(one.name)) for one in guesses]
    return [(one, piece) for one, piece in sent if piece is not None and piece in one.pieces]


def _with_pieces(confirmed: Sequence[tuple[Guess, str]], document: Document) -> Document:
    """Return a document with the pieces of guesses, whose places are then no longer doubtful."""
    for one, piece in confirmed:
        assert one.asked.at is not None
        number = one.board.number
        board = services().boards.of(document, number).board
        document = game_document.with_piece(document, number, one.asked.at, piece or None, board)
    return document


def _clear(game: SavedGame, boards: Sequence[TableBoard]) -> Sequence[int]:
    """Return the numbers of the boards that "All right" confirms."""
    if game_document.offers(game.document):
        return ()
    return [one.number for one in boards if one.review.is_clear]


def _accepted(
    game: SavedGame, seen: TableReading, clear: Sequence[int], document: Document
) -> Document:
    """Return a document with the answers that are seen and the boards that are clear."""
    entered = [step for step in seen.steps() if not _is_of_another(game, step)]
    document = seen.entered(document, entered)
    for step in entered:
        document = game_document.confirm(document, step.key)
    for number in clear:
        if not game_document.is_confirmed(document, number):
            document = game_document.with_board_confirmed(document, number)
    if game_document.has_all_boards(document) and not game_document.offers(document):
        document = game_document.confirm(document, STEP.key)
    return document


def _is_of_another(game: SavedGame, step: flow.Step) -> bool:
    """Whether a step belongs to another phone's seat, whose secrets are not touched."""
    return step.player is not None and game.seats[step.player].other


def _is_before_the_end(pages: GamePages, document: Document) -> bool:
    """Whether a step before the final ones is still to be confirmed."""
    end = {*pages.steps(document).end}
    before = [step for step in flow.steps(document) if step.name not in end]
    return any(step.key not in document["confirmed"] for step in before)


def _answered(
    pages: GamePages, document: Document, replies: Mapping[str, str]
) -> Mapping[str, Any]:
    """Return the answers to the final steps' fields, once all steps before them are confirmed."""
    found: dict[str, Mapping[str, Any]] = {}
    if _is_before_the_end(pages, document):
        return found
    for step, fields in _fields_of_cards(pages, document).items():
        answers = {field.name: field.answer for field in fields}
        asked = _open_ends(fields)
        firsts = [
            field for one in asked for field in one.fields if replies.get(one.id) == str(field.seat)
        ]
        answers |= {field.name: _first(field) for field in firsts}
        if len(firsts) == len(asked) and step not in document["confirmed"]:
            found[step] = answers
    return found


def _fields_of_cards(pages: GamePages, document: Document) -> Mapping[str, Sequence[Field]]:
    """Return the fields of the final steps that boards and cards answer."""
    every = {step: pages.fields(step, document) for step in pages.steps(document).end}
    return {
        step: fields
        for step, fields in every.items()
        if fields and all(field.card is not None for field in fields)
    }


def _open_ends(fields: Sequence[Field]) -> Sequence[EndQuestion]:
    """Return what the boards leave open of the fields about cards."""
    found: dict[str, list[Field]] = {}
    for field in fields:
        if field.card is not None and field.hint and field.answer:
            found.setdefault(field.card.id, []).append(field)
    return [EndQuestion(card, some) for card, some in found.items()]


def _first(field: Field) -> str:
    """Return the id of the first option that is an answer."""
    return next(option.id for option in field.question.options if option.id)


def _end_questions(
    pages: GamePages, game: SavedGame, photograph: Photograph, boards: Sequence[TableBoard]
) -> Sequence[tuple[EndQuestion, TableCard]]:
    """Return what is left open of the end, with the card in the photograph.

    The likeliest answers to doubts on the same page are taken for it.
    """
    certain = _seen(pages, game, photograph, {})
    likely = {f"card-{card.number}": card.candidates[0] for card in certain.doubtful}
    seen = _seen(pages, game, photograph, likely)
    guesses = [(one, one.pieces[0]) for one in _guesses(boards)]
    presumed = replace(game, document=_with_pieces(guesses, game.document))
    clear = _clear(game, _boards(presumed, photograph))
    document = _accepted(game, seen, clear, presumed.document)
    if _is_before_the_end(pages, document) or {*pages.steps(document).end} <= {
        *document["confirmed"]
    }:
        return ()
    cards = {card.card: card for card in certain.cards if card.card}
    asked = [one for own in _fields_of_cards(pages, document).values() for one in _open_ends(own)]
    return [(one, cards[one.card]) for one in asked if one.card in cards]


def _seen(
    pages: GamePages, game: SavedGame, photograph: Photograph, replies: Mapping[str, str]
) -> TableReading:
    return read_table(pages, game.document, photograph.reading or {}, replies)


def answers_seen(game: SavedGame, step: flow.Step) -> Sequence[TableAnswer]:
    """Return what the photograph of the whole table answers in a step that is not confirmed."""
    photograph = photograph_of(game)
    if photograph is None:
        return ()
    seen = _seen(pages_of(game.document["game"]), game, photograph, request.form)
    return [answer for answer in seen.answers if answer.step == step]


def is_owner_unsure(game: SavedGame, number: int) -> bool:
    """Return whether it is still to be found out whose the board given to an owner is."""
    photograph, board = photograph_of(game), owner(game.document, number)["board"]
    if photograph is None or table_board(game.document, board) is None:
        return False
    pages = pages_of(game.document["game"])
    whose = board_question(pages, game.document, photograph.reading or {})
    return whose is not None and number in whose.owners


def photograph_of(game: SavedGame) -> Photograph | None:
    """Return the photograph of the whole table; None if there is none."""
    found = table_photograph(game.document)
    try:
        return services().photographs.get(game.id, found) if found else None
    except NoSuchPhotographError:
        return None


def _boards(game: SavedGame, photograph: Photograph) -> Sequence[TableBoard]:
    """Return the boards in the photograph by owner."""
    document, shown = game.document, owners_of(game.document)
    readings = services().snapshot_readings.readings(
        game.id, document, services().boards.of(document)
    )
    found = []
    for number, own in enumerate(owners(document)):
        source = own["board"]
        if not source or source["photograph"] != photograph.id:
            continue
        corners = photograph.board(source["index"])["corners"]
        review = reviewing.of(services(), game, number, readings)
        pieces = _placed(game, number, review, corners)
        found.append(TableBoard(number, shown[number], review, corners, pieces))
    return found


def _placed(
    game: SavedGame, number: int, review: Review, corners: Sequence[Sequence[float]]
) -> Sequence[tuple[str, float, float, float]]:
    profile = services().boards.of(game.document, number)
    to_px = homography(np.asarray(corners, np.float32), profile.size_mm)
    laid = [
        (review.stars[one.id], one)
        for one in board_drawing.draw(profile).spaces
        if one.id in review.stars
    ]
    if not laid:
        return ()
    middles = transform(to_px, np.array([(one.x, one.y) for _piece, one in laid]))
    rims = transform(to_px, np.array([(one.x + one.radius, one.y) for _piece, one in laid]))
    radii = np.linalg.norm(rims - middles, axis=1)
    return [
        (piece, round(float(x), 1), round(float(y), 1), round(float(radius), 1))
        for (piece, _one), (x, y), radius in zip(laid, middles, radii, strict=True)
    ]


def _fields(pages: GamePages, game: SavedGame, asked: Sequence[TableAnswer]) -> Sequence[Field]:
    """Return the fields of some questions, by the questions' ids."""
    return [
        replace(field, name=field.question.id)
        for one in asked
        for field in pages.fields(one.step.name, game.document)
        if field.question.id == one.question.id
    ]


def _page(game: SavedGame) -> str:
    photograph = photograph_of(game)
    game, pages = steps.opened(game.id), pages_of(game.document["game"])
    read = photograph if photograph is not None and photograph.has_boards else None
    whose = board_question(pages, game.document, read.reading or {}) if read else None
    is_partly_read = read is not None and read.state != "read"
    if is_partly_read and whose is not None and may_cards_tell(pages, game.document):
        read = whose = None  # rather than ask what a card will show
    boards = _boards(game, read) if read else []
    seen = _seen(pages, game, read, request.form) if read else None
    ends = (
        _end_questions(pages, game, read, boards)
        if read and whose is None and not is_partly_read
        else ()
    )
    guesses = _guesses(boards)
    listed = {
        board.number: [one.asked.place for one in guesses if one.board is board] for board in boards
    }
    left = [(one, one.review.first_open_except(listed[one.number])) for one in boards]
    asked = next(((one, number) for one, number in left if number is not None), None)
    doubtful = {one.question.id: one for one in seen.doubtful_tracks} if seen else {}
    return render_template(
        "whole_table.html",
        game=game,
        step=STEP,
        photograph=photograph,
        is_partly_read=is_partly_read,
        whose=whose,
        owners=owners_of(game.document),
        played_on=board_title(current_profile().title),
        boards=boards,
        missing=[
            own
            for number, own in enumerate(owners_of(game.document))
            if number not in [one.number for one in boards]
        ],
        seen=seen,
        end_questions=ends,
        is_review=True,
        doubtful=doubtful,
        tracks=_fields(pages, game, [*doubtful.values()]),
        form=Form({id: one.seen for id, one in doubtful.items()}),
        known={step.key for step in seen.steps() if not _is_of_another(game, step)} if seen else (),
        doubtful_board=asked,
        guesses=() if asked else guesses,
        as_shown=AS_SHOWN,
        left_open=game.document.get(game_document.LEFT_OPEN, ()),
        own_cards=shown_cards(services().boards.name_of(game.document)),
    )
