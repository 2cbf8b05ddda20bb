"""A harvest whose site is redesigned: it stops, is learnt again, and continues."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.cli.conftest import Run

from longline.simulate import Searcher, read_corpus, running_site, website

pytestmark = pytest.mark.slow


NEW_LOOK = [
    (b'<ol class="results"', b'<div class="finds"'),
    (b"results", b"finds"),
    (b"<li>", b'<section class="card">'),
    (b"</li>", b"</section>"),
    (b'class="none"', b'class="sorry"'),
    (b'class="total"', b'class="howmany"'),
]


@dataclass
class Redesigned:
    """ASGI middleware: changes the markup of result pages from request number `begin` on."""

    app: ASGIApp
    begin: int
    seen: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_search = scope["type"] == "http" and scope["path"] == "/search"
        self.seen += is_search
        if not is_search or self.seen < self.begin:
            await self.app(scope, receive, send)
            return
        start: list[Message] = []
        body = b""

        async def collect(message: Message) -> None:
            nonlocal body
            if message["type"] == "http.response.start":
                start.append(message)
            else:
                body += message.get("body", b"")

        await self.app(scope, receive, collect)
        for old, new in NEW_LOOK:
            body = body.replace(old, new)
        headers = [
            (name, value) for name, value in start[0]["headers"] if name != b"content-length"
        ]
        await send({**start[0], "headers": headers})
        await send({"type": "http.response.body", "body": body})


def test_redesigned_site_is_learnt_anew(run: Run, corpus: Path, tmp_path: Path) -> None:
    """The harvest stops with 3 and says what to do; after that it can be completed."""
    searcher = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    site = Redesigned(website(searcher), begin=10**9)
    options = ("--allow-private", "--strategy", "adaptive", "--size", "400")
    with running_site(site) as url:
        learnt = run("discover", f"{url}/", "-o", "site.toml", "--allow-private")
        assert learnt.returncode in (0, 3), learnt.stderr
        site.begin = site.seen + 12
        stopped = run("harvest", "site.toml", "-o", "got", *options)
        assert stopped.returncode == 3, stopped.stderr
        assert "longline discover --relearn" in stopped.stdout
        held = json.loads((tmp_path / "got/certificate.json").read_text())["documents"]
        again = run("discover", "--relearn", "got", "--allow-private")
        assert again.returncode in (0, 3), again.stderr
        assert "results.hit" in again.stdout
        old = tomllib.loads((tmp_path / "got/source.toml.old").read_text())
        new = tomllib.loads((tmp_path / "got/source.toml").read_text())
        assert old["results"]["hit"] != new["results"]["hit"]
        whole = run("harvest", "got", "--allow-private", "--target-coverage", 0.9)
        assert whole.returncode == 0, whole.stderr + whole.stdout
    found = json.loads((tmp_path / "got/certificate.json").read_text())
    assert 0 < held < found["documents"]
    assert found["hit_rate"] >= 0.9


def test_site_that_is_as_it_was_changes_nothing(run: Run, site: str, tmp_path: Path) -> None:
    """If the site has not changed, the spec stays and no old copy is made."""
    run("discover", f"{site}/", "-o", "site.toml", "--allow-private")
    run("harvest", "site.toml", "-o", "got", "--allow-private", "--max-requests", "30")
    before = (tmp_path / "got/source.toml").read_bytes()
    again = run("discover", "--relearn", "got", "--allow-private", "--json")
    assert again.returncode in (0, 3), again.stderr
    assert json.loads(again.stdout)["changes"] == []
    assert (tmp_path / "got/source.toml").read_bytes() == before
    assert not (tmp_path / "got/source.toml.old").exists()


def test_what_to_learn_has_to_be_clear(run: Run, tmp_path: Path) -> None:
    """No source, both URL and folder, or a folder without a harvest is refused."""
    for arguments in (
        (),
        ("http://x.example/", "--relearn", "got"),
        ("--relearn", "got", "-o", "a"),
    ):
        done = run("discover", *arguments)
        assert done.returncode == 2
        assert "--relearn DIR" in done.stderr
    done = run("discover", "--relearn", tmp_path)
    assert done.returncode == 2
    assert "is not a harvest folder" in done.stderr
