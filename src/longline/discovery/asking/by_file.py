"""A search that runs in the page: one file that its scripts loaded names every document."""

from collections.abc import Iterator
from urllib.parse import urljoin

from longline.discovery.answer import ParsedAnswer, literal, show
from longline.discovery.reading import ask_of, with_place
from longline.discovery.session import DiscoverySession
from longline.errors import PageError
from longline.source import index_pages
from longline.source.spec import Ask, Results
from longline.text.numbers import counted

LEAST_PAGES = 10
LINKED = 2
"""Links of the shown page that lead to what a file names, so that it is what was searched."""

ENDINGS = ("", ".html", "/")
"""What links may put after the names."""


def take_file(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> bool:
    """Write down the file that a page searched for what was typed; say whether there is one.

    Asks for nothing: what the page's scripts loaded is known.
    """
    for shown in _files(page, typed):
        named = [each["url"] for each in index_pages(shown.data)]
        template = _template(typed, named) if len(named) >= LEAST_PAGES else ""
        if not template:
            continue
        url = shown.response.url
        session.start_from(page, Ask(url=literal(url), lists="all"))
        session.kind, session.typing = "json", None
        hit = f"jmes:search_index(@, '{template}')[*]"
        session.results = Results(hit=hit, link="jmes:url", title="jmes:title")
        session.probes = [shown]
        if not session.keys(shown):
            continue
        seen = f"what the page itself searches; it names {counted(len(named), 'document')}"
        session.find("ask.url", url, "sure", seen)
        session.find("results.hit", hit, "sure", seen)
        return True
    return False


def _files(page: ParsedAnswer, typed: ParsedAnswer) -> Iterator[ParsedAnswer]:
    """Yield the data that was sent without the words, the longest first."""
    sent = {each.request.url: each for each in (*page.response.sent, *typed.response.sent)}
    held = [
        (each.request, each.response)
        for each in sent.values()
        if each.response is not None
        and each.request.method == "GET"
        and ask_of(each.request, typed.words) is None
    ]
    for request, response in sorted(held, key=lambda pair: -len(pair[1].body)):
        try:
            yield show("", request, response, 1, "json")
        except PageError:
            continue


def _template(typed: ParsedAnswer, named: list[str]) -> str:
    """Return what the names of a file are put into, as the shown page links to them; "" for none.

    Addresses stand for themselves.
    """
    base = typed.response.url
    links = {link.url for link in typed.links}
    for ending in ENDINGS:
        written = (urljoin(base, name.partition("#")[0]) + ending for name in named)
        if sum(url in links for url in written) >= LINKED:
            # What begins with a slash has its own.
            is_rooted = ending and named[-1].startswith("/")
            return urljoin(base, "/")[: -1 if is_rooted else None] + "{}" + ending
    found: dict[str, int] = {}
    for name in named:
        for link in links:
            template = with_place(link, name).replace("{link}", "{}")
            if template:
                found[template] = found.get(template, 0) + 1
    best = max(found, key=lambda template: found[template], default="")
    return best if found.get(best, 0) >= LINKED else ""
