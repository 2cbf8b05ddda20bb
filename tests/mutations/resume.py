"""What a run leaves to the next, and how a run comes to its end."""

from tests.mutations.mutation import mutations

MUTATIONS = (
    *mutations(
        "store/tables.py",
        "contract/test_store.py store",
        ("kinds = (PageReceived, PageDisbelieved)", "kinds = (PageReceived,)"),
        (".order_by(journal.c.entry.desc())", ".order_by(journal.c.entry)"),
        (
            "                    withdraw(connection, event, self._scope)\n",
            "                    pass\n",
        ),
        ("COSTS_ONE.get(event, 0) if cost is None else cost", "cost or 0"),
        ("journal.c.recorded_at >= seconds", "journal.c.recorded_at > 0"),
    ),
    *mutations(
        "store/_rows.py",
        "contract/test_store.py store",
        ("is_kept = kept[0] is not None", "is_kept = True"),
    ),
    *mutations(
        "store/sqlite.py",
        "store/test_sqlite.py",
        ("if schema != SCHEMA:", "if not schema:"),
        (
            "if any(_identity_of(path) != file for path, file in self._files.items()):",
            "if not all(path for path, file in self._files.items()):",
        ),
    ),
    *mutations(
        "store/_leases.py",
        "fleet/test_fleet.py",
        (".scalar() != lease.fence:", ".scalar() is None:"),
    ),
    *mutations(
        "harvester/journal.py",
        "test_folder.py",
        (
            "    if again:\n        store.record(*again)",
            "    if not again:\n        store.record(*again)",
        ),
        (
            "dict.fromkeys([*ledger.failures.unproven, *ledger.failures.partial])",
            "ledger.failures.unproven",
        ),
        ("if page.hits and number == 1:", "if page.hits:"),
        ("if not event.forbidden}", "}"),
        ("case FormReceived(response) if is_its_own:", "case FormReceived(response):"),
        ("case NonsenseAnswered(keys) if is_its_own:", "case NonsenseAnswered(keys):"),
        ("(same, event) if same is not event else ()", "()"),
        ("if requests and document.key in self._hits:", "if document.key in self._hits:"),
    ),
    *mutations(
        "ledger/_failures.py",
        "ledger/test_failures.py",
        ("elif event.requests:", "else:"),
        ("                self.to_ask_again.discard((query, number))\n", ""),
        ("and event.ending.is_done:", "and event.ending.cause != 'interrupted':"),
        ("case SourceChecked(answers=True):", "case SourceChecked():"),
        ("if not doubted:", "if True:"),
        ("                self.documents.pop(document.key, None)\n", "                pass\n"),
    ),
    *mutations(
        "engine/engine.py",
        "engine test_engine.py",
        ("if held.probe and not probe:", "if False:"),
        ("if not self._client.is_proven:", "if False:"),
        ("self._rounds < ROUNDS", "self._rounds <= ROUNDS"),
        (
            "len(self._failed) < len(failed) or self._ledger.failures.to_ask_again",
            "len(self._failed) < len(failed)",
        ),
        ("len(self._failed) < len(failed) or self", "self"),
        ("        self._told.clear()\n", ""),
        ("(failure and not self._has_come)", "failure"),
        ("if ledger.queries_and_probes >= most:", "if ledger.queries_and_probes > most:"),
        ("if room < 0:", "if room <= 0:"),
        ("if stopped != self._ledger.stopped:", "if True:"),
        ("self._unreached = 0\n            self._reached", "self._reached"),
        ("        self._documents.skipped.clear()\n", ""),
        ("self._next[search.query, search.number] = request", "pass"),
    ),
    *mutations(
        "engine/documents.py",
        "engine/test_documents.py",
        ("if failed is not None and not again and not (is_file and self._files):", "if False:"),
        ("PASSING = {403, 408, 425, 429}", "PASSING = {408, 425, 429}"),
        ("            self._earlier.discard(hit.key)\n", ""),
        ("and not failed.is_gone)", ")"),
        ("for key in error.earlier:", "for key in error.earlier[:1]:"),
        ("                self._ended_by = error\n", ""),
        ("return hit.text is not None or self._limits.listing_only", "return hit.text is not None"),
        ("(self._limits.retries_all and not failed.forbidden)", "self._limits.retries_all"),
        (
            "        async with self._slots:\n            if self._ended_by",
            "        if self._slots:\n            if self._ended_by",
        ),
    ),
    *mutations(
        "engine/patience.py",
        "engine/test_patience.py",
        ("if isinstance(error, ChangedError):", "if False:"),
        ("self._checked_after *= 2 if is_right else 1", "self._checked_after *= 1"),
        ("error.ending if is_told else failed.ending", "failed.ending"),
        ("            self._failures = 0\n            return", "            return"),
        ("min(self._most, KEPT_OUT)", "self._most"),
        (
            "UNREACHED if isinstance(error, UnreachableError) else self._checked_after",
            "self._checked_after",
        ),
        (
            "self._failures, self._checked_after = 0, CHECKED_AFTER",
            "self._failures = 0",
        ),
    ),
)
