"""longline plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from longline.cli._options import Json, Patience
from longline.cli._progress import showing, span, waiting
from longline.cli._said import say, say_exactly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from longline.account import Account
    from longline.events import AnyEvent
    from longline.plan import Figures, Plan, Route


WIDTH_OF_TABLE = 90

RANKINGS = {"static": "one order for all queries", "dynamic": "ordered by relevance"}


def plan(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A web address (search page, site or JSON API), a source.toml, or the folder of "
            "a harvest.",
        ),
    ],
    patience: Patience,
    max_requests: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Spend at most N requests, robots.txt included."),
    ] = 40,
    rate: Annotated[
        float | None,
        typer.Option(
            metavar="REQUESTS_PER_SECOND",
            help="Send at most so many requests a second. The times in the table assume it, too.",
            show_default="1; no pause for private hosts",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the ways to a source's documents, and what each would cost.

    Twenty to thirty requests find out what the search can do, how many documents there are, and
    what else the site offers: a sitemap, OAI-PMH, a feed, a dump, a listing. Nothing is saved.
    """
    from longline.cli.sources import spec_of
    from longline.plan import PlanLimits
    from longline.plan import plan as make_plan

    spec = spec_of(source, robots=True, **patience.limits())
    limits = PlanLimits(max_requests=max_requests, rate=rate, **patience.limits())
    with showing("probing") as tell:

        def observe(event: AnyEvent, account: Account) -> None:
            tell(f"probing: {account.requests:,} requests", account.requests, max_requests)

        found = make_plan(spec, limits, name=source, observe=observe, on_wait=waiting())
    if json:
        import msgspec

        say_exactly(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    _show(found)


def _show(plan: Plan) -> None:
    from rich.console import Console

    # Figures that are cut off are worse than lines that wrap.
    width = max(Console().width, WIDTH_OF_TABLE)
    console = Console(width=width, soft_wrap=True, highlight=False, markup=False)
    for line in _head(plan):
        say(line)
    say("")
    console.print(_table(plan))
    for route in plan.routes:
        say(f"{route.route}: {route.how}{f' ({route.url})' if route.url else ''}")
        if route.note:
            say(f"  {route.note}")
    say("")
    for line in _tail(plan):
        say(line)


def _head(plan: Plan) -> Iterator[str]:
    size, able = plan.size, plan.abilities
    if size.documents is None:
        yield f"size       not known; at least {size.at_least:,} documents"
    else:
        high = "no bound" if size.high is None else f"{size.high:,}"
        yield (
            f"size       {size.documents:,} documents, {size.low:,} to {high}, "
            f"at least {size.at_least:,} (by {size.method})"
        )
    can = [name for name, has in (("AND", able.conjunction), ("NOT", able.negation)) if has]
    limit = "no return limit known" if able.limit is None else f"return limit {able.limit:,}"
    totals = "no totals" if able.counts in (None, "none") else f"totals {able.counts}"
    ranking = RANKINGS.get(plan.ranking or "", "order not known")
    parts = [*can, limit, f"{able.page_size or '?'} hits a page", totals, ranking, *plan.doubts]
    yield f"search     {', '.join(parts)}"
    yield f"probe      {plan.probe_requests:,} requests; nothing was kept"
    if plan.stopped:
        yield f"stopped    {plan.stopped}; more may be found with a higher --max-requests"


def _table(plan: Plan) -> object:
    from rich.table import Table

    is_known = plan.size.documents is not None
    what = "requests at coverage" if is_known else "requests for each thousand documents"
    table = Table(box=None, header_style="bold", pad_edge=False, title=what, title_justify="left")
    table.add_column("route")
    coverages = list(plan.routes[0].requests) if plan.routes else []
    for coverage in coverages:
        table.add_column(f"{float(coverage):.0%}", justify="right")
    for name in ("95 %, from-to", "time", "reach"):
        table.add_column(name, justify="right")
    for route in plan.routes:
        figures = route.per_thousand or route.requests
        table.add_row(
            _name(route, plan),
            *(_count(figures.get(coverage)) for coverage in coverages),
            _range(route),
            _time(route.seconds),
            "?" if route.reach is None else f"{route.reach:.1%}",
        )
    return table


def _name(route: Route, plan: Plan) -> str:
    mark = " *" if route.route == plan.recommended else ""
    return f"{route.route}{mark}{' (records)' if route.brings == 'records' else ''}"


def _range(route: Route) -> str:
    least, most = route.least.get("0.95"), route.most.get("0.95")
    return "-" if least is None else f"{least:,}-{'?' if most is None else f'{most:,}'}"


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _time(seconds: Figures) -> str:
    taken = seconds.get("0.95")
    return "-" if taken is None else span(taken)


def _tail(plan: Plan) -> Iterator[str]:
    yield f"times are at {plan.rate:g} requests a second, for 95 %"
    if plan.document_pages:
        yield "each document costs a request of its own, which is counted"
    if not plan.recommended:
        yield "no route is known to lead to the documents"
        return
    here = next((each for each in plan.routes if each.route == plan.recommended_here), None)
    yield f"take       {plan.recommended} (*)"
    if here is not None:
        yield f"by         {here.command}"
    if here is not None and plan.recommended != plan.recommended_here:
        yield f"           that is {here.route}: longline does not harvest by {plan.recommended}"
