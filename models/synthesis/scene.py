"""Scenes: boards, stars and clutter on a table, seen by a camera; and what is true in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile
from models.synthesis.camera import Camera, expose, glare, light_field, random_camera
from models.synthesis.texture import Rng, hsv_colour, table_top
from models.synthesis.token import Light, Token, cast_shadows, draw, random_light, random_set
from scorer.nebula import BLACK, COLOURS


@dataclass(frozen=True)
class PlacedBoard:
    """A board on the table and what lies on it. ``tokens`` are in mm on this board."""

    profile: Profile
    shift: np.ndarray
    turn: float
    warp: np.ndarray
    stars: dict[str, str]
    black: int
    tokens: tuple[Token, ...]

    def to_table(self, points: np.ndarray) -> np.ndarray:
        """(N, 2) mm on the flat board to (N, 2) mm on the table, the cardboard's warp included."""
        points = np.asarray(points, float).reshape(-1, 2)
        size = np.array(self.profile.size_mm)
        u = points / size - 0.5
        bent = points + np.column_stack([u[:, 0] ** 2, u[:, 0] * u[:, 1], u[:, 1] ** 2]) @ self.warp
        c, s = np.cos(self.turn), np.sin(self.turn)
        return (bent - size / 2) @ np.array([[c, s], [-s, c]]) + self.shift

    def corners(self) -> np.ndarray:
        """(4, 2) mm on the board, clockwise from the printed top-left."""
        w, h = self.profile.size_mm
        return np.array([[0, 0], [w, 0], [w, h], [0, h]], float)


@dataclass(frozen=True)
class BoardTruth:
    """What is true of one board in a finished photograph; places in px."""

    profile: Profile
    corners: np.ndarray
    spaces: dict[str, tuple[float, float]]
    stars: dict[str, str]
    black: int
    cropped: bool


@dataclass(frozen=True)
class Photograph:
    """``picture`` is (H, W, 3) uint8 BGR; ``tokens`` visible stars and footprints, (N, 2) px."""

    picture: np.ndarray
    boards: tuple[BoardTruth, ...]
    tokens: tuple[tuple[str, np.ndarray], ...]


def photograph(rng: Rng, editions: Sequence[Profile], longer_side: int = 960) -> Photograph:
    """Set a table, light it, and take one picture of it."""
    boards = _lay_boards(rng, editions)
    size = (
        (longer_side, longer_side * 3 // 4)
        if rng.random() < 0.5
        else (longer_side * 3 // 4, longer_side)
    )
    camera, light = _look_at(rng, boards, size), random_light(rng)
    if rng.random() < 0.55:
        middle = boards[0].shift if boards else np.zeros(2)
        x, y = middle + rng.uniform(-110, 110, 2)
        light = replace(light, window=(x, y, rng.uniform(30, 160), rng.uniform(0.6, 1.0)))
    picture = draw_table_top(rng, camera)
    for board in boards:
        draw_board(rng, picture, board, camera, light)
    everything = _on_table(rng, boards)
    shade = cast_shadows(picture.shape[:2], everything, light, camera)
    key_share = light.key * light.direction[2] / (light.ambient + light.key * light.direction[2])
    tint = np.float32([rng.uniform(0, 0.12), 0.03, 0])
    picture *= 1 - shade[..., None] * (key_share * (1 - tint))
    order = sorted(everything, key=lambda t: -float(camera.matrix[2] @ [*t.at, 0, 1]))
    for token in order:
        draw(rng, picture, token, light, camera)
    hidden = _clutter(rng, picture, camera, boards)
    height, width = picture.shape[:2]
    picture *= light_field(rng, height, width)
    sheen = glare(rng, height, width)
    if sheen is not None:
        picture += sheen[..., None] * (250 - picture)
    picture = expose(rng, camera.bend_picture(picture))
    truths = (_truth(board, camera) for board in boards)
    shown = tuple(truth for truth in truths if truth is not None)
    return Photograph(picture, shown, _visible(everything, camera, hidden))


def _lay_boards(rng: Rng, editions: Sequence[Profile]) -> list[PlacedBoard]:
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.05, 0.76, 0.12, 0.03, 0.04]))
    same = editions[rng.integers(len(editions))]
    cells = [(0, 0), (1, 0), (0, 1), (1, 1)]
    stars = random_set(rng)
    boards = []
    for column, row in cells[:count]:
        pitch = np.array([rng.uniform(255, 330), rng.uniform(265, 340)])
        turn = (
            rng.uniform(0, 2 * np.pi)
            if count == 1
            else rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.1)
        )
        shift = np.array([column, row]) * pitch + rng.normal(0, 5, 2)
        boards.append(_set_board(rng, same, shift, float(turn), stars))
    return boards


def _set_board(
    rng: Rng, profile: Profile, shift: np.ndarray, turn: float, kit: dict[str, Token]
) -> PlacedBoard:
    """Stars at random: any colour on any space, mostly as players leave them, sometimes not."""
    sloppy = abs(rng.normal(0.7, 0.7))
    names = list(profile.spaces)
    filled = rng.permutation(names)[: int(rng.integers(0, len(names) + 1))]
    favour = rng.dirichlet(np.full(6, rng.uniform(0.6, 5)))
    stars, tokens = {}, []

    def put(star: str, at: tuple[float, float], spread: float) -> None:
        place = np.array(at) + np.clip(rng.normal(0, spread, 2), -4.5, 4.5)
        proto = kit[star]
        paint = tuple(
            np.clip(np.array(proto.paint) * rng.uniform(0.93, 1.07) + rng.normal(0, 3, 3), 2, 255)
        )
        token = replace(
            proto,
            at=(float(place[0]), float(place[1])),
            turn=rng.uniform(0, 2 * np.pi),
            paint=paint,
        )
        tokens.append(token)

    for name in filled:
        stars[name] = BLACK if rng.random() < 0.015 else str(rng.choice(COLOURS, p=favour))
        put(stars[name], profile.spaces[name].at, sloppy)
    slots = list(range(len(profile.track.at)))
    black = int(rng.integers(0, len(slots) + 1))
    used = rng.permutation(slots)[:black] if rng.random() < 0.08 else slots[:black]
    for slot in used:
        put(BLACK, profile.track.at[slot], sloppy * 1.2)
    width, height = profile.size_mm
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        at = rng.uniform((8, 8), (width - 8, height - 8))
        if (
            min(
                np.hypot(*(at - np.array(t.at)))
                for t in tokens or [replace(kit[BLACK], at=(-99, -99))]
            )
            > 15
        ):
            put(str(rng.choice([*COLOURS, BLACK])), (float(at[0]), float(at[1])), 0.1)
    warp = rng.normal(0, 1.0, (3, 2)) if rng.random() < 0.6 else np.zeros((3, 2))
    return PlacedBoard(profile, shift, turn, warp, stars, black, tuple(tokens))


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
    """Draw the board's cardboard and print, no stars, into the (H, W, 3) float32 picture."""
    thickness = rng.uniform(0.2, 3)
    outline = board.to_table(board.corners())
    slope = -light.direction[:2] / max(light.direction[2], 0.25) * thickness
    mask = np.zeros(picture.shape[:2], np.uint8)
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
    pad = round(_PAD * PX_PER_MM)
    height, width = board.profile.reference.shape[:2]
    ys, xs = np.mgrid[-pad : height + pad, -pad : width + pad].astype(np.float32)
    u, v = xs / width - 0.5, ys / height - 0.5
    w = (board.warp * PX_PER_MM).astype(np.float32)
    xs -= w[0, 0] * u * u + w[1, 0] * u * v + w[2, 0] * v * v
    ys -= w[0, 1] * u * u + w[1, 1] * u * v + w[2, 1] * v * v
    artwork = cv2.remap(
        board.profile.reference, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    inside = (xs >= 0) & (xs <= width) & (ys >= 0) & (ys <= height)
    return artwork, inside.astype(np.uint8) * 255


def _on_table(rng: Rng, boards: list[PlacedBoard]) -> list[Token]:
    """Every token in table coordinates, those beside the boards included."""
    tokens = [
        replace(t, at=tuple(b.to_table(np.array([t.at]))[0])) for b in boards for t in b.tokens
    ]
    kit = random_set(rng) if not boards or rng.random() < 0.2 else None
    for _ in range(int(rng.choice([0, 1, 3, 8]))):
        centre = boards[0].shift if boards else np.zeros(2)
        at = centre + rng.uniform(-280, 280, 2)
        if any(_covers(b, at, 10) for b in boards):
            continue
        pick = (kit or {t.star: t for b in boards for t in b.tokens}) or random_set(rng)
        proto = pick[str(rng.choice(list(pick)))]
        tokens.append(replace(proto, at=(float(at[0]), float(at[1])), turn=rng.uniform(0, 6.28)))
    return tokens


def _covers(board: PlacedBoard, at: np.ndarray, margin: float) -> bool:
    outline = board.to_table(board.corners()).astype(np.float32)
    return cv2.pointPolygonTest(outline, (float(at[0]), float(at[1])), True) > -margin


def _clutter(
    rng: Rng, picture: np.ndarray, camera: Camera, boards: list[PlacedBoard]
) -> np.ndarray:
    """Draw cards, cups, pens and hands; return the (H, W) uint8 mask of what they cover."""
    hidden = np.zeros(picture.shape[:2], np.uint8)
    centre = boards[0].shift if boards else np.zeros(2)
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.3, 0.3, 0.25, 0.15]))):
        at = centre + rng.uniform(-330, 330, 2)
        if any(_covers(b, at, 45) for b in boards):
            continue
        kind = rng.choice(["card", "cup", "pen", "box"])
        colour = np.array(hsv_colour(rng, s=(0, 220), v=(40, 255)))
        turn = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(turn), np.sin(turn)
        if kind == "cup":
            angles = np.linspace(0, 2 * np.pi, 40)
            ring = at + rng.uniform(20, 45) * np.column_stack([np.cos(angles), np.sin(angles)])
            _solid(picture, hidden, camera, ring, rng.uniform(20, 110), colour)
        else:
            half = {
                "card": (32, 44),
                "pen": (70, 4),
                "box": (rng.uniform(20, 80), rng.uniform(15, 60)),
            }[str(kind)]
            quad = (
                np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]])
                + at
            )
            _solid(
                picture,
                hidden,
                camera,
                quad,
                {"card": 0.3, "pen": 7, "box": rng.uniform(5, 50)}[str(kind)],
                colour,
            )
    if boards and rng.random() < 0.12:
        _hand(rng, picture, hidden, camera, boards[int(rng.integers(len(boards)))])
    return hidden


def _solid(
    picture: np.ndarray,
    hidden: np.ndarray,
    camera: Camera,
    foot: np.ndarray,
    height: float,
    colour: np.ndarray,
) -> None:
    low, high = camera.ideal(foot), camera.ideal(foot, height)
    body = cv2.convexHull(np.vstack([low, high]).astype(np.float32))
    shadow = np.zeros(hidden.shape, np.uint8)
    cv2.fillConvexPoly(shadow, np.round(body + 6).astype(np.int32), 255)
    shadow = cv2.GaussianBlur(shadow, (0, 0), 6)
    picture *= 1 - 0.4 * (shadow.astype(np.float32) / 255)[..., None]
    cv2.fillConvexPoly(
        picture, np.round(body).astype(np.int32), (colour * 0.7).tolist(), cv2.LINE_AA
    )
    cv2.fillPoly(picture, [np.round(high).astype(np.int32)], colour.tolist(), cv2.LINE_AA)
    cv2.fillConvexPoly(hidden, np.round(body).astype(np.int32), 255)


def _hand(
    rng: Rng, picture: np.ndarray, hidden: np.ndarray, camera: Camera, board: PlacedBoard
) -> None:
    """Four fingers and a sleeve that reach in from outside."""
    skin = np.array(hsv_colour(rng, h=(4, 14), s=(50, 170), v=(60, 245)))
    angle = rng.uniform(0, 2 * np.pi)
    inward = np.array([np.cos(angle), np.sin(angle)])
    reach = board.shift - inward * rng.uniform(35, 130) + rng.normal(0, 25, 2)
    across = np.array([-inward[1], inward[0]])
    arm = reach - inward * 70
    scale = np.hypot(*(camera.ideal(reach[None] + np.array([1, 0])) - camera.ideal(reach[None]))[0])
    mask = np.zeros(hidden.shape, np.uint8)

    def limb(a: np.ndarray, b: np.ndarray, width: float) -> None:
        p, q = camera.ideal(np.array([a, b]), 15.0)
        cv2.line(
            mask,
            p.astype(int).tolist(),
            q.astype(int).tolist(),
            255,
            max(2, int(width * scale)),
            cv2.LINE_AA,
        )

    for k in range(4):
        base = arm + across * (k - 1.5) * 19
        limb(
            base,
            reach + across * (k - 1.5) * 20 + inward * rng.uniform(-25, 12),
            rng.uniform(14, 19),
        )
    limb(arm + across * 10, arm - across * 10, 80)
    limb(arm, arm - inward * 420, 75)
    shadow = cv2.GaussianBlur(np.roll(mask, (8, 8), (0, 1)), (0, 0), 9)
    picture *= 1 - 0.5 * (shadow.astype(np.float32) / 255)[..., None]
    depth = cv2.GaussianBlur(mask, (0, 0), 5).astype(np.float32)[..., None] / 255
    alpha = mask.astype(np.float32)[..., None] / 255
    picture += alpha * (skin * (0.55 + 0.45 * depth) - picture)
    np.maximum(hidden, mask, out=hidden)


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
    return BoardTruth(profile, corners, places, board.stars, board.black, bool(outside.any()))


def _visible(
    tokens: list[Token], camera: Camera, hidden: np.ndarray
) -> tuple[tuple[str, np.ndarray], ...]:
    """The stars whose middle is in the picture and that nothing covers by more than a third."""
    width, height = camera.size
    covered = camera.bend_picture(hidden) > 127
    shown = []
    for token in tokens:
        foot = camera.project(token.outline())
        x, y = foot.mean(axis=0)
        if not (0 <= x < width and 0 <= y < height):
            continue
        seen = np.clip(foot, 0, (width - 1, height - 1)).astype(int)
        if covered[seen[:, 1], seen[:, 0]].mean() < 0.35:
            shown.append((token.star, foot))
    return tuple(shown)
