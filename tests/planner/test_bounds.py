"""Return limits and page sizes, as found from answers."""

from longline.planner.observed.return_limit import ReturnLimit


def test_two_answers_that_end_alike_show_a_limit() -> None:
    """Without totals, two queries that both end at the maximum number of rows were cut."""
    bounds = ReturnLimit()
    bounds.see_page(10, more=True)
    for last in ("a", "b"):
        bounds.see_end(81, None, 9, [last])
    assert bounds.limit == 81


def test_one_answer_to_two_queries_shows_none() -> None:
    """A source that ignores a word gives the same answer to "deep" and "the deep"."""
    bounds = ReturnLimit()
    bounds.see_page(10, more=True)
    for _ in range(3):
        bounds.see_end(81, None, 9, ["a"])
    assert bounds.limit is None
