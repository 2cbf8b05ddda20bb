"""Put secrets into requests, and take them out of answers; log every request."""

import logging

from longline.errors import LonglineError
from longline.logs import log
from longline.model import Request, Response
from longline.ports import Fetcher
from longline.secrets import Secrets


class VeiledFetcher:
    """Fetch through another fetcher; only that one sees the secrets.

    Implements `longline.ports.Fetcher`: requests, answers and errors contain placeholders instead.
    """

    def __init__(self, fetcher: Fetcher, secrets: Secrets | None = None) -> None:
        self._fetcher = fetcher
        self._secrets = Secrets() if secrets is None else secrets

    async def fetch(self, request: Request) -> Response:
        """Return the final answer, as `Fetcher.fetch`, without secrets."""
        try:
            response = await self._fetcher.fetch(self._secrets.filled(request))
        except LonglineError as error:
            self._secrets.veil_error(error)
            log(logging.DEBUG, f"{request.method} {request.url}: {error}", url=request.url)
            raise
        log(
            logging.DEBUG,
            f"{request.method} {request.url}: {response.status}, {len(response.body):,} bytes",
            url=request.url,
            status=response.status,
            body_bytes=len(response.body),
            requests=response.requests,
        )
        return self._secrets.veiled_response(response)

    async def close(self) -> None:
        """Close connections."""
        await self._fetcher.close()
