"""Answers from one photograph of a whole table: which cards there are, and whose.

A card answers the question that has it as an option. A player's card is near their board. If the
owner or the card is uncertain, the players are asked.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorer.board_state import SURE, BoardState
from scorer.game import Question
from vision.cards import UNCERTAIN_BELOW
from webapp.app.game_pages import Document, Field, GamePages, pages_of
from webapp.app.reading.readings import in_reading_order
from webapp.app.session import flow
from webapp.app.session.board_slots import KIND, marker_of, owners, seat_of
from webapp.app.session.game_document import TABLE_PHOTOGRAPH, with_answer
from webapp.app.session.photographed_boards import is_assigned, table_board

NONE = "none"
"""The reply that an uncertain card is none of the game's."""
_PLAIN = 0.6
"""The largest ratio of the distances to the nearest and the second nearest board for an owner."""
_ALIKE = 0.9
"""The minimum cosine of the angle between two cards for equal orientation."""
Corners = Sequence[Sequence[float]]
Reading = Mapping[str, Any]


@dataclass(frozen=True)
class TableCard:
    """A card of the photograph by its index there; `corners` in px, from the printed top left.

    `card` is "" while it is uncertain, or if it is none of the `candidates`, which are sorted by
    probability. `seat` is None while the owner is unknown.
    """

    number: int
    card: str
    candidates: Sequence[str]
    corners: Corners
    seat: int | None
    is_doubtful: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The part of the photograph to show: left, top, width and height in px."""
        return _around(self.corners, 0.2)


@dataclass(frozen=True)
class TableAnswer:
    """The photograph's answer to a question of the table, or of a player (`step.player`).

    `value` is the answer as in the document, None while unknown. Of a track, `corners` are those of
    its sheet, () in a reading without them; it `is_doubtful` while it was neither read for certain
    nor confirmed.
    """

    step: flow.Step
    question: Question
    seen: Sequence[str]
    value: Any
    is_doubtful: bool = False
    corners: Corners = ()

    @property
    def box(self) -> tuple[float, float, float, float] | None:
        """The part of the photograph with the sheet, as in `TableCard`."""
        return _around(self.corners, 0.02) if self.corners else None


@dataclass(frozen=True)
class TablePoints:
    """The number of points of a player's marker for a step's `field`, None if it is uncertain."""

    step: flow.Step
    field: Field
    value: int | None
    corners: Corners

    @property
    def is_doubtful(self) -> bool:
        return self.value is None

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The part of the photograph with the sheet, as in `TableCard`."""
        return _around(self.corners, 0.02)


@dataclass(frozen=True)
class TableReading:
    """The cards, and the answers that they give."""

    cards: Sequence[TableCard]
    answers: Sequence[TableAnswer]
    points: Sequence[TablePoints] = ()

    @property
    def doubtful(self) -> Sequence[TableCard]:
        """The uncertain cards that may answer a question."""
        asked = {option.id for answer in self.answers for option in answer.question.options}
        return [
            card
            for card in self.cards
            if card.is_doubtful and not asked.isdisjoint(card.candidates)
        ]

    @property
    def doubtful_tracks(self) -> Sequence[TableAnswer]:
        return [answer for answer in self.answers if answer.is_doubtful]

    @property
    def sheets(self) -> Sequence[tuple[Corners, bool]]:
        """The corners of the sheets with tracks, and whether any of these is uncertain."""
        doubtful: dict[Corners, bool] = {}
        shown: Sequence[TableAnswer | TablePoints] = (*self.answers, *self.points)
        for answer in shown:
            if answer.corners:
                sheet = tuple((x, y) for x, y in answer.corners)
                doubtful[sheet] = doubtful.get(sheet, False) or answer.is_doubtful
        return [*doubtful.items()]

    @property
    def ownerless(self) -> Sequence[TableCard]:
        """Players' cards whose owner is unknown."""
        own = {
            option.id
            for answer in self.answers
            if answer.question.of_each_player
            for option in answer.question.options
        }
        return [card for card in self.cards if card.card in own and card.seat is None]

    def steps(self) -> Iterator[flow.Step]:
        """Yield the steps whose questions are all answered."""
        for step in dict.fromkeys(answer.step for answer in self.answers):
            if all(one.value is not None for one in self.answers if one.step == step):
                yield step

    def entered(self, document: Document, steps: Collection[flow.Step]) -> Document:
        """Return a document with the answers of some steps."""
        for one in self.answers:
            if one.step in steps:
                document = with_answer(document, one.question.id, one.value, one.step.player)
        return document


def read_table(
    pages: GamePages, document: Document, reading: Reading, replies: Mapping[str, str]
) -> TableReading:
    """Return what a `reading` of the table's photograph answers in unconfirmed steps.

    `replies` are people's corrections: `card-N` is the Nth card's id, `whose-N` its seat, and a
    question's id has the tokens of its track in order. If they are as they were read, `in-order-ID`
    has to confirm that; `unmoved-ID` says that there is none. Both leave it open.
    """
    boards = _boards_of_seats(document, reading)
    cards = [
        _card(number, found, boards, replies, len(document["players"]))
        for number, found in enumerate(reading.get("cards", ()))
    ]
    tracks = reading.get("tracks", {})
    answers = [
        _answer(step, question, cards, tracks, replies)
        for step, question in _questions(pages, document)
        if step.key not in document["confirmed"]
    ]
    return TableReading(cards, answers, points_seen(document, reading))


def points_seen(document: Document, reading: Reading) -> Sequence[TablePoints]:
    """The points that a `reading` of the table's photograph has for unconfirmed steps."""
    found, players = reading.get("points", {}), document["players"]
    return [
        TablePoints(step, field, own["at"].get(players[field.seat]["marker"]), own["corners"])
        for step, field in _numbers(document)
        if step.key not in document["confirmed"]
        and (own := found.get(field.question.id)) is not None
    ]


def _numbers(document: Document) -> Iterator[tuple[flow.Step, Field]]:
    """The numbers of each player that the last steps ask for, with these steps."""
    pages = pages_of(document["game"])
    for step in pages.steps(document).end:
        for field in pages.fields(step, document):
            if field.seat is not None and field.question.kind == "number":
                yield flow.Step(step), field


@dataclass(frozen=True)
class BoardQuestion:
    """Whose board is it that owner `number` has for now: one of `owners`, by number."""

    number: int
    owners: Sequence[int]


def board_question(pages: GamePages, document: Document, reading: Reading) -> BoardQuestion | None:
    """Return the first board of the table's photograph whose owner is to be asked; None if plain.

    Boards lie in any order, so that their owner is plain only by what distinguishes the players:
    pieces of the player's colour on it, the card beside it that is known to be theirs, an earlier
    answer or confirmation, or that it is the only one left.
    """
    for kind in dict.fromkeys(own.get(KIND) for own in owners(document)):
        of_kind = {
            number: own
            for number, own in enumerate(owners(document))
            if own.get(KIND) == kind and seat_of(document, number) is not None
        }
        found = {number: table_board(document, own["board"]) for number, own in of_kind.items()}
        corners = dict(enumerate(board["corners"] for board in reading.get("boards", ())))
        theirs = {index: corners[index] for index in found.values() if index in corners}
        unclear = [
            number
            for number, index in found.items()
            if index in theirs
            and not is_assigned(document, number)
            and not _is_plain(pages, document, reading, number, index, theirs)
        ]
        left = [number for number, own in of_kind.items() if own["board"] is None]
        if unclear and len(unclear) + len(left) > 1:
            return BoardQuestion(unclear[0], sorted([*unclear, *left]))
    return None


def may_cards_tell(pages: GamePages, document: Document) -> bool:
    """Whether a card is known to be a player's, so that it may show whose board is beside it."""
    return any(_own_cards(pages, document, player) for player in document["players"])


def _own_cards(pages: GamePages, document: Document, player: Mapping[str, Any]) -> set[str]:
    """Return the ids of cards that are known to be a player's."""
    asked = [question for step, question in _questions(pages, document) if step.player is not None]
    return {player[question.id] for question in asked if player.get(question.id)}


def _is_plain(
    pages: GamePages,
    document: Document,
    reading: Reading,
    number: int,
    index: int,
    boards: Mapping[int, Corners],
) -> bool:
    """Whether a board's pieces, or the known card beside it, show that it is its owner's."""
    marker, markers = marker_of(document, number), [one["marker"] for one in document["players"]]
    same = [at for at in boards if colours_on(reading["boards"][at], pages) == {marker}]
    if same == [index] and markers.count(marker) == 1:
        return True
    known = _own_cards(pages, document, document["players"][seat_of(document, number)])
    return any(
        card["card"] in known
        and card["confidence"] >= UNCERTAIN_BELOW
        and nearest_board(card["corners"], boards) == index
        for card in reading.get("cards", ())
    )


def colours_on(board: Mapping[str, Any], pages: GamePages) -> set[str]:
    """Return the players' colours whose pieces are certainly on a board of a reading."""
    state = BoardState.from_data(board, pages.game)
    owner_of = {piece.id: piece.owner for piece in pages.game.pieces}
    placed = [one.piece for one in state.places.values() if one.confidence >= SURE]
    in_regions = [
        piece
        for region in state.regions.values()
        if region.confidence >= SURE
        for piece, many in region.pieces.items()
        if many
    ]
    return {owner_of.get(piece or "", "") for piece in (*placed, *in_regions)} - {""}


def unmoved(track: str) -> str:
    """Return the name of the reply that no token has moved on a track."""
    return f"unmoved-{track}"


def in_order(track: str) -> str:
    """Return the name of the reply that a track's tokens are in the order that was read."""
    return f"in-order-{track}"


def table_photograph(document: Document) -> str | None:
    """Return the id of the photograph of the whole table; None if there is none."""
    found: str | None = document.get(TABLE_PHOTOGRAPH)
    return found


def _questions(pages: GamePages, document: Document) -> Iterator[tuple[flow.Step, Question]]:
    """Yield the questions that cards and tokens can answer, with the steps that ask them.

    The step `cards` asks those of its decks, and the step `a` also those with ids such as `a.b`.
    """
    own, decks = pages.steps(document).every, {deck.name for deck in pages.decks(document)}
    for question in pages.game.questions(document):
        name = "cards" if question.id in decks else question.id.partition(".")[0]
        if name not in own or question.kind not in ("one", "some", "order"):
            continue
        if question.of_each_player and question.options:
            for seat in range(len(document["players"])):
                yield flow.Step(name, seat), question
        elif question.options:
            yield flow.Step(name), question


def _answer(
    step: flow.Step,
    question: Question,
    cards: Sequence[TableCard],
    tracks: Mapping[str, Mapping[str, Any]],
    replies: Mapping[str, str],
) -> TableAnswer:
    options = frozenset(option.id for option in question.options)
    if question.id in tracks:
        track = tracks[question.id]
        ahead = [token for token in track["order"] if token in options]
        known, corners = track["certain"], track.get("corners", ())
        none, as_read = (name(question.id) in replies for name in (unmoved, in_order))
        if not known and none:
            known = not as_read
            ahead = [] if known else ahead
        elif not known and question.id in replies:
            sent = [token for token in replies[question.id].split(",") if token in options]
            read, ahead = ahead, [*dict.fromkeys(sent)]
            known = bool(ahead) and (as_read or ahead != read)
        return TableAnswer(step, question, ahead, ahead if known else None, not known, corners)
    mine = [card for card in cards if step.player in (None, card.seat)]
    seen = {card.card: card for card in mine if card.card in options}
    order = _in_their_order([*seen.values()], cards) if question.kind == "order" else [*seen]
    most = 1 if question.kind == "one" else question.most
    is_open = any(_may_answer(card, step.player, options) for card in cards)
    if order is None or is_open or not max(question.least, 1) <= len(order) <= most:
        return TableAnswer(step, question, [*seen], None)
    return TableAnswer(step, question, order, order[0] if question.kind == "one" else order)


def _may_answer(card: TableCard, player: int | None, options: frozenset[str]) -> bool:
    """Whether a card may turn out to be one of a question's options."""
    if not card.is_doubtful:
        return player is not None and card.seat is None and card.card in options
    is_theirs = player is None or card.seat in (None, player)
    return is_theirs and not options.isdisjoint(card.candidates)


def _in_their_order(cards: Sequence[TableCard], every: Sequence[TableCard]) -> list[str] | None:
    """Return cards in reading order, row by row; None if their orientation is unclear.

    Some cards look the same upside down, so the majority of the cards decides, or else the majority
    of `every` card on the table.
    """
    if not cards:
        return []
    right = _across(cards)
    if right is None:
        right = _across(every)
    if right is None:
        return None
    corners = np.array([card.corners for card in cards], float)
    upright = corners @ np.array([right, [-right[1], right[0]]]).T
    order = in_reading_order([{"corners": own.tolist()} for own in upright])
    return [cards[number].card for number in order]


def _across(cards: Sequence[TableCard]) -> np.ndarray | None:
    """Return the unit vector (2,) from left to right of most cards; None without a majority."""
    corners = np.array([card.corners for card in cards], float)
    across = corners[:, 1] - corners[:, 0]
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    agree = across @ across.T > _ALIKE
    most = int(agree.sum(axis=1).argmax())
    if 2 * agree[most].sum() <= len(cards):
        return None
    mean = across[agree[most]].mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def _card(
    number: int,
    found: Mapping[str, Any],
    boards: Mapping[int, Corners],
    replies: Mapping[str, str],
    players: int,
) -> TableCard:
    candidates = (found["card"], *found.get("alternatives", ()))
    reply = replies.get(f"card-{number}", "")
    certain = found["confidence"] >= UNCERTAIN_BELOW
    card = found["card"] if certain else reply if reply in candidates else ""
    whose = replies.get(f"whose-{number}", "")
    seat = nearest_board(found["corners"], boards)
    if whose.isdecimal() and int(whose) < players:
        seat = int(whose)
    doubtful = not certain and not card and reply != NONE
    return TableCard(number, card, candidates, found["corners"], seat, doubtful)


def _around(corners: Corners, margin: float) -> tuple[float, float, float, float]:
    """Return left, top, width and height of an area with a margin, a share of the longer side."""
    points = np.asarray(corners, float)
    low, high = points.min(axis=0), points.max(axis=0)
    room = margin * float((high - low).max())
    left, top = low - room
    width, height = high - low + 2 * room
    return float(left), float(top), float(width), float(height)


def _boards_of_seats(document: Document, reading: Reading) -> dict[int, Corners]:
    """Return the corners of the players' boards in the photograph, by seat."""
    found = {}
    for number, own in enumerate(owners(document)):
        index, seat = table_board(document, own["board"]), seat_of(document, number)
        if seat is not None and index is not None and index < len(reading["boards"]):
            found[seat] = reading["boards"][index]["corners"]
    return found


def nearest_board(corners: Corners, boards: Mapping[int, Corners]) -> int | None:
    """Return the seat whose board is nearest; None if that is ambiguous.

    >>> left = [[0, 0], [10, 0], [10, 10], [0, 10]]
    >>> boards = {0: left, 1: [[x + 30, y] for x, y in left]}
    >>> nearest_board([[12, 0], [14, 0], [14, 4], [12, 4]], boards)
    0
    >>> nearest_board([[19, 0], [21, 0], [21, 4], [19, 4]], boards)
    """
    middle = np.mean(np.asarray(corners, float), axis=0)
    away = sorted((_distance(middle, np.asarray(own, float)), seat) for seat, own in boards.items())
    if not away or (len(away) > 1 and away[0][0] > _PLAIN * away[1][0]):
        return None
    return away[0][1]


def _distance(point: np.ndarray, outline: np.ndarray) -> float:
    """Return the distance in px from a point to the nearest side of a (4, 2) outline."""
    along = np.roll(outline, -1, axis=0) - outline
    share = ((point - outline) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-9)
    nearest = outline + np.clip(share, 0, 1)[:, None] * along
    return float(np.linalg.norm(nearest - point, axis=1).min())
