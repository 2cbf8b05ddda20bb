"""What a source can do, as far as its spec says or probes have shown."""

from dataclasses import dataclass, field
from typing import Literal

from longline.model import Facet


@dataclass(frozen=True)
class Capabilities:
    """What a planner may ask of a source; None stands for "not known".

    Attributes:
        limit: The return limit k: hits that a query shows at most.
        page_size: Hits on a full page, p.
        conjunction: Documents must hold every term of a query of several terms.
        negation: Queries may exclude terms.
        adds_up: Exact totals have shown that, whatever texts say.
        disjunction: Queries may give alternatives, of which documents need only one.
        lists_all: A query without terms is a query for everything.
        facets: What answers can be limited by, beside words.
        matches: What a query finds: documents that hold its words, names that begin with it, or
            "nothing" where there are no words to ask for, but a list.
        max_terms: Terms that a query may have, excluded ones and alternatives too.
        counts: How true the totals are that the source reports.
        by_meaning: Every query brings the nearest documents, whatever its words.
        forms: The rule by which it takes forms of a word for one; "" where nobody says.
    """

    limit: int | None = None
    page_size: int | None = None
    conjunction: bool = True
    negation: bool = False
    adds_up: bool = field(default=False, compare=False)
    disjunction: bool = False
    lists_all: bool = False
    facets: tuple[Facet, ...] = ()
    max_terms: int | None = None
    counts: Literal["exact", "about", "none"] | None = None
    by_meaning: bool = False
    forms: str = ""
    matches: Literal["words", "prefix", "nothing"] = "words"
