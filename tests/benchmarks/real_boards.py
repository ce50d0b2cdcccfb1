"""Reading of boards from games without their own weights, in a folder of photographs.

`python -m tests.benchmarks.real_boards FOLDER... [--out DIR]`

A folder holds `empty.jpg`, the empty board seen straight from above and filling the picture,
photographs, and two files:

`layout.yaml` has the board's `size_mm`, its `pieces`, each with a nominal `colour`, the kinds of
places it `lies_on` and, where known, the `supply` in the box, with its spares, and its `places`:
`at` with a `radius`, or with a `size` and a `turn`.

`labels.yaml` has the pieces of each photograph by place: places not listed are empty, "?" means
unknown. An optional `corners.yaml` has the board's corners in some photographs, in px, clockwise
from the printed top left, which are then not searched.

Nothing is downloaded. `--out` saves each wrong place beside its reference. With `--samples` the
first photograph that shows all kinds of pieces serves as the owner's calibration; the others are
read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import cv2
import numpy as np
import yaml

from calibration import Layout, Profile
from calibration.colour_profile import ColourProfile, Swatch
from calibration.profile import reference_size
from scorer import registry
from scorer.game import Game
from scorer.places import Bar, Circle, Place, Shape
from scorer.table import BoardKind, Piece, Table
from scorer.topology import Topology
from vision import Photo, load_photo
from vision.place_patches import cut
from vision.placewise import PlacewiseReader
from vision.reader import Clock
from vision.reading import BoardReading
from vision.rectify import homography
from vision.refusals import NoBoardError, UnreadableBoardError

UNKNOWN = "?"
_SURE_ENOUGH = 0.999


@dataclass
class Tally:
    """The results of a folder's photographs."""

    places: int = 0
    wrong: int = 0
    silent: int = 0
    asked: int = 0
    boards: int = 0
    flawless: int = 0
    never_wrong_unasked: int = 0
    refused: int = 0
    ms: list[float] = field(default_factory=list)
    told: list[tuple[float, bool]] = field(default_factory=list)
    """The confidence of each place, and whether it was right."""
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)

    def coverage(self, wanted: float = _SURE_ENOUGH) -> float:
        """Return the fraction of places, most confident first, read with the wanted accuracy."""
        ordered = sorted(self.told, reverse=True)
        right = np.cumsum([is_right for _, is_right in ordered])
        good = np.flatnonzero(right >= wanted * np.arange(1, len(ordered) + 1))
        return float((good[-1] + 1) / self.places) if len(good) else 0.0

    def curve(self) -> Iterator[tuple[float, int, int]]:
        """Yield thresholds with the numbers of places asked about, and of wrong ones missed."""
        for threshold in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995):
            below = sum(sure < threshold for sure, _ in self.told)
            yield threshold, below, sum(s >= threshold and not ok for s, ok in self.told)


def game_of(name: str, pieces: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return a game with those pieces and no rules."""
    own = tuple(
        Piece(
            piece,
            reported["colour"],
            reported.get("supply", 99),
            lies_on=frozenset(reported["lies_on"]),
        )
        for piece, reported in pieces.items()
    )
    nothing = {
        "position": lambda self, board, lying: dict(lying),
        "rule_breaks": lambda self, position, game=None: (),
    }
    table = Table((BoardKind(None),))
    facts = {"id": name, "title": name, "pieces": own, "table": table}
    made: Any = type("Drawn", (Game,), {**nothing, **facts})
    made.__abstractmethods__ = frozenset()
    return made()


def profile_of(folder: Path) -> Profile:
    """Return the profile of a folder's board, and register its game."""
    reported = yaml.safe_load((folder / "layout.yaml").read_text(encoding="utf-8"))
    name = f"real-{folder.name}"
    places: dict[Place, Shape] = {}
    for place, shape in reported["places"].items():
        at = tuple(shape["at"])
        if "radius" in shape:
            places[Place(place)] = Circle(at, shape["radius"])
        else:
            places[Place(place, "edge")] = Bar(at, tuple(shape["size"]), shape.get("turn", 0.0))
    size = tuple(reported["size_mm"])
    empty = load_photo(folder / "empty.jpg").image
    small = cv2.resize(empty, reference_size(size), interpolation=cv2.INTER_AREA)
    spots = tuple(place.id for place in places if place.kind == "spot")
    layout = Layout(name, name, size, places, None, Topology(spots, ()))
    game = game_of(name, reported["pieces"])
    found = registry.find_game
    own = {name: game}
    registry.find_game = lambda name: own[name] if name in own else found(name)
    return Profile(name, layout, np.asarray(small, np.uint8))


def judge(folder: Path, out: Path | None, longest: int, samples: bool = False) -> Tally:
    """Read all photographs of a folder, except the one that provides ``samples``, if any."""
    profile = profile_of(folder)
    reader = PlacewiseReader(profile)
    labels = yaml.safe_load((folder / "labels.yaml").read_text(encoding="utf-8"))
    known = folder / "corners.yaml"
    corners = yaml.safe_load(known.read_text(encoding="utf-8")) if known.exists() else {}
    tally = Tally()
    if samples:
        kinds = set(reader.classes)
        shown = next((name for name in labels if kinds <= set(labels[name].values())), None)
        if shown is None:
            raise click.ClickException(f"{folder}: no photograph shows one of each piece")
        photo = smaller(load_photo(folder / shown), longest)
        board = read(reader, photo, corners.get(shown))
        reader.colour_profile = one_of_each(board, labels.pop(shown))
        print(
            f"{shown} shows",
            ", ".join(f"{s.piece} {s.colour}" for s in reader.colour_profile.swatches),
        )
    for name, lying in sorted(labels.items()):
        photo = smaller(load_photo(folder / name), longest)
        truth = {p: lying.get(p.id, "") for p in profile.places}
        truth = {p: lies for p, lies in truth.items() if lies != UNKNOWN}
        tally.boards += 1
        tally.places += len(truth)
        begun = perf_counter()
        try:
            board = read(reader, photo, corners.get(name))
        except (NoBoardError, UnreadableBoardError) as refusal:
            print(f"{name}: {refusal}")
            tally.refused += 1
            tally.wrong += len(truth)
            continue
        tally.ms.append(1000 * (perf_counter() - begun))
        asked = {space for flag in board.flags for space in flag.spaces}
        hidden = {space for flag in board.flags if flag.kind == "hidden" for space in flag.spaces}
        wrong = {p for p in truth if (board.places[p].piece or "") != truth[p]}
        silent = {p for p in wrong if p.id not in asked}
        tally.asked += sum(p.id in asked for p in truth)
        tally.wrong += len(wrong)
        tally.silent += len(silent)
        tally.flawless += not wrong
        tally.never_wrong_unasked += not silent
        tally.told += [
            (0.0 if p.id in hidden else board.places[p].confidence, p not in wrong) for p in truth
        ]
        tally.confused.update((truth[p], board.places[p].piece or "") for p in wrong)
        print(
            f"{name}: {len(wrong)} of {len(truth)} wrong, {len(silent)} unasked,"
            f" {sum(p.id in asked for p in truth)} asked, {tally.ms[-1]:.0f} ms",
            flush=True,
        )
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            file = out / f"{folder.name}-{Path(name).stem}.png"
            keep_wrong(file, reader, photo, board, {p: truth[p] for p in wrong}, asked)
    return tally


def one_of_each(board: BoardReading, lying: Mapping[str, str]) -> ColourProfile:
    """Return the colour of one piece of each kind: the middle one in the list."""
    colours = {place.id: seen.colour for place, seen in board.places.items()}
    places: dict[str, list[str]] = {}
    for place, piece in lying.items():
        places.setdefault(piece, []).append(place)
    places.pop(UNKNOWN, None)
    middle = ((piece, colours[at[len(at) // 2]]) for piece, at in places.items())
    return ColourProfile(tuple(Swatch(piece, colour) for piece, colour in middle if colour))


def read(reader: PlacewiseReader, photo: Photo, corners: Sequence[Any] | None) -> BoardReading:
    """Read the only board, which is searched for unless its corners are known."""
    if corners is None:
        (board,) = reader.read(photo).boards
        return board
    to_image = homography(photo.scale * np.array(corners, float), reader.profile.size_mm)
    return reader.classify(photo, reader.look(photo, to_image, Clock(0)), None)


def smaller(photo: Photo, longest: int) -> Photo:
    """Return the photograph reduced to that longer side."""
    by = longest / max(photo.image.shape[:2])
    if by >= 1:
        return photo
    image = cv2.resize(photo.image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    return Photo(image, photo.size, photo.name, photo.scale * by)


def keep_wrong(
    file: Path,
    reader: PlacewiseReader,
    photo: Photo,
    board: BoardReading,
    wrong: Mapping[Place, str],
    asked: Collection[str],
) -> None:
    """Draw each wrong place: as photographed, as the reader sees it, and empty.

    ``wrong`` has the true pieces; places that are asked about are labelled in green.
    """
    if not wrong:
        return
    to_image = np.diag([photo.scale, photo.scale, 1.0]) @ board.to_photo
    seen = reader.rectify(photo.image, to_image)
    order = list(reader.places)
    rows = []
    for place in sorted(wrong):
        at = np.array([order.index(place)])
        grid = reader._grid[at]
        row = [
            cut(seen.raw, grid)[0],
            cut(seen.normalized, grid)[0],
            cut(reader.reference, grid)[0],
        ]
        row = [cv2.resize(one, (112, 112), interpolation=cv2.INTER_CUBIC) for one in row]
        strip = cv2.copyMakeBorder(np.hstack(row), 22, 4, 4, 4, cv2.BORDER_CONSTANT)
        read = board.places[place]
        text = f"{wrong[place] or '-'} > {read.piece or '-'} {read.confidence:.2f}"
        tone = (80, 255, 80) if place.id in asked else (80, 80, 255)
        cv2.putText(strip, f"{place.id} {text}", (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, tone, 1)
        rows.append(strip)
    while len(rows) % 5:
        rows.append(np.zeros_like(rows[0]))
    lines = [np.hstack(rows[n : n + 5]) for n in range(0, len(rows), 5)]
    cv2.imwrite(str(file), np.vstack(lines))


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Where to keep wrong places.")
@click.option("--longest", default=2400, show_default=True, help="The longer side, in px.")
@click.option("--samples", is_flag=True, help="Show one piece of each kind before.")
def main(folders: tuple[Path, ...], out: Path | None, longest: int, samples: bool) -> None:
    """Read the photographs in FOLDERS and print how many places are right."""
    for folder in folders:
        tally = judge(folder, out, longest, samples)
        right = 1 - tally.wrong / max(tally.places, 1)
        print(
            f"== {folder.name}: {right:.2%} of {tally.places} places right, {tally.flawless} of"
            f" {tally.boards} boards, {tally.wrong} wrong, {tally.silent} unasked"
            f" ({tally.never_wrong_unasked} boards without), {tally.asked} asked,"
            f" {tally.refused} refused; coverage at 99.9 % {tally.coverage():.1%};"
            f" median {np.median(tally.ms or [0]):.0f} ms"
        )
        print("   ", ", ".join(f"<{t}: {a} asked {w} unasked" for t, a, w in tally.curve()))
        confused = ", ".join(
            f"{a or '-'}>{b or '-'} {n}" for (a, b), n in tally.confused.most_common(14)
        )
        print("   ", confused, flush=True)


if __name__ == "__main__":
    main()
