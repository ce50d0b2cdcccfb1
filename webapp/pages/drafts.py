"""Add my board: a photograph of it, empty; its spaces set right; another one as the proof."""

import shutil
from collections.abc import Mapping
from typing import Any

from flask import (
    Blueprint,
    abort,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from calibration import Layout, ProfileError, load_profile, profile_layout
from calibration.profile import own_profile_names
from scorer import registry
from scorer.datafile import LARGEST_FILE, DataFileError, parse_json
from webapp import board_changes, board_drawing, draft_jobs, guard, layout_check
from webapp.arrival import UnwantedPictureError, arriving
from webapp.doubts import SURE
from webapp.drafts import DRAFT_BYTES, Draft
from webapp.failures import wants_json
from webapp.games import pages_of
from webapp.read_photograph import UnusablePhotographError
from webapp.reading_queue import QueueFullError
from webapp.services import services

blueprint = Blueprint("drafts", __name__, url_prefix="/my-boards")


@blueprint.before_request
def _host_only() -> None:
    guard.require_keeper()


@blueprint.route("/add", methods=["GET", "POST"])
def add() -> ResponseReturnValue:
    """Ask for a photograph of the empty board, and begin with it."""
    if request.method == "GET":
        return _add_page()
    game, file = request.form.get("game", ""), request.files.get("photo")
    if game not in registry.names():
        return _refused(_("Choose the game."))
    if file is None or not file.filename:
        return _refused(_("Choose a photograph."))
    services().storage.take((request.content_length or 0) + DRAFT_BYTES)
    try:
        with arriving(file.stream, services().settings) as picture:
            draft = services().drafts.add(game, picture)
    except UnwantedPictureError as error:
        return _refused(str(error))
    address = url_for(".show", draft_id=draft.id)
    return (jsonify(location=address), 201) if wants_json() else redirect(address, 303)


@blueprint.post("/add/<game_id>/<photograph_id>")
def add_from_photograph(game_id: str, photograph_id: str) -> ResponseReturnValue:
    """Begin with a photograph of a game whose board is none of those that are known."""
    photograph = services().photographs.get(game_id, photograph_id)
    game = services().games.open(game_id).document["game"]
    services().storage.take(DRAFT_BYTES)
    draft = services().drafts.add(game, services().photographs.path(photograph).read_bytes())
    return redirect(url_for(".show", draft_id=draft.id), 303)


def _refused(problem: str) -> ResponseReturnValue:
    return (jsonify(message=problem), 422) if wants_json() else (_add_page(problem), 422)


def _add_page(problem: str | None = None) -> str:
    games = [pages_of(name).game for name in registry.names()]
    taken = request.args.get("game_id", ""), request.args.get("photograph_id", "")
    return render_template(
        "add_board.html",
        games=games,
        chosen=services().boards.default.layout.game,
        drafts=services().drafts.all(),
        photograph=services().photographs.get(*taken) if all(taken) else None,
        problem=problem,
    )


@blueprint.get("/drafts/<draft_id>")
def show(draft_id: str) -> ResponseReturnValue:
    """Show how far a board is: being looked at, or ready to be set right."""
    draft = services().drafts.get(draft_id)
    if draft.state != "proposed":
        return render_template("draft_waiting.html", draft=draft)
    parts = pages_of(draft.game).layout_parts()
    return render_template("board_editor.html", draft=draft, parts=parts)


@blueprint.get("/drafts/<draft_id>/state")
def state(draft_id: str) -> ResponseReturnValue:
    """Send a board as the editor has it."""
    return _state(services().drafts.get(draft_id))


def _state(draft: Draft) -> ResponseReturnValue:
    if draft.state != "proposed":
        return jsonify(state=draft.state)
    pages = pages_of(draft.game)
    return jsonify(
        state=draft.state,
        layout=pages.layout_written_out(draft.layout),
        corners=draft.corners,
        doubtful=layout_check.doubts(draft.doubtful, draft.layout, draft.game),
        parts=[part.to_data() for part in pages.layout_parts()],
        names=layout_check.place_names(draft.layout, draft.game),
        picture=url_for(".picture", draft_id=draft.id, kind="board", v=draft.version),
        **_told(draft.layout, draft.game),
    )


def _told(layout: Mapping[str, Any], game: str) -> dict[str, Any]:
    checked = layout_check.check(layout, game)
    return {"problems": checked.problems, "notices": checked.notices}


@blueprint.post("/drafts/<draft_id>/layout")
def keep(draft_id: str) -> ResponseReturnValue:
    """Keep a board as it was changed, and tell what is wrong with it."""
    draft = services().drafts.get(draft_id)
    layout = _layout_of(_sent(), draft)
    services().drafts.save(draft_id, layout)
    return jsonify(_told(layout, draft.game))


@blueprint.post("/drafts/<draft_id>/corners")
def keep_corners(draft_id: str) -> ResponseReturnValue:
    """Keep other corners; the spaces stay where they are in the photograph."""
    draft, sent = services().drafts.get(draft_id), _sent()
    try:
        kept = services().drafts.straighten(draft_id, _corners(sent), _layout_of(sent, draft))
    except ProfileError as error:
        return jsonify(message=layout_check.told(error, draft.layout, draft.game)), 422
    except UnusablePhotographError as error:
        return jsonify(message=str(error)), 422
    return _state(kept)


@blueprint.post("/drafts/<draft_id>/propose")
def find_again(draft_id: str) -> ResponseReturnValue:
    """Have the spaces found once more within the corners that were set."""
    services().drafts.propose(draft_id, _corners(_sent()))
    return jsonify(state="waiting"), 202


@blueprint.post("/drafts/<draft_id>/anyway")
def go_on(draft_id: str) -> ResponseReturnValue:
    """Go on where no board was found: the corners are set by hand."""
    services().drafts.believe(draft_id)
    return redirect(url_for(".show", draft_id=draft_id), 303)


def _sent() -> Mapping[str, Any]:
    """The JSON that the editor sent."""
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
    return pages_of(draft.game).layout_in_short({**layout, "game": draft.game})


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
    """Send one of a draft's pictures."""
    services().drafts.get(draft_id)
    path = services().drafts.folder(draft_id) / f"{kind}.jpg"
    if not path.is_file():
        abort(404)
    return send_file(path, mimetype="image/jpeg")


@blueprint.get("/drafts/<draft_id>/trial")
def trial(draft_id: str) -> ResponseReturnValue:
    """Ask for a photograph with pieces, and show what was read in it."""
    return _trial_page(services().drafts.get(draft_id))


def _trial_page(draft: Draft, problem: str | None = None) -> ResponseReturnValue:
    read = draft.trial or {}
    drawing = None
    if read.get("board"):
        profile = load_profile(services().drafts.folder(draft.id) / read["profile"])
        drawing = board_drawing.draw(profile)
    told = _told(draft.layout, draft.game)
    page = render_template(
        "draft_trial.html",
        draft=draft,
        told=told,
        **_changed(draft, bool(told["problems"])),
        read=read,
        drawn=drawing,
        sure=SURE,
        problem=problem,
    )
    return page, 422 if problem else 200


def _changed(draft: Draft, broken: bool) -> dict[str, Any]:
    """What a page says of the profile that a draft changes, if there is one: `changes`, `title`."""
    profile = _profile_of(draft)
    if profile is None:
        return {"changes": False, "title": _("My board"), "games": ""}
    games = "" if broken else of_games(board_changes.effect_of(services(), draft))
    return {"changes": True, "title": profile.title, "games": games}


def _profile_of(draft: Draft) -> Layout | None:
    """The profile that a draft changes; None for a new board, and where it is gone or damaged."""
    try:
        return profile_layout(draft.profile) if draft.profile in own_profile_names() else None
    except ProfileError:
        return None


@blueprint.post("/drafts/<draft_id>/trial")
def take_trial(draft_id: str) -> ResponseReturnValue:
    """Read a photograph with the board as it is drawn now."""
    draft, file = services().drafts.get(draft_id), request.files.get("photo")
    problem = None
    if file is None or not file.filename:
        problem = _("Choose a photograph.")
    else:
        services().storage.take(request.content_length or 0)
        try:
            with arriving(file.stream, services().settings) as sent:
                _try_out(draft, sent)
        except UnwantedPictureError as error:
            problem = str(error)
        except ProfileError as error:
            problem = _in_words(error, draft)
        except QueueFullError:
            problem = _("Many photographs are waiting. Try again in a moment.")
    address = url_for(".trial", draft_id=draft_id)
    if wants_json():
        return (jsonify(message=problem), 422) if problem else (jsonify(location=address), 201)
    return _trial_page(draft, problem) if problem else redirect(address, 303)


def _try_out(draft: Draft, photograph: bytes) -> None:
    """Read a photograph with a draft's board, and keep what was read. Raises ProfileError."""
    folder = services().drafts.folder(draft.id)
    for old in folder.glob("trial-*"):
        shutil.rmtree(old, ignore_errors=True)
    name = f"trial-{(draft.trial or {}).get('number', 0) + 1}"
    kept: dict[str, Any] = {"number": int(name.partition("-")[2]), "profile": name}
    picture = None
    try:
        services().run_job(draft_jobs.try_board, folder, draft.corners, draft.layout, name)
        with services().photographs.passing(photograph) as path:
            phone, known = request.remote_addr or "", [str(folder / name)]
            read = services().reading_queue.read_file(path, "photo", known, phone)
        boards, picture = read.reading["boards"], read.boards[0]
        kept |= {"board": boards[0], "boards": len(boards), "dark": any(read.dark[:1])}
    except UnusablePhotographError as error:
        kept["problem"] = error.problem
    services().drafts.kept_trial(draft.id, kept, picture)


@blueprint.post("/drafts/<draft_id>/use")
def use(draft_id: str) -> ResponseReturnValue:
    """Add the board to the owner's profiles, or put it in the place of the one it was made from."""
    draft, title = services().drafts.get(draft_id), request.form.get("title", "")
    changes = _profile_of(draft) is not None
    try:
        told, what = _change(draft, title) if changes else _add(draft, title)
    except ProfileError as error:
        return _trial_page(draft, _in_words(error, draft))
    except UnusablePhotographError as error:
        return _trial_page(draft, str(error))
    services().drafts.remove(draft_id)
    flash(told)
    return redirect(url_for("profiles.show", **what), 303)


def _add(draft: Draft, title: str) -> tuple[str, dict[str, Any]]:
    job = (draft_jobs.add_board, services().drafts.folder(draft.id))
    name = services().run_job(*job, draft.corners, draft.layout, title)
    return _("%(board)s was added.", board=" ".join(title.split())), {"added": name}


def _change(draft: Draft, title: str) -> tuple[str, dict[str, Any]]:
    effect = board_changes.change(services(), draft, title)
    told = _("%(board)s was changed.", board=" ".join(title.split()))
    return f"{told} {of_games(effect)}".strip(), {"changed": draft.profile}


def of_games(effect: board_changes.Effect) -> str:
    """Say what becomes of the games that are played on a board that is changed."""
    told = []
    if effect.go_on:
        told.append(
            ngettext(
                "%(num)d game is played on it and goes on with it.",
                "%(num)d games are played on it and go on with it.",
                len(effect.go_on),
            )
        )
    if effect.scored:
        told.append(
            ngettext(
                "%(num)d finished game keeps its points; its page offers to count them anew.",
                "%(num)d finished games keep their points; their pages offer to count them anew.",
                len(effect.scored),
            )
        )
    if effect.unfit:
        told.append(
            ngettext(
                "%(num)d game keeps the board as it was: its spaces are others now.",
                "%(num)d games keep the board as it was: its spaces are others now.",
                len(effect.unfit),
            )
        )
    return " ".join(told)


def _in_words(error: ProfileError, draft: Draft) -> str:
    if error.problems[0][0] == "name":
        return _("Give the board a name, of 60 characters at most.")
    return layout_check.told(error, draft.layout, draft.game)


@blueprint.post("/drafts/<draft_id>/remove")
def remove(draft_id: str) -> ResponseReturnValue:
    """Give a board up."""
    services().drafts.remove(draft_id)
    return redirect(url_for("profiles.show"), 303)
