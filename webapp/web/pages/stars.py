"""My stars: colour calibration from one photograph of the owner's pieces."""

from collections.abc import Iterable, Mapping
from typing import Any

from flask import (
    Blueprint,
    abort,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from calibration import Profile, ProfileError, load_profile, owned, profile_layout, profile_names
from calibration.colour_profile import ColourProfile
from calibration.profile import colour_profile_of
from scorer import registry
from webapp.app.boards import board_drawing
from webapp.app.languages import language
from webapp.app.reading.colour_calibrations import NoSuchCalibrationError
from webapp.app.reading.uploads import UnwantedPictureError
from webapp.app.session.saved_games import NoSuchGameError
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.failures import wants_json
from webapp.web.pages.sent_photograph import sent_photograph

blueprint = Blueprint("stars", __name__, url_prefix="/my-boards/stars")

LESSON_BYTES = 1_000_000
"""Bytes reserved for a calibration's picture and file, its photograph not included."""
blueprint.before_request(guard.require_keeper)


@blueprint.get("/<path:name>")
def show(name: str, problem: str | None = None) -> ResponseReturnValue:
    """Show how to lay out the stars, what was found in their photograph, and the saved colours."""
    profile = _profile(name)
    calibration = services().colour_calibrations.find(name)
    kept = known_colours(name)
    shown = kept
    if calibration is not None and calibration.state == "found":
        shown = calibration.colour_profile
    page = render_template(
        "my_stars.html",
        board_name=name,
        profile=profile,
        drawn=board_drawing.draw(profile),
        names=piece_names(profile.layout.game),
        kept=kept,
        calibration=calibration,
        alike=alike_words(shown or ColourProfile(), profile.layout.game),
        game_id=_game_id(),
        undo=request.args.get("undo"),
        problem=problem,
    )
    return page, 422 if problem else 200


@blueprint.post("/<path:name>/photograph")
@changes(Right.KEEPER)
def photograph(name: str) -> ResponseReturnValue:
    """Begin a calibration with a photograph of one piece of each kind."""
    _profile(name)
    try:
        with sent_photograph(LESSON_BYTES) as picture:
            services().colour_calibrations.begin(name, picture)
    except UnwantedPictureError as error:
        return _refused(name, str(error))
    return (jsonify(location=_address(name)), 201) if wants_json() else _back(name)


def _refused(name: str, problem: str) -> ResponseReturnValue:
    return (jsonify(message=problem), 422) if wants_json() else show(name, problem)


@blueprint.get("/<path:name>/state")
def state(name: str) -> ResponseReturnValue:
    _known_name(name)
    calibration = services().colour_calibrations.find(name)
    return jsonify(state="none" if calibration is None else calibration.state)


@blueprint.get("/<path:name>/photograph.jpg")
def picture(name: str) -> ResponseReturnValue:
    _known_name(name)
    return send_from_directory(services().colour_calibrations.folder(name), "preview.jpg")


@blueprint.post("/<path:name>/piece")
@changes(Right.KEEPER)
def name_piece(name: str) -> ResponseReturnValue:
    """Set which piece one in the photograph is."""
    profile = _profile(name)
    number, piece = request.form.get("number", type=int), request.form.get("piece", "")
    if number is None or piece not in piece_names(profile.layout.game):
        abort(422, "no such star")
    services().colour_calibrations.name(name, number, piece)
    return _back(name)


@blueprint.post("/<path:name>/keep")
@changes(Right.KEEPER)
def keep(name: str) -> ResponseReturnValue:
    """Save the colours found, used from now on for boards of this profile."""
    profile, calibration = _profile(name), services().colour_calibrations.find(name)
    if calibration is None or calibration.state != "found":
        raise NoSuchCalibrationError(name)
    try:
        replaced = owned.replace_colour_profile(name, calibration.colour_profile)
    except ProfileError:
        problem = _("The computer that runs Stargazer cannot write these stars: is its disk full?")
        return show(name, problem)
    services().colour_calibrations.remove(name)
    services().colour_samples.forget(profile)  # sampled from another set or in other light
    if not replaced:
        flash(_("Your stars are known now: boards are read by their colours from now on."))
    return _back(name, undo="replaced" if replaced else None)


@blueprint.post("/<path:name>/give-up")
@changes(Right.KEEPER)
def give_up(name: str) -> ResponseReturnValue:
    _known_name(name)
    services().colour_calibrations.remove(name)
    return _back(name)


@blueprint.post("/<path:name>/remove")
@changes(Right.KEEPER)
def remove(name: str) -> ResponseReturnValue:
    """Delete the colours of a board, even if their file is damaged."""
    _known_name(name)
    try:
        owned.delete_colour_profile(name)
    except ProfileError:
        abort(404)
    return _back(name, undo="removed")


@blueprint.post("/<path:name>/restore")
@changes(Right.KEEPER)
def restore(name: str) -> ResponseReturnValue:
    """Restore the colours last deleted or replaced."""
    _known_name(name)
    try:
        owned.restore_colour_profile(name)
    except ProfileError:
        return show(name, _("These stars can no longer be brought back."))
    flash(_("Your stars are back."))
    return _back(name)


def piece_names(game: str) -> Mapping[str, str]:
    """Return the names of a game's pieces by id, in the page's language."""
    pieces = registry.find_game(game).pieces
    return {piece.id: registry.find_game(game).piece_name(piece.id, language()) for piece in pieces}


def differ_in_colour(game: str) -> bool:
    """Whether a game's pieces differ in colour, so that samples help to recognise them."""
    pieces = registry.find_game(game).pieces
    return len({piece.colour for piece in pieces}) == len(pieces)


def of_board(name: str) -> dict[str, Any]:
    """Return what a game's page says of its board's stars: their page, and similar colours."""
    colours = known_colours(name) if name in profile_names() else None
    if colours is None:
        return {"stars_of": None, "alike": []}
    game = profile_layout(name).game
    return {
        "stars_of": name if guard.keeps_boards() and differ_in_colour(game) else None,
        "alike": alike_words(colours, game),
    }


def alike_words(colours: ColourProfile, game: str) -> list[str]:
    """Return warnings about stars of similar colours, with advice."""
    names = piece_names(game)
    return [
        _(
            "“%(one)s” and “%(other)s” look nearly the same in this light. Play in brighter, whiter"
            " light, or look at these two when you review a board.",
            one=names[one],
            other=names[other],
        )
        for one, other in _known(colours.alike(), names)
    ]


def _known(pairs: Iterable[tuple[str, str]], names: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return (pair for pair in pairs if names.keys() >= {*pair})


def known_colours(name: str) -> ColourProfile | None:
    """Return a board's colour profile, None if its file is damaged."""
    try:
        return colour_profile_of(name)
    except ProfileError:
        return None


def _known_name(name: str) -> None:
    """Raise 404 unless this is a profile's name, rather than a path."""
    if name not in profile_names():
        abort(404)


def _profile(name: str) -> Profile:
    _known_name(name)
    try:
        profile = load_profile(name)
    except ProfileError:
        abort(404)
    if not profile.is_calibrated:
        abort(404)
    return profile


def _game_id() -> str | None:
    try:
        return services().games.open(request.args.get("game", "")).id
    except NoSuchGameError:
        return None


def _address(name: str, **more: Any) -> str:
    return url_for(".show", name=name, game=_game_id(), **more)


def _back(name: str, **more: Any) -> ResponseReturnValue:
    return redirect(_address(name, **more), 303)
