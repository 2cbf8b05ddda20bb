"""The capabilities of a source, as given by its spec or shown by probes."""

from dataclasses import dataclass, field
from typing import Literal

from longline.model import Facet


@dataclass(frozen=True)
class Capabilities:
    """What a planner may expect of a source; None means "not known".

    Attributes:
        limit: The return limit k: the most hits that a query shows.
        page_size: Hits on a full page, p.
        conjunction: A query with several terms matches documents that contain all of them.
        negation: Queries may exclude terms.
        excludes_alone: A query of excluded terms alone may be tried.
        adds_up: Exact totals have shown that NOT works, even if document texts seem to contradict.
        disjunction: Queries may list alternatives, joined by OR.
        lists_all: A query without terms matches every document.
        facets: The facets by which answers can be filtered.
        matches: What a query matches: documents that contain its words, names that begin with it,
            or "nothing" if the source takes no words and only has a list.
        max_terms: The most terms in a query, with excluded ones and alternatives.
        counts: How exact the reported totals are.
        by_meaning: Every query shows the nearest documents, whatever its words.
        forms: The rule by which the source merges word forms; "" if unknown.
    """

    limit: int | None = None
    page_size: int | None = None
    conjunction: bool = True
    negation: bool = False
    excludes_alone: bool = False
    adds_up: bool = field(default=False, compare=False)
    disjunction: bool = False
    lists_all: bool = False
    facets: tuple[Facet, ...] = ()
    max_terms: int | None = None
    counts: Literal["exact", "about", "none"] | None = None
    by_meaning: bool = False
    forms: str = ""
    matches: Literal["words", "prefix", "nothing"] = "words"

    @property
    def needs_both(self) -> bool:
        """Whether every query needs words and a value of a facet."""
        return not self.lists_all and any(facet.required for facet in self.facets)
