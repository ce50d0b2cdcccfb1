"""The final score: lines with points, sources and calculations, and the ranking."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scorer.flags import Flag, RuleBreak
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.game import PHASES, Game, Player
from scorer.polaris.order import moons_due
from scorer.polaris.phases import PhaseScore, score_phase
from scorer.polaris.sky import Sky, came_after, rule_break, taken_away
from scorer.polaris.words import POLARIS, say
from scorer.scoresheet import Line, PlayerSheet, ScoreSheet
from scorer.sentence import signed

SHOOTING_STARS = 40
UNKNOWN = ("no_marker", "no_personal", "no_shooting")
"""The kinds of flags that make a total provisional."""


class NotReadError(ValueError):
    """A sky whose photograph has not been read yet."""


def score_game(game: Game) -> ScoreSheet:
    """The final score of a game. Raise NotReadError if a photograph has not been read yet.

    >>> from scorer.polaris.game import Player, Snapshot
    >>> ana, eva = Player("Ana", "red", 3, "PO1", 21), Player("Eva", "blue", 0, "PO2", 19)
    >>> score = score_game(Game((ana, eva), Snapshot(Sky({"1b1": "red"}, ("polaris-1b1",)))))
    >>> [(line.category, line.points, str(line.calculation)) for line in score.players[0].lines]
    [('marker', 21, 'on the score board'), ('lonely', 0, '0 lonely stars'), \
('constellation', 0, 'constellation of 2, Polaris counted'), \
('personal', 0, 'the pattern 0 times'), ('shooting', 1, '3 shooting stars')]
    """
    skies = _read_skies(game)
    phases = [
        score_phase(sky, phase.card, phase.telescope, game.colours, game.edition)
        for phase, sky in zip(game.phases, skies, strict=False)
    ]
    counts = [_PlayerCount(game, player, skies[-1], phases) for player in game.players]
    players = tuple(count.score() for count in counts)
    return ScoreSheet("polaris", players, tuple(_table_flags(game, skies)))


def _read_skies(game: Game) -> list[Sky]:
    """The skies of the phases, and finally of the end."""
    unread = [snapshot.photo or "no stars" for snapshot in game.skies if snapshot.sky is None]
    if unread:
        raise NotReadError(f"not read yet: {', '.join(dict.fromkeys(unread))}")
    return [snapshot.sky for snapshot in game.skies if snapshot.sky is not None]


def _table_flags(game: Game, skies: list[Sky]) -> Iterator[Flag]:
    """The flags of readings, and the rules that the skies and the supply break.

    Flags of a phase's sky have its number as `phase`; the fifth is the end, unless both are given.
    """
    colours = tuple(game.colours.values())
    phases = [*range(1, len(game.phases) + 1), None]
    moments = list(zip(phases, game.skies, skies, strict=True))
    if len(game.phases) == PHASES and skies[-2] == skies[-1]:
        del moments[-2]
    dues = moons_due([(phase or PHASES, sky) for phase, _, sky in moments])
    before: tuple[int | None, Sky] | None = None
    for (phase, snapshot, sky), due in zip(moments, dues, strict=True):
        flags = [*snapshot.flags, *sky.rule_breaks(colours)]
        if before is not None:
            flags += taken_away(before[1], sky)
            flags += came_after(before[1], sky) if before[0] == PHASES else ()
        if due is not None and sky.new_moon is not None:
            flags.append(_moon_elsewhere(sky.new_moon, due))
        yield from (flag if phase is None else _of_phase(phase, flag) for flag in flags)
        before = phase, sky
    shooting = sum(player.shooting or 0 for player in game.players)
    if shooting > SHOOTING_STARS:
        reason = say("too_many_shooting", count=shooting, supply=SHOOTING_STARS)
        yield rule_break("P48", reason)


def _moon_elsewhere(sector: int, due: int) -> Flag:
    kind = "moon_elsewhere"
    more = {"rule": "P57", "sector": sector, "due": due}
    return RuleBreak(kind, (), more, say(kind, sector=sector, due=due))


def _of_phase(number: int, flag: Flag) -> Flag:
    reason = flag.reason and say("in_phase", phase=number, reason=flag.reason)
    return replace(flag, more={**flag.more, "phase": number}, reason=reason)


class _PlayerCount:
    def __init__(
        self, game: Game, player: Player, end: Sky, phases: Sequence[Mapping[str, PhaseScore]]
    ) -> None:
        self.game, self.edition, self.player = game, game.edition, player
        self.own = PlayerStars(end, player.colour)
        self.phases = [phase[player.name] for phase in phases]

    def score(self) -> PlayerSheet:
        counted = [*self.phase_lines()]
        flags = [*self.flags(sum(line.points for line in counted))]
        marker = self.player.marker
        lines = counted if marker is None else [Line("marker", marker, say("marker"))]
        lines += [self.lonely_line(), *self.constellation_lines()]
        lines += [*self.personal_line(), *self.shooting_line()]
        provisional = any(flag.kind in UNKNOWN for flag in flags)
        missing = tuple(flag.kind for flag in flags if flag.kind in UNKNOWN)
        hint = say("not_told", missing=missing) if missing else ""
        return PlayerSheet(self.player.name, tuple(lines), tuple(flags), provisional, hint)

    # lines

    def phase_lines(self) -> Iterator[Line]:
        marker = self.edition.start
        yield Line("start", marker, say("start"))
        for number, phase in enumerate(self.phases, start=1):
            moved = phase.moved_from(marker)
            marker += moved
            yield _phase_line(number, self.game.phases[number - 1].card, phase, moved)

    def lonely_line(self) -> Line:
        lonely = self.own.lonely
        sectors_of = self.own.sky.board.sectors_of
        where = tuple(sorted("/".join(map(str, sorted(sectors_of(one)))) for one in lonely))
        words = say("lonely", count=len(lonely))
        if lonely:
            words = say("lonely_where", count=len(lonely), where=where)
        subject = {"count": len(lonely)}
        return Line("lonely", self.edition.lonely * len(lonely), words, lonely, subject)

    def constellation_lines(self) -> Iterator[Line]:
        for one in sorted(self.own.constellations, key=lambda one: -one.size):
            points = self.edition.constellation_points(one.size)
            key = "constellation_of_polaris" if POLARIS in one.spaces else "constellation"
            words = say(key, count=one.size)
            subject = {"size": one.size}
            yield Line("constellation", points, words, one.spaces, subject, links=one.links)

    def personal_line(self) -> Iterator[Line]:
        card = self.player.personal
        if card is None:
            return
        result = self.edition.personal[card].check(self.own)
        count = result.count or 0
        yield Line(
            "personal",
            self.edition.pattern_points(count),
            result.calculation,
            result.spaces,
            {"card": card, "count": count},
            result.progress,
            links=result.links,
        )

    def shooting_line(self) -> Iterator[Line]:
        shooting = self.player.shooting
        if shooting is not None:
            words = say("shooting", count=shooting)
            points = self.edition.shooting_points(shooting)
            yield Line("shooting", points, words, subject={"count": shooting})

    # flags

    def flags(self, counted: int) -> Iterator[Flag]:
        """Missing values, and an entered marker that differs from the count of the phases."""
        marker, all_phases = self.player.marker, len(self.phases) == PHASES
        if marker is None and not all_phases:
            yield _flag("no_marker", phases=len(self.phases))
        if marker is not None and all_phases and marker != counted:
            yield _flag("marker_differs", marker=marker, counted=counted)
        personal = self.player.personal
        if personal is None:
            yield _flag("no_personal")
        elif [other.personal for other in self.game.players].count(personal) > 1:
            yield _flag("same_personal", rule="P15", card=personal)
        if self.player.shooting is None:
            yield _flag("no_shooting")


def _flag(kind: str, **more: str | int) -> Flag:
    return Flag(kind, more=more, reason=say(kind, **more))


def _phase_line(number: int, card: str, phase: PhaseScore, moved: int) -> Line:
    parts = [say("tier_part", counted=phase.result.calculation, points=signed(phase.tier))]
    if phase.telescope:
        parts.insert(0, say("telescope_part", points=signed(phase.telescope)))
    if phase.bonus:
        parts.append(say("bonus_part", points=signed(phase.bonus)))
    if moved != phase.telescope + phase.tier + phase.bonus:
        parts.append(say("floor_part"))
    result = phase.result
    subject: dict[str, str | int] = {
        "phase": number,
        "card": card,
        "count": result.count or 0,
        "telescope": phase.telescope,
        "tier": phase.tier,
        "bonus": phase.bonus,
    }
    words = say("phase_parts", parts=tuple(parts))
    return Line(
        "phase", moved, words, result.spaces, subject, result.progress, result.missing, result.links
    )
