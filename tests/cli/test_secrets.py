"""Secrets of a source: sent to it, and written nowhere else."""

import base64
import importlib.util
import json
import sqlite3
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from types import ModuleType
from urllib.parse import quote, quote_plus

import pytest
from tests.cli.conftest import Run

from longline.simulate import running_site

Longline = Callable[..., tuple[int, bytes]]

SPEC = """
[source]
name = "guarded"
url = "{url}/"

[ask]
url = "{url}/search?q={{query}}&api_key={key}"
page_size = 5

[ask.headers]
X-Auth-Token = "Bearer {token}"

[results]
hit = "li"
link = "a"
next = "a.next"
total = "p.total"

[document]
text = "article"
"""


def _guarded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("guarded", Path(__file__).with_name("guarded.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GUARDED = _guarded()
FORMS = {
    form.encode()
    for secret in (GUARDED.KEY, GUARDED.TOKEN)
    for form in (secret, quote(secret), quote_plus(secret), escape(secret), secret[:7])
} | {base64.b64encode(GUARDED.TOKEN.encode())}


@pytest.fixture
def url() -> Iterator[str]:
    """The address of the site."""
    with running_site(GUARDED.guarded()) as address:
        yield address


def leaks(content: bytes) -> list[bytes]:
    """Return the forms of secrets that these bytes hold."""
    return [form for form in FORMS if form in content]


def leaking_files(folder: Path, *, besides: str = "source.toml") -> list[str]:
    """Return the files of a folder that hold a secret."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != besides]
    assert len(files) >= 2
    return [path.name for path in files if leaks(path.read_bytes())]


@pytest.fixture
def longline(run: Run) -> Longline:
    """Runs `longline`; returns its exit code and all its output."""

    def run_longline(*arguments: object, **environment: str) -> tuple[int, bytes]:
        done = run(*arguments, **environment)
        return done.returncode, (done.stdout + done.stderr).encode()

    return run_longline


OPTIONS = (
    "--allow-private",
    "--no-estimate",
    "--max-queries",
    25,
    "--strategy",
    "adaptive",
    "-v",
    "--log-file",
    "log",
)


@pytest.mark.slow
@pytest.mark.parametrize("by_environment", [False, True])
def test_secrets_reach_the_source_alone(
    longline: Longline, url: str, tmp_path: Path, by_environment: bool
) -> None:
    """A harvest that stops and continues sends key and token, and writes them nowhere."""
    key, token = quote_plus(GUARDED.KEY), GUARDED.TOKEN
    given = {"MY_KEY": GUARDED.KEY, "MY_TOKEN": GUARDED.TOKEN} if by_environment else {}
    if given:
        key, token = "${MY_KEY}", "${MY_TOKEN}"
    (tmp_path / "source.toml").write_text(SPEC.format(url=url, key=key, token=token))
    (tmp_path / "words.txt").write_text("\n".join(GUARDED.WORDS))
    command = ("harvest", "source.toml", "-o", "got", "--words", "words.txt", *OPTIONS)
    code, first = longline(*command, "--max-requests", 30, **given)
    assert code == 3, first
    assert not leaks(first)
    code, second = longline(*command, **given)
    assert not leaks(second)
    certificate = json.loads((tmp_path / "got" / "certificate.json").read_text())
    assert certificate["documents"] > 25
    assert certificate["cuts"]["capped"] > 0  # so that responses are saved
    assert leaking_files(tmp_path / "got") == []
    assert leaks((tmp_path / "log").read_bytes()) == []
    for name in ("status", "export"):
        code, printed = longline(name, "got")
        assert code == 0, printed
        assert not leaks(printed)
    if by_environment:
        assert leaking_files(tmp_path, besides="") == []


def test_missing_variable_is_named(longline: Longline, url: str, tmp_path: Path) -> None:
    """An unset variable is named before any request is sent."""
    spec = SPEC.format(url=url, key="${MY_KEY}", token="${MY_TOKEN}")
    (tmp_path / "source.toml").write_text(spec)
    code, printed = longline("harvest", "source.toml", "-o", "got", *OPTIONS)
    assert code == 2
    assert b"MY_KEY" in printed
    assert not (tmp_path / "got" / "harvest.db").exists()


@pytest.mark.slow
def test_harvest_of_before_goes_on_without_its_secrets(longline: Longline, tmp_path: Path) -> None:
    """A folder from before secrets were removed is read, exported, resumed and cleaned.

    tests/cli/before.sql is the store that the earlier version left after 20 requests.
    """
    with running_site(GUARDED.guarded()) as url:
        spec = SPEC.format(url=url, key=quote_plus(GUARDED.KEY), token=GUARDED.TOKEN)
        (tmp_path / "got").mkdir()
        (tmp_path / "got" / "source.toml").write_text(spec)
        made = Path(__file__).with_name("before.sql").read_text().replace("{url}", url)
        connection = sqlite3.connect(tmp_path / "got" / "harvest.db")
        connection.executescript(made)
        connection.close()
        before = len(longline("export", "got")[1].splitlines())
        assert leaks((tmp_path / "got" / "harvest.db").read_bytes())
        code, printed = longline("status", "got")
        assert (code, leaks(printed)) == (0, [])
        code, printed = longline("harvest", "got", *OPTIONS)
        assert not leaks(printed)
    certificate = json.loads((tmp_path / "got" / "certificate.json").read_text())
    assert certificate["documents"] <= len(GUARDED.DOCUMENTS)  # no duplicates under a new key
    assert certificate["documents"] > before > 0
    assert leaking_files(tmp_path / "got") == []
