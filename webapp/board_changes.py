"""A known board is put in order: what then becomes of the games that are played on it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from calibration import Layout, profile_layout, versions
from calibration.layout import layout_from_data
from webapp import draft_jobs
from webapp.drafts import Draft
from webapp.game_document import PROFILE
from webapp.saved_games import NoSuchGameError
from webapp.seats import is_over
from webapp.services import Services


@dataclass(frozen=True)
class Effect:
    """What a changed board means to games, by their ids.

    Those that `go_on` are played on with it, where every place on which a piece may lie is there
    still. The others keep the board as it was: all where places are gone, and those that are
    `scored` where the numbers are others, so that what a game ended in stays.
    """

    go_on: tuple[str, ...] = ()
    scored: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()

    @property
    def keep(self) -> tuple[str, ...]:
        """Those that keep the board as it was."""
        return (*self.scored, *self.unfit)


def effect_of(services: Services, draft: Draft) -> Effect:
    """Tell what changing a profile as its draft says would mean. Raises ProfileError."""
    return _effect(services, draft.profile, _layout(draft.layout))


def change(services: Services, draft: Draft, title: str) -> Effect:
    """Change a profile as its draft says. Raises ProfileError and UnusablePhotographError.

    The games come first: whatever happens then, each has a board that its pieces lie on.
    """
    effect = effect_of(services, draft)
    _keep(services, draft.profile, effect)
    folder = services.drafts.folder(draft.id)
    services.run_job(
        draft_jobs.change_board, folder, draft.corners, draft.layout, title, draft.profile
    )
    return effect


def undo(services: Services, name: str) -> Effect:
    """Bring a profile back as it was before its last change; the games first, too.

    Raises ProfileError.
    """
    effect = _effect(services, name, versions.layout_before(name))
    _keep(services, name, effect)
    versions.undo_change(name)
    return effect


def _effect(services: Services, name: str, after: Layout) -> Effect:
    before, games = profile_layout(name), tuple(_games_on(services, name))
    if not before.places.keys() <= after.places.keys():
        return Effect(unfit=games)
    if before.board == after.board:
        return Effect(go_on=games)
    scored = tuple(game_id for game_id in games if _is_scored(services, game_id))
    return Effect(tuple(game_id for game_id in games if game_id not in scored), scored)


def _is_scored(services: Services, game_id: str) -> bool:
    """Whether a game is finished, or was deleted: as that it can be brought back."""
    try:
        return is_over(services.games.open(game_id).document)
    except NoSuchGameError:
        return True


def _keep(services: Services, name: str, effect: Effect) -> None:
    """Let games have a profile as it is now, whatever becomes of it."""
    if not effect.keep:
        return
    kept = versions.keep_version(name)
    for game_id in effect.keep:
        with suppress(NoSuchGameError):  # gone for good meanwhile
            services.games.amend(
                game_id, lambda document: _moved(services, document, name, kept), deleted=True
            )


def _games_on(services: Services, name: str) -> list[str]:
    found = services.games.played_on(name)
    boards = services.boards
    if any(boards.first_of(game) == name for game in boards.games):
        found += services.games.played_on(None)
    return list(dict.fromkeys(found))


def _moved(
    services: Services, document: Mapping[str, Any], name: str, kept: str
) -> Mapping[str, Any]:
    """The document with the version that was kept, where it is played on the profile."""
    on_it = services.boards.name_of(document) == name
    return {**document, PROFILE: kept} if on_it else document


def _layout(data: Mapping[str, Any]) -> Layout:
    return layout_from_data({**data, "name": draft_jobs.SOURCE}, draft_jobs.SOURCE)
