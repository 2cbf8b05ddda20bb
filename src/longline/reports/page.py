"""The report: one page that needs no network, and no script to be read."""

import base64
import hashlib
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from longline.ledger import MEANINGS
from longline.reports import charts, html, sections
from longline.reports.changes import Changes
from longline.reports.figures import FORMAT, LISTS, Figures
from longline.reports.html import written
from longline.reports.svg import STYLE
from longline.text.numbers import counted, percent
from longline.version import __version__

MOST_IN_DETAIL = 6
"""Maximum number of harvests described one by one; for more there is only the table."""

NOT_PLAIN = re.compile("[<>&\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters of JSON that must be escaped in an HTML page."""

COLUMNS = ("harvest", "saved", "of", "coverage", "requests", "searches", "came", "outcome")
LESS = (5, 6)


class Unreported(NamedTuple):
    """A source without a harvest, and the reason."""

    source: str
    reason: str


def page(
    harvests: Sequence[Figures],
    changes: Sequence[Changes] = (),
    unreported: Sequence[Unreported] = (),
) -> str:
    """Return a report as HTML.

    Args:
        harvests: The harvests, in order.
        changes: Comparisons of a harvest with an earlier one.
        unreported: Sources without a harvest.
    """
    is_one = len(harvests) == 1
    title = harvests[0].headline if is_one else f"{len(harvests):,} harvests side by side"
    body = _one(harvests[0], "h0", 1, changes) if is_one else _many(harvests, changes, title)
    body += _without(unreported)
    style = _packed(_resource("page.css") + STYLE)
    script = _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{written(title)}</title><style>{style}</style></head><body>"
        f'<a class="skip" href="#main">To the report</a><main id="main">{body}</main>{_foot()}'
        f'<script type="application/json" id="numbers">{_numbers(harvests, changes)}</script>'
        f"<script>{script}</script></body></html>\n"
    )


def _resource(name: str) -> str:
    return (files("longline.reports") / name).read_text(encoding="utf-8")


def _packed(style: str) -> str:
    return "".join(line.strip() for line in style.splitlines())


def _hash(text: str) -> str:
    """Return the hash of a script or a style for the Content-Security-Policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _numbers(harvests: Sequence[Figures], changes: Sequence[Changes]) -> str:
    """Return the numbers as JSON that is safe inside a script element."""
    told = [_without_lists(msgspec.to_builtins(each)) for each in harvests]
    numbers = {"format": FORMAT, "harvests": told, "changes": list(changes)}
    text = msgspec.json.encode(numbers).decode()
    return NOT_PLAIN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _without_lists(figures: dict[str, Any]) -> dict[str, Any]:
    """Remove long lists of texts; the page's tables have them."""
    for name in LISTS:
        del figures["certificate"][name]
    for name in ("failed_pages", "failed_documents"):
        del figures[name]
    return figures


def _one(figures: Figures, name: str, level: int, changes: Sequence[Changes] = ()) -> str:
    below = level + 1
    return (
        f"<article><header>{sections.beginning(figures, name, level)}</header>"
        + "".join(_change(change, below) for change in changes)
        + sections.how_it_went(figures, name, below)
        + sections.requests(figures, below)
        + sections.documents(figures, name, below)
        + sections.record_chart(figures, below)
        + sections.not_got(figures, below)
        + "</article>"
    )


def _many(harvests: Sequence[Figures], changes: Sequence[Changes], title: str) -> str:
    names = labels(harvests)
    courses = [(name, each.course) for name, each in zip(names, harvests, strict=True)]
    drawn = courses[: len(charts.LINES)]
    wide, narrow = (
        charts.side_by_side(drawn, "all-w"),
        charts.side_by_side(drawn, "all-n", charts.SMALL),
    )
    words = "What each harvest has saved after so many requests."
    if len(drawn) < len(courses):
        words = f"What the first {len(drawn)} harvests have saved after so many requests."
    both = f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>' if wide else ""
    documents = sum(each.certificate.documents for each in harvests)
    held = counted(documents, "document is", "documents are")
    parts = [
        f'<header><p class="kicker">Report</p><h1>{written(title)}</h1>'
        f'<p class="lead">{held} saved in all.</p></header>',
        html.table(
            "How each harvest stands.",
            COLUMNS,
            map(_row, names, harvests),
            kind="record",
            less=LESS,
            can_sort=True,
        ),
        html.figure(both, "", words),
        *(_change(change, 2) for change in changes),
    ]
    if len(harvests) > MOST_IN_DETAIL:
        parts.append(
            "<p>More than six harvests are not told of one by one. For one of them: "
            "<code>longline report DIR -o FILE</code></p>"
        )
        return "".join(parts)
    links = "".join(
        f'<li><a href="#{_anchor(place)}">{written(name)}</a></li>'
        for place, name in enumerate(names)
    )
    parts.append(f'<nav aria-label="Harvests"><ul>{links}</ul></nav>')
    parts += [
        f'<div class="harvest" id="{_anchor(place)}">{_one(each, f"h{place}", 2)}</div>'
        for place, each in enumerate(harvests)
    ]
    return "".join(parts)


def _without(unreported: Sequence[Unreported]) -> str:
    if not unreported:
        return ""
    rows = map(html.row, unreported)
    table = html.table(f"{len(unreported):,} in all.", ("source", "reason"), rows)
    return f"<h2>Sources without a harvest</h2>{table}"


def _anchor(place: int) -> str:
    return f"harvest-{place + 1}"


def labels(harvests: Sequence[Figures]) -> list[str]:
    """Return a name for each harvest: its folder's, with the date if two are the same."""
    names = [each.folder for each in harvests]
    if len(set(names)) == len(names):
        return names
    return [
        f"{name} {(each.certificate.begun_at or '')[:16]}"
        for name, each in zip(names, harvests, strict=True)
    ]


def _row(name: str, figures: Figures) -> str:
    found = figures.certificate
    size = "?"
    if found.size is not None:
        size = f"{'' if found.size_low == found.size_high else 'about '}{found.size:,}"
    times = "?" if found.overlapping_rate is None else f"{found.overlapping_rate:.2f} times"
    cells = (
        name, f"{found.documents:,}", size,
        percent(found.hit_rate),
        f"{found.requests:,}", f"{found.queries:,}", times, sections.outcome(figures),
    )  # fmt: skip
    return html.row(cells, LESS)


def _change(change: Changes, level: int) -> str:
    rows = [
        html.row((what, f"{count:,}"))
        for what, count in (
            ("the same in both", change.same),
            ("new since then", change.new),
            ("changed since then", change.changed),
            ("gone from the source", change.gone),
            ("only in the earlier one", change.missing),
            ("kept without asking", change.unchecked),
        )
    ]
    caption = f"{change.folder}, against {change.earlier}."
    table = html.table(caption, ("documents", "number"), rows, kind="numbers little")
    words = (
        "Documents are told apart by their key; titles, texts and fields are compared. What is "
        "only in the earlier one may be gone from the source, or was not found again."
    )
    return f"<h{level}>Against the earlier harvest</h{level}>{table}<p>{words}</p>"


def _foot() -> str:
    words = html.definitions(sorted(MEANINGS.items()), "words")
    return (
        f"<footer>{html.folded('The words of this report', '', words)}"
        f"<p>Written by longline {__version__} from the harvest's own journal. The numbers behind "
        "every drawing stand in this file as JSON, in the element named numbers.</p></footer>"
    )
