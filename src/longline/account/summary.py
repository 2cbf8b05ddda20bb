"""A harvest summed up: its books as a certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from longline.account._books import paging_losses
from longline.account._size import as_estimate
from longline.account.books import Account, known, truncations
from longline.account.certificate import BudgetLine, Certificate, Estimate, Odd
from longline.events import SizeEstimate
from longline.fields import Column

UNKNOWN = "unknown"
"""In the place of the language of documents whose language is not known."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the journal does not say of a harvest.

    Attributes:
        source: Where it began, a URL.
        strategy: What chose its queries.
        seed: Of its random generator.
        size_source: Who gave the size.
        begun_at, ended_at: ISO 8601, UTC.
        budget: What the last run was allowed, and used.
        robots_obeyed: Whether robots.txt was.
        target_coverage: The share that was aimed at.
        fields: What the documents have besides title and text, by name.
        attachments: Files that belong to documents; `attachment_bytes` of all these.
        attachments_unread: Why files have no text, or were not kept, with how many.
    """

    source: str = ""
    strategy: str = ""
    seed: int = 0
    size_source: str = "given by the user"
    begun_at: str | None = None
    ended_at: str | None = None
    budget: dict[str, BudgetLine] = field(default_factory=dict)
    robots_obeyed: bool = True
    target_coverage: float | None = None
    fields: dict[str, Column] = field(default_factory=dict)
    attachments: int = 0
    attachment_bytes: int = 0
    attachments_unread: dict[str, int] = field(default_factory=dict)


def certificate_of(account: Account, facts: Facts = Facts()) -> Certificate:
    """Sum up a harvest as its books stand.

    >>> certificate_of(Account(size=4), Facts(source="https://x.example/")).documents
    0
    """
    ending = account.stopped.ending
    parts = (_size(account, facts.size_source), _cost(account), _cut(account))
    return Certificate(
        source=facts.source,
        strategy=facts.strategy,
        seed=facts.seed,
        begun_at=facts.begun_at,
        ended_at=facts.ended_at,
        budget=facts.budget,
        robots=dict(account.robots),
        robots_obeyed=facts.robots_obeyed,
        target_coverage=facts.target_coverage,
        fields=facts.fields,
        attachments=facts.attachments,
        attachment_bytes=facts.attachment_bytes,
        attachments_unread=facts.attachments_unread,
        outcome=ending.outcome,
        cause=ending.cause,
        stopped=account.stopped.reason,
        target_met=account.stopped.target_met,
        update=account.updated.counts if account.updated else None,
        **reduce(or_, (*parts, account.failures.summed_up())),
    )


def _size(account: Account, given_by: str) -> dict[str, Any]:
    found = account.believed(given_by)
    held = account.documents
    return {
        "documents": held,
        "duplicate_documents": account.duplicates,
        "languages": _languages(account),
        "size": found.size,
        "size_low": found.low,
        "size_high": found.high,
        "size_source": found.source,
        "hit_rate": _share(held, found.size),
        "hit_rate_low": None if found.size is None else _share(held, found.high) or 0.0,
        "hit_rate_high": _share(held, found.low),
        "estimates": tuple(_estimates(account)),
    }


def _languages(account: Account) -> dict[str, int]:
    counts = Counter(language or UNKNOWN for language in account.held.values())
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _estimates(account: Account) -> Iterator[Estimate]:
    found = account.concluded
    if found is not None and found.size is not None:
        yield as_estimate(found.size)
    if found is not None and found.at_least:
        least = float(found.at_least)
        yield as_estimate(SizeEstimate(documents=least, low=least, high=None, method="cells"))
    if account.updated is not None and account.updated.size is not None:
        yield as_estimate(account.updated.size)
    yield from map(as_estimate, account.catches.estimates(account.rows_received))


def _cost(account: Account) -> dict[str, Any]:
    told = (
        account.result_pages
        + account.probe_pages
        + account.document_pages
        + account.discovery_requests
    )
    return {
        "overlapping_rate": known(account.overlapping_rate),
        "queries": account.queries,
        "result_pages": account.result_pages,
        "rows_received": account.rows_received,
        "probes": account.probes,
        "probe_pages": account.probe_pages,
        "probe_rows": account.probe_rows,
        "probe_documents": len(account.held.keys() - account.catches.keys()),
        "document_pages": account.document_pages,
        "discovery_requests": account.discovery_requests,
        "other_requests": account.requests - told,
        "requests": account.requests,
        "body_bytes": account.body_bytes,
    }


def _cut(account: Account) -> dict[str, Any]:
    inferred = account.inferred_limit()
    books = account.query_books.items()
    each = [truncations(query, book, inferred) for query, book in books]
    named = tuple(truncation for of_query in each for truncation in of_query)
    sources = "not known", "inferred from how answers end", "the source spec"
    limit = inferred if account.limit is None else account.limit
    losses = tuple(loss for _, loss in paging_losses(account.query_books, limit))
    return {
        "truncated_queries": sum(map(bool, each)),
        "unfinished_queries": sum(book.has_more for _, book in books),
        "cuts": dict(Counter(truncation.cut for truncation in named)),
        "truncations": named,
        "limit": limit,
        "limit_source": sources[2 if account.limit is not None else inferred is not None],
        "forms": account.concluded.forms if account.concluded else "",
        "paging_losses": losses,
        "discrepancies": tuple(dict.fromkeys(_odd(account))),
    }


def _odd(account: Account) -> Iterator[Odd]:
    """Yield what does not add up, as the books show it and as the thinker saw it."""
    for query, book in account.query_books.items():
        if book.changed:
            yield Odd(str(query), "total changed", *book.changed)
        if book.relation == "exact" and (book.claimed or 0) < len(book.keys):
            yield Odd(str(query), "count", book.claimed or 0, len(book.keys))
        if book.others:
            yield Odd(str(query), "stand-ins", book.others, 0)
    for each in account.concluded.discrepancies if account.concluded else ():
        yield Odd(str(each.query), each.kind, each.claimed, each.found)


def _share(held: int, size: int | None) -> float | None:
    return None if not size else min(1.0, held / size)
