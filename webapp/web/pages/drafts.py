"""Adding a board: a photograph of it without pieces, then correcting its spaces."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from flask import (
    Blueprint,
    abort,
    jsonify,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from calibration import Layout, ProfileError, profile_layout
from calibration.profile import built_in_profiles, own_profile_names
from calibration.proposal import can_propose
from calibration.side_boards import pattern, side_boards
from scorer import registry
from scorer.datafile import LARGEST_FILE, DataFileError, parse_json
from webapp.app.boards import layout_check
from webapp.app.boards.drafts import DRAFT_BYTES, Draft
from webapp.app.game_pages import pages_of
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.uploads import UnwantedPictureError
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.failures import wants_json
from webapp.web.pages.sent_photograph import sent_photograph

MOST_DOUBTS = 2000
LONGEST_ID = 200

blueprint = Blueprint("drafts", __name__, url_prefix="/my-boards")
blueprint.before_request(guard.require_keeper)


@blueprint.route("/add", methods=["GET", "POST"])
@changes(Right.KEEPER)
def add() -> ResponseReturnValue:
    """Ask for a photograph of the empty board, and begin a draft."""
    if request.method == "GET":
        return _add_page()
    chosen = request.form.get("game", "")
    if chosen not in _choices():
        return _refused(_("Choose the game."))
    try:
        with sent_photograph(DRAFT_BYTES) as picture:
            services().drafts.remove_failed()  # replaced by this photograph
            draft = _begin(chosen, picture)
    except UnwantedPictureError as error:
        return _refused(str(error))
    address = url_for(".show", draft_id=draft.id)
    return (jsonify(location=address), 201) if wants_json() else redirect(address, 303)


@blueprint.post("/add/<game_id>/<photograph_id>")
@changes(Right.KEEPER)
def add_from_photograph(game_id: str, photograph_id: str) -> ResponseReturnValue:
    """Begin a draft from a game's photograph whose board is unknown."""
    photograph = services().photographs.get(game_id, photograph_id)
    document = services().games.open(game_id).document
    game = document["game"]
    chosen = game if can_propose(game) else services().boards.name_of(document)
    services().storage.take(DRAFT_BYTES)
    draft = _begin(chosen, services().photographs.path(photograph).read_bytes())
    return redirect(url_for(".show", draft_id=draft.id), 303)


def _choices() -> dict[str, tuple[str, str]]:
    """Return what can be added: games, or boards of games without layout detection; side boards.

    Values are the titles of the game and of the board, "" for any board of the game.
    """
    found: dict[str, tuple[str, str]] = {}
    for name in registry.names():
        game = pages_of(name).game.title
        if can_propose(name):
            found[name] = game, ""
        else:
            for board, path in built_in_profiles(name).items():
                shown = game, profile_layout(path).title
                if shown not in found.values():  # several boards may share a companion board
                    found[board] = shown
        found |= {f"{name}/{kind}": (game, own.title) for kind, own in side_boards(name).items()}
    return found


def _begin(chosen: str, photograph: bytes) -> Draft:
    if chosen in registry.names():
        return services().drafts.add(chosen, photograph)
    return services().drafts.add(pattern(chosen).layout.game, photograph, like=chosen)


def unfinished() -> list[tuple[Draft, str, datetime]]:
    """Return all drafts with their titles and start times."""
    drafts = services().drafts
    return [(draft, _name(draft), drafts.begun_at(draft)) for draft in drafts.all()]


def _name(draft: Draft) -> str:
    profile, game = profile_of(draft), pages_of(draft.game).game.title
    if profile is not None:
        return _("Changes to %(board)s", board=profile.title)
    if draft.state == "failed":
        return _("%(game)s: no board was found in the photograph", game=game)
    if draft.state == "waiting":
        return _("%(game)s: the photograph is being looked at", game=game)
    return _("%(game)s: a board to correct", game=game)


def _refused(problem: str) -> ResponseReturnValue:
    return (jsonify(message=problem), 422) if wants_json() else (_add_page(problem), 422)


def _add_page(problem: str | None = None) -> str:
    default, choices = services().boards.default.layout.game, _choices()
    taken = request.args.get("game_id", ""), request.args.get("photograph_id", "")
    return render_template(
        "add_board.html",
        choices=choices,
        chosen=next(one for one in (*choices, default) if one.partition("/")[0] == default),
        unfinished=unfinished(),
        photograph=services().photographs.get(*taken) if all(taken) else None,
        problem=problem,
    )


@blueprint.get("/drafts/<draft_id>")
def show(draft_id: str) -> ResponseReturnValue:
    """Show the progress of a draft, or its editor."""
    draft = services().drafts.get(draft_id)
    if draft.state != "proposed":
        return render_template("draft_waiting.html", draft=draft)
    parts = layout_check.editing(draft.layout, draft.game).parts()
    areas = "regions" in draft.layout
    return render_template("board_editor.html", draft=draft, parts=parts, areas=areas)


@blueprint.get("/drafts/<draft_id>/state")
def state(draft_id: str) -> ResponseReturnValue:
    """Return a draft as JSON for the editor."""
    return _state(services().drafts.get(draft_id))


def _state(draft: Draft) -> ResponseReturnValue:
    if draft.state != "proposed":
        return jsonify(state=draft.state)
    editing = layout_check.editing(draft.layout, draft.game)
    return jsonify(
        state=draft.state,
        layout=editing.written_out(draft.layout),
        corners=draft.corners,
        doubtful=layout_check.uncertainties(draft.doubtful, draft.layout, draft.game),
        parts=[part.to_data() for part in editing.parts()],
        names=layout_check.place_names(draft.layout, draft.game),
        picture=url_for(".picture", draft_id=draft.id, kind="board", v=draft.version),
        **_validation(draft.layout, draft.game),
    )


def _validation(layout: Mapping[str, Any], game: str) -> dict[str, Any]:
    checked = layout_check.check(layout, game)
    return {"problems": checked.problems, "notices": checked.notices}


@blueprint.post("/drafts/<draft_id>/layout")
@changes(Right.KEEPER)
def keep(draft_id: str) -> ResponseReturnValue:
    """Save a changed layout; return what is wrong with it."""
    draft, sent = services().drafts.get(draft_id), _sent()
    layout = _layout_of(sent, draft)
    services().drafts.save(draft_id, layout, _doubtful(sent))
    return jsonify(_validation(layout, draft.game))


@blueprint.post("/drafts/<draft_id>/corners")
@changes(Right.KEEPER)
def keep_corners(draft_id: str) -> ResponseReturnValue:
    """Save other corners; the spaces do not move in the photograph."""
    draft, sent = services().drafts.get(draft_id), _sent()
    try:
        kept = services().drafts.straighten(draft_id, _corners(sent), _layout_of(sent, draft))
    except ProfileError as error:
        return jsonify(message=layout_check.format_error(error, draft.layout, draft.game)), 422
    except UnusablePhotographError as error:
        return jsonify(message=str(error)), 422
    return _state(kept)


@blueprint.post("/drafts/<draft_id>/propose")
@changes(Right.KEEPER)
def find_again(draft_id: str) -> ResponseReturnValue:
    """Detect the spaces again within the corners that were set."""
    services().drafts.propose(draft_id, _corners(_sent()))
    return jsonify(state="waiting"), 202


@blueprint.post("/drafts/<draft_id>/anyway")
@changes(Right.KEEPER)
def go_on(draft_id: str) -> ResponseReturnValue:
    """Continue although no board was found; the corners are set by hand."""
    services().drafts.accept_anyway(draft_id)
    return redirect(url_for(".show", draft_id=draft_id), 303)


def _sent() -> Mapping[str, Any]:
    """Return the JSON that the editor sent."""
    request.max_content_length = 2 * LARGEST_FILE
    try:
        data = parse_json(request.get_data())
    except DataFileError as error:
        abort(400, str(error))
    if not isinstance(data, dict):
        abort(400, "Send an object.")
    return data


def _layout_of(sent: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    layout = sent.get("layout")
    if not isinstance(layout, dict):
        abort(400, "Send a layout.")
    return layout_check.editing(layout, draft.game).in_short({**layout, "game": draft.game})


def _doubtful(sent: Mapping[str, Any]) -> list[str] | None:
    """Return the ids of open doubts; None if the editor did not send any."""
    ids = sent.get("doubtful")
    if ids is None:
        return None
    if (
        not isinstance(ids, list)
        or len(ids) > MOST_DOUBTS
        or not all(isinstance(one, str) and len(one) <= LONGEST_ID for one in ids)
    ):
        abort(400, "Send the ids of what is doubtful.")
    return ids


def _corners(sent: Mapping[str, Any]) -> list[list[float]]:
    corners = sent.get("corners")
    if (
        not isinstance(corners, list)
        or [len(point) if isinstance(point, list) else 0 for point in corners] != [2] * 4
        or not all(isinstance(value, int | float) for point in corners for value in point)
    ):
        abort(400, "Send four corners.")
    return corners


@blueprint.get("/drafts/<draft_id>/<any(preview, board, trial):kind>.jpg")
def picture(draft_id: str, kind: str) -> ResponseReturnValue:
    services().drafts.get(draft_id)
    return send_from_directory(services().drafts.folder(draft_id), f"{kind}.jpg")


@blueprint.post("/drafts/<draft_id>/remove")
@changes(Right.KEEPER)
def remove(draft_id: str) -> ResponseReturnValue:
    """Delete a draft; with `again` in the form, continue with another photograph."""
    services().drafts.remove(draft_id)
    onward = "drafts.add" if "again" in request.form else "profiles.show"
    return redirect(url_for(onward), 303)


def profile_of(draft: Draft) -> Layout | None:
    """Return the layout that a draft changes; None for a new board, or if it is unavailable."""
    try:
        return profile_layout(draft.profile) if draft.profile in own_profile_names() else None
    except ProfileError:
        return None
