"""Read a harvest from its folder: its documents, queries, responses and certificate."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from contextlib import closing
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longline.api.options import path_of
from longline.errors import InputError, option
from longline.events import AnyEvent, PageFailed, PageReceived, QueryCut
from longline.exports import table_of
from longline.harvester import (
    check_harvest,
    open_store,
    read_documents,
    read_ledger,
    spec_of_folder,
)
from longline.ledger import Certificate, ChartRow, Ledger, Step, allowed, in_words, next_steps
from longline.model import Document, Query
from longline.model.fields import Column
from longline.plugins import needed
from longline.source import Spec
from longline.store import Answer, TableStore
from longline.text.numbers import counted
from longline.text.safe import quoted

if TYPE_CHECKING:
    import pandas
    import pyarrow


def _has_unsent_form(folder: Path) -> bool:
    """Return whether a list was harvested as the search of the site is sent by POST."""
    try:
        first = (folder / "source.toml").read_text("utf-8").partition("\n")[0]
    except OSError:
        return False
    return first.startswith("# no search was learnt") and "by POST" in first


def answer(folder: Path, query: str, page: int | None = None) -> list[dict[str, Any]]:
    """Return the pages of one query: total, keys, next page, failures, cuts, kept responses.

    Args:
        folder: The harvest's folder.
        query: As the record chart writes it.
        page: Number of one page; None returns all, in order.

    Raises:
        InputError: The harvest never sent the query or the page; similar ones are named.
        FolderError: There is no harvest in the folder.
    """
    with closing(open_store(folder)) as store:
        asked, pages = _pages(store, folder, query)
        if page is not None:
            pages = {page: pages[page]} if page in pages else {}
        if not pages:
            raise InputError(
                f"page {page} of {query!r} was never asked for",
                advice=f"leave {option('page')} out",
            )
        for number, found in pages.items():
            found["answers"] = [_plain(each) for each in store.answers(asked, number)]
    return list(pages.values())


def _pages(store: TableStore, folder: Path, query: str) -> tuple[Query, dict[int, dict[str, Any]]]:
    """Return a query, and by page number the facts about each of its pages.

    Raises:
        InputError: There is no such query; similar ones are named.
    """
    asked: Query | None = None
    pages: dict[int, dict[str, Any]] = {}
    others: dict[str, None] = {}
    for event in store.events():
        its = getattr(event, "query", None)
        if its is None:
            continue
        if str(its) == query:
            asked = its
            _enter(pages, event)
        else:
            others[str(its)] = None
    if asked is None:
        near = difflib.get_close_matches(query, others, n=3)
        raise InputError(
            f"the harvest in {folder} never searched for {query!r}",
            advice=f"similar searches: {', '.join(map(repr, near))}"
            if near
            else f"`longline status {quoted(folder)} --json` lists all searches",
        )
    return asked, dict(sorted(pages.items()))


def _enter(pages: dict[int, dict[str, Any]], event: AnyEvent) -> None:
    """Add the facts of an event to the result page it is about."""
    if not isinstance(event, PageReceived | PageFailed | QueryCut):
        return
    found = pages.setdefault(event.number, {"page": event.number, "failures": [], "cuts": []})
    match event:
        case PageReceived(_, _, page, requests, probe):
            found |= {
                "reported": page.total and page.total.documents,
                "relation": page.total and page.total.relation,
                "received": len(page.hits),
                "keys": page.keys,
                "next_url": page.next and page.next.url,
                "requests": requests,
                "probe": probe,
            }
        case PageFailed(_, _, reason):
            found["failures"].append(reason)
        case QueryCut(_, cut):
            found["cuts"].append(cut)


def _plain(answer: Answer) -> dict[str, Any]:
    """Return a kept response as plain values; bytes that are not UTF-8 become escapes."""
    return {
        "url": answer.url,
        "status": answer.status,
        "content_type": answer.content_type,
        "body_bytes": answer.body_bytes,
        "kept_bytes": len(answer.body),
        "body": answer.body.decode("utf-8", "backslashreplace"),
    }


WIDE, HIGH = 320, 96
"""Width and height of the curve in a notebook, in pixels."""


class Documents(Collection[Document]):
    """The documents of a harvest, read from its folder each time they are needed.

    Args:
        folder: The harvest's folder.
        held: Number of documents.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> first = next(iter(harvest.documents))
        >>> harvest.documents[first.key].title == first.title
        True
    """

    def __init__(self, folder: Path, held: int) -> None:
        self._folder = folder
        self._held = held

    def __iter__(self) -> Iterator[Document]:
        return read_documents(self._folder)

    def __len__(self) -> int:
        return self._held

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._of(key) is not None

    def __getitem__(self, key: str) -> Document:
        if not isinstance(key, str):
            raise TypeError(
                f"documents are found by their keys, such as '42', not by {key!r}; for the first "
                "ones: list(itertools.islice(documents, 10))"
            )
        found = self._of(key)
        if found is None:
            raise KeyError(key)
        return found

    def _of(self, key: str) -> Document | None:
        with closing(open_store(self._folder)) as store:
            return store.document(key)

    def __repr__(self) -> str:
        return f"<{counted(self._held, 'document')} in {self._folder}>"


class Harvest:
    """The contents of a harvest folder, read when needed; `open` and `harvest` return it.

    Args:
        folder: The harvest's folder; the harvest may be running.

    Raises:
        FolderError: There is no harvest in it.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> len(harvest.documents) == harvest.certificate.documents
        True
        >>> print(harvest.certificate.outcome)
        partial
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = path_of(folder)
        check_harvest(self.folder)

    @cached_property
    def _read_ledger(self) -> tuple[Ledger, Certificate]:
        return read_ledger(self.folder)

    @property
    def certificate(self) -> Certificate:
        """What was saved and what is missing, at the time of the first access."""
        return self._read_ledger[1]

    @property
    def documents(self) -> Documents:
        """Every document, in order of arrival; `documents[key]` is one of them."""
        return Documents(self.folder, self.certificate.documents)

    @property
    def fields(self) -> dict[str, Column]:
        """Document fields besides title and text, each with its type and fill rate."""
        return self.certificate.fields

    @cached_property
    def queries(self) -> list[ChartRow]:
        """The record chart: one row for each query that was sent, in order."""
        return self._read_ledger[0].chart()

    @property
    def spec(self) -> Spec:
        """How the source is searched."""
        return spec_of_folder(self.folder)

    @property
    def next_steps(self) -> list[Step]:
        """What to do next, the best first, each with its command."""
        certificate, folder = self.certificate, str(self.folder)
        steps = next_steps(certificate, folder)
        if certificate.outcome == "partial" and _has_unsent_form(self.folder):
            again = f"{quoted(certificate.source)}{allowed(certificate)} --post"
            words = "If the site's form only searches, let it be sent by POST, into a new folder"
            command = f"longline harvest {again} -o {quoted(f'{folder}-by-post')}"
            steps.insert(0, Step(words, command))
        return steps

    def answer(self, query: str, page: int | None = None) -> list[dict[str, Any]]:
        """Return the pages of one query: total, keys, failures, cuts, kept responses."""
        return answer(self.folder, query, page)

    def to_arrow(self) -> pyarrow.Table:
        """Return the documents as an Arrow table, with a typed column for each field.

        Raises:
            InputError: pyarrow is not installed.
        """
        arrow = needed("pyarrow", "arrow")
        table = table_of(self.folder)
        return arrow.Table.from_batches(table.arrow_batches(arrow), table.arrow_schema(arrow))

    def to_pandas(self) -> pandas.DataFrame:
        """Return the documents as a data frame, with a column for each field.

        Raises:
            InputError: pandas or pyarrow is not installed.
        """
        needed("pandas", "pandas")
        return self.to_arrow().to_pandas()

    def __fspath__(self) -> str:
        return str(self.folder)

    def __repr__(self) -> str:
        found = self.certificate
        return (
            f"<Harvest {str(self.folder)!r} of {found.source}: "
            f"{counted(found.documents, 'document')}, {found.outcome or 'a run is going on'}>"
        )

    def __str__(self) -> str:
        return in_words(self.certificate, self.folder)

    def _repr_html_(self) -> str:
        """Return the verdict and a curve as HTML, for a notebook."""
        lines = escape(in_words(self.certificate, self.folder))
        return f"<div>{_curve(self.queries)}<pre>{lines}</pre></div>"


def _curve(rows: list[ChartRow]) -> str:
    """Draw the documents saved over the rows received, as SVG."""
    if not rows or not rows[-1].total_received:
        return ""
    x, y = WIDE / rows[-1].total_received, HIGH / max(rows[-1].total_unique, 1)
    step = max(1, len(rows) // WIDE)
    shown = [*rows[::step], rows[-1]]
    points = " ".join(
        f"{row.total_received * x:.1f},{HIGH - row.total_unique * y:.1f}" for row in shown
    )
    held, received = rows[-1].total_unique, rows[-1].total_received
    title = f"{counted(held, 'document')} in {counted(received, 'result')}"
    return (
        f'<svg viewBox="-2 -2 {WIDE + 4} {HIGH + 4}" width="{WIDE}" height="{HIGH}" role="img" '
        f'aria-label="{title}"><title>{title}</title><polyline points="0,{HIGH} {points}" '
        f'fill="none" stroke="currentColor" stroke-width="2"/></svg>'
    )


def open(folder: str | PathLike[str]) -> Harvest:  # noqa: A001  # as one opens a file
    """Open a harvest to read it; it may be running.

    Args:
        folder: The harvest's folder.

    Raises:
        FolderError: There is no harvest in it.

    Example:
        >>> import longline
        >>> longline.open("nothing here")
        Traceback (most recent call last):
            ...
        longline.errors.FolderError: there is no folder nothing here; name the folder of a harvest
    """
    return Harvest(folder)
