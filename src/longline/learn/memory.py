"""Cache what was learnt about a URL, for the next plan or harvest of the same URL."""

import hashlib
import logging
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from longline.errors import SpecError
from longline.files import replacing
from longline.learn.learn import Found, LearnOptions
from longline.logs import log
from longline.secrets import masked
from longline.source import read_spec
from longline.version import __version__

AGE = timedelta(days=7)
"""Older files are not used, because sites change."""

LEAST_REQUESTS = 10
"""Specs that cost fewer requests are not cached: a new search is cheap, and up to date."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a cached file; the rest of it is a source spec.

    Attributes:
        version: The version of longline that learnt it.
        at: When it was learnt.
        post, browser, words: How it was learnt, as in `LearnOptions`.
        review: As in `Found`.
        preset: As in `Found`.
    """

    version: str
    at: datetime
    post: bool
    browser: bool | None
    words: tuple[str, ...]
    review: tuple[str, ...]
    preset: str

    def serves(self, options: LearnOptions) -> bool:
        """Return whether the cached spec is what these options would learn today.

        An option that is not set accepts any value: forms found with `post` are used without it.
        """
        return (
            self.version == __version__
            and timedelta(0) <= datetime.now(UTC) - self.at < AGE
            and (self.post or not options.post)
            and options.browser in (None, self.browser)
            and (not options.words or tuple(options.words) == self.words)
        )


@dataclass(frozen=True, kw_only=True)
class Memory:
    """A folder that caches what was learnt about URLs, one file for each, for `AGE`.

    Attributes:
        folder: The folder; None caches nothing.
        is_read: Whether cached files are used; if not, they are replaced.
    """

    folder: Path | None = None
    is_read: bool = True

    def recall(self, url: str, options: LearnOptions) -> Found | None:
        """Return what was learnt about a URL, or None if it has to be learnt."""
        if self.folder is None or not self.is_read:
            return None
        try:
            path = _file(self.folder, url)
            first, _, toml = path.read_text(encoding="utf-8").partition("\n")
            head = msgspec.json.decode(first.removeprefix("#"), type=Head)
            if not head.serves(options):
                return None
            spec = read_spec(toml)
        except (OSError, ValueError, msgspec.DecodeError, SpecError):
            return None
        return Found(
            spec=spec,
            toml=toml,
            review=head.review,
            preset=head.preset,
            kept=path,
            learnt_on=f"{head.at:%Y-%m-%d}",
        )

    def keep(self, url: str, options: LearnOptions, found: Found, most: int | None) -> Found:
        """Cache what was learnt about a URL; return it with the path of its file.

        Specs are not cached if requests ran out, if few were needed, or if they hold a secret.
        If the folder cannot be written, nothing is cached, and that is logged.

        Args:
            url: As given by the user.
            options: How it was learnt.
            found: What was learnt.
            most: Limit of requests that the user set; None if there was none.
        """
        was_cut = most is not None and took_all(found, most)
        is_open = masked(f"{url} {found.toml}") == f"{url} {found.toml}"
        is_cheap = found.requests < LEAST_REQUESTS
        if self.folder is None or was_cut or is_cheap or not (found.toml and is_open):
            return found
        head = Head(
            version=__version__,
            at=datetime.now(UTC),
            post=options.post,
            browser=options.browser,
            words=tuple(options.words),
            review=found.review,
            preset=found.preset,
        )
        path = _file(self.folder, url)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with replacing(path) as stream:
                stream.write(b"# " + msgspec.json.encode(head) + b"\n" + found.toml.encode())
        except OSError as error:
            log(logging.INFO, f"what was learnt is not kept in {path}: {error.strerror}")
            return found
        self._forget()
        return msgspec.structs.replace(found, kept=path)

    def _forget(self) -> None:
        """Remove files that are too old to be used."""
        assert self.folder is not None
        oldest = (datetime.now(UTC) - AGE).timestamp()
        for path in self.folder.glob("*.learnt.toml"):
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def took_all(found: Found, most: int) -> bool:
    """Return whether learning took all requests that were allowed.

    They may be two fewer, as robots.txt and the first page may have been known already.
    """
    return found.requests >= most - 2


def _file(folder: Path, url: str) -> Path:
    """Return the path of a URL's file: it contains the host, and is unique.

    >>> _file(Path(), "https://A.example") == _file(Path(), "https://a.example/")
    True
    """
    parts = urlsplit(url)
    host = parts.netloc.lower()
    code = parts._replace(netloc=host, path=parts.path or "/").geturl().encode()
    name = re.sub(r"[^\w.-]+", "-", host.rpartition("@")[2])[:100]
    return folder / f"{name}-{hashlib.sha256(code).hexdigest()[:12]}.learnt.toml"
