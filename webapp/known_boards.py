"""Which board each game is played on: the one that was chosen for it, or else the server's own."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from calibration import Profile, ProfileError, load_profile, profile_names
from calibration.owned import profile_version
from webapp.saved_games import Games, NoSuchGameError

MOST_LOADED = 16


class KnownBoards:
    """The profiles that games can be played on; `default` is that of games which chose none."""

    def __init__(self, default: str, games: Games) -> None:
        """Load the default profile, by its name or its folder. Raises ProfileError."""
        self.default_name = default
        self.default = load_profile(default)
        self._games = games

    def name_for(self, game_id: str) -> str:
        """The name of the profile that a game is played on, the default for one that is gone."""
        return self._name(self._document(game_id))

    def profile_for(self, game_id: str) -> Profile:
        """The profile that a game is played on."""
        return self.of(self._document(game_id))

    def _document(self, game_id: str) -> Mapping[str, Any]:
        try:
            return self._games.open(game_id).document
        except NoSuchGameError:
            return {}

    def _name(self, document: Mapping[str, Any]) -> str:
        """As a document says it; a profile that is gone counts as none."""
        chosen = document.get("profile")
        return chosen if chosen in profile_names() else self.default_name

    def of(self, document: Mapping[str, Any]) -> Profile:
        """The profile that a game is played on."""
        name = self._name(document)
        if name == self.default_name:
            return self.default
        try:
            return _loaded(name, profile_version(name))
        except ProfileError:  # damaged since it was chosen
            return self.default

    def choices(self, game: str) -> dict[str, str]:
        """The profiles that a game can choose, each with its title; "" is the default."""
        found = {"": self.default.title}
        for name in profile_names():
            if name == self.default_name:
                continue
            try:
                profile = _loaded(name, profile_version(name))
            except ProfileError:
                continue
            if profile.layout.game == game and profile.reference is not None:
                found[name] = profile.title
        return found


@lru_cache(MOST_LOADED)
def _loaded(name: str, _version: float) -> Profile:
    return load_profile(name)
