"""The Flask application: pages, API, languages and guards."""

from collections.abc import MutableMapping
from functools import partial
from typing import Any

from flask import Flask, request
from flask.templating import Environment
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect
from sqlalchemy.orm import Session, sessionmaker
from werkzeug.utils import find_modules, import_string

from webapp.app.backup.backups import Backups
from webapp.app.backup.restores import Restores
from webapp.app.boards.drafts import Drafts
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.data_folder import session_key
from webapp.app.database import open_database
from webapp.app.guide.service import GuideService
from webapp.app.history.history import GameHistory
from webapp.app.history.people import Persons
from webapp.app.history.results import Results
from webapp.app.lesson_progress import LessonProgress
from webapp.app.live.log import Log
from webapp.app.live.service import LiveService
from webapp.app.live.shipped_worker import shipped_frame_worker
from webapp.app.live.source_address import SourceAddresses
from webapp.app.live.worker import MakeFrameWorker
from webapp.app.peers import PATIENCE, Peers
from webapp.app.reading.card_jobs import prepare_cards, read_table
from webapp.app.reading.colour_calibrations import ColourCalibrations
from webapp.app.reading.colour_samples import ColourSamples
from webapp.app.reading.executors import Processes, named_cluster, read_with
from webapp.app.reading.photographs import Photographs
from webapp.app.reading.read_photograph import ReadFile
from webapp.app.reading.reading_process import RunJob, shipped_reader
from webapp.app.reading.reading_queue import ReadingQueue
from webapp.app.services import Services
from webapp.app.session.counting import Counting
from webapp.app.session.saved_games import ChangedMeanwhileError, Games
from webapp.app.settings import Settings
from webapp.app.storage import Storage
from webapp.server import guard
from webapp.web import api, failures, forms, language_choice, presentation
from webapp.web.drawn_once import DrawnOnce
from webapp.web.event_streams import EventStreams
from webapp.web.game_blueprints import register_game_blueprints
from webapp.web.pages import gate, stale
from webapp.web.pages.steps import StaleConfirmationError
from webapp.web.rate_limits import KEEPS_WHAT_IS_SENT, RATE_LIMITS, MonotonicStorage
from webapp.web.sessions import LastingSessions

RATE_LIMIT = "1200 per minute"
"""The total limit per address; some routes have lower ones."""
AT_ONCE_OF_CLUSTER = 16
"""The most games whose photographs are with a cluster at a time."""
BYTES_OF_PHONE = "1000000000 per day"
"""The limit of uploads that are stored, per address: photographs of a dozen tables."""


class _Globals(Environment):
    """A template environment with a single dict of globals for all templates.

    Jinja looks up a template's own globals on each import; chained dicts cost a twelfth of a page's
    time.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


class _Pages(Flask):
    """Flask with that template environment."""

    jinja_environment = _Globals


def create_app(
    settings: Settings,
    read: ReadFile | None = None,
    make_frame_worker: MakeFrameWorker | None = None,
    run_job: RunJob | None = None,
) -> Flask:
    """Make the application and migrate its database.

    `read` reads a photograph, `make_frame_worker` returns the frame worker of a camera's child
    process, and `run_job` runs other jobs on pictures; the defaults use `vision` in child
    processes. Raises DatabaseError, PeersError, and ProfileError if `settings.profile` is invalid.
    """
    app = _Pages(__name__)
    app.config.update(
        SECRET_KEY=session_key(settings.data_dir),
        MAX_CONTENT_LENGTH=settings.max_upload_bytes + 64 * 1024,
        MAX_FORM_MEMORY_SIZE=256 * 1024,
        MAX_FORM_PARTS=400,
        SESSION_COOKIE_NAME="stargazer",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.https,
        # A slow response, such as a camera's, would overwrite a newer session with an older one.
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # guard.py compares the origin, also over http
        RATELIMIT_ENABLED=settings.rate_limits,
        PROPAGATE_EXCEPTIONS=False,
    )
    app.session_interface = LastingSessions()
    app.url_map.converters["int"] = gate.Number
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    sessions = open_database(settings.database)
    peers = Peers(settings.redis_url) if settings.redis_url else None
    made = app.extensions["stargazer"] = _services(settings, sessions, peers, read, run_job)
    live = app.extensions["stargazer live"] = LiveService(
        made.games,
        Log(sessions, SourceAddresses(app.config["SECRET_KEY"])),
        made.boards,
        make_frame_worker or partial(shipped_frame_worker, settings.colour_samples),
        peers,
    )
    app.extensions["stargazer guide"] = GuideService(
        made.games, live, made.boards, app.config["SECRET_KEY"]
    )
    app.extensions["stargazer events"] = EventStreams(live, made.games)
    app.extensions["stargazer drawn once"] = DrawnOnce()
    guard.protect(app)
    language_choice.init_babel(app)
    csrf = CSRFProtect(app)
    presentation.init_templates(app)
    failures.register_error_handlers(app)
    app.register_error_handler(StaleConfirmationError, stale.show_anew)
    app.register_error_handler(ChangedMeanwhileError, stale.show_changed)
    csrf.exempt(api.blueprint)
    app.register_blueprint(api.blueprint)
    for page in map(import_string, find_modules("webapp.web.pages")):
        if hasattr(page, "blueprint"):
            app.register_blueprint(page.blueprint)
    register_game_blueprints(app)
    limiter = Limiter(
        get_remote_address,
        app=app,
        default_limits=[RATE_LIMIT],
        storage_uri=settings.redis_url or f"{MonotonicStorage.STORAGE_SCHEME[0]}://",
        storage_options=PATIENCE if settings.redis_url else {},
        in_memory_fallback_enabled=bool(settings.redis_url),
    )
    app.extensions["stargazer.limiter"] = limiter  # its decorators only hold a weak reference
    gate.guard_changes(app)
    for asked, limit in RATE_LIMITS.items():
        *methods, endpoint = asked.split()
        limited: Any = limiter.limit(limit, methods=methods or None)
        app.view_functions[endpoint] = limited(app.view_functions[endpoint])
    sent = limiter.shared_limit(
        BYTES_OF_PHONE,
        scope="bytes",
        methods=["POST"],
        cost=lambda: request.content_length or 0,
        exempt_when=guard.serves,
        error_message=failures.SENT_TOO_MUCH,
    )
    for endpoint in KEEPS_WHAT_IS_SENT:
        bounded: Any = sent(app.view_functions[endpoint])
        app.view_functions[endpoint] = bounded
    if settings.is_first:
        live.workers.resume()
    return app


def _services(
    settings: Settings,
    sessions: sessionmaker[Session],
    peers: Peers | None,
    read: ReadFile | None,
    run_job: RunJob | None,
) -> Services:
    boards = KnownBoards(settings.profile)
    storage = Storage(settings.data_dir, settings.max_stored_bytes)
    games = Games(sessions)
    photographs = Photographs(sessions, settings.photographs)
    processes = Processes(partial(shipped_reader, settings.colour_samples))
    cluster = named_cluster()
    readers = cluster or processes

    def stop() -> None:
        for executor in (readers, processes):
            executor.shutdown(cancel_futures=True)

    run_beside = run_job or processes.run
    prepare = None if read else partial(run_beside, prepare_cards)
    read = read or read_with(readers, processes)
    at_once = AT_ONCE_OF_CLUSTER if cluster else processes.at_once
    beside = partial(run_beside, read_table)
    queue = ReadingQueue(games, photographs, read, boards, stop, at_once, peers, beside, prepare)
    key = session_key(settings.data_dir)
    restores = Restores(settings, key, run_job)
    run_job = run_job or processes.run
    drafts = Drafts(settings.drafts, run_job)
    seen = ColourSamples(settings.colour_samples)
    persons = Persons(sessions, settings.persons)
    counting = Counting(sessions, games, boards)
    history = GameHistory(Results(sessions, games, boards, counting), persons, forms.default_names)
    backups = Backups(sessions, settings, boards, storage, key)
    calibrations = ColourCalibrations(settings.colour_calibrations, run_job)
    made = Services(
        settings,
        games,
        photographs,
        queue,
        boards,
        storage,
        run_job,
        drafts,
        seen,
        history,
        calibrations,
        backups,
        restores,
        LessonProgress(sessions, persons),
        counting,
    )
    made.clear_away()
    if peers is None:
        photographs.sweep()
        persons.sweep()
    queue.resume()
    if settings.is_first:
        drafts.resume()
        calibrations.resume()
    return made
