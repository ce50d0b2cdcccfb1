"""Scenes: boards, pieces and clutter on a table, seen by a camera; and what is true in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile
from models.synthesis.camera import Camera, random_camera, taken
from models.synthesis.clutter import draw_clutter
from models.synthesis.light import Light, Window, random_light
from models.synthesis.placed_board import PlacedBoard, covers, lay_boards
from models.synthesis.plugin import synthesis
from models.synthesis.position import pick
from models.synthesis.texture import Rng, bgr, table_top
from models.synthesis.token import Token, cast_shadows, draw
from models.synthesis.token_set import palest
from scorer.places import Place
from scorer.table import Piece


@dataclass(frozen=True)
class BoardTruth:
    """What is true of one board in a finished photograph.

    ``corners`` (4, 2) are clockwise from the printed top-left, ``spaces`` where the spots are; both
    in px.
    """

    profile: Profile
    corners: np.ndarray
    spaces: dict[str, tuple[float, float]]
    pieces: Mapping[Place, str]
    cropped: bool


@dataclass(frozen=True)
class SyntheticPhotograph:
    """``picture`` is (H, W, 3) uint8 BGR; ``tokens`` visible pieces and footprints, (N, 2) px."""

    picture: np.ndarray
    boards: tuple[BoardTruth, ...]
    tokens: tuple[tuple[str, np.ndarray], ...]


def photograph(rng: Rng, edition: Profile, longer_side: int = 960) -> SyntheticPhotograph:
    """Set a table, light it, and take one picture of it. The edition has a reference picture."""
    boards = lay_boards(rng, edition)
    size = (
        (longer_side, longer_side * 3 // 4)
        if rng.random() < 0.5
        else (longer_side * 3 // 4, longer_side)
    )
    camera, light = _look_at(rng, boards, size), random_light(rng)
    if rng.random() < 0.55:
        middle = boards[0].shift if boards else np.zeros(2)
        x, y = (float(v) for v in middle + rng.uniform(-110, 110, 2))
        edge = rng.uniform(0.02, 0.5)
        window = Window((x, y), rng.uniform(25, 140), edge, rng.uniform(0.6, 1.0))
        light = replace(light, window=window)
    picture = draw_table_top(rng, camera)
    for board in boards:
        draw_board(rng, picture, board, camera, light)
    everything = _on_table(rng, boards, edition)
    draw_tokens(rng, picture, everything, camera, light)
    hidden = draw_clutter(rng, picture, camera, boards)
    picture = taken(rng, picture, camera)
    truths = (_truth(board, camera) for board in boards)
    shown = tuple(truth for truth in truths if truth is not None)
    seen = visible_pieces(everything, camera, hidden, picture, palest(edition.game.pieces))
    return SyntheticPhotograph(picture, shown, seen)


def draw_tokens(
    rng: Rng, picture: np.ndarray, tokens: Sequence[Token], camera: Camera, light: Light
) -> None:
    """Draw tokens, in mm on the table, and their shadows into the (H, W, 3) float32 picture."""
    shade = cast_shadows((picture.shape[0], picture.shape[1]), tokens, light, camera)
    key_share = light.key * light.direction[2] / (light.ambient + light.key * light.direction[2])
    tint = np.array([rng.uniform(0, 0.12), 0.03, 0], np.float32)
    picture *= 1 - shade[..., None] * (key_share * (1 - tint))
    order = sorted(tokens, key=lambda t: -float(camera.matrix[2] @ [*t.at, 0, 1]))
    for token in order:
        draw(rng, picture, token, light, camera)


def _look_at(rng: Rng, boards: list[PlacedBoard], size: tuple[int, int]) -> Camera:
    if not boards:
        return random_camera(rng, size, np.zeros(2), rng.uniform(200, 500), 0.8)
    corners = np.vstack([b.to_table(b.corners()) for b in boards])
    target, spread = corners.mean(axis=0), float(np.ptp(corners, axis=0).max())
    fill = rng.uniform(0.5, 1.05) if len(boards) == 1 else rng.uniform(0.75, 1.0)
    for _ in range(12):
        camera = random_camera(rng, size, target, spread, fill)
        shown = camera.project(corners)
        inside = ((shown > -0.02 * np.array(size)) & (shown < 1.02 * np.array(size))).all()
        if inside or rng.random() < 0.05:
            break
        fill *= 0.94
    return camera


def draw_table_top(rng: Rng, camera: Camera) -> np.ndarray:
    """A table of any make, (H, W, 3) float32, as the camera sees it empty."""
    texture = table_top(rng)
    side = rng.uniform(250, 1100)
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn) * side / len(texture), np.sin(turn) * side / len(texture)
    tile = np.array([[c, -s, -side / 2], [s, c, -side / 2], [0, 0, 1.0]])
    picture = cv2.warpPerspective(
        texture,
        camera.plane() @ tile,
        camera.size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return picture.astype(np.float32)


def draw_board(
    rng: Rng, picture: np.ndarray, board: PlacedBoard, camera: Camera, light: Light
) -> None:
    """Draw the board's cardboard and print, no pieces, into the (H, W, 3) float32 picture."""
    thickness = rng.uniform(0.2, 3)
    outline = board.to_table(board.corners())
    slope = -light.direction[:2] / max(light.direction[2], 0.25) * thickness
    mask: np.ndarray = np.zeros(picture.shape[:2], np.uint8)
    hull = cv2.convexHull(camera.ideal(np.vstack([outline, outline + slope])).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    mask = cv2.GaussianBlur(mask, (0, 0), 1 + 5 * light.softness)
    picture *= 1 - (mask.astype(np.float32) / 255 * rng.uniform(0.1, 0.7))[..., None]
    artwork, alpha = _bent_artwork(board)
    a, b, c = replace(board, warp=np.zeros((3, 2))).to_table(
        np.array([[0, 0], [100, 0], [0, 100.0]])
    )
    flat = np.array([[*(b - a) / 100, 0], [*(c - a) / 100, 0], [*a, 1]]).T
    scale = np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0]) @ np.array(
        [[1, 0, -_PAD * PX_PER_MM], [0, 1, -_PAD * PX_PER_MM], [0, 0, 1.0]]
    )
    matrix = camera.plane() @ flat @ scale
    printed = cv2.warpPerspective(artwork, matrix, camera.size, flags=cv2.INTER_AREA)
    cover = (
        cv2.warpPerspective(alpha, matrix, camera.size, flags=cv2.INTER_LINEAR).astype(np.float32)[
            ..., None
        ]
        / 255
    )
    picture += cover * (printed.astype(np.float32) * light.on(np.array([0, 0, 1.0])) - picture)


_PAD = 4.0
"""mm of nothing around the artwork, so that warped cardboard may reach past the rectangle."""


def _bent_artwork(board: PlacedBoard) -> tuple[np.ndarray, np.ndarray]:
    """The artwork, warped as the cardboard is, and the mask of what it covers."""
    pad, reference = round(_PAD * PX_PER_MM), board.profile.require_reference()
    height, width = reference.shape[:2]
    ys, xs = np.mgrid[-pad : height + pad, -pad : width + pad].astype(np.float32)
    u, v = xs / width - 0.5, ys / height - 0.5
    w = (board.warp * PX_PER_MM).astype(np.float32)
    xs -= w[0, 0] * u * u + w[1, 0] * u * v + w[2, 0] * v * v
    ys -= w[0, 1] * u * u + w[1, 1] * u * v + w[2, 1] * v * v
    artwork = cv2.remap(reference, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (xs >= 0) & (xs <= width) & (ys >= 0) & (ys <= height)
    return artwork, inside.astype(np.uint8) * 255


def _on_table(rng: Rng, boards: list[PlacedBoard], edition: Profile) -> list[Token]:
    """Every token in table coordinates, those beside the boards included."""
    tokens = [board.on_table(token) for board in boards for token in board.tokens]
    another = partial(synthesis(edition.layout.game).token_set, rng, edition)
    token_set = another() if not boards or rng.random() < 0.2 else None
    for _ in range(int(rng.choice([0, 1, 3, 8]))):
        centre = boards[0].shift if boards else np.zeros(2)
        at = centre + rng.uniform(-280, 280, 2)
        if any(covers(b, at, 10) for b in boards):
            continue
        prototypes = (token_set or {t.piece: t for b in boards for t in b.tokens}) or another()
        proto = pick(rng, list(prototypes.values()))
        tokens.append(replace(proto, at=(float(at[0]), float(at[1])), turn=rng.uniform(0, 6.28)))
    return tokens


def _truth(board: PlacedBoard, camera: Camera) -> BoardTruth | None:
    """What is true of the board; None where half of it or more is outside of the picture."""
    profile = board.profile
    corners = camera.project(board.to_table(board.corners()))
    outside = ((corners < 0) | (corners >= camera.size)).any(axis=1)
    if outside.sum() > 2:
        return None
    spaces = camera.project(
        board.to_table(np.array([space.at for space in profile.spaces.values()]))
    )
    places = {
        name: (float(x), float(y)) for name, (x, y) in zip(profile.spaces, spaces, strict=True)
    }
    return BoardTruth(profile, corners, places, board.pieces, bool(outside.any()))


def visible_pieces(
    tokens: Sequence[Token], camera: Camera, hidden: np.ndarray, picture: np.ndarray, pale: Piece
) -> tuple[tuple[str, np.ndarray], ...]:
    """The pieces whose middle is in the picture and that nothing covers by more than a third.

    ``hidden`` (H, W) uint8 is what covers them, ``picture`` (H, W, 3) uint8 the photograph. One
    that light has burnt out all over is called the ``pale`` one, if that is white: no more can be
    seen of it, and who is made to guess a colour there learns to see colours in white pieces.
    """
    width, height = camera.size
    covered = camera.bend_picture(hidden) > 127
    white = bool(_is_white(np.array([bgr(pale.colour)]))[0])
    shown = []
    for token in tokens:
        foot = camera.project(token.outline())
        x, y = foot.mean(axis=0)
        if not (0 <= x < width and 0 <= y < height):
            continue
        seen = np.clip(foot, 0, (width - 1, height - 1)).astype(int)
        if covered[seen[:, 1], seen[:, 0]].mean() < 0.35:
            top = camera.project(token.outline(0.9), token.height)
            is_pale = white and burnt_out(picture, top)
            shown.append((pale.id if is_pale else token.piece, foot))
    return tuple(shown)


def burnt_out(picture: np.ndarray, outline: np.ndarray) -> bool:
    """Whether an (H, W, 3) photograph shows nothing but bright white inside of an outline."""
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.maximum(np.ceil(outline.max(axis=0)).astype(int) + 1, 0)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    if not patch.size:  # a thick token's top may lie outside where its foot is still in the picture
        return False
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round((outline - low) * 8).astype(np.int32)], 1, cv2.LINE_8, 3)
    seen = patch[mask > 0].astype(int)
    return bool(len(seen) and _is_white(seen).mean() > 0.95)


def _is_white(colours: np.ndarray) -> np.ndarray:
    """(N,) bool for (N, 3) BGR."""
    return np.asarray((colours.min(axis=1, initial=255) > 200) & (np.ptp(colours, axis=1) < 22))
