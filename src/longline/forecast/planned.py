"""What a plan says: how many documents a source has, and what each way to them would cost."""

import msgspec

from longline.forecast.forecaster import Brought, Route, Size, brought
from longline.planner.capabilities import Capabilities
from longline.text.numbers import counted


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a probe found, and what follows from it.

    Attributes:
        source: Its home page.
        requests: HTTP requests that it cost.
        stopped: Why the probe ended before its time; "" where it did not.
        size: How many documents the source has.
        abilities: What its search can do, as the probe found.
        doubts: What does not work as the spec says.
        ranking: "static", "dynamic", "meaning", or None where too little came to tell.
        document_pages: Whether each document costs a request of its own.
        rate: Requests per second that `seconds` are reckoned with.
        routes: The cheapest first.
        recommended: The cheapest that reaches the aim, or else the one that reaches farthest;
            "" where no route was found.
        recommended_here: The same of those that `longline harvest` takes.
        is_list: It lists its documents, and is sent no words.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     plan = longline.plan(url, allow_private=True)
        >>> plan.abilities.limit, plan.recommended in [route.route for route in plan.routes]
        (100, True)
    """

    source: str
    requests: int
    stopped: str
    size: Size
    abilities: Capabilities
    doubts: tuple[str, ...]
    ranking: str | None
    document_pages: bool
    rate: float
    routes: tuple[Route, ...]
    recommended: str
    recommended_here: str
    is_list: bool = False

    def after(self, requests: int) -> Brought | None:
        """Say what a harvest of so many requests would save, by the route that longline takes.

        Args:
            requests: Requests of the harvest, > 0; those of the plan do not count.

        Returns:
            None where the size is not known, or no route.
        """
        taken = [each for each in self.routes if each.route == self.recommended_here]
        return brought(taken[0], self.size, requests, self.rate) if taken else None

    def __repr__(self) -> str:
        """Say in a few lines how many documents there are, and what the ways to them cost."""
        size, total = self.size, "not known"
        if size.documents is not None:
            high = "?" if size.high is None else f"{size.high:,}"
            total = f"{size.documents:,} ({size.low:,} to {high})"
        costs = [f" {each.route}: {_cost(each)}" for each in self.routes] or [" no way was found"]
        return "\n".join(
            [
                f"<Plan of {self.source}, for {counted(self.requests, 'request')}",
                f" documents: {total}, at least {size.at_least:,}",
                *costs,
                f" recommended: {self.recommended or 'none'}>",
            ]
        )


def _cost(route: Route) -> str:
    most = route.requests.get("0.95")
    return "requests not known" if most is None else f"{most:,} requests for 95 %"
