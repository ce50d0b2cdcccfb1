"""Validation of stored documents, as the database may be damaged."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from scorer.identity import Same
from webapp.app.game_pages import pages_of
from webapp.app.session import flow, game_document, seats
from webapp.app.session.board_slots import DOUBTFUL, owners
from webapp.app.session.game_document import PROFILE
from webapp.app.session.photographed_boards import ASSIGNED

MOST_PIECES = 1000
"""The largest count in a document."""


def is_readable(document: Any) -> bool:
    """Return whether pages can work with a document; None stands for an unreadable one."""
    return _is_readable(Same(document))


@lru_cache(maxsize=512)
def _is_readable(kept: Same[Any]) -> bool:
    try:
        check_document(kept.it)
    except Exception:
        return False
    return True


def check_document(document: Mapping[str, Any]) -> None:
    """Raise some exception unless this is a valid document of a known game."""
    players = document["players"]
    pages = pages_of(document["game"])
    texts = [document.get(key, "") for key in (PROFILE, game_document.NOTE, "mode")]
    ensure(all(isinstance(text, str) for text in texts), "a text that is none")
    ensure(isinstance(players, list) and 1 <= len(players) <= len(pages.markers), "players")
    ensure(all(isinstance(step, str) for step in document["confirmed"]), "steps")
    ensure(isinstance(document.get(game_document.RECOUNTS, 0), int), "a count")
    left_open = document.get(game_document.LEFT_OPEN, [])
    ensure(all(isinstance(name, str) for name in left_open), "spaces")
    assigned = document.get(ASSIGNED, [])
    ensure(all(isinstance(name, str) for name in assigned), "boards")
    for player in players:
        ensure(isinstance(player["name"], str) and 0 < len(player["name"]) <= 100, "a name")
        ensure(player["marker"] in pages.markers, "a colour")
    nothing, known = pages.game.pieces_data({}), {piece.id for piece in pages.game.pieces}
    for owner in owners(document):
        ensure(all(isinstance(space, str) for space in owner["checked"]), "spaces")
        for source in (owner["board"], owner.get("offered")):
            ensure(source is None or _is_source(source, known), "a board")
        ensure(_are_like(owner, nothing, _is_piece), "pieces")
        written = [owner.get(key) for key in nothing]
        laid = [
            piece
            for own in written
            if isinstance(own, Mapping)
            for each in own.values()
            for piece in (each if isinstance(each, Mapping) else [each])
        ]
        ensure(
            known.issuperset(laid) and not any(isinstance(one, str) for one in written), "a piece"
        )
    begun, seat = pages.blank(document.get("mode", ""))
    ensure(_are_like(document, begun), "an answer")
    ensure(all(_are_like(player, seat) for player in players), "a player's answer")
    shown = seats.view(document, {}, None)
    flow.steps(shown)
    pages.game_data(shown)


def _is_source(source: Mapping[str, Any], pieces: Collection[str]) -> bool:
    counts = [count for counts in source.get(DOUBTFUL, {}).values() for count in counts]
    are_counts = all(
        re.fullmatch("[0-9]{1,3}", count.partition(" ")[0]) and count.partition(" ")[2] in pieces
        for count in counts
    )
    return (
        are_counts and isinstance(source["photograph"], str | None) and _is_count(source["index"])
    )


def _is_word(one: Any) -> bool:
    return one is None or isinstance(one, str) or _is_count(one)


def _are_like(
    kept: Mapping[str, Any], new: Mapping[str, Any], listed: Callable[[Any], bool] = _is_word
) -> bool:
    """Return whether a document's values have the types of a new game's; answers may be missing.

    `listed` checks the items of lists.
    """
    return all(_is_like(kept.get(key, fresh), fresh, listed) for key, fresh in new.items())


def _is_like(kept: Any, fresh: Any, listed: Callable[[Any], bool]) -> bool:
    if isinstance(fresh, Mapping):
        return isinstance(kept, Mapping) and all(
            _is_like(one, fresh.get(key, ""), listed) for key, one in kept.items()
        )
    if isinstance(fresh, list):
        same = len({type(one) for one in kept if one is not None}) < 2
        return isinstance(kept, list) and same and all(map(listed, kept))
    if fresh is None:
        return _is_word(kept)
    if listed is _is_piece and isinstance(kept, Mapping):  # counted pieces
        return all(map(_is_count, kept.values()))
    return isinstance(kept, str) if isinstance(fresh, str) else _is_count(kept)


def _is_piece(one: Any) -> bool:
    """Return whether something is a place, or the two ends of one."""
    ends = one if isinstance(one, list) and len(one) == 2 else [one]
    return all(isinstance(end, str) for end in ends)


def _is_count(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MOST_PIECES


def ensure(holds: bool, what: str) -> None:
    """Raise ValueError about `what` unless `holds`."""
    if not holds:
        raise ValueError(f"{what} that cannot be")
