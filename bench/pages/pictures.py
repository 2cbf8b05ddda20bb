"""Draw the pictures of the explanations from measurements on this machine.

    python -m bench.pages.pictures

Writes coverage.svg (coverage over repeats, strategies on the docstrings of the standard library)
and interval.svg (documents held and estimated, while the demo site is harvested).
"""

import tempfile
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import longline

FOLDER = Path(__file__).parents[2] / "docs/explanations"
WIDE, HIGH = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 130, 14, 44
INK = "#7a7a7a"
COLOURS = ("#0d9488", "#d97706", "#7c6cf0", "#c2410c")
"""Visible on white and on black."""

STRATEGIES = ("auto", "adaptive", "full-knowledge")
BUDGETS = (600, 1200, 1800, 2400, 3000, 3600, 4400)

Scale = Callable[[float], float]
Points = Sequence[tuple[float, float]]


def scale(low: float, high: float, begin: float, end: float) -> Scale:
    """Return a function that maps a value to its coordinate.

    >>> scale(0, 10, 100, 200)(5)
    150.0
    """
    return lambda value: begin + (value - low) / (high - low) * (end - begin)


def text(x: float, y: float, said: str, *, anchor: str = "start", fill: str = INK) -> str:
    """Return a text at a position, as SVG."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(said)}</text>'
    )


def line(points: Points, colour: str, *, dashed: bool = False, width: float = 2) -> str:
    """Return a line through points, as SVG."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'


def axes(x: Scale, y: Scale, ticks: tuple[Sequence[float], Sequence[float]], name: str) -> str:
    """Return both axes as SVG; the name is that of the horizontal one."""
    across, up = ticks
    parts = [
        line([(LEFT, TOP), (LEFT, HIGH - BOTTOM), (WIDE - RIGHT, HIGH - BOTTOM)], INK, width=1)
    ]
    parts += [text(x(each), HIGH - BOTTOM + 16, f"{each:,g}", anchor="middle") for each in across]
    parts += [text(LEFT - 6, y(each) + 4, f"{each:,g}", anchor="end") for each in up]
    parts.append(text((LEFT + WIDE - RIGHT) / 2, HIGH - 6, name, anchor="middle"))
    return "".join(parts)


def svg(title: str, parts: Sequence[str]) -> str:
    """Return a picture, with a title for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>{escape(title)}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def coverage(curves: dict[str, Points]) -> str:
    """Draw coverage (%) over results received per document, one curve per strategy."""
    x = scale(1, 4, LEFT, WIDE - RIGHT)
    y = scale(0, 100, HIGH - BOTTOM, TOP)
    parts = [axes(x, y, ((1, 2, 3, 4), (0, 25, 50, 75, 100)), "results received per document")]
    parts.append(text(WIDE - RIGHT, HIGH - BOTTOM - 8, "% of the documents, upwards", anchor="end"))
    for place, (name, points) in enumerate(curves.items()):
        shown = [(x(over), y(100 * held)) for over, held in points if 1 <= over <= 4]
        colour = COLOURS[place]
        parts.append(line(shown, colour))
        parts.append(text(WIDE - RIGHT + 8, TOP + 30 + 20 * place, name, fill=colour))
    return svg("Coverage by results received per document", parts)


def interval(rows: Sequence[tuple[int, int, int, int, int]], truth: int) -> str:
    """Draw (requests, held, size, low, high) during a harvest; `truth` is the true size."""
    most = 2.4 * truth
    x = scale(0, rows[-1][0], LEFT, WIDE - RIGHT)
    y = scale(0, most, HIGH - BOTTOM, TOP)
    across = [each[0] for each in rows[::2]]
    parts = [axes(x, y, (across, [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000]), "requests")]
    parts.append(line([(LEFT, y(truth)), (WIDE - RIGHT, y(truth))], INK, dashed=True, width=1))
    parts.append(text(WIDE - RIGHT + 8, y(truth) + 4, "true total"))
    for spent, _, size, low, high in rows:
        top = min(high, most)
        if high > most:
            parts.append(text(x(spent) + 8, y(top) + 10, f"to {high:,}", fill=COLOURS[1]))
        parts.append(line([(x(spent), y(low)), (x(spent), y(top))], COLOURS[1], width=7))
        parts.append(f'<circle cx="{x(spent):.1f}" cy="{y(size):.1f}" r="4" fill="{COLOURS[3]}"/>')
    parts.append(line([(x(0), y(0)), *((x(r[0]), y(r[1])) for r in rows)], COLOURS[0]))
    parts.append(text(WIDE - RIGHT + 8, y(truth) + 44, "saved", fill=COLOURS[0]))
    parts.append(text(WIDE - RIGHT + 8, TOP + 30, "estimate and its", fill=COLOURS[1]))
    parts.append(text(WIDE - RIGHT + 8, TOP + 46, "95 % interval", fill=COLOURS[1]))
    return svg("Documents saved, and the estimated total, by requests", parts)


def measured_coverage() -> dict[str, Points]:
    """Run the strategies on a simulated source with 100 results per search and 50 per page."""
    outcomes = longline.compare("docstrings", STRATEGIES, seeds=1)
    return {each.strategy: thinned(each.curve) for each in outcomes}


def thinned(points: Points, least: float = 0.02) -> Points:
    """Leave out points that are closer than `least` to the previous one."""
    kept = [points[0]]
    for over, held in points[1:]:
        far = abs(over - kept[-1][0]) + abs(held - kept[-1][1]) >= least
        if far or (over, held) == points[-1]:
            kept.append((over, held))
    return kept


def measured_interval() -> tuple[list[tuple[int, int, int, int, int]], int]:
    """Harvest the demo site with growing budgets; return figures of each certificate."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, longline.demo_site() as url:
        for budget in BUDGETS:
            done = longline.harvest(url, folder, allow_private=True, max_requests=budget)
            found = done.certificate
            low, high = found.size_low or 0, found.size_high or 0
            rows.append((found.requests, found.documents, found.size or 0, low, high))
            if found.outcome == "complete":
                break
    return rows, 2998


def main() -> None:
    """Measure, and write both pictures."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "coverage.svg").write_text(coverage(measured_coverage()))
    rows, truth = measured_interval()
    (FOLDER / "interval.svg").write_text(interval(rows, truth))
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
