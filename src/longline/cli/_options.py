"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Ranking(StrEnum):
    """How a simulated source orders what matches."""

    bm25 = "bm25"
    static = "static"


class Counts(StrEnum):
    """How true the number of matches is that a simulated source reports."""

    exact = "exact"
    approximate = "approximate"
    none = "none"


class ExportFormat(StrEnum):
    """What documents can be exported to."""

    jsonl = "jsonl"
    csv = "csv"


RankingChoice = Annotated[
    Ranking, typer.Option(help="Order of the matches: by relevance, or one fixed order.")
]
CountsChoice = Annotated[Counts, typer.Option(help="How true the reported number of matches is.")]
Boolean = Annotated[bool, typer.Option(help="Whether the search box knows NOT and OR.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder made by a harvest.")]
Limit = Annotated[
    int, typer.Option(min=1, help="Return limit: documents a query can show at most.")
]
PageSize = Annotated[int, typer.Option(min=1, help="Hits on a result page.")]
