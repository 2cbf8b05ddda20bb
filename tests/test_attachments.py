"""Test that files which results link to are saved with `attachments`, and named without it."""

import asyncio
import hashlib
import json
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

import longline
from longline.errors import FolderError
from longline.ledger import in_words
from longline.model import Document
from longline.simulate import running_site

WORDS = ("stone", "cloud", "river")
DOCUMENTS = 24
OPTIONS: dict[str, Any] = {
    "allow_private": True,
    "robots": False,
    "estimate": False,
    "strategy": "adaptive",
    "words": ("collection",),
}

HTML = """
[source]
name = "files"
url = "{url}/"
[ask]
url = "{url}/search?q={{query}}"
[results]
hit = "li"
link = "a"
title = "a"
[document]
text = "article"
[fields.number]
row = "b"
type = "number"
"""

JSON = """
[source]
name = "api"
url = "{url}/"
kind = "json"
[ask]
url = "{url}/api?q={{query}}"
[results]
hit = "jmes:rows"
key = "jmes:id"
title = "jmes:title"
text = "jmes:text"
[fields.pdf]
row = "jmes:pdf"
type = "url"
"""


def pdf(text: str) -> bytes:
    """Return a PDF file with one page that shows a text."""
    drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    body, places = b"%PDF-1.4\n%" + b" " * 5000 + b"\n", []  # larger than any page of the site
    for number, each in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    return body + b"xref\n0 6\n0000000000 65535 f \n" + table + end


def own(number: int) -> str:
    """Return words that no other document contains."""
    rng = random.Random(number)
    return " ".join("".join(rng.choices("bdfgklmnprstvz", k=7)) for _ in range(6))


def content(number: int) -> str:
    return f"{own(number)} and a {WORDS[number % 3]} of the collection {number}"


def _place(number: int) -> str:
    return f"/doc/{number}" if number % 2 else f"/files/{number}.pdf"


class Site:
    """A site where every second document is a PDF file; it counts the requests."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.pause = 0.0
        self.links = ""  # appended to a document's text
        self.beside = ""  # after it
        self.app = Starlette(
            routes=[
                Route("/search", self.search),
                Route("/api", self.api),
                Route("/doc/{number}", self.document),
                Route("/files/{name}", self.file),
            ]
        )

    def found(self, request: Request) -> list[int]:
        typed = request.query_params.get("q", "").lower()
        return [n for n in range(DOCUMENTS) if typed and typed in content(n)]

    async def search(self, request: Request) -> Response:
        rows = [
            f'<li><a href="{_place(n)}">Title {n} {own(n)}</a> <b>{n}</b>'
            for n in self.found(request)
        ]
        return HTMLResponse(f"<ul>{''.join(rows)}</ul>" if rows else "<p>Nothing")

    async def api(self, request: Request) -> Response:
        rows = [
            {
                "id": n,
                "title": f"Title {n}",
                "text": f"An abstract about {content(n)}",
                "pdf": f"/files/{n}.pdf" if n % 3 else None,
            }
            for n in self.found(request)
        ]
        return JSONResponse({"rows": rows})

    async def document(self, request: Request) -> Response:
        self.asked[request.url.path] += 1
        number = int(request.path_params["number"])
        links = self.links.format(number=number)
        beside = self.beside.format(number=number)
        return HTMLResponse(f"<article>{content(number)} {links}</article>{beside}")

    async def file(self, request: Request) -> Response:
        self.asked[request.url.path] += 1
        await asyncio.sleep(self.pause)
        name = request.path_params["name"].removesuffix(".pdf")
        if name == "terms":
            return Response(pdf(name), media_type="application/pdf")
        number = int(name)
        if number == 10:
            return Response(b"%PDF-1.4 torn", media_type="application/pdf")
        return Response(pdf(content(number)), media_type="application/pdf")


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def url(site: Site) -> Iterator[str]:
    with running_site(site.app) as address:
        yield address


def spec(text: str, url: str, folder: Path) -> Path:
    path = folder / "source.toml"
    path.write_text(text.format(url=url))
    return path


def by_number(harvest: longline.Harvest) -> dict[int, Document]:
    return {int(document.title.split()[1]): document for document in harvest.documents}


@pytest.mark.slow
def test_files_are_kept_with_their_text(site: Site, url: str, tmp_path: Path) -> None:
    """Each file has the right bytes, media type and checksum; its text is the document's."""
    pytest.importorskip("pypdf")
    folder = tmp_path / "got"
    harvest = longline.harvest(spec(HTML, url, tmp_path), folder, attachments=True, **OPTIONS)
    documents = by_number(harvest)
    assert len(documents) == DOCUMENTS
    for number, document in documents.items():
        if number != 10:
            assert document.text == content(number)
        assert document.fields == {"number": number}
        assert len(document.attachments) == (number + 1) % 2
        for each in document.attachments:
            body = (folder / "attachments" / each.name).read_bytes()
            assert each.size == len(body)
            assert each.sha256 == hashlib.sha256(body).hexdigest()
            assert each.media_type == "application/pdf"
            assert each.url == document.url
            assert body == pdf(content(number)) or number == 10
    certificate = harvest.certificate
    assert certificate.attachments == DOCUMENTS // 2
    assert certificate.attachment_bytes == sum(
        path.stat().st_size for path in (folder / "attachments").iterdir()
    )
    assert certificate.files_left == {}
    assert documents[10].text == ""
    assert documents[10].attachments[0].unread.startswith("the file cannot be read")
    assert list(certificate.attachments_unread.values()) == [1]
    assert "12 attachments" in in_words(certificate)

    before = dict(site.asked)
    again = longline.harvest(folder, attachments=True, **OPTIONS)
    assert again.certificate.documents == DOCUMENTS
    assert site.asked == before


@pytest.mark.slow
def test_files_without_the_option_give_their_text_and_are_not_kept(
    site: Site, url: str, tmp_path: Path
) -> None:
    """A file's text becomes the document's; files without text are counted by type."""
    pytest.importorskip("pypdf")
    folder = tmp_path / "got"
    harvest = longline.harvest(spec(HTML, url, tmp_path), folder, **OPTIONS)
    certificate = harvest.certificate
    assert certificate.documents == DOCUMENTS - 1
    assert all(each.text == content(number) for number, each in by_number(harvest).items())
    assert certificate.files_left == {"application/pdf": 1}
    assert certificate.outcome == "partial"
    assert "1 document is a file (1 application/pdf)" in in_words(certificate)
    assert "but a file (application/pdf, " in certificate.failed_documents[0]
    assert certificate.attachments_unread == {"not saved": DOCUMENTS // 2 - 1}
    assert not (folder / "attachments").exists()
    after = longline.harvest(folder, attachments=True, **OPTIONS).certificate
    assert (after.documents, after.files_left) == (DOCUMENTS, {})
    assert after.attachments == DOCUMENTS // 2
    assert after.attachments_unread == {"the file cannot be read": 1}
    assert max(site.asked[f"/doc/{number}"] for number in range(DOCUMENTS)) == 1


def test_files_in_fields_are_kept_beside_the_listing(url: str, tmp_path: Path) -> None:
    """A file linked from a row is fetched; the row keeps its text, and the file has its own."""
    folder = tmp_path / "got"
    harvest = longline.harvest(spec(JSON, url, tmp_path), folder, attachments=True, **OPTIONS)
    for number, document in by_number(harvest).items():
        assert document.text == f"An abstract about {content(number)}"
        assert len(document.attachments) == (number % 3 > 0)
        assert document.fields.get("pdf") == (f"{url}/files/{number}.pdf" if number % 3 else None)
    assert harvest.certificate.attachments == DOCUMENTS * 2 // 3
    table = harvest.to_arrow().to_pylist()
    assert {row["attachments"][0]["media_type"] for row in table if row["attachments"]} == {
        "application/pdf"
    }


def test_too_large_files_are_named(url: str, tmp_path: Path) -> None:
    """A file above the size limit gives no document and is reported as too large."""
    harvest = longline.harvest(
        spec(HTML, url, tmp_path),
        tmp_path / "got",
        attachments=True,
        max_body_bytes=4000,
        **OPTIONS,
    )
    failed = harvest.certificate.failed_documents
    assert len(failed) == DOCUMENTS // 2 - 1  # one file is smaller
    assert all("more than the 4,000 bytes allowed" in each for each in failed)


def test_files_are_kept_where_their_text_cannot_be_taken_out(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without pypdf a file is still saved, and the certificate names the missing package."""
    monkeypatch.setitem(sys.modules, "pypdf", None)
    harvest = longline.harvest(
        spec(HTML, url, tmp_path), tmp_path / "got", attachments=True, **OPTIONS
    )
    certificate = harvest.certificate
    assert certificate.attachments == DOCUMENTS // 2
    assert certificate.attachments_unread == {"pypdf is not installed": DOCUMENTS // 2}
    assert "longline[attachments]" in by_number(harvest)[2].attachments[0].unread
    assert "12 pypdf is not installed" in in_words(certificate)


@pytest.mark.slow
def test_a_killed_run_loses_no_file_and_asks_for_none_twice(
    site: Site, url: str, tmp_path: Path
) -> None:
    """After SIGKILL every file in the journal is complete; the next run fetches the others."""
    site.pause = 0.15
    path, folder = spec(HTML, url, tmp_path), tmp_path / "got"
    words = tmp_path / "words.txt"
    words.write_text("collection")
    command = [sys.executable, "-m", "longline", "harvest", str(path), "-o", str(folder)]
    command += ["--attachments", "--allow-private", "--ignore-robots", "--no-estimate"]
    command += ["--strategy", "adaptive", "--words", str(words), "--max-time", "60"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while sum(site.asked.values()) < 8 and time.monotonic() < end:
            time.sleep(0.02)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    held = {document.url: document for document in _documents(folder)}
    named = [each for document in held.values() for each in document.attachments]
    for each in named:
        body = (folder / "attachments" / each.name).read_bytes()
        assert hashlib.sha256(body).hexdigest() == each.sha256
    before = Counter(site.asked)
    assert before
    site.pause = 0.0
    after = subprocess.run(command, capture_output=True, text=True, check=False)
    assert after.returncode in (0, 3), after.stderr
    harvest = longline.open(folder)
    assert len(harvest.documents) == DOCUMENTS
    for address in held:
        asked = re.sub(r"^https?://[^/]+", "", address)
        assert site.asked[asked] == before[asked] == 1
    kept = {each.name for document in harvest.documents for each in document.attachments}
    assert {path.name for path in (folder / "attachments").iterdir()} == kept


def _documents(folder: Path) -> list[Document]:
    try:
        return list(longline.open(folder).documents)
    except FolderError:
        return []


@pytest.mark.slow
def test_files_of_an_update_stay_beside_those_before(site: Site, url: str, tmp_path: Path) -> None:
    """An update requests no file of an unchanged row again, and loses no file."""
    folder = tmp_path / "got"
    longline.harvest(spec(HTML, url, tmp_path), folder, attachments=True, **OPTIONS)
    before = {path.name for path in (folder / "attachments").iterdir()}
    asked = Counter(site.asked)
    plain = {name: OPTIONS[name] for name in ("allow_private", "robots")}
    longline.update(folder, attachments=True, **plain)
    after = longline.open(folder)
    named = {each.name for document in after.documents for each in document.attachments}
    assert before == named == {path.name for path in (folder / "attachments").iterdir()}
    assert sum((site.asked - asked).values()) <= DOCUMENTS // 4


@pytest.mark.slow
def test_later_runs_and_updates_keep_files_as_the_first(
    site: Site, url: str, tmp_path: Path
) -> None:
    """Resumed runs save files without the option; reread documents keep their files."""
    folder, path = tmp_path / "got", spec(HTML, url, tmp_path)
    longline.harvest(path, folder, attachments=True, max_documents=6, **OPTIONS)
    harvest = longline.harvest(folder, **OPTIONS)
    assert harvest.certificate.attachments == DOCUMENTS // 2
    plain = {name: OPTIONS[name] for name in ("allow_private", "robots")}
    longline.update(folder, reread=1.0, **plain)
    longline.update(folder, reread=1.0, **plain)
    after = longline.open(folder)
    assert (len(after.documents), after.certificate.attachments) == (DOCUMENTS, DOCUMENTS // 2)


def test_files_of_documents_that_are_saved_come_later(site: Site, url: str, tmp_path: Path) -> None:
    """With the option, a later run fetches each file that saved documents link to, once."""
    folder = tmp_path / "got"
    first = longline.harvest(spec(JSON, url, tmp_path), folder, **OPTIONS).certificate
    assert (first.documents, first.attachments) == (DOCUMENTS, 0)
    wanted = DOCUMENTS * 2 // 3
    part = longline.harvest(
        folder, attachments=True, max_requests=first.requests + 5, **OPTIONS
    ).certificate
    assert part.outcome == "partial"
    assert 0 < part.attachments < wanted
    assert part.requests == first.requests + 5
    whole = longline.harvest(folder, **OPTIONS).certificate
    assert (whole.documents, whole.attachments) == (DOCUMENTS, wanted)
    assert whole.requests == first.requests + wanted
    assert whole.document_pages == 0
    assert set(site.asked.values()) == {1}


def test_files_that_a_page_links_are_kept_each_once(site: Site, url: str, tmp_path: Path) -> None:
    """A file linked in a document's text is fetched; one linked on many pages is requested once."""
    site.pause = 0.05
    site.links = "<a href='/files/{number}.pdf'>scan</a> <a href='/files/terms.pdf'>terms</a>"
    folder = tmp_path / "got"
    harvest = longline.harvest(spec(HTML, url, tmp_path), folder, attachments=True, **OPTIONS)
    for number, document in by_number(harvest).items():
        names = {each.url.rsplit("/", 1)[-1] for each in document.attachments}
        assert names == ({f"{number}.pdf", "terms.pdf"} if number % 2 else {f"{number}.pdf"})
    assert {site.asked[f"/files/{number}.pdf"] for number in range(DOCUMENTS)} == {1}
    assert site.asked["/files/terms.pdf"] == 1  # although several pages are read at a time
    longline.export(folder, "ro-crate", tmp_path / "crate")
    graph = json.loads((tmp_path / "crate/ro-crate-metadata.json").read_text())["@graph"]
    parts = {each["@id"]: each for each in graph}
    for each in (each for document in harvest.documents for each in document.attachments):
        path = tmp_path / "crate" / "attachments" / each.name
        assert hashlib.sha256(path.read_bytes()).hexdigest() == each.sha256
        assert parts[f"attachments/{each.name}"]["sha256"] == each.sha256
        assert {"@id": f"attachments/{each.name}"} in parts["./"]["hasPart"]


@pytest.mark.slow
def test_files_beside_a_text_are_kept_and_those_of_the_site_are_not(
    site: Site, url: str, tmp_path: Path
) -> None:
    """A scan is often linked below the text; what most pages link, or a menu, is the site's."""
    pytest.importorskip("pypdf")
    site.beside = (
        "<nav><a href='/files/menu.pdf'>Menu</a></nav><p><a href='/files/{number}.pdf'>Scan</a>"
        "<p><a href='/files/terms.pdf'>Terms of use</a><footer><a href='/files/law.pdf'>Law"
    )
    folder = tmp_path / "got"
    certificate = longline.harvest(spec(HTML, url, tmp_path), folder, **OPTIONS).certificate
    left = "linked and not saved; --attachments saves such files"
    assert certificate.attachments_unread[left] == DOCUMENTS // 2 + 1
    harvest = longline.harvest(folder, attachments=True, **OPTIONS)
    linking = Counter[str]()
    for number, document in by_number(harvest).items():
        names = {each.url.rsplit("/", 1)[-1] for each in document.attachments}
        assert f"{number}.pdf" in names
        linking.update(names)
    assert linking["terms.pdf"] == 3
    assert not {"menu.pdf", "law.pdf"} & set(linking)


@pytest.mark.slow
def test_files_that_a_page_links_are_named_without_the_option(
    site: Site, url: str, tmp_path: Path
) -> None:
    """Linked files are counted once each but not requested; a later run fetches them."""
    pytest.importorskip("pypdf")
    site.links = "<a href='/files/{number}.pdf'>scan</a> <a href='/files/terms.pdf'>rules</a>"
    folder = tmp_path / "got"
    certificate = longline.harvest(spec(HTML, url, tmp_path), folder, **OPTIONS).certificate
    left = "linked and not saved; --attachments saves such files"
    assert certificate.outcome == "partial"  # because of the damaged file, which is a document
    assert certificate.attachments_unread == {
        "not saved": DOCUMENTS // 2 - 1,
        left: DOCUMENTS // 2 + 1,
    }
    assert f"{DOCUMENTS // 2 + 1} {left}" in in_words(certificate)
    assert not any(site.asked[f"/files/{number}.pdf"] for number in range(1, DOCUMENTS, 2))
    after = longline.harvest(folder, attachments=True, **OPTIONS)
    assert left not in after.certificate.attachments_unread
    files = [each for document in after.documents for each in document.attachments]
    assert {each.text for each in files} == {"", "terms"}  # the others repeat a document's text
    assert len({each.url for each in files if each.name}) == DOCUMENTS + 1
    assert max(site.asked[f"/doc/{number}"] for number in range(DOCUMENTS)) == 1
