"""Charts of a harvest, each from its figures; "" if there is no data."""

from collections.abc import Sequence
from math import sqrt

from longline.reports.course import Asked, Point
from longline.reports.figures import Claim, Figures
from longline.reports.svg import (
    Frame,
    Scale,
    band,
    bare,
    bars,
    dots,
    drawing,
    frame,
    key,
    line,
    rect,
    spans,
    text,
)
from longline.text.numbers import counted, percent

SMALL = (460.0, 300.0)
WIDE = (940.0, 380.0)
"""Width and height; a wide chart has a row of its own."""

LINES = ("l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8")
"""Line styles of several harvests in one chart."""

MOST_RATE = 6.0
"""Maximum of results per document on a chart's axis."""


def coverage(figures: Figures, name: str) -> str:
    """Draw the held documents as a part of the total, with the interval of the total."""
    found = figures.certificate
    held, low, high = found.documents, found.size_low or 0, found.size_high
    most = max(held, low, high or 0, found.size or 0) * (1.0 if high is not None else 1.15)
    if not most or found.size is None:
        return ""
    width, height = WIDE[0], 44.0
    at = Scale(most, 0, width).at
    end = width if high is None else at(high)
    marks = [
        rect(0, 6, end, 20, "f0"),
        rect(at(low), 6, max(2.0, end - at(low)), 20, "band"),
        rect(0, 6, at(held), 20, "f1"),
    ]
    if low != high:
        tick = at(found.size)
        marks.append(f'<path class="l2" d="M{tick:.1f} 2V30"/>')
    words = f"{held:,} saved of about {found.size:,}"
    return bare(width, height, marks, name=name, title="Saved, of all documents", words=words)


def documents_over_requests(
    points: Sequence[Point], name: str, size: tuple[float, float] = SMALL
) -> str:
    """Draw the documents held over the requests sent, and the estimated total with its interval."""
    if not points or not points[-1].requests:
        return ""
    last = points[-1]
    top = 1.06 * max(last.documents, last.size or 0, min(last.high or 0, 3 * (last.size or 1)), 1)
    place = frame(size, Scale(last.requests), Scale(top), ("requests sent", "documents"))
    known = [point for point in points if point.size is not None]
    between = [(point.requests, point.low or 0, point.high or 2 * top) for point in known]
    totals = [(point.requests, point.size or 0, 0) for point in known]
    is_given = known and all(point.low == point.high for point in known)
    marks = [
        "" if is_given else band(place, _steps(between)),
        line(place, [(x, total) for x, total, _ in _steps(totals)], "l2"),
        line(place, [(p.requests, p.documents) for p in points], "l1"),
    ]
    entries = [("l1", "saved")]
    if known:
        entries.append(("l2", "total, as given" if is_given else "total, as estimated then"))
    if known and not is_given:
        entries.append(("band", "95 % sure to be in here"))
    held = counted(last.documents, "document is", "documents are")
    words = f"{held} saved after {counted(last.requests, 'request')}."
    if last.size is not None:
        words += f" The total is {'' if is_given else 'about '}{last.size:,}"
        words += "." if is_given else f", {_interval(last.low, last.high)}."
    return keyed(place, marks, entries, name, "Documents saved over requests sent", words)


def _steps(points: Sequence[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Return points of a step line: each value is constant until the next one."""
    found: list[tuple[float, float, float]] = []
    for x, low, high in points:
        if found and found[-1][1:] != (low, high):
            found.append((x, *found[-1][1:]))
        found.append((x, low, high))
    return found


def _interval(low: int | None, high: int | None) -> str:
    return f"at least {low or 0:,}" if high is None else f"between {low or 0:,} and {high:,}"


def coverage_over_repeats(course: Sequence[Point], name: str) -> str:
    """Draw the hit rate over the overlapping rate, with the line of the fewest possible pages.

    Source: Fu 2011, Figures 16 to 18.
    """
    total = course[-1].size if course else None
    points = [point for point in course if point.unique]
    if not total or not points:
        return ""
    curve = [(p.rows / p.unique, min(1.0, p.unique / total)) for p in points]
    right = min(MOST_RATE, max(1.6, *(rate + 0.1 for rate, _ in curve)))
    place = frame(
        SMALL,
        Scale(right, low=1.0),
        Scale(1.0),
        ("results received per different document", "coverage by the harvest's own searches"),
        is_percent=True,
    )
    steps = [1 + (right - 1) * part / 60 for part in range(61)]
    marks = [
        line(place, [(rate, 1 / rate) for rate in steps], "least"),
        line(place, curve, "l1"),
        dots(place, [(*curve[-1], 4.5)], "f1"),
    ]
    entries = [
        ("l1", "this harvest"),
        ("least", "as many results as the fewest possible pages show"),
    ]
    rate, share = curve[-1]
    words = (
        f"The harvest's own searches brought {percent(share)} of the documents, and each of these "
        f"{rate:.2f} times. The dashed line is where a harvest stands that has received as many "
        f"results as there are documents."
    )
    return keyed(place, marks, entries, name, "Coverage over repeats", words)


def new_per_search(figures: Figures, name: str) -> str:
    """Draw how many new documents each search brought, in order."""
    groups = figures.searches
    if not groups:
        return ""
    last = groups[-1].first + groups[-1].searches - 1
    heights = [(g.first - 0.5, g.first + g.searches - 0.5, g.new / g.searches) for g in groups]
    most = max(max(height for *_, height in heights), 1.0)
    place = frame(
        SMALL,
        Scale(last + 0.5, low=0.5),
        Scale(1.05 * most),
        ("search, in the order they were sent", "new documents per search"),
    )
    total, many = sum(group.new for group in groups), groups[0].searches
    brought = counted(total, "new document")
    words = f"{counted(last, 'search')} brought {brought}, {total / last:,.1f} each."
    if many > 1:
        words += f" A bar stands for {many:,} searches."
    return drawing(
        place,
        [bars(place, heights, "f1")],
        name=name,
        title="New documents per search",
        words=words,
    )


def matches_along_the_way(figures: Figures, name: str) -> str:
    """Draw how many documents the searches match, in order."""
    groups = [group for group in figures.searches if group.df_median is not None]
    if not groups:
        return ""
    last = figures.searches[-1].first + figures.searches[-1].searches - 1
    most = max(group.df_high or 0 for group in groups)
    place = frame(
        SMALL,
        Scale(last + 0.5, low=0.5),
        Scale(max(9.0, 1.2 * most), is_log=True),
        ("search, in the order they were sent", "documents that match a search"),
    )
    middle = [(g.first + (g.searches - 1) / 2, g) for g in groups]
    marks = [dots(place, [(x, g.df_median or 0, 2.4) for x, g in middle], "f1")]
    entries = [("f1", "one search" if groups[0].searches == 1 else "middle of a group")]
    if groups[0].searches > 1:
        marks.insert(0, spans(place, [(x, g.df_low or 0, g.df_high or 0) for x, g in middle]))
        entries.append(("span", "least to most"))
    words = f"A search matches up to {counted(round(most), 'document')}. The scale grows by tens."
    return keyed(place, marks, entries, name, "Documents that match each search", words)


def reported_against_received(figures: Figures, name: str) -> str:
    """Draw the reported number of matches of each search against the number received."""
    claims = figures.claims
    if not claims:
        return ""
    most = max(9.0, *(1.3 * max(each.reported, each.received) for each in claims))
    place = frame(
        SMALL,
        Scale(most, is_log=True),
        Scale(most, is_log=True),
        ("results that the source reports", "results received"),
    )
    diagonal = [(0.0, 0.0), (most, most)]
    marks = [line(place, diagonal, "least")]
    counts = {}
    for kind in ("dot", "hollow", "ring"):
        chosen = [each for each in claims if _state(each) == kind]
        counts[kind] = sum(each.searches for each in chosen)
        sizes = [
            (each.reported, each.received, min(9.0, 2 + 0.6 * sqrt(each.searches)))
            for each in chosen
        ]
        marks.append(dots(place, sizes, kind))
    entries = [
        ("dot", f"whole ({counts['dot']:,})"),
        ("ring", f"cut ({counts['ring']:,})"),
        ("hollow", f"further pages not asked for ({counts['hollow']:,})"),
        ("least", "all that is reported"),
    ]
    words = (
        f"Of {counted(sum(counts.values()), 'search')} whose total is known, "
        f"{counted(counts['ring'], 'was', 'were')} cut, "
        f"and of {counts['hollow']:,} further pages were not asked for. Those below the dashed "
        f"line brought less than the source reports. The scales grow by tens."
    )
    return keyed(place, marks, entries, name, "Results reported and received", words)


def _state(claim: Claim) -> str:
    """Return the mark of searches: a dot if complete, a ring if cut, otherwise hollow."""
    if claim.is_cut:
        return "ring"
    return "dot" if claim.received >= claim.reported else "hollow"


def sizes_over_time(figures: Figures, name: str) -> str:
    """Draw each estimate of the total with its interval, and the documents held at that time."""
    known = [each for each in figures.sizes if each.size is not None]
    if not known:
        return ""
    top = 1.06 * max(known[-1].held, *(min(e.high or 0, 2 * (e.size or 0)) for e in known))
    top = max(top, 1.06 * max(each.size or 0 for each in known))
    last = max(figures.course[-1].requests, 1)
    place = frame(SMALL, Scale(last), Scale(top), ("requests sent", "documents"))
    intervals = [(e.requests, e.low or 0, e.high or 2 * top) for e in known]
    marks = [
        line(place, [(p.requests, p.documents) for p in figures.course], "l1"),
        spans(place, intervals, "l6"),
        dots(place, [(e.requests, e.size or 0, 3.5) for e in known], "f2"),
    ]
    entries = [("f2", "estimate, with its interval"), ("l1", "saved by then")]
    newest = known[-1]
    words = (
        f"{len(known):,} estimates; the newest is {newest.size:,}, "
        f"{_interval(newest.low, newest.high)}."
    )
    return keyed(place, marks, entries, name, "Estimates of the total", words)


def requests_by_outcome(asked: Sequence[Asked], name: str) -> str:
    """Draw the requests by purpose and by result."""
    if not asked:
        return ""
    kinds = sorted(asked, key=lambda each: -each.requests)
    width, step, left = SMALL[0], 30.0, 128.0
    place = frame(SMALL, Scale(1), Scale(1), ("", ""))._replace(
        x=Scale(max(each.requests for each in kinds) or 1, left, width - 60)
    )
    marks = []
    for row, each in enumerate(kinds):
        y = 46 + row * step
        marks.append(text(left - 8, y + 13, each.kind, anchor="end"))
        x = left
        for kind, count in _came(each):
            wide = place.x.at(count) - left
            marks.append(rect(x, y, max(wide, 1.0 if count else 0.0), 18, kind))
            x += wide
        marks.append(text(max(x, left) + 7, y + 13, f"{each.requests:,}", "strong"))
    entries = [
        ("f1", "brought it"),
        ("f3", "empty"),
        ("f2", "failed"),
        ("f4", "redirects, frames, tries"),
    ]
    marks.append(key(place._replace(x=Scale(1, 0, width)), entries))
    words = "; ".join(f"{each.kind}: {each.requests:,}" for each in kinds)
    return bare(
        width, 52 + step * len(kinds), marks, name=name, title="Requests by purpose", words=words
    )


def _came(asked: Asked) -> tuple[tuple[str, int], ...]:
    return ("f1", asked.brought), ("f3", asked.empty), ("f2", asked.failed), ("f4", asked.extra)


def side_by_side(
    courses: Sequence[tuple[str, Sequence[Point]]], name: str, size: tuple[float, float] = WIDE
) -> str:
    """Draw the documents of several harvests over the requests that each sent."""
    drawn = [(label, points) for label, points in courses if points and points[-1].requests]
    if not drawn:
        return ""
    most = max(points[-1].requests for _, points in drawn)
    top = 1.06 * max(1, *(point.documents for _, points in drawn for point in points))
    place = frame(size, Scale(most), Scale(top), ("requests sent", "documents saved"))
    kinds = list(zip(LINES, drawn, strict=False))
    marks = [
        line(place, [(p.requests, p.documents) for p in points], kind)
        for kind, (_, points) in kinds
    ]
    entries = [(kind, label) for kind, (label, _) in kinds]
    words = "; ".join(
        f"{label}: {counted(points[-1].documents, 'document')} "
        f"after {counted(points[-1].requests, 'request')}"
        for _, (label, points) in kinds
    )
    return keyed(place, marks, entries, name, "Documents saved over requests sent", words)


def keyed(
    place: Frame,
    marks: Sequence[str],
    entries: Sequence[tuple[str, str]],
    name: str,
    title: str,
    words: str,
) -> str:
    """Return a chart with a legend."""
    drawn = drawing(place, marks, name=name, title=title, words=words)
    return drawn.replace("</svg>", f"{key(place, entries)}</svg>")
