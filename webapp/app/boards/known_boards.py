"""The boards that games are played on: the server's default and all others that are known."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import takewhile
from threading import Lock
from typing import Any

import numpy as np

from calibration import Profile, ProfileError, load_profile, profile_names
from calibration.profile import built_in_profiles, companions, profile_version, profiles_state
from calibration.versions import profile_of_version, version_names
from webapp.app.read_view import cached
from webapp.app.session.board_slots import BOARDS, KIND, Document
from webapp.app.session.game_document import PROFILE, with_profile

PlayedLast = Callable[[Collection[str]], str | None]
"""Returns which of the named boards was played on last; None if none was."""


class BoardGoneError(LookupError):
    """The board of a game is no longer known."""


class ProfileCache:
    """Profiles by name, loaded on first use and reloaded when their files change."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: dict[str, tuple[float, Profile | None]] = {}

    def find(self, name: str) -> Profile | None:
        """Return a profile by name or folder; None if there is none or it has no picture."""
        return cached((self, name), lambda: self._load(name))

    def _load(self, name: str) -> Profile | None:
        version = profile_version(name)
        with self._lock:
            if name not in self._loaded or self._loaded[name][0] != version:
                self._loaded[name] = version, _load(name)
            return self._loaded[name][1]


class _Held:
    """The boards at one `state` of their files."""

    def __init__(
        self, state: object, found: dict[str, Profile | None], known: Collection[str]
    ) -> None:
        """`known` are all names that a document may have, including versions.

        `found` has those that have been looked up.
        """
        self.state, self.found, self.known = state, found, known
        self.boards = {name: profile for name, profile in found.items() if profile is not None}
        self._pictures: dict[Profile, bytes] = {}

    def picture(self, profile: Profile) -> bytes:
        """Return a digest of a board's reference picture; empty if it has none."""
        if profile not in self._pictures:
            said = b""
            if profile.reference is not None:
                shape = repr(profile.reference.shape).encode()
                said = hashlib.sha256(shape + profile.reference.tobytes()).digest()
            self._pictures[profile] = said
        return self._pictures[profile]


class KnownBoards:
    """The boards that a server's games can be played on."""

    def __init__(self, default_name: str) -> None:
        """`default_name`, a name or a folder, is the board of games that name none.

        Raises `ProfileError` if there is no such profile.
        """
        self.default_name = default_name
        self._first = load_profile(default_name)
        self._is_named = default_name in {*profile_names(), *built_in_profiles()}
        self._profiles = ProfileCache()
        self._last: _Held | None = None

    @property
    def default(self) -> Profile:
        """The current default board; the one loaded at start if it is now gone or damaged."""
        return self._find(self.default_name) or self._first

    def standard(self, game: str) -> Profile | None:
        """Return the first board of a game with the spaces and links of the standard board.

        If there is none, any board of the game; None if the game has no known board.
        """
        found = tuple(self.choices(game).values())
        for profile in found:
            own, wanted = profile.board, profile.game.standard_board
            if own.spaces == wanted.spaces and own.links == wanted.links:
                return profile
        return found[0] if found else None

    def names(self) -> Sequence[str]:
        """Return the names of all boards that photographs can be read with, the default first."""
        return list(self._all())

    def choices(self, game: str) -> Mapping[str, Profile]:
        """Return the boards of a game that can be played on by name, the default first."""
        return {
            name: profile
            for name, profile in self._all().items()
            if profile.layout.game == game
            and not profile.layout.is_side_board
            and profile.layout.kind == profile.game.table.boards[0].id
        }

    def _companions(self, name: str) -> Mapping[str, Profile]:
        """Return the boards of the table's other kinds that belong to a board."""
        own = self._find(name)
        return {} if own is None else companions(name, own, self._find)

    def kind_shown(self, folder: str, document: Document) -> str:
        """Return the kind of board in a profile folder that a reading names; "" if unknown."""
        found = self.in_folder(folder, document)
        return "" if found is None else found.layout.kind

    def _all(self) -> Mapping[str, Profile]:
        return self._held().boards

    def _held(self) -> "_Held":
        return cached(self, self._load)

    def _load(self) -> "_Held":
        """Return the boards, reloaded if any board's file has changed."""
        elsewhere = 0.0 if self._is_named else profile_version(self.default_name)
        state = (profiles_state(), elsewhere)
        held = self._last
        if held is None or held.state != state:
            names = profile_names()
            found = {
                name: self._profiles.find(name)
                for name in dict.fromkeys((self.default_name, *names))  # existing names only
            }
            found[self.default_name] = found[self.default_name] or self._first
            held = _Held(state, found, {*names, *built_in_profiles(), *version_names()})
            self._last = held
        return held

    def names_for(self, document: Document, played_last: PlayedLast) -> tuple[str, ...]:
        """Return the boards that a photograph of a game may show: its own, else any of the game.

        Its own include differently printed boards that are equivalent in the game. Among boards
        with the same picture, the one played on last comes first and is preferred.
        """
        chosen = document.get(PROFILE)
        if not chosen:
            names = list(self.choices(document["game"]))
            alike = [name for name in names if self._alike(name, document["game"])]
            last = self._played_last(alike, document["game"], played_last) if alike else None
            names = sorted(names, key=lambda name: name != last)
        else:
            name = self.shown_name(document)
            names = [name, *self._same(name, document["game"])]
        return tuple(
            dict.fromkeys((*names, *(one for own in names for one in self._companions(own))))
        )

    def _played_last(self, names: Sequence[str], game: str, ask: PlayedLast) -> str | None:
        """Find the board played on last, counting its kept versions."""
        named = {version: self._current(version, game) for version in version_names()}
        own = {version: name for version, name in named.items() if name in names}
        found = ask([*names, *own])
        return own.get(found or "", found)

    def folders_for(self, document: Document) -> frozenset[str]:
        """Return the folders of the profiles that a game's boards can have."""
        name = self.name_of(document)
        same, beside = self._same(name, document["game"]), self._companions(name)
        found = [self._find(name), *same.values(), *beside.values()]
        folders = {profile.name for profile in found if profile is not None}
        return frozenset(folders | {_folder_before(name)} - {""})

    def in_folder(self, folder: str, document: Document) -> Profile | None:
        """Return the board in a profile folder that a reading names; None if it is gone.

        A reading from before a version of the board was kept names the original's folder.
        """
        name = self.name_of(document)
        if folder == _folder_before(name):
            return self._find(name)
        found = [self._find(name), *self.choices(document["game"]).values()]
        found += self._companions(name).values()
        return next((one for one in found if one is not None and one.name == folder), None)

    def _same(self, name: str, game: str) -> Mapping[str, Profile]:
        """Return the boards equivalent to one in the game: same spaces, links and numbers."""
        own = self._find(name)
        if own is None:
            return {}
        places = own.places.keys()
        return {
            other: profile
            for other, profile in self.choices(game).items()
            if profile.board == own.board and profile.places.keys() == places
        }

    def lookalikes(self, document: Document) -> Sequence[Profile]:
        """Return boards with the same picture as a game's own that differ in the game."""
        name = self.name_of(document)
        same = self._same(name, document["game"])
        alike = self._alike(name, document["game"]).items()
        return [profile for other, profile in alike if other not in same]

    def _alike(self, name: str, game: str) -> Mapping[str, Profile]:
        """Return the other boards of a game with the same picture."""
        own = self._find(name)
        if own is None or not own.is_calibrated:
            return {}
        picture = self._held().picture
        shown = picture(own)
        return {
            other: profile
            for other, profile in self.choices(game).items()
            if other != name and picture(profile) == shown
        }

    def recognised(self, document: Document, folder: str) -> Document:
        """Set a game's board to the one whose profile folder has this name, unless it is set."""
        if document.get(PROFILE):
            return document
        names = self.choices(document["game"])
        found = [name for name, profile in names.items() if profile.name == folder]
        return {**document, PROFILE: found[0]} if found else document

    def name_of(self, document: Document) -> str:
        """Return the name of the board that a game is played on."""
        return str(document.get(PROFILE) or self.first_of(document["game"]))

    def first_of(self, game: str) -> str:
        """Return the name of the board that a game is played on by default."""
        if self.default.layout.game == game:
            return self.default_name
        return next(iter(self.choices(game)), self.default_name)

    @property
    def games(self) -> Sequence[str]:
        """The games with a known board, the default board's game first."""
        return list(dict.fromkeys(profile.layout.game for profile in self._all().values()))

    def changed(self, document: Document, name: str) -> Document:
        """Return a game's document with another board; "" leaves it to the next photograph.

        Raises BoardGoneError.
        """
        after = self.of({**document, PROFILE: name})
        return with_profile(document, name, self.of(document).board, after.board)

    def current_name(self, document: Document) -> str:
        """Return the name of a game's board; for a kept version, that of the original board.

        "" if it is the game's default board.
        """
        name = str(document.get(PROFILE) or "")
        current = self._current(name, document["game"])
        if current == self.first_of(document["game"]):
            return ""
        return current or name

    def shown_name(self, document: Document) -> str:
        """Return the name of a game's board; the original's if a kept version equals it."""
        name = self.name_of(document)
        current = self._current(name, document["game"])
        own, now = self._find(name), self._find(current) if current else None
        return current if current and own and now and _alike(own, now) else name

    def title_of(self, document: Document) -> str:
        """Return the current title of a game's board, or its last one if it is gone.

        Raises BoardGoneError.
        """
        now = self._find(self._current(self.name_of(document), document["game"]) or "")
        return (now or self.of(document)).title

    def known(self, name: str) -> Profile | None:
        """Return a board by name; None if there is none or it has no picture."""
        return self._find(name)

    def versions_of(self, name: str) -> Sequence[str]:
        """Return the names of a board's kept versions that equal the current board."""
        now = self._find(name)
        kept = [one for one in version_names() if now and profile_of_version(one) == now.name]
        return [one for one in kept if now and (own := self._find(one)) and _alike(own, now)]

    def _current(self, version: str, game: str) -> str | None:
        """Return the name of the board that a version belongs to; None if it is gone."""
        folder = _folder_before(version)
        found = self.choices(game).items() if folder else ()
        return next((name for name, profile in found if profile.name == folder), None)

    def mended(self, document: Document) -> tuple[str, Profile] | None:
        """Return the name and board that have replaced the version a game is played on.

        None unless the game keeps a version with other numbers, all of whose places still exist.
        """
        own = self._find(self.name_of(document))
        name = self._current(self.name_of(document), document["game"])
        if own is None or name is None:
            return None
        now = self.choices(document["game"])[name]
        fits = own.places.keys() <= now.places.keys()
        return (name, now) if fits and now.board != own.board else None

    def with_version(self, document: Document, of: Profile, version: str) -> Document:
        """Return the document with a kept version of its board, if it is played on that board."""
        name = self.name_of(document)
        return {**document, PROFILE: version} if self._find(name) is of else document

    def of(self, document: Document, owner: int = 0) -> Profile:
        """Return the board that a game is played on, of an owner's kind.

        Raises BoardGoneError.
        """
        name = self.name_of(document)
        listed: Sequence[Mapping[str, Any]] = document.get(BOARDS, ())
        kind = listed[owner].get(KIND, "") if 0 <= owner < len(listed) else ""
        first = self._find(name)
        found = first
        if first is not None and kind not in ("", first.layout.kind):
            beside = self._companions(name).values()
            name, found = f"{name}-{kind}", next((b for b in beside if b.layout.kind == kind), None)
        if found is None or found.layout.game != document["game"]:
            raise BoardGoneError(name)
        return found

    def of_each_kind(self, document: Document) -> Sequence[Profile]:
        """Return the boards of a game, one of each kind, in the table's order.

        Stops before the first kind that has no known board. Raises BoardGoneError.
        """
        first = self.of(document)
        beside = self._companions(self.name_of(document)).values()
        others = zip(first.game.table.boards[1:], beside, strict=False)
        known = takewhile(lambda one: one[0].id == one[1].layout.kind, others)
        return [first, *(profile for _kind, profile in known)]

    def version_of(self, name: str) -> float:
        """Return a number that changes with the board of this name, 0 if there is none."""
        is_board = name == self.default_name or name in self._held().known  # not a path
        return profile_version(name) if is_board else 0.0

    def _find(self, name: str) -> Profile | None:
        held = self._held()
        if name not in held.found:
            if name not in held.known:
                return None
            held.found[name] = self._profiles.find(name)
        return held.found[name]


def _folder_before(name: str) -> str:
    """Return the profile folder that a version belongs to; "" if it is not a version."""
    return profile_of_version(name) or ""


def _alike(one: Profile, other: Profile) -> bool:
    """Whether two boards are identical in print and in the game."""
    return (
        (one.board, one.places, one.size_mm) == (other.board, other.places, other.size_mm)
        and one.reference is not None
        and other.reference is not None
        and np.array_equal(one.reference, other.reference)
    )


def _load(name: str) -> Profile | None:
    try:
        profile = load_profile(name)
    except (ProfileError, OSError):
        return None
    return profile if profile.is_calibrated else None
