"""Addresses of cameras, streams and video files, which may contain passwords.

An address is never shown once entered: sources are identified by a name. It is stored encrypted
with the server's key, so that the database and its copies do not reveal it.
"""

import hmac
from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken


class SourceAddresses:
    def __init__(self, key: bytes) -> None:
        """Derive the keys from a server's secret key."""
        self._cipher = Fernet(urlsafe_b64encode(hmac.digest(key, b"source addresses", "sha256")))
        self._naming_key = hmac.digest(key, b"source names", "sha256")

    def name(self, address: str) -> str:
        """Return the name of an address: its kind and a keyed hash, the same each time.

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
        """Return an address encrypted for storage."""
        return self._cipher.encrypt(address.encode()).decode()

    def unseal(self, kept: str) -> str | None:
        """Return a decrypted address; None if it was encrypted with another key."""
        try:
            return self._cipher.decrypt(kept).decode()
        except InvalidToken:
            return None
