"""A board profile: a folder with `layout.yaml` and, once calibrated, `reference.png`."""

import os
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import platformdirs

from calibration.arrays import Image as Image
from calibration.colour_profile import (
    COLOUR_FILE,
    ColourProfile,
    load_colour_profile,
    write_colour_profile,
)
from calibration.layout import Layout, ProfileError, load_layout
from scorer import registry
from scorer.datafile import open_regular
from scorer.game import Game
from scorer.places import Place, Shape

PX_PER_MM = 4
OWNER_FOLDER = "STARGAZER_DATA"
LAYOUT_FILE = "layout.yaml"
REFERENCE_FILE = "reference.png"
DECK_FILE = "cards.zip"
ARTWORK = "stargazer.artwork"
"""The group of what games bring to be printed; see `calibration.artwork.Artwork`."""
MAX_REFERENCE_BYTES = 32 * 1024 * 1024


class _DecodedLazily:
    """A picture as an attribute, which may be set to a function that decodes it on first access."""

    def __get__(self, profile: "Profile | None", _owner: "type[Profile]") -> Image | None:
        found = vars(profile)["reference"] if profile is not None else None  # the default
        if not callable(found):
            return found
        image: Image = found()
        vars(profile)["reference"] = image
        return image

    def __set__(self, profile: "Profile", given: Image | Callable[[], Image] | None) -> None:
        vars(profile)["reference"] = given


@dataclass(frozen=True, eq=False)
class Profile:
    """One printed board: its layout and what it looks like empty.

    `reference` is the empty board seen straight from above, (H, W, 3) uint8 BGR at
    `PX_PER_MM` pixels a millimetre; None for a board that has not been calibrated yet.
    A `built_in` profile's board is the one that this project draws and prints. `colour_profile` is
    what its owner's pieces look like, empty where nobody has said.
    """

    name: str
    layout: Layout
    reference: _DecodedLazily = _DecodedLazily()
    built_in: bool = False
    colour_profile: ColourProfile = field(default_factory=ColourProfile)

    @property
    def title(self) -> str:
        """The board's name in words."""
        return self.layout.title

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the outer edge in mm."""
        return self.layout.size_mm

    @property
    def game(self) -> Game[Any, Any, Any]:
        return self.layout.rules

    @property
    def places(self) -> Mapping[Place, Shape]:
        """Every place for a piece and its shape in mm: the spots, then the others."""
        return self.layout.places

    @property
    def spaces(self) -> dict[str, Shape]:
        return self.layout.spaces

    @property
    def tracks(self) -> dict[str, tuple[Shape, ...]]:
        """The slots of each track by its id, in order."""
        return self.layout.tracks

    @property
    def board(self) -> Any:
        """What the places mean to the game: its own kind of topology."""
        return self.layout.board

    @property
    def is_calibrated(self) -> bool:
        """Whether there is a reference, which is not decoded for that."""
        return vars(self)["reference"] is not None

    def require_calibrated(self) -> None:
        """Raise ValueError where the board has not been calibrated."""
        if not self.is_calibrated:
            raise ValueError(f"profile {self.name} is not calibrated: it has no reference picture")

    def require_reference(self) -> Image:
        """The (H, W, 3) uint8 BGR reference. ValueError where the board has not been calibrated."""
        self.require_calibrated()
        assert self.reference is not None
        return self.reference

    @property
    def px_per_mm(self) -> int:
        return PX_PER_MM


def reference_size(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Width and height in px of the reference of a board of that size."""
    return round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM)


def owner_folder() -> Path:
    """The folder of what is this computer's owner's alone: boards, stars, weights.

    The one that the environment variable `STARGAZER_DATA` names, else the user's data folder.
    """
    named = os.environ.get(OWNER_FOLDER)
    return Path(named or platformdirs.user_data_dir("stargazer", appauthor=False))


@contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """Have all that is the owner's in a folder, for processes that are started meanwhile as well.

    None changes nothing.
    """
    before = os.environ.get(OWNER_FOLDER)
    if folder is not None:
        os.environ[OWNER_FOLDER] = str(folder.resolve())
    try:
        yield
    finally:
        if folder is not None:
            os.environ.pop(OWNER_FOLDER, None)
            if before is not None:
                os.environ[OWNER_FOLDER] = before


def owner_profiles() -> Path:
    """The folder of the profiles that this computer's owner has calibrated."""
    return owner_folder() / "profiles"


def built_in_profiles(game: str = "") -> dict[str, Path]:
    """The folders of the profiles that come with a game, or with every one, as GAME/NAME."""
    return {
        f"{one}/{folder.name}": folder
        for one in registry.names(ARTWORK)
        if game in ("", one)
        for folder in _shipped(registry.find(ARTWORK, one).PROFILES)
    }


@cache
def _shipped(profiles: Path) -> tuple[Path, ...]:
    """The folders of the profiles that lie in a game's folder of profiles."""
    return tuple(file.parent for file in sorted(profiles.glob(f"*/{LAYOUT_FILE}")))


@cache
def _resolved(shipped: Path) -> Path:
    """Where the folder of a shipped profile is on the disk."""
    return shipped.resolve()


def own_profile_names() -> list[str]:
    """The names of the profiles that this computer's owner has made, in alphabetical order."""
    own = sorted(path.parent.name for path in owner_profiles().glob(f"*/{LAYOUT_FILE}"))
    return [name for name in own if "." not in name]  # not half-made, not .bak


def profile_names() -> list[str]:
    """Name every profile that can be loaded by name, built-in ones first.

    Where two games have a profile of one name, the first that is found by it keeps it, as in
    `load_profile`; the others take their game's before it.
    """
    named: dict[str, str] = {}
    for path, folder in built_in_profiles().items():
        named.setdefault(folder.name, path)
    first = set(named.values())
    shown = [folder.name if path in first else path for path, folder in built_in_profiles().items()]
    return shown + own_profile_names()


def calibrated_profiles(game: str = "") -> list[Profile]:
    """Every profile that photographs can be read with, built-in ones first; of one game if given.

    An owner's profile that is damaged is left out: it must not keep others from being read.
    """
    found = []
    names = [*built_in_profiles(game), *own_profile_names()] if game else profile_names()
    for name in names:
        with suppress(ProfileError):
            profile = load_profile(name)
            if profile.is_calibrated and game in ("", profile.layout.game):
                found.append(profile)
    return found


def load_profile(name_or_path: str | Path) -> Profile:
    """Load a profile by its name, or from its folder or its layout file.

    A name is looked up among the built-in profiles first, then among the owner's; GAME/NAME says
    which game's is meant. Raises `ProfileError` for an unknown name and for a file that is not what
    it should be.
    """
    folder, layout_path = _find(name_or_path)
    layout = _layout_in(folder, layout_path)
    file, built_in = folder / REFERENCE_FILE, _built_in_path(folder) is not None
    reference: Image | Callable[[], Image] | None = None
    if file.is_file():
        decode = partial(_load_reference, file, layout)
        reference = decode if built_in else decode()  # an owner's may be damaged
    return Profile(
        name=folder.name,
        layout=layout,
        reference=reference,
        built_in=built_in,
        colour_profile=load_colour_profile(colour_file(folder), layout.game),
    )


def colour_profile_of(name_or_path: str | Path) -> ColourProfile:
    """The owner's pieces for a profile, named as for `load_profile`. Raises `ProfileError`."""
    folder, layout_path = _find(name_or_path)
    return load_colour_profile(colour_file(folder), _layout_in(folder, layout_path).game)


def colour_path(name_or_path: str | Path) -> Path:
    """Where the owner's pieces for a profile, named as for `load_profile`, are kept or would be.

    Raises `ProfileError`.
    """
    return colour_file(_find(name_or_path)[0])


def colour_file(folder: Path) -> Path:
    """Where the owner's pieces for a profile's board are kept: beside it, if it is the owner's."""
    built_in = _built_in_path(folder)
    if built_in is None:
        return folder / COLOUR_FILE
    return owner_profiles().with_name("stars") / f"{built_in}.yaml"


def deck_path(name_or_path: str | Path) -> Path:
    """Where the owner's cards for a profile, named as for `load_profile`, are kept or would be.

    A version of a board that was kept for a game has the cards of the board. Raises `ProfileError`.
    """
    return _deck_file(_find(name_or_path)[0])


def _deck_file(folder: Path) -> Path:
    built_in = _built_in_path(folder)
    if built_in is not None:
        return owner_profiles().with_name("decks") / f"{built_in}.zip"
    return folder.with_name(folder.name.partition(".")[0]) / DECK_FILE


def save_colour_profile(name_or_path: str | Path, colours: ColourProfile) -> Path:
    """Keep the owner's pieces for a profile, named as for `load_profile`; return their file.

    Raises `ProfileError`.
    """
    folder, layout_path = _find(name_or_path)
    file = colour_file(folder)
    try:
        write_colour_profile(file, colours, _layout_in(folder, layout_path).game)
    except OSError as error:
        raise ProfileError(file, [("", f"cannot be written ({error.strerror})")]) from error
    return file


def table_profiles(name: str) -> dict[str, Profile]:
    """The profiles by their names of all kinds of boards at a table that is played on that one.

    A kind of which there is none is left out. Raises `ProfileError`.
    """
    own = load_profile(name)
    return {name: own, **companions(name, own, _load_if_there)}


def companions(
    name: str, profile: Profile, find: Callable[[str], Profile | None]
) -> dict[str, Profile]:
    """The boards of the table's other kinds that belong to one, by the names that `find` knows.

    NAME-KIND, or where its owner has made none, what comes with the game.
    """
    game = profile.layout.game
    shipped = built_in_profiles(game)
    found: dict[str, Profile] = {}
    for kind in profile.game.table.boards:
        if kind.id != profile.layout.kind:
            names = f"{name}-{kind.id}", *(one for one in shipped if one.endswith(f"-{kind.id}"))
            known = ((one, find(one)) for one in names)
            found |= next(({one: board} for one, board in known if board is not None), {})
    return found


def _load_if_there(name: str) -> Profile | None:
    with suppress(ProfileError):
        return load_profile(name)
    return None


def profile_version(name: str) -> float:
    """What changes when the profile of that name does, or what is known of its pieces and cards.

    0 where there is no such profile, and for a built-in one as it came.
    """
    try:
        folder, layout_path = _find(name)
    except ProfileError:
        return 0.0
    files = [colour_file(folder), _deck_file(folder)]
    if _built_in_path(folder) is None:
        files.append(layout_path)
    return sum(file.stat().st_mtime for file in files if file.is_file())


def profiles_state() -> object:
    """What changes when any profile is added, changed or removed, or what is known of its pieces.

    It is cheap: files are neither opened nor sought, but for the owner's folders.
    """
    own = owner_profiles()
    built_in = (tuple(_below(own.with_name(name))) for name in ("stars", "decks"))
    return str(own), tuple(_below(own)), *built_in


def _below(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Each file in the folders of a folder, when it was changed, in ns, and its number."""
    for inner in _entries(folder):
        for file in _entries(inner):
            with suppress(OSError):  # it is gone since
                status = file.stat()
                yield file.path, status.st_mtime_ns, file.inode()


def _entries(folder: Path | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:  # not there, or no folder
        return []


def _built_in_path(folder: Path) -> str | None:
    """GAME/NAME of the built-in profile that lies in a folder; None for any other."""
    for game in registry.names(ARTWORK):  # no further game's package is imported than is asked
        for path, own in built_in_profiles(game).items():
            if own == folder:
                return path
    there = folder.resolve()
    shipped = built_in_profiles().items()
    return next((path for path, own in shipped if _resolved(own) == there), None)


def profile_layout(name_or_path: str | Path) -> Layout:
    """The layout of a profile alone, named as for `load_profile`. Raises `ProfileError`."""
    return _layout_in(*_find(name_or_path))


def _layout_in(folder: Path, layout_path: Path) -> Layout:
    """The layout of the profile in a folder. Raises `ProfileError`."""
    return load_layout(layout_path, trusted=_built_in_path(folder) is not None)


def layout_path(name_or_path: str | Path) -> Path:
    """The layout file of a profile, named as for `load_profile`. Raises `ProfileError`."""
    return _find(name_or_path)[1]


def _find(name_or_path: str | Path) -> tuple[Path, Path]:
    """Return a profile's folder and its layout file."""
    if isinstance(name_or_path, str):
        *game, name = name_or_path.split("/")
        if name and len(game) <= 1:
            for folder in _called(name, *game):
                return folder, folder / LAYOUT_FILE
    path = Path(name_or_path).expanduser()
    if path.is_file():
        return path.resolve().parent, path
    if (path / LAYOUT_FILE).is_file():
        return path.resolve(), path / LAYOUT_FILE
    known = ", ".join(profile_names())
    raise ProfileError(
        name_or_path,
        [("", f"no such profile; give one of {known}, or a folder with a {LAYOUT_FILE}")],
    )


def _called(name: str, game: str | None = None) -> Iterator[Path]:
    """The folders of the profiles of that name, and of that game where one is named."""
    for one in registry.names(ARTWORK):
        if game in (None, one):
            yield from (folder for folder in built_in_profiles(one).values() if folder.name == name)
    own = owner_profiles() / name
    layout = own / LAYOUT_FILE
    if layout.is_file() and (game is None or load_layout(layout).game == game):
        yield own


def _load_reference(path: Path, layout: Layout) -> Image:
    with open_regular(path) as file:
        return decode_reference(file.read(MAX_REFERENCE_BYTES), layout, path)


def encode_reference(reference: Image) -> bytes:
    """An (H, W, 3) uint8 BGR reference as a PNG. OSError where it cannot be encoded."""
    written, png = cv2.imencode(".png", reference, [cv2.IMWRITE_PNG_COMPRESSION, 6])
    if not written:
        raise OSError("the reference picture could not be encoded")
    return png.tobytes()


def decode_reference(raw: bytes, layout: Layout, source: str | Path) -> Image:
    """The (H, W, 3) uint8 BGR reference of a layout from a PNG.

    `ProfileError`, about `source`, for anything else.
    """
    size, (width, height) = _png_size(raw), reference_size(layout.size_mm)
    if size and size != (width, height):  # told before a pixel of it takes memory
        reason = f"is {size[0]} x {size[1]} px where the layout asks for"
        raise ProfileError(
            source, [("", f"{reason} {width} x {height}; calibrate the board again")]
        )
    image = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR) if size else None
    if image is None:
        raise ProfileError(source, [("", "is not a readable picture; calibrate the board again")])
    return np.asarray(image, np.uint8)


def _png_size(raw: bytes) -> tuple[int, int] | None:
    """Width and height as the header of a PNG says them; None for what is no PNG."""
    if len(raw) < 24 or not raw.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    width, height = struct.unpack(">II", raw[16:24])
    return width, height
