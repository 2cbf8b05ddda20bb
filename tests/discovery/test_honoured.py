"""A preset's operators, checked against servers of its make that read them differently."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, corpus
from tests.discovery.grade import finder_of
from typer.testing import CliRunner

from longline.cli.main import app
from longline.simulate import running_site
from longline.source import read_spec

HOME = '<link rel="EditURI" href="/api.php?action=rsd"><p>A wiki.'


class Wiki:
    """A wiki's API over an engine with its own rules for queries."""

    def __init__(self, rules: Rules, documents: int = 700, *, reads_plus: bool = True) -> None:
        self.reads_plus = reads_plus
        self.engine = Engine(corpus("docs")[:documents], rules)
        self.asked: list[str] = []
        self.app = Starlette(routes=[Route("/", self.home), Route("/api.php", self.api)])

    async def home(self, request: Request) -> Response:
        return HTMLResponse(HOME)

    async def api(self, request: Request) -> Response:
        typed = request.query_params.get("gsrsearch", "")
        self.asked.append(typed)
        typed = typed if self.reads_plus else typed.replace("+", "")
        start = int(request.query_params.get("gsroffset", "0"))
        found = self.engine.search(typed)
        rows = [
            {
                "pageid": text.key,
                "title": text.title,
                "index": start + place,
                "revisions": [{"slots": {"main": {"content": text.body}}}],
                "canonicalurl": f"{request.base_url}wiki/{text.key}",
            }
            for place, text in enumerate(found[start : start + 50], 1)
        ]
        return JSONResponse({"query": {"searchinfo": {"totalhits": len(found)}, "pages": rows}})


@pytest.mark.parametrize(
    ("rules", "not_"),
    [
        (Rules(nots=("-",)), "-{term}"),
        (Rules(nots=("NOT",)), "NOT {term}"),
        (Rules(nots=()), ""),
    ],
)
def test_not_is_written_as_it_is_read(rules: Rules, not_: str) -> None:
    """A NOT that works is kept, another notation is found, and an ignored one is removed."""
    wiki = Wiki(rules)
    with finder_of(wiki.app) as finder:
        assert finder.spec is not None
        assert finder.spec.ask.dialect.not_ == not_
        assert read_spec(finder.toml) == finder.spec
        assert f"# ask.dialect.not = {not_ or 'none'}: " in finder.toml
    assert len(wiki.asked) <= 12


@pytest.mark.parametrize(
    ("rules", "reads_plus", "learnt"),
    [
        (Rules(default="OR"), True, (" AND ", '"{term}"', None)),
        (Rules(default="OR", ands=(), nots=()), True, (" ", '+"{term}"', None)),
        (Rules(default="OR", ands=(), nots=()), False, (" ", '"{term}"', 1)),
    ],
)
def test_words_that_are_alternatives_are_joined(
    rules: Rules, reads_plus: bool, learnt: tuple[str, str, int | None]
) -> None:
    """If a space means OR, a working AND is used; otherwise queries have one word."""
    with finder_of(Wiki(rules, reads_plus=reads_plus).app) as finder:
        assert finder.spec is not None
        dialect = finder.spec.ask.dialect
        assert (dialect.and_, dialect.quote, dialect.max_terms) == learnt


def test_source_too_small_to_tell_keeps_its_preset() -> None:
    """If no two words can be compared, the preset is kept, and the spec says so."""
    with finder_of(Wiki(Rules(nots=()), documents=2).app) as finder:
        assert finder.spec is not None
        assert finder.spec.ask.dialect.not_ == "-{term}"
        assert "its operators were not checked" in finder.toml


@pytest.mark.slow
def test_corrected_preset_is_what_is_harvested(tmp_path: Path) -> None:
    """`longline harvest URL` saves the corrected spec, so that no useless NOT is sent."""
    wiki = Wiki(Rules(nots=()), documents=300)
    folder = tmp_path / "got"
    with running_site(wiki.app) as url:
        options = ["--allow-private", "--listing-only", "--max-requests", "60"]
        CliRunner().invoke(app, ["harvest", f"{url}/", "-o", str(folder), *options])
    spec = read_spec((folder / "source.toml").read_text(encoding="utf-8"))
    assert spec.ask.dialect.not_ == ""
    assert len(wiki.asked) > 20
    assert len([typed for typed in wiki.asked if " -" in typed]) <= 2  # the probes of NOT
