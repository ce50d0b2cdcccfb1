"""What a guided screen is drawn with, for the phone that asks for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request

from calibration import Profile
from calibration.artwork import TokenSheet, TokenSpots, token_sheets
from scorer.scoresheet import PlayerScore, Score, winning_margin
from scorer.sentence import Sentence
from scorer.turns import Strength
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import Document
from webapp.app.guide.history import History
from webapp.app.guide.laid import LaidToken, laid_tokens
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import GuidedGame
from webapp.app.languages import language
from webapp.app.session import flow
from webapp.app.session.game_document import player_names
from webapp.app.session.saved_games import SavedGame
from webapp.server.guard import serves
from webapp.web.context import guide_service, live_service, services
from webapp.web.guide_events import since_turn_began
from webapp.web.guide_gains import best_gains, gains, moved
from webapp.web.guide_handover import changed_by_computer
from webapp.web.guide_hints import MOST_HINTS, may_be_helped
from webapp.web.guide_view_model import GuideViewModel, view, waiting_view
from webapp.web.pages import preferences
from webapp.web.score_parts import score_parts
from webapp.web.table_strip import SeatPanel, card_of_market, table_strip

LONGEST_DRAFT = 80
LONGEST_LAID = 1000
"""Characters of tokens by place that an address may bring."""
FEWEST_PHOTOGRAPHED = 5
"""The fewest tokens to be tapped in that a photograph is offered for; it takes four taps."""
MOST_MARKED = 14
"""The most places of a final board that are marked because they have brought points."""
PERSON = "-"
"""Represents a person in a draft, instead of a computer's strength."""


@dataclass(frozen=True)
class ScreenRequest:
    """What a phone asks for: the `draft` chosen after the log entry `at`, and so many `hints`.

    `handed_to` is the seat that it was handed to, `of` the one whose things are to be shown;
    `laid` the tokens that a photograph of sheets shows, as in `tokens_by_place`.
    """

    draft: str = ""
    at: int | None = None
    hints: int = 0
    handed_to: int | None = None
    of: int | None = None
    laid: str = ""

    @classmethod
    def by_request(cls) -> "ScreenRequest":
        values = request.values
        return cls(
            values.get("draft", "")[:LONGEST_DRAFT],
            values.get("at", type=int),
            request.args.get("hint", 0, type=int),
            request.args.get("look", type=int),
            request.args.get("of", type=int),
            values.get("laid", "")[:LONGEST_LAID],
        )

    def sitting(self, game: SavedGame) -> Sitting:
        return Sitting.of(game.seats, self.handed_to)


def context_of(
    game: SavedGame, part: GuidedGame, asked: ScreenRequest, refused: str = "", rule: str = ""
) -> Mapping[str, Any]:
    """Return what `guide.html` and `_guide.html` are drawn with."""
    words = part.pages.words
    # Get the entry first, so that anything logged meanwhile is news to the page.
    last = live_service().log.last(game.id)
    history = history_of(game)
    shown = view_of(game, part, history, asked)
    final = final_score(game, part, history, shown)
    are_all = False
    if final and shown:
        marked, are_all = _counted_on_board(part, final, game.document)
        shown = replace(shown, pointed=marked, recent=())
    points = () if shown is None else points_in_view(part, shown.drawn_state, game.document)

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
        "without_secrets": {*_without_secrets(game, history, shown)},
        "points": final.players if final else points,
        "marker_points": None if shown is None or final else shown.look.points,
        "points_moved": () if final else [*_points_moved(part, shown, points)],
        "final": final,
        "winning_margin": winning_margin(final) if final else 0,
        "are_all_marked": are_all,
        "boards_below": _boards_below(part, final, shown),
        "draft": asked.draft if shown is None else shown.draft,
        "serves": serves(),
        "look": None if asked.handed_to is None else asked.sitting(game).seat,
        "refused": refused,
        "rule": rule,
        "last": last,
        **(
            _before_it(game, part, asked)
            if shown is None
            else _by_photograph(game, part, shown, asked)
        ),
    }


def _before_it(game: SavedGame, part: GuidedGame, asked: ScreenRequest) -> Mapping[str, Any]:
    """Return what is shown before a guided game begins, or instead of one that cannot go on."""
    begins = beginning(game, part, asked.draft)
    is_ready = bool(asked.laid and begins and begins.seat is None)
    profile = services().boards.of(game.document)
    start = part.turns.start(part.rules_of(game.document), profile.board)
    return {
        "is_another": flow.is_guided(game.document) and guide_service().is_another(game),
        "in_use": guide_service().in_use(game),
        "beginning": begins,
        "laid": asked.laid,
        "laid_on": [*laid_on(part, profile, start, asked.laid)] if is_ready else (),
    }


def _by_photograph(
    game: SavedGame, part: GuidedGame, shown: GuideViewModel, asked: ScreenRequest
) -> Mapping[str, Any]:
    """Return the sheets that may be photographed instead of tapping in what was drawn.

    With what a photograph shows on them, if the screen is asked for with one.
    """
    if not shown.draws_several:
        return {}
    state, profile = shown.history.state, services().boards.of(game.document)
    sheets = [*laid_on(part, profile, state, asked.laid)]
    is_current = bool(asked.laid) and asked.at == shown.history.number
    return {
        "photographed": sheets if is_current else (),
        "can_be_photographed": [
            one.sheet.sheet.name for one in sheets if len(one.due) >= FEWEST_PHOTOGRAPHED
        ],
    }


def tokens_by_place(laid: str) -> Mapping[str, str]:
    """Parse tokens by their places, such as `cluster.0.0:white,boosted:red`."""
    pairs = (one.partition(":") for one in laid.split(","))
    return {place: token for place, _colon, token in pairs if token}


@dataclass(frozen=True)
class LaidOn:
    """A sheet with the places that the next draws fill, and what a photograph shows there.

    `others` are its other places where something lies: x and y in mm, the game's token, "" if there
    is none, and whether the photograph shows another one.
    """

    sheet: TokenSheet
    due: Sequence[tuple[TokenSpots, LaidToken]]
    others: Sequence[tuple[float, float, str, bool]]

    @property
    def differs(self) -> bool:
        return any(differs for *_at, differs in self.others)


def laid_on(part: GuidedGame, profile: Profile, state: Any, laid: str) -> Iterator[LaidOn]:
    """Yield the sheets with places that the next draws from a state fill."""
    sheets, seen = token_sheets(profile.layout), tokens_by_place(laid)
    every = [*laid_tokens(part.turns, state, sheets, seen)] if sheets else []
    places = {one.place for one in every}
    for sheet in sheets:
        due = [(own, one) for one in every for own in sheet.spots if one.place in own.at]
        there = {place: next(iter(own), "") for place, own in sheet.tokens_in(state).items()}
        others = [
            (*own.at[place], token, seen.get(place, token) != token)
            for own in sheet.spots
            if len(own.tokens) > 1
            for place in own.at
            if place not in places and ((token := there.get(place, "")) or place in seen)
        ]
        if due:
            yield LaidOn(sheet, due, others)


def history_of(game: SavedGame) -> History | None:
    """Return a guided game's history; None if there is none, as before it. Raises BusyError."""
    return guide_service().history(game) if flow.is_guided(game.document) else None


def view_of(
    game: SavedGame, part: GuidedGame, history: History | None, asked: ScreenRequest
) -> GuideViewModel | None:
    """Return the screen of a game's history as a phone may see it. Raises BusyError."""
    if history is None:
        return None
    sitting = asked.sitting(game)
    is_current = asked.at == history.number
    hints = min(max(asked.hints if is_current else 0, 0), MOST_HINTS)
    seen = guide_service().seen(game, history, sitting.seat)
    may_help = may_be_helped(part, seen, sitting)
    shown = view(
        part,
        seen,
        game.document,
        sitting,
        asked.draft if is_current else "",
        guide_service().sightings(game, history),
        guide_service().computer_turn(game, history),
        guide_service().advice(game, history),
        guide_service().help(game, history) if hints and may_help else None,
        hints,
        history.decided_last(part),
        guide_service().taken_card(game, history),
    )
    if shown.question.is_awaited and len(sitting.mine) == 1:
        shown = replace(shown, home=min(sitting.mine))
    names = player_names(game.document)
    of = asked.of if is_current and asked.of in range(len(names)) else shown.home
    if of != shown.player:
        return waiting_view(part, shown, of, names)
    if shown.is_computers:
        every = enumerate(seen.set_up["computers"])
        persons = sorted(sitting.mine or (seat for seat, by in every if not by))
        turn = guide_service().computer_turn(game, history)
        changes = guide_service().thought_of(
            game,
            history,
            f"changes {game.revision} {language()} {sitting.seat} {persons}",
            lambda: changed_by_computer(part, seen, turn, game.document, persons),
        )
        return replace(shown, changes=changes)
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


def _strip(game: SavedGame, part: GuidedGame, shown: GuideViewModel) -> Sequence[SeatPanel]:
    """Return the players' panels: first that of whose things are shown, or the phone's owner's."""
    first = min(shown.sitting.mine, default=None) if shown.player is None else shown.player
    return table_strip(part, shown.drawn_state, game.document, first)


def _without_secrets(
    game: SavedGame, history: History | None, shown: GuideViewModel | None
) -> Iterator[int]:
    """Yield the viewer's seats that know no more of the game now than everybody."""
    if history is not None and shown is not None:
        public = guide_service().seen(game, history, None).state
        for seat in shown.secrets:
            if guide_service().seen(game, history, seat).state == public:
                yield seat


def final_score(
    game: SavedGame, part: GuidedGame, history: History | None, shown: GuideViewModel | None
) -> Score | None:
    """Return the score of a game that is over; None if only its players know all of it."""
    if history is None or shown is None or not shown.question.over:
        return None
    if not part.has_secrets(history.set_up):
        return None
    return part.turns.score(history.state, player_names(game.document))


def _counted_on_board(
    part: GuidedGame, final: Score, document: Document
) -> tuple[Sequence[str], bool]:
    """Return the places of a shared board that have brought points, and whether these are all.

    If they are many, only those of the players' secret cards.
    """
    secret = {asked.id for asked in part.game.questions(document) if asked.secret}
    lines = [line for player in final.players for line in player.lines if line.points > 0]
    every, hidden = (
        list(dict.fromkeys(place for line in own for place in (*line.spaces, *line.links)))
        for own in (lines, [line for line in lines if line.category in secret])
    )
    is_all = len(every) <= MOST_MARKED
    return (every if is_all else hidden) if part.game.table.shared else (), is_all


def _boards_below(
    part: GuidedGame, final: Score | None, shown: GuideViewModel | None
) -> Sequence[tuple[int, DrawnPieces, Sequence[str]]]:
    """Return the other players' own boards unless empty, finally all with what brought points."""
    if shown is None or part.game.table.shared or (shown.player is None and not final):
        return ()
    scored = final.players if final else [None] * len(shown.history.set_up["computers"])
    pieces = part.pieces(shown.drawn_state)
    return [
        (
            number,
            DrawnPieces.of(pieces[number]),
            [
                place
                for line in (player.lines if player else ())
                if line.points > 0
                for place in line.spaces
            ],
        )
        for number, player in enumerate(scored)
        if final or (number != shown.board and pieces[number])
    ]


def points_in_view(part: GuidedGame, state: Any, document: Document) -> Sequence[PlayerScore]:
    """Return the players' scores from public information; () before there are pieces."""
    seen = part.turns.seen_by(state, None)
    if not any(part.game.pieces_of(one) for one in part.turns.positions(seen)):
        return ()
    return part.turns.score(seen, player_names(document)).players


def _points_moved(
    part: GuidedGame, shown: GuideViewModel | None, points: Sequence[PlayerScore]
) -> Iterator[tuple[str, int, int, Sequence[tuple[str, int]]]]:
    """Yield whose points in view the last turn changed: name, both totals, and by what."""
    if shown is None or shown.is_computers or shown.question.tells_points:
        return
    if shown.look.points is not None:
        return  # until the markers move
    history = shown.history
    turn = history.latest if len(points) == 1 else since_turn_began(part, history.recent)
    if not points or not turn:
        return
    before, _moment = turn[0]
    seen = part.turns.seen_by(before, None)
    names = [player.name for player in points]
    for old, new in zip(part.turns.score(seen, names).players, points, strict=True):
        if parts := moved(part, old, new):
            yield new.name, old.total, new.total, [*parts.items()]


def counted(
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


def beginning(game: SavedGame, part: GuidedGame, draft: str) -> Beginning | None:
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
