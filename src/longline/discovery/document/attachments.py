"""Find files of a document that its page links outside its text."""

from collections.abc import Sequence

import msgspec

from longline.discovery.answer import Link, ParsedAnswer
from longline.discovery.reading import ALL, find_selector
from longline.discovery.session import DiscoverySession
from longline.source import leads_to_file
from longline.source.select import read_select


def learn_attachments(session: DiscoverySession, pages: Sequence[ParsedAnswer]) -> None:
    """Write down where pages link files of their own outside their texts, if they do.

    A file that all of them link belongs to the site.
    """
    place = session.document
    if place is None or len(pages) < 2:
        return
    outside = [_outside(place.text, page) for page in pages]
    shared = set.intersection(*({link.url for link in links} for links in outside))
    own = [[link for link in links if link.url not in shared] for links in outside]
    elements = [[link.element for link in links] for links in own]
    if not all(own):
        return
    found = list(zip(pages, elements, strict=True))
    selector, score = find_selector(found, (), anchors=[each for few in elements for each in few])
    if score >= ALL:
        session.document = msgspec.structs.replace(place, attachments=selector)
        seen = f"files of each document, such as {own[0][0].url}"
        session.find("document.attachments", selector, "likely", seen)


def _outside(text: str, page: ParsedAnswer) -> list[Link]:
    """Return the links to files outside the selected text."""
    inside = [each.root for each in read_select(text).all(page.answer.root)]
    return [
        link
        for link in page.links
        if leads_to_file(link.url, pictures=False, texts=True)
        and not any(above in inside for above in link.element.iterancestors())
    ]
