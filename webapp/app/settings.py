"""What a server is told when it starts: where it keeps things and who may reach it."""

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
    """The folder for everything where none is given: `STARGAZER_DATA`, else the user's own."""
    named = os.environ.get(OWNER_FOLDER)
    return Path(named) if named else platformdirs.user_data_path("stargazer")


@dataclass(frozen=True)
class Settings:
    """One server's settings. `data_dir` holds the photographs and, by default, the database.

    `hosts` are the names and addresses, without port, by which a browser may call this
    server; anything else in a Host header is refused, so that a web site whose name was
    pointed at this computer cannot read it. `invitation` is the secret that a caller from
    another computer must show; `origin` is the address that the QR code leads to.
    With `redis_url`, several servers share `data_dir` and a database, and the one that `is_first`
    goes on with what was left at the last stop. `proxies` are the networks of those whose word is
    taken for who calls.
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
        """The SQLAlchemy URL: the one given, or a SQLite file in the data directory."""
        named = re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", self.database_url)
        return named or f"sqlite:///{self.data_dir / 'stargazer.db'}"

    @property
    def photographs(self) -> Path:
        """The folder of the photographs."""
        return self.data_dir / "photographs"

    @property
    def persons(self) -> Path:
        """The folder of the pictures of those who play."""
        return self.data_dir / "persons"

    @property
    def arriving_backup(self) -> Path:
        """Where a backup lies that is being sent, until it is brought back or thrown away."""
        return self.data_dir / "arriving" / "backup.zip"

    @property
    def drafts(self) -> Path:
        """The folder of the boards that are being added."""
        return self.data_dir / "drafts"

    @property
    def star_lessons(self) -> Path:
        """The folder of the photographs of people's own stars, until they are looked at."""
        return self.data_dir / "star-lessons"

    @property
    def colour_samples(self) -> Path:
        """The folder of the colours of stars on boards that were corrected."""
        return self.data_dir / "seen-stars"

    @property
    def examples(self) -> Path:
        """The folder of the labelled crops that players chose to keep."""
        return self.data_dir / "examples"
