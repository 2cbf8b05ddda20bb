"""Small functions that draw numbers as SVG: scales, axes, lines, bands, dots, bars, and legends.

Colours and strokes are in the classes of `STYLE`, so that a page can be light or dark. Series also
differ by dashes or shapes, not only by colour. A chart has a title and a text that says the same in
words.
"""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from longline.reports.html import written

STYLE = """
svg.chart{display:block;width:100%;height:auto;font-size:12px;overflow:visible}
svg.chart text{fill:var(--soft)}
svg.chart text.name{fill:var(--soft);font-size:11.5px}
svg.chart text.strong{fill:var(--ink)}
svg.chart .grid{stroke:var(--rule);stroke-width:1}
svg.chart .axis{stroke:var(--faint);stroke-width:1}
svg.chart path,svg.chart line{fill:none;stroke-linejoin:round;stroke-linecap:round}
svg.chart .l1{stroke:var(--c1);stroke-width:2.25}
svg.chart .l2{stroke:var(--c2);stroke-width:2;stroke-dasharray:7 4}
svg.chart .l3{stroke:var(--c3);stroke-width:2;stroke-dasharray:2 4}
svg.chart .l4{stroke:var(--c4);stroke-width:2;stroke-dasharray:9 3 2 3}
svg.chart .l5{stroke:var(--c1);stroke-width:2;stroke-dasharray:12 3}
svg.chart .l6{stroke:var(--c2);stroke-width:2}
svg.chart .l7{stroke:var(--c3);stroke-width:2;stroke-dasharray:5 2 1 2}
svg.chart .l8{stroke:var(--c4);stroke-width:2;stroke-dasharray:1 3}
svg.chart .least{stroke:var(--faint);stroke-width:1.5;stroke-dasharray:4 4}
svg.chart .band{fill:var(--c2);fill-opacity:.16;stroke:none}
svg.chart .f1{fill:var(--c1)}svg.chart .f2{fill:var(--c2)}
svg.chart .f3{fill:var(--c3)}svg.chart .f4{fill:var(--c4)}
svg.chart .f0{fill:var(--rule)}
svg.chart .dot{fill:var(--c1);fill-opacity:.55}
svg.chart .ring{fill:none;stroke:var(--c2);stroke-width:1.75}
svg.chart .span{stroke:var(--c1);stroke-width:2;stroke-opacity:.4;stroke-linecap:butt}
svg.chart .hollow{fill:none;stroke:var(--soft);stroke-width:1.25;stroke-dasharray:2 1.5}
"""
"""Needs the colours --ink, --soft, --faint, --rule (from dark to faint) and --c1 to --c4."""

LETTER = 6.2
"""Approximate width of a character, in units of a chart."""


class Scale(NamedTuple):
    """Maps numbers to positions on an axis.

    Attributes:
        high: The greatest number; the smallest is `low`.
        begin, end: Positions of the smallest and the greatest number.
        is_log: Use the logarithm of the number plus one, so that 0 has a position.
    """

    high: float
    begin: float = 0.0
    end: float = 1.0
    low: float = 0.0
    is_log: bool = False

    def at(self, value: float) -> float:
        """Return the position of a number.

        >>> Scale(10, 0, 100).at(5), Scale(99, 0, 100, is_log=True).at(9)
        (50.0, 50.0)
        """
        low, high, value = self.low, self.high, value
        if self.is_log:
            low, high, value = (log10(1 + max(0.0, each)) for each in (low, high, value))
        share = (value - low) / (high - low) if high > low else 0.0
        return self.begin + share * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Return round numbers to mark.

        >>> Scale(870, 0, 1).ticks(), Scale(870, 0, 1, is_log=True).ticks()
        ([0.0, 250.0, 500.0, 750.0], [0.0, 1.0, 10.0, 100.0])
        """
        if self.is_log:
            tens = [10.0**power for power in range(ceil(log10(1 + max(1.0, self.high))))]
            return [each for each in (0.0, *tens) if self.low <= each <= self.high]
        step = _step((self.high - self.low) / 4)
        first = ceil(self.low / step - 1e-9)
        last = floor(self.high / step + 1e-9)
        return [place * step for place in range(first, last + 1)]


def _step(rough: float) -> float:
    """Return the nearest round number that is not below."""
    if rough <= 0:
        return 1.0
    ten = 10.0 ** floor(log10(rough))
    return next(times * ten for times in (1, 2, 2.5, 5, 10) if times * ten >= rough * 0.999)


class Frame(NamedTuple):
    """The area of a chart for marks, between its axes.

    Attributes:
        width, height: Of the entire chart.
        x, y: Of the area for marks.
        x_name, y_name: Names of the axes.
        is_percent: The numbers of y are shares, written in percent.
        has_ticks: The numbers of x are written below it.
    """

    width: float
    height: float
    x: Scale
    y: Scale
    x_name: str
    y_name: str
    is_percent: bool = False
    has_ticks: bool = True


LEFT, RIGHT, TOP, BOTTOM = 58, 14, 52, 40
"""Margins around the area for marks."""


def frame(
    size: tuple[float, float],
    x: Scale,
    y: Scale,
    names: tuple[str, str],
    *,
    is_percent: bool = False,
) -> Frame:
    """Return a frame of a size, with scales fitted to it.

    Args:
        size: Width and height.
        x: From left to right; only its numbers are used.
        y: From bottom to top; the same.
        names: Names of the axes.
        is_percent: The numbers of y are shares, written in percent.
    """
    width, height = size
    across = x._replace(begin=LEFT, end=width - RIGHT)
    up = y._replace(begin=height - BOTTOM, end=TOP)
    return Frame(width, height, across, up, *names, is_percent)


def number(value: float) -> str:
    """Write a number for an axis.

    >>> number(12000), number(2.5), number(0.125)
    ('12,000', '2.5', '0.125')
    """
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}"


def drawing(place: Frame, marks: Iterable[str], *, name: str, title: str, words: str) -> str:
    """Return a complete chart.

    Args:
        place: The frame of the marks.
        marks: Results of `line` and the other functions; drawn in this order.
        name: Unique among the page's charts.
        title: What is drawn.
        words: The same in a sentence or two, for those who do not see it.
    """
    clip = f"{name}-c"
    x, y = place.x, place.y
    return (
        _head(place.width, place.height, name, title, words)
        + f'<clipPath id="{clip}"><rect x="{x.begin:g}" y="{y.end - 4:g}" '
        f'width="{x.end - x.begin + 6:g}" height="{y.begin - y.end + 5:g}"/></clipPath>'
        + _axes(place)
        + f'<g clip-path="url(#{clip})">{"".join(marks)}</g></svg>'
    )


def bare(
    width: float, height: float, marks: Iterable[str], *, name: str, title: str, words: str
) -> str:
    """Return a chart without axes; see `drawing`."""
    return f"{_head(width, height, name, title, words)}{''.join(marks)}</svg>"


def _head(width: float, height: float, name: str, title: str, words: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="{name}-t {name}-d"><title id="{name}-t">{written(title)}</title>'
        f'<desc id="{name}-d">{written(words)}</desc>'
    )


def _axes(place: Frame) -> str:
    x, y = place.x, place.y
    parts = []
    for tick in y.ticks():
        at = y.at(tick)
        written = f"{tick:.0%}" if place.is_percent else number(tick)
        parts.append(
            f'<line class="grid" x1="{x.begin:g}" x2="{x.end:g}" y1="{at:.1f}" y2="{at:.1f}"/>'
        )
        parts.append(text(x.begin - 7, at + 4, written, anchor="end"))
    parts.append(
        f'<line class="axis" x1="{x.begin:g}" x2="{x.end:g}" y1="{y.begin:g}" y2="{y.begin:g}"/>'
    )
    for tick in _sparse(x) if place.has_ticks else ():
        at = x.at(tick)
        parts.append(f'<path class="axis" d="M{at:.1f} {y.begin:g}v4"/>')
        parts.append(text(at, y.begin + 17, number(tick), anchor="middle"))
    parts.append(text(x.end, y.begin + 34, place.x_name, "name", anchor="end"))
    parts.append(text(0, 12, place.y_name, "name"))
    return "".join(parts)


def _sparse(x: Scale) -> list[float]:
    """Return the ticks of an axis that have room for their numbers."""
    ticks = x.ticks()
    room = max((len(number(tick)) for tick in ticks), default=1) * LETTER + 14
    every = max(1, ceil(room * max(1, len(ticks) - 1) / (x.end - x.begin)))
    return ticks[::every]


def text(x: float, y: float, words: str, kind: str = "", *, anchor: str = "start") -> str:
    """Write words at a point."""
    classes = f' class="{kind}"' if kind else ""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{classes}{side}>{written(words)}</text>'


def line(place: Frame, points: Iterable[tuple[float, float]], kind: str) -> str:
    """Draw a line through points."""
    path = _path(place, points)
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def band(place: Frame, points: Sequence[tuple[float, float, float]]) -> str:
    """Fill the area between two y values, from point to point."""
    if not points:
        return ""
    over = [(x, high) for x, _, high in points]
    under = [(x, low) for x, low, _ in reversed(points)]
    return f'<path class="band" d="{_path(place, [*over, *under])}Z"/>'


def _path(place: Frame, points: Iterable[tuple[float, float]]) -> str:
    """Return an SVG path through points, in tenths of a unit, without repeats."""
    found: list[str] = []
    for x, y in points:
        at = f"{place.x.at(x):.1f} {place.y.at(y):.1f}".replace(".0", "")
        if not found or found[-1] != at:
            found.append(at)
    return "M" + "L".join(found) if found else ""


def dots(place: Frame, points: Iterable[tuple[float, float, float]], kind: str) -> str:
    """Draw circles at points; the third number is the radius."""
    return "".join(
        f'<circle class="{kind}" cx="{place.x.at(x):.1f}" cy="{place.y.at(y):.1f}" r="{r:.1f}"/>'
        for x, y, r in points
    )


def spans(place: Frame, points: Iterable[tuple[float, float, float]], kind: str = "span") -> str:
    """Draw vertical lines, each between two y values."""
    return "".join(
        f'<path class="{kind}" d="M{place.x.at(x):.1f} {place.y.at(low):.1f}'
        f'V{place.y.at(high):.1f}"/>'
        for x, low, high in points
    )


def bars(place: Frame, points: Iterable[tuple[float, float, float]], kind: str) -> str:
    """Draw bars from the bottom: each between two x values, with a height."""
    found = []
    for begin, end, high in points:
        left, right, top = place.x.at(begin), place.x.at(end), place.y.at(high)
        gap = min(1.0, (right - left) * 0.15)
        found.append(
            f'<rect class="{kind}" x="{left + gap:.1f}" y="{top:.1f}" '
            f'width="{max(0.5, right - left - 2 * gap):.1f}" height="{place.y.begin - top:.1f}"/>'
        )
    return "".join(found)


def rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Draw a rectangle."""
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" '
        f'height="{height:.1f}" rx="2"/>'
    )


def key(place: Frame, entries: Sequence[tuple[str, str]]) -> str:
    """Draw a legend above the area for marks.

    Args:
        place: The chart's frame.
        entries: Class and words of each.
    """
    parts, x, y = [], place.x.begin, TOP - 23.0
    for kind, words in entries:
        wide = 24 + LETTER * len(words)
        if x + wide > place.width and x > place.x.begin:
            x, y = place.x.begin, y + 14
        parts.append(_sample(kind, x, y))
        parts.append(text(x + 22, y + 4, words, "name"))
        x += wide + 14
    return "".join(parts)


def _sample(kind: str, x: float, y: float) -> str:
    if kind.startswith("l"):
        return f'<line class="{kind}" x1="{x:.1f}" x2="{x + 17:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
    if kind in ("dot", "ring", "hollow"):
        return f'<circle class="{kind}" cx="{x + 9:.1f}" cy="{y:.1f}" r="4.5"/>'
    if kind == "span":
        return f'<path class="span" d="M{x + 9:.1f} {y - 5:.1f}V{y + 5:.1f}"/>'
    return rect(x, y - 5, 17, 10, kind)
