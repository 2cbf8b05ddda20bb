"""What the documentation shows on a console is what is printed."""

import doctest
import re
from pathlib import Path

import pytest
import typer.main
from tests.docs import console
from tests.docs.console import BLOCK, differences, steps
from tests.docs.test_pages import LINKED, name
from tests.real import servers

from longline.cli.main import app

WITH_BLOCKS = [path for path in LINKED if BLOCK.search(path.read_text())]
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SHELL = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
SEVERAL = {"-n", "-v"}


def test_pages_with_blocks_are_found() -> None:
    """README and the tutorial have blocks, or nothing would be tested here."""
    assert {"README.md", "docs/tutorial.md"} <= {name(path) for path in WITH_BLOCKS}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", WITH_BLOCKS, ids=name)
def test_console_blocks_show_what_is_printed(path: Path, tmp_path: Path) -> None:
    """Each command of the page, in order, prints what stands below it."""
    try:
        for step, printed in differences(path.read_text(), tmp_path):
            pytest.fail(f"$ {step.command}\nshown:\n{step.shown}\nprinted:\n{printed}")
    except servers.Missing as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("path", LINKED, ids=name)
def test_every_command_in_the_documentation_is_one(path: Path) -> None:
    """Each `longline` line of a shell block has a command and options that there are."""
    page = path.read_text()
    shell = "".join(SHELL.findall(page)).replace("\\\n", "").splitlines()
    shown = [step.command for block in BLOCK.findall(page) for step in steps(block)]
    for line in [*shell, *shown]:
        if line.startswith("longline "):
            words = console.words(line)
            if words[1].startswith("-"):
                continue
            command, given = COMMANDS[words[1]], words[2:]
            if hasattr(command, "commands"):
                command, given = command.commands[given[0]], given[1:]
            command.make_context(words[1], given, resilient_parsing=True)
            known = {opt for each in command.params for opt in (*each.opts, *each.secondary_opts)}
            options = {word for word in given if re.match(r"--?[a-z]", word)}
            assert not options - known - {"--help"}, line


def test_examples_of_the_console_run() -> None:
    """The docstrings of `tests.docs.console` tell the truth."""
    assert doctest.testmod(console).failed == 0
