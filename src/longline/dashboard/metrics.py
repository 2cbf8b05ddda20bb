"""The harvests as numbers for Prometheus, in its text format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from longline.dashboard.harvests import Row
from longline.harvester import Standing

Value = Callable[[Standing], float | int | None]

GAUGES: dict[str, tuple[str, Value]] = {
    "documents": ("Documents that are saved.", lambda now: now.documents),
    "documents_failed": ("Listed documents that did not come.", lambda now: now.documents_failed),
    "size": ("Documents of the source, as believed.", lambda now: now.size),
    "size_low": ("The low end of that.", lambda now: now.size_low),
    "size_high": ("The high end of that.", lambda now: now.size_high),
    "requests": ("Requests that were sent.", lambda now: now.requests),
    "requests_left": ("Requests that the budget leaves.", lambda now: now.requests_left),
    "requests_per_second": ("In the last minute.", lambda now: now.rate),
    "searches": ("Different searches that were sent.", lambda now: now.searches),
    "searches_cut": (
        "Searches that the source was seen to cut.",
        lambda now: now.truncated_queries,
    ),
    "ends_at_seconds": ("When it ends as predicted, since 1970.", lambda now: now.ends_at),
    "updated_at_seconds": ("When it wrote last, since 1970.", lambda now: now.updated_at or None),
    "running": ("1 while a process fills it.", lambda now: int(now.is_going)),
}
"""Each number, and what it means."""


def as_text(rows: Iterable[Row]) -> str:
    """Write the numbers of harvests as Prometheus reads them."""
    return "\n".join(_lines(list(rows))) + "\n"


def _lines(rows: list[Row]) -> Iterator[str]:
    labels = {row.key: f'harvest="{_escaped(row.name)}",key="{row.key}"' for row in rows}
    for name, (meaning, value) in GAUGES.items():
        yield f"# HELP longline_{name} {meaning}"
        yield f"# TYPE longline_{name} gauge"
        for row in rows:
            found = value(row.standing)
            if found is not None:
                yield f"longline_{name}{{{labels[row.key]}}} {found:.10g}"
    yield "# HELP longline_state 1 for the state that a harvest is in, by its name."
    yield "# TYPE longline_state gauge"
    for row in rows:
        now = row.standing
        state = f'state="{now.state}",outcome="{now.outcome}",cause="{now.cause}"'
        yield f"longline_state{{{labels[row.key]},{state}}} 1"


def _escaped(text: str) -> str:
    r"""Write a label's value.

    >>> _escaped('a "b"')
    'a \\"b\\"'
    """
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
