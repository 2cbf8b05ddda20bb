"""Find the text and the title on documents' own pages."""

import re
from itertools import zip_longest
from posixpath import commonprefix

from longline.discovery.answer import ParsedAnswer
from longline.discovery.document.attachments import learn_attachments
from longline.discovery.document.container import WHOLE, find_container, how_sure
from longline.discovery.document.own_page import (
    LOOKS_AT_MORE,
    OwnPage,
    carrying,
    first_hits,
    is_of,
    lacks_words,
    learn_places,
    own_host,
    own_part,
    own_request,
    sample_of,
    searches_more,
)
from longline.discovery.document.text_link import whole_texts
from longline.discovery.document.whole_page import learn_own, learn_whole
from longline.discovery.reading import Leaves
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.discovery.words import beginning
from longline.model import Browsing, Hit, Response
from longline.source import file_text, file_type, is_file
from longline.source.select import read_select
from longline.source.spec import DocumentPage
from longline.text.numbers import counted

MORE = 2
"""How many more documents are read if the first ones have their texts in no common element."""

LONG = 300
"""Mean number of letters above which what hits show may be complete texts."""

LEAST_ADDED = 3
"""Letters that headings must share beside their titles to be no titles."""

TEXTS, LEAST_LEFT = 6, 16
"""Maximum number of documents to take words from; requests left at which no more are read."""


def learn_document(session: DiscoverySession) -> Asking[None]:
    """Read two documents' own pages, in a browser where they need one, and find their text.

    Hits without a link are complete documents, unless the search covers more text.
    """
    if session.results is not None and not session.results.link:
        read = ((shown.words, page) for shown in session.probes if (page := session.read(shown)))
        if searches_more((words, hit.text or "") for words, page in read for hit in page.hits):
            whole = session.results.text
            change_results(session, snippet=whole, text="")
            session.findings.pop("results.text", None)
            only = "only a part of each document would be kept"
            session.find("results.snippet", whole, "likely", LOOKS_AT_MORE, only)
        return
    hits, pages, browser = yield from _read_first(session)
    if learn_places(session, pages):
        hits, pages, browser = yield from _read_first(session)
    led = {shown.response.url for hit, shown in pages if shown.response.url != hit.url}
    if (not pages or led) and (name := carrying(session)):
        before = session.results, hits, pages, browser
        change_results(session, link_parameter=name, key_ignores=[])
        if led:
            hits, shown = first_hits(session, host=own_host(session)), [own for _, own in pages]
            pages = [(hit, own) for hit, own in zip(hits, shown, strict=False)]
            pages = [(hit, own) for hit, own in pages if own.response.url == hit.url]
        else:
            hits, pages, browser = yield from _read_first(session)
        if pages:
            session.findings.pop("results.key_ignores", None)
            seen = "links lead to the address that it holds, or only that address leads there"
            session.find("results.link_parameter", name, "likely", seen)
        else:
            session.results, hits, pages, browser = before
    if not hits and (yield from learn_own(session)):
        hits, pages, browser = yield from _read_first(session)
    if not pages and hits and session.left > 0:
        answer = yield own_request(session, hits[0].url)
        if answer is not None and is_file(answer):
            note_files(session, answer)
            return
    is_refused = session.status is not None or "/robots.txt" in session.reason
    if not pages and not (hits and is_refused) and _hits_hold_texts(session):
        return
    if not pages:
        why = f" ({session.reason})" if hits else ", as the hits lead to other hosts or nowhere"
        seen = f"no document's own page could be read{why}"
        session.find("document.text", "", "unknown", seen)
        return
    if (yield from learn_whole(session, pages)):
        _, pages, browser = yield from _read_first(session)
    suffix, link, pages, texts = yield from whole_texts(session, pages)
    selector, share = find_container(session, [shown for _, shown in texts])
    has_menu = selector == WHOLE and any(shown.links for _, shown in texts)
    if has_menu and texts is pages and browser is None:
        pages = texts = yield from _without_odd(session, pages)
        selector, share = find_container(session, [shown for _, shown in texts])
    session.documents = pages
    title = heading(pages) or _heading_of_snippets(session, pages)
    session.document = DocumentPage(
        selector, title, browser=browser is not None, suffix=suffix, text_link=link
    )
    seen = "on " + counted(len(pages), "document's own page", "documents' own pages")
    sure, warning = how_sure(selector, [shown for _, shown in texts])
    session.find("document.text", selector, sure, f"{share:.0%} of what differs {seen}", warning)
    learn_attachments(session, [shown for _, shown in pages])
    if title:
        session.find("document.title", title, "likely", f"as in the list of hits, {seen}")
    rows = [
        (shown.words, f"{hit.title} {hit.snippet}")
        for shown in session.probes
        if (page := session.read(shown))
        for hit in page.hits
    ]
    if rows and all(lacks_words(words, row) for words, row in rows):
        yield from take_words(session)


def _without_odd(session: DiscoverySession, pages: list[OwnPage]) -> Asking[list[OwnPage]]:
    """Return two documents' pages whose text is in one element, if one of these is an odd page.

    A hit may be an overview, for example, which is made in another way than documents are.
    """
    known = {hit.key for hit, _ in pages}
    listed = (read.hits for shown in session.probes if (read := session.read(shown)))
    others = {hit.key: hit for hits in listed for hit in hits if hit.key not in known}
    for hit in [hit for hit in others.values() if hit.url][:MORE]:
        if session.left <= LEAST_LEFT:
            break
        shown = yield from session.get(own_request(session, hit.url))
        if shown is None or shown.is_data or is_file(shown.response):
            continue
        another = hit, own_part(session, hit, shown)
        for page in pages:
            if find_container(session, [page[1], another[1]])[0] != WHOLE:
                return [page, another]
    return pages


def _hits_hold_texts(session: DiscoverySession) -> bool:
    """Take the snippets of hits for complete texts if nothing shows that they are parts."""
    searched = [each for each in session.probes if each.words]
    read = [(each.words, page) for each in searched if (page := session.read(each))]
    hits = [(words, hit) for words, page in read for hit in page.hits]
    texts = Leaves("", tuple(hit.snippet for _, hit in hits))
    is_long = sum(map(len, texts.texts)) > LONG * len(hits) > 0
    if not is_long or texts.is_part or session.results is None:
        return False
    if searches_more((words, f"{hit.title} {hit.snippet}") for words, hit in hits):
        return False
    whole = session.results.snippet
    change_results(session, snippet="", text=whole)
    session.findings.pop("results.snippet", None)
    seen = "hits hold the words that found them, and end at no common length; "
    seen += "their links lead to other hosts, or do not answer"
    session.find("results.text", whole, "likely", seen)
    return True


def take_words(session: DiscoverySession) -> Asking[None]:
    """Take words from documents' texts, as hits do not show the words that are searched.

    In newspapers, for example, the printed text is searched, but hits show name, date and page.
    """
    page, texts = session.document, session.documents
    if page is None or page.text_link or page.browser or session.hides_words:
        return
    known = {hit.key for hit, _ in texts}
    lists = [read.hits for shown in session.probes if (read := session.read(shown))]
    in_turn = (hit for row in zip_longest(*lists) for hit in row if hit)
    others = {hit.key: hit for hit in in_turn if hit.key not in known}
    for hit in others.values():
        if len(texts) >= TEXTS or session.left <= LEAST_LEFT:
            break
        url = page.address(hit.url)
        shown = yield from session.get(own_request(session, url))
        if shown is not None and shown.is_data == (page.kind == "json"):
            texts = [*texts, (hit, own_part(session, hit, shown))]
    select = read_select(page.text, page.kind)
    whole = {hit.key: select.texts(shown.answer.root) for hit, shown in texts}
    # Before its middle, a page may have a title, names and dates, which are not searched.
    said = {key: beginning(text[len(text) // 3 :].partition(" ")[2]) for key, text in whole.items()}
    if said and all(said.values()):
        session.texts, session.hides_words = said, True


def _read_first(
    session: DiscoverySession,
) -> Asking[tuple[list[Hit], list[OwnPage], Browsing | None]]:
    """Read the pages of a few documents; return all hits, the pages, and the browsing."""
    hits = first_hits(session, host=own_host(session))
    pages: list[OwnPage] = []
    browser: Browsing | None = None
    for hit in sample_of(session, hits):
        shown = yield from session.get(own_request(session, hit.url, browser))
        if session.may_browse and browser is None and (shown is None or not is_of(shown, hit)):
            again = yield from session.get(own_request(session, hit.url, Browsing()))
            if again is not None and is_of(again, hit):
                # Without a browser, the first answer may have been a mistake.
                shown = yield from session.get_anew(own_request(session, hit.url), "")
                if shown is None or not is_of(shown, hit):
                    shown, browser = again, Browsing()
        if shown is not None and not (shown.is_data or is_file(shown.response)):
            pages.append((hit, own_part(session, hit, shown)))
    return hits, pages, browser


def note_files(session: DiscoverySession, answer: Response) -> None:
    """Write down that documents are files: a harvest extracts their texts."""
    session.document = DocumentPage("css:body")
    said = file_text(answer)
    seen = f"documents are files ({file_type(answer)}), whose texts are taken out"
    doubt = "" if said.text else f"only titles would be saved: {said.unread}"
    session.find("document.text", "css:body", "likely" if said.text else "guess", seen, doubt)


HEADINGS = ("css:h1", "css:h2", "css:h3", "css:title")
"""Selectors of the elements that may be a page's title."""


def heading(pages: list[tuple[Hit, ParsedAnswer]]) -> str:
    """Return the selector of the heading that is the title of the hit, or "" if there is none.

    A heading that adds the same to every title, such as a site's name, does not count, nor does one
    with something before the title, such as a number and a department.
    """
    titles = [hit.title for hit, _ in pages]
    headings = {selector: _said(pages, selector) for selector in HEADINGS}
    for selector, said in headings.items():
        if all(titles) and said == titles:
            return selector
    for selector, said in headings.items():
        both = list(zip(said, titles, strict=True))
        are_titles = all(s and t and (s in t or s.startswith(t)) for s, t in both)
        if are_titles and not _adds_the_same(both):
            return selector
    for selector, said in headings.items():
        # A wiki may list its pages by names in one word: TheDeepWeb.
        joined = [re.sub(r"\W", "", each).casefold() for each in said]
        if all(
            t and " " not in t and s.startswith(t.casefold())
            for s, t in zip(joined, titles, strict=True)
        ):
            return selector
    return ""


def _heading_of_snippets(session: DiscoverySession, pages: list[OwnPage]) -> str:
    """Take snippets for the titles if they are headings of documents' pages; return the selector.

    A gazette, for example, may list each act below its number and date.
    """
    snippets = [hit.snippet for hit, _ in pages]
    found = next((name for name in HEADINGS if _said(pages, name) == snippets), "")
    if not found or not all(snippets) or len({*snippets}) == 1 or session.results is None:
        return ""
    own = session.results.snippet
    change_results(session, title=own, snippet="")
    session.findings.pop("results.snippet", None)
    session.find("results.title", own, "likely", "the heading of documents' own pages")
    return found


def _said(pages: list[tuple[Hit, ParsedAnswer]], selector: str) -> list[str]:
    select = read_select(selector)
    return [select.text(shown.answer.root) for _, shown in pages]


def _adds_the_same(both: list[tuple[str, str]]) -> bool:
    """Return whether all headings begin or end alike, before or after their titles."""
    around = [said.partition(title) for said, title in both if said != title and title in said]
    texts = [said for said, _ in both]
    for added, shown in (
        ([before for before, _, _ in around], texts),
        ([after[::-1] for _, _, after in around], [said[::-1] for said in texts]),
    ):
        shared = {*added, commonprefix(added)}
        begins = [each for each in shared if all(said.startswith(each) for said in shown)]
        if len(both) > 1 and max(map(len, begins), default=0) >= LEAST_ADDED:
            return True
    return False
