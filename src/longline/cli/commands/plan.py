"""longline plan."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longline.cli._groups import option
from longline.cli._options import Json, Patience
from longline.cli._said import say, say_json
from longline.cli.run import shown
from longline.cli.sources import LearningOnce
from longline.text.numbers import counted, percent, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from longline.api import Figures, Plan, Route, Size


WIDTH_OF_TABLE = 90

RANKINGS = {
    "static": "one order for all searches",
    "dynamic": "ordered by relevance",
    "meaning": "by meaning: the nearest documents, whatever the words",
}


@dataclass(frozen=True)
class Wanted:
    """What a plan may cost, and what it should show."""

    max_requests: int = option(40, min=1, help="Spend at most N requests, robots.txt included.")
    output: Path | None = option(
        None,
        "--output",
        "-o",
        metavar="DIR",
        help="Keep how the source is searched in this new folder; a harvest into it does not "
        "learn that again.",
    )
    budget: int = option(1000, min=1, help="Say what a harvest of N requests would save.")
    json: Json = False


def plan(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A web address (search page, site or JSON API), a source.toml, or the folder of "
            "a harvest.",
        ),
    ],
    learning: LearningOnce,
    patience: Patience,
    wanted: Wanted,
) -> None:
    """Show the ways to a source's documents, and what each would cost.

    Twenty to thirty requests find out what the search can do, how many documents there are, and
    what else the site offers: a sitemap, OAI-PMH, a feed, a dump, a listing. No document is saved.
    """
    from longline.api import plan as make_plan

    most = wanted.max_requests
    options = learning.options(source) | patience.limits() | {"max_requests": most}
    with shown(source, most, reviews=True) as listeners:
        found = make_plan(source, wanted.output, listeners=listeners, **options)
    if wanted.json:
        import msgspec

        say_json(msgspec.to_builtins(found) | {"after": found.after(wanted.budget)})
        return
    _show(found, wanted.budget)


def _show(plan: Plan, budget: int) -> None:
    from rich.console import Console

    # Truncated figures are worse than lines that wrap.
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
    for line in _tail(plan, budget):
        say(line)


def _head(plan: Plan) -> Iterator[str]:
    size, able = plan.size, plan.abilities
    if size.documents is None:
        yield f"documents  total unknown; at least {size.at_least:,}"
    else:
        yield f"documents  {_total(size)}"
    can = [name for name, has in (("AND", able.conjunction), ("NOT", able.negation)) if has]
    limit = "result limit unknown" if able.limit is None else f"{able.limit:,} results at most"
    totals = f"{(able.counts or 'unknown').replace('none', 'no')} totals"
    ranking = RANKINGS.get(plan.ranking or "", "order unknown")
    parts = [*can, limit, f"{able.page_size or '?'} results a page", totals, ranking, *plan.doubts]
    said = "none: it is a list, and no words are sent" if plan.is_list else ", ".join(parts)
    yield f"search     {said}"
    cost = counted(plan.requests, "request")
    yield f"cost       {cost} for this plan; no document was saved"
    if plan.stopped:
        more = "" if plan.is_list else "; a higher --max-requests may find more"
        yield f"stopped    {plan.stopped}{more}"


def _total(size: Size) -> str:
    """Return how many documents there are, how sure that is, and by which method."""
    if size.low == size.high == size.documents:
        return f"{size.documents:,} (counted by {size.told_by})"
    range_ = f"{size.low:,} to {size.high:,}" if size.high else f"{size.low:,} or more"
    if size.at_least != size.low:
        range_ += f", certainly {size.at_least:,} or more"
    return f"about {size.documents:,} ({range_}; estimated from {size.told_by})"


def _table(plan: Plan) -> object:
    from rich.table import Table

    is_known = plan.size.documents is not None
    what = "requests, by coverage" if is_known else "requests per thousand documents"
    table = Table(box=None, header_style="bold", pad_edge=False, title=what, title_justify="left")
    table.add_column("way")
    coverages = list(plan.routes[0].requests) if plan.routes else []
    for coverage in coverages:
        table.add_column(f"{float(coverage):.0%}", justify="right")
    for name in ("95 %, from-to", "time", "at most"):
        table.add_column(name, justify="right")
    for route in plan.routes:
        figures = route.per_thousand or route.requests
        table.add_row(
            _name(route, plan),
            *(_count(figures.get(coverage)) for coverage in coverages),
            _range(route),
            _time(route.seconds),
            percent(route.reach) + " or more" * route.goes_on,
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


def _tail(plan: Plan, budget: int) -> Iterator[str]:
    yield f"Times assume {counted(plan.rate, 'request')} per second, to 95 % coverage."
    if plan.document_pages:
        yield "Each document costs one more request for its own page; it is counted."
    if plan.taken:
        yield f"The harvest in this folder has gone to the end of: {', '.join(plan.taken)}."
    if not plan.recommended:
        yield (
            "No other way is known. Ask the owner of the site for what is missing."
            if plan.taken
            else "No way to the documents was found."
        )
        return
    here = next((each for each in plan.routes if each.route == plan.recommended_here), None)
    yield f"Recommended: {plan.recommended} (*)"
    if here is not None:
        yield f"Run: {here.command}"
    needed = max(filter(None, here.requests.values()), default=0) if here is not None else 0
    is_list = here is not None and here.route == "listing" and plan.size.method == "listing"
    if is_list and 0 < needed <= budget:
        yield (
            f"The list takes about {counted(needed, 'request')}, {span(needed / plan.rate)}, and "
            f"names {counted(plan.size.low, 'document')}."
        )
    elif (after := plan.after(budget)) is not None:
        most = "or more" if after.high is None else f"to {after.high:,}"
        spent = counted(budget, "request")
        yield (
            f"A harvest of {spent} takes about {span(after.seconds)} and saves "
            f"{after.low:,} {most} documents."
        )
    if here is not None and plan.recommended != plan.recommended_here:
        yield f"That is {here.route}; longline itself cannot use the {plan.recommended}."
