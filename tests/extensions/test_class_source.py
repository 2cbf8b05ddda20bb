"""Test sources that are Python classes: their abilities, and the effect of their faults."""

import asyncio
import time
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

import longline
from longline.errors import InputError
from longline.extend import MORE, Document, Hit, Page, Query, Searchable, Total
from longline.simulate import read_corpus
from longline.simulate.documents import words

DOCUMENTS = read_corpus("docstrings")[:120]


class Shelf(Searchable):
    """A source that shows 30 per search, 10 a page; documents have their own pages."""

    name = "shelf"
    url = "shelf:one"
    page_size = 10
    limit = 30
    negation = True

    def __init__(self) -> None:
        self.terms = {each.key: set(words(f"{each.title} {each.text}")) for each in DOCUMENTS}
        self.texts = {each.key: each for each in DOCUMENTS}
        self.calls: list[float] = []
        self.closed = 0

    def search(self, query: Query, number: int) -> Page:
        self.calls.append(time.monotonic())
        found = [
            key
            for key, terms in self.terms.items()
            if terms.issuperset(query.required) and not terms.intersection(query.excluded)
        ]
        shown = found[: self.limit][10 * number - 10 : 10 * number]
        more = 10 * number < min(len(found), 30)
        return Page(tuple(map(Hit, shown)), Total(len(found)), next=MORE if more else None)

    def read(self, hit: Hit) -> Document:
        return self.texts[hit.key]

    def close(self) -> None:
        self.closed += 1


@pytest.mark.slow
def test_an_object_is_harvested(tmp_path: Path) -> None:
    """Nearly all is saved, the ledger is right, and the source is closed."""
    shelf = Shelf()
    harvest = longline.harvest(shelf, tmp_path)
    assert len(harvest.documents) >= 0.97 * len(DOCUMENTS)
    assert harvest.certificate.source == "shelf:one"
    assert harvest.certificate.requests == len(shelf.calls) + harvest.certificate.document_pages
    assert shelf.closed == 1
    with pytest.raises(InputError, match="harvest it from Python, with that object"):
        longline.harvest(tmp_path)
    again = longline.harvest(Shelf(), tmp_path)
    assert again.certificate.requests == harvest.certificate.requests


def test_coroutines_are_awaited_and_the_pace_is_kept(tmp_path: Path) -> None:
    """Methods may be coroutines; calls are never faster than the rate."""

    class Slow(Shelf):
        rate = 50.0

        async def search(self, query: Query, number: int) -> Page:  # type: ignore[override]
            await asyncio.sleep(0)
            return super().search(query, number)

        async def read(self, hit: Hit) -> Document:  # type: ignore[override]
            self.calls.append(time.monotonic())
            return super().read(hit)

    slow = Slow()
    harvest = longline.harvest(slow, tmp_path, max_requests=60)
    assert harvest.certificate.requests == 60
    assert slow.calls[-1] - slow.calls[0] >= 59 / 50.0 - 0.05


def test_one_fault_loses_one_page(tmp_path: Path) -> None:
    """A failed page or document is reported with its reason, and the harvest continues."""

    class Torn(Shelf):
        def read(self, hit: Hit) -> Document:
            if hit.key == DOCUMENTS[5].key:
                raise ValueError("no such row")
            return super().read(hit)

    harvest = longline.harvest(Torn(), tmp_path)
    assert harvest.certificate.documents_failed == 1
    assert harvest.certificate.outcome != "complete"
    assert len(harvest.documents) >= 0.96 * len(DOCUMENTS)


def test_a_fault_of_the_class_is_not_taken_for_a_document_that_is_gone(tmp_path: Path) -> None:
    """Only LookupError itself means that; a KeyError of `read` or `search` is a failure."""

    class Faulty(Shelf):
        def read(self, hit: Hit) -> Document:
            if hit.key == DOCUMENTS[0].key:
                raise LookupError(hit.key)
            return self.texts[hit.key if hit.key != DOCUMENTS[1].key else "no key"]

    certificate = longline.harvest(Faulty(), tmp_path).certificate
    assert certificate.documents_gone == 1
    assert certificate.outcome == "partial"
    assert sum("KeyError" in each for each in certificate.failed_documents) == 1


def test_a_class_in_place_of_an_object_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="an object of a class made from"):
        longline.harvest(Shelf, tmp_path)  # type: ignore[arg-type]


def test_a_source_that_goes_away_ends_the_run(tmp_path: Path) -> None:
    """Received documents are kept; the outcome is "unreachable"."""

    class Gone(Shelf):
        def search(self, query: Query, number: int) -> Page:
            if len(self.calls) > 20:
                raise ConnectionError("the line is cut")
            return super().search(query, number)

    harvest = longline.harvest(Gone(), tmp_path)
    assert harvest.certificate.outcome == "unreachable"
    assert len(harvest.documents) > 10
    healed = longline.harvest(Shelf(), tmp_path)
    assert len(healed.documents) >= 0.97 * len(DOCUMENTS)


@pytest.mark.parametrize(
    ("answer", "said"),
    [("a text", "gave str, not Page"), (None, "gave NoneType, not Page")],
)
def test_an_answer_of_another_kind_is_named(tmp_path: Path, answer: object, said: str) -> None:
    """A class that is wrong from the start raises an error at once."""

    class Wrong(Shelf):
        def search(self, query: Query, number: int) -> Page:
            return answer  # type: ignore[return-value]

    with pytest.raises(longline.SourceError, match=said):
        longline.harvest(Wrong(), tmp_path)


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    """A class without a name is refused; a plan needs a web site."""

    class Nameless(Shelf):
        name = ""

    with pytest.raises(InputError, match="Nameless has no name"):
        longline.harvest(Nameless(), tmp_path)
    longline.harvest(Shelf(), tmp_path / "got", max_requests=30)
    with pytest.raises(InputError, match="is searched by a class"):
        longline.plan(tmp_path / "got")


def test_a_text_in_the_listing_needs_no_second_call(tmp_path: Path) -> None:
    """Hits with a text are documents; `read` is not called."""

    class Listing(Shelf):
        def search(self, query: Query, number: int) -> Page:
            page = super().search(query, number)
            hits = tuple(Hit(each.key, text=self.texts[each.key].text) for each in page.hits)
            return Page(hits, page.total, next=page.next)

        def read(self, hit: Hit) -> Document:
            raise AssertionError("it has a text")

    harvest = longline.harvest(Listing(), tmp_path)
    assert len(harvest.documents) >= 0.97 * len(DOCUMENTS)
    assert harvest.certificate.document_pages == 0


class Dated(Shelf):
    """A source whose hits and documents have fields."""

    def search(self, query: Query, number: int) -> Page:
        page = super().search(query, number)
        hits = [
            Hit(hit.key, fields={"length": len(hit.key), "by": ["Ada", None, "Max"], "no": None})
            for hit in page.hits
        ]
        return msgspec.structs.replace(page, hits=tuple(hits))

    def read(self, hit: Hit) -> Document:
        fields: dict[str, Any] = {"on": date(2024, 3, len(hit.key) % 28 + 1)}
        return msgspec.structs.replace(super().read(hit), fields=fields)


def test_fields_of_hits_and_documents_are_kept(tmp_path: Path) -> None:
    """Their types come from the values, as nothing declares them."""
    harvest = longline.harvest(Dated(), tmp_path, max_requests=40)
    kinds = {name: (each.type, each.many) for name, each in harvest.fields.items()}
    assert kinds == {"length": ("number", False), "by": ("text", True), "on": ("date", False)}
    for document in harvest.documents:
        size = len(document.key)
        day = f"2024-03-{size % 28 + 1:02d}"
        assert document.fields == {"length": size, "by": ("Ada", "Max"), "on": day}


def test_a_field_with_a_name_that_is_taken_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is reported like any other fault of the class."""

    class Wrong(Shelf):
        def search(self, query: Query, number: int) -> Page:
            page = super().search(query, number)
            hits = tuple(Hit(hit.key, fields={"title": "x"}) for hit in page.hits)
            return msgspec.structs.replace(page, hits=hits)

    certificate = longline.harvest(Wrong(), tmp_path, max_requests=4).certificate
    assert certificate.documents == 0
    assert "no field may be named 'title'" in caplog.text
