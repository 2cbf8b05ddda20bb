"""longline compare and longline strategies: which way of choosing queries serves best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Annotated

import typer

from longline.cli._options import (
    Boolean,
    Counts,
    CountsChoice,
    Json,
    Limit,
    PageSize,
    Ranking,
    RankingChoice,
)
from longline.cli.serve import Corpus
from longline.errors import InputError

if TYPE_CHECKING:
    from longline.account import Account
    from longline.compare import Outcome


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
    strategy: Annotated[
        list[str] | None,
        typer.Option(help="A strategy's name; may be given again.", show_default="all"),
    ] = None,
    limit: Limit = 100,
    page_size: PageSize = 50,
    ranking: RankingChoice = Ranking.static,
    counts: CountsChoice = Counts.exact,
    boolean: Boolean = True,
    max_terms: Annotated[int, typer.Option(min=1, help="Terms a query may have.")] = 20,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each strategy.")] = 3,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write every run there as JSON.")
    ] = None,
) -> None:
    """Compare strategies on a simulated source made of your own documents.

    HR is given at page budgets of 1, 2 and 4 times the fewest pages that could hold the
    source, and while OR is at most 1.4, 1.5, 2 and 3; means over the seeds. Sampling is
    counted. "full-knowledge" is no strategy: it looks into the source.
    """
    import time

    from longline.compare import REFERENCE, Setting
    from longline.compare import compare as compare_strategies
    from longline.planner.strategies import STRATEGIES
    from longline.simulate import read_corpus

    documents = read_corpus(corpus)
    setting = Setting(
        limit=limit,
        page_size=page_size,
        ranking=ranking.value,
        counts=counts.value,
        boolean=boolean,
        max_terms=max_terms,
    )
    names = list(dict.fromkeys([*(strategy or STRATEGIES), REFERENCE]))
    runs = compare_strategies(
        documents,
        names,
        seeds=range(seeds),
        setting=setting,
        clock=time.process_time,
        observe=_Progress(len(names) * seeds),
    )
    outcomes = list(runs)
    for line in _table(outcomes, names):
        typer.echo(line)
    if json is not None:
        _write(json, outcomes)


class _Progress:
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
                f"{mean(run.overlapping_rate for run in runs):7.2f}"
                f"{mean(run.queries for run in runs):9.0f}"
                f"{mean(run.result_pages for run in runs):8.0f}"
                f"{mean(run.seconds for run in runs):8.1f}"
            )
        )


def _write(path: Path, outcomes: Iterable[Outcome]) -> None:
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(list(outcomes)), indent=2)
    try:
        path.write_bytes(text + b"\n")
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", advice="choose a file you may write"
        ) from None
