"""The glossary: terms and cards of games, with search.

From a page about a game it has that game's terms, from other pages those of all games.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from threading import Lock
from typing import Any

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from calibration import Profile
from scorer.game import Game
from scorer.glossary import Term
from scorer.search import SUGGESTED, Index
from webapp.app.boards.board_drawing import DrawnEdge, DrawnRegion, DrawnSpace, draw
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.languages import language
from webapp.web.context import current_game, current_profile, services
from webapp.web.failures import wants_json

blueprint = Blueprint("ask", __name__, url_prefix="/ask")

LONGEST_QUESTION, LONGEST_STEP = 100, 300
"""How many letters are read of a question, and of what a page says of its step."""

_learning = Lock()


def games_with_words() -> Sequence[str]:
    """Return the playable games that have a glossary, the default's first."""
    return [name for name in services().boards.games if pages_of(name).game.glossary]


def games_asked() -> Sequence[str]:
    """Return the games whose terms the current page offers."""
    named = current_game()
    return [name for name in games_with_words() if named in ("", name)]


@blueprint.get("")
@blueprint.get("/<game_name>")
def show(game_name: str = "") -> ResponseReturnValue:
    """Show the terms of a game or of all games, optionally filtered; a fragment for scripts.

    With `place`, the fragment explains that place of the game's standard board. With `about`, what
    a page says of its step, the terms that this is about come first.
    """
    wanted = request.args.get("q", "")[:LONGEST_QUESTION]
    step = request.args.get("about", "")[:LONGEST_STEP]
    if game_name and not games_asked():
        abort(404)
    if game_name and wants_json() and (place := request.args.get("place", "")):
        terms_there = terms_at(pages_of(game_name).game, current_profile(), place)
        if terms_there is None:
            abort(404)
        return render_template("_guide_explained.html", place=place, terms=terms_there)
    names = tuple(games_asked())
    games = [pages_of(name).game for name in names]
    terms = [(term, game) for game in games for term in game.glossary]
    index = _index(names, language())
    order = index.ask(wanted) if wanted.strip() else range(len(terms))
    answered = [terms[number] for number in order]
    page = "_ask.html" if wants_json() else "ask.html"
    return render_template(
        page,
        words=answered,
        explained=_explained(answered, index.meant(wanted)) if wanted.strip() else (),
        drawn_pieces=_drawn_pieces(*answered[0]) if answered and len(games) == 1 else None,
        suggested=() if order else [terms[number] for number in index.suggest(wanted)],
        of_step=[terms[number] for number in index.ask(step)[:SUGGESTED]] if step.strip() else (),
        wanted=wanted,
        games=games,
        unsure=bool(wanted.strip()) and not index.is_sure_of(wanted),
        pages_of=pages_of,
        of_all=len(games) > 1,
        others=bool(game_name) and len(games_with_words()) > 1,
    )


def _explained(answered: Sequence[tuple[Term, Game[Any, Any, Any]]], meant: int) -> Collection[str]:
    """Return the terms to explain, as GAME/TERM: those that are meant, and each game's first."""
    firsts = {game.id: term for term, game in reversed(answered)}
    meant_too = [f"{game.id}/{term.id}" for term, game in answered[:meant]]
    return {*meant_too, *(f"{game}/{term.id}" for game, term in firsts.items())}


def terms_at(
    game: Game[Any, Any, Any], profile: Profile, place: str, pieces: Iterable[str] = ()
) -> Sequence[Term] | None:
    """Return the terms for `pieces` on a place of a board, and for what is printed there.

    None if the board has no such place.
    """
    drawn = draw(profile)
    places: Sequence[DrawnSpace | DrawnRegion | DrawnEdge]
    places = [*drawn.spaces, *drawn.regions, *drawn.edges]
    found = next((one for one in places if one.id == place), None)
    if found is None:
        return None
    sign = getattr(found, "sign", "").removeprefix("sign-")
    prints = [one for one in (getattr(found, "rim", ""), sign, place) if one]
    explaining = [one for own in pieces for one in game.glossary if one.explains(piece=own)]
    explaining += [one for own in prints for one in game.glossary if one.explains(own)]
    return list({one.id: one for one in explaining}.values())


def _drawn_pieces(term: Term, game: Game[Any, Any, Any]) -> DrawnPieces | None:
    """The pieces of a term's example."""
    return None if term.example is None else DrawnPieces.of(game.pieces_of(term.example))


def _index(games: tuple[str, ...], spoken: str) -> Index:
    with _learning:
        return _learned(games, spoken)


@lru_cache(maxsize=16)
def _learned(games: tuple[str, ...], spoken: str) -> Index:
    glossaries = [pages_of(name).game.glossary for name in games]
    starts = [0, *accumulate(len(terms) for terms in glossaries[:-1])]
    index = Index([*chain.from_iterable(glossaries)], spoken, starts)
    index.learn()
    return index


@blueprint.get("/<game_name>/<term_id>")
def term(game_name: str, term_id: str) -> ResponseReturnValue:
    if not games_asked():
        abort(404)
    found = of_term(pages_of(game_name), term_id)
    if found is None:
        abort(404)
    return render_template("_term.html" if wants_json() else "term.html", **found)


def of_term(pages: GamePages, id: str) -> Mapping[str, Any] | None:
    """Return what `_term.html` shows of a term or a card; None if there is none with this id."""
    terms = {one.id: one for one in pages.game.glossary}
    one = terms.get(id)
    if one is None:
        return None
    return {
        "term": one,
        "see": [terms[other] for other in one.see],
        "drawn_pieces": _drawn_pieces(one, pages.game),
        "picture": pages.picture(one.id),
    }
