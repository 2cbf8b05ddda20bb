"""Option groups: a command's parameter that is a frozen dataclass becomes one option per field."""

import copy
import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import Field, field, fields, is_dataclass
from inspect import Parameter
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from longline.cli._said import ReaderLeft

Value = TypeVar("Value")

LETTERS = {int: "N", float: "X"}
"""Placeholder for a number in the help, unless an option sets its own."""


def option(default: Value, *names: str, **told: Any) -> Value:
    """Return a dataclass field that becomes an option, with arguments for `typer.Option`."""
    return field(default=default, metadata={"option": typer.Option(*names, **told)})


def told_of(group: Any, each: Field[Any]) -> tuple[Any, Any]:
    """Return the type of a field and its option: its own, or the one attached to its type."""
    kind = get_type_hints(group, include_extras=True)[each.name]
    if each.metadata:
        return kind, each.metadata["option"]
    return kind.__origin__, kind.__metadata__[0]


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Turn the fields of dataclass parameters of a command into command-line options.

    Each field is an `option`, or its type has one attached. The attribute `panel` of the class is
    the heading of its options in the help.
    """
    own = inspect.signature(command, eval_str=True).parameters.values()
    parts = {each.name: each.annotation for each in own}
    groups: dict[str, Any] = {name: kind for name, kind in parts.items() if is_dataclass(kind)}

    @functools.wraps(command)
    def called(**given: Any) -> None:
        built = {
            name: group(**{each.name: given.pop(each.name) for each in fields(group)})
            for name, group in groups.items()
        }
        try:
            command(**given, **built)
        except BrokenPipeError as error:
            raise ReaderLeft from error

    options = [each for parameter in own for each in _spread(parameter)]
    called.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in options}
    del called.__wrapped__
    return called


def _spread(parameter: Parameter) -> Iterator[Parameter]:
    group = parameter.annotation
    if not is_dataclass(group):
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY)
        return
    for each in fields(group):
        kind, own = told_of(group, each)
        own = copy.copy(own)
        own.rich_help_panel = getattr(group, "panel", None)
        own.metavar = own.metavar or LETTERS.get(next(iter(get_args(kind)), kind))
        yield Parameter(
            each.name,
            Parameter.KEYWORD_ONLY,
            default=each.default,
            annotation=Annotated[kind, own],
        )


class GroupedCommand(TyperCommand):
    """A command whose help has a heading for each group of options, and lines without boxes."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options without a group, then each group under its heading."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None:
                plain = "Arguments" if parameter.param_type_name == "argument" else "Options"
                heading = getattr(parameter, "rich_help_panel", None) or plain
                groups.setdefault(heading, []).append(row)
        for heading, rows in filter(lambda group: group[1], groups.items()):
            with formatter.section(heading):
                formatter.write_dl(rows)


class GroupedCommands(TyperGroup):
    """The program's commands, under a heading for each panel, with complete summary lines."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of each panel, in the order in which they were added."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            row = name, command.get_short_help_str(limit=200)
            panels.setdefault(command.rich_help_panel or "Commands", []).append(row)
        for heading, rows in panels.items():
            with formatter.section(heading):
                formatter.write_dl(rows)
