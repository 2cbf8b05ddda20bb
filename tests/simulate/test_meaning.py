"""Test the simulated search by meaning."""

import pytest

from longline.model import Query
from longline.simulate import Searcher, read_corpus

DOCUMENTS = read_corpus("docstrings")[::10]
NONSENSE = Query(("zuvobiqepaxq",))


def box(**settings: object) -> Searcher:
    given = {"ranking": "meaning", "limit": 20, "page_size": 10, "snippets": False} | settings
    return Searcher(DOCUMENTS, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [10, 20, 100])
def test_any_words_bring_as_many_documents(limit: int) -> None:
    """Any query, even nonsense, shows the k nearest documents over its pages."""
    source = box(limit=limit)
    for query in (Query(("file",)), Query(("socket", "address")), NONSENSE):
        assert len(set(source.keys(query))) == limit
        rows = [hit.key for n in range(1, limit // 10 + 1) for hit in source.search(query, n).hits]
        assert rows == source.keys(query)
        assert source.search(query, limit // 10).next is None


@pytest.mark.slow
def test_nonsense_brings_its_own_documents_each_time() -> None:
    """Two unknown words have different nearest documents, always the same."""
    other = Query(("bodiwenutixq",))
    assert box().keys(NONSENSE) == box().keys(NONSENSE) != box().keys(other)


def test_a_text_is_nearest_to_its_own_document() -> None:
    """Most documents are the first hit of a query for their complete text."""
    source = box()
    asked = DOCUMENTS[::10]
    first = [source.keys(Query(tuple(source.analyzer(each.text))))[0] for each in asked]
    assert sum(key == each.key for key, each in zip(first, asked, strict=True)) > 0.8 * len(asked)


def test_it_has_no_operators() -> None:
    """The box reports that it knows neither NOT nor OR."""
    assert not box(boolean=True).boolean


@pytest.mark.parametrize(
    ("counts", "total"), [("exact", len(DOCUMENTS)), ("shown", 20), ("none", None)]
)
def test_totals_are_of_all_or_of_what_is_shown(counts: str, total: int | None) -> None:
    """Every query has the same total."""
    for query in (Query(("file",)), NONSENSE):
        page = box(counts=counts).search(query)
        assert (page.total and page.total.documents) == total
