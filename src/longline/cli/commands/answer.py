"""longline answer: what a harvest holds of one query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._options import Folder, Json
from longline.cli._said import say, say_exactly

if TYPE_CHECKING:
    from collections.abc import Iterator


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

    from longline.api import open as open_harvest

    pages = open_harvest(folder).answer(query, page)
    if json:
        whole = {"query": query, "pages": pages}
        say_exactly(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode())
        return
    for found in pages:
        say("\n".join(_lines(found, with_body=page is not None)))


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
