"""Find errors in a spec whose keys and types are all valid."""

import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from urllib.parse import urlsplit

from longline.errors import SpecError, UnknownNameError
from longline.model import Facet
from longline.model.fields import OWN
from longline.source.answer import ARTICLE
from longline.source.select import Kind, read_select
from longline.source.spec import HEADER, Ask, Dialect, DocumentPage, Spec, allowed, header_name
from longline.text.stems import FOLD, Rule

PLACEHOLDERS = ("query", "page", "offset", "last", "end", "size", "next")
KEY = "{key}"
DOCUMENT = "{document}"
"""Placeholder in `document.url` for a document's key."""

ENVIRONMENT = "env:"
VARIABLE = re.compile(rf"\$\{{(?!(?:{'|'.join(PLACEHOLDERS)})\}})([A-Za-z_]\w*)\}}")
"""`${NAME}`: replaced by the value of an environment variable."""

TO_FILL_IN = re.compile(rf"{VARIABLE.pattern}|\{{(?:{'|'.join((*PLACEHOLDERS, KEY[1:-1]))})\}}")
"""What a template replaces: a placeholder or a variable."""

MARK_PREFIX = "text:"
STATUS_PREFIX = "status:"
EMPTY_STATUSES = (204, 404, 410)
"""HTTP statuses that sources use for "nothing was found"."""


def selectors(spec: Spec) -> Iterator[tuple[str, str, Kind]]:
    """Yield every selector of a spec: its key path, itself, and the kind of page it reads."""
    kind = spec.source.kind
    if spec.ask.form:
        yield "ask.form.selector", spec.ask.form.selector, "html"
        yield "ask.form.button", spec.ask.form.button, "html"
        yield "ask.form.opener", spec.ask.form.opener, "html"
    for name in ("hit", "link", "key", "title", "snippet", "text", "language", "deleted"):
        yield f"results.{name}", getattr(spec.results, name), kind
    yield "results.more", spec.results.more, kind
    yield "results.files", spec.results.files, kind
    for name in ("next", "total"):
        if not getattr(spec.results, name).startswith(HEADER):
            yield f"results.{name}", getattr(spec.results, name), kind
    if not spec.results.empty.startswith((MARK_PREFIX, STATUS_PREFIX)):
        yield "results.empty", spec.results.empty, kind
    if spec.document:
        for name in ("text", "text_link", "title", "key", "language", "attachments"):
            kind = "html" if name == "text_link" else spec.document.kind
            if not (name == "text" and spec.document.text == ARTICLE):
                yield f"document.{name}", getattr(spec.document, name), kind
    yield from _field_selectors(spec)


def _field_selectors(spec: Spec) -> Iterator[tuple[str, str, Kind]]:
    page = spec.document.kind if spec.document else "html"
    for name, place in spec.fields.items():
        if place.row:
            yield f"fields.{name}.row", place.row, spec.source.kind
        if place.page:
            yield f"fields.{name}.page", place.page, page


def contradictions(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """Yield (key path, problem, next step) for errors that the types cannot express."""
    yield from _number_contradictions(spec.ask)
    if spec.source.plugin:
        return
    yield from _ask_contradictions(spec)
    yield from _key_contradictions(spec.ask)
    for key, text, kind in selectors(spec):
        if not text and key not in ("results.hit", "ask.form.selector", "document.text"):
            continue
        try:
            read_select(text, kind)
        except SpecError as error:
            yield key, error.message, error.advice
    yield from _facet_contradictions(spec)
    yield from _field_contradictions(spec)
    results = spec.results
    for key, text in (("results.next", results.next), ("results.total", results.total)):
        try:
            header_name(text)
        except SpecError as error:
            yield key, error.message, error.advice
    if not (results.link or results.key):
        yield "results", "neither `link` nor `key` is given", "say what tells documents apart"
    if results.link_template and "{link}" not in results.link_template:
        yield "results.link_template", f"{results.link_template!r} has no {{link}}", "put it in"
    if spec.document and (spec.document.url or spec.document.body):
        yield from _address_contradictions(spec.document)
    suffix = spec.document.suffix if spec.document else ""
    if suffix and suffix[0] not in "?&/.":
        said = f"{suffix!r} begins with none of ?, &, / and ."
        yield "document.suffix", said, "write what follows the address of a document"
    if spec.document and not results.link:
        yield "document", "there is no results.link to find the document's page by", "give one"
    if results.empty.strip() == MARK_PREFIX:
        yield "results.empty", "the text is empty", f"write what the page says after {MARK_PREFIX}"
    if results.empty.startswith(STATUS_PREFIX) and empty_status(spec) is None:
        known = ", ".join(f"{STATUS_PREFIX}{status}" for status in EMPTY_STATUSES)
        yield "results.empty", f"{results.empty!r} is no status of an empty page", f"take {known}"
    try:
        re.compile(results.total_pattern)
    except (re.error, OverflowError, RecursionError) as error:
        yield "results.total_pattern", f"{results.total_pattern!r} fails: {error}", "correct it"


def empty_status(spec: Spec) -> int | None:
    """Return the HTTP status that means "nothing was found", or None if the spec names none."""
    status = spec.results.empty.removeprefix(STATUS_PREFIX)
    is_status = spec.results.empty.startswith(STATUS_PREFIX) and status.isdecimal()
    return int(status) if is_status and int(status) in EMPTY_STATUSES else None


def _ask_contradictions(spec: Spec) -> Iterator[tuple[str, str, str]]:
    ask = spec.ask
    if ask.form and (ask.url or ask.body):
        yield "ask", "both `form` and `url` or `body` are given", "keep one way to ask"
    if ask.form and not (ask.form.field or ask.browser or spec.facets):
        yield "ask.form.field", "no field takes the query", "name the form's text input"
    for key in ("opener", "post"):
        if ask.form and getattr(ask.form, key) and not ask.browser:
            yield f"ask.form.{key}", "it is for a browser", "add browser = true, or leave it out"
    if ask.form and ask.browser and (ask.form.fields or spec.facets):
        key = "ask.form.fields" if ask.form.fields else "facets"
        yield key, "a browser only types the query into a form", "ask by URL, or without a browser"
    if not ask.form and not ask.url:
        yield "ask", "neither `form` nor `url` is given", "say how to ask"
    urls = [("source.url", spec.source.url), ("ask.url", ask.url), ("ask.next_url", ask.next_url)]
    urls += [("ask.form.page", ask.form.page)] if ask.form else []
    urls += [("ask.also", url) for url in ask.also]
    # A link may begin with the slash of its path.
    urls += [("results.link_template", spec.results.link_template.replace("{link}", "/"))]
    urls += [("document.url", spec.document.url)] if spec.document else []
    for key, url in urls:
        if (url or key == "source.url") and not _is_web_url(url):
            yield key, f"{url!r} is no absolute http or https URL", "write https://host/path"
    places = (*PLACEHOLDERS, *(field.parameter for field in spec.facets.values()))
    for key, url in (("ask.url", ask.url), ("ask.next_url", ask.next_url)):
        for name in re.findall(r"\{(\w*)\}", VARIABLE.sub("", url)):
            if name not in places and not (name == "key" and ask.key):
                yield key, f"unknown placeholder {{{name}}}", allowed(name, places)
    yield from _word_contradictions(ask)
    if ask.lists and ask.takes_words:
        yield "ask.lists", "a list is asked for without words", "leave out {query}, form, or lists"
    for key, files in (("results.files", spec.results.files), ("ask.also", ask.also)):
        if files and not ask.lists:
            yield key, "only a list goes on in other files", "leave it out, or give ask.lists"
    for key, body in (("ask.body", ask.body), ("ask.next_body", ask.next_body)):
        if body and ask.method == "GET" and not (body == ask.next_body and ask.next_url):
            yield key, "a GET request has no body", 'set method = "POST", or drop the body'
        kinds = [value for name, value in ask.headers.items() if name.lower() == "content-type"]
        if body.lstrip()[:1] in ("{", "[") and all("json" in kind for kind in kinds):
            yield from _json_errors(key, body)
    if ask.has_cursor and not spec.results.next:
        yield "results.next", "{next} is used but `next` is not given", "say what fills {next}"
    for name in ("first_next", "next_url", "next_body"):
        if getattr(ask, name) and not (ask.has_cursor or spec.counts_pages):
            what = "it is given, but no template says which page is meant"
            yield f"ask.{name}", what, "put {next}, {page} or {offset} in"


def _json_errors(key: str, body: str) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with a body in JSON, whose placeholders stand for numbers or texts."""
    filled = TO_FILL_IN.sub("0", body)
    for name in re.findall(r"\{(\w+)\}", filled):
        if "{query}" not in body and get_close_matches(name.lower(), ["query"]):
            yield key, f"unknown placeholder {{{name}}}", "write {query} where the words go"
    try:
        _read_json(filled)
    except ValueError as error:
        yield key, f"it is no valid JSON: {error}", "correct it; a text stands in double quotes"


def _read_json(text: str) -> None:
    """Read JSON, or JSON lines, which some interfaces take.

    Raises:
        ValueError: It is neither.
    """
    try:
        json.loads(text)
    except ValueError as error:
        lines = text.strip().splitlines()
        try:
            [json.loads(line) for line in lines]
        except ValueError:
            raise error from None


def _word_contradictions(ask: Ask) -> Iterator[tuple[str, str, str]]:
    """Yield settings about words in a spec whose requests take no words."""
    if ask.takes_words or not (ask.url or ask.form):
        return
    key = "ask.form.field" if ask.form else "ask.url"
    what = "no field takes the query" if ask.form else f"{ask.url!r} has no {{query}}"
    do = "name the form's text input" if ask.form else "put {query} where the words go"
    said = {
        "words": ask.words,
        "matches": ask.matches != "words",
        "dialect": ask.dialect != Dialect(),
    }
    for name, is_said in said.items():
        if is_said:
            yield key, f"{what}, but ask.{name} is about words", f"{do}, or drop ask.{name}"


def _key_contradictions(ask: Ask) -> Iterator[tuple[str, str, str]]:
    held = [ask.url, ask.next_url, ask.body, ask.next_body, *ask.headers.values()]
    held += [ask.form.page, *ask.form.fields.values()] if ask.form else []
    is_used = any(KEY in each for each in held)
    name = ask.key.removeprefix(ENVIRONMENT)
    if ask.key and (name == ask.key or not re.fullmatch(r"[A-Za-z_]\w*", name)):
        yield "ask.key", "it names no environment variable", 'write key = "env:NAME"'
    elif ask.key and not is_used:
        yield "ask.key", "it is given, but nothing has {key}", "put {key} where the key goes"
    elif is_used and not ask.key:
        yield "ask.key", "{key} is used but `key` is not given", 'add key = "env:NAME"'


def _address_contradictions(page: DocumentPage) -> Iterator[tuple[str, str, str]]:
    """Check where documents are asked for by their keys."""
    if page.body and not page.url:
        yield "document.url", "document.body is given, but no URL to send it to", "give one"
    elif DOCUMENT not in f"{page.url} {page.body}":
        yield "document.url", f"{page.url!r} has no {DOCUMENT}", "put it in"
    if page.body and page.body.lstrip()[:1] != "{":
        yield "document.body", f"{page.body[:40]!r} is no object in JSON", 'write {"id": …}'


def _facet_contradictions(spec: Spec) -> Iterator[tuple[str, str, str]]:
    if spec.facets and spec.ask.body.lstrip()[:1] == "[":
        yield "facets", "a JSON body that is a list takes no filters", "ask by URL, or without"
    for name, field in spec.facets.items():
        key = f"facets.{name}"
        if field.kind in ("number", "date") and not field.parameter_to:
            yield f"{key}.parameter_to", "a range needs a field for its end", "name it"
        is_day = all(each in field.template for each in ("{year}", "{month}", "{day}"))
        if "{value}" not in field.template and not (is_day and field.parameter_to):
            yield f"{key}.template", f"{field.template!r} has no {{value}}", "put {value} in"
        try:
            Facet(name, field.kind, tuple(field.values), field.low, field.high)
        except ValueError as error:
            yield key, str(error), "give its values, or low and high as numbers or ISO dates"


def _field_contradictions(spec: Spec) -> Iterator[tuple[str, str, str]]:
    names: dict[str, str] = {}
    for name, place in spec.fields.items():
        key = f"fields.{name}"
        if (other := names.setdefault(name.casefold(), name)) != name:
            yield key, f"it differs from {other!r} by its case alone", "take another name"
        if name.casefold() in OWN or not name.strip():
            taken = ", ".join(OWN)
            yield key, f"a field may not be named {name!r}", f"take another than {taken}"
        if not (place.row or place.page):
            yield key, "neither `row` nor `page` is given", "say where it stands"
        if place.page and spec.document is None:
            yield f"{key}.page", "there is no [document] to look at", "give one, or use `row`"


COUNTED = 1000
"""Lowest allowed number of the first page or offset, negated, if later pages have their own URL."""


def _number_contradictions(ask: Ask) -> Iterator[tuple[str, str, str]]:
    # Later pages at a URL of their own may be counted from 0, and so the first may be below 0.
    first = -COUNTED if ask.next_url else 0
    least_of = {"first_page": first, "first_offset": first, "page_size": 1, "limit": 1}
    for name, least in least_of.items():
        value = getattr(ask, name)
        if value is not None and value < least:
            yield f"ask.{name}", f"{value} is too small", f"give {least} or more"
    for name in ("{size}", "{last}", "{end}") if ask.page_size is None else ():
        if name in ask.templates:
            yield "ask.page_size", f"{name} is used but page_size is not given", "give it"
    dialect = ask.dialect
    if dialect.max_terms is not None and dialect.max_terms < 1:
        yield "ask.dialect.max_terms", f"{dialect.max_terms} is too small", "give 1 or more"
    try:
        Rule(dialect.forms or FOLD)
    except UnknownNameError as error:
        yield "ask.dialect.forms", error.message, error.advice
    for name, template in (("not", dialect.not_), ("quote", dialect.quote)):
        if template and "{term}" not in template:
            yield f"ask.dialect.{name}", f"{template!r} has no {{term}}", "put {term} in"
    if "{terms}" not in dialect.group:
        yield "ask.dialect.group", f"{dialect.group!r} has no {{terms}}", "put {terms} in"
    try:
        "\u4e0b".encode(ask.charset, "xmlcharrefreplace")
    except (LookupError, ValueError):
        yield "ask.charset", f"unknown character set {ask.charset!r}", "take e.g. utf-8, latin-1"


def _is_web_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
