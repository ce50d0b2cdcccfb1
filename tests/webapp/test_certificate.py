"""The computer's own certificate authority, what it signs, and how phones come to trust it."""

import re
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from tests.webapp.conftest import HERE, MakeApp, Player
from webapp.server import authority, certificate
from webapp.server.certificate import fingerprint, tls_context

HOSTS = frozenset({"127.0.0.1", "localhost", "192.168.1.7", "attic.local"})


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def verified(folder: Path, leaf: x509.Certificate, host: str) -> None:
    """Do what a browser does that trusts the folder's authority. Raises VerificationError."""
    builder = PolicyBuilder().store(Store([read(folder / "authority.pem")]))
    try:
        subject: x509.GeneralName = x509.IPAddress(ip_address(host))
    except ValueError:
        subject = x509.DNSName(host)
    builder.build_server_verifier(subject).verify(leaf, [])  # type: ignore[arg-type]


def later(days: float) -> type[datetime]:
    """A clock that is ahead."""

    class Ahead(datetime):
        @classmethod
        def now(cls, zone: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(days=days)

    return Ahead


def test_whoever_trusts_the_authority_trusts_its_certificate_for_every_host(tmp_path: Path) -> None:
    tls_context(tmp_path, HOSTS)
    leaf = read(tmp_path / "certificate.pem")
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= timedelta(days=397)
    for host in HOSTS:
        verified(tmp_path, leaf, host)
    with pytest.raises(VerificationError):
        verified(tmp_path, leaf, "192.168.1.8")
    for name in ("authority.key", "certificate.key"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0


def test_the_authority_stays_while_certificates_come_and_go(tmp_path: Path) -> None:
    tls_context(tmp_path, HOSTS)
    first, root = read(tmp_path / "certificate.pem"), read(tmp_path / "authority.pem")
    tls_context(tmp_path, HOSTS)
    assert read(tmp_path / "certificate.pem") == first
    tls_context(tmp_path, HOSTS | {"192.168.1.10"})
    second = read(tmp_path / "certificate.pem")
    assert second != first and read(tmp_path / "authority.pem") == root
    verified(tmp_path, second, "192.168.1.10")


def test_it_vouches_for_what_the_computer_was_called_when_it_was_made(tmp_path: Path) -> None:
    own = {"192.0.2.7", "attic", "games.example.org"}
    tls_context(tmp_path, HOSTS | own)
    leaf = read(tmp_path / "certificate.pem")
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one.value) for one in names} == HOSTS | own
    for host in own:
        verified(tmp_path, leaf, host)


@pytest.mark.parametrize("host", ["example.org", "8.8.8.8", "local.example.org"])
def test_it_vouches_for_nothing_on_the_internet(tmp_path: Path, host: str) -> None:
    tls_context(tmp_path, HOSTS)
    tls_context(tmp_path, HOSTS | {host})
    leaf = read(tmp_path / "certificate.pem")
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one.value) for one in names} == HOSTS, "browsers refuse all of it for one"
    signer = authority.authority(tmp_path)
    stolen = certificate._make(tmp_path / "x.pem", tmp_path / "x.key", [host], signer)
    with pytest.raises(VerificationError):
        verified(tmp_path, stolen, host)


def test_the_certificate_of_an_earlier_version_gives_way(tmp_path: Path) -> None:
    """It was signed by itself; who trusts the authority could not trust it."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    old = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=300))
        .add_extension(names, False)
        .sign(key, hashes.SHA256())
    )
    (tmp_path / "certificate.pem").write_bytes(old.public_bytes(Encoding.PEM))
    (tmp_path / "certificate.key").write_bytes(authority.pem(key))
    tls_context(tmp_path, ["localhost"])
    leaf = read(tmp_path / "certificate.pem")
    assert leaf.serial_number != old.serial_number
    verified(tmp_path, leaf, "localhost")


@pytest.mark.parametrize("name", ["authority.key", "authority.pem"])
@pytest.mark.parametrize("left", [b"", b"nothing"])
def test_an_authority_that_cannot_sign_is_made_anew(tmp_path: Path, name: str, left: bytes) -> None:
    tls_context(tmp_path, ["localhost"])
    (tmp_path / name).write_bytes(left)
    tls_context(tmp_path, ["localhost"])
    verified(tmp_path, read(tmp_path / "certificate.pem"), "localhost")


def test_an_authority_outlives_what_it_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = authority.authority(tmp_path).certificate
    for days, same in ((-300, True), (3200, True), (3300, False)):
        monkeypatch.setattr(authority, "datetime", later(days))
        assert (authority.authority(tmp_path).certificate == first) is same, days


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[int]:
    """The port of a server that shakes hands, and nothing more."""
    context = tls_context(tmp_path, HOSTS)
    server = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        while True:
            try:
                caller, _ = server.accept()
                context.wrap_socket(caller, server_side=True).close()
            except OSError:
                return

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join(5)


def test_a_server_that_runs_for_a_year_renews_it(
    tmp_path: Path, answering: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting = ssl.create_default_context(cafile=tmp_path / "authority.pem")

    def shown() -> bytes | None:
        with socket.create_connection(("127.0.0.1", answering), 5) as caller:
            return trusting.wrap_socket(caller, server_hostname="127.0.0.1").getpeercert(True)

    first = shown()
    assert first == shown()
    monkeypatch.setattr(certificate, "datetime", later(384))
    shown()
    monkeypatch.undo()  # the caller's clock stands still: it takes one that begins later for none
    kept = read(tmp_path / "certificate.pem")
    assert kept.not_valid_before_utc > datetime.now(UTC) + timedelta(days=380)
    with pytest.raises(ssl.SSLCertVerificationError, match="not yet valid"):
        shown()


def test_a_phone_gets_instructions_for_trusting_it_and_the_certificate(make_app: MakeApp) -> None:
    app = make_app(invitation="open-sesame", origin="https://192.168.1.7:8765", rate_limits=False)
    folder = app.extensions["stargazer"].settings.data_dir
    phone = Player(app.test_client())
    phone.client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    assert phone.get("/trust").status_code == 401
    assert phone.get("/join/open-sesame").status_code == 303
    assert phone.get("/trust").headers["Location"] == "/invite", "none was made yet"
    assert phone.get("/trust/stargazer.crt").status_code == 404
    made = authority.authority(folder).certificate
    page = phone.get("/trust").text
    assert fingerprint(made) in page and "Certificate Trust Settings" in page
    assert "How to remove it" in page
    sent = phone.get("/trust/stargazer.crt")
    assert sent.mimetype == "application/x-x509-ca-cert"
    assert x509.load_der_x509_certificate(sent.data) == made
    assert "/trust" in phone.get("/invite").text
    secure = phone.client.get("/preferences", base_url=HERE.replace("http:", "https:"))
    assert "/trust" in secure.text


def test_no_key_is_in_any_answer_or_backup(make_app: MakeApp) -> None:
    app = make_app(rate_limits=False)
    folder = app.extensions["stargazer"].settings.data_dir
    tls_context(folder, HOSTS)
    player = Player(app.test_client())
    secret = re.sub("-----.*?-----|\n", "", (folder / "authority.key").read_text()).encode()
    reported = [player.get("/trust").data, player.get("/trust/stargazer.crt").data]
    reported.append(player.post("/backup/save").data)
    assert all(secret not in one and b"PRIVATE KEY" not in one for one in reported)
