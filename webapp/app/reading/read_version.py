"""The version of what photographs are read with, by content: the reader and the profiles."""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from calibration import load_profile
from calibration.colour_profile import dump_colour_profile
from calibration.layout import dump_layout
from calibration.profile import owner_folder, profile_version

_ROOM = Path(__file__).parents[3]
"""The folder of the five top-level packages."""


class ReadVersion(NamedTuple):
    """Readings of one photograph with equal versions are equal."""

    reader: str
    """Stargazer's version, and a digest of the reader's code and of all network weights."""
    profiles: str
    """A digest of the profiles and their pieces' colours."""


def read_version(profiles: Sequence[str]) -> ReadVersion:
    """Return this computer's version for some profiles. Raises ProfileError."""
    return ReadVersion(
        _reader_version(),
        _profiles_version(tuple((name, profile_version(name)) for name in profiles)),
    )


@cache
def _reader_version() -> str:
    """Return the reader's version, cached for what this process has loaded or will load."""
    weights = [folder.rglob("*.onnx") for folder in (_ROOM / "models", owner_folder() / "weights")]
    found = [file for files in weights for file in files]
    code = list((_ROOM / "vision").rglob("*.py"))
    digest = _digest(
        part
        for file in sorted([*found, *code], key=lambda file: file.parts[-3:])
        for part in (file.name.encode(), file.read_bytes())
    )
    return f"{metadata.version('stargazer')}+{digest[:12]}"


@lru_cache(16)
def _profiles_version(profiles: tuple[tuple[str, float], ...]) -> str:
    def parts() -> Iterable[bytes]:
        loaded = {
            (one.layout.game, one.name): one for one in (load_profile(n) for n, _ in profiles)
        }
        for (game, name), profile in sorted(loaded.items()):
            yield f"{game}/{name}".encode()
            yield dump_layout(profile.layout).encode()
            yield profile.require_reference().tobytes()
            yield dump_colour_profile(profile.colour_profile, game).encode()

    return _digest(parts())[:16]


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
