"""Harvests to export: with unusual texts, and with fields of every type."""

from pathlib import Path

import msgspec
import pytest
from bench.exports.shelf import shelf
from tests.fetch.conftest import fetch, reply, run, site

from longline.events import DocumentReceived, FormReceived, PageReceived
from longline.model import Attachment, Document, Page, Query, Response

__all__ = ["FULL", "ODD", "fetch", "reply", "run", "site"]

ODD = (
    Document("a", "https://shelf.example/a?x=1&y=2", "Deep Web", "two\nlines\r\n\ttab", "en"),
    Document("b\n", "", "=1+1", "'quoted' \"twice\", and;semicolons", ""),
    Document("ü/ö ?#%", "https://shelf.example/ü", "émoji 🐟 \u202etxt", "a\0b\x1b[2J", "fr"),
    Document("</script>", "https://shelf.example/s", "<b>&amp;</b>", "x" * 1_000_000, "en"),
    Document("", "https://shelf.example/none", "", "", ""),
)

FULL = (
    Document(
        "f1",
        "https://shelf.example/f1",
        "First",
        "one",
        "en",
        {"year": 1990, "price": 2.5, "date": "2024-03-05", "at": "2024-03-05T10:00:00Z"}
        | {"home": "https://x.example/", "by": ("Ada", "Max, Jr."), "type": "book"},
        (Attachment("f1.pdf", "https://shelf.example/f1.pdf", "application/pdf", 7, "00ff"),),
    ),
    Document("f2", "https://shelf.example/f2", "Second", "two", "en", {"year": 7, "price": -1}),
    Document("f3", "https://shelf.example/f3", "Third", "three"),
)


def make_harvest(folder: Path, documents: tuple[Document, ...]) -> Path:
    """Make a harvest of these documents, with one complete page in its journal."""
    with shelf(folder) as store:
        form = Response(url="https://shelf.example/", status=200, content_type="text/html")
        store.record(FormReceived(msgspec.structs.replace(form, body=b"<form></form>")))
        store.record(PageReceived(query=Query(("deep",)), number=1, page=Page()))
        for document in documents:
            store.record(DocumentReceived(document))
    return folder


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Return a harvest of documents with unusual characters."""
    return make_harvest(tmp_path / "odd", ODD)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """Return a harvest of documents with fields of every type."""
    return make_harvest(tmp_path / "full", FULL)
