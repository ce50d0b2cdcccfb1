"""Before a game: the goal, the setup step by step, its check by photograph, and printing."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from calibration.artwork import TokenSheet, describe_board, further_sheets, token_sheets
from calibration.cards import CrowdedCardError
from calibration.drawing import Drawing as Artwork
from calibration.drawing import Fill, Group, rasterise
from calibration.printing import PAPERS, Sheets, contents
from calibration.profile import Profile
from calibration.side_boards import side_boards
from scorer.board_state import BoardState
from scorer.table_guide import SetupStep, guide_of
from vision.cards import UNCERTAIN_BELOW
from webapp.app.boards.board_drawing import Drawing, draw
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.everything import everything, whole_game
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.game_words import GameWords
from webapp.app.languages import language
from webapp.app.reading.card_jobs import find_cards
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.reading_queue import QueueFullError
from webapp.app.reading.uploads import UnwantedPictureError
from webapp.app.session.saved_games import NoSuchGameError
from webapp.app.setup_check import (
    DeckCheck,
    SetupCheck,
    check_cards,
    check_setup,
    check_sheet,
    laid_at,
)
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.pages.sent_photograph import sent_photograph
from webapp.web.pages.token_sheets import (
    SeenSheet,
    boards_in,
    known_boards,
    sheets_in,
    side_boards_in,
)
from webapp.web.words import said, spoken_name

blueprint = Blueprint("table_setup", __name__, url_prefix="/table")

PICTURE_PX = 640
MOST_PX_A_MM = 16
BOARD = "board"


@dataclass(frozen=True)
class CheckedBoard:
    """A board of a photograph as read, and its differences from the setup."""

    title: str
    drawing: Drawing
    drawn_pieces: DrawnPieces
    found: SetupCheck

    def said(self, words: GameWords) -> Sequence[str]:
        """Return the differences in words, with equal ones combined."""
        missing = Counter(
            words.laid(piece, spoken_name(at))
            if piece
            else _("a piece on %(space)s", space=spoken_name(at))
            for piece, at in self.found.lacks
        )
        extra = Counter(words.laid(piece, spoken_name(at)) for piece, at in self.found.extra)
        return [
            *(_("Missing: %(what)s", what=_times(*one)) for one in missing.items()),
            *(_("Does not belong there yet: %(what)s", what=_times(*one)) for one in extra.items()),
        ]

    @property
    def places(self) -> Sequence[str]:
        return [at for _piece, at in (*self.found.lacks, *self.found.extra)]


@dataclass(frozen=True)
class CheckedSheet:
    """A printed sheet of a photograph compared to the setup; `unsure` places are unknown.

    `picture` is the URL of a picture of it.
    """

    sheet: TokenSheet
    picture: str
    found: SetupCheck
    unsure: Sequence[str]
    tokens: Mapping[str, str]
    """The tokens seen on spots, where several are possible."""

    def said(self, words: GameWords) -> Sequence[str]:
        """Return the differences and unknown places in words, with equal ones combined."""
        terms = {
            id: own.term
            for own in (*self.sheet.tracks.values(), *self.sheet.spots)
            for id in own.at
        }

        on_tracks = [one for one in self.found.lacks if one[1] in self._of_tracks]
        on_spots = [one for one in self.found.lacks if one[1] not in self._of_tracks]

        def times(places: Iterable[tuple[str, str]]) -> Iterator[str]:
            named = Counter(
                words.token(piece) if piece else words.say(f"on_{terms[at]}", at)
                for piece, at in places
            )
            return (_times(*one) for one in named.items())

        return [
            *(_("Missing: %(what)s", what=what) for what in times(on_spots)),
            *(_("Not seen: %(what)s", what=what) for what in times(on_tracks)),
            *(
                _("Does not belong there yet: %(what)s", what=what)
                for what in times(self.found.extra)
            ),
            *(
                _("Not clear, please check: %(what)s", what=what)
                for what in times(("", at) for at in self.unsure)
            ),
        ]

    @property
    def may_be_covered(self) -> bool:
        """Whether a token that was not seen may be under another one."""
        return any(at in self._of_tracks for _piece, at in self.found.lacks)

    @property
    def _of_tracks(self) -> Collection[str]:
        return {at for track in self.sheet.tracks.values() for at in track.at}

    @property
    def known(self) -> Collection[str]:
        """The glossary terms of parts that were checked completely."""
        every = (*self.sheet.tracks.values(), *self.sheet.spots)
        unsure = {own.term for own in every if {*own.at} & {*self.unsure}}
        return {own.term for own in every} - unsure

    @property
    def marks(self) -> Sequence[tuple[float, float, float, bool]]:
        """The places to look at: x, y and radius in mm, and whether it is only unclear."""
        wrong = {at for _piece, at in (*self.found.lacks, *self.found.extra)}
        return [
            (x, y, next(iter(own.tokens.values())).size_mm[0] / 2, id not in wrong)
            for own in (*self.sheet.tracks.values(), *self.sheet.spots)
            for id, (x, y) in own.at.items()
            if id in wrong or id in self.unsure
        ]


@dataclass(frozen=True)
class Checked:
    """A photograph compared to the setup: boards, sheets, and face-up cards by deck.

    `unseen` are the kinds of boards not shown; `cards_seen` says whether any card is.
    """

    boards: Sequence[CheckedBoard]
    sheets: Sequence[CheckedSheet]
    decks: Sequence[DeckCheck]
    unseen: Sequence[str]
    cards_seen: bool

    @property
    def of_decks(self) -> Sequence[str]:
        """The differences of the face-up cards, in words."""
        said = []
        for one in self.decks:
            if one.lacks:
                said.append(_("Missing: %(what)s", what=_times(one.deck, one.lacks)))
            if one.may_lack:
                unclear = _times(one.deck, one.may_lack)
                said.append(_("Not clear, please check: %(what)s", what=unclear))
            if one.seen > one.wanted:
                extra = _times(one.deck, one.seen - one.wanted)
                said.append(_("Does not belong there yet: %(what)s", what=extra))
        return said

    @property
    def tokens(self) -> str | None:
        """The tokens seen by place, for a guided game; None without any."""
        seen = (pair for sheet in self.sheets for pair in sheet.tokens.items())
        return ",".join(map(":".join, seen)) or None

    def not_looked_at(self, unread: Mapping[str, str]) -> Sequence[str]:
        """Return the unchecked parts of the setup, including `unread` (names by glossary term)."""
        cards = [] if self.cards_seen else [_("cards")]
        known = {term for sheet in self.sheets for term in sheet.known}
        return [*self.unseen, *cards, *(name for term, name in unread.items() if term not in known)]


def _times(what: str, count: int) -> str:
    return f"{count} × {what}" if count > 1 else what


@blueprint.get("/<game_name>")
def show(
    game_name: str, checked: Checked | None = None, problem: str = "", unprinted: str = ""
) -> ResponseReturnValue:
    """Show the goal and the setup for a number of players and a mode."""
    pages = _pages(game_name)
    guide = guide_of(pages.game)
    if guide is None:
        abort(404)
    players, mode = _asked(pages)
    steps = guide.setup(players, mode)
    laid: Mapping[str, Sequence[str]] = {}
    misfit = ""
    try:
        laid = _laid(pages, steps)
    except ValueError:
        misfit = _("Say how many play, and answer what else is asked above.")
    asks = {step.asks for step in steps}
    terms = {term.id: term for term in pages.game.glossary}
    unread = {word: said(terms[word].name) for step in steps for word in step.unread}
    page = render_template(
        "table_setup.html",
        pages=pages,
        guide=guide,
        steps=steps,
        unread=unread,
        counts=_counts(pages),
        players=players,
        modes=[*pages.modes],
        mode=mode,
        pictures=_drawings(game_name),
        groups={name for name, (_drawing, group) in _drawings(game_name).items() if group},
        papers={"a4": "A4", "letter": "Letter", "a3": "A3"},
        contents=_contents(game_name, language(), players),
        checked=checked,
        problem=problem,
        unprinted=unprinted,
        laid=laid,
        misfit=misfit,
        asked={one.id: one for one in pages.game.questions({}) if one.id in asks},
        answers=_answers(pages),
        reads=pages.guided and known_boards(game_name),
        boards_to_learn=_boards_to_learn(game_name, checked) if guard.keeps_boards() else (),
        sheets_read={one.sheet.name for one in token_sheets(_standard(game_name).layout)},
        begun=request.values.get("begun", "") if pages.guided else "",
    )
    return page, 422 if problem or misfit or unprinted else 200


@blueprint.post("/<game_name>")
@changes(Right.ANYBODY)
def check(game_name: str) -> ResponseReturnValue:
    """Show what is missing and extra on each board in a photograph."""
    pages, problem = _pages(game_name), ""
    found: Checked | None = None
    known = known_boards(game_name)
    try:
        with ExitStack() as kept:
            with sent_photograph() as picture:
                path = kept.enter_context(services().photographs.passing(picture))
            found = _looked_at(pages, path, known)
    except UnwantedPictureError as error:
        problem = str(error)
    except QueueFullError:
        problem = _("Many photographs are waiting. Try again in a moment.")
    except UnusablePhotographError as error:
        problem = _("No board was found. Photograph it whole, from above, in good light.")
        if error.problem == "too_slow":
            problem = _(
                "Reading this photograph took so long that it was stopped. Take another one,"
                " or save it again as an ordinary JPEG and choose that."
            )
    except ValueError:
        problem = _("Say how many play, and answer what else is asked above.")
    return show(game_name, found, problem)


def _looked_at(pages: GamePages, path: Path, known: Mapping[str, Profile]) -> Checked:
    """Compare the boards, sheets and face-up cards in a photograph with the setup.

    Raises UnusablePhotographError if it shows none, and ValueError for an impossible setup.
    """
    standard = _standard(pages.game.id)
    cards = pages.cards(standard, language())
    own_boards = {name: own for name, own in known.items() if not own.layout.is_side_board}
    may_lack = bool(cards or token_sheets(standard.layout))
    read = boards_in(path, [*own_boards], may_lack)
    beside = side_boards_in(path, known)
    corners = [board["corners"] for board in (*read, *beside)]
    run, name = services().run_job, standard.name
    found = run(find_cards, path, name, corners) if cards else []
    seen = [one for one in found if one["confidence"] >= UNCERTAIN_BELOW]
    unclear = [one["card"] for one in found if one not in seen]
    taken = [*corners, *(one["corners"] for one in seen)]
    read_beside = sheets_in(path, standard, known, beside, taken)
    if not read and not beside and not seen and not read_beside:
        raise UnusablePhotographError("no board and no card", "")
    players, settings = _table_settings(pages)
    decks = (
        check_cards(
            pages, standard, cards, [one["card"] for one in seen], unclear, players, **settings
        )
        if seen
        else ()
    )
    shown = {profile.name: profile for profile in known.values()}
    boards = [_checked(pages, shown[one["profile"]], one) for one in read]
    kinds = dict.fromkeys(own.layout.kind for own in own_boards.values())
    there = {shown[one["profile"]].layout.kind for one in read}
    unseen = [_title(pages, kind) for kind in kinds if kind not in there]
    sheets = [_checked_sheet(pages, standard, one) for one in read_beside]
    used = [sheet for sheet in sheets if sheet.found.wanted]
    return Checked(boards, used, decks, unseen, bool(seen))


def _checked_sheet(pages: GamePages, profile: Profile, seen: SeenSheet) -> CheckedSheet:
    """Compare a sheet with the setup. Raises ValueError for an impossible setup."""
    players, settings = _table_settings(pages)
    sheet, reading = seen.sheet, seen.reading
    found = check_sheet(pages, profile, sheet, reading, players, **settings)
    unsure = [id for own in sheet.spots for id in own.at if id not in reading["spots"]]
    unsure += [
        next(iter(own.at)) for track, own in sheet.tracks.items() if track not in reading["tracks"]
    ]
    return CheckedSheet(sheet, seen.picture, found, unsure, seen.tokens)


def _checked(pages: GamePages, profile: Profile, board: Mapping[str, Any]) -> CheckedBoard:
    """Compare a board of a reading with the setup. Raises ValueError for an impossible setup."""
    pieces = BoardState.from_data(board, pages.game).pieces
    players, settings = _table_settings(pages)
    found = check_setup(pages, profile, pieces, players, **settings)
    title = _title(pages, profile.layout.kind)
    return CheckedBoard(title, draw(profile), DrawnPieces.of(pieces), found)


def _title(pages: GamePages, kind: str) -> str:
    return pages.words.kind(kind) if kind else pages.words.say("board", _("The board"))


def _table_settings(pages: GamePages) -> tuple[int, dict[str, str]]:
    """Return the setup's number of players and its other settings."""
    players, mode = _asked(pages)
    settings = {"mode": mode} if mode else {}
    return players, settings | _answers(pages)


def _answers(pages: GamePages) -> dict[str, str]:
    """Return the setup's free options, such as a date: those given, or of the game begun."""
    if pages.game.turns is None:
        return {}
    begun: Mapping[str, Any] = {}
    with suppress(NoSuchGameError):
        begun = services().games.open(request.values.get("begun", "")).document
    return pages.game.turns.free_options(begun or request.values)


def _laid(pages: GamePages, steps: Sequence[SetupStep]) -> Mapping[str, Sequence[str]]:
    """Return the names of the places of the pieces that steps lay, with what was answered.

    Raises ValueError for an answer that makes no game.
    """
    pieces = {piece for step in steps for piece in step.lays}
    if not pieces or not pages.guided:
        return {}
    players, settings = _table_settings(pages)
    at = laid_at(pages, _standard(pages.game.id), players, **settings)
    return {piece: [spoken_name(id) for id in at.get(piece, ())] for piece in pieces}


def _boards_to_learn(game: str, checked: Checked | None) -> Sequence[str]:
    """Return the names of the side boards that were not read, and of which no print is known."""
    known = {own.layout.kind for own in known_boards(game).values()}
    known |= {one.sheet.sheet.name for one in checked.sheets} if checked else set()
    return [own.title for kind, own in side_boards(game).items() if kind not in known]


def _asked(pages: GamePages) -> tuple[int, str]:
    """Return the requested number of players and mode, by default that of a first game."""
    counts = _counts(pages)
    players, mode = request.values.get("players", 0, int), request.values.get("mode", "")
    return (
        players if players in counts else max(2, counts[0]),
        mode if mode in pages.modes else pages.first_mode,
    )


def _counts(pages: GamePages) -> range:
    table, turns = pages.game.table, pages.game.turns
    return turns.players if turns else range(table.fewest_players, table.most_players + 1)


@blueprint.get("/<game_name>/picture/<name>.jpg")
def picture(game_name: str, name: str) -> ResponseReturnValue:
    """Return a picture of a printed part, as used in setup steps."""
    _pages(game_name)
    if name not in _drawings(game_name):
        abort(404)
    response = Response(_jpeg(game_name, name), mimetype="image/jpeg")
    response.cache_control.max_age = 86400
    return response


@blueprint.get("/<game_name>/print.pdf")
def printed(game_name: str) -> ResponseReturnValue:
    """Return the whole game as a PDF in the page's language, or the page with the problem."""
    pages = _pages(game_name)
    paper = request.args.get("paper", "a4")
    if paper not in PAPERS:
        abort(404)
    sheets = Sheets(paper, language(), saving="saving" in request.args)
    players = _asked(pages)[0] if "players" in request.args else None
    try:
        pdf = _pdf(game_name, sheets, players)
    except CrowdedCardError as error:
        unprinted = _(
            "The card “%(name)s” has too long a text. Print in another language.",
            name=error.card.name,
        )
        return show(game_name, unprinted=unprinted)
    response = Response(pdf, mimetype="application/pdf")
    name = f"{game_name}-{paper}.pdf"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _pages(game: str) -> GamePages:
    if game not in services().boards.games:
        abort(404)
    return pages_of(game)


def _standard(game: str) -> Profile:
    profile = services().boards.standard(game)
    if profile is None:
        abort(404)
    return profile


@lru_cache(maxsize=8)
def _drawings(game: str) -> Mapping[str, tuple[Artwork, Group | None]]:
    """Return by name what a picture shows: a drawing, or a group of its parts."""
    layout = _standard(game).layout
    found: dict[str, tuple[Artwork, Group | None]] = {BOARD: (describe_board(layout), None)}
    for sheet in further_sheets(layout):
        found |= {sheet.name: (sheet, None)} if sheet.name else {}
        found |= {group.name: (sheet, group) for group in sheet.groups}
    return found


@lru_cache(maxsize=32)
def _jpeg(game: str, name: str) -> bytes:
    drawing, group = _drawings(game)[name]
    width, height = drawing.size_mm
    paper = Fill((((0, 0), (width, 0), (width, height), (0, height)),), "#ffffff")
    drawn = replace(drawing, marks=(paper, *drawing.marks))
    corners = (group.top_left, group.bottom_right) if group else ((0, 0), drawing.size_mm)
    largest_mm = max(end - start for start, end in zip(*corners, strict=True))
    scale = min(PICTURE_PX / largest_mm, MOST_PX_A_MM)
    (left, top), (right, bottom) = ((round(x * scale), round(y * scale)) for x, y in corners)
    pixels = rasterise(drawn, scale)[top:bottom, left:right]
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


@lru_cache(maxsize=4)
def _pdf(game: str, sheets: Sheets, players: int | None) -> bytes:
    """Return the PDF; cached for others."""
    return everything(_standard(game), sheets, players)


@lru_cache(maxsize=64)
def _contents(game: str, spoken: str, players: int) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the contents of the printed game's pages, by paper size."""
    whole = whole_game(_standard(game), spoken, players)
    return {paper: contents(whole, Sheets(paper, spoken)) for paper in PAPERS}
