"""Measures of the papers: hit rate (HR), overlapping rate (OR), pages; and those of cut texts."""

from math import ceil, isnan, nan

from longline.text.numbers import counted


def hit_rate(unique: int, size: int) -> float:
    """Return the share of a source that is held: 1.0 is all of it.

    Args:
        unique: Different documents received, >= 0.
        size: Documents of the source, >= 0.

    Returns:
        Between 0 and 1; nan for an empty source, which has no share.

    Source: Wang, Lu & Chen 2009, Definition 4; Fu 2011, equation 7.

    >>> hit_rate(unique=4, size=4)
    1.0
    """
    return unique / size if size else nan


def overlapping_rate(received: int, unique: int) -> float:
    """Return the documents received per different document: 1.0 is no waste at all.

    Args:
        received: Rows of all queries, including repeats.
        unique: Different documents among them.

    Returns:
        At least 1; nan before the first document.

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


MOST_IN_PART = 0.03
"""Maximum share of documents of a complete harvest that are held in part."""

FEW = 10
"""From this many cut texts on a share of all documents counts as many, not only a majority."""


def many_in_part(cut_texts: int, documents: int) -> bool:
    """Return whether more than 3 in 100 documents are held with only a part of their text.

    >>> many_in_part(3, 100), many_in_part(4, 100)
    (False, True)
    """
    return cut_texts > MOST_IN_PART * documents


def cut_texts_counted(cut_texts: int, documents: int) -> str:
    """Return how many documents surely have only a part of their text; others may not show it.

    >>> cut_texts_counted(1, 100), cut_texts_counted(100, 100)
    ('at least 1 document', '100 documents')
    """
    some = counted(cut_texts, "document")
    return some if cut_texts >= documents else f"at least {some}"


def are_many(cut_texts: int, documents: int, share: float = 0.25) -> bool:
    """Return whether texts that may be cut are so many that they are: most, or this share.

    Some complete texts end in "...", too, or lack the query's word because it was in a field.

    >>> are_many(1, 2), are_many(2, 3), are_many(25, 100), are_many(26, 100)
    (False, True, False, True)
    """
    return cut_texts > (0.5 if cut_texts < FEW else share) * documents


def known(rate: float) -> float | None:
    """Return a rate, or None if it is nan."""
    return None if isnan(rate) else rate
