"""A folder of HTML files instead of a web site: the port `Fetcher` without a network."""

import mimetypes
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from longline.errors import FolderError, InputError, NoSuchFileError, RefusedError
from longline.model import Request, Response

ORIGIN = "file://"
"""Scheme of URLs in a folder: `file:///about/` is the page about/index.html in it."""

MAX_BYTES = 10_000_000
INDEXES = ("index.html", "index.htm", "default.html", "default.htm", "index.xhtml")
_PAGES = (".html", ".htm", ".xhtml")


class FolderFetcher:
    """Fetch pages from a folder, as if from a web server with this root.

    A folder's URL returns its index page, and a name without an ending the page of that name. No
    file outside the folder is read, even through links and symbolic links.

    Args:
        folder: The root of the site.
        max_bytes: Maximum size of a page.

    Raises:
        FolderError: There is no such folder.
    """

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
        if not folder.is_dir():
            raise FolderError(f"{folder} is not a folder", advice="name a folder of HTML files")
        self._root = folder.resolve()
        self._max_bytes = max_bytes

    async def fetch(self, request: Request) -> Response:
        """Return a file as if a server had sent it.

        Raises:
            InputError: The URL has another scheme.
            RefusedError: There is no such file in the folder, or it is too large or unreadable.
        """
        parts = urlsplit(request.url)
        if parts.scheme != "file" or parts.netloc:
            raise InputError(f"{request.url!r} is in no folder", advice="write file:///path")
        # wget saves "list?page=2" under exactly this name.
        names = [f"{parts.path}?{parts.query}"] if parts.query else []
        path = next(filter(None, map(self._path, [*names, parts.path])), None)
        if path is None:
            raise _refused(request.url, "is not in the folder", 404)
        try:
            size = path.stat().st_size
            if size > self._max_bytes:
                what = f"has {size:,} bytes, more than the {self._max_bytes:,} allowed"
                raise _refused(request.url, what, 200)
            body = path.read_bytes()
        except OSError as error:
            raise _refused(request.url, f"cannot be read: {error.strerror}", 403) from None
        kind = mimetypes.guess_type(path.name.partition("?")[0])[0] or ""
        return Response(url=self.url(path), status=200, content_type=kind, body=body)

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    def url(self, path: Path) -> str:
        """Return the URL of a file in the folder."""
        return f"{ORIGIN}/{quote(path.relative_to(self._root).as_posix())}"

    def _path(self, name: str) -> Path | None:
        """Return the file that a server would send for a path, or None."""
        try:
            path = (self._root / unquote(name).lstrip("/")).resolve()
            candidates = (
                [path / index for index in INDEXES]
                if path.is_dir()
                else [path, *(path.with_name(path.name + ending) for ending in _PAGES)]
            )
            # A symbolic link may lead outside, so each path is resolved before it is used.
            resolved = (each.resolve() for each in candidates)
            return next((p for p in resolved if p.is_relative_to(self._root) and p.is_file()), None)
        except (OSError, ValueError, RuntimeError):
            return None


def start_page(path: Path) -> tuple[Path, str]:
    """Return the folder of a site and the URL of its start page.

    Args:
        path: The folder, or the start page itself.

    Raises:
        NoSuchFileError: There is no such folder.
        FolderError: It is not clear which page is the start.
    """
    if path.is_file():
        return path.parent, f"{ORIGIN}/{quote(path.name)}"
    if not path.is_dir():
        raise NoSuchFileError(str(path), advice="name a URL or a folder of pages")
    pages = sorted(p.name for p in path.iterdir() if p.suffix.lower() in _PAGES)
    indexes = [name for name in INDEXES if name in pages]
    if not indexes and len(pages) != 1:
        raise FolderError(
            f"no index.html in {path}", advice=f"name the start page itself, e.g. {path}/home.html"
        )
    return path, f"{ORIGIN}/{quote((indexes or pages)[0])}"


def path_of(url: str) -> str:
    """Return the path in the folder for a URL of a folder's page.

    >>> path_of("file:///about/us%20all.html")
    'about/us all.html'
    """
    return unquote(urlsplit(url).path).lstrip("/")


def _refused(url: str, what: str, status: int) -> RefusedError:
    return RefusedError(f"{url} {what}", advice="check the link", url=url, status=status)
