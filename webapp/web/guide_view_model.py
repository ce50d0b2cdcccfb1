"""The content of a guided screen: the question with its legal answers, the board, recent events."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from flask_babel import gettext as _

from scorer.flags import RuleBreak
from scorer.places import Place
from scorer.table import Pieces
from scorer.turns import Advice
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import Document
from webapp.app.guide.history import Moment, SeenHistory
from webapp.app.guide.sighting import Sighting
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import Choice, GuidedGame, Question, StateLook
from webapp.web import guide_questions as questions
from webapp.web.guide_buttons import (
    drawn_in_a_row,
    legal_by_button,
    only_piece,
    straight,
    ways_of_buttons,
)
from webapp.web.guide_events import events_of, own_turn
from webapp.web.guide_gains import CommonGain, Gain
from webapp.web.guide_handover import handed_over, of_computer, sat_down, waited_for
from webapp.web.guide_hints import MOST_HINTS, compared, hints, may_be_helped

MOST_NEWS = 4
MOST_WORDS, SHORT = 30, 6
"""How many recent events, of how many words, stand above the question; all of them below it. One
as short as the end of a turn never stands alone."""
MOST_IMPOSSIBLE = 3
"""How many impossible choices are shown below possible ones; of more than that those are folded
away that do not fill up as many choices."""


@dataclass(frozen=True)
class GuideViewModel:
    """A screen of a guided game, based on the state as the viewer may know it.

    `choices` have the rule that forbids them, or None, those that are possible first; `places`
    have, by key, the notation of their action and the rule. A computer player's action is legal
    even if the viewer cannot see the cards that allow it.
    """

    history: SeenHistory
    sitting: Sitting
    question: Question
    choices: Sequence[tuple[Choice, RuleBreak | None]]
    places: Mapping[str, tuple[str, RuleBreak | None]]
    player: int | None
    board: int | None
    drawn_pieces: DrawnPieces | None
    events: Sequence[str]
    """What was done since the viewer's last turn began, in order; last, `own` of the turn in
    progress."""
    own: int
    sighting: Sighting | None
    goes_back: bool
    """Whether the viewer may undo the last decision."""
    draws_several: bool = False
    """Whether people draw now, more than once, so that the program may do it for them."""
    pairs: Mapping[Any, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """What may be drawn after each piece that may be drawn: its piece, and the notation of both."""
    secrets: Sequence[int] = ()
    """The viewer's seats whose cards they can look at."""
    free: Sequence[int] = ()
    """The seats that nobody has claimed but that may have cards."""
    hints: Sequence[str] = ()
    """What helps with the decision, as far as was asked for: the best move, and what advice is."""
    compared: Sequence[tuple[str, str]] = ()
    """The next best moves, once the move is told: what to do, and why it is worse."""
    can_hint: bool = False
    """Whether there is a further hint."""
    taken: tuple[str, Sequence[tuple[str, str]]] | None = None
    """A card that a camera misses, with the actions that take it: notation and what they do."""
    pointed: Collection[str] = ()
    """The places that a hint, a computer player or the question points at."""
    recent: Collection[str] = ()
    """The places of the drawn board where players have just done something, as in `news`.

    Empty beside a computer player's turn, if the question points at some itself, and once an
    action has been begun, as its own places are lit.
    """
    drawn_state: Any = None
    """The state that is drawn: after a computer player's turn, otherwise the current one."""
    look: StateLook = field(default_factory=StateLook)
    """What that state shows besides its pieces."""
    is_computers: bool = False
    """Whether a computer player's turn is shown."""
    draft: str = ""
    """What has been chosen of the action; "" also for what no longer fits."""
    only_action: Callable[[str], str] = lambda draft: ""
    """Return the notation of the action that a draft leaves; "" if it leaves several."""
    gains: Mapping[str, Gain] = field(default_factory=dict)
    """What choices on the board change, by place key, apart from what all of them do."""
    gain_of_all: CommonGain = field(default_factory=CommonGain)
    ways: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The legal actions that each possible button leads to, if some lead to places of the board."""
    brings: Mapping[str, Gain] = field(default_factory=dict)
    """What the best of a button's `ways` brings."""
    idle: Collection[str] = ()
    """The places where the piece may go, but one like it lies already."""
    only_piece: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By key of empty spaces where one of the pieces on offer alone may go: that piece, and the
    notation of its action."""
    hides_gains: bool = False
    """Whether the viewer decides on the board, and prefers not to see what choices change."""
    changes: Sequence[str] = ()
    """What a computer player's turn changes for others."""
    acting: int | None = None
    """Who is to decide; `player` is whose things are shown."""
    home: int | None = None
    """Whose things are shown unless others' are asked for."""
    kinds: Collection[str] = ()
    """The kinds of actions that the question is about, as in `Asked.kinds`."""
    interruption: str = ""
    """What somebody has to decide in another player's turn."""

    @property
    def news(self) -> Sequence[str]:
        """The last events, those that are shown above the question.

        Of a turn in progress these are its own. None beside a computer player's turn, and before
        the first decision: the table is as it was dealt.
        """
        shown: list[str] = []
        told = self.history.is_decided and not self.is_computers
        for words in reversed(self.events[len(self.events) - self.own :]) if told else ():
            is_much = len(" ".join([*shown, words]).split()) > MOST_WORDS
            is_enough = len(" ".join(shown).split()) > SHORT
            if is_enough and (is_much or len(shown) == MOST_NEWS):
                break
            shown.insert(0, words)
        return shown

    @property
    def still_brings(self) -> str:
        """What the rest of the turn can still bring, by any choice or by those with a mark."""
        if self.gain_of_all.later:
            points = self.gain_of_all.later_explained
            if any(one.loses for one in self.gains.values()):
                return _("This turn can still bring %(points)s; less after “→✗”.", points=points)
            return _("This turn can still bring %(points)s, whichever you choose.", points=points)
        marked = [one for one in (*self.gains.values(), *self.brings.values()) if one.later]
        return (
            _(
                "→ what this turn can still bring then, at most %(points)s.",
                points=max(marked, key=lambda one: one.later).later_explained,
            )
            if marked
            else ""
        )

    @property
    def folded(self) -> int:
        """The number of last choices to fold away: many impossible ones after possible ones."""
        impossible = sum(_is_impossible(*one) for one in self.choices)
        possible = len(self.choices) - impossible
        is_much = possible and impossible > MOST_IMPOSSIBLE
        return min(impossible, len(self.choices) - MOST_IMPOSSIBLE) if is_much else 0

    @property
    def rings_recent(self) -> bool:
        """Whether rings can be seen where something was done, on the part of the board shown."""
        near = {place.id for place in self.question.close_up}
        return bool(self.recent) and (not near or not near.isdisjoint(self.recent))

    @property
    def lit(self) -> Sequence[str]:
        """The places where the piece may go."""
        return [
            place
            for place, (_action, broken) in self.places.items()
            if broken is None and place not in self.idle
        ]


def view(
    game: GuidedGame,
    history: SeenHistory,
    document: Document,
    sitting: Sitting,
    draft: str = "",
    seen: Sequence[Sighting] = (),
    turn: Sequence[tuple[Any, Moment]] = (),
    advice: Advice[Any] | None = None,
    help: Advice[Any] | None = None,
    asked: int = 0,
    decided_last: int | None = None,
    taken: tuple[str, Sequence[Any]] | None = None,
) -> GuideViewModel:
    """Return the current screen of a guided game; `draft` is what has been chosen.

    `advice` is a computer player's next action, `turn` its whole turn, after which the board is
    drawn. `asked` is how many hints at the `help` were requested. `decided_last` is the seat of the
    last decision. `taken` is a card that a camera misses, with the actions that take it.
    """
    state, decides = history.state, game.turns.decides(history.state)
    names = [str(player["name"]) for player in document["players"]]
    has_secrets = game.has_secrets(history.set_up)
    is_shown = has_secrets and decides == history.seat
    is_handed = is_shown or not has_secrets

    asks = questions.Asked(game, state, draft, is_shown, history.is_first)
    if draft and (advice is not None or not asks.is_begun(document)):
        draft, asks = "", replace(asks, draft="")
    if advice is not None:
        question = of_computer(game, history, turn, advice, document)
    elif not is_handed and asks.is_private:
        question = sat_down(sitting, decides, names, draft, asks.task(names))
    else:
        question = asks.question(document)
        if not sitting.acts_for(decides):
            question = waited_for(question, names[decides or 0])
        elif not is_handed and decides in sitting.mine:
            question = handed_over(asks, question, decides)
    question, interruption = _meanwhile(asks, question, history.active_player, names)

    def only_action(draft: str) -> str:
        only = replace(asks, draft=draft).only_choice(names)
        return game.turns.write_action(only.action) if only else ""

    choices = [straight(asks, one, names) for one in question.choices]
    can_hint = advice is None and may_be_helped(game, history, sitting)
    given, others = list[str](), list[tuple[str, str]]()
    if help is not None and asked and is_handed:
        given = hints(game, state, help, draft, document)[:asked]
        others = compared(game, state, help, document)
    board = game.board(state)
    drawn_state = game.turns.seen_by(turn[-1][1].state, history.seat) if turn else state
    drawn = game.pieces(drawn_state)
    public = [moment.action for _before, moment in turn if not game.hides(moment.action)]
    own = [place for action in public for place in game.turns.places_of(action)]
    pointed = help.places if help is not None and given else question.shown
    if advice is not None:
        pointed = [*advice.places, *own]
    is_shown_alone = advice is not None or bool(question.shown or draft)
    own_last, recent = history.own_last, history.recent
    differs = next((one for one in seen if not (one.answers or _is_due(one, turn, drawn))), None)
    places = written(game, state, question.places)
    of_buttons = {} if advice or question.places else legal_by_button(asks, choices)
    before_turn = own_turn(game, state, recent) or 0
    told = [
        events_of(game, part, document)
        for part in (own_last, recent[:before_turn], recent[before_turn:])
    ]
    persons = [seat for seat, by in enumerate(history.set_up["computers"]) if not by]
    of_persons = persons if has_secrets and not question.over else ()
    return GuideViewModel(
        history,
        sitting,
        question,
        sorted(
            ((one, None if advice else _broken(game, state, one)) for one in choices),
            key=lambda one: _is_impossible(*one),
        ),
        places,
        game.turns.player(state),
        board,
        None if board is None else DrawnPieces.of(drawn[board]),
        [*chain.from_iterable(told)],
        len(told[-1]),
        differs,
        history.is_decided and sitting.acts_for(decided_last),
        game.draws_several(state, history.set_up),
        drawn_in_a_row(game, state, names) if game.draws_several(state, history.set_up) else {},
        [seat for seat in of_persons if seat in sitting.mine],
        [seat for seat in of_persons if seat not in sitting.mine | sitting.others],
        given,
        others,
        can_hint and (not given or (bool(others) and len(given) < MOST_HINTS)),
        _ways(game, history.state, taken, document) if sitting.acts_for(decides) else None,
        [*_worth_a_look(places, pointed), *([differs.place.id] if differs else [])],
        () if is_shown_alone else _places_done(game, recent[before_turn:], board),
        drawn_state,
        game.state_look(drawn_state),
        advice is not None,
        draft,
        only_action,
        ways=ways_of_buttons(asks, choices, of_buttons),
        idle=_idle(game, state, question, places, board),
        only_piece=only_piece(asks, choices, of_buttons, drawn[board] if board is not None else {}),
        acting=game.turns.player(state),
        home=game.turns.player(state),
        kinds=() if advice else asks.kinds,
        interruption=interruption,
    )


def _meanwhile(
    asks: questions.Asked, question: Question, active_player: int | None, names: Sequence[str]
) -> tuple[Question, str]:
    """Return a question asked in another player's turn, which it then names, and what is asked."""
    if active_player is None or asks.game.turns.decides(asks.state) in (None, active_player):
        return question, ""
    goes_on = _("It is still %(name)s’s turn, and goes on after that.", name=names[active_player])
    asked = f"{asks.task(names)} {goes_on}".strip()
    hint = f"{question.hint} {asked if question.is_awaited else goes_on}".strip()
    return replace(question, hint=hint), asked


def waiting_view(
    game: GuidedGame, shown: GuideViewModel, seat: int | None, names: Sequence[str]
) -> GuideViewModel:
    """Return the screen with a waiting player's things, where nothing can be done.

    A question that another phone answers stays; others wait, too, until their player is shown.
    """
    if seat in (None, shown.player) or shown.question.over:
        return shown
    question, acting, may_act = shown.question, shown.acting, not shown.question.is_awaited
    if may_act:
        waits = _("%(name)s waits", name=names[seat])
        if acting is not None:
            waits = _("%(name)s waits: %(other)s is to move", name=names[seat], other=names[acting])
        question = Question(waits, shown.interruption, is_awaited=True)
    state, sighting, recent = shown.history.state, shown.sighting, shown.history.recent
    since = recent[own_turn(game, state, recent) or 0 :]
    board = 0 if game.game.table.shared else seat
    return GuideViewModel(
        shown.history,
        shown.sitting,
        question,
        (),
        {},
        seat,
        board,
        DrawnPieces.of(game.pieces(state)[board]),
        shown.events,
        shown.own,
        sighting if sighting is not None and sighting.seat == board else None,
        shown.goes_back and not may_act,
        secrets=shown.secrets,
        free=shown.free,
        pointed=shown.pointed if board == shown.board and not shown.is_computers else (),
        recent=_places_done(game, since, board) if board == shown.board else (),
        drawn_state=state,
        look=game.state_look(state),
        acting=acting,
        home=shown.home,
        kinds=shown.kinds,
    )


def _places_done(
    game: GuidedGame, moments: Sequence[tuple[Any, Moment]], board: int | None
) -> Sequence[str]:
    """Return the places of a board where players have done something."""
    return [
        place.id
        for before, moment in moments
        if game.turns.decides(before) is not None and game.board(before) == board
        if not game.hides(moment.action)
        for place in game.turns.places_of(moment.action)
    ]


def _idle(
    game: GuidedGame,
    state: Any,
    question: Question,
    places: Mapping[str, tuple[str, RuleBreak | None]],
    board: int | None,
) -> Collection[str]:
    """Return the places whose legal action leaves all pieces as they are, though one lies there."""
    if board is None or not question.places:
        return ()
    now = game.pieces(state)[board]
    return [
        str(place)
        for place, action in question.places.items()
        if place in now and places[str(place)][1] is None
        if game.pieces(game.turns.after_legal(state, action))[board] == now
    ]


def _ways(
    game: GuidedGame, state: Any, taken: tuple[str, Sequence[Any]] | None, document: Document
) -> tuple[str, Sequence[tuple[str, str]]] | None:
    if taken is None:
        return None
    turns, (card, actions) = game.turns, taken
    ways = [
        (
            turns.write_action(action),
            questions.describe(game, state, action, turns.after(state, action), document),
        )
        for action in actions
        if turns.illegal(state, action) is None  # as far as the viewer knows
    ]
    return (card, ways) if ways else None


def _is_due(
    sighting: Sighting, turn: Sequence[tuple[Any, Moment]], drawn: Sequence[Pieces]
) -> bool:
    """Whether a piece is already where a later action of a computer's turn puts it."""
    place = sighting.place
    is_counted = place.kind == "region"
    return bool(turn) and not is_counted and drawn[sighting.seat].get(place) == sighting.piece


def _worth_a_look(
    places: Mapping[str, tuple[str, RuleBreak | None]], pointed: Collection[Place]
) -> list[str]:
    """Return the places to point at, except those where the piece may not go."""
    return [one.id for one in pointed if one.id not in places or places[one.id][1] is None]


def written(
    game: GuidedGame, state: Any, places: Mapping[Place, Any]
) -> dict[str, tuple[str, RuleBreak | None]]:
    """Return the notation of places' actions and the rules that forbid them, by place key."""
    turns = game.turns
    return {
        str(place): (turns.write_action(action), turns.illegal(state, action))
        for place, action in places.items()
    }


def _is_impossible(choice: Choice, broken: RuleBreak | None) -> bool:
    return broken is not None or bool(choice.obstacles)


def _broken(game: GuidedGame, state: Any, choice: Choice) -> RuleBreak | None:
    return None if choice.action is None else game.turns.illegal(state, choice.action)
