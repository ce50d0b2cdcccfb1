"""Ptolemaeus' implementation of `GuidedGame`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorer.ptolemaeus.edition import COMET, SEXTANT
from scorer.ptolemaeus.sky import Aspect, places_of
from scorer.ptolemaeus.state import (
    DECK,
    Discard,
    Event,
    Observe,
    Pay,
    Play,
    State,
    Study,
    Take,
    Travel,
)
from scorer.ptolemaeus.words import say
from scorer.sentence import Verbatim
from webapp.app.game_pages import Document
from webapp.app.game_words import said
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.app.languages import language
from webapp.games.ptolemaeus.pages import EVENT
from webapp.web.words import as_title


class GuidedPtolemaeus(GuidedGame):
    """From the sky of a date to the claim, or the comet's return."""

    def question(
        self, state: Any, draft: str, begun: Sequence[str], names: Sequence[str]
    ) -> Question | None:
        """The next step of a task in progress, or the first card that is taken."""
        seat = self.turns.decides(state)
        if seat is None or not state.todo:
            match begun:
                case ["take", *_]:
                    hint = said(say("take_two_hint")) if SEXTANT in state.open else ""
                    return Question(said(say("take_two")), hint)
                case ["observe"]:
                    return Question("", said(say("pay_hint")))
            return None
        task = state.todo[0]
        is_next = task.kind == "take" and task.left
        what = say("next_take" if is_next else f"first_{task.kind}")
        if task.kind == "pay" and len(task.observed) > 1:
            nth = len(task.observed) - len(task.places) + 1
            what = say("pay_nth", n=nth, all=len(task.observed))
        hint = said(say(f"{task.kind}_hint")) if task.kind in ("pay", "study", "place") else ""
        if is_next and SEXTANT in state.open:
            hint = said(say("next_take_hint"))
        return Question(said(say("does_next", name=names[seat], what=what)), hint)

    def describe(self, before: Any, action: Any, after: Any, document: Document) -> str | None:
        """Where the comet stops, whether it sweeps pieces, and whether it ends the game."""
        if not (isinstance(action, Travel) and action.body == COMET):
            return None
        swept = any(seat.on(action.at) for seat in before.seats)
        stops = said(say("comet_sweeps" if swept else "comet_stops", at=action.at))
        return f"{stops} {said(say('comet_home'))}" if after.over else stops

    def look(self, state: Any, action: Any) -> Choice | None:
        """Pictures of the cards that are taken, paid, played or discarded, and what it costs."""
        match action:
            case type():
                return self._study(state) if action is Study else None
            case [Pay(at), *_]:
                colour = state.edition.colour(at)
                return Choice(self._named(at), note=said(say("pay_note", colour=colour)))
            case [Observe(what), *_]:
                return self._observe(state, what, action)
            case Pay(_, cards):
                pass
            case Take(card) | Discard(card) | Play(card) if card != DECK:
                cards = (card,)
            case _:
                return None
        words = said(self.turns.format_action(action))
        return Choice(words, template="ptolemaeus/guide/_cards.html", about=cards)

    def _study(self, state: State) -> Choice | None:
        """Which planets, where two pieces there and two others study them after an action."""
        actions = () if state.todo else self.turns.actions(state)
        planets = dict.fromkeys(one.planet for one in actions if isinstance(one, Study))
        key = "study_now_one" if len(planets) == 1 else "study_now"
        return Choice(as_title(said(say(key, planets=tuple(planets))))) if planets else None

    def _observe(self, state: State, what: Aspect, every: Sequence[Observe]) -> Choice:
        """An aspect, with how many pieces it takes and where it can be observed."""
        legal = [one for one in every if not self.turns.illegal(state, one)]
        places = [dict.fromkeys(places_of(one.what, one.at)) for one in legal]
        named = ", ".join("–".join(map(self._named, each)) for each in places)
        count = len(places_of(what, every[0].at))
        note = said(say("observe_note", n=count, places=Verbatim(named))) if named else ""
        return Choice(as_title(self._named(what)), note=note)

    def _named(self, id: str) -> str:
        return self.turns.words.word(id, language())

    def live_entries(
        self, live: Any, before: Any, action: Any, after: Any
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The event card that was turned."""
        if isinstance(action, Event):
            yield EVENT, {"card": action.card}
