"""Ptolemaeus' answers to what a guided game asks of a game."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.ptolemaeus.state import DECK, Discard, Event, Pay, Play, Take
from webapp.app.game_pages import Document
from webapp.app.game_words import said
from webapp.app.guided_game import Choice, GuidedGame
from webapp.games.ptolemaeus.pages import CLAIMED, EVENT


class GuidedPtolemaeus(GuidedGame):
    """From the sky of a date to the claim, or the comet's return."""

    def look(self, state: Any, action: Any) -> Choice | None:
        """The cards that are taken, paid, played or discarded, by their pictures."""
        match action:
            case Pay(_, cards):
                pass
            case Take(card) | Discard(card) | Play(card) if card != DECK:
                cards = (card,)
            case _:
                return None
        words = said(self.turns.format_action(action))
        return Choice(words, template="ptolemaeus/guide/_cards.html", about=cards)

    def live_entries(
        self, live: Any, before: Any, action: Any, after: Any
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The event card that was turned."""
        if isinstance(action, Event):
            yield EVENT, {"card": action.card}

    def with_end(self, document: Document, state: Any) -> Document:
        """Who claimed it, by name."""
        if state.claimed is None:
            return document
        return {**document, CLAIMED: document["players"][state.claimed]["name"]}
