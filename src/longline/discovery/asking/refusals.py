"""Forms that are never filled in, and the error where no form works."""

import re
from collections.abc import Sequence

from longline.discovery.answer import ParsedAnswer, text
from longline.discovery.hopeless import ASKS_FOR, SENT_BY_POST, WALLS, HopelessError
from longline.discovery.reading import (
    GOOD_FORM,
    FormGuess,
    forms,
    has_state,
    kinds_of,
    says_search,
)
from longline.discovery.session import DiscoverySession
from longline.source.select import fold
from longline.source.trust import ending_of

_AGREE = re.compile(
    r"\b(?:i agree|agree|accept|consent|akzeptier|zustimm|einverstanden|accepte|j'accepte|acept[oa]"
    r"|aceit[oa]|concordo|accett[oa]|akceptuj|zgadzam|hyväksy|godkän|godta|elfogad|souhlas|kabul)"
    r"|同意|동의|согла|принима|أوافق|موافق",
    re.IGNORECASE,
)
"""Matches labels of buttons and checkboxes that agree to terms, in many languages."""

SHELL = 300
"""A page with scripts and fewer characters of text than this is built by its scripts."""


def is_asked_by_get(session: DiscoverySession, guess: FormGuess) -> bool:
    """Return whether a form sent by POST is queried by GET instead, which changes nothing."""
    is_clear = guess.score >= GOOD_FORM and not has_state(guess.element)
    return guess.method == "POST" and not session.allow_post and is_clear


def is_refused(session: DiscoverySession, guess: FormGuess) -> bool:
    """Return whether a form is not used because sending it may change something."""
    return guess.method == "POST" and not session.allow_post and not is_asked_by_get(session, guess)


def unread(session: DiscoverySession) -> HopelessError:
    """Return the error for a first page that cannot be read."""
    return HopelessError(
        f"the page {session.url} cannot be read: {session.reason}",
        "give the address of the page with the search box",
    )


def refused(session: DiscoverySession, pages: list[ParsedAnswer]) -> list[str]:
    """Return messages about the forms on some pages that are never filled in."""
    tried: list[str] = []
    for page in pages:
        where = page.response.url
        asked = set().union(*map(kinds_of, page.root.iter("form")))
        tried += [
            f"a form on {where} {ASKS_FOR} {kind}, and is never filled"
            for kind in ("password", "file")
            if kind in asked
        ]
        tried += [
            f"the form {guess.selector!r} on {where} is sent {SENT_BY_POST}"
            for guess in forms(page)
            if guess.score >= 0 and is_refused(session, guess)
        ]
    return list(dict.fromkeys(tried))


def hopeless(
    session: DiscoverySession, pages: list[ParsedAnswer], tried: Sequence[str]
) -> HopelessError:
    """Return the error that names what was tried on some pages and what could not be read."""
    where = " and ".join(page.response.url for page in pages)
    if not tried and (wall := WALLS.get(ending_of(pages[0].answer.title()).cause, "")):
        return HopelessError(f"no search box was found on {where}: {wall}")
    why = next(filter(None, map(_wants_consent, pages)), "")
    why = why or next(filter(None, map(needs_script, pages)), "")
    unread = [why.partition("; ")[0] for url, why in session.unread.items() if says_search(url)]
    said = "; ".join(dict.fromkeys([*tried, *([why] if why else []), *unread]))
    if tried:
        return HopelessError(f"no search of {where} works: {said}")
    return HopelessError(f"no search box was found on {where}{said and '; '}{said}")


def _wants_consent(page: ParsedAnswer) -> str:
    """Return the consent that a page without a search box asks for, or "" if it asks for none.

    Only a person can decide that: the form is never sent.
    """
    for form in page.answer.root.xpath("//form[not(.//textarea or .//select)]"):
        boxes = form.xpath(".//input[not(@type) or @type='text' or @type='search']")
        pressed = form.xpath(".//button | .//input[@type='submit'] | .//label")
        said = [fold(text(each.root)) or each.attrib.get("value", "") for each in pressed]
        agreed = next(filter(_AGREE.search, said), "")
        if agreed and not boxes:
            advice = "agree in a browser, and give its cookies (--cookies FILE)"
            return f"{page.response.url} wants one to agree first ({agreed!r}): {advice}"
    return ""


def needs_script(page: ParsedAnswer) -> str:
    """Return why a page or its search seems to need a script, or "" if it does not."""
    where = page.response.url
    if page.answer.root.xpath("//input[not(ancestor::form)]"):
        return f"{where} has a search box that needs a script"
    if len(said := text(page.root)) >= SHELL:
        return ""
    if "javascript" in said.casefold():
        return f"{where} has little more than a request to enable JavaScript"
    is_bare = bool(page.answer.root.xpath("//script"))
    return f"{where} is nearly empty without its scripts" if is_bare else ""
