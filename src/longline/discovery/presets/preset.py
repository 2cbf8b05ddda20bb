"""Presets: source specs for well-known kinds of source, recognised by their own marks.

A preset is a TOML file of `discovery/presets`: a source spec with {names} in it, and a table
[preset] that says by which marks it is recognised, what the names stand for, and what is known
of such sources. To add one, write the file and a saved answer under tests/golden/presets.
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

from longline.discovery.answer import kind_of
from longline.errors import PageError, SpecError
from longline.model import Response
from longline.source import Spec, parse, read_spec, write_spec, write_toml
from longline.source.select import read_select, text_of


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shows that a page belongs to such a source.

    Attributes:
        select: A selector that finds something on the page; "" where the URL is enough.
        pattern: A regular expression that fits what it finds; its groups name values.
        url: One that fits the page's URL; the same.
    """

    select: str = ""
    pattern: str = ""
    url: str = ""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that has to be asked for: all that an answer offers together, or the first.

    Attributes:
        name: What it is called in the spec.
        url: Where to ask.
        select: A selector of values, the best first.
        pattern: A regular expression; what it fits in a value is taken, or its first group.
        all: What to leave out of `ask.url` so that all values are asked for together; "" where
            that cannot be.
    """

    name: str
    url: str
    select: str
    pattern: str = ""
    all: str = ""


class Otherwise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How some sources of a kind have to be asked instead: what differs from the preset.

    Attributes:
        notes: What is known of these.
        ask: Keys of the spec's table [ask]; "" takes a key away.
        results: The same of [results].
    """

    notes: str
    ask: dict[str, Any] = {}
    results: dict[str, Any] = {}


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of source.

    Attributes:
        name: The name of its file.
        documented: The address of its own documentation.
        notes: Page size and clamp, cap, how exact its counts are.
        route: The cheaper way to everything, where there is one.
        otherwise: Where a source answers the spec with an error, how it is asked instead.
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

    def recognise(self, response: Response) -> dict[str, str] | None:
        """Return the values that a page gives by its marks; None where it has none of them."""
        for mark in self.marks:
            values = _values(mark, response)
            if values is not None:
                parts = urlsplit(response.url)
                origin = f"{parts.scheme}://{parts.netloc}"
                return {"base": origin, "host": parts.hostname or "", **values}
        return None

    def asking_all(self, choice: Choice) -> Preset:
        """Return the preset that asks for all values of a choice together."""
        ask = dict(self.tables["ask"])
        ask["url"] = ask["url"].replace(choice.all, "")
        return msgspec.structs.replace(self, tables={**self.tables, "ask": ask})

    def ways(self) -> Iterator[Preset]:
        """Yield the preset, and then how else its sources are asked."""
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
            SpecError: A value that the spec cannot hold.
        """
        return read_spec(write_toml(_filled(self.tables, values), notes={}), where=self.name)

    def toml(self, values: Mapping[str, str], spec: Spec | None = None, seen: str = "") -> str:
        """Return the spec as TOML, with a comment on what is known of such sources.

        Args:
            values: Of its {names}.
            spec: As it was corrected; None for the preset's own.
            seen: What was found out about this very source.
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
    """Yield the presets whose marks a page has, with the values that these give.

    >>> page = Response(url="https://arxiv.org/list", status=200, content_type="text/html")
    >>> [preset.name for preset, values in recognised(page)]
    ['arxiv']
    """
    for preset in presets():
        values = preset.recognise(response)
        if values is not None:
            yield preset, values


def _values(mark: Mark, response: Response) -> dict[str, str] | None:
    values: dict[str, str] = {}
    if mark.url:
        at = re.search(mark.url, response.url)
        if at is None:
            return None
        values |= at.groupdict()
    if not mark.select:
        return values
    for text in _found(mark.select, response):
        there = re.search(mark.pattern, text)
        if there is not None:
            groups = there.groupdict()
            return values | {name: urljoin(response.url, text) for name, text in groups.items()}
    return None


def _found(select: str, response: Response) -> list[str]:
    kind = kind_of(response)
    if (kind == "json") != select.startswith("jmes:"):
        return []
    try:
        root = parse(response, kind).root
        return [text_of(found) or "-" for found in read_select(select, kind).all(root)]
    except (PageError, SpecError):
        return []


def options(choice: Choice, response: Response) -> list[str]:
    """Return the values that an answer offers, the best first."""
    texts = [text for text in _found(choice.select, response) if text != "-"]
    fits = [re.search(choice.pattern, text) for text in texts] if choice.pattern else []
    return [fit[1] if fit.re.groups else fit[0] for fit in fits if fit] if fits else texts


def fill(template: str, values: Mapping[str, str]) -> str:
    """Fill {names} that have a value; others stay, such as {query}. In a URL they are quoted.

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
