"""Partition a source with AND and NOT into cells small enough to be fetched completely.

Roots: the most common term, the most common among documents without that one, and so on; each
root's cell excludes the roots before it, so no document is in two. A cell that the return limit k
would cut is split by a term; the first page of one side gives its total, and the other side's total
is the difference, known without a query. The page with the most expected new documents comes
first, so part-filled last pages come last. At the end, everything without any root is queried, if
the source can; otherwise other known terms without any root, for documents that contain none.

If totals are approximate or missing, a cell's size is an estimate, improved by every page; a cell
is complete if its pages end before the limit.
"""

from collections.abc import Sequence

import numpy as np

from longline.events import AnyEvent, Discrepancy, DocumentReceived, PageReceived
from longline.model import Finish, Page, Search
from longline.planner.capabilities import Capabilities
from longline.planner.cells import TYPICAL_SAMPLE, UNKNOWN, Cell, Size, Split
from longline.planner.observed import Arrival, DocumentIndex, Forms
from longline.planner.partition.queue import CellQueue
from longline.planner.partition.reader import Reader
from longline.planner.partition.roots import Roots
from longline.planner.partition.source_model import Record, SourceModel
from longline.planner.partition.summary import discrepancies, verdict
from longline.planner.partition.truncation_check import TruncationCheck
from longline.planner.partition.unsplittable import WORTHWHILE, UnsplittableCells
from longline.planner.reports import Reports
from longline.ports import Asking, GeneratorPolicy
from longline.text.seed_words import SEED_WORDS, shuffled

FIRST_QUERIES = 3
"""The number of single terms to begin with: enough to find the most common terms."""

PASSED_OVER = 200
"""The most queries for words that turned out to be ignored, and so searched nothing."""

MOST_IDLE = 300
"""The most pages in a row without a new document, where no more documents than this are held."""

IDLE_QUERIES = 10
"""Outside all cells, this many poor queries in a row end the partition."""


class Partition(GeneratorPolicy[Search, Page], Reports):
    """Fetch a source in disjoint cells, `required AND NOT excluded`, with hardly any repeats.

    With exact totals, it misses only documents that no term separates or that a query of the
    greatest length still hides, both listed in `discrepancies`, and those that share no term with
    any found document. The order is deterministic for the state of `rng`.

    Args:
        abilities: What the source can do; unknown limits are learned.
        rng: Orders the first words.
        words: Words to begin with, until some bring documents.
        forms: What is known of the word forms that the source merges.

    Source: ours; the figures are in docs/research/decisions/0011.

    >>> planner = Partition(
    ...     Capabilities(limit=100, page_size=50, negation=True), np.random.default_rng(0), ["deep"]
    ... )
    >>> planner.next()
    Search(query=Query(required=('deep',)), number=1)
    >>> planner.next()
    Finish(reason='no word brought a document')
    """

    def __init__(
        self,
        abilities: Capabilities,
        rng: np.random.Generator,
        words: Sequence[str] = SEED_WORDS,
        forms: Forms | None = None,
    ) -> None:
        super().__init__(self._planned())
        self._abilities = abilities
        self._words = shuffled(words, rng)
        self._known = SourceModel(abilities, forms)
        self._universe = self._known.universe
        self._agenda = CellQueue(self._known)
        self._reader = Reader(self._known)
        self._roots = Roots(self._known, self._reader, self._agenda)
        self._stuck = UnsplittableCells(self._known, self._reader)
        self._longest = TruncationCheck(self._known, self._reader)
        self._idle = 0  # pages since the last new document

    def tell(self, event: AnyEvent) -> None:
        """Process a result page or a document."""
        match event:
            case PageReceived(query, number, page):
                self.came = page
                self._idle += 1
                self._known.forms.see(query, number, page)
            case DocumentReceived():
                self._known.hold(event)
                self._idle = 0

    def take(self, arrival: Arrival) -> None:
        """Add a document that others found."""
        self._known.take(arrival)

    def written(self) -> DocumentIndex:
        """Return all held documents with their terms as written, for the next strategy."""
        return self._known.written()

    @property
    def problem(self) -> str | None:
        """The reason why this source cannot be partitioned further, or None."""
        if not (self._abilities.negation and self._abilities.conjunction):
            return "this source takes no AND, or no NOT"
        if self._idle >= max(MOST_IDLE, len(self._known.held)):
            return f"the last {self._idle} pages brought no new document"
        return self._known.trust.problem

    @property
    def conjunction_works(self) -> bool:
        """Whether AND seems to work."""
        return self._abilities.conjunction and self._known.trust.conjunction_problem is None

    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Return all discrepancies found so far: totals, parts of cells, rows, hits."""
        return (*discrepancies(self._known), *self._stuck.discrepancies())

    @property
    def is_stuck(self) -> bool:
        """Whether many documents are hidden in cells that cannot be split, as of the last check."""
        return self._stuck.hides_much

    @property
    def page_size(self) -> int:
        """Rows on a page, as far as known."""
        return self._known.bounds.page_size

    def strain(self) -> float:
        """Return how much more the waiting cells cost than the same documents in one cell.

        This is a ratio of expected pages, or 1 if none waits. If documents have only a few words,
        no term splits off many of them, queries grow long before cells are small, and hidden
        documents are expensive: the strain reaches 2 to 3, and elsewhere hardly 1.5.
        """
        known, waiting = self._known, (*self._agenda.cells(), *self._stuck.cells())
        prices = known.splitter().prices(TYPICAL_SAMPLE)
        sizes = np.array([cell.size.documents for cell in waiting])
        left = np.array([known.length - cell.length for cell in waiting], dtype=np.int64)
        in_one = float(prices.of(sizes.sum(), known.length))
        parts = sum(float(prices.of(sizes[left == each], each).sum()) for each in np.unique(left))
        return parts / in_one if in_one else 1.0

    def at_least(self) -> int:
        """Return how many documents disjoint queries match together, by exact totals.

        It is 0 if totals are not exact. Documents that no root's query matches are not included.
        """
        if self._known.trust.counts != "exact" or self.problem is not None:
            return 0
        return self._roots.reported()

    def believed_forms(self) -> str:
        """Return the rule by which the source merges word forms, or "" if it merges none."""
        return self._known.forms.name

    # The steps, in order.

    def _planned(self) -> Asking[Finish]:
        queries: int | None = 0
        if self.problem is None:
            yield from self._begin()
            if not len(self._known.held):
                return Finish("no word brought a document")
            if not self._known.held.terms:
                return Finish("what came shows no term to ask for", target_met=False)
            yield from self._roots.ask_all()
            yield from self._work()
            yield from self._rescue()
            if self._abilities.excludes_alone and (yield from self._roots.ask_rest()):
                queries = None
                yield from self._work()
            else:
                queries = yield from self._ask_outside()
            yield from self._rescue()
        reason = self.problem or verdict(
            self._known, self._abilities, queries, tuple(self._stuck.discrepancies())
        )
        return Finish(reason, target_met=self.problem is None)

    def _begin(self) -> Asking[None]:
        """Query single words until a few have hits."""
        found = 0
        for word in self._words:
            if found == FIRST_QUERIES:
                return
            cell = self._roots.first[word] = Cell((word,), (), UNKNOWN)
            yield from self._reader.read(cell)
            found += cell.rows > 0

    def _work(self) -> Asking[None]:
        """Read and split cells, most new documents per page first, until none is left."""
        while self._agenda and self.problem is None:
            self._agenda.reconsider()
            gain, cell = self._agenda.pop()
            if gain <= 0 and self._known.belie(cell):
                self._agenda.push(cell)
            elif gain <= 0 or self._is_too_long(cell):
                self._close(cell)
            elif gain < self._agenda.best - 1e-9:
                self._agenda.push(cell)
            else:
                yield from self._advance(cell)
            if not self._agenda and (yield from self._longest.look_behind()):
                self._agenda.reconsider()

    def _rescue(self) -> Asking[None]:
        """Query documents hidden in cells that cannot be split: in wider cells, then one by one."""
        for cell in self._stuck.widened():
            self._agenda.push(cell)
            yield from self._work()
        yield from self._stuck.rescue()

    def _ask_outside(self) -> Asking[int]:
        """Query known terms without any root, until that brings little; return the count."""
        queries = idle = passed_over = 0
        while idle < IDLE_QUERIES and passed_over < PASSED_OVER and self.problem is None:
            before = len(self._known.held)
            cell = yield from self._roots.ask()
            if cell is None:
                break
            if cell.required[0] in self._known.barred:
                passed_over += 1  # it searched nothing
                continue
            queries += 1
            yield from self._work()
            idle = idle + 1 if len(self._known.held) - before < WORTHWHILE else 0
        return queries

    # One cell.

    def _advance(self, cell: Cell) -> Asking[None]:
        """Read a cell's next page, or split it, whichever is expected to cost less."""
        known, limit = self._known, self._known.bounds.limit
        is_readable = not (cell.ended or known.is_capped(cell))
        # Rows after a page that failed are queried in parts.
        fits = not cell.failed and (limit is None or cell.size.documents <= limit)
        if fits and (limit is None or cell.size.is_exact):
            yield from self._read_on(cell)
            return
        split = None
        if known.can_split(cell):
            partly = not known.texts_are_whole
            split = known.splitter().best(cell, known.held, known.barred, partly=partly)
        if is_readable and (split is None or self._reading_is_cheaper(cell, split)):
            yield from self._read_on(cell)
        elif split is not None:
            yield from self._split(cell, split)
        else:
            self._stuck.add(cell)

    def _reading_is_cheaper(self, cell: Cell, split: Split) -> bool:
        """Return whether reading on, to see if a cell is small enough, is cheaper than a split."""
        if cell.size.is_exact:
            return False
        return self._known.splitter().fetching(cell, split.sampled) <= split.pages

    def _split(self, cell: Cell, split: Split) -> Asking[None]:
        """Query one side of a split cell; the other side is the difference."""
        known, whole = self._known, cell.size
        asked = cell.side(split.term, holds=split.holds, held=known.held)
        rest = cell.side(split.term, holds=not split.holds, held=known.held)
        if any(self._reader.was_asked(side.query) for side in (asked, rest)):
            self._fail_to_split(cell, split)
            return
        yield from self._reader.read(asked)
        if asked.is_refused:
            known.refuse(asked, split.term)
            self._fail_to_split(cell, split)
            return
        expected = whole.part(split.share, split.deviation)
        asked.size = known.size_of(asked, expected)
        yield from self._make_sure(asked)
        if asked.reported is not None:
            known.trust.see_part(whole.documents, asked.reported, asked.query, required=split.holds)
        if whole.is_exact and asked.size.is_exact and whole.documents:
            known.splitter().learn(split, asked.size.documents, whole.documents)
        is_all = whole.is_exact and asked.size.documents == whole.documents
        if asked.size.is_exact and (is_all or asked.size.documents == 0):
            if is_all:
                known.trust.see_unsplit(asked.query, split.term, rest.count(known.held))
            self._fail_to_split(cell, split)
            return
        if not asked.size.is_exact and (against := known.against(asked, split)):
            known.trust.see_unsplit(asked.query, split.term, against)
            self._fail_to_split(cell, split)
            return
        known.trust.see_read(split.term)
        rest.size = self._rest_of(whole, split, asked.size)
        known.records.append(Record(cell, whole.documents if whole.is_exact else None, asked, rest))
        cell.divide()
        for side in (asked, rest):
            self._agenda.push(side)

    def _make_sure(self, cell: Cell) -> Asking[None]:
        """Read a cell that fits by its total: then its size, and the other side's, is known."""
        known = self._known
        if known.trust.counts == "none":
            return
        while not (cell.size.is_exact or cell.ended or known.is_capped(cell)):
            if cell.size.documents > (known.bounds.limit or 0):
                return
            yield from self._reader.read(cell)
            cell.size = known.size_of(cell, cell.size)

    @staticmethod
    def _rest_of(whole: Size, split: Split, asked: Size) -> Size:
        """Return the size of the side that is not queried."""
        other = 1 - split.share
        if whole.is_exact and asked.is_exact:
            if asked.documents > whole.documents:
                return whole.part(other, split.deviation)
            return whole.minus(asked)
        whole = whole.updated_by(whole.part(split.share, split.deviation), asked)
        by_share = whole.part(other, split.deviation)
        by_difference = whole.less(asked)
        return min(by_share, by_difference, key=lambda size: size.spread)

    def _fail_to_split(self, cell: Cell, split: Split) -> None:
        """Put back a cell that a term does not split, because all of it is on one side."""
        cell.disown()
        cell.tried |= {split.term}
        cell.reconsider()
        self._agenda.push(cell)

    def _read_on(self, cell: Cell) -> Asking[None]:
        yield from self._reader.read(cell)
        cell.size = self._known.size_of(cell, cell.size)
        self._agenda.push(cell)

    def _close(self, cell: Cell) -> None:
        """Close a cell: it is complete, or no more of it can be fetched."""
        is_short = cell.pages > 1 and (cell.cut or cell.different < cell.rows)
        if is_short and not self._known.bounds.losing:
            self._known.short.append(cell)
        else:
            cell.close()

    def _is_too_long(self, cell: Cell) -> bool:
        """Return whether a cell's query is longer than the source reads; keep a shorter one."""
        length = self._known.length
        if cell.length <= length:
            return False
        whole = cell
        while whole.length > length and whole.parent is not None:
            whole = whole.parent
        if whole is not self._universe:
            self._stuck.add(whole)
        return True
