"""Specs: truncated text, and tables with implausible values."""

import tomllib
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.errors import InputError, PageError, SourceError
from longline.model import Hit, Query, Response
from longline.source import Source, read_spec, veil, write_spec, write_toml

WORDS = (
    *("[ask]", "[[ask]]", "[facets.x]", "[results]\n", "=", '"', "'", '"""', "'''", "{", "}", "["),
    *("\\u0000", "\\ud800", "\n", "#", "true", "nan", "1e400", "9" * 5000, "-1", "1979-05-27"),
    *("css:", "xpath:", "jmes:", "header:", "text:", "status:", "status:²", "::text", "::attr("),
    *(":not(", ":has(", ":is(", "*|*", "//", "//*[", "re:test(., '(')", "re:test(.)", "$x", "@"),
    *("string(", "count(//a)", "ns:a", "set:difference(.)", "has-class(1)", ":nth-child(", "\\"),
    *("{query}", "{next}", "{page}", "{offset}", "{size}", "${HOME}", "${", "{term}", "{terms}"),
    *("{value}", "{link}", "https://", "http://[", "http://x:99999/", "http://a:b@x.example/"),
    *("utf-16", "idna", "punycode", "hex", "rot13", "undefined", "utf-7", "latin-1", "\0", "cp932"),
    *("(?P<a>", "(a+)+$", "a{99999999999}", "(?i", "[", "*", "((((", "\\1", "\\d", "()", "(|"),
    *("length(", "sort_by(@, &", "`", "[?a>`1`]", "@.*", "a || b", "!", "&", "fold+fold", "fold+x"),
)
MOST = 30_000
"""Maximum letters; shorter, because the standard library reads long keys in quadratic time."""

VALUES = (True, False, 0, -1, 1, 2**70, -(2**70), "", " ", [], {}, [""], [1], {"": ""}, {"a": {}})


def make(rng: Random, _vectors: Path | None) -> str:
    """Draw the text of a spec; half of them are valid TOML with changed values."""
    mutator = Mutator(rng, seeds.spec_texts(), WORDS)
    if rng.random() < 0.5:
        return mutator.case()[:MOST]
    tables = tomllib.loads(rng.choice(seeds.spec_texts()))
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(tables, mutator)
    return write_toml(tables, notes={})


def _change(table: dict[str, Any], mutator: Mutator[str]) -> None:
    """Change one value of a table, or of a table inside."""
    name = mutator.rng.choice(list(table)) if table else ""
    value = table.get(name)
    if isinstance(value, dict) and mutator.rng.random() < 0.9:
        _change(value, mutator)
    elif mutator.rng.random() < 0.2:
        table[mutator.changed(name)] = mutator.rng.choice(VALUES)
    elif mutator.rng.random() < 0.1:
        table.pop(name, None)
    else:
        changed = mutator.changed(value if isinstance(value, str) else mutator.word())
        table[name] = changed.encode("utf-8", "replace").decode()


def check(text: str) -> None:
    """A spec is refused by `InputError`, or it can be written, read back and used."""
    try:
        spec = read_spec(text)
    except InputError:
        return
    assert read_spec(write_spec(spec)) == spec
    try:
        source = Source(veil(spec, {"HOME": "x"}).spec)
        query = Query(("deep",))
        request = source.search_request(query)
    except InputError:
        return
    for page in seeds.saved()[:3]:
        answer = Response(url=request.url, status=200, body=page.body)
        try:
            source.page(query, 1, request, answer)
            source.document(Hit("1", request.url), answer)
        except (PageError, InputError, SourceError):
            continue


TARGET = Target("specs", make, check)
