"""From what the user calls a source to a source spec."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from longline.cli._pages import Spent, run_on_pages
from longline.cli._said import note
from longline.errors import InputError, NoSuchFileError, SpecError
from longline.source import Spec, read_spec


def is_url(source: str) -> bool:
    """Say whether a source is named by its URL."""
    return source.startswith(("http://", "https://"))


def spec_of(source: str, *, allow_private: bool, robots: bool, **more: Any) -> Spec:
    """Read the spec that a path or a URL stands for; raises as `found_spec`."""
    return found_spec(source, allow_private=allow_private, robots=robots, **more).spec


class Found(NamedTuple):
    """A spec, and how it was come by.

    Attributes:
        toml: Where it was learnt or filled in, as it is to be kept, with notes.
        review: Why a person should look at it.
        requests: That finding and learning it cost.
        body_bytes: Of their answers.
    """

    spec: Spec
    toml: str = ""
    review: Sequence[str] = ()
    requests: int = 0
    body_bytes: int = 0


def found_spec(
    source: str,
    *,
    allow_private: bool,
    robots: bool,
    max_requests: int | None = None,
    **more: Any,
) -> Found:
    """Read the spec that a path or a URL stands for, or learn it from a page that names none.

    Args:
        source: A path, or a URL.
        allow_private: Allow hosts on loopback and private addresses.
        robots: False ignores robots.txt.
        max_requests: That it may cost; None as many as learning takes at most.
        **more: Further arguments of `WebFetcher`.

    Raises:
        InputError: There is no such file, or the URL leads to no spec and to no search.
        SpecError: The spec is not right.
    """
    if not is_url(source):
        return Found(_spec_in(source))
    more["spent"] = spent = Spent(max_requests)
    found = described(source, allow_private, robots, **more) or _learnt(
        source, allow_private, robots, **more
    )
    return found._replace(requests=spent.requests, body_bytes=spent.body_bytes)


def _learnt(url: str, allow_private: bool, robots: bool, **more: Any) -> Found:
    from longline.cli.discover import learn, tell

    learnt = learn(url, allow_private=allow_private, robots=robots, **more)
    note(f"{url} names no source spec; its search interface was learnt:")
    tell(learnt)
    toml = learnt.toml()
    return Found(read_spec(toml), toml, learnt.review)


def _spec_in(source: str) -> Spec:
    path = Path(source)
    if not path.exists():
        raise NoSuchFileError(
            source,
            advice="name a source spec (source.toml), a URL, or a folder made by a harvest",
        )
    if path.is_dir():
        path = path / "source.toml"
        if not path.is_file():
            raise InputError(
                f"no source.toml in {source}",
                advice="name a source spec, a URL, or a folder made by a harvest",
            )
    try:
        return read_spec(path.read_text(encoding="utf-8-sig"), where=str(path))
    except UnicodeDecodeError as error:
        raise SpecError(
            f"{path} is not text in UTF-8: {error.reason} at byte {error.start}",
            advice="name a source spec in TOML",
        ) from None


def described(url: str, allow_private: bool, robots: bool, **more: Any) -> Found | None:
    """Read the spec that a URL leads to, or that of a preset; None where there is none."""
    from longline.discover import SpecFinder

    finder = SpecFinder(url)
    run_on_pages(finder, url, allow_private=allow_private, robots=robots, **more)
    if finder.spec is None:
        return None
    if not finder.is_its_own:
        note(f"{url}: taking {finder.how}")
    return Found(finder.spec, finder.toml)
