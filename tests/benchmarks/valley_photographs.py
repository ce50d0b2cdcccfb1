"""Reading of photographs of Via Nebula's valley, as a game needs it.

    python -m models.via_nebula.rendering.measuring_set --out DIR --count 20
    python -m tests.benchmarks.valley_photographs DIR/labelled [--mistakes]
    python -m models.via_nebula.rendering.guild_set --out GUILDS --count 8
    python -m tests.benchmarks.valley_photographs GUILDS/labelled --guild

Prints for each kit and in total: hexagons with the right state (fog, forest, open, a token, an
exploitation, a ruin with that many elements), players' elements, where false ones count as wrong,
tokens' faces, places with all resources counted correctly; how much of what is wrong is asked
about; and for each photograph the questions, and the mistakes that are not asked about. The players
are known, as in a game. For guild boards: which piles have tiles, how many, and the storage.

Used to tune the reader in November 2026: photographs 0 to 89 of seed 2711 (`--kits folded wood
plastic`), 0 to 86 of seed 3109 (`--kits wood plastic wood folded`), 0 to 97 of seed 5077 (`--kits
wood plastic paper wood folded`; 0 to 5 with `--kits wood wood wood plastic`), and guild boards 0 to
11 of seed 2712. Read once: those up to 96, 93 and 104, and guild boards up to 46. Later ones are a
hold-out. Figures of first readings are in `models/via_nebula/MODEL_CARD.md`.

Places where less than half of a piece's top is visible, or where a piece is on or beneath one of
another place, cannot be counted: they count as "hidden" instead of "element" or "count", and a
question is right there as well as the true pieces. "clear" are those of the counts where at least
`CLEAR` of each resource's top is visible, if the labels say how much of it is.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from calibration import Profile, load_profile
from scorer.via_nebula.board import PILE_PLACES, STORAGE, TILE, half_named
from scorer.via_nebula.edition import COLOURS, RESOURCES, RUIN, STANDARD
from scorer.via_nebula.game import VIA_NEBULA
from vision import Reader, load_photo
from vision.refusals import NoBoardError, UnreadableBoardError

RegionPieces = Mapping[str, Counter[str]]
"""The pieces in each region."""
ELEMENTS = frozenset(one.id for one in VIA_NEBULA.pieces if one.owner)
GOODS = frozenset(RESOURCES)
ASKED = 2
"""What of the wrong ones is asked about; 0 and 1 are all wrong and right ones."""
KINDS = ("hexagons", "elements", "tokens", "counts", "clear", "hidden")
CLEAR = 0.75
"""The visible share of each resource's top from which a heap is easy to count."""


def only(held: Counter[str], kinds: frozenset[str]) -> Counter[str]:
    """Return the pieces of some kinds."""
    return Counter({one: count for one, count in held.items() if one in kinds and count})


def state(hexagon: str, pieces: RegionPieces) -> str:
    """Return a hexagon's current state."""
    halves = [held for at, held in pieces.items() if half_named(at)[0] == hexagon]
    kind = STANDARD.valleys["standard"].terrain[hexagon]
    if kind == RUIN:
        return f"{sum(only(held, ELEMENTS).total() for held in halves)} on a ruin"
    held = sum(halves, Counter[str]())
    if only(held, ELEMENTS | GOODS):
        return "exploitation"
    if any(one in STANDARD.tokens for one in held):
        return "token"
    return "open" if held[TILE] else kind


def faces(held: Counter[str]) -> Counter[tuple[str, int]]:
    """Return the visible faces of tokens: three of a kind look alike."""
    own = STANDARD.tokens
    return Counter((own[one].resource, own[one].shows) for one in held.elements() if one in own)


def is_clear(seen: Mapping[str, Mapping[str, float]] | None, place: str) -> bool:
    """Whether all resources of a place are seen well, by the least share of each kind's tops."""
    if seen is None:
        return False
    return all(share >= CLEAR for kind, share in seen.get(place, {}).items() if kind in GOODS)


def compared(
    true: RegionPieces, read: RegionPieces, profile: Profile
) -> Iterator[tuple[str, str, int, int]]:
    """Yield what is judged, where, how many are right, and out of how many."""
    for hexagon in STANDARD.valleys["standard"].spaces:
        yield "hexagons", hexagon, int(state(hexagon, true) == state(hexagon, read)), 1
    for place in profile.places:
        mine, its = true[place.id], read[place.id]
        for what, kinds in (("elements", ELEMENTS), ("counts", GOODS)):
            a, b = only(mine, kinds), only(its, kinds)
            if a or b:
                counted = what == "elements"
                right, of = ((a & b).total(), (a | b).total()) if counted else (int(a == b), 1)
                yield what, place.id, right, of
        if shown := faces(mine) | faces(its):
            yield "tokens", place.id, (faces(mine) & faces(its)).total(), shown.total()


def compared_guild(true: RegionPieces, read: RegionPieces) -> Iterator[tuple[str, str, int, int]]:
    """Yield the same for a guild board."""
    for pile in PILE_PLACES:
        yield "covered", pile, int((true[pile][TILE] > 0) == (read[pile][TILE] > 0)), 1
        yield "heights", pile, int(true[pile][TILE] == read[pile][TILE]), 1
    yield "storage", STORAGE, int(only(true[STORAGE], GOODS) == only(read[STORAGE], GOODS)), 1


def playing(true: RegionPieces, is_guild: bool) -> list[str]:
    """Return the players' colours; for guild boards as many as the height of full piles says (V21).

    Empty if no full pile is visible.
    """
    if not is_guild:
        return [one for one in COLOURS if any(f"_{one}" in p for own in true.values() for p in own)]
    *_, before, last = (true[pile][TILE] for pile in PILE_PLACES)
    players = (n for n, table in STANDARD.tables.items() if before and table.pile == last)
    return [*COLOURS[: next(players, 0)]]


def main() -> None:
    """Read a folder of labelled photographs and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mistakes", action="store_true", help="Name each of them.")
    parser.add_argument("--guild", action="store_true", help="Of guild boards.")
    asked = parser.parse_args()
    profile = load_profile("via_nebula/standard" + "-guild" * asked.guild)
    reader = Reader.of(profile)
    figures: dict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
    for labels in sorted(asked.folder.glob("*.json")):
        truth = json.loads(labels.read_text(encoding="utf-8"))
        true = defaultdict(
            Counter, {at: Counter(own) for at, own in truth["regions"].items() if own}
        )
        players = [{"colour": one} for one in playing(true, asked.guild)]
        roles = {"via_nebula": VIA_NEBULA.piece_roles({"players": players})} if players else {}
        try:
            photo = load_photo(labels.with_suffix(".jpg"))
            board = reader.read(photo, piece_roles=roles).boards[0]
        except (NoBoardError, UnreadableBoardError) as error:
            figures[truth["kit"]][("not read", 1)] += 1
            print(f"{labels.stem} {truth['kit']}: not read: {error}", flush=True)
            continue
        read: dict[str, Counter[str]] = defaultdict(Counter)
        for place, piece in board.pieces.items():
            read[place.id][piece] += 1
        questions = {space for flag in board.flags for space in flag.spaces}
        unasked = set()
        judged = compared_guild(true, read) if asked.guild else compared(true, read, profile)
        for what, at, right, of in judged:
            about = {at} | ({f"{at}b"} if what == "hexagons" else set())
            is_asked = bool(about & questions)
            if what in ("elements", "counts") and at in truth.get("hidden", ()):
                figures[truth["kit"]]["hidden", int(right == of or is_asked)] += 1
            else:
                figures[truth["kit"]].update({(what, 1): right, (what, 0): of - right})
                figures[truth["kit"]][what, ASKED] += (of - right) * is_asked
                if what == "counts" and is_clear(truth.get("seen"), at):
                    figures[truth["kit"]].update({("clear", 1): right, ("clear", 0): of - right})
                    figures[truth["kit"]]["clear", ASKED] += (of - right) * is_asked
            if right < of and not is_asked:
                unasked.add(at)
            if right < of and asked.mistakes:
                reported = "asked" if is_asked else "UNASKED"
                print(f"   {at} {what} {reported}: {dict(true[at])} read as {dict(read[at])}")
        figures[truth["kit"]].update({("photographs", 1): 1, ("asked", 1): len(questions)})
        figures[truth["kit"]].update({("unasked", 1): len(unasked)})
        print(
            f"{labels.stem} {truth['kit']}: {len(questions)} asked, {len(unasked)} unasked",
            flush=True,
        )
    figures["together"] = sum(figures.values(), Counter())
    kinds = ("covered", "heights", "storage") if asked.guild else KINDS
    for kit, found in figures.items():
        each = ", ".join(
            f"{what} {found[what, 1]}/{found[what, 1] + found[what, 0]}"
            f" {found[what, 1] / max(1, found[what, 1] + found[what, 0]):.1%}"
            + (f" ({found[what, ASKED]} asked)" if what != "hidden" else "")
            for what in kinds
        )
        rest = ", ".join(
            f"{what} {found[what, 1]}" for what in ("photographs", "not read", "asked", "unasked")
        )
        print(f"{kit}: {each}; {rest}")


if __name__ == "__main__":
    main()
