"""Measure a source while it is harvested, and stop when the goal is reached.

This is a policy around any planner. At checkpoints it inserts probes: random words whose answers
show how large the source is and which share of it is held (`longline.estimate.ProbeEstimator`).
Documents that only probes brought are saved, but not given to the planner, and the estimator does
not count them as held; so the same probes serve every checkpoint. If they brought more at the end
than the planner thought was left, the planner gets them and continues, and other probes measure it.
All decisions depend only on the events, not on whether they came from the journal: a resumed
harvest sends the same probes at the same places.
"""

from collections.abc import Callable, Sequence

import numpy as np

from longline.estimate import ENOUGH_HITS, is_doubted, with_cells
from longline.events import (
    AnyEvent,
    Concluded,
    Discrepancy,
    DocumentFailed,
    DocumentReceived,
    PageReceived,
    SizeEstimate,
)
from longline.model import Document, Finish, Page, Query, Request, Search, Total
from longline.planner.measure.aims import Aims
from longline.planner.measure.recent_yield import WINDOW, Answer, Returns
from longline.planner.measure.size_probes import Probing
from longline.planner.observed import ReturnLimit, is_complete
from longline.planner.reports import reports_of
from longline.ports import Policy
from longline.text.hashes import Hashes
from longline.text.numbers import percent
from longline.text.seed_words import english

PROBE_SHARE = 0.1
"""The most pages of probes per request of the planner, during the harvest."""

PROBE_SHARE_AT_THE_END = 0.2
"""The same at the end, and all along if a target coverage is set, as it must be measured."""

LAST_PROBES = 50
"""Even a short harvest may have this many at the end, but no more than its own requests, unless the
first of them leave it open whether documents are missing."""

LEAST_PROBES = 20
"""The least at the end of any harvest: one search may show everything, a few words say nothing."""

FIRST_PROBES = 50
"""The first checkpoint comes when this many pages of probes are allowed by that share."""

STEP = 0.1
"""The next checkpoint comes when the held documents grew by this share of the estimated size."""

BOUND = 100
"""A total that is a multiple of this may be only as far as the source counts."""

STEP_NEAR_TARGET = 0.01
"""The same after the target seemed to be reached, and was not."""

UNLISTED = 0.03
"""Above this share of documents found only by probes, a planner that has ended continues."""

TELLING = 0.01
"""From this share on, it gets these documents; fewer are not worth new probes."""

MOST_TOLD = 1000
"""The most documents found only by probes that a continuing planner is given."""


class Measured:
    """Run a planner, and insert probes.

    Args:
        planner: Only given what it requested itself.
        aims: When to stop.
        rng: Draws the probes.
        dictionary: Returns a dictionary of the source's language; if it does not fit the received
            texts, the words of the documents held at the first checkpoint are used.
    """

    def __init__(
        self,
        planner: Policy,
        aims: Aims,
        rng: np.random.Generator,
        *,
        dictionary: Callable[[], Sequence[str]] = english,
    ) -> None:
        self._planner = planner
        self._reports = reports_of(planner)
        self._aims = aims
        self._bounds = ReturnLimit(aims.limit, aims.page_size)
        self._own = Hashes()  # keys of documents that the planner's queries brought
        self._probing = Probing(self._bounds, rng, dictionary, aims.needed, self._own)
        self._returns = Returns()
        self._others: dict[str, DocumentReceived | None] = {}  # held; only probes found them
        self._free: set[str] = set()  # keys whose text came with the listing
        self._awaited: set[str] = set()  # keys that the planner's queries showed, not held yet
        self._requests = 0
        self._open: dict[Query, Answer] = {}
        self._is_measuring = False
        self._is_probing = False  # the next events belong to a probe
        self._is_thorough = False  # enough hits are needed, whatever they cost
        self._least_at_the_end = LEAST_PROBES
        self._next_checkpoint = 0.0
        self._estimate: SizeEstimate | None = None
        self._news: Concluded | None = None
        self._finish: Finish | None = None
        self._is_done = False  # the planner has ended, not an aim

    def next(self) -> Search | Request | Finish:
        """Return the next request: a probe's page, or the planner's."""
        while True:
            if self._is_measuring:
                probe = self._next_probe()
                if probe is not None:
                    return probe
                self._end_checkpoint()
            elif self._finish is not None:
                if not self._goes_on():
                    return self._finish
                self._finish = None
            elif self._is_due():
                self._is_measuring = True
            else:
                self._finish = self._aim_reached()
                action = self._finish or self._planner.next()
                if not isinstance(action, Finish):
                    return action
                self._is_measuring = self._finish is None and self._wants_probes
                self._is_done = self._is_measuring
                self._finish = self._finish or self._as_known(action)

    def tell(self, event: AnyEvent) -> None:
        """Process an event; pass it to the planner if the planner requested it."""
        if self._is_probing:
            if isinstance(event, DocumentReceived) and event.document.key not in self._own:
                is_told = len(self._others) < MOST_TOLD
                self._others.setdefault(event.document.key, event if is_told else None)
            self._probing.tell(event)
            return
        self._planner.tell(event)
        match event:
            case PageReceived(query, _, page):
                self._see_page(query, page)
            case DocumentReceived(document):
                self._hold(document)
            case DocumentFailed(key) if key in self._awaited:  # an update requests others, too
                self._probing.fail(key)

    def conclude(self, is_over: bool) -> Concluded | None:
        """Return the current conclusions if they are new, else None.

        Args:
            is_over: No more events will come: compute everything again.
        """
        if is_over:
            self._set_estimate()
            self._news = self._conclusion()
        news, self._news = self._news, None
        return news

    # Results of the harvest.

    def _see_page(self, query: Query, page: Page) -> None:
        answer = self._open.setdefault(query, Answer())
        is_word = len(query.required) == 1 and query == Query(query.required)
        answer.see(page, keep_keys=is_word)
        reported = page.exact_total
        self._probing.are_counted |= reported is not None
        if is_word and reported is not None:
            self._probing.counted(query.required[0], reported)
        new = [hit for hit in page.hits if hit.key not in self._own and hit.key not in self._others]
        self._free.update(hit.key for hit in new if hit.text is not None)
        self._awaited.update(hit.key for hit in new)
        self._requests += 1
        self._returns.begin_page()
        self._bounds.see_page(len(page.hits), more=page.next is not None)
        self._bounds.see_rows(answer.rows)
        if page.next is None:
            del self._open[query]
            self._bounds.see_end(answer.rows, reported, last=page.keys)
            if is_word:
                self._see_answer(query.required[0], answer, page.total)

    def _see_answer(self, word: str, answer: Answer, total: Total | None) -> None:
        believed = total if self._probing.believes_totals else None
        complete = is_complete(answer.rows, len(answer.keys), believed, self._bounds.limit)
        self._probing.answered(word, is_complete=complete)

    def _hold(self, document: Document) -> None:
        if document.key in self._own:
            return
        self._own.number(document.key)
        self._others.pop(document.key, None)
        self._awaited.discard(document.key)
        is_free = self._aims.listing_only or document.key in self._free
        self._free.discard(document.key)
        self._requests += not is_free
        self._returns.add_document(0 if is_free else 1)
        if self._wants_probes:
            self._probing.hold(document)

    # Checkpoints.

    @property
    def _documents(self) -> int:
        """The number of held documents, whoever requested them."""
        return len(self._own) + len(self._others)

    @property
    def _wants_probes(self) -> bool:
        return self._aims.estimate

    @property
    def _probes_within_share(self) -> float:
        """The number of probe pages that may be requested now."""
        is_last = self._finish is not None
        is_dear = is_last or self._aims.target_coverage is not None
        most = (PROBE_SHARE_AT_THE_END if is_dear else PROBE_SHARE) * self._requests
        if is_last:
            most = max(most, min(LAST_PROBES, max(self._requests, self._least_at_the_end)))
        return most * self._probing.together - self._probing.pages

    def _is_due(self) -> bool:
        if not self._wants_probes or not self._own:
            return False
        if not self._probing.has_begun:
            return self._probes_within_share >= FIRST_PROBES
        return len(self._own) >= self._next_checkpoint

    def _next_probe(self) -> Search | None:
        """Return the next page of a probe; None when the checkpoint has enough."""
        probe = self._probing.next(self._requests, may_begin=self._may_probe)
        self._is_probing = probe is not None
        return probe

    def _may_probe(self) -> bool:
        return self._is_thorough or self._probes_within_share >= 1

    def _end_checkpoint(self) -> None:
        self._set_estimate()
        found = self._estimate
        if self._is_done and self._least_at_the_end < LAST_PROBES and self._is_open(found):
            self._least_at_the_end = LAST_PROBES
            return
        if self._finish is None and found is not None and self._seems_reached():
            if found.hits < ENOUGH_HITS and not self._is_thorough:
                self._is_thorough = True
                return
            self._finish = self._reached() if self._is_target_reached() else None
        self._is_measuring = self._is_thorough = False
        self._next_checkpoint = self._after(found)
        if found is not None:
            self._news = self._conclusion()

    def _is_open(self, found: SizeEstimate | None) -> bool:
        """Return whether it is open if documents are missing: the interval begins with the held."""
        return found is not None and found.low <= self._documents < found.documents

    def _after(self, found: SizeEstimate | None) -> float:
        """Return how many documents of its own the harvest has at the next checkpoint."""
        own, target = len(self._own), self._aims.target_coverage
        size = 2.0 * own if found is None else found.documents
        after = own + max(1.0, STEP * size)
        if target is None or found is None:
            return after
        near = target * size - len(self._others)
        return min(after, max(near, own + max(1.0, STEP_NEAR_TARGET * size)))

    def _set_estimate(self) -> None:
        self._estimate = self._listed() if self._aims.is_list else self._measured()

    def _measured(self) -> SizeEstimate | None:
        """Return the size that every answer gives, else the estimate from probes."""
        return self._reports.size() or self._probing.estimate()

    def _listed(self) -> SizeEstimate | None:
        """Return a list's own total as the size, or None if there is none, or if it is doubtful."""
        total = self._at_least()
        if not total or is_doubted(self._discrepancies()):
            return self._reports.size()
        # A round total may be only as far as the source counts.
        high = total if total % BOUND or self._documents >= total else None
        return SizeEstimate(documents=total, low=total, high=high, method="list")

    def _share_held(self) -> tuple[float, float]:
        """Return the estimated share that is held, and its lower bound; 0 if unknown."""
        held = self._documents
        if self._aims.size is not None:
            return (held / self._aims.size,) * 2
        if self._estimate is None:
            return 0.0, 0.0
        size = self._size(self._estimate)
        least = 0.0 if size.high is None else held / max(size.high, held)
        return held / max(size.documents, held), least

    def _size(self, found: SizeEstimate) -> SizeEstimate:
        doubted = is_doubted(self._discrepancies())
        return with_cells(found, self._at_least(), is_doubted=doubted)

    # Ends.

    def _goes_on(self) -> bool:
        """Return whether the planner continues, if documents are clearly missing."""
        is_done, self._is_done = self._is_done, False
        if not is_done or self._estimate is None:
            return False
        is_short = self._documents < self._size(self._estimate).low
        is_short |= len(self._others) > UNLISTED * self._documents
        is_telling = len(self._others) >= TELLING * self._documents
        found = [event for event in self._others.values() if event is not None and is_telling]
        if not (is_short and self._reports.go_on(found)):
            return False
        if found:
            self._probing.draw_afresh()
        for each in found:
            self._own.number(each.document.key)
            del self._others[each.document.key]
            self._probing.hold(each.document)
        return True

    def _seems_reached(self) -> bool:
        target = self._aims.target_coverage
        return target is not None and self._share_held()[0] >= target

    def _is_target_reached(self) -> bool:
        target = self._aims.target_coverage
        return target is not None and self._share_held()[1] >= target

    def _reached(self) -> Finish:
        share, least = self._share_held()
        sure = "" if share == least else f" (at least {percent(least)}, to be sure)"
        return Finish(f"{percent(share)} of the source is saved{sure}, as aimed at")

    def _aim_reached(self) -> Finish | None:
        """Return the end that the aims set, except for an estimated share (see checkpoints)."""
        if self._aims.is_list and self._aims.target_coverage is not None:
            self._set_estimate()
        is_known = self._aims.size is not None or self._aims.is_list
        if is_known and self._is_target_reached():
            return self._reached()
        least = self._aims.min_return
        if least is not None and self._returns.is_below(least):
            return Finish(
                f"the last {WINDOW} requests brought fewer than {least:g} new documents each; "
                "lower the least return, and run it again to go on",
                target_met=False,
            )
        return None

    def _as_known(self, end: Finish) -> Finish:
        """Return the planner's end; for a list without a total, add that its rest is unknown."""
        is_known = self._listed() is not None or self._reports.listed() > 0
        if not (self._aims.is_list and end.target_met) or is_known:
            return end
        return Finish(f"{end.reason}; how many documents the list leaves out is not known", False)

    def _conclusion(self) -> Concluded | None:
        forms = self._reports.believed_forms()
        found = Concluded(
            size=self._estimate,
            at_least=self._at_least(),
            discrepancies=self._discrepancies(),
            forms=forms,
            listed=self._reports.listed(),
            split=self._reports.split(),
        )
        return None if found == Concluded() else found

    def _discrepancies(self) -> tuple[Discrepancy, ...]:
        # Some planners count with numpy's numbers, which a journal cannot store.
        odd = (
            Discrepancy(each.query, each.kind, float(each.reported), float(each.found))
            for each in self._reports.discrepancies()
        )
        return tuple(dict.fromkeys(odd))

    def _at_least(self) -> int:
        return int(self._reports.at_least())
