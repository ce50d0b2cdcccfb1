"""The parts of a score side by side: a row for each part, a column for each player."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorer.scoresheet import Line, PlayerScore
from scorer.sentence import minus
from webapp.app.game_words import GameWords
from webapp.web.words import as_title, said

MOST_LETTERS = 90
"""The longest explanation that stands beside the points of a part."""


@dataclass(frozen=True)
class ScorePart:
    """A part of the score by name, with its glossary `term`; each player's points and why."""

    name: str
    term: str
    players: Sequence[tuple[int, str]]

    @property
    def is_idle(self) -> bool:
        """Whether it has brought nobody any points, with nothing to explain."""
        return not any(points or why for points, why in self.players)


def score_parts(words: GameWords, scored: Sequence[PlayerScore]) -> Iterator[ScorePart]:
    """Yield the parts in the order of the score sheet.

    What is scored line by line for everybody, such as phases, has a row for each line that gave
    anybody points. What has given nobody any is not explained.
    """
    for category in dict.fromkeys(line.category for player in scored for line in player.lines):
        name = words.part(category)
        of_players = [[one for one in own.lines if one.category == category] for own in scored]
        (first, *others) = ([words.line(one) for one in own] for own in of_players)
        is_same = len({*first}) == len(first) and all(one == first for one in others)
        rows = [[*at] for at in zip(*of_players, strict=True)] if is_same else []
        earned = [at for at in rows if any(one.points for one in at)]
        if len(rows) > 1 and earned:
            for at in earned:
                each = [(one.points, said(one.explanation)) for one in at]
                yield ScorePart(as_title(words.line(at[0])), words.term_of(category), each)
            continue
        named = [_named(words, own) for own in of_players]
        are_short = all(len(", ".join(_explained(own))) <= MOST_LETTERS for own in of_players)
        is_named = all(one is not None and len(one) <= MOST_LETTERS for one in named)
        cells = [
            (
                sum(one.points for one in own),
                by_card if is_named and by_card is not None else _why(words, name, own, are_short),
            )
            for own, by_card in zip(of_players, named, strict=True)
        ]
        if not any(points for points, _why in cells):
            cells = [(0, "")] * len(cells)
        yield ScorePart(name, words.term_of(category), cells)


def _explained(lines: Sequence[Line]) -> list[str]:
    return [said(line.explanation) for line in lines]


def _why(words: GameWords, part: str, lines: Sequence[Line], are_short: bool) -> str:
    """Return the only line's explanation; of several, theirs if every player's are short, else
    their points, with the lines of 0 points counted at the end.
    """
    explained = _explained(lines)
    about = [words.line(line) for line in lines]
    if len(lines) == 1:
        return explained[0] if about[0] in (part, explained[0]) else f"{about[0]}: {explained[0]}"
    if {*about} == {part} and are_short:
        return ", ".join(explained)
    if not any(line.points for line in lines):
        return ""
    found = [line.points for line in lines if line.points]
    idle = len(lines) - len(found)
    return _sum(found) + (f" + {idle} × 0" if idle > 3 else " + 0" * idle)


def _named(words: GameWords, lines: Sequence[Line]) -> str | None:
    """Return the points of several cards with their names; None if the lines are of others."""
    if len(lines) == 1 or not all("card" in line.subject for line in lines):
        return None
    return ", ".join(f"{words.line(one)}: {minus(one.points)}" for one in lines if one.points)


def _sum(points: Sequence[int]) -> str:
    """Points as a sum, such as "8 + 3 − 2"."""
    first, *more = points
    signed = (f" {minus(-1)[0] if one < 0 else '+'} {abs(one)}" for one in more)
    return minus(first) + "".join(signed)
