"""Debian's package descriptions as a corpus: real texts, available on every Debian machine."""

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

_STANZA = re.compile(r"\n\n+")
_DESCRIPTION = re.compile(
    r"^Description-md5: (\w+)\nDescription-en: (.*)\n((?: .*\n?)*)", re.MULTILINE
)
_HELPER = Path("/usr/lib/apt/apt-helper")


class Package(msgspec.Struct, frozen=True):
    """A package, as `apt show` prints it."""

    id: str
    title: str
    section: str
    text: str


def packages(folder: Path) -> list[Package]:
    """Return every package with its long description, sorted by name.

    Args:
        folder: For the lists that apt fetches; kept for the next time.

    Raises:
        RuntimeError: There is no apt, or its lists cannot be fetched.
    """
    kept = folder / "packages.jsonl"
    if not kept.is_file():
        found = sorted(_read(folder), key=lambda package: package.id)
        kept.write_bytes(b"\n".join(map(msgspec.json.encode, found)))
    return [msgspec.json.decode(line, type=Package) for line in kept.read_bytes().splitlines()]


def _read(folder: Path) -> Iterator[Package]:
    if not shutil.which("apt-get") or not _HELPER.exists():
        raise RuntimeError("there is no apt on this machine")
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    places = ["-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
    languages = ["-o", "Acquire::Languages=en"]
    _run(["apt-get", "update", "-o", "APT::Sandbox::User=root", *languages, *places])
    descriptions = dict(_descriptions(folder / "lists"))
    seen: set[str] = set()
    for stanza in _STANZA.split(_run(["apt-cache", "dumpavail", *places])):
        fields = _fields(stanza)
        name, summary = fields.get("Package", ""), fields.get("Description-md5", "")
        if summary in descriptions and name not in seen:
            seen.add(name)
            title, text = descriptions[summary]
            yield Package(name, f"{name}: {title}", fields.get("Section", ""), text)


def _descriptions(lists: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    files = sorted(lists.glob("*Translation-en*"))
    if not files:
        raise RuntimeError(f"apt fetched no descriptions into {lists}")
    for stanza in _STANZA.split(_run([str(_HELPER), "cat-file", *map(str, files)])):
        found = _DESCRIPTION.search(stanza)
        if found:
            text = re.sub(r"^ \.?", "", found[3], flags=re.MULTILINE)
            yield found[1], (found[2], f"{found[2]}\n{text}".strip())


def _fields(stanza: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Za-z0-9-]+): (.*)$", stanza, re.MULTILINE))


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{command[0]}: no answer within 300 seconds") from None
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.decode()[-200:]}")
    return done.stdout.decode("utf-8", "replace")


def some(found: list[Package], number: int) -> list[Package]:
    """Choose this many packages, always the same, spread over all names."""
    return sorted(found, key=lambda package: hashlib.md5(package.id.encode()).digest())[:number]
