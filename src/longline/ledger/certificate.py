"""The results of a harvest for people and programs: the certificate, and the record chart."""

from inspect import cleandoc
from typing import Any, Literal

import msgspec

from longline.events import Cut, UpdateCounts
from longline.model.fields import Column
from longline.outcomes import Cause, Ending, Outcome

FORMAT = "longline certificate 1"

LEFT_OUT = "left-out.csv"
"""File in a harvest's folder with the addresses of `Certificate.left_out`, a list of sources."""

LINKED = "linked.csv"
"""File in a harvest's folder with the addresses that are `left` in `Certificate.linked`."""


class ChartRow(msgspec.Struct, frozen=True, kw_only=True):
    """One query in the record chart.

    The field names explain the thesis's symbols: reported = est mi, received = mi, new = ui,
    repeats = di, total_received = Mi, total_unique = Ni, query_overlapping_rate = or,
    overlapping_rate = OR, hit_rate = HR.

    Attributes:
        query: As it was sent.
        reported: Matching documents by the source's own count; null if it gives none.
        received: Rows of the answer; the true number of matches if nothing was cut.
        new: Documents among them received for the first time.
        repeats: Documents among them received before.
        total_received: Rows so far.
        total_unique: Different documents so far.
        query_overlapping_rate: Rows of this query per new document.
        overlapping_rate: The same for all queries up to this one; null before any row.
        hit_rate: Share held of the size as given or currently estimated; null without a size.
        result_pages: Pages requested.
        cuts: How the answer was cut; empty if it was not.

    Source: Fu 2011, Table 10.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> row = harvest.queries[0]
        >>> row.received == row.new + row.repeats
        True
    """

    query: str
    reported: int | None
    received: int
    new: int
    repeats: int
    total_received: int
    total_unique: int
    query_overlapping_rate: float | None
    overlapping_rate: float | None
    hit_rate: float | None
    result_pages: int
    cuts: tuple[Cut, ...]


CHART_COLUMNS = (
    "search", "reported", "received", "new", "repeated", "received so far", "new so far",
    "repeats per new", "coverage", "cut",
)  # fmt: skip
"""Headings of the record chart for people."""


class Truncation(msgspec.Struct, frozen=True):
    """A query whose answer was cut.

    Attributes:
        query: As it was sent.
        cut: The kind of cut.
        reported: Matching documents by the source's own count; null if it gives none.
        received: Rows received.
        inferred: It was cut by a return limit that was inferred from many answers.
    """

    query: str
    cut: Cut
    reported: int | None
    received: int
    inferred: bool = False


class Estimate(msgspec.Struct, frozen=True):
    """One estimate of the source's size.

    Attributes:
        name: The method.
        documents: Estimated number of documents.
        low: Lower end of the 95 % interval.
        high: Upper end of the 95 % interval; null if there is no upper bound.
    """

    name: str
    documents: int
    low: int
    high: int | None


class Odd(msgspec.Struct, frozen=True):
    """An inconsistent answer.

    Attributes:
        query: The query where it was seen.
        kind: The kind of inconsistency; docs/reference/outcomes.md lists them.
        reported: The expected number.
        found: The actual number.
    """

    query: str
    kind: str
    reported: float
    found: float


class PagingLoss(msgspec.Struct, frozen=True):
    """Rows of a query that its pages lost, because pages repeated or left out rows.

    Attributes:
        query: As it was sent.
        lost: Number of rows.
        repaired: Documents that queries for parts of it brought.
    """

    query: str
    lost: int
    repaired: int


class LinkedPages(msgspec.Struct, frozen=True):
    """Pages with addresses like those of documents, which saved pages link to and no search showed.

    Attributes:
        documents: How many documents were found so; they are saved like others.
        dropped: How many others were read: without a text, or with that of a saved document.
        left: How many were not read.
    """

    documents: int
    dropped: int
    left: int


class BudgetLine(msgspec.Struct, frozen=True):
    """One limit of the last run.

    Attributes:
        allowed: The limit.
        used: What was used of it; null if not known any more.
    """

    allowed: float
    used: float | None


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """Forecast of the saved documents after more requests.

    Attributes:
        requests: How many more.
        is_to_the_end: True if these are all the budget still allows; False if as many again as were
            sent.
        documents: Saved then.
        low, high: Ends of its 90 % interval.
        seconds: Time they take at the pace of the last minute; null if unknown.
    """

    requests: int
    is_to_the_end: bool
    documents: int
    low: int
    high: int
    seconds: int | None


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What was saved, what it cost, and what is missing.

    Attributes:
        format: "longline certificate 1".
        source: The source's name.
        strategy: How queries were chosen.
        seed: Of the random numbers.
        documents: Different documents held, including those found only by probes.
        duplicate_documents: Documents held with another key but the same text as an earlier one.
            Documents without a text do not count.
        cut_texts: Documents held with only a part of their text: those whose page or data say that
            it goes on, whose page broke off or ends with a request to log in that others end with,
            too, or has little of what result pages show of it; pieces from result pages, which
            begin or end with "…", and texts that are only the title; if they are more than a tenth
            of all documents, those without the words of the searches that found them.
        other_layouts: Documents held whose pages have no text where the spec expects it, but show
            what their hits say: the text of the main part is held, which may contain menus.
        languages: Documents held per language, most first: ISO 639 codes, or the source's own
            words; "unknown" if neither source nor page gives it and the text is not clear.
        fields: Other data of documents besides title, text and language: for each name its type,
            how many documents have it (`filled`) `of` how many, whether some have several values
            (`many`), and how many values do not fit the type in the source spec (`unfit`): if there
            are any, the type is text, and no value is lost.
        attachments: Files that belong to documents.
        attachment_bytes: Of all these.
        attachments_unread: How many files have no text, or were not kept, by reason.
        files_left: How many documents are files that were not kept, by media type. They are also
            counted in `documents_failed`.
        size: Documents behind the search box, including unreadable ones; null if unknown.
        size_low, size_high: Ends of its 95 % interval. Both equal `size` if the user gave it.
            `size_high` alone is null if there is no upper bound.
        size_source: How the size is known: from the user, or from so many probes.
        hit_rate: The share held, `documents / size`; null if the size is unknown.
        hit_rate_low, hit_rate_high: Ends of its 95 % interval.
        estimates: Every estimate of the size: by probes; by cells, the exact totals of queries that
            share no document; by totals, if every answer gives the number of documents; and, for
            comparison only, chao1, petersen and overlap.
        overlapping_rate: Rows received per different document, at least 1, by the harvest's own
            queries; null before the first.
        queries: Different queries of the harvest itself, including the sample's.
        result_pages: Result pages received.
        rows_received: Hits on these, including repeats.
        probes: Queries that were sent to estimate the size.
        probe_pages: Their result pages.
        probe_rows: Hits on these.
        probe_documents: Documents held that only probes found.
        document_pages: Documents' own pages received.
        discovery_requests: Requests to find and learn the source.
        other_requests: robots.txt, the form's page, redirects, retries.
        requests: All requests sent.
        body_bytes: Decoded bytes of all answers. If a run was killed, only those recorded.
        budget: Limits of the last run, by name, and what is used of them.
        documents_failed: Listed documents that could not be fetched, even after retries.
        documents_gone: How many of these do not exist according to the source (404 or 410). A few
            are not counted as missing; above 3 in 100 the outcome is partial.
        failed_documents: The failed documents, each with its reason.
        placeholders: How many documents each placeholder page (a login, "not available") replaced,
            by its title. None of these documents is held.
        disbelieved_pages: Result pages received empty while the source answered every query so, or
            incomplete. The next run requests them again.
        truncated_queries: Queries whose answer was cut in any way, unless they were split.
        split_queries: Queries whose answer was cut, and whose parts were queried instead.
        unfinished_queries: Queries with more pages than were requested: by choice, or because the
            harvest stopped.
        cuts: How many queries were cut, by the kind of cut.
        truncations: Every cut, query by query.
        limit: The return limit; null if there is none, or it is unknown.
        limit_source: How the limit is known.
        forms: The rule by which the source treats spellings as one word, inferred from answers:
            "fold" (accents), "plural", a language's stems; "" if none, or unknown.
        paging_losses: Queries that lost rows between their pages.
        discrepancies: Other inconsistent answers.
        robots: HTTP status of the robots.txt of each origin.
        robots_obeyed: False if the user chose to ignore it.
        robots_forbidden: Keys of documents forbidden by robots.txt, or by the guard against private
            addresses.
        left_out: Pages of the site's other searches, which this harvest leaves out.
        linked: Pages like documents that no search showed; null if saved pages link to none.
        begun_at: First entry of the journal, ISO 8601, UTC.
        ended_at: Last entry of the journal.
        outcome: How it ended, one of seven words; "" while a run is going on.
        cause: Why it is partial or blocked.
        stopped: Why it ended, for people, with the next step; "" while a run is going on.
        target_coverage: The requested share; null if none was given.
        target_met: Whether it is complete, or surely holds the requested share. The exit code is
            then 0.
        update: For an update, how its documents compare with the previous harvest.
        forecast: What more requests would bring; null if there is nothing more to request, or too
            little data.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> certificate = harvest.certificate
        >>> certificate.outcome, certificate.cause, certificate.documents == len(harvest.documents)
        ('partial', 'budget', True)
    """

    format: str = FORMAT
    source: str
    strategy: str
    seed: int
    documents: int
    duplicate_documents: int
    cut_texts: int = 0
    other_layouts: int = 0
    languages: dict[str, int]
    fields: dict[str, Column]
    attachments: int
    attachment_bytes: int
    attachments_unread: dict[str, int]
    files_left: dict[str, int]
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
    left_out: tuple[str, ...] = ()
    linked: LinkedPages | None = None
    begun_at: str | None
    ended_at: str | None
    outcome: Outcome | Literal[""]
    cause: Cause
    stopped: str
    target_coverage: float | None
    target_met: bool
    update: UpdateCounts | None = None
    forecast: Forecast | None = None
    split_queries: int = 0

    @property
    def documents_unread(self) -> int:
        """How many failed documents may come if tried again: not gone, forbidden, or files."""
        others = self.documents_gone + len(self.robots_forbidden) + sum(self.files_left.values())
        return self.documents_failed - others

    def __repr__(self) -> str:
        """Name the source, and summarise the result in a few lines; attributes have the rest."""
        size = "not known" if self.size is None else f"{self.size:,}"
        if self.size_low != self.size_high:
            high = "?" if self.size_high is None else f"{self.size_high:,}"
            size += f" ({self.size_low or 0:,} to {high})"
        ending = Ending(self.outcome, self.cause) if self.outcome else "a run is going on"
        return (
            f"<Certificate of {self.source}: {ending}\n"
            f" documents={self.documents:,}, size={size}, "
            f"documents_failed={self.documents_failed:,}\n"
            f" queries={self.queries:,}, truncated_queries={self.truncated_queries:,}, "
            f"requests={self.requests:,}\n"
            f" stopped: {self.stopped}>"
        )


def to_json(certificate: Certificate) -> bytes:
    """Return a certificate as indented JSON, with a final newline."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=2) + b"\n"


def certificate_schema() -> bytes:
    """Return a certificate's JSON Schema, as in docs/reference/certificate.schema.json."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_dedented(msgspec.json.schema(Certificate)),
    }
    return msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2) + b"\n"


def _dedented(value: Any) -> Any:
    """Remove indents from all descriptions: from Python 3.13 on docstrings have none."""
    if isinstance(value, dict):
        return {
            name: cleandoc(each) if name == "description" else _dedented(each)
            for name, each in value.items()
        }
    return [_dedented(each) for each in value] if isinstance(value, list) else value
