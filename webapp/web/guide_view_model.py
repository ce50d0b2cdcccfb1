"""What a guided screen shows: the question with what is legal of it, the board, what happened."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask_babel import gettext as _

from scorer.flags import RuleBreak
from scorer.game import Pieces
from scorer.places import Place
from scorer.turns import Advice, Hint, Turns
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import Document
from webapp.app.guide.history import Moment, SeenHistory
from webapp.app.guide.sighting import Sighting
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.web import guide_questions as questions
from webapp.web.words import as_sentence, as_title, spoken


@dataclass(frozen=True)
class GuideViewModel:
    """One screen of a guided game, of the state as whoever looks may know it.

    `choices` come with the rule that forbids them, None where nothing does; so do `places`, by
    their keys, with the action that each stands for. What a computer player does is legal, though
    whoever looks may not know the cards that allow it.
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
    sighting: Sighting | None
    goes_back: bool
    """Whether the last decision was theirs, or anybody's, to be taken back."""
    secrets: Sequence[int] = ()
    """The seats of theirs whose cards they can look at."""
    free: Sequence[int] = ()
    """The seats that nobody sits at yet, and somebody may have cards at."""
    hints: Sequence[Hint] = ()
    can_hint: bool = False
    """Whether there is a hint beyond those that were asked for."""
    pointed: Collection[str] = ()
    """The places that a hint, a computer player or the question points at."""

    @property
    def lit(self) -> Sequence[str]:
        """The places where the piece may go."""
        return [place for place, (_action, broken) in self.places.items() if broken is None]


def view(
    game: GuidedGame,
    history: SeenHistory,
    document: Document,
    sitting: Sitting,
    draft: str = "",
    seen: Sequence[Sighting] = (),
    turn: Sequence[tuple[Any, Moment]] = (),
    advice: Advice[Any] | None = None,
    hints: Sequence[Hint] = (),
    asked: int = 0,
    decided_last: int | None = None,
) -> GuideViewModel:
    """Draw the screen of a guided game as it stands; `draft` is what was chosen already.

    `advice` is what a computer player does now, `turn` that and the rest of its turn, which is
    drawn as it lies then. Of the `hints`, for who may be helped, so many were `asked` for.
    `decided_last` is whose decision the last one was.
    """
    state, decides = history.state, game.turns.decides(history.state)
    names = [str(player["name"]) for player in document["players"]]
    has_secrets = game.has_secrets(history.set_up)
    is_shown = has_secrets and decides == history.seat
    is_handed = is_shown or not has_secrets
    asks = questions.Asked(game, state, draft, is_shown)
    if advice is not None:
        question = _of_computer(game, history, turn, advice, document)
    elif not is_handed and asks.is_private:
        question = sat_down(sitting, decides, names, draft)
    else:
        question = asks.question(document)
        if not sitting.acts_for(decides):
            question = waited_for(question, names[decides or 0])
    can_hint = advice is None and may_be_helped(game, history, sitting)
    given = hints[:asked] if is_handed else ()
    board = game.board(state)
    drawn = game.pieces(game.turns.seen_by(turn[-1][1].state, history.seat) if turn else state)
    public = [moment.action for _before, moment in turn if not game.hides(moment.action)]
    own = [place for action in public for place in game.turns.places_of(action)]
    pointed = given[-1].places if given else question.shown
    if advice is not None:
        pointed = [*advice.places, *own]
    events = [
        questions.describe(game, before, moment.action, moment.state, document)
        for before, moment in history.latest
    ]
    differs = next((one for one in seen if not (one.answers or _is_due(one, turn, drawn))), None)
    places = written(game, state, question.places)
    persons = [seat for seat, by in enumerate(history.set_up["computers"]) if not by]
    of_persons = persons if has_secrets and not question.over else ()
    return GuideViewModel(
        history,
        sitting,
        question,
        [(one, None if advice else _broken(game, state, one)) for one in question.choices],
        places,
        game.turns.player(state),
        board,
        None if board is None else DrawnPieces.of(drawn[board]),
        [one for one in events if one],
        differs,
        history.is_decided and sitting.acts_for(decided_last),
        [seat for seat in of_persons if seat in sitting.mine],
        [seat for seat in of_persons if seat not in sitting.mine | sitting.others],
        given,
        can_hint and (not given or len(given) < len(hints)),
        [*_worth_a_look(places, pointed), *([differs.place.id] if differs else [])],
    )


def _is_due(
    sighting: Sighting, turn: Sequence[tuple[Any, Moment]], drawn: Sequence[Pieces]
) -> bool:
    """Whether a piece lies already where a computer player's turn has it, though not next."""
    place = sighting.place
    is_counted = place.kind == "region"
    return bool(turn) and not is_counted and drawn[sighting.seat].get(place) == sighting.piece


def _worth_a_look(
    places: Mapping[str, tuple[str, RuleBreak | None]], pointed: Collection[Place]
) -> list[str]:
    """The places that are pointed at, but those where the piece in question may not go."""
    return [one.id for one in pointed if one.id not in places or places[one.id][1] is None]


def may_be_helped(game: GuidedGame, history: SeenHistory, sitting: Sitting) -> bool:
    """Whether hints are theirs: whoever decides gets them, or anybody where nothing is hidden."""
    decides = game.turns.decides(history.state)
    if decides is None or history.set_up["computers"][decides]:
        return False
    return (
        decides in sitting.mine if game.has_secrets(history.set_up) else sitting.acts_for(decides)
    )


def sat_down(sitting: Sitting, seat: int | None, names: Sequence[str], draft: str) -> Question:
    """Ask for the player who alone may see what comes, or say that they do it elsewhere."""
    assert seat is not None, "what is private is somebody's"
    name = names[seat]
    if not sitting.acts_for(seat):
        return waited_for(Question(_("%(name)s looks at their cards", name=name)), name)
    words = _("I am %(name)s: show my cards", name=name)
    in_hand = seat in sitting.mine
    return Question(
        _("Hand the phone to %(name)s", name=name),
        _("Only %(name)s looks: these cards are secret.", name=name),
        [
            Choice(words, draft=draft, look=seat)
            if in_hand
            else Choice(words, draft=draft, take=seat),
            Choice(_("Something else"), draft="turn", aside=True),
        ][: 2 if draft else 1],
    )


def waited_for(question: Question, name: str) -> Question:
    """What is asked of somebody else, who answers it on a phone of their own."""
    hint = _("%(name)s does this on their own phone. This screen continues by itself.", name=name)
    return replace(question, hint=hint, choices=(), places={}, close_up=())


def _of_computer(
    game: GuidedGame,
    history: SeenHistory,
    turn: Sequence[tuple[Any, Moment]],
    advice: Advice[Any],
    document: Document,
) -> Question:
    """What is done for a computer player, all of its turn that is known, and why it wants that."""
    turns, seat = game.turns, history.seat
    shown = [
        questions.describe(
            game,
            turns.seen_by(before, seat),
            moment.action,
            turns.seen_by(moment.state, seat),
            document,
        )
        for before, moment in turn
    ]
    first, *rest = [words for words in shown if words] or [""]
    name = document["players"][turns.decides(history.state) or 0]["name"]
    then = [as_title(words.removeprefix(f"{name} ")) for words in rest]
    return Question(
        first,
        "",
        [Choice(_("Done for the computer"), advice.action)],
        template="_computer_turn.html",
        about=(then, as_sentence(spoken(advice.reason))),
    )


def written(
    game: GuidedGame, state: Any, places: Mapping[Place, Any]
) -> dict[str, tuple[str, RuleBreak | None]]:
    """The actions of places as text, by the places' keys, with the rule that forbids each."""
    broken = legal_placements(game.turns, state, places)
    return {
        str(place): (game.turns.write_action(action), broken[place])
        for place, action in places.items()
    }


def _broken(game: GuidedGame, state: Any, choice: Choice) -> RuleBreak | None:
    return None if choice.action is None else game.turns.illegal(state, choice.action)


def legal_placements(
    turns: Turns[Any, Any], state: Any, actions: Mapping[Place, Any]
) -> dict[Place, RuleBreak | None]:
    """For each place the rule that forbids its action in a state, None where it is legal."""
    return {place: turns.illegal(state, action) for place, action in actions.items()}
