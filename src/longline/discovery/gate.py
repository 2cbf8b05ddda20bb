"""The gate: do known documents come back, and what has a person to look at before a harvest?"""

import re
from collections.abc import Callable

from longline.discovery.answer import ParsedAnswer, parameters
from longline.discovery.answer_pages import RESERVE, SHOWS, PagingState, showing
from longline.discovery.dialect import answer
from longline.discovery.document import KNOWN
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
"""Documents that come back by their own words one after the other: no more are asked for."""

KNOWN_ITEMS = 6
"""Documents that are asked for again, where one of the first does not come back."""

FEW = 3
"""Hits below which an answer may show its words by chance."""

LEAST_BACK = 3
"""Documents that come back, at least half of those asked for, that show hits to be documents."""

_CUT = re.compile(r"(?:(?<!\w)\w++)?+\s*+(?:…|\.\.\.)\s*\w*|(?<!\w)\w++$")
"""Words at the ends of parts of a text, and at its end: they may be cut."""

WORDS_OF_A_TITLE = 5
WORDS_OF_A_TEXT = 15


def check_known_items(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Ask for hits by the rarest words of their titles and snippets: do they come back?

    Raises:
        OutOfRequests: None is left for a single one.
    """
    assert session.ask is not None
    if session.left <= 0:
        raise OutOfRequests
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
            # The return limit may hide it: that says nothing of how the source is asked.
            hidden += 1
        else:
            missed.append(key)
    total = found + len(missed)
    if found >= 3 and ways[0] is _rarest_word and not session.ask.dialect.max_terms:
        change_dialect(session, max_terms=1)
        seen = f"{found} known documents came back by one word, and not by two"
        session.find("ask.dialect.max_terms", 1, "likely", seen)
    evidence = f"{found} of {total} known documents came back when asked by their rarest words"
    if not total:
        evidence = "no known document could be asked for by words of its own"
    evidence += f"; {hidden} more may be behind the return limit" if hidden else ""
    if unasked and found < LEAST_BACK:
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


def note_filters(session: DiscoverySession) -> None:
    """Say which filters of the address given a search leaves out: what it limits would be missed.

    Those are parameters that searches send too, with another value or none.
    """
    if session.ask is None or not session.ask.url:
        return
    given, sent = parameters(session.url), parameters(session.ask.url)
    left = [
        f"{name}={value}"
        for name, value in given.items()
        if value and name in sent and sent[name] != value and "{" not in sent[name]
    ]
    if left:
        filters = ", ".join(left)
        said = "lists and dates are set so that searches leave nothing out"
        warning = "this filter of the address given is left out of searches; to harvest that part"
        warning += " alone, write it into [ask] url"
        session.find("ask.filters", filters, "sure", said, warning)


NEAREST = 3
"""Documents that are asked for by what they say, where meaning is searched."""


def check_nearest(session: DiscoverySession, pages: PagingState) -> Asking[None]:
    """Ask a search by meaning for hits by all that is known of their texts: are they near?"""
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
    """Say whether a hit comes back in one of some ways, and whether an answer was cut.

    The latter is None where no answer came. Not all that is shown may be searched: the way that
    brings one back is tried first then.
    """
    asked: set[str] = set()
    is_cut: bool | None = None
    left = [*ways]
    while left:
        # Words that are not rare enough need more of them; what is not searched needs others.
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
    """Say whether an answer without hits is the document itself, as one hit may be shown.

    It then holds what its hit says beside the words that were asked for, which any page may repeat.
    """
    shown, document = session.asked.get(words), session.document
    if shown is None or shown.is_data or document is None:
        return False
    said = set(terms(read_select(document.text).text(shown.answer.root)))
    own = set(terms(f"{_title(session, key)} {session.texts[key]}")) - set(terms(words))
    return bool(own) and len(own & said) > KNOWN * len(own)


def _says_same(session: DiscoverySession, words: str, key: str) -> bool:
    """Say whether a hit that came has the title that it had: a key may be of a place alone."""
    read = session.read(session.asked.get(words))
    came = next((hit.title for hit in read.hits if hit.key == key), "") if read else ""
    one, other = set(terms(_title(session, key))), set(terms(came))
    return not one or not other or 2 * len(one & other) >= min(len(one), len(other))


def _confirm_hits(session: DiscoverySession, found: int, evidence: str) -> None:
    """Drop the doubt that few pages of hits were seen, once documents came by their words."""
    hit, records = session.findings.get("results.hit"), session.records
    if hit is None or not hit.warning or found < LEAST_BACK:
        return
    if records is None or records.f1 >= ALL:
        session.find("results.hit", hit.value, "likely", f"{hit.evidence}; {evidence}")


def learn_words(session: DiscoverySession) -> None:
    """Write down words to begin a harvest with, where English ones would hardly do."""
    texts = [set(terms(said)) for said in session.texts.values()]
    words = own_words(texts)
    if not words:
        return
    change_ask(session, words=words)
    session.find("ask.words", ", ".join(words), "likely", f"hits hold them, of {len(texts)} seen")


def _spread(session: DiscoverySession) -> list[str]:
    """Return keys of hits, those of different answers in turn."""
    hits = [list(session.keys(page)) for page in _lists(session)]
    said = {k: len(set(terms(session.texts.get(k, "")))) for keys in hits for k in keys}
    # One word may stand for many; where hits show no more than one, it has to do.
    least = min(2, max(said.values(), default=0))
    lists = [[key for key in keys if 0 < least <= said[key]] for keys in hits]
    turns = [each[place] for place in (1, 3, 0, 2) for each in lists if place < len(each)]
    return list(dict.fromkeys(turns))


def _title_words(session: DiscoverySession, key: str) -> str:
    """Return the first words of a title, or of a text where hits show none."""
    most, said = _most(session, WORDS_OF_A_TITLE), _title(session, key) or session.texts[key]
    if most == 1:
        return " ".join(said.split()[:WORDS_OF_A_TITLE])
    words = list(dict.fromkeys(terms(said, shortest=4)))
    return session.joined(*words[:most])


def _title(session: DiscoverySession, key: str) -> str:
    hits = [hit for page in map(session.read, _lists(session)) if page for hit in page.hits]
    return next((hit.title for hit in hits if hit.key == key), "")


def _lists(session: DiscoverySession) -> list[ParsedAnswer]:
    """Return the answers to words; where these found few, what is listed for nothing, too."""
    few = len({key for page in session.probes for key in session.keys(page)}) < CONFIRMING
    listed = [page for page in session.listings if few and page not in session.empty]
    return [*session.probes, *listed]


def _most(session: DiscoverySession, wanted: int) -> int:
    """Return how many words may be asked for together, of so many."""
    assert session.ask is not None
    return min(wanted, session.ask.dialect.max_terms or wanted)


def _rarest(session: DiscoverySession, key: str) -> str:
    return rarest_in(session, session.texts[key])


def _rarest_word(session: DiscoverySession, key: str) -> str:
    """Return the rarest word of a hit: where words have to stand together, two bring nothing."""
    return rarest_in(session, session.texts[key], most=1)


def _title_word(session: DiscoverySession, key: str) -> str:
    """Return the rarest word of a title, where titles alone may be searched."""
    return rarest_in(session, _title(session, key), most=1)


def _rarest_of_text(session: DiscoverySession, key: str) -> str:
    """Return the rarest words of a hit beside its title."""
    return rarest_in(session, session.texts[key].removeprefix(_title(session, key)))


def rarest_in(session: DiscoverySession, said: str, most: int = 2) -> str:
    """Return the rarest words of a text among all hits, as they are asked for together."""
    held = shares(session.texts.values())
    # What may be cut is no word to ask for; where a text is one word, that is all there is.
    whole = set(terms(_CUT.sub(" ", said), shortest=4)) or set(terms(said, shortest=4))
    words = sorted(whole, key=lambda w: (held.get(w, 0.0), -len(w), w))
    return session.joined(*words[: _most(session, most)])


def needs_review(session: DiscoverySession) -> list[str]:
    """Return why a person has to look at the spec before a harvest; [] where none has to.

    Only what would be saved is a reason: whether the hits are those of the search, and whether all
    parts are searched. That further pages are not found, or that some known documents do not come
    back, costs documents, which the harvest itself counts; hits that show their words are hits.
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
    """Say whether nearly all hits of two words or more show these: they are what was searched."""
    lists = [page for page in session.probes if page.words and len(session.keys(page)) >= FEW]
    return sum(showing(session, page) >= SHOWS for page in lists) > 1


def _are_documents(session: DiscoverySession, value: str) -> bool:
    """Say whether enough known documents came back, or hits show what was asked for.

    Where no answer came for any of them, neither is known.
    """
    found, total = map(int, value.split("/"))
    if found >= LEAST_BACK and 2 * found >= total:
        return True
    return total > 0 and _show_words(session)
