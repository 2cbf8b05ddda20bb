"""The result of a plan: the size of a source, and the cost of each route to its documents."""

import msgspec

from longline.forecast.forecaster import Brought, Route, Size, best_of, brought
from longline.planner.capabilities import Capabilities
from longline.text.numbers import counted


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of a probe, and the predictions from them.

    Attributes:
        source: The source's home page.
        requests: The number of HTTP requests of the probe.
        stopped: Why the probe ended early; "" if it did not.
        size: How many documents the source has.
        abilities: What its search can do, as found by the probe.
        doubts: What does not work as the spec says.
        ranking: "static", "dynamic", "meaning", or None if unknown.
        document_pages: Whether each document needs a request of its own.
        rate: Requests per second, used to compute `seconds`.
        routes: The routes, the cheapest first.
        recommended: The cheapest route that reaches the aim, or else the one that reaches most;
            "" if no route was found.
        recommended_here: The same for the routes that `longline harvest` can use.
        is_list: The source lists its documents, and takes no words.
        taken: Routes that the harvest in the folder followed to their end; none is recommended.

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
    taken: tuple[str, ...] = ()

    def beyond(self, strategy: str) -> "Plan":
        """Return the plan of what is left after a harvest of the source has ended.

        Args:
            strategy: Of that harvest; "auto" follows every route that longline can use here.
        """
        here = [each for each in self.routes if each.command and each.route != "index"]
        taken = [each.route for each in here if strategy in ("auto", each.route)]
        left = [each for each in self.routes if each.route not in taken]
        return msgspec.structs.replace(
            self,
            taken=tuple(taken),
            recommended=best_of(left),
            recommended_here=best_of([each for each in left if each.command]),
        )

    def after(self, requests: int) -> Brought | None:
        """Predict what a harvest of this many requests would save, by the route that longline uses.

        Args:
            requests: Requests of the harvest, > 0; those of the plan do not count.

        Returns:
            None if the size is not known, or there is no route.
        """
        taken = [each for each in self.routes if each.route == self.recommended_here]
        return brought(taken[0], self.size, requests, self.rate) if taken else None

    def __repr__(self) -> str:
        """Return the number of documents and the costs of the routes, in a few lines."""
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
