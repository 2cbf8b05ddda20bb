"""The pages that documents link to, and that are addressed as documents are."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set

from longline.events import AnyEvent, DocumentFailed, DocumentReceived, LinkDropped
from longline.text.hashes import Hashes
from longline.text.url import Form, Places, is_url, places_of

FREE = 0.25
"""A place of addresses is free if it has more different values than this share of documents: any
other value may stand there, too."""

MOST_VALUES = 10_000
"""A place with so many different values is free."""

MOST_LINKS = 100_000
"""So many links are kept at most."""


class Linked:
    """Finds which links lead to pages that are addressed as documents are, and are not held.

    An address is like those of documents if some documents have the same form of address, with the
    same values at all places but free ones; where these have only numbers, it has a number.

    Attributes:
        saved: How many documents were found only by links.
        dropped: How many such pages were read that are no further documents.

    >>> linked = Linked()
    >>> linked.link([f"https://x.example/doc/{number}" for number in range(7)])
    >>> linked.link(["https://x.example/tag/7", "https://x.example/doc/new"])
    >>> for number in range(5):
    ...     linked.know(f"https://x.example/doc/{number}", "", is_held=True)
    >>> linked.not_held()
    ['https://x.example/doc/5', 'https://x.example/doc/6']
    """

    def __init__(self) -> None:
        self.saved = self.dropped = 0
        self._links: dict[str, None] = {}
        self._known = Hashes()
        self._held = Counter[Form]()  # documents by the form of their addresses
        self._values: dict[Form, list[set[str]]] = {}

    def tell(self, event: AnyEvent) -> None:
        """Record an event."""
        match event:
            case DocumentReceived(document):
                self.know(document.key, document.url, is_held=not event.is_linked)
                self.saved += event.is_linked
                self.link(event.links)
            case DocumentFailed(key, url):
                self.know(key, url, is_held=False)
            case LinkDropped(url):
                self.know(url, url, is_held=False)
                self.dropped += 1

    @property
    def likely(self) -> float:
        """Return how many documents the pages that were not read are likely to be."""
        read = self.saved + self.dropped
        return len(self.not_held()) * self.saved / read if read else 0.0

    def know(self, key: str, url: str, *, is_held: bool) -> None:
        """Record a page that was read: a document that a search showed and is held, or another."""
        address = key if is_url(key) else url
        if not address:
            return
        try:
            place = places_of(address)
        except ValueError:  # a key may only begin like a URL
            return
        self._known.number(place)
        if is_held:
            self._held[place.form] += 1
            values = self._values.setdefault(place.form, [set() for _ in place.values])
            for seen, value in zip(values, place.values, strict=True):
                if len(seen) < MOST_VALUES:
                    seen.add(value)

    def link(self, urls: Sequence[str]) -> None:
        """Record links of documents' pages."""
        self._links.update(dict.fromkeys(urls[: MOST_LINKS - len(self._links)]))

    def not_held(self) -> list[str]:
        """Return the links to pages that are addressed as documents are, and were not asked for."""
        allowed = {form: self._allowed(form) for form in self._values}
        return [url for url in self._links if self._is_like_documents(places_of(url), allowed)]

    def _allowed(self, form: Form) -> list[Callable[[str], bool]]:
        """Return a test for the value at each place of a form."""
        least = min(FREE * self._held[form], MOST_VALUES - 1)
        return [_test(seen, is_free=len(seen) > least) for seen in self._values[form]]

    def _is_like_documents(
        self, place: Places, allowed: Mapping[Form, list[Callable[[str], bool]]]
    ) -> bool:
        tests = allowed.get(place.form)
        if tests is None or place in self._known:
            return False
        return all(test(value) for test, value in zip(tests, place.values, strict=True))


def _test(seen: Set[str], *, is_free: bool) -> Callable[[str], bool]:
    if not is_free:
        return seen.__contains__
    return str.isdecimal if all(map(str.isdecimal, seen)) else bool
