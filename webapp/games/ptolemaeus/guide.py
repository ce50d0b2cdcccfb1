"""Ptolemaeus' implementation of `GuidedGame`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorer.ptolemaeus.edition import COMET, ECLIPSIS, SEXTANT, ZODIAC, onward
from scorer.ptolemaeus.effects import TURNS_A_ROUND, comes_home, coming, turn_of
from scorer.ptolemaeus.legal import may_study
from scorer.ptolemaeus.sky import ASPECTS, Aspect, offered, places_of
from scorer.ptolemaeus.state import (
    DECK,
    HIDDEN,
    Action,
    Claim,
    Discard,
    End,
    Event,
    Lift,
    Move,
    Observe,
    Pay,
    Place,
    Play,
    Reveal,
    Seat,
    State,
    Study,
    Swap,
    Take,
    Task,
    Trade,
    Travel,
)
from scorer.ptolemaeus.words import say
from scorer.sentence import Sentence, Verbatim, signed
from webapp.app.game_words import said
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.app.languages import language
from webapp.games.ptolemaeus.pages import EVENT
from webapp.web.words import as_sentence, as_title


class GuidedPtolemaeus(GuidedGame):
    """From the sky of a date to the claim, or the comet's return."""

    def question(
        self, state: Any, draft: str, begun: Sequence[str], names: Sequence[str]
    ) -> Question | None:
        """The next step of a task in progress, or the first card that is taken."""
        seat = self.turns.decides(state)
        if seat is None:
            return None
        if not state.todo:
            match begun:
                case ["take", *_]:
                    hint = "take_two_hint" if SEXTANT in state.open else "take_hint"
                    price = [] if _is_last(state) else ["pay_hint"]
                    return Question(said(say("take_two")), _sentences(hint, *price))
                case ["observe"]:
                    hint = _sentences("pay_hint", "observe_hint")
                    return Question("", f"{hint} {_absent(state)}".strip())
            if begun or not state.round:
                return None
            is_first = state.round == turn_of(state) == 1
            hint = "last_turn" if _is_last(state) else "first_turn" if is_first else ""
            return Question("", said(say(hint))) if hint else None
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
            places = tuple(dict.fromkeys(task.places))
            what = say("pay_nth", n=nth, all=len(task.observed), places=places)
        if task.kind in ("discard", "home"):
            card = state.played[-1] if state.event else ECLIPSIS
            what = say(f"{task.kind}_by", n=state.todo.count(task), card=card)
        hints = self._hints(state, task)
        return Question(said(say("does_next", name=names[seat], what=what)), _sentences(*hints))

    def _hints(self, state: State, task: Task) -> Sequence[str]:
        """The phrases that explain a step of a task."""
        hints = [f"{task.kind}_hint"] if task.kind in ("take", "pay", "study", "place") else []
        if task.kind == "take" and task.left and SEXTANT in state.open:
            hints = ["next_take_hint"]
        if task.kind == "take" and not _is_last(state):
            hints.append("pay_hint")
        if task.kind == "pay":
            hints.append("paid_hint")
        if task.kind == "discard" and not state.event:
            hints.append("eclipsis_hint")
        if task.kind == "study" and len(self.turns.actions(state)) > 1:
            hints.append("study_which")
        return [*hints, "last_turn"] if _is_last(state) else hints

    def describe(self, before: Any, action: Any, after: Any, names: Sequence[str]) -> str | None:
        """What a study moves, a bonus card does, the comet jumps or sweeps; the turn marker."""
        seat = self.turns.decides(before)
        if isinstance(action, Reveal) and before.open and not after.open:
            turned = as_sentence(said(self.turns.format_event(action, "")))
            return f"{turned} {said(say('cards_swept'))}"
        if isinstance(action, Play) and seat is not None:
            played = as_sentence(said(self.turns.format_event(action, names[seat])))
            return f"{played} {self._text(action.card)}"
        if isinstance(action, End) and seat is not None and turn_of(after) != turn_of(before):
            name = Verbatim(names[seat])
            return as_sentence(said(say("does_end_marked", name=name, turn=turn_of(after))))
        if isinstance(action, Study) and seat is not None:
            at = before.standing[action.planet]
            brings = say("studies_for_asteroid" if at in before.asteroids else "studies_for")
            does = self.turns.format_event(action, names[seat])
            key = "studies_two" if action.others else "studies_three"
            return as_sentence(said(say(key, does=does, at=at, brings=brings)))
        if not (isinstance(action, Travel) and action.body == COMET):
            return None
        swept = any(seat.on(action.at) for seat in before.seats)
        stops = said(say("comet_sweeps" if swept else "comet_stops", at=action.at))
        steps = (ZODIAC.index(action.at) - ZODIAC.index(before.comet)) % len(ZODIAC)
        if skipped := tuple(onward(before.comet, n) for n in range(1, steps)):
            stops = f"{stops} {said(say('comet_jumps', places=skipped))}"
        return f"{stops} {said(say('comet_home'))}" if after.over else stops

    def look(self, state: Any, action: Any) -> Choice | None:
        """Pictures of the cards that are taken, paid, played or discarded, and what it costs."""
        note = ""
        match action:
            case type():
                return self._kind(state, action)
            case [Pay(at), *_]:
                colour = state.edition.colour(at)
                note = self._with_hand(state, say("pay_note", colour=colour))
                return Choice(self._named(at), note=note)
            case [Observe(what), *_]:
                return self._observe(state, what, action)
            case Observe(what, at) if not self.turns.illegal(state, action):
                pieces = self._pieces(state, places_of(what, at))
                if studied := self._studied(state, [action]):
                    pieces = said(say("observe_studies", pieces=Verbatim(pieces), planets=studied))
                is_one = what == "constellation"
                return Choice("", note=pieces if is_one else f"{said(say(f'is_{what}'))}: {pieces}")
            case Play(card):
                note, n = self._text(card), self._seat(state).bonus.count(card)
                note = said(say("play_several", n=n, text=Verbatim(note))) if n > 1 else note
                return Choice("", note=note, template="ptolemaeus/guide/_cards.html", about=(card,))
            case [Study() as study, *_] | (Study() as study):
                return self._study(state, study, action)
            case Trade() | End():
                return Choice("", note=self._follows(state, action))
            case Place(at=at) | Move(at=at) | Swap(at=at):
                return self._placed(state, at, action)
            case Pay(_, cards):
                left = len(self._seat(state).hand) - len(cards)
                note = said(say("pay_leaves", n=left))
            case Take(card) | Discard(card) if card != DECK:
                cards = (card,)
                note = self._useful(state, card) if isinstance(action, Take) else ""
            case _:
                return None
        words = said(self.turns.format_action(action))
        if isinstance(action, Take) and (n := state.open.count(action.card)) > 1:
            words = said(say("take_several", card=action.card, n=n))
        return Choice(words, note=note, template="ptolemaeus/guide/_cards.html", about=cards)

    def _follows(self, state: State, action: Trade | End) -> str:
        """What giving asteroids costs, or what comes after a turn."""
        if isinstance(action, Trade):
            n, each = self._seat(state).asteroids, state.edition.asteroids_a_point
            is_dear = n > 1 and n // each > (n - 2) // each
            return said(say("trade_costs" if is_dear else "trade_note", n=n))
        if self.turns.illegal(state, action):
            return ""
        if state.acted + 1 == TURNS_A_ROUND * len(state.seats):
            return said(say("end_over" if comes_home(state) else "end_round"))
        return said(say("end_turn")) if len(state.seats) > 1 else ""

    def _text(self, card: str) -> str:
        """What a bonus card does."""
        return next((said(term.text) for term in self.game.glossary if term.id == card), "")

    def _kind(self, state: State, kind: type) -> Choice | None:
        """Which planets are studied after an action, and whether anything can be observed."""
        if kind not in (Take, Study, Observe, Play) or state.todo:
            return None
        if kind is Play:
            return Choice(as_title(said(say("ask_play"))), note=said(say("what_play")))
        actions = self.turns.actions(state)
        if kind is Take:
            if not (_is_last(state) and state.actions == 1):
                return None
            bonus = "_bonus" if self._seat(state).bonus else ""
            note = said(say(f"what_take_last{bonus}"))
            return Choice(as_title(said(say("ask_take"))), note=note)
        if kind is Observe:
            if not state.actions:
                return None
            pays = [one for one in actions if isinstance(one, Observe)]
            is_hidden = HIDDEN in self._seat(state).hand
            what, seat = say("what_observe" if pays else "nothing_to_pay"), state.mover
            if studied := self._studied(state, pays):
                what = say("what_observe_studies", planets=studied)
            elif pays and _is_last(state) and not (is_hidden and may_study(state, seat)):
                what = say("what_observe_no_study")
            places = [one for one in ZODIAC if state.planets_at(one, seat)]
            may = [at for at in ZODIAC if Observe("constellation", at) in actions]
            parts = {
                "where": [at for at in places if at in may],
                "else": [at for at in may if at not in places],
                "rest" if may else "none": [at for at in places if at not in may],
            }
            if is_hidden:
                parts = {"stand": places, "others": parts["else"]}
            is_idle = is_hidden and what.key == "what_observe_no_study"
            for key, at in parts.items() if pays and not is_idle else ():
                if at:
                    each = Verbatim(", ".join(self._with_planets(state, one) for one in at))
                    what = say(f"what_observe_{key}", what=what, places=each)
            return Choice(as_title(said(say("ask_observe"))), note=said(what))
        points = {one.planet: self._points(state, one) for one in actions if isinstance(one, Study)}
        note = said(say("study_now_note", planets=self._with_points(points), n=len(points)))
        return Choice(said(say("study_now")), note=note) if points else None

    def _study(self, state: State, study: Study, action: Any) -> Choice:
        """Where a planet is studied, what that brings in view, and what leaves the sky for it."""
        at = state.standing[study.planet]
        words = said(say("study_in", planet=study.planet, at=at))
        if action is not study or self.turns.illegal(state, study):
            return Choice(words)
        key = "study_brings_asteroid" if at in state.asteroids else "study_brings"
        brings = say(key, n=self._points(state, study))
        if study.others:
            brings = say("study_leaves", brings=brings, at=at, others=study.others)
        return Choice(words, note=said(brings))

    def _studied(self, state: State, observations: Sequence[Action]) -> tuple[Verbatim, ...]:
        """What some of the observations let a player study in the same turn.

        Each planet with the points in view that it brings at least.
        """
        points = dict[str, int]()
        for one in observations:
            for then, study in self._studies(self.turns.after_legal(state, one)):
                brings = self._points(then, study)
                points[study.planet] = min(brings, points.get(study.planet, brings))
        return self._with_points(points)

    def _studies(self, state: State) -> Iterator[tuple[State, Study]]:
        """The studies that can follow, with their states; how an observation is paid is one."""
        steps = [one for one, _odds in self.turns.outcomes(state)] or self.turns.actions(state)
        ways = [one for one in steps if isinstance(one, Lift | Study)]
        for one in ways or (steps[:1] if state.todo else ()):
            if isinstance(one, Study):
                yield state, one
            yield from self._studies(self.turns.after_legal(state, one))

    def _with_points(self, points: Mapping[str, int]) -> tuple[Verbatim, ...]:
        return tuple(Verbatim(f"{self._named(one)} {signed(by)}") for one, by in points.items())

    def _points(self, state: State, study: Study) -> int:
        """The points in view that a legal study brings."""
        seat = self.turns.decides(state) or 0
        before, after = (
            self.turns.score(self.turns.seen_by(one, None)).players[seat].total
            for one in (state, self.turns.after_legal(state, study))
        )
        return after - before

    def _placed(self, state: State, at: str, action: Any) -> Choice:
        """Which planets stand where a piece is put, or those that it lets one study this turn."""
        here, after = state.planets_at(at, self.turns.decides(state) or 0), state
        if here and not self.turns.illegal(state, action):
            after = self.turns.after_legal(state, action)
            points = {
                study.planet: self._points(then, study)
                for then, study in self._studies(after)
                if study.planet in here
            }
            if points:
                return Choice(
                    "", note=said(say("studies_there", planets=self._with_points(points)))
                )
        return Choice("", note=self._there(state, at, action))

    def _there(self, state: State, at: str, action: Any = None) -> str:
        seat = self.turns.decides(state) or 0
        if planets := tuple(state.planets_at(at, seat)):
            over = action is not None and _is_last(state) and self._is_end(state, seat, action)
            return said(say("nothing_follows" if over else "stands_there", planets=planets))
        return said(say("nothing_stands"))

    def _seat(self, state: State) -> Seat:
        return state.seats[self.turns.decides(state) or 0]

    def _useful(self, state: State, card: str) -> str:
        """Which planets a card that is taken would help to study."""
        if _is_last(state) and not self._seat(state).bonus:
            return ""  # it pays for nothing more
        if card == SEXTANT:
            return said(say("card_for_any"))
        seat = self.turns.decides(state) or 0
        moves = {} if comes_home(state) else coming(state)
        there = state.planets_at(card, seat)
        kinds = {"card_for": [one for one in there if one not in moves]}
        kinds["card_for_now"] = [one for one in there if one in moves]
        if there:
            each = (say(key, planets=tuple(own)) for key, own in kinds.items() if own)
            return "; ".join(map(said, each))
        soon = [one for one, at in moves.items() if at == card and one != COMET]
        planets = tuple(one for one in soon if one not in state.seats[seat].studied)
        if planets:
            return said(say("card_for_soon", planets=planets))
        is_bare = not soon and card not in (*state.planets, state.comet, moves.get(COMET, card))
        return said(say("card_for_nobody" if is_bare else "card_for_none"))

    def _is_end(self, state: State, seat: int, action: Any) -> bool:
        """Whether nothing but the end of the turn can follow an action."""
        if self.turns.illegal(state, action):
            return False
        after = self.turns.after_legal(state, action)
        actions = self.turns.actions(after)
        return self.turns.decides(after) == seat and all(
            isinstance(one, Claim | End) for one in actions
        )

    def _pieces(self, state: State, places: Sequence[str]) -> str:
        """How many pieces an observation takes, and which planets can be studied there."""
        seat = self.turns.decides(state) or 0
        planets = [one for at in dict.fromkeys(places) for one in state.planets_at(at, seat)]
        key = "observe_pieces" if planets else "observe_pieces_none"
        return said(say(key, n=len(places), planets=tuple(planets)))

    def _observe(self, state: State, what: Aspect, every: Sequence[Observe]) -> Choice:
        """An aspect, with how many pieces it takes and where it can be observed."""
        legal = [one for one in every if not self.turns.illegal(state, one)]
        places = [dict.fromkeys(places_of(one.what, one.at)) for one in legal]
        named = ", ".join("–".join(self._with_planets(state, at) for at in each) for each in places)
        count = len(places_of(what, every[0].at))
        note = said(say("observe_note", n=count, places=Verbatim(named))) if named else ""
        return Choice(as_title(said(say(f"is_{what}"))), note=note)

    def _with_planets(self, state: State, at: str) -> str:
        """A constellation, and the planets that the player may study there."""
        planets = tuple(state.planets_at(at, self.turns.decides(state) or 0))
        return said(say("with_planets", at=at, planets=planets)) if planets else self._named(at)

    def _with_hand(self, state: State, note: Sentence) -> str:
        """What is said of a payment, and the cards that it is paid with, where they are known."""
        hand = Counter(self._seat(state).hand)
        cards = tuple(
            say("cards_counted", n=n, card=card) if n > 1 else card for card, n in hand.items()
        )
        return said(note if HIDDEN in hand else say("pay_note_hand", note=note, cards=cards))

    def _named(self, id: str) -> str:
        return self.turns.words.word(id, language())

    def live_entries(
        self, live: Any, before: Any, action: Any, after: Any
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The event card that was turned."""
        if isinstance(action, Event):
            yield EVENT, {"card": action.card}


def _sentences(*keys: str) -> str:
    return " ".join(said(say(key)) for key in keys)


def _absent(state: State) -> str:
    """The configurations that the sky does not offer; "" if it has all."""
    there = {what for what, _at in offered(state.bodies)}
    kinds = tuple(say(f"is_{one}") for one in ASPECTS if one not in there)
    return said(say("not_in_sky", kinds=kinds)) if kinds else ""


def _is_last(state: State) -> bool:
    """Whether the player to move has no turn after this one."""
    left = TURNS_A_ROUND * len(state.seats) - state.acted
    return bool(state.round) and left <= len(state.seats) and comes_home(state)
