"""Guided games: one decision per screen, answered by tap, keyboard or camera."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.flags import RuleBreak
from scorer.game import Game
from scorer.scoresheet import PlayerScore, Score
from scorer.sentence import Sentence
from scorer.turns import Strength
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import Document, pages_of
from webapp.app.guide.finish import finished
from webapp.app.guide.history import History
from webapp.app.guide.service import AlreadyBegunError, RefusedError, TableInUseError
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import GuidedGame
from webapp.app.languages import language
from webapp.app.session import flow
from webapp.app.session.board_slots import owners
from webapp.app.session.game_document import player_names
from webapp.app.session.saved_games import ChangedMeanwhileError, SavedGame
from webapp.app.session.seats import NotYourSeatError
from webapp.server.guard import browser, serves
from webapp.web import guide_questions
from webapp.web.changes import Right, Seen, changes
from webapp.web.context import current_profile, guide_service, live_service, services
from webapp.web.failures import wants_json
from webapp.web.guide_gains import best_gains, gains, moved
from webapp.web.guide_hints import MOST_HINTS, may_be_helped
from webapp.web.guide_view_model import GuideViewModel, view
from webapp.web.pages import preferences, steps
from webapp.web.pages.ask import of_term, terms_at
from webapp.web.pages.earlier import FROM_THE_TABLE
from webapp.web.score_parts import score_parts
from webapp.web.table_strip import SeatPanel, card_of_market, explained, table_strip
from webapp.web.words import as_sentence, spoken

blueprint = Blueprint("guide", __name__, url_prefix="/games/<game_id>/guide")

LONGEST_DRAFT = 80
PERSON = "-"
"""Represents a person in a draft, instead of a computer's strength."""


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    """Show the current decision."""
    game = steps.opened(game_id)
    part = pages_of(game.document["game"]).guided
    if part is None or not part.fits(game.document):  # e.g. after a player left
        if flow.is_guided(game.document):
            guide_service().turn(game_id, on=False)
            flash(_("A game of so many players cannot be guided: it continues without guidance."))
        return redirect(url_for("games.resume", game_id=game_id), 303)
    if not flow.is_guided(game.document) and flow.has_been_guided(game.document):
        return redirect(url_for("games.resume", game_id=game_id), 303)
    guide_service().follow(game.id)  # pieces may have been placed elsewhere
    return render_template("guide.html", **_context(steps.opened(game_id), part))


@blueprint.get("/now")
def now(game_id: str) -> ResponseReturnValue:
    """Return the fragment of the page that changes."""
    game = steps.opened(game_id)
    return render_template("_guide.html", **_context(game, _part(game)))


@blueprint.get("/explain")
def explain(game_id: str) -> ResponseReturnValue:
    """Explain a place and what can be done there, a card, the points in view, or a seat's board."""
    game = steps.opened(game_id)
    part, place = _part(game), request.args.get("place", "")
    if not wants_json():
        return redirect(url_for(".show", game_id=game_id), 303)
    seat = request.args.get("seat", -1, type=int)
    boards = _boards(game, part)
    if seat in range(len(boards)):
        name = game.document["players"][seat]["name"]
        return render_template("_guide_board_of.html", drawn_pieces=boards[seat], name=name)
    if "points" in request.args:
        seen = _view(game, part)
        final = _final(game, part, seen)
        scored = () if seen is None else _points(part, seen.drawn_state, game.document)
        return render_template(
            "_guide_points.html",
            scored=final.players if final else scored,
            final=final,
            words=part.pages.words,
        )
    id, shown = request.args.get("card", ""), _view(game, part)
    of_card = {"players": game.document["players"], "counted": _counted(game, part, shown, id)}
    if found := of_term(part.pages, id):
        return render_template("_term.html", **found, **of_card)
    card = explained(part, game.document, id)
    terms, drawn = None, None if shown is None else shown.drawn_pieces
    if card is None and drawn is not None:
        pieces = [drawn.pieces.get(place, ""), *drawn.regions.get(place, ())]
        terms = terms_at(part.game, current_profile(), place, filter(None, pieces))
    if card is None and terms is None:
        abort(404)
    return render_template(
        "_guide_explained.html",
        part=part,
        card=card,
        view=shown,
        place=place,
        terms=terms,
        **of_card,
    )


def _counted(
    game: SavedGame, part: GuidedGame, shown: GuideViewModel | None, card: str
) -> Sequence[tuple[int, Sentence]]:
    """Return how each player does on a common card, by seat."""
    panels = _strip(game, part, shown) if shown and card else ()
    return [
        (panel.seat, one.result.calculation)
        for panel in sorted(panels, key=lambda panel: panel.seat)
        for row in panel.common
        for one in row.held
        if card in (one.term, one.objective) and one.result
    ]


def _boards(game: SavedGame, part: GuidedGame) -> Sequence[DrawnPieces]:
    """Return the pieces on each player's board; () for a shared board."""
    history = _history(game)
    if history is None or part.game.table.shared:
        return ()
    return [DrawnPieces.of(one) for one in part.pieces(part.turns.seen_by(history.state, None))]


@blueprint.get("/secret")
def secret(game_id: str) -> ResponseReturnValue:
    """Show a player's cards on their own phone while they hold a button.

    Raises NotYourSeatError.
    """
    game = steps.opened(game_id)
    part, history = _part(game), _history(game)
    seat = request.args.get("seat", -1, type=int)
    if seat not in _sitting(game).mine:
        raise NotYourSeatError
    state = history and guide_service().seen(game, history, seat).state
    return render_template("_guide_secret.html", game=game, part=part, state=state, seat=seat)


@blueprint.post("/seat")
@changes(Right.TABLE)
def sit(game_id: str) -> ResponseReturnValue:
    """Claim a free seat, or free it for another phone."""
    game = steps.opened(game_id)
    part, history = _part(game), _history(game)
    seat = request.form.get("seat", -1, type=int)
    computers = () if history is None else history.set_up["computers"]
    if history is None or seat not in range(len(computers)) or computers[seat]:
        abort(422, "no such seat")
    games = services().games
    try:
        if request.form.get("what") == "leave":
            games.give_back(game_id, seat, browser(), serves())
            return _done(game_id)
        games.take_seat(game_id, seat, browser())
    except NotYourSeatError:
        return _done(game_id, _("Another phone has this seat."))
    if not wants_json():
        draft, at = _draft(), request.form.get("at")
        return redirect(url_for(".show", game_id=game_id, draft=draft, look=seat, at=at), 303)
    context = _context(steps.opened(game_id), part, handed_to=seat)
    return render_template("_guide.html", **context)


@blueprint.post("")
@changes(Right.TABLE)
def begin(game_id: str) -> ResponseReturnValue:
    game = steps.opened(game_id)
    part = _part(game)
    draws = request.form.get("draws", "")
    if draws not in part.opening.answers:
        abort(422, "no such way to draw")
    if flow.next_step(game.document).name == "score" or any(
        owner["board"] for owner in owners(game.document)
    ):
        return redirect(url_for("games.resume", game_id=game_id), 303)
    draft = f"{draws}:{request.form.get('computers', '')}"
    begun = _beginning(game, part, draft)
    if begun is None or begun.seat is not None:
        abort(422, "no such players")
    anew = request.form.get("anew") == "yes"
    try:
        guide_service().begin(game_id, begun.computers, draws, language(), anew)
    except AlreadyBegunError:  # tapped twice, or an old page
        flash(_("The game has already begun. This is how it stands."))
        return redirect(url_for("games.resume", game_id=game_id), 303)
    except TableInUseError:
        return redirect(url_for(".show", game_id=game_id, draft=draft), 303)
    if anew:
        flash(_("The game before is kept among the earlier states."))
    _sit_alone(game_id, part, begun.computers)
    return _done(game_id)


def _sit_alone(game_id: str, part: GuidedGame, computers: Sequence[str]) -> None:
    """Give the only person's seat to whoever begins a game against computers alone."""
    persons = [seat for seat, by in enumerate(computers) if not by]
    history = _history(steps.opened(game_id))
    if len(persons) != 1 or history is None or not part.has_secrets(history.set_up):
        return
    with suppress(NotYourSeatError):  # begun anew, and the seat is another phone's
        services().games.take_seat(game_id, persons[0], browser())


@blueprint.post("/do")
@changes(Right.DECISION, Seen.ENTRY)
def do(game_id: str) -> ResponseReturnValue:
    """Do the chosen action."""
    move = request.form.get("move", "")
    return _act(
        game_id, lambda seen, sitting: guide_service().do(game_id, move, seen, sitting=sitting)
    )


@blueprint.post("/draw")
@changes(Right.DECISION, Seen.ENTRY)
def draw(game_id: str) -> ResponseReturnValue:
    """Draw what is to be drawn now, for people to lay it out."""
    return _act(game_id, lambda seen, _sitting: guide_service().draw(game_id, seen))


@blueprint.post("/back")
@changes(Right.DECISION, Seen.ENTRY)
def back(game_id: str) -> ResponseReturnValue:
    """Undo the last decision."""
    return _act(game_id, lambda seen, sitting: guide_service().back(game_id, seen, sitting))


def _act(game_id: str, act: Callable[[int, Sitting], object]) -> ResponseReturnValue:
    """Act on the last entry `seen` on the page, and show the result."""
    game = steps.opened(game_id)
    part = _part(game)
    try:
        act(request.form.get("seen", -1, type=int), _sitting(game))
    except NotYourSeatError:
        return _done(game_id, _("Another phone has this seat."))
    except RefusedError as error:
        rule = rule_term(error.broken, part.game)
        return _done(game_id, why(error.broken), rule=rule)
    except ChangedMeanwhileError:
        message = _("The game has moved on in the meantime. This is how it stands.")
        return _done(game_id, message, 409)
    except ValueError:
        abort(422, "no such action")
    return _done(game_id)


@blueprint.post("/right")
@changes(Right.TABLE)
def put_right(game_id: str) -> ResponseReturnValue:
    """Confirm that the boards match the drawing, whatever a camera saw."""
    _part(steps.opened(game_id))
    guide_service().put_right(game_id)
    return _done(game_id)


@blueprint.post("/card")
@changes(Right.TABLE)
def keep_card(game_id: str) -> ResponseReturnValue:
    """Note that a card that a camera misses has not been taken."""
    _part(steps.opened(game_id))
    guide_service().keep_card(game_id, request.form.get("card", ""))
    return _done(game_id)


@blueprint.post("/off")
@changes(Right.TABLE)
def off(game_id: str) -> ResponseReturnValue:
    """Continue without guidance; the boards stay."""
    _part(steps.opened(game_id))
    guide_service().turn(game_id, on=False)
    return redirect(url_for("games.resume", game_id=game_id), 303)


@blueprint.post("/on")
@changes(Right.TABLE)
def on(game_id: str) -> ResponseReturnValue:
    """Resume guidance where it was stopped."""
    _part(steps.opened(game_id))
    guide_service().turn(game_id, on=True)
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/finish")
@changes(Right.MEMBER)
@steps.as_read
def finish(game_id: str) -> ResponseReturnValue:
    """Take boards, markers and tokens over into the game, and continue to the score."""
    game = steps.opened(game_id)
    part, history = _part(game), _history(game)
    if history is None or not _is_over(part, history, game.document):
        return redirect(url_for("games.resume", game_id=game_id), 303)
    table = live_service().table(game)
    changed = steps.changed(
        game_id,
        FROM_THE_TABLE,
        lambda kept: finished(part, kept, table, history.state),
        game.revision,
        over=True,
    )
    for status in live_service().workers.of(game_id):
        live_service().workers.stop(game_id, status.camera.name)
    return steps.redirect_to_next(changed)


@blueprint.app_template_filter("why")
def why(broken: RuleBreak, here: str = "") -> str:
    """Return a sentence saying why something is forbidden; `here` is the place concerned."""
    return as_sentence(spoken(broken.reason, here))


@blueprint.app_template_filter("rule_term")
def rule_term(broken: RuleBreak, game: Game[Any, Any, Any]) -> str:
    """Return the id of the term that explains the rule behind a refusal; "" if there is none."""
    return next((term.id for term in game.glossary if broken.kind in term.rules), "")


def _part(game: SavedGame) -> GuidedGame:
    part = pages_of(game.document["game"]).guided
    if part is None or not part.fits(game.document):
        abort(404)
    return part


def _is_over(part: GuidedGame, history: History, document: Document) -> bool:
    return guide_questions.Asked(part, history.state).question(document).over


def _history(game: SavedGame) -> History | None:
    return guide_service().history(game) if flow.is_guided(game.document) else None


def _sitting(game: SavedGame, handed_to: int | None = None) -> Sitting:
    handed_to = request.args.get("look", type=int) if handed_to is None else handed_to
    return Sitting.of(game.seats, handed_to)


def _view(game: SavedGame, part: GuidedGame, handed_to: int | None = None) -> GuideViewModel | None:
    history = _history(game)
    if history is None:
        return None
    sitting = _sitting(game, handed_to)
    is_current = request.values.get("at", type=int) == history.number
    wanted = request.args.get("hint", type=int) if is_current else None
    asked = min(max(wanted or 0, 0), MOST_HINTS)
    seen = guide_service().seen(game, history, sitting.seat)
    may_help = may_be_helped(part, seen, sitting)
    shown = view(
        part,
        seen,
        game.document,
        sitting,
        _draft() if is_current else "",
        guide_service().sightings(game, history),
        guide_service().computer_turn(game, history),
        guide_service().advice(game, history),
        guide_service().help(game, history) if asked and may_help else None,
        asked,
        history.decided_last(part),
        guide_service().taken_card(game, history),
    )
    if not sitting.acts_for(part.turns.decides(seen.state)):
        return shown
    if not preferences.shows_gains():
        return replace(shown, hides_gains=bool(shown.places))
    legal = {
        place: part.turns.read_action(action)
        for place, (action, broken) in shown.places.items()
        if broken is None
    }
    # Each camera event redraws this screen on every phone, so gains are cached; by language, as
    # they are in words, and by places, as a phone that is yet to be handed over shows none.
    about = f"gains {game.revision} {language()} {sitting.seat} {shown.draft} {sorted(legal)}"
    each, of_all = guide_service().thought_of(
        game, history, about, lambda: gains(part, seen.state, legal, game.document)
    )
    ways = shown.ways
    brings = guide_service().thought_of(
        game,
        history,
        f"brings {game.revision} {language()} {sitting.seat} {shown.draft} {sorted(ways)}",
        lambda: best_gains(part, seen.state, ways, game.document),
    )
    return replace(shown, gains=each, gain_of_all=of_all, brings=brings)


def _draft() -> str:
    """Return what was chosen of the action that follows the log entry `at`."""
    return request.values.get("draft", "")[:LONGEST_DRAFT]


@dataclass(frozen=True)
class Beginning:
    """The choices made before a guided game begins; `seat` is asked about next.

    `draft` encodes the choices so far; `computers` are the strengths, "" for people.
    """

    draws: str
    computers: tuple[str, ...]
    seat: int | None
    draft: str
    strengths: Mapping[str, Strength]


def _beginning(game: SavedGame, part: GuidedGame, draft: str) -> Beginning | None:
    """Parse a draft such as `hand:-,easy`; None if it is invalid."""
    draws, _colon, chosen = draft.partition(":")
    strengths = part.strengths
    players = len(game.document["players"])
    computers = [one for one in chosen.split(",") if one]
    known = {PERSON, *strengths}
    if (
        draws not in part.opening.answers
        or len(computers) > players
        or not known.issuperset(computers)
    ):
        return None
    if not strengths:
        computers = [PERSON] * players
    computers = computers or [PERSON]  # at least the first seat is a person
    seat = len(computers) if len(computers) < players else None
    found = tuple("" if one == PERSON else one for one in computers)
    return Beginning(draws, found, seat, f"{draws}:{','.join(computers)}", strengths)


def _context(
    game: SavedGame,
    part: GuidedGame,
    refused: str = "",
    handed_to: int | None = None,
    rule: str = "",
) -> Mapping[str, Any]:
    words = part.pages.words
    # Get the entry first, so that anything logged meanwhile is news to the page.
    last = live_service().log.last(game.id)
    shown = _view(game, part, handed_to)
    final = _final(game, part, shown)
    if final and shown:
        shown = replace(shown, pointed=_secrets_on_board(part, final, game.document))
    points = () if shown is None else _points(part, shown.drawn_state, game.document)

    def board_title(number: int) -> str:
        return words.board(words.owner_of(game.document, number))

    return {
        "board_title": board_title,
        "score_parts": score_parts,
        "game": game,
        "part": part,
        "view": shown,
        "missing": None
        if shown is None or shown.taken is None
        else card_of_market(part, shown.taken[0]),
        "strip": () if shown is None else _strip(game, part, shown),
        "points": final.players if final else points,
        "marker_points": None if shown is None or final else shown.look.points,
        "points_moved": () if final else _points_moved(part, shown, points),
        "final": final,
        "is_another": flow.is_guided(game.document) and guide_service().is_another(game),
        "in_use": guide_service().in_use(game),
        "beginning": _beginning(game, part, _draft()),
        "draft": _draft() if shown is None else shown.draft,
        "serves": serves(),
        "look": _sitting(game, handed_to).seat
        if handed_to is not None or "look" in request.args
        else None,
        "refused": refused,
        "rule": rule,
        "last": last,
    }


def _strip(game: SavedGame, part: GuidedGame, shown: GuideViewModel) -> Sequence[SeatPanel]:
    """Return the players' panels: a computer's in its turn, else the phone's owner's, first."""
    mine = shown.sitting.mine
    first = min(mine) if len(mine) == 1 and not shown.is_computers else shown.player
    return table_strip(part, shown.drawn_state, game.document, first)


def _final(game: SavedGame, part: GuidedGame, shown: GuideViewModel | None) -> Score | None:
    """Return the score of a game that is over; None if only its players know all of it."""
    history = _history(game)
    if history is None or shown is None or not shown.question.over:
        return None
    if not part.has_secrets(history.set_up):
        return None
    return part.turns.score(history.state, player_names(game.document))


def _secrets_on_board(part: GuidedGame, final: Score, document: Document) -> Sequence[str]:
    """Return the places of a shared board that the players' secret cards have counted."""
    secret = {asked.id for asked in part.game.questions(document) if asked.secret}
    lines = (line for player in final.players for line in player.lines)
    counted = [line for line in lines if line.category in secret and line.points > 0]
    places = (place for line in counted for place in (*line.spaces, *line.links))
    return [*places] if part.game.table.shared else []


def _points(part: GuidedGame, state: Any, document: Document) -> Sequence[PlayerScore]:
    """Return the players' scores from public information; () before there are pieces."""
    seen = part.turns.seen_by(state, None)
    if not any(part.game.pieces_of(one) for one in part.turns.positions(seen)):
        return ()
    return part.turns.score(seen, player_names(document)).players


def _points_moved(
    part: GuidedGame, shown: GuideViewModel | None, points: Sequence[PlayerScore]
) -> Iterator[tuple[str, int, int, Sequence[tuple[str, int]]]]:
    """Yield whose points in view the latest events changed: name, both totals, and by what."""
    if shown is None or shown.is_computers or shown.question.tells_points:
        return
    if shown.look.points is not None:
        return  # until the markers move
    if not points or not shown.history.latest:
        return
    before, _moment = shown.history.latest[0]
    seen = part.turns.seen_by(before, None)
    names = [player.name for player in points]
    for old, new in zip(part.turns.score(seen, names).players, points, strict=True):
        if parts := moved(part, old, new):
            yield new.name, old.total, new.total, [*parts.items()]


def _done(game_id: str, refused: str = "", code: int = 200, rule: str = "") -> ResponseReturnValue:
    """Show the next decision, and why the last action was refused, by which `rule`'s term."""
    if not wants_json() and not refused:
        return redirect(url_for(".show", game_id=game_id), 303)
    game = steps.opened(game_id)
    page = "_guide.html" if wants_json() else "guide.html"
    return render_template(page, **_context(game, _part(game), refused, rule=rule)), code
