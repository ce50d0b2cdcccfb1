"""A computer player of Polaris that plays as beginners do: it joins its stars, no more."""

from random import Random

from scorer.polaris.constellations import PlayerStars
from scorer.polaris.placing import placed
from scorer.polaris.steps import STEPS, ChooseCard, EndCard, Lay, Step, StepState
from scorer.polaris.table_state import EndTurn, PlayCard, TableState, TakeCard, TakeShootingStars
from scorer.polaris.words import say
from scorer.turns import Advice

PLAYS = 0.6
"""How likely it plays a card where it may, rather than take one."""
_IN_ORDER: tuple[type[Step], ...] = (EndTurn, ChooseCard, TakeCard, TakeShootingStars)
"""The kinds of steps between cards; the first that there is, is done: one card a turn."""


def beginners_step(state: StepState, seed: int) -> Advice[Step]:
    """A step that looks at no objective. ValueError where nobody decides."""
    seat, mind = STEPS.decides(state), Random(seed)
    if seat is None:
        raise ValueError("nobody decides now")
    if state.card is not None:
        step = _next_piece(STEPS.seen_by(state, None).table, state, mind)
        return Advice(step, say("why_beginner"), STEPS.places_of(step))
    legal = STEPS.actions(state)
    of = {kind: [one for one in legal if isinstance(one, kind)] for kind in _IN_ORDER}
    if of[TakeCard] and mind.random() >= PLAYS:
        of[ChooseCard] = []
    return Advice(mind.choice(next(filter(None, of.values()))), say("why_beginner"))


def _next_piece(table: TableState, state: StepState, mind: Random) -> Step:
    """The next piece of the play that makes the most of the player's constellations."""
    laid = frozenset(state.laid)
    plays = [play for places, play in state.ways.items() if laid <= places]
    mind.shuffle(plays)
    best = max(plays, key=lambda play: (_joined(table, play), len(play.stars) + len(play.links)))
    places = filter(None, (*best.stars, *best.links))
    place = next((place for place in places if place not in laid), None)
    return EndCard() if place is None else Lay(state.piece_at(place), place)


def _joined(table: TableState, play: PlayCard) -> int:
    """What constellations and lonely stars give at the end, as they lie after a play."""
    own = PlayerStars(placed(table, play), table.player.colour)
    points = map(table.edition.constellation_points, (one.size for one in own.constellations))
    return sum(points) + table.edition.lonely * len(own.lonely)
