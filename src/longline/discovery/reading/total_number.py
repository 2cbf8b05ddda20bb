"""Find the number on a result page that is the total.

A total changes with the query, is never below the hits on its page, is the same on page 2, and
the same when the query is repeated ("took 35 ms" is not).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longline.discovery.answer import ParsedAnswer, compiles, is_element, parameters, text
from longline.discovery.reading.selectors import contexts, own_names
from longline.model import Total
from longline.source.answer import read_total
from longline.source.select import UNSEEN, read_select, text_of

_NUMBER = re.compile(
    r"\d{1,3}(?:([.,'\u2019\u00a0\u2009\u202f\u066c ])\d{3}(?:\1\d{3})*)(?!\d)|\d+"
)
_LONGEST = 200
_SPACES = re.compile(r"\s+")
LEAST_SCORE = 2.5
"""Minimum score of a number that is taken for the total: numbers of facets behave similarly."""

_CONTEXT = 14
AFTER = -1
"""The position of a number that is found by the word after it, whatever is before it."""

_STEM = 4
"""How many letters of that word are compared: "match" and "matches" are one."""

_NAMED = re.compile(r"total|count|result|hits|num|found|stat|treffer|anzahl|info|summary", re.I)


@dataclass(frozen=True)
class TotalGuess:
    """A number that may be the total, and how to find it.

    Attributes:
        values: The totals, one for each page; None where the page has none.
        score: Higher means more likely.
    """

    selector: str
    values: tuple[Total | None, ...]
    score: float


def find_total(
    pages: Sequence[ParsedAnswer],
    hits: Mapping[ParsedAnswer, Sequence[Any]],
    same: Sequence[tuple[ParsedAnswer, ParsedAnswer]] = (),
    least: Mapping[ParsedAnswer, int] | None = None,
) -> TotalGuess | None:
    """Find the total on result pages, or return None if no number behaves like one.

    Args:
        pages: First pages of the answers to different words.
        hits: The hits of every page, including `same`: numbers in them are not totals.
        same: Pairs of pages with equal totals: page 1 and 2, or a repeated query.
        least: Number of different documents on each page, as hits may be repeated; by default
            the number of hits.
    """
    counts = least or {page: len(elements) for page, elements in hits.items()}
    others = list(dict.fromkeys(page for pair in same for page in pair))
    every = list(dict.fromkeys([*pages, *others]))
    beside = set().union(*(_between(page, elements) for page, elements in hits.items()))
    seen = {
        page: _numbers(page, [*hits.get(page, ()), *_after(page, hits.get(page, ()), beside)])
        for page in every
    }
    places: dict[tuple[str, int, str], dict[ParsedAnswer, tuple[Any, int]]] = defaultdict(dict)
    for page in pages:
        for key, found in seen[page].items():
            places[key][page] = found
    guesses = []
    for key, by_page in places.items():
        if _behaves(key, by_page, pages, counts, same, seen):
            guesses.append(_guess(key, by_page, every, pages, counts))
    real = [guess for guess in guesses if guess is not None and guess.score >= LEAST_SCORE]
    return max(real, key=lambda guess: guess.score, default=None)


def _numbers(
    page: ParsedAnswer, hits: Sequence[Any]
) -> dict[tuple[str, int, str], tuple[Any, int]]:
    """Return the numbers beside the hits, by place, position and the words before them.

    A number followed by a word is also stored by that word: "1-10 of 621 matches", "all 6 matches".
    """
    inside = {element for hit in hits for element in hit.iter()}
    around = {element for hit in hits for element in hit.iterancestors()}
    found: dict[tuple[str, int, str], tuple[Any, int]] = {}
    short = _short(page.root)
    for element in page.root.iter():
        if not is_element(element) or element in inside or element.tag in ("script", "style"):
            continue
        if element in around or element not in short:
            continue
        said = text(element)
        if not said or len(said) > _LONGEST or not _has_digit(said):
            continue
        said = _without(said, page.words)
        for place, number in enumerate(_NUMBER.finditer(said)):
            # Treat "of ~1700" on a long answer like "of 26" on a short one.
            before = re.sub(r"\s*[~≈]\s*$", " ", said[: number.start()])
            before = re.sub(r"\d+", "#", before)[-_CONTEXT:]
            where, value = page.places[element], int(re.sub(r"\D", "", number[0]))
            found.setdefault((where, place, before), (element, value))
            if after := re.match(r"\s?\+?\s?([^\W\d_]{4,})", said[number.end() :]):
                word = after[1].casefold().removesuffix("s")
                found.setdefault((where, AFTER, word[:_STEM]), (element, value))
    return found


def _short(root: Any) -> set[Any]:
    """Return the elements with a digit whose text may be short enough, in one pass.

    Reading each element's text by itself would read nested text many times. The letters are counted
    before whitespace is normalised, so the limit is twice as high.
    """
    letters: dict[Any, tuple[int, bool]] = {}
    for element in reversed(list(root.iter())):
        is_seen = is_element(element) and element.tag not in UNSEEN
        said = (element.text or "") if is_seen else ""
        count, has_digit = len(_SPACES.sub("", said)), _has_digit(said)
        for child in element if is_seen else ():
            inner, tail = letters[child], child.tail or ""
            count += inner[0] + len(_SPACES.sub("", tail))
            has_digit |= inner[1] or _has_digit(tail)
        letters[element] = (count, has_digit)
    return {
        each for each, (count, has_digit) in letters.items() if has_digit and count <= 2 * _LONGEST
    }


def _has_digit(said: str) -> bool:
    return any(letter.isdigit() for letter in said)


def _between(page: ParsedAnswer, hits: Sequence[Any]) -> set[str]:
    """Return the places of elements between hits: parts of the hit before, as dd is of dt."""
    known, places = set(hits), set[str]()
    for hit in hits:
        between: list[Any] = []
        for each in hit.itersiblings():
            if each in known:
                places |= {page.places[part] for part in between if is_element(part)}
                break
            between.append(each)
    return places


def _after(page: ParsedAnswer, hits: Sequence[Any], places: set[str]) -> list[Any]:
    """Return the siblings of hits that are in one of the places."""
    return [
        each
        for hit in (hits if places else ())
        for each in hit.itersiblings()
        if is_element(each) and page.places[each] in places
    ]


def _without(said: str, words: str) -> str:
    return re.sub(re.escape(words), "Q", said, flags=re.IGNORECASE) if words else said


def _behaves(
    key: tuple[str, int, str],
    found: dict[ParsedAnswer, tuple[Any, int]],
    pages: Sequence[ParsedAnswer],
    hits: Mapping[ParsedAnswer, int],
    same: Sequence[tuple[ParsedAnswer, ParsedAnswer]],
    seen: Mapping[ParsedAnswer, Mapping[tuple[str, int, str], tuple[Any, int]]],
) -> bool:
    listed = [page for page in pages if hits.get(page)]
    values = {page: value for page, (_, value) in found.items()}
    if len(values) * 2 < len(listed) or len(set(values.values())) < 2:
        return False
    if any(value < hits.get(page, 0) for page, value in values.items()):
        return False
    if all(str(value) in parameters(page.request.url).values() for page, value in values.items()):
        return False  # the queried year, for example
    for one, other in same:
        first, second = seen[one].get(key), seen[other].get(key)
        if first and second and first[1] != second[1]:
            return False
    return True


def _guess(
    key: tuple[str, int, str],
    found: dict[ParsedAnswer, tuple[Any, int]],
    every: Sequence[ParsedAnswer],
    pages: Sequence[ParsedAnswer],
    hits: Mapping[ParsedAnswer, int],
) -> TotalGuess | None:
    elements = [element for element, _ in found.values()]
    said = {page: text(element) for page, (element, _) in found.items()}
    best: TotalGuess | None = None
    for selector in filter(compiles, _selectors(elements)):
        read = {page: _total_on(page, selector) for page in every}
        values = {page: total for page, (total, _) in read.items()}
        right = sum(
            values[page] is not None and values[page].documents == value  # type: ignore[union-attr]
            for page, (_, value) in found.items()
        )
        wrong = sum(
            total is not None and total.documents < hits.get(page, 0)
            for page, total in values.items()
        )
        if right < len(found) or wrong:
            continue
        score = _score(key, said, found, hits) - 0.01 * len(selector)
        is_named = selector.startswith("css:") and re.search(r"[.#\[][^ ]*$", selector)
        score += 0.5 * bool(is_named) + 0.3 * selector.startswith("css:")
        # An element around it may hold other numbers on other pages.
        score += 0.5 * all(read[page][1] is element for page, (element, _) in found.items())
        if best is None or score > best.score:
            ordered = tuple(values[page] for page in pages)
            best = TotalGuess(selector, ordered, score)
    return best


def _score(
    key: tuple[str, int, str],
    said: Mapping[ParsedAnswer, str],
    found: Mapping[ParsedAnswer, tuple[Any, int]],
    hits: Mapping[ParsedAnswer, int],
) -> float:
    exceeds = sum(value > hits.get(page, 0) for page, (_, value) in found.items())
    words = Counter(letter.isalpha() for letter in " ".join(said.values()))[True] > 3 * len(said)
    spread = len({value for _, value in found.values()}) / len(found)
    return (
        2.0 * bool(exceeds)
        + 1.0 * spread
        + 1.0 * len(found) / max(len(hits), 1)
        + 1.0 * words
        # If all pages have the same wording, the position is better evidence than the next word.
        - 0.3 * (key[1] == AFTER)
        + 0.7 * bool(_NAMED.search(key[0].rpartition("/")[2]))
        - 1.5 * ("/title" in key[0] or "/option" in key[0])
        - 1.0 * ("/form" in key[0])
        # A list of facets also has numbers, one with each link.
        - 3.0 * any(_counted_links(element) >= 2 for element, _ in found.values())
        - 3.0 * all(_is_facet(element) for element, _ in found.values())
        # A number in a link may be the number of hits after narrowing the search.
        - 1.5 * all(_is_linked(element, value) for element, value in found.values())
    )


def _counted_links(element: Any) -> int:
    return sum(bool(_NUMBER.search(f"{text(a)} {a.tail or ''}")) for a in element.iter("a"))


def _is_linked(element: Any, value: int) -> bool:
    """Return whether a number is only in a link, around it or inside it."""
    if any(each.tag == "a" for each in (element, *element.iterancestors())):
        return True
    links = list(element.iter("a"))
    inside = {each for link in links for each in link.iter()}
    pieces = [each.text or "" for each in element.iter() if each not in inside]
    pieces += [each.tail or "" for each in element.iterdescendants() if each not in inside]
    pieces += [link.tail or "" for link in links]
    numbers = [number[0] for number in _NUMBER.finditer(" ".join(pieces))]
    return value not in {int(re.sub(r"\D", "", each)) for each in numbers if len(each) < _LONGEST}


def _is_facet(element: Any) -> bool:
    """Return whether an element belongs to a list whose items are links with a number each."""
    item = next((e for e in (element, *element.iterancestors()) if e.tag in ("li", "dd")), None)
    if item is None or item.getparent() is None:
        return False
    counted = [
        each
        for each in item.getparent().iterchildren(item.tag)
        if next(each.iter("a"), None) is not None and _NUMBER.search(text(each))
    ]
    return item in counted and len(counted) >= 2


def _selectors(elements: Sequence[Any]) -> list[str]:
    names = own_names(elements)
    found = [f"css:{name}" for name in names if not re.search(r"\[(id)\]", name)]
    ids = {element.get("id") for element in elements}
    own_id = ids.pop() if len(ids) == 1 else None
    if own_id and re.fullmatch(r"[A-Za-z_][\w-]*", own_id):
        found.insert(0, f"css:#{own_id}")
    around = list(dict.fromkeys(contexts(elements[0])))[:8]
    found += [f"css:{context}{name}" for context in around for name in names[:2]]
    tag = elements[0].tag
    words = [set(re.findall(r"[^\W\d_]{4,}", text(element))) for element in elements]
    shared = set.intersection(*words)
    found += [f"xpath://{tag}[contains(., '{word}')]" for word in sorted(shared)[:4]]
    return found


def _total_on(page: ParsedAnswer, selector: str) -> tuple[Total | None, Any]:
    """Read the total from a page as a source does; return it with its element, or None."""
    for found in read_select(selector).all(page.answer.root):
        total = read_total(text_of(found))
        if total is not None:
            return total, found.root
    return None, None
