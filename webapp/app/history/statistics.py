"""Statistics of saved scores: per person, between two persons, and per game.

Only final scores count. Places decide who won, not points: a game may have winners without points.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from webapp.app.history.people import Person
from webapp.app.history.results import FINAL, Ending, Result

WhoIs = Callable[[str], Person | None]
"""Returns the person with a name; None for names of nobody, such as "Player 1"."""
BEST_SHOWN = 5
"""The number of best scores that are listed."""


@dataclass(frozen=True)
class Tally:
    """A person's games: `played` against others, of which `won`, `shared` with other winners.

    `average` and `best` are points, None if no game has any.
    """

    person: Person
    games: int
    played: int
    won: int
    shared: int
    average: float | None
    best: int | None


@dataclass(frozen=True)
class Encounter:
    """A person's places compared to those of another."""

    other: Person
    games: int
    better: int
    worse: int

    @property
    def even(self) -> int:
        """The number of games in which both had the same place."""
        return self.games - self.better - self.worse


@dataclass(frozen=True)
class Best:
    person: Person | None
    ending: Ending
    result: Result


@dataclass(frozen=True)
class Records:
    """A game's best scores, its closest and its clearest win."""

    best: Sequence[Best]
    closest: Result | None
    clearest: Result | None


def final(results: Iterable[Result], game: str = "", board: str = "") -> list[Result]:
    """Return the final results, optionally of one game and on one board."""
    return [
        one
        for one in results
        if one.state == FINAL and game in ("", one.game) and board in ("", one.board)
    ]


def tallies(results: Iterable[Result], who: WhoIs) -> list[Tally]:
    """Return everybody's tally, the most wins first."""
    played: dict[str, list[tuple[Ending, Result]]] = defaultdict(list)
    persons: dict[str, Person] = {}
    for result in results:
        for ending in result.endings:
            person = who(ending.name)
            if person is not None:
                persons[person.id] = person
                played[person.id].append((ending, result))
    found = [_tally(persons[id], own) for id, own in played.items()]
    return sorted(found, key=lambda one: (-one.won, -one.games, one.person.name.casefold()))


def tally_of(person: Person, results: Iterable[Result], who: WhoIs) -> Tally:
    own = [(one, result) for result in results for one in result.endings if who(one.name) == person]
    return _tally(person, own)


def _tally(person: Person, own: Sequence[tuple[Ending, Result]]) -> Tally:
    won = [result for ending, result in own if ending in result.winners]
    totals = [ending.total for ending, _result in own]
    return Tally(
        person,
        games=len(own),
        played=sum(len(result.endings) > 1 for _ending, result in own),
        won=len(won),
        shared=sum(len(result.winners) > 1 for result in won),
        average=sum(totals) / len(totals) if totals else None,
        best=max(totals, default=None),
    )


def encounters(results: Iterable[Result], who: WhoIs, person: Person) -> list[Encounter]:
    """Return a person's record against each other person, the most frequent first."""
    games: Counter[str] = Counter()
    better: Counter[str] = Counter()
    worse: Counter[str] = Counter()
    others: dict[str, Person] = {}
    for result in results:
        for one, two in combinations(result.endings, 2):
            for mine, theirs in ((one, two), (two, one)):
                other = who(theirs.name)
                if who(mine.name) != person or other is None or other == person:
                    continue
                others[other.id] = other
                games[other.id] += 1
                better[other.id] += mine.place < theirs.place
                worse[other.id] += mine.place > theirs.place
    return [
        Encounter(others[id], count, better[id], worse[id]) for id, count in games.most_common()
    ]


def records(results: Iterable[Result], who: WhoIs) -> Records:
    """Return the records of one game's results."""
    of_game = list(results)
    scores = [Best(who(one.name), one, result) for result in of_game for one in result.endings]
    scores.sort(key=lambda one: (-one.ending.total, one.result.begun_at))
    decided = [one for one in of_game if len(one.endings) > 1 and len(one.winners) == 1]
    return Records(
        scores[:BEST_SHOWN],
        min(decided, key=margin, default=None),
        max(decided, key=margin, default=None),
    )


def margin(result: Result) -> int:
    """Return how many points separate the first from the second."""
    first, second = result.endings[:2]
    return first.total - second.total
