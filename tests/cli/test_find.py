"""`longline find` as a user runs it, on real servers and on folders."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench.faulty.faults import Faulty, Refuse, Slow
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

import longline
from longline.errors import InputError
from longline.finder import FindLimits, wanted
from longline.simulate import running_site

Run = Callable[..., "object"]

MENU = "<nav><a href='/'>Home</a><a href='/services/'>Services</a><a href='/news/'>News</a></nav>"
PAGES = {
    "/": "<title>City of Example</title>{menu}<h1>Welcome</h1><p>All about our city.</p>",
    "/services/": "<title>Services - City of Example</title>{menu}<h1>Services</h1><ul>"
    "<li><a href='library'>Public library</a></li><li><a href='waste'>Waste</a></li>"
    "<li><a href='schools'><img alt='Schools' src='s.png'></a></li></ul>",
    "/services/library": "<title>Public library - City of Example</title>{menu}"
    "<h1>Public library</h1><p>Opening hours: Monday to Friday.</p>",
    "/services/waste": "<title>Waste - City of Example</title>{menu}<p>Bins and their days.</p>",
    "/services/schools": "<title>Schools - City of Example</title>{menu}<p>Terms and meals.</p>",
    "/news/": "<title>News - City of Example</title>{menu}<p>The fair begins on Sunday.</p>",
}


def city(log: list[str]) -> Starlette:
    """A small site, with a trap, a redirect loop and a page without links."""

    async def page(request: Request) -> Response:
        path = request.url.path
        if path == "/robots.txt":
            return PlainTextResponse("User-agent: *\nDisallow: /secret\n")
        log.append(path)
        if path == "/loop":
            return RedirectResponse("/loop")
        if path.startswith("/calendar/"):
            month = int(path.rpartition("/")[2])
            links = f"<a href='/calendar/{month + 1}'>Next month</a>"
            return HTMLResponse(f"<title>Month {month}</title>{links}<p>Nothing on.</p>")
        if path == "/many":
            links = "".join(f"<a href=/m{n}>{n}</a>" for n in range(100_000))
            return HTMLResponse(
                f"<title>Many</title>{links}<a href='/services/library'>Library</a>"
            )
        if path == "/alone":
            return HTMLResponse("<title>Alone</title><p>Nothing but text.</p>")
        if path == "/empty":
            return Response(b"", media_type="text/html")
        if path == "/data":
            return Response(b"{}", media_type="application/json")
        if path not in PAGES:
            return PlainTextResponse("no such page", 404)
        return HTMLResponse(PAGES[path].format(menu=MENU))

    return Starlette(routes=[Route("/{path:path}", page)])


@pytest.fixture
def log() -> list[str]:
    """The requested paths, without robots.txt."""
    return []


@pytest.fixture
def url(log: list[str]) -> Iterator[str]:
    """The address of that site, without a trailing slash."""
    with running_site(city(log)) as address:
        yield address


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same site as a folder of files."""
    site = tmp_path / "city"
    for path, html in PAGES.items():
        name = f"{path}index.html" if path.endswith("/") else f"{path}.html"
        file = site / name.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html.format(menu=MENU))
    return site


def test_page_is_found_over_http(run: Run, url: str, log: list[str]) -> None:
    """The page is found and its address printed, after few downloads."""
    done = run("find", f"{url}/", "public", "library", "--allow-private")
    assert done.returncode == 0, done.stderr
    assert f"found      {url}/services/library" in done.stdout
    assert log[:3] == ["/", "/services/", "/services/library"]


def test_a_wait_that_the_site_asks_for_is_said(run: Run) -> None:
    """A search waits when the site asks for it, and says until when."""
    with running_site(Faulty(city([]), Refuse(503, "1", requests=[2], target="^/services"))) as url:
        done = run("find", f"{url}/", "opening", "hours", "library", "--allow-private")
    assert done.returncode in (0, 3), done.stderr
    assert "waiting until" in done.stderr
    assert "127.0.0.1 asked for it (503, Retry-After 1)" in done.stderr


def test_page_is_found_in_a_folder(run: Run, folder: Path) -> None:
    """In a folder the page is named by its path in that folder."""
    done = run("find", folder, "public", "library", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    names = ["site", "found", "url", "confidence", "downloads", "runners_up", "same", "stopped"]
    assert list(found) == names
    assert (found["found"], found["url"]) == (True, "services/library.html")
    assert 0.5 < found["confidence"] <= 1
    assert found["downloads"] <= 6


def test_same_text_is_named(run: Run, tmp_path: Path) -> None:
    """A page with the same text at two addresses is printed with both."""
    text = " ".join(f"<p>Room {n} opens at {n}:30 for all who wait." for n in range(40))
    links = "".join(f"<a href={name}.html>Opening hours</a>" for name in "ab")
    (tmp_path / "index.html").write_text(f"<title>City</title>{links}<a href=c.html>News</a>")
    (tmp_path / "a.html").write_text(f"<title>Opening hours</title>{text}")
    (tmp_path / "b.html").write_text(f"<title>Opening hours</title>{text}<p>To print.")
    (tmp_path / "c.html").write_text("<title>News</title><p>Nothing new.")
    done = run("find", str(tmp_path), "opening", "hours")
    assert done.returncode == 0, done.stderr
    assert "same text  b.html" in done.stdout
    found = json.loads(run("find", str(tmp_path), "opening", "hours", "--json").stdout)
    assert (found["url"], found["same"]) == ("a.html", ["b.html"])
    assert "b.html" not in [each["url"] for each in found["runners_up"]]
    assert found["confidence"] > 0.9


@pytest.mark.parametrize("algorithm", ["ls", "ls2f", "sim", "rw", "focused"])
def test_every_algorithm_searches(run: Run, folder: Path, algorithm: str) -> None:
    """A published algorithm searches the same site and reports its downloads."""
    done = run("find", folder, "library", "--algorithm", algorithm, "--json")
    assert done.returncode in (0, 3), done.stderr
    assert json.loads(done.stdout)["downloads"] >= 1


def test_a_threshold_says_when_to_stop(run: Run, folder: Path) -> None:
    """A low threshold stops after fewer downloads than a threshold of 1."""
    read = []
    for threshold in (0, 1):
        told = ("--algorithm", "ls", "--states", 5, "--threshold", threshold, "--json")
        done = run("find", folder, "public", "library", *told)
        assert done.returncode in (0, 3), done.stderr
        read.append(json.loads(done.stdout)["downloads"])
    assert read[0] < read[1]


def test_not_found_is_said(run: Run, url: str, log: list[str]) -> None:
    """Where no page matches, the output says so; exit code 3, at most one download per page."""
    done = run("find", f"{url}/", "submarine", "cables", "--allow-private")
    assert done.returncode == 3
    assert done.stdout.startswith("not found\n")
    assert len(log) <= len(PAGES)


def test_budget_is_kept(run: Run, url: str, log: list[str]) -> None:
    """A search sends no more requests than the limit, even in a trap."""
    done = run("find", f"{url}/calendar/1", "opera", "--allow-private", "--max-downloads", 5)
    assert done.returncode == 3
    assert len(log) == 5
    assert "5 pages were read, as many as may be; allow more" in done.stdout


def test_calendar_ends(run: Run, url: str, log: list[str]) -> None:
    """An endless calendar is left long before the budget is spent."""
    assert run("find", f"{url}/calendar/1", "opera", "--allow-private").returncode == 3
    assert len(log) < 15


@pytest.mark.slow
def test_page_of_very_many_links(run: Run, url: str, log: list[str]) -> None:
    """Among a hundred thousand links, the one with the query word is followed."""
    done = run("find", f"{url}/many", "library", "--allow-private", "--max-downloads", 4)
    assert "/services/library" in done.stdout
    assert log[1] == "/services/library"


@pytest.mark.parametrize(
    ("path", "said"),
    [("/loop", "redirect loop"), ("/alone", "no link"), ("/empty", "empty"), ("/data", "no HTML"),
     ("/missing", "404"), ("/secret", "robots.txt")],
)  # fmt: skip
def test_bad_start_page(run: Run, url: str, path: str, said: str) -> None:
    """A start page that cannot be used gives one error line; robots.txt exits with 3, not 2."""
    done = run("find", f"{url}{path}", "library", "--allow-private")
    assert done.returncode == (3 if path == "/secret" else 2)
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("error: ")
    assert said in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["http://127.0.0.1:9/", "x"], "private address"),
        (["http://127.0.0.1:9/", "x", "--allow-private"], "no answer"),
        (["nowhere", "x"], "no file or folder"),
        (["city", "the", "of"], "no word"),
        (["city"], "no word"),
        ([], "no site"),
        (["city", "x", "--algorithm", "lost-dog"], "ls2f"),
        (["city/services/library.html", "x", "--csv"], "--sites"),
        (["x", "--sites", "none.txt"], "none.txt"),
        (["city", "x", "--threshold", "0.5"], "hound has no threshold"),
        (["city", "x", "--algorithm", "ls", "--threshold", "1.5"], "from 0 to 1"),
        (["city", "x", "--algorithm", "hmm", "--states", "0"], "1 or more"),
    ],
)
@pytest.mark.usefixtures("hurried")
def test_bad_input(run: Run, folder: Path, arguments: list[str], said: str) -> None:
    """A user mistake gives one error line and exit code 2; an unreachable site exits with 3."""
    done = run("find", *arguments)
    assert done.returncode == (3 if said == "no answer" else 2)
    (line,) = done.stderr.strip().splitlines()
    assert said in line


def test_many_sites(run: Run, folder: Path, tmp_path: Path) -> None:
    """A query on a file of sites gives a row per site; a failure is a row with the reason."""
    (tmp_path / "sites.txt").write_text("city\n# a comment\n\nnowhere\n")
    done = run("find", "--sites", "sites.txt", "public", "library", "--csv")
    assert done.returncode == 3
    head, first, second = done.stdout.splitlines()
    assert head == "site,found,url,confidence,downloads,stopped,same"
    assert first.startswith("city,True,services/library.html,")
    assert "no file or folder nowhere" in second
    rows = json.loads(run("find", "--sites", "sites.txt", "public", "library", "--json").stdout)
    assert [row["found"] for row in rows] == [True, False]
    few = run("find", "--sites", "sites.txt", "public", "library", "--max-downloads", 1)
    assert "nowhere" in few.stdout
    assert "1 could not be searched; 1 not read to the end (--csv says why)" in few.stderr


@pytest.mark.slow
def test_many_sites_are_kept_on_interrupt(folder: Path, tmp_path: Path) -> None:
    """Results found before Ctrl-C are printed; the list of sites may begin with a BOM."""
    log: list[str] = []
    hanging = Faulty(HTMLResponse("<a href=/x>x</a>"), Slow(3600))
    with running_site(hanging, log=log) as url:
        text = f"\ufeffcity\n  # a comment\n{url}/\ncity\n"
        (tmp_path / "sites.txt").write_text(text, encoding="utf-8")
        options = ["--sites", "sites.txt", "public", "library", "--csv", "--allow-private"]
        process = subprocess.Popen(
            [sys.executable, "-m", "longline", "find", *options],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline().startswith("site,")
        assert process.stdout.readline().startswith("city,True")
        end = time.monotonic() + 60
        while not log and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=30)
    assert (process.returncode, rest) == (3, "")
    assert "found in 1 of 2 sites" in said
    assert "Traceback" not in said


def test_sites_of_one_host_take_turns(url: str, log: list[str]) -> None:
    """Sites on one host are searched one after the other; results keep the order given."""
    sites = [f"{url}/", f"{url}/news/", f"{url}/alone"]
    found = longline.find_in_sites(sites, "public library", allow_private=True, max_downloads=6)
    assert [getattr(each, "url", None) for each in found] == [f"{url}/services/library"] * 2 + [
        None
    ]
    second = log.index("/news/", 1)
    assert log[:3] == ["/", "/services/", "/services/library"]
    assert "/services/library" in log[second:]
    assert log[-1] == "/alone"


@pytest.fixture
def examples(tmp_path: Path) -> list[Path]:
    """The library pages of three other cities, each in the folder of its site."""
    names = ("Town library", "Our public library", "The library")
    for number, name in enumerate(names):
        site = tmp_path / f"town{number}"
        (site / "culture").mkdir(parents=True)
        links = f"<a href='culture/library.html'>{name}</a><a href='fair.html'>Fair</a>"
        (site / "index.html").write_text(f"<title>Town {number}</title>{links}<p>Welcome</p>")
        (site / "fair.html").write_text("<title>Fair</title><a href='/'>Home</a><p>Sunday</p>")
        (site / "culture/library.html").write_text(
            f"<title>{name}</title><h1>{name}</h1><a href='../'>Home</a><p>Books to borrow.</p>"
        )
    return sorted(tmp_path.glob("town*/culture/library.html"))


def test_page_like_examples(run: Run, url: str, examples: list[Path], log: list[str]) -> None:
    """Without query words, a page similar to the examples is found."""
    likes = [part for example in examples for part in ("--like", example)]
    done = run("find", f"{url}/", *likes, "--allow-private", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["url"] == f"{url}/services/library"
    assert len(log) <= len(PAGES)


def test_example_on_the_web(run: Run, url: str, folder: Path, examples: list[Path]) -> None:
    """An example may be a web page while the searched site is a folder."""
    likes = [part for example in examples for part in ("--like", example)]
    web = ("--like", f"{url}/services/library")
    done = run("find", folder, *likes, *web, "--allow-private", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["url"] == "services/library.html"


def test_published_way_with_examples(run: Run, folder: Path, examples: list[Path]) -> None:
    """A published algorithm uses the most frequent words of the examples as its query."""
    likes = [part for example in examples for part in ("--like", example)]
    done = run("find", folder, *likes, "--algorithm", "focused", "--json")
    assert done.returncode in (0, 3), done.stderr
    words = asyncio.run(wanted((), [str(example) for example in examples], "focused", FindLimits()))
    assert words[0] == "library"
    alone = run("find", folder, *words, "--algorithm", "focused", "--json")
    assert json.loads(done.stdout) == json.loads(alone.stdout)


@pytest.mark.usefixtures("hurried")
def test_bad_examples(run: Run, folder: Path, examples: list[Path]) -> None:
    """Missing examples, and words together with examples, are refused in one line."""
    for arguments, said in (
        (["city", "--like", "none.html"], "none.html"),
        (["city", "library", "--like", examples[0]], "not both"),
        (["city", "--like", "http://127.0.0.1:9/x", "--allow-private"], "no answer"),
    ):
        done = run("find", *arguments)
        assert done.returncode == (3 if said == "no answer" else 2)
        (line,) = done.stderr.strip().splitlines()
        assert said in line


def test_python_interface(folder: Path) -> None:
    """`longline.find` returns the page, reports each page it reads, and refuses bad limits."""
    read: list[str] = []
    listeners = longline.FindListeners(observe=lambda pages, address: read.append(address))
    found = longline.find(str(folder), "public library", listeners=listeners)
    assert (found.found, found.url) == (True, "services/library.html")
    assert len(read) == found.downloads
    assert read[0] == "index.html"
    with pytest.raises(InputError, match="max_downloads"):
        longline.find(str(folder), "x", max_downloads=0)
