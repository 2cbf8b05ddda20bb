"""The driver of a fleet in its own process; its workers identify themselves to the sites.

    python -m bench.fleet.drive DATABASE ADDRESS WORKERS WORK

`longline fleet run` does the same without this identification.
"""

import sys
from typing import Any

import msgspec

from longline.fleet import Work, driver, run


def slices(database: str, work: Work) -> list[Any]:
    """Do slices; each request states its process, its lease, and when it was written."""
    import os
    import time

    from longline.fetch import _pace
    from longline.fleet import driver

    turn = _pace.Turn
    if not hasattr(turn, "silent"):
        silent = turn.trace

        async def telling(self: Any, event: str, info: Any) -> None:
            at = time.monotonic()
            await silent(self, event, info)
            if event.endswith("send_request_headers.started"):
                hosts: Any = _pace.shared_hosts()
                request = info["request"]
                fence = hosts._held[request.url.host.decode()].lease.fence
                said = f"{os.getpid()} {fence} {at:.6f}"
                request.headers.append((b"X-Talker", said.encode()))

        turn.silent = silent  # type: ignore[attr-defined]
        turn.trace = telling  # type: ignore[method-assign]
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
