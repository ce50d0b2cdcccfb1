"""The words pages use for a game: its own phrases, with generic defaults.

A phrase's key is the kind of thing and its id, such as `step_cards`; placeholders are in braces:

| phrase | meaning | values |
|---|---|---|
| `title` | the game's name | |
| `welcome` | what the companion does for this game | |
| `page_STEP`, `page_STEP_MODE`, `page_STEP_hint` | heading and hint of a page of questions | |
| `ask_cards` | which cards are on the table, as a question | |
| `step_ID`, `change_ID` | a step, and a link back to it from the score | |
| `mode_ID`, `marker_ID`, `kind_ID` | a way to play, a player's colour, a kind of board | |
| `moment_ID`, `moment` | a moment of a shared table | `moment` |
| `board`, `piece_counts` | a shared board; its pieces | `spots`, `edges`, `held`, tracks |
| `category_ID` | a category of the score, in their order on its sheet | |
| `part_ID`, `line_ID` | its longer name on pages; a line of it | the line's subject |
| `strength_ID`, `about_ID` | how well a computer player plays, weakest first | |
| `notice_KIND`, `advice_KIND` | a finding of a reading; what to do about a broken rule | |
| `track_ID`, `track_ID_doubtful`, `_less`, `_more`, `_right` | a track's count | `count` |
| `count_ID` | the number of pieces on a track | `n` |
| `piece_ID`, `piece`, `laid_ID` | a piece, and its being placed on a space | `piece`, `space` |
| `places_KIND` | the places of a kind, where a board has several | |
| `guided`, `guided_hint` | the question before a guided game | |
| `draws_hand`, `draws_program` | its answers, by who draws; "" if not possible | |
| `strip_FIELD` | open cards and tokens, by field of the state; else its term | |
| `guide_KEY`, `guide_KEY_hint`, `entry_KIND` | a question, a live entry | its fields, `name` |
| `printed_NAME` | a printed sheet or a group of its parts, `printed_tokens` the tokens | |
| `objectives`, `begin`, `before` | the objectives; nothing has happened yet; the initial table | |
"""

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
    """The question before a guided game; `answers` maps each value of `draws` to its words."""

    words: str
    hint: str
    answers: Mapping[str, str]


class GameWords:
    """A game's words in the current language."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game

    def say(self, key: str, default: str = "", /, **values: Value) -> str:
        """Return the phrase of a key, or `default` if the game has none."""
        book = self.game.words
        if key not in book.phrases:
            return default
        return book.say(key, **values).in_language(language())

    def name(self, piece: str) -> str:
        """Return the name of a piece or another term of the game."""
        return self.game.piece_name(piece, language())

    @property
    def welcome(self) -> str:
        """The introduction that new users read."""
        game = self.game.title
        return self.say(
            "welcome", _("Photograph the boards at the end of your game of %(game)s.", game=game)
        )

    def step(self, step: str, document: Mapping[str, Any]) -> str:
        """Return the heading of a step's page: its phrase, else its question."""
        found = self.say(f"step_{step}")
        if found:
            return found
        asked = {one.id: one.text for one in self.game.questions(document)}
        return said(asked[step])

    def mode(self, mode: str) -> str:
        return self.say(f"mode_{mode}", mode)

    def marker(self, marker: str) -> str:
        of_every_game = {
            "teal": _("teal"),
            "coral": _("coral"),
            "lime": _("lime"),
            "violet": _("violet"),
        }
        return self.say(f"marker_{marker}", of_every_game.get(marker) or self.name(marker))

    def moment(self, moment: str) -> str:
        """Return the name of a snapshot of a shared table."""
        return self.say(f"moment_{moment}", self.say("moment", moment, moment=moment))

    def kind(self, kind: str) -> str:
        """Return the name of a kind of board, where a table has several."""
        return self.say(f"kind_{kind}", kind.capitalize())

    def notice(self, kind: str) -> str:
        """Return the text of a broken rule that concerns the whole board."""
        return self.say(f"notice_{kind}", kind.replace("_", " "))

    def advice(self, rule: str) -> str:
        return self.say(f"advice_{rule}")

    # the score

    def part(self, category: str) -> str:
        """Return the name of a part of the score."""
        return self.say(f"part_{category}", said(self.game.categories[category]))

    def line(self, line: Line) -> str:
        """Return what a score line is about: its card, or what its category names."""
        id = str(line.subject.get("card", ""))
        card = self._term(id) or id
        return (
            self.say(f"line_{line.category}", **{**line.subject, "card": card})
            or said(card)
            or self.name(str(line.subject.get(line.category, "")))
            or self.part(line.category)
        )

    def knows(self, line: Line) -> bool:
        """Whether a line's card is in the glossary; True for no card or an empty glossary."""
        card = line.subject.get("card")
        return card is None or not self.game.glossary or self._term(str(card)) is not None

    def term_of(self, category: str) -> str:
        """Return the glossary term of a part of the score, "" if there is none."""
        return next((one.id for one in self.game.glossary if category in one.parts), "")

    def objective(self, id: str) -> str:
        found = self._term(id)
        return id if found is None else said(found)

    def _term(self, id: str) -> Sentence | None:
        return next((one.name for one in self.game.glossary if one.id == id), None)

    # boards

    def board(self, name: str) -> str:
        """Return the heading over a board's corrections; for a shared board, its name."""
        return name if self.game.table.shared else _("The board of %(name)s", name=name)

    def owner_of(self, document: Mapping[str, Any], board: int) -> str:
        """Return the owner of board number `board`, or the name of a shared board.

        With several kinds of board the kind is added.
        """
        if is_shared(document):
            own = owners(document)[board] if not has_moments(document) else {}
            if KIND not in own:
                return self.say("board", _("The board"))
            title = self.kind(own[KIND])
            return f"{document['players'][own[SEAT]]['name']}: {title}" if SEAT in own else title
        return str(document["players"][board]["name"])

    def piece_counts(self, pieces: DrawnPieces) -> str:
        """Return the number of pieces on a board's spaces and on each track."""
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
        """Return the texts for a track's count: `name`, `doubtful`, `less`, `more`, `right`."""
        name = self.say(f"track_{track}", self.name(track))
        others = {"doubtful": f"{name}?", "less": "−", "more": "+", "right": str(count)}
        asked = {
            key: self.say(f"track_{track}_{key}", default, count=str(count))
            for key, default in others.items()
        }
        return {"name": name, **asked}

    def count(self, track: str, count: int) -> str:
        """Return the number of pieces on a track, in words."""
        return self.say(f"count_{track}", f"{self.name(track)}: {count}", n=count)

    def piece(self, piece: str) -> str:
        """Return the name of a piece in a log."""
        own = self.say("piece", self.name(piece), piece=piece)
        return self.say(f"piece_{piece}", own)

    def laid(self, piece: str, space: str) -> str:
        """Return the log line of a piece placed on a space, given by name."""
        return self.say(f"laid_{piece}", f"{self.piece(piece)}, {space}", space=space)

    def token(self, token: str) -> str:
        """Return the name of a token on a printed sheet."""
        return self.say(f"token_{token}", self.say("token", self.name(token), token=token))

    def places(self, kind: str) -> str:
        """Return the name of a kind of place, for boards that have several."""
        general = {"spot": _("Spaces"), "edge": _("Links")}.get(kind, kind)
        return self.say(f"places_{kind}", general)

    @property
    def opening(self) -> Opening:
        """The question before a guided game."""
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
        return self.say("objectives", _("Objectives"))

    @property
    def begin(self) -> str:
        """The text of a log without entries."""
        return self.say(
            "begin", _("Nothing has happened yet. Point a camera at the boards, or tap a space.")
        )

    @property
    def before(self) -> str:
        """The name of the table's initial state."""
        return self.say("before", _("The table before the first piece"))


def said(text: Sentence | str) -> str:
    """Return a text of the game in the current language."""
    return text.in_language(language()) if isinstance(text, Sentence) else text
