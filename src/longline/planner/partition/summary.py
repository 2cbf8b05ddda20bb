"""What a partition says of its source when it is done."""

from __future__ import annotations

from collections.abc import Sequence

from longline.events import Discrepancy
from longline.planner.capabilities import Capabilities
from longline.planner.partition.source_model import SourceModel


def verdict(
    known: SourceModel, told: Capabilities, queries: int, hidden: Sequence[Discrepancy]
) -> str:
    """Say that all is done, and what was not as it should be.

    Args:
        known: Of the source, in the end.
        told: What the source was said to do.
        queries: That looked for documents outside of all cells.
        hidden: Cells of which the return limit hides documents.
    """
    trust = known.trust
    parts = [f"every part was fetched; {queries} more searches looked for documents outside them"]
    if hidden:
        documents = round(sum(each.claimed - each.found for each in hidden))
        parts.append(
            f"the result limit hides about {documents} documents in {len(hidden)} parts that no "
            "word splits"
        )
    if trust.counts != (told.counts or "exact"):
        parts.append(f"the totals that it reports are wrong and were taken as {trust.counts}")
    elif trust.counts == "exact":
        wrong = sum(each.kind in ("count", "parts") for each in known.discrepancies())
        parts += [f"{wrong} totals did not add up"] * (wrong > 0)
    if known.ceiling.total is not None:
        parts.append(f"it reports no more than {known.ceiling.total} results")
    if trust.max_terms is not None:
        parts.append(f"it reads only the first {trust.max_terms} words of a search")
    if trust.least_length > 1:
        parts.append(f"it ignores words of fewer than {trust.least_length} letters")
    elif trust.dropped:
        some = ", ".join(map(repr, sorted(trust.dropped)[:3]))
        parts.append(f"it ignores {len(trust.dropped)} words, such as {some}")
    if known.bounds.losing:
        parts.append("results get lost between its pages, so only first pages were used")
    if known.bounds.is_soft and known.bounds.limit is not None:
        least = known.bounds.limit
        parts.append(
            f"some places of its result lists stay empty, so {least} rows or more may be cut"
        )
    if known.forms.name:
        parts.append(f"it takes word forms for the same word, by the rule {known.forms.name!r}")
    if not trust.texts_tell:
        parts.append("results do not always have the words that were searched for")
    if known.failed:
        parts.append(f"{known.failed} pages failed")
    return "; ".join(parts)
