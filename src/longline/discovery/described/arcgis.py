"""Read a layer of an ArcGIS server as a list: rows in the order of their ids, page by page.

A layer's answers are limited to `maxRecordCount` rows, and many servers number no pages. Rows with
an id above the last one are always the next ones.

Source: the ArcGIS REST API, "Query (Feature Service/Layer)" and "Layer resource".
"""

import re
from typing import Any
from urllib.parse import urlsplit

import msgspec

from longline.discovery.answer import ParsedAnswer, as_data
from longline.discovery.described.listed import Listed, NotDescribed, home_of, spec_of
from longline.discovery.fields import fields_of_answer
from longline.discovery.reading import data_hits_in
from longline.discovery.session import Asking
from longline.model import Query, Request
from longline.source import Source
from longline.text.numbers import counted

_SERVICES = re.compile(r"(.*/rest/services)(/.*)?")
_SERVICE = re.compile(r"(.*/(?:Feature|Map)Server)(?:/(\d+))?(?:/.*)?")
_ROWS = "features"
POINTS = "esriGeometryPoint"
NAMED = 10
"""How many services a message names at most."""


def layer_of_arcgis(url: str) -> Asking[Listed | None]:
    """Return how to read all rows of a layer; None if an address is not one of an ArcGIS server.

    Args:
        url: Address of a layer, a service or a directory of services.

    Raises:
        NotDescribed: It is a directory, and one of its services must be chosen.
    """
    path = url.partition("?")[0].rstrip("/")
    service = _SERVICE.fullmatch(path)
    if service is None:
        if _SERVICES.fullmatch(path):
            yield from _refuse_directory(path)
        return None
    base, number = service[1], service[2]
    others: list[str] = []
    if number is None:
        about = yield from _about(base)
        layers = [*_dicts(about, "layers"), *_dicts(about, "tables")]
        # A group of layers has no rows itself.
        found = [f"{base}/{each.get('id')}" for each in layers if not each.get("subLayerIds")]
        if not found:
            return None
        layer, *others = found
    else:
        layer = f"{base}/{number}"
    listed = yield from _rows_of(layer)
    return None if listed is None else listed._replace(left_out=tuple(others))


def _rows_of(layer: str) -> Asking[Listed | None]:
    about = yield from _about(layer)
    key = str(about.get("objectIdField") or "") or next(
        (str(each.get("name")) for each in _dicts(about, "fields") if _is_id(each)), ""
    )
    if not key:
        return None
    has_order = about.get("supportsAdvancedQueries", True)
    is_points = about.get("geometryType") == POINTS
    sent = f"where={key}>{{next}}&outFields=*&f=json&outSR=4326"
    sent += f"&returnGeometry={str(is_points).lower()}"
    tables: dict[str, Any] = {
        "source": home_of(layer, "json"),
        "ask": {
            "url": f"{layer}/query?{sent}" + (f"&orderByFields={key}" if has_order else ""),
            "first_next": "-1",
            "lists": "all" if has_order else "part",
        },
        "results": {
            "hit": f"jmes:{_ROWS}[*]",
            "key": f"jmes:attributes.{key}",
            "link": f"jmes:attributes.{key}",
            "link_template": f"{layer}/{{link}}",
            "next": f"jmes:{_ROWS}[-1].attributes.{key}",
            "more": "jmes:exceededTransferLimit",
        },
    }
    request = Source(spec_of(tables)).search_request(Query(()))
    answer = yield request
    shown = as_data(request, answer)
    hits = None if shown is None else data_hits_in(shown, f"{_ROWS}[*]")
    if answer is None or shown is None or hits is None:
        return None
    text = hits.text or hits.title
    title = f"attributes.{about.get('displayField')}"
    named = {"title": title if title in hits.leaves else hits.title, "text": text}
    tables["results"] |= {name: f"jmes:{path}" for name, path in named.items() if path}
    spec = spec_of(tables)
    page = Source(spec).page(Query(()), 1, request, answer)
    spec = msgspec.structs.replace(spec, fields=fields_of_answer(spec, page, answer))
    seen = [f"a layer of an ArcGIS server, {layer}: {about.get('name', '')}", _size(shown)]
    if not is_points and about.get("geometryType"):
        seen.append("the shapes of its rows are left out")
    return Listed("ArcGIS layer", spec, tuple(seen))


def _size(shown: ParsedAnswer) -> str:
    said = counted(len(shown.data[_ROWS]), "row")
    is_more = shown.data.get("exceededTransferLimit")
    return f"no words are sent; {said} in the first answer" + (", which says more" * bool(is_more))


def _about(url: str) -> Asking[dict[str, Any]]:
    """Return what a server says of a layer, a service or a directory; {} if nothing."""
    request = Request(f"{url}?f=json")
    answer = yield request
    shown = as_data(request, answer)
    data = None if shown is None else shown.data
    return data if isinstance(data, dict) and "error" not in data else {}


def _refuse_directory(path: str) -> Asking[None]:
    about = yield from _about(path)
    services = [each for each in _dicts(about, "services") if _SERVICE.fullmatch(_of(each))]
    if services:
        root = _SERVICES.fullmatch(path)
        assert root is not None  # only directories come here
        named = [f"{root[1]}/{_of(each)}" for each in services[:NAMED]]
        host = urlsplit(path).netloc
        said = f"{path} lists {counted(len(services), 'service')} of the ArcGIS server {host}"
        raise NotDescribed(
            f"{said}; harvest one at a time: {', '.join(named)}", "give the address of one of them"
        )


def _of(service: dict[str, Any]) -> str:
    return f"{service.get('name')}/{service.get('type')}"


def _dicts(about: dict[str, Any], name: str) -> list[dict[str, Any]]:
    held = about.get(name)
    return [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []


def _is_id(column: dict[str, Any]) -> bool:
    return column.get("type") == "esriFieldTypeOID"
