"""Three-step hints for a move: where to look, what for, and the move itself."""

from collections.abc import Sequence

from scorer.nebula.strategies.masks import BLACK_AT, Masks
from scorer.nebula.strategies.outlook import Aim, Outlook
from scorer.nebula.strategies.reasons import (
    TRACK_OF,
    looked,
    reason,
    reserve_after,
    served,
    why,
)
from scorer.nebula.strategies.turn_plan import TurnPlan
from scorer.nebula.turns.actions import (
    Action,
    AdvanceToken,
    ChoosePersonal,
    Claim,
    EndPlacing,
    InvestTime,
    Keep,
    Place,
    PlaceOnTrack,
    ReplaceBoosted,
    TurnToChaos,
)
from scorer.nebula.turns.collecting import taken_by
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import State
from scorer.nebula.words import BLACK, say
from scorer.places import Place as BoardPlace
from scorer.sentence import Sentence, Value
from scorer.turns import Hint

Hints = tuple[Hint, Hint, Hint]


def hints(state: State, action: Action) -> Hints:
    """Hints that lead to an action, given the state as the player to move sees it."""
    cards = state.rules.edition.cards
    match action:
        case Place() | PlaceOnTrack():
            return _to_place(state, action)
        case InvestTime() | Keep():
            return _to_collect(state, action)
        case TurnToChaos(star):
            return _steps("chaos", "give_up", "chaos", star=star)
        case AdvanceToken(token):
            track, because = say(f"track_{TRACK_OF[token]}"), reason(state, action)
            return _steps("track", "token", "token", token=token, track=track, why=because)
        case ChoosePersonal(card):
            name = cards[card].name if card in cards else ""
            return _steps("personal", "personal_near", "personal", card=card, name=name)
        case Claim(card):
            return _steps("career", "claim", "claim", card=card, name=cards[card].name)
        case ReplaceBoosted():
            return _steps("boosted", "boosted_colour", f"boosted_{action.source}", star=action.star)
        case EndPlacing():
            return _steps("reserve", "end", "end", why=reason(state, action))
    return _steps("claimed", "refill", "end_claims")


def _steps(where: str, what: str, move: str, **values: Value) -> Hints:
    """Three steps of text, from the ends of their phrases' keys after `hint_` and `move_`."""
    keys = f"hint_{where}", f"hint_{what}", f"move_{move}"
    first, second, third = (Hint(say(key, **values)) for key in keys)
    return first, second, third


def _to_place(state: State, action: Place | PlaceOnTrack) -> Hints:
    outlook = Outlook(state, state.player)
    masks = outlook.after(action)
    where = _where(outlook, served(outlook, masks), masks)
    because = why(state, masks)
    if isinstance(action, PlaceOnTrack):
        on = (BoardPlace(BLACK, "track", state.seat.galaxy.black),)
        return where, Hint(say("hint_black")), Hint(say("move_black", why=because), on, action)
    open_to = state.seat.galaxy.open_to(action.star)
    what = Hint(say("hint_star", star=action.star), tuple(map(BoardPlace, open_to)))
    move = say("move_place", star=action.star, space=action.space, why=because)
    return where, what, Hint(move, (BoardPlace(action.space),), action)


def _to_collect(state: State, action: InvestTime | Keep) -> Hints:
    plan = TurnPlan(state)
    best, _ = plan.best(reserve_after(state, action))
    where = _where(plan.outlook, served(plan.outlook, best.masks), best.masks)
    spaces = plan.outlook.board.names(sum({bit for _, bit in best.steps}))
    used = tuple(STARS[star] for star, _ in best.steps)
    text = say("hint_stars", stars=used) if used else say("why_later")
    what = Hint(text, tuple(map(BoardPlace, spaces)))
    if isinstance(action, Keep):
        return where, what, Hint(say("move_keep", stars=action.stars))
    taken = taken_by(state, action.moves)
    move = say("move_time", moves=_moves(action.moves), stars=taken)
    return where, what, Hint(move)


def _moves(moves: Sequence[int]) -> tuple[Sentence, ...]:
    """The distance and direction of each time marker that moves."""
    return tuple(
        say(f"marker_{cluster}_{'on' if move > 0 else 'back'}", count=abs(move))
        for cluster, move in zip(("top", "right", "left"), moves, strict=True)
        if move
    )


def _where(outlook: Outlook, aim: Aim | None, masks: Masks) -> Hint:
    """Where to look for the purpose of a move: spaces of the board, or a card."""
    if aim is None:
        return Hint(say("hint_room"))
    match aim.category:
        case "personal":
            return Hint(say("hint_secret"))
        case "career" | "advanced":
            now = looked(outlook, aim, outlook.masks)
            then = looked(outlook, aim, masks)
            new = [space for space in then.spaces if space not in now.spaces]
            card = outlook.card(aim.id)
            text = say("hint_card", card=aim.id, name=card.name, rule=card.rule)
            return Hint(text, tuple(map(BoardPlace, now.missing or new)))
        case "constellation":
            spaces = outlook.board.board.constellations[aim.id]
            text = say("hint_constellation", constellation=aim.id)
            return Hint(text, tuple(map(BoardPlace, spaces)))
        case "colour":
            return Hint(say("hint_colour", colour=aim.id))
    slot = BoardPlace(BLACK, "track", outlook.masks[BLACK_AT])
    return Hint(say("hint_black_track"), (slot,))
