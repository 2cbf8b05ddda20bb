"""The next plan or harvest of an address uses what `plan` and `discover` learnt of it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run
from tests.command_line import longline
from tests.discovery.servers import Make, Site

from longline.cli.sources import LearningOnce
from longline.simulate import running_site

USED = "using what was learnt on"
PLANNED = 8
"""Request budget of each plan in this file."""


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[str, list[str]]]:
    """A site without a spec, whose search must be learnt, and the log of its requests."""
    make = Make("court", total="of", limit=100, paging="rel", path="/find", field="words")
    asked: list[str] = []
    with running_site(Site(make).app, log=asked) as url:
        yield url, asked


@pytest.fixture
def learnable(place: tuple[str, list[str]]) -> str:
    """The address of that site."""
    return place[0]


@pytest.fixture
def log(place: tuple[str, list[str]]) -> list[str]:
    """The requests that the site received in this test."""
    place[1].clear()
    return place[1]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The folder for learnt specs, which does not exist yet."""
    return tmp_path / "kept"


@pytest.fixture
def ask(run: Run, learnable: str, kept: Path) -> Run:
    """Runs a command on that site, with that folder for learnt specs."""

    def run_on(command: str, *options: object, **environment: str) -> Any:
        limits = ("--max-requests", PLANNED) if command == "plan" else ()
        here = {"LONGLINE_LEARNT": str(kept)} | environment
        return run(command, learnable, "--allow-private", *limits, *options, **here)

    return run_on


@pytest.fixture(scope="module")
def first(place: tuple[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that a first plan saved."""
    folder = tmp_path_factory.mktemp("first")
    limits = ("--allow-private", "--max-requests", PLANNED)
    done = longline(folder, "plan", place[0], *limits, LONGLINE_LEARNT=str(folder / "kept"))
    assert done.returncode == 0, done.stderr
    assert len(place[1]) > 2 * PLANNED, "it was learnt, and planned"
    (path,) = (folder / "kept").iterdir()
    assert f"kept for a week, in {path}" in done.stderr
    return path


@pytest.fixture
def planned(first: Path, kept: Path, log: list[str]) -> Path:
    """A copy of that file in this test's folder; the request log is cleared."""
    kept.mkdir()
    log.clear()
    return Path(shutil.copy(first, kept))


def head_of(path: Path) -> dict[str, Any]:
    """Return the data in the first line of a saved file."""
    found: dict[str, Any] = json.loads(path.read_text().partition("\n")[0].removeprefix("#"))
    return found


def rewrite(path: Path, **changed: object) -> None:
    """Change some values in the first line of a saved file."""
    spec = path.read_text().partition("\n")[2]
    path.write_text(f"# {json.dumps(head_of(path) | changed)}\n{spec}")


def test_a_harvest_uses_what_a_plan_learnt(
    ask: Run, planned: Path, log: list[str], tmp_path: Path
) -> None:
    """The harvest sends no learning requests, and says when the spec was learnt and where it is."""
    done = ask("harvest", "--max-requests", 30, "-o", "got")
    assert done.returncode == 3, done.stderr
    assert f"{USED} {head_of(planned)['at'][:10]}, in {planned}; --learn-again" in done.stderr
    assert len(log) == 30
    found = json.loads((tmp_path / "got/certificate.json").read_text())
    assert found["documents"] > 10, "learning alone costs more than 30"
    assert (tmp_path / "got/source.toml").read_text() == planned.read_text().partition("\n")[2]


def test_a_plan_uses_it_too(ask: Run, planned: Path, log: list[str]) -> None:
    """A second plan sends only planning requests."""
    assert USED in ask("plan").stderr
    assert len(log) <= PLANNED


def test_what_discover_learnt_is_used(ask: Run, log: list[str]) -> None:
    """A spec that `discover` printed is saved for the next plan."""
    assert ask("discover").returncode == 0
    log.clear()
    assert USED in ask("plan").stderr
    assert len(log) <= PLANNED


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"version": "0.0.9"}, id="another version"),
        pytest.param({"at": "2001-01-01T00:00:00Z"}, id="old"),
        pytest.param({"at": "2301-01-01T00:00:00Z"}, id="of a clock that went wrong"),
        pytest.param({"version": None}, id="damaged"),
    ],
)
def test_what_may_be_wrong_is_learnt_anew(ask: Run, planned: Path, changed: dict[str, Any]) -> None:
    """A saved spec that may be wrong is learnt again and replaced."""
    rewrite(planned, **changed)
    done = ask("plan")
    assert done.returncode == 0
    assert USED not in done.stderr
    assert head_of(planned) | changed != head_of(planned)
    assert USED in ask("plan").stderr


def test_asked_to_learn_again(ask: Run, planned: Path) -> None:
    """With --learn-again the source is learnt again and the saved spec replaced."""
    before = head_of(planned)["at"]
    assert USED not in ask("plan", "--learn-again").stderr
    assert head_of(planned)["at"] > before


@pytest.mark.slow
def test_learnt_for_other_options(ask: Run, planned: Path, tmp_path: Path) -> None:
    """A saved spec is used only if it was learnt with the same learning options."""
    (tmp_path / "words.txt").write_text("file server")
    for options in (["--post"], ["--no-browser"], ["--words", "words.txt"]):
        assert USED not in ask("plan", *options).stderr, options
        assert USED in ask("plan", *options).stderr, options
        assert USED in ask("plan").stderr, "none that is given fits all"


def test_what_a_person_should_look_at_stops_a_harvest(ask: Run, planned: Path) -> None:
    """A saved spec that needs review stops the harvest, with the saved reason said once."""
    rewrite(planned, review=["hits may be of another list"])
    assert "before you harvest: hits may be of another list" in ask("plan").stderr
    done = ask("harvest", "-o", "got")
    assert done.returncode == 3
    assert done.stderr.count("hits may be of another list") == 1
    assert "correct got/source.toml" in done.stderr


def test_it_stops_every_harvest_until_it_is_checked(
    ask: Run, planned: Path, tmp_path: Path
) -> None:
    """A run at night does not harvest what nobody has looked at since the evening before."""
    rewrite(planned, review=["hits may be of another list"])
    assert ask("harvest", "-o", "got").returncode == 3
    spec = tmp_path / "got" / "source.toml"
    learnt = spec.read_text()
    spec.write_text(f"# CHECK FIRST: hits may be of another list\n{learnt}")
    for _ in range(2):
        done = ask("harvest", "-o", "got")
        assert done.returncode == 3
        assert "hits may be of another list" in done.stderr
        assert "delete its lines that begin with '# CHECK FIRST:'" in done.stderr
        assert not (tmp_path / "got" / "harvest.db").exists()
    spec.write_text(learnt)
    assert ask("harvest", "-o", "got").returncode == 0


def test_a_folder_that_says_how_is_not_learnt_again(
    ask: Run, planned: Path, log: list[str], tmp_path: Path
) -> None:
    """--learn-again is refused for a folder with a spec; the error says what to do."""
    ask("plan", "-o", "new")
    log.clear()
    done = ask("harvest", "-o", "new", "--learn-again")
    assert done.returncode == 2
    assert "remove it, or name a new folder" in done.stderr
    ask("harvest", "-o", "new", "--max-requests", 5)
    done = ask("harvest", "-o", "new", "--learn-again")
    assert done.returncode == 2
    assert "longline discover --relearn new" in done.stderr
    assert len(log) == 5


@pytest.mark.parametrize("blocked", ["", "file/kept"])
def test_nothing_is_kept(ask: Run, learnable: str, tmp_path: Path, blocked: str) -> None:
    """With saving switched off or impossible, a plan works and saves nothing."""
    (tmp_path / "file").write_text("no folder")
    folder = blocked and str(tmp_path / blocked)
    done = ask("plan", LONGLINE_LEARNT=folder)
    assert done.returncode == 0, done.stderr
    assert "kept for a week" not in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_by_its_option_and_the_users_cache(
    ask: Run, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option overrides the variable; without both, the user's cache folder is used."""
    ask("plan", "--learnt", "here")
    assert len(list((tmp_path / "here").iterdir())) == 1
    assert not kept.exists()
    monkeypatch.delenv("LONGLINE_LEARNT")
    for variable, usual in (
        (str(tmp_path / "cache"), tmp_path / "cache/longline"),
        ("not/absolute", tmp_path / ".cache/longline"),
    ):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("XDG_CACHE_HOME", variable)
        assert LearningOnce().options("https://archive.example/")["learnt"] == str(usual)
    for here in ("http://127.0.0.1:8000/", "http://localhost/", "http://[::1]:8000/"):
        assert LearningOnce().options(here)["learnt"] == "", "another program may answer there"


def test_what_a_site_says_of_itself_is_read_anew(
    run: Run, site: str, kept: Path, log: list[str]
) -> None:
    """A spec that a site announces itself is not saved."""
    done = run("plan", site, "--allow-private", LONGLINE_LEARNT=str(kept))
    assert done.returncode == 0
    assert not kept.exists()


def test_an_address_with_a_key_is_not_kept(run: Run, learnable: str, kept: Path) -> None:
    """An address with a secret is not saved."""
    address = f"{learnable}/?api_key=s3cr3t-7d1"
    done = run("plan", address, "--allow-private", LONGLINE_LEARNT=str(kept))
    assert done.returncode == 0, done.stderr
    assert not kept.exists()


def test_a_budget_that_cuts_learning_short_keeps_nothing(ask: Run, kept: Path) -> None:
    """A spec learnt with a budget too small to finish is not saved, and nothing is harvested."""
    done = ask("harvest", "--max-requests", 15, "-o", "got")
    assert done.returncode == 3
    assert "15 requests were not enough to learn the search; nothing is saved" in done.stderr
    assert not kept.exists()


@pytest.mark.parametrize("command", ["plan", "harvest"])
def test_a_file_is_no_folder(ask: Run, tmp_path: Path, log: list[str], command: str) -> None:
    """An output folder that is a file is refused before the source is learnt."""
    (tmp_path / "site").write_text("a file")
    done = ask(command, "-o", "site")
    assert (done.returncode, done.stdout, log) == (2, "", [])
    assert done.stderr == "error: site is a file; name a folder, which may be new\n"


@pytest.mark.parametrize("command", ["plan", "harvest"])
def test_a_folder_of_other_files_is_refused(
    ask: Run, tmp_path: Path, log: list[str], command: str
) -> None:
    """A folder with other files is refused, without requests or changes to it."""
    site = tmp_path / "site"
    (site / "photos").mkdir(parents=True)
    (site / "thesis.odt").touch()
    done = ask(command, "-o", "site")
    assert (done.returncode, done.stdout, log) == (2, "", [])
    assert done.stderr == (
        "error: site holds no harvest, but other files: photos and 1 more; "
        "name a new folder, or an empty one\n"
    )
    assert {each.name for each in site.iterdir()} == {"photos", "thesis.odt"}


@pytest.mark.slow
def test_a_form_by_post_takes_one_command(run: Run, tmp_path: Path) -> None:
    """A POST form is refused with a hint to --post; with --post it is harvested."""
    make = Make("desk", form="state", method="POST", paging="post", state=True)
    plain = ("--allow-private", "--no-browser", "-o", "got")
    with running_site(Site(make).app) as url:
        refused = run("harvest", url, *plain)
        assert refused.returncode == 2
        assert "if the form only searches, let it be sent by --post" in refused.stderr
        done = run("harvest", url, *plain, "--post", "--max-requests", 90)
    assert "documents" in done.stdout, done.stderr
    found = json.loads((tmp_path / "got/certificate.json").read_text())
    assert found["documents"] > 5


def test_a_broken_address_is_refused(run: Run, kept: Path) -> None:
    """A broken address is refused with a message and exit code 2, with and without saving."""
    for folder in (str(kept), ""):
        done = run("plan", "http://[bad", LONGLINE_LEARNT=folder)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
