"""Presets: source specs for well-known kinds of source, recognised by their own marks.

A preset is a TOML file of `discovery/presets`: a source spec with {names} in it, and a table
[preset] with the marks that recognise it, the meaning of the names, and what is known about these
sources. To add one, write the file and a saved answer under tests/golden/presets.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import msgspec
import parsel

from longline.discovery.answer import kind_of
from longline.errors import PageError, SpecError
from longline.model import Response
from longline.source import Spec, parse, read_spec, write_spec, write_toml
from longline.source.select import read_select, text_of


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Evidence that a page belongs to a kind of source.

    Attributes:
        select: A selector that must match something on the page; "" if the URL is enough.
        pattern: A regular expression for the selected text; its groups name values.
        url: A regular expression for the page's URL; its groups name values, too.
    """

    select: str = ""
    pattern: str = ""
    url: str = ""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that has to be requested: all values of an answer together, or the first.

    Attributes:
        name: Its name in the spec.
        url: The URL to request.
        select: A selector of values, the best first.
        pattern: A regular expression; its match in a value is used, or its first group.
        all: The part of `ask.url` to remove so that all values are searched together; "" if
            that is impossible.
        usual: The value if the source offers none; "" if it must offer one.
    """

    name: str
    url: str
    select: str
    pattern: str = ""
    all: str = ""
    usual: str = ""


class Otherwise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How some sources of a kind must be queried instead: the differences from the preset.

    Attributes:
        notes: What is known about these sources.
        ask: Keys of the spec's table [ask]; "" removes a key.
        results: The same for [results].
    """

    notes: str
    ask: dict[str, Any] = {}
    results: dict[str, Any] = {}


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of source.

    Attributes:
        name: The name of its file.
        documented: URL of its own documentation.
        notes: Page size and its maximum, return limit, how exact its totals are.
        route: A cheaper way to all documents; "" if there is none.
        otherwise: How to query a source that answers the spec with an error.
        tables: The spec, with {names}.
    """

    name: str
    title: str
    documented: str
    notes: str
    route: str
    marks: list[Mark]
    choices: list[Choice] = []
    otherwise: Otherwise | None = None
    tables: dict[str, Any]

    def recognise(self, url: str, root: parsel.Selector | None) -> dict[str, str] | None:
        """Return the values in a page by the preset's marks, or None if it has none of them."""
        for mark in self.marks:
            values = _values(mark, url, root)
            if values is not None:
                parts = urlsplit(url)
                origin = f"{parts.scheme}://{parts.netloc}"
                return {"base": origin, "host": parts.hostname or "", **values}
        return None

    def asking_all(self, choice: Choice) -> Preset:
        """Return the preset that searches all values of a choice together."""
        ask = dict(self.tables["ask"])
        ask["url"] = ask["url"].replace(choice.all, "")
        return msgspec.structs.replace(self, tables={**self.tables, "ask": ask})

    def ways(self) -> Iterator[Preset]:
        """Yield the preset, and then the other way to query its sources, if there is one."""
        yield self
        other = self.otherwise
        if other is not None:
            changed = {
                name: {key: value for key, value in {**self.tables[name], **more}.items() if value}
                for name, more in (("ask", other.ask), ("results", other.results))
            }
            tables = {**self.tables, **changed}
            yield msgspec.structs.replace(self, notes=other.notes, otherwise=None, tables=tables)

    def spec(self, values: Mapping[str, str]) -> Spec:
        """Return the spec with its {names} filled in.

        Raises:
            SpecError: The spec cannot hold one of the values.
        """
        return read_spec(write_toml(_filled(self.tables, values), notes={}), where=self.name)

    def toml(self, values: Mapping[str, str], spec: Spec | None = None, seen: str = "") -> str:
        """Return the spec as TOML, with a comment on what is known about these sources.

        Args:
            values: Values for its {names}.
            spec: The corrected spec; None for the preset's own.
            seen: Findings about this particular source.
        """
        notes = [f"{self.title}, recognised by its own marks; {self.documented}", self.notes]
        notes += [f"cheaper: {fill(self.route, values)}"] if self.route else []
        notes += [seen] if seen else []
        return write_spec(spec or self.spec(values), notes={"source": "\n".join(notes)})


@cache
def presets() -> tuple[Preset, ...]:
    """Return every preset, by name."""
    folder = files("longline.discovery.presets")
    found = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda f: f.name
    )
    return tuple(_read(file.name[:-5], file.read_text(encoding="utf-8")) for file in found)


def _read(name: str, text: str) -> Preset:
    tables = tomllib.loads(text)
    return msgspec.convert({"name": name, **tables.pop("preset"), "tables": tables}, Preset)


def recognised(response: Response) -> Iterator[tuple[Preset, dict[str, str]]]:
    """Yield the presets whose marks a page has, with the values the marks give.

    >>> page = Response(url="https://arxiv.org/list", status=200, content_type="text/html")
    >>> [preset.name for preset, values in recognised(page)]
    ['arxiv']
    """
    root = _root_of(response)
    for preset in presets():
        values = preset.recognise(response.url, root)
        if values is not None:
            yield preset, values


def _values(mark: Mark, url: str, root: parsel.Selector | None) -> dict[str, str] | None:
    values: dict[str, str] = {}
    if mark.url:
        at = re.search(mark.url, url)
        if at is None:
            return None
        values |= at.groupdict()
    if not mark.select:
        return values
    for text in _found(mark.select, root):
        there = re.search(mark.pattern, text)
        if there is not None:
            groups = there.groupdict()
            return values | {name: urljoin(url, text) for name, text in groups.items()}
    return None


def _root_of(response: Response) -> parsel.Selector | None:
    """Return what an answer holds; None if it cannot be read."""
    try:
        root: parsel.Selector = parse(response, kind_of(response)).root
    except PageError:
        return None
    return root


def _found(select: str, root: parsel.Selector | None) -> list[str]:
    if root is None or (root.type == "json") != select.startswith("jmes:"):
        return []
    try:
        return [text_of(found) or "-" for found in read_select(select, root.type).all(root)]
    except (PageError, SpecError):
        return []


def options(choice: Choice, response: Response) -> list[str]:
    """Return the values of a choice in an answer, the best first."""
    texts = [text for text in _found(choice.select, _root_of(response)) if text != "-"]
    fits = [re.search(choice.pattern, text) for text in texts] if choice.pattern else []
    return [fit[1] if fit.re.groups else fit[0] for fit in fits if fit] if fits else texts


def fill(template: str, values: Mapping[str, str]) -> str:
    """Fill {names} that have a value; others stay, such as {query}. In a URL, values are quoted.

    >>> fill("https://x.example/{table}?q={query}", {"table": "old maps"})
    'https://x.example/old%20maps?q={query}'
    """
    is_url = template.startswith("http") or re.match(r"\{\w+\}/", template) is not None

    def value(found: re.Match[str]) -> str:
        text = values.get(found[1])
        if text is None:
            return found[0]
        return quote(text, safe="%") if is_url and "://" not in text else text

    return re.sub(r"\{(\w+)\}", value, template)


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return fill(value, values)
    if isinstance(value, dict):
        return {name: _filled(each, values) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    return value
