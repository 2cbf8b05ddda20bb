"""Errors, sorted by what the reader can do about them.

```
LonglineError
├── InputError      fix what you gave us
├── StoppedShort    raise a limit, or come back
└── SourceError     the source's bad answer
```

Any other exception is a bug of longline. The exit code follows from an error's `ending`.
A message names an option by `option`: each caller shows it in its own syntax.
"""

import difflib
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from longline.outcomes import Ending, ending_of_status

_OPTION = re.compile("\ue000(\\w+)(?:=(True|False))?\ue001")


def option(text: str) -> str:
    """Mark an option in a message, such as `size` or `estimate=True`."""
    return f"\ue000{text}\ue001"


def in_python(text: str) -> str:
    """Write the options in a text as Python arguments.

    >>> in_python(f"give {option('size')}, or {option('estimate=True')}")
    'give size, or estimate=True'
    """
    return _OPTION.sub(lambda found: found[1] + (f"={found[2]}" if found[2] else ""), text)


def in_shell(text: str) -> str:
    """Write the options in a text as command-line options.

    >>> in_shell(f"give {option('max_requests')}, or leave out {option('browser=False')}")
    'give --max-requests, or leave out --no-browser'
    """

    def flag(found: re.Match[str]) -> str:
        return f"--{'no-' if found[2] == 'False' else ''}{found[1].replace('_', '-')}"

    return _OPTION.sub(flag, text)


def cause_of(error: Exception) -> str:
    """Return why something failed, without the error number and the file name.

    >>> cause_of(FileNotFoundError(2, "No such file or directory", "words.txt"))
    'No such file or directory'
    >>> cause_of(ValueError("no CSV"))
    'no CSV'
    """
    return str(getattr(error, "strerror", "") or error)


class LonglineError(Exception):
    """An error that says what happened, where, the value, and the next step.

    Args:
        message: What happened, with the place and the value.
        advice: The next step, as an imperative without a full stop.

    Attributes:
        ending: How a harvest ends if it cannot continue after this error.
        parts, told: Message and advice with marked options, separately and as one text.

    >>> str(LonglineError("no file at corpus.jsonl", advice="check the path"))
    'no file at corpus.jsonl; check the path'
    """

    ending = Ending("failed")

    @property
    def exit_code(self) -> int:
        """Exit code of a command that it stopped; see `longline.outcomes`."""
        return self.ending.exit_code

    def __init__(self, message: str, *, advice: str = "") -> None:
        self.parts = message, advice
        self.told = f"{message}; {advice}" if advice else message
        super().__init__(in_python(self.told))
        self.message = in_python(message)
        self.advice = in_python(advice)


class InputError(LonglineError):
    """Something the user gave is wrong; the same input will fail again.

    Example:
        >>> import longline
        >>> try:
        ...     longline.open("no-such-folder")
        ... except longline.InputError as error:
        ...     print(error)
        there is no folder no-such-folder; name the folder of a harvest
    """


class UnknownNameError(InputError):
    """A name that is not among the known ones.

    >>> str(UnknownNameError("strategy", "gredy", ["greedy", "ids"]))
    "unknown strategy 'gredy'; did you mean greedy? take one of: greedy, ids"
    """

    def __init__(self, what: str, value: str, known: Iterable[str]) -> None:
        self.what = what
        self.value = value
        self.known = tuple(known)
        near = difflib.get_close_matches(value, self.known, n=1)
        advice = "".join(f"did you mean {each}? " for each in near)
        advice += f"take one of: {', '.join(self.known)}"
        super().__init__(f"unknown {what} {value!r}", advice=advice)


class MatrixError(InputError):
    """A document-query matrix or a cost vector that set covering cannot use."""


class NoSuchFileError(InputError):
    """A file or folder that does not exist, and may be meant as a URL.

    >>> str(NoSuchFileError("www.city.example/a", advice="name a URL"))
    'no file or folder www.city.example/a; name a URL; a URL begins with https:// or http://'
    """

    def __init__(self, name: str, *, advice: str) -> None:
        host = name.partition("/")[0]
        is_like_one = ("." in host.strip(".") or ":" in host) and not host.endswith(".toml")
        hint = "; a URL begins with https:// or http://" if is_like_one else ""
        super().__init__(f"no file or folder {name}", advice=f"{advice}{hint}")


class UncoverableError(MatrixError):
    """A document that no query matches, so that no choice of queries covers all.

    >>> UncoverableError(41, 3).document
    41
    """

    def __init__(self, document: int, documents: int) -> None:
        self.document = document
        self.documents = documents
        others = f" (and {documents - 1} more)" if documents > 1 else ""
        super().__init__(
            f"document {document} is matched by no query in the pool{others}",
            advice="add queries, or leave the document out",
        )


class CorpusError(InputError):
    """A corpus that is missing, empty, or in an unknown format."""


class SpecError(InputError):
    """A source spec that cannot be read or that contradicts itself."""


class FolderError(InputError):
    """A harvest folder that is missing, not made by longline, or made with other settings."""


class AddressError(InputError):
    """An address that cannot be requested: no http or https URL."""


class PrivateAddressError(InputError):
    """A host on a private, loopback or reserved address, which is refused by default.

    >>> PrivateAddressError("intranet", "10.0.0.7").address
    '10.0.0.7'
    """

    def __init__(self, host: str, address: str) -> None:
        self.host = host
        self.address = address
        is_at = "is" if host == address else f"is at {address},"
        super().__init__(
            f"{host} {is_at} a private address",
            advice=f"if it is yours, allow it with {option('allow_private=True')}",
        )


class RobotsError(InputError):
    """The source's robots.txt disallows what the spec needs."""

    ending = Ending("blocked", "robots")


class StoppedShort(LonglineError):
    """The harvest ended before its target; what was saved is safe.

    Attributes:
        requests: HTTP requests sent before without success, including redirects and retries.

    Example:
        >>> import longline
        >>> stopped = longline.StoppedShort("the day's requests are spent", advice="go on tomorrow")
        >>> print(stopped)
        the day's requests are spent; go on tomorrow
        >>> stopped.exit_code
        3
    """

    ending = Ending("partial", "budget")
    requests = 0


class BudgetSpent(StoppedShort):
    """One more request or document would exceed the budget."""


class AskedToWait(StoppedShort):
    """A host demanded a longer wait than is allowed; it gets no more requests before that ends.

    Args:
        host: The host.
        until: The end, with a time zone.
        reason: Its answer, e.g. "429, Retry-After 86400".
        most_seconds: The longest wait that is allowed.
    """

    ending = Ending("blocked", "refused")

    def __init__(self, host: str, until: datetime, reason: str, most_seconds: float) -> None:
        self.host = host
        self.until = until
        time = minute(until)
        super().__init__(
            f"{host} asked to wait until {time} ({reason}), longer than the {most_seconds:,.0f} s "
            f"that are allowed",
            advice=f"run it again from {time} on",
        )


def minute(moment: datetime, today: date | None = None) -> str:
    """Format a time in UTC, rounded up to the minute; without the date if it is `today`.

    >>> minute(datetime(2026, 11, 23, 14, 4, 1, tzinfo=UTC))
    '2026-11-23 14:05 UTC'
    >>> minute(datetime(2026, 11, 23, 14, 5, tzinfo=UTC), today=date(2026, 11, 23))
    '14:05 UTC'
    """
    moment = moment.astimezone(UTC)
    if moment.second or moment.microsecond:
        moment = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return f"{moment:{'%H:%M' if moment.date() == today else '%Y-%m-%d %H:%M'}} UTC"


class Interrupted(StoppedShort):
    """The user stopped the run."""

    ending = Ending("partial", "interrupted")

    def __init__(self) -> None:
        super().__init__("interrupted", advice="run it again to continue")


class StorageError(StoppedShort):
    """The disk is full or the harvest folder cannot be written."""

    ending = Ending("partial", "interrupted")


class SourceError(LonglineError):
    """The source gave a bad answer, or none.

    During a harvest it is recorded. It is raised only if nothing was received at all.

    Attributes:
        requests: HTTP requests that it cost, including redirects and retries.

    Example:
        >>> import longline
        >>> try:
        ...     longline.plan("http://127.0.0.1:1/", allow_private=True, retries=0)
        ... except longline.SourceError as error:
        ...     print(str(error).split(":")[0])
        no answer from 127.0.0.1 port 1 in 1 try
    """

    requests = 0


class UnreachableError(SourceError):
    """No answer from the host: refused, timed out, or its name is unknown."""

    ending = Ending("unreachable")

    def __init__(
        self, message: str, *, advice: str = "", host: str = "", port: int | None = None
    ) -> None:
        super().__init__(message, advice=advice)
        self.host = host
        self.port = port


class RefusedError(SourceError):
    """An unusable answer: a final HTTP error, too large, too many redirects.

    Attributes:
        is_of_query: The source refuses only this query: others still have hits.
    """

    is_of_query = False

    def __init__(
        self, message: str, *, advice: str = "", url: str = "", status: int | None = None
    ) -> None:
        super().__init__(message, advice=advice)
        self.url = url
        self.status = status
        self.ending = ending_of_status(status)


class PageError(SourceError):
    """A page was received, but the spec's selectors do not find what they must."""


class NoTextError(PageError):
    """A document's page has no text where the spec expects it.

    Attributes:
        document: The document with the text of the page's main part, if the page names it as its
            hit does; else None.
    """

    def __init__(self, message: str, *, advice: str = "", document: Any = None) -> None:
        super().__init__(message, advice=advice)
        self.document = document


class FileError(PageError):
    """A file was received where a page was expected; `hit` has what its own page says."""

    def __init__(
        self, message: str, *, advice: str = "", media_type: str, response: Any, hit: Any
    ) -> None:
        super().__init__(message, advice=advice)
        self.media_type, self.response, self.hit = media_type, response, hit


class ChangedError(PageError):
    """The source no longer answers as before: its answers cannot be used."""

    ending = Ending("changed")


class SilentError(ChangedError):
    """The source says "nothing found" to all queries, or shows the same to each."""

    ending = Ending("blocked", "silence")


class StrangerError(PageError):
    """Another page was received instead of a document: a login, a captcha, a redesigned site."""

    ending = Ending("changed")

    def __init__(self, message: str, *, advice: str = "", ending: Ending | None = None) -> None:
        super().__init__(message, advice=advice)
        self.ending = ending or type(self).ending


class PlaceholderError(StrangerError):
    """A page was received instead of a document, and for many other documents, too.

    Attributes:
        page: Its title, or its URL.
        earlier: Keys of earlier documents that were this page.
    """

    def __init__(
        self, message: str, *, page: str, earlier: tuple[str, ...] = (), ending: Ending
    ) -> None:
        super().__init__(
            message, advice="open the address in a browser; it may want a login", ending=ending
        )
        self.page = page
        self.earlier = earlier
