"""Run a thinker that asks for pages of a site, as several commands do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from longline.cli._progress import showing

if TYPE_CHECKING:
    from longline.events import Stopped
    from longline.ports import Thinker


def run_on_pages(
    thinker: Thinker, url: str, *, allow_private: bool, robots: bool, **more: Any
) -> Stopped:
    """Let a thinker ask for pages until it finishes, politely where the host is public.

    How many requests it has cost by now is shown.

    Args:
        thinker: Asks by `model.Request`.
        url: Of the site, which the pace is chosen by.
        allow_private: As `fetch.WebFetcher` has it.
        robots: False ignores robots.txt.
        more: Further arguments of `WebFetcher`.
    """
    on_send = more.pop("on_send", lambda: None)
    sent = 0
    with showing(f"looking at {url}", lines=False) as tell:

        def count() -> None:
            nonlocal sent
            on_send()
            sent += 1
            tell(f"looking at {url}: request {sent}", sent, None)

        return asyncio.run(_run(thinker, url, allow_private, robots, {**more, "on_send": count}))


async def _run(
    thinker: Thinker, url: str, allow_private: bool, robots: bool, more: dict[str, Any]
) -> Stopped:
    import numpy as np

    from longline.account import Account
    from longline.engine import Engine
    from longline.fetch import BrowserFetcher, WebFetcher, is_private_host
    from longline.hand import PageHand
    from longline.settings import POLITE_RATE
    from longline.store import MemoryStore

    web = WebFetcher(
        allow_private=allow_private,
        obey_robots=robots,
        rate=None if is_private_host(url) else POLITE_RATE,
        rng=np.random.default_rng(0),
        **more,
    )
    hand = PageHand(BrowserFetcher(web))
    try:
        return await Engine(thinker, hand, MemoryStore(), Account()).run()
    finally:
        await hand.close()
