"""Layers of an ArcGIS server, whose answers are limited and whose pages have no numbers."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

import longline
from longline.errors import InputError
from longline.simulate import read_corpus, running_site

ROWS = [each for each in read_corpus("docstrings") if each.text][:90]
MOST = 25
"""`maxRecordCount` of the server."""

ROOT = "/arcgis/rest/services"
FIELDS = [{"name": "FID", "type": "esriFieldTypeOID"}, {"name": "SUBJECT"}, {"name": "DECISION"}]
ABOUT: dict[str, dict[str, Any]] = {
    "": {"folders": [], "services": [{"name": "Permits", "type": "FeatureServer"}]},
    "/Permits/FeatureServer": {
        "layers": [{"id": 0, "name": "All", "subLayerIds": [3]}, {"id": 3, "name": "Permits"}],
        "tables": [{"id": 4, "name": "Fees"}],
    },
    "/Permits/FeatureServer/3": {
        "name": "Permits",
        "displayField": "SUBJECT",
        "fields": FIELDS,
        "geometryType": "esriGeometryPolygon",
        "supportsAdvancedQueries": True,
    },
}


def served(request: Request) -> Response:
    """What a server says of a directory, a service or a layer; HTML unless `f=json`."""
    path = request.url.path.removeprefix(ROOT).rstrip("/")
    if request.query_params.get("f") != "json":
        return HTMLResponse("<title>ArcGIS REST Services Directory</title>")
    missing = {"error": {"code": 400, "message": "Invalid URL"}}
    return JSONResponse(ABOUT.get(path, missing))


def queried(request: Request) -> Response:
    """Rows above an id, in their order; an unknown parameter of pages is an error."""
    above = re.fullmatch(r"FID>(-?\d+)", request.query_params.get("where", ""))
    if above is None or request.query_params.get("orderByFields") != "FID":
        return JSONResponse({"error": {"code": 400, "message": "Unable to perform query"}})
    # Numbers have gaps.
    numbers = [3 * n + 5 for n in range(len(ROWS)) if 3 * n + 5 > int(above[1])]
    found = [
        {
            "attributes": {
                "FID": n,
                "SUBJECT": ROWS[n // 3 - 1].title,
                "DECISION": ROWS[n // 3 - 1].text,
            }
        }
        for n in numbers[:MOST]
    ]
    more = {"exceededTransferLimit": True} if numbers[MOST:] else {}
    return JSONResponse({"features": found, **more})


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    routes = [
        Route(f"{ROOT}/Permits/FeatureServer/3/query", queried),
        Route(f"{ROOT}/{{path:path}}", served),
        Route(ROOT, served),
    ]
    with running_site(Starlette(routes=routes)) as url:
        yield url + ROOT


@pytest.mark.parametrize("place", ["/Permits/FeatureServer/3", "/Permits/FeatureServer"])
def test_all_rows_of_a_layer_come_in_the_order_of_their_ids(
    server: str, place: str, tmp_path: Any
) -> None:
    """Though an answer has at most 25 rows, and no page has a number."""
    harvest = longline.harvest(server + place, tmp_path / "h", allow_private=True, rate=1000)
    documents = {each.key: each for each in harvest.documents}
    assert documents.keys() == {str(3 * n + 5) for n in range(len(ROWS))}
    assert all(documents[str(3 * n + 5)].title == row.title for n, row in enumerate(ROWS))
    assert harvest.certificate.outcome == "complete"
    assert harvest.certificate.result_pages == 4
    assert next(iter(harvest.documents)).url == f"{server}/Permits/FeatureServer/3/5"


def test_a_directory_names_its_services(server: str) -> None:
    """One must be chosen: they have different rows."""
    with pytest.raises(InputError, match=r"Permits/FeatureServer; give the address of one"):
        longline.discover(server, allow_private=True, browser=False)
