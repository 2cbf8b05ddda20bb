"""The two measures of the papers, hit rate (HR) and overlapping rate (OR), and one of texts."""

from math import ceil, isnan, nan


def hit_rate(unique: int, size: int) -> float:
    """Share of a source that is held: 1.0 is all of it.

    Args:
        unique: Different documents got, >= 0.
        size: Documents the source holds, >= 0.

    Returns:
        Between 0 and 1; nan for an empty source, because no share is known of nothing.

    Source: Wang, Lu & Chen 2009, Definition 4; Fu 2011, equation 7.

    >>> hit_rate(unique=4, size=4)
    1.0
    """
    return unique / size if size else nan


def overlapping_rate(received: int, unique: int) -> float:
    """Documents received per different document: 1.0 is no waste at all.

    Args:
        received: Rows got from all queries, repeats included.
        unique: Different documents among them.

    Returns:
        At least 1; nan before the first document, because no rate is known yet.

    Source: Wang, Lu & Chen 2009, Definition 5; Fu 2011, equation 8, whose example
    has two solutions for the same four documents.

    >>> overlapping_rate(received=2 + 3, unique=4), overlapping_rate(received=2 + 2, unique=4)
    (1.25, 1.0)
    """
    return received / unique if unique else nan


def fewest_pages(documents: int, page_size: int, limit: int) -> int:
    """Return how many result pages show every document, if each is full and none repeats any.

    Args:
        documents: Of the source.
        page_size: Hits on a full page, > 0.
        limit: The return limit, > 0; a page shows no more than that.

    >>> fewest_pages(101, page_size=20, limit=100)
    6
    """
    return ceil(documents / min(page_size, limit))


FEW = 10
"""So many documents are more than chance, though they are not most."""


def many_in_part(cut_texts: int, documents: int) -> bool:
    """Say whether many documents are held with a part of their text alone: most, or a quarter.

    Some whole texts end in "...", too, or lack a word that found them, which stood in a field.

    >>> many_in_part(1, 2), many_in_part(2, 3), many_in_part(25, 100), many_in_part(26, 100)
    (False, True, False, True)
    """
    return (2 if cut_texts < FEW else 4) * cut_texts > documents


def known(rate: float) -> float | None:
    """Return a rate; None for that of nothing."""
    return None if isnan(rate) else rate
