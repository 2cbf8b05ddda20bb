"""Which list in JSON answers is the hits, and what its items hold.

The hits change with the query, are many, and go for nonsense. An item's key is the value that
tells it from all others, by its name where several do; its title, text and link are chosen by what
they hold, and by their names.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import jmespath  # type: ignore[import-untyped]

from longline.discovery.answer import ParsedAnswer
from longline.discovery.reading.json_tree import (
    Leaf,
    labels_of,
    last_name,
    leaves_of,
    lists_in,
)

LEAST_SCORE = 1.5
"""Of a list, to be taken for the hits."""

LEAST_WITH_KEY = 0.6
"""The same, where its items have an identifier, and it goes for nonsense."""

MARKED = 0.2
"""Where this share of the texts ends in dots, or has words marked, texts are parts."""

MANY_ROWS = 20
"""Different rows that a value has to tell apart, one by one, to be their key whatever its name."""

LEAST_ROWS = 5
"""Rows that begin with different words, at the least, for these to be their keys."""

_REFERENCE = re.compile(r"(?!(?:1[5-9]|20)\d\d(?:$|[-/.]\d\d?(?!\d)))(?=.*\d)[\w./:-]{1,40}")
"""A word with a digit, and no date."""

CUT_TO = 12
"""Texts within so many characters of the longest are cut to one length, if many are."""

_KEY = re.compile(
    r"^@?_?(?:(?:\w*_)?u?u?id|\w*I[dD]|(?:page|doc|item|record|post|article|node)id|guid|oid|pid|key"
    r"|handle|slug|[dD][oO][iI]|isbn\w*|identifier|number"
    r"|accession\w*|urn|arkid|recordid|(?:doc|rec|record|item|access)_?(?:no|nr|num(?:ber)?)|[a-z]\w*_(?:no|nr|number)|signatur\w*)$"
)
_LINK = re.compile(r"url|link|href|permalink|^web|^html|uri|landing|^self$|page$|^path$", re.I)
_NO_LINK = re.compile(
    r"image|img|thumb|cover|avatar|icon|logo|picture|photo|pdf|download|schema|license|licence"
    r"|context|author|user|profile",
    re.I,
)
_TAGS = re.compile(r"<[^<>]*>")
_FILE = re.compile(r"\.(?:jpe?g|png|gif|svg|webp|ico|css|js|mp[34]|pdf)(?:[?#]|$)", re.I)
_TITLE = re.compile(
    r"^(?:\w*title\w*|titel|titre|titulo|título|\w*name|headline|label|subject|heading|caption"
    r"|displayName|term)$",
    re.I,
)
_TEXT = re.compile(
    r"body|content|text|abstract|descri|summary|snippet|excerpt|highlight|teaser|extract|beschreib"
    r"|inhalt|preview",
    re.I,
)
_PART = re.compile(r"snippet|excerpt|highlight|teaser|extract|preview|short", re.I)
_MARKS = re.compile(r"</?(?:em|mark|b|strong|span|hl)\b", re.I)


@dataclass(frozen=True)
class Leaves:
    """What one path holds in every hit.

    Attributes:
        values: A hit each; None where it has none.
        label: Of a row's cell, what the answer calls its column; "" where it does not.
    """

    path: str
    values: tuple[Leaf, ...]
    label: str = ""

    @property
    def name(self) -> str:
        """The last name of its path, or its column's."""
        return self.label or last_name(self.path)

    @property
    def said(self) -> str:
        """All names on its way."""
        return f"{self.path} {self.label}"

    @cached_property
    def texts(self) -> list[str]:
        """What is there, as text."""
        return [str(value) for value in self.values if value not in (None, "")]

    @property
    def coverage(self) -> float:
        """Share of the hits that have it."""
        return len(self.texts) / len(self.values)

    @property
    def distinct(self) -> float:
        """Share of different values among those there are."""
        return len(set(self.texts)) / len(self.texts) if self.texts else 0.0

    @property
    def length(self) -> float:
        """Mean length of the texts there are, in characters."""
        return sum(map(len, self.texts)) / len(self.texts) if self.texts else 0.0

    @property
    def is_words(self) -> bool:
        """Whether most of it is letters and spaces, and no addresses."""
        texts = [_TAGS.sub(" ", text) for text in self.texts]
        said = "".join(texts)
        words = sum(map(str.isalpha, said)) + sum(map(str.isspace, said))
        urls = sum("://" in text or text.startswith("/") for text in texts)
        is_text = any(isinstance(value, str) for value in self.values)
        return is_text and words > 0.6 * len(said) and urls <= 0.3 * len(self.texts)

    @property
    def is_part(self) -> bool:
        """Whether the texts are parts of longer ones: marked, or cut to one length."""
        if _PART.search(self.said):
            return True
        marked = sum(
            text.rstrip().endswith(("…", "...")) or bool(_MARKS.search(text)) for text in self.texts
        )
        longest = max(map(len, self.texts), default=0)
        cut = sum(len(text) > longest - CUT_TO for text in self.texts)
        is_cut = len(self.texts) >= 8 and longest > 60 and cut > 0.3 * len(self.texts)
        return marked > MARKED * len(self.texts) or is_cut


@dataclass(frozen=True)
class DataHits:
    """The hits of JSON answers, and what they hold; "" for what they do not.

    Attributes:
        path: Selects the hits.
        key: Path inside a hit of what tells it from others.
        text: Of the longest text.
        items: The hits by answer.
        leaves: All that different hits hold, by path.
        score: Of the list.
    """

    path: str
    key: str
    link: str
    title: str
    text: str
    items: dict[ParsedAnswer, list[Any]] = field(repr=False)
    leaves: dict[str, Leaves] = field(repr=False)
    score: float = 0.0

    @property
    def labels(self) -> list[str]:
        """Names of the cells, where hits are rows; "" for one without."""
        return [each.label for path, each in self.leaves.items() if path.startswith("[")]


def find_data_hits(
    answers: Sequence[ParsedAnswer], empty: Sequence[ParsedAnswer]
) -> DataHits | None:
    """Find the hits in JSON answers; None where no list behaves like them.

    Args:
        answers: To different words, with hits.
        empty: To nonsense words.

    Source: ours.
    """
    found: dict[str, dict[ParsedAnswer, list[Any]]] = {}
    for answer in answers:
        for path, items in lists_in(answer.data):
            found.setdefault(path, {})[answer] = items
    _drop_names(found)
    nothing = _lists_of_nothing(empty, found)
    scores = {
        path: _score(path, lists, len(answers)) * (0.2 if path in nothing else 1.0)
        for path, lists in found.items()
    }
    best = max(scores, key=lambda path: scores[path], default="")
    if not best or scores[best] < LEAST_WITH_KEY:
        return None
    read = _read(best, found[best], scores[best])
    if read is None or scores[best] >= LEAST_SCORE:
        return read
    has_key = bool(read.key) and bool(_KEY.search(read.leaves[read.key].name))
    return read if has_key and best not in nothing else None


def _lists_of_nothing(
    empty: Sequence[ParsedAnswer], found: Mapping[str, Mapping[ParsedAnswer, list[Any]]]
) -> set[str]:
    """Return the lists that nonsense has, too, but for those that are then filled with one list."""
    shown: dict[str, list[list[str]]] = {}
    for answer in empty:
        for path, items in lists_in(answer.data):
            shown.setdefault(path, []).append(list(map(str, items)))
    for path, (first, *others) in list(shown.items()):
        lists = found.get(path, {}).values()
        hits = {str(item) for items in lists for item in items}
        is_fill = bool(others) and all(other == first for other in others)
        are_few = all(2 * len(items) <= len(first) for items in lists)
        if is_fill and (are_few or 2 * len(hits.difference(first)) > len(hits)):
            del shown[path]
    return set(shown)


def _drop_names(found: dict[str, dict[ParsedAnswer, list[Any]]]) -> None:
    """Take the columns' names from the rows, where every answer's first row is the same one."""
    for path in [path for path in found if path.endswith("[*]")]:
        firsts = [items[0] for items in found[path].values()]
        is_named = len(firsts) > 1 and all(isinstance(row, list) for row in firsts)
        if is_named and all(row == firsts[0] for row in firsts) and all(map(_is_name, firsts[0])):
            lists = {answer: items[1:] for answer, items in found.pop(path).items()}
            found[f"{path.removesuffix('[*]')}[1:]"] = lists


def _is_name(cell: Any) -> bool:
    return isinstance(cell, str) and bool(re.fullmatch(r"[@\w][\w.: -]{0,40}", cell))


def _score(path: str, lists: Mapping[ParsedAnswer, list[Any]], answers: int) -> float:
    longest = max(map(len, lists.values()))
    if longest < 2 or len(lists) * 2 < answers:
        return 0.0
    written = [str(item) for items in lists.values() for item in items]
    different = len(set(written)) / len(written)
    fields = sum(len(list(leaves_of(item))) for items in lists.values() for item in items)
    texts = sum(map(len, written)) / len(written)
    # A facet's values are counts by name: few fields, short.
    weight = min(fields / len(written), 6) / 6 + min(texts, 400) / 400
    return float(min(longest, 20) ** 0.5 * different * len(lists) / answers * weight)


def _read(path: str, lists: dict[ParsedAnswer, list[Any]], score: float) -> DataHits | None:
    by_answer = [[dict(leaves_of(item)) for item in items] for items in lists.values()]
    every = [item for items in by_answer for item in items]
    labels = _labels(path, lists)
    key = _key(_leaves(every, labels), by_answer)
    # The same document may say otherwise, by its score, what it was found by.
    unique = {str(item[key]) if key else str(item): item for item in every}
    leaves = _leaves(list(unique.values()), labels)
    link = _link(leaves)
    title = _title(leaves, {link} if key and _TITLE.search(leaves[key].name) else {key, link})
    if not key and not link:
        key = _leading(leaves, by_answer)
    if not key and not link:
        # Nothing but its title tells a hit from others.
        titles = [[item.get(title) for item in items] for items in by_answer]
        if not title or any(len(set(each)) < len(each) for each in titles):
            return None
        key = title
    text = _text(leaves, {key, link, title})
    return DataHits(path, key, link, title, text, lists, leaves, score)


def _labels(path: str, lists: Mapping[ParsedAnswer, list[Any]]) -> dict[str, str]:
    """Return the names of the columns by a cell's path, where hits are rows with such."""
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
    """Return the path of what every hit has, and no two different hits share."""
    fitting: dict[str, float] = {}
    for place, (path, leaf) in enumerate(leaves.items()):
        values = leaf.values
        if leaf.coverage < 1 or any(isinstance(value, (float, bool)) for value in values):
            continue
        told = [len({item[path] for item in items}) == len(items) for items in by_answer]
        if not all(told) or leaf.length > 200 or _counts_up(path, by_answer):
            continue
        depth = path.count(".")
        is_id = 3.0 * bool(_KEY.search(leaf.name)) + 0.5 * (leaf.name in ("id", "_id"))
        is_text = leaf.is_words and leaf.length > 30
        fitting[path] = is_id - 0.4 * depth - 2.0 * is_text - 0.01 * place
        fitting[path] -= 1.0 * bool(_LINK.search(leaf.name)) + 1.0 * (leaf.length > 60)
    best = max(fitting, key=lambda path: fitting[path], default="")
    # A date or a size may happen to differ from hit to hit.
    is_key = fitting.get(best, 0.0) > 0.5 or (best and _tells_all_apart(best, by_answer))
    return best if is_key else ""


def _leading(
    leaves: Mapping[str, Leaves], by_answer: Sequence[Sequence[Mapping[str, Leaf]]]
) -> str:
    """Return the path of what rows begin with, if it numbers them, or is a word that no two share.

    Not a rank, and no date: those of a day may be two.
    """
    path, leaf = next(iter(leaves.items()), ("", None))
    if leaf is None or leaf.coverage < 1 or len(leaf.values) < LEAST_ROWS:
        return ""
    values = [str(value) for value in leaf.values]
    ranks = [str(int(values[0]) + n) for n in range(len(values))] if values[0].isdigit() else []
    told = all(len({item[path] for item in items}) == len(items) for items in by_answer)
    is_word = all(map(_REFERENCE.fullmatch, values)) and values != ranks
    return path if told and is_word and not _counts_up(path, by_answer) else ""


def _tells_all_apart(path: str, by_answer: Sequence[Sequence[Mapping[str, Leaf]]]) -> bool:
    """Say whether a value stands for one row of many each, in all answers together.

    Of a row that comes again, what was found in its text may be another.
    """
    rows: dict[Leaf, Mapping[str, Leaf]] = {}
    for item in chain.from_iterable(by_answer):
        row = rows.setdefault(item[path], item)
        if 2 * sum(row.get(name) == value for name, value in item.items()) <= len(item):
            return False
    return len(rows) >= MANY_ROWS


def _counts_up(path: str, by_answer: Sequence[Sequence[Mapping[str, Leaf]]]) -> bool:
    """Say whether a value is the hit's rank: the same numbers in every answer."""
    lists = [[item.get(path) for item in items] for items in by_answer if len(items) > 1]
    return len(lists) > 1 and all(
        isinstance(values[0], int)
        and values == list(range(values[0], values[0] + len(values)))
        and values[0] == lists[0][0]
        for values in lists
    )


def _link(leaves: Mapping[str, Leaves]) -> str:
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
    best = max(fitting, key=lambda path: fitting[path], default="")
    return best if fitting.get(best, 0.0) > 0 else ""


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
            # Of the whole text and a part of it with words marked, the whole is longer.
            fitting[path] = leaf.length * min(1.0, leaf.coverage + 0.3) * known
    return max(fitting, key=lambda path: fitting[path], default="")


def data_hits_in(answer: ParsedAnswer, path: str) -> DataHits | None:
    """Return what the objects, or rows, of a list hold; None where nothing tells them apart.

    Args:
        answer: That has the list.
        path: Selects them, as JMESPath.
    """
    found = jmespath.search(path, answer.data) or ()
    items = [item for item in found if isinstance(item, (dict, list))]
    return _read(path, {answer: items}, 0.0) if items else None
