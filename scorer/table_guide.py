"""How a game is set up, what a turn is and what wins, from `table.yaml` in the game's folder."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from scorer.datafile import DataFileError, Problem, file_of, naming, parse_yaml
from scorer.game import Game
from scorer.sentence import LANGUAGES, Phrasebook, Sentence, Verbatim

NAME = "table.yaml"
KEYS = {"wins", "turn", "setup", "away", "numbers", "first_game"}
STEP_KEYS = {"say", "pictures", "modes", "players", "unread", "guided", "asks", "lays"}
LINE_KEYS = {*LANGUAGES, "say", "of", "modes"}


@dataclass(frozen=True)
class SetupStep:
    """One step of setting up, and the printed parts that show it.

    `unread` are glossary ids of parts of it that are not read from photographs. `guided`: a guided
    game has its players do it. `asks` is the option of the game's turns, such as a date, that
    decides where the pieces that it `lays` belong.
    """

    say: Sentence
    pictures: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    guided: bool = False
    asks: str = ""
    lays: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class TableGuide:
    """The texts of a game's table: what wins, what a turn is, and the steps of the setup.

    `away` is where everything belongs after the game.

    `first_game` is what a document holds for a beginners' game, such as its `mode`.
    """

    _book: Phrasebook
    _data: Mapping[str, Sequence[Mapping[str, Any]]]
    _numbers: Mapping[str, Mapping[str, int]]
    first_game: Mapping[str, str]
    away: tuple[Sentence, ...] = ()

    def wins(self, players: int | None = None, mode: str = "") -> tuple[Sentence, ...]:
        """What wins, for a number of players or for each of them, in a mode or in all."""
        return tuple(say for say, _of in self._lines("wins", players, mode))

    def turn(self, players: int | None = None, mode: str = "") -> tuple[Sentence, ...]:
        """What a turn is, likewise."""
        return tuple(say for say, _of in self._lines("turn", players, mode))

    def turn_of(self, kinds: Collection[str], players: int, mode: str) -> tuple[Sentence, ...]:
        """The part of `turn` about actions of these kinds, the first words of their notation."""
        lines = self._lines("turn", players, mode)
        return tuple(say for say, of in lines if not of.isdisjoint(kinds))

    def _lines(
        self, key: str, players: int | None, mode: str
    ) -> Iterator[tuple[Sentence, Set[str]]]:
        numbers = self._of_players(players)
        for number, line in enumerate(self._data.get(key, ())):
            if not mode or mode in line.get("modes", (mode,)):
                yield self._book.say(f"{key}.{number}", **numbers), {*line.get("of", ())}

    def _of_players(self, players: int | None) -> Mapping[str, Verbatim]:
        """The numbers for so many players; None: for each, one after the other."""
        shown = {
            name: by.values() if players is None else [by[str(players)]]
            for name, by in self._numbers.items()
        }
        return {name: Verbatim(" / ".join(map(str, own))) for name, own in shown.items()}

    def setup(self, players: int, mode: str = "") -> tuple[SetupStep, ...]:
        """The steps for a number of players, in a mode of the game ("" if it has none)."""
        numbers = self._of_players(players)
        return tuple(
            SetupStep(
                self._book.say(f"setup.{number}", **numbers),
                tuple(step.get("pictures", ())),
                tuple(step.get("unread", ())),
                step.get("guided", False),
                step.get("asks", ""),
                tuple(step.get("lays", ())),
            )
            for number, step in enumerate(self._data.get("setup", ()))
            if mode in step.get("modes", (mode,)) and players in step.get("players", (players,))
        )

    def differs(self, players: int, modes: Sequence[str]) -> bool:
        """Whether the setup depends on the mode."""
        return len({self.setup(players, mode) for mode in modes}) > 1


@cache
def table_guide(package: str) -> TableGuide | None:
    """The guide in a package; None if it has no `table.yaml`. Raise DataFileError."""
    file = files(package).joinpath(NAME)
    if not file.is_file():
        return None
    with naming(file_of(package, NAME)):
        return guide_from_data(parse_yaml(file.read_text(encoding="utf-8")))


def guide_from_data(data: Any) -> TableGuide:
    """The guide of a file's data. Raise DataFileError with every mistake."""
    problems: list[Problem] = [(key, "unknown key") for key in data if key not in KEYS]
    texts = {key: data.get(key, []) for key in ("wins", "turn", "setup", "away")}
    for key, lines in texts.items():
        known = STEP_KEYS if key == "setup" else LINE_KEYS
        for number, line in enumerate(lines):
            problems += [(f"{key}[{number}].{one}", "unknown") for one in line if one not in known]
    said = {
        f"{key}.{number}": line.get("say", {} if key == "setup" else line)
        for key, lines in texts.items()
        for number, line in enumerate(lines)
    }
    for key, text in said.items():
        problems += [(f"{key}.{one}", "missing") for one in LANGUAGES if not text.get(one)]
    if problems:
        raise DataFileError(problems)
    book = Phrasebook(said, {})
    return TableGuide(
        book,
        texts,
        data.get("numbers", {}),
        data.get("first_game", {}),
        tuple(book.say(f"away.{number}") for number in range(len(texts["away"]))),
    )


def guide_of(game: Game[Any, Any, Any]) -> TableGuide | None:
    """The guide beside a game's class; None if there is none, as for a game in a single module."""
    package = type(game).__module__.rpartition(".")[0]
    return table_guide(package) if package else None
