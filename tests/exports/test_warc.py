"""Test web archives: unchanged bytes, safe after a kill, and replayed by other programs."""

import asyncio
import gzip
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.exports.conftest import FULL, ODD
from tests.fetch.conftest import Reply, Site
from tests.webs import web_fetcher

import longline
from longline.errors import InputError, StorageError
from longline.extend import Searchable
from longline.model import Capture, Page, Query, Request
from longline.secrets import Secret, Secrets
from longline.store import Segments
from longline.store.segments import read_segments, whole_bytes

warcio = pytest.importorskip("warcio.archiveiterator")


class Record:
    """A record as warcio's reader sees it."""

    def __init__(self, record: Any) -> None:
        self.kind = record.rec_type
        self.url = record.rec_headers.get_header("WARC-Target-URI")
        self.headers = dict(record.rec_headers.headers)
        self.http = record.http_headers
        self.raw = record.raw_stream.read()


def records(data: bytes | Path) -> list[Record]:
    """Read records, and check every digest."""
    data = data.read_bytes() if isinstance(data, Path) else data
    return [
        Record(record) for record in warcio.ArchiveIterator(io.BytesIO(data), check_digests="raise")
    ]


def of(found: list[Record], kind: str) -> list[Record]:
    return [each for each in found if each.kind == kind]


def captured(site: Site, *requests: Request, **options: Any) -> list[Capture]:
    """Fetch from a site, and return the bytes on the wire."""
    kept: list[Capture] = []

    async def fetch() -> None:
        fetcher = web_fetcher(on_capture=kept.append, robots=False, **options)
        for request in requests:
            with suppress(longline.SourceError):
                await fetcher.fetch(request)
        await fetcher.close()

    asyncio.run(fetch())
    return kept


def in_segments(folder: Path, *captures: Capture) -> bytes:
    segments = Segments(folder, "https://x.example/")
    for each in captures:
        segments.keep(each)
    segments.close()
    return b"".join(read_segments(folder))


def left_open(folder: Path, *captures: Capture) -> Path:
    """Leave an open file, as a killed run does."""
    in_segments(folder, *captures)
    (path,) = (folder / "warc").iterdir()
    return path.rename(f"{path}.open")


def capture(body: bytes = b"<p>deep", **changes: Any) -> Capture:
    """Make a typical exchange, with changes."""
    return Capture(
        **{
            "url": "https://x.example/a?b=c",
            "method": "GET",
            "target": b"/a?b=c",
            "began": 1_700_000_000.25,
            "protocol": "HTTP/1.1",
            "status": 200,
            "reason": "OK",
            "request_headers": ((b"Host", b"x.example"), (b"Cookie", b"session=s3cr3t")),
            "request_body": b"",
            "headers": ((b"Content-Type", b"text/html"), (b"Set-Cookie", b"session=s3cr3t")),
            "body": body,
            "decoded": body,
            **changes,
        }
    )


def test_the_bytes_of_the_wire_are_kept(site: Site, tmp_path: Path) -> None:
    """Method, path, header order and case, and the encoded body are kept."""
    packed = gzip.compress("<p>тихий дон".encode("koi8-r"))
    head = b"HTTP/1.1 200 Fine\r\nX-Odd-Case: \xff\xe9\r\nContent-Encoding: gzip\r\n"
    head += b"content-type: text/html; charset=koi8-r\r\nContent-Length: %d\r\n\r\n" % len(packed)
    site.replies["/a?q=1"] = Reply(raw=head + packed)
    kept = captured(site, Request(f"{site.url}/a?q=1#part", headers=(("X-Own", "yes"),)))
    found = records(in_segments(tmp_path, *kept))
    (asked,), (came,) = of(found, "request"), of(found, "response")
    assert came.url == asked.url == f"{site.url}/a?q=1"
    assert (asked.http.protocol, asked.http.statusline) == ("GET", "/a?q=1 HTTP/1.1")
    assert asked.http.get_header("X-Own") == "yes"
    assert came.http.statusline == "200 Fine"
    assert [name for name, _ in came.http.headers] == [
        "X-Odd-Case",
        "Content-Encoding",
        "content-type",
        "Content-Length",
    ]
    assert came.raw == packed
    assert b"X-Odd-Case: \xff\xe9\r\n" in gzip.decompress(in_segments(tmp_path / "again", *kept))
    assert asked.headers["WARC-Concurrent-To"] == came.headers["WARC-Record-ID"]


def test_chunks_are_joined_and_the_headers_fit(site: Site, tmp_path: Path) -> None:
    """The length is the body's; the server's own header is kept under another name."""
    chunks = b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n"
    site.replies["/a"] = Reply(raw=head + chunks)
    (came,) = of(
        records(in_segments(tmp_path, *captured(site, Request(f"{site.url}/a")))), "response"
    )
    assert came.raw == b"hello world"
    assert came.http.get_header("Content-Length") == "11"
    assert came.http.get_header("Transfer-Encoding") is None
    assert came.http.get_header("X-Archive-Orig-Transfer-Encoding") == "chunked"


def test_redirects_errors_and_tries_are_kept(site: Site, tmp_path: Path) -> None:
    """Every response has a record, with the redirect target as the server wrote it."""
    site.replies["/a"] = Reply(status=302, headers={"Location": "b?x= y"})
    site.replies["/b?x=%20y"] = [Reply(status=503), Reply("<p>here")]
    site.replies["/long"] = Reply("x" * 200_000, status=404)
    kept = captured(site, Request(f"{site.url}/a"), Request(f"{site.url}/long"), wait_seconds=0.01)
    found = of(records(in_segments(tmp_path, *kept)), "response")
    assert [each.http.get_statuscode() for each in found] == ["302", "503", "200", "404"]
    assert found[0].http.get_header("Location") == "b?x= y"
    assert found[3].headers["WARC-Truncated"] == "length"
    assert 0 < len(found[3].raw) < 200_000
    assert found[3].http.get_header("X-Archive-Orig-Content-Length") == "200000"


def test_what_logs_in_is_left_out(tmp_path: Path) -> None:
    """No record contains a cookie or an authorization."""
    secret = capture(request_headers=((b"Authorization", b"Basic s3cr3t"), (b"cookie", b"s3cr3t")))
    data = gzip.decompress(in_segments(tmp_path, secret, capture()))
    assert b"s3cr3t" not in data
    assert b"Host: x.example" in data


@pytest.mark.parametrize("coded", [False, True])
@pytest.mark.parametrize("status", [200, 404])
def test_secrets_are_placeholders(tmp_path: Path, coded: bool, status: int) -> None:
    """Secrets are replaced in URL, headers and bodies, even encoded; headers fit the result."""
    own = Secrets([Secret("key", "s3cr3t-99", "key")], ["https://x.example/"])
    body = b'{"you": "s3cr3t-99", "hits": []}'
    sent = capture(
        gzip.compress(body) if coded else body,
        status=status,
        decoded=body if status == 200 else None,
        url="https://x.example/?key=s3cr3t-99",
        target=b"/?key=s3cr3t-99",
        request_headers=((b"X-Api-Key", b"s3cr3t-99"),),
        request_body=b"key=s3cr3t-99",
        headers=((b"Content-Encoding", b"gzip"), (b"Link", b"<?key=s3cr3t-99>"))[not coded :],
    )
    found = records(in_segments(tmp_path, own.veiled_capture(sent)))
    data = gzip.decompress(b"".join(read_segments(tmp_path)))
    assert b"s3cr3t-99" not in data
    (came,) = of(found, "response")
    assert came.url == "https://x.example/?key=~secret.key~"
    if coded and status == 404:  # an error's body is not decoded
        assert came.headers["WARC-Truncated"] == "unspecified"
    else:
        assert json.loads(came.raw)["you"] == "~secret.key~"
        assert came.http.get_header("Content-Encoding") is None


def test_a_body_without_a_secret_stays_as_it_came(tmp_path: Path) -> None:
    """The encoded body is unchanged."""
    own = Secrets([Secret("key", "s3cr3t-99", "key")], ["https://x.example/"])
    packed = gzip.compress(b"nothing here")
    sent = capture(packed, decoded=b"nothing here", headers=((b"Content-Encoding", b"gzip"),))
    (came,) = of(records(in_segments(tmp_path, own.veiled_capture(sent))), "response")
    assert came.raw == packed


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.binary(max_size=40))
def test_a_torn_tail_is_cut_off(
    tmp_path_factory: pytest.TempPathFactory, torn_at: int, rest: bytes
) -> None:
    """Wherever a file ends, the next run keeps the complete records and continues."""
    folder = tmp_path_factory.mktemp("torn")
    ends = [len(in_segments(folder / "first", capture(b"one")))]
    path = left_open(folder, capture(b"one"), capture(os.urandom(3000)))
    ends.append(whole_bytes(path))
    os.truncate(path, min(torn_at, ends[1]))
    with path.open("ab") as stream:
        stream.write(rest)
    bodies = [each.raw for each in of(records(in_segments(folder, capture(b"three"))), "response")]
    assert bodies[-1] == b"three"
    if torn_at >= ends[0]:
        assert bodies[0] == b"one"
    assert not list((folder / "warc").glob("*.open"))


def test_a_running_harvest_is_read_to_its_last_whole_record(tmp_path: Path) -> None:
    """The file being written ends in .open, and a partial record is skipped."""
    path = left_open(tmp_path, capture(b"one"))
    with path.open("ab") as stream:
        stream.write(b"\x1f\x8b\x08torn")
    assert [each.raw for each in of(records(b"".join(read_segments(tmp_path))), "response")] == [
        b"one"
    ]


@pytest.mark.slow
def test_a_full_disk_leaves_whole_records(tmp_path: Path) -> None:
    """A record that does not fit is removed, and an error is raised."""
    code = (
        "import resource, os; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, -1))\n"
        "import sys; from pathlib import Path\n"
        "from tests.exports.test_warc import capture, Segments\n"
        "segments = Segments(Path(sys.argv[1]), 'https://x.example/')\n"
        "segments.keep(capture(b'one'))\n"
        "try: segments.keep(capture(os.urandom(50_000)))\n"
        "except Exception as error: print(type(error).__name__, error)\n"
        "segments.keep(capture(b'three'))\n"
    )
    # -B, since a compiled module that does not fit would be saved in part.
    command = [sys.executable, "-B", "-c", code, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.stdout.startswith(f"{StorageError.__name__} cannot write to"), done.stderr
    found = of(records(b"".join(read_segments(tmp_path))), "response")
    assert [each.raw for each in found] == [b"one", b"three"]


@pytest.mark.slow
def test_a_killed_harvest_goes_on(tmp_path: Path) -> None:
    """Every page in its journal is in the records, and the next run adds to them."""
    with longline.demo_site() as url:
        command = [sys.executable, "-m", "longline", "harvest", url, "--allow-private", "--warc"]
        run = subprocess.Popen(
            [*command, "-o", tmp_path / "got", "--rate", "40", "--max-requests", "2000"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        journal = tmp_path / "got/harvest.db"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and run.poll() is None:
            if journal.is_file() and len(longline.open(tmp_path / "got").documents) > 20:
                break
            time.sleep(0.2)
        run.send_signal(signal.SIGKILL)
        run.wait()
        held = {each.url for each in longline.open(tmp_path / "got").documents}
        assert len(held) > 20
        shown = {
            each.url for each in of(records(b"".join(read_segments(tmp_path / "got"))), "response")
        }
        assert held <= shown
        again = longline.harvest(tmp_path / "got", allow_private=True, max_requests=len(held) + 100)
    found = records(b"".join(read_segments(tmp_path / "got")))
    assert {each.url for each in again.documents} <= {each.url for each in of(found, "response")}
    assert len(of(found, "warcinfo")) == 2


def test_a_harvest_goes_on_keeping(site_folder: Path, tmp_path: Path) -> None:
    """--warc stays on for later runs; --no-warc ends it."""
    store = longline.open(site_folder)
    assert store.certificate.documents > 10
    found = records(b"".join(read_segments(site_folder)))
    got = [each for each in of(found, "response") if each.http.get_statuscode() == "200"]
    assert {each.url for each in store.documents} <= {each.url for each in got}
    assert any(each.url.endswith("/robots.txt") for each in got)
    assert store.certificate.requests >= len(of(found, "response"))


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a harvest of a real site with its web archive."""
    folder = tmp_path_factory.mktemp("sites") / "site"
    with longline.demo_site() as url:
        longline.harvest(url, folder, allow_private=True, max_requests=60, warc=True)
    return folder


def test_an_archive_that_begins_late_is_refused(tmp_path: Path) -> None:
    """It would lack the pages of the documents that are held; a first run lacks none."""
    late, whole = tmp_path / "late", tmp_path / "whole"
    with longline.demo_site() as url:
        longline.harvest(url, late, allow_private=True, max_requests=40)
        longline.harvest(url, whole, allow_private=True, max_requests=40, warc=True)
        longline.harvest(url, whole, allow_private=True, max_requests=45, warc=True)
        for again in longline.harvest, longline.update:
            with pytest.raises(InputError, match="leave out warc=True, or harvest into a new fold"):
                again(late, allow_private=True, max_requests=45, warc=True)
        longline.harvest(late, allow_private=True, max_requests=45)
    assert not (late / "warc").exists()


def test_an_export_has_pages_documents_and_the_certificate(
    site_folder: Path, tmp_path: Path
) -> None:
    """It has every saved exchange, then every document with all its fields."""
    written = longline.export(site_folder, "warc", tmp_path / "got.warc.gz")
    found = records(tmp_path / "got.warc.gz")
    kept = records(b"".join(read_segments(site_folder)))
    assert len(of(found, "response")) == len(of(kept, "response"))
    harvest = longline.open(site_folder)
    documents = [json.loads(each.raw) for each in of(found, "conversion")]
    assert len(documents) == written == len(harvest.documents)
    for document in documents:
        held = harvest.documents[document["key"]]
        assert (held.title, held.text, held.url) == tuple(
            document[name] for name in ("title", "text", "url")
        )
    (certificate,) = of(found, "resource")
    assert json.loads(certificate.raw)["documents"] == written
    began = [each.headers["WARC-Date"] for each in of(found, "conversion")]
    assert harvest.certificate.begun_at is not None
    assert all(each[:16] >= harvest.certificate.begun_at[:16] for each in began)


@pytest.mark.parametrize(("name", "documents"), [("odd", ODD), ("full", FULL)])
def test_a_harvest_without_kept_pages_claims_no_answers(
    name: str, documents: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Documents are conversions and journal pages are resources: no record is a response."""
    folder = request.getfixturevalue(name)
    longline.export(folder, "warc", tmp_path / "got.warc.gz")
    found = records(tmp_path / "got.warc.gz")
    assert {each.kind for each in found} == {"warcinfo", "conversion", "resource"}
    page, certificate = of(found, "resource")
    assert (page.url, page.raw) == ("https://shelf.example/", b"<form></form>")
    assert json.loads(certificate.raw)["outcome"] == "complete"
    back = [json.loads(each.raw) for each in of(found, "conversion")]
    assert [each["key"] for each in back] == [each.key for each in documents]
    assert [each["text"] for each in back] == [each.text for each in documents]
    if name == "full":
        assert (back[0]["year"], back[0]["by"]) == (1990, ["Ada", "Max, Jr."])


@pytest.mark.slow
def test_wacz_validate_passes(site_folder: Path, tmp_path: Path) -> None:
    """The format's validator passes; pages are the documents, and the index has them all."""
    pytest.importorskip("wacz")
    written = longline.export(site_folder, "wacz", tmp_path / "got.wacz")
    command = [sys.executable, "-m", "wacz", "validate", "-f", tmp_path / "got.wacz"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the passed WACZ is valid" in done.stdout
    with zipfile.ZipFile(tmp_path / "got.wacz") as archive:
        head, *pages = map(json.loads, archive.read("pages/pages.jsonl").splitlines())
        index = gzip.decompress(archive.read("indexes/index.cdx.gz")).decode()
        assert archive.getinfo("archive/data.warc.gz").compress_type == zipfile.ZIP_STORED
    assert head["format"] == "json-pages-1.0"
    assert len(pages) == written
    harvest = longline.open(site_folder)
    for page in pages:
        held = harvest.documents[page["key"]]
        assert (page["url"], page["title"], page["text"]) == (held.url, held.title, held.text)
        assert f'"url": "{page["url"]}"' in index
    lines = index.splitlines()
    assert lines == sorted(lines)


def test_wacz_wants_pages_that_were_kept(full: Path, tmp_path: Path) -> None:
    """Without saved pages WACZ is refused, and the error says how to save them."""
    with pytest.raises(InputError, match="harvest with warc=True into a new folder"):
        longline.export(full, "wacz", tmp_path / "got.wacz")
    assert not list(tmp_path.glob("got*"))


def test_the_wire_of_a_class_cannot_be_kept(tmp_path: Path) -> None:
    """A class source has no web traffic, and the error is raised before the harvest starts."""

    class Shelf(Searchable):
        name = "shelf"

        async def search(self, query: Query, number: int) -> Page:
            return Page()

    with pytest.raises(InputError, match="nothing goes over the web"):
        longline.harvest(Shelf(), tmp_path / "got", warc=True)
    # Without the option it starts, as the error advises; the shelf is empty.
    with pytest.raises(longline.LonglineError, match="searches matched nothing"):
        longline.harvest(Shelf(), tmp_path / "got")


@pytest.fixture
def pywb(tmp_path: Path) -> Iterator[Callable[[Path], str]]:
    """Yield a function that starts pywb on an archive and returns its address."""
    pytest.importorskip("pywb")
    running: list[subprocess.Popen[bytes]] = []
    bin_ = Path(sys.executable).parent

    def start(archive: Path) -> str:
        work = tmp_path / "pywb"
        work.mkdir()
        for command in (["init", "own"], ["add", "own", str(archive)]):
            subprocess.run(
                [bin_ / "wb-manager", *command], cwd=work, check=True, capture_output=True
            )
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        command = [bin_ / "wayback", "-p", str(port), "-b", "127.0.0.1"]
        with (work / "log").open("wb") as log:
            running.append(subprocess.Popen(command, cwd=work, stdout=log, stderr=log))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as there:
                if there.connect_ex(("127.0.0.1", port)) == 0:
                    return f"http://127.0.0.1:{port}/own/"
            time.sleep(0.2)
        raise AssertionError((work / "log").read_text())

    yield start
    for each in running:
        each.terminate()
        each.wait()


@pytest.mark.slow
def test_pywb_shows_the_pages_again(
    site_folder: Path, tmp_path: Path, pywb: Callable[[Path], str]
) -> None:
    """Result pages and documents are shown byte by byte as the site sent them."""
    longline.export(site_folder, "warc", tmp_path / "got.warc.gz")
    address = pywb(tmp_path / "got.warc.gz")
    found = of(records(tmp_path / "got.warc.gz"), "response")
    pages = [each for each in found if "text/html" in (each.http.get_header("Content-Type") or "")]
    held = {each.url: each.title for each in longline.open(site_folder).documents}
    assert len(pages) > 20
    for page in pages[:30]:
        stamp = re.sub(r"\D", "", page.headers["WARC-Date"])[:14]
        shown = httpx2.get(f"{address}{stamp}id_/{page.url}", trust_env=False)
        assert shown.content == page.raw
        if page.url in held:
            shown = httpx2.get(f"{address}{stamp}mp_/{page.url}", trust_env=False)
            assert held[page.url].split()[0] in shown.text
