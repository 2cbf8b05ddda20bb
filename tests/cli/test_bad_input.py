"""Every user mistake gives one clear error and the right exit code, without a traceback."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse
from tests.cli.conftest import Run

from longline.simulate import Searcher, read_corpus, running_site, website

SPEC = """
[source]
name = "shop"
url = "{url}/"

[ask]
url = "{url}/search?q={{query}}"

[results]
hit = "{hit}"
link = "a"

[document]
text = "article"
"""


@pytest.fixture
def fails(run: Run) -> Callable[..., str]:
    """Runs `longline`, which must fail with one line on standard error; returns that line."""

    def run_and_fail(*arguments: object, code: int = 2) -> str:
        done = run(*arguments)
        lines = done.stderr.strip().splitlines()
        assert (done.returncode, len(lines)) == (code, 1), done.stderr
        assert lines[0].startswith("error: ")
        return lines[0]

    return run_and_fail


Fails = Callable[..., str]


def write_spec(folder: Path, url: str, hit: str = "li") -> str:
    """Write a source spec and return its name."""
    (folder / "source.toml").write_text(SPEC.format(url=url, hit=hit))
    return "source.toml"


def test_missing_source(fails: Fails) -> None:
    """The error names a source file that does not exist."""
    assert "no file or folder nowhere.toml" in fails("harvest", "nowhere.toml")


def test_folder_without_harvest(fails: Fails, tmp_path: Path) -> None:
    """Each command that takes a folder reports that this one holds no harvest."""
    (tmp_path / "empty").mkdir()
    assert "empty is not a harvest folder" in fails("status", "empty")
    assert "empty is not a harvest folder" in fails("export", "empty")
    assert "no source.toml in empty" in fails("harvest", "empty")
    write_spec(tmp_path / "empty", "http://127.0.0.1:9/")
    assert "no harvest has begun in empty" in fails("status", "empty")


def test_broken_toml(fails: Fails, tmp_path: Path) -> None:
    """The error locates broken TOML by file and line."""
    (tmp_path / "source.toml").write_text('[source]\nname = "shop\n')
    assert "source.toml, line 2" in fails("harvest", "source.toml")


def test_spec_that_is_no_text(fails: Fails, tmp_path: Path) -> None:
    """The error for a binary spec file says that it is not UTF-8 text."""
    (tmp_path / "source.toml").write_bytes(b"\x89PNG\xff\xfe")
    assert "not text in UTF-8" in fails("harvest", "source.toml")


def test_unknown_key_in_spec(fails: Fails, tmp_path: Path) -> None:
    """The error names an unknown key and its file."""
    write_spec(tmp_path, "http://127.0.0.1:1")
    path = tmp_path / "source.toml"
    path.write_text(path.read_text().replace("hit =", "hits ="))
    message = fails("harvest", "source.toml")
    assert "hits" in message
    assert "source.toml" in message


def test_unknown_strategy(fails: Fails, tmp_path: Path) -> None:
    """The error for an unknown strategy lists the known ones."""
    spec = write_spec(tmp_path, "http://127.0.0.1:1")
    message = fails("harvest", spec, "--strategy", "gredy")
    assert "unknown strategy 'gredy'; did you mean greedy?" in message
    assert "greedy, ids, ts-ids" in message


def test_unknown_cost(fails: Fails, tmp_path: Path) -> None:
    """The error names an invalid cost before any request is sent."""
    spec = write_spec(tmp_path, "http://127.0.0.1:1")
    assert "'dff+3'" in fails("harvest", spec, "--allow-private", "--cost", "dff+3")


def test_missing_words(fails: Fails, tmp_path: Path) -> None:
    """The error names a word list that is missing or empty."""
    spec = write_spec(tmp_path, "http://127.0.0.1:1")
    told = fails("harvest", spec, "--words", "none.txt")
    assert "cannot read none.txt: No such file or directory; name" in told
    (tmp_path / "empty.txt").touch()
    assert "holds no word" in fails("harvest", spec, "--words", "empty.txt")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--strategy", "ids", "--generations", 4), "--generations does not apply to ids"),
        (("--sample", 50), "--sample does not apply to auto"),
        (("--listing-only", "--attachments"), "--listing-only opens no pages"),
        (("--words", "words.jsonl"), "words.jsonl holds JSON; give one word a line"),
    ],
)
def test_options_without_an_effect(
    fails: Fails, tmp_path: Path, options: tuple[object, ...], said: str
) -> None:
    """An option that would be ignored is refused before a request is sent, with a next step."""
    (tmp_path / "words.jsonl").write_text('{"id": 1, "text": "deep web"}\n')
    assert said in fails("harvest", "http://127.0.0.1:1/", *options)


def test_private_address(fails: Fails, tmp_path: Path) -> None:
    """A private address is refused by default; the error names the option that allows it."""
    spec = write_spec(tmp_path, "http://127.0.0.1:1")
    assert "--allow-private" in fails("harvest", spec)
    assert "--allow-private" in fails("harvest", "http://localhost:1/")


@pytest.mark.usefixtures("hurried")
def test_unreachable_host(fails: Fails, tmp_path: Path) -> None:
    """The error names the host and port where nobody listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    spec = write_spec(tmp_path, f"http://127.0.0.1:{port}")
    assert f"127.0.0.1 port {port}" in fails("harvest", spec, "--allow-private", code=3)


@pytest.fixture
def closed_site(corpus: Path) -> Iterator[str]:
    """A site whose robots.txt disallows its search."""
    searcher = Searcher(read_corpus(str(corpus)))
    robots = "User-agent: *\nDisallow: /search\n"
    with running_site(website(searcher, robots=robots)) as url:
        yield url


def test_disallowing_robots(fails: Fails, closed_site: str) -> None:
    """A robots.txt that disallows the search ends the harvest; the error names the rule."""
    message = fails("harvest", f"{closed_site}/", "--allow-private", code=3)
    assert "robots.txt" in message
    assert "/search" in message


def test_robots_can_be_ignored_on_purpose(run: Run, closed_site: str) -> None:
    """With --ignore-robots the same site is harvested."""
    command = ("harvest", f"{closed_site}/", "--allow-private", "--max-documents", 5)
    done = run(*command, "--ignore-robots")
    assert "5 documents" in done.stdout, done.stderr


def test_selector_that_matches_nothing(fails: Fails, site: str, tmp_path: Path) -> None:
    """A hit selector that matches nothing on ten different answers ends the harvest."""
    spec = write_spec(tmp_path, site, hit="css:div.no-such-thing")
    message = fails("harvest", spec, "--allow-private", code=3)
    assert "10 searches had different answers" in message
    assert "correct `hit` in source.toml" in message


def test_selector_that_does_not_compile(fails: Fails, tmp_path: Path) -> None:
    """The error names the key whose selector has a syntax error."""
    spec = write_spec(tmp_path, "http://127.0.0.1:1", hit="css:li[")
    assert "results.hit" in fails("harvest", spec)


@pytest.mark.slow
def test_page_that_names_no_spec_and_has_no_search(fails: Fails) -> None:
    """The error for a web page without a spec or a search says what to do instead."""
    page = HTMLResponse("<h1>Nothing here</h1><p>No form, no link, no search.</p>")
    with running_site(page) as url:
        assert "source.toml" in fails("harvest", f"{url}/", "--allow-private")


def test_other_settings_than_begun_with(fails: Fails, run: Run, site: str) -> None:
    """A harvest cannot continue with another strategy or seed."""
    command = ("harvest", f"{site}/", "-o", "got", "--allow-private", "--max-documents", 5)
    run(*command)
    message = fails(*command, "--seed", 9, "--strategy", "ids")
    assert "--strategy auto (now ids)" in message
    assert "--seed 0 (now 9)" in message


def test_other_source_than_begun_with(fails: Fails, run: Run, site: str, tmp_path: Path) -> None:
    """A folder of one source cannot be filled from another."""
    run("harvest", f"{site}/", "-o", "got", "--allow-private", "--max-documents", 5)
    spec = write_spec(tmp_path, "http://127.0.0.1:1")
    assert site in fails("harvest", spec, "-o", "got", "--allow-private")


def test_folder_that_cannot_be_made(fails: Fails, tmp_path: Path) -> None:
    """The error names an output folder whose parent is a file."""
    spec = write_spec(tmp_path, "http://127.0.0.1:1")
    (tmp_path / "file").touch()
    assert "file/got" in fails("harvest", spec, "-o", "file/got", "--allow-private")


@pytest.mark.slow
def test_full_disk_stops_short_and_loses_nothing(run: Run, site: str, tmp_path: Path) -> None:
    """A harvest that runs out of disk space says so, exits with 3, and can continue later."""
    command = f"{sys.executable} -m longline harvest {site}/ -o got --allow-private"
    limited = f"trap '' XFSZ; ulimit -f 350; exec {command}"
    done = subprocess.run(
        ["bash", "-c", limited], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3, done.stderr
    assert "free some space" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    held = len(run("export", "got").stdout.splitlines())
    assert held > 0
    more = ("--allow-private", "--max-documents", held + 20)
    assert f"{held + 20} documents" in run("harvest", "got", *more).stdout
    assert len(run("export", "got").stdout.splitlines()) == held + 20


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.jsonl", None, "missing.jsonl"),
        ("broken.jsonl", '{"text": "a"}\n{"text": \n', "broken.jsonl:2"),
        ("empty.jsonl", "", "empty.jsonl"),
    ],
)
def test_bad_corpus(
    fails: Fails, tmp_path: Path, name: str, content: str | None, said: str
) -> None:
    """The error names a corpus that is missing, broken or empty, and the broken line."""
    if content is not None:
        (tmp_path / name).write_text(content)
    assert said in fails("serve", name)


def test_port_in_use(fails: Fails, corpus: Path) -> None:
    """The error names a port that is in use."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert str(port) in fails("serve", corpus, "--port", port)


def test_options_out_of_range(run: Run, tmp_path: Path) -> None:
    """Numbers out of range are usage errors with exit code 2."""
    spec = write_spec(tmp_path, "http://127.0.0.1:1")
    for option in ("--max-requests", "--max-documents", "--sample", "--size"):
        done = run("harvest", spec, option, "0")
        assert done.returncode == 2
        assert option in done.stderr
    assert run("harvest", spec, "--allow-private", "--rate", "-1").returncode == 2
    assert run("harvest").returncode == 2
    assert run("export", "got", "--to", "xml").returncode == 2


def test_address_without_its_beginning(fails: Fails) -> None:
    """An address without a scheme gets a hint to begin with https://; a file name does not."""
    for arguments in (["harvest"], ["plan"]):
        assert "begins with https://" in fails(*arguments, "www.city.example")
    assert "begins with https://" in fails("find", "www.city.example", "hours")
    assert "begins with" not in fails("harvest", "nowhere.toml")


@pytest.mark.slow
def test_output_without_room(tmp_path: Path, run: Run, site: str) -> None:
    """A full disk behind standard output gives a one-line error, not a traceback."""
    run("harvest", f"{site}/", "--allow-private", "-o", "got", "--max-documents", 5)
    for command in ("status", "export"):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "longline", command, "got"],
                cwd=tmp_path,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert done.returncode == 3
        assert "standard output: No space left" in done.stderr
        assert "Traceback" not in done.stderr


def test_folder_with_a_spec_alone(run: Run, site: str, tmp_path: Path) -> None:
    """A folder with only a spec, under any file name, can be harvested into."""
    (tmp_path / "got").mkdir()
    write_spec(tmp_path / "got", site, hit="ol.results > li")
    done = run("harvest", "got", "--allow-private", "--max-documents", 5)
    assert done.returncode == 3, done.stderr
    assert "saving to got" in done.stderr
    assert (tmp_path / "got" / "harvest.db").is_file()


def test_chart_that_could_not_be_written(fails: Fails, tmp_path: Path) -> None:
    """A chart that cannot be written is reported before the work, not after it."""
    pytest.importorskip("plotly")
    assert "cannot write" in fails("compare", "docstrings", "--chart", "nowhere/chart.html")


def test_harvest_that_lost_its_spec(fails: Fails, run: Run, site: str, tmp_path: Path) -> None:
    """The error for a harvest without source.toml says how to restore it."""
    run("harvest", f"{site}/", "--allow-private", "-o", "got", "--max-documents", 5)
    (tmp_path / "got" / "source.toml").unlink()
    assert "save its spec as got/source.toml" in fails("status", "got")
    assert "learn the site anew" in fails("harvest", f"{site}/", "-o", "got", "--allow-private")


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        (("havrest", "x"), "Did you mean 'harvest'?"),
        (("serve", "docstrings", "--limt", 3), "--limit"),
        (("harvest", "x", "--max-request", 3), "--max-requests"),
    ],
)
def test_typos_are_answered_with_what_was_meant(
    run: Run, wrong: tuple[object, ...], meant: str
) -> None:
    """An unknown command or option exits with 2; the error names the nearest known one."""
    done = run(*wrong)
    assert done.returncode == 2
    assert done.stdout == ""
    assert meant in done.stderr.splitlines()[-1]


def test_a_closed_port_is_told_in_words(fails: Fails) -> None:
    """The error gives the system's reason, without the number and address that asyncio adds."""
    told = fails("harvest", "http://127.0.0.1:1/", "--allow-private", "--max-wait", 0.01, code=3)
    assert "no answer from 127.0.0.1 port 1 in " in told
    assert ": Connection refused; check" in told


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_on_a_terminal_a_long_error_is_broken(tmp_path: Path) -> None:
    """A long error is wrapped on a terminal, and is one line elsewhere."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "longline", "status", tmp_path / ("long" * 20)]
    size = {"COLUMNS": "60"}
    subprocess.run(command, stderr=theirs, env=os.environ | size, check=False)
    os.close(theirs)
    first, second, *_ = os.read(ours, 4096).decode().splitlines()
    assert (first[:6], first[-1]) == ("error:", ";")
    assert second == "  name the folder of a harvest"
    piped = subprocess.run(command, capture_output=True, env=os.environ | size, check=False)
    assert piped.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
def test_a_folder_that_takes_no_files_is_refused_first(fails: Callable[..., str]) -> None:
    """A folder that cannot be written is refused before the first request."""
    log: list[str] = []
    with running_site(Searcher(read_corpus("docstrings")[:20]), log=log) as url:
        said = fails("harvest", url, "--allow-private", "-o", "/proc/nope")
    assert said.startswith("error: cannot write")
    assert said.endswith("choose a folder you may write")
    assert log == []


@pytest.mark.parametrize(
    "command",
    [
        ("cover", "c.jsonl", "--queries", "c.jsonl"),
        ("compare", "c.jsonl", "--strategy", "greedy", "--chart", "mine.html"),
        ("discover", "http://127.0.0.1:9/", "-o", "mine.html"),
        ("doctor", "got", "-o", "mine.html"),
        ("report", "got", "-o", "mine.html"),
    ],
    ids=lambda command: command[0],
)
def test_files_are_not_overwritten(
    run: Run, fails: Fails, corpus: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """A file that exists stays as it is."""
    for name in ("c.jsonl", "mine.html"):
        (tmp_path / name).write_bytes(corpus.read_bytes())
    if "got" in command:
        with running_site(
            website(Searcher(read_corpus(str(corpus)), limit=50, page_size=10))
        ) as url:
            run("harvest", f"{url}/", "-o", "got", "--allow-private", "--max-requests", 40)
    assert f"{command[-1]} exists already" in fails(*command)
    assert (tmp_path / command[-1]).read_bytes() == corpus.read_bytes()


def test_a_chart_has_one_format(fails: Fails, corpus: Path) -> None:
    """A name that promises a picture is refused before the work."""
    assert "HTML, not .png" in fails("compare", corpus, "--strategy", "greedy", "--chart", "a.png")


def test_a_target_without_a_total_is_refused_at_once(fails: Fails, tmp_path: Path) -> None:
    """No request is sent, and no folder is made."""
    asked = ("http://127.0.0.1:9/", "-o", "got", "--no-estimate", "--target-coverage", ".9")
    assert "needs the number of documents" in fails("harvest", *asked)
    assert not (tmp_path / "got").exists()
