"""Via Nebula's drawings and texts for templates: paths, the table, a player's contracts."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from flask import Blueprint, abort, redirect, url_for
from flask.typing import ResponseReturnValue

from calibration.own_deck import readable_deck
from scorer.places import Point, in_region
from scorer.plain import PlainPosition
from scorer.sentence import Sentence, Verbatim
from scorer.via_nebula.board import BUILDING, VALLEY, ValleyPieces, half, half_named, pieces_on
from scorer.via_nebula.edition import BUILDINGS, FOG, FOREST, RESOURCES, STANDARD, Valley, ways_from
from scorer.via_nebula.game import GOODS, SWATCHES, contract_rule
from scorer.via_nebula.legal import in_reach, least_closed, reached_from
from scorer.via_nebula.state import A_TURN, Carry, State
from scorer.via_nebula.turns import TURNS
from scorer.via_nebula.words import say
from webapp.app.boards.board_drawing import Drawing
from webapp.app.game_pages import Document
from webapp.games.via_nebula.laid_out import find_laid_out, options_of
from webapp.games.via_nebula.pages import CARDS, RIMS, SIGNS, side_of
from webapp.games.via_nebula.printed_cards import drawn
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.game_blueprints import AssetsBlueprint
from webapp.web.pages import questions, steps
from webapp.web.pages.sent_photograph import UnreadPhotographError, read_sent

blueprint = Blueprint("via_nebula", __name__, template_folder="templates")
assets = AssetsBlueprint("via_nebula_assets", __name__, drawn)
MOST_CLOSED = 2
"""Of a way with more spaces to be opened it is not said which."""
FREE = "#ffffff"
"""The colour of a space that anybody may explore."""
Regions = Mapping[str, Mapping[str, int]]


@blueprint.app_context_processor
def _drawn() -> dict[str, object]:
    return {
        "valley_ways": ways,
        "valley_chosen": chosen_ways,
        "valley_blocked": blocked_ways,
        "valley_fog": explorable,
        "valley_why": why_explorable,
        "valley_cut_off": cut_off,
        "valley_end": lambda regions: to_the_end(_pieces(regions)),
        "valley_phrase": say,
        "valley_side": side_of,
        "valley_sites": lambda regions, colour: sites_left(_pieces(regions), colour),
        "valley_standing": standing,
        "valley_table": table,
        "valley_hand": hand,
        "valley_missed": most_missed,
        "valley_tokens": tokens_bring,
        "valley_ways_of": ways_to_sites,
        "valley_unused": unused,
        "valley_filled": filled_ruins,
        "valley_contracts": STANDARD.contracts,
        "valley_unshown": unshown_deck,
        "valley_resources": RESOURCES,
        "valley_lands": RIMS.values(),
        "valley_signs": SIGNS,
    }


def unshown_deck(document: Document) -> str | None:
    """Return the game's board if the owner has shown some of its contracts, but not all."""
    board = services().boards.name_of(document)
    shown = readable_deck(board).cards
    return board if shown and not shown.keys() >= STANDARD.contracts.keys() else None


@blueprint.post("/questions/<question>/<int:player>/photograph")
@changes(Right.TABLE)
def photographed(game_id: str, question: str, player: int) -> ResponseReturnValue:
    """Propose the contracts and tokens in a photograph to the pages that ask for them.

    The photograph is not kept, and it answers no question by itself.
    """
    game = steps.opened(game_id)
    steps.seat(game, player)
    if question not in CARDS:
        abort(404)
    try:
        found = read_sent(find_laid_out, services().boards.name_of(game.document))
    except UnreadPhotographError as error:
        return questions.ask_page(game, question, player, str(error))
    others = [own for seat, own in enumerate(game.document["players"]) if seat != player]
    taken = {card for own in others for key in CARDS for card in own.get(key) or ()}
    read = ",".join(options_of(found, frozenset(taken), player))
    page = url_for(
        "questions.ask",
        game_id=game_id,
        question=question,
        player=player,
        read=read,
        doubtful=found.doubtful or None,
    )
    return redirect(page, 303)


def _pieces(regions: Regions) -> ValleyPieces:
    laid = (in_region(at, held) for at, held in regions.items())
    return pieces_on(PlainPosition(VALLEY, dict(chain.from_iterable(own.items() for own in laid))))


def ways(drawing: Drawing, regions: Regions, side: str) -> Iterator[tuple[str, Sequence[Point]]]:
    """The paths from exploitations to sites in reach (V41), as (colour, points)."""
    pieces, valley = _pieces(regions), STANDARD.valleys[side]
    crossed = pieces.open_meadows(valley)
    sites = {at for at, own in pieces.elements() if own.what != BUILDING}
    for start, own in pieces.exploitations.items():
        ends = ways_from(valley, crossed, start)
        for at in sorted(sites):
            if half_named(at)[0] in ends:
                yield GOODS[own.resource], _points(drawing, ends[half_named(at)[0]], at)


def chosen_ways(
    drawing: Drawing, state: State, begun: Collection[str]
) -> Iterator[tuple[str, Sequence[Point]]]:
    """The paths of the legal `Carry` actions that begin with one of some texts."""
    meadows = state.pieces.open_meadows(state.valley)
    for action in TURNS.actions(state) if begun else ():
        line = f"{TURNS.write_action(action)} "
        if isinstance(action, Carry) and any(line.startswith(f"{one} ") for one in begun):
            way = ways_from(state.valley, meadows, action.start)[half_named(action.at)[0]]
            colour = GOODS[state.pieces.exploitations[action.start].resource]
            yield colour, _points(drawing, way, action.at)


def blocked_ways(
    drawing: Drawing, state: State, begun: Collection[str]
) -> Iterator[tuple[str, Sequence[Point], Sequence[Point]]]:
    """The ways opened with fewest actions for `Carry`, as text of which the site may be missing.

    As (colour, points, the points that are in its way), to any of the player's sites.
    """
    pieces, at = state.pieces, {region.id: (region.x, region.y) for region in drawing.regions}
    crossed = pieces.open_meadows(state.valley)
    found = list[tuple[int, tuple[str, Sequence[Point], Sequence[Point]]]]()
    for _carry, start, *sites in map(str.split, begun):
        for end in sites or pieces.sites(state.seat.colour):
            actions, way = least_closed(state, start, end)
            barred = [at[one] for one in way[1:-1] if one not in crossed]
            colour = GOODS[pieces.exploitations[start].resource]
            if barred:
                found.append((actions, (colour, _points(drawing, way, end), barred)))
    least = min((actions for actions, _way in found), default=0)
    yield from (way for actions, way in found if actions == least)


def _points(drawing: Drawing, way: Sequence[str], end: str) -> Sequence[Point]:
    at = {region.id: (region.x, region.y) for region in drawing.regions}
    return [at[place] for place in (*way[:-1], end if end in at else way[-1])]  # no room in a half


def explorable(
    drawing: Drawing, regions: Regions, side: str, colours: Sequence[str]
) -> Iterator[tuple[Point, Sequence[str]]]:
    """The fog and forest that may be explored (V33), with players' colours, or white for all."""
    at = {region.id: (region.x, region.y) for region in drawing.regions}
    for place, own in _explorers(_pieces(regions), STANDARD.valleys[side], colours).items():
        yield at[place], (FREE,) if own is None else [SWATCHES[colour] for colour in own]


def why_explorable(regions: Regions, side: str, colours: Sequence[str]) -> Iterator[Sentence]:
    """Which fog and forest may be explored, by whom and why, and which not (V33, V35)."""
    valley = STANDARD.valleys[side]
    by = _explorers(_pieces(regions), valley, colours)
    if free := [at for at, own in by.items() if own is None]:
        yield say("fog_all", at=tuple(free))
    for colour in colours:
        if its := [at for at, own in by.items() if own and colour in own]:
            yield say("fog_own", colour=colour, at=tuple(its))
    if closed := [at for at, own in by.items() if own == ()]:
        yield say("fog_none", at=tuple(closed))
    if forest := [at for at in valley.of(FOREST) if at in by and by[at] != ()]:
        yield say("fog_forest", at=tuple(forest))


def _explorers(
    pieces: ValleyPieces, valley: Valley, colours: Sequence[str]
) -> Mapping[str, tuple[str, ...] | None]:
    """The colours that may explore each space of fog or forest; None if everybody may."""
    crossed = pieces.open_meadows(valley)
    owned = {colour: pieces.occupied_by(colour) for colour in colours}
    found: dict[str, tuple[str, ...] | None] = {}
    for place in (*valley.of(FOG), *valley.of(FOREST)):
        near = {*valley.around[place]}
        if place not in pieces.tiles:
            own = tuple(colour for colour, its in owned.items() if near & its)
            found[place] = None if near & crossed else own
    return found


def cut_off(regions: Regions, side: str) -> Iterator[Sentence]:
    """Where there are resources without a path to any building site (V41)."""
    pieces, valley = _pieces(regions), STANDARD.valleys[side]
    crossed = pieces.open_meadows(valley)
    sites = {half_named(at)[0] for at, own in pieces.elements() if own.what != BUILDING}
    left = {
        start: own.count
        for start, own in pieces.exploitations.items()
        if own.count and not sites & {*ways_from(valley, crossed, start)}
    }
    if sites and left:
        yield say("cut_off", at=tuple(left), n=sum(left.values()))


def sites_left(pieces: ValleyPieces, colour: str) -> Sentence:
    """Whether a player may still place a building site (V32)."""
    built = [own for _at, own in pieces.elements() if (own.what, own.colour) == (BUILDING, colour)]
    sites, left = len(pieces.sites(colour)), BUILDINGS - len(built)
    return say("site_may" if sites < left else "site_may_not", sites=sites, buildings=left)


def tokens_bring(state: State) -> Iterator[Sentence]:
    """How many resources and points each kind of token brings at this table."""
    tokens = {(state.worth(id), own.points) for id, own in state.edition.tokens.items()}
    for n, points in sorted(one for one in tokens if all(one)):
        key = "token_prints" if state.setup.fewer else "token_gives"
        yield say(key, n=n, shows=n + state.setup.fewer, points=points)


def to_the_end(pieces: ValleyPieces) -> Sentence:
    """How close the end of the game is (V55)."""
    built = Counter(own.colour for _at, own in pieces.elements() if own.what == BUILDING)
    return say("to_the_end", n=max(built.values(), default=0))


def standing(state: State, names: Sequence[str]) -> Iterator[tuple[str, Sentence]]:
    """The progress of the turn, how close the end is, and what counts against the player.

    Each with its term.
    """
    if state.ready and not state.over:
        key = "actions_left"
        if state.power:
            key = "power_and_actions" if state.left else "power_left"
        yield "power" if state.power else "action", say(key, n=state.left, of=A_TURN)
        if state.ender is None:
            every = zip(names, state.seats, strict=True)
            built = tuple(Verbatim(f"{name} {len(seat.contracts)}") for name, seat in every)
            yield "end_card_word", say("to_the_end_of", built=built)
        elif state.ender == state.mover:
            yield "end_card_word", say("then_last_turns")
        else:
            count, ender = len(names), Verbatim(names[state.ender])
            after = range(state.mover + 1, state.ender + count * (state.ender < state.mover))
            others = tuple(Verbatim(names[seat % count]) for seat in after)
            key = "last_turn" if others else "last_turn_of_all"
            yield "end_card_word", say(key, ender=ender, others=others, n=state.edition.end_card)
        yield "explorer", _pieces_left(state, names)
        left = [state.pieces.resources(seat.colour).total() for seat in state.seats]
        held = zip(names, left, strict=True)
        if whose := tuple(Verbatim(f"{name} {n}") for name, n in held if n):
            score = TURNS.score(TURNS.seen_by(state, None), names).players
            scored = zip(names, score, left, strict=True)
            points = tuple(Verbatim(f"{name} {own.total + n}") for name, own, n in scored)
            yield "storage_area", say("counts_against", whose=whose, points=points)


def _pieces_left(state: State, names: Sequence[str]) -> Sentence:
    """What each player has yet to place, and how many tiles bring the next explorer."""
    each = []
    for name, seat in zip(names, state.seats, strict=True):
        tiles = next(filter(None, seat.piles), 0)
        key = "has_left_and_tiles" if tiles else "has_left"
        of = {"craftsmen": seat.craftsmen, "sites": seat.sites, "tiles": tiles}
        each.append(say(key, name=Verbatim(name), **of))
    return say("yet_to_place", each=tuple(each))


def table(
    state: State, number: int | None, names: Sequence[str] = ()
) -> Iterator[tuple[str, Sentence, Sequence[Sentence]]]:
    """What everybody sees beside the valley: the contracts face up.

    Each with its power, with what sites of a player, if of any, lack or leave, and with whoever
    else can fulfil it in this turn or the next.
    """
    for card in () if state.over else state.open:
        power = state.edition.contracts[card].power
        more = [say(f"power_{power}")] if power else []
        more += [] if number is None else _of_sites(state, number, card, is_brief=True)
        for seat, name in enumerate(names):
            if number is not None and seat != number and _is_near(state, seat, card, A_TURN):
                now = seat == state.mover and _is_near(state, seat, card, state.left)
                more.append(say("rival_now" if now else "rival_next", name=Verbatim(name)))
        yield card, contract_rule(state.edition, card), more


def _is_near(state: State, seat: int, card: str, actions: int) -> bool:
    """Whether a player can fulfil a contract with so many actions, carrying what lacks.

    As the valley lies, powers aside. Before the end card is taken, everybody has a turn left.
    """
    own = state.seats[seat]
    needs = Counter(state.edition.contracts[card].needs)
    if not own.buildings or state.ender is not None:
        return False
    lacking = {at: needs - goods for at, goods in _held(state, seat).items()}
    return any(
        lacks.total() < actions and not lacks - in_reach(state, at) for at, lacks in lacking.items()
    )


def _held(state: State, seat: int) -> Mapping[str, Counter[str]]:
    """What lies on each of a player's building sites."""
    sites = {*state.pieces.sites(state.seats[seat].colour)}
    return {at: Counter(one.holds) for at, one in state.pieces.elements() if at in sites}


def most_missed(state: State) -> Iterator[Sentence]:
    """What each player was nearest to at the end, and what unused resources cost.

    The contract that brings most of those of which some lies on a site and that lack `A_TURN`
    resources at most, or an explorer.
    """
    every = state.edition.contracts
    for number, seat in enumerate(state.seats):
        found = [
            (every[card].points, -lacking.total(), every[card].name, at, lacking)
            for card in (*state.open, *seat.hand)
            if card in every and seat.buildings
            for at, goods in _held(state, number).items()
            if (lacking := Counter(every[card].needs) - goods).total() <= A_TURN
            and goods & Counter(every[card].needs)
        ]
        left = next(filter(None, seat.piles), 0)
        if found:
            points, _short, name, at, lacking = max(found, key=lambda one: one[:2])
            key, missing = "missed_contract" if lacking else "missed_build", lacking.elements()
            most = say(key, contract=name, at=at, points=points, missing=tuple(missing))
        elif left:
            most = say("missed_explorer", n=left, points=state.edition.explorer)
        else:
            most = say("missed_nothing")
        n = state.pieces.resources(seat.colour).total() + sum(seat.storage.values())
        yield say("missed_and_unused", most=most, n=n) if n else most


def unused(state: State) -> Iterator[tuple[str, str, int]]:
    """Where resources lie that cost points at the end: the space, whose they are, how many."""
    pieces = state.pieces
    for at, own in pieces.exploitations.items():
        if own.craftsman:
            yield at, own.craftsman, own.count
    for number, seat in enumerate(state.seats):
        for at, goods in _held(state, number).items():
            if goods:
                yield at, seat.colour, goods.total()


def filled_ruins(
    drawing: Drawing, state: State
) -> Iterator[tuple[str, str, Sequence[str], Sequence[str]]]:
    """The halves of ruins that one element fills (V3): colour, first half, outline, corners.

    The outline is from above to below, without what would hide the ruin's name.
    """
    of_ruin = {
        ruin: SWATCHES[own[0].colour]
        for ruin, own in state.pieces.ruins.items()
        if own and state.setup.room == 1
    }
    corners = {region.id: region.points.split() for region in drawing.regions}
    for ruin, colour in of_ruin.items():
        one, other = (corners[half(ruin, number)] for number in (0, 1))
        shared = {*one} & {*other}
        for own in (one, other):
            bare = sorted({*own} - shared, key=_height)
            outline = [*bare, max(shared, key=_height)] if shared else own
            yield colour, half(ruin, 0), outline, own


def _height(corner: str) -> float:
    return float(corner.split(",")[1])


def hand(state: State, number: int) -> Iterator[tuple[str, Sentence, Sequence[Sentence]]]:
    """A player's own contracts: what they need and give, and what sites lack or leave."""
    for card in state.seats[number].hand:
        if card in state.edition.contracts:
            yield card, contract_rule(state.edition, card), [*_of_sites(state, number, card)]


def _of_sites(
    state: State, number: int, card: str, *, is_brief: bool = False
) -> Iterator[Sentence]:
    """What a contract lacks or leaves on each site of a player that has or can get some of it.

    With what of it can be carried there now; in brief, beside `ways_to_sites`, only if all can.
    """
    own = state.edition.contracts[card]
    needs = Counter(own.needs)
    for at, goods in _held(state, number).items():
        lacking = needs - goods
        near = lacking & in_reach(state, at)
        lacks = say("site_lacks", at=at, missing=tuple(lacking.elements()))
        if not lacking:
            yield say("has_all", at=at, left=(goods - needs).total())
        elif lacking != needs and is_brief and near != lacking:
            yield lacks
        elif lacking != needs or near == lacking:
            reach = "all" if near == lacking and lacking.total() > 1 else "none" if not near else ""
            key = f"{reach}_in_reach" if reach else "in_reach"
            yield say(key, lacks=lacks, near=_near(state, at, near))


def _near(state: State, site: str, goods: Mapping[str, int]) -> tuple[Sentence, ...]:
    """So many of some resources, with where they can be carried to a site from."""
    starts = {one: state.pieces.exploitations[one].resource for one in reached_from(state, site)}
    return tuple(
        say("goods_from", n=n, what=what, at=tuple(one for one in starts if starts[one] == what))
        for what, n in goods.items()
    )


def ways_to_sites(state: State, number: int) -> Iterator[Sentence]:
    """What lies on each of a player's sites, what can be carried there, and what bars other ways.

    Of each resource that none can reach it from, by the way opened with fewest actions.
    """
    seen, crossed = replace(state, mover=number), state.pieces.open_meadows(state.valley)
    for site, goods in () if state.over else _held(state, number).items():
        near, found = in_reach(state, site), dict[str, tuple[int, int, tuple[str, ...]]]()
        full = {*state.pieces.tokens, *state.pieces.exploitations}
        for start, own in state.pieces.exploitations.items():
            actions, way = least_closed(seen, start, site)
            if way and not near[own.resource]:
                opened = actions, len(full & {*way[1:-1]}), way
                found[own.resource] = min(opened, found.get(own.resource, opened))
        closed = [
            say("way_of", what=what, start=way[0], closed=tuple(_barring(state, at) for at in bars))
            for what, (_actions, _full, way) in found.items()
            if len(bars := [at for at in way[1:-1] if at not in crossed]) <= MOST_CLOSED
        ]
        ways = [say("ways_now", near=_near(state, site, near))] if near else []
        ways += [say("not_yet", ways=tuple(closed))] if closed else []
        held = tuple(say("so_many", n=n, what=what) for what, n in goods.items() if n)
        at = say("site_with", at=site, goods=held) if held else site
        if ways:
            first, *then = ways
            yield say(
                "ways_of",
                at=at,
                ways=say("ways_both", now=first, closed=then[0]) if then else first,
            )


def _barring(state: State, at: str) -> Sentence | str:
    """A space in the way, with what makes it one; fog by its name alone."""
    if own := state.pieces.exploitations.get(at):
        return say("goods_on", what=own.resource, at=at)
    if at in state.pieces.tokens:
        return say("token_on", at=at)
    return say("forest_at", at=at) if state.valley.terrain[at] == FOREST else at
