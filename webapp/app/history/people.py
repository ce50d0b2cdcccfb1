"""The players: each person has names by which games know them, a colour and optionally a picture.

Names that differ only in case or spacing belong to the same person. Changes of persons can be
undone, the last one first; games keep the names they were played with.
"""

import secrets
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session, sessionmaker

from webapp.app import atomic
from webapp.app.database import PersonChangeRow, PersonNameRow, PersonRow, reading

CHANGES_KEPT = 50


class NoSuchPersonError(LookupError):
    """There is no person of this id."""


class NameTakenError(ValueError):
    """The name belongs to somebody else, `person`."""

    def __init__(self, person: "Person") -> None:
        super().__init__(person.name)
        self.person = person


class ChangedSinceError(ValueError):
    """The change of persons is no longer the last one and cannot be undone."""


@dataclass(frozen=True)
class Person:
    """A player; `picture` is the name of their image file, None if there is none."""

    id: str
    name: str
    colour: str | None = None
    picture: str | None = None

    @property
    def marker(self) -> str:
        """The colour that they are drawn with."""
        return self.colour or "teal"


def name_key(name: str) -> str:
    """Return a name normalised for comparison.

    >>> name_key("  ANA   María ") == name_key("Ana mari\\u0301a")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class Persons:
    """The persons in the database, with their pictures in a folder."""

    def __init__(self, sessions: sessionmaker[Session], folder: Path) -> None:
        """Store pictures in `folder`, which is created with the first."""
        self._sessions, self._folder = sessions, folder

    def all(self) -> Sequence[Person]:
        """Return all persons, sorted by name."""
        with reading(self._sessions) as session:
            found = [_person(row) for row in session.scalars(select(PersonRow))]
        return sorted(found, key=lambda person: name_key(person.name))

    def by_key(self) -> Mapping[str, Person]:
        """Return the persons by each of their folded names."""
        query = select(PersonNameRow.key, PersonRow).join(PersonRow)
        with reading(self._sessions) as session:
            return {key: _person(row) for key, row in session.execute(query).all()}

    def get(self, person_id: str) -> Person:
        """Return a person by id. Raises NoSuchPersonError."""
        with reading(self._sessions) as session:
            return _person(_row(session, person_id))

    def meet(self, seats: Iterable[tuple[str, str]]) -> None:
        """Add a person for each unknown name, with the colour played."""
        named = {name_key(name): (name, colour) for name, colour in seats}
        with reading(self._sessions) as session:
            known = set(session.scalars(select(PersonNameRow.key)))
        if named.keys() <= known:
            return
        with self._sessions.begin() as session:
            known = set(session.scalars(select(PersonNameRow.key)))
            for key in named.keys() - known:
                name, colour = named[key]
                person = PersonRow(id=secrets.token_hex(8), name=name, colour=colour)
                session.add(person)
                session.flush()
                session.add(PersonNameRow(key=key, person_id=person.id))

    def change(self, person_id: str, name: str, colour: str | None) -> int | None:
        """Change a person's name and colour.

        Returns the change's number, None if nothing changed. Raises NoSuchPersonError and
        NameTakenError.
        """
        with self._sessions.begin() as session:
            row = _row(session, person_id)
            key = name_key(name)
            owner = session.get(PersonNameRow, key)
            if owner is not None and owner.person_id != person_id:
                raise NameTakenError(_person(_row(session, owner.person_id)))
            if (row.name, row.colour) == (name, colour):
                return None
            number = _note(session, [row], [] if owner else [key])
            row.name, row.colour = name, colour
            if owner is None:
                session.add(PersonNameRow(key=key, person_id=person_id))
            return number

    def merge(self, kept_id: str, gone_id: str) -> int:
        """Merge two persons under the first one's name; return the change's number.

        Raises NoSuchPersonError.
        """
        with self._sessions.begin() as session:
            kept, gone = _row(session, kept_id), _row(session, gone_id)
            if kept is gone:
                raise NoSuchPersonError(gone_id)
            number = _note(session, [kept, gone], [])
            session.execute(
                update(PersonNameRow)
                .where(PersonNameRow.person_id == gone_id)
                .values(person_id=kept_id)
            )
            kept.picture = kept.picture or gone.picture
            session.execute(delete(PersonRow).where(PersonRow.id == gone_id))
            return number

    def show(self, person_id: str, picture: bytes | None) -> int:
        """Set or remove a person's picture (JPEG); return the change's number.

        Raises NoSuchPersonError.
        """
        name = secrets.token_hex(8) if picture is not None else None
        if picture is not None and name is not None:
            self.get(person_id)
            atomic.write(self.picture_path(name), picture)
        with self._sessions.begin() as session:
            row = _row(session, person_id)
            number = _note(session, [row], [])
            row.picture = name
            return number

    def undo(self, number: int) -> None:
        """Undo the last change. Raises ChangedSinceError if `number` is not the last one's."""
        with self._sessions.begin() as session:
            last = session.scalar(select(func.max(PersonChangeRow.number)))
            if number != last:
                raise ChangedSinceError(number)
            row = session.get_one(PersonChangeRow, number)
            added = row.before["added"]
            session.execute(delete(PersonNameRow).where(PersonNameRow.key.in_(added)))
            for was in row.before["persons"]:
                session.merge(PersonRow(**{key: was[key] for key in _KEPT}))
                session.flush()
                for key in was["keys"]:
                    session.merge(PersonNameRow(key=key, person_id=was["id"]))
            session.delete(row)

    def picture_path(self, name: str) -> Path:
        return self._folder / f"{name}.jpg"

    def sweep(self) -> None:
        """Delete pictures that no person has now or after an undo. Only call this at start."""
        with reading(self._sessions) as session:
            kept = set(session.scalars(select(PersonRow.picture)))
            for before in session.scalars(select(PersonChangeRow.before)):
                kept |= {was["picture"] for was in before["persons"]}
        for file in self._folder.glob("*"):
            if file.stem not in kept or file.suffix != ".jpg":
                file.unlink(missing_ok=True)


_KEPT = ("id", "name", "colour", "picture")


def _row(session: Session, person_id: str) -> PersonRow:
    row = session.get(PersonRow, person_id)
    if row is None:
        raise NoSuchPersonError(person_id)
    return row


def _person(row: PersonRow) -> Person:
    return Person(row.id, row.name, row.colour, row.picture)


def _note(session: Session, rows: Iterable[PersonRow], added: Sequence[str]) -> int:
    """Record persons before a change that adds the names `added`; return the change's number."""
    before: dict[str, Any] = {
        "persons": [
            {key: getattr(row, key) for key in _KEPT}
            | {
                "keys": list(
                    session.scalars(
                        select(PersonNameRow.key).where(PersonNameRow.person_id == row.id)
                    )
                )
            }
            for row in rows
        ],
        "added": list(added),
    }
    change = PersonChangeRow(before=before)
    session.add(change)
    session.flush()
    session.execute(
        delete(PersonChangeRow).where(PersonChangeRow.number <= change.number - CHANGES_KEPT)
    )
    return change.number
