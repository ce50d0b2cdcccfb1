"""Sentences about actions in a guided game, with what to do by hand."""

from collections.abc import Sequence

from flask_babel import gettext as _
from flask_babel import ngettext

from scorer.polaris.action_card import Choice
from scorer.polaris.steps import (
    LINK,
    ChooseCard,
    EndCard,
    EndPhase,
    Lay,
    LayOut,
    Step,
    StepState,
)
from scorer.polaris.table_state import EndTurn, TableState, TakeCard, TakeShootingStars
from webapp.web.words import spoken_name


def card_name(table: TableState, card: str) -> str:
    """The sector of a card's moon, and the pieces of its choices."""
    own = table.card(card)
    lays = " / ".join(choice_name(one, False) for one in own.choices)
    sun = ", " + _("the sun") if own.dawn else ""
    return _("sector %(sector)s: %(lays)s", sector=table.lunar_sector(card), lays=lays + sun)


def played_for(table: TableState, one: ChooseCard, *others: ChooseCard) -> str:
    """One or more of a card's choices as played, and the cost of another moon."""
    own = table.card(one.card)
    choices = [own.choices[step.choice] for step in (one, *others)]
    lays = " / ".join(choice_name(choice, own.dawn) for choice in choices)
    if one.sector == table.lunar_sector(one.card):
        return _("sector %(sector)s: %(lays)s", sector=one.sector, lays=lays)
    return _("of another moon, for 2 shooting stars: %(lays)s", lays=lays)


def choice_name(choice: Choice, dawn: bool) -> str:
    """The pieces and gains of a choice, in words."""
    stars = [ngettext("%(num)d star", "%(num)d stars", choice.stars)] if choice.stars else []
    links = {"horizontal": _("a horizontal link"), "vertical": _("a vertical link")}
    shown = [*stars, *[links[link.orientation] for link in choice.links]]
    shown += [_("a shooting star")] if choice.shooting else []
    return ", ".join([*shown, *([_("the sun")] if dawn else [])])


def link_words(orientation: str, sector: int) -> tuple[str, str]:
    """The question where a link goes, and the meaning of its orientation."""
    if orientation == "horizontal":
        return (
            _("Where does the horizontal link go?"),
            _("It goes along an orbit, in sector %(sector)s, where a bar is lit.", sector=sector),
        )
    return (
        _("Where does the vertical link go?"),
        _("It points to Polaris, in sector %(sector)s, where a bar is lit.", sector=sector),
    )


def describe(before: StepState, action: Step, after: StepState, names: Sequence[str]) -> str:
    """What an action did, and what to do by hand for it; "" if there is nothing to say."""
    name = names[before.table.turn]
    said = (_done(before, action, name), _follows(before, after, names))
    return " ".join(one for one in said if one)


def _done(before: StepState, action: Step, name: str) -> str:
    table = before.table
    match action:
        case LayOut():
            return _("The five common objectives are beside the sectors.")
        case TakeCard(card):
            cost = _("It costs a shooting star.") if table.card(card).deck == "advanced" else ""
            words = _("%(name)s takes a card: %(card)s.", name=name, card=card_name(table, card))
            return words + f" {cost}".rstrip()
        case TakeShootingStars():
            return _("%(name)s takes 3 shooting stars.", name=name)
        case Lay(piece, place):
            return _laid(table, piece, place, name)
        case EndCard():
            paid = _paid(before)
            return paid and f"{name}: {paid}"
        case EndPhase(new_moon) if new_moon is not None:
            return _("The New Moon faces sector %(sector)s now.", sector=new_moon)
        case EndTurn():
            suns = sum(table.card(play.card).dawn for play in table.played)
            onto = min(suns, table.free_dawn_spaces)
            words = ngettext(
                "%(num)d sun card goes onto a dawn space.",
                "%(num)d sun cards go onto dawn spaces.",
                onto,
            )
            return f"{name}: {words}" if onto else ""
    return ""


def _laid(table: TableState, piece: str, place: str, name: str) -> str:
    where = spoken_name(place)
    if piece == LINK:
        return _("%(name)s places a link on %(place)s.", name=name, place=where)
    words = _("%(name)s places a star on %(place)s.", name=name, place=where)
    kind = table.sky.board.kind_of(place)
    if kind == "red":
        return words + " " + _("It is red: a shooting star goes back to the supply.")
    if kind == "white":
        return words + " " + _("It is white: take a shooting star.")
    return words


def _paid(before: StepState) -> str:
    """The shooting stars gained and spent by a card, besides those of its spaces."""
    play = before.ways[frozenset(before.laid)]
    table, words = before.table, []
    if table.lunar_sector(play.card) != play.sector:
        words.append(_("Another moon: 2 shooting stars go back to the supply."))
    if table.card(play.card).choices[play.choice].shooting:
        words.append(_("The card brings a shooting star."))
    return " ".join(words)


def _follows(before: StepState, after: StepState, names: Sequence[str]) -> str:
    """What follows and is easily forgotten."""
    old, new = before.table, after.table
    if new.telescope is not None and old.telescope is None:
        return _(
            "All dawn spaces are taken: %(name)s has the telescope. Everybody else has one more"
            " turn, then the phase is scored.",
            name=names[new.telescope],
        )
    return ""
