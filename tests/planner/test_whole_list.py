"""A list is read page by page, file by file; it is complete only if nothing contradicts it."""

from longline.events import PageReceived
from longline.model import Finish, Hit, Page, Request, Search, Total
from longline.planner.whole_list import LISTING, MOST_STALE, Coverage, WholeList

ONWARD = Request("https://x.example/next")


def page(*keys: str, more: bool = False, total: int | None = None, files: int = 0) -> Page:
    """Return a page of a list."""
    return Page(
        tuple(Hit(key) for key in keys),
        None if total is None else Total(total),
        ONWARD if more else None,
        files=tuple(Request(f"https://x.example/{number}") for number in range(files)),
    )


def read(pages: list[Page | None], coverage: Coverage = "all") -> tuple[WholeList, Finish, int]:
    """Read some pages with a policy; None is a page that failed."""
    policy, asked = WholeList(coverage, "their texts"), 0
    for each in pages:
        action = policy.next()
        if isinstance(action, Finish):
            break
        asked += 1
        assert action == Search(LISTING, asked)
        if each is not None:
            policy.tell(PageReceived(LISTING, asked, each))
    action = policy.next()
    assert isinstance(action, Finish)
    return policy, action, asked


def test_a_list_of_all_that_is_read_is_the_size() -> None:
    """Pages are followed to the last one; the number of listed documents is the size."""
    policy, finish, _ = read([page("a", "b", more=True), page("c")])
    assert (finish.target_met, policy.listed()) == (True, 3)


def test_files_are_read_one_by_one() -> None:
    """A page that names files is followed by as many pages, whatever their own links."""
    policy, finish, asked = read([page(files=2), page("a"), page("b")])
    assert (finish.target_met, policy.listed(), asked) == (True, 2, 3)


def test_a_page_that_does_not_come_is_missed() -> None:
    """If a page fails, no size is given, and the list is not complete."""
    policy, finish, _ = read([page(files=2), None, page("b")])
    assert (finish.target_met, policy.listed()) == (False, 0)


def test_fewer_than_the_list_says_are_not_all() -> None:
    """If the list has fewer documents than its total, the total is the size."""
    policy, finish, _ = read([page("a", more=True, total=5), page("b", total=5)])
    assert (finish.target_met, policy.listed()) == (False, 5)


def test_a_list_of_a_part_is_never_all() -> None:
    """A list of a part is never complete, however much it names."""
    policy, finish, _ = read([page("a", "b", total=2)], "part")
    assert (finish.target_met, policy.listed()) == (False, 0)


def test_a_torn_page_is_missed() -> None:
    """A page whose last row was left out is incomplete."""
    torn = Page((Hit("a"),), torn=True)
    assert not read([torn])[1].target_met


def test_a_list_that_goes_in_a_circle_ends() -> None:
    """Pages without anything new are not followed for ever, nor is the same page again."""
    pages: list[Page | None] = [page("a", more=True), page("b", more=True)] * MOST_STALE
    _, finish, asked = read(pages)
    assert not finish.target_met
    assert asked <= MOST_STALE + 3


def test_the_same_page_again_is_an_end_only_by_the_total() -> None:
    """If the first page is repeated, only a total can show that it is all."""
    _, finish, asked = read([page("a", more=True), page("a", more=True), page("b")])
    assert (finish.target_met, asked) == (False, 2)
    assert read([page("a", more=True, total=1), page("a", more=True, total=1)])[1].target_met


def test_pages_whose_rows_are_all_deleted_are_passed_over() -> None:
    """An empty page may have a next page."""
    policy, finish, _ = read([page("a", more=True), page(more=True), page("b")])
    assert (finish.target_met, policy.listed()) == (True, 2)
