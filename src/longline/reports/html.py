"""Small functions that write values as HTML; all text from a source goes through `written`."""

import html
from collections.abc import Iterable, Sequence

from longline.text.safe import clean


def written(text: object) -> str:
    r"""Escape a text for HTML, and remove characters that change its direction.

    >>> written("<b> & \u202e")
    '&lt;b&gt; &amp; �'
    """
    return html.escape(clean(str(text)))


def linked(address: str) -> str:
    """Write a URL, as a link if it is http or https."""
    shown = written(address)
    if not address.startswith(("https://", "http://")):
        return shown
    return f'<a href="{shown}" rel="noreferrer">{shown}</a>'


def figure(drawing: str, title: str, words: str, level: int = 3) -> str:
    """Put a title above a chart, and a caption below; "" if there is no chart."""
    if not drawing:
        return ""
    heading = f"<h{level}>{written(title)}</h{level}>" if title else ""
    return f"<figure>{heading}{drawing}<figcaption>{written(words)}</figcaption></figure>"


def facts(entries: Iterable[tuple[str, str, str]]) -> str:
    """Write a list of facts, each with its name, value and explanation."""
    parts = (
        f'<div><dt>{written(name)}</dt><dd class="value">{written(value)}</dd>'
        f'<dd class="note">{written(note)}</dd></div>'
        for name, value, note in entries
    )
    return f'<dl class="facts">{"".join(parts)}</dl>'


def definitions(entries: Iterable[tuple[str, str]], kind: str) -> str:
    """Write a list of names with their explanations."""
    parts = (f"<dt>{written(name)}</dt><dd>{written(text)}</dd>" for name, text in entries)
    return f'<dl class="{kind}">{"".join(parts)}</dl>'


def table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[str],
    *,
    kind: str = "",
    less: Sequence[int] = (),
    can_sort: bool = False,
) -> str:
    """Write a table.

    Args:
        caption: What it shows.
        columns: Names of the columns.
        rows: As `row` and `gap` write them.
        kind: CSS class of the table.
        less: Columns that a narrow window leaves out, from 0.
        can_sort: A script may let readers sort it.
    """
    heads = "".join(
        f'<th scope="col"{_less(place in less)}>{written(name)}</th>'
        for place, name in enumerate(columns)
    )
    sort = " data-sort" if can_sort else ""
    classes = f' class="{kind}"' if kind else ""
    return (
        f"<table{classes}{sort}><caption>{written(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def row(cells: Sequence[object], less: Sequence[int] = ()) -> str:
    """Write a row of a table; its first cell is its header."""
    first, *others = cells
    parts = (f"<td{_less(place in less)}>{written(cell)}" for place, cell in enumerate(others, 1))
    return f'<tr><th scope="row">{written(first)}{"".join(parts)}'


def gap(columns: int, words: str) -> str:
    """Write a row that says how many rows were left out."""
    return f'<tr class="gap"><td colspan="{columns}">{written(words)}</td></tr>'


def _less(is_less: bool) -> str:
    return ' class="less"' if is_less else ""


def folded(title: str, note: str, content: str) -> str:
    """Put content under a line that opens and closes it."""
    return (
        f"<details><summary>{written(title)} "
        f"<span>{written(note)}</span></summary>{content}</details>"
    )
