"""The numbers for a report of a harvest: a few hundred, whatever its size."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, log10
from statistics import median

import msgspec

from longline.events import DocumentFailed
from longline.harvester import Reading
from longline.ledger import (
    Certificate,
    ChartRow,
    FacetPart,
    Ledger,
    Line,
    Statement,
    Step,
    facet_parts,
    fewest_pages,
    headline,
    lines,
    next_steps,
    verdict_in_sentences,
    worst_cut,
)
from longline.model import Asked as AskedPage
from longline.reports.course import Asked, Course, Point, SizePoint
from longline.reports.fullness import DateCount, FieldCount, Fullness
from longline.source import facets_of

FORMAT = "longline report 1"

MOST_ROWS = 200
"""Maximum rows of a list; longer ones are shortened, with the complete list in the folder."""

MOST_GROUPS = 120
"""Maximum number of groups of searches, or of parts by a facet."""

MOST_MARKS = 300
"""Maximum number of pairs of reported and received."""

LISTS = ("truncations", "failed_documents", "paging_losses", "discrepancies", "robots_forbidden")
"""Lists of a certificate that grow with the harvest."""


RATES = ("query_overlapping_rate", "overlapping_rate", "hit_rate")
"""Rates in a row of the record chart."""


class Searches(msgspec.Struct, frozen=True, kw_only=True):
    """A group of consecutive searches.

    Attributes:
        first: Number of the first of them, from 1.
        searches: Number of searches.
        new: Documents they brought for the first time.
        df_low, df_median, df_high: Documents matching one of them, as reported, or else as received
            if nothing was cut; None if unknown for all.
    """

    first: int
    searches: int
    new: int
    df_low: float | None = None
    df_median: float | None = None
    df_high: float | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """Searches with the same reported and received numbers.

    Attributes:
        reported, received: Results; rounded if there are very many different pairs.
        is_cut: The answers were cut.
        searches: Number of searches.
    """

    reported: int
    received: int
    is_cut: bool
    searches: int


class Missed(msgspec.Struct, frozen=True, kw_only=True):
    """A failed document or result page, and the reason.

    Attributes:
        what: Its URL or key; for a page its search and number.
        is_gone: The source says that there is no such document.
        is_forbidden: robots.txt, or the guard against private addresses, forbids it.
    """

    what: str
    reason: str
    is_gone: bool = False
    is_forbidden: bool = False


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers for a report of one harvest.

    Attributes:
        folder: Name of the harvest's folder.
        is_running: A run was using the folder when this was read.
        headline, verdict, next_steps, lines: The harvest in words.
        certificate: With at most `MOST_ROWS` entries in each list; the largest cuts first.
        left_out: How many more entries of each list are in the folder, by name.
        fewest_pages: Result pages that could show every document, if each were full and without
            repeats; None if the size, or the page size, is unknown.
        page_size: Largest number of results on a page.
        course: Its states over time; the last point is the current state.
        sizes: Estimates of the size over time.
        searches: All of its own searches in order, in groups if there are many.
        claims: Reported and received numbers of all searches with a known total.
        asked: Requests by purpose, with their results.
        fields: How many documents have each field.
        dates: How many documents are of each period, without gaps, for each field with dates.
        parts: For each facet, the source's counts and the documents received.
        chart: First and last rows of the record chart.
        failed_pages, failed_documents: Failures with their reasons.
    """

    format: str = FORMAT
    folder: str
    is_running: bool
    headline: str
    verdict: tuple[Statement, ...]
    next_steps: tuple[Step, ...]
    lines: tuple[Line, ...]
    certificate: Certificate
    left_out: dict[str, int]
    fewest_pages: int | None
    page_size: int
    course: tuple[Point, ...]
    sizes: tuple[SizePoint, ...]
    searches: tuple[Searches, ...]
    claims: tuple[Claim, ...]
    asked: tuple[Asked, ...]
    fields: tuple[FieldCount, ...]
    dates: tuple[DateCount, ...]
    parts: tuple[FacetPart, ...]
    chart: tuple[ChartRow, ...]
    failed_pages: tuple[Missed, ...]
    failed_documents: tuple[Missed, ...]


def figures_of(reading: Reading, course: Course, fullness: Fullness) -> Figures:
    """Sum up a harvest in numbers of a limited size.

    Args:
        reading: Of the harvest.
        course: Its history from the journal.
        fullness: Counts over its documents, or empty.
    """
    certificate, ledger = reading.certificate(), reading.ledger
    folder = reading.folder.name or str(reading.folder)
    rows = ledger.chart()
    lists = {name: getattr(certificate, name) for name in LISTS}
    lists["truncations"] = tuple(worst_cut(certificate.truncations))
    pages, documents = ledger.failures.pages, ledger.failures.documents
    longest = {**lists, "chart": rows, "failed_pages": pages, "failed_documents": documents}
    limit = certificate.limit or course.most_rows
    is_known = bool(certificate.size and limit and course.most_rows)
    return Figures(
        folder=folder,
        is_running=reading.is_running,
        headline=headline(certificate),
        verdict=tuple(verdict_in_sentences(certificate, folder)),
        next_steps=tuple(next_steps(certificate, folder)),
        lines=tuple(lines(certificate, folder)),
        certificate=msgspec.structs.replace(
            certificate, **{name: each[:MOST_ROWS] for name, each in lists.items()}
        ),
        left_out={name: len(a) - MOST_ROWS for name, a in longest.items() if len(a) > MOST_ROWS},
        fewest_pages=(
            fewest_pages(certificate.size or 0, course.most_rows, limit) if is_known else None
        ),
        page_size=course.most_rows,
        course=tuple(course.points()),
        sizes=tuple(course.sizes()),
        searches=tuple(_searches(rows)),
        claims=tuple(_claims(rows)),
        asked=tuple(course.asked()),
        fields=fullness.counts(),
        dates=fullness.dates(),
        parts=tuple(_merged(facet_parts(ledger, facets_of(reading.spec)))),
        chart=tuple(_ends(rows)),
        failed_pages=tuple(_missed_pages(ledger)),
        failed_documents=tuple(map(_missed, list(documents.values())[:MOST_ROWS])),
    )


def _ends(rows: Sequence[ChartRow]) -> list[ChartRow]:
    """Return the rows, only the first and last if there are too many, with rounded rates."""
    half = MOST_ROWS // 2
    kept = rows if len(rows) <= MOST_ROWS else [*rows[:half], *rows[-half:]]
    return [
        msgspec.structs.replace(row, **{name: _rounded(getattr(row, name)) for name in RATES})
        for row in kept
    ]


def _rounded(rate: float | None) -> float | None:
    return None if rate is None else round(rate, 4)


def _searches(rows: Sequence[ChartRow]) -> Iterator[Searches]:
    step = max(1, ceil(len(rows) / MOST_GROUPS))
    for first in range(0, len(rows), step):
        group = rows[first : first + step]
        dfs = [df for df in map(_df, group) if df is not None]
        spread = (min(dfs), median(dfs), max(dfs)) if dfs else (None, None, None)
        yield Searches(
            first=first + 1,
            searches=len(group),
            new=sum(row.new for row in group),
            df_low=spread[0],
            df_median=spread[1],
            df_high=spread[2],
        )


def _df(row: ChartRow) -> int | None:
    return row.reported if row.reported is not None else None if row.cuts else row.received


def _claims(rows: Iterable[ChartRow]) -> list[Claim]:
    """Return each pair of reported and received once, rounded if there are too many."""
    pairs = Counter(
        (row.reported, row.received, bool(row.cuts)) for row in rows if row.reported is not None
    )
    for digits in (3, 2, 1):
        if len(pairs) <= MOST_MARKS:
            break
        rounded: Counter[tuple[int, int, bool]] = Counter()
        for (reported, received, is_cut), searches in pairs.items():
            rounded[_round(reported, digits), _round(received, digits), is_cut] += searches
        pairs = rounded
    return [
        Claim(reported=reported, received=received, is_cut=is_cut, searches=searches)
        for (reported, received, is_cut), searches in sorted(pairs.items())
    ]


def _round(number: int, digits: int) -> int:
    """Round to some digits.

    >>> _round(1234, 2), _round(7, 2), _round(0, 1)
    (1200, 7, 0)
    """
    return round(number, digits - 1 - floor(log10(number))) if number else 0


def _merged(parts: Sequence[FacetPart]) -> Iterator[FacetPart]:
    """Join neighbouring parts of each facet if there are too many."""
    counts = Counter(part.facet for part in parts)
    for facet, many in counts.items():
        own = [part for part in parts if part.facet == facet]
        step = max(1, ceil(many / MOST_GROUPS))
        for first in range(0, many, step):
            group = own[first : first + step]
            last = group[-1]
            yield FacetPart(
                facet,
                group[0].value,
                group[0].high if len(group) == 1 else last.high or last.value,
                sum(part.reported for part in group),
                sum(part.received for part in group),
            )


def _missed_pages(ledger: Ledger) -> Iterator[Missed]:
    def name(asked: AskedPage) -> str:
        return f"{asked[0]}, page {asked[1]}"

    failed = [(name(asked), event.reason) for asked, event in ledger.failures.pages.items()]
    doubtful = [
        (name(asked), "empty or incomplete, as others at the time; the next run asks again")
        for asked in ledger.failures.to_ask_again
    ]
    for what, reason in [*failed, *sorted(doubtful)][:MOST_ROWS]:
        yield Missed(what=what, reason=reason)


def _missed(event: DocumentFailed) -> Missed:
    return Missed(
        what=event.url or event.key,
        reason=event.reason,
        is_gone=event.is_gone,
        is_forbidden=event.forbidden,
    )
