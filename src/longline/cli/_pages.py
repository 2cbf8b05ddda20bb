"""Run a thinker that asks for pages of a site, as several commands do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from longline.cli._progress import showing, waiting
from longline.errors import BudgetSpent
from longline.logs import about

if TYPE_CHECKING:
    from longline.events import Stopped
    from longline.ports import Thinker


class Spent:
    """Counts what finding and learning a source costs.

    Attributes:
        requests: HTTP requests that were sent.
        body_bytes: Of their answers.
        most: Requests that may be sent; None for no bound.
    """

    def __init__(self, most: int | None = None) -> None:
        self.requests = 0
        self.body_bytes = 0
        self.most = most

    def bound(self, requests: int) -> int:
        """Return so many requests, or what is left where that is less."""
        return requests if self.most is None else min(requests, self.most - self.requests)

    def send(self) -> None:
        """Count a request that is about to be sent.

        Raises:
            BudgetSpent: It is one too many.
        """
        if self.most is not None and self.requests >= self.most:
            raise BudgetSpent(
                f"the {self.most} requests allowed are spent", advice="raise --max-requests"
            )
        self.requests += 1

    def receive(self, body_bytes: int) -> None:
        """Count an answer."""
        self.body_bytes += body_bytes


def run_on_pages(
    thinker: Thinker,
    url: str,
    *,
    allow_private: bool,
    robots: bool,
    spent: Spent | None = None,
    on_send: Callable[[], object] = lambda: None,
    **more: Any,
) -> Stopped:
    """Let a thinker ask for pages until it finishes.

    How many requests it has cost by now is shown, and how long it waits where a site asks for it.

    Args:
        thinker: Asks by `model.Request`.
        url: Of the site.
        allow_private: As `fetch.WebFetcher` has it.
        robots: False ignores robots.txt.
        spent: Counts what it costs, beside what was spent before, and says how much may be.
        on_send: Called before every request.
        more: Further arguments of `WebFetcher`.
    """
    spent = spent or Spent()
    with about(url), showing(f"looking at {url}", lines=False) as tell:

        def count() -> None:
            on_send()
            spent.send()
            tell(f"looking at {url}: request {spent.requests}", spent.requests, None)

        more |= {"on_send": count, "on_receive": spent.receive}
        return asyncio.run(_run(thinker, allow_private, robots, more))


async def _run(
    thinker: Thinker, allow_private: bool, robots: bool, more: dict[str, Any]
) -> Stopped:
    import numpy as np

    from longline.account import Account
    from longline.engine import Engine
    from longline.fetch import BrowserFetcher, VeiledFetcher, WebFetcher
    from longline.page_hand import PageHand
    from longline.store import MemoryStore

    web = WebFetcher(
        allow_private=allow_private,
        obey_robots=robots,
        on_wait=waiting(),
        rng=np.random.default_rng(0),
        **more,
    )
    hand = PageHand(VeiledFetcher(BrowserFetcher(web)))
    try:
        return await Engine(thinker, hand, MemoryStore(), Account()).run()
    finally:
        await hand.close()
