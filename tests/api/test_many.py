"""Test many sources at once: one rate and budget per host, and independent failures."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.command_line import longline as run

import longline
from longline.api import read_sources
from longline.dashboard.app import as_text
from longline.dashboard.harvests import Harvests
from longline.errors import FolderError, InputError
from longline.simulate import Searcher, read_corpus, running_site
from longline.store.place import Place, keep_place

DOCUMENTS = read_corpus("docstrings")
SITES = 3
EACH = 40


@pytest.fixture(scope="module")
def sites() -> Iterator[list[str]]:
    """Yield the addresses of several sites with different documents, on one host."""
    with ExitStack() as stack:
        parts = [DOCUMENTS[n * EACH : (n + 1) * EACH] for n in range(SITES)]
        yield [
            stack.enter_context(longline.demo_site(part, limit=30, page_size=10)) for part in parts
        ]


@pytest.mark.slow
def test_each_source_gets_a_folder_and_ends_as_alone(sites: list[str], tmp_path: Path) -> None:
    """Documents equal those of a single harvest; a dead address gets a row with the reason."""
    dead = "http://127.0.0.1:9/"
    ends = longline.harvest_many([*sites, dead], tmp_path / "many", allow_private=True, retries=0)
    assert [end.source for end in ends] == [*sites, dead]
    for site, end in zip(sites, ends, strict=False):
        folder = tmp_path / "many" / end.folder
        held = {document.key for document in longline.open(folder).documents}
        alone = longline.harvest(site, tmp_path / f"alone{end.folder}", allow_private=True)
        assert held == {document.key for document in alone.documents}
        # Single runs of discovery and harvest each read robots.txt.
        assert end.requests == alone.certificate.requests - 1
    assert (ends[-1].outcome, ends[-1].documents) == ("unreachable", 0)
    assert "no answer" in ends[-1].stopped or "refused" in ends[-1].stopped
    assert longline.harvests_in(tmp_path / "many") == ends
    # What could not be reached is named wherever the others are.
    seen = Harvests([tmp_path / "many"])
    seen.refresh()
    assert 'outcome="unreachable"' in as_text(seen.unharvested)
    longline.export(tmp_path / "many", "jsonl", tmp_path / "many.jsonl")
    manifest = json.loads((tmp_path / "many.jsonl.manifest.json").read_bytes())
    assert {each["folder"] for each in manifest["harvests"]} == {end.folder for end in ends}
    outcomes = {
        each["folder"]: each["certificate"] and each["certificate"]["outcome"]
        for each in manifest["harvests"]
    }
    assert outcomes == {end.folder: end.outcome if end.documents else None for end in ends}
    with pytest.raises(FolderError, match="says why it has none"):
        longline.open(tmp_path / "many" / ends[-1].folder)


def test_a_harvest_that_cannot_be_read_takes_one_row(sites: list[str], tmp_path: Path) -> None:
    """A missing database or a damaged file affects only its own row."""
    longline.harvest(sites[0], tmp_path / "good", allow_private=True, max_requests=30)
    for name in ("away", "damaged"):
        (tmp_path / name).mkdir()
    keep_place(tmp_path / "away", Place("postgresql://nobody@127.0.0.1:9/none", 1))
    (tmp_path / "damaged" / "database.toml").write_text("url = 1")
    ends = {end.folder: end for end in longline.harvests_in(tmp_path)}
    assert ends["good"].documents > 0
    assert ends["away"].outcome == ends["damaged"].outcome == "failed"
    assert "cannot open postgresql" in ends["away"].stopped
    assert "database.toml is damaged" in ends["damaged"].stopped
    page = longline.report(tmp_path, tmp_path / "report.html").read_text()
    assert "cannot open postgresql" in page
    assert "database.toml is damaged" in page


@pytest.mark.parametrize("name", ["sources.jsonl", "thesis.odt"])
def test_a_folder_of_other_files_is_refused(sites: list[str], tmp_path: Path, name: str) -> None:
    """No user file is overwritten; the list of sources may be in the folder."""
    folder = tmp_path / "all"
    folder.mkdir()
    listed = folder / "sources.csv"
    listed.write_text(f"url\n{sites[0]}\n")
    (folder / name).write_text('{"mine": 1}\n')
    with pytest.raises(FolderError, match=name):
        longline.harvest_many(listed, folder, allow_private=True, max_requests=9)
    assert {each.name for each in folder.iterdir()} == {name, "sources.csv"}
    assert (folder / name).read_text() == '{"mine": 1}\n'
    (folder / name).unlink()
    longline.harvest_many(listed, folder, allow_private=True, max_requests=9)
    assert longline.harvest_many(listed, folder, allow_private=True, max_requests=9)


def test_options_are_named_as_the_command_has_them(tmp_path: Path) -> None:
    """The advice in the table names command line options."""
    sources = ["http://127.0.0.1:9/"]
    (ended,) = longline.harvest_many(sources, tmp_path)
    assert "--allow-private" in ended.stopped


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_list_of_sources_is_read_as_spreadsheets_write_it(mark: str, tmp_path: Path) -> None:
    """Cells stand between commas, semicolons or tabs; an address may hold each of these."""
    rows = ["# all, of them, here", "URL;Folder;Max-Requests", "https://a.example/?a=1,2;one;90"]
    text = "\n".join(rows[:1] + [row.replace(";", mark) for row in rows[1:]])
    if mark == ",":
        text = text.replace("https://a.example/?a=1,2", '"https://a.example/?a=1,2"')
    (tmp_path / "s.csv").write_text(text)
    (row,) = read_sources(tmp_path / "s.csv")
    assert row == {"url": "https://a.example/?a=1,2", "folder": "one", "max_requests": 90}


def test_words_of_a_source_are_in_a_file_beside_the_list(tmp_path: Path) -> None:
    """The file is named as on the command line."""
    (tmp_path / "words.txt").write_text("harbour\nship\n")
    (tmp_path / "s.csv").write_text("url,words\nhttps://a.example/,words.txt\n")
    (row,) = read_sources(tmp_path / "s.csv")
    assert row["words"] == ("harbour", "ship")
    (tmp_path / "words.txt").unlink()
    with pytest.raises(InputError, match=r"cannot read .*words.txt"):
        read_sources(tmp_path / "s.csv")


def test_a_header_goes_to_its_own_source(tmp_path: Path) -> None:
    """A value in column `header` is sent only to its row's source, and saved nowhere."""
    (tmp_path / "s.csv").write_text(
        "url,header\nhttps://a.example/,X-Key: s3cr3t\nhttps://b.example/,\n"
    )
    rows = read_sources(tmp_path / "s.csv")
    assert rows == [
        {"url": "https://a.example/", "headers": {"X-Key": "s3cr3t"}},
        {"url": "https://b.example/"},
    ]
    (tmp_path / "s.csv").write_text("url,header\nhttps://a.example/,s3cr3t\n")
    with pytest.raises(InputError, match="line 2: header has no name and colon") as caught:
        read_sources(tmp_path / "s.csv")
    assert "s3cr3t" not in str(caught.value)


def test_each_end_is_written_when_it_comes(tmp_path: Path) -> None:
    """A killed run leaves `sources.jsonl` with all finished sources."""
    written: list[list[str]] = []

    def look(place: int, ended: longline.Ended) -> None:
        lines = (tmp_path / "sources.jsonl").read_text().splitlines()
        written.append([json.loads(line)["outcome"] for line in lines])

    dead = [f"http://127.0.0.1:{port}/" for port in (1, 9, 11)]
    listeners = longline.ManyListeners(on_end=look)
    options = {"allow_private": True, "retries": 0, "at_once": 1}
    longline.harvest_many(dead, tmp_path, listeners=listeners, **options)  # type: ignore[arg-type]
    assert [each.count("unreachable") for each in written] == [1, 2, 3]
    assert {len(each) for each in written} == {3}


def test_a_wrong_option_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    """A wrong option costs no request."""
    asked: list[str] = []
    with running_site(Searcher(DOCUMENTS[:80], limit=30, page_size=10), log=asked) as url:
        for wrong in ({"strategy": "nosuch"}, {"cost": "df*2"}, {"sample": -1}):
            with pytest.raises(InputError):
                longline.harvest(url, tmp_path / "new", allow_private=True, **wrong)  # type: ignore[arg-type]
    assert asked == []
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_a_host_has_one_pace_however_many_ask(tmp_path: Path) -> None:
    """Sources of one host, under any name, share one rate."""
    moments: list[float] = []

    class Clocked(list[str]):
        def append(self, path: str) -> None:
            moments.append(time.monotonic())

    with running_site(Searcher(DOCUMENTS[:80], limit=30, page_size=10), log=Clocked()) as url:
        other = url.replace("127.0.0.1", "localhost")
        rows = [
            {"url": f"{url}/", "folder": "a"},
            {"url": f"{url}/?b", "folder": "b"},
            {"url": f"{other}/", "folder": "c"},
        ]
        longline.harvest_many(rows, tmp_path, allow_private=True, rate=40, max_requests=25)
    assert len(moments) > 60
    gaps = sorted(b - a for a, b in zip(sorted(moments), sorted(moments)[1:], strict=False))
    assert moments[-1] - moments[0] >= (len(moments) - 1) / 40 * 0.95
    assert gaps[len(gaps) // 20] > 0.5 / 40


def test_a_host_has_one_budget(sites: list[str], tmp_path: Path) -> None:
    """Sources of one host share its budget."""
    log: list[str] = []
    with running_site(Searcher(DOCUMENTS[:80], limit=30, page_size=10), log=log) as url:
        rows = [{"url": f"{url}/", "folder": name} for name in "abc"]
        ends = longline.harvest_many(rows, tmp_path, allow_private=True, max_requests_per_host=70)
    assert len(log) <= 70
    assert sum(end.documents for end in ends) > 0
    assert any("all 70 requests that may be sent to 127.0.0.1" in end.stopped for end in ends)


@pytest.mark.slow
def test_cancelled_it_goes_on(sites: list[str], tmp_path: Path) -> None:
    """Every folder is intact, and a second call completes the first."""

    async def work() -> None:
        came = asyncio.Event()
        told = longline.ManyListeners(
            on_event=lambda place, event, ledger: ledger.documents > 10 and came.set()
        )
        task = asyncio.create_task(
            longline.harvest_many_async(sites, tmp_path, allow_private=True, listeners=told)
        )
        await came.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(work())
    assert {end.outcome for end in longline.harvests_in(tmp_path)} <= {"partial", "complete", ""}
    ends = longline.harvest_many(sites, tmp_path, allow_private=True)
    assert all(end.documents > 0.9 * EACH for end in ends)


def test_requests_that_learning_sent_are_counted_after_an_interrupt(tmp_path: Path) -> None:
    """No harvest has begun yet, and no source is said to have cost nothing."""
    log: list[str] = []

    async def work(url: str) -> None:
        task = asyncio.create_task(
            longline.harvest_many_async([f"{url}/"], tmp_path, allow_private=True)
        )
        while len(log) < 5:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    def page(request: Request) -> Response:
        """A form, and a document for each search."""
        typed = request.query_params.get("q", "")
        hit = f"<ol><li><a href='/d/{typed}'>On {typed}</a></ol>" if typed else ""
        return HTMLResponse(f"<html><form action=/s><input name=q></form>{hit}")

    with running_site(Starlette(routes=[Route("/{rest:path}", page)]), log=log) as url:
        asyncio.run(work(url))
    (end,) = longline.harvests_in(tmp_path)
    assert (end.outcome, end.documents) == ("", 0)
    assert 4 <= end.requests <= len(log) + 1
    assert "not learnt yet" in run(tmp_path, "status", ".").stdout


@pytest.mark.slow
def test_the_command_line_reads_a_file(sites: list[str], tmp_path: Path) -> None:
    """Columns are options; the table has one row per source, and `status` shows it again."""
    rows = "".join(f"{site},site{n},{20 + n},adaptive\n" for n, site in enumerate(sites))
    (tmp_path / "s.csv").write_text(f"url,folder,max-requests,strategy\n# two\n{rows}")
    done = run(tmp_path, "harvest", "s.csv", "-o", "many", "--allow-private")
    assert done.returncode == 3
    assert f"{SITES} sources: {SITES} partial" in done.stdout
    found = json.loads((tmp_path / "many/site2/certificate.json").read_text())
    assert (found["requests"], found["strategy"]) == (22, "adaptive")
    shown = run(tmp_path, "status", "many")
    assert shown.stdout == done.stdout
    listed = json.loads(run(tmp_path, "status", "many", "--json").stdout)
    assert [each["folder"] for each in listed] == [f"site{n}" for n in range(SITES)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("url,folder\n", "names no source"),
        ("address\nhttp://a.example/\n", "has a column 'address', which is no option"),
        ("link\nhttp://a.example/\n", "columns are url, folder"),
        ("name,url\na,http://a.example/\n", r"folder \(for a source's name\)"),
        ("folder\na\n", "no column url"),
        ("url,max-request\nhttp://a.example/,5\n", "did you mean max_requests?"),
        (
            "url,max-requests\nhttp://a.example/,five\n",
            "line 2, max_requests is 'five': Expected a whole number, got a text; correct it",
        ),
        ("url\n,x\n", "line 2 has 2 cells for 1 columns"),
        ("url,rate\n,1\n", "line 2 has no url"),
        (
            "url,note,rate\n,mine,1\nhttp://a.example/,yours,x\n",
            "s.csv are wrong: line 2 has no url; line 3, rate is 'x'",
        ),
        ("url,folder\nhttp://a.example/,x\nhttp://b.example/,x\n", "two sources have one folder"),
        ("url,folder\nhttp://a.example/,../x\n", "no name of a folder"),
    ],
)
def test_a_wrong_file_is_refused_before_anything_is_sent(
    tmp_path: Path, text: str, said: str
) -> None:
    """The error names the line and the value."""
    (tmp_path / "s.csv").write_text(text)
    with pytest.raises(InputError, match=said.replace("?", r"\?").replace(".", r"\.")):
        longline.harvest_many(tmp_path / "s.csv", tmp_path / "many")
    done = run(tmp_path, "harvest", "s.csv", "-o", "many")
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("sources", "folders"),
    [
        (
            [
                {"url": "http://127.0.0.1:9/x"},
                {"url": "http://127.0.0.1:9/", "folder": "127.0.0.1-9-x"},
            ],
            ["127.0.0.1-9-x-2", "127.0.0.1-9-x"],
        ),
        (
            ["http://127.0.0.1:9/x", "http://127.0.0.1:9/x/", "http://127.0.0.1:9/x-2"],
            ["127.0.0.1-9-x", "127.0.0.1-9-x-2", "127.0.0.1-9-x-2-2"],
        ),
    ],
)
def test_each_source_has_a_folder_of_its_own(
    tmp_path: Path, sources: list[Any], folders: list[str]
) -> None:
    """A name made from an address is never one that is given, or that was made before."""
    ends = longline.harvest_many(sources, tmp_path / "many", allow_private=True, retries=0)
    assert [each.folder for each in ends] == folders


@pytest.mark.slow
def test_many_are_brought_up_to_date(sites: list[str], tmp_path: Path) -> None:
    """Finished harvests are updated, others started; a stopped one says why and keeps all."""
    folder = tmp_path / "many"
    longline.harvest_many(sites[:1], folder, allow_private=True)
    (tmp_path / "s.csv").write_text("url\n" + "\n".join([*sites[:2], "http://127.0.0.1:9/"]))
    done = run(
        tmp_path, "harvest", "s.csv", "-o", "many", "--update", "--allow-private", "--max-wait", "1"
    )
    assert done.returncode == 3
    assert "0 new, 0 changed, 0 gone" in done.stdout
    first, second, dead = longline.harvests_in(folder)
    assert (first.update is not None, second.update) == (True, None)
    assert second.documents > 0.9 * EACH
    assert f"{dead.folder}: {dead.stopped}" in done.stdout.replace("\n  ", " ")
    options = {"allow_private": True, "update": True, "max_requests": 2}
    ended = longline.harvest_many(sites[:1], folder, **options)[0]  # type: ignore[arg-type]
    assert (ended.outcome, ended.documents) == (first.outcome, first.documents)
    why = "all 2 requests of the budget are spent; allow more, and run it again to continue; "
    begun = "an update is not finished, after 1 request: "
    assert ended.stopped.startswith(f"{begun}{why}longline update")
    assert ended.stopped.endswith(" --allow-private continues it")
    found = run(tmp_path, "update", "many")
    assert "many is not a harvest folder; name one of the harvests in many" in found.stderr
    assert "`longline harvest LIST.csv -o many` continues them all" in " ".join(
        found.stderr.split()
    )


def test_waits_are_told_and_requests_counted_although_nothing_was_learnt(tmp_path: Path) -> None:
    """A site asks for a pause, and then has no search: each request to it counts."""
    asked: list[str] = []

    def answer(request: Request) -> Response:
        asked.append(request.url.path)
        if len(asked) == 1:
            return Response(status_code=429, headers={"Retry-After": "1"})
        return HTMLResponse("<p>No search here.</p>")

    waits: list[tuple[int, str]] = []
    listeners = longline.ManyListeners(on_wait=lambda place, wait: waits.append((place, wait.host)))
    with running_site(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        (ended,) = longline.harvest_many(
            [url], tmp_path / "all", listeners=listeners, allow_private=True, browser=False
        )
    assert waits == [(0, "127.0.0.1")]
    assert ended.outcome != "complete"
    assert ended.requests > 0


def test_a_key_in_an_address_is_not_shown_among_others(sites: list[str], tmp_path: Path) -> None:
    """The list of harvests hides what one harvest hides."""
    longline.harvest(sites[0], tmp_path / "one", allow_private=True, max_requests=30)
    spec = tmp_path / "one/source.toml"
    learnt = spec.read_text()
    spec.write_text(learnt.replace(f'url = "{sites[0]}"', f'url = "{sites[0]}?api_key=d41f7a90c3"'))
    assert spec.read_text() != learnt
    [shown] = longline.harvests_in(tmp_path)
    assert shown.source.startswith(f"{sites[0]}?api_key=")
    assert "d41f7a90c3" not in shown.source


def test_the_pace_of_the_run_before_is_kept(sites: list[str], tmp_path: Path) -> None:
    """A run without a pace of its own is no faster; one with its own is."""
    options = {"allow_private": True, "estimate": False}
    longline.harvest(sites[0], tmp_path / "one", rate=200, max_requests=8, **options)
    longline.harvest(tmp_path / "one", rate=5, max_requests=10, **options)
    begun = time.monotonic()
    longline.harvest(tmp_path / "one", max_requests=20, **options)
    assert time.monotonic() - begun >= 1.6
