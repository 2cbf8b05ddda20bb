"""Read a corpus: JSON lines, CSV, a folder of text files, or the embedded one."""

import csv
import gzip
import logging
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from longline.errors import CorpusError, cause_of
from longline.files import LONGEST_CELL, delimiter_of
from longline.model import Document
from longline.simulate.documents.docstrings import docstrings
from longline.text.safe import in_plain

EMBEDDED = "docstrings"
"""Name of the corpus that needs no file: see `longline.simulate.documents.docstrings`."""

_TITLE_WORDS = 8
_TEXT_SUFFIXES = frozenset({".txt", ".md"})
_log = logging.getLogger(__name__)


def read_corpus(path: str | Path) -> list[Document]:
    """Read all documents of a corpus, in its order.

    Args:
        path: One of
            JSON lines (`.jsonl`, `.jsonl.gz`), each `{"id": ..., "title": ..., "text": ...}`;
            the default id is the line's number, the default title the first words;
            a text may be empty if there is a title;
            CSV (`.csv`, in UTF-8) with a column `text`, and `id` (or `key`) and `title` as above;
            a folder of `.txt` and `.md` files, including subfolders, sorted by path; the
            key is the path inside the folder. A file that is not UTF-8 is read as Latin-1,
            and a file without words is left out; both are logged;
            the word `docstrings`: the embedded corpus (write `./docstrings` for
            a folder with that name).

    Raises:
        CorpusError: Nothing exists there, it is empty, a line is not a record (named by
            `path:line`), or two documents have the same key.

    >>> len(read_corpus("docstrings")) > 2000
    True
    """
    if str(path) == EMBEDDED:
        return list(docstrings())
    path = Path(path)
    if not path.exists():
        raise CorpusError(
            f"no corpus at {path}",
            advice=f"give a .jsonl, .jsonl.gz or .csv file, a folder of texts, or {EMBEDDED!r}",
        )
    read = _read_folder if path.is_dir() else _read_csv if path.suffix == ".csv" else _read_lines
    documents = _distinct(read(path))
    if not documents:
        advice = "a corpus needs at least one"
        if path.is_dir():
            advice += f"; of a folder, files that end with {', '.join(sorted(_TEXT_SUFFIXES))}"
        raise CorpusError(f"no document in {path}", advice=advice)
    return documents


class _Record(msgspec.Struct):
    text: str
    id: str | int | None = None
    title: str | None = None


def _read_lines(path: Path) -> Iterator[tuple[str, Document]]:
    """Yield each document's place (`path:line`), and the document."""
    decoder = msgspec.json.Decoder(_Record)
    for number, line in _lines(path):
        place = f"{path}:{number}"
        try:
            record = decoder.decode(line)
        except msgspec.ValidationError as error:
            raise CorpusError(
                f"{place} is no document: {in_plain(str(error))}",
                advice='a line is {"id": ..., "title": ..., "text": "..."}',
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CorpusError(
                f"{place} is not JSON: {error}", advice="write one JSON object a line, in UTF-8"
            ) from None
        yield place, _document(place, number, record)


def _document(place: str, number: int, record: _Record) -> Document:
    title = record.title or _title(record.text)
    if not title.strip() and not record.text.strip():
        raise CorpusError(f"{place} has no text", advice="fill its text or drop the line")
    key = str(number) if record.id in (None, "") else str(record.id)
    return Document(key, title=title, text=record.text)


def _read_csv(path: Path) -> Iterator[tuple[str, Document]]:
    """Yield each document's place (`path:line` of its last line), and the document."""
    csv.field_size_limit(LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            rows = csv.DictReader(file, delimiter=delimiter_of(head))
            rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
            if "text" not in rows.fieldnames:
                named = ", ".join(rows.fieldnames)
                raise CorpusError(
                    f"{path} has no column text, but {named or 'none'}",
                    advice="name the columns id, title and text",
                )
            for number, row in enumerate(rows, 1):
                place = f"{path}:{rows.line_num}"
                key = row.get("id") or row.get("key")
                record = _Record(row["text"] or "", key, row.get("title"))
                yield place, _document(place, number, record)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CorpusError(
            f"{path} cannot be read: {cause_of(error)}", advice="save it as CSV in UTF-8"
        ) from error


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number (from 1) and content of every line that is not blank."""
    if not path.name.endswith((".jsonl", ".jsonl.gz")):
        raise CorpusError(
            f"{path} is not a corpus",
            advice="give a .jsonl, .jsonl.gz or .csv file, or a folder of .txt and .md files",
        )
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                content = line.removeprefix(BOM_UTF8) if number == 1 else line
                if content.strip():
                    yield number, content
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(
            f"{path} cannot be read: {cause_of(error)}", advice="check the file"
        ) from error


def _read_folder(folder: Path) -> Iterator[tuple[str, Document]]:
    """Yield each document's path, and the document."""
    latin, blank = [], []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in _TEXT_SUFFIXES or not path.is_file():
            continue
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CorpusError(
                f"{path} cannot be read: {cause_of(error)}", advice="check it"
            ) from error
        text, is_sure = _decode(data)
        key = path.relative_to(folder).as_posix()
        if not is_sure:
            latin.append(key)
        if text.strip():
            yield str(path), Document(key, title=_title(text), text=text)
        else:
            blank.append(key)
    _note(latin, f"not UTF-8 and read as Latin-1 in {folder}")
    _note(blank, f"without words and left out in {folder}")


def _note(keys: list[str], what: str) -> None:
    if keys:
        _log.warning("%d of the files are %s; the first is %s", len(keys), what, keys[0])


def _decode(data: bytes) -> tuple[str, bool]:
    """Return the text of a file, and whether its encoding is certain rather than guessed."""
    has_mark = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if has_mark else "utf-8-sig"), True
    except UnicodeDecodeError:
        return data.decode("latin-1"), False


def _title(text: str) -> str:
    """Return the first words of a text; a Markdown heading without its number signs."""
    return " ".join(text.lstrip("#").split(maxsplit=_TITLE_WORDS)[:_TITLE_WORDS])


def _distinct(placed: Iterable[tuple[str, Document]]) -> list[Document]:
    """Return the documents; raise an error for a repeated key, or one that no URL can hold."""
    places: dict[str, str] = {}
    documents = []
    for place, document in placed:
        key = document.key
        if key in {".", ".."} or any(ord(character) < ord(" ") for character in key):
            raise CorpusError(
                f"{place} has the id {key!r}, which no address can carry",
                advice="give it an id without control characters that is not a dot",
            )
        if key in places:
            raise CorpusError(
                f"{place} has the id {key!r}, and so has {places[key]}",
                advice="give each document its own id",
            )
        places[key] = place
        documents.append(document)
    return documents
