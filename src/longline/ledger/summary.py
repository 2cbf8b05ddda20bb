"""Sum up a harvest: make a certificate from its ledger."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from longline.events import SizeEstimate
from longline.ledger._forecast import forecast_of
from longline.ledger._queries import paging_losses, truncations
from longline.ledger._size import as_estimate
from longline.ledger.certificate import BudgetLine, Certificate, Estimate, LinkedPages, Odd
from longline.ledger.ledger import Ledger
from longline.ledger.metrics import known
from longline.model.fields import Column

UNKNOWN = "unknown"
"""Language of documents whose language is unknown."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts about a harvest that are not in its journal.

    Attributes:
        source: URL where it started.
        strategy: How its queries were chosen.
        seed: Of its random generator.
        size_source: Who gave the size.
        begun_at, ended_at: ISO 8601, UTC.
        budget: Limits of the last run, and what it used.
        robots_obeyed: Whether robots.txt was obeyed.
        target_coverage: The requested share.
        fields: Other data of documents besides title and text, by name.
        attachments: Files that belong to documents; `attachment_bytes` is their total size.
        attachments_unread: How many files have no text, or were not kept, by reason.
        pace: Recent requests per second; None if unknown.
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
    pace: float | None = None


def certificate_of(ledger: Ledger, facts: Facts = Facts()) -> Certificate:
    """Make the certificate of a harvest from its ledger.

    >>> certificate_of(Ledger(size=4), Facts(source="https://x.example/")).documents
    0
    """
    ending = ledger.stopped.ending
    parts = (_size(ledger, facts.size_source), _cost(ledger), _cut(ledger))
    told = {name: value for name, value in vars(facts).items() if name != "pace"}
    return Certificate(
        robots=dict(ledger.robots),
        outcome=ending.outcome,
        cause=ending.cause,
        stopped=ledger.stopped.reason,
        target_met=ledger.stopped.target_met,
        update=ledger.updated.counts if ledger.updated else None,
        forecast=forecast_of(ledger, facts.budget, facts.pace),
        **reduce(or_, (told, *parts, ledger.failures.summed_up())),
    )


def _size(ledger: Ledger, given_by: str) -> dict[str, Any]:
    found = ledger.believed(given_by)
    held = ledger.documents
    return {
        "documents": held,
        "duplicate_documents": ledger.texts.duplicates,
        "cut_texts": ledger.cut_texts,
        "other_layouts": ledger.texts.other_layouts,
        "languages": _languages(ledger),
        "size": found.size,
        "size_low": found.low,
        "size_high": found.high,
        "size_source": found.source,
        "hit_rate": _share(held, found.size),
        "hit_rate_low": None if found.size is None else _share(held, found.high) or 0.0,
        "hit_rate_high": _share(held, found.low),
        "estimates": tuple(_estimates(ledger)),
    }


def _languages(ledger: Ledger) -> dict[str, int]:
    counts = Counter[str]()
    for language, documents in ledger.held.languages().items():
        counts[language or UNKNOWN] += documents
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _estimates(ledger: Ledger) -> Iterator[Estimate]:
    found = ledger.concluded
    if found is not None and found.size is not None:
        yield as_estimate(found.size)
    if found is not None and found.at_least:
        least = float(found.at_least)
        yield as_estimate(SizeEstimate(documents=least, low=least, high=None, method="cells"))
    if ledger.updated is not None and ledger.updated.size is not None:
        yield as_estimate(ledger.updated.size)
    yield from map(as_estimate, ledger.held.estimates(ledger.rows_received))


def _cost(ledger: Ledger) -> dict[str, Any]:
    told = (
        ledger.result_pages + ledger.probe_pages + ledger.document_pages + ledger.discovery_requests
    )
    return {
        "overlapping_rate": known(ledger.overlapping_rate),
        "queries": ledger.queries,
        "result_pages": ledger.result_pages,
        "rows_received": ledger.rows_received,
        "probes": ledger.probes,
        "probe_pages": ledger.probe_pages,
        "probe_rows": ledger.probe_rows,
        "probe_documents": ledger.held.only_probed,
        "document_pages": ledger.document_pages,
        "discovery_requests": ledger.discovery_requests,
        "other_requests": ledger.requests - told,
        "requests": ledger.requests,
        "body_bytes": ledger.body_bytes,
    }


def _cut(ledger: Ledger) -> dict[str, Any]:
    inferred = ledger.inferred_limit()
    ledgers = ledger.query_ledgers.items()
    each = [truncations(query, sums, inferred) for query, sums in ledgers]
    named = tuple(truncation for of_query in each for truncation in of_query)
    sources = "not known", "inferred from how answers end", "the source spec"
    limit = inferred if ledger.limit is None else ledger.limit
    losses = tuple(loss for _, loss in paging_losses(ledger.query_ledgers, limit))
    return {
        "left_out": ledger.left_out,
        "linked": _linked(ledger),
        "truncated_queries": sum(map(bool, each)),
        "split_queries": sum(s.is_split and "capped" in s.cuts for _, s in ledgers),
        "unfinished_queries": sum(sums.is_unfinished for _, sums in ledgers),
        "cuts": dict(Counter(truncation.cut for truncation in named)),
        "truncations": named,
        "limit": limit,
        "limit_source": sources[2 if ledger.limit is not None else inferred is not None],
        "forms": ledger.concluded.forms if ledger.concluded else "",
        "paging_losses": losses,
        "discrepancies": tuple(dict.fromkeys(_odd(ledger))),
    }


def _linked(ledger: Ledger) -> LinkedPages | None:
    linked = ledger.linked
    found = LinkedPages(linked.saved, linked.dropped, len(linked.not_held()))
    return None if found == LinkedPages(0, 0, 0) else found


def _odd(ledger: Ledger) -> Iterator[Odd]:
    """Yield inconsistencies, from the ledger and from the policy."""
    for query, sums in ledger.query_ledgers.items():
        if sums.changed:
            yield Odd(str(query), "total changed", *sums.changed)
        if sums.relation == "exact" and (sums.reported or 0) < len(sums.documents):
            yield Odd(str(query), "count", sums.reported or 0, len(sums.documents))
        if sums.others:
            yield Odd(str(query), "stand-ins", sums.others, 0)
    for each in ledger.concluded.discrepancies if ledger.concluded else ():
        yield Odd(str(each.query), each.kind, each.reported, each.found)


def _share(held: int, size: int | None) -> float | None:
    return None if not size else min(1.0, held / size)
