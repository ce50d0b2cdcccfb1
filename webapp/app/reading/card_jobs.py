"""Finding cards and tokens in photographs, run in the process that decodes photographs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import Profile, ProfileError, load_profile
from calibration.artwork import TokenSheet, TokenSpots, token_sheets
from calibration.cards import (
    Card,
    artwork_windows,
    card_artwork,
    number_picture,
    number_window,
    whole_card,
)
from calibration.colour_profile import as_colour
from calibration.drawing import Drawing, disc, rasterise
from calibration.ink_saving import on_white
from calibration.own_deck import (
    CARD_PX,
    PHOTOGRAPH_PX,
    OwnDeck,
    UnnamedCard,
    encode_card,
    own_deck,
)
from calibration.profile import profile_version, profiles_state
from calibration.side_boards import own_sheets, sheet_of
from vision import load_photo
from vision.card_corners import TableMetric
from vision.card_features import Seen, features_of
from vision.card_numbers import PrintedNumbers
from vision.card_pictures import CardPicture
from vision.card_rows import LaidCard, cut_card, find_rows
from vision.cards import UNCERTAIN_BELOW, Deck
from vision.rectify import shrunk, transform
from vision.token_sheets import PrintedPoints, PrintedSheet, TokenSheetReader
from vision.token_tracks import PX_PER_MM, PrintedSpots
from webapp.app.game_pages import pages_of
from webapp.app.reading.board_reader import vision_errors
from webapp.app.reading.readings import in_reading_order

_OF_SETUP = ("tracks", "spots")
"""What the sheets hold that a setup is compared to."""
_ARTWORK_PX = 96
"""The longer side of a card's picture in px."""
_NUMBER_PX_PER_MM = 5.0
_HELD_PX = 640
"""The longer side of the picture in which a card that is held up is searched by features."""
_FOUND, _ASKED, _INK = (120, 255, 170), (60, 190, 255), (20, 20, 20)
"""BGR colours of the outlines and labels on the owner's photograph."""


def find_cards(path: Path, profile: str, boards: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """Return the cards in the photograph at `path`, as `CardReading.to_data` returns them.

    Uses the owner's own cards if there are any, else the printed ones. The order is row by row,
    left to right. The areas of `boards`, corners in px, are not searched. Raises
    UnusablePhotographError, and ProfileError if the profile is gone.
    """
    return _cards_in(_decoded(path), profile, boards)


def find_held(path: Path, profile: str, cards: Collection[str]) -> set[str]:
    """Return which of some `cards` is held up to a camera for certain; more than one if in doubt.

    A card that is seen whole has an outline; one of which a hand covers the edges is large, and its
    features show in a small picture, while another has its outline behind it. Raises the errors of
    `find_cards`.
    """
    image, (deck, _) = _decoded(path), deck_of(profile)
    found = [*deck.find(image, by_outline=True), *deck.find(shrunk(image, _HELD_PX)[0])]
    return {card.card for card in found if card.confidence >= UNCERTAIN_BELOW}.intersection(cards)


def _decoded(path: Path) -> np.ndarray:
    with vision_errors():
        return load_photo(path).image


def _cards_in(
    image: np.ndarray, profile: str, boards: Sequence[Any], seen: Seen | None = None
) -> list[dict[str, Any]]:
    deck, shown = deck_of(profile)
    taken = [np.asarray(corners, float) for corners in boards]
    found = [card.to_data() for card in deck.find(image, taken, seen=seen)]
    cards = [
        {"corners": card["corners"] if shown else whole_card(card["corners"])} for card in found
    ]
    return [found[number] for number in in_reading_order(cards)]


def read_table(
    path: Path,
    profile: str,
    boards: Sequence[Any] = (),
    questions: Collection[str] = (),
    players: Collection[str] = (),
) -> dict[str, Any]:
    """Return what is beside the `boards` of a whole table, as keys of its reading.

    `cards` are those of `find_cards`; `tracks` has, by the names in
    `calibration.artwork.TokenSheet`, the `order` of the tokens, the leading one first, whether that
    is `certain` or a guess, and the `corners` of their sheet; `points` has by question those `at`
    the markers, by the colours of the `players`, that are certain, and the `corners`, if it is one
    of the open `questions`. What may be a card is none where a sheet lies. Raises the errors of
    `find_cards`.
    """
    image, layout = _decoded(path), load_profile(profile).layout
    are_asked = any(not own.points.keys().isdisjoint(questions) for own in token_sheets(layout))
    holding = ("tracks", *(["points"] if are_asked else []))
    seen = features_of(image, [np.asarray(corners, float) for corners in boards])
    width, height = layout.size_mm
    table = TableMetric(np.array(boards, float), height / width) if len(boards) else None
    most_mm2 = width**2 * seen.largest(table) if table else np.inf
    with ThreadPoolExecutor(1) as beside:
        read = beside.submit(
            _sheets_in, image, profile, holding, boards, table, seen, players, most_mm2
        )
        cards = _cards_in(image, profile, boards, seen)
    sheets = read.result()
    found = [track["certain"] for sheet in sheets.values() for track in sheet["tracks"].values()]
    sure_cards = [card for card in cards if card["confidence"] >= UNCERTAIN_BELOW]
    sure = [card["corners"] for card in sure_cards]
    is_all_read = all(found) and len(sheets) == len(_readers_of_sheets(profile, holding))
    if sure and not is_all_read:  # without cards, the same would be searched again
        sheets = _sheets_in(image, profile, holding, [*boards, *sure], table, None, players)
    tracks = {
        name: {**track, "corners": sheet["corners"]}
        for sheet in sheets.values()
        for name, track in sheet["tracks"].items()
    }
    points = {
        question: {"at": own, "corners": sheet["corners"]}
        for sheet in sheets.values()
        for question, own in sheet["points"].items()
    }
    cards = [card for card in cards if card in sure_cards or not _is_on(card, sheets.values())]
    return {"cards": cards, "tracks": tracks, "points": points}


def _is_on(card: Mapping[str, Any], sheets: Collection[Mapping[str, Any]]) -> bool:
    x, y = np.mean(np.asarray(card["corners"], float), axis=0)
    outlines = (np.array(sheet["corners"], np.float32) for sheet in sheets)
    return any(cv2.pointPolygonTest(one, (float(x), float(y)), False) >= 0 for one in outlines)


def read_sheets(path: Path, profile: str, taken: Sequence[Any] = ()) -> dict[str, Any]:
    """Return the token sheets found outside the `taken` areas, by name.

    A sheet has `spots` and `corners`, as in `vision.token_sheets.SheetReading`, and `tracks` as in
    `read_table`, with the `places` of their tokens, if any was seen. Raises
    UnusablePhotographError, and ProfileError if the profile is gone.
    """
    return _sheets_in(_decoded(path), profile, _OF_SETUP, taken)


def _sheets_in(
    image: np.ndarray,
    profile: str,
    holding: Sequence[str],
    taken: Sequence[Any],
    table: TableMetric | None = None,
    seen: Seen | None = None,
    players: Collection[str] = (),
    most_mm2: float = np.inf,
) -> dict[str, Any]:
    sheets: dict[str, Any] = {}
    areas = [np.asarray(one, float) for one in taken]
    for name, reader in _readers_of_sheets(profile, holding).items():
        found = reader.find(image, areas, table, seen, players, most_mm2)
        if found is None:
            continue
        tracks = {
            track: {"order": [*own.order], "certain": own.certain, "places": {**own.places}}
            for track, own in found.tracks.items()
            if own.places or holding != _OF_SETUP
        }
        points = {question: {**own} for question, own in found.points.items()}
        corners = np.round(found.corners, 1).tolist()
        spots = {**found.spots}
        sheets[name] = {"tracks": tracks, "spots": spots, "points": points, "corners": corners}
    return sheets


def _readers_of_sheets(profile: str, holding: Sequence[str]) -> Mapping[str, TokenSheetReader]:
    return sheet_readers(profile, profiles_state(), tuple(holding))


@lru_cache(4)
def sheet_readers(
    profile: str, state: object, holding: Sequence[str]
) -> Mapping[str, TokenSheetReader]:
    """Return the readers of a game's token sheets by name: `holding` names what they have.

    They know both ways of printing, and the owner's prints of sheets with tracks.
    """
    layout, own = load_profile(profile).layout, defaultdict[str, list[PrintedSheet]](list)
    for mine in own_sheets(layout.game):
        own[mine.layout.kind].append(photographed_sheet(mine))
    return {
        name: TokenSheetReader([*own[name], *(_printed(one, saving) for saving in (False, True))])
        for one in token_sheets(layout)
        if (name := one.sheet.name) and any(getattr(one, kind) for kind in holding)
    }


def photographed_sheet(mine: Profile) -> PrintedSheet:
    """Return the owner's print with those tracks that are rows.

    Their tokens have the colours of their samples, or those of the game.
    """
    reference = mine.require_reference()
    size = [round(side * PX_PER_MM) for side in mine.size_mm]
    colours = {
        one.id: as_colour(mine.colour_profile.bgr(one.id, one.colour)) for one in mine.game.pieces
    }
    tracks = sheet_of(mine).tracks
    squares = {track: np.array([*own.at.values()]) for track, own in tracks.items()}
    rows = [own[:, 1].mean() for own in squares.values()]

    def face(token: str, size_mm: float) -> np.ndarray:
        plain = disc((size_mm / 2, size_mm / 2), size_mm / 2, colours[token])
        return rasterise(Drawing((size_mm, size_mm), (plain,)), PX_PER_MM)

    def places(track: str, of: TokenSpots) -> PrintedSpots:
        faces = {id: face(id, token.size_mm[0]) for id, token in of.tokens.items()}
        _own, *away = sorted(abs(squares[track][:, 1].mean() - row) for row in rows)
        reach = away[0] / 2 if away else np.inf
        at = dict(zip(of.at, squares[track], strict=True))
        return PrintedSpots(at, faces, only_colours=True, reach_mm=reach)

    found = {track: places(track, own) for track, own in tracks.items() if _is_row(squares[track])}
    return PrintedSheet(cv2.resize(reference, size, interpolation=cv2.INTER_AREA), found)


def _is_row(squares: np.ndarray) -> bool:
    """Whether (N, 2) squares lie from left to right, their start first."""
    x, y = squares.T
    return len(x) > 1 and bool((np.diff(x) > 0).all() and np.ptp(y) < np.diff(x).min())


def _printed(sheet: TokenSheet, saving: bool) -> PrintedSheet:
    def drawn(drawing: Drawing) -> np.ndarray:
        marks = on_white(drawing.marks) if saving else drawing.marks
        return rasterise(replace(drawing, marks=tuple(marks)), PX_PER_MM)

    def places(of: TokenSpots) -> PrintedSpots:
        at = {id: np.array(point) for id, point in of.at.items()}
        return PrintedSpots(at, {token: drawn(face) for token, face in of.tokens.items()})

    tracks = {track: places(own) for track, own in sheet.tracks.items()}
    points = {
        question: PrintedPoints(places(own.spots), places(replace(own.spots, tokens=own.backs)))
        for question, own in sheet.points.items()
    }
    return PrintedSheet(drawn(sheet.sheet), tracks, [places(own) for own in sheet.spots], points)


def cards_in_rows(path: Path, earlier: int) -> OwnDeck:
    """Return the unnamed cards in the photograph at `path`, and the photograph with outlines.

    The cards must be upright and separate. They are numbered after the `earlier` ones; whether the
    first one follows those is unknown. Raises UnusablePhotographError.
    """
    image = _decoded(path)
    found = find_rows(image)
    if not found:
        return OwnDeck()
    unnamed = [
        UnnamedCard(encode_card(cut_card(image, card.corners, CARD_PX)), card.follows)
        for card in found
    ]
    return OwnDeck({}, unnamed, [encode_card(_outlined(image, found, earlier))])


def _outlined(image: np.ndarray, cards: Sequence[LaidCard], earlier: int) -> np.ndarray:
    """Return the photograph, reduced, with numbered cards; "?" if one before it may be missing."""
    small, to_image = shrunk(image, PHOTOGRAPH_PX)
    drawn = small.copy()
    to_small, font, across = np.linalg.inv(to_image), cv2.FONT_HERSHEY_DUPLEX, drawn.shape[1] / 900
    for number, card in enumerate(cards, earlier + 1):
        outline = np.rint(transform(to_small, card.corners)).astype(np.int32)
        colour = _FOUND if card.follows else _ASKED
        for ink, wide in ((_INK, 7), (colour, 3)):
            cv2.polylines(drawn, [outline], True, ink, max(round(wide * across), 1), cv2.LINE_AA)
        text = f"{number}" if card.follows else f"? {number}"
        (width, height), _ = cv2.getTextSize(text, font, across, 1)
        left, top = outline.mean(axis=0).astype(int) - (width // 2, height // 2)
        rim = height // 2
        box = ((left - rim, top - rim), (left + width + rim, top + height + rim))
        cv2.rectangle(drawn, *box, colour, -1)
        cv2.putText(drawn, text, (left, top + height), font, across, _INK, 1, cv2.LINE_AA)
    return drawn


def prepare_cards(profile: str) -> None:
    """Draw a game's cards and token sheets. Raises ProfileError.

    This process keeps them, so that the next photograph that it reads need not wait for that.
    """
    deck, _ = deck_of(profile)
    deck.prepare()
    for reader in _readers_of_sheets(profile, ("tracks",)).values():
        reader.prepare()


def deck_of(profile: str) -> tuple[Deck, bool]:
    """Return the deck that a profile's game is played with, and whether it is the owner's own."""
    version = profile_version(profile)
    shown = shown_deck(profile, version)
    return shown or printed_deck(profile, version), shown is not None


@lru_cache(2)
def shown_deck(profile: str, version: float) -> Deck | None:
    """Return the deck of cards that the owner photographed; None if there are none."""
    pictures: Mapping[str, np.ndarray] = {}
    with suppress(ProfileError):  # damaged: "My cards" says so
        pictures = own_deck(profile).pictures()
    known = {card.id: card for card in _cards(profile)} if pictures else {}
    own = [CardPicture(*each) for each in pictures.items() if each[0] in known]
    if not own:
        return None
    return Deck(own, without_picture=_without_picture(known, pictures), copies=_copies(profile))


def _without_picture(cards: Mapping[str, Card], shown: Collection[str]) -> Mapping[str, float]:
    """Return, by card, the share of the cards with its back whose pictures were not shown."""
    backs = Counter(card.deck for card in cards.values())
    unknown = Counter(card.deck for id, card in cards.items() if id not in shown)
    return {id: unknown[card.deck] / backs[card.deck] for id, card in cards.items()}


@lru_cache(2)
def printed_deck(profile: str, version: float) -> Deck:
    """Return the deck that `stargazer print --everything` prints, in both ways of printing."""
    numbers = {card.id: number_picture(card, _NUMBER_PX_PER_MM) for card in _cards(profile)}
    printed = PrintedNumbers(numbers, number_window())
    return Deck(_pictures(profile), artwork_windows(), printed, copies=_copies(profile))


def _pictures(profile: str) -> Iterator[CardPicture]:
    for card in {card.id: card for card in _cards(profile)}.values():  # of copies, one
        for saving in (False, True):
            yield CardPicture(card.id, card_artwork(card, _ARTWORK_PX, saving))


def _copies(profile: str) -> Mapping[str, int]:
    return Counter(card.id for card in _cards(profile))


def _cards(profile: str) -> Sequence[Card]:
    known = load_profile(profile)
    return pages_of(known.layout.game).cards(known, "en")
