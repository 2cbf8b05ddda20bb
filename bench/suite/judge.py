"""Judge a harvest: rows, fields, requests, and whether its claims were true."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench.suite.harvesters import Haul, Row
from bench.suite.site import FIELDS, Log

from longline.model import Document

COMPLETE = 0.97
"""Share of documents from which a harvest may be called complete."""


@dataclass(frozen=True)
class Score:
    """One harvester on one task.

    Attributes:
        rows: Share of the documents that it returned.
        fields: Share of all authors, years, kinds and texts that it returned.
        requests: Requests that the site counted.
        cuts_named: Share of its cut searches that it reports as cut; None if none was cut.
        interval: Whether its interval contains the truth; None if it gives none.
        false_complete: It claims to be complete, and is not.
        says_nothing: It neither says what is missing nor that anything may be.
    """

    rows: float
    fields: float
    requests: int
    cuts_named: float | None
    interval: bool | None
    false_complete: bool
    says_nothing: bool

    @property
    def is_honest(self) -> bool:
        """Whether no claim is false, and missing documents are admitted."""
        silent = self.says_nothing and self.rows < COMPLETE
        return not (self.false_complete or self.interval is False or silent)


def judge(haul: Haul, truth: Sequence[Document], log: Log) -> Score:
    """Compare a haul with the truth.

    A row belongs to a document if the last part of its URL is the document's key. A field counts if
    any cell of the row equals its value; a text if the row's text has all its words in order.
    """
    held = {urlsplit(row["url"]).path.rpartition("/")[2]: row for row in haul.rows}
    found = [(document, held[document.key]) for document in truth if document.key in held]
    cells = sum(_filled(document, row) for document, row in found)
    interval = None
    if haul.low is not None:
        interval = haul.low <= len(truth) <= (haul.high if haul.high is not None else float("inf"))
    rows = len(found) / len(truth)
    return Score(
        rows=rows,
        fields=cells / (len(truth) * (len(FIELDS) + 1)),
        requests=log.requests,
        cuts_named=_named(haul, log),
        interval=interval,
        false_complete=haul.says_complete is True and rows < COMPLETE,
        says_nothing=haul.says_complete is None and haul.low is None and not haul.cut,
    )


def _filled(document: Document, row: Row) -> int:
    cells = {_spaced(cell) for cell in row.values()}
    has_text = _spaced(document.text) in _spaced(row.get("text", ""))
    return sum(_spaced(str(document.fields[name])) in cells for name in FIELDS) + has_text


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _named(haul: Haul, log: Log) -> float | None:
    if not log.cut:
        return None
    said = {_plain(each) for each in haul.cut}
    return sum(_plain(each) in said for each in log.cut) / len(log.cut)


def _plain(query: str) -> str:
    return " ".join(sorted(query.lower().replace("kind=", "").replace("*", "").split()))
