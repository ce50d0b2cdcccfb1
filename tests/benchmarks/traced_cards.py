"""Path-traced photographs of tables with boards and cards: a game's print, or an invented deck.

`python -m tests.benchmarks.traced_cards nebula/standard --out DIR --count 4 --seed 1`, or with
`--invented`, where the cards have other artwork, and `rows/` shows them as "My cards" asks. Needs
the environment of `models/rendering/README.md`, and pypdfium2. `python -m
tests.benchmarks.card_tables --photographs DIR` measures how well they are read.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import math
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration import load_profile
from calibration.artwork import describe_board
from calibration.cards import CARD_MM, Card, draw_card
from calibration.drawing import rasterise
from models.rendering.home_printer import Printer
from models.rendering.phone import Image, Phone
from models.rendering.random_scenes import RENDERED, random_shot
from models.rendering.scene import Neighbour, Point, Scene, Sheet, TableTop, TokenSet, Viewpoint
from models.rendering.tables import from_a_seat, outlines, rectangle, rotated
from webapp.app.game_pages import pages_of

SIZE_PX = (4000, 3000)
FINE = 9.0
"""px per mm of a card's face."""
BOARD_FINE = 5
STRANGERS, INVENTED, IN_A_ROW = 4, 24, 6
_ROOM_MM, _PITCH_MM = (980.0, 780.0), (64.0, 90.0)
_SHARED_MM = 300.0
"""Longest side from which a board is shared by all players."""
_FILLED = 0.94
"""Half the width that the table takes, of half the picture's."""
_BESIDE_MM, _ASKEW, _OFF_MM = 4.0, 8.0, 5.0


@dataclass(frozen=True)
class CardStock:
    """The paper or card that a deck is printed on, and its printer; sizes in mm.

    `saving`: printed with little ink. `bend` is how far the ends of a card rise at most.
    """

    name: str
    printer: Printer
    saving: bool = False
    thickness: float = 0.25
    roughness: float = 0.8
    bend: float = 1.5


STOCKS = (
    CardStock("paper", Printer()),
    CardStock("little ink", Printer("#f4f7ff", inks=(1.0, 0.9, 0.95), deepest=0.045), saving=True),
    CardStock(
        "card",
        Printer("#fbf8f0", inks=(0.85, 0.95, 0.9), deepest=0.05, bands=0.04),
        thickness=0.4,
        roughness=0.4,
    ),
    CardStock(
        "sleeves",
        Printer(deepest=0.03, bands=0.05, pitch=4),
        thickness=0.5,
        roughness=0.2,
        bend=0.6,
    ),
)


def printed_face(card: Card, saving: bool) -> Image:
    """A card's face as it is printed, (H, W, 3) uint8 BGR at `FINE`."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(CARD_MM[0] * mm, CARD_MM[1] * mm))
    draw_card(canvas, card, (0, 0), saving)
    canvas.save()
    page = pypdfium2.PdfDocument(file.getvalue())[0]
    return np.ascontiguousarray(page.render(scale=FINE / mm).to_numpy()[..., :3])


def invented_face(seed: int, number: int) -> Image:
    """A card of an invented deck: a scene up to its edge, emblems, a number and text."""
    deck, rng = np.random.default_rng(seed), np.random.default_rng([seed, number])
    width, height = (round(side * FINE) for side in CARD_MM)
    palette = deck.integers(20, 245, (7, 3))
    down = np.linspace(0, 1, height)[:, None, None]
    above, below = palette[rng.choice(7, 2, replace=False)]
    face = np.broadcast_to(above * (1 - down) + below * down, (height, width, 3)).copy()
    for _ in range(int(rng.integers(2, 5))):
        steps = rng.normal(0, 1, 40).cumsum()
        x = np.linspace(0, width, 40)
        y = height * rng.uniform(0.25, 0.75) + FINE * 1.2 * (steps - steps.mean())
        hill = np.column_stack([np.r_[x, width, 0], np.r_[y, height, height]])
        cv2.fillPoly(face, [hill.astype(np.int32)], palette[rng.integers(7)].tolist(), cv2.LINE_AA)
    for _ in range(int(rng.integers(3, 10))):
        at = (rng.uniform(0.1, 0.9, 2) * (width, height * 0.7)).astype(int).tolist()
        corners = int(rng.integers(3, 9))
        turns = 2 * np.pi * (np.arange(2 * corners) / (2 * corners) + rng.random())
        size = (
            FINE
            * rng.uniform(2, 9)
            * np.where(np.arange(2 * corners) % 2, rng.uniform(0.4, 0.9), 1.0)
        )
        outline = at + size[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])
        cv2.fillPoly(
            face, [outline.astype(np.int32)], palette[rng.integers(7)].tolist(), cv2.LINE_AA
        )
    grain = cv2.resize(
        rng.normal(0, 14, (height // 6, width // 6)), (width, height), interpolation=cv2.INTER_CUBIC
    )
    face = np.clip(face + grain[..., None], 0, 255).astype(np.uint8)
    paper, ink = (240, 246, 250), (25, 20, 20)
    title = round(height * 0.72)
    cv2.rectangle(face, (20, title), (width - 20, height - 20), paper, -1)
    for line in range(title + 40, height - 40, 26):
        cv2.line(face, (40, line), (width - 40 - int(rng.integers(120)), line), ink, 4)
    cv2.circle(face, (60, 60), 46, paper, -1, cv2.LINE_AA)
    cv2.putText(face, f"{number + 1}", (28, 78), cv2.FONT_HERSHEY_DUPLEX, 1.6, ink, 4, cv2.LINE_AA)
    cv2.rectangle(face, (0, 0), (width - 1, height - 1), deck.integers(0, 256, 3).tolist(), 14)
    return face


def strangers(profile: str, saving: bool) -> Iterator[Image]:
    """Cards that are not of a profile's deck: of the other games, and of an invented one."""
    others = ("nebula/standard", "polaris/standard", "ptolemaeus/standard", "via_nebula/standard")
    for number, other in enumerate(itertools.cycle(one for one in others if one != profile)):
        known = load_profile(other)
        cards = pages_of(known.layout.game).cards(known, "en")
        yield printed_face(cards[(7 * number + 3) % len(cards)], saving)
        yield invented_face(991, number)


def _boards(rng: random.Random, size: Point) -> list[tuple[Point, float]]:
    """The middles of a table's boards about its own, in mm, and how each is turned."""
    if max(size) > _SHARED_MM:
        return [((0.0, 0.0), rng.gauss(0, 3))]
    across, down = (size[0] + rng.uniform(15, 60)) / 2, size[1] / 2 + rng.uniform(120, 150)
    spots = [
        ((-across, down), 0.0),
        ((across, -down), 180.0),
        ((across, down), 0.0),
        ((-across, -down), 180.0),
    ]
    return [(at, turn + rng.gauss(0, 3)) for at, turn in spots[: rng.choice((2, 3, 4))]]


def _outline(at: Point, turn: float, size: Point, more: float = 0.0) -> np.ndarray:
    """(4, 2) float32 mm, the corners of a rectangle with `more` mm around it."""
    return np.array(rectangle(at, turn, (size[0] + 2 * more, size[1] + 2 * more)), np.float32)


def _shared(one: np.ndarray, other: np.ndarray) -> float:
    return float(cv2.intersectConvexConvex(one, other)[0])


def _spots(
    rng: random.Random, boards: Sequence[np.ndarray], count: int
) -> list[tuple[Point, float]]:
    """Where cards lie beside boards, near the middle of the table, some partly over others."""
    (width, height), (across, down) = _ROOM_MM, _PITCH_MM
    grid = [
        (x * across + rng.gauss(0, _OFF_MM), y * down + rng.gauss(0, _OFF_MM))
        for x in range(-int(width / across / 2), int(width / across / 2) + 1)
        for y in range(-int(height / down / 2), int(height / down / 2) + 1)
    ]
    turned = [(at, rng.gauss(0, _ASKEW) + rng.choice((0, 0, 90, 180, 180, 270))) for at in grid]
    free = [
        (at, turn)
        for at, turn in turned
        if not any(_shared(_outline(at, turn, CARD_MM, _BESIDE_MM), board) for board in boards)
    ]
    free.sort(
        key=lambda one: max(abs(one[0][0]) / width, abs(one[0][1]) / height) + rng.uniform(0, 0.1)
    )
    chosen = free[:count]
    rng.shuffle(chosen)
    return chosen


def _in_rows(rng: random.Random, count: int) -> list[tuple[Point, float]]:
    """Where upright cards lie side by side, `IN_A_ROW` in each row."""
    return [
        (
            (
                62.0 * (n % IN_A_ROW) + rng.gauss(0, 1.5),
                94.0 * (n // IN_A_ROW) + rng.gauss(0, 1.5),
            ),
            rng.gauss(0, 1.5),
        )
        for n in range(count)
    ]


def framed(camera: Viewpoint, scene: Scene) -> Viewpoint:
    """The camera aimed and as near as the whole table just fits into the picture."""
    corners = [corner for sheet in outlines(scene) for corner in sheet]
    azimuth, slope = math.radians(camera.azimuth), math.sin(math.radians(camera.elevation))
    for _ in range(30):
        seen = np.array([camera.sees(corner)[:2] for corner in corners])
        low, high = seen.min(axis=0), seen.max(axis=0)
        right, near = (low + high) / 2 * camera.distance * 18 / camera.focal / (1, slope)
        half = max((high - low) / 2 * (1, scene.size[0] / scene.size[1]))
        camera = replace(
            camera,
            at=(
                camera.at[0] + right * math.cos(azimuth) + near * math.sin(azimuth),
                camera.at[1] - right * math.sin(azimuth) + near * math.cos(azimuth),
            ),
            distance=camera.distance * (half / _FILLED) ** 0.7,
        )
    return camera


@dataclass(frozen=True)
class Table:
    """A scene with boards first, then cards, in the order in which they were laid down."""

    scene: Scene
    names: Sequence[str]
    covered: Sequence[float]
    boards: int
    phone: Phone
    brightness: float


def lay(
    rng: random.Random,
    profile: str,
    board: Path,
    cards: Sequence[tuple[str, Path]],
    stock: CardStock,
    in_rows: bool = False,
) -> Table:
    """A table with boards and cards by name and picture; `in_rows` with upright cards alone."""
    known = load_profile(profile)
    size = known.size_mm
    spots = [] if in_rows else _boards(rng, size)
    boards = [_outline(at, turn, size) for at, turn in spots]
    places = _in_rows(rng, len(cards)) if in_rows else _spots(rng, boards, len(cards))
    outlines = [_outline(at, turn, CARD_MM) for at, turn in places]
    layers: list[int] = []
    for number, own in enumerate(outlines):
        layers.append(
            max((layers[n] + 1 for n in range(number) if _shared(own, outlines[n]) > 0), default=0)
        )
    area = CARD_MM[0] * CARD_MM[1]
    covered = [
        min(1.0, sum(_shared(own, other) for other in outlines[number + 1 :]) / area)
        for number, own in enumerate(outlines)
    ]
    pieces = [piece.id for piece in known.game.pieces]
    shot = random_shot(
        rng, known, Sheet(board, size), {}, TokenSet(paints=dict.fromkeys(pieces, "#888888"))
    )
    lies_apart = [sum(_shared(own, other) > 0 for other in outlines) == 1 for own in outlines]
    sheets: list[tuple[Sheet, Point, float]] = [
        (Sheet(board, size, bend=(rng.uniform(0, 3), rng.uniform(0, 3))), at, turn)
        for at, turn in spots
    ]
    for (_name, picture), (at, turn), layer, is_apart in zip(
        cards, places, layers, lies_apart, strict=True
    ):
        thick = stock.thickness * (1 + 1.6 * layer)
        # Bent cards would run through each other.
        most = stock.bend if is_apart else 0.0
        bend = (rng.uniform(0, most), rng.uniform(0, most))
        sheets.append(
            (
                Sheet(picture, CARD_MM, thickness=thick, bend=bend, roughness=stock.roughness),
                at,
                turn,
            )
        )
    first, origin, askew = sheets[0]
    # The first sheet defines the axes.
    neighbours = []
    for sheet, at, turn in sheets[1:]:
        x, y = rotated((at[0] - origin[0], at[1] - origin[1]), -askew)
        around = first.size[0] / 2 + x, first.size[1] / 2 + y
        neighbours.append(Neighbour(sheet, (), around, turn - askew))
    scene = replace(
        shot.scene,
        sheet=first,
        pieces=(),
        props=(),
        neighbours=tuple(neighbours),
        size=(round(SIZE_PX[0] * RENDERED), round(SIZE_PX[1] * RENDERED)),
    )
    if in_rows:
        scene = replace(scene, table=TableTop("wood", "#4a2c16", "#7a4c28", 20))
    camera = from_a_seat(rng, scene, (62, 80) if in_rows else (38, 70))
    camera = framed(camera, scene)
    names = [name for name, _picture in cards]
    return Table(
        replace(scene, camera=camera), names, covered, len(spots), shot.phone, rng.uniform(70, 135)
    )


def photograph(table: Table, folder: Path, number: int, samples: int, stock: CardStock) -> None:
    """Write `NNNN.jpg` and `NNNN.json`: the corners in px of boards and cards."""
    from models.rendering.blender_scene import build

    studio = build(table.scene, bounces=0)
    image = studio.photograph(samples)
    gain = min(1.7, max(0.6, table.brightness / float(image.mean())))
    lit = cv2.resize(cv2.convertScaleAbs(image, alpha=gain), SIZE_PX, interpolation=cv2.INTER_CUBIC)
    (folder / f"{number:04}.jpg").write_bytes(
        table.phone.develop(np.asarray(lit, np.uint8), seed=number)
    )

    sheets = [table.scene.sheet, *(one.sheet for one in table.scene.neighbours)]
    corners = [
        [
            [round(value / RENDERED, 1) for value in studio.pixel(at, index)]
            for at in ((0, 0), (sheet.size[0], 0), sheet.size, (0, sheet.size[1]))
        ]
        for index, sheet in enumerate(sheets)
    ]
    cards = [
        {"card": name, "corners": at, "covered": round(covered, 3)}
        for name, covered, at in zip(
            table.names, table.covered, corners[table.boards :], strict=True
        )
    ]
    label = {"boards": corners[: table.boards], "cards": cards, "stock": stock.name}
    (folder / f"{number:04}.json").write_text(json.dumps(label), encoding="utf-8")


def main() -> None:
    """Photograph tables into a folder; what is there already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--cards", type=int, default=36)
    parser.add_argument("--samples", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--invented", action="store_true", help="Other artwork, with rows to learn it from."
    )
    asked = parser.parse_args()
    deck = asked.seed if asked.invented else None
    known = load_profile(asked.profile)
    printed = {card.id: card for card in pages_of(known.layout.game).cards(known, "en")}
    ids = [*printed] if deck is None else [*printed][:INVENTED]
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "profile.txt").write_text(asked.profile, encoding="utf-8")
    drawn = rasterise(describe_board(known.layout), BOARD_FINE)
    with tempfile.TemporaryDirectory() as work:

        def face(id: str, saving: bool = False) -> Image:
            return (
                printed_face(printed[id], saving)
                if deck is None
                else invented_face(deck, ids.index(id))
            )

        def put(drawn: Image, name: str, stock: CardStock, seed: int) -> Path:
            path = Path(work) / f"{name}.png"
            cv2.imwrite(str(path), stock.printer.put(drawn, FINE, seed=seed))
            return path

        board = Path(work) / "board.png"
        cv2.imwrite(str(board), drawn)
        if deck is not None:
            (asked.out / "rows").mkdir(exist_ok=True)
            for number, start in enumerate(range(0, len(ids), 2 * IN_A_ROW)):
                rng = random.Random(f"{asked.profile} rows {asked.seed} {number}")
                if not (asked.out / "rows" / f"{number:04}.json").exists():
                    own = ids[start : start + 2 * IN_A_ROW]
                    cards = [(id, put(face(id), f"row{id}", STOCKS[2], 0)) for id in own]
                    table = lay(rng, asked.profile, board, cards, STOCKS[2], in_rows=True)
                    photograph(
                        replace(table, phone=Phone(soft=0.5), brightness=110),
                        asked.out / "rows",
                        number,
                        asked.samples,
                        STOCKS[2],
                    )
        for number in range(asked.count):
            if (asked.out / f"{number:04}.json").exists():
                continue
            rng = random.Random(f"{asked.profile} cards {asked.seed} {number}")
            stock = STOCKS[2] if deck is not None else STOCKS[(asked.seed + number) % len(STOCKS)]
            chosen = rng.sample(ids, min(asked.cards, len(ids)))
            laid = [(id, put(face(id, stock.saving), id, stock, number)) for id in chosen]
            odd = itertools.islice(
                strangers(asked.profile, stock.saving), number * STRANGERS, (number + 1) * STRANGERS
            )
            laid += [(f"?{n}", put(other, f"odd{n}", stock, number)) for n, other in enumerate(odd)]
            rng.shuffle(laid)
            photograph(
                lay(rng, asked.profile, board, laid, stock), asked.out, number, asked.samples, stock
            )


if __name__ == "__main__":
    main()
