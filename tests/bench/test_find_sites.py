"""Test the benchmark of real sites on a small site."""

import json
import tarfile
from pathlib import Path

import pytest
from bench.sites import find_sites

PAGES = {
    "index.html": "<title>Port</title><a href='log.html'>Log of ships</a><a href=t.html>Tides</a>"
    "<a href=a.html>Fees</a><a href=b.html>Cranes</a>",
    "a.html": "<title>Fees - Port</title><a href='/'>Home</a><p>What a berth is for a day</p>",
    "b.html": "<title>Cranes - Port</title><a href='/'>Home</a><p>Lifting thirty tons</p>",
    "log.html": "<title>Log of ships - Port</title><a href='/'>Home</a><p>Who came, who left</p>",
    "t.html": "<title>Tide tables - Port</title><a href='/'>Home</a><p>High and low water</p>",
}


@pytest.fixture
def shared_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder like the shared one, with a single site of five pages."""
    folder = tmp_path / "shared/sites"
    folder.mkdir(parents=True)
    for name, html in PAGES.items():
        (tmp_path / name).write_text(html)
    with tarfile.open(folder / "sites.tar.xz", "w:xz") as archive:
        for name in PAGES:
            archive.add(tmp_path / name, f"port/{name}")
    index = [
        {"site": "port", "start": "index.html", "target": "log.html", "query_words": ["ships"]}
    ]
    (folder / "index.json").write_text(json.dumps(index))
    monkeypatch.setenv("LONGLINE_SHARED", str(tmp_path / "shared"))
    return tmp_path


def test_table_of_a_site(shared_site: Path) -> None:
    """Each algorithm has a row for titles and one for picked pages, with its results."""
    out = shared_site / "out.json"
    arguments = ["--algorithm", "hound", "--algorithm", "ls2f", "--titles", "2"]
    find_sites.main([*arguments, "--json", str(out)])
    (table,) = json.loads(out.read_text())["tables"]
    rows = {(row[0], row[1]): row for row in table["rows"]}
    assert rows.keys() == {(a, k) for a in ("hound", "ls2f") for k in ("picked", "title", "all")}
    assert rows["hound", "title"][2:4] == [2, 1.0]
    assert rows["hound", "picked"][2:4] == [1, 1.0]
    assert all(1 <= row[4] <= 5 for row in table["rows"])
