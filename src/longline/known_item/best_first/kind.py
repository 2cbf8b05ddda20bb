"""A kind of page, learned from examples on other sites: the contact page, the licence, ...

The best evidence for a kind is the name: the words of titles and headings, of URLs, and of links to
the examples. The words of the text and the look of the page are weaker evidence.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from longline.errors import InputError
from longline.known_item.explorer import Link, SitePage

_PARTS = (
    ("words", (20, 60, 150, 400, 1000, 3000)),
    ("links", (5, 15, 40, 100, 300)),
    ("different", (15, 50, 120, 300, 800)),
)
_DENSITIES = (0.02, 0.08, 0.2, 0.4)
_NUMBERS = (0.01, 0.05, 0.15)


def traits(page: SitePage) -> frozenset[str]:
    """Return the traits of a page: its length, and how many links, numbers and forms it has.

    >>> sorted(traits(SitePage("a", ("call", "555", "0100"))))[:3]
    ['heading none', 'numbers 0.01', 'numbers 0.05']
    """
    return frozenset(_traits(page))


def _traits(page: SitePage) -> Iterator[str]:
    words, links = page.words, page.links
    sizes = {"words": len(words), "links": len(links), "different": len(set(words))}
    for name, limits in _PARTS:
        yield from (f"{name} {limit}" for limit in limits if sizes[name] > limit)
    labels = sum(len(link.label) for link in links)
    yield from _over("in links", labels / (len(words) + 1), _DENSITIES)
    digits = sum(word.isdigit() for word in words)
    yield from _over("numbers", digits / (len(words) + 1), _NUMBERS)
    yield from _over("years", sum(map(_is_year, words)) / math.sqrt(len(words) + 1), (0.1, 0.5, 2))
    yield from _over("repeats", len(words) / (len(set(words)) + 1), (1.5, 2.5, 4))
    yield f"heading {'some' if page.heading else 'none'}"
    # Pages read from HTML have forms; those of a generated site have none.
    forms: Sequence[Any] = getattr(page, "forms", ())
    if forms:
        yield "form"
    if any(form.is_private for form in forms):
        yield "private form"
    if any(form.text_inputs for form in forms):
        yield "text input"


def _over(name: str, value: float, limits: Sequence[float]) -> Iterator[str]:
    yield from (f"{name} {limit}" for limit in limits if value > limit)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and word[:2] in ("19", "20")


Field = Literal["title", "url", "anchor", "body", "trait"]
NAMING: tuple[Field, ...] = ("title", "url", "anchor")

NAME_WORDS = 20
BODY_WORDS = 40
_LEAST_RATIO = 1.5
_SHARED = 0.4
"""The share of a word's rate in a name that comes from the other fields of names."""


class ExampleSite(msgspec.Struct, frozen=True):
    """A site, or a part of it, and which of its pages are of the kind.

    Attributes:
        pages: The examples, and others: more pages show better which words are common.
        examples: Keys of the pages of the kind; at least one.
        anchors: Further links to the examples, from other pages.
    """

    pages: tuple[SitePage, ...]
    examples: frozenset[str]
    anchors: tuple[Link, ...] = ()


class Rates(msgspec.Struct, frozen=True):
    """How often a word is in a field: of pages of the kind, and of any page."""

    kind: float
    any: float


class Kind(msgspec.Struct, frozen=True):
    """What was learned about a kind of page; it is saved as JSON.

    Attributes:
        names: By field of a name and word; the words are the same in each field.
        body: By word.
        traits: By trait.
        examples: The number of examples it was learned from.
    """

    names: dict[str, dict[str, Rates]]
    body: dict[str, Rates]
    traits: dict[str, Rates]
    examples: int

    @property
    def words(self) -> list[str]:
        """The words of the kind's name, the most informative first."""
        return list(self.names["title"])


def train(sites: Sequence[ExampleSite]) -> Kind:
    """Learn a kind of page from examples.

    Args:
        sites: Sites with at least one example each. Ten examples are far better than one, and
            examples from different sites better than from one.

    Raises:
        InputError: There is no example, or one that is not among its site's pages.

    Source: longline; docs/research/decisions/0021.

    >>> home = SitePage("h", ("home",), (Link("c", ("contact",), url=("contact",)),))
    >>> page = SitePage("c", ("write", "us"), title=("contact", "us"))
    >>> train([ExampleSite((home, page), frozenset({"c"}))]).words[0]
    'contact'
    """
    described = [_Described(site) for site in sites]
    if not described:
        raise InputError("no example to learn from", advice="name at least one page of the kind")
    examples = sum(len(each.examples) for each in described)
    rates = {field: _rates(described, field, examples) for field in NAMING}
    gains: dict[str, float] = {}
    for known in rates.values():
        for word, rate in known.items():
            gains[word] = gains.get(word, 0.0) + gain(rate)
    chosen = sorted(gains, key=lambda word: (-gains[word], word))[:NAME_WORDS]
    names = _pooled(chosen, described, examples)
    body = _telling(_rates(described, "body", examples, least=min(2, examples)), BODY_WORDS)
    seen = _rates(described, "trait", examples, telling=False)
    return Kind({str(field): known for field, known in names.items()}, body, seen, examples)


def gain(rate: Rates) -> float:
    """Return how informative a word is: the relative entropy of its two rates, in nats.

    >>> gain(Rates(0.5, 0.5)), round(gain(Rates(0.9, 0.1)), 2)
    (0.0, 1.76)
    """
    kind, usual = rate.kind, rate.any
    return kind * math.log(kind / usual) + (1 - kind) * math.log((1 - kind) / (1 - usual))


def fields_of(page: SitePage, links: Iterable[Link]) -> dict[Field, frozenset[str]]:
    """Return the words of a page's fields, from the page and the links to it."""
    links = list(links)
    return {
        "title": frozenset((*page.title, *page.heading)),
        "url": frozenset(word for link in links for word in link.url),
        "anchor": frozenset(word for link in links for word in link.label),
        "body": frozenset(page.words),
        "trait": traits(page),
    }


class _Described:
    """A site's pages by fields, and how many of its pages contain each word."""

    def __init__(self, site: ExampleSite) -> None:
        links: dict[str, list[Link]] = {page.key: [] for page in site.pages}
        for link in (*site.anchors, *(link for page in site.pages for link in page.links)):
            if link.target in links:
                links[link.target].append(link)
        fields = {page.key: fields_of(page, links[page.key]) for page in site.pages}
        missing = sorted(site.examples - fields.keys())
        if missing or not site.examples:
            raise InputError(
                f"example {missing[0]} is not among the pages"
                if missing
                else "a site of no example",
                advice="give every example's page with its site",
            )
        self.pages = len(fields)
        self.examples = [fields[key] for key in sorted(site.examples)]
        self.df = {
            field: Counter(word for each in fields.values() for word in each[field])
            for field in self.examples[0]
        }

    def usual(self, field: Field, word: str) -> float:
        """Return the rate of a word among the site's other pages."""
        own = sum(word in each[field] for each in self.examples)
        return (self.df[field][word] + 0.5 - own) / (self.pages - len(self.examples) + 5)


def _rate(sites: Sequence[_Described], field: Field, word: str, examples: int) -> Rates:
    usual = min(sum(site.usual(field, word) for site in sites) / len(sites), 0.95)
    found = sum(word in each[field] for site in sites for each in site.examples)
    return Rates((found + 2 * usual) / (examples + 2), usual)


def _rates(
    sites: Sequence[_Described], field: Field, examples: int, least: int = 1, telling: bool = True
) -> dict[str, Rates]:
    """Return the rates of the words in at least `least` examples, if they are informative."""
    counts = Counter(word for site in sites for each in site.examples for word in each[field])
    found = {
        word: _rate(sites, field, word, examples)
        for word, count in sorted(counts.items())
        if count >= least
    }
    if not telling:
        return found
    return {word: rate for word, rate in found.items() if rate.kind > _LEAST_RATIO * rate.any}


def _pooled(
    words: Sequence[str], sites: Sequence[_Described], examples: int
) -> dict[Field, dict[str, Rates]]:
    """Give each field the same words, with their rates moved towards the mean over the fields.

    A word that names the kind in titles also names it in links, even if no example shows that.
    """
    full = {
        field: {word: _rate(sites, field, word, examples) for word in words} for field in NAMING
    }
    mean = {word: sum(full[field][word].kind for field in NAMING) / len(NAMING) for word in words}
    return {
        field: {
            word: Rates((1 - _SHARED) * full[field][word].kind + _SHARED * mean[word], rate.any)
            for word, rate in full[field].items()
        }
        for field in NAMING
    }


def _telling(rates: Mapping[str, Rates], most: int) -> dict[str, Rates]:
    chosen = sorted(rates, key=lambda word: (-gain(rates[word]), word))[:most]
    return {word: rates[word] for word in chosen}
