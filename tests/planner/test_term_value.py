"""The published strategies that choose from seen documents: what each of them prefers."""

import numpy as np
import pytest

from longline.events import DocumentReceived, PageReceived
from longline.model import Document, Hit, Page, Search, Total
from longline.planner.capabilities import Capabilities
from longline.planner.published.term_value import (
    DfBand,
    HighestDf,
    NtoulasIndependence,
    NtoulasZipf,
    TermValue,
    TfIdf,
    mandelbrot,
)

TEXTS = ("sea deep deep deep", "sea web fish", "sea web", "sea fish net", "sea web")


def told(kind: type[TermValue], limit: int | None = None) -> TermValue:
    """Return a planner that sent "sea" and received five documents."""
    planner = kind(Capabilities(limit=limit, page_size=10), np.random.default_rng(0), words=["sea"])
    search = planner.next()
    assert isinstance(search, Search)
    assert search.query.required == ("sea",)
    hits = tuple(Hit(f"d{number}") for number in range(len(TEXTS)))
    planner.tell(PageReceived(search.query, 1, Page(hits, Total(5))))
    for number, text in enumerate(TEXTS):
        planner.tell(DocumentReceived(Document(f"d{number}", text=text)))
    return planner


def queries(planner: TermValue) -> list[str]:
    """Return the terms that a planner sends while nothing more is returned."""
    asked = []
    while isinstance(search := planner.next(), Search):
        asked.append(search.query.required[0])
        planner.tell(PageReceived(search.query, 1, Page()))
    return asked


def test_highest_df_sends_the_commonest_terms_first() -> None:
    """Terms are sent in the order of their df among the seen documents, without repeats."""
    assert queries(told(HighestDf)) == ["web", "fish", "deep", "net"]


def test_tf_idf_leaves_out_the_commonest_and_the_rarest() -> None:
    """Words of one document, and of more than 80 % of them, are not sent."""
    assert queries(told(TfIdf)) == ["web", "fish"]


@pytest.mark.parametrize("kind", [NtoulasIndependence, NtoulasZipf])
def test_ntoulas_prefers_what_brings_most_new_documents(kind: type[TermValue]) -> None:
    """If the source is larger than the seen part, terms of large df are expected to return most."""
    assert queries(told(kind))[0] == "web"


def test_ntoulas_counts_what_is_shown_and_not_held() -> None:
    """New documents are the shown minus the held ones; a term held k times returns none."""
    planner = told(NtoulasIndependence, limit=10)
    values = planner.efficiency(np.array([2.0, 5.0, 10.0]), np.array([20.0, 20.0, 20.0]))
    assert values[0] > values[1] > values[2] == 0


def test_df_band_keeps_to_the_limit() -> None:
    """Terms in more than twice k documents are not sent; those nearest to k are sent first."""
    planner = told(DfBand, limit=5)
    values = planner.values(np.array([100.0, 1.0, 0.0]))
    assert values[0] == values[2] == 0 < values[1]


def test_mandelbrot_finds_the_law_that_made_the_data() -> None:
    """Points of a Zipf-Mandelbrot law are reproduced between and beyond them."""
    ranks = np.array([1.0, 5, 20, 100, 1000])
    law = mandelbrot(ranks, 5000 * (ranks + 10) ** -0.9)
    other = np.array([2.0, 50, 10_000])
    assert law(other) == pytest.approx(5000 * (other + 10) ** -0.9, rel=1e-6)
