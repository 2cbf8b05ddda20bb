"""Charts of HR against OR, one line per strategy: as letters, or as HTML by plotly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

from longline.cli._said import check_new, write_file
from longline.errors import InputError
from longline.plugins import needed

if TYPE_CHECKING:
    from longline.api import Outcome

WIDTH, HEIGHT = 60, 15
"""Width and height of the chart in a terminal, in characters."""

LEAST_RATE, MOST_RATE = 1.0, 4.0
"""Range of OR in that chart; above it, strategies differ little."""

LETTERS = ascii_lowercase + ascii_uppercase

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#8a6d00")
"""Colours that colour-blind people can distinguish, too (Okabe & Ito)."""

DASHES = ("solid", "dash", "dot", "dashdot")

Curve = Sequence[tuple[float, float]]


def reached(curves: Sequence[Curve], rate: float) -> float | None:
    """Return the highest HR while OR was at most `rate`, averaged over the curves that reach it.

    None if no curve covers that rate: each ends before it or begins after it.

    >>> reached([[(1.0, 0.1), (1.5, 0.4), (1.4, 0.5)]], 1.4)
    0.5
    >>> reached([[(1.0, 0.1), (1.5, 0.4)]], 1.6) is None
    True
    """
    found = [
        max(hr for overlap, hr in curve if overlap <= rate)
        for curve in curves
        if curve and min(curve)[0] <= rate <= max(curve)[0]
    ]
    return mean(found) if found else None


def text_chart(lines: Mapping[str, Sequence[Curve]]) -> Iterator[str]:
    """Draw HR against OR with one letter per strategy; a `*` where several meet.

    Args:
        lines: For each strategy, the (OR, HR) points of each of its runs.
    """
    letters = dict(zip(lines, LETTERS, strict=False))
    step = (MOST_RATE - LEAST_RATE) / (WIDTH - 1)
    cells: dict[tuple[int, int], str] = {}
    for name, curves in lines.items():
        for column in range(WIDTH):
            share = reached(curves, LEAST_RATE + (column + 0.5) * step)
            if share is not None and name in letters:
                cell = (min(HEIGHT - 1, int(share * HEIGHT)), column)
                cells[cell] = "*" if cell in cells else letters[name]
    yield "HR %"
    for row in reversed(range(HEIGHT)):
        label = f"{100 * (row + 1) // HEIGHT:>3}" if (row + 1) % 3 == 0 else "   "
        yield f"{label} |{''.join(cells.get((row, column), ' ') for column in range(WIDTH))}"
    yield "    +" + "-" * WIDTH
    marks = [f"{LEAST_RATE + part * (MOST_RATE - LEAST_RATE) / 6:.1f}" for part in range(7)]
    yield "     " + "".join(f"{mark:<{WIDTH // 6}}" for mark in marks[:-1]) + f"{marks[-1]} OR"
    yield "  ".join(f"{letter} {name}" for name, letter in letters.items())


def write_chart(path: Path, outcomes: Sequence[Outcome], title: str) -> None:
    """Draw every run in an HTML file that works offline; runs of a strategy share a colour.

    Raises:
        InputError: Plotly is not installed, or the file cannot be written.
    """
    figure = _plotly().Figure()
    names = list(dict.fromkeys(outcome.strategy for outcome in outcomes))
    shown: set[str] = set()
    for outcome in outcomes:
        place = names.index(outcome.strategy)
        figure.add_scatter(
            x=[overlap for overlap, _ in outcome.curve],
            y=[100 * hr for _, hr in outcome.curve],
            mode="lines",
            name=outcome.strategy,
            legendgroup=outcome.strategy,
            showlegend=outcome.strategy not in shown,
            line={
                "color": COLOURS[place % len(COLOURS)],
                "dash": DASHES[place // len(COLOURS) % len(DASHES)],
            },
            hovertext=f"{outcome.strategy}, seed {outcome.seed}",
        )
        shown.add(outcome.strategy)
    figure.update_layout(
        title={"text": title.replace(", ", ",<br>", 1), "font": {"size": 15}},
        template="plotly_white",
        height=640,
        # Below the chart, so that a narrow window has room for the chart.
        legend={"orientation": "h", "yanchor": "top", "y": -0.15},
        margin={"l": 60, "r": 20},
    )
    figure.update_xaxes(title_text="OR: documents received per different document")
    figure.update_yaxes(title_text="HR: coverage, % of the source", range=[0, 100])
    write_file(path, figure.to_html(include_plotlyjs=True))


def check_chart(path: Path, *, force: bool) -> None:
    """Check before the work begins that a chart can be written to this path.

    Args:
        path: A file.
        force: It may exist.

    Raises:
        InputError: Plotly is not installed, there is something, its folder does not exist, or its
            name promises another format.
    """
    _plotly()
    if path.suffix.lower() not in ("", ".html", ".htm"):
        raise InputError(f"a chart is written as HTML, not {path.suffix}", advice="name it .html")
    if not force:
        check_new(path, "name another file, or give --force")


def _plotly() -> Any:
    return needed("plotly.graph_objects", "report", "a chart", "leave out --chart")
