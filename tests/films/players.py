"""What players put on the boards of a film: mostly what the rules allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration import Profile
from models.polaris.moon_frame import turn_frame
from models.polaris.skies import play_card, random_sky
from models.polaris.synthesis import faced_sector
from models.synthesis.plugin import synthesis
from models.synthesis.position import landing, pick, regions, room, single_places
from models.synthesis.texture import Rng
from scorer.nebula.contract import NEBULA
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Place
from scorer.polaris.board import SkyBoard
from scorer.polaris.edition import load_edition
from scorer.polaris.printed import sector_direction
from scorer.polaris.words import COLOURS as SKY_COLOURS

MISTAKEN = 0.06
"""The share of placements that break a rule, once a few pieces are on the board."""
REPLACED = 0.08
"""The share of placements that replace a piece although places are free."""
_TRIES = 60
"""The number of random placements tried to find a legal one."""
_BLACK_STARS = 0.16
"""The share of Nebula's placements that are black stars, while the track has room."""
_UNDER_WAY = 40
"""The most turns of Polaris played before a film begins."""


@dataclass(frozen=True)
class Placement:
    """A piece put on a place; a `mistake` is taken back later.

    On a track it goes to the first free slot, whichever slot `place` is.
    """

    place: Place
    piece: str
    mistake: bool = False


class FilmPlayer:
    """How any game is played in a film."""

    def opening(self, rng: Rng, profile: Profile) -> Mapping[Place, str]:
        """The pieces on a board when a film begins."""
        return {}

    def placement(
        self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]
    ) -> Placement | None:
        """The next placement, given the pieces on the board; None for none.

        Any piece that breaks no rule, and sometimes one that does.
        """
        return random_placement(rng, profile, pieces)

    def turning(
        self,
        rng: Rng,
        profile: Profile,
        before: Mapping[Place, str],
        after: Mapping[Place, str],
        share: float,
    ) -> Profile:
        """The board while a hand turns its dial, at `share` (0 to 1) of the rotation.

        `rng` is in the state in which `Synthesis.board` gets it at the end. The dial jumps halfway.
        """
        pieces = after if share >= 0.5 else before
        return synthesis(profile.layout.game).board(rng, profile, pieces)


def random_placement(rng: Rng, profile: Profile, present: Mapping[Place, str]) -> Placement | None:
    """A piece on a free place, now and then in place of another; mostly as the rules have it.

    None where there is nothing to put that the rules allow.
    """
    game = profile.game

    def broken(pieces: Mapping[Place, str]) -> int:
        return len(game.rule_breaks(game.position(profile.board, pieces)))

    before = broken(present)
    mistaken = len(present) > 3 and rng.random() < MISTAKEN
    single = [place for place in single_places(profile) if game.admits(place)]
    tracks = (landing(Place(track, "track"), present) for track in profile.tracks)
    free = [place for place in single if place not in present]
    free += [slot for slot in tracks if slot in profile.places]
    slots = (landing(region, present) for region in regions(profile))
    free += [slot for slot in slots if slot.slot < room(profile, slot)]
    if rng.random() < REPLACED:
        free = []
    legal = None
    for among in filter(None, (free, single)):
        for _ in range(_TRIES):
            place = pick(rng, among)
            piece = pick(rng, game.admits(place))
            if present.get(place) == piece:
                continue
            placement = Placement(place, piece, broken({**present, place: piece}) > before)
            if placement.mistake == mistaken:
                return placement
            legal = legal if placement.mistake else placement
    return legal


def next_piece(rng: Rng, board: SkyBoard, pieces: Mapping[Place, str]) -> tuple[Place, str] | None:
    """The next piece placed: a star of a colour that is on the board, or a link; None if none."""
    colours = sorted({piece for piece in pieces.values() if piece in SKY_COLOURS})
    after = dict(pieces)
    play_card(rng, board, after, pick(rng, colours or load_edition("standard").colours))
    laid = [one for one in after.items() if one[0] not in pieces]
    return pick(rng, laid) if laid else None


class NebulaPlayer(FilmPlayer):
    def placement(self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]) -> Placement:
        """A legal placement, or by mistake a star on a random empty space away from the core."""
        galaxy = NEBULA.position(profile.board, pieces)
        stars, board = galaxy.stars, galaxy.board
        if galaxy.black < len(profile.tracks[BLACK]) and rng.random() < _BLACK_STARS:
            return Placement(Place(BLACK, "track"), BLACK)
        if len(stars) > 3 and rng.random() < MISTAKEN:
            empty = [s for s in galaxy.empty() if s not in board.neighbours(board.core)]
            if empty:
                return Placement(Place(pick(rng, empty)), pick(rng, COLOURS), mistake=True)
        legal = list(galaxy.legal_placements())
        new = [(space, star) for space, star in legal if space not in stars]
        if not new or rng.random() < REPLACED:
            new = [(space, star) for space, star in legal if stars.get(space) != star] or new
        space, star = pick(rng, new)
        return Placement(Place(space), star)


class PolarisPlayer(FilmPlayer):
    def opening(self, rng: Rng, profile: Profile) -> Mapping[Place, str]:
        """A sky in the middle of a game."""
        return random_sky(rng, profile.board, _UNDER_WAY)

    def placement(
        self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]
    ) -> Placement | None:
        """A star or a link on a free place; sometimes a star that replaces another (P37)."""
        taken = [place for place, piece in pieces.items() if piece in SKY_COLOURS]
        if taken and rng.random() < MISTAKEN:
            place = pick(rng, taken)
            others = sorted(
                {piece for piece in pieces.values() if piece in SKY_COLOURS} - {pieces[place]}
            )
            if others:
                return Placement(place, pick(rng, others), mistake=True)
        found = next_piece(rng, profile.board, pieces)
        return None if found is None else Placement(*found)

    def turning(
        self,
        rng: Rng,
        profile: Profile,
        before: Mapping[Place, str],
        after: Mapping[Place, str],
        share: float,
    ) -> Profile:
        """The frame during its rotation, in the shorter direction."""
        old, new = faced_sector(profile, before), faced_sector(profile, after)
        way = sector_direction(profile.board, new, profile.places)
        way -= sector_direction(profile.board, old, profile.places)
        way = (way + 180) % 360 - 180
        return turn_frame(rng, profile, new, short=(1 - share) * way)


def player_of(game: str) -> FilmPlayer:
    """Who plays a game in films."""
    return {"nebula": NebulaPlayer(), "polaris": PolarisPlayer()}.get(game, FilmPlayer())
