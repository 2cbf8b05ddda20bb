"""A fetcher for test servers that sorts each option into the right settings object."""

from typing import Any

import numpy as np

from longline.fetch import Earlier, Hooks, Manners, Network, WebFetcher

EARLIER = {"known_robots": "robots", "known_waits": "waits"}


def web_fetcher(**options: Any) -> WebFetcher:
    """Return a fetcher that may reach loopback."""
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
