"""`longline update` and `longline diff`, as a user runs them."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from bench.faulty.faults import Faulty, Refuse
from lxml import etree
from tests.cli.conftest import Run
from tests.updates.sources import Changing, amended, documents, site_of

import longline
from longline.errors import SourceError
from longline.simulate import Searcher, read_corpus, running_site

pytestmark = pytest.mark.slow

BEFORE = documents(120)
NEW = next(each for each in documents(121, seed=1) if each not in BEFORE)
AFTER = [amended(BEFORE[5]), *BEFORE[6:], NEW]
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def updated(run: Run, tmp_path: Path) -> str:
    """The output of an update of the folder `site`."""
    changing = Changing(site_of(BEFORE))
    with running_site(changing) as url:
        assert run("harvest", url, "--allow-private", "-o", "site").returncode == 0
        changing.inside = site_of(AFTER)
        done = run("update", "site", "--allow-private")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_update_and_diff_say_what_changed(run: Run, updated: str) -> None:
    """The summary has the numbers; `diff` names the documents as text, JSON and a feed."""
    assert "1 new, 1 changed, 114 unchanged, 5 gone" in updated
    text = run("diff", "site@1", "site").stdout
    assert "from site@1 to site: 1 new, 1 changed, 5 gone" in text.replace("\n", " ")
    assert text.count("gone ") >= 5
    lines = run("diff", "site@1", "site", "--json").stdout.splitlines()
    kinds = sorted(json.loads(line)["kind"] for line in lines)
    assert kinds == ["changed", *["gone"] * 5, "new"]
    feed = etree.fromstring(run("diff", "site@1", "site", "--atom").stdout.encode())
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 7
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 7
    assert all(entry.findtext(f"{ATOM}updated") for entry in entries)


def test_one_line_harvests_first_and_updates_later(run: Run, tmp_path: Path) -> None:
    """`harvest --update` harvests into a new folder, and updates an existing harvest."""
    changing = Changing(site_of(BEFORE))
    with running_site(changing) as url:
        line = ("harvest", url, "--allow-private", "-o", "site", "--update")
        first = run(*line)
        changing.inside = site_of(AFTER)
        later = run(*line)
    assert first.returncode == later.returncode == 0, later.stderr
    assert "update " not in first.stdout
    assert "1 new, 1 changed, 114 unchanged, 5 gone" in later.stdout
    without_folder = run("harvest", url, "--update")
    assert without_folder.returncode == 2
    assert "--update" in without_folder.stderr


def test_an_unfinished_update_is_named(run: Run, tmp_path: Path) -> None:
    """The summary and `status` both report an unfinished update."""
    with running_site(site_of(BEFORE)) as url:
        run("harvest", url, "--allow-private", "-o", "site")
        done = run("update", "site", "--allow-private", "--max-requests", "8")
    assert done.returncode == 3
    assert "longline export" not in done.stdout
    assert "longline update site --finish" in " ".join(done.stderr.split())
    said = " ".join(run("status", "site").stdout.split())
    assert "longline update site --allow-private continues it" in said
    assert "an update is not finished" in " ".join(run("status", ".").stdout.split())


def test_an_unfinished_harvest_goes_on_before_it_is_updated(run: Run, tmp_path: Path) -> None:
    """An unfinished harvest continues first, so that old documents are not called new."""
    with running_site(site_of(BEFORE)) as url:
        for _ in longline.stream(f"{url}/", tmp_path / "site", allow_private=True):
            break
        line = ("harvest", f"{url}/", "--allow-private", "-o", "site", "--update")
        for day in (60, 1000):
            done = run(*line, "--max-requests-per-day", day)
            assert "update " not in done.stdout
            assert not (tmp_path / "site" / ".update").exists()
    assert done.returncode == 0, done.stderr


def test_a_harvest_that_may_spend_more_goes_on_before_it_is_updated(
    run: Run, tmp_path: Path
) -> None:
    """With a larger budget it continues; where that is of no use, it is updated."""
    with running_site(site_of(BEFORE)) as url:
        line = ("harvest", f"{url}/", "--allow-private", "-o", "site", "--update")
        told = [run(*line, *most).stdout for most in (("--max-requests", 60),) * 2]
        assert ["update " in each for each in told] == [False, True]
        assert "update " not in run(*line).stdout
        assert "update " in run(*line).stdout


def test_an_update_of_a_part_says_what_new_means(run: Run, tmp_path: Path) -> None:
    """An update of a partial harvest says that missing documents will count as new."""
    told = "which is partial (budget): what it lacks will count as new"
    with running_site(site_of(BEFORE)) as url:
        run("harvest", url, "--allow-private", "-o", "site", "--max-requests", 30)
        part = run("update", "site", "--allow-private")
        whole = run("update", "site", "--allow-private")
    assert told in " ".join(part.stderr.split())
    assert "will count as new" not in whole.stderr


@pytest.mark.parametrize("status", [503, 403])
def test_a_harvest_whose_source_was_gone_goes_on_before_it_is_updated(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """A harvest that stopped because its source failed continues before it is updated."""
    monkeypatch.chdir(tmp_path)
    away = Refuse(status, target="^/documents/", requests=range(20, 2**62))
    changing = Changing(site_of(BEFORE))
    with running_site(changing) as url:
        longline.discover(url, allow_private=True).save("source.toml")
        changing.inside = Faulty(site_of(BEFORE), away)
        with suppress(SourceError):
            longline.harvest("source.toml", "site", allow_private=True, retries=0)
        some = len(longline.open("site").documents)
        changing.inside = site_of(BEFORE)
        done = run("harvest", "source.toml", "--allow-private", "-o", "site", "--update")
    assert done.returncode == 0, done.stderr
    assert 0 < some < len(longline.open("site").documents)
    assert "update " not in done.stdout


def test_what_is_no_harvest_is_refused(run: Run, tmp_path: Path) -> None:
    """A folder that holds no harvest gives exit code 2 and says what is needed."""
    for command in (["update", "nothing"], ["diff", "nothing", "nowhere"], ["diff", "x@3", "x"]):
        done = run(*command)
        assert done.returncode == 2
        assert "harvest" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_command_is_told_of_a_harvest_a_retry_and_an_update(run: Run, tmp_path: Path) -> None:
    """A harvest, a retry and an update each notify the command that they finished."""
    changing = Changing(site_of(BEFORE))
    (tmp_path / "tell.sh").write_text("cat >> told.jsonl; echo >> told.jsonl\n")
    told = ("--allow-private", "--notify", "sh tell.sh")
    with running_site(changing) as url:
        assert run("harvest", url, "-o", "site", *told).returncode == 0
        assert run("retry", "site", *told).returncode == 0
        changing.inside = site_of(AFTER)
        assert run("update", "site", *told).returncode == 0
    lines = (tmp_path / "told.jsonl").read_text().splitlines()
    notices = [json.loads(line) for line in lines if line]
    assert [each["event"] for each in notices].count("finished") == 3
    assert notices[0]["documents"] == 120
    assert notices[-1]["documents"] == 116


def test_a_notice_that_does_not_arrive_is_told(run: Run) -> None:
    """One line on standard error gives the reason; --quiet leaves it out."""
    with running_site(site_of(BEFORE)) as url:
        options = (url, "-o", "site", "--allow-private", "--max-requests", 20)
        done = run("harvest", *options, "--notify", "http://127.0.0.1:9/")
        assert done.stderr.count("warning:") == 1
        assert "warning: the notice 'finished' did not arrive: " in done.stderr
        assert (
            "warning"
            not in run("retry", "site", "--allow-private", "--notify", "false", "-q").stderr
        )


def test_harvests_of_two_sources_are_compared_with_a_note(
    run: Run, corpus: Path, tmp_path: Path
) -> None:
    """The folders' names may hold an @; two harvests of one source have no such note."""
    searcher = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    for name in ("a@home", "b"):
        with running_site(searcher) as url:
            run("harvest", f"{url}/", "-o", name, "--allow-private", "--max-requests", 40)
    assert "harvests of two sources" in run("diff", "a@home", "b").stderr
    done = run("diff", "a@home", "a@home")
    assert (done.returncode, done.stderr) == (0, "")
