"""Charts of the documents' fields, and of missing documents by the source's own counts."""

from longline.reports.charts import SMALL, keyed
from longline.reports.figures import Figures
from longline.reports.svg import Frame, Scale, bare, bars, drawing, frame, rect, text
from longline.text.numbers import counted


def full_fields(figures: Figures, name: str) -> str:
    """Draw how many of the documents have each field."""
    if not figures.fields or not figures.fields[0].documents:
        return ""
    width, step, left = SMALL[0], 28.0, 96.0
    marks = []
    for row, each in enumerate(figures.fields):
        y, share = 6 + row * step, each.filled / each.documents
        marks.append(text(left - 8, y + 13, each.name[:14], anchor="end"))
        marks.append(rect(left, y, width - left - 62, 18, "f0"))
        marks.append(rect(left, y, (width - left - 62) * share, 18, "f1"))
        marks.append(text(width - 54, y + 13, _percent(each.filled, each.documents), "strong"))
    words = "; ".join(
        f"{each.name}: {_percent(each.filled, each.documents)}" for each in figures.fields
    )
    title = "How many documents have each field"
    return bare(width, 10 + step * len(figures.fields), marks, name=name, title=title, words=words)


def _percent(part: int, whole: int) -> str:
    """Write a share; only all is 100 %, and only none is 0 %.

    >>> _percent(999, 1000), _percent(9999, 10000), _percent(1, 10000), _percent(2, 2)
    ('99.9%', '99.9%', '0.1%', '100%')
    """
    if part in (0, whole):
        return "100%" if part else "0%"
    return f"{min(99.9, max(0.1, 100 * part / whole)):.1f}%"


def documents_by_date(figures: Figures, field: str, name: str) -> str:
    """Draw how many of the documents are of each year or month, by one of their fields."""
    dates = [each for each in figures.dates if each.field == field]
    if not dates:
        return ""
    most = max(each.documents for each in dates)
    place = frame(SMALL, Scale(len(dates)), Scale(1.05 * most), ("", f"documents by {field}"))
    marks = [bars(place, [(at, at + 1, each.documents) for at, each in enumerate(dates)], "f1")]
    dated = counted(sum(each.documents for each in dates), "document has", "documents have")
    words = f"{dated} a date, from {dates[0].period} to {dates[-1].period}."
    drawn = drawing(
        place._replace(has_ticks=False),
        marks,
        name=name,
        title=f"Documents by {field}",
        words=words,
    )
    return _with_ends(drawn, place, dates[0].period, dates[-1].period)


def documents_by_part(figures: Figures, facet: str, name: str) -> str:
    """Draw the source's count for each value of a facet, and the documents received."""
    parts = [part for part in figures.parts if part.facet == facet]
    if not parts:
        return ""
    most = max(1, *(max(part.reported, part.received) for part in parts))
    place = frame(
        SMALL, Scale(len(parts)), Scale(1.05 * most), ("", f"documents by {facet}")
    )._replace(has_ticks=False)
    reported = [(at, at + 1, part.reported) for at, part in enumerate(parts)]
    received = [(at, at + 1, part.received) for at, part in enumerate(parts)]
    marks = [bars(place, reported, "f0"), bars(place, received, "f1")]
    entries = [("f1", "received"), ("f0", "missing of what the source counts")]
    missing = sum(max(0, part.reported - part.received) for part in parts)
    lacking = counted(missing, "document is", "documents are")
    words = f"By the source's own counts {lacking} missing, over {counted(len(parts), 'part')}."
    drawn = keyed(place, marks, entries, name, f"Documents by {facet}", words)
    return _with_ends(drawn, place, parts[0].value, parts[-1].high or parts[-1].value)


def _with_ends(drawn: str, place: Frame, first: str, last: str) -> str:
    """Write the first and the last value below an axis; there is no room for the others."""
    y = place.y.begin + 17
    ends = text(place.x.begin, y, first) + text(place.x.end, y, last, anchor="end")
    return drawn.replace("</svg>", f"{ends}</svg>")
