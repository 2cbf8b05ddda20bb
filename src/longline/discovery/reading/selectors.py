"""Find the shortest selector that matches the given elements and nothing else."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from longline.discovery.answer import ParsedAnswer, classes, compiles, node, text
from longline.source.select import read_select

_NAME = re.compile(r"[A-Za-z_][A-Za-z_-]*")
_DEEP = re.compile(r"[^>] (?:li|tr|div|p|ul|table|dd|dt)(?![\w.\[#-])")
_LIST_DEPTH = 6
MOST_PARTS = 5
MARKING = ("b", "strong", "mark", "em", "i", "u", "span", "font")
"""Tags that highlight query words: they depend on the query, so selectors must not use them."""

ALL = 0.995
"""F1 from which a selector counts as exact."""


def own_names(elements: Sequence[Any]) -> list[str]:
    """Return selectors that match each of the elements: by class, by attribute, by tag."""
    tags = Counter(element.tag for element in elements)
    tag = tags.most_common(1)[0][0]
    shared = set.intersection(*(set(classes(element)) for element in elements))
    names = [f"{tag}.{name}" for name in sorted(shared, key=len)]
    if len(shared) > 1:
        names.append(tag + "".join(f".{name}" for name in sorted(shared)))
    for attribute in ("itemtype", "role", "itemprop", "data-type", "headers", "data-testid"):
        values = {element.get(attribute) for element in elements}
        value = values.pop() if len(values) == 1 else None
        if value and re.fullmatch(r"[\w:/.-]+", value):
            names.append(f'{tag}[{attribute}="{value}"]')
    names += [
        f"{tag}[{attribute}]"
        for attribute in ("data-id", "data-key", "data-href", "id")
        if all(element.get(attribute) for element in elements)
    ]
    if not any(element.get("class") for element in elements):
        names.append(f"{tag}:not([class])")
    return [*names, tag]


def contexts(element: Any) -> Iterator[str]:
    """Yield selector parts for an element's ancestors, nearest first: "ul.results > ", "#main "."""
    above = element.getparent()
    depth, chain = 0, ""
    while above is not None and isinstance(above.tag, str) and depth < _LIST_DEPTH:
        own_id = above.get("id") or ""
        names = [f"#{own_id}"] if _NAME.fullmatch(own_id) else []
        names += [f"{above.tag}.{name}" for name in classes(above)]
        for name in names:
            yield f"{name} > {chain}" if chain or not depth else f"{name} "
            yield f"{name} "
        if depth < 2 and above.tag not in ("html", "body"):
            yield f"{above.tag} > {chain}"
        chain = f"{above.tag} > {chain}"
        above, depth = above.getparent(), depth + 1


def find_selector(
    targets: Sequence[tuple[ParsedAnswer, Sequence[Any]]],
    empty: Iterable[ParsedAnswer],
    *,
    inner: str = "",
    anchors: Sequence[Any] = (),
) -> tuple[str, float]:
    """Return the best CSS selector for the wanted elements of each page, and its F1.

    Args:
        targets: Pages with the elements that the selector must find on them.
        empty: Pages on which it must find nothing.
        inner: A selector of something that every wanted element contains, e.g. "a".
        anchors: The link in each element: their position and the common parts of their URLs are
            used if nothing simpler is exact.
    """
    elements = [element for _, wanted in targets for element in wanted]
    if not elements:
        return "", 0.0
    owns = own_names(elements)
    # A table's head row has no link; a pager's paragraph contains only links.
    parts = [inner] if inner else []
    held = [{e.tag for e in element.iterdescendants("*")} for element in elements]
    parts += sorted(set.intersection(*held) - {inner, "br", *MARKING})[:MOST_PARTS]
    owns += [f"{own}:has({part})" for part in parts for own in owns]
    surroundings = ["", *dict.fromkeys(_shared_contexts(elements))]
    pages = [*targets, *((page, ()) for page in empty)]
    best, best_rank = _best_of(owns, surroundings, pages)
    if best_rank[0] < ALL:
        own = own_names(elements)
        hrefs = [anchor.get("href") or "" for anchor in anchors]
        ends = ["a", *(f'a[href*="{mark}"]' for mark in href_marks(hrefs))]
        way = _way_down(elements, anchors)
        led = [f"{each}:has({end})" for end in ends[1:] for each in own]
        led += [f"{each}:has(> {way}{end})" for end in ends for each in own if way is not None]
        if list(anchors) == elements:
            led += ends[1:]
        led += [f"{each}:not(.{name})" for name in _standing(own[0], targets) for each in own]
        other, other_rank = _best_of(led, surroundings, pages)
        if other_rank > best_rank:
            best, best_rank = other, other_rank
    return (f"css:{best}", best_rank[0]) if best else ("", 0.0)


def _standing(own: str, targets: Sequence[tuple[ParsedAnswer, Sequence[Any]]]) -> list[str]:
    """Return classes of unwanted matches whose texts are the same on all pages.

    These may be promoted entries, which do not depend on the query.
    """
    said: dict[str, list[set[str]]] = {}
    for page, wanted in targets:
        known = {name for element in wanted for name in classes(element)}
        others: dict[str, set[str]] = {}
        for hit in read_select(f"css:{own}").all(page.answer.root):
            for name in set(classes(hit.root)) - known if hit.root not in wanted else ():
                others.setdefault(name, set()).add(text(hit.root))
        for name, texts in others.items():
            said.setdefault(name, []).append(texts)
    several = ((name, texts) for name, texts in said.items() if len(texts) > 1)
    return [name for name, texts in several if all(each == texts[0] for each in texts)]


def _best_of(
    owns: Sequence[str],
    surroundings: Sequence[str],
    pages: Sequence[tuple[ParsedAnswer, Sequence[Any]]],
) -> tuple[str, tuple[float, float]]:
    best, best_rank = "", (-1.0, 0.0)
    # The shortest first, so that it wins among equally good ones.
    for selector in sorted((s + own for s in surroundings for own in owns), key=_letters):
        if best_rank[0] == 1.0:
            break
        if not compiles(selector):
            continue
        rank = (round(f1(selector, pages, best_rank[0]), 3), -float(_letters(selector)))
        if rank > best_rank:
            best, best_rank = selector, rank
    return best, best_rank


def _letters(selector: str) -> int:
    """Return a selector's length, with penalties for what may match more on another page.

    These are bare tags, and tags at any depth: a hit's text may hold a list or a table, too.
    """
    named = 0 if re.search(r"[.#\[]", selector) else 24
    return len(selector) + named + 20 * (":not" in selector) + 3 * bool(_DEEP.search(selector))


def _way_down(elements: Sequence[Any], anchors: Sequence[Any]) -> str | None:
    """Return the tags between elements and their links, as "h3 > ", or None if they differ."""
    ways = set()
    for element, anchor in zip(elements, anchors, strict=False):
        between = []
        for above in anchor.iterancestors():
            if above is element:
                break
            between.append(f"{above.tag} > ")
        else:
            return None
        ways.add("".join(reversed(between)))
    return ways.pop() if len(ways) == 1 else None


def href_marks(hrefs: Sequence[str]) -> list[str]:
    """Return the common parts of URLs that other links of their page may lack.

    >>> href_marks(["/doc/3/red", "/doc/14/blue"])
    ['/doc/']
    >>> href_marks(["show.php?id=3", "show.php?id=14"])
    ['show.php', 'id=']
    """
    found: list[list[str]] = []
    for href in hrefs:
        address, _, query = href.partition("?")
        *folders, name = re.sub(r"^[a-z]+://[^/]*", "", address).split("/")
        marks = [f"/{each}/" if at else f"{each}/" for at, each in enumerate(folders) if each]
        marks += [name] if query else []
        marks += [f"{part.partition('=')[0]}=" for part in query.split("&") if "=" in part]
        ending = re.search(r"\.[A-Za-z]{2,5}$", name)
        marks += [ending[0]] if ending and not query else []
        found.append([mark for mark in marks if re.fullmatch(r"[\w./=-]+", mark)])
    shared = set.intersection(*map(set, found)) if found else set()
    # Leave out relative path segments, which occur in any link.
    return [
        mark
        for mark in dict.fromkeys(found[0] if found else [])
        if mark in shared - {"../", "/../", "./", "/./"}
    ]


def _shared_contexts(elements: Sequence[Any]) -> list[str]:
    counts = Counter(context for element in elements for context in set(contexts(element)))
    most = max(counts.values(), default=0)
    return [context for context, count in counts.items() if count >= 0.9 * most]


def f1(
    selector: str, pages: Sequence[tuple[ParsedAnswer, Sequence[Any]]], least: float = 0.0
) -> float:
    """Return the harmonic mean of a selector's precision and recall over pages.

    Returns 0.0 as soon as the result is certain to be below `least`.
    """
    right = found = 0
    wanted = left = sum(len(elements) for _, elements in pages)
    for page, elements in pages:
        got = {hit.root for hit in read_select(selector).all(page.answer.root)}
        right += len(got.intersection(elements))
        found += len(got)
        left -= len(elements)
        # The upper bound: all remaining elements are found, and nothing more.
        if round(2 * (right + left) / max(found + left + wanted, 1), 3) < least:
            return 0.0
    return 2 * right / (found + wanted) if found + wanted else 0.0


def first_in(records: Sequence[Any], wanted: Sequence[Any]) -> str:
    """Return a selector whose first match in each record is the wanted element."""
    owns = own_names(wanted)
    surroundings = ["", *dict.fromkeys(c for c in _shared_contexts(wanted) if c.endswith("> "))]
    column = _column(wanted)
    candidates = [around + own for own in owns for around in surroundings]
    candidates += [f"{column} {owns[-1]}"] if column else []
    plain = len(candidates)
    turns = {len(list(element.itersiblings(element.tag, preceding=True))) for element in wanted}
    if len(turns) == 1 and max(turns):
        candidates += [f"{own}:nth-of-type({max(turns) + 1})" for own in owns]
        plain = len(candidates)
    marks = href_marks([element.get("href") or "" for element in wanted])
    candidates += [f'{owns[-1]}[href*="{mark}"]' for mark in marks]
    best, best_rank = "", (-1.0, 0)
    for candidate in candidates:
        if not compiles(f"css:{candidate}"):
            continue
        select = read_select(f"css:{candidate}")
        right = 0
        for record, target in zip(records, wanted, strict=True):
            first = select.first(node(record))
            right += first is not None and first.root is target
        named = 0 if re.search(r"[.#\[]", candidate) else 8
        named += 20 * (":not" in candidate)
        rank = (right / len(records), -(len(candidate) + named))
        if rank > best_rank:
            best, best_rank = candidate, rank
        if candidate == candidates[plain - 1] and best_rank[0] >= ALL:
            break
    return f"css:{best}" if best else ""


def _column(elements: Sequence[Any]) -> str:
    """Return the table column of all elements, or "" if they are in none or in several."""
    columns = Counter()  # type: Counter[str]
    for element in elements:
        cell = next((e for e in [element, *element.iterancestors()] if e.tag in ("td", "th")), None)
        if cell is not None:
            columns[
                f"{cell.tag}:nth-child({len(list(cell.itersiblings(preceding=True))) + 1})"
            ] += 1
    name, count = columns.most_common(1)[0] if columns else ("", 0)
    return name if count >= 0.9 * len(elements) else ""


def element_selector(page: ParsedAnswer, element: Any) -> str:
    """Return a selector for an element, which matches nothing else on its page."""
    tag, kind = element.tag, element.get("type")
    names = [f"#{element.get('id')}"] if is_plain(element.get("id")) else []
    names += [f"{tag}.{name}" for name in classes(element)]
    for attribute in ("name", "placeholder", "aria-label", "data-testid", "role"):
        value = element.get(attribute)
        if value and not re.search(r'["\\\n]', value):
            names.append(f'{tag}[{attribute}="{value}"]')
    names += [f'{tag}[type="{kind}"]'] if is_plain(kind) else []
    for name in [*names, tag]:
        if compiles(f"css:{name}"):
            found = page.answer.root.css(name)
            if len(found) == 1 and found[0].root is element:
                return f"css:{name}"
    return f"xpath:(//{tag})[{list(page.root.iter(tag)).index(element) + 1}]"


def is_plain(name: str | None) -> bool:
    """Return whether a name can stand in a selector as it is."""
    return bool(name and re.fullmatch(r"[A-Za-z_][\w-]*", name))
