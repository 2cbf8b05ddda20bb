"""What tells a source that answers from one that only seems to."""

from tests.mutations.mutation import mutations

MUTATIONS = (
    *mutations(
        "source/trust/silence.py",
        "source/test_silence.py",
        ("RARE = 0.01", "RARE = 0.001"),
        ("USUAL = 0.8", "USUAL = 0.99"),
        (
            "            self._chance = 1.0\n        self._weights",
            "            pass\n        self._weights",
        ),
        ("or self._alike >= ALIKE", ""),
        ("len(keys) >= LEAST_ROWS and keys == self._last", "keys == self._last"),
        ("count > 1 and count & (count - 1) == 0", "count > 1"),
        ("        self.empty.pop()\n", ""),
        ("self.is_flaky = True", "self.is_flaky = False"),
        ("is_doubtful=not keys or is_alike)", "is_doubtful=not keys)"),
    ),
    *mutations(
        "source/trust/placeholders.py",
        "source/test_placeholders.py",
        ("SEVERAL = 3", "SEVERAL = 2"),
        ("and others >= MOSTLY * self._fitting.get(mark, 0)", ""),
        ("TOLD = 1 / 3", "TOLD = 1 / 2"),
        ('each if each.isalpha() else _PASSING.sub("", each)', "each"),
        ("{} if was_known else others", "{}"),
        ("    if words:\n", "    if True:\n"),
    ),
    *mutations(
        "source/trust/seen.py",
        "source/test_page_ends.py",
        ("return not body.endswith(closing)", "return False"),
        ("or self._whole < self._others", ""),
        ("self._whole < self._others", "self._whole <= 2 * self._others"),
        ("body[-TAIL_BYTES:]", "body[-20:]"),
    ),
    *mutations(
        "source/trust/stand_ins.py",
        "source/test_stand_ins.py",
        (
            "or not self._shown or _keys(page) != self._shown:",
            "or not self._shown or not _keys(page) >= self._shown:",
        ),
        (">= QUERIES", ">= QUERIES - 1"),
        ("(is_telling and not telling)", "not telling"),
    ),
    *mutations(
        "source/trust/change_detector.py",
        "source/test_watch.py",
        (
            "if not shows and self._showing == self._pages >= ENOUGH_PAGES:",
            "if not shows and self._pages >= ENOUGH_PAGES:",
        ),
        (
            "if not shares and self._sharing == self._documents >= ENOUGH_DOCUMENTS:",
            "if not shares:",
        ),
        ("self._signed or sign(_named(hit))", "self._signed"),
        ("(not shares and _WALL.search(text))", "_WALL.search(text)"),
        ("if page.hits or page.total is not None:", "if page.hits:"),
        ("self.good = self.good or hit", "self.good = None"),
    ),
    *mutations(
        "engine/checks.py",
        "contract/test_checks.py",
        (
            "dict.fromkeys((self._asker.seen.had_hits, self._asker.seen.has_hits))",
            "dict.fromkeys((self._asker.seen.had_hits, self._asker.seen.had_hits))",
        ),
        ("                self._asker.seen.silence.confirm()\n", ""),
        (
            "            self._asker.on_event(PageDisbelieved(*asked))\n        self._asker.seen",
            "            pass\n        self._asker.seen",
        ),
        ("page.hits and page.keys == suspect.keys", "page.keys != suspect.keys"),
        ("and error.status in OF_QUERIES", ""),
        ('if error.ending.outcome == "blocked" else failed.ending', "if False else failed.ending"),
        (
            "            spent.take(error)\n            self._asker.on_event",
            "            self._asker.on_event",
        ),
    ),
    *mutations(
        "engine/site_client.py",
        "contract/test_checks.py",
        ("hits=page.hits[:-1]", "hits=page.hits"),
        ("if again is None else (again, False)", "if again is None else (page, False)"),
        ('Ending("blocked", "silence") if ending.outcome == "changed" else ending', "ending"),
        ("                await self._checks.documents()\n", ""),
    ),
)
