"""What people drew and laid on printed sheets before a guided game, as a photograph shows it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.artwork import TokenSheet
from scorer.turns import Turns


@dataclass(frozen=True)
class LaidToken:
    """The next draw from a bag: the place that it fills, and the token there, "" if unknown.

    `action` is that draw, None if the token is unknown; `tokens` are all that may be drawn.
    """

    place: str
    token: str
    action: Any
    tokens: Sequence[str]


def laid_tokens(
    turns: Turns[Any, Any], state: Any, sheets: Sequence[TokenSheet], seen: Mapping[str, str]
) -> Iterator[LaidToken]:
    """Yield the draws due from a state on that each fill a place of the `sheets`, in order.

    `seen` has tokens by place.
    """
    while True:
        before, ways = _held(sheets, state), dict[str, Any]()
        places: set[str] = set()
        for action, _odds in turns.outcomes(state):
            news = _held(sheets, turns.after_legal(state, action)) - before
            if news.total() != 1:
                return
            ((place, token),) = news
            ways[token] = action
            places.add(place)
        if len(places) != 1:
            return
        (place,) = places
        token = seen.get(place, "")
        action = ways.get(token)
        yield LaidToken(place, token if action else "", action, [*ways])
        imagined = next((one for one in ways if one not in seen.values()), next(iter(ways)))
        state = turns.after_legal(state, action or ways[imagined])


def _held(sheets: Sequence[TokenSheet], state: Any) -> Counter[tuple[str, str]]:
    """Count the tokens on all places; a sheet may also return those of others."""
    held = Counter[tuple[str, str]]()
    for sheet in sheets:
        tokens_at = sheet.tokens_in(state).items()
        held |= Counter((place, token) for place, tokens in tokens_at for token in tokens)
    return held
