"""Trying out a board that is being added, and putting it to use."""

import shutil
from typing import Any

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from calibration import ProfileError, load_profile
from scorer.board_state import SURE, BoardState
from webapp.app.boards import board_changes, board_drawing, draft_jobs, layout_check
from webapp.app.boards.drafts import Draft
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.reading_queue import QueueFullError
from webapp.app.reading.uploads import UnwantedPictureError
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.failures import wants_json
from webapp.web.pages.drafts import profile_of
from webapp.web.pages.sent_photograph import sent_photograph

blueprint = Blueprint("trials", __name__, url_prefix="/my-boards/drafts/<draft_id>")
blueprint.before_request(guard.require_keeper)


@blueprint.get("/trial")
def show(draft_id: str) -> ResponseReturnValue:
    """Ask for a photograph with pieces, and show what was read in it."""
    return _trial_page(services().drafts.get(draft_id))


def _trial_page(draft: Draft, problem: str | None = None) -> ResponseReturnValue:
    read, seen = draft.trial or {}, {}
    if read.get("board"):
        profile = load_profile(services().drafts.folder(draft.id) / read["profile"])
        board = BoardState.from_data(read["board"], profile.game)
        pieces = DrawnPieces.of(board.pieces)
        asked = {at.id: found.confidence for at, found in board.places.items() if at.kind != "dial"}
        asked |= {region: found.confidence for region, found in board.regions.items()}
        seen = {
            "drawn": board_drawing.draw(profile),
            "pieces": pieces,
            "count": sum(at.kind not in ("track", "dial") for at in board.pieces),
            "doubtful": {place for place, confidence in asked.items() if confidence < SURE},
        }
    unanswered = _unanswered(draft)
    page = render_template(
        "draft_trial.html",
        draft=draft,
        unanswered=unanswered,
        **_changed(draft, unanswered is not None),
        read=read,
        **seen,
        problem=problem,
    )
    return page, 422 if problem else 200


def _unanswered(draft: Draft) -> str | None:
    """Return what prevents using a board: the first problem, else the first doubt."""
    problems = layout_check.check(draft.layout, draft.game).problems
    if problems:
        return str(problems[0]["text"])
    uncertainties = layout_check.uncertainties(draft.doubtful, draft.layout, draft.game)
    return next(iter(uncertainties.values()), None)


def _changed(draft: Draft, broken: bool) -> dict[str, Any]:
    """Return a page's values about the profile that a draft changes, if any: `changes`, `title`."""
    profile = profile_of(draft)
    if profile is None:
        return {"changes": False, "title": _("My board"), "games": ""}
    games = "" if broken else of_games(board_changes.effect_of(services(), draft))
    return {"changes": True, "title": profile.title, "games": games}


@blueprint.post("/trial")
@changes(Right.KEEPER)
def take(draft_id: str) -> ResponseReturnValue:
    """Read a photograph with the board as currently drawn."""
    draft, problem = services().drafts.get(draft_id), None
    try:
        with sent_photograph() as sent:
            _try_out(draft, sent)
    except UnwantedPictureError as error:
        problem = str(error)
    except ProfileError as error:
        problem = _in_words(error, draft)
    except QueueFullError:
        problem = _("Many photographs are waiting. Try again in a moment.")
    address = url_for(".show", draft_id=draft_id)
    if wants_json():
        return (jsonify(message=problem), 422) if problem else (jsonify(location=address), 201)
    return _trial_page(draft, problem) if problem else redirect(address, 303)


def _try_out(draft: Draft, photograph: bytes) -> None:
    """Read a photograph with a draft's board, and save the result. Raises ProfileError."""
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


@blueprint.post("/use")
@changes(Right.KEEPER)
def use(draft_id: str) -> ResponseReturnValue:
    """Add the board to the owner's profiles, or replace the one it was made from."""
    draft, title = services().drafts.get(draft_id), request.form.get("title", "")
    if unanswered := _unanswered(draft):
        return _trial_page(draft, unanswered)
    changes = profile_of(draft) is not None
    try:
        message, what = _change(draft, title) if changes else _add(draft, title)
    except ProfileError as error:
        return _trial_page(draft, _in_words(error, draft))
    except UnusablePhotographError as error:
        return _trial_page(draft, str(error))
    services().drafts.remove(draft_id)
    flash(message)
    return redirect(url_for("profiles.show", **what), 303)


def _add(draft: Draft, title: str) -> tuple[str, dict[str, Any]]:
    job = (draft_jobs.add_board, services().drafts.folder(draft.id))
    name = services().run_job(*job, draft.corners, draft.layout, title)
    return _("%(board)s was added.", board=" ".join(title.split())), {"added": name}


def _change(draft: Draft, title: str) -> tuple[str, dict[str, Any]]:
    effect = board_changes.change(services(), draft, title)
    message = _("%(board)s was changed.", board=" ".join(title.split()))
    return f"{message} {of_games(effect)}".strip(), {"changed": draft.profile}


def of_games(effect: board_changes.Effect) -> str:
    """Return the effect of a changed board on games, in words."""
    sentences = []
    if effect.go_on:
        sentences.append(
            ngettext(
                "%(num)d game is played on it and goes on with it.",
                "%(num)d games are played on it and go on with it.",
                len(effect.go_on),
            )
        )
    if effect.scored:
        sentences.append(
            ngettext(
                "%(num)d finished game keeps its points; its page offers to count them again.",
                "%(num)d finished games keep their points; their pages offer to count them again.",
                len(effect.scored),
            )
        )
    if effect.unfit:
        sentences.append(
            ngettext(
                "%(num)d game keeps the old board, because the new one has other spaces.",
                "%(num)d games keep the old board, because the new one has other spaces.",
                len(effect.unfit),
            )
        )
    return " ".join(sentences)


def _in_words(error: ProfileError, draft: Draft) -> str:
    if error.problems[0][0] == "name":
        return _("Give the board a name, of 60 characters at most.")
    return layout_check.format_error(error, draft.layout, draft.game)
