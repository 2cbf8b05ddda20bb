"""What an estimate says, and how sure it says it is."""

from tests.mutations.mutation import mutations

MUTATIONS = (
    *mutations(
        "estimate/size.py",
        "estimate/test_size.py",
        ("at_least <= found.high", "at_least < 0"),
        (
            "return found if is_doubted else raised(found, at_least)",
            "return raised(found, at_least)",
        ),
        ("high = max(high, known * (high / documents))", "high = max(high, known)"),
        ("between = found.documents if is_doubted else found.high", "between = found.documents"),
        ("(first + 1) * (second + 1) / (both + 1) - 1", "first * second / (both + 1)"),
        ("once * (once - 1) / (2 * (twice + 1))", "once * once / (2 * (twice + 1))"),
        (
            '"count", "parts", "term", "rows repeated", "page lost"',
            '"count", "parts", "term", "rows repeated"',
        ),
    ),
    *mutations(
        "estimate/_share.py",
        "estimate/test_share.py",
        (
            "(confidence - t_within(t, freedom)) / (2 * density)",
            "(confidence - t_within(t, freedom)) / density",
        ),
        ("+ square / (4 * trials)", ""),
        ("np.append(self.held, [True, False])", "np.append(self.held, [True, True])"),
        (
            "variance = _variance(padded, fit, reached, beyond) * unasked",
            "variance = _variance(padded, fit, reached, beyond)",
        ),
        ("* probes / (probes - 1))", ")"),
        ("np.array([1.0, log(NO_WORD)])", "np.array([1.0, 0.0])"),
    ),
    *mutations(
        "estimate/_counts.py",
        "estimate/test_counts.py",
        ("-CONTRADICTED * counted.counts.sum()", "-counted.counts.sum()"),
        ("(told + MOST_BY_CHANCE * is_bound)", "told"),
        ("+= RIDGE", "+= 0.0 * RIDGE"),
        ("sqrt(max(among_probes, among_held))", "sqrt(among_held)"),
        ("max(probes + 1, LEAST_FREEDOM)", "1e9"),
    ),
    *mutations(
        "estimate/_share.py",
        "estimate/test_probes.py estimate/test_counts.py",
        ("SHARE_BIAS = 0.01", "SHARE_BIAS = 0.0"),
    ),
    *mutations(
        "estimate/_strata.py",
        "estimate/test_probes.py",
        ("< sqrt(part) * self._draws[SEEN]", "< self._draws[SEEN]"),
    ),
    *mutations(
        "estimate/probes.py",
        "estimate/test_probes.py estimate/test_counts.py",
        ("self.held / (self.held + len(self._failed))", "1.0"),
        ("READ_ALIKE * max(self._came, ENOUGH_READ)", "0"),
        (
            "found[[number for number, is_cut in self._overflowed.items() if is_cut]] = False",
            "pass",
        ),
        ("found is None or found.low > by_probes.high", "found is None"),
        (
            "is_less, found = found.high < by_probes.low, found.widened()",
            "is_less, found = False, found.widened()",
        ),
        ("unasked=1 - self.probes / self._strata.pool", "unasked=1.0"),
        ("found[list(self._answered)] = list(self._answered.values())", "pass"),
        ("return raised(size, self.known)", "return size"),
    ),
    *mutations(
        "planner/observed/answer_progress.py",
        "planner/test_reading.py",
        ("return different >= total.documents", "return rows >= total.documents"),
        ("return limit is None or rows < limit", "return limit is None or rows <= limit"),
    ),
    *mutations(
        "planner/measure/size_probes.py",
        "planner/test_reading.py",
        ("page if is_new else Page(page.hits, page.total)", "page"),
        ("count in (len(self._hits), self._rows)", "count == len(self._hits)"),
        (
            "if self._last is not None and self._believes else None",
            "if self._last is not None else None",
        ),
        ("if self.failed or page is None", "if page is None"),
        ("is_cut = self._limit is not None and self._rows >= self._limit", "is_cut = False"),
    ),
)
