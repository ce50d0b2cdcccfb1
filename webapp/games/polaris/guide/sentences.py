"""Sentences about actions in a guided game, with what to do by hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.polaris.action_card import Choice
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.phases import with_more
from scorer.polaris.steps import (
    LINK,
    NO_CARD,
    STEPS,
    ChooseCard,
    EndCard,
    EndPhase,
    Lay,
    LayOut,
    Step,
    StepState,
)
from scorer.polaris.table_state import HIDDEN, EndTurn, TableState, TakeCard, TakeShootingStars
from scorer.polaris.words import POLARIS, say
from scorer.scoresheet import Score
from scorer.sentence import Sentence, Verbatim
from webapp.games.polaris.phase_lines import lines_of
from webapp.web.words import as_sentence, spoken


def card_name(table: TableState, card: str) -> str:
    """The sector of a card's moon, and the pieces of its choices."""
    own = table.card(card)
    lays, moon = _either(own.choices, own.dawn), say(f"moon_{own.moon}")
    return spoken(say("card_of_sector", moon=moon, sector=table.lunar_sector(card), lays=lays))


def played_for(table: TableState, one: ChooseCard, *others: ChooseCard) -> str:
    """One or more of a card's choices as played, and the cost of another moon."""
    own = table.card(one.card)
    choices = [own.choices[step.choice] for step in (one, *others)]
    lays, is_own = _either(choices, own.dawn), one.sector == table.lunar_sector(one.card)
    key = "card_of_sector" if is_own else "card_of_other_moon"
    return spoken(say(key, moon=say(f"moon_{own.moon}"), sector=one.sector, lays=lays))


def _either(choices: Sequence[Choice], dawn: bool) -> str:
    """A card's choices, of which one is played, and the sun that goes with each."""
    first, *others = [pieces_named(one, dawn and len(choices) == 1) for one in choices]
    further = [spoken(say("or_else", lays=Verbatim(one))) for one in others]
    sun = [spoken(say("with_sun"))] if dawn and others else []
    return "".join([first, *further, *sun])


def most_missed(table: TableState, score: Score) -> Iterator[Sentence]:
    """For each player the step that would have given most: of a phase, a pattern, lonely stars."""
    edition = table.edition
    phases = [(one.card, one.snapshot.sky, one.telescope) for one in table.phases]
    scored = lines_of(phases, {seat.name: seat.colour for seat in table.seats}, edition)
    for seat, player in enumerate(score.players):
        found: list[tuple[int, Sentence]] = []
        for number, (card, lines) in enumerate(zip(phases, scored, strict=True), start=1):
            scores = [line.score for line in lines]
            own, more = scores[seat], scores[seat].result.to_next
            if more is not None:
                points = with_more(scores, seat, edition, more) - own.points
                common = edition.common[card[0]]
                values = {"number": number, "points": points}
                told = say("missed_phase", card=common.name, more=common.more(more), **values)
                found.append((points, told))
        for line in player.lines:
            if line.category == "lonely":
                found.append((-line.points, say("missed_lonely", points=-line.points)))
            elif line.category == "personal":
                more = min((one for one in edition.patterns if one > line.points), default=0)
                points = max(more - line.points, 0)
                found.append((points, say("missed_pattern", points=points)))
        yield max(found, key=lambda one: one[0])[1]


def pieces_named(choice: Choice, dawn: bool) -> str:
    """The pieces and gains of a choice, in words."""
    shown = [say("some_stars", n=choice.stars)] if choice.stars else []
    links = Counter(link.orientation for link in choice.links)
    shown += [say(f"some_{orientation}", n=n) for orientation, n in links.items()]
    shown += [say("some_shooting")] if choice.shooting else []
    shown += [say("some_sun")] if dawn else []
    return " + ".join(map(spoken, shown))


def describe(before: StepState, action: Step, after: StepState, names: Sequence[str]) -> str:
    """What an action did, and what to do by hand for it; "" if there is nothing to say."""
    done = [*_done(before, action, names[before.table.turn]), *_joined(before, action, after)]
    events = [*done, *_follows(before, after, names)]
    return " ".join(as_sentence(spoken(one)) for one in events)


def _done(before: StepState, action: Step, name: str) -> Iterator[Sentence | str]:
    table = before.table
    match action:
        case TakeCard(card):
            yield say("does_take", name=name, card=card_name(table, card))
            if table.card(card).deck == "advanced":
                yield say("take_paid")
        case ChooseCard(card) if card not in (HIDDEN, NO_CARD):
            yield say("does_play", name=name, card=played_for(table, action))
        case Lay(_, place):
            yield STEPS.format_event(action, name)
            if (kind := table.sky.board.kind_of(place)) != "plain":
                yield say(f"on_{kind}")
        case EndCard():
            if not before.laid:
                yield say("does_play_bare", name=name)
            elif left := _left_out(before):
                yield say("leaves_out", name=name, lays=Verbatim(left))
            yield from _paid(before)
        case EndTurn():
            if onto := min(table.suns(), table.free_dawn_spaces):
                every = table.edition.dawn_spaces
                taken = every - table.free_dawn_spaces + onto
                yield f"{name}: {spoken(say('suns_laid', n=onto, taken=taken, all=every))}"
        case LayOut() | TakeShootingStars() | EndPhase(int()):
            yield STEPS.format_event(action, name)


def _joined(before: StepState, action: Step, after: StepState) -> Iterator[Sentence]:
    """The constellation that a link makes or enlarges for whoever places it."""
    match action:
        case Lay(piece, place) if piece == LINK:
            own = PlayerStars(after.sky, before.table.player.colour)
            for one in own.constellations:
                if place in one.links:
                    key = "constellation_of_polaris" if POLARIS in one.spaces else "constellation"
                    yield say(key, count=one.size)


def _left_out(before: StepState) -> str:
    """The pieces of the card that are not placed, in words; "" without any."""
    shown, play = before.choice, before.ways[frozenset(before.laid)]
    assert shown is not None
    links = tuple(one for one, at in zip(shown.links, play.links, strict=True) if not at)
    stars = shown.stars - sum(map(bool, play.stars))
    return pieces_named(replace(shown, stars=stars, links=links, shooting=0), False)


def _paid(before: StepState) -> Iterator[Sentence]:
    """The shooting stars gained and spent by a card, besides those of its spaces."""
    play = before.ways[frozenset(before.laid)]
    table = before.table
    if table.lunar_sector(play.card) != play.sector:
        yield say("paid_moon")
    if table.card(play.card).choices[play.choice].shooting:
        yield say("card_brings")


def _follows(before: StepState, after: StepState, names: Sequence[str]) -> Iterator[Sentence]:
    """What follows and is easily forgotten."""
    if after.table.telescope is not None and before.table.telescope is None:
        yield say("telescope_taken", name=names[after.table.telescope])
