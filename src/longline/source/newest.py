"""Query the same source with its newest documents first."""

import json
import re
from collections.abc import Mapping
from urllib.parse import quote_plus

from msgspec.structs import replace

from longline.errors import InputError, SpecError, option
from longline.source.check import TO_FILL_IN
from longline.source.spec import Spec

UNUSED = 7_310_482_956_001
"""A number that no template has; so are the next ones."""


def newest_first(spec: Spec) -> Spec:
    """Return a spec whose queries list the newest documents first.

    Raises:
        InputError: The spec does not say how to sort, or has no query that matches everything.

    >>> from longline.source import read_spec
    >>> spec = read_spec('''
    ... source = { name = "x", url = "https://x.example/" }
    ... results = { hit = "css:li", link = "css:a" }
    ... [ask]
    ... url = "https://x.example/?q={query}&sort=title"
    ... newest = { sort = "date" }
    ... dialect = { all = "" }
    ... ''')
    >>> newest_first(spec).ask.url
    'https://x.example/?q={query}&sort=date'
    """
    ask = spec.ask
    if ask.newest is None:
        raise InputError(
            f"{spec.source.name} is not known to list its newest documents first",
            advice=f"say how under ask.newest in source.toml, or leave out {option('only_new')}",
        )
    if ask.dialect.all is None and ask.takes_words:
        raise InputError(
            f"{spec.source.name} is not known to have a search for everything",
            advice="say what asks for it under ask.dialect.all in source.toml",
        )
    if ask.form is not None:
        form = replace(ask.form, fields=ask.form.fields | ask.newest)
        return replace(spec, ask=replace(ask, form=form))
    if ask.body:
        bodies = {name: _with(getattr(ask, name), ask.newest) for name in ("body", "next_body")}
        return replace(spec, ask=replace(ask, **bodies))
    urls = {name: _in_url(getattr(ask, name), ask.newest) for name in ("url", "next_url")}
    return replace(spec, ask=replace(ask, **urls))


def _in_url(url: str, fields: Mapping[str, str]) -> str:
    path, _, query = url.partition("?")
    return f"{path}?{_pairs(query, fields)}" if url and fields else url


def _with(body: str, fields: Mapping[str, str]) -> str:
    if body.lstrip().startswith("{"):
        return _in_json(body, fields)
    return _pairs(body, fields) if body else body


def _in_json(body: str, fields: Mapping[str, str]) -> str:
    """Put fields into a template in JSON, whose placeholders stand for numbers or texts.

    Raises:
        SpecError: It is no object in JSON.
    """
    numbers: dict[str, str] = {}  # a placeholder alone is no JSON, and a number is

    def number_of(place: re.Match[str]) -> str:
        return numbers.setdefault(place[0], f"{UNUSED + len(numbers)}")

    try:
        whole = json.dumps(json.loads(TO_FILL_IN.sub(number_of, body)) | dict(fields))
    except ValueError:
        raise SpecError(
            f"a body that is no object in JSON cannot be sorted: {body[:60]!r}",
            advice="write it as one object, or leave out ask.newest",
        ) from None
    for place, number in numbers.items():
        whole = whole.replace(number, place)
    return whole


def _pairs(query: str, fields: Mapping[str, str]) -> str:
    """Put fields into a template's query; they replace fields of the same name."""
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in fields]
    return "&".join([*kept, *(f"{name}={quote_plus(text)}" for name, text in fields.items())])
