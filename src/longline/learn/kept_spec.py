"""The spec in a harvest's folder: stored at the start, and learnt again after a redesign."""

import tomllib
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from longline.discovery import CHECK_FIRST
from longline.errors import FolderError, StoppedShort
from longline.files import check_files, check_is_free, check_room, folder_name, writing
from longline.harvester import (
    IDENTIFYING,
    check_harvest,
    held,
    is_harvest,
    journal_of,
    learnt_anew,
    spec_of_folder,
    unless_stopped,
    write,
)
from longline.learn.learn import Found
from longline.outcomes import Ending
from longline.source import Spec, write_spec
from longline.text.url import is_url


async def begin(
    source: str | Spec, output: Path | None, find: Callable[[str], Awaitable[Found]]
) -> tuple[Path, Found | None]:
    """Return the folder to harvest into, and the spec, or None if the folder has a harvest.

    A spec that had to be learnt is stored in the folder; a spec already there is not learnt again.

    Args:
        source: A URL, a file or a folder, as given by the user; or a spec.
        output: The folder, if the user gave one.
        find: Returns the spec of a source.

    Raises:
        FolderError: The folder holds another site's harvest, or cannot be written.
        StoppedShort: A person must check the learnt spec before a harvest.
        InputError, SpecError: As `find`.
    """
    if isinstance(source, Spec):
        folder = output or Path(folder_name(source.source.name, "harvest"))
        check_is_free(folder)
        return folder, Found(spec=source)
    if output is not None:
        check_is_free(output)
    elif Path(source).is_dir():
        check_files(Path(source))
    if output is None and not is_url(source) and is_harvest(Path(source)):
        return Path(source), None
    if output is not None and is_harvest(output) and is_url(source):
        _check_same_site(source, output)
        return output, None
    if output is not None and is_url(source) and (output / "source.toml").is_file():
        _check_same_site(source, output)
        _check_is_checked(output)
        return output, Found(spec=spec_of_folder(output))
    check_room(output or Path(source if Path(source).is_dir() else ""))
    if output is not None and is_url(source):
        found = await _held_while(output, source, find)
    else:
        found = await find(source)
    is_folder = not is_url(source) and Path(source).is_dir()
    folder = output or Path(source if is_folder else folder_name(found.spec.source.name, "harvest"))
    if is_folder:
        _check_is_checked(Path(source))
    check_is_free(folder)
    if is_harvest(folder):
        _check_same_site(found.spec.source.url, folder)
    elif found.toml:
        keep(folder, found)
        if found.review:
            raise _unchecked(folder, "; ".join(found.review))
    return folder, found


def _check_is_checked(folder: Path) -> None:
    """Stop if the spec in a folder still says that a person must check it.

    Raises:
        StoppedShort: It does.
    """
    with (folder / "source.toml").open(encoding="utf-8", errors="replace") as lines:
        head = takewhile(lambda line: line.startswith("#"), lines)
        mark = f"# {CHECK_FIRST}"
        reasons = [line.removeprefix(mark).strip() for line in head if line.startswith(mark)]
    if reasons:
        raise _unchecked(folder, "; ".join(reasons))


def _unchecked(folder: Path, reason: str) -> StoppedShort:
    """Return the error that a person must check what was learnt, whatever is harvested by it."""
    error = StoppedShort(
        f"please check what was learnt of the search: {reason}",
        advice=f"correct {folder / 'source.toml'}, and delete its lines that begin with "
        f"'# {CHECK_FIRST.strip()}'; then harvest {folder}",
    )
    error.ending = Ending("partial", "unknown")
    return error


async def _held_while(folder: Path, source: str, find: Callable[[str], Awaitable[Found]]) -> Found:
    """Lock a folder while its source is found, so that others see the run and can stop it.

    If no source is found, a folder that was created for it is removed.

    Raises:
        FolderError: Another run has locked it.
        Interrupted: The run was requested to stop.
    """
    is_new = not folder.exists()
    try:
        with held(folder):
            return await unless_stopped(folder, find(source))
    except BaseException:
        if is_new:
            with suppress(OSError):
                (folder / ".lock").unlink(missing_ok=True)
                folder.rmdir()
        raise


def keep(folder: Path, found: Found) -> None:
    """Store a found or learnt spec in a new folder, with its notes.

    Raises:
        FolderError: It cannot be written.
    """
    path = folder / "source.toml"
    with writing(path, FolderError, "choose a folder you may write"):
        folder.mkdir(parents=True, exist_ok=True)
    write(path, (found.toml or write_spec(found.spec)).encode())


def _check_same_site(url: str, folder: Path) -> None:
    begun = spec_of_folder(folder).source.url
    if urlsplit(begun).netloc != urlsplit(url).netloc:
        raise FolderError(
            f"{folder} holds a harvest of {begun}, not of {url}",
            advice="choose another folder",
        )


async def relearn(
    folder: Path, learn: Callable[[str], Awaitable[Found]]
) -> tuple[Found, list[str]]:
    """Learn the source of a harvest again, and store the spec in its folder.

    The old spec is kept as `source.toml.old`, and the next run fetches the form's page again. A
    spec with the same keys and values as the old one is not written.

    Args:
        folder: The folder of a harvest that is not running.
        learn: Learns the interface at a site's URL.

    Returns:
        What was learnt, and a line for each key of the spec that changed.

    Raises:
        FolderError: There is no harvest, or it is running.
        InputError, SourceError: As `learn`; the folder is unchanged.
    """
    check_harvest(folder)
    with held(folder):
        old = spec_of_folder(folder)
        learnt = await learn(old.ask.form.page if old.ask.form else old.source.url)
        path = folder / "source.toml"
        before, after = path.read_bytes(), learnt.toml.encode()
        lines = changes(before.decode(), after.decode())
        if lines:
            write(folder / "source.toml.old", before)
            write(path, after)
            with closing(journal_of(folder)) as store:
                learnt_anew(store)
    return learnt, lines


def changes(before: str, after: str) -> list[str]:
    r"""Return a line for each key in which two specs differ.

    >>> changes('[results]\nhit = "li"\nlink = "a"', '[results]\nhit = "div"')
    ["results.hit: 'li' -> 'div'", "results.link: 'a' -> nothing"]
    """
    old, new = _flat(tomllib.loads(before)), _flat(tomllib.loads(after))
    return [
        f"{key}: {_said(old, key)} -> {_said(new, key)}"
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    ]


def renames(lines: list[str]) -> bool:
    """Return whether documents may be saved a second time, under other keys."""
    return any(line.startswith(tuple(f"results.{name}:" for name in IDENTIFYING)) for line in lines)


def _said(table: dict[str, Any], key: str) -> str:
    return repr(table[key]) if key in table else "nothing"


def _flat(table: dict[str, Any], above: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in table.items():
        found |= (
            _flat(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
        )
    return found
