"""The players: wins, records, and each person's results against others."""

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, flash, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from webapp.app.game_pages import MARKERS, pages_of
from webapp.app.history import statistics
from webapp.app.history.people import ChangedSinceError, NameTakenError, NoSuchPersonError, Person
from webapp.app.history.results import OPEN, UNSCORABLE, Result
from webapp.app.reading.portrait import portrait
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.uploads import UnwantedPictureError
from webapp.app.session.names import LONGEST_NAME, tidy
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.pages.sent_photograph import sent_photograph

blueprint = Blueprint("people", __name__, url_prefix="/people")

GAMES_SHOWN = 20
PICTURE_BYTES = 200_000


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Show everybody's results, optionally of one game and board."""
    services().history.look()
    results = services().history.results.all()
    game, board = request.args.get("game", ""), request.args.get("board", "")
    counted = statistics.final(results, game, board)
    who = services().history.who()
    games = dict.fromkeys(one.game for one in counted)
    tallies = statistics.tallies(counted, who)
    played = [tally.person for tally in tallies]
    met = {who(name) for one in results for name in one.names}
    return render_template(
        "people.html",
        tallies=tallies,
        others=[
            one for one in services().history.persons.all() if one in met and one not in played
        ],
        records={
            name: statistics.records([one for one in counted if one.game == name], who)
            for name in games
        },
        counted=len(counted),
        uncounted=_uncounted(results, game, board),
        missing=services().history.results.missing(),
        games={one.game: pages_of(one.game).game.title for one in results},
        boards=sorted({one.board for one in statistics.final(results, game)}),
        game=game,
        board=board,
        margin=statistics.margin,
        undo=request.args.get("undo", type=int),
    )


def _uncounted(results: Sequence[Result], game: str, board: str) -> Mapping[str, int]:
    """Return the number of games not counted, open or unscorable."""
    chosen = [one for one in results if game in ("", one.game) and board in ("", one.board)]
    return {state: sum(one.state == state for one in chosen) for state in (OPEN, UNSCORABLE)}


@blueprint.get("/<person_id>")
def person(person_id: str) -> ResponseReturnValue:
    """Show a person's results, also against each other person."""
    services().history.look()
    return _page(services().history.persons.get(person_id))


def _page(
    person: Person,
    errors: Mapping[str, str] | None = None,
    taken: Person | None = None,
    name: str | None = None,
) -> ResponseReturnValue:
    who = services().history.who()
    results = services().history.results.all()
    counted = statistics.final(results)
    of_person = [one for one in results if person in map(who, one.names)]
    own = statistics.final(of_person)
    by_game = {
        pages_of(game).game.title: statistics.tally_of(person, statistics.final(own, game), who)
        for game in dict.fromkeys(one.game for one in own)
    }
    page = render_template(
        "person.html",
        person=person,
        tally=statistics.tally_of(person, own, who) if own else None,
        by_game=by_game,
        encounters=statistics.encounters(counted, who, person),
        results=of_person[:GAMES_SHOWN],
        more=max(0, len(of_person) - GAMES_SHOWN),
        who=who,
        others=[one for one in services().history.persons.all() if one != person],
        markers=MARKERS,
        errors=errors or {},
        taken=taken,
        name=person.name if name is None else name,
        undo=request.args.get("undo", type=int),
        keeper=guard.keeps_boards(),
    )
    return page, 422 if errors else 200


@blueprint.post("/<person_id>")
@changes(Right.KEEPER)
def change(person_id: str) -> ResponseReturnValue:
    """Change a person's name and colour."""
    person = services().history.persons.get(person_id)
    name = tidy(request.form.get("name", ""))
    colour = request.form.get("colour", "")
    if not 0 < len(name) <= LONGEST_NAME:
        problem = _("A name can have at most %(most)s characters.", most=LONGEST_NAME)
        return _page(person, {"name": problem}, name=name)
    if colour not in MARKERS:
        return _page(person, {"colour": _("Choose a colour.")}, name=name)
    try:
        number = services().history.persons.change(person_id, name, colour)
    except NameTakenError as error:
        problem = _(
            "There is a %(name)s already. Are both the same person?", name=error.person.name
        )
        return _page(person, {"name": problem}, error.person, name)
    return _changed(person_id, number)


@blueprint.post("/<person_id>/merge")
@changes(Right.KEEPER)
def merge(person_id: str) -> ResponseReturnValue:
    """Merge two persons under the first one's name."""
    number = services().history.persons.merge(person_id, request.form.get("other", ""))
    return _changed(person_id, number)


@blueprint.post("/<person_id>/picture")
@changes(Right.KEEPER)
def take_picture(person_id: str) -> ResponseReturnValue:
    """Save a person's picture, cropped to a small square, or remove it."""
    person = services().history.persons.get(person_id)
    if "remove" in request.form:
        return _changed(person_id, services().history.persons.show(person_id, None))
    try:
        with (
            sent_photograph(PICTURE_BYTES) as data,
            services().photographs.passing(data) as path,
        ):
            small = services().run_job(portrait, path)
    except (UnwantedPictureError, UnusablePhotographError) as error:
        return _page(person, {"picture": str(error)})
    return _changed(person_id, services().history.persons.show(person_id, small))


@blueprint.post("/undo")
@changes(Right.KEEPER)
def undo() -> ResponseReturnValue:
    """Undo the last change of persons."""
    try:
        services().history.persons.undo(request.form.get("number", 0, type=int))
    except ChangedSinceError:
        flash(_("Something else has changed since: this can no longer be undone."))
    else:
        flash(_("It is as it was before."))
    return redirect(url_for(".show"), 303)


@blueprint.get("/pictures/<name>.jpg")
def picture(name: str) -> ResponseReturnValue:
    known = {one.picture for one in services().history.persons.all()}
    path = services().history.persons.picture_path(name)
    if name not in known or not path.is_file():
        raise NoSuchPersonError(name)
    response: Response = send_file(path, mimetype="image/jpeg", conditional=True)
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


def _changed(person_id: str, number: int | None) -> ResponseReturnValue:
    return redirect(url_for(".person", person_id=person_id, undo=number), 303)
