"""The results of one query, and the rows its pages lost."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter

from longline.events import Cut, QueryCut
from longline.ledger.certificate import PagingLoss, Truncation
from longline.model import Query

BEYOND = 3
"""This many queries with more documents than a limit prove that there is no such limit."""

OVERSTATED = 5
"""This many approximate totals above the documents held, or above their rows, are no noise."""

AS_ESTIMATED = 0.85
"""Minimum share of the results reported that comes where totals are estimates: of kiwix 92 %."""

ALL_BUT_FEW = 0.95
"""The same where first pages show that rows are not read."""

LEAST_TOLD = 20
"""A smaller number of rows may be the total of several searches by chance."""

LOSSY: frozenset[Cut] = frozenset({"short", "empty", "repeated"})
"""Cuts that mean lost rows between a query's pages."""

_MADE_GOOD: frozenset[Cut] = LOSSY | {"clamped"}
"""Cuts to ignore if all pages together brought all that the source reports."""


class QueryLedger:
    """The results of one query so far."""

    def __init__(self) -> None:
        self.documents = array("i")  # by number, once each
        self.rows = 0
        self.others = 0  # rows of stand-ins
        self.deleted = 0  # rows that name deleted documents
        self.new = 0
        self.pages = 0
        self.last_page = 0  # the highest number of a page received
        self.again = 0  # the last page that was the page before it again, though a total came
        self.page_rows = 0  # rows of the first page: the actual page size
        self.reported: int | None = None
        self.relation = ""
        self.changed: tuple[int, int] | None = None  # differing totals of two pages
        self.highest = 0  # of its exact totals
        self.failed = frozenset[int]()  # numbers of pages that failed and have not come since
        self.cuts: dict[Cut, QueryCut] = {}
        self.total_received = 0
        self.total_unique = 0
        self.has_more = False
        self.most = 0  # results that the source says any search shows; 0 if it does not say
        self.place = 0  # its position among all queries
        self.is_in_parts = False  # a list that continues in other files
        self.is_split = False  # its parts were queried instead

    def see_total(self, documents: int, relation: str) -> None:
        """Record a page's total."""
        if relation == "exact" == self.relation and documents != self.reported:
            self.changed = (self.reported or 0, documents)
        self.reported, self.relation = documents, relation
        if relation == "exact":
            self.highest = max(self.highest, documents)

    @property
    def exact_total(self) -> int:
        """Documents the source reports exactly; 0 if it does not."""
        return (self.reported or 0) if self.relation == "exact" else 0

    @property
    def is_rough(self) -> bool:
        """Whether the source reports a total that is not exact."""
        return self.relation == "about"

    def see_page(self, number: int, *, has_more: bool) -> None:
        """Count a page that came; one that failed before may come after those behind it."""
        if number >= self.last_page:
            self.has_more = has_more
        self.pages, self.last_page = self.pages + 1, max(self.last_page, number)
        self.failed -= {number}
        if not self.failed:
            self.cuts.pop("failed", None)

    def take_back(self, number: int) -> None:
        """Forget a received page after the first."""
        self.pages -= 1
        self.has_more = True
        self.cuts = {name: cut for name, cut in self.cuts.items() if cut.number != number}

    @property
    def is_unfinished(self) -> bool:
        """Whether it has more pages, and neither they nor its parts were requested."""
        return self.has_more and not self.is_split and "failed" not in self.cuts

    @property
    def is_ended(self) -> bool:
        """Whether the last page was received."""
        return self.pages > 0 and not self.has_more and "failed" not in self.cuts

    @property
    def is_whole(self) -> bool:
        """Whether the last page was received, and with it every document of an exact total."""
        return self.is_ended and 0 < self.exact_total <= len(self.documents)

    @property
    def may_end_at_limit(self) -> bool:
        """Whether the last page was received, and no total rules out a cut by the return limit.

        A round total of just the rows that came may be no more than the limit.
        """
        is_as_told = self.reported == self.rows >= LEAST_TOLD and self.rows % 10 == 0
        return self.is_ended and (self.reported is None or "capped" in self.cuts or is_as_told)

    def known_cuts(self) -> set[Cut]:
        """Return the kinds of cuts; a last page that is shown again is no loss but the limit.

        If the total ends on that page, its own rows are lost.
        """
        kinds = set(self.cuts)
        if not self.again or self.again < self.last_page or self._repeats_before(self.again):
            return kinds
        if 0 < self.exact_total <= len(self.documents):
            return kinds - {"repeated"}
        is_limit = (self.reported or 0) > self.again * self.page_rows
        return kinds - {"repeated"} | {"capped"} if is_limit else kinds

    def _repeats_before(self, number: int) -> bool:
        return "repeated" in self.cuts and self.cuts["repeated"].number < number

    def lost(self, limit: int | None) -> int:
        """Return how many rows its pages lost, as far as known."""
        if not LOSSY & self.known_cuts():
            return 0
        expected = self.rows
        if self.reported is not None and self.relation == "exact" and not self.has_more:
            expected = self.reported if limit is None else min(self.reported, limit)
        return max(0, expected - len(self.documents))


def paging_losses(
    ledgers: Mapping[Query, QueryLedger], limit: int | None
) -> Iterator[tuple[Query, PagingLoss]]:
    """Yield each query that lost rows, with how many documents queries for its parts brought.

    A part of a query has more required or more excluded terms.
    """
    lossy = {query: lost for query, sums in ledgers.items() if (lost := sums.lost(limit))}
    by_term: dict[str, list[Query]] = defaultdict(list)
    wanted = {query.required[0] for query in lossy if query.required}
    for query in ledgers:
        for term in wanted.intersection(query.required):
            by_term[term].append(query)
    for query, lost in lossy.items():
        found: set[int] = set()
        for part in by_term[query.required[0]] if query.required else ():
            if part != query and _is_part(part, query):
                found.update(ledgers[part].documents)
        elsewhere = found.difference(ledgers[query].documents)
        yield query, PagingLoss(str(query), lost, min(lost, len(elsewhere)))


def _is_part(part: Query, whole: Query) -> bool:
    return (
        set(whole.required) <= set(part.required)
        and set(whole.excluded) <= set(part.excluded)
        and whole.any_of in ((), part.any_of)
        and set(whole.filters) <= set(part.filters)
    )


def largest_unread(ledgers: Mapping[Query, QueryLedger]) -> tuple[Query | None, int]:
    """Return the query with the largest exact total among those with fewer rows received.

    Totals no larger than one whose rows were all received prove nothing: several rows may lead to
    one document. Returns None and 0 if there is no such query.
    """
    totals = [(sums.exact_total, sums.rows, query) for query, sums in ledgers.items()]
    read = max((total for total, rows, _ in totals if rows >= total), default=0)
    unread = ((total, query) for total, rows, query in totals if rows < total > read)
    most, query = max(unread, key=itemgetter(0), default=(0, None))
    return query, most


def overstated(ledgers: Mapping[Query, QueryLedger], held: int) -> tuple[Query | None, int]:
    """Return the query with the largest approximate total, if many exceed the documents held.

    Returns None and 0 if they are few, or if some total is too small: then they are noise.
    """
    rough = [
        (sums.reported or 0, sums.rows, query) for query, sums in ledgers.items() if sums.is_rough
    ]
    over = [(total, query) for total, rows, query in rough if total > max(held, rows)]
    is_noise = any(rows > total for total, rows, _ in rough)
    if len(over) < OVERSTATED or is_noise:
        return None, 0
    most, query = max(over, key=itemgetter(0))
    return query, most


def shrunk(ledgers: Mapping[Query, QueryLedger]) -> tuple[Query | None, int]:
    """Return the query whose exact total was the largest before it fell, and that total.

    Returns None and 0 if no total fell, or some rose: then they are not exact.
    """
    changed = [(sums.highest, query) for query, sums in ledgers.items() if sums.changed]
    is_noise = any(ledgers[query].exact_total == highest for highest, query in changed)
    highest, query = max(changed, key=itemgetter(0), default=(0, None))
    return (None, 0) if is_noise else (query, highest)


def short_answers(ledgers: Mapping[Query, QueryLedger], limit: int | None) -> tuple[int, int, int]:
    """Return how many answers have fewer rows than the source reports, if a part is not read.

    Answers on one page cannot have lost rows between pages. If first pages that others follow have
    different numbers of rows, some of their rows are not read either, and longer answers count.
    Returns also the results reported and the rows received by all these answers; three zeros if
    rows are not much fewer, or also more.
    """
    ended = [
        sums
        for sums in ledgers.values()
        if sums.is_ended and sums.reported and sums.relation != "at least"
    ]
    is_uneven = _uneven(ledgers.values())
    least = ALL_BUT_FEW if is_uneven else AS_ESTIMATED
    answers = [
        (sums.rows + sums.deleted, sums.reported or 0)
        for sums in ended
        if sums.pages == 1 or (is_uneven and "repeated" not in sums.cuts)
    ]
    answers = [each for each in answers if limit is None or each[0] < limit]
    short = sum(rows < reported for rows, reported in answers)
    rows, reported = (sum(each) for each in zip(*answers, strict=True)) if answers else (0, 0)
    is_noise = any(rows > reported for rows, reported in answers)
    if short < OVERSTATED or is_noise or rows >= least * reported:
        return 0, 0, 0
    return short, reported, rows


def _uneven(ledgers: Iterable[QueryLedger]) -> bool:
    """Return whether most first pages that others follow have fewer rows than the fullest one."""
    rows = [sums.page_rows for sums in ledgers if sums.pages > 1 or sums.has_more]
    few = sum(each < max(rows) for each in rows)
    return few >= OVERSTATED and 2 * few > len(rows)


def drop_limit(ledgers: Mapping[Query, QueryLedger], sums: QueryLedger, limit: int) -> bool:
    """Remove cuts by a limit if several queries exceed it; return whether they do.

    One or two may be longer: a source may list everything without a limit.
    """
    if len(sums.documents) <= limit:
        return False
    if sum(len(each.documents) > limit for each in ledgers.values()) < BEYOND:
        return False
    for each in ledgers.values():
        if "capped" in each.cuts and each.cuts["capped"].reported is None:
            del each.cuts["capped"]
    return True


def truncations(query: Query, sums: QueryLedger, inferred: int | None) -> list[Truncation]:
    """Return every cut of a query, including one by a limit that was only inferred.

    Left out are: cuts by the limit and admitted ones, if the query's parts were queried; an empty
    page after the last row that the limit allows; and incomplete pages, if the others brought every
    document of an exact total.
    """
    kinds = sorted(sums.known_cuts(), key=[*sums.cuts, "capped"].index)
    found = [Truncation(str(query), cut, sums.reported, sums.rows) for cut in kinds]
    is_at_limit = sums.may_end_at_limit and sums.rows == inferred
    if is_at_limit and "capped" not in kinds:
        found.append(Truncation(str(query), "capped", None, sums.rows, inferred=True))
    explained = {"capped", "partial"} if sums.is_split else {"empty"} if is_at_limit else set()
    if sums.is_whole:
        explained = explained | _MADE_GOOD
    return [each for each in found if each.cut not in explained]
