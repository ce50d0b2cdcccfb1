"""A known board is put in order: what then becomes of the games that are played on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibration import Layout, profile_layout, versions
from calibration.layout import layout_from_data
from webapp import draft_jobs
from webapp.drafts import Draft
from webapp.game_document import PROFILE
from webapp.services import Services


@dataclass(frozen=True)
class Effect:
    """What a changed board means to games: `games` are played on it, by their ids.

    They go on with it where it `fits`: every place on which a piece may lie is there still.
    Otherwise they keep the board as it was.
    """

    games: tuple[str, ...]
    fits: bool


def effect_of(services: Services, draft: Draft) -> Effect:
    """Tell what changing a profile as its draft says would mean. Raises ProfileError."""
    before, after = profile_layout(draft.profile), _layout(draft.layout)
    fits = before.places.keys() <= after.places.keys()
    return Effect(tuple(_games_on(services, draft.profile)), fits)


def change(services: Services, draft: Draft, title: str) -> Effect:
    """Change a profile as its draft says. Raises ProfileError and UnusablePhotographError.

    The games come first: whatever happens then, each has a board that its pieces lie on.
    """
    effect, name = effect_of(services, draft), draft.profile
    if effect.games and not effect.fits:
        kept = versions.keep_version(name)
        for game_id in effect.games:
            services.games.amend(game_id, lambda document: _moved(services, document, name, kept))
    folder = services.drafts.folder(draft.id)
    services.run_job(
        draft_jobs.change_board, folder, draft.corners, draft.layout, title, draft.profile
    )
    return effect


def _games_on(services: Services, name: str) -> list[str]:
    found = services.games.played_on(name)
    if name == services.boards.default_name:
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
