"""The parts of a report on one harvest, in reading order."""

from collections.abc import Callable, Iterator
from datetime import datetime

from longline.ledger import CHART_COLUMNS, MEANINGS, ODD_KINDS, short
from longline.reports import charts, html
from longline.reports import documents as drawn_documents
from longline.reports.course import Asked
from longline.reports.figures import MOST_ROWS, Figures, Missed
from longline.reports.html import written
from longline.text.numbers import counted, percent
from longline.text.safe import quoted

LESS = (4, 5, 6, 7)
"""Columns of the record chart that are hidden on small screens."""

FEWER = (5, 6)
"""Columns of the requests table that are hidden on small screens."""

Drawn = tuple[Callable[[Figures, str], str], str, str]

CHARTS: tuple[Drawn, ...] = (
    (
        lambda figures, name: charts.coverage_over_repeats(figures.course, name),
        "Coverage over repeats",
        "Up is good: more of the source. Right is waste: results that came before. Without any "
        "repeat a harvest would go straight up. On the dashed line it has received as many results "
        "as there are documents, which is what the fewest possible result pages show.",
    ),
    (
        charts.new_per_search,
        "New documents per search",
        "How many documents each search brought that no search had brought before. Where the bars "
        "are low for long, more searches bring little.",
    ),
    (
        charts.matches_along_the_way,
        "How many documents each search matches",
        "As the source reports it, else as many as came. The scale grows by tens.",
    ),
    (
        charts.reported_against_received,
        "Reported and received",
        "Searches on the dashed line brought all that the source reports for them. Rings are "
        "searches that were cut short: the source kept the rest out of sight. Dashed rings are "
        "searches whose further pages were not asked for.",
    ),
    (
        charts.sizes_over_time,
        "Estimates of the total",
        "Each point is an estimate from test searches, with the interval that holds the true total "
        "in 95 of 100 such cases. They should get narrower, and agree.",
    ),
)
"""Charts of the searches, with titles and explanations."""


def beginning(figures: Figures, name: str, level: int) -> str:
    """Return the verdict: how much is saved, how sure that is, and what to do next."""
    found = figures.certificate
    gauge = charts.coverage(figures, f"{name}-gauge")
    heading = f"<h{level}>{written(figures.headline)}</h{level}>"
    return (
        f'<p class="kicker">{html.linked(found.source)} · {written(_dates(figures))}</p>{heading}'
        f'<p><span class="badge {found.outcome}">Outcome: {written(outcome(figures))}</span></p>'
        + (f'<figure class="gauge">{gauge}{_gauge_words(figures)}</figure>' if gauge else "")
        + html.facts(_facts(figures))
        + html.definitions(figures.verdict, "verdict")
        + _next(figures, level + 1)
    )


def outcome(figures: Figures) -> str:
    """Say in a word how a harvest ended, or that it is running."""
    found = figures.certificate
    if figures.is_running:
        return "running"
    return f"{found.outcome} ({found.cause})" if found.cause else found.outcome


def _gauge_words(figures: Figures) -> str:
    found = figures.certificate
    if found.size_low == found.size_high:
        return "<figcaption>Filled: saved. Grey: missing.</figcaption>"
    return (
        "<figcaption>Filled: saved. Grey: missing for sure. Tinted: where the total may lie; "
        "the mark is the best estimate.</figcaption>"
    )


def _facts(figures: Figures) -> Iterator[tuple[str, str, str]]:
    found = figures.certificate
    yield "Saved", f"{found.documents:,}", MEANINGS["saved"]
    if found.size is not None:
        low, high = found.size_low, found.size_high
        exact = low == high
        between = f"{low:,} or more" if high is None else f"{low:,} to {high:,}"
        note = found.size_source if exact else f"{between}, 95 % sure"
        yield "Total", f"{'' if exact else 'about '}{found.size:,}", note
    elif found.size_low is not None:
        yield "Total", f"at least {found.size_low:,}", found.size_source
    yield "Coverage", percent(found.hit_rate, "not known"), MEANINGS["coverage"]
    fewest = figures.fewest_pages
    note = "" if fewest is None else f"; {fewest:,} full pages could show every document"
    pages = f"{found.result_pages:,} result pages, {found.document_pages:,} document pages{note}"
    yield "Requests", f"{found.requests:,}", pages
    tests = f", and {found.probes:,} test searches to estimate the total" if found.probes else ""
    yield "Searches", f"{found.queries:,}", f"{MEANINGS['search']}{tests}"
    if found.overlapping_rate is not None:
        times = f"{found.overlapping_rate:.2f} times"
        yield "Each document came", times, "once would be no repeat at all"


def _span(figures: Figures) -> str:
    seconds = figures.course[-1].seconds if figures.course else 0
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:,.0f} min" if seconds < 7200 else f"{seconds / 3600:,.1f} h"


def _dates(figures: Figures) -> str:
    found = figures.certificate
    begun, ended = (_moment(each) for each in (found.begun_at, found.ended_at))
    if begun == ended:
        return f"{begun} UTC"
    if begun[:10] == ended[:10]:
        ended = ended[11:]
    return f"{begun} to {ended} UTC ({_span(figures)})"


def _moment(text: str | None) -> str:
    return "?" if text is None else f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M}"


def _next(figures: Figures, level: int) -> str:
    steps = "".join(
        f"<li>{written(words)}{f': <code>{written(command)}</code>' if command else '.'}</li>"
        for words, command in figures.next_steps
    )
    if not steps:
        return ""
    heading = f"<h{level}>What to do next</h{level}>"
    return f'<section class="next">{heading}<ol>{steps}</ol></section>'


def how_it_went(figures: Figures, name: str, level: int) -> str:
    """Return the charts of the documents and of the searches."""
    words = (
        "The line is what is saved after so many requests. The dashed line is the total as it was "
        "estimated then, and the band is where it lies with a certainty of 95 %."
    )
    if figures.certificate.size_low == figures.certificate.size_high:
        words = "What is saved after so many requests."
    wide = charts.documents_over_requests(figures.course, f"{name}-w", charts.WIDE)
    narrow = charts.documents_over_requests(figures.course, f"{name}-n")
    both = f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>' if wide else ""
    drawn = [
        html.figure(draw(figures, f"{name}-{place}"), title, said, level + 1)
        for place, (draw, title, said) in enumerate(CHARTS)
    ]
    drawn.append(_requests_drawn(figures, name, level + 1))
    if not both:
        return f"<h{level}>How it went</h{level}><p>Nothing was asked yet.</p>"
    return (
        f"<h{level}>How it went</h{level}>{html.figure(both, '', words)}"
        f'<div class="charts">{"".join(drawn)}</div>'
    )


def requests(figures: Figures, level: int) -> str:
    """Return the table of requests by purpose and result."""
    columns = ("purpose", "requests", "brought it", "empty", "failed", "extra", "not sent")
    kinds = sorted(figures.asked, key=lambda each: -each.requests)
    if not kinds:
        return ""
    rows = [html.row(_of_kind(each), FEWER) for each in kinds]
    caption = f"{counted(figures.certificate.requests, 'request')} in all"
    table = html.table(caption, columns, rows, kind="numbers", less=FEWER)
    return f"<h{level}>What the requests came to</h{level}>{table}"


def _requests_drawn(figures: Figures, name: str, level: int) -> str:
    words = (
        "A request is one question sent to the site. Extra are redirects, frames of a page, and "
        "tries before the one that came. The table below has the numbers."
    )
    drawing = charts.requests_by_outcome(figures.asked, f"{name}-r")
    return html.figure(drawing, "What the requests were for", words, level)


def _of_kind(asked: Asked) -> list[str]:
    numbers = (
        asked.requests,
        asked.brought,
        asked.empty,
        asked.failed,
        asked.extra,
        asked.not_sent,
    )
    return [asked.kind, *(f"{number:,}" for number in numbers)]


def documents(figures: Figures, name: str, level: int) -> str:
    """Return charts of the documents' fields, and of missing documents by date or facet."""
    drawn = [
        html.figure(
            drawn_documents.full_fields(figures, f"{name}-f"),
            "How many have each field",
            "Of the documents that are saved, how many have anything in a field.",
            level + 1,
        )
    ]
    for place, field in enumerate(dict.fromkeys(each.field for each in figures.dates)):
        said = "Of the documents that are saved. A gap may be a hole, or a time without any."
        drawing = drawn_documents.documents_by_date(figures, field, f"{name}-d{place}")
        drawn.append(html.figure(drawing, f"Documents by {field}", said, level + 1))
    for place, facet in enumerate(dict.fromkeys(part.facet for part in figures.parts)):
        said = (
            "The source's own count of each part, and what came of it. Grey is missing: a hole at "
            "that place."
        )
        drawing = drawn_documents.documents_by_part(figures, facet, f"{name}-p{place}")
        drawn.append(html.figure(drawing, f"Documents by {facet}", said, level + 1))
    if not any(drawn):
        return ""
    return f'<h{level}>Documents</h{level}><div class="charts">{"".join(drawn)}</div>'


def record_chart(figures: Figures, level: int) -> str:
    """Return the record chart: one row per search, or the first and the last ones."""
    rows = figures.chart
    if not rows:
        return ""
    parts = [
        html.row(
            (
                short(each.query), _count(each.reported), _count(each.received), _count(each.new),
                _count(each.repeats), _count(each.total_received), _count(each.total_unique),
                "?" if each.overlapping_rate is None else f"{each.overlapping_rate - 1:.2f}",
                percent(each.hit_rate), " ".join(each.cuts),
            ),
            LESS,
        )
        for each in rows
    ]  # fmt: skip
    left = figures.left_out.get("chart", 0)
    caption = "A row for each search, in the order they were sent."
    if left:
        half = len(rows) // 2
        words = f"{left:,} more; longline status {quoted(figures.folder)} --json has all"
        parts.insert(half, html.gap(len(CHART_COLUMNS), words))
        caption = f"The first {half} and the last {half} of {len(rows) + left:,} searches."
    table = html.table(caption, CHART_COLUMNS, parts, kind="record", less=LESS, can_sort=True)
    return f"<h{level}>Record chart</h{level}>{table}"


def _count(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"


def not_got(figures: Figures, level: int) -> str:
    """Return every cut, failed page and failed document, in collapsed sections."""
    cuts = [
        html.row((short(each.query), each.cut, _count(each.reported), _count(each.received)))
        for each in figures.certificate.truncations
    ]
    columns = ("search", "cut", "reported", "received")
    parts = [
        _folded(figures, "Searches that were cut short", "truncations", cuts, columns),
        _folded(figures, "Result pages that did not come", "failed_pages",
                list(map(_missed, figures.failed_pages)), ("page", "reason")),
        _folded(figures, "Documents that did not come", "failed_documents",
                list(map(_missed, figures.failed_documents)), ("document", "reason")),
    ]  # fmt: skip
    odd = [
        html.row(
            (
                short(each.query),
                ODD_KINDS.get(each.kind, each.kind),
                f"{each.reported:,g}",
                f"{each.found:,g}",
            )
        )
        for each in figures.certificate.discrepancies
    ]
    columns = ("search", "what", "reported", "found")
    parts.append(_folded(figures, "Answers that do not add up", "discrepancies", odd, columns))
    return f"<h{level}>What did not come</h{level}>{''.join(parts)}"


def _missed(each: Missed) -> str:
    return html.row((each.what, each.reason))


def _folded(
    figures: Figures, title: str, name: str, rows: list[str], columns: tuple[str, ...]
) -> str:
    left = figures.left_out.get(name, 0)
    note = f"{len(rows) + left:,}"
    if not rows:
        return html.folded(title, "none", "<p>There are none.</p>")
    caption = f"All {len(rows):,}." if len(rows) > 1 else "The only one."
    if left:
        caption = (
            f"The first {MOST_ROWS} of {len(rows) + left:,}; all are in the folder "
            f"{figures.folder}: certificate.json, and longline log {figures.folder}."
        )
    return html.folded(title, note, html.table(caption, columns, rows))
