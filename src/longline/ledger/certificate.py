"""What a harvest leaves for people and programs: the certificate, and rows of the record chart."""

from inspect import cleandoc
from typing import Any, Literal

import msgspec

from longline.events import Cut, UpdateCounts
from longline.model.fields import Column
from longline.outcomes import Cause, Ending, Outcome

FORMAT = "longline certificate 1"

RUNNING = "a run is going on"
"""What `stopped` begins with while that is so."""


class ChartRow(msgspec.Struct, frozen=True, kw_only=True):
    """One query in the record chart.

    The field names say what the thesis's symbols stand for: reported = est mi, received = mi,
    new = ui, repeats = di, total_received = Mi, total_unique = Ni, query_overlapping_rate
    = or, overlapping_rate = OR, hit_rate = HR.

    Attributes:
        query: As it was sent.
        reported: Documents that the source says it matches; null where it says nothing.
        received: Rows that the query gave. The true number of matches where nothing was cut.
        new: Of these, documents that came for the first time.
        repeats: Of these, documents that had come before.
        total_received: Rows so far.
        total_unique: Different documents so far.
        query_overlapping_rate: Rows of this query per new document.
        overlapping_rate: The same up to and with this query; null while nothing is received.
        hit_rate: Share held, by the size as given or as estimated now; null where there is neither.
        result_pages: Pages that were asked for.
        cuts: How the answer fell short; empty when it did not.

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


class Truncation(msgspec.Struct, frozen=True):
    """A query whose answer was cut.

    Attributes:
        query: As it was sent.
        cut: In which way.
        reported: Documents that the source says it matches; null where it says nothing.
        received: Rows that came.
        inferred: It was capped by a return limit that nobody gave, but that many answers show.
    """

    query: str
    cut: Cut
    reported: int | None
    received: int
    inferred: bool = False


class Estimate(msgspec.Struct, frozen=True):
    """One estimate of the source's size.

    Attributes:
        name: The way it was made.
        documents: How many there are.
        low: Least number, 95 % sure.
        high: Greatest number, 95 % sure; null where nothing bounds it.
    """

    name: str
    documents: int
    low: int
    high: int | None


class Odd(msgspec.Struct, frozen=True):
    """Something that does not add up.

    Attributes:
        query: The query where it was seen.
        kind: What was seen; docs/reference/outcomes.md lists the kinds.
        reported: What should be.
        found: What is.
    """

    query: str
    kind: str
    reported: float
    found: float


class PagingLoss(msgspec.Struct, frozen=True):
    """Rows of a query that its pages lost, by repeating or leaving out others.

    Attributes:
        query: As it was sent.
        lost: How many rows.
        repaired: Documents that queries for parts of the same came up with later.
    """

    query: str
    lost: int
    repaired: int


class BudgetLine(msgspec.Struct, frozen=True):
    """One bound of the last run.

    Attributes:
        allowed: What was set.
        used: What was used of that; null where it is not known any more.
    """

    allowed: float
    used: float | None


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What a harvest will have saved after further requests, if it goes on as it did.

    Attributes:
        requests: How many more.
        is_to_the_end: They are what the budget allows yet; else as many again as were sent.
        documents: Saved then.
        low, high: Ends of the 90 % interval of that.
        seconds: That they take at the pace of the last minute; null where that is not known.
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
        source: What was harvested: the source's name.
        strategy: How queries were chosen.
        seed: Of the random numbers.
        documents: Different documents that are held, those that only probes brought included.
        duplicate_documents: Of these, how many have a key of their own and the same text as one
            that came before. Documents without a text do not count.
        cut_texts: Documents that are held with a part of their text alone: what a result page shows
            of it, which begins or ends with "…", or a page's own text that is its title and nothing
            more. With --listing-only those without a text, too. Where more than a quarter of
            all documents lack the words of the searches that found them, those that do.
        languages: Documents held of each language, most first: ISO 639 codes, or the source's own
            words; "unknown" where neither source nor page says it and the text is not clear.
        fields: What documents have besides title, text and language: for each name its type, how
            many documents have it (`filled`) `of` how many, whether some have several values
            (`many`), and how many values are not of the type that the source spec says (`unfit`):
            where there are any, the type is text, and no value is lost.
        attachments: Files that belong to documents.
        attachment_bytes: Of all these.
        attachments_unread: Why files have no text, or were not kept, with how many.
        files_left: Media types of documents that are files and were not kept, with how many. They
            are counted among `documents_failed`, too.
        size: Documents behind the search box, those that cannot be read included; null where it
            is not known.
        size_low, size_high: Ends of its 95 % interval. Both are `size` where the user gave that.
            `size_high` alone is null where nothing bounds it above.
        size_source: How the size is known: from the user, or from so many probes.
        hit_rate: The share held, `documents / size`; null where the size is not known.
        hit_rate_low, hit_rate_high: Ends of its 95 % interval.
        estimates: Every estimate of the size: by probes; by cells, the exact totals of queries that
            share no document; by totals, where every answer says how many documents there are;
            and, for comparison only, chao1, petersen and overlap.
        overlapping_rate: Rows received per different document, at least 1, by the harvest's own
            queries; null before the first.
        queries: Different queries of the harvest itself, the sample's included.
        result_pages: Pages of their results that came.
        rows_received: Hits on these, repeats included.
        probes: Queries that were sent to estimate the size.
        probe_pages: Pages of their results.
        probe_rows: Hits on these.
        probe_documents: Documents that are held thanks to probes alone.
        document_pages: Documents' own pages that came.
        discovery_requests: What finding and learning the source cost.
        other_requests: robots.txt, the form's page, redirects, retries.
        requests: All that were sent.
        body_bytes: Bytes of all answers, decoded. Of a run that was killed, as far as was recorded.
        budget: What was allowed in the last run, by name, and what is used of it.
        documents_failed: Documents that were listed and did not come, although retried.
        documents_gone: Of these, how many the source says do not exist (404 or 410). They are not
            missing where they are few; above 3 in 100 the outcome is partial.
        failed_documents: Those that did not come, each with its reason.
        placeholders: Pages that came in the place of many documents (a login, "not available"), by
            title, with how many. None of these documents is held.
        disbelieved_pages: Empty result pages that came while the source answered every query so.
            The next run asks for them again.
        truncated_queries: Queries whose answer was cut in any way.
        unfinished_queries: Queries that had more pages than were asked for: by choice, or
            because the harvest stopped.
        cuts: How many queries were cut in each way.
        truncations: Every cut, query by query.
        limit: The return limit; null where there is none, or none is known.
        limit_source: How the limit is known.
        forms: The rule by which the source takes spellings for one word, as its answers show:
            "fold" (accents), "plural", a language's stems; "" where there is none, or none is
            known.
        paging_losses: Queries that lost rows between their pages.
        discrepancies: What else did not add up.
        robots: HTTP status of the robots.txt of each origin.
        robots_obeyed: False where the user said to ignore it.
        robots_forbidden: Keys of documents that robots.txt, or the guard against private
            addresses, kept out.
        left_out: Pages of the site's other searches, which this harvest leaves out.
        begun_at: First entry of the journal, ISO 8601, UTC.
        ended_at: Last entry of the journal.
        outcome: How it ended, one of seven words.
        cause: Why it is partial or blocked.
        stopped: Why it ended, for people, with the next step.
        target_coverage: The share that was aimed at; null where none was.
        target_met: Whether it is complete, or the share aimed at is shown to be held. Then the
            exit code is 0.
        update: Of an update, how its documents stand to those of the harvest before.
        forecast: What further requests would bring; null where there is nothing more to ask for, or
            nothing tells.

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
    begun_at: str | None
    ended_at: str | None
    outcome: Outcome
    cause: Cause
    stopped: str
    target_coverage: float | None
    target_met: bool
    update: UpdateCounts | None = None
    forecast: Forecast | None = None

    def __repr__(self) -> str:
        """Name the source, and say in a few lines how it stands; the attributes have the rest."""
        size = "not known" if self.size is None else f"{self.size:,}"
        if self.size_low != self.size_high:
            high = "?" if self.size_high is None else f"{self.size_high:,}"
            size += f" ({self.size_low or 0:,} to {high})"
        ending = Ending(self.outcome, self.cause)
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
    """Return the JSON Schema of a certificate, as docs/reference/certificate.schema.json has it."""
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
