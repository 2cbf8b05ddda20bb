"""Options in groups: what a command gets, what the help shows, what is refused."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import pytest
import typer
from typer.testing import CliRunner, Result

from longline.cli._groups import GroupedCommand, with_options


@dataclass(frozen=True)
class Size:
    panel: ClassVar[str] = "How much"

    most: Annotated[int, typer.Option(metavar="N", min=1, help="So many at most.")] = 3
    whole: Annotated[bool, typer.Option("--whole/--half", help="All of it.")] = True


@dataclass(frozen=True)
class Wide(Size):
    most: Annotated[int, typer.Option(metavar="N", help="So many.")] = 4
    name: Annotated[str | None, typer.Option(metavar="NAME", show_default="any")] = None


def run(*arguments: str) -> tuple[Result, list[object]]:
    """Run a command that takes a group; return the result and the arguments it received."""
    got: list[object] = []

    def command(
        place: str,
        size: Size,
        loud: Annotated[bool, typer.Option("--loud", help="Say more.")] = False,
    ) -> None:
        """Do it."""
        got.extend((place, size, loud))

    app = typer.Typer(rich_markup_mode=None)
    app.command(cls=GroupedCommand)(with_options(command))
    return CliRunner().invoke(app, arguments), got


def test_command_gets_its_groups() -> None:
    """Options anywhere on the line become fields of the group; other fields keep defaults."""
    assert run("here")[1] == ["here", Size(), False]
    assert run("--most", "5", "here", "--half", "--loud")[1] == ["here", Size(5, False), True]


@pytest.mark.parametrize("wrong", [("--most", "0"), ("--most", "x"), ("--mist", "1"), ()])
def test_bad_values_are_refused(wrong: tuple[str, ...]) -> None:
    """A value outside a field's bounds or type is refused, and the command is not called."""
    done, got = run(*wrong, *(("here",) if wrong else ()))
    assert done.exit_code == 2
    assert not got


def test_help_has_a_heading_for_each_group() -> None:
    """The help lists options under the heading of their group, with bounds and defaults."""
    text = run("--help")[0].output
    arguments, _, rest = text.partition("Options:")
    options, _, group = rest.partition("How much:")
    assert "Arguments:" in arguments
    assert "--most N" in group
    assert "[default: 3; x>=1]" in group
    assert "--whole / --half" in group
    assert "--loud" in options


def test_a_group_may_extend_another() -> None:
    """Fields of the base class come first, with the defaults of the subclass."""
    got: list[Wide] = []
    app = typer.Typer(rich_markup_mode=None)

    def command(wide: Wide) -> None:
        got.append(wide)

    app.command(cls=GroupedCommand)(with_options(command))
    CliRunner().invoke(app, [])
    CliRunner().invoke(app, ["--most", "0", "--name", "a"])
    assert got == [Wide(4, True, None), Wide(0, True, "a")]
