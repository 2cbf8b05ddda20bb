"""Autocomplete boxes: an address that returns names that begin with what is typed.

Letters show it: every name returned for a letter has a word that begins with it, and the same holds
for the beginning of a long word of these names. A search for words finds nothing for that.
"""

import re
from collections.abc import Sequence
from typing import Any

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import note_ask
from longline.discovery.asking.json_hits import write_data_hits
from longline.discovery.reading import find_data_hits, leaves_of, longest_list, strings_in
from longline.discovery.session import Asking, DiscoverySession, change_ask, change_results
from longline.source.spec import Ask, Results

LETTERS = "asmtcbe"
"""Letters to type, in this order, until two of them bring names."""

LEAST_LEFT = 12
ALL = 0.95
"""At least this share of the names must have a word that begins with what was typed."""

LEAST_NAMES = 2
LONGEST_NAME = 200
"""Letters of names in the mean, at most; a longer text has words that begin with any letter."""


def seems_to_complete(session: DiscoverySession) -> bool:
    """Return whether every hit found so far has a word that begins with the query."""
    return bool(session.probes) and all(_name_of(page) is not None for page in session.probes)


def learn_completion(session: DiscoverySession, ask: Ask) -> Asking[bool]:
    """Find out whether an address completes what is typed; if so, write it down and return True."""
    if session.left < LEAST_LEFT:
        return False
    with session.trying() as keep:
        nothing = session.empty
        session.begin(ask, "json")
        session.empty = nothing
        if (yield from _completes(session)):
            _write(session)
            keep()
            return True
    return False


def _completes(session: DiscoverySession) -> Asking[bool]:
    for letter in LETTERS:
        shown = yield from session.search(letter)
        if shown is None or not shown.is_data:
            return False
        if len(_items(shown)) >= LEAST_NAMES:
            if _name_of(shown) is None:
                return False
            session.probes.append(shown)
        if len(session.probes) == 2:
            break
    if len(session.probes) < 2 or _items(session.probes[0]) == _items(session.probes[1]):
        return False
    first = session.probes[0]
    begun = _begun(_texts(first, _name_of(first) or ""), first.words)
    shown = (yield from session.search(begun)) if begun else None
    if shown is None or not _items(shown):
        return False
    path = _name_of(shown, least=1)
    if path is None or not _go_on(_texts(shown, path), begun):
        return False
    session.probes.append(shown)
    return True


def _go_on(names: Sequence[str], begun: str) -> bool:
    """Return whether most names have a word that goes on after what was typed.

    >>> _go_on(["Amber Trust", "I am Amy"], "Am"), _go_on(["I am here", "Am Tal"], "Am")
    (True, False)
    """
    typed = begun.casefold()
    held = [re.findall(r"\w+", name.casefold()) for name in names]
    longer = (any(word != typed and word.startswith(typed) for word in words) for words in held)
    return 2 * sum(longer) > len(names)


def _begun(names: Sequence[str], letter: str) -> str:
    """Return the beginning of the longest word that begins with a letter; at a name's, if all do.

    "" if each such beginning is a word of a name, too: a search for words would find that.

    >>> _begun(["a bank", "the annual report"], "a"), _begun(["Ada Lovelace", "Alan Turing"], "a")
    ('annu', 'Al')
    >>> _begun(["TIDE A AS", "A BANK ASA"], "a")
    ''
    """
    held = [name.split() for name in names]
    is_first = all(words[0].casefold().startswith(letter) for words in held if words)
    words = [word for each in held for word in (each[:1] if is_first else each)]
    known = {word.casefold() for each in held for word in each}
    longest = sorted((w for w in words if w.casefold().startswith(letter)), key=len, reverse=True)
    begun = (word[: max(2, min(4, len(word) - 2))] for word in longest)
    return next((each for each in begun if each.casefold() not in known), "")


def _items(shown: ParsedAnswer) -> Sequence[Any]:
    strings = strings_in(shown.data)
    return strings[1] if strings else longest_list(shown.data)


def _texts(shown: ParsedAnswer, path: str) -> list[str]:
    items = _items(shown)
    if not path:
        return [str(item) for item in items]
    return [str(dict(leaves_of(item)).get(path, "")) for item in items]


def _name_of(shown: ParsedAnswer, *, least: int = LEAST_NAMES) -> str | None:
    """Return the path that holds what was typed in most items ("" for strings), or None."""
    items = _items(shown)
    if len(items) < least:
        return None
    paths = [""] if isinstance(items[0], str) else [path for path, _ in leaves_of(items[0])]
    typed = shown.words.casefold()
    for path in paths:
        texts = [text.casefold() for text in _texts(shown, path)]
        is_long = sum(map(len, texts)) > LONGEST_NAME * len(texts)
        if is_long or "://" in texts[0] or len(set(texts)) < len(texts) / 2:
            continue
        if sum(text.startswith(typed) or f" {typed}" in text for text in texts) >= ALL * len(texts):
            return path
    return None


def _write(session: DiscoverySession) -> None:
    first = session.probes[0]
    path, strings = _name_of(first) or "", strings_in(first.data)
    seen = f"all that came for {', '.join(repr(page.words) for page in session.probes)} begins so"
    if strings:
        hit = f"jmes:{strings[0]}"
        session.results = Results(hit=hit, key="jmes:@", title="jmes:@", text="jmes:@")
        session.find("results.hit", hit, "sure", seen)
    else:
        hits = find_data_hits(session.probes, session.empty, session.list_meant)
        if hits is not None:
            write_data_hits(session, hits)
        change_results(session, title=f"jmes:{path}")
    rows = [len(_items(page)) for page in session.probes[:2]]
    change_ask(session, matches="prefix", limit=rows[0] if rows[0] == rows[1] else None)
    note_ask(session, "sure", f"it completes what is typed: {seen}")
    session.find("ask.matches", "prefix", "sure", seen)
    if rows[0] == rows[1]:
        session.find(
            "ask.limit", rows[0], "likely", f"{rows[0]} names came for each of two letters"
        )
