"""Test real search servers: found from their home page, learnt, harvested, certified.

They are loaded with Debian's package descriptions. `make test-real` runs the tests; servers that
are not installed are skipped, with the reason. `LONGLINE_REAL=10000` limits the documents.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from tests.real import blog_servers, debian, late_servers, library_servers, old_servers, servers

import longline
from longline.ledger import Certificate

pytestmark = [pytest.mark.real, pytest.mark.timeout(1800)]

MOST = int(os.environ.get("LONGLINE_REAL", "20000"))
"""Maximum number of documents that a server is loaded with."""

Serve = Callable[[servers.Texts, Path], AbstractContextManager[str]]


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory) -> servers.Texts:
    """Return Debian's package descriptions, in a fixed mixed order."""
    kept = os.environ.get("LONGLINE_DEBIAN")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("debian")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        found = debian.packages(folder)
    except RuntimeError as error:
        pytest.skip(str(error))
    return [(each.id, each.title, each.text) for each in debian.some(found, 63_000)]


def harvest(source: str, folder: Path, *options: object) -> dict[str, Any]:
    """Run `longline harvest` as a user would; return the certificate."""
    command = [sys.executable, "-m", "longline", "harvest", source, "--allow-private"]
    command += ["-o", str(folder), "--json", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1700)
    assert done.returncode in (0, 3), done.stderr[-2000:]
    sys.stderr.write(done.stderr[-1500:])
    certificate: dict[str, Any] = json.loads(done.stdout)
    return certificate


def learn(home: str, spec: Path) -> None:
    """Run `longline discover URL` as a user would, even if a preset knows the source."""
    command = [sys.executable, "-m", "longline", "discover", home, "--allow-private"]
    done = subprocess.run(
        [*command, "-o", str(spec)], capture_output=True, text=True, check=False, timeout=600
    )
    sys.stderr.write(done.stderr[-1500:])
    assert done.returncode in (0, 3), done.stderr[-2000:]


def show(name: str, documents: int, certificate: dict[str, Any]) -> None:
    """Print the row for the table in docs/research/real-sources.md."""
    low, high = certificate["size_low"], certificate["size_high"]
    print(
        f"\n{name}: HR {certificate['documents'] / documents:.3f}, OR "
        f"{certificate['overlapping_rate']:.2f}, {certificate['requests']} requests "
        f"({certificate['discovery_requests']} to find and learn it, "
        f"{certificate['result_pages']} result pages), size {certificate['size']} "
        f"({low}-{high}) of {documents}"
    )


@pytest.mark.parametrize(
    ("serve", "documents", "least"),
    [
        (servers.datasette, 20_000, 0.97),
        (servers.kiwix, 20_000, 0.97),
        (servers.omega, 20_000, 0.97),
        (servers.mediawiki, 5_000, 0.97),
        (lambda texts, folder: servers.datasette(texts, folder, canned=True), 20_000, 0.90),
        (library_servers.zebra, 20_000, 0.97),
        (blog_servers.wordpress, 5_000, 0.97),
        (old_servers.namazu, 20_000, 0.97),
        (old_servers.swish, 20_000, 0.97),
        (old_servers.htdig, 5_000, 0.97),
        (late_servers.groonga, 20_000, 0.97),
        (late_servers.public_inbox, 3_000, 0.97),
    ],
    ids=[
        *("datasette", "kiwix", "omega", "mediawiki", "canned"),
        *("zebra", "wordpress", "namazu", "swish", "htdig"),
        *("groonga", "public-inbox"),
    ],
)
def test_server_is_found_learnt_and_harvested(
    serve: Serve,
    documents: int,
    least: float,
    texts: servers.Texts,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    """From the home page's address nearly all is saved, and the certificate agrees."""
    documents = min(documents, MOST)
    try:
        with serve(texts[:documents], tmp_path) as home:
            certificate = harvest(home, tmp_path / "harvest")
    except servers.Missing as error:
        pytest.skip(str(error))
    show(request.node.callspec.id, documents, certificate)
    assert set(certificate) == set(Certificate.__struct_fields__)
    assert certificate["documents"] >= least * documents
    assert certificate["size_low"] <= 1.02 * documents
    assert certificate["size_high"] >= 0.98 * documents


def test_a_wiki_is_harvested_by_its_pages_too(texts: servers.Texts, tmp_path: Path) -> None:
    """Without its API, which the preset uses, a wiki's search page is enough."""
    documents = 2_000  # a wiki takes a tenth of a second per page
    try:
        with servers.mediawiki(texts[:documents], tmp_path) as home:
            learn(home, tmp_path / "source.toml")
            certificate = harvest(str(tmp_path / "source.toml"), tmp_path / "harvest")
    except servers.Missing as error:
        pytest.skip(str(error))
    show("mediawiki, its pages", documents, certificate)
    assert certificate["documents"] >= 0.97 * documents
    assert certificate["size_low"] <= 1.02 * documents
    assert certificate["size_high"] >= 0.98 * documents


def test_datasette_is_brought_up_to_date(texts: servers.Texts, tmp_path: Path) -> None:
    """The update reports exactly what sqlite-utils added, changed and removed."""
    sqlite_utils = pytest.importorskip("sqlite_utils")
    size = 2_000
    try:
        with servers.datasette(texts[:size], tmp_path) as home:
            first = longline.harvest(home, tmp_path / "harvest", allow_private=True)
            table = sqlite_utils.Database(tmp_path / "packages.db")["packages"]
            table.insert_all(
                {"package": key, "short": title, "description": text}
                for key, title, text in texts[size : size + 100]
            )
            for key, title, _ in texts[:60]:
                table.update(key, {"short": f"{title} (amended)"})
            for key, _, _ in texts[60:100]:
                table.delete(key)
            table.rebuild_fts()
            again = longline.update(tmp_path / "harvest", allow_private=True)
    except servers.Missing as error:
        pytest.skip(str(error))
    counts = again.certificate.update
    assert counts is not None
    print(f"\ndatasette, updated: {counts}, {again.certificate.requests} requests")
    print(f"of {first.certificate.requests} for the first harvest")
    assert counts.unchecked == 0
    assert (counts.new, counts.gone) == (100, 40)
    assert counts.changed == 60


def test_mediawiki_is_brought_up_to_date(texts: servers.Texts, tmp_path: Path) -> None:
    """The update reports the pages that MediaWiki's scripts imported, edited and deleted."""
    size, new, changed, gone = 300, 15, 9, 6
    wiki = tmp_path / "wiki" / "maintenance"

    def script(name: str, *words: str, text: str = "") -> None:
        command = ["php", str(wiki / name), *words]
        subprocess.run(command, input=text, text=True, check=True, capture_output=True)

    try:
        with servers.mediawiki(texts[:size], tmp_path) as home:
            first = longline.harvest(home, tmp_path / "harvest", allow_private=True)
            servers.import_pages(texts[size : size + new], tmp_path)
            for key, title, text in texts[:changed]:
                script("edit.php", "-u", "Admin", servers.title_of(key), text=f"{title}, {text} x")
            deleted = [servers.title_of(key) for key, _, _ in texts[changed : changed + gone]]
            (tmp_path / "deleted").write_text("\n".join(deleted))
            script("deleteBatch.php", str(tmp_path / "deleted"))
            script("rebuildtextindex.php")
            again = longline.update(tmp_path / "harvest", allow_private=True)
    except servers.Missing as error:
        pytest.skip(str(error))
    counts = again.certificate.update
    assert counts is not None
    print(f"\nmediawiki, updated: {counts}, {again.certificate.requests} requests")
    print(f"of {first.certificate.requests} for the first harvest")
    held = first.certificate.documents / (size + 1)  # the main page is one, too
    assert held > 0.95
    assert new <= counts.new <= new + size + 1 - first.certificate.documents
    assert held * gone - 1 <= counts.gone <= gone
    assert held * changed - 1 <= counts.changed <= changed
