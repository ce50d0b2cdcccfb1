"""The questions of a guided game: the parts of an action in order, by buttons and on the board.

A draft is the beginning of an action's notation: the words chosen so far. Parts that all remaining
actions have in common are not asked.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from flask_babel import gettext as _

from calibration import Profile
from scorer.flags import RuleBreak
from scorer.notation import LITERAL, Part, parts_of, place_named
from scorer.places import Place, PlaceKind
from scorer.sentence import Phrasebook, Sentence, Value, Verbatim
from scorer.table_guide import guide_of
from scorer.turns import Turns
from webapp.app.game_pages import Document
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.app.languages import language
from webapp.app.session.game_document import player_names
from webapp.web.context import current_profile
from webapp.web.words import as_sentence, as_title, piece_name, said, spoken, spoken_name

TAPPED: frozenset[PlaceKind] = frozenset({"spot", "edge"})
"""The kinds of places that are tapped on the drawn board; others have buttons."""
MOST_BY_BUTTON = 24
"""The most regions with buttons; more than that are tapped."""
MOST_AT_ONCE = 8
"""The most choices put on one screen instead of two in succession."""


def tapped(profile: Profile) -> frozenset[PlaceKind]:
    """Return the kinds of places that are tapped on the drawing of a board."""
    regions = sum(place.kind == "region" for place in profile.places)
    return TAPPED | {"region"} if regions > MOST_BY_BUTTON else TAPPED


def part_name(turns: Turns[Any, Any], word: str, own: Part) -> str:
    """Return a button's text for a word of an action; `ask_` phrases name kinds of actions."""
    if own.piece:
        return piece_name(word)
    if own.places:
        return spoken_name(word)
    key = f"ask_{word}" if own is LITERAL else ""
    if key in turns.words.phrases:
        return spoken(turns.words.say(key))
    return turns.words.word(word, language())


def from_phrases(
    book: Phrasebook, key: str, template: str = "", about: object = None, /, **values: Value
) -> Question:
    """Return the question `guide_KEY` of a phrasebook, with `guide_KEY_hint` if there is one."""
    hint = f"guide_{key}_hint"
    return Question(
        spoken(book.say(f"guide_{key}", **values)),
        spoken(book.say(hint, **values)) if hint in book.phrases else "",
        template=template,
        about=about,
    )


def players_named(
    game: GuidedGame, state: Any, action: Any, names: Sequence[str]
) -> Mapping[str, Value]:
    """Return the names of the players that fields of an action stand for."""
    parts = parts_of(type(action)).items()
    meant = {name: getattr(action, name) for name, part in parts if part.player}
    players = game.turns.answers(state)["players"] if meant else ()
    colours = [own["colour"] for own in players]
    return {
        name: Verbatim(names[colours.index(colour)])
        for name, colour in meant.items()
        if colour in colours
    }


def describe(
    game: GuidedGame, before: Any, action: Any, after: Any, document: Document, times: int = 1
) -> str:
    """Return what an action did, and what to do at the table; "" for nothing.

    Done several times, it is counted if its phrase has another with the suffix `_times`.
    """
    names = player_names(document)
    own = game.describe(before, action, after, names)
    if own is not None:
        return own
    if game.hides(action):
        return ""
    seat = game.turns.decides(before)
    name = "" if seat is None else names[seat]
    named = players_named(game, before, action, names)
    if event := game.turns.format_event(action, name, **named):
        return as_sentence(spoken(_repeated(game.turns.words, event, times)))
    words = as_sentence(spoken(game.turns.format_action(action, **named)))
    return f"{name}: {words}" if name else words


def _repeated(book: Phrasebook, event: str, times: int) -> str:
    if times > 1 and isinstance(event, Sentence) and f"{event.key}_times" in book.phrases:
        return book.say(f"{event.key}_times", **{**event.values, "n": times})
    return event


@dataclass(frozen=True)
class Line:
    """An action on offer, with the words of its notation and the part each belongs to."""

    action: Any
    words: Sequence[str]
    parts: Sequence[Part]


@dataclass(frozen=True)
class Asked:
    """The question for a state after a `draft` has been chosen.

    `is_shown`: whoever decides sees their cards on this screen. `is_first`: they have not decided
    anything before, so that they are told what a turn is.
    """

    game: GuidedGame
    state: Any
    draft: str = ""
    is_shown: bool = False
    is_first: bool = False

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The actions on offer, or the outcomes of chance."""
        turns = self.game.turns
        offered = [action for action, _odds in turns.outcomes(self.state)]
        return [
            Line(action, *zip(*turns.notation.words(action), strict=True))
            for action in dict.fromkeys(offered or turns.offered(self.state))
        ]

    @cached_property
    def begun(self) -> list[str]:
        """The words decided so far: the draft, and those that all lines share after it."""
        words = next(filter(None, map(self._drafted, self.lines)), [])
        return self._further(words)

    @cached_property
    def laying(self) -> list[str] | None:
        """The words before the choice on the board; None if nothing is chosen there."""
        several = {
            word: lines
            for word, lines in self._following(self.begun).items()
            if len(lines) > 1 or self._on_board(lines[0].parts[-1])
        }
        if several and self._ends_on_board(self.begun):
            return self.begun
        for word, lines in several.items() if len(several) == 1 else ():
            alone = len(lines) == 1
            words = [*lines[0].words[:-1]] if alone else self._further([*self.begun, word])
            return words if self._ends_on_board(words) else None
        return None

    def _further(self, words: list[str]) -> list[str]:
        """Return the words extended by those that all lines beginning with them share."""
        following = self._following(words)
        lines = next(iter(following.values()), ())
        if len(following) != 1 or "" in following or len(lines) == 1:
            return words
        return self._further([*words, *following])

    def _ends_on_board(self, words: Sequence[str]) -> bool:
        return any(self._is_place(line, len(words)) for line in self._fitting(words))

    def _drafted(self, line: Line) -> list[str]:
        """Return the words of a line that make up the draft; [] if it is not a part of them."""
        words = list(line.words)
        starts = (words[:end] for end in range(1, len(words)))
        return next((one for one in starts if " ".join(one) == self.draft), [])

    def is_begun(self, document: Document) -> bool:
        """Whether the draft is part of an action, or of a question of the game's own."""
        if any(map(self._drafted, self.lines)):
            return True
        return self.question(document) != replace(self, draft="").question(document)

    def only_choice(self, names: Sequence[str]) -> Choice | None:
        """Return the action that a question of the game's own leaves; None if it leaves several."""
        asked = self.game.question(self.state, self.draft, (), names)
        if asked is None or not asked.whole or asked.places or len(asked.choices) != 1:
            return None
        (choice,) = asked.choices
        is_legal = choice.action and not self.game.turns.illegal(self.state, choice.action)
        return choice if is_legal else None

    @property
    def kinds(self) -> Set[str]:
        """Return the kinds of actions that can be done, the first words of their notation."""
        legal, fitting = {*self.game.turns.actions(self.state)}, self._fitting(self.begun)
        return {line.words[0] for line in fitting if not legal or line.action in legal}

    @property
    def is_private(self) -> bool:
        """Whether the choices may only be seen by whoever decides.

        Also if no action is known although somebody decides.
        """
        if not self.lines:
            return self.game.turns.decides(self.state) is not None
        at, fitting = len(self.begun), self._fitting(self.begun)
        return bool(fitting) and all(
            any(one.private for one in line.parts[at:]) for line in fitting
        )

    def task(self, names: Sequence[str]) -> str:
        """Return the game's own question as a sentence; "" if it has none."""
        asked = self.game.question(self.state, self.draft, self.begun, names)
        return as_sentence(asked.words) if asked and asked.words else ""

    def question(self, document: Document) -> Question:
        """Return the question, in the game's own words if it has some."""
        if not self.lines:
            why = spoken(self.game.turns.ending(self.state, player_names(document)))
            return Question(_("The game is over"), as_sentence(why) if why else "", over=True)
        places = self.places()
        seat = self.game.turns.decides(self.state)
        names = player_names(document)
        begun = self.laying or self.begun
        heading = self.game.question(self.state, self.draft, begun, names)
        if heading is not None and heading.whole:
            return heading
        more = heading.hint if heading is not None and not heading.words else ""
        heading = None if more else heading
        if heading is None and places:
            fits = any(self.game.turns.illegal(self.state, one) is None for one in places.values())
            kind = self._kind(begun)
            heading = Question(
                _("%(what)s: where?", what=as_title(kind)) if kind else _("Where does it go?"),
                _("It can go where a ring is lit. Tap any other space to see why not.")
                if fits
                else _("It cannot go anywhere now. Tap a space to see why not."),
            )
        elif heading is None and seat is None:
            heading = Question(_("What is drawn?"))
        elif heading is None:
            kind = self._kind(begun)
            heading = Question(
                _("%(what)s: choose", what=as_title(kind))
                if kind
                else _("%(name)s, what do you do?", name=names[seat or 0]),
                "" if kind else self._turn_in_short(),
            )
        choices = [*self._choices(names), *heading.choices]
        hint = f"{heading.hint} {more}".strip()
        shown = heading.shown if places else heading.shown or self._places_of_buttons()
        return replace(heading, hint=hint, choices=choices, places=places, shown=shown)

    def _turn_in_short(self) -> str:
        """Return what a turn is, for whoever has none behind them."""
        guide = guide_of(self.game.game) if self.is_first else None
        return said(guide.turn()[0]) if guide else ""

    def _kind(self, words: Sequence[str]) -> str:
        """Return the kind of action that begins with some words, or the button that led to it.

        "" if it has none.
        """
        phrases = self.game.turns.words.phrases
        fitting = self._fitting(words)
        line = next(iter(fitting), None)
        last = line.parts[len(words) - 1] if line is not None and words else LITERAL
        if last is not LITERAL and (self.is_shown or not last.private):
            look = self.game.look(self.state, [one.action for one in fitting])
            if look is not None:
                return look.words
        for word, own in zip(words, line.parts if line else (), strict=False):
            if own is LITERAL and f"ask_{word}" in phrases:
                kind = self._kind_look(self._fitting(words))
                return kind.words if kind else part_name(self.game.turns, word, own)
        return ""

    def _fitting(self, words: Sequence[str]) -> Sequence[Line]:
        return [line for line in self.lines if list(line.words[: len(words)]) == list(words)]

    def _following(self, words: Sequence[str]) -> Mapping[str, Sequence[Line]]:
        """Return the lines by their next word, "" for complete lines."""
        found: dict[str, list[Line]] = {}
        for line in self._fitting(words):
            found.setdefault(next(iter(line.words[len(words) :]), ""), []).append(line)
        return found

    def places(self) -> Mapping[Place, Any]:
        """Return the actions of the board's places, legal or not, of the kinds on offer."""
        words, found = self.laying, dict[Place, Any]()
        if words is None:
            return found
        at = len(words)
        lines = [line for line in self._fitting(words) if self._is_place(line, at)]
        kinds = {place_named(line.words[at], line.parts[at]).kind for line in lines}
        for place in current_profile().places:
            if place.kind in kinds:
                tapped = self.game.turns.read_action(" ".join([*words, place.id]))
                found[place] = self.game.tapped_action(self.state, tapped)
        return found

    def _places_of_buttons(self) -> Sequence[Place]:
        """Return the places of the legal actions on buttons."""
        at = len(self.begun)
        return [
            place_named(word, line.parts[at])
            for line in self._fitting(self.begun)
            if line.parts[at:] and line.parts[at].places
            if self.game.turns.illegal(self.state, line.action) is None
            for word in line.words[at].split()
        ]

    def _choices(self, names: Sequence[str]) -> Sequence[Choice]:
        """Return a button for each option that is not on the board."""
        at, choices = len(self.begun), list[Choice]()
        on_board = self.laying is not None
        following = {
            word: [one for one in lines if not self._is_place(one, at)]
            for word, lines in self._following(self.begun).items()
            if not on_board or (len(lines) == 1 and not self._on_board(lines[0].parts[-1]))
        }
        room = MOST_AT_ONCE - len(following)
        for word, lines in following.items():
            further = self._following([*self.begun, word])
            apart = any(  # on the board, or on a screen that only its player sees
                self._is_place(line, at + 1) or line.parts[at + 1].private
                for line in lines
                if line.parts[at + 1 :]
            )
            is_kind = bool(lines) and lines[0].parts[at] is LITERAL and not self._kind_look(lines)
            if is_kind and 1 < len(further) <= room and not apart:
                room -= len(further) - 1
                choices += [
                    self._choice([*self.begun, word, other], own, names)
                    for other, own in further.items()
                ]
            elif lines:
                choice = self._choice([*self.begun, word], lines, names)
                choices += [choice, *self._refused_beside(choice, lines, names)]
        return [replace(one, aside=True) for one in choices] if on_board else choices

    def _is_place(self, line: Line, at: int) -> bool:
        return len(line.words) == at + 1 and self._on_board(line.parts[at])

    def _on_board(self, part: Part) -> bool:
        return not self._tapped.isdisjoint(part.places)

    @cached_property
    def _tapped(self) -> frozenset[PlaceKind]:
        return tapped(current_profile())

    def _choice(self, words: Sequence[str], lines: Sequence[Line], names: Sequence[str]) -> Choice:
        """Return the button of an action, or of the words that several begin with."""
        action, turns = lines[0].action, self.game.turns
        hidden = any(one.private for one in lines[0].parts[len(words) :]) and not self.is_shown
        is_whole = not (self._is_place(lines[0], len(words)) or hidden)
        if len(lines) == 1 and (is_whole or turns.illegal(self.state, action)):
            return self._whole(action, self.game.look(self.state, action), names)
        refused = action if self._has_one_obstacle(lines) else None
        new = list(zip(words, lines[0].parts, strict=False))[len(self.begun) :]
        asked = [one for one in new if one[1] is not LITERAL] or new
        draft = "" if refused else " ".join(words)
        obstacles = () if refused else self._obstacles(lines, len(words))
        if lines[0].parts[len(words) - 1] is not LITERAL:
            # Where one way is legal, the screen with the reasons is skipped.
            look = self.game.look(self.state, [line.action for line in lines])
            if look is not None:
                legal = [one.action for one in lines if not turns.illegal(self.state, one.action)]
                is_alone = len(legal) == 1 and not hidden
                alone = self.game.look(self.state, legal[0]) if is_alone else None
                if alone is not None:
                    return self._whole(legal[0], alone, names)
                return replace(look, action=refused, draft=draft, obstacles=obstacles)
        kind = self._kind_look(lines)
        named = kind.words if kind else ""
        if not named:
            named = ", ".join(part_name(turns, word, own) for word, own in asked)
            kinds = [] if asked == new else [one for one in new if one[1] is LITERAL]
            for other in (part_name(turns, *one) for one in kinds):
                named = named if other in words else f"{other}: {named}"
            named = as_title(named)
        return Choice(
            named,
            action=refused,
            draft=draft,
            obstacles=obstacles,
            piece=next((word for word, own in asked if own.piece), ""),
            note=kind.note if kind else "",
        )

    def _refused_beside(
        self, choice: Choice, lines: Sequence[Line], names: Sequence[str]
    ) -> Iterator[Choice]:
        """Yield the buttons of what is illegal, beside that of the only legal action of several."""
        illegal = self.game.turns.illegal
        if choice.action is None or illegal(self.state, choice.action):
            return
        for action in (line.action for line in lines):
            if action != choice.action and illegal(self.state, action):
                yield self._whole(action, self.game.look(self.state, action), names)

    def _whole(self, action: Any, look: Choice | None, names: Sequence[str]) -> Choice:
        """Return the button of an action, in the turns' own words where its look has none."""
        look = look or Choice("")
        players = players_named(self.game, self.state, action, names)
        words = look.words or as_title(spoken(self.game.turns.format_action(action, **players)))
        return replace(look, words=words, action=action)

    def _has_one_obstacle(self, lines: Sequence[Line]) -> bool:
        """Whether all lines are illegal for the same reason."""
        broken = (self.game.turns.illegal(self.state, line.action) for line in lines)
        reasons = groupby(broken, lambda one: one and (one.kind, str(one.reason)))
        first, _same = next(reasons)
        return first is not None and next(reasons, None) is None

    def _obstacles(self, lines: Sequence[Line], known: int) -> Sequence[tuple[RuleBreak, int]]:
        """Why no line is legal, most frequent first; () if one is, or if hidden cards decide.

        Of each reason the shortest in English, which often names the fewest obstacles. What holds
        wherever it is done, as it concerns no space, stands for all others.
        """
        if not self.is_shown and any(part.private for line in lines for part in line.parts[known:]):
            return ()
        found: dict[str, list[RuleBreak]] = {}
        for line in lines:
            broken = self.game.turns.illegal(self.state, line.action)
            if broken is None:
                return ()
            found.setdefault(getattr(broken.reason, "key", broken.kind), []).append(broken)
        most_first = sorted(found.values(), key=len, reverse=True)
        general = [one[:1] for one in most_first if not one[0].spaces]
        return [
            (min(one, key=lambda own: len(str(own.reason))), len(one))
            for one in general or most_first
        ]

    def _kind_look(self, lines: Sequence[Line]) -> Choice | None:
        """Return the game's button for an action class if all lines are of one.

        By default one with the phrase `what_WORD` below its name, if there is such a phrase.
        """
        kinds = {type(line.action) for line in lines}
        if len(kinds) != 1:
            return None
        word, book = lines[0].words[0], self.game.turns.words
        look = self.game.look(self.state, *kinds)
        if look is not None or f"what_{word}" not in book.phrases:
            return look
        name = part_name(self.game.turns, word, LITERAL)
        return Choice(as_title(name), note=spoken(book.say(f"what_{word}")))
