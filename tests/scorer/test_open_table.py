"""What lies open of a state is drawn from the marks on its fields, and nothing that is hidden."""

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from scorer.open_table import OnTable, Thing, market, open_table
from scorer.secrets import OfEachPlayer, Secret, seen_by


class Coins(NamedTuple):
    gold: int = 0
    tin: int = 0


@dataclass(frozen=True)
class Seat:
    coins: Annotated[Coins, OnTable("coin")]
    hand: Annotated[tuple[str, ...], Secret(), OnTable("card")] = ()
    boats: tuple[str, ...] = ()

    @property
    def berths(self) -> Annotated[int, OnTable("berth")]:
        return 3 - len(self.boats)


@dataclass(frozen=True)
class Table:
    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    market: Annotated[tuple[str, ...], OnTable("card", market=True)] = ()
    events: Annotated[tuple[str, ...], OnTable("card")] = ()
    deck: Annotated[tuple[str, ...], Secret()] = ()


@dataclass(frozen=True)
class State:
    table: Annotated[Table, OnTable()]


def test_what_is_marked_lies_open_and_of_a_secret_only_how_many() -> None:
    ana, eva = Seat(Coins(tin=2), ("owl",), ("cog",)), Seat(Coins(), ("fox", "elk"))
    table = Table((ana, eva), ("sun", "sun", "sea"), ("war",), ("top",))
    for player in (None, 0, 1):
        seen = State(seen_by(table, player))
        found = open_table(seen)
        assert found.common == [
            Thing("market", "card", ids=[("sun", 2), ("sea", 1)], market=True),
            Thing("events", "card", ids=[("war", 1)]),
        ]
        assert market(seen) == {"sun": 2, "sea": 1}
        assert found.seats[0] == [
            Thing("coins", "coin", ids=[("tin", 2)]),
            Thing("hand", "card", 1, backs=True),
            Thing("berths", "berth", 2),
        ]
        assert found.seats[1][1] == Thing("hand", "card", 2, backs=True)
    bare = open_table(State(replace(table, seats=(Seat(Coins()),))))
    assert [bool(one) for one in bare.seats[0]] == [False, False, True]
