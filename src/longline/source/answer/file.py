"""Answers that are files, not pages: their types, and the text in them."""

import logging
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

from longline.model import Response
from longline.source.answer.packed import is_piece
from longline.source.select import fold
from longline.text.charset import read_text
from longline.text.media_type import media_type, parameter

_FILES = (
    *("image/", "audio/", "video/", "font/", "application/pdf", "application/zip"),
    *("application/gzip", "application/x-", "application/vnd.", "application/msword"),
    *("application/epub", "application/rtf", "application/postscript", "application/octet-stream"),
)
_PAGES = ("application/x-javascript", "application/x-json", "application/x-ndjson")
_UNTOLD = ("application/octet-stream", "application/zip", "application/x-zip-compressed")
_PDF = b"%PDF-"

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
"""Media type of Word's files since 2007 (.docx). Source: ECMA-376."""

ENDINGS = (
    *(".pdf", ".doc", ".docx", ".odt", ".rtf", ".epub", ".ps", ".djvu", ".xls", ".xlsx", ".ods"),
    *(".ppt", ".pptx", ".zip", ".gz", ".csv"),
)
"""Endings of URLs that lead to files."""

TEXT = ".txt"
"""Ending of linked text files; a document's own URL may end in it, too."""

PICTURES = (".tif", ".tiff", ".jpg", ".jpeg", ".png", ".gif", ".webp", ".mp3", ".mp4")

MOST_PAGES = 2_000
MOST_BYTES = 200_000_000
"""Maximum number of bytes that a Word file may unpack to."""

MOST_LETTERS = 10_000_000
"""Maximum number of characters of a file's text; the rest is cut off."""


class FileText(NamedTuple):
    """The text of a file.

    Attributes:
        unread: Why there is no text, or "" if there is.
    """

    text: str = ""
    title: str = ""
    unread: str = ""


def is_file(response: Response) -> bool:
    """Return whether an answer is a file, by its media type, its header or its first bytes.

    >>> is_file(Response(url="", status=200, content_type="application/pdf"))
    True
    >>> is_file(Response(url="", status=200, content_type="text/html", body=b"<p>"))
    False
    """
    kind = media_type(response.content_type)
    is_structured = kind.endswith(("+json", "+xml", "/xml", "/json")) or kind in _PAGES
    if response.body.startswith(_PDF):
        return True
    if is_structured or is_piece(response.body) or kind.startswith("text/html"):
        return False
    if response.header("content-disposition").lower().startswith("attachment"):
        return True
    is_markup = response.body.lstrip()[:1] in (b"<", b"{", b"[")
    return kind.startswith(_FILES) and not (is_markup and kind.endswith("stream"))


def leads_to_file(url: str, *, pictures: bool = True, texts: bool = False) -> bool:
    """Return whether a URL names a file; media and plain text count only if the arguments say so.

    >>> leads_to_file("https://x.example/a/Report.PDF?v=2"), leads_to_file("https://x.example/a")
    (True, False)
    """
    try:
        endings = ENDINGS + (PICTURES if pictures else ()) + ((TEXT,) if texts else ())
        return urlsplit(url).path.lower().endswith(endings)
    except ValueError:
        return False


def file_type(response: Response) -> str:
    """Return a file's media type, from its header or its first bytes."""
    kind = media_type(response.content_type)
    if response.body.startswith(_PDF):
        return "application/pdf"
    is_word = kind in (*_UNTOLD, "") and urlsplit(response.url).path.lower().endswith(".docx")
    return WORD if is_word else kind or "application/octet-stream"


def file_name(response: Response) -> str:
    """Return the name that the source gives a file, or "" if it gives none.

    >>> file_name(Response(url="https://x.example/a/b%20c.pdf?v=2", status=200))
    'b c.pdf'
    """
    said = response.header("content-disposition")
    named = parameter(said, "filename")
    return unquote(named or urlsplit(response.url).path).replace("\\", "/").rpartition("/")[2]


def file_text(response: Response) -> FileText:
    """Extract the text of a PDF or Word file (.docx), or of plain text; others are not read.

    It never fails: `unread` gives the reason if a file cannot be read.
    """
    if file_type(response) == "text/plain" or file_type(response) == "text/csv":
        return FileText(read_text(response.body, response.content_type)[1][:MOST_LETTERS])
    kind = file_type(response)
    if kind not in _READERS:
        return FileText(unread="only PDF and Word files (.docx) have their text taken out")
    package, read = _READERS[kind]
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # `unread` says which files are damaged
    try:
        reader = import_module(package)
    except ImportError:
        return FileText(unread=f"{package} is not installed: pip install 'longline[attachments]'")
    try:
        return _in_lines(*read(reader, BytesIO(response.body)))
    except Exception as error:  # damaged files raise errors of any type
        return FileText(unread=f"the file cannot be read: {type(error).__name__}")


def _of_pdf(pypdf: Any, body: BytesIO) -> tuple[Iterator[str], Any]:
    """Return the texts of a PDF's pages, and its title."""
    file = pypdf.PdfReader(body)
    pages = (page.extract_text() for page in file.pages[:MOST_PAGES])
    return pages, getattr(file.metadata, "title", None)


def _of_word(docx: Any, body: BytesIO) -> tuple[Iterator[str], Any]:
    """Return the paragraphs and the cells of tables of a Word file in order, and its title."""
    if sum(each.file_size for each in ZipFile(body).infolist()) > MOST_BYTES:
        raise ValueError("it unpacks to too much")
    file = docx.Document(body)
    return _said(file), file.core_properties.title


_READERS = {"application/pdf": ("pypdf", _of_pdf), WORD: ("docx", _of_word)}
"""By media type, the package that reads a file, and the function that takes its text out."""


def _said(part: Any) -> Iterator[str]:
    for block in part.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield from chain.from_iterable(map(_said, row.cells))
        else:
            yield block.text


def _in_lines(pieces: Iterator[str], title: Any) -> FileText:
    lines: list[str] = []
    letters = 0
    for piece in pieces:
        own = [fold(line) for line in piece.splitlines()]
        lines += filter(None, own)
        letters += sum(map(len, own))
        if letters > MOST_LETTERS:
            break
    text = "\n".join(lines)[:MOST_LETTERS].encode("utf-8", "replace").decode()
    return FileText(
        text, fold(str(title or "")), "" if text else "there is no text in it: a scan perhaps"
    )
