"""Films of a table with known truth: boards, arms that place pieces, and what else a camera sees.

>>> from calibration import load_profile
>>> visit = Visit(0.2, (HandStep(Place("core"), "put", "red"),))
>>> film = Film(Script(({},), (visit,), 2.0), load_profile("standard"), size=(320, 180), fps=5)
>>> frames = [frame.shape for frame in film.frames()]
>>> len(frames), frames[0], [(event["kind"], event["space"]) for event in film.events]
(10, (180, 320, 3), [('placed', 'core')])

What stands still is drawn once and kept; a frame draws only the arm, the light and the noise.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import Profile
from models.synthesis.camera import light_field
from models.synthesis.photograph import draw_board, draw_table_top
from models.synthesis.placed_board import laid_turn
from models.synthesis.plugin import synthesis
from models.synthesis.position import landing, region_spots, regions
from models.synthesis.reprint import pictured
from models.synthesis.texture import hsv_colour
from models.synthesis.token import Token, cast_shadows, draw, shown_colour
from models.synthesis.token_set import palest
from scorer.places import Place, counted
from tests.films.arm import Arm, draw_arm
from tests.films.players import player_of
from tests.films.reach import reach, round_middle, turned
from tests.films.script import Bump, HandStep, LampSwitch, Nudge, Script, Shade, Visit, act_out
from tests.films.table import light_and_tokens, place_camera, set_out_boards

__all__ = ["Film", "HandStep", "Script", "Visit", "shoot"]

SIZE = (1280, 720)
FPS = 15
_UNEVEN = 0.6
"""How much of a photograph's uneven light a film keeps: nobody plays an evening in a spotlight."""
_WHITE = 262.0
"""The level that a camera which looks on for an evening gives the palest piece: just burnt out."""
_CLEAR_MM = 8.0
"""A place counts as free again when the arm hides nothing within this distance of its centre."""


@dataclass(frozen=True)
class _Pending:
    """A place where something was done under an arm that still hides it; ``was`` lay there before.

    Only what comes of it can be seen: a piece put down and another put in its place is one change.
    """

    board: int
    place: Place
    was: str | None


class Film:
    """Renders a script, frame after frame; afterwards ``events`` says what was there to see.

    ``occupancy`` is what lies on each board by the newest frame. A board that has not been
    calibrated looks as its game draws it.
    """

    def __init__(
        self,
        script: Script,
        profile: Profile,
        seed: int = 0,
        size: tuple[int, int] = SIZE,
        fps: int = FPS,
    ) -> None:
        """Set the table; the same ``seed`` gives the same boards, camera, light and noise."""
        self.script, self.profile, self.size, self.fps = script, pictured(profile), size, fps
        self.events: list[dict[str, object]] = []
        rng = np.random.default_rng([seed, 3])
        self._seed = seed
        self._brought = synthesis(profile.layout.game)
        self._boards = set_out_boards(rng, script, self.profile)
        self._camera = place_camera(rng, self._boards, size)
        self._light, self._token_set = light_and_tokens(rng, self._brought, self.profile)
        field = light_field(rng, size[1], size[0])
        self._field = 1 + _UNEVEN * (field / field.mean() - 1)
        self._skins = [hsv_colour(rng, (4, 13), (60, 150), (90, 235)) for _ in range(5)]
        self._sleeves = [hsv_colour(rng, s=(0, 200), v=(25, 230)) for _ in range(5)]
        self.occupancy = list(script.boards)
        self._bare: np.ndarray | None = None
        self._still: np.ndarray | None = None
        self._tokens: dict[tuple[int, Place], Token] = {}
        self._spots = {
            region: region_spots(np.random.default_rng([seed, 6, n]), profile, region)
            for n, region in enumerate(regions(profile))
        }
        self._counts: Counter[tuple[int, str]] = Counter()  # on each board's tracks, as reported
        self._made = 0
        for number, pieces in enumerate(script.boards):
            for place, piece in pieces.items():
                self._lay_piece(number, place, piece)
                self._report(0.0, number, place, None, piece)
        self._brightness: float | None = None
        self._cover = np.zeros((size[1] // 4, size[0] // 4), np.uint8)
        self._pending: list[_Pending] = []
        self._exposure = 1.0
        self._lit = 0.0
        self._grain = [_grain(rng, size[0] + 32, size[1] + 32) for _ in range(3)]
        self._shake = np.random.default_rng([seed, 4])

    def corners(self) -> list[np.ndarray]:
        """Each board's (4, 2) px corners as it lies now, clockwise from the printed top-left."""
        return [self._camera.project(b.to_table(b.corners())) for b in self._boards]

    def hides(self, board: int, place: Place) -> bool:
        """Whether an arm hides any of a place in the newest frame."""
        ring = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        disc = _CLEAR_MM * np.column_stack([np.cos(ring), np.sin(ring)])
        disc = np.vstack([disc, 0.5 * disc, [[0, 0]]]) + self._at(place)
        seen = self._camera.project(self._boards[board].to_table(disc)) / 4
        x, y = np.clip(seen, 0, np.array(self._cover.shape[::-1]) - 1).astype(int).T
        return bool(self._cover[y, x].any())

    def frames(self) -> Iterator[np.ndarray]:
        """Every frame of the film, (H, W, 3) uint8 BGR; the caller must not keep them."""
        visits = [h for h in self.script.happenings if isinstance(h, Visit)]
        done: set[tuple[int, int]] = set()
        for number in range(round(self.script.seconds * self.fps)):
            t = number / self.fps
            self._move(t)
            for i, visit in enumerate(visits):
                for j, arrival in enumerate(visit.arrivals()):
                    step = visit.steps[j]
                    if (i, j) in done:
                        continue
                    if t >= arrival + step.acts:
                        done.add((i, j))
                        self._act(step)
                    elif step.act == "turn" and t >= arrival:
                        self._turn(step, turned((t - arrival) / step.dwell))
            yield self._frame(t, [v for v in visits if v.start <= t < v.end])

    # what lies on the table

    def _lay_piece(self, board: int, place: Place, piece: str) -> None:
        self._made += 1
        rng = np.random.default_rng([self._seed, 5, self._made])
        if piece not in self._token_set:  # it is a part of the print
            shown = self._brought.board(rng, self.profile, self.occupancy[board])
            self._boards[board] = replace(self._boards[board], profile=shown)
            self._bare = self._still = None
            return
        x, y = np.array(self._at(place)) + np.clip(rng.normal(0, 0.8, 2), -2.5, 2.5)
        proto = self._token_set[piece]
        turn = laid_turn(proto, rng.uniform(0, 6.28), self.profile.places[place.whole])
        self._tokens[board, place] = replace(proto, at=(float(x), float(y)), turn=turn)
        self._still = None

    def _at(self, place: Place) -> tuple[float, float]:
        if place.kind == "region":
            spots = self._spots[place.whole]
            return spots[min(place.slot, len(spots) - 1)]
        return self.profile.places[place].at

    def _act(self, step: HandStep) -> None:
        before = self.occupancy[step.board]
        place = landing(step.place, before) if step.act == "put" else step.place
        after = act_out(before, step)
        if place.whole not in self.profile.places or after == before:  # a full track takes nothing
            return
        self.occupancy[step.board] = after
        if place in after:
            self._lay_piece(step.board, place, after[place])
        else:
            self._tokens.pop((step.board, place), None)
            self._still = None
        if all((p.board, p.place) != (step.board, place) for p in self._pending):
            self._pending.append(_Pending(step.board, place, before.get(place)))

    def _turn(self, step: HandStep, share: float) -> None:
        """A hand has turned a dial that far; the numbers are those that its end will have."""
        before = self.occupancy[step.board]
        rng = np.random.default_rng([self._seed, 5, self._made + 1])
        player, after = player_of(self.profile.layout.game), act_out(before, step)
        shown = player.turning(rng, self.profile, before, after, share)
        self._boards[step.board] = replace(self._boards[step.board], profile=shown)
        self._bare = self._still = None

    def _report(self, t: float, board: int, place: Place, was: str | None, now: str | None) -> None:
        """The events of a perfect watcher for a place that held ``was`` and now holds ``now``."""
        if now == was:
            return
        event: dict[str, object]
        if place.kind == "track":
            self._counts[board, place.id] += (now is not None) - (was is not None)
            event = {"kind": place.id, "count": self._counts[board, place.id]}
        else:
            event = {"kind": "removed" if now is None else "replaced" if was else "placed"}
            event["space"] = place.id
            if place.kind == "region":
                star = now or was
                event |= {
                    "star": star,
                    "count": counted(self.occupancy[board], place.id)[star or ""],
                }
            else:
                event |= {key: piece for key, piece in (("star", now), ("was", was)) if piece}
        self.events.append({"t": round(t, 3), "board": board, **event})

    # what moves

    def _move(self, t: float) -> None:
        for h in self.script.happenings:
            if not isinstance(h, Nudge | Bump):
                continue
            now, before = (np.clip((x - h.start) / h.seconds, 0, 1) for x in (t, t - 1 / self.fps))
            share = float(now - before)
            if share == 0:
                continue
            if isinstance(h, Nudge):
                board = self._boards[h.board]
                shift, turn = board.shift + share * np.array(h.shift), board.turn + share * h.turn
                self._boards[h.board] = replace(board, shift=shift, turn=turn)
            else:
                x, y = share * np.array(h.shift)
                jump = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
                self._camera = replace(self._camera, matrix=jump @ self._camera.matrix)
            self._bare = self._still = None

    def _arm_of(self, visit: Visit, t: float) -> tuple[Arm, HandStep | None]:
        """The arm at a moment, and the step whose piece it holds."""
        tip, height, held = reach(visit, [self._way(step) for step in visit.steps], t)
        player = round(visit.seat * 997) % 5
        return Arm(tip, height, visit.seat, self._skins[player], self._sleeves[player]), held

    def _way(self, step: HandStep) -> np.ndarray:
        """(3, 2) where on the table a hand is in the beginning, middle and end of a step."""
        end = self._place_on_table(step)
        pieces = self.occupancy[step.board].items()
        old = next((at for at, piece in pieces if piece == step.piece), step.place)
        if step.act != "turn" or old == step.place:
            return np.array([end, end, end])
        ring = [shape.at for at, shape in self.profile.places.items() if at.kind == old.kind]
        here = np.array([self._at(old), np.mean(ring, axis=0)])
        start, middle = self._boards[step.board].to_table(here)
        return round_middle(start, middle, end)

    def _place_on_table(self, step: HandStep) -> np.ndarray:
        place = step.place
        if step.act != "take":
            place = landing(place, self.occupancy[step.board])
        if place.kind == "track" and step.act != "take":
            last = len(self.profile.tracks[place.id]) - 1
            place = replace(place, slot=min(place.slot, last))
        at = self._boards[step.board].to_table(np.array([self._at(place)]))
        return np.asarray(at[0])

    # what the camera sees

    def _frame(self, t: float, visits: list[Visit]) -> np.ndarray:
        picture = self._standing().copy()
        cover = np.zeros_like(self._cover)
        for visit in visits:
            arm, held = self._arm_of(visit, t)
            if held is not None and held.act != "take" and held.piece in self._token_set:
                self._draw_held(picture, arm, held.piece)
            cover |= draw_arm(picture, arm, self._camera, self._light)
        self._cover = cover
        self._settle(t)
        picture = self._lighten(picture, t, float(cover.mean()) / 255)
        grain = self._grain[int(self._shake.integers(len(self._grain)))]
        x, y = self._shake.integers(0, 32, 2)
        brighter, darker = grain[:, y : y + self.size[1], x : x + self.size[0]]
        return cv2.subtract(cv2.add(picture, brighter), darker)

    def _settle(self, t: float) -> None:
        """Tell the events whose places no arm hides any more."""
        waiting = []
        for pending in self._pending:
            if self.hides(pending.board, pending.place):
                waiting.append(pending)
                continue
            now = self.occupancy[pending.board].get(pending.place)
            self._report(t, pending.board, pending.place, pending.was, now)
        self._pending = waiting

    def _draw_held(self, picture: np.ndarray, arm: Arm, piece: str) -> None:
        lift = np.eye(4)
        lift[2, 3] = arm.height
        at = (float(arm.tip[0]), float(arm.tip[1]))
        camera = replace(self._camera, matrix=self._camera.matrix @ lift)
        centre = camera.project(arm.tip[None])[0].astype(int)
        x0, y0 = np.clip(centre - 80, 0, self.size)
        x1, y1 = np.clip(centre + 80, 0, self.size)
        if x1 - x0 < 8 or y1 - y0 < 8:
            return
        shifted = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ camera.matrix
        window = picture[y0:y1, x0:x1].astype(np.float32)
        token = replace(self._token_set[piece], at=at, turn=0.3)
        draw(
            np.random.default_rng([self._seed, 6]),
            window,
            token,
            self._light,
            replace(camera, matrix=shifted),
        )
        picture[y0:y1, x0:x1] = np.clip(window, 0, 255).astype(np.uint8)

    def _lighten(self, picture: np.ndarray, t: float, covered: float) -> np.ndarray:
        """The picture in the light of the moment, as the camera exposes for it."""
        height, width = self.size[1] // 8, self.size[0] // 8
        ys, xs = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        light = np.ones((height, width, 3), np.float32)
        self._lit = 0.0
        for h in self.script.happenings:
            if isinstance(h, LampSwitch) and t >= h.start:
                glow = h.strength * min(1.0, (t - h.start) / 0.1)
                pool = np.exp(-((xs - 0.5) ** 2 + (ys + 0.3) ** 2))[..., None]
                light += glow * pool * np.array([0.75, 0.95, 1.1], np.float32)
                self._lit += 0.6 * glow
            if isinstance(h, Shade) and h.start <= t < h.start + h.seconds:
                middle = -2 + 4 * (t - h.start) / h.seconds
                dark = 1 / (1 + np.exp((np.abs(xs + 0.2 * ys - middle) - 0.45) * 14))
                light *= (1 - h.depth * dark)[..., None].astype(np.float32)
        wanted = (1 + 0.05 * np.sin(t / 5.3)) / (1 + self._lit) / (1 + 0.4 * covered)
        self._exposure += (wanted - self._exposure) * min(1.0, 1.8 / self.fps)
        if light.min() == light.max():  # nowhere a lamp or a shade
            return cv2.convertScaleAbs(picture, alpha=self._exposure)
        light *= self._exposure
        return cv2.multiply(picture, cv2.resize(light, self.size), dtype=cv2.CV_8U)

    def _standing(self) -> np.ndarray:
        """The table with boards and pieces as they lie, without any arm, (H, W, 3) uint8."""
        if self._bare is None:
            bare = draw_table_top(np.random.default_rng([self._seed, 7]), self._camera)
            for i, board in enumerate(self._boards):
                rng = np.random.default_rng([self._seed, 8, i])
                draw_board(rng, bare, board, self._camera, self._light)
            self._bare = bare
        if self._still is None:
            self._still = self._with_pieces(self._bare.copy())
        return self._still

    def _with_pieces(self, picture: np.ndarray) -> np.ndarray:
        """The (H, W, 3) float32 picture of the bare boards with all pieces drawn, uint8."""
        tokens = [self._boards[board].on_table(token) for (board, _), token in self._tokens.items()]
        light = self._light
        shade = cast_shadows((picture.shape[0], picture.shape[1]), tokens, light, self._camera)
        direct = light.key * light.direction[2]
        picture *= 1 - shade[..., None] * (direct / (light.ambient + direct))
        for token in sorted(tokens, key=lambda k: -float(self._camera.matrix[2] @ [*k.at, 0, 1])):
            own = np.random.default_rng([self._seed, 9, int(1000 * token.turn)])
            draw(own, picture, token, light, self._camera)
        picture *= self._field
        if self._brightness is None:
            # A camera that looks on for an evening is set so that hardly anything is burnt out.
            bright = max(float(np.quantile(picture[::4, ::4], 0.98)), 40.0)
            loose = [piece for piece in self.profile.game.pieces if piece.id in self._token_set]
            pale = self._token_set[palest(loose).id]
            white = float(shown_colour(pale, self._light).max())
            white *= float(np.quantile(self._field, 0.9))
            self._brightness = min(
                112 / max(float(picture.mean()), 25.0), 235 / bright, _WHITE / white
            )
        return np.clip(picture * self._brightness, 0, 255).astype(np.uint8)


def _grain(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Noise as (2, H, W, 3) uint8: what it adds, and what it takes away."""
    noise = rng.normal(0, rng.uniform(1.5, 3.5), (height, width, 3)).astype(np.int16)
    return np.maximum([noise, -noise], 0).astype(np.uint8)


def shoot(
    script: Script,
    profile: Profile,
    path: Path,
    seed: int = 0,
    size: tuple[int, int] = SIZE,
    fps: int = FPS,
) -> dict[str, Any]:
    """Write the film to ``path`` (.mp4) and its truth beside it (.json); return the truth.

    ``events`` are what a perfect watcher reports, ``t`` being the moment at which no arm hides the
    place any more; ``arms`` are the times between which one is in the picture. Raises OSError
    where the film cannot be written.
    """
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written as a film")
    film = Film(script, profile, seed, size, fps)
    try:
        for frame in film.frames():
            writer.write(frame)
    finally:
        writer.release()
    truth = {
        "format": 1,
        "fps": fps,
        "size": list(size),
        "seconds": script.seconds,
        "corners": [c.round(1).tolist() for c in film.corners()],
        "arms": [[h.start, h.end] for h in script.happenings if isinstance(h, Visit)],
        "events": film.events,
    }
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1))
    return truth
