"""List what settings of a search may bring more documents than those that it is sent with."""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

from longline.discovery.answer import Link, ParsedAnswer, parameters, place_of, text
from longline.discovery.answer_pages import said_total
from longline.discovery.next_words import is_filter_name
from longline.discovery.reading import FormGuess, action_of, forms, settings_sent, wider_settings
from longline.discovery.session import Asking, DiscoverySession
from longline.model import Request
from longline.source.spec import Ask

_OFFERS = re.compile(
    r"\b(?:all|every\w*|entire|whole|included?|omitted|expand|alle[sn]?|ganze\w*|tous|toutes?|tout"
    r"|todos?|todas?|tutt[oie]|inclu\w+|left out|not shown|hidden|exclu\w+|ausgeblendet\w*"
    r"|ausgeschlossen\w*|masqué\w*|ocult\w+|esclus\w+|nascost\w+|udelad\w+|skjult\w*|dolda)\b",
    re.IGNORECASE,
)
"""Matches what is said of links to the same search with more hits: "books are left out"."""

_OF_WORDS = re.compile(r"words?\b|synonym|similar|spelling|stem|phrase|fuzzy", re.IGNORECASE)
"""Matches what is said of boxes that change how words are read."""

_COUNT = re.compile(r"\((\d{1,3}(?:\D?\d{3})*|\d+)\)\s*$")
"""Matches a number of results in brackets at the end of a link."""

_FULLER = re.compile(
    r"advanced|expert|detailed search|more options|erweitert|detailsuche|avanc|avanz|avanç"
    r"|uitgebreid|udvidet|utökad|utvidet|tarkennettu|zaawansowan|pokročil|rozšířen|részletes|расширенн|розширен"
    r"|詳細検索|高级|進階",
    re.IGNORECASE,
)
"""Matches links to a fuller form of the same search."""

_NOTHING = ("", "0", "1")
"""Values of parameters that are no setting beside another: none, a first page."""

FILTERS_TRIED = 2
"""Maximum number of a script's own filters to try leaving out; each costs a request."""

_FILTER = re.compile(r"[A-Za-z][A-Za-z_ -]*")
_DAY = re.compile(
    r"(?:1[5-9]|20)\d\d([-./]?)[01]\d\1[0-3]\d(?:T.*)?$|\d\d?[-./]\d\d?[-./](?:1[5-9]|20)\d\d$"
)
"""Matches a day, with the year first or last."""

LIKE = 4
"""So many first letters in common make names of checkboxes alike."""


Setting = tuple[str, tuple[str, ...]]
"""A field's name, and the values to send; none to leave it out."""


class Candidates(NamedTuple):
    """Settings that may bring more documents, the likeliest first.

    Attributes:
        of_forms: Other values of the form, or of the script's own request.
        offered: Values that links or a documentation say to bring what is left out.
        counted: Values that links send and that, as they say, bring more hits.
    """

    of_forms: list[Setting]
    offered: list[Setting]
    counted: list[Setting]


def candidates(session: DiscoverySession, plain: Ask) -> Asking[Candidates]:
    """Return the settings to try; a fuller form of the same search is read if a link leads to it.

    Args:
        session: The session.
        plain: How to query, before anything is known about its pages.
    """
    yield from _read_other_forms(session, plain)
    links = list(_linked(session, plain))
    offered: list[Setting] = [each.setting for each in links if _offers(each.link)]
    offered += [(name, (value,)) for name, value in session.settings]
    counted = [each.setting for each in links if _counts_more(session, each)]
    return Candidates([*_settings(session, plain)], offered, counted)


def ticked_beside(session: DiscoverySession, plain: Ask, name: str) -> list[tuple[str, str]]:
    """Return the ticked boxes beside one of the fuller form that the first form does not send.

    Their names begin alike. Sent without them, the box would exclude what they stand for.
    """
    form, sent = session.form_guess, parameters(plain.url)
    boxes = [] if form is None else form.element.xpath(".//input[@type='checkbox' and @name]")
    if not any(box.get("name") == name for box in boxes):
        return []
    return [
        (box.get("name"), box.get("value") or "on")
        for box in boxes
        if box.get("checked") is not None
        and box.get("name")[:LIKE] == name[:LIKE]
        and box.get("name") not in (name, *sent)
    ]


def _read_other_forms(session: DiscoverySession, plain: Ask) -> Asking[None]:
    """Read the form of the advanced search that an answer links, if it asks the same search.

    Read the page, too, to which a sentence beside the form leads for what the form leaves out.
    """
    form = session.form_guess
    if form is None or not plain.url or plain.browser or session.kind != "html":
        return
    here = place_of(plain.url)
    known = {here, *(place_of(page.response.url) for page in session.visited)}
    beside = [] if session.form_page is None else session.form_page.links
    offers = [link.url for link in beside if _said_of(link) != link.text and _offers(link)]
    for url in [url for url in offers if place_of(url) not in known][:1]:
        shown = yield from session.get(Request(url))
        session.visited += [] if shown is None or shown.is_data else [shown]
    links = session.probes[0].links
    led = (link.url for link in links if _FULLER.search(f"{link.text} {link.url}"))
    for url in [url for url in led if "{Q}" not in url and place_of(url) != here][:1]:
        shown = yield from session.get(Request(url))
        if shown is not None and not shown.is_data:
            for guess in _same_search(shown, form, here):
                session.form_guess = guess
                return


def _same_search(page: ParsedAnswer, form: FormGuess, action: str) -> Iterator[FormGuess]:
    """Yield the forms of a page that send the words to the same search as another form."""
    for guess in forms(page):
        is_same = guess.method == form.method and guess.field == form.field
        if is_same and action_of(page, guess) == action:
            yield guess


def _of_other_forms(session: DiscoverySession, form: FormGuess, plain: Ask) -> Iterator[Setting]:
    """Yield what other forms of the same search, on pages seen on the way, send or may send."""
    sent = parameters(plain.url)
    pages = [*session.visited, *([session.form_page] if session.form_page is not None else [])]
    for page in dict.fromkeys(pages) if plain.url else ():
        for guess in _same_search(page, form, place_of(plain.url)):
            for field in guess.element.xpath(".//input[@type='hidden' and @name]"):
                name, value = field.get("name"), field.get("value") or ""
                if sent.get(name, value) != value:
                    yield name, (value,)
            # What is hidden in one form may be a ticked box in another.
            for name, ways in wider_settings(guess.element, guess.field).items():
                if guess.element is not form.element and name in sent:
                    yield from ((name, values) for values in ways)


def _settings(session: DiscoverySession, plain: Ask) -> Iterator[Setting]:
    """Yield settings of the form, or of the script's own request, that may return more."""
    form = session.form_guess
    if session.kind == "json" and session.typing is not None:
        if session.typing.shown is not None:
            chosen = settings_sent(session.typing.shown.answer.root.root, parameters(plain.url))
            yield from ((name, (value,)) for name, value in chosen.items())
        yield from ((name, ()) for name in _filters_sent(plain.url)[:FILTERS_TRIED])
    if plain.browser or session.typing is not None:
        yield from _dates_sent(plain.url)
    if form is None or session.kind != "html":
        return
    for name, ways in wider_settings(form.element, form.field).items():
        # A form is filled in with one value per field.
        yield from ((name, values) for values in ways if plain.form is None or len(values) == 1)
    yield from _offering_boxes(form.element)
    yield from _of_other_forms(session, form, plain)
    yield from _of_results(session) if plain.url else ()


def _offering_boxes(form: Any) -> Iterator[Setting]:
    """Yield the boxes that are not ticked and whose words offer what is left out.

    >>> from lxml.html import fromstring
    >>> form = fromstring("<form><p><input type=checkbox name=old> Include closed files</p><p>"
    ...     "<input type=checkbox name=fuzzy> Include similar words</p></form>")
    >>> [*_offering_boxes(form)]
    [('old', ('on',))]
    """
    for box in form.xpath(".//input[@type='checkbox' and @name and not(@checked)]"):
        around = [box, *box.iterancestors()]
        alone = takewhile(
            lambda each: len(each.xpath("self::input|.//input|.//select")) == 1, around
        )
        labels = form.xpath(".//label[@for=$id]", id=box.get("id") or "")
        said = " ".join([text([*alone][-1]), box.tail or "", *map(text, labels)])
        if _OFFERS.search(said) and not _OF_WORDS.search(said):
            yield box.get("name"), (box.get("value") or "on",)


def _of_results(session: DiscoverySession) -> Iterator[Setting]:
    """Yield settings of a form beside the results, which may show what the first form leaves out.

    These are "any" values of lists, and checkboxes whose names begin like that of a ticked one.
    """
    for page in session.probes[:1]:
        sent = parameters(page.request.url)
        for form in page.root.iter("form"):
            if not form.xpath(".//input[@value=$words]", words=page.words):
                continue
            boxes = form.xpath(".//input[@type='checkbox' and @name]")
            ticked = {box.get("name") for box in boxes if box.get("checked") is not None}
            begun = {name[:LIKE] for name in ticked | sent.keys() & {b.get("name") for b in boxes}}
            for box in boxes:
                name = box.get("name")
                if name[:LIKE] in begun and name not in ticked | sent.keys():
                    yield name, (box.get("value") or "on",)
            lists = [each for each in form.iter("select") if each.get("name")]
            chosen = {
                each.get("name"): each.xpath("string(.//option[@selected]/@value)")
                for each in lists
            }
            yield from ((name, (value,)) for name, value in settings_sent(form, chosen).items())


class _Linked(NamedTuple):
    """A link to the same search with one other setting, and its page."""

    page: ParsedAnswer
    link: Link
    setting: Setting


def _counts_more(session: DiscoverySession, linked: _Linked) -> bool:
    """Return whether a link counts more hits than the answer's total, such as that of a tab."""
    counted = _COUNT.search(linked.link.text)
    many = int(re.sub(r"\D", "", counted[1])) if counted else 0
    return many > said_total(session, linked.page)


def _linked(session: DiscoverySession, plain: Ask) -> Iterator[_Linked]:
    """Yield links to the same search with one other setting.

    Of several, what is empty, a first page, or the same in all these links, is no setting.
    """
    is_read = session.form_guess is not None and session.kind == "html" and not plain.browser
    for page in session.probes if is_read and plain.url else ():
        sent, here = parameters(page.request.url), place_of(page.request.url)
        links = [(link, parameters(link.url)) for link in page.links if place_of(link.url) == here]
        same = [(link, own) for link, own in links if "{Q}" in own.values()]
        usual = set.intersection(*(set(own.items()) for _, own in same)) if len(same) > 1 else set()
        for link, own in same:
            others = {n: value for n, value in own.items() if value not in (sent.get(n), "{Q}")}
            # Beside another value of a parameter, a link may send what is set by default.
            changed = {name: others[name] for name in others.keys() & sent.keys()} or others
            if len(changed) > 1:
                own_only = changed.items() - usual
                changed = {n: value for n, value in own_only if value not in _NOTHING}
            if len(changed) == 1:
                [(name, value)] = changed.items()
                yield _Linked(page, link, (name, (value,)))


def _offers(link: Link) -> bool:
    """Return whether a link, or the sentence around it, offers what is left out."""
    return _OFFERS.search(_said_of(link)) is not None


def _said_of(link: Link) -> str:
    """Return the text of a link, with the sentence around it, in which no other link is."""
    around = link.element.getparent()
    is_alone = around is not None and len(around.findall(".//a")) == 1
    return text(around) if is_alone and around.tag != "li" else link.text


def _filters_sent(url: str) -> list[str]:
    """Return the parameters by which a page's script may leave documents out.

    >>> _filters_sent("/api?q={query}&status=open&sort=date&page=1&lang=de&format=json")
    ['status']
    """
    return [
        name
        for name, value in parameters(url).items()
        if _FILTER.fullmatch(value) and is_filter_name(name)
    ]


def _dates_sent(url: str) -> Iterator[Setting]:
    """Yield wider values of the days that a page's script sends: none, or a year far away.

    >>> [*_dates_sent("/?q={query}&start=0&from=20251201&to=2026-12-01")]
    [('from', ()), ('from', ('18001201',)), ('to', ()), ('to', ('2099-12-01',))]
    """
    days = {name: value for name, value in parameters(url).items() if _DAY.match(value)}
    for place, (name, value) in enumerate(days.items()):
        yield name, ()
        yield name, (re.sub(r"(?:1[5-9]|20)\d\d", "2099" if place % 2 else "1800", value, count=1),)
