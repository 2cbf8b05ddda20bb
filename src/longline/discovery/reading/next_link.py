"""Find the link or button to the next result page, and the parameter that counts pages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus, urljoin, urlsplit

from longline.discovery.answer import (
    ParsedAnswer,
    classes,
    compiles,
    is_element,
    node,
    parameters,
    place_of,
    text,
)
from longline.discovery.next_words import (
    ARROWS,
    BACK,
    CLASS,
    NEXT,
    is_position_name,
    is_size_name,
)
from longline.discovery.reading.clicks import (
    carries,
    has_nothing_to_fill,
    menu_requests,
    page_counted,
    stays,
)
from longline.discovery.reading.search_form import is_forbidden
from longline.errors import PageError, SpecError
from longline.model import Request
from longline.source import follow, scripted
from longline.source.select import read_select

LEAST_SIZE = 5
"""Minimum value of an unnamed hit offset; offsets are multiples of it, or one more."""

_CLICKED = ("a", "link", "button", "input")


@dataclass(frozen=True, eq=False)
class NextPageGuess:
    """A click that may lead to the next page.

    Attributes:
        kind: rel, submit, text, class, number, menu, arrow or position.
    """

    element: Any
    request: Request
    score: float
    kind: str


def onwards(page: ParsedAnswer, *, allow_post: bool = True) -> list[NextPageGuess]:
    """Rank the elements that may lead to the next page, the most likely first."""
    found: list[NextPageGuess] = []
    for element in page.root.iter():
        if not is_element(element) or not (element.tag in _CLICKED or scripted(element)[1]):
            continue
        kind, score = _kind(page, element)
        if not kind or _is_dangerous(element):
            continue
        try:
            request = follow(node(element), page.answer)
        except (PageError, SpecError, ValueError):
            continue
        if request is None or stays(page, request):
            continue
        if request.method != "GET" and not allow_post:
            continue
        says_next = NEXT.search(_said(element)) and has_nothing_to_fill(element)
        is_doubtful = kind in ("submit", "arrow") and not says_next
        if is_doubtful and not carries(page, request, element):
            continue
        if urlsplit(request.url)[1] != urlsplit(page.response.url)[1]:
            continue
        found.append(NextPageGuess(element, request, score, kind))
    found += [
        NextPageGuess(menu, request, 6.5, "menu")
        for menu, name, request in menu_requests(page)
        if (allow_post or request.method == "GET") and not is_size_name(name)
        if carries(page, request, menu)
    ]
    found.sort(key=lambda onward: -onward.score)
    unique: dict[tuple[str, bytes], NextPageGuess] = {}
    for onward in found:
        unique.setdefault((onward.request.url, onward.request.body), onward)
    return list(unique.values())


def more_button(page: ParsedAnswer) -> Any | None:
    """Return the element to click for more hits on a page in a browser, or None."""
    ranked = [
        (score, element)
        for element in page.root.iter("a", "button", "input")
        for kind, score in [_kind(page, element)]
        if kind and kind not in ("number", "position") and not _is_dangerous(element)
    ]
    return max(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _kind(page: ParsedAnswer, element: Any) -> tuple[str, float]:
    said = _said(element)
    label = " ".join(element.get(name) or "" for name in ("aria-label", "title", "alt"))
    rel = (element.get("rel") or "").lower().split()
    counted = page_counted(page, element)
    if 0 < counted == page.number - 1:
        # If the newest hits are first, "next" may lead to newer ones, and "previous" to older ones.
        return "", 0.0
    if "next" in rel:
        return "rel", 10.0
    if element.tag == "link":
        return "", 0.0
    if counted == page.number + 1 and ("prev" in rel or BACK.fullmatch(said)):
        return "text", 7.8
    if element.tag in ("button", "input"):
        if element.tag == "input" and (element.get("type") or "").lower() not in (
            "submit",
            "image",
        ):
            return "", 0.0
        names = f"{said} {label} {element.get('name') or ''}"
        if (NEXT.search(names) and not BACK.search(names)) or said in ARROWS:
            return "submit", 9.0
        if _number(said) == page.number + 1:
            return "submit", 7.0
        return "", 0.0
    if len(said) <= 60 and NEXT.search(f"{said} {label}") and not BACK.search(f"{said} {label}"):
        return "text", 8.0 - 0.02 * len(said)
    near = [element, *([element.getparent()] if element.getparent() is not None else [])]
    if any(CLASS.search(name) for each in near for name in classes(each)):
        return "class", 7.5
    if re.search("next|more", scripted(element)[0]):
        return "class", 7.2
    if _number(said) == page.number + 1 and _turns(page, element):
        return "number", 7.0
    if said in ARROWS:
        return "arrow", 5.0 - 0.5 * (said in ("»", ">>"))
    if _moves(page, element):
        return "position", 4.0
    return "", 0.0


def _moves(page: ParsedAnswer, element: Any) -> bool:
    """Return whether a link repeats the query, with a number that may count pages or hits."""
    try:
        url = urljoin(page.answer.base, scripted(element)[1] or element.get("href") or "")
        charset = page.answer.charset
        own, sent = parameters(url, charset), parameters(page.request.url, charset)
        is_same = place_of(url) == place_of(page.request.url)
    except ValueError:
        return False
    if page.words not in own.values():
        return False
    if page_counted(page, element) == page.number + 1:
        return True
    added = [name for name, value in own.items() if value != sent.get(name)]
    # The link to the next page may also set the number of hits on a page.
    added = [name for name in added if not is_size_name(name)]
    if not is_same or len(added) != 1 or not own[added[0]].isdigit():
        return False
    name, value = added[0], int(own[added[0]])
    if is_position_name(name):
        # Pages are counted from 1 or 0; hits by the number on a page.
        return value in (page.number, page.number + 1) or value >= LEAST_SIZE
    return value == page.number + 1 or (value >= LEAST_SIZE and value % LEAST_SIZE in (0, 1))


def _number(said: str) -> int | None:
    """Return the page number in a label such as "2" or "[2]", or None."""
    digits = said.strip("[](){}<>|.:·- ")
    return int(digits) if digits.isdecimal() else None


def _turns(page: ParsedAnswer, element: Any) -> bool:
    """Return whether a link leads to the search's own pages."""
    href = element.get("href") or ""
    says_words = page.words.casefold() in unquote_plus(href).casefold()
    return "?" in href or "javascript:" in href or "page" in href or says_words


def _said(element: Any) -> str:
    if element.tag == "input":
        return (element.get("value") or element.get("alt") or "").strip()
    images = [image.get("alt") or "" for image in element.iter("img")]
    return " ".join([text(element), *images]).strip()


def _is_dangerous(element: Any) -> bool:
    form = next(element.iterancestors("form"), None)
    return element.tag in ("button", "input") and form is not None and is_forbidden(form)


def next_selector(
    pages: Sequence[tuple[ParsedAnswer, Any]], without: Sequence[ParsedAnswer]
) -> str:
    """Return a selector whose first match on each page is the given element, or "".

    Args:
        pages: Pages, each with its link or button to the next one.
        without: Pages on which the selector must find nothing.
    """
    candidates = None
    for page, element in pages:
        is_number = _number(text(element)) is not None
        own = after_current(page, element) if is_number else _ways_to_say(element)
        candidates = own if candidates is None else [each for each in candidates if each in own]
    for candidate in filter(compiles, candidates or []):
        select = read_select(candidate)
        firsts = [select.first(page.answer.root) for page, _ in pages]
        is_right = all(
            first is not None and first.root is element
            for first, (_, element) in zip(firsts, pages, strict=True)
        )
        if is_right and not any(select.first(page.answer.root) for page in without):
            return candidate
    return ""


def after_current(page: ParsedAnswer, element: Any) -> list[str]:
    """Return selectors for the element right after the number of the current page."""
    beside = element.getprevious()
    said = (element.getparent().text if beside is None else beside.tail) or ""
    if re.findall(r"\d+", said)[-1:] == [str(page.number)]:
        number = r"[self::text()][re:test(., '\d\W*$')]"
        return [f"xpath://{element.tag}[preceding-sibling::node()[1]{number}]"]
    item = element
    for _ in range(3):
        before = item.getprevious() if item is not None else None
        if before is not None and _number(text(before)) == page.number:
            inner = "" if item is element else "//a"
            after = f"following-sibling::*[1][self::{item.tag}]{inner}"
            has_link = any(each.get("href") for each in before.iter("a"))
            plain = "" if has_link else "[not(descendant-or-self::a[@href])]"
            is_number = (
                "[translate(normalize-space(), '0123456789[]()', '') = ''][normalize-space()]"
            )
            marks = [f"[{_has_class(name)}]" for name in (before.get("class") or "").split()]
            marks += [plain + is_number] if plain else []
            ways = [f"{before.tag}{mark}/{after}" for mark in marks]
            above = [
                f"{holder.tag}[{_has_class(name)}]"
                for holder in item.iterancestors()
                for name in classes(holder)
            ]
            anchored = [f"xpath://{each}//{way}" for way in ways for each in above]
            return [*(f"xpath://{way}" for way in ways), *anchored]
        item = item.getparent() if item is not None else None
    return []


def _has_class(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def _ways_to_say(element: Any) -> list[str]:
    tag = element.tag
    ways = []
    rel = (element.get("rel") or "").lower().split()
    ways += [f"css:{tag}[rel~={name}]" for name in ("next", "prev") if name in rel]
    own_id = element.get("id") or ""
    if re.fullmatch(r"[A-Za-z_][\w-]*", own_id) and not re.search(r"\d", own_id):
        ways.append(f"css:#{own_id}")
    ways += [f"css:{tag}.{name}" for name in classes(element)]
    above = element.getparent()
    if above is not None:
        ways += [f"css:{above.tag}.{name} > {tag}" for name in classes(above)]
    for name in ("name", "value", "aria-label", "title"):
        value = element.get(name)
        if value and not re.search(r"[\"\\\d\n]", value) and name != "value":
            ways.append(f'css:{tag}[{name}="{value}"]')
    value = element.get("value") or ""
    if tag == "input" and value and '"' not in value and _number(value) is None:
        ways.append(f'css:input[value="{value}"]')
    ways += [f"css:{tag}[{name}]" for name in filter(None, [scripted(element)[0]])]
    ways += _ways_to_say_text(tag, text(element))
    for image in element.iter("img"):
        if image.get("alt") and '"' not in image.get("alt"):
            ways.append(f'xpath://{tag}[img[@alt="{image.get("alt")}"]]')
    for icon in element.iter("i", "span", "svg"):
        ways += [f"css:{tag}:has({icon.tag}.{name})" for name in classes(icon)]
    return ways


def _ways_to_say_text(tag: str, said: str) -> list[str]:
    """Return a selector by a link's text; only "Next" of "Next 15", as the last may be "Next 4"."""
    steady = re.split(r"\d", said, maxsplit=1)[0].rstrip()
    if '"' in said or not re.search(r"\w|[^\x00-\x7f]|[<>]", steady):
        return []
    if steady == said:
        return [f'xpath://{tag}[normalize-space()="{said}"]']
    return [f'xpath://{tag}[starts-with(normalize-space(), "{steady}")]']


@dataclass(frozen=True)
class Position:
    """The parameter that sets where a result page begins.

    Attributes:
        name: Name of the parameter.
        step: 1 if it counts pages; otherwise it counts hits.
        first: Its value on page 1.
    """

    name: str
    step: int
    first: int


def position(urls: Sequence[str], hits: int, first_url: str) -> Position | None:
    """Find the parameter that grows from page 2 to page 3 or is new on page 2, or return None.

    Args:
        urls: URLs of pages 2, 3, ...
        hits: Number of hits on page 1.
        first_url: URL of page 1.

    >>> position(["/s?q=a&start=20&n=20", "/s?q=a&start=40&n=20"], 20, "/s?q=a")
    Position(name='start', step=20, first=0)
    """
    asked = [parameters(url) for url in urls]
    before = parameters(first_url)
    found: Position | None = None
    for name, value in asked[0].items():
        if not value.isdigit() or (value == before.get(name) and len(asked) == 1):
            continue
        if len(asked) > 1:
            other = asked[1].get(name, "")
            step = int(other) - int(value) if other.isdigit() else 0
            if step <= 0:
                continue
            found = Position(name, step, int(value) - step)
            break
        number = int(value)
        if (not is_position_name(name) and name in before) or is_size_name(name):
            continue
        if number == 2 and hits != 2:
            found = Position(name, 1, 1)
        elif number == 1:
            found = Position(name, 1, 0)
        elif abs(number - hits) <= 1 and number > 2:
            found = Position(name, hits, number - hits)
        if found and is_position_name(name):
            break
    return found


def size_names(page: ParsedAnswer, first_url: str) -> list[tuple[str, str]]:
    """Return parameters that may set the hits on a page, each with the highest value offered."""
    offered: dict[str, int] = {}

    def offer(name: str, value: str) -> None:
        if is_size_name(name) and value.isdigit() and 2 <= int(value) <= 10_000:
            offered[name] = max(offered.get(name, 0), int(value))

    forms = [element for element in page.root.iter("form") if not is_forbidden(element)]
    for element in forms:
        for select in element.iter("select"):
            for option in select.iter("option"):
                offer(select.get("name") or "", option.get("value") or text(option))
        for hidden in element.iter("input"):
            if (hidden.get("type") or "").lower() in ("hidden", "radio"):
                offer(hidden.get("name") or "", hidden.get("value") or "")
    own = urlsplit(page.response.url).path
    for link in page.links:
        if urlsplit(link.url).path == own and "{Q}" in link.url:
            for name, value in parameters(link.url).items():
                offer(name, value)
    for name, value in parameters(first_url).items():
        offer(name, value)
    return [(name, str(value)) for name, value in offered.items()]
