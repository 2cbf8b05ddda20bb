"""longline export, move, report and doctor: hand over a harvest."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from longline.cli._groups import option
from longline.cli._options import Folder, Folders, Json, Output
from longline.cli._said import check_new, note, say_exactly, say_json, write_file
from longline.cli._strategies import format_names
from longline.errors import InputError
from longline.secrets import masked
from longline.text.numbers import counted
from longline.text.safe import clean, quoted


@dataclass(frozen=True)
class Onto:
    """Where an export is written, and whether its result is printed as JSON."""

    output: str = option(
        "",
        "--output",
        "-o",
        metavar="OUT",
        help="A file, or a folder for ro-crate and hugging-face; s3://bucket/name and other "
        "places of fsspec; - is standard output.",
        show_default="standard output",
    )
    force: bool = option(False, "--force", help="Replace what is there.")
    json: Json = False


@dataclass(frozen=True)
class Rights:
    """What the metadata of an exported package says about the documents."""

    panel: ClassVar[str] = "For ro-crate and hugging-face"

    license: str = option(
        "",
        metavar="LICENSE",
        help="Licence of the documents: an SPDX identifier or a URL.",
        show_default="not known",
    )
    creator: str = option("", metavar="NAME", help="Who made the harvest.", show_default="nobody")


ENDINGS = {
    "json": "jsonl",
    "ndjson": "jsonl",
    "db": "sqlite",
    "sqlite3": "sqlite",
    "warc.gz": "warc",
}
"""File endings that differ from the name of their format."""


def export(
    folder: Folder,
    onto: Onto,
    rights: Rights,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="jsonl, csv, parquet, sqlite, warc, wacz, ro-crate or hugging-face; or the format "
            "of another package.",
            show_default="as OUT ends, such as .csv; jsonl without an ending",
            autocompletion=format_names,
        ),
    ] = None,
    file: Annotated[
        str, typer.Argument(metavar="OUT", help="The same as --output.", show_default=False)
    ] = "",
) -> None:
    """Write the documents of a harvest to a file, a folder or an object store.

    DIR may hold several harvests: csv, jsonl and parquet then have all, with a column `harvest`.
    Documents keep the order in which they arrived. The file appears only when it is complete, with
    OUT.manifest.json beside it: how many documents, bytes and checksums. A folder has manifest.json
    inside. jsonl and csv can also go to standard output.
    """
    from longline.api import export as write

    if file and onto.output:
        raise InputError(f"two files, {file} and {onto.output}", advice="name one of them")
    output = onto.output or file or "-"
    to = to or _format_of(output)
    if output == "-" and onto.json:
        raise InputError("documents and JSON cannot both be printed", advice="give -o OUT")
    if output == "-":
        written = write(folder, to, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        note(f"{counted(written, 'document')} written to standard output")
        _note_missing(folder)
        return
    try:
        written = write(folder, to, output, force=onto.force, **asdict(rights))
    except KeyboardInterrupt:
        note(f"{output} was not written")
        raise
    note(f"{counted(written, 'document')} written to {output}")
    _note_missing(folder)
    if onto.json:
        told = {"folder": str(folder), "output": output, "written_as": to}
        say_json(told | {"documents": written})


def _note_missing(folder: Path) -> None:
    """Print that the documents are not all, if a run still adds some, or the last one ended so."""
    from longline.api import harvests_in, is_harvest, standing

    if not is_harvest(folder):  # it holds several
        ends = [each.outcome or "running" for each in harvests_in(folder)]
        if lacking := sum(each != "complete" for each in ends):
            some = f"{lacking:,} of {counted(len(ends), 'source')}"
            note(f"{some} not complete; what is missing: longline status {quoted(folder)}")
        return
    now = standing(folder)
    if now.is_going and not now.is_update:
        note("a run is adding documents; those that it saves from now on are not written")
        return
    try:
        ended = json.loads((folder / "certificate.json").read_bytes())["outcome"]
    except (OSError, ValueError, LookupError):
        return
    if ended != "complete":
        there = quoted(folder)
        note(f"the harvest is not complete ({ended}); what is missing: longline status {there}")


def _format_of(output: str) -> str:
    """Return the format that a file name implies, such as a.warc.gz.

    Raises:
        InputError: The ending belongs to no known format.
    """
    from longline.api import formats

    known = {name: name for name in formats()} | ENDINGS
    ends = [end.removeprefix(".").casefold() for end in Path(output).suffixes]
    end = ".".join(ends[-2:] if ends[-1:] == ["gz"] else ends[-1:])
    if end in known or not end or not any(map(str.isalpha, end)):
        return known.get(end, "jsonl")
    raise InputError(
        f"no format has the ending .{end} of {output}",
        advice=f"take .csv for a spreadsheet, or another of: .{', .'.join(known)}; or name the "
        "format by --to",
    )


def move(
    folder: Folder,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A PostgreSQL database, such as postgresql://USER@HOST/NAME.",
            show_default="DIR/harvest.db",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Move the journal and the documents of a harvest into a database, or back into its folder.

    Everything else stays in the folder, and every command accepts the folder as before.
    """
    from longline import api

    moved = api.move(folder, database)
    note(f"{moved:,} entries of the journal moved")
    if json:
        there = None if database is None else masked(database)
        say_json({"folder": str(folder), "database": there, "entries": moved})


def report(
    folders: Folders,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Write the report to this file."),
    ] = Path("report.html"),
    earlier: Annotated[
        Path | None,
        typer.Option(
            "--earlier",
            metavar="DIR",
            help="Compare the first harvest with this earlier one of the same source.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file, if there is one.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a report to hand over: one HTML file that can be read offline.

    It shows how much is saved, what is missing and why, how the harvest went, and what to do next.
    Several harvests are shown side by side. They may be running.
    """
    from longline.api import report as write

    if not force:
        check_new(output, "name another file by -o, or give --force")
    there = write(folders, output, earlier=earlier)
    size = there.stat().st_size
    note(f"report written to {there} ({size / 1000:,.0f} kB)")
    if json:
        say_json({"output": str(there), "bytes": size})


def doctor(
    folder: Folder,
    output: Output = None,
    json: Json = False,
) -> None:
    """Collect what a bug report needs.

    Versions, the machine, the folder's files, settings and spec, the number of events of each kind,
    the newest 50 events, and the certificate. No secrets and no texts of documents. If a part
    cannot be read, the report gives the reason.
    """
    from longline.api import diagnose, without_secrets

    facts = diagnose(folder)
    if output is not None:
        check_new(output)
    text = without_secrets(folder, _as_json(facts) if json else _as_text(facts))
    if output is None:
        say_exactly(text, nl=False)
        return
    write_file(output, text)
    note(f"written to {output}; read it before you share it")


def _as_json(facts: dict[str, Any]) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(facts), indent=2).decode() + "\n"


def _as_text(facts: dict[str, Any]) -> str:
    """Return each part under its name; lists and tables have one line per entry."""
    lines: list[str] = []
    for name, part in facts.items():
        lines += ["", f"== {name}"]
        lines += part.splitlines() if isinstance(part, str) else _lines(part)
    return clean("\n".join(lines[1:])) + "\n"


def _lines(part: dict[str, Any]) -> Iterator[str]:
    import msgspec

    for name, value in part.items():
        if isinstance(value, list) and value:
            yield f"{name}:"
            yield from (f"  {msgspec.json.encode(each).decode()}" for each in value)
        else:
            plain = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            yield f"{name}: {plain}"
