"""A server that speaks SRU is asked in the schema that it offers."""

from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from tests.discovery.offered.kit import WANTED, harvested, matching, titles

pytestmark = pytest.mark.slow

SIZE = 15


def as_xml(name: str, inside: str) -> Response:
    """Return an answer of SRU 1.2."""
    zing = "http://www.loc.gov/zing/srw/"
    return Response(f'<{name} xmlns="{zing}">{inside}</{name}>', media_type="text/xml")


def explained() -> Response:
    """Describe the server; its name for Dublin Core is its own."""
    schema = '<schema identifier="info:srw/schema/1/dc-v1.1" name="dublincore"/>'
    inside = (
        '<explain xmlns="http://explain.z3950.org/dtd/2.0/">'
        f"<schemaInfo>{schema}</schemaInfo></explain>"
    )
    return as_xml("explainResponse", f"<record><recordData>{inside}</recordData></record>")


def answer(request: Request) -> Response:
    """Answer in one schema; any other is an error inside an answer without records."""
    asked = request.query_params
    if asked.get("operation") != "searchRetrieve":
        return explained()
    if asked.get("recordSchema", "dublincore") != "dublincore":
        told = "<diagnostic><uri>info:srw/diagnostic/1/66</uri><message>Unknown schema</message>"
        none = "<numberOfRecords>0</numberOfRecords>"
        inside = f"{none}<diagnostics>{told}</diagnostic></diagnostics>"
        return as_xml("searchRetrieveResponse", inside)
    found = matching(asked["query"].replace('"', "").replace(" and ", " "))
    first = int(asked.get("startRecord", "1")) - 1
    records = "".join(
        f"<record><recordData><dc><title>{escape(each.title)}</title><description>"
        f"{escape(each.text)}</description><identifier>{each.key}</identifier></dc></recordData>"
        "</record>"
        for each in found[first : first + SIZE]
    )
    inside = f"<numberOfRecords>{len(found)}</numberOfRecords><records>{records}</records>"
    return as_xml("searchRetrieveResponse", inside)


def test_records_are_asked_for_in_the_schema_that_the_server_names(tmp_path: Path) -> None:
    """The usual name is refused by a diagnostic, with status 200 and a count of 0."""
    harvest = harvested(Starlette(routes=[Route("/sru", answer)]), tmp_path, "/sru")
    assert titles(harvest) == WANTED
    assert "recordSchema=dublincore" in (tmp_path / "harvest" / "source.toml").read_text()
