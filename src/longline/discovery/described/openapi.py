"""Read OpenAPI and Swagger descriptions of an API."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec
import parsel

from longline.discovery.described.operations import PATH_WORDS, Operation, Parameter
from longline.discovery.reading import says_search
from longline.errors import SpecError
from longline.model import Response
from longline.text.charset import read_text

PLACES = (
    *("/openapi.json", "/swagger.json", "/openapi.yaml", "/v3/api-docs", "/api/openapi.json"),
    *("/swagger/v1/swagger.json", "/api-docs", "/api/schema/"),
)
"""Usual paths of descriptions."""

_OF_DOCUMENT = re.compile(r"[^{}']*(?:/\{[^{}/]+\}[^{}']*)+")
_ANY_PATH = "/{path}"
"""Placeholder for the rest of a path, which may be empty."""

_OWN_HEADERS = ("accept", "content-type", "authorization")
"""Headers that are not parameters. Source: OpenAPI 3.1, section 4.8.12.2."""

_LAST_WORDS = re.compile(r"(?<=/)\{([^{}]+)\}$")

_PARTS = ("allOf", "anyOf", "oneOf")

_NAMED = re.compile(
    r"""["'(=]\s*([^\s"'()<>=]*(?:openapi|swagger|api-?docs)[^\s"'()<>=]*\.(?:json|ya?ml))["')]""",
    re.IGNORECASE,
)
_DESCRIBED = "//link[contains(concat(' ', @rel, ' '), ' service-desc ')]/@href | //@spec-url"
_SERVICE = re.compile(r"""<([^<>]*)>[^,<]*;\s*rel\s*=\s*"?[^",;]*service-desc""", re.IGNORECASE)
_SWAGGER_UI = re.compile(rb"SwaggerUI(?:Bundle)?\s*\(|swagger-ui-bundle", re.IGNORECASE)
_CONFIGURED = re.compile(r"""["']?\b(?:url|configUrl)["']?\s*:\s*["']([^"'\s]+)["']""")
_CONFIGURING = "//script[contains(@src, 'initializer') or contains(@src, 'swagger-config')]/@src"
DEPTH = 4


class _Linking(msgspec.Struct):
    links: list[dict[str, Any]] = []


def descriptions_in(answer: Response) -> list[str]:
    """Return the addresses of descriptions that a page or its header names.

    Source: RFC 8631, section 4.1 (service-desc).

    >>> page = b"<script>SwaggerUIBundle({url: '/openapi.json'})</script>"
    >>> descriptions_in(Response(url="https://x.example/docs", status=200, body=page))
    ['https://x.example/openapi.json']
    """
    text = read_text(answer.body, answer.content_type)[1]
    named = _SERVICE.findall(answer.header("link"))
    if "<" in text[:1000]:
        named += parsel.Selector(text=text or "<html/>", type="html").xpath(_DESCRIBED).getall()
    named += _NAMED.findall(text.replace("\\/", "/"))
    named += [link["href"] for link in _links_of(text) if link.get("rel") == "service-desc"]
    return _at_host(answer.url, named)


def is_swagger_ui(answer: Response) -> bool:
    """Return whether a page shows a description by Swagger UI.

    >>> is_swagger_ui(Response(url="https://x.example/", status=200, body=b'{"url": "/books"}'))
    False
    """
    return _SWAGGER_UI.search(answer.body) is not None


def configuring_scripts(page: Response) -> list[str]:
    """Return the addresses of the scripts in which a page of Swagger UI names its description."""
    text = read_text(page.body, page.content_type)[1]
    found = parsel.Selector(text=text or "<html/>", type="html").xpath(_CONFIGURING).getall()
    return _at_host(page.url, found)


def configured_in(answer: Response, page: str) -> list[str]:
    """Return the addresses that a page of Swagger UI, its script, or its configuration names.

    Args:
        answer: The page itself, the script, or the configuration.
        page: Address of the page, to which they are relative.

    Source: Swagger UI 5, configuration: url, urls, configUrl.

    >>> script = b"SwaggerUIBundle({ url: '/v3/api-docs', dom_id: '#ui' })"
    >>> answer = Response(url="https://x.example/ui/init.js", status=200, body=script)
    >>> configured_in(answer, "https://x.example/ui/")
    ['https://x.example/v3/api-docs']
    """
    return _at_host(page, _CONFIGURED.findall(read_text(answer.body, answer.content_type)[1]))


def _at_host(page: str, addresses: Iterable[str]) -> list[str]:
    """Return addresses in a page that lead to its own host, complete and each once.

    >>> _at_host("https://x.example/ui/", ["api", "https://y.example/", "http://[", "api"])
    ['https://x.example/ui/api']
    """
    found = []
    for each in addresses:
        with suppress(ValueError):
            found.append(urljoin(page, each))
    host = urlsplit(page).netloc
    return list(dict.fromkeys(url for url in found if urlsplit(url).netloc == host))


def _links_of(text: str) -> list[dict[str, str]]:
    """Return the links at the root of a JSON answer, as OGC API writes them."""
    try:
        links = msgspec.json.decode(text, type=_Linking).links
    except msgspec.DecodeError:
        return []
    return [link for link in links if isinstance(link.get("href"), str)]


def read_description(answer: Response) -> dict[str, Any] | None:
    """Read a description; return None if it is not one.

    Raises:
        SpecError: It is YAML, and PyYAML is not installed.
    """
    text = read_text(answer.body, answer.content_type, "json")[1]
    try:
        data = json.loads(text)
    except ValueError:
        data = _yaml(text) if re.search(r"^(?:openapi|swagger)\s*:", text, re.MULTILINE) else None
    return data if describes_interface(data) else None


def describes_interface(data: Any) -> bool:
    """Return whether data is a description by OpenAPI or Swagger."""
    is_one = isinstance(data, dict) and ("openapi" in data or "swagger" in data)
    return is_one and isinstance(data.get("paths"), dict)


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise SpecError(
            "the site describes its interface in YAML, and PyYAML is not installed",
            advice="pip install 'longline[yaml]', or give the address of a search",
        ) from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def operations_in(description: dict[str, Any], url: str) -> Iterator[Operation]:
    """Yield the operations that answer with a list: by GET, or by POST with an object in JSON.

    Args:
        description: OpenAPI 3, or Swagger 2.
        url: Its address.

    Source: OpenAPI 3.1, sections 4.8.8 to 4.8.12.
    """
    base = _base(description, url)
    documents = tuple(base.rstrip("/") + path for path in _of_documents(description))
    for path, item in description["paths"].items():
        asked = item.get("get") if isinstance(item, dict) else None
        path = path.removesuffix(_ANY_PATH) + "/" * path.endswith(_ANY_PATH)
        path = _LAST_WORDS.sub(
            lambda at: PATH_WORDS if Parameter(at[1]).takes_words else at[0], path
        )
        if (
            not isinstance(asked, dict)
            or urljoin(base, path) == url  # it answers with this description
            or "{" in path.replace(PATH_WORDS, "")
            or not _answers_with_list(description, asked)
        ):
            continue
        given = [*(item.get("parameters") or ()), *(asked.get("parameters") or ())]
        known = [_resolved(description, each) for each in given]
        if any(
            each.get("in") in ("header", "cookie")
            and each.get("required")
            and str(each.get("name")).lower() not in _OWN_HEADERS
            for each in known
        ):
            continue
        parameters = tuple(
            _parameter(description, each) for each in known if each.get("in") == "query"
        )
        described = f"the description {url}"
        said = _said(path, asked)
        settings = tuple((each.name, each.wider) for each in parameters if each.wider)
        yield Operation(
            base.rstrip("/") + path, parameters, said, described, documents, settings=settings
        )
    yield from _posted(description, base, url, documents)


def _posted(
    description: dict[str, Any], base: str, url: str, documents: tuple[str, ...]
) -> Iterator[Operation]:
    """Yield the searches by POST whose body is an object with a field for words."""
    for path, item in description["paths"].items():
        asked = item.get("post") if isinstance(item, dict) else None
        if not isinstance(asked, dict) or "{" in path or not says_search(_said(path, asked)):
            continue
        fields = _dict(_body_of(description, asked).get("properties"))
        known = [
            {"name": name, "schema": _resolved(description, each)} for name, each in fields.items()
        ]
        parameters = tuple(_parameter(description, each) for each in known)
        operation = Operation(
            base.rstrip("/") + path,
            parameters,
            _said(path, asked),
            f"the description {url}",
            documents,
            is_posted=True,
        )
        if operation.words is not None and _answers_with_list(description, asked):
            yield operation


def _said(path: str, asked: dict[str, Any]) -> str:
    named = (path, asked.get("operationId"), asked.get("summary"), asked.get("tags"))
    return " ".join(str(each) for each in named if each)


def _body_of(description: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a request's JSON body, as OpenAPI 3 or Swagger 2 writes it."""
    content = _dict(_resolved(description, asked.get("requestBody")).get("content"))
    schemas = [_dict(each).get("schema") for name, each in content.items() if "json" in name]
    given = [_resolved(description, each) for each in asked.get("parameters") or ()]
    schemas += [each.get("schema") for each in given if each.get("in") == "body"]
    return _resolved(description, schemas[0]) if schemas else {}


def _of_documents(description: dict[str, Any]) -> Iterator[str]:
    """Yield the paths with parameters, such as /maps/{id} or /acts/{year}/{number}/text."""
    for path, item in description["paths"].items():
        if _OF_DOCUMENT.fullmatch(path) and isinstance(item, dict) and "get" in item:
            yield path


def _base(description: dict[str, Any], url: str) -> str:
    servers = description.get("servers")
    if isinstance(servers, list) and servers and isinstance(servers[0], dict):
        server = str(servers[0].get("url") or "/")
        variables = servers[0].get("variables") or {}
        for name, each in variables.items():
            server = server.replace(f"{{{name}}}", str(each.get("default", "")))
        named = urljoin(url, server)
        # Behind a proxy, the server's own name may not lead to it.
        same = urlsplit(named).netloc == urlsplit(url).netloc
        return named if same else urljoin(url, urlsplit(named).path or "/")
    return urljoin(url, str(description.get("basePath") or "/"))


def _resolved(description: dict[str, Any], given: Any, depth: int = DEPTH) -> dict[str, Any]:
    """Follow a reference inside the description."""
    if not isinstance(given, dict):
        return {}
    reference = given.get("$ref")
    if not isinstance(reference, str) or not depth:
        return given
    found: Any = description
    for name in reference.removeprefix("#/").split("/"):
        name = name.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return _resolved(description, found, depth - 1)


def _parameter(description: dict[str, Any], given: dict[str, Any]) -> Parameter:
    schema = _resolved(description, given.get("schema") or given)
    options = schema.get("anyOf") or schema.get("oneOf") or ()  # FastAPI writes nullable values so
    inner = next((each for each in map(_dict, options) if each.get("type") != "null"), {})
    schema = {**inner, **schema}
    allowed = schema.get("enum") or schema.get("examples") or ()
    first = allowed[0] if isinstance(allowed, list) and allowed else given.get("example", "")
    value = schema.get("default", first)
    return Parameter(
        str(given.get("name")),
        "" if value is None or isinstance(value, dict | list) else str(value),
        bool(given.get("required")),
        _greatest(schema),
        _number(schema.get("minimum")),
        _is_text(schema)
        or (schema.get("type") == "array" and _is_text(_dict(schema.get("items")))),
        _told(given, schema),
    )


def _told(given: dict[str, Any], schema: dict[str, Any]) -> str:
    """Return what a description says of a parameter, with its default and its choices."""
    said = [str(given.get("description") or schema.get("description") or "")]
    if schema.get("default") is not None:
        default = schema["default"]
        said += [f"Default: {str(default).lower() if isinstance(default, bool) else default}."]
        said += [", ".join(map(str, schema["enum"]))] if schema.get("enum") else []
    return " ".join(filter(None, said))


def _is_text(schema: dict[str, Any]) -> bool:
    return schema.get("type") in ("string", None, ["string", "null"])


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _greatest(schema: dict[str, Any]) -> int | None:
    """Return the largest allowed number: the maximum, or the largest in a list; None if unknown."""
    listed = [_number(each) for each in schema.get("enum") or ()]
    return max(filter(None, listed), default=_number(schema.get("maximum")))


def _number(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _answers_with_list(description: dict[str, Any], asked: dict[str, Any]) -> bool:
    """Return whether an answer is, or contains, a list; True if it is not described."""
    responses = _dict(asked.get("responses"))
    named = {str(status): each for status, each in responses.items()}  # numbers in YAML
    answer = _resolved(description, named.get("200") or named.get("default"))
    content = _dict(answer.get("content"))
    kinds = [each for name, each in content.items() if "json" in name or name == "*/*"]
    if content and not kinds:
        return False
    schema = _dict(kinds[0]).get("schema") if kinds else answer.get("schema")
    schema = _resolved(description, schema)
    return not schema or _holds_list(description, schema, 2)


def _holds_list(description: dict[str, Any], schema: dict[str, Any], depth: int) -> bool:
    if schema.get("type") == "array":
        inner = _resolved(description, schema.get("items"))
        return inner.get("type") not in ("string", "integer", "number", "boolean")
    parts = [each for name in _PARTS for each in schema.get(name) or ()]
    if any(_holds_list(description, _resolved(description, each), depth) for each in parts):
        return True
    fields = _dict(schema.get("properties"))
    if not fields:
        return not (parts or schema.get("type")) or schema.get("type") == "object"
    inside = (_resolved(description, each) for each in fields.values())
    return depth > 0 and any(
        (each.get("type") in ("array", "object") or any(map(each.get, _PARTS)))
        and _holds_list(description, each, depth - 1)
        for each in inside
    )
