"""Polaris' state of a live table apart from the pieces: turns, phases and telescopes.

Players change it by entries:

- `turn`: the turn in progress is over
- `joined`: turn number `turn`, from 1, still belongs to the one before it
- `before`: what turn number `turn` placed was there before
- `moon`: the New Moon faces `sector`, on a board whose moons no camera sees
- `telescope`: `seat` had the telescope in phase number `phase`, from 0
- `leave`: the break `broken` (its rule and places) is accepted
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from flask_babel import gettext as _

from calibration import Profile
from scorer.flags import RuleBreak
from scorer.polaris.card import CommonCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.contract import NEW_MOON
from scorer.polaris.edition import Edition, load_edition
from scorer.polaris.game import PHASES
from scorer.polaris.observed_game import FollowedTable, FollowedTurn
from scorer.polaris.phases import PhaseScore
from scorer.polaris.sky import Sky
from scorer.polaris.turn_inference import end_turn, follow, join_turns, lay_before, lunar_sectors
from scorer.polaris.words import say
from scorer.sentence import Sentence, signed
from webapp.app.game_pages import Document
from webapp.app.game_words import said
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import BoardChange, LiveTable, Rules
from webapp.app.live.view_model import Alert, ObjectiveProgress, Progress, TableViewModel
from webapp.app.live_game import Ask, LiveGame
from webapp.app.session.board_slots import owners, with_owners
from webapp.app.session.game_document import player_names
from webapp.games.polaris import document
from webapp.games.polaris.moons import DrawnMoon, drawn_moons
from webapp.games.polaris.phase_lines import CardNow, PhaseLine, cards_now, lines_of

OF_A_TURN: Mapping[str, Callable[[FollowedTable], FollowedTable]] = {
    "joined": join_turns,
    "before": lay_before,
}
"""Corrections of a turn in progress; ignored if another turn has begun meanwhile."""
Left = tuple[str, tuple[str, ...]]
"""An accepted rule break: its kind, and its sorted places."""


@dataclass(frozen=True)
class PolarisState:
    """The table apart from the pieces; `telescopes` maps phases to the seats of their holders."""

    followed: FollowedTable
    telescopes: Mapping[int, int] = field(default_factory=dict)
    left: frozenset[Left] = frozenset()


def left(kind: str, places: tuple[str, ...]) -> Left:
    """The key of an accepted rule break."""
    return kind, tuple(sorted(places))


def with_left(state: PolarisState, broken: Left) -> PolarisState:
    """Accept a rule break; ends the turn that caused it, so that it causes no more."""
    followed, turn = state.followed, state.followed.turn
    if turn is not None and any(left(one.kind, one.places) == broken for one in turn.breaks):
        followed = end_turn(followed)
    return replace(state, followed=followed, left=state.left | {broken})


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
        return [(0, known[key]) for key in ordered if left(*key) not in self.state.left]

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

    @property
    def no_objectives(self) -> str:
        if not self.counts_phases:
            return _("Only the end is counted in this game.")
        left = _("All phases are counted: what is left is the end.")
        return left if self.document["cards"] else ""

    @cached_property
    def objectives(self) -> Sequence[ObjectiveProgress]:
        """The cards that are still to be scored, with what each would give now."""
        return [
            ObjectiveProgress(
                one.card,
                [self._progress(one.card, *of) for of in enumerate(one.scores)],
                _("If it were scored now"),
                _("Phase %(number)s", number=one.phase),
                one.is_next,
            )
            for one in self.cards
        ]

    def _progress(self, card: CommonCard, seat: int, score: PhaseScore) -> Progress:
        result, tiers = score.result, self.edition.tiers
        badge = _("most %(points)s", points=signed(score.bonus)) if score.bonus else ""
        lacks = ""
        if result.to_next is not None:
            lacks = _lacks(card.more(result.to_next), *tiers[result.tier : result.tier + 2])
        return Progress(seat, result, signed(score.tier), badge, lacks)

    def personal(self, seat: int) -> ObjectiveProgress | None:
        """A player's personal card; None if unknown."""
        player = self.document["players"][seat]
        if player["personal"] is None:
            return None
        card, points = self.edition.personal[player["personal"]], self.edition.pattern_points
        result = card.check(PlayerStars(self.sky, player["marker"]))
        count = result.count or 0
        is_most = result.to_next is None
        lacks = "" if is_most else _lacks(say("once_more"), points(count), points(count + 1))
        return ObjectiveProgress(card, [Progress(seat, result, signed(points(count)), lacks=lacks)])


def _lacks(more: Sentence, points: int, then: int) -> str:
    """What gives more points than now."""
    return said(say("next_gain", more=more, points=then - points))


class LivePolaris(LiveGame):
    """Turns and their rule breaks, the moon frame, phases, and the count of each objective."""

    # the table

    def rules(self, kept: Document, profile: Profile) -> Rules:
        """The colours in play; the state does not depend on cards."""
        colours = tuple(document.colours(kept).values())
        return Rules(len(colours), json.dumps(colours), profile, self, colours)

    def initial_state(self, rules: Rules) -> PolarisState:
        return PolarisState(FollowedTable(rules.own, rules.position({})))

    def after_change(self, rules: Rules, own: PolarisState, change: BoardChange) -> PolarisState:
        """A turn goes on or a new one begins; turning the frame ends a phase."""
        sky = change.after.as_played(own.followed.colours)
        return replace(own, followed=follow(own.followed, sky, change.seconds, change.how))

    def after_entry(self, rules: Rules, own: PolarisState, entry: Entry) -> PolarisState:
        """The turn's end, the New Moon, the telescope, accepted rule breaks."""
        data, followed = entry.data, own.followed
        match entry.kind:
            case "turn":
                return replace(own, followed=end_turn(followed))
            case "joined" | "before" if data["turn"] == len(followed.turns):
                return replace(own, followed=OF_A_TURN[entry.kind](followed))
            case "moon":
                sky = replace(followed.sky, new_moon=data["sector"])
                return replace(own, followed=follow(followed, sky, entry.at.timestamp()))
            case "telescope":
                return replace(own, telescopes={**own.telescopes, data["phase"]: data["seat"]})
            case "leave":
                rule, places = data.get("broken") or (data["rule"], data["places"])  # older logs
                return with_left(own, left(rule, tuple(places)))
        return own

    def entries(self, view: TableViewModel) -> Mapping[str, Mapping[str, Collection[Any]]]:
        """A broken rule is accepted as it stands, or again."""
        assert isinstance(view, PolarisViewModel)
        found = {left(one.kind, one.places) for _board, one in view.breaks if not one.unscorable}
        found |= view.state.left
        turns = range(1, len(view.followed.turns) + 1)
        return {
            "turn": {},
            **{kind: {"turn": turns} for kind in OF_A_TURN},
            **({} if "dial" in view.places else {"moon": {"sector": view.sky.board.sectors}}),
            "telescope": {"phase": range(PHASES), "seat": range(view.rules.players)},
            "leave": {
                "broken": {" ".join((rule, *places)): (rule, places) for rule, places in found}
            },
        }

    def asks(self, view: TableViewModel) -> Sequence[Ask]:
        """The telescope of past phases, the cards, the New Moon's sector."""
        assert isinstance(view, PolarisViewModel)
        found = []
        if view.counts_phases:
            unknown = [phase for phase in view.phases if phase.telescope is None]
            found += [Ask("polaris/live/_telescope.html", phase) for phase in unknown]
            found += [] if view.document["cards"] else [Ask("_live_no_cards.html")]
        return found + [Ask("polaris/live/_new_moon.html")] * (view.sky.new_moon is None)

    # the document

    def with_table(self, kept: Document, table: LiveTable) -> Document:
        """The sky of each past phase, and the present one."""
        own: PolarisState = table.own
        *phases, end = owners(kept)
        over = [phase.sky for phase in own.followed.phases[: len(phases)]]
        skies = [self.game.position_data(sky) for sky in (*over, own.followed.sky)]
        shown = zip((*phases[: len(over)], end), skies, strict=True)
        *known, last = ({**one, **sky} for one, sky in shown)
        holders = {phase: seat for phase, seat in own.telescopes.items() if phase < PHASES}
        telescopes = [holders.get(phase, had) for phase, had in enumerate(kept["telescopes"])]
        boards = [*known, *phases[len(over) :], last]
        return with_owners({**kept, "telescopes": telescopes}, boards)

    # words

    def format_entry(self, kind: str, event: Mapping[str, Any], name: str) -> str:
        if kind == "moon":
            return self.pages.words.laid(NEW_MOON, str(event["sector"])).capitalize()
        if kind == "telescope":
            return said(say("entry_telescope", name=name, number=event["phase"] + 1))
        return super().format_entry(kind, event, name)

    def alerts(self, before: TableViewModel, after: TableViewModel) -> Iterator[Alert]:
        """Tiers that somebody reaches or leaves, and phases that are over."""
        assert isinstance(before, PolarisViewModel) and isinstance(after, PolarisViewModel)
        yield from _new_tiers(before, after)
        for phase in after.followed.phases[len(before.followed.phases) :]:
            number = after.followed.phases.index(phase) + 1
            yield Alert("due", said(say("phase_over", number=number)))


def _new_tiers(before: PolarisViewModel, after: PolarisViewModel) -> Iterator[Alert]:
    """Changes of a card's points for somebody, if it were scored now."""
    if before.sky == after.sky:
        return
    old = {one.phase: one.scores for one in before.cards}
    for card in after.cards:
        for seat, score in enumerate(card.scores):
            if card.phase in old and old[card.phase][seat].tier != score.tier:
                name = player_names(after.document)[seat]
                points = say("new_tier", name=name, card=card.card.name, n=score.tier)
                yield Alert("objective", said(points))
