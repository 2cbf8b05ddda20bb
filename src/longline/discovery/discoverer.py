"""The policy that learns a search interface from its pages."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from longline.discovery.answer_pages import RESERVE, PagingState
from longline.discovery.asking import (
    doubt_meaning,
    note_nearest,
    renew_data_hits,
    see_again,
)
from longline.discovery.beginning import Browser, begin
from longline.discovery.dialect import (
    learn_dialect,
    learn_facets,
    learn_forms,
    learn_longest,
    widen,
)
from longline.discovery.document import (
    learn_data_document,
    learn_document,
    learn_fields,
    learn_opened,
)
from longline.discovery.findings import Finding, Way
from longline.discovery.gate import (
    check_known_items,
    check_nearest,
    learn_words,
    needs_review,
    note_filters,
)
from longline.discovery.hopeless import BY_MORE, HopelessError, joined
from longline.discovery.other_searches import note_other_searches
from longline.discovery.paging import (
    FurtherList,
    ask_again,
    ask_for_longer,
    ask_for_longest,
    ask_long,
    choose_paging,
    follow_on,
    judge_totals,
    learn_data_pages,
    learn_data_pages_from,
    learn_everything,
    learn_limit,
    learn_newest,
    learn_session,
    learn_size,
    learn_total,
    longer,
    longest,
    note_first_total,
    see_short,
)
from longline.discovery.session import Asking, DiscoverySession, OutOfRequests
from longline.errors import SpecError
from longline.events import AnyEvent, RequestFailed, ResponseReceived
from longline.model import Finish, Request, Response
from longline.ports import GeneratorPolicy
from longline.source import Spec, keys_of, read_spec, write_spec
from longline.text.numbers import counted

NEEDED = 14
"""Extra requests for the steps that every harvest needs, once the limit is reached."""

PAGES_AGAIN = 8
"""How many requests must be left to learn paging a second time."""

_NONE = {"sure": "none", "likely": "none", "guess": "none", "unknown": "not known"}


CHECK_FIRST = "CHECK FIRST: "
"""Begins the lines at the head of a spec that name what a person must check before a harvest."""


class Discoverer(GeneratorPolicy[Request, Response]):
    """Learn from a page with a search form how to query it and how to read its answers.

    Searches for words of the site's own text and for nonsense, and compares the answers. Never
    fills in a form with a password or file field. All findings are kept when requests run out or
    fail; each says how sure it is, and the unsure ones have a warning.

    Args:
        url: A page with the search form, or one that links to it.
        rng: Generates the nonsense words.
        words: Words of the source's language, to try first.
        ways: Ways to query the source that it describes itself, the most likely first.
        allow_post: Whether forms sent by POST may be filled in, too.
        max_requests: Limit of HTTP requests. Up to as many again are added for redirects, and
            for a list elsewhere that is learnt instead.
        browser: When pages may be shown in a browser: never, if no form works without, or
            at once.
        browser_requests: Limit of HTTP requests with a browser, whose pages send more requests
            themselves.

    Source: ours; the figures are in docs/research/decisions/0030.

    >>> discoverer = Discoverer("https://shop.example/", np.random.default_rng(0))
    >>> discoverer.next().url
    'https://shop.example/'
    """

    def __init__(
        self,
        url: str,
        rng: np.random.Generator,
        *,
        words: Sequence[str] = (),
        ways: Sequence[Way] = (),
        allow_post: bool = False,
        max_requests: int = 40,
        browser: Browser = "never",
        browser_requests: int = 80,
    ) -> None:
        super().__init__(self._planned())
        may_browse = browser != "never"
        self._session = DiscoverySession(url, rng, words, allow_post, max_requests, may_browse)
        self._ways = ways
        self._redirects = max_requests
        self._browser = browser
        self._browser_requests = browser_requests
        self.problem = self.advice = ""

    def tell(self, event: AnyEvent) -> None:
        """Record a response or a failure, and the requests it cost."""
        match event:
            case ResponseReceived(_, response, requests):
                self.came = response
                self._session.requests += requests
                led = min(requests - 1, self._redirects) if response.url != event.request.url else 0
                self._redirects -= led
                self._session.max_requests += led
            case RequestFailed(_, reason, requests, status):
                self._session.reason, self._session.status = reason, status
                self._session.requests += max(requests, 1)

    def conclude(self, reason: str) -> None:
        """End the discovery: no more requests will be sent.

        Args:
            reason: Why it ended, for the message if nothing was found.
        """
        self.stop(Finish(reason, target_met=False))
        if self.spec is None and not self.problem:
            self._give_up(
                reason, "try again, or write a source.toml (docs/how-to/sources/none-of-these.md)"
            )

    @property
    def requests(self) -> int:
        """HTTP requests sent so far."""
        return self._session.requests

    @property
    def spec(self) -> Spec | None:
        """The spec as far as it is known, or None if not even hits are."""
        return self._session.spec

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, with their evidence."""
        return tuple(self._session.findings.values())

    @property
    def review(self) -> list[str]:
        """Reasons why a person must check the spec before a harvest; [] if there are none."""
        return needs_review(self._session)

    def toml(self) -> str:
        """Return the spec as TOML, with a comment on each line that was learnt.

        Raises:
            SpecError: Nothing was found, or the findings contradict each other.
        """
        spec = self.spec
        if spec is None:
            raise SpecError(self.problem or "nothing was found yet", advice=self.advice)
        notes = {finding.name: finding.note() for finding in self.findings}
        head = [f"worked out from {spec.source.url} with {counted(self.requests, 'request')}"]
        head += [f"{CHECK_FIRST}{reason}" for reason in self.review]
        spare = [f for f in self.findings if f.name not in keys_of(spec)]
        head += [f"{f.name} = {f.value or _NONE[f.sure]}: {f.evidence}" for f in spare]
        head += [f"WARNING: {f.name}: {f.warning}" for f in spare if f.warning]
        notes["source"] = "\n".join(head)
        written = write_spec(spec, notes=notes)
        read_spec(written)
        return written

    def _give_up(self, reason: str, advice: str) -> None:
        """Record why nothing was found, first the problem without a browser."""
        plain = self._session.plain
        self.problem = str(joined(plain, HopelessError(reason)))
        self.advice = advice if plain is None else plain.advice

    def _planned(self) -> Asking[Finish]:
        finish = None
        while finish is None:
            try:
                finish = yield from self._learnt()
            except FurtherList as led:
                self._session = _from(led, self._session)
                self._ways = ()
        learn_fields(self._session)
        with suppress(OutOfRequests):
            yield from learn_newest(self._session)
        return finish

    def _learnt(self) -> Asking[Finish]:
        session, pages = self._session, None
        try:
            yield from begin(session, self._ways, self._browser, self._browser_requests)
            if session.ask is not None and not session.ask.takes_words:
                yield from _learn_list(session)
                return Finish("the list was learnt")
            if session.ask is not None and session.ask.matches == "prefix":
                if session.data_hits is not None:
                    yield from learn_data_document(session)
                session.find("known_items", "", "likely", "names are asked for by how they begin")
                return Finish("the completion of names was learnt")
            pages = yield from _learn_widest(session)
            note_filters(session)
            yield from learn_everything(session, pages)
            yield from _learn_documents(session)
            doubt_meaning(session)
            if session.is_by_meaning:
                yield from _learn_nearest(session, pages)
                return _finished(self.review)
            try:
                yield from note_other_searches(session)
                learnt = yield from learn_dialect(session, pages)
                yield from ask_long(pages, learnt.either)
                pages = yield from _learn_pages_again(session, pages)
                yield from learn_limit(pages)
                if learnt.joined == "AND" and session.left > RESERVE + 1:
                    yield from learn_longest(session, pages)
                yield from check_known_items(session, pages)
                yield from learn_facets(session)
            finally:
                learn_words(session)
                judge_totals(session, pages)
            yield from ask_for_longest(pages)
            if learnt.stems:
                yield from learn_forms(session, pages)
        except HopelessError as error:
            self.problem, self.advice = str(error), error.advice
            session.results = None
            return Finish(str(error), target_met=False)
        except OutOfRequests:
            spent = counted(session.requests, "request was", "requests were")
            if session.spec is None:
                few = f"{spent} not enough to find any results"
                self._give_up(few if session.requests else "no request is left", BY_MORE)
                return Finish(self.problem, target_met=False)
            if pages is not None:
                with suppress(OutOfRequests):
                    yield from _learn_needed(session, pages)
            return Finish(f"{spent} spent", target_met=False)
        return _finished(self.review)


def _from(led: FurtherList, old: DiscoverySession) -> DiscoverySession:
    """Return a session that starts again at a list, with as many requests as the first one."""
    may = (old.allow_post, old.max_requests + old.requests, old.may_browse)
    words = (led.words, *old.words)
    return DiscoverySession(led.url, old.rng, words, *may, requests=old.requests)


def _finished(review: list[str]) -> Finish:
    wanted = f"please check before a harvest: {review[0]}" if review else ""
    return Finish(wanted or "the search interface was learnt", target_met=not review)


def _learn_needed(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Learn what every harvest needs, with a few extra requests."""
    session.max_requests = session.requests + NEEDED
    if session.spec and not (session.spec.document or session.spec.results.text):
        yield from _learn_documents(session)
    if "known_items" not in session.findings:
        yield from check_known_items(session, pages)
    yield from learn_facets(session)


def _learn_documents(session: DiscoverySession) -> Asking[None]:
    """Learn where the texts of documents are."""
    if session.kind == "json":
        yield from learn_data_document(session)
        return
    yield from learn_opened(session)
    yield from learn_document(session)


def _learn_nearest(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Learn what can be learnt about a search by meaning, where words do not combine."""
    try:
        if pages.later:
            yield from learn_limit(pages)
        else:
            note_nearest(session)
        yield from check_nearest(session, pages)
        yield from learn_facets(session)
    finally:
        learn_words(session)
    yield from ask_for_longest(pages)


def _learn_widest(session: DiscoverySession) -> Asking[PagingState]:
    """Learn paging, with the form set to its widest options if that finds more."""
    plain = session.ask
    assert plain is not None
    if session.kind == "json":
        # The total alone shows what a setting leaves out: paging is learnt once.
        note_first_total(session)
        if (yield from widen(session, plain)):
            renew_data_hits(session)
        return (yield from learn_data_pages(session))
    pages = yield from _learn_pages(session)
    if (yield from widen(session, plain)):
        pages = yield from _learn_pages(session)
    return pages


def _learn_pages(session: DiscoverySession) -> Asking[PagingState]:
    """Learn the next page, the total and the page size of an answer."""
    pages = PagingState(session, (yield from longest(session)))
    see_again(session)
    yield from _learn_from(pages)
    return pages


def _learn_list(session: DiscoverySession) -> Asking[None]:
    """Learn paging, documents and facets of a list that takes no words."""
    session.find("known_items", "", "likely", "nothing takes words: no document can be asked for")
    pages = PagingState(session, session.probes[0])
    is_whole = session.ask is not None and session.ask.lists == "all"
    if is_whole or (session.results is not None and session.results.files):
        yield from (learn_data_document if session.data_hits else learn_document)(session)
        return
    yield from _learn_from(pages)
    yield from learn_document(session)
    session.probes = session.probes[:1]
    yield from learn_limit(pages)
    yield from learn_facets(session)


def _learn_from(pages: PagingState) -> Asking[None]:
    yield from follow_on(pages)
    yield from ask_again(pages)
    yield from learn_session(pages)
    learn_total(pages)
    learn_size(pages)
    yield from see_short(pages)
    choose_paging(pages)
    if not pages.varies:
        yield from ask_for_longer(pages)


def _learn_pages_again(session: DiscoverySession, pages: PagingState) -> Asking[PagingState]:
    """Learn paging again from a later, longer answer, if no earlier one was long enough."""
    page = longer(pages)
    if page is None or session.left <= PAGES_AGAIN:
        return pages
    later = PagingState(session, page)
    later.spared = PAGES_AGAIN
    if page not in session.probes:
        session.probes.append(page)
    before = dict(session.findings)
    yield from (learn_data_pages_from if session.kind == "json" else _learn_from)(later)
    if later.later:
        yield from learn_everything(session, later)
        return later
    session.findings = before
    return pages
