"""Check that pages can show the games of a backup, by trial, before anything is kept."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from calibration import Profile
from scorer.board_state import BoardState
from scorer.game import Game
from webapp.app.backup.archive import BackupError
from webapp.app.backup.rows import ID, GameData
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import extended
from webapp.app.guided_game import GuidedGame
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import Rules, Step, reduce
from webapp.app.session import flow, kept_score, scoring, seats
from webapp.app.session.board_slots import Document, owners
from webapp.app.session.document_check import check_document, ensure

BoardOf = Callable[[Mapping[str, Any]], Profile | None]
"""The board that a document's game is played on; None if unknown here."""


def check_game(game: GameData, board_of: BoardOf) -> None:
    """Raise BackupError if anything in a game is invalid."""
    try:
        documents = [revision["document"] for revision in game.parts["revisions"]]
        log = [Entry(r["number"], r["kind"], r["data"], r["at"]) for r in game.parts["live"]]
        guided = False
        followed: set[tuple[str, int, str]] = set()
        for document in _different(documents):
            check_document(document)
            _check_sources(document)
            profile = board_of(document)
            if profile is None:
                continue
            rules = _try_out(document, profile)
            if flow.has_been_guided(document) and not guided:
                _check_guided(pages_of(document["game"]).guided, document, profile, log)
                guided = True
            if (facts := (profile.name, rules.players, rules.facts)) not in followed:
                for step in reduce(rules, log).steps:
                    ensure(step.status != "impossible" or _is_named(rules, step), "an event")
                followed.add(facts)
        ensure(len({document["game"] for document in documents}) == 1, "several games")
        for photograph in game.parts["photographs"]:
            if photograph["reading"] is not None:
                _check_reading(photograph["reading"], pages_of(game.document["game"]).game)
        for count in game.parts["counts"]:
            _check_score(count["score"], game.document)
    except BackupError:
        raise
    except Exception as error:  # whatever would break a page
        reason = f"{type(error).__name__}: {error}"[:160]
        raise BackupError(f"games/{game.id}.json: is not a game ({reason})") from error


def _is_named(rules: Rules, step: Step) -> bool:
    """Return whether there are words for an event that older versions have let in."""
    profile, event = rules.profile_of_entry(step.entry), step.event
    return (
        event["kind"] in ("placed", "replaced")
        and any(place.id == event["space"] for place in profile.places)
        and any(piece.id == event["star"] for piece in profile.game.pieces)
    )


def _check_sources(document: Mapping[str, Any]) -> None:
    """Check that a document's references to photographs are ids, not paths."""
    for owner in owners(document):
        ensure(isinstance(owner.get("settled"), str | None), "a photograph")
        for source in (owner["board"], owner.get("offered")):
            if source is not None:
                photograph, index = source["photograph"], source["index"]
                ensure(photograph is None or bool(ID.fullmatch(photograph)), "a photograph")
                ensure(isinstance(index, int) and 0 <= index < 1000, "a board")


def _check_score(data: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    pages, score = pages_of(document["game"]), kept_score.from_data(data)
    scoring.standings(score)
    for player in score.players:
        for line in player.lines:
            ensure(line.category in pages.game.categories, "a part of a score")
            ensure(pages.words.knows(line), "a card of the game")
            pages.words.line(line)


def _check_reading(reading: Mapping[str, Any], game: Game[Any, Any, Any]) -> None:
    for board in reading["boards"]:
        ensure(isinstance(board["profile"], str), "a reading's profile")
        for seen in board["spaces"].values():
            ensure(0 <= seen["confidence"] <= 1, "a confidence")
            ensure(
                re.fullmatch("#[0-9a-f]{6}", seen.get("colour", "#000000")) is not None, "colour"
            )
        for flag in board["flags"]:
            ensure(isinstance(flag["kind"], str), "a flag")
        BoardState.from_data(board, game)


def _check_guided(
    part: GuidedGame | None, document: Document, profile: Profile, log: Sequence[Entry]
) -> None:
    """Replay a guided game as its pages do."""
    ensure(part is not None, "guidance")
    assert part is not None
    strengths = {"", *part.strengths}
    history = None
    for entry in log:
        history = extended(part, profile, history, entry)
        if history is None:
            continue
        set_up, players = history.set_up, document["players"]
        ensure(set_up["draws"] in part.opening.answers, "a way to draw")
        ensure(re.fullmatch("[0-9a-f]{1,64}", set_up["seed"]) is not None, "a seed")
        ensure(len(set_up["computers"]) <= len(players), "computers")
        ensure(strengths.issuperset(set_up["computers"]), "computers")
        ensure(isinstance(part.goes_on(set_up, document), bool), "a set-up")


def _check_answers(document: Mapping[str, Any], game: Game[Any, Any, Any]) -> None:
    """Check that all answers to the game's questions are among their options."""
    for question in game.questions(document):
        known = {option.id for option in question.options}
        for data in document["players"] if question.of_each_player else [document]:
            answer = _answer(data, question.id)
            if answer is not None and question.kind == "date":
                day = date.fromisoformat(answer).toordinal()
                ensure(question.least <= day <= question.most, question.id)
            elif answer is None or not known:
                continue
            given = answer if isinstance(answer, list) else [answer]
            ensure(all(isinstance(one, str) and one in known for one in given), question.id)


def _answer(data: Any, key: str) -> Any:
    """Return the value at a question's key, such as phases[0].card; None if missing."""
    for name in re.findall(r"[^.\[\]]+", key):
        if isinstance(data, list):
            data = data[int(name)] if int(name) < len(data) else None
        else:
            data = None if data is None else data.get(name)
    return data


def _different(documents: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    seen = set()
    for document in documents:
        known = json.dumps(document, sort_keys=True)
        if known not in seen:
            seen.add(known)
            yield document


def _try_out(document: Mapping[str, Any], profile: Profile) -> Rules:
    """Do with a document what its pages do; return the rules of its table."""
    pages = pages_of(document["game"])
    shown = seats.view(document, {}, None)
    _check_answers(shown, pages.game)
    for seat in range(len(owners(document))):
        scoring.drawn_pieces(shown, seat, profile.board)
    return pages.live.rules(shown, profile)
