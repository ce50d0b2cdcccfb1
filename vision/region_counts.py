"""Region counts: how many pieces of each kind are in a region, by size and appearance.

The area that differs from the print is covered greedily with discs of the pieces' diameter. The
filled share of a disc gives the probability of a piece: one half under another fills half of its
own, which leaves open whether it is there at all. So do the sides of thick pieces, whose visible
extent is estimated from the pieces that are certain. The kind, if any, comes from the network as on
places for one piece. Where pieces of several sizes are together, the smallest are counted by
colour, by `region_solids`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations

import cv2
import numpy as np

from calibration import Profile
from calibration.colour_profile import ColourProfile, Swatch
from scorer.game import Piece
from scorer.places import Circle, Place
from vision.colour_likelihood import PieceColours, weigh_colours
from vision.decode import count_distribution
from vision.illumination import brightest
from vision.known_board import RectifiedBoard
from vision.piece_faces import PieceFaces, draw_face
from vision.place_network import blend_kinds, join_patches, known_colours, place_odds
from vision.place_patches import BlurredReference, cut, patch_grid, patch_masks, piece_colours
from vision.printed_faces import FaceFinder
from vision.rectify import CameraPosition, Canvas
from vision.region_chances import RegionCount
from vision.region_colours import fill_glare, nearest_colours, open_shadows, perceived, shadows
from vision.region_discs import (
    SEED,
    SMEARED,
    WHOLE,
    PixelPoint,
    WeightedPoint,
    candidate_discs,
    clear_sides,
    disc_kernel,
    heaps,
    share_of_disc,
    weigh_alone,
    weigh_beside_sides,
    weigh_whole,
)
from vision.region_looks import (
    Look,
    each_once,
    reconcile_colours,
    weigh_alike,
    weigh_faces,
    weigh_own_colour,
)
from vision.region_solids import Solid, solids

_DIFFERENT, _BRIGHTER = 0.25, 2.0
"""Least distance from the print, as logarithms, of a pixel that is covered, and the factor on
brightness where it is brighter, which no shadow is: a white piece on pale print."""
_HIDING = 0.5
"""Share of a region from which a difference that is no piece hides it."""
_LIKELY = 0.5
"""Expected number of pieces below which a mostly covered region is hidden."""
_OVER = 0.8
"""Radii by which a piece may reach over the rim of its region."""
_THICK = 8.0
"""Height of pieces, in mm, by which their tops may reach further."""
_BENEATH = 0.12
"""Probability of one more piece beneath pieces that overlap."""
_SPREAD, _MOST_BENEATH, _BRUSH = 0.17, 0.4, 0.5
"""Discs of excess coverage from which pieces are a heap, largest probability of one more
beneath, and width in radii below which a difference is no piece's."""
_MIDDLE, _REACHES = 0.4, 0.05
"""Share of the radius about a piece's centre that determines its region, and the share of that in
regions which admit it from which it is in one of them."""
_WIDER, _MIRRORED = 1.15, 0.55
"""Radii within which a rim encloses a piece, and the largest probability of that piece."""
_MISSING = 0.5
"""Expected number of unfound pieces with faces below which no further search is made."""


def differs(picture: np.ndarray, print_: np.ndarray) -> np.ndarray:
    """(H, W) bool: where a picture differs from the print, both (H, W, 3) BGR, by a piece."""
    change = perceived(picture) - perceived(print_)
    change[..., 2] *= np.where(change[..., 2] > 0, _BRIGHTER, 1)
    return np.asarray(np.linalg.norm(change, axis=2) > _DIFFERENT)


def enclosed(
    masks: Sequence[np.ndarray],
    grey: np.ndarray,
    discs: Sequence[WeightedPoint],
    of_colour: Sequence[int],
    radius: float,
) -> np.ndarray:
    """(M,) bool: which discs are inside a rim of another colour, whose top may mirror a lamp.

    ``masks`` (H, W) uint8 are of each colour, ``of_colour`` the discs', ``grey`` (H, W) the board.
    """
    reach, doubted = round(2 * radius), []
    for ((x, y), _), its in zip(discs, of_colour, strict=True):
        left, top = max(0, x - reach), max(0, y - reach)
        box, middle = np.s_[top : y + reach + 1, left : x + reach + 1], (x - left, y - top)
        others = (mask[box] for number, mask in enumerate(masks) if number != its)
        glares = (fill_glare(one, grey[box], _WIDER * radius) & (1 - one) for one in others)
        doubted.append(any(share_of_disc(one, middle, radius) > _LIKELY for one in glares))
    return np.array(doubted, bool)


class RegionCounter:
    """Counts the pieces in the regions of one profile's boards, on a canvas."""

    def __init__(self, profile: Profile, canvas: Canvas, reference: np.ndarray) -> None:
        """``reference`` (S, S, 3) uint8 is the empty board on the canvas."""
        self._canvas, self._game = canvas, profile.game
        self._reference = reference
        self._on_board = canvas.board_mask()
        self._blurred = BlurredReference(reference, self._on_board)
        self.regions = tuple(place for place in profile.places if place.kind == "region")
        self._shapes = [profile.places[region] for region in self.regions]
        self._admitted = [set(profile.game.admits(region)) for region in self.regions]
        self._kinds = [
            piece for piece in profile.game.pieces if any(piece.id in own for own in self._admitted)
        ]
        self._looks = {
            size: [*self._looks_of(size)] for size in {piece.diameter_mm for piece in self._kinds}
        }

    def _looks_of(self, size: float) -> Iterator[Look]:
        """The pieces of a diameter by colour, with faces where those distinguish them."""
        of_size = [piece for piece in self._kinds if piece.diameter_mm == size]
        for colour in dict.fromkeys(piece.colour for piece in of_size):
            own = tuple(piece for piece in of_size if piece.colour == colour)
            together = any(sum(p.id in admits for p in own) > 1 for admits in self._admitted)
            scale = self._canvas.px_per_mm
            yield Look(own, PieceFaces(self._game.id, own, scale) if together else None)

    @cached_property
    def _alike(self) -> Mapping[str, str]:
        """For each piece identified by its face, the first one with the same face."""
        return {
            piece.id: look.pieces[first].id
            for looks in self._looks.values()
            for look in looks
            if look.faces is not None
            for piece, first in zip(look.pieces, look.faces.alike, strict=True)
        }

    @cached_property
    def _numbers(self) -> np.ndarray:
        """(S, S) int16, the number of the region at each pixel, from 1; 0 outside."""
        numbers = np.zeros((self._canvas.side_px, self._canvas.side_px), np.int16)
        for number, shape in enumerate(self._shapes, start=1):
            corners = self._canvas.to_px(np.array(shape.outline))
            cv2.fillPoly(numbers, [np.round(corners * 8).astype(np.int32)], number, cv2.LINE_8, 3)
        return numbers

    def count(
        self,
        board: RectifiedBoard,
        colour_profile: ColourProfile,
        piece_roles: Mapping[str, str] | None = None,
        wanted: Collection[Place] | None = None,
    ) -> dict[Place, RegionCount]:
        """Count the pieces in each region, by `colour_profile` or else the game's colours.

        With `piece_roles` only pieces with a role are counted, under that role. Only `wanted`
        regions are returned.
        """
        roles = (
            {piece.id: piece.id for piece in self._kinds} if piece_roles is None else piece_roles
        )
        print_ = self._blurred.like(board.normalized)
        different = differs(board.normalized, print_)
        numbers = [n for n, place in enumerate(self.regions) if wanted is None or place in wanted]
        covered = different & self._around(numbers)
        nearest, shaded = self._colours_and_shadows(board, print_, different, covered, roles)
        loose = (covered & (nearest < len(self._colours))).astype(np.float32)
        found: list[dict[str, list[float]]] = [{} for _ in self.regions]
        for size in sorted({piece.diameter_mm for piece in self._kinds}, reverse=True):
            radius = size / 2 * self._canvas.px_per_mm
            admitting, least = self._looked_for(size)
            playing = [
                number
                for number, look in enumerate(self._looks[size])
                if any(piece.id in roles for piece in look.pieces)
            ]
            if not playing:
                continue
            looks = [self._looks[size][number] for number in playing]
            of_size = [piece for look in looks for piece in look.pieces]
            left = np.ones(len(of_size))
            if finder := self._faces.get(size):
                faces = finder.find(board.normalized, admitting[self._numbers], different)
                chances = faces.chances[:, playing]  # each of these looks is one piece
                self._note(found, faces.feet, chances, of_size, roles)
                left -= np.minimum(1, chances.sum(axis=0))
                for face, foot in faces.probable:
                    cv2.line(loose, face, foot, (0.0,), round(2 * SMEARED * radius))
                if left.sum() < _MISSING:
                    continue
            own = self._own_colours(looks)
            within = self._within(admitting, radius if own else 0)
            if own and board.camera:
                within = np.maximum(within, self._lean_of(within, board.camera))
            part = loose * within
            if own and least != WHOLE:
                part[shaded] = 0
            likely, stand, of_colour = self._candidates(
                board, part, loose, nearest, ~different, looks
            )
            at = [one for one, _ in likely]
            probabilities = weigh_own_colour(
                self._classify(board, print_, at, looks, colour_profile), of_colour
            )
            if of_colour:
                heaped = {number for number, look in enumerate(looks) if not look.pieces[0].owner}
                probabilities = reconcile_colours(
                    probabilities, of_colour, likely, radius, heaped, is_whole=least == WHOLE
                )
            stand += at[len(stand) :]
            probabilities, shown = weigh_faces(board.normalized, looks, probabilities, at)
            for (x, y), chance, kinds in zip(
                at, [one for _, one in likely], probabilities, strict=True
            ):
                if chance * kinds.sum() > _LIKELY:  # otherwise it may be smaller pieces
                    cv2.circle(loose, (x, y), round(SMEARED * radius), (0.0,), -1)
                    if own and least == WHOLE:
                        clear_sides(loose, nearest, (x, y), radius)
            shares = [look.shares(own) for look, own in zip(looks, shown, strict=True)]
            single = np.array([piece.supply == 1 for piece in of_size])
            there = np.array([chance for _, chance in likely])
            chances = there[:, None] * left * each_once(np.hstack(shares), there, single)
            self._note(found, np.array(stand).reshape(-1, 2), chances, of_size, roles)
        return {
            region: RegionCount(
                {
                    piece: count_distribution(np.array(found[number].get(piece, [])))
                    for piece in dict.fromkeys(roles.values())
                    if piece in self._admitted[number]
                },
                bool(different[self._numbers == number + 1].mean() > _HIDING)
                and sum(map(sum, found[number].values())) < _LIKELY,
                self._larger(number, roles),
                self._alike,
            )
            for number, region in enumerate(self.regions)
            if number in numbers
        }

    def _around(self, numbers: Sequence[int]) -> np.ndarray:
        """(S, S) bool: the regions of these indices, and where pieces reach over their rims.

        True everywhere if these are all regions.
        """
        if len(numbers) == len(self.regions):
            return np.ones_like(self._on_board)
        chosen = np.isin(np.arange(-1, len(self.regions)), numbers)
        return self._within(chosen, max(self._looks) * self._canvas.px_per_mm) > 0

    def _candidates(
        self,
        board: RectifiedBoard,
        part: np.ndarray,
        loose: np.ndarray,
        nearest: np.ndarray,
        bare: np.ndarray,
        looks: Sequence[Look],
    ) -> tuple[list[WeightedPoint], list[PixelPoint], list[int]]:
        """Candidate pieces of one size in `part` (S, S).

        Returns (top, chance) of each, the feet of the first (the smallest pieces, found by colour,
        only), and the look numbers of the first (those found by colour).
        """
        size = looks[0].pieces[0].diameter_mm
        radius, least = size / 2 * self._canvas.px_per_mm, self._looked_for(size)[1]
        own = self._own_colours(looks)
        stand: list[PixelPoint] = []
        if own and least != WHOLE:
            each = self._solids(board, part > 0, nearest, bare, looks)
            of_colour, stand = [one.colour for one in each], [one.foot for one in each]
            likely = [(one.top, one.chance) for one in each]
        else:
            alike = {colour: self._printed_alike[colour] & bare for colour in own}
            discs, of_colour = candidate_discs(part, nearest, alike, radius, least)
            if least == WHOLE:
                there = weigh_whole(discs, bool(own))
                if own and discs:
                    grey = cv2.cvtColor(board.normalized, cv2.COLOR_BGR2GRAY)
                    masks = [((nearest == one) & (part > 0)).astype(np.uint8) for one in own]
                    doubted = enclosed(masks, grey, discs, of_colour, radius)
                    there[doubted] = np.minimum(there[doubted], _MIRRORED)
                elif not own:
                    there *= weigh_alone(loose, self._numbers, discs, radius)
            else:
                there = weigh_beside_sides(discs, radius)
            likely = [*zip((at for at, _ in discs), there.tolist(), strict=True)]
            if len(looks) == 1:
                likely = weigh_alike(likely, board.normalized, radius)
            likely += self._more_beneath(loose, likely, size)
        likely += [(at, _BENEATH) for at in heaps(likely, radius)]
        return likely, stand, of_colour

    def _solids(
        self,
        board: RectifiedBoard,
        part: np.ndarray,
        nearest: np.ndarray,
        bare: np.ndarray,
        looks: Sequence[Look],
    ) -> list[Solid]:
        """The smallest pieces by colour, numbered as looks, in `part` (S, S) bool.

        Players' pieces share one height, all others another.
        """
        radius = looks[0].pieces[0].diameter_mm / 2 * self._canvas.px_per_mm

        def parallax_shift(at: np.ndarray, height: float) -> np.ndarray:
            if board.camera is None:
                return np.zeros(2)
            there = self._canvas.to_mm(at[None])[0]
            return board.camera.parallax_shift(there, height) * self._canvas.px_per_mm

        first = [look.pieces[0] for look in looks]
        grey = cv2.cvtColor(board.normalized, cv2.COLOR_BGR2GRAY)
        masks = [
            fill_glare(
                ((nearest == self._colours.index(piece.colour)) & part).astype(np.uint8),
                grey,
                radius,
            )
            for piece in first
        ]
        heights = [int(bool(piece.owner)) for piece in first]
        return solids(masks, heights, bare.astype(np.uint8), radius, parallax_shift)

    def _within(
        self, admitting: np.ndarray, radius: float, crop: tuple[slice, slice] = np.s_[:, :]
    ) -> np.ndarray:
        """(H, W) float32 of the canvas or a crop of it, 1 where a piece may be visible.

        It has that radius in px, and may reach over rims. ``admitting`` (R + 1,) bool marks the
        regions, by number, in which its centre may be.
        """
        within = admitting[self._numbers[crop]].astype(np.uint8)
        if radius:
            within = cv2.dilate(within, (disc_kernel(_OVER * radius) > 0).astype(np.uint8))
        return np.asarray(within, np.float32)

    def _lean_of(self, within: np.ndarray, camera: CameraPosition) -> np.ndarray:
        """(S, S) float32, 1 where the tops of thick pieces that stand ``within`` are visible."""
        scale = camera.up / max(camera.up - _THICK, _THICK)
        offset = (1 - scale) * self._canvas.to_px(camera.below[None])[0]
        tops = np.array([[scale, 0, offset[0]], [0, scale, offset[1]]])
        return np.asarray(cv2.warpAffine(within, tops, within.shape[::-1], flags=cv2.INTER_NEAREST))

    @cached_property
    def _printed_alike(self) -> Sequence[np.ndarray]:
        """(S, S) bool per colour, where the print has nearly the same."""
        own = np.array([[Swatch("", colour).bgr for colour in self._colours]], np.float32)
        printed = perceived(self._reference)
        return [np.linalg.norm(printed - one, axis=2) < _DIFFERENT for one in perceived(own)[0]]

    def _own_colours(self, looks: Sequence[Look]) -> Sequence[int]:
        """The colours of pieces that share regions with other sizes and have no faces."""
        has_faces = any(look.faces is not None for look in looks)
        if not self._is_mixed or has_faces or len(looks) == 1:
            return ()
        return [self._colours.index(look.pieces[0].colour) for look in looks]

    @cached_property
    def _is_mixed(self) -> bool:
        """Whether pieces of several sizes share a region and the larger ones have no faces."""
        without_faces = self._looks.keys() - self._faces.keys()
        return any(self._looked_for(size)[1] == WHOLE for size in without_faces)

    @cached_property
    def _colours(self) -> Sequence[str]:
        """The distinct colours of all kinds."""
        return [*dict.fromkeys(piece.colour for piece in self._kinds)]

    def _colours_and_shadows(
        self,
        board: RectifiedBoard,
        print_: np.ndarray,
        different: np.ndarray,
        covered: np.ndarray,
        roles: Mapping[str, str],
    ) -> tuple[np.ndarray, np.ndarray]:
        """(S, S) int, the nearest colour of mixed kinds with `roles`, by pixel, and shadows.

        Pixels that are not ``covered``, (S, S) bool, or unlit have one number more. All are 0 if no
        kinds are mixed or none of them plays. The shadows of the empty board are (S, S) bool;
        ``different`` (S, S) bool is where it is not visible.
        """
        mixed = {
            piece.colour
            for looks in self._looks.values()
            for look in looks
            for piece in look.pieces
            if self._own_colours(looks) and piece.id in roles
        }
        if not (self._is_mixed and mixed):
            return np.zeros(different.shape, int), np.zeros(different.shape, bool)
        bare, covers = ~different & self._on_board, different & self._on_board
        picture = open_shadows(board, print_, bare, covers)
        nearest = nearest_colours(picture, self._colours, mixed, covered)
        return nearest, shadows(nearest, picture, print_, self._colours)

    def _looked_for(self, size: float) -> tuple[np.ndarray, float]:
        """(R + 1,) whether each region's number admits pieces of a diameter, and the least fill.

        Number 0, outside the regions, admits none.
        """
        sizes = [
            {piece.diameter_mm for piece in self._kinds if piece.id in own}
            for own in self._admitted
        ]
        least = WHOLE if any(size in own and min(own) < size for own in sizes) else SEED
        return np.array([False, *(size in own for own in sizes)]), least

    def _more_beneath(
        self, loose: np.ndarray, likely: Sequence[WeightedPoint], size: float
    ) -> Iterator[WeightedPoint]:
        """Positions and probabilities of one more piece beneath others in a region of one kind.

        A heap covers more of the difference from the print, ``loose`` (S, S), than its discs do,
        also beyond the rim where no region is. Misaligned lines of the print are narrower than a
        piece.
        """
        radius = size / 2 * self._canvas.px_per_mm
        brush = disc_kernel(_BRUSH * radius) > 0
        for number, admitted in enumerate(self._admitted, start=1):
            there = [
                at
                for at, chance in likely
                if chance > _LIKELY and self._numbers[at[::-1]] == number
            ]
            if there and len(admitted) == 1:
                crop = self._box(number, 2 * radius)
                only = np.arange(len(self._admitted) + 1) == number
                about = self._within(only, 2 * radius, crop) > 0
                about &= np.isin(self._numbers[crop], (0, number))
                own = (about & (loose[crop] > 0)).astype(np.uint8)
                wide = cv2.morphologyEx(own, cv2.MORPH_OPEN, brush.astype(np.uint8))
                _, parts = cv2.connectedComponents(wide)
                rows, columns = crop
                of_pieces = {int(parts[y - rows.start, x - columns.start]) for x, y in there} - {0}
                covered = np.isin(parts, [*of_pieces]).sum() / (math.pi * radius**2)
                more = float(covered) - len(there)
                if more > _SPREAD:
                    yield there[0], min(more, _MOST_BENEATH)

    def _box(self, number: int, around: float) -> tuple[slice, slice]:
        """The rows and columns of the canvas of a region and that many px around it."""
        x, y, width, height = cv2.boundingRect((self._numbers == number).astype(np.uint8))
        more = math.ceil(around) + 2
        left, top = max(0, x - more), max(0, y - more)
        return slice(top, y + height + more), slice(left, x + width + more)

    def _classify(
        self,
        board: RectifiedBoard,
        print_: np.ndarray,
        at: list[PixelPoint],
        looks: Sequence[Look],
        colour_profile: ColourProfile,
    ) -> np.ndarray:
        """(M, K) probabilities of K looks at M points of the canvas, in px.

        All are of one diameter.
        """
        kinds = [look.pieces[0] for look in looks]
        if not at:
            return np.zeros((0, len(kinds)))
        size = kinds[0].diameter_mm
        shapes = [Circle((x, y), size / 2) for x, y in self._canvas.to_mm(np.array(at)).tolist()]
        grid = patch_grid(shapes)
        places = self._canvas.to_px(grid.reshape(-1, 2)).reshape(grid.shape)
        known, on = cut(print_, places), patch_masks(shapes)
        raw, names = cut(brightest(board.raw), places), [piece.id for piece in kinds]

        def chances_in(shown: np.ndarray) -> np.ndarray:
            patches, on_links = join_patches(shown, raw, known, on), np.zeros(len(at), bool)
            odds = place_odds(self._game.id, patches, on_links, kinds, colour_profile)[:, :-1]
            colours = PieceColours(piece_colours(shown, known, on), np.zeros(len(at)))
            odds = weigh_colours(odds, colours, names, known_colours(self._game, colour_profile))
            odds -= np.logaddexp.reduce(odds, axis=1, keepdims=True)
            return np.asarray(np.exp(odds[:, :-1]))

        chances = chances_in(cut(board.normalized, places))
        if board.light is None or len(kinds) == 1:
            return chances
        middles = (places.mean(axis=(1, 2)) + 0.5) / self._canvas.side_px
        paler = board.light.normalize_paler(cut(board.raw, places), middles)
        return blend_kinds(chances, chances_in(paler))

    @cached_property
    def _faces(self) -> Mapping[float, FaceFinder]:
        """Face finders by diameter in mm, where there is one piece of each face."""
        return {
            size: FaceFinder(
                [
                    draw_face(self._game.id, look.pieces[0], self._canvas.px_per_mm)
                    for look in looks
                ],
                size / 2 * self._canvas.px_per_mm,
            )
            for size, looks in self._looks.items()
            if len(looks) > 1 and all([one.supply for one in own.pieces] == [1] for own in looks)
        }

    def _note(
        self,
        found: list[dict[str, list[float]]],
        at: np.ndarray,
        chances: np.ndarray,
        kinds: Sequence[Piece],
        roles: Mapping[str, str],
    ) -> None:
        """Add the probabilities (M, K) of pieces at (M, 2) px to their regions."""
        for (x, y), of_kinds in zip(np.round(at).astype(int).tolist(), chances, strict=True):
            regions = dict(self._regions_at((x, y), kinds[0].diameter_mm))
            for piece, chance in zip(kinds, of_kinds.tolist(), strict=True):
                if piece.id not in roles:
                    continue
                own = {n: share for n, share in regions.items() if piece.id in self._admitted[n]}
                within = sum(own.values())
                for number, share in own.items():
                    there = chance * share / (within if within > _REACHES else 1)
                    found[number].setdefault(roles[piece.id], []).append(there)

    def _larger(self, number: int, roles: Mapping[str, str]) -> dict[str, str]:
        """Roles of players' pieces in a region that come in a larger size, and the larger ones'."""
        return {
            roles[small.id]: roles[large.id]
            for small, large in permutations(self._kinds, 2)
            if small.owner
            and (large.owner, large.colour) == (small.owner, small.colour)
            and large.diameter_mm > small.diameter_mm
            and {small.id, large.id} <= self._admitted[number] & roles.keys()
        }

    def _regions_at(self, at: PixelPoint, diameter: float) -> Iterator[tuple[int, float]]:
        """The indices of the regions about a piece's centre, and each one's share."""
        x, y = np.clip(at, 0, self._canvas.side_px - 1).tolist()
        reach = max(1, round(_MIDDLE * diameter / 2 * self._canvas.px_per_mm))
        around = self._numbers[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        for number in np.unique(around[around > 0]):
            yield int(number) - 1, float((around == number).sum() / (around > 0).sum())
