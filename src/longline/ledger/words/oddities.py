"""Describe a source's inconsistent answers, and what failed."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from longline.ledger.certificate import LinkedPages, Odd
from longline.text.numbers import counted

_ADDRESS = re.compile(r"https?://\S+")

ODD_KINDS = {
    "count": "another number of results than reported",
    "parts": "parts that do not sum up",
    "rows repeated": "repeated results",
    "page lost": "a lost page",
    "term": "results that do not fit",
    "term, none": "no result where documents fit",
    "page failed": "a page that did not come",
    "hidden": "hidden documents",
    "stand-ins": "results where nothing matches",
    "total changed": "a total that changed",
}
"""Noun phrases for inconsistent answers, by kind; other kinds are named as they are."""

ODDITIES = {
    "count": "{reported:result} reported, {found} received",
    "parts": "its parts should have {reported:document} but have {found}",
    "term": "{found:result does not fit it by its text|results do not fit it by their texts}",
    "term, none": "no result, although {reported:saved document fits|saved documents fit} it",
    "hidden": "{reported:document matches|documents match}, {found:was|were} found",
    "stand-ins": "{reported:result was|results were} shown although nothing matched",
    "total changed": "the total was first {reported}, then {found}",
}
"""Sentences for inconsistent answers, with units of the numbers; other kinds get a default."""


class _Number(float):
    """A number that a template formats with its unit, as `counted` does."""

    def __format__(self, nouns: str) -> str:
        return counted(float(self), *nouns.split("|")) if nouns else f"{float(self):,.15g}"


def oddities(odd: Iterable[Odd]) -> tuple[str, ...]:
    """Say how many answers are inconsistent, and then why for each; () if there are none.

    Failed pages are left out: they are reported with the failed searches.

    >>> oddities([Odd("web", "count", 5, 4)])[1:]
    ("'web': 5 results reported, 4 received",)
    """
    told = [each for each in odd if each.kind != "page failed"]
    if not told:
        return ()
    kinds = Counter(map(_kind, told)).most_common()
    answers = counted(len(told), "answer does not add up", "answers do not add up")
    named = (f"{count:,} with {ODD_KINDS.get(kind, kind)}" for kind, count in kinds)
    return (f"{answers}: {', '.join(named)}", *map(_oddity, told))


def _kind(odd: Odd) -> str:
    return "term, none" if odd.kind == "term" and not odd.found else odd.kind


def _oddity(odd: Odd) -> str:
    words = ODDITIES.get(_kind(odd), f"{odd.kind}: {{reported}} reported, {{found}} found")
    said = words.format(reported=_Number(odd.reported), found=_Number(odd.found))
    return f"{odd.query!r}: {said}"


def example(failures: Sequence[str]) -> list[str]:
    """Return the first document that failed for the most frequent reason, if any failed.

    >>> example(["a: answers 404", "b: timed out; try later", "c: timed out; try later"])
    ['b: timed out']
    """
    reasons = [_ADDRESS.sub("", each.partition(": ")[2]) for each in failures]
    most = Counter(reasons).most_common(1)
    return [failures[reasons.index(reason)].partition("; ")[0] for reason, _ in most]


def other_layouts(documents: int) -> str:
    """Say how many documents' pages have no text where it is expected, and what was saved of them.

    >>> other_layouts(1)
    "1 document's page has no text of its own where others have theirs: the text of its main part \
was saved, which may contain menus"
    """
    pages = counted(documents, "document's page has", "documents' pages have")
    own, part = ("its", "its main part") if documents == 1 else ("their", "their main parts")
    lacks = f"no text of {own} own where others have theirs"
    return f"{pages} {lacks}: the text of {part} was saved, which may contain menus"


def linked_pages(linked: LinkedPages) -> str:
    """Say how many documents were found only by links, and how many linked pages were not read.

    >>> linked_pages(LinkedPages(9, dropped=1, left=0))
    '9 documents were found only by links on saved pages'
    >>> linked_pages(LinkedPages(4, dropped=6, left=290))
    '4 documents were found only by links on saved pages; 290 more linked pages were not read, as \
4 of 10 that were read are documents'
    """
    found = counted(linked.documents, "document was", "documents were")
    if not linked.left:
        return f"{found} found only by links on saved pages"
    left = counted(linked.left, "more linked page was", "more linked pages were")
    read = linked.documents + linked.dropped
    why = f", as {linked.documents:,} of {read:,} that were read are documents" if read else ""
    return f"{found} found only by links on saved pages; {left} not read{why}"
