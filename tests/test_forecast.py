"""Test that forecasts say what is known, what follows from it, and what is unknown."""

import pytest

from longline.forecast.forecaster import Forecaster, Route, Size
from longline.planner.capabilities import Capabilities
from longline.planner.probe.term_shares import Vocabulary

ABLE = Capabilities(limit=100, page_size=50, negation=True, counts="exact")
SIZE = Size(5000, 4500, 6000, 4500, "roots")
TITLES = Vocabulary(tuple(0.2 / rank for rank in range(1, 30)))


def partition(words: Vocabulary, size: Size = SIZE) -> Route:
    """Return the forecast of a partition."""
    forecaster = Forecaster(size, 1.0, document_pages=False, words=words)
    return forecaster.partition(ABLE, "static", "shop")


def test_long_documents_are_parted() -> None:
    """The command names the partition strategy, and the note does not mention lengths."""
    route = partition(Vocabulary())
    assert route.command == "longline harvest shop --strategy partition"
    assert "turns" not in route.how
    assert "words" not in route.note


@pytest.mark.parametrize("size", [SIZE, Size(None, 100, None, 100, "seen")])
def test_short_documents_are_harvested_in_turns(size: Size) -> None:
    """The command is the default, which alternates; the forecast is dearer and less sure."""
    short, plain = partition(TITLES, size), partition(Vocabulary(), size)
    assert short.command == "longline harvest shop"
    assert "alternating with single words" in short.how
    assert "a few words long" in short.note
    figures, others = (each.per_thousand or each.requests for each in (short, plain))
    assert (figures["0.8"] or 0) > 1.3 * (others["0.8"] or 0)
    assert (short.reach or 0) < 0.97


def test_bounds_are_wider_where_documents_are_short() -> None:
    """The bounds for short documents are at least 1.5 times as wide."""
    short, plain = partition(TITLES), partition(Vocabulary())

    def width(route: Route) -> float:
        return (route.most["0.8"] or 0) / (route.least["0.8"] or 1)

    assert width(short) > 1.5 * width(plain)


def test_single_words_are_not_the_end_where_cut_searches_are_narrowed() -> None:
    """The default strategy goes on with AND and exact totals; without either it ends there."""
    forecaster = Forecaster(SIZE, 1.0, document_pages=False)
    for able, goes_on in (
        (Capabilities(limit=100, page_size=50, counts="exact"), True),
        (Capabilities(limit=100, page_size=50, counts="about"), False),
        (Capabilities(limit=100, page_size=50, counts="exact", conjunction=False), False),
    ):
        route = forecaster.adaptive(able, "static", "shop")
        assert route.goes_on == goes_on
        assert (route.command == "longline harvest shop") == goes_on
        assert (route.reach or 1) < 1


def test_what_does_not_show_is_said() -> None:
    """If hits do not show the words that found them, the documents' length is unknown."""
    route = partition(Vocabulary(is_known=False))
    assert route.requests == partition(Vocabulary()).requests
    assert "is unknown" in route.note
