"""The harvests in a folder: the newest one at the top, earlier ones in its `history`.

```
DIR/harvest.db, certificate.json        the newest, number n
DIR/history/1/ ... DIR/history/n-1/     those before, each the folder of a harvest
DIR/.update/                            an update that has not ended yet
```
"""

import os
import shutil
from contextlib import closing
from pathlib import Path

from longline.errors import FolderError
from longline.harvester import (
    is_harvest,
    journal_file,
    journal_of,
    learnt_anew,
    settle,
    spec_of_folder,
    write,
)
from longline.ledger import LEFT_OUT, LINKED
from longline.source import Spec, newest_first, write_spec

HISTORY = "history"
UNDER_WAY = ".update"
LISTS = (LEFT_OUT, LINKED)
"""Files that not every harvest has."""

FILES = ("harvest.db", "database.toml", "certificate.json", "skipped.jsonl", *LISTS)


def earlier_folders(folder: Path) -> list[Path]:
    """Return the folders of the earlier harvests, the oldest first."""
    kept = (folder / HISTORY).glob("[0-9]*")
    return sorted((each for each in kept if each.name.isdigit()), key=lambda each: int(each.name))


def newest_number(folder: Path) -> int:
    """Return the number of a folder's newest harvest: 1 if there was no update."""
    earlier = earlier_folders(folder)
    return 1 + (int(earlier[-1].name) if earlier else 0)


def update_under_way(folder: Path) -> Path | None:
    """Return the folder of an update in progress, or None if there is none."""
    begun = folder / UNDER_WAY
    return begun if is_harvest(begun) else None


def folder_of(name: str) -> Path:
    """Return the folder of a harvest from its name: DIR, or DIR@N for its harvest number N.

    Raises:
        FolderError: The folder has no such harvest; the message says which it has.
    """
    path = Path(name)
    before, at, number = name.rpartition("@")
    if path.exists() or not (at and before and number.isdigit()):
        return path
    folder = Path(before)
    newest = newest_number(folder)
    if int(number) == newest:
        return folder
    found = folder / HISTORY / str(int(number))
    if not is_harvest(found):
        held = "no harvest" if not is_harvest(folder) else f"harvests 1 to {newest}"
        raise FolderError(
            f"{name} names harvest {number} of {folder}, which holds {held}",
            advice=f"give {folder}@1" if is_harvest(folder) else "name the folder of a harvest",
        )
    return found


def take_over(folder: Path) -> None:
    """Replace the newest harvest by a finished update, and keep the old one in the history.

    If the process is killed at any moment, the folder has a complete harvest, and the next update
    continues here.
    """
    done, kept = folder / UNDER_WAY, folder / HISTORY
    if is_harvest(done) and not _is_kept(folder):
        settle(folder)
        settle(done)
        number = newest_number(folder)
        unfinished = kept / f".{number}"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for name in (*FILES, "source.toml"):
            if (folder / name).exists():
                _link(folder / name, unfinished / name)
        unfinished.replace(kept / str(number))
    if is_harvest(done):  # nothing of it was moved yet
        for name in LISTS:
            (folder / name).unlink(missing_ok=True)
    for name in FILES:
        if (done / name).exists():
            _drop_log(folder / name)
            (done / name).replace(folder / name)
    shutil.rmtree(done, ignore_errors=True)


def _is_kept(folder: Path) -> bool:
    """Return whether the newest harvest is in the history already."""
    earlier = earlier_folders(folder)
    store = journal_file(folder)
    return bool(earlier) and journal_file(earlier[-1]).samefile(store)


def _link(there: Path, here: Path) -> None:
    try:
        os.link(there, here)
    except OSError:  # a file system without links
        shutil.copy2(there, here)


def _drop_log(store: Path) -> None:
    """Remove the empty log of a replaced store: it does not belong to the new one."""
    for end in ("-wal", "-shm"):
        store.with_name(store.name + end).unlink(missing_ok=True)


def follow(begun: Path, spec: Spec) -> None:
    """Write the folder's current spec into an update in progress: a person may have corrected it.

    The pages of one query must have one order, so an update that started with only the newest
    documents keeps that order.
    """
    if not is_harvest(begun):
        return
    kept = spec_of_folder(begun)
    if kept == spec or (spec.ask.newest is not None and kept == newest_first(spec)):
        return
    write(begun / "source.toml", write_spec(spec).encode())
    with closing(journal_of(begun)) as store:
        learnt_anew(store)
