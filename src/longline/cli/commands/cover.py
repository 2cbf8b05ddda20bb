"""longline cover: choose queries for a corpus at hand."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from longline.cli._groups import option
from longline.cli._options import Corpus, Json, Seed, documents_of, sample_size
from longline.cli._progress import showing
from longline.cli._said import check_new, say_json, write_file
from longline.text.numbers import counted
from longline.version import __version__

if TYPE_CHECKING:
    from longline.api import Chosen, Progress


@dataclass(frozen=True)
class How:
    """How queries are chosen."""

    panel: ClassVar[str] = "How to choose"

    method: str = option(
        "ts-ids",
        metavar="NAME",
        help="greedy, ids, ts-ids or genetic, as published; lagrangian, anneal, weighting or "
        "best, which look for a cheaper choice; exact, for small ones (extra exact); or unseen, "
        "for queries that should also work beyond the sample.",
    )
    cost: str | None = option(
        None,
        metavar="COST",
        help="What a query costs: df (the documents it matches), df+A (A more for each query), "
        "or pages/P (result pages of P documents).",
        show_default="df; the costs in the file of a set-covering problem",
    )
    max_time: float | None = option(
        None,
        metavar="SECONDS",
        min=0.0,
        help="Search for this long at most (methods that search).",
        show_default="a fixed number of steps",
    )
    bound: bool = option(
        True,
        "--bound/--no-bound",
        help="Prove how much cheaper another choice could be at most; takes a while.",
    )
    price: float = option(
        11.0, min=0.0, help="With unseen: how many repeats one new document is worth."
    )
    ties: str = option(
        "largest",
        metavar="RULE",
        help="When several are equally good take: the largest (the most frequent), the lowest "
        "(the first), or a random one.",
    )
    eliminate: bool = option(
        True,
        "--eliminate/--no-eliminate",
        help="Drop queries whose documents all come by other queries, too.",
    )
    generations: int | None = option(
        None,
        min=0,
        help="With genetic: generations.",
        show_default="500, or what --max-time allows",
    )
    population: int = option(300, min=1, help="With genetic: choices in a generation.")
    mutation: float = option(
        0.03, min=0.0, max=1.0, help="With genetic: the share of a choice that a mutation replaces."
    )


@dataclass(frozen=True)
class Terms:
    """Which documents to cover, and which of their terms may be queries."""

    panel: ClassVar[str] = "Documents and terms"

    sample: int | None = option(
        None,
        parser=sample_size,
        metavar="N|N%",
        help="Cover only N documents, drawn at random; or a share, like 5%.",
        show_default="every document",
    )
    pool_relative_size: float | None = option(
        None,
        min=1.0,
        help="Choose among random terms that together match the documents X times over (the "
        "papers: 20).",
        show_default="every term",
    )
    df_ceiling: float = option(
        1.0,
        min=0.0,
        max=1.0,
        help="Leave out terms in more than this share of the documents (the papers: 0.37).",
    )
    stop_words: bool = option(
        True, "--stop-words/--no-stop-words", help="Leave out Lucene's 33 English stop words."
    )
    min_length: int = option(1, min=1, help="Shortest term, in letters.")


def cover(
    corpus: Corpus,
    how: How,
    terms: Terms,
    seed: Seed = 0,
    queries: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the chosen terms to a new file, one a line, in their order."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file of queries, if there is one.")
    ] = False,
    json: Json = False,
) -> None:
    """Choose queries that together match every document of a corpus, cheaply.

    CORPUS may also be a set-covering problem of the OR-Library (scp41.txt, rail507): a file of
    numbers. A document's terms are the words of its title and text: runs of letters, in lower case,
    not stemmed. Nothing is sent anywhere. The first run after an install takes half a minute
    longer: it compiles the solvers. The papers' figures need --ties random --no-eliminate
    --df-ceiling 0.37.
    """
    from longline.api import DF, check_choice, choose_queries, is_problem, read_corpus

    check_choice(how.method, how.cost or DF, how.ties)
    if queries is not None and not force:
        check_new(queries, "name another file, or give --force")
    with showing("choosing; the first run compiles the solvers") as tell:

        def observe(state: Progress) -> None:
            cost_now = f"{state.share:.0%} {state.method}: cost {state.cost:,.10g}"
            tell(cost_now, state.share, 1.0)

        options = asdict(how) | asdict(terms)
        documents = None if is_problem(corpus) else read_corpus(corpus)
        if terms.sample is not None:
            size = None if documents is None else len(documents)
            options["sample"] = documents_of(terms.sample, size)
        found = choose_queries(documents or corpus, seed=seed, progress=observe, **options)
    if queries is not None:
        write_file(queries, "".join(f"{term}\n" for term in found.terms))
    if json:
        asked = {"corpus": str(corpus), "seed": seed, **options, "cost": how.cost}
        say_json({"longline": __version__, "asked": asked, **_figures(found)})
    else:
        typer.echo(_summary(found, how.cost, OF_PROBLEM if is_problem(corpus) else OF_CORPUS))


def _number(value: float | None) -> float | None:
    """Return the value, or None for nan, which JSON does not have."""
    return None if value is None or isnan(value) else value


def _figures(chosen: Chosen) -> dict[str, object]:
    _, found, pool, seconds = chosen
    covered = pool.documents - len(found.uncovered)
    return {
        "method": getattr(found, "method", "unseen"),
        "cost": found.cost,
        "overlapping_rate": found.received / covered if covered else None,
        "queries": len(found.queries),
        "lower_bound": getattr(found, "lower_bound", None),
        "gap": _number(getattr(found, "gap", None)),
        "seconds": round(seconds, 3),
        "documents": pool.documents,
        "uncovered": len(found.uncovered),
        "received": found.received,
        "terms": len(pool.terms),
        "expected_hit_rate": getattr(found, "expected_hit_rate", None),
        "expected_overlapping_rate": _number(getattr(found, "expected_overlapping_rate", None)),
    }


@dataclass(frozen=True)
class Nouns:
    """What is chosen and what is covered, and what each chosen one costs if nothing was said."""

    one: str
    many: str
    covered: str
    covered_many: str
    left: str
    cost: str


OF_CORPUS = Nouns("query", "terms as queries", "document", "documents", "have no term here", "df")
OF_PROBLEM = Nouns("column", "columns", "row", "rows", "are in no column", "its cost in the file")


def _summary(chosen: Chosen, cost: str | None, nouns: Nouns) -> str:
    from longline.api import UNSEEN, UnseenCover

    _, found, pool, seconds = chosen
    left = len(found.uncovered)
    covered = pool.documents - left
    method = UNSEEN if isinstance(found, UnseenCover) else found.method
    times = f"; each comes {found.received / covered:.3f} times (OR)" if covered else ""
    lines = [
        f"chosen     {len(found.queries):,} of {len(pool.terms):,} {nouns.many}, by {method}",
        f"covered    {covered:,} of {counted(pool.documents, nouns.covered, nouns.covered_many)}",
        f"cost       {found.cost:,.10g}, each {nouns.one} at {cost or nouns.cost}",
        f"received   {counted(found.received, nouns.covered, nouns.covered_many)}{times}",
    ]
    if isinstance(found, UnseenCover):
        lines.append(
            f"expected   {found.expected_hit_rate:.1%} of the whole source, each document "
            f"{found.expected_overlapping_rate:.3f} times"
        )
    else:
        lines[1] += f"; {left:,} {nouns.left}" if left else ""
        if found.lower_bound and found.gap is not None:
            more = f" than {found.lower_bound:,.10g}; this one costs at most {found.gap:.1%} more"
            lines.append("bound      proven: no choice costs less" + (more if found.gap else ""))
    return "\n".join([*lines, f"time       {seconds:.2f} s"])
