import cv2
import numpy as np
import pytest

from calibration import load_profile
from vision.illumination import (
    Illumination,
    ReferenceLight,
    agree_on_colours,
    level_saturated,
    normalize_illumination,
    restore_print,
    restore_saturated,
)
from vision.rectify import CANVAS_PX, Canvas
from vision.refusals import is_dark


@pytest.fixture(scope="module")
def board() -> tuple[np.ndarray, np.ndarray]:
    """The standard board's reference on the canvas, and the mask of the board there."""
    profile = load_profile("standard")
    canvas = Canvas(profile.size_mm)
    return canvas.place_reference(profile.reference), canvas.board_mask()


def lit(picture: np.ndarray, colour: tuple[float, float, float], veil: float) -> np.ndarray:
    """The picture under a lamp of one colour at the upper left, with haze over everything."""
    ys, xs = np.mgrid[0 : 1 : CANVAS_PX * 1j, 0 : 1 : CANVAS_PX * 1j]
    lamp = (1.0 - 0.5 * xs - 0.25 * ys)[..., None]
    return np.clip(picture * lamp * np.array(colour) + veil, 0, 255).astype(np.uint8)


def error(normalized: np.ndarray, reference: np.ndarray, mask: np.ndarray) -> float:
    inside = cv2.erode(mask.astype(np.uint8), np.ones((25, 25))) > 0
    return float(np.abs(normalized.astype(float) - reference)[inside].mean())


@pytest.mark.parametrize("colour", [(1, 1, 1), (0.5, 0.8, 1.2), (1.3, 0.9, 0.6), (0.4, 0.4, 0.4)])
@pytest.mark.parametrize("veil", [0, 35])
def test_the_reference_comes_back_from_any_light(
    board: tuple[np.ndarray, np.ndarray], colour: tuple[float, float, float], veil: float
) -> None:
    reference, mask = board
    seen = lit(reference, colour, veil)
    assert error(normalize_illumination(seen, reference, mask), reference, mask) < 4


def test_curved_glare_is_removed(board: tuple[np.ndarray, np.ndarray]) -> None:
    reference, mask = board
    ys, xs = np.mgrid[-0.5 : 0.5 : CANVAS_PX * 1j, -0.5 : 0.5 : CANVAS_PX * 1j]
    glare = 110 - 120 * ((xs - 0.1) ** 2 + (ys + 0.2) ** 2)
    seen = np.clip(0.5 * reference + glare[..., None], 0, 255).astype(np.uint8)
    light = ReferenceLight(reference, mask, glare_bends=True).estimate(seen)
    assert error(light.normalize(seen), reference, mask) < 5


def test_the_colours_of_an_overexposed_board_are_those_of_its_unsaturated_parts() -> None:
    """White paper and pale print burn out; what is darker does so in red alone."""
    profile = load_profile("via_nebula/standard")
    canvas = Canvas(profile.size_mm)
    reference, mask = canvas.place_reference(profile.require_reference()), canvas.board_mask()
    table = reference.copy()
    purple = (0.4 * np.array((205, 60, 150))).astype(np.uint8)
    pieces = [(x, y) for x in range(110, 290, 45) for y in range(110, 280, 45)]
    for x, y in pieces:
        cv2.circle(table, (x, y), 7, purple.tolist(), -1)
    seen = lit(table, (1.6, 2.0, 2.2), 0)
    light = ReferenceLight(reference, mask, glare_bends=True).estimate(seen)
    normalized = light.normalize(seen)
    assert light.overexposed
    shown = np.array([normalized[y, x] for x, y in pieces], float)
    assert np.abs(shown - purple).mean() < 8
    assert error(normalized, table, mask) > 10, "what burnt out is darker than the print"
    assert error(restore_print(normalized, seen, reference), table, mask) < 5


def test_stars_do_not_mislead_the_fit(board: tuple[np.ndarray, np.ndarray]) -> None:
    reference, mask = board
    covered, stars = reference.copy(), np.zeros_like(mask, np.uint8)
    rng = np.random.default_rng(3)
    for x, y in rng.integers(60, 330, (24, 2)).tolist():
        cv2.circle(covered, (x, y), 13, (40, 220, 250), -1)
        cv2.circle(stars, (x, y), 16, 255, -1)
    normalized = normalize_illumination(lit(covered, (0.6, 0.8, 1.1), 20), reference, mask)
    assert error(normalized, reference, mask & (stars == 0)) < 6
    # A yellow star is yellow again, whatever the lamp made of it.
    b, g, r = np.median(normalized[(covered == (40, 220, 250)).all(axis=2)], axis=0)
    assert abs(b - 40) < 30 and abs(g - 220) < 30 and abs(r - 250) < 30


def test_pieces_that_fill_an_edge_do_not_pass_for_light() -> None:
    """Draughts at their start: red and green men on every light square of four rows each."""
    squares = np.add.outer(np.arange(10), np.arange(10)) % 2 == 0
    light = np.kron(squares, np.ones((40, 40), bool))[..., None]
    ys, xs = np.mgrid[:400, :400]
    men = light & (np.hypot(ys % 40 - 20, xs % 40 - 20) < 18)[..., None]
    empty = np.where(light, (70, 170, 220), (45, 35, 40)).astype(np.uint8)
    board = np.where(men & (ys < 160)[..., None], (60, 30, 170), empty)
    board = np.where(men & (ys >= 240)[..., None], (50, 140, 60), board)
    lamp = (board * (1.1, 0.9, 0.8)).astype(np.uint8)
    off = np.abs(normalize_illumination(lamp, empty, np.ones((400, 400), bool)) - board.astype(int))
    assert off[men[..., 0] & ((ys < 160) | (ys >= 240))].mean() < 4


def crowded(seed: int, bare: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """White squares in a pale grid, empty, then with pieces of four colours on most of them.

    ``bare`` is the share of bare squares. Also returns where pieces are, (400, 400) bool.
    """
    empty = np.full((400, 400, 3), 215, np.uint8)
    empty[::20], empty[:, ::20] = 190, 190
    colours = np.array([(40, 30, 170), (150, 70, 30), (90, 130, 20), (30, 190, 225), (0, 0, 0)])
    chances = (*4 * ((1 - bare) / 4,), bare)
    squares = np.random.default_rng(seed).choice(5, (20, 20), p=chances)
    lying = np.kron(squares, np.ones((20, 20), int))
    return empty, np.where((lying < 4)[..., None], colours[lying], empty), lying < 4


def test_the_light_of_a_plain_board_is_estimated_between_the_pieces_that_cover_most_of_it() -> None:
    empty, board, _ = crowded(7, bare=0.34)
    lamp = (board * (0.75, 0.9, 1.1)).astype(np.uint8)
    mask = np.ones((400, 400), bool)
    shown = normalize_illumination(lamp, empty, mask)
    assert np.abs(agree_on_colours(shown, empty, mask) - board.astype(int)).mean() < 6


def test_pieces_that_shine_do_not_by_and_by_pass_for_print() -> None:
    empty, board, taken = crowded(9, bare=0.25)
    ys, xs = np.mgrid[0:1:400j, 0:1:400j]
    gloss = 60 * (taken & (np.hypot(xs - 0.5, ys - 0.8) < 0.25))
    lamp = board * np.array((0.75, 0.9, 1.1)) * (1 - 0.35 * xs - 0.175 * ys)[..., None]
    seen = np.clip(lamp + gloss[..., None], 0, 255).astype(np.uint8)
    light = ReferenceLight(empty, np.ones((400, 400), bool), glare_bends=True).estimate(seen)
    assert np.abs(light.normalize(seen) - board.astype(int)).mean() < 20


def test_pieces_do_not_turn_as_pale_as_the_plain_board_that_they_cover() -> None:
    """In uneven light a single colour for everything fits best, step by step."""
    empty, board, taken = crowded(5, bare=0.3)
    darker = 1 - 0.2 * np.linspace(0, 1, 400)[:, None]
    shown = agree_on_colours((board * darker).astype(np.uint8), empty, np.ones((400, 400), bool))
    assert np.abs(shown - board.astype(int))[taken].mean() < 45


def test_pieces_that_cover_all_of_a_plain_board_keep_their_colours() -> None:
    """The light is right, and only the rim is bare: all else is no print of another camera."""
    empty = np.full((400, 400, 3), (198, 195, 190), np.uint8)
    cars = np.array(
        [(60, 130, 250), (80, 220, 90), (230, 160, 235), (210, 90, 40), (120, 240, 245)]
    )
    lying = np.random.default_rng(8).choice(len(cars), (18, 18))
    board = empty.copy()
    board[20:380, 20:380] = np.kron(cars[lying], np.ones((20, 20, 1)))
    shown = agree_on_colours(board, empty, np.ones((400, 400), bool))
    assert np.abs(shown - board.astype(int))[30:370, 30:370].mean() < 20


def test_a_black_picture_does_no_harm(board: tuple[np.ndarray, np.ndarray]) -> None:
    reference, mask = board
    normalized = normalize_illumination(np.zeros_like(reference), reference, mask)
    assert normalized.shape == reference.shape and normalized.dtype == np.uint8


def test_what_the_camera_clipped_is_at_least_full() -> None:
    """An orange star in too strong a light: its red is clipped, so in even light it is brown."""
    board = np.full((4, 4, 3), (30, 150, 255), np.uint8)
    normalized = np.full((4, 4, 3), (10, 80, 140), np.uint8)
    assert (restore_saturated(normalized, board) == (10, 80, 255)).all()
    assert (restore_saturated(normalized, board // 2) == normalized).all()


def test_a_hue_that_comes_of_overexposure_is_none() -> None:
    """A white piece under a warm lamp: red and green are clipped, in even light it is blue."""
    board = np.full((4, 4, 3), (220, 255, 255), np.uint8)
    normalized = np.full((4, 4, 3), (210, 170, 130), np.uint8)
    assert (level_saturated(normalized, board) == 210).all()
    assert (level_saturated(normalized, board // 2) == normalized).all()
    red = np.full((4, 4, 3), (60, 80, 190), np.uint8)
    assert (level_saturated(red, np.full((4, 4, 3), (90, 120, 255), np.uint8)) == red).all()


@pytest.mark.parametrize(("gain", "dark"), [(1.0, False), (0.5, False), (0.25, True)])
def test_a_board_of_dark_print_is_not_dark_before_the_light_is(gain: float, dark: bool) -> None:
    reference = load_profile("standard").require_reference()
    assert is_dark((reference * gain).astype(np.uint8)) == dark


def test_an_empty_place_has_the_colour_of_its_print_whatever_the_camera() -> None:
    """A tone curve and other primaries turn orange print into yellow; the board says so itself."""
    rng = np.random.default_rng(3)
    reference = np.repeat(rng.integers(20, 230, (25, 25, 3), np.uint8), 16, 0).repeat(16, 1)
    mixed = np.array([[0.85, 0.1, 0.05], [0.08, 0.82, 0.1], [0.02, 0.13, 0.85]])
    seen = (255 * (reference / 255) ** 0.7 @ mixed.T).astype(np.uint8)
    pieces = seen.copy()
    pieces[:, :120] = (200, 40, 30)
    mask = np.ones(reference.shape[:2], bool)
    bare = np.s_[40:-40, 160:-40]
    before = np.abs(pieces.astype(int) - reference)[bare].mean()
    after = np.abs(agree_on_colours(pieces, reference, mask).astype(int) - reference)[bare].mean()
    assert before > 12
    assert after < 0.45 * before


def test_colours_that_no_print_has_stay_about_as_they_are() -> None:
    """A dark board of one ink says nothing of what a camera makes of a yellow piece."""
    rng = np.random.default_rng(4)
    ink = rng.integers(15, 60, (300, 300, 1)) * np.array([1.0, 0.5, 0.3])
    seen = np.clip(1.06 * ink + rng.normal(0, 2, ink.shape), 0, 255).astype(np.uint8)
    seen[100:140, 100:140] = (40, 200, 235)
    shown = agree_on_colours(seen, ink.astype(np.uint8), np.ones((300, 300), bool))
    assert np.abs(shown[110:130, 110:130].astype(int) - (40, 200, 235)).max() < 20


def test_the_noise_of_a_dark_channel_is_not_blown_up_on_a_plain_board() -> None:
    rng = np.random.default_rng(6)
    side = 256
    grain = cv2.GaussianBlur(rng.normal(0, 40, (side, side)), (0, 0), 3)[..., None]
    wood = np.clip(np.array([75.0, 110, 113]) + grain, 0, 255).astype(np.uint8)
    # another camera's sharpening leaves little of the grain, and in blue next to nothing
    left = np.array([0.05, 0.5, 0.55])
    shown = np.array([50.0, 92, 96]) + left * grain + rng.normal(0, 14, (side, side, 3))
    mask = np.ones((side, side), bool)
    normalized = normalize_illumination(np.clip(shown, 0, 255).astype(np.uint8), wood, mask)
    assert normalized.astype(float).mean(axis=(0, 1)) == pytest.approx([75, 110, 113], abs=8)
    assert normalized[..., 0].astype(float).std() < 30


def test_in_paler_light_white_stays_white_and_pieces_are_less_vivid() -> None:
    gain, veil = np.array([0.5, 0, 0, 0, 0, 0]), np.array([40.0, 0, 0])
    light = Illumination([gain] * 3, [veil] * 3)
    white, piece = np.full(3, 167.5), np.array([50.0, 70.0, 150.0])
    patches = np.tile(np.array([white, piece]), (4, 1)).reshape(2, 2, 2, 3).astype(np.uint8)
    paler = light.normalize_paler(patches, np.array([(0.2, 0.3), (0.9, 0.9)]))
    usual = light.normalize(patches[0])
    assert paler.shape == patches.shape
    assert paler[:, :, 0].min() > 250
    assert paler[:, :, 1].tolist() == [[[51, 86, 224]] * 2] * 2
    assert usual[0, 1].tolist() == [20, 60, 220]


def test_removing_the_veil_leaves_pieces_all_their_channels() -> None:
    """The print's faint ink looks like a veil; on painted pieces it is thinner."""
    gain, veil = np.array([0.2, 0, 0, 0, 0, 0]), np.array([90.0, 0, 0])
    light = Illumination([gain] * 3, [veil] * 3)
    red, orange = (184, 20, 58)[::-1], (238, 85, 24)[::-1]
    painted = np.array([[red, orange]] * 50, float) * 0.2 + 68
    picture, where = painted.astype(np.uint8), np.ones((50, 2), bool)
    picture[0] = 0  # a crack
    removed = light.removable(picture, where)
    assert removed == pytest.approx(0.8, abs=0.04)
    usual, kept = light.normalize(picture)[1], light.normalize(picture, removed=removed)[1]
    assert usual[:, 0].tolist() == [0, 0], "neither has any blue"
    assert kept[0, 0] > kept[0, 1] and kept[1, 0] < kept[1, 1], "red is bluish, orange yellowish"
    assert light.removable(np.full_like(picture, 255), where) == 1.0
    assert light.removable(picture, ~where) == 1.0


def wood(seed: int) -> np.ndarray:
    """A plain board on the canvas, (S, S, 3): each has another grain."""
    grain = np.random.default_rng(seed).normal(0, 15, (60, 60, 3)).astype(np.float32)
    board = cv2.resize(grain, (CANVAS_PX, CANVAS_PX)) + np.array((97, 181, 218))
    return np.clip(board, 0, 255).astype(np.uint8)


def test_plain_wood_that_many_stones_hide_is_not_taken_for_haze() -> None:
    """Where little of the print is seen again, it hardly tells a gain from a veil."""
    printed, table, step, lines = wood(5), wood(6), CANVAS_PX // 20, 19
    stones = np.random.default_rng(7).integers(0, 4, (lines, lines))
    for (row, column), kind in np.ndenumerate(stones):
        if kind < 2:
            at = (step * (column + 1), step * (row + 1))
            cv2.circle(table, at, round(0.45 * step), [(28, 30, 32), (232, 238, 240)][kind], -1)
    lamp = np.array((0.7, 0.8, 0.9))
    everywhere = np.ones(table.shape[:2], bool)
    light = ReferenceLight(printed, everywhere, glare_bends=True).estimate(
        (table * lamp).astype(np.uint8)
    )
    assert [float(gain[0]) for gain in light.gains] == pytest.approx(lamp, rel=0.35)


def test_parallax_of_pegs_on_a_white_tray_is_not_fitted_as_haze() -> None:
    """Least squares take what they cannot explain for a faint print."""

    def tray(aside: int) -> np.ndarray:
        picture = np.full((CANVAS_PX, CANVAS_PX, 3), 205, np.uint8)
        for x, y in pegs + aside:
            cv2.rectangle(picture, (x - 17, y - 17), (x + 17, y + 17), (160, 160, 160), -1)
            cv2.rectangle(picture, (x - 13, y - 13), (x + 13, y + 13), (215, 215, 215), -1)
        return cv2.GaussianBlur(picture, (0, 0), 3)

    pegs = np.stack(np.mgrid[1:7, 1:7], axis=-1).reshape(-1, 2) * (CANVAS_PX // 7)
    table, lamp = tray(6), np.array((0.7, 0.8, 0.9))
    for n, (x, y) in enumerate(pegs[::2].tolist()):
        cv2.circle(table, (x, y), 24, [(40, 40, 200), (40, 180, 60), (200, 80, 40)][n % 3], -1)
    everywhere = np.ones(table.shape[:2], bool)
    light = ReferenceLight(tray(0), everywhere, glare_bends=True).estimate(
        (table * lamp).astype(np.uint8)
    )
    assert [float(gain[0]) for gain in light.gains] == pytest.approx(lamp, rel=0.2)
