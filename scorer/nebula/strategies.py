"""Ways to play: from the state as a player sees it and the legal actions, one of them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import SLOTS
from scorer.nebula.result import Table
from scorer.nebula.turns.actions import Action, InvestTime, Place, PlaceOnTrack, TurnToChaos
from scorer.nebula.turns.collecting import KEPT_OF_CHAOS, hours_after, stars_at
from scorer.nebula.turns.play import after_legal
from scorer.nebula.turns.state import Phase, State

Strategy = Callable[[State, Sequence[Action], Random], Action]


def at_random(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Any legal action, each as likely as any other."""
    return mind.choice(actions)


def placer(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Collect as many stars as there are to have, and place all one may, on empty spaces first."""
    if state.phase is Phase.COLLECT:
        return _best(actions, lambda action: _taken(state, action), mind)
    if state.phase is Phase.PLACE:
        return _best(actions, lambda action: _growth(state.seat.galaxy, action), mind)
    return mind.choice(actions)


def remodeller(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Turn to chaos every other time, and rather replace stars than place them on empty spaces."""
    if state.phase is Phase.COLLECT:
        chaos = [action for action in actions if isinstance(action, TurnToChaos)]
        if chaos and mind.random() < 0.5:
            return mind.choice(chaos)
        return _best(actions, lambda action: min(_taken(state, action), 1), mind)
    if state.phase is Phase.PLACE:
        stars = state.seat.galaxy.stars
        replacing = [a for a in actions if isinstance(a, Place) and a.space in stars]
        return mind.choice(replacing or actions)
    return mind.choice(actions)


def greedy(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Whatever brings the most points at once, where a half-done objective counts a part."""
    if state.phase is Phase.COLLECT:
        return _best(actions, lambda action: _taken(state, action), mind)
    if state.phase in (Phase.PLACE, Phase.TOKEN, Phase.CHOOSE):
        player = state.player
        return _best(actions, lambda action: prospects(after_legal(state, action), player), mind)
    return mind.choice(actions)


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {"random": at_random, "placer": placer, "remodeller": remodeller, "greedy": greedy}
)
"""Every strategy by its name; each brings its games to an end."""


def prospects(state: State, player: int) -> float:
    """What a player's galaxy is worth as it lies: points, and for what is begun a part of them.

    An objective counts by the square of its progress: what is nearly done is worth finishing.
    """
    edition, personal = state.rules.edition, state.hands[player].personal
    galaxy, cards = state.seats[player].galaxy, edition.cards
    rivals = [other.galaxy.black for n, other in enumerate(state.seats) if n != player]
    claims = state.claims_of(player)
    table = Table(tuple(rivals), len(claims))
    worth = float(edition.black_points(galaxy.black))
    if personal is not None:
        worth += edition.personal * cards[personal].check(galaxy, table).progress ** 2
    for card, owners in zip(state.career, state.markers, strict=True):
        first, later = edition.career_points(card)
        if card in claims:
            worth += first if claims[card] == "first" else later
        else:
            worth += (later if owners else first) * cards[card].check(galaxy).progress ** 2
    return worth + _by_values(state, galaxy, table)


def _by_values(state: State, galaxy: Galaxy, table: Table) -> float:
    """What the constellations, colours and advanced cards are worth, as the value tokens stand."""
    edition, worth = state.rules.edition, 0.0
    values = state.values.values()
    for name, spaces in galaxy.board.constellations.items():
        places = dict(zip(values.constellations, edition.constellation_places, strict=False))
        full = 1 - len(galaxy.empty(spaces)) / len(spaces)
        worth += places.get(name, edition.finished_constellation) * full**2
    for colour, each in zip(values.colours, edition.colour_places, strict=False):
        worth += each * galaxy.count(colour)
    card_in = dict(zip(SLOTS, state.advanced, strict=False))
    for slot, each in zip(values.advanced, edition.advanced_places, strict=False):
        worth += each * (edition.cards[card_in[slot]].check(galaxy, table).count or 0)
    return worth


def _taken(state: State, action: Action) -> int:
    """How many stars a way to collect brings."""
    if isinstance(action, InvestTime):
        lying = stars_at(state, hours_after(state, action.moves))
        return len(lying) - lying.count(None)
    return min(KEPT_OF_CHAOS, state.bag.total) - 1  # the star given up is gone


def _growth(galaxy: Galaxy, action: Action) -> float:
    """How well a placement fills the galaxy: a star in a nearly full constellation is best."""
    if isinstance(action, PlaceOnTrack):
        return 1.5
    if not isinstance(action, Place):
        return 0
    if action.space in galaxy.stars:
        return -1
    own = galaxy.board.constellations.get(galaxy.board.constellation_of(action.space) or "", ())
    return 1 + len(own) - len(galaxy.empty(own))


def _best(actions: Sequence[Action], worth: Callable[[Action], float], mind: Random) -> Action:
    """The action of the greatest worth; of equals, any."""
    worths = [worth(action) for action in actions]
    most = max(worths)
    return mind.choice([a for a, w in zip(actions, worths, strict=True) if w == most])
