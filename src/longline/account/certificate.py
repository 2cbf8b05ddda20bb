"""What a harvest leaves for people and programs: the certificate, and rows of the record chart."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Literal

import msgspec

from longline.events import Cut
from longline.fields import Column
from longline.outcomes import Cause, Outcome

FORMAT = "longline certificate 1"


class ChartRow(msgspec.Struct, frozen=True, kw_only=True):
    """One query in the record chart.

    The field names say what the thesis's symbols stand for: claimed = est mi, received = mi,
    new = ui, duplicates = di, total_received = Mi, total_unique = Ni, query_overlapping_rate
    = or, overlapping_rate = OR, hit_rate = HR.

    Attributes:
        claimed: Documents the source says the query matches; None where it says nothing.
        received: Rows that the query gave. The true number of matches where nothing was cut.
        overlapping_rate: Up to and with this query, None while nothing is received.
        hit_rate: By the size as it is given or estimated now; None where there is neither.
        cuts: How the answer fell short; empty when it did not.

    Source: Fu 2011, Table 10.
    """

    query: str
    claimed: int | None
    received: int
    new: int
    duplicates: int
    total_received: int
    total_unique: int
    query_overlapping_rate: float | None
    overlapping_rate: float | None
    hit_rate: float | None
    result_pages: int
    cuts: tuple[Cut, ...]


class Truncation(msgspec.Struct, frozen=True):
    """A query whose answer was cut, for the certificate.

    Attributes:
        inferred: It was capped by a return limit that nobody told, but that many answers show.
    """

    query: str
    cut: Cut
    claimed: int | None
    received: int
    inferred: bool = False


class Estimate(msgspec.Struct, frozen=True):
    """One estimate of the source's size; `high` is None where nothing bounds it."""

    name: str
    documents: int
    low: int
    high: int | None


class Odd(msgspec.Struct, frozen=True):
    """Something that does not add up.

    Attributes:
        kind: What; docs/certificate.md lists them.
        claimed: What should be.
        found: What is.
    """

    query: str
    kind: str
    claimed: float
    found: float


class PagingLoss(msgspec.Struct, frozen=True):
    """Rows of a query that its pages lost, by repeating or leaving out others.

    Attributes:
        repaired: Documents that queries for parts of the same came up with later.
    """

    query: str
    lost: int
    repaired: int


class BudgetLine(msgspec.Struct, frozen=True):
    """How much was allowed, and used; None where what was used is not known any more."""

    allowed: float
    used: float | None


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What was got, what it cost, and what was not got.

    Attributes:
        documents: Different documents held.
        duplicate_documents: Of these, how many have the same text as one that came before.
        languages: Documents held of each language, most first; "unknown" for those of none.
        fields: What documents have besides title, text and language: for each name its type, how
            many documents have it (`filled`) of how many, and how many values are not of the type
            that the source spec says (`unfit`).
        attachments: Files that belong to documents; `attachment_bytes` are all of theirs.
        size: Documents behind the search box; None where it is not known.
        size_low, size_high: Its 95 % interval; both are `size` where that is given.
        size_source: Where `size` comes from.
        hit_rate: documents / size; None where the size is not known.
        hit_rate_low, hit_rate_high: Its interval.
        estimates: Every estimate of the size, for comparison.
        overlapping_rate: Rows received per different document, by the harvest's own queries;
            None before the first.
        queries: Different queries of the harvest itself, the sample's included.
        result_pages, rows_received: Of these.
        probes: Words asked to estimate the size.
        probe_pages, probe_rows: Their result pages, and the rows on these.
        probe_documents: Documents that are held thanks to probes alone.
        discovery_requests: That finding and learning the source cost, before the first query.
        other_requests: robots.txt, form pages, what comes for nonsense, redirects and retries.
        requests: All together.
        body_bytes: Of all answers, decoded.
        budget: What was allowed in the last run, by name, and what is used of it.
        documents_failed: Documents seen in a listing but not got, although retried.
        documents_gone: Of these, how many the source says are not there any more (404 or 410).
        failed_documents: Those that were not got, each with its reason.
        placeholders: Pages that came in the place of many documents, by title, with how many.
        disbelieved_pages: Result pages that came while the source was silent; the next run asks
            for them again.
        truncated_queries: Queries whose answer was cut in any way.
        unfinished_queries: Queries that had more pages than were asked for: by choice, or
            because the harvest stopped.
        cuts: How many queries were cut in each way.
        truncations: Every cut, query by query.
        limit: The return limit; None where there is none, or none is known.
        limit_source: Who says so.
        forms: The rule by which the source takes forms of a word for one, as its answers show;
            "" where it takes words as they are written, or where that was not found out.
        paging_losses: Queries that lost rows between their pages.
        discrepancies: What else did not add up.
        robots: HTTP status of the robots.txt of each origin.
        robots_obeyed: False where the user said to ignore it.
        robots_forbidden: Keys of documents that robots.txt, or the guard against private
            addresses, kept out.
        begun_at, ended_at: First and last entry of the journal, ISO 8601, UTC.
        target_coverage: The hit rate asked for; None where none was.
        outcome: How it ended, one of a closed list; see `longline.outcomes`.
        cause: Why it is partial or blocked.
        stopped: The same for people.
        target_met: Whether it is complete, or the share aimed at is shown to be held.
    """

    format: str = FORMAT
    source: str
    strategy: str
    seed: int
    documents: int
    duplicate_documents: int
    languages: dict[str, int]
    fields: dict[str, Column]
    attachments: int
    attachment_bytes: int
    size: int | None
    size_low: int | None
    size_high: int | None
    size_source: str
    hit_rate: float | None
    hit_rate_low: float | None
    hit_rate_high: float | None
    estimates: tuple[Estimate, ...]
    overlapping_rate: float | None
    queries: int
    result_pages: int
    rows_received: int
    probes: int
    probe_pages: int
    probe_rows: int
    probe_documents: int
    document_pages: int
    discovery_requests: int
    other_requests: int
    requests: int
    body_bytes: int
    budget: dict[str, BudgetLine]
    documents_failed: int
    documents_gone: int
    failed_documents: tuple[str, ...]
    placeholders: dict[str, int]
    disbelieved_pages: int
    truncated_queries: int
    unfinished_queries: int
    cuts: dict[Cut, int]
    truncations: tuple[Truncation, ...]
    limit: int | None
    limit_source: Literal["the source spec", "inferred from how answers end", "not known"]
    forms: str
    paging_losses: tuple[PagingLoss, ...]
    discrepancies: tuple[Odd, ...]
    robots: dict[str, int]
    robots_obeyed: bool
    robots_forbidden: tuple[str, ...]
    begun_at: str | None
    ended_at: str | None
    outcome: Outcome
    cause: Cause
    stopped: str
    target_coverage: float | None
    target_met: bool


def to_json(certificate: Certificate) -> bytes:
    """Return a certificate as indented JSON, with a final newline."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=2) + b"\n"


def certificate_schema() -> bytes:
    """Return the JSON Schema of a certificate, as docs/certificate.schema.json has it."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_dedented(msgspec.json.schema(Certificate)),
    }
    return msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2) + b"\n"


def _dedented(value: Any) -> Any:
    """Take indents out of all descriptions: from Python 3.13 on docstrings have none."""
    if isinstance(value, dict):
        return {
            name: cleandoc(each) if name == "description" else _dedented(each)
            for name, each in value.items()
        }
    return [_dedented(each) for each in value] if isinstance(value, list) else value


def chart_dicts(rows: list[ChartRow]) -> list[dict[str, Any]]:
    """Return the record chart as plain dictionaries, for JSON and CSV."""
    return [msgspec.structs.asdict(row) for row in rows]
