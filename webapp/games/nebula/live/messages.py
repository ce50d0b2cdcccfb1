"""Nebula's table in words, in the language of whoever asks."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.nebula.card import CARDS
from webapp.app.live.view_model import Alert
from webapp.games.nebula.live.view_model import NebulaViewModel
from webapp.games.nebula.words import phrase, reasons, value_token


def format_entry(kind: str, event: Mapping[str, Any], name: str) -> str:
    """Return what a player told by a tap."""
    if kind == "claim":
        return phrase("told_claim", name=name, card=event["card"])
    if kind == "bag":
        return phrase("told_bag_empty" if event["empty"] else "told_bag_filled")
    way = "on" if event.get("by", 1) > 0 else "back"
    if kind == "indicator":
        return phrase(f"told_indicator_{way}")
    token = event.get("token")
    if token is None:
        return phrase("told_indicator")
    return phrase(f"told_value_{way}", token=value_token(token))


def alerts(before: NebulaViewModel, after: NebulaViewModel) -> Iterator[Alert]:
    """Say what is new at the table between two moments, cards first."""
    for card, seats in after.state.completed.items():
        for seat in seats:
            if seat not in before.state.completed.get(card, ()):
                place, name = (
                    after.state.markers(seat)[card],
                    after.document["players"][seat]["name"],
                )
                words = phrase(f"completes_{place}", name=name, card=CARDS[card].name)
                yield Alert("objective", words)
    was_met = {ending.kind for ending in before.endings if ending.met}
    for ending in after.endings:
        if ending.met and ending.kind not in was_met:
            yield Alert("ending", phrase("ends", why=reasons((ending,))))
    asked = {due.entry for due in before.state.dues}
    for due in after.state.dues:
        if due.entry not in asked:
            yield Alert("due", phrase("indicator_moves", square=due.square))
