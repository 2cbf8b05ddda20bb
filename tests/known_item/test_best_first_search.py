"""Test best-first search on real pages: its clues, and its guarantees."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longline.known_item.best_first.clues import Clues, QueryWords
from longline.known_item.best_first.search import BestFirstSearch, _Site
from longline.known_item.explorer import Answer, Link, SitePage, explore


def link(target: str, label: str, context: str = "", path: str = "") -> Link:
    """Make a link from plain words; its address is its key."""
    return Link(
        target, tuple(label.split()), tuple(context.split()), (target,), tuple(path.split())
    )


def page(key: str, title: str, text: str = "", *links: Link) -> SitePage:
    """Make a page from plain words; they include the title, as in real pages."""
    return SitePage(key, tuple(f"{title} {text}".split()), links, tuple(title.split()))


def site(*pages: SitePage) -> dict[str, SitePage]:
    """Index pages by key."""
    return {each.key: each for each in pages}


def find(query: str, pages: Mapping[str, SitePage], budget: int = 50) -> Answer:
    """Search from the first page."""
    return explore(BestFirstSearch(query.split(), next(iter(pages)), budget=budget), pages)


MENU = tuple(link(f"s{n}", f"section {n}") for n in range(8))
SECTIONS = [page(f"s{n}", f"section {n} city", "nothing new", *MENU) for n in range(8)]


def test_named_page_is_found_at_once() -> None:
    """If a link has the words, its page is the second download, and the answer is confident."""
    home = page("home", "city", "welcome", *MENU, link("lib", "public library"))
    answer = find("public library", site(home, *SECTIONS, page("lib", "public library city")))
    assert (answer.key, answer.downloads) == ("lib", 2)
    assert answer.confidence > 0.9


def test_how_sure() -> None:
    """A page with just the words gets more confidence than one with additional or fewer words."""
    home = page("home", "city", "welcome", *MENU, link("lib", "public library"))
    exact = find("public library", site(home, *SECTIONS, page("lib", "public library")))
    more = find("public library", site(home, *SECTIONS, page("lib", "public library opening")))
    fewer = find(
        "public library opening",
        site(home, *SECTIONS, page("lib", "public library", "opening soon")),
    )
    assert {exact.key, more.key, fewer.key} == {"lib"}
    assert exact.confidence > more.confidence > fewer.confidence
    assert fewer.confidence < 0.9 < exact.confidence


def test_chances_sum_to_one_at_most() -> None:
    """The other candidates share what the answer leaves of 1."""
    home = page("home", "city", "", link("a", "library"), link("b", "library board"), *MENU)
    pages = site(home, *SECTIONS, page("a", "library"), page("b", "library board"))
    answer = find("library", pages)
    assert answer.runners_up
    assert answer.confidence + sum(chance for _, chance in answer.runners_up) <= 1 + 1e-9


def test_all_words_go_before_one() -> None:
    """A page named by one word of two is not the answer if one with both can be found."""
    home = page("home", "city", "", link("study", "study"), link("more", "further"), *MENU)
    more = page("more", "further", "", link("korea", "korean study"))
    pages = site(home, *SECTIONS, page("study", "study"), more, page("korea", "korean study"))
    assert find("korean study", pages).key == "korea"


def test_exact_name_goes_before_a_longer_one() -> None:
    """Of two pages with the words in their names, the one without other words is the answer."""
    home = page("home", "city", "", link("a", "library board minute"), link("b", "library"))
    pages = site(home, page("a", "library board minute"), page("b", "library"))
    assert find("library", pages).key == "b"


def test_site_name_tells_nothing() -> None:
    """Words that every title has do not make the start page the answer."""
    name = "port of example"
    home = page("home", name, "", *MENU, link("fee", "fee"))
    pages = site(home, *SECTIONS, page("fee", f"fee {name}"))
    assert find("port example fee", pages).key == "fee"


def test_list_of_links_is_not_what_it_lists() -> None:
    """A page that has the words only in its links to others is not the answer."""
    labels = ("tide table", "wind table", "fog table")
    listed = [link(f"t{n}", label) for n, label in enumerate(labels)]
    home = page("home", "port", "", link("all", "all table"))
    every = page("all", "all table", " ".join(labels), *listed)
    tables = [page(f"t{n}", label, "of the year") for n, label in enumerate(labels)]
    assert find("tide table", site(home, every, *tables)).key == "t0"


@pytest.mark.parametrize(
    ("leading", "title"),
    [
        (Link("x", ("more",), (), ("tide",)), "table"),
        (Link("x", ("more",), (), ("x",), ("tide",)), "table"),
        (Link("x", ("more",), ("the", "tide"), ("x",)), "tide"),
        (Link("x", ("tidetable",), (), ("x",)), "tide"),
    ],
)
def test_weaker_clues_are_followed(leading: Link, title: str) -> None:
    """The address, its folders, the text beside a link and longer words are clues, too."""
    home = page("home", "port", "", *MENU, leading)
    pages = site(home, *SECTIONS, page("x", title, "tide"))
    asked: list[str] = []
    hound = BestFirstSearch(["tide"], "home", budget=50)
    while not isinstance(wanted := hound.next(), Answer):
        asked.append(wanted)
        hound.tell(pages[wanted])
    assert asked[:2] == ["home", "x"]


def test_nothing_found_is_not_sure() -> None:
    """If no page has the words, the confidence is close to 0."""
    answer = find("submarine cable", site(page("home", "city", "", *MENU), *SECTIONS))
    assert answer.confidence < 0.05


def test_lists_of_pages_are_tried_first() -> None:
    """Without any clue a page called a list is requested before other pages."""
    home = page("home", "city", "", *MENU, link("map", "sitemap"))
    pages = site(home, *SECTIONS, page("map", "sitemap", "", link("tide", "tide")))
    pages["tide"] = page("tide", "tide")
    assert find("tide", pages).downloads == 3


def test_page_under_another_key_is_one_page() -> None:
    """A page with two keys is judged by the links to both."""
    home = page("home", "city", "", link("old", "tide table"), link("new", "table"))
    table = page("new", "tide table")
    answer = find("tide table", {"home": home, "old": table, "new": table})
    assert (answer.key, answer.downloads) == ("new", 2)


def test_start_that_fails_is_no_answer() -> None:
    """A site whose first page fails gives no answer."""
    assert explore(BestFirstSearch(["tide"], "home"), {}) == Answer(None, 0.0, 1)


WORDS = [f"w{n}" for n in range(8)]
some_words = st.lists(st.sampled_from(WORDS), max_size=4).map(tuple)
NAMES = [f"p{n}" for n in range(12)]
some_links = st.lists(
    st.builds(Link, st.sampled_from(NAMES), some_words, some_words, some_words, some_words),
    max_size=8,
).map(tuple)


@st.composite
def sites(draw: st.DrawFn) -> dict[str, SitePage]:
    """Generate a small site in which some pages are missing, and some are copies of others."""
    pages = {}
    for name in NAMES:
        if name == "p0" or draw(st.booleans()):
            key = draw(st.sampled_from([name, name, name, "p1"]))
            pages[name] = SitePage(key, draw(some_words), draw(some_links), draw(some_words))
    return pages


@pytest.mark.slow
@settings(max_examples=60)
@given(sites(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(1, 15))
def test_every_search_keeps_its_promises(
    pages: dict[str, SitePage], query: list[str], budget: int
) -> None:
    """No page is requested twice, the budget is kept, and the same search ends the same."""
    asked: list[str] = []
    hound = BestFirstSearch(query, "p0", budget=budget)
    while not isinstance(answer := hound.next(), Answer):
        asked.append(answer)
        if answer in pages:
            hound.tell(pages[answer])
        else:
            hound.fail(answer)
    assert len(asked) == len(set(asked)) == answer.downloads <= budget
    assert all(0 <= chance <= 1 for _, chance in (("", answer.confidence), *answer.runners_up))
    assert explore(BestFirstSearch(query, "p0", budget=budget), pages) == answer


@pytest.mark.slow
@settings(max_examples=60)
@given(sites(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_rates_are_those_of_a_recount(pages: dict[str, SitePage], query: list[str]) -> None:
    """The running counts equal a count over all pages at the end."""
    words = QueryWords(query)
    known = _Site(words)
    known.update("p0", Clues())
    for key in sorted({page.key for page in pages.values()}):
        if key not in known.clues:
            known.update(key, Clues())
        known.leave(key)
        known.learn(next(page for page in pages.values() if page.key == key))
    for place in range(len(words)):
        bit = 1 << place
        named = [
            key
            for key, clues in known.clues.items()
            if bit & (clues.name | (known.read[key].named if key in known.read else 0))
        ]
        assert known._named[place] == len(named)
        contexts = sum(bool(clues.context & bit) for clues in known.clues.values())
        assert known._by_context[place] == contexts
    waiting = {key for group in known.waiting.values() for key in group}
    assert waiting == known.clues.keys() - known.read.keys()
    assert all(known.clues[key] == clues for clues, g in known.waiting.items() for key in g)


clues = st.builds(
    Clues,
    *[st.integers(0, 7)] * 3,
    matches=st.integers(0, 3),
    extra=st.integers(0, 4),
    depth=st.integers(0, 5),
    is_hub=st.booleans(),
)


@given(clues, clues, clues)
def test_clues_join_in_any_order(one: Clues, two: Clues, three: Clues) -> None:
    """The result does not depend on the order in which links are found."""
    assert one.joined(two) == two.joined(one)
    assert one.joined(two).joined(three) == one.joined(two.joined(three))
    assert one.joined(one) == one
