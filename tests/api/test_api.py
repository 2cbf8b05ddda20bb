"""Test the package from Python, as a script, a notebook or a web application uses it."""

import asyncio
import inspect
import itertools
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

import longline
from longline import api
from longline.api import options
from longline.errors import FolderError, InputError, NoSuchFileError
from longline.extend import MORE, Page, Query, Searchable
from longline.fetch import Manners
from longline.finder import FindLimits
from longline.forecast import PlanLimits
from longline.harvester import Limits, Settings
from longline.simulate import Searcher, read_corpus, running_site

DOCUMENTS = 150

FILES = Path("/proc/self/fd")
"""Lists the files that this process has open."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Yield the address of a search form that shows at most 20 documents per query."""
    with longline.demo_site(read_corpus("docstrings")[:DOCUMENTS], limit=20, page_size=10) as url:
        yield url


@pytest.mark.slow
def test_a_url_becomes_documents_in_five_lines(site: str, tmp_path: Path) -> None:
    """A harvest gives its documents, its record chart and its certificate."""
    harvest = longline.harvest(site, tmp_path / "got", allow_private=True)
    titles = [document.title for document in harvest.documents]
    assert len(titles) == len(harvest.documents) == harvest.certificate.documents
    assert len(titles) > 0.9 * DOCUMENTS
    assert harvest.queries[-1].total_unique >= 0.9 * DOCUMENTS
    key = next(iter(harvest.documents)).key
    assert key in harvest.documents
    assert harvest.documents[key].key == key
    assert "nothing" not in harvest.documents
    with pytest.raises(KeyError):
        harvest.documents["nothing"]


def test_what_stopped_a_plan_is_said_once(site: str) -> None:
    """The reason is given once, although both parts of a plan may end by it."""
    with api.allowing(8):
        plan = longline.plan(site, allow_private=True, max_requests=8)
    assert plan.stopped.count("all 8 requests") == 1


def test_learning_takes_of_the_time_that_a_run_has(site: str, tmp_path: Path) -> None:
    """If max_time is too short, learning ends, and the error says so."""
    begun = time.monotonic()
    with pytest.raises(longline.StoppedShort, match=r"the 1\.2 s of max_time were spent"):
        longline.harvest(site, tmp_path / "got", allow_private=True, rate=1, max_time=1.2)
    assert time.monotonic() - begun < 20
    assert not (tmp_path / "got").exists()


def test_learning_takes_of_the_requests_of_the_day(tmp_path: Path) -> None:
    """The daily limit and its reserve also apply while the source is learnt."""
    log: list[str] = []
    day = {"max_requests_per_day": 3, "daily_reserve": 1}
    with (
        running_site(Searcher(read_corpus("docstrings")[:DOCUMENTS]), log=log) as url,
        pytest.raises(InputError, match="no request is left") as refused,
    ):
        longline.harvest(url, tmp_path / "got", allow_private=True, **day)
    assert len(log) == 2
    assert str(refused.value).count("learning a site takes about 40") == 1, "advice is given once"


def test_a_harvest_shows_itself_in_a_notebook(site: str, tmp_path: Path) -> None:
    """Its HTML has the verdict and a curve, and no markup of the source."""
    longline.harvest(site, tmp_path, allow_private=True, max_requests=60)
    shown = longline.open(tmp_path)
    html = shown._repr_html_()
    assert "<svg" in html
    assert "saved " in html
    assert "60 of 60 requests" in html
    assert "3 to learn the source" in html
    assert "<script" not in html
    assert repr(shown).endswith("documents, partial>")
    assert str(shown).startswith("outcome    partial (budget)")


def test_it_works_while_an_event_loop_runs(site: str, tmp_path: Path) -> None:
    """As in a notebook, every function waits for its end, and its async twin does the same."""

    async def cell() -> tuple[int, int]:
        plain = longline.harvest(site, tmp_path / "a", allow_private=True, max_requests=40)
        awaited = await longline.harvest_async(
            site, tmp_path / "b", allow_private=True, max_requests=40
        )
        return len(plain.documents), len(awaited.documents)

    one, other = asyncio.run(cell())
    assert one == other > 0


@pytest.mark.slow
def test_documents_stream_as_they_come_and_go_on(site: str, tmp_path: Path) -> None:
    """Leaving the loop stops the harvest; the next loop starts with the held documents."""
    first = list(itertools.islice(longline.stream(site, tmp_path, allow_private=True), 15))
    assert len({document.key for document in first}) == 15
    held = longline.open(tmp_path)
    assert held.certificate.cause == "interrupted"
    asked = held.certificate.requests
    every = list(longline.stream(site, tmp_path, allow_private=True))
    assert [document.key for document in every[:15]] == [document.key for document in first]
    now = longline.open(tmp_path)
    assert len(every) == len(now.documents) > 0.9 * DOCUMENTS
    alone = longline.harvest(site, tmp_path / "alone", allow_private=True)
    assert asked < now.certificate.requests <= alone.certificate.requests + 12


@pytest.mark.slow
def test_a_stream_leaves_no_thread_and_no_lock(site: str, tmp_path: Path) -> None:
    """After leaving the loop nothing runs, and the folder can be harvested at once."""
    before = threading.active_count()
    for _ in longline.stream(site, tmp_path, allow_private=True):
        break
    assert threading.active_count() == before
    longline.harvest(tmp_path, allow_private=True, max_requests=60)


class Shelf(Searchable):
    """A box whose pages have 100 documents with texts, so that many are received at once."""

    name = "shelf"
    page_size = 100

    def __init__(self) -> None:
        self._box = Searcher(read_corpus("docstrings")[:600], limit=None, page_size=100)

    def search(self, query: Query, number: int) -> Page:
        page = self._box.search(query, number)
        hits = [
            msgspec.structs.replace(hit, text=document.text)
            for hit in page.hits
            if (document := self._box.document(hit.key)) is not None
        ]
        return Page(tuple(hits), page.total, next=page.next and MORE)


@pytest.mark.slow
def test_a_slow_loop_is_left_although_more_has_come(tmp_path: Path) -> None:
    """Leaving the loop works at once, even if the queue of documents is full."""
    begun = 0.0
    for document in longline.stream(Shelf(), tmp_path):
        assert document.text
        time.sleep(1)
        begun = time.monotonic()
        break
    assert time.monotonic() - begun < 30
    assert len(longline.open(tmp_path).documents) >= 30


def test_a_stream_tells_what_went_wrong() -> None:
    """The loop raises the harvest's error."""
    with pytest.raises(NoSuchFileError):
        next(longline.stream("nowhere.toml"))


def test_documents_stream_in_a_coroutine(site: str, tmp_path: Path) -> None:
    """`async for` yields documents, and leaving the loop stops the harvest cleanly."""

    async def work() -> int:
        taken = 0
        documents = longline.stream_async(site, tmp_path, allow_private=True)
        async for _ in documents:
            taken += 1
            if taken == 10:
                break
        await documents.aclose()  # type: ignore[attr-defined]
        return taken

    assert asyncio.run(work()) == 10
    assert longline.open(tmp_path).certificate.cause == "interrupted"


@pytest.mark.slow
def test_a_task_that_is_cancelled_leaves_its_ledger_in_order(site: str, tmp_path: Path) -> None:
    """After a cancel the certificate says so, and the folder can be resumed."""

    async def work() -> None:
        enough = asyncio.Event()
        told = longline.Listeners(
            on_event=lambda event, ledger: ledger.documents > 20 and enough.set()
        )
        task = asyncio.create_task(
            longline.harvest_async(site, tmp_path, listeners=told, allow_private=True)
        )
        await enough.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(work())
    certificate = json.loads((tmp_path / "certificate.json").read_text())
    assert (certificate["outcome"], certificate["cause"]) == ("partial", "interrupted")
    assert longline.harvest(tmp_path, allow_private=True).certificate.documents > 0.9 * DOCUMENTS


@pytest.mark.slow
def test_ctrl_c_in_a_script_keeps_what_came(site: str, tmp_path: Path) -> None:
    """The script ends with KeyboardInterrupt, as scripts do, and its folder is complete.

    The process that starts the tests may ignore SIGINT, as a shell does for background jobs; child
    processes inherit that.
    """
    code = f"""
import signal
import longline
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    longline.harvest({site!r}, {str(tmp_path)!r}, allow_private=True, rate=10)
except KeyboardInterrupt:
    print("stopped")
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    database = tmp_path / "harvest.db"
    ends = time.monotonic() + 30
    while not database.exists() and time.monotonic() < ends:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert said == "stopped\n"
    assert longline.open(tmp_path).certificate.cause == "interrupted"


def test_errors_name_arguments_and_not_flags(site: str, tmp_path: Path) -> None:
    """The errors name Python arguments."""
    with pytest.raises(InputError, match="allow it with allow_private=True"):
        longline.harvest(site, tmp_path / "a")
    with pytest.raises(TypeError, match=r"no option 'max_request'; did you mean max_requests\?"):
        longline.harvest(site, tmp_path / "a", max_request=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no option 'xyz'; it has: user_agent"):
        longline.plan(site, xyz="auto")  # type: ignore[call-arg]
    with pytest.raises(InputError, match="rate is 0; give a number above 0"):
        longline.plan(site, rate=0)
    with pytest.raises(InputError, match="give words or like, not both"):
        longline.find(site, "hours", like=["x.html"])
    with pytest.raises(InputError, match="Expected a number, got a text - at `rate`"):
        longline.harvest(site, tmp_path / "a", rate="fast")  # type: ignore[arg-type]
    with pytest.raises(FolderError, match="is not a harvest folder"):
        longline.retry(tmp_path)
    with pytest.raises(InputError, match="no source was given"):
        longline.harvest("")
    for error in (InputError("x"), FolderError("y", advice="do z")):
        assert "--" not in str(error)


def test_a_wrong_call_names_the_function_that_was_called() -> None:
    with pytest.raises(TypeError, match=r"^export\(\) missing 1 required"):
        longline.export("site", "site.csv")  # type: ignore[call-arg]


@pytest.mark.slow
def test_a_spec_and_a_file_are_sources(site: str, tmp_path: Path) -> None:
    """A learnt spec can be saved, changed and used for a harvest."""
    learnt = longline.discover(site, allow_private=True)
    assert learnt.spec.ask.page_size == 10
    assert {finding.sure for finding in learnt.findings} >= {"sure"}
    learnt.save(tmp_path / "source.toml")
    with pytest.raises(InputError, match="exists already"):
        learnt.save(tmp_path / "source.toml")
    by_spec = longline.harvest(learnt.spec, tmp_path / "a", allow_private=True)
    by_file = longline.harvest(tmp_path / "source.toml", tmp_path / "b", allow_private=True)
    assert len(by_spec.documents) == len(by_file.documents) > 0.9 * DOCUMENTS
    with pytest.raises(InputError, match="cannot write"):
        learnt.save(tmp_path / "no folder/source.toml")


def test_exports_go_to_files_and_streams(site: str, tmp_path: Path) -> None:
    """Every document is written, to a named file or an open stream."""
    harvest = longline.harvest(site, tmp_path / "h", allow_private=True, max_requests=60)
    written = longline.export(tmp_path / "h", "jsonl", tmp_path / "got.jsonl")
    with (tmp_path / "other.jsonl").open("wb") as stream:
        longline.export(tmp_path / "h", "jsonl", stream)
    lines = (tmp_path / "got.jsonl").read_bytes()
    assert lines == (tmp_path / "other.jsonl").read_bytes()
    assert written == lines.count(b"\n") == len(harvest.documents)
    with pytest.raises(InputError, match="unknown format 'xml'; take one of: jsonl, csv"):
        longline.export(tmp_path / "h", "xml", tmp_path / "got.xml")


def test_tables_have_a_column_for_each_field(site: str, tmp_path: Path) -> None:
    """Arrow and pandas read the harvest's documents as tables."""
    harvest = longline.harvest(site, tmp_path, allow_private=True, max_requests=60)
    pytest.importorskip("pyarrow")
    table = harvest.to_arrow()
    assert table.column_names == ["key", "url", "title", "text", "language"]
    assert table.num_rows == len(harvest.documents)
    pytest.importorskip("pandas")
    assert list(harvest.to_pandas()["key"]) == [document.key for document in harvest.documents]


def test_what_is_not_installed_is_named(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the extra to install."""
    harvest = longline.harvest(site, tmp_path, allow_private=True, max_requests=40)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'longline\[arrow\]'"):
        harvest.to_arrow()


@pytest.mark.parametrize(
    ("named", "kinds"),
    [
        (options.WebOptions, (Manners,)),
        (options.HarvestOptions, (Limits, Settings)),
        (options.PlanOptions, (PlanLimits,)),
        (options.FindOptions, (FindLimits,)),
    ],
)
def test_options_are_those_of_the_structs(
    named: type, kinds: tuple[type[msgspec.Struct], ...]
) -> None:
    """The options equal the fields of the structs, with the same types."""
    fields = {name: kind for each in kinds for name, kind in get_type_hints(each).items()}
    own = {name: kind for name, kind in fields.items() if not name.startswith("_")}
    for each in kinds:
        assert set(each.__struct_fields__) <= own.keys()
    assert get_type_hints(named) == own


def test_every_function_has_a_twin_and_an_example() -> None:
    """Every public name is documented, functions with an example."""
    twins = {name.removesuffix("_async") for name in longline.__all__ if name.endswith("_async")}
    assert {"harvest", "discover", "plan", "find", "compare", "export", "stream"} <= twins
    for name in longline.__all__:
        thing = getattr(longline, name)
        assert inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            assert ">>>" in (inspect.getdoc(thing) or ""), name


@pytest.mark.skipif(not FILES.is_dir(), reason="no list of open files here")
@pytest.mark.parametrize("begin", [longline.log, longline.watch])
def test_what_is_not_read_keeps_no_file_open(
    site: str, tmp_path: Path, begin: Callable[[Path], Iterator[object]]
) -> None:
    """The folder is checked at once, and opened as the first line is read."""
    longline.harvest(site, tmp_path / "one", allow_private=True, max_requests=40)
    before = len(list(FILES.iterdir()))
    kept = [begin(tmp_path / "one") for _ in range(5)]
    assert len(list(FILES.iterdir())) == before
    assert all(next(each) for each in kept)
    with pytest.raises(FolderError):
        begin(tmp_path / "none")
