"""longline presets: the kinds of source that are recognised."""

from typing import Annotated

import typer

from longline.cli._options import Json
from longline.cli._said import say, say_json
from longline.cli._strategies import preset_names
from longline.errors import UnknownNameError


def presets(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Show what is known about this one.",
            show_default="all, a line each",
            autocompletion=preset_names,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the kinds of source that longline recognises, so that it need not learn them."""
    from longline.api import presets as known

    every = {preset.name: preset for preset in known()}
    if name is not None and name not in every:
        raise UnknownNameError("preset", name, every)
    wanted = list(every.values()) if name is None else [every[name]]
    if json:
        say_json(wanted)
        return
    if name is None:
        width = max(map(len, every))
        for preset in wanted:
            say(f"{preset.name:{width}}  {preset.title}")
        return
    preset = wanted[0]
    rows = (
        ("name", preset.name),
        ("title", preset.title),
        ("notes", preset.notes),
        ("route", preset.route),
        ("see", preset.documented),
    )
    for row, value in rows:
        if value:
            say(f"{row:6} {value}")
