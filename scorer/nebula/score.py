"""The final score: lines with points, spaces and calculations, and the ranking."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from scorer.flags import Flag
from scorer.nebula.galaxy import STARS_OF_A_COLOUR, Galaxy
from scorer.nebula.game import SLOTS, Game, Mode, Player
from scorer.nebula.result import ALONE, Table
from scorer.nebula.words import BLACK, COLOURS, say
from scorer.objective import CardResult
from scorer.scoresheet import Line, PlayerSheet, ScoreSheet, places
from scorer.sentence import Sentence

BLACK_STARS = {1: 30, 2: 30, 3: 25, 4: 20}  # at most in the bag, by the number of players


class NotReadError(ValueError):
    """A player whose photograph has not been read yet, so that there are no stars to score."""


@dataclass(frozen=True)
class PlayerScore(PlayerSheet):
    """One player's score; `provisional` if career cards are proposed rather than claimed."""

    black: int = 0
    proposed: tuple[str, ...] = ()

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The player's entry in a score object."""
        more = {"black": self.black, "proposed": list(self.proposed)}
        return super().to_data(language) | more


@dataclass(frozen=True)
class Score(ScoreSheet):
    """The score of a game; flags are the players' only, as no board is shared."""

    players: tuple[PlayerScore, ...]
    mode: Mode = "full"

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """By points, then by black stars; further ties share a place."""
        return places({player.name: (player.total, player.black) for player in self.players})

    def tie_break(self, name: str) -> Sentence | str:
        """What decided between this player and others with the same total; "" if there are none."""
        own = next(player for player in self.players if player.name == name)
        if [player.total for player in self.players].count(own.total) == 1:
            return ""
        (place,) = (place for place in self.ranking if name in place)
        return say("tie_shared" if len(place) > 1 else "tie_black", black=own.black)

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The score object, with calculations in a language (`en`, `es`, `cs`)."""
        data = super().to_data(language) | {"mode": self.mode}
        del data["flags"]
        return data


def score_game(game: Game) -> Score:
    """The final score of a game. Raise NotReadError if a photograph has not been read yet.

    >>> ana = Player("Ana", Galaxy({"core": "red"}, black=4), personal="O2")
    >>> score = score_game(Game((ana,), mode="intro"))
    >>> [(line.category, line.points, str(line.calculation)) for line in score.players[0].lines]
    [('personal', 0, '0 of 4 indirect links with a red star'), ('black', 6, '4 of 10')]
    """
    unread = [player for player in game.players if player.galaxy is None]
    if unread:
        named = ", ".join(f"{player.name} ({player.photo or 'no stars'})" for player in unread)
        raise NotReadError(f"not read yet: {named}")
    players = tuple(_PlayerCount(game, player).score() for player in game.players)
    return Score("nebula", players, mode=game.mode)


class _PlayerCount:
    def __init__(self, game: Game, player: Player) -> None:
        assert player.galaxy is not None  # checked by score_game
        self.game, self.edition, self.player = game, game.edition, player
        self.galaxy: Galaxy = player.galaxy
        self.others = [p.galaxy for p in game.players if p is not player and p.galaxy is not None]
        self.career = {card: self.look(card, ALONE) for card in game.career}
        self.provisional = player.career is None and bool(game.career)
        fulfilled = [card for card, result in self.career.items() if result.fulfilled]
        self.proposed = tuple(fulfilled) if self.provisional else ()
        markers = len(self.proposed) if player.career is None else len(player.career)
        self.table = Table(tuple(galaxy.black for galaxy in self.others), markers)

    def look(self, card: str, table: Table) -> CardResult:
        return self.edition.cards[card].check(self.galaxy, table)

    def score(self) -> PlayerScore:
        lines = [*self.personal_line(), *self.career_lines(), self.black_line()]
        lines += self.constellation_lines()
        if self.game.mode == "full":
            lines += [*self.colour_lines(), *self.advanced_lines()]
        cards = ", ".join(self.proposed) or "-"
        return PlayerScore(
            self.player.name,
            tuple(lines),
            tuple(self.flags()),
            self.provisional,
            say("no_markers_written", cards=cards) if self.provisional else "",
            self.galaxy.black,
            self.proposed,
        )

    # lines

    def personal_line(self) -> Iterator[Line]:
        card = self.player.personal
        if card is None:
            return
        result = self.look(card, self.table)
        points = self.edition.personal if result.fulfilled else 0
        yield _card_line("personal", card, points, result, result.calculation)

    def career_lines(self) -> Iterator[Line]:
        for card, result in self.career.items():
            first, later = self.edition.career_points(card)
            marker = (self.player.career or {}).get(card)
            if marker == "first":
                yield _card_line("career", card, first, result, say("marker_first"))
            elif marker == "later":
                yield _card_line("career", card, later, result, say("marker_later"))
            elif card in self.proposed:
                yield _card_line("career", card, later, result, say("proposed"))
            elif self.provisional:
                yield _card_line("career", card, 0, result, result.calculation)
            else:
                yield _card_line("career", card, 0, result, say("no_marker"))

    def black_line(self) -> Line:
        black = self.galaxy.black
        words = say("of_track", black=black, spaces=self.edition.track_spaces)
        return Line("black", self.edition.black_points(black), words)

    def constellation_lines(self) -> Iterator[Line]:
        leaders = self.leaders("constellations")
        for name in self.galaxy.finished_constellations():
            spaces = self.galaxy.board.constellations[name]
            points, words = self.edition.finished_constellation, say("finished")
            if name in leaders:
                place = leaders.index(name)
                points = self.edition.constellation_places[place]
                words = say(f"place_{place + 1}")
            yield Line("constellation", points, words, spaces, {"constellation": name})

    def colour_lines(self) -> Iterator[Line]:
        for colour, each in zip(self.leaders("colours"), self.edition.colour_places, strict=False):
            spaces = self.galaxy.where(colour)
            if spaces:
                count = len(spaces)
                words = say("times", count=count, each=each)
                in_full = say("stars_times_points", count=count, each=each)
                subject = {"colour": colour}
                yield Line("colour", count * each, words, spaces, subject, in_full=in_full)

    def advanced_lines(self) -> Iterator[Line]:
        worth = dict(zip(self.leaders("advanced"), self.edition.advanced_places, strict=False))
        for slot, card in zip(SLOTS, self.game.advanced, strict=False):
            result = self.look(card, self.table)
            each, count = worth.get(slot, 0), result.count or 0
            words = say("times", count=count, each=each)
            line = _card_line("advanced", card, count * each, result, words, slot)
            in_full = say("counted_times_points", counted=result.calculation, each=each)
            yield replace(line, in_full=in_full)

    def leaders(self, track: str) -> tuple[str, ...]:
        """The first three tokens of a value track; none in intro mode."""
        if self.game.mode == "intro" or self.game.values is None:
            return ()
        tokens: tuple[str, ...] = getattr(self.game.values, track)
        return tokens[:3]

    # flags

    def flags(self) -> Iterator[Flag]:
        breaks = (*self.galaxy.rule_breaks(), *self.more_than_the_game_has())
        own = {(flag.kind, flag.spaces) for flag in breaks}
        yield from (flag for flag in self.player.flags if (flag.kind, flag.spaces) not in own)
        yield from breaks
        if self.game.mode == "full" and self.game.values is None:
            yield Flag("no_values", reason=say("no_values"))
        if not self.others and self.needs_opponents():
            card = str(self.player.personal)
            reason = say("compares_with_nobody", card=card)
            yield Flag("no_opponents", more={"card": card}, reason=reason)
        for card in self.player.career or {}:
            result = self.career.get(card)
            if result and not result.fulfilled and self.edition.cards[card].lasting:
                reason = say("claim_not_shown", card=card)
                yield Flag("claim_not_shown", result.missing, {"card": card}, reason)

    def needs_opponents(self) -> bool:
        card = self.player.personal
        return card is not None and self.edition.cards[card].family == "most_black"

    def more_than_the_game_has(self) -> Iterator[Flag]:
        """Colours of which the table holds more stars than the game has."""
        boards = [self.galaxy, *self.others]
        for colour in COLOURS:
            on_boards = sum(galaxy.count(colour) for galaxy in boards)
            if on_boards > STARS_OF_A_COLOUR >= self.galaxy.count(colour) > 0:
                spaces = self.galaxy.where(colour)
                yield Flag("too_many", spaces, {"colour": colour}, say("too_many_at_table"))
        on_boards = sum(galaxy.black + galaxy.count(BLACK) for galaxy in boards)
        if on_boards > BLACK_STARS[len(boards)] and self.galaxy.black:
            yield Flag("too_many", (), {"colour": BLACK}, say("too_many_at_table"))


def _card_line(
    category: str,
    card: str,
    points: int,
    result: CardResult,
    words: Sentence,
    slot: str | None = None,
) -> Line:
    subject = {"card": card} if slot is None else {"card": card, "slot": slot}
    # spaces of a career card depend on fulfilment, not on the marker; a claim alone has none
    earned = result.fulfilled if result.fulfilled is not None else points > 0
    spaces = result.spaces if earned else ()
    return Line(category, points, words, spaces, subject, result.progress, result.missing)
