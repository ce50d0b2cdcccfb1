"""Changing a known board, with the effect on the games that are played on it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from calibration import Layout, owned, profile_layout, versions
from calibration.layout import layout_from_data
from webapp.app.boards import draft_jobs
from webapp.app.boards.drafts import Draft
from webapp.app.services import Services
from webapp.app.session.saved_games import NoSuchGameError
from webapp.app.session.seats import is_over


@dataclass(frozen=True)
class Effect:
    """The effect of a changed board on games, by their ids.

    `go_on` are unfinished games that continue on the changed board, which still has all their
    places. `unfit` are unfinished games that keep the board as it was because places are gone.
    Finished games always keep their board; `scored` are those for which it would score differently.
    """

    go_on: tuple[str, ...] = ()
    scored: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()


def effect_of(services: Services, draft: Draft) -> Effect:
    """Return the effect of changing a profile to its draft. Raises ProfileError."""
    return _effect(services, draft.profile, _layout(draft.layout))


def change(services: Services, draft: Draft, title: str) -> Effect:
    """Change a profile to its draft. Raises ProfileError and UnusablePhotographError.

    Games that keep the old board are saved first, so that each has a board for its pieces if this
    is interrupted.
    """
    effect = effect_of(services, draft)
    _keep(services, draft.profile, effect.unfit)
    folder = services.drafts.folder(draft.id)
    services.run_job(
        draft_jobs.change_board, folder, draft.corners, draft.layout, title, draft.profile
    )
    return effect


def undo(services: Services, name: str) -> Effect:
    """Undo the last change of a profile, saving affected games first.

    Raises ProfileError.
    """
    effect = _effect(services, name, versions.layout_before(name))
    _keep(services, name, effect.unfit)
    versions.undo_change(name)
    return effect


def delete(services: Services, name: str) -> None:
    """Delete a profile; games played on it keep a copy. Raises ProfileError."""
    _keep(services, name, _games_on(services, name))
    owned.delete_profile(name)


def _effect(services: Services, name: str, after: Layout) -> Effect:
    before, games = profile_layout(name), tuple(_games_on(services, name))
    finished = tuple(game_id for game_id in games if _is_finished(services, game_id))
    going = tuple(game_id for game_id in games if game_id not in finished)
    if not before.places.keys() <= after.places.keys():
        return Effect(unfit=going)
    return Effect(going, finished if before.board != after.board else ())


def _is_finished(services: Services, game_id: str) -> bool:
    """Whether a game is finished, or deleted, as a deleted game can be restored."""
    try:
        return is_over(services.games.open(game_id).document)
    except NoSuchGameError:
        return True


def _keep(services: Services, name: str, game_ids: Collection[str]) -> None:
    """Have these games, and all finished ones, keep the current version of a profile."""
    profile = services.boards.known(name)
    if profile is None:  # damaged: no game can be played on it
        return
    games = _games_on(services, name)
    kept = [one for one in games if one in game_ids or _is_finished(services, one)]
    services.counting.keep_board(kept, profile)


def _games_on(services: Services, name: str) -> list[str]:
    """Return the games on a profile, and those on a kept version equal to it."""
    boards = services.boards
    found = services.games.played_on(name)
    for version in boards.versions_of(name):
        found += services.games.played_on(version)
    if any(boards.first_of(game) == name for game in boards.games):
        found += services.games.played_on(None)
    return list(dict.fromkeys(found))


def _layout(data: Mapping[str, Any]) -> Layout:
    return layout_from_data({**data, "name": draft_jobs.SOURCE}, draft_jobs.SOURCE)
