"""The score (T70 to T80): points in four categories, ranking and inconsistencies."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scorer.flags import Flag
from scorer.ptolemaeus.board import study_space
from scorer.ptolemaeus.edition import NOVA, PIECES, PLANETS, ZODIAC, Edition
from scorer.ptolemaeus.sky import MOST_AT_REST
from scorer.ptolemaeus.words import say
from scorer.scoresheet import Line, PlayerSheet, ScoreSheet, places
from scorer.sentence import Sentence, signed


@dataclass(frozen=True)
class Standing:
    """What counts for a player; `secret` are the objective's planets, None while hidden."""

    name: str
    colour: str
    studied: tuple[str, ...] = ()
    asteroids: int = 0
    nova: int = 0
    secret: tuple[str, ...] | None = None
    pieces: Mapping[str, int] = field(default_factory=dict)
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class PtolemaeusSheet(ScoreSheet):
    """A score with tie-breaks (T75, T76)."""

    results: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By player: whether they claimed the game, points, planets studied, pieces on the zodiac."""

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """The player who claimed the game first, then by points, planets and pieces."""
        return places(self.results)

    def tie_break(self, name: str) -> Sentence | str:
        """What decided among players with the same total."""
        own = self.results[name]
        others = [one for who, one in self.results.items() if who != name and one[1] == own[1]]
        if not others:
            return ""
        for key, at in (("by_claim", 0), ("by_planets", 2), ("by_pieces", 3)):
            if unlike := [one[at] for one in others if one[at] != own[at]]:
                return say(key, n=own[at], other=max(unlike))
        return say("shared")


def points(edition: Edition, own: Standing) -> tuple[int, int, int, int]:
    """Points for planets, secret objective, Nova Constellatio and asteroids (T70 to T73)."""
    return (
        edition.studied[min(len({*own.studied}), len(edition.studied) - 1)],
        edition.secret[len({*own.studied} & {*(own.secret or ())})],
        own.nova,
        own.asteroids // edition.asteroids_a_point,
    )


def planets_to_win(edition: Edition, own: Standing) -> int:
    """The fewest further studies with which a player can have the points that win at once.

    With the most that bonus cards may bring: one for each study and for two asteroids (T46, T49).
    """
    studied, met = len(own.studied), len({*own.studied} & {*(own.secret or ())})
    for n in range(len(PLANETS) - studied + 1):
        asteroids = own.asteroids + n
        luck = max(
            min(edition.bonus[NOVA].count, own.nova + n + traded)
            + (asteroids - 2 * traded) // edition.asteroids_a_point
            for traded in range(asteroids // 2 + 1)
        )
        secret = edition.secret[min(len(own.secret or ()), met + n)]
        if edition.studied[studied + n] + secret + luck >= edition.wins:
            return n
    return len(PLANETS) - studied


def score_table(
    standings: Sequence[Standing],
    claimed: str | None,
    edition: Edition,
    flags: Sequence[Flag] = (),
    needed: bool = False,
    still_there: int = 0,
    goes_on: bool = False,
) -> PtolemaeusSheet:
    """The score of all players; provisional if `needed` secrets are unknown.

    If the game `goes_on`, it says what one more planet brings.
    `still_there` is the number of asteroids that nobody has taken.
    """
    sheets = [_sheet(own, claimed, edition, needed, goes_on) for own in standings]
    results = {
        own.name: (
            int(own.name == claimed),
            sheet.total,
            len({*own.studied}),
            sum(own.pieces.values()),
        )
        for own, sheet in zip(standings, sheets, strict=True)
    }
    asteroids = still_there + sum(own.asteroids for own in standings)
    more = [_flag("too_many_asteroids", n=asteroids)] if asteroids > len(ZODIAC) else []
    return PtolemaeusSheet("ptolemaeus", tuple(sheets), (*flags, *more), results)


def _sheet(
    own: Standing, claimed: str | None, edition: Edition, needed: bool, goes_on: bool
) -> PlayerSheet:
    planets, secret, nova, asteroids = points(edition, own)
    once = tuple(dict.fromkeys(own.studied))
    met = [planet for planet in own.secret or () if planet in once]
    spaces = {planet: study_space(own.colour, planet) for planet in once}
    studied = say("n_planets_named", planets=once) if once else say("n_planets", n=0)
    if goes_on and (more := edition.studied[len(once) + 1 : len(once) + 2]):
        studied = say("n_planets_more", studied=studied, more=signed(more[0] - planets))
    hidden = say("no_secret", most=max(edition.secret))
    of_three = {"n": len(met), "two": edition.secret[2], "three": edition.secret[3]}
    lines = (
        Line("planets", planets, studied, tuple(spaces.values())),
        Line(
            "secret",
            secret,
            hidden if own.secret is None else say("n_of_three", **of_three),
            tuple(spaces[planet] for planet in met),
        ),
        Line("nova", nova, say("n_nova", n=nova)),
        Line("asteroids", asteroids, say("n_asteroids", n=own.asteroids)),
    )
    sheet = PlayerSheet(own.name, lines)
    total, unknown = sheet.total, needed and own.secret is None
    return replace(
        sheet,
        flags=(*own.flags, *_flags(own, total, claimed, edition)),
        provisional=unknown,
        hint=say("secret_needed") if unknown else "",
    )


def _flags(own: Standing, total: int, claimed: str | None, edition: Edition) -> list[Flag]:
    """Inconsistencies of a player (T80)."""
    found = [
        _flag("too_many_pieces", at, n=count, colour=own.colour, at=at)
        for at, count in own.pieces.items()
        if count > MOST_AT_REST
    ]
    used = sum(own.pieces.values()) + len(own.studied)
    if used > PIECES:
        found.append(_flag("too_many", n=used, colour=own.colour))
    for planet, count in Counter(own.studied).items():
        if count > 1:
            found.append(
                _flag("studied_twice", study_space(own.colour, planet), planet=planet, n=count)
            )
    if own.asteroids > len({*own.studied}):
        found.append(_flag("asteroids_without_studies", n=own.asteroids))
    if total >= edition.wins and claimed is None:
        found.append(_flag("went_on", n=total))
    return found


def _flag(kind: str, *spaces: str, **values: int | str) -> Flag:
    return Flag(kind, spaces, reason=say(kind, **values))
