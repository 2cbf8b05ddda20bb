"""The documentation says what is there, all of it."""

import re
from pathlib import Path

import click
import pytest
import typer.main

from longline.account import Certificate
from longline.cli.main import app
from longline.source import read_spec, write_spec

ROOT = Path(__file__).parents[1]
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def section(command: str) -> str:
    """Return the part of docs/commands.md about one command."""
    text = (ROOT / "docs/commands.md").read_text()
    found = re.search(rf"^## longline {command}\b.*?(?=^## |\Z)", text, re.M | re.S)
    return found[0] if found else ""


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_option_is_documented(command: str) -> None:
    """docs/commands.md has a section for each command that names each of its options."""
    text = section(command)
    options = [p for p in COMMANDS[command].params if isinstance(p, click.Option)]
    names = [name for option in options for name in option.opts if name.startswith("--")]
    missing = [name for name in names if name != "--help" and f"`{name}" not in text]
    assert text
    assert not missing


def test_every_documented_option_exists() -> None:
    """No option is documented that no command has."""
    known = {
        name for c in COMMANDS.values() for p in c.params for name in (*p.opts, *p.secondary_opts)
    }
    text = (ROOT / "docs/commands.md").read_text()
    assert set(re.findall(r"`(--[a-z-]+)", text)) <= known | {"--help"}


def test_every_field_of_the_certificate_is_documented() -> None:
    """docs/certificate.md names each field."""
    text = (ROOT / "docs/certificate.md").read_text()
    assert not [name for name in Certificate.__struct_fields__ if f"`{name}`" not in text]


def test_every_spec_in_the_documentation_is_right() -> None:
    """The TOML of docs/source-spec.md reads, and survives being written again."""
    specs = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/source-spec.md").read_text(), re.S)
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
