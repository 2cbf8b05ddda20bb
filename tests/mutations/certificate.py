"""What a harvest says of itself: its ledger, its outcome, its budget, what is printed."""

from tests.mutations.mutation import mutations

MUTATIONS = (
    *mutations(
        "ledger/_size.py",
        "ledger/test_verdict.py",
        ("ENOUGH = 0.97", "ENOUGH = 0.96"),
    ),
    *mutations(
        "ledger/verdict.py",
        "ledger/test_verdict.py",
        ("if failures.to_ask_again:", "if False:"),
        ("if unread := failures.unread:", "if unread := 0:"),
        ("if had < max(found.low or 0, found.size) and not", "if had < (found.low or 0) and not"),
        ("least is not None and least >= target", "share is not None and share >= target"),
        ("finish.target_met and not missing", "not missing"),
        ("forbidden and not ledger.documents", "forbidden"),
        ("had = met + failures.left", "had = ledger.documents"),
        ("is_whole = finish.target_met and not missing", "is_whole = finish.target_met"),
        ("    if not cut:\n", "    if cut:\n"),
        ("if had < (least or 0):", "if had <= (least or 0):"),
    ),
    *mutations(
        "ledger/_size.py",
        "ledger/test_believed.py test_ledger.py",
        ("if held <= given:", "if held < given:"),
        ("    if is_doubted(found.discrepancies):\n", "    if not found.discrepancies:\n"),
        (
            "None if size.high is None else ceil(size.high)",
            "None if size.high is None else floor(size.high)",
        ),
        (
            "raised(with_cells(probes, found.at_least, is_doubted=doubted), held)",
            "with_cells(probes, found.at_least, is_doubted=doubted)",
        ),
        ("low=max(held, found.at_least)", "low=found.at_least"),
    ),
    *mutations(
        "ledger/ledger.py",
        "ledger test_ledger.py",
        ("            del self.query_ledgers[query]\n", "            pass\n"),
        ("self.held.withdraw(key)", "pass"),
        (
            "event if isinstance(event, Stopped) else UNFINISHED",
            "event if isinstance(event, Stopped) else self.stopped",
        ),
        ("self.result_pages += event.requests > 0", "self.result_pages += 1"),
        ("if cut not in sums.cuts", "if cut"),
    ),
    *mutations(
        "ledger/_queries.py",
        "engine/test_skipping.py",
        ("        self.failed -= {number}\n", "        pass\n"),
        ("        if not self.failed:\n", "        if True:\n"),
    ),
    *mutations(
        "ledger/held/texts.py",
        "ledger",
        ("if is_listed else is_title", "if is_listed else False"),
        ("return is_part or lacks or", "return is_part or"),
        ("if hit.key not in held", "if hit.key"),
        ("all(map(str.isalnum, terms))", "terms"),
        (">= LEAST_SHOWN * len(shown)", ">= 0"),
    ),
    *mutations(
        "ledger/summary.py",
        "ledger test_ledger.py",
        (
            "None if found.size is None else _share(held, found.high) or 0.0",
            "_share(held, found.size)",
        ),
    ),
    *mutations(
        "ledger/truncation.py",
        "test_ledger.py",
        ('page.total.relation != "about" or last_is_full', "True"),
        ("if number > 1 and not rows and is_announced:", "if number > 1 and not rows:"),
        ("len(different) >= ENDS_ALIKE", "len(different) > ENDS_ALIKE"),
        ("if repeats or len", "if len"),
        (
            'return page.total.relation == "at least" and (received == limit or is_as_told)',
            "return False",
        ),
    ),
    *mutations(
        "harvester/steering.py",
        "api/test_api.py",
        ("self._begun = time.monotonic() - seconds", "self._begun = time.monotonic()"),
    ),
    *mutations(
        "ledger/budget.py",
        "test_ledger.py",
        ("used.requests >= allowed.requests:", "used.requests > allowed.requests:"),
        ("if self.used.requests_today >= a_day:", "if self.used.requests_today > a_day:"),
        ("if today != self._day:", "if False:"),
        ("found, self._unrecorded = self._unrecorded, 0", "found = self._unrecorded"),
        ("ceil(left / a_day) - 1", "ceil(left / a_day)"),
    ),
    *mutations(
        "outcomes.py",
        "test_outcomes.py",
        ("if status in (403, 429, 451):", "if status in (403, 429):"),
        ("(status or 0) >= 500", "(status or 0) > 500"),
        ("if status in (401, 407):", "if status == 401:"),
    ),
    *mutations(
        "errors.py",
        "test_outcomes.py",
        ('ending = Ending("blocked", "silence")', 'ending = Ending("changed")'),
        ('    ending = Ending("blocked", "robots")\n', ""),
        ("self.ending = ending or type(self).ending", "self.ending = type(self).ending"),
        (
            "        self.ending = ending_of_status(status)\n",
            "        type(self).ending = ending_of_status(status)\n",
        ),
    ),
    *mutations(
        "text/safe.py",
        "cli/test_export.py",
        ('("=", "+", "-", "@",', '("=", "+", "@",'),
        (
            """return clean(f"'{text}" if text.startswith(_FORMULA) else text)""",
            """return f"'{text}" if text.startswith(_FORMULA) else text""",
        ),
        ("chr(0x2400 + code)", "chr(0x2400)"),
    ),
    *mutations(
        "exports/material.py",
        "cli/test_export.py",
        (
            "            yield each\n            self.read += 1\n",
            "            yield each\n",
        ),
    ),
    *mutations(
        "exports/export.py",
        "cli/test_export.py",
        ('be read and written" if read else', 'be read and written" if not read else'),
    ),
    *mutations(
        "exports/rows.py",
        "cli/test_export.py",
        ("row.items()])\n        written += 1", "row.items()])\n        written = 1"),
    ),
)
