"""One question for each moment of a game, with one decision a screen."""

from collections.abc import Sequence
from dataclasses import replace

from scorer.places import Place
from scorer.polaris.game import PHASES
from scorer.polaris.placing import MOON_COST
from scorer.polaris.sky import PLAYERS_WITH_NEUTRAL_STARS
from scorer.polaris.steps import (
    LINK,
    NO_CARD,
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
    HIDDEN,
    EndTurn,
    TableState,
    TakeCard,
    TakeShootingStars,
)
from scorer.polaris.words import WORDS, say
from scorer.sentence import Value, Verbatim, signed
from webapp.app.guided_game import Choice, Question
from webapp.games.polaris.guide.sentences import card_name, pieces_named, played_for
from webapp.games.polaris.guide.table import CardPicture, colours, hand_shown, scored_lines
from webapp.games.polaris.phase_lines import cards_now
from webapp.web.guide_questions import from_phrases
from webapp.web.words import spoken

TEMPLATES = "polaris/guide/"


def question(state: StepState, draft: str, begun: Sequence[str], names: Sequence[str]) -> Question:
    """The present question; `begun` are the words chosen so far of a step."""
    table = state.table
    if not state.laid_out:
        seats = list(zip(names, table.seats, strict=True))
        asked = from_phrases(WORDS, "lay_out", f"{TEMPLATES}_setup.html", seats)
        neutral = table.sky.board.starred if len(seats) == PLAYERS_WITH_NEUTRAL_STARS else ()
        return replace(asked, shown=[Place(space) for space in neutral])
    if state.scored:
        return _phase(state, names)
    if state.card is not None:
        return _lay(state)
    if begun[:1] == ["card"]:
        secret = hand_shown(state, table.turn)
        about = secret and replace(secret, hand=())
        template, name = f"{TEMPLATES}_secret.html", names[table.turn]
        again = {"sector": table.played[0].sector} if table.played else {}
        key = "card_next" if again else "card"
        n = table.player.shooting
        asked = from_phrases(WORDS, key, template, about, name=name, n=n, **again)
        return replace(asked, pictured=True)
    if begun[:1] == ["take"]:
        points = signed(table.edition.telescope)
        asked = from_phrases(WORDS, "take", limit=HAND_LIMIT, points=points)
        return replace(asked, pictured=True)
    if table.played:
        return from_phrases(WORDS, "another", sector=table.played[0].sector)
    return from_phrases(WORDS, "turn", name=names[table.turn])


def look(state: StepState, action: Step | type | Sequence[Step]) -> Choice | None:
    """The button of a step, of all steps of a class, or of a card's choices together."""
    table = state.table
    of_cards = {TakeCard: "take", ChooseCard: "card_again" if table.played else "card"}
    match action:
        case type():
            key = of_cards.get(action)
            return _button(key) if key else None
        case TakeCard(card) if len(table.player.hand) < HAND_LIMIT:
            is_paid = table.card(card).deck == "advanced"
            costs = spoken(say("card_costs" if is_paid else "card_free"))
            return _pictured(card_name(table, card), table, card, costs=costs)
        case [ChooseCard(card), *_] if card not in (HIDDEN, NO_CARD):
            several = [one for one in action if isinstance(one, ChooseCard)]
            costs = _card_notes(table, several[0])
            return _pictured(played_for(table, *several), table, card, costs=costs)
        case [*_]:
            return None
        case ChooseCard(card, _sector, choice) if card not in (HIDDEN, NO_CARD):
            costs = _card_notes(table, action)
            return _pictured(played_for(table, action), table, card, [choice], costs)
        case TakeCard():
            return _button("take")
        case ChooseCard():
            return _button(of_cards[type(action)])
        case EndPhase(int(new_moon)):
            return _button("phase", sector=new_moon)
        case EndPhase():
            return _button("phase_last")
        case EndCard():
            return _button("enough" if state.laid else "enough_none")
        case EndTurn():
            note = _fills_dawn(table) if table.fills_dawn() else ""
            return replace(_button("end"), note=note)
        case LayOut() | TakeShootingStars():
            line = type(action).line
            return _button(line, "button_shooting_pays" if line == "shooting" else "")
    return None


def _button(key: str, note: str = "", **values: Value) -> Choice:
    return Choice(spoken(say(f"button_{key}", **values)), note=spoken(say(note)) if note else "")


def _pictured(
    words: str,
    table: TableState,
    card: str,
    choices: Sequence[int] | None = None,
    costs: str = "",
) -> Choice:
    """A button with an action card's picture, whole or one of its choices, and what it costs."""
    shown = range(len(table.card(card).choices)) if choices is None else choices
    about = CardPicture(card, shown)
    return Choice(words, template=f"{TEMPLATES}_card.html", about=about, note=costs)


def _card_notes(table: TableState, one: ChooseCard) -> str:
    """What another moon costs, and that the card fills the dawn."""
    held, notes = table.player.shooting, list[str]()
    if one.sector != table.lunar_sector(one.card):
        key = "other_moon_costs" if held >= MOON_COST else "other_moon_short"
        notes.append(spoken(say(key, n=held)))
    if table.fills_dawn(one.card) and not table.fills_dawn():
        notes.append(_fills_dawn(table))
    return "; ".join(notes)


def _fills_dawn(table: TableState) -> str:
    return spoken(say("fills_dawn", points=signed(table.edition.telescope)))


def _lay(state: StepState) -> Question:
    board = state.table.sky.board
    assert state.card is not None and state.choice is not None
    sector, piece = state.card.sector, "star"
    of_sector = [Place(space) for space in board.sectors[sector]]
    of_sector += [
        Place(link, "edge") for link in board.link_spaces if sector in board.sectors_of_link(link)
    ]
    if state.wants[:1] == (LINK,):
        left = [str(one.orientation) for one in state.choice.links]
        for link in set(state.laid) & board.link_spaces.keys():
            left.remove(board.link_spaces[link].kind)
        piece = left[0]
    asked = from_phrases(WORDS, piece, sector=sector)
    is_other = state.table.lunar_sector(state.card.card) != sector
    paid = [_moon_paid(state)] if is_other else []
    shown = pieces_named(state.choice, state.table.card(state.card.card).dawn)
    lays = spoken(say("guide_card_lays", lays=Verbatim(shown)))
    links = state.choice.links if piece == "star" else ()
    sides = dict.fromkeys(str(one.orientation) for one in links)
    then = [spoken(say(f"guide_star_{one}")) for one in sides]
    return replace(asked, hint=" ".join([asked.hint, *paid, lays, *then]), close_up=of_sector)


def _moon_paid(state: StepState) -> str:
    """What another moon costs, and why only spaces that bring a shooting star may be open."""
    board, held = state.table.sky.board, state.table.player.shooting
    laid = frozenset(state.laid)
    free = {place for way in state.ways if laid < way for place in way - laid} - {
        *board.link_spaces
    }
    is_short = held < MOON_COST and all(board.kind_of(place) == "white" for place in free)
    return spoken(say("guide_moon_short", n=held) if free and is_short else say("guide_moon_pays"))


def _phase(state: StepState, names: Sequence[str]) -> Question:
    table = state.table
    phase = table.phases[-1]
    card, lines = table.edition.common[phase.card], scored_lines(table)
    number, template = len(table.phases), f"{TEMPLATES}_phase.html"
    about, is_last = (card, lines), next_new_moon(state) is None
    seats = [seat.name for seat in table.seats]
    filled = names[seats.index(str(phase.telescope))]
    why = say("guide_phase_why", name=filled, n=len(seats) - 1)
    rest = [say("guide_phase_final")]
    if not is_last:
        (to_come,) = cards_now(state.sky, table.to_come[:1], 0, colours(table), table.edition)
        each = tuple(
            Verbatim(f"{name} {signed(score.points)}")
            for name, score in zip(names, to_come.scores, strict=True)
        )
        name = to_come.card.name
        then = say("guide_phase_next", name=names[table.turn], card=name, each=each)
        rest = [say("guide_turn_frame"), say("guide_phase_table"), then]
    hints = [why, *rest]
    return replace(
        from_phrases(WORDS, "phase", template, about, number=number, all=PHASES, card=card.name),
        hint=" ".join(map(spoken, hints)),
        shown=[Place(space) for line in lines for space in line.score.result.spaces],
        tells_points=True,
    )
