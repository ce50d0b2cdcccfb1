"""The state of a live table of Polaris for display: turn, moons, phases, objectives' counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from scorer.flags import RuleBreak
from scorer.polaris.card import CommonCard, PersonalCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.edition import Edition, load_edition
from scorer.polaris.game import PHASES
from scorer.polaris.observed_game import FollowedTable, FollowedTurn
from scorer.polaris.result import SkyResult
from scorer.polaris.sky import Sky
from scorer.polaris.turn_inference import lunar_sectors
from webapp.app.live.view_model import TableViewModel
from webapp.games.polaris import document
from webapp.games.polaris.live.state import OF_A_TURN, PolarisState, is_left
from webapp.games.polaris.moons import DrawnMoon, drawn_moons
from webapp.games.polaris.phase_lines import CardNow, PhaseLine, cards_now, lines_of


@dataclass(frozen=True)
class PhaseNow:
    """A past phase, numbered from 1: its card, the telescope's seat, and its points."""

    number: int
    card: CommonCard | None
    telescope: int | None
    lines: Sequence[PhaseLine]


@dataclass(frozen=True)
class PolarisViewModel(TableViewModel):
    """Everything that a live page of Polaris shows."""

    @property
    def state(self) -> PolarisState:
        return cast(PolarisState, self.table.own)

    @property
    def followed(self) -> FollowedTable:
        return self.state.followed

    @property
    def sky(self) -> Sky:
        """The present sky, as it is scored."""
        return self.followed.sky

    @cached_property
    def edition(self) -> Edition:
        return load_edition(self.document["edition"])

    @property
    def counts_phases(self) -> bool:
        """Whether the scoring phases are counted, rather than the end alone."""
        return bool(self.document["mode"] == document.EVERY_PHASE)

    def seat_of(self, colour: str | None) -> int | None:
        """The seat that plays a colour; None if nobody does."""
        markers = [player["marker"] for player in self.document["players"]]
        return markers.index(colour) if colour in markers else None

    # the turn

    @property
    def turn(self) -> FollowedTurn | None:
        return self.followed.turn

    @property
    def undoable(self) -> int | None:
        """The number of the last entry, if it is about turns; otherwise None."""
        steps = [step for step in self.table.steps if step.status == "counts"]
        last = steps[-1].entry if steps else None
        return last.number if last and last.kind in ("turn", *OF_A_TURN) else None

    @property
    def turn_moons(self) -> Sequence[str]:
        """The moons whose cards allow the places of the turn in progress."""
        sectors = self.turn.sectors if self.turn and self.turn.laid else ()
        return [moon for moon, sector in self.lunar_sectors.items() if sector in sectors]

    @cached_property
    def breaks(self) -> Sequence[tuple[int, RuleBreak]]:
        """Breaks that prevent scoring, then those of turns, the frame and the sky.

        The latest come first; accepted ones are left out.
        """
        sky = self.sky.rule_breaks(self.followed.colours)
        found = [broken for broken in sky if broken.unscorable]
        turns = [broken for _turn, broken in reversed(self.followed.breaks)]
        found += [broken for broken in turns if not broken.unscorable]
        found += [broken for phase in self.followed.phases[-1:] for broken in phase.breaks]
        found += sky
        known = {(broken.kind, broken.places): broken for broken in reversed(found)}
        ordered = dict.fromkeys((broken.kind, broken.places) for broken in found)
        return [(0, known[key]) for key in ordered if not is_left(self.state, known[key])]

    def who_broke(self, board: int, broken: RuleBreak) -> str:
        """The name of the player whose turn broke a rule; "" if unknown."""
        turns = [turn for turn, own in self.followed.breaks if own == broken]
        if broken.unscorable or broken.kind == "taken_away":  # misread, or done by anybody
            return ""
        seat = self.seat_of(turns[0].mover) if turns else None
        return "" if seat is None else str(self.document["players"][seat]["name"])

    # the moon frame

    @cached_property
    def lunar_sectors(self) -> Mapping[str, int]:
        """The sector that each moon faces; empty while unknown."""
        return lunar_sectors(self.edition, self.sky)

    @property
    def next_sector(self) -> int | None:
        """The sector that the New Moon faces after this phase; None if unknown, or the last."""
        if self.sky.new_moon is None or self.phase == PHASES:
            return None
        return self.sky.board.sector_after(self.sky.new_moon)

    @cached_property
    def moons(self) -> Sequence[DrawnMoon]:
        return drawn_moons(self.rules.profile, self.lunar_sectors)

    # phases and objectives

    @property
    def phase(self) -> int:
        """The number of the phase in progress, from 1."""
        return min(len(self.followed.phases) + 1, PHASES)

    @property
    def card(self) -> CommonCard | None:
        cards = self.document["cards"]
        return self.edition.common[cards[self.phase - 1]] if cards else None

    def telescope(self, phase: int) -> int | None:
        """The seat of the telescope's holder in a phase, numbered from 0."""
        seat = self.state.telescopes.get(phase, document.telescope(self.document, phase))
        return seat if seat is not None and seat < self.rules.players else None

    @cached_property
    def phases(self) -> Sequence[PhaseNow]:
        over = self.followed.phases[:PHASES]
        telescopes = [self.telescope(phase) for phase in range(len(over))]
        cards = self.document["cards"]
        names = [document.name_of(self.document, seat) for seat in telescopes]
        skies = [phase.sky for phase in over]
        colours = document.colours(self.document)
        lines = lines_of(zip(cards, skies, names, strict=False), colours, self.edition)
        return [
            PhaseNow(
                number + 1,
                self.edition.common[cards[number]] if cards else None,
                telescopes[number],
                lines[number] if cards else (),
            )
            for number in range(len(over))
        ]

    @property
    def points(self) -> Sequence[int] | None:
        """The position of each player's marker; None if no phase is counted."""
        if not self.counts_phases or not self.document["cards"]:
            return None
        counted = [phase.lines for phase in self.phases]
        if not counted:
            return [self.edition.start] * self.rules.players
        return [line.marker for line in counted[-1] if line.marker is not None]

    @cached_property
    def cards(self) -> Sequence[CardNow]:
        """The cards that are still to be scored, the next one first."""
        if not self.counts_phases:
            return []
        cards, scored = self.document["cards"], len(self.followed.phases)
        return cards_now(self.sky, cards, scored, document.colours(self.document), self.edition)

    def personal(self, seat: int) -> tuple[PersonalCard, SkyResult] | None:
        """A player's personal card with its result, for their eyes only; None if unknown."""
        player = self.document["players"][seat]
        if player["personal"] is None:
            return None
        card = self.edition.personal[player["personal"]]
        return card, card.check(PlayerStars(self.sky, player["marker"]))
