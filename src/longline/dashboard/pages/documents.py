"""The documents of a harvest: a list to search, and each to read."""

import asyncio
from collections.abc import Callable

from nicegui import ui

from longline.dashboard.detail import Detail, Part, Wanted
from longline.dashboard.pages.layout import (
    PartTable,
    RowAction,
    complain,
    count,
    opened,
    search_field,
    text,
)
from longline.errors import LonglineError
from longline.model import Document
from longline.model.fields import Fields

COLUMNS = (
    ("title", "title", False),
    ("url", "address", False),
    ("letters", "letters", True),
    ("action", "text", False),
)

READ = RowAction("read", "document", "'read ' + props.row.title")

MOST_LETTERS = 500_000
"""Letters of a text that are shown; a browser gets slow with more."""


def documents_table(find: Callable[[], Detail | None]) -> PartTable:
    """Show the documents, and a field to search in their titles, addresses and texts.

    Args:
        find: Returns the harvest's details, or None if they cannot be read yet.
    """

    def part(wanted: Wanted) -> Part | None:
        detail = find()
        return None if detail is None else detail.documents(wanted)

    async def read(key: str) -> None:
        detail = find()
        try:
            document = await asyncio.to_thread(detail.document, key) if detail else None
        except LonglineError as error:
            complain(str(error))
            return
        if document is None:
            complain(f"{key} is no longer among the documents")
            return
        _show(document)

    words = search_field("Search in titles, addresses and texts")
    table = PartTable(COLUMNS, part)
    words.on_value_change(table.search)
    table.add_action(READ, read)
    return table


def _show(document: Document) -> None:
    """Show a document as text."""
    with opened(document.title or document.key):
        if document.url.startswith(("http://", "https://")):
            link = ui.link(document.url, document.url, new_tab=True)
            link.props('rel="noopener noreferrer"').classes("ll-small")
        elif document.url != document.title:
            text(document.url or document.key, "ll-soft")
        files = tuple(each.name or each.url for each in document.attachments)
        told: Fields = {"language": document.language, **document.fields, "files": files}
        for name, value in told.items():
            if value not in ("", ()):
                shown = ", ".join(map(str, value)) if isinstance(value, tuple) else value
                text(f"{name}: {shown}", "ll-soft ll-small")
        if not document.text:
            text("It has no text: neither its page nor the list of hits gave one.")
            return
        start = document.text[:MOST_LETTERS]
        if len(start) < len(document.text):
            text(f"The first {count(len(start))} of {count(len(document.text))} letters:")
        text(start, "ll-pre", tag="pre")
