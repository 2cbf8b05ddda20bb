"""longline answer: what a harvest holds of one query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._options import Folder, Json
from longline.cli._said import say, say_exactly
from longline.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from longline.events import AnyEvent
    from longline.model import Query
    from longline.store import Answer, SqliteStore


def answer(
    folder: Folder,
    query: Annotated[
        str,
        typer.Argument(
            metavar="QUERY",
            help="A search, as `longline status --json` writes it; several words in quotes.",
        ),
    ],
    page: Annotated[
        int | None,
        typer.Option(
            "--page",
            metavar="N",
            min=1,
            help="Show only this result page, and the answer that was kept of it.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what one search brought, page by page.

    The total that the source reported, the results and their keys, the link to the next page, what
    is missing and what failed. Answers that were too short or could not be read are kept as they
    came; --page prints the newest one of a page.
    """
    import msgspec

    from longline.harvester import open_store

    store = open_store(folder)
    try:
        asked, pages = _pages(store, folder, query)
        if page is not None:
            pages = {page: pages[page]} if page in pages else {}
        if not pages:
            raise InputError(
                f"page {page} of {query!r} was never asked for", advice="leave --page out"
            )
        for number, found in pages.items():
            found["answers"] = [_plain(each) for each in store.answers(asked, number)]
    finally:
        store.close()
    if json:
        whole = {"query": query, "pages": list(pages.values())}
        say_exactly(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode())
        return
    for found in pages.values():
        say("\n".join(_lines(found, with_body=page is not None)))


def _pages(store: SqliteStore, folder: Path, query: str) -> tuple[Query, dict[int, dict[str, Any]]]:
    """Return a query, and by its number what there is of each of its pages.

    Raises:
        InputError: There is no such query; the nearest ones are named.
    """
    import difflib

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
    from longline.events import PageFailed, PageReceived, QueryCut

    if not isinstance(event, PageReceived | PageFailed | QueryCut):
        return
    found = pages.setdefault(event.number, {"page": event.number, "failures": [], "cuts": []})
    match event:
        case PageReceived(_, _, page, requests, probe):
            found |= {
                "claimed": page.total and page.total.documents,
                "relation": page.total and page.total.relation,
                "rows": len(page.hits),
                "keys": page.keys,
                "next": page.next and page.next.url,
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


def _lines(found: dict[str, Any], *, with_body: bool) -> Iterator[str]:
    """Say in lines what there is of a page."""
    if "rows" in found:
        claimed = "no total" if found["claimed"] is None else f"{found['claimed']:,} reported"
        relation = f" ({found['relation']})" if found["relation"] not in (None, "exact") else ""
        whose = ", a test search" if found["probe"] else ""
        yield f"page {found['page']}  {found['rows']:,} results, {claimed}{relation}{whose}"
        yield from (f"  key      {key}" for key in found["keys"])
        yield f"  next     {found['next'] or 'none'}"
    else:
        yield f"page {found['page']}  could not be loaded"
    yield from (f"  failed   {reason}" for reason in found["failures"])
    yield from (f"  cut      {cut}" for cut in found["cuts"])
    for kept in found["answers"]:
        yield (
            f"  answer   status {kept['status']}, {kept['content_type'] or 'of no type'}, "
            f"{kept['kept_bytes']:,} of {kept['body_bytes']:,} bytes kept, {kept['url']}"
        )
    if with_body and found["answers"]:
        yield found["answers"][-1]["body"]
