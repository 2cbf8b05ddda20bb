"""Generate the reference of the Python functions from their signatures and docstrings."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec
from bench.pages.blocks import table
from bench.pages.docstring import attributes, markdown

import longline
from longline import extend

FOLDER = "reference/python"
TWIN = "_async"

THEMES = {
    "harvest": (
        "Harvest from Python",
        "saving a source, or many, from a program of your own.",
        ("harvest", "retry", "stream", "harvest_many", "harvests_in", "Ended"),
    ),
    "update": (
        "Update and compare from Python",
        "harvesting a source again, and seeing what changed.",
        ("update", "diff", "Change", "diff_lines", "diff_feed"),
    ),
    "options": (
        "Options of a harvest",
        "setting budgets, pace and strategy from Python, and watching a harvest.",
        ("Limits", "Settings", "Listeners", "ManyListeners"),
    ),
    "folder": (
        "A harvest's folder from Python",
        "reading documents, queries and the certificate of a harvest.",
        (
            "open",
            "Harvest",
            "Documents",
            "Document",
            "ChartRow",
            "Certificate",
            "export",
            "move",
        ),
    ),
    "report": (
        "Report and watch from Python",
        "a report to hand over, the log of a harvest, and how harvests stand while they run.",
        ("report", "watch", "watch_many", "log", "Look", "Happened"),
    ),
    "steer": (
        "Steer from Python",
        "pausing, stopping and bounding harvests that run, and watching them on a page.",
        (
            "standing",
            "pause",
            "resume",
            "stop",
            "set_budget",
            "serve_dashboard",
            "notifying",
            "Standing",
        ),
    ),
    "learn": (
        "Learn and plan from Python",
        "learning how a site is searched, and what a harvest would cost.",
        ("discover", "relearn", "plan", "presets", "read_spec", "Found", "Plan", "Preset", "Spec"),
    ),
    "find": (
        "Find a page from Python",
        "looking for one page of a site, or of many sites.",
        ("find", "find_in_sites", "FoundPage", "FindListeners"),
    ),
    "choose": (
        "Compare and choose from Python",
        "comparing strategies on documents of your own, and choosing queries for a corpus.",
        ("compare", "Outcome", "strategies", "Strategy", "choose_queries", "Chosen", "demo_site"),
    ),
    "cover": (
        "Set covering from Python",
        "choosing columns of a document-query matrix, and measuring a choice.",
        ("cover", "cover_unseen", "Cover", "hit_rate", "overlapping_rate"),
    ),
    "errors": (
        "Errors in Python",
        "knowing what to catch, and what each error asks for.",
        ("LonglineError", "InputError", "SourceError", "StoppedShort"),
    ),
}
ELSEWHERE = {"Certificate": "Every field: [the certificate](../certificate.md)."}
"""Names whose docstring has its own page."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield (path below docs, generated part) of the index, each theme and `longline.extend`.

    Raises:
        ValueError: A public name is on no page, or a page has an unknown name.
    """
    shown = {name for _, _, names in THEMES.values() for name in names}
    public = {name.removesuffix(TWIN) for name in longline.__all__ if not name.startswith("_")}
    if shown != public:
        raise ValueError(f"THEMES and longline.__all__ differ: {sorted(shown ^ public)}")
    yield f"{FOLDER}/index.md", _index()
    for page, (title, good_for, names) in THEMES.items():
        parts = [_entry(name, getattr(longline, name)) for name in names]
        yield f"{FOLDER}/{page}.md", "\n\n".join([f"# {title}\n\nGood for: {good_for}", *parts])
    rows = [(f"`{name}`", _first(getattr(extend, name))) for name in extend.__all__]
    lines = [
        "# What extensions build on",
        "",
        "Good for: writing a planner, a source or an export.",
    ]
    lines += ["", f"`longline.extend`. {inspect.getdoc(extend)}", "", table(("name", "what"), rows)]
    yield f"{FOLDER}/extend.md", "\n".join(lines)


def _index() -> str:
    lines = ["# From Python", "", "Good for: finding the function that does what you want."]
    for page, (title, _, names) in THEMES.items():
        rows = []
        for name in names:
            link = f"[`{name}`]({page}.md#{name.lower()})"
            twin = f", `{name}{TWIN}`" if name + TWIN in longline.__all__ else ""
            rows.append((link + twin, _first(getattr(longline, name))))
        lines += ["", f"## {title}", "", table(("name", "what"), rows)]
    return "\n".join(lines)


def _entry(name: str, thing: Any) -> str:
    lines = [f"## {name}", ""]
    if inspect.isfunction(thing):
        lines += ["```python", signature(name, thing), "```", ""]
        if name + TWIN in longline.__all__:
            lines += [f"`{name}{TWIN}` is the same for a running event loop: `await` it.", ""]
            if inspect.isgeneratorfunction(thing):
                lines[-2] = f"`{name}{TWIN}` is the same for a running event loop: `async for`."
    if name in ELSEWHERE:
        return "\n".join([*lines, _first(thing), "", ELSEWHERE[name]])
    text = markdown(inspect.getdoc(thing) or "", without="Attributes" if _has_fields(thing) else "")
    lines.append(text)
    if _has_fields(thing):
        lines += ["", table(("attribute", "default", "meaning"), list(_fields(name, thing)))]
    if methods := list(_methods(thing)):
        lines += ["", table(("has", "what"), methods)]
    return "\n".join(lines)


def _has_fields(thing: Any) -> bool:
    return is_dataclass(thing) or hasattr(thing, "__struct_fields__")


def _fields(name: str, kind: Any) -> Iterator[tuple[str, str, str]]:
    """Yield (field, default, meaning) of a struct or dataclass, fields of its bases last.

    Raises:
        ValueError: No docstring explains a field.
    """
    said: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        said |= attributes(base.__doc__ or "")
    struct = hasattr(kind, "__struct_fields__")
    found = msgspec.structs.fields(kind) if struct else fields(kind)
    own = kind.__annotations__
    for field in sorted(found, key=lambda each: each.name not in own):
        if field.name not in said:
            raise ValueError(f"no docstring says what {name}.{field.name} means")
        is_called = inspect.isfunction(field.default)
        shown = _call(field.name, field.default) if is_called else field.name
        yield f"`{shown}`", _default(field.default), said[field.name]


def _default(value: Any) -> str:
    if isinstance(value, str | int | float | bool | None):
        return f"`{value!r}`" if len(repr(value)) < 40 else ""
    return ""


def _methods(kind: Any) -> Iterator[tuple[str, str]]:
    """Yield a class's own public methods and properties, with their docstrings."""
    for name, value in (vars(kind) if inspect.isclass(kind) else {}).items():
        if name.startswith("_") or not inspect.getdoc(value):
            continue
        if isinstance(value, property) or (not callable(value) and hasattr(value, "func")):
            yield f"`{name}`", _first(value)
        elif inspect.isfunction(value):
            yield f"`{_call(name, value)}`", _first(value)


def _call(name: str, function: Any) -> str:
    """Return a function call with the names of its arguments."""
    named = [each for each in inspect.signature(function).parameters if each != "self"]
    return f"{name}({', '.join(named)})"


def _first(thing: Any) -> str:
    text = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    return " ".join(text.split())


def signature(name: str, function: Any) -> str:
    """Return a function's signature, with one argument per line if it is long."""
    found = inspect.signature(function)
    found = found.replace(return_annotation=inspect.Signature.empty)
    parts = [re.sub(r" at 0x\w+|'(?=[\w\[])|(?<=[\w\]])'", "", str(each)) for each in _each(found)]
    line = f"{name}({', '.join(parts)})"
    return line if len(line) <= 80 else "\n".join([f"{name}(", *(f"    {p}," for p in parts), ")"])


def _each(found: inspect.Signature) -> Iterator[Any]:
    star = False
    for each in found.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not star:
            star = True
            yield "*"
        star = star or each.kind is each.VAR_POSITIONAL
        default = each.default
        is_plain = default is each.empty or isinstance(default, str | int | float | bool | None)
        yield each if is_plain else str(each.replace(default=...)).replace("Ellipsis", "...")
