"""Names of harvests, and their folders, all directly inside one folder."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from longline.errors import FolderError, InputError

MOST_LETTERS = 100
_NAME = re.compile(rf"\w[\w.-]{{0,{MOST_LETTERS - 1}}}")


def name_of(url: str) -> str:
    """Return a default name for a harvest of a URL.

    >>> name_of("https://shop.example:8080/books/?q=x")
    'shop.example-8080-books'
    """
    parts = urlsplit(url)
    text = re.sub(r"[^\w.-]+", "-", f"{parts.netloc.rpartition('@')[2]}{parts.path}")
    return text.strip("-._")[:MOST_LETTERS] or "source"


def folder_of(root: Path, name: str) -> Path:
    """Return the folder of a harvest, which is always inside `root`.

    Raises:
        InputError: It is not a valid folder name.
        FolderError: A symbolic link leads out of it.

    >>> folder_of(Path("harvests"), "../etc")
    Traceback (most recent call last):
        ...
    longline.errors.InputError: '../etc' is no name of a harvest; give letters, digits, '.', '-' \
and '_', such as shop.example
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is no name of a harvest",
            advice="give letters, digits, '.', '-' and '_', such as shop.example",
        )
    folder = root / name
    for path in _linked(folder):
        raise FolderError(f"{path} is a link, which may lead elsewhere", advice="remove it")
    return folder


def is_inside(folder: Path) -> bool:
    """Return whether a folder is one of those that `folder_of` returns."""
    return _NAME.fullmatch(folder.name) is not None and not any(_linked(folder))


def _linked(folder: Path) -> Iterator[Path]:
    """Yield symbolic links that may lead out of a folder: itself, or what it contains."""
    try:
        inside = [folder, *folder.iterdir()] if folder.is_dir() else [folder]
    except OSError as error:
        raise FolderError(
            f"{folder} cannot be read: {error.strerror}", advice="give another name"
        ) from None
    return (path for path in inside if path.is_symlink())
