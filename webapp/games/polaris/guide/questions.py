"""One question for each moment of a game, a decision a screen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask_babel import gettext as _

from scorer.places import Place
from scorer.polaris.game import PHASES
from scorer.polaris.steps import (
    LINK,
    ChooseCard,
    EndCard,
    EndPhase,
    Lay,
    LayOut,
    StepState,
    choices,
    next_new_moon,
)
from scorer.polaris.table_state import (
    HAND_LIMIT,
    EndTurn,
    TableState,
    TakeCard,
    TakeShootingStars,
)
from scorer.sentence import Sentence
from webapp.app.guided_game import Choice, Question
from webapp.app.languages import language
from webapp.games.polaris.guide.sentences import card_name, link_words, played_for
from webapp.games.polaris.guide.table import CardPicture, ScoredLine, hand_shown, scored_lines

CARD_TEMPLATE = "polaris/guide/_card.html"
SECRET_TEMPLATE = "polaris/guide/_secret.html"
SETUP_TEMPLATE = "polaris/guide/_setup.html"
PHASE_TEMPLATE = "polaris/guide/_phase.html"


def ask(state: StepState, draft: str, names: Sequence[str]) -> Question:
    """Return the question of a state; `draft` is what was chosen of its answer already."""
    if not state.laid_out:
        return _lay_out(state, names)
    if state.scored:
        return _phase(state, names)
    if state.over:
        return Question(
            _("The game is over"),
            _("What the constellations and the secret cards give is counted now."),
            over=True,
        )
    if state.card is not None:
        return _lay(state)
    if draft == "hand":
        return _hand(state, names)
    if state.table.played:
        return Question(
            _("Another card, or is that all?"),
            _("All cards of a turn go to one sector: %(sector)s.", sector=_sector(state.table)),
            [
                Choice(_("Play another card"), draft="hand"),
                Choice(_("End the turn"), EndTurn()),
            ],
        )
    if draft == "take":
        return _take(state.table)
    return _turn(state.table, names)


def _lay_out(state: StepState, names: Sequence[str]) -> Question:
    return Question(
        _("Lay out the sky"),
        choices=[Choice(_("It lies there like this"), LayOut())],
        template=SETUP_TEMPLATE,
        about=list(zip(names, state.table.seats, strict=True)),
    )


def _turn(table: TableState, names: Sequence[str]) -> Question:
    # what cannot be done says why: with a full hand of any card, with none of no card
    hand = table.player.hand
    full = TakeCard(table.markets["basic"][0]) if len(hand) >= HAND_LIMIT else None
    none = None if hand else ChooseCard("", table.new_moon)
    return Question(
        _("%(name)s, what do you do?", name=names[table.turn]),
        _("A turn is one of these three."),
        [
            Choice(_("Play cards, to lay stars and links"), none, "" if none else "hand"),
            Choice(_("Take a card"), full, "" if full else "take"),
            Choice(_("Take 3 shooting stars"), TakeShootingStars()),
        ],
    )


def _take(table: TableState) -> Question:
    return Question(
        _("Which card do you take?"),
        _("The cards with a silver edge cost a shooting star."),
        [
            *(
                Choice(
                    card_name(table, card),
                    TakeCard(card),
                    template=CARD_TEMPLATE,
                    about=CardPicture(card, range(len(table.card(card).choices))),
                )
                for cards in table.markets.values()
                for card in cards
            ),
            Choice(_("Something else"), draft="turn", aside=True),
        ],
        pictured=True,
    )


def _hand(state: StepState, names: Sequence[str]) -> Question:
    table, secret = state.table, hand_shown(state, state.table.turn)
    return Question(
        _("Which card do you play?"),
        _("Only %(name)s looks: these cards are secret.", name=names[table.turn]),
        [
            *(
                Choice(
                    played_for(table, one),
                    one,
                    template=CARD_TEMPLATE,
                    about=CardPicture(one.card, [one.choice]),
                )
                for one in choices(table)
            ),
            Choice(_("Something else"), draft="turn", aside=True),
        ],
        template=SECRET_TEMPLATE,
        about=secret and replace(secret, hand=()),
        pictured=True,
    )


def _lay(state: StepState) -> Question:
    table, board = state.table, state.table.sky.board
    assert state.card is not None and state.choice is not None
    sector = state.card.sector
    of_sector = [Place(space) for space in board.sectors[sector]]
    of_sector += [
        Place(link, "edge") for link in board.link_spaces if sector in board.sectors_of_link(link)
    ]
    asked = state.wants[0]
    done = _("Lay nothing of this card") if not state.laid else _("Lay nothing more")
    more = [Choice(done, EndCard(), aside=True)]
    if asked == LINK:
        left = [str(one.orientation) for one in state.choice.links]
        for link in set(state.laid) & board.link_spaces.keys():
            left.remove(board.link_spaces[link].kind)
        return Question(
            *link_words(left[0], sector),
            more,
            {Place(link, "edge"): Lay(LINK, link) for link in board.link_spaces},
            close_up=of_sector,
        )
    return Question(
        _("Where does your star go?"),
        _(
            "In sector %(sector)s, where a ring is lit. On a red space it costs a shooting star, on"
            " a white one it brings one.",
            sector=sector,
        ),
        more,
        {Place(space): Lay(table.player.colour, space) for space in board.star_spaces},
        close_up=of_sector,
    )


@dataclass(frozen=True)
class PhaseShown:
    """A phase that was scored: its card's number, what it gave each player."""

    card: str
    rule: Sentence
    lines: Sequence[ScoredLine]
    holder: str


def _phase(state: StepState, names: Sequence[str]) -> Question:
    table = state.table
    phase, following = table.phases[-1], next_new_moon(state)
    card = table.edition.common[phase.card]
    lines = scored_lines(table, names)
    done = (
        _("The markers are moved")
        if following is None
        else _("Markers moved, the New Moon faces sector %(sector)s", sector=following)
    )
    counted = [at for line in lines for at in (*line.score.result.spaces,)]
    return Question(
        _(
            "Phase %(number)s of %(all)s is scored: %(card)s",
            number=len(table.phases),
            all=PHASES,
            card=card.name.in_language(language()),
        ),
        ""
        if following is None
        else _("Move the score markers, then turn the moon frame clockwise by one sector."),
        [Choice(done, EndPhase(following))],
        template=PHASE_TEMPLATE,
        about=PhaseShown(card.id, card.rule, lines, names[int(phase.telescope)]),
        shown=[Place(space) for space in counted],
    )


def _sector(table: TableState) -> int:
    return table.played[0].sector
