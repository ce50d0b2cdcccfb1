"""Ptolemaeus' implementation of `GuidedGame`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorer.ptolemaeus.edition import COMET, SEXTANT
from scorer.ptolemaeus.sky import Aspect, places_of
from scorer.ptolemaeus.state import (
    DECK,
    Discard,
    Event,
    Move,
    Observe,
    Pay,
    Place,
    Play,
    State,
    Study,
    Swap,
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
        if task.kind == "study":
            what = say("study_three", at=task.places[0])
        if task.kind == "place":
            colour = state.edition.colour(task.places[0])
            what = say("place_by", card=state.played[-1], colour=colour)
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
                return self._kind(state, action)
            case [Pay(at), *_]:
                colour = state.edition.colour(at)
                return Choice(self._named(at), note=said(say("pay_note", colour=colour)))
            case [Observe(what), *_]:
                return self._observe(state, what, action)
            case Observe(what, at) if not self.turns.illegal(state, action):
                return Choice("", note=said(say("observe_pieces", n=len(places_of(what, at)))))
            case Play(card):
                texts = (term.text for term in self.game.glossary if term.id == card)
                note = next(map(said, texts), "")
                return Choice("", note=note, template="ptolemaeus/guide/_cards.html", about=(card,))
            case [Study() as study, *_] | (Study() as study):
                return self._study(state, study, action)
            case Place(at=at) | Move(at=at) | Swap(at=at):
                return self._placed(state, at)
            case Pay(_, cards):
                pass
            case Take(card) if state.open.count(card) > 1:
                words = said(say("take_several", card=card, n=state.open.count(card)))
                return Choice(words, template="ptolemaeus/guide/_cards.html", about=(card,))
            case Take(card) | Discard(card) if card != DECK:
                cards = (card,)
            case _:
                return None
        words = said(self.turns.format_action(action))
        return Choice(words, template="ptolemaeus/guide/_cards.html", about=cards)

    def _kind(self, state: State, kind: type) -> Choice | None:
        """Which planets are studied after an action."""
        if kind is not Study or state.todo:
            return None
        actions = self.turns.actions(state)
        planets = dict.fromkeys(one.planet for one in actions if isinstance(one, Study))
        note = said(say("study_now_note", planets=tuple(planets)))
        return Choice(said(say("study_now")), note=note) if planets else None

    def _study(self, state: State, study: Study, action: Any) -> Choice:
        """Where a planet is studied, what that brings in view, and what leaves the sky for it."""
        at = state.standing[study.planet]
        words = said(say("study_in", planet=study.planet, at=at))
        if action is not study or self.turns.illegal(state, study):
            return Choice(words)
        seat = self.turns.decides(state)
        before, after = (
            self.turns.score(self.turns.seen_by(one, None)).players[seat or 0].total
            for one in (state, self.turns.after_legal(state, study))
        )
        key = "study_brings_asteroid" if at in state.asteroids else "study_brings"
        brings = say(key, n=after - before)
        if study.others:
            brings = say("study_leaves", brings=brings, at=at, others=study.others)
        return Choice(words, note=said(brings))

    def _placed(self, state: State, at: str) -> Choice:
        """Which planets can be studied where a piece is put."""
        seat = self.turns.decides(state)
        planets = tuple(state.planets_at(at, seat or 0))
        note = say("stands_there", planets=planets) if planets else say("nothing_stands")
        return Choice("", note=said(note))

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
