"""Compare the statements of a harvest with the truth.

The terms:

- *existing*: documents whose text is available, now or after the site has recovered. Pages that
  are gone, withheld or without text do not count. Exit code 0 and the outcome `complete` require
  at least 95 % of these.
- *within reach*: existing documents whose text was available in the runs, given the faults. At
  least 95 % of these must be held after at most four runs.
- *size*: the interval is right if it contains the number of all documents behind the search, of
  the existing ones, or of those within reach.
- *false*: an exported document whose text does not belong to its key; must be below 1 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from tests.honesty.runs import RUNS, Run, harvested
from tests.honesty.site import Case, Site
from tests.honesty.stage import plain

from longline.simulate.site import html as _html

OUTCOMES = ("complete", "partial", "blocked", "unreachable", "changed", "empty", "failed")
ENOUGH = 0.95
MOST_FALSE = 0.01
MOST_MISSED = 0.05
"""Maximum share of intervals that miss the truth, because they claim 95 % confidence."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The result of one case.

    Attributes:
        held: After each run, the share held of the documents within reach.
        existing: Share of the existing documents that is held at the end.
        interval: Low and high end of the size in the last certificate; None if open.
        behind: Number of documents behind the search.
        reach: Number of these within reach.
        false: Share of false texts among the exported ones.
        complaints: What was wrong; the word before the colon is its kind.
    """

    case: str
    held: tuple[float, ...]
    existing: float
    outcomes: tuple[str, ...]
    exit_codes: tuple[int | None, ...]
    interval: tuple[int | None, int | None]
    behind: int
    reach: int
    documents: int
    false: float
    requests: int
    seconds: float
    complaints: tuple[str, ...]

    def has(self, kind: str) -> bool:
        """Return whether there is a complaint of this kind."""
        return any(each.split(":")[0] == kind for each in self.complaints)


def judged(case: Case, folder: Path, most_runs: int = RUNS) -> Verdict:
    """Harvest a case's site, and judge the statements of its runs."""
    site = Site(case)
    runs = list(harvested(site, folder, most_runs))
    reach = site.within_reach()
    truth = {key: plain(_html.escape(text)) for key, text in site.texts.items()}
    held = [_true(run.exported, truth) for run in runs]
    last = runs[-1]
    false = len(last.exported) - sum(_is_true(each, truth) for each in last.exported.items())
    complaints = [
        complaint
        for run, keys in zip(runs, held, strict=True)
        for complaint in of_run(run, case, _share(keys, site.existing))
    ]
    figures = {
        "interval": _interval(last.certificate),
        "behind": len(site.texts),
        "reach": len(reach),
        "false": false / max(1, len(last.exported)),
    }
    shares = tuple(round(_share(keys, reach), 3) for keys in held)
    sizes = (len(site.texts), len(site.existing), len(reach))
    complaints += of_the_end(shares[-1], figures["false"], figures["interval"], sizes)
    return Verdict(
        case=str(case),
        held=shares,
        existing=round(_share(held[-1], site.existing), 3),
        outcomes=tuple(str((run.certificate or {}).get("outcome", "-")) for run in runs),
        exit_codes=tuple(run.exit_code for run in runs),
        documents=len(last.exported),
        requests=sum(run.requests for run in runs),
        seconds=round(sum(run.seconds for run in runs), 1),
        complaints=tuple(complaints),
        **figures,
    )


def _share(held: frozenset[str], wanted: frozenset[str]) -> float:
    """Return the share of the wanted keys that is held, or 1.0 if none are wanted."""
    return len(held & wanted) / len(wanted) if wanted else 1.0


# Texts.


def _true(exported: dict[str, str], truth: dict[str, str]) -> frozenset[str]:
    """Return the keys of the documents that were exported with their true text."""
    return frozenset(true_key(row[0], truth) for row in exported.items() if _is_true(row, truth))


def _is_true(row: tuple[str, str], truth: dict[str, str]) -> bool:
    key, text = row
    return truth.get(true_key(key, truth)) == plain(_html.escape(text))


def true_key(key: str, truth: dict[str, str]) -> str:
    """Return a document's own key, also if the harvest uses its address as key.

    >>> true_key("http://127.0.0.1:1/documents/a%2Fb?sid=7", {"a/b": ""})
    'a/b'
    """
    if key in truth:
        return key
    return unquote(urlsplit(key).path.partition("/documents/")[2])


# Statements of a run.


def of_run(run: Run, case: Case, existing: float) -> list[str]:
    """Return what is wrong with a single run."""
    found = [f"{text} (run {run.number})" for text in _of_the_way(run)]
    if run.exit_code == 0 and existing < ENOUGH:
        found.append(
            f"dishonest: exit code 0 with {existing:.1%} of what exists (run {run.number})"
        )
    outcome = (run.certificate or {}).get("outcome")
    if run.certificate is not None and outcome not in OUTCOMES:
        found.append(f"word: the outcome is {outcome!r} (run {run.number})")
    elif run.certificate is not None:
        found += _of_the_word(run, case, str(outcome), existing)
    return found


def _of_the_way(run: Run) -> list[str]:
    """Return what is wrong with how a run ended."""
    found = []
    if run.exit_code is None:
        found.append(f"endless: killed after {run.seconds:.0f} s and {run.requests} requests")
    if run.exit_code == 1 or "Traceback" in run.said:
        last = run.said.strip().splitlines()[-1:] or [""]
        found.append(f"bug: {last[0][:120]}")
    if run.exit_code not in (None, 1) and run.certificate is None:
        found.append(f"uncertified: exit code {run.exit_code}, no certificate")
    return found


def _of_the_word(run: Run, case: Case, outcome: str, existing: float) -> list[str]:
    found = []
    if outcome == "complete" and existing < ENOUGH:
        found.append(f"word: complete with {existing:.1%} of what exists (run {run.number})")
    if outcome != "complete" and outcome not in case.words(run.number):
        found.append(
            f"word: {outcome}, not {'/'.join(sorted(case.words(run.number)))} (run {run.number})"
        )
    # Without any text, the run may hold nothing at all, or only result pages.
    codes = (0,) if outcome == "complete" else (3,) if run.exported else (2, 3)
    if run.exit_code not in (None, 1, *codes):
        found.append(f"code: {run.exit_code} for {outcome}, not {codes[0]} (run {run.number})")
    return found


def of_the_end(
    held: float, false: float, interval: tuple[int | None, int | None], sizes: Sequence[int]
) -> list[str]:
    """Return what is wrong after all runs."""
    found = []
    if held < ENOUGH:
        found.append(f"short: {held:.1%} of what was within reach")
    if false >= MOST_FALSE:
        found.append(f"false: {false:.1%} of the texts")
    if not any(_holds(interval, size) for size in sizes):
        found.append(f"interval: {interval[0]} to {interval[1]} holds none of {sorted(set(sizes))}")
    return found


def _interval(certificate: dict[str, Any] | None) -> tuple[int | None, int | None]:
    certificate = certificate or {}
    return certificate.get("size_low"), certificate.get("size_high")


def _holds(interval: tuple[int | None, int | None], size: int) -> bool:
    low, high = interval
    return (low is None or low <= size) and (high is None or size <= high)


def kinds(verdict: Verdict) -> list[str]:
    """Return the distinct kinds of a verdict's complaints, in order."""
    return list(dict.fromkeys(each.split(":")[0] for each in verdict.complaints))


# All cases together.


class Goal(NamedTuple):
    """A measure over all cases, with its value and its upper limit."""

    what: str
    found: float
    most: float

    @property
    def is_met(self) -> bool:
        """Return whether the value is within its limit."""
        return self.found <= self.most

    def __str__(self) -> str:
        return f"{self.what}: {self.found:.3g} (at most {self.most:g})"


def goals(verdicts: Sequence[Verdict]) -> list[Goal]:
    """Compare many verdicts with the goals for all cases."""
    claims = [each for each in verdicts if each.interval != (None, None)]
    missed = sum(each.has("interval") for each in claims) / max(1, len(claims))
    texts = sum(each.documents for each in verdicts)
    false = sum(each.false * each.documents for each in verdicts) / max(1, texts)
    return [
        Goal("share of intervals that miss the truth", missed, MOST_MISSED),
        Goal("share of false texts", false, MOST_FALSE),
        *(Goal(what, sum(each.has(kind) for each in verdicts), 0) for kind, what in NEVER.items()),
    ]


NEVER = {
    "dishonest": f"cases with exit code 0 below {ENOUGH:.0%} of what exists",
    "short": f"cases that hold below {ENOUGH:.0%} of what was within reach",
    "word": "cases with an outcome that is not true",
    "code": "cases with an exit code that is not that of the outcome",
    "bug": "cases with a traceback or exit code 1",
    "endless": "cases that did not end",
    "uncertified": "cases without a certificate",
}
"""Kinds of complaints that must not occur in any case."""
