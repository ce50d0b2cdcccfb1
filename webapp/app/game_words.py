"""What pages call the things of a game: phrases of the game's own, else what every game says.

The key of a phrase is the kind of thing and its id, such as `step_cards`; what it may name is in
braces:

| phrase | says | values |
|---|---|---|
| `welcome` | what the companion does for this game | |
| `step_ID`, `change_ID` | a step, and a link back to it from the score | |
| `mode_ID`, `marker_ID`, `kind_ID` | a way to play, a player's colour, a kind of board | |
| `moment_ID`, `moment` | a moment of a shared table | `moment` |
| `board`, `piece_counts` | a shared board; what lies on one | `spots`, `edges`, `held`, tracks |
| `part_CATEGORY`, `line_CATEGORY` | a part of the score, and a line of it | the line's subject |
| `notice_KIND`, `advice_KIND` | what a reading saw; what to do about a broken rule | |
| `track_ID`, `track_ID_doubtful`, `_less`, `_more`, `_right` | a track's count | `count` |
| `count_ID` | how many pieces lie on a track | `n` |
| `piece_ID`, `piece`, `laid_ID` | a piece, and that it came to a space | `piece`, `space` |
| `places_KIND` | the places of a kind, where a board has several | |
| `guided`, `guided_hint` | what is asked before a guided game | |
| `draws_hand`, `draws_program` | who draws in it, as its answers; "" where that cannot be | |
| `strip_FIELD` | what lies open on the table, by the field of the state; else its term | |
| `objectives`, `begin`, `before` | the objectives; that nothing has happened; the time before | |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from scorer.game import Game
from scorer.scoresheet import Line
from scorer.sentence import Sentence, Value
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.languages import language
from webapp.app.session.board_slots import KIND, SEAT, has_moments, is_shared, owners


@dataclass(frozen=True)
class Opening:
    """What is asked before a guided game begins, and the answers, each by what it makes `draws`."""

    words: str
    hint: str
    answers: Mapping[str, str]


class GameWords:
    """The words of a game, in the language of whoever asks."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        """Speak of a game."""
        self.game = game

    def say(self, key: str, default: str = "", /, **values: Value) -> str:
        """The phrase at a key, `default` where the game has none."""
        book = self.game.words
        if key not in book.phrases:
            return default
        return book.say(key, **values).in_language(language())

    def name(self, piece: str) -> str:
        """What a piece, or another word of the game, is called by itself."""
        return self.game.piece_name(piece, language())

    @property
    def welcome(self) -> str:
        """What somebody reads who opens the companion for the first time."""
        game = self.game.title
        return self.say(
            "welcome",
            _("Photograph the boards at the end of your game of %(game)s.", game=game),
        )

    def step(self, step: str, document: Mapping[str, Any]) -> str:
        """What a step is called at the head of its page: else its question is."""
        found = self.say(f"step_{step}")
        if found:
            return found
        asked = {one.id: one.text for one in self.game.questions(document)}
        return said(asked[step])

    def mode(self, mode: str) -> str:
        """What a way to play is called."""
        return self.say(f"mode_{mode}", mode)

    def marker(self, marker: str) -> str:
        """What a player's colour is called."""
        of_every_game = {
            "teal": _("teal"),
            "coral": _("coral"),
            "lime": _("lime"),
            "violet": _("violet"),
        }
        return self.say(f"marker_{marker}", of_every_game.get(marker) or self.name(marker))

    def moment(self, moment: str) -> str:
        """What a moment of a shared table is called."""
        return self.say(f"moment_{moment}", self.say("moment", moment, moment=moment))

    def kind(self, kind: str) -> str:
        """What a kind of board at a table of several is called."""
        return self.say(f"kind_{kind}", kind.capitalize())

    def notice(self, kind: str) -> str:
        """What a reading saw of the whole board: a broken rule of which no space is a part."""
        return self.say(f"notice_{kind}", kind.replace("_", " "))

    def advice(self, rule: str) -> str:
        """What to do about a broken rule."""
        return self.say(f"advice_{rule}")

    # the score

    def part(self, category: str) -> str:
        """What a part of the score is called."""
        return self.say(f"part_{category}", said(self.game.categories[category]))

    def line(self, line: Line) -> str:
        """What a line of the score is about: its card, or what else its category names."""
        id = str(line.subject.get("card", ""))
        card = self._term(id) or id
        return (
            self.say(f"line_{line.category}", **{**line.subject, "card": card})
            or said(card)
            or self.name(str(line.subject.get(line.category, "")))
            or self.part(line.category)
        )

    def knows(self, line: Line) -> bool:
        """Whether a line's card is one of those that the game explains, if it explains any."""
        card = line.subject.get("card")
        return card is None or not self.game.glossary or self._term(str(card)) is not None

    def term_of(self, category: str) -> str:
        """The word of the glossary that a part of the score is about, "" for none."""
        return next((one.id for one in self.game.glossary if category in one.parts), "")

    def objective(self, id: str) -> str:
        """What an objective is called."""
        found = self._term(id)
        return id if found is None else said(found)

    def _term(self, id: str) -> Sentence | None:
        return next((one.name for one in self.game.glossary if one.id == id), None)

    # boards

    def board(self, name: str) -> str:
        """At the head of what corrects a board; everybody's is called what it is."""
        return name if self.game.table.shared else _("The board of %(name)s", name=name)

    def owner_of(self, document: Mapping[str, Any], board: int) -> str:
        """Whose board that of the number is; what it is called where it is everybody's.

        Where there are several kinds, also of which it is.
        """
        if is_shared(document):
            own = owners(document)[board] if not has_moments(document) else {}
            if KIND not in own:
                return self.say("board", _("The board"))
            title = self.kind(own[KIND])
            return f"{document['players'][own[SEAT]]['name']}: {title}" if SEAT in own else title
        return str(document["players"][board]["name"])

    def piece_counts(self, pieces: DrawnPieces) -> str:
        """How much lies on a board: on its spaces, and how many pieces on each track."""
        held = sum(own.total() for own in pieces.regions.values())
        tracks = {one.id: 0 for one in self.game.pieces if "track" in one.lies_on}
        counts = {**tracks, **pieces.counts}
        values: dict[str, Value] = {
            **counts,
            "spots": len(pieces.stars),
            "edges": len(pieces.links),
            "held": held,
        }
        counted = [ngettext("%(num)d piece", "%(num)d pieces", len(pieces.pieces) + held)]
        counted += [f"{count} × {self.name(id)}" for id, count in pieces.counts.items()]
        return self.say("piece_counts", ", ".join(counted), **values)

    def track(self, track: str, count: int) -> Mapping[str, str]:
        """How a track's count is asked for: `name`, `doubtful`, `less`, `more`, `right`."""
        name = self.say(f"track_{track}", self.name(track))
        others = {"doubtful": f"{name}?", "less": "−", "more": "+", "right": str(count)}
        asked = {
            key: self.say(f"track_{track}_{key}", default, count=str(count))
            for key, default in others.items()
        }
        return {"name": name, **asked}

    def count(self, track: str, count: int) -> str:
        """How many pieces lie on a track."""
        return self.say(f"count_{track}", f"{self.name(track)}: {count}", n=count)

    def piece(self, piece: str) -> str:
        """A piece in a list of what happened."""
        own = self.say("piece", self.name(piece), piece=piece)
        return self.say(f"piece_{piece}", own)

    def laid(self, piece: str, space: str) -> str:
        """A piece that came to a space of that name, in a list of what happened."""
        return self.say(f"laid_{piece}", f"{self.piece(piece)}, {space}", space=space)

    def token(self, token: str) -> str:
        """What a token on a printed sheet beside the boards is called by itself."""
        return self.say(f"token_{token}", self.say("token", self.name(token), token=token))

    def places(self, kind: str) -> str:
        """What the places of a kind are called, where a board has several kinds."""
        general = {"spot": _("Spaces"), "edge": _("Links")}.get(kind, kind)
        return self.say(f"places_{kind}", general)

    @property
    def opening(self) -> Opening:
        """What is asked before a guided game."""
        answers = {
            "hand": self.say("draws_hand", _("Yes: we draw and deal ourselves")),
            "program": self.say("draws_program", _("No: Stargazer draws, we play on the screen")),
        }
        hint = _(
            "You are told what to do, one thing at a time, from the first piece to the score."
            " Each step can be taken back."
        )
        return Opening(
            self.say("guided", _("Do you have the game on the table?")),
            self.say("guided_hint", hint),
            {draws: words for draws, words in answers.items() if words},
        )

    # a table that is followed live

    @property
    def objectives(self) -> str:
        """What the objectives are called together."""
        return self.say("objectives", _("Objectives"))

    @property
    def begin(self) -> str:
        """That nothing has happened yet, and what to do."""
        return self.say(
            "begin",
            _("Nothing has happened yet. Point a camera at the boards, or tap a space."),
        )

    @property
    def before(self) -> str:
        """The moment before anything happened."""
        return self.say("before", _("The table before the first piece"))


def said(text: Sentence | str) -> str:
    """A text of the game in the language of whoever asks."""
    return text.in_language(language()) if isinstance(text, Sentence) else text
