"""A server's results and persons, updated from the games whenever a page needs them."""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from webapp.app.database import is_temporary
from webapp.app.history.people import Person, Persons, name_key
from webapp.app.history.results import Results
from webapp.app.session import game_document

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GameHistory:
    """Results and persons; `default_names` are names of no person, such as "Player 1"."""

    results: Results
    persons: Persons
    default_names: Callable[[], Collection[str]]

    def look(self) -> None:
        """Update the history; postponed if the database cannot be written for now."""
        try:
            games = self.results.bring_up_to_date()
            if not games:
                return
            default_names = {name_key(name) for name in self.default_names()}
            seats = [
                (player["name"], player["marker"])
                for game in reversed(games)  # the latest game's colour wins
                if not game.document.get(game_document.LESSONS)
                for player in game.document["players"]
                if name_key(player["name"]) not in default_names
            ]
            self.persons.meet(seats)
        except SQLAlchemyError as error:
            if not is_temporary(error):
                raise
            log.warning("the history is not brought up to date: %s", error)

    def who(self) -> Callable[[str], Person | None]:
        """Return a lookup of persons by name."""
        known = self.persons.by_key()
        return lambda name: known.get(name_key(name))
