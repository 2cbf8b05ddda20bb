"""Test that starting is fast: heavy libraries load only when used."""

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "numpy",
    "scipy",
    "numba",
    "sqlalchemy",
    "httpx2",
    "parsel",
    "starlette",
    "uvicorn",
    "lxml",
    "py3langid",
)


@pytest.mark.parametrize(
    "statement",
    ["import longline; dir(longline)", "from longline.cli.main import app, main"],
)
def test_start_loads_nothing_heavy(statement: str) -> None:
    """Neither `import longline` nor the command line's help loads a heavy library."""
    code = f"{statement}; import sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(HEAVY) & set(run.stdout.split())


def test_the_command_does_its_algebra_in_one_thread() -> None:
    """The command uses one thread for linear algebra unless the user sets more."""
    code = """
import os, sys
from longline.cli.main import main
os.environ.pop("OPENBLAS_NUM_THREADS", None)
sys.argv = ["longline", "--version"]
try:
    main()
except SystemExit:
    print(os.environ["OPENBLAS_NUM_THREADS"])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split()[-1] == "1"


def test_ctrl_c_while_modules_load_is_no_traceback() -> None:
    """The command ends with exit code 130, as other commands do."""
    code = """
import builtins
from longline.__main__ import main
load = builtins.__import__
def interrupted(name, *more):
    if name.startswith("longline.cli"):
        raise KeyboardInterrupt
    return load(name, *more)
builtins.__import__ = interrupted
main()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (130, "")


def test_every_public_name_is_explained() -> None:
    """Each public name of `longline` exists and has a doctest."""
    import longline

    names = set(longline.__all__) - {"__version__"}
    assert {"Harvest", "cover", "read_spec"} <= names
    kept = {name: inspect.unwrap(getattr(longline, name)) for name in names}
    finder = doctest.DocTestFinder(recurse=False)
    assert not [
        name
        for name, kind in kept.items()
        if not any(each.examples for each in finder.find(kind, name))
        or Path(longline.__file__).parent not in Path(inspect.getfile(kind)).parents
    ]


@pytest.mark.parametrize(
    ("words", "most"), [(["-m", "longline", "--help"], 300), (["-c", "import longline"], 60)]
)
def test_start_loads_few_modules(words: list[str], most: int) -> None:
    """Starting loads at most this many modules; each takes about a millisecond or less."""
    command = [sys.executable, "-X", "importtime", *words]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stderr.count("import time:") <= most
