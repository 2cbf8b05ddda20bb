"""The documentation says what is there, all of it."""

import re
from pathlib import Path

import pytest
import typer.main

from longline.account import Certificate
from longline.cli.main import app
from longline.source import read_spec, write_spec

ROOT = Path(__file__).parents[1]
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def section(command: str) -> str:
    """Return the part of docs/reference/commands.md about one command."""
    text = (ROOT / "docs/reference/commands.md").read_text()
    found = re.search(rf"^## longline {command}\b.*?(?=^## |\Z)", text, re.M | re.S)
    return found[0] if found else ""


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_option_is_documented(command: str) -> None:
    """docs/reference/commands.md has a section for each command that names each of its options."""
    text = section(command)
    options = [p for p in COMMANDS[command].params if p.param_type_name == "option"]
    names = [name for option in options for name in option.opts if name.startswith("--")]
    assert text
    assert names
    assert not [name for name in names if f"`{name}" not in text]


def documented_defaults(command: str) -> dict[str, str]:
    """Return what the tables of docs/reference/commands.md say of each option's default."""
    rows = (line.strip("| ").split(" | ") for line in section(command).splitlines())
    return {
        name: row[2].replace("`", "")
        for row in rows
        if len(row) == 3
        for name in re.findall(r"`(--[a-z-]+)", row[0])
    }


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_defaults_are_documented_as_they_are(command: str) -> None:
    """Where docs/reference/commands.md names a default of an option, it is the one there is."""
    told = documented_defaults(command)
    wrong = {}
    for option in COMMANDS[command].params:
        shown = option.show_default if isinstance(option.show_default, str) else option.default
        names = [name for name in option.opts if name in told]
        if names and not isinstance(shown, bool | None) and shown != "":
            value = f"{shown:g}" if isinstance(shown, float) else str(shown)
            if value not in told[names[0]]:
                wrong[names[0]] = value, told[names[0]]
    assert not wrong


def test_every_documented_option_exists() -> None:
    """No option is documented that no command has."""
    known = {
        name for c in COMMANDS.values() for p in c.params for name in (*p.opts, *p.secondary_opts)
    }
    text = (ROOT / "docs/reference/commands.md").read_text()
    assert set(re.findall(r"`(--[a-z-]+)", text)) <= known | {"--help"}


def test_every_field_of_the_certificate_is_documented() -> None:
    """docs/reference/certificate.md names each field."""
    text = (ROOT / "docs/reference/certificate.md").read_text()
    assert not [name for name in Certificate.__struct_fields__ if f"`{name}`" not in text]


def test_every_spec_in_the_documentation_is_right() -> None:
    """The TOML of docs/reference/source-spec.md reads, and survives being written again."""
    specs = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs/reference/source-spec.md").read_text(), re.S
    )
    assert len(specs) >= 3
    for text in specs:
        spec = read_spec(text)
        assert read_spec(write_spec(spec)) == spec


def test_every_link_leads_somewhere() -> None:
    """Relative links in the documentation point to files that exist."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path.name}: {target}"
