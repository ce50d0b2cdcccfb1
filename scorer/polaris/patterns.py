"""Patterns of personal cards: where they lie among a player's stars, and how often at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorer.polaris.constellations import Constellation, PlayerStars
from scorer.polaris.set_packing import most_disjoint
from scorer.polaris.sky import STARS_OF_A_PLAYER
from scorer.polaris.words import POLARIS

DIRECTIONS: Mapping[str, tuple[str, bool]] = MappingProxyType(
    {
        "right": ("horizontal", True),
        "left": ("horizontal", False),
        "up": ("vertical", True),
        "down": ("vertical", False),
    }
)
"""A direction's orientation of links, and whether it leads from their first end to the second."""

Step = tuple[int, str, int]


@dataclass(frozen=True)
class Form:
    """One form of a pattern: steps from star to star along links; stars are numbers from 0.

    >>> Form.from_text("0 right 1 right 2, 1 up 3").steps
    ((0, 'right', 1), (1, 'right', 2), (1, 'up', 3))
    """

    steps: tuple[Step, ...]

    @classmethod
    def from_text(cls, text: str) -> "Form":
        """Read chains of steps. ValueError, in words, for what is no connected pattern."""
        steps: list[Step] = []
        for chain in text.split(","):
            words = chain.split()
            if len(words) < 3 or len(words) % 2 == 0:
                raise ValueError(f"{chain.strip()!r} is no chain such as 0 right 1 up 2")
            stars = [_star(word) for word in words[::2]]
            for start, direction, end in zip(stars, words[1::2], stars[1:], strict=False):
                if direction not in DIRECTIONS:
                    raise ValueError(f"{direction} is not one of {', '.join(DIRECTIONS)}")
                steps.append((start, direction, end))
        known = {0}
        for start, _, end in steps:
            if start not in known or end == start:
                raise ValueError(f"no step has come to star {start} before one leaves it")
            known.add(end)
        return cls(tuple(steps))

    def found_from(self, own: PlayerStars, start: str) -> Iterator[Constellation]:
        """Where the form lies with its star 0 on a space, Polaris left out (P72)."""
        yield from self._walk(own, {0: start}, (), 0)

    def _walk(
        self, own: PlayerStars, at: Mapping[int, str], links: tuple[str, ...], done: int
    ) -> Iterator[Constellation]:
        if done == len(self.steps):
            spaces = own.sky.board.spaces
            yield Constellation(tuple(sorted(at.values(), key=spaces.index)), links)
            return
        start, direction, end = self.steps[done]
        for link, space in _ways(own, at[start], direction):
            new = end not in at and space not in at.values()
            if new or at.get(end) == space:
                yield from self._walk(own, {**at, end: space}, (*links, link), done + 1)


def occurrences(own: PlayerStars, forms: tuple[Form, ...]) -> tuple[Constellation, ...]:
    """Wherever one of the forms lies, each set of stars once (P72)."""
    found: dict[tuple[str, ...], Constellation] = {}
    for space in own.spaces:
        for form in forms:
            for occurrence in form.found_from(own, space):
                found.setdefault(occurrence.spaces, occurrence)
    return tuple(found.values())


def most_occurrences(own: PlayerStars, forms: tuple[Form, ...]) -> tuple[Constellation, ...]:
    """As many occurrences as can be counted when no star serves two (P73).

    Exactly as many as the stars of one player can form (P48); of a sky with more stars of a colour
    than there are, not more than that.
    """
    found = occurrences(own, forms)
    smallest = min((one.size for one in found), default=1)
    most = STARS_OF_A_PLAYER // smallest
    chosen = most_disjoint([frozenset(one.spaces) for one in found], enough=most)
    return tuple(found[place] for place in chosen)


def _ways(own: PlayerStars, space: str, direction: str) -> Iterator[tuple[str, str]]:
    """The links that lead from a star in a direction to another own star, and where to."""
    orientation, forwards = DIRECTIONS[direction]
    for link in own.links_at(space):
        ends = own.sky.board.link_spaces[link]
        start, end = (ends.a, ends.b) if forwards else (ends.b, ends.a)
        if ends.kind == orientation and start == space and end != POLARIS:
            yield link, end


def _star(word: str) -> int:
    if not word.isdecimal():
        raise ValueError(f"{word} is not the number of a star")
    return int(word)
