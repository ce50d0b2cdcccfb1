"""The log prior of pieces on a sky, to weigh a camera's doubt with the rules."""

import math
from collections import Counter
from collections.abc import Mapping

from scorer.polaris.board import SkyBoard
from scorer.polaris.game import MOST_PLAYERS
from scorer.polaris.sky import PLAYERS_WITH_NEUTRAL_STARS
from scorer.polaris.words import COLOURS, NEUTRAL

_UNLIKELY = -2.0
"""Log odds of a star of a colour that nobody seems to play."""
_FORBIDDEN = -4.0
"""Log odds of a star where the rules allow none of its kind; players seldom err like that."""
_NEVER = -12.0
"""Log odds of a coloured star on a ★ space if the stars on all others look alike, and of a neutral
one elsewhere if all ten are on ★ spaces: grey stars that look purple, or yellow ones that look
grey, are one mistake, rather than ten independent observations."""
_STRAY = 2
"""The most stars of that look elsewhere that count as misreadings."""


def log_prior(board: SkyBoard, pieces: Mapping[str, str], space: str) -> dict[str, float]:
    """Log odds of the stars of each colour, and neutral ones, on an otherwise empty `space`.

    `pieces` are those on other spaces. Players place about as many stars each, so a colour with few
    stars is less likely than one with many; at most four colours play. The ★ spaces hold neutral
    stars on all or none, and only if two colours play (P14): if most hold one, the others are
    hardly ever empty, and if all do, no neutral star is left. Which colours play is inferred from
    the other spaces: a colour seen on ★ spaces only may well be neutral, and is if it is on all of
    them.

    >>> from scorer.polaris.board import STANDARD_SKY
    >>> seen = {"1a1": "red", "1a2": "red", "1a3": "red", "2a1": "blue"}
    >>> {name: round(odds, 1) for name, odds in log_prior(STANDARD_SKY, seen, "1b1").items()
    ...     if name in ("red", "blue", "neutral")}
    {'red': 0.0, 'blue': -0.7, 'neutral': -4.0}
    """
    if space not in board.star_spaces:
        return {}
    stars = {other: star for other, star in pieces.items() if other in board.star_spaces}
    on_starred = [stars[s] for s in board.starred if s != space and s in stars]
    counted = Counter(star for other, star in stars.items() if other not in board.starred)
    del counted[NEUTRAL]
    neutral = on_starred.count(NEUTRAL)
    coloured = sum(star in counted for star in on_starred)
    against = _FORBIDDEN
    if len(on_starred) == len(board.starred) - (space in board.starred):
        looks = Counter(star for star in on_starred if counted[star] <= _STRAY)
        alike = looks[NEUTRAL] + max((looks[colour] for colour in COLOURS), default=0)
        if alike >= len(on_starred) - 1:
            coloured, against = 0, _NEVER
        neutral = len(on_starred) - coloured
    players = PLAYERS_WITH_NEUTRAL_STARS if neutral > coloured else MOST_PLAYERS
    played = dict(counted.most_common(players))
    most = max(played.values(), default=0)
    odds_of = {colour: math.log((counted[colour] + 1) / (most + 1)) for colour in COLOURS}
    for colour in COLOURS:
        odds_of[colour] += _UNLIKELY if len(played) == players and colour not in played else 0
    if space not in board.starred:
        return {**odds_of, NEUTRAL: _NEVER if neutral == len(board.starred) else _FORBIDDEN}
    if neutral > coloured:
        most_hold_one = max(0.0, 2 * neutral / (len(board.starred) - 1) - 1)
        odds_of = {colour: odds + against for colour, odds in odds_of.items()}
        return {**odds_of, NEUTRAL: -_FORBIDDEN * min(most_hold_one, 1.0)}
    return {**odds_of, NEUTRAL: _UNLIKELY} if coloured > neutral else odds_of
