"""Parse an HTML page in one pass: its visible text, and the text of each link."""

import re
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from longline.text.charset import read_text
from longline.text.media_type import media_type

MOST_EVENTS = 2_000_000
"""The most start and end events of elements; later ones are ignored."""

CONTEXT_CHARACTERS = 120
"""The length of the context on each side of a link."""

MOST_HREF_CHARACTERS = 4000
_HTML = ("text/html", "application/xhtml+xml")
_UNSEEN = frozenset({"script", "style", "template", "svg", "math", "select", "title", "noframes"})
_INLINE = frozenset(
    (
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn"),
        *("em", "font", "i", "img", "input", "ins", "kbd", "label", "mark", "picture", "q", "s"),
        *("samp", "small", "source", "span", "strike", "strong", "sub", "sup", "time", "tt", "u"),
        *("var", "wbr", "button", "area", "map", "noscript"),
    )
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_FRAMES = frozenset({"frame", "iframe"})
_REFRESH = re.compile(r"""url\s*=\s*['"]?([^'"]+)""", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def parse(content_type: str, body: bytes) -> Any | None:
    """Return the root of an HTML page; None if the response is no HTML.

    Args:
        content_type: The header's value; its charset has priority over the page's own.
        body: The body of the response.
    """
    kind = media_type(content_type)
    # Many servers give no type, or a wrong one, but markup begins with "<".
    is_markup = body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"
    if kind not in _HTML and not (kind in ("", "text/plain") and is_markup):
        return None
    _, text = read_text(body, content_type)
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None


class Anchor:
    """A link as it is written.

    Attributes:
        href: The URL as written.
        label: Its text and images' alternative texts; else its aria-label or title.
        place: Number of the block in which it begins, and of the piece there.
    """

    __slots__ = ("href", "label", "pieces", "place")

    def __init__(self, href: str, label: str, place: tuple[int, int]) -> None:
        self.href = href
        self.label = label
        self.place = place
        self.pieces: list[str] = []

    def close(self) -> None:
        """Use the text read inside as the label, if it has letters or digits."""
        text = fold(" ".join(self.pieces))
        if any(character.isalnum() for character in text):
            self.label = text


class Block:
    """A run of text between two breaks: a paragraph, a list item, a table cell."""

    __slots__ = ("has_link", "pieces")

    def __init__(self) -> None:
        self.pieces: list[tuple[str, Anchor | None]] = []
        self.has_link = False

    def text(self) -> str:
        """Return all its text."""
        return fold(" ".join(piece for piece, _ in self.pieces))

    def beside(self, place: int, step: int) -> str:
        """Return the text outside links on one side of a place, up to the context length."""
        near: list[str] = []
        stop = max(-1, place - 9) if step < 0 else min(len(self.pieces), place + 9)
        for here in range(place - 1 if step < 0 else place, stop, step):
            piece, anchor = self.pieces[here]
            if anchor is None:
                near.append(piece)
        return _near(fold(" ".join(near[::step])), step)


class Seen:
    """The visible content of a page.

    Attributes:
        title: The title of the document.
        description: Its meta description.
        canonical: Its canonical link, as written.
        headings: Texts of its h1 elements, in order.
        anchors: Its links, in order.
    """

    def __init__(self, root: Any) -> None:
        self.title = fold(" ".join(root.xpath("//title[not(ancestor::svg)][1]//text()")))
        self.description = _first(root, "//meta[@name='description']/@content")
        self.canonical = _first(root, "//link[@rel='canonical']/@href")
        self.headings: list[str] = []
        self.anchors: list[Anchor] = []
        self.blocks: list[Block] = [Block()]
        self._open: Anchor | None = None
        self._heading: list[str] | None = None
        self._walk(root)
        self._lead_on(root)

    def text(self) -> str:
        """Return the visible text."""
        return " ".join(block.text() for block in self.blocks)

    def context(self, anchor: Anchor) -> str:
        """Return the text near a link that is in no link itself."""
        place, here = anchor.place
        block = self.blocks[place]
        beside = f"{block.beside(here, -1)} {block.beside(here, 1)}".strip()
        return beside or self._around(place)

    def _walk(self, root: Any) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for count, (event, element) in enumerate(walk):
            if count > MOST_EVENTS:
                return
            if event == "start":
                self._begin(element)
                if element.tag in _UNSEEN:
                    walk.skip_subtree()
                else:
                    self._say(element.text)
            else:
                self._end(element)
                self._say(element.tail)

    def _lead_on(self, root: Any) -> None:
        """Treat the target of an automatic redirect in the page as a link."""
        for meta in root.iter("meta"):
            if (meta.get("http-equiv") or "").lower() == "refresh":
                led = _REFRESH.search(meta.get("content") or "")
                if led is not None:
                    self._anchor(led[1], "")

    def _begin(self, element: Any) -> None:
        tag = element.tag
        if tag not in _INLINE and self.blocks[-1].pieces:
            self.blocks.append(Block())
        if tag == "h1":
            self._heading = []
        elif tag == "a" or tag == "area":
            href = element.get("href")
            if href is not None and len(href) < MOST_HREF_CHARACTERS:
                self._anchor(href, _spoken(element))
        elif tag in _FRAMES and element.get("src"):
            self._anchor(element.get("src"), _spoken(element) or element.get("name") or "")
            self._open = None
        elif tag == "img":
            self._say(element.get("alt") or element.get("title"))
        elif tag == "svg" and self._open is not None:
            self._open.label = self._open.label or _first(
                element, ".//*[local-name()='title']/text()"
            )

    def _end(self, element: Any) -> None:
        tag = element.tag
        if tag == "a" and self._open is not None:
            self._open.close()
            self._open = None
        elif tag == "h1" and self._heading is not None:
            self.headings.append(fold(" ".join(self._heading)))
            self._heading = None
        if tag not in _INLINE and self.blocks[-1].pieces:
            self.blocks.append(Block())

    def _anchor(self, href: str, label: str) -> None:
        if self._open is not None:
            self._open.close()
        block = self.blocks[-1]
        block.has_link = True
        self._open = Anchor(href, label, (len(self.blocks) - 1, len(block.pieces)))
        self.anchors.append(self._open)

    def _say(self, text: str | None) -> None:
        if text is None or not text.strip():
            return
        self.blocks[-1].pieces.append((text, self._open))
        if self._open is not None:
            self._open.pieces.append(text)
        if self._heading is not None:
            self._heading.append(text)

    def _around(self, place: int) -> str:
        """Return the ends of the neighbouring blocks, if they contain no link."""
        before = self.blocks[place - 1] if place else None
        after = self.blocks[place + 1] if place + 1 < len(self.blocks) else None
        texts = [
            _near(block.text(), step)
            for block, step in ((before, -1), (after, 1))
            if block is not None and not block.has_link
        ]
        return " ".join(texts).strip()


def fold(text: str) -> str:
    """Replace any run of white space with one space."""
    return _SPACE.sub(" ", text).strip()


def _spoken(element: Any) -> str:
    names = ("aria-label", "title", "alt")
    return next((said for name in names if (said := element.get(name))), "")


def _near(text: str, step: int) -> str:
    return text[-CONTEXT_CHARACTERS:] if step < 0 else text[:CONTEXT_CHARACTERS]


def _first(element: Any, path: str) -> str:
    return fold(str(next(iter(element.xpath(path)), "")))
