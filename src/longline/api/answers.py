"""What a harvest holds of one query, page by page."""

from __future__ import annotations

import difflib
from contextlib import closing
from pathlib import Path
from typing import Any

from longline.errors import InputError, option
from longline.events import AnyEvent, PageFailed, PageReceived, QueryCut
from longline.harvester import open_store
from longline.model import Query
from longline.store import Answer, TableStore


def answer(folder: Path, query: str, page: int | None = None) -> list[dict[str, Any]]:
    """Return what one search brought: total, keys, next page, failures, cuts, kept answers.

    Args:
        folder: Of a harvest.
        query: As the record chart writes it.
        page: Only this one; None returns all, in order.

    Raises:
        InputError: The harvest never asked for the query or the page; the nearest are named.
        FolderError: There is no harvest.
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
    """Return a query, and by its number what there is of each of its pages.

    Raises:
        InputError: There is no such query; the nearest ones are named.
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
            else f"`longline status {folder} --json` lists all searches",
        )
    return asked, dict(sorted(pages.items()))


def _enter(pages: dict[int, dict[str, Any]], event: AnyEvent) -> None:
    """Add what an event tells of a result page to what is known of it."""
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
    """Return a kept answer as plain values; what is no text in UTF-8 is written with escapes."""
    return {
        "url": answer.url,
        "status": answer.status,
        "content_type": answer.content_type,
        "body_bytes": answer.body_bytes,
        "kept_bytes": len(answer.body),
        "body": answer.body.decode("utf-8", "backslashreplace"),
    }
