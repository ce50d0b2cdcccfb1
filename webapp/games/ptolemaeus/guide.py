"""Ptolemaeus' answers to what a guided game asks of a game."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.ptolemaeus.state import Event
from webapp.app.game_pages import Document
from webapp.app.guided_game import GuidedGame
from webapp.games.ptolemaeus.pages import CLAIMED, EVENT


class GuidedPtolemaeus(GuidedGame):
    """From the sky of a date to the claim, or the comet's return."""

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
