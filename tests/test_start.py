"""Starting is light: nothing heavy loads before it is used."""

import subprocess
import sys

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


def test_every_public_name_loads() -> None:
    """Each name that `import longline` promises is there."""
    import longline

    assert {"Harvest", "cover", "read_spec"} <= set(longline.__all__)
    assert all(getattr(longline, name) is not None for name in longline.__all__)
