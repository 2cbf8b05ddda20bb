"""Test that a spec from the web cannot read the user's environment."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

import longline
from longline.simulate import running_site

SECRET = "s3cr3t-of-mine"
ASKED: list[str] = []
SPEC = """
[source]
name = "shop"
url = "{site}"
[ask]
url = "{site}search?q={{query}}{more}
[results]
hit = "css:li"
link = "a"
"""
WAYS = {
    "spec": '&x=${MINE}"',
    "key": '&x={key}"\nkey = "env:MINE"',
    "header": '"\nheaders = { X = "Bearer ${MINE}" }',
}


def answer(request: Request) -> Response:
    """Return the site's spec, where each variant uses an environment variable."""
    ASKED.append(f"{request.url} {request.headers!r}")
    site, way = str(request.base_url), request.path_params["way"]
    if way in WAYS:
        return PlainTextResponse(SPEC.format(site=site, more=WAYS[way]))
    if way == "named":
        return HTMLResponse(f'<link rel="longline-source" href="{site}spec"><p>Search</p>')
    rows = (f"<li><a href='/d/{n}-{request.query_params.get('q')}'>n {n}</a>" for n in range(9))
    return HTMLResponse(f"<title>Found</title><p>9 results</p><ul>{''.join(rows)}</ul>")


@pytest.fixture
def site() -> Iterator[str]:
    """Yield the address of the site."""
    ASKED.clear()
    with running_site(Starlette(routes=[Route("/{way:path}", answer)])) as url:
        yield url.rstrip("/")


@pytest.mark.parametrize("way", [*WAYS, "named"])
def test_a_spec_from_the_web_takes_nothing_from_the_environment(
    way: str, site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds for a downloaded spec and one that a page names, also when run again."""
    monkeypatch.setenv("MINE", SECRET)
    for _ in range(2):
        with pytest.raises(longline.InputError, match="a variable of your environment"):
            longline.harvest(
                f"{site}/{way}", tmp_path / "shop", allow_private=True, max_requests=60
            )
    assert ASKED
    assert not any(SECRET in asked for asked in ASKED)
