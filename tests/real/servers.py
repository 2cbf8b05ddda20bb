"""Run search servers by other authors on loopback, loaded with our texts.

Each is a context manager that yields the address of the server's home page. `Missing` names what
this machine lacks for a server; everything stops with the test.
"""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2

SECONDS_TO_START = 60


class Missing(RuntimeError):
    """A program or package is not installed on this machine."""


def free_port() -> int:
    """Return an unused port on loopback."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], url: str, folder: Path, **env: str) -> Iterator[str]:
    """Run a server until the block ends; yield its address once it responds."""
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, **env},
            start_new_session=True,
        )
        try:
            _wait(server, url, folder)
            yield url
        finally:
            # This includes its workers, which PHP's server would leave running.
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait(server: subprocess.Popen[bytes], url: str, folder: Path) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until:
        if server.poll() is not None:
            break
        try:
            httpx2.get(url, timeout=5)
        except httpx2.TransportError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"no answer from {url}: {(folder / 'server.log').read_text()[-500:]}")


def program(name: str) -> str:
    """Return the path of a program, next to this Python or on the search path.

    Raises:
        Missing: The program is not installed.
    """
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if not found:
        raise Missing(f"{name} is not installed")
    return found


Texts = Sequence[tuple[str, str, str]]
"""Key, title and text of each document."""


@contextmanager
def datasette(texts: Texts, folder: Path, *, canned: bool = False) -> Iterator[str]:
    """Run Datasette over SQLite's full-text search, with Porter's stemmer.

    Args:
        texts: All in one table.
        folder: For the database.
        canned: Yield the address of a query with at most 50 rows, no total and no next page,
            instead of the home page.
    """
    command = program("datasette")
    base = folder / "packages.db"
    db = sqlite3.connect(base)
    db.executescript(
        """
        create table packages (package text primary key, short text, description text);
        create virtual table packages_fts using fts5(
            package, short, description, content="packages", tokenize='porter'
        );
        """
    )
    db.executemany("insert into packages values (?, ?, ?)", texts)
    db.execute("insert into packages_fts (packages_fts) values ('rebuild')")
    db.commit()
    db.close()
    (folder / "metadata.json").write_text(
        """{"databases": {"packages": {"queries": {"find": {"sql":
        "select package, short, description from packages where rowid in
         (select rowid from packages_fts where packages_fts match escape_fts(:q)
          order by rank limit 50)"}}}}}""".replace("\n", " ")
    )
    port = free_port()
    home = f"http://127.0.0.1:{port}/"
    options = ["-p", str(port), "--metadata", "metadata.json", "--setting", "default_allow_sql"]
    with running([command, str(base), *options, "off"], home, folder):
        yield f"{home}packages/find?q=library" if canned else home


@contextmanager
def kiwix(texts: Texts, folder: Path) -> Iterator[str]:
    """Run kiwix-serve over a ZIM file with a full-text index."""
    command = program("kiwix-serve")
    try:
        from libzim.writer import Creator, Hint, Item, StringProvider
    except ImportError:
        raise Missing("libzim is not installed") from None

    class Page(Item):  # type: ignore[misc]
        def __init__(self, key: str, title: str, text: str) -> None:
            super().__init__()
            self._key, self._title, self._text = key, title, text

        def get_path(self) -> str:
            return self._key

        def get_title(self) -> str:
            return self._title

        def get_mimetype(self) -> str:
            return "text/html"

        def get_contentprovider(self) -> StringProvider:
            return StringProvider(
                f"<html><head><title>{escape(self._title)}</title></head><body>"
                f"<h1>{escape(self._title)}</h1><p>{escape(self._text)}</p></body></html>"
            )

        def get_hints(self) -> dict[Hint, bool]:
            return {Hint.FRONT_ARTICLE: True}

    path = folder / "packages.zim"
    with Creator(path).config_indexing(True, "eng") as zim:
        zim.set_mainpath(texts[0][0])
        for name, value in {"Title": "Packages", "Language": "eng", "Name": "packages"}.items():
            zim.add_metadata(name, value)
        for key, title, text in texts:
            zim.add_item(Page(key, title, text))
    port = free_port()
    home = f"http://127.0.0.1:{port}/"
    with running([command, "-i", "127.0.0.1", "-p", str(port), str(path)], home, folder):
        yield home


@contextmanager
def omega(texts: Texts, folder: Path) -> Iterator[str]:
    """Run Xapian Omega as a CGI program behind Python's own server."""
    index = program("scriptindex")
    program_file = Path("/usr/lib/cgi-bin/omega/omega")
    if not program_file.exists():
        raise Missing("xapian-omega's CGI program is not installed")
    (folder / "index.script").write_text(
        "url : field=url boolean=Q unique=Q\n"
        "title : field=title index=S index\n"
        "sample : field=sample index truncate=200\ntext : index\n"
    )
    dump = "\n\n".join(
        f"url=/doc/{key}.html\ntitle={_line(title)}\nsample={_line(text)}\ntext={_line(text)}"
        for key, title, text in texts
    )
    (folder / "dump").write_text(dump + "\n")
    (folder / "data").mkdir()
    run_once(
        [index, str(folder / "data/default"), str(folder / "index.script"), str(folder / "dump")]
    )
    for name in ("cgi-bin", "log"):
        (folder / name).mkdir()
    write_pages(texts, folder / "doc")
    (folder / "omega.conf").write_text(
        f"database_dir {folder}/data\ntemplate_dir /usr/share/xapian-omega/templates\n"
        f"log_dir {folder}/log\ncdb_dir {folder}\n"
    )
    script = folder / "cgi-bin" / "omega"
    script.write_text(
        f"#!/bin/sh\nexport OMEGA_CONFIG_FILE={folder}/omega.conf\nexec {program_file}\n"
    )
    script.chmod(0o755)
    with cgi(folder, "cgi-bin/omega") as home:
        yield home


@contextmanager
def cgi(folder: Path, home: str) -> Iterator[str]:
    """Run Python's own server, which runs the programs in the folder's cgi-bin."""
    port = free_port()
    # As root it would run programs as nobody, who may not read a test's folder.
    serve = (
        "import os, http.server as s; s.nobody_uid = os.getuid;"
        f"s.test(s.CGIHTTPRequestHandler, s.ThreadingHTTPServer, port={port}, bind='127.0.0.1')"
    )
    with running([sys.executable, "-c", serve], f"http://127.0.0.1:{port}/{home}", folder) as url:
        yield url


def write_pages(texts: Texts, folder: Path) -> None:
    """Write each document as an HTML page, named by its key."""
    folder.mkdir()
    for key, title, text in texts:
        page = f"<title>{escape(title)}</title><h1>{escape(title)}</h1><p>{escape(text)}</p>"
        (folder / f"{key}.html").write_text(page, encoding="utf-8")


@contextmanager
def mediawiki(texts: Texts, folder: Path) -> Iterator[str]:
    """Run MediaWiki over SQLite behind PHP's own server."""
    php = program("php")
    code = Path("/usr/share/mediawiki")
    if not (code / "maintenance/install.php").exists():
        raise Missing("mediawiki is not installed")
    port = free_port()
    home = f"http://127.0.0.1:{port}"
    wiki = folder / "wiki"
    shutil.copytree(code, wiki, symlinks=False, ignore_dangling_symlinks=True)
    (wiki / "LocalSettings.php").unlink(missing_ok=True)
    install = ["--dbtype", "sqlite", "--dbpath", str(folder), "--server", home]
    names = ["--scriptpath", "", "--pass", "longline-test-1", "Packages", "Admin"]
    run_once([php, str(wiki / "maintenance/install.php"), *install, *names], cwd=wiki)
    settings = wiki / "LocalSettings.php"
    extra = "\n$wgSearchType = 'SearchSqlite';\n$wgJobRunRate = 0;\n$wgDisableCounters = true;\n"
    settings.write_text(settings.read_text() + extra)
    import_pages(texts, folder)
    run_once([php, str(wiki / "maintenance/rebuildtextindex.php")], cwd=wiki)
    command = [php, "-S", f"127.0.0.1:{port}", "-t", str(wiki)]
    with running(command, f"{home}/index.php", folder, PHP_CLI_SERVER_WORKERS="4"):
        yield f"{home}/index.php"


def import_pages(texts: Texts, folder: Path) -> None:
    """Import pages into the MediaWiki of a folder."""
    wiki, pages = folder / "wiki", folder / "pages.xml"
    pages.write_text(_dump(texts), encoding="utf-8")
    load = [program("php"), str(wiki / "maintenance/importDump.php"), "--no-updates", "--quiet"]
    run_once([*load, str(pages)], cwd=wiki)


def _dump(texts: Texts) -> str:
    pages = "".join(
        f"<page><title>{escape(title_of(key))}</title><ns>0</ns><id>{n}</id><revision><id>{n}</id>"
        f"<timestamp>2026-01-01T00:00:00Z</timestamp><model>wikitext</model>"
        f"<format>text/x-wiki</format><text>{escape(title)}\n\n{escape(text)}</text>"
        f"</revision></page>\n"
        for n, (key, title, text) in enumerate(texts, start=100)
    )
    space = 'xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"'
    return f"<mediawiki {space}>\n{pages}</mediawiki>\n"


def title_of(key: str) -> str:
    """Return the title of a text's page."""
    return key.replace("+", " plus ")


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def run_once(
    command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> None:
    """Run a program to its end, with additional environment variables; it must succeed."""
    done = subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        check=False,
        timeout=900,
        env={**os.environ, **(env or {})},
    )
    if done.returncode:
        told = (done.stdout + done.stderr).decode("utf-8", "replace")[-500:]
        raise RuntimeError(f"{' '.join(map(str, command[:3]))}: {told}")
