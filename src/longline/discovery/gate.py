"""The final check: are known documents found again, and what must a person review?"""

import re
from collections.abc import Callable

from longline.discovery.answer import ParsedAnswer, parameters, place_of
from longline.discovery.answer_pages import RESERVE, SHOWS, PagingState, showing
from longline.discovery.dialect import answer
from longline.discovery.document import KNOWN, take_words
from longline.discovery.document_keys import leave_changing_out_of_keys
from longline.discovery.next_words import is_filter_name
from longline.discovery.reading import ALL
from longline.discovery.session import (
    Asking,
    DiscoverySession,
    OutOfRequests,
    change_ask,
    change_dialect,
)
from longline.discovery.words import shares, terms
from longline.source.select import read_select
from longline.text.seed_words import own_words

CONFIRMING = 4
"""After this many documents in a row are found again by their own words, the check ends."""

KNOWN_ITEMS = 6
"""How many documents are searched for again if one of the first is not found."""

FEW = 3
"""With fewer hits than this, an answer may show its words by chance."""

LEAST_BACK = 3
"""How many documents, at least half of those tried, must be found to prove that hits are right."""

_CUT = re.compile(r"(?:(?<!\w)\w++)?+\s*+(?:…|\.\.\.)\s*\w*|(?<!\w)\w++$")
"""Matches words at the end of a text or beside an ellipsis: they may be truncated."""

WORDS_OF_A_TITLE = 5
WORDS_OF_A_TEXT = 15


def check_known_items(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Query hits by the rarest words of their titles and snippets, and count those found again.

    Raises:
        OutOfRequests: No request is left for even one document.
    """
    assert session.ask is not None
    if session.left <= 0:
        raise OutOfRequests
    leave_changing_out_of_keys(session, _answers(session))
    found = hidden = unasked = 0
    missed: list[str] = []
    ways: list[Callable[[DiscoverySession, str], str]] = [
        _rarest,
        _title_words,
        _rarest_of_text,
        _title_word,
        _rarest_word,
    ]
    for key in _spread(session):
        if max(found + len(missed), hidden + unasked) >= KNOWN_ITEMS or session.left <= 0:
            break
        if found >= CONFIRMING and not missed and not hidden:
            break
        if not _rarest(session, key):
            continue
        is_back, is_cut = yield from _comes_back(session, pages, key, ways)
        if is_back:
            found += 1
        elif is_cut is None:
            unasked += 1
        elif is_cut and pages.limit is not None:
            # The return limit may hide it, so this is no evidence about how the source is queried.
            hidden += 1
        else:
            missed.append(key)
    if missed and leave_changing_out_of_keys(session, _answers(session)):
        yield from check_known_items(session, pages)
        return
    total = found + len(missed)
    is_doubtful = not found or not _are_documents(session, f"{found}/{total}")
    if missed and is_doubtful and not session.hides_words:
        # What hits show may not be searched, although their words happen to match.
        yield from take_words(session)
        if session.hides_words:
            yield from check_known_items(session, pages)
            return
    default = session.findings.get("dialect.default")
    takes_two = default is not None and default.value == "AND"
    is_by_one = ways[0] is _rarest_word and not (takes_two or session.ask.dialect.max_terms)
    if found >= 3 and is_by_one:
        change_dialect(session, max_terms=1)
        seen = f"{found} known documents came back by one word, and not by two"
        session.find("ask.dialect.max_terms", 1, "likely", seen)
    evidence = f"{found} of {total} known documents came back when asked by their rarest words"
    if not total:
        evidence = "no known document could be asked for by words of its own"
    evidence += f"; {hidden} more may be behind the return limit" if hidden else ""
    if unasked and found < LEAST_BACK and (missed or not found):
        evidence += f"; for {unasked} no answer came: {session.reason}"
        slower = "the site may be busy: learn it again later, or with a lower rate (--rate)"
        session.find("known_items", f"{found}/{total}", "unknown", evidence, slower)
    elif total < 2 or (total < 3 and missed):
        session.find("known_items", f"{found}/{total}", "unknown", evidence)
    elif len(missed) > max(1, total // 6):
        lost = ", ".join(missed[:3])
        session.find(
            "known_items", f"{found}/{total}", "guess", evidence, f"not found again: {lost}"
        )
    else:
        session.find("known_items", f"{found}/{total}", "sure", evidence)
        _confirm_hits(session, found, evidence)


def _answers(session: DiscoverySession) -> list[ParsedAnswer]:
    return list(dict.fromkeys([*session.probes, *session.asked.values()]))


def note_filters(session: DiscoverySession) -> None:
    """Note filters of the given URL that searches drop, and those that they keep.

    Dropped are parameters that searches send with another value or none, and those of a results
    page that they do not send: the documents of the filter would be mixed with others. If all is
    kept, nothing else would say that only a part of the source is harvested.
    """
    if session.ask is None or not session.ask.url:
        return
    given, sent = parameters(session.url), parameters(session.ask.url)
    is_searched = place_of(session.url) == place_of(session.ask.url) and "{query}" in sent.values()
    dropped = {name for name in given.keys() - sent.keys() if is_searched and is_filter_name(name)}
    both = given.keys() & sent.keys()
    other = {name for name in both if sent[name] != given[name] and "{" not in sent[name]}
    left = [f"{name}={value}" for name, value in given.items() if value and name in dropped | other]
    if left:
        filters = ", ".join(left)
        said = "searches leave nothing out"
        warning = "this filter of the address given is left out of searches; to harvest that part"
        warning += " alone, write it into [ask] url"
        session.find("ask.filters", filters, "sure", said, warning)
        return
    same = ((name, value) for name, value in given.items() if value and sent.get(name) == value)
    kept = [f"{name}={value}" for name, value in same if is_filter_name(name)]
    if kept and is_searched:
        said = "the address given sends this, and so does every search"
        warning = f"{said}: if it is a filter, only what it matches is saved; leave it out of the"
        warning += " address to save everything"
        session.find("ask.filters", ", ".join(kept), "sure", said, warning)


NEAREST = 3
"""How many documents are queried by their text if the search is by meaning."""


def check_nearest(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Query a search by meaning for hits by their known texts, and count those found again."""
    keys = _spread(session)[:NEAREST]
    found = 0
    for key in keys:
        if session.left <= RESERVE:
            break
        words = list(dict.fromkeys(terms(session.texts[key])))[:WORDS_OF_A_TEXT]
        got = yield from answer(session, pages, " ".join(words))
        found += got is not None and key in got.keys
    said = f"{found} of {len(keys)} known documents came back when asked by what they say"
    doubt = "" if found else "no text brings its own document: is it searched at all?"
    session.find("known_items", f"{found}/{len(keys)}", "likely" if found else "guess", said, doubt)


def _comes_back(
    session: DiscoverySession,
    pages: PagingState,
    key: str,
    ways: list[Callable[[DiscoverySession, str], str]],
) -> Asking[tuple[bool, bool | None]]:
    """Return whether a query finds a hit again, and whether an answer was cut (None if none came).

    Not all visible text may be searchable: the way that found a hit is tried first for the next.
    """
    asked: set[str] = set()
    is_cut: bool | None = None
    left = [*ways]
    while left:
        # If an answer was cut, use more rare words; if text is not searchable, use other words.
        way = left.pop(0 if is_cut or not asked else -1)
        words = way(session, key)
        if not words or words in asked or session.left <= 0:
            continue
        asked.add(words)
        got = yield from answer(session, pages, words)
        if got is not None and key in got.keys and _says_same(session, words, key):
            ways.sort(key=lambda each: each is not way)
            return True, is_cut
        if got is not None and not got.keys and _is_shown(session, words, key):
            return True, is_cut
        if got is not None:
            is_cut = bool(is_cut) or not got.whole
    return False, is_cut


def _is_shown(session: DiscoverySession, words: str, key: str) -> bool:
    """Return whether an answer without hits is the document itself, as a single hit may be shown.

    It must contain words of the hit other than those of the query, which any page may repeat.
    """
    shown, document = session.asked.get(words), session.document
    if shown is None or shown.is_data or document is None:
        return False
    said = set(terms(read_select(document.text).text(shown.answer.root)))
    own = set(terms(f"{_title(session, key)} {session.texts[key]}")) - set(terms(words))
    return bool(own) and len(own & said) > KNOWN * len(own)


def _says_same(session: DiscoverySession, words: str, key: str) -> bool:
    """Return whether a hit has the same title as before: its key may only be a position."""
    read = session.read(session.asked.get(words))
    came = next((hit.title for hit in read.hits if hit.key == key), "") if read else ""
    one, other = set(terms(_title(session, key))), set(terms(came))
    return not one or not other or 2 * len(one & other) >= min(len(one), len(other))


def _confirm_hits(session: DiscoverySession, found: int, evidence: str) -> None:
    """Drop the warning that few pages of hits were seen once known documents were found."""
    hit, records = session.findings.get("results.hit"), session.records
    if hit is None or not hit.warning or found < LEAST_BACK:
        return
    if records is None or records.f1 >= ALL:
        session.find("results.hit", hit.value, "likely", f"{hit.evidence}; {evidence}")


def learn_words(session: DiscoverySession) -> None:
    """Store seed words for a harvest, if English ones would find little."""
    texts = [set(terms(said)) for said in session.texts.values()]
    words = own_words(texts)
    if not words:
        return
    change_ask(session, words=words)
    session.find("ask.words", ", ".join(words), "likely", f"hits hold them, of {len(texts)} seen")


def _spread(session: DiscoverySession) -> list[str]:
    """Return keys of hits, alternating between answers."""
    hits = [list(session.keys(page)) for page in _lists(session)]
    said = {k: len(set(terms(session.texts.get(k, "")))) for keys in hits for k in keys}
    # One word may match many documents; it is used only if hits show no more than one.
    least = min(2, max(said.values(), default=0))
    lists = [[key for key in keys if 0 < least <= said[key]] for keys in hits]
    turns = [each[place] for place in (1, 3, 0, 2) for each in lists if place < len(each)]
    return list(dict.fromkeys(turns))


def _title_words(session: DiscoverySession, key: str) -> str:
    """Return the first words of a title, or of the text if hits have no titles."""
    most, said = _most(session, WORDS_OF_A_TITLE), _title(session, key) or session.texts[key]
    if most == 1:
        return " ".join(said.split()[:WORDS_OF_A_TITLE])
    words = list(dict.fromkeys(terms(said, shortest=4)))
    return session.joined(*words[:most])


def _title(session: DiscoverySession, key: str) -> str:
    hits = [hit for page in map(session.read, _lists(session)) if page for hit in page.hits]
    return next((hit.title for hit in hits if hit.key == key), "")


def _lists(session: DiscoverySession) -> list[ParsedAnswer]:
    """Return the answers to words; if these have few hits, also the listings."""
    few = len({key for page in session.probes for key in session.keys(page)}) < CONFIRMING
    listed = [page for page in session.listings if few and page not in session.empty]
    return [*session.probes, *listed]


def _most(session: DiscoverySession, wanted: int) -> int:
    """Return how many of the wanted words one query may hold."""
    assert session.ask is not None
    return min(wanted, session.ask.dialect.max_terms or wanted)


def _rarest(session: DiscoverySession, key: str) -> str:
    return rarest_in(session, session.texts[key])


def _rarest_word(session: DiscoverySession, key: str) -> str:
    """Return the rarest word of a hit, as two may have to be adjacent to match."""
    return rarest_in(session, session.texts[key], most=1)


def _title_word(session: DiscoverySession, key: str) -> str:
    """Return the rarest word of a title, as only titles may be searched."""
    return rarest_in(session, _title(session, key), most=1)


def _rarest_of_text(session: DiscoverySession, key: str) -> str:
    """Return the rarest words of a hit outside its title."""
    return rarest_in(session, session.texts[key].removeprefix(_title(session, key)))


def rarest_in(session: DiscoverySession, said: str, most: int = 2) -> str:
    """Return a query of a text's words that are rarest among all hits."""
    held = shares(session.texts.values())
    # Truncated words cannot be queried, unless the text has no others.
    whole = set(terms(_CUT.sub(" ", said), shortest=4)) or set(terms(said, shortest=4))
    words = sorted(whole, key=lambda w: (held.get(w, 0.0), -len(w), w))
    return session.joined(*words[: _most(session, most)])


def needs_review(session: DiscoverySession) -> list[str]:
    """Return why a person must check the spec before a harvest; [] if nobody must.

    Only what would be saved is a reason: whether the hits are those of the search, and whether all
    parts are searched. Missing next pages and known documents that are not found cost documents,
    which the harvest itself counts; hits that show their words are hits.
    """
    reasons = []
    for name in ("results.hit", "results.parts", "known_items", "ask.setting"):
        finding = session.findings.get(name)
        if finding is None or not finding.warning:
            continue
        if name != "known_items" or not _are_documents(session, finding.value):
            reasons.append(f"{name}: {finding.evidence}; {finding.warning}")
    if "known_items" not in session.findings:
        reasons.append("known_items: no document was asked for again")
    return reasons


def _show_words(session: DiscoverySession) -> bool:
    """Return whether nearly all hits show the query, for two words or more."""
    lists = [page for page in session.probes if page.words and len(session.keys(page)) >= FEW]
    return sum(showing(session, page) >= SHOWS for page in lists) > 1


def _are_documents(session: DiscoverySession, value: str) -> bool:
    """Return whether enough known documents were found again, or hits show the query words.

    If no known document could be tried, the result is False.
    """
    found, total = map(int, value.split("/"))
    if found >= LEAST_BACK and 2 * found >= total:
        return True
    return total > 0 and _show_words(session)
