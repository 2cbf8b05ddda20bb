"""Test where exports are written: completely or not at all, without overwriting, also to S3."""

import json
import os
import resource
import socket
import socketserver
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.exports.conftest import FULL, make_harvest

import longline
from longline.errors import FolderError, InputError
from longline.model import Document

LARGE = tuple(Document(f"k{n}", text=os.urandom(50_000).hex()) for n in range(20))
LIMIT_BYTES = 300_000

FILES = ("jsonl", "csv", "parquet", "sqlite", "warc")
FOLDERS = ("ro-crate", "hugging-face")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a harvest of 2 MB that cannot be compressed."""
    return make_harvest(tmp_path / "large", LARGE)


@pytest.mark.parametrize("to", ["jsonl", "sqlite", "ro-crate", "hugging-face"])
def test_what_is_there_is_not_replaced_unless_told(full: Path, tmp_path: Path, to: str) -> None:
    """Without force it is unchanged, with force it is replaced completely."""
    target = tmp_path / "out"
    longline.export(full, to, target)
    inside = target / "certificate.json" if target.is_dir() else target
    inside.write_text("mine")
    target.chmod(0o700)
    with pytest.raises(InputError, match="out exists; choose another name, or give force=True"):
        longline.export(full, to, target)
    assert inside.read_text() == "mine"
    longline.export(full, to, target, force=True)
    assert inside.read_bytes() != b"mine"
    if target.is_file():
        assert target.stat().st_mode & 0o777 == 0o700
    assert not list(tmp_path.glob(".*.new"))


@pytest.mark.parametrize("to", FOLDERS)
def test_only_a_former_export_is_replaced(full: Path, tmp_path: Path, to: str) -> None:
    """Even with force, a folder with other files stays as it is; one of another format goes."""
    deep = tmp_path / "deep"
    (deep / "a/b").mkdir(parents=True)
    (deep / "a/b/thesis.txt").write_text("mine")
    other = make_harvest(tmp_path / "other", FULL)
    former = tmp_path / "former"
    longline.export(full, "ro-crate", former)
    for folder in (deep, other):
        with pytest.raises(InputError, match="holds files that no export wrote, such as"):
            longline.export(full, to, folder, force=True)
    assert (deep / "a/b/thesis.txt").read_text() == "mine"
    assert len(longline.open(other).documents) == len(FULL)
    longline.export(full, to, former, force=True)
    assert (former / "ro-crate-metadata.json").exists() == (to == "ro-crate")
    (former / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match=r"such as (README\.md|certificate\.json)"):
        longline.export(full, to, former, force=True)


def test_a_manifest_alone_is_not_replaced_either(full: Path, tmp_path: Path) -> None:
    """The manifest may belong to something different."""
    (tmp_path / "out.manifest.json").write_text("mine")
    with pytest.raises(InputError, match=r"out\.manifest\.json exists"):
        longline.export(full, "csv", tmp_path / "out")


def test_a_file_does_not_become_a_folder(full: Path, tmp_path: Path) -> None:
    """A folder is never replaced by a file, even with force."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/precious").write_text("x")
    with pytest.raises(InputError, match="no export wrote, such as precious"):
        longline.export(full, "csv", tmp_path / "out", force=True)
    assert (tmp_path / "out/precious").read_text() == "x"
    (tmp_path / "out/precious").unlink()
    with pytest.raises(InputError, match="out is a folder, which this format is not"):
        longline.export(full, "csv", tmp_path / "out", force=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["full", "out"]


def test_a_link_is_followed(full: Path, tmp_path: Path) -> None:
    """The link's target is replaced, and the link is kept."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there/real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "there/real.csv")
    longline.export(full, "csv", tmp_path / "link.csv", force=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "there/real.csv").read_text().startswith('"key"')


@pytest.mark.slow
@pytest.mark.parametrize("to", [*FILES, *FOLDERS])
def test_a_full_disk_leaves_nothing(large: Path, tmp_path: Path, to: str) -> None:
    """The exit code is 3, existing files stay, and no partial file is left."""
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "got"
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT_BYTES}, -1))\n"
        "from longline.cli import main; main()"
    )
    # -B, since a compiled module that does not fit would be saved in part.
    command = [sys.executable, "-B", "-c", code, "export", large, "--to", to, "-o", target]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith(f"error: cannot write {target}: "), done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "out").iterdir()) == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


@pytest.mark.parametrize("to", [*FILES, *FOLDERS])
def test_a_damaged_harvest_leaves_nothing(large: Path, tmp_path: Path, to: str) -> None:
    """A partial file never gets the final name."""
    with closing(sqlite3.connect(large / "harvest.db")) as connection, connection:
        connection.execute("UPDATE documents SET text = x'00ff' WHERE key = 'k15'")
    connection.close()
    with pytest.raises(FolderError, match="damaged"):
        longline.export(large, to, tmp_path / "got")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["large"]


def test_a_killed_export_has_no_name(large: Path, tmp_path: Path) -> None:
    """Partial output is in a hidden folder, and the next export still works."""
    code = (
        "import os\n"
        "from longline.exports import Table\n"
        "row, rows = Table.row, []\n"
        "def killed(self, document):\n"
        "    rows.append(document.key)\n"
        "    if len(rows) == 5: os.kill(os.getpid(), 9)\n"
        "    return row(self, document)\n"
        "Table.row = killed\n"
        "from longline.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "export", large, "-o", tmp_path / "got"]
    assert subprocess.run(command, capture_output=True).returncode == -9
    assert not (tmp_path / "got").exists()
    assert longline.export(large, "jsonl", tmp_path / "got") == len(LARGE)


def test_an_interrupted_export_is_not_written(large: Path, tmp_path: Path) -> None:
    """Ctrl-C ends it at the next document, says so, and what was there stays."""
    (tmp_path / "got").write_text("of before")
    code = (
        "import os, signal, time\n"
        "from longline.exports import Table\n"
        "row, rows = Table.row, []\n"
        "def interrupted(self, document):\n"
        "    rows.append(document.key)\n"
        "    if len(rows) == 2: os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(0.1)\n"
        "    return row(self, document)\n"
        "Table.row = interrupted\n"
        "from longline.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "export", large, "-o", "got", "--force"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr.partition("\n")[0]) == (130, "got was not written")
    assert (tmp_path / "got").read_text() == "of before"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["got", "large"]


def test_a_pipe_is_written_to_as_it_is(full: Path, tmp_path: Path) -> None:
    """A pipe is not replaced, and gets no manifest."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert longline.export(full, "jsonl", pipe) == 3
    reader.join()
    assert read[0].count(b"\n") == 3
    assert not (tmp_path / "pipe.manifest.json").exists()


def test_places_that_are_none(full: Path, tmp_path: Path) -> None:
    """Each error says what is wrong."""
    with pytest.raises(InputError, match="there is no folder"):
        longline.export(full, "csv", tmp_path / "no" / "out.csv")
    with pytest.raises(InputError, match="Protocol not known: nosuch"):
        longline.export(full, "csv", "nosuch://x/y.csv")


def test_a_file_url_is_a_file(full: Path, tmp_path: Path) -> None:
    """It is written like any fsspec path, but renamed like a local file."""
    pytest.importorskip("fsspec")
    longline.export(full, "csv", f"file://{tmp_path}/out.csv")
    assert (tmp_path / "out.csv.manifest.json").is_file()


class Hangup(socketserver.BaseRequestHandler):
    """Forward requests to a server, and hang up for good after a number of bytes."""

    target: tuple[str, int]
    left_bytes: int

    def handle(self) -> None:
        kind = type(self)
        with socket.create_connection(kind.target) as upstream:
            back = threading.Thread(target=self._back, args=(upstream,), daemon=True)
            back.start()
            while kind.left_bytes > 0 and (piece := self.request.recv(65536)):
                kind.left_bytes -= len(piece)
                if kind.left_bytes > 0:
                    upstream.sendall(piece)

    def _back(self, upstream: socket.socket) -> None:
        try:
            while piece := upstream.recv(65536):
                self.request.sendall(piece)
        except OSError:
            pass


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    """Yield the address of Moto's S3 server on loopback."""
    moto = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    """Return a bucket, read with another library than the one that writes."""
    import boto3

    for name, value in {
        "AWS_ENDPOINT_URL": s3_server,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[-40:]
    found = boto3.resource("s3", endpoint_url=s3_server).Bucket(name.strip("-").replace("_", "-"))
    found.create()
    return found


def names(bucket: Any) -> list[str]:
    return sorted(each.key for each in bucket.objects.all())


@pytest.mark.slow
def test_s3_takes_a_file_with_its_manifest(full: Path, tmp_path: Path, bucket: Any) -> None:
    """The object equals a local export."""
    longline.export(full, "jsonl", tmp_path / "out.jsonl")
    longline.export(full, "jsonl", f"s3://{bucket.name}/deep/out.jsonl")
    assert names(bucket) == ["deep/out.jsonl", "deep/out.jsonl.manifest.json"]
    body = bucket.Object("deep/out.jsonl").get()["Body"].read()
    assert body == (tmp_path / "out.jsonl").read_bytes()
    with pytest.raises(InputError, match=r"out\.jsonl exists"):
        longline.export(full, "jsonl", f"s3://{bucket.name}/deep/out.jsonl")
    longline.export(full, "csv", f"s3://{bucket.name}/deep/out.jsonl", force=True)
    assert bucket.Object("deep/out.jsonl").get()["Body"].read().startswith(b'"key"')


@pytest.mark.slow
def test_s3_takes_a_folder(full: Path, bucket: Any) -> None:
    """All files are written; with force, old files that are not among the new are deleted."""
    longline.export(full, "hugging-face", f"s3://{bucket.name}/set")
    assert names(bucket) == [
        "set/README.md",
        "set/certificate.json",
        "set/data/train-00000-of-00001.parquet",
        "set/manifest.json",
    ]
    manifest = json.loads(bucket.Object("set/manifest.json").get()["Body"].read())
    assert {f"set/{each['name']}" for each in manifest["files"]} == {
        each for each in names(bucket) if not each.endswith("manifest.json")
    }
    with pytest.raises(InputError, match="set exists"):
        longline.export(full, "ro-crate", f"s3://{bucket.name}/set")
    longline.export(full, "ro-crate", f"s3://{bucket.name}/set", force=True)
    assert "set/README.md" not in names(bucket)
    assert "set/ro-crate-metadata.json" in names(bucket)
    bucket.put_object(Key="set/mine.txt", Body=b"mine")
    with pytest.raises(InputError, match=r"no export wrote, such as mine\.txt"):
        longline.export(full, "ro-crate", f"s3://{bucket.name}/set", force=True)
    assert "set/mine.txt" in names(bucket)


@pytest.mark.slow
@pytest.mark.parametrize("to", ["jsonl", "ro-crate"])
def test_a_lost_connection_leaves_nothing(
    large: Path, bucket: Any, s3_server: str, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    """No object gets the final name, not even a partial one."""
    host, _, port = s3_server.removeprefix("http://").partition(":")
    cut = type("Cut", (Hangup,), {"target": (host, int(port)), "left_bytes": 500_000})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), cut) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{proxy.server_address[1]}")
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        with pytest.raises(InputError, match=r"cannot write s3://.*check the name"):
            longline.export(large, to, f"s3://{bucket.name}/got")
        proxy.shutdown()
    assert [name for name in names(bucket) if name.endswith(("got", "documents.jsonl"))] == []
    assert not any(name.endswith("manifest.json") for name in names(bucket))


def test_s3_that_cannot_be_reached(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is raised before anything is written."""
    pytest.importorskip("s3fs")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{unused.getsockname()[1]}")
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
        with pytest.raises(InputError, match="cannot write s3://bucket/x"):
            longline.export(full, "jsonl", "s3://bucket/x")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "to", "extra"),
    [
        ("pyarrow", "parquet", "arrow"),
        ("cdxj_indexer", "wacz", "archive"),
        ("warcio", "warc", "archive"),
        ("pyarrow", "hugging-face", "arrow"),
        ("fsspec", "jsonl", "objects"),
    ],
)
def test_a_package_that_is_missing(
    full: Path, tmp_path: Path, module: str, to: str, extra: str
) -> None:
    """The error names the package and the extra to install."""
    target = "s3://bucket/x" if module == "fsspec" else str(tmp_path / "out")
    code = f"import sys; sys.modules[{module!r}] = None; from longline.cli import main; main()"
    command = [sys.executable, "-c", code, "export", full, "--to", to, "-o", target]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert module in done.stderr
    assert f"pip install 'longline[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
