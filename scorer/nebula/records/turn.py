"""Check one turn of a record: its choices by the rules, their results for equality."""

from collections.abc import Sequence

from scorer.nebula.records.playing import Playing
from scorer.nebula.records.shape import BoostedShape, PlacedShape, TurnShape, ValueShape
from scorer.nebula.turns import actions as act
from scorer.nebula.turns.collecting import DRAWN_BY_CHAOS, stars_at
from scorer.nebula.turns.finishing import due_spaces
from scorer.nebula.turns.placing import repeated, too_many
from scorer.nebula.turns.stars import STARS, Stars
from scorer.nebula.turns.state import Phase
from scorer.nebula.words import BLACK


def play_turn(playing: Playing, turn: TurnShape) -> None:
    """Play a turn, from collecting to refilling. RecordError at the first check that fails."""
    playing.same("turn_order", "player", turn.player, playing.state.player)
    _collect(playing, turn)
    stars = [placed.star for placed in turn.placed]
    governing = playing.state.governing
    playing.refuse("placed", too_many(stars, governing) or repeated(stars))
    for number, placed in enumerate(turn.placed):
        _place(playing, placed, f"placed[{number}]")
    playing.play(act.EndPlacing(), "placed")
    _claim(playing, turn)
    _refill(playing, turn)
    _after(playing, turn)


def _collect(playing: Playing, turn: TurnShape) -> None:
    collect = turn.collect
    if collect.by == "time":
        before = playing.state
        playing.play(act.InvestTime(tuple(collect.moves or ())), "collect.moves")
        took = list(stars_at(before, playing.state.hours))
        playing.same("took", "collect.took", collect.took, took)
        return
    playing.play(act.TurnToChaos(collect.returned or ""), "collect.returned")
    drew, most = collect.drew or [], min(DRAWN_BY_CHAOS, playing.state.bag.total)
    reason = f"must be {most} stars, not {len(drew)}"
    playing.require(len(drew) == most, "chaos_drew", "collect.drew", reason)
    for star in drew:
        playing.play(act.Draw(star), "collect.drew")
    playing.play(act.Keep(tuple(collect.kept or ())), "collect.kept")


# the rules for placing a star that do not concern its space
_FIELDS = {"not_in_reserve": "star", "black_on_galaxy": "slot", "track_full": "slot"}


def _place(playing: Playing, placed: PlacedShape, field: str) -> None:
    before = playing.state
    on_track = placed.space is None if placed.star == BLACK else placed.slot is not None
    space = placed.space or ""
    action = act.PlaceOnTrack(placed.star) if on_track else act.Place(placed.star, space)
    fields = {rule: f"{field}.{key}" for rule, key in _FIELDS.items()}
    playing.play(action, f"{field}.space", fields)
    old = None if placed.space is None else before.seat.galaxy.stars.get(placed.space)
    playing.same("replaced", f"{field}.replaced", placed.replaced, old)
    state = playing.state
    if on_track:
        playing.same("track_slot", f"{field}.slot", placed.slot, state.seat.galaxy.black)
    square = state.indicator if on_track else None
    playing.same("indicator", f"{field}.indicator", placed.indicator, square)
    why = f"the indicator went from {before.indicator} to {state.indicator}"
    _due(playing, Phase.BOOST, placed.boosted, f"{field}.boosted", why)
    if placed.boosted is not None:
        _replace_boosted(playing, placed.boosted, f"{field}.boosted")
    why = f"the indicator stood at {before.indicator}, mode {state.rules.mode}"
    _due(playing, Phase.TOKEN, placed.value, f"{field}.value", why)
    if placed.value is not None:
        _advance_token(playing, placed.value, f"{field}.value")


def _due(playing: Playing, phase: Phase, found: object, field: str, why: str) -> None:
    """Check that a placed star has a consequence exactly if `phase` came."""
    due = playing.state.phase is phase
    reason = f"must {'' if due else 'not '}be there: {why}"
    playing.require((found is not None) == due, f"{field.rpartition('.')[2]}_due", field, reason)


def _replace_boosted(playing: Playing, boosted: BoostedShape, field: str) -> None:
    old = playing.state.boosted
    from_reserve = boosted.source == "reserve"
    fields = {"not_in_reserve": f"{field}.new"}
    source = boosted.new if from_reserve else boosted.source
    playing.play(act.ReplaceBoosted(source), f"{field}.from", fields)
    drew, back, new = boosted.drew, boosted.back, boosted.new
    if boosted.source == "bag":
        right = drew == [*back, new] and new != old and all(star == old for star in back)
        must = f"`drew` must be {old} stars, which are `back`, and last another one, which is `new`"
    else:
        right = not drew and not back and (new == old or from_reserve)
        must = f"`drew` and `back` must be empty, `new` {new if from_reserve else old}"
    playing.require(right, "boosted_draw", f"{field}.drew", must)
    for star in boosted.drew:
        playing.play(act.Draw(star), f"{field}.drew")


def _advance_token(playing: Playing, value: ValueShape, field: str) -> None:
    before = playing.state.values
    playing.play(act.AdvanceToken(value.token), f"{field}.token")
    square = playing.state.values.at[value.token]
    playing.same("value_square", f"{field}.square", value.square, square)
    pile = list(before.pile(value.token, square))
    playing.same("value_pile", f"{field}.on", value.on, pile)


def _claim(playing: Playing, turn: TurnShape) -> None:
    player = playing.state.player
    for number, claim in enumerate(turn.claims):
        field = f"claims[{number}]"
        playing.play(act.Claim(claim.card), field)
        place = playing.state.claims_of(player)[claim.card]
        playing.same("claim_place", field, claim.place, place)


def _refill(playing: Playing, turn: TurnShape) -> None:
    due, in_bag = due_spaces(playing.state), playing.state.bag.total
    playing.play(act.EndClaims(), "claims")
    spaces = [(refill.cluster, refill.space) for refill in turn.refill]
    for number, space in enumerate(spaces):
        right, reason = space in due and space not in spaces[:number], f"one of {_spaces(due)}"
        playing.require(right, "refill_space", f"refill[{number}]", f"must be {reason}, each once")
    in_order, wanted = sorted(spaces), list(due[:in_bag])
    reason = f"must be {_spaces(in_order)}"
    playing.require(spaces == in_order, "refill_order", "refill", reason)
    reason = f"must be {_spaces(wanted)}, with {in_bag} stars in the bag"
    playing.require(spaces == wanted, "refill_missing", "refill", reason)
    for refill in turn.refill:
        playing.play(act.Draw(refill.star), "refill")


def _spaces(spaces: Sequence[tuple[int, int]]) -> str:
    """Spaces of clusters in words, such as `2.0` for the first space of the left cluster."""
    return ", ".join(f"{cluster}.{space}" for cluster, space in spaces) or "none"


def _after(playing: Playing, turn: TurnShape) -> None:
    state, after = playing.state, turn.after
    bag, box = after.bag.stars, after.box.stars
    there = Stars._make(map(sum, zip(bag, box, state.on_table, strict=True)))
    for star, found, right in zip(STARS, there, state.rules.game_stars, strict=True):
        reason = f"with those on the table there must be {right} {star} stars, not {found}"
        playing.require(found == right, "accounting", "after", reason)
    playing.same("after", "after.bag", bag.to_data(), state.bag.to_data())
    playing.same("after", "after.box", box.to_data(), state.box.to_data())
    playing.same("after", "after.hours", after.hours, list(state.hours))
    playing.same("after", "after.boosted", after.boosted, state.boosted)
