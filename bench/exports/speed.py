"""Export a large harvest to every format, and compare with a bare loop that writes the same rows.

    python -m bench.exports.speed              # 100,000 documents; prints the table
    python -m bench.exports.speed --documents 10000

Each export and each bare loop runs in its own process. Seconds are CPU seconds, so that other work
on the machine matters little; memory is the peak of the process. A bare loop only reads the rows of
`harvest.db` with sqlite3 and writes them with the library of the format: it detects no columns, and
checks, renames and summarises nothing.
"""

import argparse
import csv
import io
import json
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from bench.exports.shelf import shelf

import longline
from longline.events import DocumentReceived
from longline.harvester import read_ledger
from longline.ledger import to_json
from longline.model import Capture, Document
from longline.store import Segments

FORMATS = ("jsonl", "csv", "parquet", "sqlite", "warc", "wacz", "ro-crate", "hugging-face")
WORDS = 300
"""Words in a document's text."""


def document(number: int, words: list[str], rng: np.random.Generator) -> Document:
    """Return a document of about 2 kB with four fields."""
    text = " ".join(words[place] for place in rng.integers(0, len(words), WORDS))
    fields = {
        "year": 1900 + number % 120,
        "price": number / 8,
        "date": f"20{number % 25:02}-03-{1 + number % 28:02}",
        "by": ("Ada", f"Author {number % 500}"),
    }
    url = f"https://shelf.example/documents/{number}"
    return Document(f"k{number}", url, f"Document {number}", text, "en", fields)


def make(folder: Path, documents: int, *, keeps_pages: bool) -> None:
    """Make a harvest; optionally keep every page as it was sent."""
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abcdefghijklmnop"), 6)) for _ in range(20_000)]
    segments = Segments(folder, "https://shelf.example/")
    with shelf(folder) as store:
        for start in range(0, documents, 1000):
            some = [document(n, words, rng) for n in range(start, min(start + 1000, documents))]
            for each in some if keeps_pages else ():
                segments.keep(capture(each))
            store.record(*map(DocumentReceived, some))
    segments.close()
    (folder / "certificate.json").write_bytes(to_json(read_ledger(folder)[1]))


def capture(each: Document) -> Capture:
    """Return a capture of a document's page."""
    body = f"<html><title>{each.title}</title><p>{each.text}</html>".encode()
    return Capture(
        url=each.url,
        method="GET",
        target=each.url.removeprefix("https://shelf.example").encode(),
        began=1_700_000_000.0,
        protocol="HTTP/1.1",
        status=200,
        reason="OK",
        request_headers=((b"Host", b"shelf.example"), (b"Accept", b"*/*")),
        request_body=b"",
        headers=((b"Content-Type", b"text/html"), (b"Content-Length", b"%d" % len(body))),
        body=body,
    )


def rows(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows as sqlite3 returns them, with the fields as columns."""
    connection = sqlite3.connect(folder / "harvest.db")
    names = ("key", "url", "title", "text", "language")
    select = f"SELECT {', '.join(names)}, fields FROM documents ORDER BY arrival"
    for *texts, fields in connection.execute(select):
        yield dict(zip(names, texts, strict=True)) | msgspec.json.decode(fields)
    connection.close()


def bare_jsonl(folder: Path, out: Path) -> None:
    with out.open("wb") as stream:
        for row in rows(folder):
            stream.write(msgspec.json.encode(row) + b"\n")


def bare_csv(folder: Path, out: Path) -> None:
    with out.open("w", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        for row in rows(folder):
            writer.writerow(row.values())


def bare_parquet(folder: Path, out: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    found, writer = rows(folder), None
    while batch := list(islice(found, 10_000)):
        table = pa.Table.from_pylist(batch)
        if writer is None:
            writer = pq.ParquetWriter(out, table.schema, compression="zstd")
        writer.write_table(table)
    if writer is not None:
        writer.close()


def bare_sqlite(folder: Path, out: Path) -> None:
    connection = sqlite3.connect(out)
    first = next(rows(folder))
    connection.execute(f"CREATE TABLE documents ({', '.join(first)}, UNIQUE (key))")
    places = ", ".join("?" * len(first))
    connection.executemany(
        f"INSERT INTO documents VALUES ({places})",
        ((*list(row.values())[:-1], json.dumps(row["by"])) for row in rows(folder)),
    )
    connection.execute("CREATE VIRTUAL TABLE fts USING fts5(title, text, content='documents')")
    connection.execute("INSERT INTO fts (fts) VALUES ('rebuild')")
    connection.commit()
    connection.close()


def bare_warc(folder: Path, out: Path) -> None:
    with out.open("wb") as stream:
        _bare_warc(folder, stream)


def _bare_warc(folder: Path, stream: Any) -> None:
    from warcio.warcwriter import WARCWriter

    for path in sorted((folder / "warc").iterdir()):
        with path.open("rb") as segment:
            shutil.copyfileobj(segment, stream)
    writer = WARCWriter(stream, gzip=True, warc_version="1.1")
    for row in rows(folder):
        body = io.BytesIO(msgspec.json.encode(row))
        record = writer.create_warc_record(
            row["url"], "conversion", payload=body, warc_content_type="application/json"
        )
        writer.write_record(record)


def bare_wacz(folder: Path, out: Path) -> None:
    from cdxj_indexer.main import CDXJIndexer

    with zipfile.ZipFile(out, "w") as archive, tempfile.TemporaryFile() as packed:
        with archive.open("archive/data.warc.gz", "w", force_zip64=True) as warc:
            _bare_warc(folder, warc)
        blocks = io.StringIO()
        with archive.open("archive/data.warc.gz") as warc:
            CDXJIndexer(
                blocks,
                [warc],
                sort=True,
                post_append=True,
                compress=packed,
                data_out_name="index.cdx.gz",
                filename="data.warc.gz",
            ).process_all()
        packed.seek(0)
        with archive.open("indexes/index.cdx.gz", "w") as index:
            shutil.copyfileobj(packed, index)
        pages = zipfile.ZipInfo("pages/pages.jsonl")
        pages.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(pages, "w", force_zip64=True) as lines:
            for row in rows(folder):
                lines.write(msgspec.json.encode(row) + b"\n")


BARE: dict[str, Callable[[Path, Path], None]] = {
    "jsonl": bare_jsonl,
    "csv": bare_csv,
    "parquet": bare_parquet,
    "sqlite": bare_sqlite,
    "warc": bare_warc,
    "wacz": bare_wacz,
    "ro-crate": bare_jsonl,
    "hugging-face": bare_parquet,
}


def measured(folder: Path, how: str, to: str, out: Path) -> tuple[float, float]:
    """Return the seconds and the megabytes that an export uses in its own process."""
    command = [sys.executable, "-m", "bench.exports.speed", "--one", how, to]
    done = subprocess.run(
        [*command, "--folder", str(folder), "--out", str(out)], check=True, capture_output=True
    )
    seconds, megabytes = json.loads(done.stdout)
    return seconds, megabytes


def one(folder: Path, how: str, to: str, out: Path) -> None:
    """Run one export or one bare loop, and print what it used."""
    began = time.process_time()
    if how == "bare":
        BARE[to](folder, out)
    else:
        longline.export(folder, to, out)
    seconds = time.process_time() - began
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=3, help="runs of each; the fastest counts")
    parser.add_argument("--only", nargs="*", default=FORMATS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.folder, *given.one, given.out)
        return
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "harvest"
        folder.mkdir()
        make(folder, given.documents, keeps_pages=bool({"warc", "wacz"} & {*given.only}))
        print("| format | seconds | bare loop | share of its speed | memory, MB | bare, MB |")
        print("|---|---|---|---|---|---|")
        for to in given.only:
            runs: dict[str, list[tuple[float, float]]] = {"bare": [], "export": []}
            for time_ in range(given.times):
                for how, found in runs.items():
                    out = Path(work) / f"{how}-{time_}"
                    found.append(measured(folder, how, to, out))
                    for left in Path(work).glob(f"{out.name}*"):
                        shutil.rmtree(left) if left.is_dir() else left.unlink()
            (bare, bare_mb), (seconds, mb) = min(runs["bare"]), min(runs["export"])
            share = f"{bare / seconds:.2f}"
            print(
                f"| {to} | {seconds:.1f} | {bare:.1f} | {share} | {mb:.0f} | {bare_mb:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
