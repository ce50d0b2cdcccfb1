"""Reading photograph files, by whichever profile matches; for commands and pages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import vision
from calibration import Profile
from calibration.colour_profile import ColourProfile
from scorer.table import UNKNOWN_TABLE, RolesByGame
from vision.colour_calibration import ColourCalibration, calibrate_colours
from webapp.app.reading.read_photograph import UnusablePhotographError


class BoardReader:
    """Reads photographs with some profiles, whose models stay loaded."""

    def __init__(self, *profiles: Profile) -> None:
        """Load the profiles' models. Raises ValueError if a profile is not calibrated."""
        self.profiles = profiles
        self._readers = [vision.Reader.of(profile) for profile in profiles]
        self._reader: vision.Reader | vision.Library = (
            self._readers[0] if len(profiles) == 1 else vision.Library(self._readers)
        )

    def use(self, seen: Callable[[Profile], ColourProfile]) -> None:
        """Add the colours that `seen` returns to each profile's own."""
        for reader in self._readers:
            reader.colour_profile = reader.profile.colour_profile + seen(reader.profile)

    def read(
        self, path: Path, expected: int = 1, piece_roles: RolesByGame = UNKNOWN_TABLE
    ) -> tuple[vision.Photo, vision.Reading]:
        """Read a photograph on which `expected` boards are expected, each with its own profile.

        Raises UnusablePhotographError.
        """
        begin = perf_counter()
        with vision_errors():
            photo = vision.load_photo(path)
            load_ms = 1000 * (perf_counter() - begin)
            return photo, self._reader.read(photo, load_ms, expected, piece_roles)


def calibrate_pieces(profile: Profile, photo: vision.Photo) -> ColourCalibration:
    """Calibrate a profile's colours from a photograph with one piece of each kind.

    Raises the errors of `vision.colour_calibration.calibrate_colours`.
    """
    return calibrate_colours(
        vision.Reader.of(replace(profile, colour_profile=ColourProfile())), photo
    )


@contextmanager
def vision_errors() -> Iterator[None]:
    """Convert vision's errors to UnusablePhotographError."""
    try:
        yield
    except vision.PhotoError as error:
        raise UnusablePhotographError("not_a_photograph", str(error)) from error
    except vision.NoBoardError as error:
        raise UnusablePhotographError("no_board", str(error)) from error
    except vision.NoColoursError as error:
        raise UnusablePhotographError("no_colours", str(error)) from error
    except vision.UnknownBoardError as error:
        raise UnusablePhotographError("unknown_board", str(error)) from error
    except vision.UnreadableBoardError as error:
        raise UnusablePhotographError("unreadable", str(error)) from error
