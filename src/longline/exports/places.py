"""Where an export goes: a folder of this machine, or any place that fsspec knows.

Everything is written aside first, and takes its name when all of it is there.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from longline.errors import InputError, option
from longline.exports.manifest import BESIDE, files_of

OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci"})
"""An object appears under its name when all of it has come."""


class Place(Protocol):
    """Takes an export."""

    def check(self, *, force: bool) -> None:
        """Refuse to go on where something stands there already.

        Raises:
            InputError: It does, and `force` is not given.
        """

    @contextmanager
    def made_aside(self) -> Iterator[Path]:
        """Give a path to make a file or folder at; then put it, and its manifest, into place.

        Where anything fails, nothing is left of it, and what stood there stays.
        """


def place_of(target: str | Path) -> Place:
    """Return where a name leads: with a scheme such as s3:// to a place of fsspec.

    Raises:
        InputError: There is no such place, or what it takes is not installed.
    """
    if isinstance(target, Path) or ("://" not in target and "::" not in target):
        return Here(Path(target))
    try:
        import fsspec
    except ModuleNotFoundError:
        raise InputError(
            f"cannot write {target}: fsspec is not installed",
            advice="install it: pip install 'longline[objects]'",
        ) from None
    try:
        files, path = fsspec.core.url_to_fs(target, skip_instance_cache=True)
    except (ImportError, ValueError) as error:
        raise InputError(
            f"cannot write {target}: {error}",
            advice="install what it takes; pip install 'longline[objects]' brings S3",
        ) from None
    protocols = {files.protocol} if isinstance(files.protocol, str) else set(files.protocol)
    return Here(Path(path)) if "file" in protocols else Elsewhere(files, path, target)


class Here:
    """A file or folder of this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._target = path.resolve()

    def check(self, *, force: bool) -> None:
        """Refuse a path that is taken."""
        if not self._target.parent.is_dir():
            raise InputError(
                f"there is no folder {self._target.parent}", advice="make it, or choose another"
            )
        if (self._path.exists() or self._beside.exists()) and not force:
            raise taken(str(self._path if self._path.exists() else self._beside))

    @property
    def _beside(self) -> Path:
        return self._target.with_name(self._target.name + BESIDE)

    @contextmanager
    def made_aside(self) -> Iterator[Path]:
        """Give a path in a new folder beside the target."""
        target = self._target
        aside = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.new")
        aside.mkdir()
        try:
            made = aside / target.name
            yield made
            for each in files_of(aside):
                with each.open("rb") as stream:
                    os.fsync(stream.fileno())
            self._put(made, aside)
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _put(self, made: Path, aside: Path) -> None:
        target = self._target
        if made.is_dir() != target.is_dir() and target.exists():
            kind = "folder" if target.is_dir() else "file"
            raise InputError(
                f"{self._path} is a {kind}, which this format is not", advice="choose another name"
            )
        if target.is_file():
            made.chmod(target.stat().st_mode & 0o7777)
        # An old manifest must not stand beside a new file.
        self._beside.unlink(missing_ok=True)
        if target.is_dir():
            target.replace(aside / "before")
        made.replace(target)
        manifest = aside / self._beside.name
        if manifest.exists():
            manifest.replace(self._beside)


class Elsewhere:
    """A place that fsspec knows.

    Args:
        files: Its file system.
        path: In it.
        name: As the user wrote it.
    """

    def __init__(self, files: Any, path: str, name: str) -> None:
        self._files = files
        self._path = path.rstrip("/")
        self._name = name

    def check(self, *, force: bool) -> None:
        """Refuse a name that is taken, and a place that cannot be reached."""
        if self._is_there() and not force:
            raise taken(self._name)

    def _is_there(self) -> bool:
        with self._told():
            return bool(self._there())

    def _there(self) -> set[str]:
        return {path for path in (self._path, self._path + BESIDE) if self._files.exists(path)}

    @contextmanager
    def made_aside(self) -> Iterator[Path]:
        """Give a path in a folder for temporary files."""
        with tempfile.TemporaryDirectory(prefix="longline-") as aside:
            made = Path(aside) / self._path.rpartition("/")[2]
            yield made
            with self._told():
                self._put(made)

    def _put(self, made: Path) -> None:
        before = set(self._files.find(self._path)) if made.is_dir() else self._there()
        within = made if made.is_dir() else made.parent
        root = self._path if made.is_dir() else self._path.rpartition("/")[0]
        new: list[str] = []
        try:
            # The manifest goes last: where it stands, all that it names is there.
            for each in sorted(files_of(within), key=lambda path: path.name.endswith(BESIDE[1:])):
                name = each.relative_to(within).as_posix()
                to = f"{root}/{name}" if root else name
                self._put_file(each, to)
                new.append(to)
        except BaseException:
            with suppress(Exception):
                for to in new:
                    if to not in before:
                        self._files.rm_file(to)
            raise
        for old in before - set(new):
            self._files.rm_file(old)

    def _put_file(self, each: Path, to: str) -> None:
        protocol = self._files.protocol
        names = {protocol} if isinstance(protocol, str) else set(protocol)
        if names & OBJECT_STORES:
            self._files.put_file(str(each), to)
            return
        folder, slash, name = to.rpartition("/")
        aside = f"{folder}{slash}.{name}.new"
        if folder:
            self._files.makedirs(folder, exist_ok=True)
        try:
            self._files.put_file(str(each), aside)
            self._files.mv(aside, to)
        except BaseException:
            with suppress(Exception):
                self._files.rm_file(aside)
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one way what the many libraries behind fsspec raise in many."""
        try:
            yield
        except Exception as error:
            what = " ".join(str(error).split()) or type(error).__name__
            raise InputError(
                f"cannot write {self._name}: {what}",
                advice="check the name, the access and the connection, and run it again",
            ) from error


def taken(name: str) -> InputError:
    """Return what is raised where something stands already."""
    return InputError(
        f"{name} exists",
        advice=f"choose another name, or give {option('force=True')} to replace it",
    )
