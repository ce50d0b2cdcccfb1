"""Step II of a turn: place stars from the reserve. `black.py` has the effects of black stars."""

from collections.abc import Sequence
from functools import cache

from scorer.flags import RuleBreak
from scorer.nebula.turns.actions import EndPlacing, Place, PlaceOnTrack
from scorer.nebula.turns.black import after_black
from scorer.nebula.turns.finishing import start_claiming
from scorer.nebula.turns.state import Seat, State
from scorer.nebula.turns.step import Step
from scorer.nebula.words import BLACK, refuse

PLACED_IN_A_TURN = 2
PLACED_WITH_BOOSTED = 3
# a galaxy's reason against a placement, and the id of the rule in records
_RULES = {
    "unknown_space": "unknown_space",
    "black_goes_on_track": "black_on_galaxy",
    "first_on_core": "first_on_core",
    "no_occupied_link": "not_linked",
    "linked_to_same_colour": "same_colour_link",
}


def too_many(placed: Sequence[str], governing: str | None) -> RuleBreak | None:
    """The rule against so many stars in a turn, if broken: 2, or 3 with the boosted colour."""
    most = PLACED_WITH_BOOSTED if governing in placed else PLACED_IN_A_TURN
    if len(placed) <= most:
        return None
    usual, boosted = PLACED_IN_A_TURN, PLACED_WITH_BOOSTED
    return refuse("placed_count", usual=usual, boosted=boosted, star=governing or "")


def repeated(placed: Sequence[str]) -> RuleBreak | None:
    """The rule against two stars of one colour in a turn, if broken; black is a colour."""
    if len(set(placed)) == len(placed):
        return None
    twice = next(star for place, star in enumerate(placed) if star in placed[:place])
    return refuse("distinct_colours", star=twice)


class Placing(Step[Place | PlaceOnTrack | EndPlacing]):
    """Place stars one after the other, as many as the player wants and may."""

    takes = (Place, PlaceOnTrack, EndPlacing)

    def actions(self, state: State) -> Sequence[Place | PlaceOnTrack | EndPlacing]:
        """Every placement that is legal now, and the end."""
        found: list[Place | PlaceOnTrack | EndPlacing] = []
        galaxy, placed = state.seat.galaxy, state.placed
        for star in state.seat.reserve.kinds:
            if star in placed or too_many((*placed, star), state.governing):
                continue
            if star != BLACK:
                found += [_placement(star, space) for space in galaxy.open_to(star)]
            elif galaxy.black < state.rules.edition.track_spaces:
                found.append(_ON_TRACK)
        found.append(_END)
        return found

    def illegal(self, state: State, action: Place | PlaceOnTrack | EndPlacing) -> RuleBreak | None:
        """Refuse too many stars, a repeated colour, one not in the reserve, and a wrong space."""
        if isinstance(action, EndPlacing):
            return None
        star, placed = action.star, (*state.placed, action.star)
        broken = too_many(placed, state.governing) or repeated(placed)
        if broken:
            return broken
        if not state.seat.reserve.total:
            return refuse("not_in_reserve", "reserve_empty")
        if state.seat.reserve.of(star) <= 0:
            return refuse("not_in_reserve", star=star)
        if isinstance(action, Place):
            reason = state.seat.galaxy.illegal(action.space, star)
            return RuleBreak(_RULES[reason.key], (action.space,), reason=reason) if reason else None
        if star != BLACK:
            return refuse("colour_on_track", "colour_goes_on_galaxy", star=star)
        reason = state.seat.galaxy.illegal_black(state.rules.edition.track_spaces)
        return RuleBreak("track_full", reason=reason) if reason else None

    def after(self, state: State, action: Place | PlaceOnTrack | EndPlacing) -> State:
        """Place the star, with the consequences of a black one."""
        if isinstance(action, EndPlacing):
            return start_claiming(state)
        seat, box = state.seat, state.box
        if isinstance(action, Place):
            old = seat.galaxy.stars.get(action.space)
            box = box.plus(old) if old else box
            galaxy = seat.galaxy.with_star(action.space, action.star)
        else:
            galaxy = seat.galaxy.with_black_star()
        seat = Seat(galaxy, seat.reserve.minus(action.star))
        placed = (*state.placed, action.star)
        state = state.but(seats=state.seats_with(seat), box=box, placed=placed)
        return after_black(state) if isinstance(action, PlaceOnTrack) else state


_END, _ON_TRACK = EndPlacing(), PlaceOnTrack()
_placement = cache(Place)
