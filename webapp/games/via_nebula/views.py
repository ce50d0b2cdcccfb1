"""What Via Nebula's templates draw: the ways of resources, the table, a player's contracts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from flask import Blueprint

from scorer.places import in_region
from scorer.plain import PlainPosition
from scorer.sentence import Sentence
from scorer.via_nebula.board import BUILDING, VALLEY, ValleyPieces, half_named, pieces_on
from scorer.via_nebula.edition import BUILDINGS, FOG, FOREST, STANDARD, Valley, ways_from
from scorer.via_nebula.game import GOODS, SWATCHES, contract_face
from scorer.via_nebula.state import Carry, State
from scorer.via_nebula.turns import TURNS
from scorer.via_nebula.words import say
from webapp.app.boards.board_drawing import Drawing
from webapp.games.via_nebula.pages import side_of

blueprint = Blueprint("via_nebula", __name__, template_folder="templates")
FREE = "#ffffff"
"""What marks a space that anybody may explore."""
Point = tuple[float, float]
Regions = Mapping[str, Mapping[str, int]]


@blueprint.app_context_processor
def _drawn() -> dict[str, object]:
    return {
        "valley_ways": ways,
        "valley_chosen": chosen_ways,
        "valley_fog": explorable,
        "valley_side": side_of,
        "valley_sites": sites_left,
        "valley_standing": standing,
        "valley_table": table,
        "valley_hand": hand,
    }


def _pieces(regions: Regions) -> ValleyPieces:
    laid = (in_region(at, held) for at, held in regions.items())
    return pieces_on(PlainPosition(VALLEY, dict(chain.from_iterable(own.items() for own in laid))))


def ways(drawing: Drawing, regions: Regions, side: str) -> Iterator[tuple[str, Sequence[Point]]]:
    """The ways from each exploitation to each site that can be reached (V41), by its colour."""
    pieces, valley = _pieces(regions), STANDARD.valleys[side]
    crossed = pieces.open_meadows(valley)
    sites = {at for at, own in pieces.elements() if own.what != BUILDING}
    for start, own in pieces.exploitations.items():
        ends = ways_from(valley, crossed, start)
        for at in sorted(sites):
            if half_named(at)[0] in ends:
                yield GOODS[own.resource], _points(drawing, ends[half_named(at)[0]], at)


def chosen_ways(
    drawing: Drawing, regions: Regions, side: str, lines: Collection[str]
) -> Iterator[tuple[str, Sequence[Point]]]:
    """The ways of the carryings among some actions, which are legal."""
    pieces, valley = _pieces(regions), STANDARD.valleys[side]
    crossed = pieces.open_meadows(valley)
    for action in map(TURNS.read_action, lines):
        if isinstance(action, Carry):
            way = ways_from(valley, crossed, action.start)[half_named(action.at)[0]]
            resource = pieces.exploitations[action.start].resource
            yield GOODS[resource], _points(drawing, way, action.at)


def _points(drawing: Drawing, way: Sequence[str], end: str) -> Sequence[Point]:
    at = {region.id: (region.x, region.y) for region in drawing.regions}
    return [at[place] for place in (*way[:-1], end)]


def explorable(
    drawing: Drawing, regions: Regions, side: str, colours: Sequence[str]
) -> Iterator[tuple[Point, Sequence[str]]]:
    """The fog and forest that may be explored (V33), and in whose colours: white for everybody."""
    pieces, valley = _pieces(regions), STANDARD.valleys[side]
    at = {region.id: (region.x, region.y) for region in drawing.regions}
    owned = {colour: pieces.occupied_by(colour) for colour in colours}
    for place in (*valley.of(FOG), *valley.of(FOREST)):
        if place not in pieces.tiles:
            yield at[place], _explorers(place, pieces, valley, owned)


def _explorers(
    place: str, pieces: ValleyPieces, valley: Valley, owned: Mapping[str, Collection[str]]
) -> Sequence[str]:
    near = {*valley.around[place]}
    if near & pieces.open_meadows(valley):
        return (FREE,)
    return [SWATCHES[colour] for colour, own in owned.items() if near & {*own}]


def sites_left(regions: Regions, colour: str) -> Sentence:
    """Whether a player may still place a building site (V32)."""
    pieces = _pieces(regions)
    built = [own for _at, own in pieces.elements() if (own.what, own.colour) == (BUILDING, colour)]
    sites, left = len(pieces.sites(colour)), BUILDINGS - len(built)
    return say("site_may" if sites < left else "site_may_not", sites=sites, buildings=left)


def standing(state: State) -> Iterator[Sentence]:
    """How the turn stands, and that it is the last."""
    if state.ready and not state.over:
        yield say("actions_left", n=state.left)
        if state.ender is not None:
            yield say("last_turn")


def table(state: State) -> Iterator[Sentence]:
    """What everybody sees beside the valley: the contracts face up."""
    for card in state.open:
        yield contract_face(state.edition, card)
        if power := state.edition.contracts[card].power:
            yield say(f"power_{power}")


def hand(state: State, number: int) -> Iterator[Sentence]:
    """A player's own contracts."""
    for card in state.seats[number].hand:
        if card in state.edition.contracts:
            yield contract_face(state.edition, card)
