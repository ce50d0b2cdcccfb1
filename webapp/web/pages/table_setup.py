"""Before a game: what wins, how the table is set up, step by step, and the game to be printed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from calibration.artwork import describe_board, further_sheets
from calibration.drawing import Fill, rasterise
from calibration.printing import PAPERS, Sheets
from calibration.profile import Profile
from scorer.table_guide import guide_of
from webapp.app.boards.board_drawing import Drawing, draw
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.everything import everything
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.game_words import GameWords
from webapp.app.languages import language
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.reading_queue import QueueFullError
from webapp.app.reading.readings import pieces_read
from webapp.app.reading.uploads import UnwantedPictureError, arriving
from webapp.app.setup_check import SetupCheck, check_setup
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.words import spoken_name

blueprint = Blueprint("table_setup", __name__, url_prefix="/table")

PICTURE_PX = 640
BOARD = "board"


@dataclass(frozen=True)
class CheckedBoard:
    """A board of a photograph: as it was read, and how it differs from the setup."""

    title: str
    drawing: Drawing
    lying: DrawnPieces
    found: SetupCheck

    def said(self, words: GameWords) -> Sequence[str]:
        """What it lacks and what is too much, the same things together."""
        missing = Counter(
            words.laid(piece, spoken_name(at))
            if piece
            else _("a piece on %(space)s", space=spoken_name(at))
            for piece, at in self.found.lacks
        )
        extra = Counter(words.laid(piece, spoken_name(at)) for piece, at in self.found.extra)
        return [
            *(_("Missing: %(what)s", what=_times(*one)) for one in missing.items()),
            *(_("Not there yet: %(what)s", what=_times(*one)) for one in extra.items()),
        ]

    @property
    def places(self) -> Sequence[str]:
        """Where something is to be done."""
        return [at for _piece, at in (*self.found.lacks, *self.found.extra)]


def _times(what: str, count: int) -> str:
    return f"{count} × {what}" if count > 1 else what


@blueprint.get("/<game_name>")
def show(game_name: str) -> ResponseReturnValue:
    """Show what wins and the setup for so many players, in a mode of the game."""
    return _page(game_name)


@blueprint.post("/<game_name>")
@changes(Right.ANYBODY)
def check(game_name: str) -> ResponseReturnValue:
    """Say of each board in a photograph what it lacks, and what does not belong there yet."""
    pages, problem = _pages(game_name), ""
    checked: list[CheckedBoard] = []
    known = _boards(game_name)
    file = request.files.get("photo")
    if file is None or not file.filename:
        return _page(game_name, problem=_("Choose a photograph."))
    services().storage.take(request.content_length or 0)
    try:
        with ExitStack() as kept:
            with arriving(file.stream, services().settings) as picture:
                path = kept.enter_context(services().photographs.passing(picture))
            phone = request.remote_addr or ""
            read = services().reading_queue.read_file(path, "photo", [*known], phone)
        shown = {profile.name: profile for profile in known.values()}
        checked = [_checked(pages, shown[one["profile"]], one) for one in read.reading["boards"]]
    except UnwantedPictureError as error:
        problem = str(error)
    except QueueFullError:
        problem = _("Many photographs are waiting. Try again in a moment.")
    except UnusablePhotographError:
        problem = _("No board was found. Photograph it whole, from above, in good light.")
    except ValueError:
        problem = _("Say how many play, and what else is asked above.")
    return _page(game_name, checked, problem)


def _checked(pages: GamePages, profile: Profile, board: Mapping[str, Any]) -> CheckedBoard:
    """A board of a reading beside the setup. ValueError for a setup that cannot be."""
    lying = pieces_read(board, pages.game)
    players, mode = _asked(pages)
    told = {"mode": mode} if mode else {}
    told |= {key: request.form[key] for key in _texts(pages) if request.form.get(key)}
    found = check_setup(pages, profile, lying, players, **told)
    title = (
        pages.words.kind(profile.layout.kind)
        if profile.layout.kind
        else pages.words.say("board", _("The board"))
    )
    return CheckedBoard(title, draw(profile), DrawnPieces.of(lying), found)


def _boards(game: str) -> Mapping[str, Profile]:
    """Every board of a game that photographs can be read with."""
    boards = services().boards
    found = {name: boards.known(name) for name in boards.names()}
    return {name: own for name, own in found.items() if own and own.layout.game == game}


def _texts(pages: GamePages) -> Sequence[str]:
    """What a setup goes by that is any text, such as a date."""
    turns = pages.game.turns
    return [] if turns is None else [name for name, known in turns.options.items() if not known]


def _asked(pages: GamePages) -> tuple[int, str]:
    """For how many players, and in which mode of the game."""
    counts, modes = _counts(pages), [*pages.modes]
    players, mode = request.values.get("players", 0, int), request.values.get("mode", "")
    return (
        players if players in counts else counts[0],
        mode if mode in modes else next(iter(modes), ""),
    )


def _counts(pages: GamePages) -> range:
    table, turns = pages.game.table, pages.game.turns
    return turns.players if turns else range(table.fewest_players, table.most_players + 1)


def _page(
    game_name: str, checked: Sequence[CheckedBoard] = (), problem: str = ""
) -> ResponseReturnValue:
    pages = _pages(game_name)
    guide = guide_of(pages.game)
    if guide is None:
        abort(404)
    players, mode = _asked(pages)
    page = render_template(
        "table_setup.html",
        pages=pages,
        guide=guide,
        steps=guide.setup(players, mode),
        counts=_counts(pages),
        players=players,
        modes=[*pages.modes],
        mode=mode,
        pictures=_drawings(game_name),
        papers={"a4": "A4", "letter": "Letter", "a3": "A3"},
        checked=checked,
        problem=problem,
        texts=_texts(pages),
        reads=pages.guided and _boards(game_name),
    )
    return page, 422 if problem else 200


@blueprint.get("/<game_name>/picture/<name>.jpg")
def picture(game_name: str, name: str) -> ResponseReturnValue:
    """Draw a printed thing by which a step of the setup is shown."""
    _pages(game_name)
    if name not in _drawings(game_name):
        abort(404)
    response = Response(_jpeg(game_name, name), mimetype="image/jpeg")
    response.cache_control.max_age = 86400
    return response


@blueprint.get("/<game_name>/print.pdf")
def printed(game_name: str) -> ResponseReturnValue:
    """Make the whole game as a PDF, in the language of the pages."""
    _pages(game_name)
    paper = request.args.get("paper", "a4")
    if paper not in PAPERS:
        abort(404)
    sheets = Sheets(paper, language(), saving="saving" in request.args)
    response = Response(_pdf(game_name, sheets), mimetype="application/pdf")
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
def _drawings(game: str) -> frozenset[str]:
    sheets = further_sheets(_standard(game).layout)
    return frozenset({BOARD, *(sheet.name for sheet in sheets if sheet.name)})


@lru_cache(maxsize=32)
def _jpeg(game: str, name: str) -> bytes:
    layout = _standard(game).layout
    drawings = {sheet.name: sheet for sheet in further_sheets(layout)}
    drawing = describe_board(layout) if name == BOARD else drawings[name]
    width, height = drawing.size_mm
    paper = Fill((((0, 0), (width, 0), (width, height), (0, height)),), "#ffffff")
    drawn = replace(drawing, marks=(paper, *drawing.marks))
    pixels = rasterise(drawn, PICTURE_PX / max(drawing.size_mm))
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


@lru_cache(maxsize=4)
def _pdf(game: str, sheets: Sheets) -> bytes:
    """Printed again for the next who asks, without drawing it anew."""
    return everything(_standard(game), sheets)
