"""Labels of synthesized photographs: the JSON beside a picture that says what is true in it.

``stars`` are the pieces on spots; ``links`` those on edges; ``regions`` how many of each kind lie
in a region, and which piece faces a place of a dial, where the board has some; a track's own key
says how many pieces it holds, from its beginning on.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from pydantic import Field, ValidationError

from calibration import Profile, load_profile
from models.synthesis.photograph import BoardTruth, SyntheticPhotograph
from scorer.datafile import DataFileError, key_of, read_data_file
from scorer.places import Place, PlaceKind, counted
from scorer.table import Pieces
from scorer.validation import FileModel, not_among, reason_of

NEEDED = ("edition", "boards", "tokens")
_KEYS: dict[PlaceKind, str] = {
    **{"spot": "stars", "edge": "links"},
    **{"dial": "regions", "region": "regions"},
}


def labels(shot: SyntheticPhotograph, edition: str) -> dict[str, Any]:
    """What is true in the photograph.

    The first board stands at the top level as everywhere; ``boards`` has them all and ``tokens``
    each visible piece's footprint in px.
    """
    height, width = shot.picture.shape[:2]
    boards = [_board_labels(board) for board in shot.boards]
    return {
        **(boards[0] if boards else {}),
        "size": [width, height],
        "edition": edition,
        "boards": boards,
        "tokens": [
            {"star": piece, "footprint": foot.round(1).tolist()} for piece, foot in shot.tokens
        ],
    }


def position_labels(profile: Profile, pieces: Pieces) -> dict[str, Any]:
    """What lies on a board.

    >>> from calibration import load_profile
    >>> lying = {Place("core"): "red", Place("black", "track", 0): "black"}
    >>> position_labels(load_profile("standard"), lying)
    {'stars': {'core': 'red'}, 'black': 1}
    """
    kinds = {"spot", *(place.kind for place in profile.places)}
    keys: dict[str, dict[str, Any]] = {key: {} for kind, key in _KEYS.items() if kind in kinds}
    counts = dict.fromkeys(profile.tracks, 0)
    for place, piece in pieces.items():
        if place.kind == "track":
            counts[place.id] += 1
        elif place.kind == "region":
            keys["regions"][place.id] = dict(counted(pieces, place.id))
        else:
            keys[_KEYS[place.kind]][place.id] = piece
    return {**keys, **counts}


def _board_labels(board: BoardTruth) -> dict[str, Any]:
    return {
        **position_labels(board.profile, board.pieces),
        "corners": board.corners.round(2).tolist(),
        "spaces": {name: [round(x, 2), round(y, 2)] for name, (x, y) in board.spaces.items()},
        "cropped": board.cropped,
    }


def read_labels(picture: Path) -> dict[str, Any]:
    """The labels of a picture that `stargazer synthesize` wrote.

    DataFileError with every mistake in other ones; ProfileError where their edition is no profile.
    """
    path = picture.with_suffix(".json")
    try:
        truth = read_data_file(path)
        missing = [key for key in NEEDED if not isinstance(truth, dict) or key not in truth]
        if missing:
            reason = f"has no {', '.join(missing)}: only what `stargazer synthesize` wrote teaches"
            raise DataFileError([("", reason)])
        _check(truth, picture.parent / "editions")
    except DataFileError as error:
        problems = ((f"{path}: {key}".removesuffix(": "), why) for key, why in error.problems)
        raise DataFileError(problems) from None
    read: dict[str, Any] = truth
    return read


Px = Annotated[
    list[Annotated[float, Field(allow_inf_nan=False)]], Field(min_length=2, max_length=2)
]


class _Board(FileModel):
    corners: Annotated[list[Px], Field(min_length=4, max_length=4)]
    cropped: bool
    stars: dict[str, str] = Field(default_factory=dict)
    links: dict[str, str] = Field(default_factory=dict)
    regions: dict[str, str | dict[str, int]] = Field(default_factory=dict)


class _Token(FileModel):
    star: str
    footprint: Annotated[list[Px], Field(min_length=1)]


class _Labels(FileModel):
    edition: str
    boards: list[_Board]
    tokens: list[_Token]


def _check(truth: Mapping[str, Any], editions: Path) -> None:
    """Raise DataFileError where labels have another shape, or name what their edition has not."""
    try:
        read = _Labels.model_validate(truth)
    except ValidationError as error:
        wrong = error.errors(include_url=False)
        raise DataFileError((key_of(one["loc"]), reason_of(one)) for one in wrong) from None
    profile = _edition(editions / read.edition)
    pieces = [piece.id for piece in profile.game.pieces]
    named = [(f"tokens[{i}].star", token.star) for i, token in enumerate(read.tokens)]
    problems = []
    for number, (board, written) in enumerate(zip(read.boards, truth["boards"], strict=True)):
        by_place = {**board.stars, **board.links, **board.regions}
        named += [
            (f"boards[{number}]: {place}", piece)
            for place, pieces in by_place.items()
            for piece in ([pieces] if isinstance(pieces, str) else pieces)
        ]
        if not cv2.isContourConvex(np.array(board.corners, np.float32)):
            problems.append((f"boards[{number}].corners", "must go round the board"))
        for track in profile.tracks:
            if type(written.get(track)) is not int:
                reason = "must be how many pieces lie on the track"
                problems.append((f"boards[{number}].{track}", reason))
    problems += [
        (key, not_among(piece, "no piece of the game", pieces))
        for key, piece in named
        if piece not in pieces
    ]
    if problems:
        raise DataFileError(problems)


_edition = lru_cache(32)(load_profile)


def pieces_on(board: Mapping[str, Any], profile: Profile) -> dict[Place, str | None]:
    """What a board's labels say of its places: a piece, or nothing.

    A slot of a track that admits several pieces is left out where it holds one: only the count is
    written. Regions are left out.
    """
    game = profile.game
    pieces: dict[Place, str | None] = {}
    for place in profile.places:
        if place.kind == "region":
            continue
        if place.kind != "track":
            pieces[place] = board[_KEYS[place.kind]].get(place.id)
        elif place.slot >= board[place.id]:
            pieces[place] = None
        elif len(game.admits(place)) == 1:
            pieces[place] = game.admits(place)[0]
    return pieces


def footprint_centres(truth: Mapping[str, Any]) -> np.ndarray:
    """(T, 2) px, the middles of the visible pieces' footprints."""
    feet = [np.mean(token["footprint"], axis=0) for token in truth["tokens"]]
    return np.array(feet, float).reshape(-1, 2)
