"""Test what users try without reading: it works, or the error says what to write."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import longline
from longline.simulate import running_site

SPEC = """
[source]
name = "shop"
url = "https://shop.example/"
[ask]
url = "https://shop.example/search?q={query}"
[results]
hit = "css:li"
link = "a"
"""


def test_a_spec_is_read_from_a_path_its_name_or_its_text(tmp_path: Path) -> None:
    """`read_spec` accepts a path or text, with or without a byte order mark."""
    path = tmp_path / "shop.toml"
    path.write_text(SPEC, encoding="utf-8-sig")
    found = longline.read_spec(SPEC)
    assert longline.read_spec(path) == longline.read_spec(str(path)) == found
    path.write_text("[source]\nname = 3\n")
    with pytest.raises(longline.InputError, match=r"shop\.toml"):
        longline.read_spec(path)
    with pytest.raises(longline.InputError, match="no file or folder"):
        longline.read_spec(tmp_path / "none.toml")
    with pytest.raises(TypeError, match="takes a path or the text"):
        longline.read_spec(3)  # type: ignore[arg-type]


def test_an_option_of_another_kind_is_named(tmp_path: Path) -> None:
    """The message is plain, and has no chained internal error."""
    wrong = {"max_requests": "10", "headers": ["X-Api-Key: 1"], "seed": "1"}
    for name, value in wrong.items():
        with pytest.raises(longline.InputError, match=f"got a (text|list) - at `{name}`") as found:
            longline.harvest("http://127.0.0.1:1/", tmp_path / "x", **{name: value})  # type: ignore[arg-type]
        assert found.value.__context__ is None or found.value.__suppress_context__


def test_one_strategy_needs_no_list() -> None:
    """A single name is not taken as a list of letters."""
    documents = [longline.Document("a", text="fish bird"), longline.Document("b", text="bird")]
    (run,) = longline.compare(documents, "greedy", seeds=1)
    assert run.strategy == "greedy"


@pytest.fixture(scope="module")
def harvest(tmp_path_factory: pytest.TempPathFactory) -> longline.Harvest:
    """Return a short harvest of the demo site."""
    folder = tmp_path_factory.mktemp("misuse") / "got"
    with longline.demo_site() as url:
        return longline.harvest(url, folder, allow_private=True, max_requests=40)


def test_a_harvest_stands_for_its_folder(harvest: longline.Harvest, tmp_path: Path) -> None:
    """Functions that take a folder accept a harvest."""
    assert longline.open(harvest).certificate == harvest.certificate
    assert longline.export(harvest, "csv", tmp_path / "got.csv") == len(harvest.documents)
    assert Path(harvest) == harvest.folder
    assert longline.report(harvest, tmp_path / "got.html").is_file()
    assert list(longline.diff(harvest, harvest)) == []
    assert [len(look) for look in longline.watch_many([harvest])] == [1]
    again = longline.harvest(harvest, allow_private=True, max_requests=40)  # its budget is spent
    assert again.folder == harvest.folder


def test_who_forgets_to_allow_a_private_host_loses_nothing(harvest: longline.Harvest) -> None:
    """The run is refused before its documents could fail."""
    with pytest.raises(longline.InputError, match="is a private address"):
        longline.harvest(harvest, max_requests=60)
    with pytest.raises(longline.InputError, match="is a private address"):
        longline.retry(harvest)
    now = longline.open(harvest).certificate
    assert (now.documents_failed, now.outcome, now.cause) == (0, "partial", "budget")


@pytest.mark.parametrize("place", [0, slice(2), None])
def test_documents_have_keys_and_no_places(harvest: longline.Harvest, place: object) -> None:
    """A position or slice is refused, and the error says what to write."""
    with pytest.raises(TypeError, match=r"by their keys.*islice"):
        harvest.documents[place]  # type: ignore[index]


def test_a_site_may_be_a_path(tmp_path: Path) -> None:
    """`find` and `find_in_sites` accept a folder as a path."""
    (tmp_path / "index.html").write_text('<a href="hours.html">Opening hours</a>')
    (tmp_path / "hours.html").write_text("<title>Opening hours</title><p>Nine to five.")
    assert longline.find(tmp_path, "opening hours").url == "hours.html"
    (found,) = longline.find_in_sites([tmp_path], "opening hours")
    assert isinstance(found, longline.FoundPage)
    assert found.url == "hours.html"


def test_listeners_are_no_function(tmp_path: Path) -> None:
    """A function instead of listeners is refused, and the error says what to write."""
    with pytest.raises(TypeError, match=r"Listeners\(on_event="):
        longline.harvest("http://127.0.0.1:1/", tmp_path / "x", listeners=print)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["90", 0, -1])
def test_a_budget_is_a_number(harvest: longline.Harvest, wrong: object) -> None:
    """A text or None is refused with a clear error, and nothing is saved."""
    with pytest.raises(longline.InputError, match="give a number above 0"):
        longline.set_budget(harvest.folder, max_requests=wrong)  # type: ignore[typeddict-item]
    assert longline.set_budget(harvest.folder) == {}


def test_a_listener_that_fails_is_what_stopped_it(tmp_path: Path) -> None:
    """The listener's error is raised, and the folder's state names it."""

    def fail(*told: object) -> None:
        raise ValueError("mine")

    listeners = longline.Listeners(on_event=fail)
    with longline.demo_site() as url, pytest.raises(ValueError, match="mine"):
        longline.harvest(
            url, tmp_path / "x", allow_private=True, max_requests=60, listeners=listeners
        )
    now = longline.standing(tmp_path / "x")
    assert (now.state, now.outcome) == ("ended", "partial")
    assert now.stopped == "ValueError: mine; run it again to continue"


def test_a_key_that_is_not_taken_is_told_as_one(tmp_path: Path) -> None:
    """A user who gave a header is told to check it, not to give one."""

    async def closed(request: Request) -> Response:
        return Response("", 401)

    with running_site(Starlette(routes=[Route("/", closed)])) as url:
        with pytest.raises(longline.SourceError, match=r"a key goes into a header"):
            longline.harvest(url, tmp_path / "x", allow_private=True)
        with pytest.raises(longline.SourceError, match="check the key in them"):
            longline.harvest(url, tmp_path / "x", allow_private=True, headers={"X-Key": "1"})
        (tmp_path / "own.toml").write_text(f"""
            source = {{ name = "own", url = "{url}" }}
            ask = {{ url = "{url}/?q={{query}}", headers = {{ X-Key = "1" }} }}
            results = {{ hit = "css:li", link = "css:a" }}
        """)
        with pytest.raises(longline.SourceError, match="check the key in them"):
            longline.harvest(tmp_path / "own.toml", tmp_path / "y", allow_private=True)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: longline.harvest("http://127.0.0.1:1/", 3), "folder takes a path or text, not 3"),  # type: ignore[arg-type]
        (lambda: longline.open(3), "folder takes a path"),  # type: ignore[arg-type]
        (lambda: longline.standing(None), "folder takes a path"),  # type: ignore[arg-type]
        (lambda: longline.compare(["a text"]), r"Document\(key, text=...\), not 'a text'"),  # type: ignore[list-item]
    ],
)
def test_what_is_no_path_and_no_document_is_named(call: Callable[[], object], named: str) -> None:
    """The error names the wrong argument, not an internal detail."""
    with pytest.raises(TypeError, match=named):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda folder: longline.harvest(3, folder), "3 is no source"),
        (lambda folder: longline.harvest_many(["u"], folder, at_once=0), "give 1 or more"),
        (lambda folder: longline.harvest_many("http://u/", folder), "addresses in a list"),
        (lambda folder: longline.harvest_many([{"folder": "x"}], folder), "has no address"),
        (lambda folder: longline.harvest_many([3], folder), "has no address"),
        (lambda folder: longline.find_in_sites("http://u/", "opening"), "is one site"),
        (lambda folder: longline.compare("docstrings", seeds=0), "give 1 or more"),
    ],
)
def test_what_cannot_work_is_refused_at_once(
    call: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    """No call hangs, and no text is taken as a list of letters."""
    with pytest.raises(longline.InputError, match=said):
        call(tmp_path)


def test_numbers_of_numpy_and_paths_are_options(tmp_path: Path) -> None:
    """Values of numpy types are accepted, and saved as Python's own types."""
    with longline.demo_site() as url:
        got = longline.harvest(
            url,
            tmp_path / "x",
            allow_private=np.bool_(True),
            max_requests=np.int64(20),
            rate=np.float64(500),
            seed=np.int32(7),
        )
    assert (got.certificate.requests, got.certificate.seed) == (20, 7)
    with pytest.raises(longline.InputError, match=r"cannot read cookies from .*none\.txt"):
        longline.harvest(url, tmp_path / "y", cookies=tmp_path / "none.txt")  # type: ignore[arg-type]
