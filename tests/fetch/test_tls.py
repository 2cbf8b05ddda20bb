"""A site with a self-signed certificate, with and without the user's trust."""

import datetime
import ipaddress
import ssl
from pathlib import Path
from typing import Any

import pytest

from longline.errors import UnreachableError
from longline.fetch import _guard

pytest.importorskip("cryptography", reason="needs cryptography to make a certificate")
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Return a file with a self-signed certificate for 127.0.0.1 and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a site")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .sign(key, hashes.SHA256())
    )
    pem, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    path = tmp_path / "site.pem"
    path.write_bytes(
        made.public_bytes(pem) + key.private_bytes(pem, private, serialization.NoEncryption())
    )
    return path


@pytest.fixture
def secure(site: Any, reply: Any, certificate: Path) -> str:
    """Return the site's address with https."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    site.server.socket = context.wrap_socket(site.server.socket, server_side=True)
    site.replies["/"] = reply("Everything behind a search box.")
    return str(site.url.replace("http:", "https:"))


def test_a_certificate_that_nobody_vouches_for_is_named(secure: str, fetch: Any) -> None:
    """A self-signed certificate is not retried; the error says how to trust it."""
    error = fetch(secure)
    assert isinstance(error, UnreachableError)
    assert "in 1 try: TLS: self-signed certificate" in str(error)
    assert "SSL_CERT_FILE" in error.advice


def test_a_certificate_that_the_user_names_is_trusted(
    secure: str, fetch: Any, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate in SSL_CERT_FILE is trusted."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(_guard, "_trusted", _guard._trusted.__wrapped__)
    assert fetch(secure).body == b"Everything behind a search box."


def test_a_certificate_for_another_name_is_not_called_unknown(
    secure: str, fetch: Any, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The advice to trust its signer would change nothing: it is trusted already."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(_guard, "_trusted", _guard._trusted.__wrapped__)
    error = fetch(secure.replace("127.0.0.1", "localhost"))
    assert isinstance(error, UnreachableError)
    assert "mismatch" in str(error).lower()
    assert "SSL_CERT_FILE" not in error.advice
    assert ".;" not in str(error)
