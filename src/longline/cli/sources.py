"""From what the user calls a source to a source spec."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urljoin

from longline.errors import InputError, SpecError
from longline.model import Request, Response
from longline.source import Spec, read_spec

ADVERTISED = "//link[@rel='longline-source']/@href"
"""How a page says where its site's source spec is."""


def is_url(source: str) -> bool:
    """Say whether a source is named by its URL."""
    return source.startswith(("http://", "https://"))


def spec_of(source: str, *, allow_private: bool, robots: bool) -> Spec:
    """Read the spec that a path or a URL stands for.

    Raises:
        InputError: There is no such file, or the URL leads to no spec.
        SpecError: The spec is not right.
    """
    if is_url(source):
        return asyncio.run(_spec_at(source, allow_private, robots))
    path = Path(source)
    if not path.exists():
        raise InputError(
            f"no file or folder {source}",
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
        return read_spec(path.read_text(encoding="utf-8"), where=str(path))
    except UnicodeDecodeError as error:
        raise SpecError(
            f"{path} is not text in UTF-8: {error.reason} at byte {error.start}",
            advice="name a source spec in TOML",
        ) from None


async def _spec_at(url: str, allow_private: bool, robots: bool) -> Spec:
    import numpy as np

    from longline.fetch import WebFetcher

    fetcher = WebFetcher(
        allow_private=allow_private, obey_robots=robots, rng=np.random.default_rng(0)
    )
    try:
        response = await fetcher.fetch(Request(url))
        advertised = _advertised(response)
        if advertised:
            response = await fetcher.fetch(Request(advertised))
    finally:
        await fetcher.close()
    if "html" in response.content_type:
        raise InputError(
            f"{url} is a web page that names no source spec",
            advice="write a source.toml by hand (docs/source-spec.md shows how) and harvest that",
        )
    return read_spec(response.body.decode("utf-8", "replace"), where=response.url)


def _advertised(response: Response) -> str | None:
    if "html" not in response.content_type:
        return None
    from parsel import Selector

    page = Selector(text=response.body.decode("utf-8", "replace"))
    href = page.xpath(ADVERTISED).get()
    return urljoin(response.url, href) if href else None
