"""Find the list of hits in JSON answers, and the fields of its items.

The hits change with the query, are many, and disappear for nonsense. An item's key is the value
that is unique; if several are, their names decide. Title, text and link are chosen by their
values and names.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

import jmespath  # type: ignore[import-untyped]

from longline.discovery.answer import ParsedAnswer
from longline.discovery.reading.json_lists import (
    drop_names,
    identifiers_in,
    labels_of,
    lists_in,
    lists_of_groups,
    lists_of_nothing,
)
from longline.discovery.reading.json_tree import (
    Leaf,
    Leaves,
    joined_languages,
    joined_shapes,
    leaves_of,
    listed_leaves,
)

LEAST_SCORE = 1.5
"""Minimum score of a list that is taken for the hits."""

LEAST_WITH_KEY = 0.6
"""Minimum score if the list's items have an identifier and it disappears for nonsense."""

MANY_ROWS = 20
"""How many different rows a value must identify to be a key whatever its name."""

OTHERS = 3
"""How many values must differ between two rows that are surely different documents."""

LEAST_ROWS = 5
"""How many rows the first column must have to be their key."""

SHARED = 0.8
"""If hits are parts of pages, they lead to at most this many pages a hit."""

PLACED, DIFFERENT = 0.2, 0.5
"""Least shares of such hits that name a place in a page, and of different addresses."""

_REFERENCE = re.compile(r"(?!(?:1[5-9]|20)\d\d(?:$|[-/.]\d\d?(?!\d)))(?=.*\d)[\w./:-]{1,40}$")
"""Matches a word with a digit that is not a date."""

_KEY = re.compile(
    r"^@?_?(?:(?:\w*_)?u?u?id|\w*I[dD]|(?:page|doc|item|record|post|article|node)id|guid|oid|pid|key"
    r"|handle|slug|[dD][oO][iI]|isbn\w*|\w*[iI]dentifier|number"
    r"|accession\w*|urn|arkid|recordid|(?:doc|rec|record|item|access)_?(?:no|nr|num(?:ber)?)|[a-z]\w*_(?:no|nr|number)|signatur\w*)$"
)
_OF_OTHERS = re.compile(
    r"(?:sponsor|author|creator|owner|user|publisher|institution|journal|agency|parent)s?\.", re.I
)
"""Matches the paths of what belongs to others than the record, such as its author's number."""

_LINK = re.compile(r"url|link|href|permalink|^web|^html|uri|landing|^self$|page$|^path$", re.I)
_NO_LINK = re.compile(
    r"image|img|thumb|cover|avatar|icon|logo|picture|photo|pdf|download|schema|license|licence"
    r"|context|author|user|profile",
    re.I,
)
_FILE = re.compile(r"\.(?:jpe?g|png|gif|svg|webp|ico|css|js|mp[34]|pdf)(?:[?#]|$)", re.I)
_ADDRESS = re.compile(r"(?:(?:https?:)?//\w|/[^/])\S*$")
_PLACE = re.compile(r"#[^/!]")
_TITLE = re.compile(
    r"^(?:\w*title\w*|titel|titre|titulo|título|\w*name|head|headline|label|subject|heading|caption"
    r"|displayName|term)$",
    re.I,
)
_TEXT = re.compile(
    r"body|content|text|abstract|descri|summary|snippet|excerpt|highlight|teaser|extract|beschreib"
    r"|inhalt|preview|passage|^match$",
    re.I,
)


@dataclass(frozen=True)
class DataHits:
    """The hits of JSON answers, and the paths of their fields; "" if there is none.

    Attributes:
        path: Selects the hits.
        key: Path inside a hit of its unique value.
        text: Path of the longest text.
        items: The hits by answer.
        leaves: The values of the different hits, by path.
        score: Score of the list.
        others: Names of other lists that behave like hits, too.
    """

    path: str
    key: str
    link: str
    title: str
    text: str
    items: dict[ParsedAnswer, list[Any]] = field(repr=False)
    leaves: dict[str, Leaves] = field(repr=False)
    score: float = 0.0
    others: list[str] = field(default_factory=list, repr=False)

    @property
    def other_links(self) -> list[str]:
        """Paths of further links, the likeliest first."""
        return [path for path in _links(self.leaves) if path != self.link]

    @property
    def labels(self) -> list[str]:
        """Names of the cells if hits are rows; "" for an unnamed one."""
        return [each.label for path, each in self.leaves.items() if path.startswith("[")]


def find_data_hits(
    answers: Sequence[ParsedAnswer], empty: Sequence[ParsedAnswer], wanted: str = ""
) -> DataHits | None:
    """Find the hits in JSON answers, or return None if no list behaves like them.

    Args:
        answers: Answers to different words, with hits.
        empty: Answers to nonsense words.
        wanted: The name of the list that is meant, of several.
    """
    found = _by_path(answers, lists_in)
    drop_names(found)
    if wanted:
        found = {path: found[path] for path in found if path.startswith(f"{wanted}[")} or found
    nothing = lists_of_nothing(empty, found)
    scores = {
        path: _score(lists, len(answers)) * (0.2 if path in nothing else 1.0)
        for path, lists in found.items()
    }
    best = max(scores, key=lambda path: scores[path], default="")
    if not best or scores[best] < LEAST_WITH_KEY:
        return _identifiers(answers, empty)
    read = _read(best, found[best], scores[best])
    if read is None:  # these may be groups of hits, such as the versions of documents
        groups = lists_of_groups(best, found[best])
        inner = (_read(path, lists, scores[best]) for path, lists in groups)
        read = next(filter(None, inner), None)
    if read is None or scores[best] >= LEAST_SCORE:
        others = (path for path in found if not path.startswith(best) and path not in nothing)
        alike = [path for path in others if scores[path] >= LEAST_SCORE and _hold(found[path])]
        return read and replace(read, others=[path.partition("[")[0] for path in alike])
    has_key = bool(read.key) and bool(_KEY.search(read.leaves[read.key].name))
    return read if has_key and best not in nothing else None


def _by_path(
    answers: Sequence[ParsedAnswer], lists: Callable[[Any], Iterator[tuple[str, list[Any]]]]
) -> dict[str, dict[ParsedAnswer, list[Any]]]:
    """Return the lists of some answers by path, and by answer."""
    found: dict[str, dict[ParsedAnswer, list[Any]]] = {}
    for answer in answers:
        for path, items in lists(answer.data):
            found.setdefault(path, {})[answer] = items
    return found


def _hold(lists: Mapping[ParsedAnswer, list[Any]]) -> bool:
    """Return whether most items of several answers hold the words that were searched for."""
    held = [each.words.lower() in str(item).lower() for each in lists for item in lists[each]]
    return len(lists) > 1 and 2 * sum(held) > len(held)


def _identifiers(answers: Sequence[ParsedAnswer], empty: Sequence[ParsedAnswer]) -> DataHits | None:
    """Find a list that holds nothing but the names of documents; nonsense has none, or no list."""
    found = _by_path(answers, identifiers_in)
    nothing = {path for answer in empty for path, _ in identifiers_in(answer.data)}
    whole = {
        path: lists
        for path, lists in found.items()
        if path not in nothing
        and len({str(items) for items in lists.values()}) == len(lists) > 1
        and all(len(set(items)) == len(items) for items in lists.values())
    }
    best = max(whole, key=lambda path: sum(map(len, whole[path].values())), default="")
    return _read(best, whole[best], 0.0, key="@") if best else None


def _score(lists: Mapping[ParsedAnswer, list[Any]], answers: int) -> float:
    longest = max(map(len, lists.values()))
    if longest < 2 or len(lists) * 2 < answers:
        return 0.0
    written = [str(item) for items in lists.values() for item in items]
    different = len(set(written)) / len(written)
    fields = sum(len(list(leaves_of(item))) for items in lists.values() for item in items)
    texts = sum(map(len, written)) / len(written)
    # The values of a facet are counts by name: few fields, short.
    weight = min(fields / len(written), 6) / 6 + min(texts, 400) / 400
    return float(min(longest, 20) ** 0.5 * different * len(lists) / answers * weight)


def _read(
    path: str, lists: dict[ParsedAnswer, list[Any]], score: float, *, key: str = ""
) -> DataHits | None:
    items = list(chain.from_iterable(lists.values()))
    listed = [dict(listed_leaves(item)) for item in items]
    every = joined_shapes(joined_languages([dict(leaves_of(item)) for item in items]), listed)
    of_all = iter(every)
    by_answer = [list(islice(of_all, len(each))) for each in lists.values()]
    labels = _labels(path, lists)
    found = _leaves(every, labels)
    key = key or _key(found, by_answer)
    # The same document may have another rank, score or snippet in another answer.
    told = [key] if key else [path for path in found if not _is_rank(path, by_answer)]
    unique = {str([*map(item.get, told)]): item for item in every}
    leaves = _leaves(list(unique.values()), labels)
    if pages := _pages_of_parts(leaves):
        key = ""
    link = pages or next(iter(_links(leaves)), "")
    title = _title(leaves, {link} if key and _TITLE.search(leaves[key].name) else {key, link})
    if not key and not link:
        key = _leading(leaves, by_answer)
    if not key and not link:
        # Only its title distinguishes a hit from others.
        titles = [[item.get(title) for item in items] for items in by_answer]
        if not title or any(len(set(each)) < len(each) for each in titles):
            return None
        key = title
    text = _text(leaves, {key, link, title})
    inner = _leaves(listed, {})
    if not title or not _TITLE.search(leaves[title].name):
        called = {path: leaf for path, leaf in inner.items() if "titl" in leaf.name.lower()}
        title = _title(called, set()) or title
    texts = {path: leaf for path, leaf in inner.items() if _TEXT.search(leaf.name)}
    long = _text(texts, set())
    if long and (not text or inner[long].length > 2 * leaves[text].length):
        text = long
    leaves |= {path: inner[path] for path in (title, text) if path in inner}
    return DataHits(path, key, link, title, text, lists, leaves, score)


def _labels(path: str, lists: Mapping[ParsedAnswer, list[Any]]) -> dict[str, str]:
    """Return the names of columns by a cell's path, if hits are rows with named columns."""
    answer, items = next(iter(lists.items()))
    if not items or not isinstance(items[0], list):
        return {}
    names = labels_of(answer.data, path, len(items[0]))
    return {f"[{place}]": name for place, name in enumerate(names)}


def _leaves(read: Sequence[Mapping[str, Leaf]], labels: Mapping[str, str]) -> dict[str, Leaves]:
    paths = dict.fromkeys(path for each in read for path in each)
    return {
        path: Leaves(path, tuple(each.get(path) for each in read), labels.get(path, ""))
        for path in paths
    }


def _key(leaves: Mapping[str, Leaves], by_answer: Sequence[Sequence[Mapping[str, Leaf]]]) -> str:
    """Return the path of a value that every hit has and that is unique in each answer, or ""."""
    fitting: dict[str, float] = {}
    for place, (path, leaf) in enumerate(leaves.items()):
        values = leaf.values
        if leaf.coverage < 1 or any(isinstance(value, (float, bool)) for value in values):
            continue
        told = [len({item[path] for item in items}) == len(items) for items in by_answer]
        if not all(told) or leaf.length > 200 or _is_rank(path, by_answer):
            continue
        depth = path.count(".")
        is_id = 3.0 * bool(_KEY.search(leaf.name)) + 0.5 * (leaf.name in ("id", "_id"))
        is_text = leaf.is_words and leaf.length > 30
        fitting[path] = is_id - 0.4 * depth - 2.0 * is_text - 0.01 * place
        fitting[path] -= 1.0 * bool(_LINK.search(leaf.name)) + 1.0 * (leaf.length > 60)
        fitting[path] -= 3.5 * bool(_OF_OTHERS.search(path))
    for path in sorted(fitting, key=lambda path: -fitting[path]):
        # Without a name for keys, a date, a title or a size may differ between hits by chance.
        is_name = fitting[path] > 0.5 or all(map(_REFERENCE.match, leaves[path].texts))
        if is_name and (fitting[path] > 0.5 or _tells_all_apart(path, by_answer)):
            return path
    return ""


def _leading(
    leaves: Mapping[str, Leaves], by_answer: Sequence[Sequence[Mapping[str, Leaf]]]
) -> str:
    """Return the path of the rows' first column if its values are unique references, or "".

    Ranks are not keys, nor are dates: two rows may have the same one.
    """
    path, leaf = next(iter(leaves.items()), ("", None))
    if leaf is None or leaf.coverage < 1 or len(leaf.values) < LEAST_ROWS:
        return ""
    values = [str(value) for value in leaf.values]
    ranks = [str(int(values[0]) + n) for n in range(len(values))] if values[0].isdigit() else []
    told = all(len({item[path] for item in items}) == len(items) for items in by_answer)
    is_word = all(map(_REFERENCE.fullmatch, values)) and values != ranks
    return path if told and is_word and not _is_rank(path, by_answer) else ""


def _tells_all_apart(path: str, by_answer: Sequence[Sequence[Mapping[str, Leaf]]]) -> bool:
    """Return whether a value identifies many rows; other values of a row may differ in part."""
    rows: dict[Leaf, Mapping[str, Leaf]] = {}
    for item in chain.from_iterable(by_answer):
        row = rows.setdefault(item[path], item)
        if 2 * sum(row.get(name) == value for name, value in item.items()) <= len(item):
            return False
    return len(rows) >= MANY_ROWS


def _is_rank(path: str, by_answer: Sequence[Sequence[Mapping[str, Leaf]]]) -> bool:
    """Return whether a value is the hit's place: the same in every answer, whatever the rows."""
    first, *others = [items for items in by_answer if len(items) > 1] or [()]
    pairs = [pair for other in others for pair in zip(first, other, strict=False)]
    differ = [sum(a.get(name) != b.get(name) for name in a) >= OTHERS for a, b in pairs]
    are_many = sum(differ) >= LEAST_ROWS or all(type(a.get(path)) is int for a, _ in pairs)
    return any(differ) and are_many and all(a.get(path) == b.get(path) for a, b in pairs)


def _links(leaves: Mapping[str, Leaves]) -> list[str]:
    """Return the paths of values that may link to the hits' pages, the likeliest first."""
    fitting: dict[str, float] = {}
    for place, (path, leaf) in enumerate(leaves.items()):
        urls = [
            t for t in leaf.texts if re.match(r"(https?:)?//\w|/[^/]|#[/!]", t) and " " not in t
        ]
        if leaf.coverage < 0.95 or len(urls) < 0.95 * len(leaf.texts) or leaf.distinct < 0.95:
            continue
        if sum(bool(_FILE.search(url)) for url in urls) > 0.2 * len(urls):
            continue
        name = 2.0 * bool(_LINK.search(leaf.name)) - 3.0 * bool(_NO_LINK.search(leaf.said))
        fitting[path] = 1.0 + name - 0.3 * path.count(".") - 0.01 * place
    return sorted((p for p, score in fitting.items() if score > 0), key=lambda p: -fitting[p])


def _pages_of_parts(leaves: Mapping[str, Leaves]) -> str:
    """Return the path of the addresses of pages, if hits are parts of them; else "".

    Several hits then lead to one page, and many name their place in it after a "#".
    """
    for path, leaf in leaves.items():
        urls = [text for text in leaf.texts if _ADDRESS.match(text)]
        if leaf.coverage == 1 and len(urls) == len(leaf.texts) and _LINK.search(leaf.name):
            pages = {url.partition("#")[0] for url in urls}
            places = sum(bool(_PLACE.search(url)) for url in urls)
            is_part = leaf.distinct > DIFFERENT  # else it may be a kind: "types#article"
            if is_part and len(pages) <= SHARED * len(urls) and places >= PLACED * len(urls):
                return path
    return ""


def title_path(records: Sequence[dict[str, Any]]) -> str:
    """Return the path of the records' titles, which has a usual name for them; "" for none."""
    leaves = {path: leaf for path, leaf in _leaves(records, {}).items() if _TITLE.search(leaf.name)}
    return _title(leaves, set())


def _title(leaves: Mapping[str, Leaves], taken: set[str]) -> str:
    fitting: dict[str, float] = {}
    for place, (path, leaf) in enumerate(leaves.items()):
        if path in taken or leaf.coverage < 0.9 or not leaf.is_words:
            continue
        if leaf.distinct < 0.5 or not 2 <= leaf.length <= 300:
            continue
        fitting[path] = 3.0 * bool(_TITLE.search(leaf.name)) + 1.0 * (leaf.distinct > 0.8)
        fitting[path] += 1.0 * ("title" in leaf.name.lower()) + 1.0 * (leaf.length <= 160)
        fitting[path] -= 1.0 * bool(_TEXT.search(leaf.said)) + 0.3 * path.count(".") + 0.02 * place
    return max(fitting, key=lambda path: fitting[path], default="")


def _text(leaves: Mapping[str, Leaves], taken: set[str]) -> str:
    fitting: dict[str, float] = {}
    for path, leaf in leaves.items():
        if path in taken or not leaf.is_words or leaf.length < 20 or leaf.distinct < 0.6:
            continue
        if leaf.coverage >= 0.25:
            known = 1.3 if _TEXT.search(leaf.said) else 1.0
            fitting[path] = leaf.length * min(1.0, leaf.coverage + 0.3) * known
    # A complete text is longer than an excerpt, and as long as a copy with its words marked.
    return max(fitting, key=lambda path: (fitting[path], not leaves[path].is_part), default="")


def data_hits_in(answer: ParsedAnswer, path: str) -> DataHits | None:
    """Return the fields of a list's objects or rows, or None if it has none or they have no key.

    Args:
        answer: The answer with the list.
        path: JMESPath that selects the items.
    """
    found = jmespath.search(path, answer.data) or ()
    items = [item for item in found if isinstance(item, (dict, list))]
    return _read(path, {answer: items}, 0.0) if items else None
