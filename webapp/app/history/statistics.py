"""What saved scores add up to: for each person, between two persons, and for each game.

Only final scores count. Who won is told by the places of a score, never by its points: a game may
have winners without points. Averages and records are told of games that are decided by points.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from webapp.app.history.people import Person
from webapp.app.history.results import FINAL, Ending, Result

WhoIs = Callable[[str], Person | None]
"""Whose a name is; None for one that is nobody's, such as "Player 1"."""
BEST_SHOWN = 5
"""The number of best scores that are listed."""


@dataclass(frozen=True)
class Tally:
    """How a person has done: `won` of the `games` against others; `shared` of them with somebody.

    `average` and `best` are of points, None where none of the games is decided by them; `in_points`
    says of how many games they are.
    """

    person: Person
    games: int
    played: int
    won: int
    shared: int
    in_points: int
    average: float | None
    best: int | None


@dataclass(frozen=True)
class Encounter:
    """How a person has done against another one: who had the better place."""

    other: Person
    games: int
    better: int
    worse: int

    @property
    def even(self) -> int:
        """How often both had the same place."""
        return self.games - self.better - self.worse


@dataclass(frozen=True)
class Best:
    """One of the best scores."""

    person: Person | None
    ending: Ending
    result: Result


@dataclass(frozen=True)
class Records:
    """The records of one game: its best scores, the closest and the clearest win."""

    best: Sequence[Best]
    closest: Result | None
    clearest: Result | None


def final(results: Iterable[Result], game: str = "", board: str = "") -> list[Result]:
    """Return those that are final, of one game and on one board where these are named."""
    return [
        one
        for one in results
        if one.state == FINAL and game in ("", one.game) and board in ("", one.board)
    ]


def tallies(results: Iterable[Result], who: WhoIs) -> list[Tally]:
    """Return how everybody has done, who has won most often first."""
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
    """Return how one person has done."""
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
        in_points=len(totals),
        average=sum(totals) / len(totals) if totals else None,
        best=max(totals, default=None),
    )


def encounters(results: Iterable[Result], who: WhoIs, person: Person) -> list[Encounter]:
    """Return how a person has done against each other one, the most frequent first."""
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
    """Return the records of a game that is decided by points."""
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
    """By how many points a game was won."""
    first, second = result.endings[:2]
    return first.total - second.total
