"""How much the score depends on which of two skies is right.

A single link can matter a lot: without it a constellation of 7 may be one of 3 and four lonely
stars.
"""

from collections.abc import Iterator, Mapping

from scorer.polaris.constellations import PlayerStars
from scorer.polaris.edition import Edition, load_edition
from scorer.polaris.game import Game
from scorer.polaris.phases import PhaseScore, score_card, stars_of
from scorer.polaris.sky import Sky
from scorer.polaris.words import NEUTRAL


def score_delta(one: Sky, other: Sky, game: Game | None = None) -> float:
    """The largest difference in anybody's result between two skies, in points.

    Without a game, any common and personal card of the standard edition may count. A different New
    Moon counts as 1 point: it scores nothing, but determines which card is scored.

    >>> stars = {"1a1": "red", "1b1": "red"}
    >>> apart, joined = Sky(stars), Sky(stars, ("1a1-1b1",))
    >>> score_delta(apart, joined) > 3, score_delta(joined, Sky(stars, joined.links, 2))
    (True, 1.0)
    """
    if one.new_moon != other.new_moon:
        return 1.0
    edition = load_edition("standard") if game is None else game.edition
    colours = _colours(one, other) if game is None else game.colours
    if game is not None:
        one, other = game.as_played(one), game.as_played(other)
    if not colours:
        return 0.0
    common = tuple(edition.common) if game is None else tuple(p.card for p in game.phases)
    in_phases = dict.fromkeys(colours, 0)
    either = [stars_of(sky, colours) for sky in (one, other)]
    for card in dict.fromkeys(common):
        before, after = (score_card(stars, card, None, edition) for stars in either)
        for name in colours:
            differs = abs(_moved(before[name]) - _moved(after[name]))
            in_phases[name] = max(in_phases[name], differs)
    most = 0
    for name in colours:
        ends = (_at_the_end(stars[name], name, edition, game) for stars in either)
        final, *personal = (abs(a - b) for a, b in zip(*ends, strict=True))
        most = max(most, final + max(personal, default=0) + in_phases[name])
    return float(most)


def _colours(one: Sky, other: Sky) -> Mapping[str, str]:
    found = dict.fromkeys([*one.stars.values(), *other.stars.values()])
    return {colour: colour for colour in found if colour != NEUTRAL}


def _moved(phase: PhaseScore) -> int:
    return phase.tier + phase.bonus


def _at_the_end(own: PlayerStars, name: str, edition: Edition, game: Game | None) -> Iterator[int]:
    """The points of lonely stars and constellations, then of each personal card possible."""
    yield edition.lonely * len(own.lonely) + sum(
        edition.constellation_points(one.size) for one in own.constellations
    )
    chosen = [p.personal for p in game.players if p.name == name and p.personal] if game else None
    for card in edition.personal if chosen is None else chosen:
        yield edition.pattern_points(edition.personal[card].check(own).count or 0)
