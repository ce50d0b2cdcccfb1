"""Printed boards beside those that are scored, such as one for pieces drawn from a bag.

A game's token sheet says all that is needed to learn another print of it from a photograph, and to
read it. Its places are those where any of several pieces of the game may be, and the squares of its
tracks: what the edition's other tokens look like is not known, nor more than their colour of those
on tracks.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, NoReturn

import numpy as np

from calibration.artwork import TokenSheet, TokenSpots, artwork, token_sheets
from calibration.colour_profile import as_colour
from calibration.drawing import Drawing, rasterise
from calibration.layout import Layout, ProfileError, load_layout
from calibration.profile import (
    ARTWORK,
    LAYOUT_FILE,
    PX_PER_MM,
    Profile,
    built_in_profiles,
    load_profile,
    own_profile_names,
    profile_layout,
)
from scorer import registry
from scorer.game import Game
from scorer.places import Circle, FieldReader, Place, PrintedBoard
from scorer.plain import PlainBoard, PlainGame
from scorer.table import BoardKind, Piece, Table


@cache
def side_games(game: str) -> Mapping[str, Game[Any, Any, Any]]:
    """The pieces and places of each of a game's side boards, by kind: the name of its sheet."""
    return {sheet.sheet.name: _game(registry.find_game(game), sheet) for sheet in _sheets(game)}


@cache
def side_boards(game: str) -> Mapping[str, Profile]:
    """A game's side boards as it prints them, by kind."""
    return {sheet.sheet.name: _printed(game, sheet) for sheet in _sheets(game)}


def pattern(name: str) -> Profile:
    """The board that a photograph shows another print of: a profile, or a side board as GAME/KIND.

    Raises `ProfileError`.
    """
    game, _slash, kind = name.partition("/")
    known = side_boards(game) if game in registry.names() else {}
    return known[kind] if kind in known else load_profile(name)


def sheet_of(profile: Profile) -> TokenSheet:
    """The sheet that a side board is, with its places where that board has them."""
    layout = profile.layout
    (sheet,) = (one for one in _sheets(layout.game) if one.sheet.name == layout.kind)

    def moved(own: TokenSpots) -> TokenSpots:
        return replace(own, at={id: layout.spaces[id].at for id in own.at})

    return replace(
        sheet,
        sheet=replace(sheet.sheet, size_mm=layout.size_mm),
        tracks={track: moved(own) for track, own in sheet.tracks.items()},
        spots=[moved(own) for own in sheet.spots],
    )


def own_sheets(game: str) -> Iterator[Profile]:
    """The owner's prints of a game's sheets with tracks; not those that are damaged."""
    kinds = {sheet.sheet.name for sheet in _sheets(game) if sheet.tracks}
    for name in own_profile_names() if kinds else ():
        with suppress(ProfileError):
            layout = profile_layout(name)
            if layout.game == game and layout.kind in kinds:
                yield load_profile(name)


def _sheets(game: str) -> Sequence[TokenSheet]:
    """A game's sheets with those places alone that are read on another print of them."""
    if game not in registry.names(ARTWORK) or not hasattr(artwork(game), "token_sheets"):
        return ()
    folder = next(iter(built_in_profiles(game).values()), None)
    if folder is None:
        return ()
    pieces = {piece.id for piece in registry.find_game(game).pieces}
    sheets = (
        replace(
            sheet,
            spots=[
                own for own in sheet.spots if len(own.tokens) > 1 and own.tokens.keys() <= pieces
            ],
        )
        for sheet in token_sheets(load_layout(folder / LAYOUT_FILE, trusted=True))
    )
    return [sheet for sheet in sheets if sheet.spots or sheet.tracks]


def _of_each_kind(sheet: TokenSheet) -> Sequence[TokenSpots]:
    return (*sheet.spots, *sheet.tracks.values())


def _printed(game: str, sheet: TokenSheet) -> Profile:
    kind = sheet.sheet.name
    places = {
        Place(id): Circle(at, next(iter(spots.tokens.values())).size_mm[0] / 2)
        for spots in _of_each_kind(sheet)
        for id, at in spots.at.items()
    }
    title = registry.find_game(game).words.say(f"sheet_{kind}")
    board = side_games(game)[kind].standard_board
    layout = Layout(game, title, sheet.sheet.size_mm, places, None, board, kind)
    return Profile(kind, layout, rasterise(sheet.sheet, PX_PER_MM), built_in=True)


def _game(played: Game[Any, Any, Any], sheet: TokenSheet) -> Game[Any, Any, Any]:
    """The pieces and places of a side board, as a game of which nothing is scored."""
    terms = {id: own for own in _of_each_kind(sheet) for id in own.at}
    tokens = dict(chain.from_iterable(own.tokens.items() for own in _of_each_kind(sheet)))
    pieces_of_game = [piece for piece in played.pieces if piece.id in tokens]
    others = tokens.keys() - {piece.id for piece in pieces_of_game}
    further = [Piece(id, _colour(tokens[id]), supply=1) for id in tokens if id in others]
    standard = PlainBoard(tuple(terms), (), sheet.sheet.name)

    class SideBoard(PlainGame):
        id = played.id
        pieces = tuple(
            replace(piece, lies_on=frozenset({"spot"})) for piece in (*pieces_of_game, *further)
        )
        table = Table((BoardKind(standard, "all"),))

        def read_printed(self, fields: FieldReader) -> PrintedBoard | None:
            """The board, all of whose places have to be there."""
            printed = super().read_printed(fields)
            fields.same_names("spaces", standard)
            return printed

        def admits(self, place: Place) -> tuple[str, ...]:
            return tuple(terms[place.id].tokens) if place.id in terms else ()

        def place_name(self, board: PlainBoard, place: str, language: str = "en") -> str:
            """The name of its kind of place, and its number if there are several."""
            if place not in terms:
                return place
            term = terms[place].term
            name = played.words.say(f"on_{term}").in_language(language)
            every = [id for id, own in terms.items() if own.term == term]
            return f"{name} {every.index(place) + 1}" if len(every) > 1 else name

        def objectives(self, game: object, player: int) -> tuple[()]:
            return ()

        def check(self, *_: object) -> NoReturn:
            raise NotImplementedError

        def score(self, *_: object) -> NoReturn:
            raise NotImplementedError

    return SideBoard()


def _colour(token: Drawing) -> str:
    """The most common colour of a token, #rrggbb."""
    face = rasterise(token, PX_PER_MM)
    return as_colour(np.median(face.reshape(-1, 3), axis=0))
