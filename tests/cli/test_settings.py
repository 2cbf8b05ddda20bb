"""The settings file and the environment, and which has priority."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.cli.conftest import Run

ALLOWED, REFUSED = "no answer from", "is a private address"
NOWHERE = "http://127.0.0.1:1/"


@pytest.fixture
def agents() -> list[str]:
    """The User-Agent of each request."""
    return []


@pytest.fixture
def listening(agents: list[str]) -> Iterator[str]:
    """The address of a site that records each User-Agent and has no pages."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            agents.append(self.headers["User-Agent"])
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("option", "variable", "line", "is_allowed"),
    [
        (None, None, None, False),
        (None, None, "true", True),
        (None, "0", "true", False),
        (None, "1", "false", True),
        ("--no-allow-private", "1", "true", False),
        ("--allow-private", "0", "false", True),
    ],
)
def test_the_nearest_goes_first(
    run: Run, tmp_path: Path, option: str | None, variable: str | None, line: str | None, is_allowed
) -> None:
    """Priority: command line, then environment, then settings file, then defaults."""
    settings = tmp_path / "mine.toml"
    settings.write_text("" if line is None else f"allow-private = {line}\n")
    environment = {"LONGLINE_SETTINGS": str(settings)}
    if variable is not None:
        environment["LONGLINE_ALLOW_PRIVATE"] = variable
    done = run("plan", NOWHERE, *([option] if option else []), **environment)
    assert done.returncode == 2 or is_allowed
    assert (ALLOWED if is_allowed else REFUSED) in done.stderr


@pytest.mark.slow
def test_the_name_that_is_sent_can_be_set(
    run: Run, tmp_path: Path, listening: str, agents: list[str]
) -> None:
    """The file's user agent is sent with each request; the command line overrides it."""
    settings = tmp_path / "mine.toml"
    settings.write_text('user-agent = "archivist/2 (me@example.org)"\nallow-private = true\n')
    run("discover", listening, LONGLINE_SETTINGS=str(settings))
    assert set(agents) == {"archivist/2 (me@example.org)"}
    agents.clear()
    run("discover", listening, "--user-agent", "other/1", LONGLINE_SETTINGS=str(settings))
    assert set(agents) == {"other/1"}


def test_the_users_own_file_is_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a variable, longline.toml in the user's settings folder is read."""
    monkeypatch.delenv("LONGLINE_SETTINGS")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "wrong" not in run("plan", NOWHERE).stderr
    for folder in (tmp_path / "longline", tmp_path / ".config" / "longline"):
        folder.mkdir(parents=True)
        (folder / "longline.toml").write_text("wrong = 1\n")
    assert "longline.toml, line 1: there is no setting 'wrong'" in run("plan", NOWHERE).stderr
    assert run("strategies").returncode == 0  # a command without options from the file


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# mine\n\nrate = 'fast'", """line 3: rate is "fast"; give a number"""),
        ("rate = 0", "line 1: rate is 0; give a number above 0"),
        ("timeout = true", "line 1: timeout is true; give a number"),
        ("concurrency = 1.5", "line 1: concurrency is 1.5; give a whole number"),
        ("concurrency = 0", "line 1: concurrency is 0; give 1 or more"),
        ("allow-private = 1", "line 1: allow-private is 1; give true or false"),
        ("user-agent = 3", "line 1: user-agent is 3; give a text in quotes"),
        ("rate = 1\nallow_private = true", "line 2: there is no setting 'allow_private'; did you"),
        ("[harvest]\nrate = 1", "line 1: there is no setting 'harvest'; there are: rate, "),
        ("rate = 2026-01-01", 'line 1: rate is "2026-01-01"; give a number'),
        ("rate = nan", "give a number above 0"),
        ("rate: 2", "is no TOML"),
    ],
)
def test_a_wrong_setting_is_named(run: Run, tmp_path: Path, text: str, told: str) -> None:
    """The error names the file, the line, the value and what is expected."""
    settings = tmp_path / "mine.toml"
    settings.write_text(text)
    done = run("harvest", NOWHERE, LONGLINE_SETTINGS=str(settings))
    assert done.returncode == 2
    assert told in done.stderr
    assert str(settings) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_named_file_that_is_not_there_is_an_error(run: Run, tmp_path: Path) -> None:
    """A settings file named by the environment must exist."""
    done = run("harvest", NOWHERE, LONGLINE_SETTINGS=str(tmp_path / "none.toml"))
    assert (done.returncode, "none.toml" in done.stderr) == (2, True)


def test_a_wrong_variable_is_named(run: Run) -> None:
    """The error for an invalid value in the environment names the variable."""
    done = run("harvest", NOWHERE, LONGLINE_RATE="fast")
    assert done.returncode == 2
    assert "LONGLINE_RATE" in done.stderr


@pytest.mark.parametrize("agent", ["", " ", "é", "a\nb"])
def test_a_user_agent_is_one_line_of_plain_letters(run: Run, agent: str) -> None:
    """A user agent that no header can hold is refused before any request."""
    done = run("plan", NOWHERE, "--allow-private", "--user-agent", agent)
    assert done.returncode == 2
    assert "--user-agent is" in done.stderr


def test_help_names_the_variables(run: Run) -> None:
    """A command's help names the variable of each option."""
    text = run("harvest", "--help").stdout
    for name in ("RATE", "ALLOW_PRIVATE", "USER_AGENT", "TIMEOUT", "MAX_WAIT", "CONCURRENCY"):
        assert f"LONGLINE_{name}" in text
    assert "LONGLINE_SETTINGS" in " ".join(run("--help").stdout.split())
