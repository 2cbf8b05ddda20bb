"""What a person sees: progress while it works, and a summary at the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from longline.account import Account, Certificate
from longline.cli._progress import showing, span
from longline.events import AnyEvent
from longline.harvest import Observer
from longline.outcomes import Ending

ENOUGH_FOR_A_PACE = 20
"""Documents of a run after which it is said how long the rest takes."""

MOST_CUT = 5
"""Queries named in a summary; the certificate names all."""

MOST_LANGUAGES = 8
"""Languages named in a summary; the certificate names all."""

LOSS = ("lost", "repaired")


@contextmanager
def progress(most: int | None = None) -> Iterator[Observer]:
    """Show how a harvest goes.

    Args:
        most: Requests that it may send.
    """
    started = time.monotonic()
    begun: list[tuple[int, int]] = []

    with showing("asking") as tell:

        def observe(event: AnyEvent, account: Account) -> None:
            if not begun:
                begun.append((account.documents, account.requests - 1))
            documents, requests = begun[0]
            pace = Pace(
                account.documents - documents,
                account.requests - requests,
                max(time.monotonic() - started, 1e-3),
            )
            tell(state(account, pace, most), account.documents, account.expected_size)

        yield observe


class Pace(NamedTuple):
    """What came in a run by now, and in how many seconds."""

    documents: int
    requests: int
    seconds: float


def state(account: Account, pace: Pace, most: int | None = None) -> str:
    """Say in a line how a harvest stands; what is left takes no less time than what came."""
    size = account.expected_size
    parts = [f"{account.documents:,}{f' of about {size:,}' if size else ''} documents"]
    if account.documents_failed:
        parts.append(f"{account.documents_failed:,} failed")
    if size and pace.documents >= ENOUGH_FOR_A_PACE:
        left = max(0, size - account.documents) * pace.seconds / pace.documents
        parts.append(f"at least {span(left)} left")
    parts.append(f"{account.requests:,}{f' of {most:,}' if most else ''} requests")
    rate = pace.requests / pace.seconds
    parts.append(f"{rate:.{0 if rate >= 10 else 1}f}/s")
    if account.rows_received:
        parts.append(f"OR {account.overlapping_rate:.2f}")
    return ", ".join(parts)


def summary(certificate: Certificate) -> str:
    """Say in a few lines what was got, what it cost, and what was not got.

    HR is the share held, OR the rows received per different document.
    """
    return "\n".join(
        [
            f"outcome    {Ending(certificate.outcome, certificate.cause)}",
            *_got(certificate),
            *_cost(certificate),
            *_not_got(certificate),
            *_odd(certificate),
            f"stopped    {certificate.stopped}",
        ]
    )


def _got(certificate: Certificate) -> Iterator[str]:
    held, size = certificate.documents, certificate.size
    if size is None:
        least = certificate.size_low
        number = "an unknown number" if least is None else f"at least {least:,}"
        yield f"held       {held:,} documents of {number}"
        if certificate.size_source.startswith("not known:"):
            yield f"size       {certificate.size_source}"
    elif certificate.size_low == certificate.size_high == size:
        missing = max(0, size - held)
        yield (
            f"held       {held:,} of {size:,} documents ({certificate.size_source}): "
            f"{missing:,} not reached"
        )
        yield from _estimated(certificate)
    else:
        yield f"held       {held:,} of about {size:,} documents: {_missing(certificate)}"
        yield f"size       {_between(certificate)}, by {certificate.size_source}"
    hr = "unknown" if certificate.hit_rate is None else f"{certificate.hit_rate:.3f}"
    low, high = certificate.hit_rate_low, certificate.hit_rate_high
    if low is not None and high is not None and low < high:
        hr += f" ({low:.3f} to {high:.3f})"
    overlap = certificate.overlapping_rate
    yield f"rates      HR {hr}, OR {'unknown' if overlap is None else f'{overlap:.3f}'}"
    if certificate.languages:
        named = [f"{count:,} {name}" for name, count in certificate.languages.items()]
        others = f" and {len(named) - MOST_LANGUAGES} more" if len(named) > MOST_LANGUAGES else ""
        yield f"languages  {', '.join(named[:MOST_LANGUAGES])}{others}"


def _estimated(certificate: Certificate) -> Iterator[str]:
    """Say what probes believed, where the size was given all the same."""
    for each in certificate.estimates:
        if each.name == "probes":
            end = "more" if each.high is None else f"{each.high:,}"
            yield f"estimate   by probes alone {each.documents:,} ({each.low:,} to {end}, 95 %)"


def _missing(certificate: Certificate) -> str:
    """Say in plain words how many documents may not be held."""
    held, low, high = certificate.documents, certificate.size_low, certificate.size_high
    if high is None:
        return "how many are missing is not known"
    least, most = max(0, (low or 0) - held), high - held
    if most <= 0:
        return "none seems to be missing"
    return f"up to {most:,} missing" if least == 0 else f"{least:,} to {most:,} missing"


def _between(certificate: Certificate) -> str:
    low, high = certificate.size_low, certificate.size_high
    return f"at least {low:,}" if high is None else f"between {low:,} and {high:,} (95 %)"


def _cost(certificate: Certificate) -> Iterator[str]:
    yield (
        f"cost       {certificate.queries:,} queries: {certificate.result_pages:,} result pages, "
        f"{certificate.document_pages:,} document pages, {certificate.other_requests:,} other "
        f"requests"
    )
    if certificate.probes:
        yield (
            f"probes     {certificate.probes:,} more queries to estimate the size: "
            f"{certificate.probe_pages:,} result pages, "
            f"{certificate.probe_documents:,} documents of their own"
        )
    for name, line in certificate.budget.items():
        used = "" if line.used is None else f"{line.used:,.10g} of "
        yield f"budget     {used}{line.allowed:,.10g} {name.replace('_', ' ')}"


def _not_got(certificate: Certificate) -> Iterator[str]:
    if failed := certificate.documents_failed - certificate.documents_gone:
        yield f"failed     {failed:,} documents were listed but did not come; longline retry"
    if certificate.documents_gone:
        yield f"gone       {certificate.documents_gone:,} documents are listed, but do not exist"
    for title, documents in certificate.placeholders.items():
        yield f"not kept   {title!r} came in the place of {documents:,} documents"
    if certificate.disbelieved_pages:
        pages = certificate.disbelieved_pages
        yield f"doubted    {pages:,} empty answers; the next run asks for them again"
    if certificate.robots_forbidden:
        yield f"forbidden  {len(certificate.robots_forbidden):,} of them by robots.txt or the guard"
    if certificate.unfinished_queries:
        left = certificate.unfinished_queries
        yield f"left       {left:,} queries had more pages than were asked for"
    if not certificate.truncated_queries:
        yield "cut        no query was cut"
        return
    ways = ", ".join(f"{count:,} {cut}" for cut, count in sorted(certificate.cuts.items()))
    if certificate.limit_source.startswith("inferred"):
        ways += f" (a return limit of {certificate.limit:,}, {certificate.limit_source})"
    yield f"cut        {certificate.truncated_queries:,} queries were cut: {ways}"
    worst = sorted(
        certificate.truncations, key=lambda each: (each.claimed or 0) - each.received, reverse=True
    )
    for each in worst[:MOST_CUT]:
        claimed = "" if each.claimed is None else f" of {each.claimed:,} claimed"
        yield f"           {each.query!r} {each.cut}: {each.received:,} received{claimed}"
    if len(worst) > MOST_CUT:
        yield f"           and {len(worst) - MOST_CUT:,} more; the certificate names all"


def _odd(certificate: Certificate) -> Iterator[str]:
    """Say how the source reads words, and what did not add up."""
    if certificate.forms:
        yield f"forms      the source takes forms of a word for one: {certificate.forms}"
    losses = certificate.paging_losses
    if losses:
        lost, repaired = (sum(getattr(each, name) for each in losses) for name in LOSS)
        yield (
            f"lost       {lost:,} rows between the pages of {len(losses):,} queries; "
            f"{repaired:,} documents of them came by other queries"
        )
    odd = certificate.discrepancies
    if not odd:
        return
    kinds = Counter(each.kind for each in odd).most_common()
    yield f"odd        {len(odd):,} things do not add up: " + ", ".join(
        f"{count:,} {kind}" for kind, count in kinds
    )
    for each in odd[:MOST_CUT]:
        found = f"{each.claimed:,g} claimed, {each.found:,g} found"
        yield f"           {each.query!r} {each.kind}: {found}"
