"""Functions for all templates: names, the drawn board, the user's preferences."""

import json
import zlib
from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from flask import Flask, g, request, url_for
from flask_babel import format_date, format_decimal, format_time
from flask_babel import gettext as _
from jinja2.runtime import Macro
from markupsafe import Markup

from scorer.flags import Flag
from scorer.sentence import minus, signed
from scorer.table_guide import guide_of
from webapp.app.boards import board_drawing
from webapp.app.game_pages import Link, pages_of
from webapp.app.languages import LANGUAGES, language
from webapp.app.reading.uploads import too_large
from webapp.app.session import flow, game_document
from webapp.app.session.board_slots import has_moments, is_shared, owners
from webapp.app.session.saved_games import SavedGame, new_game_id
from webapp.web.context import (
    current_game,
    current_players,
    current_profile,
    live_service,
    services,
)
from webapp.web.drawn_once import drawn_once
from webapp.web.game_blueprints import style_of
from webapp.web.pages import ask, earlier, lesson_camera, lessons, preferences, steps
from webapp.web.pages.owners import owners_of, step_of
from webapp.web.pages.unchanged import shown_digest
from webapp.web.words import (
    as_sentence,
    as_title,
    board_title,
    piece_name,
    said,
    space_name,
    spoken,
    spoken_name,
)


def compile_templates(app: Flask) -> None:
    """Compile all templates at start.

    The first live page would take fifteen times as long otherwise, and delay all other requests.
    """
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)


def init_templates(app: Flask) -> None:
    """Register the templates' filters and globals."""
    app.jinja_env.filters.update(
        address=address,
        said=said,
        space=space_name,
        spoken=spoken,
        spoken_name=spoken_name,
        piece=piece_name,
        colour=piece_name,
        place=lambda place: space_name(place.id) if place.kind == "spot" else piece_name(place.id),
        capitalised=as_title,
        sentence=as_sentence,
        flagged=flag_text,
        board_title=board_title,
        minus=minus,
        signed=signed,
        moment=moment,
        decimal=format_decimal,
        looks=looks,
    )
    app.jinja_env.globals.update(
        LANGUAGES=LANGUAGES,
        language=language,
        flow=flow,
        step_url=steps.url_of,
        step_title=step_title,
        step_of=step_of,
        shown_digest=shown_digest,
        kept_always=kept_always,
        known_games=lambda: tuple(services().boards.games),
        draw=_draw,
        draw_part=_draw_part,
        owners_of=owners_of,
        drawing_of=_drawing_of,
        has_moments=has_moments,
        is_shared=is_shared,
        pages_of=pages_of,
        overwritten=earlier.overwritten,
        undo_words=earlier.undo_words,
        offers=game_document.offers,
        is_lesson_table=lesson_camera.is_lesson_table,
        style_of=style_of,
        has_words=lambda: bool(ask.games_asked()),
        game_name=current_game,
        current_players=current_players,
        has_lessons=lambda: bool(lessons.games_with_lessons()),
        table_guide=guide_of,
        largest=lambda: services().settings.max_upload_bytes,
        too_large=lambda: too_large(services().settings),
        new_game_id=new_game_id,
        is_live=_is_live,
    )
    # Macros of most templates; their modules see the globals above.
    for name, file in {"form_parts": "_forms", "marks": "_marks", "board_parts": "_board"}.items():
        app.jinja_env.globals[name] = app.jinja_env.get_template(f"{file}.html").module
    app.context_processor(_of_request)


def _draw(template: str, **values: Hashable) -> Markup:
    """Render a part of a page that depends on its values alone, cached for all pages."""
    return drawn_once().draw(template, tuple(values.values()), **values)


def _draw_part(macro: Macro, drawing: board_drawing.Drawing, *values: Hashable) -> Markup:
    """Render a part of a board that depends on its values alone, cached for all pages.

    Places are named as on the board that the page is about.
    """
    if "drawn_for" not in g:
        g.drawn_for = language(), current_profile()
    key = macro.name, g.drawn_for, values
    if key not in drawing.parts:
        drawing.parts[key] = macro(drawing, *values)
    return Markup(drawing.parts[key])  # noqa: S704 - a template's


def _drawing_of(document: Mapping[str, Any], number: int) -> board_drawing.Drawing:
    """Return the drawing of an owner's board."""
    return board_drawing.draw(services().boards.of(document, number))


def _is_live(game: SavedGame) -> bool:
    """Return whether a game is live, cached for the request."""
    known: dict[str, bool] = g.setdefault("is_live", {})
    if game.id not in known:
        known[game.id] = bool(live_service().being_played([game]))
    return known[game.id]


def _of_request() -> dict[str, Any]:
    return {
        "drawing": board_drawing.draw(current_profile()),
        "pieces": [piece.id for piece in current_profile().game.pieces],
        "appearance": preferences.appearance(),
        "here": _here(),
        "typed": g.get("typed"),
    }


def address(link: Link | None) -> str:
    """Return a link's URL, "" for none."""
    if link is None:
        return ""
    endpoint, values = link
    return url_for(endpoint, **dict[str, Any](values))


def looks(game: SavedGame) -> str:
    """Return a version for a picture's URL that changes with the boards' contents.

    It depends on nothing else, so that it reveals no hidden card.
    """
    document = game.document
    numbers = range(len(owners(document)))
    pieces = [game_document.seat_pieces(document, number) for number in numbers]
    said = json.dumps([pieces, document.get(game_document.PROFILE)], sort_keys=True)
    return f"{zlib.crc32(said.encode()):08x}"


def kept_always(games: Sequence[str]) -> Sequence[str]:
    """Return the URLs of pages to keep offline, visited or not.

    They are those for beginning one of the games, and the lessons.
    """
    found = [url_for("games.new")]
    for name in games:
        found.append(url_for("games.new", game=name))
        found += [url_for(page, game_name=name) for page in ("offline.photographs", "offline.hand")]
    for name in lessons.games_with_lessons():
        course = pages_of(name).game.course
        found.append(url_for("lessons.show", game_name=name))
        found += [
            url_for("lessons.lesson", game_name=name, lesson_id=one.id)
            for one in (course.lessons if course else ())
        ]
    return found


def _here() -> str:
    """Return the URL for coming back to the current page."""
    if "here" in g:
        return str(g.here)
    rule = request.url_rule
    if rule is None or "GET" in (rule.methods or ()):
        return request.path
    game_id = (request.view_args or {}).get("game_id")
    return url_for("games.resume", game_id=game_id) if game_id else "/"


def moment(at: datetime) -> str:
    """Return a UTC time in this computer's time zone, in words."""
    here = at.replace(tzinfo=UTC).astimezone()
    day, time = format_date(here, "medium", rebase=False), format_time(here, "short", rebase=False)
    return f"{day}, {time}"


def flag_text(flag: Flag) -> str:
    """Return the text of a score's flag."""
    if flag.reason:
        return as_title(spoken(flag.reason))
    texts = {
        "uncertain": _("The reading was uncertain here"),
        "hidden": _("Something covered this space"),
    }
    return texts.get(flag.kind, flag.kind)


def step_title(step: flow.Step, game: SavedGame | None) -> str:
    """Return the title of a step's page."""
    match step.name:
        case "players":
            return _("Players")
        case "live":
            is_guided = game is not None and flow.is_guided(game.document)
            return _("Guided game") if is_guided else _("Live")
        case "photographs":
            return _("Photographs")
        case "review":
            return _("Review")
        case "score":
            return _("Score")
    if game is None:
        raise LookupError(step.name)
    return pages_of(game.document["game"]).words.step(step.name, game.document)
