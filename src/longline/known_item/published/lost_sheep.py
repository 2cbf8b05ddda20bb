"""The Lost Sheep: sheep run out along the links; the last one to return found the best page.

A sheep reads its link's label with an automaton; only if the automaton does not quit, the page is
downloaded and read as well. Its time is the number of words it read. The herder returns the lost
sheep's page, or moves there and sends out sheep again.

The paper's text ends in the middle of step 6, the stop rule. The rule here is inferred: return the
page when the lost sheep's time exceeds a threshold's share of the complete herd's time, else move
to the best page not visited yet; at a dead end, to the best of an earlier herd; after 100 herds,
which its step 4 counts without saying why, return the best of all.
"""

from collections.abc import Collection

from longline.known_item.course import Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer, Link
from longline.known_item.published.automaton import Automaton
from longline.known_item.published.herd import Scoring, herd


class LostSheep(CourseExplorer):
    """Find a page by the Lost Sheep (LS), or its twofold variant (LS2F).

    Its confidence is the lost sheep's share of the herd's time; it is not calibrated.

    Args:
        query: Words of the page to find.
        start: Key of the first page.
        automaton: Reads labels and pages; a twofold one makes LS2F.
        threshold: For the stop rule, 0 to 1; None to continue until no page or herd is left.
        budget: The most pages to download.

    Source: Goodwin, "Lost sheep description".
    """

    def __init__(
        self,
        query: Collection[str],
        start: str,
        automaton: Automaton,
        threshold: float | None = 0.75,
        budget: int | None = None,
    ) -> None:
        self._passed = 0
        self._query = frozenset(query)
        self._automaton = automaton
        super().__init__(herd(start, self._sheep, threshold, Downloads(budget), set()))

    @property
    def counted(self) -> int:
        """The paper's D: pages downloaded because their label passed.

        Pages that the herder moved to although their label had not passed are not counted.
        """
        return self._passed

    def _sheep(self, link: Link, downloads: Downloads) -> Scoring:
        """Read a label and, if it passes, its page; return the number of words read."""
        automaton = self._automaton
        t, state = automaton.read(link.label, self._query, automaton.middle)
        if state <= 0:
            return float(t)
        self._passed += link.target not in downloads
        page = yield from downloads.get(link.target)
        # Twofold steps start again with the text; the state stays.
        return float(t + automaton.read(page.words, self._query, state)[0] if page else t)


class WholeSite(CourseExplorer):
    """Download every page and read all with an automaton (HMM), or a twofold one (HMM2F).

    It never quits, and returns the page whose automaton ends in the highest state, the first found
    of equals: the paper's classifier has no absorbing state, and does not use time. It is inferred
    that the twofold one starts in the highest state, the paper's B.

    Source: Goodwin, "Hidden Markov Model Classifier"; that it downloads all is the paper's.
    """

    def __init__(
        self, query: Collection[str], start: str, automaton: Automaton, budget: int | None = None
    ) -> None:
        self._query = frozenset(query)
        self._automaton = automaton
        super().__init__(self._read_all(start, Downloads(budget)))

    def _read_all(self, start: str, downloads: Downloads) -> Course:
        """Read pages in the order of discovery, each after the label through which it was found."""
        states: dict[str, float] = {}
        labels: dict[str, tuple[str, ...]] = {start: ()}
        waiting = [start]
        for key in waiting:
            page = yield from downloads.get(key)
            if page is None:
                continue
            states[key] = self._state(labels[key], page.words)
            for link in page.links:
                if link.target not in labels:
                    labels[link.target] = link.label
                    waiting.append(link.target)
        found = max(states, key=states.__getitem__, default=None)
        total = sum(states.values())
        return Answer(found, states[found] / total if found and total else 0.0, downloads.count)

    def _state(self, label: tuple[str, ...], words: tuple[str, ...]) -> float:
        automaton = self._automaton
        state = float(automaton.states if automaton.is_twofold else automaton.middle)
        for each in (label, words):
            state = automaton.judge(each, self._query, state)
        return state
