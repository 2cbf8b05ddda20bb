"""Know pages that come in the place of many documents: a welcome, a login, "not available". No I/O.

Such a page has status 200 and a text of its own, so that one of them looks like any document. What
gives it away: it comes for many, by the same text or from the same address after a redirect, and
says nothing of what made each of them a hit. Documents that really have the same text do.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

from longline.model import Document, Hit
from longline.source.trust.shown_words import shows

SEVERAL = 3
"""So many documents that a page came for, and said nothing of, make it a placeholder."""

MOSTLY = 3
"""Of the documents that a placeholder came for it says nothing of so many for each other."""

TOLD = 1 / 3
"""A text tells of its hit where it has such a share of the words of its title or snippet."""

_CODES = re.compile(r"\b[^\W\d]*+\d\w*")


class Placeholders:
    """Hold what comes for each document against what came for others.

    >>> placeholders = Placeholders()
    >>> page = "Welcome. Please accept our terms."
    >>> for n, word in enumerate(("deep", "sea", "web")):
    ...     hit = Hit(str(n), f"https://x.example/{n}", title=f"The {word}")
    ...     found = placeholders.see(hit, Document(hit.key, hit.url, "Welcome", page), hit.url)
    ...     print(found)
    None
    None
    ('0', '1')
    """

    def __init__(self) -> None:
        # By hashes of texts and addresses: most are one document's own, so that a number has to do.
        self._fitting = defaultdict[int, int](int)
        self._others: dict[int, dict[str, None]] = {}  # keys, in order

    def see(self, hit: Hit, document: Document, address: str) -> tuple[str, ...] | None:
        """Take note of what came for a hit; None where it may well be its document.

        Args:
            hit: That it was asked for.
            document: As it was read.
            address: Where it came from in the end.

        Returns:
            Of a placeholder: the keys of the documents that it was taken for before.
        """
        found: dict[str, None] | None = None
        is_told = tells(hit, document)
        for mark in _marks(hit, document, address):
            if is_told:
                self._fitting[mark] += 1
                continue
            was_known = self._is_placeholder(mark)
            others = self._others.setdefault(mark, {})
            others[hit.key] = None
            if self._is_placeholder(mark):
                found = (found or {}) | ({} if was_known else others)
        return None if found is None else tuple(key for key in found if key != hit.key)

    def _is_placeholder(self, mark: int) -> bool:
        others = len(self._others.get(mark, ()))
        return others >= SEVERAL and others >= MOSTLY * self._fitting.get(mark, 0)


def tells(hit: Hit, document: Document) -> bool:
    """Say whether a document's text has some words of its hit's title or snippet.

    Its own title does not count: a site may well put that above whatever it shows.

    >>> hit = Hit("7", title="The deep web", snippet="how deep it is")
    >>> [tells(hit, Document("7", text=text)) for text in ("Of webs that are deep", "No")]
    [True, False]
    """
    return any(shows(document.text, said, TOLD) for said in (hit.title, hit.snippet))


def _marks(hit: Hit, document: Document, address: str) -> Iterator[int]:
    """Yield what another document would share with this one, if the page came for both."""
    # Codes and dates may differ on a page that is the same for all.
    words = " ".join(_CODES.sub("", document.text).split())
    if words:
        yield hash(("text", words))
    place = _place(address)
    if place != _place(hit.url):
        yield hash(("address", place))


def _place(url: str) -> str:
    """Return where an address leads: host and path; all of it where it is none."""
    try:
        return urlunsplit(("", *urlsplit(url)[1:3], "", ""))
    except ValueError:
        return url
