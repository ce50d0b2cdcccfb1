"""Give the reason for a move in a sentence: the objective, constellation or colour it serves."""

from collections.abc import Mapping, Sequence
from operator import gt
from types import MappingProxyType

from scorer.nebula.fulfillable import lack
from scorer.nebula.strategies.masks import BLACK_AT, Masks, occupied
from scorer.nebula.strategies.outlook import BEGUN, Aim, Outlook
from scorer.nebula.strategies.turn_plan import NEVER, TurnPlan
from scorer.nebula.turns import actions as act
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.collecting import taken_by
from scorer.nebula.turns.play import actions, after_legal
from scorer.nebula.turns.stars import STARS, Stars
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.values_board import TRACKS
from scorer.nebula.words import WORDS, say
from scorer.objective import CardResult
from scorer.sentence import Sentence

LITTLE = 0.1
"""The least gain of an aim, in points, to count as the purpose of a move."""
FINISHED = {"why_fulfils", "why_fulfils_first", "why_finishes"}
"""The reasons that are worth all their points at once."""
TRACK_OF: Mapping[str, str] = MappingProxyType(
    {token: track for track, tokens in TRACKS.items() for token in tokens}
)
"""The value track of each token."""


def reason(state: State, action: Action) -> Sentence:
    """Why the player to move would do this. The personal card is never named."""
    match action:
        case act.Place() | act.PlaceOnTrack():
            return _placed(state, action)
        case act.InvestTime() | act.Keep():
            return _collected(state, action)
        case act.TurnToChaos():
            return _chaos(state, action)
        case act.AdvanceToken(token):
            return _token(state, token)
        case act.Claim(card):
            first, later = state.rules.edition.career_points(card)
            owners = state.markers[state.career.index(card)]
            name = state.rules.edition.cards[card].name
            return say("why_claim", card=name, points=later if owners else first)
        case act.EndPlacing():
            return say("why_end" if len(actions(state)) > 1 else "why_end_full")
        case act.ChoosePersonal():
            return _personal(state)
        case act.ReplaceBoosted() if len(actions(state)) > 1:
            keys = {"reserve": "why_boosted", "bag": "why_boosted_bag", "none": "why_boosted_none"}
            return say(keys[action.source])
    return say("why_only")


def do(state: State, action: Action) -> Sentence:
    """What to do, as a hint says it."""
    cards = state.rules.edition.cards
    match action:
        case act.Place(star, space):
            return say("move_place", star=star, space=space)
        case act.PlaceOnTrack():
            return say("move_black")
        case act.InvestTime(moves):
            return say("move_time", moves=action.ways, stars=taken_by(state, moves))
        case act.Keep(stars):
            return say("move_keep", stars=stars)
        case act.TurnToChaos(star):
            return say("move_chaos", star=star)
        case act.AdvanceToken(token):
            return say("move_token", token=token, track=say(f"track_{TRACK_OF[token]}"))
        case act.ChoosePersonal(card) | act.Claim(card):
            key = "move_claim" if isinstance(action, act.Claim) else "move_personal"
            return say(key, card=card, name=cards[card].name if card in cards else "")
        case act.ReplaceBoosted():
            return say(f"move_boosted_{action.source}", star=action.star)
    return say("move_end" if isinstance(action, act.EndPlacing) else "move_end_claims")


def fitting_personal(state: State) -> tuple[str, Sequence[str]]:
    """The dealt personal objective that fits the career cards best, and those that it fits."""
    dealt = state.hands[state.player].dealt
    fits = {card: [other for other in state.career if _fit(state, card, other)] for card in dealt}
    best = max(dealt, key=lambda card: len(fits[card]))
    return best, fits[best]


def _fit(state: State, card: str, other: str) -> bool:
    """Whether two objectives want the same colour, or mostly the same spaces."""
    cards, outlook = state.rules.edition.cards, Outlook(state, state.player)
    if not {card, other} <= cards.keys():
        return False
    one, two = ({*looked(outlook, Aim("", id), outlook.masks).missing} for id in (card, other))
    colour = cards[card].parameters.get("colour")
    same_colour = colour is not None and colour == cards[other].parameters.get("colour")
    return same_colour or 2 * len(one & two) > len(two) > 0


def _personal(state: State) -> Sentence:
    """Which personal objective to keep, named to the player who sees both."""
    cards = state.rules.edition.cards
    if not cards.keys() >= {*state.hands[state.player].dealt}:
        return say("why_personal")
    card, fits = fitting_personal(state)
    if not fits:
        return say("why_personal_alone", card=cards[card].name)
    names = tuple(cards[one].name for one in fits)
    return say("why_personal_fits", card=cards[card].name, fits=names)


def why(state: State, masks: Masks) -> Sentence:
    """The purpose of a galaxy with these masks; the personal objective is not named.

    Not even to its player, as others see the same screen.
    """
    outlook = Outlook(state, state.player)
    aim = main_aim(state, masks)
    if aim is None:
        return _room(outlook, masks) if state.seat.galaxy.stars else say("first_on_core")
    edition = state.rules.edition
    match aim.category:
        case "personal":
            return say("why_secret")
        case "career":
            result, card = looked(outlook, aim, masks), edition.cards[aim.id]
            first, later = edition.career_points(aim.id)
            owners = state.markers[state.career.index(aim.id)]
            if not result.fulfilled:
                points, counted = later if owners else first, result.calculation
                closer = say("why_closer", card=card.name, points=points, count=counted)
                before = looked(outlook, aim, outlook.masks).calculation
                if (so_far := f"{before.key}_so_far") not in WORDS.phrases:
                    return closer
                return say("why_closer_than", closer=closer, before=say(so_far, **before.values))
            if owners:
                return say("why_fulfils", card=card.name, points=later)
            return say("why_fulfils_first", card=card.name, points=first)
        case "advanced":
            result, card = looked(outlook, aim, masks), edition.cards[aim.id]
            return say("why_counts", card=card.name, count=result.calculation)
        case "constellation":
            return _constellation(state, outlook, aim, masks)
        case "colour":
            count = masks[STARS.index(aim.id)].bit_count()
            each = edition.colour_places[state.values.leaders("colours").index(aim.id)]
            return say("why_colour", colour=aim.id, count=count, each=each)
    black = masks[BLACK_AT]
    return say("why_black", count=black, points=edition.black_points(black))


def _with_further_gains(state: State, masks: Masks, reason: Sentence) -> Sentence:
    """The purpose of a galaxy with these masks, with what else it fulfils or brings nearer.

    Of what comes nearer only the dearest card, where the purpose is a constellation.
    """
    outlook, aim, edition = (
        Outlook(state, state.player),
        main_aim(state, masks),
        state.rules.edition,
    )
    if aim is None:
        return reason
    before, after = (outlook.board.galaxy(one) for one in (outlook.masks, masks))
    new = {*after.finished_constellations()} - {*before.finished_constellations()}
    fulfils = [
        say("why_full", constellation=one, points=_points_of(state, one))
        for one in sorted(new)
        if one != aim.id
    ]
    nearer = list[tuple[int, Sentence]]()
    for other, gain in _gains(state, masks).items():
        if other.category != "career" or other == aim or gain <= LITTLE:
            continue
        first, later = edition.career_points(other.id)
        points = later if state.markers[state.career.index(other.id)] else first
        name = edition.cards[other.id].name
        if looked(outlook, other, masks).fulfilled:
            fulfils.append(say("why_card", card=name, points=points))
        else:
            closer = say("why_also_closer", why=reason, card=name, points=points)
            nearer.append((points, closer))
    black = edition.black_points(masks[BLACK_AT]) - edition.black_points(outlook.masks[BLACK_AT])
    if black and aim.category != "black" and (fulfils or reason.key in FINISHED):
        fulfils.append(say("why_black_besides", points=black))
    if fulfils:
        return say("why_also", why=reason, cards=tuple(fulfils))
    is_constellation = reason.key in ("why_constellation", "why_finishes")
    return max(nearer)[1] if nearer and is_constellation else reason


def _placed(state: State, action: act.Place | act.PlaceOnTrack) -> Sentence:
    """What a star is for, or which one after it finishes something in the same turn."""
    masks = Outlook(state, state.player).after(action)
    reason = why(state, masks)
    after = after_legal(state, action)
    if reason.key in FINISHED or (after.player, after.phase) != (state.player, Phase.PLACE):
        return _with_further_gains(state, masks, reason)
    plan = TurnPlan(after)
    for following in map(plan.action, plan.best(after.seat.reserve)[0].steps):
        then_masks = Outlook(after, state.player).after(following)
        then = why(after, then_masks)
        if then.key in FINISHED:
            then = _but_harder(after, then_masks, _with_further_gains(after, then_masks, then))
            return say("why_then", do=do(after, following), then=then)
    return _with_further_gains(state, masks, reason)


def _but_harder(state: State, masks: Masks, reason: Sentence) -> Sentence:
    """A reason, with the career cards for which more is then to be placed or replaced."""
    outlook, edition, found = Outlook(state, state.player), state.rules.edition, list[Sentence]()
    before, after = (outlook.board.galaxy(one) for one in (outlook.masks, masks))
    for card, owners in zip(state.career, state.markers, strict=True):
        old, new = (lack(edition.cards[card], one) for one in (before, after))
        if state.player not in owners and old and new and any(map(gt, new, old)):
            points = edition.career_points(card)[bool(owners)]
            found.append(say("why_card", card=edition.cards[card].name, points=points))
    return say("why_but_harder", why=reason, cards=tuple(found)) if found else reason


def _room(outlook: Outlook, masks: Masks) -> Sentence:
    """That no aim gains yet, and how many spaces stay open to any star."""
    board, open_to = outlook.board, 0
    for star in range(BLACK_AT):
        open_to |= board.open_to(masks, star) & ~occupied(masks)
    return say("why_room", open=open_to.bit_count())


def main_aim(state: State, masks: Masks) -> Aim | None:
    """The aim that gains most by a change to these masks; None if none gains enough.

    One that is finished gains all its points, though most of them were likely before.
    """
    gains = _gains(state, masks)
    best = max(gains, key=gains.__getitem__)
    return best if gains[best] > LITTLE else None


def _gains(state: State, masks: Masks) -> Mapping[Aim, float]:
    """What each aim gains by a change to these masks."""
    gains = dict[Aim, float]()
    for outlook in (Outlook(state, state.player, begun) for begun in (BEGUN, NEVER)):
        before, after = outlook.parts(outlook.masks), outlook.parts(masks)
        gains = {aim: max(after[aim] - before[aim], gains.get(aim, 0.0)) for aim in after}
    return gains


def looked(outlook: Outlook, aim: Aim, masks: Masks) -> CardResult:
    return outlook.card(aim.id).check(outlook.board.galaxy(masks), outlook.table)


def reserve_after(state: State, action: act.InvestTime | act.Keep) -> Stars:
    stars = action.stars if isinstance(action, act.Keep) else taken_by(state, action.moves)
    return state.seat.reserve.plus_all(stars)


def _collected(state: State, action: act.InvestTime | act.Keep) -> Sentence:
    """The purpose of collecting stars: the best placements with them."""
    best, _ = TurnPlan(state).best(reserve_after(state, action))
    if not best.steps:
        return say("why_later")
    used = tuple(STARS[star] for star, _ in best.steps)
    key = "why_collect_time" if isinstance(action, act.InvestTime) else "why_collect"
    because = _with_further_gains(state, best.masks, why(state, best.masks))
    return say(key, stars=used, why=because)


def _chaos(state: State, action: act.TurnToChaos) -> Sentence:
    """Why to draw from the bag, and what the rest of the reserve is for already."""
    best, _ = TurnPlan(state).best(state.seat.reserve.minus(action.returned))
    if main_aim(state, best.masks) is None:
        return say("why_chaos")
    stars = tuple(STARS[star] for star, _ in best.steps)
    return say("why_chaos_keeps", chaos=say("why_chaos"), stars=stars, why=why(state, best.masks))


def _constellation(state: State, outlook: Outlook, aim: Aim, masks: Masks) -> Sentence:
    spaces, points = state.rules.board.constellations[aim.id], _points_of(state, aim.id)
    empty = len(outlook.board.galaxy(masks).empty(spaces))
    if empty:
        size, key = len(spaces), "why_constellation"
        return say(key, constellation=aim.id, full=size - empty, size=size, points=points)
    return say("why_finishes", constellation=aim.id, points=points)


def _points_of(state: State, constellation: str) -> int:
    edition, leaders = state.rules.edition, state.values.leaders("constellations")
    places = dict(zip(leaders, edition.constellation_places, strict=False))
    return places.get(constellation, edition.finished_constellation)


def _token(state: State, token: str) -> Sentence:
    """The effect of a value token for its player, or against the others."""
    player, after = state.player, after_legal(state, act.AdvanceToken(token))
    gains = [
        Outlook(after, one).now - Outlook(state, one).now for one in range(state.rules.players)
    ]
    own = gains.pop(player)
    if own > LITTLE:
        return say("why_token", token=token, points=max(round(own), 1))
    return say("why_token_others" if min(gains) < -LITTLE else "why_token_ahead", token=token)
