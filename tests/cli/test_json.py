"""JSON output: commands print exactly the keys that the documentation lists."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.cli.conftest import Run
from tests.command_line import longline

from longline.api import Ended, standing
from longline.cli.commands.fleet.sources import _told
from longline.cli.commands.fleet.work import _plain
from longline.comparison import Outcome
from longline.fleet.export import Part
from longline.harvester.standing import Brief
from longline.ledger import Certificate, ChartRow, Happened, decode
from longline.notices import Notice
from longline.queue import Counts, Row
from longline.simulate import Searcher, read_corpus, running_site

PAGE = Path(__file__).parents[2] / "docs/reference/json.md"


def keys_of(line: str) -> frozenset[str]:
    """Return the keys in a row of the table, including those with an explanation."""
    return frozenset(re.findall(r"`([a-z_]+)`", re.sub(r"\([^()]*\)", "", line)))


def table() -> dict[str, frozenset[str]]:
    """Return the keys of each output, by the first cell of its row."""
    part = PAGE.read_text().partition("## Outputs")[2].partition("## Errors")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")][1:]
    found: dict[str, frozenset[str]] = {}
    for name, keys in rows:
        found[name.strip()] = keys_of(keys)
    return found


def row(begins: str) -> frozenset[str]:
    """Return the keys of the output whose row begins with this text."""
    (keys,) = (keys for name, keys in table().items() if name.startswith(begins))
    return keys


def fields(kind: type[msgspec.Struct]) -> set[str]:
    """Return a struct's field names in JSON."""
    return set(kind.__struct_encode_fields__)


@pytest.fixture(scope="module")
def two(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with two harvests of a site that is up."""
    folder, few = tmp_path_factory.mktemp("two"), ("--max-requests", 60)
    with running_site(Searcher(read_corpus(str(corpus)), limit=50, page_size=10)) as url:
        for name in ("got", "second"):
            longline(
                folder, "harvest", f"{url}/", "-o", name, "--listing-only", "--allow-private", *few
            )
        yield folder


@pytest.fixture
def printed(run: Run, two: Path, tmp_path: Path) -> Any:
    """Runs a command with --json in a copy of that folder; returns the parsed output."""
    shutil.copytree(two, tmp_path, dirs_exist_ok=True)

    def call(*arguments: object) -> Any:
        done = run(*arguments, "--json")
        assert done.returncode in (0, 3), done.stderr
        return json.loads(done.stdout)

    return call


def test_each_command_prints_the_keys_of_its_row(printed: Any, run: Run, tmp_path: Path) -> None:
    """Commands that read or export a harvest print exactly the documented keys."""
    assert set(printed("status", "got")) == row("`status` of one")
    assert set(printed("status", "got", "--watch")) == row("`status --watch`")
    assert {frozenset(each) for each in printed("status", ".")} == {row("`status` of several")}
    first = printed("status", "got")["chart"][0]
    assert set(first) == fields(ChartRow)
    assert set(printed("status", "got")["certificate"]) == fields(Certificate)
    told = printed("answer", "got", first["query"])
    assert set(told) == row("`answer`")
    assert set(told["pages"][0]) == row("each of its `pages`")
    lines = run("log", "got", "--json").stdout.splitlines()
    assert set().union(*map(json.loads, lines)) <= row("`log`") == fields(Happened)
    assert set(printed("export", "got", "-o", "got.csv", "--to", "csv")) == row("`export`")
    manifest = json.loads((tmp_path / "got.csv.manifest.json").read_text())
    assert set(manifest) == row("the file `OUT.manifest.json`")
    assert set(printed("report", "got")) == row("`report`")
    assert set(printed("doctor", "got")) == row("`doctor`")
    told = printed("budget", "got", "--max-requests", 90)
    assert set(told) == row("`pause`") | row("`budget`")
    assert told["budget"] == {"requests": {"allowed": 90, "used": 60}}
    differences = run("diff", "got", "second", "--json").stdout.splitlines()
    assert all(set(json.loads(line)) == row("`diff`") for line in differences)
    assert run("export", "got", "--json").returncode == 2


def test_what_needs_no_harvest_prints_the_keys_of_its_row(run: Run, corpus: Path) -> None:
    """`presets`, `strategies` and `cover` print exactly the documented keys."""
    for command in ("presets", "strategies"):
        listed = json.loads(run(command, "--json").stdout)
        assert {frozenset(each) for each in listed} == {row(f"`{command}`")}
    told = json.loads(run("cover", corpus, "--json", "--sample", 50, "--no-bound").stdout)
    assert set(told) == row("`cover`")
    assert row("each of its `runs`") == fields(Outcome)


@pytest.mark.slow
def test_what_asks_a_site_prints_the_keys_of_its_row(run: Run, site: str, tmp_path: Path) -> None:
    """`plan`, `discover` and `find` print exactly the documented keys."""
    asked = ("--allow-private", "--json")
    assert set(json.loads(run("plan", f"{site}/", *asked).stdout)) == row("`plan`")
    learnt = set(json.loads(run("discover", f"{site}/", *asked).stdout))
    assert learnt | {"changes"} == row("`discover`")
    found = json.loads(run("find", f"{site}/", "opening", "hours", *asked).stdout)
    assert set(found) == row("`find`")


def test_the_keys_of_structs_are_those_of_their_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """The structs behind run, fleet and notice output have exactly the documented keys."""
    assert row("`status` of several") == fields(Ended)
    assert row("`pause`") == fields(Brief)
    assert row("`--notify`") | row("`pause`") == fields(Notice)
    assert row("`fleet run`") - {"sources"} == {*Counts._fields, "incomplete"}
    source = Row(1, "u", "h", "", "ended", 0, 1, None, None, "complete", "", 1, 2, "", 0.0)
    assert row("each of its `sources`") == set(_plain(source))
    assert row("each of its `parts`") == fields(Part)
    _told("paused", 3, json=True)
    assert set(json.loads(capsys.readouterr().out)) == row("`fleet pause`")


def test_a_certificate_of_the_version_before_is_read(
    printed: Any, run: Run, tmp_path: Path
) -> None:
    """Certificates, standing.json and sources.jsonl with the previous key names are read."""
    before = printed("status", ".")
    folder = tmp_path / "got"
    stood, whole = standing(folder), json.loads((folder / "certificate.json").read_text())
    whole["truncations"] = [{"query": "a", "cut": "capped", "claimed": 9, "received": 5}]
    whole["discrepancies"] = [{"query": "a", "kind": "count", "claimed": 9, "found": 5}]
    (folder / "certificate.json").write_text(json.dumps(whole))
    read = decode((folder / "certificate.json").read_bytes(), Certificate)
    assert read.truncations[0].reported == read.discrepancies[0].reported == 9
    text = (folder / "standing.json").read_text()
    for now, then in (
        ("stopped", "error"),
        ("documents_failed", "failed_documents"),
        ("truncated_queries", "cut_searches"),
    ):
        text = text.replace(f'"{now}":', f'"{then}":')
    (folder / "standing.json").write_text(text)
    kept = json.dumps({"source": "http://a.example/", "folder": "gone", "error": "no answer"})
    (tmp_path / "sources.jsonl").write_text(f"{kept}\n")
    assert standing(folder) == stood
    gone, *others = printed("status", ".")
    assert gone["stopped"] == "no answer"
    assert others == before
    assert run("export", "got", "-o", "got.jsonl").returncode == 0
    again = run("harvest", "got", "--allow-private", "--max-requests", 70, "--json")
    assert json.loads(again.stdout)["requests"] == 70
