"""The guard: connect to exactly the address that was checked.

A name is resolved once per connection, here; non-public addresses are dropped, and the socket is
opened to one of the others. So a name cannot change its address after the check. The URL keeps the
name, and so do the Host header, SNI and the certificate check.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from typing import Any, cast

import httpcore2
import httpx2

from longline.errors import PrivateAddressError

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Resolve host and port to IP addresses, the best first."""

HELD_BYTES = 1 << 18
"""Bytes buffered before reading pauses; the system then holds the rest back."""

HAS_HTTP2 = find_spec("h2") is not None


async def resolve(host: str, port: int) -> list[str]:
    """Query the system's resolver, which also reads forms such as 0x7f.1 and 2130706433.

    Raises:
        OSError: The name is unknown or invalid.
    """
    # Not all resolvers know this name with a trailing dot (RFC 6761, 6.3).
    host = "localhost" if host.casefold() == "localhost." else host
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(f"{host!r} cannot be a host name: {error}") from None
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@cache
def _trusted() -> ssl.SSLContext:
    """Return the system's trusted certificate authorities; cached, as they load slowly."""
    return httpx2.create_ssl_context()


class Stream(asyncio.Protocol, httpcore2.AsyncNetworkStream):
    """A connection based on asyncio: faster than httpcore2's own, which supports other event loops.

    Received data is buffered until it is read, up to about `HELD_BYTES`.
    """

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._held = bytearray()
        self._is_over = False
        self._error: Exception | None = None
        self._is_full = False
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return received data, at least one byte; b"" at the end.

        Raises:
            httpcore2.ReadError, httpcore2.ReadTimeout: The connection broke, or nothing was
                received.
        """
        if not (self._held or self._is_over):
            self._reader = asyncio.get_running_loop().create_future()
            with _timed(httpcore2.ReadTimeout):
                async with asyncio.timeout(timeout):
                    await self._reader
        if self._error is not None and not self._held:
            raise httpcore2.ReadError(str(self._error)) from self._error
        piece = bytes(self._held[:max_bytes])
        del self._held[:max_bytes]
        if not (self._held or self._is_over):
            self._transport.resume_reading()
        return piece

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send data.

        Raises:
            httpcore2.WriteError, httpcore2.WriteTimeout: It is closed, or accepts no more data.
        """
        if not buffer:
            return
        if self._transport.is_closing():
            raise httpcore2.WriteError("the connection is closed") from self._error
        self._transport.write(buffer)
        if self._is_full:
            self._writer = asyncio.get_running_loop().create_future()
            with _timed(httpcore2.WriteTimeout):
                async with asyncio.timeout(timeout):
                    await self._writer
            if self._error is not None:
                raise httpcore2.WriteError(str(self._error)) from self._error

    async def aclose(self) -> None:
        """Close the connection."""
        if self._transport.get_extra_info("ssl_object") is None:
            self._transport.close()
        else:
            self._transport.abort()  # do not wait for a TLS shutdown
        await asyncio.sleep(0)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Start TLS on the connection.

        Raises:
            httpcore2.ConnectError, httpcore2.ConnectTimeout: The TLS handshake failed.
        """
        loop = asyncio.get_running_loop()
        with _timed(httpcore2.ConnectTimeout):
            async with asyncio.timeout(timeout):
                try:
                    found = await loop.start_tls(
                        self._transport, self, ssl_context, server_hostname=server_hostname
                    )
                except (ssl.SSLError, OSError) as error:
                    self._transport.abort()
                    raise httpcore2.ConnectError(str(error)) from error
        assert found is not None
        self._transport = found
        return self

    def get_extra_info(self, info: str) -> Any:
        """Return a property of the connection; "is_readable" if idle means that it was closed."""
        if info == "is_readable":
            return self._is_over or bool(self._held) or self._transport.is_closing()
        names = {"client_addr": "sockname", "server_addr": "peername"}
        return self._transport.get_extra_info(names.get(info, info))

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._held += data
        if len(self._held) > HELD_BYTES:
            self._transport.pause_reading()
        _wake(self._reader)

    def eof_received(self) -> None:
        self._is_over = True
        _wake(self._reader)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_over, self._error = True, self._error or exc
        _wake(self._reader)
        self.resume_writing()

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        _wake(self._writer)


def _wake(waiter: asyncio.Future[None] | None) -> None:
    if waiter is not None and not waiter.done():
        waiter.set_result(None)


@contextmanager
def _timed(kind: type[Exception]) -> Iterator[None]:
    """Convert a time-out to httpcore2's exception."""
    try:
        yield
    except TimeoutError as error:
        raise kind(str(error)) from error


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Open sockets only to allowed addresses.

    Args:
        is_allowed: Decides it for an IP address, as the resolver writes it.
        resolve: Resolves a host name to addresses.
    """

    def __init__(self, *, is_allowed: Callable[[str], bool], resolve: Resolve = resolve) -> None:
        self._is_allowed = is_allowed
        self._resolve = resolve

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
                return await _connected(address, port, timeout, local_address, socket_options or ())
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def addresses(self, host: str, port: int, timeout: float | None) -> list[str]:
        """Return the allowed addresses of a host.

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
            # "Try again" is a temporary failure of the resolver; any other error is permanent.
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


async def _connected(
    address: str,
    port: int,
    timeout: float | None,
    local_address: str | None,
    options: Iterable[httpcore2.SOCKET_OPTION],
) -> Stream:
    """Connect to an IP address."""
    local = (local_address, 0) if local_address else None
    connecting = asyncio.get_running_loop().create_connection
    with _timed(httpcore2.ConnectTimeout):
        async with asyncio.timeout(timeout):
            try:
                transport, stream = await connecting(Stream, address, port, local_addr=local)
            except TimeoutError:
                raise
            except OSError as error:
                raise httpcore2.ConnectError(str(error)) from error
    for option in options:
        transport.get_extra_info("socket").setsockopt(*option)
    return stream


class UnknownHostError(httpcore2.ConnectError):
    """The name does not resolve."""


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over guarded sockets; with HTTP/2 if its library is installed."""

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
        # httpx2 has no argument for the network backend, but its pool has.
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
        """Send a request; with a proxy, check the host's addresses first.

        Raises:
            PrivateAddressError: None of the host's addresses is allowed.
        """
        if self._guarded is not None:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):  # let the proxy try
                await self._guarded.addresses(request.url.host, request.url.port or 443, 10.0)
        return await super().handle_async_request(request)
