"""Polaris' answers to what the pages ask of a game."""

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from statistics import fmean
from typing import Any

from calibration import Profile
from scorer.flags import RuleBreak
from scorer.polaris import COMMON, PERSONAL, POLARIS, Game, Phase, Player, SkyBoard
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.game import PHASES
from scorer.polaris.sky import UNSCORABLE, Sky, taken_away
from scorer.polaris.words import COLOURS
from scorer.scoresheet import Line
from webapp.app.game_pages import Document, FileParts, GamePages, Guide, Link
from webapp.app.session.flow import Step
from webapp.games.polaris import document
from webapp.games.polaris.guide.game import GuidedPolaris
from webapp.games.polaris.live.game import LivePolaris
from webapp.games.polaris.views import sky_board

STEP_PAGES = {
    "cards": ("polaris.cards", "polaris.phase_points"),
    "personal": ("polaris.personal",),
    "telescopes": ("polaris.telescopes", "polaris.telescope"),
    "stock": ("polaris.stock",),
}
BEYOND_MM = 14.0
"""How far outside of the outermost orbit a sector's number stands."""


class PolarisPages(GamePages):
    """One sky for all, seen once in each scoring phase; the fifth is the end."""

    blueprints = (
        "webapp.games.polaris.views:blueprint",
        "webapp.games.polaris.views:assets",
        "webapp.games.polaris.live.views:blueprint",
    )
    modes = document.MODES
    drawn_pieces = frozenset(COLOURS)
    hidden_links = frozenset({"horizontal", "vertical"})
    margin = 21.0
    step_pages = STEP_PAGES
    markers = ("red", "yellow", "blue", "purple")

    # steps

    def table_steps(self, document: Document) -> Sequence[str]:
        """The cards by the moons, where their phases are counted."""
        return ["cards"] if self._counts_phases(document) else []

    def player_steps(self, document: Document) -> Sequence[str]:
        """Each player's secret card."""
        return ["personal"]

    def end_steps(self, kept: Document) -> Sequence[str]:
        """The telescopes that were not told at their phases, and what the players have left."""
        asked = self._counts_phases(kept) and document.telescopes_missing(kept)
        return ["telescopes", "stock"] if asked else ["stock"]

    def _counts_phases(self, kept: Document) -> bool:
        return bool(kept["mode"] == document.EVERY_PHASE)

    # the document

    def new_document(self, mode: str) -> dict[str, Any]:
        """Nothing is told yet."""
        return {
            **super().new_document(mode),
            "mode": mode or document.EVERY_PHASE,
            "edition": "standard",
            "cards": [],
            "telescopes": [None] * PHASES,
        }

    def new_seat(self) -> dict[str, Any]:
        """No card, nothing counted."""
        return {"personal": None, "shooting": None, "score_marker": None}

    def moments(self, mode: str) -> Sequence[str]:
        """Every phase, or the end alone."""
        return document.moments(mode or document.EVERY_PHASE)

    def with_mode(self, kept: Document, mode: str) -> tuple[Document, set[str]]:
        """Where the phases count, their cards are to be told."""
        return document.with_mode(kept, mode)

    def unanswered(self, data: Mapping[str, Any]) -> Collection[str]:
        """What a game file may leave out."""
        players = data["players"]
        left = {f"personal-{seat}" for seat, own in enumerate(players) if not own.get("personal")}
        counted = len(data.get("phases") or ()) == PHASES
        told = all("shooting" in own and (counted or "marker" in own) for own in players)
        return left if told else {*left, "stock"}

    def game_data(self, kept: Document) -> dict[str, Any]:
        """As Polaris' game files are written."""
        return document.game_data(kept)

    @cached_property
    def live(self) -> LivePolaris:
        """Turns, phases and counts."""
        return LivePolaris(self)

    @cached_property
    def guided(self) -> GuidedPolaris:
        """Turns, piece by piece, and phases."""
        return GuidedPolaris(self)

    def file_parts(self, data: Mapping[str, Any]) -> FileParts:
        """And the other way round."""
        return document.file_parts(data)

    # what lies on the sky

    def lying_before(self, kept: Document, board: int) -> Mapping[str, Any]:
        """What lay at the phase before lies there still."""
        return document.lying_before(kept, board, sky_board())

    def rule_breaks(self, kept: Document, board: int, position: Sky) -> Sequence[RuleBreak]:
        """Those of the sky for who plays, and what lay before and is not there any more."""
        sky = document.as_played(kept, position)
        breaks = list(sky.rule_breaks(tuple(document.colours(kept).values())))
        known = [earlier for earlier in range(board) if document.is_known(kept, earlier)]
        if known:
            breaks += taken_away(document.sky_of(kept, known[-1], position.board), sky)
        return breaks

    def unscorable(self, kept: Document, board: int, profile: Profile) -> Sequence[RuleBreak]:
        """Stars of a colour that nobody plays."""
        assert isinstance(profile.board, SkyBoard)
        sky = document.sky_of(kept, board, profile.board)
        breaks = sky.rule_breaks(tuple(document.colours(kept).values()))
        return [broken for broken in breaks if broken.kind in UNSCORABLE]

    def game_so_far(self, kept: Document, board: int) -> Game:
        """Who plays, with the personal cards that are told, and the cards that the sky is for."""
        players = tuple(
            Player(own["name"], own["marker"], personal=own["personal"]) for own in kept["players"]
        )
        told = kept["cards"][board : board + 1] if self._counts_phases(kept) else ()
        return Game(players, phases=tuple(Phase(card, players[0].name) for card in told))

    def board_of_line(self, kept: Document, line: Line, board: int) -> int:
        """A phase's line is seen on the sky of that phase."""
        phase = line.subject.get("phase")
        return board if phase is None else int(phase) - 1

    # how things look and are called

    @property
    def picture(self) -> Link:
        """A sky."""
        return "polaris_assets.card_picture", {"card": "polaris"}

    def corrections(self, kept: Document, player: int) -> Sequence[Step]:
        """The telescopes too, where phases count."""
        steps = list(super().corrections(kept, player))
        asked = self._counts_phases(kept) and Step("telescopes") not in steps
        return [*steps[:1], *([Step("telescopes")] if asked else []), *steps[1:]]

    def term_picture(self, term: str) -> Link | None:
        """A card's picture."""
        known = term in COMMON or term in PERSONAL
        return ("polaris_assets.card_picture", {"card": term}) if known else None

    def guides(self, profile: Profile) -> Sequence[Guide]:
        """The orbits, the sectors' borders, and each sector's number beyond them."""
        board, at = profile.board, {name: own.at for name, own in profile.spaces.items()}
        assert isinstance(board, SkyBoard)
        middle = at[POLARIS]
        radii = [fmean(math.dist(middle, at[one]) for one in own) for own in board.orbits.values()]
        outside = max(radii) + BEYOND_MM
        rings = [Guide(middle, round(radius, 2)) for radius in radii]
        numbers = []
        for sector, own in board.sectors.items():
            x = fmean(at[space][0] for space in own) - middle[0]
            y = fmean(at[space][1] for space in own) - middle[1]
            far = outside / math.hypot(x, y)
            label_at = (round(middle[0] + x * far, 2), round(middle[1] + y * far, 2))
            numbers.append(Guide(middle, None, (), str(sector), label_at))
        return [*rings, *numbers]

    def rims(self, profile: Profile) -> Mapping[str, str]:
        """Red spaces, white ones, and those that bear a ★."""
        board = profile.board
        assert isinstance(board, SkyBoard)
        red = {space for space in board.star_spaces if len(board.sectors_of(space)) > 1}
        return {
            **dict.fromkeys(red, "red"),
            **dict.fromkeys(board.white, "white"),
            **dict.fromkeys(board.starred, "starred"),
        }


PAGES = PolarisPages(POLARIS_GAME)
