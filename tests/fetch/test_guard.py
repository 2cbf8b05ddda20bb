"""The guard: no request reaches a private address without permission."""

import asyncio
import socket
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpcore2
import pytest

from longline.errors import InputError, PrivateAddressError, RefusedError, UnreachableError
from longline.fetch._guard import GuardedBackend
from longline.model import Response
from longline.text.addresses import is_public

UNALLOCATED = "2d00::1"
"""An address from a public range that is not allocated, so that nothing answers there."""


def fixed(*addresses: str) -> Any:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return addresses

    return resolve


async def by_name(host: str, port: int) -> Sequence[str]:
    """A resolver that knows two names and returns any other host unchanged."""
    return [{"shop.example": "127.0.0.1", "in.example": "127.0.0.2"}.get(host, host)]


@pytest.mark.parametrize(
    ("host", "refused"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("LOCALHOST.", "localhost."),
        ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("127。0。0。1", "127.0.0.1"),
        ("shop.example@127.0.0.1", "127.0.0.1"),
        ("[::ffff:127.0.0.1]", "::ffff:7f00:1"),
        ("[::ffff:7f00:1]", "::ffff:7f00:1"),
        ("[::1]", "::1"),
        ("0.0.0.0", "0.0.0.0"),
        ("168.63.129.16", "168.63.129.16"),
        ("169.254.169.254", "169.254.169.254"),
        ("10.0.0.7", "10.0.0.7"),
        ("100.64.0.1", "100.64.0.1"),
        ("[64:ff9b:1::808:808]", "64:ff9b:1::808:808"),
        ("[3fff::1]", "3fff::1"),
        ("[fe80::1]", "fe80::1"),
        ("[fd00::1]", "fd00::1"),
        ("224.0.0.1", "224.0.0.1"),
    ],
)
def test_private_hosts_are_refused_in_every_spelling(
    site: Any, fetch: Any, host: str, refused: str
) -> None:
    """A private address is refused in every notation, and no request is sent."""
    port = site.url.rpartition(":")[2]
    error = fetch(f"http://{host}:{port}/", allow_private=False)
    assert isinstance(error, PrivateAddressError)
    assert error.host == refused
    assert "allow_private=True" in str(error)
    assert not site.seen


@pytest.mark.parametrize(
    "host", ["127.0.0.1%00", "[fe80::1%25lo]", "127.0.0.256", "0x7f.0x", "1.2.3.4.5"]
)
def test_what_can_be_no_host_leads_nowhere(site: Any, fetch: Any, host: str) -> None:
    """A host that is invalid in browsers raises an input error."""
    port = site.url.rpartition(":")[2]
    assert isinstance(fetch(f"http://{host}:{port}/", allow_private=False), InputError)
    assert not site.seen


def test_a_name_with_a_private_address_is_refused(site: Any, fetch: Any) -> None:
    """A public name that resolves to loopback is refused; the error has name and address."""
    port = site.url.rpartition(":")[2]
    error = fetch(f"http://shop.example:{port}/", allow_private=False, resolve=fixed("127.0.0.1"))
    assert isinstance(error, PrivateAddressError)
    assert (error.host, error.address) == ("shop.example", "127.0.0.1")
    assert not site.seen


@pytest.mark.parametrize("host", ["127.0.0.2", "0x7f.2", "in.example", "10.0.0.7", "[::1]"])
def test_redirects_to_private_addresses_are_refused(
    site: Any, reply: Any, fetch: Any, host: str
) -> None:
    """A redirect from a public to a private address is refused before it is followed."""
    port = site.url.rpartition(":")[2]
    site.replies["/"] = reply(status=302, headers={"Location": f"http://{host}:{port}/in"})
    error = fetch(
        f"http://shop.example:{port}/",
        allow_private=False,
        is_public=lambda address: address == "127.0.0.1",
        resolve=by_name,
    )
    assert isinstance(error, PrivateAddressError)
    assert site.paths == ["/"]


def test_a_name_is_resolved_once_for_check_and_connection(site: Any) -> None:
    """A name is resolved only once, so that it cannot become private after the check."""
    port = int(site.url.rpartition(":")[2])
    answers = [[UNALLOCATED], ["127.0.0.1"]]
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return answers[min(len(asked), 2) - 1]

    backend = GuardedBackend(is_allowed=is_public, resolve=rebinding)
    with pytest.raises((httpcore2.ConnectError, httpcore2.ConnectTimeout)):
        asyncio.run(backend.connect_tcp("shop.example", port, timeout=0.2))
    assert asked == ["shop.example"]
    assert not site.seen


def test_private_addresses_among_public_ones_are_left_out(site: Any) -> None:
    """Only the public addresses of a name are tried."""
    port = int(site.url.rpartition(":")[2])
    backend = GuardedBackend(is_allowed=is_public, resolve=fixed(UNALLOCATED, "127.0.0.1"))
    with pytest.raises((httpcore2.ConnectError, httpcore2.ConnectTimeout)):
        asyncio.run(backend.connect_tcp("shop.example", port, timeout=0.2))
    assert not site.seen


def test_the_next_address_is_tried(site: Any, fetch: Any) -> None:
    """If a name's first address does not answer, the second one is used."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.2", 0))
        port = site.url.rpartition(":")[2]
        site.replies["/"] = "here"
        response = fetch(f"http://shop.example:{port}/", resolve=fixed("127.0.0.2", "127.0.0.1"))
    assert isinstance(response, Response)


def test_the_host_header_keeps_the_name(site: Any, fetch: Any) -> None:
    """The connection uses the address, and the Host header keeps the name."""
    port = site.url.rpartition(":")[2]
    site.replies["/"] = "here"
    response = fetch(f"http://shop.example:{port}/", resolve=fixed("127.0.0.1"))
    assert isinstance(response, Response)
    assert site.seen[0].headers["host"] == f"shop.example:{port}"
    assert response.url == f"http://shop.example:{port}/"


@pytest.fixture
def tls_site(site: Any, tmp_path: Path) -> tuple[str, ssl.SSLContext, list[str | None]]:
    """The server with TLS: its port, a context that trusts it, and the SNI names it receives."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = (
        f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        f"-subj /CN=shop.example -addext subjectAltName=DNS:shop.example "
        f"-keyout {key} -out {certificate}"
    )
    try:
        subprocess.run(command.split(), check=True, capture_output=True, timeout=30)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no openssl to make a certificate with: {error}")
    names: list[str | None] = []
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate, key)
    served.sni_callback = lambda sock, name, context: names.append(name)
    site.server.socket = served.wrap_socket(site.server.socket, server_side=True)
    trusting = ssl.create_default_context(cafile=str(certificate))
    return site.url.rpartition(":")[2], trusting, names


def test_tls_is_checked_against_the_name(site: Any, fetch: Any, tls_site: Any) -> None:
    """SNI and the certificate check use the name in the URL, not the connected address."""
    port, context, names = tls_site
    site.replies["/"] = "here"
    options = {"ssl_context": context, "resolve": fixed("127.0.0.1"), "retries": 0}
    response = fetch(f"https://shop.example:{port}/", **options)
    assert isinstance(response, Response)
    assert names == ["shop.example"]
    error = fetch(f"https://other.example:{port}/", **options)
    assert isinstance(error, UnreachableError)
    assert "other.example" in str(error)
    assert "certificate" in str(error).lower()


@pytest.mark.parametrize(
    "location", ["ftp://s.example/", "file:///etc/passwd", "javascript:x()", "http://[", ""]
)
def test_redirects_elsewhere_than_the_web_are_refused(
    site: Any, reply: Any, fetch: Any, location: str
) -> None:
    """A redirect to another scheme, a broken URL or an empty one is refused."""
    site.replies["/"] = reply(status=302, headers={"Location": location})
    error = fetch(site.url)
    assert isinstance(error, RefusedError)
    assert len(site.seen) <= 3
