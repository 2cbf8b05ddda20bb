"""The policy that finds one page: it turns an explorer's keys into requests, and reads pages."""

from collections.abc import Callable, Collection

from longline.errors import PageError
from longline.events import AnyEvent, RequestFailed, ResponseReceived
from longline.known_item.explorer import Answer, Explorer, SitePage
from longline.known_item.pages import HtmlPage, Reader, Site, same_text
from longline.model import Finish, Request, Response

ACCEPT = (("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"),)

Observer = Callable[[HtmlPage], object]


class Finder:
    """Find one page of a site by requesting pages: a policy for the engine.

    Args:
        start: Absolute URL of the first page.
        make_explorer: Makes the explorer, from the first page's key.
        query: Words for choosing links on a page with very many.
        observe: Called with every page that was read.
        may_be_alone: Whether a start page without links is accepted.

    Attributes:
        answer: The result of the search; None before its end.
        asked: The number of pages requested.
        trouble: Why there was nothing to search at all, or None.
    """

    def __init__(
        self,
        start: str,
        make_explorer: Callable[[str], Explorer],
        *,
        query: Collection[str] = (),
        observe: Observer = lambda page: None,
        may_be_alone: bool = False,
    ) -> None:
        self._may_be_alone = may_be_alone
        self._site = Site(start)
        self._reader = Reader(self._site, query)
        self._explorer = make_explorer(self._site.key(start) or start)
        self._observe = observe
        self._wanted: str | None = None
        self.asked = 0
        self._pages: dict[str, HtmlPage] = {}
        self.answer: Answer | None = None
        self.trouble: PageError | None = None

    def next(self) -> Request | Finish:
        """Return a request for the explorer's next page, unless it is known under another key."""
        if self.trouble is not None:
            return Finish(self.trouble.message, target_met=False)
        wanted = self._explorer.next()
        while not isinstance(wanted, Answer):
            held = self._pages.get(self._reader.same(wanted))
            if held is None:
                self._wanted = wanted
                self.asked += 1
                return Request(self._site.url(wanted), headers=ACCEPT)
            self._explorer.tell(held)
            wanted = self._explorer.next()
        self.answer = wanted
        return Finish("the search ended", target_met=wanted.key is not None)

    def tell(self, event: AnyEvent) -> None:
        """Process the response to the request, or its failure."""
        match event:
            case ResponseReceived(_, response):
                self._receive(response)
            case RequestFailed():
                self._fail()

    def give_up(self) -> Answer:
        """Return the answer as if all further pages failed."""
        while not isinstance(wanted := self._explorer.next(), Answer):
            self._explorer.fail(wanted)
        return wanted

    def page(self, key: str) -> HtmlPage | None:
        """Return a page that was read, by key, or None."""
        return self._pages.get(key)

    def url(self, key: str) -> str:
        """Return the URL of a page: where it came from, or where it would be requested."""
        page = self._pages.get(key)
        return self._site.url(key) if page is None else page.address

    def same_as(self, key: str) -> list[str]:
        """Return the keys of pages that were read and have nearly the same text as this one."""
        texts = {each: page.words for each, page in self._pages.items()}
        return same_text(texts, key) if key in texts else []

    @property
    def read(self) -> int:
        """The number of pages that were read."""
        return len(self._pages)

    def _receive(self, response: Response) -> None:
        assert self._wanted is not None
        is_first = not self._pages
        if is_first:
            # A site may be on another host than the one where it was requested.
            self._site.admit(response.url)
        page = self._reader.read(response, self._wanted)
        if is_first:
            self.trouble = _trouble(response, page, may_be_alone=self._may_be_alone)
        if page is None:
            self._fail()
            return
        held = self._pages.setdefault(page.key, page)
        self._observe(held)
        self._explorer.tell(held)

    def _fail(self) -> None:
        assert self._wanted is not None
        self._explorer.fail(self._wanted)


def _trouble(response: Response, page: SitePage | None, *, may_be_alone: bool) -> PageError | None:
    """Return why there is nothing to search beyond the start page, or None."""
    if not response.body.strip():
        return PageError(f"the start page {response.url} is empty", advice="check the URL")
    if page is None:
        kind = response.content_type or "no type"
        return PageError(
            f"the start page {response.url} is no HTML ({kind})", advice="name a web page"
        )
    if not may_be_alone and not any(link.target != page.key for link in page.links):
        return PageError(
            f"the start page {response.url} has no link to another page of its site",
            advice="begin at a page that has some; links that a script makes are not seen",
        )
    return None
