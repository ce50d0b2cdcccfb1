"""Server settings: where data is kept and who may connect."""

import os
import re
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import TypeAlias

import platformdirs

from calibration.profile import OWNER_FOLDER

Network: TypeAlias = IPv4Network | IPv6Network

MAX_UPLOAD_BYTES = 32 * 1024 * 1024
MAX_UPLOAD_PIXELS = 64_000_000
MAX_STORED_BYTES = 10 * 1000**3
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def default_data_folder() -> Path:
    """Return the default data folder: `STARGAZER_DATA`, else the user's data folder."""
    named = os.environ.get(OWNER_FOLDER)
    return Path(named) if named else platformdirs.user_data_path("stargazer")


@dataclass(frozen=True)
class Settings:
    """One server's settings. `data_dir` holds the photographs and, by default, the database.

    `hosts` are the names and addresses, without port, that a Host header may have; any other is
    refused, to prevent DNS rebinding. `invitation` is the secret that clients on other computers
    must present; `origin` is the URL in the QR code. With `redis_url`, several servers share
    `data_dir` and a database, and the one that `is_first` resumes what was unfinished at the last
    stop. `proxies` are the networks of trusted proxies.
    """

    data_dir: Path = field(default_factory=default_data_folder)
    database_url: str = ""
    redis_url: str = ""
    is_first: bool = True
    proxies: frozenset[Network] = frozenset()
    profile: str = "standard"
    hosts: frozenset[str] = LOOPBACK
    https: bool = False
    origin: str = ""
    invitation: str | None = None
    max_upload_bytes: int = MAX_UPLOAD_BYTES
    max_upload_pixels: int = MAX_UPLOAD_PIXELS
    max_stored_bytes: int = MAX_STORED_BYTES
    rate_limits: bool = True

    @property
    def database(self) -> str:
        """The SQLAlchemy URL: as configured, or a SQLite file in the data directory."""
        named = re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", self.database_url)
        return named or f"sqlite:///{self.data_dir / 'stargazer.db'}"

    @property
    def photographs(self) -> Path:
        return self.data_dir / "photographs"

    @property
    def persons(self) -> Path:
        """The folder of the players' pictures."""
        return self.data_dir / "persons"

    @property
    def arriving_backup(self) -> Path:
        """The path of an uploaded backup until it is restored or discarded."""
        return self.data_dir / "arriving" / "backup.zip"

    @property
    def drafts(self) -> Path:
        """The folder of boards being added."""
        return self.data_dir / "drafts"

    @property
    def colour_calibrations(self) -> Path:
        """The folder of photographs for calibrating the owner's stars, until they are processed."""
        return self.data_dir / "star-lessons"

    @property
    def colour_samples(self) -> Path:
        """The folder of star colours sampled from corrected boards."""
        return self.data_dir / "seen-stars"

    @property
    def examples(self) -> Path:
        """The folder of labelled crops that players agreed to keep."""
        return self.data_dir / "examples"
