"""A game's document: a game file that is filled in step by step.

Besides the keys of a game file it has the companion's own: `confirmed` (the completed steps),
`profile` (the board played on), `live` (followed live), `note` (the players' note on the score)
and `lessons` (a table for lessons, not a game). Each owner of a board (`board_slots`), a player or
a snapshot of a shared table, has `board` (the photograph and the board's index there), `checked`
(the doubtful places reviewed), `offered` (a photographed board awaiting a choice between it and the
current one) and `settled` (the last photograph when the board was made; earlier failures no longer
matter); each player has a `marker` (their colour). Functions return a changed document and do not
modify their input.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from calibration import ProfileError, load_profile
from scorer.game import Game
from scorer.places import Place, counted, in_region
from scorer.sentence import Verbatim
from scorer.table import Pieces
from scorer.topology import Topology
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.session.board_slots import (
    BOARDS,
    BY_HAND,
    KIND,
    MOMENT,
    SEAT,
    has_moments,
    is_shared,
    numbered,
    owner,
    owners,
    with_owner,
    with_owners,
)
from webapp.app.session.board_slots import Document as Document

PROFILE = "profile"
"""The key of the profile name of the board played on."""
ORDER = "order"
"""The key of who set the order of a shared table's snapshots; see `board_order`."""
NOTE = "note"
"""The key of the players' note beside the score."""
TABLE_PHOTOGRAPH = "table_photograph"
"""The key of the photograph of the whole table, which is also read for cards."""
LEFT_OPEN = "left_open"
"""The key of the doubtful spaces of that photograph that were said to hold something else."""
RECOUNTS = "recounts"
"""The key of the number of recounts of the finished game."""
LESSONS = "lessons"
"""The key that marks a table at which a camera watches lessons, which is not a game."""
LONGEST_NOTE = 2000
NO_BOARD: Mapping[str, Any] = {"board": None, "checked": []}
"""The keys of an owner whose board is unknown."""


class NoSuchGameError(LookupError):
    """No game has this id, it has been deleted, or no such revision is kept."""


class BrokenGameError(NoSuchGameError):
    """The stored game is unreadable: the database was damaged, or its game is not installed."""


def new_game(
    players: Sequence[tuple[str, str]], mode: str, game: str, profile: str = ""
) -> Document:
    """Return the document of a new game of `players`, given as name and marker colour.

    `profile` is the board it is played on; "" leaves it to the first photograph.
    """
    pages = pages_of(game)
    return {
        **pages.blank(mode)[0],
        **({PROFILE: profile} if profile else {}),
        "players": [_new_player(pages, name, marker) for name, marker in players],
        **({BOARDS: _new_boards(pages, mode, len(players))} if pages.game.table.listed else {}),
        "confirmed": ["players"],
    }


def _new_player(pages: GamePages, name: str, marker: str) -> dict[str, Any]:
    own = {} if pages.game.table.listed else NO_BOARD
    return {"name": name, "marker": marker, **own, **pages.blank("")[1]}


def _new_boards(pages: GamePages, mode: str, players: int) -> list[dict[str, Any]]:
    empty = pages.game.pieces_data({})
    return [
        {
            **({KIND: kind.id} if kind.id else {}),
            **({} if seat is None else {SEAT: seat}),
            **{MOMENT: moment, **NO_BOARD, **empty},
        }
        for kind, seat in pages.game.table.instances(players)
        for moment in pages.moments(mode)
    ]


def _slot(board: Mapping[str, Any]) -> tuple[Any, ...]:
    return board.get(KIND), board.get(SEAT), board[MOMENT]


def player_names(document: Document) -> list[Verbatim]:
    """Return the players' names in seat order, for sentences in any language."""
    return [Verbatim(player["name"]) for player in document["players"]]


def with_players(document: Document, players: Sequence[tuple[str, str]], mode: str) -> Document:
    """Rename players, add or remove players at the end, and set the mode.

    Steps affected by this must be redone: boards of new players, and what another mode asks.
    """
    pages = pages_of(document["game"])
    kept = list(document["players"][: len(players)])
    kept += [_new_player(pages, *player) for player in players[len(kept) :]]
    seats = [
        {**player, "name": name, "marker": marker}
        for player, (name, marker) in zip(kept, players, strict=True)
    ]
    changed, again = pages.with_mode(document, mode)
    if len(seats) > len(document["players"]):
        again = {*again, "photographs", *pages.steps(changed).end}
    own_steps = [*pages.steps(document).players, *([] if is_shared(document) else ["review"])]
    gone = range(len(seats), len(document["players"]))
    again = {*again, *(f"{step}-{seat}" for step in own_steps for seat in gone)}
    changed = {**changed, "players": seats}
    others = len(seats) != len(document["players"]) and not has_moments(document)
    if is_shared(document) and (others or mode != document.get("mode", "")):
        known = {_slot(own): own for own in owners(document)}
        boards = [known.get(_slot(new), new) for new in _new_boards(pages, mode, len(seats))]
        again = {*again, "photographs", *_reviews(document)}
        changed = with_owners(changed, boards)
    return without_confirmed(changed, again)


def with_profile(document: Document, profile: str, before: Topology, after: Topology) -> Document:
    """Switch to another board by profile name; "" leaves it to the next photograph.

    Pieces entered by hand stay where the new board has the same place; photographs must be read
    again.
    """
    changed = {key: value for key, value in document.items() if key != PROFILE}
    if profile:
        changed[PROFILE] = profile
    game = game_of(document)
    for seat, player in enumerate(owners(document)):
        if player["board"] is not None and player["board"]["photograph"] is not None:
            changed = dict(without_board(changed, seat))
        else:
            pieces = pieces_of(document, seat, before)
            kept = {place: own for place, own in pieces.items() if _lies_on(after, game, place)}
            changed = dict(with_owner(changed, seat, **written(changed, kept, after)))
    return without_confirmed(changed, ("photographs", *_reviews(document)))


def review(seat: int) -> str:
    return f"review-{seat}"


def _reviews(document: Document) -> list[str]:
    return [review(seat) for seat in range(len(owners(document)))]


def _lies_on(board: Topology, game: Game[Any, Any, Any], place: Place) -> bool:
    try:
        game.position(board, {place: game.admits(place)[0]})
    except (ValueError, KeyError):
        return False
    return True


def with_piece(
    document: Document, player: int, place: Place, piece: str | None, board: Topology
) -> Document:
    """Put a piece, or None, on a place of an owner's board, and mark the place as checked."""
    seat = owner(document, player)
    dials = {one.id for one in game_of(document).pieces if one.dial}  # each exists once
    pieces = pieces_of(document, player, board)
    pieces = {at: own for at, own in pieces.items() if at != place and not own == piece in dials}
    if piece is not None:
        pieces[place] = piece
    checked = sorted({*seat["checked"], place.id})
    return with_owner(document, player, **written(document, pieces, board), checked=checked)


def with_count(
    document: Document, player: int, track: str, count: int, board: Topology, kind: str = ""
) -> Document:
    """Set the number of pieces on a track of an owner's board, and mark it as checked.

    With `kind`, set the number of that kind in a region, whose id is given as `track`.
    """
    seat = owner(document, player)
    game = game_of(document)
    pieces = pieces_of(document, player, board)
    held = counted(pieces, track)
    pieces = {place: own for place, own in pieces.items() if place.id != track}
    if kind:
        pieces |= in_region(track, {**held, kind: count})
    else:
        (piece,) = game.admits(Place(track, "track"))
        pieces |= {Place(track, "track", slot): piece for slot in range(count)}
    checked = sorted({*seat["checked"], track})
    return with_owner(document, player, **written(document, pieces, board), checked=checked)


def with_answer(document: Document, key: str, answer: Any, player: int | None = None) -> Document:
    """Set the answer to a question of the table or of a player; `a.b` is the key b within a."""
    if player is not None:
        players = list(document["players"])
        players[player] = {**numbered(players, player), key: answer}
        return {**document, "players": players}
    outer, _, inner = key.partition(".")
    return {**document, outer: {**document.get(outer, {}), inner: answer} if inner else answer}


def with_answers(document: Document, answers: Sequence[Mapping[str, Any]]) -> Document:
    """Set answers of each player, in seat order."""
    players = zip(document["players"], answers, strict=True)
    return {**document, "players": [{**player, **own} for player, own in players]}


def is_work(document: Document, player: int) -> bool:
    """Whether somebody entered, followed, corrected or confirmed the pieces on a board.

    What was only read, or pre-filled for entry by hand, can be restored and is no work.
    """
    seat = owner(document, player)
    if not has_pieces(document, player):
        return False
    if seat["checked"] or is_confirmed(document, player):
        return True
    if seat["board"] == BY_HAND:
        lain = _pieces_before(document, player)
        own = seat_pieces(document, player)
        return own != {
            key: lain.get(key, empty) for key, empty in game_of(document).pieces_data({}).items()
        }
    return seat["board"] is None or seat["board"]["photograph"] is None


def overwritten(before: Document, after: Document) -> list[int]:
    """Return the owners whose board is somebody's work and would be changed or removed."""
    return [
        seat
        for seat in range(len(owners(before)))
        if is_work(before, seat)
        and (seat >= len(owners(after)) or seat_pieces(before, seat) != seat_pieces(after, seat))
    ]


def offers(document: Document) -> list[int]:
    """Return the owners who have been offered another board."""
    return [seat for seat, player in enumerate(owners(document)) if player.get("offered")]


def with_hand_entry(
    document: Document, player: int, settled: str | None = None, instead: bool = False
) -> Document:
    """Start entering an owner's board by hand if there is none; earlier failures are settled.

    With `instead`, it replaces a photographed board, whose pieces stay as a start.
    """
    if owner(document, player)["board"] is not None and not instead:
        return document
    document = with_owner(document, player, board=BY_HAND, settled=settled)
    if not has_pieces(document, player):
        document = with_owner(document, player, **_pieces_before(document, player))
    return without_confirmed(document, (review(player),))


def _pieces_before(document: Document, number: int) -> Mapping[str, Any]:
    """Return the pieces that entry of an empty board by hand starts with, as game-file keys.

    If pieces stay in place, those of the last known snapshot, or else the initial setup, except
    what is on dials.
    """
    game, guided = game_of(document), pages_of(document["game"]).guided
    if not game.table.pieces_stay:
        return {}
    try:
        board = load_profile(document[PROFILE]).board
    except (KeyError, ProfileError):  # no board chosen, or it is gone
        board = game.standard_board
    known = [one for one in owners(document)[:number] if one["board"] is not None]
    if known:
        position = game.position_from_data(board, known[-1])
    elif guided is not None and guided.fits(document):
        begun = guided.turns.begun(guided.rules_of(document), board, Random(0))
        position = guided.turns.positions(begun)[0]
    else:
        return {}
    pieces = {at: own for at, own in game.pieces_of(position).items() if at.kind != "dial"}
    return game.pieces_data(pieces)


def has_board(document: Document, player: int) -> bool:
    """Return whether an owner's board is known; one entered by hand must have pieces."""
    seat = owner(document, player)
    if seat["board"] is None:
        return False
    photographed = seat["board"]["photograph"] is not None
    return photographed or has_pieces(document, player) or is_confirmed(document, player)


def is_confirmed(document: Document, player: int) -> bool:
    """Return whether somebody has confirmed an owner's board."""
    return review(player) in document["confirmed"]


def has_pieces(document: Document, player: int) -> bool:
    """Return whether there are pieces on an owner's board."""
    return seat_pieces(document, player) != game_of(document).pieces_data({})


def has_all_boards(document: Document) -> bool:
    return all(has_board(document, player) for player in range(len(owners(document))))


def with_board_confirmed(document: Document, player: int) -> Document:
    """Confirm an owner's board, and the photographs once all boards are known.

    Raises NoSuchSeatError.
    """
    owner(document, player)
    document = confirm(document, review(player))
    if "photographs" not in document["confirmed"] and has_all_boards(document):
        return confirm(document, "photographs")
    return document


def without_board(document: Document, player: int) -> Document:
    empty = game_of(document).pieces_data({})
    return without_confirmed(
        with_owner(document, player, board=None, checked=[], offered=None, **empty),
        (review(player),),
    )


def exchange_boards(document: Document, player: int, other: int) -> Document:
    """Swap two owners' boards, to be confirmed again. Raises NoSuchSeatError."""
    order = list(range(len(owners(document))))
    numbered(owners(document), max(player, other))
    order[player], order[other] = other, player
    return rearranged(document, order)


def rearranged(document: Document, order: Sequence[int]) -> Document:
    """Give each owner the board of the owner at the same index of `order`.

    What followed from the boards is to be confirmed again, and after a photograph of the whole
    table what lay beside them too.
    """
    pages = pages_of(document["game"])
    keys = ("board", "checked", "offered", "settled", *game_of(document).pieces_data({}))
    before, moved = owners(document), [at for at, one in enumerate(order) if at != one]
    for at in moved:
        document = with_owner(document, at, **{key: before[order[at]].get(key) for key in keys})
    is_beside = document.get(TABLE_PHOTOGRAPH) and not is_shared(document)
    names = ("review", *(pages.steps(document).players if is_beside else ()))
    document = without_confirmed(document, [f"{name}-{at}" for name in names for at in moved])
    for step in pages.steps(document).end if moved and not is_shared(document) else ():
        document = without_confirmed(pages.with_answers(step, document, {}), [step])
    return document


def seats_for(document: Document, photograph: str, player: int, boards: int) -> list[int]:
    """Return the owners of a photograph's boards: its player, and those without a board."""
    seats = range(len(owners(document)))
    waiting = [seat for seat in seats if seat != player and not has_board(document, seat)]
    return sorted([player, *waiting][:boards])


def free_seats(document: Document, photographed: Container[int | None]) -> list[int]:
    """Return the owners without a board and without a photograph being read."""
    return [
        seat
        for seat in range(len(owners(document)))
        if seat not in photographed and not has_board(document, seat)
    ]


def confirm(document: Document, step: str) -> Document:
    return {**document, "confirmed": [*without(document["confirmed"], (step,)), step]}


def without_confirmed(document: Document, steps: Iterable[str]) -> Document:
    """Mark steps as to be redone."""
    return {**document, "confirmed": without(document["confirmed"], steps)}


def without(values: Iterable[str], gone: Iterable[str]) -> list[str]:
    gone = set(gone)
    return [value for value in values if value not in gone]


def with_note(document: Document, note: str) -> Document:
    """Set the players' note; "" removes it."""
    others = {key: value for key, value in document.items() if key != NOTE}
    return {**others, NOTE: note} if note else others


def game_data(document: Document) -> dict[str, Any]:
    """Return the document as a game file, without the companion's own keys.

    An owner whose board is unknown may have a `photo` in place of pieces.
    """
    return pages_of(document["game"]).game_data(document)


def pieces_of(document: Document, player: int, board: Topology) -> dict[Place, str]:
    """Return the pieces on an owner's board. Raises ValueError if they do not fit it."""
    game, own = game_of(document), owner(document, player)
    return game.pieces_of(game.position_from_data(game.board_of(own.get(KIND, ""), board), own))


def seat_pieces(document: Document, player: int) -> dict[str, Any]:
    """Return the pieces on an owner's board by game-file keys."""
    seat = owner(document, player)
    return {key: seat[key] for key in game_of(document).pieces_data({})}


def written(document: Document, pieces: Pieces, board: Topology) -> dict[str, Any]:
    """Return pieces by game-file keys, sorted in the board's order."""
    order = {space: number for number, space in enumerate(board.spaces)}
    ordered = sorted(pieces.items(), key=lambda one: (order.get(one[0].id, len(order)), one[0]))
    return game_of(document).pieces_data(dict(ordered))


def game_of(document: Document) -> Game[Any, Any, Any]:
    return pages_of(document["game"]).game
