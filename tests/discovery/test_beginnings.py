"""JSON with only the beginning of each text, or its title, and without links, is partial."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

import longline
from longline.simulate import read_corpus, running_site

SIZE, SHOWN, ROWS = 120, 90, 20


def site(shown: int) -> Starlette:
    documents = [each for each in read_corpus("docstrings") if len(each.text) > 2 * SHOWN][:SIZE]

    def search(request: Request) -> JSONResponse:
        typed = request.query_params.get("q", "").lower()
        at = ROWS * (int(request.query_params.get("page", 1)) - 1)
        found = [n for n, each in enumerate(documents) if typed in each.text.lower()]
        rows = [
            {"id": n, "title": documents[n].title, "text": documents[n].text[:shown]}
            for n in found[at : at + ROWS]
        ]
        rows = rows if shown else [{"id": row["id"], "title": row["title"]} for row in rows]
        return JSONResponse({"total": len(found), "results": rows})

    return Starlette(routes=[Route("/api", search)])


@pytest.mark.parametrize("shown", [SHOWN, 0], ids=["beginnings", "titles"])
def test_beginnings_of_texts_are_parts(shown: int, tmp_path: Path) -> None:
    """All documents are held, and the certificate says that no text is complete."""
    with running_site(site(shown)) as url:
        harvest = longline.harvest(
            f"{url}/api?q=time", tmp_path / "got", allow_private=True, rate=1000
        )
    certificate = harvest.certificate
    assert certificate.documents == certificate.cut_texts == SIZE
    assert certificate.outcome == "partial"
    assert "only a part of their text" in certificate.stopped
    assert not certificate.fields or not shown
