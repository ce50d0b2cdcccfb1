"""Synthesized skies: what is drawn is what the labels say, on our print and on invented ones."""

import random
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM, Profile
from models.polaris.moon_frame import turn_frame
from models.polaris.random_layout import random_layout
from models.polaris.skies import random_sky
from models.polaris.synthesis import POLARIS as SYNTHESIS
from models.rendering.random_scenes import random_shot
from models.rendering.scene import Sheet, TokenSet
from models.synthesis.placed_board import lay_boards
from scorer.places import Bar, Place
from scorer.polaris.contract import LINK, NEW_MOON, POLARIS_GAME
from scorer.polaris.words import NEUTRAL


def test_played_skies_keep_to_the_rules(sky: Profile) -> None:
    neutral = 0
    for seed in range(12):
        lying = random_sky(np.random.default_rng(seed), sky.board)
        position = POLARIS_GAME.position(sky.board, lying)
        colours = set(position.stars.values()) - {NEUTRAL}
        assert not position.rule_breaks() and position.new_moon is not None
        if NEUTRAL in position.stars.values():
            neutral += 1
            assert set(position.where(NEUTRAL)) == set(sky.board.starred) and len(colours) <= 2
    assert 0 < neutral < 12


def test_tokens_lie_where_the_labels_say(sky: Profile) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(8):
        for board in lay_boards(np.random.default_rng(seed), sky):
            labelled = [(p, piece) for p, piece in board.pieces.items() if piece != NEW_MOON]
            for (place, piece), token in zip(labelled, board.tokens, strict=False):
                shape = sky.places[place]
                assert token.piece == piece
                assert np.hypot(*np.subtract(token.at, shape.at)) < 7
                if isinstance(shape, Bar) and token.bar:
                    off = (np.degrees(token.turn) - shape.turn + 90) % 180 - 90
                    assert abs(off) < 12
                kinds[piece] += 1
            assert sum(piece == NEW_MOON for piece in board.pieces.values()) == 1
            assert all(token.piece != NEW_MOON for token in board.tokens)
    assert kinds[LINK] > 50 and len(kinds) > 4


def _moon(profile: Profile, sector: int, reach_mm: float) -> np.ndarray:
    """What is printed about the middle of a sector's region, as seen from Polaris."""
    x, y = (at * PX_PER_MM for at in profile.places[Place(str(sector), "dial")].at)
    reference = profile.require_reference()
    upright = cv2.getRotationMatrix2D((x, y), 72.0 * (sector - 1), 1.0)
    turned = cv2.warpAffine(reference, upright, reference.shape[1::-1])
    left, top, reach = round(x), round(y), round(reach_mm * PX_PER_MM)
    return turned[top - reach : top + reach, left - reach : left + reach]


@pytest.mark.parametrize("sector", [1, 3, 4])
def test_the_new_moon_is_seen_where_it_lies(sky: Profile, sector: int) -> None:
    turned = SYNTHESIS.board(
        np.random.default_rng(sector), sky, {Place(str(sector), "dial"): NEW_MOON}
    )
    new_moon = _moon(sky, 1, 6.5)
    found = {
        s: cv2.matchTemplate(_moon(turned, s, 10.5), new_moon, cv2.TM_CCOEFF_NORMED).max()
        for s in range(1, 6)
    }
    assert max(found, key=found.__getitem__) == sector


def test_all_but_the_frame_stays_when_it_is_turned(sky: Profile) -> None:
    turned = turn_frame(np.random.default_rng(0), sky, 3).require_reference()
    same = (turned == sky.require_reference()).all(axis=2)
    y, x = np.mgrid[:1440, :1440] / PX_PER_MM - 180
    away = np.hypot(x, y)
    assert same[(away < 158) | (away > 180.5)].all()
    assert same[(away > 162) & (away < 176)].mean() < 0.5


def test_invented_skies_keep_to_the_rules_and_differ() -> None:
    made = [random_layout(np.random.default_rng(seed), "Invented") for seed in range(6)]
    assert len({layout.size_mm for layout in made}) == 6
    assert len({len(layout.spaces) for layout in made}) > 2
    for layout in made:  # read_board has held it against P1 to P9 already
        bars = [shape for shape in layout.places.values() if isinstance(shape, Bar)]
        for bar in bars:
            for disc in bar.discs:
                gaps = (
                    np.hypot(*np.subtract(disc.at, space.at)) - disc.radius - space.radius
                    for space in layout.spaces.values()
                )
                assert min(gaps) > -0.2


def test_no_label_tells_of_a_piece_that_its_set_lacks(sky: Profile) -> None:
    tokens = TokenSet(paints={"red": "#c81f2f"})
    sheet = Sheet(Path("board.png"), sky.size_mm)
    shown = {Place("1a1"): "red", Place("1", "dial"): NEW_MOON}
    assert random_shot(random.Random(1), sky, sheet, shown, tokens).positions == (shown,)
    with pytest.raises(ValueError, match="lacks orange"):
        random_shot(random.Random(1), sky, sheet, {**shown, Place("1a2"): "orange"}, tokens)
