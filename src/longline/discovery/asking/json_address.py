"""The first steps with JSON answers: find the parameter that takes the words, and the hits."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any
from urllib.parse import unquote, urlsplit

from longline.discovery.answer import ParsedAnswer, literal, parameters
from longline.discovery.answer_pages import from_first, note_ask
from longline.discovery.asking.by_meaning import learn_by_meaning
from longline.discovery.asking.completion import learn_completion, seems_to_complete
from longline.discovery.asking.find_listing import (
    find_listing,
    note_empty_status,
    search_nonsense,
)
from longline.discovery.asking.json_hits import write_data_hits
from longline.discovery.asking.real_words import MORE_TRIES, PROBES, words_to_try
from longline.discovery.hopeless import BY_WORDS, NO_ANSWER, NO_LIST, NOTHING_NEW, HopelessError
from longline.discovery.reading import (
    Slot,
    addresses_in,
    ask_of,
    directory_in,
    find_data_hits,
    identifiers_in,
    is_address,
    is_query_name,
    leaves_of,
    longest_list,
    put,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import first_words, nonsense, telling, terms
from longline.model import Request
from longline.source.spec import Ask
from longline.text.media_type import media_type
from longline.text.numbers import counted

TRIES = 8
MARKER = "zqxjvkwm"
_QUOTED = re.compile(r"""(["'])([^\W\d_]\w+)\1""")
"""Matches a word in quotes."""

_TIME = re.compile(r"\d\d:\d\d")

NAMES = ("q", "query", "search", "text", "term", "s", "keyword", "keywords", "_q", "filter")
"""Parameter names to try for the words, where an address has none."""

LEFT_FOR_WORDS = 25
"""Names are tried only while more requests than this are left: words need the rest."""

ENTRANCES = 4
"""Maximum number of addresses to follow in an answer without a list."""

UNCHANGED = 3
"""After this many words without hits of their own, words from a list are queried."""

REFUSALS = (400, 405, 422)
"""Status codes by which an API rejects an unknown parameter."""

MOST = 0.6
"""A word in more than this share of the hits was probably queried."""


def begin_with_data(session: DiscoverySession, start: ParsedAnswer) -> Asking[None]:
    """Find out how to query an address that answers with JSON, and its hits.

    Raises:
        HopelessError: None of its parameters seems to take words.
    """
    start = yield from _entered(session, start)
    tried, before = list[str](), session.requests
    is_learnt = yield from _try_each(session, start, _told_by_words(start), tried)
    if not is_learnt:
        ways = yield from _ways(session, start)
        is_learnt = yield from _try_each(session, start, ways, tried)
    if not is_learnt:
        outcome = "; ".join(tried) or f"{', '.join(NAMES)} change nothing in what it lists"
        raise HopelessError(
            f"{session.url} answers with data ({media_type(start.response.content_type)}), but no "
            f"parameter of it is known to take words: {outcome}",
            "give the address of an answer with hits, such as https://host/api/search?q=word; or "
            + BY_WORDS,
            is_of_data=True,
        )
    # Requests wasted on words without hits do not reduce the budget of later steps.
    wasted = session.requests - before - len(session.empty) - len(session.probes)
    session.max_requests += min(max(wasted, 0), session.max_requests // 2)


def _try_each(
    session: DiscoverySession, start: ParsedAnswer, ways: Sequence[Ask], tried: list[str]
) -> Asking[bool]:
    """Learn hits by the first way that brings some; return whether one does, and fill `tried`."""
    for ask in ways:
        outcome = yield from try_data(session, ask, [start])
        is_search = not outcome and not seems_to_complete(session)
        if is_search or (yield from learn_completion(session, ask)) or not outcome:
            return True
        tried.append(f"{ask.url}: {outcome}")
    return False


def _entered(session: DiscoverySession, start: ParsedAnswer) -> Asking[ParsedAnswer]:
    """Follow the addresses in an answer without a list; return the list with the most words."""
    if parameters(session.url) or (longest_list(start.data) and not directory_in(start.data)):
        return start
    lists = []
    for url in addresses_in(start.data, start.response.url)[:ENTRANCES]:
        shown = yield from session.get(Request(url))
        if shown is not None and shown.is_data and longest_list(shown.data):
            lists.append(shown)
    return max(lists, key=lambda shown: len(_words_in(shown)), default=start)


def _words_in(shown: ParsedAnswer) -> set[str]:
    return set().union(*_words_by_hit(shown))


def _words_by_hit(shown: ParsedAnswer) -> list[set[str]]:
    return [
        {word for _, v in leaves_of(hit) if _is_text(v) for word in terms(str(v))}
        for hit in longest_list(shown.data)
    ]


def _told_by_words(start: ParsedAnswer) -> list[Ask]:
    """Return ways to query an address by replacing the words in it that its hits contain."""
    plain = start.request.url.partition("#")[0]
    ways = (ask_of(Request(plain), word) for word in _asked_for(start, plain))
    return [ask for ask in ways if ask is not None][:PROBES]


def _ways(session: DiscoverySession, start: ParsedAnswer) -> Asking[list[Ask]]:
    """Return ways to query an address by each parameter that may take words, likeliest first."""
    plain = start.request.url.partition("#")[0]
    held = parameters(plain)
    base = Ask(url=literal(plain))
    likely = [name for name in held if is_query_name(name)]
    wordy = [n for n, v in held.items() if n not in likely and re.search(r"[^\W\d_]{3}|^$", v)]
    wordy.sort(key=lambda name: held[name] != "")
    given = wordy[:1] if len(held) == 1 else []
    if not likely:
        wordy = yield from _limiting(session, base, start, wordy)
        heeded = [] if wordy else (yield from _heeded(session, base, start))
        if heeded is None:
            return []
        likely = heeded
    names = [*likely, *wordy] or [*given, *NAMES]
    ways = [ask_of(_sent(base, [name], MARKER), MARKER) for name in names]
    return [ask for ask in ways if ask is not None][:PROBES]


def _asked_for(start: ParsedAnswer, url: str) -> list[str]:
    """Return words of an address that are in the texts of most hits: they were probably queried.

    Words in quotes inside an expression, such as SQL, come last, wherever they were found.
    Parameter values are left out if a likely parameter is a single word: it is tried anyway.
    """
    sent = parameters(url)
    likely = [name for name in sent if is_query_name(name)]
    segments = [unquote(part) for part in urlsplit(url).path.split("/")]
    values = [] if any(terms(sent[name]) == [sent[name]] for name in likely) else [*sent.values()]
    values += [] if likely else segments
    words = list(dict.fromkeys(word for value in values for word in terms(value)))
    # A value that stands alone in most hits, such as their kind, is that of a filter.
    texts = [{each.lower() for each in _strings(hit)} for hit in longest_list(start.data)]
    words = [word for word in words if sum(word in each for each in texts) <= MOST * len(texts)]
    # In a substring search, a word may be part of a longer one.
    said = list(map(" ".join, texts))
    held = {word: sum(word in hit for hit in said) for word in words}
    found = [word for word in words if held[word] > max(1, MOST * len(said))]
    inner = [value for value in sent.values() if not _QUOTED.fullmatch(value)]
    quoted = [word for value in inner for _, word in _QUOTED.findall(value)]
    return list(dict.fromkeys([*sorted(found, key=lambda word: -held[word]), *quoted]))


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts of a hit, without addresses."""
    if isinstance(value, str) and not is_address(value):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _strings(each)


def _limiting(
    session: DiscoverySession, base: Ask, start: ParsedAnswer, names: Sequence[str]
) -> Asking[list[str]]:
    """Return the parameters that limit what an address lists: with nonsense, it lists less."""
    found = []
    for name in names[:PROBES]:
        word = nonsense(session.rng)
        shown = yield from session.get(_sent(base, [name], word), word)
        if shown is not None and shown.is_data and len(_rows(shown)) < len(_rows(start)):
            found.append(name)
    return found


def _heeded(session: DiscoverySession, base: Ask, start: ParsedAnswer) -> Asking[list[str] | None]:
    """Return the usual parameter name that an address reads, [] if unclear, None if it reads none.

    All names are tried at once, then halves of them.
    """
    listed = _items(start)
    names = [name for name in NAMES if name not in parameters(base.url)]
    half = names
    while listed and half and session.left > LEFT_FOR_WORDS:
        word = nonsense(session.rng)
        shown = yield from session.get(_sent(base, half, word), word)
        if shown is None or not shown.is_data:
            return []
        if len(_items(shown) & listed) < 0.5 * len(listed):
            names = half
        elif half == names:
            return None
        else:
            names = [name for name in names if name not in half]
        if len(names) == 1:
            return names
        half = names[: len(names) // 2]
    return []


def _sent(base: Ask, names: Sequence[str], word: str) -> Request:
    """Return the request that sends a word under some parameter names."""
    ask = base
    for name in names:
        ask = put(ask, Slot("url", (name,)), word)
    return Request(ask.url)


def try_data(
    session: DiscoverySession, ask: Ask, known: Sequence[ParsedAnswer], first: Sequence[str] = ()
) -> Asking[str]:
    """Learn hits from an address that answers with JSON; return why that failed, or "".

    Args:
        session: The session.
        ask: How to query it.
        known: Its answers, or pages of its site, whose words are worth a try.
        first: Words that had hits on its site.
    """
    session.begin(from_first(ask), "json")
    yield from search_nonsense(session)
    session.empty = [shown for shown in session.empty if shown.is_data]
    queue = list(dict.fromkeys([*first, *session.words, *_words(known), *_seeds(session, known)]))
    is_nearest = yield from learn_by_meaning(
        session, queue, lambda seen: find_data_hits(seen, [], session.list_meant), write_data_hits
    )
    if is_nearest:
        note_ask(session, "sure", f"answers with JSON; {session.brought}")
        return ""
    answered = yield from _probe(session, queue)
    if not session.probes:
        session.kind = "html"
        if not answered:
            return f"{NO_ANSWER} in JSON ({session.reason})"
        return f"{counted(answered, 'word')} {NOTHING_NEW}"
    listed = [page for page in session.listings if page not in session.empty]
    hits = find_data_hits(session.probes, session.empty, session.list_meant)
    hits = hits or find_data_hits([*session.probes, *listed], session.empty, session.list_meant)
    if hits is None:
        session.kind = "html"
        return NO_LIST
    note_ask(session, "sure", f"answers with JSON; {session.brought}")
    write_data_hits(session, hits)
    note_empty_status(session)
    return ""


def _probe(session: DiscoverySession, queue: list[str]) -> Asking[int]:
    """Query words until three bring hits that nonsense does not; return how many were answered."""
    nothing = set().union(*map(_items, session.empty))
    is_in_path = session.ask is not None and "{query}" in urlsplit(session.ask.url).path
    answered = unchanged = 0
    for tried in range(TRIES + MORE_TRIES):
        if tried >= TRIES and (session.probes or not session.listings):
            break
        if unchanged == answered == 2 * UNCHANGED:
            break  # words from a list change nothing either: none is read
        if tried == UNCHANGED and not (answered or session.empty) and session.status in REFUSALS:
            break  # it rejects all words
        if tried == UNCHANGED and is_in_path and session.empty_status and not session.probes:
            break  # the path does not exist
        stems = {shown.words[:5] for shown in session.probes}
        word = next((w for w in queue if w not in session.asked and w[:5] not in stems), None)
        if word is None or len(session.probes) >= PROBES:
            break
        queue.remove(word)
        shown = yield from session.search(word)
        if answered - len(session.probes) == UNCHANGED and len(session.probes) < 2:
            queue = [*(yield from _shown_for_nothing(session)), *queue]
        if shown is None or not shown.is_data:
            continue
        answered += 1
        unchanged += bool(nothing) and _items(shown) == nothing
        items = _items(shown, nothing)
        # If nonsense lists everything, that list may contain the hits, too.
        items = items if len(items) >= 2 else _rows(shown)
        same = [_items(other) for other in session.probes]
        # A word from a list may find only the document it was taken from.
        least = 1 if session.listings else 2
        is_few = len(items) < least or len(items & nothing) > 0.5 * len(nothing)
        if is_few or any(len(items & other) > 0.8 * len(items) for other in same):
            continue
        session.probes.append(shown)
        if len(session.probes) == 1 and not session.words:
            queue = [*_words([shown]), *queue]
    return answered


def _items(shown: ParsedAnswer, nothing: Collection[str] = ()) -> set[str]:
    """Return the rows of the longest list in an answer, without those returned for nonsense."""
    said = _rows(shown).difference(nothing)
    # Suggestions contain the query.
    named = {item.replace(shown.words, "{Q}") for item in said} if shown.words else said
    return named.difference(nothing)


def _rows(shown: ParsedAnswer) -> set[str]:
    """Return each row of the longest list in an answer as text, or each identifier."""
    named = max((items for _, items in identifiers_in(shown.data)), key=len, default=[])
    # Scores (floats), and the time of the answer on all rows, differ between queries only.
    rows = [
        {(path, str(v)) for path, v in leaves_of(item) if not isinstance(v, float)}
        for item in longest_list(shown.data) or named
    ]
    shared = set.intersection(*rows) if rows[1:] else ()
    return {
        "|".join(sorted(v for p, v in row if (p, v) not in shared or not _TIME.search(v)))
        for row in rows
    }


def _words(known: Iterable[ParsedAnswer]) -> list[str]:
    """Return words that occur in some hits of the answers, but not in most."""
    found: list[str] = []
    for shown in known:
        hits = longest_list(shown.data)
        texts = [" ".join(str(v) for _, v in leaves_of(hit) if _is_text(v)) for hit in hits]
        found += telling(texts, len(texts))
    return found


def _shown_for_nothing(session: DiscoverySession) -> Asking[list[str]]:
    """Return words from the list that a source shows for an empty or nonsense query.

    A source that searches only a few fields, such as names, knows these words. Words of all fields
    are mixed, those of the most varied fields first. Codes are left out.
    """
    listing = yield from find_listing(
        session, lambda shown: longest_list(shown.data) if shown.is_data else []
    )
    listed = [] if listing is None else longest_list(listing.data)
    texts: dict[str, list[str]] = {}
    for path, value in chain.from_iterable(map(leaves_of, listed)):
        if isinstance(value, str) and not is_address(value) and not _is_code(value):
            texts.setdefault(path, []).append(value)
    words = [
        [*telling(said, len(listed)), *terms(" ".join(said), shortest=4)]
        for said in sorted(texts.values(), key=lambda said: -len({*said}))
    ]
    mixed = chain.from_iterable(zip_longest(*words))
    return list(dict.fromkeys(filter(None, mixed)))


def _is_code(value: str) -> bool:
    """Return whether a value is a number or an identifier with digits, such as "A-2019/7"."""
    return " " not in value and any(letter.isdigit() for letter in value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "://" not in value and " " in value


def _seeds(session: DiscoverySession, known: Sequence[ParsedAnswer] = ()) -> list[str]:
    page = next((shown for shown in known if not shown.is_data), None)
    return first_words("", "", ()) if page is None else words_to_try(session, page, None)
