"""A fetcher for test servers, and a mark for tests that show pages in a browser."""

from typing import Any

import numpy as np
import pytest

from longline.fetch import Earlier, Hooks, Manners, Network, WebFetcher, has_browser

needs_browser = pytest.mark.skipif(
    not has_browser(), reason="no Chromium here, or the extra `browser` is not installed"
)

EARLIER = {"known_robots": "robots", "known_waits": "waits"}


def web_fetcher(**options: Any) -> WebFetcher:
    """Return a fetcher that may reach loopback; each option goes into its settings object."""
    options = {"allow_private": True, **options}
    earlier = {EARLIER[name]: options.pop(name) for name in EARLIER if name in options}
    made = {}
    for kind in (Manners, Hooks, Network):
        named = kind.__struct_fields__ if kind is Manners else kind.__dataclass_fields__
        names = set(named) & options.keys()
        made[kind] = kind(**{name: options.pop(name) for name in names})
    if options:
        raise TypeError(f"no option of a fetcher: {', '.join(options)}")
    return WebFetcher(
        np.random.default_rng(0),
        made[Manners],
        hooks=made[Hooks],
        earlier=Earlier(**earlier),
        network=made[Network],
    )
