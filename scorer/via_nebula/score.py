"""The score (V60 to V75): points in five categories, ranking and inconsistencies."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scorer.flags import Flag
from scorer.scoresheet import Line, PlayerSheet, ScoreSheet, places
from scorer.sentence import Sentence, Verbatim
from scorer.via_nebula.board import ValleyPieces
from scorer.via_nebula.edition import BUILDINGS, FOG, FOREST, Edition, Goods
from scorer.via_nebula.words import say


@dataclass(frozen=True)
class Standing:
    """What counts for a player besides the valley; points, of each card, are None if unknown."""

    name: str
    colour: str
    piles: tuple[int, ...]
    storage: Goods = field(default_factory=dict)
    token_points: Sequence[int] | None = None
    contract_points: Sequence[int] | None = None
    end_card: bool = False
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class ViaNebulaSheet(ScoreSheet):
    """A score with tie-breaks (V71)."""

    results: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By player: points, and resources in storage as a negative number."""

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Most points first, then fewest resources."""
        return places(self.results)

    def tie_break(self, name: str) -> Sentence | str:
        """What decided among players with the same total."""
        points, stored = self.results[name]
        others = [one[1] for who, one in self.results.items() if who != name and one[0] == points]
        if not others:
            return ""
        return say("shared") if {*others} == {stored} else say("by_storage", n=-stored)


def score_table(
    standings: Sequence[Standing],
    pieces: ValleyPieces,
    edition: Edition,
    collected: bool = False,
    flags: Sequence[Flag] = (),
    side: str = "standard",
) -> ViaNebulaSheet:
    """The score of all players; `collected`: V62 has already moved resources into storage."""
    moved = [own if collected else _collected(own, pieces) for own in standings]
    sheets = tuple(_sheet(own, pieces, edition, len(moved), collected) for own in moved)
    results = {
        sheet.name: (sheet.total, -sum(own.storage.values()))
        for own, sheet in zip(moved, sheets, strict=True)
    }
    every = (*flags, *_common_flags(moved, pieces, edition, side, collected))
    return ViaNebulaSheet("via_nebula", sheets, every, results)


def _collected(own: Standing, pieces: ValleyPieces) -> Standing:
    """V62: with the resources on the player's sites and exploitations."""
    return replace(own, storage=Counter(own.storage) + pieces.resources(own.colour))


def _sheet(
    own: Standing, pieces: ValleyPieces, edition: Edition, players: int, collected: bool
) -> PlayerSheet:
    stored, explorers = sum(own.storage.values()), own.piles.count(0)
    built = () if own.contract_points is None else tuple(sorted(pieces.buildings(own.colour)))
    costly = () if collected else tuple(sorted(pieces.with_resources(own.colour)))
    lines = (
        _cards("exploitations", "token_points", own.token_points),
        _cards("contracts", "contract_points", own.contract_points, built),
        Line("explorers", edition.explorer * explorers, say("n_explorers", n=explorers)),
        Line("end_card", edition.end_card * own.end_card, say(f"end_card_{own.end_card}")),
        Line("storage", -stored, _stored(own.storage, bool(costly)), costly),
    )
    missing = own.token_points is None or own.contract_points is None
    return PlayerSheet(
        own.name,
        lines,
        (*own.flags, *_flags(own, pieces, edition, players)),
        missing,
        say("cards_needed") if missing else "",
    )


def _stored(storage: Goods, is_moved: bool) -> Sentence:
    """How many resources count −1 each, of which kinds; `is_moved`: also from the valley."""
    n = sum(storage.values())
    what = tuple(say("so_many", n=count, what=one) for one, count in storage.items() if count)
    if is_moved or not n:
        return say("n_to_store" if is_moved else "n_stored", n=n)
    return say("n_stored_what", n=n, what=what)


def _cards(
    category: str, key: str, points: Sequence[int] | None, spaces: tuple[str, ...] = ()
) -> Line:
    """What tokens or contracts give together, for people each."""
    total = sum(points or ())
    words = say("not_told") if points is None else say(key, n=total)
    several = points is not None and len(points) > 1
    each = say("points_each", each=Verbatim(" + ".join(map(str, points or ()))))
    return Line(category, total, words, spaces, in_full=each if several else None)


def _flags(own: Standing, pieces: ValleyPieces, edition: Edition, players: int) -> list[Flag]:
    """Inconsistencies of one player (V75)."""
    found = []
    sites = pieces.sites(own.colour)
    built = pieces.buildings(own.colour)
    if len(sites) > BUILDINGS - len(built):
        left = BUILDINGS - len(built)
        found.append(_flag("too_many_sites", *sites, n=len(sites), buildings=left))
    craftsmen = [at for at, one in pieces.exploitations.items() if one.craftsman == own.colour]
    most = edition.tables[players].craftsmen
    if len(craftsmen) > most:
        found.append(_flag("too_many_craftsmen", *craftsmen, n=len(craftsmen), most=most))
    contracts = len(built if own.contract_points is None else own.contract_points)
    if contracts != len(built):
        found.append(_flag("contracts_and_buildings", *built, n=contracts, buildings=len(built)))
    return found


def _common_flags(
    standings: Sequence[Standing],
    pieces: ValleyPieces,
    edition: Edition,
    side: str,
    collected: bool,
) -> list[Flag]:
    """Inconsistencies of the valley, and of all players together (V75)."""
    found = valley_flags(pieces, edition, len(standings), side)
    goods: Counter[str] = Counter()
    for own in standings:  # includes what V62 moves
        goods.update(own.storage)
    if not collected:
        colours = {own.colour for own in standings}
        goods.update(pieces.resources())
        for colour in colours:
            goods.subtract(pieces.resources(colour))
    else:
        goods.update(pieces.resources())
    for resource, count in goods.items():
        if count > edition.supply:
            found.append(_flag("too_many_resources", n=count, resource=resource))
    ends = sum(own.end_card for own in standings)
    if ends > 1:
        found.append(_flag("end_cards", n=ends))
    return found


def valley_flags(
    pieces: ValleyPieces, edition: Edition, players: int, side: str = "standard"
) -> list[Flag]:
    """Inconsistencies of the valley with a number of players (V3, V75)."""
    found = []
    room, terrain = edition.tables[players].room, edition.valleys[side].terrain
    for ruin, standing in pieces.ruins.items():
        if len(standing) > room:
            found.append(_flag("ruin_too_full", ruin, n=len(standing), at=ruin, room=room))
    for at in sorted(pieces.tiles):
        if terrain[at] not in (FOG, FOREST):
            found.append(_flag("tile_misplaced", at, at=at))
    return found


def _flag(kind: str, *spaces: str, **values: int | str) -> Flag:
    return Flag(kind, spaces, reason=say(kind, **values))
