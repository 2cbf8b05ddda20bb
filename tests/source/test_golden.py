"""Saved responses must give the expected pages: one folder of tests/golden per kind of source.

A folder holds `spec.toml`, the saved response (`response.html`, `.json` or `.xml`) and
`expected.json` with the request and its result. `form.html` is the form's page, if the spec
uses a form; `document.html` is the first hit's page, if the spec reads documents.
"""

from pathlib import Path

import msgspec
import pytest

from longline.errors import PageError
from longline.model import Document, Page, Query, Request, Response
from longline.source import Source, read_spec

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = sorted(folder.name for folder in GOLDEN.iterdir() if (folder / "spec.toml").is_file())


class Expected(msgspec.Struct, forbid_unknown_fields=True):
    query: Query
    number: int
    content_type: str
    url: str = ""
    request: Request | None = None
    response_url: str = ""
    page: Page | None = None
    document: Document | None = None
    error: list[str] = []


def read_case(folder: Path) -> tuple[Source, Expected, Request, Response]:
    source = Source(read_spec((folder / "spec.toml").read_text(encoding="utf-8")))
    expected = msgspec.json.decode((folder / "expected.json").read_bytes(), type=Expected)
    form_request = source.form_request()
    if form_request:
        body = (folder / "form.html").read_bytes()
        source = source.with_form(Response(url=form_request.url, status=200, body=body))
    request = expected.request or Request(
        expected.url, headers=tuple(source.spec.ask.headers.items())
    )
    response = Response(
        url=expected.response_url or request.url,
        status=200,
        content_type=expected.content_type,
        body=next(folder.glob("response.*")).read_bytes(),
    )
    return source, expected, request, response


@pytest.mark.parametrize("name", CASES)
def test_first_page_is_asked_for_as_saved(name: str) -> None:
    """The request for page 1 equals the saved request."""
    source, expected, request, _ = read_case(GOLDEN / name)
    if expected.number == 1:
        assert source.search_request(expected.query) == request


@pytest.mark.parametrize("name", CASES)
def test_saved_answer_is_read_as_expected(name: str) -> None:
    """The saved response gives exactly the expected page, or an error with the expected words."""
    source, expected, request, response = read_case(GOLDEN / name)
    if expected.error:
        with pytest.raises(PageError) as caught:
            source.page(expected.query, expected.number, request, response)
        assert not [word for word in expected.error if word not in str(caught.value)]
    else:
        assert source.page(expected.query, expected.number, request, response) == expected.page


@pytest.mark.parametrize(
    "name", [name for name in CASES if (GOLDEN / name / "document.html").is_file()]
)
def test_saved_document_is_read_as_expected(name: str) -> None:
    """The first hit's saved page gives exactly the expected document."""
    source, expected, request, response = read_case(GOLDEN / name)
    hit = source.page(expected.query, expected.number, request, response).hits[0]
    asked = source.document_request(hit)
    assert asked is not None
    body = (GOLDEN / name / "document.html").read_bytes()
    answer = Response(url=asked.url, status=200, content_type="text/html", body=body)
    assert source.document(hit, answer) == expected.document
