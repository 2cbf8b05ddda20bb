"""Test what the dashboard knows about harvests, and its actions on them."""

import asyncio
import json
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.dashboard.written import SEARCHER, add_searches, write_long, write_many

import longline
from longline.dashboard.app import as_text
from longline.dashboard.children import Children, again
from longline.dashboard.desk import Desk, NewHarvest, name_for
from longline.dashboard.detail import Detail, Wanted
from longline.dashboard.downloads import download
from longline.dashboard.harvests import SORTS, Harvests, Row, chosen, ordered
from longline.dashboard.schedules import Schedule, keep_schedule, read_every, read_schedule
from longline.errors import FolderError, InputError
from longline.events import DocumentGone, UpdateCounts, Updated
from longline.harvester import Standing, set_budget
from longline.simulate import running_site
from longline.simulate.site.spec import html_spec

PATIENCE_SECONDS = 60.0


def until(desk: Desk, is_so: Callable[[], bool]) -> None:
    """Let the desk work until a condition holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        desk.tick()
        time.sleep(0.1)


def desk_of(folder: Path, at_once: int = 2) -> Desk:
    """Return a desk for a folder."""
    desk = Desk(Harvests([folder]), Children(at_once))
    desk.tick()
    return desk


def test_only_folders_that_were_named_are_touched(tmp_path: Path) -> None:
    """A link to another folder is not followed, and no other folder has a key."""
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    write_many(home, 2)
    write_many(other, 1)
    (home / "link").symlink_to(other / "harvest-0000", target_is_directory=True)
    desk = desk_of(home)
    assert sorted(row.name for row in desk.rows()) == ["harvest-0000", "harvest-0001"]
    with pytest.raises(FolderError):
        desk.row(Harvests([other]).home.name)  # type: ignore[union-attr]
    assert desk.act("stop", ["../other"]) != []
    with pytest.raises(InputError, match="not a folder"):
        Harvests([tmp_path / "nothing"])


def test_a_harvest_that_appears_or_goes_is_seen(tmp_path: Path) -> None:
    """The table always shows the existing harvests."""
    desk = desk_of(tmp_path)
    assert desk.rows() == []
    write_many(tmp_path, 1)
    desk.harvests.scan()
    (row,) = desk.rows()
    (row.folder / "standing.json").unlink()
    row.folder.rmdir()
    desk.harvests.scan()
    assert desk.rows() == []


def test_harvests_in_folders_of_folders_are_seen_by_names_of_their_own(tmp_path: Path) -> None:
    """Equal folder names and several roots are told apart; subfolders of a harvest are skipped."""
    home = tmp_path / "home"
    for place in ("", "all", "all/of-2025"):
        (home / place).mkdir(exist_ok=True)
        write_many(home / place, 1)
    inside = home / "harvest-0000" / "before"
    inside.mkdir()
    write_many(inside, 1)
    names = ["harvest-0000", "all/harvest-0000", "all/of-2025/harvest-0000"]
    rows = desk_of(home).rows()
    assert sorted(row.name for row in rows) == sorted(names)
    assert len(chosen(rows, "of-2025", "")) == 1
    two = Harvests([home / "all" / "harvest-0000", home / "harvest-0000"])
    two.refresh()
    assert sorted(row.name for row in two.rows()) == ["all/harvest-0000", "harvest-0000"]
    assert [row.name for row in desk_of(home / "harvest-0000").rows()] == ["harvest-0000"]


def test_documents_are_taken_home(tmp_path: Path) -> None:
    """A download has all documents, under the harvest's name; a damaged harvest has none."""
    write_long(tmp_path / "süß", 3).close()
    (row,) = desk_of(tmp_path).rows()
    answer = download(row, "csv")
    assert "s%C3%BC%C3%9F.csv" in answer.headers["content-disposition"]

    async def body() -> bytes:
        return b"".join([bytes(each) async for each in answer.body_iterator])  # type: ignore[attr-defined]

    lines = asyncio.run(body()).decode().splitlines()
    assert len(lines) == 1 + len(longline.open(row.folder).documents) == 21
    (row.folder / "harvest.db").write_bytes(b"no database" * 999)
    with pytest.raises(FolderError):
        download(row, "jsonl")


@pytest.mark.parametrize("by", SORTS)
def test_rows_are_filtered_and_ordered(tmp_path: Path, by: str) -> None:
    """A row must contain all words; unknown values are sorted last in both directions."""
    write_many(tmp_path, 30)
    rows = desk_of(tmp_path).rows()
    assert len(chosen(rows, "source-2 403", "blocked")) == 3
    assert len(chosen(rows, "", "complete")) == 20
    assert chosen(rows, "", "going") == []
    up, down = (ordered(rows, by, descending=way) for way in (False, True))
    assert len(up) == len(down) == 30
    known = [row for row in up if not SORTS[by](row)[0]]
    values = [SORTS[by](row)[1] for row in known]
    assert values == sorted(values)  # type: ignore[type-var]
    assert [SORTS[by](row)[1] for row in down[: len(known)]] == values[::-1]


def test_metrics_are_what_prometheus_reads(tmp_path: Path) -> None:
    """Each line has a name, labels and a number, whatever the source's texts contain."""
    write_many(tmp_path, 3)
    (tmp_path / "harvest-0001").rename(tmp_path / 'a "name"\\')
    text = as_text(desk_of(tmp_path).rows())
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == len(set(lines))
    for line in lines:
        labels, _, value = line.rpartition(" ")
        float(value)
        assert labels.endswith("}")
    assert 'harvest="a \\"name\\"\\\\"' in text
    assert text.count("# TYPE") == text.count("# HELP")
    assert 'state="ended",outcome="blocked",cause="refused"} 1' in text


@pytest.mark.parametrize("text", ["", "7", "d", "0 d", "1 s", "-1 h", "every day", "7 d 1 h"])
def test_what_is_no_time_is_refused(text: str) -> None:
    """A schedule takes a number and a unit."""
    with pytest.raises(InputError, match="is no time"):
        read_every(text)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"url": "file:///etc/passwd"}, "no web address"),
        ({"url": "--help"}, "no web address"),
        ({"name": "../up"}, "no name"),
        ({"name": "-o"}, "no name"),
        ({"name": ""}, "no name"),
        ({"strategy": "--force"}, "no strategy"),
        ({"max_requests": 0}, "max_requests is 0"),
    ],
)
def test_a_new_harvest_that_means_something_else_is_refused(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    """No value can act as an option, or point outside the folder."""
    given = {"url": "http://127.0.0.1:9/", "name": "one"} | changes
    with pytest.raises(InputError, match=said):
        desk_of(tmp_path).begin(NewHarvest(**given))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    assert name_for("https://www.a.example/x") == "a.example"


@pytest.mark.slow
def test_a_harvest_is_started_run_again_and_retried(tmp_path: Path) -> None:
    """Only this many processes run at a time; schedules survive a restart, and due ones run."""
    home = tmp_path / "home"
    home.mkdir()
    with running_site(SEARCHER) as url:
        desk = desk_of(home, at_once=1)
        new = {"url": f"{url}/", "allow_private": True, "max_requests": 30}
        keys = [desk.begin(NewHarvest(name=name, **new)) for name in ("a", "b")]  # type: ignore[arg-type]
        assert [desk.words(desk.row(key)) for key in keys] == ["begins", "waits for its turn"]
        (home / "c").mkdir()
        with pytest.raises(InputError, match="there already"):
            desk.begin(NewHarvest(name="c", **new))  # type: ignore[arg-type]
        until(desk, lambda: desk.row(keys[1]).standing.outcome == "partial")
        one = desk.row(keys[0])
        assert (one.standing.requests, one.standing.cause) == (30, "budget")
        assert again(one.folder) == ["--allow-private", "--max-requests", "30"]
        set_budget(one.folder, {"max_requests": 40})
        assert again(one.folder) == ["--allow-private"]
        soon = Schedule(every="7 d", seconds=604_800.0, next=time.time() - 5)
        keep_schedule(one.folder, soon)

        later = desk_of(home)  # another one, as after a restart
        until(later, lambda: later.row(keys[0]).standing.requests == 40)
        ran = read_schedule(one.folder)
        assert ran is not None
        assert ran.last is not None
        assert ran.next - ran.last == 604_800
        until(later, lambda: not later.children.words(one.folder))
        assert later.act("retry", [keys[0]]) == []
        until(later, lambda: not later.children.words(one.folder))
        assert later.children.error(one.folder) == ""
        for each in desk, later:
            until(each, lambda each=each: not each.children.folders())
        later.run_every(keys[0], "")
        assert read_schedule(one.folder) is None


@pytest.mark.slow
def test_a_run_that_does_not_begin_says_why(tmp_path: Path) -> None:
    """Its error is in the table, and the same run is started again from there."""
    desk = desk_of(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    key = desk.begin(NewHarvest(url=address, name="gone", allow_private=True, max_requests=30))
    until(desk, lambda: bool(desk.children.error(tmp_path / "gone")))
    row = desk.row(key)
    assert row.standing.outcome == "failed"
    assert "127.0.0.1" in row.standing.stopped
    assert "Traceback" not in row.standing.stopped
    with running_site(SEARCHER, port=port):
        assert desk.act("continue", [key]) == []
        until(desk, lambda: desk.row(key).standing.outcome == "partial")
        until(desk, lambda: not desk.children.folders())
    assert desk.row(key).standing.requests == 30


@pytest.mark.slow
def test_others_are_told_what_happens(tmp_path: Path) -> None:
    """A command gets the event and its figures; a failing command stops no harvest."""
    spec = tmp_path / "site.toml"
    told = tmp_path / "told"
    command = f"sh -c 'cat >> {told}; echo \" $0\" >> {told}'"
    with running_site(SEARCHER) as url:
        spec.write_text(html_spec(SEARCHER, "site", f"{url}/"))
        with longline.notifying(command) as listeners:
            found = longline.harvest(
                spec, tmp_path / "site", allow_private=True, max_requests=20, listeners=listeners
            )
        with longline.notifying("false") as listeners:
            longline.harvest(tmp_path / "site", allow_private=True, listeners=listeners)
    line, _, event = told.read_text().strip().rpartition(" ")
    notice = json.loads(line)
    assert event == notice["event"] == "finished"
    assert notice["documents"] == found.certificate.documents
    assert (notice["requests"], notice["requests_left"]) == (20, 0)
    assert notice["words"] == "partial (budget)"


def test_a_part_of_a_long_chart_is_read_and_no_more(tmp_path: Path) -> None:
    """Rows come in the requested order; later reads continue from the last position."""
    store = write_long(tmp_path / "long", 60)
    detail = Detail(tmp_path / "long")
    assert detail.catch_up() > 60
    part = detail.chart(Wanted(first=10, size=5))
    assert [row["query"] for row in part.rows] == [f"word{number}" for number in range(10, 15)]
    assert part.total == 60
    newest = detail.chart(Wanted(size=1, descending=True)).rows[0]
    assert newest["query"] == "word59"
    by_new = detail.chart(Wanted(size=3, by="new", descending=True)).rows
    assert by_new[0]["query"] == "word0"
    assert detail.chart(Wanted(words="WORD5")).total == 11
    add_searches(store, 60, 2)
    assert detail.catch_up() == 2 + 10
    assert detail.chart(Wanted(size=1, descending=True)).rows[0]["query"] == "word61"
    assert detail.curves()[0].startswith("<svg")
    assert detail.log()[0].words.startswith("document")
    assert "searches" in detail.in_words()
    documents = detail.documents(Wanted(first=3, size=2))
    assert [row["document"] for row in documents.rows] == ["k3", "k4"]
    assert documents.total == 62 * 5 + 5
    assert [row["document"] for row in detail.documents(Wanted(words="Of K31")).rows] == [
        "k31",
        *(f"k31{digit}" for digit in range(5)),
    ]
    found = detail.document("k31")
    assert found is not None
    assert found.text == "text of k31"
    assert detail.document("k9999") is None
    assert detail.missed(Wanted()).total == detail.discrepancies(Wanted()).total == 0
    detail.close()
    store.close()


def test_the_log_says_in_words_what_an_update_found(tmp_path: Path) -> None:
    """What is gone is named, and how many documents are new, in place of the events' own names."""
    store = write_long(tmp_path / "updated", 1)
    store.record(DocumentGone("k1", "https://a.example/1", "404"))
    store.record(Updated(UpdateCounts(since="2026-11-01T00:00:00+00:00", new=3, gone=1)))
    detail = Detail(tmp_path / "updated")
    detail.catch_up()
    assert [line.words for line in detail.log()[:2]] == [
        "update: 3 new, 0 changed, 1 gone",
        "document gone since the harvest before: https://a.example/1: 404",
    ]


def test_what_is_gone_is_not_called_unsaved_and_a_pause_asks_for_nothing() -> None:
    """Documents that do not exist any more are counted apart; a paused harvest is just paused."""
    pytest.importorskip("nicegui")
    from longline.dashboard.pages.now import doing_of, facts_of

    ended = Standing(state="ended", documents=5, documents_failed=9, documents_gone=8)
    assert facts_of(ended)["saved"] == ("5", "1 found but not saved, 8 gone")
    assert facts_of(ended)["coverage"] == facts_of(ended)["forecast"] == ("?", "not known")
    assert facts_of(ended)["last update"] == ("-", "none yet")
    updated = Standing(state="ended", update=UpdateCounts(since="", new=3, gone=1))
    assert facts_of(updated)["last update"] == ("3 new", "0 changed, 1 gone")
    under_way = Standing(state="running", is_update=True, kept=200, documents=7)
    assert facts_of(under_way)["saved"] == ("200", "the update has 7 so far")
    paused = Standing(state="paused", asks="sea, page 1", reads="https://a.example/1")
    assert doing_of(Row(key="a", folder=Path("a"), name="a", standing=paused)) == "paused"
