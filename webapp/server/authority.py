"""A local certificate authority that a phone can be told to trust.

It is created once and kept in the data folder. The certificates that it signs change with the
computer's addresses and are renewed each year; a phone that trusts it is not asked again. Name
constraints keep it from vouching for internet sites: it is limited to addresses of local networks,
local domains, and the computer's names and addresses when it was created.
"""

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from webapp.app import atomic

LIFE = timedelta(days=3650)
OUTLIVES = timedelta(days=397)
"""How long before its own end it stops signing, which is the life of what it signs."""
BEGINS_EARLIER = timedelta(days=365)
"""Tolerates a computer without a battery clock, which may start in the past."""
NETWORKS: tuple[IPv4Network | IPv6Network, ...] = tuple(
    ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
        *("100.64.0.0/10", "fc00::/7", "fe80::/10", "::1/128"),
    )
)
DOMAINS = ("local", "localhost", "home.arpa", "internal", "lan")
"""Domains that only exist in local networks."""


@dataclass(frozen=True)
class Authority:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def may_sign_for(self, host: str) -> bool:
        """Whether it may sign for a name or an address."""
        limits = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        permitted = [one.value for one in limits.permitted_subtrees or ()]
        try:
            address = ip_address(host)
        except ValueError:
            return any(f".{host}".endswith(f".{one}") for one in permitted if isinstance(one, str))
        return any(address in one for one in permitted if not isinstance(one, str))

    def signed(self, builder: x509.CertificateBuilder) -> x509.Certificate:
        """Sign a certificate that has everything but its issuer."""
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        builder = builder.issuer_name(self.certificate.subject).add_extension(issuer, False)
        return builder.sign(self.key, hashes.SHA256())

    def has_signed(self, certificate: x509.Certificate) -> bool:
        try:
            certificate.verify_directly_issued_by(self.certificate)
        except Exception:  # the type depends on what is wrong
            return False
        return True


def kept(folder: Path) -> x509.Certificate | None:
    """Return the certificate of a folder's authority; None if there is none."""
    try:
        return x509.load_pem_x509_certificate((folder / "authority.pem").read_bytes())
    except (OSError, ValueError):
        return None


def authority(folder: Path, hosts: Iterable[str] = ()) -> Authority:
    """Return a folder's authority, created if there is none that can still sign.

    `hosts` are what a new one vouches for besides local networks.
    """
    certificate, now = kept(folder), datetime.now(UTC)
    if certificate is not None:
        try:
            secret = (folder / "authority.key").read_bytes()
            key = serialization.load_pem_private_key(secret, None)
        except (OSError, ValueError):
            key = None
        fits = key is not None and key.public_key() == certificate.public_key()
        lasts = certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - OUTLIVES
        if fits and lasts and isinstance(key, ec.EllipticCurvePrivateKey):
            return Authority(certificate, key)
    return _made(folder, hosts)


def pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a key as unencrypted PEM, for a private file."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _made(folder: Path, hosts: Iterable[str]) -> Authority:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    # The name by which it can be found among others on a phone, and removed.
    host = socket.gethostname().lower()
    called = f"Stargazer on {host[:32] or 'a computer'}, {now:%F}"
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, called)])
    networks, domains = list(NETWORKS), list(DOMAINS)
    for one in sorted(set(hosts)):
        try:
            networks.append(ip_network(one))
        except ValueError:
            if one.isascii():
                domains.append(one)
    permitted = [*map(x509.IPAddress, networks), *map(x509.DNSName, dict.fromkeys(domains))]
    public = key.public_key()
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEGINS_EARLIER)
        .not_valid_after(now + LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .add_extension(usage, True)
        .add_extension(x509.NameConstraints(permitted, None), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
        .sign(key, hashes.SHA256())
    )
    atomic.write(folder / "authority.key", pem(key))
    atomic.write(folder / "authority.pem", made.public_bytes(serialization.Encoding.PEM))
    return Authority(made, key)
