"""Targets of an export: a path on this machine, or any place that fsspec supports.

Everything is written to a temporary place first, and renamed when it is complete.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from longline.errors import InputError, option
from longline.exports.manifest import BESIDE, IN_FOLDER, files_named, files_of
from longline.plugins import needed

OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci"})
"""Protocols where an object appears only when it is complete."""


class Place(Protocol):
    """A target for an export."""

    def check(self, *, force: bool) -> None:
        """Check that the target does not exist, or may be replaced.

        Raises:
            InputError: It exists, and `force` is not given; or it is a folder with files that no
                export wrote.
        """

    @contextmanager
    def made_aside(self) -> Iterator[Path]:
        """Yield a path for a file or folder to make; then move it and its manifest to the target.

        If anything fails, nothing is left of it, and an existing target stays.
        """


def place_of(target: str | Path) -> Place:
    """Return the target for a name: with a scheme such as s3:// a place of fsspec.

    Raises:
        InputError: There is no such place, or a library it needs is not installed.
    """
    if isinstance(target, Path) or ("://" not in target and "::" not in target):
        return Here(Path(target))
    fsspec = needed("fsspec", "objects", target)
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
    """A file or folder on this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._target = path.resolve()

    def check(self, *, force: bool) -> None:
        """Check that the path does not exist, or may be replaced."""
        if not self._target.parent.is_dir():
            raise InputError(
                f"there is no folder {self._target.parent}", advice="make it, or choose another"
            )
        if (self._path.exists() or self._beside.exists()) and not force:
            raise taken(str(self._path if self._path.exists() else self._beside))
        if self._target.is_dir():
            manifest = self._target / IN_FOLDER
            check_former(
                str(self._path),
                (each.relative_to(self._target).as_posix() for each in files_of(self._target)),
                manifest.read_bytes() if manifest.is_file() else b"",
            )

    @property
    def _beside(self) -> Path:
        return self._target.with_name(self._target.name + BESIDE)

    @contextmanager
    def made_aside(self) -> Iterator[Path]:
        """Yield a path in a new folder beside the target."""
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
        # An old manifest must not be beside a new file.
        self._beside.unlink(missing_ok=True)
        if target.is_dir():
            target.replace(aside / "before")
        made.replace(target)
        manifest = aside / self._beside.name
        if manifest.exists():
            manifest.replace(self._beside)


class Elsewhere:
    """A place that fsspec supports.

    Args:
        files: Its file system.
        path: Path in it.
        name: As the user wrote it.
    """

    def __init__(self, files: Any, path: str, name: str) -> None:
        self._files = files
        self._path = path.rstrip("/")
        self._name = name

    def check(self, *, force: bool) -> None:
        """Check that the name does not exist or may be replaced, and that the place is reached."""
        with self._told():
            is_there, is_folder = bool(self._there()), self._files.isdir(self._path)
        if is_there and not force:
            raise taken(self._name)
        if is_folder:
            with self._told():
                names = [path[len(self._path) + 1 :] for path in self._files.find(self._path)]
                has_manifest = IN_FOLDER in names
                manifest = (
                    self._files.cat_file(f"{self._path}/{IN_FOLDER}") if has_manifest else b""
                )
            check_former(self._name, names, manifest)

    def _there(self) -> set[str]:
        return {path for path in (self._path, self._path + BESIDE) if self._files.exists(path)}

    @contextmanager
    def made_aside(self) -> Iterator[Path]:
        """Yield a path in a folder for temporary files."""
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
            # The manifest is written last: if it exists, all files it names exist.
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
        """Convert the many errors of the libraries behind fsspec into one."""
        try:
            yield
        except Exception as error:
            what = " ".join(str(error).split()) or type(error).__name__
            raise InputError(
                f"cannot write {self._name}: {what}",
                advice="check the name, the access and the connection, and run it again",
            ) from error


def taken(name: str) -> InputError:
    """Return the error for an existing target."""
    return InputError(
        f"{name} exists",
        advice=f"choose another name, or give {option('force=True')} to replace it",
    )


def check_former(folder: str, files: Iterable[str], manifest: bytes) -> None:
    """Check that a folder that is to be replaced has only the files of a former export.

    Args:
        folder: Its name.
        files: The paths of its files, relative to it.
        manifest: The text of its manifest; empty if it has none.

    Raises:
        InputError: A file is not named in the manifest.
    """
    known = files_named(manifest)
    if foreign := next((each for each in files if each not in known), ""):
        raise InputError(
            f"{folder} holds files that no export wrote, such as {foreign}",
            advice="choose another name",
        )
