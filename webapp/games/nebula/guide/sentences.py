"""Sentences about actions in a guided game, with what to do by hand."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from scorer.nebula.ending import FINISHED_CONSTELLATIONS, Ending, reasons
from scorer.nebula.fulfillable import with_lack
from scorer.nebula.playing import TURNS
from scorer.nebula.result import Table
from scorer.nebula.turns.actions import (
    Action,
    AdvanceToken,
    Claim,
    Draw,
    EndPlacing,
    InvestTime,
    Place,
    PlaceOnTrack,
    ReplaceBoosted,
)
from scorer.nebula.turns.collecting import stars_at
from scorer.nebula.turns.finishing import endings_of
from scorer.nebula.turns.placing import PLACED_WITH_BOOSTED
from scorer.nebula.turns.setup import reserve_size, short_of_stars
from scorer.nebula.turns.state import CLUSTERS, Phase, State
from scorer.nebula.words import BLACK, COLOURS, say
from scorer.scoresheet import Score
from scorer.sentence import Sentence, Verbatim
from webapp.games.nebula.guide.questions import colours_left, stars_left
from webapp.games.nebula.words import card_name, star_name, value_token
from webapp.web.words import spoken

PLACING = (Phase.PLACE, Phase.BOOST, Phase.BOOST_DRAW, Phase.TOKEN)


def describe(before: State, action: Action, after: State, names: Sequence[str]) -> str:
    """What somebody did, and what to do by hand for it; "" if there is nothing to say."""
    who = short_of_stars(before) if before.phase is Phase.RESERVES else before.player
    said = [*_done(before, action, after, names[who]), *_follows(before, after, names)]
    return " ".join(f"{spoken(one)}." for one in said)


def _done(before: State, action: Action, after: State, name: str) -> Iterator[Sentence | str]:
    match action:
        case InvestTime(moves):
            yield say("does_time", name=name, ways=_ways(moves))
            stars = tuple(star for star in stars_at(before, after.hours) if star)
            yield say("took", stars=stars) if stars else say("took_none")
        case Draw(star) if before.phase is Phase.BOOST_DRAW:
            again = star == before.boosted
            yield say("draws_again" if again else "draws_boosted", name=name, star=star)
        case PlaceOnTrack():  # with what beginners forget
            yield say("does_place_track", name=name)
            moved = after.indicator > before.indicator
            yield say("indicator_moves" if moved else "indicator_stays", square=after.indicator)
            if after.phase is Phase.BOOST:
                yield say("boosted_is_due")
        case AdvanceToken(token):
            square = after.values.at[token]
            yield say("does_token", name=name, token=value_token(token), square=square)
        case Claim(card):
            later = before.rules.edition.career_points(card)[1]
            key = f"does_claim_{_marker_place(before, after, card)}"
            yield say(key, name=name, card=card_name(card), later=later)
        case Draw(star) if before.phase is Phase.RESERVES and not any(
            seat.reserve.total for seat in before.seats
        ):
            yield say("does_draw_reserve", name=name, star=star)
        case Draw(star) if before.phase is Phase.REFILL:
            yield say("does_refill", cluster=say(f"cluster_{before.due[0][0]}"), star=star)
        case Draw() | ReplaceBoosted("bag") if before.phase in (
            Phase.FILL,
            Phase.CHAOS,  # shown where it was put
            Phase.BOOST,  # drawn next
        ):
            yield from _filled(before, after)
        case EndPlacing() if before.placed or after.fulfilled:
            pass
        case _ if words := TURNS.format_event(action, name):
            yield words
    if isinstance(action, Place) and (old := before.seat.galaxy.stars.get(action.space)):
        yield say("does_replace", star=star_name(old))


def _marker_place(before: State, after: State, card: str) -> str:
    """Where a career marker is put: first, later; last if nobody else has a turn for that card."""
    is_last = before.player == len(before.seats) - 1 and any(one.met for one in _with_due(before))
    place = after.claims_of(before.player)[card]
    return "last" if is_last and place == "first" else place


def _filled(before: State, after: State) -> Iterator[Sentence]:
    """A cluster that is complete, or the boosted star."""
    for number, stars in enumerate(after.clusters):
        if None in before.clusters[number] and None not in stars:
            own = tuple(filter(None, stars))
            yield say("fills_cluster", cluster=say(f"cluster_{number}"), stars=own)
    if after.boosted and not before.boosted:
        yield say("draws_first_boosted", star=after.boosted)


def _ways(moves: Sequence[int]) -> tuple[Sentence, ...]:
    """The distance and direction of each time marker that moves, as on the buttons."""
    return tuple(
        say("way_of_marker", which=say(f"moved_{n}"), turn="↻" if by > 0 else "↺", steps=abs(by))
        for n, by in enumerate(moves)
        if by
    )


def _follows(before: State, after: State, names: Sequence[str]) -> Iterator[Sentence]:
    """What the next phase brings and is easily forgotten."""
    if after.noticed and not before.noticed:
        yield to_the_end(after, names)


def most_missed(state: State, score: Score) -> Iterator[Sentence]:
    """For each player the card or constellation still missing that is worth most.

    The nearest of those that are worth the same.
    """
    edition, constellations = state.rules.edition, state.rules.board.constellations
    galaxies = [seat.galaxy for seat in state.seats]
    leading = state.values.values().constellations
    places = dict(zip(leading, edition.constellation_places, strict=False))
    for seat, player in enumerate(score.players):
        galaxy, claims = galaxies[seat], state.claims_of(seat)
        table = Table.of(galaxies, seat, len(claims))
        worth = {
            card: edition.career_points(card)[bool(owners)]
            for card, owners in zip(state.career, state.markers, strict=True)
            if card not in claims
        }
        for line in player.lines:
            if line.category == "personal" and not line.points:
                worth[str(line.subject["card"])] = edition.personal
        found, by_one = list[tuple[int, float, Sentence]](), list[Sentence | Verbatim]()
        for card, points in worth.items():
            result, name = with_lack(edition.cards[card], galaxy, table), edition.cards[card].name
            words = say("missed_card", card=name, points=points, counted=result.calculation)
            found.append((points, result.progress, words))
            if result.lack and result.lack.pieces == 1:
                by_one.append(say("missed_name", card=name))
        for one, spaces in constellations.items():
            points = places.get(one, edition.finished_constellation)
            size, full = len(spaces), len(spaces) - len(galaxy.empty(spaces))
            values = {"points": points, "full": full, "size": size}
            if full < size:
                words = say("missed_constellation", constellation=one, **values)
                found.append((points, full / size, words))
            if full == size - 1:
                by_one.append(say("missed_full", constellation=one))
        most = max(found, key=lambda one: one[:2])[2] if found else say("missed_nothing")
        yield say("missed_by_one" if by_one else "missed_none_by_one", most=most, by_one=(*by_one,))


def _nearness(state: State) -> Mapping[str, float]:
    """How much of the way to each end is done, by its kind: spaces, squares, markers or stars.

    A constellation counts by its spaces that hold a star, the bag by the stars drawn in turns.
    """
    filled, size = _filled_of_three(state)
    set_up = CLUSTERS * state.rules.edition.cluster_spaces + 1
    in_turns = state.rules.all_stars.total - set_up - sum(map(reserve_size, range(len(filled))))
    return {
        **{one.kind: one.reached / one.needed for one in _with_due(state)},
        "constellations": max(filled) / size,
        "bag": max(0.0, 1 - state.bag.total / in_turns),
    }


def _with_due(state: State) -> Sequence[Ending]:
    """The conditions that end the game, with the markers that this turn still has to put down."""
    return [
        one._replace(reached=one.reached + len(state.fulfilled)) if one.kind == "markers" else one
        for one in endings_of(state)
    ]


def _filled_of_three(state: State) -> tuple[Sequence[int], int]:
    """Each player's stars in the constellations that end a game, the fullest; and their spaces."""
    spaces = state.rules.board.constellations.values()
    filled = [
        sorted(len(own) - len(seat.galaxy.empty(own)) for own in spaces)[-FINISHED_CONSTELLATIONS:]
        for seat in state.seats
    ]
    return [*map(sum, filled)], FINISHED_CONSTELLATIONS * max(map(len, spaces))


def _may_finish(state: State, player: int) -> bool:
    """Whether a player may fill the last of these constellations before the round is over."""
    filled, size = _filled_of_three(state)
    return size - filled[player] <= _most_placed(state, player, {BLACK})


def _may_claim(state: State, player: int) -> bool:
    """Whether a player may fulfil another card before the round is over."""
    most, galaxies = _most_placed(state, player, set()), [seat.galaxy for seat in state.seats]
    claims = state.claims_of(player)
    table = Table.of(galaxies, player, len(claims))
    cards = (state.rules.edition.cards[card] for card in state.career if card not in claims)
    lacks = (with_lack(card, galaxies[player], table).lack for card in cards)
    return most > 0 and any(one is None or one.pieces <= most for one in lacks)


def _most_placed(state: State, player: int, without: Collection[str]) -> int:
    """The most stars that a player places before the round is over, but for those colours."""
    if player == state.player and state.phase in (*PLACING, Phase.CLAIM, Phase.REFILL):
        return stars_left(state.placed, state, without) if state.phase in PLACING else 0
    return PLACED_WITH_BOOSTED if player >= state.player else 0


def to_claim(state: State, names: Sequence[str]) -> Sentence | str:
    """What markers that are due will bring, which no score counts yet; "" without any."""
    points = 0
    for card in state.fulfilled:
        first, later = state.rules.edition.career_points(card)
        points += later if state.markers[state.career.index(card)] else first
    cards = tuple(map(Verbatim, state.fulfilled))
    name = Verbatim(names[state.player])
    return say("to_claim", name=name, points=points, cards=cards) if cards else ""


def one_lacks(state: State, names: Sequence[str]) -> Iterator[Sentence]:
    """Which constellations lack a single star, of which colours it may be, and of which now."""
    board = state.rules.board
    for number, (name, seat) in enumerate(zip(names, state.seats, strict=True)):
        for constellation, spaces in board.constellations.items():
            if len(empty := seat.galaxy.empty(spaces)) != 1:
                continue
            fit = [one for one in COLOURS if seat.galaxy.illegal(empty[0], one) is None]
            lacks = say(
                "one_lacks",
                name=Verbatim(name),
                constellation=constellation,
                orbit=board.orbit_of(empty[0]) or 0,
                colours=tuple(fit) or (say("guide_nothing"),),
            )
            if number == state.player and state.phase is Phase.PLACE:
                now = tuple(one for one in fit if one in colours_left(state))
                lacks = say("one_lacks_now", lacks=lacks, colours=now or (say("guide_nothing"),))
            yield lacks


def career_worth(state: State) -> Sentence | str:
    """What the career cards bring; "" if it differs among them."""
    worth = {*map(state.rules.edition.career_points, state.career)}
    return say("career_worth", first=min(worth)[0], later=min(worth)[1]) if len(worth) == 1 else ""


def boosted(state: State) -> Sentence:
    """The boosted star, and at which square of the black-star indicator it changes."""
    ahead = [one for one in state.rules.edition.indicator_highlighted if one > state.indicator]
    key = "boosted_until" if ahead else "boosted_on"
    return say(key, star=state.boosted or "", square=(*ahead, 0)[0])


def refilled_after(state: State) -> Sentence | str:
    """The clusters that are refilled after the turn in progress; "" if none is, or it is over."""
    if state.noticed or state.phase not in (*PLACING, Phase.CLAIM):
        return ""
    due = [
        say(f"cluster_{number}")
        for number, own in enumerate(state.clusters)
        if len(own) - own.count(None) <= state.rules.refill_at
    ]
    return say("refills_after", n=state.rules.refill_at, clusters=tuple(due)) if due else ""


def to_the_end(state: State, names: Sequence[str]) -> Sentence:
    """Why this is the last round, or what may make it the last, else all ends, the nearest first.

    `names` are the players'.
    """
    found = _with_due(state)
    if state.noticed or any(one.met for one in found):
        return say("ends", why=reasons(found))
    near = _nearness(state)
    nearest = sorted(found, key=lambda one: (-near[one.kind], one.kind != "constellations"))
    full = [len(seat.galaxy.finished_constellations()) for seat in state.seats]
    may = {"constellations": _may_finish, "markers": _may_claim}
    lacking_one = [
        one
        for one in found
        if one.reached and one.needed - one.reached == 1
        if one.kind not in may or any(may[one.kind](state, n) for n in range(len(full)))
    ]
    spaces, size = _filled_of_three(state)
    counts = full if any(full) else spaces
    each = tuple(Verbatim(f"{name} {n}") for name, n in zip(names, counts, strict=True))
    forms = {
        "constellations": "" if any(full) else "_none",
        "markers": "_due" if state.fulfilled else "",
    }
    ends = tuple(
        say(
            f"until_{one.kind}{forms.get(one.kind, '')}",
            needed=one.needed,
            reached=state.marker_count if one.kind == "markers" else one.reached,
            due=len(state.fulfilled),
            each=each,
            size=size,
            stars=state.bag.total,
        )
        for one in lacking_one or nearest
    )
    if not lacking_one:
        return say("nearest_ends", ends=ends)
    others = tuple(map(Verbatim, names[state.player + 1 :]))
    end = say("may_end" if others else "may_end_now", ends=ends, others=others)
    score = TURNS.score(TURNS.seen_by(state, None), names)
    (lead, leader), *rest = sorted(((one.total, one.name) for one in score.players), reverse=True)
    by = lead - rest[0][0] if rest else 0
    return say("may_end_ahead", end=end, name=Verbatim(leader), n=by) if by else end
