"""The owners of seats, and who can see hidden cards; the only module that decides this.

- Hidden are the answers to each player's questions that are `secret`; below called a card.
- A seat belongs to the browser that first enters its card, or in a guided game first looks at what
  was dealt to it.
- Only that browser receives the card, and everybody at the end, that is, once all steps are
  confirmed and there is a score. Only the owner can confirm the step that lays the card open, so
  that nobody else can end the game.
- Until then only the owner can change the card; afterwards anybody can, like everything else.
- The owner or the serving computer can give the seat back; in the latter case the owner is
  informed. The card is then deleted, not shown; one dealt in a guided game goes to whoever takes
  the seat.
- A guided game that is over lays all cards open, as nothing is hidden by its rules any more.

Documents are stored without cards. These are stored with the seats, where undo, redo and sharing do
not affect them. `view` adds what a browser may see to a document; `entered` extracts what it has
entered.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.game import Question
from webapp.app.game_pages import pages_of
from webapp.app.session import flow
from webapp.app.session.board_slots import Document

Browser = str | None
"""A browser's session id; None for the server or a program."""


class NotYourSeatError(PermissionError):
    """Only the owner of the seat may change, lay open or give back its card."""


@dataclass(frozen=True)
class Seat:
    """A stored seat.

    `card` is the text of its secret answers (`_written`). `laid_open`: the owner has confirmed any
    of them for the score. `lost_by` is the owner when the serving computer gave it back.
    """

    owner: Browser = None
    card: str | None = None
    laid_open: bool = False
    lost_by: Browser = None


@dataclass(frozen=True)
class SeatState:
    """A seat as a browser sees it.

    `mine`: it owns the seat; `other`: another browser does; `hidden`: the other one has a card that
    this one cannot see; `lost`: it owned the seat until the serving computer gave it back.
    """

    mine: bool = False
    other: bool = False
    hidden: bool = False
    lost: bool = False


Seats = Mapping[int, Seat]
"""Seats by number; missing ones are free."""


def view(kept: Document, seats: Seats, browser: Browser) -> Document:
    """Return a stored document as a browser may see it."""
    kept, seats = separated(kept, seats)
    asked = _secret(kept)
    every = _of(seats, range(len(kept["players"])))
    visible = [_visible_to_all(seat, asked) for seat in every]
    laid_open = [_step(key, number) for number, (_own, keys) in enumerate(visible) for key in keys]
    document = {**kept, "confirmed": [*kept["confirmed"], *laid_open]}
    over = is_over(document)
    players = [
        {
            **player,
            **{one.id: own.get(one.id) if over or _owns(browser, seat) else None for one in asked},
        }
        for player, seat, (own, _keys) in zip(kept["players"], every, visible, strict=True)
    ]
    return {**document, "players": players}


def states(document: Document, seats: Seats, browser: Browser) -> Sequence[SeatState]:
    over, asked = is_over(document), _secret(document)
    return tuple(
        SeatState(
            mine=_owns(browser, seat),
            other=_is_of_another(browser, seat),
            hidden=_is_of_another(browser, seat)
            and any(player.get(one.id) is None for one in asked),
            lost=not over and browser is not None and seat.lost_by == browser,
        )
        for player, seat in zip(
            document["players"], _of(seats, range(len(document["players"]))), strict=True
        )
    )


def kept(document: Document) -> Document:
    """Return a document for storage: without cards and without the steps that lay them open."""
    secret = [one.id for one in _secret(document)]
    players = [
        {key: value for key, value in player.items() if key not in secret}
        for player in document["players"]
    ]
    cards = {_step(key, number) for number in range(len(players)) for key in secret}
    confirmed = [step for step in document["confirmed"] if step not in cards]
    return {**document, "players": players, "confirmed": confirmed}


def without_card(document: Document, number: int) -> Document:
    """Return a document from before its answers became secret, without those of one seat."""
    bare, players = kept(document), list(document["players"])
    if number >= len(players):
        return document
    players[number] = bare["players"][number]
    own = {_step(one.id, number) for one in _secret(document)}
    confirmed = [step for step in document["confirmed"] if step not in own]
    return {**document, "players": players, "confirmed": confirmed}


def separated(document: Document, seats: Seats) -> tuple[Document, Seats]:
    """Return a stored document and its seats with all secret answers moved to the seats.

    Documents stored before a question became secret still contain its answers.
    """
    asked, found = _secret(document), dict(seats)
    for number, player in enumerate(document["players"]):
        own = {one.id: player[one.id] for one in asked if player.get(one.id) is not None}
        laid_open = [one.id for one in asked if _step(one.id, number) in document["confirmed"]]
        seat = _seat(seats, number)
        if (own or laid_open) and seat.card is None:
            card = _written(own, laid_open, asked)
            found[number] = replace(seat, card=card, laid_open=bool(laid_open))
    return kept(document), found


def entered(
    before: Document, after: Document, seats: Seats, browser: Browser, over: bool = False
) -> Seats:
    """Return the seats after a browser has changed the document `before`, as it saw it, to `after`.

    With `over`, anybody may lay cards open. Raises NotYourSeatError.
    """
    over = over or is_over(before)
    left = dict(staying(seats, len(after["players"]), browser, over))
    asked = _secret(after)
    for number, player in enumerate(after["players"]):
        seat = _seat(seats, number)
        seen = before["players"][number] if number < len(before["players"]) else {}
        laid_open = [one.id for one in asked if _step(one.id, number) in after["confirmed"]]
        # Compare with what was seen, not the card, so that a correct guess is refused, too.
        is_same = all(player.get(one.id) == seen.get(one.id) for one in asked)
        if is_same and laid_open == _visible_to_all(seat, asked)[1]:
            continue
        _check(seat, browser, over)
        lost_by = None if seat.lost_by == browser else seat.lost_by
        own = {one.id: player[one.id] for one in asked if player.get(one.id) is not None}
        left[number] = Seat(
            seat.owner or browser, _written(own, laid_open, asked), bool(laid_open), lost_by
        )
    return left


def staying(seats: Seats, players: int, browser: Browser, over: bool) -> Seats:
    """Return the seats when only the first `players` remain; `over`: nothing is hidden any more.

    Raises NotYourSeatError.
    """
    for number, seat in seats.items():
        if number >= players:
            _check(seat, browser, over)
    return {number: seat for number, seat in seats.items() if number < players}


def taken(seat: Seat, browser: Browser) -> Seat:
    """Return a seat after a browser takes it. Raises NotYourSeatError if another browser has it.

    >>> taken(Seat(), "a phone").owner
    'a phone'
    """
    if _is_of_another(browser, seat):
        raise NotYourSeatError
    return replace(seat, owner=browser, lost_by=None if seat.lost_by == browser else seat.lost_by)


def given_back(seat: Seat, browser: Browser, serves: bool) -> Seat:
    """Return a seat given back by its owner, or by the computer that `serves`.

    Raises NotYourSeatError.
    """
    if _owns(browser, seat):
        return Seat()
    if not serves:
        raise NotYourSeatError
    return Seat(lost_by=seat.owner or seat.lost_by)


def is_over(document: Document) -> bool:
    """Return whether there is a score, so that no card is hidden any more."""
    return flow.next_step(document).name == "score"


def _check(seat: Seat, browser: Browser, over: bool) -> None:
    """Raise NotYourSeatError unless the browser may change a seat."""
    if not over and _is_of_another(browser, seat):
        raise NotYourSeatError


def _owns(browser: Browser, seat: Seat) -> bool:
    return browser is not None and seat.owner == browser


def _is_of_another(browser: Browser, seat: Seat) -> bool:
    return seat.owner is not None and not _owns(browser, seat)


def _secret(document: Document) -> Sequence[Question]:
    """Return the questions of each player with secret answers."""
    asked = pages_of(document["game"]).game.questions(document)
    return [one for one in asked if one.secret and one.of_each_player]


def _visible_to_all(
    seat: Seat, asked: Sequence[Question]
) -> tuple[Mapping[str, Any], Sequence[str]]:
    """Return a seat's secret answers by question, and which of them are laid open."""
    ids = [one.id for one in asked]
    if len(asked) != 1:
        kept = json.loads(seat.card) if seat.card else {}
        return kept.get("answers", {}), [id for id in ids if id in kept.get("laid_open", ())]
    answer = seat.card if seat.card is None or asked[0].kind == "one" else json.loads(seat.card)
    return {} if answer is None else {ids[0]: answer}, ids if seat.laid_open else []


def _written(
    answers: Mapping[str, Any], laid_open: Sequence[str], asked: Sequence[Question]
) -> str | None:
    """Return the stored text of secret answers: the id for a single card, else JSON."""
    if len(asked) != 1:
        return json.dumps({"answers": answers, "laid_open": laid_open}) if asked else None
    found = answers.get(asked[0].id)
    return found if found is None or asked[0].kind == "one" else json.dumps(found)


def _step(question: str, number: int) -> str:
    """Return the key of the step that lays a seat's card open."""
    return flow.Step(question, number).key


def _seat(seats: Seats, number: int) -> Seat:
    return seats.get(number, Seat())


def _of(seats: Seats, numbers: range) -> list[Seat]:
    return [_seat(seats, number) for number in numbers]
