"""A computer player of Polaris that plays like a beginner: for the next objective alone."""

from random import Random

from scorer.polaris.constellations import PlayerStars
from scorer.polaris.placing import placed
from scorer.polaris.steps import STEPS, ChooseCard, EndCard, Lay, Step, StepState
from scorer.polaris.table_state import EndTurn, PlayCard, TableState, TakeCard, TakeShootingStars
from scorer.polaris.words import say
from scorer.turns import Advice

PLAYS = 0.6
"""The probability that it plays a card, or a further one, if it has an alternative."""
_IN_ORDER: tuple[type[Step], ...] = (ChooseCard, EndTurn, TakeCard, TakeShootingStars)
"""The kinds of steps between cards; the first kind that is possible is chosen."""


def beginners_step(state: StepState, seed: int) -> Advice[Step]:
    """A step, and why. Raise ValueError if nobody decides."""
    seat, mind = STEPS.decides(state), Random(seed)
    if seat is None:
        raise ValueError("nobody decides now")
    if state.card is not None:
        step = _next_piece(STEPS.seen_by(state, None).table, state, mind)
        return Advice(step, say("why_beginner"), STEPS.places_of(step))
    legal = STEPS.actions(state)
    of = {kind: [one for one in legal if isinstance(one, kind)] for kind in _IN_ORDER}
    if (of[TakeCard] or of[EndTurn]) and mind.random() >= PLAYS:
        of[ChooseCard] = []
    return Advice(mind.choice(next(filter(None, of.values()))), say("why_beginner"))


def _next_piece(table: TableState, state: StepState, mind: Random) -> Step:
    """The next piece of the play with the greatest worth, of those that place any."""
    laid = frozenset(state.laid)
    plays = [play for places, play in state.ways.items() if laid <= places]
    plays = [play for play in plays if any((*play.stars, *play.links))] or plays
    mind.shuffle(plays)
    best = max(plays, key=lambda play: (_worth(table, play), len(play.stars) + len(play.links)))
    places = filter(None, (*best.stars, *best.links))
    place = next((place for place in places if place not in laid), None)
    return EndCard() if place is None else Lay(state.piece_at(place), place)


def _worth(table: TableState, play: PlayCard) -> int:
    """The points of constellations and lonely stars and the next objective's count after a play."""
    own, edition = PlayerStars(placed(table, play), table.player.colour), table.edition
    points = map(edition.constellation_points, (one.size for one in own.constellations))
    counted = edition.common[table.objective].check(own).count or 0
    return sum(points) + edition.lonely * len(own.lonely) + counted
