"""Query the same source with its newest documents first."""

import json
from collections.abc import Mapping
from urllib.parse import quote_plus

from msgspec.structs import replace

from longline.errors import InputError, option
from longline.source.spec import Spec


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
        return json.dumps(json.loads(body) | dict(fields))
    return _pairs(body, fields) if body else body


def _pairs(query: str, fields: Mapping[str, str]) -> str:
    """Put fields into a template's query; they replace fields of the same name."""
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in fields]
    return "&".join([*kept, *(f"{name}={quote_plus(text)}" for name, text in fields.items())])
