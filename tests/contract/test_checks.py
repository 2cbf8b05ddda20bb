"""Test when a web client repeats an earlier query as a check, its cost, and how it ends."""

import asyncio
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from longline.engine.asker import TRIES, Happening
from longline.engine.site_client import SiteClient
from longline.errors import (
    ChangedError,
    PageError,
    PlaceholderError,
    RefusedError,
    SilentError,
    StrangerError,
    UnreachableError,
)
from longline.events import NonsenseAnswered, PageDisbelieved, SourceChecked
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.outcomes import Ending
from longline.source import Source, read_spec
from longline.source.trust.seen import Seen
from longline.source.trust.stand_ins import NONSENSE

ROWS = 3
SPEC = read_spec("""
    [source]
    name = "x"
    url = "http://x.example/"
    [ask]
    url = "http://x.example/find?q={query}"
    [results]
    hit = "li"
    link = "a"
    title = "a"
    total = "p.total"
    [document]
    text = "article"
""")


def listing(word: str, *keys: str, total: bool = True) -> str:
    """Write a result page."""
    rows = "".join(f"<li><a href=/d/{key}>About {word} {key}</a>" for key in keys)
    count = f"<p class=total>{len(keys)}</p>" if total else ""
    return f"<html><h1>{word}</h1>{count}<ul>{rows}</ul></html>"


def own(word: str) -> str:
    """Write a page of hits that only this query has; nonsense has none."""
    keys = () if word in NONSENSE.required else [f"{word}{place}" for place in range(ROWS)]
    return listing(word, *keys)


def nothing(word: str) -> str:
    """Write a page that says that nothing was found."""
    return listing(word)


Answer = Callable[[str], str | int | Exception]


class Site:
    """A fetcher of a site in memory.

    Attributes:
        find: Answers a word with a page, a status, or an error.
        show: Answers a document's path in the same way.
        moved: Final address of every document; "" for its own address.
        log: Words and paths, in order.
    """

    def __init__(self, find: Answer = own) -> None:
        self.find = find
        self.show: Answer = lambda key: f"<html><article>Of {key} here.</article></html>"
        self.moved = ""
        self.log: list[str] = []

    async def fetch(self, request: Request) -> Response:
        parts = urlsplit(request.url)
        word = parse_qs(parts.query).get("q", [""])[0]
        what = word or parts.path.removeprefix("/d/")
        self.log.append(what)
        answer = self.find(word) if word else self.show(what)
        if isinstance(answer, int):
            answer = RefusedError(f"status {answer}", status=answer)
        if isinstance(answer, Exception):
            answer.requests = 1  # type: ignore[attr-defined]
            raise answer
        url = request.url if word or not self.moved else self.moved
        return Response(url=url, status=200, content_type="text/html", body=answer.encode())

    async def close(self) -> None: ...


class Visit:
    """A client on a site, and all events that it reports."""

    def __init__(self, site: Site | None = None, seen: Seen | None = None) -> None:
        self.site = site or Site()
        self.events: list[Happening] = []
        self.client = SiteClient(Source(SPEC), self.site, on_event=self.events.append, seen=seen)
        self.spent = 0

    def search(self, *words: str) -> list[Page]:
        """Query the first page of each word, and count the requests, also if it fails."""
        return [self._do(self.client.search(Query((word,)), 1, None)) for word in words]

    def read(self, hit: Hit) -> Document:
        """Read a document."""
        return self._do(self.client.read(hit))  # type: ignore[no-any-return]

    def _do(self, work):  # type: ignore[no-untyped-def]
        try:
            found, requests = asyncio.run(work)
        except Exception as error:
            self.spent += getattr(error, "requests", 0)
            raise
        self.spent += requests
        return found

    def check_costs(self) -> None:
        """Check that every request is counted in exactly one event, page or error."""
        told = sum(getattr(event, "requests", 0) for event in self.events)
        assert self.spent + told == len(self.site.log)

    @property
    def checks(self) -> list[bool]:
        return [event.answers for event in self.events if isinstance(event, SourceChecked)]

    @property
    def disbelieved(self) -> list[str]:
        return [str(each.query) for each in self.events if isinstance(each, PageDisbelieved)]


def words(count: int, kind: str = "w") -> list[str]:
    """Make different words."""
    return [f"{kind}{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(count)]


def after_hits(count: int = 20) -> Visit:
    """Return a visit with this many queries that had hits."""
    visit = Visit()
    visit.search(*words(count))
    assert visit.events == []
    return visit


def test_a_source_that_finds_nothing_any_more_is_silent() -> None:
    """Empty answers since the last hits are discarded; the first and newest query repeat."""
    visit = after_hits()
    visit.site.find = nothing
    begun = len(visit.site.log)
    with pytest.raises(SilentError, match="finds nothing for any search") as caught:
        visit.search(*words(9, "q"))
    assert caught.value.ending == Ending("blocked", "silence")
    asked = visit.site.log[begun:]
    assert asked == ["qaa", "qab", "qab", "waa", "wat"]
    assert visit.checks == [False, False]
    assert visit.disbelieved == ["qaa", "qab"]
    visit.check_costs()
    assert visit.client.is_proven


def test_empty_answers_of_a_source_that_still_answers_are_believed() -> None:
    """One check with the first query that had hits is enough."""
    visit = after_hits()
    visit.site.find = lambda word: own(word) if word[0] == "w" else nothing(word)
    assert [page.hits for page in visit.search(*words(2, "q"))] == [(), ()]
    assert visit.checks == [True]
    assert visit.disbelieved == []
    assert visit.site.log.count("waa") == 2
    visit.check_costs()


def test_a_query_may_have_lost_its_hits_where_the_newest_has_them_still() -> None:
    """Hits found once may disappear; the source still answers."""
    visit = after_hits()
    visit.site.find = lambda word: own(word) if word == "wat" else nothing(word)
    visit.search(*words(2, "q"))
    assert visit.checks == [False, True]
    assert visit.disbelieved == []
    visit.check_costs()


def test_unproven_answers_are_known_until_they_are_checked() -> None:
    """One empty answer proves nothing; a passed check is enough."""
    visit = after_hits(5)
    visit.site.find = lambda word: own(word) if word[0] == "w" else nothing(word)
    visit.search("qaa")
    assert not visit.client.is_proven
    assert asyncio.run(visit.client.check())
    assert visit.client.is_proven
    assert visit.checks == [True]


def test_without_any_hit_before_there_is_nothing_to_check() -> None:
    """A source that never had hits is not checked."""
    visit = Visit(Site(nothing))
    visit.search(*words(40, "q"))
    assert asyncio.run(visit.client.check()) is False
    assert visit.checks == []
    visit.check_costs()


def test_the_same_documents_for_every_query_are_silence() -> None:
    """The source counts as silent if a query that had other hits shows them too."""
    visit = after_hits()
    popular = [f"p{place}" for place in range(ROWS)]
    visit.site.find = lambda word: (
        nothing(word) if word in NONSENSE.required else listing(word, *popular)
    )
    with pytest.raises(SilentError, match="shows the same 3 documents for every search"):
        visit.search(*words(9, "q"))
    assert sorted(visit.disbelieved) == ["qaa", "qab", "qac"]
    assert visit.checks == [False, False]
    visit.check_costs()


def test_the_same_first_page_for_words_of_every_document_is_no_silence() -> None:
    """It is not silent if the first query shows its old hits, and nonsense shows nothing."""
    all_of_them = [f"p{place}" for place in range(ROWS)]
    visit = Visit(
        Site(
            lambda word: nothing(word) if word in NONSENSE.required else listing(word, *all_of_them)
        )
    )
    pages = visit.search(*words(9, "q"))
    assert all(len(page.hits) == ROWS for page in pages)
    assert all(visit.checks)
    assert visit.disbelieved == []
    visit.check_costs()


def test_the_same_documents_for_some_queries_are_theirs() -> None:
    """They are real hits if a query that had other hits still has them."""
    visit = after_hits()
    popular = [f"p{place}" for place in range(ROWS)]
    visit.site.find = lambda word: own(word) if word[0] != "q" else listing(word, *popular)
    pages = visit.search(*words(4, "q"))
    assert all(len(page.hits) == ROWS for page in pages)
    assert visit.checks[0]
    assert visit.disbelieved == []
    visit.check_costs()


def test_documents_that_come_for_nonsense_too_are_no_hits() -> None:
    """Nonsense is queried once and reported, and its hits are removed from every page."""
    visit = after_hits(5)
    popular = [f"p{place}" for place in range(ROWS)]
    visit.site.find = lambda word: own(word) if word[0] == "w" else listing(word, *popular)
    pages = visit.search(*words(4, "q"))
    assert [len(page.hits) for page in pages] == [3, 3, 0, 0]
    assert pages[3].others == ROWS
    told = [event for event in visit.events if isinstance(event, NonsenseAnswered)]
    assert [len(event.keys) for event in told] == [ROWS]
    assert visit.site.log.count(NONSENSE.required[0]) == 1
    visit.check_costs()


def test_a_query_that_nothing_matched_is_not_asked_again() -> None:
    """If the first query only had hits of nonsense, the source does not count as silent."""
    visit = Visit(Site())
    popular = [f"p{place}" for place in range(ROWS)]
    visit.site.find = lambda word: own(word) if word[0] == "w" else listing(word, *popular)
    visit.search("qaa", *words(20), *words(4, "q")[1:], "waa")
    assert visit.disbelieved == ["qaa", "qab"]
    assert asyncio.run(visit.client.check())
    assert visit.site.log[-1] == "waa"
    assert visit.checks == [True]


def test_an_empty_answer_that_was_false_makes_those_before_doubtful() -> None:
    """The second empty answer is requested again and has hits now; the first one is discarded."""
    visit = after_hits(8)
    lies = {"qaa": 1, "qab": 1}

    def find(word: str) -> str:
        lies[word] = lies.get(word, 0) - 1
        return nothing(word) if lies[word] >= 0 else own(word)

    visit.site.find = find
    first, second = visit.search("qaa", "qab")
    assert (len(first.hits), len(second.hits)) == (0, ROWS)
    assert visit.disbelieved == ["qaa"]
    assert visit.checks == []
    lies |= {"qac": 2}
    assert len(visit.search("qac")[0].hits) == ROWS  # by now each is requested twice more
    visit.check_costs()


def test_a_page_of_another_make_is_held_against_what_was_right() -> None:
    """If the repeated query has no hits either, the source has changed."""
    visit = after_hits(3)
    visit.site.find = lambda word: "<html><section>The new library</section></html>"
    with pytest.raises(ChangedError) as caught:
        visit.search("qaa")
    assert caught.value.ending == Ending("changed")
    assert visit.checks == [False, False]
    visit.check_costs()


WALLS = [
    ("<html><title>Log in</title><form><input type=password></form></html>", "login"),
    ("<html><title>Are you human?</title><p>Prove it.</p></html>", "captcha"),
    ("<html><title>Access denied</title><p>Not you.</p></html>", "refused"),
]


@pytest.mark.parametrize(("wall", "cause"), WALLS)
def test_a_wall_in_the_place_of_results_is_none(wall: str, cause: str) -> None:
    """A blocking page is not an empty result page, neither for a new query nor for a check."""
    visit = after_hits(3)
    visit.site.find = lambda word: wall
    with pytest.raises(PageError, match="instead of results"):
        visit.search("qaa")
    with pytest.raises(ChangedError, match="instead of results"):
        asyncio.run(visit.client.check())
    visit.check_costs()


@pytest.mark.parametrize(("wall", "cause"), WALLS)
def test_a_wall_in_the_place_of_results_says_which(wall: str, cause: str) -> None:
    """A harvest that gets only this page ends with its cause."""
    visit = after_hits(3)
    visit.site.find = lambda word: wall
    with pytest.raises(PageError) as caught:
        visit.search("qaa")
    assert caught.value.ending == Ending("blocked", cause)  # type: ignore[arg-type]
    with pytest.raises(ChangedError) as checked:
        asyncio.run(visit.client.check())
    assert checked.value.ending == Ending("blocked", cause)  # type: ignore[arg-type]


def test_a_page_of_another_make_is_empty_where_what_was_right_still_is() -> None:
    """Other pages with the same structure count as empty too, at no further request."""
    visit = after_hits(3)
    sorry = "<html><p class=sorry>Nothing</p></html>"
    visit.site.find = lambda word: own(word) if word[0] == "w" else sorry
    visit.search("qaa", "qab")
    assert visit.checks == [True]
    assert visit.site.log.count("waa") == 2
    visit.check_costs()


def test_hits_on_a_page_that_does_not_show_its_query_are_held_against_what_was_right() -> None:
    """A list of links that is on every page is not a list of results."""
    visit = after_hits(9)
    visit.site.find = lambda word: listing("Home", "a", "b", total=False)
    with pytest.raises(ChangedError) as caught:
        visit.search("qaa")
    assert caught.value.ending == Ending("changed")
    assert "does not show it" in str(caught.value)
    visit.check_costs()


def test_a_wall_in_the_place_of_what_was_right_says_which() -> None:
    """The ending is that of the blocking page, not merely a changed site."""
    visit = after_hits(3)
    wall = "<html><title>Access denied</title><ul><li><a href=/>Home</a></ul></html>"
    visit.site.find = lambda word: wall if word[0] == "w" else "<html><p>Sorry</p></html>"
    with pytest.raises(ChangedError) as caught:
        visit.search("qaa")
    assert caught.value.ending == Ending("blocked", "refused")
    visit.check_costs()


def test_a_check_that_is_not_answered_says_that_it_was_not() -> None:
    """A failed request does not mean that the source has changed."""
    visit = after_hits(3)
    visit.site.find = lambda word: UnreachableError("nobody listens")
    with pytest.raises(UnreachableError):
        asyncio.run(visit.client.check())
    assert visit.checks == [False, False]


@pytest.mark.parametrize(("status", "of_query"), [(400, True), (500, True), (403, False)])
def test_some_refusals_are_of_the_query_alone(status: int, of_query: bool) -> None:
    """Each third refusal in a row triggers a check, if the status may concern the query."""
    visit = after_hits(3)
    visit.site.find = lambda word: own(word) if word[0] == "w" else status
    found = []
    for word in words(6, "q"):
        with pytest.raises(RefusedError) as caught:
            visit.search(word)
        found.append(caught.value.is_of_query)
    assert found == [False, False, of_query] * 2
    visit.check_costs()


def test_refusals_of_a_source_that_has_gone_are_of_no_query() -> None:
    """If queries that had hits are refused too, the words are not the reason."""
    visit = after_hits(3)
    visit.site.find = lambda word: 400
    for word in words(4, "q"):
        with pytest.raises(RefusedError) as caught:
            visit.search(word)
        assert not caught.value.is_of_query
    visit.check_costs()


def test_a_torn_page_is_asked_for_again() -> None:
    """It is requested a few times; each counts, and the first complete page is used."""
    visit = after_hits(3)
    left = TRIES - 1

    def find(word: str) -> str:
        nonlocal left
        left -= 1
        return own(word).removesuffix("</ul></html>") if left >= 0 else own(word)

    visit.site.find = find
    (page,) = visit.search("qaa")
    assert len(page.hits) == ROWS
    assert visit.site.log.count("qaa") == TRIES
    visit.check_costs()


def test_of_a_page_that_is_always_torn_the_last_row_is_left_out() -> None:
    """The last row may be incomplete; the other rows are kept, and the next page is unaffected."""
    visit = after_hits(3)
    visit.site.find = lambda word: own(word).removesuffix("</ul></html>")
    assert len(visit.search("qaa")[0].hits) == ROWS - 1
    assert visit.site.log.count("qaa") == TRIES
    visit.site.find = own
    assert len(visit.search("qab")[0].hits) == ROWS


def hit(key: str, title: str = "") -> Hit:
    """Make a hit whose document contains its key."""
    return Hit(key, f"http://x.example/d/{key}", title or f"About {key}")


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Please wait a moment.", Ending("blocked", "silence")),
        ("Are you human?", Ending("blocked", "captcha")),
        ("Access is denied.", Ending("blocked", "refused")),
    ],
)
def test_a_page_that_comes_for_many_documents_is_none(text: str, ending: Ending) -> None:
    """The third document with the same page is refused; the error names the two before."""
    visit = Visit()
    visit.site.show = lambda key: f"<html><article>{text}</article></html>"
    assert visit.read(hit("one")).text == visit.read(hit("two")).text == text
    with pytest.raises(PlaceholderError) as caught:
        visit.read(hit("three"))
    assert caught.value.earlier == ("one", "two")
    assert caught.value.ending == ending
    assert caught.value.page == text
    visit.check_costs()


def test_pages_without_a_text_that_documents_were_led_to_are_placeholders() -> None:
    """The error also names the address they were all redirected to."""
    visit = Visit()
    visit.site.show = lambda key: "<html><p>Welcome</p></html>"
    visit.site.moved = "http://x.example/welcome"
    for key in ("one", "two"):
        with pytest.raises(PageError) as caught:
            visit.read(hit(key))
        assert not isinstance(caught.value, PlaceholderError)
    with pytest.raises(PlaceholderError, match=r"x\.example/welcome") as found:
        visit.read(hit("three"))
    assert set(found.value.earlier) == {"one", "two"}
    visit.check_costs()


def test_documents_that_are_really_alike_are_kept() -> None:
    """Documents with the same text are kept if it has words of their hits."""
    visit = Visit()
    visit.site.show = lambda key: "<html><article>The harbour at noon.</article></html>"
    for key in words(9):
        assert visit.read(hit(key, "The harbour")).text == "The harbour at noon."


def test_an_odd_document_is_held_against_one_that_came_as_it_should() -> None:
    """If the good document is unchanged, odd documents are kept after a single check."""
    visit = Visit()
    for key in words(20, "ship"):
        visit.read(hit(key))
    visit.site.show = lambda key: (
        f"<html><article>{f'Of {key}' if key[0] == 's' else f'Plate {len(key)}'}</article></html>"
    )
    assert visit.read(hit("odd")).text == "Plate 3"
    assert visit.read(hit("even")).text == "Plate 4"
    assert visit.site.log[-3:] == ["odd", "shipaa", "even"]
    assert visit.checks == [True]
    visit.check_costs()


def test_odd_documents_of_a_site_that_changed_are_none() -> None:
    """If the good document is a different page now, the source has changed."""
    visit = Visit()
    for key in words(20, "ship"):
        visit.read(hit(key))
    visit.site.show = lambda key: f"<html><article>Plate {len(key)}.</article></html>"
    with pytest.raises(ChangedError) as caught:
        visit.read(hit("odd"))
    assert caught.value.ending == Ending("changed")
    assert visit.checks == [False]
    with pytest.raises(ChangedError):
        asyncio.run(visit.client.check(documents=True))
    visit.check_costs()


def test_documents_can_be_checked_only_where_one_came() -> None:
    """Without a good document there is nothing to check."""
    assert asyncio.run(Visit().client.check(documents=True)) is False


def test_a_wall_in_the_place_of_a_document_is_a_stranger() -> None:
    """The first such page is recognised by its title."""
    visit = Visit()
    visit.site.show = lambda key: "<html><title>Sign in</title><article>Card</article></html>"
    with pytest.raises(StrangerError) as caught:
        visit.read(hit("one"))
    assert caught.value.ending == Ending("blocked", "login")
    visit.check_costs()
