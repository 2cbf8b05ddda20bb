"""Test the end of a run: failures are retried, and late results are used in another round."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from longline.engine import Callbacks, Engine, Judge, RunLimits
from longline.engine.engine import MOST_UNREACHED, ROUNDS
from longline.engine.settings import believe
from longline.errors import (
    BudgetSpent,
    ChangedError,
    PageError,
    RefusedError,
    SilentError,
    SourceError,
    UnreachableError,
)
from longline.events import (
    AnyEvent,
    DocumentFailed,
    DocumentReceived,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    SameDocument,
    Stopped,
)
from longline.ledger import Ledger
from longline.model import Document, Finish, Hit, Page, Query, Request, Response, Search
from longline.simulate import Searcher
from longline.simulate.search.memory import MemoryClient
from longline.store import MemoryStore

WORDS = ("deep", "sea", "web")
DOCUMENTS = [Document(f"{w}{n}", f"http://x.example/{w}{n}", text=w) for w in WORDS for n in "ab"]
SEARCHER = Searcher(DOCUMENTS, limit=10, page_size=10)


class Words:
    """A policy that queries words, and records the events it receives."""

    def __init__(self, words: Sequence[str] = WORDS, *, target_met: bool = True) -> None:
        self.left = [Search(Query((word,))) for word in words]
        self.told: list[AnyEvent] = []
        self.target_met = target_met

    def next(self) -> Search | Request | Finish:
        return self.left.pop(0) if self.left else Finish("asked", self.target_met)

    def tell(self, event: AnyEvent) -> None:
        self.told.append(event)

    @property
    def documents(self) -> list[str]:
        """Return the keys of all received documents, with repeats."""
        return [each.document.key for each in self.told if isinstance(each, DocumentReceived)]

    @property
    def pages(self) -> list[str]:
        """Return the queries whose pages were received."""
        return [str(event.query) for event in self.told if isinstance(event, PageReceived)]


class Site(MemoryClient):
    """A source that calls a function, which may raise, before each search.

    Attributes:
        asked: Queries, in order.
        checks: Number of checks against earlier results.
    """

    def __init__(self, before: Callable[[str], None] = lambda word: None) -> None:
        super().__init__(SEARCHER)
        self.before = before
        self.asked: list[str] = []
        self.checks = 0
        self.broken: SourceError | None = None

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        self.asked.append(str(query))
        self.before(str(query))
        return await super().search(query, number, request)

    async def check(self, *, documents: bool = False) -> bool:
        self.checks += 1
        if self.broken is not None:
            raise self.broken
        return True

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        self.before(request.url)
        return Response(url=request.url, status=200)


class Harvest:
    """An engine on an empty store that creates a new policy for each round."""

    def __init__(
        self,
        site: Site,
        policy: Words | None = None,
        *,
        renews: bool = True,
        max_queries: int | None = None,
        judge: Judge = believe,
    ) -> None:
        self.site, self.store, self.ledger = site, MemoryStore(), Ledger()
        self.policies = [policy or Words()]
        self.engine = Engine(
            self.policies[0],
            site,
            self.store,
            self.ledger,
            RunLimits(max_queries=max_queries),
            callbacks=Callbacks(renew=self.renew if renews else None, judge=judge),
        )

    def renew(self) -> Words:
        self.policies.append(Words())
        return self.policies[-1]

    def run(self) -> tuple[str, str]:
        """Return outcome and cause."""
        stopped = asyncio.run(self.engine.run())
        return stopped.ending.outcome, stopped.ending.cause


def once(error: Exception, *words: str) -> Callable[[str], None]:
    """Raise an error the first time each word is queried."""
    left = set(words)

    def before(word: str) -> None:
        if word in left:
            left.remove(word)
            raise error

    return before


def test_a_page_that_comes_late_is_gone_through_by_a_fresh_policy() -> None:
    """The page is retried at the end; its documents are read then, and no request is repeated."""
    harvest = Harvest(Site(once(RefusedError("status 503", status=503), "sea")))
    assert harvest.run() == ("complete", "")
    assert harvest.site.asked == ["deep", "sea", "web", "sea"]
    assert [policy.pages for policy in harvest.policies] == [
        ["deep", "web", "sea"],
        ["deep", "sea", "web"],
    ]
    assert harvest.ledger.documents == 6
    assert [len(set(policy.documents)) for policy in harvest.policies] == [4, 6]


def test_each_policy_is_told_each_document_once() -> None:
    """This includes one read at the end of a round, which the next round does not retry."""
    site = Site(once(PageError("odd"), "sea"))
    fails = once(RefusedError("status 500", status=500), "deepa")

    async def read(hit: Hit) -> tuple[Document, int]:
        fails(hit.key)
        return await MemoryClient.read(site, hit)

    site.read = read  # type: ignore[method-assign]
    harvest = Harvest(site)
    harvest.run()
    assert [sorted(policy.documents) for policy in harvest.policies] == [
        ["deepa", "deepb", "weba", "webb"],
        ["deepa", "deepb", "seaa", "seab", "weba", "webb"],
    ]


def test_a_page_that_a_probe_brought_becomes_the_harvests_own() -> None:
    """It costs no request and happens once; its rows are in the ledger from then on."""
    harvest = Harvest(Site())
    hits = (Hit("deepa", "http://x.example/deepa"), Hit("deepb", "http://x.example/deepb"))
    harvest.engine.enter(PageReceived(Query(("deep",)), 1, Page(hits), probe=True))
    assert (harvest.ledger.queries, harvest.ledger.probes) == (0, 1)
    harvest.run()
    assert harvest.site.asked == ["sea", "web"]
    assert (harvest.ledger.queries, harvest.ledger.rows_received) == (3, 6)
    assert harvest.store.page(Query(("deep",)), 1) == PageReceived(
        Query(("deep",)), 1, Page(hits), requests=0
    )


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_more_queries_are_sent_than_allowed(most: int) -> None:
    """Not one more is sent; further pages of a sent query and held pages do not count."""
    harvest = Harvest(Site(), Words([*WORDS, "ice"]), max_queries=most)
    assert harvest.run() == ("partial", "budget")
    assert harvest.site.asked == list(WORDS[:most])
    policy = Words([WORDS[0]])
    policy.left.append(Search(Query((WORDS[0],)), 2))
    again = Engine(policy, harvest.site, harvest.store, harvest.ledger, RunLimits(max_queries=most))
    asyncio.run(again.run())
    assert harvest.site.asked == [*WORDS[:most], WORDS[0]]


def test_a_spent_budget_leaves_a_finished_harvest_as_it_was() -> None:
    """A later run that may send nothing does not make it partial."""
    harvest = Harvest(Site())
    assert harvest.run() == ("complete", "")
    policy, limits = Words([*WORDS, "ice"]), RunLimits(max_queries=1)
    again = Engine(policy, harvest.site, harvest.store, harvest.ledger, limits)
    assert asyncio.run(again.run()).outcome == "complete"
    assert harvest.site.asked == list(WORDS)


def test_a_page_that_never_comes_is_tried_twice() -> None:
    """Without new results no further round follows."""
    site = Site()

    def before(word: str) -> None:
        if word == "sea":
            raise PageError("odd")

    site.before = before
    harvest = Harvest(site)
    harvest.run()
    assert site.asked == ["deep", "sea", "web", "sea"]
    assert len(harvest.policies) == 1
    assert sum(isinstance(event, PageFailed) for event in harvest.store.events()) == 2


def test_pages_that_are_not_believed_any_more_lead_to_one_more_round() -> None:
    """The next policy requests the discarded pages again; the other ones are held."""
    harvest = Harvest(Site())

    def before(word: str) -> None:
        if word == "web" and len(harvest.policies) == 1:
            harvest.engine.enter(PageDisbelieved(Query(("deep",)), 1))

    harvest.site.before = before
    assert harvest.run() == ("complete", "")
    assert harvest.site.asked == ["deep", "sea", "web", "deep"]
    assert len(harvest.policies) == 2
    assert harvest.ledger.failures.to_ask_again == set()


def doubt_the_other(harvest: Harvest) -> None:
    """Let each of two words discard the answer to the other one."""
    other = {"deep": "sea", "sea": "deep"}

    def before(word: str) -> None:
        if word in other:
            harvest.engine.enter(PageDisbelieved(Query((other[word],)), 1))

    harvest.site.before = before


def test_rounds_have_an_end() -> None:
    """A source whose answers are discarded repeatedly gets three rounds, and no more."""
    harvest = Harvest(Site())
    doubt_the_other(harvest)
    harvest.run()
    assert len(harvest.policies) == ROUNDS
    assert harvest.site.asked == [*WORDS, "deep", "sea", "deep", "sea"]


def test_an_engine_that_renews_nothing_goes_through_once() -> None:
    """Pages to request again are left for the next run."""
    harvest = Harvest(Site(), renews=False)
    doubt_the_other(harvest)
    harvest.run()
    assert harvest.site.asked == list(WORDS)
    assert harvest.store.page(Query(("deep",)), 1) is None


def test_a_fresh_policy_goes_on_where_two_keys_turn_out_to_be_of_one_document() -> None:
    """It receives the key that was kept, also for earlier pages; no request is repeated."""

    def join(word: str) -> None:
        if word == "web":
            harvest.engine.enter(SameDocument("seaa", "deepa"))

    harvest = Harvest(Site(join))
    twin = Page((Hit("seaa"), Hit("seab")))
    harvest.store.record(received := PageReceived(Query(("sea",)), 1, twin))
    harvest.ledger.tell(received)
    assert harvest.run() == ("complete", "")
    assert harvest.site.asked == ["deep", "web"]
    fresh = harvest.policies[1]
    assert len(harvest.policies) == 2
    assert fresh.pages == list(WORDS)
    keys = [
        hit.key for each in fresh.told if isinstance(each, PageReceived) for hit in each.page.hits
    ]
    assert keys == ["deepa", "deepb", "deepa", "seab", "weba", "webb"]
    assert sorted(fresh.documents) == ["deepa", "deepb", "seab", "weba", "webb"]


@pytest.mark.parametrize("is_proven", [True, False])
def test_answers_that_do_not_prove_themselves_are_checked_at_the_end(is_proven: bool) -> None:
    """A harvest that ends with empty answers makes a check, any other does not."""
    site = Site()
    site.is_proven = is_proven  # type: ignore[misc]
    harvest = Harvest(site)
    assert harvest.run() == ("complete", "")
    assert site.checks == (not is_proven)


def test_a_source_that_is_silent_at_the_end_was_silent_before() -> None:
    """The harvest is then not complete, whatever the policy says."""
    site = Site()
    site.is_proven = False  # type: ignore[misc]
    site.broken = SilentError("nothing is found any more")
    harvest = Harvest(site)
    assert harvest.run() == ("blocked", "silence")
    assert harvest.ledger.documents == 6


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        (ChangedError("redesigned"), ("changed", "")),
        (SilentError("nothing found"), ("blocked", "silence")),
        (BudgetSpent("no more requests"), ("partial", "budget")),
    ],
)
def test_an_error_that_ends_it_says_how(error: Exception, ending: tuple[str, str]) -> None:
    """It ends at once; received documents are kept, and the policy is not called again."""
    harvest = Harvest(Site(once(error, "sea")))
    assert harvest.run() == ending
    assert harvest.site.asked == ["deep", "sea"]
    assert harvest.ledger.documents == 2
    assert harvest.ledger.stopped.reason == str(error)


def test_a_policy_that_was_thwarted_ends_partial() -> None:
    """Without a judge the policy's own verdict counts."""
    assert Harvest(Site(), Words(target_met=False)).run() == ("partial", "missing")


def test_the_judge_has_the_last_word() -> None:
    """The judge is called once, after all retries."""
    asked: list[Finish] = []

    def judge(finish: Finish) -> Stopped:
        asked.append(finish)
        assert harvest.ledger.documents == 6
        return Stopped("judged", False, "partial", "cut")

    harvest = Harvest(Site(once(PageError("odd"), "sea")), judge=judge)
    assert harvest.run() == ("partial", "cut")
    assert asked == [Finish("asked")]


def test_a_harvest_of_nothing_says_whether_the_source_failed_or_was_empty() -> None:
    """The newest page's failure is raised if there is one, with its ending."""
    with pytest.raises(PageError) as caught:
        Harvest(Site(), Words(["none", "nothing"])).run()
    assert str(caught.value.ending) == "empty"
    refused = RefusedError("status 403", status=403)
    harvest = Harvest(Site(once(refused, "none")), Words(["none"]))
    with pytest.raises(RefusedError):
        harvest.run()
    assert str(harvest.ledger.stopped.ending) == "blocked (refused)"


def test_an_end_like_the_last_one_is_not_entered_twice() -> None:
    """A run without requests leaves the journal unchanged."""
    harvest = Harvest(Site())
    harvest.run()
    before = len(list(harvest.store.events()))
    again = Engine(Words(), Site(), harvest.store, harvest.ledger)
    asyncio.run(again.run())
    assert len(list(harvest.store.events())) == before


def test_a_host_that_is_gone_for_a_policies_own_requests_ends_it() -> None:
    """This many unanswered requests in a row end it; an answer in between resets the count."""

    def before(url: str) -> None:
        if url.startswith("gone"):
            raise UnreachableError("nobody listens")

    policy = Words([])
    urls = ["home", *["gone"] * (MOST_UNREACHED - 1), "home2", *["gone"] * (MOST_UNREACHED + 3)]
    policy.left = [Request(f"{url}{n}") for n, url in enumerate(urls)]  # type: ignore[misc]
    harvest = Harvest(Site(before), policy)
    assert harvest.run() == ("unreachable", "")
    assert len(harvest.site.asked) == 1 + (MOST_UNREACHED - 1) + 1 + MOST_UNREACHED


def test_a_document_that_fails_at_the_end_is_not_tried_for_ever() -> None:
    """Further rounds for other reasons do not retry it again and again."""
    site = Site(once(PageError("odd"), "sea"))
    read: list[str] = []

    async def failing(hit: Hit) -> tuple[Document, int]:
        read.append(hit.key)
        if hit.key == "deepa":
            raise RefusedError("status 500", status=500)
        return await MemoryClient.read(site, hit)

    site.read = failing  # type: ignore[method-assign]
    harvest = Harvest(site)
    harvest.run()
    assert len(harvest.policies) == 2
    assert isinstance(harvest.ledger.failures.documents["deepa"], DocumentFailed)
    assert 2 <= read.count("deepa") <= 1 + ROUNDS


@pytest.mark.parametrize("is_done", [False, True])
def test_a_page_that_an_earlier_run_lost_is_requested_at_the_end(is_done: bool) -> None:
    """The policy may not need it now; after a finished harvest only a retry requests it."""
    harvest = Harvest(Site())
    for word, probe in ("sea", False), ("ice", True):
        harvest.engine.enter(PageFailed(Query((word,)), 1, "odd", 1, probe))
    harvest.engine.enter(Stopped("over", is_done, "complete" if is_done else "changed"))
    again = Engine(Words(["deep"]), harvest.site, harvest.store, harvest.ledger)
    asyncio.run(again.run())
    assert harvest.site.asked == (["deep"] if is_done else ["deep", "sea"])
    limits = RunLimits(retries_all=True)
    retried = Engine(Words(["deep"]), harvest.site, harvest.store, harvest.ledger, limits)
    asyncio.run(retried.run())
    assert harvest.site.asked == ["deep", "sea"]
    assert not harvest.ledger.failures.searches()
