"""Whose seat is whose, and who sees a hidden card: decided here, and nowhere else.

- What is hidden are the answers to those questions of each player that are `secret`; here, a card.
- A seat belongs to the browser that first enters its hidden card, or in a guided game first looks
  at what was dealt to it.
- The card leaves the server for that browser, and at the end for everybody. The end is when every
  step of the game is confirmed and the score is there; the step that lays a card open for the score
  is its owner's alone, so nobody ends a game over another's head.
- Until then only the owner changes the card. Afterwards anybody corrects it, as everything else.
- The owner gives the seat back, or the computer that serves does, which the owner is told. The
  card is then forgotten, not shown; what was dealt in a guided game is whoever's takes the seat.
- A guided game that is over lays all cards open itself: by its rules nothing is hidden any more.

A game's document is kept without cards: they are kept with the seats, where undoing, redoing and
sharing do not reach them. `view` puts into a document what somebody may see; `entered` takes out
of it what they have entered.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.game import Question
from webapp.app.game_pages import pages_of
from webapp.app.session import flow

Document = Mapping[str, Any]
Browser = str | None
"""Who looks or enters: a browser, by its session's id; None: the server itself, or a program."""


class NotYourSeatError(PermissionError):
    """A card that only the owner of its seat changes, lays open or gives back."""


@dataclass(frozen=True)
class Seat:
    """What is kept of a seat.

    `card` is the text of what is secret, as `_written` has it. `laid_open`: its owner has confirmed
    some of it for the score. `lost_by` is whose seat it was
    when the computer that serves gave it back.
    """

    owner: Browser = None
    card: str | None = None
    laid_open: bool = False
    lost_by: Browser = None


@dataclass(frozen=True)
class SeatState:
    """What somebody is told of a seat.

    `mine`: they own it; `other`: another browser does; `hidden`: that has a card that they do not
    see; `lost`: they had it, until the computer that serves gave it back.
    """

    mine: bool = False
    other: bool = False
    hidden: bool = False
    lost: bool = False


Seats = Mapping[int, Seat]
"""Seats by their number; one that is missing is free."""


def view(kept: Document, seats: Seats, browser: Browser) -> Document:
    """Return a kept document as somebody may see it."""
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
    """Return what somebody is told of each seat of a document that they see."""
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
    """Return a document as it is kept: without the cards and without who has laid them open."""
    secret = [one.id for one in _secret(document)]
    players = [
        {key: value for key, value in player.items() if key not in secret}
        for player in document["players"]
    ]
    cards = {_step(key, number) for number in range(len(players)) for key in secret}
    confirmed = [step for step in document["confirmed"] if step not in cards]
    return {**document, "players": players, "confirmed": confirmed}


def without_card(document: Document, number: int) -> Document:
    """Return a document, kept before its answers became secret, without those of one seat."""
    bare, players = kept(document), list(document["players"])
    if number >= len(players):
        return document
    players[number] = bare["players"][number]
    own = {_step(one.id, number) for one in _secret(document)}
    confirmed = [step for step in document["confirmed"] if step not in own]
    return {**document, "players": players, "confirmed": confirmed}


def separated(document: Document, seats: Seats) -> tuple[Document, Seats]:
    """Return a kept document and its seats with every secret answer at the seats.

    A question may have become secret after a game was kept: its answers are in the document still.
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
    """Return the seats after somebody has changed a document from what they saw into another.

    `over`: the game is, so that cards are laid open whoever has them. Raises NotYourSeatError.
    """
    over = over or is_over(before)
    left = dict(staying(seats, len(after["players"]), browser, over))
    asked = _secret(after)
    for number, player in enumerate(after["players"]):
        seat = _seat(seats, number)
        seen = before["players"][number] if number < len(before["players"]) else {}
        laid_open = [one.id for one in asked if _step(one.id, number) in after["confirmed"]]
        # Compared with what they saw, not with the card: a guess that is right is refused alike.
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
    """Return the seats where only the first `players` go on playing; `over` as before that.

    Raises NotYourSeatError.
    """
    for number, seat in seats.items():
        if number >= players:
            _check(seat, browser, over)
    return {number: seat for number, seat in seats.items() if number < players}


def taken(seat: Seat, browser: Browser) -> Seat:
    """Return a seat that somebody sits down at. Raises NotYourSeatError where another browser sits.

    >>> taken(Seat(), "a phone").owner
    'a phone'
    """
    if _is_of_another(browser, seat):
        raise NotYourSeatError
    return replace(seat, owner=browser, lost_by=None if seat.lost_by == browser else seat.lost_by)


def given_back(seat: Seat, browser: Browser, serves: bool) -> Seat:
    """Return a seat that its owner, or the computer that `serves`, has given back.

    Raises NotYourSeatError.
    """
    if _owns(browser, seat):
        return Seat()
    if not serves:
        raise NotYourSeatError
    return Seat(lost_by=seat.owner or seat.lost_by)


def is_over(document: Document) -> bool:
    """Say whether the score is there, so that no card is hidden any more."""
    return flow.next_step(document).name == "score"


def _check(seat: Seat, browser: Browser, over: bool) -> None:
    """Let its owner change a seat, anybody where it is free or nothing is hidden any more."""
    if not over and _is_of_another(browser, seat):
        raise NotYourSeatError


def _owns(browser: Browser, seat: Seat) -> bool:
    return browser is not None and seat.owner == browser


def _is_of_another(browser: Browser, seat: Seat) -> bool:
    return seat.owner is not None and not _owns(browser, seat)


def _secret(document: Document) -> Sequence[Question]:
    """The questions whose answers a game hides."""
    asked = pages_of(document["game"]).game.questions(document)
    return [one for one in asked if one.secret and one.of_each_player]


def _visible_to_all(
    seat: Seat, asked: Sequence[Question]
) -> tuple[Mapping[str, Any], Sequence[str]]:
    """What is secret of a seat, by the questions' ids, and which of it is laid open."""
    ids = [one.id for one in asked]
    if len(asked) != 1:
        kept = json.loads(seat.card) if seat.card else {}
        return kept.get("answers", {}), [id for id in ids if id in kept.get("laid_open", ())]
    answer = seat.card if seat.card is None or asked[0].kind == "one" else json.loads(seat.card)
    return {} if answer is None else {ids[0]: answer}, ids if seat.laid_open else []


def _written(
    answers: Mapping[str, Any], laid_open: Sequence[str], asked: Sequence[Question]
) -> str | None:
    """The text of that: a card's id where one card is asked for, else JSON."""
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
