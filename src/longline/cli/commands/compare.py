"""longline compare and longline strategies: which strategy works best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from longline.cli._groups import option
from longline.cli._options import (
    RANKING_HELP,
    Corpus,
    Json,
    Ranking,
    Simulated,
    documents_of,
    sample_size,
)
from longline.cli._progress import has_bar, showing
from longline.cli._said import note, say_json
from longline.cli._strategies import DfEstimator, Generations, Mutation, Population, strategy_names
from longline.errors import InputError
from longline.files import read_queries
from longline.text.numbers import counted
from longline.version import __version__

if TYPE_CHECKING:
    from longline.api import Ledger, Outcome
    from longline.model import Document

    Observe = Callable[[str, int, Ledger], None]


FEWEST_PAGES = 10
"""With fewer result pages than this, a source shows little: the first words use up most."""


@dataclass(frozen=True)
class Runs:
    """Which strategies run, and how many times."""

    panel: ClassVar[str] = "What to compare"

    strategy: list[str] | None = option(
        None,
        metavar="NAME",
        help="A strategy's name; more may follow.",
        show_default="all",
        autocompletion=strategy_names,
    )
    sample: int = option(
        1000,
        parser=sample_size,
        metavar="N|N%",
        help="Documents that sampling strategies read before choosing; or a share, like 5%.",
    )
    seeds: int = option(3, min=1, help="Runs of each strategy.")

    queries: Path | None = option(
        None, metavar="FILE", help="Queries of the strategy list, one a line, in their order."
    )

    as_published: bool = option(
        False,
        "--as-published",
        help="As the papers have it: a sample is there beforehand and does not count; queries "
        "are chosen once, at cost df, from a pool of relative size 20; genetic runs for 500 "
        "generations.",
    )
    df_estimator: DfEstimator = None
    generations: Generations = None
    population: Population = None
    mutation: Mutation = None

    def told(self) -> dict[str, Any]:
        """Return how strategies choose, under the names that the package uses."""
        names = ("df_estimator", "generations", "population", "mutation")
        given = {name: getattr(self, name) for name in names}
        told = {name: value for name, value in given.items() if value is not None}
        return told | {"as_published": self.as_published}

    def names(self, more: list[str] | None) -> list[str]:
        """Return the names of the strategies, including those without an option of their own.

        Raises:
            InputError: There are queries, and no strategy that sends them.
        """
        found = [*(self.strategy or []), *(more or [])]
        if self.queries is not None and found and "list" not in found:
            raise InputError(
                "the queries of a file are sent by the strategy list alone",
                advice="name it, too, or leave --queries out",
            )
        return found


@dataclass(frozen=True)
class Compared(Simulated):
    """What the simulated search can do for the comparison."""

    ranking: Ranking = option("static", help=RANKING_HELP)
    max_terms: int = option(20, min=1, help="Words that a search may have.")
    reads_terms: int | None = option(
        None,
        min=1,
        help="The search uses only the first N words, and does not say so.",
        show_default="all",
    )
    listing_only: bool = option(
        False, "--listing-only", help="Strategies see titles and snippets only."
    )


@dataclass(frozen=True)
class Files:
    """Where the results are written, in addition to the table."""

    panel: ClassVar[str] = "Files to write"

    json: Json = False
    chart: Path | None = option(
        None,
        metavar="FILE",
        help="Draw coverage against repeats there, as HTML; needs the extra named report.",
    )
    force: bool = option(False, "--force", help="Replace the chart, if there is one.")

    def check(self) -> None:
        """Check before the work begins that the files can be written; raises InputError."""
        from longline.cli._chart import check_chart

        if self.chart is not None:
            check_chart(self.chart, force=self.force)

    def write(self, outcomes: list[Outcome], asked: dict[str, Any], title: str) -> None:
        """Write the files that the user wants; the JSON also says what was compared."""
        from longline.cli._chart import write_chart

        if self.json:
            say_json({"longline": __version__, "asked": asked, "runs": outcomes})
        if self.chart is not None:
            write_chart(self.chart, outcomes, title)


def strategies(json: Json = False) -> None:
    """List every strategy: its name, what it does, and who published it."""
    import msgspec

    from longline.api import strategies as known

    rows = [msgspec.structs.asdict(each) for each in known()]
    if json:
        say_json(rows)
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        typer.echo(f"{row['name']:{width}}  {row['summary']} ({row['published_by']})")


def compare(
    corpus: Corpus,
    runs: Runs,
    source: Compared,
    files: Files,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Strategies, as by --strategy NAME."),
    ] = None,
) -> None:
    """Compare strategies on a simulated source made from your own documents.

    Shows the coverage (HR) after 1, 2 and 4 times the minimum of pages that could show every
    document, and the best coverage while each document was received 1.4, 1.5, 2 and 3 times (OR):
    means over the seeds. Pages read for a sample count, unless --as-published. "full-knowledge" is
    the reference: it knows every answer beforehand.
    """
    from longline.api import REFERENCE, read_corpus
    from longline.api import strategies as known
    from longline.cli._chart import text_chart

    takes = {each.name: each.takes for each in known()}
    own = runs.names(names) or [name for name in takes if runs.queries or name != "list"]
    wanted = list(dict.fromkeys([*own, REFERENCE]))
    files.check()
    documents = read_corpus(corpus)
    outcomes = _outcomes(documents, wanted, runs, source)
    is_interrupted = len(outcomes) < len(wanted) * runs.seeds
    wanted = [name for name in wanted if any(name == run.strategy for run in outcomes)]
    curves = {name: [run.curve for run in outcomes if run.strategy == name] for name in wanted}
    notes = [*_too_few_pages(documents, source)]
    if any("sample" in takes.get(name, ()) for name in own):
        notes += _large_sample(documents, runs)
    notes += [*_only_sampled(outcomes), *_not_found(outcomes)]
    lines = (*_table(outcomes, wanted), *_spread(outcomes, wanted), *notes, "", *text_chart(curves))
    for line in () if files.json else lines:
        typer.echo(line.rstrip())
    for line in notes if files.json else ():
        note(line)
    about = f"k = {source.limit}, {source.ranking} ranking"
    asked = {
        "corpus": str(corpus),
        "documents": len(documents),
        "strategies": wanted,
        "seeds": runs.seeds,
        "sample": documents_of(runs.sample, len(documents)),
        "queries": None if runs.queries is None else str(runs.queries),
        **runs.told(),
        **source.search(),
    }
    files.write(outcomes, asked, f"{corpus}: {counted(len(documents), 'document')}, {about}")
    if is_interrupted:
        raise KeyboardInterrupt


def _outcomes(
    documents: Sequence[Document], wanted: list[str], runs: Runs, source: Compared
) -> list[Outcome]:
    from longline.api import BUDGETS, fewest_pages
    from longline.api import compare as compare_strategies

    most = BUDGETS[-1] * fewest_pages(len(documents), source.page_size, source.limit)
    outcomes: list[Outcome] = []
    with _progress(len(wanted) * runs.seeds, most) as observe:
        try:
            compare_strategies(
                documents,
                wanted,
                seeds=runs.seeds,
                sample=documents_of(runs.sample, len(documents)),
                queries=read_queries(runs.queries) if runs.queries else (),
                observe=observe,
                on_end=outcomes.append,
                **runs.told(),
                **source.search(),
            )
        except KeyboardInterrupt:
            if not outcomes:
                raise
    return outcomes


@contextmanager
def _progress(runs: int, pages: float) -> Iterator[Observe]:
    """Show on standard error how many runs are done: a bar, or a plain line for each run."""
    begun: set[tuple[str, int]] = set()
    is_plain = not has_bar()
    with showing("reading", lines=False) as tell:

        def observe(strategy: str, seed: int, ledger: Ledger) -> None:
            is_new = (strategy, seed) not in begun
            begun.add((strategy, seed))
            text = f"run {len(begun)} of {runs}: {strategy}, seed {seed}"
            if is_new and is_plain:
                typer.echo(text, err=True)
            done = len(begun) - 1 + min(1.0, ledger.result_pages / pages)
            tell(f"{text}, HR {ledger.hit_rate or 0:.0%}", done, runs)

        yield observe


def _table(outcomes: list[Outcome], names: list[str]) -> Iterator[str]:
    """Yield the lines of a table: one row per strategy, means over the seeds, HR in per cent."""
    pages = list(outcomes[0].hit_rate_at_pages)
    rates = list(outcomes[0].hit_rate_at_overlapping_rate)
    heads = [f"x{times}" for times in pages] + [f"OR{rate}" for rate in rates]
    width = max(map(len, names))
    yield (
        f"{'HR %':{width}} "
        + "".join(f"{head:>7}" for head in heads)
        + (f"{'HR':>8}{'OR':>7}{'queries':>9}{'pages':>8}{'CPU s':>8}")
    )
    for name in names:
        runs = [outcome for outcome in outcomes if outcome.strategy == name]
        shares = [mean(run.hit_rate_at_pages[key] for run in runs) for key in pages]
        shares += [mean(run.hit_rate_at_overlapping_rate[key] for run in runs) for key in rates]
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


def _spread(outcomes: list[Outcome], names: list[str]) -> Iterator[str]:
    """Yield how much HR differs between the seeds, where it differs most."""
    found = [
        (stdev(run.hit_rate_at_pages[times] for run in runs), name, times)
        for name in names
        if len(runs := [each for each in outcomes if each.strategy == name]) > 1
        for times in runs[0].hit_rate_at_pages
    ]
    if found:
        most, name, times = max(found)
        yield (
            f"Between seeds, HR at x1, x2 and x4 has a standard deviation of at most "
            f"{100 * most:.1f} ({name}, x{times})."
        )


def _only_sampled(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield a note on strategies that used up their pages before they chose a query."""
    names = dict.fromkeys(outcome.strategy for outcome in outcomes if outcome.only_sampled)
    if names:
        yield (
            f"Only sampled: {', '.join(names)}. The pages ran out before the sample was complete; "
            "what is shown is the sample. A smaller --sample leaves pages to choose by, and "
            "--as-published does not count it."
        )


def _not_found(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield a note on strategies with a run that found nothing."""
    names = dict.fromkeys(each.strategy for each in outcomes if not each.overlapping_rate)
    if names:
        yield (
            f"No search of a run found anything: {', '.join(names)}. That is 0 in the table, and "
            "says that the first words of these strategies are not in the texts, or that the pages "
            "ran out; it does not say how well they choose."
        )


def _too_few_pages(documents: Sequence[Document], source: Compared) -> Iterator[str]:
    """Yield a note if the source has so few result pages that chance decides."""
    from longline.api import BUDGETS, fewest_pages

    least = fewest_pages(len(documents), source.page_size, source.limit)
    if least < FEWEST_PAGES:
        size = max(1, len(documents) // FEWEST_PAGES)
        smaller = f", or show fewer results on a page (--page-size {size})" if size > 1 else ""
        yield (
            f"Too little to compare: {counted(len(documents), 'document')} of this source fill "
            f"{counted(least, 'result page')}, and a strategy gets {BUDGETS[-1] * least} at most. "
            f"With so few, chance decides. Give more documents{smaller}."
        )


def _large_sample(documents: Sequence[Document], runs: Runs) -> Iterator[str]:
    """Yield a note if the sample is the corpus."""
    sample = documents_of(runs.sample, len(documents))
    if sample >= len(documents):
        yield (
            f"A sample of {sample:,} is the whole corpus of {len(documents):,} documents. "
            "Give fewer, or a share, such as --sample 10%."
        )


def _mean_rate(runs: Iterable[Outcome]) -> str:
    rates = [run.overlapping_rate for run in runs if run.overlapping_rate]
    return f"{mean(rates):.2f}" if rates else "-"
