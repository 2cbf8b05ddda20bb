"""Whether a source honours the operators that its preset promises: a few queries, compared.

One make of source can be run with other search engines behind it, which read the same words
otherwise. As in `dialect`, only sets of keys are compared: totals may be estimates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from itertools import islice

import msgspec

from longline.discovery.words import shares, terms
from longline.errors import PageError, SpecError
from longline.model import Hit, Page, Query, Request, Response
from longline.source import Source, Spec
from longline.text.seed_words import SEED_WORDS

NOTS = ("-{term}", "NOT {term}")
FEWEST = 3
SEEDS_TRIED = 3
A_TRIED = 4
B_TRIED = 3

Asking = Generator[Request, Response | None, "Asked | None"]


class Asked(msgspec.Struct, frozen=True):
    """A query's first page.

    Attributes:
        keys: Of its hits.
        whole: It has no more than these.
    """

    query: Query
    hits: tuple[Hit, ...]
    keys: frozenset[str]
    whole: bool

    def __str__(self) -> str:
        return f"{str(self.query)!r} {len(self.keys)}"


def check_dialect(
    spec: Spec, first: Page
) -> Generator[Request, Response | None, tuple[Spec, list[str]]]:
    """Return a spec whose dialect is as the source reads it, and what was seen.

    Nothing is changed where no two words are found that can be compared.

    Args:
        spec: A preset's.
        first: Any page of its hits, to take words from.
    """
    if not (spec.ask.dialect.not_ or spec.ask.dialect.or_):
        return spec, []
    hits = yield from _some_hits(spec, first)
    pair = yield from _find_pair(spec, hits)
    if pair is None:
        return spec, ["its operators were not checked: no two words were found to compare"]
    a, b, both = pair
    if not both.keys <= a.keys:
        seen = f"the words are not joined by AND: {a} hits, {both}, others among them"
        spec = _with(spec, and_=" AND ")
        joined = yield from _ask(spec, both.query)
        if joined is None or not joined.keys or not joined.keys < a.keys:
            return _with(spec, and_=" ", not_="", or_="", max_terms=1), [seen]
        both = joined
    notes = [f"AND is honoured: {a} hits, {both}"]
    if spec.ask.dialect.not_:
        spec, note = yield from _check_not(spec, a, b, both)
        notes.append(note)
    if spec.ask.dialect.or_:
        spec, note = yield from _check_or(spec, a, hits)
        notes.append(note)
    return spec, [note for note in notes if note]


def _some_hits(spec: Spec, first: Page) -> Generator[Request, Response | None, tuple[Hit, ...]]:
    hits = first.hits
    for word in SEED_WORDS[:SEEDS_TRIED]:
        if len(hits) >= 4 * FEWEST:
            break
        asked = yield from _ask(spec, Query((word,)))
        hits = max(hits, asked.hits if asked else (), key=len)
    return hits


def _find_pair(
    spec: Spec, hits: tuple[Hit, ...]
) -> Generator[Request, Response | None, tuple[Asked, str, Asked] | None]:
    """Find a whose hits are all on one page, and b such that S(a b) differs from S(a)."""
    for word in islice(_words_for_a(hits), A_TRIED):
        a = yield from _ask(spec, Query((word,)))
        if a is None or not a.whole or len(a.keys) < FEWEST:
            continue
        for b in islice(_words_for_b(a), B_TRIED):
            both = yield from _ask(spec, Query((word, b)))
            if both is not None and both.keys & a.keys and both.keys != a.keys:
                return a, b, both
    return None


def _words_for_a(hits: tuple[Hit, ...]) -> Iterator[str]:
    """Yield words of a few of the hits first: seldom enough to be listed in full."""
    counts = Counter(word for hit in hits for word in set(terms(_said(hit), shortest=4)))
    fitting = [word for word, count in counts.items() if count >= 2]
    return iter(sorted(fitting, key=lambda word: (abs(counts[word] - FEWEST), word)))


def _words_for_b(a: Asked) -> Iterator[str]:
    held = shares(map(_said, a.hits))
    (word,) = a.query.required
    fitting = [b for b in held if 0.1 <= held[b] <= 0.7 and b not in word and word not in b]
    return iter(sorted(fitting, key=lambda b: (abs(held[b] - 0.4), -len(b), b)))


def _said(hit: Hit) -> str:
    return f"{hit.title} {hit.snippet} {hit.text or ''}"


def _check_not(
    spec: Spec, a: Asked, b: str, both: Asked
) -> Generator[Request, Response | None, tuple[Spec, str]]:
    expected, said = a.keys - both.keys, []
    for template in dict.fromkeys([spec.ask.dialect.not_, *NOTS]):
        tried = _with(spec, not_=template)
        without = yield from _ask(tried, Query(a.query.required, (b,)))
        if without is not None and without.keys == expected:
            return tried, f"NOT is honoured: {without} of the {len(a.keys)} hits"
        said.append(f"{template!r} {'was refused' if without is None else len(without.keys)}")
    seen = f"{', '.join(said)} hits, where {len(expected)} of {len(a.keys)} were expected"
    return _with(spec, not_=""), f"NOT is not honoured: {seen}"


def _check_or(
    spec: Spec, a: Asked, hits: tuple[Hit, ...]
) -> Generator[Request, Response | None, tuple[Spec, str]]:
    """Ask for a or a word of hits that a does not have."""
    counts = Counter(
        word for hit in hits if hit.key not in a.keys for word in set(terms(_said(hit), shortest=4))
    )
    (word,) = a.query.required
    counts.pop(word, None)
    if not counts:
        return spec, ""
    other = max(counts, key=lambda name: (counts[name], name))
    either = yield from _ask(spec, Query((), any_of=(word, other)))
    if either is not None and either.keys - a.keys:
        return spec, f"OR is honoured: {either} hits, {a}"
    said = "was refused" if either is None else f"{either} hits"
    return _with(spec, or_=""), f"OR is not honoured: {said}, {a}"


def _with(spec: Spec, **changes: object) -> Spec:
    dialect = msgspec.structs.replace(spec.ask.dialect, **changes)
    return msgspec.structs.replace(spec, ask=msgspec.structs.replace(spec.ask, dialect=dialect))


def _ask(spec: Spec, query: Query) -> Asking:
    """Ask for a query's first page; None where none came that can be read."""
    source = Source(spec)
    request = source.search_request(query)
    response = yield request
    if response is None:
        return None
    try:
        page = source.page(query, 1, request, response)
    except (PageError, SpecError):
        return None
    keys = frozenset(hit.key for hit in page.hits)
    said = page.exact_total or 0
    return Asked(query, page.hits, keys, page.next is None and said <= len(page.hits))
