"""The guard: connect to the very address that was checked, so that no name can lie about it.

A name is resolved once for each connection, here; what is not public is dropped, and the
socket is opened to one of the addresses that are left. The URL, and with it the Host header,
SNI and the certificate's check, keeps the name.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec

import httpcore2
import httpx2

from longline.errors import PrivateAddressError

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port to IP addresses, the best first."""

HAS_HTTP2 = find_spec("h2") is not None


async def resolve(host: str, port: int) -> list[str]:
    """Ask the system's resolver, which also reads forms such as 0x7f.1 and 2130706433.

    Raises:
        OSError: The name is unknown, or cannot be one.
    """
    # Resolvers know this name, and not all of them its form with a dot (RFC 6761, 6.3).
    host = "localhost" if host.casefold() == "localhost." else host
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(f"{host!r} cannot be a host name: {error}") from None
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@cache
def _trusted() -> ssl.SSLContext:
    """Return the authorities that the system trusts, which take long to read."""
    return httpx2.create_ssl_context()


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Open sockets only to addresses that are allowed.

    Args:
        is_allowed: Says so of an IP address, as the resolver writes it.
        resolve: Turns a host's name into addresses.
    """

    def __init__(self, *, is_allowed: Callable[[str], bool], resolve: Resolve = resolve) -> None:
        self._is_allowed = is_allowed
        self._resolve = resolve
        self._backend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address that answers.

        Raises:
            PrivateAddressError: None of the host's addresses is allowed.
            httpcore2.ConnectError: The name is unknown, or no address answers.
        """
        failure: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in await self.addresses(host, port, timeout):
            try:
                return await self._backend.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def addresses(self, host: str, port: int, timeout: float | None) -> list[str]:
        """Return those addresses of a host that are allowed.

        Raises:
            PrivateAddressError: None of them is.
            httpcore2.ConnectError: The name is unknown.
        """
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._resolve(host, port)
        except TimeoutError:
            raise httpcore2.ConnectTimeout(f"no answer to where {host} is") from None
        except OSError as error:
            # "Try again" is the resolver's trouble; any other answer stays the same.
            again = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
            kind = httpcore2.ConnectError if again else UnknownHostError
            raise kind(f"the name {host} does not resolve: {error.strerror or error}") from None
        allowed = [address for address in addresses if self._is_allowed(address)]
        if addresses and not allowed:
            raise PrivateAddressError(host, addresses[0])
        return allowed

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class UnknownHostError(httpcore2.ConnectError):
    """The name does not resolve."""


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over guarded sockets; HTTP/2 where its library is there."""

    def __init__(
        self,
        *,
        is_allowed: Callable[[str], bool],
        connections: int,
        resolve: Resolve = resolve,
        ssl_context: ssl.SSLContext | None = None,
        proxy: str = "",
    ) -> None:
        context = ssl_context or _trusted()
        super().__init__(verify=context, http2=HAS_HTTP2, trust_env=False)
        # httpx2 has no argument for the network backend; its pool takes one.
        guarded = GuardedBackend(is_allowed=is_allowed, resolve=resolve)
        self._guarded = guarded if proxy else None
        if proxy:
            parts = httpx2.URL(proxy)
            self._pool = httpcore2.AsyncHTTPProxy(
                str(parts.copy_with(username=None, password=None)),
                proxy_auth=(parts.username, parts.password) if parts.username else None,
                ssl_context=context,
                max_connections=connections,
                keepalive_expiry=15.0,
            )
            return
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=connections,
            keepalive_expiry=15.0,
            http2=HAS_HTTP2,
            network_backend=guarded,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; behind a proxy, look before where its host is.

        Raises:
            PrivateAddressError: None of the host's addresses is allowed.
        """
        if self._guarded is not None:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):  # the proxy may know
                await self._guarded.addresses(request.url.host, request.url.port or 443, 10.0)
        return await super().handle_async_request(request)
