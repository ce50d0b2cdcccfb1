"""Proposed layouts for photographs of invented editions: complete, refused or wrong.

`python -m tests.benchmarks.layout_acceptance [--count 20] [--seed 1] [--out DIR]`

Each edition has its own geometry, size and artwork and is photographed empty, at an angle. Every
fifth has a link that the standard board lacks, and must be refused; every third has a track of a
different length.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import click
import cv2
import numpy as np

from calibration import Layout, Profile, ProfileError, load_profile
from calibration.layout import layout_from_data
from calibration.lens import undistort
from calibration.proposal import LayoutProposal, propose_layout
from calibration.proposal.overlay import draw_proposal
from calibration.proposal.propose import SURE
from models.nebula.random_edition import random_edition
from models.synthesis.camera import Camera, random_camera, taken
from models.synthesis.light import random_light
from models.synthesis.photograph import draw_board, draw_table_top
from models.synthesis.placed_board import PlacedBoard
from models.synthesis.texture import Rng
from scorer.places import Circle, Place
from scorer.topology import Link, Topology

LONGER_SIDE_PX = 1800
OTHER_LINKS = 5  # every fifth edition has another link: it must not be taken for standard
OTHER_TRACK = 3  # every third edition has a track with fewer or more spaces
NOWHERE = (-1000.0, -1000.0)  # mm, a slot that was not found
NAMED_MM = 6.0  # mm from a space's true position that count as right


@dataclass(frozen=True)
class EmptyBoard:
    """A photograph of an invented edition, (H, W, 3) uint8 BGR, and its (4, 2) corners in px.

    `drawn` is the printed board: some editions have a link that the standard board lacks.
    """

    edition: Profile
    drawn: Topology
    picture: np.ndarray
    corners: np.ndarray


def empty_boards(count: int, seed: int) -> Iterator[EmptyBoard]:
    """Yield photographs of invented editions."""
    standard = load_profile("standard")
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        pattern = replace(standard, layout=other_geometry(rng, standard.layout))
        if number % OTHER_TRACK == OTHER_TRACK - 1:
            pattern = replace(pattern, layout=with_another_track(rng, pattern.layout))
        if number % OTHER_LINKS == OTHER_LINKS - 1:
            pattern = replace(pattern, layout=with_another_link(rng, pattern.layout))
        edition = random_edition(rng, pattern, f"{number:02d}")
        yield photograph_empty(rng, edition, pattern.board)


def with_another_link(rng: Rng, layout: Layout) -> Layout:
    """Move a direct link to two other spaces of its constellation."""
    board = layout.board
    direct = [link for link in board.links_of("direct") if board.core not in link.ends]
    gone = direct[int(rng.integers(len(direct)))]
    own = board.constellations[board.constellation_of(gone.a)]
    free = [pair for pair in combinations(own, 2) if not board.linked(*pair)]
    a, b = min(free, key=lambda pair: math.dist(*(layout.spaces[end].at for end in pair)))
    links = tuple(link for link in board.links if link != gone)
    return replace(layout, board=replace(board, links=(*links, Link(a, b, "direct"))))


def with_another_track(rng: Rng, layout: Layout) -> Layout:
    """Give the track 5 to 13 spaces with another spacing."""
    (name, old), count = next(iter(layout.tracks.items())), int(rng.integers(5, 14))
    radius, y, width = old[0].radius, old[0].at[1], layout.size_mm[0]
    pitch = min((width - 4 * radius) / (count - 1), rng.uniform(2.15, 2.9) * radius)
    radius = min(radius, pitch / 2.1)
    first = (width - pitch * (count - 1)) / 2
    places = {place: shape for place, shape in layout.places.items() if place.kind != "track"}
    for slot in range(count):
        places[Place(name, "track", slot)] = Circle((first + slot * pitch, y), radius)
    numbers = tuple(int(number) for number in np.cumsum(rng.integers(0, 5, count)))
    track = replace(layout.board.track, points=numbers, full=numbers[-1] + 4)
    return replace(layout, places=places, board=replace(layout.board, track=track))


def other_geometry(rng: Rng, layout: Layout) -> Layout:
    """Move the spaces, on a board of another size and shape."""
    while True:
        width, height = layout.size_mm
        across = width * rng.uniform(0.9, 1.25)
        size = (across, max(height * rng.uniform(0.92, 1.2), across))
        core = np.array(layout.spaces[layout.board.core].at)
        reach = min(across / 2, size[1] - core[1]) / 100 * rng.uniform(0.95, 1.0)
        radius = layout.spaces[layout.board.core].radius * rng.uniform(0.8, 1.15)
        stretch = {orbit: rng.normal(0, 2.0) for orbit in layout.board.orbits}
        middle = np.array([across / 2, size[1] - 100 * reach])
        places = {}
        for place, shape in layout.places.items():
            if place.kind == "track":
                x = across / 2 + (shape.at[0] - width / 2) * min(1.0, across / width)
                places[place] = Circle((x, shape.at[1]), min(radius, 8.0))
                continue
            offset = np.array(shape.at) - core
            orbit = layout.board.orbit_of(place.id)
            away = math.hypot(*offset) + (stretch[orbit] if orbit else 0.0)
            angle = math.atan2(offset[1], offset[0]) + rng.normal(0, math.radians(4))
            x, y = middle + reach * away * np.array([math.cos(angle), math.sin(angle)])
            places[place] = Circle((float(x), float(y)), radius)
        varied = replace(layout, size_mm=(across, size[1]), places=places)
        try:
            return layout_from_data(varied.to_data())
        except ProfileError:
            continue


def photograph_empty(
    rng: Rng, edition: Profile, drawn: Topology, longer_side: int = LONGER_SIDE_PX
) -> EmptyBoard:
    """Place the edition on a table and photograph all of it."""
    board = PlacedBoard(
        edition, np.zeros(2), float(rng.uniform(0, 2 * np.pi)), rng.normal(0, 0.5, (3, 2)), {}, ()
    )
    size = (longer_side * 3 // 4, longer_side)
    camera = whole_board_camera(rng, board, size)
    light = random_light(rng)
    picture = draw_table_top(rng, camera)
    draw_board(rng, picture, board, camera, light)
    shown = taken(rng, picture, camera)
    return EmptyBoard(edition, drawn, shown, camera.project(board.to_table(board.corners())))


def whole_board_camera(rng: Rng, board: PlacedBoard, size: tuple[int, int]) -> Camera:
    corners = board.to_table(board.corners())
    spread, fill = float(np.ptp(corners, axis=0).max()), rng.uniform(0.75, 1.0)
    while True:
        camera = random_camera(rng, size, corners.mean(axis=0), spread, fill)
        shown = camera.project(corners)
        if ((shown > 8) & (shown < np.array(size) - 8)).all():
            return camera
        fill *= 0.96


@dataclass(frozen=True)
class Outcome:
    """The quality of a proposal: fractions of places within 1 mm, named and linked correctly."""

    within: float
    named: float
    linked: float
    whole: bool
    right: bool
    """Whether a complete proposal is right in every name and link."""
    ms: float

    @property
    def verdict(self) -> str:
        return "refused" if not self.whole else "whole" if self.right else "WRONG"


def judge(board: EmptyBoard) -> tuple[LayoutProposal, Outcome]:
    """Propose the layout of a photographed edition of known size, and compare it to the truth."""
    layout = board.edition.layout
    begun = time.perf_counter()
    proposal = propose_layout(board.picture, layout.game, size_mm=layout.size_mm)
    ms = 1000 * (time.perf_counter() - begun)
    true = np.array([shape.at for shape in layout.places.values()])
    places = proposal.draft.places
    found = np.array([places[place].at if place in places else NOWHERE for place in layout.places])
    apart = np.linalg.norm(found[:, None] - true[None], axis=2)
    right = (apart.argmin(axis=1) == np.arange(len(true))) & (apart.diagonal() < NAMED_MM)
    drawn = {link.ends for link in board.drawn.links}
    links = [
        (proposal.confidence[f"{link.a}-{link.b}"] >= SURE) == (link.ends in drawn)
        for link in layout.board.links
    ]
    as_drawn = {(link.ends, link.kind) for link in layout.board.links} == {
        (link.ends, link.kind) for link in board.drawn.links
    }
    outcome = Outcome(
        within=float((apart.diagonal() < 1).mean()),
        named=float(right.mean()),
        linked=float(np.mean(links)),
        whole=proposal.whole,
        right=bool(right.all()) and as_drawn and places.keys() == layout.places.keys(),
        ms=ms,
    )
    return proposal, outcome


@click.command()
@click.option("--count", default=20, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="Where to draw what was found.")
def main(count: int, seed: int, out: Path | None) -> None:
    """Propose the layouts of invented editions, and count the outcomes."""
    cv2.setNumThreads(1)
    outcomes: list[Outcome] = []
    for number, board in enumerate(empty_boards(count, seed)):
        proposal, outcome = judge(board)
        outcomes.append(outcome)
        missing = ", ".join(missing.id or "names" for missing in proposal.missing[:6])
        print(
            f"{number:2d} {outcome.verdict:8s} within 1 mm {outcome.within:4.0%}, names "
            f"{outcome.named:4.0%}, links {outcome.linked:4.0%}, {outcome.ms:5.0f} ms  {missing}",
            flush=True,
        )
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            shown = draw_proposal(undistort(board.picture, proposal.distortion), proposal)
            cv2.imwrite(str(out / f"{number:02d}.png"), shown)
    verdicts = Counter(outcome.verdict for outcome in outcomes)
    print(
        f"within 1 mm {np.mean([o.within for o in outcomes]):.1%}, "
        f"names right {np.mean([o.named for o in outcomes]):.1%}, "
        f"links right {np.mean([o.linked for o in outcomes]):.1%}; of {len(outcomes)} profiles "
        f"{verdicts['whole']} whole, {verdicts['refused']} refused, {verdicts['WRONG']} wrong"
    )


if __name__ == "__main__":
    main()
