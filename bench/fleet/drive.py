"""The driver of a fleet in a process of its own, whose workers tell the sites who they are.

    python -m bench.fleet.drive DATABASE ADDRESS WORKERS WORK

`longline fleet run` does the same; its workers say nothing.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from longline.fleet import Work, driver, run


def slices(database: str, work: Work) -> list[Any]:
    """Do slices; each request says which process sends it, and under which lease."""
    import os

    from longline.fetch import _guard, _pace
    from longline.fleet import driver

    transport = _guard.GuardedTransport
    if not hasattr(transport, "silent"):
        silent = transport.handle_async_request

        async def telling(self: Any, request: Any) -> Any:
            held: Any = _pace.shared_hosts()
            fence = held._held[request.url.host].lease.fence
            request.headers["X-Talker"] = f"{os.getpid()} {fence}"
            return await silent(self, request)

        transport.silent = silent  # type: ignore[attr-defined]
        transport.handle_async_request = telling  # type: ignore[method-assign]
    return driver._slices(database, work)


def main() -> None:
    database, address, workers, work = sys.argv[1:]
    driver._slices = slices  # type: ignore[assignment]
    run(
        database,
        address=address,
        workers=int(workers),
        work=msgspec.json.decode(work, type=Work),
    )


if __name__ == "__main__":
    main()
