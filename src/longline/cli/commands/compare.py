"""longline compare and longline strategies: which way of choosing queries serves best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Annotated

import typer

from longline.cli._options import (
    Corpus,
    Forms,
    Json,
    Limit,
    PageSize,
    Ranking,
    RankingChoice,
    documents_of,
    sample_size,
)
from longline.errors import InputError

if TYPE_CHECKING:
    from longline.account import Account
    from longline.compare import Outcome

    Observe = Callable[[str, int, Account], None]


class ComparedCounts(StrEnum):
    """How true the number of matches is that the simulated source reports."""

    exact = "exact"
    approximate = "approximate"
    noisy = "noisy"
    none = "none"


class YesNo(StrEnum):
    """A plain answer."""

    yes = "yes"
    no = "no"


def strategies(json: Json = False) -> None:
    """List every strategy: its published name, what it does, and who published it."""
    import msgspec

    from longline.planner.strategies import STRATEGIES

    rows = [
        {"name": each.name, "summary": each.summary, "source": each.source}
        for each in STRATEGIES.values()
    ]
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode())
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        typer.echo(f"{row['name']:{width}}  {row['summary']} ({row['source']})")


def compare(
    corpus: Corpus,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Further strategies, after --strategy NAME."),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A strategy's name; more may follow.", show_default="all"
        ),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            parser=sample_size,
            metavar="N|N%",
            help="Documents that sampling strategies sample before choosing; or a share, like 5%.",
        ),
    ] = 1000,
    limit: Limit = 100,
    page_size: PageSize = 50,
    ranking: RankingChoice = Ranking.static,
    counts: Annotated[
        ComparedCounts,
        typer.Option(
            help="How true the reported number of matches is: noisy is off by a factor of e or "
            "more in a third of all queries."
        ),
    ] = ComparedCounts.exact,
    boolean: Annotated[
        YesNo, typer.Option(help="Whether the search box knows NOT and OR.")
    ] = YesNo.yes,
    max_terms: Annotated[
        int, typer.Option(metavar="N", min=1, help="Terms a query may have.")
    ] = 20,
    reads_terms: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Terms of a query that are looked for; the rest is silently passed over.",
        ),
    ] = None,
    listing_only: Annotated[
        bool,
        typer.Option("--listing-only", help="Documents are known by title and snippets alone."),
    ] = False,
    forms: Forms = "",
    seeds: Annotated[int, typer.Option(metavar="N", min=1, help="Runs of each strategy.")] = 3,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write every run there as JSON.")
    ] = None,
    chart: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw HR against OR there, as HTML; needs the extra named report."
        ),
    ] = None,
) -> None:
    """Compare strategies on a source made of your own documents.

    HR is given at page budgets of 1, 2 and 4 times the fewest pages that could hold the
    source, and while OR is at most 1.4, 1.5, 2 and 3; means over the seeds. Sampling is
    counted. "full-knowledge" is no strategy: it looks into the source.
    """
    import time

    from longline.cli._chart import check_chart, check_file, text_chart, write_chart
    from longline.compare import BUDGETS, REFERENCE, Setting, fewest_pages
    from longline.compare import compare as compare_strategies
    from longline.planner.strategies import STRATEGIES, Options
    from longline.simulate import read_corpus

    wanted = _names(strategy, names) or list(STRATEGIES)
    if chart is not None:
        check_chart(chart)
    if json is not None:
        check_file(json)
    documents = read_corpus(corpus)
    setting = Setting(
        limit=limit,
        page_size=page_size,
        ranking=ranking.value,
        counts=counts.value,
        boolean=boolean is YesNo.yes,
        max_terms=max_terms,
        reads_terms=reads_terms,
        listing_only=listing_only,
        forms=forms,
    )
    wanted = list(dict.fromkeys([*wanted, REFERENCE]))
    most = BUDGETS[-1] * fewest_pages(len(documents), setting)
    with _progress(len(wanted) * seeds, most) as observe:
        outcomes = list(
            compare_strategies(
                documents,
                wanted,
                seeds=range(seeds),
                setting=setting,
                options=Options(sample=documents_of(sample, len(documents))),
                clock=time.process_time,
                observe=observe,
            )
        )
    curves = {name: [run.curve for run in outcomes if run.strategy == name] for name in wanted}
    for line in (*_table(outcomes, wanted), "", *text_chart(curves)):
        typer.echo(line.rstrip())
    if json is not None:
        _write(json, outcomes)
    if chart is not None:
        title = f"{corpus}: {len(documents):,} documents, k = {limit}, {ranking.value} ranking"
        write_chart(chart, outcomes, title)


def _names(first: list[str] | None, more: list[str] | None) -> list[str]:
    if more and not first:
        raise InputError(f"{more[0]!r} follows no --strategy", advice=f"write --strategy {more[0]}")
    return [*(first or []), *(more or [])]


@contextmanager
def _progress(runs: int, pages: float) -> Iterator[Observe]:
    """Show on standard error how many runs are done: a bar, or a plain line for each run."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(runs)
        return
    columns = (BarColumn(bar_width=24), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, refresh_per_second=5, transient=True) as bar:
        task = bar.add_task("reading", total=float(runs))
        begun: set[tuple[str, int]] = set()

        def observe(strategy: str, seed: int, account: Account) -> None:
            begun.add((strategy, seed))
            done = len(begun) - 1 + min(1.0, account.result_pages / pages)
            text = f"run {len(begun)} of {runs}: {strategy}, seed {seed}"
            bar.update(task, completed=done, description=f"{text}, HR {account.hit_rate or 0:.0%}")

        yield observe


class _Lines:
    """A plain line on standard error for each run as it begins."""

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._begun: set[tuple[str, int]] = set()

    def __call__(self, strategy: str, seed: int, account: Account) -> None:
        if (strategy, seed) not in self._begun:
            self._begun.add((strategy, seed))
            typer.echo(f"run {len(self._begun)} of {self._runs}: {strategy}, seed {seed}", err=True)


def _table(outcomes: list[Outcome], names: list[str]) -> Iterator[str]:
    """Yield the lines of a table: a strategy each, means over the seeds, HR in per cent."""
    pages = list(outcomes[0].hr_at_pages)
    rates = list(outcomes[0].hr_at_or)
    heads = [f"x{times}" for times in pages] + [f"OR{rate}" for rate in rates]
    width = max(map(len, names))
    yield (
        f"{'HR %':{width}} "
        + "".join(f"{head:>7}" for head in heads)
        + (f"{'HR':>8}{'OR':>7}{'queries':>9}{'pages':>8}{'CPU s':>8}")
    )
    for name in names:
        runs = [outcome for outcome in outcomes if outcome.strategy == name]
        shares = [mean(run.hr_at_pages[key] for run in runs) for key in pages]
        shares += [mean(run.hr_at_or[key] for run in runs) for key in rates]
        yield (
            f"{name:{width}} "
            + "".join(f"{100 * share:7.1f}" for share in shares)
            + (
                f"{100 * mean(run.hit_rate for run in runs):8.1f}"
                f"{_mean_rate(runs):>7}"
                f"{mean(run.queries for run in runs):9.0f}"
                f"{mean(run.result_pages for run in runs):8.0f}"
                f"{mean(run.seconds for run in runs):8.1f}"
            )
        )


def _mean_rate(runs: Iterable[Outcome]) -> str:
    rates = [run.overlapping_rate for run in runs if run.overlapping_rate]
    return f"{mean(rates):.2f}" if rates else "-"


def _write(path: Path, outcomes: Iterable[Outcome]) -> None:
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(list(outcomes)), indent=2)
    try:
        path.write_bytes(text + b"\n")
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", advice="choose a file you may write"
        ) from None
