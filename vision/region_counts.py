"""Region counts: how many pieces of each kind are in a region, by size and appearance.

The area that differs from the print is covered greedily with discs of the pieces' diameter. The
filled share of a disc gives the probability of a piece: one half under another fills half of its
own, which leaves open whether it is there at all. So do the sides of thick pieces, whose visible
extent is estimated from the pieces that are certain. Where pieces of several sizes are together,
the smallest are counted by colour, by `region_solids`. These candidates are measured by
`region_candidates`; here they are weighed: the kind, if any, comes from the network as on places
for one piece.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import permutations

import cv2
import numpy as np

from calibration import Profile
from calibration.colour_profile import ColourProfile
from scorer.places import Circle, Place
from scorer.table import Piece
from vision.board_print import RectifiedBoard
from vision.colour_likelihood import PieceColours, weigh_colours
from vision.decode import count_distribution
from vision.illumination import brightest
from vision.piece_faces import PieceFaces, draw_face
from vision.place_network import blend_kinds, join_patches, known_colours, place_odds
from vision.place_patches import BlurredReference, cut, patch_grid, patch_masks, piece_colours
from vision.print_tints import PrintTints
from vision.printed_faces import FaceFinder
from vision.rectify import Canvas
from vision.region_areas import RegionAreas
from vision.region_candidates import LIKELY, CandidateFinder, PieceSize, RegionPixels, differs
from vision.region_chances import RegionCount
from vision.region_colours import (
    LastViews,
    PieceViews,
    area_middles,
    colours_as_seen,
    fill_mirrors,
    is_like_shadow,
    light_tops,
    nearest_colours,
    open_shadows,
    shadows,
)
from vision.region_discs import SMEARED, PixelPoint, clear_sides
from vision.region_looks import Look, each_once, reconcile_colours, weigh_faces, weigh_own_colour
from vision.region_pieces import FoundPiece, by_rules, chances_by_region

_HIDING = 0.5
"""Share of a region from which a difference that is no piece hides it."""
_ON_OTHERS = 0.15
"""Probability that a piece beside others is on top of one of them."""
_MISSING = 0.5
"""Expected number of unfound pieces with faces below which no further search is made."""


class RegionCounter:
    """Counts the pieces in the regions of one profile's boards, on a canvas."""

    def __init__(self, profile: Profile, canvas: Canvas, reference: np.ndarray) -> None:
        """``reference`` (S, S, 3) uint8 is the empty board on the canvas."""
        self._game, self._areas = profile.game, RegionAreas(profile, canvas)
        self._on_board = canvas.board_mask()
        self._blurred = BlurredReference(reference, self._on_board)
        self._tints = PrintTints(reference, self._areas.numbers)
        sizes = {piece.diameter_mm for piece in self._areas.kinds}
        self._looks = {size: [*self._looks_of(size)] for size in sizes}
        self._candidates = CandidateFinder(self._areas, reference, self._colours)

    @property
    def regions(self) -> Sequence[Place]:
        return self._areas.regions

    def _looks_of(self, size: float) -> Iterator[Look]:
        """The pieces of a diameter by colour, with faces where those distinguish them."""
        of_size = [piece for piece in self._areas.kinds if piece.diameter_mm == size]
        for colour in dict.fromkeys(piece.colour for piece in of_size):
            own = tuple(piece for piece in of_size if piece.colour == colour)
            together = any(sum(p.id in admits for p in own) > 1 for admits in self._areas.admitted)
            scale = self._areas.canvas.px_per_mm
            yield Look(own, PieceFaces(self._game.id, own, scale) if together else None)

    def _playing(self, size: float, roles: Mapping[str, str]) -> Sequence[Look]:
        """The looks of pieces of a size that have a role."""
        return [look for look in self._looks[size] if any(one.id in roles for one in look.pieces)]

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

    def count(
        self,
        board: RectifiedBoard,
        colour_profile: ColourProfile,
        piece_roles: Mapping[str, str] | None = None,
        wanted: Collection[Place] | None = None,
        broken: Callable[[Place, Mapping[str, int]], int] | None = None,
        last_views: LastViews | None = None,
    ) -> dict[Place, RegionCount]:
        """Count the pieces in each region, by `colour_profile` or else the game's colours.

        With `piece_roles` only pieces with a role are counted, under that role. Only `wanted`
        regions are returned. ``broken``: the number of rules that contents of a region break.
        ``last_views``: of this table's pieces, those in other regions included.
        """
        areas = self._areas
        roles = (
            {piece.id: piece.id for piece in areas.kinds} if piece_roles is None else piece_roles
        )
        numbers = [n for n, place in enumerate(self.regions) if wanted is None or place in wanted]
        pixels = self._measure(board, numbers, roles)
        coloured = [size for size in self._coloured if self._playing(size, roles)]
        pieces, largest = list[FoundPiece](), max(coloured, default=None)
        for diameter in sorted(self._looks, reverse=True):
            looks = self._playing(diameter, roles)
            if not looks:
                continue
            if diameter == largest:
                pixels = self._in_its_colours(pixels, roles, colour_profile, numbers, last_views)
            left = self._count_faces(pixels, diameter, looks, pieces, roles)
            if left.sum() >= _MISSING:
                size = PieceSize(
                    diameter, looks, self._own_colours(looks), areas.has_smaller(diameter)
                )
                self._count_candidates(pixels, size, left, pieces, roles, colour_profile)
        if broken is not None:
            admitted = [{roles[own] for own in each & roles.keys()} for each in areas.admitted]
            larger = [self._larger(number, roles) for number in range(len(self.regions))]
            pieces = by_rules(
                pieces, admitted, larger, lambda at, own: broken(self.regions[at], own)
            )
        found = chances_by_region(pieces, numbers)
        return {
            region: RegionCount(
                {
                    piece: count_distribution(np.array(found[number].get(piece, [])))
                    for piece in dict.fromkeys(roles.values())
                    if piece in areas.admitted[number]
                },
                bool(pixels.different[areas.numbers == number + 1].mean() > _HIDING)
                and sum(map(sum, found[number].values())) < LIKELY,
                self._larger(number, roles),
                self._alike,
            )
            for number, region in enumerate(self.regions)
            if number in found
        }

    def _measure(
        self, board: RectifiedBoard, numbers: Sequence[int], roles: Mapping[str, str]
    ) -> RegionPixels:
        """The board's pixels; loose are those about the regions of these indices."""
        print_ = self._blurred.like(board.normalized)
        seen = self._tints.as_seen(print_, board.normalized)
        different = differs(board.normalized, print_) & differs(board.normalized, seen)
        largest = max(self._looks, default=0.0)
        about = self._areas.around(numbers, 2 * self._areas.radius_px(largest))
        covered = different & about & self._on_board  # the table is as different as a piece
        opened, nearest, shaded = self._colours_and_shadows(
            board, print_, different, covered, roles
        )
        loose = (covered & (nearest < len(self._colours))).astype(np.float32)
        return RegionPixels(board, print_, different, opened, nearest, shaded, loose)

    def _count_faces(
        self,
        pixels: RegionPixels,
        diameter: float,
        looks: Sequence[Look],
        found: list[FoundPiece],
        roles: Mapping[str, str],
    ) -> np.ndarray:
        """Count pieces by their printed faces, where each of the looks is one piece.

        Returns the expected numbers of pieces left, (K,) by kind. What is found is loose no more.
        """
        of_size = [piece for look in looks for piece in look.pieces]
        finder = self._faces.get(diameter)
        if finder is None:
            return np.ones(len(of_size))
        areas, playing = self._areas, [self._looks[diameter].index(look) for look in looks]
        admitting = areas.admitting(diameter)[areas.numbers]
        faces = finder.find(pixels.board.normalized, admitting, pixels.different)
        chances = faces.chances[:, playing]
        self._note(found, faces.feet, chances.sum(axis=1), chances, of_size, roles)
        width = round(2 * SMEARED * areas.radius_px(diameter))
        for face, foot in faces.probable:
            cv2.line(pixels.loose, face, foot, (0.0,), width)
        return np.asarray(1 - np.minimum(1, chances.sum(axis=0)))

    def _count_candidates(
        self,
        pixels: RegionPixels,
        size: PieceSize,
        left: np.ndarray,
        found: list[FoundPiece],
        roles: Mapping[str, str],
        colour_profile: ColourProfile,
    ) -> None:
        """Count the candidates of a size; ``left`` (K,) are the expected numbers of its pieces.

        Likely ones are loose no more.
        """
        looks, radius = size.looks, self._areas.radius_px(size.diameter)
        candidates = self._candidates.find(pixels, size)
        at, of_colour = candidates.tops, candidates.of_colour
        probabilities = weigh_own_colour(
            self._classify(pixels.board, pixels.print_, at, looks, colour_profile), of_colour
        )
        heaped = [number for number, look in enumerate(looks) if not look.pieces[0].owner]
        if of_colour:
            probabilities = reconcile_colours(
                probabilities,
                of_colour,
                candidates.likely,
                radius,
                heaped,
                is_whole=size.among_smaller,
                parts=size.parts,
            )
        hidden = len(at) - candidates.hidden
        kinds = heaped or [*range(len(looks))]
        probabilities[hidden:] = 0
        probabilities[hidden:, kinds] = 1 / len(kinds)
        probabilities, shown = weigh_faces(pixels.board.normalized, looks, probabilities, at)
        certain = [  # the others may be smaller pieces
            top
            for (top, chance), kinds in zip(candidates.likely, probabilities, strict=True)
            if chance * kinds.sum() > LIKELY
        ]
        if self._is_mixed and len(self._looks[size.diameter]) == 1:
            pixels.lay_beneath(certain, SMEARED * radius, self._colours)
            certain = []
        for top in certain:
            cv2.circle(pixels.loose, top, round(SMEARED * radius), (0.0,), -1)
            if size.own and size.among_smaller:
                clear_sides(pixels.loose, pixels.nearest, top, radius)
        of_size = [piece for look in looks for piece in look.pieces]
        there = np.array([chance for _, chance in candidates.likely])
        shares = [look.shares(own, there) for look, own in zip(looks, shown, strict=True)]
        single = np.array([piece.supply == 1 for piece in of_size])
        chances = there[:, None] * left * each_once(np.hstack(shares), there, single)
        self._note(
            found, candidates.stand, there, chances, of_size, roles, candidates.stand_on_others
        )

    def _own_colours(self, looks: Sequence[Look]) -> Sequence[int]:
        """The colours of pieces without faces that share regions with other sizes.

        What does so on another board of the game is found alike on this one.
        """
        has_faces = any(look.faces is not None for look in looks)
        (size,) = {look.pieces[0].diameter_mm for look in looks}
        if (
            has_faces
            or len(looks) == 1
            or not (self._is_mixed or size in self._areas.mixed_elsewhere)
        ):
            return ()
        return [self._colours.index(look.pieces[0].colour) for look in looks]

    @cached_property
    def _coloured(self) -> Sequence[float]:
        """The diameters of pieces that are found by colour."""
        return [size for size, looks in self._looks.items() if self._own_colours(looks)]

    @cached_property
    def _is_mixed(self) -> bool:
        """Whether pieces of several sizes share a region and the larger ones have no faces."""
        without_faces = self._looks.keys() - self._faces.keys()
        return any(map(self._areas.has_smaller, without_faces))

    @cached_property
    def _colours(self) -> Sequence[str]:
        """The distinct colours of all kinds."""
        return [*dict.fromkeys(piece.colour for piece in self._areas.kinds)]

    def _colours_and_shadows(
        self,
        board: RectifiedBoard,
        print_: np.ndarray,
        different: np.ndarray,
        covered: np.ndarray,
        roles: Mapping[str, str],
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A board with its shadows opened; the nearest colour of kinds with `roles`; shadows.

        They are (S, S, 3) uint8, (S, S) int and (S, S) bool. Pixels that are not ``covered``,
        (S, S) bool, or unlit have one number more; all have 0 if no kinds are found by colour or
        none of them plays. ``different`` (S, S) bool is where the empty board is not visible.
        """
        mixed = self._mixed(roles)
        if not mixed:
            nothing = np.zeros(different.shape, bool)
            return board.normalized, nothing.astype(int), nothing
        bare, covers = ~different & self._on_board, different & self._on_board
        picture = open_shadows(board, print_, bare, covers)
        found = self._nearest(board, print_, picture, covered, mixed, self._colours)
        return picture, *found

    def _nearest(
        self,
        board: RectifiedBoard,
        print_: np.ndarray,
        picture: np.ndarray,
        covered: np.ndarray,
        mixed: Collection[int],
        colours: Sequence[str],
    ) -> tuple[np.ndarray, np.ndarray]:
        """The last two of `_colours_and_shadows`, by the ``colours`` that this board shows.

        The first is its ``picture``; ``mixed`` are the numbers of the colours that may be there.
        What is like a shadow or a mirrored lamp goes by the game's: boards change hues alone.
        """
        nearest = nearest_colours(picture, colours, {colours[one] for one in mixed}, covered)
        shaded = shadows(nearest, picture, print_, colours)
        radius, none, least = self._areas.radius_px, len(self._colours), min(self._coloured)
        if not (board.light and board.light.is_burnt_out(board.raw[self._on_board])):
            for number in mixed:
                if is_like_shadow(self._colours[number]):
                    unlit = covered & (nearest == none)
                    light_tops(nearest, number, unlit, shaded, radius(least))
        largest = max(self._coloured)
        its = {look.pieces[0].colour for look in self._looks[largest]}
        its &= {self._colours[one] for one in mixed}
        fill_mirrors(nearest, self._colours, its, shaded, radius(largest))
        return nearest, shaded

    def _mixed(self, roles: Mapping[str, str]) -> Collection[int]:
        """The numbers of the colours of pieces with `roles` that are found by these."""
        playing = {
            piece.colour
            for size in self._coloured
            for look in self._looks[size]
            for piece in look.pieces
            if piece.id in roles
        }
        return [number for number, colour in enumerate(self._colours) if colour in playing]

    def _in_its_colours(
        self,
        pixels: RegionPixels,
        roles: Mapping[str, str],
        colour_profile: ColourProfile,
        numbers: Sequence[int],
        last_views: LastViews | None,
    ) -> RegionPixels:
        """``pixels`` with `nearest` and `shaded` by the colours that this board shows.

        They are learnt from what is loose and as large as the smallest pieces: larger ones that
        are found by their faces, or lie beneath others, must have been found before.
        """
        looks, mixed = self._playing(min(self._coloured), roles), self._mixed(roles)
        own = [self._colours.index(look.pieces[0].colour) for look in looks]
        areas, least, loose = self._areas, min(self._coloured), pixels.loose > 0
        radius, lying = areas.radius_px(least), loose & areas.admitting(least)[areas.numbers]
        found = [area_middles((pixels.nearest == one) & lying, radius) for one in own]
        points = [(int(x), int(y)) for x, y in np.vstack([np.zeros((0, 2), int), *found])]
        chances = self._classify(pixels.board, pixels.print_, points, looks, colour_profile)
        pieces = chances.sum(axis=1) > LIKELY
        if not pieces.any():
            return pixels
        x, y = np.array(points)[pieces].T
        shown = cv2.medianBlur(pixels.opened, 2 * round(radius / 2) + 1)[y, x]
        kinds = np.repeat(np.arange(len(own)), [len(one) for one in found])[pieces]
        names = [self._colours[one] for one in own]
        views = PieceViews(names, np.array(points)[pieces], shown, kinds, chances[pieces])
        if last_views is not None:
            visible = np.isin(areas.numbers, np.array(numbers) + 1)
            views = last_views.with_covered(views, visible)
        seen = dict(zip(names, colours_as_seen(views), strict=True))
        colours = [seen.get(one, one) for one in self._colours]
        if colours == self._colours:
            return pixels
        board, print_, picture = pixels.board, pixels.print_, pixels.opened
        nearest, shaded = self._nearest(board, print_, picture, loose, mixed, colours)
        return replace(pixels, nearest=nearest, shaded=shaded)

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
        size, canvas = kinds[0].diameter_mm, self._areas.canvas
        shapes = [Circle((x, y), size / 2) for x, y in canvas.to_mm(np.array(at)).tolist()]
        grid = patch_grid(shapes)
        places = canvas.to_px(grid.reshape(-1, 2)).reshape(grid.shape)
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
        middles = (places.mean(axis=(1, 2)) + 0.5) / canvas.side_px
        paler = board.light.normalize_paler(cut(board.raw, places), middles)
        return blend_kinds(chances, chances_in(paler))

    @cached_property
    def _faces(self) -> Mapping[float, FaceFinder]:
        """Face finders by diameter in mm, where there is one piece of each face."""
        return {
            size: FaceFinder(
                [
                    draw_face(self._game.id, look.pieces[0], self._areas.canvas.px_per_mm)
                    for look in looks
                ],
                self._areas.radius_px(size),
            )
            for size, looks in self._looks.items()
            if len(looks) > 1 and all([one.supply for one in own.pieces] == [1] for own in looks)
        }

    def _note(
        self,
        found: list[FoundPiece],
        at: np.ndarray,
        there: np.ndarray,
        chances: np.ndarray,
        kinds: Sequence[Piece],
        roles: Mapping[str, str],
        lower: np.ndarray | None = None,
    ) -> None:
        """Add pieces at (M, 2) px that are ``there`` (M,), of a kind with ``chances`` (M, K).

        ``lower`` (M, 2) px are where they stand if they are on top of others.
        """
        areas, diameter = self._areas, kinds[0].diameter_mm
        for foot, other, is_there, of_kinds in zip(
            at, at if lower is None else lower, there.tolist(), chances.tolist(), strict=True
        ):
            shares: dict[int, float] = {}
            for point, weight in ((foot, 1 - _ON_OTHERS), (other, _ON_OTHERS)):
                x, y = np.round(point).astype(int).tolist()
                for index, share in areas.shares_at((x, y), diameter).items():
                    shares[index] = shares.get(index, 0.0) + weight * share
            own = dict[tuple[int, str], float]()
            for piece, chance in zip(kinds, of_kinds, strict=True):
                if piece.id in roles:
                    for index, share in areas.shares_of(piece.id, shares):
                        spot = index, roles[piece.id]
                        own[spot] = own.get(spot, 0.0) + chance * share
            x, y = np.round(foot).astype(int).tolist()
            found.append(FoundPiece((x, y), areas.radius_px(diameter), is_there, own))

    def _larger(self, number: int, roles: Mapping[str, str]) -> dict[str, str]:
        """Roles of players' pieces in a region that come in a larger size, and the larger ones'."""
        return {
            roles[small.id]: roles[large.id]
            for small, large in permutations(self._areas.kinds, 2)
            if small.owner
            and (large.owner, large.colour) == (small.owner, small.colour)
            and large.diameter_mm > small.diameter_mm
            and {small.id, large.id} <= self._areas.admitted[number] & roles.keys()
        }
