"""Test each document's language: from the source, otherwise its page, otherwise its text."""

import csv
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.harvests import Harvest
from typer.testing import CliRunner

from longline.cli.main import app
from longline.errors import StorageError
from longline.harvester.folder import open_store
from longline.harvester.settings import Limits, Settings
from longline.ledger import Certificate
from longline.simulate import running_site
from longline.source import read_spec
from longline.text.language import _identifier, identify

GERMAN = "Das Schiff verließ am Abend den Hafen, und niemand an Bord wusste, wohin die Reise ging."
FRENCH = "Le navire quitta le port le soir, et personne à bord ne savait où menait ce voyage."
ENGLISH = "The ship left the harbour in the evening, and nobody aboard knew where they would go."
# For each page: text, surrounding markup, value in its row, and headers.
PAGES: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "field": (GERMAN, '<html lang="en"><article>{}</article>', "Danish", {}),
    "near": (FRENCH, '<html lang="en"><article lang="fr-CA">{}</article>', "", {}),
    "page": (ENGLISH, '<html lang="nl"><article>{}</article>', "", {}),
    "meta": (
        ENGLISH,
        '<meta http-equiv="Content-Language" content="it"><article>{}</article>',
        "",
        {},
    ),
    "header": (ENGLISH, "<article>{}</article>", "", {"content-language": "pl"}),
    "text": (GERMAN, "<html><article>{}</article>", "", {}),
    "two": (ENGLISH, "<article>{}</article>", "", {"content-language": "de, en"}),
    "short": ("Ahoy ship", "<article>{}</article>", "", {}),
}


async def search(request: Request) -> Response:
    rows = [f"<li><a href=/doc/{key}>{key}</a><i>{page[2]}</i>" for key, page in PAGES.items()]
    return HTMLResponse(f"<ol>{''.join(rows)}</ol>" if "ship" in str(request.url) else "<p>None")


async def document(request: Request) -> Response:
    key = request.path_params["key"]
    text, page, _, headers = PAGES[key]
    return HTMLResponse(page.format(f"{text} ({key})"), headers=headers)


def harvest(folder: Path, *, results: str = "", page: str = "") -> Certificate:
    site = Starlette(routes=[Route("/search", search), Route("/doc/{key}", document)])
    with running_site(site) as url:
        spec = read_spec(f"""
            [source]
            name = "ships"
            url = "{url}/"
            [ask]
            url = "{url}/search?q={{query}}"
            [results]
            hit = "li"
            link = "a"
            {results}
            [document]
            text = "article"
            {page}
        """)
        limits = Limits(allow_private=True, size=len(PAGES), max_queries=1)
        settings = Settings(strategy="adaptive", words=("ship",))
        return Harvest(folder, spec, settings, limits).run()


def languages(folder: Path) -> dict[str, str]:
    store = open_store(folder)
    try:
        return {each.key.rpartition("/")[2]: each.language for each in store.documents()}
    finally:
        store.close()


def test_source_then_page_then_text_says_the_language(tmp_path: Path) -> None:
    """The source's field comes first, then the page with the nearest tag, then the text."""
    certificate = harvest(tmp_path, results='language = "i"')
    assert languages(tmp_path) == {
        "field": "danish",
        "near": "fr",
        "page": "nl",
        "meta": "it",
        "header": "pl",
        "text": "de",
        "two": "en",
        "short": "",
    }
    assert list(certificate.languages.items())[-1] == ("unknown", 1)
    assert sum(certificate.languages.values()) == certificate.documents == len(PAGES)


def test_field_of_the_document_page_is_read(tmp_path: Path) -> None:
    """A language field on the document's own page overrides what the page declares."""
    harvest(tmp_path, page='language = "xpath://html/@lang"')
    assert languages(tmp_path)["near"] == "en"


def test_status_and_export_tell_the_languages(tmp_path: Path) -> None:
    """`longline status` counts documents per language, `export` lists each document's."""
    harvest(tmp_path, results='language = "i"')
    said = CliRunner().invoke(app, ["status", str(tmp_path)]).output
    assert "languages  1 danish, 1 de, 1 en" in said
    exported = CliRunner().invoke(app, ["export", str(tmp_path), "--to", "csv"]).stdout
    rows = list(csv.DictReader(exported.splitlines()))
    assert list(rows[0]) == ["key", "url", "title", "text", "language"]
    assert [row["language"] for row in rows].count("fr") == 1


@pytest.mark.parametrize(
    ("text", "language"), [(GERMAN, "de"), (FRENCH, "fr"), (ENGLISH, "en"), (GERMAN[:30], "")]
)
def test_language_of_a_text_is_told_where_it_is_long_enough(text: str, language: str) -> None:
    """The language of a sentence is identified; half a sentence is too short."""
    assert identify(text) == language


@pytest.mark.parametrize("texts", [("", "\x00" * 500), ("1 2 3 4 5 6 7 8 9 " * 20, "\ud800" * 50)])
def test_what_is_no_language_has_none(texts: Sequence[str]) -> None:
    """Numbers, empty texts and non-texts have no language."""
    assert [identify(text) for text in texts] == ["", ""]


def test_a_full_disk_for_temporary_files_is_an_error_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The language model is unpacked there; without space a harvest stops and can be continued."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    _identifier.cache_clear()
    with pytest.raises(StorageError, match="TMPDIR"):
        identify(GERMAN)
    monkeypatch.undo()
    assert identify(GERMAN) == "de"
