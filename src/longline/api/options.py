"""The options of the package's functions, by name and type; also read from a CSV file."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypedDict, TypeVar, get_type_hints

import msgspec
import numpy as np

from longline.errors import InputError, cause_of
from longline.files import delimiter_of, read_words
from longline.text.safe import in_plain

Kind = TypeVar("Kind", bound=msgspec.Struct)


class WebOptions(TypedDict, total=False):
    """How requests are sent; `fetch.Manners` explains each option."""

    user_agent: str
    allow_private: bool
    robots: bool
    rate: float | None
    retries: int
    wait_seconds: float
    max_wait: float
    timeout: float
    deadline: float | None
    max_body_bytes: int
    max_redirects: int
    concurrency: int
    headers: dict[str, str]
    cookies: str
    proxy: str
    contact: str
    origins: tuple[str, ...]


class LearningOptions(WebOptions, total=False):
    """How a source is learnt; `learn.LearnOptions` explains the first two.

    Attributes:
        learnt: Folder that keeps what was learnt about an address for a week, for the next plan or
            harvest; "" keeps nothing.
    """

    post: bool
    browser: bool | None
    learnt: str


class HarvestOptions(WebOptions, total=False):
    """What a harvest may cost, and how its queries are chosen.

    `harvester.Limits` and `harvester.Settings` explain each option; the first run fixes the latter.
    """

    max_requests: int | None
    max_queries: int | None
    max_documents: int | None
    max_bytes: int | None
    max_time: float | None
    max_requests_per_day: int | None
    daily_reserve: int
    target_coverage: float | None
    min_return: float | None
    size: int | None
    size_source: str
    estimate: bool | None
    keep_answers: int
    warc: bool | None
    strategy: str
    seed: int
    sample: int
    cost: str
    pool_relative_size: float | None
    rounds: int | None
    words: tuple[str, ...] | None
    listing_only: bool
    df_estimator: str | None
    generations: int
    population: int
    mutation: float
    attachments: bool | None


class NewHarvestOptions(HarvestOptions, LearningOptions, total=False):
    """Also how its source is learnt, and where its journal is.

    Attributes:
        learn_again: Use nothing that was learnt before.
        database: URL of a PostgreSQL database, in place of `harvest.db` in the folder.
    """

    learn_again: bool
    database: str | None


class UpdateHarvestOptions(HarvestOptions, total=False):
    """How an update looks for new documents; see `updates.UpdateOptions`."""

    only_new: bool
    anew: bool
    reread: float
    accept_gone: bool
    finish: bool


class PlanOptions(WebOptions, total=False):
    """What a plan may cost; see `forecast.PlanLimits`."""

    max_requests: int


class NewPlanOptions(PlanOptions, LearningOptions, total=False):
    """Also how its source is learnt.

    Attributes:
        learn_again: Use nothing that was learnt before.
    """

    words: tuple[str, ...]
    learn_again: bool


class FindOptions(WebOptions, total=False):
    """What a search for one page may cost; see `finder.FindLimits`."""

    max_downloads: int
    sites_at_once: int
    threshold: float | None
    states: int | None


def check_names(function: str, given: Mapping[str, Any], known: type) -> None:
    """Raise an error for an option that a function does not have, and name the nearest.

    Raises:
        TypeError: As for any unknown argument.

    >>> check_names("plan", {"max_request": 5}, PlanOptions)
    Traceback (most recent call last):
        ...
    TypeError: plan() has no option 'max_request'; did you mean max_requests?
    """
    names = known.__annotations__
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; it has: {', '.join(names)}"
            raise TypeError(f"{function}() has no option {name!r}{hint}")


def made(kind: type[Kind], given: Mapping[str, Any]) -> Kind:
    """Return a struct filled with those options that are its fields."""
    names = [name for name in kind.__struct_fields__ if name in given]
    return kind(**{name: plain(given[name]) for name in names})


def plain(value: Any) -> Any:
    """Return an option as plain Python: a numpy number as int or float, a path as text.

    >>> import numpy
    >>> plain(numpy.int64(5)), plain(Path("cookies.txt"))
    (5, 'cookies.txt')
    """
    if isinstance(value, np.generic):
        return value.item()
    return fspath(value) if isinstance(value, PathLike) else value


def path_of(value: object, name: str = "folder") -> Path:
    """Return an argument as a path; a `Harvest` gives its folder.

    Raises:
        TypeError: It is neither a path nor text.

    >>> path_of(3)
    Traceback (most recent call last):
        ...
    TypeError: folder takes a path or text, not 3
    """
    if not isinstance(value, str | PathLike):
        raise TypeError(f"{name} takes a path or text, not {value!r}")
    return Path(value)


def rows_of(
    sources: str | PathLike[str] | Iterable[str | Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return sources as mappings, each with a `url`.

    Raises:
        InputError: A source has no address, or a single address was given in place of a list.
    """
    if isinstance(sources, str | PathLike):
        if "://" in fspath(sources):
            raise InputError(
                f"{sources} is one address", advice=f"give addresses in a list: [{str(sources)!r}]"
            )
        return read_sources(path_of(sources))
    rows = [dict(each) if isinstance(each, Mapping) else {"url": each} for each in sources]
    for row in rows:
        if not isinstance(row.get("url"), str):
            raise InputError(f"{row} has no address", advice='give one as text under "url"')
    return rows


MOST_WRONG = 5
"""How many wrong lines of a list of sources are named."""

ALIKE = 0.75
"""How similar to an option a column name must be (0 to 1) to be taken for a typo."""

COLUMNS = (
    "columns are url, folder (for a source's name), header, note (for people), and options of "
    "longline harvest, such as max-requests; a line that begins with # is left out"
)


def read_sources(path: Path) -> list[dict[str, Any]]:
    """Read sources from a CSV file: a column `url`, and any of `folder`, `header` and the options.

    Columns have the names of options, `max-requests` or `max_requests`; an empty cell leaves the
    option unset. A cell of `words` names a file, from the folder of the list. Lines that begin with
    # and a column `note` are skipped.

    Raises:
        InputError: It cannot be read, has no column `url`, or values are invalid; names the lines.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            head = next((line for line in stream if not line.startswith("#")), "")
            stream.seek(0)
            rows = list(csv.reader(stream, delimiter=delimiter_of(head)))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"cannot read sources from {path}: {cause_of(error)}", advice="name a CSV file in UTF-8"
        ) from None
    lines = [(n, row) for n, row in enumerate(rows, 1) if any(row) and not row[0].startswith("#")]
    if not lines:
        raise InputError(f"{path} is empty", advice="give a column url, and a row for each source")
    names = [cell.strip().lower().replace("-", "_") for cell in lines[0][1]]
    kinds = {"url": str, "folder": str, "header": str, "note": str} | get_type_hints(
        NewHarvestOptions
    )
    del kinds["headers"]
    for name in names:
        if name not in kinds:
            near = difflib.get_close_matches(name, kinds, n=1, cutoff=ALIKE)
            raise InputError(
                f"{path}, line {lines[0][0]} has a column {name!r}, which is no option",
                advice=f"did you mean {near[0]}?" if near else COLUMNS,
            )
    if "url" not in names:
        raise InputError(f"{path} has no column url", advice="name the column of addresses url")
    found, wrong = [], list[InputError]()
    for number, row in lines[1:]:
        try:
            found.append(dict(_cells(path, number, names, row, kinds)))
        except InputError as error:
            wrong.append(error)
    if len(wrong) > 1:
        said = "; ".join(each.message.removeprefix(f"{path}, ") for each in wrong[:MOST_WRONG])
        more = f"; and {len(wrong) - MOST_WRONG} more" if len(wrong) > MOST_WRONG else ""
        what = f"{len(wrong)} lines of {path} are wrong: {said}{more}"
        raise InputError(what, advice="correct them")
    if wrong:
        raise wrong[0]
    if not found:
        raise InputError(f"{path} names no source", advice="give a row for each source")
    return found


def _cells(
    path: Path, number: int, head: Sequence[str], row: Sequence[str], kinds: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the options of a row as pairs of name and value."""
    if len(row) > len(head):
        raise InputError(
            f"{path}, line {number} has {len(row)} cells for {len(head)} columns",
            advice="put cells with a comma in quotes",
        )
    cells = dict(zip(head, map(str.strip, row), strict=False))
    cells.pop("note", "")
    if not cells.get("url"):
        raise InputError(f"{path}, line {number} has no url", advice="give one")
    for name, cell in cells.items():
        if cell and name == "header":
            yield "headers", read_headers(cell.splitlines(), f"{path}, line {number}: header")
        elif cell and name == "words":
            yield name, read_words(path.parent / cell)
        elif cell:
            try:
                yield name, msgspec.convert(cell, kinds[name], strict=False)
            except msgspec.ValidationError as error:
                raise InputError(
                    f"{path}, line {number}, {name} is {cell!r}: {in_plain(str(error))}",
                    advice="correct it",
                ) from None


def read_headers(lines: list[str], what: str = "a header") -> dict[str, str]:
    """Return header lines as a mapping of names to values.

    Raises:
        InputError: A line has no colon or no name.

    >>> read_headers(["X-Api-Key: s3cr3t", "From:me@x.example"])
    {'X-Api-Key': 's3cr3t', 'From': 'me@x.example'}
    """
    found: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise InputError(f"{what} has no name and colon", advice="write e.g. X-Api-Key: ...")
        found[name.strip()] = value.strip()
    return found
