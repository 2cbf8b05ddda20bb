"""When a harvest is done, and what is known about its source from the beginning."""

from dataclasses import dataclass

from longline.model import Facet


@dataclass(frozen=True, kw_only=True)
class Aims:
    """When a harvest is done, and what is known about its source.

    Attributes:
        estimate: Whether to send probes to estimate the source's size.
        size: The number of documents in the source, or None if unknown.
        target_coverage: Stop when this share is held, by `size`, else by its interval's upper end.
        min_return: Stop when the last 100 requests brought fewer new documents each.
        limit: The return limit k, or None if unknown.
        page_size: Hits on a full page, or None if unknown.
        listing_only: Documents need no request of their own.
        is_list: The source is a list without a search: its own exact total is its size.
        needed: The lists of which every search needs a value.
    """

    estimate: bool = True
    size: int | None = None
    target_coverage: float | None = None
    min_return: float | None = None
    limit: int | None = None
    page_size: int | None = None
    listing_only: bool = False
    is_list: bool = False
    needed: tuple[Facet, ...] = ()
