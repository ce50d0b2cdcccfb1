"""The address of a camera, a stream or a film of this computer, which may have a password in it.

Once typed it is shown to nobody: sources are told apart by a name. It is kept encrypted with a key
of the server's own, so that neither the database nor a copy of it tells it.
"""

import hmac
from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken


class SourceAddresses:
    """Names sources, and encrypts their addresses."""

    def __init__(self, key: bytes) -> None:
        """Derive what is needed from a server's secret key."""
        self._cipher = Fernet(urlsafe_b64encode(hmac.digest(key, b"source addresses", "sha256")))
        self._naming_key = hmac.digest(key, b"source names", "sha256")

    def name(self, address: str) -> str:
        """Return by what a source is known, the same for the same address: its kind, and a code.

        >>> SourceAddresses(b"key").name("0")
        'source-0'
        >>> SourceAddresses(b"key").name("rtsp://ana:secret@192.168.1.7/live")
        'stream-7aa66cd24478'
        """
        if address.isdecimal():
            return f"source-{address}"
        kind = "stream" if "://" in address else "film"
        return f"{kind}-{hmac.digest(self._naming_key, address.encode(), 'sha256').hex()[:12]}"

    def seal(self, address: str) -> str:
        """Return an address as it is kept."""
        return self._cipher.encrypt(address.encode()).decode()

    def unseal(self, kept: str) -> str | None:
        """Return the address that is kept; None where it was sealed with another key."""
        try:
            return self._cipher.decrypt(kept).decode()
        except InvalidToken:
            return None
