"""What an installed companion has on a phone while the computer that serves is away."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from flask import (
    Blueprint,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from webapp import guard

blueprint = Blueprint("offline", __name__)

KEPT = "Stargazer-Keep"
"""The header of an answer that the browser which got it may keep: whose it is, as a code."""
PAGES = frozenset(
    {
        "games.home",
        "people.person",
        "people.show",
        "score.leaderboard",
        "score.sheet",
        "shelf.about",
    }
)
"""Pages that hold nobody's hidden card: of whole games, and of those not finished their boards."""
SHIPPED = ("*.webmanifest", "*.svg", "style/*.css", "script/*.js", "fonts/*.woff2", "icons/*.png")


@blueprint.get("/service-worker.js")
def worker() -> ResponseReturnValue:
    """Send the script that keeps pages, with the version of everything that it keeps them with.

    The version is that of what is shipped: another one drops what was kept with the one before.
    """
    root = Path(current_app.static_folder or "")
    names = [url_for("static", filename=name) for name in shipped(root)]
    told = {"version": version(root), "assets": [*names, url_for(".away")]}
    script = (root / "script" / "service_worker.js").read_text(encoding="utf-8")
    response = Response(
        f"const SHIPPED = {json.dumps(told)};\n{script}", mimetype="text/javascript"
    )
    response.headers["Cache-Control"] = "no-cache"
    return response


@lru_cache
def shipped(root: Path) -> tuple[str, ...]:
    """The names of the files that pages are made with; the worker itself is none of them."""
    found = (file for pattern in SHIPPED for file in sorted(root.glob(pattern)))
    names = [file.relative_to(root).as_posix() for file in found]
    return tuple(name for name in names if not name.endswith("service_worker.js"))


@lru_cache
def version(root: Path) -> str:
    """What changes when any of these files or a template does."""
    said = hashlib.sha256()
    templates = sorted((root.parent / "templates").glob("*.html"))
    worker_file = root / "script" / "service_worker.js"
    for file in (*(root / name for name in shipped(root)), *templates, worker_file):
        said.update(file.read_bytes())
    return said.hexdigest()[:16]


@blueprint.get("/away")
def away() -> ResponseReturnValue:
    """Say that the computer is away, in place of a page that was not kept."""
    return render_template("away.html")


@blueprint.post("/leave")
def leave() -> ResponseReturnValue:
    """Leave the table: this browser forgets who it was, and all that it kept."""
    session.clear()
    response = redirect(url_for("games.home"), 303)
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


@blueprint.after_app_request
def _say_what_may_be_kept(response: Response) -> Response:
    """Let a browser keep a page or a picture that it was shown, as its own."""
    is_picture = (response.mimetype or "").startswith("image/") and "max-age" in str(
        response.cache_control
    )
    shown = request.endpoint in PAGES or is_picture
    if request.method == "GET" and response.status_code == 200 and shown:
        named = guard.browser() or "program"
        response.headers[KEPT] = hashlib.sha256(f"keeps {named}".encode()).hexdigest()[:16]
    return response
