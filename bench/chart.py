"""Draw panels of lines and points as one HTML file that works offline."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

COLOURS = {
    "greedy": "#0072b2",
    "ids": "#d55e00",
    "ts-ids": "#009e73",
    "genetic": "#cc79a7",
    "paper": "#777777",
}
"""One colour per method in every figure; colour-blind people can distinguish them (Okabe & Ito)."""

OTHER_COLOURS = ("#56b4e9", "#e69f00", "#000000", "#8a6d00")


@dataclass(frozen=True, eq=False)
class Series:
    """One line, or one set of points."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    points: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes."""

    title: str
    x: str
    y: str
    series: Sequence[Series]
    log_x: bool = False
    log_y: bool = False


def save_chart(path: Path, title: str, panels: Sequence[Panel], across: int = 3) -> str:
    """Write the chart and return its path as text; without plotly, return what to install."""
    try:
        from plotly.subplots import make_subplots
    except ImportError:
        return f"{path.name} not drawn: no plotly here (the extra named report has it)"
    across = min(across, len(panels))
    down = -(-len(panels) // across)
    figure = make_subplots(rows=down, cols=across, subplot_titles=[each.title for each in panels])
    names = dict.fromkeys(series.name for panel in panels for series in panel.series)
    spare = iter(OTHER_COLOURS * len(names))
    colours = {name: COLOURS.get(name) or next(spare) for name in names}
    legend: set[str] = set()
    for place, panel in enumerate(panels):
        _draw(figure, panel, 1 + place // across, 1 + place % across, colours, legend)
    figure.update_layout(title=title, template="plotly_white", height=80 + 380 * down)
    figure.write_html(path, include_plotlyjs=True)
    return f"drawn: {path}"


def _draw(figure, panel, row, column, colours, legend):
    for series in panel.series:
        figure.add_scatter(
            x=list(series.x),
            y=list(series.y),
            mode="markers" if series.points else "lines",
            marker={"size": 4},
            name=series.name,
            legendgroup=series.name,
            showlegend=series.name not in legend,
            line={"color": colours[series.name]},
            marker_color=colours[series.name],
            row=row,
            col=column,
        )
        legend.add(series.name)
    for update, title, log in (
        (figure.update_xaxes, panel.x, panel.log_x),
        (figure.update_yaxes, panel.y, panel.log_y),
    ):
        update(title_text=title, type="log" if log else "linear", row=row, col=column)
