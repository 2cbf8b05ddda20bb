"""How a harvest can end: one closed list, for the certificate, the exit code and every table.

| outcome | meaning | causes |
|---|---|---|
| complete | everything was requested, and nothing is known to be missing | |
| partial | stopped early, or not all was received | budget, cut, missing, unknown, interrupted |
| blocked | the source keeps visitors out | robots, login, captcha, refused, silence |
| unreachable | no answer, or only server errors | |
| changed | the source no longer answers as its spec says | |
| empty | every answer was empty | |
| failed | answers were received that cannot be used | |

"cut": the source shows only a part of the matches of some searches. "missing": it cuts none, but
the estimate, its counts or unreadable documents say that some are missing. "unknown": no search
shows what is missing, as in a search by meaning, where no test search finds anything, where only
a person's own queries were sent, or before a person has checked what was learnt of the search.

"refused": a status such as 403 or 429. "silence": the source says "nothing found" to all queries,
or shows the same to each.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Outcome = Literal["complete", "partial", "blocked", "unreachable", "changed", "empty", "failed"]
Cause = Literal[
    "",
    "budget",
    "cut",
    "missing",
    "unknown",
    "interrupted",
    "robots",
    "login",
    "captcha",
    "refused",
    "silence",
]

SEARCHED: frozenset[Cause] = frozenset({"", "cut", "missing", "unknown"})
"""Causes of a harvest that requested everything it wanted."""

WALL_ADVICE: Mapping[Cause, str] = {
    "login": "longline never logs in; give it the cookies of your own session, or ask the site's "
    "owner for a key",
    "captcha": "wait some hours, and lower the rate",
    "refused": "wait some hours, and lower the rate",
}
"""Advice for pages that keep visitors out, by cause."""

DONE, BUG, BAD_INPUT, STOPPED_SHORT = range(4)
"""Exit codes of every command.

| code | meaning |
|---|---|
| 0 | done: the result is there; for a harvest, it is complete or its target is met |
| 1 | a bug in longline |
| 2 | bad input: the same command fails again until the input is corrected |
| 3 | stopped before the end: documents are missing, the source is down or keeps visitors out, a
      limit is reached, or there is no room on the disk |
"""


class Ending(NamedTuple):
    """An outcome, and its cause if it is partial or blocked."""

    outcome: Outcome
    cause: Cause = ""

    @property
    def is_done(self) -> bool:
        """Whether everything wanted was requested, whatever the result.

        >>> Ending("partial", "cut").is_done, Ending("partial", "budget").is_done
        (True, False)
        """
        return self.outcome in ("complete", "partial") and self.cause in SEARCHED

    @property
    def exit_code(self) -> int:
        """Exit code of a command that an error with this ending stopped.

        >>> Ending("failed").exit_code, Ending("blocked", "robots").exit_code
        (2, 3)
        """
        return BAD_INPUT if self.outcome == "failed" else STOPPED_SHORT

    def __str__(self) -> str:
        """Return it for a line of a table.

        >>> str(Ending("blocked", "robots")), str(Ending("empty"))
        ('blocked (robots)', 'empty')
        """
        return f"{self.outcome} ({self.cause})" if self.cause else self.outcome


def ending_of_status(status: int | None) -> Ending:
    """Return how a harvest ends that gets only answers with an HTTP status.

    >>> ending_of_status(401), ending_of_status(429).cause, ending_of_status(502).outcome
    (Ending(outcome='blocked', cause='login'), 'refused', 'unreachable')
    """
    if status in (401, 407):
        return Ending("blocked", "login")
    if status in (403, 429, 451):
        return Ending("blocked", "refused")
    return Ending("unreachable" if (status or 0) >= 500 else "failed")
