"""Summarise what a partition found out about its source."""

from collections.abc import Sequence

from longline.events import Discrepancy
from longline.planner.capabilities import Capabilities
from longline.planner.cells import Cell
from longline.planner.partition.source_model import SourceModel
from longline.text.numbers import counted


def verdict(
    known: SourceModel, told: Capabilities, queries: int | None, hidden: Sequence[Discrepancy]
) -> str:
    """Return a sentence for people: everything was fetched, and what was not as expected.

    Args:
        known: The model of the source, at the end.
        told: What the source was said to do.
        queries: The number of queries for documents outside all cells; None if one query asked for
            all of them.
        hidden: Cells in which the return limit hides documents.
    """
    trust = known.trust
    looked = "also what has none of the most common words"
    if queries is not None:
        looked = f"{counted(queries, 'extra search')} looked for leftovers"
    parts = [f"every part was fetched; {looked}"]
    if hidden:
        documents = counted(round(sum(each.reported - each.found for each in hidden)), "document")
        cells = counted(len(hidden), "part")
        parts.append(f"the result limit hides about {documents} in {cells} that no word splits")
    if trust.counts != (told.counts or "exact"):
        parts.append(f"the site's totals are wrong, and were read as {trust.counts!r}")
    elif trust.counts == "exact":
        wrong = sum(each.kind in ("count", "parts") for each in discrepancies(known))
        totals = counted(wrong, "of the site's totals does", "of the site's totals do")
        parts += [f"{totals} not add up"] * (wrong > 0)
    if known.ceiling.total is not None:
        parts.append(f"the site never reports more than {counted(known.ceiling.total, 'result')}")
    if trust.max_terms is not None:
        parts.append(
            f"the site reads only the first {counted(trust.max_terms, 'word')} of a search"
        )
    if (letters := trust.least_length.letters) > 1:
        parts.append(f"the site ignores words shorter than {letters} letters")
    elif trust.dropped:
        parts.append(_ignored(sorted(trust.dropped)))
    if known.bounds.losing:
        parts.append("results get lost between result pages, so only first pages were used")
    if known.bounds.is_soft and known.bounds.limit is not None:
        least = known.bounds.limit
        parts.append(
            f"some result pages are not full, so searches with {least} results or more may be cut"
        )
    if known.forms.name:
        parts.append(
            f"the site treats forms of a word as one word, by the rule {known.forms.name!r}"
        )
    if trust.hits_lack_words:
        parts.append("some results lack the words that were searched for")
    if known.failed:
        parts.append(f"{counted(known.failed, 'page')} failed")
    return "; ".join(parts)


def _ignored(words: Sequence[str]) -> str:
    """Return a phrase that names the words the site ignores, at most three of them.

    >>> _ignored(["and"])
    "the site ignores the word 'and'"
    """
    some = ", ".join(map(repr, words[:3]))
    if len(words) == 1:
        return f"the site ignores the word {some}"
    return f"the site ignores {len(words)} words, such as {some}"


def discrepancies(known: SourceModel) -> tuple[Discrepancy, ...]:
    """Return all discrepancies found so far."""
    sums = []
    for record in known.records:
        parts = [_counted(record.asked), _counted(record.rest)]
        found = sum(part for part in parts if part is not None)
        if None not in parts and record.documents not in (None, found):
            reported = float(record.documents or 0)
            sums.append(Discrepancy(record.whole.query, "parts", reported, found))
    return (*known.trust.discrepancies, *sums)


def _counted(cell: Cell) -> float | None:
    """Return how many documents a cell has, by its rows or its total; None if unknown."""
    if (
        cell.ended
        and not cell.failed
        and (cell.reported is None or cell.different >= cell.reported)
    ):
        return cell.different
    return cell.reported
