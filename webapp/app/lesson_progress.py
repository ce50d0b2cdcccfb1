"""Completed lessons, by player or, if none is known, by browser."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from webapp.app.database import LessonRow, reading
from webapp.app.history.people import Person, Persons, name_key


@dataclass(frozen=True)
class Learner:
    """A known person, or a browser that nobody has been named for."""

    browser: str
    person: Person | None = None


class LessonProgress:
    """The completed lessons in the database.

    A person's lessons are stored by name, as in games: merging two persons merges their lessons,
    and undoing that separates them again.
    """

    def __init__(self, sessions: sessionmaker[Session], persons: Persons) -> None:
        self._sessions, self._persons = sessions, persons

    def done(self, learner: Learner, game: str) -> Collection[str]:
        """Return the ids of a game's lessons that a learner has completed."""
        mine = LessonRow.browser == learner.browser
        if learner.person is not None:
            mine = LessonRow.name.in_(self._names(learner.person))
        query = select(LessonRow.lesson).where(mine, LessonRow.game == game)
        with reading(self._sessions) as session:
            return frozenset(session.scalars(query))

    def note(self, learner: Learner, game: str, lesson: str) -> None:
        if lesson in self.done(learner, game):
            return
        name = name_key(learner.person.name) if learner.person else ""
        browser = "" if learner.person else learner.browser
        with self._sessions.begin() as session:
            session.merge(LessonRow(name=name, browser=browser, game=game, lesson=lesson))

    def hand_over(self, browser: str, person: Person) -> None:
        """Move a browser's completed lessons to a person."""
        mine = LessonRow.browser == browser
        with self._sessions.begin() as session:
            for row in session.scalars(select(LessonRow).where(mine)).all():
                of_person = {"name": name_key(person.name), "game": row.game, "lesson": row.lesson}
                session.merge(LessonRow(**of_person, browser="", at=row.at))
                session.delete(row)

    def _names(self, person: Person) -> list[str]:
        return [key for key, who in self._persons.by_key().items() if who.id == person.id]
