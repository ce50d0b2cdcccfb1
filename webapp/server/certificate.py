"""A certificate for this computer, so that phones let the page use their camera."""

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

from webapp.app import atomic
from webapp.server.authority import OUTLIVES, Authority, authority, pem

LIFE = OUTLIVES  # the longest that browsers accept
RENEWED_BEFORE = timedelta(days=14)


def tls_context(folder: Path, hosts: Iterable[str]) -> ssl.SSLContext:
    """Return a TLS context with a certificate for `hosts`, created or renewed as necessary.

    The context renews the certificate before it expires. Hosts that the authority may not vouch for
    are left out, so that browsers warn about them.
    """
    named = set(hosts)
    signer = authority(folder, named)
    wanted = sorted(host for host in named if signer.may_sign_for(host))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    ends = _load(context, folder, wanted, signer)

    def renew(*_caller: object) -> None:
        nonlocal ends
        if datetime.now(UTC) > ends - RENEWED_BEFORE:
            with suppress(OSError):  # a full disk: the present one lasts until it expires
                ends = _load(context, folder, wanted, authority(folder, named))

    context.sni_callback = renew  # called for each connection; applies from the next one
    return context


def fingerprint(certificate: x509.Certificate) -> str:
    """Return a certificate's SHA-256 fingerprint as browsers and phones show it."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _load(context: ssl.SSLContext, folder: Path, hosts: list[str], signer: Authority) -> datetime:
    """Load the stored certificate, or a new one, into a context; return when it expires."""
    certificate, key = folder / "certificate.pem", folder / "certificate.key"
    kept = _kept(certificate, hosts, signer) if key.exists() else None
    if kept is not None:
        with suppress(ssl.SSLError):  # an empty key, or one of another certificate
            context.load_cert_chain(certificate, key)
            return kept.not_valid_after_utc
    made = _make(certificate, key, hosts, signer)
    context.load_cert_chain(certificate, key)
    return made.not_valid_after_utc


def _kept(path: Path, hosts: list[str], signer: Authority) -> x509.Certificate | None:
    """Return the certificate in a file; None if it is no longer good for these hosts."""
    try:
        found = x509.load_pem_x509_certificate(path.read_bytes())
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return None
    held = {str(name.value) for name in names}
    now = datetime.now(UTC)
    lasts = found.not_valid_before_utc <= now < found.not_valid_after_utc - RENEWED_BEFORE
    return found if set(hosts) <= held and lasts and signer.has_signed(found) else None


def _make(certificate: Path, key: Path, hosts: list[str], signer: Authority) -> x509.Certificate:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Stargazer at this table")])
    began = datetime.now(UTC) - timedelta(hours=1)
    made = signer.signed(
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(began)
        .not_valid_after(began + LIFE)
        .add_extension(x509.SubjectAlternativeName([_name(host) for host in hosts]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
    )
    atomic.write(key, pem(private))
    atomic.write(certificate, made.public_bytes(serialization.Encoding.PEM))
    return made


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
