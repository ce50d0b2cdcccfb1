"""Polaris' lessons: the files in `lessons/`, and cards that are told piece by piece."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from scorer.inference import Inference
from scorer.lesson import Course
from scorer.places import Place
from scorer.polaris.goals import GOALS
from scorer.polaris.placing import plays
from scorer.polaris.sky import Sky
from scorer.polaris.table_state import Action, PlayCard, TableState
from scorer.polaris.turns import TURNS, PolarisTurns
from scorer.polaris.words import say
from scorer.sentence import Sentence

LEARNERS = ("red", "blue", "yellow")
"""The colours at the table of a lesson, the learner's first."""


class PolarisCourse(Course[TableState, Action]):
    """See `scorer.lesson.Course`; a card is played whole.

    >>> print(TURNS.format_action(PlayCard("new-B3", 1, 0, ("1b2",), ("1b2-1c2",))))
    the card's pieces go on 1b2, 1b2-1c2
    """

    goals = GOALS

    @property
    def turns(self) -> PolarisTurns:
        """Card by card."""
        return TURNS

    def start_of(self, data: Mapping[str, Any]) -> TableState:
        """See `scorer.polaris.lesson_start`."""
        from scorer.polaris.lesson_start import start_of  # pydantic takes its time

        return start_of(data)

    def unfinished(self, state: TableState, action: Action) -> Sentence | None:
        """The card's next piece: first its stars are laid, and then its links."""
        if not isinstance(action, PlayCard):
            return None
        choice = state.card(action.card).choices[action.choice]
        if len(action.stars) < choice.stars:
            return say("lay_star")
        if len(action.links) < len(choice.links):
            return say("lay_link", orientation=choice.links[len(action.links)].orientation)
        return None

    def readings(self, state: TableState, position: Sky) -> Iterator[Sequence[Action]]:
        """Whole cards, then one that is begun, then each of the hand, whatever rule that breaks.

        A New Moon that nobody saw (None) is where it was.

        >>> from scorer.polaris.contract import POLARIS_GAME
        >>> from scorer.polaris.table_state import set_up
        >>> begun = set_up([("Ana", "red"), ("Eva", "blue"), ("Luz", "yellow")])
        >>> begun = replace(begun.with_seat(0, replace(begun.player, hand=("new-B3",))), pending=())
        >>> for link in ((), ("1b2-1c2",)):
        ...     print(*next(PolarisCourse(POLARIS_GAME).readings(begun, Sky({"1b2": "red"}, link))))
        PlayCard(card='new-B3', sector=1, choice=0, stars=('1b2',), links=())
        PlayCard(card='new-B3', sector=1, choice=0, stars=('1b2',), links=('1b2-1c2',))
        """
        position = replace(position, new_moon=position.new_moon or state.new_moon)
        seen = self.game.pieces_of(position)
        search = Inference(TURNS, lambda one: self.game.pieces_of(one.sky), _whole_plays)
        yield from search.explanations(state, seen)
        new = search.new_places(state, seen)
        if 0 < len(new) <= search.most and all(seen.get(at) in _pieces(state) for at in new):
            yield from ((play,) for play in dict.fromkeys(_begun(state, new)))
            yield from ((play,) for play in _forbidden(state, new))


def _pieces(state: TableState) -> Collection[str]:
    """What whoever's turn it is can lay."""
    return (state.player.colour, "link")


def _whole_plays(state: TableState) -> Iterator[PlayCard]:
    return (play for play in plays(state) if None not in (*play.stars, *play.links))


def _begun(state: TableState, new: frozenset[Place]) -> Iterator[PlayCard]:
    """Cards of whose pieces some lie there, as far as a learner tells them: first the stars."""
    there = {place.id for place in new}
    for play in _whole_plays(state):
        if there < {*play.stars, *play.links}:
            stars = _first(play.stars, there)
            links = _first(play.links, there) if len(stars) == len(play.stars) else ()
            yield replace(play, stars=stars, links=links)


def _first(places: Sequence[str | None], there: Collection[str]) -> tuple[str | None, ...]:
    missing = (number for number, place in enumerate(places) if place not in there)
    return tuple(places[: next(missing, len(places))])


def _forbidden(state: TableState, new: frozenset[Place]) -> Iterator[PlayCard]:
    """Each card with all that is new."""
    stars = tuple(sorted(place.id for place in new if place.kind == "spot"))
    links = sorted(place.id for place in new if place.kind == "edge")
    for card in dict.fromkeys(state.player.hand):
        own = state.played[0].sector if state.played else state.lunar_sector(card)
        for number in range(len(state.card(card).choices)):
            for ordered in permutations(links):
                yield PlayCard(card, own, number, stars, ordered)
