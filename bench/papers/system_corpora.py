"""Build corpora from the files of a Debian system, for harvests on texts not used in tuning.

Manual pages (English, and in other languages), docstrings and source files of Python packages, and
package documentation with changelogs split into entries; with --lists, the descriptions of packages
in each language that `apt-get update -o Acquire::Languages=LANGUAGE -o Dir::State::lists=DIR`
fetched. Each becomes DIR/NAME.jsonl.gz, drawn at random, without duplicates, for `longline compare`
and `python -m bench.harvest.harvest_targets --corpus`. What a system lacks is left out, so figures
differ between systems.
"""

import argparse
import ast
import gzip
import json
import re
import subprocess
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from bench.frame import run

MANUAL, PACKAGES = Path("/usr/share/man"), Path("/usr/share/doc")
PYTHON = [Path(sysconfig.get_paths()[name]) for name in ("stdlib", "purelib")]

LEAST = 80
"""Minimum length of a document's text, in characters."""

MOST = 15_000
"""A longer text is cut to this many characters."""

ENTRIES = 40
"""Maximum entries of one changelog: otherwise a single package would dominate the corpus."""

Texts = Iterator[tuple[str, str]]
"""Titles and texts."""


def read(path: Path) -> str:
    """Return a file's text, unpacked; "" if it has none."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    except (OSError, EOFError, UnicodeDecodeError, gzip.BadGzipFile):
        return ""
    return "" if "\0" in text else text


def files(folders: Iterable[Path], pattern: str = "*") -> Iterator[Path]:
    """Yield the files of folders that are not links, in order."""
    for folder in folders:
        found = (path for path in folder.rglob(pattern) if not path.is_symlink())
        yield from sorted(path for path in found if path.is_file())


def manual(*, is_english: bool) -> Texts:
    """Yield manual pages without their markup."""
    folders = [folder for folder in sorted(MANUAL.glob("*")) if folder.is_dir()]
    for path in files(f for f in folders if f.name.startswith("man") == is_english):
        text = re.sub(r"(?m)^['.]\\?\".*$", "", read(path))
        text = re.sub(r"(?m)^[.'][A-Za-z]{1,3}\b", "", text)
        text = re.sub(r"\\f\[?[A-Z]{1,2}\]?|\\[&-]|\\\(..|\\.", " ", text)
        if not text.startswith(".so"):  # refers to another page
            yield path.name.split(".")[0], text


def docstrings() -> Texts:
    """Yield docstrings of modules, classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for path in files(PYTHON, "*.py"):
        try:
            tree = ast.parse(read(path))
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, kinds):
                yield getattr(node, "name", path.stem), ast.get_docstring(node) or ""


def sources() -> Texts:
    """Yield Python source files."""
    return ((path.stem, read(path)) for path in files(PYTHON, "*.py"))


def documentation() -> Texts:
    """Yield package documentation, changelogs split into entries."""
    for path in files([PACKAGES]):
        text = read(path)
        if "changelog" in path.name.lower():
            for entry in re.split(r"\n(?=\S+ \([^)]*\) )", text)[:ENTRIES]:
                yield path.parent.name, entry
        else:
            yield path.name, re.sub(r"<[^>]+>", " ", text)


def descriptions(path: Path) -> Texts:
    """Yield the packages of apt's list of descriptions: summary and text."""
    for stanza in unpacked(path).split("\n\n"):
        fields = dict(re.findall(r"(?m)^(Package|Description-[A-Za-z_]+): (.*)$", stanza))
        name = fields.pop("Package", "")
        summary = next((f for key, f in fields.items() if key != "Description-md5"), "")
        lines = [line.strip(" .") for line in stanza.splitlines() if line.startswith(" ")]
        if name:
            yield f"{name}: {summary}", "\n".join(lines)


def unpacked(path: Path) -> str:
    """Return a list as apt unpacks it."""
    command = ["/usr/lib/apt/apt-helper", "cat-file", str(path)]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def lists(folder: Path) -> dict[str, Callable[[], Texts]]:
    """Return the lists of descriptions in a folder, the largest for each language."""
    found = sorted(folder.glob("*_Translation-*"), key=lambda path: path.stat().st_size)
    by_language = {path.name.split("_Translation-")[1].split(".")[0]: path for path in found}
    return {
        f"package-descriptions-{language}": partial(descriptions, path)
        for language, path in sorted(by_language.items())
    }


CORPORA: dict[str, Callable[[], Texts]] = {
    "manual": lambda: manual(is_english=True),
    "manual-translated": lambda: manual(is_english=False),
    "docstrings-of-packages": docstrings,
    "source-files": sources,
    "package-documentation": documentation,
}


def drawn(texts: Texts, most: int, rng: np.random.Generator) -> list[tuple[str, str]]:
    """Return at most `most` different texts of sufficient length, in random order."""
    kept = {text[:MOST].strip(): title for title, text in texts}
    pairs = [(title, text) for text, title in kept.items() if len(text) >= LEAST]
    return [pairs[place] for place in rng.permutation(len(pairs))[:most]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the corpora."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--documents", type=int, default=20_000, help="of each at most (20000)")
    parser.add_argument("--lists", type=Path, metavar="DIR", help="of apt, with translations")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, texts in (CORPORA | (lists(options.lists) if options.lists else {})).items():
        documents = drawn(texts(), options.documents, np.random.default_rng(options.seed))
        with gzip.open(options.out / f"{name}.jsonl.gz", "wt") as file:
            for number, (title, text) in enumerate(documents):
                line = {"id": f"{name}-{number}", "title": title, "text": text}
                file.write(json.dumps(line) + "\n")
        print(f"{name}: {len(documents):,} documents")


if __name__ == "__main__":
    run(main)
