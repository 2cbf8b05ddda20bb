"""Save the files that documents are, or link to."""

import asyncio
from collections.abc import Iterator
from weakref import WeakValueDictionary

import msgspec

from longline.engine.settings import Keep
from longline.errors import InputError, SourceError
from longline.model import Attachment, Document, Hit, Request, Response
from longline.model.fields import scalars
from longline.ports import SourceClient
from longline.source import BESIDE, file_text, is_file, leads_to_file
from longline.text.hashes import Hashes

Kept = tuple[Document, int]
"""A document, and the number of HTTP requests for its files."""


TEXT_ALONE = "not saved: --attachments saves it"
"""For a file that was read for its text only; a later run that saves files gets it."""

LINKED = "linked and not saved; --attachments saves such files"
"""For a file that a document links to, in a run that saves no files."""

MOST_SHARING = 3
"""If more documents link a file beside their texts, it belongs to the site."""


class Files:
    """Get files, and extract their texts.

    Args:
        client: Fetches files.
        keep: Saves them.
    """

    def __init__(self, client: SourceClient, keep: Keep) -> None:
        self._client = client
        self._keep = keep
        self._linked: dict[str, Attachment] = {}  # of this run
        self._fetching = WeakValueDictionary[str, asyncio.Lock]()  # by URL

    async def document(self, hit: Hit, response: Response) -> Document:
        """Return the document of a hit that leads to a file, with the file's text."""
        attachment, text, title = await self._kept(response)
        return Document(
            hit.key,
            hit.url,
            hit.title or title,
            text or hit.text or "",
            hit.language,
            hit.fields,
            (attachment,),
        )

    async def linked(self, document: Document, *, is_read: bool) -> Kept:
        """Return a document with the files that it names: by its address, and in its fields.

        Files that cannot be loaded are listed among its attachments, with the reason.

        Args:
            document: The document without its files.
            is_read: Whether its own address was requested already.
        """
        text, requests = document.text, 0
        found = [each for each in document.attachments if _is_settled(each)]
        for url in self._lacking(document, is_read=is_read):
            attachment, said, spent = await self._fetched(url)
            requests += spent
            text = text or said
            its_own = "" if said in text else said
            found.append(msgspec.structs.replace(attachment, text=its_own))
        kept = msgspec.structs.replace(document, text=text, attachments=tuple(found))
        return kept, requests

    def are_lacking(self, document: Document) -> bool:
        """Return whether a read document names files that were never requested."""
        return bool(self._lacking(document, is_read=True))

    def _lacking(self, document: Document, *, is_read: bool) -> list[str]:
        known = {each.url for each in document.attachments if _is_settled(each)}
        left = [each.url for each in document.attachments if each.url not in known]
        if is_read and document.url not in left:
            known.add(document.url)
        return [url for url in dict.fromkeys((*files_of(document), *left)) if url not in known]

    async def _fetched(self, url: str) -> tuple[Attachment, str, int]:
        """Return a file, its text and its cost; a file with several links is requested once."""
        async with self._fetching.setdefault(url, asyncio.Lock()):
            if url in self._linked:
                return self._linked[url], "", 0
            attachment, said, spent = await self._asked(url)
            self._linked[url] = attachment
            return attachment, said, spent

    async def _asked(self, url: str) -> tuple[Attachment, str, int]:
        try:
            response = await self._client.fetch(Request(url))
        except (SourceError, InputError) as error:
            failed = Attachment("", url, unread=f"not kept: {error.message}")
            return failed, "", getattr(error, "requests", 0)
        if not is_file(response):
            failed = Attachment("", url, unread="not kept: it is a page, and no file")
            return failed, "", response.requests
        attachment, text, _ = await self._kept(response)
        return msgspec.structs.replace(attachment, url=url), text, response.requests

    async def _kept(self, response: Response) -> tuple[Attachment, str, str]:
        attachment = await asyncio.to_thread(self._keep, response)
        said = await asyncio.to_thread(file_text, response)
        return msgspec.structs.replace(attachment, unread=said.unread), said.text, said.title


class BesideTexts:
    """Tells a document's own files beside its text from those of the site.

    A file that many documents' pages link beside their texts belongs to the site.

    >>> beside = BesideTexts()
    >>> file = Attachment("", "https://x.example/terms.pdf", unread=BESIDE)
    >>> [len(beside.own(Document(key, attachments=(file,))).attachments) for key in "abcde"]
    [1, 1, 1, 0, 0]
    """

    def __init__(self) -> None:
        self._numbers = Hashes()
        self._linked = bytearray()  # how often, by number of the URL, up to one too many

    def own(self, document: Document) -> Document:
        """Return a document with its own files, which now count as linked in its text."""
        if not document.attachments:
            return document
        own = [
            msgspec.structs.replace(each, unread="") if each.unread == BESIDE else each
            for each in document.attachments
            if each.unread != BESIDE or self._is_own(each.url)
        ]
        return msgspec.structs.replace(document, attachments=tuple(own))

    def _is_own(self, url: str) -> bool:
        number = self._numbers.number(url)
        self._linked.extend(bytes(max(0, number + 1 - len(self._linked))))
        self._linked[number] = min(self._linked[number] + 1, MOST_SHARING + 1)
        return self._linked[number] <= MOST_SHARING


def _is_settled(attachment: Attachment) -> bool:
    """Return whether a file was saved or has failed, so that no later run requests it."""
    is_left = attachment.unread in (TEXT_ALONE, LINKED)
    return bool(attachment.name or attachment.unread) and not is_left


def left_out(document: Document) -> Document:
    """Return a document with its linked files listed, and none requested.

    >>> file = Attachment("", "https://x.example/7.pdf")
    >>> left_out(Document("7", attachments=(file,))).attachments[0].unread
    'linked and not saved; --attachments saves such files'
    """
    named = [
        each if each.name or each.unread else msgspec.structs.replace(each, unread=LINKED)
        for each in document.attachments
    ]
    return msgspec.structs.replace(document, attachments=tuple(named))


def told_by_file(hit: Hit, response: Response) -> Document | None:
    """Return the document of a hit that leads to a file, from its text; None if it has none."""
    said = file_text(response)
    if not said.text:
        return None
    title, file = hit.title or said.title, Attachment("", hit.url, unread=TEXT_ALONE)
    return Document(hit.key, hit.url, title, said.text, hit.language, hit.fields, (file,))


def files_of(document: Document) -> Iterator[str]:
    """Yield the addresses of files that a document names: its own, and those in its fields.

    Pictures in fields do not count: many listings show one per document.
    """
    if leads_to_file(document.url):
        yield document.url
    for value in document.fields.values():
        for each in scalars(value):
            is_address = isinstance(each, str) and each.startswith(("http://", "https://"))
            if is_address and leads_to_file(str(each), pictures=False):
                yield str(each)
