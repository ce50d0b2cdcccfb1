"""Random scenes of no game: a board with pieces of any kinds, photographed; and what is true."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import Profile
from calibration.profile import Image
from models.any_game.random_kinds import Kind, random_kinds
from models.synthesis.camera import Camera, expose, light_field, random_camera, taken
from models.synthesis.clutter import draw_clutter
from models.synthesis.light import Window, random_light
from models.synthesis.photograph import draw_board, draw_table_top, draw_tokens
from models.synthesis.placed_board import PlacedBoard
from models.synthesis.texture import Rng
from models.synthesis.token import Token
from scorer.places import Bar, Place, Shape
from vision.illumination import level_saturated
from vision.place_patches import canvas_side, cut, patch_grid, patch_masks
from vision.rectify import Canvas, transform, warp
from vision.unbend import Unbender

MOST_KINDS = 12
EMPTY, HIDDEN, UNKNOWN = -1, -2, -3
"""What a place may hold beside the number of a kind."""


@dataclass(frozen=True, eq=False)
class Example:
    """One board as the reader sees it: of N places, of K kinds.

    ``photo`` (N, P, P, 3) uint8 in the reference's light, ``raw`` (N, P, P) uint8 the brightest
    channel as photographed, ``reference`` (N, P, P, 3) uint8, ``mask`` (N, P, P) uint8; ``edge``
    (N,) bool; ``swatches`` (K, 3) uint8 BGR and ``lies_on_edges`` (K,) bool; ``truth`` (N,) int8.
    """

    photo: np.ndarray
    raw: np.ndarray
    reference: np.ndarray
    mask: np.ndarray
    edge: np.ndarray
    swatches: np.ndarray
    lies_on_edges: np.ndarray
    truth: np.ndarray


def random_example(rng: Rng, board: Profile) -> Example:
    """Lay pieces on a board, photograph it, and cut out its places."""
    kinds = random_kinds(rng, board)
    labels, tokens = _lay(rng, board, kinds)
    turn = rng.uniform(0, 2 * np.pi)
    warp_mm = rng.normal(0, rng.choice([1, 3]), (3, 2)) if rng.random() < 0.7 else np.zeros((3, 2))
    print_ = replace(board, reference=_printed(rng, board.require_reference()))
    placed = PlacedBoard(print_, np.zeros(2), float(turn), warp_mm, {}, tuple(tokens))
    return photographed_example(rng, placed, board, kinds, labels)


def photographed_example(
    rng: Rng,
    placed: PlacedBoard,
    known: Profile,
    kinds: Sequence[Kind],
    labels: Mapping[Place, int],
) -> Example:
    """Photograph a board that lies on a table and cut out its places.

    ``known`` is what the reader has of it, ``labels`` the numbers of the ``kinds`` on its places.
    """
    camera = _camera(rng, placed, int(rng.integers(600, 1600)))
    picture, hidden = _photograph(rng, placed, camera)
    return _cut(rng, placed, known, camera, picture, hidden, kinds, labels)


def _printed(rng: Rng, drawn: np.ndarray) -> Image:
    """What a printer makes of a drawing, both (H, W, 3) uint8: its inks, its paper, its grain."""
    if rng.random() < 0.3:
        return drawn
    light = (drawn / np.float32(255)) ** rng.uniform(0.75, 1.35, 3).astype(np.float32)
    paper, deepest = rng.uniform(0.85, 1, 3).astype(np.float32), rng.uniform(0, 0.12)
    height, width = drawn.shape[:2]
    grain = cv2.GaussianBlur(rng.standard_normal((height, width), np.float32), (0, 0), 1.2)
    shown = paper * (deepest + (1 - deepest) * light) * 255 + rng.uniform(0, 14) * grain[..., None]
    return np.asarray(np.clip(shown, 0, 255), np.uint8)


def _lay(rng: Rng, board: Profile, kinds: Sequence[Kind]) -> tuple[dict[Place, int], list[Token]]:
    """Pieces mostly in the middle of their places, some on none."""
    sloppy = rng.uniform(0.02, 0.3)
    pushed = rng.normal(0, 0.22, 2) if rng.random() < 0.35 else np.zeros(2)
    labels: dict[Place, int] = {}
    tokens: list[Token] = []
    shares = {
        on_edges: (rng.uniform(0, 1) if rng.random() < 0.8 else rng.choice([0.0, 1.0]))
        for on_edges in (False, True)
    }
    favours = rng.dirichlet(np.full(len(kinds), rng.uniform(0.5, 4)))
    for place, shape in board.places.items():
        is_edge = place.kind == "edge"
        own = [n for n, kind in enumerate(kinds) if kind.on_edges == is_edge]
        if not own or rng.random() > shares[is_edge]:
            continue
        chances = favours[own] + 1e-9
        number = int(rng.choice(own, p=chances / chances.sum()))
        labels[place] = number
        tokens += _put(rng, kinds[number], shape, sloppy, pushed)
    width, height = board.size_mm
    for _ in range(int(rng.choice([0, 0, 1, 3]))):
        x, y = rng.uniform((0, 0), (width, height))
        kind = kinds[int(rng.integers(len(kinds)))]
        reach = kind.token.radius if kind.token.bar is None else kind.token.bar[0] / 2
        away = min(np.hypot(x - s.at[0], y - s.at[1]) - s.radius for s in board.places.values())
        apart = min((np.hypot(x - t.at[0], y - t.at[1]) for t in tokens), default=np.inf)
        if away > -0.1 * reach and apart > 2 * reach:
            turned = rng.uniform(0, 6.28)
            tokens.append(replace(kind.token, at=(float(x), float(y)), turn=float(turned)))
    return labels, tokens


def _put(rng: Rng, kind: Kind, shape: Shape, sloppy: float, pushed: np.ndarray) -> list[Token]:
    """A piece and what rises on it, about in the middle of a place, and seldom half beside it.

    ``pushed`` (2,) is how far all of a board lie to one side, in radii of spots and widths of
    links.
    """
    width = shape.size[1] if isinstance(shape, Bar) else shape.radius
    spread = sloppy * width
    if rng.random() < 0.08:
        spread *= 1.6
    off = np.clip(rng.normal(0, spread, 2), -1.8 * spread, 1.8 * spread) + pushed * width
    most = (0.6 if isinstance(shape, Bar) else 0.8) * width  # it is still nearest to its own
    x, y = np.array(shape.at) + off * min(1.0, most / max(float(np.hypot(*off)), 1e-9))
    turn = rng.uniform(0, 2 * np.pi)
    if isinstance(shape, Bar):
        turn = np.radians(shape.turn) + rng.normal(0, 0.04 + 0.6 * sloppy)
    token = kind.token
    b, g, r = np.clip(np.array(token.paint) * rng.uniform(0.93, 1.07) + rng.normal(0, 3, 3), 2, 255)
    token = replace(token, at=(float(x), float(y)), turn=float(turn), paint=(b, g, r))
    parts = [token]
    for length, width, higher in kind.relief:
        narrow = min(token.bar or (2 * token.radius, 2 * token.radius))
        height = token.height + min(higher, 0.5) * narrow * 0.5
        bar = None if token.bar is None else (token.bar[0] * length, token.bar[1] * width)
        parts.append(replace(token, height=height, bar=bar, radius=token.radius * width))
    return parts


def _camera(rng: Rng, placed: PlacedBoard, longer_side: int) -> Camera:
    sides = (longer_side, longer_side * 3 // 4)
    size = sides if rng.random() < 0.5 else (sides[1], sides[0])
    corners = placed.to_table(placed.corners())
    target, spread = corners.mean(axis=0), float(np.ptp(corners, axis=0).max())
    fill = rng.uniform(0.8, 1.3)
    for _ in range(12):
        camera = random_camera(rng, size, target, spread, fill)
        shown = camera.project(corners)
        if ((shown > -0.01 * np.array(size)) & (shown < 1.01 * np.array(size))).all():
            break
        fill *= 0.94
    return camera


def _photograph(rng: Rng, placed: PlacedBoard, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """(H, W, 3) uint8 the photograph, and (H, W) uint8 what covers the table in it."""
    light = random_light(rng)
    if rng.random() < 0.4:
        x, y = (float(v) for v in rng.uniform(-110, 110, 2))
        window = Window((x, y), rng.uniform(25, 140), rng.uniform(0.02, 0.5), rng.uniform(0.5, 1))
        light = replace(light, window=window)
    picture = draw_table_top(rng, camera)
    draw_board(rng, picture, placed, camera, light)
    draw_tokens(rng, picture, [placed.on_table(t) for t in placed.tokens], camera, light)
    hidden = draw_clutter(rng, picture, camera, [placed])
    shot = taken(rng, picture, camera)
    if rng.random() < 0.7:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))]
        jpeg = cv2.imencode(".jpg", shot, quality)[1]
        shot = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    return shot, camera.bend_picture(hidden)


def _as_photographed(rng: Rng, reference: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """A reference that was taken with a camera, in some light, of the empty board."""
    height, width = mask.shape
    field = light_field(rng, height, width) if rng.random() < 0.6 else np.ones((height, width, 1))
    shot = expose(rng, np.asarray(reference * field, np.float32))
    return np.where(mask[..., None], shot, reference).astype(np.uint8)


def _cut(
    rng: Rng,
    placed: PlacedBoard,
    board: Profile,
    camera: Camera,
    picture: np.ndarray,
    hidden: np.ndarray,
    kinds: Sequence[Kind],
    labels: Mapping[Place, int],
) -> Example:
    places = {place: s for place, s in board.places.items() if place.kind != "dial"}
    shapes = places.values()
    canvas = Canvas(board.size_mm, canvas_side(board.size_mm, shapes))
    reference = canvas.place_reference(board.require_reference())
    if rng.random() < 0.6:
        reference = _as_photographed(rng, reference, canvas.board_mask())
    to_image = _registered(rng, placed, camera)
    to_canvas = canvas.matrix @ np.linalg.inv(to_image)
    side = (canvas.side_px, canvas.side_px)
    unbender = Unbender(reference, canvas.board_mask())
    raw, normalized, *_ = unbender.straighten(warp(picture, to_canvas, side))
    normalized = level_saturated(normalized, raw)
    grid = canvas.to_px(patch_grid(shapes).reshape(-1, 2)).reshape(len(places), -1, 2)
    grid = grid.reshape(len(places), *patch_masks(list(shapes)[:1]).shape[1:], 2)
    truth = np.array([labels.get(place, EMPTY) for place in places], np.int8)
    height, width = picture.shape[:2]
    mask = patch_masks(shapes)
    covered = cut(warp(hidden, to_canvas, side), grid) > 127
    share = (covered & (mask > 0)).sum(axis=(1, 2)) / np.maximum((mask > 0).sum(axis=(1, 2)), 1)
    at = transform(to_image, np.array([shape.at for shape in shapes]))
    outside = ((at < 0) | (at >= (width, height))).any(axis=1)
    truth[share > 0.25] = UNKNOWN
    truth[(share > 0.75) | outside] = HIDDEN
    return Example(
        cut(normalized, grid),
        cut(raw.max(axis=2), grid),
        cut(reference, grid),
        mask,
        np.array([place.kind == "edge" for place in places]),
        np.array([kind.swatch for kind in kinds]).round().clip(0, 255).astype(np.uint8),
        np.array([kind.on_edges for kind in kinds]),
        truth,
    )


def _registered(rng: Rng, placed: PlacedBoard, camera: Camera) -> np.ndarray:
    """(3, 3) mm to px as a matcher finds it: about where the board lies, not quite."""
    width, height = placed.profile.size_mm
    x, y = np.meshgrid(np.linspace(0, width, 6), np.linspace(0, height, 6))
    flat = np.stack([x.ravel(), y.ravel()], axis=1)
    shown = camera.project(placed.to_table(flat))
    found, _ = cv2.findHomography(flat + rng.normal(0, 0.8, flat.shape), shown, 0)
    return np.asarray(found)
