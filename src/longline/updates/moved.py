"""Recognise documents that a site has moved to another address."""

from hashlib import blake2b

from longline.model import Document


class NewByText:
    """The new documents of an update, by title and text, each for one that it replaces.

    >>> new = NewByText()
    >>> new.see(Document("/new/7", title="Tides", text="High at noon."))
    >>> new.take(Document("/old/7", title="Tides", text="High at noon."))
    '/new/7'
    >>> new.take(Document("/old/8", title="Tides", text="High at noon."))
    """

    def __init__(self) -> None:
        self._keys: dict[bytes, str] = {}

    def see(self, document: Document) -> None:
        """Record a new document; one without a text proves nothing."""
        if document.text:
            self._keys.setdefault(_digest(document), document.key)

    def take(self, document: Document) -> str | None:
        """Return the key of the new document that has this title and text, once; else None."""
        return self._keys.pop(_digest(document), None) if self._keys else None


def _digest(document: Document) -> bytes:
    whole = f"{document.title}\n{document.text}".encode(errors="surrogatepass")
    return blake2b(whole, digest_size=16).digest()
