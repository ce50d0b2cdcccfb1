"""A certificate of this computer's own, so that phones open their camera to the page."""

import ssl
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webapp import atomic

LIFE = timedelta(days=397)  # the longest that browsers accept
RENEWED_BEFORE = timedelta(days=14)


def tls_context(folder: Path, hosts: Iterable[str]) -> ssl.SSLContext:
    """Return a TLS context with a certificate for `hosts`, made or renewed where it must be."""
    wanted = sorted(set(hosts))
    certificate, key = folder / "certificate.pem", folder / "certificate.key"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if certificate.exists() and key.exists() and _fits(certificate, wanted):
        with suppress(ssl.SSLError):  # a key that is empty, or another certificate's
            context.load_cert_chain(certificate, key)
            return context
    _make(certificate, key, wanted)
    context.load_cert_chain(certificate, key)
    return context


def fingerprint(folder: Path) -> str:
    """Return the certificate's SHA-256 fingerprint as browsers show it."""
    found = x509.load_pem_x509_certificate((folder / "certificate.pem").read_bytes())
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


def _fits(path: Path, hosts: list[str]) -> bool:
    try:
        found = x509.load_pem_x509_certificate(path.read_bytes())
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    held = {str(name.value) for name in names}
    lasts = (
        found.not_valid_before_utc <= datetime.now(UTC) < found.not_valid_after_utc - RENEWED_BEFORE
    )
    return set(hosts) <= held and lasts


def _make(certificate: Path, key: Path, hosts: list[str]) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Stargazer at this table")])
    began = datetime.now(UTC) - timedelta(hours=1)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(began)
        .not_valid_after(began + LIFE)
        .add_extension(x509.SubjectAlternativeName([_name(host) for host in hosts]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    atomic.write(key, secret)
    atomic.write(certificate, made.public_bytes(serialization.Encoding.PEM))


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
