"""How a harvest can end: one closed list, for the certificate, the exit code and every table.

| outcome | it stands for | causes |
|---|---|---|
| complete | all was asked for, and nothing says that anything is missing | |
| partial | stopped early, or not all came | budget, cut, missing, unknown, interrupted |
| blocked | the source keeps visitors out | robots, login, captcha, refused, silence |
| unreachable | no answer, or nothing but server errors | |
| changed | the source no longer answers as its spec says | |
| empty | every answer was empty | |
| failed | answers came that cannot be used | |

"cut" is where the source shows only a part of what some searches match; "missing" is where it cuts
none, and the estimate, its counts or documents that could not be read say that some are missing;
"unknown" is a search by meaning, where no search shows what is missing.
"refused" is a status such as 403 or 429; "silence" is a source that says of everything that
nothing was found, or shows the same to every query.
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
"""Causes of a harvest that asked all that it wanted to ask."""

WALL_ADVICE: Mapping[Cause, str] = {
    "login": "longline never logs in; give it the cookies of your own session, or ask the site's "
    "owner for a key",
    "captcha": "wait some hours, and lower the rate",
    "refused": "wait some hours, and lower the rate",
}
"""What to do about pages that let nobody in, by the cause."""

DONE, BUG, BAD_INPUT, STOPPED_SHORT = range(4)
"""Exit codes of every command.

| code | it stands for |
|---|---|
| 0 | done: what was asked for is there; of a harvest, it is complete or its target is met |
| 1 | a bug in longline |
| 2 | bad input: the same command fails again until what was given is corrected |
| 3 | stopped before the end: documents are missing, the source is down or keeps visitors out, a
      limit is reached, or there is no room on the disk |
"""


class Ending(NamedTuple):
    """An outcome, and its cause where it is partial or blocked."""

    outcome: Outcome
    cause: Cause = ""

    @property
    def is_done(self) -> bool:
        """Whether all that was to be asked for was asked for, whatever came of it.

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
    """Return how a harvest ends that gets nothing but answers of an HTTP status.

    >>> ending_of_status(401), ending_of_status(429).cause, ending_of_status(502).outcome
    (Ending(outcome='blocked', cause='login'), 'refused', 'unreachable')
    """
    if status in (401, 407):
        return Ending("blocked", "login")
    if status in (403, 429, 451):
        return Ending("blocked", "refused")
    return Ending("unreachable" if (status or 0) >= 500 else "failed")
