"""What has been done in a guided game, in words."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from flask_babel import gettext as _

from scorer.notation import parts_of
from webapp.app.game_pages import Document
from webapp.app.guide.history import Moment
from webapp.app.guided_game import GuidedGame
from webapp.web import guide_questions as questions
from webapp.web.words import as_sentence, piece_name


def events_of(
    game: GuidedGame, moments: Sequence[tuple[Any, Moment]], document: Document
) -> Sequence[str]:
    """Return what actions did, each given with the state before it.

    Repetitions are counted; pieces that chance draws are listed where only their names differ.
    What chance does stands with the decision before it.
    """
    described = [
        (questions.describe(game, before, moment.action, moment.state, document), before, moment)
        for before, moment in moments
    ]
    pieces = [one.id for one in game.game.pieces]

    def drawn(event: tuple[str, Any, Moment]) -> tuple[str, str]:
        """Return the words before the name of a drawn piece that ends them, and the name."""
        words, before, moment = event
        values = [getattr(moment.action, field) for field in parts_of(type(moment.action))]
        named = [value for value in values if value in pieces]
        name = piece_name(named[0]) if len(named) == 1 else ""
        head = words.removesuffix(f"{name}.")
        is_drawn = name and head != words and game.turns.decides(before) is None
        return (head, name) if is_drawn else (words, "")

    events, is_decided = list[str](), False
    for words, each in groupby(filter(itemgetter(0), described), lambda one: drawn(one)[0]):
        every = [*each]
        (_words, before, first), *more = every
        told = words
        if names := [name for _head, name in map(drawn, every) if name]:
            told = f"{words}{', '.join(names)}."
        elif more:
            times = 1 + len(more)
            counted = questions.describe(game, before, first.action, first.state, document, times)
            repeated = as_sentence(_("%(does)s, %(num)s times", does=words.rstrip("."), num=times))
            told = repeated if counted == words else counted
        is_chance = game.turns.decides(before) is None
        events.append(f"{events.pop()} {told}" if is_chance and is_decided else told)
        is_decided = is_decided or not is_chance
    return events


def own_turn(game: GuidedGame, state: Any, moments: Sequence[tuple[Any, Moment]]) -> int | None:
    """Return how many moments precede the first decision of the turn; None if there is none yet."""
    decides, *decided = [
        (game.turns.decides(one), game.turns.turn(one))
        for one in (state, *(before for before, _moment in moments))
    ]
    others = [at for at, by in enumerate(decided) if by[0] is not None and by != decides]
    since = others[-1] + 1 if others else 0
    is_begun = decides[0] is not None and decides in decided[since:]
    return decided.index(decides, since) if is_begun else None


def since_turn_began(
    game: GuidedGame, moments: Sequence[tuple[Any, Moment]]
) -> Sequence[tuple[Any, Moment]]:
    """Return the turn of the last decision and what followed, also what others decided in it."""
    turns, begin, last = game.turns, len(moments), None
    for at, (before, _moment) in reversed([*enumerate(moments)]):
        turn, decides = turns.turn(before), turns.decides(before)
        whose = decides if turn is None else turn
        if decides is not None:
            last = whose if last is None else last
            if whose != last:
                break
            begin = at
    return moments[begin:]
