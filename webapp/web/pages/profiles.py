"""My boards: all known profiles; the owner's can be renamed, shared and deleted."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from calibration import (
    Layout,
    ProfileError,
    load_profile,
    owned,
    owner_profiles,
    profile_layout,
    profile_names,
)
from calibration.colour_profile import ColourProfile
from calibration.profile import own_profile_names
from webapp.app.boards import board_changes
from webapp.app.boards.drafts import DRAFT_BYTES
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.session.saved_games import GRACE
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.pages import drafts, own_cards, trials
from webapp.web.pages.stars import differ_in_colour, known_colours, piece_names

blueprint = Blueprint("profiles", __name__, url_prefix="/my-boards")

PICTURE_SIDE = 480
LARGEST_PACKED = 32 * 1024 * 1024


@dataclass(frozen=True)
class Listed:
    """A profile in the list; `layout` or `colour_profile` is None if damaged."""

    name: str
    layout: Layout | None
    own: bool
    colour_profile: ColourProfile | None


@blueprint.get("")
def show(problem: str | None = None) -> ResponseReturnValue:
    """Show all known boards, the built-in ones first."""
    owned.purge_profiles(GRACE.total_seconds())
    own = set(own_profile_names())
    listed: dict[object, Listed] = {}
    for name in profile_names():
        one = Listed(name, _layout(name), name in own, known_colours(name))
        key = (one.layout.game, one.layout.title) if one.layout and not one.own else name
        listed.setdefault(key, one)  # two boards of a game may share a companion board
    page = render_template(
        "profiles.html",
        profiles=[*listed.values()],
        unfinished=drafts.unfinished() if guard.keeps_boards() else (),
        deleted=request.args.get("deleted"),
        changed=request.args.get("changed"),
        added=request.args.get("added"),
        differ_in_colour=differ_in_colour,
        piece_names=piece_names,
        host=guard.keeps_boards(),
        with_cards=own_cards.boards_with_cards(),
        phones=guard.serves() and services().settings.invitation is not None,
        problem=problem,
    )
    return page, 422 if problem else 200


def _layout(name: str) -> Layout | None:
    try:
        return profile_layout(name)
    except ProfileError:
        return None


@blueprint.get("/pictures/<path:name>.jpg")
def picture(name: str) -> ResponseReturnValue:
    """Return a small picture of a board's reference."""
    if name not in profile_names():
        abort(404)
    reference = owner_profiles() / name / "reference.png"
    changed = reference.stat().st_mtime if reference.is_file() else 0.0
    return Response(_picture(name, changed), mimetype="image/jpeg")


@lru_cache(32)
def _picture(name: str, _changed: float) -> bytes:
    try:
        reference = load_profile(name).reference
    except ProfileError:
        reference = None
    if reference is None:
        abort(404)
    factor = PICTURE_SIDE / max(reference.shape[:2])
    small = cv2.resize(reference, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()


@blueprint.get("/<name>.zip")
def export(name: str) -> ResponseReturnValue:
    """Return one of the owner's boards as a file."""
    if name not in own_profile_names():
        abort(404)
    packed = owned.pack_profile(load_profile(name))
    answer = Response(packed, mimetype="application/zip")
    answer.headers.set("Content-Disposition", "attachment", filename=f"{name}.zip")
    return answer


@blueprint.post("/import")
@changes(Right.KEEPER)
def take_in() -> ResponseReturnValue:
    """Import a board from such a file."""
    file = request.files.get("board")
    data = file.stream.read(LARGEST_PACKED + 1) if file else b""
    if not data:
        return show(_("Choose a board's file, one that was exported here."))
    if len(data) > LARGEST_PACKED:
        return show(_("This file is too large to be a board's."))
    services().storage.take(2 * len(data))
    try:
        with services().photographs.passing(data) as path:
            name = services().run_job(unpack, path)
    except (ProfileError, UnusablePhotographError) as error:
        return show(_("The board was not added: %(reason)s", reason=str(error)))
    flash(_("%(board)s was added.", board=profile_layout(name).title))
    return _back()


def unpack(path: Path) -> str:
    """Add the profile in a file to the owner's; return its name. Raises ProfileError."""
    return owned.unpack_profile(path.read_bytes())


@blueprint.post("/<name>/rename")
@changes(Right.KEEPER)
def rename(name: str) -> ResponseReturnValue:
    """Rename one of the owner's boards."""
    try:
        owned.rename_profile(name, request.form.get("title", ""))
    except ProfileError as error:
        return show(_("The board was not renamed: %(reason)s", reason=error.problems[0][1]))
    return _back()


@blueprint.post("/<name>/change")
@changes(Right.KEEPER)
def change(name: str) -> ResponseReturnValue:
    """Open one of the owner's boards in the editor."""
    return _in_editor(name, changes=True)


@blueprint.post("/<path:name>/copy")
@changes(Right.KEEPER)
def copy(name: str) -> ResponseReturnValue:
    """Begin another board from a known one."""
    return _in_editor(name, changes=False)


def _in_editor(name: str, changes: bool) -> ResponseReturnValue:
    if name not in (own_profile_names() if changes else profile_names()):
        abort(404)
    try:
        services().storage.take(DRAFT_BYTES)
        draft = services().drafts.add_from(name, changes)
    except (ProfileError, UnusablePhotographError, ValueError) as error:
        return show(_("This board cannot be opened: %(reason)s", reason=str(error)))
    return redirect(url_for("drafts.show", draft_id=draft.id), 303)


@blueprint.post("/<name>/undo-change")
@changes(Right.KEEPER)
def undo_change(name: str) -> ResponseReturnValue:
    """Undo the last change of a board."""
    try:
        effect = board_changes.undo(services(), name)
    except ProfileError:
        return show(_("This board can no longer be brought back."))
    flash(f"{_('The board is as it was before.')} {trials.of_games(effect)}".strip())
    return _back()


@blueprint.post("/<name>/delete")
@changes(Right.KEEPER)
def delete(name: str) -> ResponseReturnValue:
    """Delete one of the owner's boards; it can be restored for a minute."""
    try:
        board_changes.delete(services(), name)
    except ProfileError:
        abort(404)
    services().colour_calibrations.remove(name)
    return redirect(url_for(".show", deleted=name), 303)


@blueprint.post("/<name>/restore")
@changes(Right.KEEPER)
def restore(name: str) -> ResponseReturnValue:
    try:
        owned.restore_profile(name)
    except ProfileError:
        return show(_("This board can no longer be brought back."))
    flash(_("The board is back."))
    return _back()


def _back() -> ResponseReturnValue:
    return redirect(url_for(".show"), 303)
