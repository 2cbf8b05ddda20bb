"""Detect pages returned in place of many documents: a welcome, a login, "not available". No I/O.

Such a page has status 200 and a text, so that alone it looks like any document. It is detected
because it is returned for many documents, with the same text or from the same URL after a redirect,
and contains no words of their hits. Real documents with the same text do.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from longline.model import Document, Hit
from longline.source.trust.shown_words import shows, terms_of

SEVERAL = 3
"""A page returned for this many documents, without words of their hits, is a placeholder."""

MOSTLY = 3
"""A placeholder fits at most one document for this many that it does not fit."""

TOLD = 1 / 3
"""A text fits its hit if it has at least this share of the words of its title or snippet."""

MANY_TEXTS = 4
"""If several documents each have the same text, and there are so many such texts, the documents are
short entries. Sites show fewer kinds of placeholders."""

SEVERAL_ALIKE = 10
"""`SEVERAL` where documents are short entries, if it is the text of most documents."""

MOST = 1 / 2
"""The least share of such documents with one text, if it is a placeholder."""

_CODES = re.compile(r"\b[^\W\d]*+\d\w*")
_PASSING = re.compile(
    r"\b(?:\d+:\d\d(?::\d\d)?(?:[.,]\d+)?|\d{5,}|(?=\w{5})(?=\w*\d)(?=\w*[a-z])\w+)\b",
    re.IGNORECASE,
)
"""Matches times and reference codes, which may differ from one placeholder to the next. Plain
figures count: entries of a register may differ in these alone."""


class Placeholder(NamedTuple):
    """A page that is returned for many documents.

    Attributes:
        earlier: Keys of earlier documents that were this page, and whose own page it is not.
        is_own: Whether it is the own page of most of them, on which the text alone is the same.
    """

    earlier: tuple[str, ...]
    is_own: bool


class Placeholders:
    """Compare each document's page with those of other documents.

    >>> placeholders = Placeholders()
    >>> page = "Welcome. Please accept our terms."
    >>> for n, word in enumerate(("deep", "sea", "web")):
    ...     hit = Hit(str(n), f"https://x.example/{n}", title=f"The {word}")
    ...     found = placeholders.see(hit, Document(hit.key, hit.url, "Welcome", page), hit.url)
    ...     print(found)
    None
    None
    Placeholder(earlier=('0', '1'), is_own=False)
    """

    def __init__(self) -> None:
        # By hashes of texts and URLs: most belong to one document only, so a number is enough.
        self._fitting = defaultdict[int, int](int)
        self._others: dict[int, dict[str, bool]] = {}  # keys, in order; whether pages are their own
        self._shared = self._seen = 0  # different texts that several documents have; documents

    def see(
        self, hit: Hit, document: Document, address: str, is_own: Callable[[], bool] = lambda: False
    ) -> Placeholder | None:
        """Record the page of a hit; return None if it may be its document.

        Args:
            hit: The hit whose document was requested.
            document: As read from the page.
            address: The final URL of the page.
            is_own: Returns whether the page shows what its hit says outside the text.
        """
        alike, new = dict[str, bool](), dict[str, bool]()
        is_told = tells(hit, document)
        self._seen += 1
        shows_hit = not is_told and is_own()
        for mark in _marks(hit, document, address):
            if is_told:
                self._fitting[mark] += 1
                continue
            was_known = self._is_placeholder(mark)
            others = self._others.setdefault(mark, {})
            self._shared += len(others) == 1 and hit.key not in others
            others[hit.key] = shows_hit
            if self._is_placeholder(mark):
                alike |= others
                new |= {} if was_known else others
        if not alike:
            return None
        earlier = tuple(key for key, own in new.items() if key != hit.key and not own)
        return Placeholder(earlier, 2 * sum(alike.values()) > len(alike))

    def _is_placeholder(self, mark: int) -> bool:
        others = len(self._others.get(mark, ()))
        are_alike = self._shared >= MANY_TEXTS
        least = max(SEVERAL_ALIKE, MOST * self._seen) if are_alike else SEVERAL
        return others >= least and others >= MOSTLY * self._fitting.get(mark, 0)


def tells(hit: Hit, document: Document) -> bool:
    """Return whether a document's text has enough words of its hit's title or snippet.

    Its own title does not count: a site may show that above any page.

    >>> hit = Hit("7", title="The deep web", snippet="how deep it is")
    >>> [tells(hit, Document("7", text=text)) for text in ("Of webs that are deep", "No")]
    [True, False]
    >>> tells(Hit("7", title="7"), Document("7", text="Row 7 of 9"))
    True
    """
    codes = set[str]() if terms_of(hit.title) else set(_CODES.findall(hit.title))
    is_named = bool(codes) and codes <= set(_CODES.findall(document.text))
    return is_named or any(shows(document.text, said, TOLD) for said in (hit.title, hit.snippet))


def _marks(hit: Hit, document: Document, address: str) -> Iterator[int]:
    """Yield hashes of what two documents share if one page came for both: text, final URL."""
    said = document.text.split()
    # Most words are letters alone: looking at the others only takes half the time.
    words = " ".join([each if each.isalpha() else _PASSING.sub("", each) for each in said])
    if words:
        yield hash(("text", words))
    place = _place(address)
    if place != _place(hit.url):
        yield hash(("address", place))


def _place(url: str) -> str:
    """Return a URL's host and path, or all of it if it is not valid."""
    try:
        return urlunsplit(("", *urlsplit(url)[1:3], "", ""))
    except ValueError:
        return url
