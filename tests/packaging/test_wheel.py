"""What is built: the same bytes twice, and a wheel that works where nothing else is."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import longline

ROOT = Path(__file__).parents[2]
MOST_MEGABYTES = 404
"""Of everything that is installed with `pip install longline`, pip included: about 400."""

BIN = "Scripts" if os.name == "nt" else "bin"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def ran(*command: str | Path, **environment: str) -> str:
    """Run a program; return what it printed, or fail with all that it said."""
    done = subprocess.run(
        list(map(str, command)), env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def built(source: Path, target: Path) -> dict[str, bytes]:
    """Build sdist and wheel of a copy; return their bytes by name."""
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore"):
        shutil.copy(ROOT / name, source)
    for name in ("src", "tests"):
        cache = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=cache, copy_function=shutil.copyfile)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(target)],
        cwd=source,
        env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"},
        capture_output=True,
        check=True,
    )
    return {path.name: path.read_bytes() for path in target.iterdir()}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist and a wheel."""
    folder = tmp_path_factory.mktemp("packages")
    built(folder / "source", folder / "dist")
    return folder / "dist"


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The wheel."""
    (found,) = dist.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def uv() -> str:
    """The program uv, of this environment."""
    found = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if found is None:
        pytest.skip("uv is not installed")
    return found


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The versions of everyday.lock, so that what is tested is what was tested before."""
    text = (ROOT / "everyday.lock").read_text()
    lines = [line.rstrip("\\ ") for line in text.splitlines() if re.match(r"[\w.-]+==", line)]
    path = tmp_path_factory.mktemp("lock") / "constraints.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_two_builds_are_alike(dist: Path, tmp_path: Path) -> None:
    """Built at another place and time, both packages have the same bytes."""
    again = built(tmp_path / "elsewhere", tmp_path / "dist")
    assert again == {path.name: path.read_bytes() for path in dist.iterdir()}
    assert len(again) == 2


def test_the_index_takes_them(dist: Path) -> None:
    """`twine check --strict` finds nothing wrong with the description of either."""
    told = ran(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir())
    assert told.count("PASSED") == 2


def test_they_hold_what_they_should(dist: Path, wheel: Path) -> None:
    """The wheel has the package with its data and nothing else; the sdist can be tested."""
    inside = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in inside} == {
        "longline",
        f"longline-{longline.__version__}.dist-info",
    }
    data = ("py.typed", "__init__.pyi", "text/english.txt.xz", "discovery/presets/mediawiki.toml")
    assert {f"longline/{name}" for name in data} <= set(inside)
    assert not [name for name in inside if "__pycache__" in name]
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "tests/conftest.py"} <= names
    assert sdist.stat().st_size < 3_000_000


def test_it_works_in_a_clean_environment(
    wheel: Path, uv: str, locked: Path, tmp_path: Path
) -> None:
    """Installed from the wheel alone, it is small, knows its version, and harvests the demo."""
    place = tmp_path / "venv"
    ran(uv, "venv", "--quiet", "--seed", "--python", sys.executable, place)
    python = place / BIN / "python"
    options = ("--quiet", "--python", python, "--link-mode", "copy", "--compile-bytecode")
    ran(uv, "pip", "install", *options, "--constraint", locked, wheel)
    command = place / BIN / "longline"
    assert ran(command, "--version").strip() == f"longline {longline.__version__}"
    outcome = ran(command, "demo", "-o", tmp_path / "got", LONGLINE_SETTINGS="")
    assert re.search(r"^saved +2,9\d\d of 2,998 documents", outcome, re.M)
    assert "english" not in ran(uv, "pip", "freeze", "--python", python)
    used = sum(path.stat().st_size for path in place.rglob("*") if not path.is_symlink())
    print(f"installed: {used / 1e6:.0f} MB, pip included")
    assert used < MOST_MEGABYTES * 1e6


def test_uvx_runs_it(wheel: Path, uv: str, locked: Path, tmp_path: Path) -> None:
    """`uvx --from WHEEL longline` runs it without an install."""
    at = ("--python", sys.executable, "--constraints", str(locked))
    told = ran(uv, "tool", "run", "--quiet", *at, "--from", wheel, "longline", "--version")
    assert told.strip() == f"longline {longline.__version__}"


@pytest.mark.seldom
def test_pipx_installs_it(wheel: Path, uv: str, locked: Path, tmp_path: Path) -> None:
    """`pipx install WHEEL` puts the command into the folder of commands."""
    place = tmp_path / "venv"
    ran(uv, "venv", "--quiet", "--python", sys.executable, place)
    got = subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", place / BIN / "python", "pipx"], check=False
    )
    if got.returncode:
        pytest.skip("pipx cannot be had")
    folders = {"PIPX_HOME": str(tmp_path / "home"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    constraints = f"--constraint {locked}"
    ran(place / BIN / "pipx", "install", wheel, "--pip-args", constraints, **folders)
    told = ran(tmp_path / "bin" / "longline", "--version")
    assert told.strip() == f"longline {longline.__version__}"


def test_every_extra_can_be_had(wheel: Path, uv: str, tmp_path: Path) -> None:
    """`longline[all]` resolves to versions that fit each other."""
    wanted = tmp_path / "wanted.in"
    wanted.write_text(f"longline[all] @ {wheel.as_uri()}\n")
    pinned = ran(uv, "pip", "compile", "--quiet", "--no-header", "--python", sys.executable, wanted)
    for name in ("highspy", "playwright", "pandas", "pyarrow", "warcio", "mcp"):
        assert re.search(rf"^{name}==", pinned, re.M)
