"""One question for each moment of a game, with one decision a screen."""

from collections.abc import Sequence
from dataclasses import replace

from flask_babel import gettext as _

from scorer.places import Place
from scorer.polaris.game import PHASES
from scorer.polaris.steps import (
    LINK,
    ChooseCard,
    EndCard,
    EndPhase,
    LayOut,
    Step,
    StepState,
    next_new_moon,
)
from scorer.polaris.table_state import (
    HAND_LIMIT,
    EndTurn,
    TakeCard,
    TakeShootingStars,
)
from webapp.app.guided_game import Choice, Question
from webapp.app.languages import language
from webapp.games.polaris.guide.sentences import card_name, link_words, played_for
from webapp.games.polaris.guide.table import CardPicture, hand_shown, scored_lines

CARD_TEMPLATE = "polaris/guide/_card.html"
SECRET_TEMPLATE = "polaris/guide/_secret.html"
SETUP_TEMPLATE = "polaris/guide/_setup.html"
PHASE_TEMPLATE = "polaris/guide/_phase.html"


def question(state: StepState, draft: str, begun: Sequence[str], names: Sequence[str]) -> Question:
    """The present question; `begun` are the words chosen so far of a step."""
    table = state.table
    if not state.laid_out:
        seats = list(zip(names, table.seats, strict=True))
        return Question(_("Lay out the sky"), template=SETUP_TEMPLATE, about=seats)
    if state.scored:
        return _phase(state)
    if state.card is not None:
        return _lay(state)
    if begun[:1] == ["card"]:
        secret = hand_shown(state, table.turn)
        return Question(
            _("Which card do you play?"),
            _("Only %(name)s looks: these cards are secret.", name=names[table.turn]),
            template=SECRET_TEMPLATE,
            about=secret and replace(secret, hand=()),
            pictured=True,
        )
    if begun[:1] == ["take"]:
        silver = _("The cards with a silver edge cost a shooting star.")
        return Question(_("Which card do you take?"), silver, pictured=True)
    if table.played:
        return Question(
            _("Another card, or is that all?"),
            _("All cards of a turn go to one sector: %(sector)s.", sector=table.played[0].sector),
        )
    name = names[table.turn]
    return Question(_("%(name)s, what do you do?", name=name), _("A turn is one of these three."))


def look(state: StepState, action: Step | type | Sequence[Step]) -> Choice | None:
    """The button of a step, of all steps of a class, or of a card's choices together."""
    if isinstance(action, type):
        all_of_it = _kind_words(state, action)
        return Choice(all_of_it) if all_of_it else None
    table = state.table
    match action:
        case TakeCard(card) if len(table.player.hand) < HAND_LIMIT:
            picture = CardPicture(card, range(len(table.card(card).choices)))
            return Choice(card_name(table, card), template=CARD_TEMPLATE, about=picture)
        case [ChooseCard(card), *_] if card:
            picture = CardPicture(card, range(len(table.card(card).choices)))
            several = [one for one in action if isinstance(one, ChooseCard)]
            return Choice(played_for(table, *several), template=CARD_TEMPLATE, about=picture)
        case [*_]:
            return None
        case ChooseCard(card, _sector, choice) if card:
            picture = CardPicture(card, [choice])
            return Choice(played_for(table, action), template=CARD_TEMPLATE, about=picture)
        case EndPhase(None):
            return Choice(_("The markers are moved"))
        case EndPhase(sector):
            return Choice(_("Markers moved, the New Moon faces sector %(sector)s", sector=sector))
    words = {
        LayOut: _("It looks like this"),
        TakeShootingStars: _("Take 3 shooting stars"),
        EndTurn: _("End the turn"),
        EndCard: _("Place nothing more") if state.laid else _("Place nothing from this card"),
    }
    return Choice(words.get(type(action)) or _kind_words(state, type(action)))


def _kind_words(state: StepState, kind: type) -> str:
    """The text of the button that leads to the cards."""
    if kind is ChooseCard:
        more = _("Play another card")
        return more if state.table.played else _("Play cards, to place stars and links")
    return _("Take a card") if kind is TakeCard else ""


def _lay(state: StepState) -> Question:
    board = state.table.sky.board
    assert state.card is not None and state.choice is not None
    sector = state.card.sector
    of_sector = [Place(space) for space in board.sectors[sector]]
    of_sector += [
        Place(link, "edge") for link in board.link_spaces if sector in board.sectors_of_link(link)
    ]
    if state.wants[:1] == (LINK,):
        left = [str(one.orientation) for one in state.choice.links]
        for link in set(state.laid) & board.link_spaces.keys():
            left.remove(board.link_spaces[link].kind)
        return Question(*link_words(left[0], sector), close_up=of_sector)
    return Question(
        _("Where does your star go?"),
        _(
            "In sector %(sector)s, where a ring is lit. On a red space it costs a shooting star, on"
            " a white one it brings one.",
            sector=sector,
        ),
        close_up=of_sector,
    )


def _phase(state: StepState) -> Question:
    table = state.table
    phase, following = table.phases[-1], next_new_moon(state)
    card = table.edition.common[phase.card]
    lines = scored_lines(table)
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
        template=PHASE_TEMPLATE,
        about=(card, lines),
        shown=[Place(space) for line in lines for space in line.score.result.spaces],
    )
