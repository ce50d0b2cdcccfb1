"""Recognition of cards on rendered tables with boards: right, asked about, or false.

`python -m tests.benchmarks.card_tables [GAME/PROFILE ...] [--tables 8]`: each table has boards for
two to four players, 16 cards, some cards of no deck, hard light with a shadow edge, noise and
slight defocus; printed in either way.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import load_profile
from calibration.artwork import draw_board
from calibration.cards import CARD_MM, artwork_windows, card_artwork
from calibration.own_deck import CARD_PX
from vision import load_photo
from vision.card_pictures import CardPicture
from vision.card_rows import cut_card, find_rows
from vision.cards import UNCERTAIN_BELOW, Deck
from webapp.app.game_pages import pages_of
from webapp.app.reading.card_jobs import printed_deck

GAMES = ("nebula/standard", "polaris/standard", "ptolemaeus/standard", "via_nebula/standard")
PX_PER_MM = 4.0
"""12 megapixels for a table one metre wide."""
SIZE_PX = (4000, 3000)
CARDS, STRANGERS = 16, 6
Laid = tuple[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Look:
    """A table and its light: BGR colours of both, the light's minimum brightness, and blur."""

    table: tuple[int, int, int]
    light: tuple[float, float, float]
    dim: float
    blur: float


LOOKS = (
    Look((60, 95, 130), (1.0, 1.0, 1.0), 0.9, 0.6),
    Look((200, 205, 210), (0.75, 0.95, 1.1), 0.6, 0.9),
    Look((45, 50, 45), (1.1, 1.0, 0.85), 0.45, 1.2),
    Look((110, 70, 120), (0.65, 0.9, 1.0), 0.35, 1.4),
)


def whole_cards(profile: str) -> list[Laid]:
    """Return the printed cards of a game by id, in both ways of printing."""
    known, found = load_profile(profile), []
    windows = artwork_windows()
    width, height = (round(side * PX_PER_MM) for side in CARD_MM)
    for number, card in enumerate(pages_of(known.layout.game).cards(known, "en")):
        for saving in (False, True):
            left, top, right, _bottom = windows[number % len(windows)]
            face = np.full((height, width, 3), 255 if saving else (248, 252, 253), np.uint8)
            colour = [int(card.edge[at : at + 2], 16) for at in (5, 3, 1)]
            face[: round(6.5 * PX_PER_MM)] = (
                colour if not saving else [255 - (255 - c) // 3 for c in colour]
            )
            x, y, side = round(left * width), round(top * height), round((right - left) * width)
            art: np.ndarray = card_artwork(card, 4 * side, saving)
            art = cv2.resize(art, (side, round(side * art.shape[0] / art.shape[1])))
            face[y : y + art.shape[0], x : x + side] = art[: height - y]
            for line in range(y + art.shape[0] + 14, height - 14, 18):
                cv2.line(face, (20, line), (width - 20 - 7 * (line % 9), line), (60, 60, 60), 2)
            found.append((card.id, face))
    return found


def stranger(rng: np.random.Generator) -> np.ndarray:
    """Return a card of no deck: shapes in a frame."""
    width, height = (round(side * PX_PER_MM) for side in CARD_MM)
    face = np.full((height, width, 3), 250, np.uint8)
    side = width - 40
    art = np.full((side, side, 3), rng.integers(0, 256, 3), np.uint8)
    for _ in range(int(rng.integers(4, 14))):
        at, size = rng.integers(10, side - 10, 2).tolist(), int(rng.integers(6, 40))
        colour = rng.integers(0, 256, 3).tolist()
        if rng.random() < 0.5:
            cv2.circle(art, at, size, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(art, at, [at[0] + size, at[1] + 2 * size], colour, -1)
    face[34 : 34 + side, 20 : 20 + side] = art
    return face


def photograph(
    board: np.ndarray, cards: Sequence[Laid], look: Look, rng: np.random.Generator
) -> tuple[np.ndarray, dict[str, np.ndarray], list[np.ndarray]]:
    """Return a photograph, each card's centre (2,) in px by id, and the boards' corners."""
    width, height = SIZE_PX
    image = np.full((height, width, 3), look.table, np.uint8)
    grain = cv2.resize(rng.normal(0, 9, (height // 8, width // 2)), SIZE_PX)
    image = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
    middles: dict[str, np.ndarray] = {}
    boards = int(rng.integers(2, 5))
    spots = [(x, y) for y in (350, 2650) for x in (650, 3350)][:boards]
    corners = [_lay(image, board, spot, float(rng.normal(0, 3)), 900) for spot in spots]
    places = [(x, y) for y in (1110, 1500, 1890) for x in range(240, 3900, 370)]
    places += [(x, y) for y in (360, 2640) for x in (1660, 2030, 2400)]
    chosen = rng.permutation(len(places))[: len(cards)]
    for (id, face), at in zip(cards, chosen, strict=True):
        turn = float(rng.normal(0, 8) + rng.choice([0, 90, 180, 270]))
        spot = np.array(places[at]) + rng.normal(0, 12, 2)
        _lay(image, face, (spot[0], spot[1]), turn)
        middles[id] = spot
    begin = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inward = rng.uniform(0, 0.07, (4, 2)) * [[1, 1], [-1, 1], [-1, -1], [1, -1]] * SIZE_PX
    slant = cv2.getPerspectiveTransform(begin, (begin + inward).astype(np.float32))
    seen: np.ndarray = cv2.warpPerspective(image, slant, SIZE_PX, borderValue=look.table).astype(
        np.float32
    )
    across = np.linspace(look.dim, 1.05, width, dtype=np.float32)
    dark = np.where(np.arange(width) > rng.uniform(0.3, 0.9) * width, 0.65, 1.0)
    shadow = cv2.GaussianBlur(np.asarray(dark, np.float32)[None], (0, 0), 15)[0]
    seen *= (across * shadow)[None, :, None] * np.array(look.light, np.float32)
    seen = cv2.GaussianBlur(seen, (0, 0), look.blur)
    seen += rng.normal(0, 5, seen.shape).astype(np.float32)
    picture = np.clip(seen, 0, 255).astype(np.uint8)
    sent = cv2.imdecode(cv2.imencode(".jpg", picture)[1], cv2.IMREAD_COLOR)
    assert sent is not None, "it was encoded here"
    ends = cv2.perspectiveTransform(np.array([*middles.values()], float)[None], slant)[0]
    outlines = [cv2.perspectiveTransform(own[None], slant)[0] for own in corners]
    return sent, dict(zip(middles, ends, strict=True)), outlines


def _lay(
    image: np.ndarray,
    face: np.ndarray,
    spot: tuple[float, float],
    turn: float,
    high: int | None = None,
) -> np.ndarray:
    """Draw a face centred on a spot, scaled to `high` px if given; return its corners."""
    if high is not None:
        share = high / max(face.shape[:2])
        face = cv2.resize(face, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    height, width = face.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    way[:, 2] += np.array(spot) - (width / 2, height / 2)
    cv2.warpAffine(face, way, SIZE_PX, image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    return corners @ way[:, :2].T + way[:, 2]


def measure(profile: str, tables: int, seed: int = 0) -> Counter[str]:
    """Return counts over some tables: cards, strangers, and milliseconds of processor time."""
    deck: Deck = printed_deck(profile, 0.0)
    faces, board = whole_cards(profile), draw_board(load_profile(profile), 3.0)
    reported: Counter[str] = Counter()
    for number in range(tables):
        rng = np.random.default_rng(seed + number)
        ids = rng.permutation(list(dict.fromkeys(id for id, _face in faces)))[:CARDS]
        saving = number % 2
        laid: list[Laid] = []
        for id in ids:
            own = [face for other, face in faces if other == id]
            laid.append((str(id), own[saving % len(own)]))
        strange = [(f"?{n}", stranger(rng)) for n in range(STRANGERS)]
        picture, middles, boards = photograph(
            board, [*laid, *strange], LOOKS[number % len(LOOKS)], rng
        )
        reach = dict.fromkeys(middles, 0.7 * CARD_MM[0] * PX_PER_MM)
        reported += count(deck, picture, boards, middles, reach)
    return reported


def count(
    deck: Deck,
    picture: np.ndarray,
    boards: Sequence[np.ndarray],
    middles: Mapping[str, np.ndarray],
    reach: Mapping[str, float],
    name: str = "",
) -> Counter[str]:
    """Return counts over a photograph with cards whose centres, (2,) px, are within `reach` px.

    Mistakes are printed if the photograph has a `name`.
    """
    reported: Counter[str] = Counter()
    begun = time.process_time()
    found = deck.find(picture, boards)
    reported["ms"] += round(1000 * (time.process_time() - begun))
    centres = [one.corners.mean(axis=0) for one in found]
    nearest = [
        min(middles, key=lambda id: float(np.linalg.norm(at - middles[id]) / reach[id]))
        for at in centres
    ]
    for id, middle in middles.items():
        near = [
            one
            for one, at, own in zip(found, centres, nearest, strict=True)
            if own == id and np.linalg.norm(at - middle) < reach[id]
        ]
        sure = [one for one in near if one.confidence >= UNCERTAIN_BELOW]
        if id.startswith("?"):
            reported["strangers"] += 1
            reported["stranger taken for a card"] += bool(sure)
            reported["stranger asked"] += bool(near) and not sure
        else:
            reported["cards"] += 1
            reported["right"] += any(one.card == id for one in sure)
            reported["wrong"] += any(one.card != id for one in sure)
            reported["asked"] += bool(near) and not sure
            reported["asked, likeliest right"] += (
                bool(near) and not sure and max(near, key=lambda o: o.confidence).card == id
            )
            reported["not found"] += not near
            if not any(one.card == id for one in sure):
                reported[f"  missed {id}"] += 1
        if name and (sure if id.startswith("?") else reported[f"  missed {id}"]):
            read = [(one.card, round(one.confidence, 2), one.alternatives) for one in near]
            print(f"   {name} {id} at {middle.round()}: {read}")
    return reported


def measure_photographs(folder: Path) -> Counter[str]:
    """Return counts over photographs of `tests.benchmarks.traced_cards`.

    Where the folder has rows of an invented deck, its cards are learned from those.
    """
    profile = (folder / "profile.txt").read_text(encoding="utf-8")
    rows, reported = sorted((folder / "rows").glob("*.json")), Counter[str]()
    shown = [card for labels in rows for card in learn_row(labels, reported)]
    deck = Deck(shown) if rows else printed_deck(profile, 0.0)
    of_deck = {one.id for one in shown}
    for labels in sorted(folder.glob("*.json")):
        label = _labels(labels)
        middles, reach = {}, {}
        for one in label["cards"]:
            corners = np.array(one["corners"])
            if rows and one["card"] not in of_deck and not one["card"].startswith("?"):
                continue
            middles[one["card"]] = corners.mean(axis=0)
            reach[one["card"]] = 0.6 * float(np.linalg.norm(corners[1] - corners[2]))
        image = load_photo(labels.with_suffix(".jpg")).image
        boards = [np.array(one) for one in label["boards"]]
        own = count(deck, image, boards, middles, reach, f"{labels.stem} ({label['stock']})")
        reported += own
        reported["tables"] += 1
        print("  ", labels.stem, label["stock"], {key: own[key] for key in own if key[0] != " "})
    return reported


def learn_row(labels: Path, reported: Counter[str]) -> Iterator[CardPicture]:
    """Yield the cards found in a photograph of a row; counts them in `reported`."""
    image = load_photo(labels.with_suffix(".jpg")).image
    left = {one["card"]: np.mean(one["corners"], axis=0) for one in _labels(labels)["cards"]}
    reported["shown in rows"] += len(left)
    for card in find_rows(image):
        at = card.corners.mean(axis=0)
        id = min(left, key=lambda one: float(np.linalg.norm(left[one] - at)))
        if np.linalg.norm(left.pop(id) - at) < np.ptp(card.corners, axis=0).min() / 4:
            reported["found in rows"] += 1
            yield CardPicture(id, cut_card(image, card.corners, CARD_PX))


def _labels(path: Path) -> dict[str, Any]:
    labels: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return labels


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profiles", nargs="*", default=GAMES)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument(
        "--photographs", nargs="+", type=Path, help="Folders of tests.benchmarks.traced_cards."
    )
    asked = parser.parse_args()
    measured = asked.photographs or asked.profiles
    for profile in measured:
        if asked.photographs:
            reported = measure_photographs(profile)
        else:
            reported = measure(profile, asked.tables)
            reported["tables"] = asked.tables
        cards, strangers = max(reported["cards"], 1), max(reported["strangers"], 1)
        print(
            f"{profile}: {reported['right'] / cards:.1%} of {reported['cards']} right,"
            f" {reported['wrong']} wrong, {reported['asked']} asked"
            f" ({reported['asked, likeliest right']} with the likeliest right),"
            f" {reported['not found']} not found;"
            f" strangers: {1 - reported['stranger taken for a card'] / strangers:.1%}"
            f" of {reported['strangers']} not taken for a card, {reported['stranger asked']} asked;"
            f" {reported['ms'] / max(reported['tables'], 1) / 1000:.1f} s of processor a table"
        )
        print("  ", ", ".join(key.strip() for key in reported if key.startswith("  ")))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{peak / 1024:.0f} MB at most, drawing the tables included")


if __name__ == "__main__":
    main()
