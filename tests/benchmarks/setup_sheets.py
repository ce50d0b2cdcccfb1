"""Printed token sheets after setup, on rendered tables: are missing tokens noticed?

`python -m tests.benchmarks.setup_sheets [GAME/PROFILE] [--tables 8]`: tokens are placed by the
game's own setup, slightly askew, in hard light; then two are removed.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

import cv2
import numpy as np

from calibration import Profile, load_profile
from calibration.artwork import TokenSheet, TokenSpots, token_sheets
from calibration.drawing import Drawing, rasterise
from calibration.ink_saving import on_white
from scorer import registry
from tests.benchmarks.card_tables import LOOKS, PX_PER_MM, SIZE_PX, Look
from vision.rectify import transform
from webapp.app.reading.card_jobs import sheet_readers

Laid = Sequence[tuple[str, str]]
"""Tokens with the ids of their places."""


def begun(profile: Profile, rng: Random) -> Mapping[str, Sequence[str]]:
    """Return the tokens beside the boards after the setup of a game."""
    turns = registry.find_game(profile.layout.game).turns
    assert turns is not None, "only what has turns is set up"
    state = turns.begun({"players": 2}, profile.board, rng)
    sheets = token_sheets(profile.layout)
    return {id: tokens for sheet in sheets for id, tokens in sheet.tokens_in(state).items()}


def _drawn(drawing: Drawing, saving: bool) -> np.ndarray:
    marks = on_white(drawing.marks) if saving else drawing.marks
    return rasterise(replace(drawing, marks=tuple(marks)), PX_PER_MM)


def _places(sheet: TokenSheet) -> Iterator[tuple[TokenSpots, str, tuple[float, float]]]:
    for spots in (*sheet.tracks.values(), *sheet.spots):
        for id, at in spots.at.items():
            yield spots, id, at


def photograph(
    sheets: Sequence[TokenSheet],
    lying: Mapping[str, Sequence[str]],
    look: Look,
    rng: np.random.Generator,
    saving: bool,
) -> np.ndarray:
    """Render the sheets side by side; several tokens on a place are spread around it."""
    width, height = SIZE_PX
    image = np.full((height, width, 3), look.table, np.uint8)
    grain = cv2.resize(rng.normal(0, 9, (height // 8, width // 2)), SIZE_PX)
    image = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
    left = 300.0
    for sheet in sheets:
        face = _drawn(sheet.sheet, saving)
        way = cv2.getRotationMatrix2D((0, 0), float(rng.normal(0, 5)), 1.0)
        way[:, 2] += np.array((left, 900 + rng.normal(0, 60)))
        cv2.warpAffine(face, way, SIZE_PX, image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
        for spots, id, at in _places(sheet):
            for number, token in enumerate(lying.get(id, ())):
                apart = spots.tokens[token].size_mm[0] * 1.12
                many = len(lying[id]) > 1
                off = (-(number // 2) * apart, (number % 2 - 0.5) * apart) if many else (0.0, 0.0)
                point = np.array(at) + off + rng.normal(0, 0.6, 2)
                _lay(image, _drawn(spots.tokens[token], saving), way, point, rng)
        left += face.shape[1] + 420
    return seen_on_table(image, look, rng)


def seen_on_table(image: np.ndarray, look: Look, rng: np.random.Generator) -> np.ndarray:
    """A picture of a table from above, of `SIZE_PX`, as seen at a slant in hard light."""
    width, height = SIZE_PX
    begin = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inward = rng.uniform(0, 0.08, (4, 2)) * [[1, 1], [-1, 1], [-1, -1], [1, -1]] * SIZE_PX
    slant = cv2.getPerspectiveTransform(begin, (begin + inward).astype(np.float32))
    seen = cv2.warpPerspective(image, slant, SIZE_PX, borderValue=look.table).astype(np.float32)
    across = np.linspace(look.dim, 1.05, width, dtype=np.float32)
    dark = np.where(np.arange(width) > rng.uniform(0.3, 0.9) * width, 0.65, 1.0)
    shadow = cv2.GaussianBlur(np.asarray(dark, np.float32)[None], (0, 0), 15)[0]
    seen *= (across * shadow)[None, :, None] * np.array(look.light, np.float32)
    seen = cv2.GaussianBlur(seen, (0, 0), look.blur) + rng.normal(0, 5, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


def _lay(
    image: np.ndarray,
    face: np.ndarray,
    way: np.ndarray,
    point: np.ndarray,
    rng: np.random.Generator,
) -> None:
    """Draw a round face at a point in mm of a sheet; `way` is the sheet's transform to px."""
    side = face.shape[0]
    turn = cv2.getRotationMatrix2D(((side - 1) / 2,) * 2, float(rng.uniform(0, 360)), 1.0)
    turned = cv2.warpAffine(face, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    x, y = transform(np.vstack([way, (0, 0, 1)]), point[None] * PX_PER_MM)[0] - side / 2
    part = image[round(y) : round(y) + side, round(x) : round(x) + side]
    on = np.hypot(*(np.mgrid[:side, :side] - (side - 1) / 2)) < side / 2
    part[on] = turned[on]


def measure(name: str, tables: int, seed: int = 0) -> Counter[str]:
    """Return counts over some tables: places, tokens, and errors."""
    profile = load_profile(name)
    sheets = token_sheets(profile.layout)
    readers = sheet_readers(name, 0.0, ("tracks", "spots"))
    counted: Counter[str] = Counter()
    for number in range(tables):
        rng, chance = np.random.default_rng(seed + number), Random(seed + number)
        lying = {id: [*tokens] for id, tokens in begun(profile, chance).items()}
        for id in chance.sample([*lying], 2):
            lying[id].pop()
        picture = photograph(sheets, lying, LOOKS[number % len(LOOKS)], rng, number % 2 == 1)
        for sheet in sheets:
            before = time.process_time()
            found = readers[sheet.sheet.name].find(picture)
            counted["ms"] += round(1000 * (time.process_time() - before))
            counted["sheets"] += 1
            if found is None:
                counted["sheets not found"] += 1
                print(number, sheet.sheet.name, "not found")
                continue
            for spots in sheet.spots:
                for id in spots.at:
                    wanted = lying[id][0] if lying.get(id) else None
                    counted["spots"] += 1
                    if id not in found.spots:
                        counted["spots unsure"] += 1
                    elif found.spots[id] != wanted:
                        counted["spots wrong"] += 1
                        print(number, id, "is", wanted, "read as", found.spots[id])
            for name_, track in sheet.tracks.items():
                there = {token: id for id in track.at for token in lying.get(id, ())}
                seen = found.tracks[name_].places
                counted["tokens"] += len(track.tokens)
                counted["tokens missed"] += len(set(there) - set(seen))
                wrong = {one: at for one, at in seen.items() if there.get(one) != at}
                counted["tokens wrong"] += len(wrong)
                if wrong or set(there) - set(seen):
                    print(number, name_, "wrong", wrong, "missed", set(there) - set(seen))
    return counted


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile", nargs="?", default="nebula/standard")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print(dict(measure(asked.profile, asked.tables, asked.seed)))


if __name__ == "__main__":
    main()
