"""The command line's front: groups of commands, presets, completion, hints for typos."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run

import longline
from longline.cli.main import PANELS
from longline.simulate import read_corpus

COMMANDS = [command.__name__ for commands in PANELS.values() for command in commands]


def test_commands_stand_in_groups(run: Run) -> None:
    """The help has a heading for each group, with a line for each of its commands below."""
    text = run("--help").stdout
    places = [text.index(f"{panel}:") for panel in PANELS]
    assert places == sorted(places)
    for panel, commands in PANELS.items():
        part = text[text.index(f"{panel}:") :].split("\n\n")[0]
        assert [line.split()[0] for line in part.splitlines()[1:] if line[:3] != "   "] == [
            command.__name__ for command in commands
        ]
        assert "..." not in part


def test_version_is_that_of_the_package(run: Run) -> None:
    """`longline --version` prints `longline.__version__`."""
    assert run("--version").stdout == f"longline {longline.__version__}\n"


def test_help_is_a_word_too(run: Run) -> None:
    """`longline help` and `longline help COMMAND` print what --help prints."""
    assert run("help").stdout == run("--help").stdout
    assert run("help", "fleet", "run").stdout == run("fleet", "run", "--help").stdout
    assert run("help", "nosuch").returncode == 2


def test_presets_are_listed(run: Run) -> None:
    """Presets are listed one per line; a name prints its facts; an unknown name lists the known."""
    known = longline.presets()
    listed = run("presets").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [preset.name for preset in known]
    assert json.loads(run("presets", "--json").stdout)[0]["title"] == known[0].title
    told = run("presets", known[0].name).stdout
    assert known[0].notes in told
    assert known[0].documented in told
    wrong = run("presets", "nosuch")
    assert (wrong.returncode, known[0].name in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["serve", "docstrings", "--limt", "5"], "--limit"),
        (["harvest", "http://127.0.0.1:1/", "--alow-private"], "--allow-private"),
        (["harvset", "http://127.0.0.1:1/"], "harvest"),
        (["presets", "mediawikki"], "mediawiki"),
    ],
)
def test_the_nearest_name_is_offered(run: Run, typed: list[str], offered: str) -> None:
    """The error for a mistyped option, command or name suggests the nearest one."""
    done = run(*typed)
    assert done.returncode == 2
    assert offered in done.stderr


def completed(line: str) -> list[str]:
    """Return the completions that bash gets for a line."""
    environment = os.environ | {
        "_LONGLINE_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    program = [str(Path(sys.executable).parent / "longline")]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.split()


@pytest.mark.slow
def test_the_shell_completes() -> None:
    """Bash completes commands, options, strategies and presets."""
    assert set(completed("longline ")) == {*COMMANDS, "fleet"}
    assert completed("longline har") == ["harvest"]
    assert "--allow-private" in completed("longline harvest x --allow")
    strategies = [each.name for each in longline.strategies()]
    assert completed("longline harvest x --strategy ") == strategies
    assert completed("longline presets mediaw") == ["mediawiki"]
    assert completed("longline export x --to war") == ["warc"]


def test_the_completion_script_is_printed() -> None:
    """The printed completion script for bash calls this program and is valid bash."""
    environment = os.environ | {"_LONGLINE_COMPLETE": "source_bash"}
    program = [str(Path(sys.executable).parent / "longline")]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
    assert "_LONGLINE_COMPLETE=complete_bash" in done.stdout
    assert subprocess.run(["bash", "-n"], input=done.stdout, text=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("where", [["-"], ["-o", "-"], []])
def test_documents_go_to_standard_output(
    site: str, tmp_path: Path, where: list[str], run: Run
) -> None:
    """`export DIR -`, `-o -` and no output option all write to standard output."""
    run("harvest", site, "--allow-private", "--max-requests", "40", "-o", "got")
    program = [str(Path(sys.executable).parent / "longline"), "export", "got", *where]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows
    assert not (tmp_path / "-").exists()
    assert run("export", "got", "rows.jsonl").returncode == 0
    assert (tmp_path / "rows.jsonl").read_text() == done.stdout
    assert run("export", "got", "a.jsonl", "-o", "b.jsonl").returncode == 2


@pytest.mark.parametrize("command", [["strategies", "--json"], ["status", "site"]])
def test_a_reader_that_leaves_is_no_failure(command: list[str], tmp_path: Path) -> None:
    """A reader that closes the pipe early causes no error: exit code 0, no message."""
    if "site" in command:
        with longline.demo_site(read_corpus("docstrings")[:60]) as url:
            options = {"allow_private": True, "max_requests": 30}
            longline.harvest(url, tmp_path / "site", **options)  # type: ignore[arg-type]
        command = ["status", str(tmp_path / "site")]
    program = [sys.executable, "-m", "longline", *command]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [
        (("status", "nowhere"), "FolderError", 2),
        (("status", "--chrat", 3), "UsageError", 2),
        (("havrest",), "UsageError", 2),
        (("plan", "http://127.0.0.1:9/", "--allow-private"), "UnreachableError", 3),
    ],
)
@pytest.mark.usefixtures("hurried")
def test_an_error_is_an_object_where_json_is_asked_for(
    run: Run, arguments: tuple[object, ...], kind: str, code: int
) -> None:
    """With --json an error is also an object on standard output; the rest stays the same."""
    plain, done = run(*arguments), run(*arguments, "--json")
    assert plain.stdout == ""
    assert plain.returncode == done.returncode == code
    assert plain.stderr == done.stderr
    told = json.loads(done.stdout)["error"]
    assert (told["kind"], told["exit_code"]) == (kind, code)
    assert all(told[part] in done.stderr for part in ("message", "next"))


def test_a_bug_is_an_object_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug gives exit code 1, an error object, and a traceback on standard error."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("longline.api.presets", fail)
    done = run("presets", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["kind"] == "ZeroDivisionError"
    assert "Traceback" in done.stderr
