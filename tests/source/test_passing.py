"""Links with parts that change on every page, and links that only look so."""

from collections.abc import Callable, Iterable

import numpy as np
import pytest

from longline.model import Hit, Page
from longline.source.trust.passing import PassingParts

Link = Callable[[int, int], str]
"""Makes a link from a page number and a document number."""


def look(
    link: Link, *, title: Link = lambda page, document: f"No {document}", pages: int = 60
) -> tuple[PassingParts, list[Page]]:
    """Read pages with 10 of 100 documents each; return the learnt parts and the settled pages."""
    passing, rng = PassingParts(), np.random.default_rng(0)
    taken = []
    for page in range(pages):
        drawn: Iterable[int] = rng.choice(100, 10, replace=False).tolist()
        hits = tuple(Hit(link(page, n), link(page, n), title(page, n)) for n in drawn)
        taken.append(passing.settled(Page(hits)))
    return passing, taken


@pytest.mark.parametrize(
    "link",
    [
        lambda page, n: f"https://x.example/d/{n}?sid=k{page}",
        lambda page, n: f"https://x.example/d?hl=w{page}&id={n}",
        lambda page, n: f"https://x.example/s{page}/d/{n}",
        lambda page, n: f"https://x.example/d/{n};jsessionid=A{page}?a=b{page}",
    ],
    ids=["token", "words", "segment", "two"],
)
def test_what_passes_makes_no_new_documents(link: Link) -> None:
    """After some pages, each document has one key, whichever part of its link changes."""
    _, taken = look(link)
    late = {hit.key for page in taken[10:] for hit in page.hits}
    assert len(late) == len({hit.title for page in taken[10:] for hit in page.hits})


@pytest.mark.parametrize(
    ("link", "title"),
    [
        (lambda page, n: f"https://x.example/d/{n}?lang=en", lambda page, n: f"No {n}"),
        (lambda page, n: f"https://x.example/d/{n}?of={n % 7}", lambda page, n: f"No {n}"),
        (lambda page, n: f"https://x.example/{page}/{n}", lambda page, n: f"No {n} of {page}"),
        (lambda page, n: f"https://x.example/{page}/{n}", lambda page, n: ""),
        (lambda page, n: f"https://x.example/{page % 4}/{n}", lambda page, n: f"No {n}"),
    ],
    ids=["constant", "its own", "another title", "no title", "few values"],
)
def test_what_makes_a_document_itself_stays(link: Link, title: Link) -> None:
    """Links that may belong to different documents keep their own keys."""
    _, taken = look(link, title=title)
    assert all(hit.key == hit.url for page in taken for hit in page.hits)


def test_a_run_that_goes_on_gives_the_same_keys() -> None:
    """A run that resumes from its saved pages learns the same parts."""
    before, taken = look(lambda page, n: f"https://x.example/d/{n}?sid=k{page}")
    after = PassingParts()
    for page in taken:
        assert after.settled(page) == page
    links = [f"https://x.example/d/{n}?sid=new" for n in range(100)]
    new = Page(tuple(Hit(link, link, "") for link in links))
    assert after.keyed(new) == before.keyed(new) != new


def test_hits_that_came_before_are_known_again() -> None:
    """Each later key of a hit maps to its first, so that each document keeps one key."""
    passing, taken = look(lambda page, n: f"https://x.example/d/{n}?sid=k{page}")
    hits = {hit.key: hit for page in taken for hit in page.hits}
    assert all(hits[key].title == hits[first].title for key, first in passing.same.items())
    stay = hits.keys() - passing.same.keys()
    assert passing.same
    assert len(stay) == len({hit.title for hit in hits.values()})


def test_keys_of_their_own_are_left_alone() -> None:
    """Keys that are not links are left unchanged."""
    passing = PassingParts()
    for page in range(20):
        hits = tuple(Hit(str(n), f"https://x.example/{n}?s={page}", str(n)) for n in range(5))
        assert passing.settled(Page(hits)).hits == hits
