"""Saving and restoring everything as one file, for the host only."""

from flask import Blueprint, Response, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from webapp.app.backup.archive import BackupError
from webapp.app.backup.merging import GameMerge
from webapp.app.database import now
from webapp.app.reading.photographs import PARTLY_READ
from webapp.app.storage import NoRoomError
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.failures import wants_json
from webapp.web.pages import preferences

blueprint = Blueprint("backup", __name__, url_prefix="/backup")

PART_BYTES = 8 * 1024 * 1024
blueprint.before_request(guard.require_host)


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Show what a backup contains, and offer to save one."""
    return render_template("backup.html", part_bytes=PART_BYTES)


@blueprint.post("/save")
@changes(Right.HOST)
def save() -> ResponseReturnValue:
    """Stream everything as one file."""
    kept = {name: request.cookies[name] for name in preferences.COOKIES if name in request.cookies}
    response = Response(services().backups.written(kept), mimetype="application/zip")
    name = f"stargazer-{now():%Y-%m-%d}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@blueprint.post("/parts")
@changes(Right.HOST)
def take_part() -> ResponseReturnValue:
    """Receive the next part of a backup, which may be larger than one request."""
    file, at = request.files.get("part"), request.form.get("at", 0, type=int)
    path = services().settings.arriving_backup
    if file is None:
        raise BackupError(_("Choose a backup."))
    services().storage.take(request.content_length or 0)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with services().restores.alone(), path.open("wb" if at == 0 else "ab") as arriving:
        if arriving.tell() != at:
            raise BackupError(_("Part of it is missing. Choose it again."))
        while portion := file.stream.read(1024 * 1024):
            arriving.write(portion)
        there = arriving.tell()
    if wants_json():
        return jsonify(at=there), 201
    return redirect(url_for(".check"), 303)


@blueprint.get("/check")
def check() -> ResponseReturnValue:
    """Validate the uploaded backup, and ask whether to restore it."""
    path = services().settings.arriving_backup
    with services().restores.alone():
        if not path.is_file():
            return redirect(url_for(".show"), 303)
        try:
            plan = services().restores.plan(path)
        except (BackupError, NoRoomError):
            path.unlink()
            raise
    return render_template("backup_check.html", plan=plan, kinds=GameMerge)


@blueprint.post("/restore")
@changes(Right.HOST)
def restore() -> ResponseReturnValue:
    path = services().settings.arriving_backup
    with services().restores.alone():
        if not path.is_file():
            return redirect(url_for(".show"), 303)
        restored = services().restores.restore(path)
        path.unlink()
    for game_id in restored.games:
        for photograph in services().photographs.of(game_id):
            if photograph.state in ("waiting", PARTLY_READ):
                services().reading_queue.add(photograph)
    for draft_id in restored.drafts:
        if services().drafts.get(draft_id).state == "waiting":
            services().drafts.propose(draft_id)
    message = ngettext(
        "%(num)d game was brought back.", "%(num)d games were brought back.", len(restored.games)
    )
    flash(message)
    response = redirect(url_for("games.home"), 303)
    preferences.keep(response, restored.preferences)
    return response


@blueprint.post("/discard")
@changes(Right.HOST)
def discard() -> ResponseReturnValue:
    with services().restores.alone():
        services().settings.arriving_backup.unlink(missing_ok=True)
    return redirect(url_for(".show"), 303)
