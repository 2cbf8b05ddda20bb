"""Good inputs to change: the pages of tests/golden, and test vectors of other projects."""

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from longline.source import Spec, read_spec
from longline.source.spec import spec as format_of_specs

GOLDEN = Path(__file__).parents[1] / "golden"


class Saved(NamedTuple):
    """A source and a result page of it, from a golden test."""

    name: str
    spec: Spec
    body: bytes
    form: bytes | None


def vectors() -> Path | None:
    """Return the folder of test vectors, or None if it does not exist."""
    shared = Path(os.environ.get("LONGLINE_SHARED", Path(__file__).parents[3] / "shared"))
    folder = shared / "conformance"
    return folder if folder.is_dir() else None


@cache
def spec_texts() -> list[str]:
    """Return the text of every spec in the golden tests and in the documentation."""
    explained = re.findall(r"```toml\n(.*?)```", format_of_specs.__doc__ or "", re.DOTALL)
    return [path.read_text() for path in sorted(GOLDEN.glob("*/spec.toml"))] + explained


@cache
def saved() -> list[Saved]:
    """Return every golden page with its spec."""
    return [_saved(path.parent) for path in sorted(GOLDEN.glob("*/spec.toml"))]


def _saved(folder: Path) -> Saved:
    form = folder / "form.html"
    page = next(folder.glob("response.*"))
    spec = read_spec((folder / "spec.toml").read_text())
    return Saved(folder.name, spec, page.read_bytes(), form.read_bytes() if form.exists() else None)


@cache
def pages() -> list[bytes]:
    """Return every golden result page and form page."""
    return [each.body for each in saved()] + [each.form for each in saved() if each.form]


@cache
def files(folder: Path, pattern: str) -> list[bytes]:
    """Return the contents of the test vector files that match a pattern."""
    found = [path.read_bytes() for path in sorted(folder.glob(pattern)) if path.is_file()]
    assert found, f"no vectors at {folder}/{pattern}"
    return found


@cache
def json_of(path: Path) -> Any:
    """Return the JSON of a test vector file, without licence lines before it."""
    text = path.read_text()
    return json.loads(text[min(at for at in map(text.find, "[{") if at >= 0) :])
