"""Generate reference pages of the command line from the commands."""

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

import typer.main
from bench.pages.blocks import table

from longline.cli.main import app

FOLDER = "reference/commands"


def pages() -> Iterator[tuple[str, str]]:
    """Yield (path below docs, generated part) of the index and of each command."""
    group: Any = typer.main.get_command(app)
    yield f"{FOLDER}/index.md", _index(group)
    for name, command, _ in _commands(group):
        yield f"{FOLDER}/{_file(name)}", _page(name, command)


def _commands(group: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield each command's full name, the command, and its heading."""
    for name, command in group.commands.items():
        panel = getattr(command, "rich_help_panel", None)
        heading = panel if isinstance(panel, str) else ""
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command, heading
            continue
        for part, each in inner.items():
            yield f"{name} {part}", each, heading


def _file(name: str) -> str:
    return f"{name.replace(' ', '-')}.md"


def _index(group: Any) -> str:
    panels: dict[str, list[tuple[str, ...]]] = {}
    for name, command, heading in _commands(group):
        row = f"[`{name}`]({_file(name)})", _first(command.help)
        panels.setdefault(heading, []).append(row)
    lines = ["# Commands", "", "Good for: finding the command that does what you want.", ""]
    for heading, rows in panels.items():
        lines += [f"## {heading}", ""] if heading else []
        lines += [table(("command", "what it does"), rows), ""]
    return "\n".join([*lines, group.epilog])


def _first(text: str) -> str:
    return " ".join(text.strip().partition("\n\n")[0].split())


def _page(name: str, command: Any) -> str:
    context = command.make_context(name, [], resilient_parsing=True)
    usage = " ".join(re.sub("[{}]", "", piece) for piece in command.collect_usage_pieces(context))
    lines = [
        f"# longline {name}",
        "",
        f"Good for: looking up the options of `longline {name}`.",
        "",
    ]
    lines += ["```text", f"longline {name} {usage}", "```", "", _paragraphs(command.help), ""]
    groups: dict[str, list[tuple[str, ...]]] = {"Arguments": [], "Options": []}
    for each in command.params:
        if getattr(each, "hidden", False):
            continue
        kind = "Arguments" if each.param_type_name == "argument" else "Options"
        heading = getattr(each, "rich_help_panel", None) or kind
        groups.setdefault(heading, []).append(_row(each, context, kind))
    for heading, rows in groups.items():
        if rows:
            lines += [f"## {heading}", "", table(("name", "meaning", "default"), rows), ""]
    return "\n".join(lines)


def _paragraphs(text: str) -> str:
    """Join the lines of each paragraph; line breaks in a docstring mean nothing."""
    parts = (" ".join(part.split()) for part in cleandoc(text).split("\n\n"))
    return "\n\n".join(parts)


def _row(parameter: Any, context: Any, kind: str) -> tuple[str, str, str]:
    record = str(parameter.get_help_record(context)[0])
    if kind == "Arguments":
        return (
            f"`{parameter.metavar}`",
            parameter.help or "",
            "needed" if parameter.required else "",
        )
    kind_of_value = parameter.metavar or record.rpartition(" ")[2].strip("<>")
    value = "" if parameter.is_flag else f" {kind_of_value}"
    names = sorted([*parameter.opts, *parameter.secondary_opts], key=lambda each: each[:2] != "--")
    shown = ", ".join(f"`{each}{value if each[:2] == '--' else ''}`" for each in names)
    meaning = parameter.help or ""
    if parameter.envvar:
        meaning += f" Can be [set once](../../how-to/harvest/settings.md): `{parameter.envvar}`."
    return shown, meaning, _default(parameter)


def _default(parameter: Any) -> str:
    """Return the effective value if an option is not given; "" for a switch that is off."""
    shown = parameter.show_default
    if isinstance(shown, str):
        return shown
    default = parameter.default
    if default is None or default is False or callable(default):
        return ""
    if default is True:
        return f"`{parameter.opts[0]}`" if parameter.secondary_opts else "on"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"
