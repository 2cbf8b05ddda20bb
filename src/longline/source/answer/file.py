"""Answers that are files, not pages: their types, and the text in them."""

import logging
from importlib import import_module
from io import BytesIO
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

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
_PDF = b"%PDF-"

ENDINGS = (
    *(".pdf", ".doc", ".docx", ".odt", ".rtf", ".epub", ".ps", ".djvu", ".xls", ".xlsx", ".ods"),
    *(".ppt", ".pptx", ".zip", ".gz", ".csv"),
)
"""Endings of URLs that lead to files."""

TEXT = ".txt"
"""Ending of linked text files; a document's own URL may end in it, too."""

PICTURES = (".tif", ".tiff", ".jpg", ".jpeg", ".png", ".gif", ".webp", ".mp3", ".mp4")

MOST_PAGES = 2_000
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
    is_pdf = response.body.startswith(_PDF)
    return "application/pdf" if is_pdf else kind or "application/octet-stream"


def file_name(response: Response) -> str:
    """Return the name that the source gives a file, or "" if it gives none.

    >>> file_name(Response(url="https://x.example/a/b%20c.pdf?v=2", status=200))
    'b c.pdf'
    """
    said = response.header("content-disposition")
    named = parameter(said, "filename")
    return unquote(named or urlsplit(response.url).path).replace("\\", "/").rpartition("/")[2]


def file_text(response: Response) -> FileText:
    """Extract the text of a PDF, page by page, or of plain text; other files are not read.

    It never fails: `unread` gives the reason if a file cannot be read.
    """
    if file_type(response) == "text/plain" or file_type(response) == "text/csv":
        return FileText(read_text(response.body, response.content_type)[1][:MOST_LETTERS])
    if file_type(response) != "application/pdf":
        return FileText(unread="only PDF files have their text taken out")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # `unread` says which files are damaged
    try:
        pypdf = import_module("pypdf")
    except ImportError:
        return FileText(unread="pypdf is not installed: pip install 'longline[attachments]'")
    try:
        return _text_of_pdf(pypdf.PdfReader(BytesIO(response.body)))
    except Exception as error:  # damaged files raise errors of any type
        return FileText(unread=f"the file cannot be read: {type(error).__name__}")


def _text_of_pdf(reader: object) -> FileText:
    pieces: list[str] = []
    letters = 0
    for page in reader.pages[:MOST_PAGES]:  # type: ignore[attr-defined]
        lines = [fold(line) for line in page.extract_text().splitlines()]
        pieces += filter(None, lines)
        letters += sum(map(len, lines))
        if letters > MOST_LETTERS:
            break
    text = "\n".join(pieces)[:MOST_LETTERS].encode("utf-8", "replace").decode()
    title = getattr(reader.metadata, "title", None) or ""  # type: ignore[attr-defined]
    return FileText(
        text, fold(str(title)), "" if text else "there is no text in it: a scan perhaps"
    )
