"""Cards found in a photograph, done where photographs are decoded."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from calibration import load_profile
from calibration.cards import artwork_windows, card_artwork, whole_card
from calibration.profile import profile_version
from vision import load_photo
from vision.cards import CardPicture, Deck
from webapp.app.game_pages import pages_of
from webapp.app.reading.board_reader import vision_errors
from webapp.app.reading.readings import in_reading_order

_ARTWORK_PX = 96


def find_cards(path: Path, profile: str, boards: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """The cards of a profile's game in the photograph at `path`, as `CardReading.to_data` has them.

    Row by row, and from left to right in each. None is looked for on `boards`, the corners of each
    in px. Raises UnusablePhotographError, and ProfileError
    where the profile is gone.
    """
    deck = printed_deck(profile, profile_version(profile))
    with vision_errors():
        photo = load_photo(path)
    taken = [np.asarray(corners, float) for corners in boards]
    found = [card.to_data() for card in deck.find(photo.image, taken)]
    cards = [{"corners": whole_card(card["corners"])} for card in found]
    return [found[number] for number in in_reading_order(cards)]


@lru_cache(2)
def printed_deck(profile: str, version: float) -> Deck:
    """The cards that `stargazer print --everything` prints, with much ink and with little."""
    return Deck(_pictures(profile), artwork_windows())


def _pictures(profile: str) -> Iterator[CardPicture]:
    known = load_profile(profile)
    for card in pages_of(known.layout.game).cards(known, "en"):
        for saving in (False, True):
            yield CardPicture(card.id, card_artwork(card, _ARTWORK_PX, saving))
