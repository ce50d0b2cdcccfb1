"""What a lesson's table shows of Polaris: the sky, the hand with what it lays next, the moons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from scorer.lesson import Attempt, Judgement
from scorer.polaris import lunar_sectors
from scorer.polaris.action_card import Choice
from scorer.polaris.card import CommonCard, PersonalCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.phases import PhaseScore, score_phase
from scorer.polaris.placing import placed
from scorer.polaris.table_state import PlayCard, TableState
from scorer.polaris.turns import TURNS
from scorer.polaris.words import WORDS
from scorer.sentence import Sentence
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.languages import language
from webapp.games.polaris.moons import DrawnMoon, drawn_moons
from webapp.web.context import current_profile


@dataclass(frozen=True)
class Way:
    """A card of the hand, or one of its choices, as it may be played now.

    `tells` is the action's text as far as it is told, to which a tap on the sky adds a place;
    `lies_on` the kind of place that its next piece lies on.
    """

    card: str
    choice: int
    moon: str
    sector: int
    name: str
    tells: str
    lies_on: str
    chosen: bool
    waits: bool


@dataclass(frozen=True)
class LessonTable:
    """The table as it stands, with the pieces of a card that is being played.

    `moons` are the moons with their sectors, `drawn_moons` the same on the picture; `results` is
    what the last phase gave by player.
    """

    lying: DrawnPieces
    ways: Sequence[Way]
    begun: bool
    moons: Sequence[tuple[str, int]]
    drawn_moons: Sequence[DrawnMoon]
    results: Mapping[str, PhaseScore]


def lesson_table(
    attempt: Attempt[Any, Any], judged: Judgement[Any, Any] | None, move: str
) -> LessonTable:
    """Return a lesson's table; `move` is the text of an action that a hint names, "" for none."""
    state: TableState = attempt.state
    told = judged.tried if judged is not None and judged.outcome == "part" else ""
    draft = TURNS.read_action(told) if told else None
    part = draft if isinstance(draft, PlayCard) else None
    meant = move or (judged.tried if judged is not None and judged.outcome == "wrong" else "")
    named = TURNS.read_action(meant) if meant else None
    sky = state.sky if part is None else placed(state, part)
    mine = state.turn == attempt.lesson.start.turn and not attempt.done
    ways = _ways(state, part) if mine else ()
    if part is None:
        ways = [
            replace(
                way,
                chosen=len(ways) == 1 or (isinstance(named, PlayCard) and _is_of(way, named)),
            )
            for way in ways
        ]
    moons = lunar_sectors(state.edition, state.sky)
    return LessonTable(
        DrawnPieces.of(POLARIS_GAME.pieces_of(sky)),
        ways,
        part is not None,
        list(moons.items()),
        drawn_moons(current_profile(), moons),
        _results(state),
    )


def card_count(state: TableState, seat: int, card: CommonCard | PersonalCard) -> Sentence:
    """Return what an objective counts of a player's stars as they lie, in words."""
    return card.check(PlayerStars(state.sky, state.seats[seat].colour)).calculation


def _ways(state: TableState, part: PlayCard | None) -> Sequence[Way]:
    found = []
    for card in state.player.hand:
        sector = state.played[0].sector if state.played else state.lunar_sector(card)
        for number, choice in enumerate(state.card(card).choices):
            play = PlayCard(card, sector, number)
            way = Way(
                card=card,
                choice=number,
                moon=state.card(card).moon,
                sector=state.lunar_sector(card),
                name=choice_name(choice, state.card(card).dawn),
                tells=TURNS.write_action(play),
                lies_on="spot" if choice.stars else "edge",
                chosen=False,
                waits=part is not None,
            )
            if part is not None and _is_of(way, part):
                wants_link = len(part.stars) >= choice.stars
                way = replace(
                    way,
                    tells=TURNS.write_action(part),
                    lies_on="edge" if wants_link else "spot",
                    chosen=True,
                    waits=False,
                )
            found.append(way)
    return found


def _is_of(way: Way, play: PlayCard) -> bool:
    return (way.card, way.choice) == (play.card, play.choice)


def choice_name(choice: Choice, dawn: bool) -> str:
    """Return what a choice lays and brings, in words."""
    stars = [ngettext("%(num)d star", "%(num)d stars", choice.stars)] if choice.stars else []
    links = {"horizontal": _("a horizontal link"), "vertical": _("a vertical link")}
    shown = [*stars, *[links[link.orientation] for link in choice.links]]
    shown += [_("a shooting star")] if choice.shooting else []
    return ", ".join([*shown, *([_("the sun")] if dawn else [])])


def _results(state: TableState) -> Mapping[str, PhaseScore]:
    """What the phase that was scored last gave each player, by their colours' names."""
    if not state.phases:
        return {}
    phase = state.phases[-1]
    assert phase.snapshot.sky is not None
    colours = {seat.name: seat.colour for seat in state.seats}
    found = score_phase(phase.snapshot.sky, phase.card, phase.telescope, colours, state.edition)
    return {WORDS.word(colours[name], language()): score for name, score in found.items()}
