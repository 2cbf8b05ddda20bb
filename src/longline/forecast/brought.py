"""What a harvest of so many requests would save, by a plan's route."""

from __future__ import annotations

from math import ceil

import msgspec
import numpy as np

from longline.forecast.forecaster import Figures, Route, Size


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """What a harvest of so many requests would save.

    Attributes:
        requests: Of the harvest, documents' own pages included.
        documents: Saved by then.
        low, high: Hardly fewer, hardly more; `high` is None where nothing bounds the size.
        seconds: That the requests take, at the plan's rate.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     plan = longline.plan(url, allow_private=True)
        >>> some = plan.after(50)
        >>> some.low <= some.documents <= plan.size.documents
        True
    """

    requests: int
    documents: int
    low: int
    high: int | None
    seconds: int


def brought(route: Route, size: Size, requests: int, rate: float) -> Brought | None:
    """Say what so many requests save by a route.

    Between the coverages that are predicted, documents come evenly; beyond the last of them none
    is promised.

    Args:
        route: With its figures.
        size: Of the source.
        requests: Of the harvest, > 0.
        rate: Requests a second.

    Returns:
        None where the size is not known, or no figure of the route.

    >>> way = Route(
    ...     route="partition", how="", reach=1.0, seconds={},
    ...     requests={"0.5": 600, "0.9": 1100}, least={"0.5": 500, "0.9": 900}, most={"0.5": 700},
    ... )
    >>> found = brought(way, Size(1000, 900, 1100, 0, "roots"), 600, rate=1.0)
    >>> found.documents, found.low, found.high
    (500, 471, 540)
    """
    if size.documents is None or not any(route.requests.values()):
        return None
    documents = _share(route.requests, requests) * size.documents
    ends = [documents, _share(route.least, requests) * size.low]
    if size.high is not None:
        ends.append(_share(route.most, requests) * size.high)
    return Brought(
        requests=requests,
        documents=round(documents),
        low=int(min(ends)),
        high=None if size.high is None else ceil(max(ends)),
        seconds=ceil(requests / rate),
    )


def _share(figures: Figures, requests: int) -> float:
    """Return the coverage that so many requests reach."""
    known = sorted((cost, float(share)) for share, cost in figures.items() if cost is not None)
    costs, shares = zip(*[(0, 0.0), *known], strict=True)
    return float(np.interp(requests, costs, shares))
