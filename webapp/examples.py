"""Corrected spaces kept, where players agreed, as labelled crops for later training."""

import json
import secrets
from contextlib import suppress

from PIL import Image

from calibration import PX_PER_MM
from webapp import atomic
from webapp.photographs import NoSuchPhotographError
from webapp.saved_games import SavedGame
from webapp.services import Services

AROUND = 1.6
"""How far a crop reaches from the space's centre, in its radii."""


def keep(
    services: Services,
    game: SavedGame,
    player: int,
    space: str,
    star: str | None,
    was: str | None,
) -> None:
    """Keep the crop of a space whose star was read wrongly, labelled with what lies there.

    Crops of a game lie in a folder of its own, which goes when the game is deleted.
    """
    source = game.document["players"][player]["board"]
    if star == was or source is None or source["photograph"] is None:
        return
    with suppress(NoSuchPhotographError, FileNotFoundError):
        photograph = services.photographs.get(game.id, source["photograph"])
        profile = services.boards.of(game.document)
        place = profile.spaces[space]
        reach = place.radius * AROUND
        x, y = place.at
        left, top, right, bottom = (
            round(edge * PX_PER_MM) for edge in (x - reach, y - reach, x + reach, y + reach)
        )
        with Image.open(services.photographs.board_path(photograph, source["index"])) as board:
            crop = board.crop((left, top, right, bottom))
        folder = services.settings.examples / game.id
        name = secrets.token_hex(6)
        with atomic.replacing(folder / f"{name}.jpg") as file:
            crop.save(file, "JPEG", quality=92)
        label = {
            "stars": {space: star} if star else {},
            "read": was,
            "profile": profile.name,
        }
        atomic.write(folder / f"{name}.json", json.dumps(label).encode())
